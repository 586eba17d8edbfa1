//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use ratatui::layout::Position;

use super::{Focus, Search};
use crate::tui::{
    event::{Mouse, MouseKind},
    update_context::UpdateContext,
};

impl Search {
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let place = Position { x: mouse.column, y: mouse.row };
        let (down, by) = match mouse.kind {
            MouseKind::Click => return self.click(mouse, cx),
            MouseKind::Drag => return,
            MouseKind::WheelDown => (true, 1),
            MouseKind::WheelUp => (false, -1),
        };
        if self.list_area.contains(place) {
            self.list.step(by, self.order.len());
            self.choose(cx);
        } else if self.narrowing.contains(place) {
            self.narrowing.step(by);
        } else {
            self.preview.scroll(if down { 3 } else { -3 });
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let place = Position { x: mouse.column, y: mouse.row };
        if self.field_area.contains(place) {
            self.enter_field();
        } else if self.list_area.contains(place) {
            let line = usize::from(mouse.row.saturating_sub(self.list_top));
            if let Some(row) = self.list.row_at(line, self.order.len(), |row| self.height(row)) {
                let again = row == self.list.selected();
                self.focus = Focus::List;
                self.list.select(row);
                self.choose(cx);
                if again {
                    self.open(cx);
                }
            }
        } else if let Some(again) = self.narrowing.click(place) {
            self.focus = Focus::Facets;
            if again {
                self.pick(false, cx);
            }
        } else if self.text_area.contains(place) {
            self.focus = Focus::Text;
        }
    }
}
