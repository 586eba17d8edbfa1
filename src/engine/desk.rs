//! One journal worked on from one thread: what the command line uses directly and the lanes share.

use std::sync::Arc;

use jiff::civil;

use super::{EngineError, EngineOptions, protocol::Progress};
use crate::{
    index::Snapshot,
    journal::{Entry, EntryId, Vault},
    search::{Found, Search},
};

/// One journal, opened.
pub struct Desk {
    _options: EngineOptions,
}

/// What an id led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    One(Box<Entry>),
    /// Several entries share this time: their full names.
    Ambiguous(Vec<EntryId>),
    Nothing,
}

/// What a sync did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SyncReport {
    pub entries: usize,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    /// Passages that had to be embedded now.
    pub embedded: usize,
    /// In words: what was damaged and rebuilt, what vanished and was kept.
    pub told: Vec<String>,
    /// Another kioku holds the index: nothing was written, new entries are searched in memory.
    pub read_only: bool,
}

impl Desk {
    /// Opens the vault. Index and model open when first needed, so that `add` never pays for them.
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        Ok(Self { _options: options })
    }
    pub fn vault(&self) -> &Vault {
        todo!()
    }
    /// Brings the index up to date with the vault: words and connections, then meaning. `progress` returns false to stop early.
    pub fn sync(&mut self, embed: bool, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, EngineError> {
        let _ = (embed, progress);
        todo!()
    }
    /// Throws the derived files away (vectors are kept: no text is embedded twice) and makes them anew.
    pub fn rebuild(&mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport, EngineError> {
        let _ = progress;
        todo!()
    }
    /// The present view; syncs words and connections first where this process may write.
    pub fn snapshot(&mut self) -> Result<Arc<Snapshot>, EngineError> {
        todo!()
    }
    /// One fused search over [`Desk::snapshot`].
    pub fn search(&mut self, ask: &Search) -> Result<Found, EngineError> {
        let _ = ask;
        todo!()
    }
    /// The entry an id (or an unambiguous time) names, read from its file.
    pub fn locate(&mut self, id: &str) -> Result<Located, EngineError> {
        let _ = id;
        todo!()
    }
    /// The entries of some days, oldest first, read from their files.
    pub fn entries(&mut self, from: Option<civil::Date>, to: Option<civil::Date>) -> Result<Vec<Entry>, EngineError> {
        let _ = (from, to);
        todo!()
    }
}
