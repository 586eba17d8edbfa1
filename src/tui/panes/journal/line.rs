//! The input line at the bottom of the pane: a date, a filter, a new time, tags or a file.

use ratatui::{Frame, layout::Rect};

use super::{Focus, Journal, marking::tagged};
use crate::{
    journal::{Change, Entry, EntryTime},
    search::Query,
    session::{EntryOperation, FileContent, Request, Stage},
    tui::{
        Completion, PromptLine, RenderContext, Role, TextInput, UpdateContext, Wording,
        composer::{Save, fields::destination},
        counted, day_name,
    },
};

/// What is asked for, and the typed text.
#[derive(Debug)]
pub struct Line {
    pub asked: Asked,
    pub prompt: PromptLine,
}

#[derive(Debug)]
pub enum Asked {
    /// A day to go to.
    Date,
    /// A query that the days must pass.
    Filter,
    /// A new time for an entry.
    Move(Box<Entry>),
    /// Tags to add to entries, or with a dash to remove.
    Tag(Vec<Entry>),
    /// A file to export entries to.
    Export(Vec<Entry>),
}

impl Line {
    pub fn new(asked: Asked, text: &str) -> Self {
        Self { asked, prompt: PromptLine::of(text) }
    }

    fn take(&mut self, input: &TextInput, cx: &UpdateContext<'_>) {
        let asked = &self.asked;
        self.prompt.take(input, |text| match asked {
            Asked::Filter => Completion::in_filters(text, cx.view),
            Asked::Tag(_) => Completion::in_tags(text, cx.view),
            Asked::Date | Asked::Move(_) | Asked::Export(_) => None,
        });
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let mut styled = Vec::new();
        let of = |entries: &[Entry]| counted(entries.len(), "entry", "entries");
        let (label, width, hint, role) = match &self.asked {
            Asked::Date => return self.prompt.draw_for_date(frame, row, context),
            Asked::Filter => {
                let mut query = Query::parse(self.prompt.text(), context.now);
                styled.extend(query.understood().into_iter().map(|span| (span, context.style(Role::Accent))));
                let plain = match self.prompt.has_offers() {
                    true => "enter completes it; esc keeps it as typed",
                    false => "a mood, #tag, @name, word, or as in mood:calm from:2026-03",
                };
                let (hint, role) = match query.notices.drain(..).next() {
                    Some(notice) => (notice, Role::Warn),
                    None => (plain.to_owned(), Role::Dim),
                };
                ("only ".to_owned(), 44, hint, role)
            }
            Asked::Move(base) => {
                let (hint, role) = match destination(self.prompt.text(), base, context.now) {
                    Some(to) => (format!("→ {}", when(&to)), Role::Date),
                    None if self.prompt.is_refused => {
                        ("✗ not a time; try “yesterday 3pm” or “18 november”".to_owned(), Role::Error)
                    }
                    None => ("9:15, yesterday, last friday 3pm, 2026-11-18 …".to_owned(), Role::Dim),
                };
                ("move to ".to_owned(), 26, hint, role)
            }
            Asked::Tag(entries) => {
                (format!("tag {} ", of(entries)), 40, "tags; -tag removes one".to_owned(), Role::Dim)
            }
            Asked::Export(entries) => {
                (format!("export {} to ", of(entries)), 40, "new file name".to_owned(), Role::Dim)
            }
        };
        self.prompt.draw(frame, row, context, &Wording { label: &label, width, styled: &styled, hint: &hint, role });
    }
}

impl Journal {
    pub(super) fn ask_date(&mut self, _: &mut UpdateContext<'_>) {
        self.line = Some(Line::new(Asked::Date, ""));
    }

    /// Starts with the shared query, because there is one query for all panes.
    pub(super) fn ask_filter(&mut self, cx: &mut UpdateContext<'_>) {
        let text = cx.query.text().trim();
        let begun = if text.is_empty() { String::new() } else { format!("{text} ") };
        self.line = Some(Line::new(Asked::Filter, &begun));
    }

    pub(super) fn ask_move(&mut self, _: &mut UpdateContext<'_>) {
        self.line = self.entry().map(|known| Line::new(Asked::Move(Box::new(known.entry)), ""));
    }

    pub(super) fn ask_tags(&mut self, _: &mut UpdateContext<'_>) {
        self.line = Some(Line::new(Asked::Tag(self.meant()), ""));
    }

    pub(super) fn ask_export(&mut self, cx: &mut UpdateContext<'_>) {
        let name = self.day().map_or_else(|| "kioku.md".to_owned(), |day| format!("kioku-{day}.md"));
        self.line = Some(Line::new(Asked::Export(self.meant()), &cx.settings.export_path(&name)));
    }

    pub(super) fn type_line(&mut self, input: &TextInput, cx: &mut UpdateContext<'_>) {
        let Some(mut line) = self.line.take() else { return };
        if !input.is_enter() {
            line.take(input, cx);
            self.line = Some(line);
        } else if !self.finish_line(&mut line, cx) {
            self.line = Some(line);
        }
    }

    /// Enter; returns whether the line is done.
    fn finish_line(&mut self, line: &mut Line, cx: &mut UpdateContext<'_>) -> bool {
        line.prompt.accept();
        let text = line.prompt.text().trim().to_owned();
        match &line.asked {
            Asked::Filter => {
                self.days.only_hits = !text.is_empty();
                self.aims = !text.is_empty();
                self.focus = Focus::Days;
                let legs = cx.query.legs();
                cx.search(text, legs);
            }
            _ if text.is_empty() => {}
            Asked::Date => {
                let Some(days) = line.prompt.typed_days(&cx.now()) else { return false };
                // The newest day with entries in the range.
                let mut written = cx.view.days.iter().map(|line| line.day);
                let newest = written.find(|day| (days.first..=days.last).contains(day));
                self.turn_to(newest.unwrap_or(days.first), cx);
            }
            Asked::Move(base) => {
                let Some(to) = destination(&text, base, &cx.now()) else {
                    line.prompt.is_refused = true;
                    return false;
                };
                let said = format!("Moved to {} · u undo", when(&to));
                let change = Change { time: Some(to), ..Change::default() };
                self.send_save(Save::Edit(base.clone(), change), None, &said, cx);
            }
            Asked::Tag(entries) => {
                let operations = entries.iter().map(|base| {
                    let tags = Some(tagged(&base.tags, &text));
                    EntryOperation::Edit { base: base.clone(), change: Change { tags, ..Change::default() } }
                });
                self.several = Some(cx.send(Request::Several(operations.collect())));
            }
            Asked::Export(entries) => {
                // The line closes once the file is written.
                let content = FileContent::Entries(entries.clone());
                let path = cx.settings.export_path(&text);
                self.exporting = Some(cx.send(Request::WriteFile { path, content }));
                return false;
            }
        }
        true
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

/// "Wednesday 18 November 2026, 09:15".
fn when(time: &EntryTime) -> String {
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
