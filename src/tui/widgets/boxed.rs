//! The mouse in a list that stands in a box above a pane.

use ratatui::layout::Rect;

use super::list::ListState;
use crate::tui::event::{Mouse, MouseKind};

/// Where the box and its rows were painted last.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boxed {
    /// Without its frame.
    pub inside: Rect,
    pub rows: Rect,
}

/// What a mouse event meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointed {
    /// A click beside the box: never mind.
    Away,
    /// A click on the row that was selected already.
    Again,
    /// Another row is selected, or nothing is.
    Elsewhere,
}

impl Boxed {
    /// All of the inside is rows.
    pub fn of(inside: Rect) -> Self {
        Self { inside, rows: inside }
    }

    /// Selects the row under a click, goes on with the wheel. `height` gives a row's lines.
    pub fn point(&self, mouse: Mouse, list: &mut ListState, len: usize, height: impl Fn(usize) -> usize) -> Pointed {
        let place = (mouse.column, mouse.row).into();
        match mouse.kind {
            MouseKind::WheelUp => list.step(-1, len),
            MouseKind::WheelDown => list.step(1, len),
            MouseKind::Click if !self.is_in_box(mouse) => return Pointed::Away,
            MouseKind::Click if self.rows.contains(place) => {
                let before = list.selected();
                if let Some(row) = list.row_at(usize::from(mouse.row - self.rows.y), len, height) {
                    list.select(row);
                    return if row == before { Pointed::Again } else { Pointed::Elsewhere };
                }
            }
            MouseKind::Click | MouseKind::Drag => {}
        }
        Pointed::Elsewhere
    }

    /// In the box, its frame and the blank inside of it included.
    pub fn is_in_box(&self, mouse: Mouse) -> bool {
        let columns = self.inside.x.saturating_sub(2)..self.inside.right() + 2;
        let rows = self.inside.y.saturating_sub(1)..self.inside.bottom() + 1;
        columns.contains(&mouse.column) && rows.contains(&mouse.row)
    }
}
