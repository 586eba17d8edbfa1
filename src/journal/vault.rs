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
    Entry, EntryId, EntryTime, NewEntry, VaultError,
    day_file::{self, Reading},
    files::{self, Lock},
    identity, recent,
    searches::SEARCHES_FILE,
    word_lists, write,
};
use crate::clock::Clock;

/// How long a writer waits for another kioku. An append takes milliseconds, an import of years a few seconds.
const LOCK_WAIT: Duration = Duration::from_secs(20);

/// How often an append looks again when other programs keep changing the file.
const APPEND_TRIES: usize = 20;

/// Holds one folder of derived files for each machine.
pub const INDEX_FOLDER: &str = ".index";

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
        Ok(folder)
    }

    pub fn options(&self) -> &VaultOptions {
        &self.options
    }

    /// Every day file with its stamp, sorted by name. One `stat` a file; reads none.
    pub fn files(&self) -> Result<Vec<FileStamp>, VaultError> {
        let mut names = self.names()?;
        names.retain(|name| day_of(name).is_some());
        names.sort_unstable();
        // A file removed between listing and asking is not there.
        let stamps = |names: &[String]| -> Result<Vec<FileStamp>, VaultError> {
            names.iter().filter_map(|name| self.stamp(name).transpose()).collect()
        };
        if names.len() < WORTH_A_THREAD {
            return stamps(&names);
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

    /// Markdown files in the entries folder that a sync program made as copies of day files: not read, but not to be overlooked.
    pub fn strays(&self) -> Result<Vec<Notice>, VaultError> {
        let mut strays: Vec<Notice> = self
            .names()?
            .into_iter()
            .filter(|name| is_conflict_copy(name))
            .map(|name| Notice {
                file: name.into(),
                line: 1,
                kind: NoticeKind::SyncConflict,
                message: "a sync program kept a second version of a day here; its entries are not read".to_owned(),
            })
            .collect();
        strays.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(strays)
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
        let scan = day_file::scan(&bytes);
        let entries = day_file::entries(&bytes, &scan, &stamp.file, &self.reading());
        let notices = day_file::notices(&bytes, &scan, &stamp.file);
        Ok(Some(DayFile { stamp, entries, notices }))
    }

    /// Finds the block an id names now, by reading the given file (as the index remembers it). `None` also where
    /// a bare time names several texts: that is never one of them.
    pub fn find(&self, file: &str, id: &EntryId) -> Result<Option<Entry>, VaultError> {
        let Some(bytes) = files::read(&self.day_path(file)?)? else { return Ok(None) };
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
        let file = file_of(time.day(self.options.day_start));
        self.append_to(&file, new, &time)
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
            bytes.extend_from_slice(&write::header(stem(file)));
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
        self.tell_second_copy(recent::keep(self, &block));
        Ok(Some(scan.blocks[position].entry(&bytes, &file.into(), position, &self.reading()).entry))
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
        let folder = self.options.root.join(name);
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
            Some(_) => Ok(self.entries_folder.join(file)),
            None => {
                Err(VaultError::Absent { what: "day file", id: file.to_owned(), path: self.entries_folder.clone() })
            }
        }
    }

    /// The stamp of one day file; `None` where there is none of that name.
    pub fn stamp(&self, file: &str) -> Result<Option<FileStamp>, VaultError> {
        self.stamp_in(&self.entries_folder, file)
    }

    pub(super) fn stamp_in(&self, folder: &Path, file: &str) -> Result<Option<FileStamp>, VaultError> {
        let path = folder.join(file);
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(VaultError::io("look at", &path, error)),
        };
        if !metadata.is_file() {
            return Ok(None);
        }
        let modified = metadata.modified().map_err(|error| VaultError::io("look at", &path, error))?;
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        Ok(Some(FileStamp { file: file.into(), size: metadata.len(), modified }))
    }

    fn names(&self) -> Result<Vec<String>, VaultError> {
        names_in(&self.entries_folder)
    }
}

/// File names in a folder that are UTF-8 (day files' names are); none where the folder is absent.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, VaultError> {
    let fault = |error| VaultError::io("list", folder, error);
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fault(error)),
    };
    let mut names = Vec::new();
    for entry in listing {
        names.extend(entry.map_err(fault)?.file_name().into_string());
    }
    Ok(names)
}

pub(super) fn file_of(day: civil::Date) -> String {
    format!("{day}.md")
}

/// `2026-02-22` of `2026-02-22.md`.
pub(super) fn stem(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

/// The day a day file is named after; `None` for every other file.
pub(super) fn day_of(file: &str) -> Option<civil::Date> {
    let stem = file.strip_suffix(".md")?;
    let shaped = stem.len() == 10
        && stem
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    shaped.then(|| stem.parse().ok())?
}

/// Syncthing, Dropbox, Nextcloud and OwnCloud say "conflict"; iCloud and Google Drive number their copies.
fn is_conflict_copy(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".md") else { return false };
    let begins_with_day = stem.get(..10).is_some_and(|day| day_of(&format!("{day}.md")).is_some());
    let rest = stem.get(10..).unwrap_or_default().trim_start();
    let number = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
    begins_with_day && (rest.contains("conflict") || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())))
}

/// Where a root keeps its entries.
struct Layout {
    /// Day files stand in the root itself.
    flat: bool,
    ours: bool,
}

impl Layout {
    /// What kioku itself puts into a root.
    const OURS: [&str; 13] = [
        "memory",
        "entities",
        SEARCHES_FILE,
        "templates",
        word_lists::FOLDER,
        "trash",
        "drafts",
        "recent",
        "answers",
        ".lock",
        ".index",
        ".gitignore",
        ".git",
    ];

    fn of(root: &Path) -> Result<Self, VaultError> {
        let names = names_in(root)?;
        let has_memory = root.join("memory").is_dir();
        let has_days = names.iter().any(|name| day_of(name).is_some());
        // Another kioku may be making its first file here at this moment.
        let is_ours = |name: &str| Self::OURS.contains(&name) || name.starts_with(files::TEMPORARY_PREFIX);
        let only_ours = names.iter().all(|name| is_ours(name));
        let among_ours = root.parent().and_then(Path::file_name).is_some_and(|name| name == "journals");
        let ours = !has_days && (only_ours || among_ours);
        Ok(Self { flat: !has_memory && !ours, ours })
    }
}

#[cfg(test)]
#[path = "vault_tests.rs"]
mod tests;
