//! The preview: its text, its matches, and its links.

use super::*;

#[test]
fn enter_opens_the_entry_in_the_journal_at_the_match() {
    let mut harness = answered(80, 24);
    harness.keys("<enter>");
    assert_eq!(harness.app.pane(), "search", "Enter in the field goes to the list");
    harness.keys("<enter>");
    assert_eq!(harness.app.pane(), "journal");
    let at = KNOT.find("stressed").unwrap();
    let wanted = format!("looking at 2026-09-14 2026-09-14T15:30:00+07:00 {}..{}", at, at + 8);
    harness.sees(&wanted);
    assert!(harness.screen().contains("/stressed about work"), "the query is still on");
    harness.keys("2");
    assert!(harness.screen().contains("Could not sleep"), "and so are its hits");
}

#[test]
fn what_is_being_read_stays_when_the_order_changes() {
    let mut harness = answered(120, 30);
    harness.keys("<tab> v");
    harness.sees("Monday 14 September 2026");
    harness.keys("<tab> k v");
    assert!(harness.screen().contains("oldest first"));
}

#[test]
fn matches_are_gone_through_in_the_text_and_the_journal_opens_at_the_one() {
    let mut harness = answered(120, 30);
    harness.keys("<esc> n");
    assert_eq!(harness.app.pane(), "journal", "in the list n writes a new entry, as everywhere");
    let mut harness = answered(120, 30);
    harness.keys("<tab> .");
    harness.sees("match 2 of 2");
    assert!(harness.shows_as("work.   ", Role::MatchHere) && harness.shows_as("stressed about work.   ", Role::Match));
    harness.keys(".");
    assert!(harness.screen().contains("match 1 of 2"), "round and round");
    harness.keys(",");
    insta::assert_snapshot!(harness.screen());
    let at = KNOT.find("work").unwrap();
    harness.key("enter");
    let wanted = format!("looking at 2026-09-14 2026-09-14T15:30:00+07:00 {}..{}", at, at + 4);
    harness.sees(&wanted);
}

#[test]
fn a_text_found_by_meaning_alone_is_gone_to_by_its_passage() {
    let mut harness = harness(80, 24);
    harness.typed("knot");
    let (ticket, _) = last_search(&mut harness);
    let mut knot = hits()[0].clone();
    knot.matches.clear();
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(answer(vec![knot])) }));
    harness.keys("<tab> .");
    harness.sees("match 1 of 1");
    harness.key("esc");
    harness.sees("2026-09-14              ●●●");
}

#[test]
fn a_match_far_down_is_brought_into_view() {
    let long = format!("lake at first\n\n{}\n\nlake at last", "a line of other words\n\n".repeat(60));
    let mut far = hit(&long, "lake", date(2026, 9, 14).at(15, 30, 0, 0));
    let last = long.rfind("lake").unwrap();
    far.matches.push(last..last + 4);
    let mut harness = harness(80, 24);
    harness.typed("lake");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(answer(vec![far])) }));
    harness.key("tab");
    assert!(harness.screen().contains("lake at first") && !harness.screen().contains("lake at last"));
    harness.keys(".");
    harness.sees("lake at last");
    harness.keys("g g");
    harness.sees("lake at first");
    harness.keys("G");
    harness.sees("lake at last");
}

/// A hit for `pup` whose text has `dog`, boosted by its neighbours.
fn dog() -> Hit {
    let text = "We named the dog at last. A DOG needs a name.";
    let mut dog = hit(text, "name.", date(2026, 9, 14).at(15, 30, 0, 0));
    dog.legs[LegId::Keyword] = None;
    dog.legs[LegId::Vector] = share(1, 0.71);
    dog.matches.clear();
    dog.reason = Reason {
        passage: Some(0..25),
        likeness: Some(0.724),
        alike: vec![("pup".into(), "dog".into()), ("called".into(), "named".into())],
        beside: 0.155,
        ..Reason::default()
    };
    dog
}

fn answered_with(hit: Hit) -> Harness {
    let mut harness = harness(120, 20);
    harness.typed("pup called");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(answer(vec![hit])) }));
    harness
}

#[test]
fn alike_words_are_named_beside_the_querys_and_marked_in_the_text() {
    let mut harness = answered_with(dog());
    insta::assert_snapshot!(harness.screen());
    harness.resize(80, 20).key("tab");
    assert!(harness.shows_as("dog at last", Role::Alike), "also in the closest passage");
    assert!(harness.shows_as("DOG needs", Role::Alike), "in every spelling");
    assert!(!harness.shows_as("needs", Role::Alike));
    harness.keys("<tab> s").resize(120, 20);
    insta::assert_snapshot!(harness.screen());
    let plain = Hit { reason: Reason { likeness: None, beside: 0.0, alike: Vec::new(), ..dog().reason }, ..dog() };
    let mut harness = answered_with(plain);
    harness.sees_not("alike");
    harness.keys("<enter> s");
    assert!(!harness.screen().contains("likeness") && !harness.screen().contains("beside"), "{}", harness.screen());
}

#[test]
fn why_is_asked_about_the_selected_entry() {
    let mut setup = HarnessSetup::new(crate::tui::panes::PANES);
    setup.start = Some("search".into());
    let mut harness = Harness::new(setup);
    harness.typed("work");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    harness.keys("<esc> j w");
    assert_eq!(harness.app.pane(), "why");
    let asked = harness.sent().into_iter().rev().find_map(|(_, request)| match request {
        Request::Ask(Ask::Why(question)) => Some(question.text),
        _ => None,
    });
    assert_eq!(asked.as_deref(), Some("2026-08-02T23:10:00+07:00"));
}

#[test]
fn copying_takes_the_whole_entry_with_its_time() {
    let mut harness = answered(80, 24);
    harness.keys("<enter> y");
    assert_eq!(harness.copied(), [format!("2026-09-14T15:30:00+07:00\n\n{KNOT}\n")]);
}

#[test]
fn a_click_selects_and_a_second_one_opens() {
    use crate::tui::event::MouseKind;
    let mut harness = answered(120, 30);
    let mut place = harness.find("2026-08-02");
    place.y += 1;
    harness.mouse(MouseKind::Click, place);
    assert!(harness.screen().contains("Sunday 2 August 2026"));
    harness.mouse(MouseKind::Click, place);
    assert_eq!(harness.app.pane(), "journal");
}

#[test]
fn spans_that_do_not_fit_the_text_are_survived() {
    let mut odd = hit("ngắn", "ngắn", date(2026, 1, 1).at(0, 0, 0, 0));
    odd.snippet = 3..999;
    odd.matches = vec![1..3, 4..500];
    odd.reason.passage = Some(2..100);
    odd.id = EntryId::from("nonsense");
    odd.time = "nonsense".into();
    odd.score = f32::NAN;
    for width in [10, 40, 80, 120] {
        let mut harness = harness(width, 20);
        harness.typed("x");
        let (ticket, _) = last_search(&mut harness);
        let found = Found { understood: vec![0..77, 3..9], ..answer(vec![odd.clone()]) };
        harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found) }));
        harness.keys("<enter> s <tab>");
    }
}

#[test]
fn the_words_of_a_hit_are_listed_without_marks_and_the_found_ones_marked() {
    let body = "## Walk\n\n- the **pup** we [[Max]] called\n- *slowly*, at noon";
    let mut harness = answered_with(hit(body, "pup", date(2026, 9, 14).at(15, 30, 0, 0)));
    harness.resize(80, 20);
    let screen = harness.screen();
    assert!(screen.contains(" Walk - the pup we Max called - slowly, at noon"), "{screen}");
    assert!(harness.shows_as("pup we", Role::Match) && !harness.shows_as("we Max", Role::Match), "{screen}");
}

#[test]
fn a_command_without_a_key_is_offered_by_the_palette() {
    let harness = harness(120, 20);
    harness.sees("ctrl-p “saved” lists saved searches");
}
