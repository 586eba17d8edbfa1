//! The graph leg: entries connected with the entities of a query, directly or over one more entity.
//!
//! Direct: the share of the query's names that an entry has, weighted by inverse document frequency, so an entry with
//! all of them comes first. A name in its head (a tag, a mood) tells the subject of the entry and counts in full; one
//! in its text may be mentioned in passing and counts half. Over one more entity: at most a quarter, times how
//! closely the two entities are connected (cosine of the entries they are in, so a hub connects weakly with
//! everything; a stated relation counts more). All work is capped, so that a name in every entry costs no more than
//! the caps allow.

use std::{collections::BinaryHeap, ops::Range};

use super::{
    EntityRef, GraphHit,
    view::{GraphView, Row},
};
use crate::index::{EntryKey, Scope};

/// Maximum number of names in a query.
const MOST_SEEDS: usize = 16;
/// Number of seeds, the rarest, from which a second hop is made.
const MOST_WALKED: usize = 6;
/// Latest entries of a seed that are searched for companions.
const MOST_ROWS_ASKED: usize = 1_500;
/// Number of companions that are followed, the closest first.
const MOST_COMPANIONS: usize = 16;
/// Latest entries of a companion that are returned.
const MOST_ROWS_TAKEN: usize = 300;
/// Maximum score of an entry over one more entity, relative to a direct one.
const SECOND_HOP: f32 = 0.25;
/// Weight of a name in the text, relative to one in the head.
const IN_THE_TEXT: f32 = 0.5;
/// Minimum closeness of two entities with a stated relation.
const STATED: f32 = 0.5;

/// How an entry was reached: from the seed, and over a companion, if any.
type Way = (EntityRef, Option<EntityRef>);

/// Scores by row, and the rows that have one.
struct Board {
    /// 0 where a row was not reached.
    scores: Vec<f32>,
    /// Index into `ways`.
    way_of: Vec<u16>,
    ways: Vec<Way>,
    touched: Vec<Row>,
}

impl Board {
    fn new(rows: usize) -> Self {
        Self { scores: vec![0.0; rows], way_of: vec![0; rows], ways: Vec::new(), touched: Vec::new() }
    }

    /// Adds the score of a seed to each row. Seeds come rarest first: the first one is shown as the reason.
    fn add_direct(&mut self, worth: impl Iterator<Item = (Row, f32)>, seed: EntityRef) {
        let way = self.ways.len() as u16;
        self.ways.push((seed, None));
        for (row, worth) in worth {
            let score = &mut self.scores[row as usize];
            if *score == 0.0 {
                self.way_of[row as usize] = way;
                self.touched.push(row);
            }
            *score += worth;
        }
    }

    /// Sets the score of rows without a seed to that of the best way; ways come best first.
    fn offer<'a>(&mut self, rows: impl Iterator<Item = &'a Row>, score: f32, way: Way) {
        let place = self.ways.len() as u16;
        self.ways.push(way);
        for row in rows.filter(|row| score > 0.0 && self.scores[**row as usize] == 0.0).copied().collect::<Vec<_>>() {
            self.scores[row as usize] = score;
            self.way_of[row as usize] = place;
            self.touched.push(row);
        }
    }
}

impl GraphView {
    /// The entries in `scope` that are connected with the seeds, directly or over one more entity: best first, then
    /// the later day, then the key. Scores are from 0 to 1; 1 is an entry with all the seeds in its head. Under 2 ms
    /// at 100,000 entries.
    pub fn search(&self, seeds: &[EntityRef], scope: &Scope, limit: usize) -> Vec<GraphHit> {
        let seeds = self.by_rarity(seeds);
        if seeds.is_empty() || limit == 0 || scope.is_empty() {
            return Vec::new();
        }
        let whole: f32 = seeds.iter().map(|(_, rarity)| rarity).sum();
        let mut board = Board::new(self.rows.len());
        for (seed, rarity) in &seeds {
            let worth = |row: &Row| (*row, self.standing(*row, *seed) * rarity / whole);
            board.add_direct(self.posting(*seed).iter().map(worth), *seed);
        }
        for (seed, over, score) in self.companions(&seeds, whole) {
            board.offer(self.posting(over).iter().rev().take(MOST_ROWS_TAKEN), score, (seed, Some(over)));
        }
        self.best(&board, scope, limit)
    }

    /// The direct part of [`GraphView::search`] for these entries, with the name of the rarest seed in each; `None`
    /// for an entry without any seed. Costs a lookup for each pair.
    pub fn direct(&self, seeds: &[EntityRef], keys: &[EntryKey]) -> Vec<Option<(f32, String)>> {
        let seeds = self.by_rarity(seeds);
        let whole: f32 = seeds.iter().map(|(_, rarity)| rarity).sum();
        let of_row = |row: Row| {
            let mut found: Option<(f32, String)> = None;
            for (seed, rarity) in seeds.iter().filter(|(seed, _)| self.posting(*seed).binary_search(&row).is_ok()) {
                let (score, _) = found.get_or_insert_with(|| (0.0, self.entity(*seed).name.clone()));
                *score += self.standing(row, *seed) * rarity / whole;
            }
            found.map(|(score, name)| (score.min(1.0), name))
        };
        keys.iter().map(|key| of_row(*self.row_of.get(key)?)).collect()
    }

    /// The weight of a mention: in the head, or only in the text.
    fn standing(&self, row: Row, entity: EntityRef) -> f32 {
        // A mention in the head has an empty span.
        let in_head = |(said, span): &(EntityRef, Range<u32>)| *said == entity && span.is_empty();
        if self.row_mentions(row).iter().any(in_head) { 1.0 } else { IN_THE_TEXT }
    }

    /// Seeds with their inverse document frequency, rarest first, each once.
    fn by_rarity(&self, seeds: &[EntityRef]) -> Vec<(EntityRef, f32)> {
        let mut seeds: Vec<EntityRef> = seeds.iter().copied().filter(|seed| !self.posting(*seed).is_empty()).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let mut seeds: Vec<(EntityRef, f32)> = seeds.into_iter().map(|seed| (seed, self.rarity(seed))).collect();
        seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        seeds.truncate(MOST_SEEDS);
        seeds
    }

    /// ln(1 + entries / entries with it): never 0, not even for a name in every entry.
    fn rarity(&self, entity: EntityRef) -> f32 {
        (1.0 + self.rows.len() as f32 / self.posting(entity).len().max(1) as f32).ln()
    }

    /// The entities closest to the seeds: (seed, companion, score of an entry reached over it), best first.
    fn companions(&self, seeds: &[(EntityRef, f32)], whole: f32) -> Vec<(EntityRef, EntityRef, f32)> {
        let mut found = Vec::new();
        let mut together = vec![0u32; self.entities.len()];
        let mut last_row = vec![Row::MAX; self.entities.len()];
        for (seed, rarity) in seeds.iter().take(MOST_WALKED) {
            let mut met = Vec::new();
            let rows = self.posting(*seed);
            let asked = &rows[rows.len().saturating_sub(MOST_ROWS_ASKED)..];
            last_row.fill(Row::MAX);
            for row in asked {
                for (entity, _) in self.row_mentions(*row) {
                    let at = entity.0 as usize;
                    if std::mem::replace(&mut last_row[at], *row) != *row {
                        if together[at] == 0 {
                            met.push(*entity);
                        }
                        together[at] += 1;
                    }
                }
            }
            let stated = self.stated_neighbours(*seed);
            met.extend(stated.iter().filter(|entity| together[entity.0 as usize] == 0));
            for entity in met {
                let count = std::mem::take(&mut together[entity.0 as usize]);
                // A feeling or an ordinary event co-occurs with everything and connects nothing.
                if self.ordinary[entity.0 as usize] || seeds.iter().any(|(other, _)| *other == entity) {
                    continue;
                }
                let size = asked.len() as f32 * self.posting(entity).len().max(1) as f32;
                let mut closeness = (count as f32 / size.sqrt()).min(1.0);
                if stated.binary_search(&entity).is_ok() {
                    closeness = closeness.max(STATED);
                }
                found.push((*seed, entity, SECOND_HOP * closeness * rarity / whole));
            }
        }
        found.sort_unstable_by(|a, b| b.2.total_cmp(&a.2).then((a.1, a.0).cmp(&(b.1, b.0))));
        found.truncate(MOST_COMPANIONS);
        found
    }

    /// The best rows that the scope allows, with as few checks of the scope as possible.
    fn best(&self, board: &Board, scope: &Scope, limit: usize) -> Vec<GraphHit> {
        let allowed = |row: &Row| scope.allows(self.rows[*row as usize].1);
        // Scores are positive, so their bits sort like their values; a later row is a later day.
        let rank = |row: Row| (u64::from(board.scores[row as usize].to_bits()) << 32) | u64::from(row);
        let ranks: Vec<u64> = if scope.len() < board.touched.len() / 4 {
            let inside = scope.entries().filter_map(|entry| self.row_of.get(&entry.key).copied());
            inside.filter(|row| board.scores[*row as usize] > 0.0).map(rank).collect()
        } else {
            board.touched.iter().map(|row| rank(*row)).collect()
        };
        let mut heap = BinaryHeap::from(ranks);
        std::iter::from_fn(|| heap.pop())
            .map(|rank| rank as u32)
            .filter(allowed)
            .take(limit)
            .map(|row| self.hit(row, board))
            .collect()
    }

    fn hit(&self, row: Row, board: &Board) -> GraphHit {
        let (seed, over) = board.ways[board.way_of[row as usize] as usize];
        let name = |entity: EntityRef| self.entity(entity).name.clone();
        let path = std::iter::once(seed).chain(over).map(name).collect();
        GraphHit { key: self.rows[row as usize].1, score: board.scores[row as usize].min(1.0), path }
    }
}
