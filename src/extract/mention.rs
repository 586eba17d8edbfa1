//! Result types of extraction: names, stated relations, feelings and dates, each with its place in the text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{dates::DayRange, times::EventTime};
use crate::journal::{EntityKind, RelationKind};

/// A name standing in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// The name without its mark (`Linh` for `@Linh`).
    pub name: String,
    /// What the writing itself tells, by a mark or a title (`Dr. Chen`, `anh Hùng`); `None` for a bare capitalised name.
    pub kind: Option<EntityKind>,
    /// What the words around it or a list of well-known names suggest: a vote, which a stated kind overrules.
    pub guess: Option<EntityKind>,
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
    /// A capitalised run where a sentence begins (or in a heading): a name only if other mentions say so. Where it has
    /// several words, the same without the first one follows, overlapping it: at most one of the two is meant.
    SentenceStart,
    /// Words in lower case that are no ordinary words: a name only if the journal knows it as one.
    LowerCase,
    /// A relative without a name: `Mom`, `my sister`, `bà ngoại`.
    Kin,
    /// A feeling that the writer says to have.
    Feeling,
    /// Something that happens: `the wedding`, `my interview`, `đám cưới`.
    Event,
    /// An ordinary phrase that may be a topic: one only if the journal comes back to it.
    Phrase,
    /// An ordinary phrase at one end of a relation of this entry: always kept, so that what is said is not lost.
    Cause,
    /// A whole clause at one end of a relation: kept like a phrase, but nothing that a journal is about.
    Clause,
    /// Words that the user gave as a name: see [`super::Aliases`].
    Alias,
}

impl MentionSource {
    /// Whether it is ordinary words of the language, which a question may use without meaning an entity.
    pub fn is_ordinary(self) -> bool {
        matches!(self, Self::Kin | Self::Feeling | Self::Event | Self::Phrase | Self::Cause | Self::Clause)
    }
}

/// A connection the writer stated, by a mark or in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    /// The writer's own verb or link word, such as `eases` or `because`.
    pub verb: String,
    /// Bytes of the body that say so.
    pub evidence: Range<u32>,
    /// How plainly: from 0 to 1; 1 is a mark or `because`.
    pub weight: f32,
    /// The days the sentence speaks of, where it says so.
    pub event_time: Option<DayRange>,
    /// The bytes that speak of the source, and those that speak of the target.
    pub clauses: [Range<u32>; 2],
    /// The bytes of the target's clause that say what comes about, without what merely stands before or behind it.
    pub effect: Range<u32>,
}

/// One word for a feeling in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Feeling {
    /// What it is called: `happy` for "happiness", `not happy` where the text denies it.
    pub name: String,
    /// `None` for what is no emotion in the narrow sense (`tired`), and for what is denied.
    pub family: Option<Family>,
    /// From -1 to 1.
    pub polarity: f32,
    /// From 0 to 1.
    pub strength: f32,
    /// Bytes of the body.
    pub span: Range<u32>,
    pub denied: bool,
    /// Whether the writer feels it, as far as the sentence tells.
    pub own: bool,
}

/// The families of feelings, after Ekman (1992), as names for what a text as a whole sounds like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    Joy,
    Sadness,
    Anger,
    Disgust,
    Fear,
    Surprise,
}

impl Family {
    pub const ALL: [Self; 6] = [Self::Joy, Self::Sadness, Self::Anger, Self::Disgust, Self::Fear, Self::Surprise];

    /// The lower-case word used in files and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Joy => "joy",
            Self::Sadness => "sadness",
            Self::Anger => "anger",
            Self::Disgust => "disgust",
            Self::Fear => "fear",
            Self::Surprise => "surprise",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.word() == word)
    }

    /// Where a feeling's own word has no [valence](super::moods::valence).
    pub(super) fn polarity(self) -> f32 {
        match self {
            Self::Joy => 0.6,
            Self::Surprise => 0.0,
            Self::Sadness | Self::Anger | Self::Disgust | Self::Fear => -0.5,
        }
    }
}

/// Everything read out of one entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extract {
    pub mentions: Vec<Mention>,
    pub relations: Vec<Relation>,
    /// What the text says to be felt, in text order.
    pub feelings: Vec<Feeling>,
    /// The dates the text speaks of, in text order.
    pub times: Vec<EventTime>,
}

pub(super) fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start < other.end && other.start < one.end
}

/// By their first byte, the longer one first.
pub(super) fn in_order(mentions: &mut [Mention]) {
    mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
}
