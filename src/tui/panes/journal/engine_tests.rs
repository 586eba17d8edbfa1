//! The journal on a real engine and a real vault: what is typed is on disk, and comes back.

use std::{path::Path, time::Duration};

use jiff::civil::date;

use crate::{
    clock::Clock,
    engine::{Engine, EngineOptions},
    index::vector::Ann,
    journal::{Change, NoteEdit, NoteField, NoteList, Vault, VaultOptions},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::{PaneEntry, pane},
    },
};

const PANES: &[PaneEntry] = &[pane::<super::Journal>()];

fn vault_options(root: &Path) -> VaultOptions {
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(7));
    VaultOptions {
        root: root.to_path_buf(),
        day_start: jiff::civil::Time::midnight(),
        clock: Clock::fixed(date(2026, 11, 20).at(9, 0, 0, 0).to_zoned(zone).unwrap()),
        machine: "test".to_owned(),
    }
}

fn start(root: &Path) -> Harness {
    let engine = Engine::inline(EngineOptions {
        vault: vault_options(root),
        models: root.join("models"),
        model: None,
        encoder: None,
        ann: Ann::Off,
        watch: false,
    });
    Harness::new(HarnessSetup { engine: Some(engine), size: (120, 40), ..HarnessSetup::new(PANES) })
}

fn vault(root: &Path) -> Vault {
    Vault::open(vault_options(root)).unwrap()
}

#[track_caller]
fn sees(harness: &Harness, text: &str) {
    assert!(harness.screen().contains(text), "\"{text}\" is not on the screen:\n{}", harness.screen());
}

#[test]
fn a_first_entry_is_written_found_again_undone_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    sees(&journal, "This journal is empty.");
    journal.keys("n").typed("Phở with @Linh by the lake. #lunch").keys("<ctrl-s>");
    sees(&journal, "Saved");
    sees(&journal, "P Linh");
    sees(&journal, "1 entry · 7 words");
    let file = vault(folder.path()).read("2026-11-20.md").unwrap();
    assert_eq!(file.entries[0].entry.body, "Phở with @Linh by the lake. #lunch");
    drop(journal);

    let mut journal = start(folder.path());
    sees(&journal, "Phở with @Linh");
    journal.keys("d");
    sees(&journal, "u brings it back");
    assert!(!journal.screen().contains("Phở"));
    journal.keys("u");
    sees(&journal, "Phở with @Linh");
}

#[test]
fn a_draft_survives_a_death_without_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("half a thought").wait(Duration::from_secs(4));
    drop(journal);

    let mut journal = start(folder.path());
    sees(&journal, "a draft of 3 words from 2026-11-20 09:00");
    journal.keys("<enter>").typed(", now whole").keys("<ctrl-s>");
    sees(&journal, "half a thought, now whole");
    assert!(vault(folder.path()).drafts().unwrap().is_empty());
    drop(journal);
    assert!(!start(folder.path()).screen().contains("a draft of"));
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
    sees(&journal, "Somebody changed this entry meanwhile");
    sees(&journal, "The first text, mine");
    sees(&journal, "Their text");
}

#[test]
fn a_moved_entry_is_followed_to_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("On the train").keys("<ctrl-s>").keys("e <tab> <ctrl-u>").typed("18 november 7:15");
    journal.keys("<ctrl-s>");
    sees(&journal, "Wednesday 18 November 2026");
    sees(&journal, "07:15");
    assert!(vault(folder.path()).read("2026-11-18.md").unwrap().entries[0].entry.body == "On the train");
    journal.keys("t");
    sees(&journal, "Nothing written.");
}

#[test]
fn a_name_that_was_curated_elsewhere_changes_on_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = start(folder.path());
    journal.keys("n").typed("Phở with @Linh by the lake.").keys("<ctrl-s>");
    sees(&journal, "P Linh");
    let rename = [
        NoteEdit::Set(NoteField::Name, Some("Sister".to_owned())),
        NoteEdit::Add(NoteList::Aliases, "Linh".to_owned()),
    ];
    vault(folder.path()).curate("Linh", None, &rename).unwrap();
    journal.keys("<ctrl-r>");
    sees(&journal, "P Sister");
}
