//! File system writes for all layers: atomic replace, append, remove, and lock files.
//!
//! When a function returns `Ok`, contents and folder entry are fsynced. No other module writes files, so that
//! encryption can be added in one place (tantivy, hnsw_rs and the model store write in their own folders).

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, PersistError};

use super::{
    VaultError,
    fault::{point, write_all},
};

/// Prefix of the temporary files of [`replace`]. [`sweep`] removes those left by a crash.
pub(crate) const TEMPORARY_PREFIX: &str = ".kioku-";
/// Suffix of the temporary files of [`replace`], so that no program reads them as markdown.
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";

/// Replaces or creates a file atomically: at every moment it has either the old or the new bytes. An existing file
/// keeps its permissions, a new one is readable by the owner only. Follows a symbolic link.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    fill(path, true, &mut |file| write_all(file, bytes)).map(drop)
}

/// Replaces a file only if its content is still `expected`, else an error about the entry or file `id`: other programs do
/// not use our lock. The window between the last read and the rename remains.
pub fn replace_if(path: &Path, id: &str, expected: &[u8], bytes: &[u8]) -> Result<(), VaultError> {
    let path = &followed(path);
    let temporary = prepared(path, &mut |file| write_all(file, bytes))?;
    if read(path)?.as_deref() != Some(expected) {
        return Err(VaultError::Changed { id: id.into(), path: path.clone() });
    }
    // A rename would also replace a read-only file.
    #[cfg(unix)]
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).map_err(|no| VaultError::io("write", path, no.into()))?;
    exchange(path, temporary)
}

/// Creates a file atomically, as [`replace`] does; `false` if the name is taken, and nothing is changed.
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool, VaultError> {
    fill(path, false, &mut |file| write_all(file, bytes))
}

/// Gives a temporary file its name durably; `false` if the name is taken.
fn name(temporary: NamedTempFile, path: &Path) -> Result<bool, VaultError> {
    match retried(|temporary| temporary.persist_noclobber(path), temporary) {
        Ok(_) => {
            point();
            sync_folder(folder_of(path)).map(|()| true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(VaultError::io("create", path, error)),
    }
}

/// Renames a temporary file. On Windows, a scanner or indexer may have the old or the new file open for a moment.
fn retried<T>(
    mut rename: impl FnMut(NamedTempFile) -> Result<T, PersistError>,
    mut temporary: NamedTempFile,
) -> io::Result<T> {
    /// Access denied, sharing violation, lock violation.
    const OPEN_ELSEWHERE: [Option<i32>; 3] = [Some(5), Some(32), Some(33)];
    const LONGEST_PAUSE: Duration = Duration::from_millis(if cfg!(any(windows, test)) { 512 } else { 0 });
    let mut pause = Duration::from_millis(1);
    loop {
        let PersistError { error, file } = match rename(temporary) {
            Ok(done) => return Ok(done),
            Err(failed) => failed,
        };
        if pause > LONGEST_PAUSE || !OPEN_ELSEWHERE.contains(&error.raw_os_error()) {
            return Err(error);
        }
        temporary = file;
        thread::sleep(pause);
        pause *= 2;
    }
}

/// Creates a file and then fsyncs it. `named` is called in between: from then on every process sees the whole file, and
/// a kill of this one does not lose it.
pub fn create_and_sync(path: &Path, bytes: &[u8], named: impl FnOnce()) -> Result<(), VaultError> {
    let fault = |source| VaultError::io("create", path, source);
    let mut temporary = temporary_in(folder_of(path)).map_err(|error| fault(without_temporary_name(error)))?;
    point();
    write_all(&mut temporary, bytes).map_err(fault)?;
    point();
    let file = retried(|temporary| temporary.persist_noclobber(path), temporary).map_err(fault)?;
    named();
    point();
    file.sync_all().map_err(fault)?;
    sync_folder(folder_of(path))
}

/// Like [`create`], but an existing file is an error.
pub fn create_new(path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    if create(path, bytes)? {
        return Ok(());
    }
    let source = io::Error::new(io::ErrorKind::AlreadyExists, "it already exists and was not changed");
    Err(VaultError::io("create", path, source))
}

/// A copy that is on disk, but has no name yet. It is removed if it is dropped.
#[derive(Debug)]
pub struct Received {
    temporary: NamedTempFile,
    /// SHA-256 of the bytes.
    pub digest: [u8; 32],
    pub length: u64,
}

/// Copies everything that `from` gives into a temporary file in a folder, and fsyncs it. `None` if that is more than
/// `most` bytes. `source` names it in errors.
pub fn receive(folder: &Path, from: &mut dyn Read, source: &Path, most: u64) -> Result<Option<Received>, VaultError> {
    let fault = |error| VaultError::io("copy to", folder, error);
    let mut temporary = temporary_in(folder).map_err(fault)?;
    point();
    let mut write = |part: &[u8]| write_all(&mut temporary, part).map_err(fault);
    let Some((digest, length)) = hashed(from, source, most, &mut write)? else { return Ok(None) };
    temporary.as_file().sync_all().map_err(fault)?;
    point();
    Ok(Some(Received { temporary, digest, length }))
}

/// SHA-256 and length of everything that `from` gives, which is handed on in parts. `None` if that is more than `most`
/// bytes. `source` names it in errors.
pub fn hashed(
    from: &mut dyn Read,
    source: &Path,
    most: u64,
    each: &mut dyn FnMut(&[u8]) -> Result<(), VaultError>,
) -> Result<Option<([u8; 32], u64)>, VaultError> {
    let (mut digest, mut length, mut part) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match from.read(&mut part) {
            Ok(0) => return Ok(Some((digest.finalize().into(), length))),
            Ok(count) => {
                length += count as u64;
                if length > most {
                    return Ok(None);
                }
                digest.update(&part[..count]);
                each(&part[..count])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(VaultError::io("read", source, error)),
        }
    }
}

impl Received {
    /// Gives the copy its name durably; `false` if the name is taken, and nothing is changed.
    pub fn keep(self, path: &Path) -> Result<bool, VaultError> {
        name(self.temporary, path)
    }
}

/// Creates a file atomically with what `fill` writes; `false` if the name is taken, and it may not be replaced.
pub fn fill(
    path: &Path,
    may_replace: bool,
    fill: &mut dyn FnMut(&mut File) -> io::Result<()>,
) -> Result<bool, VaultError> {
    if may_replace {
        let path = &followed(path);
        return exchange(path, prepared(path, fill)?).map(|()| true);
    }
    name(prepared(path, fill)?, path)
}

/// Moves a file to a name that must be free, and dates it `at`, because the age of a piece of trash counts from then.
pub fn move_to(from: &Path, to: &Path, at: SystemTime) -> Result<(), VaultError> {
    let fault = |source| VaultError::io("move", from, source);
    if to.exists() {
        return Err(fault(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", to.display()))));
    }
    fs::rename(from, to).map_err(fault)?;
    point();
    // Without the date the file only stays in the trash for a shorter time.
    let _ = File::open(to).and_then(|file| file.set_modified(at));
    sync_folder(folder_of(to))?;
    sync_folder(folder_of(from))
}

/// What `fill` writes, fsynced in a temporary file in the folder of the target.
fn prepared(path: &Path, fill: &mut dyn FnMut(&mut File) -> io::Result<()>) -> Result<NamedTempFile, VaultError> {
    let fault = |source| VaultError::io("write", path, source);
    let mut temporary = temporary_in(folder_of(path)).map_err(|error| fault(without_temporary_name(error)))?;
    point();
    fill(temporary.as_file_mut()).map_err(fault)?;
    if let Ok(present) = fs::metadata(path) {
        temporary.as_file().set_permissions(present.permissions()).map_err(fault)?;
    }
    temporary.as_file().sync_all().map_err(fault)?;
    point();
    Ok(temporary)
}

/// A temporary file that stays locked while its process lives, so that [`sweep`] removes only those of killed
/// processes.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let made = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX).tempfile_in(folder)?;
        #[cfg(unix)]
        {
            // No links left: another process swept the file before it was locked. Without file locks, `sweep` goes by
            // the age.
            let swept = made.as_file().lock().is_ok()
                && std::os::unix::fs::MetadataExt::nlink(&made.as_file().metadata()?) == 0;
            if swept {
                continue;
            }
        }
        return Ok(made);
    }
}

/// Whether the process that created a temporary file has ended.
fn is_left_over(file: &File) -> bool {
    /// Age limit for file systems without locks; no replacement takes this long.
    const OLD: Duration = Duration::from_secs(24 * 60 * 60);
    match if cfg!(unix) { file.try_lock() } else { Err(TryLockError::Error(io::ErrorKind::Unsupported.into())) } {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            file.metadata().and_then(|found| found.modified()).is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD))
        }
    }
}

/// Removes the temporary files of killed processes from a folder. Returns the number removed.
pub fn sweep(folder: &Path) -> Result<usize, VaultError> {
    let listing = if_there(fs::read_dir(folder)).map_err(|error| VaultError::io("list", folder, error))?;
    let mut swept = 0;
    for path in listing.into_iter().flatten().flatten().map(|file| file.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !(name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)) {
            continue;
        }
        // Remove while holding the lock: if the creating process is alive after all, it sees the removal and creates
        // another.
        if let Ok(file) = open_plain(&path)
            && is_left_over(&file)
        {
            remove(&path)?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// tempfile's errors name the temporary file; the user needs the name of the target.
fn without_temporary_name(error: io::Error) -> io::Error {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, StorageFull};
    match error.kind() {
        NotFound => io::Error::new(NotFound, "no such folder"),
        kind @ (NotADirectory | PermissionDenied | ReadOnlyFilesystem | StorageFull) => io::Error::from(kind),
        _ => error,
    }
}

fn exchange(path: &Path, temporary: NamedTempFile) -> Result<(), VaultError> {
    retried(|temporary| temporary.persist(path), temporary).map_err(|source| VaultError::io("write", path, source))?;
    point();
    sync_folder(folder_of(path))
}

/// Appends bytes to a file, and creates it if it is absent. If the write fails half-way (disk full), the partial bytes
/// are removed, so that a retry leaves one copy.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    let is_new = !path.exists();
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    let mut file = open_itself(path, options).map_err(|source| VaultError::io("append to", path, source))?;
    add_to(&mut file, path, bytes)?;
    sync_appended(&file, path, is_new)
}

/// Cuts a file back to its length before an append: needs no space on a full disk.
pub fn cut(path: &Path, length: usize) -> Result<(), VaultError> {
    let mut options = OpenOptions::new();
    options.write(true);
    let cut = open_itself(path, options).and_then(|file| file.set_len(length as u64).and_then(|()| file.sync_all()));
    cut.map_err(|source| VaultError::io("shorten", path, source))
}

/// Appends to a file only if its content is still `expected` (`None`: absent). Returns `false` and writes nothing if
/// another program, which does not use our lock, has changed, created or removed it. The comparison runs on the opened
/// file; the window between this read and the write remains.
pub fn append_if(path: &Path, expected: Option<&[u8]>, bytes: &[u8]) -> Result<bool, VaultError> {
    let Some(file) = add_if(path, expected, bytes)? else { return Ok(false) };
    sync_appended(&file, path, expected.is_none()).map(|()| true)
}

/// Makes appended bytes durable, and the name of a new file.
fn sync_appended(file: &File, path: &Path, is_new: bool) -> Result<(), VaultError> {
    file.sync_all().map_err(|source| VaultError::io("append to", path, source))?;
    point();
    if is_new { sync_folder(folder_of(path)) } else { Ok(()) }
}

/// Like [`append_if`], without fsync.
fn add_if(path: &Path, expected: Option<&[u8]>, bytes: &[u8]) -> Result<Option<File>, VaultError> {
    let fault = |source| VaultError::io("append to", path, source);
    let mut options = OpenOptions::new();
    options.read(true).append(true).create_new(expected.is_none());
    let mut file = match open_itself(path, options) {
        Ok(file) => file,
        Err(error) if expected.is_none() && error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        Err(error) if expected.is_some() && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(error)),
    };
    if let Some(expected) = expected {
        let mut present = Vec::with_capacity(expected.len());
        file.read_to_end(&mut present).map_err(fault)?;
        if present != expected {
            return Ok(None);
        }
    }
    add_to(&mut file, path, bytes)?;
    Ok(Some(file))
}

fn add_to(file: &mut File, path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    let fault = |source| VaultError::io("append to", path, source);
    // The file may have just been created.
    point();
    let before = file.metadata().map_err(fault)?.len();
    if let Err(error) = write_all(file, bytes) {
        // Truncate only if no other program has appended: the file is not longer than with our own bytes.
        if file.metadata().is_ok_and(|now| now.len() <= before + bytes.len() as u64) && file.set_len(before).is_ok() {
            let _ = file.sync_all();
        }
        return Err(fault(error));
    }
    Ok(())
}

/// Bytes to append to a file.
pub struct Addition {
    pub path: PathBuf,
    /// Its content when it was read; `None` if it was absent.
    pub present: Option<Vec<u8>>,
    pub bytes: Vec<u8>,
}

/// Appends to many files: writes a batch, then fsyncs it, which is faster than one fsync after each write. After an
/// error some files have their bytes and some do not; partial writes are removed as in [`append`]. `Busy` if another
/// program changed a file since it was read.
pub fn append_many(additions: &[Addition]) -> Result<(), VaultError> {
    // The number of open files is limited.
    for some in additions.chunks(128) {
        let mut written = Vec::with_capacity(some.len());
        for Addition { path, present, bytes } in some {
            let file = add_if(path, present.as_deref(), bytes)?;
            written.push((path, file.ok_or_else(|| VaultError::Busy { path: path.clone() })?));
        }
        // The folders come last, each once.
        written.iter().try_for_each(|(path, file)| sync_appended(file, path, false))?;
    }
    let folders: std::collections::BTreeSet<&Path> =
        additions.iter().map(|addition| folder_of(&addition.path)).collect();
    folders.into_iter().try_for_each(sync_folder)
}

/// Creates a folder and its missing parents, accessible by the owner only. An existing folder is not changed.
pub fn create_dir(path: &Path) -> Result<(), VaultError> {
    if path.is_dir() {
        return Ok(());
    }
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|source| VaultError::io("create folder", path, source))?;
    point();
    missing.into_iter().try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// Gives a folder of derived files another name, which must be free.
pub fn rename(from: &Path, to: &Path) -> Result<(), VaultError> {
    fs::rename(from, to).map_err(|source| VaultError::io("rename", from, source))?;
    point();
    sync_folder(folder_of(to))
}

/// Removes a file; an absent file is not an error.
pub fn remove(path: &Path) -> Result<(), VaultError> {
    removed(path, fs::remove_file(path))
}

/// Removes a folder recursively; an absent folder is not an error. Only for derived files.
pub fn remove_dir(path: &Path) -> Result<(), VaultError> {
    removed(path, fs::remove_dir_all(path))
}

fn removed(path: &Path, done: io::Result<()>) -> Result<(), VaultError> {
    if if_there(done).map_err(|error| VaultError::io("remove", path, error))?.is_none() {
        return Ok(());
    }
    point();
    sync_folder(folder_of(path))
}

/// `None` if the file or folder does not exist.
pub fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file's bytes; `None` if the file does not exist.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, VaultError> {
    let read = |mut file: File| {
        let mut bytes = Vec::with_capacity(file.metadata().map_or(0, |found| found.len() as usize));
        file.read_to_end(&mut bytes).map(|_| bytes)
    };
    if_there(open_plain(path).and_then(read)).map_err(|error| VaultError::io("read", path, error))
}

/// A file's last byte; `None` if the file is empty or absent.
pub fn last_byte(path: &Path) -> Result<Option<u8>, VaultError> {
    let last = |mut file: File| {
        if file.seek(SeekFrom::End(0))? == 0 {
            return Ok(None);
        }
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok(Some(byte[0]))
    };
    let found = if_there(open_plain(path).and_then(last)).map_err(|error| VaultError::io("read", path, error));
    found.map(Option::flatten)
}

/// Exclusive lock among all kioku processes and threads, held until dropped.
///
/// The lock file is never renamed or deleted: otherwise two holders could lock two different files of the same name.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits up to `limit` for the lock at `path`, whose folder must exist.
    pub fn wait(path: &Path, limit: Duration) -> Result<Self, VaultError> {
        let deadline = Instant::now() + limit;
        let file = Self::open(path)?;
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(source)) => return Err(VaultError::io("lock", path, source)),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    return Err(VaultError::Locked { path: path.to_path_buf(), waited: limit });
                }
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(16));
                }
            }
        }
    }

    /// Takes the lock if it is free.
    pub fn try_take(path: &Path) -> Result<Option<Self>, VaultError> {
        let file = Self::open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(VaultError::io("lock", path, source)),
        }
    }

    fn open(path: &Path) -> Result<File, VaultError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        // An empty folder in its place holds nothing that could be lost; anything else stays.
        let _ = fs::remove_dir(path);
        open_itself(path, options).map_err(|source| VaultError::io("open lock", path, source))
    }
}

/// Makes a file or folder accessible by the owner only. For files that a library created with other permissions.
pub fn make_private(path: &Path) -> Result<(), VaultError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let fault = |source| VaultError::io("set the mode of", path, source);
        let found = fs::symlink_metadata(path).map_err(fault)?;
        let mode = if found.is_dir() { 0o700 } else { 0o600 };
        if !found.is_symlink() && found.permissions().mode() & 0o777 != mode {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(fault)?;
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Like [`make_private`], recursively.
pub fn make_private_below(path: &Path) -> Result<(), VaultError> {
    make_private(path)?;
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let listing = if is_folder { fs::read_dir(path).ok() } else { None };
    listing.into_iter().flatten().flatten().try_for_each(|entry| make_private_below(&entry.path()))
}

/// Opens a regular file for writing, without following a link. A new file is readable by the owner only.
#[cfg_attr(not(unix), expect(unused_mut, reason = "the flags are those of Unix"))]
fn open_itself(path: &Path, mut options: OpenOptions) -> io::Result<File> {
    if let Some(found) = if_there(fs::symlink_metadata(path))? {
        expect_file(&found)?;
    }
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Another program may put a pipe or a link there after the check above.
        options.mode(0o600).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

/// Opens a regular file for reading. Follows links, but refuses devices and pipes, which could block for ever.
pub fn open_plain(path: &Path) -> io::Result<File> {
    expect_file(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

fn expect_file(found: &fs::Metadata) -> io::Result<()> {
    match found {
        found if found.is_file() => Ok(()),
        found if found.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        found if found.is_symlink() => Err(io::Error::other("it is a link")),
        _ => Err(io::Error::other("it is a device, a pipe or a socket")),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Resolves a link: a rename over the link would replace the link instead of its target.
fn followed(path: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link { fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()) } else { path.to_path_buf() }
}

/// Makes a new name in a folder durable. Only Unix can open a folder to fsync it; elsewhere the file system journals
/// names.
pub fn sync_folder(folder: &Path) -> Result<(), VaultError> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|handle| handle.sync_all());
        synced.map_err(|source| VaultError::io("sync folder", folder, source))?;
        point();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replacing_leaves_the_new_bytes_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.md"]);
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told_by_its_own_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent").join("a.md");
        let VaultError::Io { path: told, source, .. } = replace(&path, b"one").unwrap_err() else { panic!() };
        assert_eq!((told, source.kind()), (path, io::ErrorKind::NotFound));
        assert!(!source.to_string().contains(TEMPORARY_PREFIX), "{source}");
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        create_new(&path, b"one").unwrap();
        let refused = create_new(&path, b"two").unwrap_err().to_string();
        assert!(refused.contains("it already exists"), "{refused}");
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(folder.path()).len()), (&b"one"[..], 1));
        assert!(create_new(&folder.path().join("absent").join("b"), b"").is_err());
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        let replaced = |before: &[u8]| replace_if(&path, "a", before, b"new").is_ok();
        assert!(!replaced(b""), "it was there, and is gone");
        fs::write(&path, "by vim").unwrap();
        assert!(!replaced(b"old"));
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(folder.path()).len()), (&b"by vim"[..], 1));
        assert!(replaced(b"by vim"));
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_failed_replace_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::create_dir(&path).unwrap();
        assert!(replace(&path, b"two").is_err());
        assert!(path.is_dir());
        assert_eq!(names(folder.path()), ["a"]);
        assert!(replace(&folder.path().join("absent").join("b"), b"").is_err());
    }

    #[test]
    fn a_file_that_another_program_has_open_is_replaced_a_moment_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut tries = 0;
        let held = |code: i32, most: usize, tries: &mut usize| {
            let mut rename = |file: NamedTempFile| {
                *tries += 1;
                match *tries > most {
                    true => file.persist(&path),
                    false => Err(PersistError { error: io::Error::from_raw_os_error(code), file }),
                }
            };
            retried(&mut rename, temporary_in(folder.path()).unwrap()).map(drop)
        };
        held(32, 3, &mut tries).unwrap();
        assert_eq!((tries, names(folder.path())), (4, vec!["a".to_owned()]));
        tries = 0;
        assert!(held(28, 3, &mut tries).is_err(), "a full disk");
        assert_eq!((tries, names(folder.path()).len()), (1, 1));
    }

    #[test]
    fn a_file_that_another_program_removed_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let gone = replace_if(&folder.path().join("a"), "a", b"one", b"two");
        assert!(matches!(gone, Err(VaultError::Changed { .. })), "{gone:?}");
        assert_eq!(names(folder.path()), [] as [String; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_is_not_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        // Root may write everything.
        let is_root = append_if(&path, Some(b"one"), b"").is_ok();
        assert_eq!(replace_if(&path, "a", b"one", b"two").is_ok(), is_root);
    }

    #[test]
    fn appending_creates_and_adds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        append(&path, b"one").unwrap();
        append(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"onetwo");
    }

    #[cfg(unix)]
    #[test]
    fn new_files_are_private_and_old_ones_keep_their_mode() {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a").join("b");
        create_dir(&deep).unwrap();
        assert_eq!(mode(&deep), 0o700);
        let (added, replaced) = (deep.join("added"), deep.join("replaced"));
        append(&added, b"x").unwrap();
        replace(&replaced, b"x").unwrap();
        assert_eq!((mode(&added), mode(&replaced)), (0o600, 0o600));
        fs::set_permissions(&replaced, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&replaced, b"y").unwrap();
        assert_eq!(mode(&replaced), 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn replacing_through_a_link_keeps_the_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_held_lock_is_reported_after_the_wait_and_free_again_once_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".lock");
        let held = Lock::wait(&path, Duration::from_secs(1)).unwrap();
        assert!(Lock::try_take(&path).unwrap().is_none());
        let refused = Lock::wait(&path, Duration::from_millis(5)).unwrap_err();
        assert!(matches!(refused, VaultError::Locked { .. }), "{refused}");
        drop(held);
        assert!(Lock::try_take(&path).unwrap().is_some());
        assert!(path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_sweep_takes_what_dead_processes_left_and_nothing_of_living_ones() {
        let folder = tempfile::tempdir().unwrap();
        let living = temporary_in(folder.path()).unwrap();
        let left = folder.path().join(".kioku-dead01.tmp");
        fs::write(&left, "half a text").unwrap();
        fs::write(folder.path().join("2026-02-22.md"), "a day").unwrap();
        assert_eq!(sweep(folder.path()).unwrap(), 1);
        assert!(living.path().exists() && !left.exists());
        drop(living);
        assert_eq!(
            (names(folder.path()), sweep(&folder.path().join("absent")).unwrap()),
            (vec!["2026-02-22.md".into()], 0)
        );
    }

    #[cfg(unix)]
    #[test]
    fn neither_links_nor_pipes_are_written_to_and_pipes_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link, pipe) =
            (folder.path().join("target"), folder.path().join("link"), folder.path().join("pipe"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(append(&link, b"x").is_err() && !target.exists());
        assert!(append(&pipe, b"x").is_err() && read(&pipe).is_err() && last_byte(&pipe).is_err());
        assert!(Lock::try_take(&pipe).is_err());
    }

    #[test]
    fn removing_what_is_absent_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        append(&path, b"x").unwrap();
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert!(read(&path).unwrap().is_none());
    }
}
