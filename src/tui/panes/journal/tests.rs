//! The Journal pane in the application: keys in, screen and requests out, with a small scripted session.

mod comfort;
mod composing;
mod landing;
mod quitting;
mod writing;

use std::{sync::Arc, time::Duration};

use jiff::{
    civil::{self, date},
    tz::{TimeZone, offset},
};

use ratatui::{Frame, layout::Rect};

use super::*;
use crate::{
    journal::{
        BodyHash, DraftId, EntityKind, Entry, EntryId, EntryTime, Place, Templates, TrashReason, Trashed, VaultError,
    },
    search::{Found, Hit, LegId, Legs, PerLeg, Reason},
    session::{DayEntry, DayLine, Progress, SessionError, Written},
    tui::{
        command::Command,
        event::Event,
        harness::{Harness, HarnessSetup},
        panes::{Pane, PaneEntry, pane},
        theme::Role,
    },
};

/// Stands in for the Search pane: `s` sets the shared query, `f` opens a quote.
#[derive(Debug, Default)]
struct Finder;

impl Pane for Finder {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("search.ask", &["s"], "Ask", |_, cx| cx.search("river", Legs::ALL)),
        Command::new("search.open", &["f"], "Open", |_, cx| {
            cx.open(Target {
                pane: "journal",
                day: Some(date(2026, 9, 1)),
                entry: Some("2026-09-01-9".into()),
                span: Some(890..898),
                ..Target::default()
            });
        }),
    ];
}

impl Screen for Finder {
    fn draw(&mut self, _: &mut Frame<'_>, _: Rect, _: &RenderContext<'_>) {}
}

const PANES: &[PaneEntry] = &[pane::<Journal>(), pane::<Finder>()];

fn entry(day: civil::Date, hour: i8, minute: i8, mood: &str, tags: &[&str], body: &str) -> Entry {
    let time = day.at(hour, minute, 0, 0).to_zoned(TimeZone::fixed(offset(7))).unwrap();
    Entry {
        id: EntryId::from(format!("{day}-{hour}").as_str()),
        time: EntryTime::of(&time),
        day,
        mood: (!mood.is_empty()).then(|| mood.to_owned()),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        event_time: None,
        body: body.to_owned(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: format!("{day}.md").into(), position: 0, bytes: 0..0 },
    }
}

/// The scripted session: its entries, and the requests it received.
struct Session {
    harness: Harness,
    entries: Vec<DayEntry>,
    drafts: Vec<Draft>,
    /// Requests other than those for days and drafts.
    asked: Vec<(Ticket, Request)>,
    answers_days: bool,
    disk_is_full: bool,
}

const FRIDAY: civil::Date = date(2026, 11, 20);

fn sample() -> Vec<DayEntry> {
    let met = "Met Hùng about Project X. He said we are too slow, and he is right that the **demo** is late.";
    let mut known: Vec<DayEntry> = [
        entry(
            FRIDAY,
            8,
            12,
            "calm",
            &["morning"],
            "Slept well for once. Walked along the river before work; the fog made the bridges float.",
        ),
        entry(FRIDAY, 15, 30, "stressed", &["work"], met),
        entry(
            FRIDAY,
            21,
            5,
            "relieved",
            &[],
            "Phở with Linh near the lake.\nFelt better by the second bowl.\n\n- sleep early\n- call Mother",
        ),
        entry(date(2026, 11, 19), 7, 0, "calm", &[], "Rain. #reading all day"),
        entry(date(2026, 10, 31), 22, 0, "proud", &[], "Finished the run along the river."),
    ]
    .into_iter()
    .map(|entry| DayEntry { entry, names: Vec::new(), spans: Vec::new() })
    .collect();
    known[1].names = vec![
        (EntityKind::Person, "Hùng".to_owned()),
        (EntityKind::Topic, "Project X".to_owned()),
        (EntityKind::Emotion, "stressed".to_owned()),
    ];
    known[1].spans = vec![(0, EntityKind::Person, 4..9)];
    known
}

impl Session {
    fn new(width: u16, height: u16, entries: Vec<DayEntry>) -> Self {
        Self::set_up(HarnessSetup { size: (width, height), ..HarnessSetup::new(PANES) }, entries)
    }

    fn set_up(setup: HarnessSetup, entries: Vec<DayEntry>) -> Self {
        let harness = Harness::new(setup);
        let mut session =
            Self { harness, entries, drafts: Vec::new(), asked: Vec::new(), answers_days: true, disk_is_full: false };
        session.show();
        session
    }

    fn full(width: u16, height: u16) -> Self {
        Self::new(width, height, sample())
    }

    /// Sets the view as after a commit.
    fn show(&mut self) {
        let mut lines: Vec<DayLine> = Vec::new();
        for known in &self.entries {
            let entry = &known.entry;
            if lines.iter().all(|line| line.day != entry.day) {
                lines.push(DayLine { day: entry.day, words: Vec::new(), moods: Vec::new(), records: 0 });
            }
            let line = lines.iter_mut().find(|line| line.day == entry.day).unwrap();
            line.words.push(entry.body.split_whitespace().count() as u32);
            line.moods.extend(entry.mood.clone());
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.day));
        let words = |words: &[&str]| Arc::new(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        self.harness.view(View {
            days: Arc::new(lines),
            entries: self.entries.len(),
            progress: None::<Progress>,
            moods: words(&["stressed", "calm"]),
            tags: words(&["work", "morning"]),
            people: words(&["Hùng", "Linh"]),
            names: words(&["Project X"]),
            ..View::default()
        });
        self.answer();
    }

    fn answer(&mut self) {
        loop {
            let sent = self.harness.sent();
            if sent.is_empty() {
                return;
            }
            for (ticket, request) in sent {
                match request {
                    Request::Day(day) if self.answers_days => {
                        let entries = self.entries.iter().filter(|known| known.entry.day == day).cloned().collect();
                        self.harness.reply(Reply::To(ticket, Response::Day { day, entries, notices: Vec::new() }));
                    }
                    Request::Day(_) => {}
                    Request::Templates => {
                        self.harness.reply(Reply::To(ticket, Response::Templates(Templates::default())));
                    }
                    Request::Drafts => {
                        let drafts = self.drafts.clone();
                        self.harness.reply(Reply::To(ticket, Response::Drafts(drafts)));
                    }
                    Request::KeepDraft(_) => {
                        self.asked.push((ticket, request));
                        let kept = if self.disk_is_full { Response::Failed(full_disk()) } else { Response::DraftKept };
                        self.harness.reply(Reply::To(ticket, kept));
                    }
                    _ => self.asked.push((ticket, request)),
                }
            }
        }
    }

    fn command(&mut self, help: &str) -> &mut Self {
        self.harness.command(help);
        self.answer();
        self
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.harness.keys(key);
            self.answer();
        }
        self
    }

    fn typed(&mut self, text: &str) -> &mut Self {
        self.harness.typed(text);
        self.answer();
        self
    }

    fn wait(&mut self, seconds: u64) -> &mut Self {
        self.harness.wait(Duration::from_secs(seconds));
        self.answer();
        self
    }

    fn reply(&mut self, reply: Reply) -> &mut Self {
        self.harness.reply(reply);
        self.answer();
        self
    }

    fn screen(&self) -> String {
        self.harness.screen()
    }

    #[track_caller]
    fn sees(&mut self, text: &str) -> &mut Self {
        self.harness.sees(text);
        self
    }

    #[track_caller]
    fn sees_not(&mut self, text: &str) -> &mut Self {
        self.harness.sees_not(text);
        self
    }

    /// The only request since the last call.
    #[track_caller]
    fn asked(&mut self) -> (Ticket, Request) {
        assert_eq!(self.asked.len(), 1, "{:?}", self.asked);
        self.asked.remove(0)
    }

    fn write(&mut self, entry: Entry) {
        self.entries.push(DayEntry { entry, names: Vec::new(), spans: Vec::new() });
    }

    /// Performs the append like the write worker.
    fn append(&mut self) -> Entry {
        let (ticket, request) = self.asked();
        let Request::Append { new, .. } = request else { panic!("{request:?}") };
        let now = FRIDAY.at(9, 0, 0, 0).to_zoned(TimeZone::fixed(offset(7))).unwrap();
        let mut added = entry(FRIDAY, 9, 0, "", &[], &new.body);
        added.time = new.time.unwrap_or_else(|| EntryTime::of(&now));
        added.day = added.time.local().date();
        (added.id, added.mood, added.tags) = ("fresh".into(), new.mood, new.tags);
        self.write(added.clone());
        self.reply(Reply::To(ticket, Response::Written(Written::Added(added.clone()))));
        added
    }
}

fn full_disk() -> SessionError {
    let source = std::io::Error::other("no space left on the device");
    SessionError::Vault(VaultError::Io { operation: "write", path: "2026-11-20.md".into(), source })
}

// Rendering.

#[test]
fn days_beside_the_text() {
    insta::assert_snapshot!(Session::full(120, 40).screen());
}

#[test]
fn one_column_shows_days_or_text() {
    let mut session = Session::full(80, 24);
    insta::assert_snapshot!("one_column_days", session.screen());
    insta::assert_snapshot!("one_column_text", session.keys("<tab>").screen());
}

#[test]
fn an_empty_journal_teaches() {
    let mut session = Session::new(120, 40, Vec::new());
    insta::assert_snapshot!("empty_wide", session.screen());
    session.harness.resize(80, 24);
    session.sees("This journal is empty.").sees("kioku demo");
}

#[test]
fn writing_with_an_offer_open() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("Lunch with @Li");
    insta::assert_snapshot!("writing_wide", session.screen());
    session.harness.resize(80, 24);
    insta::assert_snapshot!("writing_narrow", session.screen());
}

#[test]
fn an_unread_day_shows_its_header_at_once() {
    let mut session = Session::full(120, 40);
    session.answers_days = false;
    session.keys("j");
    insta::assert_snapshot!(session.screen());
    session.keys("k").sees("Slept well for once.");
}

#[test]
fn the_smallest_screens_hold() {
    for (width, height) in [(40, 10), (20, 5), (5, 3), (1, 1)] {
        let mut session = Session::full(width, height);
        session.keys("<tab> j j <tab> j n").typed("漢字 #wo").keys("<tab> <tab> <esc> <esc> g x <enter> <esc>");
        session.command("Toggle list of days").keys("e <f11> <ctrl-s>");
    }
}

// Reading.

#[test]
fn the_caret_of_the_list_moves_between_days() {
    let mut session = Session::full(120, 40);
    session.keys("j").sees("Thursday 19 November 2026").sees("#reading");
    session.keys("j").sees("Saturday 31 October 2026");
    session.keys("<home>").sees("Friday 20 November 2026");
    session.command("Previous month").sees("Saturday 31 October 2026");
}

#[test]
fn names_and_marks_have_their_colours() {
    let mut session = Session::full(120, 40);
    assert!(session.harness.shows_as("Hùng about", Role::Text), "it is not marked");
    assert!(session.harness.shows_as("calm   #morning", Role::Good));
    assert!(session.harness.shows_as("#morning", Role::Tag));
    session.keys("j");
    assert!(session.harness.shows_as("#reading", Role::Tag));
}

#[test]
fn dates_are_gone_to_as_people_say_them() {
    let mut session = Session::full(120, 40);
    session.keys("g d").typed("october 2026").keys("<enter>").sees("Saturday 31 October 2026");
    session.keys("g d").typed("3 november").keys("<enter>").sees("Tuesday 3 November 2026").sees("Nothing written.");
    session.keys("g d").typed("soonish").keys("<enter>").sees("not a date").keys("<esc>").sees_not("not a date");
    session.keys("g d").typed("3/11").keys("<enter>").sees("3/11 could be 3 November or 11 March: write 2026-11-03");
    session.keys("<esc>").keys("t").sees("Friday 20 November 2026");
}

#[test]
fn an_entry_is_copied_and_deleted() {
    let mut session = Session::full(120, 40);
    session.keys("l j y");
    assert!(session.harness.copied()[0].starts_with("Met Hùng"));
    session.keys("d");
    let (ticket, request) = session.asked();
    let Request::Remove { base } = request else { panic!("{request:?}") };
    assert_eq!(base.id.as_str(), "2026-11-20-15");
    session.entries.retain(|known| known.entry.id != base.id);
    let trashed = Trashed { handle: "a".into(), trashed: base.time.clone(), entry: base, why: TrashReason::Deleted };
    session.reply(Reply::To(ticket, Response::Written(Written::Removed(trashed))));
    session.sees("u undo").sees_not("Met Hùng").sees("2 entries");
}

#[test]
fn a_long_entry_is_read_line_by_line_before_the_next() {
    let long: String = (0..60).map(|n| format!("line {n}\n")).collect();
    let entries = vec![
        DayEntry { entry: entry(FRIDAY, 7, 0, "", &[], &long), names: Vec::new(), spans: Vec::new() },
        DayEntry { entry: entry(FRIDAY, 8, 0, "", &[], "second"), names: Vec::new(), spans: Vec::new() },
    ];
    let mut session = Session::new(80, 24, entries);
    session.keys("<tab>").sees("line 0").sees_not("line 30");
    session.keys("j j").sees_not("line 0\n");
    session.keys("<end>").sees("second").keys("<home>").sees("line 0\n");
    for _ in 0..60 {
        session.keys("j");
    }
    session.sees("second");
    session.keys("<pageup> <pageup> <pageup> <pageup>").sees("line 0\n");
}

#[test]
fn a_target_opens_its_day_and_sentence() {
    let mut session = Session::full(80, 24);
    let body: String = (0..80).map(|n| format!("sentence {n}\n")).collect();
    assert_eq!(&body[890..898], "sentence");
    session.write(entry(date(2026, 9, 1), 9, 0, "", &[], &body));
    session.show();
    session.keys("2 f");
    session.sees("sentence 75").sees("1 September 2026");
}

#[test]
fn the_mouse_selects_days_and_entries() {
    let mut session = Session::full(120, 40);
    let click = |session: &mut Session, text: &str| {
        session.harness.click(text);
        session.answer();
    };
    click(&mut session, "Th 19");
    session.sees("Thursday 19 November 2026");
    click(&mut session, "20 21 22");
    session.sees("Friday 20 November 2026");
    click(&mut session, "Felt better");
    session.keys("y");
    assert!(session.harness.copied()[0].starts_with("Phở"));
}

// The shared query.

#[test]
fn the_query_marks_days_and_words_and_can_limit_the_list() {
    let mut session = Session::full(120, 40);
    session.harness.keys("2 s");
    let (ticket, _) =
        session.harness.sent().into_iter().find(|(_, request)| matches!(request, Request::Search(_))).unwrap();
    let hits = [&session.entries[0].entry, &session.entries[4].entry].map(|entry| Hit {
        key: crate::index::EntryKey::of(&entry.id),
        id: entry.id.clone(),
        time: entry.time.written.clone(),
        score: 1.0,
        legs: PerLeg::default(),
        text: entry.body.clone(),
        record: None,
        snippet: 0..10,
        matches: vec![entry.body.find("river").map(|at| at..at + 5).unwrap()],
        reason: Reason::default(),
        evidence: Default::default(),
        extra: std::collections::BTreeMap::new(),
        probability: 1.0,
        weak: false,
    });
    let mut hits = hits.to_vec();
    // A weak hit: it is neither counted nor listed among the days.
    let near = &session.entries[3].entry;
    let (key, id) = (crate::index::EntryKey::of(&near.id), near.id.clone());
    hits.push(Hit {
        key,
        id,
        text: near.body.clone(),
        snippet: 0..10,
        matches: Vec::new(),
        evidence: Default::default(),
        probability: 0.0,
        weak: true,
        ..hits[1].clone()
    });
    let found = Found {
        hits,
        total: 3,
        days: Vec::new(),
        confident: true,
        confidence: 1.0,
        kind: Default::default(),
        understood: Vec::new(),
        notice: None,
        counts: PerLeg::default().with(LegId::Keyword, Some(2)),
        scan: None,
        took: Duration::ZERO,
    };
    session.reply(Reply::To(ticket, Response::Found { stage: crate::session::Stage::Fused, found: Arc::new(found) }));
    session.keys("1").sees("2 hits on 2 days").sees("Th 19");
    assert!(session.harness.shows_as("river before", Role::Match));
    session.command("Toggle: only days in search results").sees_not("Th 19").sees("Sa 31");
    session.keys("[").sees("Saturday 31 October 2026").keys("]").sees("Friday 20 November 2026");
}
