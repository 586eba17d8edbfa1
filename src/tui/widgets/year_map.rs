//! A year as a heat map: a column per week, a row per weekday.
//!
//! Every level has its own glyph: no information is shown by colour alone.

use jiff::{ToSpan as _, civil};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Modifier,
};

use super::calendar::weekday_name;
use crate::tui::{Pen, Role, Theme};

/// Month names, and seven days.
pub const HEIGHT: u16 = 8;
/// Width of the weekday names in cells.
const NAMES: u16 = 4;
/// Maximum number of weeks in a year.
const WEEKS: u16 = 54;
/// Width of a whole year in cells, with one cell a day.
#[cfg(test)]
const WIDTH: u16 = NAMES + WEEKS;
/// Width with two cells a day.
pub const WIDE: u16 = NAMES + 2 * WEEKS;

/// Number of cells of a day.
fn cells_of(area: Rect) -> u16 {
    if area.width >= WIDE { 2 } else { 1 }
}

/// A year to draw, with two cells a day where there is room. If it is wider than the area, the weeks around the selected
/// day are shown.
pub struct YearMap {
    pub selected: civil::Date,
    pub today: civil::Date,
    pub week_starts: civil::Weekday,
}

impl YearMap {
    /// The first day of the first week.
    fn first(&self) -> civil::Date {
        let first = self.selected.first_of_year();
        first.saturating_sub(i32::from(first.weekday().since(self.week_starts)).days())
    }

    fn week_of(&self, day: civil::Date) -> u16 {
        let days = self.first().until(day).map_or(0, |span| span.get_days());
        u16::try_from(days / 7).unwrap_or(0)
    }

    /// The first week shown in an area.
    fn first_week(&self, area: Rect) -> u16 {
        let shown = (area.width.saturating_sub(NAMES) / cells_of(area)).max(1);
        let weeks = self.week_of(self.selected.last_of_year()) + 1;
        let last = weeks.saturating_sub(shown);
        self.week_of(self.selected).saturating_sub(shown / 2).min(last)
    }

    /// `heat`: the glyph and the colour of a day.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, heat: &dyn Fn(civil::Date) -> (char, Role), theme: &Theme) {
        let area = area.intersection(buffer.area);
        for row in 1..area.height.min(HEIGHT) {
            let day = self.first().saturating_add(i32::from(row - 1).days());
            if row % 2 == 1 {
                let name = &weekday_name(day)[..2];
                Pen::new(area.x, area.y + row, NAMES).write(buffer, name, theme.style(Role::Dim));
            }
        }
        let from = self.first_week(area);
        let mut written_to = 0;
        let mut day = self.selected.first_of_year();
        while day.year() == self.selected.year() {
            if let Some((x, y)) = self.cell_of(day, area) {
                let (mut glyph, role) = heat(day);
                let under = if day == self.today { Modifier::UNDERLINED } else { Modifier::empty() };
                let mut own = theme.style(role).add_modifier(under);
                if day == self.selected {
                    // A reversed full cell would be an empty one.
                    (glyph, own) = ('■', theme.style(Role::Accent).add_modifier(Modifier::REVERSED | Modifier::BOLD));
                }
                let text: String = std::iter::repeat_n(glyph, usize::from(cells_of(area))).collect();
                Pen::new(x, y, cells_of(area)).write(buffer, &text, own);
                // The name of a month is above its first whole week, where there is room.
                let is_first_week = day.day() <= 7 && day.weekday() == self.week_starts;
                if (is_first_week || (self.week_of(day) == from && written_to == 0))
                    && x >= written_to
                    && x + 3 <= area.right()
                {
                    let name = day.strftime("%b").to_string();
                    Pen::new(x, area.y, area.right().saturating_sub(x)).write(buffer, &name, theme.style(Role::Dim));
                    written_to = x + 4;
                }
            }
            let Ok(next) = day.tomorrow() else { return };
            day = next;
        }
    }

    fn cell_of(&self, day: civil::Date, area: Rect) -> Option<(u16, u16)> {
        let x = area.x + NAMES + self.week_of(day).checked_sub(self.first_week(area))? * cells_of(area);
        let y = area.y + 1 + day.weekday().since(self.week_starts).unsigned_abs() as u16;
        (x + cells_of(area) <= area.right() && y < area.bottom()).then_some((x, y))
    }

    /// The day under a screen cell.
    pub fn day_at(&self, area: Rect, at: Position) -> Option<civil::Date> {
        let week = i32::from(at.x.checked_sub(area.x + NAMES)? / cells_of(area) + self.first_week(area));
        let row = i32::from(at.y.checked_sub(area.y + 1)?);
        let day = self.first().checked_add((week * 7 + row).days()).ok()?;
        (row < 7 && day.year() == self.selected.year()).then_some(day)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn painted(selected: civil::Date, width: u16) -> String {
        let map = YearMap { selected, today: date(2026, 11, 21), week_starts: civil::Weekday::Monday };
        let area = Rect::new(0, 0, width, HEIGHT);
        let mut buffer = Buffer::empty(area);
        map.draw(&mut buffer, area, &glyph, &Theme::default());
        let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..HEIGHT).map(row).collect::<Vec<_>>().join("\n")
    }

    fn glyph(day: civil::Date) -> (char, Role) {
        (if day.day() == 1 { '1' } else { '·' }, Role::Heat)
    }

    #[test]
    fn a_year_from_its_first_to_its_last_day() {
        insta::assert_snapshot!(painted(date(2026, 11, 20), WIDTH));
    }

    #[test]
    fn where_there_is_no_room_the_weeks_around_the_selected_day_are_shown() {
        insta::assert_snapshot!(painted(date(2026, 6, 15), 30));
    }

    proptest! {
        #[test]
        fn a_click_finds_the_day_it_hit(
            day in 1i8..=28, month in 1i8..=12, year in 1900i16..2100, sunday: bool, width in 6u16..140,
        ) {
            let day = date(year, month, day);
            let week_starts = if sunday { civil::Weekday::Sunday } else { civil::Weekday::Monday };
            let map = YearMap { selected: day, today: day, week_starts };
            let area = Rect::new(3, 2, width, HEIGHT);
            let (x, y) = map.cell_of(day, area).expect("the selected day is always shown");
            prop_assert_eq!(map.day_at(area, (x, y).into()), Some(day));
        }
    }
}
