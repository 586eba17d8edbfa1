//! Errors of a session. [`crate::report`] turns them into messages, hints and exit codes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{insight::InsightError, journal::EntryId};

/// Error of a session request.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Vault(#[from] crate::journal::VaultError),
    #[error(transparent)]
    Index(#[from] crate::index::IndexError),
    #[error(transparent)]
    Embed(#[from] crate::embed::EmbedError),
    #[error(transparent)]
    Search(#[from] crate::search::SearchError),
    #[error(transparent)]
    Curation(#[from] CurationError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("Cannot be undone: the trash was emptied")]
    TrashEmptied,
    /// The caller cancelled the request or sent a newer one.
    #[error("the request was cancelled")]
    Cancelled,
    /// A worker panicked; the others continue.
    #[error("an internal fault while {0}")]
    Fault(String),
}

impl SessionError {
    /// Whether the same request may succeed later: a lock is held, a file cannot be read or written just now.
    pub(super) fn is_temporary(&self) -> bool {
        use crate::journal::VaultError::{Busy, FolderGone, Io, Locked};
        matches!(self, Self::Vault(Io { .. } | Locked { .. } | Busy { .. } | FolderGone { .. }))
    }
}

impl From<InsightError> for SessionError {
    fn from(error: InsightError) -> Self {
        match error {
            InsightError::Search(error) => Self::Search(error),
            InsightError::Cancelled => Self::Cancelled,
        }
    }
}

/// Does some work. A panic becomes [`SessionError::Fault`]; the panic hook has recorded it.
pub(super) fn or_fault<T>(doing: &str, work: impl FnOnce() -> Result<T, SessionError>) -> Result<T, SessionError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(SessionError::Fault(doing.to_owned())))
}

/// Error of a curation.
#[derive(Debug, thiserror::Error)]
pub enum CurationError {
    #[error("no name `{name}` in this journal")]
    Unknown { name: String, near: Vec<String> },
    #[error("`{name}` names {}: {}", names.len(), names.join(", "))]
    Ambiguous { name: String, names: Vec<String> },
    #[error("{reason}")]
    Refused { reason: String, hint: String },
    #[error("no entry is called `{0}`")]
    NoEntry(String),
    #[error("no name change to undo")]
    NothingToUndo,
}

/// Error of a change of a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("no record `{id}`")]
    Unknown { id: String, known: Vec<String> },
    #[error("`{id}` begins the ids of {} records", ids.len())]
    Ambiguous { id: String, ids: Vec<EntryId> },
    #[error("`{0}` is an entry, not a record")]
    NoRecord(EntryId),
    #[error("a {kind} cannot be done")]
    NoTask { id: EntryId, kind: String },
    #[error("a record needs text")]
    NoText,
}
