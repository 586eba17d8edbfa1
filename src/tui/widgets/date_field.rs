//! Input line for a date in natural language.

use jiff::{Zoned, civil};
use ratatui::{Frame, crossterm::event::KeyCode, layout::Rect};

use super::prompt_line::field_width;
use crate::{
    extract::dates,
    tui::{Input, Pen, RenderContext, Role, TextInput, cells},
};

/// The typed text, and whether it is no valid date.
#[derive(Debug, Default)]
pub struct DateField {
    input: Input,
    fault: bool,
}

/// Result of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dated {
    /// The field stays open.
    Asking,
    /// Enter on an empty field: cancelled.
    Left,
    /// The first and the last day of the date.
    Range(civil::Date, civil::Date),
}

impl DateField {
    pub fn take(&mut self, input: &TextInput, now: &Zoned) -> Dated {
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            if self.input.take(input) {
                self.fault = false;
            }
            return Dated::Asking;
        }
        let typed = self.input.text().trim();
        if typed.is_empty() {
            return Dated::Left;
        }
        let range = dates::range(typed, now);
        self.fault = range.is_none();
        range.map_or(Dated::Asking, |range| Dated::Range(range.first, range.last))
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, line: Rect, context: &RenderContext<'_>) {
        if line.is_empty() {
            return;
        }
        let mut pen = Pen::new(line.x + 1, line.y, line.width.saturating_sub(1));
        pen.say(frame, context, "go to ", Role::Accent);
        let (hint, role) = if self.fault {
            ("✗ not a date; try “last friday” or “2024-03”", Role::Error)
        } else {
            ("yesterday, last friday, march 2024 …", Role::Dim)
        };
        let width = field_width(line.right().saturating_sub(pen.x), 30, self.input.text(), hint);
        let field = Rect { x: pen.x, width, ..line };
        self.input.draw(frame, field, context.style(Role::Text).underlined(), &[], context.focused);
        let x = field.right() + 2;
        if x < line.right() {
            let room = line.right() - x;
            Pen::new(x, line.y, room).say(frame, context, &cells::truncate(hint, room.into()), role);
        }
    }
}
