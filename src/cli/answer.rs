//! Command results: one struct, printed as JSON with `--json` or as lines for people.

use serde::Serialize;

use super::{
    context::Context,
    outcome::{Done, Outcome},
    output::Output,
};
use crate::search::json::Versioned;

pub trait Answer: Serialize {
    /// Prints the result as lines for people.
    fn print(&self, out: &mut Output);

    /// Whether the result is empty, for exit code 3.
    fn is_nothing(&self) -> bool {
        false
    }
}

impl Context {
    /// Prints a result, and returns the outcome of the command.
    pub fn answer(&mut self, answer: &impl Answer, json: bool) -> Outcome {
        if json {
            self.out.json(&Versioned::new(answer))
        } else {
            answer.print(&mut self.out)
        }
        Ok(if answer.is_nothing() { Done::NothingMatched } else { Done::Done })
    }
}
