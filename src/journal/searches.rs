//! Saved searches: `searches.md` in the vault, one per line, which allows edits by hand and merges by line.
//!
//! ```text
//! # Saved searches
//!
//! - worries about work: mood:stressed work
//! ```
//!
//! Other lines are kept unchanged.

use std::path::PathBuf;

use super::{SEARCHES_FILE, Vault, VaultError, files};

const HEADER: &str = "# Saved searches\n\n";

/// A named query. This layer does not parse queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSearch {
    pub name: String,
    pub query: String,
}

impl SavedSearch {
    /// Parses a line `- NAME: QUERY`; `None` for any other line.
    fn of(line: &str) -> Option<Self> {
        let (name, query) = line.trim_end().strip_prefix("- ")?.split_once(": ")?;
        let (name, query) = (name.trim(), query.trim());
        (!name.is_empty() && !query.is_empty()).then(|| Self { name: name.to_owned(), query: query.to_owned() })
    }

    fn goes_by(&self, name: &str) -> bool {
        self.name.to_lowercase() == tidy_name(name).to_lowercase()
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as the file has it: on one line, without colons.
fn tidy_name(name: &str) -> String {
    flat(&name.replace(':', " "))
}

impl Vault {
    fn searches_path(&self) -> Result<PathBuf, VaultError> {
        self.checked(&self.options().root.join(SEARCHES_FILE))
    }

    /// All saved searches, in file order.
    pub fn saved_searches(&self) -> Result<Vec<SavedSearch>, VaultError> {
        let bytes = files::read(&self.searches_path()?)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(SavedSearch::of).collect())
    }

    /// Saves a search. Replaces and returns an earlier search of the same name (in any case).
    pub fn save_search(&self, search: &SavedSearch) -> Result<Option<SavedSearch>, VaultError> {
        let search = SavedSearch { name: tidy_name(&search.name), query: flat(&search.query) };
        if search.name.is_empty() || search.query.is_empty() {
            return Err(VaultError::Unwritable("a saved search needs a name and a query".to_owned()));
        }
        let mut before = None;
        self.change_searches(|lines| {
            let line = format!("- {}: {}\n", search.name, search.query);
            let same = |line: &String| SavedSearch::of(line).filter(|known| known.goes_by(&search.name));
            if let Some((old, known)) = lines.iter_mut().find_map(|line| same(line).map(|known| (line, known))) {
                *old = line;
                before = Some(known);
            } else {
                if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
                    last.push('\n');
                }
                lines.push(line);
            }
        })?;
        Ok(before)
    }

    /// Removes and returns the search of this name; `None` if there is none.
    pub fn drop_search(&self, name: &str) -> Result<Option<SavedSearch>, VaultError> {
        let mut dropped = None;
        self.change_searches(|lines| {
            lines.retain(|line| match SavedSearch::of(line).filter(|known| known.goes_by(name)) {
                Some(known) => {
                    dropped = Some(known);
                    false
                }
                None => true,
            });
        })?;
        Ok(dropped)
    }

    /// Applies `change` to the lines (with their endings). Removes a file in which only the header is left.
    fn change_searches(&self, change: impl FnOnce(&mut Vec<String>)) -> Result<(), VaultError> {
        let _lock = self.lock()?;
        let path = self.searches_path()?;
        let refused = |_| VaultError::Refused { path: path.clone(), line: 1, reason: "it is not UTF-8".to_owned() };
        let before = files::read(&path)?;
        let text = match &before {
            Some(bytes) => std::str::from_utf8(bytes).map_err(refused)?,
            None => HEADER,
        };
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        change(&mut lines);
        let after = lines.concat();
        if after == text {
            return Ok(());
        }
        if after.trim() == HEADER.trim() {
            return files::remove(&path);
        }
        match &before {
            None => files::replace(&path, after.as_bytes()),
            Some(before) => files::replace_if(&path, SEARCHES_FILE, before, after.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn vault() -> (tempfile::TempDir, Vault) {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path());
        (folder, vault)
    }

    fn search(name: &str, query: &str) -> SavedSearch {
        SavedSearch { name: name.into(), query: query.into() }
    }

    #[test]
    fn a_search_is_a_line_of_a_readable_file_and_comes_back() {
        let (folder, vault) = vault();
        vault.save_search(&search("work: worries", "mood:stressed  \"the old knot\"")).unwrap();
        vault.save_search(&search("lake", "lake -rain")).unwrap();
        let text = fs::read_to_string(folder.path().join(SEARCHES_FILE)).unwrap();
        assert_eq!(text, "# Saved searches\n\n- work worries: mood:stressed \"the old knot\"\n- lake: lake -rain\n");
        let saved = vault.saved_searches().unwrap();
        assert_eq!(saved, [search("work worries", "mood:stressed \"the old knot\""), search("lake", "lake -rain")]);
    }

    #[test]
    fn a_name_is_there_once_and_the_last_one_out_takes_the_file_along() {
        let (folder, vault) = vault();
        vault.save_search(&search("Lake", "lake")).unwrap();
        assert_eq!(vault.save_search(&search("lake", "lake tag:swim")).unwrap(), Some(search("Lake", "lake")));
        assert_eq!(vault.saved_searches().unwrap(), [search("lake", "lake tag:swim")]);
        assert_eq!(vault.drop_search("sea").unwrap(), None);
        assert_eq!(vault.drop_search("LAKE").unwrap(), Some(search("lake", "lake tag:swim")));
        assert!(!folder.path().join(SEARCHES_FILE).exists());
    }

    #[test]
    fn what_a_person_wrote_into_the_file_stays() {
        let (folder, vault) = vault();
        let path = folder.path().join(SEARCHES_FILE);
        fs::write(&path, "# Mine\r\n\r\n- sea: sea\r\n* a list of another kind: x\r\n- no query:\r\nlast words")
            .unwrap();
        vault.save_search(&search("lake", "lake")).unwrap();
        vault.drop_search("sea").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "# Mine\r\n\r\n* a list of another kind: x\r\n- no query:\r\nlast words\n- lake: lake\n");
        fs::write(&path, b"- sea: \xff\n").unwrap();
        assert!(vault.save_search(&search("lake", "lake")).is_err(), "bytes that are no text are not lost");
        assert_eq!(fs::read(&path).unwrap(), b"- sea: \xff\n");
    }

    #[test]
    fn a_vault_of_searches_alone_is_still_kiokus_own() {
        let (folder, vault) = vault();
        vault.save_search(&search("lake", "lake")).unwrap();
        let again = Vault::open(vault.options().clone()).unwrap();
        assert_eq!(again.entries_folder(), folder.path().join("memory"));
    }
}
