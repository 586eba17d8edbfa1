//! The legs of a search. A leg is one file here and one line in [`LEGS`].

mod graph;
mod keyword;
mod vector;

use std::ops::Range;

use super::{HitLegs, LegShare, Legs, fuse::Scale};
use crate::index::{EntryKey, IndexError, Scope, Snapshot, graph::EntityRef, keyword::KeywordQuery, vector::Scan};

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

/// One way to find entries.
pub trait Leg: Sync {
    /// As a sentence would name it.
    fn name(&self) -> &'static str;
    fn wanted(&self, legs: Legs) -> bool;
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
    /// Its place in a hit.
    fn slot<'h>(&self, legs: &'h mut HitLegs) -> &'h mut Option<LegShare>;
}

/// All legs, in the order of [`super::Found::counts`].
pub const LEGS: [&dyn Leg; 3] = [&keyword::Keyword, &vector::Vector, &graph::Graph];
