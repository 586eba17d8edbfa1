//! Taking a text out of the vault for good: its file, the trash, the second copies, drafts and cached answers.
//!
//! What other layers derived from it (index, vectors, history) is theirs to forget.

use std::path::Path;

use super::{
    BodyHash, Change, Draft, Entry, EntryId, Redaction, Vault, VaultError, WrittenEntry, answers, day_file,
    edit::{self, Present},
    files, identity,
    note_text::NoteText,
    splice::{self, Revision},
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
    pub drafts: usize,
    pub answers: usize,
    /// Notes on entities that were removed or changed.
    pub notes: usize,
    /// The bodies that were there, to be looked for in whatever was derived from them.
    pub hashes: Vec<BodyHash>,
}

impl Vault {
    /// Takes an entry and every older version of it out of the vault, for good. Refused if it changed since `base` was read.
    ///
    /// Free blocks of the disk and backups may still hold the bytes: no program can promise more.
    pub fn forget(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let _lock = self.lock()?;
        self.unchanged(base)?;
        let mut forgotten = self.forget_elsewhere(base, true, true)?;
        for stamp in self.files()? {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, &stem(&stamp.file), |written, _| is_same(written, base))?;
        }
        Ok(forgotten)
    }

    /// Counts what [`Vault::forget`] would take out; touches nothing.
    pub fn would_forget(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let mut would = Forgotten { hashes: self.versions(base)?, ..Forgotten::default() };
        would.trashed =
            self.trash()?.iter().filter(|piece| is_version(&piece.entry.id, &piece.entry.hash, base)).count();
        would.second_copies =
            self.recent()?.iter().filter(|copy| is_version(&copy.entry.id, &copy.entry.hash, base)).count();
        would.drafts = self.drafts()?.iter().filter(|draft| draft.is_of(base)).count();
        would.answers = self.count_answers(&would.hashes)?;
        for stamp in self.files()? {
            let written = self.read_if_there(&stamp.file)?.map_or_else(Vec::new, |day| day.entries);
            would.entries += written.iter().filter(|written| is_same(written, base)).count();
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
        let mut forgotten = self.forget_elsewhere(base, body.is_some(), whole)?;
        let wanted = edit::wanted(base, &present.entry, change, None);
        let mut lines = edit::changed_lines(&present.entry, &wanted, change);
        lines.push(("id".to_owned(), Some(write::quoted_line("id", base.id.as_str()))));
        let revision = Revision { lines, body: body.map(str::as_bytes) };
        let new = splice::rewritten(&present.bytes, present.block(), &revision);
        let new = new.map_err(|reason| self.refused(&present, reason))?;
        let entry = self.put(&present, &new)?;
        forgotten.entries = 1;
        // What still has the old text is a copy; where only the head changed, that would be the entry itself.
        for stamp in self.files()?.into_iter().filter(|_| body.is_some()) {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, &stem(&stamp.file), |written, _| is_same(written, base))?;
        }
        Ok((entry, forgotten))
    }

    /// Counts what [`Vault::forget_names`] would take out or change; touches nothing.
    pub fn would_forget_names(&self, redaction: &Redaction) -> Result<Forgotten, VaultError> {
        let holds = |entry: &Entry| redaction.change(entry, &[]).is_some();
        let draft_holds = |draft: &Draft| {
            [&draft.body, &draft.mood, &draft.tags].into_iter().any(|part| !redaction.places(part).is_empty())
        };
        Ok(Forgotten {
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
        let root = &self.options().root;
        let mut forgotten = Forgotten::default();
        let holds = |written: &WrittenEntry, _: &Option<String>| redaction.change(&written.entry, &[]).is_some();
        for name in day_files_in(&root.join("trash"))? {
            forgotten.trashed += self.purge(&root.join("trash").join(&name), &stem(&name), holds)?;
        }
        for name in day_files_in(&root.join("recent"))? {
            forgotten.second_copies += self.purge(&root.join("recent").join(&name), &stem(&name), holds)?;
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
            let path = self.notes_folder().join(&note.file);
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
        self.sweep()?;
        Ok(forgotten)
    }

    /// The hashes of an entry's text and of its older versions in the trash.
    fn versions(&self, base: &Entry) -> Result<Vec<BodyHash>, VaultError> {
        let pieces = self.trash()?.into_iter().map(|piece| piece.entry);
        let older = pieces.filter(|entry| is_version(&entry.id, &entry.hash, base)).map(|entry| entry.hash);
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
    fn forget_elsewhere(&self, base: &Entry, text_goes: bool, with_drafts: bool) -> Result<Forgotten, VaultError> {
        let root = &self.options().root;
        let mut forgotten = Forgotten { hashes: self.versions(base)?, ..Forgotten::default() };
        for hash in forgotten.hashes.iter().filter(|hash| text_goes || **hash != base.hash) {
            self.note_forgotten(&base.id, hash)?;
        }
        let is_version =
            |written: &WrittenEntry, _: &Option<String>| is_version(&written.entry.id, &written.entry.hash, base);
        for name in day_files_in(&root.join("trash"))? {
            forgotten.trashed += self.purge(&root.join("trash").join(&name), &stem(&name), is_version)?;
        }
        for name in day_files_in(&root.join("recent"))? {
            forgotten.second_copies += self.purge(&root.join("recent").join(&name), &stem(&name), is_version)?;
        }
        for draft in self.drafts()?.into_iter().filter(|draft| with_drafts && draft.is_of(base)) {
            self.drop_draft(&draft.id)?;
            forgotten.drafts += 1;
        }
        forgotten.answers = self.forget_answers(&forgotten.hashes)?;
        self.sweep()?;
        Ok(forgotten)
    }

    /// Removes what a crash left of half-made replacements; under the lock nobody else is making one in these folders.
    fn sweep(&self) -> Result<(), VaultError> {
        let root = &self.options().root;
        let others = ["trash", "recent", "entities", answers::FOLDER].map(|folder| root.join(folder));
        for folder in std::iter::once(self.entries_folder().to_path_buf()).chain(others) {
            for name in names_in(&folder)? {
                if name.starts_with(files::TEMPORARY_PREFIX) && name.ends_with(files::TEMPORARY_SUFFIX) {
                    files::remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    /// Cuts every wanted block out of a file (`is_wanted` is given the entry and its `trashed:`), and removes a file of which
    /// nothing but kioku's own header is left. Answers how many went.
    pub(super) fn purge(
        &self,
        path: &Path,
        day: &str,
        is_wanted: impl Fn(&WrittenEntry, &Option<String>) -> bool,
    ) -> Result<usize, VaultError> {
        let Some(mut bytes) = files::read(path)? else { return Ok(0) };
        let file = format!("{day}.md").as_str().into();
        let mut scan = day_file::scan(&bytes);
        let entries = day_file::entries(&bytes, &scan, &file, &self.reading());
        let wanted: Vec<usize> = (0..entries.len())
            .filter(|at| is_wanted(&entries[*at], &scan.blocks[*at].fields(&bytes).trashed))
            .collect();
        // From the last to the first, so that the positions before stay true.
        for at in wanted.iter().rev() {
            let line = scan.blocks[*at].line;
            bytes = splice::removed(&bytes, &scan, *at).map_err(|reason| VaultError::Refused {
                path: path.to_path_buf(),
                line,
                reason,
            })?;
            scan = day_file::scan(&bytes);
        }
        if wanted.is_empty() {
            return Ok(0);
        }
        if bytes.trim_ascii() == write::header(day).trim_ascii() {
            files::remove(path)?;
        } else {
            files::replace(path, &bytes)?;
        }
        Ok(wanted.len())
    }
}

/// The same entry, perhaps in an older state.
fn is_version(id: &EntryId, hash: &BodyHash, base: &Entry) -> bool {
    *id == base.id || (*hash == base.hash && identity::answers_to(base.id.as_str(), id.as_str(), hash))
}

/// The very same text under the same name.
fn is_same(written: &WrittenEntry, base: &Entry) -> bool {
    written.entry.hash == base.hash
        && identity::answers_to(base.id.as_str(), written.entry.id.as_str(), &written.entry.hash)
}

fn day_files_in(folder: &Path) -> Result<Vec<String>, VaultError> {
    let mut names = names_in(folder)?;
    names.retain(|name| day_of(name).is_some());
    Ok(names)
}
