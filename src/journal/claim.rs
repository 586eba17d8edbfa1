//! Confirmation before the first write into a folder that is not a journal and contains other files.
//!
//! Any folder can be given as a vault, even by mistake (`/etc`, a home folder). The user is asked before the first
//! write; the vault's lock file records the consent.

use std::path::Path;

use super::{
    Vault, VaultError,
    day_names::{folders_below, names_in},
    folders::FLAT,
};

impl Vault {
    /// The number of files and folders in the root if it does not look like a journal: no day file, nothing that kioku
    /// wrote, no earlier [`Vault::claim`]. `None` if kioku may write without asking.
    pub fn unclaimed(&self) -> Result<Option<usize>, VaultError> {
        let root = &self.options().root;
        if self.is_ours() || self.entries_folder() != root {
            return Ok(None);
        }
        let names = names_in(root)?;
        let is_claimed = root.join(FLAT).is_file() || names.iter().any(|name| name == ".lock" || is_dated(name));
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
        .any(|folder| names_in(&folder).is_ok_and(|below| below.iter().any(|name| is_dated(name))))
}

/// Whether a markdown or text file is named after a day, in any of the usual formats: `2026-02-22`, `2026_02_22`,
/// `20260222`.
fn is_dated(name: &str) -> bool {
    let Some((stem, "md" | "markdown" | "txt" | "org")) = name.rsplit_once('.') else { return false };
    let digits: String = stem.chars().filter(char::is_ascii_digit).take(8).collect();
    let begins = stem.starts_with(|c: char| c.is_ascii_digit());
    begins && digits.len() == 8 && (digits.starts_with("19") || digits.starts_with("20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_known_by_their_names() {
        for name in ["2026-02-22.md", "2026_02_22.md", "20260222.txt", "2026-02-22 A title.md", "2026.02.22.org"] {
            assert!(is_dated(name), "{name}");
        }
        for name in ["passwd", "README.md", "2026.md", "12345678.md", "host-20260222.conf", "v20260222.md"] {
            assert!(!is_dated(name), "{name}");
        }
    }
}
