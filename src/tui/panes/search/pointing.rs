//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use ratatui::layout::Position;

use super::{Focus, Search};
use crate::tui::{
    event::{Mouse, MouseKind},
    update_context::UpdateContext,
    widgets::list::{Motion, Pointed},
};

impl Search {
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        match Motion::of_wheel(mouse.kind) {
            Some(motion) if self.list.holds(mouse) => {
                self.list.go(motion);
                self.choose(cx);
            }
            Some(motion) if self.narrowing.holds(mouse) => self.narrowing.go(motion),
            Some(motion) => self.preview.go(Motion::Lines(3 * motion.lines(1))),
            None if mouse.kind == MouseKind::Click => self.click(mouse, cx),
            None => {}
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let place = Position { x: mouse.column, y: mouse.row };
        if self.field_area.contains(place) {
            self.enter_field();
        } else if self.list.holds(mouse) {
            let pointed = self.list.point(mouse);
            if pointed != Pointed::Nothing {
                self.focus = Focus::List;
                self.choose(cx);
            }
            if pointed == Pointed::Again {
                self.open(cx);
            }
        } else if let Some(again) = self.narrowing.click(mouse) {
            self.focus = Focus::Facets;
            if again {
                self.pick(false, cx);
            }
        } else if self.text_area.contains(place) {
            self.focus = Focus::Text;
        }
    }
}
