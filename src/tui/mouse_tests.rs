//! Bars and overlays operated by mouse, and the keys that text fields take.

use super::{
    event::MouseKind,
    harness::{Harness, HarnessSetup},
    panes::PANES,
};
use crate::{
    journal::{Notice, NoticeKind},
    session::{Reply, Request, Response, View, Written},
};
use ratatui::layout::Position;

fn harness() -> Harness {
    Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) })
}

#[test]
fn alt_digits_go_from_any_pane_to_any_other_and_plain_ones_outside_a_field() {
    let names = ["journal", "search", "entities", "why", "reflect", "stats"];
    let mut harness = harness();
    for from in 1..=names.len() {
        for to in 1..=names.len() {
            harness.keys(&format!("<alt-{from}> <alt-{to}>"));
            assert_eq!(harness.app.pane(), names[to - 1], "from {from} to {to}");
            harness.keys(&format!("<alt-{from}> <esc> {to}"));
            assert_eq!(harness.app.pane(), names[to - 1], "outside a field, from {from} to {to}");
            harness.key("esc");
        }
    }
}

#[test]
fn a_field_that_a_pane_opens_with_takes_every_printable_key_from_the_first_frame_on() {
    let text = "1 day at the lake: d, x and 6 of ? / q!";
    let mut harness = harness();
    harness.keys("2").typed(text);
    assert_eq!((harness.app.pane(), harness.app.query().text()), ("search", text));
    harness.keys("<ctrl-u> <alt-1> 4").typed(text);
    assert_eq!(harness.app.pane(), "why");
    harness.sees(text);
    let sent = harness.sent();
    assert!(!sent.iter().any(|(_, request)| matches!(request, Request::Remove { .. })), "{sent:?}");
}

#[test]
fn a_sequence_begun_before_takes_no_letter_from_a_field() {
    let mut harness = harness();
    harness.keys("<alt-2> <esc> g").click(" > ");
    let field = harness.find(" > ");
    harness.mouse(MouseKind::Click, Position { x: field.x + 5, ..field }).typed("great");
    assert_eq!(harness.app.query().text(), "great");
}

#[test]
fn a_field_that_was_asked_for_or_typed_in_takes_digits() {
    let mut harness = harness();
    harness.keys("/").typed("5 km");
    assert_eq!((harness.app.pane(), harness.app.query().text()), ("search", "5 km"));
    harness.keys("<ctrl-u> <alt-1> 2").typed("2026");
    assert_eq!((harness.app.pane(), harness.app.query().text()), ("search", "2026"));
    harness.keys("<ctrl-u> <alt-4> <esc> i").typed("6 hours of sleep");
    assert_eq!(harness.app.pane(), "why");
    harness.sees("6 hours of sleep");
}

#[test]
fn a_click_in_a_field_asks_for_it() {
    let mut harness = harness();
    harness.keys("4").click("why  ").typed("5");
    assert_eq!(harness.app.pane(), "why");
    harness.keys("<alt-2>").click(" > ");
    let field = harness.find(" > ");
    harness.mouse(MouseKind::Click, Position { x: field.x + 5, ..field }).typed("5");
    assert_eq!((harness.app.pane(), harness.app.query().text()), ("search", "5"));
}

#[test]
fn a_hint_is_clicked_like_its_key() {
    let mut harness = harness();
    harness.click("? help");
    harness.sees(" Help ─");
    harness.click("esc close");
    harness.sees_not(" Help ─");
    harness.click("q quit");
    assert!(harness.has_quit());
}

#[test]
fn a_command_is_picked_from_the_palette_by_two_clicks_and_a_click_beside_it_closes() {
    let mut harness = harness();
    harness.click(": commands").typed("go to refl");
    harness.click("Go to Reflect");
    if harness.app.pane() != "reflect" {
        harness.click("Go to Reflect");
    }
    assert_eq!(harness.app.pane(), "reflect");
    harness.keys("<ctrl-p>");
    harness.sees("Commands");
    harness.mouse(MouseKind::Click, Position { x: 1, y: 20 });
    harness.sees_not("Commands");
}

#[test]
fn problems_are_opened_from_their_count_and_their_day_by_two_clicks() {
    let mut harness = harness();
    let notice = |file: &str| Notice {
        file: file.into(),
        line: 3,
        message: format!("a torn head in {file}"),
        kind: NoticeKind::NoHead,
    };
    let notices = vec![notice("2026-02-01.md"), notice("2026-02-22.md")];
    harness.view(View { notices: std::sync::Arc::new(notices), ..View::default() });
    harness.click("2 !");
    harness.sees("a torn head");
    harness.click("a torn head in 2026-02-22");
    harness.sees("a torn head");
    harness.click("a torn head in 2026-02-22");
    assert_eq!(harness.app.pane(), "journal");
    let sent = harness.sent();
    let day = jiff::civil::date(2026, 2, 22);
    assert!(sent.iter().any(|(_, request)| matches!(request, Request::Day(asked) if *asked == day)), "{sent:?}");
}

#[test]
fn an_error_has_been_seen_when_the_mouse_is_clicked() {
    let mut harness = harness();
    let (ticket, _) = harness.sent().pop().expect("the day is asked for");
    let error = crate::session::SessionError::Fault("reading a day".into());
    harness.reply(Reply::To(ticket, Response::Failed(error)));
    assert_eq!(harness.app.toasts().len(), 1);
    harness.mouse(MouseKind::Click, Position { x: 60, y: 30 });
    assert!(harness.app.toasts().is_empty());
}

#[test]
fn a_repair_takes_off_the_rows_of_its_own_file() {
    let mut harness = harness();
    let notice = |file: &str| Notice {
        file: file.into(),
        line: 3,
        message: format!("a torn head in {file}"),
        kind: NoticeKind::TornHead,
    };
    let notices = vec![notice("2026-02-01.md"), notice("2026-02-22.md")];
    harness.view(View { notices: std::sync::Arc::new(notices), ..View::default() });
    harness.sent();
    harness.keys("! r j");
    let sent = harness.sent();
    let [(_, Request::CheckAttachments), (ticket, Request::Repair(repaired))] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(&*repaired.file, "2026-02-01.md");
    harness.reply(Reply::To(*ticket, Response::Written(Written::Repaired(None))));
    let screen = harness.screen();
    assert!(screen.contains("torn head in 2026-02-22") && !screen.contains("torn head in 2026-02-01"), "{screen}");
}
