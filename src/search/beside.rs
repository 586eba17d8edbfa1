//! What stands beside a good hit on the same day is more likely meant: the day is about it.

use super::fuse::Fused;
use crate::index::{Catalog, catalog::KeyMap};

/// The part of its better neighbour's score that a candidate gets on top of its own.
const SHARE: f32 = 0.3;
/// How many entries before and after count as neighbours.
const REACH: u32 = 2;

/// Lifts the candidates that stand near better ones, by their scores before. Nothing that no leg found comes in. The
/// caller sorts again.
pub fn lift(order: &mut [Fused], catalog: &Catalog) {
    let scores: KeyMap<f32> = order.iter().map(|fused| (fused.key, fused.score)).collect();
    for fused in order {
        let Some(row) = catalog.row(fused.key) else { continue };
        let entries = catalog.entries();
        let day = entries[row as usize].day;
        let near = (row.saturating_sub(REACH)..=row.saturating_add(REACH)).filter(|other| *other != row);
        let same_day = near.filter_map(|other| entries.get(other as usize)).filter(|entry| entry.day == day);
        let best = same_day.filter_map(|entry| scores.get(&entry.key)).copied().fold(0.0, f32::max);
        fused.score += SHARE * best;
    }
}
