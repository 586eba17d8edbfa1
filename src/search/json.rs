//! JSON format of an answer, the same for all outputs (design 7): keys are never removed, new ones are added at the
//! end.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    answer::{Found, Hit},
    leg_id::PerLeg,
};
use crate::{index::vector::Scan, journal::RecordFields};

/// Version of the format, in every object except those of `--batch`.
pub const VERSION: u32 = 1;

/// A JSON object that starts with the version of the format.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Versioned<T> {
    v: u32,
    #[serde(flatten)]
    pub answer: T,
}

impl<T> Versioned<T> {
    pub fn new(answer: T) -> Self {
        Self { v: VERSION, answer }
    }
}

/// The answer to a search.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundJson<'a> {
    query: &'a str,
    took_ms: f64,
    confident: bool,
    confidence: f64,
    hits: Vec<HitJson<'a>>,
    /// Only with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ExplainJson<'a>>,
    /// What was not parsed, and which leg did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HitJson<'a> {
    id: &'a str,
    time: &'a str,
    score: f64,
    /// Ranks from 1; `null` if the leg did not find the entry.
    legs: PerLeg<Option<usize>>,
    snippet: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ReasonJson<'a>>,
    /// For an entry with a `record:` key.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'a RecordFields>,
    /// The other keys of the head, as written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: &'a BTreeMap<String, String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExplainJson<'a> {
    total: usize,
    candidates: PerLeg<Option<usize>>,
    scan: Option<&'static str>,
    notice: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ReasonJson<'a> {
    weak: bool,
    scores: PerLeg<Option<f64>>,
    words: &'a [String],
    /// Range of code points in `text`, end excluded.
    passage: Option<[usize; 2]>,
    path: &'a [String],
    likeness: Option<f64>,
    alike: &'a [(String, String)],
    beside: f64,
    asks: f64,
    tells_when: f64,
    several: f64,
    in_sentence: Option<f64>,
    probability: f64,
}

impl<'a> FoundJson<'a> {
    pub fn new(query: &'a str, found: &'a Found, explain: bool) -> Self {
        Self {
            query,
            took_ms: (found.took.as_secs_f64() * 1e6).round() / 1e3,
            confident: found.confident,
            confidence: decimal(found.confidence),
            hits: found.hits.iter().map(|hit| HitJson::new(hit, explain)).collect(),
            explain: explain.then(|| ExplainJson {
                total: found.total,
                candidates: found.counts,
                scan: found.scan.map(scan_word),
                notice: found.notice.as_deref(),
            }),
            notice: found.notice.as_deref(),
        }
    }
}

impl<'a> HitJson<'a> {
    fn new(hit: &'a Hit, explain: bool) -> Self {
        let passage = hit.reason.passage.as_ref();
        Self {
            id: hit.id.as_str(),
            time: &hit.time,
            score: decimal(hit.score),
            legs: hit.legs.map(|share| share.map(|share| share.rank)),
            snippet: hit.text.get(hit.snippet.clone()).unwrap_or(&hit.text),
            text: &hit.text,
            record: hit.record.as_ref(),
            extra: &hit.extra,
            explain: explain.then(|| ReasonJson {
                weak: hit.weak,
                scores: hit.legs.map(|share| share.map(|share| decimal(share.score))),
                words: &hit.reason.words,
                passage: passage.map(|span| [span.start, span.end].map(|byte| code_points(&hit.text, byte))),
                path: &hit.reason.path,
                likeness: hit.reason.likeness.map(decimal),
                alike: &hit.reason.alike,
                beside: decimal(hit.reason.beside),
                asks: decimal(hit.reason.asks),
                tells_when: decimal(hit.reason.tells_when),
                several: decimal(hit.reason.several),
                in_sentence: hit.reason.in_sentence.map(decimal),
                probability: decimal(hit.probability),
            }),
        }
    }
}

/// A score with the digits of a 32-bit float.
fn decimal(score: f32) -> f64 {
    (f64::from(score) * 1e6).round() / 1e6
}

/// Converts a byte offset to Unicode code points.
fn code_points(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

/// The search method of the vector leg, for `--explain`.
pub fn scan_word(scan: Scan) -> &'static str {
    match scan {
        Scan::Exact => "exact",
        Scan::Hnsw => "hnsw",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_code_points() {
        assert_eq!(code_points("Hùng ở", 0), 0);
        assert_eq!(code_points("Hùng ở", "Hùng".len()), 4);
        assert_eq!(code_points("Hùng ở", "Hùng ở".len()), 6);
    }
}
