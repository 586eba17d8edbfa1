//! The sections of the page. Each draws into an in-memory page and returns its number of rows.

use jiff::{Span, civil};
use ratatui::{buffer::Buffer, layout::Rect};

use super::found::Found;
use crate::{
    insight::stats::{Change, Stats},
    journal::EntityKind,
    tui::{
        Pen, RenderContext, Role, Styled, cells, counted, kind_label,
        widgets::blocks::{in_row, level},
    },
};

/// Cells before the first bar.
pub(super) const LEAD: u16 = 7;
/// Rows of the chart of words a day.
const WORD_ROWS: usize = 3;
const MOST_DAYS: u16 = 120;
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

    /// Draws a row of a chart: a label, and the parts from the first bar on.
    pub fn chart_row(&mut self, label: &str, parts: impl IntoIterator<Item = (String, Role)>) {
        let parts: Vec<(String, Role)> = parts.into_iter().collect();
        let parts = parts.iter().map(|(text, role)| (text.as_str(), *role));
        let label = cells::pad(label, usize::from(LEAD));
        self.row(&std::iter::once((label.as_str(), Role::Dim)).chain(parts).collect::<Vec<_>>());
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
    pub fn fits(&self, texts: &[&str]) -> bool {
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
            text.push(&format!(" · {} weaker matches not counted", found.weak), Role::Dim);
        }
        if found.more > 0 {
            text.push(&format!(" · {} more not counted", found.more), Role::Dim);
        }
        column.flow(&text);
    }
    let mut text = Styled::of("All  ", Role::Heading);
    let entries = counted(stats.entries, "entry", "entries");
    text.push(&format!("{entries} on {}", counted(stats.days, "day", "days")), Role::Text);
    text.push(&format!(" · {}", counted(stats.words as usize, "word", "words")), Role::Text);
    if let Some(period) = stats.period {
        text.push(&format!(" · {} to {}", period.from, period.to), Role::Dim);
    }
    if stats.run.current > 1 && ended.is_none() {
        text.push(&format!(" · {} days in a row", stats.run.current), Role::Dim);
    }
    if stats.run.longest > 1 {
        text.push(&format!(" · longest {} days", stats.run.longest), Role::Dim);
    }
    column.flow(&text);
}

/// The most frequent moods, with their counts.
pub fn mood_counts(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>) {
    const MOST: usize = 12;
    if stats.mood_counts.is_empty() {
        return;
    }
    column.heading("Most frequent moods", "as given in all entries");
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

/// Words of the last days, a column a day.
pub fn words(column: &mut Column<'_, '_>, until: civil::Date) {
    let days = i32::from(column.area.width.saturating_sub(LEAD).min(MOST_DAYS));
    let since = until.saturating_sub(Span::new().days(days - 1));
    let mut words = vec![0; days as usize];
    for line in column.context.view.days.iter().filter(|line| (since..=until).contains(&line.day)) {
        if let Ok(nth) = usize::try_from((line.day - since).get_days()) {
            words[nth] = line.words.iter().sum();
        }
    }
    let most = words.iter().copied().max().unwrap_or(0).max(1);
    let written = words.iter().filter(|words| **words > 0).count().max(1) as u32;
    let mean = words.iter().sum::<u32>() / written;
    column.heading("Words a day", &format!("last {days} days, mean {mean} where written, most {most}"));
    let eighths: Vec<usize> = words.iter().map(|n| (*n as usize * WORD_ROWS * 8).div_ceil(most as usize)).collect();
    for row in (0..WORD_ROWS).rev() {
        let cell = |eighths: &usize| in_row(*eighths, row).unwrap_or(if row == 0 { '·' } else { ' ' });
        column.chart_row("", [(eighths.iter().map(cell).collect(), Role::Heat)]);
    }
}

/// Entries by weekday and hour, in steps.
pub fn week(column: &mut Column<'_, '_>, stats: &Stats, week_starts: civil::Weekday) {
    let peak = (0..24).max_by_key(|hour| (stats.hours[*hour], std::cmp::Reverse(*hour))).unwrap_or(0);
    column.heading("Week", &format!("all entries by hour, busiest: {peak}:00 ({})", stats.hours[peak]));
    let cells = if column.area.width >= LEAD + 2 * 24 + 6 { 2 } else { 1 };
    let most = stats.week.iter().flatten().copied().max().unwrap_or(0).max(1);
    let start = week_starts.to_monday_zero_offset().unsigned_abs() as usize;
    for day in (0..7).map(|nth| (start + nth) % 7) {
        let squares = stats.week[day].into_iter().map(|n| {
            let (glyph, role) = Role::of_heat((n as usize * 4).div_ceil(most as usize));
            (std::iter::repeat_n(glyph, cells).collect(), role)
        });
        column.chart_row(WEEKDAYS[day], squares.chain([(format!(" {:>4}", stats.weekdays[day]), Role::Dim)]));
    }
    let hours = [0, 6, 12, 18].map(|hour| cells::pad(&hour.to_string(), 6 * cells));
    column.chart_row("", hours.map(|hour| (hour, Role::Dim)));
}

/// Entries by weekday.
pub fn weekdays(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>, week_starts: civil::Weekday) {
    column.heading("Days of the week", "of all entries");
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

/// Cells of a name, beside its kind and its numbers.
fn name_room(column: &Column<'_, '_>) -> usize {
    let taken = NAME_FIGURES + kind_cell(column, EntityKind::Topic).len();
    usize::from(column.area.width).saturating_sub(taken).clamp(8, MOST_NAME)
}

/// Names in the hits, compared with all entries that mention each.
pub fn found_names(column: &mut Column<'_, '_>, found: &Found) {
    column.heading("In search results", "entries of all");
    if found.names.is_empty() {
        column.row(&[("No names", Role::Dim)]);
    }
    let room = name_room(column);
    for name in &found.names {
        let kind = kind_cell(column, name.kind);
        let counts = format!(" {:>4} of {}", name.entries, name.all);
        let shown = cells::pad(&name.name, room);
        column.row(&[(&shown, Role::of_kind(name.kind)), (" ", Role::Dim), (&kind, Role::Dim), (&counts, Role::Match)]);
    }
}

/// People, then other names, of the last 30 days, compared with the 30 days before; for a journal that ended long ago, up
/// to its last day.
pub fn names(column: &mut Column<'_, '_>, stats: &Stats, ended: Option<civil::Date>) {
    let days = ended.map_or_else(|| "the last 30 days".to_owned(), |day| format!("the 30 days up to {day}"));
    if stats.names.is_empty() {
        column.heading("Names", &days);
        return column.row(&[("No names", Role::Dim)]);
    }
    let (people, others): (Vec<&Change>, Vec<&Change>) =
        stats.names.iter().partition(|change| change.kind == EntityKind::Person);
    for (nth, (title, names)) in [("People", people), ("Topics, places and events", others)].into_iter().enumerate() {
        if names.is_empty() {
            continue;
        }
        if nth > 0 {
            column.skip(1);
        }
        column.heading(title, &format!("{days}, and the 30 before"));
        for change in names {
            name_row(column, change);
        }
    }
}

fn name_row(column: &mut Column<'_, '_>, change: &Change) {
    let kind = if change.kind == EntityKind::Person { String::new() } else { kind_cell(column, change.kind) };
    let name = cells::pad(&change.name, name_room(column));
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
