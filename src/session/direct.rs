//! The way into a journal: the vault, its index and its models, used from one thread.
//!
//! The command line uses it directly; the index worker of the screens drives one in small steps.

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
        self, Catalog, CatalogEntry, Embedded, Index, IndexError, IndexOptions, ModelChange, Progress, ScanScope,
        Snapshot, SyncReport, Waiting,
    },
    index::{graph::GraphView, vector::Ann},
    journal::{EntityNote, Entry, Vault},
    search::{self, Found, Search},
};

/// One journal, opened.
pub struct Session {
    options: SessionOptions,
    vault: Vault,
    pub(super) models: Models,
    index: Option<Index>,
    /// What opening the index found damaged, until a sync reports it.
    warnings: Vec<String>,
    snapshot: Option<Arc<Snapshot>>,
    /// The list of entries as [`Session::latest_entries`] found it without a snapshot.
    glanced: Option<Arc<Catalog>>,
}

impl Drop for Session {
    /// What every start would do again is made permanent also by a command that only reads. What of it fails is done by the next.
    fn drop(&mut self) {
        if let Some(index) = self.index.take_if(|index| index.is_behind() && !std::thread::panicking()) {
            let _ = index.leave();
        }
    }
}

impl Session {
    /// Opens the vault. Index and model open when first needed, so that `add` never pays for them.
    pub fn open(options: SessionOptions) -> Result<Self, SessionError> {
        let vault = Vault::open(options.vault.clone())?;
        let models = Models::new(&options);
        Ok(Self::with(options, vault, models))
    }

    /// A session over a vault and models that other threads use too.
    pub(super) fn with(options: SessionOptions, vault: Vault, models: Models) -> Self {
        Self { options, vault, models, index: None, warnings: Vec::new(), snapshot: None, glanced: None }
    }

    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Refuses to go on where the folder of the day files is gone and the index knows entries of it: who writes would make it anew.
    /// The vault itself knows only of what kioku wrote.
    pub fn expect_entries_folder(&mut self) -> Result<(), SessionError> {
        let path = self.vault.entries_folder().to_path_buf();
        if path.is_dir() || !self.vault.index_folder().is_dir() || self.index()?.catalog().files.is_empty() {
            return Ok(());
        }
        Err(IndexError::FolderGone { path }.into())
    }

    /// Brings the index up to date with the vault: words and connections, then, if asked, meaning.
    /// `progress` returns false to stop early.
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
        report.warnings = self.warnings();
        Ok(report)
    }

    /// Takes in what changed in the vault, so that it is found; [`Session::commit`] makes it permanent.
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

    /// As [`Session::sync`], for who asked for nothing else: damaged vectors are made again, and an index that cannot be written is an
    /// error.
    pub fn refresh(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, SessionError> {
        let mended = self.index()?.mend()?;
        self.warnings.extend(mended);
        let report = self.sync(true, progress)?;
        self.index_fault().map_or(Ok(report), |error| Err(error.into()))
    }

    /// Why the index cannot be written, where that is no other process; what is not open yet has no fault.
    pub fn index_fault(&self) -> Option<IndexError> {
        let index = self.index.as_ref()?;
        index.unwritable().is_some().then(|| index.refusal())
    }

    /// Commits what the last update left uncommitted.
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
            if !progress(Progress { what: waiting.what(), done: waiting.done, of: waiting.of }) {
                report.stopped = true;
                return Ok(());
            }
            report.embedded += self.embed_batch(&waiting, &mut batch_size)?.unwrap_or(0);
        }
        report.succeeded = self.index()?.succeed()?.map(|model| model.name);
        Ok(self.index()?.checkpoint_many()?)
    }

    /// Embeds one batch of passages with the model they wait for: how many, or `None` where the model failed and was given up, which
    /// [`Session::warnings`] tells.
    pub(super) fn embed_batch(
        &mut self,
        waiting: &Waiting,
        batch_size: &mut BatchSize,
    ) -> Result<Option<usize>, SessionError> {
        let encoder = self.models.encoder(&waiting.model);
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
                    true => format!("the model {} cannot take over: {why}", waiting.model.name),
                    false => format!("search by meaning is off: {why}"),
                });
                self.index()?.give_up(&waiting.model, why);
                Ok(None)
            }
        }
    }

    /// Builds the approximate neighbour graph over all vectors now (minutes at a million passages). The answer says in
    /// words why none was built, where none was.
    pub fn build_ann(&mut self) -> Result<Option<String>, SessionError> {
        if self.options.ann == Ann::Off {
            return Ok(Some("ann = \"off\" in the configuration".to_owned()));
        }
        self.snapshot = None;
        Ok(if self.index()?.build_ann()? { None } else { Some("no model is in use".to_owned()) })
    }

    /// The model that was chosen for this journal, from its card; `None` where none is.
    pub fn model(&self) -> Result<Option<ModelStamp>, SessionError> {
        Ok(self.models.chosen()?)
    }

    /// The change to that model, where another one still serves.
    pub fn model_change(&mut self) -> Result<Option<ModelChange>, SessionError> {
        Ok(self.index()?.model_change())
    }

    /// Why the model whose vectors serve cannot be used, found out by loading it.
    pub fn model_fault(&self, snapshot: &Snapshot) -> Option<String> {
        self.fault_of(snapshot.vectors.as_ref()?.model())
    }

    /// Why this model cannot be used, found out by loading it.
    pub fn fault_of(&self, model: &ModelStamp) -> Option<String> {
        self.models.encoder(model).err()
    }

    /// Throws the derived files away (vectors are kept: no text is embedded twice) and makes them anew.
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

    /// The present view; syncs words and connections first.
    pub fn snapshot(&mut self) -> Result<Arc<Snapshot>, SessionError> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(snapshot.clone());
        }
        // What is new is committed after the answer: by what is done next to the index, or when it is closed.
        let report = self.update(ScanScope::Everywhere, &mut |_| true)?;
        self.warnings.extend(report.warnings);
        let snapshot = Arc::new(self.index()?.snapshot()?);
        self.warnings.extend(unreadable_warning(&snapshot.catalog));
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// As [`Session::snapshot`]; before the view is taken, passages that have no vectors yet are embedded, newest entries first, while
    /// `goes_on` allows another batch. What is left shows in the view's `vector_health`.
    pub fn snapshot_with_meaning(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<Arc<Snapshot>, SessionError> {
        let snapshot = self.snapshot()?;
        let mut batch_size = BatchSize::short();
        while let Some(waiting) = self.index()?.waiting().filter(|waiting| !waiting.successor) {
            if !goes_on() {
                break;
            }
            self.embed_batch(&waiting, &mut batch_size)?;
        }
        if self.snapshot.is_some() {
            return Ok(snapshot);
        }
        let snapshot = Arc::new(self.index()?.snapshot()?);
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// The graph as it would be with these notes on entities.
    pub(super) fn graph_under(&mut self, notes: Vec<EntityNote>) -> Result<GraphView, SessionError> {
        self.snapshot()?;
        // Committed, the words tell which entries have an alias in them; else all are read.
        self.index()?.commit()?;
        Ok(self.index()?.graph_under(notes))
    }

    /// Lets go of the view, so that the files it holds open can go.
    pub(super) fn drop_snapshot(&mut self) {
        self.snapshot = None;
    }

    /// What happened while opening and syncing that the user should hear of, once.
    pub fn warnings(&mut self) -> Vec<String> {
        let mut said = HashSet::new();
        let warnings = std::mem::take(&mut self.warnings).into_iter();
        warnings.filter(|text| said.insert(text.clone())).collect()
    }

    /// One fused search over [`Session::snapshot`].
    pub fn search(&mut self, ask: &Search) -> Result<Found, SessionError> {
        let snapshot = self.snapshot()?;
        self.search_in(&snapshot, ask)
    }

    /// One fused search over a view that the caller holds (a batch sees one state of the journal).
    pub fn search_in(&mut self, snapshot: &Snapshot, ask: &Search) -> Result<Found, SessionError> {
        let (encoder, why) = self.models.for_search(snapshot, ask);
        let found = search::search(snapshot, encoder.as_deref(), ask, &|| false)?;
        let mut found = found.ok_or_else(|| SessionError::Fault("searching: it was cancelled by nobody".to_owned()))?;
        why.iter().for_each(|why| model::say_left_out(&mut found, why));
        Ok(found)
    }

    /// The entry an id (or an unambiguous time) names, read from its file.
    pub fn locate(&mut self, id: &str) -> Result<Located, SessionError> {
        let snapshot = self.snapshot()?;
        locate(&snapshot, &self.vault, id)
    }

    /// The entries of some days, oldest first, read from their files.
    pub fn entries(&mut self, from: Option<civil::Date>, to: Option<civil::Date>) -> Result<Vec<Entry>, SessionError> {
        let snapshot = self.snapshot()?;
        let days = snapshot.catalog.days(from.unwrap_or(civil::Date::MIN), to.unwrap_or(civil::Date::MAX));
        readable_entries(&self.vault, &snapshot, days, &mut self.warnings)
    }

    /// The latest `limit` entries of some days, oldest first: only their files are read, and of the index only the list of entries
    /// where little has changed since it was filed.
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
            // What cannot be read now is shown as the index last read it.
            Err(SessionError::Vault(_)) => {
                let snapshot = self.snapshot()?;
                readable_entries(&self.vault, &snapshot, latest.into_iter(), &mut self.warnings)
            }
            read => read,
        }
    }

    /// The list of entries as the day files have them now. Without a snapshot, the index is opened only where
    /// [`index::glance`] does not do.
    pub fn listed(&mut self) -> Result<Arc<Catalog>, SessionError> {
        if self.index.is_none() && self.glanced.is_none() {
            self.glanced = index::glance(&self.vault.index_folder(), &self.vault)?.map(Arc::new);
            self.warnings.extend(self.glanced.iter().filter_map(|catalog| unreadable_warning(catalog)));
        }
        match self.glanced.as_ref().filter(|_| self.index.is_none()) {
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

    /// The index, where it is open.
    pub(super) fn opened_index(&mut self) -> Option<&mut Index> {
        self.index.as_mut()
    }

    /// Makes permanent what the index learned and closes it: the next use opens it for the model that is chosen then.
    pub(super) fn close_index(&mut self) -> Result<(), SessionError> {
        self.snapshot = None;
        let Some(mut index) = self.index.take() else { return Ok(()) };
        let filed = if index.unsaved() > 0 { index.checkpoint() } else { Ok(()) };
        Ok(filed.and_then(|()| index.close())?)
    }

    /// Loads the model of the journal on a thread of its own, for who is about to search: it is there by the time the index is.
    pub fn prepare_search(&self) {
        let models = self.models.clone();
        let load = move || {
            if let Ok(Some(model)) = models.chosen() {
                let _ = models.encoder(&model);
            }
        };
        // Without the thread it is loaded when it is asked for; one that does not load is told then.
        let _ = std::thread::Builder::new().name("model".to_owned()).spawn(load);
    }

    /// As [`Session::close`], for a program that ends here: see [`Index::leave`].
    pub fn leave(mut self) -> Result<(), SessionError> {
        std::mem::forget(self.snapshot.take());
        match self.index.take() {
            Some(index) => Ok(index.leave()?),
            None => Ok(()),
        }
    }

    /// Writes what is worth keeping and ends the index's writer.
    pub fn close(mut self) -> Result<(), SessionError> {
        match self.index.take() {
            Some(index) => Ok(index.close()?),
            None => Ok(()),
        }
    }
}

/// How long a command embeds what is new before it answers.
const MEANING_BUDGET: Duration = Duration::from_millis(100);

/// For [`Session::snapshot_with_meaning`]: true until the time of a command is over, which begins when this is first asked.
pub fn within_meaning_budget() -> impl FnMut() -> bool {
    let mut started = None;
    move || started.get_or_insert_with(Instant::now).elapsed() < MEANING_BUDGET
}

/// Opens the index of a vault for the model that is chosen.
fn open_index(options: &SessionOptions, models: &Models, vault: &Vault) -> Result<(Index, Vec<String>), SessionError> {
    // What cannot be removed now is at the next start.
    let _ = vault.sweep_leftovers();
    let (model, fault) = match models.chosen() {
        Ok(model) => (model, None),
        Err(error) => (None, Some(error.to_string())),
    };
    // Where it cannot be made the index is opened to be read, and says why.
    let dir = vault.make_index_folder().unwrap_or_else(|_| vault.index_folder());
    let (mut index, mut warnings) = Index::open(IndexOptions { dir, model, ann: options.ann })?;
    if let Some(why) = fault {
        warnings.insert(0, format!("search by meaning is off: {why}"));
        index.vector_off(why);
    }
    if let Some(change) = index.model_change().filter(|change| !models.is_there(&change.from)) {
        index.give_up(&change.from, "it is no longer installed".to_owned());
    }
    // The last commit may be shown before the first sync; what does not read now is told by that.
    let _ = index.curate(vault);
    Ok((index, warnings))
}
