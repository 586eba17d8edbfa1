//! Passages without vectors yet.

use std::collections::HashSet;

use super::{Place, VectorStore};
use crate::index::{EntryKey, passage::Passage};

impl VectorStore {
    /// Up to `limit` passages that the model has to read, each hash once: those without a vector, of the entry told last
    /// first, then those whose words are not kept.
    pub fn missing(&self, limit: usize) -> Vec<(EntryKey, Passage)> {
        let mut missing = self.without_vector(limit);
        missing.extend(self.without_words().take(limit - missing.len()));
        missing
    }

    fn without_vector(&self, limit: usize) -> Vec<(EntryKey, Passage)> {
        let mut seen = HashSet::new();
        let newest = self.waiting.values().rev().filter_map(|key| Some((*key, self.held.find(*key)?)));
        newest
            .flat_map(|(key, entry)| entry.passages().map(move |passage| (key, passage)))
            .filter_map(|(key, held)| match held.place {
                Place::Waits(hash) => Some((key, Passage { span: held.span, hash })),
                Place::Row(_) => None,
            })
            .filter(|(_, passage)| seen.insert(passage.hash))
            .take(limit)
            .collect()
    }

    /// Passages with a vector whose words are not kept, the last row first: a journal read before words were kept, or damage.
    fn without_words(&self) -> impl Iterator<Item = (EntryKey, Passage)> {
        let words = self.words.as_ref().filter(|words| words.fault().is_none());
        words.into_iter().flat_map(move |words| {
            let lacking = (0..self.log.rows.len() as u32).rev().filter(|row| !words.file().has(*row));
            lacking.filter_map(|row| {
                let owner = self.held.owners(row).next()?;
                Some((owner.key, Passage { span: owner.span, hash: self.log.rows.hash(row) }))
            })
        })
    }

    /// How many distinct passages the model has to read: see [`VectorStore::missing`].
    pub fn lacking(&self) -> usize {
        self.wanted.len() + self.without_words().count()
    }

    /// How many distinct passages have their words kept, and of how many; `None` where the model knows words out of any text
    /// only. The second part says why none can be kept.
    pub fn word_progress(&self) -> Option<Result<(usize, usize), &str>> {
        let words = self.words.as_ref()?;
        let of = self.progress().1;
        Some(words.fault().map_or_else(|| Ok((of - self.lacking(), of)), Err))
    }

    /// How many distinct passages have a vector, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.held.live(), self.held.live() + self.wanted.len())
    }
}
