//! `config.toml` and the environment, turned into the options of the layers below.
//!
//! Owns which keys there are and what they mean. A mistake in the file never stops the start: the line is reported,
//! its default applies, and the rest of the file counts.
//!
//! ```toml
//! journal = "personal"          # which journal under the home folder
//! vault = "~/notes/journal"     # or any folder, instead
//! day_start = "04:00"           # entries before it belong to the day before
//! zone = "Asia/Ho_Chi_Minh"     # where a time without an offset is meant
//! model = "off"                 # an installed model, or "off": no search by meaning
//! ann = "auto"                  # auto, on, off: the graph over the vectors
//! mouse = true
//! week_starts = "monday"
//! editor = "code --wait"
//! theme = "night"               # or, with own roles:  [theme]  name = "night"
//!
//! [theme.roles]
//! accent = "#88c0d0"
//!
//! [keys.journal]
//! "entry.new" = ["n", "ctrl-n"] # an empty list unbinds
//! ```

mod environment;
mod file;

use std::{
    fmt, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use jiff::{civil, tz};

pub use environment::Environment;

use crate::{clock::Clock, engine::EngineOptions, index::vector::Ann, journal::VaultOptions, paths::Paths};

/// The journal opened when nobody names one.
pub const DEFAULT_JOURNAL: &str = "personal";

/// In place of a model's name: no search by meaning.
pub const NO_MODEL: &str = "off";

/// What the file says, after defaults.
#[derive(Debug, Clone)]
pub struct Config {
    pub journal: String,
    /// A folder to open instead of a named journal.
    pub vault: Option<PathBuf>,
    pub day_start: civil::Time,
    pub zone: Option<tz::TimeZone>,
    pub model: ModelChoice,
    pub ann: Ann,
    pub theme: Option<String>,
    pub roles: Vec<Role>,
    pub mouse: bool,
    /// First column of a calendar.
    pub week_starts: civil::Weekday,
    pub editor: Option<String>,
    pub keys: Vec<KeyBinding>,
    /// What was not taken over, in file order.
    pub complaints: Vec<Complaint>,
}

/// `model =`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ModelChoice {
    /// What `kioku model use` chose, or else the model that comes with kioku.
    #[default]
    Unsaid,
    /// No search by meaning.
    Off,
    Named(String),
}

/// `[theme.roles] role = "style"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    pub role: String,
    pub style: String,
    /// Where the file says it, from 1.
    pub line: usize,
}

/// `[keys.pane] "command.name" = ["chord", ...]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyBinding {
    pub pane: String,
    pub command: String,
    /// Empty: the command has no key.
    pub chords: Vec<String>,
    /// Where the file says it, from 1.
    pub line: usize,
}

/// A part of the file that was not taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    pub file: PathBuf,
    /// Line and column from 1; `None` where the file could not be read at all.
    pub at: Option<(usize, usize)>,
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file.display(), self.message),
            None => write!(f, "{}: {}", self.file.display(), self.message),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            journal: DEFAULT_JOURNAL.to_owned(),
            vault: None,
            day_start: civil::Time::midnight(),
            zone: None,
            model: ModelChoice::default(),
            ann: Ann::default(),
            theme: None,
            roles: Vec::new(),
            mouse: true,
            week_starts: civil::Weekday::Monday,
            editor: None,
            keys: Vec::new(),
            complaints: Vec::new(),
        }
    }
}

impl Config {
    /// Reads `path`. A missing file is the defaults; one that cannot be read or parsed is the defaults and a complaint.
    pub fn load(path: &Path) -> Self {
        let complaint = |message: String| Self {
            complaints: vec![Complaint { file: path.to_owned(), at: None, message }],
            ..Self::default()
        };
        match fs::read(path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => file::parse(&text, path),
                Err(_) => complaint("the file is not UTF-8; the defaults apply".to_owned()),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Self::default(),
            Err(error) => complaint(format!("the file cannot be read ({error}); the defaults apply")),
        }
    }

    /// Which journal is meant: a flag beats the file, a folder beats a name.
    pub fn journal(&self, named: Option<&str>, folder: Option<&Path>) -> Journal {
        match (folder, named, &self.vault) {
            (Some(folder), _, _) => Journal::Folder(folder.to_owned()),
            (None, Some(name), _) => Journal::Named(name.to_owned()),
            (None, None, Some(folder)) => Journal::Folder(folder.clone()),
            (None, None, None) => Journal::Named(self.journal.clone()),
        }
    }

    /// The system's clock in the configured zone.
    pub fn clock(&self) -> Clock {
        match &self.zone {
            Some(zone) => Clock::system().in_zone(zone.clone()),
            None => Clock::system(),
        }
    }

    /// What the engine works on.
    pub fn engine_options(&self, paths: &Paths, journal: &Journal, environment: &Environment) -> EngineOptions {
        EngineOptions {
            vault: self.vault_options(paths, journal, environment),
            models: paths.models(),
            model: match &self.model {
                ModelChoice::Off => None,
                ModelChoice::Named(name) => Some(name.clone()),
                ModelChoice::Unsaid => chosen_model(paths),
            },
            encoder: None,
            ann: self.ann,
            watch: true,
        }
    }

    /// What the vault of `journal` is opened with.
    fn vault_options(&self, paths: &Paths, journal: &Journal, environment: &Environment) -> VaultOptions {
        VaultOptions {
            root: journal.root(paths),
            day_start: self.day_start,
            clock: self.clock(),
            machine: environment.machine.clone(),
        }
    }
}

/// A journal by name, or any folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Journal {
    Named(String),
    Folder(PathBuf),
}

impl Journal {
    pub fn root(&self, paths: &Paths) -> PathBuf {
        match self {
            Self::Named(name) => paths.journal(name),
            Self::Folder(folder) => folder.clone(),
        }
    }

    /// What to call it on screen.
    pub fn name(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Folder(folder) => folder
                .file_name()
                .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned()),
        }
    }
}

/// Where `kioku model use` keeps its choice: the configuration file is the user's own and never rewritten.
pub fn model_choice_file(paths: &Paths) -> PathBuf {
    paths.state().join("model")
}

fn chosen_model(paths: &Paths) -> Option<String> {
    let chosen = fs::read_to_string(model_choice_file(paths)).ok()?;
    Some(chosen.trim().to_owned()).filter(|name| !name.is_empty() && name != NO_MODEL)
}

/// Whether `name` can name a journal: one folder name, not hidden, the same on every system.
pub fn is_journal_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'))
}
