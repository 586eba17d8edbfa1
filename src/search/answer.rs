//! A search request and its answer.

use std::{collections::BTreeMap, ops::Range, time::Duration};

use jiff::civil;

use super::{
    confidence::{Evidence, Kind},
    fuse::Fusion,
    leg_id::{LegShare, Legs, PerLeg},
};
use crate::{
    embed::EmbedError,
    index::{CatalogEntry, EntryKey, IndexError, vector::Scan},
    journal::{EntryId, RecordFields},
};

/// A search request.
#[derive(Debug, Clone)]
pub struct Search {
    /// The text as typed, including filters.
    pub text: String,
    /// Filters given separately (flags), in the same syntax: `from:2026-01`, `tag:work`.
    pub filters: Vec<String>,
    pub legs: Legs,
    pub limit: usize,
    /// Still being typed: the last word is a prefix.
    pub typing: bool,
    /// How the lists of the legs are fused.
    pub fusion: Fusion,
    pub now: jiff::Zoned,
}

impl Search {
    /// A search by all legs for a completely typed text.
    pub fn new(text: impl Into<String>, limit: usize, now: jiff::Zoned) -> Self {
        Self {
            text: text.into(),
            filters: Vec::new(),
            legs: Legs::ALL,
            limit,
            typing: false,
            fusion: Fusion::default(),
            now,
        }
    }
}

/// The parts of a hit's score.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reason {
    /// Words of the query found in the entry, in the entry's spelling.
    pub words: Vec<String>,
    /// The passage closest in meaning (byte range in the body).
    pub passage: Option<Range<usize>>,
    /// Word similarity to the query, from 0 to 1; `None` if it was not computed.
    pub likeness: Option<f32>,
    /// Contextual similarity to the query's words, from 0 to 1; `None` if it was not computed.
    pub in_sentence: Option<f32>,
    /// Words of the query with the similar word of the entry: `pup`, `dog`.
    pub alike: Vec<(String, String)>,
    /// The part of the score from better hits near it on the same day; 0 for none.
    pub beside: f32,
    /// The penalty for an entry that asks a question, as the query does; 0 for none.
    pub asks: f32,
    /// The part of the score for stating a time, if the query asks for one; 0 for none.
    pub tells_when: f32,
    /// The part of the score for being about a name of the query in similar words, if the query asks for several
    /// things; 0 for none.
    pub several: f32,
    /// Path of names from one in the query to one in the entry.
    pub path: Vec<String>,
}

/// A hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub key: EntryKey,
    pub id: EntryId,
    /// Exactly as in the file.
    pub time: String,
    pub score: f32,
    pub legs: PerLeg<Option<LegShare>>,
    pub text: String,
    /// For an entry that is a record.
    pub record: Option<RecordFields>,
    /// See [`further_keys`](crate::journal::further_keys).
    pub extra: BTreeMap<String, String>,
    /// The part of `text` to show (byte range).
    pub snippet: Range<usize>,
    /// Byte ranges to highlight in `text`, in order, without overlap.
    pub matches: Vec<Range<usize>>,
    pub reason: Reason,
    /// The features of the hit.
    pub evidence: Evidence,
    /// Probability that it answers the query.
    pub probability: f32,
    /// Below the threshold: it probably does not answer the query.
    pub weak: bool,
}

/// The answer to a search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// Number of entries that passed the filters and matched a leg.
    pub total: usize,
    /// For a query of filters only: every day with matching entries and their number, newest first. Empty for a query
    /// with words, where the hits show it.
    pub days: Vec<(civil::Date, usize)>,
    /// Probability that one of the first three hits answers the query.
    pub confidence: f32,
    /// Whether [`Self::confidence`] is above the threshold of [`Self::kind`].
    pub confident: bool,
    /// The kind of comparison, which selects the confidence model.
    pub kind: Kind,
    /// Parts of the query that were parsed as filters (byte ranges in `text`).
    pub understood: Vec<Range<usize>>,
    /// What could not be parsed, as a sentence; the text was searched as plain words.
    pub notice: Option<String>,
    /// Number of candidates of each leg; `None` if it did not run.
    pub counts: PerLeg<Option<usize>>,
    pub scan: Option<Scan>,
    pub took: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

impl Hit {
    /// The passage closest in meaning.
    pub fn passage(&self) -> Option<&str> {
        self.text.get(self.reason.passage.clone()?)
    }

    /// The same as a byte range; that of the snippet where none is known.
    pub fn place(&self) -> Range<usize> {
        self.reason.passage.clone().unwrap_or_else(|| self.snippet.clone())
    }

    /// A hit with an entry and its text, without a reason.
    pub(super) fn of(entry: &CatalogEntry, text: String, score: f32) -> Self {
        Self {
            key: entry.key,
            id: entry.id.clone(),
            time: entry.time.written.clone(),
            score,
            legs: PerLeg::default(),
            text,
            record: None,
            extra: BTreeMap::new(),
            snippet: 0..0,
            matches: Vec::new(),
            reason: Reason::default(),
            evidence: Evidence::default(),
            probability: 1.0,
            weak: false,
        }
    }
}
