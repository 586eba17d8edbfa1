//! Vocabulary of dates, folded, in English and Vietnamese.

use jiff::civil::Weekday;

use super::token::Reader;
use crate::journal::english_month;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Which occurrence of a recurring period is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Last,
    This,
    Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// A part of a month, a season, a year or a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Begin,
    Middle,
    End,
    /// From 1.
    Week(u8),
    LastWeek,
}

/// An English month name or its abbreviation, with or without a full stop.
pub(super) fn month_name(r: &mut Reader<'_>) -> Option<i8> {
    let month = r.attempt(|r| english_month(r.word()?))?;
    let _ = r.sign('.');
    Some(month)
}

/// `tháng 3`, `tháng ba`, `tháng mười hai`. `tháng giêng` and `tháng chạp` are lunar, see [`super::holidays`].
pub(super) fn vietnamese_month(r: &mut Reader<'_>) -> Option<i8> {
    r.attempt(|r| {
        r.one_of(&["thang"])?;
        let number = r.number(1..=2).or_else(|| vietnamese_number(r))?;
        i8::try_from(number).ok().filter(|month| (1..=12).contains(month))
    })
}

pub(super) fn vietnamese_number(r: &mut Reader<'_>) -> Option<u32> {
    r.attempt(|r| {
        let first = match r.word()? {
            "mot" => 1,
            "hai" => 2,
            "ba" => 3,
            "bon" | "tu" => 4,
            "nam" => 5,
            "sau" | "sáu" => 6,
            "bay" => 7,
            "tam" => 8,
            "chin" => 9,
            "muoi" => 10,
            _ => return None,
        };
        if first == 10 {
            if r.one_of(&["mot"]).is_some() {
                return Some(11);
            }
            if r.one_of(&["hai"]).is_some() {
                return Some(12);
            }
        }
        Some(first)
    })
}

/// A count: digits, an English or a Vietnamese number word, `a` and `an`.
pub(super) fn count(r: &mut Reader<'_>) -> Option<u32> {
    if let Some(number) = r.number(1..=6) {
        return Some(number);
    }
    if r.any_phrase(&["a couple of", "couple of"]).is_some() {
        return Some(2);
    }
    let english = r.attempt(|r| {
        Some(match r.word()? {
            "a" | "an" | "one" => 1,
            "two" => 2,
            "three" => 3,
            "four" => 4,
            "five" => 5,
            "six" => 6,
            "seven" => 7,
            "eight" => 8,
            "nine" => 9,
            "ten" => 10,
            "eleven" => 11,
            "twelve" => 12,
            _ => return None,
        })
    });
    english.or_else(|| vietnamese_number(r))
}

pub(super) fn weekday(r: &mut Reader<'_>) -> Option<Weekday> {
    r.attempt(|r| {
        Some(match r.word()? {
            "monday" | "mon" => Weekday::Monday,
            "tuesday" | "tue" | "tues" => Weekday::Tuesday,
            "wednesday" | "wed" | "weds" => Weekday::Wednesday,
            "thursday" | "thurs" | "thur" => Weekday::Thursday,
            "friday" | "fri" => Weekday::Friday,
            "saturday" | "sat" => Weekday::Saturday,
            "sunday" | "sun" => Weekday::Sunday,
            "cn" => Weekday::Sunday,
            "chu" => r.one_of(&["nhat"]).map(|_| Weekday::Sunday)?,
            // `thu` alone is English; a folded `thứ năm` has another word.
            "thu" => vietnamese_weekday(r).unwrap_or(Weekday::Thursday),
            _ => return None,
        })
    })
}

/// The word after `thứ`: Monday is the second day.
fn vietnamese_weekday(r: &mut Reader<'_>) -> Option<Weekday> {
    r.attempt(|r| {
        let number = r.number(1..=1).or_else(|| vietnamese_number(r))?;
        Some(match number {
            2 => Weekday::Monday,
            3 => Weekday::Tuesday,
            4 => Weekday::Wednesday,
            5 => Weekday::Thursday,
            6 => Weekday::Friday,
            7 => Weekday::Saturday,
            _ => return None,
        })
    })
}

pub(super) fn season(r: &mut Reader<'_>) -> Option<Season> {
    r.attempt(|r| {
        let _ = r.one_of(&["mua"]);
        Some(match r.word()? {
            "spring" | "springtime" | "xuan" => Season::Spring,
            "summer" | "summertime" | "he" | "ha" => Season::Summer,
            "autumn" | "fall" => Season::Autumn,
            "winter" | "wintertime" | "dong" => Season::Winter,
            _ => return None,
        })
    })
    .or_else(|| r.phrase("mua thu").map(|()| Season::Autumn))
}

/// `the end of`, `early`, `first week of`, `cuối`: the part of the following period.
pub(super) fn part(r: &mut Reader<'_>) -> Option<Part> {
    r.attempt(|r| {
        let _ = r.one_of(&["the"]);
        let _ = r.one_of(&["very"]);
        let word = r.word()?;
        let nth = match word {
            "first" => Some(Part::Week(1)),
            "second" => Some(Part::Week(2)),
            "third" => Some(Part::Week(3)),
            "fourth" => Some(Part::Week(4)),
            "last" => Some(Part::LastWeek),
            _ => None,
        };
        if let Some(nth) = nth {
            return r.phrase("week of").map(|()| nth);
        }
        match word {
            "end" => r.phrase("of").map(|()| Part::End),
            "beginning" | "start" => r.phrase("of").map(|()| Part::Begin),
            "middle" => r.phrase("of").map(|()| Part::Middle),
            "early" | "dau" => Some(Part::Begin),
            "mid" => {
                let _ = r.sign('-');
                Some(Part::Middle)
            }
            "giua" => Some(Part::Middle),
            "late" | "cuoi" => Some(Part::End),
            _ => None,
        }
    })
}

/// A number of units; a fortnight is two weeks.
pub(super) fn count_of_units(r: &mut Reader<'_>) -> Option<(i64, Unit)> {
    r.attempt(|r| {
        let count = i64::from(count(r)?);
        if r.one_of(&["fortnight", "fortnights"]).is_some() {
            return Some((count * 2, Unit::Week));
        }
        Some((count, unit(r)?))
    })
}

pub(super) fn unit(r: &mut Reader<'_>) -> Option<Unit> {
    r.attempt(|r| {
        Some(match r.word()? {
            "minute" | "minutes" | "min" | "mins" | "phut" => Unit::Minute,
            "hour" | "hours" | "hr" | "hrs" | "gio" | "tieng" => Unit::Hour,
            "day" | "days" | "ngay" | "hom" => Unit::Day,
            "week" | "weeks" | "tuan" => Unit::Week,
            "month" | "months" | "thang" => Unit::Month,
            "year" | "years" | "nam" => Unit::Year,
            _ => return None,
        })
    })
}

pub(super) fn which(r: &mut Reader<'_>) -> Option<Which> {
    r.attempt(|r| {
        Some(match r.word()? {
            "last" | "past" | "previous" => Which::Last,
            "this" | "current" => Which::This,
            "next" | "coming" => Which::Next,
            _ => return None,
        })
    })
}

/// The Vietnamese modifier after the period. `năm nay` is this year, `tuần qua` the last week.
pub(super) fn which_after(r: &mut Reader<'_>) -> Option<Which> {
    if r.any_phrase(&["vua roi", "vua qua"]).is_some() {
        return Some(Which::Last);
    }
    r.attempt(|r| {
        Some(match r.word()? {
            "truoc" | "qua" | "roi" | "ngoai" => Which::Last,
            "nay" => Which::This,
            "sau" | "toi" => Which::Next,
            _ => return None,
        })
    })
}
