//! The folder that tantivy writes to. In debug builds with fault injection, its write steps are counted (see
//! `journal::fault`).

use std::path::Path;

use tantivy::Directory;

use super::private_directory::PrivateDirectory;

/// The folder at `dir`.
pub(super) fn open(dir: &Path) -> tantivy::Result<Box<dyn Directory>> {
    let folder: Box<dyn Directory> = Box::new(PrivateDirectory::open(dir)?);
    #[cfg(debug_assertions)]
    if crate::journal::fault::is_armed() {
        return Ok(Box::new(counted::Counted(folder)));
    }
    Ok(folder)
}

#[cfg(debug_assertions)]
mod counted {
    use std::{
        io::{self, BufWriter, Write},
        path::Path,
        sync::Arc,
    };

    use tantivy::{
        Directory,
        directory::{
            AntiCallToken, DirectoryLock, FileHandle, Lock, TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
            error::{DeleteError, LockError, OpenReadError, OpenWriteError},
        },
    };

    use crate::journal::fault::{self, point};

    /// Every change of the folder and of a file in it is followed by a fault point.
    #[derive(Debug, Clone)]
    pub struct Counted(pub Box<dyn Directory>);

    impl Directory for Counted {
        fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
            self.0.get_file_handle(path)
        }

        fn delete(&self, path: &Path) -> Result<(), DeleteError> {
            self.0.delete(path)?;
            point();
            Ok(())
        }

        fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
            self.0.exists(path)
        }

        fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
            let writer = self.0.open_write(path)?;
            point();
            Ok(BufWriter::new(Box::new(CountedWriter(writer))))
        }

        fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
            self.0.atomic_read(path)
        }

        fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
            self.0.atomic_write(path, data)?;
            point();
            Ok(())
        }

        fn sync_directory(&self) -> io::Result<()> {
            self.0.sync_directory()?;
            point();
            Ok(())
        }

        fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
            self.0.acquire_lock(lock)
        }

        fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
            self.0.watch(callback)
        }
    }

    struct CountedWriter(WritePtr);

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
