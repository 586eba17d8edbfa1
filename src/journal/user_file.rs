//! Files written on request: exports, reviews, hits. Never inside a journal; existing files are replaced only on
//! request.
//!
//! Files in a journal's folder are read as entries, so an export there would hide entries or add false ones. Each path
//! is therefore resolved (links, `..`) before the write, and refused if it is inside a known journal or a folder that
//! looks like one.

use std::{
    fs,
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use super::{
    INDEX_FOLDER, Vault, VaultError, day_file,
    day_names::{day_of, names_in},
    files,
    folders::{DRAFTS, MEMORY, RECENT, TRASH},
};

/// What to do if the file exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Refuse,
    /// Replaces a regular file; a device or a folder is still refused.
    Replace,
}

/// Writes a file that the user asked for. `journals` are folders of journals known to the caller.
///
/// # Errors
/// [`VaultError::Exists`], [`VaultError::InsideJournal`], or an error of the file system.
pub fn write(path: &Path, bytes: &[u8], existing: Existing, journals: &[PathBuf]) -> Result<(), VaultError> {
    fill(path, existing, journals, &mut |out| out.write_all(bytes))
}

/// Like [`write()`], with the content of another file, of any size.
pub fn copy(from: &Path, path: &Path, existing: Existing, journals: &[PathBuf]) -> Result<(), VaultError> {
    let mut file = files::open_plain(from).map_err(|error| VaultError::io("read", from, error))?;
    fill(path, existing, journals, &mut |out| io::copy(&mut file, out).map(drop))
}

/// Like [`write()`], with what `fill` writes, of any size.
pub fn fill(
    path: &Path,
    existing: Existing,
    journals: &[PathBuf],
    fill: &mut dyn FnMut(&mut fs::File) -> io::Result<()>,
) -> Result<(), VaultError> {
    check(path, existing, journals)?;
    let is_done = files::fill(path, existing == Existing::Replace, fill)?;
    // Another program may have created the file since the check.
    is_done.then_some(()).ok_or_else(|| VaultError::Exists { path: path.to_path_buf() })
}

/// Returns the error with which [`write()`] would refuse this path.
pub fn check(path: &Path, existing: Existing, journals: &[PathBuf]) -> Result<(), VaultError> {
    let resolved = resolved(path)?;
    if let Some(journal) = journal_around(&resolved, journals)? {
        return Err(VaultError::InsideJournal { path: path.to_path_buf(), journal });
    }
    match (fs::symlink_metadata(path), existing) {
        (Err(_), _) => Ok(()),
        (Ok(_), Existing::Refuse) => Err(VaultError::Exists { path: path.to_path_buf() }),
        (Ok(_), Existing::Replace) => match fs::metadata(path) {
            Ok(present) if !present.is_file() => {
                let source = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
                Err(VaultError::io("replace", path, source))
            }
            _ => Ok(()),
        },
    }
}

impl Vault {
    /// [`write()`] for a caller that only knows this journal.
    pub fn write_user_file(&self, path: &Path, bytes: &[u8], existing: Existing) -> Result<(), VaultError> {
        let root = &self.options().root;
        let siblings = root.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "journals"));
        let journals: Vec<PathBuf> = [root.as_path()].into_iter().chain(siblings).map(Path::to_path_buf).collect();
        write(path, bytes, existing, &journals)
    }
}

/// The path with links and `..` resolved. Its last parts need not exist.
pub(super) fn resolved(path: &Path) -> Result<PathBuf, VaultError> {
    let absolute = std::path::absolute(path).map_err(|error| VaultError::io("find", path, error))?;
    for ancestor in absolute.ancestors() {
        let Ok(mut real) = fs::canonicalize(ancestor) else { continue };
        for part in absolute.strip_prefix(ancestor).unwrap_or(Path::new("")).components() {
            match part {
                Component::ParentDir => drop(real.pop()),
                Component::Normal(name) => real.push(name),
                Component::CurDir | Component::Prefix(_) | Component::RootDir => {}
            }
        }
        return Ok(real);
    }
    Ok(absolute)
}

fn journal_around(path: &Path, journals: &[PathBuf]) -> Result<Option<PathBuf>, VaultError> {
    for journal in journals {
        if path.starts_with(resolved(journal)?) {
            return Ok(Some(journal.clone()));
        }
    }
    Ok(path.ancestors().skip(1).find(|folder| is_journal(folder)).map(Path::to_path_buf))
}

/// Whether a folder looks like a journal: it has kioku's folders, or its day files have entries in kioku's format. An
/// unreadable folder does not count, because writing into it fails anyway.
fn is_journal(folder: &Path) -> bool {
    /// Maximum number of files read: a folder of exports may contain thousands of files named after days.
    const LOOKED_INTO: usize = 8;
    let days = |folder: &Path| {
        let mut days: Vec<String> = names_in(folder).unwrap_or_default();
        days.retain(|name| day_of(name).is_some());
        days
    };
    let works_here = [MEMORY, RECENT, TRASH, DRAFTS].iter().any(|name| folder.join(name).is_dir());
    let has_entries = |name: &String| {
        let bytes = files::read(&folder.join(name)).ok().flatten().unwrap_or_default();
        day_file::scan(&bytes).has_heads()
    };
    folder.join(INDEX_FOLDER).is_dir()
        || (works_here && folder.join(".lock").exists())
        || !days(&folder.join(MEMORY)).is_empty()
        || days(folder).iter().take(LOOKED_INTO).any(has_entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "---\ntime: \"2026-02-22T10:00:00Z\"\n---\nText.\n";

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_folder_of_any_journal_is_refused_by_what_lies_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        put(&root.join("named/memory/2026-02-22.md"), "loose");
        put(&root.join("flat/2026-02-22.md"), ENTRY);
        put(&root.join("worked/.lock"), "");
        put(&root.join("worked/trash/2026-02-22.md"), "");
        put(&root.join("indexed/.index/m/catalog"), "");
        put(&root.join("exported/2026-02-22.md"), "# Sunday 22 February 2026\n\n## 10:00\n\nText.\n");
        for inside in ["named/x.md", "named/memory/x.md", "flat/x.md", "flat/new/deep/x.md", "worked/x", "indexed/x"] {
            for existing in [Existing::Refuse, Existing::Replace] {
                let refused = write(&root.join(inside), b"x", existing, &[]).unwrap_err();
                assert!(matches!(refused, VaultError::InsideJournal { .. }), "{inside}: {refused}");
            }
        }
        write(&root.join("exported/x.md"), b"x", Existing::Refuse, &[]).unwrap();
        let known = [root.join("exported")];
        assert!(write(&root.join("exported/y.md"), b"x", Existing::Replace, &known).is_err());
        assert!(write(&root.join("other/../exported/y.md"), b"x", Existing::Replace, &known).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_else() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        put(&root.join("flat/2026-02-22.md"), ENTRY);
        fs::create_dir(root.join("out")).unwrap();
        symlink(root.join("flat"), root.join("linked")).unwrap();
        symlink(root.join("flat/2026-02-22.md"), root.join("out/2026-02-22.md")).unwrap();
        symlink(root.join("nowhere"), root.join("out/dangling")).unwrap();
        symlink("/dev/null", root.join("out/device")).unwrap();
        for path in ["linked/x.md", "linked/../flat/x.md", "out/2026-02-22.md"] {
            let refused = write(&root.join(path), b"x", Existing::Replace, &[]).unwrap_err();
            assert!(matches!(refused, VaultError::InsideJournal { .. }), "{path}: {refused}");
        }
        assert!(write(&root.join("out/dangling"), b"x", Existing::Refuse, &[]).is_err());
        assert!(write(&root.join("out/device"), b"x", Existing::Replace, &[]).is_err());
        assert_eq!(fs::read_to_string(root.join("flat/2026-02-22.md")).unwrap(), ENTRY);
        assert!(!root.join("nowhere").exists());
    }

    #[test]
    fn a_file_is_replaced_only_where_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        write(&path, b"one", Existing::Refuse, &[]).unwrap();
        assert!(matches!(write(&path, b"two", Existing::Refuse, &[]), Err(VaultError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", Existing::Replace, &[]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(write(folder.path(), b"x", Existing::Replace, &[]).is_err(), "a folder");
    }
}
