//! Topic candidates: phrases that may recur in a journal. `index::graph` keeps the few that are unusual and do.

use std::ops::Range;

use super::{
    Class, Mention, MentionSource, ORDINARY, PHRASES, Shape, class, grammar::is_plural, is_little_word, is_number_word,
    overlap, plain_names, text::Text,
};
use crate::journal::EntityKind;

/// Maximum number of candidates per entry.
const MOST: usize = 8;
const SHORTEST: usize = 4;

/// Nouns after an article, a possessive or a preposition, alone or with the noun before them, that are not everyday
/// words; outside the ranges of `known`.
pub(super) fn topics(text: &Text<'_>, known: &[Mention]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 1;
    while at < text.words.len() && found.len() < MOST {
        let before = text.keys[at - 1].as_str();
        let opened = text.follows(at) && PHRASES.before_a_topic.contains(before);
        let gerund = text.keys[at].ends_with("ing") && !PHRASES.before_a_gerund.contains(before);
        let kin = plain_names::is_relative(text, at);
        let Some(words) = (opened && !gerund && !kin).then(|| phrase(text, at)).flatten() else {
            at += 1;
            continue;
        };
        let span = text.name_span(&words);
        at = words.end;
        let name = singular(&text.keys[words].join(" "));
        let taken = known.iter().any(|other| {
            let unknown =
                other.source.is_candidate() && other.source != MentionSource::SentenceStart && other.guess.is_none();
            overlap(&other.span, &span) && !unknown
        });
        if !taken && !found.iter().any(|other| other.name == name) {
            found.push(Mention::new(name, EntityKind::Topic, span, MentionSource::Phrase));
        }
    }
    found
}

/// One or two nouns from here on; `None` if the words are too common or no nouns.
fn phrase(text: &Text<'_>, at: usize) -> Option<Range<usize>> {
    let noun = |at: usize| {
        text.words.get(at).is_some_and(|word| word.shape == Shape::Lower)
            && is_noun_like(text.bare_key(at))
            && matches!(class(text, at), Class::Word | Class::Either | Class::Gerund)
            && !is_number_word(text.bare_key(at))
    };
    if !noun(at) {
        return None;
    }
    let two = text.follows(at + 1) && noun(at + 1) && text.keys[at] == text.bare_key(at);
    let words = if two { at..at + 2 } else { at..at + 1 };
    let last = text.bare_key(words.end - 1);
    // The phrase continues after two words, or its last word is an adjective: the noun is elsewhere.
    let goes_on = text.follows(words.end) && noun(words.end);
    let unusual = words.clone().any(|at| !ORDINARY.is_everyday(text.bare_key(at)));
    (!goes_on && unusual && !ORDINARY.is_everyday(last)).then_some(words)
}

fn is_noun_like(word: &str) -> bool {
    const NO_NOUN: [&str; 10] = ["ed", "ly", "ous", "ful", "ive", "able", "ible", "less", "est", "ish"];
    word.len() >= SHORTEST
        && word.is_ascii()
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        && !NO_NOUN.iter().any(|ending| word.ends_with(ending))
        && !is_little_word(word)
}

/// The same name for singular and plural.
pub(super) fn singular(name: &str) -> String {
    let name = name.strip_suffix("'s").unwrap_or(name);
    let plural = name.len() > SHORTEST && is_plural(name);
    match name.strip_suffix("ies") {
        Some(stem) if plural => format!("{stem}y"),
        _ if plural && ORDINARY.has(name[..name.len() - 1].rsplit(' ').next().unwrap_or("")) => {
            name[..name.len() - 1].to_owned()
        }
        _ => name.to_owned(),
    }
}
