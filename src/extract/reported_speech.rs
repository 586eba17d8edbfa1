//! Reported speech: words of saying and guessing, quotations of others, comments of the writer.

use std::{collections::HashSet, ops::Range};

use super::{Class, Gap, class, sectioned, text::Text};

sectioned! { Voices WORDS: tells guesses imagines perhaps writer told }

/// Maximum number of words of the speaker beside reported speech: "said my old friend".
pub(super) const LONGEST_SPEAKER: usize = 4;

/// Whether a word is in a quotation that somebody else is said to speak: `Dev said, "I'm so angry"`.
pub(super) fn is_quoted_from_another(text: &Text<'_>, at: usize) -> bool {
    if !text.is_quoted(at) {
        return false;
    }
    let first = (0..=at).rev().take_while(|at| text.is_quoted(*at)).last().unwrap_or(at);
    let last = (at..text.words.len()).take_while(|at| text.is_quoted(*at)).last().unwrap_or(at);
    let before = (first.saturating_sub(LONGEST_SPEAKER)..first).rev().take_while(|at| {
        let next = text.words.get(at + 1).filter(|_| at + 1 < first);
        next.is_none_or(|next| next.gap < Gap::Sentence)
    });
    let behind = (last + 1..text.words.len())
        .take(LONGEST_SPEAKER)
        .take_while(|at| *at == last + 1 || text.words[*at].gap < Gap::Sentence);
    let is_said = |around: &[usize]| {
        let has = |list: &HashSet<&str>| around.iter().any(|at| list.contains(text.keys[*at].as_str()));
        has(&WORDS.tells) && !has(&WORDS.writer)
    };
    is_said(&before.collect::<Vec<_>>()) || is_said(&behind.collect::<Vec<_>>())
}

/// Whether words are only a comment of the writer: "I think", "she reckons".
pub(super) fn is_comment(text: &Text<'_>, words: Range<usize>) -> bool {
    let verb = words.end.saturating_sub(1);
    (2..=3).contains(&words.len())
        && class(text, words.start) == Class::Pronoun
        && (WORDS.guesses.contains(text.keys[verb].as_str()) || WORDS.tells.contains(text.keys[verb].as_str()))
}
