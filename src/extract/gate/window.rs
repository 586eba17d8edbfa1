//! The words around a claim, as the network reads them: each with its class, its shape, the mark before it and its role.

use std::ops::Range;

use super::Claim;
use crate::extract::{grammar::class, text::Text};

/// Words before and behind the claim that are read with it.
const BESIDE: usize = 16;
/// Words of a window; of a longer claim the rest is not read.
pub const MOST: usize = 72;

/// What stands between two words, strongest first; nothing is the number behind the last.
const MARKS: [&[char]; 10] =
    [&['\n'], &['?'], &['!'], &['.', '…'], &[';'], &[':'], &['"', '“', '”', '«', '»'], &['(', ')'], &['-', '–', '—'], &[',']];

/// What part of the claim a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Outside,
    Cause,
    Effect,
    Feeling,
    /// Between cause and effect.
    Between,
}

/// A word of a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen<'t> {
    /// In compared form; empty for the end of the text.
    pub key: &'t str,
    pub class: usize,
    pub shape: usize,
    pub mark: usize,
    pub role: Role,
}

/// The window of a claim; ends with the end of the text where that is in reach.
pub fn window<'t>(text: &'t Text<'_>, claim: &Claim<'_>) -> Vec<Seen<'t>> {
    let roles: [(Role, &Range<usize>); 2] = match claim {
        Claim::Feeling { word, .. } => [(Role::Feeling, word), (Role::Feeling, word)],
        Claim::Cause { cause, effect } => [(Role::Cause, cause), (Role::Effect, effect)],
    };
    let (start, end) = roles.iter().fold((usize::MAX, 0), |(start, end), (_, span)| (start.min(span.start), end.max(span.end)));
    let first = text.words.partition_point(|word| word.span.end <= start).saturating_sub(BESIDE);
    let behind = text.words.partition_point(|word| word.span.start < end) + BESIDE;
    let mut seen: Vec<Seen<'t>> = (first..behind.min(text.words.len()).min(first + MOST))
        .map(|at| {
            let word = &text.words[at];
            let within = |span: &Range<usize>| word.span.start < span.end && span.start < word.span.end;
            let role = roles.iter().find(|(_, span)| within(span)).map(|(role, _)| *role);
            let between = if (start..end).contains(&word.span.start) { Role::Between } else { Role::Outside };
            Seen {
                key: &text.keys[at],
                class: class(text, at) as usize,
                shape: word.shape as usize,
                mark: mark_before(text, at),
                role: role.unwrap_or(between),
            }
        })
        .collect();
    if behind > text.words.len() && seen.len() < MOST {
        let mark = mark_before(text, text.words.len());
        seen.push(Seen { key: "", class: 0, shape: 0, mark, role: Role::Outside });
    }
    seen
}

/// The strongest mark between a word and the one before it.
fn mark_before(text: &Text<'_>, at: usize) -> usize {
    let from = at.checked_sub(1).map_or(0, |before| text.words[before].span.end);
    let to = text.words.get(at).map_or(text.body.len(), |word| word.span.start);
    let between = text.body.get(from..to).unwrap_or_default();
    MARKS.iter().position(|marks| between.contains(*marks)).unwrap_or(MARKS.len())
}
