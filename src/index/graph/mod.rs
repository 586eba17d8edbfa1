//! The graph of connections: entities, who is mentioned where, stated relations with all their evidence.
//!
//! Owns the decision which mentions are one entity and of which kind. Knows names, days and entry keys, not texts: a quote is
//! the bytes of an entry's body.
//!
//! # What is one entity
//!
//! Mentions whose names are equal but for case, composition and `_`. Accents count: `Hùng` and `Hưng` are two people; only
//! looking up forgets them. A kind is stated by a mark: `@` person, `mood:` emotion, the verb of a field, the word in
//! `[[Name (place)]]`, a title before the name (`Dr.`, `anh`) if at least a quarter of its bare mentions have one; or by the
//! words themselves (`Mom`, `the interview`). InternedRelation kinds keep homonyms apart. A name without a kind, and a tag, belongs to
//! the homonym of the one stated kind; a bare capitalised name is never an emotion. Where no kind is stated, the words around
//! its bare mentions vote; where they do not agree, or more than one kind is stated, it is a topic.
//!
//! A name at the beginning of a sentence or in lower case counts only where the same name also stands inside one, or is
//! marked, in any entry, unless it can be nothing else. An ordinary phrase is a topic only where the journal comes back to
//! it, or where it is an end of a stated relation with a feeling.
//!
//! A word that everybody uses every day is no name for having a capital, unless something says that it is one (`House`).
//!
//! The words of an alias that the user gave are a mention wherever they stand.
//!
//! A first name and the only full name of a person with it are one, as are the words for one parent (`same`).
//!
//! Over all that stands the user's word: [`Curation`].

mod assign;
mod chains;
mod communities;
mod counts;
mod curate;
#[cfg(test)]
mod curate_tests;
mod decide;
mod interned;
mod lookup;
mod mention_counts;
#[cfg(test)]
mod mention_counts_tests;
mod names;
mod near;
mod persisted;
mod proposals;
mod rowed;
mod same;
#[cfg(test)]
mod same_tests;
mod search;
mod stated;
mod store;
#[cfg(test)]
mod tests;
mod verdicts;
mod view;
mod votes;

use std::ops::Range;

use jiff::civil;
use serde::{Deserialize, Serialize};

pub use self::{curate::Curation, proposals::Proposal, store::GraphStore, verdicts::Judgement, view::GraphView};
use super::EntryKey;
use crate::{
    extract::dates::DayRange,
    journal::{EntityKind, RelationKind},
};

/// Names an entity inside one [`GraphView`]: its position in [`GraphView::entities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityRef(pub u32);

/// Somebody or something the journal speaks of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub name: String,
    pub kind: EntityKind,
    /// Other spellings met.
    pub aliases: Vec<String>,
    pub first_seen: civil::Date,
    pub last_seen: civil::Date,
    pub mentions: u32,
    /// On how many different days.
    pub days: u32,
}

/// One sentence that states a relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub entry: EntryKey,
    pub span: Range<u32>,
    /// How plainly it says so: from 0 to 1; 1 is a mark, or `because`.
    pub weight: f32,
    /// The days it speaks of, where it says so; else those of the entry.
    pub event_time: Option<DayRange>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub source: EntityRef,
    pub target: EntityRef,
    pub kind: RelationKind,
    pub verb: String,
    pub evidence: Vec<Evidence>,
    /// The user said that it is so, as a whole or of some of the evidence.
    pub accepted: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GraphHit {
    pub key: EntryKey,
    /// Higher is better.
    pub score: f32,
    /// Names from what the query named to what the entry names: `["Hùng", "Project X"]`.
    pub path: Vec<String>,
}
