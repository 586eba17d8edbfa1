//! The input line at the bottom of the pane: a date, a filter or a time.

use jiff::Zoned;
use ratatui::{Frame, crossterm::event::KeyCode, layout::Rect};

use super::{Focus, Journal, composer::Save, fields::destination, marking::SeveralLine};
use crate::{
    journal::{Change, Entry, EntryTime},
    search::Query,
    session::Stage,
    tui::{Completion, DateField, Dated, PromptLine, RenderContext, Role, TextInput, UpdateContext, Wording, day_name},
};

/// The kind of the input line.
#[derive(Debug)]
pub enum Line {
    Date(DateField),
    Filter(FilterLine),
    Move(Box<MoveLine>),
    Several(Box<SeveralLine>),
}

impl Line {
    /// Esc: closes the completions first; returns whether there were any.
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
                // The newest day with entries in the range.
                let within = |day: &jiff::civil::Date| (first..=last).contains(day);
                let written = cx.view.days.iter().map(|line| line.day).find(within);
                self.turn_to(written.unwrap_or(first), cx);
            }
        }
    }
}

/// The query being typed.
#[derive(Debug, Default)]
pub struct FilterLine(pub PromptLine);

impl FilterLine {
    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let query = Query::parse(self.0.text(), context.now);
        let styled: Vec<_> = query.understood().into_iter().map(|span| (span, context.style(Role::Accent))).collect();
        let notice = query.notices.first();
        let plain = match self.0.has_offers() {
            true => "enter completes it; esc keeps it as typed",
            false => "a mood, #tag, @name, word, or as in mood:calm from:2026-03",
        };
        let hint = notice.map_or(plain, String::as_str);
        let role = if notice.is_some() { Role::Warn } else { Role::Dim };
        self.0.draw(frame, row, context, &Wording { label: "only ", width: 44, styled: &styled, hint, role });
    }
}

impl Journal {
    /// Starts with the shared query, because there is one query for all panes.
    pub(super) fn ask_filter(&mut self, cx: &mut UpdateContext<'_>) {
        let text = cx.query.text().trim();
        let begun = if text.is_empty() { String::new() } else { format!("{text} ") };
        self.line = Some(Line::Filter(FilterLine(PromptLine::of(&begun))));
    }

    pub(super) fn type_filter(&mut self, mut filter: FilterLine, input: &TextInput, cx: &mut UpdateContext<'_>) {
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            filter.0.take(input, |text| Completion::in_filters(text, cx.view));
            self.line = Some(Line::Filter(filter));
            return;
        }
        filter.0.accept();
        let text = filter.0.text().trim().to_owned();
        self.days.only_hits = !text.is_empty();
        self.aims = !text.is_empty();
        self.focus = Focus::Days;
        let legs = cx.query.legs();
        cx.search(text, legs);
    }

    /// Selects the nearest day that passes the filter, once it is known: an older one before a newer one.
    pub(super) fn aim(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.aims || cx.query.stage() != Some(Stage::Fused) {
            return;
        }
        self.aims = false;
        self.days.is_blank = cx.query.sure() == 0;
        let Some(day) = self.day().filter(|day| cx.query.hits_on(*day) == 0) else { return };
        let mut hits = cx.view.days.iter().map(|line| line.day).filter(|day| cx.query.hits_on(*day) > 0);
        let newer = hits.clone().take_while(|hit| *hit > day).last();
        if let Some(nearest) = hits.find(|hit| *hit < day).or(newer) {
            self.turn_to(nearest, cx);
        }
    }
}

/// A new time for an entry, being typed.
#[derive(Debug)]
pub struct MoveLine {
    base: Entry,
    asked: PromptLine,
    /// The parsed time; `None` while it is no valid date.
    to: Option<EntryTime>,
    /// Enter was pressed on an invalid date.
    fault: bool,
}

impl MoveLine {
    fn take(&mut self, input: &TextInput, now: &Zoned) {
        if self.asked.take(input, |_| None) {
            self.fault = false;
            self.to = destination(self.asked.text(), &self.base, now);
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let (hint, role) = match &self.to {
            Some(to) => (format!("→ {}", when(to)), Role::Date),
            None if self.fault => ("✗ not a time; try “yesterday 3pm” or “18 november”".to_owned(), Role::Error),
            None => ("9:15, yesterday, last friday 3pm, 2026-11-18 …".to_owned(), Role::Dim),
        };
        self.asked.draw(frame, row, context, &Wording { label: "move to ", width: 26, styled: &[], hint: &hint, role });
    }
}

impl Journal {
    pub(super) fn ask_move(&mut self, _: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            let line = MoveLine { base: known.entry, asked: PromptLine::default(), to: None, fault: false };
            self.line = Some(Line::Move(Box::new(line)));
        }
    }

    pub(super) fn type_move(&mut self, mut line: Box<MoveLine>, input: &TextInput, cx: &mut UpdateContext<'_>) {
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            line.take(input, &cx.now());
        } else if line.asked.text().trim().is_empty() {
            return;
        } else if let Some(to) = line.to.take() {
            let said = format!("Moved to {} · u undo", when(&to));
            let change = Change { time: Some(to), ..Change::default() };
            return self.send_save(Save::Edit(Box::new(line.base), change), None, &said, cx);
        } else {
            line.fault = true;
        }
        self.line = Some(Line::Move(line));
    }
}

/// "Wednesday 18 November 2026, 09:15".
pub fn when(time: &EntryTime) -> String {
    let local = time.local();
    format!("{}, {:02}:{:02}", day_name(local.date()), local.hour(), local.minute())
}

#[cfg(test)]
mod tests {
    use jiff::{civil::date, tz};

    use super::*;
    use crate::tui::fixtures::entry;

    fn moved(typed: &str) -> Option<String> {
        let zone = tz::TimeZone::fixed(tz::offset(7));
        let now = date(2026, 11, 20).at(9, 0, 0, 0).to_zoned(zone).unwrap();
        let base = entry("On the train", date(2026, 11, 18).at(15, 30, 12, 0));
        destination(typed, &base, &now).map(|time| time.written)
    }

    #[test]
    fn what_is_not_said_stays_as_it_was() {
        for (typed, to) in [
            ("9:15", "2026-11-18T09:15:00+07:00"),
            ("morning", "2026-11-18T09:00:00+07:00"),
            ("yesterday", "2026-11-19T15:30:12+07:00"),
            ("3 november", "2026-11-03T15:30:12+07:00"),
            ("2026-10-01", "2026-10-01T15:30:12+07:00"),
            ("yesterday 3pm", "2026-11-19T15:00:00+07:00"),
            ("yesterday morning", "2026-11-19T09:00:00+07:00"),
            ("2026-10-01 7:05", "2026-10-01T07:05:00+07:00"),
            ("2026-10-01T07:05:00+01:00", "2026-10-01T07:05:00+01:00"),
        ] {
            assert_eq!(moved(typed).as_deref(), Some(to), "{typed}");
        }
    }

    #[test]
    fn what_is_no_moment_moves_nothing() {
        for typed in ["", "soonish", "last week", "2026", "march 2024"] {
            assert_eq!(moved(typed), None, "{typed}");
        }
    }

    #[test]
    fn an_entry_of_a_journey_keeps_its_offset() {
        let zone = tz::TimeZone::fixed(tz::offset(7));
        let now = date(2026, 11, 20).at(9, 0, 0, 0).to_zoned(zone).unwrap();
        let mut base = entry("In Paris", date(2026, 11, 18).at(15, 30, 0, 0));
        base.time = EntryTime::parse("2026-11-18T15:30:00+01:00", now.time_zone()).unwrap();
        let to = destination("yesterday", &base, &now).unwrap();
        assert_eq!(to.written, "2026-11-19T15:30:00+01:00");
    }
}
