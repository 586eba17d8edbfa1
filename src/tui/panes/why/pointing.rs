//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use super::{Why, screen::EXAMPLES};
use crate::tui::{
    cx::Cx,
    event::{Mouse, MouseKind},
};

/// What can be clicked besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    Field,
    /// The field of the second name.
    Other,
    Period,
    /// The way back to what a cause was followed from.
    Back,
    /// One of [`EXAMPLES`].
    Example(usize),
}

impl Why {
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        if let Some(opens) = self.source.on_mouse(mouse) {
            if opens {
                self.open(cx);
            }
            return;
        }
        match mouse.kind {
            MouseKind::WheelDown => self.lines.step(1),
            MouseKind::WheelUp => self.lines.step(-1),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        if let Some(spot) = self.spots.at(mouse.column, mouse.row).copied() {
            return self.press(spot, cx);
        }
        // The click that leaves the field opens nothing yet.
        let was_typing = std::mem::replace(&mut self.typing, false);
        if self.lines.click(mouse.column, mouse.row) && !was_typing {
            self.open(cx);
        }
    }

    fn press(&mut self, spot: Spot, cx: &mut Cx<'_>) {
        match spot {
            Spot::Field => self.enter_field(false),
            Spot::Other => self.enter_field(true),
            Spot::Period => self.next_period(cx),
            Spot::Back => self.go_back(cx),
            Spot::Example(nth) => {
                if let Some((example, _)) = EXAMPLES.get(nth) {
                    self.ask_about(example, cx);
                }
            }
        }
    }
}
