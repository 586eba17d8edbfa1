//! The line at the foot of the pane in which a date, a filter or a time is asked for.

use ratatui::{Frame, layout::Rect};

use super::{Journal, filtering::FilterLine, marking::SeveralLine, moving::MoveLine};
use crate::tui::{
    event::TextInput,
    render_context::RenderContext,
    update_context::UpdateContext,
    widgets::date_field::{DateField, Dated},
};

/// What is being asked.
#[derive(Debug)]
pub enum Line {
    Date(DateField),
    Filter(FilterLine),
    Move(Box<MoveLine>),
    Several(Box<SeveralLine>),
}

impl Line {
    /// Esc: closes the offers first; whether there were any.
    pub fn close_offers(&mut self) -> bool {
        match self {
            Self::Filter(filter) => filter.0.close_offers(),
            Self::Several(line) => line.asked.close_offers(),
            Self::Date(_) | Self::Move(_) => false,
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        match self {
            Self::Date(date) => date.draw(frame, row, context),
            Self::Filter(filter) => filter.draw(frame, row, context),
            Self::Move(line) => line.draw(frame, row, context),
            Self::Several(line) => line.draw(frame, row, context),
        }
    }
}

impl Journal {
    pub(super) fn type_line(&mut self, input: &TextInput, cx: &mut UpdateContext<'_>) {
        match self.line.take() {
            Some(Line::Date(date)) => self.type_date(date, input, cx),
            Some(Line::Filter(filter)) => self.type_filter(filter, input, cx),
            Some(Line::Move(line)) => self.type_move(line, input, cx),
            Some(Line::Several(line)) => self.type_several(line, input, cx),
            None => {}
        }
    }

    pub(super) fn ask_date(&mut self, _: &mut UpdateContext<'_>) {
        self.line = Some(Line::Date(DateField::default()));
    }

    fn type_date(&mut self, mut date: DateField, input: &TextInput, cx: &mut UpdateContext<'_>) {
        match date.take(input, &cx.now()) {
            Dated::Asking => self.line = Some(Line::Date(date)),
            Dated::Left => {}
            Dated::Range(first, last) => {
                // The newest day of the range on which something was written.
                let within = |day: &jiff::civil::Date| (first..=last).contains(day);
                let written = cx.view.days.iter().map(|line| line.day).find(within);
                self.turn_to(written.unwrap_or(first), cx);
            }
        }
    }
}
