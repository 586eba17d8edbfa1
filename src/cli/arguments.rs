//! Parsing of argument values: moments, days, and exclusions that look like flags.

use std::ffi::OsString;

use clap::{ValueEnum, builder::PossibleValue};
use jiff::{Timestamp, Zoned, civil, tz::Offset};

use crate::{
    extract::dates,
    insight::review::Unit,
    journal::{EntryTime, RecordStatus, RelationKind},
    report::Report,
    search::{LegId, sort::Sort},
};

/// Implements `ValueEnum` for types whose values have a word.
macro_rules! values {
    ($($of:ty, $word:expr;)*) => {
        $(impl ValueEnum for $of {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let word: fn(Self) -> PossibleValue = $word;
                Some(word(*self))
            }
        })*
    };
}

values! {
    LegId, |leg| PossibleValue::new(leg.key()).alias(leg.label());
    RelationKind, |kind| PossibleValue::new(kind.word());
    RecordStatus, |status| PossibleValue::new(status.word());
    Sort, |sort| PossibleValue::new(sort.word());
    Unit, |unit| PossibleValue::new(unit.word());
}

/// Allows exclusions in `kioku search lake -boat`. For clap, an argument with one dash is a flag, so it gets a leading
/// space, which the query parser ignores.
pub fn shield_exclusions(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let Some(verb) = search_verb(&arguments) else { return arguments };
    for argument in &mut arguments[verb + 1..] {
        if argument.to_str().is_some_and(is_exclusion) {
            let mut shielded = OsString::from(" ");
            shielded.push(&argument);
            *argument = shielded;
        }
    }
    arguments
}

/// The place of `search` as the verb: an argument before it is a flag or the value of one.
fn search_verb(arguments: &[OsString]) -> Option<usize> {
    let is_flag = |argument: &OsString| argument.to_str().is_some_and(|argument| argument.starts_with('-'));
    let verb = arguments.iter().position(|argument| argument == "search")?;
    let mut before = (1..verb).filter(|at| !is_flag(&arguments[*at]));
    before.all(|at| is_flag(&arguments[at - 1])).then_some(verb)
}

fn is_exclusion(argument: &str) -> bool {
    let Some(rest) = argument.strip_prefix('-') else { return false };
    let is_flag = match rest.strip_prefix('n') {
        // `-n 5`, `-n5`: the flag for the number of results.
        Some(count) => count.chars().all(|c| c.is_ascii_digit()),
        None => matches!(rest, "h" | "V"),
    };
    !rest.is_empty() && !rest.starts_with('-') && !is_flag
}

/// Parses a moment ("yesterday 3pm", "2026-02-22T15:30") as an entry's time.
pub fn moment(text: &str, now: &Zoned) -> Result<EntryTime, Report> {
    let when = dates::moment(text.trim(), now).ok_or_else(|| {
        Report::usage(format!("`{text}` is not a valid time"))
            .hint("examples: \"yesterday 3pm\", \"friday at 9:15\", \"3 days ago\", \"2026-02-22 15:30\"")
    })?;
    Ok(EntryTime {
        written: when.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        at: when.timestamp(),
        offset_seconds: when.offset().seconds(),
    })
}

/// The moment of an `--at`, or now.
pub fn at_or_now(at: Option<&str>, now: &Zoned) -> Result<Zoned, Report> {
    at.map_or_else(|| Ok(now.clone()), |at| self::at(at, now))
}

/// Parses a moment as [`moment`] does, or a timestamp.
fn at(text: &str, now: &Zoned) -> Result<Zoned, Report> {
    match text.parse::<Timestamp>() {
        Ok(at) => Ok(at.to_zoned(now.time_zone().clone())),
        Err(_) => Ok(zoned(&moment(text, now)?)),
    }
}

/// An entry's time in its own offset, as the reference for relative dates.
pub fn zoned(time: &EntryTime) -> Zoned {
    let offset = Offset::from_seconds(time.offset_seconds).unwrap_or(Offset::UTC);
    time.at.to_zoned(offset.to_time_zone())
}

/// Parses a range of days: "last week", "2026-02", "march 2024".
pub fn days(text: &str, now: &Zoned) -> Result<dates::DayRange, Report> {
    dates::range(text.trim(), now).ok_or_else(|| {
        Report::usage(format!("`{text}` is not a valid date"))
            .hint("examples: \"yesterday\", \"last week\", \"march 2024\", \"2026-02\", \"2026-02-22\"")
    })
}

/// Parses `--from` and `--to` as first and last day; either may be open.
pub fn period(
    from: Option<&str>,
    to: Option<&str>,
    now: &Zoned,
) -> Result<(Option<civil::Date>, Option<civil::Date>), Report> {
    let first = from.map(|text| days(text, now)).transpose()?.map(|days| days.first);
    let last = to.map(|text| days(text, now)).transpose()?.map(|days| days.last);
    if let (Some(first), Some(last)) = (first, last)
        && first > last
    {
        return Err(Report::usage(format!("--from ({first}) is later than --to ({last})")));
    }
    Ok((first, last))
}

/// Parses `event_time`. A relative date such as "yesterday" is resolved to a day, month or year, relative to the
/// entry's own `time`, because its meaning would change later. Anything else is kept as free text.
pub fn event_time(text: &str, time: &Zoned) -> Result<String, Report> {
    let text = one_line("--event-time", text)?;
    let Some(days) = dates::range(&text, time) else { return Ok(text) };
    let (first, last) = (days.first, days.last);
    Ok(if first == last {
        first.to_string()
    } else if first == first.first_of_month() && last == first.last_of_month() {
        first.strftime("%Y-%m").to_string()
    } else if first == first.first_of_year() && last == first.last_of_year() {
        first.strftime("%Y").to_string()
    } else {
        text
    })
}

/// The first day of an `event_time`, for sorting; `None` for free text.
pub fn event_day(written: &str) -> Option<civil::Date> {
    let written = written.trim();
    let padded = match written.len() {
        4 => format!("{written}-01-01"),
        7 => format!("{written}-01"),
        _ => written.to_owned(),
    };
    padded.parse().ok()
}

/// Checks and trims a value of the head: one line without control characters.
pub fn one_line(flag: &str, text: &str) -> Result<String, Report> {
    if text.contains(char::is_control) {
        return Err(Report::usage(format!("{flag} takes one line of plain text")));
    }
    Ok(text.trim().to_owned())
}

/// Normalises tags: without `#` and duplicates, in the order given.
pub fn tags(given: &[String]) -> Result<Vec<String>, Report> {
    let mut tags = Vec::new();
    for tag in given {
        let tag = one_line("--tag", tag)?;
        let tag = tag.trim_start_matches('#').trim();
        if !tag.is_empty() && !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shielded(arguments: &[&str]) -> Vec<String> {
        let arguments = arguments.iter().map(OsString::from);
        shield_exclusions(arguments).into_iter().map(|argument| argument.into_string().unwrap()).collect()
    }

    #[test]
    fn only_words_of_a_search_are_shielded() {
        assert_eq!(
            shielded(&["kioku", "search", "lake", "-boat", "-night", "--json", "-n", "5", "-n5", "-h"]),
            ["kioku", "search", "lake", " -boat", " -night", "--json", "-n", "5", "-n5", "-h"]
        );
        let other_verbs =
            [&["kioku", "add", "-boat"][..], &["kioku", "add", "search", "-x"], &["kioku", "rm", "search", "-y"]];
        for arguments in other_verbs {
            assert_eq!(shielded(arguments), arguments);
        }
        assert_eq!(shielded(&["kioku", "--home", "h", "search", "-x"]), ["kioku", "--home", "h", "search", " -x"]);
    }

    #[test]
    fn tags_lose_their_mark_and_their_copies() {
        let given = ["#work", "work", " project x ", ""].map(str::to_owned);
        assert_eq!(tags(&given).unwrap(), ["work", "project x"]);
        assert!(tags(&["a\nb".to_owned()]).is_err());
    }

    #[test]
    fn an_event_time_sorts_by_its_first_day_and_free_text_does_not() {
        assert_eq!(event_day("2026"), Some(civil::date(2026, 1, 1)));
        assert_eq!(event_day("2026-02"), Some(civil::date(2026, 2, 1)));
        assert_eq!(event_day("2026-02-21"), Some(civil::date(2026, 2, 21)));
        assert_eq!(event_day("when I was small"), None);
        assert_eq!(event_day("2026-13"), None);
    }
}
