//! The system's opener for addresses and files. It runs on its own: only its failure is reported.

use std::{
    io,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use crate::tui::cells;

/// The program that opens a file or an address with the user's application for it.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Maximum cells of a target in a message.
pub const LONGEST_SHOWN: usize = 40;

/// Starts the opener, and collects its failures.
#[derive(Clone)]
pub struct Opener {
    failures: Arc<Mutex<Vec<String>>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Opener {
    /// `wake` is called after a failure.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { failures: Arc::default(), wake: Arc::new(wake) }
    }

    pub fn open(&self, target: &str) {
        let target = if cfg!(windows) { for_explorer(target) } else { target.to_owned() };
        self.start(OPENER, target);
    }

    fn start(&self, program: &'static str, target: String) {
        let opener = self.clone();
        let run = move || {
            let mut command = Command::new(program);
            command.arg(&target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let failure = match command.status() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    format!("No program opens links here: {program} is not installed")
                }
                Err(error) => format!("{program}: {error}"),
                // The opener of Windows exits with 1 also where it has opened the file.
                Ok(status) if status.success() || cfg!(windows) => return,
                Ok(_) => format!("{program} could not open {}", cells::truncate(&target, LONGEST_SHOWN)),
            };
            opener.failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
            (opener.wake)();
        };
        let started = thread::Builder::new().name("opener".to_owned()).spawn(run);
        if let Err(error) = started {
            self.failures.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }
    }

    /// Failures since the last call.
    pub fn failures(&self) -> Vec<String> {
        std::mem::take(&mut *self.failures.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The opener of Windows takes `/` in a path for the start of an option.
fn for_explorer(target: &str) -> String {
    if target.contains("://") { target.to_owned() } else { target.replace('/', "\\") }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_failure_is_reported_and_a_success_is_not() {
        let (woken, wakes) = mpsc::channel();
        let opener = Opener::new(move || woken.send(()).unwrap());
        opener.start("false", "https://example.org".to_owned());
        wakes.recv().unwrap();
        assert_eq!(opener.failures(), ["false could not open https://example.org"]);
        opener.start("kioku-has-no-such-program", "x".to_owned());
        wakes.recv().unwrap();
        assert_eq!(opener.failures(), ["No program opens links here: kioku-has-no-such-program is not installed"]);
        assert!(opener.failures().is_empty());
    }

    #[test]
    fn paths_for_windows_have_its_separators() {
        assert_eq!(for_explorer("C:\\j\\attachments/a b.png"), "C:\\j\\attachments\\a b.png");
        assert_eq!(for_explorer("https://example.org/a"), "https://example.org/a");
    }
}
