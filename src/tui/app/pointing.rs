//! Whom a mouse event belongs to: the line of hints, the overlay in front, the bar at the top, the pane.

use super::App;
use crate::tui::{
    event::{Mouse, MouseKind},
    update_context::OverlayName,
};

/// What can be clicked in the bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    /// The tab of the pane at this position.
    Tab(usize),
    /// A command on the hint line.
    Hint(&'static str),
    /// How many problems there are.
    Problems,
}

impl App {
    pub(super) fn on_mouse(&mut self, mouse: Mouse) {
        let is_click = mouse.kind == MouseKind::Click;
        if is_click {
            self.pressed.clear();
        }
        if is_click && !self.privacy_screen.is_blurred() {
            self.toasts.acknowledge();
        }
        let spot = self.spots.at(mouse.column, mouse.row).copied().filter(|_| is_click);
        if let Some(HitArea::Hint(command)) = spot {
            self.run_hint(command);
        } else if !self.overlays.is_empty() {
            self.with_focus(|focus, cx| focus.on_mouse(mouse, cx));
        } else if let Some(HitArea::Tab(nth)) = spot {
            self.show(nth);
        } else if let Some(HitArea::Problems) = spot {
            self.lay_over(self.overlay(OverlayName::Problems));
        } else if self.pane_area.contains((mouse.column, mouse.row).into()) {
            self.with_pane(|pane, cx| pane.on_mouse(mouse, cx));
        }
    }

    /// Runs what a hint names: a command of the overlay in front, else as the palette does.
    fn run_hint(&mut self, command: &'static str) {
        let own = self.overlays.last().and_then(|overlay| {
            let nth = overlay.commands().iter().position(|info| info.name == command)?;
            overlay.is_enabled(nth).then_some(nth)
        });
        match own {
            Some(nth) => self.with_focus(|focus, cx| focus.run(nth, cx)),
            None => self.run_by_name(command),
        }
    }
}
