//! Dates within running text.
//!
//! Stricter than the parser for a date alone: `may`, `mai` and `3/4` are words and numbers first. A weekday or month
//! without its week or year is the latest one, or the next one if the sentence is about the future.

use jiff::{SignedDuration, civil::Date};

use super::{
    DayRange, after_opener,
    day::{Day, Tense},
    day_of,
    feast_names::{FEAST_DAYS, holiday},
    from_to, phrase,
    token::{Kind, Reader, Token, tokens},
    vocabulary::season,
};
use crate::journal::english_month;

/// Maximum number of words of a date.
pub const MOST_WORDS: usize = 8;

/// A date without a year is not said of a day so far ahead: "my appointment is on 9 June", written on the 17th.
const ALMOST_A_YEAR: SignedDuration = SignedDuration::from_hours(330 * 24);

/// Words before a date that belong to the sentence, not to the date.
const BEFORE: [&str; 9] = ["since", "until", "till", "til", "by", "from", "over", "before", "tu"];

/// The days named by some words of a sentence, relative to `today`; `None` unless all the words are one unambiguous
/// date. `day_first`: the language writes the day before the month.
pub fn spoken(words: &str, today: Date, tense: Tense, day_first: bool) -> Option<DayRange> {
    let mut tokens = tokens(words)?;
    if !is_plain(&tokens, words, day_first) {
        return None;
    }
    if day_first {
        tokens = with_days_marked(tokens);
    }
    let inner = after_opener(&tokens, &BEFORE).unwrap_or(&tokens);
    if tense != Tense::Past
        && let Some(floating) = phrase::this_weekday(inner)
    {
        return floating.said(today, Tense::Future).filter(|range| range.first != today);
    }
    if let Some(day) = day_of(inner, today) {
        let is_near = |range: &DayRange| range.first.duration_since(today) <= ALMOST_A_YEAR;
        return day.said(today, tense).filter(is_near).or_else(|| day.range(today));
    }
    let opened = after_opener(&tokens, &["from", "between", "tu"]);
    // `25-29 June`, `Tues to Thurs`, but not every "to" and "and" between two days.
    let joins = |separator: &Token, a: Day, b: Day| match &separator.kind {
        Kind::Sign(_) => true,
        Kind::Word(word) => opened.is_some() || [a, b].iter().all(Day::is_weekday) && word != "and",
        Kind::Number(..) => false,
    };
    from_to(opened.unwrap_or(&tokens), today, tense, joins)
}

/// Marks each `3/4` as day first.
fn with_days_marked(tokens: Vec<Token>) -> Vec<Token> {
    let is_day = |at: usize| {
        let short = |at: usize| matches!(tokens.get(at).map(|token| &token.kind), Some(Kind::Number(_, 1..=2)));
        let is_marked = at.checked_sub(1).is_some_and(|before| {
            matches!(tokens[before].word(), "ngay" | "hom") || tokens[before].kind == Kind::Sign('/')
        });
        short(at) && tokens.get(at + 1).is_some_and(|sign| sign.kind == Kind::Sign('/')) && short(at + 2) && !is_marked
    };
    let marks: Vec<bool> = (0..tokens.len()).map(is_day).collect();
    let marked = tokens.into_iter().zip(marks).flat_map(|(token, is_day)| {
        let mark = is_day.then(|| Token { kind: Kind::Word("ngay".to_owned()), glued: false });
        mark.into_iter().chain([token])
    });
    marked.collect()
}

/// A feast name of two or more words: `Boxing Day`, `giao thừa`. A single word often is a modifier: `Christmas
/// presents`.
fn is_feast(tokens: &[Token]) -> bool {
    let mut r = Reader::new(tokens);
    tokens.len() > 1 && holiday(&mut r).is_some() && r.done()
}

/// Whether the words cannot be anything but a date.
fn is_plain(tokens: &[Token], written: &str, day_first: bool) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(value, digits)) => Some((*value, *digits)),
        _ => None,
    };
    let is_year = |at: usize| number(at).is_some_and(|(value, digits)| digits == 4 && (1800..2100).contains(&value));
    let accented = !written.is_ascii();
    let is_short = |at: usize| number(at).is_some_and(|(_, digits)| digits <= 2);
    if tokens.len() == 3 && is_short(0) && tokens[1].kind == Kind::Sign('/') && is_short(2) {
        // "Half a cake", "all day long" and a mark of fifteen out of ten are not days.
        let (day, month) = (number(0).map_or(0, |(value, _)| value), number(2).map_or(0, |(value, _)| value));
        let of_ten = month == 10 && !day_first;
        return day > 12 && month <= 12 && !of_ten && (day, month) != (24, 7)
            || day_first && FEAST_DAYS.contains(&(day as i8, month as i8));
    }
    if is_feast(tokens) {
        return accented || !matches!(word(0), "mong" | "mung" | "giao" | "ram");
    }
    match tokens.len() {
        0 => false,
        1 => match word(0) {
            "tmr" | "tmrw" | "tmw" | "tonight" | "thurs" | "tues" | "weds" | "hqua" | "hnay" | "mốt" => true,
            "today" | "yesterday" | "tomorrow" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday"
            | "saturday" | "sunday" => true,
            // With a capital it may be a name.
            "mai" => day_first && written == "mai",
            // Only with a capital: the others are also words, or abbreviations.
            "january" | "february" | "june" | "july" | "september" | "october" | "november" | "december" | "april"
            | "august" => written.starts_with(char::is_uppercase),
            _ => false,
        },
        2 => match (word(0), word(1)) {
            ("in" | "since" | "nam" | "of" | "from" | "until" | "hoi", _) if is_year(1) => true,
            ("in" | "since" | "last" | "next" | "this" | "until" | "till" | "til" | "from" | "by", month)
                if is_month(month) =>
            {
                written.ends_with(|c: char| c.is_alphanumeric()) && written.chars().any(char::is_uppercase)
                    || !matches!(month, "may" | "march" | "mar" | "dec" | "sep" | "jan" | "sun")
            }
            ("on" | "last" | "next" | "this" | "until" | "till" | "til" | "by", _) => true,
            ("at" | "over" | "since" | "from", _) => holiday(&mut Reader::new(&tokens[1..])).is_some(),
            ("early" | "late" | "mid", month) if is_month(month) => written.chars().any(char::is_uppercase),
            ("dau" | "giua" | "cuoi", "thang" | "nam" | "tuan") => accented,
            ("hoi", _) if season(&mut Reader::new(&tokens[1..])).is_some() => accented,
            ("sang" | "trua" | "chieu" | "toi" | "dem", "mai") => accented,
            ("hoi", "hom") | ("sang", "tuan" | "thang" | "nam") => accented,
            ("hom" | "ngay", _) if number(1).is_some() => accented,
            ("noel" | "trung" | "tet", _) => false,
            ("hom", "qua" | "nay" | "kia") | ("ngay", "mai" | "kia") => accented,
            ("dem" | "toi" | "sang" | "chieu" | "trua", "qua" | "nay") => accented,
            ("tuan" | "thang" | "nam", _) => accented && number(1).is_none() || number(1).is_some(),
            // "Nghiệm thu trước" has no accent there.
            ("thu", _) => written.to_lowercase().starts_with("thứ"),
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
    english_month(word).is_some()
}

fn is_part(word: &str) -> bool {
    matches!(
        word,
        "morning" | "afternoon" | "evening" | "night" | "week" | "weekend" | "month" | "year" | "tuan" | "nay" | "qua"
    )
}
