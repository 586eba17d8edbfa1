//! Where the documents of a commit stand in a catalog, kept from the first search that meets them: a common word is in half of
//! all entries, and to look each of them up by its key costs more than to score it.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, Ordering},
};

use tantivy::{DocId, Searcher, SegmentOrdinal};

use crate::index::Catalog;

/// See the top of the file. Four bytes a document.
#[derive(Clone)]
pub struct Places {
    catalog: Arc<Catalog>,
    /// Made when they are first asked for: most views of a journal that is written in are never searched.
    segments: Arc<[OnceLock<SegmentPlaces>]>,
}

impl Places {
    /// None is known yet.
    pub fn new(searcher: &Searcher, catalog: Arc<Catalog>) -> Self {
        Self { catalog, segments: searcher.segment_readers().iter().map(|_| OnceLock::new()).collect() }
    }

    /// Those of one segment with so many documents, where this is the catalog they are places of.
    pub fn of(&self, catalog: &Arc<Catalog>, segment: SegmentOrdinal, documents: DocId) -> Option<SegmentPlaces> {
        let places = self.segments.get(segment as usize).filter(|_| Arc::ptr_eq(&self.catalog, catalog))?;
        Some(places.get_or_init(|| SegmentPlaces::new(documents)).clone())
    }
}

/// The row of each document of a segment, and one more; see the two that are none.
#[derive(Clone)]
pub struct SegmentPlaces(Arc<[AtomicU32]>);

/// Not looked up yet.
const UNKNOWN: u32 = 0;
/// Not in the catalog.
const NOWHERE: u32 = u32::MAX;

impl SegmentPlaces {
    fn new(documents: DocId) -> Self {
        Self((0..documents).map(|_| AtomicU32::new(UNKNOWN)).collect())
    }

    /// The row of a document, which `look_up` tells the first time.
    pub fn row(&self, doc: DocId, look_up: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let place = &self.0[doc as usize];
        match place.load(Ordering::Relaxed) {
            UNKNOWN => {
                let row = look_up();
                // Two searches at once write the same.
                place.store(row.map_or(NOWHERE, |row| row + 1), Ordering::Relaxed);
                row
            }
            NOWHERE => None,
            known => Some(known - 1),
        }
    }
}
