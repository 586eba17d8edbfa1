//! Parts of a text beside a feeling that may be its cause without a connective: "Sandra put me down for the late.
//! Furious."
//!
//! Proposals only: the gate decides.

use std::ops::Range;

use super::{Feeling, Gap, argument_label::concedes, causal_links::Joins, causes::Because, text::Text};

/// Maximum number of words of a sentence whose cause may be the sentence before it.
const SHORT: usize = 14;
/// Maximum number of words of a sentence whose cause may be the one behind it.
const VERY_SHORT: usize = 5;
/// Number of words of the shortest and of the longest part that may be a cause.
pub(super) const PART: Range<usize> = 2..40;
/// Weight of a cause that no connective states.
const WEIGHT: f32 = 0.7;

/// What may be the cause of a feeling: the parts of its sentence before and behind its own, and the sentences beside a
/// short one.
pub(super) fn beside(text: &Text<'_>, feeling: &Feeling) -> Vec<Because> {
    let at = text.words.partition_point(|word| word.span.end <= feeling.span.start as usize);
    let Some(nth) = text.sentence_at(at) else { return Vec::new() };
    let sentence = &text.sentences[nth];
    let parts = parts(text, sentence);
    let Some(own) = parts.iter().position(|part| part.contains(&at)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut propose = |cause, effect, verb| found.extend(side_by_side(text, cause, effect, verb));
    if let Some(before) = parts[..own].iter().rfind(|part| !concedes(text, part.start)) {
        propose(before, &parts[own], "(part before)");
    }
    if let Some(behind) = parts.get(own + 1) {
        propose(behind, &parts[own], "(part behind)");
    }
    let together = |before: &Range<usize>, behind: &Range<usize>| {
        let gap = text.words[before.end - 1].span.end..text.words[behind.start].span.start;
        !text.body[gap].contains("\n\n")
    };
    if sentence.len() <= SHORT
        && own == 0
        && let Some(before) = nth.checked_sub(1).map(|nth| &text.sentences[nth]).filter(|it| together(it, sentence))
    {
        propose(before, &parts[own], "(sentence before)");
    }
    if sentence.len() <= VERY_SHORT
        && let Some(behind) = text.sentences.get(nth + 1).filter(|it| together(sentence, it))
    {
        propose(behind, &parts[own], "(sentence behind)");
    }
    found
}

/// Two spans beside each other, the cause without the conjunctions that open it; `None` where it is too short or long.
pub(super) fn side_by_side(
    text: &Text<'_>,
    cause: &Range<usize>,
    effect: &Range<usize>,
    verb: &'static str,
) -> Option<Because> {
    let first = cause.clone().find(|at| !joins(&text.keys[*at]))?;
    PART.contains(&(cause.end - first)).then(|| unlinked(first..cause.end, effect.clone(), verb))
}

/// A cause and its effect that no connective links.
pub(super) fn unlinked(cause: Range<usize>, effect: Range<usize>, verb: &'static str) -> Because {
    let link = effect.start..effect.start + 1;
    Because { cause, effect, link, verb, weight: WEIGHT, joins: Joins::Clauses, by_rule: false }
}

/// The parts of a sentence between commas, dashes and conjunctions. A part of one word belongs to the one before it.
pub(super) fn parts(text: &Text<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut first = sentence.start;
    for at in sentence.start + 1..sentence.end {
        if text.words[at].gap >= Gap::Break || joins(&text.keys[at]) && at - first > 2 {
            parts.push(first..at);
            first = at;
        }
    }
    parts.push(first..sentence.end);
    parts
}

fn joins(word: &str) -> bool {
    matches!(word, "and" | "but" | "mà" | "nhưng" | "rồi" | "xong" | "then" | "so" | "thì")
}
