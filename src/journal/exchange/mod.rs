//! Moving in and out: readers of other journals' files, writers of this one's.
//!
//! An importer only reads: it turns a path into [`NewEntry`] values and a loss report. Writing them is
//! [`super::Vault::append_all`], which skips what is already there. An exporter turns entries into text.
//! A new format is one file here and one line in [`IMPORTERS`] or [`EXPORTERS`].
//!
//! Rules that hold for every importer:
//! - the source is never written to, and one bad record never stops the others: it becomes a [`Loss`];
//! - reading the same source twice yields the same entries, ids included, so that importing twice adds nothing.
//!   A source with ids of its own keeps them; one without gets an id made from its time and text;
//! - unknown fields are kept as extra keys of the entry where they are one line of text, otherwise they are
//!   counted in [`Imported::not_kept`];
//! - a date that could mean two days is never guessed.

mod content;
mod jrnl;
mod jrnl_dates;
mod jsonl;
mod kioku;
mod markdown;
mod my_kioku;
mod source;

use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Path, PathBuf},
};

use jiff::tz::TimeZone;

use super::{Entry, NewEntry, Vault, VaultError, head, user_file::Existing};

/// What a reader must be told, because the source does not say it.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// The zone of times written without one.
    pub zone: TimeZone,
    /// The source's own date format, in the letters of `strftime` (`%d/%m/%Y %H:%M`).
    pub time_format: Option<String>,
    /// Signs that start a tag in the source's text; the format's usual ones where absent.
    pub tag_signs: Option<String>,
    /// Whose entries, where a source holds those of several people.
    pub user: Option<String>,
}

impl ImportOptions {
    pub fn new(zone: TimeZone) -> Self {
        Self { zone, time_format: None, tag_signs: None, user: None }
    }
}

/// A format that can be read.
#[derive(Clone, Copy)]
pub struct Importer {
    /// What the user types: `kioku import jsonl PATH`.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    pub read: fn(&Path, &ImportOptions) -> Result<Imported, ExchangeError>,
}

impl Importer {
    /// Reads a source that may well be of this format: one that is recognised as something else is refused.
    pub fn import(&self, path: &Path, options: &ImportOptions) -> Result<Imported, ExchangeError> {
        content::check(self.name, path)?;
        (self.read)(path, options)
    }
}

/// A format that can be written.
#[derive(Clone, Copy)]
pub struct Exporter {
    pub name: &'static str,
    pub about: &'static str,
    /// All entries as one document.
    pub document: fn(&[Entry], &mut dyn io::Write) -> io::Result<()>,
    /// The same as several files of a folder; `None` where the format is one document.
    pub folder: Option<ToFolder>,
}

/// Entries as the files of a folder: name and content of each.
pub type ToFolder = fn(&[Entry]) -> Vec<(String, String)>;

/// Every format that can be read, in the order of the help.
pub const IMPORTERS: &[Importer] = &[jsonl::IMPORTER, kioku::IMPORTER, my_kioku::IMPORTER, jrnl::IMPORTER];

/// Every format that can be written, in the order of the help.
pub const EXPORTERS: &[Exporter] = &[jsonl::EXPORTER, markdown::EXPORTER];

/// The importer called `name`.
pub fn importer(name: &str) -> Option<&'static Importer> {
    IMPORTERS.iter().find(|importer| importer.name == name)
}

/// Whose entries a folder in Kioku's format holds, the name of `memory/` itself first; more than one must not be mixed.
pub fn users(path: &Path) -> Result<Vec<String>, ExchangeError> {
    kioku::users(path)
}

/// What [`users`] calls those of `memory/` itself.
pub const MAIN_USER: &str = kioku::MAIN;

/// The exporter called `name`.
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.name == name)
}

/// Writes entries as one readable markdown document to a file that is not there yet, outside every journal.
pub fn write_markdown(entries: &[Entry], path: &Path, vault: &Vault) -> Result<(), VaultError> {
    let mut document = Vec::new();
    (markdown::EXPORTER.document)(entries, &mut document).map_err(|error| VaultError::io("export to", path, error))?;
    vault.write_user_file(path, &document, Existing::Refuse)
}

/// What a source holds, as kioku would write it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// In the order of the source.
    pub entries: Vec<NewEntry>,
    /// Notes on people, places and things.
    pub notes: Vec<ImportedNote>,
    /// What was left out, and what was read with doubt.
    pub losses: Vec<Loss>,
    /// Fields seen and not kept, with how often.
    pub not_kept: BTreeMap<String, usize>,
}

impl Imported {
    /// Whether nothing at all was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.notes.is_empty()
    }

    /// The entry with the earliest time.
    pub fn first(&self) -> Option<&NewEntry> {
        self.dated().min_by_key(|(at, _)| *at).map(|(_, entry)| entry)
    }

    /// The entry with the latest time.
    pub fn last(&self) -> Option<&NewEntry> {
        self.dated().max_by_key(|(at, _)| *at).map(|(_, entry)| entry)
    }

    fn dated(&self) -> impl Iterator<Item = (jiff::Timestamp, &NewEntry)> {
        self.entries.iter().filter_map(|entry| Some((entry.time.as_ref()?.at, entry)))
    }

    fn lose(&mut self, kind: LossKind, path: &Path, line: usize, message: impl Into<String>) {
        self.losses.push(Loss { kind, path: path.to_path_buf(), line, message: message.into() });
    }

    fn count_not_kept(&mut self, field: &str) {
        *self.not_kept.entry(field.to_string()).or_default() += 1;
    }

    /// Keeps an unknown field as an extra key where its name and value fit one line of a head, and the head has room.
    fn keep_extra(&mut self, extra: &mut Vec<(String, String)>, key: &str, value: &str) {
        if extra_fits(key, value) && extra.len() < MOST_EXTRA {
            extra.push((key.to_string(), value.to_string()));
        } else {
            self.count_not_kept(key);
        }
    }
}

/// Well below what a head can hold beside the known keys.
const MOST_EXTRA: usize = head::MOST_LINES - 2 * head::KNOWN_KEYS.len();

fn extra_fits(key: &str, value: &str) -> bool {
    !head::KNOWN_KEYS.contains(&key)
        && key.chars().next().is_some_and(char::is_alphanumeric)
        && key.chars().all(|c| c.is_alphanumeric() || "_-./ ".contains(c))
        && !key.ends_with(' ')
        && !value.chars().any(char::is_control)
}

/// A curated note found in the source: what `entities/<file>` should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedNote {
    /// File name, safe on every system.
    pub file: String,
    pub text: String,
}

/// A record that was left out, or kept with doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub kind: LossKind,
    pub path: PathBuf,
    /// From 1.
    pub line: usize,
    /// A sentence for the reader.
    pub message: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path.display(), self.line, self.kind.word(), self.message)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LossKind {
    /// Not imported.
    Skipped,
    /// Imported, but something had to be assumed or was unreadable.
    Doubtful,
}

impl LossKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Skipped => "left out",
            Self::Doubtful => "in doubt",
        }
    }
}

/// Why nothing could be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: PathBuf, source: io::Error },
    /// The folder or file holds nothing of the kind.
    #[error("{path}: {expected} not found there")]
    NotThere { path: PathBuf, expected: &'static str },
    /// The content is that of something else.
    #[error("{path}: this is {found}")]
    WrongFormat { path: PathBuf, found: &'static str, hint: &'static str },
    /// Their entries would become one person's.
    #[error("{path} holds the entries of several people: {}", users.join(", "))]
    SeveralUsers { path: PathBuf, users: Vec<String> },
    #[error("{path} holds nothing of `{user}`; it holds {}", users.join(", "))]
    NoSuchUser { path: PathBuf, user: String, users: Vec<String> },
    /// Day and month cannot be told apart.
    #[error(
        "{path}:{line}: \"{example}\" could mean two days, and no other date of the file decides it; \
         give the format, such as --time-format '%d/%m/%Y %H:%M' or --time-format '%m/%d/%Y %H:%M'"
    )]
    AmbiguousDates { path: PathBuf, line: usize, example: String },
    #[error("the time format \"{format}\" cannot be used: {reason}")]
    TimeFormat { format: String, reason: String },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_own_name() {
        let mut names: Vec<&str> = IMPORTERS.iter().map(|importer| importer.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), IMPORTERS.len());
        assert!(IMPORTERS.iter().all(|format| importer(format.name).is_some()));
        assert!(EXPORTERS.iter().all(|format| exporter(format.name).is_some()));
        assert!(importer("nothing").is_none());
    }

    #[test]
    fn an_extra_key_never_poses_as_a_key_of_the_format() {
        assert!(extra_fits("sleep", "6.5"));
        assert!(extra_fits("địa_điểm", "Huế"));
        for (key, value) in
            [("time", "x"), ("id", "x"), ("a:b", "x"), ("", "x"), ("-", "x"), ("a ", "x"), ("k", "two\nlines")]
        {
            assert!(!extra_fits(key, value), "{key}: {value:?}");
        }
    }
}
