//! All panes on a real session: what each screen shows and each key does.

use jiff::civil::DateTime;
use ratatui::{buffer::Buffer, layout::Position};

use super::{
    harness::{Harness, HarnessSetup},
    panes::PANES,
    theme::Role,
    update_context::Settings,
};
use crate::{
    journal::{EntryTime, NewEntry, Vault},
    session::{Request, SessionWorkers},
    tui::fixtures,
};

/// Entries of an invented autumn: local time, mood, text.
const ENTRIES: &[(&str, &str, &str)] = &[
    ("2026-09-14T15:30", "stressed", "@Hùng moved the deadline again. Work until late."),
    ("2026-09-20T22:40", "sad", "Sad because the kiln cracked. Walked home with @Linh."),
    ("2026-10-30T09:00", "calm", "Rowed on the lake with @Linh before work."),
    ("2026-11-19T21:05", "stressed", "Stressed because @Hùng moved the demo. Work, work, work."),
];

fn kioku_with(
    width: u16,
    height: u16,
    entries: &[(&str, &str, &str)],
    settings: Settings,
) -> (tempfile::TempDir, Harness) {
    let folder = tempfile::tempdir().unwrap();
    let options = fixtures::session_options(folder.path());
    let vault = Vault::open(options.vault.clone()).unwrap();
    for (time, mood, body) in entries {
        let local: DateTime = time.parse().unwrap();
        let time = EntryTime::of(&local.to_zoned(options.vault.clock.zone().clone()).unwrap());
        let new =
            NewEntry { time: Some(time), mood: Some((*mood).into()), body: (*body).into(), ..NewEntry::default() };
        vault.append(new).unwrap();
    }
    let session = Some(SessionWorkers::inline(options));
    let harness = Harness::new(HarnessSetup { session, settings, size: (width, height), ..HarnessSetup::new(PANES) });
    (folder, harness)
}

fn kioku(width: u16, height: u16) -> (tempfile::TempDir, Harness) {
    kioku_with(width, height, ENTRIES, Settings::default())
}

#[test]
fn a_discarded_reflection_comes_back_where_the_message_says() {
    let (_folder, mut kioku) = kioku(100, 30);
    kioku.keys("5 i").typed("My reflection").keys("<esc> 1 R");
    kioku.sees_not("unsaved draft");
    kioku.keys("5 x y u");
    assert_eq!(kioku.app.toasts(), ["Restored: the reflection, as an unsaved draft in Journal"]);
    kioku.keys("1");
    kioku.sees("unsaved draft, 2 words");
}

#[test]
fn enter_does_not_discard_a_draft_and_the_message_about_it_goes_with_it() {
    let (folder, mut kioku) = kioku(80, 24);
    kioku.keys("n").typed("Half a thought").keys("<esc> x");
    kioku.sees("y Discard   n Cancel");
    kioku.key("enter");
    assert!(folder.path().join("drafts").read_dir().unwrap().next().is_some());
    kioku.keys("y");
    assert_eq!(kioku.app.toasts(), ["Discarded the draft · u undo"]);
}

#[test]
fn a_discarded_draft_comes_back_in_its_turn_from_any_screen() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("n").typed("Half a thought").keys("<esc> x y");
    kioku.keys("j <enter> d 3 u");
    assert!(kioku.app.toasts().iter().any(|toast| toast.starts_with("Restored: entry of")), "{:?}", kioku.app.toasts());
    kioku.keys("u");
    assert_eq!(kioku.app.toasts().last().copied(), Some("Restored: the discarded draft"));
    kioku.keys("1");
    kioku.sees("unsaved draft, 3 words");
    kioku.keys("n");
    kioku.sees("Half a thought");
}

#[test]
fn discarding_one_of_two_names_the_one_that_goes() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("n").typed("Half a thought").keys("<esc> j <enter> e").typed("More. ").keys("<esc>");
    kioku.sees("(and 1 more): A continues, x discards");
    kioku.keys("x");
    kioku.sees("Discard unsaved edit, 8 words");
    kioku.sees_not("more)?");
    kioku.keys("y");
    assert_eq!(kioku.app.toasts(), ["Discarded the edit · u undo"]);
    kioku.sees("unsaved draft, 3 words");
    kioku.keys("A");
    kioku.sees("Half a thought");
}

#[test]
fn an_older_version_put_back_is_undone_to_what_it_replaced() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("n").typed("First words").keys("<ctrl-s> <enter> e").typed(" More.").keys("<ctrl-s>");
    kioku.sees("First words More.");
    kioku.keys("<ctrl-t> <enter> <esc>");
    kioku.sees_not("First words More.");
    kioku.keys("u");
    kioku.sees("First words More.");
}

#[test]
fn a_restored_entry_is_not_reported_as_deleted() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("j <enter> d <ctrl-t> <enter>");
    let toasts = kioku.app.toasts();
    assert!(toasts.len() == 1 && toasts[0].starts_with("Restored"), "{toasts:?}");
}

#[test]
fn versions_of_an_entry_in_the_trash_are_told_apart_by_where_they_differ() {
    let long =
        "Rowed on the lake before work, and then again in the evening when the wind had gone and nobody was out. ";
    let (_folder, mut kioku) = kioku_with(80, 24, &[("2026-11-19T21:05", "calm", long)], Settings::default());
    for word in ["heron", "otter"] {
        kioku.keys("<end> <enter> e").typed(word).key("ctrl-s");
    }
    kioku.keys("e").typed("swan").keys("<ctrl-s> <ctrl-t>");
    kioku.sees("nobody was out. heronotter");
    kioku.key("j");
    kioku.sees("nobody was out. heron");
    kioku.sees_not("otter");
}

#[test]
fn a_message_does_not_cover_the_selected_line() {
    let (_folder, mut kioku) = kioku(80, 11);
    kioku.keys("3 <end> u");
    let (told, selected) = (kioku.find("Nothing to undo").y, kioku.find("▌").y);
    assert!(selected == 9 && told == 10, "{}", kioku.screen());
    kioku.keys("<home> u");
    assert_ne!(kioku.find("Nothing to undo").y, kioku.find("▌").y, "{}", kioku.screen());
}

#[test]
fn why_says_that_the_named_month_has_no_entries() {
    let (_folder, mut kioku) = kioku(100, 30);
    kioku.keys("4").typed("why was I sad in March").key("enter");
    kioku.sees("“in March” has no entries; the answer is about other days");
    kioku.sees("period: all days");
    kioku.keys("i <ctrl-u>").typed("sad in September").key("enter");
    kioku.sees("2026-09-01 to 2026-09-30");
    kioku.sees_not("has no entries");
    kioku.sees_not("period: all days");
}

#[test]
fn the_empty_question_has_the_caret_and_takes_what_is_typed() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("4");
    let field = kioku.find("why  ");
    assert_eq!(kioku.cursor(), Some(Position { x: field.x + 5, y: field.y }), "{}", kioku.screen());
    assert!(kioku.shows_as("why  ", Role::Accent));
    kioku.typed("sad").key("enter");
    kioku.sees("kiln");
}

#[test]
fn the_causes_of_a_cause_show_their_period() {
    let (_folder, mut kioku) = kioku(100, 30);
    kioku.keys("4").typed("sad").key("enter");
    kioku.sees("period: all days");
    kioku.keys("j l");
    kioku.sees("sad ← ");
    kioku.sees("period: 2026-09-14 to 2026-09-20");
    kioku.sees("2026-09-14 to 2026-09-20 (last quoted)");
    kioku.key("esc");
    kioku.sees("period: all days");
    kioku.key("v");
    kioku.sees("period: last 365 days");
}

#[test]
fn a_cleared_query_leaves_the_focus_in_the_field() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("/").typed("lake").keys("<esc> <esc>").typed("walked");
    assert_eq!(kioku.app.query().text(), "walked");
}

#[test]
fn a_slash_begins_a_new_query_and_keeps_the_old_one() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("/").typed("lake").keys("<enter> /").typed("kiln");
    assert_eq!(kioku.app.query().text(), "kiln");
    kioku.keys("<ctrl-u> <up> <up>");
    assert_eq!(kioku.app.query().text(), "lake");
    kioku.keys("<esc> / <esc> i").typed(" rowed");
    assert_eq!(kioku.app.query().text(), "lake rowed", "nothing was typed: the old query stays");
}

#[test]
fn esc_leaves_a_form_for_the_pane_that_opened_it() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("/").typed("lake").keys("<esc> n").typed("Half a thought").key("esc");
    assert_eq!((kioku.app.pane(), kioku.app.query().text()), ("search", "lake"));
    kioku.keys("n").typed(", and the rest").keys("<ctrl-s>");
    kioku.sees("Half a thought, and the rest");
    kioku.key("esc");
    assert_eq!(kioku.app.pane(), "search");
    kioku.keys("<enter> n <esc>");
    assert_eq!(kioku.app.pane(), "journal", "the form was opened here");
}

#[test]
fn a_plain_screen_has_one_thing_a_line() {
    let settings = Settings { is_plain: true, ..Settings::default() };
    let (_folder, mut kioku) = kioku_with(160, 48, ENTRIES, settings);
    kioku.sees_not("Mo Tu We");
    kioku.sees_not("Related");
    kioku.keys("j");
    for key in ["?", ":", "!", "J", "<ctrl-t>", "g"] {
        kioku.sees("Stressed because");
        kioku.keys(key);
        kioku.sees_not("Stressed because");
        kioku.keys("<esc>");
    }
    kioku.keys("c");
    let shared =
        kioku.screen().lines().find(|line| line.contains("Mo Tu") && line.contains("entries")).map(str::to_owned);
    assert_eq!(shared, None, "{}", kioku.screen());
}

#[test]
fn a_list_that_goes_on_below_says_so() {
    let settings = Settings { is_plain: true, ..Settings::default() };
    let (_folder, mut plain) = kioku_with(80, 24, ENTRIES, settings);
    let (_folder, mut drawn) = kioku(80, 24);
    for (kioku, told) in [(&mut plain, "more below"), (&mut drawn, "↓ more")] {
        for key in ["?", ":"] {
            kioku.keys(key);
            kioku.sees(told);
            kioku.keys(if key == "?" { "<end>" } else { "<up>" }).keys("<esc>");
        }
        kioku.keys("? <end>");
        kioku.sees_not(told);
    }
}

#[test]
fn a_filter_without_hits_says_why_and_shows_no_day() {
    let (_folder, mut kioku) = kioku(120, 40);
    kioku.keys("f").typed("mood:zzz").key("enter");
    kioku.sees("0 hits");
    kioku.sees("no entry has the mood “zzz”");
    kioku.sees("No entries match.");
    kioku.sees_not("Stressed because");
    kioku.keys("<tab> d");
    assert!(!_folder.path().join("trash").exists(), "an entry that is not shown is not deleted");
    kioku.keys("<alt-x>");
    kioku.sees("Stressed because");
    kioku.keys("<esc> f").typed("from:2026-02-30 lake").key("enter");
    kioku.sees("from:2026-02-30 is ignored:");
    kioku.sees("1 hit on 1 day");
    kioku.keys("f <ctrl-u>").typed("from:2026-02-30").key("enter");
    kioku.sees("from:2026-02-30 is ignored:");
    kioku.sees("4 hits on 4 days");
}

#[test]
fn a_filter_without_hits_says_so_at_once_on_a_small_screen_and_esc_clears_it() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("f").typed("zzzz").key("enter");
    kioku.sees("No entries match.");
    kioku.sees("esc all days");
    kioku.key("esc");
    assert_eq!(kioku.app.query().text(), "");
    kioku.sees("Th 19");
    kioku.sees_not("No entries match.");
}

#[test]
fn a_query_of_punctuation_finds_nothing_and_says_so() {
    let (_folder, mut kioku) = kioku(80, 24);
    for query in ["?", "-", "? !"] {
        kioku.keys("/").typed(query);
        kioku.sees("no word or filter to search for");
        kioku.sees("No entries match.");
        kioku.keys("<ctrl-u> <esc>");
    }
    kioku.keys("/").typed("mood:calm ?");
    kioku.sees("2026-10-30");
    kioku.sees_not("weaker");
}

#[test]
fn the_entries_of_a_name_are_the_only_days_listed() {
    let (_folder, mut kioku) = kioku(120, 40);
    kioku.keys("3 f").typed("linh").keys("<esc> L");
    assert_eq!(kioku.app.pane(), "journal");
    kioku.sees("2 hits on 2 days");
    kioku.sees("Friday 30 October 2026");
    kioku.sees_not("Th 19");
}

#[test]
fn matched_letters_and_keys_of_the_palette_have_their_own_colours() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys(":").typed("trash");
    assert!(kioku.shows_as("trash", Role::Accent), "the typed text");
    let row = kioku.find("List trash");
    let cell = |harness: &Harness, x: u16| harness.buffer()[(x, row.y)].fg;
    assert_ne!(cell(&kioku, row.x), cell(&kioku, row.x + 5), "{}", kioku.screen());
    kioku.key("ctrl-u").typed("qqqq");
    kioku.sees("No matching command");
    kioku.key("enter");
    kioku.sees("No matching command");
}

#[test]
fn an_empty_list_of_saved_searches_has_no_control_characters() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.command("List saved searches");
    kioku.sees("No saved searches");
    kioku.sees_not("\u{240a}");
    kioku.sees_not("\u{fffd}");
}

#[test]
fn a_small_stats_screen_follows_the_selected_day() {
    let (_folder, mut kioku) = kioku(40, 10);
    kioku.keys("6 j");
    kioku.sees("20 November 2026");
    kioku.keys("g g");
    kioku.sees("14 September 2026");
    kioku.keys("G");
    kioku.sees("19 November 2026");
    kioku.keys("j j l l");
    kioku.sees("20 November 2026");
}

#[test]
fn a_small_reflect_page_shows_that_it_goes_on_above_and_its_whole_question() {
    let (_folder, mut kioku) = kioku(40, 10);
    kioku.keys("5");
    let first = kioku.screen();
    if !first.contains("Ask yourself") {
        kioku.sees("↑");
    }
    kioku.keys("<home>");
    kioku.sees("Ask yourself");
    kioku.sees_not("…");
}

#[test]
fn a_small_form_shows_the_focused_field_alone() {
    let (_folder, mut kioku) = kioku(40, 10);
    kioku.keys("n <tab> <tab>").typed("stressed out");
    kioku.sees("mood stressed out");
    kioku.sees_not("tags");
    kioku.key("ctrl-u").typed("cal").key("right");
    kioku.sees("mood calm");
}

#[test]
fn the_time_of_an_edited_entry_is_shown_with_its_year() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("j <enter> e");
    kioku.sees("time 2026-10-30 09:00");
}

#[test]
fn the_advice_of_a_wrong_time_and_a_cut_title_are_readable_on_a_narrow_screen() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("n").typed("On the lake").keys("<tab>").typed("the other day in the old town").key("ctrl-s");
    kioku.sees("“yesterday 3pm”");
    kioku.sees("“2026-11-20 15:30”");
    kioku.keys("<ctrl-u> <ctrl-s> k <enter> e").resize(32, 24);
    kioku.sees("…");
}

#[test]
fn an_edited_time_is_short_and_keeps_the_offset_of_its_entry() {
    let (folder, mut kioku) = kioku(80, 24);
    let day = folder.path().join("memory/2026-10-30.md");
    let written = std::fs::read_to_string(&day).unwrap().replace("09:00:00+07:00", "09:00:12+02:00");
    std::fs::write(&day, written).unwrap();
    kioku.command("Reload files").keys("j <enter> e <tab>");
    let caret = kioku.find("2026-10-30 09:00").x + 16;
    assert_eq!(kioku.cursor().map(|place| place.x), Some(caret), "{}", kioku.screen());
    kioku.keys("<backtab> !").key("ctrl-s");
    assert!(std::fs::read_to_string(&day).unwrap().contains("T09:00:12+02:00"), "untouched");
    kioku.keys("e <tab> <backspace>").typed("5").key("ctrl-s");
    assert!(std::fs::read_to_string(&day).unwrap().contains("T09:05:00+02:00"), "{}", kioku.screen());
}

#[test]
fn a_narrow_bar_keeps_the_shared_query() {
    let (_folder, mut kioku) = kioku(40, 12);
    kioku.keys("/").typed("lake").key("enter");
    for pane in ["1", "3", "4", "5"] {
        kioku.key(&format!("alt-{pane}"));
        let screen = kioku.screen();
        assert!(screen.lines().next().is_some_and(|bar| bar.contains("/l")), "pane {pane}:\n{screen}");
    }
}

#[test]
fn esc_on_the_answer_to_a_connection_goes_back_to_the_name() {
    let (_folder, mut kioku) = kioku(100, 30);
    kioku.keys("3 f").typed("linh").keys("<esc> b").typed("hung").key("enter");
    assert_eq!(kioku.app.pane(), "why");
    kioku.key("esc");
    assert_eq!(kioku.app.pane(), "entities");
}

#[test]
fn help_begins_with_what_can_be_done_here() {
    let (_folder, mut kioku) = kioku(100, 60);
    kioku.keys("?");
    let (date, everywhere) = (kioku.find("Go to a date"), kioku.find("Everywhere"));
    assert!(date.y < everywhere.y, "{}", kioku.screen());
    kioku.keys("<end>");
    let (off, save) = (kioku.find("Not available now"), kioku.find("Save the entry"));
    assert!(off.y < save.y && !kioku.screen().contains("more"), "{}", kioku.screen());
}

#[test]
fn help_in_a_form_lists_the_keys_of_the_text_and_no_others() {
    let (_folder, mut kioku) = kioku(100, 60);
    kioku.keys("n <alt-?>");
    let screen = kioku.screen();
    assert!(screen.contains("Copy the selection"), "{screen}");
    assert!(!screen.contains("Not available now") && !screen.contains("Suspend"), "{screen}");
}

#[test]
fn a_sequence_given_up_by_esc_is_not_explained_and_a_key_by_what_it_does_here() {
    let (_folder, mut kioku) = kioku_with(80, 24, &[], Settings::default());
    kioku.keys("g <esc>");
    assert_eq!(kioku.app.toasts(), [] as [&str; 0]);
    kioku.keys("5 <enter>");
    assert_eq!(kioku.app.toasts(), ["enter isn't available here · Open source entry"]);
}

#[test]
fn a_disabled_key_says_what_is_missing() {
    let (_folder, mut kioku) = kioku(80, 24);
    for (keys, told) in [
        ("d", "No entry is in focus: tab goes to the text of a day, d deletes there"),
        ("A", "No draft to resume and no record to keep"),
        ("x", "No draft to discard and no record to ignore"),
        ("3 =", "No more possible duplicates"),
    ] {
        kioku.keys(keys);
        assert_eq!(kioku.app.toasts().last(), Some(&told), "{keys}");
    }
}

#[test]
fn a_command_without_a_key_says_what_to_type_in_the_palette() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("2");
    kioku.sees("ctrl-p “saved” lists saved searches");
    kioku.key("ctrl-p").typed("saved").key("enter");
    kioku.sees("No saved searches");
}

#[test]
fn enter_on_a_day_without_entries_writes_one_there() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("g d").typed("2026-11-01").keys("<enter> <tab>");
    kioku.sees("enter  new entry on this day");
    kioku.key("enter");
    kioku.sees("New entry");
    kioku.sees("2026-11-01");
}

#[test]
fn a_hit_of_filters_only_says_so() {
    let (_folder, mut kioku) = kioku(160, 48);
    kioku.keys("/").typed("mood:calm").key("enter");
    kioku.sees("why this one: the filters");
}

#[test]
fn an_export_names_the_order_of_its_entries() {
    let (_folder, mut kioku) = kioku(80, 24);
    let outside = tempfile::tempdir().unwrap();
    for (query, order) in [("mood:stressed", "2 entries, newest first"), ("lake", "best first")] {
        let path = outside.path().join(query.replace(':', "-"));
        kioku.keys("/").typed(query).keys("<esc> X").typed(&path.display().to_string());
        kioku.key("enter");
        let page = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", kioku.screen()));
        assert!(page.contains(order), "{page}");
    }
}

#[test]
fn a_failed_export_keeps_the_typed_path() {
    let (_folder, mut kioku) = kioku(80, 24);
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("none/out.md");
    kioku.keys("j <enter>").command("Export").key("ctrl-u");
    kioku.typed(&path.display().to_string()).key("enter");
    let toasts = kioku.app.toasts();
    assert!(toasts.iter().any(|toast| toast.ends_with("out.md: no such folder")), "{toasts:?}");
    kioku.sees("export 1 entry to");
    kioku.keys("<esc>");
    kioku.sees_not("export 1 entry to");
}

#[test]
fn texts_cut_on_a_narrow_screen_end_in_an_ellipsis() {
    let (_folder, mut kioku) = kioku(40, 24);
    kioku.keys("g");
    kioku.sees("…");
    kioku.keys("<esc> J");
    kioku.sees("…");
}

#[test]
fn a_calendar_without_room_says_what_it_needs() {
    let (_folder, mut kioku) = kioku(40, 10);
    kioku.keys("c");
    assert_eq!(kioku.app.toasts(), ["The calendar needs 19 rows"]);
}

#[test]
fn completions_cover_what_is_beneath() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("/").typed("mood:");
    let chosen = kioku.find("›");
    let colours = |buffer: &Buffer, place: Position| {
        (place.x + 1..place.x + 6).map(|x| buffer[(x, place.y)].style()).collect::<Vec<_>>()
    };
    let below = Position { y: chosen.y + 1, ..chosen };
    for place in [chosen, below] {
        let styles = colours(kioku.buffer(), place);
        assert!(styles.iter().all(|style| *style == styles[0]), "{}", kioku.screen());
    }
}

#[test]
fn a_cleared_query_is_gone_back_to_with_its_list_and_selection() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("/").typed("work").keys("<enter> j");
    let before = kioku.screen();
    kioku.key("esc");
    assert_eq!(kioku.app.query().text(), "");
    assert_eq!(kioku.app.toasts(), ["Query cleared · alt-left goes back"]);
    kioku.wait(std::time::Duration::from_secs(6)).key("alt-left");
    assert_eq!(kioku.screen(), before);
    kioku.keys("1 <alt-x> <alt-left>");
    assert_eq!((kioku.app.pane(), kioku.app.query().text()), ("journal", "work"));
}

#[test]
fn a_filter_of_days_is_gone_back_to() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("f").typed("mood:calm").key("enter");
    let before = kioku.screen();
    kioku.sees_not("Th 19");
    kioku.keys("<esc>").wait(std::time::Duration::from_secs(6));
    kioku.sees("Th 19");
    kioku.key("alt-left");
    assert_eq!(kioku.screen(), before);
}

#[test]
fn q_closes_the_filters_before_it_quits() {
    let (_folder, mut kioku) = kioku(120, 30);
    kioku.keys("/").typed("lake").keys("<enter> f q");
    assert!(!kioku.has_quit());
    kioku.keys("q");
    assert!(kioku.has_quit());
}

#[test]
fn the_trash_shows_words_without_marks_of_markdown() {
    let entries = [("2026-11-19T21:05", "calm", "## Plans\n\n- call **Linh** about [the boat](https://a.example)")];
    let (_folder, mut kioku) = kioku_with(80, 24, &entries, Settings::default());
    kioku.keys("<end> <enter> d <ctrl-t>");
    kioku.sees("Plans - call Linh about the boat");
    kioku.sees_not("**");
}

#[test]
fn today_stays_in_the_list_of_days_when_the_selection_leaves_it() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.sees("Fr 20  nothing yet");
    kioku.keys("t j");
    kioku.sees("Fr 20  nothing yet");
    kioku.keys("k <enter>");
    kioku.sees("New entry");
}

#[test]
fn a_message_covers_no_text_where_another_place_is_free() {
    let long = "Rowed on the lake before work, and again in the evening when nobody was out. ".repeat(20);
    let (_folder, mut kioku) = kioku_with(80, 12, &[("2026-11-19T21:05", "calm", &long)], Settings::default());
    kioku.keys("<end> <enter> g g");
    let before = kioku.screen();
    kioku.keys("y");
    kioku.sees("Copied");
    for (before, now) in before.lines().zip(kioku.screen().lines()).take(11) {
        assert!(now.contains(before.trim_end()), "{before}\n{now}");
    }
}

#[test]
fn the_figures_beside_a_year_are_of_that_year() {
    let mut entries = ENTRIES.to_vec();
    entries.push(("2025-05-01T09:00", "calm", "Planted three trees."));
    let (_folder, mut kioku) = kioku_with(120, 40, &entries, Settings::default());
    kioku.keys("6");
    kioku.sees("All  5 entries on 5 days");
    kioku.sees("2026  4 entries · ");
    kioku.keys("[");
    kioku.sees("2025  1 entry · 3 words");
}

#[test]
fn ctrl_q_quits_above_every_overlay() {
    for overlay in ["?", ":", "<ctrl-t>", "<alt-g>", "!", "J"] {
        let (_folder, mut kioku) = kioku(80, 24);
        kioku.keys(overlay).key("ctrl-q");
        assert!(kioku.has_quit(), "above {overlay}:\n{}", kioku.screen());
    }
    // A letter above an overlay is an answer, or closes it.
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("? q : q <esc> <ctrl-t> q <alt-g> q ! q J q");
    assert!(!kioku.has_quit(), "{}", kioku.screen());
}

#[test]
fn a_record_that_is_being_typed_is_saved_by_quitting() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("<alt-g> n").typed("goal learn to swim");
    kioku.sent();
    kioku.key("ctrl-q");
    assert!(kioku.has_quit());
    assert!(kioku.sent().iter().any(|(_, request)| matches!(request, Request::Remember(_))));
}

#[test]
fn a_record_that_is_being_typed_stays_when_quitting_is_refused() {
    let (folder, mut kioku) = kioku(80, 24);
    std::fs::write(folder.path().join("drafts"), "no folder").unwrap();
    kioku.keys("n").typed("precious").keys("<alt-g> n").typed("item oat").keys("<ctrl-q>");
    kioku.sees("Text is not on disk");
    kioku.typed(" milk").key("enter");
    kioku.sees("Saved: oat milk");
    assert!(!kioku.has_quit());
}

#[test]
fn a_record_that_cannot_be_saved_is_in_the_line_again() {
    let (folder, mut kioku) = kioku(80, 24);
    std::fs::rename(folder.path().join("memory"), folder.path().join("elsewhere")).unwrap();
    std::fs::write(folder.path().join("memory"), "no folder").unwrap();
    kioku.keys("<alt-g> n").typed("item oat milk").key("enter");
    kioku.sees("add item oat milk");
}

#[test]
fn the_palette_runs_nothing_that_its_query_does_not_name() {
    let (_folder, mut kioku) = kioku(80, 24);
    kioku.keys("6 <ctrl-p>").typed("star");
    kioku.sees("No matching command");
    kioku.key("enter");
    kioku.sees("No matching command");
    kioku.keys("<esc> 1 n").typed("abc").key("ctrl-p").typed("journal");
    kioku.sees("Switch to another journal");
    kioku.key("enter");
    kioku.sees_not("Saved");
    kioku.sees("Journals");
}

#[test]
fn a_plain_screen_says_whose_connection_a_name_is() {
    let entries = [
        ("2026-10-30T09:00", "calm", "Rowed on the lake with @Linh and @Hùng."),
        ("2026-11-02T09:00", "calm", "Tea with @Linh and @Hùng."),
        ("2026-11-04T09:00", "calm", "@Hùng and @Mai moved the demo."),
        ("2026-11-19T21:05", "calm", "@Hùng and @Mai moved it again."),
    ];
    let settings = Settings { is_plain: true, ..Settings::default() };
    let (_folder, mut kioku) = kioku_with(120, 60, &entries, settings);
    kioku.keys("3 f").typed("linh").keys("<esc> <enter>");
    kioku.sees("Hùng, then Mai");
}
