//! Top-k collection within a scope: filtered before the cut, with deterministic ties.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    sync::Arc,
};

use tantivy::{
    BitSet, DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
    columnar::ColumnValues,
    query::Weight,
};

use super::schema::Fields;
use crate::index::{EntryKey, Scope, catalog::KeySet};

/// One candidate, ordered by score, then the later time, then the smaller key.
#[derive(Debug, Clone, Copy)]
pub struct Ranked {
    pub score: Score,
    pub time: i64,
    pub key: EntryKey,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.time.cmp(&other.time)).then_with(|| other.key.cmp(&self.key))
    }
}
impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Ranked {}

/// Options of one collection.
#[derive(Clone)]
pub struct Best {
    pub scope: Scope,
    /// The scope is known to allow every hit. A common word is in half of all entries, and looking each of them up by
    /// key costs more than scoring it.
    pub all: bool,
    /// Entries that another view covers.
    pub except: Option<Arc<KeySet>>,
    /// Matches of this are excluded.
    pub excluded: Option<Arc<dyn Weight>>,
    pub limit: usize,
}

/// The best entries of one segment, and the number of its matches.
#[derive(Default)]
pub struct Share {
    pub best: Vec<Ranked>,
    pub total: usize,
}

impl Share {
    /// The best `limit` entries of several shares, and the number of all matches.
    pub fn merged(shares: Vec<Self>, limit: usize) -> Self {
        let total = shares.iter().map(|share| share.total).sum();
        let mut best: Vec<Ranked> = shares.into_iter().flat_map(|share| share.best).collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        best.truncate(limit);
        Self { best, total }
    }
}

pub struct SegmentBest {
    ask: Best,
    keys: Arc<dyn ColumnValues<u64>>,
    times: Arc<dyn ColumnValues<i64>>,
    excluded: Option<BitSet>,
    /// The worst on top, at most `ask.limit` elements.
    heap: BinaryHeap<Reverse<Ranked>>,
    total: usize,
}

impl SegmentBest {
    fn key(&self, doc: DocId) -> EntryKey {
        EntryKey(self.keys.get_val(doc))
    }

    fn allows(&self, doc: DocId) -> bool {
        if self.ask.all {
            return true;
        }
        let key = self.key(doc);
        self.ask.scope.allows(key) && self.ask.except.as_ref().is_none_or(|keys| !keys.contains(&key))
    }
}

impl Collector for Best {
    type Fruit = Share;
    type Child = SegmentBest;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentBest> {
        let excluded = match &self.excluded {
            Some(excluded) => {
                let mut docs = BitSet::with_max_value(segment.max_doc());
                excluded.for_each_no_score(segment, &mut |block| {
                    for doc in block {
                        docs.insert(*doc);
                    }
                })?;
                Some(docs)
            }
            None => None,
        };
        Ok(SegmentBest {
            excluded,
            ask: self.clone(),
            keys: segment.fast_fields().column_first_or_default(Fields::KEY)?,
            times: segment.fast_fields().column_first_or_default(Fields::TIME)?,
            heap: BinaryHeap::with_capacity(self.limit.min(1024) + 1),
            total: 0,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, shares: Vec<Share>) -> tantivy::Result<Share> {
        Ok(Share::merged(shares, self.limit))
    }
}

impl SegmentCollector for SegmentBest {
    type Fruit = Share;

    fn collect(&mut self, doc: DocId, score: Score) {
        if self.excluded.as_ref().is_some_and(|docs| docs.contains(doc)) {
            return;
        }
        if !self.allows(doc) {
            return;
        }
        self.total += 1;
        let full = self.heap.len() >= self.ask.limit;
        if full && self.heap.peek().is_none_or(|Reverse(worst)| score < worst.score) {
            return;
        }
        self.heap.push(Reverse(Ranked { score, time: self.times.get_val(doc), key: self.key(doc) }));
        if full {
            self.heap.pop();
        }
    }

    fn harvest(self) -> Share {
        Share { best: self.heap.into_iter().map(|Reverse(ranked)| ranked).collect(), total: self.total }
    }
}

/// The keys of all matches, unranked.
pub struct Keys;

pub struct SegmentKeys {
    keys: Arc<dyn ColumnValues<u64>>,
    found: Vec<EntryKey>,
}

impl Collector for Keys {
    type Fruit = Vec<EntryKey>;
    type Child = SegmentKeys;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentKeys> {
        let keys = segment.fast_fields().column_first_or_default(Fields::KEY)?;
        Ok(SegmentKeys { keys, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, found: Vec<Vec<EntryKey>>) -> tantivy::Result<Vec<EntryKey>> {
        Ok(found.concat())
    }
}

impl SegmentCollector for SegmentKeys {
    type Fruit = Vec<EntryKey>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.found.push(EntryKey(self.keys.get_val(doc)));
    }

    fn harvest(self) -> Vec<EntryKey> {
        self.found
    }
}
