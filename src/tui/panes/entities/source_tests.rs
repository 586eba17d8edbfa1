//! The entry beside the name on a wide screen, and the pane operated by mouse.

use jiff::civil::date;

use super::{session_tests::over, tests::full};
use crate::{
    session::{DayEntry, Reply, Request, Response},
    tui::{event::MouseKind, fixtures, harness::Harness, theme::Role},
};

/// The profile of Hùng after the screen became wide.
fn wide() -> Harness {
    let mut harness = full(120, 48);
    harness.resize(160, 48);
    harness
}

/// The profile of Hùng with the entry of a quote beside it.
fn with_source() -> Harness {
    let mut harness = wide();
    // The first line links to a name; its quote is read beside it.
    let sent = harness.sent();
    let day = |request: &Request| matches!(request, Request::Day(day) if *day == date(2026, 9, 14));
    let Some((ticket, _)) = sent.iter().rev().find(|(_, request)| day(request)) else { panic!("{sent:?}") };
    let padding = "Rain on the roof all day, and nothing else to tell of it.\n".repeat(40);
    let body = format!("{padding}Hùng moved the deadline and I felt the old knot. He did not look up.\n{padding}");
    let entry = fixtures::entry(&body, date(2026, 9, 14).at(15, 30, 0, 0));
    let entries = vec![DayEntry { entry, names: Vec::new(), spans: Vec::new() }];
    harness.reply(Reply::To(*ticket, Response::Day { day: date(2026, 9, 14), entries, notices: Vec::new() }));
    harness
}

#[test]
fn a_third_column_shows_the_entry_at_the_sentence_of_the_selected_line() {
    let mut harness = with_source();
    insta::assert_snapshot!(harness.screen());
    assert!(
        harness.shows_as("Hùng moved the deadline and I felt the old", Role::Passage)
            || harness.screen().contains("knot")
    );
    for (width, height) in [(120, 40), (80, 24)] {
        harness.resize(width, height);
        harness.sees_not("Monday 14 September");
    }
}

#[test]
fn the_entry_beside_is_scrolled_by_key_and_by_wheel_and_opens_at_the_second_click() {
    let mut harness = with_source();
    let top = harness.find("Monday 14 September");
    let text = ratatui::layout::Position { y: top.y + 10, ..top };
    let before = harness.screen();
    harness.mouse(MouseKind::Wheel(1), text);
    assert_ne!(harness.screen(), before, "the wheel scrolls what lies under it");
    harness.key("alt-up").key("alt-up").key("alt-up");
    assert_eq!(harness.screen(), before, "as far by keys");
    harness.mouse(MouseKind::Click, text);
    assert_eq!(harness.app.pane(), "entities");
    harness.mouse(MouseKind::Click, text);
    assert_eq!(harness.app.pane(), "journal");
}

#[test]
fn an_entry_that_is_gone_is_said_to_be() {
    let mut harness = wide();
    let sent = harness.sent();
    let day = |request: &Request| matches!(request, Request::Day(_));
    let Some((ticket, _)) = sent.iter().rev().find(|(_, request)| day(request)) else { panic!("{sent:?}") };
    let (entries, notices) = (Vec::new(), Vec::new());
    harness.reply(Reply::To(*ticket, Response::Day { day: date(2026, 9, 14), entries, notices }));
    harness.sees("This entry is gone");
}

#[test]
fn a_day_that_another_question_took_the_place_of_is_asked_for_again() {
    let mut harness = wide();
    harness.sent();
    let (entries, notices) = (Vec::new(), Vec::new());
    harness.reply(Reply::To(crate::session::Ticket(1000), Response::Day { day: date(2026, 1, 1), entries, notices }));
    let sent = harness.sent();
    assert!(sent.iter().any(|(_, request)| matches!(request, Request::Day(_))), "{sent:?}");
}

#[test]
fn by_mouse_a_name_is_hidden_found_among_the_hidden_and_shown_again() {
    let (_folder, mut harness) = over(&[
        (date(2026, 9, 14), "stressed", "@Hùng moved the deadline."),
        (date(2026, 11, 3), "calm", "Rowed on the lake with @Linh and @Hùng."),
    ]);
    harness.resize(200, 40);
    harness.click("Hùng  ").command("Hide name");
    harness.sees_not("Hùng  ");
    harness.click("1 hidden");
    harness.sees("Hidden names   1 name");
    harness.click("Hùng person");
    if harness.screen().contains("Hidden names   1 name") {
        harness.click("Hùng person");
    }
    harness.sees("Hidden names   none");
    harness.wait(std::time::Duration::from_secs(6)).click("esc back");
    harness.sees("Hùng ");
}

#[test]
fn by_mouse_kinds_and_the_filter_are_chosen() {
    let mut harness = full(80, 24);
    harness.click("people 2");
    harness.sees_not("Project X ");
    harness.click("people 2");
    harness.sees("Project X ");
    harness.click("filter:").typed("linh");
    assert!(harness.screen().contains("Linh ") && !harness.screen().contains("Project X "), "{}", harness.screen());
}
