//! ISO 8601 date-times of heads. The written form is kept beside the parsed one.

use jiff::{Timestamp, Zoned, civil, tz::Offset, tz::TimeZone};

use super::EntryTime;

impl EntryTime {
    /// Parses `YYYY-MM-DDTHH:MM[:SS[.ffffff]]` (or a space for the `T`) with an optional offset: `Z`, `+07:00`,
    /// `+0700`, `+07`. A time without an offset is in `zone`. `None` for anything else, including impossible dates.
    pub fn parse(written: &str, zone: &TimeZone) -> Option<Self> {
        let mut digits = Digits { rest: written.as_bytes() };
        let date = civil::Date::new(
            i16::try_from(digits.number(4)?).ok()?,
            i8::try_from(digits.after(b"-", 2)?).ok()?,
            i8::try_from(digits.after(b"-", 2)?).ok()?,
        )
        .ok()?;
        let hour = i8::try_from(digits.after(b"Tt ", 2)?).ok()?;
        let minute = i8::try_from(digits.after(b":", 2)?).ok()?;
        let (mut second, mut nanosecond) = (0, 0);
        if digits.next_is(b":") {
            // jiff has no leap seconds: read one as second 59.
            second = match digits.after(b":", 2)? {
                60 => 59,
                second => i8::try_from(second).ok()?,
            };
            nanosecond = if digits.next_is(b".,") { digits.fraction()? } else { 0 };
        }
        let local = date.to_datetime(civil::Time::new(hour, minute, second, nanosecond).ok()?);
        let (at, offset) = match digits.offset()? {
            Some(offset) => (offset.to_timestamp(local).ok()?, offset),
            None => {
                let at = zone.to_timestamp(local).ok()?;
                (at, zone.to_offset(at))
            }
        };
        Some(Self { written: written.to_owned(), at, offset_seconds: offset.seconds() })
    }

    /// The time of a text without a head, of which only the day is known: written as the date, sorted as noon.
    pub fn of_day(day: civil::Date, zone: &TimeZone) -> Self {
        let noon = day.at(12, 0, 0, 0);
        let at = zone.to_timestamp(noon).or_else(|_| TimeZone::UTC.to_timestamp(noon)).unwrap_or_default();
        Self { written: day.to_string(), at, offset_seconds: zone.to_offset(at).seconds() }
    }

    /// A time of the day in a note of that day. Before the start of the day, it belongs to the next date.
    pub(super) fn of_clock(day: civil::Date, clock: civil::Time, starts: civil::Time, zone: &TimeZone) -> Option<Self> {
        let date = if clock < starts { day.tomorrow().ok()? } else { day };
        Self::parse(&format!("{date}T{}", clock_text(clock)), zone)
    }

    /// `15:30`, or an empty string if only the day is known.
    pub fn clock(&self) -> String {
        if self.has_clock() { self.local().strftime("%H:%M").to_string() } else { String::new() }
    }

    /// `2026-02-22 15:30`, or the date if only the day is known.
    pub fn day_and_clock(&self) -> String {
        let format = if self.has_clock() { "%Y-%m-%d %H:%M" } else { "%Y-%m-%d" };
        self.local().strftime(format).to_string()
    }

    /// Whether the time of the day is known.
    pub fn has_clock(&self) -> bool {
        self.written.len() != "2026-02-22".len()
    }

    /// A moment in the format that kioku writes: whole seconds, with the local offset (`+00:00`, never `Z`).
    pub fn of(moment: &Zoned) -> Self {
        let offset = moment.offset();
        let at = Timestamp::from_second(moment.timestamp().as_second()).unwrap_or_else(|_| moment.timestamp());
        Self { written: spelled(at, offset), at, offset_seconds: offset.seconds() }
    }

    /// A moment in microseconds, for events that must sort in order.
    pub(super) fn precise(moment: &Zoned) -> Self {
        let at =
            Timestamp::from_microsecond(moment.timestamp().as_microsecond()).unwrap_or_else(|_| moment.timestamp());
        Self { written: spelled(at, moment.offset()), at, offset_seconds: moment.offset().seconds() }
    }

    /// The moment in kioku's format, for a time whose `written` is incomplete (such as a missing offset).
    pub(super) fn respelled(&self) -> String {
        spelled(self.at, Offset::from_seconds(self.offset_seconds).unwrap_or(Offset::UTC))
    }
}

/// `09:30`, or `09:30:15`.
pub(super) fn clock_text(clock: civil::Time) -> String {
    clock.strftime(if clock.second() == 0 { "%H:%M" } else { "%H:%M:%S" }).to_string()
}

/// The number of a month by its English name or its usual abbreviation, in lower case.
pub fn english_month(word: &str) -> Option<i8> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sept" | "sep" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

fn spelled(at: Timestamp, offset: Offset) -> String {
    let local = offset.to_datetime(at);
    let (sign, seconds) = if offset.seconds() < 0 { ('-', -offset.seconds()) } else { ('+', offset.seconds()) };
    let (hours, minutes, odd) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let odd = if odd == 0 { String::new() } else { format!(":{odd:02}") };
    format!("{local}{sign}{hours:02}:{minutes:02}{odd}")
}

struct Digits<'a> {
    rest: &'a [u8],
}

impl Digits<'_> {
    fn next_is(&self, any: &[u8]) -> bool {
        self.rest.first().is_some_and(|byte| any.contains(byte))
    }

    fn number(&mut self, width: usize) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(width)?;
        self.rest = rest;
        digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
    }

    fn after(&mut self, any: &[u8], width: usize) -> Option<u32> {
        if !self.next_is(any) {
            return None;
        }
        self.rest = &self.rest[1..];
        self.number(width)
    }

    /// One to nine decimal digits, as nanoseconds.
    fn fraction(&mut self) -> Option<i32> {
        self.rest = &self.rest[1..];
        let width = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&width) {
            return None;
        }
        let number = self.number(width)? * 10u32.pow(9 - width as u32);
        i32::try_from(number).ok()
    }

    /// Parses the rest, which must be an offset or empty.
    fn offset(&mut self) -> Option<Option<Offset>> {
        let sign = match self.rest {
            [] => return Some(None),
            b"Z" | b"z" => return Some(Some(Offset::UTC)),
            [b'+', ..] => 1,
            [b'-', ..] => -1,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        let mut seconds = self.number(2)? * 3600;
        for unit in [60, 1] {
            if self.rest.is_empty() {
                break;
            }
            if self.next_is(b":") {
                self.rest = &self.rest[1..];
            }
            seconds += self.number(2).filter(|number| *number < 60)? * unit;
        }
        if !self.rest.is_empty() {
            return None;
        }
        Some(Some(Offset::from_seconds(sign * i32::try_from(seconds).ok()?).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone() -> TimeZone {
        TimeZone::fixed(Offset::constant(7))
    }

    fn instant(written: &str) -> Option<String> {
        EntryTime::parse(written, &zone()).map(|time| {
            assert_eq!(time.written, written);
            time.at.to_string()
        })
    }

    #[test]
    fn every_spelling_of_one_moment_is_that_moment() {
        for written in [
            "2026-02-22T15:30:00+07:00",
            "2026-02-22T15:30:00.000000+07:00",
            "2026-02-22 15:30:00+0700",
            "2026-02-22t15:30+07",
            "2026-02-22T08:30:00Z",
            "2026-02-22T08:30:00-00:00",
            "2026-02-22T15:30:00",
            "2026-02-22T15:30",
        ] {
            assert_eq!(instant(written).as_deref(), Some("2026-02-22T08:30:00Z"), "{written}");
        }
        assert_eq!(instant("2026-02-22T15:30:00.123456+07:00").as_deref(), Some("2026-02-22T08:30:00.123456Z"));
        assert_eq!(instant("1899-12-31T23:59:60+07:06:40").as_deref(), Some("1899-12-31T16:53:19Z"));
    }

    #[test]
    fn what_is_no_date_time_is_refused() {
        for written in [
            "",
            "10:00 dentist",
            "2026-02-22",
            "2026-02-30T10:00:00",
            "2026-02-22T25:00:00",
            "2026-02-22T10:00:00 dentist",
            "2026-02-22T10:00:00+",
            "2026-02-22T10:00:00+7",
            "2026-02-22T10:00:00.+07:00",
            "2026-02-22T1",
            "２026-02-22T10:00:00",
            "9999-12-31T23:59:59-12:00",
            "2026-02-22T10:00:00+99:00",
            "2026-02-22T10:00:00.1234567890Z",
        ] {
            assert_eq!(instant(written), None, "{written}");
        }
    }

    #[test]
    fn what_kioku_writes_reads_back_as_the_same_moment() {
        for written in ["2026-02-22T15:30:00+07:00", "2026-02-22T00:00:00-03:30", "0001-01-01T00:00:00+00:00"] {
            let time = EntryTime::parse(written, &zone()).unwrap();
            assert_eq!(time.respelled(), written);
        }
        let now: Zoned = "2026-02-22T15:30:00.75+07:00[+07:00]".parse().unwrap();
        assert_eq!(EntryTime::of(&now).written, "2026-02-22T15:30:00+07:00");
        assert_eq!(Some(EntryTime::of(&now)), EntryTime::parse("2026-02-22T15:30:00+07:00", &zone()));
    }

    #[test]
    fn after_midnight_can_belong_to_the_day_before() {
        let time = EntryTime::parse("2026-03-01T02:10:00+07:00", &zone()).unwrap();
        assert_eq!(time.day(civil::time(0, 0, 0, 0)), civil::date(2026, 3, 1));
        assert_eq!(time.day(civil::time(4, 0, 0, 0)), civil::date(2026, 2, 28));
    }
}
