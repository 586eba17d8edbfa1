//! The gate: what share of the claims about a text that it accepts is true, and what share of the true ones it accepts, on
//! writers that it was not fitted on.
//!
//! The claims were labelled by two readers each, see `tests/gate/README.md`.

use serde_json::Value;

use crate::cli::Kioku;

/// Floors of precision and recall, and the most claims of which nothing is true.
struct Floors {
    gate: [f64; 2],
    false_ones: f64,
    /// On claims written for this purpose, none of which was fitted on.
    test: [f64; 2],
}

const FEELINGS: Floors = Floors { gate: [0.83, 0.5], false_ones: 0.16, test: [0.77, 0.45] };
const CAUSES: Floors = Floors { gate: [0.86, 0.4], false_ones: 0.07, test: [0.87, 0.55] };

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
