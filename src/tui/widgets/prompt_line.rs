//! A prompt line: a label, a field with completions, and a hint.

use std::ops::Range;

use jiff::Zoned;
use ratatui::{
    Frame,
    crossterm::event::KeyCode,
    layout::{Position, Rect},
    style::Style,
};

use crate::{
    extract::dates::{self, DayRange},
    search::two_readings,
    tui::{Completion, Input, Pen, RenderContext, Role, TextInput, cells},
};

/// The typed text and its completions.
#[derive(Debug, Default)]
pub struct PromptLine {
    input: Input,
    offers: Option<Completion>,
    /// Enter was pressed on a text of no use, which has not been changed since.
    pub is_refused: bool,
}

/// Texts and styles of the line.
pub struct Wording<'a> {
    /// Before the field, with a trailing space.
    pub label: &'a str,
    /// Maximum width of the field in cells. It leaves room for the hint unless the typed text needs it.
    pub width: u16,
    /// Parts of the typed text in another style.
    pub styled: &'a [(Range<usize>, Style)],
    pub hint: &'a str,
    pub role: Role,
}

impl PromptLine {
    pub fn of(text: &str) -> Self {
        Self { input: Input::of(text), ..Self::default() }
    }

    pub fn text(&self) -> &str {
        self.input.text()
    }

    /// Handles input; returns whether the text changed. Tab and the arrows move through the completions, which `find`
    /// computes.
    pub fn take(&mut self, input: &TextInput, find: impl FnOnce(&str) -> Option<Completion>) -> bool {
        if let (TextInput::Key(key), Some(offers)) = (input, &mut self.offers) {
            match key.code {
                KeyCode::Down | KeyCode::Up => {
                    offers.step(if key.code == KeyCode::Down { 1 } else { -1 });
                    return false;
                }
                KeyCode::Tab => {
                    if !offers.is_chosen() {
                        offers.step(1);
                    }
                    return self.accept();
                }
                _ => {}
            }
        }
        let changed = self.input.take(input);
        if changed {
            self.is_refused = false;
            self.offers = find(self.input.text()).map(|found| found.keep_choice(self.offers.as_ref()));
        }
        changed
    }

    /// Accepts the chosen completion; returns whether there was one.
    pub fn accept(&mut self) -> bool {
        let Some(text) = self.offers.as_ref().and_then(|offers| offers.completed(self.text())) else { return false };
        self.offers = None;
        self.input.set(&text);
        true
    }

    pub fn has_offers(&self) -> bool {
        self.offers.is_some()
    }

    /// Returns whether there were any.
    pub fn close_offers(&mut self) -> bool {
        self.offers.take().is_some()
    }

    /// The days of the typed date; a text that is none is refused.
    pub fn typed_days(&mut self, now: &Zoned) -> Option<DayRange> {
        let days = dates::range(self.text().trim(), now);
        self.is_refused |= days.is_none();
        days
    }

    pub fn draw_for_date(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let readings = || two_readings(self.text(), context.now.date());
        let unread = || "✗ not a date; try “last friday” or “2024-03”".to_owned();
        let (hint, role) = match self.is_refused {
            true => (readings().unwrap_or_else(unread), Role::Error),
            false => ("yesterday, last friday, march 2024 …".to_owned(), Role::Dim),
        };
        self.draw(frame, row, context, &Wording { label: "go to ", width: 30, styled: &[], hint: &hint, role });
    }

    /// The completions are drawn above the row.
    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>, wording: &Wording<'_>) {
        if row.is_empty() {
            return;
        }
        let mut pen = Pen::new(row.x + 1, row.y, row.width.saturating_sub(1));
        pen.say(frame, context, wording.label, Role::Accent);
        let width = field_width(row.right().saturating_sub(pen.x), wording.width, self.input.text(), wording.hint);
        let field = Rect { x: pen.x, width, ..row };
        self.input.draw(frame, field, context.style(Role::Text).underlined(), wording.styled, context.focused);
        let x = field.right() + 2;
        if x < row.right() {
            let room = row.right() - x;
            let hint = cells::truncate(wording.hint, room.into());
            Pen::new(x, row.y, room).say(frame, context, &hint, wording.role);
        }
        if let Some(offers) = &self.offers {
            let column = cells::text_width(self.input.text()).saturating_sub(offers.replaces) as u16;
            let anchor = Position::new(field.x + column.min(field.width), row.y);
            let above = Rect { height: row.y + 1, ..frame.area() };
            offers.draw(frame.buffer_mut(), anchor, above, context.theme);
        }
    }
}

/// Width of a field with a hint behind it: the wanted width, less the room that the hint needs and the typed text
/// does not.
fn field_width(room: u16, wanted: u16, typed: &str, hint: &str) -> u16 {
    const LEAST: usize = 12;
    let left = usize::from(room).saturating_sub(cells::text_width(hint) + 2);
    let needed = (cells::text_width(typed) + 2).max(LEAST);
    wanted.min(room).min(left.max(needed) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_makes_room_for_its_hint_but_not_at_the_cost_of_what_is_typed() {
        let hint = "tags; -tag takes one off";
        assert_eq!(field_width(80, 44, "", hint), 44, "there is room for both");
        assert_eq!(field_width(50, 44, "", hint), 24, "the rest is the hint's");
        assert_eq!(field_width(50, 44, "work deadline project kyoto", hint), 29, "what is typed stays in sight");
        assert_eq!(field_width(8, 44, "work", hint), 8, "never more than there is");
    }
}
