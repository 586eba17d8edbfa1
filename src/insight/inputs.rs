//! Inputs of an insight query.

use super::{InsightError, ProgressReporter, Result};
use crate::{
    embed::Encoder,
    index::Snapshot,
    search::{self, Hit, Search},
};

/// What an answer is computed from, and who waits for it.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub snapshot: &'a Snapshot,
    /// The same with the records, which `snapshot` may lack: they are no evidence of the diary.
    pub with_records: &'a Snapshot,
    /// The model of the snapshot's vectors; without it, texts are searched by word and graph only.
    pub encoder: Option<&'a dyn Encoder>,
    pub progress: &'a ProgressReporter<'a>,
}

impl<'a> Inputs<'a> {
    /// Inputs without a model, for a caller that just waits.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, with_records: snapshot, encoder: None, progress: &ProgressReporter::WAITED_FOR }
    }

    /// The hits of a search, the best first.
    pub fn hits(&self, search: &Search) -> Result<Vec<Hit>> {
        let found = search::search(self.snapshot, self.encoder, search, self.progress.cancelled)?;
        Ok(found.ok_or(InsightError::Cancelled)?.hits)
    }
}
