//! Symbolic links and special files: checks before a file of a vault is opened.
//!
//! A vault may come from git or a sync program and contain links made by another person. kioku opens only regular files
//! inside the vault. A link that leads out is followed only if the configuration allows it (`follow_links`); devices,
//! pipes and sockets are never opened.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{VaultError, files::if_there};

/// `follow_links` of the configuration, set once at the start for the whole process.
static FOLLOW_OUT: AtomicBool = AtomicBool::new(false);

/// Allows links that lead out of a vault, for every vault that this process opens.
pub fn follow_links_out(follow: bool) {
    FOLLOW_OUT.store(follow, Ordering::Relaxed);
}

pub(super) fn follows_out() -> bool {
    FOLLOW_OUT.load(Ordering::Relaxed)
}

/// Resolves `path`, which must be below `root`, to the path to open: the file itself, or the target of a link inside
/// the vault. An absent file resolves to the path where it will be created; a link to an absent file is refused,
/// because a write would create the target.
pub(super) fn resolved(root: &Path, path: &Path) -> Result<PathBuf, VaultError> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let mut here = if below == path { PathBuf::new() } else { root.to_path_buf() };
    for part in below.components() {
        here.push(part);
        match fs::symlink_metadata(&here) {
            Ok(found) if found.is_symlink() => return followed(root, path),
            Ok(found) if here == path => expect_plain(path, &found)?,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(VaultError::io("look at", path, error)),
        }
    }
    Ok(path.to_path_buf())
}

/// Like [`resolved`], if some part of the path is a link.
fn followed(root: &Path, path: &Path) -> Result<PathBuf, VaultError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let target = match (fs::canonicalize(path), path.parent(), path.file_name()) {
        (Ok(target), ..) => target,
        (Err(error), ..) if is_link && error.kind() == io::ErrorKind::NotFound => {
            let target = fs::read_link(path).unwrap_or_default();
            return Err(unsafe_file(path, format!("a link to {}, which does not exist", target.display())));
        }
        (Err(error), Some(folder), Some(name)) if !is_link && error.kind() == io::ErrorKind::NotFound => {
            // A folder in the path is the link; the file does not exist yet.
            let folder = fs::canonicalize(folder).map_err(|error| VaultError::io("look at", path, error))?;
            folder.join(name)
        }
        (Err(error), ..) => return Err(VaultError::io("look at", path, error)),
    };
    let inside = fs::canonicalize(root).is_ok_and(|root| target.starts_with(root));
    if !inside && !follows_out() {
        let what = format!(
            "a link that leads out of the journal, to {}; `follow_links = true` in the file that `kioku config` names \
             allows it",
            target.display()
        );
        return Err(unsafe_file(path, what));
    }
    let found = if_there(fs::metadata(&target)).map_err(|error| VaultError::io("look at", path, error))?;
    found.map_or(Ok(()), |found| expect_plain(path, &found)).map(|()| target)
}

fn expect_plain(path: &Path, found: &fs::Metadata) -> Result<(), VaultError> {
    if found.is_file() || found.is_dir() {
        return Ok(());
    }
    Err(unsafe_file(path, "a device, a pipe or a socket".to_owned()))
}

fn unsafe_file(path: &Path, what: String) -> VaultError {
    VaultError::UnsafeFile { path: path.to_path_buf(), what }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_inside_the_vault_and_refused_where_they_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("vault"), folder.path().join("outside"));
        for made in [&root.join("memory"), &outside] {
            fs::create_dir_all(made).unwrap();
        }
        fs::write(root.join("memory/real.md"), "").unwrap();
        fs::write(outside.join("file"), "").unwrap();
        symlink("real.md", root.join("memory/inside.md")).unwrap();
        symlink("../../outside/file", root.join("memory/out.md")).unwrap();
        symlink("../../outside/absent", root.join("memory/dangling.md")).unwrap();
        symlink(&outside, root.join("trash")).unwrap();
        symlink("memory", root.join("recent")).unwrap();
        let open = |name: &str| resolved(&root, &root.join(name));
        let real = fs::canonicalize(root.join("memory")).unwrap();
        assert_eq!(open("memory/real.md").unwrap(), root.join("memory/real.md"));
        assert_eq!(open("memory/new.md").unwrap(), root.join("memory/new.md"));
        assert_eq!(open("absent/new.md").unwrap(), root.join("absent/new.md"));
        assert_eq!(open("memory/inside.md").unwrap(), real.join("real.md"));
        assert_eq!(open("recent/new.md").unwrap(), real.join("new.md"), "a linked folder, a new file");
        for out in ["memory/out.md", "memory/dangling.md", "trash", "trash/new.md", "trash/file"] {
            let refused = open(out).unwrap_err();
            assert!(matches!(&refused, VaultError::UnsafeFile { .. }), "{out}: {refused}");
        }
    }
}
