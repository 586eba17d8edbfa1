//! The writing side: what each entry says, kept whole, so that any view can be made from it.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::civil;

use super::{
    Curation, GraphView,
    names::{Names, SpellingId},
};
use crate::{
    extract::{Extract, MentionSource, dates::DayRange},
    index::{EntryKey, IndexError, catalog::KeyMap, generation},
    journal::{EntityKind, RelationKind},
};

/// Names the graph's files; the format changes with the shape of [`Filed`] and of the enums in it.
const STORE: &str = "graph";
const FORMAT: u32 = 3;

/// What one entry says.
#[derive(Debug)]
pub(super) struct Held {
    pub fingerprint: u64,
    pub day: civil::Date,
    pub mentions: Box<[Seen]>,
    pub relations: Box<[Stated]>,
}

/// A mention with its name interned.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub name: SpellingId,
    pub kind: Option<EntityKind>,
    pub guess: Option<EntityKind>,
    pub source: MentionSource,
    pub span: Range<u32>,
}

/// A stated relation with its names interned.
#[derive(Debug, Clone)]
pub(super) struct Stated {
    pub source: SpellingId,
    pub target: SpellingId,
    pub kind: RelationKind,
    pub verb: SpellingId,
    pub evidence: Range<u32>,
    pub weight: f32,
    pub event_time: Option<DayRange>,
}

type FiledMention = (u32, Option<EntityKind>, Option<EntityKind>, MentionSource, u32, u32);
/// The ends, the kind and the verb, where it is said, how plainly, and of which days.
type FiledRelation = (u32, u32, RelationKind, u32, (u32, u32), f32, Option<DayRange>);
type FiledEntry = (EntryKey, u64, (i16, i8, i8), Vec<FiledMention>, Vec<FiledRelation>);
/// Names in order, entries by day and key: the same state gives the same bytes.
type Filed<Name> = (Vec<Name>, Vec<FiledEntry>);

/// Everything the entries say of names, and the files that keep it.
pub struct GraphStore {
    dir: PathBuf,
    names: Names,
    entries: KeyMap<Held>,
    /// Not kept in the files: the vault is asked at every opening.
    curation: Curation,
    /// The last view, while nothing has changed.
    view: Option<Arc<GraphView>>,
}

impl GraphStore {
    /// Loads the graph file of `generation`; a missing or damaged one gives an empty store and says so in a sentence.
    /// Without a generation the store is empty and that is no fault. 0.1 s for 100,000 entries.
    pub fn open(dir: &Path, generation: Option<u64>) -> (Self, Option<String>) {
        let mut store = Self {
            dir: dir.to_owned(),
            names: Names::default(),
            entries: KeyMap::default(),
            curation: Curation::default(),
            view: None,
        };
        let Some(generation) = generation else { return (store, None) };
        let complaint = match generation::read::<Filed<String>>(dir, STORE, FORMAT, generation) {
            Ok(filed) => store.take(filed).err(),
            Err(error) => Some(error.to_string()),
        };
        let complaint = complaint.map(|reason| {
            store.names = Names::default();
            store.entries = KeyMap::default();
            format!("The graph of connections is rebuilt: {reason}")
        });
        (store, complaint)
    }

    fn take(&mut self, (names, entries): Filed<String>) -> Result<(), String> {
        let ids: Vec<SpellingId> = names.iter().map(|name| self.names.intern(name)).collect();
        let name = |at: u32| ids.get(at as usize).copied().ok_or_else(|| format!("it names no name {at}"));
        self.entries.reserve(entries.len());
        for (key, fingerprint, (year, month, day), mentions, relations) in entries {
            let day = civil::Date::new(year, month, day).map_err(|error| error.to_string())?;
            let mentions = mentions
                .into_iter()
                .map(|(at, kind, guess, source, start, length)| {
                    Ok(Seen { name: name(at)?, kind, guess, source, span: start..start.saturating_add(length) })
                })
                .collect::<Result<_, String>>()?;
            let relations = relations
                .into_iter()
                .map(|(source, target, kind, verb, (start, length), weight, event_time)| {
                    let (source, target, verb) = (name(source)?, name(target)?, name(verb)?);
                    let evidence = start..start.saturating_add(length);
                    Ok(Stated { source, target, kind, verb, evidence, weight, event_time })
                })
                .collect::<Result<_, String>>()?;
            self.entries.insert(key, Held { fingerprint, day, mentions, relations });
        }
        Ok(())
    }

    /// Which entries in which state it holds.
    pub fn held(&self) -> KeyMap<u64> {
        self.entries.iter().map(|(key, held)| (*key, held.fingerprint)).collect()
    }

    /// In which state it holds an entry.
    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        self.entries.get(&key).map(|held| held.fingerprint)
    }

    pub fn remove(&mut self, key: EntryKey) {
        if self.entries.remove(&key).is_some() {
            self.view = None;
        }
    }

    pub fn set(&mut self, key: EntryKey, fingerprint: u64, day: civil::Date, extract: Extract) {
        let names = &mut self.names;
        let mentions = extract
            .mentions
            .into_iter()
            .map(|m| {
                let name = names.intern(&m.name);
                Seen { name, kind: m.kind, guess: m.guess, source: m.source, span: m.span }
            })
            .collect();
        let relations = extract
            .relations
            .into_iter()
            .map(|r| Stated {
                source: names.intern(&r.source),
                target: names.intern(&r.target),
                kind: r.kind,
                verb: names.intern(&r.verb),
                evidence: r.evidence,
                weight: r.weight,
                event_time: r.event_time,
            })
            .collect();
        self.entries.insert(key, Held { fingerprint, day, mentions, relations });
        self.view = None;
    }

    /// Writes the file of `generation` durably. The same entries give the same bytes, whatever the order they came in.
    pub fn save(&mut self, generation: u64) -> Result<(), IndexError> {
        generation::write(&self.dir, STORE, FORMAT, generation, &self.filed())
    }

    fn filed(&self) -> Filed<&str> {
        let used = self.entries.values().flat_map(|held| {
            let related = held.relations.iter().flat_map(|r| [r.source, r.target, r.verb]);
            held.mentions.iter().map(|mention| mention.name).chain(related)
        });
        let mut in_use = vec![false; self.names.spellings.len()];
        used.for_each(|name| in_use[name as usize] = true);
        let mut names: Vec<(&str, SpellingId)> = (0..in_use.len() as SpellingId)
            .filter(|name| in_use[*name as usize])
            .map(|name| (self.names.text(name).as_ref(), name))
            .collect();
        names.sort_unstable();
        let mut places = vec![0; in_use.len()];
        for (place, (_, name)) in names.iter().enumerate() {
            places[*name as usize] = place as u32;
        }
        let place = |name: SpellingId| places[name as usize];
        let length = |span: &Range<u32>| span.end.saturating_sub(span.start);
        let mut entries: Vec<FiledEntry> = self
            .entries
            .iter()
            .map(|(key, held)| {
                let mention = |m: &Seen| (place(m.name), m.kind, m.guess, m.source, m.span.start, length(&m.span));
                let relation = |r: &Stated| {
                    let said = (r.evidence.start, length(&r.evidence));
                    (place(r.source), place(r.target), r.kind, place(r.verb), said, r.weight, r.event_time)
                };
                let day = (held.day.year(), held.day.month(), held.day.day());
                let mentions = held.mentions.iter().map(mention).collect();
                (*key, held.fingerprint, day, mentions, held.relations.iter().map(relation).collect())
            })
            .collect();
        // By day: read back in the order in which a view asks for them.
        entries.sort_unstable_by_key(|entry| (entry.2, entry.0));
        (names.into_iter().map(|(text, _)| text).collect(), entries)
    }

    /// Deletes the files of other generations.
    pub fn tidy(&mut self, generation: u64) {
        generation::tidy(&self.dir, STORE, generation);
    }

    /// Decides entities from the set of all mentions (independent of the order they came in). Costs nothing while nothing
    /// has changed, else a pass over all mentions: some 50 ms for 100,000 entries with 300,000 mentions.
    pub fn view(&mut self) -> Arc<GraphView> {
        let decide = || Arc::new(GraphView::decide(&self.names, &self.entries, &self.curation));
        self.view.get_or_insert_with(decide).clone()
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

    /// The view as it would be under another curation: to show what a change would do. Costs what [`GraphStore::view`] costs.
    pub fn view_under(&self, curation: &Curation) -> GraphView {
        GraphView::decide(&self.names, &self.entries, curation)
    }
}
