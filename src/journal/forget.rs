//! Permanent deletion of an entry or a name: from day files, trash, second copies, drafts and cached answers.
//!
//! Index, vectors and history are deleted by the layers that own them.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    BodyHash, Change, Draft, Entry, EntryId, Pass, Redaction, Vault, VaultError, WrittenEntry,
    attachment_check::digits_named,
    day_names::{self, day_of},
    edit,
    files::{self, Lock},
    folders::{RECENT, REPLACED, TRASH},
    identity,
    note::NoteText,
    present::Present,
    recent,
    redact::REDACTED,
    splice::Rewritten,
    write::head_line,
};

/// Counts of what was (or would be) deleted, for the report to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Forgotten {
    /// Blocks removed from (or redacted in) day files; more than one if a sync had left copies.
    pub entries: usize,
    pub trashed: usize,
    pub second_copies: usize,
    /// Blocks in conflict copies of day files.
    pub conflict_copies: usize,
    pub drafts: usize,
    pub answers: usize,
    /// Notes on entities that were removed or changed.
    pub notes: usize,
    /// Attached files that no other entry names, or whose name bore a name.
    pub attachments: usize,
    /// Hashes of the deleted bodies, so that other layers can delete derived data.
    #[serde(skip)]
    pub hashes: Vec<BodyHash>,
}

/// A deleted entry that is no longer in a day file, but in the trash or among the second copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Remains {
    pub entry: Entry,
    /// Only this text, not the other versions of the entry.
    pub only_text: bool,
}

impl Vault {
    /// Finds the remains of a deleted, vanished or lost entry, by trash handle or entry id. A handle with a number
    /// (`ID#2`) selects one text.
    pub fn remains(&self, name: &str) -> Result<Option<Remains>, VaultError> {
        if let Some(piece) = self.trash()?.into_iter().find(|piece| piece.handle == name) {
            let only_text = piece.handle != piece.entry.id.as_str();
            return Ok(Some(Remains { entry: piece.entry, only_text }));
        }
        let goes_by = |entry: &Entry| identity::is_id_of(name, entry.id.as_str(), &entry.hash);
        let copy = self.recent()?.into_iter().rev().map(|copy| copy.entry).find(goes_by);
        Ok(copy.map(|entry| Remains { entry, only_text: false }))
    }

    /// Permanently deletes the remains of an entry.
    pub fn forget_remains(&self, remains: &Remains, pass: Pass) -> Result<Forgotten, VaultError> {
        let _lock = self.lock_for(pass)?;
        let Remains { entry, only_text } = remains;
        // The current entry may have the same text as the older version. Then the text must stay.
        let present = self.find(&entry.place.file, &entry.id)?;
        let stands = present.is_some_and(|present| present.hash == entry.hash);
        let targets = [ForgetTarget { base: entry, only_text: *only_text, delete_text: !stands, with_drafts: true }];
        let versions = Versions::of(&targets);
        let (mut forgotten, attached) = self.forget_elsewhere(&versions, pass)?;
        forgotten.attachments = self.forget_attachments(&attached, pass, |entry| versions.has(entry))?;
        Ok(forgotten)
    }

    /// Permanently deletes an entry and all its older versions. Refused if the entry changed since `base` was read.
    ///
    /// Free disk blocks and backups may still contain the bytes; no program can erase those.
    pub fn forget(&self, base: &Entry, pass: Pass) -> Result<Forgotten, VaultError> {
        let _lock = self.lock_for(pass)?;
        self.unchanged(base)?;
        let targets = [ForgetTarget { base, only_text: false, delete_text: true, with_drafts: true }];
        let versions = Versions::of(&targets);
        let (mut forgotten, attached) = self.forget_elsewhere(&versions, pass)?;
        forgotten.entries = self.purge_days(&versions, pass)?;
        forgotten.attachments = self.forget_attachments(&attached, pass, |entry| versions.has(entry))?;
        Ok(forgotten)
    }

    fn lock_for(&self, pass: Pass) -> Result<Option<Lock>, VaultError> {
        (pass == Pass::Delete).then(|| self.lock()).transpose()
    }

    /// Replaces an entry's text by [`REDACTED`]; time, mood and tags stay. The old text is deleted as by
    /// [`Vault::forget`].
    pub fn redact(&self, base: &Entry) -> Result<(Entry, Forgotten), VaultError> {
        let change = Change { body: Some(REDACTED.to_owned()), ..Change::default() };
        let (mut entries, forgotten) = self.rewrite_all_for_good(&[(base, &change)], Pass::Delete)?;
        Ok((entries.remove(0), forgotten))
    }

    /// Changes entries and permanently deletes their old versions: edits without a copy in the trash. Times do not
    /// change. Takes one pass over the vault for all entries; if one is refused, none is changed.
    pub fn rewrite_all_for_good(
        &self,
        changes: &[(&Entry, &Change)],
        pass: Pass,
    ) -> Result<(Vec<Entry>, Forgotten), VaultError> {
        let _lock = self.lock_for(pass)?;
        // Check all changes first: a refusal must come before any deletion.
        changes.iter().try_for_each(|(base, change)| self.wanted_for_good(base, change).map(drop))?;
        let targets = targets_of(changes);
        let versions = Versions::of(&targets);
        let (mut forgotten, attached) = self.forget_elsewhere(&versions, pass)?;
        let mut entries = Vec::with_capacity(changes.len());
        for (base, change) in changes.iter().filter(|_| pass == Pass::Delete) {
            // Locate again: earlier entries in the same file may have changed in length.
            let (present, new) = self.wanted_for_good(base, change)?;
            entries.push(self.put(&present, &new)?);
        }
        let of_text = targets.iter().filter(|target| target.delete_text).count();
        forgotten.entries = targets.len();
        // Blocks that still have the old text are copies. If only the head changed, the entry itself would match.
        if of_text > 0 {
            let before = if pass == Pass::Count { of_text } else { 0 };
            forgotten.entries += self.purge_days(&versions, pass)?.saturating_sub(before);
        }
        forgotten.attachments = self.forget_attachments(&attached, pass, |entry| versions.has(entry))?;
        Ok((entries, forgotten))
    }

    /// The current entry and its new bytes.
    fn wanted_for_good(&self, base: &Entry, change: &Change) -> Result<(Present, Rewritten), VaultError> {
        let present = self.unchanged(base)?;
        let body = new_body(base, change);
        if let Some(line) =
            present.block().broken_at(&present.bytes).filter(|_| body.is_some_and(|body| body != REDACTED))
        {
            let reason = "it holds bytes that are not UTF-8, which would be lost".to_owned();
            return Err(VaultError::Refused { path: self.day_path(&present.file)?, line, reason });
        }
        let wanted = edit::wanted(base, &present.entry, change, None);
        let mut lines = edit::changed_lines(&present.entry, &wanted, change);
        if present.written_id.as_ref() != Some(&base.id) {
            lines.push(head_line("id", base.id.as_str()));
        }
        let new = self.rewritten(&present, lines, body.map(str::as_bytes))?;
        Ok((present, new))
    }

    /// Removes every copy of these texts from the day files. Returns the number removed.
    fn purge_days(&self, versions: &Versions<'_>, pass: Pass) -> Result<usize, VaultError> {
        let mut gone = 0;
        for stamp in self.safe_files()? {
            let path = self.day_path(&stamp.file)?;
            gone += self.purge(&path, &stamp.file, pass, |written, _| versions.has_same(&written.entry))?;
        }
        Ok(gone)
    }

    /// Carries out `changes` as [`Vault::rewrite_all_for_good`], and removes names from everything else: deletes pieces of trash and second copies that contain one,
    /// redacts drafts, removes the notes on these names, and removes the names from other notes.
    pub fn forget_names(
        &self,
        redaction: &Redaction,
        changes: &[(&Entry, &Change)],
        pass: Pass,
    ) -> Result<Forgotten, VaultError> {
        let mut forgotten = self.rewrite_all_for_good(changes, pass)?.1;
        let targets = targets_of(changes);
        let versions = Versions::of(&targets);
        let _lock = self.lock_for(pass)?;
        let replace = |path: &Path, text: &str| match pass {
            Pass::Count => Ok(()),
            Pass::Delete => files::replace(path, text.as_bytes()),
        };
        // A version of a changed entry is gone by now, or else counted.
        let holds = |written: &WrittenEntry, _: &Option<String>| {
            (pass == Pass::Delete || !versions.has(&written.entry)) && redaction.change(&written.entry, &[]).is_some()
        };
        forgotten.trashed += self.purge_all(TRASH, self.days_in(TRASH)?, pass, holds)?;
        forgotten.second_copies += self.purge_all(RECENT, self.recent_names()?, pass, holds)?;
        // Entries of conflict copies may exist nowhere else: remove only the name.
        for (path, _) in self.conflict_copies_of_days()? {
            if let Some(text) = redacted_file(&path, redaction)? {
                replace(&path, &text)?;
                forgotten.conflict_copies += 1;
            }
        }
        forgotten.answers += self.forget_answers_naming(redaction, &forgotten.hashes, pass)?;
        forgotten.attachments += self.rename_attachments(redaction, pass)?;
        for mut draft in self.drafts()? {
            let before = draft.clone();
            for part in [&mut draft.body, &mut draft.mood, &mut draft.tags] {
                *part = redaction.text(part, &[]).unwrap_or_else(|| std::mem::take(part));
            }
            if draft != before {
                forgotten.drafts += 1;
                if pass == Pass::Delete {
                    self.keep_draft(&draft)?;
                }
            }
        }
        for note in self.entity_notes()? {
            let path = self.note_path(&note.file)?;
            if redaction.is_on_name(&note) {
                forgotten.notes += 1;
                if pass == Pass::Delete {
                    files::remove(&path)?;
                }
                continue;
            }
            let Some(bytes) = files::read(&path)? else { continue };
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let mut changed = NoteText::of(&text);
            changed.forget_items(|item| redaction.is_in_item(item));
            changed.notes = redaction.text(&changed.notes, &[]).unwrap_or(changed.notes);
            if changed.text() != text {
                replace(&path, &changed.text())?;
                forgotten.notes += 1;
            }
        }
        self.sweep_after(pass)?;
        Ok(forgotten)
    }

    fn sweep_after(&self, pass: Pass) -> Result<(), VaultError> {
        if pass == Pass::Delete { self.sweep_leftovers().map(drop) } else { Ok(()) }
    }

    fn unchanged(&self, base: &Entry) -> Result<Present, VaultError> {
        let present = self.expect(base)?;
        if present.entry.hash == base.hash {
            Ok(present)
        } else {
            Err(VaultError::Changed { id: base.id.clone(), path: self.day_path(&base.place.file)? })
        }
    }

    /// Deletes from everything but the day files. The id is recorded as forgotten first: another kioku process that
    /// sees the entry vanish must not save it to the trash. A text that stays (`delete_text` is false) is not recorded,
    /// so that it is saved if another program removes it later. Returns also the attachments that the entries name, in any
    /// version.
    fn forget_elsewhere(
        &self,
        versions: &Versions<'_>,
        pass: Pass,
    ) -> Result<(Forgotten, BTreeSet<String>), VaultError> {
        let (pieces, copies) = (self.trash()?, self.recent()?);
        // Do not count records that only mark an id as closed.
        let second_copies = copies.iter().filter(|copy| versions.has(&copy.entry)).count();
        let older = pieces.iter().map(|piece| &piece.entry).chain(copies.iter().map(|copy| &copy.entry));
        let hashes = versions.hashes(older.clone());
        let named = versions.targets.iter().map(|target| target.base).chain(older.filter(|entry| versions.has(entry)));
        let attached = digits_named(named.map(|entry| entry.body.as_str()));
        let of_each = versions.targets.iter().zip(&hashes);
        let gone = of_each.flat_map(|(ForgetTarget { base, delete_text, .. }, hashes)| {
            let go = hashes.iter().filter(|hash| *delete_text || **hash != base.hash);
            go.map(|hash| (base.id.clone(), *hash))
        });
        if pass == Pass::Delete {
            self.note_all_forgotten(&gone.collect())?;
        }
        let mut hashes: Vec<BodyHash> = hashes.into_iter().flatten().collect();
        hashes.sort_unstable();
        hashes.dedup();
        let mut forgotten = Forgotten { second_copies, hashes, ..Forgotten::default() };
        let is_version = |written: &WrittenEntry, _: &Option<String>| versions.has(&written.entry);
        forgotten.trashed = self.purge_all(TRASH, self.days_in(TRASH)?, pass, is_version)?;
        self.purge_all(RECENT, self.recent_names()?, pass, is_version)?;
        for (path, name) in self.conflict_copies_of_days()? {
            match self.purge(&path, &name, pass, is_version) {
                // Not an error here: the search for leftovers after the deletion reports the file.
                Err(VaultError::Refused { .. }) => {}
                purged => forgotten.conflict_copies += purged?,
            }
        }
        for ForgetTarget { base, .. } in versions.targets.iter().filter(|target| target.with_drafts) {
            forgotten.drafts += self.forget_in_drafts(base, pass)?;
        }
        forgotten.answers = self.forget_answers(&forgotten.hashes, pass)?;
        self.sweep_after(pass)?;
        Ok((forgotten, attached))
    }

    fn forget_in_drafts(&self, base: &Entry, pass: Pass) -> Result<usize, VaultError> {
        let mut forgotten = 0;
        for draft in self.drafts()? {
            match draft.without(base) {
                None => continue,
                Some(_) if pass == Pass::Count => {}
                Some(rest) if rest.trim().is_empty() => self.drop_draft(&draft.id)?,
                Some(rest) => self.keep_draft(&Draft { body: rest, ..draft })?,
            }
            forgotten += 1;
        }
        Ok(forgotten)
    }

    /// Conflict copies of day files, trash files and second copies (`2026-02-22.sync-conflict-….md`, `2026-02-22
    /// (conflicted copy).md`, `2026-02-22 2.md`), and files replaced by a repair: paths and names.
    fn conflict_copies_of_days(&self) -> Result<Vec<(PathBuf, String)>, VaultError> {
        let root = &self.options().root;
        let mut copies = Vec::new();
        for name in self.listing()?.conflict_copies {
            copies.push((self.entries_folder().join(&name), name));
        }
        for folder in [TRASH, RECENT, REPLACED] {
            let is_own = |name: &str| if folder == RECENT { recent::is_log(name) } else { day_names::is_own(name) };
            let is_copy = |name: &str| folder == REPLACED || day_of(name).is_some() && !is_own(name);
            let names = self.named_in(folder, is_copy)?;
            copies.extend(names.into_iter().map(|name| (root.join(folder).join(&name), name)));
        }
        // A path that fails the check is a link out of the vault; its text does not belong to the vault.
        Ok(copies.into_iter().filter_map(|(path, name)| Some((self.checked(&path).ok()?, name))).collect())
    }
}

fn targets_of<'a>(changes: &[(&'a Entry, &'a Change)]) -> Vec<ForgetTarget<'a>> {
    let target = |(base, change): &(&'a Entry, &'a Change)| {
        let body = new_body(base, change);
        // If only a name is removed from the entry, its draft stays; drafts are redacted separately.
        ForgetTarget { base, only_text: false, delete_text: body.is_some(), with_drafts: body == Some(REDACTED) }
    };
    changes.iter().map(target).collect()
}

/// An entry, or one text of it, to be forgotten.
struct ForgetTarget<'a> {
    base: &'a Entry,
    /// Only this text, not the other versions of the entry.
    only_text: bool,
    /// Delete the current text from the day files, not only the older versions.
    delete_text: bool,
    /// Also delete drafts of the entry.
    with_drafts: bool,
}

/// Index of the entries to forget, by id and by text. A lookup takes constant time.
struct Versions<'a> {
    targets: &'a [ForgetTarget<'a>],
    by_id: HashMap<&'a EntryId, Vec<usize>>,
    by_hash: HashMap<BodyHash, Vec<usize>>,
}

impl<'a> Versions<'a> {
    fn of(targets: &'a [ForgetTarget<'a>]) -> Self {
        let mut by_id: HashMap<&EntryId, Vec<usize>> = HashMap::new();
        let mut by_hash: HashMap<BodyHash, Vec<usize>> = HashMap::new();
        for (at, ForgetTarget { base, .. }) in targets.iter().enumerate() {
            by_id.entry(&base.id).or_default().push(at);
            by_hash.entry(base.hash).or_default().push(at);
        }
        Self { targets, by_id, by_hash }
    }

    /// Whether `entry` is any version of an entry to forget, or has one of the texts.
    fn has(&self, entry: &Entry) -> bool {
        self.matching(entry).next().is_some()
    }

    /// Whether `entry` is a current copy of an entry whose text is deleted.
    fn has_same(&self, entry: &Entry) -> bool {
        let same = self.by_hash.get(&entry.hash).into_iter().flatten().map(|at| &self.targets[*at]);
        same.filter(|target| target.delete_text).any(|target| is_same(entry, target.base))
    }

    /// For each entry to forget, the hashes of its text and of its versions among `older`, in the order of
    /// [`Versions::targets`].
    fn hashes<'e>(&self, older: impl Iterator<Item = &'e Entry>) -> Vec<BTreeSet<BodyHash>> {
        let mut hashes: Vec<_> = self.targets.iter().map(|target| BTreeSet::from([target.base.hash])).collect();
        for entry in older {
            for at in self.matching(entry) {
                hashes[at].insert(entry.hash);
            }
        }
        hashes
    }

    fn matching(&self, entry: &Entry) -> impl Iterator<Item = usize> {
        let named = self.by_id.get(&entry.id).into_iter().flatten().copied();
        let alike = self.by_hash.get(&entry.hash).into_iter().flatten().copied();
        let is_alike = |at: &usize| self.targets[*at].base.id != entry.id;
        named.chain(alike.filter(is_alike)).filter(|at| {
            let ForgetTarget { base, only_text, .. } = &self.targets[*at];
            is_version(entry, base, *only_text)
        })
    }
}

/// Whether `entry` is a version of `base`: the same id, or the same text under another id if it is too long for a
/// coincidence.
fn is_version(entry: &Entry, base: &Entry, only_text: bool) -> bool {
    const TELLING: usize = 24;
    let same_text = entry.hash == base.hash;
    let same_name = entry.goes_by(&base.id);
    match only_text {
        true => same_text && same_name,
        false => entry.id == base.id || same_text && (same_name || base.body.trim().len() >= TELLING),
    }
}

/// Whether text and id are the same.
fn is_same(entry: &Entry, base: &Entry) -> bool {
    entry.hash == base.hash && entry.goes_by(&base.id)
}

/// The new text of a change; `None` if the text stays the same.
fn new_body<'a>(base: &Entry, change: &'a Change) -> Option<&'a str> {
    change.body.as_deref().filter(|body| *body != base.body)
}

/// A file's text without the names; `None` if it contains none or is not UTF-8.
fn redacted_file(path: &Path, redaction: &Redaction) -> Result<Option<String>, VaultError> {
    let text = files::read(path)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.and_then(|text| redaction.text(&text, &[])))
}
