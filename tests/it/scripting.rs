//! The command line in scripts: paths, exit codes, input from a pipe.

use std::fs;

use crate::cli::Kioku;

const BY_THE_LAKE: &str = "{\"id\":\"lake\",\"time\":\"2026-08-12T09:00:00+02:00\",\"text\":\"By the lake.\"}\n";

#[test]
fn path_prints_the_files_of_an_entry_a_day_and_a_period() {
    let kioku = Kioku::new();
    let early = kioku.add(&["--at", "2026-08-11 09:00", "Early."]);
    let first = kioku.add(&["--at", "2026-08-12 09:00", "First."]);
    let second = kioku.add(&["--at", "2026-08-12 10:00", "Second,\nof two lines."]);
    let file = |day: &str| kioku.journal().join(format!("memory/{day}.md")).display().to_string();
    for what in [&second[..], "2026-08-12", "2 days ago"] {
        assert_eq!(kioku.run(&["path", what]).ok().trim(), file("2026-08-12"), "{what}");
    }
    let both = format!("{}\n{}\n", file("2026-08-11"), file("2026-08-12"));
    assert_eq!(kioku.run(&["path", "this", "week"]).ok(), both);
    let shown = kioku.run(&["path", "this week", "--json"]).json();
    let text = fs::read_to_string(file("2026-08-12")).unwrap();
    for (place, id) in [("/paths/0/entries/0", &early), ("/paths/1/entries/0", &first), ("/paths/1/entries/1", &second)]
    {
        assert_eq!(shown.pointer(place).unwrap()["id"], **id);
    }
    let line = shown["paths"][1]["entries"][1]["line"].as_u64().unwrap() as usize;
    assert_eq!(text.lines().skip(line - 1).take(2).collect::<Vec<_>>(), ["---", "time: \"2026-08-12T10:00:00+02:00\""]);
}

#[test]
fn what_is_unknown_exits_with_three_and_what_is_mistyped_with_two() {
    let kioku = Kioku::new();
    kioku.add(&["Something."]);
    for unknown in [
        "show nope",
        "path nope",
        "edit nope",
        "rm nope",
        "restore nope",
        "forget nope --yes",
        "entity hide Nope",
        "entity notes Nope",
        "entity reject A causal B --entry nope",
        "related Nope",
        "explain A B",
        "model use nope",
        "model remove nope",
        "show 1999-01-01",
        "path 1999-01-01",
        "timeline --to 1999",
        "search zzzz --legs keyword",
    ] {
        let ran = kioku.run(&unknown.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 3, "{unknown}: {ran:?}");
    }
    for mistyped in [
        "show 2026-02-30",
        "path 2026-13",
        "path 31/31/2026",
        "reflect 2026-02-30",
        "review week someday",
        "timeline --from 2026-02-30",
        "search x --from someday",
        "why x --to someday",
        "export jsonl --from someday",
        "restore --day someday",
        "add --at 2026-02-30 x",
    ] {
        let ran = kioku.run(&mistyped.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{mistyped}: {ran:?}");
    }
}

#[test]
fn an_unknown_entry_or_name_gets_an_object_with_json_too() {
    let kioku = Kioku::new();
    kioku.add(&["By the lake."]);
    for unknown in ["show zzzzzzzzzz", "related Nobody", "forget zzzzzzzzzz --dry-run", "entity notes Nobody"] {
        let ran = kioku.run(&format!("{unknown} --json").split(' ').collect::<Vec<_>>());
        let is_object = serde_json::from_str(&ran.out).is_ok_and(|answer: serde_json::Value| answer.is_object());
        assert!(ran.code == 3 && is_object && !ran.err.is_empty(), "{unknown}: {ran:?}");
    }
}

#[test]
fn import_reads_a_pipe_and_recognises_another_format_in_it() {
    let kioku = Kioku::new();
    let told = kioku.piped(&["import", "jsonl", "-", "--dry-run"], BY_THE_LAKE.as_bytes()).ok();
    assert!(told.starts_with("1 entry would be read"), "{told}");
    assert_eq!(kioku.run(&["show", "lake"]).code, 3);
    assert!(kioku.piped(&["import", "jsonl", "-"], BY_THE_LAKE.as_bytes()).ok().contains("1 added"));
    assert!(kioku.piped(&["import", "jsonl", "-"], BY_THE_LAKE.as_bytes()).ok().contains("0 added, 1 already known"));
    assert!(kioku.run(&["show", "lake"]).ok().contains("By the lake."));
    let told = kioku.piped(&["import", "jsonl", "-"], b"[2026-02-22 09:00] A walk.\n").fails(1);
    assert!(told.contains("stdin: this is a jrnl text file"), "{told}");
    assert!(kioku.piped(&["import", "jsonl", "-"], b"{\"when\": 1}\n").fails(1).contains("no entries found in stdin"));
    assert!(kioku.piped(&["import", "jsonl", "-"], b"").ok().starts_with("0 read"));
    assert!(kioku.piped(&["import", "jrnl", "-"], b"[2026-02-22 09:00] A walk.\n").ok().contains("1 added"));
    assert!(kioku.piped(&["import", "my-kioku", "-"], b"x").fails(1).contains("stdin"));
}

#[test]
fn every_command_has_a_manual_page() {
    let kioku = Kioku::new();
    let page = kioku.run(&["man"]).ok();
    assert!(page.contains(".TH kioku 1") && page.contains("search by word, meaning and connection"), "{page}");
    let folder = kioku.path("man1");
    kioku.run(&["man", "--out", &folder]).ok();
    let names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["kioku.1", "kioku-add.1", "kioku-entity-merge.1", "kioku-import.1"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    let import = fs::read_to_string(format!("{folder}/kioku-import.1")).unwrap();
    assert!(import.contains("daylio") && import.contains("password\\-stdin"), "{import}");
    assert!(kioku.run(&["man", "--out", &folder]).fails(1).contains("already exist"));
    kioku.run(&["man", "--out", &folder, "--force"]).ok();
}
