//! Counts of equal items.

use std::{collections::HashMap, hash::Hash};

/// Each item with its number, the most frequent first.
pub fn tally<T: Ord + Hash>(items: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    items.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
    counts
}
