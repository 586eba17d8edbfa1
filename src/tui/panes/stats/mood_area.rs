//! Area chart of moods by month, with the number of entries behind each month.

use jiff::{Span, civil};

use super::{
    charts::{Column, LEAD},
    found::Found,
};
use crate::{
    insight::stats::Stats,
    tui::{Role, cells, counted, widgets::blocks::in_row},
};

/// Width of a month.
const MONTH: u16 = 4;
const MOST_MONTHS: u16 = 24;
/// Height of the area.
const ROWS: usize = 4;

/// Months up to that of `until`. The area is filled from the hardest mood up to the mean of the month.
pub fn draw(column: &mut Column<'_, '_>, stats: &Stats, found: Option<&Found>, until: civil::Date) {
    column.heading("Moods by month", "n: entries with a known mood");
    if stats.moods.is_empty() {
        return column.row(&[("No moods given", Role::Dim)]);
    }
    let count = (column.area.width.saturating_sub(LEAD) / MONTH).clamp(1, MOST_MONTHS);
    let months: Vec<civil::Date> = (0..i32::from(count))
        .rev()
        .filter_map(|back| until.first_of_month().checked_sub(Span::new().months(back)).ok())
        .collect();
    let key = |month: &civil::Date| month.strftime("%Y-%m").to_string();
    let all = |month: &civil::Date| {
        let month = key(month);
        stats.moods.iter().find(|known| known.month == month).map(|known| (known.n, known.valence))
    };
    if column.context.settings.is_plain {
        for (month, (n, valence)) in months.iter().rev().filter_map(|month| Some((month, all(month)?))) {
            let word = match Role::of_valence(valence, Role::Mood) {
                Role::Good => "good",
                Role::Low => "hard",
                _ => "between",
            };
            let entries = counted(n as usize, "entry", "entries");
            column.row(&[(&format!("{}  {word}  {entries}", month.strftime("%B %Y")), Role::Text)]);
        }
        return;
    }
    area(column, &months.iter().map(all).collect::<Vec<_>>());
    if let Some(found) = found {
        column.row(&[("found", Role::Match)]);
        area(column, &months.iter().map(|month| found.months.get(&key(month)).copied()).collect::<Vec<_>>());
    }
    let names = months.iter().enumerate().map(|(nth, month)| {
        let name = if month.month() == 1 || nth == 0 { month.strftime("’%y") } else { month.strftime("%b") };
        (cells::pad(&name.to_string(), usize::from(MONTH)), Role::Dim)
    });
    column.chart_row("", names);
}

/// The rows of the area, and a row with the number of entries of each month.
fn area(column: &mut Column<'_, '_>, months: &[Option<(u32, f32)>]) {
    for row in (0..ROWS).rev() {
        let label = match row {
            0 => "hard",
            row if row == ROWS - 1 => "good",
            _ => "",
        };
        let months = months.iter().map(|month| {
            let (glyph, role) = month.map_or((' ', Role::Dim), |(_, valence)| {
                let eighths = ((valence.clamp(-1.0, 1.0) + 1.0) / 2.0 * (ROWS * 8) as f32).round().max(1.0) as usize;
                let glyph = in_row(eighths, row).unwrap_or(' ');
                // An empty cell would show the underline of a hard month.
                (glyph, if glyph == ' ' { Role::Dim } else { Role::of_valence(valence, Role::Heat) })
            });
            (std::iter::repeat_n(glyph, usize::from(MONTH)).collect(), role)
        });
        column.chart_row(label, months);
    }
    let count = |month: &Option<(u32, f32)>| month.map_or_else(String::new, |(n, _)| n.to_string());
    let counts = months.iter().map(|month| (cells::pad(&count(month), usize::from(MONTH)), Role::Dim));
    column.chart_row("n", counts);
}
