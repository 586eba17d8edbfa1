//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use super::{DateField, Reflect, Scale};
use crate::tui::{
    event::{Mouse, MouseKind},
    panes::Screen as _,
    update_context::UpdateContext,
    widgets::list::{Motion, Pointed},
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
        match Motion::of_wheel(mouse.kind) {
            Some(motion) => self.go(motion, cx),
            None if mouse.kind == MouseKind::Click => self.click(mouse, cx),
            None => {}
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
        match self.list.point(mouse) {
            Pointed::Again => self.open(cx),
            Pointed::Moved => self.nth = 0,
            Pointed::Away | Pointed::Nothing => {}
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
