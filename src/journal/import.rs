//! Appending many entries at once, as an import does.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    BodyHash, EntryId, EntryTime, NewEntry, Vault, VaultError, day_file, files, recent,
    vault::{file_of, stem},
    write,
};

/// What an import came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Appended {
    /// In the order given.
    pub added: Vec<EntryId>,
    /// Already in the vault, word for word.
    pub known: usize,
    /// Known ids whose text differs: left alone.
    pub differing: Vec<EntryId>,
}

/// What the vault holds, as far as an import must know.
#[derive(Default)]
struct Known {
    ids: HashMap<String, BodyHash>,
    texts: HashSet<(String, BodyHash)>,
}

struct Addition {
    time: EntryTime,
    id: String,
    entry: NewEntry,
}

impl Vault {
    /// Appends many entries (import) with one durable write a file. Idempotent: the same id and body, or without an id the same
    /// time and body, is skipped; a known id with another body is reported and nothing is overwritten.
    ///
    /// Reads the whole vault once. Within one day's file the new entries are in time order, behind what stands there.
    pub fn append_all(&self, new: Vec<NewEntry>) -> Result<Appended, VaultError> {
        let _lock = self.lock()?;
        let mut known = self.known()?;
        let mut done = Appended::default();
        let mut by_file: BTreeMap<String, Vec<Addition>> = BTreeMap::new();
        for entry in new {
            let time = self.time_of(&entry)?;
            let hash = BodyHash::of(entry.body.as_bytes());
            let given = entry.id.as_deref().filter(|id| !id.is_empty());
            let id = match given.map(|id| (id, known.ids.get(id))) {
                Some((_, Some(present))) if *present == hash => {
                    done.known += 1;
                    continue;
                }
                Some((id, Some(_))) => {
                    done.differing.push(id.into());
                    continue;
                }
                Some((id, None)) => id.to_owned(),
                None if known.texts.contains(&(time.written.clone(), hash)) => {
                    done.known += 1;
                    continue;
                }
                None => {
                    let derived = write::derived_id(&time.written, entry.body.as_bytes());
                    if known.ids.contains_key(&derived) { write::random_id() } else { derived }
                }
            };
            known.texts.insert((time.written.clone(), hash));
            known.ids.insert(id.clone(), hash);
            done.added.push(id.as_str().into());
            let file = file_of(time.day(self.options().day_start));
            by_file.entry(file).or_default().push(Addition { time, id, entry });
        }
        self.append_files(by_file)?;
        Ok(done)
    }

    fn append_files(&self, by_file: BTreeMap<String, Vec<Addition>>) -> Result<(), VaultError> {
        if by_file.is_empty() {
            return Ok(());
        }
        files::create_dir(self.entries_folder())?;
        let mut second_copies = Vec::new();
        let mut additions = Vec::with_capacity(by_file.len());
        for (file, mut entries) in by_file {
            entries.sort_by_key(|entry| entry.time.at);
            let path = self.day_path(&file)?;
            let present = files::read(&path)?.unwrap_or_default();
            let ending = write::Ending::of(&present);
            let mut added = if present.is_empty() { write::header(&stem(&file)) } else { Vec::new() };
            added.extend(write::separator(if present.is_empty() { &added } else { &present }, ending));
            for (at, entry) in entries.iter().enumerate() {
                let block = write::block(&entry.entry, &entry.time, &entry.id, ending)?;
                if at > 0 {
                    added.extend_from_slice(ending.bytes());
                }
                if !second_copies.is_empty() {
                    second_copies.push(b'\n');
                }
                added.extend_from_slice(&block);
                second_copies.extend_from_slice(&block);
            }
            additions.push((path, added));
        }
        files::append_many(&additions)?;
        self.tell_second_copy(recent::keep(self, &second_copies));
        Ok(())
    }

    fn known(&self) -> Result<Known, VaultError> {
        let mut known = Known::default();
        for stamp in self.files()? {
            let Some(bytes) = files::read(&self.day_path(&stamp.file)?)? else { continue };
            for written in day_file::entries(&bytes, &day_file::scan(&bytes), &stamp.file, &self.reading()) {
                let entry = written.entry;
                // An entry without id goes by its time, and an import may bring it back under that name.
                known.ids.entry(entry.id.to_string()).or_insert(entry.hash);
                known.texts.insert((entry.time.written, entry.hash));
            }
        }
        Ok(known)
    }
}
