//! Taking in what a sync found new: day files are read again, and every store gets its part of each entry.
//!
//! Reading names, causes and passages out of a text is a pure function of the entry and most of the work: it is done for many
//! entries at once, on all processors. The stores then take the results in the order of the files.

use std::{
    collections::{BTreeMap, HashSet},
    thread,
};

use super::{
    Catalog, CatalogEntry, EntryKey, Index, IndexError, Progress,
    keyword::{KeywordView, MOST_WORDS},
    passage::{MOST_READ, Passage, part_read, passages},
    sync::Plan,
    words::Words,
};
use crate::{
    extract::{Aliases, Extract, Extractor, Rules, llm::Answer},
    fault,
    journal::{Entry, EntryId, Vault},
};

/// How much of a plan was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Learned {
    All,
    /// A file could not be read, or held something else than at the scan.
    Some,
    /// `progress` said stop.
    Stopped,
}

/// What learning came to.
pub(super) struct Taken {
    pub learned: Learned,
    /// The entries that the word index was given and has to commit, where they are few.
    pub beside: Option<Vec<(EntryKey, Entry)>>,
}

/// So many entries are searched in memory for a moment.
const FEW: usize = 64;

/// Entries studied at once: enough to keep every processor busy, few enough to be held; and no more than so many bytes of them,
/// since what is read out of a text takes several times its memory.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// Words are committed after so many bytes of text: a kill loses the reading of no more.
const COMMIT_BYTES: usize = 32 * 1024 * 1024;
/// Entries that together are longer than this are committed at once and not searched in memory before.
const FEW_BYTES: usize = 1024 * 1024;
/// With fewer a thread costs more than it brings.
const WORTH_A_THREAD: usize = 32;

/// Which entries each store must learn.
struct Wanted {
    words: HashSet<EntryKey>,
    graph: HashSet<EntryKey>,
    vectors: HashSet<EntryKey>,
    successor: HashSet<EntryKey>,
}

impl Wanted {
    fn of(plan: &Plan) -> Self {
        let [words, graph, vectors, successor] = plan.parts().map(|part| part.learn.iter().copied().collect());
        Self { words, graph, vectors, successor }
    }

    fn keys(&self) -> impl Iterator<Item = EntryKey> {
        [&self.words, &self.graph, &self.vectors, &self.successor].into_iter().flatten().copied()
    }
}

/// One entry, with what the stores will be given of it.
struct Studied<'a> {
    known: &'a CatalogEntry,
    entry: Entry,
    /// What a language model answered to its text.
    answer: Option<Answer>,
    extract: Option<Extract>,
    /// Reading its names failed by a fault of the program.
    unread: bool,
    /// Names and causes are read from a part of it.
    is_cut: bool,
    passages: Option<Vec<Passage>>,
}

impl Studied<'_> {
    fn study(&mut self, wanted: &Wanted, aliases: &Aliases) {
        let key = self.known.key;
        let extractor: &dyn Extractor = match &self.answer {
            Some(answer) => answer,
            None => &Rules,
        };
        if wanted.graph.contains(&key) {
            let part = part_read(&self.entry.body);
            self.is_cut = part.len() < self.entry.body.len();
            self.extract = match self.is_cut {
                true => read(extractor, &self.entry.with_body(part), aliases),
                false => read(extractor, &self.entry, aliases),
            };
            self.unread = self.extract.is_none();
        }
        let by_meaning = wanted.vectors.contains(&key) || wanted.successor.contains(&key);
        self.passages = by_meaning.then(|| passages(&self.entry.body));
    }
}

/// What is read out of an entry; `None` where the reading broke down, which costs that entry its names and nothing else.
fn read(extractor: &dyn Extractor, entry: &Entry, aliases: &Aliases) -> Option<Extract> {
    fault::caught(|| extractor.extract(entry, aliases)).ok()
}

impl Index {
    /// Gives every store what the plan says it lacks. What was taken in when `progress` says stop stays; what went wrong is `told`.
    pub(super) fn learn(
        &mut self,
        vault: &Vault,
        catalog: &Catalog,
        plan: &Plan,
        warnings: &mut Vec<String>,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Taken, IndexError> {
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
        let (mut done, mut learned) = (0, Learned::All);
        let mut batch: Vec<Studied<'_>> = Vec::new();
        let (mut bytes, mut beside_bytes, mut uncommitted) = (0, 0, 0);
        let few = wanted.words.len() <= FEW;
        let mut beside: Option<Vec<(EntryKey, Entry)>> = (few || self.read_only()).then(Vec::new);
        for (file, known) in files {
            if !progress(Progress { what: "indexing", done, of }) {
                return Ok(Taken { learned: Learned::Stopped, beside: None });
            }
            done += known.len();
            let Ok(day) = vault.read(file) else {
                learned = Learned::Some;
                continue;
            };
            let mut written: Vec<Option<Entry>> = day.entries.into_iter().map(|written| Some(written.entry)).collect();
            for known in known {
                let here = written.get_mut(known.place.position as usize).and_then(Option::take);
                let Some(entry) = here.filter(|entry| entry.hash == known.hash) else {
                    learned = Learned::Some;
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
                batch.push(Studied {
                    known,
                    entry,
                    answer,
                    extract: None,
                    unread: false,
                    is_cut: false,
                    passages: None,
                });
            }
            if beside_bytes > FEW_BYTES && !self.read_only() {
                beside = None;
            }
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                uncommitted += std::mem::take(&mut bytes);
                self.hand_out(std::mem::take(&mut batch), &wanted, &aliases, &mut beside, warnings)?;
                if uncommitted >= COMMIT_BYTES {
                    uncommitted = 0;
                    beside = beside.filter(|_| self.read_only());
                    self.commit_words()?;
                }
            }
        }
        self.hand_out(batch, &wanted, &aliases, &mut beside, warnings)?;
        if self.read_only()
            && let Some(beside) = beside.take().filter(|beside| !beside.is_empty())
        {
            self.fresh = Some(KeywordView::in_memory(beside.iter().map(|(key, entry)| (*key, entry)))?);
        }
        Ok(Taken { learned, beside })
    }

    fn hand_out(
        &mut self,
        mut batch: Vec<Studied<'_>>,
        wanted: &Wanted,
        aliases: &Aliases,
        beside: &mut Option<Vec<(EntryKey, Entry)>>,
        warnings: &mut Vec<String>,
    ) -> Result<(), IndexError> {
        study(&mut batch, wanted, aliases);
        for Studied { known, entry, extract, unread, is_cut, passages, .. } in batch {
            let (key, fingerprint) = (known.key, known.fingerprint);
            let mut words_cut = false;
            if unread {
                warnings.push(format!(
                    "names and causes could not be read in {}, by a fault of kioku: please report it; the entry is found by word and meaning",
                    known.id
                ));
            }
            if unread || extract.is_some() {
                self.graph.set(key, self.answers.fingerprint(known), entry.day, extract.unwrap_or_default());
            }
            if let Some(passages) = passages {
                if let Some(next) = self.successor.as_mut().filter(|_| wanted.successor.contains(&key)) {
                    next.store.set(key, fingerprint, passages.clone());
                }
                if let Some(store) = self.vectors.as_mut().filter(|_| wanted.vectors.contains(&key)) {
                    store.set(key, fingerprint, passages);
                }
            }
            if wanted.words.contains(&key) {
                if let Words::Writer(store) = &mut self.words {
                    // It may have been given already, before a commit that failed.
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

/// What is said of an entry that is too long to be read whole.
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

/// Studies every entry, on as many threads as it is worth.
fn study(batch: &mut [Studied<'_>], wanted: &Wanted, aliases: &Aliases) {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.min(batch.len() / WORTH_A_THREAD).max(1);
    if threads == 1 {
        return batch.iter_mut().for_each(|one| one.study(wanted, aliases));
    }
    let share = batch.len().div_ceil(threads);
    thread::scope(|scope| {
        for part in batch.chunks_mut(share) {
            scope.spawn(move || part.iter_mut().for_each(|one| one.study(wanted, aliases)));
        }
    });
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
        assert!(read(&Rules, entry, &Aliases::default()).is_some());
    }
}
