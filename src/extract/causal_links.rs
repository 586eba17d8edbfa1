//! Link words that say why, and what each stands between: `because`, `led to`, `vì`.

use std::{collections::HashSet, sync::LazyLock};

use super::{fold_case, language::List, lexicon::lines, phrases::Phrases, psych_verb};

/// What a link word stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// "I slept badly because it was loud."
    Clauses,
    /// The cause is a thing: "tired because of the noise".
    Thing,
    /// Cause and effect are things: "the noise led to a quarrel".
    Things,
    /// A thing does something to the writer: "the noise made me angry".
    Writer,
    /// The link word itself is what the writer feels: "the noise annoyed me".
    Feeling,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    CauseFollows,
    EffectFollows,
    /// The cause follows, or a time.
    Since,
    /// The cause follows, or a place: only behind an ailment or a feeling.
    From,
}

/// A link word, as listed.
pub(super) struct Link {
    pub side: Side,
    pub joins: Joins,
    pub weight: f32,
    pub verb: &'static str,
}

/// The words of `assets/lexicon/causes.txt`, and those of `feelings.txt` that say what something makes the writer feel.
pub(super) struct Links {
    pub links: Phrases<Link>,
    pub never: HashSet<String>,
    pub conditions: HashSet<String>,
    /// What `from` gives the cause of.
    pub ailments: HashSet<String>,
}

pub(super) static LINKS: LazyLock<Links> = LazyLock::new(|| {
    let from = ["from", "comes from", "came from", "coming from", "come from"];
    let mut links: Vec<(String, Link)> =
        from.map(|verb| (verb.to_owned(), Link { side: Side::From, joins: Joins::Thing, weight: 0.8, verb })).into();
    let [mut never, mut conditions, mut ailments] = [const { Vec::new() }; 3];
    let mut section = "";
    for line in lines(List::Causes) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let (side, joins) = match section {
            "[cause follows]" => (Side::CauseFollows, Joins::Clauses),
            "[cause follows as a thing]" => (Side::CauseFollows, Joins::Thing),
            "[effect follows]" => (Side::EffectFollows, Joins::Clauses),
            "[effect follows, of a thing]" => (Side::EffectFollows, Joins::Things),
            "[effect on the writer]" => (Side::EffectFollows, Joins::Writer),
            "[cause precedes with time]" => (Side::Since, Joins::Clauses),
            _ => {
                let list = match section {
                    "[never]" => &mut never,
                    "[if]" => &mut conditions,
                    _ => &mut ailments,
                };
                list.extend(line.split(',').map(|word| fold_case(word.trim())).filter(|word| !word.is_empty()));
                continue;
            }
        };
        let Some((weight, phrases)) = line.split_once(':') else { continue };
        let weight = weight.trim().parse().unwrap_or(1.0);
        links.extend(
            phrases.split(',').map(str::trim).map(|verb| (verb.to_owned(), Link { side, joins, weight, verb })),
        );
    }
    let felt = |verb| Link { side: Side::EffectFollows, joins: Joins::Feeling, weight: 1.0, verb };
    links.extend(psych_verb::brought_about().map(|phrase| (phrase.to_owned(), felt(phrase))));
    let set = |words: Vec<String>| words.into_iter().collect();
    Links { links: Phrases::new(links), never: set(never), conditions: set(conditions), ailments: set(ailments) }
});
