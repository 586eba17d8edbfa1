//! Errors of the vault, with path and operation.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::EntryId;

/// What went wrong in the vault.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: PathBuf, source: io::Error },
    /// Another kioku is writing and did not finish in time.
    #[error("another kioku has been writing for {waited:?}: {path} is locked")]
    Locked { path: PathBuf, waited: Duration },
    /// No such entry, draft or piece of trash.
    #[error("no {what} {id} in {path}")]
    Absent { what: &'static str, id: String, path: PathBuf },
    /// Each time it was read, another program changed it before anything could be written.
    #[error("{path} keeps changing: another program is writing it")]
    Busy { path: PathBuf },
    /// Entries were written here, and their folder is not there: it is not made anew unasked.
    #[error("the folder with the entries is gone: {path}")]
    FolderGone { path: PathBuf },
    /// The entry is no longer what the writer saw.
    #[error("{id} in {path} was changed by somebody else meanwhile")]
    Changed { id: EntryId, path: PathBuf },
    /// Rewriting would lose something: nothing was touched.
    #[error("{path}, line {line}: not changed, because {reason}")]
    Refused { path: PathBuf, line: usize, reason: String },
    /// The text cannot be represented in a day file.
    #[error("cannot write this entry: {0}")]
    Unwritable(String),
    /// A file that the user asked for would take the place of another.
    #[error("{path} exists already, and was left as it is")]
    Exists { path: PathBuf },
    /// A file that the user asked for would lie among the entries of a journal.
    #[error("{path} is inside the journal {journal}; nothing was written")]
    InsideJournal { path: PathBuf, journal: PathBuf },
    /// A link that leads out of the vault, or a file that is none: it is neither read nor written.
    #[error("{path} is {what}")]
    UnsafeFile { path: PathBuf, what: String },
    /// The file system cannot be watched; the journal works without, but other programs' changes show only on the next start.
    #[error("watch {path}: {reason}")]
    Unwatched { path: PathBuf, reason: String },
}

impl VaultError {
    pub(crate) fn io(operation: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { operation, path: path.to_path_buf(), source }
    }
}
