//! Merge of an entry that one device moved to another day and another device edited.
//!
//! The merge driver sees one file at a time: it keeps the edited entry on its old day and the moved one on the new day.
//! Afterwards both are merged with their common ancestor into one, on the new day. Both versions go to the trash. If they
//! changed the same line, both entries stay.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    EntryId, TrashReason, Vault, VaultError, day_file,
    git::Git,
    merge::merge,
    present::Present,
    splice::{self, Revision},
};

impl Vault {
    /// The entries that several day files have, with these: an id belongs to one entry. Reads all day files that can be
    /// read.
    pub(super) fn on_several_days(&self) -> Result<BTreeSet<(EntryId, Vec<String>)>, VaultError> {
        let mut places: BTreeMap<EntryId, BTreeSet<String>> = BTreeMap::new();
        for stamp in self.files()? {
            for written in self.read(&stamp.file).into_iter().flat_map(|day| day.entries) {
                places.entry(written.entry.id).or_default().insert(stamp.file.to_string());
            }
        }
        let several = places.into_iter().filter(|(_, files)| files.len() > 1);
        Ok(several.map(|(id, files)| (id, Vec::from_iter(files))).collect())
    }

    /// Whether a commit has the entry in all of these files.
    pub(super) fn had_all(&self, git: &Git<'_>, commit: &str, entry: &(EntryId, Vec<String>)) -> bool {
        entry.1.iter().all(|file| self.version(git, commit, &entry.0, file).is_some())
    }

    /// The bytes of an entry in a file of a commit.
    fn version(&self, git: &Git<'_>, commit: &str, id: &EntryId, file: &str) -> Option<Vec<u8>> {
        let folder = if self.entries_folder() == self.options().root { "" } else { "memory/" };
        let bytes = git.blob(&format!("{commit}:{folder}{file}")).ok()?;
        let entry = self.entries_in(&bytes, file).into_iter().find(|written| written.entry.id == *id)?.entry;
        Some(bytes[entry.place.bytes].to_vec())
    }

    /// Merges the two entries of an id into the one that was moved; `false` if both stay. `base` is the common ancestor
    /// of the commits that were merged.
    pub(super) fn join_moved(
        &self,
        git: &Git<'_>,
        base: &str,
        (id, files): &(EntryId, Vec<String>),
    ) -> Result<bool, VaultError> {
        let [one, other] = files.as_slice() else { return Ok(false) };
        let (from, to, was) = match [one, other].map(|file| self.version(git, base, id, file)) {
            [Some(was), None] => (one, other, was),
            [None, Some(was)] => (other, one, was),
            _ => return Ok(false),
        };
        let _lock = self.lock()?;
        let (Some(edited), Some(moved)) = (self.present_in(from, id)?, self.present_in(to, id)?) else {
            return Ok(false);
        };
        let block = |present: &Present| present.bytes[present.block().range()].to_vec();
        let merged = merge(&was, &block(&edited), &block(&moved));
        let scan = day_file::scan_heads(&merged.bytes);
        if merged.has_markers || !merged.clashes.is_empty() || scan.blocks.len() != 1 {
            return Ok(false);
        }
        let new = splice::rewritten(&merged.bytes, &scan.blocks[0], &Revision::default());
        let new = new.map_err(|reason| self.refused(&moved, reason))?;
        self.keep_in_trash(&moved, TrashReason::Edited)?;
        self.put(&moved, &new)?;
        self.keep_in_trash(&edited, TrashReason::Moved)?;
        self.take_out(&edited)?;
        Ok(true)
    }
}
