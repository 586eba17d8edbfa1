//! What was deleted, replaced or lost to another program, in the same format and restorable.
//!
//! A piece of trash stands in the file of the day it stood in, so that it can go back there.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    BodyHash, Entry, EntryId, EntryTime, NewEntry, Vault, VaultError,
    day_file::{self, Scan},
    edit, files,
    splice::{self, Revision, Rewritten},
    vault::{day_of, file_of, stem},
    write,
};

/// A deleted, replaced or vanished entry that can be put back.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    /// Names this piece of trash for [`Vault::restore`]: the entry's id, with `#2`, `#3`... for older ones of the same id.
    pub handle: String,
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

impl Trashed {
    /// Whether it stood in a file that its day does not name, or without a head.
    pub(super) fn is_from_elsewhere(&self) -> bool {
        let day_file = self.entry.place.file.as_ref();
        self.entry.id.as_str() == day_file || self.entry.extra.iter().any(|(key, _)| key == FROM)
    }
}

impl TrashReason {
    pub fn word(self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Deleted => "deleted",
            Self::Moved => "moved",
            Self::Vanished => "vanished",
        }
    }

    /// A hand that wrote another word into the trash deleted the entry.
    fn parse(word: Option<&str>) -> Self {
        [Self::Edited, Self::Moved, Self::Vanished]
            .into_iter()
            .find(|why| Some(why.word()) == word)
            .unwrap_or(Self::Deleted)
    }
}

const FOLDER: &str = "trash";

/// The key that names the file an entry stood in, where its day does not.
const FROM: &str = "from";

/// Names of what was forgotten, as hashes: another running kioku that still remembers such an entry must not bring it back.
/// Each machine writes a file of its own (`.forgotten.<machine id>`), and all that begin like this are read: a set of lines.
const FORGOTTEN: &str = ".forgotten";

/// A file of the trash as read.
pub(super) struct TrashFile {
    pub name: String,
    pub bytes: Vec<u8>,
    pub scan: Scan,
}

impl Vault {
    /// Everything in the trash, newest first.
    pub fn trash(&self) -> Result<Vec<Trashed>, VaultError> {
        Ok(self.trashed()?.into_iter().map(|(piece, ..)| piece).collect())
    }

    /// Puts a piece of trash back: a deleted or vanished entry returns to its day, an edited one replaces the present text
    /// (which goes to the trash in turn).
    pub fn restore(&self, handle: &str) -> Result<Entry, VaultError> {
        let _lock = self.lock()?;
        self.restore_locked(handle)
    }

    pub(super) fn restore_locked(&self, handle: &str) -> Result<Entry, VaultError> {
        let absent = || VaultError::Absent { what: "piece of trash", id: handle.to_owned(), path: self.trash_folder() };
        let (piece, file, _) =
            self.trashed()?.into_iter().find(|(piece, ..)| piece.handle == handle).ok_or_else(absent)?;
        self.restore_piece(&piece, &file, false)
    }

    /// Puts back a piece that lies in `file` of the trash. `is_gone`: no day file but its own can hold the entry, so that no other
    /// is read.
    pub(super) fn restore_piece(&self, piece: &Trashed, file: &str, is_gone: bool) -> Result<Entry, VaultError> {
        let handle = piece.handle.clone();
        let absent = || VaultError::Absent { what: "piece of trash", id: handle.clone(), path: self.trash_folder() };
        let old = self.trash_file(file)?.ok_or_else(absent)?;
        // Pieces before it may have gone back since it was listed.
        let is_it = |(other, ..): &(Trashed, String, usize)| {
            (&other.entry.id, other.entry.hash) == (&piece.entry.id, piece.entry.hash)
                && other.trashed == piece.trashed
                && same_head(&other.entry, &piece.entry)
        };
        let (_, _, position) = old.pieces(self).into_iter().find(is_it).ok_or_else(absent)?;
        let clean = self.untrashed(&old, position, None)?;
        let from = piece.entry.extra.iter().find(|(key, _)| key == FROM).map(|(_, from)| from.as_str());
        // A name that a hand wrote there leads nowhere else: it has to be that of a day file.
        let home = from.filter(|from| day_of(from).is_some()).unwrap_or(file).to_owned();
        let is_lost = matches!(piece.why, TrashReason::Deleted | TrashReason::Vanished);
        let clean = match piece.entry.id.as_str() == home {
            true => self.without_head(&home, &piece.entry)?.unwrap_or(clean),
            false => clean,
        };
        let present = match is_gone {
            true => self.present_in(&home, &piece.entry.id)?,
            false => self.present(&home, &piece.entry.id)?,
        };
        let restored = match present {
            None if clean.head.is_empty() => self.restore_headless(&home, &clean)?,
            None => self.append_block(&home, |ending| Ok(clean.block(ending)))?,
            Some(present) if present.entry.hash == piece.entry.hash && same_head(&present.entry, &piece.entry) => {
                present.entry
            }
            Some(present) if present.block().head.is_absent() && is_lost => {
                // Another text is in the file now, under the same name: both stay.
                let name = format!("{}~{}", piece.entry.id, piece.entry.hash.short());
                let headed = self.untrashed(&old, position, Some(&name))?;
                self.append_block(&present.file, |ending| Ok(headed.block(ending)))?
            }
            Some(present) if *present.file == *home => {
                self.keep_in_trash(&present, TrashReason::Edited)?;
                self.put(&present, &clean)?
            }
            Some(present) => {
                let restored = self.append_block(&home, |ending| Ok(clean.block(ending)))?;
                self.keep_in_trash(&present, TrashReason::Moved)?;
                self.take_out(&present)?;
                restored
            }
        };
        let path = self.path_in(FOLDER, file)?;
        self.purge(&path, file, |written, trashed| {
            (&written.entry.id, written.entry.hash) == (&piece.entry.id, piece.entry.hash)
                && trashed.as_deref() == Some(&piece.trashed.written)
                && same_head(&written.entry, &piece.entry)
        })?;
        Ok(restored)
    }

    /// The block of a piece of trash without what the trash added to it, under another id where one is given.
    pub(super) fn untrashed(
        &self,
        trash: &TrashFile,
        position: usize,
        id: Option<&str>,
    ) -> Result<Rewritten, VaultError> {
        let block = &trash.scan.blocks[position];
        let mut lines: Vec<_> = ["trashed", "why", FROM].map(|key| (key.to_owned(), None)).into();
        lines.extend(id.map(|id| ("id".to_owned(), Some(write::quoted_line("id", id)))));
        splice::rewritten(&trash.bytes, block, &Revision { lines, body: None }).map_err(|reason| VaultError::Refused {
            path: self.trash_folder().join(&trash.name),
            line: block.line,
            reason,
        })
    }

    /// The text alone, for a file that it stood in without a head: where there is one now, or nothing but it would stand there.
    /// `None` where it would read otherwise without a head.
    fn without_head(&self, file: &str, entry: &Entry) -> Result<Option<Rewritten>, VaultError> {
        let mut bytes = files::read(&self.day_path(file)?)?.unwrap_or_default();
        let scan = day_file::scan(&bytes);
        let text = Rewritten::of_text(&entry.body);
        match scan.blocks.first() {
            Some(block) if block.head.is_absent() => {
                bytes = splice::replaced(&bytes, &scan, 0, &text).unwrap_or_default()
            }
            Some(_) => return Ok(None),
            None => bytes.extend(text.block(write::Ending::of(&bytes))),
        }
        let read = day_file::entries(&bytes, &day_file::scan(&bytes), &file.into(), &self.reading());
        let same = read.first().is_some_and(|read| read.entry.id.as_str() == file && read.entry.body == entry.body);
        Ok((same && read.len() == scan.blocks.len().max(1)).then_some(text))
    }

    /// Puts a text back into a file that holds nothing (any more) but a title or front matter.
    fn restore_headless(&self, file: &str, text: &Rewritten) -> Result<Entry, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let mut bytes = present.clone().unwrap_or_default();
        bytes.extend(text.block(write::Ending::of(&bytes)));
        let entries = day_file::entries(&bytes, &day_file::scan(&bytes), &file.into(), &self.reading());
        let [only] = entries.as_slice() else {
            return Err(VaultError::Unwritable("its text would be read as more than one entry".to_owned()));
        };
        match present {
            Some(present) if !files::replace_if(&path, &present, &bytes)? => {
                return Err(VaultError::Changed { id: file.into(), path });
            }
            Some(_) => {}
            None => {
                self.make_entries_folder()?;
                if let Some(folder) = path.parent() {
                    files::create_dir(folder)?;
                }
                files::create_new(&path, &bytes)?;
            }
        }
        let scan = day_file::scan(&bytes);
        self.tell_second_copy(self.keep_second_copy(&bytes, &scan.blocks[0], &only.entry));
        Ok(only.entry.clone())
    }

    /// Keeps the last known text of an entry that another program removed or changed. `None` where it is still in the vault, in the
    /// trash already (kioku itself did it, perhaps another one), or was forgotten on purpose.
    pub fn keep_vanished(&self, last_known: &Entry) -> Result<Option<Trashed>, VaultError> {
        let _lock = self.lock()?;
        let file = last_known.place.file.as_ref();
        // A text that only grew, as a note under work in another editor does, has lost nothing.
        let holds = |present: Entry| present.body.starts_with(last_known.body.trim_end());
        let standing = self.find(file, &last_known.id)?.is_some_and(holds);
        if standing { Ok(None) } else { self.trash_vanished(last_known) }
    }

    /// Under the lock, an entry that is in no day file goes to the trash, unless its text is there or was forgotten on purpose.
    pub(super) fn trash_vanished(&self, last_known: &Entry) -> Result<Option<Trashed>, VaultError> {
        let file = last_known.place.file.as_ref();
        if self.is_forgotten(&last_known.id, &last_known.hash)? {
            return Ok(None);
        }
        if let Some(trash) = self.trash_file(&file_in_trash(file))? {
            let entries = day_file::entries(&trash.bytes, &trash.scan, &file.into(), &self.reading());
            let mut kept = entries
                .iter()
                .zip(&trash.scan.blocks)
                .filter(|(kept, _)| kept.entry.hash == last_known.hash && kept.entry.id == last_known.id);
            // An older version of an entry that is gone now was not kept as what was lost.
            let is_of_standing = |why| matches!(why, TrashReason::Edited | TrashReason::Moved);
            let why = |block: &day_file::Block| TrashReason::parse(block.fields(&trash.bytes).why.as_deref());
            let stands = || self.present(file, &last_known.id).map_or(true, |present| present.is_some());
            if kept.any(|(_, block)| !is_of_standing(why(block)) || stands()) {
                return Ok(None);
            }
        }
        let new = NewEntry {
            time: None,
            id: Some(last_known.id.to_string()),
            mood: last_known.mood.clone(),
            tags: last_known.tags.clone(),
            event_time: last_known.event_time.clone(),
            extra: last_known.extra.clone(),
            body: last_known.body.clone(),
        };
        let block = write::block(&new, &self.spelled(&last_known.time)?, last_known.id.as_str(), write::Ending::Lf)?;
        self.trash_block(file, &block, &day_file::scan(&block).blocks[0], &last_known.id, TrashReason::Vanished)?;
        self.newest_trashed(file, &last_known.id)
    }

    /// The piece just put there: reads one file, where [`Vault::trash`] reads all.
    pub(super) fn newest_trashed(&self, file: &str, id: &EntryId) -> Result<Option<Trashed>, VaultError> {
        let pieces = self.trash_file(&file_in_trash(file))?.map(|trash| trash.pieces(self)).unwrap_or_default();
        let newest = pieces.into_iter().map(|(piece, ..)| piece).rfind(|piece| piece.entry.id == *id);
        Ok(newest.map(|piece| Trashed { handle: id.to_string(), ..piece }))
    }

    /// Copies a standing entry into the trash, durably, before it is changed.
    pub(super) fn keep_in_trash(&self, present: &super::edit::Present, why: TrashReason) -> Result<(), VaultError> {
        self.trash_block(&present.file, &present.bytes, present.block(), &present.entry.id, why)
    }

    fn trash_block(
        &self,
        file: &str,
        bytes: &[u8],
        block: &day_file::Block,
        id: &EntryId,
        why: TrashReason,
    ) -> Result<(), VaultError> {
        let now = EntryTime::precise(&self.options().clock.now()).written;
        let mut lines = match block.head.is_absent() {
            true => edit::head_lines(&block.entry(bytes, &file.into(), 0, &self.reading()).entry),
            false => Vec::new(),
        };
        lines.extend([
            ("trashed".to_owned(), Some(write::quoted_line("trashed", &now))),
            ("why".to_owned(), Some(format!("why: {}", why.word()))),
            ("id".to_owned(), Some(write::quoted_line("id", id.as_str()))),
        ]);
        let name = file_in_trash(file);
        // Where an entry goes back to, if not to the file that kioku would write it to.
        lines.extend((name != file).then(|| (FROM.to_owned(), Some(write::quoted_line(FROM, file)))));
        // A text without a head may hold what only an escape keeps from being read as one.
        let body = block.head.is_absent().then(|| &bytes[block.body.clone()]);
        let rewritten = splice::rewritten(bytes, block, &Revision { lines, body }).map_err(|reason| {
            VaultError::Refused { path: self.entries_folder().join(file), line: block.line, reason }
        })?;
        self.make_private(FOLDER)?;
        let path = self.path_in(FOLDER, &name)?;
        let present = files::read(&path)?.unwrap_or_default();
        let ending = write::Ending::of(&present);
        let mut added = if present.is_empty() { write::header(&stem(file)) } else { Vec::new() };
        added.extend(write::separator(if present.is_empty() { &added } else { &present }, ending));
        added.extend(rewritten.block(ending));
        files::append(&path, &added)
    }

    /// The text was written again: from here on its loss is one.
    pub(super) fn remember_again(&self, id: &EntryId, hash: &BodyHash) -> Result<(), VaultError> {
        let name = forgotten_name(id, hash).to_string();
        let is_other = |line: &&[u8]| line.trim_ascii_end() != name.as_bytes();
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

    /// Remembers, as hashes, that these texts are not to come back.
    pub(super) fn note_all_forgotten(&self, texts: &HashSet<(EntryId, BodyHash)>) -> Result<(), VaultError> {
        if texts.is_empty() {
            return Ok(());
        }
        let lines: String = texts.iter().map(|(id, hash)| format!("{}\n", forgotten_name(id, hash))).collect();
        self.append_forgotten(&lines)
    }

    fn append_forgotten(&self, lines: &str) -> Result<(), VaultError> {
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

    /// The lists of all machines, that of an older version and the copies that a sync program made of them.
    fn forgotten_files(&self) -> Result<Vec<String>, VaultError> {
        let mut names = self.listed_in(FOLDER)?;
        names.retain(|name| name.starts_with(FORGOTTEN));
        Ok(names)
    }

    fn trash_files(&self) -> Result<Vec<String>, VaultError> {
        let mut names = self.listed_in(FOLDER)?;
        names.retain(|name| day_of(name).is_some());
        names.sort();
        Ok(names)
    }

    pub(super) fn trash_folder(&self) -> std::path::PathBuf {
        self.options().root.join(FOLDER)
    }

    pub(super) fn trash_file(&self, name: &str) -> Result<Option<TrashFile>, VaultError> {
        let bytes = files::read(&self.path_in(FOLDER, name)?)?;
        Ok(bytes.map(|bytes| TrashFile { name: name.to_owned(), scan: day_file::scan(&bytes), bytes }))
    }

    /// Newest first, with the file and the position there.
    pub(super) fn trashed(&self) -> Result<Vec<(Trashed, String, usize)>, VaultError> {
        let mut pieces = Vec::new();
        for name in self.trash_files()? {
            let Some(file) = self.trash_file(&name)? else { continue };
            pieces.extend(file.pieces(self));
        }
        let newest = |piece: &Trashed| (piece.trashed.at, piece.entry.place.position);
        pieces.sort_by(|(a, file_a, _), (b, file_b, _)| newest(b).cmp(&newest(a)).then_with(|| file_b.cmp(file_a)));
        let mut counts: HashMap<EntryId, usize> = HashMap::new();
        for (piece, ..) in &mut pieces {
            let count = counts.entry(piece.entry.id.clone()).or_default();
            *count += 1;
            piece.handle = if *count == 1 { piece.entry.id.to_string() } else { format!("{}#{count}", piece.entry.id) };
        }
        Ok(pieces)
    }
}

impl TrashFile {
    fn pieces(&self, vault: &Vault) -> Vec<(Trashed, String, usize)> {
        let reading = vault.reading();
        let file = self.name.as_str().into();
        let blocks = self.scan.blocks.iter().enumerate();
        blocks
            .map(|(position, block)| {
                let fields = block.fields(&self.bytes);
                let entry = block.entry(&self.bytes, &file, position, &reading).entry;
                let trashed = fields.trashed.and_then(|trashed| EntryTime::parse(&trashed, &reading.zone));
                let trashed = trashed.unwrap_or_else(|| EntryTime { at: Timestamp::MIN, ..entry.time.clone() });
                let why = TrashReason::parse(fields.why.as_deref());
                (Trashed { handle: String::new(), entry, trashed, why }, self.name.clone(), position)
            })
            .collect()
    }
}

/// Trash is filed by the day alone, whatever the file was called.
pub(super) fn file_in_trash(file: &str) -> String {
    day_of(file).map_or_else(|| file.to_owned(), file_of)
}

fn forgotten_name(id: &EntryId, hash: &BodyHash) -> BodyHash {
    let mut digest = Sha256::new();
    digest.update(id.as_str());
    digest.update(b"\n");
    digest.update(hash.0);
    BodyHash(digest.finalize().into())
}

fn same_head(a: &Entry, b: &Entry) -> bool {
    let head = |entry: &Entry| {
        (entry.time.clone(), entry.mood.clone(), entry.tags.clone(), entry.event_time.clone(), entry.extra.clone())
    };
    head(a) == head(b)
}
