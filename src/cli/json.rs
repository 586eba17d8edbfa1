//! The JSON shapes of the contract (design 7): keys stay, new ones may be added at the end.

use serde::Serialize;

pub use crate::search::json::{FoundJson, Versioned};
use crate::{insight::events::Event, journal::Entry};

/// One entry.
#[derive(Debug, Serialize)]
pub struct EntryJson<'a> {
    id: &'a str,
    /// The file's own string.
    time: &'a str,
    day: String,
    mood: Option<&'a str>,
    tags: &'a [String],
    event_time: Option<&'a str>,
    text: &'a str,
}

impl<'a> From<&'a Entry> for EntryJson<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self {
            id: entry.id.as_str(),
            time: &entry.time.written,
            day: entry.day.to_string(),
            mood: entry.mood.as_deref(),
            tags: &entry.tags,
            event_time: entry.event_time.as_deref(),
            text: &entry.body,
        }
    }
}

/// `show`, `timeline`.
#[derive(Debug, Serialize)]
pub struct EntriesJson<'a> {
    pub entries: Vec<EntryJson<'a>>,
    /// `timeline --sort event`: what is told of other days than that of the writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<&'a Event>>,
}
