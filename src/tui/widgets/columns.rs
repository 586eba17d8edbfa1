//! Regions side by side and one above the other.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
};

use crate::tui::{Pen, RenderContext, Role, Width};

/// Two columns with a line between them; `left`: width of the left one.
pub fn columns(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, left: u16) -> (Rect, Rect) {
    let [left, line, right] =
        Layout::horizontal([Constraint::Length(left), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    for y in line.top()..line.bottom() {
        Pen::new(line.x, y, line.width).say(frame, context, "│", Role::Border);
    }
    (left, right)
}

/// A list and the detail of its selected row: side by side, and with one column the one with the focus. The hidden
/// one has an empty area.
pub fn list_and_detail(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    list: u16,
    in_detail: bool,
) -> (Rect, Rect) {
    let nothing = Rect { width: 0, height: 0, ..area };
    match (context.width, in_detail) {
        (Width::One, true) => (nothing, area),
        (Width::One, false) => (area, nothing),
        _ => columns(frame, area, context, list),
    }
}

/// A horizontal line over the whole row.
pub fn rule(frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
    Pen::new(row.x, row.y, row.width).say(frame, context, &"─".repeat(row.width.into()), Role::Border);
}

/// The area without its last `rows` rows, and these.
pub fn split_bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let height = area.height.saturating_sub(rows);
    (Rect { height, ..area }, below(area, height))
}

/// The area without so many columns at its left and right edges.
pub fn inset(area: Rect, left: u16, right: u16) -> Rect {
    Rect { x: area.x + left.min(area.width), width: area.width.saturating_sub(left + right), ..area }
}

/// The area without its first `rows` rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}
