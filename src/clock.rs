//! The clock: the system clock, or a fixed one for tests and reproducible runs.
//!
//! The only place that reads the system clock and the system time zone.

use jiff::{Timestamp, Zoned, tz::TimeZone};

/// A source of the current time in the user's zone.
#[derive(Debug, Clone)]
pub struct Clock {
    fixed: Option<Timestamp>,
    zone: TimeZone,
}

impl Clock {
    /// The system clock in the system's zone. `KIOKU_NOW` (an RFC 3339 time with an offset) fixes it, so that
    /// documentation and tests are reproducible.
    pub fn system() -> Self {
        if let Some(now) = std::env::var("KIOKU_NOW").ok().and_then(|text| parse_fixed(&text)) {
            return Self::fixed(now);
        }
        Self { fixed: None, zone: TimeZone::system() }
    }

    /// A clock that always returns `now`, in the zone of `now`.
    pub fn fixed(now: Zoned) -> Self {
        Self { fixed: Some(now.timestamp()), zone: now.time_zone().clone() }
    }

    /// The current time in the user's zone.
    pub fn now(&self) -> Zoned {
        self.fixed.unwrap_or_else(Timestamp::now).to_zoned(self.zone.clone())
    }

    /// The system time in nanoseconds since 1970, even if the clock is fixed. Only for comparison with file times.
    pub fn wall_nanos() -> i128 {
        Timestamp::now().as_nanosecond()
    }

    /// The user's zone, in which times without an offset are interpreted.
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
