//! Keys in, screen and requests out, with scripted answers.

use std::sync::Arc;

use jiff::civil::date;

use super::*;
use crate::{
    insight::{
        Basis, Evidence, Period,
        patterns::{Pattern, Tie},
        reflect::{Glance, Line, Named, Reflection, Then, Thread},
        review::{Counts, Moment, MoodChange, NameChange, Review, Unit},
        stats::Change,
        why::Strength,
    },
    journal::{EntityKind, EntryId, VaultError},
    search::Legs,
    session::{DayLine, FileContent, Progress, Request, Response, SessionError, SessionWorkers, Ticket, View, Written},
    tui::{
        command::Command,
        event::Event,
        fixtures::{answer, hit},
        harness::{Harness, HarnessSetup},
        panes::{Pane, PaneEntry, pane},
        theme::Role,
    },
};

/// Stands in for the Journal pane and remembers the opened target; `s` sets the shared query.
#[derive(Default)]
struct Opened(Option<Target>);

impl Pane for Opened {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command<Self>] =
        &[Command::new("journal.ask", &["s"], "Ask", |_, cx| cx.search("knot", Legs::ALL))];
}

impl Screen for Opened {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, _: &RenderContext<'_>) {
        if let Some(Target { entry, quote, compose, text, tags, .. }) = &self.0 {
            let entry = entry.as_ref().map(ToString::to_string);
            frame.render_widget(format!("{entry:?} {quote:?} {compose} {text:?} {tags:?}"), area);
        }
    }

    fn on_open(&mut self, target: &Target, _: &mut UpdateContext<'_>) {
        self.0 = Some(target.clone());
    }
}

const PANES: &[PaneEntry] = &[pane::<Opened>(), pane::<Reflect>()];
pub(super) const FRIDAY: civil::Date = date(2026, 11, 20);

fn view() -> View {
    let line = |day, words: &[u32]| DayLine { day, words: words.to_vec(), moods: Vec::new(), records: 0 };
    let days = [line(FRIDAY, &[20, 30, 14]), line(date(2026, 11, 18), &[9]), line(date(2026, 9, 14), &[40])];
    View { days: Arc::new(days.to_vec()), entries: 5, ..View::default() }
}

fn harness(width: u16, height: u16, theme: &str) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    setup.start = Some("reflect".into());
    setup.size = (width, height);
    setup.theme = theme.into();
    let mut harness = Harness::new(setup);
    harness.view(view());
    harness
}

pub(super) fn last_ask(harness: &mut Harness) -> (Ticket, Ask) {
    match harness.sent().pop() {
        Some((ticket, Request::Ask(ask))) => (ticket, ask),
        other => panic!("nothing was asked: {other:?}"),
    }
}

fn evidence(id: &str, text: &str) -> Evidence {
    Evidence::new(EntryId::from(id), format!("{id}T12:00:00+07:00"), text.into(), Basis::Stated)
}

fn named(name: &str, kind: EntityKind, entries: &[&str]) -> Named {
    Named { name: name.into(), kind, entries: entries.iter().map(|id| EntryId::from(*id)).collect() }
}

fn pattern() -> Pattern {
    Pattern {
        name: "Hùng".into(),
        kind: EntityKind::Person,
        mood: "stressed".into(),
        relation: Tie::LeadsTo,
        strength: Strength::Strong,
        stated: 5,
        both: 12,
        with_name: 31,
        with_mood: 14,
        days: 156,
        evidence: vec![evidence("2026-09-14T15:30:00+07:00", "Hùng moved the deadline.")],
    }
}

fn friday() -> Reflection {
    let glance = |id: &str, clock: &str, mood: &str, text: &str| Glance {
        id: EntryId::from(id),
        time: format!("2026-11-20T{clock}:00+07:00"),
        mood: (!mood.is_empty()).then(|| mood.to_owned()),
        text: text.into(),
        sentence: text.into(),
    };
    Reflection {
        day: FRIDAY,
        entries: vec![
            glance("a", "08:12", "calm", "Slept well for once."),
            glance("b", "15:30", "stressed", "Met Hùng about Project X, 会議が長くて大変だった。"),
            glance("c", "21:05", "relieved", "Phở with Linh near the lake."),
        ],
        moods: vec![named("stressed", EntityKind::Emotion, &["b"])],
        names: vec![named("Hùng", EntityKind::Person, &["b"]), named("Linh", EntityKind::Person, &["c", "b"])],
        threads: vec![
            Thread {
                day: date(2026, 9, 14),
                then: evidence("2026-09-14T15:30:00+07:00", "I felt the old knot in my stomach."),
                now: evidence("b", "He said we are too slow, and he is right that the demo is late."),
            },
            Thread {
                day: date(2026, 7, 30),
                then: evidence("2026-07-30", "Too many people in the room."),
                now: evidence("b", "He said we are too slow."),
            },
        ],
        on_this_day: vec![Then {
            when: "1 year ago".into(),
            day: date(2025, 11, 20),
            evidence: evidence("2025-11-20", "First snow. Called Mother."),
            others: Vec::new(),
        }],
        patterns: vec![pattern()],
        days_to_patterns: 0,
        questions: vec![Line {
            text: "The day began calm and ended relieved. What turned it?".into(),
            entries: vec![EntryId::from("a"), EntryId::from("c")],
        }],
    }
}

fn november() -> Review {
    let moment = |day, mood: &str, valence, id: &str, text: &str| Moment {
        day,
        mood: mood.into(),
        valence,
        evidence: evidence(id, text),
    };
    let change = |name: &str, kind, days, before| NameChange {
        change: Change { name: name.into(), kind, days, before },
        entries: vec![EntryId::from("b"), EntryId::from("c")],
    };
    Review {
        unit: Unit::Month,
        period: Period { from: date(2026, 11, 1), to: date(2026, 11, 30) },
        before: Period { from: date(2026, 10, 1), to: date(2026, 10, 31) },
        counts: Counts { entries: 31, days: 18, words: 4210, n_moods: 22, valence: Some(0.21) },
        counts_before: Counts { entries: 25, days: 16, words: 3100, n_moods: 12, valence: Some(-0.05) },
        highs: vec![moment(date(2026, 11, 7), "happy", 0.8, "d", "Rowed to the island and back.")],
        lows: vec![moment(FRIDAY, "stressed", -0.6, "b", "He said we are too slow.")],
        moods: vec![MoodChange { name: "stressed".into(), n: 5, before: 2, entries: vec![EntryId::from("b")] }],
        names: vec![change("Hùng", EntityKind::Person, 12, 4), change("the lake", EntityKind::Place, 1, 0)],
        threads: Vec::new(),
        on_this_day: vec![Then {
            when: "1 year ago".into(),
            day: date(2025, 11, 20),
            evidence: evidence("2025-11-20", "First snow. Called Mother."),
            others: Vec::new(),
        }],
        patterns: Vec::new(),
        days_to_patterns: 12,
        questions: vec![Line { text: "Linh was there on 6 days. What happened?".into(), entries: Vec::new() }],
    }
}

pub(super) fn answered(width: u16, height: u16, theme: &str) -> Harness {
    let mut harness = harness(width, height, theme);
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(friday())))));
    harness
}

#[test]
fn a_day_in_one_column() {
    let harness = answered(80, 24, "dark");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("stressed", Role::Low));
    assert!(harness.shows_as("I felt the old knot", Role::Passage));
    assert!(harness.shows_as("Linh person  2", Role::Person));
}

#[test]
fn a_day_on_a_large_screen() {
    insta::assert_snapshot!(answered(120, 40, "dark").screen());
}

#[test]
fn a_day_on_a_very_small_screen() {
    insta::assert_snapshot!(answered(40, 10, "dark").screen());
}

#[test]
fn without_colours_the_selection_is_still_seen() {
    let harness = answered(80, 24, "none");
    harness.sees("▌");
    assert!(harness.shows_as("08:12", Role::Selected), "{}", harness.screen());
}

#[test]
fn a_month_in_figures_and_lines() {
    let mut harness = answered(100, 30, "ansi16");
    harness.keys("v v");
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Review { unit: Unit::Month, day: FRIDAY, .. }), "{ask:?}");
    harness.sees("Loading …");
    assert!(!harness.screen().contains("Phở"), "a day's lines are not shown under a month's name");
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Review(november())))));
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn before_the_index_is_open_it_waits_and_then_asks_again() {
    let mut harness = harness(80, 24, "dark");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::NotYet));
    insta::assert_snapshot!(harness.screen());
    harness.view(view());
    last_ask(&mut harness);
}

#[test]
fn how_far_it_is_is_told_and_escape_waits_no_longer() {
    let mut harness = harness(80, 24, "dark");
    let (asked, _) = last_ask(&mut harness);
    let progress = Progress { what: "looking for threads", done: 3, of: 6 };
    harness.reply(Reply::To(asked, Response::Progress(progress)));
    harness.sees("Loading … looking for threads, 50 %");
    harness.key("esc");
    let sent = harness.sent();
    assert!(matches!(sent.as_slice(), [(_, Request::Cancel(ticket))] if *ticket == asked), "{sent:?}");
    harness.sees("Cancelled · R reload");
    harness.key("R");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(friday())))));
    harness.sees("Phở with Linh");
}

#[test]
fn a_failure_is_told_and_can_be_tried_again() {
    let mut harness = harness(80, 24, "dark");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("thinking about it".into()))));
    harness.sees(" · R reload");
    harness.key("R");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(friday())))));
    harness.sees("Phở with Linh");
}

#[test]
fn an_answer_to_an_older_question_is_dropped() {
    let mut harness = harness(80, 24, "dark");
    let (old, _) = last_ask(&mut harness);
    harness.key("[");
    let (_, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Reflect { day, .. } if day == date(2026, 11, 18)), "{ask:?}");
    harness.reply(Reply::To(old, Response::Answer(Arc::new(Answer::Reflect(friday())))));
    harness.sees_not("Phở");
    harness.sees("Wednesday 18 November 2026");
}

#[test]
fn enter_opens_the_sentence_and_arrows_choose_among_several() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("j j <enter>");
    harness.sees("Some(\"c\") Some(\"Phở with Linh near the lake.\")");
    harness.keys("2 j j");
    harness.sees("‹1 of 2›");
    harness.keys("l <enter>");
    harness.sees("Some(\"c\") Some(\"Linh\")");
}

#[test]
fn a_question_goes_along_into_the_reflection() {
    let mut harness = answered(120, 24, "dark");
    harness.keys("g g");
    harness.sees("answer this question");
    harness.keys("i").typed("The soup.").keys("<ctrl-s>");
    let Some((_, Request::Append { new, .. })) = harness.sent().pop() else { panic!("nothing is saved") };
    assert_eq!(new.body, "> The day began calm and ended relieved. What turned it?\n\nThe soup.");
    assert_eq!(new.tags, [TAG]);
    let mut harness = answered(120, 24, "dark");
    harness.keys("g g").command("Write in the journal");
    harness.sees("true Some(\"> The day began calm and ended relieved. What turned it?\\n\\n\") [\"reflection\"]");
}

#[test]
fn while_something_is_searched_only_its_threads_stay() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("1 s");
    let (ticket, _) = harness.sent().pop().unwrap();
    let old = hit("I felt the old knot in my stomach.", "knot", date(2026, 9, 14).at(15, 30, 0, 0));
    let found = Arc::new(answer(vec![old]));
    harness.reply(Reply::To(ticket, Response::Found { stage: crate::session::Stage::Fused, found }));
    harness.keys("2");
    harness.sees("1 of 2 match /knot");
    harness.sees("the old knot");
    harness.sees_not("Too many people");
    harness.keys("<alt-x>");
    harness.sees("Too many people");
}

#[test]
fn a_date_as_people_say_it_decides_how_much_is_looked_at() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("g d").typed("september 2026").key("enter");
    let (_, ask) = last_ask(&mut harness);
    let september = date(2026, 9, 1);
    assert!(matches!(ask, Ask::Review { unit: Unit::Month, day, .. } if day == september), "{ask:?}");
    harness.keys("g d").typed("nonsense").key("enter");
    harness.sees("not a date");
    harness.keys("<esc> :").typed("random").key("enter");
    let (_, ask) = last_ask(&mut harness);
    let Ask::Reflect { day, .. } = ask else { panic!("{ask:?}") };
    assert!(view().days.iter().any(|line| line.day == day), "{day} has no entry");
}

#[test]
fn a_click_selects_and_a_second_one_opens() {
    let mut harness = answered(80, 24, "dark");
    let place = harness.find("Met Hùng");
    harness.click("Met Hùng");
    assert!(harness.shows_as("15:30", Role::Selected) || harness.find("▌").y == place.y, "{}", harness.screen());
    harness.click("Met Hùng");
    harness.sees("Some(\"b\")");
    harness.keys("2").click("week");
    assert!(matches!(last_ask(&mut harness).1, Ask::Review { unit: Unit::Week, .. }));
}

#[test]
fn the_page_is_copied_as_markdown() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("y");
    let copied = harness.copied().pop().unwrap();
    assert!(copied.starts_with("# Friday 20 November 2026\n\n3 entries · 64 words"), "{copied}");
    assert!(
        copied.contains("\n## On this day\n\n- 2025-11-20  1 year ago  “First snow. Called Mother.”\n"),
        "{copied}"
    );
}

#[test]
fn the_page_is_saved_under_a_name_and_a_name_that_is_taken_can_be_changed() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("X");
    harness.sees("save as reflection-2026-11-20.md");
    harness.keys("<enter>");
    let Some((ticket, Request::WriteFile { path, content: FileContent::Text(text) })) = harness.sent().pop() else {
        panic!("nothing is saved")
    };
    assert_eq!(path, "reflection-2026-11-20.md");
    assert!(text.starts_with("# Friday 20 November 2026\n") && text.contains("## Patterns\n"), "{text}");
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Vault(VaultError::Exists { path: path.into() }))));
    harness.sees("already exists and was not");
    harness.key("end");
    harness.sees("save as reflection-2026-11-20.md");
    harness.keys("<ctrl-u>").typed("again.md").key("enter");
    let Some((ticket, Request::WriteFile { path, .. })) = harness.sent().pop() else { panic!("nothing is saved") };
    harness.reply(Reply::To(ticket, Response::FileWritten { path: path.into(), entries: 0 }));
    harness.sees("Saved as again.md");
    harness.sees_not("save as ");
    harness.keys("X <esc>");
    assert!(harness.sent().is_empty() && !harness.screen().contains("save as "), "{}", harness.screen());
}

#[test]
fn a_file_that_is_there_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.md");
    let session = SessionWorkers::inline(crate::tui::fixtures::session_options(&folder.path().join("vault")));
    while session.try_recv().is_some() {}
    for text in ["first", "second"] {
        session.send(
            Ticket(1),
            Request::WriteFile { path: file.display().to_string(), content: FileContent::Text(text.into()) },
        );
    }
    assert!(matches!(session.try_recv(), Some(Reply::To(_, Response::FileWritten { path, .. })) if path == file));
    assert!(matches!(
        session.try_recv(),
        Some(Reply::To(_, Response::Failed(SessionError::Vault(VaultError::Exists { .. }))))
    ));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "first");
    let inside = folder.path().join("vault/memory/2026-11-20.md");
    std::fs::create_dir_all(inside.parent().unwrap()).unwrap();
    session.send(
        Ticket(2),
        Request::WriteFile { path: inside.display().to_string(), content: FileContent::Text("a review".into()) },
    );
    let refused = session.try_recv();
    let Some(Reply::To(_, Response::Failed(error))) = &refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("is inside the journal") && !inside.exists(), "{error}");
}

#[test]
fn what_led_there_is_asked_of_a_feeling_an_entry_or_the_day() {
    const PANES: &[PaneEntry] = &[pane::<Opened>(), pane::<Reflect>(), pane::<WhyStub>()];
    let mut setup = HarnessSetup::new(PANES);
    (setup.start, setup.size) = (Some("reflect".into()), (120, 40));
    let mut harness = Harness::new(setup);
    harness.view(view());
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(friday())))));
    harness.keys("w");
    harness.sees("why of a.");
    harness.keys("2 G w");
    harness.sees("why of stressed.");
}

fn kept(harness: &mut Harness) -> Option<String> {
    let drafts = harness.sent().into_iter().filter_map(|(_, request)| match request {
        Request::KeepDraft(draft) => Some(draft.body),
        _ => None,
    });
    drafts.last()
}

#[test]
fn a_reflection_is_written_below_the_page_and_kept_while_it_is_typed() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("i").typed("Slower than I thought, q and all.");
    insta::assert_snapshot!(harness.screen());
    assert!(harness.cursor().is_some(), "the caret is in the text");
    assert_eq!(kept(&mut harness), None, "not with every letter");
    harness.wait(Duration::from_secs(4));
    assert_eq!(kept(&mut harness).as_deref(), Some("Slower than I thought, q and all."));
    harness.typed(" More.").keys("<esc>");
    assert_eq!(kept(&mut harness).as_deref(), Some("Slower than I thought, q and all. More."));
    harness.sees("continue your reflection (8 words)");
    harness.keys("i").typed(" End.").keys("<ctrl-s>");
    let Some((ticket, Request::Append { new, draft: Some(_) })) = harness.sent().pop() else { panic!("not saved") };
    assert_eq!(new.body, "Slower than I thought, q and all. More. End.");
    harness.reply(Reply::To(ticket, Response::Failed(SessionError::Fault("saving a new entry".into()))));
    harness.sees("More. End.");
    harness.keys("<ctrl-s>");
    let (ticket, _) = harness.sent().pop().unwrap();
    let entry = crate::tui::fixtures::entry(&new.body, FRIDAY.at(9, 0, 0, 0));
    harness.reply(Reply::To(ticket, Response::Written(Written::Added(entry))));
    harness.sees("Saved as an entry of 09:00");
    harness.sees("write your reflection");
}

#[test]
fn names_are_completed_in_a_reflection() {
    let mut harness = answered(80, 24, "dark");
    harness.view(View { people: Arc::new(vec!["Linh".to_owned()]), ..view() });
    harness.keys("i").typed("With @Li").keys("<enter>").typed(", @Li").keys("<tab>").typed(" and @Li");
    harness.keys("<esc>").typed("l");
    harness.wait(Duration::from_secs(4));
    assert_eq!(kept(&mut harness).as_deref(), Some("With @Linh, @Linh and @Lil"), "esc closes only the offers");
}

#[test]
fn an_unfinished_reflection_is_offered_by_the_journal_with_its_time() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("i").typed("Hm.").keys("<esc>");
    let drafts = harness.sent().into_iter().filter_map(|(_, request)| match request {
        Request::KeepDraft(draft) => Some(draft),
        _ => None,
    });
    let draft = drafts.last().unwrap();
    let begun = crate::tui::drafts::begun(&draft.id).map(|(day, _)| day);
    assert_eq!(begun, Some(FRIDAY.to_string()), "{draft:?}");
}

#[test]
fn what_was_begun_goes_only_by_word_and_what_is_empty_by_itself() {
    let mut harness = answered(80, 24, "dark");
    harness.keys("i <esc>");
    harness.sees("write your reflection");
    assert_eq!(kept(&mut harness), None);
    harness.keys("i").typed("Hm.").keys("<esc> x n");
    harness.sees("continue your reflection (1 word)");
    harness.keys("x y");
    let Some((ticket, Request::DiscardDraft(_))) = harness.sent().pop() else { panic!("nothing is dropped") };
    harness.reply(Reply::To(ticket, Response::DraftDropped));
    harness.sees("write your reflection");
    harness.keys("i").typed("Begun again").keys("<esc> q");
    assert!(!harness.has_quit(), "the draft is not on disk yet");
    let (ticket, _) = harness.sent().pop().unwrap();
    harness.reply(Reply::To(ticket, Response::DraftKept));
    assert!(harness.has_quit());
    let mut harness = answered(80, 24, "dark");
    harness.keys("i").typed("Begun").event(Event::Terminate);
    assert_eq!(kept(&mut harness).as_deref(), Some("Begun"), "an end of the program loses nothing");
}

/// Stands in for the Why pane.
#[derive(Default)]
struct WhyStub(Option<String>);

impl Pane for WhyStub {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Why";
    const COMMANDS: &'static [Command<Self>] = &[];
}

impl Screen for WhyStub {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, _: &RenderContext<'_>) {
        frame.render_widget(format!("why of {}.", self.0.as_deref().unwrap_or_default()), area);
    }

    fn on_open(&mut self, target: &Target, _: &mut UpdateContext<'_>) {
        self.0.clone_from(&target.text);
    }
}

fn opened_on(view: View, today: Reflection) -> Harness {
    let mut setup = HarnessSetup::new(PANES);
    (setup.start, setup.size) = (Some("reflect".into()), (80, 24));
    let mut harness = Harness::new(setup);
    harness.view(view);
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Reflect { day: FRIDAY, .. }));
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(today)))));
    harness
}

#[test]
fn an_empty_page_of_today_gives_way_to_the_newest_day_and_says_so() {
    let nothing = || Reflection {
        entries: Vec::new(),
        moods: Vec::new(),
        names: Vec::new(),
        threads: Vec::new(),
        on_this_day: Vec::new(),
        patterns: Vec::new(),
        days_to_patterns: 0,
        questions: Vec::new(),
        ..friday()
    };
    let wednesday = date(2026, 11, 18);
    let days: Vec<DayLine> = view().days.iter().filter(|line| line.day <= wednesday).cloned().collect();
    let quiet = || View { days: Arc::new(days.clone()), ..view() };
    let mut harness = opened_on(quiet(), nothing());
    let (ticket, ask) = last_ask(&mut harness);
    assert!(matches!(ask, Ask::Reflect { day, .. } if day == wednesday), "{ask:?}");
    harness.reply(Reply::To(
        ticket,
        Response::Answer(Arc::new(Answer::Reflect(Reflection { day: wednesday, ..friday() }))),
    ));
    insta::assert_snapshot!("landed", harness.screen());
    harness.keys("t");
    let (ticket, _) = last_ask(&mut harness);
    harness.reply(Reply::To(ticket, Response::Answer(Arc::new(Answer::Reflect(nothing())))));
    harness.sees("Friday 20 November 2026");
    harness.sees("nothing similar in the past");

    let mut harness = opened_on(quiet(), Reflection { on_this_day: friday().on_this_day, ..nothing() });
    harness.sees("First snow.");
    assert!(harness.sent().is_empty(), "something of the past is what one comes for");
}
