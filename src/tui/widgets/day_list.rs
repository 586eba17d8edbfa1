//! List of days grouped by month: weekday, a mark for the mood, a bar for the number of words, and the first words.

use std::collections::HashMap;

use jiff::civil;
use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    blocks,
    calendar::{month_name, weekday_name},
};
use crate::{
    session::DayLine,
    tui::{List, Pen, Role, Theme, cells, counted},
};

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub day: civil::Date,
    /// `None` for a selected day without entries.
    pub line: Option<&'a DayLine>,
    /// Number of the day's entries in the query's hits.
    pub hits: usize,
    /// The first words of the day, once they are read.
    pub opening: Option<&'a str>,
}

/// The list to draw. The selected row is that of `list`.
pub struct DayList<'a> {
    pub rows: &'a [Row<'a>],
    /// There is a query, so hits are counted.
    pub searching: bool,
    /// The list has the focus.
    pub focused: bool,
}

impl DayList<'_> {
    /// Number of lines of a row: one, and one more above the first of a month.
    fn height(&self, row: usize) -> usize {
        let month = |row: usize| (self.rows[row].day.year(), self.rows[row].day.month());
        if row == 0 || month(row) != month(row - 1) { 2 } else { 1 }
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect, list: &mut List, theme: &Theme) {
        list.set_len(self.rows.len());
        list.draw(
            area,
            |nth| self.height(nth),
            |nth, place, selected| {
                let month = self.height(nth) as u16 - 1;
                if month > 0 {
                    let mut pen = Pen::new(place.x + 1, place.y, place.width.saturating_sub(1));
                    pen.write(buffer, &month_name(self.rows[nth].day), theme.style(Role::Dim));
                }
                if place.height > month {
                    self.draw_row(buffer, Rect { y: place.y + month, height: 1, ..place }, nth, selected, theme);
                }
            },
        );
    }

    fn draw_row(&self, buffer: &mut Buffer, area: Rect, nth: usize, selected: bool, theme: &Theme) {
        let row = &self.rows[nth];
        let base = if selected && self.focused { theme.style(Role::Selected) } else { Style::new() };
        let style = |role: Role| theme.style(role).patch(base);
        let mut pen = Pen::new(area.x, area.y, area.width);
        if selected && self.focused {
            pen.blank(buffer, area.right(), base);
        }
        pen.write(buffer, if selected { "▌" } else { " " }, style(Role::Marker));
        let name = format!("{} {:>2}  ", &weekday_name(row.day)[..2], row.day.day());
        pen.write(buffer, &name, style(if row.line.is_some() { Role::Text } else { Role::Dim }));
        let Some(line) = row.line else {
            pen.write(buffer, "nothing yet", style(Role::Dim));
            return;
        };
        if line.words.is_empty() && line.records > 0 {
            let hits = if self.searching && row.hits > 0 { format!("  •{}", row.hits) } else { String::new() };
            let records = format!("{}{hits}", counted(line.records, "record", "records"));
            pen.write(buffer, &records, style(Role::Dim));
            return;
        }
        let mood = frequent(&line.moods);
        let role = mood.map_or(Role::Dim, Role::of_mood);
        let sign = mood.map_or(' ', |_| role.sign());
        pen.write(buffer, &sign.to_string(), style(role));
        let words = line.words.iter().sum();
        let bar = if words == 0 { ' ' } else { bar(words) };
        pen.write(buffer, &format!(" {bar} "), style(Role::Heat));
        if self.searching && row.hits > 0 {
            pen.write(buffer, &format!("•{} ", row.hits), style(Role::Match));
        } else if line.words.len() > 1 {
            pen.write(buffer, &format!("{} · ", line.words.len()), style(Role::Dim));
        }
        let room = usize::from(pen.right.saturating_sub(pen.x));
        match (row.opening, mood) {
            (Some(words), _) => pen.write(buffer, &cells::truncate(words, room), style(Role::Text)),
            (None, Some(mood)) => pen.write(buffer, &cells::truncate(mood, room), style(role)),
            (None, None) => {}
        }
    }
}

/// A bar for a number of words, on a logarithmic scale so that a line and an essay are both visible.
pub fn bar(words: u32) -> char {
    const STEPS: [u32; 7] = [12, 25, 50, 100, 200, 400, 800];
    blocks::step(STEPS.iter().filter(|step| words >= **step).count())
}

/// The most frequent mood; the later one if two are equally frequent.
pub fn frequent(moods: &[String]) -> Option<&str> {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (nth, mood) in moods.iter().enumerate() {
        let count = counts.entry(mood).or_default();
        *count = (count.0 + 1, nth);
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(mood, _)| mood)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::tui::event::{Mouse, MouseKind};

    fn line(day: civil::Date, words: &[u32], moods: &[&str]) -> DayLine {
        DayLine { day, words: words.to_vec(), moods: moods.iter().map(|mood| (*mood).to_owned()).collect(), records: 0 }
    }

    #[test]
    fn days_are_grouped_by_month_and_a_click_finds_its_day() {
        let lines = [
            line(date(2026, 11, 20), &[900, 30, 120], &["calm", "stressed", "stressed"]),
            line(date(2026, 11, 19), &[200; 7], &["calm"]),
            line(date(2026, 10, 31), &[3], &[]),
        ];
        let mut rows = vec![Row { day: date(2026, 11, 21), line: None, hits: 0, opening: None }];
        rows.extend(lines.iter().map(|line| Row {
            day: line.day,
            line: Some(line),
            hits: 0,
            opening: (line.day.day() == 20).then_some("Slept well for once; walked along the river."),
        }));
        let list = DayList { rows: &rows, searching: false, focused: true };
        let mut state = List::default();
        state.select(1);
        let area = Rect::new(0, 0, 29, 7);
        let mut buffer = Buffer::empty(area);
        list.draw(&mut buffer, area, &mut state, &Theme::default());
        let rows: Vec<String> = (0..7).map(|y| (0..29).map(|x| buffer[(x, y)].symbol()).collect::<String>()).collect();
        insta::assert_snapshot!(rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n"), @"
         November 2026
         Sa 21  nothing yet
        ▌Fr 20  − █ 3 · Slept well f…
         Th 19  + █ 7 · calm
         October 2026
         Sa 31    ▁
        ");
        let row_at = |row| state.row_at(Mouse { kind: MouseKind::Click, at: (1, row).into() });
        assert_eq!(row_at(2), Some(1));
        assert_eq!(row_at(4), Some(3), "a month's name belongs to its first day");
        assert_eq!(row_at(6), None);
    }

    #[test]
    fn the_later_of_equally_frequent_moods_is_shown() {
        let moods = ["calm", "sad", "calm", "sad"].map(str::to_owned);
        assert_eq!(frequent(&moods), Some("sad"));
        assert_eq!(frequent(&[]), None);
    }
}
