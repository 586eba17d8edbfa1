//! The vault type: folders and day files of one journal, their listing and reading, paths, and the write lock.

use std::{
    collections::HashSet,
    fs,
    hash::Hash,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::{Duration, UNIX_EPOCH},
};

use jiff::civil;

use super::{
    DayFile, Entry, EntryId, FileStamp, Notice, NoticeKind, VaultError, WrittenEntry, conflict,
    day_file::{self, Reading},
    day_names::{self, Listing, day_of, folders_below, names_in},
    files::{self, Lock},
    folders::{ANSWERS, ATTACHMENTS, DRAFTS, FLAT, INDEX_FOLDER, MEMORY, NOTES, OURS, RECENT, REPLACED, TRASH},
    links,
};
use crate::clock::Clock;

/// How long a writer waits for another kioku process. An append takes milliseconds, an import of years a few seconds.
const LOCK_WAIT: Duration = Duration::from_secs(20);

/// The folders of a vault, and how times map to days.
#[derive(Debug, Clone)]
pub struct VaultOptions {
    /// `journals/<name>/`, or the folder given by `--vault`.
    pub root: PathBuf,
    /// The time at which a day starts; earlier entries belong to the day before.
    pub day_start: civil::Time,
    /// Also gives the time zone for times without an offset and for new entries.
    pub clock: Clock,
    /// This machine's name, by which older versions named its folder in `.index/`.
    pub machine: String,
    /// The local folder for the machine id, by which this machine's files in the vault are named. Without it the id is
    /// derived from `machine`.
    pub state: Option<PathBuf>,
}

#[cfg(any(test, feature = "lab"))]
impl VaultOptions {
    /// Options with days that start at midnight and a machine named `here`.
    pub fn new(root: impl Into<PathBuf>, clock: Clock) -> Self {
        Self { root: root.into(), day_start: civil::Time::midnight(), clock, machine: "here".to_owned(), state: None }
    }
}

#[cfg(test)]
impl Vault {
    /// A vault at a fixed time, 15:30 on 22 February 2026.
    pub fn of_test(root: impl Into<PathBuf>) -> Self {
        let now = "2026-02-22T15:30:00+07:00[+07:00]".parse().unwrap();
        Self::open(VaultOptions::new(root, Clock::fixed(now))).unwrap()
    }
}

/// Number of files from which half of the `stat` calls run on a second thread. One takes some microseconds.
const WORTH_A_THREAD: usize = 500;

/// The files of one journal.
#[derive(Debug, Clone)]
pub struct Vault {
    options: VaultOptions,
    entries_folder: PathBuf,
    /// Whether kioku created (or will create) the root, and may therefore put its own files directly into it.
    pub(super) ours: bool,
    pub(super) write_warnings: Arc<Mutex<Vec<String>>>,
    /// Cached: it never changes while a process runs.
    pub(super) machine_id: Arc<OnceLock<String>>,
}

impl Vault {
    /// Opens a vault. Folders are created with the first write.
    pub fn open(options: VaultOptions) -> Result<Self, VaultError> {
        let (entries_folder, ours) = layout(&options.root)?;
        Ok(Self { options, entries_folder, ours, write_warnings: Arc::default(), machine_id: Arc::default() })
    }

    /// The folder with the day files: `root/memory` if it exists (or if kioku created `root`), else `root`.
    pub fn entries_folder(&self) -> &Path {
        &self.entries_folder
    }

    /// `root/.index/<machine id>`. Not named by the host, because two machines may have the same name.
    pub fn index_folder(&self) -> PathBuf {
        self.options.root.join(INDEX_FOLDER).join(self.writing_id())
    }

    /// Creates [`Vault::index_folder`], with a `.gitignore`.
    pub fn make_index_folder(&self) -> Result<PathBuf, VaultError> {
        self.make_private(INDEX_FOLDER)?;
        let folder = self.index_folder();
        let before = self.options.root.join(INDEX_FOLDER).join(&self.options.machine);
        if !folder.exists() && before.is_dir() {
            files::rename(&before, &folder)?;
        }
        files::create_dir(&folder)?;
        if self.entries_folder == self.options.root {
            files::create(&self.options.root.join(FLAT), b"")?;
        }
        Ok(folder)
    }

    pub fn options(&self) -> &VaultOptions {
        &self.options
    }

    /// The stamps of all day files, sorted by name. Costs one `stat` per file; reads none.
    pub fn files(&self) -> Result<Vec<FileStamp>, VaultError> {
        self.stamps(&self.listing()?.day_files)
    }

    /// Like [`Vault::files`], with notices about text files that are not read: conflict copies, files without a date.
    pub fn files_and_notices(&self) -> Result<(Vec<FileStamp>, Vec<Notice>), VaultError> {
        let listing = self.listing()?;
        Ok((self.stamps(&listing.day_files)?, listing.notices()))
    }

    fn stamps(&self, names: &[String]) -> Result<Vec<FileStamp>, VaultError> {
        let stamps = |names: &[String]| self.stamps_in(&self.entries_folder, names);
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

    /// Reads one day file. An absent or unreadable file is an error; malformed content is a notice.
    pub fn read(&self, file: &str) -> Result<DayFile, VaultError> {
        let path = self.day_path(file)?;
        self.read_if_there(file)?.ok_or_else(|| VaultError::Absent { what: "day file", id: file.to_owned(), path })
    }

    /// Like [`Vault::read`], but `None` if the file does not exist.
    pub fn read_if_there(&self, file: &str) -> Result<Option<DayFile>, VaultError> {
        let path = self.day_path(file)?;
        // Stamp before reading: a change in between then shows as a newer stamp at the next scan, and is not missed.
        let Some(stamp) = self.stamp(file)? else { return Ok(None) };
        let Some(bytes) = files::read(&path)? else {
            let is_elsewhere = day_names::has_placeholder(&path);
            return if is_elsewhere { Err(VaultError::NotDownloaded { path }) } else { Ok(None) };
        };
        let mut notices = day_file::notices(&bytes, &day_file::scan(&bytes), &stamp.file);
        let merged = conflict::merged(&bytes);
        if merged.is_some() {
            // Torn heads between conflict markers are not reported in addition to the markers.
            notices.retain(|notice| matches!(notice.kind, NoticeKind::SyncConflict | NoticeKind::NotUtf8));
        }
        let split = merged.as_ref().map_or(&[][..], |merged| &merged.lines);
        for notice in notices.iter_mut().filter(|notice| notice.kind == NoticeKind::SyncConflict) {
            if !split.contains(&notice.line) {
                notice.kind = NoticeKind::MarkersInText;
                notice.message = "this text contains git conflict markers; edit it to keep what you want, or repair it on the screens".to_owned();
            }
        }
        let bytes = merged.map_or(bytes, |merged| merged.bytes);
        let entries = self.entries_in(&bytes, &stamp.file);
        Ok(Some(DayFile { stamp, entries, notices }))
    }

    /// The entries of a day file, the last one first, each parsed when it is asked for.
    pub fn entries_from_end(&self, file: &str) -> Result<impl Iterator<Item = Entry>, VaultError> {
        let bytes = files::read(&self.day_path(file)?)?.unwrap_or_default();
        let (scan, file, reading) = (day_file::scan(&bytes), file.into(), self.reading());
        let entry = move |(at, block): (usize, day_file::Block)| block.entry(&bytes, &file, at, &reading).entry;
        Ok(scan.blocks.into_iter().enumerate().rev().map(entry))
    }

    /// Finds the entry of an id by reading the given file (where the index last saw it). `None` also if the id is a
    /// time that several texts share, because it is ambiguous.
    pub fn find(&self, file: &str, id: &EntryId) -> Result<Option<Entry>, VaultError> {
        let Some(bytes) = files::read(&self.day_path(file)?)? else { return Ok(None) };
        let bytes = conflict::merged(&bytes).map_or(bytes, |merged| merged.bytes);
        let mut found: Option<WrittenEntry> = None;
        for written in self.entries_in(&bytes, file) {
            if !written.entry.goes_by(id) {
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

    /// The entries of a file with this name and content.
    pub(super) fn entries_in(&self, bytes: &[u8], file: &str) -> Vec<WrittenEntry> {
        day_file::entries(bytes, &day_file::scan(bytes), &file.into(), &self.reading())
    }

    pub(super) fn reading(&self) -> Reading {
        Reading { zone: self.options.clock.zone().clone(), day_start: self.options.day_start }
    }

    /// Takes the write lock, which all kioku processes share.
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

    /// Creates a folder of the vault that git ignores, because the git history would keep deleted texts. Each such
    /// folder has its own `.gitignore`, so that the user's is never changed.
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

    /// The path of a day file. Refuses any other name, because it could lead out of the folder.
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

    /// The path to open for a file in one of kioku's folders in the root.
    pub(super) fn path_in(&self, folder: &str, name: &str) -> Result<PathBuf, VaultError> {
        self.checked(&self.options.root.join(folder).join(name))
    }

    /// The file names in one of kioku's folders, sorted; none if it is absent.
    pub(super) fn listed_in(&self, folder: &str) -> Result<Vec<String>, VaultError> {
        names_in(&self.checked(&self.options.root.join(folder))?)
    }

    /// The day files that may be opened. [`Vault::files`] also lists unsafe links, whose reading is an error.
    pub(super) fn safe_files(&self) -> Result<Vec<FileStamp>, VaultError> {
        let mut files = self.files()?;
        files.retain(|stamp| !matches!(self.day_path(&stamp.file), Err(VaultError::UnsafeFile { .. })));
        Ok(files)
    }

    /// Those for which `is` returns true.
    pub(super) fn named_in(&self, folder: &str, is: impl Fn(&str) -> bool) -> Result<Vec<String>, VaultError> {
        let mut names = self.listed_in(folder)?;
        names.retain(|name| is(name));
        Ok(names)
    }

    /// The files named after days in one of kioku's folders.
    pub(super) fn days_in(&self, folder: &str) -> Result<Vec<String>, VaultError> {
        self.named_in(folder, day_names::is_own)
    }

    /// What `of` takes from each entry of these day files.
    pub(super) fn standing<T: Eq + Hash>(
        &self,
        files: &[FileStamp],
        of: impl Fn(Entry) -> T,
    ) -> Result<HashSet<T>, VaultError> {
        let mut standing = HashSet::new();
        for stamp in files {
            let day = self.read_if_there(&stamp.file)?;
            standing.extend(day.into_iter().flat_map(|day| day.entries).map(|written| of(written.entry)));
        }
        Ok(standing)
    }

    /// The stamp of one day file; `None` if it does not exist.
    pub fn stamp(&self, file: &str) -> Result<Option<FileStamp>, VaultError> {
        self.stamp_in(&self.entries_folder, file)
    }

    /// The stamps of files in a folder. A file removed between listing and `stat` is skipped.
    pub(super) fn stamps_in(&self, folder: &Path, names: &[String]) -> Result<Vec<FileStamp>, VaultError> {
        names.iter().filter_map(|name| self.stamp_in(folder, name).transpose()).collect()
    }

    pub(super) fn stamp_in(&self, folder: &Path, file: &str) -> Result<Option<FileStamp>, VaultError> {
        let path = folder.join(file);
        // For a file that may not be opened or whose `stat` fails, a dummy stamp: the later read returns the error, and
        // other days are not affected.
        let unreadable = FileStamp { file: file.into(), size: 0, modified: i128::MIN };
        let found = match fs::symlink_metadata(&path) {
            Ok(link) if link.is_symlink() => self.checked(&path).map_or(Ok(link), fs::metadata),
            found => found,
        };
        let metadata = match found {
            Ok(metadata) if metadata.is_dir() => return Ok(None),
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(day_names::has_placeholder(&path).then_some(unreadable));
            }
            Err(_) => return Ok(Some(unreadable)),
        };
        let modified = metadata.modified().map_err(|error| VaultError::io("look at", &path, error))?;
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        Ok(Some(FileStamp { file: file.into(), size: metadata.len(), modified }))
    }

    /// Removes temporary files of killed processes from this vault's folders. Returns their number. Files of running processes stay,
    /// so this needs no lock.
    pub fn sweep_leftovers(&self) -> Result<usize, VaultError> {
        let root = &self.options().root;
        let beside = [TRASH, REPLACED, RECENT, DRAFTS, NOTES, ANSWERS, ATTACHMENTS].map(|folder| root.join(folder));
        let index = [self.index_folder(), self.index_folder().join("vectors")];
        let mut folders: Vec<PathBuf> = vec![root.clone(), self.entries_folder().to_path_buf()];
        folders.extend(folders_below(self.entries_folder()));
        folders.extend(beside.into_iter().chain(index));
        folders.dedup();
        let mut swept = 0;
        for folder in folders {
            // Skip links that lead out of the vault.
            if let Ok(folder) = self.checked(&folder) {
                swept += files::sweep(&folder)?;
            }
        }
        Ok(swept)
    }
}

/// The folder of the day files in a root folder, and whether the root is kioku's. A folder of the user that has an index is
/// not listed again: it may have many files.
fn layout(root: &Path) -> Result<(PathBuf, bool), VaultError> {
    let memory = root.join(MEMORY);
    let has_memory = memory.is_dir();
    if !has_memory && root.join(FLAT).is_file() {
        return Ok((root.to_path_buf(), false));
    }
    let names = names_in(root)?;
    let has_days = names.iter().any(|name| day_of(name).is_some());
    // A temporary file counts as ours: another kioku process may be writing its first file here.
    let is_ours = |name: &str| OURS.contains(&name) || name.starts_with(files::TEMPORARY_PREFIX);
    let only_ours = names.iter().all(|name| is_ours(name));
    let among_ours = root.parent().and_then(Path::file_name).is_some_and(|name| name == "journals");
    let ours = !has_days && (only_ours || among_ours);
    Ok((if has_memory || ours { memory } else { root.to_path_buf() }, ours))
}
