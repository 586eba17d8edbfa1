//! The catalog file: columns that every opening needs, and the entries one after the other, decoded on demand.
//!
//! The payload: the entries in time order (postcard each); then the columns: keys u64 in ascending order with the row
//! of each u32, and by row the second of its instant i64, its fingerprint u64, the offset where it ends u32 and the
//! number of its day file u32, with the highest bit set for a record; then files, names, notices, copies and shared
//! names, and the start of the day (postcard); then the number of entries and the lengths of all parts before, u64 each.
//! Little-endian.

use std::{path::Path, sync::Arc};

use jiff::civil;
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogEntry, entries::Entries};
use crate::{
    index::{
        IndexError, Result,
        checkpoint::{self, column},
        key_index::KeyIndex,
    },
    journal::{FileStamp, Notice},
};

/// Name of the store, the prefix of its files.
const STORE: &str = "catalog";

/// Bytes per entry in the columns.
const COLUMNS: usize = 8 + 4 + 8 + 8 + 4 + 4;
/// The bit in the column of day files that marks a record.
const RECORD: u32 = 1 << 31;
/// Number of entries, and the lengths of lines, columns and rest.
const TRAILER: usize = 4 * 8;

/// The part after the columns.
#[derive(Serialize, Deserialize)]
struct Rest {
    /// File names, each once.
    names: Vec<String>,
    files: Vec<FileStamp>,
    notices: Vec<Notice>,
    copies: Vec<Arc<CatalogEntry>>,
    shared: Vec<String>,
}

impl Catalog {
    /// Reads the file of `checkpoint`.
    pub(in crate::index) fn read(dir: &Path, checkpoint: u64) -> Result<Self> {
        let payload = checkpoint::payload(dir, STORE, checkpoint)?;
        let path = checkpoint::path(dir, STORE, checkpoint);
        Self::of_payload(payload).ok_or_else(|| IndexError::damaged(path, "its parts do not fit together"))
    }

    fn of_payload(mut payload: Vec<u8>) -> Option<Self> {
        let (before, trailer) = payload.split_at_checked(payload.len().checked_sub(TRAILER)?)?;
        let [count, lines, columns, rest] = trailer.as_chunks().0 else { return None };
        let [count, lines, columns, rest] =
            [count, lines, columns, rest].map(|number| u64::from_le_bytes(*number) as usize);
        let (_, after) = before.split_at_checked(lines)?;
        let (mut columns, after) =
            after.split_at_checked(columns).filter(|(all, _)| Some(all.len()) == count.checked_mul(COLUMNS))?;
        let (rest, after) = checkpoint::part::<Rest>(after.get(..rest)?).ok()?;
        let Rest { names, files, notices, copies, shared } = rest;
        // Missing in files of earlier versions.
        let day_start = match after {
            [] => civil::Time::midnight(),
            after => checkpoint::part(after).ok()?.0,
        };
        let keys = column(&mut columns, count, u64::from_le_bytes)?;
        let rows = column(&mut columns, count, u32::from_le_bytes)?;
        let seconds = column(&mut columns, count, i64::from_le_bytes)?;
        let fingerprints = column(&mut columns, count, u64::from_le_bytes)?;
        let ends = column(&mut columns, count, u32::from_le_bytes)?;
        let places = column(&mut columns, count, u32::from_le_bytes)?;
        let sound = keys.is_sorted()
            && seconds.is_sorted()
            && ends.is_sorted()
            && rows.iter().all(|row| (*row as usize) < count)
            && places.iter().all(|place| ((place & !RECORD) as usize) < names.len());
        if !sound || ends.last().map_or(0, |end| *end as usize) != lines {
            return None;
        }
        payload.truncate(lines);
        payload.shrink_to_fit();
        let names: Arc<[Arc<str>]> = names.into_iter().map(Into::into).collect();
        let entries = Entries::filed(Filed { lines: payload, ends, places, seconds, fingerprints, names });
        let shared = Arc::new(shared.into_iter().map(Into::into).collect());
        let by_key = KeyIndex::of(keys);
        Some(Self { entries, by_key, rows, copies, shared, day_start, files, notices, ..Self::default() })
    }

    /// Whether the file of `checkpoint` has an older format.
    pub(in crate::index) fn is_older(dir: &Path, checkpoint: u64) -> bool {
        checkpoint::is_older(dir, STORE, checkpoint)
    }

    /// Writes the file of `checkpoint` durably.
    pub(in crate::index) fn write(&self, dir: &Path, checkpoint: u64) -> Result<()> {
        let path = checkpoint::path(dir, STORE, checkpoint);
        let damaged = |error: postcard::Error| IndexError::damaged(&path, error);
        let mut names = Names::default();
        let (mut payload, mut ends, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for entry in self.entries.iter() {
            let place = names.place(&entry.place.file);
            payload = postcard::to_extend(entry, payload).map_err(damaged)?;
            ends.push(payload.len() as u32);
            places.push(if entry.is_record() { place | RECORD } else { place });
        }
        let lines = payload.len();
        self.by_key.keys().for_each(|key| payload.extend(key.0.to_le_bytes()));
        self.rows.iter().for_each(|row| payload.extend(row.to_le_bytes()));
        let rows = 0..self.entries.len();
        rows.clone().for_each(|row| payload.extend(self.entries.second(row).to_le_bytes()));
        rows.clone().for_each(|row| payload.extend(self.entries.fingerprint(row).to_le_bytes()));
        ends.iter().chain(&places).for_each(|number| payload.extend(number.to_le_bytes()));
        let columns = payload.len() - lines;
        let (files, notices, copies) = (self.files.clone(), self.notices.clone(), self.copies.clone());
        let mut shared: Vec<String> = self.shared.iter().map(|name| name.to_string()).collect();
        shared.sort_unstable();
        let rest = Rest { names: names.all, files, notices, copies, shared };
        payload = postcard::to_extend(&rest, payload).map_err(damaged)?;
        payload = postcard::to_extend(&self.day_start, payload).map_err(damaged)?;
        let rest = payload.len() - lines - columns;
        [rows.len(), lines, columns, rest].iter().for_each(|length| payload.extend((*length as u64).to_le_bytes()));
        checkpoint::write_payload(dir, STORE, checkpoint, &payload)
    }

    /// Deletes the files of other checkpoints.
    pub(in crate::index) fn tidy(dir: &Path, checkpoint: u64) {
        checkpoint::tidy(dir, STORE, checkpoint);
    }
}

/// File names, each once. Consecutive entries are mostly in one file.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    places: std::collections::HashMap<Arc<str>, u32>,
}

impl Names {
    fn place(&mut self, name: &Arc<str>) -> u32 {
        *self.places.entry(name.clone()).or_insert_with(|| {
            self.all.push(name.to_string());
            self.all.len() as u32 - 1
        })
    }
}

/// The entries as encoded in the file.
#[derive(Debug)]
pub(super) struct Filed {
    lines: Vec<u8>,
    /// The offset where each line ends.
    ends: Vec<u32>,
    /// For each entry, the place of its day file in `names`, and [`RECORD`].
    places: Vec<u32>,
    seconds: Vec<i64>,
    fingerprints: Vec<u64>,
    names: Arc<[Arc<str>]>,
}

impl Filed {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn second(&self, row: usize) -> i64 {
        self.seconds[row]
    }

    pub fn fingerprint(&self, row: usize) -> u64 {
        self.fingerprints[row]
    }

    pub fn file(&self, row: usize) -> &Arc<str> {
        &self.names[(self.places[row] & !RECORD) as usize]
    }

    pub fn is_record(&self, row: usize) -> bool {
        self.places[row] & RECORD != 0
    }

    /// # Panics
    /// If the file was not written by this program: its checksum was verified when it was read.
    pub fn entry(&self, row: usize) -> CatalogEntry {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let line = checkpoint::part::<CatalogEntry>(&self.lines[start..self.ends[row] as usize]);
        let (mut entry, _) = line.expect("its checksum held when it was read");
        // One name for all entries of a day file, not a copy in each.
        entry.place.file = self.file(row).clone();
        entry
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, civil::date};

    use super::*;
    use crate::{
        index::EntryKey,
        journal::{BodyHash, EntryId, EntryTime, Place},
    };

    fn entry(number: i64) -> CatalogEntry {
        let id = EntryId::from(format!("id{number}").as_str());
        let at = Timestamp::new(number * 40_000 - 90_000, -(number as i32 % 2) * 500).unwrap();
        let day = at.to_zoned(jiff::tz::TimeZone::UTC).date();
        CatalogEntry {
            key: EntryKey::of(&id),
            id,
            time: EntryTime { written: format!("time {number}"), at, offset_seconds: 3600 },
            day,
            mood: (number % 3 == 0).then(|| "calm".to_owned()),
            tags: vec![format!("tag{number}"), "ở".to_owned()],
            event_time: (number % 5 == 0).then(|| "2024".to_owned()),
            starred: number % 2 == 0,
            words: number as u32,
            asking: 0,
            extra: vec![("sleep".to_owned(), number.to_string())],
            trackers: Box::new([("sleep".to_owned(), number as f64)]),
            place: Place { file: format!("{day}.md").into(), position: number as u32 % 3, bytes: 7..90 },
            hash: BodyHash([number as u8; 32]),
            written: (number % 7 == 0).then(|| "as written".into()),
            has_id: number % 4 == 0,
            fingerprint: number as u64 * 977,
        }
    }

    fn catalog(count: i64) -> Catalog {
        let stamps = vec![FileStamp { file: "a.md".into(), size: 7, modified: 11 }];
        let copies = vec![Arc::new(entry(count + 1))];
        Catalog::new((0..count).map(entry), stamps, Vec::new()).with_copies(copies)
    }

    #[test]
    fn a_catalog_comes_back_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        for count in [0, 1, 2, 60] {
            let catalog = catalog(count);
            catalog.write(dir.path(), 3).unwrap();
            let read = Catalog::read(dir.path(), 3).unwrap();
            assert!(read.entries().iter().eq(catalog.entries().iter()) && read.copies() == catalog.copies());
            assert_eq!(read.files, catalog.files);
            assert!(read.states().eq(catalog.states()));
            for (row, entry) in catalog.entries().iter().enumerate() {
                assert_eq!(read.row(entry.key), Some(row as u32));
            }
            assert_eq!(read.row(EntryKey(1)), None);
            // Writing what was read gives the same bytes.
            let again = Catalog::read(dir.path(), 3).unwrap();
            again.write(dir.path(), 4).unwrap();
            let bytes = |checkpoint| std::fs::read(checkpoint::path(dir.path(), STORE, checkpoint)).unwrap();
            assert_eq!(bytes(3), bytes(4));
        }
    }

    #[test]
    fn days_are_found_without_their_neighbours() {
        let dir = tempfile::tempdir().unwrap();
        let catalog = catalog(60);
        catalog.write(dir.path(), 1).unwrap();
        let read = Catalog::read(dir.path(), 1).unwrap();
        for (first, last) in [(date(1969, 12, 30), date(1970, 1, 1)), (date(1970, 1, 3), date(1970, 1, 9))] {
            let within = |entry: &&CatalogEntry| (first..=last).contains(&entry.day);
            let expected: Vec<&CatalogEntry> = catalog.entries().iter().map(AsRef::as_ref).filter(within).collect();
            assert!(!expected.is_empty());
            assert_eq!(read.days(first, last).collect::<Vec<_>>(), expected);
            assert_eq!(catalog.days(first, last).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_damage() {
        let dir = tempfile::tempdir().unwrap();
        catalog(9).write(dir.path(), 1).unwrap();
        let payload = checkpoint::payload(dir.path(), STORE, 1).unwrap();
        assert!(Catalog::of_payload(payload.clone()).is_some());
        for length in 0..payload.len() {
            assert!(Catalog::of_payload(payload[..length].to_vec()).is_none(), "cut to {length}");
        }
        for at in payload.len() - TRAILER..payload.len() {
            let mut other = payload.clone();
            other[at] ^= 1;
            assert!(Catalog::of_payload(other).is_none(), "another number at {at}");
        }
    }
}
