//! Votes on the kind of a name, by its own and the surrounding words. `index::graph` counts all votes and decides.

use std::ops::Range;

use super::{
    Class, GAZETTEER, Gap, ORDINARY, Shape, TITLES, Word, class, feelings::names_feeling, fold_case,
    plain_names::is_relative, sectioned, text::Text,
};
use crate::journal::EntityKind;

sectioned! {
    BesideNames BESIDE:
    before_a_place before_a_goal moving before_a_person after_a_person before_an_organization before_a_product
    talking_to aimed_at family_names before_a_thing
}

/// Maximum distance from a verb of movement to a name that is its goal.
const MOVING_WITHIN: usize = 4;
/// Maximum number of words from a name to a pronoun that refers back to it.
const OWN_WITHIN: usize = 4;

/// The kind that the words suggest for a name; `None` without evidence.
pub(super) fn kind(text: &Text<'_>, run: &Range<usize>) -> Option<EntityKind> {
    let first = text.bare_key(run.start);
    let last = text.bare_key(run.end - 1);
    let listed = GAZETTEER.names.at(text, run.start).filter(|(words, _)| *words == run.len()).map(|(_, kind)| *kind);
    if run.len() > 1 {
        // "Trường Chinh" is a street and no school, "Washington Post" a newspaper.
        let told = listed.or_else(|| GAZETTEER.ends.get(last).or_else(|| GAZETTEER.starts.get(first)).copied());
        if told.is_some() {
            return told;
        }
    }
    // "At Mama's": a relative, not a place.
    if run.len() == 1 && is_relative(text, run.start) {
        return Some(EntityKind::Person);
    }
    let the = is_behind_the(text, run.start);
    // "The King" is a person, "the Parliament" an organization.
    if run.len() == 1 && the {
        if TITLES.office.contains(first) {
            return Some(EntityKind::Person);
        }
        if let Some(EntityKind::Organization) = GAZETTEER.ends.get(first) {
            return Some(EntityKind::Organization);
        }
    }
    // "The Hải Vân pass", "the Asano river".
    let next = text.keys.get(run.end).filter(|_| the && text.follows(run.end)).map(|_| text.bare_key(run.end));
    if let Some(kind) = next.and_then(|next| GAZETTEER.ends.get(next)) {
        return Some(*kind);
    }
    // "Captain Ferrers" is a person; "the Captain" may be anybody, or a ship.
    if run.len() > 1 && TITLES.part.contains(first) {
        return Some(EntityKind::Person);
    }
    let before = |back: usize| {
        let at = run.start.checked_sub(back)?;
        (at + 1..=run.start).all(|at| text.follows(at)).then(|| text.bare_key(at))
    };
    if let Some(kind) = before(1).and_then(|word| GAZETTEER.starts.get(word)) {
        return Some(*kind);
    }
    // "My Honda", "on the Peugeot": a product of the company.
    if run.len() == 1 && GAZETTEER.makers.contains(first) && before(1).is_some_and(has_one) {
        return Some(EntityKind::Product);
    }
    // "A Victoria sponge": a thing with the name of a person.
    let names_thing = matches!(before(1), Some("a" | "an" | "the"))
        && text.follows(run.end)
        && text.words[run.end].shape == Shape::Lower
        && class(text, run.end) == Class::Word;
    // "Cẩm Lệ" is no Cẩm: with a family name only is the first of several Vietnamese syllables a person's.
    let whole = run.len() == 1 || BESIDE.family_names.contains(first) || run.clone().all(|at| text.keys[at].is_ascii());
    let is_given = GAZETTEER.first_names.contains(first) && run.len() <= 3 && !names_thing && whole;
    let given = is_given.then_some(EntityKind::Person);
    match (listed, given) {
        (Some(kind), None) => return Some(kind),
        (None, Some(kind)) if run.len() > 1 => return Some(kind),
        _ => {}
    }
    let mut near = (1..=MOVING_WITHIN + 1).map_while(before);
    let beside = beside(text, run, &mut near);
    beside.or(listed).or(given).or_else(|| shape(text, run))
}

/// Whether a noun follows this word.
fn has_one(word: &str) -> bool {
    BESIDE.before_a_thing.contains(word) || word.ends_with("'s")
}

/// Whether "the" is directly before a word.
pub(super) fn is_behind_the(text: &Text<'_>, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| text.follows(at) && text.keys[before] == "the")
}

/// The kind that a name suggests without context.
pub(super) fn of_name(name: &str) -> Option<EntityKind> {
    let words: Vec<String> = name.split_whitespace().map(fold_case).collect();
    let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
    let by_word = || GAZETTEER.ends.get(last).or_else(|| GAZETTEER.starts.get(first)).copied();
    let listed = GAZETTEER.names.phrase(&words).copied();
    let given = (GAZETTEER.first_names.contains(first) && words.len() <= 3).then_some(EntityKind::Person);
    listed.or_else(|| by_word().filter(|_| words.len() > 1)).or(given)
}

/// The kind that the words before and after the name suggest.
fn beside(text: &Text<'_>, run: &Range<usize>, before: &mut dyn Iterator<Item = &str>) -> Option<EntityKind> {
    // "Went to Colm, who left".
    let is_who = |next: &Word| next.gap <= Gap::Break && text.keys[run.end] == "who";
    if run.len() == 1 && text.words.get(run.end).is_some_and(is_who) {
        return Some(EntityKind::Person);
    }
    let mut word = before.next();
    let article = matches!(word, Some("the" | "a" | "an" | "my" | "our"));
    if article {
        word = before.next();
    }
    let second = before.next();
    if let Some(word) = word {
        if BESIDE.before_an_organization.contains(word)
            || (matches!(word, "at" | "for")
                && second.is_some_and(|second| BESIDE.before_an_organization.contains(second)))
        {
            return Some(EntityKind::Organization);
        }
        // "At Ruth's", "from Nia's".
        if text.is_possessive(run.end - 1) && !article && (word == "at" || BESIDE.before_a_place.contains(word)) {
            return Some(EntityKind::Person);
        }
        // "Phải tại Bảo không": because of.
        if BESIDE.before_a_place.contains(word) && !(word == "tại" && second == Some("phải")) {
            return Some(EntityKind::Place);
        }
        if word == "at" {
            let aimed = second.is_some_and(|second| names_feeling(second) || BESIDE.aimed_at.contains(second));
            let is_given = run.len() == 1 && GAZETTEER.first_names.contains(text.bare_key(run.start));
            return Some(if aimed || is_given { EntityKind::Person } else { EntityKind::Place });
        }
        let moves = || second.into_iter().chain(before).any(|word| BESIDE.moving.contains(word));
        if BESIDE.before_a_goal.contains(word) && moves() {
            return Some(EntityKind::Place);
        }
        let talks = word == "to" && second.is_some_and(|second| BESIDE.talking_to.contains(second));
        if (BESIDE.before_a_person.contains(word) || talks) && !article && !is_numbered(text, run) {
            return Some(EntityKind::Person);
        }
        if BESIDE.before_a_product.contains(word) {
            return Some(EntityKind::Product);
        }
    }
    let next = text.keys.get(run.end).filter(|_| text.follows(run.end) && !article);
    let acts = next.is_some_and(|next| BESIDE.after_a_person.contains(next.as_str()));
    (acts || !article && has_own(text, run.end)).then_some(EntityKind::Person)
}

/// Whether a name that ends here does something with what is its own: "put her hand in", "hurt himself". Not "suits her".
fn has_own(text: &Text<'_>, end: usize) -> bool {
    let of_clause = |at: &usize| text.words[*at].gap < Gap::Sentence && text.words[*at].shape == Shape::Lower;
    let mut behind = (end..text.words.len()).take(OWN_WITHIN).take_while(of_clause);
    let is_act = |at| matches!(class(text, at), Class::Verb | Class::Either | Class::Word);
    let is_thing = |at| {
        let is_noun = |at| matches!(class(text, at), Class::Word | Class::Adjective | Class::Either);
        at < text.words.len() && text.follows(at) && is_noun(at)
    };
    behind.next().is_some_and(is_act)
        && behind.any(|at| match text.keys[at].as_str() {
            "himself" | "herself" => true,
            "his" | "her" => is_thing(at + 1),
            _ => false,
        })
}

/// "Radio 4".
fn is_numbered(text: &Text<'_>, run: &Range<usize>) -> bool {
    let next = text.keys.get(run.end).filter(|_| text.follows(run.end));
    next.is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Two or three capitalised words that are not ordinary words usually are a person.
fn shape(text: &Text<'_>, run: &Range<usize>) -> Option<EntityKind> {
    let name = |at: usize| {
        let letters = text.keys[at].is_ascii() && matches!(text.words[at].shape, Shape::Capital | Shape::Initial);
        letters && !ORDINARY.has(text.bare_key(at))
    };
    ((2..=3).contains(&run.len()) && run.clone().all(name)).then_some(EntityKind::Person)
}
