//! The session: single-threaded access to a journal's vault, index and models.
//!
//! The command line uses a session directly; the index worker of the screens runs one in small steps.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::civil;

use super::{
    Located, SessionError, SessionOptions,
    batch_size::BatchSize,
    entries::{locate, read_entries, readable_entries, unreadable_warning},
    model::{self, Models},
};
use crate::{
    embed::ModelStamp,
    index::{
        self, BACKLOG, Catalog, CatalogEntry, ClaimsOf, Embedded, Index, IndexError, IndexOptions, ModelChange,
        Progress, ScanScope, Snapshot, SyncReport, Waiting,
    },
    index::{graph::GraphView, vector::Ann},
    journal::{EntityNote, Entry, Vault},
    search::{self, Found, Search},
};

/// An open journal.
pub struct Session {
    options: SessionOptions,
    vault: Vault,
    pub(super) models: Models,
    index: Option<Index>,
    /// Warnings that the next sync or [`Session::warnings`] reports.
    warnings: Vec<String>,
    snapshot: Option<Arc<Snapshot>>,
    /// The catalog that [`Session::listed`] read without opening the index.
    pub(super) catalog_only: Option<Arc<Catalog>>,
    /// See [`Session::cancel_when`].
    cancelled: Option<Box<dyn Fn() -> bool + Send>>,
}

impl Drop for Session {
    /// Saves index updates, even after a command that only reads: otherwise every start would repeat them. Errors are
    /// ignored; the next start does the work again.
    fn drop(&mut self) {
        if let Some(index) = self.index.take_if(|index| index.is_behind() && !std::thread::panicking()) {
            let _ = index.leave();
        }
    }
}

impl Session {
    /// Opens the vault. Index and model open when first needed, so that `add` does not wait for them.
    pub fn open(options: SessionOptions) -> Result<Self, SessionError> {
        let vault = Vault::open(options.vault.clone())?;
        let models = Models::new(&options);
        Ok(Self::with(options, vault, models))
    }

    /// A session with a vault and models that other threads share.
    pub(super) fn with(options: SessionOptions, vault: Vault, models: Models) -> Self {
        Self {
            options,
            vault,
            models,
            index: None,
            warnings: Vec::new(),
            snapshot: None,
            catalog_only: None,
            cancelled: None,
        }
    }

    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// An error if the folder of the day files is missing although the index knows entries of it, because a write would
    /// create an empty folder. The vault itself only detects this for entries that kioku wrote.
    pub fn expect_entries_folder(&mut self) -> Result<(), SessionError> {
        let path = self.vault.entries_folder().to_path_buf();
        if path.is_dir() || !self.vault.index_folder().is_dir() || self.index()?.catalog().files.is_empty() {
            return Ok(());
        }
        Err(IndexError::FolderGone { path }.into())
    }

    /// Updates the index from the vault: words and connections, then (with `embed`) vectors. `progress` returns false
    /// to stop early.
    pub fn sync(
        &mut self,
        embed: bool,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<SyncReport, SessionError> {
        let vault = self.vault.clone();
        let mut report = self.index()?.sync(&vault, progress)?;
        self.snapshot = None;
        self.warnings.append(&mut report.warnings);
        if embed && !report.stopped && !report.read_only {
            self.embed(&mut report, progress)?;
        }
        if embed && !report.stopped {
            self.read_claims(&mut report, progress)?;
        }
        report.warnings = self.warnings();
        Ok(report)
    }

    /// Indexes changes of the vault, without a commit: they can be found at once, and [`Session::commit`] makes them
    /// durable.
    pub(super) fn update(
        &mut self,
        scope: ScanScope<'_>,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<SyncReport, SessionError> {
        let vault = self.vault.clone();
        let report = self.index()?.update(&vault, scope, progress)?;
        self.snapshot = None;
        Ok(report)
    }

    /// Like [`Session::sync`], for an explicit `kioku index`: recomputes damaged vectors, and returns an error if the
    /// index cannot be written.
    pub fn refresh(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, SessionError> {
        let dropped = self.index()?.drop_damaged()?;
        self.warnings.extend(dropped);
        let report = self.sync(true, progress)?;
        if !report.stopped {
            self.index()?.save()?;
        }
        self.index_fault().map_or(Ok(report), |error| Err(error.into()))
    }

    /// Why the index cannot be written, unless another process holds it. `None` if the index is not open.
    pub fn index_fault(&self) -> Option<IndexError> {
        let index = self.index.as_ref()?;
        index.unwritable().is_some().then(|| index.refusal())
    }

    /// Commits the changes of the last update.
    pub fn commit(&mut self) -> Result<(), SessionError> {
        Ok(self.index()?.commit()?)
    }

    fn embed(
        &mut self,
        report: &mut SyncReport,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<(), SessionError> {
        let mut batch_size = BatchSize::default();
        while let Some(waiting) = self.index()?.waiting() {
            if !progress(Progress { what: "meaning", done: waiting.done, of: waiting.of }) {
                report.stopped = true;
                return Ok(());
            }
            report.embedded += self.embed_batch(&waiting, &mut batch_size)?.unwrap_or(0);
        }
        let is_news = !self.index()?.is_standing_in();
        report.succeeded = self.index()?.succeed()?.map(|model| model.name).filter(|_| is_news);
        Ok(self.index()?.checkpoint_many()?)
    }

    fn read_claims(
        &mut self,
        report: &mut SyncReport,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<(), SessionError> {
        let of = self.index()?.unread();
        while let Some(left) = self.read_batch(CLAIMS_BATCH)? {
            report.stopped = left > 0 && !progress(Progress { what: "causes", done: of - left, of });
            if left == 0 || report.stopped {
                return Ok(self.index()?.save()?);
            }
        }
        Ok(())
    }

    /// Reads the claims of up to `limit` entries. Returns how many are left; `None` where there were none, and
    /// without a model.
    pub(super) fn read_batch(&mut self, limit: usize) -> Result<Option<usize>, SessionError> {
        if !self.models.reads_claims() || self.index()?.unread() == 0 {
            return Ok(None);
        }
        let Some(reader) = self.models.claim_reader() else { return Ok(None) };
        let vault = self.vault.clone();
        let index = self.index()?;
        index.read_claims(&vault, &ClaimsOf(reader), limit)?;
        let left = index.unread();
        self.snapshot = None;
        Ok(Some(left))
    }

    /// Reads the claims of new entries, if they are a few: an answer about causes need not wait for the next `kioku index`.
    pub(super) fn read_new(&mut self) -> Result<(), SessionError> {
        if !self.models.reads_claims() {
            return Ok(());
        }
        match self.index()?.unread() {
            0 => {}
            1..=NEW => drop(self.read_batch(NEW)?),
            unread => self.warnings.push(format!(
                "{unread} entries are not read for causes yet; open screens do so in the background, `kioku index` at once"
            )),
        }
        Ok(())
    }

    /// Embeds one batch of waiting passages. Returns their number, or `None` if the model failed and was disabled, with
    /// a warning in [`Session::warnings`].
    pub(super) fn embed_batch(
        &mut self,
        waiting: &Waiting,
        batch_size: &mut BatchSize,
    ) -> Result<Option<usize>, SessionError> {
        let encoder = self.models.encoder(&waiting.model);
        batch_size.turn_to(waiting.successor);
        let started = Instant::now();
        let embedded = match encoder {
            Ok(encoder) => self.index()?.embed(encoder.as_ref(), batch_size.passages())?,
            Err(why) => Embedded::Fault(why),
        };
        batch_size.adapt(started.elapsed());
        self.snapshot = None;
        match embedded {
            Embedded::Passages(count) => Ok(Some(count)),
            Embedded::Fault(why) => {
                self.warnings.push(match waiting.successor {
                    true => format!("cannot switch to the model {}: {why}", waiting.model.name),
                    false => format!("search by meaning is off: {why}"),
                });
                self.index()?.give_up(&waiting.model, why);
                Ok(None)
            }
        }
    }

    /// Builds the approximate neighbour graph over all vectors now (minutes for a million passages). If none was built,
    /// returns the reason.
    pub fn build_ann(&mut self) -> Result<Option<String>, SessionError> {
        if self.options.ann == Ann::Off {
            return Ok(Some("ann = \"off\" in the configuration".to_owned()));
        }
        self.snapshot = None;
        Ok(if self.index()?.build_ann()? { None } else { Some("no model is in use".to_owned()) })
    }

    /// The model chosen for this journal, from its card; `None` if there is none.
    pub fn model(&self) -> Result<Option<ModelStamp>, SessionError> {
        Ok(self.models.chosen()?)
    }

    /// The pending switch to the chosen model, while another one still answers.
    pub fn model_change(&mut self) -> Result<Option<ModelChange>, SessionError> {
        Ok(self.index()?.model_change())
    }

    /// Loads the model of the snapshot's vectors. Returns the reason if it cannot be used.
    pub fn model_fault(&self, snapshot: &Snapshot) -> Option<String> {
        self.fault_of(snapshot.vectors.as_ref()?.model())
    }

    /// Loads a model. Returns the reason if it cannot be used.
    pub fn fault_of(&self, model: &ModelStamp) -> Option<String> {
        self.models.encoder(model).err()
    }

    /// Deletes and rebuilds the derived files. Vectors are kept, so that no text is embedded twice.
    pub fn rebuild(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, SessionError> {
        let vault = self.vault.clone();
        let kept = self.index()?.keep_before_rebuild(&vault, progress)?;
        self.warnings.extend(kept);
        if let Some(index) = self.index.take() {
            let (index, warnings) = index.rebuild()?;
            self.index = Some(index);
            self.warnings.extend(warnings);
        }
        self.sync(true, progress)
    }

    /// The current snapshot, after an update of words and connections.
    pub fn snapshot(&mut self) -> Result<Arc<Snapshot>, SessionError> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(snapshot.clone());
        }
        // Commit after the answer, not here, to answer sooner: the next index operation or the close commits.
        let report = self.update(ScanScope::Everywhere, &mut |_| true)?;
        self.warnings.extend(report.warnings);
        let snapshot = self.snapshot_as_is()?;
        self.warnings.extend(unreadable_warning(&snapshot.catalog));
        Ok(snapshot)
    }

    /// Like [`Session::snapshot`], but first embeds passages without vectors, newest entries first, as long as
    /// `goes_on` returns true. The snapshot's `vector_health` shows what is left.
    pub fn snapshot_with_meaning(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<Arc<Snapshot>, SessionError> {
        self.snapshot()?;
        if !self.embed_while(BACKLOG, goes_on)? && self.index()?.stand_in(0)? {
            self.update(ScanScope::Everywhere, &mut |_| true)?;
            self.embed_while(0, &mut within_meaning_budget())?;
        }
        if self.index()?.succeed()?.is_some() {
            self.snapshot = None;
        }
        self.snapshot_as_is()
    }

    /// Indexes what was imported: it is found by word and, with the fast model, by meaning. A slow model reads it later.
    pub fn index_imported(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<(), SessionError> {
        if self.sync(false, progress)?.read_only {
            // The process that writes the index, such as open screens, does the rest.
            return Ok(());
        }
        let mut batch_size = BatchSize::default();
        while let Some(waiting) = self.index()?.waiting().filter(|waiting| !waiting.successor) {
            if !progress(Progress { what: "meaning", done: waiting.done, of: waiting.of }) {
                break;
            }
            self.embed_batch(&waiting, &mut batch_size)?;
        }
        Ok(())
    }

    /// Embeds for the active model, and up to `backlog` passages for its successor, as long as `goes_on` returns true. Returns
    /// whether the active model has everything.
    fn embed_while(&mut self, backlog: usize, goes_on: &mut dyn FnMut() -> bool) -> Result<bool, SessionError> {
        let mut batch_size = BatchSize::short();
        let is_soon = |waiting: &Waiting| !waiting.successor || waiting.of - waiting.done <= backlog;
        while let Some(waiting) = self.index()?.waiting().filter(is_soon) {
            if !goes_on() {
                return Ok(waiting.successor);
            }
            self.embed_batch(&waiting, &mut batch_size)?;
        }
        Ok(true)
    }

    /// The snapshot of what is indexed and embedded now.
    pub(super) fn snapshot_as_is(&mut self) -> Result<Arc<Snapshot>, SessionError> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(snapshot.clone());
        }
        let snapshot = Arc::new(self.index()?.snapshot());
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// Preview: the graph as it would be with these notes on entities.
    pub(super) fn graph_under(&mut self, notes: Vec<EntityNote>) -> Result<GraphView, SessionError> {
        self.snapshot()?;
        // After a commit the word index can find the entries with an alias; otherwise all entries would be read.
        self.index()?.commit()?;
        Ok(self.index()?.graph_under(notes))
    }

    /// Drops the snapshot, so that the files that it holds open can be deleted.
    pub(super) fn drop_snapshot(&mut self) {
        self.snapshot = None;
    }

    /// Adds warnings for [`Session::warnings`].
    pub(super) fn warn(&mut self, warnings: Vec<String>) {
        self.warnings.extend(warnings);
    }

    /// Takes the collected warnings, also of the last write, without duplicates.
    pub fn warnings(&mut self) -> Vec<String> {
        let mut said = HashSet::new();
        let warnings = std::mem::take(&mut self.warnings).into_iter().chain(self.vault.write_warnings());
        warnings.filter(|text| said.insert(text.clone())).collect()
    }

    /// Runs one fused search over [`Session::snapshot`].
    #[cfg(any(test, feature = "lab"))]
    pub fn search(&mut self, ask: &Search) -> Result<Found, SessionError> {
        let snapshot = self.snapshot()?;
        self.search_in(&snapshot, ask)
    }

    /// Runs one fused search over the caller's snapshot, so that a batch sees one state of the journal.
    pub fn search_in(&mut self, snapshot: &Snapshot, ask: &Search) -> Result<Found, SessionError> {
        let (encoder, why) = self.models.for_search(snapshot, ask);
        let found = search::search(snapshot, encoder.as_deref(), ask, &|| self.is_cancelled())?;
        let mut found = found.ok_or(SessionError::Cancelled)?;
        why.iter().for_each(|why| model::say_left_out(&mut found, why));
        Ok(found)
    }

    /// Searches and insight queries end with [`SessionError::Cancelled`] while this returns true.
    pub fn cancel_when(&mut self, cancelled: impl Fn() -> bool + Send + 'static) {
        self.cancelled = Some(Box::new(cancelled));
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| cancelled())
    }

    /// Finds an entry by id (or an unambiguous time), and reads it from its file.
    pub fn locate(&mut self, id: &str) -> Result<Located, SessionError> {
        let snapshot = self.snapshot()?;
        locate(&snapshot, &self.vault, id)
    }

    /// The entries of a range of days, oldest first, read from their files.
    pub fn entries(&mut self, from: Option<civil::Date>, to: Option<civil::Date>) -> Result<Vec<Entry>, SessionError> {
        let snapshot = self.snapshot()?;
        let days = snapshot.catalog.days(from.unwrap_or(civil::Date::MIN), to.unwrap_or(civil::Date::MAX));
        readable_entries(&self.vault, &snapshot, days, &mut self.warnings)
    }

    /// The latest `limit` entries of a range of days, oldest first. Reads only their files, and of the index only the
    /// catalog if little has changed since the last checkpoint.
    pub fn latest_entries(
        &mut self,
        from: Option<civil::Date>,
        to: Option<civil::Date>,
        limit: usize,
    ) -> Result<Vec<Entry>, SessionError> {
        let catalog = self.listed()?;
        let days = catalog.days(from.unwrap_or(civil::Date::MIN), to.unwrap_or(civil::Date::MAX));
        let mut latest: Vec<&CatalogEntry> = days.rev().take(limit).collect();
        latest.reverse();
        match read_entries(&self.vault, latest.iter().copied()) {
            // Entries of unreadable files are shown as last indexed.
            Err(SessionError::Vault(_)) => {
                let snapshot = self.snapshot()?;
                readable_entries(&self.vault, &snapshot, latest.into_iter(), &mut self.warnings)
            }
            read => read,
        }
    }

    /// The current catalog. Without a snapshot, the index is opened only if [`index::catalog_only`] is not sufficient.
    pub fn listed(&mut self) -> Result<Arc<Catalog>, SessionError> {
        if self.index.is_none() && self.catalog_only.is_none() {
            self.catalog_only = index::catalog_only(&self.vault.index_folder(), &self.vault)?.map(Arc::new);
            self.warnings.extend(self.catalog_only.iter().filter_map(|catalog| unreadable_warning(catalog)));
        }
        match self.catalog_only.as_ref().filter(|_| self.index.is_none()) {
            Some(catalog) => Ok(catalog.clone()),
            None => Ok(self.snapshot()?.catalog.clone()),
        }
    }

    pub(super) fn index(&mut self) -> Result<&mut Index, SessionError> {
        if self.index.is_none() {
            let (index, warnings) = open_index(&self.options, &self.models, &self.vault)?;
            self.warnings.extend(warnings);
            self.index = Some(index);
        }
        self.index.as_mut().ok_or_else(|| SessionError::Fault("opening the index".to_owned()))
    }

    /// The index, if it is open.
    pub(super) fn opened_index(&mut self) -> Option<&mut Index> {
        self.index.as_mut()
    }

    /// Writes a checkpoint and closes the index. The next use opens it with the model chosen by then.
    pub(super) fn close_index(&mut self) -> Result<(), SessionError> {
        self.snapshot = None;
        let Some(mut index) = self.index.take() else { return Ok(()) };
        let saved = index.save();
        Ok(saved.and_then(|()| index.close())?)
    }

    /// Loads the model on a separate thread before a search, while the index opens.
    pub fn prepare_search(&self) {
        let models = self.models.clone();
        let load = move || {
            if let Ok(Some(model)) = models.chosen() {
                let _ = models.encoder(&model);
            }
        };
        // If the thread or the load fails, the search loads the model itself and reports the error.
        let _ = std::thread::Builder::new().name("model".to_owned()).spawn(load);
    }

    /// Like [`Session::close`], for the end of the process: see [`Index::leave`].
    pub fn leave(mut self) -> Result<(), SessionError> {
        std::mem::forget(self.snapshot.take());
        Ok(self.index.take().map_or(Ok(()), Index::leave)?)
    }

    /// Saves the index and closes its writer.
    pub fn close(mut self) -> Result<(), SessionError> {
        Ok(self.index.take().map_or(Ok(()), Index::close)?)
    }
}

/// Entries whose claims are read at once: 1 s of work.
pub(super) const CLAIMS_BATCH: usize = 64;
/// Entries whose claims are read before an answer: .3 s of work.
const NEW: usize = 8;

/// How long a command embeds new passages before it answers.
const MEANING_BUDGET: Duration = Duration::from_millis(100);

/// A callback for [`Session::snapshot_with_meaning`]: true until the budget, which starts with the first call, is used
/// up.
pub fn within_meaning_budget() -> impl FnMut() -> bool {
    let mut started = None;
    move || started.get_or_insert_with(Instant::now).elapsed() < MEANING_BUDGET
}

/// Opens the index of a vault for the chosen model.
fn open_index(options: &SessionOptions, models: &Models, vault: &Vault) -> Result<(Index, Vec<String>), SessionError> {
    // Leftovers that cannot be removed now are removed at the next start.
    let _ = vault.sweep_leftovers();
    let (model, fault) = match models.chosen() {
        Ok(model) => (model, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let stand_in = model.as_ref().and_then(|model| models.stand_in(model));
    // If the folder cannot be created, the index opens read-only and reports why.
    let dir = vault.make_index_folder().unwrap_or_else(|_| vault.index_folder());
    let (mut index, mut warnings) = Index::open(IndexOptions { dir, model, stand_in, ann: options.ann })?;
    if let Some(why) = fault {
        warnings.insert(0, format!("search by meaning is off: {why}"));
        index.vector_off(why);
    }
    if let Some(change) = index.model_change().filter(|change| !models.is_there(&change.from)) {
        index.give_up(&change.from, "it is no longer installed".to_owned());
    }
    // Apply the curation, because the last commit may be shown before the first sync. That sync reports unreadable
    // notes.
    let _ = index.curate(vault);
    Ok((index, warnings))
}
