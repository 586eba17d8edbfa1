//! Entries that another program removed or changed: what catalog, word index and second copies know of and no day file holds.
//!
//! Three memories reach for different times. The catalog is filed with a checkpoint; the word index holds what was committed since;
//! the second copies hold what kioku wrote and nothing has indexed yet. Whatever is missing goes to the trash with the text
//! that is known.

use std::collections::HashSet;

use super::{
    Catalog, CatalogEntry, EntryKey, Index, IndexError, ScanScope, SyncReport, catalog::KeyMap, scan, words::Words,
};
use crate::journal::{BodyHash, Entry, FileStamp, Vault};

/// Second copies that were not compared with the day files yet.
pub(super) struct Copies {
    entries: Vec<Entry>,
    /// All files of second copies, as they were before these were read.
    stamps: Vec<FileStamp>,
}

impl Index {
    /// The second copies in files that changed since they were last compared; `None` where there is nothing to compare.
    ///
    /// # Errors
    /// Copies of entries, and no folder of day files: nothing is concluded from that.
    pub(super) fn unseen_copies(&self, vault: &Vault, look: ScanScope<'_>) -> Result<Option<Copies>, IndexError> {
        if matches!(look, ScanScope::In(_)) {
            return Ok(None);
        }
        // A second copy that cannot be read keeps no scan from its work: `keep` reports it when it writes the next one.
        // The process that writes the index does it; where it cannot be done, they are compared with nothing.
        if !self.read_only() {
            let _ = vault.take_over_recent(&self.copies_seen);
        }
        let Ok(Some(stamps)) = vault.recent_files() else { return Ok(None) };
        if stamps == self.copies_seen {
            return Ok(None);
        }
        let changed = stamps.iter().filter(|stamp| !self.copies_seen.contains(stamp)).map(|stamp| stamp.file.as_ref());
        let Ok(entries) = vault.open_copies(changed) else { return Ok(None) };
        if !entries.is_empty() && !vault.entries_folder().is_dir() {
            return Err(IndexError::FolderGone { path: vault.entries_folder().to_path_buf() });
        }
        Ok(Some(Copies { entries, stamps }))
    }

    /// Second copies that are in no day file go to the trash. `now`: what the day files say, the present catalog where nothing is given,
    /// which then knows all that was compared. Answers what is compared by now.
    pub(super) fn keep_missing(
        &mut self,
        vault: &Vault,
        now: Option<&Catalog>,
        copies: Option<Copies>,
        report: &mut SyncReport,
    ) -> Vec<FileStamp> {
        let Some(Copies { mut entries, stamps }) = copies else { return self.copies_seen.clone() };
        // The process that writes the index does it.
        if self.read_only() {
            return Vec::new();
        }
        let catalog = now.unwrap_or(&self.catalog);
        let same = |copy: &Entry| catalog.by_id(&copy.id).is_some_and(|known| known.hash == copy.hash);
        entries.retain(|copy| !same(copy));
        if !entries.is_empty() {
            let standing = texts_of(catalog);
            entries.retain(|copy| !standing.contains(&copy.hash));
        }
        match vault.keep_missing(&entries) {
            Ok(kept) => {
                report.vanished += kept;
                if now.is_none() {
                    self.copies_seen.clone_from(&stamps);
                }
                stamps
            }
            Err(error) => {
                report
                    .warnings
                    .push(format!("entries that another program removed were not put into the trash: {error}"));
                self.copies_seen.clone()
            }
        }
    }

    /// What the catalog or the word index remembers and no file holds any more goes to the trash. `differs`: the entries of the
    /// catalog that are gone or other than they were. `held`: what the word index holds where the catalog does not describe it.
    pub(super) fn keep_vanished(
        &self,
        vault: &Vault,
        now: &Catalog,
        differs: &[EntryKey],
        held: Option<&KeyMap<u64>>,
        report: &mut SyncReport,
    ) -> Result<(), IndexError> {
        let differing = held.map(|held| scan::difference(held, now).remove).unwrap_or_default();
        // Of an entry that the word index holds in another state than the catalog, the word index knows the later one.
        let is_newer = |key: &EntryKey| {
            let print = self.catalog.by_key(*key).map(|known| known.fingerprint);
            held.is_some_and(|held| held.get(key).is_some_and(|held| Some(*held) != print))
        };
        let ahead: Vec<EntryKey> = differing.into_iter().filter(is_newer).collect();
        let mut rows: Vec<u32> =
            differs.iter().filter(|key| !is_newer(key)).filter_map(|key| self.catalog.row(*key)).collect();
        rows.sort_unstable();
        let mut gone: Vec<&CatalogEntry> =
            rows.iter().map(|row| self.catalog.entries()[*row as usize].as_ref()).collect();
        gone.retain(|entry| now.by_key(entry.key).is_none_or(|now| now.hash != entry.hash));
        if gone.is_empty() && ahead.is_empty() {
            return Ok(());
        }
        // A text that stands elsewhere now was moved.
        let standing = texts_of(now);
        gone.retain(|entry| !standing.contains(&entry.hash));
        let keys: Vec<EntryKey> = gone.iter().map(|entry| entry.key).collect();
        let texts = self.texts(&keys)?;
        let known = gone.iter().zip(texts).filter_map(|(entry, text)| Some(entry.with_body(text?)));
        let stored = match &self.words {
            Words::Writer(store) => store.view()?.entries(&ahead)?,
            Words::Reader(_) => Vec::new(),
        };
        let last_known = known.chain(stored.into_iter().filter(|entry| !standing.contains(&entry.hash)));
        for entry in last_known {
            report.vanished += usize::from(vault.keep_vanished(&entry)?.is_some());
        }
        Ok(())
    }
}

fn texts_of(catalog: &Catalog) -> HashSet<BodyHash> {
    catalog.entries().iter().chain(catalog.copies()).map(|entry| entry.hash).collect()
}
