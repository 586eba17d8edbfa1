//! Undo log of curation, stored outside the vault: it survives a restart and is not part of the user's git repository.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{
    clock::Clock,
    journal::{EntryTime, NoteUndo, Pass, Redaction, VaultError},
    session::{SessionError, state_lines::StateLines},
};

/// Maximum number of changes that can be undone.
const DEPTH: usize = 100;

/// One change per line.
#[derive(Debug, Clone)]
pub struct CurationLog(StateLines);

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    pub at: String,
    /// Description of the change.
    pub said: String,
    pub undo: Vec<NoteUndo>,
}

impl CurationLog {
    /// The log of the vault at `root`. Reads and creates nothing.
    pub fn of(state: &Path, root: &Path) -> Self {
        Self(StateLines::of(state, "curation", root, "jsonl"))
    }

    pub(super) fn push(&self, said: &str, undo: Vec<NoteUndo>, clock: &Clock) -> Result<Logged, SessionError> {
        let logged = Logged { at: EntryTime::of(&clock.now()).written, said: said.to_owned(), undo };
        let line = serde_json::to_string(&logged).map_err(|error| VaultError::Unwritable(error.to_string()))?;
        self.change(|lines| lines.push(line))?;
        Ok(logged)
    }

    pub(super) fn last(&self) -> Result<Option<Logged>, SessionError> {
        Ok(self.0.read()?.iter().rev().find_map(|line| parsed(line)))
    }

    /// Whether a change can still be undone: another process may have undone it, or forgotten one of its names.
    pub(super) fn has(&self, change: &Logged) -> Result<bool, SessionError> {
        Ok(self.0.read()?.iter().any(|line| parsed(line).as_ref() == Some(change)))
    }

    /// Removes a change that was undone. It is searched for, because another process may have appended meanwhile.
    pub(super) fn drop(&self, done: &Logged) -> Result<(), SessionError> {
        self.change(|lines| {
            if let Some(at) = lines.iter().rposition(|line| parsed(line).as_ref() == Some(done)) {
                lines.remove(at);
            }
        })
    }

    /// Removes the changes that contain one of these names, because they would keep a forgotten name. They can no
    /// longer be undone.
    pub fn forget(&self, names: &Redaction, pass: Pass) -> Result<usize, SessionError> {
        // An invalid line, which a partial write of another program left, may hold a part of the name.
        self.0.forget(DEPTH, pass, |line| serde_json::from_str(line).map_or(true, |line| names.is_in_json(&line)))
    }

    /// Changes the lines, without invalid ones (a partial write of another program).
    fn change(&self, change: impl FnOnce(&mut Vec<String>)) -> Result<(), SessionError> {
        self.0.change(DEPTH, |lines| {
            lines.retain(|line| parsed(line).is_some());
            change(lines);
        })?;
        Ok(())
    }
}

fn parsed(line: &str) -> Option<Logged> {
    serde_json::from_str(line).ok()
}
