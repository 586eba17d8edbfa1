//! Stand-in for the vault's own: creating, replacing and removing files.

use std::{fs, io::Write, path::Path};

use super::VaultError;

fn told<T>(operation: &'static str, path: &Path, done: std::io::Result<T>) -> Result<T, VaultError> {
    done.map_err(|source| VaultError::Io { operation, path: path.to_path_buf(), source })
}

pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    let write = || {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    told("replacing", path, write())
}

pub fn create_dir(path: &Path) -> Result<(), VaultError> {
    told("creating", path, fs::create_dir_all(path))
}

pub fn remove(path: &Path) -> Result<(), VaultError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => told("removing", path, done),
    }
}
