//! The word index: tantivy, one analyzer for text and query.
//!
//! | file | holds |
//! |---|---|
//! | [`analyzer`] | text to words |
//! | `schema` | the fields, and the stamp that says which schema wrote an index |
//! | `store` | the writing side |
//! | `view` | the reading side |
//! | `query` | a [`KeywordQuery`] turned into tantivy's query tree (never by its parser, which fails on ordinary text) |
//! | `collector` | the best entries of a scope, ties broken the same way every time |
//! | `matcher` | where a query's words stand in a text |
//! | `stopwords` | function words |
//!
//! Knows nothing of filters as typed, of fusion or of the other legs.

pub mod analyzer;
mod collector;
mod directory;
mod matcher;
mod query;
mod schema;
mod stopwords;
mod store;
mod view;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use matcher::{Match, Matcher};
pub use stopwords::{is_function_word, is_stop_word};
pub use store::KeywordStore;
pub use view::{KeySet, KeywordView, Restriction};

use super::{EntryKey, IndexError};

/// What is looked for, already cut into words and phrases by `search::query`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeywordQuery {
    /// Words as typed; any of them may match.
    pub words: Vec<String>,
    /// The last word is still being typed: match it as a prefix too.
    pub last_is_prefix: bool,
    /// Each must stand in the text, in order.
    pub phrases: Vec<String>,
    /// The last word of the last phrase is still being typed.
    pub phrase_is_prefix: bool,
    /// None may stand in the text (a word or a phrase each).
    pub excluded: Vec<String>,
}

impl KeywordQuery {
    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.phrases.is_empty() && self.excluded.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeywordHit {
    pub key: EntryKey,
    /// BM25, higher is better.
    pub score: f32,
}

/// The best entries, and how many there are in all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeywordFound {
    pub hits: Vec<KeywordHit>,
    /// Entries of the scope that match.
    pub total: usize,
}

/// Runs tantivy's code; a panic in it (it panics on some damaged files) becomes an error in words.
fn guarded<T>(operation: &str, work: impl FnOnce() -> tantivy::Result<T>) -> Result<T, IndexError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(IndexError::Keyword(format!("{operation}: {error}"))),
        Err(panic) => {
            let said = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no reason given");
            Err(IndexError::Keyword(format!("{operation}: the index is damaged ({said})")))
        }
    }
}

#[cfg(test)]
mod tests;
