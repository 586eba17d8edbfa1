//! Entries that another program removed or overwrote: what the second copies hold and no day file does.
//!
//! A text that is missing goes to the trash as vanished, once: its id is closed among the second copies, so that emptying the trash
//! does not bring it back. All is decided under the vault's lock, with the day files read again.

use std::collections::{HashMap, HashSet};

use super::{BodyHash, Entry, EntryId, Vault, VaultError, recent};

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
    /// Puts second copies that are in no day file any more into the trash, and answers how many went there. `suspects`: open copies
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
        // From here on the index watches over what stands; what is in the trash is not looked for again.
        self.tell_second_copy(recent::close(self, open.iter().map(|copy| &copy.id)));
        Ok(kept)
    }

    /// [`Vault::keep_missing`] of all second copies, for who has no index at hand.
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
