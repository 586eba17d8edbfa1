//! Everything derived from the vault: catalog, words, vectors, connections. May be deleted at any time.
//!
//! The only layer that names tantivy, hnsw_rs and petgraph; their types stay inside it.

mod aliases;
mod answers;
pub mod catalog;
mod checkpoint;
mod curation;
mod format;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod glance;
pub mod graph;
mod ingest;
mod key_index;
pub mod keyword;
mod model_switch;
pub mod passage;
mod purge;
mod scan;
mod snapshot;
mod stores;
mod sync;
#[cfg(test)]
mod testing;
mod uncommitted;
mod vanished;
pub mod vector;
mod words;

pub use catalog::{Catalog, CatalogEntry, EntryKey, Scope};
pub use glance::glance;
pub use model_switch::{Embedded, ModelChange, Waiting};
pub use scan::ScanScope;
pub use snapshot::{LegHealth, Snapshot};
pub use stores::{Index, IndexOptions};
pub use sync::{Progress, SyncReport};

/// What to do about [`IndexError::Newer`].
pub const NEWER_HINT: &str = "update kioku; `kioku index --rebuild` makes the index anew for this version";

/// What went wrong in a store, with the path and the operation.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: std::path::PathBuf, source: std::io::Error },
    /// The file is not what was written: it is rebuilt from the vault.
    #[error("{path} is damaged: {reason}")]
    Damaged { path: std::path::PathBuf, reason: String },
    /// It is left alone: the newer version goes on with it.
    #[error("the index was written by a newer version of kioku")]
    Newer { path: std::path::PathBuf },
    #[error(transparent)]
    Vault(#[from] crate::journal::VaultError),
    /// Nothing is concluded from a folder that cannot be seen.
    #[error("the folder with the entries is gone: {path}")]
    FolderGone { path: std::path::PathBuf },
    #[error("another kioku holds {path}")]
    Busy { path: std::path::PathBuf },
    /// Everything can be read, and nothing of what is derived written.
    #[error("the index cannot be written: {reason}")]
    Unwritable { path: std::path::PathBuf, reason: String },
    #[error("words: {0}")]
    Keyword(String),
    #[error("vectors: {0}")]
    Vector(String),
}

/// What a thread came to; its panic goes on here.
fn end_of_thread<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
