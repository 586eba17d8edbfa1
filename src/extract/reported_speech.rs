//! Reported speech: words of saying and guessing, quotations of others, comments of the writer.

use std::{collections::HashSet, ops::Range};

use super::{Class, Gap, Shape, class, sectioned, text::Text};

sectioned! { Voices WORDS: tells guesses imagines perhaps writer told joins between }

/// Maximum number of words of the speaker beside reported speech: "said my old friend".
pub(super) const LONGEST_SPEAKER: usize = 4;

/// Number of words on each side of a quoted one that are looked at for the end of the quotation.
const LONGEST_QUOTATION: usize = 60;

/// Whether a word is in a quotation of another person: `Dev said, "I'm so angry"`. In "Told Dev ..." the writer speaks, also
/// where the words around the quotation name both.
pub(super) fn is_quoted_from_another(text: &Text<'_>, at: usize) -> bool {
    if !text.is_quoted(at) {
        return false;
    }
    let is_quoted = |at: &usize| text.is_quoted(*at);
    let first = (0..=at).rev().take(LONGEST_QUOTATION).take_while(is_quoted).last().unwrap_or(at);
    let last = (at..text.words.len()).take(LONGEST_QUOTATION).take_while(is_quoted).last().unwrap_or(at);
    // A quotation mark ends no sentence by itself.
    let goes_on = |at: usize| {
        let (Some(before), Some(word)) = (at.checked_sub(1).and_then(|at| text.words.get(at)), text.words.get(at))
        else {
            return false;
        };
        let between = &text.body[before.span.end..word.span.start];
        word.gap < Gap::Sentence || word.shape == Shape::Lower || !between.contains(['.', '!', '?', '\n'])
    };
    let has = |list: &HashSet<&str>, at: usize| list.contains(text.keys[at].as_str());
    let before = (first.saturating_sub(LONGEST_SPEAKER)..first).rev().take_while(|at| goes_on(at + 1));
    let behind =
        (last + 1..text.words.len()).take(LONGEST_SPEAKER).take_while(|at| goes_on(*at) && !has(&WORDS.joins, *at));
    let opens = |at: usize| at == 0 || !goes_on(at);
    let is_writer = before.clone().chain(behind.clone()).any(|at| has(&WORDS.writer, at));
    let is_told =
        before.clone().any(|at| has(&WORDS.tells, at) && !opens(at)) || behind.clone().any(|at| has(&WORDS.tells, at));
    is_told && !is_writer
}

/// Whether words between commas are only a comment of the writer: "I think".
pub(super) fn is_comment(text: &Text<'_>, words: Range<usize>) -> bool {
    let verb = words.end.saturating_sub(1);
    let is_apart = text.words.get(words.end).is_some_and(|next| next.gap >= Gap::Break);
    is_apart
        && (2..=3).contains(&words.len())
        && class(text, words.start) == Class::Pronoun
        && WORDS.guesses.contains(text.keys[verb].as_str())
}
