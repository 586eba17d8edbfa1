//! The queue of agent events: a folder with one file an event, in the order of their names.
//!
//! An event is in the queue when its file is durable, and leaves it after its record is. The one process that holds
//! the lock of the queue works on it; a crash releases the lock, and the next process repeats what was not finished.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::event::{AgentEvent, project_folder};
use crate::{
    journal::{
        BodyHash, VaultError,
        files::{self, Lock},
    },
    session::llm::pause,
};

/// A queued event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Names the record that it becomes, so that repeating it writes nothing twice.
    pub id: String,
    /// When the agent called, with the writer's offset.
    pub time: String,
    #[serde(flatten)]
    pub event: AgentEvent,
}

/// The pause after failures.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Backoff {
    failures: u32,
    not_before: Timestamp,
}

/// The queue in the state folder of this machine; never in a journal, which may be shared.
#[derive(Debug, Clone)]
pub struct HookQueue {
    folder: PathBuf,
}

/// How long a process waits for another one that works on the queue.
const LOCK_WAIT: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The log is begun anew at this size.
const LONGEST_LOG: u64 = 256 * 1024;

impl HookQueue {
    pub fn of(state: &Path) -> Self {
        Self { folder: state.join("hooks") }
    }

    fn jobs_folder(&self) -> PathBuf {
        self.folder.join("queue")
    }

    /// The name of an event's project. The first folder of a name has it for as long as that folder exists; others have a
    /// hash of their path behind it, and keep it. Records from before, and those of another program, belong to the first.
    pub fn scope(&self, event: &AgentEvent) -> Result<String, VaultError> {
        let folder = project_folder(&event.folder);
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let (folder, owners) = (folder.to_string_lossy(), self.folder.join("projects"));
        let by_path = format!("{}-{}", event.project, BodyHash::of(folder.as_bytes()).short());
        let (owner, own) = (owners.join(&event.project), owners.join(&by_path));
        files::create_dir(&owners)?;
        if own.exists() {
            return Ok(by_path);
        }
        // Of two that begin at once one is the first.
        let is_first = !owner.exists() && files::create(&owner, folder.as_bytes())?;
        let first = files::read(&owner)?.and_then(|owner| String::from_utf8(owner).ok()).unwrap_or_default();
        if !is_first && first != folder {
            if Path::new(&first).exists() {
                return files::create(&own, folder.as_bytes()).map(|_| by_path);
            }
            files::replace(&owner, folder.as_bytes())?;
        }
        Ok(event.project.clone())
    }

    /// Adds an event, durably. `queued` is called as soon as no kill can lose it, before the disk has it.
    pub fn push(&self, job: &Job, at: Timestamp, queued: impl FnOnce()) -> Result<(), VaultError> {
        files::create_dir(&self.jobs_folder())?;
        // A clock that stands still or goes back must not change the order.
        let place = at.as_nanosecond().max(self.last_place().map_or(0, |last| last + 1));
        let name = format!("{place:020}-{}.json", job.id);
        let json = serde_json::to_vec(job).map_err(|error| VaultError::Unwritable(error.to_string()))?;
        files::create_and_sync(&self.jobs_folder().join(name), &json, queued)
    }

    /// The number in the name of the newest file.
    fn last_place(&self) -> Option<i128> {
        let names = fs::read_dir(self.jobs_folder()).ok()?.flatten().map(|file| file.file_name());
        names.filter_map(|name| name.to_str()?.split('-').next()?.parse().ok()).max()
    }

    /// The queued events, oldest first, with their files. A file that is no event is put aside as `.bad`.
    pub fn jobs(&self) -> Result<Vec<(PathBuf, Job)>, VaultError> {
        files::sweep(&self.jobs_folder())?;
        let mut paths: Vec<PathBuf> = self.paths().collect();
        paths.sort();
        let mut jobs = Vec::new();
        for path in paths {
            let Some(bytes) = files::read(&path)? else { continue };
            match serde_json::from_slice(&bytes) {
                Ok(job) => jobs.push((path, job)),
                Err(error) => {
                    self.log(&format!("{} is no event and was put aside: {error}", path.display()));
                    files::replace(&path.with_extension("bad"), &bytes)?;
                    files::remove(&path)?;
                }
            }
        }
        Ok(jobs)
    }

    /// Whether the queue has files.
    pub fn is_empty(&self) -> bool {
        self.paths().next().is_none()
    }

    fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let listing = fs::read_dir(self.jobs_folder()).into_iter().flatten().flatten();
        listing.map(|file| file.path()).filter(|path| path.extension().is_some_and(|ending| ending == "json"))
    }

    /// The right to work on the queue.
    pub fn claim(&self) -> Result<Lock, VaultError> {
        files::create_dir(&self.folder)?;
        Lock::wait(&self.folder.join("lock"), LOCK_WAIT)
    }

    /// Whether the pause after the last failure is over.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.backoff().not_before <= now
    }

    fn backoff_path(&self) -> PathBuf {
        self.folder.join("backoff.json")
    }

    fn backoff(&self) -> Backoff {
        let bytes = files::read(&self.backoff_path()).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Remembers a failure: the pause doubles up to an hour.
    pub fn failed(&self, now: Timestamp, why: &str) {
        self.log(why);
        let failures = self.backoff().failures.saturating_add(1);
        let pause = pause(FIRST_PAUSE, 2, failures, self.folder.as_os_str().as_encoded_bytes());
        let not_before = now.saturating_add(pause).unwrap_or(now);
        // If the disk is full, the next event tries again at once.
        if let Ok(json) = serde_json::to_vec(&Backoff { failures, not_before }) {
            let _ = files::replace(&self.backoff_path(), &json);
        }
    }

    pub fn succeeded(&self) {
        let _ = files::remove(&self.backoff_path());
    }

    /// Adds a line to the log. Nothing can be reported to the agent, so a log that cannot be written is ignored.
    pub fn log(&self, line: &str) {
        let path = self.log_path();
        if fs::metadata(&path).is_ok_and(|found| found.len() > LONGEST_LOG) {
            let _ = files::remove(&path);
        }
        let _ = files::create_dir(&self.folder)
            .and_then(|()| files::append(&path, format!("{}\n", line.replace('\n', " ")).as_bytes()));
    }

    /// Where the log is.
    pub fn log_path(&self) -> PathBuf {
        self.folder.join("log")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_an_hour_and_stay_there() {
        let folder = tempfile::tempdir().unwrap();
        let queue = HookQueue::of(folder.path());
        let now: Timestamp = "2026-11-20T09:00:00Z".parse().unwrap();
        let seconds = |queue: &HookQueue| queue.backoff().not_before.duration_since(now).as_secs();
        queue.failed(now, "the disk is full");
        assert!((3..=7).contains(&seconds(&queue)), "{}", seconds(&queue));
        (0..80).for_each(|_| queue.failed(now, "the disk is full"));
        assert!((2_700..=4_500).contains(&seconds(&queue)), "{}", seconds(&queue));
        queue.succeeded();
        assert!(queue.is_due(now));
    }
}
