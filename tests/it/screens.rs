//! Keys in, screen out, with a real vault and a real session without threads.

use std::{path::Path, sync::Arc};

use jiff::civil;
use kioku::{
    clock::Clock,
    embed::testing::HashEncoder,
    index::vector::Ann,
    journal::{EntryTime, NewEntry, Vault, VaultOptions},
    session::{Request, SessionOptions, SessionWorkers},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
        theme::Role,
        update_context::Settings,
    },
};
use tempfile::TempDir;

/// Entries of an invented autumn: local time, mood, tags, text.
pub const ENTRIES: &[(&str, &str, &[&str], &str)] = &[
    (
        "2026-09-14T15:30",
        "stressed",
        &["work"],
        "Hùng moved the deadline again.\n\nI felt the old knot in my stomach, and said nothing.",
    ),
    ("2026-09-14T22:40", "tired", &[], "Walked home the long way, along the lake."),
    (
        "2026-10-30T09:00",
        "calm",
        &["morning"],
        "Rowed on the lake with @Linh before work; the fog made the bridges float.",
    ),
    ("2026-11-19T21:05", "relieved", &[], "Bread and soup with @Linh near the lake. Felt better by the second bowl."),
];

fn options(root: &Path, clock: Clock) -> SessionOptions {
    SessionOptions {
        vault: VaultOptions::new(root, clock),
        models: root.join("models"),
        model: None,
        encoder: Some(Arc::new(HashEncoder::new(64))),
        ann: Ann::Off,
        watch: false,
    }
}

/// The application on a journal with `entries`.
pub fn kioku(entries: &[(&str, &str, &[&str], &str)]) -> (TempDir, Harness) {
    kioku_with(entries, |_| {})
}

/// The same with other settings.
pub fn kioku_with(entries: &[(&str, &str, &[&str], &str)], change: impl FnOnce(&mut Settings)) -> (TempDir, Harness) {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = HarnessSetup::new(PANES);
    change(&mut setup.settings);
    let options = options(folder.path(), Clock::fixed(setup.now.clone()));
    let vault = Vault::open(options.vault.clone()).unwrap();
    for (time, mood, tags, body) in entries {
        let local: civil::DateTime = time.parse().unwrap();
        let zoned = local.to_zoned(setup.now.time_zone().clone()).unwrap();
        let time = EntryTime {
            written: zoned.strftime("%Y-%m-%dT%H:%M:%S+07:00").to_string(),
            at: zoned.timestamp(),
            offset_seconds: 7 * 3600,
        };
        vault
            .append(NewEntry {
                time: Some(time),
                mood: Some((*mood).to_owned()),
                tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
                body: (*body).to_owned(),
                ..NewEntry::default()
            })
            .unwrap();
    }
    setup.session = Some(SessionWorkers::inline(options));
    (folder, Harness::new(setup))
}

#[test]
fn a_search_shows_hits_opens_one_and_stays_on_in_the_journal() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("/").typed("lake");
    let screen = kioku.screen();
    for day in ["2026-09-14", "2026-10-30", "2026-11-19"] {
        assert!(screen.contains(day), "{day}:\n{screen}");
    }
    assert!(kioku.shows_as("lake.", Role::Match) || kioku.shows_as("lake with", Role::Match));
    kioku.typed(" mood:calm");
    assert!(kioku.shows_as("mood:calm", Role::Accent), "{}", kioku.screen());
    assert!(kioku.screen().contains("Friday 30 October 2026"), "{}", kioku.screen());
    assert!(!kioku.screen().contains("2026-11-19"), "the filter holds:\n{}", kioku.screen());
    kioku.keys("<enter> <enter>");
    assert_eq!(kioku.app.pane(), "journal");
    assert!(kioku.screen().contains("the fog made"), "{}", kioku.screen());
    assert!(kioku.screen().contains("/lake mood:calm"), "{}", kioku.screen());
}

#[test]
fn the_text_stands_in_its_day() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 30).keys("/").typed("knot stomach");
    let screen = kioku.screen();
    assert!(screen.contains("15:30  stressed  #work"), "{screen}");
    assert!(screen.contains("same day: 22:40 tired"), "{screen}");
    assert!(screen.contains("why this one: the words \"knot\", \"stomach\""), "{screen}");
}

#[test]
fn what_was_just_written_is_found_at_once_and_one_key_takes_it_back() {
    let (folder, mut kioku) = kioku(ENTRIES);
    kioku.keys("n").typed("Chanterelles under the oaks").keys("<ctrl-s> /").typed("chanterelles");
    assert!(kioku.screen().contains("Chanterelles under the oaks"), "{}", kioku.screen());
    assert!(kioku.screen().contains("2026-11-20"), "{}", kioku.screen());
    kioku.keys("<esc> u");
    assert!(!kioku.screen().contains("Chanterelles under"), "{}", kioku.screen());
    let file = std::fs::read_to_string(folder.path().join("memory/2026-11-20.md")).unwrap_or_default();
    assert!(!file.contains("Chanterelles"), "{file}");
    kioku.key("ctrl-t");
    assert!(kioku.screen().contains("Chanterelles under the oaks"), "{}", kioku.screen());
    kioku.key("enter").key("esc");
    assert!(kioku.screen().contains("Chanterelles under the oaks"), "found again:\n{}", kioku.screen());
}

#[test]
fn a_file_that_is_half_a_journal_is_counted_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = HarnessSetup::new(PANES);
    std::fs::create_dir_all(folder.path().join("memory")).unwrap();
    let torn =
        "# Kioku — 2026-11-19\n\n---\ntime: \"2026-11-19T21:05:00+07:00\"\n---\nFine.\n\n---\nmood: \"torn\"\nno end\n";
    std::fs::write(folder.path().join("memory/2026-11-19.md"), torn).unwrap();
    setup.session = Some(SessionWorkers::inline(options(folder.path(), Clock::fixed(setup.now.clone()))));
    let mut kioku = Harness::new(setup);
    assert!(kioku.screen().contains("1 !"), "{}", kioku.screen());
    kioku.keys("!");
    assert!(kioku.screen().contains("2026-11-19.md:"), "{}", kioku.screen());
}

#[test]
fn a_missing_attachment_is_in_the_list_of_problems() {
    let text = "![](attachments/0123456789abcdef-lake.png)";
    let (_folder, mut kioku) = kioku(&[("2026-11-19T21:05", "calm", &[], text)]);
    kioku.resize(120, 40).keys("!");
    let screen = kioku.screen();
    assert!(screen.contains("attachments/0123456789abcdef-lake.png  missing attachment of"), "{screen}");
}

#[test]
fn a_clause_is_no_name_in_any_pane() {
    let text = "I felt calm because the water was quiet.";
    let (_folder, mut kioku) = kioku(&[("2026-11-19T21:05", "", &[], text)]);
    kioku.resize(120, 40);
    assert!(kioku.screen().contains("calm feeling"), "{}", kioku.screen());
    for pane in PANES {
        kioku.key(&key_of(pane.name));
        assert!(!kioku.screen().contains("topic"), "{}", kioku.screen());
    }
    kioku.key(&key_of("entities"));
    assert!(kioku.screen().contains("caused by ← the water was quiet   stated 1"), "{}", kioku.screen());
}

/// The key that shows a pane.
fn key_of(pane: &str) -> String {
    format!("alt-{}", PANES.iter().position(|entry| entry.name == pane).unwrap() + 1)
}

#[test]
fn a_day_is_looked_back_on_down_to_its_sentence_and_answered() {
    let (folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 40).key(&key_of("reflect"));
    let screen = kioku.screen();
    assert!(screen.contains("Thursday 19 November 2026"), "{screen}");
    assert!(screen.contains("21:05  relieved  Bread and soup with @Linh near the lake."), "{screen}");
    kioku.key("enter");
    assert_eq!(kioku.app.pane(), "journal");
    assert!(kioku.screen().contains("Felt better by the second bowl."), "{}", kioku.screen());
    kioku.key(&key_of("reflect")).keys("v v");
    let screen = kioku.screen();
    assert!(screen.contains("1 entry on 1 day"), "{screen}");
    assert!(screen.contains("the month before: 1 entry on 1 day"), "{screen}");
    kioku.keys("i").typed("The lake, again.").keys("<ctrl-s>");
    assert_eq!(kioku.app.pane(), "reflect");
    let file = std::fs::read_to_string(folder.path().join("memory/2026-11-20.md")).unwrap();
    assert!(file.contains("tags: [\"reflection\"]") && file.contains("The lake, again."), "{file}");
    assert!(!folder.path().join("drafts").read_dir().is_ok_and(|mut drafts| drafts.next().is_some()));
    assert!(kioku.screen().contains("2 entries on 2 days"), "what was written is there:\n{}", kioku.screen());
}

#[test]
fn a_reflection_begun_and_left_leaves_no_draft() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.key(&key_of("reflect")).command("Write in the journal").keys("<esc>");
    assert!(!kioku.screen().contains("draft"), "{}", kioku.screen());
    kioku.key(&key_of("reflect")).command("Write in the journal").typed("a thought").keys("<esc> 1");
    assert!(kioku.screen().contains("unsaved draft, 2 words"), "{}", kioku.screen());
}

#[test]
fn for_a_screen_reader_each_month_has_a_line_of_its_own() {
    let (_folder, mut kioku) = kioku_with(ENTRIES, |settings| settings.is_plain = true);
    kioku.keys("6");
    let screen = kioku.screen();
    for line in ["November 2026  good  1 entry", "September 2026  hard  2 entries"] {
        assert!(screen.lines().any(|shown| shown.trim() == line), "{line}:\n{screen}");
    }
    assert!(!screen.contains("words a day"), "a legend without its map:\n{screen}");
}

#[test]
fn with_reduced_motion_a_message_stays_until_a_key() {
    let after_ten_seconds = |reduced_motion| {
        let (_folder, mut kioku) = kioku_with(ENTRIES, |settings| settings.reduced_motion = reduced_motion);
        kioku.keys("t <end> <enter> d").wait(std::time::Duration::from_secs(10));
        let shown = kioku.screen().contains("u undo");
        kioku.keys("<esc>");
        (shown, kioku.app.toasts().len())
    };
    assert!(after_ten_seconds(true).0);
    assert_eq!((after_ten_seconds(true).1, after_ten_seconds(false)), (0, (false, 0)));
}

#[test]
fn what_nobody_sees_is_not_thought_about_until_it_is_shown() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.key(&key_of("reflect")).key(&key_of("stats")).key(&key_of("journal"));
    let asks = |kioku: &mut Harness| {
        let sent = kioku.sent();
        sent.iter().filter(|(_, request)| matches!(request, Request::Ask(_))).count()
    };
    asks(&mut kioku);
    kioku.keys("n").typed("One more.").keys("<ctrl-s>");
    assert_eq!(asks(&mut kioku), 0);
    kioku.key(&key_of("stats"));
    assert_eq!(asks(&mut kioku), 1);
    assert!(kioku.screen().contains("5 entries on 4 days"), "{}", kioku.screen());
    kioku.key(&key_of("reflect"));
    assert_eq!(asks(&mut kioku), 1);
    assert!(kioku.screen().contains("One more."), "{}", kioku.screen());
    kioku.key(&key_of("stats"));
    assert_eq!(asks(&mut kioku), 0, "nothing changed since");
}

#[test]
fn what_a_query_found_stands_beside_the_whole_in_figures() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.resize(120, 40).keys("/").typed("mood:calm").keys("<esc>").key(&key_of("stats"));
    let screen = kioku.screen();
    for text in ["/mood:calm  1 of 4 entries · 1 of 3 days", "calm 1 of 1", "tired 0 of 1", "◆ found by the query"] {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
    let (_, found) = screen.split_once("In search results").expect("who the hits are about is told");
    let linh = found.lines().find(|line| line.contains("Linh ") && line.contains("person")).expect("she is in the hit");
    assert!(linh.ends_with("1 of 2"), "{screen}");
    kioku.keys("<alt-x>");
    assert!(!kioku.screen().contains("1 of 4"), "{}", kioku.screen());
    assert!(kioku.screen().contains("4 entries on 3 days"), "{}", kioku.screen());
}

#[test]
fn an_empty_journal_teaches_in_every_pane() {
    let (_folder, mut kioku) = kioku(&[]);
    for nth in 1..=PANES.len() {
        kioku.key(&format!("alt-{nth}"));
        let written = kioku.screen().lines().skip(1).filter(|line| !line.trim().is_empty()).count();
        assert!(written >= 4, "pane {nth} says nothing:\n{}", kioku.screen());
    }
}

#[test]
fn an_empty_journal_offers_to_write_to_import_and_to_look_around() {
    let (_folder, mut kioku) = kioku(&[]);
    let screen = kioku.screen();
    for text in [
        "n  write the first entry",
        "kioku import auto PATH  import a journal",
        "from jsonl, ",
        "obsidian",
        "kioku demo",
    ] {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
    kioku.keys("n").typed("The first one").keys("<ctrl-s>");
    assert!(!kioku.screen().contains("kioku import"), "{}", kioku.screen());
}

#[test]
fn the_palette_lists_a_command_once() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.keys(":").typed("new entry");
    assert_eq!(kioku.screen().matches("New entry, or resume the draft").count(), 1, "{}", kioku.screen());
}

#[test]
fn every_pane_survives_every_size() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    kioku.keys("/").typed("lake").key("esc");
    for nth in 1..=PANES.len() {
        kioku.key(&format!("alt-{nth}"));
        for (width, height) in (1..=244).step_by(27).flat_map(|width| (1..=70).step_by(7).map(move |h| (width, h))) {
            kioku.resize(width, height);
        }
        for (width, height) in [(40, 10), (80, 24), (120, 40), (240, 70)] {
            kioku.resize(width, height);
            assert!(kioku.screen().lines().last().is_some_and(|line| line.contains("quit")), "{}", kioku.screen());
        }
    }
}

#[test]
fn the_default_keys_of_every_table_hold() {
    kioku::tui::keymap::check_defaults(&kioku::tui::app::tables(PANES)).unwrap();
    let (rows, faults) = kioku::tui::key_table(&kioku::tui::KeyOverrides::default());
    assert!(faults.is_empty(), "{faults:?}");
    assert!(rows.iter().any(|row| row.command == "journal.new" && row.keys == ["n"]));
}

/// Movement commands, which need no message when there is nowhere to go.
const MOVES: &[&str] = &[
    "esc",
    "up",
    "down",
    "left",
    "right",
    "home",
    "end",
    "pageup",
    "pagedown",
    "tab",
    "backtab",
    "space",
    "alt-up",
    "alt-down",
    "h",
    "j",
    "k",
    "l",
    "G",
    "J",
    "K",
    "ctrl-n",
    "shift-up",
    "shift-down",
    "backspace",
    "ctrl-z",
];

/// Commands that go to the current place (F2 in a search without hits is its tab), and effects that an in-memory
/// screen cannot show.
const THERE: &[&str] = &[
    "app.quit",
    "app.redraw",
    "app.tab-",
    "search.close",
    "entities.leave-chore",
    "search.explain",
    "reflect.day",
    "reflect.week",
    "reflect.month",
    "reflect.year",
    "app.clear-query",
    "app.back",
    "app.forward",
    "stats.today",
];

#[test]
fn a_key_that_changes_nothing_says_why() {
    let (_folder, mut kioku) = kioku(ENTRIES);
    let rows = kioku::tui::key_table(&Default::default()).0;
    let mut silent = Vec::new();
    for (nth, pane) in PANES.iter().enumerate() {
        let here = rows.iter().filter(|row| [pane.name, "app"].contains(&row.context));
        for row in here.filter(|row| !THERE.iter().any(|there| row.command.starts_with(there))) {
            for key in row.keys.iter().filter(|key| !key.contains(' ') && !MOVES.contains(&key.as_str())) {
                kioku.keys(&format!("<alt-{}>", nth + 1)).keys("<esc> <esc> <esc>");
                kioku.sent();
                let before = kioku.screen();
                kioku.key(key);
                let did = kioku.screen() != before || !kioku.sent().is_empty() || !kioku.copied().is_empty();
                if !did && kioku.app.toasts().is_empty() {
                    silent.push(format!("{}: {key} ({})", pane.name, row.command));
                }
                assert!(!kioku.has_quit(), "{key} quits");
                kioku.keys("<esc> <esc> <esc>").wait(std::time::Duration::from_secs(5));
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}
