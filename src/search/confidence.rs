//! Confidence: whether a hit is a strong match, or only the best there is. "Nothing found" is an answer.

use std::collections::HashMap;

use super::action_terms::says_what_is_done;

/// A hit whose text holds this share of what the query's words weigh (by rarity) is about the query. Half: of two
/// words the rarer one, of a long question most of its content.
const COVERAGE: f32 = 0.5;

/// The same where meaning has its say too: then one of two words that are as rare is not enough. With half, 1.4 in a hundred
/// questions about what was never written are answered as if sure by words alone instead of .5.
const COVERAGE_BESIDE: f32 = 0.55;

/// What the words say beside the cosine: for, where each has its like in the entry; against, as far as they stand nowhere in the
/// whole journal and nothing in the entry is like them. (Where a word half as alike stood in for one whole, 3.3 points of recall@10
/// were lost on conversations to who reads only sure answers, 2.7 since, at no more questions about what was never written that
/// are answered as if sure.) From .3 to .5 it changes by a point.
const WORDS: f32 = 0.4;
/// The same where the query tells a whole sentence: of its many words the one that nobody wrote counts for little else. Of events
/// about something absent 27 in a hundred are taken for one that is there, 34 by [`WORDS`] alone.
const WORDS_TOLD: f32 = 0.6;

/// What a word weighs that says what was done, beside one that says to what. At the bar of that time 3.6 questions in a hundred
/// about what was never written came out as sure with it instead of 4.2, and no right answer more was held for unsure; the bar went down
/// since.
const DOING: f32 = 0.5;

/// How much each word of a query weighs.
#[derive(Debug, Default)]
pub struct Weights {
    /// By place in the query; what is not looked for weighs nothing.
    words: Vec<f32>,
    total: f32,
    /// By place in the query: looked for, and in no entry of the journal.
    nowhere: Vec<bool>,
    /// By place in the query, of every word.
    rarities: Vec<f32>,
    /// From this cosine on a passage says the same in other words, where its words speak neither for it nor against.
    sure_cosine: f32,
    /// What the words say beside it.
    beside: f32,
}

/// What speaks for one hit.
#[derive(Debug, Default)]
pub struct Evidence<'a> {
    /// The query's words that stand in the entry, or are named by what it is connected with.
    pub words: &'a [usize],
    pub cosine: Option<f32>,
    /// How alike its words are to the query's, from 0 to 1.
    pub likeness: Option<f32>,
    /// The query's words that have their like in the entry, and how alike it is, up to 1.
    pub alike: &'a [(usize, f32)],
    /// The entry holds every phrase of the query (and there is one).
    pub phrase: bool,
}

impl Weights {
    /// `sought`: places of the words that are looked for; `frequencies`: in how many of `entries` each stands. A word
    /// that stands nowhere weighs most: an entry without it does not answer.
    pub fn new(
        words: &[String],
        sought: &[usize],
        frequencies: &HashMap<String, u64>,
        entries: u64,
        sure_cosine: f32,
    ) -> Self {
        let rarity = |word: &String| {
            let frequency = frequencies.get(word).copied().unwrap_or(0).min(entries) as f32;
            // BM25's own measure.
            (1.0 + (entries as f32 - frequency + 0.5) / (frequency + 0.5)).ln()
        };
        let rarities: Vec<f32> = words.iter().map(rarity).collect();
        let mut weights = vec![0.0; words.len()];
        let doing = says_what_is_done(words);
        for place in sought {
            weights[*place] = rarities[*place] * if doing[*place] { DOING } else { 1.0 };
        }
        let nowhere = words.iter().map(|word| frequencies.get(word).is_none_or(|frequency| *frequency == 0)).collect();
        Self { total: weights.iter().sum(), words: weights, nowhere, rarities, sure_cosine, beside: WORDS }
    }

    /// For a query that [tells](super::Query::tells) so much.
    pub fn telling(self, tells: f32) -> Self {
        Self { beside: WORDS + (WORDS_TOLD - WORDS) * tells, ..self }
    }

    /// How rare a word of the query is, whether or not it is looked for.
    pub fn rarity(&self, word: usize) -> f32 {
        self.rarities.get(word).copied().unwrap_or(0.0)
    }

    /// Whether nothing says surely that the hit is meant.
    pub fn is_weak(&self, evidence: &Evidence<'_>) -> bool {
        let mut held = evidence.words.to_vec();
        held.sort_unstable();
        held.dedup();
        let weight: f32 = held.iter().filter_map(|place| self.words.get(*place)).sum();
        let enough = if self.sure_cosine.is_finite() { COVERAGE_BESIDE } else { COVERAGE };
        let covered = self.total > 0.0 && weight >= self.total * enough;
        let words = evidence.likeness.unwrap_or(0.0) - self.missing(&held, evidence.alike);
        let close = evidence.cosine.is_some_and(|cosine| cosine + self.beside * words >= self.sure_cosine);
        !(covered || close || evidence.phrase)
    }

    /// The share of the query's weight in words that nothing in the journal holds, less what is like them in the entry.
    fn missing(&self, held: &[usize], alike: &[(usize, f32)]) -> f32 {
        let alike = |place: usize| alike.iter().find(|(word, _)| *word == place).map_or(0.0, |(_, alike)| *alike);
        let missing = (0..self.words.len()).filter(|place| self.nowhere[*place] && !held.contains(place));
        let missing: f32 = missing.map(|place| self.words[place] * (1.0 - alike(place))).sum();
        if self.total > 0.0 { missing / self.total } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(words: &[(&str, u64)]) -> Weights {
        let names: Vec<_> = words.iter().map(|(word, _)| word.to_string()).collect();
        let sought: Vec<_> = (0..words.len()).collect();
        Weights::new(&names, &sought, &words.iter().map(|(word, n)| (word.to_string(), *n)).collect(), 1_000, 0.5)
    }

    #[test]
    fn a_common_word_alone_is_weak_and_the_rare_one_is_not() {
        let weights = weights(&[("work", 300), ("submarine", 2)]);
        assert!(weights.is_weak(&Evidence { words: &[0], ..Default::default() }));
        assert!(!weights.is_weak(&Evidence { words: &[1], ..Default::default() }));
        assert!(weights.is_weak(&Evidence { words: &[0, 0], ..Default::default() }), "said twice is said once");
    }

    #[test]
    fn a_word_that_stands_nowhere_makes_the_rest_weak() {
        let weights = weights(&[("dinner", 100), ("volcano", 0)]);
        assert!(weights.is_weak(&Evidence { words: &[0], ..Default::default() }));
    }

    #[test]
    fn meaning_or_a_phrase_is_enough() {
        let weights = weights(&[("volcano", 0)]);
        assert!(weights.is_weak(&Evidence { cosine: Some(0.2), ..Default::default() }));
        assert!(!weights.is_weak(&Evidence { cosine: Some(0.95), ..Default::default() }));
        assert!(!weights.is_weak(&Evidence { phrase: true, ..Default::default() }));
        assert!(Weights::default().is_weak(&Evidence::default()));
        // `volcano` stands nowhere: the cosine alone is not enough, unless something in the entry is like it.
        let eruption = |alike| Evidence { cosine: Some(0.6), likeness: Some(0.2), alike, ..Default::default() };
        assert!(weights.is_weak(&eruption(&[])) && !weights.is_weak(&eruption(&[(0, 0.9)])));
        assert!(weights.is_weak(&eruption(&[(0, 0.5)])), "half as alike it is still half missing");
        let colder = Weights { sure_cosine: 0.9, ..weights };
        assert!(
            colder.is_weak(&Evidence { cosine: Some(0.8), ..Default::default() }),
            "each model has its own measure"
        );
    }
}
