//! The write lane: everything that changes the vault, in the order it was asked, and what takes it back.

use std::{path::Path, sync::Arc};

use super::{
    EngineError,
    core::{Core, lock},
    protocol::{Reply, Request, Ticket, Written},
};
use crate::{
    index::{Catalog, CatalogEntry, EntryKey, Snapshot, keyword::KeywordView},
    journal::{Change, Draft, DraftId, Edited, Entry, NewEntry, Vault, files},
};

/// How many changes of a session can be taken back.
const UNDO_DEPTH: usize = 100;

/// What the write lane remembers.
#[derive(Default)]
pub(super) struct Writes {
    undo: Vec<Inverse>,
}

/// What takes a change back.
enum Inverse {
    /// The entry was added or restored.
    Remove(Box<Entry>),
    /// The entry was removed: its piece of trash.
    Restore(String),
    /// The entry was changed from `before`.
    Change { now: Box<Entry>, before: Box<Entry> },
}

impl Core {
    pub(super) fn write(&self, ticket: Ticket, request: Request) -> Result<Reply, EngineError> {
        let vault = self.vault()?;
        let done = match request {
            Request::Append { new, draft } => self.append(&vault, new, draft)?,
            Request::Edit { base, change, draft } => self.edit(&vault, base, change, draft)?,
            Request::Remove { base } => {
                let trashed = vault.remove(&base)?;
                self.remember(Inverse::Restore(trashed.handle.clone()));
                Written::Removed(trashed)
            }
            Request::Restore { handle } => {
                let entry = vault.restore(&handle)?;
                self.remember(Inverse::Remove(Box::new(entry.clone())));
                Written::Restored(entry)
            }
            Request::Undo => self.undo(&vault)?,
            Request::KeepDraft(draft) => return self.keep_draft(ticket, &vault, &draft),
            Request::DropDraft(id) => {
                vault.drop_draft(&id)?;
                return Ok(Reply::Written { ticket, done: Written::DraftDropped });
            }
            Request::Drafts => return Ok(Reply::Drafts { ticket, drafts: vault.drafts()? }),
            Request::Trash => return Ok(Reply::Trash { ticket, trash: vault.trash()? }),
            Request::Search(_)
            | Request::Day(_)
            | Request::Ask(_)
            | Request::Sync
            | Request::SaveText { .. }
            | Request::WeighCuration(_)
            | Request::Curate(_)
            | Request::Uncurate => {
                return Err(EngineError::Fault("sorting requests".to_owned()));
            }
        };
        self.due();
        Ok(Reply::Written { ticket, done })
    }

    /// A file of the person's own, where none is yet.
    pub(super) fn save_text(&self, ticket: Ticket, path: &Path, text: &str) -> Result<Reply, EngineError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        if !files::create(&path, text.as_bytes())? {
            return Err(EngineError::Exists(path));
        }
        Ok(Reply::Saved { ticket, path })
    }

    /// Tells the work lane that the vault has changed, without waiting for a step it may be in.
    pub(super) fn due(&self) {
        self.dirty.store(true, std::sync::atomic::Ordering::SeqCst);
    }

    fn append(&self, vault: &Vault, new: NewEntry, draft: Option<DraftId>) -> Result<Written, EngineError> {
        let entry = vault.append(new)?;
        // Only now: the text stands in the journal.
        drop_draft(vault, draft)?;
        self.remember(Inverse::Remove(Box::new(entry.clone())));
        self.find_at_once(&entry);
        Ok(Written::Added(entry))
    }

    fn edit(&self, vault: &Vault, base: Entry, change: Change, draft: Option<DraftId>) -> Result<Written, EngineError> {
        let edited = vault.edit(&base, change)?;
        drop_draft(vault, draft)?;
        Ok(match edited {
            Edited::Saved(entry) => {
                self.remember(Inverse::Change { now: Box::new(entry.clone()), before: Box::new(base) });
                Written::Edited(entry)
            }
            Edited::Unchanged(entry) => Written::Unchanged(entry),
            Edited::KeptBoth { theirs, mine } => {
                self.remember(Inverse::Remove(Box::new(mine.clone())));
                Written::KeptBoth { theirs, mine }
            }
        })
    }

    /// While the work lane is in a long step (a first indexing), a new entry is searched by word in memory.
    fn find_at_once(&self, entry: &Entry) {
        if self.work.try_lock().is_ok() {
            return;
        }
        let view = self.view();
        let Some(snapshot) = &view.snapshot else { return };
        let mut pending = lock(&self.pending);
        pending.retain(|(key, _)| snapshot.catalog.row(*key).is_none() || snapshot.fresh.is_some());
        pending.push((EntryKey::of(&entry.id), entry.clone()));
        let Ok(fresh) = KeywordView::in_memory(pending.iter().map(|(key, entry)| (*key, entry))) else { return };
        let known = snapshot.catalog.entries().iter().cloned();
        let new = pending.iter().filter(|(key, _)| snapshot.catalog.row(*key).is_none());
        let new = new.map(|(_, entry)| Arc::new(CatalogEntry::of(entry)));
        let catalog = Catalog::new(known.chain(new), snapshot.catalog.files.clone(), snapshot.catalog.notices.clone());
        let snapshot = Snapshot { catalog: Arc::new(catalog), fresh: Some(fresh), ..snapshot.as_ref().clone() };
        self.publish(|view| view.snapshot = Some(Arc::new(snapshot)));
    }

    fn undo(&self, vault: &Vault) -> Result<Written, EngineError> {
        let Some(inverse) = lock(&self.writes).undo.pop() else { return Ok(Written::NothingToUndo) };
        let at = |entry: &Entry| entry.time.local().strftime("%H:%M on %-d %B %Y").to_string();
        let said = match &inverse {
            Inverse::Remove(entry) => {
                vault.remove(entry)?;
                format!("the entry of {} is in the trash", at(entry))
            }
            Inverse::Restore(handle) => {
                let entry = vault.restore(handle)?;
                format!("the entry of {} is back", at(&entry))
            }
            Inverse::Change { now, before } => {
                let change = Change {
                    time: Some(before.time.clone()),
                    mood: Some(before.mood.clone()),
                    tags: Some(before.tags.clone()),
                    event_time: Some(before.event_time.clone()),
                    extra: extra_back(now, before),
                    body: Some(before.body.clone()),
                };
                vault.edit(now, change)?;
                format!("the entry of {} is as it was", at(before))
            }
        };
        Ok(Written::Undone(said))
    }

    fn keep_draft(&self, ticket: Ticket, vault: &Vault, draft: &Draft) -> Result<Reply, EngineError> {
        vault.keep_draft(draft)?;
        Ok(Reply::DraftKept { ticket })
    }

    fn remember(&self, inverse: Inverse) {
        let mut writes = lock(&self.writes);
        if writes.undo.len() == UNDO_DEPTH {
            writes.undo.remove(0);
        }
        writes.undo.push(inverse);
    }
}

/// The other keys of `before`, and out with those that only `now` has.
fn extra_back(now: &Entry, before: &Entry) -> Vec<(String, Option<String>)> {
    let gone = now.extra.iter().filter(|(key, _)| before.extra.iter().all(|(old, _)| old != key));
    let set = before.extra.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
    set.chain(gone.map(|(key, _)| (key.clone(), None))).collect()
}

fn drop_draft(vault: &Vault, draft: Option<DraftId>) -> Result<(), EngineError> {
    if let Some(id) = draft {
        vault.drop_draft(&id)?;
    }
    Ok(())
}
