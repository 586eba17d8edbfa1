//! Lines above the day on what the user may want to act on: drafts, proposed records, marks.

use ratatui::{Frame, layout::Rect};

use crate::tui::{Pen, RenderContext, Role, below, cells};

/// One line.
pub struct DayNotice {
    pub words: Vec<(String, Role)>,
    pub keys: &'static [DayKey],
}

/// A command, and what its key does.
pub type DayKey = (&'static str, &'static str);

/// Cells that keys with their words take.
pub fn keys_width(keys: &[DayKey], context: &RenderContext<'_>) -> usize {
    keys.iter().map(|(command, what)| cells::text_width(&context.key(command)) + what.len()).sum()
}

/// Draws the lines for which there is room; returns the area below.
pub fn draw(
    frame: &mut Frame<'_>,
    mut area: Rect,
    notices: impl IntoIterator<Item = DayNotice>,
    context: &RenderContext<'_>,
) -> Rect {
    for DayNotice { words, keys } in notices {
        if area.height <= 4 {
            break;
        }
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        words.iter().for_each(|(text, role)| pen.say(frame, context, text, *role));
        for (command, what) in keys {
            pen.say(frame, context, &context.key(command), Role::Key);
            pen.say(frame, context, what, Role::Dim);
        }
        area = below(area, 2);
    }
    area
}
