//! Undo log of curation, stored outside the vault: it survives a restart and is not part of the user's git repository.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    clock::Clock,
    journal::{
        EntryTime, NoteUndo, Redaction, VaultError,
        files::{self, Lock},
    },
    session::SessionError,
};

/// Maximum number of changes that can be undone.
const DEPTH: usize = 100;

/// How long to wait for another kioku process, which holds the log for milliseconds.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// One file per journal under `state/`, one change per line, newest last.
#[derive(Debug, Clone)]
pub struct CurationLog {
    path: PathBuf,
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    pub at: String,
    /// Description of the change.
    pub said: String,
    pub undo: Vec<NoteUndo>,
}

/// The name of a vault's files under `state/`: a hash of the canonical path of `root`.
pub(in crate::session) fn name_under_state(root: &Path) -> String {
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

impl CurationLog {
    /// The log of the vault at `root`. Reads and creates nothing.
    pub fn of(state: &Path, root: &Path) -> Self {
        Self { path: state.join("curation").join(format!("{}.jsonl", name_under_state(root))) }
    }

    pub(super) fn push(&self, said: &str, undo: Vec<NoteUndo>, clock: &Clock) -> Result<(), SessionError> {
        let _lock = self.lock()?;
        let mut lines = self.lines()?;
        lines.push(Logged { at: EntryTime::of(&clock.now()).written, said: said.to_owned(), undo });
        let from = lines.len().saturating_sub(DEPTH);
        self.write(&lines[from..])
    }

    pub(super) fn last(&self) -> Result<Option<Logged>, SessionError> {
        Ok(self.lines()?.pop())
    }

    /// Removes a change that was undone. It is searched for, because another process may have appended meanwhile.
    pub(super) fn drop(&self, done: &Logged) -> Result<(), SessionError> {
        let _lock = self.lock()?;
        let mut lines = self.lines()?;
        if let Some(at) = lines.iter().rposition(|line| line == done) {
            lines.remove(at);
        }
        self.write(&lines)
    }

    /// Removes the changes that contain one of these names, because they would keep a forgotten name. They can no
    /// longer be undone.
    pub fn forget(&self, names: &Redaction) -> Result<usize, SessionError> {
        let _lock = self.lock()?;
        let mut lines = self.lines()?;
        let before = lines.len();
        lines.retain(|line| !serde_json::to_value(line).is_ok_and(|line| names.is_in_json(&line)));
        if lines.len() < before {
            self.write(&lines)?;
        }
        Ok(before - lines.len())
    }

    fn lock(&self) -> Result<Lock, SessionError> {
        if let Some(folder) = self.path.parent() {
            files::create_dir(folder)?;
        }
        Ok(Lock::wait(&self.path.with_extension("lock"), LOCK_WAIT)?)
    }

    /// Reads the log, skipping invalid lines (a partial write of another program).
    fn lines(&self) -> Result<Vec<Logged>, SessionError> {
        let text = files::read(&self.path)?.unwrap_or_default();
        Ok(text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    fn write(&self, lines: &[Logged]) -> Result<(), SessionError> {
        if lines.is_empty() {
            return Ok(files::remove(&self.path)?);
        }
        let mut text = Vec::new();
        for line in lines {
            let unwritable = |error: serde_json::Error| VaultError::Unwritable(error.to_string());
            text.extend(serde_json::to_vec(line).map_err(unwritable)?);
            text.push(b'\n');
        }
        Ok(files::replace(&self.path, &text)?)
    }
}
