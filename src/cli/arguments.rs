//! Argument values of the command line only: enums, and exclusions that look like flags.

use std::{convert::Infallible, ffi::OsString};

use clap::{ValueEnum, builder::PossibleValue};

pub use crate::arguments::{
    at_or_now, days, due_day, event_time, moment, one_line, optional_line, period, tags, typed_tags, zoned,
};
use crate::{
    journal::{EntityKind, RecordStatus, RelationKind},
    report::Report,
    search::{Fusion, LegId, sort::Sort},
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
    EntityKind, |kind| PossibleValue::new(kind.word()).aliases(EntityKind::ALSO.iter().filter(|(_, of)| *of == kind).map(|(word, _)| *word));
    RelationKind, |kind| PossibleValue::new(kind.word());
    RecordStatus, |status| PossibleValue::new(status.word());
    Fusion, |rule| PossibleValue::new(if rule == Fusion::Score { "score" } else { "rrf" });
    Sort, |sort| PossibleValue::new(sort.word());
}

/// The value of an option, if it was given.
pub fn given<T>(typed: Option<&str>, read: impl FnOnce(&str) -> Result<T, Report>) -> Result<Option<T>, Report> {
    typed.map(read).transpose()
}

/// Verbs whose texts may begin with a dash and a space.
const WITH_TEXT: [&str; 3] = ["add", "edit", "record"];
/// In front of such a text; no argument of a user can hold it.
const SHIELD: char = '\0';

/// Allows exclusions in `kioku search lake -boat` and items of a list in `kioku add '- milk'`. For clap, an argument with
/// one dash is a flag: an exclusion gets a leading space, which the query parser ignores, an item a [`SHIELD`].
pub fn shield_dashes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let (verb, shield) = match verb_at(&arguments, "search") {
        Some(verb) => (verb, ' '),
        None => match WITH_TEXT.iter().find_map(|name| verb_at(&arguments, name)) {
            Some(verb) => (verb, SHIELD),
            None => return arguments,
        },
    };
    for at in verb + 1..arguments.len() {
        // Not the value of another flag.
        let is_text = !is_flag(&arguments[at - 1]) || arguments[at - 1] == "--text" || arguments[at - 1] == "--json";
        let wanted = if shield == SHIELD { is_item } else { is_exclusion };
        if (shield != SHIELD || is_text) && arguments[at].to_str().is_some_and(wanted) {
            let mut shielded = OsString::from(shield.to_string());
            shielded.push(&arguments[at]);
            arguments[at] = shielded;
        }
    }
    arguments
}

/// The value parser of texts that [`shield_dashes`] may have shielded.
pub fn text(argument: &str) -> Result<String, Infallible> {
    Ok(argument.strip_prefix(SHIELD).unwrap_or(argument).to_owned())
}

fn is_flag(argument: &OsString) -> bool {
    argument.to_str().is_some_and(|argument| argument.starts_with('-'))
}

/// The place of a verb: an argument before it is a flag or the value of one.
fn verb_at(arguments: &[OsString], name: &str) -> Option<usize> {
    let verb = arguments.iter().position(|argument| argument == name)?;
    let mut before = (1..verb).filter(|at| !is_flag(&arguments[*at]));
    before.all(|at| is_flag(&arguments[at - 1])).then_some(verb)
}

fn is_item(argument: &str) -> bool {
    argument.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_whitespace))
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
        shield_dashes(arguments).into_iter().map(|argument| argument.into_string().unwrap()).collect()
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
