//! The JSON shapes of the contract (design 7): keys stay, new ones may be added at the end.

use serde::Serialize;

pub use crate::search::json::{FoundJson, VERSION};
use crate::{
    insight::events::Event,
    journal::{Entry, Trashed},
};

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
    v: u32,
    entries: Vec<EntryJson<'a>>,
    /// `timeline --sort event`: what is told of other days than that of the writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<&'a [Event]>,
}

impl<'a> EntriesJson<'a> {
    pub fn new(entries: &'a [Entry]) -> Self {
        Self { v: VERSION, entries: entries.iter().map(EntryJson::from).collect(), events: None }
    }

    pub fn with_events(self, events: &'a [Event]) -> Self {
        Self { events: Some(events), ..self }
    }
}

/// One day of `dates`.
#[derive(Debug, Serialize)]
pub struct DateJson {
    pub day: String,
    pub entries: usize,
}

#[derive(Debug, Serialize)]
pub struct DatesJson {
    pub v: u32,
    pub dates: Vec<DateJson>,
}

/// One line of `trash`.
#[derive(Debug, Serialize)]
pub struct TrashedJson<'a> {
    handle: &'a str,
    trashed: &'a str,
    why: crate::journal::TrashReason,
    entry: EntryJson<'a>,
}

#[derive(Debug, Serialize)]
pub struct TrashJson<'a> {
    v: u32,
    trash: Vec<TrashedJson<'a>>,
}

impl<'a> TrashJson<'a> {
    pub fn new(trash: &'a [Trashed]) -> Self {
        let line = |piece: &'a Trashed| TrashedJson {
            handle: &piece.handle,
            trashed: &piece.trashed.written,
            why: piece.why,
            entry: EntryJson::from(&piece.entry),
        };
        Self { v: VERSION, trash: trash.iter().map(line).collect() }
    }
}
