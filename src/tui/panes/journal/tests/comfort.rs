//! Filters, followed names, moved entries.

use super::*;
use crate::search::Search;

/// Answers the last search request with hits on these days.
fn answers(session: &mut Session, days: &[(civil::Date, usize)]) -> Search {
    let at = session.asked.iter().rposition(|(_, request)| matches!(request, Request::Search(_))).unwrap();
    let (ticket, Request::Search(search)) = session.asked.remove(at) else { unreachable!() };
    let found = Found {
        hits: Vec::new(),
        total: days.iter().map(|(_, count)| count).sum(),
        days: days.to_vec(),
        confident: true,
        confidence: 1.0,
        kind: Default::default(),
        understood: Vec::new(),
        notice: None,
        counts: PerLeg::default(),
        scan: None,
        took: Duration::ZERO,
    };
    session.reply(Reply::To(ticket, Response::Found { stage: crate::session::Stage::Fused, found: Arc::new(found) }));
    search
}

#[test]
fn a_mood_begun_is_offered_and_leaves_only_its_days() {
    let mut session = Session::full(120, 40);
    session.keys("f").typed("pro");
    session.sees_not("mood:proud");
    session.keys("<ctrl-u>").typed("str");
    session.sees("›mood:stressed").keys("<enter>");
    let search = answers(&mut session, &[(date(2026, 10, 31), 2), (date(2026, 9, 1), 1)]);
    assert_eq!(search.text, "mood:stressed");
    session.sees("3 hits on 1 day").sees("Saturday 31 October 2026").sees_not("Th 19").sees("/mood:stressed");
    session.keys("f").sees("mood:stressed ").keys("<ctrl-u> <enter>").sees("Th 19").sees_not("hits on");
}

#[test]
fn a_word_stays_a_word_where_the_offer_is_closed_first() {
    let mut session = Session::full(120, 40);
    session
        .keys("f")
        .typed("wor")
        .sees("›tag:work")
        .sees("esc keeps it as typed")
        .keys("<esc>")
        .sees_not("›tag:work")
        .keys("<enter>");
    assert_eq!(answers(&mut session, &[]).text, "wor");
    session.sees("0 hits on 0 days").sees("No entries match.").sees_not("Friday 20 November 2026");
}

#[test]
fn what_is_no_filter_is_said_while_it_is_typed() {
    let mut session = Session::full(120, 40);
    session.keys("f").typed("from:soon").sees("from:soon is ignored: needs a day");
    session.keys("<esc>").sees_not("from:soon");
    assert!(session.asked.is_empty());
}

#[test]
fn the_filter_line_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 10)] {
        let mut session = Session::full(width, height);
        session.keys("f").typed("tag:w");
        insta::assert_snapshot!(format!("filter_{width}x{height}"), session.screen());
    }
}

#[test]
fn an_entry_is_moved_to_where_people_say() {
    let mut session = Session::full(120, 40);
    session
        .keys("l j")
        .command("Move entry to another date or time")
        .typed("last friday")
        .sees("→ Friday 13 November 2026, 15:30");
    session.keys("<ctrl-u>").typed("9:15").sees("→ Friday 20 November 2026, 09:15");
    insta::assert_snapshot!("move_wide", session.screen());
    session.keys("<ctrl-u>").typed("19 november 16:00").keys("<enter>");
    let (ticket, request) = session.asked();
    let Request::Edit { base, change, .. } = request else { panic!("{request:?}") };
    assert_eq!(change.time.as_ref().unwrap().written, "2026-11-19T16:00:00+07:00");
    assert_eq!((change.body, change.mood, change.tags), (None, None, None));
    session.sees("Thursday 19 November 2026").sees("16:00").sees("Met Hùng");
    let mut moved = base.clone();
    (moved.time, moved.day) = (change.time.unwrap(), date(2026, 11, 19));
    session.entries.retain(|known| known.entry.id != base.id);
    session.write(moved.clone());
    session.reply(Reply::To(ticket, Response::Written(Written::Edited(moved))));
    session.sees("Moved to Thursday 19 November 2026, 16:00 · u undo");
    session.keys("t").sees_not("Met Hùng");
}

#[test]
fn no_time_moves_nothing_and_is_said() {
    let mut session = Session::full(80, 24);
    session
        .keys("<tab>")
        .command("Move entry to another date or time")
        .typed("soonish")
        .keys("<enter>")
        .sees("✗ not a time")
        .keys("<esc>")
        .sees_not("not a time");
    session.command("Move entry to another date or time").keys("<enter>").sees_not("move to");
    assert!(session.asked.is_empty());
}

#[test]
fn names_are_walked_in_the_text_and_below_it() {
    let mut session = Session::full(120, 40);
    session.keys("l j .");
    assert!(session.harness.shows_as("Hùng about", Role::Selected));
    session.keys(". .");
    assert!(session.harness.shows_as("stressed   #work", Role::Low), "the head is left as it is");
    insta::assert_snapshot!("name_chosen", session.screen());
    session.keys(".");
    assert!(session.harness.shows_as("Hùng about", Role::Selected), "after the last comes the first");
    session.keys("<esc>");
    assert!(!session.harness.shows_as("Hùng about", Role::Selected));
    session.keys("<home> <enter>").sees("No names in this entry");
}
