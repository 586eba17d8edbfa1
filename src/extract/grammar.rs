//! Part-of-speech tags and noun phrases of English sentences, from word lists and endings.
//!
//! A chunker after Abney ("Parsing by Chunks", 1991): closed word classes and determiners start a phrase, the first
//! word that can only be a verb ends it. Vietnamese has no such words and no endings: for it only the lists are used.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use super::{
    sectioned,
    text::Text,
    words::{Gap, Shape},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Starts a phrase and is not part of its label.
    Article,
    /// Starts a phrase and is part of its label.
    Determiner,
    Preposition,
    Pronoun,
    /// A pronoun with its verb: `it's`.
    Contracted,
    Auxiliary,
    /// Ends a clause.
    Closer,
    /// Starts a phrase without content: `new`.
    Plain,
    Adjective,
    Adverb,
    Verb,
    /// Ends in -ing.
    Gerund,
    /// As often a noun as a verb.
    Either,
    Filler,
    /// Any other word: usually a noun.
    Word,
}

sectioned! {
    Phrases PHRASES:
    articles determiners prepositions pronouns contracted auxiliaries openers closers plain adjectives verbs either fillers
    numbers open_ends times before_an_event at_a_place before_a_noun before_a_topic before_a_gerund nouns_in_ly
}

static CLASSES: LazyLock<HashMap<String, Class>> = LazyLock::new(|| {
    let mut classes = HashMap::new();
    let plain = [
        (&PHRASES.articles, Class::Article),
        (&PHRASES.pronouns, Class::Pronoun),
        (&PHRASES.contracted, Class::Contracted),
        (&PHRASES.auxiliaries, Class::Auxiliary),
        (&PHRASES.closers, Class::Closer),
        (&PHRASES.prepositions, Class::Preposition),
        (&PHRASES.determiners, Class::Determiner),
        (&PHRASES.fillers, Class::Filler),
        (&PHRASES.plain, Class::Plain),
        (&PHRASES.adjectives, Class::Adjective),
        (&PHRASES.openers, Class::Adverb),
        (&PHRASES.either, Class::Either),
        (&PHRASES.verbs, Class::Verb),
    ];
    for (section, class) in plain {
        for word in section {
            classes.entry((*word).to_owned()).or_insert(class);
        }
    }
    for (section, third) in [(&PHRASES.either, Class::Either), (&PHRASES.verbs, Class::Verb)] {
        for verb in section {
            for (form, ending) in forms(verb) {
                let class = match ending {
                    "s" => third,
                    "ing" => Class::Gerund,
                    _ => Class::Verb,
                };
                classes.entry(form).or_insert(class);
            }
        }
    }
    classes
});

/// The regular forms of a verb, including wrong ones, none of which is another word.
fn forms(verb: &str) -> Vec<(String, &'static str)> {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let mut forms = vec![
        (format!("{verb}s"), "s"),
        (format!("{verb}es"), "s"),
        (format!("{stem}ed"), "ed"),
        (format!("{stem}ing"), "ing"),
        (format!("{verb}ing"), "ing"),
    ];
    if let Some(stem) = verb.strip_suffix('y') {
        forms.extend([(format!("{stem}ies"), "s"), (format!("{stem}ied"), "ed")]);
    }
    if let Some(last) = verb.chars().last().filter(|last| !"aeiouwxy".contains(*last)) {
        forms.extend([(format!("{verb}{last}ed"), "ed"), (format!("{verb}{last}ing"), "ing")]);
    }
    forms
}

/// The word class at a position.
pub(super) fn class(text: &Text<'_>, at: usize) -> Class {
    if text.is_marked(at) {
        return Class::Word;
    }
    let key = text.keys[at].as_str();
    if let Some(class) = CLASSES.get(key) {
        return *class;
    }
    if key.ends_with("n't") {
        return Class::Auxiliary;
    }
    if text.words[at].shape == Shape::Other && key.chars().all(|c| c.is_ascii_digit() || c == '-') {
        return Class::Determiner;
    }
    let capital =
        matches!(text.words[at].shape, Shape::Capital | Shape::AllCapitals) && text.words[at].gap != Gap::Sentence;
    match () {
        () if capital || key.len() < 5 || !key.is_ascii() || PHRASES.nouns_in_ly.contains(key) => Class::Word,
        () if key.ends_with("ly") => Class::Adverb,
        () if key.ends_with("ing") => Class::Gerund,
        () if key.ends_with("ed") => Class::Verb,
        () if key.len() > 6
            && ["ous", "ful", "less", "able", "ible", "ish"].iter().any(|ending| key.ends_with(ending)) =>
        {
            Class::Adjective
        }
        () => Class::Word,
    }
}

/// Whether a single word, in lower case, requires a noun after it: `of`, `my`, `the`, `vì`; not `out`, `before`.
pub(super) fn opens_phrase(word: &str) -> bool {
    PHRASES.before_a_noun.contains(word) || CLASSES.get(word) == Some(&Class::Article)
}

/// A word with a digit is no noun.
pub(super) fn is_number_word(word: &str) -> bool {
    PHRASES.numbers.contains(word)
}

/// A noun phrase.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    /// Without the article, with complements: `quarrel with Jane`.
    pub name: Range<usize>,
    /// The words of the head noun: `quarrel`.
    pub noun: Range<usize>,
}

/// Maximum number of words of a phrase.
const LONGEST: usize = 7;

/// The noun phrase that starts at a word.
pub(super) fn phrase_at(text: &Text<'_>, at: usize, end: usize) -> Option<Phrase> {
    let mut phrase = simple_at(text, at, end)?;
    let binds = |at: usize| at + 1 < end && text.follows(at) && is_bound(&text.keys[at]);
    // "A man with a set of tools": at most two complements.
    for _ in 0..2 {
        let other = binds(phrase.name.end).then(|| simple_at(text, phrase.name.end + 1, end)).flatten();
        let Some(other) = other.filter(|other| other.name.end - phrase.name.start <= LONGEST) else { break };
        phrase.name.end = other.name.end;
    }
    Some(phrase)
}

fn is_bound(word: &str) -> bool {
    matches!(word, "of" | "with" | "about")
}

/// A noun phrase without complements.
fn simple_at(text: &Text<'_>, at: usize, end: usize) -> Option<Phrase> {
    // "A lot of noise", "some kind of fear": the noun after "of" counts.
    let filler = (at..end.min(at + 3))
        .find(|at| !matches!(class(text, *at), Class::Article | Class::Determiner | Class::Adjective));
    if let Some(filler) = filler
        && matches!(class(text, filler), Class::Filler)
        && filler + 2 < end
        && text.keys[filler + 1] == "of"
    {
        return simple_at(text, filler + 2, end);
    }
    let (mut start, mut noun) = (None, None::<Range<usize>>);
    let mut opened = false;
    let mut here = at;
    while here < end && here < at + LONGEST && (here == at || text.words[here].gap <= Gap::Ampersand) {
        let next = || (here + 1 < end && text.follows(here + 1)).then(|| class(text, here + 1));
        let owner = text.bare_key(here).len() < text.keys[here].len();
        match class(text, here) {
            Class::Article if noun.is_none() => {
                (start, opened) = (None, true);
            }
            Class::Plain if noun.is_none() && (start.is_none() || opened) => {
                // "The other": no noun.
                opened = true;
            }
            Class::Determiner if noun.is_none() => {
                start.get_or_insert(here);
                opened = true;
            }
            Class::Adjective | Class::Adverb if noun.is_none() => {
                start.get_or_insert(here);
            }
            Class::Word if owner && next().is_some() => {
                start.get_or_insert(here);
                (noun, opened) = (None, true);
            }
            Class::Word => {
                start.get_or_insert(here);
                noun = Some(noun.map_or(here, |noun| noun.start)..here + 1);
            }
            Class::Either => {
                let many = noun.as_ref().is_some_and(|noun| is_plural(text.bare_key(noun.end - 1)));
                let acts = noun.is_some()
                    && matches!(
                        next(),
                        Some(Class::Article | Class::Pronoun | Class::Determiner | Class::Adverb | Class::Filler)
                    );
                if many || acts || (!opened && start.is_none() && noun.is_none() && acts_first(next())) {
                    break;
                }
                start.get_or_insert(here);
                noun = Some(noun.map_or(here, |noun| noun.start)..here + 1);
            }
            Class::Gerund if noun.is_none() => {
                start.get_or_insert(here);
                if !(opened && matches!(next(), Some(Class::Word | Class::Either | Class::Adjective))) {
                    noun = Some(here..here + 1);
                }
            }
            // "The broken chain", "the delayed flight".
            Class::Verb if noun.is_none() && (opened || start.is_some()) && is_participle(text.bare_key(here)) => {
                start.get_or_insert(here);
            }
            _ => break,
        }
        here += 1;
    }
    let noun = noun?;
    Some(Phrase { name: start?..noun.end, noun })
}

/// "Work the whole day", "call me": an action.
fn acts_first(next: Option<Class>) -> bool {
    matches!(next, Some(Class::Article | Class::Pronoun | Class::Determiner))
}

fn is_participle(word: &str) -> bool {
    word.ends_with("ed")
        || word.ends_with("en")
        || word.ends_with("wn")
        || matches!(word, "lost" | "cut" | "hurt" | "torn" | "burnt")
}

pub(super) fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is")
}

/// All noun phrases of some words, in order, each with its preposition.
pub(super) fn phrases(text: &Text<'_>, words: &Range<usize>) -> Vec<(Phrase, bool)> {
    let mut found = Vec::new();
    let mut at = words.start;
    while at < words.end {
        let may_open =
            !matches!(class(text, at), Class::Pronoun | Class::Contracted | Class::Auxiliary | Class::Closer);
        match may_open.then(|| phrase_at(text, at, words.end)).flatten() {
            Some(phrase) => {
                let behind = at > words.start && class(text, at - 1) == Class::Preposition && text.follows(at);
                at = phrase.name.end;
                found.push((phrase, behind));
            }
            None => at += 1,
        }
    }
    found
}
