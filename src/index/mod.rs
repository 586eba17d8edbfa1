//! Everything derived from the vault: catalog, word index, vectors, graph. It may be deleted at any time.
//!
//! The only layer that uses tantivy, hnsw_rs and petgraph; their types are not exported.

mod aliases;
mod answers;
pub mod catalog;
mod catalog_only;
mod checkpoint;
mod claims;
mod curation;
mod format;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
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

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

pub use catalog::{Catalog, CatalogEntry, EntryKey, Scope};
pub use catalog_only::{catalog_only, saved_catalog};
pub use claims::ClaimsOf;
pub use model_switch::{BACKLOG, Embedded, ModelChange, Waiting};
pub use scan::ScanScope;
pub use snapshot::{LegHealth, Snapshot};
pub use stores::{Index, IndexOptions};
pub use sync::{Progress, SyncReport};

/// The hint for [`IndexError::Newer`].
pub const NEWER_HINT: &str = "update kioku, or run `kioku index --rebuild` to rebuild the index for this version";

/// The outcome of work with the indexes.
pub type Result<T, E = IndexError> = std::result::Result<T, E>;

/// An error in a store, with the path and the operation.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: PathBuf, source: io::Error },
    /// The file is corrupt: it is rebuilt from the vault.
    #[error("{path} is damaged: {reason}")]
    Damaged { path: PathBuf, reason: String },
    /// The index is left unchanged, for the newer version to use.
    #[error("the index was written by a newer version of kioku")]
    Newer { path: PathBuf },
    #[error(transparent)]
    Vault(#[from] crate::journal::VaultError),
    /// A missing folder is not taken for deleted entries.
    #[error("the folder with the entries is gone: {path}")]
    FolderGone { path: PathBuf },
    #[error("another kioku holds {path}")]
    Busy { path: PathBuf },
    /// The index can be read, but not written.
    #[error("the index cannot be written: {reason}")]
    Unwritable { path: PathBuf, reason: String },
    #[error("words: {0}")]
    Keyword(String),
    #[error("vectors: {0}")]
    Vector(String),
}

impl IndexError {
    fn io(operation: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Io { operation, path: path.clone(), source }
    }

    fn damaged(path: impl Into<PathBuf>, reason: impl fmt::Display) -> Self {
        Self::Damaged { path: path.into(), reason: reason.to_string() }
    }
}

/// The paths in a folder.
fn listing(dir: &Path) -> Result<Vec<PathBuf>> {
    let fault = IndexError::io("list", dir);
    std::fs::read_dir(dir).map_err(&fault)?.map(|file| Ok(file.map_err(&fault)?.path())).collect()
}

/// The result of a thread; resumes its panic, if any.
fn end_of_thread<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
