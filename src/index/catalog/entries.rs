//! The entries of a catalog in time order: made of what was read, or taken out of the catalog's file when they are first asked
//! for, so that opening a journal costs nothing for each of them.

use std::{
    ops::{Index, Range},
    sync::{Arc, OnceLock},
};

use super::{CatalogEntry, filed::Filed};

/// See the top of the file. In order of their instants.
#[derive(Debug, Default)]
pub struct Entries {
    slots: Vec<OnceLock<Arc<CatalogEntry>>>,
    /// Where the empty ones are.
    filed: Option<Arc<Filed>>,
    /// The line of each in that file, or [`UNFILED`]; `None` while they are its lines, all of them and no others.
    lines: Option<Vec<u32>>,
}

/// The line of an entry that came since.
const UNFILED: u32 = u32::MAX;

/// What a splice came to.
pub(super) struct Spliced {
    pub entries: Entries,
    /// The new row of each old one; `None` for those that went.
    pub rows: Vec<Option<u32>>,
    /// The rows of those that were put in.
    pub put_in: Vec<u32>,
}

impl Entries {
    pub(super) fn of(entries: Vec<Arc<CatalogEntry>>) -> Self {
        Self { slots: entries.into_iter().map(OnceLock::from).collect(), filed: None, lines: None }
    }

    pub(super) fn filed(filed: Filed) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(filed.len(), OnceLock::new);
        Self { slots, filed: Some(Arc::new(filed)), lines: None }
    }

    /// The same without some (their rows, rising) and with others, each put in before a row (rising too). None is taken out of
    /// the file for it.
    pub(super) fn spliced(&self, gone: &[u32], put_in: Vec<(usize, Arc<CatalogEntry>)>) -> Spliced {
        let mut spliced = Self { slots: Vec::new(), filed: self.filed.clone(), lines: Some(Vec::new()) };
        let mut push = |slot, line| {
            spliced.slots.push(slot);
            spliced.lines.get_or_insert_default().push(line);
            spliced.slots.len() as u32 - 1
        };
        let (mut rows, mut new_rows) = (Vec::with_capacity(self.len()), Vec::new());
        let (mut gone, mut put_in) = (gone.iter().peekable(), put_in.into_iter().peekable());
        for row in 0..=self.len() {
            while let Some((_, entry)) = put_in.next_if(|(before, _)| *before <= row) {
                new_rows.push(push(OnceLock::from(entry), UNFILED));
            }
            let Some(slot) = self.slots.get(row) else { break };
            let goes = gone.next_if(|gone| **gone as usize == row).is_some();
            rows.push((!goes).then(|| push(slot.clone(), self.line(row))));
        }
        Spliced { entries: spliced, rows, put_in: new_rows }
    }

    fn line(&self, row: usize) -> u32 {
        match (&self.filed, &self.lines) {
            (None, _) => UNFILED,
            (Some(_), None) => row as u32,
            (Some(_), Some(lines)) => lines[row],
        }
    }

    /// The file an entry is in and its line, where it is in one.
    fn filed_at(&self, row: usize) -> Option<(&Filed, usize)> {
        let line = self.line(row);
        self.filed.as_deref().filter(|_| line != UNFILED).map(|filed| (filed, line as usize))
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn get(&self, row: usize) -> Option<&Arc<CatalogEntry>> {
        let slot = self.slots.get(row)?;
        Some(match self.filed_at(row) {
            Some((filed, line)) => slot.get_or_init(|| Arc::new(filed.entry(line))),
            None => slot.get()?,
        })
    }

    pub fn last(&self) -> Option<&Arc<CatalogEntry>> {
        self.get(self.len().checked_sub(1)?)
    }

    pub fn iter(&self) -> Iter<'_> {
        self.range(0..self.len())
    }

    pub(super) fn range(&self, rows: Range<usize>) -> Iter<'_> {
        Iter { entries: self, rows }
    }

    /// The second of an entry's instant, rounded down.
    pub(super) fn second(&self, row: usize) -> i64 {
        match self.filed_at(row) {
            Some((filed, line)) => filed.second(line),
            None => self[row].second(),
        }
    }

    /// Its fingerprint.
    pub(super) fn fingerprint(&self, row: usize) -> u64 {
        match self.filed_at(row) {
            Some((filed, line)) => filed.fingerprint(line),
            None => self[row].fingerprint,
        }
    }

    /// The day file it stands in.
    pub(super) fn file(&self, row: usize) -> &Arc<str> {
        match self.filed_at(row) {
            Some((filed, line)) => filed.file(line),
            None => &self[row].place.file,
        }
    }
}

impl Index<usize> for Entries {
    type Output = Arc<CatalogEntry>;

    fn index(&self, row: usize) -> &Self::Output {
        self.get(row).expect("a row of this catalog")
    }
}

impl<'a> IntoIterator for &'a Entries {
    type Item = &'a Arc<CatalogEntry>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Some of the entries, the oldest first.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    entries: &'a Entries,
    rows: Range<usize>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Arc<CatalogEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entries.get(self.rows.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.entries.get(self.rows.next_back()?)
    }
}

impl ExactSizeIterator for Iter<'_> {}
