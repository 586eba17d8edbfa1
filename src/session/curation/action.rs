//! Curation actions of the user, and their results.

use schemars::JsonSchema;
use serde::Serialize;

use super::moved::Moved;
use crate::{
    index::graph::Judgement,
    journal::{EntityKind, RelationKind},
};

/// One curation action. Names are given as `Hanoi`, or for homonyms as `Hanoi (place)` or `place:Hanoi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Curating {
    /// Merges `from` into `into`.
    Merge {
        from: String,
        into: String,
    },
    /// Changes the displayed name; the old one stays an alias.
    Rename {
        name: String,
        new: String,
    },
    Alias {
        name: String,
        alias: String,
        remove: bool,
    },
    /// Sets the kind, which takes precedence over marks in the text.
    Kind {
        name: String,
        kind: EntityKind,
    },
    /// Hides a name from lists, searches and relations, or shows it again.
    Hide {
        name: String,
        hidden: bool,
    },
    /// Accepts or rejects a relation, in one entry or in all.
    Judge {
        source: String,
        kind: RelationKind,
        target: String,
        entry: Option<String>,
        judgement: Judgement,
    },
    /// Marks two similar names as different entities.
    Distinct {
        name: String,
        other: String,
    },
    /// Replaces the user's text on a name; `base` is the text that was edited.
    Note {
        name: String,
        base: String,
        text: String,
    },
}

/// A change of names, made or only previewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Curated {
    /// The change in words.
    #[serde(rename = "change")]
    pub said: String,
    /// Nothing needed to change; nothing was written.
    pub unchanged: bool,
    pub dry_run: bool,
    #[serde(flatten)]
    pub moved: Moved,
}
