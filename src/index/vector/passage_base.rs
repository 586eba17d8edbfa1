//! The entries of a complete passage table in columns, by ascending key: read in the layout of the file, without an
//! allocation for each entry, and immutable.
//!
//! In the file: keys u64, fingerprints u64, sequence numbers u32, start of the passages of each u32 (and the end of
//! the last), spans 2 x u32, rows u32 ([`NONE`] without one), and, for a vector file other than the one that the rows
//! refer to, passage hashes 16. Little-endian.

use std::{collections::HashMap, ops::Range};

use super::passage_table::{Owner, Place, TablePassage};
use crate::index::{EntryKey, checkpoint::column, key_index::KeyIndex, passage::PassageHash};

/// No row, no passage.
pub(super) const NONE: u32 = u32::MAX;

/// Every so many passages the entry is stored: the entry of another passage is then found in six steps in one place,
/// not in twenty all over memory.
const NEAR: usize = 64;

/// Number of entries and passages, and the vector file that the rows refer to.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Sizes {
    pub entries: u32,
    pub passages: u32,
    /// The number of rows of the vector file when this was written, and the digest of their passages.
    pub rows: u32,
    pub digest: u32,
}

/// See the module header.
#[derive(Debug, Default)]
pub(super) struct PassageBase {
    keys: KeyIndex,
    fingerprints: Vec<u64>,
    sequence: Vec<u32>,
    starts: Vec<u32>,
    /// The entry of every [`NEAR`]th passage: where to search for those between.
    near: Vec<u32>,
    spans: Vec<[u32; 2]>,
    rows: Vec<u32>,
    /// The first passage of each row.
    passage_of: Vec<u32>,
    /// The next passage of the same row, for the few that have one.
    next: HashMap<u32, u32>,
    live: usize,
}

/// An entry to be saved: its key, fingerprint and sequence number, and span, row and hash of its passages.
pub(super) struct Filed {
    pub key: EntryKey,
    pub fingerprint: u64,
    pub sequence: u32,
    pub passages: Vec<(Range<u32>, Option<u32>, PassageHash)>,
}

/// The columns of entries in order of their keys, in the layout of the file.
pub(super) fn columns(entries: &[Filed]) -> Vec<u8> {
    let passages = || entries.iter().flat_map(|entry| &entry.passages);
    let mut bytes = Vec::new();
    entries.iter().for_each(|entry| bytes.extend(entry.key.0.to_le_bytes()));
    entries.iter().for_each(|entry| bytes.extend(entry.fingerprint.to_le_bytes()));
    entries.iter().for_each(|entry| bytes.extend(entry.sequence.to_le_bytes()));
    let mut start = 0u32;
    for entry in entries {
        bytes.extend(start.to_le_bytes());
        start += entry.passages.len() as u32;
    }
    bytes.extend(start.to_le_bytes());
    passages().for_each(|(span, ..)| {
        bytes.extend(span.start.to_le_bytes());
        bytes.extend(span.end.to_le_bytes());
    });
    passages().for_each(|(_, row, _)| bytes.extend(row.unwrap_or(NONE).to_le_bytes()));
    passages().for_each(|(.., hash)| bytes.extend(hash.0));
    bytes
}

impl PassageBase {
    /// Decodes the columns; the second part is the rest, the passage hashes. `None` where they are inconsistent.
    pub fn of(bytes: &[u8], sizes: Sizes) -> Option<(Self, &[u8])> {
        let (entries, passages) = (sizes.entries as usize, sizes.passages as usize);
        let mut rest = bytes;
        let keys = column(&mut rest, entries, u64::from_le_bytes)?;
        let fingerprints = column(&mut rest, entries, u64::from_le_bytes)?;
        let sequence = column(&mut rest, entries, u32::from_le_bytes)?;
        let starts = column(&mut rest, entries.checked_add(1)?, u32::from_le_bytes)?;
        let spans = column(&mut rest, passages, |span: [u8; 8]| {
            let [a, b, c, d, e, f, g, h] = span;
            [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
        })?;
        let rows = column(&mut rest, passages, u32::from_le_bytes)?;
        let whole = keys.is_sorted_by(|a, b| a < b) && starts.is_sorted() && starts.last() == Some(&sizes.passages);
        let known = rows.iter().all(|row| *row < sizes.rows || *row == NONE);
        if !(whole && known && starts.first() == Some(&0) && rest.len() == 16 * passages) {
            return None;
        }
        let keys = KeyIndex::of(keys);
        let near = every_near(&starts);
        let base = Self { keys, fingerprints, sequence, starts, near, spans, rows, ..Self::default() };
        Some((base.found_by_row(sizes.rows as usize), rest))
    }

    fn found_by_row(mut self, rows: usize) -> Self {
        self.passage_of = vec![NONE; rows];
        // Backwards, so that each row ends with its first passage.
        for (passage, row) in self.rows.iter().enumerate().rev().filter(|(_, row)| **row != NONE) {
            let first = &mut self.passage_of[*row as usize];
            if *first == NONE {
                self.live += 1;
            } else {
                self.next.insert(passage as u32, *first);
            }
            *first = passage as u32;
        }
        self
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Number of rows that belong to at least one entry.
    pub fn live(&self) -> usize {
        self.live
    }

    pub fn keys(&self) -> impl Iterator<Item = (u32, EntryKey)> {
        (0u32..).zip(self.keys.keys())
    }

    pub fn key(&self, at: u32) -> EntryKey {
        self.keys.key(at)
    }

    /// The position of an entry.
    pub fn find(&self, key: EntryKey) -> Option<u32> {
        self.keys.find(key)
    }

    /// Its fingerprint and sequence number.
    pub fn state(&self, at: u32) -> (u64, u64) {
        (self.fingerprints[at as usize], u64::from(self.sequence[at as usize]))
    }

    /// The numbers of its passages.
    pub fn passages(&self, at: u32) -> Range<usize> {
        self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize
    }

    /// For a passage with a row; one without is among the changed entries.
    pub fn passage(&self, number: usize) -> TablePassage {
        let [start, end] = self.spans[number];
        TablePassage { span: start..end, place: Place::Row(self.rows[number]) }
    }

    /// The entries with a passage that has no row.
    pub fn without_row(&self) -> Vec<u32> {
        let lacking = self.rows.iter().enumerate().filter(|(_, row)| **row == NONE).map(|(passage, _)| passage);
        let mut entries: Vec<u32> = lacking.map(|passage| self.entry_of(passage as u32)).collect();
        entries.dedup();
        entries
    }

    fn entry_of(&self, passage: u32) -> u32 {
        let nth = passage as usize / NEAR;
        let first = self.near[nth] as usize;
        let last = self.near.get(nth + 1).map_or(self.len() - 1, |entry| *entry as usize);
        let starts = &self.starts[first..=last];
        (first + starts.partition_point(|start| *start <= passage)) as u32 - 1
    }

    /// The entries and spans of a row.
    pub fn owners(&self, row: u32) -> impl Iterator<Item = Owner> + '_ {
        let first = self.passage_of.get(row as usize).copied().filter(|passage| *passage != NONE);
        let all = std::iter::successors(first, |passage| self.next.get(passage).copied());
        all.map(|passage| Owner {
            key: self.keys.key(self.entry_of(passage)),
            span: self.passage(passage as usize).span,
        })
    }
}

/// See [`PassageBase::near`].
fn every_near(starts: &[u32]) -> Vec<u32> {
    let mut near = Vec::new();
    for (entry, end) in (0..).zip(starts.iter().skip(1)) {
        while near.len() * NEAR < *end as usize {
            near.push(entry);
        }
    }
    near
}
