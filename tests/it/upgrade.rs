//! Compatibility with version 0.2.0: every later version can use its journal, index and configuration
//! (`tests/it/stored`).

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::cli::Kioku;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (item.path(), to.join(item.file_name()));
        if from.is_dir() { copy(&from, &to) } else { fs::copy(&from, &to).map(drop).unwrap() }
    }
}

/// The stored journal in an empty home; its index where this machine looks for it.
fn stored() -> (Kioku, PathBuf) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/stored");
    let kioku = Kioku::new();
    kioku.run(&["index"]).ok();
    let machines = fs::read_dir(kioku.journal().join(".index")).unwrap().map(|item| item.unwrap().path());
    let index = machines.into_iter().find(|path| path.is_dir()).unwrap();
    fs::remove_dir_all(&index).unwrap();
    copy(&stored.join("index"), &index);
    for folder in ["memory", "entities"] {
        copy(&stored.join(folder), &kioku.journal().join(folder));
    }
    fs::copy(stored.join("config.toml"), kioku.home.path().join("config.toml")).unwrap();
    (kioku, index)
}

/// The stored configuration has a removed key: the only warning is about it.
fn tells_only_of_keys(err: &str) -> bool {
    err.lines().count() == 1 && err.contains("`writing.keys` has no effect since 0.2.0: E opens the entry in $EDITOR")
}

#[test]
fn a_stored_journal_index_and_configuration_are_used_without_a_complaint() {
    let (kioku, index) = stored();
    for (query, found) in [("deadline", "Anxious because"), ("dog", "puppy"), ("person:Hung", "Hùng helped")] {
        let ran = kioku.run(&["search", query, "--json"]);
        assert!(ran.code == 0 && ran.out.contains(found) && tells_only_of_keys(&ran.err), "{query}: {ran:?}");
    }
    let why: serde_json::Value = kioku.run(&["why", "anxious", "--json"]).json();
    assert!(why.to_string().contains("the deadline moved"), "{why}");
    kioku.run(&["config"]).ok();
    // The doctor counts a key without effect as a problem.
    fs::remove_file(kioku.home.path().join("config.toml")).unwrap();
    kioku.run(&["doctor", "--verify"]).ok();
    kioku.add(&["A heron stood in the reeds."]);
    assert!(kioku.run(&["search", "heron"]).ok().contains("reeds"));
    assert!(index.join("words/meta.json").is_file());
}

#[test]
fn vectors_are_kept_where_the_rest_of_the_index_is_made_anew() {
    let (kioku, index) = stored();
    // The built-in model is another one since: its vectors are made first.
    kioku.run(&["index"]).ok();
    let meta = index.join("words/meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let (before, rest) = text.split_once("kioku words ").unwrap();
    let older = rest.split_once(',').map(|(_, rest)| format!("{before}kioku words 1,{rest}")).unwrap();
    fs::write(&meta, older).unwrap();
    let said = kioku.run(&["index"]);
    assert!(said.code == 0 && tells_only_of_keys(&said.err), "{said:?}");
    assert_eq!(said.out.trim(), "4 entries: 4 new, 0 changed, 0 gone, 0 passages embedded");
}

#[test]
fn a_changed_start_of_the_day_moves_entries_without_a_command() {
    let (kioku, _) = stored();
    kioku.add(&["--at", "2026-08-12 01:24", "The owls were loud."]);
    kioku.add(&["--at", "2026-08-12 12:00", "Bread and soup."]);
    kioku.run(&["index"]).ok();
    for (config, day, count) in [("day_start = \"04:00\"\n", "2026-08-11", 1), ("", "2026-08-12", 2)] {
        kioku.write("config.toml", config);
        assert!(kioku.run(&["dates"]).ok().contains(&format!("{day}  {count}\n")), "{day}");
        assert!(kioku.run(&["search", &format!("on:{day}")]).ok().contains("owls"), "{day}");
        kioku.run(&["doctor", "--verify"]).ok();
        kioku.add(&["--at", "2026-08-13 12:00", "Rain."]);
        assert!(kioku.run(&["dates"]).ok().contains(&format!("{day}  {count}\n")), "{day}");
    }
    kioku.write("config.toml", "day_start = \"05:00\"\n");
    let said = kioku.run(&["index"]).ok();
    assert!(said.contains("1 changed") && said.contains("0 passages embedded"), "{said}");
}
