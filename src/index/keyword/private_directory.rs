//! tantivy's folder with owner-only file modes: the word index contains the texts of the journal.

use std::{io, path::Path, path::PathBuf, sync::Arc};

use tantivy::{
    Directory,
    directory::{
        DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
    },
};

use crate::journal::files;

/// [`MmapDirectory`], except that it leaves the modes of new files to the umask.
#[derive(Debug, Clone)]
pub struct PrivateDirectory {
    folder: PathBuf,
    inner: MmapDirectory,
}

impl PrivateDirectory {
    pub fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { folder: folder.to_owned(), inner: MmapDirectory::open(folder)? })
    }

    fn close_to_others(&self, path: &Path) -> io::Result<()> {
        files::make_private(&self.folder.join(path)).map_err(io::Error::other)
    }
}

impl Directory for PrivateDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let writer = self.inner.open_write(path)?;
        let closed = self.close_to_others(path);
        closed.map_err(|error| OpenWriteError::wrap_io_error(error, path.to_path_buf()))?;
        Ok(writer)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)?;
        self.close_to_others(path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let held = self.inner.acquire_lock(lock)?;
        // The lock works whatever its mode, so errors are ignored.
        let _ = self.close_to_others(&lock.filepath);
        Ok(held)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}
