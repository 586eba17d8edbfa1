//! Commands of the Reflect pane. Of commands that share a key, the one with the narrower condition comes first.

use super::{Reflect, Scale};
use crate::tui::{Pane, PromptLine, command, composer::Composer};

type Command = command::Command<Reflect>;

impl Pane for Reflect {
    const NAME: &'static str = "reflect";
    const TITLE: &'static str = "Reflect";
    const COMMANDS: &'static [Command] = COMMANDS;
}

const COMMANDS: &[Command] = &[
    Command::new("reflect.save-it", &["enter"], "Save", Reflect::save).when(|s| s.saving.is_some()).hint("save"),
    Command::new("reflect.open", &["enter"], "Open source entry", |s, cx| s.lines.open_source(cx))
        .when(|s| s.is_reading() && s.lines.cited().is_some())
        .hint("open the source"),
    Command::new("reflect.leave", &["esc"], "Cancel input", Reflect::leave).when(Reflect::is_asking).hint("leave"),
    Command::new("reflect.stop", &["esc"], "Cancel", |s, cx| s.query_state.stop(cx))
        .when(|s| s.is_reading() && s.query_state.is_running())
        .hint("stop"),
    Command::new("reflect.save-entry", &["ctrl-s"], "Save reflection as a new entry", Reflect::save_writing)
        .when(Reflect::is_writing)
        .hint("save"),
    Command::new("reflect.leave-entry", &["esc"], "Back to page, keep text", Reflect::leave_writing)
        .when(Reflect::is_writing)
        .hint("back"),
    Command::new("reflect.complete", &["tab"], "Complete", |s, _| {
        s.in_form(|form| {
            form.accept();
        });
    })
    .when(Reflect::is_writing),
    // Listed here so that they come before the application's commands on these keys.
    Command::new("reflect.undo-typing", &["ctrl-z"], "Undo", |s, _| s.in_form(Composer::undo))
        .when(Reflect::is_writing),
    Command::new("reflect.redo-typing", &["ctrl-y"], "Redo", |s, _| s.in_form(Composer::redo))
        .when(Reflect::is_writing),
    Command::new("reflect.write", &["i"], "Write a reflection on the selected question", Reflect::write)
        .when(Reflect::is_reading)
        .hint("write"),
    Command::new("reflect.discard", &["x"], "Discard unsaved reflection", Reflect::discard_writing)
        .when(|s| s.is_reading() && s.writing.is_some())
        .hint("discard"),
    Command::new(
        "reflect.write-in-journal",
        &[],
        "Write in the journal, with mood and tags",
        Reflect::write_in_journal,
    )
    .when(Reflect::is_reading),
    Command::new("reflect.previous", &["["], "Previous day, week, month or year", |s, cx| s.step(false, cx))
        .when(Reflect::is_reading)
        .hint("before"),
    Command::new("reflect.next", &["]"], "Next day, week, month or year", |s, cx| s.step(true, cx))
        .when(Reflect::is_reading)
        .hint("after"),
    Command::new("reflect.why", &["w"], "Find causes of this line", Reflect::why).when(Reflect::has_page).hint("why"),
    Command::new("reflect.save", &["X"], "Export page as markdown", Reflect::ask_name)
        .when(Reflect::has_page)
        .hint("save as"),
    Command::new("reflect.next-scale", &["v"], "Next period: day, week, month, year", Reflect::next_scale)
        .when(Reflect::is_reading)
        .hint("period"),
    Command::new("reflect.day", &[], "Show day", |s, cx| s.look_at(Scale::Day, cx)).when(Reflect::is_reading),
    Command::new("reflect.week", &[], "Show week", |s, cx| s.look_at(Scale::Week, cx)).when(Reflect::is_reading),
    Command::new("reflect.month", &[], "Show month", |s, cx| s.look_at(Scale::Month, cx)).when(Reflect::is_reading),
    Command::new("reflect.year", &[], "Show year", |s, cx| s.look_at(Scale::Year, cx)).when(Reflect::is_reading),
    Command::new("reflect.today", &["t"], "Go to today", Reflect::today).when(Reflect::is_reading).hint("today"),
    Command::new("reflect.goto", &["g d"], "Go to a date, as in \"last friday\" or \"march 2024\"", |s, _| {
        s.goto = Some(PromptLine::default())
    })
    .when(Reflect::is_reading)
    .hint("go to date"),
    Command::new("reflect.random", &[], "Go to a random day with entries", Reflect::random)
        .when(Reflect::is_reading)
        .hint("any day"),
    Command::new("reflect.next-source", &["l", "right"], "Next source", |s, _| s.lines.next_source(1))
        .when(|s| s.is_reading() && s.lines.has_sources()),
    Command::new("reflect.previous-source", &["h", "left"], "Previous source", |s, _| s.lines.next_source(-1))
        .when(|s| s.is_reading() && s.lines.has_sources()),
    Command::new("reflect.copy", &["y"], "Copy page as markdown", Reflect::copy).when(Reflect::has_page),
    Command::new("reflect.source-down", &["alt-down"], "Scroll preview down", |s, _| s.source.scroll(1)),
    Command::new("reflect.source-up", &["alt-up"], "Scroll preview up", |s, _| s.source.scroll(-1)),
    Command::new("reflect.again", &["R", "alt-r"], "Reload", Reflect::again).when(Reflect::is_reading),
];
