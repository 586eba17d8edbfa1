//! The word index: tantivy, with one analyzer for text and query.
//!
//! | file | contents |
//! |---|---|
//! | [`analyzer`] | tokenization |
//! | `schema` | the fields, and the stamp that says which schema wrote an index |
//! | `document` | an entry as a tantivy document |
//! | `directory` | the folder of its files |
//! | `store` | the writing side |
//! | `leftovers` | files that a killed commit left in the folder |
//! | `view` | the reading side |
//! | `query` | a [`KeywordQuery`] as tantivy's query tree (not made by its parser, which fails on ordinary text) |
//! | `collector` | the best entries of a scope, with deterministic ties |
//! | `matcher` | matches of a query's words in a text |
//! | `stopwords` | function words |
//!
//! Does not know filters as typed, fusion, or the other legs.

pub mod analyzer;
mod collector;
mod directory;
mod document;
mod leftovers;
mod matcher;
mod query;
mod schema;
mod stopwords;
mod store;
mod view;

use std::{io, path::Path};

use tantivy::{
    TantivyError,
    directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
};

pub use document::MOST_WORDS;
pub use matcher::{Match, Matcher};
pub use stopwords::{is_function_word, is_stop_word};
pub use store::{KeywordStore, made_anew};
pub use view::{KeywordView, Restriction};

use super::{EntryKey, IndexError, Result};
use crate::fault;

/// A query, already split into words and phrases by `search::query`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeywordQuery {
    /// Words as typed; any of them may match.
    pub words: Vec<String>,
    /// The last word is still being typed: match it as a prefix too.
    pub last_is_prefix: bool,
    /// Each phrase must be in the text, its words in order.
    pub phrases: Vec<String>,
    /// The last word of the last phrase is still being typed.
    pub phrase_is_prefix: bool,
    /// None of these words or phrases may be in the text.
    pub excluded: Vec<String>,
}

impl KeywordQuery {
    /// Whether the query has neither words, phrases nor exclusions.
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

/// The best entries, and the number of all matches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeywordFound {
    pub hits: Vec<KeywordHit>,
    /// Number of entries of the scope that match.
    pub total: usize,
}

/// Runs tantivy code; a panic in it (it panics on some damaged files) becomes an error.
fn guarded<T>(operation: &'static str, work: impl FnOnce() -> tantivy::Result<T>) -> Result<T> {
    match fault::caught(work) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(in_words(operation, &error)),
        Err(why) => Err(IndexError::Keyword(format!("{operation}: the index is damaged ({why})"))),
    }
}

/// Errors of the disk keep their path; other errors mean a damaged index, which a rebuild repairs.
fn in_words(operation: &'static str, error: &TantivyError) -> IndexError {
    let refused = |source: &io::Error, path: &Path| {
        let copied = || io::Error::new(source.kind(), source.to_string());
        IndexError::io(operation, path)(source.raw_os_error().map_or_else(copied, io::Error::from_raw_os_error))
    };
    let here = Path::new("the word index");
    match error {
        TantivyError::IoError(source) | TantivyError::LockFailure(LockError::IoError(source), _) => {
            refused(source, here)
        }
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath })
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath }) => refused(io_error, filepath),
        TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error, directory_path }) => {
            refused(io_error, directory_path)
        }
        TantivyError::OpenWriteError(OpenWriteError::FileAlreadyExists(path)) => {
            IndexError::damaged(path, "left behind by an interrupted commit")
        }
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(path)) => {
            IndexError::damaged(path, "it is missing")
        }
        // tantivy does not say why one of its threads could not write; that is no reason to discard the index.
        TantivyError::ErrorInThread(_) | TantivyError::SystemError(_) => {
            refused(&io::Error::other(error.to_string()), here)
        }
        TantivyError::DataCorruption(what) => {
            // tantivy appends the whole file.
            IndexError::damaged(here, format!("{what:?}").split(" Content: ").next().unwrap_or_default())
        }
        other => IndexError::Keyword(format!("{operation}: {other}")),
    }
}

#[cfg(test)]
mod tests;
