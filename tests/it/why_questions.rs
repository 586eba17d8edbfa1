//! Why questions in whole sentences, on diaries that nothing was fitted on: what share is answered, and how many of the
//! answers are wrong.
//!
//! The questions were written by a reader of the entries, in other words than theirs; see `tests/gate/README.md`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{cli::Kioku, extraction::fresh};

/// At least so many of the answered questions are answered rightly.
const RIGHT: usize = 8;
/// At most so many of the answers are wrong.
const WRONG: usize = 3;

/// One question in so many is asked, for time.
const EACH: usize = 4;

/// Whether most words of the shorter of two causes are in the other.
fn tells(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.len().min(other.len())
}

#[test]
fn questions_about_unseen_diaries_are_answered_from_the_right_entry() {
    let writer = |row: &Value| row["id"].as_str().unwrap().split('-').next().unwrap().to_owned();
    let (texts, questions) = (fresh("texts.jsonl"), fresh("why.jsonl"));
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for name in ["n", "o", "p"] {
        let kioku = Kioku::new();
        let own = texts.iter().filter(|row| writer(row) == name).enumerate();
        let entries: Vec<String> = own
            .map(|(nth, row)| {
                let time = format!("2026-{:02}-{:02}T20:00:00+00:00", 1 + nth / 28, 1 + nth % 28);
                json!({"id": row["id"], "time": time, "text": row["text"]}).to_string()
            })
            .collect();
        let file = kioku.write("entries.jsonl", &entries.join("\n"));
        kioku.run(&["import", "jsonl", &file]).ok();
        kioku.run(&["index"]).ok();
        for asked in questions.iter().filter(|row| writer(row) == name).step_by(EACH) {
            let question = asked["q"].as_str().unwrap();
            // Without a claim the exit code is 3.
            let outcome = kioku.run(&["why", "--json", question]);
            let answer: Value = serde_json::from_str(&outcome.out).unwrap();
            let stated = answer["causes"].as_array().unwrap().iter().find(|cause| cause["stated"] != 0);
            let Some(cause) = stated else { continue };
            let told = format!("{question}: {} ({})", cause["name"], cause["evidence"][0]["id"]);
            let is_right = cause["evidence"][0]["id"] == asked["id"]
                && asked["answer"]
                    .as_str()
                    .is_some_and(|cause_told| tells(cause["name"].as_str().unwrap(), cause_told));
            if is_right { right.push(told) } else { wrong.push(told) }
        }
    }
    assert!(right.len() >= RIGHT && wrong.len() <= WRONG, "right: {right:#?}\nwrong: {wrong:#?}");
}
