//! Cues of records in plain words: what is to be bought, reached or remembered, and until when.
//!
//! Proposes only: a person accepts a proposal or ignores it. A sentence counts if it begins with a phrase of the list
//! `records`; questions and retellings do not.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use jiff::civil::Date;

use super::{dates, fold::fold_case, items, language::List, sectioned_lines};
use crate::journal::RecordKind;

/// A part of a text that may be kept as a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub kind: RecordKind,
    /// Its bytes in the text: verbatim, without the cue.
    pub span: Range<usize>,
}

/// The phrases of each section, longest first.
static CUES: LazyLock<HashMap<&'static str, Vec<String>>> = LazyLock::new(|| {
    let mut cues: HashMap<&'static str, Vec<String>> = HashMap::new();
    for (section, line) in sectioned_lines(List::Records) {
        cues.entry(section).or_default().extend(items(line).map(fold_case));
    }
    cues.values_mut().for_each(|phrases| phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len())));
    cues
});

/// Maximum number of proposals from one text; a long list in a diary is not worth as many questions.
const MOST: usize = 5;
/// A wish of one word ("I want to sleep") is no goal.
const FEWEST_WORDS_OF_A_GOAL: usize = 2;

/// The proposals of a text, in its order.
pub fn proposals(text: &str) -> Vec<Proposal> {
    sentences(text).filter_map(|sentence| proposal(text, sentence)).take(MOST).collect()
}

/// Sentences and lines, without list marks and final punctuation. Questions are left out.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ends = text.char_indices().filter(|(at, c)| {
        let before_space = text[at + c.len_utf8()..].chars().next().is_none_or(char::is_whitespace);
        *c == '\n' || matches!(c, '.' | '!' | '?' | ';') && before_space
    });
    let ends: Vec<(usize, char)> = ends.chain([(text.len(), '\n')]).collect();
    ends.into_iter().filter_map(move |(end, mark)| {
        let from = std::mem::replace(&mut start, (end + mark.len_utf8()).min(text.len()));
        let piece = text.get(from..end)?;
        let piece_start = from + piece.len() - piece.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        let span = piece_start..from + piece.trim_end().len();
        (mark != '?' && span.start < span.end).then_some(span)
    })
}

fn proposal(text: &str, sentence: Range<usize>) -> Option<Proposal> {
    let mut start = sentence.start;
    while let Some(after) = after_cue(&text[start..sentence.end], "starters") {
        start += after;
    }
    let rest = &text[start..sentence.end];
    [("item", RecordKind::Item), ("goal", RecordKind::Goal), ("fact", RecordKind::Fact)].into_iter().find_map(
        |(section, kind)| {
            let span = start + after_cue(rest, section)?..sentence.end;
            let words = text[span.clone()].split_whitespace().count();
            let fewest = if kind == RecordKind::Goal { FEWEST_WORDS_OF_A_GOAL } else { 1 };
            (words >= fewest).then_some(Proposal { kind, span })
        },
    )
}

/// The bytes after a phrase of the section that begins the text, up to the next word.
fn after_cue(text: &str, section: &str) -> Option<usize> {
    CUES.get(section)?.iter().find_map(|cue| {
        let rest = strip_folded(text, cue)?;
        let words = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '-' | '–'));
        let is_whole = !rest.starts_with(char::is_alphanumeric);
        (is_whole && !words.is_empty()).then(|| text.len() - words.len())
    })
}

/// The text after a prefix, in any case and with either apostrophe.
fn strip_folded<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    let plain = |c: char| if c == '\u{2019}' { '\'' } else { c };
    prefix
        .chars()
        .all(|wanted| rest.next().is_some_and(|c| plain(c).to_lowercase().eq(wanted.to_lowercase())))
        .then_some(())
        .map(|()| rest.as_str())
}

/// The last day for what a text describes: "run a half marathon by May" is due on the last of the next May.
pub fn due(text: &str, today: Date) -> Option<Date> {
    let words: Vec<(usize, &str)> = text.split_whitespace().map(|word| (word.as_ptr() as usize, word)).collect();
    let offset = |at: usize| words[at].0 - text.as_ptr() as usize;
    (0..words.len()).find_map(|at| {
        let rest = &text[offset(at)..];
        let (cue, is_before) = match (after_cue(rest, "due"), after_cue(rest, "due-before")) {
            (Some(cue), _) => (cue, false),
            (None, cue) => (cue?, true),
        };
        let days = longest_date(&rest[cue..], today)?;
        if is_before { days.first.yesterday().ok() } else { Some(days.last) }.filter(|due| *due >= today)
    })
}

/// The longest date with which a text begins, seen forward.
fn longest_date(text: &str, today: Date) -> Option<dates::DayRange> {
    let ends = text.split_whitespace().take(dates::MOST_WORDS).map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start + word.trim_end_matches(['.', ',', ';', '!', ':', ')']).len()
    });
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().find_map(|end| dates::ahead(text.get(..end)?, today))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn proposed(text: &str) -> Vec<(RecordKind, &str)> {
        proposals(text).into_iter().map(|found| (found.kind, &text[found.span])).collect()
    }

    #[test]
    fn plain_words_propose_items_goals_and_facts_verbatim() {
        assert_eq!(
            proposed("A long day. Buy oat milk. I want to run a half marathon by May!"),
            [(RecordKind::Item, "oat milk"), (RecordKind::Goal, "run a half marathon by May")]
        );
        assert_eq!(
            proposed("- nhớ mua sữa\n- Mình muốn học bơi"),
            [(RecordKind::Item, "sữa"), (RecordKind::Goal, "học bơi")]
        );
        assert_eq!(
            proposed("Also, remember that Linh is allergic to nuts."),
            [(RecordKind::Fact, "Linh is allergic to nuts")]
        );
        assert_eq!(proposed("don\u{2019}t forget to buy stamps"), [(RecordKind::Item, "stamps")]);
    }

    #[test]
    fn retellings_questions_and_single_wishes_propose_nothing() {
        for text in [
            "We bought milk.",
            "Should I buy milk?",
            "She said I want to leave him.",
            "I want to sleep.",
            "I don't want to run a marathon.",
            "Buyers came to see the flat.",
            "Hôm qua mua sữa rồi về.",
            "Buy.",
            "",
        ] {
            assert_eq!(proposed(text), [], "{text}");
        }
    }

    #[test]
    fn a_due_day_looks_forward_and_before_means_the_day_before() {
        let today = date(2026, 11, 20);
        for (text, day) in [
            ("run a half marathon by May", Some(date(2027, 5, 31))),
            ("send the form by friday.", Some(date(2026, 11, 27))),
            ("book the hotel before 12 December, by train", Some(date(2026, 12, 11))),
            ("nộp hồ sơ trước thứ sáu", Some(date(2026, 11, 26))),
            ("pay until 2026-12-31", Some(date(2026, 12, 31))),
            ("read the book by Le Guin", None),
            ("finish by 2019", None),
            ("learn to swim", None),
        ] {
            assert_eq!(due(text, today), day, "{text}");
        }
    }
}
