//! Records of a journal: goals, list items, facts, claims and turns of conversations, with their status.

use std::cmp::Reverse;

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::Result;
use crate::{
    extract::{self, fold},
    index::{Catalog, CatalogEntry, EntryKey, Snapshot},
    journal::{
        BodyHash, ClaimLink, EntryId, NewRecord, RecordFields, RecordHead, RecordKind, RecordStatus, SHOPPING,
        claim_links,
    },
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
pub fn records(snapshot: &Snapshot, filter: &RecordFilter) -> Result<Vec<Record>> {
    let mut listed: Vec<(&CatalogEntry, RecordFields)> = Vec::new();
    for entry in snapshot.catalog.records().rev() {
        if filter.limit.is_some_and(|limit| listed.len() >= limit) {
            break;
        }
        let Some(head) = entry.record() else { continue };
        let newer = snapshot.catalog.superseded_by(&entry.id);
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
        kind && self.status.is_none_or(|wanted| wanted == head.status_beside(is_superseded))
            && has("list", &self.list)
            && has("project", &self.project)
            && has("session", &self.session)
    }
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
    let same = |mine: &Option<String>, theirs: Option<&str>| mine.as_deref().map(fold) == theirs.map(fold);
    let open = catalog.records().filter_map(|entry| {
        let head = entry.record().filter(|head| head.known_kind() == Some(new.kind))?;
        let holds = head.status() == RecordStatus::Open && catalog.superseded_by(&entry.id).is_none();
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
