//! The meaning index: passages as vectors. The checksummed vector file is the truth, exact int8 scan and
//! HNSW are two ways to read it.
//!
//! | file | owns |
//! |---|---|
//! | `log` | the vector file: every vector of one model, appended |
//! | `word_log`, `words` | beside it, where the model reads words in their sentence: their codes, one bit a dimension |
//! | `header` | how both files begin |
//! | `rows`, `kernel` | the vectors in memory, and the loops over them |
//! | `fine` | what of them stays in a file: the half that a scan does not read |
//! | `passage_table`, `passage_base` | which entry holds which passage, which row belongs to which entry: what changed, and what did not |
//! | `table` | the same on disk, a file a checkpoint |
//! | `store` | the writing side, which keeps all these in step |
//! | `view` | one immutable state, and the search |
//! | `ann` | the HNSW graph and its dump |
//!
//! Equal texts have one row, however many entries hold them. Rows whose entries are gone stay in the file, so that no
//! text is embedded twice; [`VectorStore::forget_unheld`] takes them out.

mod ann;
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

/// How a query was answered (`--explain` says it).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    Exact,
    Hnsw,
}

/// What opening found: in words for the user, and whether the passages must be told again.
#[derive(Debug, Default)]
pub struct Opened {
    /// The checkpoint of the passage table that was loaded; `None`: tell every entry again by `set`.
    pub checkpoint: Option<u64>,
    pub complaint: Option<String>,
}

#[cfg(test)]
mod ann_tests;
#[cfg(test)]
mod tests;
