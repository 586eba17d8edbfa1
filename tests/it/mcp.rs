//! The Model Context Protocol server, driven over stdin and stdout by rmcp's client, line by line, and by the Python SDK.

pub mod client;
mod context;
mod lines;
mod records;
#[cfg(unix)]
mod screens;

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::cli::Kioku;
use client::Client;

/// A journal with a few entries.
fn journal() -> Kioku {
    let kioku = Kioku::new();
    kioku.add(&[
        "--at",
        "2026-08-10 20:00",
        "--mood",
        "stressed",
        "Stressed because of the deadline. Hùng moved it again.",
    ]);
    kioku.add(&[
        "--at",
        "2026-08-11 20:00",
        "--mood",
        "calm",
        "Swam at Heron Lake with Linh. Calm because of the water.",
    ]);
    kioku.add(&["--at", "2026-08-12 20:00", "--mood", "calm", "--tag", "kioku", "Linh and Hùng came to Heron Lake."]);
    kioku
}

const READING: [&str; 12] = [
    "search_memories",
    "get_timeline",
    "list_memory_dates",
    "list_entities",
    "recall_related",
    "explain_connection",
    "get_entry",
    "find_why",
    "reflect",
    "review",
    "query_graph",
    "records",
];
const WRITING: [&str; 7] =
    ["save_memory", "remember", "close_record", "edit_memory", "delete_memory", "forget_memory", "merge_entities"];

#[test]
fn every_tool_has_schemas_and_says_whether_it_writes() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let tools = client.tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    for name in READING.iter().chain(&WRITING) {
        assert!(names.contains(name), "{name} is missing in {names:?}");
    }
    assert_eq!(names.len(), READING.len() + WRITING.len());
    for tool in &tools {
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.read_only_hint, Some(READING.contains(&&*tool.name)), "{}", tool.name);
        assert_eq!(annotations.open_world_hint, Some(false));
        let output = tool.output_schema.as_ref().unwrap();
        assert_eq!(output["type"], "object", "{}", tool.name);
        // Only there where something went wrong.
        assert!(!output["required"].as_array().unwrap().contains(&json!("warning")), "{}", tool.name);
        assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
        assert!(tool.description.as_ref().is_some_and(|text| text.len() > 20));
    }
    let destructive = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        tool.annotations.as_ref().unwrap().destructive_hint
    };
    assert_eq!(
        ["save_memory", "remember", "close_record", "forget_memory"].map(destructive),
        [false, false, true, true].map(Some)
    );
}

#[test]
fn a_read_only_server_offers_no_tool_that_writes() {
    let kioku = journal();
    let client = Client::of(&kioku, &["--read-only"]);
    let names: Vec<String> = client.tools().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names.len(), READING.len(), "{names:?}");
    let error = client.tool("save_memory", json!({ "text": "x" })).unwrap_err();
    assert!(error.contains("unknown tool"), "{error}");
    assert_eq!(client.ok("list_memory_dates", json!({}))["dates"].as_array().unwrap().len(), 3);
}

#[test]
fn a_saved_memory_is_in_its_day_file_and_found() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let saved = client.ok(
        "save_memory",
        json!({ "text": "Bread and soup by the lake.", "mood": "relieved", "tags": ["#food", "food"], "event_time": "yesterday" }),
    );
    assert_eq!(saved["status"], "saved");
    assert_eq!((&saved["day"], &saved["event_time"]), (&json!("2026-08-14"), &json!("2026-08-13")));
    assert_eq!(saved["tags"], json!(["food"]));
    assert_eq!((&saved["legs"]["keyword"], &saved["legs"]["graph"]), (&json!("ready"), &json!("ready")));
    let file = std::fs::read_to_string(kioku.journal().join("memory/2026-08-14.md")).unwrap();
    assert!(file.contains("Bread and soup by the lake.") && file.contains(saved["id"].as_str().unwrap()), "{file}");
    let found = client.ok("search_memories", json!({ "query": "soup", "limit": 3 }));
    assert_eq!(found["hits"][0]["id"], saved["id"]);
    // The command line and the server show the same.
    let shown = kioku.run(&["search", "--json", "soup"]).json();
    assert_eq!(shown["hits"][0]["id"], saved["id"]);
}

#[test]
fn a_write_without_a_second_copy_carries_a_warning() {
    let kioku = journal();
    fs::remove_dir_all(kioku.journal().join("recent")).unwrap();
    fs::write(kioku.journal().join("recent"), "a file in its place").unwrap();
    let client = Client::of(&kioku, &[]);
    let warning = |answer: &Value| answer["warning"].as_str().map(str::to_owned);
    let saved = client.ok("save_memory", json!({"text": "Safe in its day file."}));
    let remembered = client.ok("remember", json!({"kind": "item", "text": "oat milk"}));
    let edited = client.ok("edit_memory", json!({"id": saved["id"], "mood": "calm"}));
    let closed = client.ok("close_record", json!({"id": remembered["id"], "status": "done"}));
    for answer in [&saved, &remembered, &edited, &closed] {
        assert!(warning(answer).is_some_and(|text| text.contains("without a second copy")), "{answer}");
    }
    assert_eq!(warning(&client.ok("records", json!({}))), None);
}

#[test]
fn the_same_text_on_one_day_is_written_once() {
    let kioku = Kioku::new();
    let client = Client::of(&kioku, &[]);
    let first = client.ok("save_memory", json!({ "text": "Rain all day." }));
    let again = client.ok("save_memory", json!({ "text": "Rain all day.", "mood": "tired" }));
    assert_eq!((&again["status"], &again["id"]), (&json!("duplicate"), &first["id"]));
    assert_eq!(again["mood"], Value::Null, "the entry that is there");
    let file = std::fs::read_to_string(kioku.journal().join("memory/2026-08-14.md")).unwrap();
    assert_eq!(file.matches("Rain all day.").count(), 1);
}

#[test]
fn an_image_that_an_agent_names_is_never_copied_into_the_journal() {
    let kioku = Kioku::new();
    let secret = kioku.write("secret.gif", "not for the journal");
    let text = format!("See ![]({secret}).");
    let client = Client::of(&kioku, &[]);
    let saved = client.ok("save_memory", json!({ "text": text }));
    client.ok("edit_memory", json!({ "id": saved["id"], "text": format!("{text} Again.") }));
    client.ok("remember", json!({ "kind": "note", "text": format!("A note ![]({secret})") }));
    let shown = kioku.run(&["show", saved["id"].as_str().unwrap(), "--json"]).json();
    assert_eq!(shown["entries"][0]["text"], json!(format!("{text} Again.")));
    assert!(!kioku.journal().join("attachments").exists());
}

#[test]
fn search_and_timeline_keep_to_their_days_and_names() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let of = |answer: &Value, list: &str| -> Vec<String> {
        answer[list].as_array().unwrap().iter().map(|entry| entry["time"].as_str().unwrap()[..10].to_owned()).collect()
    };
    let found = client.ok("search_memories", json!({ "query": "lake", "date_to": "2026-08-11" }));
    assert_eq!(of(&found, "hits")[0], "2026-08-11", "the day after has the lake as well");
    let found = client.ok("search_memories", json!({ "query": "lake", "entities": ["Hùng"] }));
    assert_eq!(of(&found, "hits"), ["2026-08-12", "2026-08-10"], "both name Hùng");
    let days = client.ok("get_timeline", json!({ "start_date": "2026-08-11", "end_date": "2026-08-12" }));
    assert_eq!(of(&days, "entries"), ["2026-08-11", "2026-08-12"]);
    assert_eq!(days["more"], false);
    assert_eq!(client.ok("get_timeline", json!({ "limit": 2 }))["more"], true);
    assert_eq!(client.ok("get_timeline", json!({ "limit": 3 }))["more"], false);
    let latest = client.ok("get_timeline", json!({ "limit": 1, "sort_by": "event_time" }));
    assert_eq!(of(&latest, "entries"), ["2026-08-12"]);
    assert!(latest["events"].is_array());
}

#[test]
fn names_their_connections_and_causes_are_quoted_with_ids() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let people = client.ok("list_entities", json!({ "type": "PERSON" }));
    let names: Vec<&str> =
        people["entities"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Linh") && names.contains(&"Hùng"), "{names:?}");
    let related = client.ok("recall_related", json!({ "entity": "Linh" }));
    assert!(related["related"].as_array().unwrap().iter().any(|near| near["name"] == "Heron Lake"), "{related}");
    let connected = client.ok("explain_connection", json!({ "entity_a": "Linh", "entity_b": "Hùng" }));
    assert_eq!(connected["connected"], true);
    let why = client.ok("find_why", json!({ "query": "stressed" }));
    let evidence = &why["causes"][0]["evidence"][0];
    assert!(evidence["text"].as_str().unwrap().contains("because of the deadline"), "{why}");
    let entry = client.ok("get_entry", json!({ "id": evidence["id"] }));
    assert!(entry["entry"]["text"].as_str().unwrap().contains("Hùng moved it again"));
    assert_eq!(client.ok("reflect", json!({ "date": "2026-08-12" }))["entries"].as_array().unwrap().len(), 1);
    assert_eq!(client.ok("review", json!({ "period": "week" }))["counts"]["entries"], 3);
}

#[test]
fn an_edit_keeps_the_text_before_and_a_deletion_can_be_restored() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let id = client.ok("search_memories", json!({ "query": "deadline" }))["hits"][0]["id"].clone();
    let edited = client.ok("edit_memory", json!({ "id": id, "text": "The deadline moved.", "mood": "" }));
    assert_eq!((&edited["status"], &edited["entry"]["mood"]), (&json!("saved"), &Value::Null));
    assert!(kioku.run(&["trash"]).ok().contains("Stressed because of the deadline"));
    let deleted = client.ok("delete_memory", json!({ "id": id }));
    let error = client.tool("get_entry", json!({ "id": id })).unwrap_err();
    assert!(error.contains("no entry"), "{error}");
    kioku.run(&["restore", deleted["handle"].as_str().unwrap()]).ok();
    assert_eq!(client.ok("get_entry", json!({ "id": id }))["entry"]["text"], "The deadline moved.");
}

#[test]
fn a_forgotten_entry_is_nowhere_and_a_dry_run_changes_nothing() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let id = client.ok("search_memories", json!({ "query": "deadline" }))["hits"][0]["id"].clone();
    let would = client.ok("forget_memory", json!({ "id": id, "dry_run": true }));
    assert_eq!((&would["dry_run"], &would["entries"]), (&json!(true), &json!(1)));
    assert_eq!(client.ok("list_memory_dates", json!({}))["dates"].as_array().unwrap().len(), 3);
    client.ok("forget_memory", json!({ "id": id }));
    let left = Command::new("grep").args(["-rl", "moved it again"]).arg(kioku.home.path()).output().unwrap();
    assert_eq!(String::from_utf8(left.stdout).unwrap(), "");
}

#[test]
fn a_forgotten_entry_goes_from_interrupted_editors_and_files_that_keep_it_are_named() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let id = client.ok("search_memories", json!({ "query": "deadline" }))["hits"][0]["id"].clone();
    let state = kioku.home.path().join("home/state");
    let text = "Stressed because of the deadline. Hùng moved it again.";
    let folder = state.join("editor/4711-0");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, content) in [(".of", id.as_str().unwrap()), (".before", text), ("entry.md", "Another deadline text.")] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    let kept = kioku.home.path().join("home/copy of the user.txt");
    std::fs::write(&kept, text).unwrap();
    let forgotten = client.ok("forget_memory", json!({ "id": id }));
    assert_eq!((&forgotten["entries"], &forgotten["editor_texts"]), (&json!(1), &json!(1)));
    assert_eq!(forgotten["left"], json!([kept.to_str().unwrap()]));
    assert!(!folder.join("entry.md").exists());
    assert_eq!(client.ok("list_memory_dates", json!({}))["dates"].as_array().unwrap().len(), 2);
}

#[test]
fn a_deleted_entry_can_be_forgotten_but_not_redacted() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let id = client.ok("search_memories", json!({ "query": "deadline" }))["hits"][0]["id"].clone();
    client.ok("delete_memory", json!({ "id": id }));
    let error = client.tool("forget_memory", json!({ "id": id, "redact": true })).unwrap_err();
    assert!(error.contains("nothing to redact"), "{error}");
    let would = client.ok("forget_memory", json!({ "id": id, "dry_run": true }));
    assert_eq!((&would["trashed"], would.get("left")), (&json!(1), None));
    assert_eq!(client.ok("forget_memory", json!({ "id": id }))["left"], json!([]));
    assert!(!kioku.run(&["trash"]).out.contains("deadline"));
}

#[test]
fn merged_names_are_one_from_the_next_answer_on() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let would = client.ok("merge_entities", json!({ "from": "Linh", "into": "Hùng", "dry_run": true }));
    assert_eq!((&would["dry_run"], &would["entries"]), (&json!(true), &json!(2)));
    client.ok("merge_entities", json!({ "from": "Linh", "into": "Hùng" }));
    let people = client.ok("list_entities", json!({ "type": "person" }));
    assert_eq!(people["total"], 1, "{people}");
}

#[test]
fn the_list_of_days_of_a_long_diary_is_bounded() {
    let kioku = Kioku::new();
    let first = jiff::civil::date(2020, 1, 1);
    for day in first.series(jiff::Span::new().days(1)).take(1_100) {
        kioku.write(
            &format!("home/journals/personal/memory/{day}.md"),
            &format!("# Kioku — {day}\n\n---\ntime: \"{day}T09:00:00+02:00\"\n---\nTea.\n"),
        );
    }
    let answer = Client::of(&kioku, &[]).ok("list_memory_dates", json!({}));
    let days = answer["dates"].as_array().unwrap();
    assert_eq!((days.len(), &answer["more"]), (1_000, &json!(true)));
    assert_eq!(days[999]["day"], "2023-01-04", "the latest");
}

#[test]
fn wrong_arguments_are_named_and_end_nothing() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let long = "x".repeat(1_000_001);
    let wrong = [
        ("save_memory", json!({}), "missing field `text`"),
        ("save_memory", json!({ "text": " \n" }), "empty"),
        ("save_memory", json!({ "text": long }), "longer than 1000000"),
        ("save_memory", json!({ "text": "x", "mood": "a\nb" }), "one line"),
        ("save_memory", json!({ "text": "x", "tags": vec!["t"; 101] }), "more than 100"),
        ("save_memory", json!({ "text": 7 }), "expected a string"),
        ("save_memory", json!({ "text": "x", "date": "today" }), "unknown field `date`"),
        ("search_memories", json!({ "query": "x".repeat(2001) }), "longer than 2000"),
        ("search_memories", json!({ "query": " " }), "empty query"),
        ("search_memories", json!({ "query": "x", "limit": 0 }), "at least 1"),
        ("search_memories", json!({ "query": "x", "limit": -1 }), "expected u32"),
        ("search_memories", json!({ "query": "x", "date_from": "2026-02-30" }), "not a valid date"),
        ("search_memories", json!({ "query": "x", "date_from": "2026", "date_to": "2025" }), "later than the last"),
        ("get_timeline", json!({ "sort_by": "mood" }), "unknown variant `mood`"),
        ("list_entities", json!({ "type": "animal" }), "unknown type `animal`"),
        ("recall_related", json!({ "entity": "Lynh" }), "did you mean `Linh`"),
        ("recall_related", json!({ "entity": "Linh", "max_hops": 9 }), "1 to 4"),
        ("get_entry", json!({ "id": "nothing-like-it" }), "no entry"),
        ("get_entry", json!({ "id": "../../../etc/passwd" }), "no entry"),
        ("edit_memory", json!({ "id": "nothing-like-it", "text": "x" }), "no entry"),
        ("forget_memory", json!({ "id": "nothing-like-it" }), "no entry"),
        ("merge_entities", json!({ "from": "Nobody Known", "into": "Linh" }), "Nobody Known"),
        ("reflect", json!({ "date": "last year" }), "more than one day"),
        ("review", json!({ "period": "decade" }), "unknown variant `decade`"),
        ("query_graph", json!({ "query": "MATCH (a" }), "line 1, column 9"),
        ("serch_memories", json!({}), "did you mean `search_memories`"),
    ];
    for (name, arguments, expected) in wrong {
        let error = client.tool(name, arguments).unwrap_err();
        assert!(error.contains(expected), "{name}: {error}\nexpected {expected}");
    }
    assert_eq!(client.ok("list_memory_dates", json!({}))["dates"].as_array().unwrap().len(), 3);
}

#[test]
fn resources_are_listed_read_and_completed() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let uris: Vec<String> = client.resources().iter().map(|resource| resource.uri.clone()).collect();
    let fixed = ["kioku://memories/today", "kioku://stats/summary", "kioku://context", "kioku://memories/2026-08-12"];
    fixed.iter().for_each(|uri| assert!(uris.iter().any(|known| known == uri), "{uri} in {uris:?}"));
    assert_eq!(client.templates().len(), 4);
    for uri in &uris {
        client.read(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
    }
    let json = |uri: &str| -> Value { serde_json::from_str(&client.read(uri).unwrap()).unwrap() };
    assert_eq!(json("kioku://memories/today")["entries"], json!([]));
    assert_eq!(json("kioku://memories/2026-08-11")["entries"].as_array().unwrap().len(), 1);
    assert_eq!(json("kioku://stats/summary")["entries"], 3);
    assert_eq!(json("kioku://entities/heron%20lake")["known"]["name"], "Heron Lake");
    assert_eq!(json("kioku://entities/person")["entities"].as_array().unwrap().len(), 2);
    assert!(client.read("kioku://context/deadline").unwrap().contains("Hùng moved it again"));
    for uri in ["kioku://memories/1999-01-01", "kioku://memories/../x", "file:///etc/passwd", "kioku://entities/Nobody"]
    {
        let error = client.read(uri).unwrap_err();
        assert!(error.contains("no resource") && error.contains("-32002"), "{uri}: {error}");
    }
    assert_eq!(
        client.complete_resource("kioku://memories/{date}", "date", "2026-08-1"),
        ["2026-08-12", "2026-08-11", "2026-08-10"]
    );
    assert_eq!(client.complete_resource("kioku://entities/{entity}", "entity", "hu"), ["Hùng"]);
    assert_eq!(client.complete_prompt("find_why", "query", "str"), ["stressed"]);
}

#[test]
fn prompts_carry_cited_material_within_their_budget() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    let with = [
        ("reflect_on_day", json!({ "date": "2026-08-12" }), "came to Heron Lake"),
        ("weekly_review", json!({}), "\"calm\""),
        ("find_why", json!({ "query": "stressed" }), "because of the deadline"),
        ("analyze_relationships", json!({ "entity_name": "Linh" }), "\"Heron Lake\""),
    ];
    for (name, arguments, expected) in with {
        let text = client.prompt(name, arguments.clone()).unwrap();
        assert!(text.contains(expected), "{name}: {text}");
        assert!(text.contains("2026-08-1"), "{name} cites its entries: {text}");
        let mut small = arguments;
        small["budget"] = json!("200");
        let text = client.prompt(name, small).unwrap();
        let block = &text[text.find("<journal>").unwrap()..text.find("</journal>").unwrap()];
        assert!(block.len() < 200 * 4, "{name}: {block}");
    }
    for (name, arguments, expected) in [
        ("find_why", json!({}), "needs the argument `query`"),
        ("find_why", json!({ "query": "x", "who": "y" }), "no argument `who`"),
        ("reflect_on_day", json!({ "date": "the 42nd" }), "not a valid date"),
        ("weekly_review", json!({ "budget": "3" }), "`budget` is a number"),
        ("reflect_on_a_day", json!({}), "did you mean `reflect_on_day`"),
        ("analyze_relationships", json!({ "entity_name": "Nobody" }), "-32602"),
    ] {
        let error = client.prompt(name, arguments).unwrap_err();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn two_servers_and_the_command_line_see_each_others_entries() {
    let kioku = journal();
    let (one, other) = (Client::of(&kioku, &[]), Client::of(&kioku, &[]));
    one.ok("save_memory", json!({ "text": "The heron stood still." }));
    let found = other.ok("search_memories", json!({ "query": "heron stood" }));
    assert_eq!(found["hits"][0]["text"], "The heron stood still.");
    other.ok("save_memory", json!({ "text": "Two ducks came." }));
    kioku.add(&["A frog, too."]);
    for (client, query) in [(&one, "ducks"), (&one, "frog"), (&other, "frog")] {
        let found = client.ok("search_memories", json!({ "query": query }));
        assert!(found["hits"][0]["text"].as_str().unwrap().contains(query), "{query}: {found}");
    }
}

#[test]
fn a_subscribed_day_is_notified_when_another_program_writes() {
    let kioku = journal();
    let client = Client::of(&kioku, &[]);
    client.subscribe("kioku://memories/today").unwrap();
    assert!(client.subscribe("kioku://nothing").is_err());
    kioku.add(&["A frog, too."]);
    let told = client.notifications(2);
    assert!(told.contains(&"list".to_owned()) && told.contains(&"kioku://memories/today".to_owned()), "{told:?}");
}

#[test]
fn the_python_sdk_finds_every_answer_valid() {
    let python = std::env::var("KIOKU_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_sdk = Command::new(&python).args(["-c", "import mcp"]).output().is_ok_and(|output| output.status.success());
    if !has_sdk {
        eprintln!("skipped: no Python with the package `mcp` (KIOKU_TEST_PYTHON names one)");
        return;
    }
    let kioku = journal();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/client.py");
    let server = kioku.command(&["mcp"]);
    let mut run = Command::new(&python);
    run.arg(script).arg(env!("CARGO_BIN_EXE_kioku"));
    for (name, value) in server.get_envs() {
        match value {
            Some(value) => run.env(name, value),
            None => run.env_remove(name),
        };
    }
    let output = run.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("19 tools"), "{out}\n{err}");
}
