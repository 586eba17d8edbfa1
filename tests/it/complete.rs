//! Completion of moods, tags, ids and formats in shells: `kioku __complete` and the scripts that call it.

use std::{fs, path::Path, process::Command};

use crate::cli::Kioku;

/// The values offered for the last of the words.
fn offered(kioku: &Kioku, words: &[&str]) -> Vec<String> {
    let ran = kioku.run(&[&["__complete", "--"], words].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    ran.out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

fn journal() -> (Kioku, Vec<String>) {
    let kioku = Kioku::new();
    let ids = [("calm", "work"), ("so so", "project x"), ("calm", "Home")]
        .map(|(mood, tag)| kioku.add(&["--mood", mood, "--tag", tag, "A day."]).trim().to_owned());
    (kioku, ids.into())
}

#[test]
fn values_of_the_journal_are_offered_before_and_after_it_is_indexed() {
    let (kioku, mut ids) = journal();
    ids.reverse();
    for _ in 0..2 {
        assert_eq!(offered(&kioku, &["add", "--mood", ""]), ["calm", "so so"], "most used first");
        assert_eq!(offered(&kioku, &["search", "--tag", "h"]), ["Home"]);
        assert_eq!(offered(&kioku, &["search", "--tag=pro"]), ["--tag=project x"]);
        assert_eq!(offered(&kioku, &["show", ""]), ids, "newest first");
        assert_eq!(offered(&kioku, &["show", &ids[1], &ids[0][..4]]), [ids[0].as_str()]);
        kioku.run(&["index"]).ok();
    }
    let goal = kioku.run(&["record", "goal", "--json", "Build a boat."]).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(offered(&kioku, &["record", "done", ""]), [goal.as_str()], "only records");
    kioku.run(&["forget", &goal, "--yes"]).ok();
    kioku.run(&["rm", &ids[0]]).ok();
    assert_eq!(offered(&kioku, &["restore", ""]), [ids[0].as_str()]);
    kioku.run(&["index"]).ok();
    assert_eq!(offered(&kioku, &["show", ""]), ids[1..]);
    for nth in 0..60 {
        kioku.add(&["--at", &format!("2026-01-01 10:{nth:02}"), "x"]);
    }
    assert_eq!(offered(&kioku, &["show", ""]).len(), 50);
}

#[test]
fn formats_topics_and_journals_are_offered() {
    let (kioku, _) = journal();
    kioku.add(&["--journal", "work", "--mood", "busy", "A day at work."]);
    assert_eq!(offered(&kioku, &["import", "jou"]), ["journey"]);
    assert!(offered(&kioku, &["import", ""]).len() > 15);
    assert_eq!(offered(&kioku, &["export", "js"]), ["jsonl"]);
    assert_eq!(offered(&kioku, &["help", "wh"]), ["why"]);
    assert_eq!(offered(&kioku, &["--journal", ""]), ["personal", "work"]);
    assert_eq!(offered(&kioku, &["--journal", "work", "add", "--mood", ""]), ["busy"]);
    assert!(offered(&kioku, &["lexicon", "fir"]).contains(&"first-names".to_owned()));
}

#[test]
fn nothing_is_offered_or_printed_where_nothing_is_known() {
    let (kioku, _) = journal();
    for words in [
        &[][..],
        &["ad"],
        &["add", "--"],
        &["add", "text"],
        &["import", "jsonl", ""],
        &["nothing", ""],
        &["--home", "/nowhere", "show", ""],
        &["--vault", "/nowhere", "show", ""],
        &["--journal", "../x", "add", "--mood", ""],
    ] {
        assert!(offered(&kioku, words).is_empty(), "{words:?}");
    }
    kioku.run(&["index"]).ok();
    fs::write(kioku.home.path().join("config.toml"), "mouse = [\n").unwrap();
    for file in fs::read_dir(kioku.journal().join("memory")).unwrap() {
        fs::write(file.unwrap().path(), b"\xff\xfe\x00").unwrap();
    }
    offered(&kioku, &["show", ""]);
    let (new, other) = (kioku.journal().with_file_name("new"), Kioku::new());
    offered(&kioku, &["--journal", "new", "show", ""]);
    offered(&other, &["show", ""]);
    assert!(!new.exists() && !other.home.path().join("home").exists(), "completion writes nothing");
}

/// Completes a line in bash, with the word behind the last colon or equals sign as bash passes it.
fn in_bash(kioku: &Kioku, script: &str, line: &str, word: &str) -> Vec<String> {
    const CALL: &str = r#"source "$1"; COMP_LINE="$2"; COMP_POINT=${#2}; COMP_WORDS=($2); [[ "$2" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); COMPREPLY=(); _kioku kioku "$3" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", CALL, "bash", script, line, word]);
    let programs = Path::new(env!("CARGO_BIN_EXE_kioku")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path))).unwrap();
    bash.env("PATH", path);
    bash.env("KIOKU_HOME", kioku.home.path().join("home")).env("KIOKU_CONFIG", kioku.home.path().join("config.toml"));
    let ran = bash.output().unwrap();
    assert!(ran.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_with_the_printed_script() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: no bash");
        return;
    }
    let (kioku, ids) = journal();
    let script = kioku.write("kioku.bash", &kioku.run(&["completions", "bash"]).ok());
    assert_eq!(in_bash(&kioku, &script, "kioku add --mood ", ""), ["calm", "so\\ so"]);
    assert_eq!(in_bash(&kioku, &script, "kioku add --mood \"s", "\"s"), ["so so"]);
    assert_eq!(in_bash(&kioku, &script, "kioku add --tag=pro", "pro"), ["project\\ x"]);
    assert_eq!(in_bash(&kioku, &script, &format!("kioku show {}", &ids[0][..5]), &ids[0][..5]), [ids[0].as_str()]);
    assert_eq!(in_bash(&kioku, &script, "kioku time", "time"), ["timeline"], "commands are the generated script's");
    assert!(in_bash(&kioku, &script, "kioku add --mo", "--mo").contains(&"--mood".to_owned()));
    // Bash splits this id at its colon and replaces only what is behind it.
    fs::create_dir(kioku.home.path().join("notes")).unwrap();
    kioku.write("notes/2024-03-01.md", "## 09:30\n\nFerry.\n\n## 10:15\n\nSoup.\n");
    let line = format!("kioku --vault {} show 2024-03-01.md#09:", kioku.home.path().join("notes").display());
    assert_eq!(in_bash(&kioku, &script, &line, ""), ["30"]);
}

#[test]
fn other_shells_accept_the_printed_scripts() {
    let kioku = Kioku::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = kioku.run(&["completions", shell]).ok();
        assert!(script.contains("__complete"), "{shell}");
        let path = kioku.write(&format!("kioku.{shell}"), &script);
        match Command::new(shell).args(["-n", &path]).output() {
            Ok(ran) => assert!(ran.status.success() && ran.stderr.is_empty(), "{shell}: {ran:?}"),
            Err(_) => eprintln!("skipped: no {shell}"),
        }
    }
}
