//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use super::{Why, screen::EXAMPLES};
use crate::tui::{
    event::{Mouse, MouseKind},
    update_context::UpdateContext,
    widgets::list::Motion,
};

/// What can be clicked besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
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
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(opens) = self.source.on_mouse(mouse) {
            if opens {
                self.open(cx);
            }
            return;
        }
        match Motion::of_wheel(mouse.kind) {
            Some(motion) => self.lines.go(motion),
            None if mouse.kind == MouseKind::Click => self.click(mouse, cx),
            None => {}
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(spot) = self.spots.at(mouse.column, mouse.row).copied() {
            return self.press(spot, cx);
        }
        // The click that leaves the field opens nothing yet.
        let was_typing = std::mem::replace(&mut self.typing, false);
        if self.lines.click(mouse) && !was_typing {
            self.open(cx);
        }
    }

    fn press(&mut self, spot: HitArea, cx: &mut UpdateContext<'_>) {
        match spot {
            HitArea::Field => self.enter_field(false),
            HitArea::Other => self.enter_field(true),
            HitArea::Period => self.next_period(cx),
            HitArea::Back => self.go_back(cx),
            HitArea::Example(nth) => {
                if let Some((example, _)) = EXAMPLES.get(nth) {
                    self.ask_about(example, cx);
                }
            }
        }
    }
}
