//! Quick add: `kioku yesterday 3pm: TEXT` and `kioku "TEXT OF SEVERAL WORDS"`, as in jrnl.
//!
//! A misspelt command must never become an entry: words without quotes are only a text behind a time and a colon.

use std::ffi::OsString;

use clap::Parser;

use super::{context::Place, write::Add};
use crate::{
    arguments,
    clock::Clock,
    extract::dates,
    report::{Report, closest},
};

/// The command line without a command.
#[derive(Debug, Parser)]
#[command(name = "kioku", disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    place: Place,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// An entry without flags.
pub type Entry = Add;

/// The entry of a command line that has no command; if it is none, a report with suggestions.
///
/// `None` if the first word is a command.
pub fn add(arguments: &[OsString], commands: &[&str]) -> Option<Result<(Place, Entry), Report>> {
    let Words { place, words } = Words::try_parse_from(arguments).ok()?;
    let first = words.first()?.split_whitespace().next()?;
    if commands.contains(&words[0].as_str()) {
        return None;
    }
    let add = |at, text: &str| Ok((place, Add::quick(at, text.trim().to_owned())));
    let text = words.join(" ");
    if let Some((time, rest)) = timed(&text) {
        return Some(add(Some(time.trim().to_owned()), rest));
    }
    if let Some(Err(report)) = numeric(&text).map(|time| arguments::moment(time, &Clock::system().now())) {
        return Some(Err(report));
    }
    let similar = closest(first, commands.iter().copied());
    // Two words in quotes that begin like a command are rather that than a text.
    let is_text = |count: usize| words.len() == 1 && count > 1 && (count > 2 || similar.is_none());
    if is_text(text.split_whitespace().count()) {
        return Some(add(None, &text));
    }
    let report = Report::usage(format!("`{first}` is not a command"));
    let report = match similar {
        Some(command) => report.hint(format!("similar: `kioku {command}`")),
        None => report,
    };
    Some(Err(report
        .hint("to write an entry: kioku 'TEXT IN QUOTES', or kioku yesterday 3pm: TEXT")
        .hint("`kioku --help` lists every command")))
}

/// The words before a colon, if they are a date in three numbers, with or without a clock time. It may not exist.
fn numeric(text: &str) -> Option<&str> {
    let (time, _) = text.split_once(": ")?;
    let day = time.split(' ').next()?;
    let numbers: Vec<&str> = day.split(['-', '/', '.']).filter(|part| !part.is_empty()).collect();
    // "10.0.1: upgraded" is a text.
    let has_year = numbers.len() == 3 && numbers.iter().any(|number| number.len() == 4);
    (has_year && time.chars().all(|c| c.is_ascii_digit() || "-/.: ".contains(c))).then_some(time)
}

/// The time before a colon, and the text behind it.
fn timed(text: &str) -> Option<(&str, &str)> {
    let now = Clock::system().now();
    text.match_indices(": ").find_map(|(at, colon)| {
        let (time, rest) = (&text[..at], &text[at + colon.len()..]);
        (!rest.trim().is_empty() && dates::moment(time.trim(), &now).is_some()).then_some((time, rest))
    })
}
