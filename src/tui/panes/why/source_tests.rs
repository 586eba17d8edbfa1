//! The entry beside the causes on a wide screen, and the pane operated by mouse.

use jiff::civil::date;

use super::tests::{answered, harness, last_question};
use crate::{
    session::{DayEntry, Reply, Request, Response},
    tui::{fixtures, theme::Role},
};

#[test]
fn a_third_column_shows_the_entry_of_the_selected_cause_and_then_of_the_selected_quote() {
    let mut harness = answered(160, 48);
    for (keys, day, body) in [
        ("", date(2026, 9, 14), "Met him at ten. Hùng moved the deadline and I felt the old knot again."),
        ("<right> j j", date(2026, 8, 2), "Slept badly. Could not stop thinking of the demo."),
    ] {
        harness.keys(keys);
        let sent = harness.sent();
        let is_day = |request: &Request| matches!(request, Request::Day(asked) if *asked == day);
        let Some((ticket, _)) = sent.iter().rev().find(|(_, request)| is_day(request)) else { panic!("{sent:?}") };
        let entry = fixtures::entry(body, day.at(15, 30, 0, 0));
        let entries = vec![DayEntry { entry, names: Vec::new(), spans: Vec::new() }];
        harness.reply(Reply::To(*ticket, Response::Day { day, entries, notices: Vec::new() }));
        if keys.is_empty() {
            insta::assert_snapshot!(harness.screen());
        }
    }
    harness.sees("Sunday 2 August 2026");
    assert!(harness.shows_as("Slept badly.", Role::Text), "{}", harness.screen());
}

#[test]
fn by_mouse_a_cause_is_opened_followed_and_returned_from() {
    let mut harness = answered(120, 40);
    harness.click("Linh   on 3").click("right more");
    assert_eq!(last_question(&mut harness).1.text, "Linh");
    harness.click("stressed ← Linh");
    harness.sees("poor sleep");
    harness.click("Project X   topic").click("right more").click("“Could not stop thinking");
    assert_eq!(harness.app.pane(), "why", "the first click selects");
    harness.click("“Could not stop thinking");
    assert_eq!(harness.app.pane(), "journal");
}

#[test]
fn by_mouse_the_period_the_fields_and_an_example_are_chosen() {
    let mut harness = harness(120, 40);
    harness.click("stressed about work");
    assert_eq!(last_question(&mut harness).1.text, "stressed about work");
    harness.click("period: all days");
    harness.sees("period: last 365 days");
    harness.click("b between two names");
    harness.click("  and ").typed("Linh").click("between  ").typed("Hùng").key("enter");
    let sent = harness.sent();
    let asked = sent.iter().rev().find_map(|(_, request)| match request {
        Request::Ask(crate::session::Ask::Connect { from, to }) => Some((from.as_str(), to.as_str())),
        _ => None,
    });
    assert!(asked.is_some_and(|(from, to)| from.ends_with("Hùng") && to == "Linh"), "{sent:?}");
}
