//! The word lists of a journal: files in its folder `lexicon/` are read like the program's own.

use std::fs;

use super::cli::{Kioku, finish};

/// A journal of three entries with words that are missing or different in the program's lists.
fn journal() -> Kioku {
    let kioku = Kioku::new();
    for (day, text) in [
        ("2026-03-02", "I felt zorbly because the ferry was late."),
        ("2026-03-05", "Nothing but rain."),
        ("2026-03-09", "The regatta made me nervous. I felt blue all day."),
    ] {
        kioku.add(&["--at", day, text]);
    }
    kioku
}

fn own(kioku: &Kioku, name: &str, text: &str) {
    let folder = kioku.journal().join("lexicon");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.txt")), text).unwrap();
}

/// The names of the journal with their kinds.
fn names(kioku: &Kioku) -> Vec<String> {
    let listed = kioku.run(&["entities", "--json"]).json();
    let name = |entity: &serde_json::Value| {
        format!("{} {}", entity["name"].as_str().unwrap(), entity["kind"].as_str().unwrap())
    };
    let mut names: Vec<String> = listed["entities"].as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_word_of_the_journals_own_is_read_as_the_list_says_in_every_entry_and_again_without_it() {
    let kioku = journal();
    let before = names(&kioku);
    let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
    assert!(!has(&before, "zorbly emotion") && has(&before, "sad emotion"), "{before:?}");

    own(&kioku, "feelings", "# mine\n[sadness]\nzorbly: zorbly\n- blue\n");
    own(&kioku, "events", "regatta: regatta, regattas\n");
    let with = names(&kioku);
    assert!(has(&with, "zorbly emotion") && has(&with, "regatta event"), "{with:?}");
    assert!(!has(&with, "sad emotion"), "blue says nothing any more: {with:?}");
    let why = kioku.run(&["why", "zorbly"]).ok();
    assert!(why.contains("the ferry was late"), "{why}");
    let doctor = kioku.run(&["doctor"]).ok();
    assert!(doctor.contains("your own events, feelings"), "{doctor}");

    fs::remove_dir_all(kioku.journal().join("lexicon")).unwrap();
    assert_eq!(names(&kioku), before);
}

#[test]
fn what_cannot_be_used_is_told_and_costs_nothing_else() {
    let kioku = journal();
    own(&kioku, "feelings", "[sadness]\nzorbly: zorbly\nblergh\n");
    own(&kioku, "feeling", "x: y\n");
    let ran = kioku.run(&["entities"]);
    assert!(ran.code == 0 && ran.out.contains("zorbly"), "{ran:?}");
    assert!(ran.err.contains("feelings.txt:3: expected a name, a colon and words"), "{}", ran.err);
    assert!(ran.err.contains("feeling.txt: no list has this name; there are "), "{}", ran.err);
}

#[test]
fn what_is_not_the_own_journal_is_not_read_by_its_lists() {
    let kioku = journal();
    own(&kioku, "feelings", "blergh\n");
    assert!(kioku.run(&["entities"]).err.contains("feelings.txt:1"));
    let mut demo = kioku.command(&["demo"]);
    demo.env("TMPDIR", kioku.home.path());
    let ran = finish(demo, b"");
    assert!(ran.code == 0 && ran.err.is_empty(), "{ran:?}");
}

#[test]
fn the_lists_are_shown_with_what_the_journal_adds() {
    let kioku = journal();
    own(&kioku, "feelings", "[sadness]\nzorbly: zorbly, zorblier\n");
    let all = kioku.run(&["lexicon"]).ok();
    let line = all.lines().find(|line| line.starts_with("feelings ")).unwrap();
    assert!(line.contains("and 2 of yours"), "{line}");
    let whole = kioku.run(&["lexicon", "feelings"]);
    assert!(whole.out.contains("\n[sadness]\n") && whole.err.contains("feelings.txt"), "{whole:?}");
    let wrong = kioku.run(&["lexicon", "felings"]).fails(2);
    assert!(wrong.contains("unknown word list `felings`"), "{wrong}");
}
