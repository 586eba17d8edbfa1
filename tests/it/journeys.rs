//! Journeys through the screens: focus, places, and the ways back. Keys in, screen out.

use kioku::tui::{harness::Harness, theme::Role};

use crate::screens::{ENTRIES, kioku};

#[track_caller]
fn is_at(kioku: &Harness, pane: &str) {
    assert_eq!(kioku.app.pane(), pane, "{}", kioku.screen());
}

#[test]
fn a_hit_leads_back_to_its_search_with_list_selection_and_query() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("/").typed("lake").keys("<enter> j");
    let search = kioku.screen();
    let hit = |screen: &str| screen.lines().find(|line| line.starts_with('▌')).map(str::to_owned);
    kioku.keys("<enter>");
    is_at(&kioku, "journal");
    let day = kioku.screen();
    kioku.keys("<alt-left>");
    is_at(&kioku, "search");
    assert_eq!(hit(&kioku.screen()), hit(&search));
    kioku.keys("<alt-right>");
    assert_eq!(kioku.screen(), day);
    kioku.keys("<esc>");
    is_at(&kioku, "search");
    assert_eq!(hit(&kioku.screen()), hit(&search));
    // Another query in between: going back brings the first one back.
    kioku.keys("<enter> <alt-x> /").typed("bowl").keys("<enter> <enter> <alt-left>");
    kioku.sees("> bowl");
    kioku.keys("<alt-left> <alt-left> <alt-left>");
    kioku.sees("> lake");
    assert_eq!(hit(&kioku.screen()), hit(&search));
}

#[test]
fn every_pane_is_gone_back_to_as_it_was() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("3").keys("f").typed("linh").keys("<esc> <enter>");
    kioku.sees("2 mentions");
    let entities = kioku.screen();
    kioku.keys("w");
    is_at(&kioku, "why");
    let why = kioku.screen();
    kioku.keys("5 v v");
    let reflect = kioku.screen();
    kioku.keys("6 k k");
    let stats = kioku.screen();
    kioku.keys("<enter>");
    is_at(&kioku, "journal");
    for (pane, wanted) in [("stats", &stats), ("reflect", &reflect), ("why", &why), ("entities", &entities)] {
        kioku.keys("<alt-left>");
        is_at(&kioku, pane);
        assert_eq!(&kioku.screen(), wanted, "{pane}");
    }
    kioku.keys("<alt-right>");
    assert_eq!(kioku.screen(), why);
    kioku.keys("<esc>");
    assert_eq!(kioku.screen(), entities, "Esc goes back too");
}

#[test]
fn escape_from_an_opened_entry_returns_to_the_pane_it_was_opened_from() {
    for (size, pane, keys) in [
        ((120, 30), "entities", "3 f l i n h <esc> <enter> G k"),
        ((80, 24), "entities", "3 f l i n h <esc> <enter> G k"),
        ((80, 24), "why", "4 s t r e s s e d <enter> j"),
        ((80, 24), "reflect", "5 j"),
        ((80, 24), "stats", "6 k"),
    ] {
        let (_folder, mut kioku) = kioku(ENTRIES);
        kioku.resize(size.0, size.1).keys(keys);
        is_at(&kioku, pane);
        let before = kioku.screen();
        kioku.keys("<enter>");
        is_at(&kioku, "journal");
        kioku.keys("<esc>");
        is_at(&kioku, pane);
        assert_eq!(kioku.screen(), before, "{pane} at {size:?}");
    }
}

#[test]
fn help_opens_over_every_overlay_and_closes_to_it() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    for (keys, help, shown) in [
        ("<ctrl-t>", "?", "Trash"),
        ("!", "?", "Problems"),
        ("<alt-g>", "?", "Records"),
        ("J", "?", "Journals"),
        (":", "<alt-?>", "Commands"),
        ("t <end> <enter> m X", "<alt-?>", "Journal"),
    ] {
        kioku.keys("1 <esc>").keys(keys);
        let before = kioku.screen();
        kioku.keys(help);
        kioku.sees("Help");
        kioku.sees(shown);
        kioku.keys("<esc>");
        assert_eq!(kioku.screen(), before, "{keys}");
        kioku.keys("<esc> <esc>");
    }
}

#[test]
fn escape_clears_no_query_of_another_pane_and_the_chip_names_the_key_that_does() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("/").typed("lake").keys("<enter>");
    for pane in ["1", "3", "4", "5", "6"] {
        kioku.keys(pane).keys("<esc> <esc> <esc>");
        if kioku.app.pane() != "search" {
            kioku.sees("alt-x clear");
        }
        assert_eq!(kioku.app.query().text(), "lake", "{pane}");
    }
    kioku.keys("1").click("/lake");
    assert_eq!(kioku.app.query().text(), "", "a click on the chip clears it too");
}

#[test]
fn one_letter_deletes_nothing_unless_the_entry_has_the_focus() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let day = folder.path().join("memory/2026-11-19.md");
    for keys in ["1 d", "3 d", "5 d", "6 d", "2 <esc> d"] {
        kioku.keys(keys);
        assert!(day.exists() && !folder.path().join("trash").exists(), "{keys}:\n{}", kioku.screen());
    }
    kioku.keys("1 t <end> <enter> d");
    kioku.sees("u undo");
    assert!(folder.path().join("trash").exists());
    kioku.keys("u");
    assert!(kioku.app.toasts().iter().any(|toast| toast.starts_with("Restored")), "{:?}", kioku.app.toasts());
}

#[test]
fn the_entries_of_a_name_lead_back_to_it_without_their_query() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("3").keys("f").typed("linh").keys("<esc> L");
    is_at(&kioku, "journal");
    assert_eq!(kioku.app.query().text(), "person:\"Linh\"");
    kioku.keys("<alt-left>");
    is_at(&kioku, "entities");
    assert_eq!(kioku.app.query().text(), "");
    kioku.keys("<alt-right>");
    assert_eq!(kioku.app.query().text(), "person:\"Linh\"");
}

#[test]
fn n_resumes_the_draft_from_every_pane() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.keys("n").typed("Half a sentence about rain").keys("<esc>");
    for (key, pane) in [("1", "journal"), ("3", "entities"), ("5", "reflect"), ("6", "stats")] {
        kioku.keys(key).keys("n");
        kioku.sees("Half a sentence about rain");
        kioku.keys("<esc>");
        is_at(&kioku, pane);
        kioku.keys("1");
        kioku.sees("unsaved draft, 5 words");
    }
    kioku.keys("1").command("New entry on this day");
    assert!(!kioku.screen().contains("Half a sentence about rain"), "N starts a new one:\n{}", kioku.screen());
}

#[test]
fn a_movement_goes_to_the_part_with_the_focus_and_its_mark_shows_it() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("/").typed("lake").keys("<enter> G");
    let last = kioku.find("2026-").y;
    kioku.keys("g g");
    assert!(kioku.shows_as("▌", Role::Marker));
    assert_eq!(kioku.find("2026-").y, last, "the list itself stays");
    kioku.keys("?");
    kioku.sees("Help");
    kioku.keys("j j <esc>");
    is_at(&kioku, "search");
}

#[test]
fn what_is_typed_at_an_empty_field_is_text() {
    let (folder, mut kioku) = kioku(ENTRIES);
    for (keys, pane) in [
        ("2", "search"),
        ("/ l a k e <enter> <alt-x>", "search"),
        ("/ l a k e <enter> <tab> <alt-x>", "search"),
        ("/ l a k e <enter> <esc>", "search"),
        ("/ l a k e <ctrl-u>", "search"),
        ("4", "why"),
        ("4 <esc> i", "why"),
        ("4 <esc> b", "why"),
    ] {
        kioku.keys(keys).typed("12 dx");
        is_at(&kioku, pane);
        kioku.sees(" 12 dx");
        kioku.keys("<ctrl-u> <esc> 1 <alt-x>");
    }
    for keys in ["3 f", "1 f", "1 g d", "5 g d", "5 i", "n", ":"] {
        kioku.keys(keys).typed("12 dx");
        kioku.sees("12 dx");
        kioku.keys("<ctrl-u> <esc> <esc> 1");
    }
    assert!(!folder.path().join("trash").exists());
}

#[test]
fn the_facts_of_a_name_are_the_first_to_be_read_on_a_small_screen() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(40, 10).keys("3 f l i n h <esc> <enter>");
    for fact in ["Mentions", "Seen", "By month", "Feelings"] {
        kioku.sees(fact);
    }
    kioku.keys("j j");
    assert!(kioku.shows_as("▌", Role::Marker), "{}", kioku.screen());
}
