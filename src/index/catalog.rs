//! The list of all entries in time order: what the word index, the graph and the vectors refer to.

mod entries;
mod filed;

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
    ops::Range,
    sync::{Arc, OnceLock},
};

use jiff::{Span, Timestamp, civil, tz::TimeZone};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use self::entries::Entries;
use self::entries::Spliced;
use super::key_index::KeyIndex;
use crate::{
    embed::add_part,
    extract::trackers,
    index::passage::sentences,
    journal::{
        BodyHash, Entry, EntryId, EntryTime, FileStamp, Notice, Place, RecordFields, RecordHead, RecordStatus,
        WrittenEntry, compact, has_clock, identity, word_count,
    },
};

/// Key of an entry inside the index: the first eight bytes of SHA-256 of its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryKey(pub u64);

impl EntryKey {
    pub fn of(id: &EntryId) -> Self {
        Self(first_eight(&Sha256::digest(id.as_str())))
    }
}

/// Characters that end a question.
const ASKS: [char; 4] = ['?', '？', '؟', '՞'];

pub(super) fn first_eight(digest: &[u8]) -> u64 {
    digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// A hasher that passes the key through: keys are hashes already.
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

/// A map keyed by entry.
pub type KeyMap<T> = HashMap<EntryKey, T, BuildHasherDefault<KeyHasher>>;

/// A set of entries.
pub type KeySet = HashSet<EntryKey, BuildHasherDefault<KeyHasher>>;

/// What the index stores of an entry, apart from its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CatalogEntry {
    pub key: EntryKey,
    pub id: EntryId,
    pub time: EntryTime,
    #[serde(with = "compact::date")]
    pub day: civil::Date,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    pub event_time: Option<String>,
    pub starred: bool,
    pub words: u32,
    /// Percentage of the words that are in questions.
    pub asking: u8,
    /// Unknown keys of the head, so that an entry that another program deletes can be restored in full.
    pub extra: Vec<(String, String)>,
    /// Values measured in the entry, by name: see [`trackers`].
    pub trackers: Box<[(String, f64)]>,
    pub place: Place,
    pub hash: BodyHash,
    /// The name as the file has it (`id:`, or else `time:`), where the final `id` differs from it.
    pub written: Option<Box<str>>,
    /// Whether the file has an `id:`.
    pub has_id: bool,
    /// Changes whenever anything that is indexed of the entry changes. Does not cover the name, which `key` does.
    pub fingerprint: u64,
}

/// All entries of a vault in time order, with the files they come from.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Entries,
    by_key: KeyIndex,
    /// The row of each key in `by_key`.
    rows: Vec<u32>,
    /// Blocks that repeat another entry exactly (same time, same body). They are shown once, and kept here so that
    /// names stay correct when the first one is deleted.
    copies: Vec<Arc<CatalogEntry>>,
    /// Names that several blocks had in their files: which block gets the name is decided over the whole vault.
    shared: Arc<HashSet<Box<str>>>,
    /// The catalog without its records, see [`Catalog::without_records`]; `None` if it has none.
    diary: OnceLock<Option<Arc<Catalog>>>,
    /// The newer fact of each superseded one, see [`Catalog::superseded_by`].
    newer: OnceLock<HashMap<EntryId, EntryId>>,
    /// Other entries of the journal are left out: a scope of all its entries must not search them.
    is_part: bool,
    /// The `day_start` with which the days of the entries were computed.
    pub day_start: civil::Time,
    pub files: Vec<FileStamp>,
    pub notices: Vec<Notice>,
}

impl Catalog {
    /// Sorts by instant, then file and position, which is the order of every list of entries.
    pub fn new<E: Into<Arc<CatalogEntry>>>(
        entries: impl IntoIterator<Item = E>,
        files: Vec<FileStamp>,
        notices: Vec<Notice>,
    ) -> Self {
        let mut entries: Vec<Arc<CatalogEntry>> = entries.into_iter().map(Into::into).collect();
        entries.sort_by(|a, b| a.order().cmp(&b.order()));
        let mut keys: Vec<(u64, u32)> = (0..).zip(&entries).map(|(row, entry)| (entry.key.0, row)).collect();
        keys.sort_unstable();
        let (keys, rows) = keys.into_iter().unzip();
        let shared = entries.iter().flat_map(|entry| entry.shared_names()).map(Box::from).collect();
        let entries = Entries::of(entries);
        let by_key = KeyIndex::of(keys);
        Self { entries, by_key, rows, shared: Arc::new(shared), files, notices, ..Self::default() }
    }

    pub fn with_copies(mut self, copies: Vec<Arc<CatalogEntry>>) -> Self {
        let names = copies.iter().flat_map(|copy| copy.shared_names().chain([copy.written_name()]));
        Arc::make_mut(&mut self.shared).extend(names.map(Box::from));
        self.copies = copies;
        self
    }

    /// A catalog with newly saved entries added. Linear in all entries, but reads none from the catalog file.
    pub fn with_new(&self, new: Vec<Arc<CatalogEntry>>) -> Self {
        self.with_changes(&[], new, self.files.clone(), self.notices.clone())
    }

    /// A catalog with some entries replaced, given by their rows (ascending): the result of a new scan of a few
    /// files. Linear in all entries, but reads none from the catalog file. The caller guarantees that all entries
    /// keep their names.
    pub(super) fn with_changes(
        &self,
        gone: &[u32],
        mut new: Vec<Arc<CatalogEntry>>,
        files: Vec<FileStamp>,
        notices: Vec<Notice>,
    ) -> Self {
        new.sort_by(|a, b| a.order().cmp(&b.order()));
        let added: Vec<EntryKey> = new.iter().map(|entry| entry.key).collect();
        let placed = new.into_iter().map(|entry| (self.row_after(&entry), entry)).collect();
        let Spliced { entries, rows, put_in } = self.entries.spliced(gone, placed);
        let mut added: Vec<(u64, u32)> = added.iter().map(|key| key.0).zip(put_in).collect();
        added.sort_unstable();
        let mut added = added.into_iter().peekable();
        let stay = self.by_key.keys().zip(&self.rows).filter_map(|(key, row)| Some((key.0, rows[*row as usize]?)));
        let (mut keys, mut new_rows) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
        let mut push = |(key, row)| {
            keys.push(key);
            new_rows.push(row);
        };
        for (key, row) in stay {
            while let Some(first) = added.next_if(|(added, _)| *added < key) {
                push(first);
            }
            push((key, row));
        }
        added.for_each(push);
        let rows = new_rows;
        let (by_key, copies, shared) = (KeyIndex::of(keys), self.copies.clone(), self.shared.clone());
        let &Self { is_part, day_start, .. } = self;
        Self { entries, by_key, rows, copies, shared, files, notices, is_part, day_start, ..Self::default() }
    }

    /// The records, oldest first. Reads only them from the catalog file.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &CatalogEntry> {
        let rows = (0..self.entries.len()).filter(|row| self.entries.is_record(*row));
        rows.map(|row| self.entries[row].as_ref())
    }

    /// The catalog of the entries that are no records: the same one if there are none. Linear in all entries, once.
    pub fn without_records(self: &Arc<Self>) -> Arc<Self> {
        let diary = self.diary.get_or_init(|| {
            let rows = 0..self.entries.len();
            let records: Vec<u32> = rows.filter(|row| self.entries.is_record(*row)).map(|row| row as u32).collect();
            let without = || self.with_changes(&records, Vec::new(), self.files.clone(), self.notices.clone());
            (!records.is_empty()).then(|| Arc::new(Self { is_part: true, ..without() }))
        });
        diary.as_ref().unwrap_or(self).clone()
    }

    /// The head of a record, with the status that other records give it.
    pub fn record_fields(&self, id: &EntryId, head: &RecordHead<'_>) -> RecordFields {
        RecordFields::of(head, self.superseded_by(id).cloned())
    }

    /// The newer fact that replaces a record. A fact that was dropped replaces nothing. Reads all records, once.
    pub fn superseded_by(&self, id: &EntryId) -> Option<&EntryId> {
        let newer = |entry: &CatalogEntry| {
            let head = entry.record().filter(|head| head.status() != RecordStatus::Dropped)?;
            Some((head.value("supersedes")?.into(), entry.id.clone()))
        };
        self.newer.get_or_init(|| self.records().filter_map(newer).collect()).get(id)
    }

    /// The first row after an entry.
    fn row_after(&self, entry: &CatalogEntry) -> usize {
        let second = entry.second();
        let mut row = self.first_row(|other| other >= second);
        while row < self.entries.len()
            && self.entries.second(row) == second
            && self.entries[row].order() < entry.order()
        {
            row += 1;
        }
        row
    }

    /// The rows of the entries in the files that `is` accepts, ascending.
    pub(super) fn rows_in(&self, is: impl Fn(&str) -> bool) -> Vec<u32> {
        // Neighbouring rows are mostly in one file, so the last result of `is` is reused.
        let mut last: Option<(&Arc<str>, bool)> = None;
        let stands = |row: &u32| {
            let file = self.entries.file(*row as usize);
            let known = last.filter(|(before, _)| Arc::ptr_eq(before, file));
            let (_, stands) = *last.insert(known.unwrap_or_else(|| (file, is(file))));
            stands
        };
        (0..self.entries.len() as u32).filter(stands).collect()
    }

    /// Whether a name as written is, or was, shared by several blocks.
    pub(super) fn is_shared(&self, written: &str) -> bool {
        self.shared.contains(written)
    }

    /// Key and fingerprint of every entry, by ascending key, without reading any entry from the catalog file.
    pub fn states(&self) -> impl Iterator<Item = (EntryKey, u64)> {
        let rows = self.by_key.keys().zip(&self.rows);
        rows.map(|(key, row)| (key, self.entries.fingerprint(*row as usize)))
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    pub fn copies(&self) -> &[Arc<CatalogEntry>] {
        &self.copies
    }

    /// Position in [`Catalog::entries`]: dense, in time order.
    pub fn row(&self, key: EntryKey) -> Option<u32> {
        self.by_key.find(key).map(|at| self.rows[at as usize])
    }

    pub fn by_key(&self, key: EntryKey) -> Option<&CatalogEntry> {
        self.row(key).map(|row| self.entries[row as usize].as_ref())
    }

    pub fn by_id(&self, id: &EntryId) -> Option<&CatalogEntry> {
        self.by_key(EntryKey::of(id)).filter(|entry| entry.id == *id)
    }

    /// The entries of one day, in time order.
    pub fn day(&self, day: civil::Date) -> impl Iterator<Item = &CatalogEntry> {
        self.days(day, day)
    }

    /// The entries of the days from `first` to `last`, in time order. Found by binary search over the instants: offsets
    /// and `day_start` can move a day's entries at most two days from the same date in UTC.
    pub fn days(&self, first: civil::Date, last: civil::Date) -> impl DoubleEndedIterator<Item = &CatalogEntry> {
        let near = self.rows_near(first, last).map(|row| self.entries[row].as_ref());
        near.filter(move |entry| (first..=last).contains(&entry.day))
    }

    /// The range of rows that contains all entries of these days.
    fn rows_near(&self, first: civil::Date, last: civil::Date) -> Range<usize> {
        let from = instant(first.saturating_sub(Span::new().days(2))).as_second();
        let to = instant(last.saturating_add(Span::new().days(3))).as_second();
        let start = self.first_row(|second| second >= from);
        start..self.first_row(|second| second > to).max(start)
    }

    /// The first row for which `is` is true; it must be true of all later rows as well.
    fn first_row(&self, is: impl Fn(i64) -> bool) -> usize {
        let (mut start, mut end) = (0, self.entries.len());
        while start < end {
            let middle = start + (end - start) / 2;
            if is(self.entries.second(middle)) {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        start
    }
}

fn instant(day: civil::Date) -> Timestamp {
    let beyond = if day.year() < 0 { Timestamp::MIN } else { Timestamp::MAX };
    day.to_zoned(TimeZone::UTC).map_or(beyond, |midnight| midnight.timestamp())
}

impl CatalogEntry {
    /// A catalog entry from one file, before names are resolved over the whole vault.
    pub fn of_written(written: &WrittenEntry) -> Self {
        Self { has_id: written.has_id, ..Self::of(&written.entry) }
    }

    /// The record in this entry; `None` for an ordinary entry.
    pub fn record(&self) -> Option<RecordHead<'_>> {
        RecordHead::of(&self.extra)
    }

    pub fn is_record(&self) -> bool {
        self.record().is_some()
    }

    pub fn has_clock(&self) -> bool {
        has_clock(&self.time, &self.extra)
    }

    /// The sort key: instant, then file and position.
    fn order(&self) -> (Timestamp, &str, u32) {
        (self.time.at, &self.place.file, self.place.position)
    }

    /// The name that this entry shares with others, and the time part of an id that was generated to tell them apart.
    pub fn shared_names(&self) -> impl Iterator<Item = &str> {
        let made = self.has_id.then(|| identity::time_of(self.written_name())).flatten();
        self.written.as_deref().into_iter().chain(made)
    }

    /// The second of its instant, rounded down.
    fn second(&self) -> i64 {
        self.time.at.as_second() - i64::from(self.time.at.subsec_nanosecond() < 0)
    }

    /// The full entry, with its text, which is stored elsewhere.
    pub fn with_body(&self, body: String) -> Entry {
        Entry {
            id: self.id.clone(),
            time: self.time.clone(),
            day: self.day,
            mood: self.mood.clone(),
            tags: self.tags.clone(),
            event_time: self.event_time.clone(),
            body,
            hash: self.hash,
            extra: self.extra.clone(),
            place: self.place.clone(),
        }
    }

    /// The name as the file has it: the `id:`, or else the `time:`.
    pub fn written_name(&self) -> &str {
        self.written.as_deref().unwrap_or(self.id.as_str())
    }

    /// The same entry under its final name, resolved over the whole vault.
    pub fn renamed(&self, id: EntryId) -> Self {
        let written = self.written_name();
        let written = (written != id.as_str()).then(|| written.into());
        Self { key: EntryKey::of(&id), id, written, ..self.clone() }
    }

    /// The catalog entry of `entry`.
    pub fn of(entry: &Entry) -> Self {
        let mut digest = Sha256::new();
        let [mood, event_time] =
            [&entry.mood, &entry.event_time].map(|value| value.as_ref().map_or("\0", String::as_str));
        let head = [&entry.time.written, mood, event_time].into_iter().chain(entry.tags.iter().map(String::as_str));
        head.for_each(|part| add_part(&mut digest, part.as_bytes()));
        digest.update(entry.day.to_string());
        digest.update(entry.hash.0);
        digest.update([u8::from(entry.starred())]);
        if entry.record().is_some() {
            let parts = entry.extra.iter().flat_map(|(key, value)| [key, value]);
            parts.for_each(|part| add_part(&mut digest, part.as_bytes()));
        }
        Self {
            key: EntryKey::of(&entry.id),
            id: entry.id.clone(),
            time: entry.time.clone(),
            day: entry.day,
            mood: entry.mood.clone(),
            tags: entry.tags.clone(),
            event_time: entry.event_time.clone(),
            starred: entry.starred(),
            words: word_count(&entry.body) as u32,
            asking: asking(&entry.body),
            extra: entry.extra.clone(),
            trackers: trackers(entry).into(),
            place: entry.place.clone(),
            hash: entry.hash,
            written: None,
            has_id: false,
            fingerprint: first_eight(&digest.finalize()),
        }
    }
}

/// See [`CatalogEntry::asking`].
fn asking(body: &str) -> u8 {
    if !body.contains(ASKS) {
        return 0;
    }
    let words = |text: &str| text.split_whitespace().count();
    let asks = |sentence: &&str| {
        sentence.trim_end_matches(|c: char| !c.is_alphanumeric() && !ASKS.contains(&c)).ends_with(ASKS)
    };
    let asked: usize = sentences(body).map(|span| &body[span]).filter(asks).map(words).sum();
    (asked * 100 / words(body).max(1)) as u8
}

/// The entries that a search may return; every leg searches only these.
#[derive(Debug, Clone)]
pub struct Scope {
    catalog: Arc<Catalog>,
    /// One bit per row; `None` allows all.
    rows: Option<Arc<Vec<u64>>>,
    len: usize,
}

impl Scope {
    pub fn all(catalog: Arc<Catalog>) -> Self {
        let len = catalog.entries().len();
        let rows = catalog.is_part.then(|| Arc::new(vec![u64::MAX; len.div_ceil(64)]));
        Self { catalog, rows, len }
    }

    /// A scope of the entries that pass the filter.
    #[cfg(test)]
    pub fn filtered(catalog: Arc<Catalog>, passes: impl Fn(&CatalogEntry) -> bool) -> Self {
        Self::of_days(catalog, &[(civil::Date::MIN, civil::Date::MAX)], passes)
    }

    /// A scope of the entries that pass the filter and are in one of these ranges of days. Other entries are not
    /// read.
    pub fn of_days(
        catalog: Arc<Catalog>,
        days: &[(civil::Date, civil::Date)],
        passes: impl Fn(&CatalogEntry) -> bool,
    ) -> Self {
        let mut rows = vec![0u64; catalog.entries().len().div_ceil(64)];
        for (first, last) in days {
            for row in catalog.rows_near(*first, *last) {
                let entry = &catalog.entries()[row];
                if (*first..=*last).contains(&entry.day) && passes(entry) {
                    rows[row / 64] |= 1 << (row % 64);
                }
            }
        }
        let len = rows.iter().map(|bits| bits.count_ones() as usize).sum();
        Self { catalog, rows: Some(Arc::new(rows)), len }
    }

    pub fn is_all(&self) -> bool {
        self.rows.is_none()
    }

    /// Number of entries in the scope.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether an entry is in the scope; false for an entry that is not in the catalog.
    pub fn allows(&self, key: EntryKey) -> bool {
        self.row(key).is_some()
    }

    /// The row of an entry in the catalog, if it is in the scope.
    pub fn row(&self, key: EntryKey) -> Option<u32> {
        self.catalog.row(key).filter(|row| self.allows_row(*row))
    }

    /// Whether the entry at a row of the catalog is in the scope.
    pub fn allows_row(&self, row: u32) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows[row as usize / 64] >> (row % 64) & 1 == 1)
    }

    /// The entries in the scope, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &CatalogEntry> {
        let rows = (0..self.catalog.entries().len()).filter(|row| self.allows_row(*row as u32));
        rows.map(|row| self.catalog.entries()[row].as_ref())
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }
}
