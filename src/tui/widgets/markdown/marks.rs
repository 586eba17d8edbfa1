//! Markup of names in the user's text: `#tag`, `@person`, `[[Name]]`.
//!
//! Only for display, before the graph has the entry; `extract` decides what an entry mentions.

use std::{cmp::Reverse, ops::Range};

use crate::{
    journal::EntityKind,
    tui::{Overlay, Role},
};

/// A longer `[[Name]]` is a paragraph in brackets.
const LONGEST_NAME: usize = 200;

/// All marks of a text, in order. Cost: linear.
pub fn marks(body: &str) -> Vec<Overlay> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = body[at..].find(['#', '@', '[']) {
        let start = at + offset;
        at = start + 1;
        let rest = &body[start..];
        let mark = match rest.as_bytes()[0] {
            b'[' => name_length(rest).map(|length| (length, Role::Link)),
            sign if stands_free(&body[..start]) => {
                word_length(&rest[1..]).map(|length| (1 + length, if sign == b'#' { Role::Tag } else { Role::Person }))
            }
            _ => None,
        };
        if let Some((length, role)) = mark {
            found.push(Overlay { span: start..start + length, role });
            at = start + length;
        }
    }
    found
}

/// Known names that the writer marked (`@Linh`, `[[Project X]]`), in their kind's role: of overlapping ones the first,
/// among these the longest. Other names stay plain text, which is easier to read.
pub fn names(spans: &[(usize, EntityKind, Range<usize>)], body: &str) -> Vec<Overlay> {
    let is_marked = |span: &Range<usize>| {
        let before = body.get(..span.start).and_then(|before| before.chars().next_back());
        let first = body.get(span.clone()).and_then(|name| name.chars().next());
        [before, first].into_iter().flatten().any(|sign| matches!(sign, '@' | '#' | '['))
    };
    let role = |(_, kind, span): &(usize, EntityKind, Range<usize>)| Overlay {
        span: span.clone(),
        role: Role::of_kind(*kind),
    };
    let mut names: Vec<Overlay> = spans.iter().filter(|(.., span)| is_marked(span)).map(role).collect();
    names.sort_by_key(|name| (name.span.start, Reverse(name.span.end)));
    let mut end = 0;
    names.retain(|name| {
        let free = name.span.start >= end;
        if free {
            end = name.span.end;
        }
        free
    });
    names
}

/// A mark must start a word: `a@b.example` is an address, `C#` a language.
fn stands_free(before: &str) -> bool {
    before
        .chars()
        .next_back()
        .is_none_or(|char| !char.is_alphanumeric() && !matches!(char, '#' | '@' | '/' | '_' | '&'))
}

/// Letters, digits, `_`, `-`, `/`, with at least one letter and no punctuation at the end.
fn word_length(text: &str) -> Option<usize> {
    let end = text
        .find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-' | '/' | '\u{300}'..='\u{36f}')))
        .unwrap_or(text.len());
    let word = text[..end].trim_end_matches(['-', '/', '_']);
    let first = word.chars().next()?;
    ((first.is_alphanumeric() || first == '_') && word.chars().any(char::is_alphabetic)).then_some(word.len())
}

fn name_length(text: &str) -> Option<usize> {
    let name = text.strip_prefix("[[")?;
    let limit = LONGEST_NAME.min(name.len());
    let end = name.as_bytes()[..limit].windows(2).position(|pair| pair == b"]]")?;
    let name = &name[..end];
    (!name.trim().is_empty() && !name.contains(['\n', '['])).then_some(end + 4)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(body: &str) -> Vec<&str> {
        marks(body).into_iter().map(|mark| &body[mark.span]).collect()
    }

    #[test]
    fn tags_people_and_names() {
        assert_eq!(found("#work with @Linh, [[Project X]]."), ["#work", "@Linh", "[[Project X]]"]);
        assert_eq!(found("(#đi-làm) @Hùng-"), ["#đi-làm", "@Hùng"]);
    }

    #[test]
    fn addresses_numbers_and_headings_are_none() {
        assert!(found("mail a@b.example about #12, C# and # heading, see http://x.example/#part").is_empty());
        assert!(found("[[]] [[a\nb]] [[[").is_empty());
    }

    proptest! {
        #[test]
        fn marks_come_in_order_and_on_boundaries(body in "[#@\\[\\]a é\n漢]{0,60}") {
            let mut at = 0;
            for mark in marks(&body) {
                prop_assert!(mark.span.start >= at && body.get(mark.span.clone()).is_some());
                at = mark.span.end;
            }
        }
    }
}
