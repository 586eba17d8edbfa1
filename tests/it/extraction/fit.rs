//! Fits the weights of `assets/lexicon/emotion-weights.txt`: six logistic regressions over words, on comments of one or
//! two sentences (GoEmotions) and on journal entries (`tests/gate/diaries`). Each has the threshold that maximises its F1
//! on the comments; of a longer text only what is more likely than not is said. Deterministic: the same sets give the same
//! file.
//!
//! `cargo test --release --test it fit_the_emotion_weights -- --ignored`

use std::{collections::BTreeMap, collections::HashMap, fmt::Write, fs, path::Path};

use kioku::extract::{extract_text, tone_features};
use serde_json::Value;

use super::{DAY, FEELINGS, Score, rows, text};

pub const FAMILIES: [&str; 6] = ["joy", "sadness", "anger", "disgust", "fear", "surprise"];
const LEAST_COUNT: usize = 4;
const LEAST_COUNT_OF_PAIRS: usize = 6;
const ROUNDS: usize = 20;
const DECAY: f32 = 0.1;
const FOLDS: usize = 4;
/// Smaller weights have no effect.
const LEAST_WEIGHT: f32 = 0.1;
/// How often an entry counts: there are four comments for each.
const ENTRY_COUNTS: usize = 2;
/// The score of an entry above which a feeling is said: more likely than not.
const LIKELY: f32 = 0.0;
const LONG: &str = "(long)";

/// One in five sentences is held out.
pub fn is_held_out(row: usize) -> bool {
    row.is_multiple_of(5)
}

/// The [`FAMILIES`] of the labels of a row, by GoEmotions' own table.
pub fn families(row: &Value) -> [bool; 6] {
    let mut found = [false; 6];
    for label in row["labels"].as_array().unwrap() {
        let family = match label.as_str().unwrap() {
            "joy" | "amusement" | "approval" | "excitement" | "gratitude" | "love" | "optimism" | "relief"
            | "pride" | "admiration" | "desire" | "caring" => 0,
            "sadness" | "disappointment" | "embarrassment" | "grief" | "remorse" => 1,
            "anger" | "annoyance" | "disapproval" => 2,
            "disgust" => 3,
            "fear" | "nervousness" => 4,
            "surprise" | "realization" | "confusion" | "curiosity" => 5,
            _ => continue,
        };
        found[family] = true;
    }
    found
}

/// The [`FAMILIES`] of what a reader says the writer of an entry feels.
pub fn own_families(own: &Value) -> [bool; 6] {
    let mut found = [false; 6];
    for name in own.as_array().unwrap() {
        match name.as_str().unwrap() {
            "love" | "calm" => found[0] = true,
            "shame" => found[1] = true,
            name => FAMILIES.iter().position(|family| *family == name).into_iter().for_each(|at| found[at] = true),
        }
    }
    found
}

/// The journal entries of `tests/gate/diaries`, with what their writers feel.
fn entries() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate/diaries");
    let lines = |file: &str| -> Vec<Value> {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let own: HashMap<String, [bool; 6]> = lines("feelings.jsonl")
        .iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), own_families(&row["own"])))
        .collect();
    lines("texts.jsonl").iter().map(|row| (features(text(row)), own[row["id"].as_str().unwrap()])).collect()
}

fn features(text: &str) -> Vec<String> {
    tone_features(text, &extract_text(text, DAY))
}

type Row = (Vec<String>, [bool; 6]);

struct Model {
    places: HashMap<String, usize>,
    weights: Vec<[f32; 6]>,
    bias: [f32; 6],
}

impl Model {
    fn scores(&self, features: &[String]) -> [f32; 6] {
        let mut scores = self.bias;
        for place in features.iter().filter_map(|feature| self.places.get(feature)) {
            scores.iter_mut().zip(self.weights[*place]).for_each(|(score, weight)| *score += weight);
        }
        scores
    }
}

/// Stochastic gradient descent with steps scaled by each weight's past (AdaGrad, Duchi et al. 2011).
fn fit(rows: &[&Row]) -> Model {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for feature in rows.iter().flat_map(|(features, _)| features) {
        *counts.entry(feature).or_default() += 1;
    }
    let least = |feature: &str| if feature.contains(' ') { LEAST_COUNT_OF_PAIRS } else { LEAST_COUNT };
    let kept = counts.iter().filter(|(feature, count)| **count >= least(feature));
    let places: HashMap<String, usize> =
        kept.enumerate().map(|(place, (feature, _))| ((*feature).to_owned(), place)).collect();
    let known: Vec<Vec<usize>> = rows
        .iter()
        .map(|(features, _)| features.iter().filter_map(|feature| places.get(feature).copied()).collect())
        .collect();
    let mut weights = vec![[0f32; 6]; places.len()];
    let mut past = vec![[1e-2f32; 6]; places.len()];
    let (mut bias, mut bias_past) = ([-1f32; 6], [1f32; 6]);
    for _ in 0..ROUNDS {
        for ((_, gold), known) in rows.iter().zip(&known) {
            for family in 0..6 {
                let score = bias[family] + known.iter().map(|place| weights[*place][family]).sum::<f32>();
                let error = 1.0 / (1.0 + (-score).exp()) - f32::from(u8::from(gold[family]));
                bias_past[family] += error * error;
                bias[family] -= 0.3 * error / bias_past[family].sqrt();
                for place in known {
                    let slope = error + DECAY * weights[*place][family];
                    past[*place][family] += slope * slope;
                    weights[*place][family] -= 0.15 * slope / past[*place][family].sqrt();
                }
            }
        }
    }
    Model { places, weights, bias }
}

/// For each family the threshold with the best F1 on held-out rows.
fn thresholds(model: &Model, rows: &[&Row]) -> [f32; 6] {
    let scores: Vec<[f32; 6]> = rows.iter().map(|(features, _)| model.scores(features)).collect();
    std::array::from_fn(|family| {
        let f1 = |threshold: f32| {
            let mut score = Score::default();
            scores.iter().zip(rows).for_each(|(scores, (_, gold))| score.add(scores[family] > threshold, gold[family]));
            score.f1()
        };
        let steps = (-30..10).map(|step| step as f32 * 0.1);
        steps.map(|threshold| (f1(threshold), threshold)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1
    })
}

#[test]
#[ignore = "writes the weights"]
fn fit_the_emotion_weights() {
    let Some(rows) = rows(FEELINGS) else { return };
    let comments: Vec<Row> = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_held_out(*at))
        .map(|(_, row)| (features(text(row)), families(row)))
        .collect();
    let entries = entries();
    // Entries of one writer follow each other: a fold is a run of writers, and of comments one in four.
    let in_fold = |at: usize, fold: usize| at * FOLDS / entries.len() == fold;
    let mut threshold = [0f32; 6];
    for fold in 0..FOLDS {
        let part = |inside: bool| {
            comments.iter().enumerate().filter(move |(at, _)| (at % FOLDS == fold) == inside).map(|(_, row)| row)
        };
        let other_writers = entries.iter().enumerate().filter(|(at, _)| !in_fold(*at, fold)).map(|(_, row)| row);
        let found =
            thresholds(&fit(&mixed(part(false).collect(), other_writers.collect())), &part(true).collect::<Vec<_>>());
        threshold.iter_mut().zip(found).for_each(|(sum, found)| *sum += found / FOLDS as f32);
    }
    let model = fit(&mixed(comments.iter().collect(), entries.iter().collect()));
    let mut file = String::from(
        "# What the words of a text say of its feeling, in hundredths: joy, sadness, anger, disgust, fear, surprise.\n\
         # Fitted on GoEmotions (Demszky et al., ACL 2020, CC BY 4.0) and on entries written for it by `fit_the_emotion_weights`\n\
         # in tests/it/extraction/fit.rs.\n",
    );
    let mut line = |name: &str, weights: [f32; 6]| {
        let columns = weights.map(|weight| ((weight * 100.0).round() as i32).to_string());
        writeln!(file, "{name}\t{}", columns.join("\t")).unwrap();
    };
    line("(bias)", std::array::from_fn(|family| model.bias[family] - threshold[family]));
    let places: BTreeMap<&String, usize> = model.places.iter().map(|(feature, place)| (feature, *place)).collect();
    for (feature, place) in places {
        let mut weights = model.weights[place];
        if feature == LONG {
            weights = std::array::from_fn(|family| weights[family] + threshold[family] - LIKELY);
        }
        if weights.iter().any(|weight| weight.abs() >= LEAST_WEIGHT) {
            line(feature, weights);
        }
    }
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/lexicon/emotion-weights.txt"), file).unwrap();
}

/// Comments and entries in turn, so that neither has the last word in a round of the descent.
fn mixed<'a>(comments: Vec<&'a Row>, entries: Vec<&'a Row>) -> Vec<&'a Row> {
    let each = comments.len().div_ceil((entries.len() * ENTRY_COUNTS).max(1)).max(1);
    let mut entries = entries.iter().cycle().take(entries.len() * ENTRY_COUNTS);
    comments
        .chunks(each)
        .flat_map(|chunk| chunk.iter().copied().chain(entries.next().copied()).collect::<Vec<_>>())
        .collect()
}
