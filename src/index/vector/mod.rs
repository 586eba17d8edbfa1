//! The vector index: passages as vectors. The checksummed vector file is the source; exact int8 scan and HNSW are two
//! ways to search it.
//!
//! | file | owns |
//! |---|---|
//! | `log` | the vector file: every vector of one model, append-only |
//! | `word_log`, `words` | the word file beside it, for models with contextual words: codes of one bit per dimension |
//! | `header` | the header of both files |
//! | `rows`, `kernel` | the vectors in memory, and the loops over them |
//! | `chunked` | other values by row, shared between views |
//! | `fine` | the half of the vectors that a scan does not read, which stays in a file |
//! | `passage_table`, `passage_base` | passages of each entry, entries of each row: changed entries, and unchanged ones |
//! | `table` | the same on disk, one file per checkpoint |
//! | `store` | the writing side, which keeps all these consistent |
//! | `view` | one immutable state, and the search |
//! | `ann` | the HNSW graph and its dump |
//!
//! Equal texts share one row, however many entries have them. Rows whose entries are gone stay in the file, so that
//! no text is embedded twice; [`VectorStore::forget_unheld`] removes them.

mod ann;
mod chunked;
mod fine;
mod header;
mod kernel;
mod log;
mod passage_base;
mod passage_table;
mod rows;
mod store;
mod table;
mod view;
mod word_log;
mod words;

use std::ops::Range;

use super::EntryKey;

pub use ann::{AnnState, AnnWork};
pub use store::VectorStore;
pub use view::VectorView;
pub use words::WordProbe;

/// `ann =` in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ann {
    /// HNSW from 100,000 passages on, for unfiltered queries, once loaded.
    #[default]
    Auto,
    On,
    Off,
}

#[derive(Debug, Clone, PartialEq)]
pub struct VectorHit {
    pub key: EntryKey,
    /// The closest passage, in bytes of the body.
    pub span: Range<u32>,
    /// Cosine, higher is better.
    pub score: f32,
}

/// The kind of a scan (shown by `--explain`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    Exact,
    Hnsw,
}

/// Result of opening: a warning for the user, and whether the passages must be registered again.
#[derive(Debug, Default)]
pub struct Opened {
    /// The checkpoint of the passage table that was loaded; `None`: register every entry again with `set`.
    pub checkpoint: Option<u64>,
    pub complaint: Option<String>,
}

#[cfg(test)]
mod ann_tests;
#[cfg(test)]
mod tests;
