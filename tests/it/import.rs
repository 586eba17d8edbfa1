//! `kioku import`: sources of the wrong format, unreadable sources, and sources of several people. The real binary.

use std::{fs, path::Path};

use crate::cli::Kioku;

fn put(kioku: &Kioku, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = kioku.home.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn is_untouched(kioku: &Kioku) -> bool {
    !kioku.journal().exists()
}

#[test]
fn import_refuses_a_source_of_another_format_and_names_the_way_in() {
    let kioku = Kioku::new();
    let fernet = format!("gAAAAABo{}==", "Zm9vLWJhcl9iYXo0".repeat(20));
    let encrypted = put(&kioku, "encrypted.jrnl", fernet);
    let old = put(&kioku, "old.jrnl", (0..200u32).map(|n| (n * 167 % 256) as u8).collect::<Vec<_>>());
    let json = put(
        &kioku,
        "jrnl.json",
        "{\n  \"tags\": {},\n  \"entries\": [\n    {\"title\": \"A walk\", \"body\": \"x\", \"date\": \"2026-02-22\"}\n  ]\n}\n",
    );
    let list = put(&kioku, "list.json", "[{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}]");
    let yaml = put(
        &kioku,
        "jrnl.yaml.md",
        "---\ntitle: A walk\ndate: 2026-02-22 09:00\nstarred: False\ntags: a\nbody: |\n    x\n...\n",
    );
    let lines = put(&kioku, "lines.jsonl", "{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}\n");
    let day = put(&kioku, "2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nText.\n");
    let text = put(&kioku, "jrnl.txt", "[2026-02-22 09:00] A walk.\nBy the lake.\n");
    for (format, path, what, hint) in [
        ("jsonl", &encrypted, "this is an encrypted jrnl file", "asks for its password"),
        ("jrnl", &old, "this is not text", "decrypt it first"),
        ("jsonl", &json, "a JSON export of jrnl", "kioku import jrnl"),
        ("jsonl", &list, "a JSON document", "jq -c"),
        ("jrnl", &list, "a JSON document", "jq -c"),
        ("kioku", &yaml, "a YAML export of jrnl", "kioku import jrnl"),
        ("jrnl", &lines, "one JSON object per line", "kioku import jsonl"),
        ("kioku", &lines, "one JSON object per line", "kioku import jsonl"),
        ("jsonl", &day, "a day file of Kioku", "kioku import kioku"),
        ("my-kioku", &day, "a day file of Kioku", "kioku import kioku"),
        ("kioku", &text, "a jrnl text file", "kioku import jrnl"),
    ] {
        let told = kioku.run(&["import", format, path]).fails(1);
        assert!(told.contains(what) && told.contains(hint), "{format} {path}: {told}");
        kioku.run(&["import", format, path, "--dry-run"]).fails(1);
    }
    assert!(is_untouched(&kioku));
    for (format, path) in [("jsonl", &lines), ("kioku", &day), ("jrnl", &text)] {
        assert!(kioku.run(&["import", format, path]).ok().contains("1 added"), "{format}");
    }
}

#[test]
fn a_folder_of_another_kind_is_refused() {
    let kioku = Kioku::new();
    put(&kioku, "kioku/memory/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nText.\n");
    put(&kioku, "kioku/trash/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nDeleted.\n");
    put(&kioku, "my/journal/2026/02/2026-02-22.md", "# 2026-02-22\n\n## 09:00\n\nText.\n");
    put(&kioku, "jrnl/2026/02/22.txt", "[2026-02-22 09:00] Text.\n");
    let path = |name: &str| kioku.home.path().join(name).to_str().unwrap().to_owned();
    for (name, own) in [("kioku", "kioku"), ("my", "my-kioku"), ("jrnl", "jrnl")] {
        for format in ["kioku", "my-kioku", "jrnl"].into_iter().filter(|format| *format != own) {
            let told = kioku.run(&["import", format, &path(name)]).fails(1);
            assert!(told.contains(&format!("kioku import {own}")), "{format} {name}: {told}");
        }
        assert!(kioku.run(&["import", own, &path(name), "--dry-run"]).ok().contains("1 entry would be read"));
    }
}

#[test]
fn a_source_of_which_nothing_can_be_read_is_a_failure_with_one_warning() {
    let kioku = Kioku::new();
    let lines: String = (0..503).map(|nth| format!("{{\"when\": \"day {nth}\", \"text\": \"x\"}}\n")).collect();
    let path = put(&kioku, "other.jsonl", &lines);
    let told = kioku.run(&["import", "jsonl", &path]).fails(1);
    assert_eq!(told.matches("warning:").count(), 1, "{told}");
    assert!(told.contains("the same in 502 more lines: 2-503") && told.contains("no entries found"), "{told}");
    assert!(is_untouched(&kioku));
    let all = kioku.run(&["import", "jsonl", &path, "--verbose"]).fails(1);
    assert_eq!(all.matches("warning:").count(), 503);
    let some = format!("{{\"time\": \"2026-02-22T09:00:00Z\", \"text\": \"x\"}}\n{lines}");
    let ran = kioku.run(&["import", "jsonl", &put(&kioku, "some.jsonl", some)]);
    assert_eq!((ran.code, ran.err.matches("warning:").count()), (0, 1), "{ran:?}");
    assert!(ran.out.starts_with("1 read") && ran.out.contains("503 with losses"), "{ran:?}");
    let empty = put(&kioku, "empty.jsonl", "\n");
    assert!(kioku.run(&["import", "jsonl", &empty]).ok().starts_with("0 read"));
}

/// A folder with the entries of three people, in the layout of the original Kioku.
fn of_three(kioku: &Kioku) -> String {
    for (file, text) in [("memory", "Mine."), ("users/lan/memory", "Of Lan."), ("users/minh/memory", "Of Minh.")] {
        let entry = format!("---\ntime: \"2026-02-22T09:00:00+07:00\"\n---\n{text}\n");
        put(kioku, &format!("shared/{file}/2026-02-22.md"), entry);
    }
    put(kioku, "shared/users/lan/entities/Rex.md", "---\ntype: product\n---\n");
    kioku.home.path().join("shared").to_str().unwrap().to_owned()
}

fn texts(kioku: &Kioku, journal: &str) -> Vec<String> {
    let shown = kioku.run(&["timeline", "--journal", journal, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    let entries = shown["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_entries_of_several_people_are_never_mixed() {
    let kioku = Kioku::new();
    let folder = of_three(&kioku);
    let told = kioku.run(&["import", "kioku", &folder]).fails(2);
    assert!(told.contains("several users: memory, lan, minh"), "{told}");
    assert!(told.contains("--user NAME") && told.contains("--users-as-journals"), "{told}");
    assert!(is_untouched(&kioku));
    kioku.run(&["import", "kioku", &folder, "--user", "nobody"]).fails(2);
    kioku.run(&["import", "kioku", &folder, "--user", "lan", "--journal", "sister"]).ok();
    assert_eq!(texts(&kioku, "sister"), ["Of Lan."]);

    let dry = kioku.run(&["import", "kioku", &folder, "--users-as-journals", "--dry-run"]).ok();
    assert!(dry.contains("into the journal `lan`"), "{dry}");
    assert!(is_untouched(&kioku));
    for added in ["1 added", "1 already known"] {
        let said = kioku.run(&["import", "kioku", &folder, "--users-as-journals"]).ok();
        assert_eq!(said.matches(added).count(), 3, "{said}");
    }
    for (journal, text) in [("personal", "Mine."), ("lan", "Of Lan."), ("minh", "Of Minh.")] {
        assert_eq!(texts(&kioku, journal), [text]);
    }
    assert!(kioku.home.path().join("home/journals/lan/entities/Rex.md").is_file());
    assert!(!kioku.journal().join("entities").exists());
}

#[test]
fn a_user_never_comes_into_the_journal_that_is_open() {
    let kioku = Kioku::new();
    let folder = of_three(&kioku);
    let told = kioku.run(&["import", "kioku", &folder, "--users-as-journals", "--journal", "lan"]).fails(2);
    assert!(told.contains("--user lan --journal OTHER"), "{told}");
    assert!(!Path::new(&kioku.home.path().join("home/journals/lan/memory")).exists());
}

#[test]
fn text_without_a_date_is_no_jrnl_file() {
    let kioku = Kioku::new();
    let path = put(&kioku, "notes.txt", "A plan for the year.\nAnd more.\n");
    let told = kioku.run(&["import", "jrnl", &path]).fails(1);
    assert!(told.contains("not a jrnl file") && told.contains("[2026-02-22 09:00]"), "{told}");
    assert!(is_untouched(&kioku));
}

#[test]
fn an_import_of_a_flat_folder_reads_what_a_vault_of_it_reads() {
    let kioku = Kioku::new();
    put(&kioku, "notes/2026-02-22.md", "---\ntime: \"2026-02-22T09:00:00Z\"\n---\nAt the top.\n");
    put(&kioku, "notes/2026/02/2026_02_23.md", "---\ntime: \"2026-02-23T09:00:00Z\"\n---\nBelow.\n");
    put(&kioku, "notes/Ideas.md", "An idea.\n");
    let root = kioku.home.path().join("notes").to_str().unwrap().to_owned();
    let ran = kioku.run(&["import", "kioku", &root]);
    assert!(ran.err.contains("its name holds no date"), "{ran:?}");
    assert!(ran.ok().contains("2 added"));
    assert_eq!(texts(&kioku, "personal"), ["At the top.", "Below."]);
}
