//! Records of the journal: listing, writing without duplicates, and closing.

use jiff::civil::Date;
use serde::Serialize;

use super::{Located, RecordError, Session, SessionError};
use crate::{
    index::Catalog,
    insight::records::{self, Present, Record, RecordFilter},
    journal::{
        Change, ClaimLink, Edited, Entry, EntryId, NewEntry, NewRecord, RecordKind, RecordStatus, record_title,
        status_change,
    },
};

/// Result of [`Session::remember`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remembered {
    pub id: EntryId,
    /// Whether it was written; otherwise the journal has the same record, which is still open.
    pub is_new: bool,
    pub due: Option<Date>,
    /// The fact that it replaces.
    pub superseded: Option<EntryId>,
}

/// Fewest characters of an id that may stand for the whole.
const SHORTEST_BEGINNING: usize = 3;

impl Session {
    /// The records that pass a filter.
    pub fn records(&mut self, filter: &RecordFilter) -> Result<Vec<Record>, SessionError> {
        Ok(records::records(&*self.snapshot()?, filter)?)
    }

    /// Writes a record. A text that is there and open already is not written again; a fact supersedes the one of the
    /// same subject and category, which stays in its file. The records that a claim supports or contradicts may be
    /// given by the beginning of their ids.
    pub fn remember(&mut self, mut new: NewRecord) -> Result<Remembered, SessionError> {
        let catalog = self.snapshot()?.catalog.clone();
        for (_, target) in new.links.iter_mut().filter(|(link, _)| *link != ClaimLink::CitedIn) {
            *target = match catalog.by_id(&whole_id(&catalog, target)?) {
                Some(entry) => entry.id.to_string(),
                None => return Err(unknown(&catalog, target).into()),
            };
        }
        Ok(match compared(&catalog, new)? {
            Compared::New(new, superseded) => {
                self.expect_entries_folder()?;
                let entry = self.vault().append(*new)?;
                let due = entry.record().and_then(|record| record.due());
                Remembered { id: entry.id, is_new: true, due, superseded }
            }
            Compared::Known(id) => {
                let due = catalog.by_id(&id).and_then(|entry| entry.record()?.due());
                Remembered { id, is_new: false, due, superseded: None }
            }
        })
    }

    /// Gives a record another status. `id` may be the beginning of its id. Returns the record before and after, which
    /// are equal if it had the status already.
    pub fn close_record(&mut self, id: &str, status: RecordStatus) -> Result<(Entry, Entry), SessionError> {
        let before = self.record_entry(id)?;
        let today = self.vault().options().clock.now().date();
        let Some(change) = closing(&before, status, today)? else { return Ok((before.clone(), before)) };
        let after = match self.vault().edit(&before, change)? {
            Edited::Saved(entry) | Edited::Unchanged(entry) | Edited::KeptBoth { mine: entry, .. } => entry,
        };
        Ok((before, after))
    }

    /// The entry of a record, by its id or the beginning of its id.
    fn record_entry(&mut self, id: &str) -> Result<Entry, SessionError> {
        let snapshot = self.snapshot()?;
        let whole = whole_id(&snapshot.catalog, id)?;
        match self.locate(whole.as_str())? {
            Located::One(entry) => Ok(*entry),
            Located::Ambiguous(ids) => Err(RecordError::Ambiguous { id: id.to_owned(), ids }.into()),
            Located::Nothing => Err(unknown(&snapshot.catalog, id).into()),
        }
    }
}

/// The id of an entry, or the id of the one record that begins with it; an unknown id is returned as it is.
fn whole_id(catalog: &Catalog, id: &str) -> Result<EntryId, RecordError> {
    let begun = |known: &&EntryId| id.len() >= SHORTEST_BEGINNING && known.as_str().starts_with(id);
    if catalog.by_id(&id.into()).is_some() {
        return Ok(id.into());
    }
    match catalog.records().map(|entry| &entry.id).filter(begun).collect::<Vec<_>>().as_slice() {
        [] => Ok(id.into()),
        [one] => Ok((*one).clone()),
        several => {
            let ids = several.iter().map(|id| (*id).clone()).collect();
            Err(RecordError::Ambiguous { id: id.to_owned(), ids })
        }
    }
}

fn unknown(catalog: &Catalog, id: &str) -> RecordError {
    let known = catalog.records().map(|entry| entry.id.to_string()).collect();
    RecordError::Unknown { id: id.to_owned(), known }
}

/// The change that gives a record another status; `None` if it has that status.
pub(super) fn closing(base: &Entry, status: RecordStatus, today: Date) -> Result<Option<Change>, RecordError> {
    let head = base.record().ok_or_else(|| RecordError::NoRecord(base.id.clone()))?;
    let is_task = head.known_kind().is_some_and(RecordKind::is_task);
    if status == RecordStatus::Done && !is_task {
        return Err(RecordError::NoTask { id: base.id.clone(), kind: head.kind.to_owned() });
    }
    Ok((head.status() != status).then(|| status_change(&head, status, today)))
}

/// What [`compared`] makes of a new record.
pub(super) enum Compared {
    /// To be appended; supersedes the fact.
    New(Box<NewEntry>, Option<EntryId>),
    Known(EntryId),
}

/// Compares a new record with those of the journal.
pub(super) fn compared(catalog: &Catalog, mut new: NewRecord) -> Result<Compared, RecordError> {
    new.text.truncate(new.text.trim_end().len());
    if record_title(&new.text).is_empty() {
        return Err(RecordError::NoText);
    }
    Ok(match records::present(catalog, &new) {
        Present::Same(id) => Compared::Known(id),
        Present::Fact(id) => {
            new.supersedes = Some(id.clone());
            Compared::New(Box::new(new.entry()), Some(id))
        }
        Present::Nothing => Compared::New(Box::new(new.entry()), None),
    })
}
