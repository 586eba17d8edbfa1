//! Argument values of the command line only: enums, and exclusions that look like flags.

use std::ffi::OsString;

use clap::{ValueEnum, builder::PossibleValue};

pub use crate::arguments::{at_or_now, days, due_day, event_time, moment, one_line, period, tags, zoned};
use crate::{
    insight::review::Unit,
    journal::{RecordStatus, RelationKind},
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
}
