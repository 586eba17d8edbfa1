//! The gate: what share of the claims about a text that it accepts is true, and what share of the true ones it accepts, on
//! writers that it was not fitted on.
//!
//! The claims were labelled by two readers each, see `tests/gate/README.md`.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::{cli::Kioku, extraction::fresh};

/// Floors of precision and recall, and the most claims of which nothing is true.
struct Floors {
    gate: [f64; 2],
    false_ones: f64,
    /// On claims written for this purpose, none of which was fitted on.
    test: [f64; 2],
}

const FEELINGS: Floors = Floors { gate: [0.83, 0.5], false_ones: 0.16, test: [0.75, 0.45] };
// The test set has 28 true causes: one more or less is .036. One of the three false ones that are accepted (of 17) is labelled
// for a cause without its "không".
const CAUSES: Floors = Floors { gate: [0.86, 0.4], false_ones: 0.07, test: [0.82, 0.5] };

#[test]
fn what_is_accepted_of_writers_that_were_not_fitted_on_is_true() {
    let root = env!("CARGO_MANIFEST_DIR");
    let folders = ["diaries", "plain", "simple"].map(|folder| format!("{root}/tests/gate/{folder}"));
    let shared =
        ["gate/gate-train.jsonl", "cause/semeval10_train.jsonl", "cause/cnc_dev.jsonl", "gate/gate-test.jsonl"];
    let shared = shared.map(|file| format!("{root}/../shared/eval/dev/{file}"));
    let has_shared = shared.iter().all(|file| std::path::Path::new(file).is_file());
    let mut arguments = vec!["gate", "--json"];
    arguments.extend(folders.iter().map(String::as_str));
    if has_shared {
        for (option, file) in ["--also", "--news", "--news", "--test"].into_iter().zip(&shared) {
            arguments.extend([option, file]);
        }
    } else {
        eprintln!("skipped: the claims in ../shared/eval/dev, which is absent");
    }
    let found = Kioku::new().lab(&arguments).json();
    for (head, floors) in found["heads"].as_array().unwrap().iter().zip([FEELINGS, CAUSES]) {
        let pair = |value: &Value| [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()];
        let holds = |found: [f64; 2], floor: [f64; 2]| found[0] >= floor[0] && found[1] >= floor[1];
        assert!(head["cases"].as_u64().unwrap() > 1_000, "{head}");
        assert!(holds(pair(&head["gate"]), floors.gate), "{head}");
        assert!(head["false_ones"].as_f64().unwrap() <= floors.false_ones, "{head}");
        assert!(!has_shared || holds(pair(&head["test"]), floors.test), "{head}");
    }
}

/// What the program claimed of 300 entries of six further writers, before the gate and with it, was judged by two readers
/// who did not know which. True were 48 % of the feelings and 72 % of the causes before.
#[test]
fn what_is_claimed_of_diaries_nobody_tuned_for_is_true() {
    let labels: HashMap<(String, String), f64> = fresh("labels.jsonl")
        .iter()
        .map(|label| {
            let letters = label["labels"].as_str().unwrap().chars();
            let worth =
                letters.map(|letter| if letter == 'y' { 1.0 } else { f64::from(u8::from(letter == 'p')) / 2.0 });
            ((label["id"].as_str().unwrap().to_owned(), label["spans"].to_string()), worth.sum::<f64>() / 2.0)
        })
        .collect();
    let texts = fresh("texts.jsonl");
    let input =
        texts.iter().map(|text| json!({ "text": text["text"], "time": "2026-03-02T20:00:00+00:00" }).to_string());
    let said = Kioku::new().piped(&["extract", "--batch"], input.collect::<Vec<_>>().join("\n").as_bytes()).ok();
    let (mut feelings, mut causes) = (Vec::new(), Vec::new());
    for (text, said) in texts.iter().zip(said.lines()) {
        let said: Value = serde_json::from_str(said).unwrap();
        let id = text["id"].as_str().unwrap();
        let judged = |spans: Value| labels.get(&(id.to_owned(), spans.to_string())).copied();
        for found in said["entities"].as_array().unwrap().iter().filter(|found| found["kind"] == "emotion") {
            feelings.push(judged(json!([[found["start"], found["end"]]])));
        }
        let mut seen = HashSet::new();
        for found in said["relations"].as_array().unwrap() {
            let sides = found["clauses"].as_array().unwrap().iter().map(|side| json!([side["start"], side["end"]]));
            let spans = Value::Array(sides.collect());
            if (found["kind"] == "causal" || found["kind"] == "emotional") && seen.insert(spans.to_string()) {
                causes.push(judged(spans));
            }
        }
    }
    for (claims, at_least, least) in [(feelings, 50, 0.85), (causes, 55, 0.8)] {
        let judged: Vec<f64> = claims.iter().copied().flatten().collect();
        let share = judged.iter().sum::<f64>() / judged.len() as f64;
        assert!(
            judged.len() >= at_least && judged.len() * 10 >= claims.len() * 9,
            "{} of {}",
            judged.len(),
            claims.len()
        );
        assert!(share >= least, "{share:.3} of {} claims are true", judged.len());
    }
}
