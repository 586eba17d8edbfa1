//! The word index: tantivy, one analyzer for text and query.

use std::{collections::HashMap, ops::Range, path::Path};

use super::{EntryKey, IndexError, Scope, catalog::KeyMap};
use crate::journal::Entry;

/// The writing side: one a process, kept open. Holds tantivy's writer lock.
pub struct KeywordStore;

/// The reading side: one commit, immutable, cheap to clone.
#[derive(Clone)]
pub struct KeywordView;

/// What is looked for, already analysed into words by `search::query`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeywordQuery {
    /// Words as typed; any of them may match.
    pub words: Vec<String>,
    /// The last word is still being typed: match it as a prefix too.
    pub last_is_prefix: bool,
    /// Each must stand in the text, in order.
    pub phrases: Vec<String>,
    /// None may stand in the text (a word or a phrase each).
    pub excluded: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeywordHit {
    pub key: EntryKey,
    /// BM25, higher is better.
    pub score: f32,
}

impl KeywordStore {
    /// Opens or creates the index in `dir`. A damaged, foreign or older one is deleted and made anew
    /// (the second value says so in words). `Busy` where another process holds the writer.
    pub fn open(dir: &Path) -> Result<(Self, Option<String>), IndexError> {
        let _ = dir;
        todo!()
    }
    /// The payload of the last commit.
    pub fn payload(&self) -> Option<String> {
        todo!()
    }
    /// Which entries, in which state, the last commit holds. Walks the index: only for recovery.
    pub fn held(&self) -> Result<KeyMap<u64>, IndexError> {
        todo!()
    }
    pub fn delete(&mut self, key: EntryKey) -> Result<(), IndexError> {
        let _ = key;
        todo!()
    }
    /// Adds an entry (delete an older state of it first).
    pub fn add(&mut self, key: EntryKey, fingerprint: u64, entry: &Entry) -> Result<(), IndexError> {
        let _ = (key, fingerprint, entry);
        todo!()
    }
    /// THE commit point of the whole index: `payload` names the generation of the other stores' files.
    pub fn commit(&mut self, payload: &str) -> Result<KeywordView, IndexError> {
        let _ = payload;
        todo!()
    }
    pub fn view(&self) -> Result<KeywordView, IndexError> {
        todo!()
    }
}

impl KeywordView {
    /// Opens the last commit for reading only, with its payload; for when another process writes.
    pub fn open(dir: &Path) -> Result<(Self, Option<String>), IndexError> {
        let _ = dir;
        todo!()
    }
    /// A view over a few entries in memory: what is saved but not yet in the index.
    pub fn in_memory<'a>(entries: impl IntoIterator<Item = (EntryKey, &'a Entry)>) -> Result<Self, IndexError> {
        let _ = entries.into_iter().count();
        todo!()
    }
    /// Best first; equal scores by the later entry time, then key. Only inside `scope`.
    pub fn search(&self, query: &KeywordQuery, scope: &Scope, limit: usize) -> Result<Vec<KeywordHit>, IndexError> {
        let _ = (query, scope, limit);
        todo!()
    }
    /// The stored bodies of some entries, in the order asked.
    pub fn texts(&self, keys: &[EntryKey]) -> Result<Vec<Option<String>>, IndexError> {
        let _ = keys;
        todo!()
    }
    /// The byte spans of `text` that the query's words, prefixes and phrases match, in order, without overlap.
    pub fn matches(&self, query: &KeywordQuery, text: &str) -> Vec<Range<usize>> {
        let _ = (query, text);
        todo!()
    }
    /// In how many entries each word of the query stands.
    pub fn frequencies(&self, query: &KeywordQuery) -> Result<HashMap<String, u64>, IndexError> {
        let _ = query;
        todo!()
    }
}
