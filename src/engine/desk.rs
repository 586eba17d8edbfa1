//! One journal worked on from one thread: what the command line uses directly, and what the lanes share.

use std::sync::{Arc, OnceLock};

use jiff::civil;

use super::{EngineError, EngineOptions};
use crate::{
    embed::{Encoder, ModelStamp, registry},
    index::vector::Ann,
    index::{Catalog, CatalogEntry, Index, IndexOptions, Progress, Snapshot, SyncReport},
    journal::{Entry, EntryId, Vault},
    search::{self, Found, Search},
};

/// The model in use, loaded when first needed and shared by the lanes. Loading costs a quarter of a second.
#[derive(Debug, Clone)]
pub(super) struct Model {
    options: EngineOptions,
    loaded: Arc<OnceLock<Result<Arc<dyn Encoder>, String>>>,
}

impl Model {
    pub(super) fn new(options: &EngineOptions) -> Self {
        Self { options: options.clone(), loaded: Arc::default() }
    }

    /// The encoder, or why there is none. `None` where no model is chosen.
    pub(super) fn encoder(&self) -> Option<Result<Arc<dyn Encoder>, String>> {
        if let Some(encoder) = &self.options.encoder {
            return Some(Ok(encoder.clone()));
        }
        let name = self.options.model.as_deref()?;
        let load = || registry::load(&self.options.models, name).map_err(|error| error.to_string());
        Some(self.loaded.get_or_init(load).clone())
    }

    pub(super) fn ready(&self) -> Option<Arc<dyn Encoder>> {
        self.encoder()?.ok()
    }
}

/// One journal, opened.
pub struct Desk {
    options: EngineOptions,
    vault: Vault,
    pub(super) model: Model,
    index: Option<Index>,
    /// What opening the index found damaged, until a sync reports it.
    told: Vec<String>,
    snapshot: Option<Arc<Snapshot>>,
}

/// What an id led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    One(Box<Entry>),
    /// Several entries share this time: their full names.
    Ambiguous(Vec<EntryId>),
    Nothing,
}

impl Desk {
    /// Opens the vault. Index and model open when first needed, so that `add` never pays for them.
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let vault = Vault::open(options.vault.clone())?;
        let model = Model::new(&options);
        Ok(Self { options, vault, model, index: None, told: Vec::new(), snapshot: None })
    }

    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Brings the index up to date with the vault: words and connections, then, if asked, meaning.
    /// `progress` returns false to stop early.
    pub fn sync(&mut self, embed: bool, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, EngineError> {
        let vault = self.vault.clone();
        let mut told = Vec::new();
        let index = self.index()?;
        let mut report = index.sync(&vault, progress)?;
        if embed && !report.stopped && !report.read_only {
            self.embed(&mut report, progress)?;
        }
        told.append(&mut self.told);
        told.append(&mut report.told);
        report.told = told;
        self.snapshot = None;
        Ok(report)
    }

    fn embed(
        &mut self,
        report: &mut SyncReport,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<(), EngineError> {
        let Some((done, of)) = self.index()?.vector_progress().filter(|(done, of)| done < of) else { return Ok(()) };
        let encoder = match self.model.encoder() {
            Some(Ok(encoder)) => encoder,
            Some(Err(why)) => {
                report.told.push(format!("search by meaning is off: {why}"));
                return Ok(());
            }
            None => return Ok(()),
        };
        loop {
            if !progress(Progress { what: "meaning", done: done + report.embedded, of }) {
                report.stopped = true;
                return Ok(());
            }
            match self.index()?.embed(encoder.as_ref(), usize::MAX)? {
                0 => return Ok(()),
                embedded => report.embedded += embedded,
            }
        }
    }

    /// Builds the approximate neighbour graph over all vectors now (minutes at a million passages). The answer says in
    /// words why none was built, where none was.
    pub fn build_ann(&mut self) -> Result<Option<String>, EngineError> {
        if self.options.ann == Ann::Off {
            return Ok(Some("ann = \"off\" in the configuration".to_owned()));
        }
        self.snapshot = None;
        Ok(if self.index()?.build_ann()? { None } else { Some("no model is in use".to_owned()) })
    }

    /// The model that embeds here, from its card; `None` where none is chosen.
    pub fn model(&self) -> Result<Option<ModelStamp>, EngineError> {
        match (&self.options.encoder, &self.options.model) {
            (Some(encoder), _) => Ok(Some(encoder.stamp().clone())),
            (None, Some(name)) => Ok(Some(registry::stamp(&self.options.models, name)?)),
            (None, None) => Ok(None),
        }
    }

    /// Throws the derived files away (vectors are kept: no text is embedded twice) and makes them anew.
    pub fn rebuild(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, EngineError> {
        self.index()?;
        if let Some(index) = self.index.take() {
            let (index, told) = index.rebuild()?;
            self.index = Some(index);
            self.told.extend(told);
        }
        self.sync(true, progress)
    }

    /// The present view; syncs words and connections first.
    pub fn snapshot(&mut self) -> Result<Arc<Snapshot>, EngineError> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(snapshot.clone());
        }
        let report = self.sync(false, &mut |_| true)?;
        self.told.extend(report.told);
        let snapshot = Arc::new(self.index()?.snapshot()?);
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// What happened while opening and syncing that the user should hear of, once.
    pub fn told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    /// One fused search over [`Desk::snapshot`].
    pub fn search(&mut self, ask: &Search) -> Result<Found, EngineError> {
        let snapshot = self.snapshot()?;
        self.search_in(&snapshot, ask)
    }

    /// One fused search over a view that the caller holds (a batch sees one state of the journal).
    pub fn search_in(&mut self, snapshot: &Snapshot, ask: &Search) -> Result<Found, EngineError> {
        let encoder = if ask.legs.vector && snapshot.vectors.is_some() { self.model.ready() } else { None };
        let found = search::search(snapshot, encoder.as_deref(), ask, &|| false)?;
        found.ok_or_else(|| EngineError::Fault("searching: it was cancelled by nobody".to_owned()))
    }

    /// The entry an id (or an unambiguous time) names, read from its file.
    pub fn locate(&mut self, id: &str) -> Result<Located, EngineError> {
        let snapshot = self.snapshot()?;
        let name = EntryId::from(id);
        if let Some(known) = snapshot.catalog.by_id(&name) {
            return Ok(self.read(known)?.map_or(Located::Nothing, |entry| Located::One(Box::new(entry))));
        }
        let sharing = sharing(&snapshot.catalog, id);
        Ok(match sharing.as_slice() {
            [] => Located::Nothing,
            [one] => self.read(one)?.map_or(Located::Nothing, |entry| Located::One(Box::new(entry))),
            several => Located::Ambiguous(several.iter().map(|entry| entry.id.clone()).collect()),
        })
    }

    /// The entries of some days, oldest first, read from their files.
    pub fn entries(&mut self, from: Option<civil::Date>, to: Option<civil::Date>) -> Result<Vec<Entry>, EngineError> {
        let snapshot = self.snapshot()?;
        let days = snapshot.catalog.days(from.unwrap_or(civil::Date::MIN), to.unwrap_or(civil::Date::MAX));
        read_entries(&self.vault, days)
    }

    fn read(&self, known: &CatalogEntry) -> Result<Option<Entry>, EngineError> {
        Ok(read_entries(&self.vault, std::iter::once(known))?.pop())
    }

    fn index(&mut self) -> Result<&mut Index, EngineError> {
        if self.index.is_none() {
            let (index, told) = open_index(&self.options, &self.vault)?;
            self.told.extend(told);
            self.index = Some(index);
        }
        self.index.as_mut().ok_or_else(|| EngineError::Fault("opening the index".to_owned()))
    }

    /// Writes what is worth keeping and ends the index's writer.
    pub fn close(mut self) -> Result<(), EngineError> {
        match self.index.take() {
            Some(index) => Ok(index.close()?),
            None => Ok(()),
        }
    }
}

/// Opens the index of a vault for the model that is chosen.
pub(super) fn open_index(options: &EngineOptions, vault: &Vault) -> Result<(Index, Vec<String>), EngineError> {
    let mut told = Vec::new();
    let model = match (&options.encoder, &options.model) {
        (Some(encoder), _) => Some(encoder.stamp().clone()),
        (None, None) => None,
        (None, Some(name)) => match registry::stamp(&options.models, name) {
            Ok(stamp) => Some(stamp),
            Err(error) => {
                told.push(format!("search by meaning is off: {error}"));
                None
            }
        },
    };
    let (index, more) = Index::open(IndexOptions { dir: vault.index_folder(), model, ann: options.ann })?;
    told.extend(more);
    Ok((index, told))
}

/// Entries as their files have them now, under the names the catalog gives them. One that its file no longer
/// holds is left out: the next sync knows why.
pub(super) fn read_entries<'a>(
    vault: &Vault,
    wanted: impl Iterator<Item = &'a CatalogEntry>,
) -> Result<Vec<Entry>, EngineError> {
    let mut read: Option<(Arc<str>, Vec<Entry>)> = None;
    let mut entries = Vec::new();
    for known in wanted {
        if read.as_ref().is_none_or(|(file, _)| *file != known.place.file) {
            let entries = vault.read_if_there(&known.place.file)?.map_or_else(Vec::new, |day| day.entries);
            read = Some((known.place.file.clone(), entries.into_iter().map(|written| written.entry).collect()));
        }
        let of_file = read.as_ref().map_or(&[][..], |(_, entries)| entries);
        let here = of_file
            .get(known.place.position as usize)
            .filter(|entry| entry.hash == known.hash)
            .or_else(|| of_file.iter().find(|entry| entry.id.as_str() == known.written_name()));
        if let Some(entry) = here {
            entries.push(Entry { id: known.id.clone(), ..entry.clone() });
        }
    }
    Ok(entries)
}

/// The entries that a bare name could mean: all that have it written.
fn sharing<'a>(catalog: &'a Catalog, name: &str) -> Vec<&'a CatalogEntry> {
    catalog.entries().iter().map(AsRef::as_ref).filter(|entry| entry.written_name() == name).collect()
}
