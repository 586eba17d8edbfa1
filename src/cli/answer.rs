//! Command results: one value, printed as JSON with `--json` or as lines for people.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    context::Context,
    outcome::{Done, Outcome},
    output::Output,
};
use crate::search::json::Versioned;

impl Context {
    /// Prints a result: as JSON, or for people with `print`.
    pub fn answer<T: Serialize>(&mut self, answer: &T, json: bool, print: impl FnOnce(&mut Output, &T)) -> Outcome {
        if json {
            self.out.json(&Versioned::new(answer))
        } else {
            print(&mut self.out, answer)
        }
        Ok(Done::Done)
    }

    /// Prints the result of a query: exit code 3 unless something `is_found`.
    pub fn answer_query<T: Serialize>(
        &mut self,
        is_found: bool,
        answer: &T,
        json: bool,
        print: impl FnOnce(&mut Output, &T),
    ) -> Outcome {
        self.answer(answer, json, print)?;
        Ok(if is_found { Done::Done } else { Done::NothingMatched })
    }

    /// Prints the result of a query that is a list; in JSON it has one key.
    pub fn answer_list<T: Serialize>(
        &mut self,
        key: &str,
        items: &[T],
        json: bool,
        print: impl FnOnce(&mut Output, &[T]),
    ) -> Outcome {
        self.answer_query(!items.is_empty(), &BTreeMap::from([(key, items)]), json, |out, _| print(out, items))
    }
}
