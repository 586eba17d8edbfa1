//! Markup of names in the user's text: `#tag`, `@person`, `[[Name]]`.
//!
//! Only for display, before the graph has the entry.

use std::{cmp::Reverse, ops::Range};

use crate::{
    extract::{self, Mention, MentionSource},
    journal::EntityKind,
    tui::{Overlay, Role},
};

/// All marks of a text, in order.
pub fn marks(body: &str) -> Vec<Overlay> {
    let overlay = |mark: Mention| Overlay {
        span: mark.span.start as usize..mark.span.end as usize,
        role: match mark.source {
            MentionSource::Tag => Role::Tag,
            MentionSource::At => Role::Person,
            _ => Role::Link,
        },
    };
    extract::marks(body).into_iter().map(overlay).collect()
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
