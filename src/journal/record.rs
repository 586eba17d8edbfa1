//! Records: entries with a `record:` key in the head, such as facts, goals, list items and turns of a conversation.
//!
//! A record is an ordinary entry of a day file. Its fields are further keys of the head, so that readers that do not
//! know them keep them. A kind that is not listed here is kept and shown under its own word.

use std::collections::BTreeMap;

use jiff::civil;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Change, Entry, EntryId, EntryTime, NewEntry, words};

/// The key that makes an entry a record.
const RECORD: &str = "record";

/// The list of an item whose list is not named.
pub const SHOPPING: &str = "shopping";

/// The kind of a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    /// Something to do, until a day if it has one.
    Goal,
    /// An item of a list.
    Item,
    /// Something known about a subject; a newer fact of the same subject and category supersedes it.
    Fact,
    #[default]
    Note,
    Finding,
    /// A statement that other claims support or contradict.
    Claim,
    /// A turn or a summary of a conversation with an agent.
    Conversation,
}

words! {
    RecordKind:
    Goal "goal",
    Item "item",
    Fact "fact",
    Note "note",
    Finding "finding",
    Claim "claim",
    Conversation "conversation",
}

impl RecordKind {
    /// `a goal`, `an item`.
    pub fn with_article(self) -> String {
        format!("{} {}", if self == Self::Item { "an" } else { "a" }, self.word())
    }

    /// Whether it can be done: a goal or an item.
    pub fn is_task(self) -> bool {
        matches!(self, Self::Goal | Self::Item)
    }
}

/// Whether a record still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordStatus {
    Open,
    Done,
    Dropped,
    /// A newer fact replaces it. Never written: it follows from the `supersedes:` of the newer one.
    Superseded,
}

words! { RecordStatus: Open "open", Done "done", Dropped "dropped", Superseded "superseded" }

impl RecordStatus {
    /// A box for what can be done or no longer holds.
    pub fn mark(self, kind: Option<RecordKind>) -> Option<&'static str> {
        match self {
            Self::Open => kind.filter(|kind| kind.is_task()).map(|_| "[ ]"),
            Self::Done => Some("[x]"),
            Self::Dropped => Some("[-]"),
            Self::Superseded => Some("[<]"),
        }
    }
}

/// The head of a record: its keys and values in file order.
#[derive(Debug, Clone, Copy)]
pub struct RecordHead<'a> {
    /// The kind in lower case, known or not.
    pub kind: &'a str,
    keys: &'a [(String, String)],
}

impl<'a> RecordHead<'a> {
    /// `None` for an entry that is no record.
    pub fn of(keys: &'a [(String, String)]) -> Option<Self> {
        let kind = keys.iter().find(|(key, _)| key == RECORD)?.1.trim();
        (!kind.is_empty()).then_some(Self { kind, keys })
    }

    pub fn known_kind(&self) -> Option<RecordKind> {
        RecordKind::parse(&self.kind.to_lowercase())
    }

    /// The value of a key; `None` if it is missing or empty.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        let (_, value) = self.keys.iter().find(|(known, _)| known == key)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    /// The status beside other records: a newer fact may have taken its place.
    pub fn status_beside(&self, is_superseded: bool) -> RecordStatus {
        if is_superseded { RecordStatus::Superseded } else { self.status() }
    }

    /// `Open` unless the head says otherwise.
    pub fn status(&self) -> RecordStatus {
        let written = self.value("status").and_then(|word| RecordStatus::parse(&word.to_lowercase()));
        match written {
            Some(status) => status,
            None if self.value("done") == Some("true") => RecordStatus::Done,
            None => RecordStatus::Open,
        }
    }

    pub fn due(&self) -> Option<civil::Date> {
        self.value("due")?.parse().ok()
    }

    /// The keys other than `record`, in file order.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let others = self.keys.iter().filter(|(key, _)| key != RECORD);
        others.map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// The head of a record as in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecordFields {
    pub kind: String,
    pub status: RecordStatus,
    /// The newer fact that replaces this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<EntryId>,
    /// The other keys of the head, as written.
    #[serde(flatten)]
    pub keys: Map<String, Value>,
}

/// Keys that [`RecordFields`] has of its own.
const OWN: [&str; 4] = ["kind", "status", "done", "superseded_by"];

impl RecordFields {
    pub fn of(head: &RecordHead<'_>, superseded_by: Option<EntryId>) -> Self {
        let keys = head.fields().filter(|(key, _)| !OWN.contains(key));
        Self {
            kind: head.kind.to_lowercase(),
            status: head.status_beside(superseded_by.is_some()),
            superseded_by,
            keys: keys.map(|(key, value)| (key.to_owned(), value.into())).collect(),
        }
    }

    pub fn known_kind(&self) -> Option<RecordKind> {
        RecordKind::parse(&self.kind)
    }

    pub fn value(&self, key: &str) -> Option<&str> {
        self.keys.get(key).and_then(Value::as_str).filter(|value| !value.is_empty())
    }

    pub fn due(&self) -> Option<civil::Date> {
        self.value("due")?.parse().ok()
    }

    /// What it belongs to: a list, a subject, a project.
    pub fn group(&self) -> Option<&str> {
        ["list", "subject", "category", "project"].into_iter().find_map(|key| self.value(key))
    }
}

impl Entry {
    /// The record in this entry; `None` for an ordinary entry.
    pub fn record(&self) -> Option<RecordHead<'_>> {
        RecordHead::of(&self.extra)
    }
}

/// The keys of a head that have no field of their own, with their values as written; none for a record, whose
/// [`RecordFields`] have them. Of a repeated key, the first value.
pub fn further_keys(extra: &[(String, String)]) -> BTreeMap<String, String> {
    let is_record = RecordHead::of(extra).is_some();
    extra.iter().rev().filter(|_| !is_record).cloned().collect()
}

/// How a claim refers to another record or to a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimLink {
    Supports,
    Contradicts,
    CitedIn,
}

words! { ClaimLink: Supports "supports", Contradicts "contradicts", CitedIn "cited_in" }

/// The lines `supports:: [[ID]]`, `contradicts::` and `cited_in::` of a body, with their targets without brackets.
pub fn claim_links(body: &str) -> impl Iterator<Item = (ClaimLink, &str)> {
    body.lines().filter_map(|line| {
        let (word, rest) = line.trim().split_once("::")?;
        let link = ClaimLink::parse(word.trim_end())?;
        let target = rest.trim();
        let target = target.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")).unwrap_or(target).trim();
        (!target.is_empty()).then_some((link, target))
    })
}

/// The first line of a record's text that says something itself.
pub fn record_title(body: &str) -> &str {
    let is_link = |line: &str| claim_links(line).next().is_some();
    body.lines().map(str::trim).find(|line| !line.is_empty() && !is_link(line)).unwrap_or_default()
}

/// A record to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewRecord {
    pub kind: RecordKind,
    pub text: String,
    /// Now, by the vault's clock, if absent.
    pub time: Option<EntryTime>,
    /// The id, if the writer needs to know it before.
    pub id: Option<String>,
    pub tags: Vec<String>,
    pub due: Option<civil::Date>,
    pub list: Option<String>,
    pub category: Option<String>,
    pub subject: Option<String>,
    pub supersedes: Option<EntryId>,
    /// Who speaks in a conversation, or `summary`.
    pub role: Option<String>,
    pub project: Option<String>,
    pub session: Option<String>,
    pub source: Option<String>,
    /// Written below the text, as `supports:: [[target]]`.
    pub links: Vec<(ClaimLink, String)>,
}

impl NewRecord {
    pub fn new(kind: RecordKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), ..Self::default() }
    }

    /// The text with the lines of its links.
    pub fn body(&self) -> String {
        let links = self.links.iter().map(|(link, target)| format!("\n{}:: [[{target}]]", link.word()));
        std::iter::once(self.text.clone()).chain(links).collect()
    }

    /// The entry to append.
    pub fn entry(self) -> NewEntry {
        let body = self.body();
        let status = (self.kind == RecordKind::Goal).then(|| RecordStatus::Open.word().to_owned());
        let done = (self.kind == RecordKind::Item).then(|| "false".to_owned());
        let keys = [
            (RECORD, Some(self.kind.word().to_owned())),
            ("status", status),
            ("due", self.due.map(|due| due.to_string())),
            ("list", self.list),
            ("done", done),
            ("category", self.category),
            ("subject", self.subject),
            ("supersedes", self.supersedes.map(|id| id.to_string())),
            ("role", self.role),
            ("project", self.project),
            ("session", self.session),
            ("source", self.source),
        ];
        let extra = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        NewEntry { time: self.time, id: self.id, tags: self.tags, extra: extra.collect(), body, ..NewEntry::default() }
    }
}

/// The change that gives a record another status. `day`: when it was done or dropped.
pub fn status_change(record: &RecordHead<'_>, status: RecordStatus, day: civil::Date) -> Change {
    let is_item = record.known_kind() == Some(RecordKind::Item);
    let word = (!is_item || status == RecordStatus::Dropped).then(|| status.word().to_owned());
    let closed = (status != RecordStatus::Open).then(|| day.to_string());
    let mut extra = vec![("status".to_owned(), word), ("closed".to_owned(), closed)];
    if is_item {
        extra.push(("done".to_owned(), Some((status == RecordStatus::Done).to_string())));
    }
    Change { extra, ..Change::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn an_entry_is_a_record_by_its_key_alone_and_an_unknown_kind_keeps_its_word() {
        assert!(RecordHead::of(&keys(&[("sleep", "7")])).is_none());
        assert!(RecordHead::of(&keys(&[("record", " ")])).is_none());
        let recipe = keys(&[("record", "recipe"), ("serves", "4")]);
        let recipe = RecordHead::of(&recipe).unwrap();
        assert_eq!((recipe.kind, recipe.known_kind()), ("recipe", None));
        assert_eq!(recipe.fields().collect::<Vec<_>>(), [("serves", "4")]);
    }

    #[test]
    fn the_status_follows_from_either_spelling() {
        let status = |pairs: &[(&str, &str)]| {
            let keys = keys(&[&[("record", "item")], pairs].concat());
            RecordHead::of(&keys).unwrap().status()
        };
        assert_eq!(status(&[]), RecordStatus::Open);
        assert_eq!(status(&[("done", "false")]), RecordStatus::Open);
        assert_eq!(status(&[("done", "true")]), RecordStatus::Done);
        assert_eq!(status(&[("status", "Dropped"), ("done", "true")]), RecordStatus::Dropped);
        assert_eq!(status(&[("status", "someday")]), RecordStatus::Open);
    }

    #[test]
    fn links_are_read_from_whole_lines_and_the_title_is_the_text() {
        let body = "supports:: [[abc]]\nTea helps: it supports:: sleep.\ncited_in:: Walker 2017\ncontradicts::";
        let links: Vec<_> = claim_links(body).collect();
        assert_eq!(links, [(ClaimLink::Supports, "abc"), (ClaimLink::CitedIn, "Walker 2017")]);
        assert_eq!(record_title(body), "Tea helps: it supports:: sleep.");
    }

    #[test]
    fn a_status_is_written_in_the_keys_of_the_kind_and_can_be_taken_back() {
        let day = civil::date(2026, 11, 20);
        let goal = NewRecord::new(RecordKind::Goal, "Run").entry();
        let change = status_change(&RecordHead::of(&goal.extra).unwrap(), RecordStatus::Done, day);
        let set = |key: &str, value: Option<&str>| (key.to_owned(), value.map(str::to_owned));
        assert_eq!(change.extra, [set("status", Some("done")), set("closed", Some("2026-11-20"))]);
        let item = NewRecord::new(RecordKind::Item, "Milk").entry();
        let change = status_change(&RecordHead::of(&item.extra).unwrap(), RecordStatus::Open, day);
        assert_eq!(change.extra, [set("status", None), set("closed", None), set("done", Some("false"))]);
    }
}
