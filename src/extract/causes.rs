//! Detection of causal sentences: the connective, which side is the cause, and which sentences assert nothing.
//!
//! Negated causes ("not because of"), conditions ("if … because"), dreams and questions are skipped; hedged and
//! reported statements get half the weight (`attribution`).

use std::ops::Range;

use super::{
    Class, Gap, Shape,
    attribution::{Attribution, voice},
    causal_links::{Joins, LINKS, Link, Side},
    class,
    connective_sense::{is_denied, is_no_link, states},
    sense_words::SENSES,
    text::Text,
};

/// Factor on the weight of a hedged or reported statement: less than any assertion of the writer.
const UNSURE: f32 = 0.5;

/// Weight of a cause that no connective states.
const UNLINKED: f32 = 0.7;

/// Maximum number of words of a denial before a connective: "không phải tại".
const DENIAL: usize = 2;

/// Maximum number of connectives in a sentence; more mean a text without full stops.
const MOST_LINKS: usize = 40;

/// In place of a connective where a model points at the cause.
pub const POINTED_AT: &str = "(pointed at)";

/// A causal sentence; ranges of words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Because {
    pub cause: Range<usize>,
    pub effect: Range<usize>,
    pub link: Range<usize>,
    /// The connective as listed, or in parentheses how the sides stand where there is none.
    pub verb: &'static str,
    pub weight: f32,
    pub joins: Joins,
    /// Whether the rules see a cause here.
    pub by_rule: bool,
}

impl Because {
    /// Two clauses that no connective links: `verb` says in parentheses how they stand.
    pub fn unlinked(cause: Range<usize>, effect: Range<usize>, verb: &'static str) -> Self {
        let link = effect.start..effect.start + 1;
        Self { cause, effect, link, verb, weight: UNLINKED, joins: Joins::Clauses, by_rule: false }
    }

    pub fn has_connective(&self) -> bool {
        !self.verb.starts_with('(')
    }

    /// Whether the cause comes before the connective and the effect.
    pub fn begins_with_cause(&self) -> bool {
        self.cause.start < self.effect.start && self.cause.start < self.link.start
    }

    /// Both clauses and the connective, with everything between them.
    pub fn words(&self) -> Range<usize> {
        let parts = [&self.cause, &self.effect, &self.link];
        let start = parts.iter().map(|part| part.start).min().unwrap_or_default();
        start..parts.iter().map(|part| part.end).max().unwrap_or_default()
    }

    /// A model points at the cause: its span is whole as it stands.
    pub fn is_pointed_at(&self) -> bool {
        self.verb == POINTED_AT
    }
}

/// All connectives with two sides, in text order: which of them state a cause, the gate decides. Linear in the words.
pub(super) fn causes(text: &Text<'_>) -> Vec<Because> {
    let mut found = Vec::new();
    for (nth, sentence) in text.sentences.iter().enumerate() {
        let before = nth.checked_sub(1).map(|before| text.sentences[before].clone());
        let mut at = sentence.start;
        let links = found.len();
        // Each connective reads the whole sentence.
        while at < sentence.end && found.len() < links + MOST_LINKS {
            match LINKS.links.at(text, at) {
                Some((words, link)) if at + words <= sentence.end => {
                    let link_words = at..at + words;
                    let by_rule = states(text, sentence, &link_words, link) && !text.asks(sentence);
                    let sides = clauses(text, sentence, before.as_ref(), &link_words, link);
                    found.extend(sides.map(|because| Because { by_rule: by_rule && because.by_rule, ..because }));
                    at += words;
                }
                _ => at += 1,
            }
        }
    }
    found
}

/// The two sides of a connective.
fn clauses(
    text: &Text<'_>,
    sentence: &Range<usize>,
    before: Option<&Range<usize>>,
    link: &Range<usize>,
    said: &Link,
) -> Option<Because> {
    // "So I left": the pronoun of the listed phrase belongs to the next clause.
    let (opens, verb) = match said.verb {
        verb if verb.starts_with("and so") => (2, "so"),
        verb if verb.starts_with("so ") => (1, "so"),
        "so" => (1, "so"),
        "cause i" => (1, "because"),
        verb => (link.len(), verb),
    };
    if (said.verb == "so" || said.verb.starts_with("so ")) && link.start == sentence.start {
        return None;
    }
    let right = match said.joins {
        Joins::Feeling => link.clone(),
        _ => link.start + opens..clause_end(text, link.start + opens, sentence.end),
    };
    let left = clause_start(text, sentence.start, link.start)..link.start;
    let attribution = voice(text, sentence, link, said.side != Side::EffectFollows);
    let weight = if attribution == Attribution::Own { said.weight } else { said.weight * UNSURE };
    let because = |cause: Range<usize>, effect: Range<usize>| {
        (!cause.is_empty() && !effect.is_empty()).then_some(Because {
            cause,
            effect,
            link: link.clone(),
            verb,
            weight,
            joins: said.joins,
            by_rule: attribution != Attribution::Unreal,
        })
    };
    // "In 1929, because of the flood, we left": a time is no effect.
    let when = |words: &Range<usize>| {
        words.len() <= 3
            && text.words.get(words.end).is_some_and(|word| word.gap == Gap::Break)
            && words.clone().next().is_some_and(|first| class(text, first) == Class::Preposition)
            && !words.clone().any(|at| acts(text, at))
    };
    let nothing = |words: &Range<usize>| text.keys[words.clone()].iter().all(|word| is_pointer(word)) || when(words);
    // "It hurt, but only because of the rain": the effect precedes the "but".
    let turned = (left.start > sentence.start && !left.is_empty()).then(|| sentence.start..left.start - 1);
    // "Tại mưa nên mình nghỉ": the first connective is no part of the cause.
    let opening = LINKS.links.at(text, left.start).filter(|(_, first)| first.side == Side::CauseFollows);
    let left = match opening {
        Some((count, _)) if said.verb == "nên" => left.start + count..left.end,
        _ => left,
    };
    match said.side {
        Side::CauseFollows | Side::Since | Side::From if turned.is_some() && nothing(&left) => because(right, turned?),
        Side::EffectFollows if nothing(&left) => because(before?.clone(), right),
        Side::EffectFollows => because(left, right),
        Side::CauseFollows | Side::Since | Side::From if nothing(&left) => {
            match opening_clause(text, sentence, link.end) {
                // "Bởi vì mưa lớn cho nên mình về trễ", "nhờ Minh mà mình kịp".
                Some(middle) => {
                    let joins = |at: &usize| SENSES.joining.contains(text.keys[*at].as_str());
                    let end = (link.end..middle).rev().find(|at| !joins(at)).map_or(link.end, |last| last + 1);
                    let start = if text.keys[middle] == "nên" { middle + 1 } else { middle };
                    because(link.end..end, start..sentence.end)
                }
                None => because(right, before?.clone()),
            }
        }
        // "Missed the meeting because of it".
        Side::CauseFollows if points_only(text, &right) => {
            let earlier = (left.start + 1..left.end).rev().find(|at| text.breaks(*at));
            match earlier {
                Some(comma) => because(left.start..comma, comma..left.end),
                None => because(before?.clone(), left),
            }
        }
        Side::CauseFollows | Side::Since | Side::From => because(right, left),
    }
}

/// Whether a clause is nothing but a pronoun that points back, or begins with one before a break.
fn points_only(text: &Text<'_>, clause: &Range<usize>) -> bool {
    let ends = |at: usize| at >= clause.end || text.breaks(at);
    !clause.is_empty() && SENSES.demonstratives.contains(text.keys[clause.start].as_str()) && ends(clause.start + 1)
}

/// Whether a statement denies its cause, or its connective is none here, whatever the gate says.
pub(super) fn is_denied_or_no_link(text: &Text<'_>, because: &Because) -> bool {
    let sentence = text.sentence_of(because.link.start);
    let no_link = |sentence| is_no_link(text, sentence, &because.link, because.verb);
    because.has_connective() && sentence.is_some_and(no_link) || is_denied_cause(text, &because.cause)
}

/// Whether some words begin with what is not the cause: "không phải tại con Su nên mình mệt".
fn is_denied_cause(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().take(DENIAL + 1).any(|at| {
        let inner = LINKS.links.at(text, at).filter(|(_, inner)| inner.side == Side::CauseFollows);
        inner.is_some_and(|(count, _)| is_denied(text, words, &(at..at + count)))
    })
}

/// "It is", "that", "this": anaphoric, without content of their own.
fn is_pointer(word: &str) -> bool {
    SENSES.pointers.contains(word)
}

/// Whether a word shows that somebody does something.
fn acts(text: &Text<'_>, at: usize) -> bool {
    matches!(class(text, at), Class::Verb | Class::Auxiliary | Class::Contracted | Class::Pronoun)
}

/// Start of the main clause in "Because of the rain we left" and "Vì mưa, mình ở nhà".
fn opening_clause(text: &Text<'_>, sentence: &Range<usize>, from: usize) -> Option<usize> {
    let inside = from + 1..sentence.end;
    let comma = inside.clone().find(|at| text.words[*at].gap == Gap::Break && !is_list(text, *at));
    let subject =
        inside.into_iter().find(|at| matches!(text.keys[*at].as_str(), "i" | "we" | "i'm" | "nên" | "mình" | "tôi"));
    // "Because of the rain we came home the long way, past the mill".
    let is_aside = |comma: usize| !(comma..sentence.end).any(|at| acts(text, at));
    let early = subject.filter(|at| comma.is_none_or(|comma| *at < comma && is_aside(comma)));
    early.or(comma)
}

/// A comma between two names or nouns of a list does not start a clause.
fn is_list(text: &Text<'_>, at: usize) -> bool {
    text.words[at].shape == Shape::Capital && text.words.get(at - 1).is_some_and(|word| word.shape == Shape::Capital)
}

/// End of the clause that starts at `from`: before a turning word.
fn clause_end(text: &Text<'_>, from: usize, end: usize) -> usize {
    // "Cos Gaz hit a pipe so no tea till two": another clause; not "because I was so tired".
    let follows = |at: usize| {
        text.keys[at] == "so"
            && at + 1 < end
            && (text.keys[at + 1] == "no" || matches!(class(text, at + 1), Class::Pronoun | Class::Contracted))
    };
    (from + 1..end)
        .find(|at| {
            follows(*at)
                || SENSES.turning.contains(text.keys[*at].as_str())
                || (text.breaks(*at) && SENSES.going_on.contains(text.keys[*at].as_str()))
        })
        .unwrap_or(end)
}

fn clause_start(text: &Text<'_>, start: usize, end: usize) -> usize {
    (start..end)
        .rev()
        .find(|at| matches!(text.keys[*at].as_str(), "but" | "although" | "nhưng"))
        .map_or(start, |at| at + 1)
}
