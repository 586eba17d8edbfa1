//! A parsed date before it is resolved against the calendar.

use jiff::{
    SignedDuration, Span,
    civil::{Date, Weekday},
};

use super::{
    day_range::{DayRange, away, days_from},
    holidays::{Holiday, bank_holidays},
    lunar,
    vocabulary::{Part, Season, Unit, Which},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    Fixed(DayRange),
    /// Units relative to today; negative is the past.
    Away(i64, Unit),
    /// A date that recurs every year or week, without year or week.
    Floating(Floating),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Floating {
    Weekday(Weekday),
    Weekend,
    Month(i8),
    MonthDay(i8, i8),
    Season(Season),
    Quarter(i8),
    Holiday(Holiday),
    BankHoliday,
    /// A day of any month.
    DayOfMonth(i8),
    /// The first or the middle day of any lunar month, or another day near the lunar new year: elsewhere `mùng 4` may be of
    /// either calendar.
    LunarDay(i8),
    LunarMonth(i8),
    /// In the years in which that day is this weekday.
    WeekdayOn(Weekday, i8, i8),
    PartOfMonth(Part, i8),
    PartOfSeason(Part, Season),
    PartOfYear(Part),
}

/// How far from today `mùng 4` may be to be a day of the lunar new year.
const AROUND_TET: SignedDuration = SignedDuration::from_hours(20 * 24);

/// The direction in which a sentence resolves recurring dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    Past,
    Future,
    /// A note without a verb, which is usually a plan: "Dentist on Thursday."
    Note,
    Unknown,
}

impl Day {
    /// Resolves to days, looking back from `today`.
    pub fn range(self, today: Date) -> Option<DayRange> {
        match self {
            Self::Fixed(range) => Some(range),
            Self::Away(count, unit) => DayRange::unit(unit, away(today, count, unit)?),
            Self::Floating(floating) => floating.latest(today),
        }
    }

    /// Resolves to days as meant in a sentence written on `today`.
    pub fn said(self, today: Date, tense: Tense) -> Option<DayRange> {
        match self {
            Self::Floating(floating) => floating.said(today, tense),
            day => day.range(today),
        }
    }

    pub fn is_weekday(&self) -> bool {
        matches!(self, Self::Floating(Floating::Weekday(_)))
    }

    /// The single day; `None` for a longer period.
    pub fn single(self, today: Date) -> Option<Date> {
        match self {
            Self::Away(count, unit) => away(today, count, unit),
            _ => self.range(today)?.only_day(),
        }
    }
}

impl Floating {
    /// The latest one that has begun on `day`.
    pub fn latest(self, day: Date) -> Option<DayRange> {
        self.around(day).rev().find(|range| range.first <= day)
    }

    /// As meant in a sentence written on `today`. A writer would call today by name, so of weekdays and days of a month
    /// the next one is after it.
    pub fn said(self, today: Date, tense: Tense) -> Option<DayRange> {
        let next = || self.which(Which::Next, today);
        match (tense, self) {
            (Tense::Past, _) => self.latest(today),
            // "Sunday roast at Mum's", written on a Sunday.
            (Tense::Note, Self::Weekday(day)) if day == today.weekday() => self.latest(today),
            (Tense::Future, Self::Weekday(_) | Self::DayOfMonth(_) | Self::LunarDay(_)) => next(),
            (Tense::Note, Self::Weekday(_)) => next(),
            (Tense::Future, _) => self.earliest(today),
            (Tense::Unknown, Self::Weekday(_) | Self::Weekend) => self.latest(today),
            (Tense::Note | Tense::Unknown, _) => {
                let away = |range: &DayRange| (range.first.duration_since(today)).abs();
                [self.latest(today), next()].into_iter().flatten().min_by_key(away)
            }
        }
    }

    /// The first one that starts on `day` or later.
    pub fn earliest(self, day: Date) -> Option<DayRange> {
        self.around(day).find(|range| range.first >= day)
    }

    /// `last` has ended before today, `next` starts after it; `this` is the current one or else the one of this
    /// calendar year or week.
    pub fn which(self, which: Which, today: Date) -> Option<DayRange> {
        match which {
            Which::Last => self.around(today).rev().find(|range| range.last < today),
            Which::Next => self.around(today).find(|range| range.first > today),
            Which::This => self
                .around(today)
                .find(|range| range.first <= today && today <= range.last)
                .or_else(|| self.in_period(today, 0)),
        }
    }

    /// The one in a year; `None` for a weekly date.
    pub fn in_year(self, year: i16) -> Option<DayRange> {
        let date = |month, day| Date::new(year, month, day).ok();
        let months = |first: i8| {
            let last = date(first, 1)?.checked_add(Span::new().months(2)).ok()?;
            DayRange::of(date(first, 1)?, last.last_of_month())
        };
        match self {
            Self::Weekday(_) | Self::Weekend => None,
            Self::Month(month) => date(month, 1).map(DayRange::month),
            Self::MonthDay(month, day) => date(month, day).map(DayRange::day),
            Self::Season(season) => months(season as i8),
            Self::Quarter(quarter) => months(quarter.checked_sub(1)?.checked_mul(3)? + 1),
            Self::Holiday(holiday) => holiday.in_year(year),
            Self::BankHoliday | Self::DayOfMonth(_) | Self::LunarDay(_) => None,
            Self::LunarMonth(month) => {
                let first = lunar::to_solar(year, month, 1)?;
                let last = lunar::near(first, 0, 30).or_else(|| lunar::near(first, 0, 29))?;
                DayRange::of(first, last)
            }
            Self::WeekdayOn(weekday, month, day) => {
                let date = date(month, day).filter(|date| date.weekday() == weekday)?;
                Some(DayRange::day(date))
            }
            Self::PartOfMonth(part, month) => Self::Month(month).in_year(year)?.part(part),
            Self::PartOfSeason(part, season) => Self::Season(season).in_year(year)?.part(part),
            Self::PartOfYear(part) => DayRange::year(year)?.part(part),
        }
    }

    /// The one in the week around `day`; `None` for a yearly date.
    pub fn in_week(self, day: Date) -> Option<DayRange> {
        let week = DayRange::week(day)?;
        match self {
            Self::Weekday(weekday) => {
                days_from(week.first, i64::from(weekday.to_monday_zero_offset())).map(DayRange::day)
            }
            Self::Weekend => DayRange::of(days_from(week.last, -1)?, week.last),
            _ => None,
        }
    }

    /// In the year or week `offset` periods from that of `day`.
    fn in_period(self, day: Date, offset: i16) -> Option<DayRange> {
        match self {
            Self::Weekday(_) | Self::Weekend => self.in_week(days_from(day, i64::from(offset) * 7)?),
            Self::DayOfMonth(number) => {
                let month = away(day.first_of_month(), i64::from(offset), Unit::Month)?;
                Date::new(month.year(), month.month(), number).ok().map(DayRange::day)
            }
            Self::LunarDay(number) => {
                let date = lunar::near(day, i64::from(offset), number)?;
                let is_near = || date.duration_since(day).abs() <= AROUND_TET;
                let is_of_tet = || lunar::to_solar(date.year(), 1, number) == Some(date) && is_near();
                (matches!(number, 1 | 15) || is_of_tet()).then(|| DayRange::day(date))
            }
            _ => self.in_year(day.year().checked_add(offset)?),
        }
    }

    /// The occurrences near `day`, in order. Nine years include a 29 February even around 1900 and 2100.
    fn around(self, day: Date) -> impl DoubleEndedIterator<Item = DayRange> {
        let of_years = (self == Self::BankHoliday).then_some(-1i16..=1).into_iter().flatten();
        let bank = of_years.flat_map(move |offset| bank_holidays(day.year().saturating_add(offset)));
        bank.chain((-9..=9).filter_map(move |offset| self.in_period(day, offset)))
    }
}
