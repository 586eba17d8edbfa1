//! Quotes, notes, hidden names and possible duplicates on real journals, by keys.

use std::fs;

use jiff::civil::date;

use super::session_tests::over;
use crate::tui::{harness::Harness, theme::Role};

/// Two names, most likely of one person; and a pair of neighbours who are different people.
fn doubtful() -> (tempfile::TempDir, Harness) {
    over(&[
        (date(2026, 9, 14), "stressed", "Lunch with [[Linh Nguyễn (person)]] by the lake."),
        (date(2026, 10, 2), "calm", "@Linh called late. She is moving house."),
        (date(2026, 11, 3), "calm", "Rowed on the lake with @Linh and @Hùng."),
    ])
}

#[test]
fn a_quote_opens_its_entry_at_the_sentence_and_marks_it() {
    let padding = "Rain on the roof all day, and nothing else to tell of it.\n\n".repeat(30);
    let body = format!("{padding}In the evening @Hùng moved the deadline.\n\n{padding}");
    let (_folder, mut harness) = over(&[(date(2026, 9, 14), "stressed", &body)]);
    harness.keys("f").typed("hung").keys("<esc> <tab> <end> <enter>");
    assert_eq!(harness.app.pane(), "journal");
    assert!(harness.shows_as("In the evening", Role::Passage), "{}", harness.screen());
    assert!(harness.shows_as("Rain on the roof", Role::Text), "only the sentence is marked");
}

#[test]
fn a_pair_that_may_be_one_is_shown_with_reasons_and_sentences() {
    let (_folder, mut harness) = doubtful();
    harness.sees("= 1 possible duplicate");
    harness.keys("=");
    insta::assert_snapshot!(harness.screen());
    harness.resize(80, 24);
    insta::assert_snapshot!(harness.screen());
    harness.keys("j <enter>");
    assert_eq!(harness.app.pane(), "journal");
    harness.sees("Rowed on the lake");
}

#[test]
fn a_pair_is_made_one_after_a_look_at_what_changes_and_taken_apart_again() {
    let (_folder, mut harness) = doubtful();
    harness.keys("= M");
    harness.sees("Linh (person) is the same as Linh Nguyễn (person)?");
    harness.sees("changes 2 entries on 2 days");
    harness.keys("n");
    harness.keys("=");
    harness.sees("1 pair");
    assert_eq!(harness.app.toasts(), ["No more possible duplicates"]);
    harness.keys("M y");
    harness.sees("No more possible duplicates");
    harness.keys("<esc> <esc>");
    harness.sees_not("possible duplicate");
    harness.keys("u");
    harness.sees("= 1 possible duplicate");
}

#[test]
fn a_second_click_on_a_sentence_of_a_pair_opens_it() {
    let (_folder, mut harness) = doubtful();
    harness.keys("=");
    let mut click = |text: &str| {
        harness.click(text);
        harness.screen()
    };
    assert!(click("“Rowed on the lake").contains("1 pair"), "the first one selects");
    assert!(click("“Rowed on the lake").contains("Tuesday 3 November 2026"));
}

#[test]
fn a_pair_that_is_two_is_never_proposed_again_until_that_is_taken_back() {
    let (folder, mut harness) = doubtful();
    harness.keys("= x");
    harness.sees("No more possible duplicates");
    harness.keys("<esc> <alt-r>");
    harness.sees_not("possible duplicate");
    let note = fs::read_to_string(folder.path().join("entities/Linh Nguyễn.md")).unwrap();
    assert!(note.contains("distinct-from:\n  - Linh\n"), "{note}");
    harness.keys("u");
    harness.sees("= 1 possible duplicate");
}

#[test]
fn a_hidden_name_is_listed_and_brought_back() {
    let (_folder, mut harness) = doubtful();
    harness.keys("f").typed("hung").keys("<esc>").command("Hide name").keys("<esc>");
    harness.sees_not("Hùng   ");
    harness.sees("1 hidden");
    harness.click("1 hidden");
    harness.sees("Hidden names   1 name");
    harness.sees("Hùng");
    harness.keys("<enter>");
    harness.sees("Hidden names   none");
    harness.keys("<esc>");
    harness.sees("Hùng");
    harness.sees_not("1 hidden");
    harness.keys("u");
    harness.sees("1 hidden");
}

#[test]
fn chores_survive_every_size() {
    let (_folder, mut harness) = doubtful();
    harness.keys("f").typed("hung").keys("<esc>").command("Hide name").keys("<esc>");
    for keys in [".", "<esc> ="] {
        harness.keys(keys);
        for (width, height) in (1..=244).step_by(27).flat_map(|width| (1..=70).step_by(7).map(move |h| (width, h))) {
            harness.resize(width, height);
        }
    }
}

#[test]
fn notes_are_written_in_the_editor_shown_and_taken_back() {
    let (folder, mut harness) = doubtful();
    let file = folder.path().join("entities/Hùng.md");
    harness.keys("f").typed("hung").keys("<esc>");
    harness.editor_returns(Ok("Met at the river in 2019.\nLikes dry tea.\n")).key("E");
    harness.sees("your notes");
    harness.sees("Likes dry tea.");
    assert!(fs::read_to_string(&file).unwrap().ends_with("---\nMet at the river in 2019.\nLikes dry tea.\n"));
    harness.editor_returns(Ok("Met at the river in 2019.\n")).key("E");
    assert_eq!(harness.edited(), ["", "Met at the river in 2019.\nLikes dry tea.\n"]);
    harness.sees_not("Likes dry tea.");
    harness.keys("u");
    harness.sees("Likes dry tea.");
    harness.keys("u");
    harness.sees_not("your notes");
    assert!(!file.exists(), "the note was made by the change");
}

#[test]
fn notes_that_changed_elsewhere_meanwhile_stand_beside_those_from_the_editor() {
    let (folder, mut harness) = doubtful();
    let file = folder.path().join("entities/Hùng.md");
    harness.keys("f").typed("hung").keys("<esc>");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "---\ntype: person\n---\nWritten by another program.\n").unwrap();
    harness.editor_returns(Ok("Written here.\n")).key("E");
    let note = fs::read_to_string(&file).unwrap();
    assert_eq!(note, "---\ntype: person\n---\nWritten by another program.\n\nWritten here.\n");
    harness.sees("Written by another program.");
    harness.sees("Written here.");
}

#[test]
fn what_the_editor_gives_back_in_vain_is_not_lost() {
    let (folder, mut harness) = doubtful();
    harness.keys("f").typed("hung").keys("<esc>");
    // The notes cannot be written: a file is in the place of their folder.
    fs::write(folder.path().join("entities"), "").unwrap();
    harness.editor_returns(Ok("Likes dry tea.\n")).key("E");
    assert!(harness.app.toasts().iter().any(|toast| toast.contains("Notes not saved")), "{:?}", harness.app.toasts());
    fs::remove_file(folder.path().join("entities")).unwrap();
    harness.edited();
    harness.key("E");
    assert_eq!(harness.edited(), ["Likes dry tea.\n"], "the editor opens on what was written");
    harness.sees("Likes dry tea.");
}
