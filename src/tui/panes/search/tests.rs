//! Keys in, screen out, with scripted answers.

mod reading;

use std::sync::Arc;

use jiff::civil::date;

use crate::{
    journal::EntryId,
    search::{Found, Hit, LegId, LegShare, Legs, PerLeg, Reason},
    session::{Ask, FileContent, Reply, Request, Response, SessionError, Stage, Ticket},
    tui::{
        command::Command,
        fixtures::{answer, hit},
        harness::{Harness, HarnessSetup},
        panes::{Pane, PaneEntry, Screen, pane},
        render_context::RenderContext,
        theme::Role,
        update_context::{Target, UpdateContext},
    },
};

/// Stands in for the Journal pane and remembers the opened target.
#[derive(Default)]
struct Opened(Option<Target>);

impl Pane for Opened {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command<Self>] = &[];
}

impl Screen for Opened {
    fn draw(&mut self, frame: &mut ratatui::Frame<'_>, area: ratatui::layout::Rect, _: &RenderContext<'_>) {
        if let Some(Target { day: Some(day), entry: Some(entry), span: Some(span), .. }) = &self.0 {
            frame.render_widget(format!("looking at {day} {entry} {span:?}"), area);
        }
    }

    fn on_open(&mut self, target: &Target, _: &mut UpdateContext<'_>) {
        self.0 = Some(target.clone());
    }
}

const PANES: &[PaneEntry] = &[pane::<Opened>(), pane::<super::Search>()];

fn harness(width: u16, height: u16) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("search".into());
    setup.size = (width, height);
    Harness::new(setup)
}

const KNOT: &str = "Hùng moved the deadline again and I felt the old knot in my stomach.\nI said nothing. Walked \
                    home the long way, stressed about work.";

fn share(rank: usize, score: f32) -> Option<LegShare> {
    Some(LegShare { rank, score })
}

/// Three strong hits and a weak one.
fn hits() -> Vec<Hit> {
    let mut knot = hit(KNOT, "stressed", date(2026, 9, 14).at(15, 30, 0, 0));
    let work = KNOT.find("work").unwrap();
    knot.matches.push(work..work + 4);
    knot.score = 0.9;
    knot.legs[LegId::Vector] = share(3, 0.61);
    knot.legs[LegId::Graph] = share(2, 0.4);
    let passage = KNOT.find("the old knot").unwrap();
    knot.reason = Reason {
        words: vec!["stressed".into(), "work".into()],
        passage: Some(passage..passage + "the old knot in my stomach".len()),
        path: vec!["Hùng".into(), "Project X".into(), "stressed".into()],
        ..Reason::default()
    };
    let mut lists = hit("Could not sleep, lists of work in my head.", "work", date(2026, 8, 2).at(23, 10, 0, 0));
    lists.score = 0.6;
    let mut phở = hit(
        "日本語 practice, then phở bò with Linh by the lake; no work at all today.",
        "work",
        date(2026, 10, 30).at(9, 0, 0, 0),
    );
    phở.score = 0.45;
    let mut weak = hit("A long walk.", "walk", date(2026, 5, 11).at(8, 0, 0, 0));
    (weak.weak, weak.score) = (true, 0.1);
    weak.legs = PerLeg::default().with(LegId::Vector, share(12, 0.2));
    weak.matches.clear();
    vec![knot, lists, phở, weak]
}

fn found() -> Found {
    let text = "stressed about work before:2026-11";
    Found {
        total: 31,
        counts: PerLeg::new([Some(30), Some(30), Some(14)]),
        understood: std::iter::once(text.find("before").unwrap()..text.len()).collect(),
        ..answer(hits())
    }
}

fn last_search(harness: &mut Harness) -> (Ticket, crate::search::Search) {
    match harness.sent().pop() {
        Some((ticket, Request::Search(search))) => (ticket, search),
        other => panic!("no search was asked: {other:?}"),
    }
}

fn answered(width: u16, height: u16) -> Harness {
    let mut harness = harness(width, height);
    harness.typed("stressed about work before:2026-11");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    harness
}

#[test]
fn before_anything_is_asked_it_teaches() {
    let mut harness = harness(80, 24);
    insta::assert_snapshot!(harness.screen());
    assert_eq!(harness.cursor().map(|place| (place.x, place.y)), Some((3, 1)), "the caret waits in the field");
}

#[test]
fn one_column_shows_hits_with_legs_bars_and_marked_words() {
    let harness = answered(80, 24);
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("stressed about work.", Role::Match));
    assert!(harness.shows_as("the old knot", Role::Passage));
    assert!(harness.shows_as("before:2026-11", Role::Accent), "an understood filter turns");
    assert!(harness.shows_as("●●●", Role::LegKeyword));
}

#[test]
fn tab_swaps_to_the_text_and_back() {
    let mut harness = answered(80, 24);
    harness.key("tab");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("the old knot", Role::Passage));
    assert!(harness.shows_as("stressed about work.", Role::Match));
    harness.key("tab");
    assert!(harness.screen().contains("1 weaker match · enter shows"));
}

#[test]
fn two_columns_show_the_text_beside_the_list() {
    let harness = answered(120, 40);
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn every_letter_asks_and_the_last_word_counts_as_a_beginning() {
    let mut harness = harness(80, 24);
    harness.sent();
    harness.typed("la");
    let sent = harness.sent();
    let texts: Vec<_> = sent
        .iter()
        .map(|(_, request)| match request {
            Request::Search(search) => (search.text.as_str(), search.typing),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts, [("l", true), ("la", true)]);
}

#[test]
fn the_first_stage_paints_and_the_final_order_keeps_a_moved_selection_on_its_entry() {
    let mut harness = harness(120, 30);
    harness.typed("work");
    let (ticket, _) = last_search(&mut harness);
    let words = answer(vec![hits()[1].clone(), hits()[0].clone()]);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Words, found: Arc::new(words) }));
    assert!(harness.screen().contains("Sunday 2 August 2026"), "the first hit is shown at once");
    harness.key("down");
    assert!(harness.screen().contains("Monday 14 September 2026"));
    harness.key("down").key("up").key("down");
    harness.key("up");
    assert!(harness.screen().contains("Sunday 2 August 2026"));
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    harness.sees("Sunday 2 August 2026");
}

#[test]
fn an_untouched_selection_stays_on_the_first() {
    let mut harness = harness(120, 30);
    harness.typed("work");
    let (ticket, _) = last_search(&mut harness);
    let words = answer(vec![hits()[1].clone()]);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Words, found: Arc::new(words) }));
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    harness.sees("Monday 14 September 2026");
}

#[test]
fn a_stage_that_comes_while_the_next_letter_is_typed_does_not_blank_the_screen() {
    let mut harness = answered(80, 24);
    harness.typed("x");
    assert!(harness.screen().contains("Could not sleep"), "the old answer stays until the new one comes");
    assert!(!harness.shows_as("before:2026-11", Role::Accent), "but its filters are no longer claimed");
}

#[test]
fn nothing_confident_is_said_and_the_weak_ones_stand_below_a_line() {
    let mut harness = harness(80, 24);
    harness.typed("skiing");
    let (ticket, _) = last_search(&mut harness);
    let weak = answer(vec![hits()[3].clone()]);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(weak) }));
    let screen = harness.screen();
    assert!(screen.contains("No strong matches\n▌2026-05-11"), "{screen}");
}

#[test]
fn nothing_found_is_an_answer() {
    let mut harness = harness(80, 24);
    harness.typed("zzz").command("Toggle search by meaning");
    let (ticket, search) = last_search(&mut harness);
    assert_eq!(search.legs, Legs::ALL.set(LegId::Vector, false));
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(answer(Vec::new())) }));
    let screen = harness.screen();
    assert!(screen.contains("No entries match."), "{screen}");
    assert!(screen.contains("Meaning: switched off (the palette switches it on)"), "{screen}");
}

#[test]
fn a_notice_about_the_query_stands_above_the_hits() {
    let mut harness = harness(80, 24);
    harness.typed("from:someday work");
    let (ticket, _) = last_search(&mut harness);
    let notice = Some("\"someday\" is no date; it was searched as a word".to_owned());
    harness.reply(Reply::To(
        ticket,
        Response::Found { stage: Stage::Fused, found: Arc::new(Found { notice, ..found() }) },
    ));
    assert!(harness.shows_as("\"someday\" is no date", Role::Warn));
    assert!(harness.screen().contains("2026-09-14"));
}

#[test]
fn a_failed_search_is_a_state_of_the_pane_with_a_way_to_try_again() {
    let mut harness = harness(80, 24);
    harness.typed("work");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("searching".into()))));
    assert!(harness.screen().contains("✗ an internal fault while searching · alt-r reload"));
    harness.key("alt-r");
    assert_eq!(last_search(&mut harness).1.text, "work");
    let (ticket, _) = {
        harness.key("alt-r");
        last_search(&mut harness)
    };
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    assert!(harness.screen().contains("2026-09-14"));
}

#[test]
fn legs_go_on_and_off_but_one_stays() {
    let mut harness = answered(120, 30);
    harness.command("Toggle search by word");
    assert!(!last_search(&mut harness).1.legs.has(LegId::Keyword));
    harness.command("Toggle search by meaning").sent();
    harness.command("Toggle search by connection");
    assert!(harness.sent().is_empty());
    assert_eq!(harness.app.toasts(), ["Keep at least one search method on"]);
    assert!(harness.screen().contains("k –"));
}

#[test]
fn weak_matches_are_behind_a_line_until_they_are_wanted() {
    let mut harness = answered(80, 24);
    harness.sees_not("2026-05-11");
    harness.keys("<enter> G <enter>");
    assert_eq!(harness.app.pane(), "search", "Enter on the line shows them");
    harness.sees("2026-05-11");
    assert!(harness.screen().contains("▌2026-05-11"), "the first of them is selected:\n{}", harness.screen());
    harness.keys("W");
    harness.sees_not("2026-05-11");
    harness.keys("i").typed(" too");
    let (ticket, _) = last_search(&mut harness);
    harness.reply(Reply::To(ticket, Response::Found { stage: Stage::Fused, found: Arc::new(found()) }));
    assert!(!harness.screen().contains("2026-05-11"), "a new query begins with the strong ones");
}

#[test]
fn figures_are_behind_a_key() {
    let mut harness = answered(120, 30);
    assert!(!harness.screen().contains("3.8 ms") && !harness.screen().contains("k1 m3"), "{}", harness.screen());
    harness.keys("<enter> s");
    assert!(harness.screen().contains("3.8 ms · k 30 m 30 c 14") && harness.screen().contains("k1 m3 c2"));
    assert!(harness.shows_as("k1", Role::LegKeyword) && harness.shows_as("m3", Role::LegMeaning));
}

#[test]
fn the_order_goes_round_is_said_and_weak_ones_stay_below() {
    let mut harness = answered(80, 24);
    harness.keys("<esc> W");
    let by_worth = harness.screen();
    for (said, order) in [
        ("newest first", ["2026-10-30", "2026-09-14", "2026-08-02", "1 weaker match · W hides", "2026-05-11"]),
        ("oldest first", ["2026-08-02", "2026-09-14", "2026-10-30", "1 weaker match · W hides", "2026-05-11"]),
    ] {
        harness.key("v");
        let screen = harness.screen();
        let places: Vec<_> = order.map(|text| screen.find(text).unwrap()).into();
        assert!(places.is_sorted() && screen.contains(said), "{screen}");
    }
    harness.key("v");
    assert_eq!(harness.screen(), by_worth);
}

#[test]
fn earlier_queries_come_back_in_an_empty_field_and_are_kept_when_they_were_of_use() {
    let mut harness = harness(80, 24);
    let asked = harness.sent().into_iter().find(|(_, request)| matches!(request, Request::Queries)).unwrap().0;
    harness.reply(Reply::To(asked, Response::Queries(vec!["oldest".into(), "newest".into()])));
    harness.keys("<up>");
    assert_eq!(last_search(&mut harness).1.text, "newest");
    harness.keys("<up> <up>");
    assert_eq!(harness.app.query().text(), "oldest");
    harness.keys("<down> <down>");
    assert_eq!(harness.app.query().text(), "", "behind the newest the field is empty");
    harness.typed("fog").keys("<up>");
    assert_eq!(harness.app.query().text(), "fog", "what is typed is not replaced");
    harness.sent();
    harness.key("esc");
    let kept: Vec<_> = harness.sent().into_iter().map(|(_, request)| request).collect();
    assert!(matches!(&kept[..], [Request::KeepQuery(query)] if query == "fog"), "{kept:?}");
}

#[test]
fn an_earlier_query_wished_for_before_any_is_read_comes_when_they_are() {
    let mut harness = harness(80, 24);
    let asked = harness.sent().into_iter().find(|(_, request)| matches!(request, Request::Queries)).unwrap().0;
    harness.keys("<up> <up> <up> <down>");
    assert_eq!(harness.app.query().text(), "");
    let queries = || vec!["oldest".into(), "middle".into(), "newest".into()];
    harness.reply(Reply::To(asked, Response::Queries(queries())));
    assert_eq!(last_search(&mut harness).1.text, "middle");
    harness.keys("<up>");
    assert_eq!(harness.app.query().text(), "oldest");

    let mut harness = super::tests::harness(80, 24);
    let asked = harness.sent().into_iter().find(|(_, request)| matches!(request, Request::Queries)).unwrap().0;
    harness.keys("<up>").typed("fog");
    harness.reply(Reply::To(asked, Response::Queries(queries())));
    assert_eq!(harness.app.query().text(), "fog", "who typed meanwhile wants no other");
}

#[test]
fn a_file_that_is_there_already_leaves_the_line_open_for_another_name() {
    let mut harness = answered(80, 24);
    harness.keys("<enter> X");
    insta::assert_snapshot!(harness.screen());
    harness.typed("hits.md").sent();
    harness.key("enter");
    let Some((ticket, Request::WriteFile { path, content: FileContent::Hits(file) })) = harness.sent().pop() else {
        panic!("nothing is written")
    };
    assert_eq!((path.as_str(), file.query.as_str()), ("hits.md", "stressed about work before:2026-11"));
    assert_eq!(file.places, [0, 1, 2, 3]);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("writing".into()))));
    harness.sees("write to hits.md");
    harness.key("esc");
    harness.sees_not("write to");
}

#[test]
fn on_a_very_small_screen_hits_text_and_facets_are_one_at_a_time() {
    let mut harness = answered(40, 10);
    insta::assert_snapshot!(harness.screen());
    harness.keys("<tab> .");
    insta::assert_snapshot!(harness.screen());
    harness.keys("<esc> f");
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn every_state_says_what_it_is_at_three_sizes() {
    for (width, height) in [(80, 24), (120, 40), (40, 10)] {
        let shown = |state: &str, harness: &Harness| {
            insta::assert_snapshot!(format!("{state}_{width}x{height}"), harness.screen());
        };
        let mut search = harness(width, height);
        shown("empty", &search);
        search.typed("work");
        shown("loading", &search);
        let (ticket, _) = last_search(&mut search);
        search.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("searching".into()))));
        shown("failed", &search);
        search.typed("ing").command("Toggle search by meaning");
        let (ticket, _) = last_search(&mut search);
        search.reply(Reply::To(
            ticket,
            Response::Found { stage: Stage::Fused, found: Arc::new(answer(vec![hits()[3].clone()])) },
        ));
        shown("weak", &search);
        let mut search = answered(width, height);
        search.keys("<enter> v");
        shown("full", &search);
        let mut search = answered(width, height);
        search.key("ctrl-s");
        shown("saving", &search);
    }
}

#[test]
fn the_figures_behind_a_hit_can_be_seen() {
    let mut harness = answered(120, 30);
    harness.keys("<enter> s");
    insta::assert_snapshot!(harness.screen());
    assert_eq!(harness.app.pane(), "search");
}

#[test]
fn the_first_escape_leaves_the_field_the_second_clears() {
    let mut harness = answered(80, 24);
    harness.keys("<esc> j");
    assert!(harness.screen().contains("stressed about work"));
    assert_eq!(harness.app.query().text(), "stressed about work before:2026-11");
    harness.key("esc");
    assert_eq!(harness.app.query().text(), "");
    assert!(!harness.screen().contains("2026-09-14"));
    harness.typed("lake");
    assert_eq!(harness.app.query().text(), "lake", "the field has the focus");
}

#[test]
fn every_size_is_survived_in_every_state() {
    for keys in
        ["", "<tab>", "<enter> s", "<esc>", "<down> <down> <down>", "<alt-f>", "<ctrl-s>", "<tab> .", "<esc> X x"]
    {
        let mut harness = answered(80, 24);
        harness.keys(keys);
        for (width, height) in (1..=244).step_by(9).flat_map(|width| (1..=70).step_by(3).map(move |h| (width, h))) {
            harness.resize(width, height);
        }
    }
}
