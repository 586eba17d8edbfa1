//! The application with two small test panes: keys in, screen and effects out.

use std::time::Duration;

use jiff::civil::date;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    command::Command,
    event::{Edited, Event, Motion, Mouse, MouseKind, TextInput},
    harness::{Harness, HarnessSetup},
    keymap::{KeyOverrides, OwnKeys},
    panes::{Pane, PaneEntry, Screen, pane},
    render_context::RenderContext,
    theme::Role,
    update_context::{Target, UpdateContext},
    widgets::{input::Input, list::List},
};
use crate::{
    journal::{DraftId, Notice, NoticeKind, Repaired},
    search::Legs,
    session::{Reply, Request, Response, SessionError, Ticket, View, Written},
};

/// A list, and a text field that `i` opens.
#[derive(Default)]
struct Notes {
    list: List,
    field: Input,
    typing: bool,
    opened: Option<Target>,
    edited: Option<Result<String, String>>,
    dropping: Option<Ticket>,
    dropped: bool,
}

impl Pane for Notes {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::go("journal.next", &["j", "down"], "Next", Motion::DOWN),
        Command::go("journal.top", &["g g"], "To the top", Motion::First),
        Command::new("journal.leave", &["esc"], "Close input", |notes: &mut Self, _| notes.typing = false)
            .when(|notes| notes.typing)
            .hint("leave"),
        Command::new("journal.write", &["i"], "Write", |notes: &mut Self, _| notes.typing = true)
            .when(|notes| !notes.typing)
            .hint("write"),
        Command::new(
            "journal.editor",
            &["E"],
            "Write in the editor",
            |notes: &mut Self, cx: &mut UpdateContext<'_>| {
                cx.edit(notes.field.text());
            },
        )
        .hint("$EDITOR"),
        Command::new("journal.drop", &["d"], "Drop the draft", |notes, cx| {
            notes.dropping = Some(cx.confirm("Drop the draft?", "Drop", Request::DropDraft(DraftId("a".into()))))
        }),
        Command::new("journal.copy", &["ctrl-y"], "Copy", |notes, cx| cx.copy(notes.field.text())),
        Command::new("journal.find", &["s"], "Search what stands in the field", |notes, cx| {
            cx.search(notes.field.text(), Legs::ALL)
        }),
    ];
}

impl Screen for Notes {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let [field, rest] = ratatui::layout::Layout::vertical([
            ratatui::layout::Constraint::Length(1),
            ratatui::layout::Constraint::Fill(1),
        ])
        .areas(area);
        self.field.draw(frame, field, context.style(Role::Accent), &[], context.focused && self.typing);
        self.list.set_len(100);
        self.list.draw(
            rest,
            |_| 1,
            |row, area, selected| {
                let role = if selected { Role::Selected } else { Role::Text };
                frame.render_widget(Line::styled(format!("row {row} 日本語"), context.style(role)), area);
            },
        );
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.list.go(motion);
    }

    fn wants_text(&self) -> bool {
        self.typing
    }

    fn on_text(&mut self, input: TextInput, _: &mut UpdateContext<'_>) {
        if self.typing {
            self.field.take(&input);
        }
    }

    fn on_open(&mut self, target: &Target, _: &mut UpdateContext<'_>) {
        self.typing = target.compose;
        self.opened = Some(target.clone());
    }

    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        match &edited.text {
            Ok(text) => self.field.set(text),
            Err(told) => cx.error(told.clone()),
        }
        self.edited = Some(edited.text.clone());
    }

    fn on_reply(&mut self, reply: &Reply, _: &mut UpdateContext<'_>) {
        self.dropped |= reply.ticket().is_some() && reply.ticket() == self.dropping;
    }

    fn on_mouse(&mut self, mouse: Mouse, _: &mut UpdateContext<'_>) {
        if mouse.kind == MouseKind::Wheel(1) {
            self.list.go(Motion::DOWN);
        }
    }

    fn on_quit(&mut self, cx: &mut UpdateContext<'_>) {
        cx.send(Request::Sync);
    }
}

#[derive(Default)]
struct Finder {
    shown: usize,
}

impl Pane for Finder {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search";
    const COMMANDS: &'static [Command<Self>] = &[];
}

impl Screen for Finder {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let line = format!("shown {} asked {:?} hits {}", self.shown, context.query.text(), context.query.hits().len());
        frame.render_widget(Line::raw(line), area);
    }

    fn on_show(&mut self, _: &mut UpdateContext<'_>) {
        self.shown += 1;
    }
}

const PANES: &[PaneEntry] = &[pane::<Notes>(), pane::<Finder>()];

fn harness() -> Harness {
    Harness::new(HarnessSetup::new(PANES))
}

#[test]
fn the_frame_shows_tabs_pane_and_what_can_be_pressed() {
    let harness = harness();
    insta::assert_snapshot!(harness.screen());
    assert!(harness.shows_as("1 Journal", Role::Title));
    assert!(harness.shows_as("2 Search", Role::Dim));
}

#[test]
fn characters_are_text_in_a_field_and_commands_outside() {
    let mut harness = harness();
    harness.keys("j j i").typed("j 2 q?");
    assert!(harness.screen().contains("j 2 q?"));
    assert_eq!(harness.app.pane(), "journal");
    assert_eq!(harness.cursor().map(|place| place.x), Some(6));
    harness.keys("<esc> 2");
    assert_eq!(harness.app.pane(), "search");
    assert_eq!(harness.cursor(), None);
}

#[test]
fn tabs_change_from_inside_a_field_by_alt_and_function_keys_and_keep_what_was_typed() {
    let mut harness = harness();
    harness.keys("i").typed("half a sent").keys("<alt-2>");
    assert_eq!(harness.app.pane(), "search");
    harness.keys("<f1>");
    assert!(harness.screen().contains("half a sent"));
}

#[test]
fn the_hint_line_offers_only_what_works_in_a_field() {
    let mut harness = harness();
    assert!(harness.screen().ends_with(" i write  E $EDITOR  : commands  ? help  q quit\n"), "{}", harness.screen());
    harness.keys("i");
    assert!(
        harness.screen().ends_with(" esc leave  ctrl-p commands  alt-? help  ctrl-q quit\n"),
        "{}",
        harness.screen()
    );
}

#[test]
fn a_short_hint_line_keeps_what_the_field_is_for_and_the_way_out() {
    let mut harness = harness();
    harness.resize(30, 10).keys("i");
    assert!(harness.screen().ends_with(" esc leave  ctrl-q quit\n"), "{}", harness.screen());
}

#[test]
fn a_key_is_told_with_one_word_that_of_the_command_it_runs() {
    let mut harness = harness();
    harness.keys("i");
    harness.sees("esc leave");
    harness.sees_not("clear query");
}

#[test]
fn no_word_lies_over_what_is_typed_at_the_foot() {
    let mut harness = harness();
    harness.resize(60, 10).reply(Reply::Notification("Two entries changed".to_owned()));
    let row = |harness: &Harness| harness.screen().lines().position(|line| line.contains("Two entries changed"));
    assert_eq!(row(&harness), Some(9), "in place of the hint line");
    harness.reply(Reply::Notification("Another one".to_owned()));
    assert_eq!(row(&harness), Some(8), "the older one above it");
    harness.keys("i");
    assert_eq!(row(&harness), Some(7), "above the line that is typed in");
}

#[test]
fn what_was_taken_back_is_no_longer_told_as_done() {
    let mut harness = harness();
    harness.reply(Reply::Notification("2 entries changed · u undo".to_owned())).keys("u");
    let (ticket, request) = harness.sent().pop().unwrap();
    assert!(matches!(request, Request::Undo));
    let done = Written::Undone { said: "2 entries are as they were".to_owned(), entry: None };
    harness.reply(Reply::To(ticket, Response::Written(done)));
    assert_eq!(harness.app.toasts(), ["2 entries are as they were"]);
}

#[test]
fn a_long_line_of_the_help_goes_on_below() {
    let mut harness = harness();
    harness.resize(44, 40).keys("?");
    let screen = harness.screen();
    let told: String = screen.lines().map(|line| line.trim_matches(['│', ' '])).collect::<Vec<_>>().join(" ");
    assert!(told.split_whitespace().collect::<Vec<_>>().join(" ").contains("keep unsaved text as draft"), "{screen}");
}

#[test]
fn a_started_sequence_shows_what_may_follow() {
    let mut harness = harness();
    harness.keys("j j j g");
    insta::assert_snapshot!(harness.screen());
    harness.keys("g");
    assert!(harness.shows_as("row 0", Role::Selected));
    harness.keys("j g <esc>");
    assert!(harness.shows_as("row 1", Role::Selected), "a broken sequence does nothing");
}

#[test]
fn help_is_made_from_the_tables() {
    let mut harness = harness();
    harness.resize(80, 40).keys("?");
    insta::assert_snapshot!(harness.screen());
    harness.keys("j <esc>");
    assert!(!harness.screen().contains("Everywhere"));
    assert!(harness.shows_as("row 0", Role::Selected), "keys of an overlay stay in it");
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let mut harness = harness();
    harness.keys(":").typed("to the");
    insta::assert_snapshot!(harness.screen());
    harness.key("esc").keys("j j : top <enter>");
    assert!(harness.shows_as("row 0", Role::Selected));
    assert!(!harness.screen().contains("Commands"));
}

#[test]
fn a_confirmed_request_goes_out_under_the_ticket_its_pane_knows() {
    let mut harness = harness();
    harness.keys("d");
    assert!(harness.screen().contains("Drop the draft?"));
    harness.keys("<esc>");
    assert!(harness.sent().is_empty(), "no means no");
    harness.keys("d y");
    let sent = harness.sent();
    let [(ticket, Request::DropDraft(_))] = sent.as_slice() else { panic!("{sent:?}") };
    harness.reply(Reply::To(*ticket, Response::DraftDropped));
    assert!(!harness.screen().contains("Drop the draft?"));
    harness.keys("d <ctrl-q>");
    assert!(harness.has_quit());
    assert!(!harness.sent().iter().any(|(_, request)| matches!(request, Request::DropDraft(_))), "it answers no");
}

#[test]
fn a_done_toast_goes_by_itself_an_error_waits_for_a_key() {
    let mut harness = harness();
    harness.reply(Reply::Notification("The word index was damaged and is being rebuilt".into()));
    assert!(harness.screen().contains("being rebuilt"));
    harness.wait(Duration::from_secs(5));
    assert!(!harness.screen().contains("being rebuilt"));
    harness.reply(Reply::To(Ticket(99), Response::Failed(SessionError::Fault("reading".into()))));
    harness.wait(Duration::from_secs(60));
    assert!(harness.screen().contains("an internal fault while reading"));
    assert!(harness.shows_as("an internal fault", Role::Error));
    harness.keys("j");
    assert!(!harness.screen().contains("an internal fault"));
}

#[test]
fn control_c_does_not_kill_but_tells_the_way_out() {
    let mut harness = harness();
    harness.key("ctrl-c");
    assert!(!harness.has_quit());
    assert!(harness.screen().contains("q quits"));
}

#[test]
fn quitting_lets_the_panes_send_their_last_word_first() {
    let mut harness = harness();
    harness.keys("q");
    assert!(matches!(harness.sent().as_slice(), [(_, Request::Sync)]));
    assert!(harness.has_quit());
}

#[test]
fn the_editor_gives_its_text_back_or_its_complaint() {
    let mut harness = harness();
    harness.editor_returns(Ok("from the editor")).keys("E");
    assert!(harness.screen().contains("from the editor"));
    harness.editor_returns(Err("vi ended with exit status: 1")).keys("E");
    assert!(harness.screen().contains("from the editor"), "the text stays");
    assert_eq!(harness.app.toasts(), ["vi ended with exit status: 1"]);
    assert_eq!(harness.edited(), ["", "from the editor"]);
    harness.keys("<ctrl-y>");
    assert_eq!(harness.copied(), ["from the editor"]);
}

#[test]
fn pasted_text_is_never_a_command() {
    let mut harness = harness();
    harness.event(Event::Paste("q d y".into()));
    assert!(!harness.has_quit() && harness.sent().is_empty());
    harness.keys("i").event(Event::Paste("q d y".into()));
    assert!(harness.screen().contains("q d y"));
}

#[test]
fn new_and_find_open_their_panes_from_anywhere() {
    let mut harness = harness();
    harness.keys("2 n").typed("typed at once");
    assert_eq!(harness.app.pane(), "journal");
    assert!(harness.screen().contains("typed at once"));
    harness.keys("<esc> /");
    assert_eq!(harness.app.pane(), "search");
}

#[test]
fn one_query_for_all_panes_and_one_key_clears_it() {
    let mut harness = harness();
    harness.keys("i").typed("lake").keys("<esc> s");
    assert!(harness.screen().contains("/lake  …  alt-x clear"));
    let sent = harness.sent();
    assert!(matches!(&sent[..], [(_, Request::Search(search))] if search.text == "lake"));
    harness.keys("2");
    assert!(harness.screen().contains("asked \"lake\""));
    harness.keys("<esc>");
    assert!(harness.screen().contains("asked \"lake\""), "Esc clears no query that was typed elsewhere");
    harness.keys("<alt-x>");
    assert!(harness.screen().contains("asked \"\""));
    assert!(!harness.screen().contains("/lake"));
}

#[test]
fn the_users_keys_are_followed_and_their_faults_told() {
    let mut setup = HarnessSetup::new(PANES);
    setup.keys.file = "/home/me/config.toml".into();
    for (line, (name, key)) in [("journal.next", "x"), ("journal.nxt", "y"), ("app.quit", "ctrl-c")].iter().enumerate()
    {
        setup.keys.keys.insert((*name).into(), OwnKeys { chords: vec![(*key).into()], line: line + 1 });
    }
    let mut harness = Harness::new(setup);
    harness.sees("2 !");
    harness.keys("x");
    assert!(harness.shows_as("row 1", Role::Selected));
    harness.keys("!");
    insta::assert_snapshot!(harness.screen());
    harness.keys("<esc> q");
    assert!(harness.has_quit(), "a key that cannot be followed takes no command away");
}

#[test]
fn unreadable_files_are_counted_and_lead_to_their_day() {
    let mut harness = harness();
    let notice = Notice {
        file: "2026-02-22.md".into(),
        line: 12,
        kind: NoticeKind::NoHead,
        message: "a torn entry head; its text is kept as it is".into(),
    };
    harness.view(View { notices: vec![notice].into(), entries: 1204, ..View::default() });
    harness.sees("opening · 1 !");
    harness.keys("! <enter>");
    assert!(!harness.screen().contains("torn"));
}

#[test]
fn a_conflict_copy_is_repaired_by_one_key_from_the_problem_list() {
    let mut harness = harness();
    let copy = "2026-02-22 2.md";
    let notice =
        |file: &str, kind| Notice { file: file.into(), line: 1, kind, message: "left by a sync program".into() };
    let notices = vec![notice(copy, NoticeKind::ConflictCopy), notice("Ideas.md", NoticeKind::Undated)];
    harness.view(View { notices: notices.into(), ..View::default() });
    harness.keys("! r");
    let sent = harness.sent();
    let [(_, Request::CheckAttachments), (ticket, Request::Repair(notice))] = sent.as_slice() else {
        panic!("{sent:?}")
    };
    assert_eq!(&*notice.file, copy);
    harness.keys("r");
    assert!(harness.sent().is_empty(), "one repair at a time");
    let repaired = Repaired { file: "2026-02-22.md".to_owned(), entries: 2, kept: None };
    harness.reply(Reply::To(*ticket, Response::Written(Written::Repaired(Some(repaired)))));
    assert_eq!(harness.app.toasts(), ["Repaired 2026-02-22.md: 2 entries recovered"]);
    let screen = harness.screen();
    assert!(!screen.contains(copy) && screen.contains("Ideas.md"), "{screen}");
    harness.keys("r");
    assert!(harness.sent().is_empty(), "a file without a date is not for kioku to repair");
}

#[test]
fn the_trash_lists_and_restores() {
    let mut harness = harness();
    harness.key("ctrl-t");
    assert!(harness.screen().contains("Reading the trash"));
    let sent = harness.sent();
    let [(ticket, Request::Trash)] = sent.as_slice() else { panic!("{sent:?}") };
    let trashed = super::fixtures::trashed("Deleted by mistake, 日本語", date(2026, 11, 2).at(15, 30, 0, 0));
    harness.reply(Reply::To(*ticket, Response::Trash(vec![trashed.clone()])));
    insta::assert_snapshot!(harness.screen());
    harness.keys("<enter>");
    let sent = harness.sent();
    let [(ticket, Request::Restore { handle })] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(*handle, trashed.handle);
    harness.reply(Reply::To(*ticket, Response::Written(Written::Restored(trashed.entry))));
    assert_eq!(harness.app.toasts(), ["Restored 2026-11-02 15:30"]);
    let sent = harness.sent();
    let [(ticket, Request::Trash)] = sent.as_slice() else { panic!("{sent:?}") };
    harness.reply(Reply::To(*ticket, Response::Trash(Vec::new())));
    assert!(harness.screen().contains("The trash is empty"));
}

#[test]
fn the_mouse_changes_tabs_and_scrolls() {
    let mut harness = harness();
    harness.click("2 Search");
    assert_eq!(harness.app.pane(), "search");
    harness.keys("1");
    harness.mouse(MouseKind::Wheel(1), (5, 10).into());
    assert!(harness.shows_as("row 1", Role::Selected));
}

#[test]
fn an_answer_to_an_older_query_is_dropped_and_a_late_first_stage_too() {
    use crate::session::Stage;
    let found = |n| std::sync::Arc::new(super::fixtures::found(n));
    let mut harness = harness();
    harness.keys("i").typed("la").keys("<esc> s i").typed("ke").keys("<esc> s 2");
    let tickets: Vec<_> = harness.sent().into_iter().map(|(ticket, _)| ticket).collect();
    let [old, new] = tickets[..] else { panic!("{tickets:?}") };
    harness.reply(Reply::To(old, Response::Found { stage: Stage::Fused, found: found(7) }));
    harness.sees("hits 0");
    harness.reply(Reply::To(new, Response::Found { stage: Stage::Fused, found: found(3) }));
    harness.reply(Reply::To(new, Response::Found { stage: Stage::Words, found: found(1) }));
    harness.sees("hits 3");
    harness.keys("1");
    harness.sees("/lake  3");
}

#[test]
fn every_size_from_nothing_to_very_large_is_survived() {
    for opened in ["", "?", ":", "!", "<ctrl-t>", "d", "g", "i"] {
        let mut harness = harness();
        harness.keys(opened);
        harness.reply(Reply::Notification("A longer word for a toast that has to be wrapped somewhere, 日本語".into()));
        for (width, height) in (1..=244).step_by(9).flat_map(|width| (1..=70).step_by(3).map(move |h| (width, h))) {
            harness.resize(width, height);
        }
    }
}

#[test]
fn no_default_key_is_reserved_unreadable_or_taken_twice() {
    let tables = super::app::tables(super::panes::PANES);
    let (_, faults) = super::keymap::Keymap::new(&tables, &KeyOverrides::default());
    assert!(faults.is_empty(), "{faults:?}");
    super::keymap::check_defaults(&tables).unwrap();
}

#[test]
fn the_palette_previews_a_theme_and_enter_keeps_it() {
    use super::theme::{THEMES, Theme};
    let of = |name: &str| Theme::new(name, &Default::default());
    let mut harness = harness();
    harness.keys(":").typed("theme: light");
    assert_eq!(*harness.app.theme(), of("light"), "previewed at once");
    harness.keys("<esc>");
    assert_eq!(*harness.app.theme(), of("dark"), "Esc keeps the old one");
    harness.keys(":").typed("theme: light").keys("<enter>");
    assert_eq!(*harness.app.theme(), of("light"));
    assert!(harness.app.toasts()[0].contains("theme = \"light\""), "{:?}", harness.app.toasts());
    for name in THEMES {
        harness.keys(":").typed(&format!("theme: {name}")).keys("<enter>");
        assert_eq!(*harness.app.theme(), of(name));
    }
}

#[test]
fn the_theme_follows_the_background_that_the_terminal_reports() {
    use super::theme::{AUTO, Theme};
    let of = |name: &str| Theme::new(name, &Default::default());
    let mut setup = HarnessSetup::new(PANES);
    setup.theme = AUTO.to_owned();
    let mut harness = Harness::new(setup);
    assert_eq!(*harness.app.theme(), of("dark"));
    harness.event(Event::Background { is_light: true });
    assert_eq!(*harness.app.theme(), of("light"));
    let mut named = self::harness();
    named.event(Event::Background { is_light: true });
    assert_eq!(*named.app.theme(), of("dark"), "a named theme stays");
}
