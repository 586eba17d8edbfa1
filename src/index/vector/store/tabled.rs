//! Loading and saving of the passage table.

use super::VectorStore;
use crate::index::{
    Result,
    passage::Passage,
    vector::{
        passage_base::{self, Filed, Sizes},
        passage_table::{PassageTable, TablePassage},
        table::{self, AddedEntry, Changes, Table},
    },
};

impl VectorStore {
    /// Applies a loaded table.
    pub(super) fn take_table(&mut self, mut table: Table, checkpoint: u64) {
        let changes = table.changes.take();
        self.base = Some(changes.as_ref().map_or(checkpoint, |changes| changes.base));
        self.last_sequence = u64::from(table.sizes.entries);
        let same_rows = self.log.digest(table.sizes.rows as usize) == Some(table.sizes.digest);
        let base = std::mem::take(&mut table.base);
        // A passage without a row may have one by now; where the rows changed, all are looked up by their hash.
        let mut again: Vec<u32> = match same_rows {
            true => base.without_row(),
            false => (0..base.len() as u32).collect(),
        };
        again.sort_unstable_by_key(|at| base.state(*at).1);
        let again = again.into_iter().map(|at| {
            let passage = |nth: usize| Some(Passage { span: base.passage(nth).span, hash: table.hash(nth)? });
            (base.key(at), base.state(at).0, base.passages(at).filter_map(passage).collect::<Vec<_>>())
        });
        let again: Vec<_> = again.collect();
        if same_rows {
            self.held = PassageTable::over(base);
        }
        for (key, fingerprint, passages) in again {
            self.held.take(key);
            self.put(key, fingerprint, passages);
        }
        // The next table of changes must contain the changes of this one.
        for AddedEntry { key, fingerprint, passages } in self.changed_by(changes) {
            self.put(key, fingerprint, passages);
        }
    }

    /// Removes the entries of a table of changes, and returns those it adds.
    fn changed_by(&mut self, changes: Option<Changes>) -> Vec<AddedEntry> {
        let Some(Changes { removed, added, .. }) = changes else { return Vec::new() };
        for key in removed.into_iter().chain(added.iter().map(|entry| entry.key)) {
            self.take(key);
            self.changed.insert(key);
        }
        added
    }

    /// Writes the passage table of `checkpoint` durably, before the commit point names it: complete, or as the
    /// changes since the last complete one where these are few.
    pub fn save(&mut self, checkpoint: u64) -> Result<()> {
        let few = self.changed.len() * 16 < self.held.len().max(64);
        if let Some(base) = self.base.filter(|base| *base != checkpoint && few) {
            return table::write_changes(&self.dir, checkpoint, self.changes(base));
        }
        self.save_whole(checkpoint)?;
        self.base = Some(checkpoint);
        self.changed.clear();
        Ok(())
    }

    fn changes(&self, base: u64) -> Changes {
        let changed = self.changed.iter().map(|key| (*key, self.held.find(*key)));
        let (there, removed): (Vec<_>, Vec<_>) = changed.partition(|(_, entry)| entry.is_some());
        let mut added: Vec<_> = there.into_iter().filter_map(|(key, entry)| Some((key, entry?))).collect();
        added.sort_unstable_by_key(|(_, entry)| entry.sequence);
        let added = added.into_iter().map(|(key, entry)| AddedEntry {
            key,
            fingerprint: entry.fingerprint,
            passages: self.passages_of(entry),
        });
        Changes { base, added: added.collect(), removed: removed.into_iter().map(|(key, _)| key).collect() }
    }

    fn save_whole(&self, checkpoint: u64) -> Result<()> {
        let mut all: Vec<_> = self.held.iter().collect();
        all.sort_unstable_by_key(|(_, entry)| entry.sequence);
        let passage = |held: TablePassage| (held.span, held.place.row(), self.hash(held.place));
        let filed = (0u32..).zip(all).map(|(sequence, (key, entry))| Filed {
            key,
            fingerprint: entry.fingerprint,
            sequence,
            passages: entry.passages().map(passage).collect(),
        });
        let mut filed: Vec<Filed> = filed.collect();
        filed.sort_unstable_by_key(|entry| entry.key);
        let rows = self.log.rows.len();
        let sizes = Sizes {
            entries: filed.len() as u32,
            passages: filed.iter().map(|entry| entry.passages.len() as u32).sum(),
            rows: rows as u32,
            digest: self.log.digest(rows).unwrap_or_default(),
        };
        table::write_whole(&self.dir, checkpoint, sizes, &passage_base::columns(&filed))
    }
}
