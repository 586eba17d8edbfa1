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
            None => match self.insert(&home, &piece.entry, text.as_ref().unwrap_or(&clean))? {
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
        self.take_from_trash(file, std::slice::from_ref(piece))?;
        Ok((restored, replaced))
    }

    /// Removes restored pieces of a file from the trash.
    fn take_from_trash(&self, file: &str, pieces: &[Trashed]) -> Result<(), VaultError> {
        self.purge(&self.path_in(TRASH, file)?, file, Pass::Delete, |written, trashed| {
            pieces.iter().any(|piece| {
                (&written.entry.id, written.entry.hash) == (&piece.entry.id, piece.entry.hash)
                    && trashed.as_deref() == Some(&piece.trashed.written)
                    && same_head(&written.entry, &piece.entry)
            })
        })?;
        let bodies: Vec<&str> = pieces.iter().map(|piece| piece.entry.body.as_str()).collect();
        self.untrash_attachments(&bodies).map(drop)
    }

    /// Restores gone pieces of one trash file with one write, if all had a head in the file of that day and come after its
    /// entries. `false` if they have to be restored one by one.
    fn restore_together(&self, pieces: &[Trashed]) -> Result<bool, VaultError> {
        let [Trashed { entry: first, .. }, ..] = pieces else { return Ok(true) };
        let file = first.place.file.as_ref();
        let is_plain = |Trashed { entry: Entry { id, extra, .. }, .. }: &Trashed| {
            let is_named = sections::file_of_id(id.as_str()) == Some(file) || identity::time_of(id.as_str()).is_some();
            !is_named && extra.iter().all(|(key, _)| key != FROM)
        };
        let day = self.read_if_there(file)?.map_or_else(Vec::new, |day| day.entries);
        let are_last = day.iter().all(|written| written.entry.time.at <= first.time.at);
        let trash = self.trash_file(file)?.filter(|_| are_last && pieces.iter().all(is_plain));
        let Some(trash) = trash else { return Ok(false) };
        let now = trash.pieces(self);
        let positions = pieces.iter().filter_map(|piece| position_of(piece, &now));
        let blocks = positions.map(|position| self.untrashed(&trash, position, None)).collect::<Result<Vec<_>, _>>()?;
        if blocks.len() < pieces.len() {
            return Ok(false);
        }
        self.append_blocks(file, |ending| Ok(blocks.iter().map(|block| block.block(ending)).collect()))?;
        self.take_from_trash(file, pieces).map(|()| true)
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

    /// Inserts an entry into the file that it was in, before the first later one if that is in the order of time. A text
    /// without a head or heading comes first. `None` if it has to be appended, or if the file would be parsed differently.
    fn insert(&self, file: &str, entry: &Entry, text: &Rewritten) -> Result<Option<Entry>, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let before = present.as_deref().unwrap_or_default();
        let scan = day_file::scan(before);
        let clock = entry.time.local().time();
        let zone = self.reading().zone;
        let time = |block: &day_file::Block| block.head.time(before, &zone).map(|time| time.at);
        let is_later = |block: &day_file::Block| match text.has_head() {
            true => time(block).is_some_and(|at| at > entry.time.at),
            false => {
                text.head.is_empty()
                    || !block.head.is_absent()
                    || block.part.section().is_some_and(|section| section.clock > clock)
            }
        };
        let first_later = scan.blocks.iter().position(is_later);
        let is_sorted = scan.conflicts.is_empty() && scan.blocks.iter().map(time).is_sorted();
        if text.has_head() && (first_later.is_none() || !is_sorted) {
            return Ok(None);
        }
        let at = first_later.unwrap_or(scan.blocks.len());
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
                // It may be of an entry that moved to a day which cannot be read.
                TrashReason::Edited if !done.failed.is_empty() => done.older += 1,
                _ if stands || !restored.insert(piece.entry.id.clone()) => done.older += 1,
                _ => gone.push(piece),
            }
        }
        gone.sort_by_key(|piece| (day_of(&piece.entry.place.file), piece.entry.time.at, piece.entry.place.position));
        for of_file in gone.chunk_by(|a, b| a.entry.place.file == b.entry.place.file) {
            // An error is found again with the piece that has it.
            if dry_run || self.restore_together(of_file).unwrap_or(false) {
                done.pieces.extend_from_slice(of_file);
                continue;
            }
            for piece in of_file {
                // An id of the form `time~hash` may be in another file as the time alone.
                let is_gone = identity::time_of(piece.entry.id.as_str()).is_none();
                match self.restore_piece(piece, is_gone) {
                    Ok(_) => done.pieces.push(piece.clone()),
                    Err(error) => done.failed.push(error),
                }
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
    use crate::journal::{Edited, NewEntry};

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
        // An older version of an entry that may be on that day does not come back beside it.
        let change = |body: &str| Change { body: Some(body.to_owned()), ..Change::default() };
        let Edited::Saved(edited) = vault.edit(&entry, change("Rain.")).unwrap() else { panic!() };
        vault.take_out(&vault.expect(&edited).unwrap()).unwrap();
        let done = vault.restore_all(None, false).unwrap();
        assert_eq!((done.pieces.len(), done.older), (0, 1), "{:?}", done.pieces);
    }

    #[test]
    fn a_deleted_entry_comes_back_between_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path().join("journals/x"));
        let path = vault.entries_folder().join("2026-02-22.md");
        fs::create_dir_all(vault.entries_folder()).unwrap();
        for ending in ["\n", "\r\n"] {
            let entry =
                |at: u8| format!("---\ntime: \"2026-02-22T1{at}:00:00+07:00\"\nid: \"n{at}\"\n---\nText {at}.\n");
            let file = |of: &[u8]| {
                let entries: Vec<_> = of.iter().map(|at| entry(*at)).collect();
                format!("# Kioku — 2026-02-22\n\n{}", entries.join("\n")).replace('\n', ending)
            };
            let restored = |of: &[u8], at: usize| {
                fs::write(&path, file(of)).unwrap();
                let entry = vault.read("2026-02-22.md").unwrap().entries.remove(at).entry;
                vault.restore(&vault.remove(&entry).unwrap().handle).unwrap();
                fs::read_to_string(&path).unwrap()
            };
            for at in 0..3 {
                assert_eq!(restored(&[1, 2, 3], at), file(&[1, 2, 3]), "{at}");
            }
            assert_eq!(restored(&[3, 1, 2], 1), file(&[3, 2, 1]), "not in the order of time: appended");
        }
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
