//! Entries that another program removed, overwrote or truncated: every acknowledged text is kept in the trash.

use std::{
    fs,
    path::{Path, PathBuf},
};

use kioku::{
    journal::{Change, NewEntry, Pass, TrashReason, Vanished, Vault, VaultError},
    session::Session,
};

use super::{
    cli::Kioku,
    sync::{at, options},
};

fn today(kioku: &Kioku) -> PathBuf {
    let memory = kioku.journal().join("memory");
    memory.join("2026-08-14.md")
}

fn new(time: &str, body: &str) -> NewEntry {
    NewEntry { time: Some(at(time)), body: body.to_owned(), ..NewEntry::default() }
}

fn sync(session: &mut Session) -> usize {
    session.sync(true, &mut |_| true).unwrap().vanished
}

/// The bodies in the trash, newest first.
fn trashed(vault: &Vault) -> Vec<String> {
    vault.trash().unwrap().into_iter().map(|piece| piece.entry.body).collect()
}

fn day(root: &Path, name: &str) -> PathBuf {
    root.join("memory").join(name)
}

// Through the program

#[test]
fn an_entry_overwritten_right_after_it_was_indexed_is_in_the_trash() {
    let kioku = Kioku::new();
    kioku.add(&["first of all"]);
    kioku.run(&["index"]).ok();
    kioku.add(&["xylo"]);
    kioku.run(&["index"]).ok();
    fs::write(today(&kioku), "# Kioku\n").unwrap();
    let ran = kioku.run(&["index"]);
    assert!(ran.err.contains("2 entries removed or changed by another program"), "{ran:?}");
    let trash = kioku.run(&["trash"]).ok();
    assert!(trash.contains("xylo") && trash.contains("first of all") && trash.contains("vanished"), "{trash}");
}

#[test]
fn an_entry_overwritten_or_deleted_before_any_index_is_in_the_trash_and_restored() {
    for gone in [true, false] {
        let kioku = Kioku::new();
        let id = kioku.add(&["xylo"]);
        match gone {
            true => fs::remove_file(today(&kioku)).unwrap(),
            false => fs::write(today(&kioku), "# Kioku\n").unwrap(),
        }
        let ran = kioku.run(&["index"]);
        assert!(ran.err.contains("one entry removed or changed by another program"), "{ran:?}");
        assert!(kioku.run(&["trash"]).ok().contains("xylo"));
        assert_eq!(kioku.run(&["restore", &id]).ok().trim(), id);
        assert!(kioku.run(&["show", &id]).ok().contains("xylo"));
        assert!(kioku.run(&["index"]).err.is_empty());
    }
}

#[test]
fn a_rebuild_keeps_what_only_the_index_remembers() {
    let kioku = Kioku::new();
    let memory = kioku.journal().join("memory");
    fs::create_dir_all(&memory).unwrap();
    // Written by another program, so that there is no second copy.
    let other = memory.join("2026-08-01.md");
    fs::write(&other, "---\ntime: \"2026-08-01T08:00:00+00:00\"\n---\nquartz\n").unwrap();
    kioku.run(&["index"]).ok();
    fs::remove_file(&other).unwrap();
    let ran = kioku.run(&["index", "--rebuild"]);
    assert!(ran.err.contains("one entry removed or changed by another program"), "{ran:?}");
    assert!(kioku.run(&["trash"]).ok().contains("quartz"));
}

#[test]
fn a_text_that_grew_in_an_editor_is_missed_as_it_was_last() {
    let kioku = Kioku::new();
    let id = kioku.add(&["xylo"]);
    let written = fs::read_to_string(today(&kioku)).unwrap();
    fs::write(today(&kioku), format!("{written}and more below\n")).unwrap();
    kioku.run(&["index"]).ok();
    assert_eq!(kioku.run(&["trash"]).ok(), "");
    fs::write(today(&kioku), "# Kioku\n").unwrap();
    fs::remove_dir_all(kioku.journal().join(".index")).unwrap();
    kioku.run(&["index"]).ok();
    assert!(kioku.run(&["trash"]).ok().contains("xylo"));
    kioku.run(&["restore", &id]).ok();
    let shown = kioku.run(&["show", &id]).ok();
    assert!(shown.contains("xylo") && shown.contains("and more below"), "{shown}");
}

#[test]
fn trash_and_restore_know_second_copies_without_an_index() {
    let kioku = Kioku::new();
    let (id, other) = (kioku.add(&["xylo"]), kioku.add(&["quartz"]));
    fs::write(today(&kioku), "# Kioku\n").unwrap();
    assert_eq!(kioku.run(&["restore", &id]).ok().trim(), id);
    let trash = kioku.run(&["trash"]).ok();
    assert!(trash.contains(&other) && trash.contains("quartz") && !trash.contains("xylo"), "{trash}");
}

#[test]
fn doctor_says_what_vanished() {
    let kioku = Kioku::new();
    kioku.add(&["xylo"]);
    fs::write(today(&kioku), "# Kioku\n").unwrap();
    let ran = kioku.run(&["doctor"]);
    assert!(ran.out.contains("one entry removed or changed by another program"), "{ran:?}");
    let row = ran.out.lines().find(|line| line.starts_with("trash")).unwrap().to_owned();
    assert_eq!(row.split_whitespace().nth(1), Some("1"), "{row}");
}

#[test]
fn a_missing_day_folder_is_never_made_anew_where_entries_were_known() {
    let kioku = Kioku::new();
    kioku.add(&["xylo"]);
    let (memory, away) = (kioku.journal().join("memory"), kioku.journal().join("away"));
    fs::rename(&memory, &away).unwrap();
    for arguments in [&["add", "another"][..], &["index"], &["trash"], &["search", "xylo"]] {
        let err = kioku.run(arguments).fails(1);
        assert!(err.contains("the folder with the entries is gone") && err.contains("mkdir"), "{err}");
        assert!(!memory.exists());
    }
    fs::rename(&away, &memory).unwrap();
    kioku.add(&["another"]);
    assert!(kioku.run(&["timeline"]).ok().contains("xylo"));
    assert_eq!(kioku.run(&["trash"]).ok(), "");
}

#[test]
fn a_missing_day_folder_is_not_made_anew_where_only_the_index_knew_entries() {
    let kioku = Kioku::new();
    let memory = kioku.journal().join("memory");
    fs::create_dir_all(&memory).unwrap();
    fs::write(memory.join("2026-08-01.md"), "---\ntime: \"2026-08-01T10:00:00+02:00\"\n---\nBy another program.\n")
        .unwrap();
    kioku.run(&["index"]).ok();
    fs::remove_dir_all(&memory).unwrap();
    assert!(kioku.run(&["add", "another"]).fails(1).contains("the folder with the entries is gone"));
    assert!(!memory.exists());
}

#[cfg(unix)]
#[test]
fn an_import_that_was_killed_in_mid_write_is_completed_by_the_next() {
    for (with_ids, kilobytes) in [(true, 8), (false, 8), (true, 12), (false, 16)] {
        let kioku = Kioku::new();
        let line = |n: usize| {
            let id = if with_ids { format!("\"id\":\"n{n}\",") } else { String::new() };
            let time = format!("2026-02-22T{:02}:{:02}:00+00:00", n / 60, n % 60);
            format!("{{{id}\"time\":\"{time}\",\"text\":\"Entry {n}: {}\"}}\n", "a long and quiet evening ".repeat(20))
        };
        let source = kioku.home.path().join("old.jsonl");
        let lines: Vec<String> = (0..60).map(line).collect();
        fs::write(&source, lines.concat()).unwrap();
        let source = source.to_str().unwrap();
        let import = kioku.command(&["import", "jsonl", source]);
        let mut limited = std::process::Command::new("bash");
        limited.arg("-c").arg(format!("ulimit -f {kilobytes}; exec \"$0\" import jsonl \"$1\""));
        limited.arg(env!("CARGO_BIN_EXE_kioku")).arg(source);
        for (name, value) in import.get_envs() {
            match value {
                Some(value) => limited.env(name, value),
                None => limited.env_remove(name),
            };
        }
        assert!(!limited.output().unwrap().status.success(), "it was to be killed");
        let torn = fs::read(day(&kioku.journal(), "2026-02-22.md")).unwrap();
        assert_eq!(torn.len(), kilobytes * 1024);
        let ran = kioku.run(&["import", "jsonl", source]);
        assert!(ran.code == 0 && !ran.err.contains("another text"), "{ran:?}");
        let whole = kioku.run(&["timeline", "--json"]).json();
        let entries = whole["entries"].as_array().unwrap();
        assert_eq!(entries.len(), 60, "each once");
        for (entry, line) in entries.iter().zip(&lines) {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(entry["text"], line["text"]);
        }
        assert!(kioku.run(&["import", "jsonl", source]).ok().contains("0 added, 60 already known, 0 conflicting"));
        assert_eq!(kioku.run(&["trash"]).ok(), "");
    }
}

#[test]
fn a_torn_import_that_was_completed_leaves_nothing_in_the_trash() {
    // Torn in the head of the second entry, and in its text.
    for cut in ["\"2026-02-22T11:0", "Entry tw"] {
        let kioku = Kioku::new();
        let line =
            |hour: u8, text: &str| format!("{{\"time\":\"2026-02-22T{hour}:00:00+00:00\",\"text\":\"{text}\"}}\n");
        let source = kioku.home.path().join("old.jsonl");
        fs::write(&source, line(10, "Entry one.") + &line(11, "Entry two.")).unwrap();
        let source = source.to_str().unwrap();
        kioku.run(&["import", "jsonl", source]).ok();
        let day = day(&kioku.journal(), "2026-02-22.md");
        let whole = fs::read_to_string(&day).unwrap();
        fs::write(&day, &whole[..whole.find(cut).unwrap() + cut.len()]).unwrap();
        // It was killed before it wrote second copies.
        fs::remove_dir_all(kioku.journal().join("recent")).unwrap();
        kioku.run(&["index"]).ok();
        kioku.run(&["import", "jsonl", source]).ok();
        kioku.run(&["index"]).ok();
        assert_eq!(fs::read_to_string(&day).unwrap(), whole, "{cut}");
        assert_eq!(kioku.run(&["trash"]).ok(), "", "{cut}");
    }
}

// False alarms

#[test]
fn a_second_copy_torn_in_the_next_head_is_no_loss() {
    for torn in ["\n\n---", "\n\n---\ntime: \"2026-0", "\n\n---\ntime: \"2026-08-14T12:00:00+02:00\"\nmood: \"ca"] {
        let kioku = Kioku::new();
        kioku.add(&["Kept."]);
        for copy in copies(&kioku) {
            let text = fs::read_to_string(&copy).unwrap();
            fs::write(&copy, format!("{}{torn}", text.trim_end())).unwrap();
        }
        let ran = kioku.run(&["timeline"]);
        assert!(ran.err.is_empty() && ran.out.contains("Kept."), "{torn:?}: {ran:?}");
        assert!(kioku.run(&["trash"]).err.contains("the trash is empty"));
        // What is cut off a whole text has vanished as before.
        let file = today(&kioku);
        fs::write(&file, fs::read_to_string(&file).unwrap().replace("Kept.", "Ke")).unwrap();
        assert!(kioku.run(&["timeline"]).err.contains("restored from the trash"), "{torn:?}");
    }
}

#[test]
fn what_kioku_itself_edits_moves_removes_and_restores_never_vanishes() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let vault = session.vault().clone();
    let add = |time: &str, body: &str| vault.append(new(time, body)).unwrap();
    let edited = add("2026-11-18T10:00:00+00:00", "One.");
    let moved = add("2026-11-18T11:00:00+00:00", "Two.");
    let removed = add("2026-11-18T12:00:00+00:00", "Three.");
    let restored = add("2026-11-18T13:00:00+00:00", "Four.");
    let forgotten = add("2026-11-18T14:00:00+00:00", "Five.");
    let text = |body: &str| Change { body: Some(body.to_owned()), ..Change::default() };
    vault.edit(&edited, text("One and a half.")).unwrap();
    let time = Some(at("2026-11-19T11:00:00+00:00"));
    vault.edit(&moved, Change { time, ..Change::default() }).unwrap();
    vault.remove(&removed).unwrap();
    let handle = vault.remove(&restored).unwrap().handle;
    vault.restore(&handle).unwrap();
    vault.forget(&forgotten, Pass::Delete).unwrap();
    // Even if the trash no longer has a copy.
    fs::remove_dir_all(dir.path().join("trash")).unwrap();
    assert_eq!(sync(&mut session), 0);
    assert_eq!(vault.keep_all_missing().unwrap(), 0);
    assert!(trashed(&vault).is_empty());
}

#[test]
fn an_emptied_trash_does_not_fill_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    fs::write(day(dir.path(), "2026-11-18.md"), "# Kioku\n").unwrap();
    assert_eq!(sync(&mut session), 1);
    fs::remove_dir_all(dir.path().join("trash")).unwrap();
    assert_eq!((sync(&mut session), session.vault().keep_all_missing().unwrap()), (0, 0));
    drop(session);
    fs::remove_dir_all(dir.path().join(".index")).unwrap();
    assert_eq!(sync(&mut Session::open(options(dir.path())).unwrap()), 0);
}

#[test]
fn an_entry_that_was_imported_again_is_kept_again_when_it_vanishes() {
    let kioku = Kioku::new();
    let file = kioku.write("a.jsonl", "{\"id\":\"a1\",\"time\":\"2026-08-14T08:00:00+02:00\",\"text\":\"Fog.\"}\n");
    kioku.run(&["import", "jsonl", &file]).ok();
    kioku.run(&["rm", "a1"]).ok();
    kioku.run(&["trash", "--empty", "--yes"]).ok();
    kioku.run(&["import", "jsonl", &file]).ok();
    fs::write(today(&kioku), "").unwrap();
    assert!(kioku.run(&["trash"]).ok().contains("vanished"));
}

#[test]
fn an_edited_entry_that_is_overwritten_is_kept_as_it_was_edited() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let vault = session.vault().clone();
    let entry = vault.append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    let before = fs::read(day(dir.path(), "2026-11-18.md")).unwrap();
    vault.edit(&entry, Change { body: Some("One and a half.".to_owned()), ..Change::default() }).unwrap();
    // A sync program restores the older file.
    fs::write(day(dir.path(), "2026-11-18.md"), before).unwrap();
    assert_eq!(sync(&mut session), 1);
    let pieces = vault.trash().unwrap();
    assert!(pieces.iter().any(|piece| piece.why == TrashReason::Vanished && piece.entry.body == "One and a half."));
}

#[test]
fn a_text_that_another_program_moved_or_wrote_on_has_not_vanished() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    session.vault().append(new("2026-11-17T10:00:00+00:00", "Two.")).unwrap();
    let (from, to) = (day(dir.path(), "2026-11-18.md"), day(dir.path(), "2026-11-16.md"));
    fs::rename(&from, &to).unwrap();
    let written_on = fs::read_to_string(day(dir.path(), "2026-11-17.md")).unwrap() + "And more.\n";
    fs::write(day(dir.path(), "2026-11-17.md"), written_on).unwrap();
    assert_eq!(sync(&mut session), 0);
    assert!(trashed(session.vault()).is_empty());
}

#[test]
fn what_another_program_wrote_is_kept_whole_before_any_checkpoint_knows_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    sync(&mut session);
    let file = day(dir.path(), "2026-11-17.md");
    let block = "---\ntime: \"2026-11-17T10:00:00+00:00\"\nmood: \"calm\"\ntags: [\"a\"]\nsleep: 7\nid: \"theirs\"\n---\nTwo.\n";
    fs::write(&file, block).unwrap();
    sync(&mut session);
    // The program ends: words are committed, the saved catalog is that of the previous checkpoint.
    drop(session);
    fs::remove_file(&file).unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    assert_eq!(sync(&mut session), 1);
    let piece = session.vault().trash().unwrap().remove(0);
    let entry = piece.entry;
    assert_eq!((entry.id.as_str(), entry.body.as_str(), entry.mood.as_deref()), ("theirs", "Two.", Some("calm")));
    assert_eq!((entry.tags, entry.extra), (vec!["a".to_owned()], vec![("sleep".to_owned(), "7".to_owned())]));
}

#[test]
fn second_copies_are_compared_once_and_not_at_every_start() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    sync(&mut session);
    drop(session);
    // Reading it again would be an error.
    let copies = fs::read_dir(dir.path().join("recent")).unwrap().flatten();
    let file = copies.map(|file| file.path()).find(|path| path.extension().is_some_and(|end| end == "md")).unwrap();
    let (length, modified) = (fs::metadata(&file).unwrap().len(), fs::metadata(&file).unwrap().modified().unwrap());
    let other = fs::read_to_string(&file).unwrap().replace("One.", "Two.");
    fs::write(&file, other).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().len(), length);
    let mut session = Session::open(options(dir.path())).unwrap();
    assert_eq!(sync(&mut session), 0, "its stamp is that of the copies that were compared");
}

#[test]
fn an_absent_folder_is_an_error_of_its_own_for_every_write() {
    let dir = tempfile::tempdir().unwrap();
    let session = Session::open(options(dir.path())).unwrap();
    let vault = session.vault();
    let entry = vault.append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    let handle = vault.remove(&entry).unwrap().handle;
    fs::remove_dir_all(vault.entries_folder()).unwrap();
    let gone = |error: VaultError| assert!(matches!(error, VaultError::FolderGone { .. }), "{error}");
    gone(vault.append(new("2026-11-18T11:00:00+00:00", "Two.")).unwrap_err());
    gone(vault.append_all(vec![new("2026-11-18T11:00:00+00:00", "Two.")]).unwrap_err());
    gone(vault.restore(&handle).unwrap_err());
    assert!(!vault.entries_folder().exists());
}

#[test]
fn an_entry_with_older_versions_in_the_trash_vanishes_as_any_other() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Walked to the lighthouse."]);
    let day = kioku.home.path().join("home/journals/personal/memory/2026-08-14.md");
    kioku.run(&["edit", &id, "--mood", "calm"]).ok();
    kioku.run(&["index"]).ok();
    fs::write(&day, "").unwrap();
    kioku.run(&["index"]).ok();
    let trash = kioku.run(&["trash", "--json"]).ok();
    assert!(trash.contains("vanished"), "{trash}");
    kioku.run(&["restore", "--all"]).ok();
    let entry = kioku.run(&["show", &id, "--json"]).ok();
    assert!(entry.contains("lighthouse") && entry.contains("calm"), "{entry}");

    // Written again after the trash was emptied, it can be lost again.
    kioku.run(&["edit", &id, "--mood", "sad"]).ok();
    kioku.run(&["edit", &id, "--mood", "calm"]).ok();
    kioku.run(&["trash", "--empty", "--yes"]).ok();
    kioku.run(&["edit", &id, "--mood", "glad"]).ok();
    kioku.run(&["index"]).ok();
    fs::write(&day, "").unwrap();
    kioku.run(&["index"]).ok();
    assert!(kioku.run(&["trash", "--json"]).ok().contains("vanished"));
}

#[test]
fn restoring_all_names_an_overwritten_text_with_the_command_that_swaps_it() {
    let kioku = Kioku::new();
    let id = kioku.add(&["My long and careful text."]);
    let day = today(&kioku);
    fs::write(&day, fs::read_to_string(&day).unwrap().replace("My long and careful text.", "oops")).unwrap();
    kioku.run(&["edit", &id, "--text", "Oops."]).ok();
    let told = kioku.run(&["restore", "--all"]);
    assert!(told.code == 3 && told.err.contains("1 older version of a current entry stays"), "{told:?}");
    assert!(told.err.contains("overwritten by another program") && told.err.contains("My long and"), "{told:?}");
    let (_, command) = told.err.split_once("`kioku restore ").unwrap_or_default();
    let (_, command) = command.split_once("`kioku restore ").unwrap_or_default();
    kioku.run(&["restore", command.split('`').next().unwrap()]).ok();
    assert!(kioku.run(&["show", &id]).ok().contains("My long and careful text."));
    assert!(kioku.run(&["trash"]).ok().contains("Oops."), "both are kept");
}

#[test]
fn restoring_all_makes_no_folder_that_is_missing() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Walked."]);
    kioku.add(&["Swam."]);
    kioku.run(&["rm", &id]).ok();
    let memory = kioku.home.path().join("home/journals/personal/memory");
    fs::rename(&memory, memory.with_file_name("away")).unwrap();
    kioku.run(&["restore", "--all"]).fails(1);
    assert!(!memory.exists());
}

#[test]
fn the_newest_entries_are_shown_from_the_list_alone_and_what_was_added_to_an_old_day_is_among_them() {
    let kioku = Kioku::new();
    for (time, text) in [("2026-08-10T10:00:00Z", "old one"), ("2026-08-12T10:00:00Z", "new one")] {
        kioku.add(&["--at", time, text]);
    }
    kioku.run(&["index"]).ok();
    let graph = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("graph-")).collect::<Vec<_>>()
    };
    let mut machine = fs::read_dir(kioku.journal().join(".index")).unwrap().map(|folder| folder.unwrap().path());
    let machine = machine.find(|path| path.is_dir()).unwrap();
    for file in graph(&machine) {
        fs::write(file, "no graph").unwrap();
    }
    let old = day(&kioku.journal(), "2026-08-10.md");
    let added = "\n---\ntime: \"2026-08-13T09:00:00+00:00\"\n---\nnewest of all\n";
    fs::write(&old, fs::read_to_string(&old).unwrap() + added).unwrap();
    let ran = kioku.run(&["timeline", "-n", "2"]);
    let newest = ran.out.find("new one").zip(ran.out.find("newest of all"));
    assert!(newest.is_some_and(|(a, b)| a < b) && !ran.out.contains("old one"), "{ran:?}");
    // Only the catalog was opened, so the damage was not found.
    assert_eq!(ran.err, "");
    assert!(kioku.run(&["index"]).err.contains("graph"), "the damage is told by who opens it");

    // This command, too, keeps an entry that another program removed.
    fs::write(&old, "# Kioku\n").unwrap();
    let ran = kioku.run(&["timeline", "-n", "1"]);
    assert!(ran.out.contains("new one") && ran.err.contains("removed or changed by another program"), "{ran:?}");
}

#[test]
fn names_are_taken_out_of_all_entries_or_of_none() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::open(options(folder.path()).vault).unwrap();
    let first = vault.append(new("2026-08-12T10:00:00Z", "Met Zorblax at the harbour.")).unwrap();
    let second = vault.append(new("2026-08-12T11:00:00Z", "Zorblax called again in the evening.")).unwrap();
    let change = |body: &str| Change { body: Some(body.to_owned()), ..Change::default() };
    let (a, b) = (change("Met [redacted] at the harbour."), change("[redacted] called again in the evening."));
    let before = fs::read(day(folder.path(), "2026-08-12.md")).unwrap();
    let stale = kioku::journal::Entry { hash: first.hash, ..second.clone() };
    assert!(vault.rewrite_all_for_good(&[(&first, &a), (&stale, &b)], Pass::Delete).is_err());
    assert_eq!(fs::read(day(folder.path(), "2026-08-12.md")).unwrap(), before, "refused before anything is gone");

    // A second copy that a sync left goes with the text it repeats.
    fs::write(day(folder.path(), "2026-08-13.md"), &before).unwrap();
    let (entries, forgotten) = vault.rewrite_all_for_good(&[(&first, &a), (&second, &b)], Pass::Delete).unwrap();
    assert_eq!((entries.len(), forgotten.entries, forgotten.second_copies), (2, 4, 2));
    assert_eq!(entries[1].body, "[redacted] called again in the evening.");
    let now = fs::read_to_string(day(folder.path(), "2026-08-12.md")).unwrap();
    assert!(
        now.contains("Met [redacted] at") && now.contains("[redacted] called") && !now.contains("Zorblax"),
        "{now}"
    );
    assert!(!fs::read_to_string(day(folder.path(), "2026-08-13.md")).unwrap_or_default().contains("Zorblax"));
    assert!(vault.recent().unwrap().iter().all(|copy| !copy.entry.body.contains("Zorblax")));
}

// Several machines

/// The files of second copies, by name.
fn copies(kioku: &Kioku) -> Vec<PathBuf> {
    let listing = fs::read_dir(kioku.journal().join("recent")).unwrap().flatten().map(|file| file.path());
    let mut files: Vec<PathBuf> = listing.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    files.sort();
    files
}

#[test]
fn second_copies_of_another_machine_tell_of_no_loss() {
    let (here, there) = (Kioku::new(), Kioku::new());
    there.add(&["Written there."]);
    here.add(&["--at", "2026-08-13 10:00", "Written here."]);
    // A sync program brings the second copies before the day file.
    let file = copies(&there).remove(0);
    fs::copy(&file, here.journal().join("recent").join(file.file_name().unwrap())).unwrap();
    assert_eq!(copies(&here).len(), 2, "each machine has a file of its own");
    let ran = here.run(&["index"]);
    assert!(!ran.err.contains("another program"), "{ran:?}");
    assert_eq!(here.run(&["trash"]).ok(), "");
}

#[test]
fn an_entry_that_another_machine_deleted_has_not_vanished() {
    let (here, there) = (Kioku::new(), Kioku::new());
    let id = here.add(&["Walked."]);
    let sync = |from: &Kioku, to: &Kioku| {
        for file in copies(from) {
            fs::copy(&file, to.journal().join("recent").join(file.file_name().unwrap())).unwrap();
        }
        fs::copy(today(from), today(to)).unwrap();
    };
    there.add(&["--at", "2026-08-13 10:00", "Another day."]);
    sync(&here, &there);
    there.run(&["rm", &id]).ok();
    sync(&there, &here);
    let ran = here.run(&["index"]);
    assert!(!ran.err.contains("another program"), "{ran:?}");
    assert_eq!(here.run(&["trash"]).ok(), "");
}

#[test]
fn second_copies_of_an_older_version_are_taken_over_once() {
    let kioku = Kioku::new();
    kioku.add(&["xylo"]);
    let own = copies(&kioku).remove(0);
    let id = own.file_name().unwrap().to_str().unwrap().split('.').nth(1).unwrap().to_owned();
    let old = own.with_file_name("2026-08-14.md");
    let state = kioku.home.path().join("home/state");
    let machine = fs::read_dir(&state).unwrap().flatten().map(|file| file.path());
    let machine = machine.filter(|path| path.to_string_lossy().contains("machine-")).collect::<Vec<_>>().remove(0);
    assert_eq!(fs::read_to_string(machine).unwrap().trim(), id);

    // Never compared on this machine: they may have come from another one.
    fs::rename(&own, &old).unwrap();
    fs::write(today(&kioku), "").unwrap();
    assert!(!kioku.run(&["index"]).err.contains("another program"));
    assert_eq!(copies(&kioku), [old]);
    // `forget` still finds them.
    assert!(kioku.run(&["search", "xylo"]).code == 3);
}

#[test]
fn without_a_state_folder_reading_goes_on_and_nothing_has_vanished() {
    let kioku = Kioku::new();
    kioku.add(&["xylo"]);
    let state = kioku.home.path().join("home/state");
    fs::remove_dir_all(&state).unwrap();
    fs::write(&state, "a file in its place").unwrap();
    fs::write(today(&kioku), "").unwrap();
    let ran = kioku.run(&["index"]);
    assert!(ran.code == 0 && !ran.err.contains("another program"), "{ran:?}");
    fs::remove_file(&state).unwrap();
    kioku.add(&["more"]);
    assert!(kioku.run(&["timeline"]).ok().contains("more"));
}

#[test]
fn what_any_machine_forgot_stays_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let entry = session.vault().append(new("2026-11-18T10:00:00+00:00", "One.")).unwrap();
    sync(&mut session);
    session.vault().forget(&entry, Pass::Delete).unwrap();
    // Another machine wrote the list, and a sync program made a conflict copy of it.
    let trash = dir.path().join("trash");
    let own = fs::read_dir(&trash).unwrap().flatten().map(|file| file.path());
    let own = own.filter(|path| path.to_string_lossy().contains(".forgotten.")).collect::<Vec<_>>().remove(0);
    fs::rename(&own, trash.join(".forgotten.sync-conflict-20260814-101010-ABCDEFG")).unwrap();
    assert_eq!(session.vault().keep_vanished(&entry).unwrap(), Vanished::Settled);
}
