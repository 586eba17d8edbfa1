//! The places visited, for going back and forward as in a browser.

use super::Target;
use crate::search::Legs;

/// Maximum number of places; older ones are forgotten.
const MOST: usize = 100;

/// A pane as it was left: what opens it again, and the shared query.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub target: Target,
    pub query: String,
    pub legs: Legs,
}

#[derive(Debug, Default)]
pub struct History {
    back: Vec<Place>,
    forward: Vec<Place>,
}

impl History {
    /// Adds a place that is being left for a new one.
    pub fn leave(&mut self, place: Place) {
        self.forward.clear();
        if self.back.last() != Some(&place) {
            self.back.push(place);
        }
        self.back.drain(..self.back.len().saturating_sub(MOST));
    }

    /// The previous or next place; `here` becomes the first one of the other direction.
    pub fn step(&mut self, forward: bool, here: Place) -> Option<Place> {
        let (from, to) =
            if forward { (&mut self.forward, &mut self.back) } else { (&mut self.back, &mut self.forward) };
        let place = from.pop()?;
        to.push(here);
        Some(place)
    }

    pub fn has(&self, forward: bool) -> bool {
        !if forward { &self.forward } else { &self.back }.is_empty()
    }
}
