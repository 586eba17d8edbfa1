//! Causal connectives and the arguments of each: `because`, `led to`, `vì`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::{fold_case, items, language::List, phrases::Phrases, psych_verb, sectioned_lines};

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
    pub never: HashSet<String>,
    pub conditions: HashSet<String>,
    /// Words of a writer who does not know the cause.
    pub unknown: Phrases<()>,
    /// The effect of which `from` is the cause.
    pub ailments: HashSet<String>,
}

pub(super) static LINKS: LazyLock<Links> = LazyLock::new(|| {
    let from = ["from", "comes from", "came from", "coming from", "come from"];
    let mut links: Vec<(String, Link)> =
        from.map(|verb| (verb.to_owned(), Link { side: Side::From, joins: Joins::Thing, weight: 0.8, verb })).into();
    let mut words: HashMap<&str, HashSet<String>> = HashMap::new();
    for (section, line) in sectioned_lines(List::Causes) {
        let (side, joins) = match section {
            "cause follows" => (Side::CauseFollows, Joins::Clauses),
            "cause follows as a thing" => (Side::CauseFollows, Joins::Thing),
            "effect follows" => (Side::EffectFollows, Joins::Clauses),
            "effect follows, of a thing" => (Side::EffectFollows, Joins::Things),
            "effect on the writer" => (Side::EffectFollows, Joins::Writer),
            "cause precedes with time" => (Side::Since, Joins::Clauses),
            _ => {
                words.entry(section).or_default().extend(items(line).map(fold_case));
                continue;
            }
        };
        let Some((weight, phrases)) = line.split_once(':') else { continue };
        let weight = weight.trim().parse().unwrap_or(1.0);
        links.extend(items(phrases).map(|verb| (verb.to_owned(), Link { side, joins, weight, verb })));
    }
    let felt = |verb| Link { side: Side::EffectFollows, joins: Joins::Feeling, weight: 1.0, verb };
    links.extend(psych_verb::brought_about().map(|phrase| (phrase.to_owned(), felt(phrase))));
    let mut take = |section| words.remove(section).unwrap_or_default();
    Links {
        links: Phrases::new(links),
        never: take("never"),
        conditions: take("if"),
        unknown: Phrases::new(take("unknown").into_iter().map(|phrase| (phrase, ()))),
        ailments: take("from"),
    }
});
