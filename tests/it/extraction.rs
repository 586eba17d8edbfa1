//! Quality of extraction on labelled sentences: names, causes, feelings. The test sets are beside the repository in
//! `../shared/eval/dev`; where they are missing the tests say so and pass. Thresholds are a little below the scores
//! that were reached.
//!
//! Feelings are scored on the fifth of the set that the weights were not fitted on.

#![expect(clippy::print_stderr, reason = "a skip is for whoever reads the output")]

use std::{collections::HashMap, fs, ops::Range, path::Path};

use jiff::civil::{Date, date};
use kioku::{
    embed::bundled,
    extract::{Extract, MentionSource, Relation, emotions, extract_read, extract_text},
    index::{ClaimsOf, EntryKey, graph::GraphStore},
    journal::{EntityKind, RelationKind},
};
use serde_json::Value;

const DAY: Date = date(2026, 2, 22);

/// The rows of a set, or a message and nothing.
fn rows(file: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/eval/dev").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: {file} is not here");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The lines of a file of `tests/gate/fresh`.
pub fn fresh(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate/fresh").join(file);
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(row: &Value) -> &str {
    row["text"].as_str().unwrap()
}

/// A range of code points as bytes.
fn bytes(text: &str, span: &Value) -> Range<usize> {
    let byte = |point: &Value| {
        let point = point.as_u64().unwrap() as usize;
        text.char_indices().nth(point).map_or(text.len(), |(at, _)| at)
    };
    byte(&span["start"])..byte(&span["end"])
}

#[derive(Debug, Default, Clone, Copy)]
struct Score {
    right: usize,
    told: usize,
    gold: usize,
}

impl Score {
    fn add(&mut self, told: bool, gold: bool) {
        self.right += usize::from(told && gold);
        self.told += usize::from(told);
        self.gold += usize::from(gold);
    }

    fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.told + self.gold).max(1) as f64
    }
}

/// Untyped and typed, by exact span.
fn names(file: &str) -> Option<(Score, Score)> {
    let (mut untyped, mut typed) = (Score::default(), Score::default());
    for row in rows(file)? {
        let text = text(&row);
        let extract = extract_text(text, DAY);
        let told: HashMap<Range<usize>, EntityKind> = extract
            .alone()
            .into_iter()
            .filter(|(mention, _)| !mention.source.is_ordinary() && mention.source != MentionSource::Tag)
            .map(|(mention, kind)| (mention.span.start as usize..mention.span.end as usize, kind))
            .collect();
        let gold: Vec<(Range<usize>, &str)> = row["entities"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| (bytes(text, name), name["type"].as_str().unwrap()))
            .collect();
        for score in [&mut untyped, &mut typed] {
            score.told += told.len();
            score.gold += gold.len();
        }
        for (span, kind) in gold {
            let Some(said) = told.get(&span) else { continue };
            untyped.right += 1;
            typed.right += usize::from(match said {
                EntityKind::Person => kind == "PERSON",
                EntityKind::Place => kind == "PLACE",
                EntityKind::Organization => kind == "ORG",
                EntityKind::Product => kind == "PRODUCT" || kind == "WORK",
                _ => false,
            });
        }
    }
    Some((untyped, typed))
}

#[test]
fn names_are_found_where_people_marked_them() {
    for (file, least, least_typed) in [("ner/btc_h.jsonl", 0.66, 0.52), ("ner/wnut17_dev.jsonl", 0.57, 0.43)] {
        let Some((untyped, typed)) = names(file) else { return };
        println!("{file}: untyped F1 {:.3}, typed F1 {:.3}", untyped.f1(), typed.f1());
        assert!(untyped.f1() >= least && typed.f1() >= least_typed, "{file}: {:.3} {:.3}", untyped.f1(), typed.f1());
    }
}

fn shared(one: &Range<u32>, other: &Range<usize>) -> usize {
    (one.end as usize).min(other.end).saturating_sub((one.start as usize).max(other.start))
}

/// Whether the strongest relation of a pair has the right direction; `None` where there is no relation of the pair.
fn directed(relations: &[&Relation], cause: &Range<usize>, effect: &Range<usize>) -> Option<bool> {
    let both = |relation: &&&Relation| {
        let [source, target] = &relation.clauses;
        (shared(source, cause) + shared(target, effect), shared(source, effect) + shared(target, cause))
    };
    let (right, wrong) = relations.iter().map(|relation| both(&relation)).max_by_key(|(right, wrong)| right + wrong)?;
    (right + wrong > 0).then_some(right > wrong)
}

/// Score of causal or not, and the share of pairs with the right direction.
fn causes(file: &str) -> Option<(Score, f64)> {
    let mut score = Score::default();
    let (mut right, mut pairs) = (0u32, 0u32);
    for row in rows(file)? {
        let text = text(&row);
        let extract = extract_text(text, DAY);
        let causal: Vec<&Relation> =
            extract.relations.iter().filter(|relation| relation.kind == RelationKind::Causal).collect();
        score.add(!causal.is_empty(), row["causal"].as_bool().unwrap());
        for pair in row["pairs"].as_array().unwrap() {
            if let Some(directed) = directed(&causal, &bytes(text, &pair["cause"]), &bytes(text, &pair["effect"])) {
                pairs += 1;
                right += u32::from(directed);
            }
        }
    }
    Some((score, f64::from(right) / f64::from(pairs.max(1))))
}

/// News and reports, not diaries: the gate, which is fitted on diaries, accepts fewer of their causes than the rules
/// propose (F1 .81 and .42), and more often in the right direction.
#[test]
fn causes_are_told_with_their_direction() {
    for (file, least, least_directed) in
        [("cause/semeval10_train.jsonl", 0.62, 0.94), ("cause/cnc_dev.jsonl", 0.23, 0.77)]
    {
        let Some((score, directed)) = causes(file) else { return };
        println!("{file}: causal or not F1 {:.3}, direction {directed:.3}", score.f1());
        assert!(score.f1() >= least && directed >= least_directed, "{file}: {:.3} {directed:.3}", score.f1());
    }
}

const FEELINGS: &str = "emotion/goemotions_dev.jsonl";
const FAMILIES: [&str; 6] = ["joy", "sadness", "anger", "disgust", "fear", "surprise"];

/// One in five sentences is held out of the training.
fn is_held_out(row: usize) -> bool {
    row.is_multiple_of(5)
}

/// The [`FAMILIES`] of the labels of a row, by GoEmotions' own table.
fn families(row: &Value) -> [bool; 6] {
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
fn own_families(own: &Value) -> [bool; 6] {
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

/// The place among [`FAMILIES`] of a feeling that extraction names.
fn family(name: &str) -> Option<usize> {
    let name = match name {
        "love" | "calm" => "joy",
        "shame" => "sadness",
        name => name,
    };
    FAMILIES.iter().position(|family| *family == name)
}

/// The feelings of a text, strongest first.
fn told(text: &str) -> Vec<usize> {
    let reader = ClaimsOf(bundled::claim_reader().unwrap());
    let extract = extract_read(text, DAY, Some(&reader));
    emotions(text, &extract, Some(&reader)).iter().filter_map(|emotion| family(&emotion.name)).collect()
}

#[test]
fn feelings_are_heard_in_sentences_the_weights_were_not_fitted_on() {
    let Some(rows) = rows(FEELINGS) else { return };
    let mut scores = [Score::default(); 7];
    for (_, row) in rows.iter().enumerate().filter(|(at, _)| is_held_out(*at)) {
        let gold = families(row);
        let told = told(text(row));
        let told: [bool; 6] = std::array::from_fn(|family| told.contains(&family));
        for at in 0..6 {
            scores[at].add(told[at], gold[at]);
        }
        scores[6].add(!told.contains(&true), !gold.contains(&true));
    }
    let mean = scores.iter().map(|score| score.f1()).sum::<f64>() / 7.0;
    println!("{FEELINGS}: macro F1 {mean:.3} {:.3?}", scores.map(Score::f1));
    assert!(mean >= 0.45, "{mean:.3}");
}

/// What a reader says of 300 entries of six writers that the weights were not fitted on: what the writer feels, and which
/// feelings only others have. Two readers name the same feeling first in 91 % of the entries.
#[test]
fn what_an_entry_says_of_its_writers_feelings_is_read_as_a_person_reads_it() {
    let (mut right, mut felt, mut invented, mut quiet, mut taken, mut others) = (0, 0, 0, 0, 0, 0);
    for (row, read) in fresh("texts.jsonl").iter().zip(fresh("feelings.jsonl")) {
        assert_eq!(row["id"], read["id"]);
        let own = own_families(&read["own"]);
        let told = told(text(row));
        if read["own"].as_array().unwrap().is_empty() {
            quiet += 1;
            invented += usize::from(!told.is_empty());
        } else {
            felt += 1;
            right += usize::from(told.first().is_some_and(|first| own[*first]));
        }
        let foreign = own_families(&read["others"]);
        for at in (0..6).filter(|at| foreign[*at] && !own[*at]) {
            others += 1;
            taken += usize::from(told.contains(&at));
        }
    }
    println!("right {right} of {felt}, invented {invented} of {quiet}, taken from others {taken} of {others}");
    assert!(right * 100 >= felt * 53 && invented * 100 <= quiet * 30 && taken * 100 <= others * 15);
}

/// The questions of `tests/gate/fresh`, whose writers the reader of claims has never read: where it is surer of a cause than the
/// line of the gate, it is nearly always the one that a person names.
#[test]
fn a_cause_that_is_pointed_at_is_the_one_that_the_text_tells() {
    let weights =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lexicon/gate-readings.txt")).unwrap();
    let line: f32 = weights.lines().find_map(|line| line.strip_prefix("pointed:line\t")).unwrap().parse().unwrap();
    let texts: HashMap<String, String> =
        fresh("texts.jsonl").iter().map(|row| (row["id"].as_str().unwrap().to_owned(), text(row).to_owned())).collect();
    let reader = bundled::claim_reader().unwrap();
    let (mut asked, mut pointed, mut right) = (0, 0, 0);
    for question in fresh("why.jsonl") {
        let text = &texts[question["id"].as_str().unwrap()];
        let place = |part: &str| text.find(part).map(|at| at..at + part.len());
        let Some(effect) = place(question["effect"].as_str().unwrap()) else { continue };
        asked += 1;
        let reading = reader.read_claims(&[text]).unwrap().remove(0).unwrap();
        let Some(found) = reading.cause_of(&effect).filter(|cause| cause.log_probability.exp() >= line) else {
            continue;
        };
        pointed += 1;
        let answer = question["answer"].as_str().and_then(place);
        // Half of the bytes of both are shared.
        right += usize::from(answer.is_some_and(|answer| {
            let shared = found.span.end.min(answer.end).saturating_sub(found.span.start.max(answer.start));
            4 * shared >= found.span.len() + answer.len()
        }));
    }
    println!("{right} of {pointed} right, {asked} asked");
    assert!(pointed >= 90 && right * 100 >= pointed * 88, "{right} of {pointed}");
}

/// The entities of a journal, most mentioned first.
fn entities(texts: &[(Date, Extract)]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = GraphStore::open(dir.path(), None);
    for (at, (day, extract)) in texts.iter().enumerate() {
        store.set(EntryKey(at as u64), at as u64, *day, extract.clone());
    }
    let view = store.view();
    view.entities()
        .iter()
        .map(|entity| format!("{} {} ({})", entity.mentions, entity.name, entity.kind.word()))
        .collect()
}

#[test]
#[ignore = "prints for people to read"]
fn the_first_entities() {
    let demo = tempfile::tempdir().unwrap();
    kioku::journal::demo::write_demo(&demo.path().join("demo")).unwrap();
    let options = super::sync::options(&demo.path().join("demo"));
    let mut session = kioku::session::Session::open(options).unwrap();
    session.sync(true, &mut |_| true).unwrap();
    let snapshot = session.snapshot().unwrap();
    for entity in snapshot.graph.entities().iter().take(90) {
        println!("demo: {} {} ({})", entity.mentions, entity.name, entity.kind.word());
    }
    for (at, entity) in snapshot.graph.entities().iter().enumerate().take(120) {
        let _ = entity;
        for edge in snapshot.graph.edges(kioku::index::graph::EntityRef(at as u32)) {
            if edge.source.0 as usize == at {
                let name = |entity| snapshot.graph.entity(entity).name.clone();
                println!(
                    "demo: {} -{:?} {}-> {} x{}",
                    name(edge.source),
                    edge.kind,
                    edge.verb,
                    name(edge.target),
                    edge.evidence.len()
                );
            }
        }
    }
    let Some(rows) = rows("pepys/pepys-1660-64/entries.jsonl") else { return };
    let pepys: Vec<(Date, Extract)> = rows
        .iter()
        .map(|row| {
            let day: Date = row["time"].as_str().unwrap()[..10].parse().unwrap();
            (day, extract_text(text(row), day))
        })
        .collect();
    for line in entities(&pepys).iter().take(150) {
        println!("pepys: {line}");
    }
}
