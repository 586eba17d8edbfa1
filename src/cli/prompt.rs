//! Prompts on the terminal.

use std::{
    fmt::Display,
    io::{self, IsTerminal},
};

use super::output;
use crate::report::Report;

/// Asks a question and returns the typed answer.
pub fn answer(question: impl Display) -> Result<String, Report> {
    output::ask(question);
    Ok(line()?.trim().to_owned())
}

/// Asks for a password on the terminal, without showing it.
pub fn password(question: impl Display) -> Result<String, Report> {
    rpassword::prompt_password(question.to_string())
        .map_err(|_| Report::usage("needs a terminal to ask for the password").hint("or pass --password-stdin"))
}

/// Asks a yes-or-no question. Anything but yes, also an empty answer, is no.
pub fn yes(question: impl Display) -> Result<bool, Report> {
    Ok(is_yes(&answer(question)?))
}

/// Asks a yes-or-no question on a terminal. Anything but yes is an error with the message `refused`.
pub fn agree(question: impl Display, refused: &'static str) -> Result<(), Report> {
    expect_terminal()?;
    if yes(question)? { Ok(()) } else { Err(Report::data(refused)) }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.to_lowercase().as_str(), "y" | "yes")
}

/// Requires a typed `yes` before something that cannot be undone. Any other answer is an error with the message
/// `refused`.
pub fn confirm(what: &str, refused: &'static str) -> Result<(), Report> {
    expect_terminal()?;
    output::note(what);
    output::note("type `yes` to continue");
    if line()?.trim().eq_ignore_ascii_case("yes") { Ok(()) } else { Err(Report::data(refused)) }
}

fn expect_terminal() -> Result<(), Report> {
    if io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Report::usage("needs a terminal to confirm").hint("pass --yes to confirm without a prompt"))
}

/// A line of stdin without its ending.
pub fn line() -> Result<String, Report> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(|error| Report::data(format!("reading the answer: {error}")))?;
    let end = line.trim_end_matches(['\n', '\r']).len();
    line.truncate(end);
    Ok(line)
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
