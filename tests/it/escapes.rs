//! Untrusted text cannot control the terminal, reorder other text or hide: the real binary, on a pseudo terminal and
//! on pipes.

#![cfg(unix)]

use std::{
    fs,
    io::{Read, Write},
    path::Path,
};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;

use crate::cli::Kioku;

/// An id, a mood, a tag, a name and a text, each with characters that must not reach a terminal.
const HOSTILE: &str = "# Kioku — 2026-08-12\n\n---\n\
    time: \"2026-08-12T09:00:00+02:00\"\n\
    mood: \"calm\\e]0;mood\\a\"\n\
    tags: [\"work\u{9b}31m\", \"tag\u{202e}gat\"]\n\
    id: \"abc\\e]52;c;aGFja2Vk\\a\u{200b}def\"\n---\n\
    Met @Li\u{200b}nh\u{202e}hnil. \u{1b}]52;c;dGV4dA==\u{7}\u{9b}2J done, می\u{200c}خواهم 👩\u{200d}👧.\n";

fn journal() -> Kioku {
    let kioku = Kioku::new();
    let day = kioku.journal().join("memory/2026-08-12.md");
    fs::create_dir_all(day.parent().unwrap()).unwrap();
    // Escapes in YAML are decoded; elsewhere the raw bytes are in the head.
    fs::write(&day, HOSTILE.replace("\\e", "\u{1b}").replace("\\a", "\u{7}")).unwrap();
    kioku
}

/// The output on a terminal.
fn on_terminal(kioku: &Kioku, arguments: &[&str], color: bool) -> String {
    until_quit(kioku, arguments, color, None)
}

/// The same for the screens, which are quit with `q` once `seen` is shown.
fn until_quit(kioku: &Kioku, arguments: &[&str], color: bool, mut seen: Option<&str>) -> String {
    let pair = native_pty_system()
        .openpty(PtySize { rows: 24, cols: 200, pixel_width: 0, pixel_height: 0 })
        .expect("a pseudo terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kioku"));
    command.args(arguments);
    command.env("HOME", kioku.home.path());
    command.env("KIOKU_HOME", kioku.home.path().join("home"));
    command.env("KIOKU_CONFIG", kioku.home.path().join("config.toml"));
    command.env("KIOKU_NOW", "2026-08-14T12:00:00+02:00");
    command.env("TERM", "xterm-256color");
    command.env("EDITOR", "cat");
    command.env_remove("NO_COLOR");
    if !color {
        command.env("NO_COLOR", "1");
    }
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut keys = pair.master.take_writer().unwrap();
    let mut bytes = Vec::new();
    let mut some = [0; 4096];
    // The end of a pseudo terminal is an error on Linux.
    while let Ok(read @ 1..) = reader.read(&mut some) {
        bytes.extend_from_slice(&some[..read]);
        if seen.is_some_and(|seen| String::from_utf8_lossy(&bytes).contains(seen)) {
            seen = None;
            keys.write_all(b"q").unwrap();
        }
    }
    child.wait().unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_harmful(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[test]
fn no_verb_writes_an_escape_of_the_journal_to_a_terminal() {
    let kioku = journal();
    kioku.run(&["index"]).ok();
    for arguments in [
        &["show", "2026-08-12"][..],
        &["show", "2026-08-12", "--json"],
        &["timeline"],
        &["timeline", "--json"],
        &["search", "done"],
        &["search", "--explain", "done"],
        &["search", "--json", "done"],
        &["entities"],
        &["related", "Linh"],
        &["reflect", "2026-08-12"],
        &["stats"],
        &["doctor"],
        &["export", "md"],
        &["export", "jsonl"],
        &["show", "abc"],
        &["rm", "\u{1b}]52;c;x\u{7}"],
        &["why", "calm"],
    ] {
        let plain = on_terminal(&kioku, arguments, false);
        assert!(!plain.contains(is_harmful), "{arguments:?}: {}", plain.escape_debug());
        let colored = on_terminal(&kioku, arguments, true);
        let stripped =
            ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[K"].iter().fold(colored, |text, own| text.replace(own, ""));
        assert!(!stripped.contains(is_harmful), "{arguments:?} in colour: {}", stripped.escape_debug());
    }
    let shown = on_terminal(&kioku, &["show", "2026-08-12"], false);
    assert!(shown.contains("می\u{200c}خواهم 👩\u{200d}👧"), "{shown}");
    assert!(shown.contains("nh\u{fffd}hnil"), "a reversed text is visible as such: {shown}");
    let id = on_terminal(&kioku, &["timeline"], false);
    assert!(id.contains("abc\\u{1b}]52;c;aGFja2Vk\\u{7}\\u{200b}def"), "an id is told from every other: {id}");
}

#[test]
fn the_screens_paint_no_escape_of_the_journal() {
    let kioku = journal();
    let painted = until_quit(&kioku, &[], false, Some("خواهم"));
    assert!(!painted.contains(['\u{9b}', '\u{200b}', '\u{202e}']), "{}", painted.escape_debug());
    assert!(!painted.contains("\u{1b}]"), "no operating system command: {}", painted.escape_debug());
    assert!(painted.contains("nh\u{fffd}hnil"), "{}", painted.escape_debug());
}

#[test]
fn stderr_names_entries_without_their_escapes() {
    let kioku = journal();
    let ran = kioku.run(&["show", "abd"]);
    assert!(!ran.err.contains(is_harmful), "{}", ran.err.escape_debug());
    let ran = kioku.run(&["related", "Li\u{202e}nh\u{1b}[2J"]);
    assert!(!ran.err.is_empty() && !ran.err.contains(is_harmful), "{}", ran.err.escape_debug());
}

#[test]
fn data_on_a_pipe_is_exact_and_json_escapes_controls() {
    let kioku = journal();
    let body = "\u{1b}]52;c;dGV4dA==\u{7}\u{9b}2J done, می\u{200c}خواهم 👩\u{200d}👧.";
    assert!(kioku.run(&["show", "2026-08-12"]).ok().contains(body));
    assert!(kioku.run(&["export", "md"]).ok().contains(body));
    for arguments in [&["show", "2026-08-12", "--json"][..], &["export", "jsonl"], &["search", "--json", "done"]] {
        let out = kioku.run(arguments).ok();
        assert!(!out.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{}", out.escape_debug());
        let value: Value = serde_json::from_str(&out).unwrap();
        assert!(value.to_string().contains("\u{9b}2J done"), "the value is what stands in the file: {value}");
    }
    let out = kioku.piped(&["extract", "--batch"], "I was sad because \u{9b}31m Linh\u{202e} left.\n".as_bytes()).ok();
    assert!(!out.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{}", out.escape_debug());
}

#[test]
fn an_exported_journal_comes_back_as_it_was() {
    let kioku = journal();
    let file = kioku.home.path().join("all.jsonl");
    kioku.run(&["export", "jsonl", "--out", file.to_str().unwrap()]).ok();
    assert!(!fs::read_to_string(&file).unwrap().contains('\u{9b}'));
    kioku.run(&["import", "jsonl", file.to_str().unwrap(), "--journal", "copy"]).ok();
    let body = |journal: &str| {
        let text = fs::read_to_string(day(&kioku, journal)).unwrap();
        text.split_once("---\nMet").unwrap().1.to_owned()
    };
    assert_eq!(body("copy"), body("personal"));
}

fn day(kioku: &Kioku, journal: &str) -> std::path::PathBuf {
    Path::new(&kioku.home.path().join("home/journals")).join(journal).join("memory/2026-08-12.md")
}
