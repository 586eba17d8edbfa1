//! Keys in, screen out, on a real journal.

use std::fs;

use jiff::civil::{self, date};

use crate::{
    journal::{NewEntry, Vault},
    session::{Ask, CurationLog, Request, SessionWorkers, Ticket},
    tui::{
        fixtures,
        harness::{Harness, HarnessSetup},
        panes::PANES,
    },
};

/// The application on a real journal of three days. Keep the folder as long as the harness.
fn real() -> (tempfile::TempDir, Harness) {
    over(&[
        (date(2026, 9, 14), "stressed", "trigger:: [[Project X]]\n\n@Hùng moved the deadline."),
        (date(2026, 10, 2), "stressed", "trigger:: [[Project X]]\n\nThe deadline again, said @Hùng."),
        (date(2026, 11, 3), "calm", "Rowed on the lake with @Linh."),
    ])
}

/// The application on a real journal of these days.
pub(super) fn over(days: &[(civil::Date, &str, &str)]) -> (tempfile::TempDir, Harness) {
    let folder = tempfile::tempdir().unwrap();
    let options = fixtures::session_options(folder.path());
    let vault = Vault::open(options.vault.clone()).unwrap();
    for (day, mood, body) in days {
        let time = Some(fixtures::time(day.at(15, 30, 0, 0)));
        let new = NewEntry { time, mood: Some((*mood).into()), body: (*body).into(), ..NewEntry::default() };
        vault.append(new).unwrap();
    }
    let session = SessionWorkers::inline(options);
    session.keep_changes_in(CurationLog::of(&folder.path().join("state"), folder.path()));
    let mut setup = HarnessSetup::new(PANES);
    (setup.session, setup.start, setup.size) = (Some(session), Some("entities".into()), (120, 40));
    (folder, Harness::new(setup))
}

#[test]
fn over_a_real_journal_names_are_counted_and_the_query_says_whom_its_hits_are_about() {
    let (_folder, mut harness) = real();
    harness.sees("Linh ");
    harness.keys("f").typed("hung").keys("<esc>");
    harness.sees("Feelings  stressed 2 of 2 days (all days: 2 of 3)");
    harness.sees("2 mentions on 2 days");
    harness.keys("<esc> /").typed("lake").keys("<alt-3>");
    let screen = harness.screen();
    assert!(screen.contains("1 hit") && screen.contains("Linh   person"), "{screen}");
    assert!(screen.find("Linh   ") < screen.find("Hùng "), "who the hits are about comes first:\n{screen}");
    harness.command("Toggle: only names in search results");
    harness.sees_not("Hùng ");
}

#[test]
fn a_merge_says_beforehand_what_it_changes_and_is_taken_back() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("linh").keys("<esc> M").typed("Hùng").key("enter");
    harness.sees("Hùng (person)?");
    harness.sees("entry on 1 day.");
    harness.keys("n <esc>");
    harness.sees("Linh ");
    harness.keys("f").typed("linh").keys("<esc> M").typed("Hùng").keys("<enter> y <esc>");
    harness.sees("is the same as");
    harness.keys("f").typed("hung").keys("<esc>");
    harness.sees("also: Linh");
    harness.sees("3 mentions on 3 days");
    harness.keys("u");
    harness.sees("Undid");
    harness.sees("2 mentions on 2 days");
}

#[test]
fn a_name_that_a_link_led_to_stays_on_screen_when_it_is_renamed() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("hung").keys("<esc> <enter> <enter>");
    harness.sees("deadline   event");
    harness.keys("r <ctrl-u>").typed("the sprint").key("enter");
    harness.sees("the sprint   event   also: deadline");
}

#[test]
fn a_name_is_renamed_given_a_kind_and_hidden_and_stays_the_one_looked_at() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("project").keys("<esc> <esc>");
    harness.keys("f").typed("project").keys("<esc> r <ctrl-u>").typed("Project Y").key("enter");
    harness.sees("Project Y   topic   also: Project X");
    harness.command("Set kind").typed("o").key("enter");
    harness.sees("Project Y   group   also: Project X");
    harness.command("Add alias").typed("the project").key("enter");
    harness.sees("the project");
    harness.command("Hide name").keys("<esc>");
    harness.sees_not("Project Y  ");
    harness.keys("u");
    harness.sees("Project Y  ");
}

#[test]
fn changes_of_entries_and_of_names_are_undone_in_one_order_in_every_pane() {
    let (_folder, mut harness) = real();
    harness.keys("n").typed("A late line.").keys("<ctrl-s> <alt-3>");
    harness.keys("f").typed("linh").keys("<esc> r <ctrl-u>").typed("Linh Trần").key("enter");
    harness.keys("<alt-1> u");
    assert_eq!(
        harness.app.toasts().last().copied(),
        Some("Undid: Linh (person) is called Linh Trần, wherever it is written")
    );
    harness.keys("<alt-4> <esc> u");
    let last = harness.app.toasts().pop().unwrap_or_default();
    assert!(last.starts_with("Undid: entry of"), "{last}");
    harness.keys("u");
    assert_eq!(harness.app.toasts().last().copied(), Some("Nothing to undo"));
}

/// The selected line of the list.
fn selected(harness: &Harness) -> String {
    let screen = harness.screen();
    let line =
        screen.lines().find(|line| line.starts_with('▌')).unwrap_or_else(|| panic!("nothing is selected:\n{screen}"));
    line.split('│').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn the_selection_stays_with_a_name_through_a_rename_and_its_undo_and_in_its_place_when_it_is_hidden() {
    let (_folder, mut harness) = real();
    harness.keys("j j");
    let before = selected(&harness);
    harness.keys("r <ctrl-u>").typed("Aa renamed").key("enter");
    assert!(selected(&harness).contains("Aa renamed"), "{}", harness.screen());
    harness.keys("u");
    assert_eq!(selected(&harness), before, "{}", harness.screen());
    harness.keys("j");
    let next = selected(&harness);
    harness.keys("k").command("Hide name");
    assert_eq!(selected(&harness), next, "{}", harness.screen());
}

#[test]
fn whom_a_name_is_one_with_is_offered_from_what_was_begun() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("linh").keys("<esc> M").typed("hu");
    harness.sees("│Hùng");
    harness.keys("<tab>");
    harness.sees("merge Linh into: Hùng");
    harness.key("enter");
    harness.sees("It changes");
}

#[test]
fn who_is_spoken_of_does_not_change_while_it_is_said() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("linh").keys("<esc> r <down> <up> <pagedown> <pageup> <end>").typed("h");
    harness.sees("rename Linh to: Linhh");
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_is_changed() {
    let (_folder, mut harness) = real();
    harness.keys("f").typed("linh").keys("<esc> M").typed("Nobody").key("enter");
    assert!(harness.app.toasts().iter().any(|toast| toast.contains("`Nobody`")), "{:?}", harness.app.toasts());
    harness.sees("merge Linh into: Nobody");
    harness.keys("<esc>").command("Set kind").typed("vegetable").key("enter");
    assert!(harness.app.toasts().iter().any(|toast| toast.contains("kinds are person")), "{:?}", harness.app.toasts());
    harness.sees("Linh is a");
    harness.keys("<esc> u");
    assert!(harness.app.toasts().iter().any(|toast| toast.contains("Nothing to undo")), "{:?}", harness.app.toasts());
}

#[test]
fn a_cause_that_is_rejected_is_claimed_no_more_until_that_is_taken_back() {
    let (_folder, mut harness) = real();
    harness.keys("<alt-4>").typed("stressed").key("enter");
    harness.sees("1  Project X");
    harness.sees("You wrote it twice");
    harness.keys("x");
    harness.sees_not("You wrote it twice");
    harness.keys("u");
    harness.sees("You wrote it twice");
    harness.command("Accept this cause");
    harness.sees("accepted by");
}

#[test]
fn what_led_to_an_entry_is_asked_from_the_journal() {
    let (_folder, mut harness) = real();
    harness.keys("<alt-1> <end> <enter> w");
    assert_eq!(harness.app.pane(), "why");
    harness.sees("the entry of 14 September 2026, 15:30   on 1 of 3 days");
    harness.keys("<alt-1> <alt-4>");
    harness.sees("the entry of 14 September 2026, 15:30");
}

#[test]
fn who_asks_from_another_pane_is_answered_that_alone_whatever_is_searched() {
    let (_folder, mut harness) = real();
    harness.keys("/").typed("lake").keys("<alt-1> <end> <enter>");
    harness.sent();
    harness.keys("w");
    let asked = harness.sent().into_iter().filter_map(|(_, request)| match request {
        Request::Ask(Ask::Why(question)) => Some(question.text),
        _ => None,
    });
    let asked: Vec<String> = asked.collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
    harness.sees("the entry of ");
    harness.keys("<alt-1> <alt-4>");
    harness.sees("the entry of ");
}

#[test]
fn what_another_program_notes_of_a_name_is_shown_when_it_is_noted() {
    let (folder, mut harness) = real();
    harness.keys("f").typed("linh").keys("<esc> <tab>");
    let notes = folder.path().join("entities");
    fs::create_dir_all(&notes).unwrap();
    for (nth, text) in ["Rows every Sunday.", "Sings on Mondays now, and rows no more."].into_iter().enumerate() {
        fs::write(notes.join("Linh.md"), format!("---\ntype: person\n---\n{text}\n")).unwrap();
        harness.session().unwrap().send(Ticket(1_000_000 + nth as u64), Request::Sync);
        harness.settle();
        harness.keys("<end>");
        harness.sees(text);
    }
}
