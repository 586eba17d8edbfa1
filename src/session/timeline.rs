//! The timeline: entries by the time of writing or of the event, and the days with entries.

use std::collections::BTreeMap;

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Session, SessionError};
use crate::{
    insight::{Period, events::Event},
    journal::Entry,
};

/// One line of the timeline.
#[derive(Debug, Clone, PartialEq)]
pub enum TimelineLine {
    Entry(Entry),
    /// A sentence about other days than the day of writing.
    Event(Event),
}

impl TimelineLine {
    /// Sort key: the first day on which it happened. On the same day, entries come before sentences of other entries.
    fn happened(&self) -> (civil::Date, bool) {
        match self {
            Self::Entry(entry) => (entry.happened(), false),
            Self::Event(event) => (event.days.from, true),
        }
    }
}

/// A day with its number of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DayCount {
    pub day: civil::Date,
    pub entries: usize,
}

impl Session {
    /// The entries of a range of days by the time of writing, oldest first; of these only the latest `limit`.
    ///
    /// `by_event`: the entries whose event (or else day of writing) is in the range, with the sentences of other
    /// entries about these days. Reads every entry.
    pub fn timeline(
        &mut self,
        from: Option<civil::Date>,
        to: Option<civil::Date>,
        limit: Option<usize>,
        by_event: bool,
    ) -> Result<Vec<TimelineLine>, SessionError> {
        if !by_event {
            let entries = match limit {
                Some(limit) => self.latest_entries(from, to, limit)?,
                None => self.entries(from, to)?,
            };
            return Ok(entries.into_iter().map(TimelineLine::Entry).collect());
        }
        let period = Period { from: from.unwrap_or(civil::Date::MIN), to: to.unwrap_or(civil::Date::MAX) };
        let entries = self.entries(None, None)?.into_iter().filter(|entry| period.holds(entry.happened()));
        let mut lines: Vec<TimelineLine> = entries.map(TimelineLine::Entry).collect();
        lines.extend(self.events(period)?.into_iter().map(TimelineLine::Event));
        lines.sort_by_key(TimelineLine::happened);
        if let Some(limit) = limit {
            lines.drain(..lines.len().saturating_sub(limit));
        }
        Ok(lines)
    }

    /// The days with entries, oldest first.
    pub fn day_counts(&mut self) -> Result<Vec<DayCount>, SessionError> {
        let mut days = BTreeMap::<civil::Date, usize>::new();
        for entry in self.snapshot()?.catalog.entries().iter() {
            *days.entry(entry.day).or_default() += 1;
        }
        Ok(days.into_iter().map(|(day, entries)| DayCount { day, entries }).collect())
    }
}
