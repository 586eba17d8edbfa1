//! The box of overlays and menus.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, Clear},
};

use crate::tui::{Mouse, RenderContext, Role, cells, inset};

/// Minimum number of columns beside a box; with fewer it gets the whole width.
const LEAST_BESIDE: u16 = 12;

/// Clears a box of at most `width` x `height` cells (with its border) in the middle of `area` and draws its frame; for
/// a screen reader, which reads whole lines, the box is all of `area`. Returns the inner area.
pub fn popup(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    title: &str,
    width: u16,
    height: u16,
) -> Rect {
    let (width, height) = if context.settings.is_plain { (area.width, area.height) } else { (width, height) };
    let height = height.min(area.height);
    // A strip of the pane too narrow to be read would only look like dirt beside the box.
    let width = if width + LEAST_BESIDE > area.width { area.width } else { width };
    let box_area = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 3, width, height };
    framed(frame, box_area, context, title)
}

/// Whether the mouse is in a box, whose inner area is `inside`, including its frame and padding.
pub fn is_in_box(inside: Rect, mouse: Mouse) -> bool {
    let columns = inside.x.saturating_sub(2)..inside.right() + 2;
    let rows = inside.y.saturating_sub(1)..inside.bottom() + 1;
    columns.contains(&mouse.at.x) && rows.contains(&mouse.at.y)
}

/// Says on the lower edge of a box, whose inner area is `inside`, that it has more lines.
pub fn more_below(frame: &mut Frame<'_>, inside: Rect, context: &RenderContext<'_>) {
    let text = if context.settings.is_plain { " more below " } else { " ↓ more " };
    let width = cells::text_width(text) as u16;
    let place = Rect { x: inside.right().saturating_sub(width + 1), y: inside.bottom(), width, height: 1 };
    frame.render_widget(Line::styled(text, context.style(Role::Dim)), place.intersection(frame.area()));
}

pub fn framed(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, title: &str) -> Rect {
    clear(frame, area);
    let title =
        Line::from(vec![Span::raw(" "), Span::styled(title.to_owned(), context.style(Role::Title)), Span::raw(" ")]);
    let block = Block::bordered().border_style(context.style(Role::Border)).title(title);
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inset(inside, 1, 1)
}

/// Clears an area; a wide character that overlaps its left edge is removed in full.
pub fn clear(frame: &mut Frame<'_>, area: Rect) {
    let area = area.intersection(frame.area());
    if area.x > 0 {
        let buffer = frame.buffer_mut();
        for y in area.top()..area.bottom() {
            let cell = &mut buffer[(area.x - 1, y)];
            if cells::text_width(cell.symbol()) > 1 {
                cell.set_symbol(" ");
            }
        }
    }
    frame.render_widget(Clear, area);
}
