//! Spans of a text that may tell the cause of another, for a reader that knows which effect is asked about.
//!
//! Far more than [`super::extract`] claims: every connective with two sides, and the parts and sentences beside each
//! part. None of them is a statement.

use std::ops::Range;

use super::{
    Family, Feeling,
    beside_feeling::{PART, parts, side_by_side},
    causes::{Because, causes, is_denied_or_no_link},
    code,
    feelings::feelings,
    gate::{Claim, Fitted, Gate, cause_cues},
    text::Text,
};

/// A pair of spans, in bytes of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct CauseCandidate {
    pub cause: Range<usize>,
    pub effect: Range<usize>,
    /// The connective as listed, or in parentheses how the spans stand where there is none.
    pub verb: &'static str,
    /// Whether the rules see a cause here.
    pub by_rule: bool,
    /// The gate's probability that the text states this.
    pub probability: f32,
    /// The feeling in the effect, the writer's own if there is one.
    pub feeling: Option<FeelingInEffect>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FeelingInEffect {
    pub name: String,
    pub family: Option<Family>,
    pub own: bool,
}

/// All candidates of a text, in no particular order. Linear in the words.
pub fn cause_candidates(body: &str) -> Vec<CauseCandidate> {
    let text = Text::new(body, &code::skipped(body));
    let felt = feelings(&text, &Fitted);
    let mut found = Vec::new();
    for because in causes(&text).into_iter().filter(|because| !is_denied_or_no_link(&text, because)) {
        found.push(candidate(&text, &felt, &because));
        found.extend(nearest_part(&text, &because).map(|because| candidate(&text, &felt, &because)));
    }
    let sentences: Vec<Vec<Range<usize>>> = text.sentences.iter().map(|sentence| parts(&text, sentence)).collect();
    for (nth, own) in sentences.iter().enumerate() {
        for (at, effect) in own.iter().enumerate() {
            let mut beside = |cause: Option<&Range<usize>>, verb| {
                let because = cause.and_then(|cause| side_by_side(&text, cause, effect, verb));
                found.extend(because.map(|because| candidate(&text, &felt, &because)));
            };
            beside(at.checked_sub(1).map(|before| &own[before]), "(part before)");
            beside(own.get(at + 1), "(part behind)");
            beside(nth.checked_sub(1).map(|before| &text.sentences[before]), "(sentence before)");
            beside(nth.checked_sub(2).map(|before| &text.sentences[before]), "(second sentence before)");
            beside(text.sentences.get(nth + 1), "(sentence behind)");
        }
    }
    found
}

/// The same with only the part of the cause that is next to the connective: "owing to fog; slept on my coat".
fn nearest_part(text: &Text<'_>, because: &Because) -> Option<Because> {
    let Range { start, end } = because.cause.clone();
    let breaks = |at: &usize| text.breaks(*at);
    let cause = if start >= because.link.end {
        start..(start + 1..end).find(breaks)?
    } else {
        (start + 1..end).rev().find(breaks)?..end
    };
    PART.contains(&cause.len()).then(|| Because { cause, ..because.clone() })
}

fn candidate(text: &Text<'_>, felt: &[Feeling], because: &Because) -> CauseCandidate {
    let (cause, effect) = (text.bytes(&because.cause), text.bytes(&because.effect));
    let within =
        |feeling: &&Feeling| effect.start <= feeling.span.start as usize && feeling.span.end as usize <= effect.end;
    let own = felt.iter().filter(within).find(|feeling| feeling.is_felt());
    let any = own.or_else(|| felt.iter().find(within));
    let claim = Claim::Cause { cause: cause.clone(), effect: effect.clone(), linked: because.has_connective() };
    let probability = Fitted.judge(&claim, &|to| cause_cues::cues(text, because, own, to)).probability;
    let feeling = any.map(|feeling| FeelingInEffect {
        name: feeling.name.clone(),
        family: feeling.family,
        own: feeling.is_felt(),
    });
    CauseCandidate { cause, effect, verb: because.verb, by_rule: because.by_rule, probability, feeling }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(body: &str) -> Vec<(&str, &str)> {
        let pair = |one: CauseCandidate| (&body[one.cause], &body[one.effect]);
        cause_candidates(body).into_iter().map(pair).collect()
    }

    #[test]
    fn both_sides_of_a_connective_are_paired() {
        let found = pairs("Six hours late out of Faro owing to fog; slept on my coat.");
        assert!(found.contains(&("fog; slept on my coat", "Six hours late out of Faro")), "{found:?}");
    }

    #[test]
    fn the_part_next_to_the_connective_is_a_cause_of_its_own() {
        let found = pairs("Late because the bus broke down, slept on my coat.");
        assert!(found.contains(&("the bus broke down", "Late")), "{found:?}");
    }

    #[test]
    fn sentences_beside_each_other_are_paired() {
        let found = pairs("Sandra put me down for the late. Furious.");
        assert!(found.contains(&("Sandra put me down for the late", "Furious")), "{found:?}");
    }

    #[test]
    fn a_text_without_words_has_no_candidates() {
        assert_eq!(cause_candidates(""), []);
        assert_eq!(cause_candidates("```\nlate because of rain\n```"), []);
    }
}
