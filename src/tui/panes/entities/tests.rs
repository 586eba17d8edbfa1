//! Keys in, screen out, with scripted answers.

use std::sync::Arc;

use jiff::civil::date;

use crate::{
    insight::{
        Basis, Evidence,
        names::{Known, Neighbour},
        profile::{Listed, MoodShare, Profile, Relation, Rhythm},
    },
    journal::{EntityKind, RelationKind},
    session::{
        Answer, Ask, Curated, Curating, Moved, NameReview, Progress, Reply, Request, Response, SessionError, Ticket,
        Written,
    },
    tui::{
        event::MouseKind,
        harness::{Harness, HarnessSetup},
        panes::PANES,
        theme::Role,
    },
};

fn harness(width: u16, height: u16) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("entities".into());
    setup.size = (width, height);
    Harness::new(setup)
}

fn known(name: &str, kind: EntityKind, mentions: u32, days: u32) -> Known {
    Known {
        name: name.to_owned(),
        kind,
        aliases: Vec::new(),
        mentions,
        days,
        first_seen: date(2025, 3, 2),
        last_seen: date(2026, 11, 20),
    }
}

fn listed(name: &str, kind: EntityKind, mentions: u32, months: [u32; 12], before: u32) -> Listed {
    let rhythm = Rhythm { recent: months[9..].iter().sum(), before, months: months.to_vec(), written: (60, 60) };
    Listed { known: known(name, kind, mentions, mentions.min(31)), rhythm }
}

fn names() -> Vec<Listed> {
    let boss =
        Known { aliases: vec!["sếp Hùng".into(), "boss".into()], ..known("Hùng", EntityKind::Person, 38, 31) };
    let first = listed("Hùng", EntityKind::Person, 38, [0, 1, 1, 2, 3, 3, 5, 4, 2, 3, 4, 5], 4);
    vec![
        listed("stressed", EntityKind::Emotion, 44, [2, 2, 3, 5, 7, 5, 3, 2, 2, 3, 2, 1], 12),
        Listed { known: boss, ..first },
        listed("Linh", EntityKind::Person, 35, [3; 12], 9),
        listed("Project X", EntityKind::Topic, 29, [1, 1, 2, 4, 7, 7, 5, 3, 2, 2, 1, 0], 6),
        listed("Hà Nội", EntityKind::Place, 21, [2; 12], 6),
    ]
}

fn said(text: &str, time: &str, basis: Basis) -> Evidence {
    Evidence::new(time.into(), time.to_owned(), text.to_owned(), basis)
}

fn near(name: &str, kind: EntityKind, via: &[&str], stated: usize, together: usize) -> Neighbour {
    Neighbour {
        name: name.to_owned(),
        kind,
        hops: via.len() as u8 + 1,
        closeness: 0.5,
        via: via.iter().map(|name| (*name).to_owned()).collect(),
        basis: if stated > 0 { Basis::Stated } else { Basis::Inferred },
        stated,
        together,
        evidence: None,
    }
}

fn profile() -> Profile {
    let Listed { known, rhythm } = names().remove(1);
    let knot = said("Hùng moved the deadline and I felt the old knot.", "2026-09-14T15:30:00+07:00", Basis::Stated);
    Profile {
        known,
        rhythm,
        days: 156,
        moods: vec![
            MoodShare { mood: "stressed".into(), both: 12, overall: 14 },
            MoodShare { mood: "calm".into(), both: 2, overall: 40 },
        ],
        relations: vec![Relation {
            kind: RelationKind::Causal,
            is_outgoing: true,
            other: "stressed".into(),
            other_kind: EntityKind::Emotion,
            is_clause: false,
            stated: 5,
            together: 12,
            accepted: false,
            evidence: vec![knot],
        }],
        neighbours: vec![
            near("Project X", EntityKind::Topic, &[], 0, 19),
            near("Linh", EntityKind::Person, &["Project X"], 0, 12),
            near("stressed", EntityKind::Emotion, &[], 5, 12),
        ],
        mentions: vec![said("Tea with Hùng; he laughed.", "2026-11-20T08:12:00+07:00", Basis::Inferred)],
        records: Vec::new(),
    }
}

fn portrayed(profile: Profile) -> Answer {
    Answer::Profile { profile: Some(Box::new(profile)), notes: String::new() }
}

fn last_ask(harness: &mut Harness) -> (Ticket, Ask) {
    match harness.sent().pop() {
        Some((ticket, Request::Ask(ask))) => (ticket, ask),
        other => panic!("nothing was asked: {other:?}"),
    }
}

fn answer(harness: &mut Harness, answer: Answer) -> Ask {
    let (ticket, ask) = last_ask(harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(answer))));
    ask
}

/// The list, with Hùng selected and his profile loaded.
pub(super) fn full(width: u16, height: u16) -> Harness {
    let mut harness = harness(width, height);
    answer(&mut harness, Answer::Names(names().into()));
    harness.key("down");
    let asked = answer(&mut harness, portrayed(profile()));
    assert!(matches!(asked, Ask::Profile { name, kind: EntityKind::Person, .. } if name == "Hùng"));
    assert!(matches!(answer(&mut harness, Answer::NameReview(NameReview::default())), Ask::NameReview));
    harness
}

#[test]
fn two_columns_show_the_name_beside_the_list() {
    let mut harness = full(120, 40);
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("feeling    44", Role::Emotion));
    assert!(harness.shows_as("person   also", Role::Person));
    harness.key("tab");
    assert!(harness.shows_as("leads to → stressed", Role::Dim));
}

#[test]
fn related_names_come_in_the_order_of_the_days_shown() {
    let harness = full(120, 40);
    let screen = harness.screen();
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text} in {screen}"));
    assert!(at("─ Project X topic") < at("─ stressed feeling"), "{screen}");
    let mut near_first = profile();
    near_first.neighbours.reverse();
    let mut harness = full(120, 40);
    harness.key("down");
    answer(&mut harness, portrayed(near_first));
    let screen = harness.screen();
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text} in {screen}"));
    assert!(at("─ Project X topic") < at("─ stressed feeling"), "19 days before 12: {screen}");
}

#[test]
fn one_column_shows_the_list_and_enter_the_name() {
    let mut harness = full(80, 24);
    insta::assert_snapshot!(harness.screen());
    harness.key("enter");
    insta::assert_snapshot!(harness.screen());
    harness.key("esc");
    harness.sees("Project X");
}

#[test]
fn a_narrow_screen_keeps_names_and_counts() {
    let mut harness = full(40, 10);
    insta::assert_snapshot!(harness.screen());
    harness.key("enter");
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn before_the_answer_it_says_so_and_an_empty_journal_teaches() {
    let mut harness = harness(80, 24);
    harness.sees("Reading the names …");
    answer(&mut harness, Answer::Names(Arc::default()));
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn a_failure_is_a_state_of_the_pane_with_a_way_to_try_again() {
    let mut harness = harness(80, 24);
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("thinking about it".into()))));
    let screen = harness.screen();
    assert!(screen.contains("an internal fault while thinking about it · alt-r reload"), "{screen}");
    harness.key("alt-r");
    answer(&mut harness, Answer::Names(names().into()));
    assert!(harness.screen().contains("Project X"));
}

#[test]
fn one_question_is_asked_at_a_time_and_an_unanswered_one_again_when_the_pane_comes_back() {
    let mut harness = harness(120, 30);
    let sent = harness.sent();
    assert!(matches!(sent.as_slice(), [(_, Request::Ask(Ask::Names(_)))]), "{sent:?}");
    harness.keys("<alt-1>");
    harness.sent();
    harness.view(crate::session::View::default());
    assert!(!harness.sent().iter().any(|(_, request)| matches!(request, Request::Ask(_))), "hidden, it asks nothing");
    harness.keys("<alt-3>");
    assert!(matches!(last_ask(&mut harness).1, Ask::Names(_)));
}

#[test]
fn what_the_list_knows_of_a_name_is_there_at_once_and_the_rest_can_be_left() {
    let mut harness = harness(120, 40);
    answer(&mut harness, Answer::Names(names().into()));
    harness.key("down");
    let (ticket, _) = last_ask(&mut harness);
    harness.sees("38 mentions on 31 days");
    harness.sees("also: sếp Hùng, boss");
    let progress = Progress { what: "finding related names", done: 20, of: 60 };
    harness.reply(Reply::To(ticket, Response::Progress(progress)));
    harness.sees("Looking … finding related names, 33 %");
    harness.key("esc");
    let [(_, Request::Cancel(cancelled))] = harness.sent()[..] else { panic!("nothing was cancelled") };
    assert_eq!(cancelled, ticket);
    harness.sees("Cancelled");
    harness.key("alt-r");
    assert!(matches!(last_ask(&mut harness).1, Ask::Profile { .. }));
    harness.sees("Looking …");
}

#[test]
fn the_filter_narrows_as_it_is_typed_without_accents_and_by_alias() {
    let mut harness = full(80, 24);
    harness.keys("f").typed("ha n");
    let screen = harness.screen();
    assert!(screen.contains("Hà Nội") && !screen.contains("Project X"), "{screen}");
    harness.keys("<ctrl-u>").typed("boss");
    harness.sees("Hùng  ");
    harness.keys("<ctrl-u>").typed("zzz");
    assert!(harness.screen().contains("No matching name"));
    harness.keys("<esc> <esc>");
    assert!(harness.screen().contains("Project X"));
}

#[test]
fn a_kind_shows_only_its_own_and_all_again() {
    let mut harness = full(80, 24);
    harness.keys("v");
    let screen = harness.screen();
    assert!(screen.contains("Linh   ") && !screen.contains("Project X   "), "{screen}");
    harness.keys("v v v v");
    assert!(harness.screen().contains("Project X   "), "kinds without names are passed over");
    harness.keys("v f").typed("zzz");
    harness.sees("No matching person");
}

#[test]
fn a_neighbour_is_walked_to_and_back_is_the_way_back() {
    let mut harness = full(120, 40);
    harness.keys("<tab> j j");
    harness.key("enter");
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(&ask, Ask::Profile { name, kind: EntityKind::Topic, .. } if name == "Project X"), "{ask:?}");
    let there = Profile { known: known("Project X", EntityKind::Topic, 29, 20), ..profile() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(portrayed(there)))));
    harness.sees("Hùng ▸");
    assert!(harness.shows_as("Project X   topic", Role::Title), "{}", harness.screen());
    harness.key("esc");
    assert!(matches!(last_ask(&mut harness).1, Ask::Profile { name, .. } if name == "Hùng"));
    assert!(!harness.screen().contains("Hùng ▸"));
}

#[test]
fn going_back_takes_the_names_in_between_first_and_then_the_pane_before() {
    let mut harness = full(120, 40);
    harness.keys("<alt-1> <alt-3>");
    harness.keys("<tab> j j <enter>");
    harness.sees("Hùng ▸");
    harness.keys("<alt-left>");
    harness.sees_not("Hùng ▸");
    assert_eq!(harness.app.pane(), "entities");
    harness.keys("<alt-left>");
    assert_eq!(harness.app.pane(), "journal");
    harness.keys("<alt-right>");
    harness.sees_not("Hùng ▸");
    harness.keys("<alt-right>");
    harness.sees("Hùng ▸");
    // A new place in between: nothing lies ahead.
    harness.keys("<alt-left> <alt-6> <alt-left> <alt-right>");
    assert_eq!(harness.app.pane(), "stats");
}

#[test]
fn what_is_said_of_a_name_is_typed_in_a_line_and_can_be_left() {
    let mut harness = full(80, 24);
    harness.keys("r").typed(" Trần");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.cursor().is_some(), "the caret waits in the line");
    harness.key("esc");
    assert!(harness.sent().is_empty() && !harness.screen().contains("rename Hùng"), "{}", harness.screen());
    harness.keys("r").typed(" Trần").key("enter");
    let sent = harness.sent();
    let Some((ticket, Request::Curate(Curating::Rename { name, new }))) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((name.as_str(), new.as_str()), ("Hùng (person)", "Hùng Trần"));
    harness.reply(Reply::To(*ticket, Response::NotYet));
    assert_eq!(harness.app.toasts(), ["Still loading the journal, nothing changed"]);
}

#[test]
fn a_name_says_that_its_change_is_applied_until_the_list_shows_it() {
    let mut harness = full(120, 40);
    harness.sees("Hùng   person");
    harness.keys("r").typed(" Trần").key("enter");
    harness.sees("applying the change …");
    let (ticket, _) = harness.sent().pop().unwrap();
    let said = "Hùng (person) is called Hùng Trần".to_owned();
    let done = Curated { said: said.clone(), unchanged: false, dry_run: false, moved: Moved::default() };
    harness.reply(Reply::To(ticket, Response::Curated(done)));
    harness.sees("applying the change …");
    // A list from before the change.
    harness.keys("<alt-r>");
    answer(&mut harness, Answer::Names(names().into()));
    harness.sees("applying the change …");
    harness.keys("<alt-r>");
    let mut after = names();
    after.iter_mut().filter(|name| name.known.name == "Hùng").for_each(|name| name.known.name += " Trần");
    answer(&mut harness, Answer::Names(after.into()));
    harness.sees("Hùng Trần   person");
    harness.sees_not("applying");
    harness.keys("u");
    let undone = Written::Undone { said: format!("Undid: {said}"), entry: None };
    harness.reply(Reply::To(Ticket(99), Response::Written(undone)));
    harness.sees("applying the change …");
}

#[test]
fn a_merge_is_not_confirmed_by_a_letter_of_a_text() {
    for keys in ["<alt-2>", "f", ":"] {
        let mut harness = full(80, 24);
        harness.keys("M").typed("Linh").key("enter");
        let sent = harness.sent();
        let Some((ticket, Request::PreviewCuration(_))) = sent.last() else { panic!("{sent:?}") };
        let said = "Hùng (person) is the same as Linh (person)".to_owned();
        let preview = Curated { said, unchanged: false, dry_run: true, moved: Moved::default() };
        harness.keys(keys).reply(Reply::To(*ticket, Response::Curated(preview))).typed("yes");
        harness.sees("yes");
        let sent = harness.sent();
        assert!(!sent.iter().any(|(_, request)| matches!(request, Request::Curate(_))), "{sent:?}");
        assert_eq!(harness.app.toasts(), ["Not changed while typing · esc, then try again"]);
    }
}

#[test]
fn a_quote_opens_its_entry_in_the_journal() {
    let mut harness = full(120, 40);
    harness.keys("<tab> j <enter>");
    assert_eq!(harness.app.pane(), "journal");
    let wanted = date(2026, 9, 14);
    let sent = harness.sent();
    assert!(sent.iter().any(|(_, request)| matches!(request, Request::Day(day) if *day == wanted)), "{sent:?}");
}

#[test]
fn its_entries_are_the_shared_query_and_its_causes_a_question() {
    let mut harness = full(120, 40);
    harness.keys("w");
    assert_eq!(harness.app.pane(), "why");
    assert!(matches!(last_ask(&mut harness).1, Ask::Why(question) if question.text == "Hùng"));
    harness.keys("<alt-3> b");
    assert_eq!(harness.app.pane(), "why");
    harness.typed("Linh").key("enter");
    assert!(
        matches!(last_ask(&mut harness).1, Ask::Connect { from, to } if (from.as_str(), to.as_str()) == ("Hùng", "Linh"))
    );
    harness.keys("<alt-3> L");
    assert_eq!(harness.app.pane(), "journal");
    assert_eq!(harness.app.query().text(), "person:\"Hùng\"");
}

#[test]
fn a_click_selects_and_a_second_one_looks_closely() {
    let mut harness = full(80, 24);
    let place = harness.find("Linh");
    harness.mouse(MouseKind::Click, place);
    answer(&mut harness, portrayed(Profile { known: known("Linh", EntityKind::Person, 35, 31), ..profile() }));
    assert!(harness.screen().contains("Project X   "), "the list is still there");
    harness.mouse(MouseKind::Click, place);
    assert!(harness.screen().contains("35 mentions") || harness.screen().contains("Linh   person"));
}

#[test]
fn a_first_click_on_a_line_of_the_name_takes_it_up_and_a_second_one_follows_it() {
    let mut harness = full(120, 40);
    let place = harness.find("leads to");
    harness.mouse(MouseKind::Click, place);
    harness.sees_not("Hùng ▸");
    harness.mouse(MouseKind::Click, place);
    harness.sees("Hùng ▸");
}

#[test]
fn every_size_is_survived() {
    for keys in ["", "<enter>", "f", "<enter> <down> <end>"] {
        let mut harness = full(80, 24);
        harness.keys(keys);
        for (width, height) in (1..=244).step_by(27).flat_map(|width| (1..=70).step_by(3).map(move |h| (width, h))) {
            harness.resize(width, height);
        }
    }
}
