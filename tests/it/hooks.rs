//! Hooks of a coding agent through the real binary: a made-up day replayed, killed at random, and the agent's settings.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::cli::{Kioku, Outcome, finish};

/// The events as kioku and as the agent name them.
fn event(name: &str, session: &str, more: Value) -> (String, Vec<u8>) {
    let mut json =
        json!({"session_id": session, "cwd": "/code/app", "transcript_path": "/nowhere", "hook_event_name": name});
    json.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    (name.to_owned(), serde_json::to_vec(&json).unwrap())
}

fn prompt(session: &str, text: &str) -> (String, Vec<u8>) {
    event("user-prompt", session, json!({"prompt": text}))
}

fn tool(session: &str, tool: &str, input: Value) -> (String, Vec<u8>) {
    event("tool-use", session, json!({"tool_name": tool, "tool_input": input, "tool_response": {"stdout": "noise"}}))
}

fn stop(session: &str, text: &str) -> (String, Vec<u8>) {
    event("stop", session, json!({"stop_hook_active": false, "last_assistant_message": text}))
}

impl Kioku {
    fn hook(&self, (name, json): &(String, Vec<u8>)) -> Outcome {
        self.piped(&["hook", name], json)
    }

    fn drain(&self) -> String {
        self.run(&["hook", "drain"]).ok()
    }

    fn conversation(&self) -> Vec<Value> {
        self.drain();
        let listed = self.run(&["--journal", "agents", "record", "list", "conversation", "--json"]);
        let listed: Value = serde_json::from_str(&listed.out).unwrap_or_else(|_| panic!("{listed:?}"));
        listed["records"].as_array().unwrap().clone()
    }

    fn hooks_folder(&self) -> PathBuf {
        self.home.path().join("home/state/hooks")
    }
}

fn roles(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["record"]["role"].as_str().unwrap()).collect()
}

fn text(record: &Value) -> &str {
    record["text"].as_str().unwrap()
}

/// A day of an agent: two turns with tools, a prompt that is sent twice, and an end.
fn day(session: &str) -> Vec<(String, Vec<u8>)> {
    vec![
        event("session-start", session, json!({"source": "startup"})),
        prompt(session, "Rename the parser to reader. The token is <private>hunter2</private>."),
        tool(session, "Read", json!({"file_path": "/code/app/src/parser.rs"})),
        tool(session, "Edit", json!({"file_path": "/code/app/src/parser.rs", "new_string": "x"})),
        tool(session, "Edit", json!({"file_path": "/code/app/src/parser.rs", "new_string": "y"})),
        tool(session, "Bash", json!({"command": "cargo test\necho hunter2"})),
        stop(session, "The parser is now called reader. All tests of the reader pass."),
        stop(session, "The parser is now called reader. All tests of the reader pass."),
        prompt(session, "Add a test for empty input"),
        prompt(session, "Add a test for empty input"),
        tool(session, "Write", json!({"file_path": "/code/app/tests/empty.rs", "content": "z"})),
        stop(session, "Added a test that the reader accepts empty input."),
        event("session-end", session, json!({"reason": "exit"})),
    ]
}

#[test]
fn a_day_of_an_agent_becomes_prompts_turns_and_a_summary_in_a_journal_of_its_own() {
    let kioku = Kioku::new();
    for event in day("s1") {
        let outcome = kioku.hook(&event);
        assert_eq!((outcome.code, outcome.out.as_str()), (0, ""), "{outcome:?}");
    }
    let records = kioku.conversation();
    assert_eq!(roles(&records), ["user", "assistant", "user", "assistant", "summary"], "{records:#?}");
    assert_eq!(text(&records[0]), "Rename the parser to reader. The token is .");
    assert_eq!(
        text(&records[1]),
        "The parser is now called reader. All tests of the reader pass.\n\nChanged: `src/parser.rs`\nRead: `src/parser.rs`\nRan: `cargo test`"
    );
    assert!(
        text(&records[4]).starts_with("Asked: Rename the parser to reader. The token is ."),
        "{}",
        text(&records[4])
    );
    assert!(text(&records[4]).contains("Changed: `src/parser.rs`, `tests/empty.rs`"), "{}", text(&records[4]));
    for record in &records {
        assert_eq!(record["record"]["project"], "app");
        assert_eq!(record["record"]["session"], "s1");
    }
    assert!(!kioku.journal().exists(), "the diary stays a diary");
    assert!(kioku.drain().contains("0 records written"));
}

#[test]
fn the_next_session_of_the_project_starts_with_what_the_last_one_left() {
    let kioku = Kioku::new();
    day("s1").iter().for_each(|event| drop(kioku.hook(event)));
    kioku.drain();
    let start = |cwd: &str| {
        let (name, _) = event("session-start", "s2", json!({}));
        let json = json!({"session_id": "s2", "cwd": cwd, "source": "startup"});
        kioku.hook(&(name, serde_json::to_vec(&json).unwrap())).ok()
    };
    let answer: Value = serde_json::from_str(&start("/code/app")).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SessionStart");
    let block = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(block.contains("Asked: Rename the parser") && block.ends_with("</journal>"), "{block}");
    assert_eq!(start("/code/other"), "", "another project gets nothing");
}

#[test]
fn two_projects_of_one_name_are_told_apart_and_a_moved_one_keeps_its_records() {
    let kioku = Kioku::new();
    let folder = |name: &str| {
        let folder = PathBuf::from(kioku.path(name));
        fs::create_dir_all(folder.join(".git")).unwrap();
        folder
    };
    let (work, home) = (folder("work/app"), folder("side/app"));
    // A record of kioku's from before, or of another program, has the name alone.
    kioku.run(&["--journal", "agents", "record", "note", "The old note", "--project", "app"]).ok();
    let send = |name: &str, folder: &PathBuf, text: &str| {
        let outcome = kioku.hook(&event(name, "s1", json!({"cwd": folder, "prompt": text})));
        kioku.drain();
        outcome.ok()
    };
    send("user-prompt", &work, "Rename the parser");
    send("user-prompt", &home, "Water the plants");
    let start = |folder: &PathBuf| send("session-start", folder, "");
    let (at_work, at_home) = (start(&work), start(&home));
    assert!(at_work.contains("The old note") && at_work.contains("Rename the parser"), "{at_work}");
    assert!(!at_work.contains("plants"), "{at_work}");
    assert!(at_home.contains("Water the plants") && !at_home.contains("parser"), "{at_home}");
    assert!(!at_home.contains("The old note"), "{at_home}");
    // From a folder in the repository as well.
    fs::create_dir(work.join("src")).unwrap();
    assert_eq!(start(&work.join("src")), at_work);
    let moved = PathBuf::from(kioku.path("moved/app"));
    fs::create_dir(kioku.path("moved")).unwrap();
    fs::rename(&work, &moved).unwrap();
    assert_eq!(start(&moved), at_work);
    assert_eq!(start(&home), at_home);
}

#[test]
fn a_session_without_an_end_is_summarised_when_another_one_of_its_project_begins() {
    let kioku = Kioku::new();
    let at = |clock: &str, (name, json): (String, Vec<u8>)| {
        let mut command = kioku.command(&["hook", &name]);
        command.env("KIOKU_NOW", format!("2026-08-14T{clock}:00+02:00"));
        assert_eq!(finish(command, &json).code, 0);
        kioku.drain();
    };
    let patch = "*** Begin Patch\n*** Update File: src/reader.rs\n+x\n*** End Patch";
    at("09:00", prompt("c1", "Rename the parser to reader"));
    at("09:01", tool("c1", "apply_patch", json!({"command": patch})));
    at("09:02", stop("c1", "The parser is now called reader."));
    at("09:10", prompt("c2", "A session beside it"));
    assert_eq!(roles(&kioku.conversation()), ["user", "assistant", "user"], "the other one may still go on");
    at("11:00", prompt("c3", "Add a test"));
    at("11:01", prompt("c3", "Run it"));
    let records = kioku.conversation();
    assert_eq!(roles(&records), ["user", "assistant", "user", "summary", "summary", "user", "user"], "{records:#?}");
    assert_eq!(text(&records[1]), "The parser is now called reader.\n\nChanged: `src/reader.rs`");
    assert!(text(&records[3]).contains("Changed: `src/reader.rs`"), "{}", text(&records[3]));
    assert_eq!(records[3]["record"]["session"], "c1");
}

#[test]
fn private_parts_reach_neither_the_queue_nor_the_journal() {
    let kioku = Kioku::new();
    let events = [
        prompt("s1", "key <private>hunter2</private> end"),
        prompt("s1", "<PRIVATE>hunter2"),
        tool("s1", "Bash", json!({"command": "login <private>hunter2</private>"})),
        tool("s1", "Read", json!({"file_path": "/x/<private>hunter2</private>"})),
        stop("s1", "Used <private>hunter2</private>."),
    ];
    for event in &events {
        kioku.hook(event);
        let leaks = everything(&kioku);
        assert!(!leaks.contains("hunter2"), "{leaks}");
    }
    kioku.drain();
    let all = everything(&kioku);
    assert!(all.contains("key  end") && !all.contains("hunter2"), "{all}");
}

/// The bytes of all files of the home folder.
fn everything(kioku: &Kioku) -> String {
    let mut open = vec![kioku.home.path().to_owned()];
    let mut all = String::new();
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(folder).into_iter().flatten().flatten() {
            if item.path().is_dir() {
                open.push(item.path());
            } else {
                all.push_str(&String::from_utf8_lossy(&fs::read(item.path()).unwrap_or_default()));
            }
        }
    }
    all
}

#[test]
fn an_agent_is_never_refused_whatever_it_sends() {
    let kioku = Kioku::new();
    for json in [&b""[..], b"{", b"\xff\xfe", b"[]", b"{\"session_id\":\"\"}", &[b'['; 100_000]] {
        for name in ["session-start", "user-prompt", "tool-use", "stop", "session-end"] {
            let outcome = kioku.hook(&(name.to_owned(), json.to_vec()));
            assert_eq!((outcome.code, outcome.out.as_str()), (0, ""), "{name} {outcome:?}");
        }
    }
    let log = fs::read_to_string(kioku.hooks_folder().join("log")).unwrap();
    assert!(log.contains("user-prompt: not the JSON of an agent"), "{log}");
    // A broken configuration, a home that is a file.
    kioku.write("config.toml", "nonsense = [");
    assert_eq!(kioku.hook(&prompt("s1", "x")).code, 0);
    let file = kioku.write("file", "");
    assert_eq!(kioku.piped(&["--home", &file, "hook", "user-prompt"], &prompt("s1", "x").1).code, 0);
    // Typed by a person, a wrong event is an error, but not the one that an agent takes for a refusal.
    let wrong = kioku.run(&["hook", "user-promt"]).fails(1);
    assert!(wrong.contains("user-prompt"), "{wrong}");
}

#[test]
fn an_event_returns_while_the_journal_is_locked_and_while_stdin_stays_open() {
    let kioku = Kioku::new();
    kioku.hook(&prompt("s1", "first"));
    kioku.drain();
    let lock = fs::File::options().write(true).open(kioku.home.path().join("home/journals/agents/.lock")).unwrap();
    lock.lock().unwrap();
    let started = Instant::now();
    assert_eq!(kioku.hook(&prompt("s1", "second")).code, 0);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    drop(lock);
    let mut child = kioku.command(&["hook", "user-prompt"]).stdin(Stdio::piped()).spawn().unwrap();
    let open = child.stdin.take();
    let started = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    drop(open);
    assert_eq!(kioku.conversation().iter().map(text).collect::<Vec<_>>(), ["first", "second"]);
}

/// Kills at a step of writing: an event that returned 0 is written once, and the others at most once.
#[allow(clippy::print_stdout, reason = "the figures are the result of the long run")]
fn killed(kills: u64, seed: u64) {
    let kioku = Kioku::new();
    let mut random = seed;
    let mut dice = |sides: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % sides
    };
    let (mut sent, mut died) = (BTreeSet::new(), 0);
    let mut nth = 0;
    while died < kills {
        nth += 1;
        let text = format!("prompt number {nth}.");
        let is_event = dice(2) == 0;
        let mut command = match is_event {
            true => kioku.command(&["hook", "user-prompt"]),
            false => kioku.command(&["hook", "drain"]),
        };
        command.env("KIOKU_FAULT", (1 + dice(24)).to_string());
        let outcome = finish(command, &prompt("s1", &text).1);
        died += u64::from(outcome.code != 0);
        if is_event && outcome.code == 0 {
            sent.insert(text);
        }
    }
    let written = kioku.conversation();
    let texts: Vec<&str> = written.iter().map(text).collect();
    let once: BTreeSet<&str> = texts.iter().copied().collect();
    assert_eq!(texts.len(), once.len(), "none is written twice");
    let lost: Vec<&String> = sent.iter().filter(|text| !once.contains(text.as_str())).collect();
    let log = fs::read_to_string(kioku.hooks_folder().join("log")).unwrap_or_default();
    println!("{died} kills, {} acknowledged, {} written, {} lost", sent.len(), texts.len(), lost.len());
    assert!(lost.is_empty(), "{lost:?}\n{log}");
}

#[test]
#[cfg(debug_assertions)]
fn no_acknowledged_event_is_lost_to_kills() {
    killed(25, 7);
}

#[test]
#[cfg(debug_assertions)]
#[ignore = "takes minutes: cargo test --features lab --test it -- --ignored hooks"]
fn no_acknowledged_event_is_lost_to_a_thousand_kills() {
    std::thread::scope(|scope| (0..4).for_each(|seed| drop(scope.spawn(move || killed(250, seed)))));
}

#[test]
fn installing_asks_keeps_what_is_there_and_is_taken_back_to_the_byte() {
    let kioku = Kioku::new();
    let users = "{\n    \"model\": \"opus\",\n    \"hooks\": {\"Stop\": [], \"PreToolUse\": [{\"hooks\": []}]}\n}";
    let settings = kioku.write(".claude/settings.json", users);
    let refused = kioku.run(&["hook", "install", "claude-code"]).fails(2);
    assert!(refused.contains("--yes") && fs::read_to_string(&settings).unwrap() == users, "{refused}");
    let shown = kioku.run(&["hook", "install", "claude-code", "--dry-run"]).ok();
    assert!(shown.contains("hook user-prompt") && fs::read_to_string(&settings).unwrap() == users);
    kioku.run(&["hook", "install", "claude-code", "--yes"]).ok();
    let installed = fs::read_to_string(&settings).unwrap();
    assert_eq!(installed.matches(" hook ").count(), 5, "{installed}");
    assert_eq!(fs::read_to_string(kioku.path(".claude/settings.json.before-kioku")).unwrap(), users);
    let again = kioku.run(&["hook", "install", "claude-code", "--yes"]);
    assert!(
        again.err.contains("installed already") && fs::read_to_string(&settings).unwrap() == installed,
        "{again:?}"
    );
    kioku.run(&["hook", "uninstall", "claude-code", "--yes"]).ok();
    assert_eq!(fs::read_to_string(&settings).unwrap(), users);
    assert!(!PathBuf::from(kioku.path(".claude/settings.json.before-kioku")).exists());
    // What the user changed meanwhile stays.
    kioku.run(&["hook", "install", "claude-code", "--yes"]).ok();
    let changed = fs::read_to_string(&settings).unwrap().replace("opus", "haiku");
    fs::write(&settings, changed).unwrap();
    kioku.run(&["hook", "uninstall", "claude-code", "--yes"]).ok();
    let left: Value = serde_json::from_str(&fs::read_to_string(&settings).unwrap()).unwrap();
    assert_eq!(left["model"], "haiku");
    assert!(!left.to_string().contains("kioku"), "{left}");
}

#[test]
fn settings_with_comments_keep_them() {
    let kioku = Kioku::new();
    let users = "{\n  // mine\n  \"ui\": { \"theme\": \"GitHub\" }, /* dark */\n}\n";
    let settings = kioku.write(".gemini/settings.json", users);
    kioku.run(&["hook", "install", "gemini-cli", "--yes"]).ok();
    let installed = fs::read_to_string(&settings).unwrap();
    assert!(installed.contains("// mine") && installed.contains("/* dark */"), "{installed}");
    assert_eq!(installed.matches(" hook ").count(), 5, "{installed}");
    kioku.run(&["hook", "uninstall", "gemini-cli", "--yes"]).ok();
    assert_eq!(fs::read_to_string(&settings).unwrap(), users);
}

#[test]
fn a_kioku_that_moved_takes_over_its_hooks_and_the_settings_from_before_come_back() {
    let kioku = Kioku::new();
    let users = "{\n    \"model\": \"opus\"\n}";
    let settings = kioku.write(".claude/settings.json", users);
    kioku.run(&["hook", "install", "claude-code", "--yes"]).ok();
    let program = env!("CARGO_BIN_EXE_kioku");
    let moved = fs::read_to_string(&settings).unwrap().replace(program, "/elsewhere/kioku");
    assert!(!moved.contains(program), "{moved}");
    fs::write(&settings, moved).unwrap();
    kioku.run(&["hook", "install", "claude-code", "--yes"]).ok();
    let installed = fs::read_to_string(&settings).unwrap();
    assert!(installed.matches(program).count() == 5 && !installed.contains("elsewhere"), "{installed}");
    kioku.run(&["hook", "uninstall", "claude-code", "--yes"]).ok();
    assert_eq!(fs::read_to_string(&settings).unwrap(), users);
}

#[test]
fn the_journal_named_at_the_installation_is_the_one_that_the_hooks_write_to() {
    let kioku = Kioku::new();
    let home = kioku.path("other home");
    let place = ["--home", &home, "--journal", "work"];
    let install = |what: &str| kioku.run(&[&place[..], &["hook", what, "claude-code", "--yes"]].concat());
    install("install").ok();
    let settings = kioku.path(".claude/settings.json");
    let settings: Value = serde_json::from_str(&fs::read_to_string(settings).unwrap()).unwrap();
    let command = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"].as_str().unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).env("HOME", kioku.home.path());
    assert_eq!(finish(shell, &prompt("s1", "Rename it").1).code, 0);
    let list = [&place[..], &["hook", "drain"]].concat();
    kioku.run(&list).ok();
    let list = [&place[..], &["record", "list", "conversation", "--json"]].concat();
    assert_eq!(kioku.run(&list).json()["records"][0]["text"], "Rename it");
    assert!(install("install").err.contains("installed already"));
    install("uninstall").ok();
    assert!(!PathBuf::from(kioku.path(".claude/settings.json")).exists());
}

#[test]
fn a_settings_file_that_was_not_there_is_gone_again() {
    let kioku = Kioku::new();
    let path = PathBuf::from(kioku.path(".claude/settings.json"));
    kioku.run(&["hook", "install", "claude-code", "--yes"]).ok();
    assert!(path.exists());
    kioku.run(&["hook", "uninstall", "claude-code", "--yes"]).ok();
    assert!(!path.exists());
    kioku.write(".claude/settings.json", "{ not json");
    let refused = kioku.run(&["hook", "install", "claude-code", "--yes"]).fails(1);
    assert!(refused.contains("not valid JSON"), "{refused}");
}
