//! Files of one journal under `state/`, outside the vault: one record per line, newest last.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest, Sha256};

use super::SessionError;
use crate::journal::{
    Pass,
    files::{self, Lock},
};

/// How long to wait for another kioku process, which holds the file for milliseconds.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The file, and the lock beside it.
#[derive(Debug, Clone)]
pub(super) struct StateLines {
    path: PathBuf,
}

/// The name of a vault's files under `state/`: a hash of the canonical path of `root`.
fn name_under_state(root: &Path) -> String {
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

impl StateLines {
    /// The file of the vault at `root`. Reads and creates nothing.
    pub fn of(state: &Path, folder: &str, root: &Path, extension: &str) -> Self {
        Self { path: state.join(folder).join(format!("{}.{extension}", name_under_state(root))) }
    }

    /// The lines, without empty ones.
    pub fn read(&self) -> Result<Vec<String>, SessionError> {
        let bytes = files::read(&self.path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// Changes the lines under the lock, and drops the oldest beyond `depth`. Returns how many fewer there are.
    pub fn change(&self, depth: usize, change: impl FnOnce(&mut Vec<String>)) -> Result<usize, SessionError> {
        if let Some(folder) = self.path.parent() {
            files::create_dir(folder)?;
        }
        let _lock = Lock::wait(&self.path.with_extension("lock"), LOCK_WAIT)?;
        let before = self.read()?;
        let mut lines = before.clone();
        change(&mut lines);
        lines.drain(..lines.len().saturating_sub(depth));
        if lines.is_empty() {
            self.clear()?;
        } else if lines != before {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            files::replace(&self.path, text.as_bytes())?;
        }
        Ok(before.len().saturating_sub(lines.len()))
    }

    /// Removes the lines for which `goes` returns true, or only counts them.
    pub fn forget(&self, depth: usize, pass: Pass, goes: impl Fn(&str) -> bool) -> Result<usize, SessionError> {
        match pass {
            Pass::Count => Ok(self.read()?.iter().filter(|line| goes(line)).count()),
            Pass::Delete => self.change(depth, |lines| lines.retain(|line| !goes(line))),
        }
    }

    /// Deletes the file.
    pub fn clear(&self) -> Result<(), SessionError> {
        Ok(files::remove(&self.path)?)
    }
}
