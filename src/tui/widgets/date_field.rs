//! Input line for a date in natural language.

use jiff::Zoned;
use ratatui::{Frame, layout::Rect};

use crate::{
    extract::dates::{self, DayRange},
    tui::{PromptLine, RenderContext, Role, Wording},
};

impl PromptLine {
    /// The days of the typed date; a text that is none is refused.
    pub fn typed_days(&mut self, now: &Zoned) -> Option<DayRange> {
        let days = dates::range(self.text().trim(), now);
        if days.is_none() {
            self.refuse();
        }
        days
    }

    pub fn draw_for_date(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let (hint, role) = match self.is_refused() {
            true => ("✗ not a date; try “last friday” or “2024-03”", Role::Error),
            false => ("yesterday, last friday, march 2024 …", Role::Dim),
        };
        self.draw(frame, row, context, &Wording { label: "go to ", width: 30, styled: &[], hint, role });
    }
}
