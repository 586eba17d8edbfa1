//! Walks over the graph for the screens: who goes with whom, and how two are connected.

use std::collections::HashMap;

use super::{EntityRef, view::GraphView};
use crate::index::EntryKey;

/// What connects one step of a path with the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Something is stated between them (see [`GraphView::edges`]).
    Stated,
    /// They stand together in an entry: the latest that was looked at.
    Entry(EntryKey),
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathStep {
    pub entity: EntityRef,
    /// `None` for the first.
    pub via: Option<Via>,
}

/// The latest entries of an entity that a path may lead through.
const MOST_ROWS: usize = 300;
/// How many entities a search for a path visits before it gives up.
const MOST_VISITED: usize = 20_000;

impl GraphView {
    /// The entities that stand in the same entries, with how many, most first, then by rank in [`GraphView::entities`].
    /// Costs the entity's entries times their mentions.
    pub fn neighbours(&self, entity: EntityRef) -> Vec<(EntityRef, u32)> {
        let mut counts: HashMap<EntityRef, u32> = HashMap::new();
        for row in self.posting(entity) {
            let mentions = self.row_mentions(*row);
            for (at, (other, _)) in mentions.iter().enumerate() {
                let again = mentions[..at].iter().any(|(earlier, _)| earlier == other);
                if *other != entity && !again {
                    *counts.entry(*other).or_default() += 1;
                }
            }
        }
        let mut counts: Vec<(EntityRef, u32)> = counts.into_iter().collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts
    }

    /// A shortest chain from one entity to another of at most `max_hops` steps; `None` where there is none within the caps.
    /// Of chains of one length it prefers what is stated, then those over rare entities: a hub connects everybody and
    /// explains nothing. Breadth first, at most 20,000 entities and 300 entries of each.
    pub fn path(&self, from: EntityRef, to: EntityRef, max_hops: usize) -> Option<Vec<PathStep>> {
        let known = |entity: EntityRef| (entity.0 as usize) < self.entities.len();
        if !known(from) || !known(to) {
            return None;
        }
        if from == to {
            return Some(vec![PathStep { entity: from, via: None }]);
        }
        let mut came: HashMap<EntityRef, (EntityRef, Via)> = HashMap::new();
        let mut frontier = vec![from];
        for _ in 0..max_hops {
            let mut next = Vec::new();
            for entity in frontier {
                for (other, via) in self.steps(entity) {
                    if other != from && !came.contains_key(&other) {
                        came.insert(other, (entity, via));
                        next.push(other);
                    }
                }
                if came.contains_key(&to) {
                    return Some(trace(&came, from, to));
                }
                if came.len() > MOST_VISITED {
                    return None;
                }
            }
            next.sort_unstable_by_key(|entity| (self.posting(*entity).len(), *entity));
            frontier = next;
        }
        None
    }

    /// Where one step leads: first over what is stated, then over the latest entries.
    fn steps(&self, entity: EntityRef) -> impl Iterator<Item = (EntityRef, Via)> {
        let stated = self.stated_neighbours(entity).into_iter().map(|other| (other, Via::Stated));
        let rows = self.posting(entity).iter().rev().take(MOST_ROWS);
        let together = rows.flat_map(|row| {
            let entry = self.rows[*row as usize].1;
            self.row_mentions(*row).iter().map(move |(other, _)| (*other, Via::Entry(entry)))
        });
        stated.chain(together)
    }
}

fn trace(came: &HashMap<EntityRef, (EntityRef, Via)>, from: EntityRef, to: EntityRef) -> Vec<PathStep> {
    let mut steps = Vec::new();
    let mut at = to;
    while let Some((before, via)) = came.get(&at).filter(|_| at != from) {
        steps.push(PathStep { entity: at, via: Some(*via) });
        at = *before;
    }
    steps.push(PathStep { entity: from, via: None });
    steps.reverse();
    steps
}
