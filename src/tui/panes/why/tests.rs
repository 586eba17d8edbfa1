//! Keys in, screen out, with scripted answers.

use std::sync::Arc;

use jiff::civil::date;

use crate::{
    index::graph::Judgement,
    insight::{
        Basis, Evidence, Period,
        connect::{Connection, Hop, Path},
        cooccurrence::Lag,
        why::{Cause, DayCounts, Likeness, Nearest, Question, Step, Strength, Why},
    },
    journal::{EntityKind, RelationKind},
    search::Legs,
    session::{Answer, Ask, Curating, Progress, Reply, Request, Response, SessionError, Ticket},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
        theme::Role,
    },
};

pub(super) fn harness(width: u16, height: u16) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("why".into());
    setup.size = (width, height);
    Harness::new(setup)
}

fn said(text: &str, day: &str, basis: Basis) -> Evidence {
    let time = format!("{day}T15:30:00+07:00");
    Evidence::new(time.as_str().into(), time, text.to_owned(), basis)
}

fn cause(name: &str, kind: EntityKind, strength: Strength, stated: usize, counts: [u32; 4]) -> Cause {
    let [both, cause_only, target_only, neither] = counts;
    Cause {
        name: name.to_owned(),
        entity: None,
        kind,
        strength,
        stated,
        both,
        cause_only,
        target_only,
        neither,
        evidence: Vec::new(),
        lag: Lag(0, 0),
        chance: Some(0.004),
        back: Vec::new(),
        accepted: false,
        measure: None,
        is_phrase: false,
        is_clause: false,
    }
}

fn stressed() -> Why {
    let knot = said("Hùng moved the deadline and I felt the old knot again.", "2026-09-14", Basis::Stated);
    let demo = said("Could not stop thinking of the demo.", "2026-08-02", Basis::Inferred);
    let reorganised = said("Because of the reorganisation everything is due at once.", "2026-07-01", Basis::Stated);
    let mut project = cause("Project X", EntityKind::Topic, Strength::Strong, 5, [9, 1, 5, 63]);
    project.evidence = vec![knot, demo];
    project.back = vec![Step {
        source: "reorganisation".into(),
        target: "Project X".into(),
        kind: RelationKind::Causal,
        basis: Basis::Stated,
        evidence: vec![reorganised],
    }];
    let mut phở = cause("Linh", EntityKind::Person, Strength::Some, 0, [3, 1, 2, 9]);
    phở.evidence = vec![said("Phở with Linh; better by the second bowl.", "2026-09-15", Basis::Inferred)];
    Why {
        subject: Some("stressed".to_owned()),
        is_words: false,
        target: "stressed".into(),
        period: Some(Period { from: date(2026, 1, 1), to: date(2026, 11, 20) }),
        days: DayCounts { total: 78, with_target: 14 },
        eased_by: vec![phở],
        causes: vec![
            project,
            cause("poor sleep", EntityKind::Topic, Strength::Some, 0, [6, 9, 8, 55]),
            cause("Mother", EntityKind::Person, Strength::TooFew, 0, [2, 1, 12, 63]),
        ],
        before: Vec::new(),
        records: Vec::new(),
        record: None,
        notes: Vec::new(),
        nearest: None,
    }
}

fn last_ask(harness: &mut Harness) -> (Ticket, Ask) {
    match harness.sent().pop() {
        Some((ticket, Request::Ask(ask))) => (ticket, ask),
        other => panic!("nothing was asked: {other:?}"),
    }
}

pub(super) fn last_question(harness: &mut Harness) -> (Ticket, Question) {
    match last_ask(harness) {
        (ticket, Ask::Why(question)) => (ticket, question),
        other => panic!("no why was asked: {other:?}"),
    }
}

pub(super) fn answered(width: u16, height: u16) -> Harness {
    let mut harness = harness(width, height);
    harness.typed("stressed").key("enter");
    let (ticket, question) = last_question(&mut harness);
    assert_eq!((question.text.as_str(), question.from, question.to), ("stressed", None, None));
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(stressed())))));
    harness
}

#[test]
fn before_anything_is_asked_it_teaches() {
    let mut harness = harness(80, 24);
    insta::assert_snapshot!(harness.screen());
    assert_eq!(harness.cursor().map(|place| (place.x, place.y)), Some((6, 1)), "the caret waits in the field");
    harness.typed("sad").key("enter");
    harness.sees("Searching …");
}

#[test]
fn causes_stand_with_counts_and_quotes_and_what_is_too_little_apart() {
    let harness = answered(80, 24);
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("Strong.", Role::Accent));
}

#[test]
fn on_a_wide_screen() {
    insta::assert_snapshot!(answered(120, 40).screen());
}

#[test]
fn on_a_narrow_screen() {
    insta::assert_snapshot!(answered(40, 10).screen());
}

#[test]
fn a_failure_can_be_tried_again() {
    let mut harness = harness(80, 24);
    harness.typed("stressed").key("enter");
    let (ticket, _) = last_question(&mut harness);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("thinking about it".into()))));
    assert!(harness.screen().contains("an internal fault while thinking about it · alt-r reload"));
    harness.key("alt-r");
    assert_eq!(last_question(&mut harness).1.text, "stressed");
}

#[test]
fn how_far_it_is_is_told_and_escape_waits_no_longer() {
    let mut harness = harness(80, 24);
    harness.typed("stressed").key("enter");
    let (asked, _) = last_question(&mut harness);
    let progress = |done| Progress { what: "counting days", done, of: 300 };
    harness.reply(Reply::To(Ticket(asked.0 + 100), Response::Progress(progress(299))));
    assert!(harness.screen().contains("Searching …\n"), "another question's: {}", harness.screen());
    harness.reply(Reply::To(asked, Response::Progress(progress(120))));
    insta::assert_snapshot!(harness.screen());
    harness.key("esc");
    let sent = harness.sent();
    assert!(matches!(sent.as_slice(), [(_, Request::Cancel(ticket))] if *ticket == asked), "{sent:?}");
    harness.sees("Cancelled · alt-r reload");
    harness.reply(Reply::To(asked, Response::Answer(Arc::new(Answer::Why(stressed())))));
    assert!(!harness.screen().contains("Project X"), "it came too late: {}", harness.screen());
    harness.key("alt-r");
    let (ticket, question) = last_question(&mut harness);
    assert_eq!(question.text, "stressed");
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(stressed())))));
    harness.sees("Project X");
}

#[test]
fn on_the_way_further_back_escape_returns_and_nothing_is_waited_for() {
    let mut harness = answered(80, 24);
    harness.keys("<right> <right>");
    let (asked, _) = last_question(&mut harness);
    harness.key("esc");
    let sent = harness.sent();
    assert!(matches!(sent.as_slice(), [(_, Request::Cancel(ticket))] if *ticket == asked), "{sent:?}");
    harness.sees("poor sleep");
}

#[test]
fn going_back_returns_to_the_question_that_was_left() {
    let mut harness = answered(80, 24);
    harness.keys("<right> <right>");
    let (ticket, _) = last_question(&mut harness);
    let why = Why { target: "Project X".into(), causes: Vec::new(), eased_by: Vec::new(), ..stressed() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(why)))));
    let followed = harness.screen();
    harness.keys("<alt-left>");
    harness.sees("poor sleep");
    harness.keys("<alt-right>");
    assert_eq!(harness.screen(), followed);
    harness.keys("<alt-left> <alt-left>");
    harness.sees("poor sleep");
}

#[test]
fn nothing_written_about_it_is_an_answer() {
    let mut harness = harness(80, 24);
    harness.typed("skiing").key("enter");
    let (ticket, _) = last_question(&mut harness);
    let days = DayCounts { total: 78, with_target: 0 };
    let why = Why { target: "skiing".into(), days, causes: Vec::new(), eased_by: Vec::new(), ..stressed() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(why)))));
    let screen = harness.screen();
    assert!(screen.contains("No entries about “skiing” in this period"), "{screen}");
    assert!(screen.contains("on 0 of 78 days"), "{screen}");
    harness.resize(160, 48);
    assert!(!harness.screen().contains('│'), "no sentence, no column beside it:\n{}", harness.screen());
}

#[test]
fn a_cause_is_followed_into_the_time_before_it_and_the_way_back_is_kept() {
    let mut harness = answered(80, 24);
    harness.keys("<right> <right>");
    let (ticket, question) = last_question(&mut harness);
    assert_eq!((question.text.as_str(), question.to), ("Project X", Some(date(2026, 9, 14))));
    let why = Why { target: "Project X".into(), causes: Vec::new(), eased_by: Vec::new(), ..stressed() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(why)))));
    let screen = harness.screen();
    assert!(screen.contains("stressed ← Project X"), "{screen}");
    assert!(screen.contains("No clear cause found"), "{screen}");
    harness.key("left");
    let screen = harness.screen();
    assert!(screen.contains("poor sleep") && !screen.contains("stressed ← Project X\n"), "{screen}");
    assert!(harness.sent().is_empty(), "what was answered is not asked again");
}

#[test]
fn a_quote_and_a_cause_open_the_entry_that_says_so() {
    for (keys, day) in [("<enter>", date(2026, 9, 14)), ("<right> j j <enter>", date(2026, 8, 2))] {
        let mut harness = answered(80, 24);
        harness.keys(keys);
        assert_eq!(harness.app.pane(), "journal");
        let sent = harness.sent();
        assert!(sent.iter().any(|(_, request)| matches!(request, Request::Day(asked) if *asked == day)), "{sent:?}");
    }
}

#[test]
fn the_period_goes_round() {
    let mut harness = answered(80, 24);
    let mut first_days = Vec::new();
    for _ in 0..4 {
        harness.key("v");
        first_days.push(last_question(&mut harness).1.from);
    }
    assert_eq!(first_days, [Some(date(2025, 11, 21)), Some(date(2026, 8, 23)), Some(date(2026, 10, 22)), None]);
    harness.keys("v v");
    harness.sees("period: last 90 days");
}

#[test]
fn between_two_names_every_link_has_its_quote() {
    let mut harness = harness(80, 24);
    harness.keys("<esc> b").typed("Hùng").key("enter");
    assert!(harness.sent().iter().all(|(_, request)| !matches!(request, Request::Ask(_))), "a name is missing");
    harness.typed("Linh").key("enter");
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(&ask, Ask::Connect { from, to } if from == "Hùng" && to == "Linh"), "{ask:?}");
    let hop = |source: &str, target: &str, basis, n| Hop {
        source: source.into(),
        target: target.into(),
        source_id: None,
        target_id: None,
        kind: if basis == Basis::Stated { "causal" } else { "together" },
        basis,
        evidence: Some(said("Hùng and Linh both sat over Project X.", "2026-09-01", basis)),
        n,
        together: 4,
        verb: None,
    };
    let hops = vec![hop("Hùng", "Project X", Basis::Stated, 2), hop("Linh", "Project X", Basis::Inferred, 4)];
    let connection = Connection {
        from: "Hùng".into(),
        to: "Linh".into(),
        connected: true,
        paths: vec![Path { hops }],
        unknown: Vec::new(),
    };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Connect(connection)))));
    insta::assert_snapshot!(harness.screen());
    harness.key("enter");
    assert_eq!(harness.app.pane(), "journal");
}

#[test]
fn not_connected_and_not_known_are_answers() {
    let mut harness = harness(80, 24);
    harness.keys("<esc> b").typed("Hùng").key("tab").typed("Zed").key("enter");
    let (ticket, _) = last_ask(&mut harness);
    let connection = Connection {
        from: "Hùng".into(),
        to: "Zed".into(),
        connected: false,
        paths: Vec::new(),
        unknown: vec!["Zed".into()],
    };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Connect(connection)))));
    harness.sees("No entries mention “Zed”");
}

#[test]
fn the_shared_query_is_the_question_once() {
    let mut harness = harness(80, 24);
    harness.keys("<alt-2>").typed("tired").keys("<alt-4>");
    assert_eq!(last_question(&mut harness).1.text, "tired");
    assert_eq!(harness.app.query().legs(), Legs::ALL);
    harness.keys("i").typed("sad").key("enter");
    assert_eq!(last_question(&mut harness).1.text, "sad", "a new question begins empty");
    harness.keys("i <esc>");
    harness.sees("why  sad");
    harness.keys("<alt-1> <alt-4>");
    assert_eq!(last_question(&mut harness).1.text, "sad", "what was asked since stays, and is asked again unanswered");
}

#[test]
fn every_size_is_survived() {
    for keys in ["", "i", "j j j", "b", "<end>"] {
        let mut harness = answered(80, 24);
        harness.keys(keys);
        for (width, height) in (1..=244).step_by(27).flat_map(|width| (1..=70).step_by(3).map(move |h| (width, h))) {
            harness.resize(width, height);
        }
    }
}

#[test]
fn a_step_further_back_is_opened_followed_and_judged_by_itself() {
    let mut harness = answered(80, 24);
    harness.keys("<right> j j j").command("Accept this cause");
    let Some((_, Request::Curate(Curating::Judge { source, kind, target, judgement, .. }))) = harness.sent().pop()
    else {
        panic!("nothing is judged")
    };
    assert_eq!((source.as_str(), kind, target.as_str()), ("reorganisation", RelationKind::Causal, "Project X"));
    assert_eq!(judgement, Judgement::Accepted);
    harness.key("right");
    let (_, question) = last_question(&mut harness);
    assert_eq!((question.text.as_str(), question.to), ("reorganisation", Some(date(2026, 7, 1))));
    harness.keys("<left> <enter>");
    assert_eq!(harness.app.pane(), "journal");
}

#[test]
fn a_cause_shows_one_quote_and_the_others_on_a_key() {
    let mut harness = answered(80, 24);
    assert!(harness.shows_as("Project X", Role::Title));
    assert!(harness.screen().contains("You wrote it 5 times; on 9 of 14 stressed days, 1 of 64 others."));
    assert!(harness.screen().contains("→ 1 more quote · further back: reorganisation"));
    let (second, back) = ("Could not stop thinking", "Because of the reorganisation");
    assert!(!harness.screen().contains(second) && !harness.screen().contains(back));
    harness.key("right");
    assert!(harness.screen().contains(second) && harness.screen().contains(back), "{}", harness.screen());
    harness.keys("j j <esc>");
    assert!(!harness.screen().contains(second), "esc folds it again");
    harness.keys("<right> <right>");
    assert_eq!(last_question(&mut harness).1.text, "Project X", "the second press asks for its own causes");
}

#[test]
fn a_word_that_is_not_in_the_journal_leads_to_the_nearest_one() {
    let mut harness = harness(80, 24);
    harness.typed("nervous").key("enter");
    let (ticket, _) = last_question(&mut harness);
    let nearest = Some(Nearest { by: Likeness::Meaning, words: vec!["anxious".into()] });
    let days = DayCounts { total: 78, with_target: 0 };
    let why = Why { target: "nervous".into(), days, nearest, causes: Vec::new(), eased_by: Vec::new(), ..stressed() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(why)))));
    harness.sees("“nervous” not found; nearest in meaning:");
    assert!(!harness.screen().contains("of 78 days"), "no figures");
    harness.key("enter");
    assert_eq!(last_question(&mut harness).1.text, "anxious");
}

#[test]
fn between_two_names_begins_with_what_was_asked_about() {
    let mut harness = harness(80, 24);
    harness.typed("why was I stressed in March").key("enter");
    let (ticket, _) = last_question(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(stressed())))));
    harness.keys("b").typed("Linh").key("enter");
    let (_, ask) = last_ask(&mut harness);
    assert!(matches!(&ask, Ask::Connect { from, to } if from == "stressed" && to == "Linh"), "{ask:?}");
}

#[test]
fn between_two_names_begins_empty_after_a_word_that_was_not_found() {
    let mut harness = harness(80, 24);
    harness.typed("nervuos").key("enter");
    let (ticket, _) = last_question(&mut harness);
    let nearest = Some(Nearest { by: Likeness::Meaning, words: vec!["anxious".into()] });
    let days = DayCounts { total: 78, with_target: 0 };
    let why = Why { target: "nervuos".into(), subject: None, days, nearest, ..stressed() };
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(why)))));
    harness.keys("b").typed("Hùng").keys("<tab>").typed("Linh").key("enter");
    let (_, ask) = last_ask(&mut harness);
    assert!(matches!(&ask, Ask::Connect { from, to } if from == "Hùng" && to == "Linh"), "{ask:?}");
}

#[test]
fn between_two_names_the_way_back_to_one_is_on_the_hint_line_and_under_esc() {
    let mut harness = harness(120, 40);
    harness.typed("stressed").key("enter");
    let (ticket, _) = last_question(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Why(stressed())))));
    assert!(harness.screen().contains("b between two names"));
    harness.keys("b <esc>");
    assert!(harness.screen().contains("b one name") && !harness.screen().contains("b between"), "{}", harness.screen());
    harness.keys("<esc>").typed(" at work").key("enter");
    let (_, ask) = last_ask(&mut harness);
    assert!(matches!(&ask, Ask::Why(question) if question.text == "stressed at work"), "{ask:?}");
}
