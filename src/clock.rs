//! The clock: the system's, or a fixed one for tests and reproducible runs.
//!
//! The only place that reads the system clock and the system time zone.

use jiff::{Timestamp, Zoned, tz::TimeZone};

/// A source of "now" in the writer's zone.
#[derive(Debug, Clone)]
pub struct Clock {
    fixed: Option<Timestamp>,
    zone: TimeZone,
}

impl Clock {
    /// The system clock in the system's zone. `KIOKU_NOW` (an RFC 3339 time with an offset) stops it:
    /// documentation and tests get the same answer on every day.
    pub fn system() -> Self {
        if let Some(now) = std::env::var("KIOKU_NOW").ok().and_then(|text| parse_fixed(&text)) {
            return Self::fixed(now);
        }
        Self { fixed: None, zone: TimeZone::system() }
    }

    /// A clock that always says `now`, in the zone of `now`.
    pub fn fixed(now: Zoned) -> Self {
        Self { fixed: Some(now.timestamp()), zone: now.time_zone().clone() }
    }

    /// This moment, in the writer's zone.
    pub fn now(&self) -> Zoned {
        self.fixed.unwrap_or_else(Timestamp::now).to_zoned(self.zone.clone())
    }

    /// The system's nanoseconds since 1970, never a fixed time: for comparing with file times only.
    pub fn wall_nanos() -> i128 {
        Timestamp::now().as_nanosecond()
    }

    /// The writer's zone: what a time without an offset is read in.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The same clock in another zone (from the configuration).
    pub fn in_zone(mut self, zone: TimeZone) -> Self {
        self.zone = zone;
        self
    }
}

fn parse_fixed(text: &str) -> Option<Zoned> {
    let stamp: Timestamp = text.parse().ok()?;
    let offset = jiff::fmt::temporal::Pieces::parse(text).ok()?.to_numeric_offset().unwrap_or(jiff::tz::Offset::UTC);
    Some(stamp.to_zoned(TimeZone::fixed(offset)))
}
