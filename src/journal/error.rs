//! Errors of the vault, with the path and the operation.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::EntryId;

/// Error of a vault operation.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: PathBuf, source: io::Error },
    /// Another kioku process is writing and did not finish in time.
    #[error("another kioku has been writing for {waited:?}: {path} is locked")]
    Locked { path: PathBuf, waited: Duration },
    /// No such entry, draft or piece of trash.
    #[error("no {what} {id} in {path}")]
    Absent { what: &'static str, id: String, path: PathBuf },
    /// At each attempt another program changed the file between read and write.
    #[error("{path} keeps changing: another program is writing it")]
    Busy { path: PathBuf },
    /// Entries were written in this vault before, and their folder is missing. A new folder would hide them, so none is
    /// created.
    #[error("the folder with the entries is gone: {path}")]
    FolderGone { path: PathBuf },
    /// The entry is no longer the version that the user saw.
    #[error("{id} in {path} was changed by another program meanwhile")]
    Changed { id: EntryId, path: PathBuf },
    /// A rewrite would lose data: nothing was changed.
    #[error("{path}, line {line}: not changed, because {reason}")]
    Refused { path: PathBuf, line: usize, reason: String },
    /// The text cannot be represented in a day file.
    #[error("cannot write this entry: {0}")]
    Unwritable(String),
    /// The requested output file already exists.
    #[error("{path} already exists and was not changed")]
    Exists { path: PathBuf },
    /// The requested output file would be inside a journal.
    #[error("{path} is inside the journal {journal}; nothing was written")]
    InsideJournal { path: PathBuf, journal: PathBuf },
    /// A link that leads out of the vault, or something that is not a regular file. It is neither read nor written.
    #[error("{path} is {what}")]
    UnsafeFile { path: PathBuf, what: String },
    /// A file to attach is too large.
    #[error("{path} is larger than {} MB; nothing was written", most >> 20)]
    TooLarge { path: PathBuf, most: u64 },
    /// A cloud program has the file, but has not downloaded it.
    #[error("{path} is not downloaded yet; its entries stay as they were last read")]
    NotDownloaded { path: PathBuf },
    /// A command of git failed.
    #[error("git {operation} in {path}: {message}")]
    Git { operation: String, path: PathBuf, message: String },
    /// The journal cannot be synchronised as it is.
    #[error("{path} is not synced: {reason}")]
    Unsynced { path: PathBuf, reason: String },
    /// The file system cannot be watched. The journal still works, but changes by other programs show only after the
    /// next start.
    #[error("watch {path}: {reason}")]
    Unwatched { path: PathBuf, reason: String },
}

impl VaultError {
    pub(crate) fn io(operation: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { operation, path: path.to_path_buf(), source }
    }
}
