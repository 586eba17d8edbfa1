//! Vocabulary of dates, folded, in English and Vietnamese.

use jiff::civil::Weekday;

use super::token::{Kind, Reader};
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

/// Which occurrence of a recurring period is meant, with its distance from the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Last = -1,
    This = 0,
    Next = 1,
}

/// The seasons, with their first months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring = 3,
    Summer = 6,
    Autumn = 9,
    Winter = 12,
}

/// A part of a month, a season, a year or a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Begin,
    Middle,
    End,
    /// From 1; -1 is the last.
    Week(i8),
}

/// The number of a word in a list of number words.
fn number_of(word: &str, numbers: impl IntoIterator<Item = &'static str>) -> Option<i8> {
    numbers.into_iter().position(|known| known == word).map(|at| at as i8 + 1)
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
        // `thang sau` is the next month more often than June.
        let is_next = r.peek().is_some_and(|token| matches!(&token.kind, Kind::Word(word) if word == "sau"));
        let number = r.number(1..=2).map(|number| number as i8);
        let number = number.or_else(|| vietnamese_number(r).filter(|_| !is_next))?;
        Some(number).filter(|month| (1..=12).contains(month))
    })
}

pub(super) fn vietnamese_number(r: &mut Reader<'_>) -> Option<i8> {
    r.attempt(|r| {
        let first = match r.word()? {
            "tu" => 4,
            "sáu" => 6,
            word => number_of(word, ["mot", "hai", "ba", "bon", "nam", "sau", "bay", "tam", "chin", "muoi"])?,
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
    let english = r.attempt(|r| match r.word()? {
        "a" | "an" => Some(1),
        word => number_of(
            word,
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        ),
    });
    english.or_else(|| vietnamese_number(r)).map(|number| number as u32)
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
        let number = r.number(1..=1).map(|number| number as i8).or_else(|| vietnamese_number(r))?;
        Some(number).filter(|number| *number <= 7).and_then(|number| Weekday::from_monday_one_offset(number - 1).ok())
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
        if let Some(nth) = nth(r) {
            return r.phrase("week of").map(|()| Part::Week(nth));
        }
        match r.word()? {
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

/// `first` to `fourth`; `last` is -1.
pub(super) fn nth(r: &mut Reader<'_>) -> Option<i8> {
    r.attempt(|r| match r.word()? {
        "last" => Some(-1),
        word => number_of(word, ["first", "second", "third", "fourth"]),
    })
}

/// `first` to `twentieth`.
pub(super) fn ordinal_word(r: &mut Reader<'_>) -> Option<i8> {
    const ORDINALS: &str = "\
        first second third fourth fifth sixth seventh eighth ninth tenth eleventh \
        twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
    r.attempt(|r| number_of(r.word()?, ORDINALS.split(' ')))
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
