//! Fits the weights of `assets/lexicon/emotion-weights.txt`: six logistic regressions over words, each with the
//! threshold that maximises its F1. Deterministic: the same set gives the same file.
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
const DECAY: f32 = 0.2;
const FOLDS: usize = 4;
/// Smaller weights have no effect.
const LEAST_WEIGHT: f32 = 0.1;

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
    let rows: Vec<Row> = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_held_out(*at))
        .map(|(_, row)| (tone_features(text(row), &extract_text(text(row), DAY)), families(row)))
        .collect();
    let mut threshold = [0f32; 6];
    for fold in 0..FOLDS {
        let part = |inside: bool| {
            rows.iter().enumerate().filter(move |(at, _)| (at % FOLDS == fold) == inside).map(|(_, row)| row)
        };
        let found = thresholds(&fit(&part(false).collect::<Vec<_>>()), &part(true).collect::<Vec<_>>());
        threshold.iter_mut().zip(found).for_each(|(sum, found)| *sum += found / FOLDS as f32);
    }
    let model = fit(&rows.iter().collect::<Vec<_>>());
    let mut file = String::from(
        "# What the words of a text say of its feeling, in hundredths: joy, sadness, anger, disgust, fear, surprise.\n\
         # Fitted on GoEmotions (Demszky et al., ACL 2020, CC BY 4.0) by `fit_the_emotion_weights` in tests/it/extraction/fit.rs.\n",
    );
    let mut line = |name: &str, weights: [f32; 6]| {
        let columns = weights.map(|weight| ((weight * 100.0).round() as i32).to_string());
        writeln!(file, "{name}\t{}", columns.join("\t")).unwrap();
    };
    line("(bias)", std::array::from_fn(|family| model.bias[family] - threshold[family]));
    let places: BTreeMap<&String, usize> = model.places.iter().map(|(feature, place)| (feature, *place)).collect();
    for (feature, place) in places {
        if model.weights[place].iter().any(|weight| weight.abs() >= LEAST_WEIGHT) {
            line(feature, model.weights[place]);
        }
    }
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/lexicon/emotion-weights.txt"), file).unwrap();
}
