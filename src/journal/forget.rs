//! Taking a text out of the vault for good: its file, the trash, the second copies, drafts and cached answers.
//!
//! What other layers derived from it (index, vectors, history) is theirs to forget.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    BodyHash, Change, Draft, Entry, Redaction, Vault, VaultError, WrittenEntry, day_file, day_names,
    edit::{self, Present},
    files, identity,
    note_text::NoteText,
    recent, repair, splice,
    vault::{day_of, names_in, stem},
    write,
};

/// What stands where a text was, when the entry itself is to stay.
pub const REDACTED: &str = "[redacted]";

/// What forgetting came to, for the report to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Blocks taken out of (or redacted in) day files: more than one where a sync had left copies.
    pub entries: usize,
    pub trashed: usize,
    pub second_copies: usize,
    /// Blocks in the copies that a sync program made of day files.
    pub conflict_copies: usize,
    pub drafts: usize,
    pub answers: usize,
    /// Notes on entities that were removed or changed.
    pub notes: usize,
    /// The bodies that were there, to be looked for in whatever was derived from them.
    pub hashes: Vec<BodyHash>,
}

/// What is left of an entry that stands in no day file: in the trash or as a second copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Remains {
    pub entry: Entry,
    /// Only this text, not the other versions of the entry.
    pub only_text: bool,
}

impl Vault {
    /// What is left of a deleted, vanished or lost entry, by the handle of a piece of trash or by the entry's id. A handle with a
    /// number (`ID#2`) names that one text.
    pub fn remains(&self, name: &str) -> Result<Option<Remains>, VaultError> {
        if let Some(piece) = self.trash()?.into_iter().find(|piece| piece.handle == name) {
            let only_text = piece.handle != piece.entry.id.as_str();
            return Ok(Some(Remains { entry: piece.entry, only_text }));
        }
        let goes_by = |entry: &Entry| identity::answers_to(name, entry.id.as_str(), &entry.hash);
        let copy = self.recent()?.into_iter().rev().map(|copy| copy.entry).find(goes_by);
        Ok(copy.map(|entry| Remains { entry, only_text: false }))
    }

    /// Takes what is left of an entry out of the vault, for good.
    pub fn forget_remains(&self, remains: &Remains) -> Result<Forgotten, VaultError> {
        let _lock = self.lock()?;
        let Remains { entry, only_text } = remains;
        // An older version may say what the entry says again.
        let present = self.find(&entry.place.file, &entry.id)?;
        let stands = present.is_some_and(|present| present.hash == entry.hash);
        self.forget_elsewhere(entry, *only_text, !stands, true)
    }

    /// Counts what [`Vault::forget_remains`] would take out; touches nothing.
    pub fn would_forget_remains(&self, remains: &Remains) -> Result<Forgotten, VaultError> {
        self.would_forget_elsewhere(&remains.entry, remains.only_text)
    }

    /// Takes an entry and every older version of it out of the vault, for good. Refused if it changed since `base` was read.
    ///
    /// Free blocks of the disk and backups may still hold the bytes: no program can promise more.
    pub fn forget(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let _lock = self.lock()?;
        self.unchanged(base)?;
        let mut forgotten = self.forget_elsewhere(base, false, true, true)?;
        for stamp in self.safe_files()? {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, &stamp.file, |written, _| is_same(written, base))?;
        }
        Ok(forgotten)
    }

    /// Counts what [`Vault::forget`] would take out; touches nothing.
    pub fn would_forget(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let mut would = self.would_forget_elsewhere(base, false)?;
        for stamp in self.safe_files()? {
            let written = self.read_if_there(&stamp.file)?.map_or_else(Vec::new, |day| day.entries);
            would.entries += written.iter().filter(|written| is_same(written, base)).count();
        }
        Ok(would)
    }

    fn would_forget_elsewhere(&self, base: &Entry, only_text: bool) -> Result<Forgotten, VaultError> {
        let is_version = |entry: &Entry| is_version(entry, base, only_text);
        let mut would = Forgotten { hashes: self.versions(base, only_text)?, ..Forgotten::default() };
        would.trashed = self.trash()?.iter().filter(|piece| is_version(&piece.entry)).count();
        would.second_copies = self.recent()?.iter().filter(|copy| is_version(&copy.entry)).count();
        would.drafts = self.drafts()?.iter().filter(|draft| draft.without(base).is_some()).count();
        would.answers = self.count_answers(&would.hashes)?;
        for (path, name) in self.conflict_copies_of_days()? {
            let Some(bytes) = files::read(&path)? else { continue };
            let file = name.as_str().into();
            let entries = day_file::entries(&bytes, &day_file::scan(&bytes), &file, &self.reading());
            would.conflict_copies += entries.iter().filter(|written| is_version(&written.entry)).count();
        }
        Ok(would)
    }

    /// Replaces an entry's text by [`REDACTED`]; time, mood and tags stay. The text itself is forgotten as by [`Vault::forget`].
    pub fn redact(&self, base: &Entry) -> Result<(Entry, Forgotten), VaultError> {
        self.rewrite_for_good(base, &Change { body: Some(REDACTED.to_owned()), ..Change::default() })
    }

    /// Changes an entry and forgets how it was: an edit that leaves nothing in the trash. The time stays as it is.
    pub fn rewrite_for_good(&self, base: &Entry, change: &Change) -> Result<(Entry, Forgotten), VaultError> {
        let _lock = self.lock()?;
        let present = self.unchanged(base)?;
        let body = change.body.as_deref().filter(|body| *body != base.body);
        if let Some(line) =
            present.block().broken_at(&present.bytes).filter(|_| body.is_some_and(|body| body != REDACTED))
        {
            let reason = "it holds bytes that are not UTF-8, which would be lost".to_owned();
            return Err(VaultError::Refused { path: self.day_path(&present.file)?, line, reason });
        }
        // What is being typed over an entry that loses but a name is the writer's, and is redacted by itself.
        let whole = body == Some(REDACTED);
        let wanted = edit::wanted(base, &present.entry, change, None);
        let mut lines = edit::changed_lines(&present.entry, &wanted, change);
        if present.written_id.as_ref() != Some(&base.id) {
            lines.push(("id".to_owned(), Some(write::quoted_line("id", base.id.as_str()))));
        }
        // Refused, if at all, before anything is gone.
        let new = self.rewritten(&present, lines, body.map(str::as_bytes))?;
        let mut forgotten = self.forget_elsewhere(base, false, body.is_some(), whole)?;
        let entry = self.put(&present, &new)?;
        forgotten.entries = 1;
        // What still has the old text is a copy; where only the head changed, that would be the entry itself.
        for stamp in self.safe_files()?.into_iter().filter(|_| body.is_some()) {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, &stamp.file, |written, _| is_same(written, base))?;
        }
        Ok((entry, forgotten))
    }

    /// Counts what [`Vault::forget_names`] would take out or change; touches nothing.
    pub fn would_forget_names(&self, redaction: &Redaction) -> Result<Forgotten, VaultError> {
        let holds = |entry: &Entry| redaction.change(entry, &[]).is_some();
        let draft_holds = |draft: &Draft| {
            [&draft.body, &draft.mood, &draft.tags].into_iter().any(|part| !redaction.places(part).is_empty())
        };
        let mut conflict_copies = 0;
        for (path, _) in self.conflict_copies_of_days()? {
            conflict_copies += usize::from(redacted_file(&path, redaction)?.is_some());
        }
        Ok(Forgotten {
            conflict_copies,
            trashed: self.trash()?.iter().filter(|piece| holds(&piece.entry)).count(),
            second_copies: self.recent()?.iter().filter(|copy| holds(&copy.entry)).count(),
            drafts: self.drafts()?.iter().filter(|draft| draft_holds(draft)).count(),
            answers: self.count_answers_naming(redaction)?,
            notes: self.entity_notes()?.iter().filter(|note| redaction.is_in_note(note)).count(),
            ..Forgotten::default()
        })
    }

    /// Takes names out of all but the day files: whole pieces of trash and second copies that hold one go, drafts are redacted,
    /// notes that are about such a name are removed, and others lose what they say of it.
    pub fn forget_names(&self, redaction: &Redaction) -> Result<Forgotten, VaultError> {
        let _lock = self.lock()?;
        let mut forgotten = Forgotten::default();
        let holds = |written: &WrittenEntry, _: &Option<String>| redaction.change(&written.entry, &[]).is_some();
        for name in self.days_in("trash")? {
            forgotten.trashed += self.purge(&self.path_in("trash", &name)?, &name, holds)?;
        }
        for name in self.recent_names()? {
            forgotten.second_copies += self.purge(&self.path_in("recent", &name)?, &name, holds)?;
        }
        // Their entries may stand nowhere else: they lose the name and stay.
        for (path, _) in self.conflict_copies_of_days()? {
            if let Some(text) = redacted_file(&path, redaction)? {
                files::replace(&path, text.as_bytes())?;
                forgotten.conflict_copies += 1;
            }
        }
        forgotten.answers = self.forget_answers_naming(redaction)?;
        for mut draft in self.drafts()? {
            let before = draft.clone();
            for part in [&mut draft.body, &mut draft.mood, &mut draft.tags] {
                *part = redaction.text(part, &[]).unwrap_or_else(|| std::mem::take(part));
            }
            if draft != before {
                self.keep_draft(&draft)?;
                forgotten.drafts += 1;
            }
        }
        for note in self.entity_notes()? {
            let path = self.note_path(&note.file)?;
            if redaction.is_name(&note.name) {
                files::remove(&path)?;
                forgotten.notes += 1;
                continue;
            }
            let Some(bytes) = files::read(&path)? else { continue };
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let mut changed = NoteText::of(&text);
            changed.forget_items(|item| redaction.is_in_item(item));
            changed.notes = redaction.text(&changed.notes, &[]).unwrap_or(changed.notes);
            if changed.text() != text {
                files::replace(&path, changed.text().as_bytes())?;
                forgotten.notes += 1;
            }
        }
        self.sweep_leftovers()?;
        Ok(forgotten)
    }

    /// The hashes of an entry's text and of its older versions in the trash.
    fn versions(&self, base: &Entry, only_text: bool) -> Result<Vec<BodyHash>, VaultError> {
        let pieces = self.trash()?.into_iter().map(|piece| piece.entry);
        let copies = self.recent()?.into_iter().map(|copy| copy.entry);
        let older = pieces.chain(copies).filter(|entry| is_version(entry, base, only_text)).map(|entry| entry.hash);
        let mut hashes: Vec<BodyHash> = std::iter::once(base.hash).chain(older).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Ok(hashes)
    }

    fn unchanged(&self, base: &Entry) -> Result<Present, VaultError> {
        let path = self.day_path(&base.place.file)?;
        let present = self.locate(base)?;
        let present =
            present.ok_or_else(|| VaultError::Absent { what: "entry", id: base.id.to_string(), path: path.clone() })?;
        if present.entry.hash == base.hash {
            Ok(present)
        } else {
            Err(VaultError::Changed { id: base.id.clone(), path })
        }
    }

    /// Everything but the day files. First of all the name is noted: another kioku that sees the entry vanish must let it go.
    /// A text that stays (`text_goes` is false) may still vanish by another hand and be kept.
    fn forget_elsewhere(
        &self,
        base: &Entry,
        only_text: bool,
        text_goes: bool,
        with_drafts: bool,
    ) -> Result<Forgotten, VaultError> {
        let mut forgotten = Forgotten { hashes: self.versions(base, only_text)?, ..Forgotten::default() };
        for hash in forgotten.hashes.iter().filter(|hash| text_goes || **hash != base.hash) {
            self.note_forgotten(&base.id, hash)?;
        }
        // Those that only say that an id is closed are none to the person who asked.
        forgotten.second_copies = self.recent()?.iter().filter(|copy| is_version(&copy.entry, base, only_text)).count();
        let is_version = |written: &WrittenEntry, _: &Option<String>| is_version(&written.entry, base, only_text);
        for name in self.days_in("trash")? {
            forgotten.trashed += self.purge(&self.path_in("trash", &name)?, &name, is_version)?;
        }
        for name in self.recent_names()? {
            self.purge(&self.path_in("recent", &name)?, &name, is_version)?;
        }
        for (path, name) in self.conflict_copies_of_days()? {
            match self.purge(&path, &name, is_version) {
                // Whoever looks for what is left finds it there.
                Err(VaultError::Refused { .. }) => {}
                purged => forgotten.conflict_copies += purged?,
            }
        }
        for draft in self.drafts()?.into_iter().filter(|_| with_drafts) {
            match draft.without(base) {
                None => continue,
                Some(rest) if rest.trim().is_empty() => self.drop_draft(&draft.id)?,
                Some(rest) => self.keep_draft(&Draft { body: rest, ..draft })?,
            }
            forgotten.drafts += 1;
        }
        forgotten.answers = self.forget_answers(&forgotten.hashes)?;
        self.sweep_leftovers()?;
        Ok(forgotten)
    }

    /// The copies that sync programs made of the files of days, of trash and of second copies (`2026-02-22.sync-conflict-….md`,
    /// `2026-02-22 (conflicted copy).md`, `2026-02-22 2.md`), and what a repair replaced: paths and names.
    fn conflict_copies_of_days(&self) -> Result<Vec<(PathBuf, String)>, VaultError> {
        let root = &self.options().root;
        let mut copies = Vec::new();
        for name in self.listing()?.conflict_copies {
            copies.push((self.entries_folder().join(&name), name));
        }
        for folder in ["trash", "recent", repair::REPLACED].map(|folder| root.join(folder)) {
            let mut names = names_in(&self.checked(&folder)?)?;
            names.sort_unstable();
            let is_replaced = folder.ends_with(repair::REPLACED);
            let is_own =
                |name: &str| if folder.ends_with("recent") { recent::is_log(name) } else { day_names::is_own(name) };
            names.retain(|name| is_replaced || day_of(name).is_some() && !is_own(name));
            copies.extend(names.into_iter().map(|name| (folder.join(&name), name)));
        }
        // One that may not be opened is a link out, and its text is not this vault's.
        Ok(copies.into_iter().filter_map(|(path, name)| Some((self.checked(&path).ok()?, name))).collect())
    }

    /// The day files in one of the folders beside the entries.
    pub(super) fn days_in(&self, folder: &str) -> Result<Vec<String>, VaultError> {
        let mut names = self.listed_in(folder)?;
        names.retain(|name| day_names::is_own(name));
        Ok(names)
    }

    /// Cuts every wanted block out of a file (`is_wanted` is given the entry and its `trashed:`), and removes a file of which
    /// nothing but kioku's own header is left. Answers how many went.
    pub(super) fn purge(
        &self,
        path: &Path,
        file: &str,
        is_wanted: impl Fn(&WrittenEntry, &Option<String>) -> bool,
    ) -> Result<usize, VaultError> {
        let Some(bytes) = files::read(path)? else { return Ok(0) };
        let file: Arc<str> = file.into();
        let scan = day_file::scan(&bytes);
        let entries = day_file::entries(&bytes, &scan, &file, &self.reading());
        let wanted: Vec<usize> = (0..entries.len())
            .filter(|at| is_wanted(&entries[*at], &scan.blocks[*at].fields(&bytes).trashed))
            .collect();
        let Some(first) = wanted.first() else { return Ok(0) };
        let line = scan.blocks[*first].line;
        let bytes = splice::removed_all(&bytes, &scan, &wanted).map_err(|reason| VaultError::Refused {
            path: path.to_path_buf(),
            line,
            reason,
        })?;
        if bytes.trim_ascii() == write::header(&stem(&file)).trim_ascii() {
            files::remove(path)?;
        } else {
            files::replace(path, &bytes)?;
        }
        Ok(wanted.len())
    }
}

/// The same entry, perhaps in an older state; or the same text under another name, where it is long enough to be no coincidence.
fn is_version(entry: &Entry, base: &Entry, only_text: bool) -> bool {
    const TELLING: usize = 24;
    let same_text = entry.hash == base.hash;
    let same_name = entry.id == base.id || identity::answers_to(base.id.as_str(), entry.id.as_str(), &entry.hash);
    match only_text {
        true => same_text && same_name,
        false => entry.id == base.id || same_text && (same_name || base.body.trim().len() >= TELLING),
    }
}

/// A file's text without the names; `None` where it holds none, or is no text.
fn redacted_file(path: &Path, redaction: &Redaction) -> Result<Option<String>, VaultError> {
    let text = files::read(path)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.and_then(|text| redaction.text(&text, &[])))
}

/// The very same text under the same name.
fn is_same(written: &WrittenEntry, base: &Entry) -> bool {
    written.entry.hash == base.hash
        && identity::answers_to(base.id.as_str(), written.entry.id.as_str(), &written.entry.hash)
}
