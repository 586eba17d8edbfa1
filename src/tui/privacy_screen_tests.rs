//! Tests of the privacy screen over every pane and overlay, on a real session and a real vault.

use std::{path::Path, time::Duration};

use super::{
    event::Event,
    fixtures,
    harness::{Harness, HarnessSetup},
    keymap::{KeyOverrides, OwnKeys},
    panes::PANES,
    update_context::Settings,
};
use crate::session::SessionWorkers;

fn start(root: &Path, size: (u16, u16), settings: Settings, theme: &str) -> Harness {
    let session = SessionWorkers::inline(fixtures::session_options(root));
    let theme = theme.to_owned();
    let mut harness =
        Harness::new(HarnessSetup { session: Some(session), size, settings, theme, ..HarnessSetup::new(PANES) });
    harness.keys("n").typed("Phở 漢字 with @Linh by the lake. I am calm.").keys("<ctrl-s>");
    harness.wait(Duration::from_secs(5));
    harness
}

fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(60 * minutes)
}

/// Whether any word of the entry is readable.
fn tells(harness: &Harness) -> bool {
    let screen = harness.screen();
    ["Phở", "漢字", "Linh", "lake", "calm", "personal"].iter().any(|word| screen.contains(word))
}

#[test]
fn the_blur_shows_blocks_of_the_same_width_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 10)] {
        let folder = tempfile::tempdir().unwrap();
        let mut harness = start(folder.path(), (width, height), Settings::default(), "dark");
        let before = harness.screen();
        harness.keys("<f9>");
        assert!(!tells(&harness), "{}", harness.screen());
        insta::assert_snapshot!(format!("blurred_{width}x{height}"), harness.screen());
        harness.keys("<f9>");
        assert_eq!(harness.screen(), before);
    }
}

#[test]
fn every_pane_and_overlay_is_blurred_and_goes_on_working() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = start(folder.path(), (120, 40), Settings::default(), "none");
    harness.keys("<f9>");
    for keys in [
        "1",
        "2",
        "<esc> 3",
        "<enter>",
        "<alt-4>",
        "<esc> 5",
        "6",
        "?",
        "<esc> :",
        "<esc> <ctrl-t>",
        "<esc> 1 n",
        "<esc> g",
    ] {
        harness.keys(keys);
        assert!(!tells(&harness), "{keys}:\n{}", harness.screen());
    }
    harness.keys("<esc> n").typed("with the lake in mind").keys("<ctrl-s>");
    assert!(!tells(&harness), "{}", harness.screen());
    harness.keys("<alt-v>");
    assert!(harness.screen().contains("with the lake in mind"));
}

#[test]
fn the_key_works_over_an_overlay_a_field_and_an_unfinished_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = start(folder.path(), (80, 24), Settings::default(), "dark");
    harness.keys(": <f9>");
    harness.sees_not("Commands");
    harness.keys("<f9> <esc> / <f9>").typed("lake").keys("<f9>");
    harness.sees("> lake");
    harness.keys("<esc> <esc> 3 g <f9> <f9>");
    assert!(!harness.screen().contains('▒'), "{}", harness.screen());
}

#[test]
fn a_letter_given_to_the_blur_is_still_typed_in_fields() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = start(folder.path(), (80, 24), Settings::default(), "dark");
    let own = OwnKeys { chords: vec!["B".to_owned()], line: 1 };
    let keys = KeyOverrides { keys: [("app.blur".to_owned(), own)].into(), ..KeyOverrides::default() };
    let mut plain = Harness::new(HarnessSetup { keys, ..HarnessSetup::new(PANES) });
    plain.keys("/").typed("By");
    plain.sees("> By");
    plain.keys("<esc> B");
    assert!(plain.screen().contains('▒'));
    harness.keys("B");
    assert!(!harness.screen().contains('▒'), "the default key stays where nothing is said");
}

#[test]
fn a_screen_left_alone_goes_blank_and_a_key_only_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { blank_after: Some(minutes(10)), ..Settings::default() };
    let mut harness = start(folder.path(), (80, 24), settings, "dark");
    let before = harness.screen();
    harness.wait(minutes(9));
    assert_eq!(harness.screen(), before);
    harness.keys("j").wait(minutes(9));
    assert!(tells(&harness), "a key begins the time anew");
    harness.wait(minutes(1));
    insta::assert_snapshot!("blank", harness.screen());
    assert_eq!(harness.cursor(), None);
    harness.resize(40, 10);
    insta::assert_snapshot!("blank_40x10", harness.screen());
    harness.resize(80, 24).keys("q");
    assert!(!harness.has_quit(), "what is pressed blindly is not done");
    assert!(tells(&harness));
}

#[test]
fn what_is_being_written_is_kept_while_the_screen_is_blank() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = start(folder.path(), (80, 24), Settings::default(), "dark");
    harness.keys("n").typed("half a thought").keys("<f8>");
    assert!(!harness.screen().contains("half"));
    harness.wait(Duration::from_secs(4));
    assert!(harness.sent().iter().any(|(_, request)| matches!(request, crate::session::Request::KeepDraft(_))));
    harness.event(Event::Paste("pasted blindly".to_owned()));
    assert!(harness.screen().contains("paste again") && !harness.screen().contains("pasted blindly"));
    harness.typed(", whole");
    harness.sees("half a thought, whole");
}

#[test]
fn an_error_under_the_blur_waits_until_it_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { blurred: true, ..Settings::default() };
    let mut harness = start(folder.path(), (80, 24), settings, "dark");
    assert!(!tells(&harness));
    harness.keys("E j k");
    harness.keys("<f9>");
    assert!(harness.screen().contains("No editor found:"), "{}", harness.screen());
}
