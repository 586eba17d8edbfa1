//! The sections of the page. Each draws into an in-memory page and returns its number of rows.

use jiff::{Span, civil};
use ratatui::{buffer::Buffer, layout::Rect};

use super::found::Found;
use crate::{
    insight::stats::{MoodMonth, Stats},
    journal::EntityKind,
    tui::{Pen, RenderContext, Role, Styled, cells, counted, kind_label, widgets::blocks::level},
};

/// Width of a month in the chart of moods.
const MONTH: u16 = 5;
/// Cells before the first month.
const LEAD: u16 = 7;
const MOST_MONTHS: u16 = 24;
/// Maximum length of a bar in cells, where there is room.
const LONGEST: usize = 24;
/// Maximum width of a name, and of the numbers beside it, in cells.
const MOST_NAME: usize = 22;
const NAME_FIGURES: usize = 22;
const KIND: usize = 8;
/// Minimum width of a row with the kind of its name.
const ROOM_FOR_KIND: u16 = 44;
const WEEKDAYS: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/// An in-memory page that is filled from the top.
pub struct Column<'a, 'l> {
    pub buffer: &'a mut Buffer,
    pub area: Rect,
    pub context: &'a RenderContext<'l>,
}

impl Column<'_, '_> {
    /// Draws a row of parts, truncated at the column's edge.
    pub fn row(&mut self, parts: &[(&str, Role)]) {
        let mut pen = Pen::new(self.area.x, self.area.y, self.area.width);
        for (text, role) in parts {
            if self.area.height > 0 {
                pen.write(self.buffer, text, self.context.style(*role));
            }
        }
        self.skip(1);
    }

    pub fn flow(&mut self, text: &Styled) {
        let taken = text.paint(self.buffer, self.area, self.context, Role::Dim);
        self.skip(taken);
    }

    pub fn skip(&mut self, rows: u16) {
        let rows = rows.min(self.area.height);
        self.area.y += rows;
        self.area.height -= rows;
    }

    pub fn heading(&mut self, name: &str, more: &str) {
        if self.fits(&[name, "  ", more]) {
            return self.row(&[(name, Role::Heading), ("  ", Role::Text), (more, Role::Dim)]);
        }
        self.row(&[(name, Role::Heading)]);
        let room = usize::from(self.area.width);
        self.row(&[(&cells::truncate(more, room), Role::Dim)]);
    }

    /// Whether texts fit side by side: a truncated number would be wrong.
    fn fits(&self, texts: &[&str]) -> bool {
        texts.iter().map(|text| cells::text_width(text)).sum::<usize>() <= usize::from(self.area.width)
    }
}

/// The totals, with the streak in dim text; the results of the query above.
pub fn totals(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>, ended: Option<civil::Date>) {
    if let Some(found) = found {
        let mut text = Styled::of(&format!("/{}  ", found.query), Role::Accent);
        let entries = counted(stats.entries, "entry", "entries");
        let days = counted(stats.days, "day", "days");
        text.push(&format!("{} of {entries} · {} of {days}", found.entries, found.days), Role::Match);
        text.push(&format!(" · {}", counted(found.words as usize, "word", "words")), Role::Dim);
        if found.weak > 0 {
            text.push(&format!(" · {} weak matches not counted", found.weak), Role::Dim);
        }
        if found.more > 0 {
            text.push(&format!(" · {} more not counted", found.more), Role::Dim);
        }
        column.flow(&text);
    }
    let mut text = Styled::default();
    let entries = counted(stats.entries, "entry", "entries");
    text.push(&format!("{entries} on {}", counted(stats.days, "day", "days")), Role::Text);
    text.push(&format!(" · {}", counted(stats.words as usize, "word", "words")), Role::Text);
    if let Some(period) = stats.period {
        text.push(&format!(" · {} to {}", period.from, period.to), Role::Dim);
    }
    if stats.run.current > 1 && ended.is_none() {
        text.push(&format!(" · {} days in a row", stats.run.current), Role::Dim);
    }
    column.flow(&text);
}

/// Months up to that of `until`: the mean mood, and the number of entries with a mood.
pub fn moods(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>, until: civil::Date) {
    column.heading("Moods over time", "▁ hard … █ good, n known moods");
    if stats.moods.is_empty() {
        return column.row(&[("No known moods", Role::Dim)]);
    }
    let count = (column.area.width.saturating_sub(LEAD) / MONTH).clamp(1, MOST_MONTHS);
    let months: Vec<civil::Date> = (0..i32::from(count))
        .rev()
        .filter_map(|back| until.first_of_month().checked_sub(Span::new().months(back)).ok())
        .collect();
    let key = |month: &civil::Date| month.strftime("%Y-%m").to_string();
    let whole = |month: &civil::Date| {
        let month = key(month);
        stats.moods.iter().find(|known| known.month == month).map(|MoodMonth { n, valence, .. }| (*n, *valence))
    };
    months_row(column, "all", &months, whole);
    if let Some(found) = found {
        months_row(column, "found", &months, |month| found.months.get(&key(month)).copied());
    }
    let mut pen = Pen::new(column.area.x + LEAD, column.area.y, column.area.width.saturating_sub(LEAD));
    for (nth, month) in months.iter().enumerate() {
        let name = if month.month() == 1 || nth == 0 { month.strftime("%Y") } else { month.strftime("%b") };
        let name = cells::pad(&name.to_string(), usize::from(MONTH));
        pen.write(column.buffer, &name, column.context.style(Role::Dim));
    }
    column.skip(1);
}

/// A row of bars, and a row with the number of entries behind each.
fn months_row(
    column: &mut Column<'_, '_>,
    name: &str,
    months: &[civil::Date],
    of: impl Fn(&civil::Date) -> Option<(u32, f32)>,
) {
    let known: Vec<Option<(u32, f32)>> = months.iter().map(of).collect();
    let place = |column: &Column<'_, '_>| Pen::new(column.area.x, column.area.y, column.area.width);
    let mut pen = place(column);
    pen.write(column.buffer, &cells::pad(name, usize::from(LEAD)), column.context.style(Role::Dim));
    for month in &known {
        let (bar, role) = month.map_or((' ', Role::Dim), |(_, valence)| {
            (level((valence + 1.0) / 2.0), Role::of_valence(valence, Role::Heat))
        });
        let bar: String = std::iter::repeat_n(bar, usize::from(MONTH) - 2).chain("  ".chars()).collect();
        pen.write(column.buffer, &bar, column.context.style(role));
    }
    column.skip(1);
    let mut pen = place(column);
    pen.write(column.buffer, &cells::pad("  n", usize::from(LEAD)), column.context.style(Role::Dim));
    for month in &known {
        let n = month.map_or_else(String::new, |(n, _)| n.to_string());
        pen.write(column.buffer, &cells::pad(&n, usize::from(MONTH)), column.context.style(Role::Dim));
    }
    column.skip(1);
}

/// The most frequent moods, with their counts.
pub fn mood_counts(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>) {
    const MOST: usize = 12;
    if stats.mood_counts.is_empty() {
        return;
    }
    column.heading("Most frequent moods", "entries");
    let mut text = Styled::default();
    for mood in stats.mood_counts.iter().take(MOST) {
        let n = match found {
            Some(found) => format!(" {} of {}", found.moods.get(&mood.name).copied().unwrap_or(0), mood.n),
            None => format!(" {}", mood.n),
        };
        // A mood and its number stay on one row.
        let cells = cells::text_width(text.text()) + 3 + cells::text_width(&mood.name) + n.len();
        if !text.is_empty() && cells > usize::from(column.area.width) {
            column.flow(&std::mem::take(&mut text));
        }
        text.push(if text.is_empty() { "" } else { " · " }, Role::Dim).push(&mood.name, Role::of_mood(&mood.name));
        text.push(&n, Role::Dim);
    }
    column.flow(&text);
}

/// Entries by weekday.
pub fn weekdays(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>, week_starts: civil::Weekday) {
    column.heading("Days of the week", "entries");
    let most = stats.weekdays.iter().copied().max().unwrap_or(0).max(1);
    let start = week_starts.to_monday_zero_offset().unsigned_abs() as usize;
    let count = |day: usize| match found {
        Some(found) => format!(" {} of {}", found.weekdays[day], stats.weekdays[day]),
        None => format!(" {}", stats.weekdays[day]),
    };
    let figures = (0..7).map(|day| count(day).len()).max().unwrap_or(0);
    let longest = usize::from(column.area.width).saturating_sub(3 + figures).clamp(4, LONGEST) as u32;
    for day in (0..7).map(|nth| (start + nth) % 7) {
        let n = stats.weekdays[day];
        let (bar, rest) = bar(n, found.map(|found| found.weekdays[day]), most, longest);
        let count = count(day);
        let lead = format!("{} ", WEEKDAYS[day]);
        column.row(&[(&lead, Role::Dim), (&bar, Role::Match), (&rest, Role::Heat), (&count, Role::Dim)]);
    }
}

/// The part of a bar that the query found, and the rest of it.
fn bar(n: u32, found: Option<u32>, most: u32, longest: u32) -> (String, String) {
    let cells = |n: u32| (n * longest).div_ceil(most) as usize;
    let (whole, part) = (cells(n), cells(found.unwrap_or(0).min(n)));
    ("█".repeat(part), if found.is_some() { "░" } else { "█" }.repeat(whole.saturating_sub(part)))
}

/// Entries by hour.
pub fn hours(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>) {
    let peak = (0..24).max_by_key(|hour| (stats.hours[*hour], std::cmp::Reverse(*hour))).unwrap_or(0);
    column.heading("Hours of the day", &format!("busiest hour: {peak}:00 ({})", stats.hours[peak]));
    hours_row(column, "all", &stats.hours);
    if let Some(found) = found {
        hours_row(column, "found", &found.hours);
    }
    column.row(&[("       0     6     12    18", Role::Dim)]);
}

fn hours_row(column: &mut Column<'_, '_>, name: &str, hours: &[u32; 24]) {
    let most = hours.iter().copied().max().unwrap_or(0).max(1);
    let n = format!("  n {}", hours.iter().sum::<u32>());
    let bars: String = hours.iter().map(|n| if *n == 0 { '·' } else { level(*n as f32 / most as f32) }).collect();
    let lead = cells::pad(name, usize::from(LEAD));
    if column.fits(&[&lead, &bars, &n]) {
        return column.row(&[(&lead, Role::Dim), (&bars, Role::Heat), (&n, Role::Dim)]);
    }
    column.row(&[(&lead, Role::Dim), (&bars, Role::Heat)]);
    column.row(&[(&cells::pad("", usize::from(LEAD)), Role::Dim), (n.trim_start(), Role::Dim)]);
}

/// The kind of a name in its cells, where there is room.
fn kind_cell(column: &Column<'_, '_>, kind: EntityKind) -> String {
    if column.area.width < ROOM_FOR_KIND { String::new() } else { cells::pad(kind_label(kind).0, KIND) }
}

/// Names in the hits, compared with all entries that mention each.
pub fn found_names(column: &mut Column<'_, '_>, found: &Found) {
    column.heading("In search results", "entries of all");
    if found.names.is_empty() {
        column.row(&[("No names", Role::Dim)]);
    }
    let taken = NAME_FIGURES + kind_cell(column, EntityKind::Topic).len();
    let room = usize::from(column.area.width).saturating_sub(taken).clamp(8, MOST_NAME);
    for name in &found.names {
        let kind = kind_cell(column, name.kind);
        let counts = format!(" {:>4} of {}", name.entries, name.all);
        let shown = cells::pad(&name.name, room);
        column.row(&[(&shown, Role::of_kind(name.kind)), (" ", Role::Dim), (&kind, Role::Dim), (&counts, Role::Match)]);
    }
}

/// Names of the last 30 days, compared with the 30 days before; for a journal that ended long ago, up to its last
/// day.
pub fn names(column: &mut Column<'_, '_>, stats: &Stats, ended: Option<civil::Date>) {
    let days = ended.map_or_else(|| "The last 30 days".to_owned(), |day| format!("The 30 days up to {day}"));
    column.heading(&days, "and the 30 before");
    if stats.names.is_empty() {
        return column.row(&[("No names", Role::Dim)]);
    }
    for change in &stats.names {
        let kind = kind_cell(column, change.kind);
        let room = usize::from(column.area.width).saturating_sub(NAME_FIGURES + kind.len()).clamp(8, MOST_NAME);
        let name = cells::pad(&change.name, room);
        let (sign, role) = match change.days.cmp(&change.before) {
            std::cmp::Ordering::Greater => ("↑", Role::Accent),
            std::cmp::Ordering::Less => ("↓", Role::Dim),
            std::cmp::Ordering::Equal => ("=", Role::Dim),
        };
        let days = format!(" {:>3} {:<5}", change.days, if change.days == 1 { "day" } else { "days" });
        let before = format!(" {} before", change.before);
        column.row(&[
            (&name, Role::of_kind(change.kind)),
            (" ", Role::Dim),
            (&kind, Role::Dim),
            (&days, Role::Text),
            (sign, role),
            (&before, Role::Dim),
        ]);
    }
}
