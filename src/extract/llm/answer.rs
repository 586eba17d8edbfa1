//! The answer of a language model: parsing, and validation against the entry's text.
//!
//! The format is that of kioku's predecessor (entities, relationships, one event time), with a quote of the entry for
//! each statement. A statement is accepted if it is well-formed and its quote occurs in the text; all others are
//! dropped and counted. So even if an entry contains a prompt injection, the result can only be such statements.

use std::fmt;

use jiff::civil;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{quote::Quotable, text_of_answer};
use crate::{
    extract::{code, dates::DayRange, fold_case, is_little_word},
    journal::{EntityKind, Entry, RelationKind},
};

/// Version of the prompt, stored with each answer. Increase it when the prompt changes.
pub const PROMPT_VERSION: u32 = 1;

/// Maximum number of entities, and of relationships. A text of some hundred words has fewer; more mean that the model
/// is repeating itself.
const MOST_STATEMENTS: usize = 120;
const LONGEST_NAME: usize = 120;
const LONGEST_QUOTE: usize = 1000;
/// Maximum number of words in a feeling.
const FEELING_WORDS: usize = 4;

/// The accepted statements of a model about one text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The model's name in the configuration.
    pub model: String,
    /// [`PROMPT_VERSION`] of the request.
    pub prompt: u32,
    pub entities: Vec<NamedByModel>,
    pub relations: Vec<RelatedByModel>,
    pub event_time: Option<DatedByModel>,
    /// Counts of the dropped statements.
    pub dropped: Dropped,
}

/// An entity that the model found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedByModel {
    /// Its quote in the text.
    pub text: String,
    /// The model's name for it, to which its relations refer.
    pub name: String,
    pub kind: EntityKind,
}

/// A relation that the model found.
#[derive(Debug, Clone, PartialEq)]
pub struct RelatedByModel {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    /// From 0 to 1.
    pub weight: f32,
    /// The words of the text that say so.
    pub quote: String,
}

/// The event time that the model found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedByModel {
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    pub date: String,
    /// The words of the text that say so.
    pub quote: String,
}

/// Numbers of dropped statements by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Dropped {
    /// A part is missing, of another type, too long, or of a kind that does not exist.
    pub misshapen: u32,
    /// The quote is not in the text.
    pub unquoted: u32,
    /// A relation between entities that are not in the answer.
    pub unnamed: u32,
}

impl Dropped {
    pub fn count(self) -> u32 {
        self.misshapen + self.unquoted + self.unnamed
    }
}

/// An unusable answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    NotJson,
    /// JSON, but not the object that was asked for.
    OtherShape,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotJson => "the answer is not JSON",
            Self::OtherShape => "the answer is JSON of another format than requested",
        })
    }
}

impl Answer {
    /// Parses the text that a model sent, and drops statements that do not occur in the entry. The JSON may be in a
    /// code fence.
    pub fn of_model(sent: &str, model: &str, entry: &Entry) -> Result<Self, Unusable> {
        let value = serde_json::from_str(text_of_answer(sent)).map_err(|_| Unusable::NotJson)?;
        let mut answer = Self::of_shape(&value)?;
        answer.model = model.to_owned();
        answer.prompt = PROMPT_VERSION;
        answer.check(&entry.body);
        Ok(answer)
    }

    /// Parses a stored answer. [`super::refine()`] validates its statements against the text again.
    pub fn of_file(bytes: &[u8]) -> Result<Self, Unusable> {
        let value: Value = serde_json::from_slice(bytes).map_err(|_| Unusable::NotJson)?;
        let mut answer = Self::of_shape(&value)?;
        answer.model = value.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
        answer.prompt = value.get("prompt").and_then(Value::as_u64).and_then(|n| n.try_into().ok()).unwrap_or(0);
        answer.dropped =
            value.get("dropped").and_then(|dropped| Dropped::deserialize(dropped).ok()).unwrap_or_default();
        Ok(answer)
    }

    /// The format of a stored answer.
    pub fn to_file(&self) -> Vec<u8> {
        let entities: Vec<Value> = self
            .entities
            .iter()
            .map(|entity| json!({ "name": entity.name, "type": entity.kind.word(), "text": entity.text }))
            .collect();
        let relation = |relation: &RelatedByModel| {
            let RelatedByModel { source, target, kind, weight, quote } = relation;
            json!({ "source": source, "target": target, "type": kind.word(), "weight": weight, "evidence": quote })
        };
        let relationships: Vec<Value> = self.relations.iter().map(relation).collect();
        let event_time = self.event_time.as_ref().map(|time| json!({ "date": time.date, "text": time.quote }));
        let file = json!({
            "v": 1, "model": self.model, "prompt": self.prompt, "dropped": self.dropped,
            "entities": entities, "relationships": relationships, "event_time": event_time,
        });
        format!("{file:#}\n").into_bytes()
    }

    fn of_shape(value: &Value) -> Result<Self, Unusable> {
        let object = value.as_object().ok_or(Unusable::OtherShape)?;
        let list = |name: &str| object.get(name).and_then(Value::as_array).ok_or(Unusable::OtherShape);
        let (entities, relations) = (list("entities")?, list("relationships")?);
        let mut answer = Self {
            entities: statements(entities, named),
            relations: statements(relations, related),
            ..Self::default()
        };
        let mut misshapen = entities.len() - answer.entities.len() + relations.len() - answer.relations.len();
        if let Some(time) = object.get("event_time").filter(|time| !time.is_null()) {
            answer.event_time = time.as_object().and_then(dated);
            misshapen += usize::from(answer.event_time.is_none());
        }
        // Sort and deduplicate, so that the order of the model does not matter.
        answer.entities.sort_unstable();
        answer.entities.dedup();
        answer.relations.sort_by(|a, b| {
            (&a.source, &a.target, a.kind.word(), &a.quote).cmp(&(&b.source, &b.target, b.kind.word(), &b.quote))
        });
        answer
            .relations
            .dedup_by(|a, b| (&a.source, &a.target, a.kind, &a.quote) == (&b.source, &b.target, b.kind, &b.quote));
        answer.dropped.misshapen = misshapen as u32;
        Ok(answer)
    }

    /// Drops statements whose quotes are not in the text, and relations between unknown entities.
    fn check(&mut self, body: &str) {
        let text = Quotable::new(body);
        let code = code::skipped(body);
        let in_prose = |quote: &str| {
            text.find(quote).any(|bytes| !code.iter().any(|code| code.start < bytes.end && bytes.start < code.end))
        };
        let before = self.count();
        self.entities.retain(|entity| in_prose(&entity.text));
        self.event_time = self.event_time.take().filter(|time| in_prose(&time.quote));
        self.relations.retain(|relation| in_prose(&relation.quote));
        let quoted = self.count();
        let entities = &self.entities;
        self.relations.retain(|relation| {
            [&relation.source, &relation.target].into_iter().all(|end| entities.iter().any(|entity| entity.is(end)))
        });
        self.dropped.unquoted += (before - quoted) as u32;
        self.dropped.unnamed += (quoted - self.count()) as u32;
    }

    /// The number of its statements.
    fn count(&self) -> usize {
        self.entities.len() + self.relations.len() + usize::from(self.event_time.is_some())
    }
}

impl NamedByModel {
    /// Whether `end` of a relation refers to this entity.
    pub(super) fn is(&self, end: &str) -> bool {
        let end = fold_case(end);
        fold_case(&self.name) == end || fold_case(&self.text) == end
    }
}

impl DatedByModel {
    /// The range of days.
    pub(super) fn days(&self) -> Option<DayRange> {
        let start = |rest: &str| format!("{}{rest}", self.date).parse::<civil::Date>().ok();
        let (first, last) = match self.date.len() {
            4 => start("-01-01").map(|first| (first, first.last_of_year()))?,
            7 => start("-01").map(|first| (first, first.last_of_month()))?,
            10 => start("").map(|day| (day, day))?,
            _ => return None,
        };
        Some(DayRange { first, last })
    }
}

/// A string field that is not empty, not too long and has no control characters.
fn text(object: &Map<String, Value>, key: &str, longest: usize) -> Option<String> {
    let text = object.get(key)?.as_str()?.trim();
    let control = |c: char| c.is_control() && !c.is_whitespace();
    (!text.is_empty() && text.len() <= longest && !text.contains(control)).then(|| text.to_owned())
}

/// The well-formed statements of a list.
fn statements<T>(list: &[Value], read: impl Fn(&Map<String, Value>) -> Option<T>) -> Vec<T> {
    list.iter().take(MOST_STATEMENTS).filter_map(|statement| read(statement.as_object()?)).collect()
}

fn named(object: &Map<String, Value>) -> Option<NamedByModel> {
    let kind = EntityKind::parse(&object.get("type")?.as_str()?.trim().to_lowercase())?;
    let (name, text) = (text(object, "name", LONGEST_NAME)?, text(object, "text", LONGEST_NAME)?);
    // Pronouns are not entities: "I" and "me" are the writer, who is never a node, and "it" or "them" name nobody.
    let words: Vec<String> = text.split_whitespace().map(fold_case).collect();
    let says_nothing = words.iter().all(|word| is_little_word(word)) || !text.contains(char::is_alphanumeric);
    let no_feeling = kind == EntityKind::Emotion && words.len() > FEELING_WORDS;
    (!says_nothing && !no_feeling).then_some(NamedByModel { text, name, kind })
}

fn related(object: &Map<String, Value>) -> Option<RelatedByModel> {
    let kind = RelationKind::parse(&object.get("type")?.as_str()?.trim().to_lowercase())?;
    let weight = object.get("weight")?.as_f64().filter(|weight| (0.0..=1.0).contains(weight))?;
    Some(RelatedByModel {
        source: text(object, "source", LONGEST_NAME)?,
        target: text(object, "target", LONGEST_NAME)?,
        kind,
        // Rounded, so that the stored decimal reads back unchanged.
        weight: ((weight * 100.0).round() / 100.0) as f32,
        quote: text(object, "evidence", LONGEST_QUOTE)?,
    })
}

fn dated(object: &Map<String, Value>) -> Option<DatedByModel> {
    let time = DatedByModel { date: text(object, "date", 10)?, quote: text(object, "text", LONGEST_QUOTE)? };
    time.days().is_some().then_some(time)
}
