//! Edit and removal of entries, with a merge of concurrent changes by other programs.

use super::{
    Attachment, Change, Entry, NewEntry, TrashReason, Trashed, Vault, VaultError, WrittenEntry,
    day_file::{self, Block},
    day_names::{Listing, day_of, day_text},
    files,
    present::{self, Present, head_lines},
    recent,
    splice::{self, Revision, Rewritten},
    write::{self, HeadLine, head_line},
};
use crate::fault::lock;

/// Maximum number of retries when other programs keep changing the file.
const TRIES: usize = 3;

/// Result of an edit.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "one at a time, looked at once")]
pub enum Edited {
    /// Written in place, or moved to another day's file. Contains the new entry.
    Saved(Entry),
    /// The edit changed nothing.
    Unchanged(Entry),
    /// Another program changed the text meanwhile: its version stays, and the user's text was added as a second entry.
    KeptBoth { theirs: Entry, mine: Entry },
}

impl Vault {
    /// Changes an entry. `base` is the version that the user saw; the old text goes to the trash.
    ///
    /// Concurrent changes by another program are kept: fields are merged, and of two different texts both are kept. If
    /// the entry was removed, it is written again, so that the user's text is never lost.
    pub fn edit(&self, base: &Entry, change: Change) -> Result<Edited, VaultError> {
        self.edit_with(base, change, Vec::new())
    }

    /// Like [`Vault::edit`], with the attachments that the new text links. They are durable before the text is.
    pub fn edit_with(&self, base: &Entry, change: Change, attachments: Vec<Attachment>) -> Result<Edited, VaultError> {
        let _lock = self.lock()?;
        self.keep_attachments(attachments)?;
        let mut tries = 0;
        loop {
            // A program that does not use our lock changed the file between read and replace: retry.
            match self.edit_once(base, &change) {
                Err(VaultError::Changed { .. }) if tries < TRIES => tries += 1,
                done => return done,
            }
        }
    }

    fn edit_once(&self, base: &Entry, change: &Change) -> Result<Edited, VaultError> {
        let Some(present) = self.locate(base)? else {
            return Ok(Edited::Saved(self.append_locked(&wanted(base, base, change, Some(base.id.to_string())))?));
        };
        let theirs = &present.entry;
        if change.body.as_ref().is_some_and(|mine| *mine != base.body && *mine != theirs.body)
            && theirs.hash != base.hash
        {
            let mine = self.append_locked(&wanted(base, base, change, None))?;
            return Ok(Edited::KeptBoth { theirs: theirs.clone(), mine });
        }
        let wanted = wanted(base, theirs, change, None);
        let time =
            if wanted.time.as_ref() == Some(&theirs.time) { theirs.time.clone() } else { self.time_of(&wanted)? };
        let mut lines = changed_lines(theirs, &wanted, change);
        if time.written != theirs.time.written {
            // First, so that an undo may set it again.
            lines.insert(0, ("undated".to_owned(), None));
            lines.push(head_line("time", &time.written));
        }
        let body = (wanted.body != theirs.body).then_some(wanted.body.as_bytes());
        if lines.is_empty() && body.is_none() {
            return Ok(Edited::Unchanged(present.entry));
        }
        if let Some(line) = present.block().broken_at(&present.bytes) {
            let reason = "it holds bytes that are not UTF-8, which an editor cannot show".to_owned();
            return Err(VaultError::Refused { path: self.day_path(&present.file)?, line, reason });
        }
        if !present.goes_by(&base.id) {
            lines.push(head_line("id", base.id.as_str()));
        }
        let day = time.day(self.options().day_start);
        let file = if day == theirs.day { present.file.to_string() } else { self.file_for(day) };
        if present.block().head.is_absent() && file != *present.file {
            // Its id is the file name, which the next text in that file would get too: give the moved entry its own id.
            lines.push(head_line("id", &write::random_id()));
        }
        let new = self.rewritten(&present, lines, body)?;
        if file == *present.file {
            let saved = self.with_copy_in_trash(&present, TrashReason::Edited, || self.put(&present, &new))?;
            return Ok(Edited::Saved(self.without_copies(&present)?.unwrap_or(saved)));
        }
        let moved = self.move_to(&file, &present, &new)?;
        self.without_copies(&present)?;
        Ok(Edited::Saved(moved))
    }

    /// Writes an entry to another file, then its old version to the trash, then takes it out of its file. A kill at any
    /// step leaves at least one copy. After an error the new copy goes, if the old one is as it was.
    pub(super) fn move_to(&self, file: &str, present: &Present, new: &Rewritten) -> Result<Entry, VaultError> {
        let path = self.day_path(file)?;
        let before = files::read(&path)?;
        let moved = self.append_block(file, |ending| Ok(new.block(ending)))?;
        let taken = self.with_copy_in_trash(present, TrashReason::Moved, || self.take_out(present));
        taken.inspect_err(|_| {
            // Another program may have written there before or after it.
            let old = before.as_deref().unwrap_or_default();
            let added = if before.is_none() { write::header(&day_text(file)) } else { Vec::new() };
            let is_last = |now: &[u8]| {
                let above = now.get(old.len()..moved.place.bytes.start);
                self.entries_in(now, file).pop().is_some_and(|last| last.entry == moved)
                    && now.starts_with(old)
                    && above.is_some_and(|above| above.trim_ascii() == added.trim_ascii())
                    && now[moved.place.bytes.end..].trim_ascii().is_empty()
            };
            if self.is_as_it_was(present) && files::read(&path).ok().flatten().is_some_and(|now| is_last(&now)) {
                // The error of the move is the one to report.
                let _ = before.as_ref().map_or_else(|| files::remove(&path), |before| files::cut(&path, before.len()));
            }
        })?;
        Ok(moved)
    }

    pub(super) fn is_as_it_was(&self, present: &Present) -> bool {
        let now = self.day_path(&present.file).and_then(|path| files::read(&path));
        now.is_ok_and(|bytes| bytes.as_ref() == Some(&present.bytes))
    }

    /// Moves an entry to the trash. Refused if it changed since `base` was read.
    pub fn remove(&self, base: &Entry) -> Result<Trashed, VaultError> {
        let _lock = self.lock()?;
        let mut present = self.expect(base)?;
        if !same(&present.entry, base) {
            return Err(VaultError::Changed { id: base.id.clone(), path: self.day_path(&present.file)? });
        }
        present.entry.id = present.last_twin().unwrap_or_else(|| base.id.clone());
        self.with_copy_in_trash(&present, TrashReason::Deleted, || self.take_out(&present))?;
        self.without_copies(&present)?;
        let id = &present.entry.id;
        self.report_second_copy(recent::close(self, [id]));
        let absent = || VaultError::Absent { what: "entry", id: id.to_string(), path: self.trash_folder() };
        self.newest_trashed(&present.file, id)?.ok_or_else(absent)
    }

    /// Writes an entry's current id into its head as `id:`, so that references to it (a curated relation) stay valid
    /// after any edit.
    pub fn fix_id(&self, base: &Entry) -> Result<Entry, VaultError> {
        let _lock = self.lock()?;
        let present = self.expect(base)?;
        if present.written_id.as_ref() == Some(&base.id) {
            return Ok(present.entry);
        }
        let lines = vec![head_line("id", base.id.as_str())];
        let new = self.revised(&present, &Revision { lines, body: None })?;
        self.put(&present, &new)
    }

    /// Removes the duplicates (same id and text) of a changed or removed entry from its file, because duplicates count
    /// as one entry, and warns of those in other files. Returns the changed entry if its position moved.
    fn without_copies(&self, changed: &Present) -> Result<Option<Entry>, VaultError> {
        self.warn_of_copies(changed);
        // The usual case: avoid reading a large file again.
        if !changed.has_copies {
            return Ok(None);
        }
        let mut place = changed.at;
        let mut moved = None;
        while let Some(copy) = self.locate_in(&changed.file, |entries| {
            let is_copy = |written| present::is_copy(written, &changed.entry, changed.written_id.as_ref());
            entries.iter().enumerate().position(|(at, written)| at != place && is_copy(written))
        })? {
            self.take_out(&copy)?;
            if copy.at < place {
                place -= 1;
            }
            moved =
                self.locate_in(&changed.file, |entries| (place < entries.len()).then_some(place))?.map(|now| now.entry);
        }
        Ok(moved)
    }

    /// Warns of the files of the same day, such as a backup, that keep the text of a changed or removed entry.
    fn warn_of_copies(&self, changed: &Present) {
        // The change is durable: an error would be taken for one that was not made.
        let Ok(Listing { day_files, conflict_copies, .. }) = self.listing() else { return };
        let is_other = |file: &String| **file != *changed.file && day_of(file) == day_of(&changed.file);
        let is_copy = |written: &WrittenEntry| present::is_copy(written, &changed.entry, changed.written_id.as_ref());
        for file in day_files.into_iter().chain(conflict_copies).filter(is_other) {
            let day = self.read_if_there(&file).ok().flatten();
            if day.is_some_and(|day| day.entries.iter().any(is_copy)) {
                lock(&self.write_warnings).push(format!("a copy of {} remains in {file}", changed.entry.id));
            }
        }
    }

    /// Replaces a block. Returns the entry as written.
    pub(super) fn put(&self, present: &Present, new: &Rewritten) -> Result<Entry, VaultError> {
        let Present { bytes, scan, at, .. } = present;
        let gets_head = present.block().head.is_absent() && new.has_head();
        let (bytes, at) = match splice::replaced(bytes, scan, *at, new) {
            Ok(bytes) => (bytes, *at),
            Err(_) if gets_head => {
                let moved = splice::moved_behind(bytes, scan, *at, new);
                (moved.map_err(|reason| self.refused(present, reason))?, scan.blocks.len() - 1)
            }
            Err(reason) => return Err(self.refused(present, reason)),
        };
        self.replace(present, &bytes)?;
        let scan = day_file::scan(&bytes);
        let entry = scan.blocks[at].entry(&bytes, &present.file, at, &self.reading()).entry;
        self.report_second_copy(self.keep_second_copy(&bytes, &scan.blocks[at], &entry));
        Ok(entry)
    }

    /// Writes a block's current content as a second copy. A block without a head gets one, so that the copy is a valid
    /// entry.
    pub(super) fn keep_second_copy(&self, bytes: &[u8], block: &Block, entry: &Entry) -> Result<(), VaultError> {
        self.remember_again([(&entry.id, &entry.hash)])?;
        let copy = match block.head.is_absent() {
            false => {
                let mut copy = bytes[block.range()].to_vec();
                copy.extend_from_slice(write::Ending::Lf.after(&copy));
                copy
            }
            true => {
                let revision = Revision { lines: head_lines(entry), body: Some(&bytes[block.body.clone()]) };
                let headed = splice::rewritten(bytes, block, &revision);
                headed.map_err(VaultError::Unwritable)?.block(write::Ending::Lf)
            }
        };
        recent::keep(self, &copy)
    }

    /// Removes a block from its file.
    pub(super) fn take_out(&self, present: &Present) -> Result<(), VaultError> {
        let bytes = splice::removed(&present.bytes, &present.scan, present.at)
            .map_err(|reason| self.refused(present, reason))?;
        self.replace(present, &bytes)
    }

    fn replace(&self, present: &Present, bytes: &[u8]) -> Result<(), VaultError> {
        files::replace_if(&self.day_path(&present.file)?, present.entry.id.as_str(), &present.bytes, bytes)
    }
}

fn same(a: &Entry, b: &Entry) -> bool {
    a.hash == b.hash
        && a.time.written == b.time.written
        && a.mood == b.mood
        && a.tags == b.tags
        && a.event_time == b.event_time
        && a.extra == b.extra
}

/// The merged entry: the user's changes applied to the current entry.
pub(super) fn wanted(base: &Entry, theirs: &Entry, change: &Change, id: Option<String>) -> NewEntry {
    fn part<T: PartialEq + Clone>(mine: &Option<T>, base: &T, theirs: &T) -> T {
        mine.as_ref().filter(|mine| *mine != base).unwrap_or(theirs).clone()
    }
    let mut extra = theirs.extra.clone();
    for (key, value) in &change.extra {
        extra.retain(|(present, _)| present != key);
        extra.extend(value.clone().map(|value| (key.clone(), value)));
    }
    let tags = change.tags.as_ref().map(|mine| merged_tags(&base.tags, &theirs.tags, mine));
    NewEntry {
        time: Some(part(&change.time, &base.time, &theirs.time)),
        id,
        mood: part(&change.mood, &base.mood, &theirs.mood).filter(|mood| !mood.is_empty()),
        tags: tags.unwrap_or_else(|| theirs.tags.clone()),
        event_time: part(&change.event_time, &base.event_time, &theirs.event_time).filter(|time| !time.is_empty()),
        extra,
        body: part(&change.body, &base.body, &theirs.body),
        ..NewEntry::default()
    }
}

/// Three-way merge: our tags, plus those that the other program added, minus those that it removed.
fn merged_tags(base: &[String], theirs: &[String], mine: &[String]) -> Vec<String> {
    let taken_away = |tag: &String| base.contains(tag) && !theirs.contains(tag);
    let added = theirs.iter().filter(|tag| !base.contains(tag) && !mine.contains(tag));
    let kept = mine.iter().filter(|tag| !tag.is_empty() && !taken_away(tag));
    kept.chain(added).cloned().collect()
}

/// The head lines to write (or, with `None`, to remove) for the changed fields.
pub(super) fn changed_lines(theirs: &Entry, wanted: &NewEntry, change: &Change) -> Vec<HeadLine> {
    let mut lines = Vec::new();
    let mut quoted = |key: &str, before: &Option<String>, after: &Option<String>| {
        if before != after {
            lines.push((key.to_owned(), after.as_ref().map(|text| write::quoted_line(key, text))));
        }
    };
    quoted("mood", &theirs.mood, &wanted.mood);
    quoted("event_time", &theirs.event_time, &wanted.event_time);
    if theirs.tags != wanted.tags {
        lines.push(("tags".to_owned(), (!wanted.tags.is_empty()).then(|| write::tags_line(&wanted.tags))));
    }
    for (key, value) in &change.extra {
        let before = theirs.extra.iter().find(|(present, _)| present == key).map(|(_, value)| value);
        if before != value.as_ref() {
            lines.push((write::safe_key(key), value.as_ref().map(|value| write::extra_line(key, value))));
        }
    }
    lines
}
