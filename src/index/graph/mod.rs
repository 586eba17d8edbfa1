//! The graph: entities, their mentions, stated relations with all their evidence.
//!
//! Decides which mentions are one entity, and of which kind. Knows names, days and entry keys, not texts: a quote is
//! a byte range of an entry's body.
//!
//! # Which mentions are one entity
//!
//! Mentions whose names are equal but for case, Unicode composition and `_`. Accents count: `Hùng` and `Hưng` are two
//! people; only lookup ignores them. A kind is stated by markup: `@` person, `mood:` emotion, the verb of a field,
//! the word in `[[Name (place)]]`, a title before the name (`Dr.`, `anh`) if at least a quarter of its unmarked
//! mentions have one; or by the words themselves (`Mom`, `the interview`). Stated kinds keep homonyms apart. A name
//! without a kind, and a tag, belongs to the homonym of the one stated kind; an unmarked capitalised name is never an
//! emotion. Where no kind is stated, the words around its unmarked mentions vote; where they do not agree, or more
//! than one kind is stated, it is a topic.
//!
//! A name at the beginning of a sentence or in lower case counts only where the same name also appears inside a
//! sentence, or is marked, in any entry, unless it can be nothing else. An ordinary phrase is a topic only where it
//! is frequent in the journal, or where it is an end of a stated relation with a feeling.
//!
//! A common word with a capital (`House`) is a name only where other evidence says so.
//!
//! The words of an alias that the user gave are a mention wherever they appear.
//!
//! A first name and the only full name of a person with it are merged, as are the words for one parent (`same`).
//!
//! The user's decisions override all of this: [`Curation`].

mod assign;
mod chains;
mod communities;
mod counts;
mod curate;
#[cfg(test)]
mod curate_tests;
mod decide;
mod extracts;
mod interned;
mod lookup;
mod mention_counts;
#[cfg(test)]
mod mention_counts_tests;
mod name_forms;
mod names;
mod near;
mod persisted;
mod persisted_counts;
mod proposals;
mod relations;
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

use std::{cmp::Ordering, ops::Range};

use jiff::civil;
use serde::{Deserialize, Serialize};

pub use self::{
    counts::{distinct, statements},
    curate::Curation,
    proposals::Proposal,
    relations::{Relation, RelationRef},
    store::GraphStore,
    verdicts::Judgement,
    view::GraphView,
};
use super::EntryKey;
use crate::{
    extract::dates::DayRange,
    journal::{EntityKind, RelationKind},
};
use names::{
    IdentityId, KINDS, NO_ENTITY, Names, Slot, Spelling, SpellingId, folded, folded_words, identities_of, identity,
};

/// Reference to an entity of one [`GraphView`]: its position in [`GraphView::entities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityRef(pub u32);

/// A person, place, event, emotion or topic of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub name: String,
    pub kind: EntityKind,
    /// Other spellings found.
    pub aliases: Vec<String>,
    pub first_seen: civil::Date,
    pub last_seen: civil::Date,
    pub mentions: u32,
    /// Number of different days.
    pub days: u32,
}

impl Entity {
    /// The order of [`GraphView::entities`]: most mentioned first, then by name and kind.
    fn by_rank(&self, other: &Self) -> Ordering {
        (other.mentions, &self.name, self.kind).cmp(&(self.mentions, &other.name, other.kind))
    }

    /// Its name, then its other spellings.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(&self.aliases)
    }
}

/// One sentence that states a relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub entry: EntryKey,
    pub span: Range<u32>,
    /// The words that tell the cause, of which the source may be a part; empty where only a mark states it.
    pub cause: Range<u32>,
    /// How explicit the statement is, from 0 to 1; 1 is markup, or `because`.
    pub weight: f32,
    /// The days that it refers to, where it names them; else those of the entry.
    pub event_time: Option<DayRange>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub source: EntityRef,
    pub target: EntityRef,
    pub kind: RelationKind,
    pub verb: String,
    pub evidence: Vec<Evidence>,
    /// The user confirmed it, as a whole or for some of the evidence.
    pub accepted: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GraphHit {
    pub key: EntryKey,
    /// Higher is better.
    pub score: f32,
    /// Names from the one in the query to the one in the entry: `["Hùng", "Project X"]`.
    pub path: Vec<String>,
}
