//! Commands of the Journal pane. Of commands that share a key, the one with the narrower condition comes first.

use super::{Focus, Journal};
use crate::tui::{Motion, Pane, command, composer::Composer, update_context::Intent};

type Command = command::Command<Journal>;

impl Pane for Journal {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command] = COMMANDS;
    const SIGNS: &'static [(&'static str, &'static str)] = &[
        ("+ − ○", "Mood of the day: good, hard, in between"),
        ("▁ ▄ █", "Words of the day"),
        ("3 ·", "Entries of the day, where there are several"),
        ("•2", "Search results on the day"),
        ("★", "Favourite"),
    ];
}

const COMMANDS: &[Command] = &[
    Command::new("journal.continue-draft", &["A"], "Resume draft or unsaved edit", Journal::continue_draft)
        .when(Journal::offers_draft)
        .hint("continue"),
    Command::new("journal.discard-draft", &["x"], "Discard draft", Journal::discard_draft)
        .when(Journal::offers_draft)
        .hint("discard"),
    Command::new("journal.keep-record", &["A"], "Keep the proposed record", |s, cx| s.proposals.keep(cx))
        .when(|journal| journal.proposes() && !journal.offers_draft())
        .otherwise("No draft to resume and no record to keep")
        .hint("keep"),
    Command::new("journal.drop-record", &["x"], "Ignore the proposed record", |s, _| s.proposals.drop_first())
        .when(|journal| journal.proposes() && !journal.offers_draft())
        .otherwise("No draft to discard and no record to ignore")
        .hint("ignore"),
    Command::new("journal.take-template", &["enter"], "Use template", Journal::take_template)
        .when(Journal::is_picking)
        .hint("begin with it"),
    Command::go("journal.next-template", &["down", "ctrl-n"], "Next template", Motion::DOWN)
        .when(Journal::is_picking)
        .hint("next"),
    Command::go("journal.previous-template", &["up", "ctrl-p"], "Previous template", Motion::UP)
        .when(Journal::is_picking),
    Command::new("journal.no-template", &["esc"], "Close template list", Journal::pick_none)
        .when(Journal::is_picking)
        .hint("close"),
    Command::new("journal.complete", &["right"], "Complete the tag or mood", |s, _| s.in_form(Composer::complete))
        .when(|journal| journal.is_writing() && journal.composer.as_ref().is_some_and(Composer::completes_field))
        .hint("complete"),
    Command::new("journal.take-found", &["enter"], "Write at the match", |s, _| s.in_form(|form| form.end_find(false)))
        .when(Journal::is_finding)
        .hint("write here"),
    Command::new("journal.next-found", &["down", "ctrl-f"], "Next match", |s, _| s.in_form(|form| form.seek(false)))
        .when(Journal::is_finding)
        .hint("next"),
    Command::new("journal.previous-found", &["up"], "Previous match", |s, _| s.in_form(|form| form.seek(true)))
        .when(Journal::is_finding)
        .hint("previous"),
    Command::new("journal.leave-found", &["esc"], "Cancel find", |s, _| s.in_form(|form| form.end_find(true)))
        .when(Journal::is_finding)
        .hint("back"),
    Command::new("journal.save", &["ctrl-s"], "Save the entry", Journal::save).when(Journal::is_writing).hint("save"),
    Command::new("journal.leave", &["esc"], "Close and keep as draft", Journal::leave)
        .when(Journal::is_writing)
        .hint("keep as draft"),
    Command::new("journal.next-field", &["tab"], "Complete, or next field", |s, _| s.in_form(Composer::next))
        .when(Journal::is_writing)
        .hint("field"),
    Command::new("journal.previous-field", &["backtab"], "Previous field", |s, _| s.in_form(Composer::previous))
        .when(Journal::is_writing),
    Command::new("journal.write-outside", &["alt-e"], "Continue in $EDITOR", Journal::write_outside)
        .when(Journal::is_writing)
        .hint("$EDITOR"),
    Command::new("journal.template", &["alt-t"], "Insert template", Journal::pick)
        .when(Journal::is_writing)
        .hint("template"),
    Command::new("journal.prompt", &["alt-p"], "Insert question of the day", Journal::write_prompt)
        .when(Journal::is_writing),
    Command::new("journal.alone", &["f11", "alt-z"], "Toggle focus mode", |s, _| s.alone = !s.alone)
        .when(Journal::is_writing)
        .hint("alone"),
    // Listed here so that they come before the application's commands on these keys.
    Command::new("journal.undo-typing", &["ctrl-z"], "Undo", |s, _| s.in_form(Composer::undo))
        .when(Journal::is_writing),
    Command::new("journal.redo-typing", &["ctrl-y"], "Redo", |s, _| s.in_form(Composer::redo))
        .when(Journal::is_writing),
    Command::new("journal.find-text", &["ctrl-f"], "Find in the text", |s, _| s.in_form(Composer::find))
        .when(Journal::is_writing),
    Command::new("journal.new", &["n"], "New entry, or resume the draft", Journal::new_or_draft)
        .when(Journal::is_reading)
        .hint("new"),
    Command::new("journal.edit", &["e"], "Edit entry", Journal::edit).when(Journal::has_entry).hint("edit"),
    Command::new("journal.back", &["esc"], "Back to the list of days", Journal::back)
        .when(|s| s.line.is_some() || s.in_text() || s.is_visit)
        .hint("back"),
    Command::new("journal.all", &["esc"], "Clear filter", |_, cx| cx.out.intents.push(Intent::Run("app.clear-query")))
        .when(|journal| journal.is_searching() && journal.days.only_hits)
        .hint("all days"),
    Command::new("journal.edit-outside", &["E"], "Edit entry in $EDITOR", Journal::edit_outside)
        .when(Journal::is_reading)
        .hint("$EDITOR"),
    Command::new("journal.open-related", &["enter"], "Open related entry", |s, cx| s.related.lines.open_source(cx))
        .when(Journal::in_related)
        .hint("open"),
    Command::new("journal.leave-related", &["esc", "h", "left"], "Back to the entry", |s, _| s.focus = Focus::Text)
        .when(Journal::in_related)
        .hint("back"),
    Command::new("journal.to-related", &["l", "right"], "Focus related entries", |s, _| s.focus = Focus::Related)
        .when(|journal| journal.in_text() && journal.shows_related()),
    Command::new("journal.open", &["enter"], "Focus entries", |s, _| s.focus = Focus::Text)
        .when(|journal| journal.in_days() && !journal.days.is_blank && !journal.is_on_empty_day())
        .hint("open"),
    Command::new("journal.delete-marked", &["d"], "Delete marked entries", Journal::delete_marked)
        .when(Journal::has_marks)
        .hint("delete them"),
    Command::new("journal.delete", &["d"], "Delete entry", Journal::delete)
        .when(|journal| journal.follows() && !journal.has_marks())
        .otherwise("No entry is in focus: tab goes to the text of a day, d deletes there")
        .hint("delete"),
    Command::new("journal.follow", &["enter"], "Open selected name, or select the first", Journal::follow)
        .when(Journal::follows)
        .hint("names"),
    Command::new("journal.new-here", &["enter"], "New entry on this day", Journal::new_here)
        .when(|journal| journal.is_reading() && !journal.days.is_blank)
        .hint("write here"),
    Command::new("journal.today", &["t"], "Go to today", Journal::today).when(Journal::is_reading).hint("today"),
    Command::new("journal.goto", &["g d"], "Go to a date, as in \"last friday\" or \"march 2024\"", Journal::ask_date)
        .when(Journal::is_reading)
        .hint("go to date"),
    Command::new("journal.filter", &["f"], "Filter days by mood, tag, name or word", Journal::ask_filter)
        .when(Journal::is_reading)
        .hint("filter"),
    Command::new("journal.move", &[], "Move entry to another date or time", Journal::ask_move)
        .when(Journal::has_entry)
        .hint("move"),
    Command::new("journal.only-hits", &[], "Toggle: only days in search results", |s, _| {
        (s.days.only_hits, s.days.is_blank) = (!s.days.only_hits, false)
    })
    .when(Journal::is_searching)
    .hint("only hits"),
    Command::new("journal.next-hit", &["]"], "Later search result", |s, cx| s.go_to_hit(true, cx))
        .when(Journal::is_searching),
    Command::new("journal.previous-hit", &["["], "Earlier search result", |s, cx| s.go_to_hit(false, cx))
        .when(Journal::is_searching),
    Command::new("journal.why", &["w"], "Find causes of the selected name, entry or day", Journal::ask_why)
        .when(Journal::has_entry),
    Command::new("journal.mark", &["m"], "Toggle mark and go to next", Journal::mark)
        .when(|journal| journal.has_entry() && !journal.in_related())
        .otherwise("No entry is in focus: esc goes to the text of the day, m marks there"),
    Command::new("journal.mark-day", &[], "Toggle mark on all entries of the day", Journal::mark_day)
        .when(Journal::has_entry),
    Command::new("journal.unmark", &[], "Clear marks", |s, _| s.marks.clear()).when(Journal::has_marks),
    Command::new("journal.tag", &[], "Add or remove tags", Journal::ask_tags)
        .when(|journal| journal.has_entry() || journal.has_marks()),
    Command::new("journal.export", &["X"], "Export as markdown", Journal::ask_export)
        .when(|journal| journal.has_entry() || journal.has_marks()),
    Command::new("journal.open-link", &["o"], "Open link, image or attachment of the entry", Journal::open_link)
        .when(Journal::has_entry),
    Command::new("journal.copy", &["y"], "Copy entry text", Journal::copy).when(Journal::has_entry),
    Command::new("journal.next-name", &["."], "Select next name or link", |s, cx| s.choose_name(1, cx))
        .when(Journal::has_entry),
    Command::new("journal.previous-name", &[","], "Select previous name or link", |s, cx| s.choose_name(-1, cx))
        .when(Journal::has_entry),
    Command::new("journal.older-day-text", &["["], "Earlier day", |s, cx| s.step(Motion::DOWN, cx))
        .when(Journal::is_reading),
    Command::new("journal.newer-day-text", &["]"], "Later day", |s, cx| s.step(Motion::UP, cx))
        .when(Journal::is_reading),
    Command::new("journal.month-back", &[], "Previous month", |s, cx| s.go_months(-1, cx)).when(Journal::is_reading),
    Command::new("journal.month-on", &[], "Next month", |s, cx| s.go_months(1, cx)).when(Journal::is_reading),
    Command::new("journal.to-text", &["l", "right"], "Focus entries", |s, _| s.focus = Focus::Text)
        .when(Journal::in_days),
    Command::new("journal.to-days", &["h", "left"], "Go to the list of days", Journal::leave_text)
        .when(Journal::in_text),
    Command::new("journal.swap", &["tab"], "Switch between days and entries", Journal::swap).when(Journal::is_reading),
    Command::new("journal.calendar", &["c"], "Toggle calendar", |s, cx| s.days.toggle_calendar(s.size, cx))
        .when(Journal::is_reading),
    Command::new("journal.related", &["alt-l"], "Toggle related entries", Journal::toggle_related),
    Command::new("journal.full", &[], "Toggle list of days", |s, _| s.full = !s.full).when(Journal::is_reading),
    Command::new("journal.star", &[], "Toggle favourite", Journal::star)
        .when(Journal::follows)
        .otherwise("No entry is in focus: tab goes to the text of a day"),
    Command::new("journal.again", &["R", "alt-r"], "Reload day", Journal::again).when(Journal::is_reading),
];
