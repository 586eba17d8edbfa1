//! `doctor --verify`: reads every day file again and compares it with the index.

use std::collections::HashMap;

use serde::Serialize;

use super::Failure;
use crate::{
    index::{CatalogEntry, EntryKey, Snapshot},
    journal::{
        Entry, Vault, VaultError, WrittenEntry,
        identity::{self, WrittenName},
    },
    session::{Progress, Session},
};

/// Number of stored texts read at once.
const BATCH: usize = 256;

/// Result of the comparison.
#[derive(Debug, Serialize)]
pub struct Verified {
    pub entries: usize,
    pub files: usize,
    /// One message per disagreement, with the file or the entry.
    pub disagreements: Vec<String>,
}

/// Compares the entries of all day files with the catalog (presence and fingerprint) and the word index (text).
pub fn verify(session: &mut Session, progress: &mut dyn FnMut(Progress)) -> Result<Verified, Failure> {
    let snapshot = session.snapshot()?;
    let (entries, files) = read_all(session.vault(), progress)?;
    let mut disagreements = Vec::new();
    let mut known: HashMap<EntryKey, u64> =
        snapshot.catalog.entries().iter().map(|entry| (entry.key, entry.fingerprint)).collect();
    for entry in &entries {
        let read = CatalogEntry::of(entry);
        let place = format!("{} (entry {})", entry.place.file, entry.id);
        match known.remove(&read.key) {
            None => disagreements.push(format!("{place} is not in the index")),
            Some(fingerprint) if fingerprint != read.fingerprint => {
                disagreements.push(format!("{place} differs from the index"));
            }
            Some(_) => {}
        }
    }
    for key in known.into_keys() {
        if let Some(entry) = snapshot.catalog.by_key(key) {
            disagreements.push(format!("{} is in the index and no longer in {}", entry.id, entry.place.file));
        }
    }
    compare_texts(&snapshot, &entries, progress, &mut disagreements)?;
    if let Some(vectors) = &snapshot.vectors {
        let (done, of) = vectors.progress();
        progress(Progress { what: "meaning", done, of });
        let damaged = vectors.damaged();
        if damaged > 0 {
            disagreements.push(format!("{damaged} vectors are damaged; run `kioku index --rebuild`"));
        }
    }
    disagreements.sort();
    Ok(Verified { entries: entries.len(), files, disagreements })
}

/// All entries with their final ids, and the number of files.
fn read_all(vault: &Vault, progress: &mut dyn FnMut(Progress)) -> Result<(Vec<Entry>, usize), VaultError> {
    let files = vault.files()?;
    let mut written = Vec::new();
    for (done, file) in files.iter().enumerate() {
        progress(Progress { what: "reading", done, of: files.len() });
        written.extend(vault.read(&file.file)?.entries);
    }
    let written_names: Vec<WrittenName<'_>> = written
        .iter()
        .map(|WrittenEntry { entry, has_id }| WrittenName {
            written: entry.id.as_str(),
            has_id: *has_id,
            hash: entry.hash,
            time: &entry.time.written,
        })
        .collect();
    let names = identity::resolve(&written_names);
    let named = names.into_iter().zip(written).filter_map(|(id, block)| Some(Entry { id: id?, ..block.entry }));
    Ok((named.collect(), files.len()))
}

fn compare_texts(
    snapshot: &Snapshot,
    entries: &[Entry],
    progress: &mut dyn FnMut(Progress),
    disagreements: &mut Vec<String>,
) -> Result<(), Failure> {
    for (batch, some) in entries.chunks(BATCH).enumerate() {
        progress(Progress { what: "words", done: batch * BATCH, of: entries.len() });
        let keys: Vec<EntryKey> = some.iter().map(|entry| EntryKey::of(&entry.id)).collect();
        let texts = snapshot.texts(&keys)?;
        for (entry, text) in some.iter().zip(texts) {
            if text != entry.body {
                disagreements
                    .push(format!("{} (entry {}): the word index has another text", entry.place.file, entry.id));
            }
        }
    }
    Ok(())
}
