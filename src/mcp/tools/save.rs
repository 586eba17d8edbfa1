//! `save_memory`: a new entry, durable before the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Access, Journal, Tool, json};
use crate::{
    arguments,
    journal::{Entry, NewEntry, Vault},
    report::Report,
    search::PerLeg,
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveMemory {
    /// The text of the entry, in the user's own words; markdown.
    text: String,
    /// The mood, in a word: happy, sad, anxious, calm ...
    mood: Option<String>,
    tags: Option<Vec<String>>,
    /// When it happened, if not now: "2026-02-22", "last summer", "2019".
    event_time: Option<String>,
    #[serde(skip)]
    saved: Option<(Entry, Status)>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Saved,
    /// That day has an entry with the same text; nothing was written.
    Duplicate,
}

/// The saved entry, or the one that was there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedAnswer<'a> {
    status: Status,
    id: &'a str,
    time: &'a str,
    day: String,
    mood: Option<&'a str>,
    tags: &'a [String],
    event_time: Option<&'a str>,
    /// Whether each search method has read the entry: `ready`, `building 3 of 10`, `off: why`, `pending`.
    legs: PerLeg<String>,
}

impl Tool for SaveMemory {
    const NAME: &'static str = "save_memory";
    const TITLE: &'static str = "Save a memory";
    const ABOUT: &'static str = "Write an entry into the user's journal. It is on disk before the answer. A text that \
                                 is already in that day's entries is not written again: status `duplicate`.";
    const ACCESS: Access = Access::Adds;
    const TEXTS: &'static [&'static str] = &["text"];
    type Answer = SavedAnswer<'static>;

    fn write(&mut self, vault: &Vault) -> Result<Option<Value>, Report> {
        let new = self.new_entry(vault)?;
        let (entry, is_new) = vault.append_new_text(&new)?;
        let status = if is_new { Status::Saved } else { Status::Duplicate };
        self.saved = Some((entry, status));
        Ok(self.json(PerLeg::of(|_| "pending".to_owned())).ok())
    }

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        self.json(leg_states(journal))
    }
}

impl SaveMemory {
    fn new_entry(&self, vault: &Vault) -> Result<NewEntry, Report> {
        let tags = self.tags.as_deref().unwrap_or_default();
        if self.text.trim().is_empty() {
            return Err(Report::usage("`text` is empty: nothing to save"));
        }
        let event = self.event_time.as_deref().filter(|text| !text.trim().is_empty());
        Ok(NewEntry {
            mood: arguments::optional_line("`mood`", self.mood.as_deref())?,
            tags: arguments::tags(tags)?,
            event_time: event.map(|text| arguments::event_time(text, &vault.options().clock.now())).transpose()?,
            body: self.text.clone(),
            ..NewEntry::default()
        })
    }

    fn json(&self, legs: PerLeg<String>) -> Result<Value, Report> {
        let Some((entry, status)) = &self.saved else { return Err(Report::data("nothing was saved")) };
        json(&SavedAnswer {
            status: *status,
            id: entry.id.as_str(),
            time: &entry.time.written,
            day: entry.day.to_string(),
            mood: entry.mood.as_deref(),
            tags: &entry.tags,
            event_time: entry.event_time.as_deref(),
            legs,
        })
    }
}

/// The states of the legs after a save: the entry is saved, so that a fault of the index is no error of the call.
pub fn leg_states(journal: &mut Journal) -> PerLeg<String> {
    let states = journal.session().and_then(|session| Ok(session.leg_states()?));
    states.unwrap_or_else(|report| PerLeg::of(|_| format!("off: {}", report.chain.join(": "))))
}
