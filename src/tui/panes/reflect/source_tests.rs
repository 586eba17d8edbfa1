//! The entry beside the page on a wide screen, and the pane operated by mouse.

use jiff::civil::date;

use super::tests::{FRIDAY, answered, last_ask};
use crate::{
    insight::review::Unit,
    session::{Ask, DayEntry, Reply, Request, Response},
    tui::{event::MouseKind, fixtures, theme::Role},
};

#[test]
fn a_third_column_shows_the_entry_of_the_selected_line() {
    let mut harness = answered(160, 48, "dark");
    for _ in 0..20 {
        harness.key("down");
        if harness.find("▌").y == harness.find("I felt the old knot").y {
            break;
        }
    }
    let sent = harness.sent();
    let day = date(2026, 9, 14);
    let is_day = |request: &Request| matches!(request, Request::Day(asked) if *asked == day);
    let Some((ticket, _)) = sent.iter().rev().find(|(_, request)| is_day(request)) else { panic!("{sent:?}") };
    let entry = fixtures::entry("Late again. I felt the old knot in my stomach.", day.at(15, 30, 0, 0));
    let entries = vec![DayEntry { entry, names: Vec::new(), spans: Vec::new() }];
    harness.reply(Reply::To(*ticket, Response::Day { day, entries, notices: Vec::new() }));
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("Late again.", Role::Text));
    harness.click("Late again.").click("Late again.");
    harness.sees("2026-09-14T15:30:00+07:00");
}

#[test]
fn by_mouse_one_goes_back_and_on_changes_the_scale_and_types_a_date() {
    let mut harness = answered(100, 30, "dark");
    harness.click("◂");
    assert!(matches!(last_ask(&mut harness).1, Ask::Reflect { day, .. } if day < FRIDAY));
    harness.click("▸");
    assert!(matches!(last_ask(&mut harness).1, Ask::Reflect { day, .. } if day == FRIDAY));
    harness.click("month");
    assert!(matches!(last_ask(&mut harness).1, Ask::Review { unit: Unit::Month, .. }));
    harness.click("November 2026");
    harness.sees("go to ");
    harness.typed("2024-03-01").key("enter");
    assert!(matches!(last_ask(&mut harness).1, Ask::Reflect { day, .. } if day == date(2024, 3, 1)));
}

#[test]
fn by_mouse_a_reflection_is_begun_and_the_caret_put_into_it() {
    let mut harness = answered(100, 30, "dark");
    harness.click("write your reflection").typed("I was tird.");
    let mut place = harness.find("tird.");
    place.x += 3;
    harness.mouse(MouseKind::Click, place).typed("e");
    harness.sees("I was tired.");
    harness.click("08:12");
    harness.sees("continue your reflection (3 words)");
}
