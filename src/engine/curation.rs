//! What the user says about names and relations: turned into changes of notes, shown beforehand, taken back on demand.

mod log;
mod moved;
mod plan;
mod subject;

use std::sync::Arc;

use super::{Desk, EngineError, Located};
use crate::{
    index::{
        Snapshot,
        graph::{Judgement, Proposal},
    },
    journal::{EntityKind, EntityNote, Entry, NoteUndo, RelationKind, note_on},
};

pub use log::CurationLog;
pub use moved::Moved;
use plan::{Planned, Planning};
pub use subject::Subject;

/// One thing said about names. Names are given as `Hanoi`, or where homonyms differ `Hanoi (place)` or `place:Hanoi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Curating {
    /// What is said of `from` counts for `into`.
    Merge {
        from: String,
        into: String,
    },
    /// Another name to show; the old one stays an alias.
    Rename {
        name: String,
        new: String,
    },
    Alias {
        name: String,
        alias: String,
        remove: bool,
    },
    /// The user's word over every mark in the text.
    Kind {
        name: String,
        kind: EntityKind,
    },
    /// Not listed, no seed of a search, no edges; or shown again.
    Hide {
        name: String,
        hidden: bool,
    },
    /// A relation is so, or is not; as one entry states it, or altogether.
    Judge {
        source: String,
        kind: RelationKind,
        target: String,
        entry: Option<String>,
        judgement: Judgement,
    },
    /// Two names that look alike and are two.
    Distinct {
        name: String,
        other: String,
    },
}

/// What a curation came to, or would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curated {
    /// In words: `Hung is one with Hùng (person)`.
    pub said: String,
    pub moved: Moved,
    /// It was so already: nothing was written.
    pub unchanged: bool,
}

/// Why something cannot be said about a name.
#[derive(Debug, thiserror::Error)]
pub enum CurationError {
    #[error("no entity is called `{name}`")]
    Unknown { name: String, near: Vec<String> },
    #[error("`{name}` names {}: {}", names.len(), names.join(", "))]
    Ambiguous { name: String, names: Vec<String> },
    #[error("{reason}")]
    Refused { reason: String, hint: String },
    #[error("no entry is called `{0}`")]
    NoEntry(String),
    #[error("there is no change of an entity to take back")]
    NothingToUndo,
}

impl Desk {
    /// What a change would do; nothing is written.
    pub fn preview_curation(&mut self, curating: &Curating) -> Result<Curated, EngineError> {
        let (planned, _) = self.plan_curation(curating)?;
        let notes = self.vault().notes_after(&planned.changes)?;
        self.weigh(&planned, notes)
    }

    /// Changes the notes, remembers in `log` how to take it back, and brings the index up to date.
    pub fn curate(&mut self, curating: &Curating, log: &CurationLog) -> Result<Curated, EngineError> {
        let (planned, statement) = self.plan_curation(curating)?;
        let notes = self.vault().notes_after(&planned.changes)?;
        let curated = self.weigh(&planned, notes)?;
        if curated.unchanged {
            return Ok(curated);
        }
        if let Some(entry) = statement {
            // What refers to an entry has to find it after any edit.
            self.vault().fix_id(&entry)?;
        }
        let undo: Vec<NoteUndo> =
            self.vault().curate_all(&planned.changes)?.into_iter().map(|(_, undo)| undo).collect();
        if let Err(error) = log.push(&planned.said, undo.clone(), &self.vault().options().clock) {
            // What cannot be taken back is not done.
            self.vault().uncurate(&undo)?;
            return Err(error);
        }
        self.sync(false, &mut |_| true)?;
        Ok(curated)
    }

    /// Takes the last change in the log back; says in words which it was.
    pub fn uncurate(&mut self, log: &CurationLog) -> Result<String, EngineError> {
        let last = log.last()?.ok_or(CurationError::NothingToUndo)?;
        self.vault().uncurate(&last.undo)?;
        log.drop(&last)?;
        self.sync(false, &mut |_| true)?;
        Ok(last.said)
    }

    /// The pairs of entities that may be one, with reasons.
    pub fn entity_proposals(&mut self) -> Result<(Arc<Snapshot>, Vec<Proposal>), EngineError> {
        let snapshot = self.snapshot()?;
        let proposals = snapshot.graph.proposals();
        Ok((snapshot, proposals))
    }

    /// Who is meant by a name; an error that lists the homonyms, or the nearest names.
    pub fn entity_called(&mut self, typed: &str) -> Result<Subject, EngineError> {
        let snapshot = self.snapshot()?;
        let notes = self.vault().entity_notes()?;
        Ok(subject::subject(&snapshot.graph, &notes, typed)?)
    }

    /// The note on a subject, where there is one.
    pub fn entity_note(&self, subject: &Subject) -> Result<Option<EntityNote>, EngineError> {
        let notes = self.vault().entity_notes()?;
        Ok(note_on(&notes, &subject.name, subject.kind).cloned())
    }

    fn plan_curation(&mut self, curating: &Curating) -> Result<(Planned, Option<Entry>), EngineError> {
        let snapshot = self.snapshot()?;
        let statement = match curating {
            Curating::Judge { entry: Some(id), .. } => Some(self.statement(id)?),
            _ => None,
        };
        let notes = self.vault().entity_notes()?;
        let planning = Planning { graph: &snapshot.graph, notes: &notes };
        let planned = planning.plan(curating, statement.as_ref().map(|entry| entry.id.clone()))?;
        Ok((planned, statement))
    }

    fn statement(&mut self, id: &str) -> Result<Entry, EngineError> {
        match self.locate(id)? {
            Located::One(entry) => Ok(*entry),
            Located::Ambiguous(ids) => {
                let names = ids.iter().map(ToString::to_string).collect();
                Err(CurationError::Ambiguous { name: id.to_owned(), names }.into())
            }
            Located::Nothing => Err(CurationError::NoEntry(id.to_owned()).into()),
        }
    }

    fn weigh(&mut self, planned: &Planned, notes: Vec<EntityNote>) -> Result<Curated, EngineError> {
        let snapshot = self.snapshot()?;
        let unchanged = notes == self.vault().entity_notes()?;
        let after = self.graph_under(notes)?;
        Ok(Curated { said: planned.said.clone(), moved: Moved::between(&snapshot.graph, &after), unchanged })
    }
}
