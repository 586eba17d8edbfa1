//! The scale of a review: a day, a week, a month, a year.

use jiff::civil;

use crate::{
    insight::review::Unit,
    session::DayLine,
    tui::{day_name, widgets::calendar::month_name},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    #[default]
    Day,
    Week,
    Month,
    Year,
}

impl Scale {
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    pub fn word(self) -> &'static str {
        self.unit().map_or("day", Unit::word)
    }

    pub fn unit(self) -> Option<Unit> {
        match self {
            Self::Day => None,
            Self::Week => Some(Unit::Week),
            Self::Month => Some(Unit::Month),
            Self::Year => Some(Unit::Year),
        }
    }

    /// The scale with exactly this range of days.
    pub fn of(first: civil::Date, last: civil::Date) -> Option<Self> {
        Self::ALL.into_iter().find(|scale| scale.around(first) == (first, last))
    }

    fn around(self, day: civil::Date) -> (civil::Date, civil::Date) {
        self.unit().map_or((day, day), |unit| {
            let period = unit.around(day);
            (period.from, period.to)
        })
    }

    /// Title of the period that contains a day.
    pub fn name(self, day: civil::Date) -> String {
        let (from, to) = self.around(day);
        match self {
            Self::Day => day_name(day),
            Self::Week if from.month() == to.month() => format!("{} – {} {}", from.day(), to.day(), month_name(to)),
            Self::Week => format!("{} {} – {} {}", from.day(), month_name(from), to.day(), month_name(to)),
            Self::Month => month_name(day),
            Self::Year => day.year().to_string(),
        }
    }

    /// The day with entries nearest to a day, in the period that contains it.
    pub fn nearest_written(self, day: civil::Date, days: &[DayLine]) -> Option<civil::Date> {
        let (from, to) = self.around(day);
        let written = days.iter().map(|line| line.day).filter(|known| (from..=to).contains(known));
        written.min_by_key(|known| (*known - day).get_days().abs())
    }

    /// A day of the previous or next period. Days without entries are skipped, except today. `None` beyond the first
    /// and last entry.
    ///
    /// `days`: newest first.
    pub fn step(self, day: civil::Date, on: bool, days: &[DayLine], today: civil::Date) -> Option<civil::Date> {
        let written = || days.iter().map(|line| line.day);
        if self == Self::Day {
            return if on {
                let later = written().take_while(|known| *known > day).last();
                [later, (day < today).then_some(today)].into_iter().flatten().min()
            } else {
                written().find(|known| *known < day)
            };
        }
        let (from, to) = self.around(day);
        let next = if on { to.tomorrow() } else { from.yesterday() }.ok()?;
        let (first, last) = (written().next_back()?, written().next()?.max(today));
        // A period that overlaps the written range only in part counts too.
        let (from, to) = self.around(next);
        (to >= first && from <= last).then_some(from)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn lines(days: &[civil::Date]) -> Vec<DayLine> {
        days.iter().map(|day| DayLine { day: *day, words: vec![1], moods: Vec::new(), records: 0 }).collect()
    }

    #[test]
    fn days_without_entries_are_passed_over_but_not_today() {
        let days = lines(&[date(2026, 11, 18), date(2026, 11, 3), date(2026, 9, 1)]);
        let today = date(2026, 11, 20);
        let step = |day, on| Scale::Day.step(day, on, &days, today);
        assert_eq!(step(date(2026, 11, 20), false), Some(date(2026, 11, 18)));
        assert_eq!(step(date(2026, 11, 18), false), Some(date(2026, 11, 3)));
        assert_eq!(step(date(2026, 9, 1), false), None);
        assert_eq!(step(date(2026, 11, 3), true), Some(date(2026, 11, 18)));
        assert_eq!(step(date(2026, 11, 18), true), Some(today));
        assert_eq!(step(today, true), None);
    }

    #[test]
    fn units_end_with_what_is_written() {
        let days = lines(&[date(2026, 11, 18), date(2026, 9, 30)]);
        let today = date(2026, 11, 20);
        let month = |day, on| Scale::Month.step(day, on, &days, today).map(|day| Scale::Month.name(day));
        assert_eq!(month(today, true), None);
        assert_eq!(month(today, false).as_deref(), Some("October 2026"));
        assert_eq!(month(date(2026, 10, 4), false).as_deref(), Some("September 2026"));
        assert_eq!(month(date(2026, 9, 4), false), None);
        assert_eq!(month(date(2026, 9, 4), true).as_deref(), Some("October 2026"));
        assert_eq!(Scale::Year.step(today, false, &days, today), None);
        assert_eq!(Scale::Week.step(today, true, &[], today), None);
    }

    #[test]
    fn in_a_period_the_nearest_day_with_entries_is_found() {
        let days = lines(&[date(2026, 11, 18), date(2026, 9, 30), date(2025, 11, 28)]);
        assert_eq!(Scale::Year.nearest_written(date(2025, 1, 1), &days), Some(date(2025, 11, 28)));
        assert_eq!(Scale::Year.nearest_written(date(2026, 10, 1), &days), Some(date(2026, 9, 30)));
        assert_eq!(Scale::Month.nearest_written(date(2026, 10, 1), &days), None);
    }

    #[test]
    fn a_range_that_is_a_unit_is_looked_at_as_one() {
        assert_eq!(Scale::of(date(2026, 11, 20), date(2026, 11, 20)), Some(Scale::Day));
        assert_eq!(Scale::of(date(2026, 11, 16), date(2026, 11, 22)), Some(Scale::Week));
        assert_eq!(Scale::of(date(2024, 3, 1), date(2024, 3, 31)), Some(Scale::Month));
        assert_eq!(Scale::of(date(2024, 1, 1), date(2024, 12, 31)), Some(Scale::Year));
        assert_eq!(Scale::of(date(2024, 1, 1), date(2024, 2, 3)), None);
    }

    #[test]
    fn weeks_are_named_by_their_days() {
        assert_eq!(Scale::Week.name(date(2026, 11, 20)), "16 – 22 November 2026");
        assert_eq!(Scale::Week.name(date(2026, 12, 30)), "28 December 2026 – 3 January 2027");
    }
}
