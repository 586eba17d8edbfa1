//! Records of a journal: goals, list items, facts, claims and turns of conversations, with their status.

use std::{cmp::Reverse, collections::HashMap};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::InsightError;
use crate::{
    extract::{self, fold},
    index::{Catalog, CatalogEntry, EntryKey, Snapshot},
    journal::{BodyHash, ClaimLink, EntryId, NewRecord, RecordHead, RecordKind, RecordStatus, SHOPPING, claim_links},
};

/// Which records to list.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    /// The word of a kind, known or not; `None`: all kinds but conversations.
    pub kind: Option<String>,
    /// `None`: any.
    pub status: Option<RecordStatus>,
    pub list: Option<String>,
    pub project: Option<String>,
    pub session: Option<String>,
    /// Only the newest.
    pub limit: Option<usize>,
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
            status: status(head, superseded_by.is_some()),
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

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Record {
    pub id: EntryId,
    /// As in the file.
    pub time: String,
    pub day: civil::Date,
    pub tags: Vec<String>,
    pub record: RecordFields,
    pub text: String,
    /// The records and sources to which a claim refers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
}

/// A `supports::`, `contradicts::` or `cited_in::` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Link {
    pub link: ClaimLink,
    pub target: String,
}

/// The records that pass a filter, in the order of a list: by kind; goals by due day, items by list, facts by subject;
/// then oldest first. Reads the records of the catalog, and the texts of those listed.
pub fn records(snapshot: &Snapshot, filter: &RecordFilter) -> Result<Vec<Record>, InsightError> {
    let newer = superseding(&snapshot.catalog);
    let mut listed: Vec<(&CatalogEntry, RecordFields)> = Vec::new();
    for entry in snapshot.catalog.records().rev() {
        if filter.limit.is_some_and(|limit| listed.len() >= limit) {
            break;
        }
        let Some(head) = entry.record() else { continue };
        let newer = newer.get(entry.id.as_str()).copied();
        if filter.passes(&head, newer.is_some()) {
            listed.push((entry, RecordFields::of(&head, newer.cloned())));
        }
    }
    listed.reverse();
    listed.sort_by_cached_key(|(_, fields)| {
        let kind = fields.known_kind();
        let due = fields.due().filter(|_| kind == Some(RecordKind::Goal));
        let group = fields.group().filter(|_| kind != Some(RecordKind::Conversation)).map(fold);
        (kind.is_none(), kind, fields.kind.clone(), due.is_none(), due, group)
    });
    let keys: Vec<EntryKey> = listed.iter().map(|(entry, _)| entry.key).collect();
    let texts = snapshot.texts(&keys)?;
    Ok(listed.into_iter().zip(texts).map(|((entry, fields), text)| record(entry, fields, text)).collect())
}

fn status(head: &RecordHead<'_>, is_superseded: bool) -> RecordStatus {
    if is_superseded { RecordStatus::Superseded } else { head.status() }
}

fn record(entry: &CatalogEntry, record: RecordFields, text: String) -> Record {
    let links = claim_links(&text).map(|(link, target)| Link { link, target: target.to_owned() }).collect();
    let (id, time, tags) = (entry.id.clone(), entry.time.written.clone(), entry.tags.clone());
    Record { id, time, day: entry.day, tags, record, text, links }
}

impl RecordFilter {
    fn passes(&self, head: &RecordHead<'_>, is_superseded: bool) -> bool {
        let kind = match &self.kind {
            Some(kind) => fold(kind) == fold(head.kind),
            None => head.known_kind() != Some(RecordKind::Conversation),
        };
        let has = |key: &str, wanted: &Option<String>| {
            let value = || head.value(key).map(fold);
            wanted.as_ref().is_none_or(|wanted| value().is_some_and(|value| value == fold(wanted)))
        };
        kind && self.status.is_none_or(|wanted| wanted == status(head, is_superseded))
            && has("list", &self.list)
            && has("project", &self.project)
            && has("session", &self.session)
    }
}

/// The newer fact of each superseded one. A fact that was dropped supersedes nothing.
fn superseding(catalog: &Catalog) -> HashMap<&str, &EntryId> {
    let newer = catalog.records().filter_map(|entry| {
        let head = entry.record().filter(|head| head.status() != RecordStatus::Dropped)?;
        Some((head.value("supersedes")?, &entry.id))
    });
    newer.collect()
}

/// What the journal already has of a new record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Present {
    Nothing,
    /// The same text, still open.
    Same(EntryId),
    /// Another fact of the same subject and category.
    Fact(EntryId),
}

/// Finds the same record, or the fact that a new one replaces.
pub fn present(catalog: &Catalog, new: &NewRecord) -> Present {
    if new.kind == RecordKind::Conversation {
        return Present::Nothing;
    }
    let hash = BodyHash::of(new.body().as_bytes());
    let newer = superseding(catalog);
    let same = |mine: &Option<String>, theirs: Option<&str>| mine.as_deref().map(fold) == theirs.map(fold);
    let open = catalog.records().filter_map(|entry| {
        let head = entry.record().filter(|head| head.known_kind() == Some(new.kind))?;
        let holds = head.status() == RecordStatus::Open && !newer.contains_key(entry.id.as_str());
        holds.then_some((entry, head))
    });
    let mut found: Vec<_> = open
        .filter(|(entry, head)| match new.kind {
            RecordKind::Fact if new.subject.is_some() => {
                same(&new.subject, head.value("subject")) && same(&new.category, head.value("category"))
            }
            _ => entry.hash == hash && same(&new.list, head.value("list")),
        })
        .collect();
    found.sort_by_key(|(entry, _)| Reverse(entry.time.at));
    match found.first() {
        None => Present::Nothing,
        Some((entry, _)) if entry.hash == hash => Present::Same(entry.id.clone()),
        Some((entry, _)) => Present::Fact(entry.id.clone()),
    }
}

/// The records that the words of an entry propose: items of the shopping list, goals, facts.
pub fn proposed(text: &str, today: civil::Date) -> Vec<NewRecord> {
    let proposals = extract::proposals(text).into_iter().map(|proposal| {
        let mut new = NewRecord::new(proposal.kind, &text[proposal.span]);
        match proposal.kind {
            RecordKind::Item => new.list = Some(SHOPPING.to_owned()),
            RecordKind::Goal => new.due = extract::due(&new.text, today),
            _ => {}
        }
        new
    });
    proposals.collect()
}
