//! Parts of a text beside a feeling that may be its cause without a connective: "Sandra put me down for the late.
//! Furious."
//!
//! Proposals only: the gate decides.

use std::ops::Range;

use super::{
    Feeling,
    argument_label::concedes,
    causal_links::LINKS,
    causes::Because,
    feeling_modifiers::AROUND,
    feelings::{may_name_feeling, names_feeling},
    sense_words::SENSES,
    text::Text,
};

/// Maximum number of words of a sentence whose cause may be the sentence before it.
const SHORT: usize = 14;
/// Maximum number of words of a sentence whose cause may be the one behind it.
const VERY_SHORT: usize = 5;
/// Number of words of the shortest and of the longest part that may be a cause.
pub(super) const PART: Range<usize> = 2..40;

/// What may be the cause of a feeling: the parts of its sentence before and behind its own, and the sentences beside a
/// short one.
pub(super) fn beside(text: &Text<'_>, feeling: &Feeling) -> Vec<Because> {
    let at = text.word_at(feeling.span.start);
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

/// "Gutted about that.": the sentence before, where the words behind a feeling at the end of its sentence point back at it.
pub(super) fn points_back(text: &Text<'_>, feeling: &Feeling) -> Option<Because> {
    let words = text.words_of(&feeling.span);
    let nth = text.sentence_at(words.start)?;
    let sentence = &text.sentences[nth];
    let [about, that] = text.keys.get(words.end..sentence.end)? else { return None };
    let before = &text.sentences[nth.checked_sub(1)?];
    let is_short = sentence.len() <= VERY_SHORT + 2 && !text.asks(before);
    let points = is_short && AROUND.about.contains(about.as_str()) && SENSES.demonstratives.contains(that.as_str());
    points.then(|| side_by_side(text, before, sentence, "(sentence before)")).flatten()
}

/// "I sat and cried and I don't know why.": the writer does not know the cause.
pub(super) fn has_unknown_cause(text: &Text<'_>, feeling: &Feeling) -> bool {
    let Some(sentence) = text.sentence_of(text.word_at(feeling.span.start)) else { return false };
    text.asks(sentence) || sentence.clone().any(|at| LINKS.unknown.at(text, at).is_some())
}

/// Whether the sentence of a cause tells another feeling beside it: "Felt awful, he only wanted to show me the whale. I was so
/// tired."
pub(super) fn is_of_another_feeling(text: &Text<'_>, because: &Because, feeling: &Feeling) -> bool {
    let own = text.word_at(feeling.span.start);
    let Some(sentence) = text.sentence_of(because.cause.start) else { return false };
    let is_felt = |at: usize| {
        let felt = at > sentence.start && AROUND.feeling.contains(text.keys[at - 1].as_str());
        names_feeling(&text.keys[at]) || felt && may_name_feeling(&text.keys[at])
    };
    !sentence.contains(&own) && sentence.clone().any(|at| !because.cause.contains(&at) && is_felt(at))
}

/// Two spans beside each other, the cause without the conjunctions that open it; `None` where it is too short or long.
pub(super) fn side_by_side(
    text: &Text<'_>,
    cause: &Range<usize>,
    effect: &Range<usize>,
    verb: &'static str,
) -> Option<Because> {
    let first = cause.clone().find(|at| !joins(&text.keys[*at]))?;
    PART.contains(&(cause.end - first)).then(|| Because::unlinked(first..cause.end, effect.clone(), verb))
}

/// The parts of a sentence between commas, dashes and conjunctions. A part of one word belongs to the one before it.
pub(super) fn parts(text: &Text<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut first = sentence.start;
    for at in sentence.start + 1..sentence.end {
        if text.breaks(at) || joins(&text.keys[at]) && at - first > 2 {
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
