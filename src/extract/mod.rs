//! What one entry says by itself: who and what it names, and what it connects.
//!
//! A pure function of one entry and the language data; whatever depends on other entries is decided in
//! `index::graph`.

mod code;
pub mod dates;
mod fields;
mod fold;
mod lexicon;
mod marks;
mod moods;
mod names;
mod same_feeling;
#[cfg(test)]
mod tests;
mod words;

pub use fold::{fold, fold_case, fold_char};
pub use lexicon::is_little_word;
pub use moods::valence;
pub use same_feeling::is_same_feeling;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::journal::{EntityKind, Entry, RelationKind};

/// A name standing in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mention {
    /// The name without its mark (`Linh` for `@Linh`).
    pub name: String,
    /// What the writing itself tells, by a mark or a title (`Dr. Chen`, `anh Hùng`); `None` for a bare capitalised name.
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
    /// A capitalised run where a sentence begins (or in a heading): a name only if other mentions say so. Where it has
    /// several words, the same without the first one follows, overlapping it: at most one of the two is meant.
    SentenceStart,
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

/// Reads one entry: what its head says first, then the body in text order.
///
/// A known verb (`assets/lexicon/verbs.txt`) connects its names with the moods of the entry, or with the feeling that the
/// verb itself is (`joy`). A subject (`[[A]] verb:: [[B]]`) connects by any verb. Everything else connects nothing: that two
/// names stand together is no statement. Linear in the body; about 10 microseconds for 80 words.
pub fn extract(entry: &Entry) -> Extract {
    let body = &entry.body;
    let skipped = code::skipped(body);
    let fields = fields::fields(body, &skipped);
    let closed = code::merge(skipped.iter().cloned().chain(fields.iter().map(|field| field.line.clone())).collect());
    let links = marks::links(body, &closed);
    let mut mentions: Vec<Mention> = fields.iter().flat_map(field_mentions).collect();
    mentions.extend(links.iter().map(|link| link_mention(link, MentionSource::Link, None)));
    mentions.extend(marks::tags_and_people(body, &closed, &links));
    let marked = mentions.iter().map(|mention| mention.span.start as usize..mention.span.end as usize);
    let closed = code::merge(closed.iter().cloned().chain(marked).collect());
    mentions.extend(names::names(body, &closed));
    mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));

    let mut all = head_mentions(entry);
    all.append(&mut mentions);
    let moods: Vec<String> = all
        .iter()
        .filter(|mention| mention.source == MentionSource::Mood)
        .map(|mention| mention.name.clone())
        .collect();
    let relations = fields.iter().flat_map(|field| field_relations(field, &moods)).collect();
    Extract { mentions: all, relations }
}

/// The moods of the head (several between commas) and its tags.
fn head_mentions(entry: &Entry) -> Vec<Mention> {
    let mention = |name: &str, kind, source| Mention { name: name.to_owned(), kind: Some(kind), span: 0..0, source };
    let moods =
        entry.mood.iter().flat_map(|mood| mood.split([',', ';'])).map(|mood| fields::without_strength(mood.trim()));
    let tags = entry.tags.iter().map(|tag| tag.trim().trim_start_matches('#'));
    moods
        .filter(|mood| !mood.is_empty())
        .map(|mood| mention(mood, EntityKind::Emotion, MentionSource::Mood))
        .chain(tags.filter(|tag| !tag.is_empty()).map(|tag| mention(tag, EntityKind::Topic, MentionSource::Tag)))
        .collect()
}

fn link_mention(link: &marks::Link<'_>, source: MentionSource, kind: Option<EntityKind>) -> Mention {
    Mention { name: link.name.to_owned(), kind: link.kind.or(kind), span: span(&link.span), source }
}

fn span(range: &Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

fn field_mentions(field: &fields::Field<'_>) -> Vec<Mention> {
    let words = |words: &[(&str, Range<usize>)], kind, source| {
        let mention = |(word, range): &(&str, Range<usize>)| Mention {
            name: (*word).to_owned(),
            kind: Some(kind),
            span: span(range),
            source,
        };
        words.iter().map(mention).collect::<Vec<_>>()
    };
    match &field.value {
        fields::Value::Moods(moods) => words(moods, EntityKind::Emotion, MentionSource::Mood),
        fields::Value::Tags(tags) => words(tags, EntityKind::Topic, MentionSource::Tag),
        fields::Value::Links(links) => {
            let verb = lexicon::VERBS.get(&fold_case(field.verb)).filter(|_| field.subject.is_none());
            let feeling = verb.and_then(|verb| verb.feeling).map(|feeling| Mention {
                name: feeling.to_owned(),
                kind: Some(EntityKind::Emotion),
                span: field.line.start as u32..field.line.start as u32,
                source: MentionSource::Field,
            });
            let names =
                links.iter().map(|link| link_mention(link, MentionSource::Field, verb.and_then(|verb| verb.names)));
            let subject = field.subject.iter().map(|link| link_mention(link, MentionSource::Field, None));
            feeling.into_iter().chain(subject).chain(names).collect()
        }
    }
}

fn field_relations(field: &fields::Field<'_>, moods: &[String]) -> Vec<Relation> {
    let fields::Value::Links(links) = &field.value else { return Vec::new() };
    let relation = |source: &str, target: &str, kind| Relation {
        source: source.to_owned(),
        target: target.to_owned(),
        kind,
        verb: field.verb.to_owned(),
        evidence: span(&field.line),
    };
    let verb = lexicon::VERBS.get(&fold_case(field.verb));
    if let Some(subject) = &field.subject {
        let kind = verb.map_or(RelationKind::Topical, |verb| verb.relation);
        return links.iter().map(|link| relation(subject.name, link.name, kind)).collect();
    }
    let Some(verb) = verb else { return Vec::new() };
    let feelings: Vec<&str> = match verb.feeling {
        Some(feeling) => vec![feeling],
        None => moods.iter().map(String::as_str).collect(),
    };
    links.iter().flat_map(|link| feelings.iter().map(|feeling| relation(link.name, feeling, verb.relation))).collect()
}
