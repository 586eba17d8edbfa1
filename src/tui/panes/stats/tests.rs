//! Keys in, screen and requests out, with scripted answers.

use std::sync::Arc;

use jiff::civil::date;

use super::*;
use crate::{
    insight::{
        Period,
        stats::{Change, Counted, MoodMonth, Run},
    },
    journal::EntityKind,
    search::Legs,
    session::{DayLine, Progress, Request, Response, SessionError, SessionWorkers, Stage, Ticket},
    tui::{
        fixtures,
        harness::{Harness, HarnessSetup},
        panes::{PaneEntry, pane},
        theme::Role,
    },
};

/// Stands in for the Journal pane and remembers the opened day; `s` sets the shared query.
#[derive(Default)]
struct Opened(Option<civil::Date>);

impl Pane for Opened {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command<Self>] =
        &[Command::new("journal.ask", &["s"], "Ask", |_, cx| cx.search("lake", Legs::ALL))];
}

impl Screen for Opened {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, _: &RenderContext<'_>) {
        frame.render_widget(format!("looking at {:?}", self.0), area);
    }

    fn on_open(&mut self, target: &Target, _: &mut UpdateContext<'_>) {
        self.0 = target.day;
    }
}

const PANES: &[PaneEntry] = &[pane::<Opened>(), pane::<Stats>()];
const FRIDAY: civil::Date = date(2026, 11, 20);

/// Every third day since March of the year before, with longer entries and better moods towards autumn.
fn view() -> View {
    let mut days = Vec::new();
    let mut day = FRIDAY;
    while day > date(2025, 3, 1) {
        let mood = ["happy", "calm", "stressed", "", "tired"][usize::from(day.day().unsigned_abs()) % 5];
        let moods = Vec::from_iter((!mood.is_empty()).then(|| mood.to_owned()));
        days.push(DayLine { day, words: vec![u32::from(day.month().unsigned_abs()) * 30], moods, records: 0 });
        day = day.saturating_sub(3.days());
    }
    View { entries: days.len(), days: Arc::new(days), ..View::default() }
}

fn figures() -> insight::stats::Stats {
    let month = |month: &str, n, valence| MoodMonth { month: month.into(), n, valence };
    let change = |name: &str, kind, days, before| Change { name: name.into(), kind, days, before };
    let mut hours = [0; 24];
    (hours[7], hours[8], hours[12], hours[21], hours[22]) = (12, 40, 9, 131, 62);
    insight::stats::Stats {
        period: Some(Period { from: date(2025, 3, 4), to: FRIDAY }),
        entries: 1204,
        days: 210,
        words: 91_210,
        run: Run { current: 4, longest: 31 },
        moods: vec![
            month("2026-06", 4, -0.9),
            month("2026-08", 12, 0.05),
            month("2026-10", 9, 0.5),
            month("2026-11", 131, 0.95),
        ],
        mood_counts: vec![
            Counted { name: "calm".into(), n: 44 },
            Counted { name: "stressed".into(), n: 31 },
            Counted { name: "nostalgic-ish".into(), n: 1 },
        ],
        weekdays: [120, 98, 101, 60, 33, 210, 187],
        hours,
        week: [1, 0, 1, 0, 0, 3, 2].map(|share| hours.map(|n| n * share)).to_vec(),
        names: vec![
            change("Hùng", EntityKind::Person, 12, 5),
            change("Hà Nội", EntityKind::Place, 1, 3),
            change("会議室の話", EntityKind::Topic, 4, 4),
        ],
    }
}

fn harness(width: u16, height: u16, theme: &str) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("stats".into());
    setup.size = (width, height);
    setup.theme = theme.into();
    let mut harness = Harness::new(setup);
    harness.view(view());
    harness
}

fn last_ask(harness: &mut Harness) -> (Ticket, Ask) {
    match harness.sent().pop() {
        Some((ticket, Request::Ask(ask))) => (ticket, ask),
        other => panic!("nothing was asked: {other:?}"),
    }
}

fn answered(width: u16, height: u16, theme: &str) -> Harness {
    let mut harness = harness(width, height, theme);
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Stats(FRIDAY)), "{ask:?}");
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Stats(figures())))));
    harness
}

#[test]
fn one_column_shows_the_year_first() {
    let harness = answered(80, 24, "dark");
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn further_down_are_rhythm_and_names() {
    let mut harness = answered(80, 24, "ansi16");
    harness.keys("<pagedown>");
    insta::assert_snapshot!(harness.screen());
    harness.keys("<pageup>");
    harness.sees("1,204 entries on 210 days");
}

#[test]
fn a_large_screen_shows_all_at_once() {
    let harness = answered(120, 40, "dark");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("Hùng", Role::Person));
    assert!(harness.shows_as("calm 44", Role::of_mood("calm")));
}

#[test]
fn a_very_wide_screen_is_filled() {
    let harness = answered(160, 48, "dark");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("longest 31 days", Role::Dim));
}

#[test]
fn the_selected_day_is_seen_among_full_ones() {
    for theme in ["dark", "light", "ansi16", "none"] {
        let mut harness = answered(80, 24, theme);
        let friday = harness.find("■");
        assert_eq!(harness.buffer()[friday].symbol(), "■", "{theme}");
        harness.keys("h h h");
        assert_ne!(harness.buffer()[friday].symbol(), "■", "{theme}: it moves with the selection");
    }
}

#[test]
fn a_very_small_screen_scrolls() {
    let mut harness = answered(40, 10, "dark");
    insta::assert_snapshot!(harness.screen());
    for _ in 0..20 {
        harness.keys("<pagedown>");
    }
    harness.sees("会議室の話");
}

#[test]
fn the_year_tells_moods_without_colours() {
    let mut harness = answered(80, 24, "none");
    harness.keys("v");
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn before_the_figures_are_known_the_year_is_there() {
    let mut harness = harness(80, 24, "dark");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::NotYet));
    insta::assert_snapshot!(harness.screen());
    harness.view(view());
    last_ask(&mut harness);
}

#[test]
fn a_failure_is_told_and_can_be_tried_again() {
    let mut harness = harness(80, 24, "dark");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("thinking about it".into()))));
    harness.sees("✗ an internal fault while thinking about it · R reload");
    harness.keys("R");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Stats(figures())))));
    harness.sees("1,204 entries on 210 days");
}

#[test]
fn who_waits_for_the_figures_no_longer_is_told_how_they_come() {
    let mut harness = harness(80, 24, "dark");
    let (ticket, _) = last_ask(&mut harness);
    let progress = Progress { what: "entries", done: 1, of: 4 };
    harness.reply(Reply::To(ticket, Response::Progress(progress)));
    harness.sees("Counting … entries, 25 %");
    harness.key("esc");
    assert!(matches!(harness.sent()[..], [(_, Request::Cancel(cancelled))] if cancelled == ticket));
    harness.sees("Cancelled · R reload");
    harness.key("R");
    assert!(matches!(last_ask(&mut harness).1, Ask::Stats(_)));
}

#[test]
fn a_journal_that_ended_long_ago_is_seen_from_its_last_day() {
    let mut setup = HarnessSetup::new(PANES);
    setup.size = (120, 40);
    let mut harness = Harness::new(setup);
    let line = |day| DayLine { day, words: vec![9], moods: Vec::new(), records: 0 };
    let days = vec![line(date(1664, 12, 31)), line(date(1660, 1, 1))];
    harness.view(View { days: Arc::new(days), entries: 2, ..View::default() });
    harness.keys("2");
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Stats(day) if day == date(1664, 12, 31)), "{ask:?}");
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Stats(figures())))));
    harness.sees("31 December 1664");
    harness.sees("the 30 days up to 1664-12-31");
}

#[test]
fn before_anything_is_written_no_key_of_a_day_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("stats".into());
    setup.session = Some(SessionWorkers::inline(fixtures::session_options(&folder.path().join("vault"))));
    let mut harness = Harness::new(setup);
    harness.settle();
    harness.sees("No entries yet");
    harness.sees_not("open the day");
    harness.resize(40, 10);
    harness.sees("the day you write.");
    harness.resize(80, 24).view(view()).reply(Reply::ViewChanged);
    harness.sees("enter open the day");
}

#[test]
fn days_are_walked_by_key_and_opened() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("h k");
    harness.sees("Thursday 12 November 2026 · nothing written");
    harness.keys("j l j l <enter>");
    harness.sees("looking at Some(2026-11-20)");
    harness.keys("2 t <enter>");
    harness.sees("looking at Some(2026-11-20)");
}

#[test]
fn years_end_with_what_is_written() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("[");
    harness.sees("Thursday 20 November 2025");
    harness.keys("[");
    harness.sees("No earlier entries");
    harness.sees("Thursday 20 November 2025");
    harness.keys("] ]");
    harness.sees("No later entries");
    harness.sees("Friday 20 November 2026");
}

#[test]
fn a_click_selects_a_day_and_a_second_one_opens_it() {
    let mut harness = answered(80, 24, "dark");
    let monday = harness.find("Mo ");
    let day = Position { x: monday.x + 4, y: monday.y + 3 };
    harness.mouse(MouseKind::Click, day);
    harness.sees("Thursday 1 January 2026");
    harness.mouse(MouseKind::Click, day);
    harness.sees("looking at Some(2026-01-01)");
}

#[test]
fn a_query_that_found_nothing_in_the_year_shown_turns_to_its_newest_hit_once() {
    let mut harness = answered(80, 24, "dark");
    harness.sees(" 2026  ");
    harness.keys("1 s");
    let search = harness.sent().into_iter().find(|(_, request)| matches!(request, Request::Search(_)));
    let day = view().days.iter().map(|line| line.day).find(|day| day.year() == 2025).unwrap();
    let found = fixtures::answer(vec![fixtures::hit("The lake.", "lake", day.at(9, 0, 0, 0))]);
    harness.reply(Reply::To(search.unwrap().0, Response::Found { stage: Stage::Fused, found: Arc::new(found) }));
    harness.keys("2");
    harness.sees(" 2025  ");
    harness.sees("◆ found by the query");
    harness.keys("] 1 2");
    harness.sees(" 2026  ");
}
