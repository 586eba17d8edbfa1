//! Questions to the person at the keyboard.

use std::{
    fmt::Display,
    io::{self, IsTerminal},
};

use super::output;
use crate::report::Report;

/// What is typed behind a question.
pub fn answer(question: impl Display) -> Result<String, Report> {
    output::ask(question);
    line()
}

/// A question to which nothing and anything else than a yes is a no.
pub fn yes(question: impl Display) -> Result<bool, Report> {
    Ok(is_yes(&answer(question)?))
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.to_lowercase().as_str(), "y" | "yes")
}

/// Asks for a `yes` before what cannot be undone; `refused` is said of everything else.
pub fn confirm(what: &str, refused: &'static str) -> Result<(), Report> {
    expect_terminal()?;
    output::note(what);
    output::note("type `yes` to continue");
    if line()?.eq_ignore_ascii_case("yes") { Ok(()) } else { Err(Report::data(refused)) }
}

pub fn expect_terminal() -> Result<(), Report> {
    if io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Report::usage("needs a terminal to confirm").hint("pass --yes to confirm without a prompt"))
}

fn line() -> Result<String, Report> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(|error| Report::data(format!("reading the answer: {error}")))?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_a_yes() {
        for (answer, yes) in [("y", true), ("YES", true), ("", false), ("yesterday", false)] {
            assert_eq!(is_yes(answer), yes, "{answer:?}");
        }
    }
}
