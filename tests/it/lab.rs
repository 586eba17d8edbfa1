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
    assert_eq!(names, ["everyday-en-vi", "kioku-reader", "small"]);
    assert!(found["models"][0]["size"].as_u64() > Some(1_000_000) && found["models"][0]["ms_per_query"].is_f64());
    assert_eq!(found["agreement"][0]["models"], json!(["everyday-en-vi", "kioku-reader"]));
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

/// Judged journals that are no part of this repository.
fn judged(name: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/eval/dev").join(name);
    path.to_str().filter(|_| path.is_dir()).map(str::to_owned)
}

#[test]
fn everyday_journals_are_searched_as_well_as_before_and_no_more_sure_of_what_is_absent() {
    // Name, reciprocal rank and share called sure of the questions with an answer, share called sure of those without.
    for (name, rank, sure, absent) in [("life-nurse", 0.36, 0.11, 0.2), ("life-hanoi", 0.47, 0.28, 0.1)] {
        let Some(path) = judged(name) else {
            println!("skipped: {name} is not here");
            continue;
        };
        let measured = Kioku::new().lab(&["eval", &path, "--json"]).json();
        let figure = |category: &str, figure: &str| {
            let rows = measured["rows"].as_array().unwrap();
            let row = rows.iter().find(|row| row["category"] == category && row["legs"] == "all").unwrap();
            row[figure].as_f64().unwrap()
        };
        println!(
            "{name}: {:.3} {:.3} {:.3}",
            figure("written", "mrr"),
            figure("written", "sure"),
            figure("absent", "sure")
        );
        assert!(figure("written", "mrr") >= rank && figure("written", "sure") >= sure, "{name}");
        assert!(figure("absent", "sure") <= absent, "{name}");
    }
}

#[test]
fn confidence_is_fitted_on_judged_journals_the_same_each_time() {
    let kioku = Kioku::new();
    let entry = |id: usize, day: usize, text: &str| {
        json!({ "id": format!("aaaaaaaaa{id}"), "time": format!("2026-08-{day:02}T09:00:00Z"), "text": text })
            .to_string()
    };
    let question =
        |query: &str, id: usize| json!({ "query": query, "relevant": [format!("aaaaaaaaa{id}")] }).to_string();
    for (suite, texts, questions) in [
        ("lake", ["We rowed over the lake.", "Bread and soup at noon."], ["rowed over the lake", "soup for lunch"]),
        ("town", ["The tram broke down.", "Linh found the lost keys."], ["tram that broke", "who found the keys"]),
    ] {
        let folder = kioku.home.path().join("judged").join(suite).join("one");
        fs::create_dir_all(&folder).unwrap();
        let entries: Vec<String> = texts.iter().enumerate().map(|(n, text)| entry(n, n + 1, text)).collect();
        fs::write(folder.join("entries.jsonl"), entries.join("\n")).unwrap();
        let questions: Vec<String> = questions.iter().enumerate().map(|(n, text)| question(text, n)).collect();
        fs::write(folder.join("queries.jsonl"), questions.join("\n")).unwrap();
    }
    kioku.write("absent.txt", "# A comment.\nchess tournament | lose at chess | chess\n");
    let (folder, absent) = (kioku.path("judged"), kioku.path("absent.txt"));
    let fit = |out: &str| {
        let ran = kioku.lab(&["confidence", &folder, "--absent", &absent, "--out", &kioku.path(out), "--json"]).json();
        assert_eq!(ran["v"], json!(1));
        fs::read_to_string(kioku.path(out)).unwrap()
    };
    let first = fit("first.json");
    assert_eq!(first, fit("second.json"));
    let weights: kioku::search::confidence::Models = serde_json::from_str(&first).unwrap();
    assert!(weights.vectors.line > 0.0 && weights.sentences.line > 0.0);
    assert_ne!(weights.sentences, kioku::search::confidence::Models::shipped().sentences, "both models are fitted");
}
