//! Purge: removal of deleted entries from all derived files.
//!
//! A store that deletes an entry keeps its bytes for a while: deleted documents stay in their segments until these
//! are merged, vectors are kept so that no text is embedded twice, files of the previous checkpoint stay until the
//! next one.

use std::path::{Path, PathBuf};

use super::{Index, Result, listing, model_switch::FOLDER, words::Words};
use crate::journal::{INDEX_FOLDER, files};

impl Index {
    /// After a sync: rewrites every segment that has deleted entries, and drops vectors without an entry and all
    /// files of earlier states. Data that other models and other machines derived from the vault is deleted as a
    /// whole: they can rebuild it, and single entries cannot be removed from it. Returns the number of removed
    /// vectors.
    ///
    /// Older views keep their files open and occupy the disk space until they are dropped. `Busy` where another
    /// process writes.
    pub fn purge(&mut self) -> Result<usize> {
        if self.read_only() {
            return Err(self.refusal());
        }
        // Writes a checkpoint without the deleted entries, then removes the older files.
        let mut vectors = 0;
        for store in self.vector_stores() {
            vectors += store.forget_unheld()?;
        }
        self.checkpoint()?;
        if let Words::Writer(store) = &mut self.words {
            store.purge()?;
        }
        let dir = self.options.dir.clone();
        let kept: Vec<PathBuf> = self.vector_stores().map(|store| store.folder().to_path_buf()).collect();
        remove_others(&dir.join(FOLDER), &kept)?;
        if let Some(machines) = dir.parent().filter(|machines| machines.ends_with(INDEX_FOLDER)) {
            remove_others(machines, std::slice::from_ref(&dir))?;
        }
        Ok(vectors)
    }
}

/// Removes every folder in `parent` except those in `kept`.
fn remove_others(parent: &Path, kept: &[PathBuf]) -> Result<()> {
    if !parent.is_dir() {
        return Ok(());
    }
    for path in listing(parent)? {
        let link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        if path.is_dir() && !link && !kept.contains(&path) {
            files::remove_dir(&path)?;
        }
    }
    Ok(())
}
