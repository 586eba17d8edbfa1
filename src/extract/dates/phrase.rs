//! Grammar of days and periods: one function per form.

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::{
    day::{Day, Floating},
    day_range::{DayRange, away, days_from},
    feast_names::{holiday, lunar_month},
    holidays::Holiday,
    token::{Reader, Token},
    vocabulary::{
        Unit, Which, count, count_of_units, month_name, nth, ordinal_word, part, season, unit, vietnamese_month,
        weekday, which, which_after,
    },
};

/// Words before a date that do not change it.
const OPENERS: &[&str] = &["on", "in", "at", "during", "the", "of", "vao", "luc", "hoi", "trong", "hom", "dip", "sang"];

/// Parses all of `tokens` as one day or period.
pub(super) fn day(tokens: &[Token], today: Date) -> Option<Day> {
    let readings: [fn(&mut Reader<'_>, Date) -> Option<Day>; 18] = [
        iso,
        numeric,
        near_day,
        away_phrase,
        on_from,
        weekday_week,
        before_last,
        last_so_many,
        relative_unit,
        nth_weekday,
        part_of,
        weekday_and_date,
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

/// `2026-02-22`, `2026-02`, `2026-W08`, with `-` or `/`; the year is first, so it is unambiguous.
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

/// `3/2024` is a month; `22/02/2024` and `22/2` are unambiguous; `03/04/2024` and `3/4` are ambiguous and rejected.
fn numeric(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    let a = i8::try_from(r.number(1..=2)?).ok()?;
    let sign = r.tight(&['/', '-', '.'])?;
    if let Some(year) = r.number(4..=4) {
        return Some(Day::Fixed(DayRange::month(Date::new(year as i16, a, 1).ok()?)));
    }
    let b = i8::try_from(r.number(1..=2)?).ok()?;
    if sign == '/' && r.done() {
        return match (a, b) {
            // "All day" and "every day".
            (24, 7) => None,
            (13.., 1..=12) => floating_day(Floating::MonthDay(b, a)),
            (1..=12, 13..) => floating_day(Floating::MonthDay(a, b)),
            _ if a == b => floating_day(Floating::MonthDay(a, b)),
            _ => None,
        };
    }
    r.tight(&[sign])?;
    // `28.2.24`: of this century.
    let year = r.number(4..=4).or_else(|| r.number(2..=2).map(|year| 2000 + year))? as i16;
    match (Date::new(year, b, a).ok(), Date::new(year, a, b).ok()) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => one.or(other).map(|date| Day::Fixed(DayRange::day(date))),
    }
}

/// Today and the days around it.
fn near_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let said = |r: &mut Reader<'_>, phrases: &[&str]| r.any_phrase(phrases).is_some();
    let days = if said(r, &["today", "tonight", "now", "right now", "hom nay", "hnay", "bay gio"]) {
        0
    } else if said(r, &["yesterday", "hom qua", "hqua", "hoi hom", "last night"]) {
        -1
    } else if tomorrow(r).is_some() {
        1
    } else {
        let _ = r.one_of(&["the"]);
        if said(r, &["day before yesterday", "night before last", "hom kia"]) {
            -2
        } else if r.phrase("day after").and_then(|()| tomorrow(r)).is_some()
            || said(r, &["ngay kia", "ngay mốt", "ngay mot", "mốt"])
        {
            2
        } else {
            return None;
        }
    };
    days_from(today, days).map(|date| Day::Fixed(DayRange::day(date)))
}

fn tomorrow(r: &mut Reader<'_>) -> Option<()> {
    r.any_phrase(&["tomorrow", "tmr", "tmrw", "tmw", "2moro", "ngay mai", "mai"])
}

/// `3 days ago`, `a fortnight ago`, `in two weeks`, `four years ago this month`, `3 ngày trước`, `cách đây 2 tuần`, `2 tuần nữa`.
fn away_phrase(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let opener = r.one_of(&["in"]).or_else(|| r.phrase("cach day").map(|()| "cach"));
    let (count, unit) = count_of_units(r).filter(|(_, unit)| !matches!(unit, Unit::Minute | Unit::Hour))?;
    if opener.is_none() && r.phrase("from today").is_some() {
        return DayRange::unit(Unit::Day, away(today, count, unit)?).map(Day::Fixed);
    }
    let past = r.any_phrase(&["ago", "before now", "truoc day", "truoc"]).is_some();
    let future = !past && r.any_phrase(&["from now", "nua"]).is_some();
    if past && opener.is_none() {
        let around = match () {
            () if r.any_phrase(&["today", "to the day"]).is_some() => Some(Unit::Day),
            () if r.phrase("this week").is_some() => Some(Unit::Week),
            () if r.phrase("this month").is_some() => Some(Unit::Month),
            () => None,
        };
        if let Some(around) = around {
            return DayRange::unit(around, away(today, -count, unit)?).map(Day::Fixed);
        }
    }
    match (opener, past, future) {
        (None, true, _) | (Some("cach"), _, false) => Some(Day::Away(-count, unit)),
        (None, _, true) | (Some("in"), false, false) => Some(Day::Away(count, unit)),
        _ => None,
    }
}

/// `a week today`, `a week on Saturday`, `a fortnight tomorrow`: British English for that long after the day.
fn on_from(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let (count, unit) = count_of_units(r).filter(|(_, unit)| *unit == Unit::Week)?;
    let from = if r.one_of(&["today"]).is_some() {
        today
    } else if tomorrow(r).is_some() {
        today.tomorrow().ok()?
    } else {
        let _ = r.one_of(&["on"]);
        Floating::Weekday(weekday(r)?).which(Which::Next, today)?.first
    };
    away(from, count, unit).map(|date| Day::Fixed(DayRange::day(date)))
}

/// `Tuesday week`, `tomorrow week`: a week after the next one.
fn weekday_week(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let next = match tomorrow(r) {
        Some(()) => today.tomorrow().ok()?,
        None => Floating::Weekday(weekday(r)?).which(Which::Next, today)?.first,
    };
    r.one_of(&["week"])?;
    days_from(next, 7).map(|date| Day::Fixed(DayRange::day(date)))
}

/// `the week before last`, `the Thursday before last`, `the weekend before last`, `the week after next`.
fn before_last(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let _ = r.one_of(&["the"]);
    if let Some(day) = weekday(r) {
        r.phrase("before last")?;
        let last = Floating::Weekday(day).which(Which::Last, today)?.first;
        return days_from(last, -7).map(|date| Day::Fixed(DayRange::day(date)));
    }
    let floating = r.one_of(&["weekend"]).map(|_| Floating::Weekend);
    let unit = if floating.is_some() { Unit::Week } else { unit(r).filter(|unit| *unit != Unit::Day)? };
    let offset = match r.phrase("before last") {
        Some(()) => -2,
        None => r.phrase("after next").map(|()| 2)?,
    };
    let date = away(today, offset, unit)?;
    match floating {
        Some(floating) => floating.in_week(date),
        None => DayRange::unit(unit, date),
    }
    .map(Day::Fixed)
}

/// `the last Friday of July`, `first Sunday in May 2024`.
fn nth_weekday(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let _ = r.one_of(&["the"]);
    let nth = nth(r)?;
    let weekday = weekday(r)?;
    r.one_of(&["of", "in"])?;
    let month = month_name(r)?;
    in_some_year(r, today, Floating::Holiday(Holiday::Nth(month, nth, weekday)))
}

/// `the end of April`, `mid-August 2024`, `first week of May`, `early this year`, `cuối tháng 10`, `đầu năm`.
fn part_of(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    // `cuối tuần` is the weekend.
    if r.attempt(|r| r.phrase("cuoi tuan")).is_some() {
        return None;
    }
    let part = part(r)?;
    let _ = r.one_of(&["the"]);
    if let Some(month) = month_name(r).or_else(|| vietnamese_month(r)) {
        return in_some_year(r, today, Floating::PartOfMonth(part, month));
    }
    if let Some(season) = season(r) {
        return in_some_year(r, today, Floating::PartOfSeason(part, season));
    }
    let mut attempt = *r;
    if let Some(Day::Fixed(range)) = relative_unit(&mut attempt, today) {
        *r = attempt;
        return range.part(part).map(Day::Fixed);
    }
    if let Some(year) = r.attempt(|r| year_phrase(r, today).or_else(|| bare_year(r))) {
        return Floating::PartOfYear(part).in_year(year).map(Day::Fixed);
    }
    match unit(r)? {
        Unit::Year => Some(Day::Floating(Floating::PartOfYear(part))),
        unit @ (Unit::Month | Unit::Week) => DayRange::unit(unit, today)?.part(part).map(Day::Fixed),
        _ => None,
    }
}

/// `Thursday 5 June`, `Mon 4 Nov`, `Sunday, May 3rd`: the weekday determines the year.
fn weekday_and_date(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let weekday = weekday(r)?;
    let _ = r.sign('.');
    let _ = r.sign(',');
    let _ = r.one_of(&["the"]);
    match month_day(r, today)? {
        Day::Floating(Floating::MonthDay(month, day)) => Some(Day::Floating(Floating::WeekdayOn(weekday, month, day))),
        Day::Fixed(range) if range.first.weekday() == weekday => Some(Day::Fixed(range)),
        _ => None,
    }
}

/// `the last 7 days`, `past 3 months`, `7 ngày qua`: that many units back, today included.
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
        None if r.one_of(&["sang"]).is_some() => (Which::Next, unit(r)?),
        None => {
            let unit = unit(r)?;
            let twice = r.phrase("truoc nua").map(|()| -2).or_else(|| r.phrase("sau nua").map(|()| 2));
            if let Some(twice) = twice {
                return DayRange::unit(unit, away(today, twice, unit)?).map(Day::Fixed);
            }
            if unit == Unit::Year && r.one_of(&["kia"]).is_some() {
                return DayRange::year(today.year().checked_sub(2)?).map(Day::Fixed);
            }
            (which_after(r)?, unit)
        }
    };
    if unit == Unit::Day {
        return None;
    }
    DayRange::unit(unit, away(today, which as i64, unit)?).map(Day::Fixed)
}

/// `22 Feb 2026`, `22nd of February`, `Feb 22, 2026`, `February 22`; `the 22nd` of any month.
fn month_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let (month, day) = match month_name(r) {
        Some(month) => {
            let _ = r.one_of(&["the"]);
            (month, ordinal(r)?)
        }
        None => {
            let the = r.one_of(&["the"]).is_some();
            let is_ordinal = |r: &Reader<'_>| {
                let mut r = *r;
                r.number(1..=2).is_some()
                    && r.peek().is_some_and(|token| token.glued)
                    && r.one_of(&ORDINALS).is_some()
                    && r.done()
            };
            let alone = the && is_ordinal(r);
            let day = ordinal(r)?;
            if alone {
                return Some(Day::Floating(Floating::DayOfMonth(day)));
            }
            let _ = r.sign('.').or_else(|| r.sign('-')).or_else(|| r.one_of(&["of"]).map(|_| ()));
            (month_name(r)?, day)
        }
    };
    in_some_year(r, today, Floating::MonthDay(month, day))
}

/// The `20` of "between 20 and 27 July".
pub(super) fn day_of_month(tokens: &[Token]) -> Option<Day> {
    let mut r = Reader::new(tokens);
    let _ = r.one_of(&["the", "ngay"]);
    let day = ordinal(&mut r)?;
    r.done().then_some(Day::Floating(Floating::DayOfMonth(day)))
}

const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];

fn ordinal(r: &mut Reader<'_>) -> Option<i8> {
    if let Some(number) = ordinal_word(r) {
        return Some(number);
    }
    let number = r.number(1..=2)?;
    if r.peek().is_some_and(|token| token.glued) {
        let _ = r.one_of(&ORDINALS);
    }
    i8::try_from(number).ok().filter(|day| (1..=31).contains(day))
}

/// `ngày 22 tháng 2 năm 2026`, `22 tháng 2`, `ngày 3/4/2024` (the word says that the day stands first).
fn vietnamese_day(r: &mut Reader<'_>, today: Date) -> Option<Day> {
    let said = r.any_phrase(&["ngay", "hom"]).is_some();
    let day = i8::try_from(r.number(1..=2)?).ok()?;
    let month = match vietnamese_month(r) {
        Some(month) => month,
        None if said && r.done() => return (1..=31).contains(&day).then_some(Day::Floating(Floating::DayOfMonth(day))),
        None if said => {
            r.tight(&['/', '-', '.'])?;
            i8::try_from(r.number(1..=2)?).ok()?
        }
        None => return None,
    };
    if r.one_of(&["am"]).is_some() {
        let _ = r.one_of(&["lich"]);
        return in_some_year(r, today, Floating::Holiday(Holiday::Lunar(month, day, 1)));
    }
    in_some_year(r, today, Floating::MonthDay(month, day))
}

/// A yearly date, with the year if given.
fn in_some_year(r: &mut Reader<'_>, today: Date, floating: Floating) -> Option<Day> {
    if r.done() {
        return floating_day(floating);
    }
    floating.in_year(year_after(r, today)?).map(Day::Fixed)
}

/// A day that does not exist (30 February) is not a date.
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
            return today.year().checked_add(which as i16);
        }
        if r.phrase("sang nam").is_some() {
            return today.year().checked_add(1);
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
        today.year().checked_add(which_after(r)? as i16)
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
    if let Some(holiday) = holiday(r) {
        return Some(holiday);
    }
    if let Some(month) = lunar_month(r) {
        return Some(Floating::LunarMonth(month));
    }
    if let Some(month) = month_name(r).or_else(|| vietnamese_month(r)) {
        let is_lunar = r.one_of(&["am"]).is_some();
        let _ = r.one_of(&["lich"]).filter(|_| is_lunar);
        return Some(if is_lunar { Floating::LunarMonth(month) } else { Floating::Month(month) });
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
            Some(which) => r.one_of(&["week"]).map(|_| which as i64)?,
            None => {
                let week = r.one_of(&["tuan"]).and_then(|_| which_after(r)).map(|which| which as i64)?;
                // `tuần sau nữa`: the week after the next.
                if r.one_of(&["nua"]).is_some() { week * 2 } else { week }
            }
        };
        return floating.in_week(away(today, week, Unit::Week)?).map(Day::Fixed);
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

/// The weekday of `this friday`, `thứ 2 này`.
pub(super) fn this_weekday(tokens: &[Token]) -> Option<Floating> {
    let mut r = Reader::new(tokens);
    let _ = r.one_of(OPENERS);
    let this = |r: &mut Reader<'_>| which(r).or_else(|| which_after(r)).filter(|which| *which == Which::This);
    let before = r.attempt(this);
    let floating = Floating::Weekday(weekday(&mut r)?);
    (before.is_some() || this(&mut r).is_some()).then_some(floating).filter(|_| r.done())
}

/// `friday`, `march`, `summer`, `tháng 3`: the latest that has begun.
fn bare_floating(r: &mut Reader<'_>, _: Date) -> Option<Day> {
    floating(r).map(Day::Floating)
}
