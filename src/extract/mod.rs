//! What one entry says by itself: who and what it names, and what it connects.
//!
//! A pure function of one entry and the language data; whatever depends on other entries is decided in
//! `index::graph`.

pub mod dates;
mod fold;

pub use fold::{fold, fold_case};

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::journal::{EntityKind, Entry, RelationKind};

/// A name standing in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mention {
    /// The name without its mark (`Linh` for `@Linh`).
    pub name: String,
    /// What the writing itself tells; `None` for a bare capitalised name.
    pub kind: Option<EntityKind>,
    /// Bytes of the body; empty for what the head says (mood, tags).
    pub span: Range<u32>,
    pub source: MentionSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionSource {
    /// `#tag` in the text or `tags:` in the head.
    Tag,
    /// `@person`.
    At,
    /// `[[Name]]`.
    Link,
    /// `verb:: [[Name]]`.
    Field,
    /// `mood:`.
    Mood,
    /// A capitalised run inside a sentence.
    Capitals,
}

/// A connection the writer stated by a mark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    /// The writer's own verb, such as `eases`.
    pub verb: String,
    /// Bytes of the body that say so.
    pub evidence: Range<u32>,
}

/// Everything read out of one entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Extract {
    pub mentions: Vec<Mention>,
    pub relations: Vec<Relation>,
}

/// Reads one entry.
pub fn extract(entry: &Entry) -> Extract {
    let _ = entry;
    todo!()
}
