//! Find in a line, without regard to case and accents.

use std::ops::Range;

use crate::extract::fold_char;

/// The places of a folded text in a line.
pub(super) fn matches<'t>(line: &'t str, sought: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let (mut rest, first) = (0, sought.chars().next());
    // ASCII is folded without the tables: a text of some megabytes is read for each key.
    let begins = move |c: char| first == if c.is_ascii() { Some(c.to_ascii_lowercase()) } else { fold_char(c).next() };
    std::iter::from_fn(move || {
        first?;
        loop {
            let start = rest + line[rest..].find(begins)?;
            rest = line.ceil_char_boundary(start + 1);
            if let Some(end) = match_end(line, start, sought) {
                rest = end;
                return Some(start..end);
            }
        }
    })
}

/// The end of the match at `start`, with the marks on its last letter.
fn match_end(line: &str, start: usize, sought: &str) -> Option<usize> {
    let mut rest = sought.chars();
    for (at, c) in line[start..].char_indices() {
        let mut folded = fold_char(c).peekable();
        if rest.as_str().is_empty() && folded.peek().is_some() {
            return Some(start + at);
        }
        if folded.any(|c| rest.next() != Some(c)) {
            return None;
        }
    }
    rest.as_str().is_empty().then_some(line.len())
}
