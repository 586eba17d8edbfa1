//! Permanent deletion: from the vault first, then from all derived data.

use std::{ops::Range, path::Path};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CurationLog, QueryHistory, Session, SessionError, Subject, Traces, Wanted, editor_texts,
    queries::{holds_name, telling_words},
    tally,
};
use crate::{
    index::{EntryKey, Snapshot, graph::Entity, keyword::is_stop_word},
    journal::{Change, Emptied, EntityKind, Entry, Forgotten, Pass, Redaction, Remains, SavedSearch},
};

/// Minimum number of mentions for a name that looks like a plural of another (`Hans`, `Han`) to count as a name of its
/// own.
const SOMEBODY: u32 = 3;

/// Counts of what was deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Forgetting {
    #[serde(flatten)]
    pub forgotten: Forgotten,
    /// Vectors that no entry uses any more.
    pub vectors: usize,
    /// Changes of entities that can no longer be undone.
    #[serde(skip)]
    pub logged: usize,
    /// Queries in the history.
    pub queries: usize,
    /// Saved searches.
    pub searches: usize,
    /// Texts left over from an interrupted editor.
    pub editor_texts: usize,
    /// Names of saved searches that share words with the text and are kept.
    pub similar_searches: Vec<String>,
    /// The deleted texts, to search for traces.
    #[serde(skip)]
    pub texts: Vec<String>,
}

/// What can be forgotten.
#[derive(Debug, Clone, PartialEq)]
pub enum Forgettable {
    Entry(Box<Entry>),
    /// What is left of an entry that is in no day file.
    Remains(Box<Remains>),
}

impl From<Entry> for Forgettable {
    fn from(entry: Entry) -> Self {
        Self::Entry(Box::new(entry))
    }
}

impl Forgettable {
    pub fn entry(&self) -> &Entry {
        match self {
            Self::Entry(entry) => entry,
            Self::Remains(remains) => &remains.entry,
        }
    }
}

/// The entries that contain an entity's names, with the changes that remove them.
#[derive(Debug, Clone, PartialEq)]
pub struct Naming {
    pub redaction: Redaction,
    /// Oldest first.
    pub entries: Vec<(Entry, Change)>,
    /// The spellings of the names in these entries with their counts, most frequent first.
    pub forms: Vec<(String, usize)>,
}

impl Session {
    /// Deletes an entry (or, with `redact`, only its text) from the vault and all derived data, its queries from the
    /// history, and its texts in an interrupted editor. `state` is the state folder. Refused if the entry changed since
    /// it was read, or if another kioku process holds the index and would keep the text.
    pub fn forget(
        &mut self,
        what: &Forgettable,
        redact: bool,
        state: &Path,
        pass: Pass,
    ) -> Result<Forgetting, SessionError> {
        if pass == Pass::Delete {
            self.expect_sole()?;
        }
        let texts = self.texts_of(what, redact)?;
        let vault = self.vault();
        let forgotten = match what {
            Forgettable::Entry(entry) if redact && pass == Pass::Delete => vault.redact(entry)?.1,
            Forgettable::Entry(entry) => vault.forget(entry, pass)?,
            Forgettable::Remains(remains) => vault.forget_remains(remains, pass)?,
        };
        let queries = self.history(state).forget_text(&texts.join("\n"), pass)?;
        let editor_texts = self.forget_editor_texts(state, what.entry(), pass);
        let vectors = self.purge(pass)?;
        let similar_searches = self.searches_like(&what.entry().body)?;
        Ok(Forgetting { forgotten, vectors, queries, editor_texts, similar_searches, texts, ..Forgetting::default() })
    }

    /// Searches every file of the home folder and of the journal for traces. Closes the index first, so that its files
    /// are complete on disk.
    pub fn traces(self, wanted: &Wanted, home: &Path) -> Result<Traces, SessionError> {
        let root = self.vault().options().root.clone();
        self.close()?;
        Ok(Traces::look(wanted, &[home, &root]))
    }

    fn forget_editor_texts(&mut self, state: &Path, entry: &Entry, pass: Pass) -> usize {
        let (count, faults) = editor_texts::forget(state, entry, pass);
        self.warn(faults);
        count
    }

    fn history(&self, state: &Path) -> QueryHistory {
        QueryHistory::of(state, &self.vault().options().root)
    }

    /// The entries that mention an entity: by the mentions in the graph, and by a search for its names in any case and
    /// form (with `exact`, only as spelled).
    pub fn naming(&mut self, subject: &Subject, exact: bool) -> Result<Naming, SessionError> {
        let snapshot = self.snapshot()?;
        let redaction = self.redaction(&snapshot, subject, exact)?;
        let entries = self.entries(None, None)?.into_iter();
        let entries = entries.filter_map(|entry| {
            let read = read_spans(&snapshot, &entry, subject);
            redaction.change(&entry, &read).map(|change| (entry, change))
        });
        let entries: Vec<(Entry, Change)> = entries.collect();
        let bodies = entries.iter().map(|(entry, _)| entry.body.as_str());
        let forms = bodies.flat_map(|body| redaction.places(body).into_iter().map(|place| body[place].to_owned()));
        let forms = tally(forms);
        Ok(Naming { redaction, entries, forms })
    }

    /// Redacts the names in these entries, and removes them from trash, second copies, drafts, notes, the curation log
    /// and all derived data.
    pub fn forget_names(&mut self, naming: &Naming, state: &Path, pass: Pass) -> Result<Forgetting, SessionError> {
        if pass == Pass::Delete {
            self.expect_sole()?;
        }
        let changes: Vec<(&Entry, &Change)> = naming.entries.iter().map(|(entry, change)| (entry, change)).collect();
        let forgotten = self.vault().forget_names(&naming.redaction, &changes, pass)?;
        let names = naming.redaction.names();
        let logged = CurationLog::of(state, &self.vault().options().root).forget(&naming.redaction, pass)?;
        let queries = self.history(state).forget_names(names, pass)?;
        let saved = self.vault().saved_searches()?;
        // Unlike the history, the user named these: a common word in one of them is no name unless spelled like it.
        let unmistakable: Vec<String> = names.iter().filter(|name| !is_common_word(name)).cloned().collect();
        let telling = saved.iter().filter(|search| {
            let text = format!("{} {}", search.name, search.query);
            !naming.redaction.places(&text).is_empty() || holds_name(&text, &unmistakable)
        });
        let mut searches = 0;
        for search in telling {
            searches += usize::from(pass == Pass::Count || self.vault().drop_search(&search.name)?.is_some());
        }
        let editor_texts = naming.entries.iter().map(|(entry, _)| self.forget_editor_texts(state, entry, pass)).sum();
        let vectors = self.purge(pass)?;
        Ok(Forgetting { forgotten, vectors, logged, queries, searches, editor_texts, ..Forgetting::default() })
    }

    /// All texts that are deleted: the body, its older versions, and the tags unless the head stays.
    fn texts_of(&self, what: &Forgettable, keeps_head: bool) -> Result<Vec<String>, SessionError> {
        let entry = what.entry();
        if matches!(what, Forgettable::Remains(remains) if remains.only_text) {
            return Ok(vec![entry.body.clone()]);
        }
        let pieces = self.vault().trash()?.into_iter().map(|piece| piece.entry);
        let copies = self.vault().recent()?.into_iter().map(|copy| copy.entry);
        let older = pieces.chain(copies).filter(|version| version.id == entry.id);
        let tags = entry.tags.iter().filter(|_| !keeps_head).cloned();
        Ok(std::iter::once(entry.body.clone()).chain(older.map(|piece| piece.body)).chain(tags).collect())
    }

    /// The names of the saved searches that share a word with a text.
    fn searches_like(&self, text: &str) -> Result<Vec<String>, SessionError> {
        let words = telling_words(text);
        let alike = |search: &SavedSearch| !telling_words(&search.query).is_disjoint(&words);
        Ok(self.vault().saved_searches()?.into_iter().filter(alike).map(|search| search.name).collect())
    }

    fn redaction(&self, snapshot: &Snapshot, subject: &Subject, exact: bool) -> Result<Redaction, SessionError> {
        let mut names = vec![subject.name.clone()];
        if let Some(note) = self.entity_note(subject)? {
            names.extend(note.aliases);
            names.extend(note.merged.iter().map(|item| crate::journal::name_and_kind(item).0.to_owned()));
        }
        let entities = snapshot.graph.entities();
        if let Some(entity) = subject.entity {
            names.extend(snapshot.graph.entity(entity).aliases.iter().cloned());
        }
        names.sort();
        names.dedup();
        let is_exact = |name: &str| exact || is_common_word(name);
        let alone = Redaction::new(names.clone(), Vec::new(), is_exact);
        let others = entities.iter().filter(|entity| entity.name != subject.name || Some(entity.kind) != subject.kind);
        let kept = others.flat_map(|other| {
            let names = other.names();
            names.filter(|name| match alone.places(name).as_slice() {
                [] => false,
                // Treat it as a plural of the name, unless it is an entity in the journal (`Han`, `Hans`).
                [whole] if *whole == (0..name.len()) => other.mentions >= SOMEBODY && !alone.is_name(name),
                places => !is_about(other, name, places, subject),
            })
        });
        let kept = kept.cloned().collect();
        Ok(Redaction::new(names, kept, is_exact))
    }

    /// Empties the trash, and purges the data derived from its texts unless another process uses the index.
    pub fn empty_trash(&mut self, before: Option<Timestamp>) -> Result<Emptied, SessionError> {
        let emptied = self.vault().empty_trash(before)?;
        if self.expect_sole().is_ok() {
            self.purge(Pass::Delete)?;
        }
        Ok(emptied)
    }

    /// Fails if another process holds the index and would keep the data.
    fn expect_sole(&mut self) -> Result<(), SessionError> {
        if self.sync(false, &mut |_| true)?.read_only {
            return Err(self.index()?.refusal().into());
        }
        Ok(())
    }

    /// Deletes derived data. Which vectors then go is known only when the texts are gone: they are not counted before.
    fn purge(&mut self, pass: Pass) -> Result<usize, SessionError> {
        if pass == Pass::Count {
            return Ok(0);
        }
        self.drop_snapshot();
        self.sync(false, &mut |_| true)?;
        Ok(self.index()?.purge()?)
    }
}

/// Whether a name is another word in lower case (`Will`).
fn is_common_word(name: &str) -> bool {
    is_stop_word(&name.trim().to_lowercase())
}

/// Whether a longer name is about the subject rather than another's: a tag (`linh-trip`), or `Linh's wedding`.
fn is_about(other: &Entity, name: &str, places: &[Range<usize>], subject: &Subject) -> bool {
    let is_tag = other.kind == EntityKind::Topic && subject.kind != Some(other.kind) && !other.name.contains(' ');
    is_tag || places.iter().any(|place| name[place.end..].starts_with(['\'', '’']))
}

/// The spans of the subject's mentions in an entry's body, from the graph.
fn read_spans(snapshot: &Snapshot, entry: &Entry, subject: &Subject) -> Vec<Range<usize>> {
    let key = EntryKey::of(&entry.id);
    let same = snapshot.catalog.by_key(key).is_some_and(|known| known.hash == entry.hash);
    let found = snapshot.graph.of_entry(key).into_iter().filter(|(entity, _)| same && Some(*entity) == subject.entity);
    found.flat_map(|(_, spans)| spans).map(|span| span.start as usize..span.end as usize).collect()
}
