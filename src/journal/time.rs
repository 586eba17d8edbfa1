//! ISO 8601 date-times of heads. The written form is kept beside the parsed one.

use jiff::{Timestamp, Zoned, civil, fmt::temporal::Pieces, tz::Offset, tz::TimeZone};

use super::EntryTime;

impl EntryTime {
    /// Parses `YYYY-MM-DDTHH:MM[:SS[.ffffff]]` (or a space for the `T`) with an optional offset: `Z`, `+07:00`,
    /// `+0700`, `+07`. A time without an offset is in `zone`. `None` for anything else, including impossible dates.
    pub fn parse(written: &str, zone: &TimeZone) -> Option<Self> {
        // jiff reads more of ISO 8601: dates without hyphens, hours without minutes, a zone in brackets.
        let [_, _, _, _, b'-', _, _, b'-', _, _, b'T' | b't' | b' ', _, _, b':', .., last] = written.as_bytes() else {
            return None;
        };
        let pieces = Pieces::parse(written).ok().filter(|_| *last != b']')?;
        let local = pieces.date().to_datetime(pieces.time()?);
        let (at, offset) = match pieces.to_numeric_offset() {
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

    /// A moment as written, in microseconds, for events that must sort in order.
    pub(super) fn precise(moment: &Zoned) -> String {
        let at = Timestamp::from_microsecond(moment.timestamp().as_microsecond());
        spelled(at.unwrap_or_else(|_| moment.timestamp()), moment.offset())
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
    const MONTHS: &str = "january february march april may june july august september october november december";
    let is_it = |month: &str| word == month || word == &month[..3] || word == "sept" && month == "september";
    (1..).zip(MONTHS.split(' ')).find(|(_, month)| is_it(month)).map(|(number, _)| number)
}

fn spelled(at: Timestamp, offset: Offset) -> String {
    at.to_zoned(offset.to_time_zone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
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
            "20260222T100000",
            "2026-02-22T10",
            "2026-02-22T10:00:00+07:00[Asia/Ho_Chi_Minh]",
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
