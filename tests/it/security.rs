//! Security against hostile or careless files: ids that look like paths, links and devices in a vault, folders of
//! other users, file modes, and deleted texts.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use kioku::{
    journal::{Redaction, files},
    session::{Traces, Wanted},
};

use super::{
    cli::{Kioku, Outcome, finish},
    entity::holding,
};

/// The current day of [`super::cli::Kioku`].
const TODAY: &str = "2026-08-14.md";

const SECRET: &str = "The zanzibarwort blooms behind the old mill tonight.";

fn memory(kioku: &Kioku) -> PathBuf {
    let folder = kioku.journal().join("memory");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn day(id: &str, time: &str, text: &str) -> String {
    format!("# Kioku\n\n---\ntime: \"{time}\"\nid: \"{id}\"\n---\n{text}\n")
}

fn everything_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_path_buf()];
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() { found.extend(everything_below(&path)) } else { found.push(path) }
    }
    found
}

/// Runs a command that might hang on a device; a timeout fails the test.
fn in_time(mut command: Command) -> Outcome {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it hangs: {:?}", child.wait_with_output());
        }
        std::thread::yield_now();
    }
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

// Ids

#[test]
fn an_id_that_looks_like_a_path_makes_no_file_elsewhere() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    let outside = home.join("outside");
    fs::create_dir(&outside).unwrap();
    let long = "x".repeat(300);
    let hostile = ["../../outside/x", "..", "/tmp/kioku-outside", "a/../../../outside/y", "-rf", "c:\\\\x", &long];
    let script = home.join("editor");
    fs::write(&script, "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$OPENED\"\nprintf 'And more.\\n' >> \"$1\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    let opened = home.join("opened");
    for (nth, id) in hostile.iter().enumerate() {
        let file = format!("2026-08-{:02}.md", nth + 1);
        let time = format!("2026-08-{:02}T09:00:00+02:00", nth + 1);
        fs::write(memory(&kioku).join(file), day(id, &time, "Tea by the river.")).unwrap();
    }
    for id in hostile {
        let id = id.replace("\\\\", "\\");
        let mut edit = kioku.command(&["edit", "--", &id]);
        edit.env("EDITOR", &script).env("OPENED", &opened);
        finish(edit, b"").ok();
        assert!(kioku.run(&["show", "--", &id]).ok().contains("And more."), "{id}");
    }
    let state = home.join("home/state");
    for path in fs::read_to_string(&opened).unwrap().lines() {
        assert!(Path::new(path).starts_with(&state) && !path.contains(".."), "{path}");
    }
    assert_eq!(everything_below(&outside).len(), 1);
    let id = "../../outside/x";
    kioku.run(&["rm", id]).ok();
    kioku.run(&["restore", id]).ok();
    kioku.run(&["forget", id, "--yes"]).ok();
    assert_eq!(everything_below(&outside), [outside]);
}

// Links and devices

#[test]
fn a_day_file_that_links_out_of_the_vault_is_neither_read_nor_written() {
    let kioku = Kioku::new();
    let victim = kioku.home.path().join("victim");
    fs::write(&victim, day("stolen", "2026-08-14T08:00:00+02:00", "Somebody else's words.")).unwrap();
    let before = fs::read(&victim).unwrap();
    kioku.add(&["--at", "2026-08-13 09:00", "Yesterday's tea."]);
    symlink(&victim, memory(&kioku).join(TODAY)).unwrap();
    let refused = kioku.run(&["add", "Today's tea."]).fails(1);
    assert!(refused.contains("leads out of the journal") && refused.contains("follow_links"), "{refused}");
    assert_eq!(fs::read(&victim).unwrap(), before);
    let listed = kioku.run(&["timeline"]).ok();
    assert!(listed.contains("Yesterday's tea.") && !listed.contains("Somebody else's"), "{listed}");
    assert!(kioku.run(&["doctor"]).out.contains("leads out of the journal"));

    fs::write(kioku.home.path().join("config.toml"), "follow_links = true\n").unwrap();
    kioku.add(&["Today's tea."]);
    let listed = kioku.run(&["timeline"]).ok();
    assert!(listed.contains("Today's tea.") && listed.contains("Somebody else's"), "{listed}");
    assert!(fs::read_to_string(&victim).unwrap().contains("Today's tea."));
}

#[test]
fn a_dangling_link_creates_nothing_and_a_link_inside_the_vault_is_followed() {
    let kioku = Kioku::new();
    let target = kioku.home.path().join("made");
    symlink(&target, memory(&kioku).join(TODAY)).unwrap();
    assert!(kioku.run(&["add", "Tea."]).fails(1).contains("does not exist"));
    assert!(!target.exists());
    fs::remove_file(memory(&kioku).join(TODAY)).unwrap();
    fs::create_dir(kioku.journal().join("archive")).unwrap();
    fs::write(kioku.journal().join("archive/today.md"), "").unwrap();
    symlink("../archive/today.md", memory(&kioku).join(TODAY)).unwrap();
    let id = kioku.add(&["Tea inside."]);
    kioku.run(&["edit", &id, "--text", "Coffee inside."]).ok();
    assert!(fs::read_to_string(kioku.journal().join("archive/today.md")).unwrap().contains("Coffee inside."));
    assert!(fs::symlink_metadata(memory(&kioku).join(TODAY)).unwrap().is_symlink());
    assert!(kioku.run(&["timeline"]).ok().contains("Coffee inside."));
}

#[test]
fn pipes_and_devices_are_never_opened_and_leave_the_lock_free() {
    for make in ["pipe", "full", "null"] {
        let kioku = Kioku::new();
        kioku.add(&["--at", "2026-08-12 09:00", "Before."]);
        let today = memory(&kioku).join(TODAY);
        match make {
            "pipe" => assert!(Command::new("mkfifo").arg(&today).status().unwrap().success()),
            device => symlink(format!("/dev/{device}"), &today).unwrap(),
        }
        for follow in ["", "follow_links = true\n"] {
            fs::write(kioku.home.path().join("config.toml"), follow).unwrap();
            let refused = in_time(kioku.command(&["add", "Today."])).fails(1);
            assert!(refused.contains(TODAY), "{make}: {refused}");
            in_time(kioku.command(&["add", "--at", "2026-08-13 09:00", "The lock is free."])).ok();
            let listed = in_time(kioku.command(&["timeline"])).ok();
            assert!(listed.contains("Before.") && listed.contains("The lock is free."), "{make}: {listed}");
        }
        fs::remove_file(&today).unwrap();
        kioku.add(&["Today, after all."]);
    }
}

#[test]
fn folders_that_link_out_of_the_vault_are_not_written_to() {
    for folder in ["memory", "trash", "recent", "drafts", "entities"] {
        let kioku = Kioku::new();
        let outside = kioku.home.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let id = kioku.add(&["Tea with @Quillonda by the river."]);
        let inside = kioku.journal().join(folder);
        if inside.exists() {
            fs::remove_dir_all(&inside).unwrap();
        }
        symlink(&outside, &inside).unwrap();
        for arguments in [
            vec!["add", "More tea."],
            vec!["edit", &id, "--text", "Coffee."],
            vec!["rm", &id],
            vec!["entity", "alias", "Quillonda", "Q."],
            vec!["forget", &id, "--yes"],
            vec!["trash", "--empty", "--yes"],
        ] {
            in_time(kioku.command(&arguments));
        }
        assert_eq!(everything_below(&outside), [outside], "{folder}");
    }
}

// Folders of others, and the home folder

#[test]
fn imported_notes_follow_no_link_out_of_the_vault() {
    let (from, to) = (Kioku::new(), Kioku::new());
    from.add(&["Linh sang."]);
    from.write("home/journals/personal/entities/Linh.md", "---\ntype: person\n---\n");
    to.add(&["Rain."]);
    let outside = to.home.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::remove_dir_all(to.journal().join("entities")).ok();
    symlink(&outside, to.journal().join("entities")).unwrap();
    let ran = to.run(&["import", "kioku", from.journal().to_str().unwrap()]);
    assert!(ran.code != 0 && ran.err.contains("entities"), "{ran:?}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_folder_of_other_files_becomes_no_journal_without_a_yes() {
    let kioku = Kioku::new();
    let etc = kioku.home.path().join("etc");
    fs::create_dir_all(etc.join("ssl")).unwrap();
    fs::write(etc.join("passwd"), "root").unwrap();
    let before = everything_below(&etc);
    let folder = etc.to_str().unwrap();
    for verb in [vec!["add", "Tea."], vec!["timeline"], vec!["search", "tea"], vec!["index"], vec!["doctor"]] {
        let refused = kioku.run(&[&["--vault", folder], &verb[..]].concat()).fails(1);
        assert!(refused.contains("no journal") && refused.contains("mkdir"), "{verb:?}: {refused}");
    }
    fs::write(kioku.home.path().join("config.toml"), format!("vault = {folder:?}\n")).unwrap();
    kioku.run(&["add", "Tea."]).fails(1);
    assert_eq!(everything_below(&etc), before);
    fs::create_dir(etc.join("memory")).unwrap();
    kioku.run(&["add", "Tea."]).ok();
    assert!(etc.join("memory").join(TODAY).exists());

    let daily = kioku.home.path().join("daily");
    fs::create_dir_all(&daily).unwrap();
    fs::write(daily.join("README.md"), "Notes.").unwrap();
    fs::write(daily.join("2026-08-01.md"), "A day.").unwrap();
    kioku.run(&["--vault", daily.to_str().unwrap(), "add", "Tea."]).ok();
}

#[test]
fn an_empty_home_variable_is_an_error() {
    for home in ["", "relative"] {
        let kioku = Kioku::new();
        let mut add = kioku.command(&["add", "Tea."]);
        add.env("HOME", home).env_remove("KIOKU_HOME").env_remove("XDG_DATA_HOME").current_dir(kioku.home.path());
        let error = finish(add, b"").fails(1);
        assert!(error.contains("HOME") && error.contains("--home"), "{error}");
        assert_eq!(everything_below(kioku.home.path()).len(), 1);
    }
}

// Modes

#[test]
fn everything_in_the_home_is_for_its_owner_alone() {
    let kioku = Kioku::new();
    let run = |arguments: &[&str]| {
        let plain = kioku.command(arguments);
        let mut command = Command::new("sh");
        command.args(["-c", "umask 022; exec \"$@\"", "sh"]).arg(plain.get_program()).args(plain.get_args());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        finish(command, b"").ok()
    };
    let id = run(&["add", "Tea with @Quillonda by the river."]).trim().to_owned();
    run(&["edit", &id, "--text", "Coffee with @Quillonda by the river."]);
    let gone = run(&["add", "--at", "2026-08-01 09:00", "A walk to the mill."]).trim().to_owned();
    run(&["entity", "alias", "Quillonda", "Q."]);
    run(&["index"]);
    run(&["search", "river"]);
    run(&["forget", &gone, "--yes"]);
    let gone = run(&["add", "--at", "2026-08-02 09:00", "A walk from the mill."]).trim().to_owned();
    run(&["rm", &gone]);
    run(&["index", "--rebuild"]);
    run(&["search", "river"]);
    for path in everything_below(&kioku.home.path().join("home")) {
        let found = fs::symlink_metadata(&path).unwrap();
        let (mode, wanted) = (found.permissions().mode() & 0o777, if found.is_dir() { 0o700 } else { 0o600 });
        assert_eq!(format!("{mode:o}"), format!("{wanted:o}"), "{}", path.display());
    }
}

#[test]
fn a_folder_of_the_user_keeps_its_modes() {
    let kioku = Kioku::new();
    let notes = kioku.home.path().join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join(TODAY), "").unwrap();
    for (path, mode) in [(&notes, 0o750), (&notes.join(TODAY), 0o640)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let id = kioku.run(&["--vault", notes.to_str().unwrap(), "add", "Tea."]).ok();
    kioku.run(&["--vault", notes.to_str().unwrap(), "edit", id.trim(), "--text", "Coffee."]).ok();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&notes), mode(&notes.join(TODAY))), (0o750, 0o640));
}

// Forgetting

#[test]
fn a_deleted_entry_and_a_lost_one_can_be_forgotten() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    kioku.add(&["--at", "2026-08-01 09:00", "Kept."]);
    let id = kioku.add(&[SECRET]);
    kioku.run(&["index"]).ok();
    kioku.run(&["rm", &id]).ok();
    let done = kioku.run(&["forget", &id, "--yes", "--json"]).json();
    assert_eq!(
        (&done["entries"], &done["trashed"], &done["second_copies"]),
        (&0.into(), &1.into(), &1.into()),
        "{done}"
    );
    assert_eq!(done["left"], serde_json::json!([]));
    assert_eq!(holding(&home, "zanzibarwort"), [] as [PathBuf; 0]);

    // Its day file was lost before any index saw it: only the second copy has it.
    let id = kioku.add(&["--at", "2026-08-02 09:00", SECRET]);
    fs::remove_file(memory(&kioku).join("2026-08-02.md")).unwrap();
    kioku.run(&["forget", &id, "--yes"]).ok();
    assert_eq!(holding(&home, "zanzibarwort"), [] as [PathBuf; 0]);
    assert!(kioku.run(&["forget", &id, "--yes"]).fails(3).contains("no entry"));
    assert!(kioku.run(&["timeline"]).ok().contains("Kept."));
}

#[test]
fn one_older_text_can_be_forgotten_alone() {
    let kioku = Kioku::new();
    let id = kioku.add(&["First words by the river, long ago."]);
    kioku.run(&["edit", &id, "--text", "Second words by the river, long ago."]).ok();
    kioku.run(&["edit", &id, "--text", "Third words by the river, long ago."]).ok();
    let done = kioku.run(&["forget", &format!("{id}#2"), "--yes", "--json"]).json();
    assert_eq!(done["trashed"], 1, "{done}");
    assert_eq!(holding(&kioku.journal(), "First words"), [] as [PathBuf; 0]);
    assert!(!holding(&kioku.journal().join("trash"), "Second words").is_empty());
    assert!(kioku.run(&["show", &id]).ok().contains("Third words"));
}

#[test]
fn a_preview_of_forgetting_counts_all_that_is_then_deleted() {
    let kioku = Kioku::new();
    let id = kioku.add(&["First, without any name, by the river."]);
    kioku.run(&["edit", &id, "--text", "Then @Quillonda called by the river."]).ok();
    let preview = kioku.run(&["forget", "--entity", "Quillonda", "--redact", "--dry-run"]);
    let parts = preview.err.split("would be changed or deleted: ").nth(1).map(str::trim);
    let done = kioku.run(&["forget", "--entity", "Quillonda", "--redact", "--yes"]).ok();
    assert!(parts.is_some_and(|parts| done.contains(&format!("forgotten: {parts}"))), "{preview:?} {done}");
    assert!(done.contains("1 entry, 1 older version in the trash"), "{done}");

    kioku.run(&["edit", &id, "--text", SECRET]).ok();
    let left = kioku.home.path().join("home/state/editor/4711-0");
    fs::create_dir_all(&left).unwrap();
    for (name, content) in [(".of", id.as_str()), (".before", SECRET), ("entry.md", "Another text.")] {
        fs::write(left.join(name), content).unwrap();
    }
    for arguments in [vec!["forget", &id, "--redact"], vec!["forget", &id]] {
        let run = |more: &str| {
            let mut counts = kioku.run(&[&arguments[..], &[more, "--json"]].concat()).json();
            let counts = counts.as_object_mut().unwrap();
            counts.retain(|key, _| !["dry_run", "vectors", "searched", "left"].contains(&key.as_str()));
            serde_json::Value::from(counts.clone())
        };
        let (would, done) = (run("--dry-run"), run("--yes"));
        assert_eq!(would, done);
        assert_ne!(done["second_copies"], 0, "{done}");
    }
    assert!(!left.join("entry.md").exists());
}

#[test]
fn leftovers_of_killed_processes_are_swept_at_the_next_start() {
    let kioku = Kioku::new();
    let id = kioku.add(&["Kept."]);
    kioku.run(&["rm", &id]).ok();
    kioku.run(&["restore", &id]).ok();
    let journal = kioku.journal();
    let state = kioku.home.path().join("home/state");
    let folders = ["", "memory", "trash", "recent", "drafts", "entities", "answers"].map(|name| journal.join(name));
    for folder in folders.iter().chain([&state, &state.join("queries")]) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(".kioku-Ab3dE9.tmp"), SECRET).unwrap();
    }
    kioku.run(&["timeline"]).ok();
    assert_eq!(holding(kioku.home.path(), "zanzibarwort"), [] as [PathBuf; 0]);
}

#[test]
fn forgetting_reaches_leftovers_drafts_and_conflict_copies() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    let id = kioku.add(&[SECRET]);
    kioku.run(&["index"]).ok();
    let memory = memory(&kioku);
    let today = fs::read_to_string(memory.join(TODAY)).unwrap();
    let copies = [
        "2026-08-14.sync-conflict-20260814-101010-ABCDEFG.md",
        "2026-08-14 (conflicted copy 2026-08-14).md",
        "2026-08-14 2.md",
    ];
    for copy in copies {
        let other = "\n---\ntime: \"2026-08-14T13:00:00+02:00\"\nid: \"other00001\"\n---\nWritten on the phone.\n";
        fs::write(memory.join(copy), format!("{today}{other}")).unwrap();
    }
    fs::copy(memory.join(TODAY), kioku.journal().join("recent").join(copies[0])).unwrap();
    fs::create_dir_all(kioku.journal().join("drafts")).unwrap();
    let draft = |body: &str| format!("---\ntime: \"\"\nmood: \"\"\ntags: \"\"\n---\n{body}\n");
    fs::write(kioku.journal().join("drafts/part.md"), draft("The zanzibarwort blooms behind the old mill")).unwrap();
    fs::write(kioku.journal().join("drafts/more.md"), draft(&format!("{SECRET}\nAnd this is new."))).unwrap();
    let state = home.join("home/state");
    fs::create_dir_all(state.join("edit")).unwrap();
    fs::write(state.join("new-4711-0.md"), SECRET).unwrap();
    fs::write(state.join("new-4711-0.md"), SECRET).unwrap();
    for words in fs::read_dir(kioku.journal().join(".index")).unwrap().flatten() {
        if words.path().join("words").is_dir() {
            fs::write(words.path().join("words/.tmpXyZ123"), SECRET).unwrap();
            fs::write(words.path().join("words/0123456789abcdef0123456789abcdef.store"), SECRET).unwrap();
        }
    }
    let would = kioku.run(&["forget", &id, "--dry-run", "--json"]).json();
    assert_eq!((&would["conflict_copies"], &would["drafts"]), (&4.into(), &2.into()), "{would}");
    let done = kioku.run(&["forget", &id, "--yes", "--json"]).json();
    assert_eq!((&done["conflict_copies"], &done["drafts"]), (&4.into(), &2.into()), "{done}");
    assert_eq!(holding(&home, "zanzibarwort"), [] as [PathBuf; 0]);
    assert_eq!(done["left"], serde_json::json!([]));
    assert_eq!(holding(&memory, "Written on the phone.").len(), 3, "what else the copies hold stays");
    assert_eq!(holding(&kioku.journal().join("drafts"), "And this is new.").len(), 1);
}

#[test]
fn a_name_is_forgotten_in_every_case_and_form() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    kioku.add(&["Tea with @Quillonda."]);
    kioku.add(&["QUILLONDA shouted; quillonda's dog ran off. All the Quillondas came, Quillondasson too."]);
    let gone = kioku.add(&["Only quillonda in small letters, deleted."]);
    kioku.run(&["rm", &gone]).ok();
    let copy = memory(&kioku).join("2026-08-14.sync-conflict-1.md");
    fs::write(&copy, day("phone00001", "2026-08-14T13:00:00+02:00", "quillonda called me on the phone.")).unwrap();
    let preview = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--dry-run"]);
    for form in ["QUILLONDA (1)", "quillonda (1)", "Quillondas (1)", "Quillonda (1)"] {
        assert!(preview.err.contains(form), "{form}: {preview:?}");
    }
    assert_eq!(holding(&copy, "quillonda").len(), 1, "a preview changes nothing");
    let done = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--yes", "--json"]).json();
    assert_eq!(
        (&done["entries"], &done["trashed"], &done["conflict_copies"]),
        (&2.into(), &1.into(), &1.into()),
        "{done}"
    );
    assert_eq!(done["left"], serde_json::json!([]), "{done}");
    let shown = kioku.run(&["timeline", "--full"]).out + &kioku.run(&["timeline", "--json"]).out;
    let expected = "[redacted] shouted; [redacted]'s dog ran off. All the [redacted] came, Quillondasson too.";
    assert!(shown.contains(expected), "{shown}");
    assert_eq!(fs::read_to_string(&copy).unwrap().matches("[redacted] called me").count(), 1);
    for form in ["QUILLONDA", "Quillondas ", "@Quillonda", "quillonda's", "quillonda in small", "quillonda called"] {
        assert_eq!(holding(&home, form), [] as [PathBuf; 0], "{form}");
    }
}

#[test]
fn a_forgotten_name_goes_from_keys_tags_and_copies_of_its_note() {
    let kioku = Kioku::new();
    kioku.add(&[
        "--tag",
        "quillonda-trip",
        "--tag",
        "sun",
        "Tea with @Quillonda and [[Quillonda Ross]]. [[Quillonda's wedding]].",
    ]);
    let head = "time: \"2026-08-01T09:00:00+02:00\"\nquillonda: 5\nsleep: 6\nwith: Quillonda\nid: \"other00001\"";
    fs::write(memory(&kioku).join("2026-08-01.md"), format!("# Kioku\n\n---\n{head}\n---\nA plain text.\n")).unwrap();
    kioku.run(&["entity", "alias", "person:Quillonda", "Auntie Q."]).ok();
    let notes = kioku.journal().join("entities");
    for copy in
        ["Quillonda.sync-conflict-20260814-101010-ABCDEFG.md", "Quillonda (conflicted copy).md", "Quillonda 2.md"]
    {
        fs::copy(notes.join("Quillonda.md"), notes.join(copy)).unwrap();
    }
    fs::write(notes.join("Quillonda's house.md"), "A house.\n").unwrap();
    fs::write(memory(&kioku).join("2026-08-02 Quillonda visits.md"), "Cake.\n").unwrap();
    let preview = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--dry-run"]);
    assert!(preview.err.contains("longer names stay: Quillonda Ross\n"), "{preview:?}");
    let done = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--yes", "--json"]).json();
    let left: Vec<&str> = done["left"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    let ends = |name: &str| left.iter().any(|path| path.ends_with(name));
    assert!(ends("2026-08-02 Quillonda visits.md") && ends("Quillonda's house.md"), "a name of a file: {left:?}");
    assert!(
        !left.iter().any(|path| path.contains("conflict") || path.contains("08-01") || path.contains("08-14")),
        "{left:?}"
    );
    let days = fs::read_to_string(memory(&kioku).join(TODAY)).unwrap();
    assert!(
        days.contains("tags: [\"sun\"]") && days.contains("[[Quillonda Ross]]. [[[redacted]'s wedding]]."),
        "{days}"
    );
    let days = fs::read_to_string(memory(&kioku).join("2026-08-01.md")).unwrap();
    assert!(!days.contains("uillonda") && days.contains("sleep: 6\n"), "{days}");
    assert_eq!(fs::read_dir(&notes).unwrap().count(), 1, "the house");
}

#[test]
fn what_forgetting_leaves_is_named() {
    let kioku = Kioku::new();
    let id = kioku.add(&[SECRET]);
    let template = kioku.journal().join("templates/mine.md");
    fs::create_dir_all(template.parent().unwrap()).unwrap();
    fs::write(&template, format!("Like this: {SECRET}\n")).unwrap();
    let forgotten = kioku.run(&["forget", &id, "--yes"]).ok();
    assert!(forgotten.contains("still contained in") && forgotten.contains("templates/mine.md"), "{forgotten}");
    fs::remove_file(&template).unwrap();
    let id = kioku.add(&[SECRET]);
    let forgotten = kioku.run(&["forget", &id, "--yes"]).ok();
    assert!(forgotten.contains("nothing left"), "{forgotten}");
}

#[test]
fn the_last_look_reads_names_and_sentences_in_json() {
    let kioku = Kioku::new();
    kioku.add(&["Tea with @Nguyệt."]);
    let templates = kioku.journal().join("templates");
    fs::create_dir_all(&templates).unwrap();
    for (file, text) in [
        ("newline.json", r#"{"text": "Tea.\nNguyệt came."}"#),
        ("letters.json", r#"{"text": "Ngu\u0079\u1ec7t"}"#),
        ("other.json", r#"{"text": "a\nNguyệtson"}"#),
    ] {
        fs::write(templates.join(file), text).unwrap();
    }
    let done = kioku.run(&["forget", "--entity", "person:Nguyệt", "--redact", "--yes", "--json"]).json();
    let left: Vec<&str> = done["left"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    let ends = |file: &str| left.iter().any(|path| path.ends_with(file));
    assert!(left.len() == 2 && ends("newline.json") && ends("letters.json"), "{done}");

    let id = kioku.add(&["She said \"it is cold\\warm\" to the zanzibarwort."]);
    fs::write(templates.join("quote.json"), r#"["She said \"it is cold\\warm\" to the z\u0061nzibarwort."]"#).unwrap();
    let forgotten = kioku.run(&["forget", &id, "--yes"]).ok();
    assert!(forgotten.contains("quote.json"), "{forgotten}");
}

#[test]
fn the_last_look_reads_the_compressed_texts_of_the_word_index() {
    let kioku = Kioku::new();
    let id = kioku.add(&[SECRET]);
    kioku.run(&["index"]).ok();
    fs::remove_dir_all(memory(&kioku)).unwrap();
    for folder in ["recent", "trash"] {
        let _ = fs::remove_dir_all(kioku.journal().join(folder));
    }
    let journal = kioku.journal();
    let look = |wanted: Wanted| Traces::look(&wanted, &[&journal]).left;
    let left = look(Wanted::sentences([SECRET]).unwrap());
    assert!(left.iter().any(|path| path.ends_with("words")), "{id}: {left:?}");
    let names = Redaction::new(vec!["Zanzibarwort".to_owned()], Vec::new(), |_| false);
    assert!(look(Wanted::Names(names)).iter().any(|path| path.ends_with("words")));
    assert!(look(Wanted::sentences(["Nobody ever wrote this sentence."]).unwrap()).is_empty());
    assert!(Wanted::sentences(["Tea."]).is_none(), "too short to be told from others");
}

#[test]
fn the_last_look_finds_a_name_in_a_binary_file_in_any_case_and_form() {
    let folder = tempfile::tempdir().unwrap();
    let names = || Redaction::new(vec!["Đà Lạt".to_owned(), "Vy".to_owned()], Vec::new(), |_| false);
    let is_found = |text: &str| {
        let file = folder.path().join("binary");
        fs::write(&file, [b"\xff\x00\x01", text.as_bytes(), b"\x00\xfe"].concat()).unwrap();
        !Traces::look(&Wanted::Names(names()), &[folder.path()]).left.is_empty()
    };
    for text in ["Đà Lạt", "ĐÀ LẠT", "đà lạt", "ĐA\u{300} LA\u{323}T", "in Đà\nLạt,"] {
        assert!(is_found(text), "{text}");
    }
    for text in ["Đà Lạtx", "Da Lat", "Vy", ""] {
        assert!(!is_found(text), "{text}");
    }
}

// The trash

#[test]
fn the_trash_is_emptied_for_good_and_by_age() {
    let kioku = Kioku::new();
    let trash = |kioku: &Kioku| kioku.run(&["trash", "--json"]).json()["trash"].as_array().unwrap().len();
    let old = kioku.add(&["--at", "2026-08-01 09:00", "An old walk to the mill."]);
    kioku.run(&["rm", &old]).ok();
    let file = kioku.journal().join("trash/2026-08-01.md");
    let aged = fs::read_to_string(&file).unwrap().replace("trashed: \"2026-08-14", "trashed: \"2026-06-01");
    files::replace(&file, aged.as_bytes()).unwrap();
    let id = kioku.add(&[SECRET]);
    kioku.run(&["rm", &id]).ok();
    assert!(kioku.run(&["trash", "--empty"]).fails(2).contains("--yes"), "needs a terminal to confirm");
    assert_eq!(kioku.run(&["trash", "--empty", "--older-than", "1y", "--yes", "--json"]).json()["removed"], 0);
    assert_eq!(kioku.run(&["trash", "--empty", "--older-than", "30d", "--yes", "--json"]).json()["removed"], 1);
    assert_eq!((trash(&kioku), holding(&kioku.journal(), "An old walk")), (1, Vec::new()));
    kioku.run(&["trash", "--empty", "--yes"]).ok();
    kioku.run(&["index"]).ok();
    assert_eq!((trash(&kioku), holding(&kioku.journal(), "zanzibarwort")), (0, Vec::new()), "second copies go too");
    assert!(kioku.run(&["trash", "--older-than", "30d"]).code == 2);

    let id = kioku.add(&["First words by the river."]);
    kioku.run(&["edit", &id, "--text", "Second words by the river."]).ok();
    kioku.run(&["trash", "--empty", "--yes"]).ok();
    assert!(kioku.run(&["show", &id]).ok().contains("Second words"), "what stands stays");
    assert!(!holding(&kioku.journal().join("recent"), "words by the river").is_empty() || trash(&kioku) == 0);
}
