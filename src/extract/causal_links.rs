//! Causal connectives and the arguments of each: `because`, `led to`, `vì`.

use std::{collections::HashSet, sync::LazyLock};

use super::{language::List, listed_words, named_items, phrases::Phrases, psych_verb};

/// The arguments that a connective takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// "I slept badly because it was loud."
    Clauses,
    /// The cause is a noun phrase: "tired because of the noise".
    Thing,
    /// Both arguments are noun phrases: "the noise led to a quarrel".
    Things,
    /// A noun phrase affects the writer: "the noise made me angry".
    Writer,
    /// The connective itself is the feeling of the writer: "the noise annoyed me".
    Feeling,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    CauseFollows,
    EffectFollows,
    /// Followed by the cause, or by a time.
    Since,
    /// Followed by the cause, or by a place: only after an ailment or a feeling.
    From,
}

/// A connective as listed.
pub(super) struct Link {
    pub side: Side,
    pub joins: Joins,
    pub weight: f32,
    pub verb: &'static str,
}

/// The words of `assets/lexicon/causes.txt`, and the verbs of `feelings.txt` that express an effect on the writer.
pub(super) struct Links {
    pub links: Phrases<Link>,
    pub never: HashSet<&'static str>,
    pub conditions: HashSet<&'static str>,
    /// Words of a writer who does not know the cause.
    pub unknown: Phrases<()>,
    /// The effect of which `from` is the cause.
    pub ailments: HashSet<&'static str>,
}

pub(super) static LINKS: LazyLock<Links> = LazyLock::new(|| {
    let from = ["from", "comes from", "came from", "coming from", "come from"];
    let from = from.map(|verb| (verb, Link { side: Side::From, joins: Joins::Thing, weight: 0.8, verb }));
    let listed = named_items(List::Causes).filter_map(|(section, weight, verb)| {
        let (side, joins) = match section {
            "cause follows" => (Side::CauseFollows, Joins::Clauses),
            "cause follows as a thing" => (Side::CauseFollows, Joins::Thing),
            "effect follows" => (Side::EffectFollows, Joins::Clauses),
            "effect follows, of a thing" => (Side::EffectFollows, Joins::Things),
            "effect on the writer" => (Side::EffectFollows, Joins::Writer),
            "cause precedes with time" => (Side::Since, Joins::Clauses),
            _ => return None,
        };
        Some((verb, Link { side, joins, weight: weight.trim().parse().unwrap_or(1.0), verb }))
    });
    let felt = psych_verb::brought_about()
        .map(|verb| (verb, Link { side: Side::EffectFollows, joins: Joins::Feeling, weight: 1.0, verb }));
    let mut words = listed_words(List::Causes);
    let mut take = |section| words.remove(section).unwrap_or_default();
    Links {
        links: Phrases::new(from.into_iter().chain(listed).chain(felt)),
        never: take("never"),
        conditions: take("if"),
        unknown: Phrases::new(take("unknown").into_iter().map(|phrase| (phrase, ()))),
        ailments: take("from"),
    }
});
