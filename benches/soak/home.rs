//! A home folder of its own, and the real program run in it: to its end, or to a kill.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a run is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kill {
    Never,
    /// At the n-th step of writing, by the fault points of a debug build.
    Step(u64),
    /// After so long.
    After(Duration),
    /// At the n-th call of this name into the system, by strace.
    Call(&'static str, u64),
}

/// What one run left behind.
#[derive(Debug)]
pub struct Ran {
    /// `None` where it was killed.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    /// It had to be ended, because it did not end.
    pub hung: bool,
    pub took: Duration,
}

impl Ran {
    pub fn is_ok(&self) -> bool {
        self.code == Some(0)
    }

    /// The last whole line of stdout: what was acknowledged.
    pub fn acknowledged(&self) -> Option<&str> {
        self.out.strip_suffix('\n').and_then(|out| out.lines().last()).filter(|line| !line.is_empty())
    }

    pub fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.out).ok()
    }

    /// In one line, for a report.
    pub fn said(&self) -> String {
        let said = self.err.lines().next().or(self.out.lines().next()).unwrap_or("nothing");
        let how = match self.code {
            _ if self.hung => "did not end".to_owned(),
            Some(code) => format!("exit {code}"),
            None => "killed".to_owned(),
        };
        format!("{how}: {said}")
    }
}

/// A home folder with one journal.
pub struct Home {
    pub folder: TempDir,
    binary: PathBuf,
    /// What the program takes for now.
    pub now: String,
}

impl Home {
    pub fn new(binary: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the run");
        Self { folder, binary: binary.to_owned(), now: "2026-03-02T08:00:00+07:00".to_owned() }
    }

    /// The home of another run, as it is now.
    pub fn copy(other: &Self) -> Self {
        let home = Self::new(&other.binary);
        copy_folder(other.folder.path(), home.folder.path());
        Self { now: other.now.clone(), ..home }
    }

    /// Lets the clock go on: `minutes` after the first moment of every run.
    pub fn set_minutes(&mut self, minutes: u64) {
        let first = jiff::civil::date(2026, 3, 2).at(8, 0, 0, 0);
        let span = jiff::SignedDuration::from_mins(minutes as i64);
        let now = first.checked_add(span).expect("a run ends before the calendar does");
        self.now = format!("{now}+07:00");
    }

    pub fn journal(&self) -> PathBuf {
        self.folder.path().join("home/journals/personal")
    }

    pub fn memory(&self) -> PathBuf {
        self.journal().join("memory")
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The variables that keep a run inside this folder.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let inside = |name: &str| self.folder.path().join(name).to_string_lossy().into_owned();
        vec![
            ("HOME", inside("")),
            ("KIOKU_HOME", inside("home")),
            ("KIOKU_CONFIG", inside("config.toml")),
            // Empty for the system's clock.
            ("KIOKU_NOW", self.now.clone()),
            ("NO_COLOR", "1".to_owned()),
            ("RUST_BACKTRACE", "0".to_owned()),
            ("TERM", "xterm-256color".to_owned()),
        ]
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.killed(arguments, Kill::Never)
    }

    pub fn killed(&self, arguments: &[&str], kill: Kill) -> Ran {
        self.piped(arguments, b"", kill)
    }

    pub fn piped(&self, arguments: &[&str], stdin: &[u8], kill: Kill) -> Ran {
        let mut command = match kill {
            Kill::Call(name, when) => {
                let mut strace = Command::new("strace");
                let inject = format!("inject={name}:signal=KILL:when={when}");
                strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={name}"), "-e", &inject, "--"]);
                strace.arg(&self.binary);
                strace
            }
            _ => Command::new(&self.binary),
        };
        command.args(arguments).envs(self.environment()).env_remove("EDITOR").env_remove("VISUAL");
        if let Kill::Step(step) = kill {
            command.env("KIOKU_FAULT", step.to_string());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().expect("the program starts");
        // A verb that does not read stdin may be gone already.
        let _ = child.stdin.take().expect("stdin is piped").write_all(stdin);
        let out = drained(child.stdout.take());
        let err = drained(child.stderr.take());
        let limit = if let Kill::After(delay) = kill { delay } else { PATIENCE };
        let mut hung = false;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if started.elapsed() >= limit {
                hung = limit == PATIENCE;
                let _ = child.kill();
                break child.wait().expect("a child can be waited for");
            }
            let left = limit.saturating_sub(started.elapsed());
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(5));
        };
        let text = |reader: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&reader.join().expect("reading a pipe does not panic")).into_owned()
        };
        Ran { code: status.code(), out: text(out), err: text(err), hung, took: started.elapsed() }
    }

    /// Whether the bytes are in any file of the home folder; the first one.
    pub fn file_with(&self, bytes: &[u8]) -> Option<PathBuf> {
        let mut open = vec![self.folder.path().to_owned()];
        while let Some(folder) = open.pop() {
            for item in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = item.path();
                if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path);
                } else if fs::read(&path).is_ok_and(|held| contains(&held, bytes)) {
                    return Some(path);
                }
            }
        }
        None
    }

    /// Leaves the folder behind for a look at it; says where.
    pub fn keep(self) -> PathBuf {
        self.folder.keep()
    }
}

fn drained(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

pub fn contains(held: &[u8], bytes: &[u8]) -> bool {
    held.windows(bytes.len()).any(|window| window == bytes)
}

/// Copies what is in a folder; links and special files are left out.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder of the run");
    for item in fs::read_dir(from).expect("the folder is there").flatten() {
        let target = to.join(item.file_name());
        match item.file_type() {
            Ok(kind) if kind.is_dir() => copy_folder(&item.path(), &target),
            Ok(kind) if kind.is_file() => drop(fs::copy(item.path(), target)),
            _ => {}
        }
    }
}
