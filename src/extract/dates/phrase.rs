//! The grammar of days and periods: each function reads one way of saying one.

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::{
    DayRange,
    day::{Day, Floating, away, days_from},
    token::{Reader, Token},
    vocabulary::{Unit, Which, count, month_name, season, unit, vietnamese_month, weekday, which, which_after},
};

/// Words that may stand before a date without changing it.
const OPENERS: &[&str] = &["on", "in", "at", "during", "the", "of", "vao", "luc", "hoi", "trong"];

/// Reads all of `tokens` as one day or period.
pub(super) fn day(tokens: &[Token], today: Date) -> Option<Day> {
    let readings: [fn(&mut Reader<'_>, Date) -> Option<Day>; 12] = [
        iso,
        numeric,
        near_day,
        away_phrase,
        last_so_many,
        relative_unit,
        month_day,
        vietnamese_day,
        period_in_year,
        period_by_which,
        bare_floating,
        year_phrase_day,
    ];
    let mut reader = Reader::new(tokens);
    loop {
        for reading in readings {
            let mut attempt = reader;
            if let Some(day) = reading(&mut attempt, today)
                && attempt.done()
            {
                return Some(day);
            }
        }
        reader.one_of(OPENERS)?;
    }
}

/// `2026-02-22`, `2026-02`, `2026-W08`, with `-` or `/`; the year stands first, so nothing is ambiguous.
fn iso(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    let year = i16::try_from(r.number(4..=4)?).ok()?;
    let sign = r.tight(&['-', '/'])?;
    if r.one_of(&["w"]).is_some() {
        let week = i8::try_from(r.number(1..=2)?).ok()?;
        let monday = Date::from_iso_week_date(ISOWeekDate::new(year, week, Weekday::Monday).ok()?);
        return DayRange::week(monday).map(Day::Fixed);
    }
    let month = i8::try_from(r.number(1..=2)?).ok()?;
    if r.tight(&[sign]).is_none() {
        return Some(Day::Fixed(DayRange::month(Date::new(year, month, 1).ok()?)));
    }
    fixed(year, month, r.number(1..=2)?)
}

fn fixed(year: i16, month: i8, day: u32) -> Option<Day> {
    Date::new(year, month, i8::try_from(day).ok()?).ok().map(|date| Day::Fixed(DayRange::day(date)))
}

/// `3/2024` is a month; `22/02/2024` has one reading; `03/04/2024` has two and is never guessed.
fn numeric(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    let a = i8::try_from(r.number(1..=2)?).ok()?;
    let sign = r.tight(&['/', '-', '.'])?;
    if let Some(year) = r.number(4..=4) {
        return Some(Day::Fixed(DayRange::month(Date::new(year as i16, a, 1).ok()?)));
    }
    let b = i8::try_from(r.number(1..=2)?).ok()?;
    r.tight(&[sign])?;
    let year = r.number(4..=4)? as i16;
    match (Date::new(year, b, a).ok(), Date::new(year, a, b).ok()) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => one.or(other).map(|date| Day::Fixed(DayRange::day(date))),
    }
}

/// Today and the days around it.
fn near_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let days = if r.any_phrase(&["today", "now", "right now", "hom nay", "bay gio"]).is_some() {
        0
    } else if r.any_phrase(&["yesterday", "hom qua", "last night"]).is_some() {
        -1
    } else if r.any_phrase(&["tomorrow", "ngay mai", "mai"]).is_some() {
        1
    } else if r.any_phrase(&["the day before yesterday", "day before yesterday", "hom kia"]).is_some() {
        -2
    } else if r.any_phrase(&["the day after tomorrow", "day after tomorrow", "ngay kia", "ngay mot"]).is_some() {
        2
    } else {
        return None;
    };
    days_from(today, days).map(|date| Day::Fixed(DayRange::day(date)))
}

/// `3 days ago`, `a month ago`, `in two weeks`, `3 ngày trước`, `cách đây 2 tuần`, `2 tuần nữa`.
fn away_phrase(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    let opener = r.one_of(&["in"]).or_else(|| r.phrase("cach day").map(|()| "cach"));
    let count = i64::from(count(r)?);
    let unit = unit(r).filter(|unit| !matches!(unit, Unit::Minute | Unit::Hour))?;
    let past = r.any_phrase(&["ago", "before now", "truoc day", "truoc"]).is_some();
    let future = !past && r.any_phrase(&["from now", "from today", "nua"]).is_some();
    match (opener, past, future) {
        (None, true, _) | (Some("cach"), _, false) => Some(Day::Away(-count, unit)),
        (None, _, true) | (Some("in"), false, false) => Some(Day::Away(count, unit)),
        _ => None,
    }
}

/// `the last 7 days`, `past 3 months`, `7 ngày qua`: so many units back, today included.
fn last_so_many(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let english = r.one_of(&["last", "past", "previous"]).is_some();
    let count = i64::from(count(r)?);
    let unit = unit(r)?;
    if !english {
        r.any_phrase(&["vua qua", "vua roi", "gan day", "qua"])?;
    }
    let first = days_from(away(today, -count, unit)?, 1)?;
    DayRange::of(first, today).map(Day::Fixed)
}

/// `last week`, `this month`, `next year`, `tuần trước`, `tháng này`, `năm ngoái`.
fn relative_unit(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let (which, unit) = match which(r) {
        Some(which) => (which, unit(r)?),
        None => {
            let unit = unit(r)?;
            if unit == Unit::Year && r.one_of(&["kia"]).is_some() {
                return DayRange::year(today.year().checked_sub(2)?).map(Day::Fixed);
            }
            (which_after(r)?, unit)
        }
    };
    if unit == Unit::Day {
        return None;
    }
    DayRange::unit(unit, away(today, offset(which), unit)?).map(Day::Fixed)
}

fn offset(which: Which) -> i64 {
    match which {
        Which::Last => -1,
        Which::This => 0,
        Which::Next => 1,
    }
}

/// `22 Feb 2026`, `22nd of February`, `Feb 22, 2026`, `February 22`.
fn month_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let (month, day) = match month_name(r) {
        Some(month) => {
            let _ = r.one_of(&["the"]);
            (month, ordinal(r)?)
        }
        None => {
            let day = ordinal(r)?;
            let _ = r.sign('.').or_else(|| r.sign('-')).or_else(|| r.one_of(&["of"]).map(|_| ()));
            (month_name(r)?, day)
        }
    };
    in_some_year(r, today, Floating::MonthDay(month, day))
}

fn ordinal(r: &mut Reader<'_>) -> Option<i8> {
    let number = r.number(1..=2)?;
    if r.peek().is_some_and(|token| token.glued) {
        let _ = r.one_of(&["st", "nd", "rd", "th"]);
    }
    i8::try_from(number).ok().filter(|day| (1..=31).contains(day))
}

/// `ngày 22 tháng 2 năm 2026`, `22 tháng 2`, `ngày 3/4/2024` (the word says that the day stands first).
fn vietnamese_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let said = r.any_phrase(&["ngay"]).is_some();
    let day = i8::try_from(r.number(1..=2)?).ok()?;
    let month = match vietnamese_month(r) {
        Some(month) => month,
        None if said => {
            r.tight(&['/', '-', '.'])?;
            i8::try_from(r.number(1..=2)?).ok()?
        }
        None => return None,
    };
    in_some_year(r, today, Floating::MonthDay(month, day))
}

/// What comes every year, with the year if it is said.
fn in_some_year(r: &mut Reader<'_>, today: Date, floating: Floating) -> Option<Day> {
    if r.done() {
        return floating_day(floating);
    }
    floating.in_year(year_after(r, today)?).map(Day::Fixed)
}

/// A day that is in no calendar (30 February) is no date at all.
fn floating_day(floating: Floating) -> Option<Day> {
    if let Floating::MonthDay(month, day) = floating {
        let leap_year = 2000;
        Date::new(leap_year, month, day).ok()?;
    }
    Some(Day::Floating(floating))
}

/// The year behind a month or day: `2024`, `, 2024`, `/2024`, `of 2024`, `năm 2024`, `last year`, `năm ngoái`.
fn year_after(r: &mut Reader<'_>, today: Date) -> Option<i16> {
    let _ =
        r.sign(',').or_else(|| r.tight(&['/', '-', '.']).map(|_| ())).or_else(|| r.one_of(&["of", "in"]).map(|_| ()));
    if let Some(year) = year_phrase(r, today) {
        return Some(year);
    }
    bare_year(r)
}

fn bare_year(r: &mut Reader<'_>) -> Option<i16> {
    r.attempt(|r| i16::try_from(r.number(4..=4)?).ok().filter(|year| *year >= 1000))
}

/// `year 2024`, `năm 2024`, `last year`, `this year`, `năm ngoái`, `năm nay`.
fn year_phrase(r: &mut Reader<'_>, today: Date) -> Option<i16> {
    r.attempt(|r| {
        if let Some(which) = which(r) {
            r.one_of(&["year"])?;
            return today.year().checked_add(offset(which) as i16);
        }
        let vietnamese = r.one_of(&["year", "nam"])? == "nam";
        if let Some(year) = bare_year(r) {
            return Some(year);
        }
        if !vietnamese {
            return None;
        }
        if r.one_of(&["kia"]).is_some() {
            return today.year().checked_sub(2);
        }
        today.year().checked_add(offset(which_after(r)?) as i16)
    })
}

/// `2024`, `năm 2024`, `the 1990s`.
fn year_phrase_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    if let Some(year) = year_phrase(r, today) {
        return DayRange::year(year).map(Day::Fixed);
    }
    let year = bare_year(r)?;
    if r.done() {
        return DayRange::year(year).map(Day::Fixed);
    }
    r.one_of(&["s"]).filter(|_| year % 10 == 0)?;
    DayRange::of(DayRange::year(year)?.first, DayRange::year(year.checked_add(9)?)?.last).map(Day::Fixed)
}

fn floating(r: &mut Reader<'_>) -> Option<Floating> {
    if let Some(month) = month_name(r).or_else(|| vietnamese_month(r)) {
        return Some(Floating::Month(month));
    }
    if let Some(weekday) = weekday(r) {
        return Some(Floating::Weekday(weekday));
    }
    if r.any_phrase(&["weekend", "the weekend", "cuoi tuan"]).is_some() {
        return Some(Floating::Weekend);
    }
    if let Some(season) = season(r) {
        return Some(Floating::Season(season));
    }
    r.one_of(&["q", "quarter", "quy"])?;
    r.number(1..=1).filter(|quarter| (1..=4).contains(quarter)).map(|quarter| Floating::Quarter(quarter as i8))
}

/// `march 2024`, `summer of 2024`, `tháng 3/2024`, `mùa hè năm ngoái`, `Q1 2024`, `friday last week`, `thứ sáu tuần trước`.
fn period_in_year(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let floating = floating(r)?;
    if matches!(floating, Floating::Weekday(_) | Floating::Weekend) {
        let _ = r.one_of(&["of"]);
        let week = match which(r) {
            Some(which) => r.one_of(&["week"]).map(|_| which)?,
            None => r.one_of(&["tuan"]).and_then(|_| which_after(r))?,
        };
        return floating.in_week(away(today, offset(week), Unit::Week)?).map(Day::Fixed);
    }
    floating.in_year(year_after(r, today)?).map(Day::Fixed)
}

/// `last friday`, `this summer`, `next march`, `cuối tuần này`, `hè vừa rồi`.
fn period_by_which(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    if let Some(which) = which(r) {
        return floating(r)?.which(which, today).map(Day::Fixed);
    }
    floating(r)?.which(which_after(r)?, today).map(Day::Fixed)
}

/// `friday`, `march`, `summer`, `tháng 3`: the latest that has begun.
fn bare_floating(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    floating(r).map(Day::Floating)
}
