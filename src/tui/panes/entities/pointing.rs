//! What the mouse does: a click selects, one more opens, the wheel goes on in what lies under it.

use super::{Entities, upkeep::SidePanel};
use crate::{
    journal::EntityKind,
    tui::{
        event::{Mouse, MouseKind},
        update_context::UpdateContext,
        widgets::list::{Motion, Pointed},
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
        match Motion::of_wheel(mouse.kind) {
            Some(motion) if self.listing.list.holds(mouse) => {
                self.listing.list.go(motion);
                self.context(cx);
            }
            Some(motion) if self.looks_at_name() => self.portrait.lines.go(motion),
            Some(motion) => self.chores.lines.go(motion),
            None if mouse.kind == MouseKind::Click => self.click(mouse, cx),
            None => {}
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(spot) = self.spots.at(mouse.column, mouse.row).copied() {
            return self.press(spot, cx);
        }
        let pointed = self.listing.list.point(mouse);
        if pointed != Pointed::Away {
            self.typing = false;
            self.context(cx);
            self.reading = pointed == Pointed::Again;
        } else if self.looks_at_name() {
            self.click_portrait(mouse, cx);
        } else if self.chores.lines.click(mouse) {
            self.settle(cx);
        }
    }

    fn click_portrait(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let again = self.portrait.lines.click(mouse);
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
