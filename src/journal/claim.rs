//! Confirmation before the first write into a folder that is not a journal and contains other files.
//!
//! Any folder can be given as a vault, even by mistake (`/etc`, a home folder). The user is asked before the first
//! write; the vault's lock file records the consent.

use std::path::Path;

use super::{
    Vault, VaultError,
    day_names::{day_of, folders_below, names_in},
    folders::FLAT,
};

impl Vault {
    /// The number of files and folders in the root if it does not look like a journal: no day file, nothing that kioku
    /// wrote, no earlier [`Vault::claim`]. `None` if kioku may write without asking.
    pub fn unclaimed(&self) -> Result<Option<usize>, VaultError> {
        let root = &self.options().root;
        if self.ours || self.entries_folder() != root || root.join(FLAT).is_file() {
            return Ok(None);
        }
        let names = names_in(root)?;
        let is_claimed = names.iter().any(|name| name == ".lock" || is_day(root, name));
        if names.is_empty() || is_claimed || holds_day(root) {
            return Ok(None);
        }
        Ok(Some(names.len()))
    }

    /// Records the user's consent: from now on [`Vault::unclaimed`] returns `None`.
    pub fn claim(&self) -> Result<(), VaultError> {
        self.lock().map(drop)
    }
}

/// Maximum number of folders searched for a day file. A home folder may contain very many.
const FOLDERS_LOOKED_INTO: usize = 500;

/// Whether a subfolder contains a file named after a day: some journals use `daily/` or `2026/02/`.
fn holds_day(root: &Path) -> bool {
    folders_below(root)
        .take(FOLDERS_LOOKED_INTO)
        .any(|folder| names_in(&folder).is_ok_and(|below| below.iter().any(|name| is_day(&folder, name))))
}

fn is_day(folder: &Path, name: &str) -> bool {
    day_of(name).is_some() && folder.join(name).is_file()
}
