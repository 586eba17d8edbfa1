//! Confidence: the probability that a hit answers the query.
//!
//! A logistic model over absolute features of a hit. Its weights are in `assets/confidence.json`; `kioku-lab
//! confidence` fits them on judged journals, with questions that have an answer and questions that have none.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The features of one hit, or their weights. From 0 to 1 unless stated otherwise; 0 if unknown.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Always 1.
    pub one: f32,
    /// The share of the query's words, by weight, that the entry contains or that name one of its entities.
    pub coverage: f32,
    /// The share of the words, by weight, that no entry contains, less the similarity of the closest words in this
    /// entry.
    pub missing: f32,
    /// The share of the words, by weight, that no entry contains.
    pub nowhere: f32,
    /// Logarithm of the number of searched words; may exceed 1.
    pub words: f32,
    /// BM25 relative to the best hit of the query.
    pub by_word: f32,
    /// How much the entry is about the names in the query.
    pub name: f32,
    /// The entry contains a phrase of the query.
    pub phrase: f32,
    /// Written on a day that the query names.
    pub day: f32,
    /// Cosine of the best passage relative to the model's threshold for related texts; may exceed 1.
    pub cosine: f32,
    /// Distance of the cosine above the mean of the candidates, in units of five standard deviations.
    pub cosine_above: f32,
    /// Word similarity to the query.
    pub likeness: f32,
    /// The same relative to the other candidates.
    pub likeness_above: f32,
    /// Contextual similarity to the query's words.
    pub in_sentence: f32,
    /// The same relative to the other candidates.
    pub in_sentence_above: f32,
    /// Coverage times likeness.
    pub both: f32,
}

pub const FIGURES: usize = 16;

impl Evidence {
    /// The features in the order of the fields.
    pub fn figures_mut(&mut self) -> [&mut f32; FIGURES] {
        [
            &mut self.one,
            &mut self.coverage,
            &mut self.missing,
            &mut self.nowhere,
            &mut self.words,
            &mut self.by_word,
            &mut self.name,
            &mut self.phrase,
            &mut self.day,
            &mut self.cosine,
            &mut self.cosine_above,
            &mut self.likeness,
            &mut self.likeness_above,
            &mut self.in_sentence,
            &mut self.in_sentence_above,
            &mut self.both,
        ]
    }

    /// The same by value.
    pub fn figures(mut self) -> [f32; FIGURES] {
        self.figures_mut().map(|figure| *figure)
    }
}

/// The kind of comparison: features have different weights in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Kind {
    /// By words and names only.
    #[default]
    Words,
    /// Also by vectors.
    Vectors,
    /// Also by words in the context of their sentence.
    Sentences,
}

/// The weights for one kind.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub hit: Evidence,
    /// Calibration of the log odds that one of the first hits answers, from those of [`either`]: slope and offset.
    pub slope: f32,
    pub offset: f32,
    /// Minimum probability of a sure hit.
    pub line: f32,
}

/// The weights for all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    pub words: Model,
    pub vectors: Model,
    pub sentences: Model,
}

/// Number of hits that count for the confidence of an answer.
pub const FIRST: usize = 3;

static MODELS: LazyLock<Models> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../assets/confidence.json")).expect("the file is read by a test")
});

impl Models {
    /// The weights included in kioku.
    pub fn shipped() -> &'static Self {
        &MODELS
    }

    pub fn of(&self, kind: Kind) -> &Model {
        match kind {
            Kind::Words => &self.words,
            Kind::Vectors => &self.vectors,
            Kind::Sentences => &self.sentences,
        }
    }
}

impl Model {
    /// Probability that a hit with these features answers the query, if the others do not.
    pub fn hit(&self, evidence: &Evidence) -> f32 {
        self.calibrated(self.alone(evidence))
    }

    /// Probability that one of the first hits answers the query.
    pub fn first(&self, hits: impl Iterator<Item = Evidence>) -> f32 {
        self.calibrated(either(hits.take(FIRST).map(|evidence| self.alone(&evidence))))
    }

    /// The probability before calibration.
    pub fn alone(&self, evidence: &Evidence) -> f32 {
        let shares = evidence.figures().into_iter().zip(self.hit.figures()).map(|(figure, weight)| figure * weight);
        logistic(shares.sum())
    }

    fn calibrated(&self, probability: f32) -> f32 {
        logistic(self.slope * log_odds(probability) + self.offset)
    }
}

/// The probability that at least one of these events occurs.
pub fn either(probabilities: impl Iterator<Item = f32>) -> f32 {
    1.0 - probabilities.map(|probability| 1.0 - probability).product::<f32>()
}

/// Clamped, so that the log odds stay finite.
pub fn log_odds(probability: f32) -> f32 {
    const LEAST: f32 = 1e-4;
    let probability = probability.clamp(LEAST, 1.0 - LEAST);
    (probability / (1.0 - probability)).ln()
}

fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Mean and standard deviation of a feature over all candidates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    mean: f32,
    deviation: f32,
}

impl Spread {
    pub fn of(figures: impl Iterator<Item = f32> + Clone) -> Self {
        let count = figures.clone().count().max(1) as f32;
        let mean = figures.clone().sum::<f32>() / count;
        let variance = figures.map(|figure| (figure - mean).powi(2)).sum::<f32>() / count;
        Self { mean, deviation: variance.sqrt() }
    }

    /// Distance of a value above the mean; 0 if all values are equal.
    pub fn above(&self, figure: f32) -> f32 {
        const DEVIATIONS: f32 = 5.0;
        if self.deviation > 1e-3 { (figure - self.mean) / self.deviation / DEVIATIONS } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_of_all_kinds_and_more_words_held_are_surer() {
        for kind in [Kind::Words, Kind::Vectors, Kind::Sentences] {
            let model = Models::shipped().of(kind);
            assert!(model.line > 0.0 && model.line < 1.0 && model.slope > 0.0, "{kind:?}");
            let held = |coverage| Evidence { one: 1.0, words: 0.4, by_word: 1.0, coverage, ..Evidence::default() };
            assert!(model.hit(&held(1.0)) > model.hit(&held(0.5)), "{kind:?}");
            let missing = Evidence { missing: 0.5, nowhere: 0.5, ..held(0.5) };
            assert!(model.hit(&missing) < model.hit(&held(0.5)), "{kind:?}");
            assert!(model.first([held(0.5), held(0.5)].into_iter()) >= model.hit(&held(0.5)), "{kind:?}");
        }
    }

    #[test]
    fn a_figure_is_seen_beside_those_of_the_other_candidates() {
        let spread = Spread::of([1.0, 2.0, 3.0].into_iter());
        assert!(spread.above(3.0) > 0.0 && spread.above(2.0) == 0.0);
        assert_eq!(Spread::of([1.0, 1.0].into_iter()).above(1.0), 0.0);
        assert_eq!(Spread::of([].into_iter()).above(1.0), 0.0);
    }
}
