//! Error reports for the user: kind, chain of causes, hints, exit code.

use std::{error::Error, fmt, io};

use crate::{
    embed::EmbedError,
    index::{IndexError, NEWER_HINT},
    journal::VaultError,
    search::SearchError,
    session::{CurationError, RecordError, SessionError},
    spelling::distance,
};

/// The kind of an error, by what the user has to fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line: exit code 2.
    Usage,
    /// A file of the journal, the configuration file, a model, the disk.
    Data,
    /// Something that was asked for by its id or name does not exist: exit code 3.
    NotFound,
    /// A bug in kioku.
    Internal,
}

/// An error to be shown, on the command line or on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub kind: Kind,
    /// The outermost message, followed by its causes.
    pub chain: Vec<String>,
    /// Suggestions what to do.
    pub hints: Vec<String>,
}

impl Report {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, chain: vec![message.into()], hints: Vec::new() }
    }

    /// An error in the command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// An error about a file.
    pub fn data(message: impl Into<String>) -> Self {
        Self::new(Kind::Data, message)
    }

    /// An error about an unknown id or name.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, message)
    }

    /// A report of an error with all its causes.
    pub fn of(kind: Kind, error: &dyn Error) -> Self {
        let mut chain = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !chain.iter().any(|known| known.contains(&text)) {
                chain.push(text);
            }
            cause = error.source();
        }
        Self { kind, chain, hints: Vec::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds a hint with the known name most similar to the typed one, or else `otherwise`.
    pub fn nearest<'n>(
        self,
        typed: &str,
        known: impl IntoIterator<Item = &'n str>,
        otherwise: impl Into<String>,
    ) -> Self {
        match closest(typed, known) {
            Some(near) => self.hint(format!("did you mean `{near}`?")),
            None => self.hint(otherwise),
        }
    }

    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Usage => 2,
            Kind::NotFound => 3,
            Kind::Data | Kind::Internal => 1,
        }
    }

    /// Adds the hints for a missing folder of day files.
    fn folder_gone(self, path: &std::path::Path) -> Self {
        self.hint("mount the disk, or wait for the sync program; nothing was changed")
            .hint(format!("to start without these entries: mkdir '{}'", path.display()))
    }

    /// Adds the hint for an error of the file system.
    fn io_hint(self, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => self.hint("check the permissions of that path"),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                self.hint("the disk is full: make room, then retry; saved entries are unchanged")
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                self.hint("the disk is read-only; choose another with --home or --vault")
            }
            io::ErrorKind::IsADirectory => self.hint("expected a file, found a folder; move it away"),
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                self.hint("expected a folder, found a file; move it away")
            }
            _ => self,
        }
    }
}

/// The format of the command line: `error:`, `caused by:` and `hint:` lines.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = if self.kind == Kind::Internal { "internal error" } else { "error" };
        for (place, message) in self.chain.iter().enumerate() {
            writeln!(f, "{}: {message}", if place == 0 { first } else { "caused by" })?;
        }
        self.hints.iter().try_for_each(|hint| writeln!(f, "hint: {hint}"))
    }
}

/// Conversions of owned errors, for `?`.
macro_rules! from_owned {
    ($($error:ty),*) => {
        $(impl From<$error> for Report {
            fn from(error: $error) -> Self {
                Self::from(&error)
            }
        })*
    };
}

from_owned!(SessionError, VaultError, IndexError, EmbedError);

impl From<&SessionError> for Report {
    fn from(error: &SessionError) -> Self {
        match error {
            SessionError::Vault(error) => error.into(),
            SessionError::Index(error) => error.into(),
            SessionError::Embed(error) => error.into(),
            SessionError::Curation(error) => error.into(),
            SessionError::Search(SearchError::Index(error)) => error.into(),
            SessionError::Search(SearchError::Embed(error)) => error.into(),
            SessionError::Record(error) => error.into(),
            SessionError::TrashEmptied => Self::of(Kind::NotFound, error),
            SessionError::Cancelled | SessionError::Fault(_) => Self::of(Kind::Internal, error)
                .hint("saved entries are safe in the day files; check with `kioku doctor --verify`"),
        }
    }
}

impl From<&VaultError> for Report {
    fn from(error: &VaultError) -> Self {
        let report = Self::of(Kind::Data, error);
        match error {
            // The message already says that the file exists.
            VaultError::Io { operation: "create", source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                report
            }
            // The user's own file, which the hints of the journal's files do not fit.
            VaultError::Io { operation: "attach", .. } => report,
            VaultError::Io { source, .. } => report.io_hint(source),
            VaultError::Locked { .. } => report.hint("wait, or close the other kioku; nothing was written"),
            VaultError::Absent { .. } => Self { kind: Kind::NotFound, ..report },
            VaultError::Busy { .. } => report.hint("wait until it is done, then retry"),
            VaultError::FolderGone { path } => report.folder_gone(path),
            VaultError::Changed { .. } => report.hint("check it with `kioku show`, then retry"),
            VaultError::Refused { path, line, .. } => report
                .hint(format!("fix line {line} of {} in an editor; `kioku doctor` lists such places", path.display())),
            VaultError::Exists { .. } => report.hint("name another file"),
            VaultError::InsideJournal { .. } => report.hint("choose a folder outside every journal, without day files"),
            VaultError::UnsafeFile { .. } => report.hint("it was neither read nor written"),
            VaultError::NotDownloaded { .. } => report.hint("open its folder in the cloud program to download it"),
            VaultError::Git { .. } => report.hint("nothing is lost; see `git status` in that folder"),
            VaultError::Unwritable(_) | VaultError::Unsynced { .. } => report,
            VaultError::TooLarge { .. } => report.hint("`--any-size` attaches it all the same"),
            VaultError::Unwatched { .. } => report.hint("changes by other programs appear at the next start"),
        }
    }
}

impl From<&IndexError> for Report {
    fn from(error: &IndexError) -> Self {
        let report = Self::of(Kind::Data, error);
        match error {
            IndexError::Io { source, .. } => report.io_hint(source),
            IndexError::Vault(error) => error.into(),
            IndexError::FolderGone { path } => report.folder_gone(path),
            IndexError::Newer { .. } => report.hint(NEWER_HINT),
            IndexError::Busy { .. } => report.hint("another kioku is writing the index; close it or try again"),
            IndexError::Unwritable { path, .. } => {
                report.hint(format!("the journal can be read without its index in {}", path.display()))
            }
            IndexError::Damaged { .. } | IndexError::Keyword(_) | IndexError::Vector(_) => {
                report.hint("run `kioku index --rebuild`")
            }
        }
    }
}

impl From<&CurationError> for Report {
    fn from(error: &CurationError) -> Self {
        let is_unknown = matches!(error, CurationError::Unknown { .. } | CurationError::NoEntry(_));
        let report = Self::of(if is_unknown { Kind::NotFound } else { Kind::Data }, error);
        match error {
            CurationError::Unknown { near, .. } if near.is_empty() => report,
            CurationError::Unknown { near, .. } => report.hint(format!("near: {}", near.join(", "))),
            CurationError::Ambiguous { names, .. } => match names.first() {
                Some(first) => report.hint(format!("choose one, such as '{first}'")),
                None => report,
            },
            CurationError::Refused { hint, .. } => report.hint(hint.clone()),
            CurationError::NoEntry(_) => report.hint("`kioku timeline` lists entries with their ids"),
            CurationError::NothingToUndo => report,
        }
    }
}

impl From<&RecordError> for Report {
    fn from(error: &RecordError) -> Self {
        let is_unknown = matches!(error, RecordError::Unknown { .. });
        let report = Self::of(if is_unknown { Kind::NotFound } else { Kind::Data }, error);
        match error {
            RecordError::Unknown { id, known } => {
                report.nearest(id, known.iter().map(String::as_str), "`kioku record list --all` shows every record")
            }
            RecordError::Ambiguous { ids, .. } => {
                ids.iter().fold(report, |report, id| report.hint(format!("matches {id}")))
            }
            RecordError::NoRecord(id) => report.hint(format!("change it with `kioku edit {id}`")),
            RecordError::NoTask { id, .. } => {
                report.hint(format!("`kioku record drop {id}` retracts it, `kioku edit {id}` changes it"))
            }
            RecordError::NoText => report.hint("an example: run a half marathon by May"),
        }
    }
}

impl From<&EmbedError> for Report {
    fn from(error: &EmbedError) -> Self {
        let is_unknown = matches!(error, EmbedError::NotInstalled { .. });
        let report = Self::of(if is_unknown { Kind::NotFound } else { Kind::Data }, error);
        match error {
            EmbedError::Io { source, .. } => report.io_hint(source),
            EmbedError::Files(error) => error.into(),
            EmbedError::Damaged { .. } => report.hint("`kioku model remove NAME`, then `kioku model install` it again"),
            EmbedError::Download { .. } => report.hint("repeat the command to resume the download"),
            EmbedError::NotInstalled { .. } => {
                report.hint("or `kioku model use off`: search by word and by connection need no model")
            }
            EmbedError::Model { .. } => report.hint("`kioku model list --verify` reads every installed model again"),
        }
    }
}

/// The candidate most similar to the typed word: at most a third of its letters differ; a swap of two neighbours counts
/// once.
pub fn closest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = typed.to_lowercase().chars().collect();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.to_lowercase().chars().collect();
            Some((distance(&typed, &letters, (letters.len() / 3).max(1))?, candidate))
        })
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_says_each_cause_once() {
        let error = VaultError::Io {
            operation: "reading",
            path: "a.md".into(),
            source: io::Error::from(io::ErrorKind::PermissionDenied),
        };
        let report = Report::from(&SessionError::from(error));
        assert_eq!(report.kind, Kind::Data);
        assert_eq!(report.chain.len(), 1, "{:?}", report.chain);
        assert_eq!(report.hints, ["check the permissions of that path"]);
        assert_eq!(
            report.to_string(),
            "error: reading a.md: permission denied\nhint: check the permissions of that path\n"
        );
    }

    #[test]
    fn a_taken_file_name_is_not_called_a_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        crate::journal::files::create_new(&file, b"").unwrap();
        let taken = Report::from(&crate::journal::files::create_new(&file, b"").unwrap_err());
        assert_eq!(taken.hints, [""; 0], "{taken}");
        let no_folder = Report::from(&crate::journal::files::create_dir(&file).unwrap_err());
        assert_eq!(no_folder.hints, ["expected a folder, found a file; move it away"], "{no_folder}");
    }

    #[test]
    fn only_what_was_typed_exits_with_two() {
        assert_eq!(Report::usage("x").exit_code(), 2);
        assert_eq!(Report::data("x").exit_code(), 1);
        assert_eq!(Report::not_found("x").exit_code(), 3);
        assert_eq!(Report::from(&SessionError::Fault("searching".into())).exit_code(), 1);
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
        let known = ["journal", "vault", "zone"];
        assert_eq!(closest("jounral", known), Some("journal"));
        assert_eq!(closest("Vualt", known), Some("vault"));
        assert_eq!(closest("colour", known), None);
    }
}
