//! The real binary, run as from a shell: streams, exit codes, JSON shapes, round trips.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

const NOW: &str = "2026-08-14T12:00:00+02:00";

/// A home folder of its own, isolated from the machine's settings.
pub struct Kioku {
    pub home: TempDir,
}

/// Result of one run.
#[derive(Debug)]
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Outcome {
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!(self.code, code, "{self:?}");
        self.err
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

impl Kioku {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_kioku"), arguments)
    }

    /// The second binary, as [`Self::run`] runs the first.
    #[cfg(feature = "lab")]
    pub fn lab(&self, arguments: &[&str]) -> Outcome {
        finish(self.program(env!("CARGO_BIN_EXE_kioku-lab"), arguments), b"")
    }

    fn program(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("HOME", self.home.path())
            .env("KIOKU_HOME", self.home.path().join("home"))
            .env("KIOKU_CONFIG", self.config())
            .env("KIOKU_NOW", NOW)
            .env("NO_COLOR", "1")
            .env("RUST_BACKTRACE", "0")
            .env_remove("EDITOR")
            .env_remove("VISUAL")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.piped(arguments, b"")
    }

    pub fn piped(&self, arguments: &[&str], stdin: &[u8]) -> Outcome {
        finish(self.command(arguments), stdin)
    }

    pub fn add(&self, arguments: &[&str]) -> String {
        let mut all = vec!["add"];
        all.extend(arguments);
        self.run(&all).ok().trim().to_owned()
    }

    fn config(&self) -> PathBuf {
        self.home.path().join("config.toml")
    }

    pub fn journal(&self) -> PathBuf {
        self.home.path().join("home/journals/personal")
    }

    pub fn path(&self, name: &str) -> String {
        self.home.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

pub fn finish(mut command: Command, stdin: &[u8]) -> Outcome {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A verb that does not read stdin may have exited already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn texts(entries: &Value) -> Vec<&str> {
    entries["entries"].as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect()
}

// Writing

#[test]
fn what_is_added_is_shown_word_for_word() {
    let kioku = Kioku::new();
    let id = kioku.add(&[
        "--at",
        "2026-08-13 15:00",
        "--mood",
        "calm",
        "--tag",
        "#walk",
        "--tag",
        "walk",
        "Along",
        "the canal.",
    ]);
    assert_eq!(id.len(), 10, "{id}");
    let shown = kioku.run(&["show", &id, "--json"]).json();
    assert_eq!(
        shown,
        json!({"v": 1, "entries": [{
            "id": id, "time": "2026-08-13T15:00:00+02:00", "day": "2026-08-13", "mood": "calm", "tags": ["walk"],
            "event_time": null, "text": "Along the canal.",
        }]})
    );
    assert_eq!(keys(&shown["entries"][0]), ["id", "time", "day", "mood", "tags", "event_time", "text"]);
    let human = kioku.run(&["show", &id]).ok();
    assert!(
        human.contains("2026-08-13 15:00") && human.contains("Along the canal.") && !human.contains('\x1b'),
        "{human}"
    );
}

#[test]
fn a_text_comes_through_a_pipe_with_its_lines() {
    let kioku = Kioku::new();
    for arguments in [&["add"][..], &["add", "-"]] {
        let id = kioku.piped(arguments, "First.\n\n---\ntime: 10:00 dentist\n  \u{1F33F} last\n".as_bytes()).ok();
        let shown = kioku.run(&["show", id.trim(), "--json"]).json();
        assert_eq!(texts(&shown), ["First.\n\n---\ntime: 10:00 dentist\n  \u{1F33F} last"]);
    }
}

#[test]
fn a_template_is_filled_with_the_time_of_the_entry() {
    let kioku = Kioku::new();
    let shown = |arguments: &[&str]| {
        let id = kioku.add(arguments);
        kioku.run(&["show", &id, "--json"]).json()["entries"][0].clone()
    };
    let entry = shown(&["--template", "evening", "--at", "yesterday 9pm", "A quiet one."]);
    assert!(entry["text"].as_str().unwrap().starts_with("Today in one sentence: A quiet one.\n"), "{entry}");
    assert_eq!((&entry["tags"], &entry["day"]), (&json!(["evening"]), &json!("2026-08-13")));
    fs::create_dir_all(kioku.journal().join("templates")).unwrap();
    fs::write(kioku.journal().join("templates/Dream.md"), "---\nmood: awake\n---\n{weekday} night: {cursor} end\n")
        .unwrap();
    let entry = shown(&["--template", "dream", "--tag", "sleep", "water"]);
    assert_eq!((&entry["text"], &entry["mood"]), (&json!("Friday night: water end"), &json!("awake")));
    let told = kioku.run(&["add", "--template", "nightmare", "x"]).fails(2);
    assert!(told.contains("templates: Dream, day, evening, week"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_template_left_as_it_was_is_no_entry() {
    let kioku = Kioku::new();
    assert!(kioku.run(&["add", "--template", "day"]).fails(2).contains("no text to save"));
    assert!(!kioku.journal().join("memory").exists());
}

#[test]
fn a_missing_second_copy_is_said() {
    let kioku = Kioku::new();
    fs::create_dir_all(kioku.journal().join("memory")).unwrap();
    fs::write(kioku.journal().join("recent"), "a file in its place").unwrap();
    let added = kioku.run(&["add", "safe"]);
    assert_eq!(added.code, 0);
    assert!(added.err.contains("without a second copy"), "{}", added.err);
    assert!(kioku.run(&["timeline"]).out.contains("safe"));
}

#[test]
fn adding_never_opens_the_index() {
    let kioku = Kioku::new();
    kioku.add(&["Quick."]);
    assert!(kioku.journal().join("memory/2026-08-14.md").is_file());
    assert!(!kioku.journal().join(".index").exists());
}

#[test]
fn an_event_time_becomes_the_day_that_was_meant() {
    let kioku = Kioku::new();
    let event = |given: &str| {
        let id = kioku.add(&["--event-time", given, "Told late."]);
        kioku.run(&["show", &id, "--json"]).json()["entries"][0]["event_time"].as_str().unwrap().to_owned()
    };
    assert_eq!(event("yesterday"), "2026-08-13");
    assert_eq!(event("2019"), "2019");
    assert_eq!(event("when I was small"), "when I was small");
}

#[test]
fn an_event_time_is_read_from_the_entrys_own_time() {
    let kioku = Kioku::new();
    let event = |id: &str| {
        let shown = kioku.run(&["show", id, "--json"]).json();
        shown["entries"][0]["event_time"].as_str().unwrap().to_owned()
    };
    let id = kioku.add(&["--at", "2026-03-10 09:00", "--event-time", "yesterday", "Told later."]);
    assert_eq!(event(&id), "2026-03-09");
    kioku.run(&["edit", &id, "--event-time", "2 days ago"]).ok();
    assert_eq!(event(&id), "2026-03-08");
    kioku.run(&["edit", &id, "--at", "2026-04-02 09:00", "--event-time", "yesterday"]).ok();
    assert_eq!(event(&id), "2026-04-01");
}

#[cfg(unix)]
#[test]
fn an_event_time_typed_in_the_editor_is_read_from_the_entrys_own_time() {
    let kioku = Kioku::new();
    let id = kioku.add(&["--at", "2026-03-10 09:00", "Told later."]);
    let mut command = kioku.command(&["edit", &id]);
    command.env("EDITOR", "sed -i.old 's/^event_time:.*/event_time: yesterday/'");
    finish(command, b"").ok();
    assert_eq!(kioku.run(&["show", &id, "--json"]).json()["entries"][0]["event_time"], "2026-03-09");
}

#[test]
fn the_keys_are_listed_with_the_users_own() {
    let kioku = Kioku::new();
    kioku.write("config.toml", "[keys.app]\n\"app.quit\" = [\"ctrl-x\"]\n");
    let listed = kioku.run(&["keys", "--json"]).json();
    let rows = listed["keys"].as_array().unwrap();
    assert_eq!((keys(&listed), keys(&rows[0])), (vec!["v", "keys"], vec!["part", "command", "keys", "help"]));
    let quit = rows.iter().find(|row| row["command"] == "app.quit").unwrap();
    assert_eq!(quit["keys"], json!(["ctrl-x"]));
    let part = kioku.run(&["keys", "journal"]).ok();
    assert!(part.starts_with("journal\n") && part.contains("journal.new") && !part.contains("app.quit"), "{part}");
    assert!(kioku.run(&["keys", "jurnal"]).fails(2).contains("did you mean `journal`?"));
}

#[test]
fn forgetting_a_name_says_that_it_needs_redact() {
    let kioku = Kioku::new();
    kioku.add(&["Met @Linh by the lake."]);
    let told = kioku.run(&["forget", "--entity", "Linh", "--yes"]).fails(2);
    assert!(told.contains("nothing deleted") && told.contains("--redact"), "{told}");
    assert!(kioku.run(&["forget", "--entity", "Linh"]).ok().contains("by the lake"), "without --yes it is a list");
    kioku.run(&["forget", "--entity", "Linh", "--redact", "--yes"]).ok();
    assert!(!kioku.run(&["timeline"]).ok().contains("Linh"));
}

#[cfg(unix)]
#[test]
fn what_a_killed_editor_left_is_told_and_what_was_not_typed_is_swept() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Before."]);
    let edit = |editor: &str| {
        let mut command = kioku.command(&["edit", &id]);
        command.env("EDITOR", editor);
        finish(command, b"")
    };
    // The shell between them is kioku's child: its parent is the kioku process that gets killed.
    assert_eq!(edit("kill -KILL $PPID; true").code, -1);
    let folder = kioku.home.path().join("home/state/editor");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert!(!edit("true").err.contains("interrupted editor"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing was typed");
    assert_eq!(edit("f() { echo 'An hour of writing' > \"$1\"; kill -KILL $PPID; }; f").code, -1);
    let told = edit("true").err;
    let (_, path) = told.split_once("interrupted editor is in ").unwrap();
    let path = path.split(';').next().unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "An hour of writing\n");
    assert!(kioku.run(&["doctor"]).out.contains("interrupted editor"));
    assert!(Path::new(path).exists(), "it is told until it is taken over");
}

#[test]
fn a_text_without_a_command_is_an_entry() {
    let kioku = Kioku::new();
    for (arguments, time, text) in [
        (&["yesterday", "3pm:", "Called", "the", "bank."][..], "2026-08-13T15:00:00+02:00", "Called the bank."),
        (&["Bread and soup by the lake."], "2026-08-14T12:00:00+02:00", "Bread and soup by the lake."),
        (&["yesterday 15:30: The call -- again"], "2026-08-13T15:30:00+02:00", "The call -- again"),
        (&["2026-02-22 09:15:", "snow", "--everywhere"], "2026-02-22T09:15:00+02:00", "snow --everywhere"),
        (&["Note to self: buy salt"], "2026-08-14T12:00:00+02:00", "Note to self: buy salt"),
        (&["edit went well today"], "2026-08-14T12:00:00+02:00", "edit went well today"),
    ] {
        let id = kioku.run(arguments).ok();
        let shown = kioku.run(&["show", id.trim(), "--json"]).json();
        let entry = &shown["entries"][0];
        assert_eq!((entry["time"].as_str(), entry["text"].as_str()), (Some(time), Some(text)), "{arguments:?}");
    }
}

#[test]
fn a_misspelt_command_is_a_suggestion_and_never_an_entry() {
    let kioku = Kioku::new();
    for (arguments, similar) in [
        (&["serach", "x"][..], Some("search")),
        (&["serach x"], Some("search")),
        (&["ad", "A walk"], Some("add")),
        (&["timelin"], Some("timeline")),
        (&["show:", "x"], Some("show")),
        (&["bought", "milk", "today"], None),
        (&["nonsense:", "text"], None),
        (&["walk"], None),
    ] {
        let run = kioku.run(arguments);
        let told = run.fails(2);
        assert!(told.starts_with("error: `") && told.contains("is not a command"), "{arguments:?}: {told}");
        assert_eq!(told.contains("similar: "), similar.is_some(), "{arguments:?}: {told}");
        assert!(similar.is_none_or(|command| told.contains(&format!("`kioku {command}`"))), "{arguments:?}: {told}");
    }
    assert!(kioku.run(&["entity", "mrge"]).fails(2).contains("merge"), "commands of commands are clap's");
    assert!(!kioku.journal().exists());
}

#[test]
fn nothing_to_write_is_said_and_nothing_is_written() {
    let kioku = Kioku::new();
    for arguments in [&["add"][..], &["add", "  "], &["add", "-"]] {
        assert!(kioku.run(arguments).fails(2).contains("no text to save"));
    }
    assert!(kioku.piped(&["add", "-"], b"caf\xe9").fails(1).contains("not UTF-8 (byte 4)"));
    assert!(!kioku.journal().exists());
}

#[test]
fn a_time_that_is_none_names_examples() {
    let kioku = Kioku::new();
    let told = kioku.run(&["add", "--at", "the day of days", "Text."]).fails(2);
    assert!(
        told.starts_with("error: `the day of days` is not a valid time")
            && told.contains("hint: examples: \"yesterday 3pm\""),
        "{told}"
    );
    assert!(!kioku.journal().exists());
}

#[test]
fn several_kioku_write_at_once() {
    let kioku = Kioku::new();
    let children: Vec<_> = (0..8)
        .map(|number| kioku.command(&["add", &format!("Entry {number}")]).stdout(Stdio::null()).spawn().unwrap())
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(kioku.run(&["timeline", "--json"]).json()["entries"].as_array().unwrap().len(), 8);
}

#[test]
fn flags_edit_an_entry_and_the_old_text_is_kept() {
    let kioku = Kioku::new();
    let id = kioku.add(&["--mood", "tired", "--tag", "work", "The old text."]);
    assert_eq!(kioku.run(&["edit", &id, "--text", "The new text.", "--mood", "", "--tag", "home"]).ok().trim(), id);
    let shown = kioku.run(&["show", &id, "--json"]).json();
    assert_eq!((&shown["entries"][0]["mood"], &shown["entries"][0]["tags"]), (&Value::Null, &json!(["home"])));
    assert_eq!(texts(&shown), ["The new text."]);
    let trash = kioku.run(&["trash", "--json"]).json();
    assert_eq!(
        (&trash["trash"][0]["why"], &trash["trash"][0]["entry"]["text"]),
        (&json!("edited"), &json!("The old text."))
    );
    let told = kioku.run(&["edit", &id, "--text", " "]).fails(2);
    assert!(told.contains("kioku rm"), "{told}");
    assert!(kioku.run(&["edit", &id]).fails(2).contains("needs a terminal"));
}

#[cfg(unix)]
#[test]
fn an_editor_changes_head_and_text() {
    let kioku = Kioku::new();
    let id = kioku.add(&["--mood", "tired", "Before."]);
    let script = kioku.write(
        "edit.sh",
        "sed -e 's/^mood:.*/mood: rested/' -e 's/Before/After/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n",
    );
    let edit = |editor: &str| {
        let mut command = kioku.command(&["edit", &id]);
        command.env("EDITOR", editor);
        finish(command, b"")
    };
    assert_eq!(edit(&format!("sh '{script}'")).ok().trim(), id);
    let shown = kioku.run(&["show", &id, "--json"]).json();
    assert_eq!((&shown["entries"][0]["mood"], texts(&shown)), (&json!("rested"), vec!["After."]));
    // An unchanged text is no error; the editor's file is removed each time.
    assert!(edit("true").ok().contains(&id));
    let left = fs::read_dir(kioku.home.path().join("home/state/editor")).unwrap().count();
    assert_eq!(left, 0);
}

#[cfg(unix)]
#[test]
fn what_an_editor_made_unreadable_is_kept_and_named() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Before."]);
    let script = kioku.write("break.sh", "printf 'time: noon\\nAn hour of writing\\n' > \"$1\"\n");
    let mut command = kioku.command(&["edit", &id]);
    command.env("VISUAL", format!("sh '{script}'"));
    let told = finish(command, b"").fails(1);
    let path = told.lines().find_map(|line| line.strip_prefix("hint: your text is in ")).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "time: noon\nAn hour of writing\n");
    assert_eq!(texts(&kioku.run(&["show", &id, "--json"]).json()), ["Before."]);
}

#[test]
fn a_removed_entry_comes_back() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Do not lose this."]);
    let handle = kioku.run(&["rm", &id]).ok();
    assert_eq!(kioku.run(&["show", &id]).code, 3);
    let trash = kioku.run(&["trash", "--json"]).json();
    assert_eq!(keys(&trash), ["v", "trash"]);
    assert_eq!(keys(&trash["trash"][0]), ["handle", "trashed", "why", "entry"]);
    assert_eq!(trash["trash"][0]["why"], "deleted");
    let told = kioku.run(&["trash", "--empty", "--older-than", "30q", "--yes"]).fails(2);
    assert!(told.contains("use a span such as 30d, 2w, 6mo"), "{told}");
    assert!(kioku.run(&["trash"]).ok().contains("Do not lose this."));
    assert_eq!(kioku.run(&["restore", handle.trim()]).ok().trim(), id);
    assert_eq!(texts(&kioku.run(&["show", &id, "--json"]).json()), ["Do not lose this."]);
    assert!(kioku.run(&["restore", "nothing"]).fails(3).contains("kioku trash"));
    assert!(kioku.run(&["rm", "nothing"]).fails(3).contains("no entry `nothing`"));
}

// Reading

#[test]
fn a_date_shows_its_day_and_nothing_exits_with_three() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-12 09:00", "Morning."]);
    kioku.add(&["--at", "2026-08-12 21:00", "Evening."]);
    assert_eq!(texts(&kioku.run(&["show", "2026-08-12", "--json"]).json()), ["Morning.", "Evening."]);
    assert_eq!(texts(&kioku.run(&["show", "2 days ago", "--json"]).json()), ["Morning.", "Evening."]);
    let nothing = kioku.run(&["show", "2020-01-01", "--json"]);
    assert_eq!((nothing.code, nothing.out.trim()), (3, "{\"v\":1,\"entries\":[]}"));
}

#[test]
fn several_ids_and_dates_are_shown_each() {
    let kioku = Kioku::new();
    let first = kioku.add(&["--at", "2026-08-10 09:00", "Bread."]);
    let second = kioku.add(&["--at", "2026-08-12 09:00", "Soup."]);
    kioku.add(&["--at", "2026-08-13 09:00", "Rice."]);
    let shown = kioku.run(&["show", &second, &first, "2026-08-13", "--json"]).json();
    assert_eq!(texts(&shown), ["Soup.", "Bread.", "Rice."]);
    let partly = kioku.run(&["show", &first, "zzzzzzzzzz"]);
    assert!(partly.code == 3 && partly.out.contains("Bread.") && partly.err.contains("zzzzzzzzzz"), "{partly:?}");
    assert_eq!(texts(&kioku.run(&["show", "12", "august", "2026", "--json"]).json()), ["Soup."]);
}

#[test]
fn a_time_that_two_entries_share_is_ambiguous_and_both_are_named() {
    let kioku = Kioku::new();
    kioku.write(
        "home/journals/personal/memory/2026-08-12.md",
        "# Kioku — 2026-08-12\n\n---\ntime: \"2026-08-12T09:00:00+02:00\"\n---\nOne.\n\n---\ntime: \"2026-08-12T09:00:00+02:00\"\n---\nTwo.\n",
    );
    for verb in ["show", "rm", "edit"] {
        let told = kioku.run(&[verb, "2026-08-12T09:00:00+02:00"]).fails(1);
        assert!(told.contains("names 2 entries") && told.matches("2026-08-12T09:00:00+02:00~").count() == 2, "{told}");
    }
}

#[test]
fn a_copy_in_another_file_is_named_and_what_is_changed_or_deleted_says_that_it_remains() {
    let kioku = Kioku::new();
    let ids = ["Fog.", "Rain.", "Snow."].map(|text| kioku.add(&[text]));
    let memory = kioku.journal().join("memory");
    for name in ["2026-08-14 backup.md", "2026-08-14.sync-conflict-20260814-101010-ABCDEFG.md"] {
        fs::copy(memory.join("2026-08-14.md"), memory.join(name)).unwrap();
    }
    assert_eq!(texts(&kioku.run(&["timeline", "--json"]).json()), ["Fog.", "Rain.", "Snow."]);
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("2026-08-14 backup.md:1: holds entries of another file"), "{doctor:?}");
    let told = |arguments: &[&str]| {
        let ran = kioku.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        let copies = format!("a copy of {} remains in 2026-08-14", arguments[1]);
        assert_eq!(ran.err.matches(&copies).count(), 2, "{ran:?}");
    };
    told(&["rm", &ids[0]]);
    told(&["edit", &ids[1], "--text", "Rain all day."]);
    told(&["attach", &ids[2], &kioku.write("lake.txt", "lake")]);
    let day = fs::read_to_string(memory.join("2026-08-14.md")).unwrap();
    assert!(!day.contains("Fog.") && day.contains("all day"), "the day file is changed, not its copy: {day}");
    assert!(!kioku.run(&["add", "Hail."]).err.contains("copy"));
    kioku.run(&["forget", &ids[0], "--yes"]).ok();
    let left = fs::read_dir(&memory).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    assert!(left.into_iter().all(|file| !file.contains("Fog.")), "forgotten in every copy");
}

#[test]
fn the_timeline_is_in_order_and_its_limit_keeps_the_latest() {
    let kioku = Kioku::new();
    assert_eq!(kioku.run(&["timeline"]).code, 3);
    for (at, text) in [("2026-08-12 09:00", "Second."), ("2026-08-10 09:00", "First."), ("2026-08-13 09:00", "Third.")]
    {
        kioku.add(&["--at", at, text]);
    }
    kioku.add(&["--at", "2026-08-14 09:00", "--event-time", "2019-05", "Long ago."]);
    let timeline = |arguments: &[&str]| {
        let mut all = vec!["timeline", "--json"];
        all.extend(arguments);
        let shown = kioku.run(&all).json();
        let expected: &[&str] =
            if arguments.contains(&"event") { &["v", "entries", "events"] } else { &["v", "entries"] };
        assert_eq!(keys(&shown), expected);
        texts(&shown).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(timeline(&[]), ["First.", "Second.", "Third.", "Long ago."]);
    assert_eq!(timeline(&["--limit", "2"]), ["Third.", "Long ago."]);
    assert_eq!(timeline(&["--from", "2026-08-11", "--to", "yesterday"]), ["Second.", "Third."]);
    assert_eq!(timeline(&["--sort", "event"]), ["Long ago.", "First.", "Second.", "Third."]);
    assert_eq!(timeline(&["--sort", "event", "--to", "2020"]), ["Long ago."]);
    let human = kioku.run(&["timeline"]).ok();
    assert_eq!(human.lines().count(), 4, "{human}");
    assert!(kioku.run(&["timeline", "--from", "today", "--to", "yesterday"]).fails(2).contains("later than"));
    assert!(kioku.run(&["timeline", "--from", "someday"]).fails(2).contains("not a valid date"));
    let readings = "3/11 could be 3 November or 11 March: write 2025-11-03";
    for verb in [&["add", "--at", "3/11", "x"] as &[&str], &["show", "3/11"], &["reflect", "3/11"]] {
        assert!(kioku.run(verb).fails(2).contains(readings), "{verb:?}");
    }
}

#[test]
fn a_sentence_that_tells_of_another_day_stands_on_that_day_too() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-05 09:00", "A quiet day."]);
    kioku.add(&[
        "--at",
        "2026-08-12 09:00",
        "Slept long. I was sad because @Linh left on 2026-08-03. I was tired today because of the noise.",
    ]);
    let shown = kioku.run(&["timeline", "--sort", "event", "--json"]).json();
    assert_eq!(texts(&shown).len(), 2, "each entry once: {shown}");
    let events = shown["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "what is told of the day of writing stands there already: {shown}");
    assert_eq!((&events[0]["from"], &events[0]["to"]), (&json!("2026-08-03"), &json!("2026-08-03")));
    assert_eq!(events[0]["text"], "I was sad because @Linh left on 2026-08-03.");
    assert_eq!((&events[0]["id"], &events[0]["basis"]), (&shown["entries"][1]["id"], &json!("stated")));
    let human = kioku.run(&["timeline", "--sort", "event"]).ok();
    let days: Vec<&str> = human.lines().filter_map(|line| line.get(..10)).collect();
    assert_eq!(days, ["2026-08-03", "2026-08-05", "2026-08-12"], "{human}");
    assert!(human.lines().next().is_some_and(|line| line.contains("told 2026-08-12")), "{human}");
    let before = kioku.run(&["timeline", "--sort", "event", "--to", "2026-08-04"]).ok();
    assert_eq!(before.lines().count(), 1, "{before}");
    assert_eq!(kioku.run(&["timeline", "--sort", "event", "--to", "2026-08-02"]).code, 3);
}

#[test]
fn dates_counts_the_entries_of_each_day() {
    let kioku = Kioku::new();
    for at in ["2026-08-12 09:00", "2026-08-10 09:00", "2026-08-12 10:00"] {
        kioku.add(&["--at", at, at]);
    }
    let dates = kioku.run(&["dates", "--json"]).json();
    assert_eq!(
        dates,
        json!({"v": 1, "dates": [{"day": "2026-08-10", "entries": 1}, {"day": "2026-08-12", "entries": 2}]})
    );
    assert_eq!(kioku.run(&["dates"]).ok(), "2026-08-10  1\n2026-08-12  2\n");
}

#[test]
fn a_day_begins_when_the_configuration_says() {
    let kioku = Kioku::new();
    kioku.write("config.toml", "day_start = \"04:00\"\n");
    kioku.add(&["--at", "2026-08-12 02:00", "Still up."]);
    assert_eq!(kioku.run(&["dates"]).ok(), "2026-08-11  1\n");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let kioku = Kioku::new();
    kioku.add(&["One."]);
    let mut child = kioku.command(&["timeline"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}

// Searching

pub fn small_journal() -> Kioku {
    let kioku = Kioku::new();
    kioku.add(&[
        "--at",
        "2026-08-01 09:00",
        "--mood",
        "calm",
        "--tag",
        "walk",
        "Swam in the lake with the boat beside me.",
    ]);
    kioku.add(&["--at", "2026-08-02 09:00", "--mood", "tense", "The deadline moved again, and the lake has to wait."]);
    kioku.add(&["--at", "2026-08-03 09:00", "--tag", "project x", "Nhớ bà. Cooked bún the way she did."]);
    kioku
}

#[test]
fn a_search_says_when_where_and_why() {
    let kioku = small_journal();
    let human = kioku.run(&["search", "lake", "--explain"]).ok();
    assert!(human.contains("2026-08-01 09:00") && human.contains("#walk") && human.contains("k1"), "{human}");
    assert!(human.contains("lake") && !human.contains('\x1b'), "{human}");
    let found = kioku.run(&["search", "lake", "--json", "-n", "1"]).json();
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    assert_eq!(keys(&found), ["v", "query", "took_ms", "confident", "confidence", "hits"]);
    assert_eq!(keys(&found["hits"][0]), ["id", "time", "score", "legs", "snippet", "text"]);
    assert_eq!(keys(&found["hits"][0]["legs"]), ["keyword", "vector", "graph"]);
    assert_eq!(
        (&found["v"], &found["query"], &found["hits"][0]["legs"]["keyword"]),
        (&json!(1), &json!("lake"), &json!(1))
    );
}

#[test]
fn filters_and_exclusions_narrow_a_search() {
    let kioku = small_journal();
    let found = |arguments: &[&str]| {
        let mut all = vec!["search", "--json", "--legs", "keyword"];
        all.extend(arguments);
        let ran = kioku.run(&all);
        assert!(ran.code == 0 || ran.code == 3, "{ran:?}");
        let found: Value = serde_json::from_str(&ran.out).unwrap();
        let mut days: Vec<String> = found["hits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["time"].as_str().unwrap()[..10].to_owned())
            .collect();
        days.sort();
        days
    };
    assert_eq!(found(&["lake"]), ["2026-08-01", "2026-08-02"]);
    assert_eq!(found(&["lake", "-boat"]), ["2026-08-02"]);
    assert_eq!(found(&["lake", "--mood", "calm"]), ["2026-08-01"]);
    assert_eq!(found(&["lake", "--from", "2026-08-02"]), ["2026-08-02"]);
    assert_eq!(found(&["lake", "--to", "2026-08-01"]), ["2026-08-01"]);
    assert_eq!(found(&["bún", "--tag", "project x"]), ["2026-08-03"]);
    assert_eq!(found(&["lake", "--tag", "project x"]), Vec::<String>::new());
}

#[test]
fn a_search_goes_by_day_where_asked_and_by_the_ways_named() {
    let kioku = small_journal();
    let days = |sort: &str, batch: bool| {
        let arguments = ["search", "--sort", sort, "--legs", "words,connection"];
        let found: Value = if batch {
            serde_json::from_str(&kioku.piped(&[&arguments[..], &["--batch"]].concat(), b"lake\n").ok()).unwrap()
        } else {
            kioku.run(&[&arguments[..], &["--json", "lake"]].concat()).json()
        };
        let hits = found["hits"].as_array().unwrap().clone();
        assert!(hits.iter().all(|hit| hit["legs"]["vector"].is_null()), "{hits:?}");
        hits.iter().map(|hit| hit["time"].as_str().unwrap()[..10].to_owned()).collect::<Vec<_>>()
    };
    for batch in [false, true] {
        assert_eq!(days("newest", batch), ["2026-08-02", "2026-08-01"]);
        assert_eq!(days("oldest", batch), ["2026-08-01", "2026-08-02"]);
    }
    assert!(kioku.run(&["search", "--sort", "longest", "lake"]).fails(2).contains("newest"));
}

#[test]
fn filters_alone_are_sorted_before_the_cut() {
    let kioku = small_journal();
    kioku.add(&["--at", "2026-08-04 08:00", "--mood", "calm", "Tea on the stairs."]);
    kioku.add(&["--at", "2026-08-01 08:00", "--mood", "calm", "Up before the sun."]);
    let found = |arguments: &[&str]| {
        let found = kioku.run(&[&["search", "--json", "mood:calm"], arguments].concat()).json();
        let hits = found["hits"].as_array().unwrap().clone();
        hits.iter().map(|hit| hit["time"].as_str().unwrap()[..13].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&["--sort", "oldest", "-n", "1"]), ["2026-08-01T08"]);
    assert_eq!(found(&["--sort", "oldest", "-n", "2"]), ["2026-08-01T08", "2026-08-01T09"]);
    assert_eq!(found(&["--sort", "oldest"]), ["2026-08-01T08", "2026-08-01T09", "2026-08-04T08"]);
    assert_eq!(found(&["--sort", "newest", "-n", "1"]), ["2026-08-04T08"]);
}

#[test]
fn nothing_found_exits_with_three_and_prints_no_hit() {
    let kioku = small_journal();
    let ran = kioku.run(&["search", "--legs", "keyword", "xylophone"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{ran:?}");
    assert!(ran.err.contains("note: no entries match"), "{ran:?}");
    assert!(kioku.run(&["show", "1999-01-01"]).err.contains("no entries on `1999-01-01`"));
    assert!(kioku.run(&["timeline", "--to", "1999"]).err.contains("no entries in that period"));
    assert!(kioku.run(&["search"]).fails(2).contains("empty query"));
    for empty in ["", "   ", "?"] {
        assert!(kioku.run(&["why", empty]).fails(2).contains("empty query"), "{empty:?}");
    }
    assert!(kioku.run(&["search", "--legs", "luck", "lake"]).fails(2).contains("luck"));
    assert!(kioku.run(&["search", "-n", "0", "lake"]).fails(2).contains("--limit"));
    assert!(kioku.run(&["search", "--kind", "weather", "lake"]).fails(2).contains("person, place"));
}

#[test]
fn a_tag_that_is_only_in_texts_is_named_as_a_topic() {
    let kioku = Kioku::new();
    kioku.add(&["Walk along the canal. #inline"]);
    for arguments in [&["search", "--tag", "inline"][..], &["search", "tag:inline"]] {
        let ran = kioku.run(arguments);
        assert!(ran.code == 3 && ran.err.contains("topic:inline"), "{ran:?}");
    }
    assert!(kioku.run(&["search", "topic:inline"]).ok().contains("canal"));
    assert!(!kioku.run(&["search", "--tag", "absent"]).fails(3).contains("topic:"));
}

#[test]
fn a_batch_answers_every_line_with_one_object() {
    let kioku = small_journal();
    let lines = "lake\n\n{\"text\": \"bún yesterday\", \"time\": \"2026-08-04T10:00:00+02:00\"}\n{not json\nmood:gray";
    let out = kioku.piped(&["search", "--batch"], lines.as_bytes()).ok();
    let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 5, "{out}");
    assert_eq!((keys(&found[1]), &found[1]["error"]), (vec!["query", "error", "hint"], &json!("empty query")));
    assert!(found[4]["notice"].as_str().unwrap().contains("no entry has the mood"), "{out}");
    for answer in found.iter().filter(|answer| answer["error"].is_null()) {
        assert_eq!(keys(answer)[..5], ["query", "took_ms", "confident", "confidence", "hits"]);
        assert!(answer["took_ms"].is_number() && answer["confident"].is_boolean());
    }
    let queries: Vec<&str> = found.iter().map(|answer| answer["query"].as_str().unwrap()).collect();
    assert_eq!(queries, ["lake", "", "bún yesterday", "{not json", "mood:gray"]);
    assert_eq!(found[0]["hits"].as_array().unwrap().len().min(2), 2);
    assert_eq!(keys(&found[0]["hits"][0]), ["id", "time", "score", "legs", "snippet", "text"]);
}

// Moving in and out

#[test]
fn a_text_may_begin_with_a_dash_and_an_unknown_option_is_none() {
    let kioku = Kioku::new();
    let id = kioku.add(&["- milk", "--mood", "calm", "- bread"]);
    let text = |id: &str| kioku.run(&["show", id, "--json"]).json()["entries"][0]["text"].clone();
    assert_eq!(text(&id), "- milk - bread");
    kioku.run(&["edit", &id, "--text", "- tea\n- figs"]).ok();
    assert_eq!(text(&id), "- tea\n- figs");
    let item = kioku.run(&["record", "item", "--json", "- oat milk"]).json();
    assert_eq!(text(item["id"].as_str().unwrap()), "- oat milk");
    for refused in [&["add", "-milk"][..], &["add", "milk", "--mod", "calm"], &["edit", &id, "--text", "--mod"]] {
        kioku.run(refused).fails(2);
    }
    assert_eq!(kioku.run(&["timeline"]).ok().lines().count(), 2);
}

#[test]
fn a_date_that_does_not_exist_is_no_text_and_a_day_is_shown_without_a_time() {
    let kioku = Kioku::new();
    for text in ["2026-02-30: text of the day", "30.02.2026 10:00: text of the day", "2026-02-20 25:00: text"] {
        let told = kioku.run(&[text]).fails(2);
        assert!(told.contains("is not a valid time"), "{told}");
    }
    kioku.run(&["10-12: the meeting was long"]).ok();
    let id = kioku.add(&["--at", "2026-08-13 15:00", "By the lake."]);
    for what in [&["2026-08-13", "25:00"][..], &["yesterday", "3pm"], &["yesterday 4 pm"]] {
        let told = kioku.run(&[&["show"], what].concat()).fails(2);
        assert!(told.contains("has a time of day"), "{told}");
    }
    assert!(kioku.run(&["show", "yesterday", &id]).ok().matches("By the lake.").count() == 2);
}

#[test]
fn an_export_is_an_import_and_twice_is_once() {
    let kioku = small_journal();
    let file = kioku.path("out.jsonl");
    kioku.run(&["export", "jsonl", "--out", &file]).ok();
    assert_eq!(kioku.run(&["export", "jsonl"]).ok(), fs::read_to_string(&file).unwrap());
    let told = kioku.run(&["--journal", "copy", "import", "jsonl", &file, "--dry-run"]).ok();
    assert!(told.contains("3 entries"), "{told}");
    assert!(!kioku.home.path().join("home/journals/copy").exists());
    assert!(kioku.run(&["--journal", "copy", "import", "jsonl", &file]).ok().contains("3 added"));
    assert!(kioku.run(&["--journal", "copy", "import", "jsonl", &file]).ok().contains("0 added, 3 already known"));
    assert_eq!(kioku.run(&["--journal", "copy", "export", "jsonl"]).ok(), fs::read_to_string(&file).unwrap());
}

#[test]
fn an_import_reports_what_it_left_out() {
    let kioku = Kioku::new();
    let file = kioku.write("in.jsonl", "{\"time\":\"2026-01-02T03:04:05+00:00\",\"text\":\"Kept.\"}\n{\"text\":\n");
    let ran = kioku.run(&["import", "jsonl", &file]);
    assert!(ran.out.contains("1 added") && ran.err.contains("in.jsonl:2:"), "{ran:?}");
    let shown = kioku.run(&["timeline", "--json"]).json();
    assert_eq!((texts(&shown), &shown["entries"][0]["time"]), (vec!["Kept."], &json!("2026-01-02T03:04:05+00:00")));
    assert!(kioku.run(&["import", "jsonk", &file]).fails(2).contains("did you mean `jsonl`?"));
    assert!(kioku.run(&["import", "jsonl", &kioku.path("absent")]).fails(1).contains("absent"));
    let plain = kioku.write("in.txt", "2026-01-02 Kept.\n");
    let told = kioku.run(&["import", "text", &plain, "--time-format", "zzz"]).fails(2);
    assert!(told.contains("time format \"zzz\""), "{told}");
    assert!(kioku.run(&["export", "pdf"]).fails(2).contains("unknown format `pdf`"));
}

#[test]
fn an_export_to_a_folder_is_a_journal_again() {
    let kioku = small_journal();
    let folder = kioku.path("plain/");
    kioku.run(&["export", "md", "--out", &folder]).ok();
    assert!(fs::read_dir(&folder).unwrap().count() >= 3);
    kioku.run(&["export", "jsonl", "--out", &folder]).ok();
    assert_eq!(fs::read_to_string(kioku.path("plain/journal.jsonl")).unwrap().lines().count(), 3);
    // A period limits the export.
    let out = kioku.run(&["export", "jsonl", "--from", "2026-08-02", "--to", "2026-08-02"]).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
}

// Models

#[test]
fn the_built_in_encoder_finds_other_words_in_both_languages_without_a_download_or_another_command() {
    let kioku = small_journal();
    kioku.run(&["add", "The baby kept us awake until four."]).ok();
    kioku.run(&["add", "Con mèo nhà mình bị ốm, phải đưa đi bác sĩ."]).ok();
    for (question, text) in [
        ("newborn not sleeping", "The baby kept us awake"),
        ("the cat is sick", "Con mèo"),
        ("thú cưng bị bệnh", "Con mèo"),
        ("em bé khóc cả đêm", "The baby kept us awake"),
    ] {
        let found = kioku.run(&["search", question, "--json"]).json();
        assert!(found["hits"][0]["text"].to_string().contains(text), "{question}: {found}");
    }
    let doctor = kioku.run(&["doctor", "--json"]).json();
    assert_eq!(doctor["model"]["name"], "kioku-reader", "{doctor}");
}

#[test]
fn after_an_import_the_fast_model_answers_until_index_has_let_the_slow_one_read() {
    let kioku = Kioku::new();
    let line = |at: usize| {
        let time = format!("2024-03-{:02}T08:00:00Z", at + 1);
        json!({ "time": time, "text": format!("Walked the dog around lake number {at}.") }).to_string()
    };
    kioku.write("many.jsonl", &(0..28).map(line).collect::<Vec<_>>().join("\n"));
    let imported = kioku.run(&["import", "jsonl", &kioku.path("many.jsonl")]);
    assert!(imported.code == 0 && imported.err.contains("`kioku index`"), "{imported:?}");
    let found = kioku.run(&["search", "a puppy outdoors", "--json"]).json();
    assert_eq!(found["hits"].as_array().map(|hits| !hits.is_empty()), Some(true), "{found}");
    let doctor = kioku.run(&["doctor", "--json"]).json();
    assert_eq!(doctor["model_change"]["from"]["name"], "everyday-en-vi", "{doctor}");
    let indexed = kioku.run(&["index"]);
    assert!(indexed.code == 0 && indexed.err.is_empty(), "nothing was chosen, so nothing is announced: {indexed:?}");
    assert_eq!(kioku.run(&["doctor", "--json"]).json()["model_change"], Value::Null);
    assert_eq!(kioku.run(&["import", "jsonl", &kioku.path("many.jsonl")]).err, "");
}

#[test]
fn a_model_is_chosen_only_among_those_installed() {
    let kioku = small_journal();
    let listed = kioku.run(&["model", "list", "--json"]).json();
    assert_eq!((&listed["v"], &listed["in_use"]), (&json!(1), &json!("kioku-reader")));
    assert_eq!(listed["models"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["models"][0]["name"], "everyday-en-vi");
    assert_eq!(listed["models"][1]["name"], "kioku-reader");
    assert!(kioku.run(&["model", "use", "minilm"]).fails(3).contains("no model `minilm` is installed"));
    assert_eq!(kioku.run(&["model", "install", &kioku.path("absent")]).code, 1);
    assert_eq!(kioku.run(&["model", "remove", "minilm"]).code, 3);
    assert!(kioku.run(&["model", "remove", "everyday-en-vi"]).fails(1).contains("part of kioku"));
    kioku.run(&["model", "use", "off"]).ok();
    assert_eq!(kioku.run(&["model", "list", "--json"]).json()["in_use"], Value::Null);
}

#[test]
fn a_model_that_is_gone_leaves_search_by_word() {
    let kioku = small_journal();
    kioku.write("config.toml", "model = \"gone\"\n");
    let ran = kioku.run(&["search", "lake", "--json"]);
    assert!(ran.code == 0 && ran.err.contains("meaning is off") && ran.err.contains("gone"), "{ran:?}");
    assert_eq!(kioku.run(&["doctor"]).code, 1);
}

#[test]
fn a_damaged_model_leaves_words_and_the_doctor_says_what_helps() {
    let kioku = small_journal();
    let models = kioku.home.path().join("home/models");
    super::model_change::install_table(&models, "small", 8);
    kioku.run(&["model", "use", "small"]).ok();
    let indexed = kioku.run(&["index"]);
    assert!(indexed.code == 0 && indexed.err.is_empty(), "{indexed:?}");
    kioku.run(&["doctor"]).ok();
    fs::write(models.join("small/vocab.txt"), "tea\n").unwrap();

    let ran = kioku.run(&["search", "lake"]);
    assert!(ran.code == 0 && ran.err.contains("search by meaning is off"), "{ran:?}");
    assert!(ran.err.contains("kioku model remove small"), "{ran:?}");
    let found = kioku.run(&["doctor"]);
    assert!(found.code == 1 && found.err.contains("kioku model remove small"), "{found:?}");
    assert!(found.out.lines().any(|line| line.starts_with("meaning") && line.contains("off:")), "{found:?}");
    let listed = kioku.run(&["model", "list", "--verify"]);
    assert!(listed.code == 1 && listed.err.contains("small"), "{listed:?}");
    kioku.run(&["model", "use", "everyday-en-vi"]).ok();
    kioku.run(&["index"]).ok();
    kioku.run(&["doctor"]).ok();
    let used = kioku.run(&["model", "use", "small"]).fails(1);
    assert!(used.contains("kioku model remove small"), "{used}");
    assert_eq!(kioku.run(&["model", "list", "--json"]).json()["in_use"], "everyday-en-vi");
}

#[test]
fn a_question_that_the_model_cannot_read_says_so_in_every_form() {
    let kioku = small_journal();
    kioku.run(&["index"]).ok();
    let question = "раннее утро у реки";
    let told = |ran: &Outcome| ran.err.contains("cannot read this query");
    assert!(told(&kioku.run(&["search", question])));
    let ran = kioku.run(&["search", question, "--json", "--explain"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["explain"]["candidates"]["vector"], Value::Null);
    for place in [&found["notice"], &found["explain"]["notice"]] {
        assert!(place.as_str().unwrap().contains("cannot read this query"), "{found}");
    }
    assert!(kioku.run(&["search", "lake", "--json"]).json().get("notice").is_none());
}

#[test]
fn a_change_of_the_model_is_told_and_swapped_by_index() {
    let kioku = small_journal();
    kioku.run(&["index"]).ok();
    super::model_change::install_table(&kioku.home.path().join("home/models"), "small", 8);
    let used = kioku.run(&["model", "use", "small"]);
    assert!(used.code == 0 && used.err.contains("the old model answers until then"), "{used:?}");
    let change = kioku.run(&["doctor", "--json"]).json()["model_change"].clone();
    assert_eq!((&change["from"]["name"], &change["to"]["name"]), (&json!("kioku-reader"), &json!("small")));
    assert!(kioku.run(&["doctor"]).ok().contains("kioku-reader answers until small is ready"));
    let indexed = kioku.run(&["index"]);
    assert!(indexed.code == 0 && indexed.err.contains("now uses small"), "{indexed:?}");
    assert_eq!(kioku.run(&["doctor", "--json"]).json()["model_change"], Value::Null);
}

#[test]
fn doctor_finds_a_damaged_model_before_it_is_to_take_over() {
    let kioku = small_journal();
    kioku.run(&["index"]).ok();
    let models = kioku.home.path().join("home/models");
    super::model_change::install_table(&models, "small", 8);
    assert_eq!(kioku.run(&["model", "use", "small"]).code, 0);
    kioku.run(&["doctor"]).ok();
    fs::write(models.join("small/vocab.txt"), "bread\n").unwrap();
    let told = kioku.run(&["doctor"]).fails(1);
    assert!(told.contains("the model small cannot be used") && told.contains("kioku model remove small"), "{told}");
    // The previous model is still active.
    let found = kioku.run(&["search", "lake", "--json", "--explain"]).json();
    assert!(found["explain"]["candidates"]["vector"].is_u64(), "{found}");
}

#[test]
fn nothing_is_fetched_without_a_yes() {
    let kioku = small_journal();
    let told = kioku.run(&["model", "install", "all-minilm-l6-v2"]).fails(2);
    assert!(told.contains("needs confirmation") && told.contains("--yes") && told.contains("91.3 MB"), "{told}");
    let told = kioku.run(&["model", "install", "all-minilm", "--yes"]).fails(1);
    assert!(told.contains("multilingual-e5-small"), "{told}");
    let told = kioku.run(&["model", "install", "all-MiniLM-L6-v2", "--yes", "--base", "http://example.org"]).fails(1);
    assert!(told.contains("https://"), "{told}");
    kioku.write("config.toml", "[models]\nbase = \"http://example.net\"\n");
    let told = kioku.run(&["model", "install", "all-MiniLM-L6-v2", "--yes"]).fails(1);
    assert!(told.contains("http://example.net"), "{told}");
    assert!(!kioku.home.path().join("home/models").exists());
}

// The index

#[test]
fn a_rebuilt_index_answers_the_same() {
    let kioku = small_journal();
    let ask = |legs: &str| {
        let mut found = kioku.run(&["search", "lake", "--legs", legs, "--json"]).json();
        found["took_ms"] = json!(0);
        found
    };
    let (words, all) = ("keyword,graph", "keyword,vector,graph");
    let before = ask(words);
    let told = kioku.run(&["index"]).ok();
    assert!(told.contains("3 entries"), "{told}");
    let indexed = ask(all);
    assert!(kioku.run(&["index", "--rebuild"]).ok().contains("3 entries"));
    assert_eq!((ask(words), ask(all)), (before.clone(), indexed.clone()));
    fs::remove_dir_all(kioku.journal().join(".index")).unwrap();
    assert_eq!(ask(words), before);
    kioku.run(&["index"]).ok();
    assert_eq!(ask(all), indexed);
}

#[test]
fn the_doctor_reads_everything_again() {
    let kioku = small_journal();
    kioku.write("config.toml", "mouse = false\ncolour = 3\n");
    kioku.write(
        "home/journals/personal/memory/2026-08-05.md",
        "# Kioku — 2026-08-05\n\n---\ntime: not a time\n---\nTorn.\n",
    );
    let ran = kioku.run(&["doctor", "--verify", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &found["v"]), (1, &json!(1)));
    assert_eq!((&found["verified"]["entries"], &found["verified"]["disagreements"]), (&json!(4), &json!([])));
    assert_eq!(found["index"]["legs"]["keyword"], json!({"state": "ready"}));
    assert!(
        found["notices"][0]["file"] == "2026-08-05.md" && found["notices"][0]["line"].as_u64() == Some(3),
        "{found}"
    );
    assert!(found["config"]["complaints"][0].as_str().unwrap().contains("config.toml:2:1: unknown key `colour`"));
    let human = kioku.run(&["doctor", "--verify"]);
    assert!(human.out.contains("the index agrees") && human.out.contains("2026-08-05.md:3:"), "{human:?}");
    assert!(human.code == 1 && human.err.contains("2 problems found"), "{human:?}");
}

// Configuration and wrong input

#[test]
fn a_mistake_in_the_configuration_is_told_and_stops_nothing() {
    let kioku = Kioku::new();
    kioku.write("config.toml", "jurnal = \"work\"\n");
    let ran = kioku.run(&["add", "Text."]);
    assert!(
        ran.code == 0 && ran.err.contains("config.toml:1:1: unknown key `jurnal`; did you mean `journal`?"),
        "{ran:?}"
    );
    kioku.write("config.toml", "journal = \n");
    let ran = kioku.run(&["add", "Text."]);
    assert!(ran.code == 0 && ran.err.contains("config.toml:1:") && ran.err.contains("the defaults apply"), "{ran:?}");
}

#[test]
fn the_screens_need_a_terminal_and_say_what_works_without() {
    let told = Kioku::new().run(&[]).fails(2);
    assert!(told.contains("needs a terminal") && told.contains("kioku add"), "{told}");
}

#[test]
fn further_keys_of_a_head_are_shown_and_in_every_json_of_an_entry() {
    let kioku = Kioku::new();
    let line = r#"{"id":"aaaaaaaaa1","time":"2026-08-12T09:00:00+02:00","text":"By the lake.","extra":{"star":"true","sleep":"7"}}"#;
    kioku.run(&["import", "jsonl", &kioku.write("in.jsonl", line)]).ok();
    let shown = kioku.run(&["show", "aaaaaaaaa1"]).ok();
    assert!(shown.contains("\nstar: true\nsleep: 7\nBy the lake."), "{shown}");
    for (verb, list) in
        [(&["show", "aaaaaaaaa1"][..], "entries"), (&["timeline"], "entries"), (&["search", "lake"], "hits")]
    {
        let answer = kioku.run(&[verb, &["--json"]].concat()).json();
        assert_eq!(answer[list][0]["extra"], serde_json::json!({"star": "true", "sleep": "7"}), "{answer}");
    }
}

#[test]
fn a_mistyped_place_makes_no_journal() {
    let kioku = Kioku::new();
    assert!(kioku.run(&["--vault", &kioku.path("nowhere"), "add", "x"]).fails(1).contains("does not exist"));
    assert!(!Path::new(&kioku.path("nowhere")).exists());
    for name in ["../out", "", ".hidden"] {
        assert!(kioku.run(&["--journal", name, "add", "x"]).fails(2).contains("is not a valid journal name"));
    }
    kioku.add(&["x"]);
    for verb in [&["timeline"][..], &["search", "x"], &["stats"], &["timeline"]] {
        let told = kioku.run(&[&["--journal", "persnal"], verb].concat()).fails(3);
        assert!(told.contains("no journal `persnal`") && told.contains("journals: personal;"), "{told}");
    }
    assert!(!kioku.home.path().join("home/journals/persnal").exists());
}

#[test]
fn a_wrong_place_in_the_configuration_is_named_and_stops_only_commands_on_the_journal() {
    let kioku = Kioku::new();
    kioku.add(&["x"]);
    kioku.write("config.toml", "journal = \"wrok\"\n");
    for _ in 0..2 {
        let told = kioku.run(&["timeline"]).fails(3);
        assert!(told.contains("no journal `wrok`") && told.contains("journals: personal;"), "{told}");
        assert!(told.contains("config.toml:1"), "{told}");
    }
    kioku.write("config.toml", "mouse = true\nvault = \"~/no/such/folder\"\n");
    for verb in ["timeline", "doctor"] {
        let told = kioku.run(&[verb]).fails(1);
        assert!(told.contains("no/such/folder does not exist") && told.contains("config.toml:2"), "{told}");
    }
    for verb in [&["help", "config"][..], &["config"], &["keys"], &["completions", "bash"]] {
        kioku.run(verb).ok();
    }
    kioku.run(&["--journal", "personal", "timeline"]).ok();
}

#[test]
fn any_folder_of_dated_markdown_is_a_vault() {
    let kioku = Kioku::new();
    let folder = kioku.path("notes");
    kioku.write(
        "notes/2026-08-12.md",
        "# Kioku — 2026-08-12\n\n---\ntime: \"2026-08-12T09:00:00+02:00\"\n---\nElsewhere.\n",
    );
    assert_eq!(texts(&kioku.run(&["--vault", &folder, "timeline", "--json"]).json()), ["Elsewhere."]);
    let id = kioku.run(&["add", "Here too.", "--vault", &folder]).ok();
    assert_eq!(texts(&kioku.run(&["show", id.trim(), "--json", "--vault", &folder]).json()), ["Here too."]);
    assert!(!kioku.journal().exists());
}

#[test]
fn what_is_not_there_yet_is_not_offered() {
    let kioku = Kioku::new();
    assert_eq!(kioku.run(&["serve"]).code, 2);
    assert!(kioku.run(&["serach", "x"]).fails(2).contains("search"));
    assert_eq!(kioku.run(&["--help"]).code, 0);
    assert!(kioku.run(&["--version"]).ok().starts_with("kioku "));
}

#[cfg(not(feature = "network"))]
#[test]
fn without_the_network_an_enabled_language_model_says_so() {
    let kioku = small_journal();
    kioku.write("config.toml", "[llm]\nenabled = true\nkind = \"ollama\"\nmodel = \"small\"\n");
    assert!(kioku.run(&["llm", "run"]).fails(1).contains("built without the network"));
    assert!(kioku.run(&["llm", "status"]).ok().contains("built without the network"));
    assert!(kioku.run(&["model", "install", "all-MiniLM-L6-v2", "--yes"]).fails(1).contains("without the network"));
}

#[test]
fn a_moved_verb_answers_with_its_new_name() {
    let kioku = Kioku::new();
    for (old, new) in [
        (&["eval", "folder"][..], "`kioku eval` is now `kioku-lab eval` (cargo build --features lab)"),
        (&["--journal", "work", "eval", "--json"], "`kioku-lab eval`"),
        (&["model", "distill", "--out", "x"], "`kioku model distill` is now `kioku-lab distill`"),
        (&["model", "score", "x"], "`kioku model score` is now `kioku-lab score`"),
        (&["model", "bench"], "`kioku model bench` is now `kioku-lab bench`"),
    ] {
        let told = kioku.run(old).fails(2);
        assert!(told.contains(new), "{old:?}: {told}");
    }
    let listed = [kioku.run(&["--help"]).ok(), kioku.run(&["model", "--help"]).ok()].concat();
    for verb in ["eval", "distill", "score", "bench"] {
        assert!(!listed.lines().any(|line| line.trim_start().starts_with(verb)), "{verb}: {listed}");
    }
}

#[test]
fn help_prints_a_command_or_a_page_of_the_manual() {
    let kioku = Kioku::new();
    assert!(kioku.run(&["help"]).ok().contains("Topics"));
    assert!(kioku.run(&["help", "add"]).ok().contains("Usage: kioku add"));
    assert!(kioku.run(&["help", "files"]).ok().starts_with("# Files"));
    assert!(kioku.run(&["help", "weather"]).fails(2).contains("topics: screens, keys"));
}

#[test]
fn config_prints_the_values_in_use_and_an_example() {
    let kioku = Kioku::new();
    kioku.write("config.toml", "mouse = false\ncolour = 3\n[keys.journal]\n\"journal.new\" = [\"f12\"]\n");
    let ran = kioku.run(&["config"]);
    assert!(ran.code == 0 && ran.out.contains("config.toml") && ran.out.contains("\nmouse = false\n"), "{ran:?}");
    assert!(ran.out.contains("[keys.journal]\n\"journal.new\" = [\"f12\"]"), "{ran:?}");
    assert!(ran.err.contains("config.toml:2:1: unknown key `colour`"), "{ran:?}");
    let found = kioku.run(&["config", "--json"]).json();
    assert_eq!(keys(&found), ["v", "path", "exists", "settings", "complaints"]);
    let setting = |name: &str| {
        let settings = found["settings"].as_array().unwrap();
        settings.iter().find(|setting| setting["key"] == name).unwrap().clone()
    };
    assert_eq!(setting("mouse"), json!({"key": "mouse", "value": false, "is_default": false}));
    assert_eq!(setting("day_start"), json!({"key": "day_start", "value": "00:00", "is_default": true}));
    assert_eq!(setting("vault"), json!({"key": "vault", "value": null, "is_default": true}));
    assert_eq!(found["complaints"].as_array().unwrap().len(), 1);
    kioku.write("config.toml", &kioku.run(&["config", "--example"]).ok());
    let again = kioku.run(&["config", "--json"]);
    assert_eq!(again.err, "");
    assert_eq!(again.json()["complaints"], json!([]));
}

#[test]
fn extract_reads_a_text_and_saves_nothing() {
    let kioku = Kioku::new();
    let text = "Ở Huế last March. I was sad because Linh left.";
    let read = kioku.run(&["extract", "--at", "2026-02-22", text]).json();
    assert_eq!(read["v"], 1);
    assert_eq!(
        read["entities"],
        json!([
            {"name": "Huế", "kind": "place", "text": "Huế", "start": 2, "end": 5},
            {"name": "sad", "kind": "emotion", "text": "sad", "start": 24, "end": 27},
            {"name": "Linh", "kind": "person", "text": "Linh", "start": 36, "end": 40},
        ])
    );
    assert_eq!(
        read["event_times"],
        json!([{"text": "last March", "start": 6, "end": 16, "from": "2025-03-01", "to": "2025-03-31"}])
    );
    let relation = &read["relations"][0];
    assert_eq!((relation["source"].as_str(), relation["target"].as_str()), (Some("Linh left"), Some("sad")));
    assert_eq!(relation["names"], json!(["Linh"]));
    assert_eq!((relation["kind"].as_str(), relation["basis"].as_str()), (Some("causal"), Some("stated")));
    assert_eq!(relation["evidence"]["text"], "I was sad because Linh left");
    assert_eq!((&read["emotions"][0]["name"], &read["emotions"][0]["basis"]), (&json!("sadness"), &json!("stated")));
    assert!(!kioku.journal().exists(), "nothing saved");
}

#[test]
fn extract_answers_line_by_line_with_what_a_journal_knows() {
    let kioku = Kioku::new();
    kioku.run(&["add", "Saw @Zorbo."]).ok();
    let lines = "zorbo came yesterday\n{\"text\":\"yesterday\",\"time\":\"2020-01-02T10:00:00Z\"}\n\n";
    let out = kioku.piped(&["extract", "--batch", "--journal", "personal"], lines.as_bytes()).ok();
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0]["entities"],
        json!([{"name": "Zorbo", "kind": "person", "text": "zorbo", "start": 0, "end": 5}])
    );
    assert_eq!(lines[0]["event_times"][0]["from"], "2026-08-13");
    assert_eq!(lines[1]["event_times"][0]["from"], "2020-01-01");
    assert_eq!(lines[2], json!({"entities": [], "relations": [], "event_times": [], "emotions": []}));
}

#[test]
fn every_shell_gets_its_completions() {
    let kioku = Kioku::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(kioku.run(&["completions", shell]).ok().contains("timeline"), "{shell}");
    }
    assert_eq!(kioku.run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn why_knows_what_was_written_a_moment_ago() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-03-02", "Bread and rain."]);
    kioku.run(&["index"]).ok();
    let day = kioku.journal().join("memory/2026-03-05.md");
    let text = "The kiln cracked because I opened it too early.";
    fs::write(day, format!("# Kioku\n\n---\ntime: \"2026-03-05T08:00:00+00:00\"\n---\n{text}\n")).unwrap();
    assert!(kioku.run(&["why", "why did the kiln crack"]).ok().contains("opened it too early"));
}

#[test]
fn a_word_that_was_never_written_is_answered_with_the_nearest_in_meaning() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-03-02", "Swam in the sea before work."]);
    kioku.add(&["--at", "2026-03-03", "The landlord raised the rent."]);
    let outcome = kioku.run(&["why", "ocean"]);
    let (answer, code) = (&outcome.out, outcome.code);
    assert_eq!(code, 3, "{outcome:?}");
    assert!(answer.starts_with("ocean: not found; nearest in meaning: sea"), "{answer}");
    assert!(answer.contains("Closest entries") && !answer.contains(" days with entries"), "{answer}");
}

#[test]
fn the_demo_is_a_journal_of_its_own() {
    let kioku = Kioku::new();
    let mut command = kioku.command(&["demo"]);
    command.env("TMPDIR", kioku.home.path());
    let folder = finish(command, b"").ok();
    let timeline = kioku.run(&["--vault", folder.trim(), "timeline", "--json"]).json();
    assert!(timeline["entries"].as_array().unwrap().len() > 30);
    assert!(!kioku.home.path().join("home/journals").exists());
    fs::remove_dir_all(folder.trim()).unwrap();
}

#[test]
fn of_an_entry_of_megabytes_the_words_are_found_to_its_end_and_the_cut_is_told() {
    let kioku = Kioku::new();
    let filler = "Nothing of note was written down on this line.\n".repeat(2_100_000 / 47);
    let text = format!("@Linh came by.\n{filler}@Minh came by, with persimmons.\n");
    kioku.piped(&["add", "-"], text.as_bytes()).ok();
    let indexed = kioku.run(&["index"]);
    assert!(indexed.err.contains("read from its first 2 MB, words from all of it"), "{indexed:?}");
    let hits = kioku.run(&["search", "--json", "--legs", "keyword", "persimmons"]).json();
    assert_eq!(hits["hits"].as_array().unwrap().len(), 1);
    let names = kioku.run(&["entities", "--json"]).ok();
    assert!(names.contains("Linh") && !names.contains("Minh"), "{names}");
}

#[test]
fn an_entry_without_an_id_is_printed_with_its_time_once() {
    let kioku = Kioku::new();
    let time = "2025-05-20T22:05:00+07:00";
    let entry = format!("---\ntime: \"{time}\"\nmood: \"sad\"\n---\nSad because the kiln cracked.\n");
    kioku.write("home/journals/personal/memory/2025-05-20.md", &entry);
    for query in [&["search", "kiln"][..], &["search", "mood:sad"], &["why", "sad"]] {
        let printed = kioku.run(query).ok();
        let line = printed.lines().find(|line| line.contains(time)).unwrap_or_else(|| panic!("{printed}"));
        assert_eq!(line.matches("2025-05-20").count(), 1, "{printed}");
    }
    let filtered = kioku.run(&["search", "mood:sad"]).ok();
    assert!(!filtered.contains("0.0000"), "a search with filters only has no score: {filtered}");
}
