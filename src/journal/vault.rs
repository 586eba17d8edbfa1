//! The vault: every reading and writing verb on the files of one journal.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, UNIX_EPOCH},
};

use jiff::civil;

use super::{
    Entry, EntryId, EntryTime, NewEntry, VaultError, conflict,
    day_file::{self, Reading},
    day_names::{self, Listing},
    files::{self, Lock},
    identity, links, recent, write,
};
use crate::clock::Clock;

pub(super) use super::day_names::{day_of, day_text as stem, file_of, names_in};

/// How long a writer waits for another kioku. An append takes milliseconds, an import of years a few seconds.
const LOCK_WAIT: Duration = Duration::from_secs(20);

/// How often an append looks again when other programs keep changing the file.
const APPEND_TRIES: usize = 20;

/// Holds one folder of derived files for each machine.
pub const INDEX_FOLDER: &str = ".index";

/// Says that the entries lie beside the index: once the last of them is gone, only kioku's own folders are left.
pub(super) const FLAT: &str = ".index/flat";

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
    /// Where this machine keeps the random id that its own files in the vault are named by; without it they go by `machine`.
    pub state: Option<PathBuf>,
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

/// Files of which half are asked after on another thread: a look at one takes some microseconds.
const WORTH_A_THREAD: usize = 500;

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
    /// Git conflict markers that tear entries apart.
    SyncConflict,

    /// A copy of a day file made by a file-sync program.
    ConflictCopy,
    /// Text files whose names hold no date.
    Undated,
    /// A head without its opening fence: what a union merge leaves.
    TornHead,
    /// Git conflict markers within the text of one entry.
    MarkersInText,
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
    entries_folder: PathBuf,
    /// Whether kioku made (or will make) the root, so that it may put its own files beside the folders.
    ours: bool,
    second_copy_fault: Arc<Mutex<Option<String>>>,
}

impl Vault {
    /// Opens a vault; makes its folders only when something is first written.
    pub fn open(options: VaultOptions) -> Result<Self, VaultError> {
        let layout = Layout::of(&options.root)?;
        let entries_folder = if layout.flat { options.root.clone() } else { options.root.join("memory") };
        Ok(Self { options, entries_folder, ours: layout.ours, second_copy_fault: Arc::default() })
    }

    /// The folder with the day files: `root/memory` if it is there (or `root` is one of ours), else `root`.
    pub fn entries_folder(&self) -> &Path {
        &self.entries_folder
    }

    /// `root/.index/<machine>`.
    pub fn index_folder(&self) -> PathBuf {
        self.options.root.join(INDEX_FOLDER).join(&self.options.machine)
    }

    /// Makes [`Vault::index_folder`], and sees to it that git does not take it up.
    pub fn make_index_folder(&self) -> Result<PathBuf, VaultError> {
        self.make_private(INDEX_FOLDER)?;
        let folder = self.index_folder();
        files::create_dir(&folder)?;
        if self.entries_folder == self.options.root {
            files::create(&self.options.root.join(FLAT), b"")?;
        }
        Ok(folder)
    }

    pub fn options(&self) -> &VaultOptions {
        &self.options
    }

    /// Every day file with its stamp, sorted by name. One `stat` a file; reads none.
    pub fn files(&self) -> Result<Vec<FileStamp>, VaultError> {
        self.stamps(&self.listing()?.day_files)
    }

    /// As [`Vault::files`], and what else in the folder holds text that is not read: conflict copies, files without a date.
    pub fn files_and_notices(&self) -> Result<(Vec<FileStamp>, Vec<Notice>), VaultError> {
        let listing = self.listing()?;
        Ok((self.stamps(&listing.day_files)?, listing.notices()))
    }

    fn stamps(&self, names: &[String]) -> Result<Vec<FileStamp>, VaultError> {
        // A file removed between listing and asking is not there.
        let stamps = |names: &[String]| -> Result<Vec<FileStamp>, VaultError> {
            names.iter().filter_map(|name| self.stamp(name).transpose()).collect()
        };
        if names.len() < WORTH_A_THREAD {
            return stamps(names);
        }
        let (first, second) = names.split_at(names.len() / 2);
        let (first, second) = thread::scope(|scope| {
            let second = scope.spawn(|| stamps(second));
            let first = stamps(first);
            (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let mut all = first?;
        all.extend(second?);
        Ok(all)
    }

    pub(super) fn listing(&self) -> Result<Listing, VaultError> {
        Listing::of(&self.checked(&self.entries_folder)?, self.entries_folder == self.options.root)
    }

    /// Reads one day file. An absent or unreadable one is an error; odd content is a notice.
    pub fn read(&self, file: &str) -> Result<DayFile, VaultError> {
        let path = self.day_path(file)?;
        self.read_if_there(file)?.ok_or_else(|| VaultError::Absent { what: "day file", id: file.to_owned(), path })
    }

    /// As [`Vault::read`]; `None` where there is no such file (any more).
    pub fn read_if_there(&self, file: &str) -> Result<Option<DayFile>, VaultError> {
        let path = self.day_path(file)?;
        // Stamped before reading: a change in between shows as a newer stamp next time, never as an older one.
        let Some(stamp) = self.stamp(file)? else { return Ok(None) };
        let Some(bytes) = files::read(&path)? else { return Ok(None) };
        let mut notices = day_file::notices(&bytes, &day_file::scan(&bytes), &stamp.file);
        let merged = conflict::merged(&bytes);
        if merged.is_some() {
            // Of what the markers tear apart only they are told.
            notices.retain(|notice| matches!(notice.kind, NoticeKind::SyncConflict | NoticeKind::NotUtf8));
        } else {
            for notice in notices.iter_mut().filter(|notice| notice.kind == NoticeKind::SyncConflict) {
                notice.kind = NoticeKind::MarkersInText;
                notice.message =
                    "git's conflict markers are part of this text; edit it to keep what you want".to_owned();
            }
        }
        let bytes = merged.map_or(bytes, |merged| merged.bytes);
        let entries = day_file::entries(&bytes, &day_file::scan(&bytes), &stamp.file, &self.reading());
        Ok(Some(DayFile { stamp, entries, notices }))
    }

    /// Finds the block an id names now, by reading the given file (as the index remembers it). `None` also where
    /// a bare time names several texts: that is never one of them.
    pub fn find(&self, file: &str, id: &EntryId) -> Result<Option<Entry>, VaultError> {
        let Some(bytes) = files::read(&self.day_path(file)?)? else { return Ok(None) };
        let bytes = conflict::merged(&bytes).map_or(bytes, |merged| merged.bytes);
        let mut found: Option<WrittenEntry> = None;
        for written in day_file::entries(&bytes, &day_file::scan(&bytes), &file.into(), &self.reading()) {
            if !identity::answers_to(id.as_str(), written.entry.id.as_str(), &written.entry.hash) {
                continue;
            }
            match &found {
                Some(first) if first.has_id || first.entry.hash == written.entry.hash => {}
                Some(_) if !written.has_id => return Ok(None),
                _ => found = Some(written),
            }
        }
        Ok(found.map(|written| Entry { id: id.clone(), ..written.entry }))
    }

    /// Writes a new entry; durable (file, folder, second copy in `recent/`) when this returns.
    /// Costs one reading of that day's file, however long the journal.
    pub fn append(&self, new: NewEntry) -> Result<Entry, VaultError> {
        let _lock = self.lock()?;
        self.append_locked(&new)
    }

    /// What kept the second copy of the last append from being written, if anything did; the entry itself was safe by then.
    pub fn second_copy_fault(&self) -> Option<String> {
        self.second_copy_fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn tell_second_copy(&self, kept: Result<(), VaultError>) {
        let fault = kept.err().map(|error| error.to_string());
        *self.second_copy_fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    pub(super) fn append_locked(&self, new: &NewEntry) -> Result<Entry, VaultError> {
        let time = self.time_of(new)?;
        let file = self.file_for(time.day(self.options.day_start));
        self.append_to(&file, new, &time)
    }

    /// The file a new entry of this day goes to: the one that is there under another of the usual names, or kioku's own.
    fn file_for(&self, day: civil::Date) -> String {
        let own = file_of(day);
        let is_there = |file: &String| self.entries_folder.join(file).is_file();
        let others = ["%Y_%m_%d.md", "%Y%m%d.md"].map(|format| day.strftime(format).to_string());
        match is_there(&own) {
            true => own,
            false => others.into_iter().find(is_there).unwrap_or(own),
        }
    }

    /// Appends to a given day's file, whatever the time says.
    pub(super) fn append_to(&self, file: &str, new: &NewEntry, time: &EntryTime) -> Result<Entry, VaultError> {
        let id = new.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(write::random_id);
        self.append_block(file, |ending| write::block(new, time, &id, ending))
    }

    /// Appends head, body and line ending as `print` gives them, and answers what then stands there.
    pub(super) fn append_block(
        &self,
        file: &str,
        print: impl Fn(write::Ending) -> Result<Vec<u8>, VaultError>,
    ) -> Result<Entry, VaultError> {
        self.make_entries_folder()?;
        for _ in 0..APPEND_TRIES {
            if let Some(entry) = self.append_block_once(file, &print)? {
                return Ok(entry);
            }
        }
        Err(VaultError::Busy { path: self.day_path(file)? })
    }

    /// `None` where another program changed the file between reading and writing.
    fn append_block_once(
        &self,
        file: &str,
        print: &impl Fn(write::Ending) -> Result<Vec<u8>, VaultError>,
    ) -> Result<Option<Entry>, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let mut bytes = present.clone().unwrap_or_default();
        let ending = write::Ending::of(&bytes);
        let block = print(ending)?;
        let before = bytes.len();
        if present.is_none() {
            // Only a new file gets one: an empty file may be one that an editor is just about to fill again.
            bytes.extend_from_slice(&write::header(&stem(file)));
        }
        let separator = write::separator(&bytes, ending);
        bytes.extend_from_slice(&separator);
        bytes.extend_from_slice(&block);
        // What is about to be written is read first: if it would not stand as one entry, nothing is written.
        let scan = day_file::scan(&bytes);
        let start = bytes.len() - block.len();
        let position = scan.blocks.iter().position(|block| block.head.opening.start == start);
        let Some(position) = position.filter(|position| position + 1 == scan.blocks.len()) else {
            return Err(VaultError::Unwritable("its text would be read as more than one entry".to_owned()));
        };
        if !files::append_if(&path, present.as_deref(), &bytes[before..])? {
            return Ok(None);
        }
        let entry = scan.blocks[position].entry(&bytes, &file.into(), position, &self.reading()).entry;
        self.tell_second_copy(recent::keep(self, &block));
        self.remember_again(&entry.id, &entry.hash)?;
        Ok(Some(entry))
    }

    /// Makes the folder of the day files where there is none yet. Where entries were written before, it is gone (a disk or a
    /// synced folder that is not there): made anew it would hide them.
    pub(super) fn make_entries_folder(&self) -> Result<(), VaultError> {
        if !self.entries_folder.is_dir() && self.has_written()? {
            return Err(VaultError::FolderGone { path: self.entries_folder.clone() });
        }
        files::create_dir(&self.entries_folder)
    }

    /// The time an entry is written with: its own string as it is, as long as a reader will understand it.
    pub(super) fn time_of(&self, new: &NewEntry) -> Result<EntryTime, VaultError> {
        let Some(time) = &new.time else { return Ok(EntryTime::of(&self.options.clock.now())) };
        self.spelled(time)
    }

    pub(super) fn spelled(&self, time: &EntryTime) -> Result<EntryTime, VaultError> {
        let zone = self.options.clock.zone();
        EntryTime::parse(&time.written, zone)
            .or_else(|| EntryTime::parse(&time.respelled(), zone))
            .ok_or_else(|| VaultError::Unwritable(format!("{:?} is no date-time", time.written)))
    }

    pub(super) fn reading(&self) -> Reading {
        Reading { zone: self.options.clock.zone().clone(), day_start: self.options.day_start }
    }

    pub(super) fn is_ours(&self) -> bool {
        self.ours
    }

    /// Sole right to write, among all kioku processes.
    pub(super) fn lock(&self) -> Result<Lock, VaultError> {
        files::create_dir(&self.options.root)?;
        let path = self.options.root.join(".lock");
        let new = !path.exists();
        let lock = Lock::wait(&path, LOCK_WAIT)?;
        if new && self.ours {
            self.ignore(&self.options.root, ".lock\n.kioku-*.tmp\n")?;
        }
        Ok(lock)
    }

    /// Makes a folder of the vault that is nobody else's business: git, which would keep for ever what the user deletes, is told
    /// to leave it out. Each such folder says so itself, so that a user's own `.gitignore` is never touched.
    pub(super) fn make_private(&self, name: &str) -> Result<PathBuf, VaultError> {
        let folder = self.checked(&self.options.root.join(name))?;
        files::create_dir(&folder)?;
        self.ignore(&folder, "*\n")?;
        Ok(folder)
    }

    fn ignore(&self, folder: &Path, what: &str) -> Result<(), VaultError> {
        let path = folder.join(".gitignore");
        if path.exists() { Ok(()) } else { files::replace(&path, what.as_bytes()) }
    }

    /// The path of a day file; refuses a name that is none (it might lead out of the folder).
    pub(super) fn day_path(&self, file: &str) -> Result<PathBuf, VaultError> {
        match day_of(file) {
            Some(_) => self.checked(&self.entries_folder.join(file)),
            None => {
                Err(VaultError::Absent { what: "day file", id: file.to_owned(), path: self.entries_folder.clone() })
            }
        }
    }

    /// The path to open for a file or folder of this vault, see [`links`].
    pub(super) fn checked(&self, path: &Path) -> Result<PathBuf, VaultError> {
        links::resolved(&self.options.root, path)
    }

    /// The path to open for a file in one of the folders that kioku keeps beside the entries.
    pub(super) fn path_in(&self, folder: &str, name: &str) -> Result<PathBuf, VaultError> {
        self.checked(&self.options.root.join(folder).join(name))
    }

    /// The file names in one of these folders; none where it is absent.
    pub(super) fn listed_in(&self, folder: &str) -> Result<Vec<String>, VaultError> {
        names_in(&self.checked(&self.options.root.join(folder))?)
    }

    /// The day files that may be opened. What may not is in [`Vault::files`], and an error to whoever reads it.
    pub(super) fn safe_files(&self) -> Result<Vec<FileStamp>, VaultError> {
        let mut files = self.files()?;
        files.retain(|stamp| !matches!(self.day_path(&stamp.file), Err(VaultError::UnsafeFile { .. })));
        Ok(files)
    }

    /// The stamp of one day file; `None` where there is none of that name.
    pub fn stamp(&self, file: &str) -> Result<Option<FileStamp>, VaultError> {
        self.stamp_in(&self.entries_folder, file)
    }

    pub(super) fn stamp_in(&self, folder: &Path, file: &str) -> Result<Option<FileStamp>, VaultError> {
        let path = folder.join(file);
        // What may not be opened, or be looked at, is read all the same: that says why, and costs no other day.
        let unreadable = FileStamp { file: file.into(), size: 0, modified: i128::MIN };
        let mut metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(_) => return Ok(Some(unreadable)),
        };
        if metadata.is_symlink()
            && let Ok(target) = self.checked(&path)
        {
            metadata = match fs::metadata(target) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(_) => return Ok(Some(unreadable)),
            };
        }
        if metadata.is_dir() {
            return Ok(None);
        }
        let modified = metadata.modified().map_err(|error| VaultError::io("look at", &path, error))?;
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        Ok(Some(FileStamp { file: file.into(), size: metadata.len(), modified }))
    }
}

/// Where a root keeps its entries.
struct Layout {
    /// Day files stand in the root itself.
    flat: bool,
    ours: bool,
}

impl Layout {
    fn of(root: &Path) -> Result<Self, VaultError> {
        let names = names_in(root)?;
        let has_memory = root.join("memory").is_dir();
        let has_days = names.iter().any(|name| day_of(name).is_some());
        // Another kioku may be making its first file here at this moment.
        let is_ours = |name: &str| day_names::OURS.contains(&name) || day_names::is_temporary(name);
        let only_ours = names.iter().all(|name| is_ours(name));
        let among_ours = root.parent().and_then(Path::file_name).is_some_and(|name| name == "journals");
        let was_flat = !has_memory && root.join(FLAT).is_file();
        let ours = !has_days && !was_flat && (only_ours || among_ours);
        Ok(Self { flat: !has_memory && !ours, ours })
    }
}

#[cfg(test)]
#[path = "vault_tests.rs"]
mod tests;
