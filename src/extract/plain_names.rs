//! Unnamed mentions: relatives (`Mom`, `my sister`, `bà ngoại`) and events (`the interview`).

use std::{ops::Range, sync::LazyLock};

use super::{
    Class, Gap, Mention, MentionSource, PHRASES, Shape, class, language::List, named_items, overlap, phrases::Phrases,
    sense_words::SENSES, text::Text,
};
use crate::journal::EntityKind;

/// Number of words before an event that may say that it did not happen.
const NEGATED_WITHIN: usize = 5;

struct Relative {
    name: &'static str,
    /// A mention even without a capital and without "my".
    alone: bool,
    /// The same, but only between certain words.
    among_verbs: bool,
}

static KIN: LazyLock<Phrases<Relative>> = LazyLock::new(|| {
    let relative = |(section, name, word): (_, _, &'static str)| {
        (word, Relative { name, alone: section == "alone", among_verbs: section == "among verbs" })
    };
    Phrases::new(named_items(List::Kin).map(relative))
});

static EVENTS: LazyLock<Phrases<&'static str>> =
    LazyLock::new(|| Phrases::new(named_items(List::Events).map(|(_, name, word)| (word, name))));

/// All relatives and events outside the `taken` ranges (sorted by start), in text order.
pub(super) fn plain_names(text: &Text<'_>, taken: &[Range<u32>]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.words.len() {
        match relative(text, at).or_else(|| event(text, at)) {
            Some((words, name, source)) => {
                let span = text.name_span(&(at..at + words));
                if !taken.iter().any(|other| overlap(other, &span)) {
                    let kind = if source == MentionSource::Kin { EntityKind::Person } else { EntityKind::Event };
                    found.push(Mention::new(name, kind, span, source));
                }
                at += words;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether two words denote the same relative (`Mom`, `mother`); a word matches itself if it has such synonyms.
pub fn is_same_relative(one: &str, other: &str) -> bool {
    const SAME: [&[&str]; 2] =
        [&["mom", "mommy", "mum", "mummy", "mama", "mamma", "mother"], &["dad", "daddy", "papa", "father"]];
    let [one, other] = [one, other].map(super::fold_case);
    SAME.iter().any(|same| same.contains(&one.as_str()) && same.contains(&other.as_str()))
}

/// Whether a word denotes a relation to the writer.
pub(super) fn is_relative(text: &Text<'_>, at: usize) -> bool {
    KIN.at(text, at).is_some()
}

/// "His mam", "Darren's mum": the relative of another person.
pub(super) fn is_relative_of_another(text: &Text<'_>, at: usize) -> bool {
    is_relative(text, at) && is_anothers(word_before(text, at))
}

fn word_before<'a>(text: &'a Text<'_>, at: usize) -> Option<&'a str> {
    at.checked_sub(1).filter(|_| text.words[at].gap <= Gap::Space).map(|before| text.keys[before].as_str())
}

fn is_anothers(before: Option<&str>) -> bool {
    matches!(before, Some("his" | "her" | "their" | "your" | "a" | "the" | "another" | "every"))
        || before.is_some_and(|word| word.ends_with("'s"))
}

type Found = (usize, &'static str, MentionSource);

fn relative(text: &Text<'_>, at: usize) -> Option<Found> {
    let (words, relative) = KIN.at(text, at)?;
    let next = at + words;
    // "My sister Anna", "Aunt Ruth", "sếp Hùng": a name follows.
    let named = text.follows(next) && matches!(text.words[next].shape, Shape::Capital | Shape::Initial);
    // "Mother Nature", "his mother": not the writer's.
    let before = word_before(text, at);
    let mine = matches!(before, Some("my" | "our"));
    let others = is_anothers(before);
    let capital = text.words[at].shape == Shape::Capital;
    // "Went to see mum", but "single mum".
    let is_argument = || before.is_none() || matches!(class(text, at - 1), Class::Verb | Class::Preposition);
    let addressed = is_address(relative.name) && !others && (capital || is_argument());
    // "Hai mẹ con", "vợ ổng", "mẹ nó".
    let of_another = words == 1
        && (before.is_some_and(|word| SENSES.before_kin.contains(word))
            || text
                .keys
                .get(next)
                .is_some_and(|whose| text.follows(next) && SENSES.behind_kin.contains(whose.as_str())));
    // "Ba nói", "với ba", but not "ba ngày", "hàng ngoại".
    let is_among = || {
        let opens = text.breaks(at) || at == 0;
        let behind = text.keys.get(next).filter(|_| text.follows(next));
        (opens || before.is_some_and(|word| SENSES.before_ambiguous_kin.contains(word)))
            && behind.is_none_or(|word| SENSES.behind_ambiguous_kin.contains(word.as_str()))
    };
    let counts = relative.alone && !of_another || mine || addressed || relative.among_verbs && is_among();
    (counts && !named).then_some((words, relative.name, MentionSource::Kin))
}

/// Used as a form of address, like a name: such relatives are listed with a capital.
fn is_address(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Whether the name of an event begins here that no other word shares: `Trung thu`.
pub(super) fn is_event_phrase(text: &Text<'_>, at: usize) -> bool {
    EVENTS.at(text, at).is_some_and(|(words, _)| words > 1 || !text.written(at).is_ascii())
}

fn event(text: &Text<'_>, at: usize) -> Option<Found> {
    let (words, name) = EVENTS.at(text, at)?;
    let found = (words, *name, MentionSource::Event);
    if is_event_phrase(text, at) {
        return Some(found);
    }
    // "Migraine. Left early.", "Migraine again."
    let ends = text.keys.get(at + 1).is_none_or(|next| !text.follows(at + 1) || next == "again");
    let opens = text.words[at].gap == Gap::Sentence && text.words[at].shape == Shape::Capital && ends;
    if text.words[at].shape != Shape::Lower && !opens || did_not_happen(text, at) {
        return None;
    }
    let back = |count: usize| {
        let before = at.checked_sub(count)?;
        (before + 1..=at).all(|at| text.follows(at)).then(|| text.keys[before].as_str())
    };
    let said = |word: &str| PHRASES.before_an_event.contains(word) || word.ends_with("'s");
    // "Rang the surgery": the doctor's.
    if SENSES.premises.contains(text.keys[at].as_str()) && back(1) == Some("the") {
        return None;
    }
    // A verb, not a noun: "to move", "I run", "will match".
    let verb = back(1).is_some_and(|word| matches!(word, "to" | "i" | "we" | "will" | "they" | "you" | "he" | "she"));
    let noun = back(1).is_some_and(said) || back(2).is_some_and(said) || text.words[at].gap == Gap::Sentence;
    // "After meeting with several persons": a verb.
    let next = text.keys.get(at + 1).filter(|_| text.follows(at + 1)).map_or("", String::as_str);
    let meets = text.keys[at] == "meeting"
        && back(1).is_none_or(|word| matches!(word, "after" | "before" | "for" | "during"))
        && (matches!(next, "with" | "the" | "a" | "my" | "his" | "her" | "him" | "them" | "up" | "some" | "several")
            || text.words.get(at + 1).is_some_and(|word| word.shape == Shape::Capital));
    (noun && !verb && !meets).then_some(found)
}

/// "No meeting today", "not a full migraine", "I didn't have a migraine".
fn did_not_happen(text: &Text<'_>, at: usize) -> bool {
    let mut before = (at.saturating_sub(NEGATED_WITHIN)..at).rev().take_while(|at| text.follows(at + 1)).peekable();
    let describes = |at: &usize| {
        matches!(class(text, *at), Class::Article | Class::Adjective | Class::Plain)
            || SENSES.negated_event.contains(text.keys[*at].as_str())
    };
    while before.next_if(describes).is_some() {}
    before.next_if(|at| SENSES.having.contains(text.keys[*at].as_str()));
    before.next().is_some_and(|at| super::is_denial(&text.keys[at]) || text.keys[at] == "without")
}
