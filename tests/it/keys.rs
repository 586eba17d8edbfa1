//! One key, one meaning: the default keys of the panes and of the application, outside text fields and dialogs.

use std::collections::{BTreeMap, BTreeSet};

use kioku::tui::{KeyOverrides, key_table};

/// Every meaning with its keys, and the verbs of the commands that have it in some pane.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("next", "j down", "down day-on"),
    ("previous", "k up", "up day-back"),
    ("page down", "pagedown space", "page-down"),
    ("page up", "pageup", "page-up"),
    ("first", "g_g home", "first"),
    ("last", "G end", "last"),
    ("to the right, into the selected", "l right", "to-text to-related open next-source week-on follow"),
    ("to the left, out of it", "h left", "to-days to-list leave-related previous-source week-back back"),
    ("open, or tick; on an empty day write", "enter space", "open open-related follow settle same show pick new-here"),
    ("back, or cancel", "esc backspace", "back leave leave-chore leave-related clear stop all return of-one"),
    ("the other part of the pane", "tab", "swap preview other-field"),
    ("previous place", "alt-left", "back"),
    ("next place", "alt-right", "forward"),
    ("scroll the preview down", "alt-down shift-down", "source-down text-down"),
    ("scroll the preview up", "alt-up shift-up", "source-up text-up"),
    ("earlier", "[", "previous-hit older-day-text previous year-back"),
    ("later", "]", "next-hit newer-day-text next year-on"),
    ("next mark in the text", ".", "next-name next-match"),
    ("previous mark in the text", ",", "previous-name previous-match"),
    ("new entry, or the draft", "n", "new"),
    ("write in the pane's field", "i", "type write filter"),
    ("edit", "e", "edit"),
    ("edit in $EDITOR", "E", "edit-outside notes"),
    ("delete, with undo", "d", "delete delete-marked"),
    ("no: discard, exclude, reject", "x", "discard-draft drop-record exclude two reject discard"),
    ("accept what is offered", "A", "accept keep-record continue-draft"),
    ("undo", "u", "undo"),
    ("copy", "y", "copy"),
    ("export", "X", "export save"),
    ("mark", "m", "mark"),
    ("merge", "M", "same merge"),
    ("rename", "r", "rename"),
    ("possible duplicates", "=", "doubts"),
    ("list the entries", "L", "entries"),
    ("why", "w", "why"),
    ("between two names", "b", "connect between of-one"),
    ("next view: order, kind, period, map", "v", "sort next-kind period next-scale swap"),
    ("filter", "f alt-f", "filter narrow"),
    ("scores", "s", "explain"),
    ("weaker matches", "W", "weak"),
    ("today", "t", "today"),
    ("go to a date", "g_d", "goto"),
    ("reload", "R alt-r", "again"),
    ("save", "ctrl-s", "save"),
    ("search", "/", "find"),
    ("clear the shared query", "alt-x", "clear-query"),
    ("commands", ": ctrl-p", "palette"),
    ("help", "? alt-?", "help"),
    ("other journals", "J", "journals"),
    ("calendar", "c", "calendar"),
    ("related entries", "alt-l", "related"),
    ("open a link", "o", "open-link"),
    ("quit, or close a panel", "q ctrl-q", "quit close leave-chore"),
    ("problems", "!", "problems"),
    ("trash", "ctrl-t", "trash"),
    ("records", "alt-g", "records"),
    ("suspend", "ctrl-z", "sleep"),
    ("blur", "f9 alt-v", "blur"),
    ("blank", "f8", "blank"),
    (
        "go to a pane",
        "1 2 3 4 5 6 f1 f2 f3 f4 f5 f6 alt-1 alt-2 alt-3 alt-4 alt-5 alt-6",
        "tab-1 tab-2 tab-3 tab-4 tab-5 tab-6",
    ),
];

/// More than this nobody learns; other commands have no key and are in the palette.
const MOST: usize = 60;

/// Commands that are available only while a text is typed.
const TYPING: &[&str] = &[
    "journal.take-template",
    "journal.next-template",
    "journal.previous-template",
    "journal.no-template",
    "journal.save",
    "journal.leave",
    "journal.complete",
    "journal.next-field",
    "journal.previous-field",
    "journal.write-outside",
    "journal.template",
    "journal.prompt",
    "journal.alone",
    "journal.undo-typing",
    "journal.redo-typing",
    "journal.take-found",
    "journal.next-found",
    "journal.previous-found",
    "journal.leave-found",
    "journal.find-text",
    "search.accept",
    "search.older-query",
    "search.newer-query",
    "search.complete",
    "search.results",
    "search.down",
    "search.up",
    "search.page-down",
    "search.page-up",
    "entities.say",
    "entities.unsay",
    "entities.leave",
    "entities.down",
    "entities.up",
    "why.ask",
    "why.leave",
    "reflect.save-it",
    "reflect.leave",
    "reflect.save-entry",
    "reflect.leave-entry",
    "reflect.complete",
    "reflect.undo-typing",
    "reflect.redo-typing",
];

/// Dialogs have the keys to themselves while they are open.
const DIALOGS: &[&str] = &["help", "palette", "confirm", "problems", "trash", "saved", "records", "journals"];

/// The key of each command outside text fields, and its verb.
fn bindings() -> Vec<(String, &'static str, &'static str)> {
    let (rows, faults) = key_table(&KeyOverrides::default());
    assert!(faults.is_empty(), "{faults:?}");
    let rows = rows.into_iter().filter(|row| !DIALOGS.contains(&row.context) && !TYPING.contains(&row.command));
    let of = |row: kioku::tui::KeyRow| {
        let verb = row.command.split_once('.').map_or(row.command, |(_, verb)| verb);
        row.keys.into_iter().map(move |key| (key.replace(' ', "_"), verb, row.command)).collect::<Vec<_>>()
    };
    rows.flat_map(of).collect()
}

#[test]
fn a_key_means_the_same_in_every_pane() {
    let mut meanings: BTreeMap<&str, Vec<(&str, BTreeSet<&str>)>> = BTreeMap::new();
    for (meaning, keys, verbs) in MEANINGS {
        for key in keys.split(' ') {
            meanings.entry(key).or_default().push((meaning, verbs.split(' ').collect()));
        }
    }
    for (key, of) in &meanings {
        // Space and Enter tick a box in the list of filters.
        assert!(of.len() == 1 || matches!(*key, "space" | "enter"), "{key} has several meanings: {of:?}");
    }
    for (key, verb, command) in bindings() {
        let of = meanings.get(key.as_str()).unwrap_or_else(|| panic!("{key} ({command}) has no meaning"));
        assert!(of.iter().any(|(_, verbs)| verbs.contains(verb)), "{command} is not what {key} means: {of:?}");
    }
}

#[test]
fn every_meaning_is_in_use() {
    let used: BTreeSet<(String, &str)> = bindings().into_iter().map(|(key, verb, _)| (key, verb)).collect();
    for (meaning, keys, _) in MEANINGS {
        for key in keys.split(' ') {
            assert!(used.iter().any(|(known, _)| known == key), "{meaning}: {key} is bound to nothing");
        }
    }
    assert!(MEANINGS.len() <= MOST, "{} meanings: the rest belongs in the palette", MEANINGS.len());
}
