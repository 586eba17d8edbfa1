//! Days named in the middle of a query: `what did Linh say on 5 June 2024`.
//!
//! Unlike filters they exclude nothing: entries of those days are ranked first, the rest below the threshold. A day
//! must be unambiguous, because half the names of months and seasons are ordinary words too:
//!
//! | accepted | rejected |
//! |---|---|
//! | `5 June 2024`, `june 2024`, `2024-06`, `last week`, `3 days ago`, `hôm qua`, `tháng 3 năm ngoái` | `march on`, `may I` |
//! | `in july`, `on friday`, `during 2019` | `july`, `friday`, `2019` alone |
//! | `yesterday`, `today` | |

use std::ops::Range;

use jiff::{Zoned, civil};

use super::question_features;
use crate::extract::dates::{self, DayRange};

/// Days named by adjacent words of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedDays {
    /// The words without trailing punctuation.
    pub text: String,
    /// Indices of the query's words.
    pub words: Range<usize>,
    /// Byte range in the query's text.
    pub span: Range<usize>,
}

/// Maximum number of words of a question about days; a longer text retells an event.
const QUESTION: usize = 24;
/// Maximum number of words of a date.
const LONGEST: usize = 7;
/// Words before which the name of a month, a weekday or a year alone is a date.
const BEFORE: [&str; 9] = ["in", "on", "during", "since", "around", "of", "from", "vào", "trong"];
/// Months after a form of "be", as in "why was February hard": April, May, June and August are also names.
const MONTHS_ASKED: [&str; 8] =
    ["january", "february", "march", "july", "september", "october", "november", "december"];
const BEING: [&str; 3] = ["was", "is", "were"];
const ALONE: [&str; 3] = ["yesterday", "today", "tonight"];
const SELF: [&str; 11] = ["i", "im", "ive", "my", "me", "we", "our", "us", "tôi", "tui", "mình"];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Finds the named days, longest first; `spans` are the byte ranges of the query's words in `text`.
pub fn named(text: &str, spans: &[Range<usize>], now: &Zoned) -> Vec<NamedDays> {
    let mut found: Vec<NamedDays> = Vec::new();
    if spans.len() > QUESTION {
        return found;
    }
    let mut start = 0;
    while start < spans.len() {
        let mut longest = (1..=LONGEST.min(spans.len() - start)).rev();
        match longest.find_map(|count| at(text, spans, start..start + count, now)) {
            Some(days) => {
                start = days.words.end;
                found.push(days);
            }
            None => start += 1,
        }
    }
    if is_told(text) {
        found.retain(NamedDays::is_of_the_calendar);
    }
    found
}

/// Whether the text is a statement in the first person and no question: `I was so tired last night`. Its `last night`
/// was relative to the day of writing and names no day to search. (Without this rule retold events lose four points of
/// recall@10.)
fn is_told(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    !question_features::asks(text) && words.any(|word| SELF.contains(&word.split('\'').next().unwrap_or(word)))
}

fn at(text: &str, spans: &[Range<usize>], words: Range<usize>, now: &Zoned) -> Option<NamedDays> {
    let run = &spans[words.clone()];
    let neighbours = run.windows(2).all(|pair| text.get(pair[0].end..pair[1].start).is_some_and(is_space));
    let (from, to) = (run.first()?.start, run.last()?.end);
    let said = text.get(from..to).filter(|said| neighbours && !said.is_empty())?;
    let said = said.trim_end_matches(|c: char| c.is_ascii_punctuation() || c == '…');
    dates::range(said, now)?;
    let before = words.start.checked_sub(1).and_then(|before| text.get(spans[before].clone()));
    if !is_sure(said, words.len(), before) {
        return None;
    }
    Some(NamedDays { text: said.to_owned(), words, span: from..from + said.len() })
}

fn is_sure(said: &str, words: usize, before: Option<&str>) -> bool {
    let lower = said.to_lowercase();
    let is_iso = lower.starts_with(|c: char| c.is_ascii_digit()) && lower.contains(['-', '/']);
    let before = before.unwrap_or_default().to_lowercase();
    let is_asked = BEING.contains(&before.as_str()) && MONTHS_ASKED.contains(&lower.as_str());
    let follows = BEFORE.contains(&before.as_str()) || is_asked;
    // Without its accent, `hè` is usually the English word.
    if lower.split_whitespace().next_back() == Some("he") || lower.ends_with("now") {
        return false;
    }
    // "The 2nd" of something else.
    let is_ordinal = words == 2 && lower.starts_with("the ") && lower.contains(|c: char| c.is_ascii_digit());
    words > 1 && !is_ordinal || is_iso || follows || ALONE.contains(&lower.as_str())
}

/// The two readings of a date in numbers: `3/11 could be 3 November or 11 March: write 2026-11-03 or 2026-03-11`. Without a year, the latest that
/// has begun.
pub fn two_readings(text: &str, today: civil::Date) -> Option<String> {
    let word = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let parts: Vec<i16> = word.split(['/', '-', '.']).map(str::parse).collect::<Result<_, _>>().ok()?;
    let (a, b, year) = match parts[..] {
        [a, b] if word.contains('/') => (a, b, None),
        [a, b, year] => (a, b, Some(if year < 100 { 2000 + year } else { year })),
        _ => return None,
    };
    let date = |day: i16, month: i16| {
        let of = |year| civil::Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok();
        year.map_or_else(|| of(today.year()).filter(|date| *date <= today).or_else(|| of(today.year() - 1)), of)
    };
    let (one, other) = (date(a, b)?, date(b, a).filter(|_| a != b)?);
    Some(format!("{word} could be {} or {}: write {one} or {other}", one.strftime("%-d %B"), other.strftime("%-d %B")))
}

fn is_space(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

impl NamedDays {
    /// The meant days relative to now; or, if a month is named without its year and no entry is from then (`holds`),
    /// relative to the last entry of the journal.
    pub fn range(&self, now: &Zoned, last: Option<&Zoned>, holds: impl Fn(DayRange) -> bool) -> Option<DayRange> {
        let seen = |from: &Zoned| dates::range(&self.text, from).filter(|days| holds(*days));
        let names_month = self.names_month();
        seen(now).or_else(|| last.filter(|_| names_month).and_then(seen))
    }

    fn names_month(&self) -> bool {
        let lower = self.text.to_lowercase();
        lower.split_whitespace().any(|word| MONTHS.iter().any(|month| word.starts_with(month)))
    }

    /// Whether it names a month or a year, independent of the current day; unlike `yesterday`.
    pub fn is_of_the_calendar(&self) -> bool {
        let is_year = |word: &str| word.len() >= 4 && word.bytes().take(4).all(|byte| byte.is_ascii_digit());
        self.names_month() || self.text.contains("tháng") || self.text.split_whitespace().any(is_year)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::search::Query;

    fn now() -> Zoned {
        "2026-11-20T15:00:00+07:00[+07:00]".parse().unwrap()
    }

    fn found(text: &str) -> Vec<String> {
        Query::parse(text, &now()).days.into_iter().map(|days| text[days.span].to_owned()).collect()
    }

    #[test]
    fn dates_are_found_in_the_middle_of_a_question() {
        assert_eq!(found("What did Linh say on 5 June 2024?"), ["on 5 June 2024"]);
        assert_eq!(found("who came last week, and why"), ["last week"]);
        assert_eq!(found("dinner in July"), ["in July"]);
        assert_eq!(found("yesterday at the lake"), ["yesterday"]);
        assert_eq!(found("ăn gì hôm qua"), ["hôm qua"]);
        assert_eq!(found("knot 2026-09-14"), ["2026-09-14"]);
        assert_eq!(found("why was February hard"), ["February"]);
    }

    #[test]
    fn a_date_with_two_readings_names_both() {
        let said = |text| two_readings(text, date(2026, 8, 14)).unwrap_or_default();
        assert_eq!(said("3/11 10:00"), "3/11 could be 3 November or 11 March: write 2025-11-03 or 2026-03-11");
        assert_eq!(said("3.4.24"), "3.4.24 could be 3 April or 4 March: write 2024-04-03 or 2024-03-04");
        for text in ["25/11", "3/3", "3.11", "31/2/2024", "1/2/3/4", "soon", ""] {
            assert_eq!(said(text), "");
        }
        let ignored = Query::parse("on:3/11/2025", &now()).notices;
        assert_eq!(
            ignored,
            ["on:3/11/2025 is ignored: 3/11/2025 could be 3 November or 11 March: write 2025-11-03 or 2025-03-11"]
        );
    }

    #[test]
    fn ordinary_words_are_no_dates() {
        for text in [
            "may I march on",
            "why was April angry",
            "spring cleaning",
            "friday",
            "a second coffee",
            "5 bowls of phở",
            "calm since he left",
            "right now",
            "\"last week\"",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
        assert_eq!(found("tag:work from:2026-01 tea in 2019"), [] as [&str; 0], "a filter has the last word");
    }

    #[test]
    fn a_story_told_names_no_days_to_look_in_but_a_question_does() {
        for text in ["I was so tired last night", "my sister came yesterday, we ate", "Today I’m glad"] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
        assert_eq!(found("what did I eat yesterday"), ["yesterday"]);
        assert_eq!(found("I met whom last week?"), ["last week"]);
        assert_eq!(found("I met Linh on 5 June 2024"), ["on 5 June 2024"]);
        assert_eq!(found("we moved in July"), ["in July"]);
    }

    #[test]
    fn a_month_without_entries_is_seen_from_the_last_entry() {
        let query = Query::parse("dinner in July", &now());
        let last: Zoned = "2023-10-01T12:00:00+00:00[UTC]".parse().unwrap();
        let old = |days: DayRange| days.last < date(2024, 1, 1);
        let days = query.days[0].range(&now(), Some(&last), old).unwrap();
        assert_eq!((days.first, days.last), (date(2023, 7, 1), date(2023, 7, 31)));
        let yesterday = &Query::parse("yesterday", &now()).days[0];
        assert_eq!(yesterday.range(&now(), Some(&last), old), None, "yesterday is not years ago");
    }
}
