//! Folders of dated notes from other programs: every text is shown, found and edited in place.
#![allow(clippy::unwrap_used, reason = "a test that fails to set its stage has failed")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use kioku::journal::BodyHash;
use serde_json::{Value, json};

use super::cli::Kioku;

/// A folder of files, and a home of its own.
fn folder(files: &[(&str, &str)]) -> (Kioku, String) {
    let kioku = Kioku::new();
    let root = kioku.home.path().join("notes");
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let root = root.display().to_string();
    (kioku, root)
}

fn entries(kioku: &Kioku, root: &str) -> Vec<(String, String, String)> {
    let timeline: Value = serde_json::from_str(&kioku.run(&["--vault", root, "timeline", "--json"]).out).unwrap();
    let of = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    let entries = timeline["entries"].as_array().unwrap().iter();
    entries.map(|entry| (of(entry, "id"), of(entry, "day"), of(entry, "text"))).collect()
}

#[test]
fn a_day_without_a_head_is_an_entry_of_that_day() {
    let (kioku, root) = folder(&[
        ("2024-03-01.md", "Walked to the lighthouse with Ana.\n"),
        ("2024_03_02.md", "# 2024-03-02\n\nRain all day.\n"),
        ("2024/03/20240303.md", "## Morning\n\nThe ferry was late.\n"),
        ("2024/03/2024-03-04 A trip.md", "---\ntags: [travel]\nmood: calm\n---\n\nTo the island.\n"),
    ]);
    let found = entries(&kioku, &root);
    let found: Vec<_> = found.iter().map(|(id, day, text)| (id.as_str(), day.as_str(), text.as_str())).collect();
    assert_eq!(
        found,
        [
            ("2024-03-01.md", "2024-03-01", "Walked to the lighthouse with Ana."),
            ("2024_03_02.md", "2024-03-02", "Rain all day."),
            ("2024/03/20240303.md", "2024-03-03", "## Morning\n\nThe ferry was late."),
            ("2024/03/2024-03-04 A trip.md", "2024-03-04", "To the island."),
        ]
    );
    let day = kioku.run(&["--vault", &root, "show", "2024-03-04", "--json"]).json();
    assert_eq!((&day["entries"][0]["mood"], &day["entries"][0]["tags"][0]), (&"calm".into(), &"travel".into()));
    assert_eq!(day["entries"][0]["time"], "2024-03-04", "no hour is claimed that the file does not say");
    let hit = kioku.run(&["--vault", &root, "search", "--json", "ferry"]).json();
    assert_eq!(hit["hits"][0]["id"], "2024/03/20240303.md");
}

#[test]
fn a_text_without_a_head_is_edited_in_place() {
    for (before, after) in [
        ("Walked to the lighthouse.\n\n\n", "Walked far.\n\n"),
        ("\u{feff}# 2024-03-01\r\n\r\nWalked to the lighthouse.", "\u{feff}# 2024-03-01\r\n\r\nWalked far."),
        (
            "---\ntitle: x\n---\n\nWalked to the lighthouse.\n\n---\ntime: \"2024-03-01T20:00:00+01:00\"\n---\nSlept.\n",
            "---\ntitle: x\n---\n\nWalked far.\n\n---\ntime: \"2024-03-01T20:00:00+01:00\"\n---\nSlept.\n",
        ),
    ] {
        let (kioku, root) = folder(&[("2024-03-01.md", before), ("2024-03-02.md", "Other.")]);
        let mut edit = kioku.command(&["--vault", &root, "edit", "2024-03-01.md"]);
        edit.env("EDITOR", "sed -i 's/Walked to the lighthouse./Walked far./'");
        assert!(edit.output().unwrap().status.success());
        let now = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        let trimmed = |text: &str| text.trim_end_matches('\n').to_owned();
        assert_eq!(trimmed(&now), trimmed(after));
        assert_eq!(fs::read_to_string(format!("{root}/2024-03-02.md")).unwrap(), "Other.");
        assert_eq!(entries(&kioku, &root)[0].0, "2024-03-01.md", "it goes by the same name");
        kioku.run(&["--vault", &root, "restore", "2024-03-01.md"]).ok();
        let back = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        assert_eq!(trimmed(&back), trimmed(before), "restored without a head");
    }
}

#[test]
fn a_deleted_text_without_a_head_goes_back_where_it_stood() {
    let text = "Walked to the lighthouse.\n";
    let (kioku, root) = folder(&[("2024/2024_03_01.md", text)]);
    kioku.run(&["--vault", &root, "rm", "2024/2024_03_01.md"]).ok();
    assert!(entries(&kioku, &root).is_empty());
    kioku.run(&["--vault", &root, "restore", "2024/2024_03_01.md"]).ok();
    assert_eq!(fs::read_to_string(format!("{root}/2024/2024_03_01.md")).unwrap(), text);
    assert_eq!(entries(&kioku, &root).len(), 1);
}

#[test]
fn an_entry_is_added_behind_a_text_without_a_head() {
    let (kioku, root) = folder(&[("2026-08-14.md", "Before breakfast: rain.\n")]);
    kioku.run(&["--vault", &root, "add", "After dinner: sun."]).ok();
    let texts: Vec<_> = entries(&kioku, &root).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["Before breakfast: rain.", "After dinner: sun."]);
    let file = fs::read_to_string(format!("{root}/2026-08-14.md")).unwrap();
    assert!(file.starts_with("Before breakfast: rain.\n\n---\ntime: "), "{file}");
}

#[test]
fn files_that_are_not_read_are_told() {
    let undated = [("Ideas.md", "An idea.\n"), ("Books.md", "A book.\n"), ("picture.png", "")];
    let (kioku, root) = folder(&undated);
    let refused = kioku.run(&["--vault", &root, "timeline"]).fails(1);
    assert!(refused.contains("holds 3 files and folders and no journal"), "{refused}");
    let (kioku, root) = folder(&[&undated[..], &[("2024-03-01.md", "\n")]].concat());
    let ran = kioku.run(&["--vault", &root, "timeline"]);
    assert!(ran.err.contains("2 files are not read: their names hold no date (Books.md, Ideas.md)"), "{ran:?}");
    assert!(!ran.err.contains("empty"), "{ran:?}");
    let doctor = kioku.run(&["--vault", &root, "doctor"]);
    assert!(doctor.out.contains("2 files are not read"), "{doctor:?}");
}

#[test]
fn a_text_that_looks_like_a_head_is_kept_as_it_was_typed() {
    let (kioku, root) = folder(&[("2024-03-01.md", "Walked.\n")]);
    let script = kioku.home.path().join("editor.sh");
    // The head of the sheet stays, the text below it changes.
    fs::write(&script, "{ head -n 6 \"$2\"; cat \"$1\"; } > \"$2.new\" && mv \"$2.new\" \"$2\"").unwrap();
    for text in [
        "Walked.\n\n---\ntime: 10:00 dentist\n---\nand home",
        "---\ntime: \"2024-03-01T10:00:00\"\n---\nfar",
        "# 2024-03-01",
    ] {
        let typed = kioku.home.path().join("typed");
        fs::write(&typed, text).unwrap();
        let mut edit = kioku.command(&["--vault", &root, "edit", "2024-03-01.md"]);
        edit.env("EDITOR", format!("sh {} {}", script.display(), typed.display()));
        let ran = edit.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let (id, _, body) = entries(&kioku, &root).remove(0);
        assert_eq!((id.as_str(), body.as_str()), ("2024-03-01.md", text));
    }
}

fn trash(kioku: &Kioku, root: &str) -> Vec<(String, String, String)> {
    let trash = kioku.run(&["--vault", root, "trash", "--json"]).out;
    let trash: Value = serde_json::from_str(&trash).unwrap();
    let of = |piece: &Value, key: &str| piece[key].as_str().unwrap_or_default().to_owned();
    let pieces = trash["trash"].as_array().unwrap().iter();
    pieces.map(|piece| (of(&piece["entry"], "id"), of(piece, "why"), of(&piece["entry"], "text"))).collect()
}

#[test]
fn a_text_without_a_head_that_another_program_overwrites_is_in_the_trash_as_itself() {
    let (kioku, root) = folder(&[("w/2026-02-01.md", "as it was\n"), ("2026-01-01.md", "other\n")]);
    let day = format!("{root}/w/2026-02-01.md");
    kioku.run(&["--vault", &root, "add", "first today"]).ok();
    let script = kioku.home.path().join("editor.sh");
    fs::write(&script, "sed -i 's/as it was/edited here/' \"$1\"").unwrap();
    let mut edit = kioku.command(&["--vault", &root, "edit", "w/2026-02-01.md"]);
    assert!(edit.env("EDITOR", format!("sh {}", script.display())).output().unwrap().status.success());
    fs::write(&day, "by a sync program\n").unwrap();
    kioku.run(&["--vault", &root, "index"]).ok();
    let vanished: Vec<_> = trash(&kioku, &root).into_iter().filter(|(_, why, _)| why == "vanished").collect();
    assert_eq!(vanished, [("w/2026-02-01.md".into(), "vanished".into(), "edited here".into())]);

    // After a restore both texts are there; if it is lost again before any index, it is in the trash again.
    kioku.run(&["--vault", &root, "restore", "w/2026-02-01.md"]).ok();
    let texts: Vec<_> = entries(&kioku, &root).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["other", "by a sync program", "edited here", "first today"]);
    fs::write(&day, "").unwrap();
    kioku.run(&["--vault", &root, "index"]).ok();
    assert!(trash(&kioku, &root).iter().any(|(_, why, text)| why == "vanished" && text == "edited here"));
}

#[test]
fn a_text_without_a_head_is_redacted_and_forgotten() {
    let (kioku, root) = folder(&[("2026-02-01.md", "met Zanzibarwort\n"), ("2026-02-02.md", "secret of the day\n")]);
    kioku.run(&["--vault", &root, "forget", "2026-02-02.md", "--redact", "--yes"]).ok();
    assert_eq!(fs::read_to_string(format!("{root}/2026-02-02.md")).unwrap(), "[redacted]\n");
    kioku.run(&["--vault", &root, "forget", "2026-02-01.md", "--yes"]).ok();
    assert_eq!(entries(&kioku, &root).len(), 1);
}

#[test]
fn a_flat_folder_stays_one_when_its_last_day_goes_away() {
    let (kioku, root) = folder(&[("2024-03-01.md", "Walked to the lighthouse.\n")]);
    kioku.run(&["--vault", &root, "index"]).ok();
    fs::remove_file(format!("{root}/2024-03-01.md")).unwrap();
    let ran = kioku.run(&["--vault", &root, "index"]);
    assert!(ran.code == 0 && !ran.err.contains("memory"), "{ran:?}");
    assert!(trash(&kioku, &root).iter().any(|(_, why, text)| why == "vanished" && text.contains("lighthouse")));
    kioku.run(&["--vault", &root, "add", "Back again."]).ok();
    assert!(fs::metadata(format!("{root}/2026-08-14.md")).unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_of_days_is_told_or_followed() {
    let (kioku, root) = folder(&[("2024-03-01.md", "Walked.\n")]);
    let outside = kioku.home.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("2023-01-01.md"), "Last year.\n").unwrap();
    std::os::unix::fs::symlink(&outside, format!("{root}/old")).unwrap();
    std::os::unix::fs::symlink(&root, format!("{root}/loop")).unwrap();
    assert_eq!(entries(&kioku, &root).len(), 1);
    let doctor = kioku.run(&["--vault", &root, "doctor"]);
    assert_eq!(doctor.out.matches("old:1: a link to a folder").count(), 1, "{doctor:?}");
    fs::write(kioku.home.path().join("config.toml"), "follow_links = true\n").unwrap();
    let texts: Vec<_> = entries(&kioku, &root).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["Last year.", "Walked."]);
}

#[test]
fn files_of_org_journal_have_no_ending() {
    let day = "* Friday, 01/03/24\n** 09:30 Slept long\n** 12:15 Soup\n";
    let (kioku, root) = folder(&[("20240301", day)]);
    let found = entries(&kioku, &root);
    assert_eq!(found.iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), ["20240301#09:30", "20240301#12:15"]);
    kioku.run(&["--vault", &root, "add", "--at", "2024-03-01 15:00", "Ferry."]).ok();
    assert_eq!(fs::read_to_string(format!("{root}/20240301")).unwrap(), format!("{day}\n** 15:00\nFerry.\n"));
    kioku.run(&["--vault", &root, "add", "Today."]).ok();
    assert!(Path::new(&format!("{root}/2026-08-14.md")).is_file(), "a head is no org");
    let (kioku, root) = folder(&[("20240301/picture.png", ""), ("notes.txt", "x")]);
    kioku.run(&["--vault", &root, "add", "Not here."]).fails(1);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_in_a_folder_is_told_and_does_not_vanish() {
    use std::os::unix::{ffi::OsStringExt, fs::PermissionsExt};
    let (kioku, root) = folder(&[("2024-03-01.md", "Walked.\n"), ("2023/2023-03-01.md", "Last year.\n")]);
    let name = std::ffi::OsString::from_vec(b"2024-03-02 Caf\xe9.md".to_vec());
    if fs::write(Path::new(&root).join(name), "Coffee.\n").is_ok() {
        let doctor = kioku.run(&["--vault", &root, "doctor"]);
        assert!(doctor.out.contains("its name is not UTF-8"), "{doctor:?}");
    }
    kioku.run(&["--vault", &root, "index"]).ok();
    let year = format!("{root}/2023");
    let set = |mode| fs::set_permissions(&year, fs::Permissions::from_mode(mode)).unwrap();
    set(0o000);
    // The administrator reads everything.
    if fs::read_dir(&year).is_err() {
        for _ in 0..2 {
            assert_eq!(entries(&kioku, &root).len(), 2);
            let doctor = kioku.run(&["--vault", &root, "doctor"]);
            assert_eq!(doctor.out.matches("2023:1: this folder could not be read").count(), 1, "{doctor:?}");
            assert!(trash(&kioku, &root).is_empty());
        }
    }
    set(0o700);
    assert_eq!(entries(&kioku, &root).len(), 2);
}

/// The checksum of every file below a folder, without those of the index.
fn checksums(folder: &Path, sums: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(".index") {
            checksums(&path, sums);
        } else if path.is_file() {
            sums.insert(path.clone(), BodyHash::of(&fs::read(&path).unwrap()).to_string());
        }
    }
}

#[test]
fn browsing_a_folder_of_notes_changes_none_of_its_files() {
    let (kioku, root) = folder(&[
        (
            "daily/2024-03-01.md",
            "---\ntags:\n  - travel\n\n# from a template\nmood: calm\n---\n\nTo the island with Ana.\r\n",
        ),
        (
            "journals/2024_03_02.md",
            "tags:: work, [[Project X]]\n- The ferry was late.\n  collapsed:: true\n- Met [[Ana]].",
        ),
        ("2024/03/20240303.org", "* Sunday, 03/03/24\n** 09:30 Slept long\n** 12:15 Soup\n"),
        ("2024-03-06.md", SECTIONS),
        ("2024-03-04 A title.txt", "\u{feff}No markdown at all\n\n\n"),
        ("2024-03-05.md", "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> x\n"),
        ("templates/daily.md", "Template"),
        (".obsidian/app.json", "{}"),
        ("Ideas.md", "An idea."),
        ("picture.png", "\u{0}"),
    ]);
    let mut before = BTreeMap::new();
    checksums(Path::new(&root), &mut before);
    assert_eq!(entries(&kioku, &root).len(), 10);
    for arguments in [
        &["timeline"][..],
        &["dates"],
        &["search", "ferry"],
        &["show", "2024-03-01"],
        &["entities"],
        &["related", "Ana"],
        &["why", "calm"],
        &["reflect", "2024-03-01"],
        &["review", "2024"],
        &["stats"],
        &["themes"],
        &["doctor"],
        &["doctor", "--verify"],
        &["index", "--rebuild"],
        &["trash"],
        &["export", "jsonl"],
    ] {
        kioku.run(&[&["--vault", &root], arguments].concat());
    }
    let mut after = BTreeMap::new();
    checksums(Path::new(&root), &mut after);
    // Kioku's lock and the empty list of its own git rules are the only new files.
    after.retain(|path, _| before.contains_key(path) || !path.ends_with(".lock"));
    assert_eq!(after, before);
}

#[test]
fn front_matter_gives_tags_mood_and_time() {
    let (kioku, root) = folder(&[
        (
            "2024-03-01.md",
            "---\ntitle: \"Monday: a walk\"\ntags:\n  - travel\n  - \"#home\"\n\nmood: calm # so far\ncreated: 2024-03-01 08:15\n---\nWalked.\n",
        ),
        ("2024_03_02.md", "tags:: work, [[Project X]]\nmood:: glad\n\n- The ferry was late.\n"),
        ("2024-03-03.md", "---\ncreated: 2024-02-28T10:00\n---\nSwam.\n"),
        ("2024-03-04.md", "---\n\nNote: a rule above\n\n---\nand one below\n"),
    ]);
    let shown = |day: &str| kioku.run(&["--vault", &root, "show", day, "--json"]).json()["entries"][0].clone();
    let first = shown("2024-03-01");
    assert_eq!(
        (&first["tags"], &first["mood"], &first["time"]),
        (&json!(["travel", "home"]), &json!("calm"), &json!("2024-03-01 08:15"))
    );
    let second = shown("2024-03-02");
    assert_eq!((&second["tags"], &second["mood"]), (&json!(["work", "Project X"]), &json!("glad")));
    assert_eq!(shown("2024-03-03")["time"], "2024-03-03", "the time of another day is no time of this one");
    assert_eq!(shown("2024-03-04")["text"], "---\n\nNote: a rule above\n\n---\nand one below");
}

#[test]
fn front_matter_that_is_never_closed_does_not_take_the_head_of_an_entry() {
    let (kioku, root) = folder(&[("2026-08-14.md", "---\ntitle: a walk\n")]);
    kioku.run(&["--vault", &root, "add", "After dinner: sun."]).ok();
    let texts: Vec<_> = entries(&kioku, &root).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["---\ntitle: a walk", "After dinner: sun."]);
}

const SECTIONS: &str = "---\ntags: [travel]\n---\n\nWoke early.\n\n## 09:30\n\nThe ferry was late.\n\n## 11:05 Harbour\nSoup with Ana.\n\n## 20:15\n\nSlept.\n";

fn edited(kioku: &Kioku, root: &str, id: &str, script: &str) {
    let mut edit = kioku.command(&["--vault", root, "edit", id]);
    let ran = edit.env("EDITOR", format!("sed -i {script}")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn sections_with_times_are_entries_that_are_edited_in_place() {
    let bom = format!("\u{feff}{SECTIONS}");
    let unended = SECTIONS.trim_end().to_owned();
    let tight = SECTIONS.replace("\n\n", "\n");
    for day in [SECTIONS.to_owned(), SECTIONS.replace('\n', "\r\n"), bom, unended, tight] {
        let (kioku, root) = folder(&[("2024-03-01.md", &day)]);
        let file = || fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        let found = entries(&kioku, &root);
        let ids: Vec<_> = found.iter().map(|(id, ..)| id.as_str()).collect();
        let all = ["2024-03-01.md", "2024-03-01.md#09:30", "2024-03-01.md#11:05", "2024-03-01.md#20:15"];
        assert_eq!(ids, all, "{day:?}");
        edited(&kioku, &root, "2024-03-01.md#11:05", "'s/Soup/Noodles/'");
        assert_eq!(file(), day.replace("Soup", "Noodles"));
        edited(&kioku, &root, "2024-03-01.md#20:15", "'s/Slept/Slept well/'");
        assert_eq!(file(), day.replace("Soup", "Noodles").replace("Slept", "Slept well"));
        edited(&kioku, &root, "2024-03-01.md", "'s/Woke/Got up/'");
        let ids: Vec<_> = entries(&kioku, &root).into_iter().map(|(id, ..)| id).collect();
        assert_eq!(ids, all);
        for id in all {
            kioku.run(&["--vault", &root, "restore", id]);
        }
        assert_eq!(file(), day, "an older version goes back into its section");
        for id in all {
            kioku.run(&["--vault", &root, "rm", id]).ok();
            assert_eq!(entries(&kioku, &root).len(), 3);
            kioku.run(&["--vault", &root, "restore", id]).ok();
            let now = entries(&kioku, &root);
            assert_eq!(now.iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), all, "{:?}", file());
            let lines =
                |text: &str| text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(lines(&file()), lines(&day), "deleted and restored: {id}");
        }
    }
}

#[test]
fn a_deleted_section_goes_back_where_it_stood() {
    let (kioku, root) = folder(&[("2024-03-01.md", SECTIONS)]);
    for id in ["2024-03-01.md", "2024-03-01.md#09:30", "2024-03-01.md#11:05", "2024-03-01.md#20:15"] {
        kioku.run(&["--vault", &root, "rm", id]).ok();
        kioku.run(&["--vault", &root, "restore", id]).ok();
        assert_eq!(fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap(), SECTIONS, "{id}");
    }
}

#[test]
fn a_key_of_the_user_that_is_named_heading_survives_the_trash() {
    let text = "---\ntime: \"2024-03-01T20:00:00+01:00\"\nheading: north\nid: \"a\"\n---\nSlept.\n";
    let (kioku, root) = folder(&[("2024-03-01.md", text)]);
    kioku.run(&["--vault", &root, "rm", "a"]).ok();
    kioku.run(&["--vault", &root, "restore", "a"]).ok();
    assert!(fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap().contains("heading: north"));
}

#[test]
fn a_text_without_a_time_that_gets_a_head_says_that_it_is_undated() {
    let (kioku, root) = folder(&[("2026-01-09.md", "intro before\n\n## 08:00\nA\n"), ("2026-01-10.md", "Walked.\n")]);
    for file in ["2026-01-09.md", "2026-01-10.md"] {
        kioku.run(&["--vault", &root, "edit", file, "--tag", "family"]).ok();
        let text = fs::read_to_string(format!("{root}/{file}")).unwrap();
        assert!(text.contains("undated: true\n"), "{text}");
    }
    kioku.run(&["--vault", &root, "edit", "2026-01-10.md", "--at", "2026-01-10 09:00"]).ok();
    let text = fs::read_to_string(format!("{root}/2026-01-10.md")).unwrap();
    assert!(text.contains("time: \"2026-01-10T09:00") && !text.contains("undated"), "{text}");
}

#[test]
fn an_empty_section_is_filled_in_place() {
    let (kioku, root) = folder(&[("2024-03-01.md", "## 08:00\n\n## 09:30\nFerry.\n\n## 10:00")]);
    edited(&kioku, &root, "2024-03-01.md#08:00", "'$a Woke.'");
    edited(&kioku, &root, "2024-03-01.md#10:00", "'$a Soup.'");
    let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
    assert_eq!(file.trim_end(), "## 08:00\n\nWoke.\n\n## 09:30\nFerry.\n\n## 10:00\n\nSoup.");
}

#[test]
fn what_a_section_cannot_hold_moves_it_behind_the_others() {
    let (kioku, root) = folder(&[("2024-03-01.md", SECTIONS)]);
    edited(&kioku, &root, "2024-03-01.md#09:30", "'s/^mood:.*/mood: glad/'");
    let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
    let others = SECTIONS.replace("## 09:30\n\nThe ferry was late.\n\n", "");
    let moved = file.strip_prefix(&others).unwrap();
    assert!(moved.starts_with("\n---\ntime: \"2024-03-01T09:30:00") && moved.contains("mood: \"glad\""), "{moved}");
    let found = entries(&kioku, &root);
    assert!(
        found.iter().any(|(id, _, text)| id == "2024-03-01.md#09:30" && text == "The ferry was late."),
        "{found:?}"
    );
    assert_eq!(found.len(), 4);
    edited(&kioku, &root, "2024-03-01.md#20:15", "'s/Slept./Slept.\\n\\n## Plans\\n/'");
    let texts: Vec<_> = entries(&kioku, &root).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts[3].trim_end(), "Slept.\n\n## Plans");
    assert_eq!(texts.len(), 4);
}

#[test]
fn a_new_entry_of_a_day_in_sections_is_a_section() {
    for (day, added) in [
        ("## 09:30\n\nFerry.\n", "\n## 12:00\n\nSoup.\n"),
        ("# Friday\r\n\r\n### 9:30 am\r\nFerry.", "\r\n\r\n### 12:00 pm\r\nSoup.\r\n"),
        ("** 09:30 Ferry\n", "\n** 12:00\nSoup.\n"),
    ] {
        let (kioku, root) = folder(&[("2024-03-01.md", day)]);
        let id = kioku.run(&["--vault", &root, "add", "--at", "2024-03-01 12:00", "Soup."]).ok();
        assert_eq!(id.trim(), "2024-03-01.md#12:00");
        assert_eq!(fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap(), format!("{day}{added}"));
        assert_eq!(entries(&kioku, &root)[1].2, "Soup.");
        kioku.run(&["--vault", &root, "add", "--at", "2024-03-01 13:00", "--tag", "x", "Slept."]).ok();
        let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        assert!(file.contains("time: \"2024-03-01T13:00"), "a tag needs a head: {file}");
        assert_eq!(entries(&kioku, &root).len(), 3);
    }
}

#[test]
fn a_new_entry_goes_to_the_one_file_of_its_day_if_that_is_in_sections() {
    let (kioku, root) = folder(&[
        ("daily/2024-03-01.md", "## 09:30\n\nFerry.\n"),
        ("daily/2024-03-02.md", "Plain text.\n"),
        ("a/2024-03-03.md", "## 09:30\n\nFerry.\n"),
        ("b/2024-03-03.md", "## 09:30\n\nFerry.\n"),
    ]);
    for (day, is_section) in [("2024-03-01", true), ("2024-03-02", false), ("2024-03-03", false)] {
        let id = kioku.run(&["--vault", &root, "add", "--at", &format!("{day} 12:00"), "Soup."]).ok();
        assert_eq!(id.trim() == format!("daily/{day}.md#12:00"), is_section, "{id}");
        assert_eq!(Path::new(&format!("{root}/{day}.md")).exists(), !is_section, "{day}");
    }
    kioku.run(&["--vault", &root, "add", "--at", "2024-03-01 13:00", "--tag", "x", "Slept."]).ok();
    let file = fs::read_to_string(format!("{root}/daily/2024-03-01.md")).unwrap();
    assert!(
        file.starts_with("## 09:30\n\nFerry.\n\n## 12:00\n\nSoup.\n") && file.contains("2024-03-01T13:00"),
        "{file}"
    );
}

#[test]
fn sections_written_by_another_program_are_not_lost() {
    let (kioku, root) = folder(&[("2024-03-01.md", "Woke early.\n")]);
    let day = format!("{root}/2024-03-01.md");
    kioku.run(&["--vault", &root, "index"]).ok();
    let mut text = "Woke early.\n".to_owned();
    for section in ["\n## 09:30\n\nFerry.\n", "\n## 10:30\n\nSoup.\n", "\n## Plans\n\nNone.\n"] {
        text.push_str(section);
        fs::write(&day, &text).unwrap();
        kioku.run(&["--vault", &root, "index"]).ok();
        assert!(trash(&kioku, &root).is_empty(), "nothing has vanished: {:?}", trash(&kioku, &root));
    }
    assert_eq!(entries(&kioku, &root).len(), 1, "a heading that is no time");
    fs::write(&day, "Woke early.\n\n## 10:30\n\nSoup.\n").unwrap();
    kioku.run(&["--vault", &root, "index"]).ok();
    let vanished = trash(&kioku, &root);
    assert!(vanished.iter().any(|(_, why, text)| why == "vanished" && text.contains("Ferry.")), "{vanished:?}");
}

#[test]
fn a_section_is_redacted_and_forgotten() {
    let (kioku, root) = folder(&[("2024-03-01.md", SECTIONS)]);
    kioku.run(&["--vault", &root, "forget", "2024-03-01.md#11:05", "--redact", "--yes"]).ok();
    kioku.run(&["--vault", &root, "forget", "2024-03-01.md#20:15", "--yes"]).ok();
    let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
    let before = SECTIONS.split("## 11:05").next().unwrap();
    assert_eq!(file, format!("{before}## 11:05\n\n[redacted]\n"));
}

#[test]
fn a_new_day_goes_to_the_sub_folder_of_its_month_under_the_name_in_use() {
    let days = |format: &str| -> Vec<(String, &'static str)> {
        let day = |day: &str| day.parse::<jiff::civil::Date>().unwrap();
        let named = |at: &str| (day(at).strftime(format).to_string(), "Walked.\n");
        ["2026-05-30", "2026-06-12", "2026-06-13"].into_iter().map(named).collect()
    };
    for format in [
        "%Y-%m-%d.md",
        "%Y/%Y-%m-%d.md",
        "Daily notes/%Y/%m/%Y-%m-%d.md",
        "Tagebuch/%Y/%m-%B/%Y-%m-%d.txt",
        "%Y/%b/%Y%m%d.md",
        "%Y/%-m/%Y-%m-%d.md",
        "journals/%Y_%m_%d.md",
    ] {
        let mut files = days(format);
        files.push(("Meetings/2026-06-14 Standup.md".to_owned(), "Minutes.\n"));
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        let (kioku, root) = folder(&files);
        kioku.run(&["--vault", &root, "add", "--at", "2026-08-14 09:00", "Soup."]).ok();
        kioku.run(&["--vault", &root, "add", "--at", "2026-06-12 09:00", "Ferry."]).ok();
        let lines = "{\"time\":\"2026-09-01T10:00:00+02:00\",\"text\":\"Imported.\"}\n";
        kioku.run(&["--vault", &root, "import", "jsonl", &kioku.write("in.jsonl", lines)]).ok();
        let read =
            |day: jiff::civil::Date| fs::read_to_string(format!("{root}/{}", day.strftime(format))).unwrap_or_default();
        let day = |month, day| jiff::civil::date(2026, month, day);
        assert!(read(day(8, 14)).contains("Soup."), "{format}");
        assert!(read(day(6, 12)).starts_with("Walked.\n") && read(day(6, 12)).contains("Ferry."), "{format}");
        assert!(read(day(9, 1)).contains("Imported."), "{format}");
        let id = kioku.add(&["--vault", &root, "--at", "2026-08-14 10:00", "Moved."]);
        kioku.run(&["--vault", &root, "edit", &id, "--at", "2026-10-02 10:00"]).ok();
        assert!(read(day(10, 2)).contains("Moved."), "{format}");
    }
}

#[test]
fn a_folder_without_one_layout_gets_new_days_in_itself() {
    for names in [
        &["a/2026-06-12.md", "b/2026-06-13.md"][..],
        &["2026/März/2026-03-12.md", "2026/März/2026-03-13.md"],
        &["2019 to 2020/2026-06-12.md"],
        &["Trips/2026-06-12 Lisbon.md"],
    ] {
        let files: Vec<_> = names.iter().map(|name| (*name, "Walked.\n")).collect();
        let (kioku, root) = folder(&files);
        kioku.run(&["--vault", &root, "add", "Soup."]).ok();
        assert!(Path::new(&format!("{root}/2026-08-14.md")).is_file(), "{names:?}");
    }
}

#[test]
fn a_field_of_the_front_matter_is_edited_in_it() {
    let day = "---\ncreated: 2024-03-01 08:15\nMood: calm\ntags:\n  - travel\n  - \"#home\"\ncode: \"007\" # of the locker\n\naliases: [x]\n---\n\nTo the island.\n";
    for day in [day.to_owned(), day.replace('\n', "\r\n")] {
        let (kioku, root) = folder(&[("2024-03-01.md", &day)]);
        let file = || fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        let edit = |arguments: &[&str]| {
            kioku.run(&[&["--vault", &root, "edit", "2024-03-01.md"], arguments].concat()).ok();
        };
        let shown = || kioku.run(&["--vault", &root, "show", "2024-03-01.md", "--json"]).json()["entries"][0].clone();
        edit(&["--mood", "sad"]);
        assert_eq!(file(), day.replace("Mood: calm", "Mood: \"sad\""));
        assert_eq!((&shown()["mood"], &shown()["time"]), (&json!("sad"), &json!("2024-03-01 08:15")));
        edit(&["--text", "To the harbour.", "--mood", "glad"]);
        let glad = day.replace("Mood: calm", "Mood: \"glad\"").replace("island", "harbour");
        assert_eq!(file(), glad);
        kioku.run(&["--vault", &root, "restore", "2024-03-01.md"]).ok();
        assert_eq!(file(), day.replace("Mood: calm", "Mood: \"sad\""), "the version before, with its mood");
        kioku.run(&["--vault", &root, "restore", "2024-03-01.md#2"]).ok();
        assert_eq!(file(), day.replace("Mood: calm", "Mood: \"calm\""), "the first version");
        edit(&["--tag", "sea"]);
        assert_eq!(shown()["tags"], json!(["sea"]), "{}", file());
        assert!(file().contains("tags: [\"sea\"]") && !file().contains("time:"), "{}", file());
    }
}

#[test]
fn tags_that_the_front_matter_would_hide_or_flatten_go_to_a_head() {
    for front in ["tag: home\n", "tags: [\"[[Project X]]\", home]\n"] {
        let (kioku, root) = folder(&[("2024-03-01.md", &format!("---\n{front}---\nTo the island.\n"))]);
        kioku.run(&["--vault", &root, "edit", "2024-03-01.md", "--tag", "work"]).ok();
        let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        assert!(file.contains(front), "{file}");
        let shown = kioku.run(&["--vault", &root, "show", "2024-03-01.md", "--json"]).json();
        assert_eq!(shown["entries"][0]["tags"], json!(["work"]), "{file}");
    }
}

#[test]
fn months_of_one_digit_are_known_from_the_whole_year() {
    let days = jiff::civil::date(2025, 1, 1).series(jiff::Span::new().days(1));
    let files: Vec<String> = days.take(365).map(|day| day.strftime("%Y/%-m/%Y-%m-%d.md").to_string()).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|name| (name.as_str(), "Walked.\n")).collect();
    let (kioku, root) = folder(&files);
    kioku.run(&["--vault", &root, "add", "--at", "2026-01-02 09:00", "Soup."]).ok();
    assert!(Path::new(&format!("{root}/2026/1/2026-01-02.md")).is_file());
}

#[test]
fn a_field_that_the_front_matter_cannot_take_goes_to_a_head() {
    for front in [
        "mood: calm # so far\n",
        "mood: calm\t# so far\n",
        "mood: [calm, tired]\n",
        "mood: >\n  calm\n  enough\n",
        "mood: calm\n",
    ] {
        let (kioku, root) = folder(&[("2024-03-01.md", &format!("---\n{front}---\nTo the island.\n"))]);
        let arguments: &[&str] = if front == "mood: calm\n" { &["--at", "2024-03-01 10:00"] } else { &[] };
        kioku.run(&[&["--vault", &root, "edit", "2024-03-01.md", "--mood", "sad"], arguments].concat()).ok();
        let file = fs::read_to_string(format!("{root}/2024-03-01.md")).unwrap();
        assert!(file.contains(front) && file.contains("\ntime: "), "{file}");
        let shown = kioku.run(&["--vault", &root, "show", "2024-03-01.md", "--json"]).json();
        assert_eq!(shown["entries"][0]["mood"], "sad");
    }
}
