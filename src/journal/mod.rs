//! The vault: dated markdown in Kioku's format, read and written without losing a byte.
//!
//! Owns the files of a journal and the words entry, day, tag, mood. Knows nothing of indices,
//! queries or screens.

mod draft;
mod entry;
pub mod exchange;
pub mod identity;
mod vault;

pub use draft::{Draft, DraftId};
pub use entry::{BodyHash, Change, EntityKind, Entry, EntryId, EntryTime, NewEntry, Place, RelationKind};
pub use vault::{
    Appended, DayFile, Edited, FileStamp, Notice, NoticeKind, TrashReason, Trashed, Vault, VaultOptions, WrittenEntry,
};

/// What went wrong in the vault, with the path and the operation.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: std::path::PathBuf, source: std::io::Error },
}
