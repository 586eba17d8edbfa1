//! Rank fusion of the lists of the legs. Pure.

use std::{cmp::Ordering, collections::HashMap};

use serde::{Deserialize, Serialize};

use crate::index::EntryKey;

/// The fusion method.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// Reciprocal rank fusion: each list adds `weight / (k + rank)`. (Cormack, Clarke and Büttcher, SIGIR 2009, use k =
    /// 60 for hundreds of lists.) With two or three lists, a small k preserves the first ranks of one leg.
    Rrf { k: f32 },
    /// Each list adds `weight` times its score, which preserves the distances that ranks discard. Better than ranks on
    /// all judged journals.
    #[default]
    Score,
}

impl Fusion {
    /// The constant with the best results on judged journals.
    pub const RANKS: Self = Self::Rrf { k: 10.0 };
    pub const ALL: [Self; 2] = [Self::RANKS, Self::Score];
}

/// The candidates of one leg: best first, each entry once.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    pub weight: f32,
    pub scale: Scale,
    pub ranked: &'a [(EntryKey, f32)],
}

/// Normalisation of scores, so that lists are comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Min-max: the best candidate is 1, the worst 0.
    Stretched,
    /// None: the scores are shares from 0 to 1.
    Share,
}

/// An entry of the fused list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fused {
    pub key: EntryKey,
    pub score: f32,
    /// Its best rank in any list, from 1.
    pub best_rank: usize,
    /// The part of the score from its temporal neighbours.
    pub beside: f32,
    /// The penalty for an entry that asks, as the query does.
    pub asks: f32,
}

impl Fused {
    /// An entry that no list has.
    pub fn unranked(key: EntryKey) -> Self {
        Self { key, score: 0.0, best_rank: usize::MAX, beside: 0.0, asks: 0.0 }
    }
}

/// Fuses the lists by entry: by score descending, then by best rank, then by `tie` (which must be a total order).
pub fn fuse(fusion: Fusion, lists: &[List<'_>], tie: impl Fn(EntryKey, EntryKey) -> Ordering) -> Vec<Fused> {
    let mut places: HashMap<EntryKey, usize> = HashMap::new();
    let mut fused: Vec<Fused> = Vec::new();
    // Float sums depend on their order: add the largest contribution first, whatever the order of the lists.
    let mut shares: Vec<Vec<f32>> = Vec::new();
    for list in lists {
        let range = list.ranked.first().zip(list.ranked.last()).map(|(best, worst)| (best.1, worst.1));
        for (place, (key, score)) in list.ranked.iter().enumerate() {
            let share = match (fusion, range) {
                (Fusion::Rrf { k }, _) => list.weight / (k + (place + 1) as f32),
                (Fusion::Score, _) if list.scale == Scale::Share => list.weight * score,
                (Fusion::Score, Some((best, worst))) if best > worst => list.weight * (score - worst) / (best - worst),
                (Fusion::Score, _) => list.weight,
            };
            let at = *places.entry(*key).or_insert_with(|| {
                fused.push(Fused::unranked(*key));
                shares.push(Vec::new());
                fused.len() - 1
            });
            shares[at].push(share);
            fused[at].best_rank = fused[at].best_rank.min(place + 1);
        }
    }
    for (entry, shares) in fused.iter_mut().zip(&mut shares) {
        shares.sort_by(|a, b| b.total_cmp(a));
        entry.score = shares.iter().sum();
    }
    sort(&mut fused, tie);
    fused
}

/// By score descending, then by best rank, then by `tie`.
pub fn sort(fused: &mut [Fused], tie: impl Fn(EntryKey, EntryKey) -> Ordering) {
    fused.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.best_rank.cmp(&b.best_rank)).then_with(|| tie(a.key, b.key))
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_key(a: EntryKey, b: EntryKey) -> Ordering {
        a.cmp(&b)
    }

    fn keys(fused: &[Fused]) -> Vec<u64> {
        fused.iter().map(|entry| entry.key.0).collect()
    }

    fn list(keys: &[u64]) -> Vec<(EntryKey, f32)> {
        keys.iter().enumerate().map(|(place, key)| (EntryKey(*key), 1.0 / (place + 1) as f32)).collect()
    }

    #[test]
    fn what_two_legs_agree_on_comes_first() {
        let (one, two) = (list(&[1, 2, 3]), list(&[4, 2, 5]));
        let lists = [
            List { weight: 1.0, scale: Scale::Stretched, ranked: &one },
            List { weight: 1.0, scale: Scale::Stretched, ranked: &two },
        ];
        assert_eq!(keys(&fuse(Fusion::RANKS, &lists, by_key)), [2, 1, 4, 3, 5]);
    }

    #[test]
    fn a_lighter_leg_breaks_ties_but_does_not_lead() {
        let (one, two) = (list(&[1, 2]), list(&[3, 2]));
        let lists = [
            List { weight: 1.0, scale: Scale::Stretched, ranked: &one },
            List { weight: 0.1, scale: Scale::Stretched, ranked: &two },
        ];
        assert_eq!(keys(&fuse(Fusion::RANKS, &lists, by_key)), [2, 1, 3]);
    }

    #[test]
    fn scores_keep_how_sure_a_leg_is() {
        let one = vec![(EntryKey(1), 9.0), (EntryKey(2), 1.1), (EntryKey(3), 1.0)];
        let two = vec![(EntryKey(2), 0.52), (EntryKey(3), 0.51), (EntryKey(1), 0.5)];
        let lists = [
            List { weight: 1.0, scale: Scale::Stretched, ranked: &one },
            List { weight: 0.5, scale: Scale::Stretched, ranked: &two },
        ];
        assert_eq!(keys(&fuse(Fusion::Score, &lists, by_key)), [1, 2, 3]);
    }

    fn some_list() -> impl Strategy<Value = (f32, Vec<(EntryKey, f32)>)> {
        let keys = proptest::collection::vec(0u64..30, 0..20);
        (prop_oneof![Just(1.0f32), Just(0.3)], keys, 0u8..4).prop_map(|(weight, keys, flat)| {
            let mut seen = std::collections::HashSet::new();
            let once: Vec<_> = keys.into_iter().filter(|key| seen.insert(*key)).collect();
            let score = |place: usize| if flat == 0 { 0.5 } else { 1.0 - place as f32 * 0.01 };
            (weight, once.into_iter().enumerate().map(|(place, key)| (EntryKey(key), score(place))).collect())
        })
    }

    proptest! {
        #[test]
        fn the_order_of_the_legs_does_not_matter(
            (lists, shuffled) in proptest::collection::vec(some_list(), 0..4)
                .prop_flat_map(|lists| (Just(lists.clone()), Just(lists).prop_shuffle())),
            by_score: bool,
        ) {
            let fusion = if by_score { Fusion::Score } else { Fusion::RANKS };
            let run = |lists: &[(f32, Vec<(EntryKey, f32)>)]| {
                let lists: Vec<_> = lists.iter().map(|(weight, ranked)| List { weight: *weight, scale: Scale::Stretched, ranked }).collect();
                fuse(fusion, &lists, by_key)
            };
            prop_assert_eq!(run(&lists), run(&shuffled));
        }

        #[test]
        fn a_better_rank_never_lowers_an_entry(ranked in some_list(), other in some_list(), place: prop::sample::Index) {
            let (weight, mut list) = ranked;
            prop_assume!(list.len() > 1);
            let place = 1 + place.index(list.len() - 1);
            let risen = list[place].0;
            let position = |list: &[(EntryKey, f32)]| {
                let lists = [List { weight, scale: Scale::Stretched, ranked: list }, List { weight: other.0, scale: Scale::Stretched, ranked: &other.1 }];
                fuse(Fusion::RANKS, &lists, by_key).iter().position(|entry| entry.key == risen)
            };
            let before = position(&list);
            list.swap(place - 1, place);
            prop_assert!(position(&list) <= before);
        }

        #[test]
        fn every_candidate_is_there_once(lists in proptest::collection::vec(some_list(), 0..4)) {
            let mut all: Vec<_> = lists.iter().flat_map(|(_, list)| list.iter().map(|(key, _)| key.0)).collect();
            all.sort_unstable();
            all.dedup();
            let lists: Vec<_> = lists.iter().map(|(weight, ranked)| List { weight: *weight, scale: Scale::Stretched, ranked }).collect();
            let mut fused = keys(&fuse(Fusion::RANKS, &lists, by_key));
            fused.sort_unstable();
            prop_assert_eq!(fused, all);
        }
    }
}
