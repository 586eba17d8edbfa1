//! Ingestion of the changes that a sync found: day files are read again, and every store gets its part of each entry.
//!
//! Extracting names, causes and passages is a pure function of the entry and most of the work: it runs for a batch of
//! entries on all processors. The stores then take the results in the order of the files.

use std::{
    collections::{BTreeMap, HashSet},
    thread,
};

use super::{
    Catalog, CatalogEntry, EntryKey, Index, Progress, Result,
    claims::READ,
    keyword::{KeywordView, MOST_WORDS},
    passage::{MOST_READ, Passage, part_read, passages},
    sync::Plan,
    words::Words,
};
use crate::{
    extract::{Aliases, Extract, Extractor, Rules, TextReader, llm::Answer},
    fault,
    journal::{Entry, EntryId, Vault},
};

/// How much of a plan was ingested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ingested {
    All,
    /// A file could not be read, or its content changed since the scan.
    Some,
    /// `progress` returned false.
    Stopped,
}

/// Result of an ingestion.
pub(super) struct Taken {
    pub ingested: Ingested,
    /// The entries that the word index was given and has yet to commit, if they are few.
    pub beside: Option<Vec<(EntryKey, Entry)>>,
}

/// Maximum number of uncommitted entries, which are searched in memory.
const FEW: usize = 64;

/// Entries extracted per batch: enough to keep every processor busy, few enough to fit in memory. Limited by bytes as
/// well, since an extract takes several times the memory of its text.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// Words are committed after this many bytes of text, so that a killed process loses no more work than that.
const COMMIT_BYTES: usize = 32 * 1024 * 1024;
/// Maximum total size of uncommitted entries; larger changes are committed at once and not searched in memory.
const FEW_BYTES: usize = 1024 * 1024;
/// Minimum number of entries for an extra thread to pay off.
const WORTH_A_THREAD: usize = 32;

/// The entries that each store has to ingest.
struct Wanted {
    words: HashSet<EntryKey>,
    graph: HashSet<EntryKey>,
    vectors: HashSet<EntryKey>,
    successor: HashSet<EntryKey>,
}

impl Wanted {
    fn of(plan: &Plan) -> Self {
        let [words, graph, vectors, successor] = plan.parts().map(|part| part.ingest.iter().copied().collect());
        Self { words, graph, vectors, successor }
    }

    fn keys(&self) -> impl Iterator<Item = EntryKey> {
        [&self.words, &self.graph, &self.vectors, &self.successor].into_iter().flatten().copied()
    }
}

/// One entry, with the data for the stores.
struct Extraction<'a> {
    known: &'a CatalogEntry,
    entry: Entry,
    /// A language model's answer to its text.
    answer: Option<Answer>,
    /// `None` where the graph does not want it, or where the extraction of its names panicked.
    extract: Option<Extract>,
    /// A model has read it, or there is nothing to read.
    is_read: bool,
    /// Names and causes were extracted from a part of it only.
    is_cut: bool,
    passages: Option<Vec<Passage>>,
}

impl Extraction<'_> {
    fn extract(&mut self, wanted: &Wanted, aliases: &Aliases, reader: Option<&dyn TextReader>) {
        let key = self.known.key;
        let by_reading = Rules(reader);
        let extractor: &dyn Extractor = self.answer.as_ref().map_or(&by_reading, |answer| answer);
        let is_record = self.entry.record().is_some();
        self.is_read = is_record || self.answer.is_some() || reader.is_some();
        if wanted.graph.contains(&key) && is_record {
            // Names, feelings and causes are those of the diary: a list or an agent's log claims nothing about its writer.
            self.extract = Some(Extract::default());
        } else if wanted.graph.contains(&key) {
            let part = part_read(&self.entry.body);
            self.is_cut = part.len() < self.entry.body.len();
            let cut = self.is_cut.then(|| self.entry.with_body(part));
            let entry = cut.as_ref().unwrap_or(&self.entry);
            let by_rules = || reader.and_then(|_| read(&Rules(None), entry, aliases));
            self.extract = read(extractor, entry, aliases).or_else(by_rules);
        }
        let by_meaning = wanted.vectors.contains(&key) || wanted.successor.contains(&key);
        self.passages = by_meaning.then(|| passages(&self.entry.body));
    }
}

/// The extract of an entry; `None` where the extraction panicked, which costs only this entry's names.
fn read(extractor: &dyn Extractor, entry: &Entry, aliases: &Aliases) -> Option<Extract> {
    fault::caught(|| extractor.extract(entry, aliases)).ok()
}

impl Index {
    /// Gives every store the entries that it lacks by the plan. `reader`: the model that reads their claims now. When `progress` returns false, what was ingested
    /// stays. Problems are added to `warnings`.
    pub(super) fn ingest(
        &mut self,
        vault: &Vault,
        catalog: &Catalog,
        plan: &Plan,
        reader: Option<&dyn TextReader>,
        warnings: &mut Vec<String>,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Taken> {
        let wanted = Wanted::of(plan);
        let aliases = Aliases::new(self.graph.aliases().iter().map(String::as_str));
        let mut files: BTreeMap<&str, Vec<&CatalogEntry>> = BTreeMap::new();
        let mut rows: Vec<u32> = wanted.keys().filter_map(|key| catalog.row(key)).collect();
        rows.sort_unstable();
        rows.dedup();
        for entry in rows.iter().map(|row| &catalog.entries()[*row as usize]) {
            files.entry(entry.place.file.as_ref()).or_default().push(entry);
        }
        let of: usize = files.values().map(Vec::len).sum();
        let (mut done, mut ingested) = (0, Ingested::All);
        let mut batch: Vec<Extraction<'_>> = Vec::new();
        let (mut bytes, mut beside_bytes, mut uncommitted) = (0, 0, 0);
        let few = wanted.words.len() <= FEW;
        let mut beside: Option<Vec<(EntryKey, Entry)>> = (few || self.read_only()).then(Vec::new);
        for (file, known) in files {
            if !progress(Progress { what: "indexing", done, of }) {
                return Ok(Taken { ingested: Ingested::Stopped, beside: None });
            }
            done += known.len();
            let Ok(day) = vault.read(file) else {
                ingested = Ingested::Some;
                continue;
            };
            let mut written: Vec<Option<Entry>> = day.entries.into_iter().map(|written| Some(written.entry)).collect();
            for known in known {
                let here = written.get_mut(known.place.position as usize).and_then(Option::take);
                let Some(entry) = here.filter(|entry| entry.hash == known.hash) else {
                    ingested = Ingested::Some;
                    continue;
                };
                let entry = Entry { id: known.id.clone(), ..entry };
                let answer = match wanted.graph.contains(&known.key) {
                    true => self.answers.of(vault, &known.hash)?,
                    false => None,
                };
                bytes += entry.body.len();
                if wanted.words.contains(&known.key) {
                    beside_bytes += entry.body.len();
                }
                batch.push(Extraction {
                    known,
                    entry,
                    answer,
                    extract: None,
                    is_read: false,
                    is_cut: false,
                    passages: None,
                });
            }
            if beside_bytes > FEW_BYTES && !self.read_only() {
                beside = None;
            }
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                uncommitted += std::mem::take(&mut bytes);
                let batch = std::mem::take(&mut batch);
                self.hand_out(extract_all(batch, &wanted, &aliases, reader), &wanted, &mut beside, warnings)?;
                if uncommitted >= COMMIT_BYTES {
                    uncommitted = 0;
                    beside = beside.filter(|_| self.read_only());
                    self.commit_words()?;
                }
            }
        }
        self.hand_out(extract_all(batch, &wanted, &aliases, reader), &wanted, &mut beside, warnings)?;
        if self.read_only()
            && let Some(beside) = beside.take().filter(|beside| !beside.is_empty())
        {
            self.fresh = Some(KeywordView::in_memory(beside.iter().map(|(key, entry)| (*key, entry)))?);
        }
        Ok(Taken { ingested, beside })
    }

    fn hand_out(
        &mut self,
        batch: Vec<Extraction<'_>>,
        wanted: &Wanted,
        beside: &mut Option<Vec<(EntryKey, Entry)>>,
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        for Extraction { known, entry, extract, is_read, is_cut, passages, .. } in batch {
            let (key, fingerprint) = (known.key, known.fingerprint);
            let mut words_cut = false;
            if wanted.graph.contains(&key) {
                if extract.is_none() {
                    warnings.push(format!(
                        "names and causes in {} could not be read because of a bug in kioku, please report it; search by word and meaning finds the entry",
                        known.id
                    ));
                }
                let read = if is_read { READ } else { 0 };
                self.graph.set(key, self.answers.fingerprint(known) | read, entry.day, extract.unwrap_or_default());
            }
            if let Some(passages) = passages {
                if let Some(next) = self.successor.as_mut().filter(|_| wanted.successor.contains(&key)) {
                    next.store.set(key, fingerprint, passages.clone());
                }
                if let Some(active) = self.vectors.as_mut().filter(|_| wanted.vectors.contains(&key)) {
                    active.store.set(key, fingerprint, passages);
                }
            }
            if wanted.words.contains(&key) {
                if let Words::Writer(store) = &mut self.words {
                    // It may have been added already, before a commit that failed.
                    store.delete(key)?;
                    words_cut = !store.add(key, fingerprint, &entry)?;
                }
                if let Some(beside) = beside {
                    beside.push((key, entry));
                }
            }
            warnings.extend(partly_read(&known.id, is_cut, words_cut));
        }
        Ok(())
    }
}

/// The warning for an entry that is too long to be read in full.
fn partly_read(id: &EntryId, is_cut: bool, words_cut: bool) -> Option<String> {
    let words = match words_cut {
        true => format!("up to the first {MOST_WORDS} different ones"),
        false => "from all of it".to_owned(),
    };
    match (is_cut, words_cut) {
        (true, _) => Some(format!(
            "names, causes and meaning of {id} are read from its first {} MB, words {words}",
            MOST_READ / 1_000_000
        )),
        (false, true) => Some(format!("words of {id} are read {words}")),
        (false, false) => None,
    }
}

/// Extracts from every entry of the batch, on as many threads as pay off.
fn extract_all<'a>(
    mut batch: Vec<Extraction<'a>>,
    wanted: &Wanted,
    aliases: &Aliases,
    reader: Option<&dyn TextReader>,
) -> Vec<Extraction<'a>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let worth_a_thread = if reader.is_some() { 1 } else { WORTH_A_THREAD };
    let threads = processors.min(batch.len() / worth_a_thread).max(1);
    if threads == 1 {
        batch.iter_mut().for_each(|one| one.extract(wanted, aliases, reader));
        return batch;
    }
    let share = batch.len().div_ceil(threads);
    thread::scope(|scope| {
        for part in batch.chunks_mut(share) {
            scope.spawn(move || part.iter_mut().for_each(|one| one.extract(wanted, aliases, reader)));
        }
    });
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{index::testing, journal::NewEntry};

    #[test]
    fn a_warning_says_which_parts_of_a_long_entry_are_read() {
        let id = EntryId::from("a");
        assert_eq!(partly_read(&id, false, false), None);
        let names = "names, causes and meaning of a are read from its first 2 MB, words";
        assert_eq!(partly_read(&id, true, false).unwrap(), format!("{names} from all of it"));
        assert_eq!(partly_read(&id, true, true).unwrap(), format!("{names} up to the first 200000 different ones"));
        assert_eq!(partly_read(&id, false, true).unwrap(), "words of a are read up to the first 200000 different ones");
    }

    struct Breaks;

    impl Extractor for Breaks {
        fn extract(&self, _: &Entry, _: &Aliases) -> Extract {
            panic!("a fault in the reading");
        }
    }

    #[test]
    fn a_reading_that_breaks_down_costs_an_entry_its_names_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let vault = testing::vault(dir.path());
        vault.append(NewEntry { body: "Met @Hùng on the bridge.".to_owned(), ..NewEntry::default() }).unwrap();
        let day = vault.read("2026-11-20.md").unwrap();
        let entry = &day.entries[0].entry;
        assert!(read(&Breaks, entry, &Aliases::default()).is_none());
        assert!(read(&Rules(None), entry, &Aliases::default()).is_some());
    }
}
