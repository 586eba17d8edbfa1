//! `kioku extract`: the extraction results for a text, as JSON. Saves nothing.

use std::collections::HashMap;

use clap::Args;
use jiff::civil;
use serde::Serialize;

use super::{Context, Done, Outcome, Run, arguments, batch, write::stdin_text};
use crate::{
    embed::bundled,
    extract::{Extract, Mention, Relation, TextReader, emotions, extract_read, fold_case},
    index::{ClaimsOf, graph::GraphView},
    insight::clause::{clause, is_same_cause},
    journal::{EntityKind, RelationKind},
    search::json::Versioned,
};

/// Show the names, feelings, causes and dates in a text; saves nothing
#[derive(Debug, Args)]
#[command(after_help = "Dates are relative to now, or to --at. With --journal or --vault, its names are recognised.

Examples:
  kioku extract 'I was tired because Linh called at six. Last March we were in Huế.'
  kioku extract --batch < lines.txt")]
pub struct ExtractVerb {
    /// The text; `-` or nothing reads it from stdin
    text: Vec<String>,
    /// What "today" is for dates in the text
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// One text per line on stdin, plain or {"text","time"}; prints one JSON object per line
    #[arg(long, conflicts_with = "text")]
    batch: bool,
}

impl Run for ExtractVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let now = arguments::at_or_now(self.at.as_deref(), &context.now)?;
        let snapshot = match context.names_journal() {
            true => Some(context.reading_session()?.snapshot()?),
            false => None,
        };
        let known = snapshot.as_ref().map(|snapshot| &*snapshot.graph);
        if self.batch {
            batch::each_line(&now, "it was read as if written now", |text, at| {
                context.out.json(&ExtractJson::new(&text, at.date(), known));
                // Flush each answer: an interactive sender waits for it before the next line.
                context.out.flush()
            })?;
            return Ok(Done::Done);
        }
        let text = match self.text.join(" ") {
            text if text.is_empty() || text == "-" => stdin_text()?,
            text => text,
        };
        context.out.json(&Versioned::new(ExtractJson::new(&text, now.date(), known)));
        Ok(Done::Done)
    }
}

/// The extraction results of one text. Offsets count code points.
#[derive(Debug, Serialize)]
struct ExtractJson {
    entities: Vec<EntityJson>,
    relations: Vec<RelationJson>,
    event_times: Vec<EventTimeJson>,
    emotions: Vec<EmotionJson>,
}

#[derive(Debug, Serialize)]
struct SpanJson {
    text: String,
    start: usize,
    end: usize,
}

#[derive(Debug, Serialize)]
struct EntityJson {
    name: String,
    kind: &'static str,
    #[serde(flatten)]
    span: SpanJson,
}

#[derive(Debug, Serialize)]
struct RelationJson {
    source: String,
    target: String,
    /// The names in a cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    kind: &'static str,
    basis: &'static str,
    weight: f64,
    evidence: SpanJson,
    /// The clauses of the source and of the target.
    clauses: [SpanJson; 2],
}

#[derive(Debug, Serialize)]
struct EventTimeJson {
    #[serde(flatten)]
    span: SpanJson,
    from: civil::Date,
    to: civil::Date,
}

#[derive(Debug, Serialize)]
struct EmotionJson {
    name: String,
    polarity: f64,
    strength: f64,
    /// Whether words say it, or a model reads it in the text.
    basis: &'static str,
}

/// Conversion of byte offsets to code points.
struct Points<'t> {
    text: &'t str,
    /// For every byte offset that starts a code point, and for the end, the number of code points before it.
    before: Vec<usize>,
}

impl<'t> Points<'t> {
    fn new(text: &'t str) -> Self {
        let mut before = vec![0; text.len() + 1];
        let mut points = 0;
        for (at, _) in text.char_indices() {
            before[at] = points;
            points += 1;
        }
        before[text.len()] = points;
        Self { text, before }
    }

    fn span(&self, bytes: &std::ops::Range<u32>) -> SpanJson {
        let (start, end) = (bytes.start as usize, bytes.end as usize);
        let text = self.text.get(start..end).unwrap_or_default().to_owned();
        let point = |byte: usize| self.before.get(byte).copied().unwrap_or_default();
        SpanJson { text, start: point(start), end: point(end) }
    }
}

impl ExtractJson {
    fn new(text: &str, day: civil::Date, known: Option<&GraphView>) -> Self {
        let reader = bundled::claim_reader().map(ClaimsOf);
        let reader = reader.as_ref().map(|reader| reader as &dyn TextReader);
        let extract = extract_read(text, day, reader);
        let points = Points::new(text);
        let feelings = emotions(text, &extract, reader).into_iter().map(|emotion| EmotionJson {
            name: emotion.name,
            polarity: hundredths(emotion.polarity),
            strength: hundredths(emotion.strength),
            basis: if emotion.is_stated { "stated" } else { "read" },
        });
        let times = extract.times.iter().map(|time| EventTimeJson {
            span: points.span(&time.span),
            from: time.days.first,
            to: time.days.last,
        });
        Self {
            entities: entities(&extract, text, &points, known),
            relations: relations(&extract, &points),
            event_times: times.collect(),
            emotions: feelings.collect(),
        }
    }
}

/// The mentions that extraction finds, with kinds from the journal, and further names of the journal in the text.
fn entities(extract: &Extract, text: &str, points: &Points<'_>, known: Option<&GraphView>) -> Vec<EntityJson> {
    let mut found: Vec<(std::ops::Range<u32>, EntityJson)> = Vec::new();
    for (mention, kind) in extract.alone() {
        let in_journal = known.and_then(|graph| match graph.by_name(&mention.name).as_slice() {
            [only] => Some(graph.entity(*only).kind),
            _ => None,
        });
        let kind = mention.kind.or(in_journal).unwrap_or(kind).word();
        let entity = EntityJson { name: mention.name.clone(), kind, span: points.span(&mention.span) };
        found.push((mention.span.clone(), entity));
    }
    for (entity, range) in known.map_or_else(Vec::new, |graph| graph.named_in(text)) {
        let span = range.start as u32..range.end as u32;
        let taken = found.iter().any(|(other, _)| other.start < span.end && span.start < other.end);
        if let Some(graph) = known.filter(|_| !taken) {
            let entity = graph.entity(entity);
            let json = EntityJson { name: entity.name.clone(), kind: entity.kind.word(), span: points.span(&span) };
            found.push((span, json));
        }
    }
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found.into_iter().map(|(_, entity)| entity).collect()
}

/// The relations of a text. A cause is stated once, in the words of the text: the graph has a relation for each name or
/// noun in it, and none of them alone tells the cause.
fn relations(extract: &Extract, points: &Points<'_>) -> Vec<RelationJson> {
    let mut found: Vec<(&Relation, RelationJson)> = Vec::new();
    let names = Names::of(&extract.mentions);
    let bytes = |span: &std::ops::Range<u32>| span.start as usize..span.end as usize;
    for relation in &extract.relations {
        let is_told = |known: &Relation| {
            (known.kind, &known.target) == (relation.kind, &relation.target)
                && is_same_cause(&bytes(&known.cause), &bytes(&relation.cause))
        };
        let is_cause = matches!(relation.kind, RelationKind::Causal | RelationKind::Emotional);
        let cause = clause(points.text, &relation.cause).filter(|_| is_cause);
        let mut json = relation_json(relation, &names, points);
        if let Some(cause) = cause {
            let name = names.named(&relation.source).filter(|name| !name.source.is_ordinary());
            json.names.extend(name.map(|name| name.name.clone()));
            if let Some((_, known)) = found.iter_mut().find(|(known, _)| is_told(known)) {
                known.names.append(&mut json.names);
                continue;
            }
            json.source = cause;
            let is_felt = |mention: &Mention| mention.kind == Some(EntityKind::Emotion);
            if !names.named(&relation.target).is_some_and(is_felt) {
                json.target = clause(points.text, &relation.effect).unwrap_or(json.target);
            }
        }
        found.push((relation, json));
    }
    found.into_iter().map(|(_, json)| json).collect()
}

/// The first mention of each name.
struct Names<'e>(HashMap<String, &'e Mention>);

impl<'e> Names<'e> {
    fn of(mentions: &'e [Mention]) -> Self {
        Self(mentions.iter().rev().map(|mention| (fold_case(&mention.name), mention)).collect())
    }

    fn named(&self, name: &str) -> Option<&'e Mention> {
        self.0.get(&fold_case(name)).copied()
    }
}

fn relation_json(relation: &Relation, names: &Names<'_>, points: &Points<'_>) -> RelationJson {
    // Use the spelling of the entity: phrases of clauses are in lower case even if they are names.
    let spelt = |end: &str| names.named(end).map_or(end, |mention| &mention.name).to_owned();
    RelationJson {
        source: spelt(&relation.source),
        target: spelt(&relation.target),
        names: Vec::new(),
        kind: relation.kind.word(),
        // Extraction finds only what the text states.
        basis: "stated",
        weight: hundredths(relation.weight),
        evidence: points.span(&relation.evidence),
        clauses: [points.span(&relation.clauses[0]), points.span(&relation.clauses[1])],
    }
}

/// Rounds to two decimals, since the weights are not more precise.
fn hundredths(value: f32) -> f64 {
    (f64::from(value) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_code_points() {
        let points = Points::new("Hùng ở Huế");
        let span = points.span(&("Hùng ở ".len() as u32.."Hùng ở Huế".len() as u32));
        assert_eq!((span.text.as_str(), span.start, span.end), ("Huế", 7, 10));
    }

    #[test]
    fn the_ends_of_a_relation_are_spelt_as_the_entities_are() {
        let relation = Relation {
            source: "late train".to_owned(),
            target: "linh".to_owned(),
            kind: crate::journal::RelationKind::Causal,
            verb: "so".to_owned(),
            evidence: 0..4,
            weight: 0.9,
            event_time: None,
            clauses: [0..0, 0..4],
            effect: 0..4,
            cause: 0..0,
        };
        let mention = crate::extract::Mention {
            name: "Linh".to_owned(),
            kind: None,
            span: 0..4,
            source: crate::extract::MentionSource::Capitals,
            guess: None,
        };
        let extract = Extract { mentions: vec![mention], ..Extract::default() };
        let json = relation_json(&relation, &Names::of(&extract.mentions), &Points::new("Linh"));
        assert_eq!((json.source.as_str(), json.target.as_str()), ("late train", "Linh"));
    }
}
