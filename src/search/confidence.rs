//! Confidence: how likely a hit answers the query. "Nothing found" is an answer.
//!
//! A logistic model over absolute figures of a hit. Its weights are in `assets/confidence.json`; `kioku-lab confidence` fits
//! them on judged journals, on questions that have an answer and on others that have none.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// What speaks for one hit, or how much each of it weighs. From 0 to 1 where nothing else is said, 0 where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Always 1.
    pub one: f32,
    /// The share of the query's words, by weight, that it holds or that name what it mentions.
    pub coverage: f32,
    /// The share of the words, by weight, that nothing in the journal holds, less what is like them in it.
    pub missing: f32,
    /// The share of the words, by weight, that nothing in the journal holds.
    pub nowhere: f32,
    /// Logarithm of how many words are looked for; may exceed 1.
    pub words: f32,
    /// BM25 through the best of the query.
    pub by_word: f32,
    /// How much it is about what the query names.
    pub name: f32,
    /// It holds a phrase of the query.
    pub phrase: f32,
    /// Written on a day that the query names.
    pub day: f32,
    /// Cosine of its best passage, through that from which on its model calls texts related; may exceed 1.
    pub cosine: f32,
    /// How far the cosine lies above those of the other candidates, in standard deviations through 5.
    pub cosine_above: f32,
    /// How alike its words are to the query's.
    pub likeness: f32,
    /// The same beside the other candidates.
    pub likeness_above: f32,
    /// How close its words come to the query's in their sentence.
    pub in_sentence: f32,
    /// The same beside the other candidates.
    pub in_sentence_above: f32,
    /// Coverage times likeness.
    pub both: f32,
}

pub const FIGURES: usize = 16;

impl Evidence {
    /// In the order of the fields.
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

    /// The same, to read.
    pub fn figures(mut self) -> [f32; FIGURES] {
        self.figures_mut().map(|figure| *figure)
    }
}

/// What a query was compared with: the same figure means more or less by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Kind {
    /// Words and names alone.
    #[default]
    Words,
    /// Also vectors.
    Vectors,
    /// Also words as a model reads them in their sentence.
    Sentences,
}

/// The weights of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub hit: Evidence,
    /// Log odds that one of the first hits answers, from those of [`either`]: slope and offset.
    pub slope: f32,
    pub offset: f32,
    /// From this probability on a hit is called sure.
    pub line: f32,
}

/// The weights of all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    pub words: Model,
    pub vectors: Model,
    pub sentences: Model,
}

/// So many hits are looked at: who does not find it there looks no further.
pub const FIRST: usize = 3;

static MODELS: LazyLock<Models> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../assets/confidence.json")).expect("the file is read by a test")
});

impl Models {
    /// Those that kioku ships with.
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
    /// How likely a hit with this evidence answers, if the others do not.
    pub fn hit(&self, evidence: &Evidence) -> f32 {
        self.calibrated(self.alone(evidence))
    }

    /// How likely one of the first hits answers.
    pub fn first(&self, hits: impl Iterator<Item = Evidence>) -> f32 {
        self.calibrated(either(hits.take(FIRST).map(|evidence| self.alone(&evidence))))
    }

    /// Before calibration.
    pub fn alone(&self, evidence: &Evidence) -> f32 {
        let shares = evidence.figures().into_iter().zip(self.hit.figures()).map(|(figure, weight)| figure * weight);
        logistic(shares.sum())
    }

    fn calibrated(&self, probability: f32) -> f32 {
        logistic(self.slope * log_odds(probability) + self.offset)
    }
}

/// The probability that at least one of these comes true.
pub fn either(probabilities: impl Iterator<Item = f32>) -> f32 {
    1.0 - probabilities.map(|probability| 1.0 - probability).product::<f32>()
}

/// Bounded, so that no certainty is infinite.
pub fn log_odds(probability: f32) -> f32 {
    const LEAST: f32 = 1e-4;
    let probability = probability.clamp(LEAST, 1.0 - LEAST);
    (probability / (1.0 - probability)).ln()
}

fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Mean and standard deviation of the figures of all candidates.
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

    /// How far a figure lies above the mean; 0 where all are alike.
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
