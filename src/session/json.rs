//! JSON output formats (design 7). Stable: keys are never removed or renamed, only added.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Forgetting, TimelineLine, Traces};
use crate::{
    index::Catalog,
    insight::events::Event,
    journal::{Entry, RecordFields, further_keys},
};

/// One entry.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryJson<'a> {
    id: &'a str,
    /// The string in the file.
    time: &'a str,
    day: String,
    mood: Option<&'a str>,
    tags: &'a [String],
    event_time: Option<&'a str>,
    text: &'a str,
    /// For an entry with a `record:` key.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<RecordFields>,
    /// Paths of linked files, relative to the journal's folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<String>,
    /// The other keys of the head, as written: `star`, trackers, fields of an import.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<String, String>,
}

impl<'a> EntryJson<'a> {
    /// An entry of the journal: as its head says, and the other records.
    pub fn of(entry: &'a Entry, catalog: &Catalog) -> Self {
        let record = |head| catalog.record_fields(&entry.id, &head);
        Self { record: entry.record().map(record), ..Self::from(entry) }
    }
}

/// An entry by itself, such as one in the trash.
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
            record: entry.record().map(|record| RecordFields::of(&record, None)),
            attachments: entry.attachments(),
            extra: further_keys(&entry.extra),
        }
    }
}

/// The output of `show` and `timeline`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntriesJson<'a> {
    pub entries: Vec<EntryJson<'a>>,
    /// For `timeline --sort event`: sentences about other days than the day of writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<&'a Event>>,
    /// Of a tool with a limit: whether the period has earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
}

impl<'a> EntriesJson<'a> {
    pub fn of_entries(entries: &'a [Entry], catalog: &Catalog) -> Self {
        Self { entries: entries.iter().map(|entry| EntryJson::of(entry, catalog)).collect(), events: None, more: None }
    }

    /// The lines of a timeline; `events`: with the key of that name.
    pub fn of_lines(lines: &'a [TimelineLine], catalog: &Catalog, events: bool) -> Self {
        let entry = |line: &'a TimelineLine| match line {
            TimelineLine::Entry(entry) => Some(EntryJson::of(entry, catalog)),
            TimelineLine::Event(_) => None,
        };
        let event = |line: &'a TimelineLine| match line {
            TimelineLine::Event(event) => Some(event),
            TimelineLine::Entry(_) => None,
        };
        Self {
            entries: lines.iter().filter_map(entry).collect(),
            events: events.then(|| lines.iter().filter_map(event).collect()),
            more: None,
        }
    }
}

/// The output of `forget`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ForgottenJson<'a> {
    pub dry_run: bool,
    #[serde(flatten)]
    pub forgetting: &'a Forgetting,
    /// Number of files searched for traces afterwards; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// Files that still contain some of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Vec<String>>,
    /// Files that could not be searched, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

impl<'a> ForgottenJson<'a> {
    pub fn new(dry_run: bool, forgetting: &'a Forgetting, traces: Option<Traces>) -> Self {
        let left = |traces: &Traces| traces.left.iter().map(|path| path.display().to_string()).collect();
        Self {
            dry_run,
            forgetting,
            searched: traces.as_ref().map(|traces| traces.searched),
            left: traces.as_ref().map(left),
            unread: traces.map_or_else(Vec::new, |traces| traces.unread),
        }
    }
}
