//! Input line for a date in natural language.

use jiff::{Zoned, civil};
use ratatui::{Frame, crossterm::event::KeyCode, layout::Rect};

use crate::{
    extract::dates,
    tui::{PromptLine, RenderContext, Role, TextInput, Wording},
};

/// The typed text, and whether it is no valid date.
#[derive(Debug, Default)]
pub struct DateField {
    asked: PromptLine,
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
            if self.asked.take(input, |_| None) {
                self.fault = false;
            }
            return Dated::Asking;
        }
        let typed = self.asked.text().trim();
        if typed.is_empty() {
            return Dated::Left;
        }
        let range = dates::range(typed, now);
        self.fault = range.is_none();
        range.map_or(Dated::Asking, |range| Dated::Range(range.first, range.last))
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, line: Rect, context: &RenderContext<'_>) {
        let (hint, role) = if self.fault {
            ("✗ not a date; try “last friday” or “2024-03”", Role::Error)
        } else {
            ("yesterday, last friday, march 2024 …", Role::Dim)
        };
        self.asked.draw(frame, line, context, &Wording { label: "go to ", width: 30, styled: &[], hint, role });
    }
}
