//! Layout and commands of the column of related entries.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::{Focus, Journal};
use crate::tui::{RenderContext, Role, Screen as _, Styled, UpdateContext, below, border, notice};

/// Minimum width of the pane for the column beside days and text.
const ROOM: u16 = 156;
/// Width of the column.
const WIDTH: u16 = 36;
/// Delay between the last typed key and the request.
const PAUSE: Duration = Duration::from_millis(700);

impl Journal {
    /// Splits off the column where it is shown.
    pub(super) fn split_related(&mut self, area: Rect) -> (Rect, Rect) {
        let nothing = Rect { width: 0, ..area };
        let writing = self.composer.is_some();
        let is_on = if writing { self.related.while_writing } else { !self.related.hidden };
        let shown = is_on && area.width >= ROOM && !self.wants_screen();
        let column = Rect { x: area.right() - WIDTH.min(area.width), width: WIDTH, ..area };
        self.related.area = if shown { column } else { nothing };
        if !shown {
            if self.focus == Focus::Related {
                self.focus = Focus::Text;
            }
            return (area, nothing);
        }
        (Rect { width: area.width - WIDTH, ..area }, column)
    }

    pub(super) fn shows_related(&self) -> bool {
        self.is_reading() && !self.related.area.is_empty() && !self.related.lines.is_empty()
    }

    pub(super) fn in_related(&self) -> bool {
        self.is_reading() && self.focus == Focus::Related
    }

    pub(super) fn toggle_related(&mut self, cx: &mut UpdateContext<'_>) {
        let on = match self.composer.is_some() {
            true => &mut self.related.while_writing,
            false => &mut self.related.hidden,
        };
        *on = !*on;
        let is_shown = *on == self.composer.is_some();
        if is_shown && self.pane_width < ROOM {
            cx.done(format!("Related entries need a screen of {ROOM} columns"));
        }
    }

    pub(super) fn open_related(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(cited) = self.related.lines.cited() {
            cited.open(cx);
        }
    }

    /// Requests what is related to the focused entry, or after a pause in typing to the text being written. Returns
    /// the time of the next request.
    pub(super) fn ask_related(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if self.related.area.is_empty() || !cx.in_front || cx.view.snapshot.is_none() {
            return None;
        }
        if let Some(composer) = &self.composer {
            let written = Some((composer.draft.clone(), composer.revision()));
            if self.related.written != written {
                (self.related.written, self.related.due) = (written, Some(cx.elapsed + PAUSE));
            }
            let due = self.related.due.filter(|due| cx.elapsed < *due);
            if due.is_none() && self.related.due.take().is_some() {
                self.related.ask(composer.base.as_ref().map(|base| base.id.clone()), composer.body(), cx);
            }
            return due;
        }
        self.related.written = None;
        let Some(known) = self.entry() else {
            self.related.clear();
            return None;
        };
        self.related.ask(Some(known.entry.id), known.entry.body, cx);
        None
    }

    pub(super) fn draw_related(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        if area.is_empty() {
            return;
        }
        border(frame, Rect { width: 1, ..area }, context);
        let inside = Rect { x: area.x + 1, width: area.width - 1, ..area };
        let head = Rect { x: inside.x + 1, height: 1, width: inside.width - 1, ..inside };
        Styled::of("Related", Role::Title).paint(frame.buffer_mut(), head, context, Role::Title);
        let rest = below(inside, 2);
        let focused = self.focus == Focus::Related;
        if !self.related.lines.is_empty() {
            return self.related.lines.draw(frame, rest, context, focused);
        }
        if self.related.asked.is_none() {
            return;
        }
        let nothing = || Styled::of("Nothing related found", Role::Dim);
        let notice = notice(&self.related.query_state, context, "Searching", None).unwrap_or_else(nothing);
        let place = Rect { x: rest.x + 1, width: rest.width - 1, ..rest };
        notice.paint(frame.buffer_mut(), place, context, Role::Dim);
    }
}
