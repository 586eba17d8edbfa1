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
    filed: Option<Filed>,
}

impl Entries {
    pub(super) fn of(entries: Vec<Arc<CatalogEntry>>) -> Self {
        Self { slots: entries.into_iter().map(OnceLock::from).collect(), filed: None }
    }

    pub(super) fn filed(filed: Filed) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(filed.len(), OnceLock::new);
        Self { slots, filed: Some(filed) }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn get(&self, row: usize) -> Option<&Arc<CatalogEntry>> {
        let slot = self.slots.get(row)?;
        Some(match &self.filed {
            Some(filed) => slot.get_or_init(|| Arc::new(filed.entry(row))),
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
        match &self.filed {
            Some(filed) => filed.second(row),
            None => self[row].second(),
        }
    }

    /// Its fingerprint.
    pub(super) fn fingerprint(&self, row: usize) -> u64 {
        match &self.filed {
            Some(filed) => filed.fingerprint(row),
            None => self[row].fingerprint,
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
