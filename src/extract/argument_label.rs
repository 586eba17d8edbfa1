//! Display label of an unnamed cause or effect: a noun phrase, or the clause itself, in the words of the text.
//!
//! A label must read as a cause on its own (`too little sleep`, `nobody had read my notes`); otherwise there is none.

use std::ops::Range;

use super::{
    Class, Gap, ORDINARY, PHRASES, Phrase, Shape, class, connective_sense::begins_clause, is_denial, is_number_word,
    phrase_at, phrases, plain_names, reported_speech::is_comment, sense_words::SENSES, text::Text, topics::singular,
};

/// The label of one argument of a relation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ArgumentLabel {
    pub name: String,
    pub span: Range<u32>,
    pub is_clause: bool,
}

/// Maximum number of words of a clause that is a label as it stands.
const LONGEST: usize = 8;
/// Maximum number of words of an action.
const MOST_DONE: usize = 4;
/// Maximum length; a longer clause is truncated with a mark.
const CUT: usize = 7;

/// The noun phrase after a connective: `because of [too little sleep]`.
pub(super) fn thing(text: &Text<'_>, words: &Range<usize>) -> Option<ArgumentLabel> {
    let words = &nearest(text, words, false);
    if is_accented(text, words) {
        return clause(text, words);
    }
    let mut all = phrases(text, words).into_iter();
    let first = all.next().map(|(phrase, _)| phrase);
    let opens = first.filter(|phrase| phrase.name.start <= words.start + 3 && tells(text, phrase));
    if let Some(phrase) = &opens
        && let Some(done) = done(text, phrase, words.end)
    {
        return Some(label(text, done, false));
    }
    // After such a connective a word is a noun, even if the lists know it as a verb: "due to flooding".
    let bare = || {
        let open = |at: &usize| matches!(class(text, *at), Class::Article | Class::Plain | Class::Adverb);
        let at = words.clone().find(|at| !open(at)).filter(|at| text.keys[*at].len() > 3)?;
        matches!(class(text, at), Class::Verb | Class::Either | Class::Gerund).then(|| label(text, at..at + 1, false))
    };
    opens.map(|phrase| label(text, phrase.name, false)).or_else(|| clause(text, words)).or_else(bare)
}

/// "For fear of getting cold": an action is labelled with its object.
fn done(text: &Text<'_>, phrase: &Phrase, end: usize) -> Option<Range<usize>> {
    let at = phrase.name.start;
    let alone = phrase.name.end == at + 1 && class(text, at) == Class::Gerund;
    let opened = at.checked_sub(1).is_some_and(|before| class(text, before) == Class::Article);
    let ends = |next: &usize| {
        *next >= at + MOST_DONE
            || text.breaks(*next)
            || matches!(class(text, *next), Class::Closer | Class::Preposition | Class::Auxiliary)
    };
    let stop = (at + 1..end).find(ends).unwrap_or(end);
    let stop = (at + 1..stop).rev().find(|last| class(text, *last) != Class::Adverb).map_or(at + 1, |last| last + 1);
    // "Listening to music", "talking with Linh".
    let bound = stop == at + 1 && stop < end && class(text, stop) == Class::Preposition && text.follows(stop);
    let object = bound.then(|| phrase_at(text, stop + 1, end)).flatten();
    let stop = object.filter(|object| object.name.start <= stop + 2).map_or(stop, |object| object.name.end);
    (alone && !opened && stop > at + 1 && !ends_open(text, stop)).then_some(at..stop)
}

/// The noun phrase before a connective: `[the pain in the left knee] caused by`.
pub(super) fn thing_before(text: &Text<'_>, words: &Range<usize>) -> Option<ArgumentLabel> {
    let words = &nearest(text, words, true);
    if is_accented(text, words) {
        return clause(text, words);
    }
    let all = phrases(text, words);
    let last = all.iter().rposition(|(_, behind)| !behind).or(all.len().checked_sub(1))?;
    let told = |(phrase, _): &&(Phrase, bool)| tells(text, phrase);
    let (phrase, _) = Some(&all[last]).filter(told).or_else(|| all[..last].iter().rev().find(told))?;
    // "Watching them cut it off": the action has more words than the first.
    let done = done(text, phrase, words.end).unwrap_or_else(|| phrase.name.clone());
    Some(label(text, done, false))
}

/// The label of a clause: its noun phrase if it only states existence, else its own words.
pub(super) fn said(text: &Text<'_>, words: &Range<usize>, before_link: bool) -> Option<ArgumentLabel> {
    let words = &nearest(text, words, before_link);
    if !is_accented(text, words)
        && let Some(phrase) = there_is(text, words)
    {
        return Some(label(text, phrase.name, false));
    }
    clause(text, words).or_else(|| {
        let phrase = phrases(text, words).into_iter().next()?.0;
        tells(text, &phrase).then(|| label(text, phrase.name, false))
    })
}

/// The head noun that a clause is about, in the form that a journal may know: `firmware` of "the new firmware loses the
/// clock", `train` of "I missed the train".
pub(super) fn noun(text: &Text<'_>, words: &Range<usize>, before_link: bool) -> Option<(String, Range<u32>)> {
    let words = &nearest(text, words, before_link);
    let start = words.clone().find(|at| !is_opener(text, *at))?;
    let (phrase, _) = phrases(text, words).into_iter().find(|(_, behind)| !behind)?;
    let acts = |at: usize| matches!(class(text, at), Class::Auxiliary | Class::Verb);
    let before = phrase.name.start.checked_sub(1).filter(|before| *before >= start);
    let is_behind = |at: usize| at > start && class(text, at - 1) == Class::Preposition;
    let is_object =
        before.is_some_and(|before| matches!(class(text, before), Class::Article | Class::Plain) && !is_behind(before));
    let is_subject = phrase.name.start == start && phrase.name.end < words.end && acts(phrase.name.end);
    if !(is_object || is_subject) {
        return None;
    }
    let noun = phrase.noun.end.saturating_sub(2).max(phrase.noun.start)..phrase.noun.end;
    let last = text.bare_key(noun.end - 1);
    let lower = noun.clone().all(|at| text.words[at].shape == Shape::Lower);
    if !lower || ORDINARY.is_everyday(last) || last.len() < 4 || !tells(text, &phrase) {
        return None;
    }
    let span = text.name_span(&noun);
    let name = text.body.get(span.start as usize..span.end as usize)?.to_lowercase();
    Some((singular(&name), span))
}

/// "There was no hot water", "I have an exam", "it was a long day".
fn there_is(text: &Text<'_>, words: &Range<usize>) -> Option<Phrase> {
    let key = |at: usize| text.key_in(words, at);
    let first = key(words.start);
    let at = match (first, key(words.start + 1)) {
        ("there" | "it", "is" | "was" | "are" | "were") => words.start + 2,
        ("there's" | "it's", _) => words.start + 1,
        ("i" | "we" | "he" | "she" | "they", "have" | "had" | "has" | "got") => words.start + 2,
        ("i've" | "we've", "got") => words.start + 2,
        _ => return None,
    };
    let opens = at < words.end
        && matches!(class(text, at), Class::Article | Class::Determiner | Class::Adjective | Class::Word);
    let whose = matches!(first, "it" | "it's") && at < words.end && class(text, at) != Class::Article;
    let phrase = (opens && !whose).then(|| phrase_at(text, at, words.end)).flatten()?;
    let ends = phrase.name.end == words.end
        || (class(text, phrase.name.end) == Class::Preposition && text.keys[phrase.name.end] != "to");
    (ends && tells(text, &phrase)).then_some(phrase)
}

/// The byte range of a clause from its subject to a turning word, however long.
pub(super) fn whole(text: &Text<'_>, words: &Range<usize>) -> Range<u32> {
    if words.is_empty() {
        return 0..0;
    }
    let start = words.clone().find(|at| !is_opener(text, *at)).unwrap_or(words.start);
    text.name_span(&with_denial(text, start..clause_end(text, start, words.end)))
}

fn clause_end(text: &Text<'_>, start: usize, end: usize) -> usize {
    (start + 1..end).find(|at| turns(text, start, *at)).unwrap_or(end)
}

/// A clause in its own words, from its subject to a turning word.
pub(super) fn clause(text: &Text<'_>, words: &Range<usize>) -> Option<ArgumentLabel> {
    let start = words.clone().find(|at| !is_opener(text, *at))?;
    let end = clause_end(text, start, words.end);
    let acts = |at: usize| {
        matches!(class(text, at), Class::Auxiliary | Class::Verb | Class::Either | Class::Contracted | Class::Gerund)
    };
    let accented = is_accented(text, &(start..end));
    if end < start + 2 || !(accented || (start..end).any(acts)) || ends_open(text, end) {
        return None;
    }
    if end - start <= LONGEST {
        return Some(label(text, start..end, true));
    }
    // "The list goes | to the council": the destination follows.
    let breathes = |at: &usize| {
        class(text, *at) == Class::Preposition && !ends_open(text, *at) && class(text, *at - 1) != Class::Verb
    };
    if let Some(cut) = (start + 4..=start + LONGEST).rev().find(breathes) {
        return Some(label(text, start..cut, true));
    }
    let cut = (start + 4..=start + CUT).rev().find(|cut| !ends_open(text, *cut)).unwrap_or(start + CUT);
    let mut label = label(text, start..cut, true);
    label.name.push('…');
    Some(label)
}

/// A clause in all its words, where the grammar around it says that it is one: "it annoys me that [I knew]".
pub(super) fn in_full(text: &Text<'_>, words: &Range<usize>) -> Option<ArgumentLabel> {
    (2..=LONGEST).contains(&words.len()).then(|| label(text, words.clone(), true))
}

/// The bytes of a noun phrase with the one that "of" joins to it.
pub(super) fn with_complement(text: &Text<'_>, span: &Range<u32>, within: &Range<usize>) -> Range<u32> {
    let of = text.words_of(span).end;
    if span.is_empty() || of >= within.end || text.keys[of] != "of" || !text.follows(of) {
        return span.clone();
    }
    let pronoun = || (of + 1 < within.end && class(text, of + 1) == Class::Pronoun).then_some(of + 2);
    let end = phrase_at(text, of + 1, within.end).map(|phrase| phrase.name.end).or_else(pronoun);
    end.map_or_else(|| span.clone(), |end| span.start..text.bytes(&(of..end)).end as u32)
}

/// Whether a clause that ends here is incomplete.
fn ends_open(text: &Text<'_>, end: usize) -> bool {
    // "The yeast was old": the predicate follows.
    let says = |last: usize| {
        class(text, last) == Class::Plain
            && last.checked_sub(1).is_some_and(|before| matches!(class(text, before), Class::Auxiliary | Class::Adverb))
    };
    end.checked_sub(1).filter(|last| !says(*last)).is_some_and(|last| {
        matches!(
            class(text, last),
            Class::Article | Class::Preposition | Class::Closer | Class::Determiner | Class::Plain
        ) && !PHRASES.open_ends.contains(text.keys[last].as_str())
    })
}

fn is_opener(text: &Text<'_>, at: usize) -> bool {
    let key = text.keys[at].as_str();
    // "That is true": the complement follows.
    let points = text.keys.get(at + 1).is_some_and(|_| class(text, at + 1) == Class::Auxiliary);
    match key {
        "that" | "which" | "who" => !points,
        "of" | "và" | "là" | "nên" | "thì" | "and" | "but" | "so" | "then" | "whom" => true,
        _ => class(text, at) == Class::Adverb,
    }
}

/// Whether the clause that starts at `start` is complete before the word.
fn turns(text: &Text<'_>, start: usize, at: usize) -> bool {
    if text.breaks(at) && !is_inner(text, at) {
        return at >= start + 2;
    }
    let next = text.keys.get(at + 1).map(|_| class(text, at + 1));
    match text.keys[at].as_str() {
        // "I had not sung since Carol": when.
        "since" if !begins_clause(text, at + 1, text.keys.len()) => false,
        "and" | "or" => at >= start + 3 && matches!(next, Some(Class::Pronoun | Class::Contracted | Class::Article)),
        "so" | "as" | "than" | "yet" | "before" | "after" | "until" => false,
        "that" | "what" | "who" | "how" => false,
        "due" | "thanks" => at >= start + 3,
        // "I am to say which villages wait": the object follows.
        _ => at >= start + 3 && class(text, at) == Class::Closer && class(text, at - 1) != Class::Verb,
    }
}

/// The part of a side next to the connective: up to the nearest comma with a clause of its own.
pub(super) fn nearest(text: &Text<'_>, words: &Range<usize>, before_link: bool) -> Range<usize> {
    let breaks = |at: &usize| text.breaks(*at) && !is_inner(text, *at);
    if before_link {
        // "Joined, and thus": the conjunction is not part of it.
        let joins = |at: usize| SENSES.before_a_link.contains(text.keys[at].as_str());
        let end = words.clone().rev().find(|at| !joins(*at)).map_or(words.start, |last| last + 1);
        // "She is lonely, I think, since he moved".
        let comment = (words.start + 1..end).rev().find(breaks).filter(|at| is_comment(text, *at..end));
        let end = comment.unwrap_or(end);
        let start =
            (words.start + 1..end.saturating_sub(1)).rev().filter(breaks).find(|at| says_enough(text, *at..end));
        let start = start.unwrap_or(words.start);
        // "Put on the late shift, although I had asked": nothing comes about by what is conceded.
        if start > words.start && concedes(text, start) {
            nearest(text, &(words.start..start), true)
        } else {
            start..end
        }
    } else {
        let end = (words.start + 2..words.end).find(breaks).unwrap_or(words.end);
        words.start..end
    }
}

/// Whether a concessive clause starts here.
pub(super) fn concedes(text: &Text<'_>, at: usize) -> bool {
    let opens = |at: usize| text.keys.get(at).is_some_and(|word| SENSES.conceding.contains(word.as_str()));
    // "Even though", "mặc dù".
    opens(at) || (class(text, at) == Class::Adverb || text.keys[at] == "mặc") && opens(at + 1)
}

/// Three words, or two with an action; not "for six weeks", "on the same day".
fn says_enough(text: &Text<'_>, words: Range<usize>) -> bool {
    let subject = class(text, words.start) != Class::Verb;
    words.len() > 2 && !(class(text, words.start) == Class::Preposition && is_time(text, &words, words.end - 1))
        || subject
            && words.clone().any(|at| matches!(class(text, at), Class::Verb | Class::Auxiliary | Class::Contracted))
}

/// An apostrophe or a hyphen within a compound.
fn is_inner(text: &Text<'_>, at: usize) -> bool {
    let between = at.checked_sub(1).map_or(0..0, |before| text.words[before].span.end..text.words[at].span.start);
    // "£2,900", "4:30pm".
    let is_number = |at: usize| text.written(at).starts_with(|first: char| first.is_ascii_digit());
    if matches!(text.body.get(between.clone()), Some("," | ":")) && is_number(at - 1) && is_number(at) {
        return true;
    }
    matches!(text.body.get(between), Some("-" | "/" | "'" | "’" | "." | "%" | "% " | "$" | " $" | "£" | " £" | ". "))
}

/// Whether a phrase has content: no bare pronoun, measure or relative.
fn tells(text: &Text<'_>, phrase: &Phrase) -> bool {
    let last = text.bare_key(phrase.noun.end - 1);
    let relative = phrase.name.len() == 1 && plain_names::is_relative(text, phrase.name.start);
    let title = matches!(last, "mr" | "mrs" | "ms" | "miss" | "sir" | "madam" | "dr");
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(word);
    let number = is_number(last);
    // "All night", "this morning", "six weeks": a time.
    let counted = (phrase.noun.start..phrase.noun.end - 1).all(|at| is_number(text.bare_key(at)));
    let when = counted && is_time(text, &phrase.name, phrase.noun.end - 1);
    !(relative || title || number || when) && last.chars().count() > 1
}

/// Whether words with the noun `last` say no more than a time: "this morning", but not "a sleepless night".
fn is_time(text: &Text<'_>, words: &Range<usize>, last: usize) -> bool {
    let says_how = |at: usize| matches!(class(text, at), Class::Adjective | Class::Gerund);
    PHRASES.times.contains(singular(text.bare_key(last)).as_str()) && !words.clone().any(says_how)
}

/// A short Vietnamese clause is its own phrase, because there are no articles to find one.
fn is_accented(text: &Text<'_>, words: &Range<usize>) -> bool {
    let accented = |key: &&String| key.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    text.keys[words.clone()].iter().filter(accented).count() * 2 >= words.len().max(1)
}

/// The label of some words, with a negation before them.
pub(super) fn label(text: &Text<'_>, words: Range<usize>, is_clause: bool) -> ArgumentLabel {
    let words = with_denial(text, words);
    let span = text.name_span(&words);
    let written = text.unmarked(span.start as usize..span.end as usize);
    let mut name = balanced(&written, text.body.get(span.end as usize..).unwrap_or_default());
    let first = &text.words[words.start];
    // "Rose Pemberton has started": no capital of the sentence.
    let next = text.words.get(words.start + 1).filter(|_| words.len() > 1);
    let opens_name =
        next.is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital && !is_i(text, words.start + 1));
    let is_ordinary = !opens_name && ORDINARY.has(text.bare_key(words.start));
    if first.gap == Gap::Sentence && first.shape == Shape::Capital && is_ordinary {
        name = lower_first(&name);
    }
    ArgumentLabel { name, span, is_clause }
}

/// "For not having rung her": without the negation it would say the opposite.
fn with_denial(text: &Text<'_>, mut words: Range<usize>) -> Range<usize> {
    while words.start > 0 && text.words[words.start].gap == Gap::Space && is_denial(&text.keys[words.start - 1]) {
        words.start -= 1;
    }
    words
}

fn is_i(text: &Text<'_>, at: usize) -> bool {
    let key = text.keys[at].as_str();
    key == "i" || key.starts_with("i'")
}

/// The words with single spaces, and a closing quotation mark or bracket after them; an unpaired mark is dropped.
pub fn balanced(written: &str, behind: &str) -> String {
    const PAIRS: [(char, char); 6] = [('"', '"'), ('“', '”'), ('«', '»'), ('(', ')'), ('[', ']'), ('{', '}')];
    let mut name = written.split_whitespace().collect::<Vec<_>>().join(" ");
    for (open, close) in PAIRS {
        let (opened, closed) = (name.matches(open).count(), name.matches(close).count());
        let is_odd = if open == close { opened % 2 == 1 } else { opened != closed };
        if is_odd && (open == close || opened == closed + 1) && behind.starts_with(close) {
            name.push(close);
        } else if is_odd {
            name.retain(|c| c != open && c != close);
        }
    }
    name
}

/// Whether the capital is due to the start of the sentence only.
fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
