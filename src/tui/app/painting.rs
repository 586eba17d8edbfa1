//! Drawing of a frame: the bars, the pane, and overlays and toasts above it.

use std::sync::Arc;

use ratatui::{Frame, layout::Rect};

use super::App;
use crate::tui::{
    RenderContext, Role, Width,
    bars::{self, Hint},
    keymap::Step,
    overlays, plain_screen,
    privacy_screen::PrivacyScreen,
};

impl App {
    /// Draws a whole frame. Changes only view state.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        self.dirty = false;
        let area = frame.area();
        if area.is_empty() {
            return;
        }
        let now = self.world.clock.now();
        let view = Arc::clone(&self.world.view);
        let context = RenderContext {
            theme: &self.theme,
            width: if self.world.settings.is_plain { Width::One } else { Width::of(area) },
            focused: self.overlays.is_empty(),
            view: &view,
            query: &self.world.query,
            settings: &self.world.settings,
            now: &now,
            keys: &self.keymap,
        };
        if self.privacy_screen.is_blank() {
            return PrivacyScreen::draw_blank(frame, &context);
        }
        let alone = self.overlays.is_empty() && self.panes.get(self.current).is_some_and(|pane| pane.wants_screen());
        let nothing = Rect { height: 0, ..area };
        let (top, pane_area, bottom) = if alone { (nothing, area, nothing) } else { bars::split(area) };
        self.pane_area = pane_area;
        let problems = view.notices.len() + self.faults.len();
        self.spots.clear();
        let behind = bars::draw_top(frame, top, &context, self.entries, self.current, problems, &mut self.spots);
        if let Some(pane) = self.panes.get_mut(self.current) {
            pane.draw(frame, pane_area, &context);
        }
        let depth = self.overlays.len();
        if depth > 0 {
            frame.buffer_mut().set_style(pane_area, context.style(Role::Dim));
        }
        for (nth, overlay) in self.overlays.iter_mut().enumerate() {
            overlay.draw(frame, pane_area, &RenderContext { focused: nth + 1 == depth, ..context });
        }
        // Some panes have their input line, with its error message, in the last row: toasts must not cover it.
        let types = self.focus().is_some_and(|focus| focus.wants_text());
        let mut hints = self.hints();
        if self.privacy_screen.is_blurred() {
            let command = "app.blur";
            hints.splice(..0, self.keymap.key_of(command).map(|key| Hint { key, word: "show the text", command }));
        }
        let foot = u16::from(types && pane_area.height > 1);
        let spare = if self.privacy_screen.is_blurred() { nothing } else { bottom };
        if !self.toasts.draw(frame, Rect { height: pane_area.height - foot, ..pane_area }, spare, &context) {
            bars::draw_hints(frame, bottom, &context, &hints, types, &mut self.spots);
        }
        let next = if self.pressed.is_empty() { Step::Nothing } else { self.step() };
        if let Step::Pending(next) = next {
            let pressed: Vec<_> = self.pressed.iter().map(ToString::to_string).collect();
            overlays::which_key::draw(frame, pane_area, &context, &pressed.join(" "), &next);
        }
        if self.privacy_screen.is_blurred() {
            PrivacyScreen::blur(frame, behind, &context);
            PrivacyScreen::blur(frame, pane_area, &context);
        }
        if context.settings.is_plain {
            plain_screen::simplify(frame, &context, types);
        }
    }
}
