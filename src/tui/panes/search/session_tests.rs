//! The Search pane on a real session and a real vault: filters, history, export.

use std::{fs, path::Path};

use crate::{
    journal::{EntryTime, NewEntry, Vault},
    session::{QueryHistory, SessionWorkers},
    tui::{
        fixtures,
        harness::{Harness, HarnessSetup},
        panes::{PaneEntry, pane},
        theme::Role,
    },
};

const PANES: &[PaneEntry] = &[pane::<super::Search>()];

/// Entries of an invented autumn: local time, mood, text.
const ENTRIES: &[(&str, &str, &str)] = &[
    ("2026-09-14T15:30", "stressed", "@Hùng moved the deadline again. Work until late."),
    ("2026-09-20T22:40", "tired", "Walked home from work along the lake with @Linh."),
    ("2026-10-30T09:00", "calm", "Rowed on the lake with @Linh before work."),
    ("2026-11-02T09:00", "calm", "No work today. Bread with @Linh and @Hùng."),
    ("2026-11-19T21:05", "stressed", "Work, work, work."),
];

/// The Search pane on a journal of these entries, with a history.
fn kioku(width: u16, height: u16) -> (tempfile::TempDir, Harness) {
    let folder = tempfile::tempdir().unwrap();
    let options = fixtures::session_options(&folder.path().join("vault")).vault;
    let vault = Vault::open(options.clone()).unwrap();
    for (time, mood, body) in ENTRIES {
        let local: jiff::civil::DateTime = time.parse().unwrap();
        let time = EntryTime::of(&local.to_zoned(options.clock.zone().clone()).unwrap());
        let new =
            NewEntry { time: Some(time), mood: Some((*mood).into()), body: (*body).into(), ..NewEntry::default() };
        vault.append(new).unwrap();
    }
    let search = again(folder.path(), width, height);
    (folder, search)
}

/// A new session on the same folder.
fn again(folder: &Path, width: u16, height: u16) -> Harness {
    let options = fixtures::session_options(&folder.join("vault"));
    let history = QueryHistory::of(&folder.join("state"), &options.vault.root);
    let session = SessionWorkers::inline(options);
    session.keep_queries_in(history);
    Harness::new(HarnessSetup { session: Some(session), size: (width, height), ..HarnessSetup::new(PANES) })
}

/// The screen without the search time, and without the spaces that replace its digits.
fn timeless(harness: &Harness) -> String {
    let line = |line: &str| match line.split_once(" ms") {
        Some((before, after)) => {
            let before = before.rsplit_once(" · ").unwrap().0;
            format!("{} · – ms{after}", before.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        None => line.to_owned(),
    };
    harness.screen().lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn hits_are_narrowed_by_key_and_the_filter_stands_in_the_query_to_be_edited() {
    let (_folder, mut search) = kioku(120, 30);
    search.typed("work").keys("<alt-f>");
    insta::assert_snapshot!("narrowing_beside_the_list", timeless(&search));
    // The first line is the most frequent person.
    search.key("enter");
    assert_eq!(search.app.query().text(), "person:Linh work");
    search.sees("✓ person:Linh");
    assert!(search.shows_as("person:Linh", Role::Accent));
    search.sees("2026-10-30");
    search.sees_not("2026-09-14");
    search.key("enter");
    assert_eq!(search.app.query().text(), "work", "the same key takes it out again");
    search.keys("x");
    assert_eq!(search.app.query().text(), "-person:Linh work");
    search.sees("2026-09-14");
    search.sees_not("2026-10-30");
    search.keys("i <ctrl-u>").typed("mood:calm work").keys("<alt-f>");
    search.sees("✓ mood:calm");
    search.command("Clear filters");
    assert_eq!(search.app.query().text(), "work");
}

#[test]
fn escape_clears_only_a_query_that_was_typed_here() {
    const BOTH: &[PaneEntry] = &[pane::<crate::tui::panes::journal::Journal>(), pane::<super::Search>()];
    let (folder, _) = kioku(120, 30);
    let session = Some(SessionWorkers::inline(fixtures::session_options(&folder.path().join("vault"))));
    let mut harness = Harness::new(HarnessSetup { session, size: (120, 30), ..HarnessSetup::new(BOTH) });
    harness.settle();
    harness.keys("f").typed("mood:calm").keys("<enter> <enter>");
    assert_eq!(harness.app.query().text(), "mood:calm");
    harness.keys("2 <esc> <esc>");
    assert_eq!(harness.app.query().text(), "mood:calm", "{}", harness.screen());
    assert!(!harness.screen().contains("···"), "no leg ranks the hits of a mere filter: {}", harness.screen());
    harness.keys("i").typed(" lake").keys("<esc> <esc>");
    assert_eq!(harness.app.query().text(), "", "{}", harness.screen());
}

#[test]
fn tags_of_the_hits_narrow_too() {
    let (folder, _) = kioku(150, 40);
    let vault = Vault::open(fixtures::session_options(&folder.path().join("vault")).vault).unwrap();
    let tags = vec!["boat".to_owned(), "paint".to_owned()];
    vault.append(NewEntry { tags, body: "Work on the hull.".into(), ..NewEntry::default() }).unwrap();
    let mut search = again(folder.path(), 150, 40);
    search.typed("work");
    search.sees("tag  of 6 hits");
    search.keys("<alt-f>").click("boat ").click("boat ");
    assert_eq!(search.app.query().text(), "tag:boat work");
    search.sees("on the hull");
    search.sees_not("Walked home");
}

#[test]
fn what_is_counted_is_what_the_filter_finds() {
    let (_folder, mut search) = kioku(150, 40);
    search.typed("work");
    insta::assert_snapshot!("three_columns", timeless(&search));
    for (label, filter) in [("stressed", "mood:stressed"), ("November 2026", "on:2026-11"), ("Hùng", "person:Hùng")] {
        let row = search.find(&format!("│  {label}")).y;
        let line = search.screen().lines().nth(usize::from(row)).unwrap().to_owned();
        let counted: usize = line.split(label).nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        search.keys("i <ctrl-u>").typed(&format!("{filter} work"));
        assert_eq!(search.app.query().found().unwrap().hits.len(), counted, "{filter}:\n{}", search.screen());
        search.keys("<ctrl-u>").typed("work");
    }
}

#[test]
fn on_a_small_screen_narrowing_takes_the_place_of_the_list() {
    let (_folder, mut search) = kioku(40, 10);
    search.typed("work").keys("<esc> f j j");
    insta::assert_snapshot!("narrowing_small", timeless(&search));
    search.keys("<enter> <esc>");
    search.sees("mood:calm work");
}

#[test]
fn a_filter_is_completed_while_it_is_typed() {
    let (_folder, mut search) = kioku(80, 24);
    search.typed("work mood:ca");
    search.sees("mood:calm");
    search.sees_not("no entry has");
    search.keys("<enter>");
    assert_eq!(search.app.query().text(), "work mood:calm ");
    search.typed("person:").keys("<down> <tab>");
    assert_eq!(search.app.query().text(), "work mood:calm person:Hùng ");
    search.typed("tag").keys("<enter>");
    assert!(!search.app.query().text().contains("tag:"), "a plain word is left alone");
}

#[test]
fn a_filter_that_no_entry_passes_is_answered_with_a_similar_one() {
    let (_folder, mut search) = kioku(80, 24);
    search.typed("mood:clam lake");
    search.sees("no entry has the mood “clam”; similar: mood:calm");
    search.keys("<ctrl-u>").typed("person:Lihn lake");
    search.sees("similar: Linh");
    search.keys("<ctrl-u>").typed("mood:calm lake");
    search.sees_not("similar");
}

#[test]
fn nothing_found_can_still_be_widened_by_key() {
    let (_folder, mut search) = kioku(80, 24);
    search.typed("mood:proud deadline").keys("<esc> f");
    search.sees("✓ mood:proud");
    search.key("enter");
    assert_eq!(search.app.query().text(), "deadline");
    search.sees("Hùng");
}

#[test]
fn queries_of_an_earlier_session_come_back() {
    let (folder, mut search) = kioku(80, 24);
    search.typed("lake").keys("<esc> i <ctrl-u>").typed("bread").key("esc");
    drop(search);
    let mut search = again(folder.path(), 80, 24);
    search.keys("<up>");
    assert_eq!(search.app.query().text(), "bread");
    search.keys("<up>");
    assert_eq!(search.app.query().text(), "lake");
    search.sees("2026-10-30");
}

#[test]
fn a_search_is_saved_listed_run_deleted_and_put_back() {
    let (folder, mut search) = kioku(80, 24);
    let file = folder.path().join("vault/searches.md");
    search.typed("lake mood:calm").keys("<ctrl-s>").typed("calm: by the lake").key("enter");
    search.sees("Saved as calm: by the lake");
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Saved searches\n\n- calm by the lake: lake mood:calm\n");
    search.keys("<esc> <esc>").command("List saved searches");
    insta::assert_snapshot!("saved_searches", timeless(&search));
    search.keys("1");
    assert_eq!(search.app.query().text(), "lake mood:calm");
    search.sees("2026-10-30");
    search.command("List saved searches").keys("d");
    search.sees("No saved searches");
    assert!(!file.exists());
    search.keys("u");
    search.sees("calm by the lake");
    assert!(file.exists());
}

#[test]
fn hits_are_written_in_the_order_shown_and_never_over_another_file() {
    let (journal, mut search) = kioku(80, 24);
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    search.typed("lake").keys("<enter> v X").typed(&path("lake.md")).key("enter");
    search.sees("Wrote 2 entries to");
    let page = written("lake.md");
    assert!(
        page.starts_with("# lake\n\n2 of 2 entries, newest first\n\n## 2026-10-30 09:00 · calm\n\nRowed on"),
        "{page}"
    );
    assert!(page.contains("*words: lake*"), "{page}");
    search.keys("X").typed(&path("lake.md")).key("enter");
    search.sees("already exists");
    assert_eq!(written("lake.md"), page);
    search.keys("<ctrl-u>").typed(&path("lake.JSON")).key("enter");
    let json: serde_json::Value = serde_json::from_str(&written("lake.JSON")).unwrap();
    assert_eq!((&json["v"], &json["query"]), (&1.into(), &"lake".into()));
    assert_eq!(json["hits"][1]["text"], ENTRIES[1].2);
    let inside = journal.path().join("vault/memory/hits.md");
    search.keys("X <ctrl-u>").typed(&inside.display().to_string()).key("enter");
    search.sees("inside the journal");
    assert!(!inside.exists());
}
