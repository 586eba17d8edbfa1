//! The vault: dated markdown in Kioku's format, read and written without losing a byte.
//!
//! Owns the files of a journal and the words entry, day, tag, mood. Knows nothing of indices,
//! queries or screens.

mod draft;
mod entry;
mod error;
pub mod files;
pub mod identity;
mod vault;

pub use draft::{Draft, DraftId};
pub use entry::{BodyHash, Change, EntityKind, Entry, EntryId, EntryTime, NewEntry, Place, RelationKind};
pub use error::VaultError;
pub use vault::{
    Appended, DayFile, Edited, FileStamp, Notice, NoticeKind, TrashReason, Trashed, Vault, VaultOptions, WrittenEntry,
};
