//! Curation of names and relations: preview, application as changes of notes, and undo.

mod action;
mod log;
mod moved;
mod plan;
mod subject;

use std::sync::Arc;

use super::{CurationError, Located, Session, SessionError, entries::locate};
use crate::{
    index::{
        Snapshot,
        graph::{GraphView, Proposal},
    },
    journal::{EntityNote, Entry, NoteUndo, Vault, note_on},
};

pub use action::{Curated, Curating};
pub use log::{CurationLog, Logged};
pub use moved::Moved;
use plan::{Planned, Planning};
pub use subject::Subject;

impl Session {
    /// Changes the notes, records the undo in `log`, and updates the index. Without a log it is a preview: nothing is
    /// written.
    pub fn curate(&mut self, curating: &Curating, log: Option<&CurationLog>) -> Result<Curated, SessionError> {
        let (snapshot, vault) = (self.snapshot()?, self.vault().clone());
        let preview = CurationPreview::of(curating, log.is_none(), &snapshot, &vault, |notes| self.graph_under(notes))?;
        if let (false, Some(log)) = (preview.curated.unchanged, log) {
            preview.carry_out(&vault, log)?;
            self.sync(false, &mut |_| true)?;
        }
        Ok(preview.curated)
    }

    /// Undoes the last change in the log. Returns its description.
    pub fn uncurate(&mut self, log: &CurationLog) -> Result<String, SessionError> {
        let last = log.last()?.ok_or(CurationError::NothingToUndo)?;
        undo(self.vault(), log, &last)?;
        self.sync(false, &mut |_| true)?;
        Ok(last.said)
    }

    /// The possible duplicates among the entities, with reasons.
    pub fn entity_proposals(&mut self) -> Result<(Arc<Snapshot>, Vec<Proposal>), SessionError> {
        let snapshot = self.snapshot()?;
        let proposals = snapshot.graph.proposals();
        Ok((snapshot, proposals))
    }

    /// Resolves a typed name; the error lists the homonyms or the most similar names.
    pub fn entity_called(&mut self, typed: &str) -> Result<Subject, SessionError> {
        let snapshot = self.snapshot()?;
        let notes = self.vault().entity_notes()?;
        Ok(subject::subject(&snapshot.graph, &notes, typed)?)
    }

    /// The note on a subject, if there is one.
    pub fn entity_note(&self, subject: &Subject) -> Result<Option<EntityNote>, SessionError> {
        let notes = self.vault().entity_notes()?;
        Ok(note_on(&notes, &subject.name, subject.kind).cloned())
    }
}

/// A planned change and its effect.
pub(super) struct CurationPreview {
    planned: Planned,
    /// The entry of a verdict on one statement.
    statement: Option<Entry>,
    pub(super) curated: Curated,
}

impl CurationPreview {
    pub(super) fn of(
        curating: &Curating,
        is_preview: bool,
        snapshot: &Snapshot,
        vault: &Vault,
        graph_under: impl FnOnce(Vec<EntityNote>) -> Result<GraphView, SessionError>,
    ) -> Result<Self, SessionError> {
        let statement = match curating {
            Curating::Judge { entry: Some(id), .. } => Some(statement(snapshot, vault, id)?),
            _ => None,
        };
        let notes = vault.entity_notes()?;
        let planning = Planning { graph: &snapshot.graph, notes: &notes };
        let planned = planning.plan(curating, statement.as_ref().map(|entry| entry.id.clone()))?;
        let notes_after = vault.notes_after(&planned.changes)?;
        let unchanged = notes_after == notes;
        let moved = match curating {
            // Notes do not affect the graph.
            Curating::Note { .. } => Moved::default(),
            _ => Moved::between(&snapshot.graph, &graph_under(notes_after)?),
        };
        let curated = Curated { said: planned.said.clone(), unchanged, dry_run: is_preview, moved };
        Ok(Self { planned, statement, curated })
    }

    pub(super) fn carry_out(&self, vault: &Vault, log: &CurationLog) -> Result<Logged, SessionError> {
        if let Some(entry) = &self.statement {
            // The verdict refers to the entry: write its id, so that the reference survives edits.
            vault.fix_id(entry)?;
        }
        let undo: Vec<NoteUndo> = vault.curate_all(&self.planned.changes)?.into_iter().map(|(_, undo)| undo).collect();
        let logged = log.push(&self.planned.said, undo.clone(), &vault.options().clock);
        if logged.is_err() {
            // A change that cannot be undone is reverted.
            vault.uncurate(&undo)?;
        }
        logged
    }
}

/// Undoes one change of the log; an error if the log does not have it any more.
pub(super) fn undo(vault: &Vault, log: &CurationLog, change: &Logged) -> Result<(), SessionError> {
    if !log.has(change)? {
        return Err(CurationError::NothingToUndo.into());
    }
    vault.uncurate(&change.undo)?;
    log.drop(change)
}

fn statement(snapshot: &Snapshot, vault: &Vault, id: &str) -> Result<Entry, SessionError> {
    match locate(snapshot, vault, id)? {
        Located::One(entry) => Ok(*entry),
        Located::Ambiguous(ids) => {
            let names = ids.iter().map(ToString::to_string).collect();
            Err(CurationError::Ambiguous { name: id.to_owned(), names }.into())
        }
        Located::Nothing => Err(CurationError::NoEntry(id.to_owned()).into()),
    }
}
