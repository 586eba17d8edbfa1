//! One month as a grid of days, coloured by mood.
//!
//! The selected day is in brackets, today is underlined, days without entries are dim: no information is shown by
//! colour alone.

use jiff::{ToSpan as _, civil};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Modifier, Style},
};

use crate::tui::{Role, Theme};

/// Width of a month in cells: seven days of three, and a bracket.
pub const WIDTH: u16 = 22;
/// Month name, weekdays and at most six weeks.
pub const HEIGHT: u16 = 8;

/// The month of the selected day.
pub struct Calendar {
    pub selected: civil::Date,
    pub today: civil::Date,
    pub week_starts: civil::Weekday,
}

/// "November 2026".
pub fn month_name(day: civil::Date) -> String {
    day.strftime("%B %-Y").to_string()
}

/// "Friday".
pub fn weekday_name(day: civil::Date) -> String {
    day.strftime("%A").to_string()
}

/// "Friday 20 November 2026".
pub fn day_name(day: civil::Date) -> String {
    day.strftime("%A %-d %B %-Y").to_string()
}

impl Calendar {
    /// The day in the grid's first cell.
    fn first(&self) -> civil::Date {
        let first = self.selected.first_of_month();
        let lead = first.weekday().since(self.week_starts);
        first.checked_sub(lead.days()).unwrap_or(first)
    }

    fn has(&self, day: civil::Date) -> bool {
        (day.year(), day.month()) == (self.selected.year(), self.selected.month())
    }

    /// `role`: the colour of a day.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, role: &dyn Fn(civil::Date) -> Role, theme: &Theme) {
        let area = area.intersection(buffer.area);
        let line = |y: u16| area.y.saturating_add(y);
        let put = |buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style| {
            if x < area.right() && y < area.bottom() {
                buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
            }
        };
        put(buffer, area.x + 1, line(0), &month_name(self.selected), theme.style(Role::Title));
        let mut day = self.first();
        for column in 0..7 {
            let weekday = weekday_name(day.saturating_add(i32::from(column).days()));
            put(buffer, area.x + 1 + 3 * column, line(1), &weekday[..2], theme.style(Role::Dim));
        }
        for week in 0..6 {
            for column in 0..7 {
                if self.has(day) {
                    let under = if day == self.today { Modifier::UNDERLINED } else { Modifier::empty() };
                    let style = theme.style(role(day)).add_modifier(under);
                    put(buffer, area.x + 1 + 3 * column, line(2 + week), &format!("{:>2}", day.day()), style);
                }
                let Ok(next) = day.tomorrow() else { return };
                day = next;
            }
        }
        if let Some((x, y)) = self.cell_of(self.selected, area) {
            put(buffer, x, y, "[", theme.style(Role::Accent));
            put(buffer, x + 3, y, "]", theme.style(Role::Accent));
        }
    }

    fn cell_of(&self, day: civil::Date, area: Rect) -> Option<(u16, u16)> {
        let days = self.first().until(day).ok().filter(|_| self.has(day))?.get_days();
        let days = u16::try_from(days).ok()?;
        Some((area.x + 3 * (days % 7), area.y + 2 + days / 7))
    }

    /// The day under a screen cell.
    pub fn day_at(&self, area: Rect, at: Position) -> Option<civil::Date> {
        let (x, y) = (at.x.checked_sub(area.x)?, at.y.checked_sub(area.y + 2)?);
        if x >= WIDTH || y >= 6 {
            return None;
        }
        let nth = i32::from(y) * 7 + i32::from((x / 3).min(6));
        let day = self.first().checked_add(nth.days()).ok()?;
        Some(day).filter(|day| self.has(*day))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const NOVEMBER: Calendar =
        Calendar { selected: date(2026, 11, 20), today: date(2026, 11, 21), week_starts: civil::Weekday::Monday };

    #[test]
    fn a_month_is_drawn_from_monday() {
        let area = Rect::new(0, 0, WIDTH, HEIGHT);
        let mut buffer = Buffer::empty(area);
        NOVEMBER.draw(&mut buffer, area, &|_| Role::Text, &Theme::default());
        let rows: Vec<String> = (0..HEIGHT)
            .map(|y| (0..WIDTH).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned())
            .collect();
        insta::assert_snapshot!(rows.join("\n"), @"
         November 2026
         Mo Tu We Th Fr Sa Su
                            1
          2  3  4  5  6  7  8
          9 10 11 12 13 14 15
         16 17 18 19[20]21 22
         23 24 25 26 27 28 29
         30
        ");
    }

    #[test]
    fn today_is_underlined_and_moods_tint() {
        let area = Rect::new(0, 0, WIDTH, HEIGHT);
        let mut buffer = Buffer::empty(area);
        let role = |day: civil::Date| if day.day() == 2 { Role::Good } else { Role::Low };
        let own = [("good", "italic"), ("low", "")].map(|(role, style)| (role.to_owned(), style.to_owned()));
        let theme = Theme::new("none", &own.into());
        NOVEMBER.draw(&mut buffer, area, &role, &theme);
        assert!(buffer[(17, 5)].modifier.contains(Modifier::UNDERLINED));
        assert!(buffer[(2, 3)].modifier.contains(Modifier::ITALIC));
        assert!(!buffer[(5, 3)].modifier.contains(Modifier::ITALIC));
    }

    proptest! {
        #[test]
        fn a_click_finds_the_day_it_hit(day in 1i8..=28, month in 1i8..=12, year in 1900i16..2100, sunday: bool) {
            let day = date(year, month, day);
            let week_starts = if sunday { civil::Weekday::Sunday } else { civil::Weekday::Monday };
            let calendar = Calendar { selected: day, today: day, week_starts };
            let area = Rect::new(3, 2, WIDTH, HEIGHT);
            let (x, y) = calendar.cell_of(day, area).unwrap();
            prop_assert_eq!(calendar.day_at(area, (x + 1, y).into()), Some(day));
            prop_assert_eq!(calendar.day_at(area, (x + 2, y).into()), Some(day));
        }
    }
}
