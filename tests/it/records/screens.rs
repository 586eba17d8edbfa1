//! Records on the screens: the list, its keys, and the day they belong to.

use std::fs;

use kioku::{journal::NewEntry, tui::harness::Harness};

use crate::screens::{ENTRIES, kioku};

#[track_caller]
fn sees(kioku: &Harness, text: &str) {
    assert!(kioku.screen().contains(text), "{text}:\n{}", kioku.screen());
}

#[track_caller]
fn lacks(kioku: &Harness, text: &str) {
    assert!(!kioku.screen().contains(text), "{text}:\n{}", kioku.screen());
}

#[test]
fn a_goal_is_added_done_undone_and_opened_from_the_list() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let file = || fs::read_to_string(folder.path().join("memory/2026-11-20.md")).unwrap();
    kioku.key("alt-g");
    sees(&kioku, "No open records · n add");
    kioku.keys("n").typed("goal run a half marathon by May");
    sees(&kioku, "→ goal, due 31 May 2027");
    kioku.key("enter");
    sees(&kioku, "[ ] run a half marathon by May");
    sees(&kioku, "due 31 May 2027  goal");
    assert!(file().contains("record: \"goal\"\nstatus: \"open\"\ndue: \"2027-05-31\"\n"), "{}", file());
    kioku.key("x");
    sees(&kioku, "[x] run a half marathon");
    assert!(file().contains("status: \"done\""), "{}", file());
    kioku.key("u");
    assert!(file().contains("status: \"open\""), "{}", file());
    sees(&kioku, "[ ] run a half marathon");
    kioku.key("d");
    sees(&kioku, "[-] run a half marathon");
    kioku.key("d");
    sees(&kioku, "[ ] run a half marathon");
    kioku.key("enter");
    assert_eq!(kioku.app.pane(), "journal");
    sees(&kioku, "Friday 20 November 2026");
    sees(&kioku, "run a half marathon by May");
}

#[test]
fn closed_records_leave_the_list_and_come_back_with_one_key() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.key("alt-g").keys("n").typed("item oat milk").key("enter");
    kioku.keys("n").typed("bread").key("enter");
    sees(&kioku, "shopping  item");
    kioku.key("g").key("g").key("x");
    kioku.key("esc").key("alt-g");
    lacks(&kioku, "] oat milk");
    sees(&kioku, "[ ] bread");
    kioku.key("v");
    sees(&kioku, "[x] oat milk");
    kioku.keys("n").typed("item bread").key("enter");
    assert!(kioku.app.toasts().iter().any(|toast| toast.starts_with("There already")), "{:?}", kioku.app.toasts());
}

#[test]
fn typing_can_be_cancelled_and_an_empty_record_is_not_saved() {
    let (folder, mut kioku) = kioku(ENTRIES);
    kioku.key("alt-g").keys("n").typed("goal").key("enter");
    sees(&kioku, "goal, item, fact, note");
    kioku.key("esc");
    sees(&kioku, "No open records");
    kioku.key("esc");
    lacks(&kioku, "Records");
    assert!(!folder.path().join("memory/2026-11-20.md").exists());
}

#[test]
fn records_take_a_line_each_in_their_day_and_do_not_count_as_entries() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let record = |kind: &str, body: &str| NewEntry {
        extra: vec![("record".to_owned(), kind.to_owned())],
        body: body.to_owned(),
        ..NewEntry::default()
    };
    let clock = kioku::clock::Clock::fixed("2026-11-19T23:00+07:00[+07:00]".parse().unwrap());
    let vault = kioku::journal::Vault::open(kioku::journal::VaultOptions::new(folder.path(), clock)).unwrap();
    for nth in 1..=9 {
        vault.append(record("conversation", &format!("Prompt {nth}\n\nMany\n\nmore\n\nlines."))).unwrap();
    }
    kioku.command("Reload files").resize(120, 40);
    let screen = kioku.screen();
    let lines: Vec<&str> = screen.lines().filter(|line| line.contains("Prompt ")).collect();
    assert_eq!(lines.len(), 9, "{screen}");
    sees(&kioku, "1 entry");
    sees(&kioku, "9 records");
    lacks(&kioku, "10 entries");
    // The selected one is shown in full.
    kioku.key("enter").keys("G");
    assert_eq!(kioku.screen().matches("lines.").count(), 1, "{}", kioku.screen());
}

#[test]
fn the_list_fits_a_small_and_a_large_screen() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.key("alt-g");
    for text in [
        "goal run a half marathon by May",
        "item oat milk",
        "fact Linh: allergic to nuts",
        "claim Tea keeps me awake at night",
    ] {
        kioku.keys("n").typed(text).key("enter");
    }
    insta::assert_snapshot!("records_80x24", kioku.screen());
    kioku.resize(120, 40);
    insta::assert_snapshot!("records_120x40", kioku.screen());
}

#[test]
fn entities_and_why_show_the_claims_about_a_name_as_records() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let clock = kioku::clock::Clock::fixed("2026-11-19T23:00+07:00[+07:00]".parse().unwrap());
    let vault = kioku::journal::Vault::open(kioku::journal::VaultOptions::new(folder.path(), clock)).unwrap();
    let claim = |id: &str, body: &str| NewEntry {
        id: Some(id.to_owned()),
        extra: vec![("record".to_owned(), "claim".to_owned())],
        body: body.to_owned(),
        ..NewEntry::default()
    };
    vault.append(claim("aaaa", "Linh rows every day")).unwrap();
    vault.append(claim("bbbb", "Linh was away in October\ncontradicts:: [[aaaa]]")).unwrap();
    kioku.command("Reload files").resize(120, 40);
    let line = "Linh was away in October → Linh rows every day   contradicts";
    kioku.keys("3f").typed("Linh").key("enter");
    sees(&kioku, line);
    kioku.keys("4").typed("Linh").key("enter");
    sees(&kioku, "Records: no causes");
    sees(&kioku, line);
    kioku.keys("G").key("enter");
    assert_eq!(kioku.app.pane(), "journal");
    sees(&kioku, "Thursday 19 November 2026");
}

/// The screens of a journal whose user wants proposals.
fn proposing(is_on: bool) -> (tempfile::TempDir, Harness) {
    crate::screens::kioku_with(ENTRIES, |settings| settings.propose_records = is_on)
}

#[test]
fn plain_words_propose_a_record_that_one_key_keeps_and_another_drops() {
    let (folder, mut kioku) = proposing(true);
    let file = || fs::read_to_string(folder.path().join("memory/2026-11-20.md")).unwrap();
    kioku.keys("n").typed("Long day. Buy oat milk. I want to learn to swim by May.").key("ctrl-s");
    sees(&kioku, "item? oat milk");
    assert!(!file().contains("record:"), "nothing is kept silently: {}", file());
    kioku.keys("A");
    assert!(file().contains("record: \"item\"\nlist: \"shopping\"\ndone: false\n"), "{}", file());
    sees(&kioku, "goal? learn to swim by May");
    kioku.keys("x");
    lacks(&kioku, "goal?");
    assert!(!file().contains("record: \"goal\""), "{}", file());
    kioku.keys("n").typed("nhớ mua sữa").key("ctrl-s");
    sees(&kioku, "item? sữa");
}

#[test]
fn nothing_is_proposed_unless_it_is_switched_on() {
    let (_folder, mut kioku) = proposing(false);
    kioku.keys("n").typed("Buy oat milk.").key("ctrl-s");
    lacks(&kioku, "item?");
}
