//! The first results of a command: by meaning without an existing index, the same for every form of a word, and
//! strong only if the search was complete.

use std::fs;

use kioku::{index::LegHealth, journal::NewEntry, session::Session};
use serde_json::Value;

use super::{
    cli::Kioku,
    sync::{at, options},
};

fn hits(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["text"].as_str().unwrap()).collect()
}

const PUPPY: &str = "We adopted a puppy from the shelter";

#[test]
fn a_search_by_meaning_needs_no_index_made_before() {
    let kioku = Kioku::new();
    kioku.add(&[PUPPY]);
    kioku.add(&["The tax form is due"]);
    assert_eq!(hits(&kioku.run(&["search", "--json", "dog"]).json())[0], PUPPY);
    // The index was deleted.
    fs::remove_dir_all(kioku.journal().join(".index")).unwrap();
    assert_eq!(hits(&kioku.run(&["search", "--json", "dog"]).json())[0], PUPPY);
    // A backup was restored: the files alone.
    let other = Kioku::new();
    fs::create_dir_all(other.journal().join("memory")).unwrap();
    fs::copy(kioku.journal().join("memory/2026-08-14.md"), other.journal().join("memory/2026-08-14.md")).unwrap();
    assert_eq!(hits(&other.run(&["search", "--json", "dog"]).json())[0], PUPPY);
    // An import.
    let third = Kioku::new();
    let source = third.home.path().join("in.jsonl");
    fs::write(&source, format!("{{\"time\":\"2026-02-22T10:00:00+00:00\",\"text\":\"{PUPPY}\"}}\n")).unwrap();
    third.run(&["import", "jsonl", source.to_str().unwrap()]).ok();
    assert_eq!(hits(&third.run(&["search", "--json", "dog"]).json())[0], PUPPY);
    assert!(third.run(&["why", "the dog"]).code != 1);
}

#[test]
fn a_long_import_is_found_by_meaning_at_once() {
    let kioku = Kioku::new();
    let line = |year: usize, text: &str| format!("{{\"time\":\"{year}-02-22T10:00:00+00:00\",\"text\":\"{text}\"}}\n");
    // More than the first search has time for, the one that is asked for last.
    let mut lines: String = (0..600).map(|n| line(2000 + n % 20, &format!("Invoice {n} was paid."))).collect();
    lines.push_str(&line(1999, PUPPY));
    let source = kioku.write("in.jsonl", &lines);
    assert!(kioku.run(&["import", "jsonl", &source]).ok().contains("601 added"));
    let ran = kioku.run(&["search", "--json", "--legs", "vector", "dog"]);
    assert!(!ran.err.contains("has indexed"), "{}", ran.err);
    assert_eq!(hits(&ran.json())[0], PUPPY);
}

#[test]
fn what_the_budget_leaves_is_said_and_the_newest_come_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    for n in 0..20 {
        let time = Some(at(&format!("2026-11-{:02}T10:00:00+00:00", n + 1)));
        let body = format!("Entry {n} of many.");
        session.vault().append(NewEntry { time, body, ..NewEntry::default() }).unwrap();
    }
    let health = |session: &mut Session, mut steps: usize| {
        let mut goes_on = || {
            let more = steps > 0;
            steps = steps.saturating_sub(1);
            more
        };
        session.snapshot_with_meaning(&mut goes_on).unwrap().vector_health.clone()
    };
    assert_eq!(health(&mut session, 0), LegHealth::Building { done: 0, of: 20 });
    assert_eq!(health(&mut session, 1), LegHealth::Building { done: 4, of: 20 });
    let snapshot = session.snapshot().unwrap();
    let is_read = |row: usize| {
        let key = snapshot.catalog.entries()[row].key;
        snapshot.vectors.as_ref().is_some_and(|vectors| !vectors.of_entry(key).is_empty())
    };
    assert!((0..16).all(|row| !is_read(row)) && (16..20).all(is_read), "the newest first");
    assert_eq!(health(&mut session, usize::MAX), LegHealth::Ready);
}

#[test]
fn an_empty_answer_never_says_that_nothing_was_written() {
    let kioku = Kioku::new();
    kioku.add(&["A calm day"]);
    let ran = kioku.run(&["search", "--legs", "words", "zeppelin"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("no entries match") && !ran.err.contains("written down"), "{ran:?}");
    fs::write(kioku.journal().join("memory/2026-08-14 2.md"), "zeppelin").unwrap();
    let ran = kioku.run(&["search", "--legs", "words", "zeppelin"]);
    assert!(ran.err.contains("conflict copies and files without a date are not read"), "{ran:?}");
    // A folder in a day file's place cannot be read.
    #[cfg(unix)]
    if !is_root() {
        use std::os::unix::fs::PermissionsExt;
        let file = kioku.journal().join("memory/2026-08-14.md");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
        let ran = kioku.run(&["search", "--legs", "words", "zeppelin"]);
        assert!(ran.err.contains("one day file could not be read"), "{ran:?}");
    }
}

#[test]
fn an_empty_journal_says_so_each_time_and_its_unread_file_once() {
    let kioku = Kioku::new();
    for verb in ["timeline", "timeline", "dates", "stats"] {
        let ran = kioku.run(&[verb]);
        assert_eq!(
            ran.err.matches("the journal is empty; write an entry with `kioku add`").count(),
            1,
            "{verb}: {ran:?}"
        );
    }
    let day = kioku.journal().join("memory/2026-08-14.md");
    fs::create_dir_all(day.parent().unwrap()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere/at/all", &day).unwrap();
    #[cfg(unix)]
    for verb in ["timeline", "doctor"] {
        let ran = kioku.run(&[verb]);
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(said.matches("/nowhere/at/all").count(), 1, "{verb}: {ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_named_in_the_warning() {
    let kioku = Kioku::new();
    kioku.add(&["A calm day"]);
    let memory = kioku.journal().join("memory");
    std::os::unix::fs::symlink(&memory, memory.join("again")).unwrap();
    let ran = kioku.run(&["timeline"]);
    assert!(ran.err.contains("again could not be read") && ran.err.contains("a link to a folder"), "{ran:?}");
}

/// Nothing is unreadable for root.
#[cfg(unix)]
fn is_root() -> bool {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x");
    fs::write(&file, "x").unwrap();
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    fs::read(&file).is_ok()
}

#[test]
fn why_headache_and_why_headaches_see_the_same_days() {
    let texts = [
        "I had a WORD after the hike.",
        "WORDs again because of the noise.",
        "Slept badly, a WORD all day.",
        "A calm day by the lake.",
        "WORDs in the morning, too much coffee.",
        "Another WORD because of the screen.",
        "The WORD came back after the late night.",
        "Work was fine.",
        "My WORDs are worse because of the heat.",
    ];
    // An event, a topic by its tag in either form, and a word that names nothing: then every entry with it counts.
    for (word, tag, all) in [
        ("headache", None, None),
        ("headache", Some("headache"), None),
        ("blister", Some("blisters"), None),
        ("blister", None, Some(7)),
    ] {
        let kioku = Kioku::new();
        for (n, text) in texts.iter().enumerate() {
            let (day, text) = (format!("2026-03-{:02} 10:00", n + 1), text.replace("WORD", word));
            let mut arguments = vec!["--at", &day, &text];
            if let Some(tag) = tag.filter(|_| n % 2 == 0) {
                arguments.extend(["--tag", tag]);
            }
            kioku.add(&arguments);
        }
        let days = |asked: &str| kioku.run(&["why", asked, "--json"]).json()["days"]["with_target"].as_u64().unwrap();
        let singular = days(word);
        assert!(singular > 0 && all.is_none_or(|all| all == singular), "{word}, {tag:?}: {singular}");
        assert_eq!(singular, days(&format!("{word}s")), "{word}, {tag:?}");
        assert_eq!(singular, days(&format!("why do I have {word}s")), "{word}, {tag:?}");
    }
}

#[test]
fn the_latest_of_a_timeline_are_the_last_of_the_whole() {
    let kioku = Kioku::new();
    for (n, time) in ["2026-03-01 09:00", "2026-03-01 11:00", "2026-03-04 08:00", "2026-04-01 08:00"].iter().enumerate()
    {
        kioku.add(&["--at", time, &format!("Entry {n}")]);
    }
    let lines = |arguments: &[&str]| {
        let out = kioku.run(arguments).ok();
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&["timeline"]);
    assert_eq!(lines(&["timeline", "-n", "2"]), all[2..]);
    assert_eq!(lines(&["timeline", "-n", "9"]), all);
    assert_eq!(lines(&["timeline", "-n", "1", "--to", "2026-03-05"]), all[2..3]);
    // Files of other days are not read: an unreadable one has no effect.
    fs::write(kioku.journal().join("memory/2026-03-01.md"), "no entry any more\n").unwrap();
    assert_eq!(lines(&["timeline", "-n", "1"]), all[3..]);
}
