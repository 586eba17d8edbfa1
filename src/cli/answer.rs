//! Answers: one struct that `--json` prints as it is, and people read as lines.

use serde::Serialize;

use super::{
    context::Context,
    json::Versioned,
    outcome::{Done, Outcome},
    output::Output,
};

pub trait Answer: Serialize {
    /// As lines for people.
    fn print(&self, out: &mut Output);

    /// The question was understood; the answer is "nothing".
    fn is_nothing(&self) -> bool {
        false
    }
}

impl Context {
    /// Prints an answer, and ends the verb with what it comes to.
    pub fn answer(&mut self, answer: &impl Answer, json: bool) -> Outcome {
        if json {
            self.out.json(&Versioned::new(answer))
        } else {
            answer.print(&mut self.out)
        }
        Ok(if answer.is_nothing() { Done::NothingMatched } else { Done::Done })
    }
}
