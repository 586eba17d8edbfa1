//! Vanished entries: those that a second copy holds and no day file does, because another program removed or overwrote them.
//!
//! A missing text goes to the trash as vanished, once: its id is closed among the second copies, so that emptying the trash does
//! not bring it back. This is decided under the vault's lock, after reading the day files again.

use std::collections::{HashMap, HashSet};

use super::{
    BodyHash, Entry, EntryId, NewEntry, TrashReason, Trashed, Vault, VaultError, day_file, recent,
    trash::file_in_trash, write,
};

/// What the day files hold at one moment.
struct Standing {
    texts: HashSet<BodyHash>,
    by_id: HashMap<EntryId, Vec<String>>,
    /// Day files that could not be read: what is missing from them may be there.
    unread: HashSet<String>,
}

impl Standing {
    /// Whether the text is in some day file, or may be.
    fn has(&self, copy: &Entry) -> bool {
        self.texts.contains(&copy.hash) || self.unread.contains(copy.place.file.as_ref())
    }

    /// Whether the entry of that name begins with it: text was added below, or the second copy is torn. Nothing is lost.
    fn has_longer(&self, copy: &Entry) -> bool {
        let begins = |body: &String| body.starts_with(copy.body.trim_end());
        self.by_id.get(&copy.id).is_some_and(|bodies| bodies.iter().any(begins))
    }
}

impl Vault {
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

    /// Puts second copies that are in no day file any more into the trash, and returns their number. `suspects`: open copies
    /// that a look at the day files did not find; each is looked for again.
    ///
    /// Nothing is concluded where the folder of the day files is gone.
    pub fn keep_missing(&self, suspects: &[Entry]) -> Result<usize, VaultError> {
        if suspects.is_empty() || !self.entries_folder().is_dir() {
            return Ok(0);
        }
        let _lock = self.lock()?;
        // What was read before the lock may have been half written, closed or edited meanwhile.
        let suspected: HashSet<(&EntryId, BodyHash)> = suspects.iter().map(|copy| (&copy.id, copy.hash)).collect();
        let mut open = self.all_open_copies()?;
        open.retain(|copy| suspected.contains(&(&copy.id, copy.hash)));
        if open.is_empty() {
            return Ok(0);
        }
        let standing = self.standing(&open)?;
        open.retain(|copy| !standing.has(copy));
        let mut kept = 0;
        for copy in open.iter().filter(|copy| !standing.has_longer(copy)) {
            kept += usize::from(self.trash_vanished(copy)?.is_some());
        }
        // The index watches present entries from here on; a text in the trash is not looked for again.
        self.tell_second_copy(recent::close(self, open.iter().map(|copy| &copy.id)));
        Ok(kept)
    }

    /// [`Vault::keep_missing`] of all second copies, for callers without an index.
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
        self.keep_missing(&open)
    }

    fn standing(&self, copies: &[Entry]) -> Result<Standing, VaultError> {
        let ids: HashSet<&EntryId> = copies.iter().map(|copy| &copy.id).collect();
        let mut standing = Standing { texts: HashSet::new(), by_id: HashMap::new(), unread: HashSet::new() };
        for stamp in self.files()? {
            let Ok(day) = self.read_if_there(&stamp.file) else {
                standing.unread.insert(stamp.file.to_string());
                continue;
            };
            for entry in day.into_iter().flat_map(|day| day.entries).map(|written| written.entry) {
                standing.texts.insert(entry.hash);
                if ids.contains(&entry.id) {
                    standing.by_id.entry(entry.id).or_default().push(entry.body);
                }
            }
        }
        Ok(standing)
    }
}
