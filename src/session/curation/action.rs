//! Changes of names that the user asks for, and what they come to.

use super::moved::Moved;
use crate::{
    index::graph::Judgement,
    journal::{EntityKind, RelationKind},
};

/// One thing said about names. Names are given as `Hanoi`, or where homonyms differ `Hanoi (place)` or `place:Hanoi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Curating {
    /// What is said of `from` counts for `into`.
    Merge {
        from: String,
        into: String,
    },
    /// Another name to show; the old one stays an alias.
    Rename {
        name: String,
        new: String,
    },
    Alias {
        name: String,
        alias: String,
        remove: bool,
    },
    /// The user's word over every mark in the text.
    Kind {
        name: String,
        kind: EntityKind,
    },
    /// Not listed, no seed of a search, no edges; or shown again.
    Hide {
        name: String,
        hidden: bool,
    },
    /// A relation is so, or is not; as one entry states it, or altogether.
    Judge {
        source: String,
        kind: RelationKind,
        target: String,
        entry: Option<String>,
        judgement: Judgement,
    },
    /// Two names that look alike and are two.
    Distinct {
        name: String,
        other: String,
    },
    /// Another text of the user's own on a name, made from `base`.
    Note {
        name: String,
        base: String,
        text: String,
    },
}

/// What a curation came to, or would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curated {
    /// In words: `Hung is one with Hùng (person)`.
    pub said: String,
    pub moved: Moved,
    /// It was so already: nothing was written.
    pub unchanged: bool,
}
