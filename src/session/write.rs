//! The write worker: all changes of the vault, in the order of the requests, and their undo.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use super::{
    CurationLog, EntryOperation, FileContent, Located, QueryHistory, RecordError, Response, SessionError, Written,
    curation::{self, Logged},
    drafts::OpenDrafts,
    entries::locate,
    records::{self, Compared},
    shared_state::SharedState,
    take_images,
};
use crate::{
    fault::lock,
    index::{CatalogEntry, EntryKey, Snapshot, keyword::KeywordView},
    journal::{
        Attachment, Change, Draft, DraftId, Edited, Entry, EntryId, NewEntry, NewRecord, RecordStatus, SavedSearch,
        Vault, VaultError, user_file::Existing,
    },
    paths,
    spelling::counted,
};

/// Maximum number of changes that can be undone.
const UNDO_DEPTH: usize = 100;

/// Maximum number of uncommitted entries to index again in memory when one is added.
const MOST_FRESH: usize = 256;

/// Maximum number of attempts to publish a snapshot with a new entry, if others are published meanwhile.
const TRIES: usize = 3;

/// Performs the changes of the vault.
pub(super) struct Writes {
    shared: Arc<SharedState>,
    /// The undo stack of this session, newest change last. Changes that were made together are undone together.
    undo: Mutex<Vec<Vec<Inverse>>>,
    pub(super) drafts: OpenDrafts,
    /// The query history; without it no query is stored.
    pub(super) query_history: OnceLock<QueryHistory>,
    /// The undo log of names and relations. Without it their changes are refused.
    pub(super) curation_log: OnceLock<CurationLog>,
}

/// The inverse of a change.
pub(super) enum Inverse {
    /// The entry was added or restored.
    Remove(Box<Entry>),
    /// The entry was removed; contains its trash handle.
    Restore(String),
    /// The entry was changed from `before`.
    Change { now: Box<Entry>, before: Box<Entry> },
    /// A search was saved under a new name.
    DropSearch(String),
    /// A saved search was removed or replaced.
    SaveSearch(SavedSearch),
    /// A draft was discarded.
    KeepDraft(Box<Draft>),
    /// Names or relations were changed.
    Names(Logged),
}

impl Writes {
    pub(super) fn new(shared: Arc<SharedState>) -> Self {
        let (undo, drafts) = Default::default();
        Self { shared, undo, drafts, query_history: OnceLock::new(), curation_log: OnceLock::new() }
    }

    pub(super) fn edit(
        &self,
        vault: &Vault,
        base: Entry,
        mut change: Change,
        draft: Option<DraftId>,
    ) -> Result<Written, SessionError> {
        let attachments = match &mut change.body {
            Some(body) => take_images(vault, body, &base.body, |warning| self.shared.notify(warning)),
            None => Vec::new(),
        };
        let (written, inverse) = edit(vault, base, change, attachments)?;
        self.drop_draft(vault, draft);
        self.remember_all(inverse.into_iter().collect());
        Ok(written)
    }

    pub(super) fn remove(&self, vault: &Vault, base: &Entry) -> Result<Written, SessionError> {
        let trashed = vault.remove(base)?;
        self.remember(Inverse::Restore(trashed.handle.clone()));
        Ok(Written::Removed(trashed))
    }

    pub(super) fn restore(&self, vault: &Vault, handle: &str) -> Result<Written, SessionError> {
        let (entry, replaced) = vault.restore_over(handle)?;
        let now = Box::new(entry.clone());
        self.remember(match replaced {
            Some(before) => Inverse::Change { now, before: Box::new(before) },
            None => Inverse::Remove(now),
        });
        Ok(Written::Restored(entry))
    }

    pub(super) fn discard_draft(&self, vault: &Vault, draft: Box<Draft>) -> Result<Response, SessionError> {
        // To put back the older text would replace the one that stays.
        if self.drafts.drop(vault, &draft.id)? {
            self.remember(Inverse::KeepDraft(draft));
        }
        Ok(Response::DraftDropped)
    }

    /// Writes a new file chosen by the user.
    pub(super) fn write_file(&self, vault: &Vault, path: &str, content: FileContent) -> Result<Response, SessionError> {
        let typed = paths::typed(path);
        let path = typed.map_err(|source| VaultError::Io { operation: "find", path: PathBuf::from(path), source })?;
        let catalog = self.shared.snapshot().map(|snapshot| snapshot.catalog.clone());
        let entries = content.entries();
        let document = content.document(&path, catalog.as_deref())?;
        vault.write_user_file(&path, document.as_bytes(), Existing::Refuse)?;
        Ok(Response::FileWritten { path, entries })
    }

    pub(super) fn add_record(&self, vault: &Vault, new: NewRecord) -> Result<Response, SessionError> {
        // Without an index, nothing is compared: twice is better than not at all.
        let catalog = self.shared.snapshot().map(|snapshot| snapshot.catalog.clone()).unwrap_or_default();
        Ok(match records::compared(&catalog, new)? {
            Compared::New(new, _) => Response::Written(self.append(vault, *new, None)?),
            Compared::Known(id) => Response::RecordKnown(id),
        })
    }

    pub(super) fn close_record(
        &self,
        vault: &Vault,
        id: &EntryId,
        status: RecordStatus,
    ) -> Result<Written, SessionError> {
        let unknown = || RecordError::Unknown { id: id.to_string(), known: Vec::new() };
        let located = self.shared.snapshot().map(|snapshot| locate(&snapshot, vault, id.as_str())).transpose()?;
        let Some(Located::One(base)) = located else { return Err(unknown().into()) };
        let today = vault.options().clock.now().date();
        let Some(change) = records::closing(&base, status, today)? else { return Ok(Written::Unchanged(*base)) };
        let (written, inverse) = edit(vault, *base, change, Vec::new())?;
        self.remember_all(inverse.into_iter().collect());
        Ok(written)
    }

    pub(super) fn append(
        &self,
        vault: &Vault,
        mut new: NewEntry,
        draft: Option<DraftId>,
    ) -> Result<Written, SessionError> {
        self.shared.expect_folder(vault)?;
        let attachments = take_images(vault, &mut new.body, "", |warning| self.shared.notify(warning));
        let entry = vault.append_with(new, attachments)?;
        // Only now is the text safe in the journal.
        self.drop_draft(vault, draft);
        self.remember(Inverse::Remove(Box::new(entry.clone())));
        lock(&self.shared.due).added_to.push(entry.place.file.clone());
        Ok(Written::Added(entry))
    }

    pub(super) fn several(&self, vault: &Vault, deeds: Vec<EntryOperation>) -> Written {
        let (mut edited, mut removed, mut failed, mut inverses) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for deed in deeds {
            match deed {
                EntryOperation::Edit { base, change } => match edit(vault, base, change, Vec::new()) {
                    Ok((Written::Edited(entry), inverse)) => {
                        edited.push(entry);
                        inverses.extend(inverse);
                    }
                    Ok((_, inverse)) => inverses.extend(inverse),
                    Err(error) => failed.push(error.to_string()),
                },
                EntryOperation::Remove { base } => match vault.remove(&base) {
                    Ok(trashed) => {
                        inverses.push(Inverse::Restore(trashed.handle.clone()));
                        removed.push(trashed);
                    }
                    Err(error) => failed.push(error.to_string()),
                },
            }
        }
        self.remember_all(inverses);
        Written::Several { edited, removed, failed }
    }

    /// Makes a new entry searchable by word, in memory, until the index worker has indexed it: the worker may be busy,
    /// and a first indexing takes minutes.
    pub(super) fn find_at_once(&self, entry: &Entry) {
        // Another snapshot may be published meanwhile. If all attempts fail, the next scan of the vault finds the
        // entry.
        for _ in 0..TRIES {
            let Some(before) = self.shared.snapshot() else { return };
            let Some(after) = with_new(&before, entry) else { return };
            if self.shared.publish_after(&before, Arc::new(after)) {
                return;
            }
        }
    }

    pub(super) fn undo(&self, vault: &Vault) -> Result<Written, SessionError> {
        let Some(inverses) = lock(&self.undo).pop() else { return Ok(Written::NothingToUndo) };
        if let [inverse] = inverses.as_slice() {
            return match self.undo_change(vault, inverse) {
                Ok((said, entry)) => Ok(Written::Undone { said, entry }),
                Err(error) => {
                    // A lock or a full disk passes, and the change can still be undone then.
                    if error.is_temporary() {
                        lock(&self.undo).push(inverses);
                    }
                    Err(error)
                }
            };
        }
        let undone = |said| Ok(Written::Undone { said, entry: None });
        let mut failed = Vec::new();
        for inverse in inverses.iter().rev() {
            failed.extend(self.undo_change(vault, inverse).err());
        }
        let done = inverses.len() - failed.len();
        match failed.into_iter().next() {
            None => undone(format!("Undid: changes of {}", counted(done, "entry", "entries"))),
            Some(error) if done == 0 => Err(error),
            Some(error) => undone(format!("Undid {done} of {} entries; {error}", inverses.len())),
        }
    }

    /// Undoes one change. Returns a description and the restored entry.
    fn undo_change(&self, vault: &Vault, inverse: &Inverse) -> Result<(String, Option<Entry>), SessionError> {
        let at = |entry: &Entry| entry.time.local().strftime("%-d %B %Y, %H:%M").to_string();
        Ok(match inverse {
            Inverse::Remove(entry) => {
                vault.remove(entry)?;
                (format!("Undid: entry of {} is in the trash", at(entry)), None)
            }
            Inverse::Restore(handle) => {
                let entry = vault.restore(handle).map_err(|error| match error {
                    VaultError::Absent { .. } => SessionError::TrashEmptied,
                    error => error.into(),
                })?;
                (format!("Restored: entry of {}", at(&entry)), Some(entry))
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
                let said = format!("Undid: {} of the entry of {}", changed(now, before), at(before));
                match vault.edit(now, change)? {
                    Edited::Saved(entry) | Edited::Unchanged(entry) => (said, Some(entry)),
                    Edited::KeptBoth { mine, .. } => (said + "; another program changed it, both are kept", Some(mine)),
                }
            }
            Inverse::DropSearch(name) => {
                vault.drop_search(name)?;
                (format!("Deleted saved search {name}"), None)
            }
            Inverse::SaveSearch(search) => {
                vault.save_search(search)?;
                (format!("Restored saved search {}", search.name), None)
            }
            Inverse::KeepDraft(draft) => {
                self.keep_draft(vault, draft)?;
                let what = if draft.editing.is_some() { "edit" } else { "draft" };
                (format!("Restored: the discarded {what}"), None)
            }
            Inverse::Names(change) => {
                curation::undo(vault, self.curation_log()?, change)?;
                (format!("Undid: {}", change.said), None)
            }
        })
    }

    /// Removes the draft of a saved text. A failure must not be reported as a failed save, which would be repeated.
    fn drop_draft(&self, vault: &Vault, draft: Option<DraftId>) {
        if let Some(Err(error)) = draft.map(|id| self.drafts.drop(vault, &id)) {
            self.shared.notify(format!("Saved, but its draft was not removed: {error}"));
        }
    }

    pub(super) fn keep_draft(&self, vault: &Vault, draft: &Draft) -> Result<Response, SessionError> {
        self.drafts.keep(vault, draft)?;
        lock(&self.shared.due).writing = true;
        Ok(Response::DraftKept)
    }

    pub(super) fn keep_query(&self, query: &str) -> Result<(), SessionError> {
        self.query_history.get().map_or(Ok(()), |history| history.keep(query))
    }

    pub(super) fn queries(&self) -> Result<Vec<String>, SessionError> {
        self.query_history.get().map_or_else(|| Ok(Vec::new()), QueryHistory::queries)
    }

    pub(super) fn save_search(&self, vault: &Vault, search: &SavedSearch) -> Result<Response, SessionError> {
        let before = vault.save_search(search)?;
        self.remember(before.map_or_else(|| Inverse::DropSearch(search.name.clone()), Inverse::SaveSearch));
        Ok(Response::SearchSaved(search.name.clone()))
    }

    pub(super) fn drop_search(&self, vault: &Vault, name: String) -> Result<Response, SessionError> {
        if let Some(dropped) = vault.drop_search(&name)? {
            self.remember(Inverse::SaveSearch(dropped));
        }
        Ok(Response::SearchDropped(name))
    }

    /// The undo log of names and relations, which is set before the first request.
    pub(super) fn curation_log(&self) -> Result<&CurationLog, SessionError> {
        self.curation_log.get().ok_or_else(|| SessionError::Fault("looking for the log of changes".into()))
    }

    pub(super) fn remember(&self, inverse: Inverse) {
        self.remember_all(vec![inverse]);
    }

    fn remember_all(&self, inverses: Vec<Inverse>) {
        let mut undo = lock(&self.undo);
        if inverses.is_empty() {
            return;
        }
        if undo.len() == UNDO_DEPTH {
            undo.remove(0);
        }
        undo.push(inverses);
    }
}

/// The snapshot with a new entry that can be found by word. `None` if it already has the entry, or if too many entries
/// are uncommitted (another process writes the index) to index them again.
fn with_new(before: &Snapshot, entry: &Entry) -> Option<Snapshot> {
    let key = EntryKey::of(&entry.id);
    let fresh = before.fresh.as_ref();
    let keys: Vec<EntryKey> =
        fresh.and_then(KeywordView::keys).map_or_else(Vec::new, |keys| keys.iter().copied().collect());
    if before.catalog.row(key).is_some() || keys.len() > MOST_FRESH {
        return None;
    }
    let texts = fresh.map_or_else(|| Ok(Vec::new()), |fresh| fresh.texts(&keys, None)).ok()?;
    let mut entries = vec![(key, entry.clone())];
    for (key, text) in keys.iter().zip(texts) {
        entries.push((*key, before.catalog.by_key(*key)?.with_body(text?)));
    }
    let fresh = KeywordView::in_memory(entries.iter().map(|(key, entry)| (*key, entry))).ok()?;
    let catalog = Arc::new(before.catalog.with_new(vec![Arc::new(CatalogEntry::of(entry))]));
    Some(Snapshot { catalog, fresh: Some(fresh), ..before.clone() })
}

/// Changes one entry. Returns the result and its inverse.
fn edit(
    vault: &Vault,
    base: Entry,
    change: Change,
    attachments: Vec<Attachment>,
) -> Result<(Written, Option<Inverse>), SessionError> {
    Ok(match vault.edit_with(&base, change, attachments)? {
        Edited::Saved(entry) => {
            let inverse = Inverse::Change { now: Box::new(entry.clone()), before: Box::new(base) };
            (Written::Edited(entry), Some(inverse))
        }
        Edited::Unchanged(entry) => (Written::Unchanged(entry), None),
        Edited::KeptBoth { theirs, mine } => {
            let inverse = Inverse::Remove(Box::new(mine.clone()));
            (Written::KeptBoth { theirs, mine }, Some(inverse))
        }
    })
}

/// The change of the extra keys back to `before`: sets its keys, and removes those that only `now` has.
fn extra_back(now: &Entry, before: &Entry) -> Vec<(String, Option<String>)> {
    let gone = now.extra.iter().filter(|(key, _)| before.extra.iter().all(|(old, _)| old != key));
    let set = before.extra.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
    set.chain(gone.map(|(key, _)| (key.clone(), None))).collect()
}

/// What differs between two versions of an entry, in a word.
fn changed(now: &Entry, before: &Entry) -> &'static str {
    let parts = [
        ("move", now.time.at != before.time.at),
        ("tags", now.tags != before.tags),
        ("mood", now.mood != before.mood),
        ("favourite mark", now.starred() != before.starred()),
    ];
    let mut differing = parts.iter().filter(|(_, differs)| *differs && now.body == before.body);
    match (differing.next(), differing.next()) {
        (Some((what, _)), None) => what,
        _ => "edit",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{
        clock::Clock,
        index::vector::Ann,
        journal::VaultOptions,
        session::{Curating, Reply, Request, Response, SessionOptions, SessionWorkers, Ticket},
    };

    fn session(root: &Path) -> SessionWorkers {
        let vault = VaultOptions::new(root, Clock::fixed("2026-11-20T09:00+07:00[+07:00]".parse().unwrap()));
        let models = root.join("models");
        SessionWorkers::inline(SessionOptions {
            vault,
            models,
            model: None,
            encoder: None,
            ann: Ann::Auto,
            watch: false,
        })
    }

    fn shown(session: &SessionWorkers) -> Arc<Snapshot> {
        session.view().snapshot.clone().unwrap()
    }

    #[test]
    fn a_new_entry_is_put_beside_the_index_until_that_has_it_and_never_over_something_newer() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        let new = |body: &str| NewEntry { body: body.to_owned(), ..NewEntry::default() };
        let vault = session.requests.shared.vault().unwrap();
        let (first, second) = (vault.append(new("Fog.")).unwrap(), vault.append(new("Rain.")).unwrap());
        let empty = shown(&session);
        session.requests.writes.find_at_once(&first);
        session.requests.writes.find_at_once(&second);
        let both = shown(&session);
        assert!(both.fresh.is_some() && both.catalog.entries().len() == 2);
        assert!(!session.requests.shared.publish_after(&empty, empty.clone()), "made from what is shown no longer");
        session.requests.index.work_all();
        let known = shown(&session);
        assert!(known.fresh.is_none() && known.catalog.entries().len() == 2);
        session.requests.writes.find_at_once(&second);
        assert!(Arc::ptr_eq(&shown(&session), &known), "the index has it");
    }

    #[test]
    fn a_change_of_names_is_previewed_without_the_undo_log_and_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        let body = "Tea with @Linh and @Minh.".to_owned();
        session.requests.shared.vault().unwrap().append(NewEntry { body, ..NewEntry::default() }).unwrap();
        session.requests.index.work_all();
        let merge = Curating::Merge { from: "Linh".to_owned(), into: "Minh".to_owned() };
        let answer = |request| {
            let ticket = Ticket(1);
            session.requests.shared.expect_reply();
            session.requests.perform(ticket, request, &|| false);
            std::iter::from_fn(|| session.try_recv()).find(|reply| reply.ticket() == Some(ticket)).unwrap()
        };
        let preview = answer(Request::PreviewCuration(merge.clone()));
        assert!(matches!(preview, Reply::To(_, Response::Curated(_))), "{preview:?}");
        let made = answer(Request::Curate(merge));
        assert!(matches!(made, Reply::To(_, Response::Failed(_))), "{made:?}");
    }

    #[test]
    fn an_undo_says_that_the_trash_was_emptied_or_that_both_versions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        let (vault, writes) = (session.requests.shared.vault().unwrap(), &session.requests.writes);
        let fog = vault.append(NewEntry { body: "Fog.".to_owned(), ..NewEntry::default() }).unwrap();
        writes.remove(&vault, &fog).unwrap();
        vault.empty_trash(None).unwrap();
        assert!(matches!(writes.undo(&vault), Err(SessionError::TrashEmptied)));
        let rain = vault.append(NewEntry { body: "Rain.".to_owned(), ..NewEntry::default() }).unwrap();
        let change = |body: &str| Change { body: Some(body.to_owned()), ..Change::default() };
        let Written::Edited(mine) = writes.edit(&vault, rain, change("Snow."), None).unwrap() else { panic!() };
        vault.edit(&mine, change("Hail.")).unwrap();
        let Written::Undone { said, .. } = writes.undo(&vault).unwrap() else { panic!() };
        assert!(said.contains("both are kept"), "{said}");
    }
}
