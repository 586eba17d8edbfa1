//! Moments and periods as typed: "yesterday 3pm", "last week", "2026-02".

use jiff::{Timestamp, Zoned, civil, tz::Offset};

use super::fields::one_line;
use crate::{extract::dates, journal::EntryTime, report::Report, search::two_readings};

/// Parses a moment ("yesterday 3pm", "2026-02-22T15:30") as an entry's time.
pub fn moment(text: &str, now: &Zoned) -> Result<EntryTime, Report> {
    const EXAMPLES: &str = "examples: \"yesterday 3pm\", \"friday at 9:15\", \"3 days ago\", \"2026-02-22 15:30\"";
    let when = dates::moment(text.trim(), now).ok_or_else(|| unread(text, "time", EXAMPLES, now))?;
    Ok(EntryTime::of(&when))
}

fn unread(text: &str, what: &str, examples: &str, now: &Zoned) -> Report {
    match two_readings(text, now.date()) {
        Some(readings) => Report::usage(readings),
        None => Report::usage(format!("`{text}` is not a valid {what}")).hint(examples),
    }
}

/// The moment of an `--at`, or now.
pub fn at_or_now(at: Option<&str>, now: &Zoned) -> Result<Zoned, Report> {
    at.map_or_else(|| Ok(now.clone()), |at| self::at(at, now))
}

/// Parses a moment as [`moment`] does, or a timestamp.
fn at(text: &str, now: &Zoned) -> Result<Zoned, Report> {
    match text.parse::<Timestamp>() {
        Ok(at) => Ok(at.to_zoned(now.time_zone().clone())),
        Err(_) => Ok(zoned(&moment(text, now)?)),
    }
}

/// An entry's time in its own offset, as the reference for relative dates.
pub fn zoned(time: &EntryTime) -> Zoned {
    let offset = Offset::from_seconds(time.offset_seconds).unwrap_or(Offset::UTC);
    time.at.to_zoned(offset.to_time_zone())
}

/// Parses a range of days: "last week", "2026-02", "march 2024".
pub fn days(text: &str, now: &Zoned) -> Result<dates::DayRange, Report> {
    const EXAMPLES: &str = "examples: \"yesterday\", \"last week\", \"march 2024\", \"2026-02\", \"2026-02-22\"";
    dates::range(text.trim(), now).ok_or_else(|| unread(text, "date", EXAMPLES, now))
}

/// Parses one day; today if there is no text.
pub fn one_day(text: Option<&str>, now: &Zoned) -> Result<civil::Date, Report> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(now.date()) };
    let days = days(text, now)?;
    if days.first != days.last {
        let report = Report::usage(format!("`{text}` is more than one day"));
        return Err(report.hint(format!("for a week, month or year: `kioku review {}`", text.trim())));
    }
    Ok(days.first)
}

/// Parses a day to come: the last of the days named.
pub fn due_day(text: &str, now: &Zoned) -> Result<civil::Date, Report> {
    let days = dates::ahead(text.trim(), now.date());
    days.map(|days| days.last).ok_or_else(|| {
        Report::usage(format!("`{text}` is not a day to come"))
            .hint("examples: \"friday\", \"may\", \"next week\", \"2027-05-31\"")
    })
}

/// Parses the first and last day of a period; either may be open.
pub fn period(
    from: Option<&str>,
    to: Option<&str>,
    now: &Zoned,
) -> Result<(Option<civil::Date>, Option<civil::Date>), Report> {
    let first = from.map(|text| days(text, now)).transpose()?.map(|days| days.first);
    let last = to.map(|text| days(text, now)).transpose()?.map(|days| days.last);
    if let (Some(first), Some(last)) = (first, last)
        && first > last
    {
        return Err(Report::usage(format!("the first day ({first}) is later than the last ({last})")));
    }
    Ok((first, last))
}

/// Parses `event_time`. A relative date such as "yesterday" is resolved to a day, month or year, relative to the
/// entry's own `time`, because its meaning would change later. Anything else is kept as free text.
pub fn event_time(text: &str, time: &Zoned) -> Result<String, Report> {
    let text = one_line("the event time", text)?;
    let Some(days) = dates::range(&text, time) else { return Ok(text) };
    let (first, last) = (days.first, days.last);
    Ok(if first == last {
        first.to_string()
    } else if first == first.first_of_month() && last == first.last_of_month() {
        first.strftime("%Y-%m").to_string()
    } else if first == first.first_of_year() && last == first.last_of_year() {
        first.strftime("%Y").to_string()
    } else {
        text
    })
}
