//! Texts that were open in the user's editor, in a folder of the state folder.
//!
//! Each text has a folder of its own, whose lock is held while the editor runs: a folder with a free lock belongs to no
//! running process.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::journal::{
    Entry, Pass,
    files::{self, Lock},
};

/// Subfolder of the state folder.
pub const FOLDER: &str = "editor";
pub const TEXT: &str = "entry.md";
/// The original text.
pub const BEFORE: &str = ".before";
/// The subject of the text, such as an entry's id; never part of a path.
pub const OF: &str = ".of";
pub const LOCK: &str = ".lock";

/// A shorter text may occur in any file by chance.
const TELLING: usize = 24;

/// A text left over from an interrupted editor or kioku.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOver {
    /// The id of its entry, or a word such as `new`; `None` if unknown.
    pub of: Option<String>,
    /// All its files, the text first.
    pub files: Vec<PathBuf>,
}

/// The texts left over in the state folder. Removes unchanged ones, and skips texts that are still being edited.
pub fn left_over(state: &Path) -> Vec<LeftOver> {
    let mut found: Vec<LeftOver> = listed(&state.join(FOLDER)).filter_map(|folder| examined(&folder)).collect();
    // Location in earlier versions.
    let is_text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md") && path.is_file();
    found.extend(listed(state).filter(is_text).map(|path| LeftOver { of: None, files: vec![path] }));
    found.sort_by(|a, b| a.files.cmp(&b.files));
    found
}

fn listed(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path())
}

fn examined(folder: &Path) -> Option<LeftOver> {
    let lock = Lock::try_take(&folder.join(LOCK)).ok()??;
    let read = |name: &str| files::read(&folder.join(name)).ok().flatten();
    let (text, before) = (read(TEXT), read(BEFORE));
    let mut files: Vec<PathBuf> = listed(folder).collect();
    // A backup has the original text; a swap file may have unsaved changes.
    let is_own = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        [BEFORE, OF, LOCK, TEXT].contains(&name.as_ref()) || name.ends_with('~')
    };
    let nothing_typed = text.as_ref().is_none_or(|text| text.trim_ascii().is_empty()) || text == before;
    if nothing_typed && files.iter().all(is_own) {
        drop(lock);
        let _ = files::remove_dir(folder);
        return None;
    }
    files.sort_by_key(|path| (path.file_name().is_none_or(|name| name != TEXT), path.clone()));
    Some(LeftOver { of: read(OF).and_then(|of| String::from_utf8(of).ok()), files })
}

impl LeftOver {
    /// Whether it belongs to an entry, or contains its text.
    fn is_of(&self, entry: &Entry) -> bool {
        let body = entry.body.trim();
        let named = format!("{}-", entry.id);
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&named));
        let holds = |path: &PathBuf| fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(body));
        self.of.as_deref().map_or_else(|| self.files.iter().any(is_named), |of| of == entry.id.as_str())
            || (body.len() >= TELLING && self.files.iter().any(holds))
    }
}

/// Removes the texts that belong to an entry or contain its text. Returns their number, and why a file stays.
pub fn forget(state: &Path, entry: &Entry, pass: Pass) -> (usize, Vec<String>) {
    let texts: Vec<LeftOver> = left_over(state).into_iter().filter(|left| left.is_of(entry)).collect();
    let removed =
        texts.iter().filter(|_| pass == Pass::Delete).flat_map(|left| &left.files).map(|path| files::remove(path));
    (texts.len(), removed.filter_map(Result::err).map(|error| error.to_string()).collect())
}
