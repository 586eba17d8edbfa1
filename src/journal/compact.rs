//! Compact serde formats for binary files: timestamps and dates as numbers, spans as start and length.
//!
//! Reading 100,000 timestamps takes milliseconds; parsing them from ISO text takes 0.1 s.

/// An instant as seconds and nanoseconds since 1970.
pub mod timestamp {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        (at.as_second(), at.subsec_nanosecond()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let (second, nanosecond) = Deserialize::deserialize(from)?;
        Timestamp::new(second, nanosecond).map_err(D::Error::custom)
    }
}

/// A day as year, month and day.
pub mod date {
    use jiff::civil::Date;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(day: &Date, to: S) -> Result<S::Ok, S::Error> {
        (day.year(), day.month(), day.day()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
        let (year, month, day) = Deserialize::deserialize(from)?;
        Date::new(year, month, day).map_err(D::Error::custom)
    }
}

/// A byte range as start and length.
pub mod span {
    use std::ops::Range;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(span: &Range<u32>, to: S) -> Result<S::Ok, S::Error> {
        (span.start, span.end.saturating_sub(span.start)).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Range<u32>, D::Error> {
        let (start, length): (u32, u32) = Deserialize::deserialize(from)?;
        Ok(start..start.saturating_add(length))
    }
}
