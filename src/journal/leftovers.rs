//! Leftovers of killed processes: temporary files of replacements that never happened.

use std::path::PathBuf;

use super::{Vault, VaultError, answers, files};

impl Vault {
    /// Removes what killed processes left in the folders of this vault. Answers how many files that were. Files of living processes
    /// stay, so this needs no lock.
    pub fn sweep_leftovers(&self) -> Result<usize, VaultError> {
        let root = &self.options().root;
        let beside = ["trash", "recent", "drafts", "entities", answers::FOLDER].map(|folder| root.join(folder));
        let index = [self.index_folder(), self.index_folder().join("vectors")];
        let mut folders: Vec<PathBuf> = vec![root.clone(), self.entries_folder().to_path_buf()];
        folders.extend(beside.into_iter().chain(index));
        folders.dedup();
        let mut swept = 0;
        for folder in folders {
            // A link that leads out is not this vault's to clean.
            if let Ok(folder) = self.checked(&folder) {
                swept += files::sweep(&folder)?;
            }
        }
        Ok(swept)
    }
}
