//! Curation: the user's decisions on names, from the vault to the graph.
//!
//! The index does not store them: the notes are few, and are read at every opening and again when one of them
//! changes.

use super::{
    Index, Result,
    graph::{Curation, GraphView},
    scan,
};
use crate::journal::{EntityNote, Vault};

impl Index {
    /// Reads the entity notes again where one was added, removed or changed since the last read, by any program. True
    /// where the graph changes. Costs one `stat` per note where nothing changed.
    pub fn curate(&mut self, vault: &Vault) -> Result<bool> {
        let stamps = vault.note_stamps()?;
        if self.notes_read.as_ref() == Some(&stamps) {
            return Ok(false);
        }
        let notes = vault.entity_notes()?;
        self.notes_read = Some(stamps.into_iter().map(scan::settled).collect());
        Ok(self.graph.curate(Curation::of(notes)))
    }

    /// The graph under these notes, to preview a change. Where they add or remove aliases, the entries with the words
    /// of these aliases are extracted again, some 0.2 ms each.
    pub fn graph_under(&self, notes: Vec<EntityNote>) -> GraphView {
        let curation = Curation::of(notes);
        if curation.aliases() == self.graph.aliases_used() {
            return self.graph.view_under(&curation);
        }
        self.read_under(&curation).unwrap_or_else(|_| self.graph.view_under(&curation))
    }
}
