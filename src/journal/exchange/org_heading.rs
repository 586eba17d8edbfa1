//! Headings of org files: date, clock time and title.

use std::borrow::Cow;

use jiff::civil::{Date, Time};

use super::jrnl_dates::{clock_alone, read as read_date};

/// A heading without its stars and tags.
#[derive(Default)]
pub(super) struct Heading<'t> {
    pub date: Option<Date>,
    pub clock: Option<Time>,
    /// Without date, time and keyword.
    pub title: Cow<'t, str>,
    /// `TODO`, `DONE` or another state in front of a date or time.
    pub keyword: Option<&'t str>,
    /// Whether it states its day, also one of unknown order.
    pub is_dated: bool,
    /// Whether it has a clock time or a timestamp.
    pub is_timed: bool,
    /// Whether it is the heading of a day or a longer period: what is below it are entries of their own.
    pub is_day: bool,
}

const KEYWORDS: &str = "TODO DONE NEXT WAITING WAIT HOLD STARTED DOING LATER NOW SOMEDAY CANCELLED CANCELED PROJ";

/// Names of the weekdays from Monday: Emacs writes them in the user's language.
const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "montag", "lundi", "lunes", "lunedì", "segunda-feira", "maandag", "thứ hai"],
    &["tuesday", "dienstag", "mardi", "martes", "martedì", "terça-feira", "dinsdag", "thứ ba"],
    &["wednesday", "mittwoch", "mercredi", "miércoles", "mercoledì", "quarta-feira", "woensdag", "thứ tư"],
    &["thursday", "donnerstag", "jeudi", "jueves", "giovedì", "quinta-feira", "donderdag", "thứ năm"],
    &["friday", "freitag", "vendredi", "viernes", "venerdì", "sexta-feira", "vrijdag", "thứ sáu"],
    &["saturday", "samstag", "samedi", "sábado", "sabato", "zaterdag", "thứ bảy"],
    &["sunday", "sonntag", "dimanche", "domingo", "domenica", "zondag", "chủ nhật"],
];

impl<'t> Heading<'t> {
    /// Reads a heading. `day` is the day above it, for a date whose parts are in an unknown order.
    pub fn of(text: &'t str, day: Option<Date>) -> Self {
        let (first, rest) = split_word(text);
        let is_keyword = KEYWORDS.split(' ').any(|known| known == first);
        let (keyword, behind) = if is_keyword { (Some(first), rest) } else { (None, text) };
        let (first, rest) = split_word(behind);
        if let Some(clock) = clock_of(first) {
            return Self { keyword, clock: Some(clock), title: rest.into(), is_timed: true, ..Self::default() };
        }
        let dated = Self { keyword, is_dated: true, ..Self::default() };
        if let Some((date, clock, title)) = stamped(behind) {
            return Self { date: Some(date), clock, title, is_timed: true, ..dated };
        }
        if let Some((date, clock, title)) = led_by_date(behind) {
            let is_day = clock.is_none() && keyword.is_none();
            return Self { date: Some(date), clock, title: title.into(), is_timed: clock.is_some(), is_day, ..dated };
        }
        if let Some(date) = whole_date(text, day) {
            return Self { date, is_dated: true, is_day: true, ..Self::default() };
        }
        let date = date_in(text);
        let others: Vec<&str> = text.split_whitespace().filter(|word| date_in(word).is_none()).collect();
        match date.is_some() && is_weekday(&others.join(" "), date) {
            true => Self { date, is_dated: true, is_day: true, ..Self::default() },
            false => Self { title: text.into(), ..Self::default() },
        }
    }
}

/// Whether a heading is a year, month or week of a date tree: `2026`, `2026-04`, `2026-W14`, and below the year also
/// `2026-04 April`.
pub(super) fn is_period(heading: &str, above: Option<&str>) -> bool {
    let is_number = |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, name) = split_word(heading);
    match first.split_once('-') {
        None => is_number(first, 4) && name.is_empty(),
        Some((year, part)) => {
            let is_named = name.is_empty() || above == Some(year) && !name.contains(' ');
            is_number(year, 4) && is_number(part.strip_prefix('W').unwrap_or(part), 2) && is_named
        }
    }
}

/// The first `2026-08-07` or `20260807` in a text.
pub(super) fn date_in(text: &str) -> Option<Date> {
    let is_number = |c: char| c.is_ascii_digit() || c == '-';
    text.split(|c| !is_number(c)).find_map(|word| match word.len() {
        10 => word.parse().ok(),
        8 if !word.contains('-') => format!("{}-{}-{}", &word[..4], &word[4..6], &word[6..]).parse().ok(),
        _ => None,
    })
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn clock_of(word: &str) -> Option<Time> {
    clock_alone(word).filter(|_| word.contains(':'))
}

/// The date and time of the first timestamp, such as `[2026-08-07 Fri 09:30]` or `<2026-08-07>`, and the text without
/// it. A range or a repeated timestamp stays in the text, because an entry has one time.
fn stamped(text: &str) -> Option<(Date, Option<Time>, Cow<'_, str>)> {
    text.match_indices(['[', '<']).find_map(|(at, _)| {
        let (inner, after) = text[at + 1..].split_once([']', '>'])?;
        let date = inner.get(..10)?.parse().ok()?;
        let clock = inner.split([' ', '-']).find_map(clock_of);
        let is_single = inner.split(' ').count() <= 3 && !inner[10..].contains(['-', '+']) && !after.starts_with("--");
        let title = match is_single {
            true => format!("{} {}", text[..at].trim_end(), after.trim_start()).trim().to_owned().into(),
            false => text.into(),
        };
        Some((date, clock, title))
    })
}

/// `2026-04-02 Thu 12:30 title`, also without the weekday or the time.
fn led_by_date(text: &str) -> Option<(Date, Option<Time>, &str)> {
    let (first, rest) = split_word(text);
    let first = first.trim_end_matches([',', ':', '.']);
    let date = date_in(first).filter(|_| first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))?;
    let ends = rest.match_indices(' ').map(|(at, _)| at).chain([rest.len()]).take(2);
    let end = ends.filter(|end| is_weekday(&rest[..*end], Some(date))).last().unwrap_or(0);
    let rest = rest[end..].trim_start();
    let (word, title) = split_word(rest);
    Some(match clock_of(word) {
        Some(clock) => (date, Some(clock), title),
        None => (date, None, rest),
    })
}

/// The date of a heading that is only a date, in words or in the order of the writer's country: `Friday, 08/07/2026`.
/// The date is `None` if day and month cannot be told apart.
fn whole_date(text: &str, day: Option<Date>) -> Option<Option<Date>> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    // Only with a time, two digits are read as a year.
    let short = |text: &str| read_date(&format!("{text} 0:00")).filter(|_| digits >= 4);
    let read = |text: &str| read_date(text).or_else(|| short(text));
    // A heading with a time is not that of a day.
    let read = |text: &str| read(text).filter(|_| !text.contains(':'));
    let date = |text: &str| Some(read(text)?.moment(None).map(|moment| moment.date()));
    date(text).or_else(|| {
        let (name, rest) = text.split_once(", ")?;
        date(rest).filter(|date| is_weekday(name, date.or(day)))
    })
}

/// Whether a text is the name of the weekday of a date, or of any weekday; also its first three letters.
fn is_weekday(text: &str, date: Option<Date>) -> bool {
    let name = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let names = date.map_or(0..7, |date| {
        let at = date.weekday().to_monday_zero_offset() as usize;
        at..at + 1
    });
    let is_short = name.chars().count() == 3;
    let known = WEEKDAYS[names].iter().copied().flatten();
    known.copied().any(|known| known == name || is_short && !known.contains(' ') && known.starts_with(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Day, time, title, and whether it is the heading of a day.
    fn of(text: &str) -> (String, String, String, bool) {
        let heading = Heading::of(text, None);
        let date = heading.date.map(|date| date.to_string()).unwrap_or_default();
        let clock = heading.clock.map(|clock| clock.strftime("%H:%M").to_string()).unwrap_or_default();
        (date, clock, heading.title.into_owned(), heading.is_day)
    }

    #[test]
    fn date_time_and_title_of_a_heading() {
        for (text, date, clock, title, is_day) in [
            ("TODO [2026-04-02 Thu 12:30] call the bank", "2026-04-02", "12:30", "call the bank", false),
            ("DONE <2026-04-03 Fri> pay rent", "2026-04-03", "", "pay rent", false),
            ("Meeting [#A] [2026-04-05 Sun 09:15] at home", "2026-04-05", "09:15", "Meeting [#A] at home", false),
            ("Trip <2026-04-05 Sun 09:15-10:00>", "2026-04-05", "09:15", "Trip <2026-04-05 Sun 09:15-10:00>", false),
            ("2026-04-02 Thu 12:30 call the bank", "2026-04-02", "12:30", "call the bank", false),
            ("2026-04-02 Thursday holiday in Hue", "2026-04-02", "", "holiday in Hue", true),
            ("2026-04-05 sunny", "2026-04-05", "", "sunny", true),
            ("2026-04-02 thứ năm", "2026-04-02", "", "", true),
            ("Donnerstag, 2026-04-02", "2026-04-02", "", "", true),
            ("7 August 2026", "2026-08-07", "", "", true),
            ("Friday, 08/07/2026", "", "", "", true),
            ("Sunday, 03/03/24", "", "", "", true),
            ("Freitag, 07.08.2026", "2026-08-07", "", "", true),
            ("Pay before 2026-05-01", "", "", "Pay before 2026-05-01", false),
            ("09:30 By the lake", "", "09:30", "By the lake", false),
            ("TODO read 1984 and 2001", "", "", "TODO read 1984 and 2001", false),
            ("[2026-02-30 Mon] no day", "", "", "[2026-02-30 Mon] no day", false),
        ] {
            assert_eq!(of(text), (date.to_owned(), clock.to_owned(), title.to_owned(), is_day), "{text}");
        }
    }

    #[test]
    fn only_periods_of_a_date_tree_are_periods() {
        for (heading, above) in
            [("2026", None), ("2026-04", None), ("2026-W14", Some("2026")), ("2026-04 avril", Some("2026"))]
        {
            assert!(is_period(heading, above), "{heading}");
        }
        for (heading, above) in
            [("2026-04 trip", None), ("2026 plans", None), ("2026-04 to Hue", Some("2026")), ("20", None)]
        {
            assert!(!is_period(heading, above), "{heading}");
        }
    }
}
