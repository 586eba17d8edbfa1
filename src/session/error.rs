//! Errors of a session. [`crate::report`] turns them into words, hints and exit codes.

use std::path::PathBuf;

use crate::insight::InsightError;

/// Why a request to a session failed.
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
    #[error("{} is there already: nothing was overwritten", .0.display())]
    Exists(PathBuf),
    /// The asker took the question back, or asked another one.
    #[error("the answer is no longer wanted")]
    Cancelled,
    /// A worker's code panicked; the others go on.
    #[error("an internal fault while {0}")]
    Fault(String),
}

impl From<InsightError> for SessionError {
    fn from(error: InsightError) -> Self {
        match error {
            InsightError::Search(error) => Self::Search(error),
            InsightError::Cancelled => Self::Cancelled,
        }
    }
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
