//! The folder of the word index: tantivy's, with owner-only file modes, since the index contains the texts of the
//! journal.
//!
//! A process that only reads writes nothing, so that it works on a read-only disk too. tantivy takes a lock to open the
//! files of a commit, and creates the lock file where there is none. If it cannot be created, opening goes on without
//! the lock: usually no other process can write here either, and if one removes a file in between, opening fails and
//! everything is searched in memory.
//!
//! Every change of the folder and of a file in it is followed by a fault point (see `journal::fault`).

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::{
    Directory,
    directory::{
        DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
    },
};

use crate::journal::{fault::point, files};

/// [`MmapDirectory`], which leaves the modes of new files to the umask.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    path: PathBuf,
    inner: MmapDirectory,
    is_read_only: bool,
}

impl Folder {
    pub fn open(path: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { path: path.to_owned(), inner: MmapDirectory::open(path)?, is_read_only: false })
    }

    pub fn open_to_read(path: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { is_read_only: true, ..Self::open(path)? })
    }

    fn expect_writable(&self) -> io::Result<()> {
        if self.is_read_only { Err(io::ErrorKind::ReadOnlyFilesystem.into()) } else { Ok(()) }
    }

    fn close_to_others(&self, path: &Path) -> io::Result<()> {
        files::make_private(&self.path.join(path)).map_err(io::Error::other)
    }
}

impl Directory for Folder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.inner.acquire_lock(lock) {
            Err(LockError::IoError(_)) if self.is_read_only => Ok(DirectoryLock::from(Box::new(()))),
            Ok(held) if !self.is_read_only => {
                // The lock works whatever its mode, so errors are ignored.
                let _ = self.close_to_others(&lock.filepath);
                Ok(held)
            }
            taken => taken,
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let refused = |error| DeleteError::IoError { io_error: Arc::new(error), filepath: path.to_path_buf() };
        self.expect_writable().map_err(refused)?;
        self.inner.delete(path)?;
        point();
        Ok(())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let refused = |error| OpenWriteError::wrap_io_error(error, path.to_path_buf());
        self.expect_writable().map_err(refused)?;
        let writer = self.inner.open_write(path)?;
        self.close_to_others(path).map_err(refused)?;
        point();
        #[cfg(debug_assertions)]
        let writer: WritePtr = io::BufWriter::new(Box::new(counted::CountedWriter(writer)));
        Ok(writer)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.expect_writable()?;
        self.inner.atomic_write(path, data)?;
        self.close_to_others(path)?;
        point();
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.expect_writable()?;
        self.inner.sync_directory()?;
        point();
        Ok(())
    }
}

#[cfg(debug_assertions)]
mod counted {
    use std::io::{self, Write};

    use tantivy::directory::{AntiCallToken, TerminatingWrite, WritePtr};

    use crate::journal::fault::{self, point};

    /// A file of the index with a fault point after every change.
    pub struct CountedWriter(pub WritePtr);

    impl Write for CountedWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            fault::write_all(&mut self.0, bytes)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl TerminatingWrite for CountedWriter {
        fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
            self.0.terminate_ref(token)?;
            point();
            Ok(())
        }
    }
}
