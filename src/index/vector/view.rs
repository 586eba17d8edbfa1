//! One immutable state of the meaning index, and the search over it.

use std::{ops::Range, sync::Arc};

use super::{
    Scan, VectorHit, WordProbe,
    ann::{AnnSlot, Graph},
    held::{Entries, Owner, Owners},
    rows::{Probe, Rows},
    word_log::WordFile,
};
use crate::{
    embed::ModelStamp,
    index::{EntryKey, Scope, catalog::KeyMap},
};

/// Rows that are compared in full at least, however few entries are asked for.
const RESCORED: usize = 256;

/// The reading side: immutable, cheap to clone behind an `Arc`.
pub struct VectorView {
    pub(super) model: Arc<ModelStamp>,
    pub(super) rows: Rows,
    pub(super) entries: Entries,
    pub(super) owners: Owners,
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
        if scope.len() < scope.catalog().entries().len() / 8 {
            best.by_entries();
        } else {
            best.by_bounds(0);
        }
        (best.into_hits(), Scan::Exact)
    }

    /// The vectors of an entry's passages, for "close to this entry". Those that have none yet, or where the model
    /// could read nothing, are left out.
    pub fn of_entry(&self, key: EntryKey) -> Vec<(Range<u32>, Vec<f32>)> {
        let passages = self.entries.find(key).map(|entry| &entry.passages[..]).unwrap_or_default();
        let with_vector = passages.iter().filter_map(|held| Some((held.span.clone(), held.row?)));
        with_vector
            .filter(|(_, row)| !self.rows.is_zero(*row))
            .map(|(span, row)| (span, self.rows.vector(row)))
            .collect()
    }

    /// How close an entry's words come to a question's, by its best passage, from 0 to 1, and how many words were looked at;
    /// `None` where it was not told yet, or the words of one of its passages are not kept. Reads them from the file.
    pub fn word_likeness(&self, key: EntryKey, probe: &WordProbe) -> Option<(f32, usize)> {
        let file = self.words.as_ref()?;
        let entry = self.entries.find(key)?;
        let (mut best, mut read) = (0f32, 0);
        for held in entry.passages.iter() {
            let codes = file.codes(held.row?, held.hash)?;
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
        (self.owners.live(), self.owners.live() + self.missing)
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
}

impl<'a> Best<'a> {
    fn new(view: &'a VectorView, probe: &'a Probe, scope: &'a Scope, limit: usize) -> Self {
        Self { view, probe, scope, limit: limit.min(scope.len()), found: KeyMap::default() }
    }

    /// Compares a row in full for all its entries inside the scope.
    fn offer(&mut self, row: u32) {
        if self.view.rows.is_zero(row) {
            return;
        }
        let mut score = None;
        for owner in self.view.owners.of(row) {
            if let Some(catalog_row) = self.scope.row(owner.key) {
                let score = *score.get_or_insert_with(|| self.view.rows.score(row, self.probe));
                self.offer_owner(owner, BestPassage { score, span: owner.span.clone(), catalog_row });
            }
        }
    }

    fn offer_owner(&mut self, owner: &Owner, new: BestPassage) {
        self.found
            .entry(owner.key)
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

    /// Every passage of the entries inside the scope, in full.
    fn by_entries(&mut self) {
        let (view, scope) = (self.view, self.scope);
        for entry in scope.entries() {
            let Some(held) = view.entries.find(entry.key) else { continue };
            held.passages.iter().filter_map(|passage| passage.row).for_each(|row| self.offer(row));
        }
    }

    /// Every row from `first` on: those whose int8 product leaves a chance are compared in full. The most promising
    /// come first, until `limit` entries are known; then those that could still reach the last of them.
    fn by_bounds(&mut self, first: usize) {
        let bounds = self.view.rows.bounds(first, self.probe);
        let mut wanted = RESCORED.max(self.limit.saturating_mul(4));
        let mut ceiling = f32::INFINITY;
        loop {
            // Equal scores are decided by the entry's place, so a bound equal to the threshold is looked at too.
            let threshold = self.threshold();
            let floor = if threshold.is_finite() { threshold } else { floor_of(&bounds, wanted) };
            for (at, bound) in bounds.iter().enumerate() {
                if *bound >= floor && *bound < ceiling {
                    self.offer((first + at) as u32);
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
            rows.into_iter().filter(|row| (*row as usize) < self.view.rows.len()).for_each(|row| self.offer(row));
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

/// A number that at least `wanted` of `bounds` reach, and seldom many more: the last of so many blocks by their highest
/// bound, which is found in one pass. Minus infinity where there are no more blocks than that.
fn floor_of(bounds: &[f32], wanted: usize) -> f32 {
    let block = (bounds.len() / wanted.saturating_mul(8)).max(1);
    let mut highest: Vec<f32> =
        bounds.chunks(block).map(|block| block.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b))).collect();
    if highest.len() <= wanted {
        return f32::NEG_INFINITY;
    }
    *highest.select_nth_unstable_by(wanted - 1, |a, b| b.total_cmp(a)).1
}
