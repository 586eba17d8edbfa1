//! Tools on single entries and on days: the timeline, one entry, its edit and its deletion.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Access, Journal, Tool, json, limits};
use crate::{
    arguments::{self, forgettable, located},
    journal::{Change, Edited, Entry, Pass},
    report::Report,
    session::{
        DayCount, Wanted,
        json::{EntriesJson, EntryJson, ForgottenJson},
    },
};

/// The order of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SortBy {
    /// By the time of writing.
    ProcessingTime,
    /// By the time of the event; also lists stated causes and links on other days, in `events`.
    EventTime,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetTimeline {
    /// The first day: "2026-02-22", "2026-01", "last week".
    start_date: Option<String>,
    /// The last day.
    end_date: Option<String>,
    /// Only the latest entries: 50 unless given, 500 at most.
    limit: Option<u32>,
    sort_by: Option<SortBy>,
}

impl Tool for GetTimeline {
    const NAME: &'static str = "get_timeline";
    const TITLE: &'static str = "Timeline";
    const ABOUT: &'static str =
        "The entries of a period, oldest first; `more`: there are earlier ones than the latest `limit`.";
    const ACCESS: Access = Access::Reads;
    type Answer = EntriesJson<'static>;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let (start, end) = (self.start_date.as_deref(), self.end_date.as_deref());
        let (from, to) = arguments::period(start, end, &journal.now())?;
        let limit = limits::limit(self.limit, 50)?;
        let by_event = self.sort_by == Some(SortBy::EventTime);
        let session = journal.session()?;
        let lines = session.timeline(from, to, Some(limit + 1), by_event)?;
        let earlier = lines.len().saturating_sub(limit);
        let shown = EntriesJson::of_lines(&lines[earlier..], &*session.listed()?, by_event);
        json(&EntriesJson { more: Some(earlier > 0), ..shown })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListMemoryDates {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Dates {
    /// Oldest first.
    dates: Vec<DayCount>,
    /// There are earlier days than these.
    more: bool,
}

/// Number of days in one answer: more are too much for the context of an agent.
const MOST_DAYS: usize = 1_000;

impl Tool for ListMemoryDates {
    const NAME: &'static str = "list_memory_dates";
    const TITLE: &'static str = "Days with memories";
    const ABOUT: &'static str = "The days with entries and their number, oldest first; `more`: there are earlier ones \
                                 than the latest 1000.";
    const ACCESS: Access = Access::Reads;
    type Answer = Dates;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let mut dates = journal.session()?.day_counts()?;
        let earlier = dates.len().saturating_sub(MOST_DAYS);
        json(&Dates { dates: dates.split_off(earlier), more: earlier > 0 })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetEntry {
    /// The id of an entry, as the other tools show it.
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OneEntry<'a> {
    entry: EntryJson<'a>,
}

impl Tool for GetEntry {
    const NAME: &'static str = "get_entry";
    const TITLE: &'static str = "One entry";
    const ABOUT: &'static str = "One entry with its whole text.";
    const ACCESS: Access = Access::Reads;
    const WHOLE: bool = true;
    type Answer = OneEntry<'static>;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let session = journal.session()?;
        let entry = located(session, &self.id)?;
        json(&OneEntry { entry: EntryJson::of(&entry, &*session.listed()?) })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditMemory {
    /// The id of the entry.
    id: String,
    /// The whole new text.
    text: Option<String>,
    /// The new mood; "" removes it.
    mood: Option<String>,
    /// All tags from now on; [] removes them.
    tags: Option<Vec<String>>,
    /// The new time of the event; "" removes it.
    event_time: Option<String>,
    /// The new time of the entry; it moves to that day.
    time: Option<String>,
}

/// The result of an edit.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EditStatus {
    Saved,
    Unchanged,
    /// Another program changed the entry meanwhile: its text stays, this one is a new entry.
    KeptBoth,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedAnswer<'a> {
    status: EditStatus,
    entry: EntryJson<'a>,
}

impl Tool for EditMemory {
    const NAME: &'static str = "edit_memory";
    const TITLE: &'static str = "Edit an entry";
    const ABOUT: &'static str = "Change fields of an entry; what is not given stays. The text before goes to the \
                                 trash, from where the user can restore it.";
    const ACCESS: Access = Access::Changes;
    const TEXTS: &'static [&'static str] = &["text"];
    type Answer = EditedAnswer<'static>;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let base = located(journal.session()?, &self.id)?;
        let change = self.change(journal, &base)?;
        if change == Change::default() {
            return Err(Report::usage("no change given").hint("pass text, mood, tags, event_time or time"));
        }
        let edited = journal.session()?.vault().edit(&base, change)?;
        let (status, entry) = match &edited {
            Edited::Saved(entry) => (EditStatus::Saved, entry),
            Edited::Unchanged(entry) => (EditStatus::Unchanged, entry),
            Edited::KeptBoth { mine, .. } => (EditStatus::KeptBoth, mine),
        };
        json(&EditedAnswer { status, entry: EntryJson::of(entry, &*journal.session()?.listed()?) })
    }
}

impl EditMemory {
    fn change(&self, journal: &Journal, base: &Entry) -> Result<Change, Report> {
        let (mood, event, time) = (self.mood.as_deref(), self.event_time.as_deref(), self.time.as_deref());
        if self.text.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(Report::usage("an entry needs text").hint("delete_memory moves an entry to the trash"));
        }
        let or_none = |text: String| Some(text).filter(|text| !text.is_empty());
        let time = time.map(|time| arguments::moment(time, &journal.now())).transpose()?;
        let own_time = arguments::zoned(time.as_ref().unwrap_or(&base.time));
        Ok(Change {
            time,
            mood: mood.map(|mood| arguments::one_line("`mood`", mood)).transpose()?.map(or_none),
            tags: self.tags.as_deref().map(arguments::tags).transpose()?,
            event_time: event.map(|text| arguments::event_time(text, &own_time)).transpose()?.map(or_none),
            body: self.text.clone(),
            ..Change::default()
        })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteMemory {
    /// The id of the entry.
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedAnswer {
    /// `kioku restore HANDLE` brings the entry back.
    handle: String,
}

impl Tool for DeleteMemory {
    const NAME: &'static str = "delete_memory";
    const TITLE: &'static str = "Delete an entry";
    const ABOUT: &'static str = "Move an entry to the trash, from where the user can restore it.";
    const ACCESS: Access = Access::Changes;
    type Answer = DeletedAnswer;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let entry = located(journal.session()?, &self.id)?;
        let trashed = journal.session()?.vault().remove(&entry)?;
        json(&DeletedAnswer { handle: trashed.handle })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetMemory {
    /// The id of the entry, also of a deleted one.
    id: String,
    /// Keep the entry, and replace its text with `[redacted]`.
    redact: Option<bool>,
    /// Only count what would be deleted.
    dry_run: Option<bool>,
}

impl Tool for ForgetMemory {
    const NAME: &'static str = "forget_memory";
    const TITLE: &'static str = "Forget an entry permanently";
    const ABOUT: &'static str = "Delete an entry permanently with every copy: day file, trash, second copies, index. \
                                 It cannot be undone: call it only if the user asked for this entry to be erased, and \
                                 delete_memory otherwise. `left` names the files that still contain some of it, such as copies of the \
                                 user's own. Refused while another program holds the index.";
    const ACCESS: Access = Access::Erases;
    type Answer = ForgottenJson<'static>;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let (redact, state) = (self.redact.unwrap_or(false), journal.options.state.clone());
        let session = journal.session()?;
        let what = forgettable(session, &self.id, redact)?;
        if self.dry_run == Some(true) {
            return json(&ForgottenJson::new(true, &session.forget(&what, redact, &state, Pass::Count)?, None));
        }
        let forgetting = session.forget(&what, redact, &state, Pass::Delete)?;
        let traces = match Wanted::sentences(forgetting.texts.iter().map(String::as_str)) {
            Some(wanted) => Some(journal.traces(&wanted)?),
            None => None,
        };
        json(&ForgottenJson::new(false, &forgetting, traces))
    }
}
