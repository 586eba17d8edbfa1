//! The interface of a leg.

use std::ops::Range;

use crate::{
    index::{EntryKey, IndexError, LegHealth, Scope, Snapshot, graph::EntityRef, keyword::KeywordQuery, vector::Scan},
    search::{answer::Hit, fuse::Scale, leg_id::LegId},
};

/// How many candidates each leg is asked for: enough that an entry both legs place below the visible list can rise
/// into it, few enough that fusion costs nothing.
pub const CANDIDATES: usize = 100;

/// What the legs are given.
pub struct Context<'a> {
    pub snapshot: &'a Snapshot,
    pub scope: &'a Scope,
    pub keyword: &'a KeywordQuery,
    /// The query embedded; `None` without a model, or where it can read nothing of the query.
    pub vector: Option<&'a [f32]>,
    /// What the query names.
    pub seeds: &'a [EntityRef],
    /// How far the query tells something whole (see [`Query::tells`](crate::search::Query)), to a model that reads sentences: from
    /// 0 to 1.
    pub tells: f32,
    pub limit: usize,
}

/// One entry a leg offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub key: EntryKey,
    /// Higher is better; comparable only within the leg.
    pub score: f32,
    /// The passage that speaks for it (bytes of the body).
    pub passage: Option<Range<usize>>,
    /// Names from what the query named to what the entry names.
    pub path: Vec<String>,
}

/// A leg's answer.
#[derive(Debug, Default)]
pub struct Answer {
    /// Best first, each entry once.
    pub candidates: Vec<Candidate>,
    /// How many entries match in all, where that is more than it offers.
    pub total: usize,
    pub scan: Option<Scan>,
}

/// What one leg says of a hit.
pub enum LegEvidence<'h> {
    /// Words of the query as they stand in the entry.
    Words(&'h [String]),
    /// The passage that is close.
    Passage(Option<&'h str>),
    /// Names from the query's to the entry's.
    Path(&'h [String]),
}

/// One way to find entries.
pub trait Leg: Sync {
    fn id(&self) -> LegId;
    /// Whether it can answer at all.
    fn health<'s>(&self, snapshot: &'s Snapshot) -> &'s LegHealth;
    /// How much it counts against the others for this query.
    fn weight(&self, context: &Context<'_>) -> f32;
    /// `None` where it has nothing to go by (no model, nothing named).
    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>, IndexError>;
    fn scale(&self) -> Scale {
        Scale::Stretched
    }
    /// What it says of entries that other legs found and it did not offer, in the order given; only a leg that can tell cheaply.
    fn of_others(&self, _: &Context<'_>, keys: &[EntryKey]) -> Vec<Option<Candidate>> {
        vec![None; keys.len()]
    }
    /// What it says of an entry that it found.
    fn evidence<'h>(&self, hit: &'h Hit) -> LegEvidence<'h>;
}
