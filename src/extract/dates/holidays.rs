//! Named days that recur every year: feasts of the solar calendar, of Easter and of the Vietnamese lunar calendar.

use jiff::civil::{Date, Weekday};

use super::{
    day_range::{DayRange, days_from},
    lunar,
};

/// The rule for the date of a feast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holiday {
    On(i8, i8),
    /// A number of days after a day of a month.
    Days(i8, i8, i64),
    /// Days from Easter Sunday.
    Easter(i64),
    /// The nth such weekday of a month; the last one if negative.
    Nth(i8, i8, Weekday),
    AfterThanksgiving,
    /// Month, day and number of days in the lunar calendar.
    Lunar(i8, i8, i64),
    /// The evening before the lunar new year.
    LunarEve,
}

use Holiday::{AfterThanksgiving, Days, Easter, Lunar, LunarEve, Nth, On};

impl Holiday {
    pub(super) fn in_year(self, year: i16) -> Option<DayRange> {
        match self {
            On(month, day) => Date::new(year, month, day).ok().map(DayRange::day),
            Days(month, day, count) => lasting(Date::new(year, month, day).ok()?, count),
            Easter(days) => days_from(easter(year)?, days).map(DayRange::day),
            Nth(month, nth, weekday) => {
                Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, weekday).ok().map(DayRange::day)
            }
            AfterThanksgiving => {
                let thursday = Nth(11, 4, Weekday::Thursday).in_year(year)?;
                days_from(thursday.first, 1).map(DayRange::day)
            }
            Lunar(month, day, count) => lasting(lunar::to_solar(year, month, day)?, count),
            LunarEve => days_from(lunar::to_solar(year, 1, 1)?, -1).map(DayRange::day),
        }
    }
}

fn lasting(first: Date, days: i64) -> Option<DayRange> {
    DayRange::of(first, days_from(first, days - 1)?)
}

/// Easter Sunday of the Gregorian calendar (the anonymous algorithm of "Nature", 1876).
fn easter(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let (a, b, c) = (year.rem_euclid(19), year.div_euclid(100), year.rem_euclid(100));
    let (d, e) = (b.div_euclid(4), b.rem_euclid(4));
    let g = (8 * b + 13).div_euclid(25);
    let h = (19 * a + b - d - g + 15).rem_euclid(30);
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k).rem_euclid(7);
    let m = (a + 11 * h + 22 * l).div_euclid(451);
    let days = h + l - 7 * m + 114;
    Date::new(year as i16, (days / 31) as i8, (days % 31 + 1) as i8).ok()
}

/// The bank holidays on Mondays in England and Wales.
pub(super) fn bank_holidays(year: i16) -> impl DoubleEndedIterator<Item = DayRange> {
    let rules = [Easter(1), Nth(5, 1, Weekday::Monday), Nth(5, -1, Weekday::Monday), Nth(8, -1, Weekday::Monday)];
    let mut days: Vec<DayRange> = rules.into_iter().filter_map(|rule| rule.in_year(year)).collect();
    days.sort_unstable_by_key(|days| days.first);
    days.into_iter()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn easter_is_that_of_the_church_tables() {
        let known = [date(1961, 4, 2), date(2000, 4, 23), date(2024, 3, 31), date(2025, 4, 20), date(2038, 4, 25)];
        for day in known {
            assert_eq!(easter(day.year()), Some(day));
        }
    }
}
