//! The list of entries the index knows, in time order: the common language of the three stores.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

use jiff::civil;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::journal::{BodyHash, Entry, EntryId, EntryTime, FileStamp, Notice, Place};

/// Names an entry inside the index: the first eight bytes of SHA-256 of its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryKey(pub u64);

impl EntryKey {
    pub fn of(id: &EntryId) -> Self {
        Self(first_eight(&Sha256::digest(id.as_str())))
    }
}

fn first_eight(digest: &[u8]) -> u64 {
    digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Keys are hashes already: hashing them again would only cost time.
#[derive(Debug, Default, Clone)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = first_eight(bytes);
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A map by entry.
pub type KeyMap<T> = HashMap<EntryKey, T, BuildHasherDefault<KeyHasher>>;

/// What the index remembers of an entry, apart from its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CatalogEntry {
    pub key: EntryKey,
    pub id: EntryId,
    pub time: EntryTime,
    pub day: civil::Date,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    pub event_time: Option<String>,
    pub starred: bool,
    pub words: u32,
    pub place: Place,
    pub hash: BodyHash,
    /// Changes whenever anything that is indexed of the entry changes.
    pub fingerprint: u64,
}

/// All entries of a vault in time order, with the files they come from.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Vec<CatalogEntry>,
    by_key: KeyMap<u32>,
    pub files: Vec<FileStamp>,
    pub notices: Vec<Notice>,
}

impl Catalog {
    /// Sorts by instant, then file and position: the order every list of entries has.
    pub fn new(mut entries: Vec<CatalogEntry>, files: Vec<FileStamp>, notices: Vec<Notice>) -> Self {
        entries.sort_by(|a, b| {
            (a.time.at, &a.place.file, a.place.position).cmp(&(b.time.at, &b.place.file, b.place.position))
        });
        let by_key = entries.iter().enumerate().map(|(row, entry)| (entry.key, row as u32)).collect();
        Self { entries, by_key, files, notices }
    }

    pub fn entries(&self) -> &[CatalogEntry] {
        &self.entries
    }

    /// Position in [`Catalog::entries`]: dense, in time order.
    pub fn row(&self, key: EntryKey) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub fn by_key(&self, key: EntryKey) -> Option<&CatalogEntry> {
        self.row(key).map(|row| &self.entries[row as usize])
    }

    pub fn by_id(&self, id: &EntryId) -> Option<&CatalogEntry> {
        self.by_key(EntryKey::of(id)).filter(|entry| entry.id == *id)
    }

    /// The rows of one day (time order), by binary search.
    pub fn day(&self, day: civil::Date) -> impl Iterator<Item = &CatalogEntry> {
        // `day_start` and travel across zones can put a day's entries up to two days from its own instants.
        let lowest = day.checked_sub(jiff::Span::new().days(2)).unwrap_or(day);
        let start = self.entries.partition_point(|entry| entry.time.local().date() < lowest);
        let highest = day.checked_add(jiff::Span::new().days(3)).unwrap_or(day);
        self.entries[start..]
            .iter()
            .take_while(move |entry| entry.time.local().date() <= highest)
            .filter(move |entry| entry.day == day)
    }
}

impl CatalogEntry {
    /// What the index keeps of `entry`.
    pub fn of(entry: &Entry) -> Self {
        let mut digest = Sha256::new();
        for part in [
            entry.id.as_str(),
            &entry.time.written,
            entry.mood.as_deref().unwrap_or("\0"),
            entry.event_time.as_deref().unwrap_or("\0"),
        ] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        for tag in &entry.tags {
            digest.update((tag.len() as u64).to_le_bytes());
            digest.update(tag);
        }
        digest.update(entry.day.to_string());
        digest.update(entry.hash.0);
        digest.update([u8::from(entry.starred())]);
        Self {
            key: EntryKey::of(&entry.id),
            id: entry.id.clone(),
            time: entry.time.clone(),
            day: entry.day,
            mood: entry.mood.clone(),
            tags: entry.tags.clone(),
            event_time: entry.event_time.clone(),
            starred: entry.starred(),
            words: entry.body.split_whitespace().count() as u32,
            place: entry.place.clone(),
            hash: entry.hash,
            fingerprint: first_eight(&digest.finalize()),
        }
    }
}

/// The entries a search may return: every leg looks only inside.
#[derive(Debug, Clone)]
pub struct Scope {
    catalog: Arc<Catalog>,
    /// One bit a row; `None` allows all.
    rows: Option<Arc<Vec<u64>>>,
    len: usize,
}

impl Scope {
    pub fn all(catalog: Arc<Catalog>) -> Self {
        let len = catalog.entries().len();
        Self { catalog, rows: None, len }
    }

    /// Only the entries that pass.
    pub fn filtered(catalog: Arc<Catalog>, passes: impl Fn(&CatalogEntry) -> bool) -> Self {
        let mut rows = vec![0u64; catalog.entries().len().div_ceil(64)];
        let mut len = 0;
        for (row, _) in catalog.entries().iter().enumerate().filter(|(_, entry)| passes(entry)) {
            rows[row / 64] |= 1 << (row % 64);
            len += 1;
        }
        Self { catalog, rows: Some(Arc::new(rows)), len }
    }

    pub fn is_all(&self) -> bool {
        self.rows.is_none()
    }

    /// How many entries are inside.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether an entry is inside; one that the catalog does not know never is.
    pub fn allows(&self, key: EntryKey) -> bool {
        match (self.catalog.row(key), &self.rows) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(row), Some(rows)) => rows[row as usize / 64] >> (row % 64) & 1 == 1,
        }
    }

    /// The entries inside, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.catalog
            .entries()
            .iter()
            .enumerate()
            .filter(|(row, _)| self.rows.as_ref().is_none_or(|rows| rows[row / 64] >> (row % 64) & 1 == 1))
            .map(|(_, entry)| entry)
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }
}
