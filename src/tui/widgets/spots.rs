//! Hit areas of the last draw, besides those of lists and fields.

use ratatui::layout::{Position, Rect};

/// Areas on the screen and the meaning of a click on each. Made again at every draw.
#[derive(Debug, Clone)]
pub struct Spots<T> {
    spots: Vec<(Rect, T)>,
}

impl<T> Default for Spots<T> {
    fn default() -> Self {
        Self { spots: Vec::new() }
    }
}

impl<T> Spots<T> {
    pub fn clear(&mut self) {
        self.spots.clear();
    }

    pub fn put(&mut self, area: Rect, means: T) {
        self.spots.push((area, means));
    }

    /// The meaning of a cell, if any.
    pub fn at(&self, place: Position) -> Option<&T> {
        self.spots.iter().find(|(area, _)| area.contains(place)).map(|(_, means)| means)
    }
}
