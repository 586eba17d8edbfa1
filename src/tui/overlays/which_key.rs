//! Which-key pop-up: the keys that may follow the pressed ones.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::{Key, RenderContext, Role, cells};

/// Draws the box at the bottom right of `area`.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    pressed: &str,
    next: &[(Key, &'static str)],
) {
    let widest = next.iter().map(|(_, help)| cells::text_width(help)).max().unwrap_or(0) as u16;
    let (wide, high) = ((widest + 12).min(area.width), (next.len() as u16 + 2).min(area.height));
    let beside = Rect { x: area.right() - wide, y: area.bottom() - high, width: wide, height: high };
    let place = if context.settings.is_plain { area } else { beside };
    let inside = super::framed(frame, place, context, pressed);
    for (nth, (key, help)) in next.iter().take(usize::from(inside.height)).enumerate() {
        let line = Line::from(vec![
            Span::styled(cells::pad(&key.to_string(), 6), context.style(Role::Key)),
            Span::raw(" "),
            Span::raw(cells::truncate(help, usize::from(inside.width).saturating_sub(7))),
        ]);
        frame.render_widget(line, Rect { y: inside.y + nth as u16, height: 1, ..inside });
    }
}
