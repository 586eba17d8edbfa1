//! The bundled sentence encoder on diaries that it was not trained on: questions in other words find their entries by
//! vectors alone.

use std::{collections::BTreeMap, fs, path::Path};

use kioku::{embed::bundled::Bundled, index::passage::passages};
use serde::Deserialize;

#[derive(Deserialize)]
struct Text {
    id: String,
    text: String,
}

/// Questions about one entry.
#[derive(Deserialize)]
struct Questions {
    id: String,
    q: Vec<String>,
}

/// Writers that `models/train/fine_tune_reader.py` leaves out, with the least mean reciprocal rank at ten.
const LEAST: [(&str, f64); 3] = [("b1", 0.49), ("q1", 0.35), ("l1", 0.55)];

fn lines<T: for<'a> Deserialize<'a>>(path: &str) -> Vec<T> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of one writer by the id of the entry.
fn of_writer<T: for<'a> Deserialize<'a>>(writer: &str, paths: &[&str], id: fn(&T) -> &str) -> Vec<T> {
    let all = paths.iter().flat_map(|path| lines::<T>(path));
    all.filter(|line| id(line).split('-').next() == Some(writer)).collect()
}

fn reciprocal_rank(writer: &str) -> f64 {
    let encoder = Bundled::Reader.load().unwrap();
    let folders = ["tests/gate/diaries/texts.jsonl", "tests/gate/more/texts.jsonl"];
    let entries: Vec<Text> = of_writer(writer, &folders, |text| &text.id);
    let files = ["w1", "w3", "w5"].map(|name| format!("models/train/questions/{name}.jsonl"));
    let files = files.each_ref().map(String::as_str);
    let questions: Vec<Questions> = of_writer(writer, &files, |line| &line.id);
    assert!(entries.len() > 40 && questions.len() == entries.len(), "{writer}");

    let mut owners = Vec::new();
    let mut texts = Vec::new();
    for entry in &entries {
        for passage in passages(&entry.text) {
            owners.push(entry.id.as_str());
            texts.push(&entry.text[passage.span.start as usize..passage.span.end as usize]);
        }
    }
    let vectors = encoder.embed(&texts).unwrap();
    let (mut sum, mut count) = (0.0, 0.0);
    for Questions { id, q } in &questions {
        let asked: Vec<&str> = q.iter().map(String::as_str).collect();
        for question in encoder.embed_queries(&asked).unwrap() {
            let mut best: BTreeMap<&str, f32> = BTreeMap::new();
            for (owner, vector) in owners.iter().zip(&vectors) {
                let cosine = question.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
                let best = best.entry(owner).or_insert(cosine);
                *best = best.max(cosine);
            }
            let own = best[id.as_str()];
            let rank = best.values().filter(|cosine| **cosine >= own).count();
            sum += if rank <= 10 { 1.0 / rank as f64 } else { 0.0 };
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn questions_in_other_words_find_the_entries_of_writers_that_were_left_out() {
    for (writer, least) in LEAST {
        let found = reciprocal_rank(writer);
        println!("{writer}: {found:.3}");
        assert!(found >= least, "{writer}: {found:.3}");
    }
}
