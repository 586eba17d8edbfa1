//! The places visited, for going back and forward as in a browser: panes, and in some of them names or questions.

use super::Target;
use crate::search::Legs;

/// Maximum length; older ones are forgotten.
const MOST: usize = 100;

/// A pane as it was left: what opens it again, and the shared query.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub target: Target,
    pub query: String,
    pub legs: Legs,
}

/// What was left, in both directions.
#[derive(Debug)]
pub struct History<T> {
    /// The one left last is the last.
    pub back: Vec<T>,
    forward: Vec<T>,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { back: Vec::new(), forward: Vec::new() }
    }
}

impl<T> History<T> {
    /// Adds what is being left for something new.
    pub fn leave(&mut self, here: impl IntoIterator<Item = T>) {
        self.forward.clear();
        self.back.extend(here);
        self.back.drain(..self.back.len().saturating_sub(MOST));
    }

    /// The previous or next one; `here` becomes the first one of the other direction.
    pub fn step(&mut self, forward: bool, here: Option<T>) -> Option<T> {
        let (from, to) =
            if forward { (&mut self.forward, &mut self.back) } else { (&mut self.back, &mut self.forward) };
        let next = from.pop()?;
        to.extend(here);
        Some(next)
    }

    pub fn has(&self, forward: bool) -> bool {
        !if forward { &self.forward } else { &self.back }.is_empty()
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
