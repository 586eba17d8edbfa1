//! List of days grouped by month: weekday, a bar per entry for its words, number of entries, and the most frequent
//! mood.

use std::collections::HashMap;

use jiff::civil;
use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    blocks,
    calendar::{month_name, weekday_name},
};
use crate::{
    report::counted,
    session::DayLine,
    tui::{List, Pen, Role, cells},
};

/// Maximum number of bars; a day with more entries ends in `+`.
const MOST_BARS: usize = 5;

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub day: civil::Date,
    /// `None` for a selected day without entries.
    pub line: Option<&'a DayLine>,
    /// Number of the day's entries in the query's hits.
    pub hits: usize,
}

/// The list to draw. The selected row is that of `list`.
pub struct DayList<'a> {
    pub rows: &'a [Row<'a>],
    /// There is a query, so hits are counted.
    pub searching: bool,
    /// The list has the focus.
    pub focused: bool,
    /// The role of a mood word.
    pub mood: &'a dyn Fn(&str) -> Role,
}

impl DayList<'_> {
    /// Number of lines of a row: one, and one more above the first of a month.
    fn height(&self, row: usize) -> usize {
        let month = |row: usize| (self.rows[row].day.year(), self.rows[row].day.month());
        if row == 0 || month(row) != month(row - 1) { 2 } else { 1 }
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect, list: &mut List, context: &dyn Fn(Role) -> Style) {
        list.set_len(self.rows.len());
        list.draw(
            area,
            |nth| self.height(nth),
            |nth, place, selected| {
                let month = self.height(nth) as u16 - 1;
                if month > 0 {
                    let name = month_name(self.rows[nth].day);
                    Pen::new(place.x + 1, place.y, place.width.saturating_sub(1)).write(
                        buffer,
                        &name,
                        context(Role::Dim),
                    );
                }
                if place.height > month {
                    self.draw_row(buffer, Rect { y: place.y + month, height: 1, ..place }, nth, selected, context);
                }
            },
        );
    }

    fn draw_row(&self, buffer: &mut Buffer, area: Rect, nth: usize, selected: bool, context: &dyn Fn(Role) -> Style) {
        let row = &self.rows[nth];
        let base = if selected && self.focused { context(Role::Selected) } else { Style::new() };
        let style = |role: Role| context(role).patch(base);
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
        let bars: String = line.words.iter().take(MOST_BARS).map(|words| bar(*words)).collect();
        let more = if line.words.len() > MOST_BARS { "+" } else { "" };
        pen.write(
            buffer,
            &format!("{bars}{more}{}", " ".repeat(MOST_BARS + 1 - bars.chars().count() - more.len())),
            style(Role::Heat),
        );
        let count = if line.words.is_empty() { String::new() } else { line.words.len().to_string() };
        if self.searching && row.hits > 0 {
            pen.write(buffer, &format!("{:>3}", format!("•{}", row.hits)), style(Role::Match));
        } else {
            pen.write(buffer, &format!("{count:>3}"), style(Role::Dim));
        }
        self.draw_moods(buffer, &mut pen, &line.moods, &style);
    }

    /// Draws the most frequent mood, and where there is room the others after it.
    fn draw_moods(&self, buffer: &mut Buffer, pen: &mut Pen, moods: &[String], style: &dyn Fn(Role) -> Style) {
        let Some(most) = frequent(moods) else { return };
        let mut shown = vec![most];
        shown.extend(moods.iter().map(String::as_str));
        for (nth, mood) in shown.iter().enumerate().filter(|(nth, mood)| !shown[..*nth].contains(mood)) {
            let room = usize::from(pen.right.saturating_sub(pen.x)).saturating_sub(2);
            if nth > 0 && cells::text_width(mood) > room {
                return;
            }
            pen.write(buffer, "  ", style(Role::Dim));
            pen.write(buffer, &cells::truncate(mood, room), style((self.mood)(mood)));
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
        let mut rows = vec![Row { day: date(2026, 11, 21), line: None, hits: 0 }];
        rows.extend(lines.iter().map(|line| Row { day: line.day, line: Some(line), hits: 0 }));
        let list = DayList { rows: &rows, searching: false, focused: true, mood: &|_| Role::Mood };
        let mut state = List::default();
        state.select(1);
        let area = Rect::new(0, 0, 29, 7);
        let mut buffer = Buffer::empty(area);
        list.draw(&mut buffer, area, &mut state, &|_| Style::new());
        let rows: Vec<String> = (0..7).map(|y| (0..29).map(|x| buffer[(x, y)].symbol()).collect::<String>()).collect();
        insta::assert_snapshot!(rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n"), @"
         November 2026
         Sa 21  nothing yet
        ▌Fr 20  █▃▅     3  stressed
         Th 19  ▆▆▆▆▆+  7  calm
         October 2026
         Sa 31  ▁       1
        ");
        let row_at = |row| state.row_at(Mouse { kind: MouseKind::Click, column: 1, row });
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
