//! Result types of extraction: names, relations, feelings and dates, each with its byte range.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{dates::DayRange, times::EventTime};
use crate::journal::{EntityKind, RelationKind, words};

/// A mention of a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// The name without its mark (`Linh` for `@Linh`).
    pub name: String,
    /// The kind stated by a mark or a title (`Dr. Chen`, `anh Hùng`); `None` for a capitalised name.
    pub kind: Option<EntityKind>,
    /// The kind suggested by the context or a list of well-known names: a vote, overruled by a stated kind.
    pub guess: Option<EntityKind>,
    /// Byte range in the body; empty for the head (mood, tags).
    pub span: Range<u32>,
    pub source: MentionSource,
}

impl Mention {
    /// A mention whose context suggests no kind.
    pub(super) fn new(
        name: impl Into<String>,
        kind: impl Into<Option<EntityKind>>,
        span: Range<u32>,
        source: MentionSource,
    ) -> Self {
        Self { name: name.into(), kind: kind.into(), guess: None, span, source }
    }
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
    /// A capitalised run within a sentence.
    Capitals,
    /// A capitalised run at the start of a sentence (or in a heading): a name only if other mentions confirm it. A run
    /// of several words is followed by the same without its first word, which overlaps it: at most one of the two is
    /// meant.
    SentenceStart,
    /// Words in lower case that are no ordinary words: a name only if the journal knows it.
    LowerCase,
    /// A word of Vietnamese text without accents: a name only if the journal knows exactly one such name. A capitalised
    /// one has this mention beside its own.
    Unaccented,
    /// A relative without a name: `Mom`, `my sister`, `bà ngoại`.
    Kin,
    /// A feeling of the writer.
    Feeling,
    /// An event: `the wedding`, `my interview`, `đám cưới`.
    Event,
    /// A topic candidate: an ordinary phrase, and a topic only if it recurs.
    Phrase,
    /// An ordinary phrase that is an argument of a relation of this entry: always kept, so that the statement is not
    /// lost.
    Cause,
    /// A clause that is an argument of a relation: kept like a phrase, but never a topic.
    Clause,
    /// A user-defined alias: see [`super::Aliases`].
    Alias,
}

impl MentionSource {
    /// Whether it is a name only if the journal knows it.
    pub(crate) fn is_candidate(self) -> bool {
        matches!(self, Self::SentenceStart | Self::LowerCase | Self::Unaccented)
    }

    /// Whether it consists of ordinary words, which a question may use without meaning an entity.
    pub fn is_ordinary(self) -> bool {
        matches!(self, Self::Kin | Self::Feeling | Self::Event | Self::Phrase | Self::Cause | Self::Clause)
    }
}

/// A relation stated by the writer, by a mark or in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    /// The writer's own verb or connective, such as `eases` or `because`.
    pub verb: String,
    /// Byte range of the statement in the body.
    pub evidence: Range<u32>,
    /// Weight from 0 to 1; 1 for a mark or `because`.
    pub weight: f32,
    /// The days that the sentence refers to, if it names any.
    pub event_time: Option<DayRange>,
    /// Byte ranges of the source and of the target.
    pub clauses: [Range<u32>; 2],
    /// Byte range of the effect within the target's clause, without other words before or after it.
    pub effect: Range<u32>,
    /// Byte range of the words that tell the cause, of which the source may be a part; empty where only a mark states it.
    pub cause: Range<u32>,
}

/// A stated feeling.
#[derive(Debug, Clone, PartialEq)]
pub struct Feeling {
    /// Its name: `happy` for "happiness", `not happy` if negated.
    pub name: String,
    /// `None` for a state that is no emotion in the narrow sense (`tired`), and for a negated one.
    pub family: Option<Family>,
    /// From -1 to 1.
    pub polarity: f32,
    /// From 0 to 1.
    pub strength: f32,
    /// Bytes of the body.
    pub span: Range<u32>,
    pub denied: bool,
    /// Whether the writer is the experiencer.
    pub own: bool,
}

impl Feeling {
    /// Whether the writer feels it.
    pub fn is_felt(&self) -> bool {
        self.own && !self.denied
    }
}

/// Families of emotions after Ekman (1992), as classes for a whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    Joy,
    Sadness,
    Anger,
    Disgust,
    Fear,
    Surprise,
}

words! {
    Family:
    Joy "joy",
    Sadness "sadness",
    Anger "anger",
    Disgust "disgust",
    Fear "fear",
    Surprise "surprise",
}

impl Family {
    /// Used if the feeling's own word has no [valence](super::moods::valence).
    pub(super) fn polarity(self) -> f32 {
        match self {
            Self::Joy => 0.6,
            Self::Surprise => 0.0,
            Self::Sadness | Self::Anger | Self::Disgust | Self::Fear => -0.5,
        }
    }
}

/// The result of extraction from one entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extract {
    pub mentions: Vec<Mention>,
    pub relations: Vec<Relation>,
    /// Stated feelings, in text order.
    pub feelings: Vec<Feeling>,
    /// Dates, in text order.
    pub times: Vec<EventTime>,
}

/// The share that two byte ranges have in common of the range from the first to the last byte of both.
pub fn common_share(one: &Range<usize>, other: &Range<usize>) -> f32 {
    let common = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    common as f32 / (one.end.max(other.end) - one.start.min(other.start)) as f32
}

pub(super) fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start < other.end && other.start < one.end
}

/// By start, then the longer one first.
pub(super) fn in_order(mentions: &mut [Mention]) {
    mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
}
