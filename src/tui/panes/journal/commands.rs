//! What can be done in the journal. Of commands that share a key the one with the narrower condition stands first.

use super::Journal;
use crate::tui::command::Command;

pub(super) const COMMANDS: &[Command<Journal>] = &[
    Command::new("journal.continue-draft", &["c"], "Resume the draft on offer", Journal::continue_draft)
        .when(Journal::offers_draft)
        .hint("continue draft"),
    Command::new("journal.discard-draft", &["x"], "Discard the draft on offer", Journal::discard_draft)
        .when(Journal::offers_draft)
        .hint("discard"),
    Command::new("journal.take-template", &["enter"], "Begin with this template", Journal::take_template)
        .when(Journal::is_picking)
        .hint("begin with it"),
    Command::new("journal.next-template", &["down", "ctrl-n"], "Next template", Journal::pick_next)
        .when(Journal::is_picking)
        .hint("next"),
    Command::new("journal.previous-template", &["up", "ctrl-p"], "Template before", Journal::pick_previous)
        .when(Journal::is_picking),
    Command::new("journal.no-template", &["esc"], "Close the list of templates", Journal::pick_none)
        .when(Journal::is_picking)
        .hint("close"),
    Command::new("journal.save", &["ctrl-s"], "Save the entry", Journal::save).when(Journal::is_writing).hint("save"),
    Command::new("journal.leave", &["esc"], "Leave; what is being written is kept as a draft", Journal::leave)
        .when(|journal| journal.is_writing() && !journal.holds_esc())
        .hint("keep as draft"),
    Command::new("journal.normal", &["esc"], "vim's keys: from typing to commands", Journal::vim_escape)
        .when(Journal::holds_esc),
    Command::new(
        "journal.set-aside",
        &["alt-q"],
        "vim's keys: leave from anywhere in the form; kept as a draft",
        Journal::leave_now,
    )
    .when(|journal| journal.is_writing() && journal.has_vim())
    .hint("keep as draft"),
    Command::new("journal.next-field", &["tab"], "Take the offer, or go to the next field", Journal::next_field)
        .when(Journal::is_writing)
        .hint("field"),
    Command::new("journal.previous-field", &["backtab"], "Go to the field before", Journal::previous_field)
        .when(Journal::is_writing),
    Command::new("journal.write-outside", &["alt-e"], "Go on writing in $EDITOR", Journal::write_outside)
        .when(Journal::is_writing)
        .hint("$EDITOR"),
    Command::new("journal.template", &["alt-t"], "Begin with a template", Journal::pick)
        .when(Journal::is_writing)
        .hint("template"),
    Command::new("journal.prompt", &["alt-p"], "Write the question of the day into the text", Journal::write_prompt)
        .when(Journal::is_writing),
    Command::new(
        "journal.alone",
        &["f11", "alt-z"],
        "The text alone on the screen, or the form again",
        Journal::toggle_alone,
    )
    .when(Journal::is_writing)
    .hint("alone"),
    // Named here so that they come before the application's own meaning of these keys.
    Command::new("journal.undo-typing", &["ctrl-z"], "Take back what was typed last", Journal::undo_typing)
        .when(Journal::is_writing),
    Command::new("journal.redo-typing", &["ctrl-y"], "Type again what was taken back", Journal::redo_typing)
        .when(Journal::is_writing),
    Command::new("journal.redo-vim", &["ctrl-r"], "vim's keys: type again what was taken back", Journal::redo_typing)
        .when(Journal::holds_esc),
    Command::new("journal.new", &["n"], "Write a new entry", Journal::new_entry).when(Journal::is_reading).hint("new"),
    Command::new("journal.new-here", &["N"], "Write a new entry on the day looked at", Journal::new_here)
        .when(Journal::is_reading),
    Command::new("journal.edit", &["e"], "Edit the entry", Journal::edit).when(Journal::has_entry).hint("edit"),
    Command::new("journal.back", &["esc"], "Back to the list of days", Journal::back)
        .when(Journal::can_go_back)
        .hint("back"),
    Command::new("journal.edit-outside", &["E"], "Edit the entry in $EDITOR", Journal::edit_outside)
        .when(Journal::is_reading)
        .hint("$EDITOR"),
    Command::new("journal.open", &["enter"], "Go to the day's text", Journal::enter_text)
        .when(Journal::opens)
        .hint("open"),
    Command::new(
        "journal.delete-marked",
        &["d"],
        "Delete the marked entries; they go to the trash",
        Journal::delete_marked,
    )
    .when(Journal::has_marks)
    .hint("delete them"),
    Command::new("journal.delete", &["d"], "Delete the entry; it goes to the trash", Journal::delete)
        .when(|journal| journal.has_entry() && !journal.has_marks())
        .hint("delete"),
    Command::new(
        "journal.follow",
        &["enter"],
        "Open the name chosen in the text, or choose the first",
        Journal::follow,
    )
    .when(Journal::follows)
    .hint("names"),
    Command::new("journal.today", &["t"], "Go to today", Journal::today).when(Journal::is_reading).hint("today"),
    Command::new("journal.goto", &["g"], "Go to a date, as in \"last friday\" or \"march 2024\"", Journal::ask_date)
        .when(Journal::is_reading)
        .hint("go to date"),
    Command::new("journal.filter", &["f"], "List only days with a mood, tag, name or word", Journal::ask_filter)
        .when(Journal::is_reading)
        .hint("filter"),
    Command::new("journal.move", &["T"], "Move the entry to another date or time", Journal::ask_move)
        .when(Journal::has_entry)
        .hint("move"),
    Command::new("journal.only-hits", &["o"], "List only days that the query found, or all", Journal::toggle_hits)
        .when(Journal::is_searching)
        .hint("only hits"),
    Command::new("journal.next-hit", &["]"], "Go to the next older day that the query found", Journal::older_hit)
        .when(Journal::is_searching),
    Command::new("journal.previous-hit", &["["], "Go to the next newer day that the query found", Journal::newer_hit)
        .when(Journal::is_searching),
    Command::new(
        "journal.why",
        &["w"],
        "Ask what led to the chosen name or the entry; in the list, to the day",
        Journal::ask_why,
    )
    .when(Journal::has_entry),
    Command::new("journal.mark", &["m"], "Mark the entry, or no longer, and go to the next", Journal::mark)
        .when(Journal::has_entry),
    Command::new("journal.mark-day", &["M"], "Mark every entry of the day, or none", Journal::mark_day)
        .when(Journal::has_entry),
    Command::new("journal.unmark", &["alt-m"], "Mark no entry any more", Journal::unmark).when(Journal::has_marks),
    Command::new(
        "journal.tag",
        &["#"],
        "Put tags on the entry or the marked ones, or take them off",
        Journal::ask_tags,
    )
    .when(|journal| journal.has_entry() || journal.has_marks()),
    Command::new("journal.export", &["X"], "Export the entry or the marked ones as markdown", Journal::ask_export)
        .when(|journal| journal.has_entry() || journal.has_marks()),
    Command::new("journal.copy", &["y"], "Copy the entry's text", Journal::copy).when(Journal::has_entry),
    Command::new("journal.older-day", &["j", "down"], "Next older day", Journal::older).when(Journal::in_days),
    Command::new("journal.newer-day", &["k", "up"], "Next newer day", Journal::newer).when(Journal::in_days),
    Command::new("journal.older-days", &["pagedown"], "A page of days down", Journal::page_older)
        .when(Journal::in_days),
    Command::new("journal.newer-days", &["pageup"], "A page of days up", Journal::page_newer).when(Journal::in_days),
    Command::new("journal.newest", &["home"], "The newest day", Journal::newest).when(Journal::in_days),
    Command::new("journal.oldest", &["end", "G"], "The oldest day", Journal::oldest).when(Journal::in_days),
    Command::new("journal.next-entry", &["j", "down"], "Next entry, or further down a long one", Journal::down)
        .when(Journal::in_text),
    Command::new("journal.previous-entry", &["k", "up"], "Entry before, or further up a long one", Journal::up)
        .when(Journal::in_text),
    Command::new("journal.next-name", &["."], "Choose the next name or link in the text", Journal::next_name)
        .when(Journal::has_entry),
    Command::new("journal.previous-name", &[","], "Choose the name or link before", Journal::previous_name)
        .when(Journal::has_entry),
    Command::new("journal.page-down", &["pagedown", "space"], "A page down", Journal::page_down).when(Journal::in_text),
    Command::new("journal.page-up", &["pageup"], "A page up", Journal::page_up).when(Journal::in_text),
    Command::new("journal.first-entry", &["home"], "The day's first entry", Journal::first).when(Journal::in_text),
    Command::new("journal.last-entry", &["end", "G"], "The day's last entry", Journal::last).when(Journal::in_text),
    Command::new("journal.older-day-text", &["J", "alt-down"], "Next older day", Journal::older)
        .when(Journal::is_reading),
    Command::new("journal.newer-day-text", &["K", "alt-up"], "Next newer day", Journal::newer)
        .when(Journal::is_reading),
    Command::new("journal.month-back", &["<", "{"], "A month back", Journal::month_back).when(Journal::is_reading),
    Command::new("journal.month-on", &[">", "}"], "A month on", Journal::month_on).when(Journal::is_reading),
    Command::new("journal.to-text", &["l", "right"], "Go to the day's text", Journal::enter_text)
        .when(Journal::in_days),
    Command::new("journal.to-days", &["h", "left"], "Go to the list of days", Journal::leave_text)
        .when(Journal::in_text),
    Command::new("journal.swap", &["tab"], "Between days and text", Journal::swap).when(Journal::is_reading),
    Command::new("journal.full", &["f11", "alt-z"], "Hide or show the list of days", Journal::toggle_full)
        .when(Journal::is_reading),
    Command::new("journal.star", &["*"], "Mark the entry as a favourite, or no longer", Journal::star)
        .when(Journal::has_entry),
    Command::new("journal.again", &["R"], "Read the day again", Journal::again).when(Journal::is_reading),
];
