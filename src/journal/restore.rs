//! Restore from the trash: one piece, everything that was deleted or lost, or only some days.
//!
//! `restore_all` restores the newest piece of each entry that is no longer in the journal. Older versions of existing
//! entries (edited, moved) stay in the trash, because restoring one would replace the current text.

use std::{collections::HashSet, ops::RangeInclusive};

use jiff::civil::Date;

use super::{
    Change, Entry, Pass, TrashReason, Trashed, Vault, VaultError, day_file,
    day_names::day_of,
    edit::{changed_lines, wanted},
    files,
    folders::TRASH,
    identity,
    present::Present,
    sections,
    splice::{self, Revision, Rewritten},
    trash::{FROM, HEADING, TrashFile},
    write::{self, head_line},
};

/// Result, or preview, of [`Vault::restore_all`].
#[derive(Debug, Default)]
pub struct RestoredAll {
    /// The restored pieces, by day and time.
    pub pieces: Vec<Trashed>,
    /// Number of versions of existing entries that the user replaced, which stay in the trash.
    pub older: usize,
    /// Texts of existing entries that another program overwrote, newest first. Restoring one would replace the present one.
    pub overwritten: Vec<Trashed>,
    /// Errors of the days that could not be restored.
    pub failed: Vec<VaultError>,
}

impl Vault {
    /// Restores a piece of trash: a deleted or vanished entry returns to its day, an older version replaces the current
    /// text (which goes to the trash).
    pub fn restore(&self, handle: &str) -> Result<Entry, VaultError> {
        Ok(self.restore_over(handle)?.0)
    }

    /// Like [`Vault::restore`], with the text that was replaced.
    pub fn restore_over(&self, handle: &str) -> Result<(Entry, Option<Entry>), VaultError> {
        let _lock = self.lock()?;
        let piece = self.trash()?.into_iter().find(|piece| piece.handle == handle);
        self.restore_piece(&piece.ok_or_else(|| self.no_piece(handle))?, false)
    }

    fn no_piece(&self, handle: &str) -> VaultError {
        VaultError::Absent { what: "piece of trash", id: handle.to_owned(), path: self.trash_folder() }
    }

    /// Restores a piece. `is_gone`: the caller knows that no other day file contains the entry, so only its own is read.
    pub(super) fn restore_piece(&self, piece: &Trashed, is_gone: bool) -> Result<(Entry, Option<Entry>), VaultError> {
        let file = piece.entry.place.file.as_ref();
        let absent = || self.no_piece(&piece.handle);
        let old = self.trash_file(file)?.ok_or_else(absent)?;
        let position = position_of(piece, &old.pieces(self)).ok_or_else(absent)?;
        let clean = self.untrashed(&old, position, None)?;
        let from = piece.entry.extra.iter().find(|(key, _)| key == FROM).map(|(_, from)| from.as_str());
        // `from` may be edited by hand: accept only the name of a day file, so that it cannot lead elsewhere.
        let home = from.filter(|from| day_of(from).is_some()).unwrap_or(file).to_owned();
        let is_lost = matches!(piece.why, TrashReason::Deleted | TrashReason::Vanished);
        let block = &old.scan.blocks[position];
        let text = without_head(&home, &piece.entry, &block.text(&old.bytes, &block.fields(&old.bytes)));
        let find = if is_gone { Self::present_in } else { Self::present };
        let present = find(self, &home, &piece.entry.id)?;
        let mut replaced = None;
        let restored = match present {
            None => match text.map(|text| self.insert_text(&home, &piece.entry, &text)).transpose()?.flatten() {
                Some(restored) => restored,
                None => self.append_block(&home, |ending| Ok(clean.block(ending)))?,
            },
            Some(present)
                if present.entry.hash == piece.entry.hash
                    && (present.block().head.is_absent()
                        && (is_lost || fields_above(&present, &piece.entry).is_none())
                        || same_head(&present.entry, &piece.entry)) =>
            {
                present.entry
            }
            Some(present)
                if is_lost
                    && (present.block().head.is_absent() || sections::is_of_section(piece.entry.id.as_str())) =>
            {
                // The file now has another text under the same id, which is that of a place: keep both.
                let name = format!("{}~{}", piece.entry.id, piece.entry.hash.short());
                let headed = self.untrashed(&old, position, Some(&name))?;
                self.append_block(&present.file, |ending| Ok(headed.block(ending)))?
            }
            Some(present) if *present.file == *home => {
                replaced = Some(present.entry.clone());
                let text = text.map(|text| Rewritten { above: fields_above(&present, &piece.entry), ..text });
                let fits = |text: &Rewritten| {
                    present.block().head.is_absent()
                        && splice::replaced(&present.bytes, &present.scan, present.at, text).is_ok()
                };
                let new = text.filter(fits).unwrap_or(clean);
                self.with_copy_in_trash(&present, TrashReason::Edited, || self.put(&present, &new))?
            }
            Some(present) => {
                let restored = self.move_to(&home, &present, &clean)?;
                replaced = Some(present.entry);
                restored
            }
        };
        let path = self.path_in(TRASH, file)?;
        self.purge(&path, file, Pass::Delete, |written, trashed| {
            (&written.entry.id, written.entry.hash) == (&piece.entry.id, piece.entry.hash)
                && trashed.as_deref() == Some(&piece.trashed.written)
                && same_head(&written.entry, &piece.entry)
        })?;
        self.untrash_attachments(&[&restored.body])?;
        Ok((restored, replaced))
    }

    /// The block of a piece without the keys that the trash added, with another id if one is given.
    pub(super) fn untrashed(
        &self,
        trash: &TrashFile,
        position: usize,
        id: Option<&str>,
    ) -> Result<Rewritten, VaultError> {
        let block = &trash.scan.blocks[position];
        let mut lines: Vec<_> = ["trashed", "why", FROM].map(|key| (key.to_owned(), None)).into();
        let is_section = block.fields(&trash.bytes).id.is_some_and(|id| sections::is_of_section(&id));
        lines.extend(is_section.then(|| (HEADING.to_owned(), None)));
        lines.extend(id.map(|id| head_line("id", id)));
        let path = self.trash_folder().join(&trash.name);
        splice::rewritten_in(&path, &trash.bytes, block, &Revision { lines, body: None })
    }

    /// Inserts a text without a head into the file that it was in: at the beginning, or among the sections by its time.
    /// `None` if the file would then be parsed differently.
    fn insert_text(&self, file: &str, entry: &Entry, text: &Rewritten) -> Result<Option<Entry>, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let before = present.as_deref().unwrap_or_default();
        let scan = day_file::scan(before);
        let clock = entry.time.local().time();
        let is_later = |block: &day_file::Block| {
            text.head.is_empty()
                || !block.head.is_absent()
                || block.part.section().is_some_and(|section| section.clock > clock)
        };
        let at = scan.blocks.iter().position(is_later).unwrap_or(scan.blocks.len());
        let start = scan.blocks.get(at).map_or(before.len(), |next| next.head.opening.start);
        let ending = write::Ending::of(if before.is_empty() { &text.body } else { before });
        let (above, below) = before.split_at(start);
        let is_parted = above.is_empty() || above == day_file::BOM || above.last() == Some(&b'\n');
        let parting = match at {
            0 if is_parted => Vec::new(),
            0 => ending.after(above).to_vec(),
            _ if above.ends_with(b"\n\n") || above.ends_with(b"\n\r\n") => Vec::new(),
            _ => write::separator(above, ending),
        };
        let behind = if below.is_empty() { b"" } else { ending.bytes() };
        let bytes = [above, &parting, &text.block(ending), behind, below].concat();
        let read = |bytes: &[u8]| self.entries_in(bytes, file).into_iter().map(|written| written.entry);
        let others: Vec<_> = read(&bytes).map(|entry| entry.hash).collect();
        let mut expected: Vec<_> = read(before).map(|entry| entry.hash).collect();
        expected.insert(at, entry.hash);
        let restored = read(&bytes).nth(at);
        let Some(restored) = restored.filter(|restored| others == expected && restored.id == entry.id) else {
            return Ok(None);
        };
        if let Some(present) = &present {
            files::replace_if(&path, file, present, &bytes)?;
        } else {
            self.make_folder_of(file)?;
            files::create_new(&path, &bytes)?;
        }
        let scan = day_file::scan(&bytes);
        self.report_second_copy(self.keep_second_copy(&bytes, &scan.blocks[at], &restored));
        Ok(Some(restored))
    }

    /// Restores everything that was deleted or vanished, or only the entries of `days`. With `dry_run` nothing is
    /// changed.
    pub fn restore_all(&self, days: Option<RangeInclusive<Date>>, dry_run: bool) -> Result<RestoredAll, VaultError> {
        let _lock = self.lock()?;
        let (mut standing, mut restored, mut done) = (HashSet::new(), HashSet::new(), RestoredAll::default());
        for stamp in self.files()? {
            match self.standing(&[stamp], |entry| entry.id) {
                Ok(ids) => standing.extend(ids),
                Err(error) => done.failed.push(error),
            }
        }
        let mut gone = Vec::new();
        // Newest first: if an id was deleted twice, restore the last text.
        for piece in self.trash()? {
            let is_outside = |day| days.as_ref().is_some_and(|days| !days.contains(&day));
            if day_of(&piece.entry.place.file).is_some_and(is_outside) {
                continue;
            }
            let stands = standing.contains(&piece.entry.id);
            match piece.why {
                TrashReason::Vanished if stands => done.overwritten.push(piece),
                TrashReason::Moved => done.older += 1,
                _ if stands || !restored.insert(piece.entry.id.clone()) => done.older += 1,
                _ => gone.push(piece),
            }
        }
        gone.sort_by_key(|piece| (day_of(&piece.entry.place.file), piece.entry.time.at, piece.entry.place.position));
        for piece in gone {
            // An id of the form `time~hash` may be in another file as the time alone.
            let is_gone = identity::time_of(piece.entry.id.as_str()).is_none();
            match if dry_run { Ok(()) } else { self.restore_piece(&piece, is_gone).map(drop) } {
                Ok(()) => done.pieces.push(piece),
                Err(error) => done.failed.push(error),
            }
        }
        Ok(done)
    }
}

/// The position of a piece in its file, which changes when pieces before it are restored.
fn position_of(piece: &Trashed, now: &[Trashed]) -> Option<usize> {
    now.iter().position(|other| {
        (&other.entry.id, other.entry.hash) == (&piece.entry.id, piece.entry.hash)
            && other.trashed == piece.trashed
            && same_head(&other.entry, &piece.entry)
    })
}

/// A piece as the text without a head that it was; `None` if it had a head.
fn without_head(home: &str, entry: &Entry, text: &[u8]) -> Option<Rewritten> {
    let heading = entry.extra.iter().find(|(key, _)| key == HEADING).map(|(_, heading)| heading.as_str());
    let heading = heading.filter(|_| sections::is_of_section(entry.id.as_str()));
    let is_section = heading.is_some() && sections::file_of_id(entry.id.as_str()) == Some(home);
    (is_section || entry.id.as_str() == home).then(|| Rewritten::of_text(heading.unwrap_or_default(), text))
}

/// The front matter with the fields of an older version of a text without a head, if they differ.
fn fields_above(present: &Present, piece: &Entry) -> Option<Vec<u8>> {
    let (mood, tags) = (Some(piece.mood.clone()), Some(piece.tags.clone()));
    let change = Change { mood, tags, event_time: Some(piece.event_time.clone()), ..Change::default() };
    let lines = changed_lines(&present.entry, &wanted(&present.entry, &present.entry, &change, None), &change);
    present.front_matter_with(&lines)
}

fn same_head(a: &Entry, b: &Entry) -> bool {
    let head = |entry: &Entry| {
        let of_trash = |key: &str, value: &str| {
            key == FROM && day_of(value).is_some() || key == HEADING && sections::is_of_section(entry.id.as_str())
        };
        let mut extra = entry.extra.clone();
        extra.retain(|(key, value)| !of_trash(key, value));
        (entry.time.clone(), entry.mood.clone(), entry.tags.clone(), entry.event_time.clone(), extra)
    };
    head(a) == head(b)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::NewEntry;

    #[test]
    fn a_note_without_a_head_comes_back_without_a_time_and_with_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path().join("journals/x"));
        fs::create_dir_all(vault.entries_folder()).unwrap();
        let (file, path) = ("2026-02-25.md", vault.entries_folder().join("2026-02-25.md"));
        let note = || vault.read(file).unwrap().entries.remove(0).entry;
        for bytes in [&b"latin1 caf\xe9 line\nrest\n"[..], b"a\r\nb\r\n"] {
            fs::write(&path, bytes).unwrap();
            vault.remove(&note()).unwrap();
            vault.restore_all(None, false).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::write(&path, "first text of a day\n").unwrap();
        let first = note();
        fs::write(&path, "quite another\n").unwrap();
        vault.keep_vanished(&first).unwrap();
        let restored = vault.restore(file).unwrap();
        assert_eq!(restored.extra, [("undated".to_owned(), "true".to_owned())]);
        assert!(fs::read_to_string(&path).unwrap().starts_with("quite another\n"));
    }

    #[cfg(unix)]
    #[test]
    fn one_day_that_cannot_be_read_stops_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path().join("journals/x"));
        let entry = vault.append(NewEntry { body: "Fog.".to_owned(), ..NewEntry::default() }).unwrap();
        vault.remove(&entry).unwrap();
        let outside = folder.path().join("any.md");
        fs::write(&outside, "x").unwrap();
        std::os::unix::fs::symlink(outside, vault.entries_folder().join("2026-03-08.md")).unwrap();
        let done = vault.restore_all(None, false).unwrap();
        assert_eq!((done.pieces.len(), done.failed.len()), (1, 1), "{:?}", done.failed);
        assert!(vault.find("2026-02-22.md", &entry.id).unwrap().is_some());
    }

    #[test]
    fn pieces_of_one_trash_file_are_restored_whichever_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path().join("journals/x"));
        let usual = vault.append(NewEntry { body: "Usual.".to_owned(), ..NewEntry::default() }).unwrap();
        let walk = vault.entries_folder().join("2026-02-22 walk.md");
        fs::write(&walk, "---\ntime: \"2026-02-22T10:00:00+07:00\"\nid: \"walk\"\n---\nWalked.\n").unwrap();
        let walked = vault.find("2026-02-22 walk.md", &"walk".into()).unwrap().unwrap();
        vault.remove(&walked).unwrap();
        vault.remove(&usual).unwrap();
        let done = vault.restore_all(None, false).unwrap();
        assert!(done.failed.is_empty(), "{:?}", done.failed);
        assert_eq!(vault.find("2026-02-22.md", &usual.id).unwrap().unwrap().body, "Usual.");
        assert_eq!(vault.find("2026-02-22 walk.md", &"walk".into()).unwrap().unwrap().body, "Walked.");
    }
}
