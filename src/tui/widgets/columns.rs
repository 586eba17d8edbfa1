//! Regions beside and below each other.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
};

use super::cells::Pen;
use crate::tui::{render_context::RenderContext, theme::Role};

/// Two columns with a line between them, the left one so many cells wide.
pub fn columns(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, left: u16) -> (Rect, Rect) {
    let [left, line, right] =
        Layout::horizontal([Constraint::Length(left), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    for y in line.top()..line.bottom() {
        Pen::new(line.x, y, line.width).write(frame.buffer_mut(), "│", context.style(Role::Border));
    }
    (left, right)
}

/// The area without its first `rows` rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}
