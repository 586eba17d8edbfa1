//! One fused search: query syntax, three legs inside the filters, fusion by entry, snippets, reasons.

use std::ops::Range;

use crate::{
    embed::{EmbedError, Encoder},
    index::{EntryKey, IndexError, Snapshot, vector::Scan},
    journal::{EntityKind, EntryId},
};

/// Which legs a search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legs {
    pub keyword: bool,
    pub vector: bool,
    pub graph: bool,
}

impl Legs {
    pub const ALL: Self = Self { keyword: true, vector: true, graph: true };
}

/// One search as asked.
#[derive(Debug, Clone)]
pub struct Search {
    /// The text as typed, with its filters in it.
    pub text: String,
    /// Filters given beside the text (flags), in the same syntax: `from:2026-01`, `tag:work`.
    pub filters: Vec<String>,
    pub legs: Legs,
    pub limit: usize,
    /// Still being typed: the last word is a prefix.
    pub typing: bool,
    pub now: jiff::Zoned,
}

/// A leg's part in one hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegShare {
    /// From 1.
    pub rank: usize,
    pub score: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HitLegs {
    pub keyword: Option<LegShare>,
    pub vector: Option<LegShare>,
    pub graph: Option<LegShare>,
}

/// Why a hit is a hit: exactly what the score was made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reason {
    /// Words of the query found in the entry, as they stand there.
    pub words: Vec<String>,
    /// The passage closest in meaning (bytes of the body).
    pub passage: Option<Range<usize>>,
    /// Names, from what the query named to what the entry names.
    pub path: Vec<String>,
}

/// One entry found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub key: EntryKey,
    pub id: EntryId,
    /// As the file has it.
    pub time: String,
    pub score: f32,
    pub legs: HitLegs,
    pub text: String,
    /// The part of `text` to show (bytes).
    pub snippet: Range<usize>,
    /// What to highlight in `text` (bytes, in order, without overlap).
    pub matches: Vec<Range<usize>>,
    pub reason: Reason,
    /// Below the line: nothing says surely that this is meant.
    pub weak: bool,
}

/// The answer to one search.
#[derive(Debug, Clone)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// How many entries passed the filters and matched some leg.
    pub total: usize,
    pub confident: bool,
    /// Parts of the query that were understood as filters (bytes of `text`).
    pub understood: Vec<Range<usize>>,
    /// What was not understood, in a sentence; the text was then searched as plain words.
    pub notice: Option<String>,
    /// Candidates of each leg: keyword, vector, graph; `None` where the leg did not run.
    pub counts: [Option<usize>; 3],
    pub scan: Option<Scan>,
    pub took: std::time::Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// Runs a search over one snapshot. `encoder` embeds the query; without it the meaning leg does not run.
/// `cancelled` is asked between legs.
pub fn search(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Search,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Found>, SearchError> {
    let _ = (snapshot, encoder, ask, cancelled);
    let _ = EntityKind::ALL;
    todo!()
}
