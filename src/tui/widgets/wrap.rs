//! Word wrap by display cells on graphemes.
//!
//! Rows are byte ranges that together cover the whole line, so a highlight or a caret maps to a row and back without
//! a table. Each row depends only on its start: wrapping is lazy, and after an edit only the rows from the edited one
//! on are computed again.

use std::ops::Range;

use crate::tui::cells;

/// The end of the row that starts at byte `start` of a line without line breaks, and the position up to which the text
/// was read to find it: changes after that do not affect the row.
///
/// Breaks after white space (which may exceed the width, and belongs to the row it ends), after a hyphen or slash
/// between letters, and between wide characters, but not before closing or after opening punctuation; a word wider
/// than the row is cut between graphemes. Always advances. Cost: linear in the row.
pub fn row_end(line: &str, start: usize, width: usize) -> (usize, usize) {
    let width = width.max(1);
    let mut at = start;
    let mut column = 0;
    // The last possible break, if there is text before it.
    let mut chance = None;
    let mut before: Option<&str> = None;
    while at < line.len() {
        let end = cells::grapheme_end(line, at);
        let grapheme = &line[at..end];
        if at > start && before.is_some_and(|before| may_break(before, grapheme, &line[end..])) {
            chance = Some(at);
        }
        column += cells::width(grapheme, column);
        if column > width && !is_blank(grapheme) {
            let reach = end + line[end..].chars().next().map_or(1, char::len_utf8);
            return (chance.unwrap_or(if at == start { end } else { at }), reach);
        }
        before = Some(grapheme);
        at = end;
    }
    (line.len(), line.len() + 1)
}

/// The rows of a line, lazily; an empty line has one empty row.
pub fn rows(line: &str, width: usize) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let (end, _) = row_end(line, start, width);
        next = (end < line.len()).then_some(end);
        Some(start..end)
    })
}

/// The part of a row that is drawn: without trailing white space, unless the line ends there.
pub fn painted(line: &str, row: &Range<usize>) -> Range<usize> {
    if row.end == line.len() {
        return row.clone();
    }
    row.start..row.start + line[row.clone()].trim_end_matches(is_space).len()
}

/// White space at which a line may be broken (no-break spaces are not).
pub fn is_space(char: char) -> bool {
    char.is_whitespace() && !matches!(char, '\u{a0}' | '\u{2007}' | '\u{202f}')
}

fn is_blank(grapheme: &str) -> bool {
    grapheme.chars().all(|char| is_space(char) || char == '\u{200b}')
}

fn may_break(before: &str, after: &str, rest: &str) -> bool {
    if is_blank(after) {
        return false;
    }
    if is_blank(before) {
        return true;
    }
    let (Some(last), Some(first)) = (before.chars().next(), after.chars().next()) else { return false };
    if matches!(last, '-' | '/' | '–' | '—') {
        return first.is_alphabetic() && rest.chars().next().is_some_and(char::is_alphanumeric);
    }
    (stands_alone(last, before) || stands_alone(first, after))
        && !CLINGING_LEFT.contains(first)
        && !CLINGING_RIGHT.contains(last)
}

/// Characters of scripts written without spaces, and emoji.
fn stands_alone(char: char, grapheme: &str) -> bool {
    char >= '\u{2e80}' && cells::width(grapheme, 0) >= 2
}

/// Characters that never start a row.
const CLINGING_LEFT: &str = "、。，．：；！？）」』】》〉〕］｝ー々…・.,:;!?)]}”’\"'%\u{2060}\u{a0}\u{202f}";

/// Characters that never end a row.
const CLINGING_RIGHT: &str = "（「『【《〈〔［｛([{“‘#@\u{2060}\u{a0}\u{202f}";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wrapped(line: &str, width: usize) -> Vec<&str> {
        rows(line, width).map(|row| &line[painted(line, &row)]).collect()
    }

    #[test]
    fn words_stay_whole_and_hanging_space_takes_no_row() {
        assert_eq!(wrapped("the fog made the bridges float", 12), ["the fog made", "the bridges", "float"]);
        assert_eq!(wrapped("", 12), [""]);
        assert_eq!(wrapped("ends here   ", 9), ["ends here   "]);
    }

    #[test]
    fn a_long_word_is_cut_between_graphemes() {
        assert_eq!(wrapped("see abcdefghij", 4), ["see", "abcd", "efgh", "ij"]);
        assert_eq!(wrapped("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(wrapped("👩‍👩‍👧👩‍👩‍👧", 3), ["👩‍👩‍👧", "👩‍👩‍👧"]);
    }

    #[test]
    fn chinese_breaks_between_characters_but_not_before_a_full_stop() {
        assert_eq!(wrapped("今天很累。回家", 8), ["今天很", "累。回家"]);
        assert_eq!(wrapped("今天「很累", 6), ["今天", "「很累"]);
    }

    #[test]
    fn hyphens_break_words_but_not_numbers() {
        assert_eq!(wrapped("a well-known 2026-11-20", 8), ["a well-", "known", "2026-11-", "20"]);
        assert_eq!(wrapped("on 2026-11", 8), ["on", "2026-11"]);
    }

    #[test]
    fn no_break_space_holds() {
        assert_eq!(wrapped("go 10\u{a0}km", 6), ["go", "10\u{a0}km"]);
    }

    proptest! {
        #[test]
        fn rows_cover_the_line_and_fit(line in "[a-z 漢字。é\t👩\u{200d}\u{301}-]{0,60}", width in 1usize..20) {
            let mut at = 0;
            for row in rows(&line, width) {
                prop_assert_eq!(row.start, at);
                prop_assert!(row.end > row.start || line.is_empty());
                prop_assert_eq!(cells::floor(&line, row.end), row.end);
                at = row.end;
                let text = &line[row.clone()];
                let text = text.trim_end_matches(is_space);
                let one = cells::grapheme_end(&format!("{text} "), 0) >= text.len();
                prop_assert!(cells::text_width(text) <= width || one, "{text:?} is wider than {width}");
            }
            prop_assert_eq!(at, line.len());
        }

        #[test]
        fn any_text_wraps(line in "[^\n]{0,80}", width in 0usize..30) {
            let total: usize = rows(&line, width).map(|row| row.len()).sum();
            prop_assert_eq!(total, line.len());
        }
    }
}
