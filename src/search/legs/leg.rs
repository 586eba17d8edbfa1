//! Interface of a leg.

use std::ops::Range;

use crate::{
    index::{EntryKey, LegHealth, Result, Scope, Snapshot, graph::EntityRef, keyword::KeywordQuery, vector::Scan},
    search::{answer::Hit, fuse::Scale, leg_id::LegId},
};

/// Number of candidates of each leg: enough that an entry that two legs rank below the visible list can rise into it,
/// few enough that fusion costs nothing.
pub const CANDIDATES: usize = 100;

/// Input of a leg.
pub struct Context<'a> {
    pub snapshot: &'a Snapshot,
    pub scope: &'a Scope,
    pub keyword: &'a KeywordQuery,
    /// The embedded query; `None` without a model, or if it can read nothing of the query.
    pub vector: Option<&'a [f32]>,
    /// The entities that the query names.
    pub seeds: &'a [EntityRef],
    /// How much the query describes an event (see [`Query::tells`](crate::search::Query)), if the model reads
    /// sentences: from 0 to 1.
    pub tells: f32,
    /// Scores count by what they are, not relative to the best of the query, which may be bad. Only with a model that
    /// reads sentences: without one, the words are most of what is known.
    pub absolute: bool,
    pub limit: usize,
}

/// A candidate of a leg.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub key: EntryKey,
    /// Higher is better; comparable only within the leg.
    pub score: f32,
    /// The matching passage (byte range in the body).
    pub passage: Option<Range<usize>>,
    /// Path of names from one in the query to one in the entry.
    pub path: Vec<String>,
}

impl Candidate {
    pub fn new(key: EntryKey, score: f32) -> Self {
        Self { key, score, passage: None, path: Vec::new() }
    }
}

/// The result of a leg.
#[derive(Debug, Default)]
pub struct Answer {
    /// Best first, each entry once.
    pub candidates: Vec<Candidate>,
    /// Number of matching entries, if larger than the number of candidates.
    pub total: usize,
    pub scan: Option<Scan>,
}

/// The reason of one leg for a hit.
pub enum LegEvidence<'h> {
    /// Words of the query in the entry's spelling.
    Words(&'h [String]),
    /// The closest passage.
    Passage(Option<&'h str>),
    /// Path of names from the query to the entry.
    Path(&'h [String]),
}

/// A leg: one way to find entries.
pub trait Leg: Sync {
    fn id(&self) -> LegId;
    /// Whether it can answer.
    fn health<'s>(&self, _: &'s Snapshot) -> &'s LegHealth {
        &LegHealth::Ready
    }
    /// Its weight relative to the other legs for this query.
    fn weight(&self, context: &Context<'_>) -> f32;
    /// `None` if it has no input (no model, no named entity).
    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>>;
    fn scale(&self, _: &Context<'_>) -> Scale {
        Scale::Stretched
    }
    /// Scores candidates of other legs, in the given order, where that is cheap.
    fn of_others(&self, _: &Context<'_>, keys: &[EntryKey]) -> Vec<Option<Candidate>> {
        vec![None; keys.len()]
    }
    /// Its reason for an entry that it found.
    fn evidence<'h>(&self, hit: &'h Hit) -> LegEvidence<'h>;
}
