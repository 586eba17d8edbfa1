//! Records on the screens: the list, its keys, and the day they belong to.

use std::fs;

use kioku::{journal::NewEntry, tui::harness::Harness};

use crate::screens::{ENTRIES, kioku};

#[test]
fn a_goal_is_added_done_undone_and_opened_from_the_list() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let file = || fs::read_to_string(folder.path().join("memory/2026-11-20.md")).unwrap();
    kioku.key("alt-g");
    kioku.sees("No open records · n add");
    kioku.keys("n").typed("goal run a half marathon by May");
    kioku.sees("→ goal, due 31 May 2027");
    kioku.key("enter");
    kioku.sees("[ ] run a half marathon by May");
    kioku.sees("due 31 May 2027  goal");
    assert!(file().contains("record: \"goal\"\nstatus: \"open\"\ndue: \"2027-05-31\"\n"), "{}", file());
    kioku.key("x");
    kioku.sees("[x] run a half marathon");
    assert!(file().contains("status: \"done\""), "{}", file());
    kioku.key("u");
    assert!(file().contains("status: \"open\""), "{}", file());
    kioku.sees("[ ] run a half marathon");
    kioku.key("d");
    kioku.sees("[-] run a half marathon");
    kioku.key("d");
    kioku.sees("[ ] run a half marathon");
    kioku.key("enter");
    assert_eq!(kioku.app.pane(), "journal");
    kioku.sees("Friday 20 November 2026");
    kioku.sees("run a half marathon by May");
}

#[test]
fn closed_records_leave_the_list_and_come_back_with_one_key() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.key("alt-g").keys("n").typed("item oat milk").key("enter");
    kioku.keys("n").typed("bread").key("enter");
    kioku.sees("shopping  item");
    kioku.key("g").key("g").key("x");
    kioku.key("esc").key("alt-g");
    kioku.sees_not("] oat milk");
    kioku.sees("[ ] bread");
    kioku.key("v");
    kioku.sees("[x] oat milk");
    kioku.keys("n").typed("item bread").key("enter");
    assert!(kioku.app.toasts().iter().any(|toast| toast.starts_with("There already")), "{:?}", kioku.app.toasts());
}

#[test]
fn typing_can_be_cancelled_and_an_empty_record_is_not_saved() {
    let (folder, mut kioku) = kioku(ENTRIES);
    kioku.key("alt-g").keys("n").typed("goal").key("enter");
    kioku.sees("goal, item, fact, note");
    kioku.key("esc");
    kioku.sees("No open records");
    kioku.key("esc");
    kioku.sees_not("Records");
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
    kioku.sees("1 entry");
    kioku.sees("9 records");
    kioku.sees_not("10 entries");
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
    kioku.sees(line);
    kioku.keys("4").typed("Linh").key("enter");
    kioku.sees("Records: no causes");
    kioku.sees(line);
    kioku.keys("G").key("enter");
    assert_eq!(kioku.app.pane(), "journal");
    kioku.sees("Thursday 19 November 2026");
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
    kioku.sees("item? oat milk");
    assert!(!file().contains("record:"), "nothing is kept silently: {}", file());
    kioku.keys("A");
    assert!(file().contains("record: \"item\"\nlist: \"shopping\"\ndone: false\n"), "{}", file());
    kioku.sees("goal? learn to swim by May");
    kioku.keys("x");
    kioku.sees_not("goal?");
    assert!(!file().contains("record: \"goal\""), "{}", file());
    kioku.keys("n").typed("nhớ mua sữa").key("ctrl-s");
    kioku.sees("item? sữa");
}

#[test]
fn nothing_is_proposed_unless_it_is_switched_on() {
    let (_folder, mut kioku) = proposing(false);
    kioku.keys("n").typed("Buy oat milk.").key("ctrl-s");
    kioku.sees_not("item?");
}
