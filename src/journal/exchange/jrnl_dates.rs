//! Date parser for jrnl files: first the given format, then any unambiguous form.

use jiff::{
    civil::{Date, DateTime, Time},
    fmt::strtime::BrokenDownTime,
};

use super::{ExchangeError, ImportOptions, Imported, LossKind, Spot, wall_time};
use crate::journal::{EntryTime, english_month};

/// The interpretation of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// A unique date and time. Without a time of day, noon: midnight would belong to the day before if `day_start` is
    /// later.
    Sure(DateTime),
    /// Two numbers that may be day and month in either order, then the year.
    Either { first: i8, second: i8, year: i16, time: Option<Time> },
    /// Three numbers of at most two digits and a clock time: it is unknown which one is the year.
    ShortYear,
}

/// The order of day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
}

impl Reading {
    /// The order that this date proves: one of its numbers is too large for a month.
    pub(super) fn order(self) -> Option<Order> {
        match self {
            Self::Either { first, second, .. } if first > 12 && second <= 12 => Some(Order::DayFirst),
            Self::Either { first, second, .. } if second > 12 && first <= 12 => Some(Order::MonthFirst),
            Self::Either { .. } | Self::Sure(_) | Self::ShortYear => None,
        }
    }

    /// The order that some dates of a file prove, and none contradicts.
    pub(super) fn common_order(readings: impl Iterator<Item = Self>) -> Option<Order> {
        let orders: Vec<Order> = readings.filter_map(Self::order).collect();
        orders.first().copied().filter(|first| orders.iter().all(|order| order == first))
    }

    /// The date and time, given the order of the file's dates; `None` if that is needed and unknown.
    pub(super) fn moment(self, order: Option<Order>) -> Option<DateTime> {
        match (self, order) {
            (Self::Sure(moment), _) => Some(moment),
            (Self::ShortYear, _) => None,
            (Self::Either { first, second, year, time }, order) => {
                let (day, month) = match order {
                    _ if first == second => (first, second),
                    Some(Order::DayFirst) => (first, second),
                    Some(Order::MonthFirst) => (second, first),
                    None => return None,
                };
                Some(at(Date::new(year, month, day).ok()?, time))
            }
        }
    }
}

/// A day at a time, or at noon if it is not known.
pub(super) fn at(date: Date, time: Option<Time>) -> DateTime {
    date.to_datetime(time.unwrap_or(Time::constant(12, 0, 0, 0)))
}

/// A date format from the user or `jrnl.yaml`.
#[derive(Debug, Clone)]
pub(super) struct Format {
    letters: String,
}

impl ImportOptions {
    /// The time format that the user gave.
    pub(super) fn format(&self) -> Result<Option<Format>, ExchangeError> {
        let checked = |given: &String| {
            Format::new(given).map_err(|reason| ExchangeError::TimeFormat { format: given.clone(), reason })
        };
        self.time_format.as_ref().map(checked).transpose()
    }

    /// The time that a text states, with its offset: in the given format, or else in any unambiguous form. A day without
    /// a time is noon.
    pub(super) fn moment(&self, written: &str, format: Option<&Format>) -> Option<EntryTime> {
        let own = || {
            wall_time(format.map_or_else(|| read(written)?.moment(None), |format| format.whole(written))?, &self.zone)
        };
        let with_offset = |time: EntryTime| match time.written["2026-02-22T".len()..].contains(['Z', 'z', '+', '-']) {
            true => time,
            false => EntryTime { written: time.respelled(), ..time },
        };
        EntryTime::parse(written, &self.zone).filter(|_| format.is_none()).map(with_offset).or_else(own)
    }

    /// Whether a text that is a [moment](Self::moment) states a time of day.
    pub(super) fn has_clock(&self, written: &str, format: Option<&Format>) -> bool {
        let own = || EntryTime::parse(written, &self.zone).is_some() || has_clock(written);
        format.map_or_else(own, |format| format.clock(written).is_some())
    }
}

impl Format {
    /// Checks a format. Expands locale-dependent directives (`%r`, `%c`...) as in the C locale.
    pub(super) fn new(given: &str) -> Result<Self, String> {
        let letters = given
            .replace("%r", "%I:%M:%S %p")
            .replace("%c", "%a %b %e %H:%M:%S %Y")
            .replace("%x", "%m/%d/%y")
            .replace("%X", "%H:%M:%S");
        let format = Self { letters };
        let spelled = format.sample().map_err(|error| error.to_string())?;
        if format.whole(&spelled).is_none() && format.clock(&spelled).is_none() {
            return Err("it names neither a day nor a time".into());
        }
        Ok(format)
    }

    /// Whether the format contains a date. In a folder journal, where the path is the date, it need not.
    pub(super) fn names_day(&self) -> bool {
        self.sample().is_ok_and(|spelled| self.whole(&spelled).is_some())
    }

    /// A time in this format, with an offset for `%z`.
    fn sample(&self) -> Result<String, jiff::Error> {
        let time = jiff::civil::date(2021, 3, 4).at(5, 6, 7, 0).to_zoned(jiff::tz::TimeZone::UTC)?;
        BrokenDownTime::from(&time).to_string(&self.letters)
    }

    /// Parses a text in this format as a time of day.
    pub(super) fn clock(&self, text: &str) -> Option<Time> {
        let parts = BrokenDownTime::parse(&self.letters, text).ok()?;
        parts.hour()?;
        parts.to_time().ok()
    }

    /// Parses the whole text in this format.
    pub(super) fn whole(&self, text: &str) -> Option<DateTime> {
        moment_of(&BrokenDownTime::parse(&self.letters, text).ok()?)
    }

    /// Parses the start of a line in this format. Returns the moment and its length in bytes.
    pub(super) fn prefix(&self, line: &str) -> Option<(DateTime, usize)> {
        let (parts, length) = BrokenDownTime::parse_prefix(&self.letters, line).ok()?;
        Some((moment_of(&parts)?, length))
    }
}

fn moment_of(parts: &BrokenDownTime) -> Option<DateTime> {
    let time = parts.hour().map(|_| parts.to_time()).transpose().ok()?;
    Some(at(parts.to_date().ok()?, time))
}

/// Parses a date in brackets. The year has four digits; the month is a number or an English or German name; only a
/// weekday, a clock time, punctuation and the words of a Vietnamese or German date may be added.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut numbers: Vec<(u16, usize)> = Vec::new();
    let (mut month, mut time, mut is_day_first, mut is_weekday) = (None, None, false, false);
    for word in words(text.trim()) {
        let follows_weekday = std::mem::take(&mut is_weekday);
        match word {
            Word::Time(clock) if time.is_none() => time = Some(clock),
            // `Thứ 2` is Monday.
            Word::Number(2..=7, 1) if follows_weekday => {}
            Word::Number(value, digits) if numbers.len() < 3 => numbers.push((value, digits)),
            Word::Name(name) => {
                let name = name.to_lowercase();
                let is_local = DAY_FIRST.split_whitespace().any(|word| word == name);
                is_day_first |= is_local;
                is_weekday = name == "thứ";
                match english_month(&name).or_else(|| german_month(&name)) {
                    Some(number) if month.is_none() => month = Some(number),
                    _ if is_local || is_filler(&name) => {}
                    _ => return None,
                }
            }
            Word::Time(_) | Word::Number(..) | Word::Unreadable => return None,
        }
    }
    let small = |(value, digits): (u16, usize)| (digits <= 2).then_some(value as i8);
    let year = |(value, digits): (u16, usize)| (digits == 4).then_some(value as i16);
    match (month, numbers.as_slice()) {
        (None, &[y, m, d]) if y.1 == 4 => {
            Some(Reading::Sure(at(Date::new(year(y)?, small(m)?, small(d)?).ok()?, time)))
        }
        (None, &[a, b, y]) if time.is_some() && [a, b, y].iter().all(|number| number.1 <= 2) => {
            Some(Reading::ShortYear)
        }
        (None, &[a, b, y]) => {
            let reading = Reading::Either { first: small(a)?, second: small(b)?, year: year(y)?, time };
            if is_day_first {
                return reading.moment(Some(Order::DayFirst)).map(Reading::Sure);
            }
            // It must be a valid date in at least one order.
            [Order::DayFirst, Order::MonthFirst]
                .iter()
                .any(|order| reading.moment(Some(*order)).is_some())
                .then_some(reading)
        }
        (Some(m), &[d, y]) if y.1 == 4 => Some(Reading::Sure(at(Date::new(year(y)?, m, small(d)?).ok()?, time))),
        (Some(m), &[y, d]) if y.1 == 4 => Some(Reading::Sure(at(Date::new(year(y)?, m, small(d)?).ok()?, time))),
        _ => None,
    }
}

impl Imported {
    /// Reports a line that stays text because its date does not exist.
    pub(super) fn doubt_date(&mut self, date: &str, at: Spot<'_>) {
        let message = format!("line {} looks like the start of an entry, but \"{date}\" is no date", at.line);
        self.lose(LossKind::Doubtful, at.path, at.line, message);
    }
}

/// A text of the same length in which every number of one or two digits is 1. If it reads as a date and the original
/// does not, the original has the form of a date that does not exist, such as `2026-02-30`.
pub(super) fn with_ones(text: &str) -> String {
    let mut spelled = text.to_owned();
    let mut start = 0;
    for part in text.split(|c: char| !c.is_ascii_digit()) {
        if matches!(part.len(), 1 | 2) {
            spelled.replace_range(start..start + part.len(), &"01"[2 - part.len()..]);
        }
        let end = start + part.len();
        start = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    spelled
}

/// Whether a text that [reads](read) as a date states a time of day.
pub(super) fn has_clock(date: &str) -> bool {
    // What cannot be read is never consumed.
    let mut readable = words(date).take_while(|word| !matches!(word, Word::Unreadable));
    readable.any(|word| matches!(word, Word::Time(_)))
}

/// Parses a text that is only a clock time.
pub(super) fn clock_alone(text: &str) -> Option<Time> {
    clock(text.trim()).filter(|(_, rest)| rest.is_empty()).map(|(time, _)| time)
}

/// Parses `2013-06-09 15:39` at the start of a line, for files without brackets. Returns the date and its length in
/// bytes.
pub(super) fn bare_prefix(line: &str) -> Option<(Reading, usize)> {
    line.get(..10).filter(|text| text.bytes().filter(u8::is_ascii_digit).count() == 8)?;
    let rest = line[10..].strip_prefix([' ', 'T'])?;
    let length = line.len() - clock(rest)?.1.len();
    Some((read(&line[..length])?, length))
}

enum Word<'a> {
    Number(u16, usize),
    Time(Time),
    Name(&'a str),
    Unreadable,
}

fn words(mut rest: &str) -> impl Iterator<Item = Word<'_>> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "-/.,".contains(c));
        let first = rest.chars().next()?;
        if first.is_ascii_digit() {
            if let Some((time, behind)) = clock(rest) {
                rest = behind;
                return Some(Word::Time(time));
            }
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, behind) = rest.split_at(digits);
            // Skip the `T` in 2026-08-07T21:00.
            rest = behind.strip_prefix('T').filter(|rest| clock(rest).is_some()).unwrap_or(behind);
            return Some(number.parse().map_or(Word::Unreadable, |value| Word::Number(value, digits)));
        }
        let letters: usize = rest.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum();
        if letters == 0 {
            return Some(Word::Unreadable);
        }
        let (name, behind) = rest.split_at(letters);
        rest = behind;
        Some(Word::Name(name))
    })
}

/// Parses `9:05`, `21:05:30`, `09:05:30 PM` or `9pm` at the start of a text. Returns the time and the rest.
fn clock(text: &str) -> Option<(Time, &str)> {
    let (hour, mut rest) = two_digits(text)?;
    let mut parts = [0i8; 2];
    let mut given = 0;
    while given < 2
        && let Some((value, after)) = rest.strip_prefix(':').and_then(two_digits)
    {
        parts[given] = value;
        rest = after;
        given += 1;
    }
    let half = rest.trim_start();
    let letters: usize = half.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '.').count();
    let afternoon = match half[..letters].to_ascii_lowercase().trim_end_matches('.') {
        "am" | "a.m" => Some(false),
        "pm" | "p.m" => Some(true),
        _ => None,
    };
    let hour = match afternoon {
        None if given == 0 => return None,
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => {
            rest = &half[letters..];
            hour % 12 + if afternoon { 12 } else { 0 }
        }
    };
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == ':') {
        return None;
    }
    Some((Time::new(hour, parts[0], parts[1], 0).ok()?, rest))
}

fn two_digits(text: &str) -> Option<(i8, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 2 {
        return None;
    }
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

/// Words of a date in languages that write the day first.
const DAY_FIRST: &str = "ngày tháng năm thứ hai ba tư bốn sáu bảy chủ nhật den der um uhr mo di mi do fr sa so \
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag";

/// The number of a month by its German name or its first three letters.
fn german_month(name: &str) -> Option<i8> {
    const MONTHS: &str = "januar februar märz april mai juni juli august september oktober november dezember";
    let is_it = |month: &str| name == month || name.chars().count() == 3 && month.starts_with(name);
    (1..).zip(MONTHS.split(' ')).find(|(_, month)| is_it(month)).map(|(number, _)| number)
}

fn is_filler(name: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    matches!(name, "st" | "nd" | "rd" | "th" | "at" | "of")
        || (name.len() >= 3 && DAYS.iter().any(|day| day.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(text: &str) -> String {
        match read(text) {
            Some(Reading::Sure(moment)) => moment.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn spellings_that_mean_one_moment() {
        for (text, moment) in [
            ("2026-08-07 09:00:00 PM", "2026-08-07T21:00:00"),
            ("2026-08-07 21:00", "2026-08-07T21:00:00"),
            ("2026-08-07T21:00:30", "2026-08-07T21:00:30"),
            ("2026/8/7 9:05", "2026-08-07T09:05:00"),
            ("2026-08-07", "2026-08-07T12:00:00"),
            ("Friday, August 7, 2026 at 9:30 p.m.", "2026-08-07T21:30:00"),
            ("7 Aug 2026 12am", "2026-08-07T00:00:00"),
            ("Aug 7th 2026 12:10pm", "2026-08-07T12:10:00"),
            ("Sept 7 2026 07:00", "2026-09-07T07:00:00"),
            ("ngày 3 tháng 2 năm 2024", "2024-02-03T12:00:00"),
            ("Thứ hai, ngày 3/2/2024", "2024-02-03T12:00:00"),
            ("Thứ 2, 3/2/2024 21:05", "2024-02-03T21:05:00"),
            ("Chủ nhật, 4-2-2024", "2024-02-04T12:00:00"),
            ("3. Februar 2024", "2024-02-03T12:00:00"),
            ("Montag, den 3. März 2024 um 9:05 Uhr", "2024-03-03T09:05:00"),
            ("So. 03.02.2024", "2024-02-03T12:00:00"),
            ("1. Dez. 2024", "2024-12-01T12:00:00"),
            ("5. Mai 2024", "2024-05-05T12:00:00"),
        ] {
            assert_eq!(sure(text), moment, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_stays_text() {
        for text in [
            "1",
            "x",
            "2020",
            "todo 2020-01-02",
            "May 2020",
            "2020-13-01",
            "2020-02-30 10:00",
            "31/31/2020",
            "12:30",
            "",
            "…",
            "ngày 3 tháng 2",
            "năm 2024",
            "Thứ hai, 3/22/2024",
            "3/4/2024 am",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_date_that_does_not_exist_is_told_from_other_text() {
        for text in ["2026-02-30 10:00", "31/31/2020", "Feb 30, 2026 10:00 PM", "2026-02-20 25:00"] {
            assert!(read(text).is_none() && read(&with_ones(text)).is_some(), "{text}");
        }
        for text in ["1", "todo 2020-02-30", "192.168.1.100", "é 2", "5/6"] {
            assert_eq!(read(&with_ones(text)), None, "{text}");
        }
        assert_eq!(with_ones("é2 30.2026ố7"), "é1 01.2026ố1");
    }

    #[test]
    fn two_orders_are_never_guessed() {
        let reading = read("03/04/2024 10:00").unwrap();
        assert_eq!((reading.order(), reading.moment(None)), (None, None));
        assert_eq!(reading.moment(Some(Order::DayFirst)).unwrap().to_string(), "2024-04-03T10:00:00");
        assert_eq!(reading.moment(Some(Order::MonthFirst)).unwrap().to_string(), "2024-03-04T10:00:00");
        assert_eq!(read("25.04.2024 10:00").unwrap().order(), Some(Order::DayFirst));
        assert_eq!(read("04/25/2024 10:00").unwrap().order(), Some(Order::MonthFirst));
        assert_eq!(read("03/04/24 10:00"), Some(Reading::ShortYear));
        assert_eq!(read("04/04/2024").unwrap().moment(None).unwrap().to_string(), "2024-04-04T12:00:00");
    }

    #[test]
    fn a_given_format_reads_what_the_letters_say() {
        let format = Format::new("%d/%m/%y %H:%M").unwrap();
        assert_eq!(format.whole("03/04/24 10:00").unwrap().to_string(), "2024-04-03T10:00:00");
        assert_eq!(format.prefix("03/04/24 10:00 Title").unwrap().1, 14);
        let twelve = Format::new("%F %r").unwrap();
        assert_eq!(twelve.whole("2026-08-07 09:00:00 PM").unwrap().to_string(), "2026-08-07T21:00:00");
        assert_eq!(Format::new("%F").unwrap().whole("2026-08-07").unwrap().to_string(), "2026-08-07T12:00:00");
        assert!(!Format::new("%H:%M").unwrap().names_day());
        assert_eq!(Format::new("%H:%M").unwrap().clock("09:10").unwrap().to_string(), "09:10:00");
        assert!(Format::new("%Q%").is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}", format in "(%[a-zA-Z%:]|[ /:-]){0,8}") {
            read(&text);
            if let Ok(format) = Format::new(&format) {
                format.whole(&text);
                format.prefix(&text);
            }
        }
    }
}
