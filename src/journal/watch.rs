//! File watcher: a callback when another program changes the vault.
//!
//! An event only triggers a scan, which compares stamps. So lost, duplicate or wrong events do no harm.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, event::ModifyKind};

use super::{VaultError, day_names, user_file};
use crate::fault::lock;

/// Debounce: a burst of events ends after this pause. One save in an editor causes several events.
const QUIET: Duration = Duration::from_millis(200);
/// Maximum delay: a continuous stream of changes (a large sync) is reported at least this often.
const LONGEST: Duration = Duration::from_secs(2);

/// The paths whose changes are reported.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// Any text or JSON file in the folder.
    Folder,
    /// One file.
    File,
}

/// Watches a folder of day files, or one file, until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    _watching: Arc<Mutex<RecommendedWatcher>>,
}

impl Watcher {
    /// Calls `changed`, on a separate thread, after text or JSON files in `folder` were created, changed or
    /// removed. The folder need not exist yet.
    ///
    /// Fails if the system cannot watch (no watches left, some network file systems); the vault works without a
    /// watcher.
    pub fn start(folder: &Path, changed: impl Fn() + Send + 'static) -> Result<Self, VaultError> {
        Self::watch(folder, Wanted::Folder, changed)
    }

    /// Like [`Watcher::start`] for one file. Neither the file nor its folder need exist yet.
    pub fn of_file(file: &Path, changed: impl Fn() + Send + 'static) -> Result<Self, VaultError> {
        Self::watch(file, Wanted::File, changed)
    }

    fn watch(path: &Path, wanted: Wanted, changed: impl Fn() + Send + 'static) -> Result<Self, VaultError> {
        let fault = |reason: String| VaultError::Unwatched { path: path.to_path_buf(), reason };
        let watched = std::path::absolute(path).map_err(|error| fault(error.to_string()))?;
        // The events of macOS have paths without links.
        let real = user_file::resolved(&watched)?;
        let folder = match wanted {
            Wanted::Folder => watched.clone(),
            Wanted::File => watched.parent().ok_or_else(|| fault("not a file".to_owned()))?.to_path_buf(),
        };
        let (hint, hints) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.as_ref().map_or(true, |event| is_relevant(event, [&watched, &real], wanted)) {
                // Sending fails only after the receiver was dropped.
                let _ = hint.send(());
            }
        })
        .map_err(|error| fault(error.to_string()))?;
        let watching = Arc::new(Mutex::new(watcher));
        let follow = if matches!(wanted, Wanted::Folder) { follow_all } else { follow };
        follow(&mut lock(&watching), &folder).map_err(|error| fault(error.to_string()))?;
        let weak = Arc::downgrade(&watching);
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || {
                // Debounces the events. Ends when the watcher is dropped.
                while hints.recv().is_ok() {
                    let first = Instant::now();
                    while first.elapsed() < LONGEST && hints.recv_timeout(QUIET).is_ok() {}
                    let Some(watching) = weak.upgrade() else { return };
                    // The folder may have been created, or replaced by another of the same name.
                    let _ = follow(&mut lock(&watching), &folder);
                    drop(watching);
                    changed();
                }
            })
            .map_err(|error| VaultError::Unwatched { path: PathBuf::from("."), reason: error.to_string() })?;
        Ok(Self { _watching: watching })
    }
}

/// Watches the folder and its nearest existing parent.
fn follow(watcher: &mut RecommendedWatcher, folder: &Path) -> notify::Result<()> {
    if let Some(above) = folder.ancestors().skip(1).find(|above| above.is_dir()) {
        let above = watcher.watch(above, RecursiveMode::NonRecursive);
        if !folder.is_dir() {
            return above;
        }
    }
    watcher.watch(folder, RecursiveMode::NonRecursive)
}

/// Like [`follow`], with the subfolders of years and months. Not the system's recursive watch, which would include
/// `.git` and the index.
fn follow_all(watcher: &mut RecommendedWatcher, folder: &Path) -> notify::Result<()> {
    follow(watcher, folder)?;
    day_names::folders_below(folder).try_for_each(|below| watcher.watch(&below, RecursiveMode::NonRecursive))
}

fn is_relevant(event: &notify::Event, watched: [&Path; 2], wanted: Wanted) -> bool {
    let touches = !matches!(event.kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)));
    // An event without paths means that events were lost.
    touches
        && (event.paths.is_empty()
            || event.need_rescan()
            || event.paths.iter().any(|path| watched.iter().any(|watched| is_ours(path, watched, wanted))))
}

/// Whether a path is the watched one, a relevant file in it, or a parent folder that may have just been created.
fn is_ours(path: &Path, watched: &Path, wanted: Wanted) -> bool {
    let is_read = |path: &Path| {
        path.to_str().is_some_and(day_names::is_text) || path.extension().is_some_and(|ending| ending == "json")
    };
    let hidden = |path: &Path| path.iter().any(|part| part.to_str().is_some_and(|part| part.starts_with('.')));
    let within = || path.strip_prefix(watched).is_ok_and(|path| !hidden(path) && is_read(path));
    watched.starts_with(path) || matches!(wanted, Wanted::Folder) && within()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Timeout of the tests, far longer than any machine needs.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn watched(folder: &Path) -> (Watcher, mpsc::Receiver<()>) {
        let (told, tellings) = mpsc::channel();
        let watcher = Watcher::start(folder, move || {
            let _ = told.send(());
        });
        (watcher.unwrap(), tellings)
    }

    #[test]
    fn a_burst_of_changes_is_told_once_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let (_watcher, tellings) = watched(folder.path());
        for text in ["a", "b", "c"] {
            fs::write(folder.path().join("2026-02-22.md"), text).unwrap();
        }
        tellings.recv_timeout(PATIENCE).unwrap();
        fs::remove_file(folder.path().join("2026-02-22.md")).unwrap();
        tellings.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn a_folder_that_comes_later_is_watched_too() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("journals/me/memory");
        let (_watcher, tellings) = watched(&folder);
        fs::create_dir_all(&folder).unwrap();
        tellings.recv_timeout(PATIENCE).unwrap();
        fs::write(folder.join("2026-02-22.md"), "a").unwrap();
        tellings.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn what_is_no_day_file_says_nothing() {
        let folder = Path::new("/j/memory");
        let relevant = |path: &str| {
            let event = notify::Event::new(EventKind::Any).add_path(path.into());
            is_relevant(&event, [Path::new("/link/memory"), folder], Wanted::Folder)
        };
        assert!(relevant("/j/memory/2026-02-22.md") && relevant("/j/memory") && relevant("/j"));
        assert!(relevant("/j/memory/2026/2026-02-22.org") && relevant("/j/memory/2026-02-22.TXT"));
        assert!(!relevant("/j/memory/.kioku-x.tmp") && !relevant("/j/.lock") && !relevant("/j/trash/2026-02-22.md"));
    }

    #[test]
    fn one_file_is_watched_through_its_replacements() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("state/model");
        let (told, tellings) = mpsc::channel();
        let _watcher = Watcher::of_file(&file, move || {
            let _ = told.send(());
        })
        .unwrap();
        fs::create_dir(root.path().join("state")).unwrap();
        tellings.recv_timeout(PATIENCE).unwrap();
        for name in ["first", "second"] {
            fs::write(root.path().join("state/new"), name).unwrap();
            fs::rename(root.path().join("state/new"), &file).unwrap();
            tellings.recv_timeout(PATIENCE).unwrap();
        }
        let relevant = |path: &str| is_ours(Path::new(path), Path::new("/h/state/model"), Wanted::File);
        assert!(relevant("/h/state/model") && relevant("/h/state"));
        assert!(!relevant("/h/state/notes.md") && !relevant("/h/state/model/x"));
    }

    #[test]
    fn dropping_the_watcher_ends_the_thread() {
        let folder = tempfile::tempdir().unwrap();
        let (watcher, tellings) = watched(folder.path());
        drop(watcher);
        assert_eq!(tellings.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
    }
}
