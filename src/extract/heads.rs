//! The noun phrase that a clause is about, where no name stands in it: the ordinary words at an end of a relation.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::{
    lexicon::{NOT_NAMES, ORDINARY, listed_words},
    plain_names,
    text::Text,
    words::{Gap, Shape},
};

struct Phrases {
    determiners: HashSet<&'static str>,
    prepositions: HashSet<&'static str>,
    fillers: HashSet<&'static str>,
    verbs: HashSet<&'static str>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut sections = listed_words(include_str!("../../assets/lexicon/phrases.txt"));
    let mut take = |name| sections.remove(name).unwrap_or_default();
    Phrases {
        determiners: take("determiners"),
        prepositions: take("prepositions"),
        fillers: take("fillers"),
        verbs: take("verbs"),
    }
});

/// The noun phrase that a clause is about: its first one, or before a link word the one that the link word belongs to.
pub(super) fn head(text: &Text<'_>, clause: &Range<usize>, before_link: bool) -> Option<(String, Range<u32>)> {
    let words = if before_link { last_phrase(text, clause) } else { first_phrase(text, clause) }?;
    let bytes = text.bytes(&words);
    let last = words.end - 1;
    let end = text.words[last].span.start + text.bare_key(last).len();
    let end = if text.body.is_char_boundary(end) { end.min(bytes.end) } else { bytes.end };
    let name = text.body[bytes.start..end].split_whitespace().collect::<Vec<_>>().join(" ");
    Some((name.to_lowercase(), bytes.start as u32..end as u32)).filter(|(name, _)| !name.is_empty())
}

fn first_phrase(text: &Text<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    // A short clause in Vietnamese has no articles to go by: it is its own phrase.
    let accented =
        text.keys[clause.clone()].iter().filter(|key| key.chars().any(|c| c.is_alphabetic() && !c.is_ascii())).count();
    if accented * 2 >= clause.len() {
        let start = clause.clone().find(|at| is_content(text, *at))?;
        let end = (start + 1..clause.end.min(start + 4)).find(|at| text.words[*at].gap >= Gap::Break);
        return Some(start..end.unwrap_or(clause.end.min(start + 4)));
    }
    let helped = |at: usize| at > clause.start && is_helping(&text.keys[at - 1]);
    let noun = |at: &usize| is_content(text, *at) && !is_verb_like(&text.keys[*at]) && !helped(*at);
    let introduced = |at: &usize| {
        *at > clause.start && PHRASES.determiners.contains(text.keys[*at - 1].as_str()) && is_content(text, *at)
    };
    let start = match clause.clone().find(noun) {
        Some(first) if first <= clause.start + 2 => first,
        first => {
            clause.clone().find(introduced).or(first).or_else(|| clause.clone().find(|at| is_content(text, *at)))?
        }
    };
    let mut end = start + 1;
    while end < clause.end && end - start < 3 && text.follows(end) && goes_on(text, end) {
        end += 1;
    }
    Some(start..end)
}

/// Whether the noun phrase goes on with this word.
fn goes_on(text: &Text<'_>, at: usize) -> bool {
    is_content(text, at) && text.words[at].shape == Shape::Lower && !is_verb_like(&text.keys[at])
}

fn last_phrase(text: &Text<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    let mut end = clause.end;
    let mut last = None;
    while let Some(stop) = (clause.start..end).rev().find(|at| is_content(text, *at)).map(|at| at + 1) {
        let mut start = stop - 1;
        while start > clause.start && stop - start < 3 && text.follows(start) && is_content(text, start - 1) {
            start -= 1;
        }
        last = Some(start..stop);
        // "The pain in the left knee caused by": over the preposition to what it belongs to.
        let mut before = start;
        while before > clause.start
            && text.follows(before)
            && PHRASES.determiners.contains(text.keys[before - 1].as_str())
        {
            before -= 1;
        }
        let preposition = before > clause.start
            && text.follows(before)
            && PHRASES.prepositions.contains(text.keys[before - 1].as_str());
        if !preposition {
            break;
        }
        end = before - 1;
    }
    last
}

/// A word that carries a meaning of its own.
fn is_content(text: &Text<'_>, at: usize) -> bool {
    let key = text.keys[at].as_str();
    let little = NOT_NAMES.breaks.contains(key)
        || NOT_NAMES.seldom.contains(key)
        || PHRASES.determiners.contains(key)
        || PHRASES.prepositions.contains(key)
        || PHRASES.fillers.contains(key)
        || matches!(key, "mr" | "mrs" | "ms" | "miss" | "sir" | "madam")
        || plain_names::is_relative(text, at)
        || key.ends_with("n't")
        || (key.ends_with("ly") && ORDINARY.has(key));
    !little && key.chars().count() > 1
}

/// A word behind which a verb stands.
fn is_helping(word: &str) -> bool {
    matches!(word, "had" | "has" | "have" | "did" | "will" | "can" | "could" | "to" | "not") || word.ends_with("n't")
}

/// A word that ends the noun phrase before it.
fn is_verb_like(word: &str) -> bool {
    (word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"))) || PHRASES.verbs.contains(word)
}
