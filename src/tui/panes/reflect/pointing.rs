//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use ratatui::layout::Position;

use super::{DateField, Reflect, Scale};
use crate::tui::{
    event::{Mouse, MouseKind},
    update_context::UpdateContext,
};

/// What can be clicked besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    Before,
    /// The date itself: another one is asked for.
    Date,
    After,
    Today,
    Scale(Scale),
    Write,
}

impl Reflect {
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(opens) = self.source.on_mouse(mouse) {
            if opens {
                self.open(cx);
            }
            return;
        }
        if self.points_in_writing(mouse) {
            return;
        }
        match mouse.kind {
            MouseKind::WheelDown => self.down(1),
            MouseKind::WheelUp => self.down(-1),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        // A click on the page leaves what is being typed, and does nothing else yet.
        if self.is_asking() {
            return self.leave(cx);
        }
        if self.is_writing() {
            return self.leave_writing(cx);
        }
        if let Some(spot) = self.spots.at(mouse.column, mouse.row).copied() {
            return self.press(spot, cx);
        }
        if !self.list_area.contains(Position::new(mouse.column, mouse.row)) {
            return;
        }
        let line = usize::from(mouse.row - self.list_area.y);
        let height = |row: usize| self.heights.get(row).copied().unwrap_or(1);
        let Some(row) = self.list.row_at(line, self.page.rows.len(), height) else { return };
        if row == self.list.selected() {
            self.open(cx);
        } else {
            self.list.select(row);
            self.nth = 0;
        }
    }

    fn press(&mut self, spot: HitArea, cx: &mut UpdateContext<'_>) {
        match spot {
            HitArea::Before => self.step(false, cx),
            HitArea::Date => self.goto = Some(DateField::default()),
            HitArea::After => self.step(true, cx),
            HitArea::Today => self.today(cx),
            HitArea::Scale(scale) => self.look_at(scale, cx),
            HitArea::Write => self.write(cx),
        }
    }
}
