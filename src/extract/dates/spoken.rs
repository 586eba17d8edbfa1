//! Dates inside a running text: what a sentence speaks of, never what only looks like a date.
//!
//! Stricter than reading a date alone: `may`, `mai` and `3/4` are words and numbers first. A weekday or month without its
//! week or year is the latest one, or the next one where the sentence looks ahead.

use jiff::civil::Date;

use super::{
    DayRange,
    day::Day,
    phrase,
    token::{Kind, Token, tokens},
};

/// More words are no date.
pub const MOST_WORDS: usize = 6;

/// The days that some words of a sentence name, seen from `today`; `None` unless all of them together are a date that can be
/// nothing else. `ahead`: the sentence speaks of what will be.
pub fn spoken(words: &str, today: Date, ahead: bool) -> Option<DayRange> {
    let tokens = tokens(words)?;
    if !is_plain(&tokens, words) {
        return None;
    }
    let day = phrase::day(&tokens, today).or_else(|| super::day_with_part(&tokens, today))?;
    match day {
        Day::Floating(floating) if ahead => floating.earliest(today),
        day => day.range(today),
    }
}

/// Whether the words can be nothing but a date.
fn is_plain(tokens: &[Token], written: &str) -> bool {
    let word = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Word(word)) => word.as_str(),
        _ => "",
    };
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(value, digits)) => Some((*value, *digits)),
        _ => None,
    };
    let is_year = |at: usize| number(at).is_some_and(|(value, digits)| digits == 4 && (1800..2100).contains(&value));
    let accented = !written.is_ascii();
    match tokens.len() {
        0 => false,
        1 => match word(0) {
            "today" | "yesterday" | "tomorrow" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday"
            | "saturday" | "sunday" => true,
            // With a capital only: what is left also are words, or short for something else.
            "january" | "february" | "june" | "july" | "september" | "october" | "november" | "december" | "april"
            | "august" => written.starts_with(char::is_uppercase),
            _ => false,
        },
        2 => match (word(0), word(1)) {
            ("in" | "since" | "nam" | "of" | "from" | "until" | "hoi", _) if is_year(1) => true,
            ("in" | "since" | "last" | "next" | "this" | "until" | "by", month) if is_month(month) => {
                written.ends_with(|c: char| c.is_alphanumeric()) && written.chars().any(char::is_uppercase)
                    || !matches!(month, "may" | "march" | "mar" | "dec" | "sep" | "jan" | "sun")
            }
            ("on" | "last" | "next" | "this" | "until" | "by", _) => true,
            ("hom", "qua" | "nay" | "kia") | ("ngay", "mai" | "kia") => accented,
            ("dem" | "toi" | "sang" | "chieu" | "trua", "qua" | "nay") => accented,
            ("tuan" | "thang" | "nam", _) => accented && number(1).is_none() || number(1).is_some(),
            ("thu", _) => accented,
            ("chu", "nhat") => accented,
            (month, _) if is_month(month) => number(1).is_some() && written.starts_with(char::is_uppercase),
            (_, month) if is_month(month) => number(0).is_some(),
            (_, part) if is_part(part) => !matches!(word(0), "sang" | "toi" | "mai"),
            _ => false,
        },
        _ => true,
    }
}

fn is_month(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "jan"
            | "feb"
            | "mar"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sep"
            | "sept"
            | "oct"
            | "nov"
            | "dec"
    )
}

fn is_part(word: &str) -> bool {
    matches!(
        word,
        "morning" | "afternoon" | "evening" | "night" | "week" | "weekend" | "month" | "year" | "tuan" | "nay" | "qua"
    )
}
