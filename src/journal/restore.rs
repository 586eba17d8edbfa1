//! Restoring many entries at once: all that was deleted or lost, or that of some days.
//!
//! Of each entry that is in the journal no more, the newest piece of trash goes back to the file of its day. Older versions of
//! entries that are there (edited, moved) stay in the trash: putting one back would take the place of the present text.

use std::{
    collections::{BTreeMap, HashSet},
    ops::RangeInclusive,
};

use jiff::civil::Date;

use super::{
    BodyHash, Entry, EntryId, TrashReason, Trashed, Vault, VaultError, day_file, files, identity, recent,
    trash::TrashFile,
    vault::{day_of, stem},
    write,
};

/// What came of [`Vault::restore_all`], or would.
#[derive(Debug, Default)]
pub struct RestoredAll {
    /// What was put back, by day and in the order of the entries' times.
    pub pieces: Vec<Trashed>,
    /// Older versions of entries that are in the journal: they stay in the trash.
    pub older: usize,
    /// Days that could not be restored; the others were.
    pub failed: Vec<VaultError>,
}

/// A piece as it lies in a file of the trash.
struct Piece {
    trashed: Trashed,
    position: usize,
}

impl Vault {
    /// Puts everything back that was deleted or vanished, or only what stood in the files of `days`. With `dry_run` it only says
    /// what would go back.
    pub fn restore_all(&self, days: Option<RangeInclusive<Date>>, dry_run: bool) -> Result<RestoredAll, VaultError> {
        let _lock = self.lock()?;
        let mut standing = self.standing_ids()?;
        let mut done = RestoredAll::default();
        let mut by_file: BTreeMap<String, Vec<Piece>> = BTreeMap::new();
        // What goes back to a file that its day does not name, one by one.
        let mut elsewhere = Vec::new();
        // Newest first: of an id that was deleted twice, the last text is the one that was lost.
        for (trashed, file, position) in self.trashed()? {
            let wanted = days.as_ref().is_none_or(|days| day_of(&file).is_some_and(|day| days.contains(&day)));
            if !wanted {
                continue;
            }
            if standing.contains(&trashed.entry.id) || trashed.why == TrashReason::Moved {
                done.older += 1;
                continue;
            }
            standing.insert(trashed.entry.id.clone());
            match trashed.is_from_elsewhere() {
                true => elsewhere.push((trashed, file)),
                false => by_file.entry(file).or_default().push(Piece { trashed, position }),
            }
        }
        for (piece, file) in elsewhere {
            // A name made of a time and a hash may stand as the time alone.
            let is_gone = identity::time_of(piece.entry.id.as_str()).is_none();
            let restored = if dry_run { Ok(()) } else { self.restore_piece(&piece, &file, is_gone).map(drop) };
            match restored {
                Ok(()) => done.pieces.push(piece),
                Err(error) => done.failed.push(error),
            }
        }
        for (file, mut pieces) in by_file {
            pieces.sort_by_key(|piece| (piece.trashed.entry.time.at, piece.position));
            let restored = if dry_run { Ok(()) } else { self.restore_file(&file, &pieces) };
            match restored {
                Ok(()) => done.pieces.extend(pieces.into_iter().map(|piece| piece.trashed)),
                Err(error) => done.failed.push(error),
            }
        }
        Ok(done)
    }

    /// Appends the pieces to their day, durably, and only then takes them out of the trash.
    fn restore_file(&self, file: &str, pieces: &[Piece]) -> Result<(), VaultError> {
        let trash_path = self.trash_folder().join(file);
        let absent = || VaultError::Absent { what: "file of the trash", id: file.to_owned(), path: trash_path.clone() };
        let trash = self.trash_file(file)?.ok_or_else(absent)?;
        let path = self.day_path(file)?;
        self.make_entries_folder()?;
        let present = files::read(&path)?;
        let mut bytes = present.clone().unwrap_or_default();
        let before = bytes.len();
        let blocks_before = day_file::scan(&bytes).blocks.len();
        let ending = write::Ending::of(&bytes);
        if present.is_none() {
            bytes.extend_from_slice(&write::header(&stem(file)));
        }
        let mut second_copies = Vec::new();
        for piece in pieces {
            let block = self.untrashed(&trash, piece.position, None)?.block(ending);
            let separator = write::separator(&bytes, ending);
            bytes.extend_from_slice(&separator);
            bytes.extend_from_slice(&block);
            if !second_copies.is_empty() {
                second_copies.push(b'\n');
            }
            second_copies.extend_from_slice(&block);
        }
        // What is about to be written is read first: if it would not stand as so many entries, nothing is written.
        if day_file::scan(&bytes).blocks.len() != blocks_before + pieces.len() {
            return Err(VaultError::Unwritable(format!("what the trash holds of {file} would read differently there")));
        }
        if !files::append_if(&path, present.as_deref(), &bytes[before..])? {
            return Err(VaultError::Busy { path });
        }
        self.tell_second_copy(recent::keep(self, &second_copies));
        for Piece { trashed, .. } in pieces {
            self.remember_again(&trashed.entry.id, &trashed.entry.hash)?;
        }
        self.take_from_trash(file, &trash, pieces)
    }

    fn take_from_trash(&self, file: &str, trash: &TrashFile, pieces: &[Piece]) -> Result<(), VaultError> {
        let path = self.trash_folder().join(file);
        let nothing_else = trash.scan.blocks.len() == pieces.len()
            && trash.bytes[..trash.scan.preface].trim_ascii() == write::header(&stem(file)).trim_ascii();
        if nothing_else {
            return files::remove(&path);
        }
        let key = |entry: &Entry, trashed: &str| (entry.id.clone(), entry.hash, trashed.to_owned());
        let restored: HashSet<(EntryId, BodyHash, String)> =
            pieces.iter().map(|piece| key(&piece.trashed.entry, &piece.trashed.trashed.written)).collect();
        self.purge(&path, file, |written, trashed| {
            restored.contains(&key(&written.entry, trashed.as_deref().unwrap_or_default()))
        })?;
        Ok(())
    }

    fn standing_ids(&self) -> Result<HashSet<EntryId>, VaultError> {
        let mut ids = HashSet::new();
        for stamp in self.files()? {
            if let Some(day) = self.read_if_there(&stamp.file)? {
                ids.extend(day.entries.into_iter().map(|written| written.entry.id));
            }
        }
        Ok(ids)
    }
}
