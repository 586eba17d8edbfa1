//! Times of entries made from what a source says.

use jiff::{
    civil::DateTime,
    fmt::temporal::Pieces,
    tz::{Offset, TimeZone},
};

use crate::journal::EntryTime;

/// An ISO 8601 date-time kept exactly as written; `None` for anything else, a bare date included.
pub(super) fn written(text: &str, zone: &TimeZone) -> Option<EntryTime> {
    let pieces = Pieces::parse(text).ok()?;
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let local = pieces.date().to_datetime(pieces.time()?);
    let offset = match pieces.to_numeric_offset() {
        Some(offset) => offset,
        None => zone.to_ambiguous_zoned(local).compatible().ok()?.offset(),
    };
    spelled(local, offset, text.to_string())
}

/// The time a clock on the wall showed, in a zone, spelled with its offset.
pub(super) fn local(wall: DateTime, zone: &TimeZone) -> Option<EntryTime> {
    let zoned = zone.to_ambiguous_zoned(wall).compatible().ok()?;
    spelled(zoned.datetime(), zoned.offset(), zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

fn spelled(local: DateTime, offset: Offset, written: String) -> Option<EntryTime> {
    Some(EntryTime { written, at: offset.to_timestamp(local).ok()?, offset_seconds: offset.seconds() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_kept_as_written() {
        let zone = TimeZone::fixed(jiff::tz::offset(7));
        for text in
            ["2026-02-22T15:30:00+07:00", "2026-02-22T08:30:00Z", "2026-02-22T15:30", "2026-02-22T15:30:00.123456"]
        {
            let time = written(text, &zone).unwrap();
            assert_eq!(time.written, text);
            assert_eq!(time.at.as_second(), 1_771_749_000, "{text}");
        }
        for text in ["2026-02-22", "yesterday", "", "2026-02-30T10:00:00Z", "2026-02-22T15:30[Asia/Tokyo]"] {
            assert_eq!(written(text, &zone), None, "{text}");
        }
    }

    #[test]
    fn a_wall_clock_time_gets_the_offset_of_its_season() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let spelled = |day: i8, month: i8| {
            let wall = jiff::civil::date(2026, month, day).at(9, 0, 0, 0);
            local(wall, &zone).unwrap().written
        };
        assert_eq!(spelled(10, 1), "2026-01-10T09:00:00+01:00");
        assert_eq!(spelled(10, 7), "2026-07-10T09:00:00+02:00");
    }
}
