//! Passages that wait for embedding.

use std::collections::HashSet;

use super::{Place, VectorStore};
use crate::index::{EntryKey, passage::Passage};

impl VectorStore {
    /// Up to `limit` passages to embed, each hash once: those without a vector, of the newest entry first, then those
    /// without word codes.
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

    /// Passages with a vector and without word codes, the last row first: from a version before word codes, or after
    /// damage.
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

    /// Number of distinct passages to embed: see [`VectorStore::missing`].
    pub fn lacking(&self) -> usize {
        self.wanted.len() + self.without_words().count()
    }

    /// Number of distinct passages with word codes, and of all; `None` for a model without contextual words. The
    /// error says why none can be stored.
    pub fn word_progress(&self) -> Option<Result<(usize, usize), &str>> {
        let words = self.words.as_ref()?;
        let of = self.progress().1;
        Some(words.fault().map_or_else(|| Ok((of - self.lacking(), of)), Err))
    }

    /// Number of distinct passages with a vector, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.held.live(), self.held.live() + self.wanted.len())
    }
}
