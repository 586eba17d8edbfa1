//! The entries of a catalog in time order. They come from a scan, or are decoded from the catalog file at first
//! access, so that opening a journal does not cost time for every entry.

use std::{
    ops::Index,
    sync::{Arc, OnceLock},
};

use super::{CatalogEntry, filed::Filed};

/// Entries sorted by instant; see the module header. A splice shares unchanged entries instead of copying them.
#[derive(Debug, Default)]
pub struct Entries {
    base: Arc<Base>,
    /// Entries added since `base` was made.
    came: Vec<Arc<CatalogEntry>>,
    /// The place of each row: below `base.len()` in `base`, above it in `came`. `None` while the rows are those of
    /// `base`.
    places: Option<Vec<u32>>,
}

/// The entries as last scanned or opened.
#[derive(Debug, Default)]
struct Base {
    slots: Vec<OnceLock<Arc<CatalogEntry>>>,
    /// The catalog file, from which empty slots are decoded.
    filed: Option<Filed>,
}

/// Location of an entry.
enum Where<'a> {
    Base(usize),
    Came(&'a Arc<CatalogEntry>),
}

/// Result of a splice.
pub(super) struct Spliced {
    pub entries: Entries,
    /// The new row of each old row; `None` for removed entries.
    pub rows: Vec<Option<u32>>,
    /// The rows of the inserted entries.
    pub put_in: Vec<u32>,
}

impl Entries {
    pub(super) fn of(entries: Vec<Arc<CatalogEntry>>) -> Self {
        let slots = entries.into_iter().map(OnceLock::from).collect();
        Self { base: Arc::new(Base { slots, filed: None }), ..Self::default() }
    }

    pub(super) fn filed(filed: Filed) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(filed.len(), OnceLock::new);
        Self { base: Arc::new(Base { slots, filed: Some(filed) }), ..Self::default() }
    }

    /// Removes rows (`gone`, ascending) and inserts entries, each before a given row (ascending too). Decodes no
    /// entry from the catalog file.
    pub(super) fn spliced(&self, gone: &[u32], put_in: Vec<(usize, Arc<CatalogEntry>)>) -> Spliced {
        let mut came: Vec<Arc<CatalogEntry>> = Vec::with_capacity(self.came.len() + put_in.len());
        let mut places: Vec<u32> = Vec::with_capacity(self.len() + put_in.len());
        let (mut rows, mut new_rows) = (Vec::with_capacity(self.len()), Vec::with_capacity(put_in.len()));
        let in_base = self.base.slots.len();
        let mut come = |entry: Arc<CatalogEntry>| {
            came.push(entry);
            (in_base + came.len() - 1) as u32
        };
        let (mut gone, mut put_in) = (gone.iter().peekable(), put_in.into_iter().peekable());
        for row in 0..=self.len() {
            while let Some((_, entry)) = put_in.next_if(|(before, _)| *before <= row) {
                new_rows.push(places.len() as u32);
                places.push(come(entry));
            }
            if row == self.len() {
                break;
            }
            if gone.next_if(|gone| **gone as usize == row).is_some() {
                rows.push(None);
                continue;
            }
            rows.push(Some(places.len() as u32));
            places.push(match self.whereabouts(row) {
                Where::Base(place) => place as u32,
                Where::Came(entry) => come(entry.clone()),
            });
        }
        Spliced { entries: Self { base: self.base.clone(), came, places: Some(places) }, rows, put_in: new_rows }
    }

    fn whereabouts(&self, row: usize) -> Where<'_> {
        let place = self.places.as_ref().map_or(row, |places| places[row] as usize);
        let came = |since| Where::Came(&self.came[since]);
        place.checked_sub(self.base.slots.len()).map_or(Where::Base(place), came)
    }

    pub fn len(&self) -> usize {
        self.places.as_ref().map_or(self.base.slots.len(), Vec::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, row: usize) -> Option<&Arc<CatalogEntry>> {
        (row < self.len()).then(|| match self.whereabouts(row) {
            Where::Base(place) => self.base.entry(place),
            Where::Came(entry) => entry,
        })
    }

    pub fn last(&self) -> Option<&Arc<CatalogEntry>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// All entries, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<CatalogEntry>> + ExactSizeIterator + Clone {
        (0..self.len()).map(|row| &self[row])
    }

    /// The second of an entry's instant, rounded down.
    pub(super) fn second(&self, row: usize) -> i64 {
        self.in_file(row).map_or_else(|| self[row].second(), |(filed, place)| filed.second(place))
    }

    /// The fingerprint of an entry.
    pub(super) fn fingerprint(&self, row: usize) -> u64 {
        self.in_file(row).map_or_else(|| self[row].fingerprint, |(filed, place)| filed.fingerprint(place))
    }

    /// Whether an entry is a record.
    pub(super) fn is_record(&self, row: usize) -> bool {
        self.in_file(row).map_or_else(|| self[row].is_record(), |(filed, place)| filed.is_record(place))
    }

    /// The day file of an entry.
    pub(super) fn file(&self, row: usize) -> &Arc<str> {
        self.in_file(row).map_or_else(|| &self[row].place.file, |(filed, place)| filed.file(place))
    }

    /// The place of an entry in the catalog file, whose columns are read without decoding it. `None` where it is in none.
    fn in_file(&self, row: usize) -> Option<(&Filed, usize)> {
        let Where::Base(place) = self.whereabouts(row) else { return None };
        Some((self.base.filed.as_ref()?, place))
    }
}

impl Base {
    /// # Panics
    /// If `place` is out of range.
    fn entry(&self, place: usize) -> &Arc<CatalogEntry> {
        let slot = &self.slots[place];
        match &self.filed {
            Some(filed) => slot.get_or_init(|| Arc::new(filed.entry(place))),
            None => slot.get().expect("what is in no file was put in when this was made"),
        }
    }
}

impl Index<usize> for Entries {
    type Output = Arc<CatalogEntry>;

    fn index(&self, row: usize) -> &Self::Output {
        self.get(row).expect("a row of this catalog")
    }
}
