//! `kioku-lab`, the second binary, for developers of kioku.

use std::fs;

use serde_json::json;

use crate::{
    cli::{Kioku, small_journal},
    model_change::install_table,
};

#[test]
fn models_are_compared_on_the_own_journal() {
    let kioku = small_journal();
    install_table(&kioku.home.path().join("home/models"), "small", 8);
    let found = kioku.lab(&["bench", "--queries", "5", "--json"]).json();
    assert_eq!((&found["v"], &found["entries"]), (&json!(1), &json!(3)));
    let names: Vec<_> = found["models"].as_array().unwrap().iter().map(|model| model["name"].clone()).collect();
    assert_eq!(names, ["everyday-en-vi", "small"]);
    assert!(found["models"][0]["size"].as_u64() > Some(1_000_000) && found["models"][0]["ms_per_query"].is_f64());
    assert_eq!(found["agreement"][0]["models"], json!(["everyday-en-vi", "small"]));
    assert!(kioku.lab(&["bench", "--queries", "5"]).ok().contains("agree on the first ten"));
}

#[test]
fn a_journal_of_few_sentences_makes_no_model() {
    let kioku = small_journal();
    let teacher = kioku.path("teacher");
    let told = kioku.lab(&["distill", "--teacher", &teacher, "--from-journal", "--out", &kioku.path("out")]).fails(1);
    assert!(told.contains("sentences to learn from") && told.contains("--corpus"), "{told}");
    assert_eq!(kioku.lab(&["distill", "--teacher", &teacher, "--out", &kioku.path("out")]).code, 2);
    // With enough of them, the teacher is looked up next.
    let sentence = |at: usize| format!("Loaf number {at} was eaten while the weather turned once more. ");
    let lines = (0..210).map(|entry| {
        let text: String = (0..10).map(|at| sentence(entry * 10 + at)).collect();
        json!({ "time": format!("2024-01-01T{:02}:{:02}:00Z", entry / 60, entry % 60), "text": text }).to_string()
    });
    kioku.write("many.jsonl", &lines.collect::<Vec<_>>().join("\n"));
    kioku.run(&["import", "jsonl", &kioku.path("many.jsonl")]).ok();
    let told = kioku.lab(&["distill", "--teacher", &teacher, "--from-journal", "--out", &kioku.path("out")]).fails(1);
    assert!(told.contains("config.json") && !told.contains("sentences to learn from"), "{told}");
}

#[test]
fn a_distilled_model_takes_the_place_of_none() {
    let kioku = Kioku::new();
    let folder = kioku.home.path().join("model");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("vocab.txt"), "mine").unwrap();
    let (out, teacher) = (folder.to_str().unwrap(), kioku.path("teacher"));
    let distill = |out: &str| kioku.lab(&["distill", "--teacher", &teacher, "--from-journal", "--out", out]);
    assert!(distill(out).fails(1).contains("vocab.txt already exists"));
    kioku.add(&["An entry."]);
    assert!(distill(kioku.journal().join("model").to_str().unwrap()).fails(1).contains("inside the journal"));
}

#[test]
fn a_judged_journal_is_measured_and_the_own_one_is_not_touched() {
    let kioku = Kioku::new();
    let suite = kioku.home.path().join("judged");
    fs::create_dir(&suite).unwrap();
    let entry = |id: &str, text: &str| json!({ "id": id, "time": "2026-08-01T09:00:00Z", "text": text }).to_string();
    let entries = [entry("aaaaaaaaa1", "We rowed over the lake."), entry("aaaaaaaaa2", "Bread and soup at noon.")];
    fs::write(suite.join("entries.jsonl"), entries.join("\n")).unwrap();
    let query = json!({ "query": "rowed over the lake", "relevant": ["aaaaaaaaa1"], "category": "outing" });
    fs::write(suite.join("queries.jsonl"), query.to_string()).unwrap();
    let measured = kioku.lab(&["eval", suite.to_str().unwrap(), "--json"]).json();
    let row = |category: &str| {
        let rows = measured["rows"].as_array().unwrap();
        rows.iter().find(|row| row["category"] == category && row["legs"] == "all").cloned().unwrap()
    };
    assert_eq!((&measured["v"], &row("all")["questions"]), (&json!(1), &json!(1)));
    assert_eq!(row("outing")["mrr"], json!(1.0), "{measured}");
    assert!(!kioku.journal().exists());
    assert!(kioku.lab(&["eval", &kioku.path("none")]).fails(1).contains("none"));
}
