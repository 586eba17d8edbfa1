//! Moving an entry to another date or time, said as people say it. The vault copies before it takes away.

use jiff::{Zoned, tz};
use ratatui::{Frame, crossterm::event::KeyCode, layout::Rect};

use super::{Journal, composer::Save, fields::entry_time, line::Line};
use crate::{
    extract::dates,
    journal::{Change, Entry, EntryTime},
    tui::{
        event::TextInput,
        render_context::RenderContext,
        theme::Role,
        update_context::UpdateContext,
        widgets::{
            asked::{Asked, Wording},
            calendar::day_name,
        },
    },
};

/// What is typed, and the entry it is about.
#[derive(Debug)]
pub struct MoveLine {
    base: Entry,
    asked: Asked,
    /// When the typed text means; `None` where it is no date yet.
    to: Option<EntryTime>,
    /// Enter was pressed on what is no date.
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
            None if self.fault => ("✗ no time; try “yesterday 3pm” or “18 november”".to_owned(), Role::Error),
            None => ("9:15, yesterday, last friday 3pm, 2026-11-18 …".to_owned(), Role::Dim),
        };
        self.asked.draw(frame, row, context, &Wording { label: "move to ", width: 26, styled: &[], hint: &hint, role });
    }
}

impl Journal {
    pub(super) fn ask_move(&mut self, _: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            let line = MoveLine { base: known.entry, asked: Asked::default(), to: None, fault: false };
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

/// When a text means for an entry: a clock time alone is of the entry's own day, a day alone keeps its clock time. In the
/// zone of `now` where the entry was written with its offset, else with the entry's own.
fn destination(typed: &str, base: &Entry, now: &Zoned) -> Option<EntryTime> {
    let typed = typed.trim();
    if typed.is_empty() {
        return None;
    }
    let written = tz::Offset::from_seconds(base.time.offset_seconds).ok()?;
    let here = now.time_zone().to_offset(base.time.at) == written;
    let zone = if here { now.time_zone().clone() } else { tz::TimeZone::fixed(written) };
    let now = now.with_time_zone(zone);
    let local = base.time.local();
    // A year alone is no clock time.
    let is_day = dates::range(typed, &now).is_some();
    let own_day = || dates::moment(&format!("{} {typed}", local.date()), &now).filter(|_| !is_day);
    let own_time = || {
        let day = dates::moment(&format!("{typed} {}", local.strftime("%H:%M")), &now)?.date();
        day.to_datetime(local.time()).to_zoned(now.time_zone().clone()).ok()
    };
    // A moment written out whole needs nothing of the entry's.
    let whole = || dates::moment(typed, &now);
    own_day().or_else(own_time).or_else(whole).map(|moment| entry_time(&moment))
}

/// "Wednesday 18 November 2026, 09:15".
pub fn when(time: &EntryTime) -> String {
    let local = time.local();
    format!("{}, {:02}:{:02}", day_name(local.date()), local.hour(), local.minute())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

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
