//! Files in the folder of the word index that do not belong to its last commit.
//!
//! tantivy names the list of a segment's deleted entries after the number of the commit and refuses to overwrite one.
//! A process killed between writing that file and `meta.json` leaves it behind, and so does a sync program that
//! restores an older `meta.json`: the next deletion would get the same number and fail every time. tantivy's own
//! garbage collection knows only the files in `.managed.json`, which may be an outdated copy too. So the folder is
//! swept by the file list of the commit, under both of tantivy's locks.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use tantivy::{
    Directory, Index, IndexMeta,
    directory::{INDEX_WRITER_LOCK, META_LOCK},
    index::SegmentComponent,
};

use super::guarded;
use crate::{
    index::{Result, listing},
    journal::files,
};

/// Files that belong to every index.
const OWN: [&str; 2] = ["meta.json", ".managed.json"];

/// Removes files that the last commit does not reference. The caller holds the writer's lock and runs no merges; a
/// reader that is opening files holds the other one. A file that cannot be removed is an error if it `must_go`.
pub(super) fn sweep(dir: &Path, index: &Index, must_go: impl Fn(&Path) -> bool) -> Result<()> {
    let _readers = guarded("sweep", || Ok(index.directory().acquire_lock(&META_LOCK)?))?;
    let living = living(&guarded("sweep", || index.load_metas())?);
    for path in listing(dir)? {
        let name = path.file_name().map(Path::new).unwrap_or(&path);
        if !is_lock(name) && !living.contains(name) {
            remove(&path).or_else(|error| if must_go(name) { Err(error) } else { Ok(()) })?;
        }
    }
    Ok(())
}

/// Names of the files that a commit references.
fn living(metas: &IndexMeta) -> HashSet<PathBuf> {
    let mut living = metas.list_segment_files();
    for segment in metas.segments.iter().filter(|segment| !segment.has_deletes()) {
        living.remove(&segment.relative_path(SegmentComponent::Delete));
    }
    living.extend(OWN.map(PathBuf::from));
    living
}

/// The files of the last commit that are missing (tantivy reads some of them as empty) or whose checksum does not
/// match. Reads all of them.
pub(super) fn damaged_files(dir: &Path, index: &Index) -> Result<Vec<PathBuf>> {
    let mut damaged = guarded("verify", || {
        let metas = index.load_metas()?;
        let temporary: HashSet<PathBuf> =
            metas.segments.iter().map(|segment| segment.relative_path(SegmentComponent::TempStore)).collect();
        let mut damaged = Vec::new();
        for name in living(&metas).difference(&temporary).filter(|name| !OWN.iter().any(|own| name.ends_with(own))) {
            if !dir.join(name).exists() || !index.directory().validate_checksum(name)? {
                damaged.push(dir.join(name));
            }
        }
        Ok(damaged)
    })?;
    damaged.sort();
    Ok(damaged)
}

/// Removes folders in the place of files and the other way round: a folder cannot be locked.
pub(super) fn clear_the_way(dir: &Path) -> Result<()> {
    if dir.is_file() {
        remove(dir)?;
    }
    let locks = [&INDEX_WRITER_LOCK.filepath, &META_LOCK.filepath].map(|lock| dir.join(lock));
    for path in locks.into_iter().chain(OWN.map(|name| dir.join(name))).filter(|path| path.is_dir()) {
        remove(&path)?;
    }
    Ok(())
}

/// Removes a file, or a folder recursively.
pub(super) fn remove(path: &Path) -> Result<()> {
    let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    Ok(if is_folder { files::remove_dir(path) } else { files::remove(path) }?)
}

pub(super) fn is_deletions(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "del")
}

/// Lock files stay: another process may be waiting on them.
pub(super) fn is_lock(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "lock")
}
