//! Going about with ease: filters, names followed, entries moved.

use super::*;
use crate::search::Search;

/// The last search asked, answered with filters' days.
fn answers(desk: &mut Desk, days: &[(civil::Date, usize)]) -> Search {
    let at = desk.asked.iter().rposition(|(_, request)| matches!(request, Request::Search(_))).unwrap();
    let (ticket, Request::Search(search)) = desk.asked.remove(at) else { unreachable!() };
    let found = Found {
        hits: Vec::new(),
        total: days.iter().map(|(_, count)| count).sum(),
        days: days.to_vec(),
        confident: true,
        understood: Vec::new(),
        notice: None,
        counts: [None; 3],
        scan: None,
        took: Duration::ZERO,
    };
    desk.reply(Reply::Found { ticket, stage: crate::engine::Stage::Fused, found: Box::new(found) });
    search
}

#[test]
fn a_mood_begun_is_offered_and_leaves_only_its_days() {
    let mut desk = Desk::full(120, 40);
    desk.keys("f").typed("pro");
    desk.sees_not("mood:proud");
    desk.keys("<ctrl-u>").typed("str");
    desk.sees("›mood:stressed").keys("<enter>");
    let search = answers(&mut desk, &[(date(2026, 10, 31), 2), (date(2026, 9, 1), 1)]);
    assert_eq!(search.text, "mood:stressed");
    desk.sees("3 hits on 1 day").sees("Saturday 31 October 2026").sees_not("Th 19").sees("/mood:stressed");
    desk.keys("f").sees("mood:stressed ").keys("<ctrl-u> <enter>").sees("Th 19").sees_not("hits on");
}

#[test]
fn a_word_stays_a_word_where_the_offer_is_closed_first() {
    let mut desk = Desk::full(120, 40);
    desk.keys("f").typed("wor").sees("›tag:work").sees("esc first").keys("<esc>").sees_not("›tag:work").keys("<enter>");
    assert_eq!(answers(&mut desk, &[]).text, "wor");
    desk.sees("0 hits on 0 days").sees("Friday 20 November 2026");
}

#[test]
fn what_is_no_filter_is_said_while_it_is_typed() {
    let mut desk = Desk::full(120, 40);
    desk.keys("f").typed("from:soon").sees("from: needs a day");
    desk.keys("<esc>").sees_not("from:");
    assert!(desk.asked.is_empty());
}

#[test]
fn the_filter_line_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 10)] {
        let mut desk = Desk::full(width, height);
        desk.keys("f").typed("tag:w");
        insta::assert_snapshot!(format!("filter_{width}x{height}"), desk.screen());
    }
}

#[test]
fn an_entry_is_moved_to_where_people_say() {
    let mut desk = Desk::full(120, 40);
    desk.keys("l j T").typed("last friday").sees("→ Friday 13 November 2026, 15:30");
    desk.keys("<ctrl-u>").typed("9:15").sees("→ Friday 20 November 2026, 09:15");
    insta::assert_snapshot!("move_wide", desk.screen());
    desk.keys("<ctrl-u>").typed("19 november 16:00").keys("<enter>");
    let (ticket, request) = desk.asked();
    let Request::Edit { base, change, .. } = request else { panic!("{request:?}") };
    assert_eq!(change.time.as_ref().unwrap().written, "2026-11-19T16:00:00+07:00");
    assert_eq!((change.body, change.mood, change.tags), (None, None, None));
    desk.sees("Thursday 19 November 2026").sees("16:00").sees("Met Hùng");
    let mut moved = base.clone();
    (moved.time, moved.day) = (change.time.unwrap(), date(2026, 11, 19));
    desk.entries.retain(|known| known.entry.id != base.id);
    desk.write(moved.clone());
    desk.reply(Reply::Written { ticket, done: Written::Edited(moved) });
    desk.sees("Moved to Thursday 19 November 2026, 16:00; u takes it back");
    desk.keys("t").sees_not("Met Hùng");
}

#[test]
fn no_time_moves_nothing_and_is_said() {
    let mut desk = Desk::full(80, 24);
    desk.keys("<tab> T").typed("soonish").keys("<enter>").sees("✗ no time").keys("<esc>").sees_not("no time");
    desk.keys("T <enter>").sees_not("move to");
    assert!(desk.asked.is_empty());
}

#[test]
fn names_are_walked_in_the_text_and_below_it() {
    let mut desk = Desk::full(120, 40);
    desk.keys("l j .");
    assert!(desk.harness.shows_as("Hùng about", Role::Selected));
    desk.keys(". .");
    assert!(desk.harness.shows_as("stressed   #work", Role::Low), "the head is left as it is");
    insta::assert_snapshot!("name_chosen", desk.screen());
    desk.keys(".");
    assert!(desk.harness.shows_as("Hùng about", Role::Selected), "after the last comes the first");
    desk.keys("<esc>");
    assert!(!desk.harness.shows_as("Hùng about", Role::Selected));
    desk.keys("<home> <enter>").sees("No names are known in this entry");
}
