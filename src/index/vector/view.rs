//! One immutable state of the vector index, and the search over it.

use std::{ops::Range, sync::Arc};

use super::{
    Scan, VectorHit, WordProbe,
    ann::{AnnSlot, Graph},
    passage_table::{Holding, PassageTable},
    rows::{Probe, Rows},
    word_log::WordFile,
};
use crate::{
    embed::ModelStamp,
    index::{EntryKey, Scope, catalog::KeyMap},
};

/// Minimum number of rows that are compared in full, whatever the limit.
const RESCORED: usize = 256;

/// A scope smaller than one in so many of all entries is searched by its own passages. A scan of all rows costs a
/// thirtieth as much per row, but rows outside the scope are compared in vain.
const FEW: usize = 16;

/// The reading side: immutable, cheap to clone behind an `Arc`.
pub struct VectorView {
    pub(super) model: Arc<ModelStamp>,
    pub(super) rows: Rows,
    pub(super) held: PassageTable,
    /// Only for a model with contextual words.
    pub(super) words: Option<WordFile>,
    /// Number of distinct passages without a vector.
    pub(super) missing: usize,
    /// Present where the graph may be used.
    pub(super) ann: Option<Arc<AnnSlot>>,
}

impl VectorView {
    /// The best `limit` entries inside `scope` by their best passage: highest cosine first, then the later entry.
    ///
    /// Exact unless the second part is [`Scan::Hnsw`]. A query of another dimension, a zero vector or a query with
    /// NaN finds nothing. Cost of the exact scan: one byte per component of all vectors, or the vectors of the scope
    /// where it is small; of the graph: some hundred comparisons.
    pub fn search(&self, query: &[f32], scope: &Scope, limit: usize) -> (Vec<VectorHit>, Scan) {
        if limit == 0 || query.len() != self.rows.dimension() || scope.is_empty() {
            return (Vec::new(), Scan::Exact);
        }
        let Some(probe) = Probe::new(query) else { return (Vec::new(), Scan::Exact) };
        let mut best = Best::new(self, &probe, scope, limit);
        if scope.is_all()
            && let Some(graph) = self.ann.as_ref().and_then(|slot| slot.graph())
            && best.by_graph(&graph)
        {
            return (best.into_hits(), Scan::Hnsw);
        }
        let mut best = Best::new(self, &probe, scope, limit);
        if scope.len() < scope.catalog().entries().len() / FEW {
            best.by_entries();
        } else {
            best.by_bounds(0);
        }
        (best.into_hits(), Scan::Exact)
    }

    /// The vectors of an entry's passages, for a search for similar entries. Those without a vector, or where the
    /// model could read nothing, are left out.
    #[cfg(any(test, feature = "lab"))]
    pub fn of_entry(&self, key: EntryKey) -> Vec<(Range<u32>, Vec<f32>)> {
        let passages = self.held.find(key).into_iter().flat_map(|entry| entry.passages());
        let with_vector = passages.filter_map(|held| Some((held.span, held.place.row()?)));
        with_vector
            .filter(|(_, row)| !self.rows.is_zero(*row))
            .map(|(span, row)| (span, self.rows.vector(row)))
            .collect()
    }

    /// The cosine of an entry's closest passage; `None` where it has no vector, or the query none.
    pub fn cosines<'v>(&'v self, query: &[f32]) -> impl FnMut(EntryKey) -> Option<f32> + 'v {
        let mut lower = Vec::new();
        let probe = Probe::new(query).filter(|_| query.len() == self.rows.dimension());
        move |key| {
            let rows = self.held.find(key)?.passages().filter_map(|held| held.place.row());
            let probe = probe.as_ref()?;
            let scores = rows.filter(|row| !self.rows.is_zero(*row));
            scores.map(|row| self.rows.score(row, probe, &mut lower)).reduce(f32::max)
        }
    }

    /// Whether a search read damaged vectors, and ranked them by the half that is in memory.
    pub fn is_damaged(&self) -> bool {
        self.rows.fine.is_damaged()
    }

    /// Number of vectors whose half in the file is damaged. Reads the whole file.
    pub fn damaged(&self) -> usize {
        (0..self.rows.len() as u32).filter(|row| !self.rows.is_sound(*row)).count()
    }

    /// Similarity of an entry's words to a question's, by its best passage, from 0 to 1, and the number of words
    /// compared; `None` where the entry is not registered yet, or one of its passages has no word codes. Reads them
    /// from the file.
    pub fn word_likeness(&self, key: EntryKey, probe: &WordProbe) -> Option<(f32, usize)> {
        let file = self.words.as_ref()?;
        let entry = self.held.find(key)?;
        let (mut best, mut read) = (0f32, 0);
        for held in entry.passages() {
            let row = held.place.row()?;
            let codes = file.codes(row, self.rows.hash(row))?;
            best = best.max(probe.likeness(&codes));
            read += probe.words_of(&codes);
        }
        Some((best, read))
    }

    pub fn model(&self) -> &ModelStamp {
        &self.model
    }

    /// Number of distinct passages with a vector, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.held.live(), self.held.live() + self.missing)
    }
}

/// The best passage of an entry so far.
#[derive(Debug, Clone)]
struct BestPassage {
    score: f32,
    span: Range<u32>,
    catalog_row: u32,
}

/// Collects the best entries of one search.
struct Best<'a> {
    view: &'a VectorView,
    probe: &'a Probe,
    scope: &'a Scope,
    limit: usize,
    found: KeyMap<BestPassage>,
    /// Buffer for the half of a vector that is read from its file.
    lower: Vec<i8>,
}

impl<'a> Best<'a> {
    fn new(view: &'a VectorView, probe: &'a Probe, scope: &'a Scope, limit: usize) -> Self {
        Self { view, probe, scope, limit: limit.min(scope.len()), found: KeyMap::default(), lower: Vec::new() }
    }

    /// Compares a row in full for all its entries inside the scope. `threshold`: the minimum score of an entry.
    fn offer(&mut self, row: u32, threshold: f32) {
        if self.view.rows.is_zero(row) {
            return;
        }
        let (view, scope, probe) = (self.view, self.scope, self.probe);
        let mut score = None;
        // Without a filter the score is computed first: the owners matter only if it is high enough. With a filter
        // the owners are checked first, since the score needs a file read.
        if scope.is_all() && *score.insert(view.rows.score(row, probe, &mut self.lower)) < threshold {
            return;
        }
        for owner in view.held.owners(row) {
            if let Some(catalog_row) = scope.row(owner.key) {
                let score = *score.get_or_insert_with(|| view.rows.score(row, probe, &mut self.lower));
                self.offer_owner(owner.key, BestPassage { score, span: owner.span, catalog_row });
            }
        }
    }

    fn offer_owner(&mut self, key: EntryKey, new: BestPassage) {
        self.found
            .entry(key)
            .and_modify(|old| {
                if (new.score, old.span.start) > (old.score, new.span.start) {
                    *old = new.clone();
                }
            })
            .or_insert(new);
    }

    /// The score that an entry must reach to be among the first `limit`; minus infinity while there are fewer.
    fn threshold(&self) -> f32 {
        if self.found.len() < self.limit {
            return f32::NEG_INFINITY;
        }
        let mut scores: Vec<f32> = self.found.values().map(|best| best.score).collect();
        let (_, kth, _) = scores.select_nth_unstable_by(self.limit - 1, |a, b| b.total_cmp(a));
        *kth
    }

    /// Searches the passages of the entries inside the scope. A row shared by many entries is compared once: doing it
    /// for each of them takes seconds in a long journal.
    fn by_entries(&mut self) {
        let view = self.view;
        let held = self.scope.entries().filter_map(|entry| view.held.find(entry.key));
        let mut rows: Vec<u32> = held.flat_map(Holding::passages).filter_map(|held| held.place.row()).collect();
        rows.sort_unstable();
        rows.dedup();
        let bounds = view.rows.bounds_of(&rows, self.probe);
        self.by_promise(&bounds, |at| rows[at]);
    }

    /// Searches every row from `first` on.
    fn by_bounds(&mut self, first: usize) {
        let bounds = self.view.rows.bounds(first, self.probe);
        self.by_promise(&bounds, |at| (first + at) as u32);
    }

    /// Compares those rows in full whose bound leaves a chance. The most promising come first, until `limit` entries
    /// are known; then those that could still reach the last of them.
    fn by_promise(&mut self, bounds: &[f32], row: impl Fn(usize) -> u32) {
        let peaks: Vec<f32> = bounds.chunks(BLOCK).map(highest).collect();
        let mut wanted = RESCORED.max(self.limit.saturating_mul(4));
        let mut ceiling = f32::INFINITY;
        loop {
            // Equal scores are decided by the entry's position, so a bound equal to the threshold is compared too.
            let threshold = self.threshold();
            let floor = if threshold.is_finite() { threshold } else { floor_of(bounds, &peaks, wanted) };
            let blocks = bounds.chunks(BLOCK).zip(&peaks).enumerate();
            for (nth, (block, _)) in blocks.filter(|(_, (_, peak))| **peak >= floor) {
                for (at, bound) in block.iter().enumerate() {
                    if *bound >= floor && *bound < ceiling {
                        self.offer(row(nth * BLOCK + at), threshold);
                    }
                }
            }
            if threshold.is_finite() || floor == f32::NEG_INFINITY {
                return;
            }
            ceiling = floor;
            wanted = wanted.saturating_mul(4);
        }
    }

    /// Searches the graph, and every row added since it was built. False where that cannot fill the list (many rows
    /// removed, many passages per entry): then the exact scan must be used.
    fn by_graph(&mut self, graph: &Graph) -> bool {
        const WIDEST: usize = 4096;
        // 64 would be enough for queries that resemble the vectors; questions are farther from them.
        let mut breadth = self.limit.saturating_mul(4).max(128);
        while breadth <= WIDEST {
            let rows = graph.nearest(&self.probe.vector, breadth);
            let exhausted = rows.len() < breadth;
            // The graph may have rows that are newer than this view.
            rows.into_iter()
                .filter(|row| (*row as usize) < self.view.rows.len())
                .for_each(|row| self.offer(row, f32::NEG_INFINITY));
            if self.found.len() >= self.limit {
                self.by_bounds(graph.rows());
                return true;
            }
            if exhausted {
                return false;
            }
            breadth *= 4;
        }
        false
    }

    fn into_hits(self) -> Vec<VectorHit> {
        let mut found: Vec<(EntryKey, BestPassage)> = self.found.into_iter().collect();
        found.sort_unstable_by(|(key_a, a), (key_b, b)| {
            b.score.total_cmp(&a.score).then(b.catalog_row.cmp(&a.catalog_row)).then(key_a.cmp(key_b))
        });
        found.truncate(self.limit);
        found.into_iter().map(|(key, best)| VectorHit { key, span: best.span, score: best.score }).collect()
    }
}

/// Bounds per block: if the highest is too low, the block is skipped.
const BLOCK: usize = 32;

/// In parallel lanes: a single comparison would have to wait for the one before it.
fn highest(bounds: &[f32]) -> f32 {
    const LANES: usize = 8;
    let higher = |a: f32, b: f32| if b > a { b } else { a };
    let (lanes, rest) = bounds.as_chunks::<LANES>();
    let mut best = [f32::NEG_INFINITY; LANES];
    for bounds in lanes {
        for lane in 0..LANES {
            best[lane] = higher(best[lane], bounds[lane]);
        }
    }
    best.iter().chain(rest).copied().fold(f32::NEG_INFINITY, higher)
}

/// A number that at least `wanted` of `bounds` reach, and seldom many more: the lowest peak of the best so many
/// blocks. `peaks`: the highest bound of each [`BLOCK`]. Minus infinity where there are fewer blocks.
fn floor_of(bounds: &[f32], peaks: &[f32], wanted: usize) -> f32 {
    let blocks = wanted.saturating_mul(8);
    let mut highest: Vec<f32> = match peaks.len() >= blocks {
        true => peaks.to_vec(),
        false => bounds.chunks((bounds.len() / blocks).max(1)).map(highest).collect(),
    };
    if highest.len() <= wanted {
        return f32::NEG_INFINITY;
    }
    *highest.select_nth_unstable_by(wanted - 1, |a, b| b.total_cmp(a)).1
}
