//! Emptying the trash, all of it or what has been there for long.

use std::{collections::HashSet, path::PathBuf};

use jiff::Timestamp;

use super::{BodyHash, EntryId, EntryTime, Vault, VaultError, WrittenEntry, files, repair::REPLACED};

/// What emptying the trash came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Emptied {
    pub pieces: usize,
    /// Second copies of texts that stood nowhere but in the trash.
    pub second_copies: usize,
    /// Answers of a language model to such texts.
    pub answers: usize,
}

impl Vault {
    /// How many pieces [`Vault::empty_trash`] would remove.
    pub fn would_empty_trash(&self, before: Option<Timestamp>) -> Result<usize, VaultError> {
        let pieces = self.trash()?.iter().filter(|piece| before.is_none_or(|before| piece.trashed.at < before)).count();
        Ok(pieces + self.replaced_files(before)?.len())
    }

    /// The files that a repair took the place of before a moment.
    fn replaced_files(&self, before: Option<Timestamp>) -> Result<Vec<PathBuf>, VaultError> {
        let paths = self.listed_in(REPLACED)?.into_iter().map(|name| self.path_in(REPLACED, &name));
        let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
        let kept_at = |path: &PathBuf| Timestamp::try_from(path.metadata().ok()?.modified().ok()?).ok();
        paths.retain(|path| before.is_none_or(|before| kept_at(path).is_none_or(|at| at < before)));
        Ok(paths)
    }

    /// Removes what was trashed before a moment, or everything, for good. The second copies of what stands in no day file go with it:
    /// they would bring it back.
    pub fn empty_trash(&self, before: Option<Timestamp>) -> Result<Emptied, VaultError> {
        let _lock = self.lock()?;
        let zone = self.reading().zone;
        let is_old = |trashed: &Option<String>| {
            let at = trashed.as_deref().and_then(|trashed| EntryTime::parse(trashed, &zone)).map(|time| time.at);
            before.is_none_or(|before| at.is_none_or(|at| at < before))
        };
        let mut standing: HashSet<BodyHash> = HashSet::new();
        for file in self.safe_files()? {
            let written = self.read_if_there(&file.file)?.map_or_else(Vec::new, |day| day.entries);
            standing.extend(written.into_iter().map(|written| written.entry.hash));
        }
        let goes: HashSet<(EntryId, BodyHash)> = self
            .trash()?
            .into_iter()
            .filter(|piece| before.is_none_or(|before| piece.trashed.at < before))
            .map(|piece| (piece.entry.id, piece.entry.hash))
            .filter(|(_, hash)| !standing.contains(hash))
            .collect();
        // First of all: another kioku that still remembers such a text must let it go.
        self.note_all_forgotten(&goes)?;
        let mut emptied = Emptied::default();
        let is_gone =
            |written: &WrittenEntry, _: &Option<String>| goes.contains(&(written.entry.id.clone(), written.entry.hash));
        for name in self.recent_names()? {
            emptied.second_copies += self.purge(&self.path_in("recent", &name)?, &name, is_gone)?;
        }
        for name in self.days_in("trash")? {
            let path = self.path_in("trash", &name)?;
            emptied.pieces += self.purge(&path, &name, |_, trashed| is_old(trashed))?;
        }
        for path in self.replaced_files(before)? {
            files::remove(&path)?;
            emptied.pieces += 1;
        }
        let hashes: Vec<BodyHash> = goes.into_iter().map(|(_, hash)| hash).collect();
        emptied.answers = self.forget_answers(&hashes)?;
        Ok(emptied)
    }
}
