//! One immutable state of the meaning index, and the search over it.

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

/// Rows that are compared in full at least, however few entries are asked for.
const RESCORED: usize = 256;

/// Below one in so many of all entries their passages are looked up one by one. To go through all rows costs a thirtieth as much for
/// each, and what it then finds outside is looked at in vain.
const FEW: usize = 16;

/// The reading side: immutable, cheap to clone behind an `Arc`.
pub struct VectorView {
    pub(super) model: Arc<ModelStamp>,
    pub(super) rows: Rows,
    pub(super) held: PassageTable,
    /// Present where the model reads words in their sentence.
    pub(super) words: Option<WordFile>,
    /// Distinct passages that have no vector yet.
    pub(super) missing: usize,
    /// Present where the graph may answer.
    pub(super) ann: Option<Arc<AnnSlot>>,
}

impl VectorView {
    /// The best `limit` entries inside `scope` by their best passage: highest cosine first, then the later entry.
    ///
    /// Exact unless the second part says [`Scan::Hnsw`]. A query of another dimension, without a direction or with NaN
    /// finds nothing. Cost of the exact scan: one byte a component of all vectors, or the vectors of the scope where it
    /// is small; of the graph: some hundred comparisons.
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

    /// The vectors of an entry's passages, for "close to this entry". Those that have none yet, or where the model
    /// could read nothing, are left out.
    pub fn of_entry(&self, key: EntryKey) -> Vec<(Range<u32>, Vec<f32>)> {
        let passages = self.held.find(key).into_iter().flat_map(|entry| entry.passages());
        let with_vector = passages.filter_map(|held| Some((held.span, held.place.row()?)));
        with_vector
            .filter(|(_, row)| !self.rows.is_zero(*row))
            .map(|(span, row)| (span, self.rows.vector(row)))
            .collect()
    }

    /// Whether a search read damaged vectors, and ranked them by the half that lies in memory.
    pub fn is_damaged(&self) -> bool {
        self.rows.fine.is_damaged()
    }

    /// How many vectors are damaged in the half that stays in its file. Reads all of it.
    pub fn damaged(&self) -> usize {
        (0..self.rows.len() as u32).filter(|row| !self.rows.is_sound(*row)).count()
    }

    /// How close an entry's words come to a question's, by its best passage, from 0 to 1, and how many words were looked at;
    /// `None` where it was not told yet, or the words of one of its passages are not kept. Reads them from the file.
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

    /// Distinct passages with a vector, and of how many.
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

/// Gathers the best entries of one search.
struct Best<'a> {
    view: &'a VectorView,
    probe: &'a Probe,
    scope: &'a Scope,
    limit: usize,
    found: KeyMap<BestPassage>,
    /// Room for the half of a vector that is read from its file.
    lower: Vec<i8>,
}

impl<'a> Best<'a> {
    fn new(view: &'a VectorView, probe: &'a Probe, scope: &'a Scope, limit: usize) -> Self {
        Self { view, probe, scope, limit: limit.min(scope.len()), found: KeyMap::default(), lower: Vec::new() }
    }

    /// Compares a row in full for all its entries inside the scope. `threshold`: what an entry must reach to matter.
    fn offer(&mut self, row: u32, threshold: f32) {
        if self.view.rows.is_zero(row) {
            return;
        }
        let (view, scope, probe) = (self.view, self.scope, self.probe);
        let mut score = None;
        // Where all entries are wanted, whose the row is matters only if it is close enough; else that is found out first, since
        // comparing reads a file.
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

    /// The score an entry must reach to be among the first `limit`; minus infinity while there are fewer.
    fn threshold(&self) -> f32 {
        if self.found.len() < self.limit {
            return f32::NEG_INFINITY;
        }
        let mut scores: Vec<f32> = self.found.values().map(|best| best.score).collect();
        let (_, kth, _) = scores.select_nth_unstable_by(self.limit - 1, |a, b| b.total_cmp(a));
        *kth
    }

    /// The passages of the entries inside the scope. What many of them repeat is looked at once: to go through all that hold it
    /// from each of them takes seconds in a long journal.
    fn by_entries(&mut self) {
        let view = self.view;
        let held = self.scope.entries().filter_map(|entry| view.held.find(entry.key));
        let mut rows: Vec<u32> = held.flat_map(Holding::passages).filter_map(|held| held.place.row()).collect();
        rows.sort_unstable();
        rows.dedup();
        let bounds = view.rows.bounds_of(&rows, self.probe);
        self.by_promise(&bounds, |at| rows[at]);
    }

    /// Every row from `first` on.
    fn by_bounds(&mut self, first: usize) {
        let bounds = self.view.rows.bounds(first, self.probe);
        self.by_promise(&bounds, |at| (first + at) as u32);
    }

    /// Of some rows and their bounds, those whose int8 product leaves a chance are compared in full. The most promising come
    /// first, until `limit` entries are known; then those that could still reach the last of them.
    fn by_promise(&mut self, bounds: &[f32], row: impl Fn(usize) -> u32) {
        let peaks: Vec<f32> = bounds.chunks(BLOCK).map(highest).collect();
        let mut wanted = RESCORED.max(self.limit.saturating_mul(4));
        let mut ceiling = f32::INFINITY;
        loop {
            // Equal scores are decided by the entry's place, so a bound equal to the threshold is looked at too.
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

    /// Asks the graph, and looks at every row added since it was built. False where it cannot fill the list (many
    /// rows removed, many passages an entry): the scan must answer then.
    fn by_graph(&mut self, graph: &Graph) -> bool {
        const WIDEST: usize = 4096;
        // 64 would do for queries like the vectors themselves; questions lie apart from them.
        let mut breadth = self.limit.saturating_mul(4).max(128);
        while breadth <= WIDEST {
            let rows = graph.nearest(&self.probe.vector, breadth);
            let exhausted = rows.len() < breadth;
            // A row may be newer than this view.
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

/// Bounds of which only the highest is looked at where that is too low.
const BLOCK: usize = 32;

/// Side by side: a single comparison would have to wait for the one before it.
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

/// A number that at least `wanted` of `bounds` reach, and seldom many more: the last of so many blocks by their highest
/// bound. `peaks` are those of [`BLOCK`] each. Minus infinity where there are no more blocks than that.
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
