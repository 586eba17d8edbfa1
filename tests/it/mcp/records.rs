//! Records over the protocol: written once, listed by kind and status, closed by id.

use serde_json::{Value, json};

use super::{client::Client, journal};
use crate::cli::Kioku;

fn texts(answer: &Value) -> Vec<&str> {
    answer["records"].as_array().unwrap().iter().map(|record| record["text"].as_str().unwrap()).collect()
}

#[test]
fn a_record_is_on_disk_listed_and_no_entry_of_the_diary() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let stats = client.read("kioku://stats/summary").unwrap();
    let goal =
        client.ok("remember", json!({ "kind": "goal", "text": "Run a half marathon by May", "tags": ["#sport"] }));
    assert_eq!((&goal["status"], &goal["due"]), (&json!("saved"), &json!("2027-05-31")));
    assert_eq!(goal["legs"]["keyword"], "ready");
    let again = client.ok("remember", json!({ "kind": "goal", "text": "Run a half marathon by May" }));
    assert_eq!((&again["status"], &again["due"]), (&json!("duplicate"), &goal["due"]));
    let file = std::fs::read_to_string(kioku.journal().join("memory/2026-08-14.md")).unwrap();
    assert!(file.contains("record: \"goal\"") && file.contains("Run a half marathon by May"), "{file}");
    client.ok("remember", json!({ "kind": "item", "text": "oat milk" }));
    client.ok("remember", json!({ "kind": "goal", "text": "Swim", "due": "friday" }));
    let listed = client.ok("records", json!({}));
    assert_eq!(texts(&listed), ["Swim", "Run a half marathon by May", "oat milk"]);
    assert_eq!(listed["records"][2]["record"]["list"], "shopping");
    assert_eq!(texts(&client.ok("records", json!({ "kind": "Goal", "limit": 1 }))).len(), 1);
    assert_eq!(client.ok("records", json!({ "kind": "goal", "limit": 1 }))["limit_reached"], true);
    assert_eq!(listed["limit_reached"], false);
    assert_eq!(texts(&client.ok("records", json!({ "list": "allotment" }))), [""; 0]);
    assert_eq!(client.read("kioku://stats/summary").unwrap(), stats);
    // The command line and the search show the same.
    assert_eq!(kioku.run(&["record", "list", "--json"]).json()["records"], listed["records"]);
    let found = client.ok("search_memories", json!({ "query": "record:goal marathon" }));
    assert_eq!(found["hits"][0]["id"], goal["id"]);
}

#[test]
fn the_same_record_is_written_once_and_a_newer_fact_supersedes_the_older() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let fact = |text: &str| {
        client.ok("remember", json!({ "kind": "fact", "text": text, "subject": "Linh", "category": "work" }))
    };
    let old = fact("Linh works at the bank");
    let new = fact("Linh works at the library");
    assert_eq!(new["superseded"], old["id"]);
    let again = fact("Linh works at the library");
    assert_eq!((&again["status"], &again["id"]), (&json!("duplicate"), &new["id"]));
    assert_eq!(texts(&client.ok("records", json!({ "kind": "fact" }))), ["Linh works at the library"]);
    let superseded = client.ok("records", json!({ "status": "superseded" }));
    assert_eq!(superseded["records"][0]["record"]["superseded_by"], new["id"]);
    assert_eq!(texts(&client.ok("records", json!({ "status": "any" }))).len(), 2);
}

#[test]
fn a_record_is_closed_and_opened_again_by_the_beginning_of_its_id() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let goal = client.ok("remember", json!({ "kind": "goal", "text": "Learn to swim" }));
    let id = goal["id"].as_str().unwrap();
    let close = |id: &str, status: &str| client.tool("close_record", json!({ "id": id, "status": status }));
    let done = close(&id[..4], "done").unwrap();
    assert_eq!((&done["changed"], &done["text"], &done["id"]), (&json!(true), &json!("Learn to swim"), &goal["id"]));
    assert_eq!(close(id, "done").unwrap()["changed"], false);
    assert_eq!(texts(&client.ok("records", json!({}))), [""; 0]);
    assert_eq!(texts(&client.ok("records", json!({ "status": "done" }))), ["Learn to swim"]);
    close(id, "open").unwrap();
    assert_eq!(texts(&client.ok("records", json!({}))), ["Learn to swim"]);
    assert!(kioku.run(&["trash"]).ok().contains("Learn to swim"), "the text before is kept");
}

#[test]
fn a_claim_names_the_records_that_it_supports_and_contradicts_by_whole_ids() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let first = client.ok("remember", json!({ "kind": "claim", "text": "Tea keeps me awake" }))["id"].clone();
    let begun = &first.as_str().unwrap()[..5];
    let second = json!({ "kind": "claim", "text": "Tea at noon is harmless", "contradicts": [begun], "cited_in": ["Walker 2017"], "project": "sleep" });
    client.ok("remember", second);
    let claims = client.ok("records", json!({ "kind": "claim", "project": "sleep" }));
    let links = json!([{ "link": "contradicts", "target": first }, { "link": "cited_in", "target": "Walker 2017" }]);
    assert_eq!(claims["records"][0]["links"], links);
}

#[test]
fn wrong_records_are_refused_and_nothing_is_written() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let entry = client.ok("get_timeline", json!({ "limit": 1 }))["entries"][0]["id"].clone();
    let fact = client.ok("remember", json!({ "kind": "fact", "text": "Linh likes figs" }))["id"].clone();
    let wrong = [
        ("remember", json!({ "text": "x" }), "missing field `kind`"),
        ("remember", json!({ "kind": "gaol", "text": "x" }), "unknown variant `gaol`, expected one of `goal`"),
        ("remember", json!({ "kind": "goal", "text": " \n" }), "a record needs text"),
        ("remember", json!({ "kind": "goal", "text": "x".repeat(1_000_001) }), "`text` is longer than 1000000"),
        ("remember", json!({ "kind": "goal", "text": "x", "due": "yesterday" }), "not a day to come"),
        ("remember", json!({ "kind": "fact", "text": "x", "due": "may" }), "a fact has no `due`\nhint: of: goal"),
        ("remember", json!({ "kind": "goal", "text": "x", "list": "a" }), "a goal has no `list`"),
        ("remember", json!({ "kind": "item", "text": "x", "due": "may" }), "an item has no `due`"),
        ("remember", json!({ "kind": "fact", "text": "x", "category": "work" }), "`category` needs `subject`"),
        ("remember", json!({ "kind": "item", "text": "x", "list": "a\nrecord: goal" }), "one line"),
        ("remember", json!({ "kind": "note", "text": "x", "supports": [fact] }), "a note has no `supports`"),
        ("remember", json!({ "kind": "claim", "text": "x", "supports": ["zzzzzz"] }), "no record `zzzzzz`"),
        ("remember", json!({ "kind": "claim", "text": "x", "cited_in": ["a\nb"] }), "one line"),
        ("remember", json!({ "kind": "claim", "text": "x", "supports": vec!["a"; 101] }), "more than 100"),
        ("records", json!({ "status": "closed" }), "unknown variant `closed`"),
        ("records", json!({ "limit": 0 }), "at least 1"),
        ("records", json!({ "kind": "x".repeat(2001) }), "longer than 2000"),
        ("close_record", json!({ "id": fact }), "missing field `status`"),
        ("close_record", json!({ "id": "zzzzzz", "status": "done" }), "hint: `records` shows every record"),
        (
            "close_record",
            json!({ "id": fact, "status": "done" }),
            "`close_record` retracts it, `edit_memory` changes it",
        ),
        ("close_record", json!({ "id": fact, "status": "done" }), "a fact cannot be done"),
        ("close_record", json!({ "id": fact, "status": "superseded" }), "unknown variant `superseded`"),
        ("close_record", json!({ "id": entry, "status": "dropped" }), "is an entry, not a record"),
    ];
    let before = kioku.run(&["timeline", "--json"]).out;
    for (name, arguments, expected) in wrong {
        let error = client.tool(name, arguments).unwrap_err();
        assert!(error.contains(expected), "{name}: {error}\nexpected {expected}");
    }
    assert_eq!(kioku.run(&["timeline", "--json"]).out, before);
}
