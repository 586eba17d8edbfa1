//! The folder of the word index for a process that only reads: nothing is written, so that it works on a read-only
//! disk too.
//!
//! tantivy takes a lock to open the files of a commit, and creates the lock file where there is none. If it cannot be
//! created, opening goes on without the lock: usually no other process can write here either, and if one removes a file
//! in between, opening fails and everything is searched in memory.

use std::{io, path::Path, sync::Arc};

use tantivy::{
    Directory,
    directory::{
        DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenReadError, OpenWriteError},
    },
};

#[derive(Debug, Clone)]
pub(super) struct ReadOnlyFolder(MmapDirectory);

impl ReadOnlyFolder {
    pub fn open(dir: &Path) -> tantivy::Result<Self> {
        Ok(Self(MmapDirectory::open(dir)?))
    }
}

fn refused() -> io::Error {
    io::Error::from(io::ErrorKind::ReadOnlyFilesystem)
}

impl Directory for ReadOnlyFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.0.acquire_lock(lock) {
            Err(LockError::IoError(_)) => Ok(DirectoryLock::from(Box::new(()))),
            taken => taken,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(refused()), filepath: path.to_path_buf() })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(refused(), path.to_path_buf()))
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Err(refused())
    }
}
