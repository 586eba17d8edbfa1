//! Types shared by all formats: exporter, import result, losses and errors.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use jiff::tz::TimeZone;

use crate::journal::{Entry, EntryTime, NewEntry, VaultError, head, words};

/// Information that the source may lack and the user supplies.
#[derive(Clone)]
pub struct ImportOptions {
    /// The zone for times without one.
    pub zone: TimeZone,
    /// The date format of the source, in `strftime` syntax (`%d/%m/%Y %H:%M`).
    pub time_format: Option<String>,
    /// Characters that start a tag in the text; `None` for the format's default.
    pub tag_signs: Option<String>,
    /// The user whose entries are imported, if the source has several.
    pub user: Option<String>,
    /// The password of an encrypted source.
    pub password: Option<String>,
}

impl ImportOptions {
    pub fn new(zone: TimeZone) -> Self {
        Self { zone, time_format: None, tag_signs: None, user: None, password: None }
    }
}

/// A format that can be exported.
#[derive(Clone, Copy)]
pub struct Exporter {
    pub name: &'static str,
    pub about: &'static str,
    /// Of a file in this format.
    pub extension: &'static str,
    /// Writes all entries as one document.
    pub document: fn(&[Entry], &mut dyn io::Write) -> io::Result<()>,
    /// Formats the entries as several files; `None` if the format supports one document only.
    pub folder: Option<ToFolder>,
    /// Like `document`, with names and images; `None` if the format has none.
    pub book: Option<ToBook>,
    /// Writes entries and their files as a zip archive; `None` if the format has none.
    pub archive: Option<ToArchive>,
}

impl Exporter {
    /// A format of one document, whose files end in its name.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        document: fn(&[Entry], &mut dyn io::Write) -> io::Result<()>,
    ) -> Self {
        Self { name, about, extension: name, document, folder: None, book: None, archive: None }
    }
}

/// A name, and the positions of the entries that mention it.
pub type IndexedName = (String, Vec<usize>);

/// What a book has besides the entries.
pub struct BookParts<'a> {
    pub names: &'a [IndexedName],
    /// The content of an image in `attachments/`, by its path and the maximum size; `None` to name it only.
    pub image: &'a dyn Fn(&str, u64) -> Option<Vec<u8>>,
}

/// Writes entries as a book.
pub type ToBook = fn(&[Entry], &BookParts<'_>, &mut dyn io::Write) -> io::Result<()>;

/// Writes entries with the files that they link as an archive. The function finds the file of an attachment. Returns the
/// number of files.
pub type ToArchive = fn(&[Entry], &dyn Fn(&str) -> Option<PathBuf>, &mut fs::File) -> io::Result<usize>;

/// Formats entries as files: the name and content of each.
pub type ToFolder = fn(&[Entry]) -> Vec<(String, String)>;

/// The content of a source, converted for kioku.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// In the order of the source.
    pub entries: Vec<NewEntry>,
    /// Notes on entities.
    pub notes: Vec<ImportedNote>,
    /// Files to copy into `attachments/`.
    pub files: Vec<ImportedFile>,
    /// Skipped and uncertain records.
    pub losses: Vec<Loss>,
    /// Unknown fields that were dropped, with their counts.
    pub not_kept: BTreeMap<String, usize>,
}

impl Imported {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.notes.is_empty()
    }

    /// The earliest and the latest time.
    pub fn span(&self) -> Option<(&EntryTime, &EntryTime)> {
        let times = || self.entries.iter().filter_map(|entry| entry.time.as_ref());
        Some((times().min_by_key(|time| time.at)?, times().max_by_key(|time| time.at)?))
    }

    pub(super) fn lose(&mut self, kind: LossKind, path: &Path, line: usize, message: impl Into<String>) {
        self.losses.push(Loss { kind, path: path.to_path_buf(), line, message: message.into() });
    }

    pub(super) fn count_not_kept(&mut self, field: &str) {
        *self.not_kept.entry(field.to_string()).or_default() += 1;
    }

    /// Keeps an unknown field as an extra key, if name and value fit in one line of a head and the head has room.
    /// Otherwise counts it as dropped.
    pub(super) fn keep_extra(&mut self, extra: &mut Vec<(String, String)>, key: &str, value: &str) {
        if extra_fits(key, value) && extra.len() < MOST_EXTRA {
            extra.push((key.to_string(), value.to_string()));
        } else {
            self.count_not_kept(key);
        }
    }
}

/// Maximum number of extra keys. Leaves room in a head for the known keys.
const MOST_EXTRA: usize = head::MOST_LINES - 2 * head::KNOWN_KEYS.len();

pub(super) fn extra_fits(key: &str, value: &str) -> bool {
    !head::KNOWN_KEYS.contains(&key)
        && key.chars().next().is_some_and(char::is_alphanumeric)
        && key.chars().all(|c| c.is_alphanumeric() || "_-./ ".contains(c))
        && !key.ends_with(' ')
        && !value.chars().any(char::is_control)
}

/// A file to copy into `attachments/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    /// Relative to the journal's folder.
    pub path: String,
    pub(super) from: FileOrigin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileOrigin {
    /// A file of the source's folder or archive, by its name.
    Source(String),
    /// A file beside the source.
    Path(PathBuf),
}

/// An entity note of the source, for `entities/<file>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedNote {
    /// File name, valid on every system.
    pub file: String,
    pub text: String,
}

/// A record that was skipped, or imported with an assumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub kind: LossKind,
    pub path: PathBuf,
    /// Line number, from 1.
    pub line: usize,
    /// One sentence for the user.
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
    /// Imported, but with an assumption or an unreadable part.
    Doubtful,
}

words! { LossKind: Skipped "left out", Doubtful "uncertain" }

/// Errors that stop an import.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error(transparent)]
    File(#[from] VaultError),
    #[error("{path}: not a readable {format}: {reason}")]
    Unreadable { path: PathBuf, format: &'static str, reason: String },
    #[error("{path}: format not recognised")]
    NotRecognised { path: PathBuf },
    #[error("{path} is encrypted, and its password is needed")]
    Encrypted { path: PathBuf },
    #[error("{path}: wrong password, or a damaged file")]
    WrongPassword { path: PathBuf },
    /// The folder or file has no content of this format.
    #[error("{path}: no {expected}")]
    NotThere { path: PathBuf, expected: &'static str },
    /// The content has another format.
    #[error("{path}: this is {found}")]
    WrongFormat { path: PathBuf, found: &'static str, hint: &'static str },
    /// Refused, because the entries of several people would be mixed.
    #[error("{path} has entries of several users: {}", users.join(", "))]
    SeveralUsers { path: PathBuf, users: Vec<String> },
    #[error("{path} has no user `{user}`; users: {}", users.join(", "))]
    NoSuchUser { path: PathBuf, user: String, users: Vec<String> },
    /// Day and month cannot be distinguished.
    #[error(
        "{path}:{line}: \"{example}\" could mean two days, and no other date in the file decides it; \
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
