//! The user's word lists: the files `lexicon/*.txt` in the vault. Parsed by `extract`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{VaultError, day_names::names_in, files, folders::WORD_LISTS as FOLDER, links};

const ENDING: &str = ".txt";

/// One unparsed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordListFile {
    /// The file name without `.txt`.
    pub name: String,
    pub path: PathBuf,
    /// Invalid UTF-8 is replaced by U+FFFD.
    pub text: String,
}

/// The path of a list in a vault; it need not exist.
pub fn word_list_path(root: &Path, name: &str) -> PathBuf {
    root.join(FOLDER).join(format!("{name}{ENDING}"))
}

/// The lists of the vault with this root, sorted by name; none if the folder does not exist.
///
/// # Errors
/// An unreadable folder or file; the error names it.
pub fn word_lists(root: &Path) -> Result<Vec<WordListFile>, VaultError> {
    let folder = root.join(FOLDER);
    let mut lists = Vec::new();
    for file in names_in(&links::resolved(root, &folder)?)? {
        let Some(name) = file.strip_suffix(ENDING).filter(|name| !name.starts_with('.')) else { continue };
        let path = folder.join(&file);
        if let Some(bytes) = files::read(&links::resolved(root, &path)?)? {
            lists.push(WordListFile {
                name: name.to_owned(),
                path,
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
    }
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_lists_of_a_vault_are_its_text_files_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(word_lists(root.path()).unwrap(), []);
        let folder = root.path().join(FOLDER);
        fs::create_dir(&folder).unwrap();
        for (file, text) in [("feelings.txt", "[joy]\n"), (".feelings.txt.swp", "x"), ("notes.md", "x"), ("a.txt", "")]
        {
            fs::write(folder.join(file), text).unwrap();
        }
        let lists = word_lists(root.path()).unwrap();
        assert_eq!(lists.iter().map(|list| list.name.as_str()).collect::<Vec<_>>(), ["a", "feelings"]);
        assert_eq!(lists[1].text, "[joy]\n");
        assert_eq!(lists[1].path, word_list_path(root.path(), "feelings"));
    }
}
