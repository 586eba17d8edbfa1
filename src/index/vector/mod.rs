//! The meaning index: passages as vectors. The checksummed vector file is the truth, exact int8 scan and
//! HNSW are two ways to read it.

use std::{ops::Range, path::Path, sync::Arc};

use super::{
    EntryKey, IndexError, Scope,
    catalog::KeyMap,
    passage::{Passage, PassageHash},
};
use crate::embed::ModelStamp;

/// `ann =` in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ann {
    /// HNSW from 100,000 passages on, for unfiltered queries, once loaded.
    #[default]
    Auto,
    On,
    Off,
}

/// The writing side for one model.
pub struct VectorStore;

/// The reading side: immutable, cheap to clone behind an `Arc`.
pub struct VectorView;

#[derive(Debug, Clone, PartialEq)]
pub struct VectorHit {
    pub key: EntryKey,
    /// The closest passage, in bytes of the body.
    pub span: Range<u32>,
    /// Cosine, higher is better.
    pub score: f32,
}

/// How a query was answered (`--explain` says it).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    Exact,
    Hnsw,
}

/// What opening found: in words for the user, and whether the passages must be told again.
#[derive(Debug, Default)]
pub struct Opened {
    /// The generation of the passage table that was loaded; `None`: tell every entry again by `set`.
    pub generation: Option<u64>,
    pub complaint: Option<String>,
}

impl VectorStore {
    /// Opens or creates `dir/<model checksum>/`. Vectors whose checksum fails are dropped, others stay.
    pub fn open(
        dir: &Path,
        model: &ModelStamp,
        generation: Option<u64>,
        ann: Ann,
    ) -> Result<(Self, Opened), IndexError> {
        let _ = (dir, model, generation, ann);
        todo!()
    }
    /// Which entries in which state the passage table holds.
    pub fn held(&self) -> KeyMap<u64> {
        todo!()
    }
    pub fn remove(&mut self, key: EntryKey) {
        let _ = key;
        todo!()
    }
    /// Tells an entry's passages (replacing older ones). Known vectors serve at once.
    pub fn set(&mut self, key: EntryKey, fingerprint: u64, passages: Vec<Passage>) {
        let _ = (key, fingerprint, passages);
        todo!()
    }
    /// Up to `limit` passages without a vector, newest entries' first, each hash once.
    pub fn missing(&self, limit: usize) -> Vec<(EntryKey, Passage)> {
        let _ = limit;
        todo!()
    }
    /// How many distinct passages still lack a vector, of how many.
    pub fn progress(&self) -> (usize, usize) {
        todo!()
    }
    /// Adds vectors, durably. Wrong dimension, NaN or a wrong length is an error before anything is written.
    /// An all-zero vector means "nothing readable": kept, never a hit.
    pub fn insert(&mut self, vectors: &[(PassageHash, Vec<f32>)]) -> Result<(), IndexError> {
        let _ = vectors;
        todo!()
    }
    /// Writes the passage table of `generation` durably, before the commit point names it.
    pub fn save(&mut self, generation: u64) -> Result<(), IndexError> {
        let _ = generation;
        todo!()
    }
    /// Deletes tables of other generations, after the commit point.
    pub fn tidy(&mut self, generation: u64) {
        let _ = generation;
        todo!()
    }
    /// Builds the HNSW graph over all vectors and keeps a verified dump. Long; call on a worker.
    pub fn build_ann(&mut self) -> Result<(), IndexError> {
        todo!()
    }
    pub fn view(&self) -> Arc<VectorView> {
        todo!()
    }
}

impl VectorView {
    /// The best `limit` entries inside `scope` by their best passage.
    pub fn search(&self, query: &[f32], scope: &Scope, limit: usize) -> (Vec<VectorHit>, Scan) {
        let _ = (query, scope, limit);
        todo!()
    }
    /// The vectors of an entry's passages, for "close to this entry".
    pub fn of_entry(&self, key: EntryKey) -> Vec<(Range<u32>, Vec<f32>)> {
        let _ = key;
        todo!()
    }
    pub fn model(&self) -> &ModelStamp {
        todo!()
    }
    /// Distinct passages with a vector, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        todo!()
    }
}
