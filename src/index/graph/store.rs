//! The writing side of the graph: the extract of every entry, from which any view can be made.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    thread,
};

use jiff::civil;

use super::{
    Curation, GraphView, Names, SpellingId,
    extracts::Extracts,
    interned::{InternedExtract, InternedMention, InternedRelation},
    mention_counts::MentionCounts,
    persisted::{COUNTS_STORE, ENTRIES_STORE as STORE, Persisted},
    persisted_counts::{self, Numbering},
};
use crate::{
    extract::Extract,
    index::{EntryKey, IndexError, Result, catalog::KeyMap, checkpoint, end_of_thread},
};

/// Entries by day and key, their names as places in the saved list of names (sorted, each once): the same state gives
/// the same bytes.
type FiledEntries = Vec<(EntryKey, InternedExtract)>;

/// The extracts of all entries, and the files that store them.
#[derive(Default)]
pub struct GraphStore {
    dir: PathBuf,
    /// Read from `kept` at first use: few runs of the program need the extracts.
    extracted: OnceLock<Extracted>,
    /// The opened files, while nothing has changed.
    kept: Option<Arc<Persisted>>,
    /// Not saved: it is read from the vault at every opening.
    curation: Curation,
    /// The aliases that some entry may have been extracted with; equal to those of the curation once everything is
    /// ingested.
    aliases_used: Vec<String>,
    /// The last view, while nothing has changed.
    view: Option<Arc<GraphView>>,
}

/// Where more entries changed than this and a share of all, everything is counted anew.
const FEW: usize = 64;
const SHARE: usize = 8;

/// The extract of each entry, with interned names.
#[derive(Clone, Default)]
struct Extracted {
    names: Names,
    entries: Extracts,
    /// Counts of the last decision, and for each entry that changed since, its extract at that time.
    mention_counts: Option<MentionCounts>,
    before: KeyMap<Option<InternedExtract>>,
    /// The file could not be read at first use.
    lost: bool,
}

impl Extracted {
    /// With the counts beside the extracts, which then stay encoded; where there are none, all are decoded.
    fn of_kept(kept: &Arc<Persisted>) -> Result<Self, String> {
        let (filed, names, counted) = thread::scope(|scope| {
            let counted = scope.spawn(|| persisted_counts::read(&kept.counts.as_ref()?.0, &kept.view.rows));
            let filed = kept.filed().map_err(|error| error.to_string())?;
            let names = names_of(&filed).and_then(|(names, _)| Names::filed(&names))?;
            Ok::<_, String>((filed, names, end_of_thread(counted)))
        })?;
        let Some((mut counts, starts)) = counted
            .filter(|(counts, starts)| counts.fits(&names) && starts.iter().all(|at| (*at as usize) < filed.len()))
        else {
            return Self::of(&filed);
        };
        let entries = Extracts::filed(&kept.view, &kept.fingerprints, filed, starts);
        let entries = entries.ok_or("the mention counts are of other extracts")?;
        counts.vote(&names, entries.len());
        Ok(Self { names, entries, mention_counts: Some(counts), ..Self::default() })
    }

    /// Decodes names and entries on two threads: neither needs the other.
    fn of(filed: &[u8]) -> Result<Self, String> {
        let (names, entries) = names_of(filed)?;
        let count = names.len() as u64;
        let (names, entries) = thread::scope(|scope| {
            let names = scope.spawn(|| Names::filed(&names));
            let entries = checkpoint::part::<FiledEntries>(entries).map(|(entries, _)| entries);
            (end_of_thread(names), entries)
        });
        let (names, entries) = (names?, entries?);
        for (_, held) in &entries {
            if let Some(name) = held.spellings().find(|name| u64::from(*name) >= count) {
                return Err(format!("it refers to name {name}, which does not exist"));
            }
        }
        Ok(Self { names, entries: Extracts::decoded(entries), ..Self::default() })
    }

    /// Keeps the extract of an entry before its first change, for the next decision.
    fn note(&mut self, key: EntryKey, before: Option<InternedExtract>) {
        if self.mention_counts.is_none() {
            return;
        }
        self.before.entry(key).or_insert(before);
        if self.before.len() > FEW.max(self.entries.len() / SHARE) {
            (self.mention_counts, self.before) = (None, KeyMap::default());
        }
    }

    /// The ids of the names in use, in alphabetical order.
    fn names_in_use(&self) -> Vec<SpellingId> {
        let mut in_use = vec![false; self.names.spellings.len()];
        for held in self.entries.dated().filter_map(|(_, key)| self.entries.get(key)) {
            held.spellings().for_each(|name| in_use[name as usize] = true);
        }
        let mut names: Vec<SpellingId> = (0..).zip(in_use).filter(|(_, used)| *used).map(|(name, _)| name).collect();
        names.sort_unstable_by_key(|name| self.names.text(*name));
        names
    }
}

/// The names of a file of extracts, and the encoded entries.
fn names_of(filed: &[u8]) -> Result<(Vec<&str>, &[u8]), String> {
    let (_, filed) = checkpoint::part::<Vec<&str>>(filed)?;
    checkpoint::part::<Vec<&str>>(filed)
}

impl GraphStore {
    /// Loads the graph file of `checkpoint`. A missing or damaged file gives an empty store and a warning to show;
    /// without a checkpoint the store is empty without a warning. Where the view beside it can be read, the extracts
    /// stay encoded: 50 ms for 100,000 entries. Otherwise they are decoded, and the first view is made from them.
    pub fn open(dir: &Path, checkpoint: Option<u64>) -> (Self, Option<String>) {
        let mut store = Self { dir: dir.to_owned(), ..Self::default() };
        let Some(checkpoint) = checkpoint else { return (store, None) };
        let complaint = match checkpoint::payload(dir, STORE, checkpoint) {
            Ok(filed) => store.take(checkpoint, &filed).err(),
            Err(error) => Some(error.to_string()),
        };
        (store, complaint.map(|reason| format!("The graph of connections is rebuilt: {reason}")))
    }

    fn take(&mut self, checkpoint: u64, filed: &[u8]) -> Result<(), String> {
        let (aliases_used, _) = checkpoint::part::<Vec<String>>(filed)?;
        let kept = Persisted::read(&self.dir, checkpoint);
        if kept.is_none() {
            // Without a saved view, it is made from the extracts.
            drop(self.extracted.set(Extracted::of(filed)?));
        }
        (self.aliases_used, self.kept) = (aliases_used, kept.map(Arc::new));
        Ok(())
    }

    fn extracted(&self) -> &Extracted {
        self.extracted.get_or_init(|| match &self.kept {
            None => Extracted::default(),
            Some(kept) => Extracted::of_kept(kept).unwrap_or_else(|_| Extracted { lost: true, ..Extracted::default() }),
        })
    }

    /// The extracts, to be changed: drops the view and the opened files, which no longer match.
    fn change(&mut self) -> &mut Extracted {
        self.extracted();
        self.kept = None;
        self.view = None;
        let extracted = self.extracted.get_mut().expect("it was read a moment ago");
        // After a read failure, writes start from an empty graph.
        extracted.lost = false;
        extracted
    }

    /// Whether the extracts can be read. Reads all of them, once: call it before a change.
    pub fn is_whole(&self) -> bool {
        !self.extracted().lost
    }

    #[cfg(any(test, fuzzing))]
    pub fn fingerprints(&self) -> KeyMap<u64> {
        self.states().collect()
    }

    /// Key and fingerprint of each entry in the store, in no particular order.
    pub fn states(&self) -> Box<dyn Iterator<Item = (EntryKey, u64)> + '_> {
        match (self.extracted.get(), &self.kept) {
            (None, Some(kept)) => Box::new(kept.fingerprints()),
            _ => Box::new(self.extracted().entries.fingerprints()),
        }
    }

    /// The fingerprint of an entry in the store.
    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        match (self.extracted.get(), &self.kept) {
            (None, Some(kept)) => kept.fingerprint(key),
            _ => self.extracted().entries.fingerprint(key),
        }
    }

    pub fn remove(&mut self, key: EntryKey) {
        if self.fingerprint(key).is_some() {
            let extracted = self.change();
            let before = extracted.entries.remove(key);
            extracted.note(key, before);
        }
    }

    pub fn set(&mut self, key: EntryKey, fingerprint: u64, day: civil::Date, extract: Extract) {
        let extracted = self.change();
        let names = &mut extracted.names;
        let mentions = extract
            .mentions
            .into_iter()
            .map(|m| {
                let name = names.intern(&m.name);
                InternedMention { name, kind: m.kind, guess: m.guess, source: m.source, span: m.span }
            })
            .collect();
        let relations = extract
            .relations
            .into_iter()
            .map(|r| InternedRelation {
                source: names.intern(&r.source),
                target: names.intern(&r.target),
                kind: r.kind,
                verb: names.intern(&r.verb),
                evidence: r.evidence,
                weight: r.weight,
                event_time: r.event_time,
                cause: r.cause,
            })
            .collect();
        let before = extracted.entries.insert(key, InternedExtract { fingerprint, day, mentions, relations });
        extracted.note(key, before);
    }

    /// Writes the files of `checkpoint` durably: the extracts, the counts, and the view, so that opening need not make
    /// it again. The same entries give the same extract file, whatever order they were added in.
    ///
    /// # Errors
    /// `Damaged` where the extracts could not be read: an incomplete file is never written.
    pub fn save(&mut self, checkpoint: u64) -> Result<()> {
        let lost = self.extracted.get().is_some_and(|extracted| extracted.lost);
        match self.kept.as_ref().filter(|_| !lost).and_then(|kept| Some((kept.filed().ok()?, kept.filed_counts()))) {
            Some((filed, counts)) => {
                checkpoint::write_payload(&self.dir, STORE, checkpoint, &filed)?;
                if let Some(counts) = counts {
                    checkpoint::write_payload(&self.dir, COUNTS_STORE, checkpoint, &counts)?;
                }
            }
            None => self.save_extracted(checkpoint)?,
        }
        let view = self.view();
        Persisted::write(&self.dir, checkpoint, &self.curation, &view, |key| self.fingerprint(key))
    }

    fn save_extracted(&mut self, checkpoint: u64) -> Result<()> {
        let path = checkpoint::path(&self.dir, STORE, checkpoint);
        if !self.is_whole() {
            return Err(IndexError::damaged(path, "the extracts of the entries could not be read"));
        }
        let failed = |error: postcard::Error| IndexError::damaged(&path, error);
        let extracted = self.extracted();
        let sorted = extracted.names_in_use();
        let numbering = Numbering::of(&extracted.names, &sorted);
        let names: Vec<&str> = sorted.iter().map(|name| extracted.names.text(*name).as_ref()).collect();
        // By day: the order in which a view reads them.
        let mut dated: Vec<_> = extracted.entries.dated().collect();
        dated.sort_unstable();
        let head = (&self.aliases_used, names, dated.len());
        let mut bytes = postcard::to_extend(&head, vec![0; checkpoint::HEADER]).map_err(failed)?;
        let mut starts: KeyMap<u32> = KeyMap::default();
        for (key, held) in dated.iter().filter_map(|(_, key)| Some((*key, extracted.entries.get(*key)?))) {
            starts.insert(key, (bytes.len() - checkpoint::HEADER) as u32);
            bytes = postcard::to_extend(&(key, numbering.renumbered(&held)), bytes).map_err(failed)?;
        }
        checkpoint::write_bytes(&self.dir, STORE, checkpoint, bytes)?;
        // Decides, and counts, what has changed.
        self.view();
        self.prepare();
        let Some(Extracted { mention_counts: Some(counts), .. }) = self.extracted.get() else { return Ok(()) };
        let starts: Vec<u32> = counts.rows.iter().filter_map(|(_, key)| starts.get(&key.0).copied()).collect();
        persisted_counts::write(&self.dir, checkpoint, counts, &numbering, &starts)
    }

    /// Deletes the files of other checkpoints.
    pub fn tidy(&mut self, checkpoint: u64) {
        checkpoint::tidy(&self.dir, STORE, checkpoint);
        Persisted::tidy(&self.dir, checkpoint);
    }

    /// Decides on the entities from the set of all mentions (independent of their order). Costs nothing while nothing
    /// has changed. The first decision reads all extracts; later ones read the changed ones, and copy.
    pub fn view(&mut self) -> Arc<GraphView> {
        if self.view.is_none() {
            let kept = self.kept.as_ref().and_then(|kept| kept.view_under(&self.curation));
            self.view = Some(kept.unwrap_or_else(|| Arc::new(self.decide())));
        }
        self.view.clone().unwrap_or_default()
    }

    /// Reads the counts, or makes them, so that the next change is decided quickly. They take 16 bytes of memory for
    /// each mention.
    pub fn prepare(&mut self) {
        self.extracted();
        let extracted = self.extracted.get_mut().filter(|extracted| !extracted.lost);
        if let Some(Extracted { names, entries, mention_counts: counts @ None, .. }) = extracted {
            *counts = Some(MentionCounts::of(names, entries));
        }
    }

    fn decide(&mut self) -> GraphView {
        self.extracted();
        let extracted = self.extracted.get_mut().expect("it was read a moment ago");
        let Extracted { names, entries, mention_counts, before, .. } = extracted;
        let before = std::mem::take(before);
        // The counts are taken out during the update: a panic half-way must not leave wrong counts behind.
        let counted = match mention_counts.take() {
            Some(mut counted) => {
                counted.follow(names, entries, &before);
                counted
            }
            None => MentionCounts::of(names, entries),
        };
        let view = GraphView::decide(names, entries, &counted, &self.curation);
        *mention_counts = Some(counted);
        view
    }

    /// Sets the user's decisions; false where they are unchanged.
    pub fn curate(&mut self, curation: Curation) -> bool {
        if self.curation == curation {
            return false;
        }
        self.curation = curation;
        self.view = None;
        true
    }

    /// The aliases of the current curation, sorted.
    pub fn aliases(&self) -> Vec<String> {
        self.curation.aliases()
    }

    /// The aliases that some of the entries may have been extracted with.
    pub fn aliases_used(&self) -> &[String] {
        &self.aliases_used
    }

    /// Sets these aliases, sorted and without duplicates.
    pub fn set_aliases_used(&mut self, aliases: impl IntoIterator<Item = String>) {
        let mut aliases_used: Vec<String> = aliases.into_iter().collect();
        aliases_used.sort_unstable();
        aliases_used.dedup();
        if aliases_used != self.aliases_used {
            self.change();
            self.aliases_used = aliases_used;
        }
    }

    /// The view under another curation, with some extracts replaced. Copies the whole store.
    pub fn view_with(
        &self,
        curation: &Curation,
        read: impl Iterator<Item = (EntryKey, civil::Date, Extract)>,
    ) -> GraphView {
        let extracted = OnceLock::from(self.extracted().clone());
        let mut other = Self { extracted, curation: curation.clone(), ..Self::default() };
        for (key, day, extract) in read {
            other.set(key, 0, day, extract);
        }
        other.decide()
    }

    /// The view under another curation, to preview a change. Costs at most as much as a first [`GraphStore::view`].
    pub fn view_under(&self, curation: &Curation) -> GraphView {
        let Extracted { names, entries, mention_counts, before, .. } = self.extracted();
        let counted = mention_counts.as_ref().filter(|_| before.is_empty());
        let counted = counted.map_or_else(|| Cow::Owned(MentionCounts::of(names, entries)), Cow::Borrowed);
        GraphView::decide(names, entries, &counted, curation)
    }
}
