//! One search as asked, and its answer.

use std::{ops::Range, time::Duration};

use jiff::civil;

use super::{
    confidence::{Evidence, Kind},
    fuse::Fusion,
    leg_id::{LegShare, Legs, PerLeg},
};
use crate::{
    embed::EmbedError,
    index::{CatalogEntry, EntryKey, IndexError, vector::Scan},
    journal::EntryId,
};

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
    /// How the legs' lists are made one.
    pub fusion: Fusion,
    pub now: jiff::Zoned,
}

impl Search {
    /// By all legs, of a text that is typed to its end.
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

/// Why a hit is a hit: exactly what the score was made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reason {
    /// Words of the query found in the entry, as they stand there.
    pub words: Vec<String>,
    /// The passage closest in meaning (bytes of the body).
    pub passage: Option<Range<usize>>,
    /// How alike its words are to the query's, from 0 to 1; `None` where that was not looked at.
    pub likeness: Option<f32>,
    /// How close its words come to the query's, both as the model reads them in their sentence, from 0 to 1; `None` where
    /// that was not looked at.
    pub in_sentence: Option<f32>,
    /// Words of the query with the entry's word that is alike: `pup`, `dog`.
    pub alike: Vec<(String, String)>,
    /// What of the score is for the better hits beside it on the same day; 0 for nothing.
    pub beside: f32,
    /// What was taken off its score because it asks, as the query does; 0 for nothing.
    pub asks: f32,
    /// What of the score is for saying when something was, where the query asks that; 0 for nothing.
    pub tells_when: f32,
    /// What of the score is for being about a name of the query in words like its own, where it asks for several things; 0 for
    /// nothing.
    pub several: f32,
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
    pub legs: PerLeg<Option<LegShare>>,
    pub text: String,
    /// The part of `text` to show (bytes).
    pub snippet: Range<usize>,
    /// What to highlight in `text` (bytes, in order, without overlap).
    pub matches: Vec<Range<usize>>,
    pub reason: Reason,
    /// What speaks for it.
    pub evidence: Evidence,
    /// How likely it answers.
    pub probability: f32,
    /// Below the line: it likely does not answer.
    pub weak: bool,
}

/// The answer to one search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// How many entries passed the filters and matched some leg.
    pub total: usize,
    /// A query of filters alone: every day with an entry that passes and how many, the newest day first. Empty where words
    /// were looked for: then the hits say it.
    pub days: Vec<(civil::Date, usize)>,
    /// How likely one of the first three hits answers.
    pub confidence: f32,
    /// [`Self::confidence`] is above the line of [`Self::kind`].
    pub confident: bool,
    /// What the query was compared with.
    pub kind: Kind,
    /// Parts of the query that were understood as filters (bytes of `text`).
    pub understood: Vec<Range<usize>>,
    /// What was not understood, in a sentence; the text was then searched as plain words.
    pub notice: Option<String>,
    /// Candidates of each leg; `None` where it did not run.
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

impl Found {
    /// These hits, and nothing said of them.
    pub(super) fn of(hits: Vec<Hit>) -> Self {
        Self { hits, ..Self::default() }
    }
}

impl Hit {
    /// The passage closest in meaning.
    pub fn passage(&self) -> Option<&str> {
        self.text.get(self.reason.passage.clone()?)
    }

    /// An entry with its text, and no reason yet.
    pub(super) fn of(entry: &CatalogEntry, text: String, score: f32) -> Self {
        Self {
            key: entry.key,
            id: entry.id.clone(),
            time: entry.time.written.clone(),
            score,
            legs: PerLeg::default(),
            text,
            snippet: 0..0,
            matches: Vec::new(),
            reason: Reason::default(),
            evidence: Evidence::default(),
            probability: 1.0,
            weak: false,
        }
    }
}
