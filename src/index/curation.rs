//! The user's word on names, brought from the vault to the graph.
//!
//! Nothing of it is kept in the index: the notes are few and are read at every opening, and again when one of them changed.

use super::{
    Index, IndexError,
    graph::{Curation, GraphView},
    scan,
};
use crate::journal::{EntityNote, Vault};

impl Index {
    /// Reads the notes on entities where one came, went or changed since they were last read, by kioku or any other program.
    /// True where the graph changes. Costs one `stat` a note where nothing changed.
    pub fn curate(&mut self, vault: &Vault) -> Result<bool, IndexError> {
        let stamps = vault.note_stamps()?;
        if self.notes_read.as_ref() == Some(&stamps) {
            return Ok(false);
        }
        let notes = vault.entity_notes()?;
        self.notes_read = Some(stamps.into_iter().map(scan::settled).collect());
        Ok(self.graph.curate(Curation::of(notes)))
    }

    /// The graph as it would be with these notes: to show what a change would do. Where they give or take aliases, the entries
    /// with their words are read again, some 0.2 ms each.
    pub fn graph_under(&self, notes: Vec<EntityNote>) -> GraphView {
        let curation = Curation::of(notes);
        if curation.aliases() == self.graph.heard() {
            return self.graph.view_under(&curation);
        }
        self.read_under(&curation).unwrap_or_else(|_| self.graph.view_under(&curation))
    }
}
