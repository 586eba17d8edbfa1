//! The vault: every reading and writing verb on the files of one journal.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::civil;

use super::{Change, Draft, DraftId, Entry, EntryId, NewEntry};
use crate::clock::Clock;

/// Which folders make up a vault, and how its days are cut.
#[derive(Debug, Clone)]
pub struct VaultOptions {
    /// `journals/<name>/`, or the foreign folder given by `--vault`.
    pub root: PathBuf,
    /// When a day starts; entries before it belong to the day before.
    pub day_start: civil::Time,
    /// The zone of a time written without an offset, and of new entries.
    pub clock: Clock,
    /// Names this machine's folder under `.index/`.
    pub machine: String,
}

/// What the file system says of a day file: cheap to compare.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileStamp {
    /// `2026-02-22.md`.
    pub file: Arc<str>,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

/// Something in a file that is no entry, or an entry that cannot be edited: counted, listed, never dropped.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Notice {
    pub file: Arc<str>,
    /// From 1.
    pub line: usize,
    pub kind: NoticeKind,
    /// A sentence for the reader.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NoticeKind {
    /// A `---` and a known key that make no head (a torn head, a pasted front matter).
    NoHead,
    /// The file or the entry holds bytes that are not UTF-8.
    NotUtf8,
    /// One id with two bodies.
    SameId,
    /// A file that could not be read.
    Unreadable,
    /// A copy made by a file-sync program, or git conflict markers.
    SyncConflict,
}

/// One day file as read.
#[derive(Debug, Clone, PartialEq)]
pub struct DayFile {
    pub stamp: FileStamp,
    /// In file order. Their `id`s are final only after [`super::identity::resolve`] over the whole vault.
    pub entries: Vec<WrittenEntry>,
    pub notices: Vec<Notice>,
}

/// An entry as one file has it: named by what is written there.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenEntry {
    /// `id` is the written id, or else the time as written.
    pub entry: Entry,
    /// Whether the file has an `id:`.
    pub has_id: bool,
}

/// One journal's files.
#[derive(Debug, Clone)]
pub struct Vault {
    options: VaultOptions,
}

/// A deleted, replaced or vanished entry that can be put back.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    /// Names this piece of trash for [`Vault::restore`]: the entry's id, with `#2`, `#3`... for older ones of the same id.
    pub handle: String,
    pub entry: Entry,
    pub trashed: super::EntryTime,
    pub why: TrashReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrashReason {
    Edited,
    Deleted,
    Moved,
    Vanished,
}

/// What became of an edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Edited {
    /// Written in place (or moved to another day's file). The entry as it now stands.
    Saved(Entry),
    /// Nothing was different.
    Unchanged(Entry),
    /// The entry was changed by somebody else meanwhile: their text stands, this one was kept as a second entry.
    KeptBoth { theirs: Entry, mine: Entry },
}

impl Vault {
    /// Opens a vault; makes its folders only when something is first written.
    pub fn open(options: VaultOptions) -> Result<Self, super::VaultError> {
        let _ = options;
        todo!()
    }
    /// The folder with the day files: `root/memory` if it is there (or `root` is one of ours), else `root`.
    pub fn entries_folder(&self) -> &Path {
        todo!()
    }
    /// `root/.index/<machine>`.
    pub fn index_folder(&self) -> PathBuf {
        self.options.root.join(".index").join(&self.options.machine)
    }
    pub fn options(&self) -> &VaultOptions {
        &self.options
    }
    /// Every day file with its stamp, sorted by name. One `stat` a file; reads none.
    pub fn files(&self) -> Result<Vec<FileStamp>, super::VaultError> {
        todo!()
    }
    /// Reads one day file. An unreadable one is an error; odd content is a notice.
    pub fn read(&self, file: &str) -> Result<DayFile, super::VaultError> {
        let _ = file;
        todo!()
    }
    /// Writes a new entry; durable (file, folder, second copy in `recent/`) when this returns.
    pub fn append(&self, new: NewEntry) -> Result<Entry, super::VaultError> {
        let _ = new;
        todo!()
    }
    /// Changes an entry against the version the writer saw (`base`). The old text goes to the trash.
    pub fn edit(&self, base: &Entry, change: Change) -> Result<Edited, super::VaultError> {
        let _ = (base, change);
        todo!()
    }
    /// Moves an entry to the trash. Refused if it changed since `base` was read.
    pub fn remove(&self, base: &Entry) -> Result<Trashed, super::VaultError> {
        let _ = base;
        todo!()
    }
    /// Everything in the trash, newest first.
    pub fn trash(&self) -> Result<Vec<Trashed>, super::VaultError> {
        todo!()
    }
    /// Puts a piece of trash back: a deleted or vanished entry returns to its day, an edited one replaces the present text
    /// (which goes to the trash in turn).
    pub fn restore(&self, handle: &str) -> Result<Entry, super::VaultError> {
        let _ = handle;
        todo!()
    }
    /// Keeps the last known text of an entry that another program removed or changed.
    pub fn keep_vanished(&self, last_known: &Entry) -> Result<Option<Trashed>, super::VaultError> {
        let _ = last_known;
        todo!()
    }
    /// Finds the file block an id names now, by reading the given file (as the index remembers it).
    pub fn find(&self, file: &str, id: &EntryId) -> Result<Option<Entry>, super::VaultError> {
        let _ = (file, id);
        todo!()
    }
    /// Appends many entries (import) with one durable write a file. Idempotent: the same id and body, or without an id the same
    /// time and body, is skipped; a known id with another body is reported and nothing is overwritten.
    pub fn append_all(&self, new: Vec<NewEntry>) -> Result<Appended, super::VaultError> {
        let _ = new;
        todo!()
    }
    /// Writes a draft durably, replacing its older state.
    pub fn keep_draft(&self, draft: &Draft) -> Result<(), super::VaultError> {
        let _ = draft;
        todo!()
    }
    pub fn drop_draft(&self, id: &DraftId) -> Result<(), super::VaultError> {
        let _ = id;
        todo!()
    }
    /// Every draft that was never saved, newest first.
    pub fn drafts(&self) -> Result<Vec<Draft>, super::VaultError> {
        todo!()
    }
}

/// What an import came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Appended {
    pub added: Vec<EntryId>,
    /// Already in the vault, word for word.
    pub known: usize,
    /// Known ids whose text differs: left alone.
    pub differing: Vec<EntryId>,
}
