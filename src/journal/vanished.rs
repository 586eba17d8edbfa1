//! Vanished entries: entries with a second copy that are in no day file, because another program removed or overwrote
//! them.
//!
//! A missing text is saved to the trash once; then its id is closed among the second copies, so that it does not return
//! after the trash is emptied. The decision is made while holding the vault's lock, after reading the day files again:
//! other programs do not use the lock, so an earlier read may have seen a half-written file.

use std::collections::{HashMap, HashSet};

use super::{
    BodyHash, Change, Entry, EntryId, TrashReason, Trashed, Vault, VaultError, day_file, edit::wanted, files, identity,
    recent, sections, trash::file_in_trash, write,
};

/// Index of the texts in the day files at one moment.
struct CurrentTexts {
    texts: HashSet<BodyHash>,
    by_id: HashMap<EntryId, Vec<Entry>>,
    /// Day files that could not be read; they may contain the missing texts.
    unread: HashSet<String>,
}

impl CurrentTexts {
    /// Whether the text is in a day file, or may be in an unreadable one.
    fn has(&self, copy: &Entry) -> bool {
        self.texts.contains(&copy.hash) || self.unread.contains(copy.place.file.as_ref())
    }

    /// The entry of this id whose text begins with the copy: text was appended, or the second copy is torn. Nothing is
    /// lost.
    fn longer(&self, copy: &Entry) -> Option<&Entry> {
        let is_torn = |entry: &&Entry| copy.body.strip_prefix(&entry.body).is_some_and(is_torn_head);
        self.by_id.get(&copy.id)?.iter().find(|entry| entry.begins_with(copy) || is_torn(entry))
    }
}

impl Entry {
    /// Whether this entry's text starts with the other's.
    fn begins_with(&self, other: &Self) -> bool {
        self.body.starts_with(other.body.trim_end())
    }
}

/// Whether this is the beginning of a head, as a kill in mid-write leaves it behind a text.
fn is_torn_head(text: &str) -> bool {
    const HEAD: &str = "---\ntime:";
    let text = text.trim_start();
    HEAD.starts_with(text) || text.starts_with(HEAD) && !text.contains("\n---") && !text.contains("\n\n")
}

/// Result for one entry that the caller did not find in the day files.
#[derive(Debug, PartialEq)]
pub enum Vanished {
    /// It was saved to the trash.
    Trashed(Trashed),
    /// It was already in the trash (perhaps by another kioku process), or was forgotten on purpose.
    Settled,
    /// It is in its day file after all, with this content. The caller's read was half written or outdated.
    Stands(Entry),
}

/// Result for second copies that were not found in the day files.
#[derive(Debug, Default, PartialEq)]
pub struct Missing {
    pub trashed: usize,
    /// Some are in the day files after all, or may be in an unreadable one: the caller must compare again.
    pub some_stand: bool,
}

impl Vault {
    /// Saves the last known text of an entry that another program removed or changed.
    pub fn keep_vanished(&self, last_known: &Entry) -> Result<Vanished, VaultError> {
        let _lock = self.lock()?;
        let file = last_known.place.file.as_ref();
        // A text that only grew (a note being written in another editor) has lost nothing.
        match self.find(file, &last_known.id)? {
            Some(present) if present.begins_with(last_known) => Ok(Vanished::Stands(present)),
            _ => Ok(self.trash_vanished(last_known)?.map_or(Vanished::Settled, Vanished::Trashed)),
        }
    }

    /// Saves an entry that is in no day file to the trash, unless its text is already there or was forgotten on
    /// purpose. The caller holds the lock.
    pub(super) fn trash_vanished(&self, last_known: &Entry) -> Result<Option<Trashed>, VaultError> {
        let file = last_known.place.file.as_ref();
        if self.is_forgotten(&last_known.id, &last_known.hash)? {
            return Ok(None);
        }
        if self.has_in_text(file, last_known)? {
            return Ok(None);
        }
        if let Some(trash) = self.trash_file(&file_in_trash(file))? {
            let entries = day_file::entries(&trash.bytes, &trash.scan, &file.into(), &self.reading());
            // The id of a section may have got a hash since.
            let is_same = |kept: &Entry| {
                kept.hash == last_known.hash && identity::is_id_of(kept.id.as_str(), last_known.id.as_str(), &kept.hash)
            };
            let mut kept = entries.iter().zip(&trash.scan.blocks).filter(|(kept, _)| is_same(&kept.entry));
            // An older version in the trash counts only while the entry itself exists: once the entry is gone, its text
            // must be saved as vanished.
            let is_of_standing = |why| matches!(why, TrashReason::Edited | TrashReason::Moved);
            let why = |block: &day_file::Block| TrashReason::of(block.fields(&trash.bytes).why.as_deref());
            let stands = || self.present(file, &last_known.id).map_or(true, |present| present.is_some());
            if kept.any(|(_, block)| !is_of_standing(why(block)) || stands()) {
                return Ok(None);
            }
        }
        let block = self.block_of(last_known)?;
        self.trash_block(file, &block, &day_file::scan(&block).blocks[0], &last_known.id, TrashReason::Vanished)?;
        self.newest_trashed(file, &last_known.id)
    }

    /// Whether a text without a head is still in its file, as a part of another entry or of several: the file got its
    /// first section, or a heading that is no time.
    fn has_in_text(&self, file: &str, last_known: &Entry) -> Result<bool, VaultError> {
        let text = last_known.body.trim().as_bytes();
        if sections::file_of_id(last_known.id.as_str()) != Some(file) || text.is_empty() {
            return Ok(false);
        }
        let bytes = files::read(&self.day_path(file)?)?.unwrap_or_default();
        let is_whole = |at: usize| {
            let (before, behind) = (bytes[..at].last(), bytes.get(at + text.len()));
            before.is_none_or(u8::is_ascii_whitespace) && behind.is_none_or(|next| matches!(next, b'\r' | b'\n'))
        };
        Ok(bytes.windows(text.len()).enumerate().any(|(at, window)| window == text && is_whole(at)))
    }

    /// Formats an entry as a block.
    fn block_of(&self, entry: &Entry) -> Result<Vec<u8>, VaultError> {
        let new = wanted(entry, entry, &Change::default(), None);
        write::block(&new, &self.spelled(&entry.time)?, entry.id.as_str(), write::Ending::Lf)
    }

    /// Saves second copies that are no longer in a day file to the trash. `suspects` are open copies that a scan of the
    /// day files did not find; each is checked again.
    ///
    /// Does nothing if the folder of the day files is missing.
    pub fn keep_missing(&self, suspects: &[Entry]) -> Result<Missing, VaultError> {
        let mut missing = Missing::default();
        if suspects.is_empty() || !self.entries_folder().is_dir() {
            return Ok(missing);
        }
        let _lock = self.lock()?;
        // The suspects were read before the lock was taken: they may have been half written, or closed or edited since.
        let suspected: HashSet<(&EntryId, BodyHash)> = suspects.iter().map(|copy| (&copy.id, copy.hash)).collect();
        let mut open = self.all_open_copies()?;
        open.retain(|copy| suspected.contains(&(&copy.id, copy.hash)));
        if open.is_empty() {
            return Ok(missing);
        }
        let current = self.current_texts(&open)?;
        let before = open.len();
        open.retain(|copy| !current.has(copy));
        missing.some_stand = open.len() < before;
        let (mut closed, mut longer) = (Vec::new(), Vec::new());
        for copy in &open {
            if let Some(entry) = current.longer(copy) {
                longer.push(self.block_of(entry)?);
            } else {
                missing.trashed += usize::from(self.trash_vanished(copy)?.is_some());
                closed.push(&copy.id);
            }
        }
        // Close the ids of texts that are in the trash. For a text that grew, expect the longer text from now on.
        self.report_second_copy(recent::close(self, closed));
        if !longer.is_empty() {
            self.report_second_copy(recent::keep(self, &longer.join(&b'\n')));
        }
        Ok(missing)
    }

    /// [`Vault::keep_missing`] for all second copies, for callers without an index.
    pub fn keep_all_missing(&self) -> Result<usize, VaultError> {
        let mut open = self.all_open_copies()?;
        if !open.is_empty() && !self.entries_folder().is_dir() {
            return Err(VaultError::FolderGone { path: self.entries_folder().to_path_buf() });
        }
        let mut texts: HashMap<String, HashSet<BodyHash>> = HashMap::new();
        open.retain(|copy| {
            let file = copy.place.file.to_string();
            let of_file = texts.entry(file).or_insert_with_key(|file| {
                let day = self.read_if_there(file).ok().flatten();
                day.into_iter().flat_map(|day| day.entries).map(|written| written.entry.hash).collect()
            });
            !of_file.contains(&copy.hash)
        });
        Ok(self.keep_missing(&open)?.trashed)
    }

    fn current_texts(&self, copies: &[Entry]) -> Result<CurrentTexts, VaultError> {
        let ids: HashSet<&EntryId> = copies.iter().map(|copy| &copy.id).collect();
        let mut current = CurrentTexts { texts: HashSet::new(), by_id: HashMap::new(), unread: HashSet::new() };
        for stamp in self.files()? {
            let Ok(day) = self.read_if_there(&stamp.file) else {
                current.unread.insert(stamp.file.to_string());
                continue;
            };
            for entry in day.into_iter().flat_map(|day| day.entries).map(|written| written.entry) {
                current.texts.insert(entry.hash);
                if ids.contains(&entry.id) {
                    current.by_id.entry(entry.id.clone()).or_default().push(entry);
                }
            }
        }
        Ok(current)
    }
}
