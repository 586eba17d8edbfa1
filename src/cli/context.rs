//! The context of a command: paths, configuration, journal, clock, output.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Command;
use jiff::Zoned;
use serde::Serialize;

use super::{
    outcome::{Done, Failure, Outcome},
    output::{self, Output},
    prompt,
};
use crate::{
    config::{self, Config, Environment, Journal},
    extract::language,
    journal::{Vault, files, follow_links_out, word_lists},
    paths::Paths,
    report::Report,
    search::json::Versioned,
    session::{Session, SessionError, SessionOptions},
    tui::TuiOptions,
};

/// Global options: the journal and the output. Accepted before and after every command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Place {
    /// Folder of journals, models and state [env: KIOKU_HOME]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub home: Option<PathBuf>,
    /// Journal to use, by name
    #[arg(long, global = true, value_name = "NAME")]
    pub journal: Option<String>,
    /// Folder of dated markdown to use as the journal
    #[arg(long, global = true, value_name = "FOLDER", conflicts_with = "journal")]
    pub vault: Option<PathBuf>,
    /// Configuration file [env: KIOKU_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Screens for screen readers: one column, no lines and bars
    #[arg(long, global = true)]
    pub plain: bool,
    /// Disable colours [env: NO_COLOR]
    #[arg(long, global = true)]
    pub no_color: bool,
}

impl Place {
    /// The options for another process of kioku, whatever its current folder.
    pub fn flags(&self) -> Vec<OsString> {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone()).into_os_string();
        let values = [
            ("--home", self.home.as_ref().map(absolute)),
            ("--journal", self.journal.as_ref().map(OsString::from)),
            ("--vault", self.vault.as_ref().map(absolute)),
            ("--config", self.config.as_ref().map(absolute)),
        ];
        let switches = [("--plain", self.plain), ("--no-color", self.no_color)];
        let values = values.into_iter().filter_map(|(flag, value)| Some([flag.into(), value?])).flatten();
        values.chain(switches.into_iter().filter(|(_, is_on)| *is_on).map(|(flag, _)| flag.into())).collect()
    }
}

pub struct Context {
    /// The global options as given.
    pub place: Place,
    pub paths: Paths,
    pub config: Config,
    pub environment: Environment,
    pub journal: Journal,
    pub out: Output,
    /// Mistakes in the journal's word lists, once they are [loaded](Self::adopt_word_lists).
    pub list_faults: Vec<String>,
    /// The state folder: query history, undo logs, and texts open in an editor.
    pub state: PathBuf,
    /// The time of the command, fixed at its start.
    pub now: Zoned,
    /// The command tree with its help.
    pub commands: fn() -> Command,
}

impl Context {
    pub fn new(place: Place, commands: fn() -> Command) -> Result<Self, Failure> {
        #[cfg(debug_assertions)]
        config::arm_fault();
        let paths = Paths::locate(place.home.as_deref(), place.config.as_deref())
            .map_err(|why| Report::data(why).hint("pass --home FOLDER or set KIOKU_HOME"))?;
        if let Some(named) = place.config.as_deref().filter(|path| !path.exists()) {
            output::warn(format_args!("{}: no such file; the defaults apply", named.display()));
        }
        let mut config = Config::load(&paths.config);
        config.plain |= place.plain;
        config.complaints.iter().for_each(output::warn);
        follow_links_out(config.follow_links);
        if let Some(name) = place.journal.as_deref().filter(|name| !config::is_journal_name(name)) {
            return Err(Report::usage(format!("`{name}` is not a valid journal name"))
                .hint("use a folder name, such as `work`")
                .into());
        }
        let journal = config.journal(place.journal.as_deref(), place.vault.as_deref());
        if let Some(folder) = &place.vault {
            expect_folder(folder, None)?;
        }
        let environment = Environment::read();
        let out = Output::stdout(place.no_color || environment.no_color, environment.term.as_deref());
        let now = config.clock().now();
        let state = paths.state();
        Ok(Self { place, paths, config, environment, journal, out, list_faults: Vec::new(), state, now, commands })
    }

    /// Loads the journal's own word lists, if any, for all texts read from now on. Prints a warning for each mistake in
    /// them.
    pub fn adopt_word_lists(&mut self) {
        self.list_faults = match word_lists(&self.journal.root(&self.paths)) {
            Ok(own) => match language::adopt(own) {
                Ok(faults) => faults.iter().map(ToString::to_string).collect(),
                Err(error) => vec![error.to_string()],
            },
            Err(error) => vec![error.to_string()],
        };
        self.list_faults.iter().for_each(output::warn);
    }

    pub fn tui_options(&self) -> TuiOptions {
        self.config.tui_options(&self.journal, &self.environment, self.place.no_color, &self.state)
    }

    pub fn session_options(&self) -> SessionOptions {
        self.config.session_options(&self.paths, &self.journal, &self.environment)
    }

    /// Whether a journal or vault was given on the command line.
    pub fn names_journal(&self) -> bool {
        self.place.journal.is_some() || self.place.vault.is_some()
    }

    pub fn session(&self) -> Result<Session, Failure> {
        self.open_session(true)
    }

    fn open_session(&self, may_write: bool) -> Result<Session, Failure> {
        let options = self.session_options();
        self.expect_journal(&Vault::open(options.vault.clone())?, may_write)?;
        Ok(Session::open(options)?)
    }

    /// Asks before the first write into a folder with other files. Refuses without a terminal, and if the command only
    /// reads.
    pub fn expect_journal(&self, vault: &Vault, may_write: bool) -> Result<(), Failure> {
        let root = &vault.options().root;
        if matches!(self.journal, Journal::Folder(_)) {
            expect_folder(root, self.config.place_of("vault").filter(|_| self.place.vault.is_none()))?;
        }
        let Some(files) = vault.unclaimed()? else { return Ok(()) };
        let what = format!(
            "{} holds {files} {} and no journal",
            root.display(),
            if files == 1 { "file or folder" } else { "files and folders" }
        );
        let is_asked = may_write && io::stdin().is_terminal() && io::stderr().is_terminal();
        if !is_asked || !prompt::yes(format_args!("{what}. Start a journal there? [y/N] "))? {
            return Err(Report::data(format!("{what}; nothing written"))
                .hint(format!("run `mkdir {}` to start a journal in it", root.join("memory").display()))
                .hint("or pass another folder with --vault")
                .into());
        }
        Ok(vault.claim()?)
    }

    /// Removes temporary files of killed processes from the state folder. Errors are ignored; the next command tries
    /// again.
    pub fn sweep_state(&self) {
        for folder in [self.state.clone(), self.state.join("queries"), self.state.join("curation")] {
            let _ = files::sweep(&folder);
        }
    }

    /// Opens a session for reading. Refuses a journal that does not exist beside others: its name is probably mistyped,
    /// and opening it would create its folder.
    pub fn reading_session(&self) -> Result<Session, Failure> {
        let is_chosen = !self.names_journal() && self.config.journal != config::DEFAULT_JOURNAL;
        let in_file = self.config.place_of("journal").filter(|_| is_chosen);
        if let Journal::Named(name) = &self.journal
            && (self.names_journal() || in_file.is_some())
            && !self.journal.root(&self.paths).exists()
        {
            let known = journals(&self.paths);
            if !known.is_empty() {
                let source = in_file.map_or_else(String::new, |place| format!(", named by `journal` in {place}"));
                return Err(Report::not_found(format!("no journal `{name}`{source}"))
                    .hint(format!("journals: {}; `kioku add` starts a new one", known.join(", ")))
                    .into());
            }
        }
        self.sweep_state();
        self.open_session(false)
    }

    /// Prints a result: as JSON, or for people with `print`.
    pub fn answer<T: Serialize>(&mut self, answer: &T, json: bool, print: impl FnOnce(&mut Output, &T)) -> Outcome {
        if json {
            self.out.json(&Versioned::new(answer))
        } else {
            print(&mut self.out, answer)
        }
        Ok(Done::Done)
    }

    /// Prints the result of a query: exit code 3 unless something `is_found`.
    pub fn answer_query<T: Serialize>(
        &mut self,
        is_found: bool,
        answer: &T,
        json: bool,
        print: impl FnOnce(&mut Output, &T),
    ) -> Outcome {
        self.answer(answer, json, print)?;
        Ok(if is_found { Done::Done } else { Done::NothingMatched })
    }

    /// Prints the result of a query that is a list; in JSON it has one key.
    pub fn answer_list<T: Serialize>(
        &mut self,
        key: &str,
        items: &[T],
        json: bool,
        print: impl FnOnce(&mut Output, &[T]),
    ) -> Outcome {
        self.answer_query(!items.is_empty(), &BTreeMap::from([(key, items)]), json, |out, _| print(out, items))
    }

    /// Ends a command that has printed its answer, with an error if there is one.
    pub fn end(&mut self, error: Option<Report>) -> Outcome {
        self.out.flush()?;
        error.map_or(Ok(Done::Done), |report| Err(report.into()))
    }

    /// Opens the journal for one query, and prints the warnings.
    pub fn ask<T>(&self, question: impl FnOnce(&mut Session) -> Result<T, SessionError>) -> Result<T, Failure> {
        let mut session = self.reading_session()?;
        let answer = question(&mut session)?;
        print_warnings(&mut session);
        Ok(answer)
    }
}

/// A mistyped folder must not become a new, empty journal. `in_file`: where the configuration names it.
fn expect_folder(folder: &Path, in_file: Option<String>) -> Result<(), Report> {
    if folder.is_dir() {
        return Ok(());
    }
    let what = if folder.exists() { "is not a folder" } else { "does not exist" };
    let other = in_file.map_or_else(
        || "pass another with --vault".to_owned(),
        |place| format!("correct `vault` in {place}, or pass --journal NAME"),
    );
    Err(Report::data(format!("the vault {} {what}", folder.display())).hint(format!("create the folder, or {other}")))
}

/// The names of the journals in the home folder, sorted.
pub(super) fn journals(paths: &Paths) -> Vec<String> {
    let Ok(folders) = fs::read_dir(paths.home.join("journals")) else { return Vec::new() };
    let mut names: Vec<String> = folders
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Closes the session of a reading command. A failure to save the index is only a warning, because the answer was
/// given.
pub fn leave(session: Session) {
    if let Err(error) = session.leave() {
        output::warn(format_args!("the index is not up to date: {error} · run `kioku index`"));
    }
}

/// Prints the warnings of the session.
pub fn print_warnings(session: &mut Session) {
    session.warnings().iter().for_each(output::warn);
    let Ok(catalog) = session.listed() else { return };
    match catalog.notices.first() {
        _ if !catalog.entries().is_empty() => {}
        None => output::note("the journal is empty; write an entry with `kioku add`"),
        // The session warned of those.
        Some(notice) if notice.kind.is_unreadable() => {}
        Some(notice) => output::warn(format_args!("could not be read: {}: {}", notice.file, notice.message)),
    }
}
