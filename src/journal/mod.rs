//! The vault: dated markdown in Kioku's format, read and written without losing a byte.
//!
//! Owns the files of a journal and the words entry, day, tag, mood. Knows nothing of indices,
//! queries or screens.

mod day_file;
pub mod demo;
mod draft;
mod entry;
mod error;
pub mod exchange;
pub mod files;
mod head;
pub mod identity;
mod recent;
mod time;
mod value;
mod vault;
mod write;

pub use draft::{Draft, DraftId};
pub use entry::{BodyHash, Change, EntityKind, Entry, EntryId, EntryTime, NewEntry, Place, RelationKind};
pub use error::VaultError;
pub use vault::{
    Appended, DayFile, Edited, FileStamp, Notice, NoticeKind, TrashReason, Trashed, Vault, VaultOptions, WrittenEntry,
};
