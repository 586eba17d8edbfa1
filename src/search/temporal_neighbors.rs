//! Temporal neighbours: an entry written minutes after a good hit is probably about the same topic, two hours later
//! rarely.

use std::collections::HashMap;

use jiff::civil::Date;

use super::{fuse::Fused, question_features};
use crate::index::{Catalog, EntryKey, catalog::KeySet};

/// The share of its better neighbour's score that a candidate gets, if written in the same minute. On dialogues .3 to
/// .5 raises recall@10 by a point; more lowers it.
const SHARE: f32 = 0.5;
/// Half-life of this share in minutes between the entries.
const HALF_LIFE: f32 = 30.0;
/// The score for candidates of the day with the best entry; other days in proportion to their best.
const DAY: f32 = 0.3;
/// The reduction of all this for an entry that matches the query's words fully; others in proportion. On judged
/// conversations nDCG@10 .675 with it, .663 without, recall@10 .812 for both; from .4 to .7 they change by .002.
const SAID: f32 = 0.5;
/// Number of entries before and after that count as neighbours.
const REACH: u32 = 2;

/// Number of best entries whose neighbours are added. A question and its answer are often adjacent and share no word.
const BRINGING: usize = 20;

/// The same-day neighbours of the best of `order` (best first) that are not in it, in catalog order.
pub fn missing(order: &[Fused], catalog: &Catalog, allows: impl Fn(EntryKey) -> bool) -> Vec<EntryKey> {
    let entries = catalog.entries();
    let known: KeySet = order.iter().map(|fused| fused.key).collect();
    let rows = order.iter().take(BRINGING).filter_map(|fused| catalog.row(fused.key));
    let mut near: Vec<u32> = rows
        .flat_map(|row| {
            let day = entries[row as usize].day;
            let near = row.saturating_sub(REACH)..=row.saturating_add(REACH);
            near.filter(move |other| entries.get(*other as usize).is_some_and(|entry| entry.day == day))
        })
        .filter(|row| !known.contains(&entries[*row as usize].key))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|row| entries[row as usize].key).filter(|key| allows(*key)).collect()
}

/// Adds the neighbour scores, computed from the scores before, and, if the query `asks`, subtracts the penalty for
/// questions. `said`: how well an entry matches the query's words, from 0 to 1 for the best. The caller must sort
/// again.
pub fn lift(order: &mut [Fused], catalog: &Catalog, asks: bool, said: impl Fn(EntryKey) -> f32) {
    let entries = catalog.entries();
    // In catalog order, neighbours of a candidate are adjacent here too.
    let mut placed: Vec<Placed> = order
        .iter()
        .enumerate()
        .filter_map(|(at, fused)| {
            let row = catalog.row(fused.key)?;
            let entry = &entries[row as usize];
            let asking = if asks { f32::from(entry.asking) / 100.0 } else { 0.0 };
            Some(Placed { row, at, score: fused.score, asking, day: entry.day, second: entry.time.at.as_second() })
        })
        .collect();
    placed.sort_unstable_by_key(|placed| placed.row);
    let days = best_of_days(&placed);
    let best = days.values().map(|(first, _)| *first).fold(0.0, f32::max);
    for (place, own) in placed.iter().enumerate() {
        let near = |other: &&Placed| other.row.abs_diff(own.row) <= REACH;
        let before = placed[..place].iter().rev().take_while(near);
        let after = placed[place + 1..].iter().take_while(near);
        let shares = before.chain(after).filter(|other| other.day == own.day).map(|other| {
            let minutes = (other.second - own.second).unsigned_abs() as f32 / 60.0;
            let answered = if other.row + 1 == own.row { question_features::answering(other.asking) } else { 1.0 };
            other.score * answered * 0.5f32.powf(minutes / HALF_LIFE)
        });
        let (first, second) = days.get(&own.day).copied().unwrap_or_default();
        // The best of a day has only the second as its neighbour but gets the score of the whole day: otherwise the
        // second of a good day would overtake it.
        let beside_it = if own.score < first { first } else { second };
        let of_day = |score: f32| if best > 0.0 { DAY * score / best } else { 0.0 };
        let near = SHARE * shares.fold(0.0, f32::max);
        let fused = &mut order[own.at];
        fused.beside = (near + of_day(beside_it)) * (1.0 - SAID * said(fused.key));
        fused.asks = own.score * question_features::lost(own.asking);
        fused.score += fused.beside + of_day(first) - of_day(beside_it) - fused.asks;
    }
}

/// A candidate and its positions.
struct Placed {
    /// Row in the catalog.
    row: u32,
    /// Index in the order.
    at: usize,
    score: f32,
    /// The share of its words in questions; 0 if the query is none.
    asking: f32,
    day: Date,
    second: i64,
}

/// The two best scores of each day.
fn best_of_days(placed: &[Placed]) -> HashMap<Date, (f32, f32)> {
    let mut days: HashMap<Date, (f32, f32)> = HashMap::new();
    for placed in placed {
        let (first, second) = days.entry(placed.day).or_default();
        if placed.score > *first {
            (*first, *second) = (placed.score, *first);
        } else {
            *second = second.max(placed.score);
        }
    }
    days
}
