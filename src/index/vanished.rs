//! Entries that another program removed or changed: those that the catalog, the word index or a second copy has and
//! no day file.
//!
//! These three sources cover different times. The catalog is saved with a checkpoint; the word index has what was
//! committed since; second copies have what kioku wrote and has not indexed yet. Missing entries are moved to the
//! trash with their last known text.

use std::collections::HashSet;

use super::{
    Catalog, CatalogEntry, EntryKey, Index, IndexError, Progress, Result, ScanScope, SyncReport,
    catalog::KeyMap,
    scan::{self, ScanOutcome},
    sync::{READ_TRIES, vanished_warning},
};
use crate::journal::{BodyHash, Entry, FileStamp, Vanished, Vault};

/// Second copies that were not compared with the day files yet.
pub(super) struct Copies {
    entries: Vec<Entry>,
    /// The stamps of all second copies, from before these were read.
    stamps: Vec<FileStamp>,
}

impl Index {
    /// The second copies in files that changed since the last comparison; `None` where there is nothing to compare.
    ///
    /// # Errors
    /// There are copies of entries, and no folder of day files, so the entries cannot be compared.
    pub(super) fn unseen_copies(&self, vault: &Vault, look: ScanScope<'_>) -> Result<Option<Copies>> {
        if matches!(look, ScanScope::In(_)) {
            return Ok(None);
        }
        // Errors are ignored here: a second copy that cannot be read must not stop the scan, and `keep` reports it
        // when it writes the next one. Only the process that writes the index does this.
        if !self.read_only() {
            let _ = vault.take_over_recent(&self.copies_seen);
        }
        let Ok(Some(stamps)) = vault.recent_files() else { return Ok(None) };
        if stamps == self.copies_seen {
            return Ok(None);
        }
        let changed = stamps.iter().filter(|stamp| !self.copies_seen.contains(stamp)).map(|stamp| stamp.file.as_ref());
        let Ok(entries) = vault.open_copies(changed) else { return Ok(None) };
        if !entries.is_empty() && !vault.entries_folder().is_dir() {
            return Err(IndexError::FolderGone { path: vault.entries_folder().to_path_buf() });
        }
        Ok(Some(Copies { entries, stamps }))
    }

    /// Moves second copies that are in no day file to the trash. `now`: the catalog of the day files; if `None`, the
    /// current catalog, which then covers everything compared. Returns the stamps of the second copies that are
    /// compared now.
    pub(super) fn keep_missing(
        &mut self,
        vault: &Vault,
        now: Option<&Catalog>,
        copies: Option<Copies>,
        report: &mut SyncReport,
    ) -> Vec<FileStamp> {
        let Some(Copies { mut entries, stamps }) = copies else { return self.copies_seen.clone() };
        // The process that writes the index does it.
        if self.read_only() {
            return Vec::new();
        }
        let catalog = now.unwrap_or(&self.catalog);
        let same = |copy: &Entry| catalog.by_id(&copy.id).is_some_and(|known| known.hash == copy.hash);
        entries.retain(|copy| !same(copy));
        if !entries.is_empty() {
            let standing = texts_of(catalog);
            entries.retain(|copy| !standing.contains(&copy.hash));
        }
        match vault.keep_missing(&entries) {
            Ok(missing) => {
                report.vanished += missing.trashed;
                // They were added to the day files after those were read: the catalog does not have them, so it could
                // not notice if they vanish.
                if missing.some_stand {
                    return self.copies_seen.clone();
                }
                if now.is_none() {
                    self.copies_seen.clone_from(&stamps);
                }
                stamps
            }
            Err(error) => {
                report
                    .warnings
                    .push(format!("entries that another program removed were not put into the trash: {error}"));
                self.copies_seen.clone()
            }
        }
    }

    /// Moves entries that only the index has to the trash, for a caller that is about to delete the index. Returns a
    /// warning for the user. An index that cannot be read has no such entries.
    ///
    /// # Errors
    /// The folder of the day files is missing.
    pub fn keep_before_rebuild(
        &mut self,
        vault: &Vault,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Option<String>> {
        let mut report = SyncReport::default();
        for _ in 0..READ_TRIES {
            match self.keep_remembered(vault, &mut report, progress) {
                Ok(false) => {}
                Err(error @ IndexError::FolderGone { .. }) => return Err(error),
                Ok(true) | Err(_) => break,
            }
        }
        Ok(vanished_warning(report.vanished))
    }

    /// False where the day files have to be read again.
    fn keep_remembered(
        &mut self,
        vault: &Vault,
        report: &mut SyncReport,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<bool> {
        self.commit()?;
        let Some(outcome) = scan::scan(vault, &self.catalog, ScanScope::Everywhere, progress)? else { return Ok(true) };
        let now = match outcome {
            ScanOutcome::Unchanged => self.catalog.clone(),
            ScanOutcome::Newer(catalog) | ScanOutcome::Changed(catalog) => catalog.into(),
        };
        let differs = scan::changes(&self.catalog, &now).remove;
        let fingerprints = self.word_fingerprints()?;
        self.keep_vanished(vault, &now, &differs, fingerprints.as_ref(), report)
    }

    /// Moves entries that are in the catalog or the word index and in no day file to the trash. `differs`: the
    /// entries of the catalog that were deleted or changed. `fingerprints`: the contents of the word index, where it may
    /// differ from the catalog.
    ///
    /// False where some entries are in their day files after all, and `now` does not have their texts: the files were
    /// half written when they were read, and have to be read again before anything is removed.
    pub(super) fn keep_vanished(
        &self,
        vault: &Vault,
        now: &Catalog,
        differs: &[EntryKey],
        fingerprints: Option<&KeyMap<u64>>,
        report: &mut SyncReport,
    ) -> Result<bool> {
        let differing = fingerprints
            .map(|fingerprints| scan::difference(fingerprints, now, now.states()).remove)
            .unwrap_or_default();
        // Where word index and catalog have different states of an entry, the word index has the newer one.
        let is_newer = |key: &EntryKey| {
            let print = self.catalog.by_key(*key).map(|known| known.fingerprint);
            fingerprints.is_some_and(|fingerprints| {
                fingerprints.get(key).is_some_and(|fingerprints| Some(*fingerprints) != print)
            })
        };
        let ahead: Vec<EntryKey> = differing.into_iter().filter(is_newer).collect();
        let mut rows: Vec<u32> =
            differs.iter().filter(|key| !is_newer(key)).filter_map(|key| self.catalog.row(*key)).collect();
        rows.sort_unstable();
        let mut gone: Vec<&CatalogEntry> =
            rows.iter().map(|row| self.catalog.entries()[*row as usize].as_ref()).collect();
        gone.retain(|entry| now.by_key(entry.key).is_none_or(|now| now.hash != entry.hash));
        if gone.is_empty() && ahead.is_empty() {
            return Ok(true);
        }
        // A text that is in another place now was moved, not removed.
        let standing = texts_of(now);
        gone.retain(|entry| !standing.contains(&entry.hash));
        let keys: Vec<EntryKey> = gone.iter().map(|entry| entry.key).collect();
        let texts = self.texts(&keys)?;
        let known = gone.iter().zip(texts).filter_map(|(entry, text)| Some(entry.with_body(text?)));
        let stored = self.words.view().entries(&ahead)?;
        let last_known = known.chain(stored.into_iter().filter(|entry| !standing.contains(&entry.hash)));
        let mut is_settled = true;
        for entry in last_known {
            match vault.keep_vanished(&entry)? {
                Vanished::Trashed(_) => report.vanished += 1,
                Vanished::Settled => {}
                Vanished::Stands(present) => is_settled &= standing.contains(&present.hash),
            }
        }
        Ok(is_settled)
    }
}

fn texts_of(catalog: &Catalog) -> HashSet<BodyHash> {
    catalog.entries().iter().chain(catalog.copies()).map(|entry| entry.hash).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        index::testing::open,
        journal::{NewEntry, TrashReason},
    };

    fn add(vault: &Vault, body: &str) -> Entry {
        vault.append(NewEntry { body: body.to_owned(), ..NewEntry::default() }).unwrap()
    }

    fn trashed(vault: &Vault) -> Vec<(String, TrashReason)> {
        vault.trash().unwrap().into_iter().map(|piece| (piece.entry.body, piece.why)).collect()
    }

    /// The result of a scan while an editor has written half of a day file, which is complete again afterwards.
    fn scan_half(vault: &Vault, known: &Catalog, file: &str) -> Catalog {
        let path = vault.entries_folder().join(file);
        let whole = fs::read(&path).unwrap();
        let half = whole.windows(3).rposition(|bytes| bytes == b"---").unwrap();
        let half = whole[..half].windows(3).rposition(|bytes| bytes == b"---").unwrap();
        // Without the blank line between the two.
        fs::write(&path, &whole[..half - 1]).unwrap();
        let found = scan::scan(vault, known, ScanScope::Everywhere, &mut |_| true).unwrap();
        fs::write(&path, &whole).unwrap();
        match found {
            Some(ScanOutcome::Newer(catalog) | ScanOutcome::Changed(catalog)) => *catalog,
            _ => panic!("nothing is seen of a file that was cut"),
        }
    }

    #[test]
    fn what_came_back_while_the_files_were_read_is_compared_again() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        add(&vault, "Fog.");
        let rain = add(&vault, "Rain.");
        let copies = index.unseen_copies(&vault, ScanScope::Everywhere).unwrap();
        let now = scan_half(&vault, &Catalog::default(), &rain.place.file);
        assert_eq!(now.entries().len(), 1);
        let mut report = SyncReport::default();
        let seen = index.keep_missing(&vault, Some(&now), copies, &mut report);
        assert_eq!((seen, report.vanished), (Vec::new(), 0), "the catalog cannot miss what it does not know");
        index.sync(&vault, &mut |_| true).unwrap();
        assert!(!index.copies_seen.is_empty() && trashed(&vault).is_empty());
    }

    #[test]
    fn what_stands_all_the_same_has_the_files_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        add(&vault, "Fog.");
        let rain = add(&vault, "Rain.");
        index.sync(&vault, &mut |_| true).unwrap();
        let now = scan_half(&vault, &index.catalog, &rain.place.file);
        let differs = scan::changes(&index.catalog, &now).remove;
        let mut report = SyncReport::default();
        assert!(!index.keep_vanished(&vault, &now, &differs, None, &mut report).unwrap());
        assert!(index.keep_vanished(&vault, &index.catalog.clone(), &differs, None, &mut report).unwrap());
        assert!(trashed(&vault).is_empty());
        fs::write(vault.entries_folder().join(rain.place.file.as_ref()), "").unwrap();
        assert!(index.keep_vanished(&vault, &now, &differs, None, &mut report).unwrap());
        assert_eq!((trashed(&vault), report.vanished), (vec![("Rain.".to_owned(), TrashReason::Vanished)], 1));
    }
}
