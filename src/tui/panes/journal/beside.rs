//! Layout and commands of the column of related entries.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::{Focus, Journal};
use crate::tui::{RenderContext, Role, Screen as _, Styled, UpdateContext, below, columns, notice, rule};

/// Minimum width of the pane for the column beside days and text.
const ROOM: u16 = 156;
/// Width of the column.
const WIDTH: u16 = 36;
/// Minimum height of the pane for the list below a form, on a screen that is too narrow for the column.
const ROOM_BELOW: u16 = 20;
/// Below this height there is no gap under the title.
const LOW: u16 = 12;
/// Delay between the last typed key and the request.
const PAUSE: Duration = Duration::from_millis(700);

impl Journal {
    /// Draws the column, or the list below a form, where it is shown; returns the rest.
    pub(super) fn split_related(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        self.related.area = Rect::default();
        let writing = self.composer.is_some();
        let is_on = if writing { self.related.while_writing } else { !self.related.hidden };
        if !is_on || self.wants_screen() {
            return area;
        }
        if area.width >= ROOM && !context.settings.is_plain {
            let (rest, column) = columns(frame, area, context, area.width - WIDTH);
            self.draw_related(frame, column, context);
            return rest;
        }
        if writing && area.height >= ROOM_BELOW {
            let list = below(area, area.height - area.height / 3);
            rule(frame, Rect { height: 1, ..list }, context);
            self.draw_related(frame, below(list, 1), context);
            return Rect { height: area.height - list.height, ..area };
        }
        area
    }

    pub(super) fn shows_related(&self) -> bool {
        self.is_reading() && !self.related.area.is_empty() && !self.related.lines.is_empty()
    }

    pub(super) fn in_related(&self) -> bool {
        self.is_reading() && self.focus == Focus::Related
    }

    pub(super) fn toggle_related(&mut self, cx: &mut UpdateContext<'_>) {
        let (width, height) = self.size;
        if self.composer.is_some() {
            self.related.while_writing = !self.related.while_writing;
            if self.related.while_writing && width < ROOM && height < ROOM_BELOW {
                cx.done(format!("Related entries need {} rows while you write", ROOM_BELOW + 2));
            }
        } else if width >= ROOM {
            self.related.hidden = !self.related.hidden;
            if self.in_related() {
                self.focus = Focus::Text;
            }
        } else if self.has_entry() {
            self.focus = if self.in_related() { Focus::Text } else { Focus::Related };
        } else {
            cx.done("No entry here to find related ones for");
        }
    }

    /// Requests what is related to the focused entry, or after a pause in typing to the text being written. Returns
    /// the time of the next request.
    pub(super) fn ask_related(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if (self.related.area.is_empty() && !self.in_related()) || !cx.in_front || cx.view.snapshot.is_none() {
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
        self.related.area = area;
        if area.height < 2 || area.width < 2 {
            return;
        }
        let head = Rect { x: area.x + 1, height: 1, width: area.width - 1, ..area };
        Styled::of("Related", Role::Title).paint(frame.buffer_mut(), head, context, Role::Title);
        let rest = below(area, if area.height < LOW { 1 } else { 2 });
        let focused = self.focus == Focus::Related;
        if !self.related.lines.is_empty() {
            return self.related.lines.draw(frame, rest, context, focused);
        }
        let nothing = || Styled::of("Nothing related found", Role::Dim);
        let notice = match self.related.asked {
            Some(_) => notice(&self.related.query_state, context, "Searching", None).unwrap_or_else(nothing),
            // The entry has too few words.
            None if focused => nothing(),
            None => return,
        };
        let place = Rect { x: rest.x + 1, width: rest.width - 1, ..rest };
        notice.paint(frame.buffer_mut(), place, context, Role::Dim);
    }
}
