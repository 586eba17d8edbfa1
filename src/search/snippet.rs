//! Snippets: the part of an entry to show for a hit. Pure.

use std::ops::Range;

use crate::journal::field_lines;

/// About the number of characters in three lines of a list.
pub const LENGTH: usize = 240;
/// Maximum distance of the start before the first match, to include the start of its sentence.
const LEAD: usize = 80;

/// The part of `text` (byte range, on character and mostly word boundaries) of about `length` characters with the most
/// distinct matches; else the passage closest in meaning; else the beginning. `matches` are spans in order, each with
/// the index of its query word.
pub fn snippet(
    text: &str,
    matches: &[(Range<usize>, usize)],
    passage: Option<Range<usize>>,
    length: usize,
) -> Range<usize> {
    let inside = |span: &Range<usize>| text.get(span.clone()).is_some();
    let matched = densest(text, matches, length);
    let focus = matched.or_else(|| passage.filter(inside).map(|span| span.start));
    let start = focus.map_or(0, |focus| lead(text, focus));
    let start = start + (text[start..].len() - text[start..].trim_start().len());
    let end = after(text, start, length);
    // Near the end, show more text before the focus.
    let start = if end == text.len() { word_start(text, before(text, end, length)).min(start) } else { start };
    // Field lines are shown only if they are all there is, or hold the matches.
    let fields = field_lines(text);
    let is_shown = matched.is_some_and(|focus| focus < fields) || text[fields..].trim().is_empty();
    let start = if is_shown { start } else { start.max(fields) };
    let end = if end == text.len() { end } else { word_end(text, start, end) };
    start..start + text[start..end].trim_end().len()
}

/// Start of the window with the most distinct words, then the most matches, then the earliest.
fn densest(text: &str, matches: &[(Range<usize>, usize)], length: usize) -> Option<usize> {
    let mut best: Option<((usize, usize), usize)> = None;
    let mut end = 0;
    for (first, (span, _)) in matches.iter().enumerate() {
        if text.get(span.clone()).is_none() {
            continue;
        }
        // The lead uses some of the length.
        let reach = after(text, span.start, length - LEAD.min(length / 2));
        while end < matches.len() && matches[end].0.end <= reach {
            end += 1;
        }
        let held = &matches[first..end.max(first + 1)];
        let mut words: Vec<_> = held.iter().map(|(_, word)| word).collect();
        words.sort_unstable();
        words.dedup();
        let worth = (words.len(), held.len());
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, span.start));
        }
    }
    best.map(|(_, start)| start)
}

/// The start of the sentence or line of `focus`, if near; else the start of a word shortly before it.
fn lead(text: &str, focus: usize) -> usize {
    let floor = before(text, focus, LEAD);
    if floor == 0 && !text[..focus].contains('\n') {
        return 0;
    }
    let near = &text[floor..focus];
    let ends = near.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '…' | '\n' | '。' | '！' | '？'));
    let mut sentence = ends
        .map(|(at, c)| floor + at + c.len_utf8())
        .filter(|at| text[*at..].starts_with(char::is_whitespace) || text[..*at].ends_with(['\n', '。', '！', '？']));
    sentence.next_back().unwrap_or_else(|| word_start(text, before(text, focus, LEAD / 2)))
}

/// The offset `count` characters after `at`.
fn after(text: &str, at: usize, count: usize) -> usize {
    text[at..].char_indices().nth(count).map_or(text.len(), |(offset, _)| at + offset)
}

/// The offset `count` characters before `at`.
fn before(text: &str, at: usize, count: usize) -> usize {
    text[..at].char_indices().rev().take(count).last().map_or(at, |(offset, _)| offset)
}

/// The next start of a word at or after `at`, if near and not the end; scripts without spaces are cut anywhere.
fn word_start(text: &str, at: usize) -> usize {
    if at == 0 || text[..at].ends_with(char::is_whitespace) {
        return at;
    }
    let soon = text[at..].char_indices().take(24).find(|(_, c)| c.is_whitespace());
    let start = soon.map_or(at, |(offset, c)| at + offset + c.len_utf8());
    if text[start..].trim().is_empty() { at } else { start }
}

/// The last end of a word at or before `end`, if near.
fn word_end(text: &str, start: usize, end: usize) -> usize {
    if text[end..].starts_with(char::is_whitespace) {
        return end;
    }
    let near = text[start..end].char_indices().rev().take(24).find(|(_, c)| c.is_whitespace());
    near.map_or(end, |(offset, _)| start + offset)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show<'t>(text: &'t str, words: &[&str], length: usize) -> &'t str {
        let mut matches: Vec<_> = words
            .iter()
            .enumerate()
            .flat_map(|(number, word)| text.match_indices(word).map(move |(at, word)| (at..at + word.len(), number)))
            .collect();
        matches.sort_by_key(|(span, _)| span.start);
        &text[snippet(text, &matches, None, length)]
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(show("Phở with Linh.\n", &["Linh"], 240), "Phở with Linh.");
        assert_eq!(show("", &[], 240), "");
    }

    #[test]
    fn field_lines_are_shown_only_where_they_hold_the_match_or_are_all_there_is() {
        let text = "trigger:: [[Demo]]\nwith:: [[Linh]]\n\nNine weeks left, and the demo is late.";
        let prose = "Nine weeks left, and the demo is late.";
        assert_eq!(show(text, &["late"], 240), prose);
        assert_eq!(&text[snippet(text, &[], Some(0..text.len()), 240)], prose, "the passage begins with them");
        assert_eq!(&text[snippet(text, &[], None, 240)], prose);
        assert_eq!(show(text, &["Linh"], 240), text);
        assert_eq!(show("with:: [[Linh]]", &[], 240), "with:: [[Linh]]");
    }

    #[test]
    fn the_part_with_most_different_words_is_shown_from_its_sentence_on() {
        let filler = "Nothing much happened in the long grey morning hours. ".repeat(8);
        let text = format!("A knot early on. {filler}Then Hùng moved the deadline and the knot was back. {filler}");
        let shown = show(&text, &["knot", "deadline"], 120);
        assert!(shown.starts_with("Then Hùng moved the deadline and the knot was back."), "{shown}");
        assert!(shown.chars().count() <= 120);
    }

    #[test]
    fn without_matches_the_passage_or_the_beginning_is_shown() {
        let text = format!("{} The old knot again. {}", "First line.".repeat(30), "Last words here.".repeat(20));
        let at = text.find("The old").unwrap();
        let shown = &text[snippet(&text, &[], Some(at..at + 19), 100)];
        assert!(shown.starts_with("The old knot again."), "{shown}");
        assert!(text.starts_with(&text[snippet(&text, &[], None, 100)]));
        assert_eq!(snippet("short", &[], Some(3..900), 100), 0..5, "a passage of an older text is ignored");
    }

    #[test]
    fn the_end_of_a_text_is_shown_with_what_comes_before() {
        let text = format!("{}the very last word is needle", "some words and more ".repeat(40));
        let shown = show(&text, &["needle"], 200);
        assert!(shown.ends_with("needle") && shown.chars().count() > 150, "{shown}");
        let text = format!("{}\n\n", "怀".repeat(30));
        assert!(
            !snippet(&text, &[(text.len() - 1..text.len(), 0)], None, 20).is_empty(),
            "a match on the last line break"
        );
    }

    proptest! {
        #[test]
        fn any_text_gives_a_part_of_about_the_length(text in "([a-zé怀 .\n]{1,12}){0,60}", at in 0usize..400, length in 20usize..120) {
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            let part = snippet(&text, &[(at..end, 0)], None, length);
            let shown = text.get(part.clone());
            prop_assert!(shown.is_some());
            prop_assert!(shown.unwrap().chars().count() <= length + 1);
            if text.trim().chars().count() > 0 {
                prop_assert!(!part.is_empty());
            }
        }

        #[test]
        fn a_match_is_always_inside(text in "[a-z]{1,9}( [a-z]{1,9}){0,120}", pick in 0usize..120) {
            let spans: Vec<_> = text.split(' ').map(|word| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                start..start + word.len()
            }).collect();
            let span = spans[pick % spans.len()].clone();
            let part = snippet(&text, &[(span.clone(), 0)], None, LENGTH);
            prop_assert!(part.start <= span.start && span.end <= part.end, "{part:?} {span:?}");
        }
    }
}
