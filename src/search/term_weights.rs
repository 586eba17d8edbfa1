//! IDF weights of a query's words, and the weighted shares of words that an entry contains.

use std::collections::HashMap;

/// The IDF of BM25 of a word that so many of all entries contain.
pub fn idf(frequency: f32, entries: f32) -> f32 {
    (1.0 + (entries - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// The weight of each word of a query.
#[derive(Debug, Default)]
pub struct TermWeights {
    /// By index in the query; words that are not searched have weight 0.
    words: Vec<f32>,
    total: f32,
    /// By index in the query: searched, and in no entry of the journal.
    nowhere: Vec<bool>,
    /// By index in the query, for every word.
    rarities: Vec<f32>,
}

impl TermWeights {
    /// `sought`: indices of the searched words; `frequencies`: number of entries (of `entries`) with each. A word in no
    /// entry has the largest weight: an entry without it does not answer.
    pub fn new(words: &[String], sought: &[usize], frequencies: &HashMap<String, u64>, entries: u64) -> Self {
        let rarity = |word: &String| {
            let frequency = frequencies.get(word).copied().unwrap_or(0).min(entries) as f32;
            idf(frequency, entries as f32)
        };
        let rarities: Vec<f32> = words.iter().map(rarity).collect();
        let mut weights = vec![0.0; words.len()];
        for place in sought {
            weights[*place] = rarities[*place];
        }
        let nowhere = words.iter().map(|word| frequencies.get(word).is_none_or(|frequency| *frequency == 0)).collect();
        Self { total: weights.iter().sum(), words: weights, nowhere, rarities }
    }

    /// The IDF of a word, whether or not it is searched.
    pub fn rarity(&self, word: usize) -> f32 {
        self.rarities.get(word).copied().unwrap_or(0.0)
    }

    /// Number of searched words.
    pub fn count(&self) -> usize {
        self.words.iter().filter(|weight| **weight > 0.0).count()
    }

    /// The share of the weight in these words; a repeated word counts once.
    pub fn coverage(&self, held: &[usize]) -> f32 {
        self.share(|place| if held.contains(&place) { 1.0 } else { 0.0 })
    }

    /// The share of the weight in words that no entry contains.
    pub fn nowhere(&self) -> f32 {
        self.missing(&[], &[])
    }

    /// The same, less words found in another spelling, and less the similarity (`alike`) of words in an entry.
    pub fn missing(&self, held: &[usize], alike: &[(usize, f32)]) -> f32 {
        let alike = |place: usize| alike.iter().find(|(word, _)| *word == place).map_or(0.0, |(_, alike)| *alike);
        self.share(|place| if self.nowhere[place] && !held.contains(&place) { 1.0 - alike(place) } else { 0.0 })
    }

    fn share(&self, of: impl Fn(usize) -> f32) -> f32 {
        let weighed = self.words.iter().enumerate().map(|(place, weight)| weight * of(place));
        if self.total > 0.0 { weighed.sum::<f32>() / self.total } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(words: &[(&str, u64)]) -> TermWeights {
        let names: Vec<_> = words.iter().map(|(word, _)| word.to_string()).collect();
        let sought: Vec<_> = (0..words.len()).collect();
        TermWeights::new(&names, &sought, &words.iter().map(|(word, n)| (word.to_string(), *n)).collect(), 1_000)
    }

    #[test]
    fn a_rare_word_weighs_more_than_a_common_one() {
        let weights = weights(&[("work", 300), ("submarine", 2)]);
        assert!(weights.coverage(&[0]) < 0.5 && weights.coverage(&[1]) > 0.5);
        assert_eq!(weights.coverage(&[0, 0]), weights.coverage(&[0]), "said twice is said once");
        assert!((weights.coverage(&[1, 0]) - 1.0).abs() < 1e-6);
        assert_eq!((weights.count(), TermWeights::default().coverage(&[])), (2, 0.0));
    }

    #[test]
    fn a_word_that_stands_nowhere_is_missing_unless_something_is_like_it() {
        let weights = weights(&[("dinner", 100), ("volcano", 0)]);
        assert!(weights.coverage(&[0]) < 0.5 && weights.missing(&[0], &[]) > 0.5);
        assert!(weights.missing(&[0], &[(1, 0.9)]) < 0.1, "half as alike it would be half missing");
        assert_eq!(weights.missing(&[0, 1], &[]), 0.0, "held by another spelling");
        assert_eq!(weights.nowhere(), weights.missing(&[0], &[]));
    }
}
