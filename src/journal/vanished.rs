//! Vanished entries: those that a second copy holds and no day file does, because another program removed or overwrote them.
//!
//! A missing text goes to the trash as vanished, once: its id is closed among the second copies, so that emptying the trash does
//! not bring it back. This is decided under the vault's lock, after reading the day files again; other programs know no lock, so what
//! was read before may have been half written, or may be now.

use std::collections::{HashMap, HashSet};

use super::{
    BodyHash, Entry, EntryId, NewEntry, TrashReason, Trashed, Vault, VaultError, day_file, recent,
    trash::file_in_trash, write,
};

/// What the day files hold at one moment.
struct Standing {
    texts: HashSet<BodyHash>,
    by_id: HashMap<EntryId, Vec<Entry>>,
    /// Day files that could not be read: what is missing from them may be there.
    unread: HashSet<String>,
}

impl Standing {
    /// Whether the text is in some day file, or may be.
    fn has(&self, copy: &Entry) -> bool {
        self.texts.contains(&copy.hash) || self.unread.contains(copy.place.file.as_ref())
    }

    /// The entry of that name that begins with it: text was added below, or the second copy is torn. Nothing is lost.
    fn longer(&self, copy: &Entry) -> Option<&Entry> {
        self.by_id.get(&copy.id)?.iter().find(|entry| entry.begins_with(copy))
    }
}

impl Entry {
    /// Whether the text of this entry is that of the other one, or that with more below.
    fn begins_with(&self, other: &Self) -> bool {
        self.body.starts_with(other.body.trim_end())
    }
}

/// What became of an entry of which the caller knew, and which it did not find in the day files.
#[derive(Debug, PartialEq)]
pub enum Vanished {
    /// It is in the trash now.
    Trashed(Trashed),
    /// In the trash already (kioku itself did it, perhaps another one), or forgotten on purpose.
    Settled,
    /// It is in its day file, as here; what the caller read was half written, or is older.
    Stands(Entry),
}

/// What became of second copies that were not found in the day files.
#[derive(Debug, Default, PartialEq)]
pub struct Missing {
    pub trashed: usize,
    /// Some are in the day files after all, or in one that cannot be read: they have to be compared again.
    pub some_stand: bool,
}

impl Vault {
    /// Keeps the last known text of an entry that another program removed or changed.
    pub fn keep_vanished(&self, last_known: &Entry) -> Result<Vanished, VaultError> {
        let _lock = self.lock()?;
        let file = last_known.place.file.as_ref();
        // A text that only grew, as a note under work in another editor does, has lost nothing.
        match self.find(file, &last_known.id)? {
            Some(present) if present.begins_with(last_known) => Ok(Vanished::Stands(present)),
            _ => Ok(self.trash_vanished(last_known)?.map_or(Vanished::Settled, Vanished::Trashed)),
        }
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
        let block = self.block_of(last_known)?;
        self.trash_block(file, &block, &day_file::scan(&block).blocks[0], &last_known.id, TrashReason::Vanished)?;
        self.newest_trashed(file, &last_known.id)
    }

    /// An entry as a block of its own.
    fn block_of(&self, entry: &Entry) -> Result<Vec<u8>, VaultError> {
        let new = NewEntry {
            time: None,
            id: Some(entry.id.to_string()),
            mood: entry.mood.clone(),
            tags: entry.tags.clone(),
            event_time: entry.event_time.clone(),
            extra: entry.extra.clone(),
            body: entry.body.clone(),
        };
        write::block(&new, &self.spelled(&entry.time)?, entry.id.as_str(), write::Ending::Lf)
    }

    /// Puts second copies that are in no day file any more into the trash. `suspects`: open copies that a look at the day files did not
    /// find; each is looked for again.
    ///
    /// Nothing is concluded where the folder of the day files is gone.
    pub fn keep_missing(&self, suspects: &[Entry]) -> Result<Missing, VaultError> {
        let mut missing = Missing::default();
        if suspects.is_empty() || !self.entries_folder().is_dir() {
            return Ok(missing);
        }
        let _lock = self.lock()?;
        // What was read before the lock may have been half written, closed or edited meanwhile.
        let suspected: HashSet<(&EntryId, BodyHash)> = suspects.iter().map(|copy| (&copy.id, copy.hash)).collect();
        let mut open = self.all_open_copies()?;
        open.retain(|copy| suspected.contains(&(&copy.id, copy.hash)));
        if open.is_empty() {
            return Ok(missing);
        }
        let standing = self.standing(&open)?;
        let before = open.len();
        open.retain(|copy| !standing.has(copy));
        missing.some_stand = open.len() < before;
        let (mut closed, mut longer) = (Vec::new(), Vec::new());
        for copy in &open {
            match standing.longer(copy) {
                Some(entry) => longer.push(self.block_of(entry)?),
                None => {
                    missing.trashed += usize::from(self.trash_vanished(copy)?.is_some());
                    closed.push(&copy.id);
                }
            }
        }
        // A text in the trash is not looked for again; one that grew is looked for as it is now.
        self.tell_second_copy(recent::close(self, closed));
        if !longer.is_empty() {
            self.tell_second_copy(recent::keep(self, &longer.join(&b'\n')));
        }
        Ok(missing)
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
        Ok(self.keep_missing(&open)?.trashed)
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
                    standing.by_id.entry(entry.id.clone()).or_default().push(entry);
                }
            }
        }
        Ok(standing)
    }
}
