//! The gate: accepts or rejects each claim that the word lists propose.
//!
//! Rules propose, a classifier disposes: a linear model over cues of the sentence estimates the probability that a
//! person who reads the text would accept the claim. Its weights (`assets/lexicon/gate-*.txt`) are fitted by `kioku-lab gate`
//! on labelled claims (`tests/gate`). Where a model has read the text ([`reading`]), both are weighed together.

pub(super) mod cause_cues;
pub(super) mod feeling_cues;
#[cfg(feature = "lab")]
pub(super) mod labelling;
pub(super) mod reading;

use std::{
    collections::HashMap,
    fmt::{self, Write as _},
    ops::Range,
    sync::LazyLock,
};

use super::{Family, language::List, lexicon::lines};

/// A claim that the word lists propose, with byte ranges of the text.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim<'a> {
    /// The writer feels this.
    Feeling { name: &'a str, family: Option<Family>, word: Range<usize> },
    /// One thing brought about the other. `linked`: by a connective, and not merely beside it.
    Cause { cause: Range<usize>, effect: Range<usize>, linked: bool },
}

/// Lists the cues of a claim.
pub type ListCues<'a> = dyn Fn(&mut Cues<'_>) + 'a;

/// The decision on a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    /// That a reader of the text would accept it.
    pub probability: f32,
    pub accepted: bool,
}

/// What decides on the claims of one text.
pub(super) trait Gate {
    fn judge(&self, claim: &Claim<'_>, cues: &ListCues<'_>) -> Verdict;

    /// The cause of an effect, where the text surely tells one: proposed and accepted by a model that read the text.
    fn cause_of(&self, _effect: &Range<usize>) -> Option<Range<usize>> {
        None
    }
}

/// The gate with the weights that come with kioku.
pub(super) struct Fitted;

impl Gate for Fitted {
    fn judge(&self, claim: &Claim<'_>, cues: &ListCues<'_>) -> Verdict {
        let head = head(claim);
        let probability = head.probability(cues);
        Verdict { probability, accepted: probability >= head.line }
    }
}

fn head(claim: &Claim<'_>) -> &'static CueModel {
    match claim {
        Claim::Feeling { .. } => &FEELING,
        Claim::Cause { .. } => &CAUSE,
    }
}

/// A linear model over cues: the weight of each cue, and the probability from which on a candidate is accepted.
pub struct CueModel {
    weights: HashMap<&'static str, f32>,
    /// The least probability of an accepted candidate.
    pub line: f32,
}

static FEELING: LazyLock<CueModel> = LazyLock::new(|| CueModel::read(lines(List::GateFeelings)));
static CAUSE: LazyLock<CueModel> = LazyLock::new(|| CueModel::read(lines(List::GateCauses)));

impl CueModel {
    /// From lines `cue<TAB>weight`; the cue `(line)` is the threshold.
    pub fn read(lines: impl Iterator<Item = &'static str>) -> Self {
        let mut model = Self { weights: HashMap::new(), line: 0.5 };
        for (cue, weight) in lines.filter_map(|line| line.rsplit_once('\t')) {
            let Ok(weight) = weight.parse::<f32>() else { continue };
            match cue {
                "(line)" => model.line = weight,
                _ => drop(model.weights.insert(cue, weight)),
            }
        }
        model
    }

    /// The probability that a candidate with these cues is a true claim.
    pub fn probability(&self, cues: &ListCues<'_>) -> f32 {
        logistic(self.logit(cues))
    }

    /// The weight of one cue; 0 for one that it does not know.
    pub fn weight(&self, cue: &str) -> f32 {
        self.weights.get(cue).copied().unwrap_or(0.0)
    }

    /// The sum of the weights of these cues.
    pub fn logit(&self, cues: &ListCues<'_>) -> f32 {
        let mut sum = 0.0;
        let mut add = |cue: &str| sum += self.weight(cue);
        cues(&mut Cues::to(&mut add));
        sum
    }
}

/// The rules alone: what they propose is tested with it.
#[cfg(test)]
pub(super) struct ByRule;

#[cfg(test)]
impl Gate for ByRule {
    fn judge(&self, _: &Claim<'_>, cues: &ListCues<'_>) -> Verdict {
        let mut accepted = false;
        cues(&mut Cues::to(&mut |cue| accepted |= matches!(cue, "by-rule" | "is:own-by-rule")));
        Verdict { probability: f32::from(u8::from(accepted)), accepted }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Takes the cues of one candidate, each a short text such as `before:not`.
pub struct Cues<'a> {
    buffer: String,
    found: &'a mut dyn FnMut(&str),
}

impl<'a> Cues<'a> {
    /// Gives each cue to `found`.
    pub fn to(found: &'a mut dyn FnMut(&str)) -> Self {
        Self { buffer: String::new(), found }
    }

    pub fn add(&mut self, cue: fmt::Arguments<'_>) {
        self.buffer.clear();
        if self.buffer.write_fmt(cue).is_ok() {
            (self.found)(&self.buffer);
        }
    }

    pub fn add_if(&mut self, holds: bool, cue: fmt::Arguments<'_>) {
        if holds {
            self.add(cue);
        }
    }
}
