//! The index after kills, damage and write errors: reading still works, and derived data is repaired.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use kioku::embed::bundled::Bundled;
use serde_json::Value;

use super::cli::{Kioku, Outcome, finish};

/// A journal of three days, indexed; the ids in the order of the days.
fn indexed() -> (Kioku, Vec<String>) {
    let kioku = Kioku::new();
    let texts = ["The lake was calm this morning.", "Rain fell on the roof all night.", "A dog barked at the postman."];
    let ids = (1..).zip(texts).map(|(day, text)| kioku.add(&["--at", &format!("2026-08-0{day} 08:00"), text]));
    let ids = ids.collect();
    kioku.run(&["index"]).ok();
    (kioku, ids)
}

/// `.index/<machine id>`.
fn machine(kioku: &Kioku) -> PathBuf {
    let index = kioku.journal().join(".index");
    let mut folders = fs::read_dir(index).unwrap().map(|entry| entry.unwrap().path());
    folders.find(|path| path.is_dir()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

#[track_caller]
fn finds(kioku: &Kioku, query: &str, text: &str) -> Outcome {
    let ran = kioku.run(&["search", query, "--json"]);
    assert!(ran.code == 0 && ran.out.contains(text) && !ran.err.contains("panicked"), "{ran:?}");
    ran
}

/// Every verb that reads answers, and prints the warning on stderr.
#[track_caller]
fn reads_all_but(kioku: &Kioku, told: &str, entries: usize) {
    for verb in [&["show", "2026-08-01"][..], &["dates"], &["timeline"], &["export", "jsonl"], &["search", "lake"]] {
        let ran = kioku.run(verb);
        assert!(ran.code == 0 && ran.err.contains(told) && !ran.out.is_empty(), "{verb:?} {ran:?}");
    }
    assert_eq!(kioku.run(&["timeline"]).ok().lines().count(), entries);
}

#[test]
fn a_piped_text_that_cannot_be_saved_is_a_draft() {
    let kioku = Kioku::new();
    let day = kioku.journal().join("memory/2026-08-14.md");
    fs::create_dir_all(&day).unwrap();
    let told = finish(kioku.command(&["add"]), b"a long letter\n").fails(1);
    assert!(told.contains("not saved, and saved entries are unchanged: "), "{told}");
    let (_, draft) = told.trim_end().rsplit_once("the text is a draft in ").unwrap();
    assert!(fs::read_to_string(draft).unwrap().ends_with("\na long letter\n"));
    fs::remove_dir(&day).unwrap();
    kioku.add(&["And now."]);
}

// Kills

#[test]
fn a_damaged_commit_is_told_in_one_short_line_and_doctor_names_a_lock_that_is_a_folder() {
    let kioku = Kioku::new();
    kioku.add(&["A calm day"]);
    kioku.run(&["index"]).ok();
    let meta = machine(&kioku).join("words/meta.json");
    fs::write(&meta, fs::read_to_string(&meta).unwrap().replacen(':', "ZZ", 1)).unwrap();
    let ran = kioku.run(&["search", "calm"]);
    assert!(ran.err.contains("is made anew; your entries are not affected") && ran.err.len() < 600, "{ran:?}");
    let lock = kioku.journal().join(".lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    kioku.run(&["add", "An empty folder in the place of a lock is in nobody's way."]).ok();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    fs::write(lock.join("something"), "").unwrap();
    assert!(kioku.run(&["doctor"]).fails(1).contains(".lock: it is a folder"));
}

#[test]
fn a_deletion_killed_in_its_commit_is_made_again() {
    let (kioku, ids) = indexed();
    let words = machine(&kioku).join("words");
    let before = kioku.home.path().join("before");
    copy(&words, &before);
    kioku.run(&["rm", &ids[1]]).ok();
    finds(&kioku, "lake", "calm");
    let deletions = |folder: &Path| names(folder).into_iter().filter(|name| name.ends_with(".del")).count();
    assert_eq!(deletions(&words), 1, "the deletion is committed");
    // State after a kill before the commit point, with an older commit that a sync program restored: the next
    // deletion gets the same file name.
    for leftover in ["meta.json", ".managed.json"] {
        fs::copy(before.join("meta.json"), words.join("meta.json")).unwrap();
        fs::copy(before.join(leftover), words.join(leftover)).unwrap();
        fs::write(words.join(".tmpAbCdEf"), "half").unwrap();
        for _ in 0..2 {
            let ran = finds(&kioku, "lake", "calm");
            assert!(!ran.err.contains("error:"), "{ran:?}");
        }
        assert!(!kioku.run(&["search", "roof", "--json"]).out.contains("Rain"), "what was deleted stays so");
        assert!(!words.join(".tmpAbCdEf").exists());
        kioku.run(&["doctor", "--verify"]).ok();
    }
}

#[test]
fn any_damaged_file_of_the_word_index_is_healed_without_a_raw_panic() {
    let (kioku, ids) = indexed();
    kioku.run(&["rm", &ids[2]]).ok();
    finds(&kioku, "lake", "calm");
    let words = machine(&kioku).join("words");
    let whole = kioku.home.path().join("whole");
    copy(&words, &whole);
    for name in names(&whole).iter().filter(|name| !name.ends_with(".lock")) {
        let bytes = fs::read(whole.join(name)).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 0x55;
        for damaged in [Vec::new(), bytes[..bytes.len() / 2].to_vec(), vec![0; bytes.len()], flipped] {
            fs::remove_dir_all(&words).unwrap();
            copy(&whole, &words);
            fs::write(words.join(name), damaged).unwrap();
            let ran = finds(&kioku, "lake", "calm");
            assert!(!ran.err.contains("error:"), "{name}: {ran:?}");
        }
        fs::remove_dir_all(&words).unwrap();
        copy(&whole, &words);
        fs::remove_file(words.join(name)).unwrap();
        finds(&kioku, "lake", "calm");
    }
    kioku.run(&["doctor", "--verify"]).ok();
}

// Several processes, and obstacles in the file system

/// The folder of the vectors that answer, beside those of the fast model.
fn active_vectors() -> String {
    Bundled::Reader.stamp().unwrap().checksum[..16].to_owned()
}

#[test]
fn folders_in_the_place_of_locks_and_files_are_cleared_away() {
    let (kioku, _) = indexed();
    let machine = machine(&kioku);
    for name in ["words/.tantivy-writer.lock", "words/.tantivy-meta.lock", "words/meta.json", "words/.managed.json"] {
        let path = machine.join(name);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("x"), "").unwrap();
        finds(&kioku, "lake", "calm");
        assert!(!path.is_dir(), "{name}");
    }
    let model = active_vectors();
    for begin in ["vectors", "fine"] {
        let folder = machine.join("vectors").join(&model);
        let name = names(&folder).into_iter().find(|name| name.starts_with(begin)).unwrap();
        let path = folder.join(&name);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        finds(&kioku, "lake", "calm");
        kioku.run(&["index", "--rebuild"]).ok();
        assert!(!path.is_dir(), "{name}");
        let found = kioku.run(&["search", "lake", "--legs", "vector"]);
        assert!(found.code == 0 && !found.err.contains("warning"), "{name}: {found:?}");
    }
    let lock = kioku.journal().join(".lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    fs::write(lock.join("something"), "").unwrap();
    let told = kioku.run(&["add", "Text."]).fails(1);
    assert!(told.contains(".lock") && told.contains("hint: expected a file, found a folder"), "{told}");
    finds(&kioku, "lake", "calm");
}

#[test]
fn rebuilding_and_reading_at_once_fail_only_in_plain_words() {
    let (kioku, _) = indexed();
    for _ in 0..4 {
        let verbs: [&[&str]; 4] =
            [&["index", "--rebuild"], &["index", "--rebuild"], &["search", "lake"], &["search", "rain"]];
        let started = verbs.map(|verb| {
            let mut command = kioku.command(verb);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        });
        for (verb, child) in verbs.iter().zip(started) {
            let ran = child.wait_with_output().unwrap();
            let err = String::from_utf8(ran.stderr).unwrap();
            let held = err.starts_with("error: another kioku holds");
            assert!(ran.status.success() || verb.len() == 2 && verb[0] == "index" && held, "{verb:?} {err}");
            assert!(!err.contains("os error") && !err.contains("panicked"), "{verb:?} {err}");
        }
    }
    kioku.run(&["index", "--rebuild"]).ok();
    kioku.run(&["doctor", "--verify"]).ok();
}

// Reading needs no writing

#[test]
fn a_file_in_the_place_of_the_index_leaves_reading_whole() {
    let (kioku, _) = indexed();
    let index = kioku.journal().join(".index");
    let inside = machine(&kioku);
    fs::remove_dir_all(&inside).unwrap();
    fs::write(&inside, "").unwrap();
    reads_all_but(&kioku, "move it away", 3);
    fs::remove_dir_all(&index).unwrap();
    fs::write(&index, "").unwrap();
    reads_all_but(&kioku, "move it away", 3);
    let told = kioku.run(&["index"]).fails(1);
    assert!(told.contains("the index cannot be written") && told.contains("move it away"), "{told}");
    kioku.run(&["doctor"]).fails(1);
    kioku.add(&["--at", "2026-08-04 08:00", "Snow."]);
    assert_eq!(kioku.run(&["timeline"]).ok().lines().count(), 4);
    fs::remove_file(&index).unwrap();
    kioku.run(&["index"]).ok();
    kioku.run(&["doctor", "--verify"]).ok();
}

#[cfg(unix)]
#[test]
fn a_link_to_itself_costs_no_other_day() {
    let (kioku, _) = indexed();
    std::os::unix::fs::symlink("2026-08-09.md", kioku.journal().join("memory/2026-08-09.md")).unwrap();
    reads_all_but(&kioku, "2026-08-09.md", 3);
    kioku.run(&["doctor"]).fails(1);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_or_written_leaves_the_rest_readable() {
    use std::os::unix::fs::PermissionsExt;
    let (kioku, ids) = indexed();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let day = kioku.journal().join("memory/2026-08-01.md");
    mode(&day, 0o000);
    if fs::read(&day).is_ok() {
        // Root may read and write everything.
        return;
    }
    reads_all_but(&kioku, "", 3);
    for verb in [&["timeline"][..], &["export", "jsonl"]] {
        let ran = kioku.run(verb);
        assert!(ran.err.contains("entries as last indexed") && ran.out.contains("calm"), "{ran:?}");
    }
    kioku.run(&["show", &ids[1]]).ok();
    mode(&day, 0o600);
    let index = kioku.journal().join(".index");
    for (entries, (path, closed)) in (4..).zip([(machine(&kioku), 0o500), (index, 0o000)]) {
        kioku.add(&["--at", "2026-08-05 08:00", "Snow on the lake."]);
        mode(&path, closed);
        reads_all_but(&kioku, "", entries);
        finds(&kioku, "snow", "Snow on the lake");
        mode(&path, 0o700);
    }
}

// Git

#[test]
fn git_does_not_take_up_the_index() {
    let kioku = Kioku::new();
    kioku.add(&["The lake was calm."]);
    finds(&kioku, "lake", "calm");
    let ignored = kioku.journal().join(".index/.gitignore");
    assert_eq!(fs::read_to_string(&ignored).unwrap(), "*\n");
    fs::remove_file(&ignored).unwrap();
    finds(&kioku, "lake", "calm");
    assert!(ignored.exists(), "an index that was made before is told too");
}

// Vectors

#[test]
fn damaged_vectors_are_told_and_made_again_by_index() {
    let (kioku, _) = indexed();
    let search = || kioku.run(&["search", "a quiet morning by the water", "--legs", "vector", "--json", "--explain"]);
    let order = |ran: &Outcome| -> Vec<(String, String)> {
        let found: Value = serde_json::from_str(&ran.out).unwrap();
        let hit = |hit: &Value| (hit["id"].to_string(), hit["score"].to_string());
        found["hits"].as_array().unwrap().iter().map(hit).collect()
    };
    let before = search();
    let fine = machine(&kioku).join("vectors").join(active_vectors()).join("fine-1.bin");
    let mut bytes = fs::read(&fine).unwrap();
    bytes[64..].iter_mut().for_each(|byte| *byte ^= 0x5a);
    fs::write(&fine, bytes).unwrap();
    let told = search();
    assert!(told.code == 0 && told.err.contains("damaged") && told.err.contains("`kioku index`"), "{told:?}");
    assert!(kioku.run(&["doctor"]).fails(1).contains("vectors are damaged"));
    assert!(kioku.run(&["index"]).ok().contains("3 passages embedded"));
    let after = search();
    assert_eq!((order(&after), after.err.contains("damaged")), (order(&before), false));
    kioku.run(&["doctor", "--verify"]).ok();
}

// The doctor

#[test]
fn the_doctor_searches_and_fails_where_something_is_wrong() {
    let (kioku, _) = indexed();
    let found = kioku.run(&["doctor", "--json"]).json();
    assert!(
        found["searched"]["keyword"].as_u64() > Some(0) && found["searched"]["vector"].as_u64() > Some(0),
        "{found}"
    );
    fs::write(
        kioku.home.path().join("config.toml"),
        "theme = \"nigth\"\ncolour = 3\n[keys.journal]\n\"entry.neww\" = [\"n\"]\n",
    )
    .unwrap();
    let ran = finish(kioku.command(&["doctor"]), b"");
    for value in ["nigth", "unknown key `colour`", "entry.neww"] {
        assert!(ran.out.contains(value), "{value}: {ran:?}");
    }
    assert!(ran.code == 1 && ran.err.contains("3 problems found"), "{ran:?}");
}

// Versions

#[test]
fn an_index_of_a_newer_kioku_is_left_alone_and_everything_is_found_without_it() {
    let (kioku, _) = indexed();
    let meta = machine(&kioku).join("words/meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let (before, rest) = text.split_once("kioku words ").unwrap();
    let newer = format!("{before}kioku words 9{rest}");
    fs::write(&meta, &newer).unwrap();
    reads_all_but(&kioku, "written by a newer version of kioku · update kioku", 3);
    finds(&kioku, "lake", "calm");
    kioku.add(&["A heron stood in the reeds."]);
    finds(&kioku, "heron", "reeds");
    let refused = kioku.run(&["index"]);
    assert!(refused.code != 0 && refused.err.contains("newer version of kioku"), "{refused:?}");
    assert_eq!(fs::read_to_string(&meta).unwrap(), newer, "not a byte was changed");
    kioku.run(&["index", "--rebuild"]).ok();
    finds(&kioku, "heron", "reeds");
    kioku.run(&["doctor", "--verify"]).ok();
}

#[test]
fn an_index_named_by_the_host_is_taken_over() {
    let (kioku, _) = indexed();
    let folder = machine(&kioku);
    let id = folder.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(id.len(), 10, "{id}");
    let state = fs::read_dir(kioku.home.path().join("home/state")).unwrap().map(|file| file.unwrap().file_name());
    let host =
        state.map(|name| name.into_string().unwrap()).find_map(|name| Some(name.strip_prefix("machine-")?.to_owned()));
    fs::rename(&folder, folder.with_file_name(host.unwrap())).unwrap();
    let words = |folder: &Path| fs::read(folder.join("words/meta.json")).unwrap();
    let before = words(&machine(&kioku));
    kioku.run(&["search", "--json", "river"]);
    assert_eq!(machine(&kioku), folder);
    assert_eq!(words(&folder), before, "it was not built anew");
}
