//! Extracts with interned names.

use std::ops::Range;

use jiff::civil;
use serde::{Deserialize, Serialize};

use super::names::SpellingId;
use crate::{
    extract::{MentionSource, dates::DayRange},
    journal::{EntityKind, RelationKind, compact},
};

/// The extract of one entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct InternedExtract {
    pub fingerprint: u64,
    #[serde(with = "compact::date")]
    pub day: civil::Date,
    pub mentions: Box<[InternedMention]>,
    pub relations: Box<[InternedRelation]>,
}

/// A mention with its name interned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct InternedMention {
    pub name: SpellingId,
    pub kind: Option<EntityKind>,
    pub guess: Option<EntityKind>,
    pub source: MentionSource,
    #[serde(with = "compact::span")]
    pub span: Range<u32>,
}

/// A stated relation with its names interned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct InternedRelation {
    pub source: SpellingId,
    pub target: SpellingId,
    pub kind: RelationKind,
    pub verb: SpellingId,
    #[serde(with = "compact::span")]
    pub evidence: Range<u32>,
    pub weight: f32,
    pub event_time: Option<DayRange>,
    #[serde(with = "compact::span")]
    pub cause: Range<u32>,
}

impl InternedExtract {
    pub fn spellings(&self) -> impl Iterator<Item = SpellingId> {
        let related = self.relations.iter().flat_map(|r| [r.source, r.target, r.verb]);
        self.mentions.iter().map(|mention| mention.name).chain(related)
    }

    /// The same extract with its name ids mapped by `place`.
    pub fn renumbered(&self, place: impl Fn(SpellingId) -> SpellingId) -> Self {
        let mention = |m: &InternedMention| InternedMention { name: place(m.name), ..m.clone() };
        let relation = |r: &InternedRelation| InternedRelation {
            source: place(r.source),
            target: place(r.target),
            verb: place(r.verb),
            ..r.clone()
        };
        Self {
            fingerprint: self.fingerprint,
            day: self.day,
            mentions: self.mentions.iter().map(mention).collect(),
            relations: self.relations.iter().map(relation).collect(),
        }
    }
}
