//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use ratatui::layout::Position;

use super::{Entities, upkeep::SidePanel};
use crate::{
    journal::EntityKind,
    tui::{
        event::{Mouse, MouseKind},
        update_context::UpdateContext,
    },
};

/// What can be clicked besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    Filter,
    Kind(EntityKind),
    Waiting(SidePanel),
}

impl Entities {
    pub(super) fn point(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        self.naming.line = None;
        if let Some(opens) = self.source.on_mouse(mouse) {
            if let Some(said) = self.said_on_line().cloned().filter(|_| opens) {
                cx.open_source(&said);
            }
            return;
        }
        match mouse.kind {
            MouseKind::WheelDown => self.wheel(1, mouse, cx),
            MouseKind::WheelUp => self.wheel(-1, mouse, cx),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn wheel(&mut self, by: isize, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if self.list_area.contains(Position { x: mouse.column, y: mouse.row }) {
            self.listing.step(by);
            self.context(cx);
        } else if self.looks_at_name() {
            self.portrait.lines.step(by);
        } else {
            self.chores.lines.step(by);
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(spot) = self.spots.at(mouse.column, mouse.row).copied() {
            return self.press(spot, cx);
        }
        if self.list_area.contains(Position { x: mouse.column, y: mouse.row }) {
            self.typing = false;
            let again = self.listing.click(mouse.row - self.list_area.y);
            self.context(cx);
            self.reading = again;
        } else if self.looks_at_name() {
            self.click_portrait(mouse, cx);
        } else if self.chores.lines.click(mouse.column, mouse.row) {
            self.settle(cx);
        }
    }

    fn click_portrait(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let again = self.portrait.lines.click(mouse.column, mouse.row);
        if again && self.reading {
            self.follow(cx);
        } else {
            self.typing = false;
            self.reading |= self.portrait.lines.selected().is_some();
        }
    }

    /// What Enter does with the line of a chore.
    fn settle(&mut self, cx: &mut UpdateContext<'_>) {
        if self.chores.is_pair() {
            self.settle_pair(cx);
        } else if self.chores.is_hidden_name() {
            self.unhide(cx);
        }
    }

    fn press(&mut self, spot: HitArea, cx: &mut UpdateContext<'_>) {
        match spot {
            HitArea::Filter => (self.typing, self.reading) = (true, false),
            HitArea::Kind(kind) => self.toggle_kind(kind, cx),
            HitArea::Waiting(chore) => self.turn_to_chore(chore, cx),
        }
    }
}
