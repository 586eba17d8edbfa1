//! Scan of the vault: only files whose size or modification time differ from the catalog are read.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use super::{
    Catalog, CatalogEntry, EntryKey, IndexError, Progress, Result,
    catalog::{KeyMap, KeySet},
};
use crate::{
    clock::Clock,
    journal::{
        FileStamp, Notice, NoticeKind, Vault,
        identity::{self, WrittenName},
    },
};

/// A file that changed less than this long before it was read may change again without a newer modification time
/// (file systems have a coarse clock): it is read again at the next scan.
const TICK_NANOS: i128 = 100_000_000;

/// A modification time that equals no file's, so that the file is read again.
const READ_AGAIN: i128 = i128::MIN;

/// Where to look for changes.
#[derive(Debug, Clone, Copy)]
pub enum ScanScope<'a> {
    Everywhere,
    /// Only in these day files, to which entries were appended: other changes are found by the next full scan.
    In(&'a [Arc<str>]),
}

/// Result of a scan.
pub enum ScanOutcome {
    /// Every file has the stamp of its last read.
    Unchanged,
    /// Some stamps are newer, with the same entries.
    Newer(Box<Catalog>),
    Changed(Box<Catalog>),
}

/// Reads what changed since `known` and resolves the names of all entries. Writes nothing. `None` where `progress`
/// returned false.
///
/// A file that cannot be read keeps its known entries and is listed as a notice. A missing day folder is an error if
/// there are known entries, and never means that everything was deleted.
pub fn scan(
    vault: &Vault,
    known: &Catalog,
    look: ScanScope<'_>,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<Option<ScanOutcome>> {
    if known.day_start != vault.options().day_start {
        return scan(vault, &of_other_days(known, vault), ScanScope::Everywhere, progress);
    }
    let (files, unread) = match look {
        ScanScope::Everywhere => with_unreadable(known, vault.files_and_notices()?),
        ScanScope::In(files) => (with_stamps_of(vault, known, files)?, unread_notices(known).cloned().collect()),
    };
    if files.is_empty() && !known.files.is_empty() && !vault.entries_folder().is_dir() {
        return Err(IndexError::FolderGone { path: vault.entries_folder().to_path_buf() });
    }
    let same_unread = unread_notices(known).eq(&unread);
    if files == known.files {
        return Ok(Some(match same_unread {
            true => ScanOutcome::Unchanged,
            false => {
                ScanOutcome::Newer(Box::new(known.with_changes(&[], Vec::new(), files, with_unread(known, unread))))
            }
        }));
    }
    let (stamps, old_notices) = (stamps(known), notices_of_files(known));
    let changed = files.iter().filter(|file| stamps.get(file.file.as_ref()) != Some(file)).count();
    let found = match changed <= FEW {
        true => few_changed(vault, known, &files, &stamps, &old_notices, &unread),
        false => None,
    };
    match (found, look) {
        // An entry that left one file may be in another file now.
        (Some(Few { loses: true, .. }) | None, ScanScope::In(_)) => {
            return scan(vault, known, ScanScope::Everywhere, progress);
        }
        (Some(Few { catalog, says_the_same: true, .. }), _) => return Ok(Some(ScanOutcome::Newer(Box::new(catalog)))),
        (Some(Few { catalog, .. }), _) => return Ok(Some(ScanOutcome::Changed(Box::new(catalog)))),
        (None, ScanScope::Everywhere) => {}
    }
    let mut remembered = by_file(known);
    let mut read = 0;
    let mut blocks: Vec<Arc<CatalogEntry>> = Vec::with_capacity(known.entries().len());
    let mut kept_stamps = Vec::with_capacity(files.len());
    let mut notices = Vec::new();
    for file in &files {
        let of_file = remembered.remove(file.file.as_ref()).unwrap_or_default();
        let before = old_notices.get(file.file.as_ref()).into_iter().flatten().map(|notice| (*notice).clone());
        if stamps.get(file.file.as_ref()) == Some(&file) {
            blocks.extend(of_file);
            notices.extend(before);
            kept_stamps.push(file.clone());
            continue;
        }
        read += 1;
        if read % 64 == 0 && !progress(Progress { what: "reading", done: read, of: changed }) {
            return Ok(None);
        }
        match vault.read(&file.file) {
            Ok(day) => {
                blocks.extend(day.entries.iter().map(|written| Arc::new(CatalogEntry::of_written(written))));
                notices.extend(day.notices);
                kept_stamps.push(settled(day.stamp));
            }
            Err(error) => {
                blocks.extend(of_file);
                notices.push(Notice {
                    file: file.file.clone(),
                    line: 1,
                    kind: NoticeKind::Unreadable,
                    message: error.to_string(),
                });
                kept_stamps.push(FileStamp { modified: READ_AGAIN, ..file.clone() });
            }
        }
    }
    let mut catalog = named(blocks, kept_stamps, notices, unread);
    catalog.day_start = known.day_start;
    Ok(Some(ScanOutcome::Changed(Box::new(catalog))))
}

/// A catalog whose files are all read again, because `day_start` was changed since they were read.
fn of_other_days(known: &Catalog, vault: &Vault) -> Catalog {
    let files = known.files.iter().map(|stamp| FileStamp { modified: READ_AGAIN, ..stamp.clone() }).collect();
    let mut catalog = known.with_changes(&[], Vec::new(), files, known.notices.clone());
    catalog.day_start = vault.options().day_start;
    catalog
}

/// `known` with the entries appended since, given the result of [`Vault::files_and_notices`]; reads only changed
/// files. `None` where an entry was deleted or edited, or where so many files differ that the index has to be synced.
pub(super) fn with_additions(
    vault: &Vault,
    known: Catalog,
    listed: (Vec<FileStamp>, Vec<Notice>),
) -> Result<Option<Catalog>> {
    if known.day_start != vault.options().day_start {
        return Ok(None);
    }
    let (files, unread) = with_unreadable(&known, listed);
    if files != known.files {
        if differing(&known, &files) > FEW {
            return Ok(None);
        }
        let (stamps, old_notices) = (stamps(&known), notices_of_files(&known));
        let few = few_changed(vault, &known, &files, &stamps, &old_notices, &unread);
        return Ok(few.filter(|few| !few.loses).map(|few| few.catalog));
    }
    Ok(Some(match unread_notices(&known).eq(&unread) {
        true => known,
        false => known.with_changes(&[], Vec::new(), files, with_unread(&known, unread)),
    }))
}

/// A listing with the known files of the folders that it could not read: these are not deleted.
fn with_unreadable(
    known: &Catalog,
    (mut files, unread): (Vec<FileStamp>, Vec<Notice>),
) -> (Vec<FileStamp>, Vec<Notice>) {
    let is_below = |file: &str, folder: &str| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let folders: Vec<&Notice> = unread.iter().filter(|notice| notice.kind == NoticeKind::UnreadableFolder).collect();
    if !folders.is_empty() {
        let kept = |of: &&FileStamp| folders.iter().any(|folder| is_below(&of.file, &folder.file));
        files.extend(known.files.iter().filter(kept).cloned());
        files.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    }
    (files, unread)
}

/// Whether a notice is about files that are not read at all.
fn is_unread(notice: &Notice) -> bool {
    matches!(notice.kind, NoticeKind::ConflictCopy | NoticeKind::Undated | NoticeKind::UnreadableFolder)
}

fn unread_notices(known: &Catalog) -> impl Iterator<Item = &Notice> {
    known.notices.iter().filter(|notice| is_unread(notice))
}

/// The notices of a catalog, with those about unread files replaced.
fn with_unread(known: &Catalog, unread: Vec<Notice>) -> Vec<Notice> {
    known.notices.iter().filter(|notice| !is_unread(notice)).cloned().chain(unread).collect()
}

/// The known stamps of all files, with those of some files read again.
fn with_stamps_of(vault: &Vault, known: &Catalog, look: &[Arc<str>]) -> Result<Vec<FileStamp>> {
    let mut files = known.files.clone();
    for file in look {
        let place = files.binary_search_by(|stamp| stamp.file.cmp(file));
        match (place, vault.stamp(file)?) {
            (Ok(place), Some(stamp)) => files[place] = stamp,
            (Ok(place), None) => drop(files.remove(place)),
            (Err(place), Some(stamp)) => files.insert(place, stamp),
            (Err(_), None) => {}
        }
    }
    Ok(files)
}

/// With more changed files than this, progress is reported and the names of all entries are resolved again.
pub(super) const FEW: usize = 64;

/// Result of a change of few files.
struct Few {
    catalog: Catalog,
    /// An entry was deleted or edited.
    loses: bool,
    /// No entry and no notice changed.
    says_the_same: bool,
}

/// A catalog with the changed files replaced, where few files differ and no name in them is shared with another
/// entry. Gives the same result as resolving all names again, without a pass over all entries.
fn few_changed(
    vault: &Vault,
    known: &Catalog,
    files: &[FileStamp],
    stamps: &HashMap<&str, &FileStamp>,
    old_notices: &HashMap<&str, Vec<&Notice>>,
    unread: &[Notice],
) -> Option<Few> {
    let differs = |file: &FileStamp| stamps.get(file.file.as_ref()) != Some(&file);
    let unchanged: HashSet<&str> = files.iter().filter(|file| !differs(file)).map(|file| file.file.as_ref()).collect();
    let is_touched = |file: &str| !unchanged.contains(file);
    // Which of several copies is the entry can be decided only over all of them.
    if known.copies().iter().any(|copy| is_touched(&copy.place.file)) {
        return None;
    }
    let (mut new, mut kept_stamps, mut notices) = (Vec::new(), Vec::with_capacity(files.len()), Vec::new());
    for file in files {
        if differs(file) {
            // A file that cannot be read keeps its known entries; the full scan handles that.
            let day = vault.read(&file.file).ok()?;
            new.extend(day.entries.iter().map(|written| Arc::new(CatalogEntry::of_written(written))));
            notices.extend(day.notices);
            kept_stamps.push(settled(day.stamp));
        } else {
            notices.extend(old_notices.get(file.file.as_ref()).into_iter().flatten().copied().cloned());
            kept_stamps.push(file.clone());
        }
    }
    notices.extend(known.notices.iter().filter(|notice| notice.kind == NoticeKind::SameId).cloned());
    notices.extend(unread.iter().cloned());
    let gone = known.rows_in(is_touched);
    let goes = |row: u32| gone.binary_search(&row).is_ok();
    let alone = |entry: &CatalogEntry| entry.shared_names().next().is_none() && !known.is_shared(entry.written_name());
    let mut names = HashSet::new();
    let free = |entry: &Arc<CatalogEntry>| known.row(entry.key).is_none_or(goes) && names.insert(entry.key);
    let settled = gone.iter().all(|row| alone(&known.entries()[*row as usize])) && new.iter().all(|new| alone(new));
    if !(settled && new.iter().all(free)) {
        return None;
    }
    let now: HashMap<EntryKey, &CatalogEntry> = new.iter().map(|entry| (entry.key, entry.as_ref())).collect();
    let before = || gone.iter().map(|row| known.entries()[*row as usize].as_ref());
    let stays = |entry: &CatalogEntry| now.get(&entry.key).is_some_and(|now| now.fingerprint == entry.fingerprint);
    let loses = !before().all(stays);
    let same = |entry: &CatalogEntry| now.get(&entry.key).is_some_and(|now| *now == entry);
    let says_the_same = now.len() == gone.len() && before().all(same) && notices == known.notices;
    Some(Few { catalog: known.with_changes(&gone, new, kept_stamps, notices), loses, says_the_same })
}

/// Number of files whose stamp changed.
pub fn differing(known: &Catalog, files: &[FileStamp]) -> usize {
    let stamps = stamps(known);
    let same = files.iter().filter(|file| stamps.get(file.file.as_ref()) == Some(file)).count();
    files.len().max(stamps.len()) - same
}

fn stamps(known: &Catalog) -> HashMap<&str, &FileStamp> {
    known.files.iter().map(|stamp| (stamp.file.as_ref(), stamp)).collect()
}

/// The notices of each file. Duplicate ids are found again each time.
fn notices_of_files(known: &Catalog) -> HashMap<&str, Vec<&Notice>> {
    let mut notices: HashMap<&str, Vec<&Notice>> = HashMap::new();
    for notice in known.notices.iter().filter(|notice| notice.kind != NoticeKind::SameId && !is_unread(notice)) {
        notices.entry(notice.file.as_ref()).or_default().push(notice);
    }
    notices
}

/// Final names for blocks in file order; repeated blocks become copies.
fn named(
    mut blocks: Vec<Arc<CatalogEntry>>,
    files: Vec<FileStamp>,
    mut notices: Vec<Notice>,
    unread: Vec<Notice>,
) -> Catalog {
    // A backup beside a day file has a longer name, and must not be taken for the entries themselves.
    blocks.sort_by_key(|block| block.place.file.len());
    let written_names: Vec<WrittenName<'_>> = blocks
        .iter()
        .map(|block| WrittenName {
            written: block.written_name(),
            has_id: block.has_id,
            hash: block.hash,
            time: &block.time.written,
        })
        .collect();
    let names = identity::resolve(&written_names);
    drop(written_names);
    let mut entries = Vec::with_capacity(blocks.len());
    let mut copies = Vec::new();
    let mut taken = KeySet::default();
    for (block, name) in blocks.into_iter().zip(names) {
        let Some(name) = name else {
            copies.push(block);
            continue;
        };
        if block.has_id && name.as_str() != block.written_name() {
            notices.push(Notice {
                file: block.place.file.clone(),
                line: 1,
                kind: NoticeKind::SameId,
                message: format!(
                    "two entries have the id {}; this one is shown as {name}. \
                     Delete one of them, or edit this one, which then keeps that id",
                    block.written_name()
                ),
            });
        }
        let entry = if name == block.id { block } else { Arc::new(block.renamed(name)) };
        // Two ids whose hashes collide in 64 bits: practically impossible, but handled.
        if taken.insert(entry.key) {
            entries.push(entry);
        } else {
            copies.push(entry);
        }
    }
    notices.extend(notices_of_copies(&entries, &copies));
    notices.extend(unread);
    Catalog::new(entries, files, notices).with_copies(copies)
}

/// A notice for each file with copies of entries in other files, which come to light when those are changed.
fn notices_of_copies(entries: &[Arc<CatalogEntry>], copies: &[Arc<CatalogEntry>]) -> impl Iterator<Item = Notice> {
    let content = |entry: &Arc<CatalogEntry>| (entry.hash, entry.time.at, entry.place.file.clone());
    let shown: HashSet<_> = entries.iter().filter(|_| !copies.is_empty()).map(content).collect();
    let copies = copies.iter().filter(|copy| !shown.contains(&content(copy)));
    let files: BTreeSet<Arc<str>> = copies.map(|copy| copy.place.file.clone()).collect();
    let message = "holds entries of another file, shown once; deleting or editing one there leaves the copy here";
    let kind = NoticeKind::SameId;
    files.into_iter().map(move |file| Notice { file, line: 1, kind, message: message.to_owned() })
}

/// The known blocks of each file, in position order.
fn by_file(known: &Catalog) -> HashMap<Arc<str>, Vec<Arc<CatalogEntry>>> {
    let mut files: HashMap<Arc<str>, Vec<Arc<CatalogEntry>>> = HashMap::new();
    for entry in known.entries().iter().chain(known.copies()) {
        files.entry(entry.place.file.clone()).or_default().push(entry.clone());
    }
    for blocks in files.values_mut() {
        blocks.sort_by_key(|block| block.place.position);
    }
    files
}

/// The stamp to compare with at the next scan; for a very recent change one that never matches.
pub(super) fn settled(stamp: FileStamp) -> FileStamp {
    if Clock::wall_nanos() - stamp.modified < TICK_NANOS { FileStamp { modified: READ_AGAIN, ..stamp } } else { stamp }
}

/// The entries that a store has to remove and to ingest, to match `wanted`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    pub remove: Vec<EntryKey>,
    pub ingest: Vec<EntryKey>,
}

impl Difference {
    pub fn is_empty(&self) -> bool {
        self.remove.is_empty() && self.ingest.is_empty()
    }

    /// Adds unchanged entries that must be ingested again.
    pub fn ingest_again(&mut self, keys: Vec<EntryKey>) {
        let known: HashSet<EntryKey> = self.ingest.iter().copied().collect();
        let more: Vec<EntryKey> = keys.into_iter().filter(|key| !known.contains(key)).collect();
        self.remove.extend(&more);
        self.ingest.extend(more);
    }

    fn compare(&mut self, key: EntryKey, known: Option<u64>, state: u64) {
        if known != Some(state) {
            self.remove.extend(known.map(|_| key));
            self.ingest.push(key);
        }
    }
}

/// The differences between two catalogs. Both are read in the order of their keys, without decoding entries.
pub fn changes(known: &Catalog, wanted: &Catalog) -> Difference {
    let mut difference = Difference::default();
    let mut before = known.states().peekable();
    for (key, state) in wanted.states() {
        while let Some((gone, _)) = before.next_if(|(other, _)| *other < key) {
            difference.remove.push(gone);
        }
        difference.compare(key, before.next_if(|(other, _)| *other == key).map(|(_, known)| known), state);
    }
    difference.remove.extend(before.map(|(key, _)| key));
    difference
}

/// The differences of a store to a catalog. `states`: the fingerprint that each entry of the catalog has in this store.
pub fn difference(
    fingerprints: &KeyMap<u64>,
    wanted: &Catalog,
    states: impl Iterator<Item = (EntryKey, u64)>,
) -> Difference {
    let mut difference = Difference::default();
    for (key, state) in states {
        difference.compare(key, fingerprints.get(&key).copied(), state);
    }
    difference.remove.extend(fingerprints.keys().filter(|key| wanted.row(**key).is_none()));
    difference
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
