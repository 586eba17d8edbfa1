//! The Journal pane on a real session and a real vault: typed text is on disk, and comes back.

use std::{path::Path, time::Duration};

use crate::{
    journal::{Change, NoteEdit, NoteField, NoteList, Vault},
    session::{Reply, SessionWorkers},
    tui::{
        fixtures,
        harness::{Harness, HarnessSetup},
        panes::{PaneEntry, pane},
        theme::Role,
    },
};

const PANES: &[PaneEntry] = &[pane::<super::Journal>(), pane::<crate::tui::panes::entities::Entities>()];

fn start(root: &Path) -> Harness {
    let session = SessionWorkers::inline(fixtures::session_options(root));
    Harness::new(HarnessSetup { session: Some(session), size: (120, 40), ..HarnessSetup::new(PANES) })
}

/// A journal of three days, typed by keys.
fn written(root: &Path) -> Harness {
    let mut journal = start(root);
    for (time, mood, tags, text) in [
        ("17 november 8:00", "calm", "walk", "Along the river with @Linh."),
        ("18 november 9:15", "tense", "work", "Met [[Project X]] head on."),
        ("18 november 21:00", "calm", "", "Phở with @Linh."),
        ("20 november 8:30", "tense", "work", "The demo is late."),
    ] {
        journal.keys("n").typed(text).keys("<tab> <ctrl-u>").typed(time).keys("<tab>").typed(mood).keys("<tab>");
        journal.typed(tags).keys("<ctrl-s>");
    }
    journal.keys("t h").wait(Duration::from_secs(10));
    journal
}

/// Some toast contains the text, whatever its line breaks.
#[track_caller]
fn says(harness: &Harness, text: &str) {
    let toasts = harness.app.toasts();
    assert!(toasts.iter().any(|toast| toast.contains(text)), "\"{text}\" is not said: {toasts:?}");
}

fn bodies(root: &Path, day: &str) -> Vec<String> {
    let day = vault(root).read_if_there(&format!("{day}.md")).unwrap();
    day.map_or(Vec::new(), |day| day.entries.into_iter().map(|written| written.entry.body).collect())
}

fn vault(root: &Path) -> Vault {
    Vault::open(fixtures::session_options(root).vault).unwrap()
}

#[test]
fn a_first_entry_is_written_found_again_undone_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.sees("This journal is empty.");
    journal.keys("n").typed("Phở with @Linh by the lake. #lunch").keys("<ctrl-s>");
    journal.sees("Saved");
    journal.sees("Linh person");
    journal.sees("1 entry · 7 words");
    let file = vault(folder.path()).read("2026-11-20.md").unwrap();
    assert_eq!(file.entries[0].entry.body, "Phở with @Linh by the lake. #lunch");
    drop(journal);

    let mut journal = start(folder.path());
    journal.sees("Phở with @Linh");
    journal.keys("d");
    assert!(!journal.screen().contains("u undo"), "only the focused entry is deleted");
    journal.keys("<enter> d");
    journal.sees("u undo");
    assert!(!journal.screen().contains("Phở"));
    journal.keys("u");
    journal.sees("Phở with @Linh");
}

#[test]
fn a_draft_survives_a_death_without_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("half a thought").wait(Duration::from_secs(4));
    drop(journal);

    let mut journal = start(folder.path());
    journal.sees("unsaved draft, 3 words, 2026-11-20 09:00");
    journal.keys("n").typed(", now whole").keys("<ctrl-s>");
    journal.sees("half a thought, now whole");
    assert!(vault(folder.path()).drafts().unwrap().is_empty());
    drop(journal);
    assert!(!start(folder.path()).screen().contains("unsaved draft"));
}

#[test]
fn two_edits_of_one_entry_both_stand() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("The first text").keys("<ctrl-s>").keys("e").typed(", mine");
    let vault = vault(folder.path());
    let base = vault.read("2026-11-20.md").unwrap().entries.remove(0).entry;
    vault.edit(&base, Change { body: Some("Their text".to_owned()), ..Change::default() }).unwrap();
    journal.keys("<ctrl-s>");
    journal.sees("Changed by another program meanwhile");
    journal.sees("The first text, mine");
    journal.sees("Their text");
}

#[test]
fn a_moved_entry_is_followed_to_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("On the train").keys("<ctrl-s>").keys("e <tab> <ctrl-u>").typed("18 november 7:15");
    journal.keys("<ctrl-s>");
    journal.sees("Wednesday 18 November 2026");
    journal.sees("07:15");
    assert!(vault(folder.path()).read("2026-11-18.md").unwrap().entries[0].entry.body == "On the train");
    journal.keys("t");
    journal.sees("Nothing written.");
}

#[test]
fn a_day_whose_folder_is_away_is_not_called_empty_and_is_shown_as_soon_as_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    let (memory, away) = (folder.path().join("memory"), folder.path().join("memory.away"));
    std::fs::rename(&memory, &away).unwrap();
    journal.keys("j k").sees("the folder with the entries is gone");
    assert!(!journal.screen().contains("Nothing written."));
    std::fs::rename(&away, &memory).unwrap();
    journal.reply(Reply::ViewChanged).sees("The demo is late.");
    assert!(!journal.screen().contains("try again"));
}

#[test]
fn a_name_that_was_curated_elsewhere_changes_on_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("Phở with @Linh by the lake.").keys("<ctrl-s>");
    journal.sees("Linh person");
    let rename = [
        NoteEdit::Set(NoteField::Name, Some("Sister".to_owned())),
        NoteEdit::Add(NoteList::Aliases, "Linh".to_owned()),
    ];
    vault(folder.path()).curate("Linh", None, &rename).unwrap();
    journal.command("Reload files");
    journal.sees("Sister person");
}

#[test]
fn a_move_is_taken_back_with_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    let before = std::fs::read(folder.path().join("memory/2026-11-20.md")).unwrap();
    journal.keys("l").command("move").typed("18 november").keys("<enter>");
    says(&journal, "Moved to Wednesday 18 November 2026, 08:30 · u undo");
    assert_eq!(bodies(folder.path(), "2026-11-20"), Vec::<String>::new());
    assert_eq!(bodies(folder.path(), "2026-11-18").len(), 3);
    journal.keys("u");
    says(&journal, "Undid");
    journal.sees("Friday 20 November 2026");
    journal.sees("The demo is late.");
    assert_eq!(bodies(folder.path(), "2026-11-20"), ["The demo is late."]);
    assert_eq!(bodies(folder.path(), "2026-11-18").len(), 2);
    let after = std::fs::read(folder.path().join("memory/2026-11-20.md")).unwrap();
    assert_eq!(String::from_utf8(after).unwrap(), String::from_utf8(before).unwrap());
}

#[test]
fn a_filter_finds_every_day_that_passes_and_goes_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("f").typed("ten").keys("<enter>");
    journal.sees("2 hits on 2 days");
    journal.sees("mood:tense");
    journal.sees_not("Tu 17");
    journal.keys("f").typed("#wo").keys("<enter>").keys("f").typed("[[proj").keys("<enter>");
    journal.sees("1 hit on 1 day");
    journal.sees("Wednesday 18 November 2026");
    journal.keys("<alt-x>");
    journal.sees("Tu 17");
}

#[test]
fn a_name_in_the_text_leads_to_its_portrait_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("j l . <enter>");
    assert_eq!(journal.app.pane(), "entities");
    journal.sees("Project X");
    journal.keys("1");
    journal.sees("Met [[Project X]] head on.");
    journal.keys("j <enter> <enter>");
    assert_eq!(journal.app.pane(), "entities");
    journal.sees("Linh   person");
    journal.sees("2 mentions on 2 days");
}

#[test]
fn several_entries_of_several_days_are_deleted_and_come_back_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("l m h j l m m");
    journal.sees("3 entries marked");
    insta::assert_snapshot!("marked", journal.screen());
    journal.keys("d");
    says(&journal, "Deleted 3 entries · u undo");
    assert!(bodies(folder.path(), "2026-11-20").is_empty() && bodies(folder.path(), "2026-11-18").is_empty());
    journal.sees_not("marked");
    journal.keys("u");
    says(&journal, "Undid: changes of 3 entries");
    assert_eq!(bodies(folder.path(), "2026-11-18"), ["Met [[Project X]] head on.", "Phở with @Linh."]);
    assert_eq!(bodies(folder.path(), "2026-11-20"), ["The demo is late."]);
}

#[test]
fn several_entries_are_tagged_and_untagged_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    let tags = |day: &str| -> Vec<Vec<String>> {
        let day = vault(folder.path()).read(&format!("{day}.md")).unwrap();
        day.entries.into_iter().map(|written| written.entry.tags).collect()
    };
    journal.keys("m j l m m").command("Add or remove tags").typed("autumn -work").keys("<enter>");
    says(&journal, "Changed 3 entries · u undo");
    assert_eq!(tags("2026-11-18"), [["autumn"], ["autumn"]]);
    assert_eq!(tags("2026-11-20"), [["autumn"]]);
    journal.keys("u");
    assert_eq!(tags("2026-11-18"), [vec!["work".to_owned()], vec![]]);
    assert_eq!(tags("2026-11-20"), [["work"]]);
}

#[test]
fn what_somebody_changed_meanwhile_is_not_deleted_with_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("j l m m");
    let vault = vault(folder.path());
    let base = vault.read("2026-11-18.md").unwrap().entries.remove(0).entry;
    vault.edit(&base, Change { body: Some("Theirs".to_owned()), ..Change::default() }).unwrap();
    journal.keys("d");
    says(&journal, "was changed by another program meanwhile");
    assert_eq!(bodies(folder.path(), "2026-11-18"), ["Theirs"]);
    journal.sees("1 entry marked");
    journal.keys("u");
    assert_eq!(bodies(folder.path(), "2026-11-18"), ["Theirs", "Phở with @Linh."]);
}

#[test]
fn marked_entries_are_exported_to_a_file_that_was_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("out.md");
    journal.keys("m j l m m X <ctrl-u>").typed(path.to_str().unwrap()).keys("<enter>");
    let made = std::fs::read_to_string(&path).unwrap();
    assert!(
        made.starts_with("# Wednesday 18 November 2026\n\n## 09:15 · tense · #work\n\nMet [[Project X]]"),
        "{made}"
    );
    assert!(made.contains("# Friday 20 November 2026"));
    journal.keys("X <ctrl-u>").typed(path.to_str().unwrap()).keys("<enter>");
    says(&journal, "already exists");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), made);
    let inside = folder.path().join("memory/out.md");
    journal.keys("X <ctrl-u>").typed(inside.to_str().unwrap()).keys("<enter>");
    says(&journal, "inside the journal");
    assert!(!inside.exists());
}

#[test]
fn a_template_of_the_vault_is_there_as_soon_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n");
    std::fs::create_dir(folder.path().join("templates")).unwrap();
    let text = "---\nmood: awake\n---\nDream of {weekday}: {cursor}.";
    std::fs::write(folder.path().join("templates/dream.md"), text).unwrap();
    journal.keys("<alt-t>").typed("dre").keys("<enter>").typed("a river").keys("<ctrl-s>");
    let entry = vault(folder.path()).read("2026-11-20.md").unwrap().entries.remove(0).entry;
    assert_eq!((entry.body.as_str(), entry.mood.as_deref()), ("Dream of Friday: a river.", Some("awake")));
}

#[test]
fn by_mouse_a_name_below_its_entry_is_chosen_and_then_followed_and_a_day_gone_into() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("g d").typed("18 november").key("enter");
    journal.click("Project X topic");
    assert_eq!(journal.app.pane(), "journal", "the first click chooses");
    assert!(journal.shows_as("[[Project X]]", Role::Selected), "{}", journal.screen());
    journal.click("21:00   calm").click("Linh person").click("Linh person");
    assert_eq!(journal.app.pane(), "entities");
    assert!(journal.shows_as("Linh   person", Role::Title), "{}", journal.screen());
}

/// Seven days with the same two people and one subject, on a screen of that size.
fn remembered(root: &Path, size: (u16, u16)) -> Harness {
    let mut journal = start(root);
    journal.resize(size.0, size.1);
    for day in 10..17 {
        let text = format!("Rowed on the long lake with @Linh before breakfast, morning number {day}.");
        journal.keys("n").typed(&text).keys("<tab> <ctrl-u>").typed(&format!("{day} november 8:00"));
        journal.keys("<tab>").typed("calm").keys("<ctrl-s>");
    }
    journal.keys("<esc>").wait(Duration::from_secs(10));
    journal
}

#[test]
fn each_day_of_the_list_shows_its_first_words_and_a_mark_for_its_mood() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.sees("Tu 17  + ▁ Along the river");
    journal.sees("We 18  ");
    journal.keys("n").typed("A quiet evening.").keys("<tab> <ctrl-u>").typed("19 november 20:00").keys("<ctrl-s>");
    journal.keys("<esc>").wait(Duration::from_secs(10));
    journal.sees("Th 19    ▁ A quiet evening.");
}

#[test]
fn the_calendar_is_there_from_120_columns_on_and_elsewhere_on_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.sees("Mo Tu We Th Fr Sa Su");
    journal.resize(110, 40);
    journal.sees_not("Mo Tu We Th Fr Sa Su");
    journal.keys("c");
    journal.sees("Mo Tu We Th Fr Sa Su");
}

#[test]
fn names_are_below_the_focused_entry_only_and_five_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    let text = "Dinner with @Linh, @Hùng, @Mai, @Khoa, @Tomoko and @Ngân.";
    journal.keys("n").typed(text).keys("<tab> <ctrl-u>").typed("8:00").keys("<ctrl-s>");
    journal.keys("n").typed("Tea with @Sáu.").keys("<tab> <ctrl-u>").typed("8:30").keys("<ctrl-s>");
    journal.keys("<enter> k").wait(Duration::from_secs(10));
    let people = |journal: &Harness| journal.screen().matches(" person").count() - 1;
    // The name of the journal is one of them.
    assert_eq!(people(&journal), 5, "{}", journal.screen());
    journal.sees_not("Ngân person");
    journal.keys("<,>");
    journal.sees("Ngân person");
    assert_eq!(people(&journal), 5, "the chosen one is among them");
    journal.keys("<esc> j");
    assert_eq!(people(&journal), 1, "{}", journal.screen());
    journal.sees("Sáu person");
}

#[test]
fn a_long_entry_says_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.resize(80, 24);
    journal.keys("n").event(crate::tui::event::Event::Paste("A line.\n\n".repeat(40)));
    journal.keys("<ctrl-s> <home>").wait(Duration::from_secs(10));
    journal.sees("lines 1–20 of 8");
    journal.keys("j j j");
    journal.sees("lines 4–23 of 8");
}

#[test]
fn a_very_wide_screen_shows_related_entries_which_are_opened_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = remembered(folder.path(), (160, 48));
    journal.sees("Related");
    journal.sees("│ 15.”  2026-11-15");
    journal.sees_not("16.”");
    journal.keys("<tab> <tab> <enter>");
    journal.sees("Sunday 15 November 2026");
    journal.keys("<alt-left>");
    journal.sees("Monday 16 November 2026");
    journal.keys("<alt-l>");
    journal.sees_not("Related");
}

#[test]
fn on_a_smaller_screen_related_entries_take_the_place_of_the_text() {
    for size in [(120, 40), (80, 24), (40, 10)] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = remembered(folder.path(), size);
        journal.sees_not("Related");
        journal.keys("<alt-l>").settle();
        journal.sees("Related");
        journal.sees("15.”");
        journal.sees_not("Monday 16");
        journal.keys("<enter>");
        journal.sees("Sunday 15 Nov");
        journal.keys("<alt-left>");
        journal.sees("Monday 16 Nov");
        journal.keys("<alt-l>").settle();
        journal.sees("Related");
        journal.keys("m");
        journal.sees_not("marked");
        journal.keys("<esc>");
        journal.sees("Monday 16 Nov");
        journal.sees_not("Related");
    }
}

#[test]
fn on_a_smaller_screen_related_entries_are_shown_below_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = remembered(folder.path(), (80, 24));
    journal.keys("n").typed("Breakfast with @Linh again").keys("<alt-l>").wait(Duration::from_millis(800)).settle();
    journal.sees("Breakfast with @Linh again");
    journal.sees("Related");
    journal.sees("16.”");
    journal.keys("<alt-l>");
    journal.sees_not("Related");
    journal.resize(80, 16).keys("<alt-l>");
    journal.sees_not(" Related\n");
    says(&journal, "Related entries need 22 rows while you write");
}

#[test]
fn a_short_entry_has_no_related_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = remembered(folder.path(), (80, 24));
    journal.keys("n").typed("Two words.").keys("<ctrl-s> <alt-l>").settle();
    journal.sees("Nothing related found");
}

#[test]
fn the_first_steps_fit_on_a_small_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.resize(40, 10);
    journal.sees("kioku demo");
    journal.keys("d");
    says(&journal, "No entry is in focus: tab goes to the text of a day, d deletes there");
}

#[test]
fn the_list_of_days_shows_words_without_marks_of_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    let text = "- **Rain** and [[Project X]] at [the lake](https://a.example)";
    journal.keys("n").typed(text).keys("<ctrl-s> <esc>").wait(Duration::from_secs(10));
    journal.sees("Rain and Project X");
    journal.resize(80, 24).keys("<esc>");
    journal.sees("Rain and Project X at the lake");
}

#[test]
fn related_entries_follow_what_is_written_once_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = remembered(folder.path(), (160, 48));
    journal.keys("n").typed("Breakfast with @Linh again");
    journal.sees_not("Related");
    journal.keys("<alt-l>").wait(Duration::from_millis(800)).settle();
    journal.sees("Related");
    journal.sees("│ 16.”  2026-11-16");
    journal.typed(", at the lake.");
    journal.sees("at the lake.");
}

#[test]
fn links_of_an_entry_are_opened_outside_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    let lake = folder.path().join("lake.jpg");
    std::fs::write(&lake, "").unwrap();
    let lake = lake.to_str().unwrap();
    journal.keys("n").event(crate::tui::event::Event::Paste(format!("![lake]({lake}) and https://example.org.")));
    journal.keys("<ctrl-s> o o o");
    assert_eq!(journal.opened(), [lake, "https://example.org", lake]);
    says(&journal, "(1 of 2)");
    journal.keys("n").typed("Nothing to see.").keys("<ctrl-s> o");
    assert!(journal.opened().is_empty());
    says(&journal, "No links in this entry");
}

#[test]
fn an_image_that_a_saved_text_shows_is_copied_into_the_journal() {
    let (folder, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (lake, secret) = (photos.path().join("Lake.gif"), photos.path().join("secret.gif"));
    std::fs::write(&lake, "GIF89a").unwrap();
    std::fs::write(&secret, "not for the journal").unwrap();
    let mut journal = start(folder.path());
    let paste = |text: String| crate::tui::event::Event::Paste(text);
    journal.keys("n").event(paste(format!("By the lake. ![]({})", lake.display()))).keys("<ctrl-s>");
    let text = &bodies(folder.path(), "2026-11-20")[0];
    let (before, name) = text.split_once("![](attachments/").unwrap();
    assert_eq!(before, "By the lake. ");
    let copy = folder.path().join("attachments").join(name.trim_end_matches(')'));
    assert!(name.ends_with("-lake.gif)") && std::fs::read(copy).unwrap() == b"GIF89a", "{text}");
    journal.keys("e").event(paste(format!("![a folder]({}) ", photos.path().display()))).keys("<ctrl-s>");
    says(&journal, "it is a folder");
    let text = &bodies(folder.path(), "2026-11-20")[0];
    assert!(text.contains("-lake.gif") && text.contains("![a folder]"), "the text is saved all the same: {text}");

    // A text that came from elsewhere, with a path that nobody typed here.
    let path = secret.display();
    let from_elsewhere = Change { body: Some(format!("![]({path}) x")), ..Change::default() };
    let base = vault(folder.path()).read("2026-11-20.md").unwrap().entries.remove(0).entry;
    vault(folder.path()).edit(&base, from_elsewhere).unwrap();
    journal.command("Reload files").keys("e").typed("Corrected. ").keys("<ctrl-s>");
    let text = &bodies(folder.path(), "2026-11-20")[0];
    assert!(text.contains("Corrected.") && text.contains("secret.gif") && !text.contains("-secret.gif"), "{text}");
}

fn drafts(root: &Path) -> Vec<String> {
    vault(root).drafts().unwrap().into_iter().map(|draft| draft.body).collect()
}

#[test]
fn a_draft_that_a_window_has_open_is_not_offered_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = start(folder.path());
    first.keys("n").typed("zkone ").wait(Duration::from_secs(1));
    let mut second = start(folder.path());
    second.sees_not("unsaved draft");
    second.keys("n").typed("zkbee ").keys("<esc>");
    second.sees("Kept as a draft");
    drop(second);
    first.keys("<ctrl-s>");
    assert_eq!(bodies(folder.path(), "2026-11-20"), ["zkone "]);
    assert_eq!(drafts(folder.path()), ["zkbee "]);
    drop(first);
    let mut third = start(folder.path());
    third.sees("unsaved draft, 1 word");
    third.keys("x y");
    assert!(drafts(folder.path()).is_empty());
    let left = folder.path().join("drafts").read_dir().unwrap().flatten().map(|file| file.file_name());
    assert!(left.into_iter().all(|name| name == ".gitignore"), "the claim goes with the draft");
}

#[test]
fn a_save_removes_only_a_draft_with_the_text_that_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("zkone ").wait(Duration::from_secs(1));
    let mut other = vault(folder.path()).drafts().unwrap().remove(0);
    other.body = "zkbee ".to_owned();
    vault(folder.path()).keep_draft(&other).unwrap();
    journal.keys("<ctrl-s>");
    assert_eq!(drafts(folder.path()), ["zkbee "]);
}

#[test]
fn entries_of_the_same_minute_are_in_file_order() {
    let root = tempfile::tempdir().unwrap();
    let mut journal = start(root.path());
    for nth in 1..=5 {
        journal.keys("n").typed(&format!("Number {nth}.")).keys("<tab> <ctrl-u>").typed("17 november 8:00");
        journal.keys("<ctrl-s>");
    }
    journal.keys("t h j").wait(Duration::from_secs(10));
    let screen = journal.screen();
    // Not the row in the list of days.
    let row = |nth| screen.lines().position(|line| line.contains(&format!("Number {nth}.")) && !line.contains('·'));
    let shown: Vec<_> = (1..=5).map(row).collect();
    assert!(shown.iter().all(Option::is_some) && shown.is_sorted(), "{screen}");
}

#[test]
fn tab_keeps_a_tag_as_typed_and_right_completes_it() {
    let root = tempfile::tempdir().unwrap();
    let mut journal = start(root.path());
    journal.keys("n").typed("Gym.").keys("<backtab>").typed("workout").keys("<ctrl-s>").wait(Duration::from_secs(10));
    journal.keys("n <backtab>").typed("work").keys("<right> <tab>").typed("Run.").keys("<ctrl-s>");
    journal.keys("n <backtab>").typed("work").keys("<tab>").typed("Demo.").keys("<ctrl-s>");
    let day = vault(root.path()).read_if_there("2026-11-20.md").unwrap().unwrap();
    let tags: Vec<_> = day.entries.iter().map(|written| written.entry.tags.join(" ")).collect();
    assert_eq!(tags, ["workout", "workout", "work"]);
}

#[test]
fn links_lead_to_days_and_a_missing_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("n").typed("As on [[2026-11-17]]. ![x](nothere.png)").keys("<ctrl-s>").wait(Duration::from_secs(10));
    journal.keys("<end> . <enter>");
    journal.sees("Tuesday 17 November 2026");
    journal.keys("<alt-left> o");
    journal.sees("Tuesday 17 November 2026");
    journal.keys("<alt-left> o");
    says(&journal, "No such file: nothere.png");
    assert!(journal.opened().is_empty());
}

#[test]
fn a_long_address_takes_one_line_and_a_failure_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed(&format!("https://example.org/{}", "a".repeat(300))).keys("<ctrl-s> o");
    assert_eq!(journal.app.toasts(), ["Opening https://example.org/aaaaaaaaaaaaaaaaaaa…"]);
    journal.event(crate::tui::event::Event::NotOpened("No program opens links here".into()));
    assert_eq!(journal.app.toasts(), ["No program opens links here"]);
}

#[test]
fn undo_says_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = written(folder.path());
    journal.keys("h").command("Toggle favourite").sees("No matching command");
    journal.keys("<esc> l").command("Toggle favourite").wait(Duration::from_secs(10)).keys("u");
    says(&journal, "Undid: favourite mark of the entry of 20 November 2026, 08:30");
}
