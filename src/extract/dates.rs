//! Parser for dates in English and Vietnamese, to instants and to ranges of days.
//!
//! Case and accents do not matter (`hom qua` is `hôm qua`). An ambiguous date is rejected, never guessed: `03/04/2024`,
//! `at 9`. A journal is about the past, so a date without its year or week is the latest one that has begun:
//!
//! | text | meaning |
//! |---|---|
//! | `friday`, `thứ sáu` | the latest Friday, today included |
//! | `last friday` / `next friday` / `this friday` | the latest before today / the first after today / the one of this week |
//! | `friday last week` | the Friday of that week; weeks run from Monday to Sunday |
//! | `march`, `february 22` | the latest that has begun, today included |
//! | `last march`, `last spring` | the latest that has ended before today |
//! | `this summer` | the running one, else the one of this calendar year |
//! | `spring`, `mùa xuân` | March to May; summer, autumn (`fall`) and winter follow. Winter goes by the year of its December |
//! | `3 days ago`, `two weeks ago`, `3 tháng trước` | that day; the whole week, month or year for larger units |
//! | `last 7 days`, `7 ngày qua` | today and the six days before |
//! | `last night`, `yesterday morning` | yesterday |
//! | `2026-W08`, `q1 2024`, `the 1990s` | an ISO week, a quarter, ten years |
//! | `22/02/2024`, `ngày 3/4/2024`, `3/2024` | one reading each: a 22nd month does not exist, `ngày` puts the day first |
//! | `22/2`, `the 22nd`, `hôm 22` | the latest such day |
//! | `Thursday 5 June` | in the latest year in which it was a Thursday |
//! | `the end of April`, `mid-August`, `cuối tháng 10`, `đầu năm` | ten days of a month, two months at the ends of a year |
//! | `a week on Saturday`, `Tuesday week`, `a fortnight today` | seven or fourteen days after the next one, or today |
//! | `Christmas Eve`, `Easter`, `bonfire night` | the latest that has begun |
//! | `27 Tết`, `mùng 2 Tết`, `rằm tháng bảy`, `giao thừa`, `tháng giêng`, `tháng chạp` | days and months of the Vietnamese lunar calendar |
//! | `mùng 2 tháng 9`, `mùng 5 tháng 5` | the feast of the solar or the lunar calendar; none on other such days |
//! | `mùng 4` | that of Tết, within 20 days of it |
//! | `a..b`, `a to b`, `between a and b`, `từ a đến b`, `since a` | from the first day of a to the last of b; none if b is earlier |
//! | `monday to friday`, `december to february` | b first, looking back; then the latest a before it |
//!
//! A moment is one day and a clock time. A clock time alone is today's. `h:mm` without am or pm is on 24 hours. Parts
//! of the day mean an hour: morning 9, noon 12, afternoon 15, evening 19, night 22. A time skipped by a clock change
//! moves forward by the gap, a repeated one is the first (RFC 5545, jiff's "compatible").

mod clock_time;
mod day;
mod day_range;
mod feast_names;
mod holidays;
mod lunar;
mod phrase;
mod spoken;
#[cfg(test)]
mod tests;
mod token;
mod vocabulary;

use jiff::{
    Span, Zoned,
    civil::{Date, Time},
    fmt::temporal::Pieces,
    tz::TimeZone,
};

pub use self::{
    day::Tense,
    day_range::DayRange,
    spoken::{MOST_WORDS, spoken},
};
use self::{
    day::{Day, Floating},
    token::{Kind, Reader, Token},
    vocabulary::Unit,
};

/// "yesterday", "last week", "march 2024", "2026-02", "last spring", "tháng 3 năm ngoái": the days meant, seen from `now`.
/// The whole text must be a date; `None` otherwise. Never gives a range whose last day is before its first.
pub fn range(text: &str, now: &Zoned) -> Option<DayRange> {
    let tokens = token::tokens(text)?;
    let today = now.date();
    if let Some(day) = day_of(&tokens, today) {
        return day.range(today);
    }
    if let Some(rest) = after_opener(&tokens, &["since"]) {
        return DayRange::of(day_of(rest, today)?.range(today)?.first, today);
    }
    let inner = after_opener(&tokens, &["from", "between", "tu"]).unwrap_or(&tokens);
    from_to(inner, today, Tense::Past, |_, _, _| true)
}

/// The days meant by a text that is about the future: "may" is the next one, "friday" the next after today. `None` for a
/// day that has passed.
pub fn ahead(text: &str, today: Date) -> Option<DayRange> {
    let tokens = token::tokens(text)?;
    day_of(&tokens, today)?.said(today, Tense::Future).filter(|range| range.last >= today)
}

fn after_opener<'a>(tokens: &'a [Token], openers: &[&str]) -> Option<&'a [Token]> {
    let (first, rest) = tokens.split_first()?;
    openers.contains(&first.word()).then_some(rest)
}

/// Number of tokens of a separator between two dates at the front.
fn separator(tokens: &[Token]) -> Option<usize> {
    let first = tokens.first()?;
    match &first.kind {
        Kind::Word(word) => {
            matches!(word.as_str(), "to" | "until" | "till" | "through" | "and" | "den" | "toi").then_some(1)
        }
        Kind::Sign('.') => (tokens.get(1)?.kind == Kind::Sign('.')).then_some(2),
        Kind::Sign('–' | '—' | '…' | '→') => Some(1),
        Kind::Sign('-') => (first.glued == tokens.get(1)?.glued).then_some(1),
        _ => None,
    }
}

/// A range of two dates with a separator between them that `joins` them: the first valid parse. `tense` resolves one of
/// two recurring days, which resolves the other.
fn from_to(tokens: &[Token], today: Date, tense: Tense, joins: impl Fn(&Token, Day, Day) -> bool) -> Option<DayRange> {
    (1..tokens.len()).find_map(|at| {
        let width = separator(&tokens[at..])?;
        let right = tokens.get(at + width..).filter(|right| !right.is_empty())?;
        let left = &tokens[..at];
        let (a, b) = (day_of(left, today).or_else(|| phrase::day_of_month(left))?, day_of(right, today)?);
        if joins(&tokens[at], a, b) { between(a, b, today, tense) } else { None }
    })
}

fn day_of(tokens: &[Token], today: Date) -> Option<Day> {
    phrase::day(tokens, today).or_else(|| day_with_part(tokens, today))
}

/// From the start of one to the end of the other; a recurring date is resolved by a fixed one.
fn between(a: Day, b: Day, today: Date, tense: Tense) -> Option<DayRange> {
    let (first, last) = match (a, b) {
        (Day::Floating(a), b) if tense == Tense::Past || takes_month_of(a, b) => {
            let last = b.said(today, tense)?.last;
            (a.latest(last)?.first, last)
        }
        (a, Day::Floating(b)) => {
            let first = a.said(today, tense)?.first;
            (first, b.earliest(first)?.last)
        }
        (a, b) => (a.range(today)?.first, b.range(today)?.last),
    };
    DayRange::of(first, last)
}

/// Whether the end determines the start: `the 5th to the 9th of May`, `Monday to yesterday`.
fn takes_month_of(a: Floating, b: Day) -> bool {
    match b {
        Day::Floating(Floating::DayOfMonth(_)) => false,
        Day::Floating(_) => matches!(a, Floating::DayOfMonth(_)),
        _ => true,
    }
}

/// `yesterday morning`, `this evening`, `sáng nay`, `tối thứ bảy`: only the day.
fn day_with_part(tokens: &[Token], today: Date) -> Option<Day> {
    split_day_and(tokens, today, clock_time::part_of_day).map(|(date, _)| Day::Fixed(DayRange::day(date)))
}

/// "yesterday 3pm", "2026-02-22T15:30", "friday at 9:15", "3 days ago", "10 minutes ago", "hôm qua 15h30": one moment, seen
/// from `now`, in its zone (or with the written offset). A day without a clock time gets noon, today without one gets
/// `now`. What names more than one day ("last week") is no moment.
pub fn moment(text: &str, now: &Zoned) -> Option<Zoned> {
    if let Some(written) = iso_moment(text.trim(), now.time_zone()) {
        return Some(written);
    }
    let tokens = token::tokens(text)?;
    if let Some(moment) = shortly_ago(&tokens, now) {
        return Some(moment);
    }
    let today = now.date();
    if let Some(date) = phrase::day(&tokens, today).and_then(|day| day.single(today)) {
        let last_night = Reader::new(&tokens).phrase("last night");
        return match (date == today, last_night) {
            (true, _) => Some(now.clone()),
            (_, Some(())) => at(date, Time::constant(22, 0, 0, 0), now),
            _ => at(date, Time::constant(12, 0, 0, 0), now),
        };
    }
    if let Some(time) = clock_time::clock_time(&tokens) {
        return at(today, time, now);
    }
    let time = |tokens: &[Token]| clock_time::clock_time(tokens).or_else(|| clock_time::part_of_day(tokens));
    split_day_and(&tokens, today, time).and_then(|(date, time)| at(date, time, now))
}

fn at(date: Date, time: Time, now: &Zoned) -> Option<Zoned> {
    date.to_datetime(time).to_zoned(now.time_zone().clone()).ok()
}

/// A day on one side and something else on the other, in either order, with or without a comma.
fn split_day_and(tokens: &[Token], today: Date, other: impl Fn(&[Token]) -> Option<Time>) -> Option<(Date, Time)> {
    (1..tokens.len()).find_map(|cut| {
        let (left, right) = tokens.split_at(cut);
        let right = match right.split_first() {
            Some((token, rest)) if token.kind == Kind::Sign(',') => rest,
            _ => right,
        };
        let day = |tokens: &[Token]| day_beside_part(tokens, today);
        match (day(left), other(right)) {
            (Some(date), Some(time)) => Some((date, time)),
            _ => Some((day(right)?, other(left)?)),
        }
    })
}

/// With a part of the day, `this` and `nay` mean today, `qua` yesterday (`this morning`, `sáng nay`, `tối qua`).
fn day_beside_part(tokens: &[Token], today: Date) -> Option<Date> {
    match tokens {
        [token] if matches!(token.word(), "this" | "nay") => Some(today),
        [token] if token.word() == "qua" => today.yesterday().ok(),
        _ => phrase::day(tokens, today)?.single(today),
    }
}

/// `an hour ago`, `10 minutes ago`, `half an hour ago`, `in 2 hours`, `30 phút trước`.
fn shortly_ago(tokens: &[Token], now: &Zoned) -> Option<Zoned> {
    let mut r = Reader::new(tokens);
    let ahead = r.one_of(&["in"]).is_some();
    let since = !ahead && r.phrase("cach day").is_some();
    let minutes = if r.any_phrase(&["half an hour", "half hour", "nua tieng", "nua gio"]).is_some() {
        30
    } else {
        let count = i64::from(vocabulary::count(&mut r)?);
        match vocabulary::unit(&mut r)? {
            Unit::Minute => count,
            Unit::Hour => count.checked_mul(60)?,
            _ => return None,
        }
    };
    let past = r.any_phrase(&["ago", "truoc day", "truoc"]).is_some() || since;
    let sign = match (ahead, past) {
        (true, false) => 1,
        (false, true) => -1,
        _ => return None,
    };
    r.done().then_some(())?;
    now.checked_add(Span::new().try_minutes(sign * minutes).ok()?).ok()
}

/// RFC 3339 and ISO 8601: with an offset kept as written, or without one in the writer's zone.
fn iso_moment(text: &str, zone: &TimeZone) -> Option<Zoned> {
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Some(zoned);
    }
    let pieces = Pieces::parse(text).ok()?;
    let local = pieces.date().to_datetime(pieces.time()?);
    let zone = pieces.to_numeric_offset().map_or_else(|| zone.clone(), TimeZone::fixed);
    local.to_zoned(zone).ok()
}
