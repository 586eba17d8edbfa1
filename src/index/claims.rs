//! Claims that a model reads in the entries, as an input of the graph.
//!
//! A new entry is extracted by rules at once. Its extract becomes another one when the model has read it, which takes some 30 ms
//! an entry: after the vectors, newest entries first. Which entries were read is the lowest bit of their fingerprint in the
//! graph.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use super::{EntryKey, Index, Result, sync::Plan};
use crate::{
    embed::{ClaimReader, ClaimReading, FEELINGS, NO_FEELING},
    extract::{TextReader, TextReading},
    journal::Vault,
};

/// Of a fingerprint in the graph: a model has read the entry.
pub(super) const READ: u64 = 1;

/// Interval of checkpoints while entries are read: what a killed process loses.
const SAVED_EVERY: Duration = Duration::from_secs(60);

/// The entries that no model has read.
#[derive(Default)]
pub(super) struct ToRead {
    /// Oldest first; `None` after a change of the journal.
    pub entries: Option<Vec<EntryKey>>,
    /// When the reading began, or was last saved.
    since: Option<Instant>,
}

/// A model as the extraction asks it. A failure is as good as a text of which it understands nothing.
pub struct ClaimsOf(pub &'static ClaimReader);

impl TextReader for ClaimsOf {
    fn read(&self, text: &str) -> Option<Box<dyn TextReading>> {
        let reading = self.0.read_claims(&[text]).ok()?.pop()??;
        Some(Box::new(Reading(reading)))
    }
}

struct Reading(ClaimReading);

impl TextReading for Reading {
    fn end(&self) -> usize {
        self.0.end()
    }

    fn own(&self, word: &Range<usize>) -> Option<f32> {
        self.0.own(word)
    }

    fn cause(&self, cause: &Range<usize>, effect: &Range<usize>) -> Option<f32> {
        self.0.cause(cause, effect)
    }

    fn cause_of(&self, effect: &Range<usize>) -> Option<(Range<usize>, f32)> {
        self.0.cause_of(effect).map(|cause| (cause.span, cause.log_probability))
    }

    fn feelings(&self) -> Vec<(&'static str, f32)> {
        FEELINGS.into_iter().zip(self.0.feelings).filter(|(name, _)| *name != NO_FEELING).collect()
    }
}

impl Index {
    /// Number of entries that no model has read, if this process is to see to them. Costs a look at each entry after a change
    /// of the journal.
    pub fn unread(&mut self) -> usize {
        if self.read_only() || !self.graph_known {
            return 0;
        }
        if self.to_read.entries.is_none() {
            let is_read = |key| self.graph.fingerprint(key).is_none_or(|fingerprint| fingerprint & READ == READ);
            let mut unread: Vec<_> = self.catalog.entries().iter().filter(|entry| !is_read(entry.key)).collect();
            unread.sort_unstable_by_key(|entry| (entry.day, entry.key));
            self.to_read.entries = Some(unread.into_iter().map(|entry| entry.key).collect());
        }
        self.to_read.entries.as_ref().map_or(0, Vec::len)
    }

    /// Reads up to `limit` of these entries, newest first.
    pub fn read_claims(&mut self, vault: &Vault, reader: &dyn TextReader, limit: usize) -> Result<()> {
        let left = self.unread().saturating_sub(limit);
        // An entry that cannot be read now is tried again after the next change of the journal.
        let keys: Vec<EntryKey> = self.to_read.entries.as_mut().map_or_else(Vec::new, |unread| unread.split_off(left));
        if keys.is_empty() {
            return Ok(());
        }
        self.commit()?;
        self.unsaved += keys.len();
        // Without a checkpoint the next start would read them again.
        self.behind = true;
        let catalog = self.catalog.clone();
        // They only have to be extracted again.
        let mut plan = Plan::default();
        plan.graph.ingest = keys;
        self.ingest(vault, &catalog, &plan, Some(reader), &mut Vec::new(), &mut |_| true)?;
        let since = *self.to_read.since.get_or_insert_with(Instant::now);
        if since.elapsed() >= SAVED_EVERY {
            self.to_read.since = None;
            self.checkpoint()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::{
        extract::FixedReading,
        index::testing::open,
        journal::{EntryTime, NewEntry, RelationKind},
    };

    /// Finds the cause of everything in the first eleven bytes.
    fn sure() -> FixedReading {
        FixedReading { own: Some(8.0), cause: Some(-8.0), pointed: Some(0..11), ..FixedReading::default() }
    }

    fn write(vault: &Vault, body: &str) {
        vault.append(NewEntry { body: body.to_owned(), ..NewEntry::default() }).unwrap();
    }

    /// Names of the causes that the graph states for the feeling.
    fn causes(index: &mut Index) -> Vec<String> {
        let graph = index.graph.view();
        let felt = graph.by_name("furious");
        let edges = felt.iter().flat_map(|feeling| graph.edges(*feeling).into_iter().map(|edge| (*feeling, edge)));
        let causal = edges.filter(|(feeling, edge)| edge.kind == RelationKind::Causal && edge.target == *feeling);
        causal.map(|(_, edge)| graph.entity(edge.source).name.clone()).collect()
    }

    #[test]
    fn what_a_model_reads_enters_the_graph_once_and_stays_there() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        write(&vault, "Linh called. We ate rice at the long table by the river. Furious.");
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!((index.unread(), causes(&mut index).len()), (1, 0));
        index.read_claims(&vault, &sure(), 8).unwrap();
        assert_eq!(causes(&mut index), ["Linh"]);
        assert_eq!(index.unread(), 0);
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(index.unread(), 0, "a scan without changes leaves it");
        index.checkpoint().unwrap();
        index.close().unwrap();

        let (vault, mut index) = open(dir.path());
        assert!(!index.refine(&vault).unwrap(), "nothing is extracted again");
        assert_eq!((index.unread(), causes(&mut index)), (0, vec!["Linh".to_owned()]));
        write(&vault, "An was late. We ate rice at the long table by the river. Furious.");
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(index.unread(), 1, "only the new entry is to be read");
    }

    #[test]
    fn the_newest_entries_are_read_first() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        for (day, name) in [("2026-11-18", "Linh called"), ("2026-11-19", "Minh called")] {
            let time = EntryTime::parse(&format!("{day}T08:00:00+00:00"), &TimeZone::UTC);
            let body = format!("{name}. We ate rice at the long table by the river. Furious.");
            vault.append(NewEntry { time, body, ..NewEntry::default() }).unwrap();
        }
        index.sync(&vault, &mut |_| true).unwrap();
        index.read_claims(&vault, &sure(), 1).unwrap();
        assert_eq!((index.unread(), causes(&mut index)), (1, vec!["Minh".to_owned()]));
    }
}
