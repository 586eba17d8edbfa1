//! The trash: entries deleted, replaced or lost to another program, in the format of day files.
//!
//! Each piece of trash is in a file named after its entry's day, where it can be restored to.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::Timestamp;
use serde::Serialize;

use super::{
    BodyHash, Entry, EntryId, EntryTime, Pass, Vault, VaultError, WrittenEntry,
    attachment_check::digits_named,
    day_file::{self, Scan},
    day_names::{day_of, day_text, file_of},
    files,
    folders::{RECENT, REPLACED, TRASH as FOLDER, UNNAMED},
    present::{self, Present},
    splice::{self, Revision},
    words,
    write::{self, head_line},
};

/// A deleted, replaced or vanished entry that can be restored.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    /// The id of this piece for [`Vault::restore`]: the entry's id, with `#2`, `#3`... for older pieces of the same
    /// entry.
    pub handle: String,
    /// Its place is that of the piece in the trash.
    pub entry: Entry,
    pub trashed: EntryTime,
    pub why: TrashReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrashReason {
    Edited,
    Deleted,
    Moved,
    Vanished,
}

words! { TrashReason: Edited "edited", Deleted "deleted", Moved "moved", Vanished "vanished" }

impl TrashReason {
    /// Unknown words (after an edit by hand) count as deleted.
    pub(super) fn of(word: Option<&str>) -> Self {
        word.and_then(Self::parse).unwrap_or(Self::Deleted)
    }
}

/// Counts of what emptying the trash removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Emptied {
    #[serde(rename = "removed")]
    pub pieces: usize,
    /// Second copies of texts that were only in the trash.
    pub second_copies: usize,
    /// Answers of a language model to those texts.
    pub answers: usize,
    /// Attached files that only those texts named, and those that no text named.
    pub attachments: usize,
}

/// The key for the entry's original file, if it is not the usual file of its day.
pub(super) const FROM: &str = "from";

/// The key for the heading of an entry that was a section of a text without a head.
pub(super) const HEADING: &str = "heading";

/// Prefix of the lists of forgotten texts, which contain hashes only. Another running kioku that still knows a
/// forgotten entry must not restore it. Each machine writes its own file (`.forgotten.<machine id>`) and reads all of
/// them.
const FORGOTTEN: &str = ".forgotten";

/// A parsed trash file.
pub(super) struct TrashFile {
    pub name: String,
    pub bytes: Vec<u8>,
    pub scan: Scan,
}

impl Vault {
    /// The newest piece of this id. Reads one file, whereas [`Vault::trash`] reads all.
    pub(super) fn newest_trashed(&self, file: &str, id: &EntryId) -> Result<Option<Trashed>, VaultError> {
        let pieces = self.trash_file(&file_in_trash(file))?.map(|trash| trash.pieces(self)).unwrap_or_default();
        let newest = pieces.into_iter().rfind(|piece| piece.entry.id == *id);
        Ok(newest.map(|piece| Trashed { handle: id.to_string(), ..piece }))
    }

    /// Copies an entry durably into the trash, before it is changed or removed.
    pub(super) fn keep_in_trash(&self, present: &Present, why: TrashReason) -> Result<(), VaultError> {
        self.trash_block(&present.file, &present.bytes, present.block(), &present.entry.id, why)
    }

    /// Makes a change after [`Vault::keep_in_trash`]. If the change fails and the entry's file is as it was, the copy goes:
    /// it would tell of a change that was not made.
    pub(super) fn with_copy_in_trash<T>(
        &self,
        present: &Present,
        why: TrashReason,
        change: impl FnOnce() -> Result<T, VaultError>,
    ) -> Result<T, VaultError> {
        let path = self.path_in(FOLDER, &file_in_trash(&present.file))?;
        let before = files::read(&path)?;
        self.keep_in_trash(present, why)?;
        change().inspect_err(|_| {
            if self.is_as_it_was(present) {
                // The error of the change is the one to report.
                let _ = before.map_or_else(|| files::remove(&path), |before| files::replace(&path, &before));
            }
        })
    }

    pub(super) fn trash_block(
        &self,
        file: &str,
        bytes: &[u8],
        block: &day_file::Block,
        id: &EntryId,
        why: TrashReason,
    ) -> Result<(), VaultError> {
        let now = EntryTime::precise(&self.options().clock.now());
        let mut lines = match block.head.is_absent() {
            true => present::head_lines(&block.entry(bytes, &file.into(), 0, &self.reading()).entry),
            false => Vec::new(),
        };
        lines.extend([
            head_line("trashed", &now),
            ("why".to_owned(), Some(format!("why: {}", why.word()))),
            head_line("id", id.as_str()),
        ]);
        let name = file_in_trash(file);
        // Where to restore the entry, if not in the usual file of its day.
        lines.extend((name != file).then(|| head_line(FROM, file)));
        if block.part.section().is_some() {
            let heading = String::from_utf8_lossy(&bytes[block.head.opening.start..block.body.start]);
            lines.push(head_line(HEADING, &heading));
        }
        // A text without a head may contain lines that must be escaped now. Passing the body explicitly does that.
        let body = block.head.is_absent().then(|| &bytes[block.body.clone()]);
        let revision = Revision { lines, body };
        let rewritten = splice::rewritten_in(&self.entries_folder().join(file), bytes, block, &revision)?;
        self.make_private(FOLDER)?;
        let path = self.path_in(FOLDER, &name)?;
        let present = files::read(&path)?.unwrap_or_default();
        let ending = write::Ending::of(&present);
        let mut added = if present.is_empty() { write::header(&day_text(file)) } else { Vec::new() };
        added.extend(write::separator(if present.is_empty() { &added } else { &present }, ending));
        added.extend(rewritten.block(ending));
        files::append(&path, &added)
    }

    /// Removes texts from the lists of forgotten texts, because they were written again.
    pub(super) fn remember_again<'e>(
        &self,
        texts: impl IntoIterator<Item = (&'e EntryId, &'e BodyHash)>,
    ) -> Result<(), VaultError> {
        let names = texts.into_iter().map(|(id, hash)| forgotten_name(id, hash).to_string().into_bytes());
        let names: HashSet<Vec<u8>> = names.collect();
        let is_other = |line: &&[u8]| !names.contains(line.trim_ascii_end());
        for file in self.forgotten_files()? {
            let path = self.path_in(FOLDER, &file)?;
            let names = files::read(&path)?.unwrap_or_default();
            let kept: Vec<&[u8]> = names.split_inclusive(|byte| *byte == b'\n').filter(is_other).collect();
            if kept.iter().map(|line| line.len()).sum::<usize>() != names.len() {
                files::replace(&path, &kept.concat())?;
            }
        }
        Ok(())
    }

    /// Adds texts to the list of forgotten texts, so that no process restores them.
    pub(super) fn note_all_forgotten(&self, texts: &HashSet<(EntryId, BodyHash)>) -> Result<(), VaultError> {
        if texts.is_empty() {
            return Ok(());
        }
        let lines: String = texts.iter().map(|(id, hash)| format!("{}\n", forgotten_name(id, hash))).collect();
        self.make_private(FOLDER)?;
        let path = self.path_in(FOLDER, &format!("{FORGOTTEN}.{}", self.writing_id()))?;
        files::append(&path, lines.as_bytes())
    }

    pub(super) fn is_forgotten(&self, id: &EntryId, hash: &BodyHash) -> Result<bool, VaultError> {
        let name = forgotten_name(id, hash).to_string();
        for file in self.forgotten_files()? {
            let names = files::read(&self.path_in(FOLDER, &file)?)?.unwrap_or_default();
            if names.split(|byte| *byte == b'\n').any(|line| line == name.as_bytes()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The lists of forgotten texts of all machines, with that of older versions and conflict copies.
    fn forgotten_files(&self) -> Result<Vec<String>, VaultError> {
        self.named_in(FOLDER, |name| name.starts_with(FORGOTTEN))
    }

    pub(super) fn trash_folder(&self) -> PathBuf {
        self.options().root.join(FOLDER)
    }

    pub(super) fn trash_file(&self, name: &str) -> Result<Option<TrashFile>, VaultError> {
        let bytes = files::read(&self.path_in(FOLDER, name)?)?;
        Ok(bytes.map(|bytes| TrashFile { name: name.to_owned(), scan: day_file::scan(&bytes), bytes }))
    }

    /// Everything in the trash, newest first.
    pub fn trash(&self) -> Result<Vec<Trashed>, VaultError> {
        let mut dated = Vec::new();
        for name in self.named_in(FOLDER, |name| day_of(name).is_some())? {
            let Some(file) = self.trash_file(&name)? else { continue };
            // A file is written in order, also by a clock that was set back: nothing is older than the piece before it.
            let mut latest = Timestamp::MIN;
            for piece in file.pieces(self) {
                latest = latest.max(piece.trashed.at);
                dated.push((latest, piece));
            }
        }
        dated.sort_by_cached_key(|(latest, piece)| {
            let place = &piece.entry.place;
            Reverse((*latest, place.position, place.file.clone()))
        });
        let mut pieces: Vec<Trashed> = dated.into_iter().map(|(_, piece)| piece).collect();
        let mut counts: HashMap<EntryId, usize> = HashMap::new();
        for piece in &mut pieces {
            let count = counts.entry(piece.entry.id.clone()).or_default();
            *count += 1;
            piece.handle = if *count == 1 { piece.entry.id.to_string() } else { format!("{}#{count}", piece.entry.id) };
        }
        Ok(pieces)
    }

    /// The pieces and attachments that [`Vault::empty_trash`] would remove.
    pub fn would_empty_trash(&self, before: Option<Timestamp>) -> Result<Emptied, VaultError> {
        let old = self.trashed_before(before)?;
        let goes: HashSet<(&EntryId, BodyHash)> = old.iter().map(|entry| (&entry.id, entry.hash)).collect();
        let digits = digits_named(old.iter().map(|entry| entry.body.as_str()));
        let named = self.forget_attachments(&digits, Pass::Count, |entry| goes.contains(&(&entry.id, entry.hash)))?;
        let pieces = old.len() + self.files_before(before, REPLACED)?.len();
        Ok(Emptied { pieces, attachments: named + self.files_before(before, UNNAMED)?.len(), ..Emptied::default() })
    }

    fn trashed_before(&self, before: Option<Timestamp>) -> Result<Vec<Entry>, VaultError> {
        let pieces = self.trash()?.into_iter();
        let old = pieces.filter(|piece| before.is_none_or(|before| piece.trashed.at < before));
        Ok(old.map(|piece| piece.entry).collect())
    }

    /// The files that came into a folder before a moment: attachments moved to the trash, files that a repair replaced.
    fn files_before(&self, before: Option<Timestamp>, folder: &str) -> Result<Vec<PathBuf>, VaultError> {
        let paths = self.listed_in(folder)?.into_iter().map(|name| self.path_in(folder, &name));
        let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
        let kept_at = |path: &PathBuf| Timestamp::try_from(path.metadata().ok()?.modified().ok()?).ok();
        paths.retain(|path| before.is_none_or(|before| kept_at(path).is_none_or(|at| at < before)));
        Ok(paths)
    }

    /// Permanently removes what was trashed before a moment, or everything. Second copies of texts that are in no day
    /// file are removed too, because they would restore the texts.
    pub fn empty_trash(&self, before: Option<Timestamp>) -> Result<Emptied, VaultError> {
        let _lock = self.lock()?;
        let zone = self.reading().zone;
        let is_old = |trashed: &Option<String>| {
            let at = trashed.as_deref().and_then(|trashed| EntryTime::parse(trashed, &zone)).map(|time| time.at);
            before.is_none_or(|before| at.is_none_or(|at| at < before))
        };
        let standing = self.standing(&self.safe_files()?, |entry| entry.hash)?;
        let old = self.trashed_before(before)?;
        let digits = digits_named(old.iter().map(|entry| entry.body.as_str()));
        let goes: HashSet<(EntryId, BodyHash)> =
            old.into_iter().map(|entry| (entry.id, entry.hash)).filter(|(_, hash)| !standing.contains(hash)).collect();
        // Must come first: another running kioku that still knows such a text must not restore it.
        self.note_all_forgotten(&goes)?;
        let mut emptied = Emptied::default();
        let is_gone =
            |written: &WrittenEntry, _: &Option<String>| goes.contains(&(written.entry.id.clone(), written.entry.hash));
        emptied.second_copies = self.purge_all(RECENT, self.recent_names()?, Pass::Delete, is_gone)?;
        emptied.pieces = self.purge_all(FOLDER, self.days_in(FOLDER)?, Pass::Delete, |_, trashed| is_old(trashed))?;
        for (folder, count) in [(REPLACED, &mut emptied.pieces), (UNNAMED, &mut emptied.attachments)] {
            for path in self.files_before(before, folder)? {
                files::remove(&path)?;
                *count += 1;
            }
        }
        emptied.attachments += self.forget_attachments(&digits, Pass::Delete, |_| false)?;
        let hashes: Vec<BodyHash> = goes.into_iter().map(|(_, hash)| hash).collect();
        emptied.answers = self.forget_answers(&hashes, Pass::Delete)?;
        Ok(emptied)
    }

    /// Like [`Vault::purge`], in these files of a folder.
    pub(super) fn purge_all(
        &self,
        folder: &str,
        files: Vec<String>,
        pass: Pass,
        is_wanted: impl Fn(&WrittenEntry, &Option<String>) -> bool,
    ) -> Result<usize, VaultError> {
        let purged = files.iter().map(|file| self.purge(&self.path_in(folder, file)?, file, pass, &is_wanted));
        purged.sum()
    }

    /// Removes every block for which `is_wanted` returns true (its arguments are the entry and its `trashed:`). Removes
    /// the file if only kioku's header is left. Returns the number of blocks removed.
    pub(super) fn purge(
        &self,
        path: &Path,
        file: &str,
        pass: Pass,
        is_wanted: impl Fn(&WrittenEntry, &Option<String>) -> bool,
    ) -> Result<usize, VaultError> {
        let Some(bytes) = files::read(path)? else { return Ok(0) };
        let file: Arc<str> = file.into();
        let scan = day_file::scan(&bytes);
        let entries = day_file::entries(&bytes, &scan, &file, &self.reading());
        let wanted: Vec<usize> = (0..entries.len())
            .filter(|at| is_wanted(&entries[*at], &scan.blocks[*at].fields(&bytes).trashed))
            .collect();
        let Some(first) = wanted.first().filter(|_| pass == Pass::Delete) else { return Ok(wanted.len()) };
        let line = scan.blocks[*first].line;
        let bytes = splice::removed_all(&bytes, &scan, &wanted).map_err(|reason| VaultError::Refused {
            path: path.to_path_buf(),
            line,
            reason,
        })?;
        if bytes.trim_ascii() == write::header(&day_text(&file)).trim_ascii() {
            files::remove(path)?;
        } else {
            files::replace(path, &bytes)?;
        }
        Ok(wanted.len())
    }
}

impl TrashFile {
    /// The pieces in file order, without their handles.
    pub(super) fn pieces(&self, vault: &Vault) -> Vec<Trashed> {
        let reading = vault.reading();
        let file = self.name.as_str().into();
        let blocks = self.scan.blocks.iter().enumerate();
        blocks
            .map(|(position, block)| {
                let fields = block.fields(&self.bytes);
                let entry = block.entry(&self.bytes, &file, position, &reading).entry;
                let trashed = fields.trashed.and_then(|trashed| EntryTime::parse(&trashed, &reading.zone));
                let trashed = trashed.unwrap_or_else(|| EntryTime { at: Timestamp::MIN, ..entry.time.clone() });
                let why = TrashReason::of(fields.why.as_deref());
                Trashed { handle: String::new(), entry, trashed, why }
            })
            .collect()
    }
}

/// The trash file for a day file: named by the day, without a title or folder.
pub(super) fn file_in_trash(file: &str) -> String {
    day_of(file).map_or_else(|| file.to_owned(), file_of)
}

fn forgotten_name(id: &EntryId, hash: &BodyHash) -> BodyHash {
    BodyHash::of(&[id.as_str().as_bytes(), b"\n", &hash.0].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        clock::Clock,
        journal::{NewEntry, VaultOptions},
    };

    fn vault(root: &Path) -> Vault {
        Vault::open(VaultOptions::new(root, Clock::fixed("2026-02-22T15:30:00+07:00[+07:00]".parse().unwrap())))
            .unwrap()
    }

    #[test]
    fn a_change_that_fails_leaves_nothing_in_the_trash_unless_the_file_changed() {
        let dir = tempfile::tempdir().unwrap();
        let vault = vault(&dir.path().join("journals/personal"));
        let entry = vault.append(NewEntry { body: "Fog.".to_owned(), ..NewEntry::default() }).unwrap();
        let path = vault.day_path(&entry.place.file).unwrap();
        let refused = |before: &dyn Fn()| {
            let present = vault.present_in(&entry.place.file, &entry.id).unwrap().unwrap();
            let failed = vault.with_copy_in_trash(&present, TrashReason::Deleted, || {
                before();
                Err::<(), _>(VaultError::Busy { path: path.clone() })
            });
            assert!(matches!(failed, Err(VaultError::Busy { .. })));
            vault.trash().unwrap().len()
        };
        assert_eq!(refused(&|| ()), 0);
        vault
            .edit(&entry, crate::journal::Change { mood: Some(Some("calm".to_owned())), ..Default::default() })
            .unwrap();
        assert_eq!(refused(&|| ()), 1, "the version before stays");
        assert_eq!(refused(&|| fs::write(&path, "").unwrap()), 2);
    }

    #[test]
    fn sections_of_one_text_are_deleted_and_restored_one_by_one() {
        for order in [[0, 1], [1, 0]] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("2026-01-08.md");
            fs::write(&path, "## 09:30\nsame\n\n## 09:30\nsame\n\n## 09:30\nother\n").unwrap();
            let vault = vault(dir.path());
            let first = || vault.read_if_there("2026-01-08.md").unwrap().unwrap().entries.remove(0).entry;
            let handles = [(); 2].map(|()| vault.remove(&first()).unwrap().handle);
            assert_eq!(fs::read_to_string(&path).unwrap(), "## 09:30\nother\n");
            order.iter().for_each(|at| drop(vault.restore(&handles[*at]).unwrap()));
            let restored = fs::read_to_string(&path).unwrap();
            assert_eq!(restored.matches("same").count(), 2, "{restored}");
            assert_eq!(
                restored.matches("## 09:30").count(),
                2 + order[0],
                "as it was, if the last is the first: {restored}"
            );
            assert!(vault.trash().unwrap().is_empty());
        }
    }

    #[test]
    fn a_text_without_a_head_is_restored_with_the_empty_line_above_it() {
        for text in ["---\nmood: calm\n---\n\nFog.\n", "---\nmood: calm\n---\nFog.\n", "# 2026-01-09\n\nFog.\n"] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("2026-01-09.md");
            fs::write(&path, text).unwrap();
            let vault = vault(dir.path());
            let entry = vault.read_if_there("2026-01-09.md").unwrap().unwrap().entries.remove(0).entry;
            vault.restore(&vault.remove(&entry).unwrap().handle).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
