//! The writing side: what each entry says, kept whole, so that any view can be made from it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    thread,
};

use jiff::civil;
use serde::{Serialize, Serializer};

use super::{
    Curation, GraphView,
    interned::{InternedExtract, InternedMention, InternedRelation},
    mention_counts::MentionCounts,
    names::{Names, SpellingId},
    persisted::{ENTRIES_STORE as STORE, Persisted},
};
use crate::{
    extract::Extract,
    index::{EntryKey, IndexError, catalog::KeyMap, checkpoint, end_of_thread, format::FORMAT},
};

/// Entries by day and key, their names as places in the list of names that is filed before them (in order, each once):
/// the same state gives the same bytes.
type FiledEntries = Vec<(EntryKey, InternedExtract)>;

/// The same for writing: each entry is renumbered when its turn comes, since a copy of all takes as much memory as they do.
struct ToFile<'a> {
    entries: Vec<(EntryKey, &'a InternedExtract)>,
    /// By number of a name, its place among those filed.
    places: Vec<u32>,
}

impl Serialize for ToFile<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let place = |name: SpellingId| self.places[name as usize];
        to.collect_seq(self.entries.iter().map(|(key, held)| (*key, held.renumbered(place))))
    }
}

/// Everything the entries say of names, and the files that keep it.
pub struct GraphStore {
    dir: PathBuf,
    /// Taken out of `kept` when something asks what an entry says: few runs of the program do.
    extracted: OnceLock<Extracted>,
    /// The files that were opened, while nothing has changed.
    kept: Option<Persisted>,
    /// Not kept in the files: the vault is asked at every opening.
    curation: Curation,
    /// The aliases with which some entry may have been read; those of the curation once all is learned.
    heard: Vec<String>,
    /// The last view, while nothing has changed.
    view: Option<Arc<GraphView>>,
    /// What the last decision was made of, and of each entry that changed since what it said then.
    mention_counts: Option<MentionCounts>,
    before: KeyMap<Option<InternedExtract>>,
}

/// Where more entries changed than this and a share of all, everything is counted anew.
const FEW: usize = 64;
const SHARE: usize = 8;

/// What each entry says, by number of name.
#[derive(Debug, Clone, Default)]
struct Extracted {
    names: Names,
    entries: KeyMap<InternedExtract>,
    /// The file could not be read after all.
    lost: bool,
}

impl Extracted {
    /// Reads names and entries at the same time: neither needs the other.
    fn of(filed: &[u8]) -> Result<Self, String> {
        let (_, filed) = checkpoint::part::<Vec<&str>>(filed)?;
        let (names, entries) = checkpoint::part::<Vec<&str>>(filed)?;
        let count = names.len() as u64;
        let (names, entries) = thread::scope(|scope| {
            let names = scope.spawn(|| Names::filed(&names));
            let entries = checkpoint::part::<FiledEntries>(entries).map(|(entries, _)| entries);
            (end_of_thread(names), entries)
        });
        let (names, entries) = (names?, entries?);
        for (_, held) in &entries {
            if let Some(name) = held.spellings().find(|name| u64::from(*name) >= count) {
                return Err(format!("it names no name {name}"));
            }
        }
        Ok(Self { names, entries: entries.into_iter().collect(), lost: false })
    }
}

impl GraphStore {
    /// Loads the graph file of `checkpoint`; a missing or damaged one gives an empty store and says so in a sentence.
    /// Without a checkpoint the store is empty and that is no fault. Where the view beside it can be read, what each entry says
    /// stays in its file: 50 ms for 100,000 entries; else everything is taken apart, and decided again with the first view.
    pub fn open(dir: &Path, checkpoint: Option<u64>) -> (Self, Option<String>) {
        let mut store = Self {
            dir: dir.to_owned(),
            extracted: OnceLock::new(),
            kept: None,
            curation: Curation::default(),
            heard: Vec::new(),
            view: None,
            mention_counts: None,
            before: KeyMap::default(),
        };
        let Some(checkpoint) = checkpoint else { return (store, None) };
        let complaint = match checkpoint::payload(dir, STORE, FORMAT, checkpoint) {
            Ok(filed) => store.take(checkpoint, &filed).err(),
            Err(error) => Some(error.to_string()),
        };
        (store, complaint.map(|reason| format!("The graph of connections is rebuilt: {reason}")))
    }

    fn take(&mut self, checkpoint: u64, filed: &[u8]) -> Result<(), String> {
        let (heard, _) = checkpoint::part::<Vec<String>>(filed)?;
        let kept = Persisted::read(&self.dir, checkpoint);
        if kept.is_none() {
            // Without a view it is decided anew from what the entries say.
            drop(self.extracted.set(Extracted::of(filed)?));
        }
        (self.heard, self.kept) = (heard, kept);
        Ok(())
    }

    fn extracted(&self) -> &Extracted {
        let again = |kept: &Persisted| Extracted::of(&kept.filed().ok()?).ok();
        self.extracted.get_or_init(|| match &self.kept {
            None => Extracted::default(),
            Some(kept) => again(kept).unwrap_or_else(|| Extracted { lost: true, ..Extracted::default() }),
        })
    }

    /// For a change: neither files nor view say any longer what the store says.
    fn change(&mut self) -> &mut Extracted {
        self.extracted();
        self.kept = None;
        self.view = None;
        let extracted = self.extracted.get_mut().expect("it was read a moment ago");
        // Who changes what was lost has found it empty, and fills it.
        extracted.lost = false;
        extracted
    }

    /// Whether it can say what it holds; false where the file turned out not to be readable. Takes everything apart, once:
    /// for those who are about to change it.
    pub fn is_whole(&self) -> bool {
        !self.extracted().lost
    }

    /// Which entries in which state it holds.
    pub fn held(&self) -> KeyMap<u64> {
        match (self.extracted.get(), &self.kept) {
            (None, Some(kept)) => kept.held().collect(),
            _ => self.extracted().entries.iter().map(|(key, held)| (*key, held.fingerprint)).collect(),
        }
    }

    /// The same, in no particular order.
    pub fn states(&self) -> Box<dyn Iterator<Item = (EntryKey, u64)> + '_> {
        match (self.extracted.get(), &self.kept) {
            (None, Some(kept)) => Box::new(kept.held()),
            _ => Box::new(self.extracted().entries.iter().map(|(key, held)| (*key, held.fingerprint))),
        }
    }

    /// In which state it holds an entry.
    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        match (self.extracted.get(), &self.kept) {
            (None, Some(kept)) => kept.fingerprint(key),
            _ => self.extracted().entries.get(&key).map(|held| held.fingerprint),
        }
    }

    pub fn remove(&mut self, key: EntryKey) {
        if self.fingerprint(key).is_some() {
            let before = self.change().entries.remove(&key);
            self.note(key, before);
        }
    }

    /// Notes what an entry said before a change, for the next decision.
    fn note(&mut self, key: EntryKey, before: Option<InternedExtract>) {
        if self.mention_counts.is_none() {
            return;
        }
        self.before.entry(key).or_insert(before);
        if self.before.len() > FEW.max(self.extracted().entries.len() / SHARE) {
            (self.mention_counts, self.before) = (None, KeyMap::default());
        }
    }

    pub fn set(&mut self, key: EntryKey, fingerprint: u64, day: civil::Date, extract: Extract) {
        let Extracted { names, entries, .. } = self.change();
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
            })
            .collect();
        let before = entries.insert(key, InternedExtract { fingerprint, day, mentions, relations });
        self.note(key, before);
    }

    /// Writes the files of `checkpoint` durably: what the entries say, and the view of it, so that opening need not decide
    /// again. The same entries give the same bytes of the first, whatever the order they came in.
    ///
    /// # Errors
    /// Damage where what the entries say could not be read: nothing is filed rather than too little.
    pub fn save(&mut self, checkpoint: u64) -> Result<(), IndexError> {
        if self.extracted.get().is_some_and(|extracted| extracted.lost) {
            let reason = "what the entries say of names could not be read again".to_owned();
            return Err(IndexError::Damaged { path: checkpoint::path(&self.dir, STORE, checkpoint), reason });
        }
        match self.kept.as_ref().and_then(|kept| kept.filed().ok()) {
            Some(filed) => checkpoint::write_payload(&self.dir, STORE, FORMAT, checkpoint, &filed)?,
            None => checkpoint::write(&self.dir, STORE, FORMAT, checkpoint, &self.filed())?,
        }
        let view = self.view();
        Persisted::write(&self.dir, checkpoint, &self.curation, &view, |key| self.fingerprint(key))
    }

    fn filed(&self) -> (&[String], Vec<&str>, ToFile<'_>) {
        let Extracted { names: known, entries, .. } = self.extracted();
        let mut in_use = vec![false; known.spellings.len()];
        entries.values().flat_map(InternedExtract::spellings).for_each(|name| in_use[name as usize] = true);
        let mut names: Vec<(&str, SpellingId)> = (0..in_use.len() as SpellingId)
            .filter(|name| in_use[*name as usize])
            .map(|name| (known.text(name).as_ref(), name))
            .collect();
        names.sort_unstable();
        let mut places = vec![0; in_use.len()];
        for (place, (_, name)) in names.iter().enumerate() {
            places[*name as usize] = place as u32;
        }
        let mut entries: Vec<(EntryKey, &InternedExtract)> = entries.iter().map(|(key, held)| (*key, held)).collect();
        // By day: read back in the order in which a view asks for them.
        entries.sort_unstable_by_key(|(key, held)| (held.day, *key));
        (&self.heard, names.into_iter().map(|(text, _)| text).collect(), ToFile { entries, places })
    }

    /// Deletes the files of other checkpoints.
    pub fn tidy(&mut self, checkpoint: u64) {
        checkpoint::tidy(&self.dir, STORE, checkpoint);
        Persisted::tidy(&self.dir, checkpoint);
    }

    /// Decides entities from the set of all mentions (independent of the order they came in). Costs nothing while nothing has
    /// changed. The first decision reads all that the entries say; later ones read what changed, and copy.
    pub fn view(&mut self) -> Arc<GraphView> {
        if self.view.is_none() {
            let kept = self.kept.as_ref().and_then(|kept| kept.view_under(&self.curation));
            self.view = Some(kept.unwrap_or_else(|| Arc::new(self.decide())));
        }
        self.view.clone().unwrap_or_default()
    }

    /// Takes apart and counts what the entries say, so that the next change is decided soon: linear in the mentions, and keeps 16
    /// bytes for each beside what they say.
    pub fn prepare(&mut self) {
        self.extracted();
        let extracted = self.extracted.get().filter(|extracted| !extracted.lost);
        if let (Some(Extracted { names, entries, .. }), None) = (extracted, &self.mention_counts) {
            self.mention_counts = Some(MentionCounts::of(names, entries));
        }
    }

    fn decide(&mut self) -> GraphView {
        self.extracted();
        let Self { extracted, curation, mention_counts, before, .. } = self;
        let Extracted { names, entries, .. } = extracted.get().expect("it was read a moment ago");
        let before = std::mem::take(before);
        // Counts that were left half changed by a fault are not counted on: taken out, and put back when all is done.
        let counted = match mention_counts.take() {
            Some(mut counted) => {
                counted.follow(names, entries, &before);
                counted
            }
            None => MentionCounts::of(names, entries),
        };
        let view = GraphView::decide(names, entries, &counted, curation);
        *mention_counts = Some(counted);
        view
    }

    /// Takes the user's word; false where it is what it was.
    pub fn curate(&mut self, curation: Curation) -> bool {
        if self.curation == curation {
            return false;
        }
        self.curation = curation;
        self.view = None;
        true
    }

    /// The aliases of the user's word as it is now, in order.
    pub fn aliases(&self) -> Vec<String> {
        self.curation.aliases()
    }

    /// The aliases with which some of what it holds may have been read.
    pub fn heard(&self) -> &[String] {
        &self.heard
    }

    /// Takes note of that, in order and each once.
    pub fn hear(&mut self, aliases: impl IntoIterator<Item = String>) {
        let mut heard: Vec<String> = aliases.into_iter().collect();
        heard.sort_unstable();
        heard.dedup();
        if heard != self.heard {
            self.change();
            self.heard = heard;
        }
    }

    /// The view as it would be under another curation, and with some entries read otherwise. Copies all it holds.
    pub fn view_with(
        &self,
        curation: &Curation,
        read: impl Iterator<Item = (EntryKey, civil::Date, Extract)>,
    ) -> GraphView {
        let mut other = Self {
            dir: self.dir.clone(),
            extracted: OnceLock::from(self.extracted().clone()),
            kept: None,
            curation: Curation::default(),
            heard: Vec::new(),
            view: None,
            mention_counts: None,
            before: KeyMap::default(),
        };
        for (key, day, extract) in read {
            other.set(key, 0, day, extract);
        }
        other.view_under(curation)
    }

    /// The view as it would be under another curation: to show what a change would do. Costs what a first [`GraphStore::view`]
    /// costs at most.
    pub fn view_under(&self, curation: &Curation) -> GraphView {
        let Extracted { names, entries, .. } = self.extracted();
        match self.mention_counts.as_ref().filter(|_| self.before.is_empty()) {
            Some(mention_counts) => GraphView::decide(names, entries, mention_counts, curation),
            None => GraphView::decide(names, entries, &MentionCounts::of(names, entries), curation),
        }
    }
}
