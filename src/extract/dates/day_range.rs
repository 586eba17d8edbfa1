//! A range of days, and date arithmetic.

use jiff::{Span, civil::Date};
use serde::{Deserialize, Serialize};

use super::vocabulary::{Part, Unit};
use crate::journal::compact;

/// Days from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayRange {
    #[serde(with = "compact::date")]
    pub first: Date,
    #[serde(with = "compact::date")]
    pub last: Date,
}

impl DayRange {
    pub(super) fn of(first: Date, last: Date) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    pub(super) fn day(date: Date) -> Self {
        Self { first: date, last: date }
    }

    /// The day, if it is only one.
    pub fn only_day(self) -> Option<Date> {
        (self.first == self.last).then_some(self.first)
    }

    pub(super) fn month(date: Date) -> Self {
        Self { first: date.first_of_month(), last: date.last_of_month() }
    }

    pub(super) fn year(year: i16) -> Option<Self> {
        Self::of(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?)
    }

    /// Its first, middle or last part: ten days of a month, a month or so of a season, two months at the ends of a year.
    pub(super) fn part(self, part: Part) -> Option<Self> {
        let days = i64::from(self.first.until(self.last).ok()?.get_days()) + 1;
        let (begin, end) = match days {
            ..=7 => (2, 3),
            8..=31 => (10, days - 20),
            // Up to the end of February, from the first of November.
            300.. => (if days == 366 { 60 } else { 59 }, 61),
            _ => (days / 3, days / 3),
        };
        let day = |offset: i64| days_from(self.first, offset);
        match part {
            Part::Begin => Self::of(self.first, day(begin - 1)?),
            Part::Middle => Self::of(day(begin)?, day(days - end - 1)?),
            Part::End => Self::of(day(days - end)?, self.last),
            Part::Week(-1) => Self::of(day(days - 7)?, self.last),
            Part::Week(number) => {
                let first = i64::from(number - 1) * 7;
                Self::of(day(first)?, day(first + 6)?.min(self.last))
            }
        }
    }

    /// Monday to Sunday around a date.
    pub(super) fn week(date: Date) -> Option<Self> {
        let monday = days_from(date, -i64::from(date.weekday().to_monday_zero_offset()))?;
        Self::of(monday, days_from(monday, 6)?)
    }

    /// The calendar unit around a date.
    pub(super) fn unit(unit: Unit, date: Date) -> Option<Self> {
        match unit {
            Unit::Minute | Unit::Hour => None,
            Unit::Day => Some(Self::day(date)),
            Unit::Week => Self::week(date),
            Unit::Month => Some(Self::month(date)),
            Unit::Year => Self::year(date.year()),
        }
    }
}

pub(super) fn days_from(date: Date, days: i64) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// The date so many units away; a month's missing day becomes its last.
pub(super) fn away(date: Date, count: i64, unit: Unit) -> Option<Date> {
    let span = match unit {
        Unit::Minute | Unit::Hour => return None,
        Unit::Day => Span::new().try_days(count),
        Unit::Week => Span::new().try_weeks(count),
        Unit::Month => Span::new().try_months(count),
        Unit::Year => Span::new().try_years(count),
    };
    date.checked_add(span.ok()?).ok()
}
