//! `kioku __complete`: the values that a shell offers for a word, for the scripts of `kioku completions`.
//!
//! Called with the words after `kioku`, the last one being completed. Prints one value per line, with a description
//! after a tab; nothing where the generated script knows better, and nothing on any failure. Reads the saved catalog
//! only: no model, no other store, and nothing is written.

use std::{
    collections::HashMap,
    ffi::OsString,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use clap::{Arg, Command};

use super::{Output, context::journals, counted, help};
use crate::{
    config::{Config, Environment},
    extract::language::List,
    index::saved_catalog,
    journal::{
        Entry, Trashed, Vault,
        exchange::{EXPORTERS, IMPORTERS},
    },
    paths::Paths,
    session::tally,
};

/// Maximum number of entry ids and handles offered.
const NEWEST: usize = 50;

/// Number of day files that are read where there is no saved catalog yet.
const MOST_FILES: usize = 60;

/// A value, and what it is.
type Candidate = (String, String);

/// The words to complete, if this is such a call.
pub fn words(arguments: &[OsString]) -> Option<Vec<String>> {
    let (_, rest) = arguments.split_first()?;
    let (_, rest) = rest.split_first().filter(|(name, _)| *name == "__complete")?;
    let rest = if rest.first().is_some_and(|first| first == "--") { &rest[1..] } else { rest };
    Some(rest.iter().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// Prints the values for the last of the words.
pub fn answer(words: &[String], commands: fn() -> Command) {
    panic::set_hook(Box::new(|_| {}));
    let found = panic::catch_unwind(AssertUnwindSafe(|| candidates(words, commands()))).ok().flatten();
    let mut out = Output::stdout(true, None);
    for (value, about) in found.unwrap_or_default() {
        out.line(if about.is_empty() { value } else { format!("{value}\t{about}") });
    }
    let _ = out.flush();
}

/// The word that is being completed, and what precedes it.
#[derive(Debug)]
struct Request {
    /// The name of the command, such as `add`.
    command: String,
    /// The value that the word is: name of the value in the help, and id of the argument.
    value: String,
    argument: String,
    /// The part of the word before the value: `--tag=`.
    before: String,
    prefix: String,
    /// Values of options that are given already, by id.
    given: HashMap<String, String>,
}

fn candidates(words: &[String], mut commands: Command) -> Option<Vec<Candidate>> {
    commands.build();
    let request = Request::of(words, &commands)?;
    let prefix = request.prefix.to_lowercase();
    let mut found = request.values(&commands)?;
    found.retain(|(value, _)| {
        value.to_lowercase().starts_with(&prefix) && !value.is_empty() && !value.contains(char::is_control)
    });
    if matches!(request.value.as_str(), "ID" | "ID|DATE" | "HANDLE") {
        found.truncate(NEWEST);
    }
    Some(found.into_iter().map(|(value, about)| (format!("{}{value}", request.before), about)).collect())
}

impl Request {
    /// `None` if the word is a command or an option, or cannot be told.
    fn of(words: &[String], commands: &Command) -> Option<Self> {
        let (word, earlier) = words.split_last()?;
        let (mut command, mut position, mut given) = (commands, 1, HashMap::new());
        let mut open: Option<&Arg> = None;
        for word in earlier {
            if let Some(argument) = open.take() {
                given.insert(argument.get_id().to_string(), word.clone());
            } else if let Some((argument, value)) = option(command, word) {
                match value {
                    Some(value) => drop(given.insert(argument.get_id().to_string(), value.to_owned())),
                    None => open = Some(argument),
                }
            } else if word.starts_with('-') {
            } else if let Some(inner) = command.find_subcommand(word) {
                (command, position) = (inner, 1);
            } else {
                position += 1;
            }
        }
        let (argument, before, typed) = match (open, option(command, word)) {
            (Some(argument), _) => (argument, "", word.as_str()),
            (None, Some((argument, Some(value)))) => (argument, &word[..word.len() - value.len()], value),
            _ if word.starts_with('-') => return None,
            _ => (positional(command, position)?, "", word.as_str()),
        };
        Some(Self {
            command: command.get_name().to_owned(),
            value: argument.get_value_names()?.first()?.to_string(),
            argument: argument.get_id().to_string(),
            before: before.to_owned(),
            prefix: typed.trim_start_matches(['"', '\'']).to_owned(),
            given,
        })
    }

    fn values(&self, commands: &Command) -> Option<Vec<Candidate>> {
        let named = |name: &str, about: &str| (name.to_owned(), about.to_owned());
        Some(match (self.command.as_str(), self.value.as_str()) {
            _ if self.argument == "journal" => {
                journals(&self.paths()?).into_iter().map(|name| (name, String::new())).collect()
            }
            (_, "MOOD") => most_used(self.known()?.into_iter().filter_map(|entry| entry.mood)),
            (_, "TAG") => most_used(self.known()?.into_iter().flat_map(|entry| entry.tags)),
            ("done" | "drop" | "reopen" | "claim", "ID") => {
                newest(self.known()?.into_iter().filter(|entry| entry.record().is_some()).collect())
            }
            (_, "ID" | "ID|DATE") => newest(self.known()?),
            ("restore", "HANDLE") => trashed(&self.vault()?)?,
            ("import", "FORMAT") => {
                let auto = ("auto".to_owned(), "recognise the format by the content".to_owned());
                let formats = IMPORTERS.iter().map(|format| named(format.name, format.about));
                [auto].into_iter().chain(formats).collect()
            }
            ("export", "FORMAT") => EXPORTERS.iter().map(|format| named(format.name, format.about)).collect(),
            ("help", _) => {
                let commands = commands.get_subcommands().filter(|command| !command.is_hide_set());
                let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
                let is_topic = |name: &str| help::pages().any(|(topic, _)| topic == name);
                let commands = commands.filter(|command| !is_topic(command.get_name()));
                let commands = commands.map(|command| (command.get_name().to_owned(), about(command)));
                help::pages().map(|(topic, about)| named(topic, about)).chain(commands).collect()
            }
            ("lexicon", "NAME") => List::ALL.iter().map(|list| named(list.name(), "")).collect(),
            _ => return None,
        })
    }

    fn paths(&self) -> Option<Paths> {
        let path = |id: &str| self.given.get(id).map(Path::new);
        Paths::locate(path("home"), path("config")).ok()
    }

    fn vault(&self) -> Option<Vault> {
        let paths = self.paths()?;
        let config = Config::load(&paths.config);
        let named = self.given.get("journal").map(String::as_str);
        let journal = config.journal(named, self.given.get("vault").map(Path::new));
        let options = config.session_options(&paths, &journal, &Environment::read());
        options.vault.root.is_dir().then(|| Vault::open(options.vault).ok())?
    }

    /// The entries in time order, from the saved catalog (without their text) or else from the newest day files.
    fn known(&self) -> Option<Vec<Entry>> {
        let vault = self.vault()?;
        if let Some(catalog) = saved_catalog(&vault.index_folder(), &vault) {
            return Some(catalog.entries().iter().map(|entry| entry.with_body(String::new())).collect());
        }
        let mut files = vault.files().ok()?;
        files.sort_by_key(|stamp| std::cmp::Reverse(stamp.day()));
        let days = files.iter().take(MOST_FILES).filter_map(|stamp| vault.read(&stamp.file).ok());
        let mut known: Vec<Entry> = days.flat_map(|day| day.entries).map(|written| written.entry).collect();
        known.sort_by_key(|entry| entry.time.at);
        Some(known)
    }
}

/// The option that a word names, with the value behind `=`; `None` for options without values.
fn option<'c, 'w>(command: &'c Command, word: &'w str) -> Option<(&'c Arg, Option<&'w str>)> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    let is_named = |argument: &&Arg| match name.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => {
            name.strip_prefix('-').is_some_and(|short| argument.get_short().is_some_and(|c| short == c.to_string()))
        }
    };
    let argument = command.get_arguments().find(is_named)?;
    argument.get_action().takes_values().then_some((argument, value))
}

/// The argument at this position, from 1; the last one may take all further words.
fn positional(command: &Command, position: usize) -> Option<&Arg> {
    let takes_more = |argument: &&Arg| argument.get_num_args().is_some_and(|number| number.max_values() > 1);
    let at = |argument: &&Arg| argument.get_index() == Some(position);
    command.get_positionals().find(at).or_else(|| command.get_positionals().last().filter(takes_more))
}

fn most_used(values: impl Iterator<Item = String>) -> Vec<Candidate> {
    tally(values).into_iter().map(|(value, count)| (value, counted(count, "entry", "entries"))).collect()
}

fn newest(known: Vec<Entry>) -> Vec<Candidate> {
    let about = |entry: &Entry| match &entry.mood {
        Some(mood) => format!("{} {mood}", entry.time.day_and_clock()),
        None => entry.time.day_and_clock(),
    };
    known.into_iter().rev().map(|entry| (entry.id.to_string(), about(&entry))).collect()
}

fn trashed(vault: &Vault) -> Option<Vec<Candidate>> {
    let about = |piece: &Trashed| format!("{} {}", piece.why.word(), piece.entry.time.day_and_clock());
    Some(vault.trash().ok()?.iter().map(|piece| (piece.handle.clone(), about(piece))).collect())
}
