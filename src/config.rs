//! Configuration: translates `config.toml` and the environment into the options of the layers below.
//!
//! Owns the keys and their meanings. A mistake in the file never prevents the start: the line is reported, its default
//! applies, and the rest of the file is used.
//!
//! [`keys`] is the catalog of the keys; `kioku config --example` prints it as a file.

mod environment;
mod file;
pub mod keys;

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::{civil, tz};

pub use environment::Environment;
#[cfg(debug_assertions)]
pub use environment::arm_fault;

use crate::{
    clock::Clock,
    embed::bundled,
    index::vector::Ann,
    journal::VaultOptions,
    paths::{Paths, is_reserved_name},
    session::{
        SessionOptions,
        llm::{LlmOptions, Secret, ServiceKind, ServiceOptions},
    },
    tui::{
        Editor, TuiOptions,
        keymap::{KeyOverrides, OwnKeys},
        theme::{AUTO, Colours, ThemeChoice},
        update_context::Settings,
    },
};

/// The journal that is opened by default.
pub const DEFAULT_JOURNAL: &str = "personal";

/// The journal of conversations with agents, so that a diary stays a diary.
pub const AGENTS_JOURNAL: &str = "agents";

/// The value of `model` that turns search by meaning off.
pub const NO_MODEL: &str = "off";

/// The configuration, with defaults applied.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file, for messages; it need not exist.
    pub path: PathBuf,
    pub journal: String,
    /// A folder to open instead of a named journal.
    pub vault: Option<PathBuf>,
    pub day_start: civil::Time,
    pub zone: Option<tz::TimeZone>,
    pub model: ModelChoice,
    /// A mirror for model downloads.
    pub models_base: Option<String>,
    pub llm: Option<LlmConfig>,
    pub ann: Ann,
    pub theme: String,
    /// `[theme.roles] role = "style"`.
    pub roles: Vec<(String, String)>,
    pub mouse: bool,
    /// Whether the query history is stored.
    pub history: bool,
    /// First column of a calendar.
    pub week_starts: civil::Weekday,
    pub editor: Option<String>,
    /// Whether to follow links that lead out of a vault.
    pub follow_links: bool,
    /// The idle time before the screen goes blank; `None` is never.
    pub blank_after: Option<Duration>,
    /// Whether the text is blurred at the start.
    pub blur: bool,
    /// Whether plain words of an entry may propose a record.
    pub propose_records: bool,
    /// The journal of what coding agents do.
    pub hooks_journal: String,
    /// Whether to synchronise when the screens close.
    pub sync_on_exit: bool,
    /// Whether the screens are for screen readers.
    pub plain: bool,
    pub reduced_motion: bool,
    pub keys: Vec<KeyBinding>,
    /// The keys that the file has, with their lines.
    lines: Vec<(String, usize)>,
    /// Mistakes in the file, whose values were ignored, in file order: `config.toml:2:9: ...`.
    pub complaints: Vec<String>,
}

/// The value of `model`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ModelChoice {
    /// Not set: the choice of `kioku model use`, or else the built-in model.
    #[default]
    Unsaid,
    /// No search by meaning.
    Off,
    Named(String),
}

/// The table `[llm]`: the optional language model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmConfig {
    /// The user's consent to sending texts.
    pub enabled: bool,
    pub kind: ServiceKind,
    pub model: String,
    pub base: String,
    /// The environment variable with the API key; `None` if the service needs none.
    pub key_env: Option<String>,
    pub timeout: Duration,
    /// Tags whose entries are never sent.
    pub keep_back: Vec<String>,
}

impl LlmConfig {
    const TIMEOUT: Duration = Duration::from_secs(60);

    fn keep_back() -> Vec<String> {
        vec!["private".to_owned()]
    }

    /// The options for the session. Reads the key from the environment now, and stores it nowhere else.
    pub fn options(&self) -> LlmOptions {
        LlmOptions {
            service: ServiceOptions {
                kind: self.kind,
                base: self.base.clone(),
                model: self.model.clone(),
                key: self.key_env.as_deref().and_then(environment::secret).map(Secret::new),
                key_name: self.key_env.clone(),
                within: self.timeout,
            },
            kept_back: self.keep_back.clone(),
        }
    }
}

/// `[keys.pane] "command.name" = ["chord", ...]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyBinding {
    pub pane: String,
    pub command: String,
    /// The keys of the command; empty to unbind it.
    pub chords: Vec<String>,
    /// Line number in the file, from 1.
    pub line: usize,
}

impl KeyBinding {
    /// The command's full name; in the table of a pane the first part is optional.
    fn full_name(&self) -> String {
        if self.command.contains('.') { self.command.clone() } else { format!("{}.{}", self.pane, self.command) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            path: PathBuf::new(),
            journal: DEFAULT_JOURNAL.to_owned(),
            vault: None,
            day_start: civil::Time::midnight(),
            zone: None,
            model: ModelChoice::default(),
            models_base: None,
            llm: None,
            ann: Ann::default(),
            theme: AUTO.to_owned(),
            roles: Vec::new(),
            mouse: true,
            history: true,
            week_starts: civil::Weekday::Monday,
            editor: None,
            follow_links: false,
            blank_after: None,
            blur: false,
            propose_records: false,
            hooks_journal: AGENTS_JOURNAL.to_owned(),
            sync_on_exit: false,
            plain: false,
            reduced_motion: false,
            keys: Vec::new(),
            lines: Vec::new(),
            complaints: Vec::new(),
        }
    }
}

impl Config {
    /// Reads the file `path`. A missing file gives the defaults; one that cannot be read or parsed gives the defaults
    /// and a complaint.
    pub fn load(path: &Path) -> Self {
        let complaint = match fs::read(path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => return file::parse(&text, path),
                Err(_) => Some("the file is not UTF-8; the defaults apply".to_owned()),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => Some(format!("the file cannot be read ({error}); the defaults apply")),
        };
        let complaints = complaint.iter().map(|message| format!("{}: {message}", path.display())).collect();
        Self { path: path.to_owned(), complaints, ..Self::default() }
    }

    /// The journal to open: flags take precedence over the file, and a folder over a name.
    pub fn journal(&self, named: Option<&str>, folder: Option<&Path>) -> Journal {
        match (folder, named, &self.vault) {
            (Some(folder), _, _) => Journal::Folder(folder.to_owned()),
            (None, Some(name), _) => Journal::Named(name.to_owned()),
            (None, None, Some(folder)) => Journal::Folder(folder.clone()),
            (None, None, None) => Journal::Named(self.journal.clone()),
        }
    }

    /// Where the file has a key, as in `config.toml:3`; `None` if it does not.
    pub fn place_of(&self, key: &str) -> Option<String> {
        let (_, line) = self.lines.iter().find(|(known, _)| known == key)?;
        Some(format!("{}:{line}", self.path.display()))
    }

    /// The system's clock in the configured zone.
    pub fn clock(&self) -> Clock {
        self.zone.clone().map_or_else(Clock::system, |zone| Clock::system().in_zone(zone))
    }

    /// The options for a session.
    pub fn session_options(&self, paths: &Paths, journal: &Journal, environment: &Environment) -> SessionOptions {
        SessionOptions {
            vault: self.vault_options(paths, journal, environment),
            models: paths.models(),
            model: match &self.model {
                ModelChoice::Off => None,
                ModelChoice::Named(name) => Some(name.clone()),
                ModelChoice::Unsaid => chosen_model(&model_choice_file(paths)),
            },
            encoder: None,
            ann: self.ann,
            watch: true,
        }
    }

    /// The user's key bindings, by the full names of their commands.
    pub fn key_overrides(&self) -> KeyOverrides {
        let keys = self
            .keys
            .iter()
            .map(|binding| (binding.full_name(), OwnKeys { chords: binding.chords.clone(), line: binding.line }))
            .collect();
        KeyOverrides { file: self.path.clone(), keys }
    }

    /// The options for the screens. `state` is the folder for the temporary files of external editors.
    pub fn tui_options(&self, journal: &Journal, environment: &Environment, plain: bool, state: &Path) -> TuiOptions {
        let editor = self.editor(environment).or_else(|| environment.found_editor());
        let editor = editor.map(|command| Editor { command, folder: state.to_owned() });
        TuiOptions {
            theme: self.theme(environment, plain),
            asks_background: environment.can_be_asked(),
            keys: self.key_overrides(),
            settings: Settings {
                journal: journal.name(),
                journals: Vec::new(),
                folder: None,
                root: None,
                week_starts: self.week_starts,
                day_start: self.day_start,
                mouse: self.mouse,
                has_editor: editor.is_some(),
                has_home: dirs::home_dir().is_some(),
                blank_after: self.blank_after,
                blurred: self.blur,
                propose_records: self.propose_records,
                is_plain: self.plain,
                reduced_motion: self.reduced_motion,
            },
            editor,
            clock: self.clock(),
            faults: self.complaints.clone(),
        }
    }

    /// The theme: the flag takes precedence over the file, and the file over the environment (as no-color.org
    /// requires).
    fn theme(&self, environment: &Environment, plain: bool) -> ThemeChoice {
        ThemeChoice {
            name: if plain { AUTO.to_owned() } else { self.theme.clone() },
            roles: self.roles.iter().cloned().collect(),
            colours: if plain { Colours::None } else { environment.colours() },
            is_light: environment.is_light(),
        }
    }

    /// The editor command: the file takes precedence over `$VISUAL`, which takes precedence over `$EDITOR`.
    pub fn editor(&self, environment: &Environment) -> Option<String> {
        [&self.editor, &environment.visual, &environment.editor].into_iter().find_map(Clone::clone)
    }

    /// The options for the vault of `journal`.
    fn vault_options(&self, paths: &Paths, journal: &Journal, environment: &Environment) -> VaultOptions {
        VaultOptions {
            root: journal.root(paths),
            day_start: self.day_start,
            clock: self.clock(),
            machine: environment.machine.clone(),
            state: Some(paths.state()),
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

    /// The name shown on screen.
    pub fn name(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Folder(folder) => folder
                .file_name()
                .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned()),
        }
    }
}

/// The file with the choice of `kioku model use`. It is separate, because kioku never writes the configuration file.
pub fn model_choice_file(paths: &Paths) -> PathBuf {
    paths.state().join("model")
}

/// The model in the file of [`model_choice_file`], or else the built-in one; `None` if search by meaning is off.
pub fn chosen_model(file: &Path) -> Option<String> {
    let chosen = fs::read_to_string(file).unwrap_or_default();
    match chosen.trim() {
        "" => Some(bundled::DEFAULT.to_owned()),
        NO_MODEL => None,
        name => Some(name.to_owned()),
    }
}

/// Whether `name` is a valid journal name: a single folder name, not hidden, valid on every system.
pub fn is_journal_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !is_reserved_name(name)
        && !name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_file_and_a_folder_beats_a_name() {
        let config = file::parse("journal = \"work\"\nvault = \"/notes\"\n", Path::new("config.toml"));
        assert_eq!(config.journal(None, None), Journal::Folder("/notes".into()));
        assert_eq!(config.journal(Some("home"), None), Journal::Named("home".into()));
        assert_eq!(config.journal(Some("home"), Some(Path::new("/x"))), Journal::Folder("/x".into()));
        assert_eq!(Config::default().journal(None, None), Journal::Named("personal".into()));
    }

    #[test]
    fn a_journal_name_never_leaves_its_folder() {
        for bad in ["", ".", "..", "a/b", "a\\b", ".hidden", "c:", "a\nb", "work.", "nul"] {
            assert!(!is_journal_name(bad), "{bad:?}");
        }
        assert!(is_journal_name("personal") && is_journal_name("Nhật ký"));
    }

    #[test]
    fn the_theme_follows_flag_file_and_environment_in_that_order() {
        let plain = Environment { no_color: true, ..Environment::default() };
        let rich = Environment { colorterm: Some("truecolor".into()), ..Environment::default() };
        let mut config = Config::default();
        let name =
            |config: &Config, environment: &Environment, flag| config.theme(environment, flag).in_use().to_owned();
        assert_eq!(name(&config, &Environment::default(), false), "ansi16");
        assert_eq!(name(&config, &rich, false), "dark");
        assert_eq!(name(&config, &plain, false), "none");
        let term = |term: &str, colorfgbg: &str| Environment {
            term: Some(term.into()),
            colorfgbg: Some(colorfgbg.into()),
            ..Environment::default()
        };
        for (environment, wanted) in [
            (term("xterm", "0;15"), "ansi16-light"),
            (term("xterm", "15;0"), "ansi16"),
            (term("xterm-256color", "0;default;15"), "light"),
            (term("tmux-256color", "15;default;0"), "dark"),
            (term("xterm-256color", "?"), "dark"),
            (term("dumb", "0;15"), "none"),
        ] {
            assert_eq!(name(&config, &environment, false), wanted, "{environment:?}");
        }
        config.theme = "light".into();
        assert_eq!((name(&config, &plain, false), name(&config, &rich, true)), ("light".into(), "none".into()));
    }

    #[test]
    fn keys_go_by_the_whole_name_of_their_command() {
        let text = "[keys.journal]\nedit = \"e\"\n\"app.quit\" = []\n";
        let config = file::parse(text, Path::new("config.toml"));
        let options = config.tui_options(&config.journal(None, None), &Environment::default(), false, Path::new("/s"));
        assert_eq!(options.keys.keys["journal.edit"], OwnKeys { chords: vec!["e".into()], line: 2 });
        assert_eq!(options.keys.keys["app.quit"], OwnKeys { chords: Vec::new(), line: 3 });
        assert_eq!((options.keys.file, options.editor), (PathBuf::from("config.toml"), None));
    }

    #[test]
    fn the_model_is_what_the_file_says_or_else_what_was_chosen() {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths { home: home.path().to_owned(), config: home.path().join("config.toml") };
        let model = |config: &Config| {
            let options = config.session_options(&paths, &Journal::Named("x".into()), &Environment::default());
            options.model
        };
        let unsaid = Config::default();
        assert_eq!(model(&unsaid).as_deref(), Some(bundled::DEFAULT), "search by meaning is on from the first start");
        fs::create_dir_all(paths.state()).unwrap();
        fs::write(model_choice_file(&paths), "small\n").unwrap();
        assert_eq!(model(&unsaid).as_deref(), Some("small"));
        fs::write(model_choice_file(&paths), "off\n").unwrap();
        assert_eq!(model(&unsaid), None);
        assert_eq!(model(&Config { model: ModelChoice::Off, ..Config::default() }), None);
        assert_eq!(
            model(&Config { model: ModelChoice::Named("big".into()), ..Config::default() }).as_deref(),
            Some("big")
        );
    }
}
