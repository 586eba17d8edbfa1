//! The vault on a real disk: guarantees for the writer.
#![allow(clippy::unwrap_used, reason = "a test that fails to set its stage has failed")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use jiff::civil;
use kioku::{
    clock::Clock,
    journal::{
        Change, Draft, DraftId, Edited, Entry, EntryId, EntryTime, NewEntry, NoticeKind, Pass, TrashReason, Vanished,
        Vault, VaultError, VaultOptions, identity,
    },
};
use proptest::prelude::*;

const NOW: &str = "2026-02-22T15:30:00+07:00[+07:00]";

fn open_at(root: &Path, now: &str) -> Vault {
    let clock = Clock::fixed(now.parse().unwrap());
    let options = VaultOptions::new(root, clock);
    Vault::open(options).unwrap()
}

fn open(root: &Path) -> Vault {
    open_at(root, NOW)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn text(body: &str) -> NewEntry {
    NewEntry { body: body.to_owned(), ..NewEntry::default() }
}

fn body(body: &str) -> Change {
    Change { body: Some(body.to_owned()), ..Change::default() }
}

fn time(written: &str) -> EntryTime {
    EntryTime::parse(written, &jiff::tz::TimeZone::UTC).unwrap()
}

/// Every entry of the vault under its final name.
fn all(vault: &Vault) -> Vec<Entry> {
    let files = vault.files().unwrap();
    let written: Vec<_> = files.iter().flat_map(|stamp| vault.read(&stamp.file).unwrap().entries).collect();
    let written_names: Vec<_> = written
        .iter()
        .map(|written| identity::WrittenName {
            written: written.entry.id.as_str(),
            has_id: written.has_id,
            hash: written.entry.hash,
            time: &written.entry.time.written,
        })
        .collect();
    let names = identity::resolve(&written_names);
    let named = written.iter().zip(names).filter_map(|(written, name)| Some((written.entry.clone(), name?)));
    named.map(|(entry, id)| Entry { id, ..entry }).collect()
}

fn bodies(vault: &Vault) -> Vec<String> {
    all(vault).into_iter().map(|entry| entry.body).collect()
}

fn foreign(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder();
    for (name, text) in files {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const ORIGINAL: &str = "# Kioku — 2026-02-22

---
time: \"2026-02-22T09:00:00.123456+07:00\"
mood: \"calm\"
tags: ['work', 'x']
weather: rain
---
One.

---
time: \"2026-02-22T10:00:00+07:00\"
---
Two.
";

#[test]
fn a_new_entry_stands_in_a_file_the_original_could_have_written() {
    let folder = folder();
    let root = folder.path().join("journals/personal");
    let vault = open(&root);
    assert!(vault.files().unwrap().is_empty() && !root.exists(), "reading makes no folders");
    let new = NewEntry { mood: Some("glad".to_owned()), tags: vec!["a".to_owned(), "b".to_owned()], ..text("Hello.") };
    let entry = vault.append(new).unwrap();
    assert_eq!(entry.id.as_str().len(), 10);
    assert!(entry.id.as_str().bytes().all(|byte| b"abcdefghijklmnopqrstuvwxyz234567".contains(&byte)));
    let written = fs::read_to_string(root.join("memory/2026-02-22.md")).unwrap();
    let expected = format!(
        "# Kioku — 2026-02-22\n\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nmood: \"glad\"\ntags: [\"a\", \"b\"]\nid: \"{}\"\n---\nHello.\n",
        entry.id
    );
    assert_eq!(written, expected);
    assert_eq!(all(&vault), std::slice::from_ref(&entry));
    assert_eq!(written[entry.place.bytes.clone()].lines().next(), Some("---"));
    assert_eq!(vault.find("2026-02-22.md", &entry.id).unwrap(), Some(entry.clone()));
    let recent = vault.recent().unwrap();
    assert_eq!((recent.len(), &recent[0].entry.body, &recent[0].entry.id), (1, &entry.body, &entry.id));
    assert!(vault.write_warnings().is_empty());
    assert_eq!(fs::read_to_string(root.join("recent/.gitignore")).unwrap(), "*\n");
}

#[test]
fn appending_to_the_originals_file_changes_no_byte_of_it() {
    for ending in ["\n", "\r\n", ""] {
        let present = ORIGINAL.trim_end().replace('\n', if ending.is_empty() { "\n" } else { ending }) + ending;
        let folder = foreign(&[("memory/2026-02-22.md", &present)]);
        let vault = open(folder.path());
        let before = bodies(&vault);
        vault.append(text("three")).unwrap();
        let now = fs::read_to_string(folder.path().join("memory/2026-02-22.md")).unwrap();
        assert!(now.starts_with(&present));
        assert_eq!(bodies(&vault), [before, vec!["three".to_owned()]].concat());
        assert_eq!(now.contains("\r\n---\r\ntime: \"2026-02-22T15:30"), ending == "\r\n");
    }
}

#[test]
fn where_the_entries_are() {
    let entries = |files: &[(&str, &str)], inside: &str| {
        let folder = foreign(files);
        let root = folder.path().join(inside);
        open(&root).entries_folder().strip_prefix(&root).unwrap().to_path_buf()
    };
    assert_eq!(entries(&[], ""), Path::new("memory"));
    assert_eq!(entries(&[], "absent"), Path::new("memory"));
    assert_eq!(entries(&[("memory/2026-02-22.md", "")], ""), Path::new("memory"));
    assert_eq!(entries(&[("2026-02-22.md", ""), ("notes.md", "")], ""), Path::new(""));
    assert_eq!(entries(&[("notes.md", "")], ""), Path::new(""));
    // Another kioku is creating its first file.
    assert_eq!(entries(&[(".lock", ""), (".kioku-a1b2c3.tmp", "")], ""), Path::new("memory"));
    assert_eq!(
        entries(&[("journals/me/drafts/x.md", ""), ("journals/me/odd", "")], "journals/me"),
        Path::new("memory")
    );
}

#[test]
fn only_days_are_entries_and_copies_by_sync_programs_are_noticed() {
    let folder = foreign(&[
        ("2026-02-22.md", ORIGINAL),
        ("2026-02-30.md", ORIGINAL),
        ("notes.md", ORIGINAL),
        ("2026-02-22.sync-conflict-20260223-101010-ABCDEFG.md", ORIGINAL),
        ("2026-02-22 (conflicted copy 2026-02-23 101010).md", ORIGINAL),
        ("2026-02-22 2.md", ORIGINAL),
        ("2026-02-22 (1).md", ORIGINAL),
        ("2026-02-22 walk.md", ORIGINAL),
        ("2026-02-23.md/inside", ""),
    ]);
    let vault = open(folder.path());
    let files: Vec<_> = vault.files().unwrap().into_iter().map(|stamp| stamp.file.to_string()).collect();
    assert_eq!(files, ["2026-02-22 walk.md", "2026-02-22.md"]);
    let (_, notices) = vault.files_and_notices().unwrap();
    let kinds = |kind| notices.iter().filter(|notice| notice.kind == kind).count();
    assert_eq!((kinds(NoticeKind::ConflictCopy), kinds(NoticeKind::Undated), notices.len()), (4, 1, 5));
    assert!(matches!(vault.read("../2026-02-22.md"), Err(VaultError::Absent { .. })));
}

#[test]
fn an_edit_changes_its_entry_only_and_keeps_the_old_text() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let change = Change { mood: Some(Some("glad \"!\"".to_owned())), ..body("One, better.\n") };
    let Edited::Saved(entry) = vault.edit(&base, change).unwrap() else { panic!("not saved") };
    assert_eq!((entry.body.as_str(), entry.mood.as_deref()), ("One, better.\n", Some("glad \"!\"")));
    assert_eq!(entry.id, base.id, "the name it had is its id now");
    let expected = ORIGINAL
        .replace("mood: \"calm\"", "mood: \"glad \\\"!\\\"\"")
        .replace("weather: rain\n", "weather: rain\nid: \"2026-02-22T09:00:00.123456+07:00\"\n")
        .replace("One.\n", "One, better.\n\n");
    assert_eq!(fs::read_to_string(folder.path().join("memory/2026-02-22.md")).unwrap(), expected);
    let trash = vault.trash().unwrap();
    assert_eq!((trash.len(), trash[0].entry.body.as_str(), trash[0].why), (1, "One.", TrashReason::Edited));
    assert_eq!((trash[0].entry.mood.as_deref(), &trash[0].handle), (Some("calm"), &base.id.to_string()));
    assert_eq!(trash[0].entry.extra, [("weather".to_owned(), "rain".to_owned())]);

    let Edited::Unchanged(same) = vault.edit(&entry, body("One, better.\n")).unwrap() else { panic!("changed") };
    assert_eq!(same, entry);
    assert_eq!(vault.trash().unwrap().len(), 1);
}

#[test]
fn favourites_and_trackers_are_set_and_taken_out() {
    let folder = folder();
    let vault = open(folder.path());
    let entry = vault.append(text("x")).unwrap();
    let star = |value: Option<&str>| Change {
        extra: vec![
            ("star".to_owned(), value.map(str::to_owned)),
            ("sleep".to_owned(), value.map(|_| "6.5".to_owned())),
        ],
        ..Change::default()
    };
    let Edited::Saved(entry) = vault.edit(&entry, star(Some("true"))).unwrap() else { panic!("not saved") };
    assert!(entry.starred());
    assert_eq!(entry.trackers().collect::<Vec<_>>(), [("sleep", 6.5)]);
    let Edited::Saved(entry) = vault.edit(&entry, star(None)).unwrap() else { panic!("not saved") };
    assert!(entry.extra.is_empty());
}

#[test]
fn a_new_time_moves_an_entry_to_its_day() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let yesterday = Change { time: Some(time("2026-02-21T23:00:00+07:00")), ..body("One, earlier") };
    let Edited::Saved(entry) = vault.edit(&base, yesterday).unwrap() else { panic!("not saved") };
    assert_eq!((&*entry.place.file, entry.id.as_str()), ("2026-02-21.md", base.id.as_str()));
    assert_eq!(entry.extra, base.extra, "a line kioku does not know moves too");
    assert_eq!(bodies(&vault), ["One, earlier", "Two."]);
    assert_eq!(vault.trash().unwrap()[0].why, TrashReason::Moved);

    let restored = vault.restore(base.id.as_str()).unwrap();
    assert_eq!((&*restored.place.file, restored.body.as_str()), ("2026-02-22.md", "One."));
    let mut now = bodies(&vault);
    now.sort();
    assert_eq!(now, ["One.", "Two."]);
    let trash = vault.trash().unwrap();
    assert_eq!((trash.len(), trash[0].entry.body.as_str()), (1, "One, earlier"));
}

#[test]
fn a_move_that_breaks_off_leaves_the_text_and_is_done_by_trying_again() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let before = fs::read(folder.path().join("memory/2026-02-22.md")).unwrap();
    // A file is in the place of the trash, so the copy that is made before the old place is emptied fails.
    fs::write(folder.path().join("trash"), "in the way").unwrap();
    let yesterday = || Change { time: Some(time("2026-02-21T23:00:00+07:00")), ..Change::default() };
    vault.edit(&base, yesterday()).unwrap_err();
    assert_eq!(fs::read(folder.path().join("memory/2026-02-22.md")).unwrap(), before, "the old place is as it was");
    let there = folder.path().join("memory/2026-02-21.md");
    assert!(!there.exists(), "no copy is left, which would come back later");
    fs::write(&there, "A note without a last line ending.").unwrap();
    vault.edit(&base, yesterday()).unwrap_err();
    assert_eq!(fs::read_to_string(&there).unwrap(), "A note without a last line ending.");
    fs::remove_file(there).unwrap();

    fs::remove_file(folder.path().join("trash")).unwrap();
    let Edited::Saved(entry) = vault.edit(&base, yesterday()).unwrap() else { panic!("not saved") };
    assert_eq!((&*entry.place.file, entry.body.as_str()), ("2026-02-21.md", "One."));
    assert_eq!(bodies(&vault), ["One.", "Two."], "once, not twice");
    assert_eq!(vault.trash().unwrap()[0].why, TrashReason::Moved);
}

#[test]
fn a_later_time_on_the_same_day_stays_in_its_file() {
    // Original files are kept by the day of saving: this entry's own day differs.
    let folder = foreign(&[("memory/2026-02-23.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(1);
    let later = Change { time: Some(time("2026-02-22T11:00:00+07:00")), ..Change::default() };
    let Edited::Saved(entry) = vault.edit(&base, later).unwrap() else { panic!("not saved") };
    assert_eq!((&*entry.place.file, entry.place.position, entry.id), ("2026-02-23.md", 1, base.id));
    assert_eq!(entry.time.written, "2026-02-22T11:00:00+07:00");
}

#[test]
fn the_day_is_chosen_at_writing_and_a_later_start_of_day_moves_nothing() {
    let folder = folder();
    let night = open_at(folder.path(), "2026-02-22T02:00:00+07:00[+07:00]");
    let owl = Vault::open(VaultOptions { day_start: civil::time(4, 0, 0, 0), ..night.options().clone() }).unwrap();
    let entry = owl.append(text("still up")).unwrap();
    assert_eq!((&*entry.place.file, entry.day), ("2026-02-21.md", civil::date(2026, 2, 21)));
    let entry = all(&night).remove(0);
    assert_eq!((&*entry.place.file, entry.day), ("2026-02-21.md", civil::date(2026, 2, 22)));
    let later = Change { time: Some(time("2026-02-22T03:00:00+07:00")), ..body("up") };
    let Edited::Saved(entry) = night.edit(&entry, later).unwrap() else { panic!("not saved") };
    assert_eq!(&*entry.place.file, "2026-02-21.md");
}

#[test]
fn one_id_over_two_texts_is_two_entries_and_an_edit_settles_it() {
    let block = |body: &str| format!("\n---\ntime: \"2026-02-22T10:00:00+07:00\"\nid: \"k1\"\n---\n{body}\n");
    let folder = foreign(&[("memory/2026-02-22.md", &block("mine")), ("memory/2026-02-23.md", &block("theirs"))]);
    let vault = open(folder.path());
    let before = all(&vault);
    assert_eq!(before[0].id.as_str(), "k1");
    assert!(before[1].id.as_str().starts_with("k1~"));
    let Edited::Saved(second) = vault.edit(&before[1], body("theirs, kept")).unwrap() else { panic!("not saved") };
    assert_eq!((&second.id, &*second.place.file), (&before[1].id, "2026-02-23.md"));
    vault.edit(&before[0], body("mine, kept")).unwrap();
    let after: Vec<_> = all(&vault).into_iter().map(|entry| (entry.id, entry.body)).collect();
    let expected = [(before[0].id.clone(), "mine, kept"), (before[1].id.clone(), "theirs, kept")];
    assert_eq!(after, expected.map(|(id, body)| (id, body.to_owned())));
}

#[test]
fn what_somebody_else_changed_meanwhile_is_kept() {
    let folder = folder();
    let (mine, theirs) = (open(folder.path()), open(folder.path()));
    let tags = |tags: &[&str]| Some(tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>());
    let base = mine.append(NewEntry { tags: tags(&["a", "b"]).unwrap(), ..text("base") }).unwrap();
    theirs
        .edit(&base, Change { mood: Some(Some("sad".to_owned())), tags: tags(&["b", "theirs"]), ..Change::default() })
        .unwrap();
    let Edited::Saved(merged) = mine.edit(&base, Change { tags: tags(&["a", "b", "mine"]), ..body("mine") }).unwrap()
    else {
        panic!("not merged")
    };
    assert_eq!((merged.body.as_str(), merged.mood.as_deref()), ("mine", Some("sad")));
    assert_eq!(merged.tags, ["b", "mine", "theirs"]);

    let Edited::KeptBoth { theirs: stands, mine: second } = theirs.edit(&base, body("theirs")).unwrap() else {
        panic!("not both kept")
    };
    assert_eq!((stands.body.as_str(), second.body.as_str()), ("mine", "theirs"));
    assert_eq!((&stands.id, &second.time), (&base.id, &base.time));
    assert_ne!(second.id, base.id);
    assert_eq!(bodies(&mine), ["mine", "theirs"]);
}

#[test]
fn an_edit_of_an_entry_without_id_finds_it_after_another_program_changed_it() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(1);
    fs::write(folder.path().join("memory/2026-02-22.md"), ORIGINAL.replace("Two.", "Two, by vim.")).unwrap();
    let mood = Change { mood: Some(Some("glad".to_owned())), ..Change::default() };
    let Edited::Saved(entry) = vault.edit(&base, mood).unwrap() else { panic!("not saved") };
    assert_eq!((entry.body.as_str(), entry.mood.as_deref()), ("Two, by vim.", Some("glad")));
    assert!(matches!(vault.remove(&base), Err(VaultError::Changed { .. })));
}

#[test]
fn the_text_of_an_edit_survives_that_its_entry_is_gone() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    fs::remove_file(folder.path().join("memory/2026-02-22.md")).unwrap();
    let Edited::Saved(entry) = vault.edit(&base, body("typed for an hour")).unwrap() else { panic!("not saved") };
    assert_eq!((entry.id, entry.mood), (base.id, base.mood));
    assert_eq!(bodies(&vault), ["typed for an hour"]);
}

#[test]
fn entries_that_share_a_time_are_edited_under_their_own_names() {
    let file = ORIGINAL.replace("2026-02-22T10:00:00+07:00", "2026-02-22T09:00:00.123456+07:00");
    let folder = foreign(&[("memory/2026-02-22.md", &file)]);
    let vault = open(folder.path());
    let before = all(&vault);
    assert!(before.iter().all(|entry| entry.id.as_str().contains('~')));
    assert_eq!(vault.find("2026-02-22.md", &EntryId::from(before[0].time.written.as_str())).unwrap(), None);
    assert_eq!(vault.find("2026-02-22.md", &before[1].id).unwrap().unwrap().body, "Two.");
    vault.edit(&before[1], body("Second")).unwrap();
    let after = all(&vault);
    assert_eq!(after.iter().map(|entry| &entry.id).collect::<Vec<_>>(), [&before[0].id, &before[1].id]);
    assert_eq!(bodies(&vault), ["One.", "Second"]);
}

#[test]
fn what_is_removed_can_be_put_back_where_it_was() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let trashed = vault.remove(&base).unwrap();
    assert_eq!((trashed.why, trashed.entry.body.as_str()), (TrashReason::Deleted, "One."));
    assert_eq!(trashed.trashed.written, "2026-02-22T15:30:00+07:00");
    assert_eq!(bodies(&vault), ["Two."]);
    assert!(matches!(vault.remove(&base), Err(VaultError::Absent { .. })));
    let restored = vault.restore(&trashed.handle).unwrap();
    assert_eq!(
        (restored.id, restored.mood, restored.tags, restored.extra),
        (base.id, base.mood, base.tags, base.extra)
    );
    let mut now = bodies(&vault);
    now.sort();
    assert_eq!(now, ["One.", "Two."]);
    assert!(vault.trash().unwrap().is_empty());
    assert!(matches!(vault.restore(&trashed.handle), Err(VaultError::Absent { .. })));
}

#[test]
fn every_older_version_is_in_the_trash_and_comes_back_by_its_handle() {
    let folder = folder();
    let mut entry = open(folder.path()).append(text("v0")).unwrap();
    for version in 1..4 {
        let vault = open_at(folder.path(), &format!("2026-02-22T16:0{version}:00+07:00[+07:00]"));
        let Edited::Saved(next) = vault.edit(&entry, body(&format!("v{version}"))).unwrap() else {
            panic!("not saved")
        };
        entry = next;
    }
    let vault = open_at(folder.path(), "2026-02-22T17:00:00+07:00[+07:00]");
    let handles: Vec<_> = vault.trash().unwrap().into_iter().map(|piece| (piece.handle, piece.entry.body)).collect();
    let id = entry.id.as_str();
    let expected = [(id.to_owned(), "v2"), (format!("{id}#2"), "v1"), (format!("{id}#3"), "v0")];
    assert_eq!(handles, expected.map(|(handle, body)| (handle, body.to_owned())));
    assert_eq!(vault.restore(&format!("{id}#3")).unwrap().body, "v0");
    assert_eq!(bodies(&vault), ["v0"]);
    let left: Vec<_> = vault.trash().unwrap().into_iter().map(|piece| piece.entry.body).collect();
    assert_eq!(left, ["v3", "v2", "v1"]);
}

#[test]
fn with_a_clock_set_back_the_version_deleted_last_comes_back_first() {
    let folder = folder();
    let entry = open(folder.path()).append(text("before")).unwrap();
    let Edited::Saved(entry) =
        open_at(folder.path(), "2031-01-01T00:00:00+07:00[+07:00]").edit(&entry, body("after")).unwrap()
    else {
        panic!("not saved")
    };
    let vault = open_at(folder.path(), "2026-02-22T17:00:00+07:00[+07:00]");
    let handle = vault.remove(&entry).unwrap().handle;
    assert_eq!(vault.restore(&handle).unwrap().body, "after");
}

#[test]
fn what_another_program_lost_is_kept_once() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let known = all(&vault);
    assert!(matches!(vault.keep_vanished(&known[0]).unwrap(), Vanished::Stands(_)));
    fs::write(folder.path().join("memory/2026-02-22.md"), ORIGINAL.replace("One.", "Vim.")).unwrap();
    let Vanished::Trashed(kept) = vault.keep_vanished(&known[0]).unwrap() else { panic!("it is not kept") };
    assert_eq!((kept.why, kept.entry.body.as_str(), &kept.entry.id), (TrashReason::Vanished, "One.", &known[0].id));
    assert_eq!(
        (&kept.entry.mood, &kept.entry.tags, &kept.entry.extra),
        (&known[0].mood, &known[0].tags, &known[0].extra)
    );
    assert_eq!(vault.keep_vanished(&known[0]).unwrap(), Vanished::Settled, "it is kept already");
    assert_eq!(vault.restore(&kept.handle).unwrap().body, "One.");
    // What kioku itself edited or removed is in the trash under its own reason.
    let now = all(&vault);
    vault.remove(&now[1]).unwrap();
    assert_eq!(vault.keep_vanished(&now[1]).unwrap(), Vanished::Settled);
}

#[test]
fn bytes_that_are_not_utf8_can_be_read_and_put_aside_but_not_edited() {
    let folder = folder();
    let path = folder.path().join("2026-02-22.md");
    let head = b"---\ntime: \"2026-02-22T09:00:00+07:00\"\n---\n";
    fs::write(&path, [head.as_slice(), b"caf\xe9\n\n", head, b"fine\n"].concat()).unwrap();
    let vault = open(folder.path());
    let entries = all(&vault);
    assert_eq!(entries[0].body, "caf\u{fffd}");
    let refused = vault.edit(&entries[0], body("café")).unwrap_err();
    assert!(matches!(&refused, VaultError::Refused { line: 4, .. }), "{refused}");
    vault.edit(&entries[1], body("better")).unwrap();
    let handle = vault.remove(&entries[0]).unwrap().handle;
    assert_eq!(bodies(&vault), ["better"]);
    vault.restore(&handle).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.windows(4).any(|window| window == b"caf\xe9"));
}

#[test]
fn the_second_copy_outlives_the_file_for_thirty_days() {
    let folder = folder();
    open_at(folder.path(), "2026-01-01T10:00:00+07:00[+07:00]").append(text("old")).unwrap();
    let vault = open_at(folder.path(), "2026-01-31T10:00:00+07:00[+07:00]");
    vault.append(text("---\nid: tricky")).unwrap();
    vault.append(text("")).unwrap();
    fs::remove_dir_all(vault.entries_folder()).unwrap();
    let recent: Vec<_> = vault.recent().unwrap().into_iter().map(|written| written.entry.body).collect();
    assert_eq!(recent, ["old", "---\nid: tricky", ""]);
    fs::create_dir(vault.entries_folder()).unwrap();
    open_at(folder.path(), "2026-02-01T10:00:00+07:00[+07:00]").append(text("x")).unwrap();
    assert_eq!(vault.recent().unwrap().len(), 3, "the oldest is gone, the newest has come");
}

#[test]
fn nothing_stops_writing_when_the_second_copy_cannot_be_made() {
    let folder = folder();
    fs::write(folder.path().join("recent"), "a file in its place").unwrap();
    fs::create_dir(folder.path().join("memory")).unwrap();
    let vault = open(folder.path());
    vault.append(text("safe")).unwrap();
    assert_eq!(bodies(&vault), ["safe"]);
    assert!(vault.write_warnings().concat().contains("recent"));
    assert!(vault.write_warnings().is_empty(), "said once");
}

#[test]
fn an_import_adds_what_is_new_and_overwrites_nothing() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let new = |id: Option<&str>, at: &str, text: &str| NewEntry {
        id: id.map(str::to_owned),
        time: Some(time(at)),
        body: text.to_owned(),
        ..NewEntry::default()
    };
    let batch = vec![
        new(Some("k2"), "2026-02-22T08:00:00Z", "later"),
        new(Some("k1"), "2026-02-22T01:00:00Z", "earlier"),
        new(None, "2026-02-22T10:00:00+07:00", "Two."),
        new(None, "2020-01-01T00:00:00.000001", "no offset, no id"),
        new(Some("k1"), "2026-02-22T01:00:00Z", "another text"),
        new(Some("k2"), "2026-02-22T08:00:00Z", "later"),
    ];
    let done = vault.append_all(batch.clone()).unwrap();
    assert_eq!((done.added.len(), done.known), (3, 2));
    assert_eq!(done.differing, [EntryId::from("k1")]);
    let now = fs::read_to_string(folder.path().join("memory/2026-02-22.md")).unwrap();
    assert!(now.starts_with(ORIGINAL));
    assert_eq!(bodies(&vault), ["no offset, no id", "One.", "Two.", "earlier", "later"]);
    let first = &all(&vault)[0];
    assert_eq!((first.time.written.as_str(), &first.id), ("2020-01-01T00:00:00.000001", &done.added[2]));
    assert_eq!(first.time.at.to_string(), "2019-12-31T17:00:00.000001Z", "read in the configured zone");

    let again = vault.append_all(batch).unwrap();
    assert_eq!((again.added.len(), again.known, again.differing.len()), (0, 5, 1));
    assert_eq!(vault.recent().unwrap().len(), 3);
}

/// Every byte in the vault, file names included, except the entry's own hash in the list of forgotten texts.
fn bytes_under(root: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        bytes.extend_from_slice(path.to_string_lossy().as_bytes());
        bytes.extend(if path.is_dir() { bytes_under(&path) } else { fs::read(&path).unwrap() });
    }
    bytes
}

fn holds(root: &Path, text: &str) -> bool {
    bytes_under(root).windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn what_is_forgotten_is_nowhere_and_does_not_come_back() {
    let folder = folder();
    let vault = open(folder.path());
    vault.append(text("kept before")).unwrap();
    let first = vault.append(text("secret one")).unwrap();
    vault.append(text("kept after")).unwrap();
    let Edited::Saved(entry) = vault.edit(&first, body("secret two")).unwrap() else { panic!("not saved") };
    let draft = Draft {
        id: DraftId("d".to_owned()),
        editing: Some(entry.id.clone()),
        base: None,
        time: String::new(),
        mood: String::new(),
        tags: String::new(),
        body: "secret three".to_owned(),
    };
    vault.keep_draft(&draft).unwrap();
    fs::create_dir(folder.path().join("answers")).unwrap();
    fs::write(folder.path().join(format!("answers/{}.json", entry.hash)), "secret four").unwrap();
    fs::write(folder.path().join("memory/.kioku-left.tmp"), "secret five").unwrap();
    // A copy that a sync program left in another day's file.
    fs::copy(folder.path().join("memory/2026-02-22.md"), folder.path().join("memory/2026-02-23.md")).unwrap();

    let forgotten = vault.forget(&entry, Pass::Delete).unwrap();
    assert_eq!((forgotten.entries, forgotten.trashed, forgotten.drafts, forgotten.answers), (2, 1, 1, 1));
    assert_eq!((forgotten.second_copies, forgotten.hashes.len()), (2, 2));
    assert!(!holds(folder.path(), "secret"));
    assert_eq!(bodies(&vault), ["kept before", "kept after"]);
    assert_eq!(vault.keep_vanished(&entry).unwrap(), Vanished::Settled, "another kioku that still knows it");
    assert_eq!(vault.keep_vanished(&first).unwrap(), Vanished::Settled);
    assert!(!holds(folder.path(), "secret"));
}

#[test]
fn redacting_keeps_the_entry_and_forgets_its_text() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let (entry, forgotten) = vault.redact(&base).unwrap();
    assert_eq!(
        (entry.body.as_str(), &entry.mood, &entry.tags, &entry.id),
        ("[redacted]", &base.mood, &base.tags, &base.id)
    );
    assert_eq!(forgotten.entries, 1);
    assert!(!holds(folder.path(), "One."));
    assert!(matches!(vault.forget(&base, Pass::Delete), Err(VaultError::Changed { .. })));
}

#[test]
fn a_name_is_written_in_before_something_refers_to_it() {
    let folder = foreign(&[("memory/2026-02-22.md", ORIGINAL)]);
    let vault = open(folder.path());
    let base = all(&vault).remove(1);
    let fixed = vault.fix_id(&base).unwrap();
    assert_eq!((&fixed.id, &fixed.body), (&base.id, &base.body));
    let now = fs::read_to_string(folder.path().join("memory/2026-02-22.md")).unwrap();
    let head = "time: \"2026-02-22T10:00:00+07:00\"\n";
    assert_eq!(now, ORIGINAL.replace(head, &format!("{head}id: \"2026-02-22T10:00:00+07:00\"\n")));
    assert_eq!(vault.fix_id(&base).unwrap(), fixed);
    assert!(vault.trash().unwrap().is_empty());
}

#[test]
fn a_doubled_entry_is_one_entry_to_edit_and_to_remove() {
    let block = "\n---\ntime: \"2026-02-22T10:00:00+07:00\"\nid: \"k1\"\n---\nTwice.\n";
    let other = "\n---\ntime: \"2026-02-22T11:00:00+07:00\"\n---\nOther.\n";
    let folder = foreign(&[("memory/2026-02-22.md", &[block, other, block, block].concat())]);
    let vault = open(folder.path());
    let base = all(&vault).remove(0);
    let last = Entry { place: kioku::journal::Place { position: 3, ..base.place.clone() }, ..base };
    let Edited::Saved(entry) = vault.edit(&last, body("Once.")).unwrap() else { panic!("not saved") };
    assert_eq!(bodies(&vault), ["Other.", "Once."]);
    assert_eq!(all(&vault)[1], entry);

    fs::write(folder.path().join("memory/2026-02-22.md"), [block, other, block].concat()).unwrap();
    let base = all(&vault).remove(0);
    vault.remove(&base).unwrap();
    assert_eq!(bodies(&vault), ["Other."]);
}

#[test]
fn nothing_in_utf8_is_written_into_a_file_in_utf16() {
    let folder = foreign(&[("memory/2026-02-23.md", ORIGINAL)]);
    let day = folder.path().join("memory/2026-02-22.md");
    let wide: Vec<u8> = "\u{feff}hello\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&day, &wide).unwrap();
    let vault = open(folder.path());
    assert!(vault.read("2026-02-22.md").unwrap().notices[0].message.contains("UTF-16"));
    assert_eq!(&*vault.append(text("Added.")).unwrap().place.file, "2026_02_22.md");
    vault.append_all(vec![text("Imported.")]).unwrap();
    let trashed = vault.remove(&vault.read("2026_02_22.md").unwrap().entries.remove(0).entry).unwrap();
    assert!(vault.restore(&trashed.handle).is_ok());
    assert_eq!(fs::read(&day).unwrap(), wide);
}

#[test]
fn a_draft_lives_until_it_is_dropped() {
    let folder = folder();
    let vault = open(folder.path());
    let draft = Draft {
        id: DraftId("../escape".to_owned()),
        editing: Some("k1".into()),
        base: None,
        time: "yesterd".to_owned(),
        mood: "\"".to_owned(),
        tags: "a, ".to_owned(),
        body: "half a sen\n---\n".to_owned(),
    };
    vault.keep_draft(&Draft { body: "older".to_owned(), ..draft.clone() }).unwrap();
    vault.keep_draft(&draft).unwrap();
    assert_eq!(vault.drafts().unwrap(), std::slice::from_ref(&draft));
    fs::write(folder.path().join("drafts/damaged.md"), "only text").unwrap();
    assert_eq!(vault.drafts().unwrap().len(), 2);
    vault.drop_draft(&draft.id).unwrap();
    vault.drop_draft(&draft.id).unwrap();
    let left = vault.drafts().unwrap();
    assert_eq!((left.len(), left[0].body.as_str()), (1, "only text"));
}

#[test]
fn an_append_torn_at_any_byte_loses_no_entry_and_the_next_one_stands_whole() {
    let folder = folder();
    let vault = open(folder.path());
    vault.append(text("first\n")).unwrap();
    let path = folder.path().join("memory/2026-02-22.md");
    let before = fs::read(&path).unwrap();
    vault.append(NewEntry { mood: Some("x".to_owned()), ..text("second\n\n---\nid: no") }).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in before.len()..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(bodies(&vault)[0].starts_with("first\n"));
        let next = vault.append(text("third")).unwrap();
        let after = fs::read(&path).unwrap();
        assert!(after.starts_with(&whole[..length]), "what was torn is kept");
        assert_eq!(all(&vault).last(), Some(&next));
        assert_eq!(next.body, "third");
        assert!(bodies(&vault)[0].starts_with("first\n"));
    }
}

#[test]
fn writers_in_many_threads_lose_nothing() {
    let folder = folder();
    let root = folder.path();
    let shared = open(root).append(text("0")).unwrap();
    let merged = AtomicUsize::new(0);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (shared, merged) = (&shared, &merged);
            scope.spawn(move || {
                let vault = open(root);
                for turn in 0..8 {
                    let entry = vault.append(text(&format!("{writer}.{turn}"))).unwrap();
                    vault.edit(&entry, body(&format!("{writer}.{turn} edited"))).unwrap();
                    let tag = Change { tags: Some(vec![format!("{writer}.{turn}")]), ..Change::default() };
                    if let Edited::Saved(_) = vault.edit(shared, tag).unwrap() {
                        merged.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let entries = all(&open(root));
    assert_eq!(entries.len(), 33);
    for writer in 0..4 {
        for turn in 0..8 {
            assert!(entries.iter().any(|entry| entry.body == format!("{writer}.{turn} edited")));
        }
    }
    let all_tags = &entries.iter().find(|entry| entry.id == shared.id).unwrap().tags;
    assert_eq!((all_tags.len(), merged.into_inner()), (32, 32), "every writer's tag was merged in");
}

const CHILD_ROOT: &str = "KIOKU_TEST_CHILD_ROOT";

/// Run by the next test in child processes.
#[test]
#[ignore = "the other process of two_processes_lose_nothing"]
fn child_process_appends() {
    let root = PathBuf::from(std::env::var_os(CHILD_ROOT).expect("the parent test names the vault"));
    let vault = open(&root);
    for turn in 0..20 {
        vault.append(text(&format!("{}.{turn}", std::process::id()))).unwrap();
    }
}

#[test]
fn two_processes_lose_nothing() {
    let folder = folder();
    let child = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["vault::child_process_appends", "--exact", "--ignored"]).env(CHILD_ROOT, folder.path());
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children = [child(), child()];
    let ids: Vec<u32> = children.iter().map(std::process::Child::id).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let bodies = bodies(&open(folder.path()));
    for id in ids {
        let of_one: Vec<_> = bodies.iter().filter(|body| body.starts_with(&format!("{id}."))).collect();
        assert_eq!(of_one.len(), 20);
        assert!(of_one.iter().enumerate().all(|(turn, body)| **body == format!("{id}.{turn}")), "in the order written");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Append(String),
    Edit(prop::sample::Index, String),
    Remove(prop::sample::Index),
    Restore,
}

fn any_step() -> impl Strategy<Value = Step> {
    let piece = prop::sample::select(vec![
        "---",
        "\\---",
        "time: \"2026-02-22T15:30:00+07:00\"",
        "id: x",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "é",
    ]);
    let body = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
    prop_oneof![
        4 => body.clone().prop_map(Step::Append),
        3 => (any::<prop::sample::Index>(), body).prop_map(|(pick, body)| Step::Edit(pick, body)),
        2 => any::<prop::sample::Index>().prop_map(Step::Remove),
        1 => Just(Step::Restore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_run_of_writes_reads_like_a_plain_list(preface in "[a-z\r\n-]{0,8}", steps in prop::collection::vec(any_step(), 1..14)) {
        let folder = foreign(&[("memory/2026-02-22.md", &preface)]);
        let vault = open(folder.path());
        let named = |entry: Entry| (entry.id, entry.body);
        let mut model: Vec<(EntryId, String)> = all(&vault).into_iter().map(named).collect();
        let headless = !model.is_empty();
        let mut removed: Vec<(EntryId, String)> = Vec::new();
        for step in steps {
            let now = all(&vault);
            match step {
                Step::Append(body) => model.push((vault.append(text(&body)).unwrap().id, body)),
                Step::Edit(pick, new) if !now.is_empty() => {
                    let chosen = &now[pick.index(now.len())];
                    vault.edit(chosen, body(&new)).unwrap();
                    model.iter_mut().filter(|(id, _)| *id == chosen.id).for_each(|(_, body)| *body = new.clone());
                }
                Step::Remove(pick) if !now.is_empty() => {
                    let chosen = &now[pick.index(now.len())];
                    vault.remove(chosen).unwrap();
                    let at = model.iter().position(|(id, _)| *id == chosen.id).unwrap();
                    removed.push(model.remove(at));
                }
                Step::Restore => {
                    if let Some((id, body)) = removed.pop() {
                        // The newest piece of this id is the removed one.
                        prop_assert_eq!(&vault.restore(id.as_str()).unwrap().body, &body);
                        model.push((id, body));
                    }
                }
                _ => {}
            }
            let mut stands: Vec<_> = all(&vault).into_iter().map(named).collect();
            let mut expected = model.clone();
            // A text without a head is restored at the start of its file.
            if headless {
                stands.sort();
                expected.sort();
            }
            prop_assert_eq!(&stands, &expected);
            let bytes = fs::read(folder.path().join("memory/2026-02-22.md")).unwrap();
            prop_assert!(headless || bytes.starts_with(preface.as_bytes()) || model.is_empty());
        }
    }
}

/// Files as other programs and crashes leave them.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nid: \"a\"\n---\nx\n", "---\r\nmood: \"x\"\r\ntime: 2026-02-22T15:30:00\r\n---\r\n",
            "---\ntime: 2026-02-22T15:30:00\nescaped: true\n---\n\\---\nid: x\n", "---\ntime: \"2026-02-2", "\u{feff}", "# Kioku\n", "\0",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        2 => prop::sample::select(vec!["\n", "\r\n", "\r", "---", "---\n", "time: x\n", "text"]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..5),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_a_file_holds_it_is_read_and_written_to_without_harm(file in any_bytes(), pick in any::<prop::sample::Index>()) {
        let folder = folder();
        let path = folder.path().join("2026-02-22.md");
        fs::write(&path, &file).unwrap();
        let vault = open(folder.path());
        let before = all(&vault);
        let new = vault.append(text("new\n")).unwrap();
        prop_assert!(fs::read(&path).unwrap().starts_with(&file));
        let now = all(&vault);
        prop_assert_eq!(&now[..before.len()], &before[..]);
        prop_assert_eq!((now.len(), now.last()), (before.len() + 1, Some(&new)));

        let present = fs::read(&path).unwrap();
        let at = pick.index(now.len());
        let range = now[at].place.bytes.clone();
        match vault.edit(&now[at], body("changed")) {
            Ok(_) => {
                let edited = fs::read(&path).unwrap();
                prop_assert!(edited.starts_with(&present[..range.start]));
                prop_assert_eq!(bodies(&vault).swap_remove(at), "changed");
            }
            Err(VaultError::Refused { .. }) => {
                prop_assert!(std::str::from_utf8(&present[range]).is_err(), "refused without need");
                prop_assert_eq!(&fs::read(&path).unwrap(), &present);
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
        let base = all(&vault).swap_remove(at);
        vault.remove(&base).unwrap();
        let others = |entries: Vec<Entry>| entries.into_iter().map(|entry| (entry.id, entry.hash)).collect::<Vec<_>>();
        let mut expected = others(now);
        expected.remove(at);
        // An entry that shared time or id with the removed one may have a shorter name now, but its text is there.
        let texts = |of: &[(EntryId, kioku::journal::BodyHash)]| of.iter().map(|(_, hash)| *hash).collect::<Vec<_>>();
        prop_assert_eq!(texts(&others(all(&vault))), texts(&expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn among_equal_times_and_ids_an_edit_changes_the_entry_that_was_meant(
        blocks in prop::collection::vec((0..3u8, prop::option::of("[ab]"), "[xy]"), 1..6), pick in any::<prop::sample::Index>()
    ) {
        let print = |(minute, id, body): &(u8, Option<String>, String)| {
            let id = id.as_ref().map(|id| format!("id: {id}\n")).unwrap_or_default();
            format!("\n---\ntime: \"2026-02-22T10:0{minute}:00+07:00\"\n{id}---\n{body}\n")
        };
        let file: String = blocks.iter().map(print).collect();
        let folder = foreign(&[("memory/2026-02-22.md", &file)]);
        let vault = open(folder.path());
        let before = all(&vault);
        let at = pick.index(before.len());
        vault.edit(&before[at], body("changed")).unwrap();
        let after = all(&vault);
        let changed: Vec<_> = after.iter().filter(|entry| entry.body == "changed").collect();
        prop_assert_eq!(changed.len(), 1);
        prop_assert_eq!(&changed[0].id, &before[at].id);
        // Every other text is still there, with its time.
        for other in before.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, entry)| entry) {
            prop_assert!(after.iter().any(|entry| (&entry.body, &entry.time) == (&other.body, &other.time)));
        }
    }
}

#[test]
#[ignore = "a measurement: run it alone, with --nocapture"]
fn a_hundred_thousand_entries() {
    let folder = folder();
    let vault = open(folder.path());
    let start = time("2006-01-01T08:00:00Z").at;
    let new: Vec<_> = (0..100_000)
        .map(|n| {
            let at = start + jiff::SignedDuration::from_mins(n * 105);
            NewEntry {
                time: Some(time(&at.to_string())),
                mood: Some("calm".to_owned()),
                tags: vec!["work".to_owned(), "home".to_owned()],
                body: format!("Entry {n}. ") + &"Words that somebody wrote on a day of no importance. ".repeat(8),
                ..NewEntry::default()
            }
        })
        .collect();
    let clock = std::time::Instant::now();
    let done = vault.append_all(new).unwrap();
    println!("import of {}: {:?}", done.added.len(), clock.elapsed());
    let clock = std::time::Instant::now();
    let files = vault.files().unwrap();
    println!("list of {} files: {:?}", files.len(), clock.elapsed());
    let bytes: u64 = files.iter().map(|stamp| stamp.size).sum();
    let clock = std::time::Instant::now();
    let entries: usize = files.iter().map(|stamp| vault.read(&stamp.file).unwrap().entries.len()).sum();
    println!("reading {entries} entries, {} MB: {:?}", bytes >> 20, clock.elapsed());
    let clock = std::time::Instant::now();
    for _ in 0..20 {
        vault.append(text("one more")).unwrap();
    }
    println!("append: {:?}", clock.elapsed() / 20);
}
