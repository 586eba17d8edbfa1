//! The mouse in a list that stands in a box above a pane.

use ratatui::layout::Rect;

use super::list::{List, Motion, Pointed};
use crate::tui::event::{Mouse, MouseKind};

/// Where the box was painted last, without its frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boxed(pub Rect);

impl Boxed {
    /// Selects the row under a click, goes on with the wheel wherever it turns. A click beside the box is [`Pointed::Away`].
    pub fn point(self, mouse: Mouse, list: &mut List) -> Pointed {
        if let Some(motion) = Motion::of_wheel(mouse.kind) {
            list.go(motion);
            return Pointed::Moved;
        }
        match list.point(mouse) {
            Pointed::Away if self.holds(mouse) || mouse.kind != MouseKind::Click => Pointed::Nothing,
            pointed => pointed,
        }
    }

    /// In the box, its frame and the blank inside of it included.
    pub fn holds(self, mouse: Mouse) -> bool {
        let columns = self.0.x.saturating_sub(2)..self.0.right() + 2;
        let rows = self.0.y.saturating_sub(1)..self.0.bottom() + 1;
        columns.contains(&mouse.column) && rows.contains(&mouse.row)
    }
}
