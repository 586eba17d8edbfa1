//! `kioku llm` from a shell, with a local test server.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::cli::{Kioku, Outcome};

#[expect(dead_code, reason = "the unit tests use the rest")]
mod server;

use server::{ReceivedRequest, Say, Server};

const KEY: &str = "sk-7hidden";

/// The model's answer to any question: Rose is a person, and one statement about her that is not in the text.
fn rose(_: &ReceivedRequest) -> Say {
    let said = json!({
        "entities": [
            { "name": "Rose", "text": "Rose", "type": "person" }, { "name": "Marcus", "text": "Marcus", "type": "person" },
        ],
        "relationships": [
            { "source": "Rose", "target": "Marcus", "type": "causal", "weight": 1, "evidence": "Rose killed Marcus" },
        ],
        "event_time": null,
    });
    let message = json!({ "content": said.to_string() });
    Say::ok(json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }).to_string())
}

fn configured(kioku: &Kioku, base: &str, more: &str) {
    let table =
        format!("[llm]\nkind = \"openai\"\nmodel = \"small\"\nbase = \"{base}\"\nkey_env = \"THE_KEY\"\n{more}\n");
    fs::write(kioku.home.path().join("config.toml"), table).unwrap();
}

fn run(kioku: &Kioku, arguments: &[&str]) -> Outcome {
    let output = kioku.command(arguments).env("THE_KEY", KEY).output().unwrap();
    let ran = Outcome {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!format!("{ran:?}").contains(KEY), "{ran:?}");
    ran
}

fn holds(folder: &Path, words: &str) -> bool {
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).any(|file| match file.is_dir() {
        true => holds(&file, words),
        false => fs::read(&file).unwrap().windows(words.len()).any(|window| window == words.as_bytes()),
    })
}

#[test]
fn nothing_is_sent_before_the_configuration_says_yes() {
    let kioku = Kioku::new();
    kioku.add(&["Rose called."]);
    assert!(run(&kioku, &["llm", "run"]).fails(1).contains("names no language model"));
    let server = Server::start(Box::new(rose));
    configured(&kioku, &server.base, "");
    assert!(run(&kioku, &["llm", "run"]).fails(1).contains("is off"));
    let status = run(&kioku, &["llm", "status", "--json"]).json();
    assert_eq!((&status["v"], &status["enabled"], &status["answers"]), (&json!(1), &json!(false), &json!(0)));
    let shown = run(&kioku, &["llm", "show"]);
    assert!(shown.out.contains("Rose called.") && shown.err.contains(&server.base), "{shown:?}");
    assert_eq!(server.asked(), []);
}

#[test]
fn a_run_reads_what_is_left_and_what_it_found_is_there_at_once() {
    let kioku = Kioku::new();
    let server = Server::start(Box::new(rose));
    configured(&kioku, &server.base, "enabled = true");
    kioku.add(&["Rose called."]);
    kioku.add(&["--tag", "private", "Rose at home."]);
    kioku.add(&["Rose at home again. #private"]);
    kioku.add(&["hm"]);
    assert!(run(&kioku, &["llm", "show"]).fails(3).contains("kept back"));
    assert!(run(&kioku, &["llm", "status"]).ok().contains("0 of 1 texts read"));
    let ran = run(&kioku, &["llm", "run"]);
    assert!(ran.err.contains("1 text goes to") && ran.err.contains(&server.base), "{ran:?}");
    assert!(ran.out.contains("1 answer with 1 statement, 2 left out; 1 of 1 texts read"), "{ran:?}");
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert!(!asked[0].body.contains("at home"));
    let entities = kioku.run(&["entities", "--kind", "person", "--json"]).ok();
    assert!(entities.contains("\"Rose\"") && !entities.contains("Marcus"), "{entities}");
    assert_eq!(run(&kioku, &["llm", "run"]).ok().trim(), "0 answers with 0 statements, 0 left out; 1 of 1 texts read");
    assert_eq!(server.asked(), []);
    assert!(run(&kioku, &["doctor"]).ok().contains("small: 1 of 1 texts read"));
    assert!(!holds(kioku.home.path(), KEY), "the key is in no file");
    assert!(run(&kioku, &["llm", "clear"]).fails(2).contains("--yes"));
    assert_eq!(run(&kioku, &["llm", "clear", "--yes"]).ok().trim(), "1 answer removed");
    assert!(!kioku.run(&["entities", "--kind", "person", "--json"]).out.contains("\"Rose\""));
}

#[test]
fn what_is_sent_is_what_is_shown() {
    let kioku = Kioku::new();
    let server = Server::start(Box::new(rose));
    configured(&kioku, &server.base, "enabled = true");
    kioku.add(&["Rose called."]);
    let shown: Value = serde_json::from_str(&run(&kioku, &["llm", "show"]).ok()).unwrap();
    run(&kioku, &["llm", "run"]).ok();
    let sent: Value = serde_json::from_str(&server.asked()[0].body).unwrap();
    assert_eq!(shown, sent);
}

#[test]
fn a_refused_key_is_said_and_an_outage_leaves_everything_else_alone() {
    let kioku = Kioku::new();
    kioku.add(&["Rose called."]);
    let server = Server::start(Box::new(|_| Say::status("401 Unauthorized", &[], format!("bad key {KEY}"))));
    configured(&kioku, &server.base, "enabled = true");
    assert!(run(&kioku, &["llm", "run"]).fails(1).contains("refuses the key (401)"));
    let status = run(&kioku, &["llm", "status"]).ok();
    assert!(status.contains("stopped: the service refuses the key (401)"), "{status}");
    drop(server);
    assert!(run(&kioku, &["doctor"]).ok().contains("stopped: the service refuses the key"));
    assert!(run(&kioku, &["search", "called"]).ok().contains("Rose called."));
    let none = kioku.run(&["llm", "run"]);
    assert!(none.fails(1).contains("the variable THE_KEY is empty"));
}

#[test]
fn a_service_that_asks_for_much_time_is_not_waited_for() {
    let kioku = Kioku::new();
    kioku.add(&["Rose called."]);
    let server = Server::start(Box::new(|_| Say::status("429 Slow", &[("Retry-After", "900")], "")));
    configured(&kioku, &server.base, "enabled = true");
    let ran = run(&kioku, &["llm", "run"]);
    assert!(ran.out.contains("waiting until 10:15:0"), "{ran:?}");
    assert!(ran.fails(1).contains("the service asks to wait"));
    assert_eq!(server.asked().len(), 1);
    assert!(run(&kioku, &["llm", "run"]).fails(1).contains("the service asks to wait"), "another start keeps to it");
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn forgetting_takes_the_answer_along() {
    let kioku = Kioku::new();
    let server = Server::start(Box::new(rose));
    configured(&kioku, &server.base, "enabled = true");
    let id = kioku.add(&["Rose called about the zanzibarwort."]);
    run(&kioku, &["llm", "run"]).ok();
    assert!(holds(&kioku.journal().join("answers"), "Rose"));
    let done = run(&kioku, &["forget", &id, "--yes", "--json"]).json();
    assert_eq!(done["answers"], 1);
    for words in ["Rose", "rose", "zanzibarwort"] {
        assert!(!holds(kioku.home.path(), words), "{words}");
    }
}
