//! Labelled claims: texts, what two readers said of the claims that are proposed for them, and the cues of each.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use jiff::civil::{Date, date};
use kioku::{
    extract::{Candidate, candidates},
    report::Report,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Whose day it is does not matter to a claim.
const DAY: Date = date(2026, 3, 2);
/// What a cause that is cut counts.
const CUT: f64 = 0.5;
/// What a claim weighs whose text is no diary: sentences of the tests, and ones put together from parts.
const WEIGHTS: [(&str, f64); 2] = [("(plain", 2.0), ("(simple", 0.25)];
/// The share of two spans that both have, from which on a claim is the labelled one.
const SAME: f64 = 0.5;
/// Groups that a file without writers is split into.
const GROUPS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Feeling,
    Cause,
}

impl Task {
    pub fn name(self) -> &'static str {
        match self {
            Self::Feeling => "feelings",
            Self::Cause => "causes",
        }
    }
}

/// A proposed claim with its label.
#[derive(Debug)]
pub struct Labelled {
    pub task: Task,
    /// Who wrote the text; in parentheses for a file without writers.
    pub writer: String,
    pub text: String,
    /// In characters.
    pub spans: Vec<(usize, usize)>,
    pub cues: Vec<String>,
    pub by_rule: bool,
    /// From 0 to 1: the mean of what the readers said.
    pub truth: f64,
    pub weight: f64,
}

#[derive(Debug, Deserialize)]
struct Text {
    id: String,
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Label {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    feeling: Option<String>,
    spans: Vec<(usize, usize)>,
    #[serde(default)]
    labels: String,
}

/// A text's id, whether the claim is a feeling, and its spans.
type Key = (String, bool, Vec<(usize, usize)>);

/// A claim of a file without writers.
#[derive(Debug, Deserialize)]
struct Spans {
    text: String,
    task: String,
    spans: BTreeMap<String, (usize, usize)>,
    label: String,
}

/// The labelled claims of a folder, as far as they are still proposed.
pub fn read(folder: &Path) -> Result<Vec<Labelled>, Report> {
    let mut said: HashMap<Key, String> = HashMap::new();
    for label in lines::<Label>(&folder.join("labels.jsonl"))? {
        said.insert((label.id, label.feeling.is_some(), label.spans), label.labels);
    }
    let mut found = Vec::new();
    for Text { id, text } in lines::<Text>(&folder.join("texts.jsonl"))? {
        let writer = id.split('-').next().unwrap_or_default();
        for candidate in candidates(&text, DAY) {
            let key = (id.clone(), candidate.feeling.is_some(), in_characters(&text, &candidate));
            let Some(labels) = said.get(&key).filter(|labels| !labels.is_empty()) else { continue };
            let truth = labels.chars().map(worth).sum::<f64>() / labels.chars().count() as f64;
            let weight = WEIGHTS.iter().find(|(of, _)| writer.starts_with(of)).map_or(1.0, |(_, weight)| *weight);
            found.push(labelled(&text, candidate, writer.to_owned(), truth, weight));
        }
    }
    Ok(found)
}

/// What a reader's letter counts.
fn worth(letter: char) -> f64 {
    match letter {
        'y' => 1.0,
        'p' => CUT,
        _ => 0.0,
    }
}

/// A text with the spans of its causes and effects, or none.
#[derive(Debug, Deserialize)]
struct Pairs {
    text: String,
    pairs: Vec<Pair>,
}

#[derive(Debug, Deserialize)]
struct Pair {
    cause: Place,
    effect: Place,
}

#[derive(Debug, Deserialize)]
struct Place {
    start: usize,
    end: usize,
}

/// What a claim about a sentence of the news weighs.
const NEWS: f64 = 0.08;

/// The causes that are proposed for sentences of the news, true where both sides hold those of a pair.
pub fn read_pairs(file: &Path) -> Result<Vec<Labelled>, Report> {
    let mut found = Vec::new();
    for (nth, Pairs { text, pairs }) in lines::<Pairs>(file)?.into_iter().enumerate() {
        let holds = |span: (usize, usize), place: &Place| span.0 < place.end && place.start < span.1;
        for candidate in candidates(&text, DAY).into_iter().filter(|candidate| candidate.feeling.is_none()) {
            let [cause, effect] = in_characters(&text, &candidate)[..] else { continue };
            let is_told = pairs.iter().any(|pair| holds(cause, &pair.cause) && holds(effect, &pair.effect));
            found.push(labelled(
                &text,
                candidate,
                format!("(news{})", nth % GROUPS),
                f64::from(u8::from(is_told)),
                NEWS,
            ));
        }
    }
    Ok(found)
}

/// The claims of a file without writers that are proposed too.
pub fn read_spans(file: &Path) -> Result<Vec<Labelled>, Report> {
    let mut found = Vec::new();
    for (nth, Spans { text, task, spans, label }) in lines::<Spans>(file)?.into_iter().enumerate() {
        let truth = match label.as_str() {
            "yes" => 1.0,
            "partial" => CUT,
            _ => 0.0,
        };
        let writer = format!("({})", nth / 10 % GROUPS);
        let wanted: Vec<(usize, usize)> = match task.as_str() {
            "F" => spans.get("feeling").into_iter().copied().collect(),
            _ => ["cause", "effect"].iter().filter_map(|side| spans.get(*side)).copied().collect(),
        };
        let is_meant = |candidate: &Candidate| {
            let spans = in_characters(&text, candidate);
            match (task.as_str(), &spans[..], &wanted[..]) {
                ("F", [own], [wanted]) => candidate.feeling.is_some() && shared(*own, *wanted) > 0.0,
                ("C", [cause, effect], [wanted, of]) => {
                    candidate.feeling.is_none() && shared(*cause, *wanted) >= SAME && shared(*effect, *of) > 0.0
                }
                _ => false,
            }
        };
        let meant = candidates(&text, DAY).into_iter().find(|candidate| is_meant(candidate));
        found.extend(meant.map(|candidate| labelled(&text, candidate, writer, truth, 1.0)));
    }
    Ok(found)
}

/// The share of two ranges that both have.
fn shared(a: (usize, usize), b: (usize, usize)) -> f64 {
    let common = a.1.min(b.1).saturating_sub(a.0.max(b.0));
    let either = a.1.max(b.1) - a.0.min(b.0);
    common as f64 / either.max(1) as f64
}

fn labelled(text: &str, candidate: Candidate, writer: String, truth: f64, weight: f64) -> Labelled {
    let by_rule = candidate.cues.iter().any(|cue| matches!(cue.as_str(), "by-rule" | "is:own-by-rule"));
    let task = if candidate.feeling.is_some() { Task::Feeling } else { Task::Cause };
    let spans = in_characters(text, &candidate);
    Labelled { task, writer, text: text.to_owned(), spans, cues: candidate.cues, by_rule, truth, weight }
}

/// Every proposed claim of a folder's texts, as a line for labelling.
pub fn list(folder: &Path) -> Result<Vec<String>, Report> {
    let mut listed = Vec::new();
    for Text { id, text } in lines::<Text>(&folder.join("texts.jsonl"))? {
        for candidate in candidates(&text, DAY) {
            let spans = in_characters(&text, &candidate);
            let label = Label { id: id.clone(), feeling: candidate.feeling, spans, labels: String::new() };
            listed.push(serde_json::to_string(&label).map_err(|error| Report::data(error.to_string()))?);
        }
    }
    Ok(listed)
}

fn in_characters(text: &str, candidate: &Candidate) -> Vec<(usize, usize)> {
    let place = |byte: usize| text[..byte].chars().count();
    candidate.spans.iter().map(|span| (place(span.start), place(span.end))).collect()
}

fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Report> {
    let text =
        fs::read_to_string(file).map_err(|error| Report::data(format!("reading {}: {error}", file.display())))?;
    let line = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| Report::data(format!("{}:{}: {error}", file.display(), at + 1)))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}
