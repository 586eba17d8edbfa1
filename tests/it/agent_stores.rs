//! `kioku import` of the databases of claude-mem and Remy, made here with the tables and columns of these programs.

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::cli::Kioku;

/// A database of claude-mem: a session with prompts, an observation, a summary; an observation of a session that is not
/// listed.
pub fn claude_mem(path: &Path) {
    let tables = "
        CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
            memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude',
            user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
            completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER,
            prompt_counter INTEGER DEFAULT 0, custom_title TEXT);
        CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
            project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT,
            narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
            discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, merged_into_project TEXT, created_at TEXT NOT NULL,
            created_at_epoch INTEGER NOT NULL, UNIQUE(memory_session_id, content_hash));
        CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
            project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
            files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
            created_at_epoch INTEGER NOT NULL);
        CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
            prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
            created_at_epoch INTEGER NOT NULL);
        CREATE TABLE directives (id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL);";
    let rows = r#"
        INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, user_prompt, started_at,
            started_at_epoch) VALUES
            ('agent-1', 'memory-1', 'kioku', 'Fix the parser', '2026-08-10T08:00:00.000Z', 1786348800000),
            ('agent-2', NULL, 'lake', 'Draw the lake', 'yesterday', 1786352400000);
        INSERT INTO user_prompts VALUES
            (1, 'agent-1', 1, 'Fix the parser', '2026-08-10T08:00:01.000Z', 1786348801000),
            (2, 'agent-1', 2, '  ', '2026-08-10T08:20:00.000Z', 1786350000000);
        INSERT INTO observations (memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts,
            files_read, files_modified, content_hash, merged_into_project, created_at, created_at_epoch) VALUES
            ('memory-1', 'kioku', NULL, 'bugfix', 'Off by one in the parser', NULL, '["Heads end early", ""]',
                'The loop stopped one line before the end.', '["gotcha", "two\nlines"]', '[]', '["src/head.rs"]', 'a', NULL, '2026-08-10T08:10:00.000Z', 1786349400000),
            ('memory-9', 'branch', 'Only a text', 'discovery', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'b', 'kioku',
                'no time', 1786349460000),
            ('memory-1', 'kioku', 'Lost', 'change', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'c', NULL, '', '');
        INSERT INTO session_summaries (memory_session_id, project, request, learned, next_steps, files_edited,
            created_at, created_at_epoch) VALUES ('memory-1', 'kioku', 'Fix the parser', 'Heads end early.',
            'Fuzz it.', '["src/head.rs"]', '2026-08-10T08:30:00.000Z', 1786350600000);
        INSERT INTO directives (content) VALUES ('Always run the tests');"#;
    Connection::open(path).unwrap().execute_batch(&format!("{tables}{rows}")).unwrap();
}

/// A database of Remy with one user: current table, and tables of older versions that were copied in part.
pub fn remy(path: &Path) {
    let tables = "
        CREATE TABLE users (user_id INTEGER PRIMARY KEY, username TEXT);
        CREATE TABLE conversations (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL,
            session_key TEXT NOT NULL, summary TEXT, started_at TEXT NOT NULL, ended_at TEXT, message_count INTEGER);
        CREATE TABLE facts (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, category TEXT NOT NULL,
            content TEXT NOT NULL, confidence REAL, embedding_id INTEGER, created_at TEXT, updated_at TEXT);
        CREATE TABLE goals (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, title TEXT NOT NULL,
            description TEXT, status TEXT, embedding_id INTEGER, created_at TEXT, updated_at TEXT);
        CREATE TABLE knowledge (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL,
            entity_type TEXT NOT NULL, content TEXT NOT NULL, metadata TEXT NOT NULL DEFAULT '{}', confidence REAL,
            embedding_id INTEGER, created_at TEXT, updated_at TEXT, source_session TEXT);
        CREATE TABLE counters (user_id INTEGER, name TEXT, value INTEGER);";
    let rows = r#"
        INSERT INTO knowledge (user_id, entity_type, content, metadata, created_at, updated_at, source_session) VALUES
            (7, 'fact', 'Lives by the lake', '{"category": "location", "mood": "calm"}', '2026-03-01 20:15:00', '', 's1'),
            (7, 'goal', 'Learn to swim', '{"status": "active", "description": "Twice a week"}', '2026-03-02 08:00:00', '', NULL),
            (7, 'goal', 'Build a boat', '{"status": "completed"}', '2026-03-02 09:00:00', '2026-04-05 10:00:00', NULL),
            (7, 'shopping_item', 'oat milk', '{}', '2026-03-03 08:00:00', '', NULL),
            (7, 'recipe', 'Soup', 'not JSON', '2026-03-04 08:00:00', '', NULL);
        INSERT INTO facts VALUES (1, 7, 'location', 'lives by the LAKE', 1.0, NULL, '2025-01-01 08:00:00', ''),
            (2, 7, 'name', 'Linh', 1.0, NULL, '2025-01-02 08:00:00', ''), (3, 7, 'name', 'Late', 1.0, NULL, 'soon', '');
        INSERT INTO goals VALUES (1, 7, 'Row', NULL, 'abandoned', NULL, '2025-01-03 08:00:00', '2025-02-03 08:00:00');
        INSERT INTO conversations VALUES (1, 7, 'user_7', 'Talked about boats.', '2025-01-04 08:00:00', NULL, 4),
            (2, 7, 'user_7', NULL, '2025-01-05 08:00:00', NULL, 4);
        INSERT INTO counters VALUES (7, 'days', 12);"#;
    Connection::open(path).unwrap().execute_batch(&format!("{tables}{rows}")).unwrap();
}

fn imported(format: &str, make: fn(&Path)) -> (Kioku, Vec<Value>, String) {
    let kioku = Kioku::new();
    let path = kioku.path("store.db");
    make(Path::new(&path));
    assert!(kioku.run(&["import", "jsonl", &path]).fails(1).contains(&format!("`kioku import {format}`")));
    let told = kioku.run(&["import", "auto", &path]);
    assert!(told.err.contains(&format!("format: {format}")), "{}", told.err);
    let again = kioku.run(&["import", format, &path]).ok();
    assert!(again.contains("0 added"), "{again}");
    let listed = kioku.run(&["record", "list", "--all", "--json"]).json()["records"].as_array().unwrap().clone();
    let turns = kioku.run(&["record", "list", "conversation", "--all", "--json"]).json()["records"].clone();
    let all: Vec<Value> = listed.into_iter().chain(turns.as_array().unwrap().clone()).collect();
    assert_eq!(kioku.run(&["entities", "--json"]).out, "{\"v\":1,\"entities\":[]}\n", "nothing is read from records");
    (kioku, all, told.err)
}

fn one<'r>(records: &'r [Value], text: &str) -> &'r Value {
    records.iter().find(|record| record["text"].as_str().unwrap().starts_with(text)).unwrap_or_else(|| {
        panic!("{text} in {records:#?}");
    })
}

#[test]
fn what_claude_mem_saw_becomes_findings_and_turns_with_project_and_session() {
    let (kioku, records, told) = imported("claude-mem", claude_mem);
    assert_eq!(records.len(), 5, "{records:#?}");
    let fix = one(&records, "Off by one");
    assert_eq!(
        fix["text"],
        "Off by one in the parser\n\nThe loop stopped one line before the end.\n\n- Heads end early\n\nChanged: `src/head.rs`"
    );
    let keys = |record: &Value| {
        ["kind", "category", "role", "project", "session", "source"].map(|key| record["record"][key].clone())
    };
    let null = Value::Null;
    let fields = |words: [&str; 6]| words.map(|word| if word.is_empty() { null.clone() } else { json!(word) });
    assert_eq!(keys(fix), fields(["finding", "bugfix", "", "kioku", "agent-1", "claude-mem"]));
    assert_eq!((&fix["tags"], &fix["day"]), (&json!(["gotcha", "two lines"]), &json!("2026-08-10")));
    assert_eq!(
        keys(one(&records, "Only a text")),
        fields(["finding", "discovery", "", "kioku", "memory-9", "claude-mem"])
    );
    let prompt = records.iter().find(|record| record["text"] == "Fix the parser").unwrap();
    assert_eq!(keys(prompt), fields(["conversation", "", "user", "kioku", "agent-1", "claude-mem"]));
    let summary = one(&records, "Fix the parser\n\nLearned: Heads end early.\n\nNext steps: Fuzz it.\n\nChanged: ");
    assert_eq!(keys(summary), fields(["conversation", "", "summary", "kioku", "agent-1", "claude-mem"]));
    // The session that has no prompts of its own.
    assert_eq!(
        keys(one(&records, "Draw the lake")),
        fields(["conversation", "", "user", "lake", "agent-2", "claude-mem"])
    );
    for loss in ["no valid time", "a record without text", "`directives` is not kept (1 time)"] {
        assert!(told.contains(loss), "{loss}: {told}");
    }
    assert!(kioku.run(&["search", "record:finding parser"]).ok().contains("Off by one"));
}

#[test]
fn an_older_database_of_claude_mem_is_read_by_the_columns_it_has() {
    let kioku = Kioku::new();
    let path = kioku.path("old.db");
    let made = "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, claude_session_id TEXT, sdk_session_id TEXT,
            project TEXT, user_prompt TEXT, started_at TEXT, started_at_epoch INTEGER);
        CREATE TABLE observations (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, text TEXT, type TEXT,
            created_at TEXT, created_at_epoch INTEGER);
        INSERT INTO sdk_sessions VALUES (1, 'agent-1', 'memory-1', 'kioku', NULL, '2025-10-01T08:00:00Z', 0);
        INSERT INTO observations VALUES (1, 'memory-1', '', 'Chose SQLite', 'decision', '2025-10-01T08:01:00Z', 0);";
    Connection::open(&path).unwrap().execute_batch(made).unwrap();
    kioku.run(&["import", "claude-mem", &path]).ok();
    let record = kioku.run(&["record", "list", "--json"]).json()["records"][0].clone();
    assert_eq!((&record["text"], &record["record"]["session"]), (&json!("Chose SQLite"), &json!("agent-1")));
    assert_eq!((&record["record"]["project"], &record["day"]), (&json!("kioku"), &json!("2025-10-01")));
}

#[test]
fn what_remy_knows_becomes_facts_goals_and_items_once() {
    let (kioku, records, told) = imported("remy", remy);
    assert_eq!(records.len(), 8, "{records:#?}");
    let key = |text: &str, key: &str| one(&records, text)["record"][key].clone();
    assert_eq!((key("Lives by", "kind"), key("Lives by", "category")), (json!("fact"), json!("location")));
    assert_eq!((key("Lives by", "session"), key("Linh", "category")), (json!("s1"), json!("name")));
    assert_eq!(one(&records, "Lives by")["time"], "2026-03-01T22:15:00+02:00", "the clock of Remy is in UTC");
    assert_eq!(one(&records, "Learn")["text"], "Learn to swim\n\nTwice a week");
    assert_eq!(
        (key("Learn", "status"), key("Build", "status"), key("Row", "status")),
        (json!("open"), json!("done"), json!("dropped"))
    );
    assert_eq!((key("Build", "closed"), key("oat", "list")), (json!("2026-04-05"), json!("shopping")));
    assert_eq!((key("Soup", "kind"), key("Soup", "category")), (json!("note"), json!("recipe")));
    assert_eq!((key("Talked", "kind"), key("Talked", "role")), (json!("conversation"), json!("summary")));
    for loss in ["no valid time", "`mood` is not kept (1 time)", "`counters` is not kept (1 time)"] {
        assert!(told.contains(loss), "{loss}: {told}");
    }
    assert!(kioku.run(&["record", "list", "item"]).ok().contains("oat milk"));
}

#[test]
fn the_records_of_several_users_of_remy_are_never_mixed() {
    let kioku = Kioku::new();
    let path = kioku.path("remy.db");
    remy(Path::new(&path));
    let other = "INSERT INTO knowledge (user_id, entity_type, content, created_at) VALUES (8, 'fact', 'Other', '2026-03-01 08:00:00')";
    Connection::open(&path).unwrap().execute_batch(other).unwrap();
    let told = kioku.run(&["import", "remy", &path]).fails(2);
    assert!(told.contains("several users: 7, 8") && told.contains("--user NAME"), "{told}");
    assert!(kioku.run(&["import", "remy", &path, "--user", "9"]).fails(2).contains("no user `9`; users: 7, 8"));
    assert!(!kioku.journal().exists(), "nothing is written");
    assert!(kioku.run(&["import", "remy", &path, "--user", "8"]).ok().contains("1 added"));
    assert!(kioku.run(&["import", "jsonl", &path, "--user", "8"]).fails(2).contains("several users"));
}

#[test]
fn a_database_without_content_is_a_failure_with_its_path() {
    let kioku = Kioku::new();
    let path = kioku.path("empty.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE sdk_sessions (id); CREATE TABLE observations (id)")
        .unwrap();
    assert!(kioku.run(&["import", "claude-mem", &path]).fails(1).contains("empty.db"));
}

#[test]
fn a_missing_file_is_named_as_missing() {
    let kioku = Kioku::new();
    let path = kioku.path("gone.db");
    for format in ["claude-mem", "remy", "tui-journal", "jsonl", "auto"] {
        let said = kioku.run(&["import", format, &path]).fails(1);
        assert!(said.contains("gone.db: No such file") && !said.contains("database"), "{format}: {said}");
    }
}
