//! The insight commands from a shell: keys of the contract, exit codes, quotes that are in their entries.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

/// A journal of its own, with a week of work in it.
struct Kioku {
    home: TempDir,
}

const WEEK: [(&str, &str, &str); 6] = [
    ("2026-08-03T20:00:00+02:00", "stressed", "trigger:: [[Deadline]]\nThe plan was moved again, says @Ada."),
    ("2026-08-04T20:00:00+02:00", "calm", "eases:: [[Running]]\nAlong the river, slowly."),
    ("2026-08-05T20:00:00+02:00", "stressed", "trigger:: [[Deadline]]\nNobody slept."),
    ("2026-08-06T20:00:00+02:00", "stressed", "eases:: [[Running]]\nBetter after the river."),
    ("2026-08-07T20:00:00+02:00", "happy", "Soup with @Ada and @Bo."),
    ("2025-08-14T20:00:00+02:00", "calm", "[[Island]]: sand in everything."),
];

impl Kioku {
    fn new() -> Self {
        let kioku = Self { home: tempfile::tempdir().unwrap() };
        let memory = kioku.home.path().join("home/journals/personal/memory");
        fs::create_dir_all(&memory).unwrap();
        for (time, mood, text) in WEEK {
            let day = &time[..10];
            let file = format!("# Kioku — {day}\n\n---\ntime: \"{time}\"\nmood: \"{mood}\"\n---\n{text}\n");
            fs::write(memory.join(format!("{day}.md")), file).unwrap();
        }
        kioku
    }

    /// Exit code, data.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let home: &Path = self.home.path();
        let output = Command::new(env!("CARGO_BIN_EXE_kioku"))
            .args(arguments)
            .env("HOME", home)
            .env("KIOKU_HOME", home.join("home"))
            .env("KIOKU_CONFIG", home.join("config.toml"))
            .env("KIOKU_NOW", "2026-08-14T12:00:00+02:00")
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
    }

    #[track_caller]
    fn json(&self, arguments: &[&str], code: i32) -> Value {
        let (ended, out) = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ended, code, "{arguments:?}: {out}");
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(value["v"], 1);
        value
    }
}

#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    let present: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(keys.iter().all(|key| present.contains(key)), "{keys:?} are not all in {present:?}");
}

/// Every quote in an answer is verbatim in its entry, optionally below a line of its head.
fn quotes(value: &Value, found: &mut usize) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| quotes(value, found)),
        Value::Object(object) => {
            if let (Some(time), Some(text), Some(_)) = (object.get("time"), object.get("text"), object.get("basis")) {
                let entry = WEEK.iter().find(|(known, ..)| time == known).unwrap();
                let text = text.as_str().unwrap();
                let below = text.strip_prefix(&format!("mood: {} · ", entry.1)).unwrap_or(text);
                assert!(entry.2.contains(below), "{text} is not in {entry:?}");
                *found += 1;
            }
            object.values().for_each(|value| quotes(value, found));
        }
        _ => {}
    }
}

#[test]
fn why_has_the_keys_of_the_contract() {
    let kioku = Kioku::new();
    let why = kioku.json(&["why", "stressed"], 0);
    has(&why, &["target", "period", "days", "eased_by", "causes"]);
    has(&why["period"], &["from", "to"]);
    assert_eq!((&why["days"]["total"], &why["days"]["with_target"]), (&6.into(), &3.into()));
    let cause = &why["causes"][0];
    has(cause, &["name", "kind", "strength", "stated", "both", "cause_only", "target_only", "evidence"]);
    assert_eq!((&cause["name"], &cause["kind"], &cause["stated"]), (&"Deadline".into(), &"topic".into(), &2.into()));
    assert_eq!(cause["strength"], "some");
    has(&cause["evidence"][0], &["id", "time", "text", "basis"]);
    assert_eq!(cause["evidence"][0]["basis"], "stated");
    assert_eq!(why["eased_by"][0]["name"], "Running");
    assert_eq!(kioku.json(&["why", "stressed", "--from", "2026-08-05", "--to", "2026-08-05"], 0)["days"]["total"], 1);
    assert_eq!(kioku.json(&["why", "furious"], 3)["causes"], Value::Array(Vec::new()));
    assert_eq!(kioku.run(&["why"]).0, 2);
    assert_eq!(kioku.run(&["why", "sad", "--from", "2026-08", "--to", "2026-07"]).0, 2);
}

#[test]
fn explain_has_the_keys_of_the_contract_and_says_no() {
    let kioku = Kioku::new();
    let explain = kioku.json(&["explain", "Bo", "stressed"], 0);
    has(&explain, &["from", "to", "connected", "paths"]);
    let hop = &explain["paths"][0]["hops"][0];
    has(hop, &["source", "target", "kind", "basis", "evidence"]);
    has(&hop["evidence"], &["id", "time", "text"]);
    let apart = kioku.json(&["explain", "Island", "Bo"], 3);
    assert_eq!((&apart["connected"], &apart["paths"]), (&false.into(), &Value::Array(Vec::new())));
    assert_eq!(kioku.run(&["explain", "Bo"]).0, 2);
    assert_eq!(
        kioku.run(&["explain", "Zebulon", "Bo"]),
        (3, String::new()),
        "an unknown name says nothing of a connection"
    );
}

#[test]
fn the_other_questions_have_their_keys_and_their_codes() {
    let kioku = Kioku::new();
    has(
        &kioku.json(&["entities"], 0)["entities"][0],
        &["name", "kind", "aliases", "mentions", "days", "first_seen", "last_seen"],
    );
    assert_eq!(kioku.json(&["entities", "--kind", "person"], 0)["entities"].as_array().unwrap().len(), 2);
    assert_eq!(kioku.run(&["entities", "--kind", "animal"]).0, 2);
    assert_eq!(kioku.json(&["entities", "--kind", "product"], 3)["entities"], Value::Array(Vec::new()));
    let related = kioku.json(&["related", "ada"], 0);
    has(&related, &["entity", "connected_count", "related"]);
    has(&related["related"][0], &["name", "kind", "hops", "closeness", "basis", "stated", "together", "evidence"]);
    kioku.json(&["related", "nobody"], 3);
    let reflect = kioku.json(&["reflect", "2026-08-06"], 0);
    has(&reflect, &["day", "entries", "moods", "names", "threads", "on_this_day", "questions"]);
    let today = kioku.json(&["reflect"], 3);
    assert_eq!((&today["day"], &today["on_this_day"][0]["when"]), (&"2026-08-14".into(), &"1 year ago".into()));
    assert_eq!(kioku.run(&["reflect", "last", "week"]).0, 2);
    let review = kioku.json(&["review", "week", "last week"], 0);
    has(
        &review,
        &["unit", "period", "before", "counts", "counts_before", "highs", "lows", "moods", "names", "questions"],
    );
    assert_eq!(kioku.run(&["review", "decade"]).0, 2);
    for (period, unit, first) in [
        (&["last", "week"][..], "week", "2026-08-03"),
        (&["2026-07"], "month", "2026-07-01"),
        (&["last month"], "month", "2026-07-01"),
        (&["2026"], "year", "2026-01-01"),
    ] {
        let answer = kioku.run(&[&["review"], period, &["--json"]].concat()).1;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["unit"], &answer["period"]["from"]), (&unit.into(), &first.into()), "{period:?}");
    }
    has(
        &kioku.json(&["stats"], 0),
        &["entries", "days", "words", "run", "moods", "weekdays", "hours", "week", "names"],
    );
    kioku.json(&["themes"], 3);
}

#[test]
fn every_quote_of_every_answer_stands_in_its_entry() {
    let kioku = Kioku::new();
    let mut found = 0;
    for arguments in [
        &["why", "stressed"] as &[&str],
        &["why", "why was I happy"],
        &["explain", "Bo", "stressed"],
        &["related", "Ada"],
        &["reflect", "2026-08-06"],
        &["review", "month"],
        &["review", "year"],
    ] {
        quotes(&kioku.json(arguments, 0), &mut found);
    }
    assert!(found > 10, "only {found} quotes");
}

#[test]
fn people_read_it_at_eighty_columns() {
    let kioku = Kioku::new();
    for arguments in
        [&["why", "stressed"] as &[&str], &["explain", "Bo", "stressed"], &["reflect", "2026-08-06"], &["stats"]]
    {
        let (code, out) = kioku.run(arguments);
        assert_eq!(code, 0);
        let wide = out.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{arguments:?}");
    }
    let (_, out) = kioku.run(&["why", "stressed"]);
    assert!(out.starts_with("stressed: on 3 of 6 days with entries, 2025-08-14 to 2026-08-07\n"), "{out}");
    assert!(out.contains("What eased it\n  Running: stated 1\n"), "{out}");
}

#[test]
fn what_the_user_rejects_is_said_no_more() {
    let kioku = Kioku::new();
    let names = |answer: &Value| -> Vec<String> {
        answer["causes"].as_array().unwrap().iter().map(|cause| cause["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&kioku.json(&["why", "stressed"], 0)).contains(&"Deadline".to_owned()));
    let (code, _) = kioku.run(&["entity", "reject", "Deadline", "causal", "stressed"]);
    assert_eq!(code, 0);
    assert!(!names(&kioku.json(&["why", "stressed"], 0)).contains(&"Deadline".to_owned()));
}
