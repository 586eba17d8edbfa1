//! Leftovers of git and sync programs in the entries folder: listed, reported, and repaired without losing a version.
#![allow(clippy::unwrap_used, reason = "a test that fails to set its stage has failed")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use kioku::{
    clock::Clock,
    journal::{Repaired, Vault, VaultError, VaultOptions},
};

use super::cli::Kioku;

fn memory(kioku: &Kioku) -> PathBuf {
    kioku.home.path().join("home/journals/personal/memory")
}

fn day(kioku: &Kioku) -> PathBuf {
    memory(kioku).join("2026-08-14.md")
}

fn texts(kioku: &Kioku) -> Vec<String> {
    let timeline = kioku.run(&["timeline", "--json"]).json();
    let mut texts: Vec<String> = timeline["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["text"].as_str().unwrap().to_owned())
        .collect();
    texts.sort();
    texts
}

fn git(folder: &Path, arguments: &[&str]) -> bool {
    let author = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "merge.conflictStyle=merge"];
    let mut git = Command::new("git");
    git.current_dir(folder).args(author).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.output().is_ok_and(|output| output.status.success())
}

/// A journal whose two branches each wrote an entry on the same day, merged by git under these attributes. `None` without git.
fn merged_by_git(attributes: &str) -> Option<Kioku> {
    if Command::new("git").arg("--version").output().is_err() {
        skipped();
        return None;
    }
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "Breakfast by the river."]);
    let folder = memory(&kioku);
    fs::write(folder.join(".gitattributes"), attributes).unwrap();
    for arguments in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-qm", "a"], &["branch", "phone"]]
    {
        assert!(git(&folder, arguments), "{arguments:?}");
    }
    kioku.add(&["--at", "2026-08-14 10:00", "--mood", "calm", "On the laptop: the report is done."]);
    assert!(git(&folder, &["commit", "-qam", "laptop"]) && git(&folder, &["checkout", "-q", "phone"]));
    kioku.add(&["--at", "2026-08-14 11:00", "--mood", "glad", "On the phone: met Linh at the station."]);
    assert!(git(&folder, &["commit", "-qam", "phone"]));
    git(&folder, &["merge", "-q", "main"]);
    Some(kioku)
}

#[expect(clippy::print_stderr, reason = "a skip is for whoever reads the output")]
fn skipped() {
    eprintln!("skipped: there is no git on this machine");
}

const BOTH: [&str; 3] =
    ["Breakfast by the river.", "On the laptop: the report is done.", "On the phone: met Linh at the station."];

#[test]
fn a_plain_git_merge_hides_neither_entry() {
    let Some(kioku) = merged_by_git("") else { return };
    let conflicted = fs::read(day(&kioku)).unwrap();
    assert!(conflicted.windows(8).any(|window| window == b"<<<<<<< "), "git left markers");
    assert_eq!(texts(&kioku), BOTH);
    let hits = kioku.run(&["search", "--json", "station"]).json();
    assert_eq!(hits["hits"][0]["text"], BOTH[2]);
    assert_eq!(fs::read(day(&kioku)).unwrap(), conflicted, "reading changes nothing");
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("git left conflict markers"), "{doctor:?}");

    // Entries between conflict markers are not rewritten, and nothing goes to the trash.
    let id = hits["hits"][0]["id"].as_str().unwrap().to_owned();
    assert!(kioku.run(&["rm", &id]).fails(1).contains("doctor --repair"));
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku), BOTH);
    let settled = fs::read_to_string(day(&kioku)).unwrap();
    assert!(!settled.contains("<<<<<<<") && !settled.contains(">>>>>>>"), "{settled}");
    let kept = kioku.home.path().join("home/journals/personal/trash/replaced/2026-08-14.md");
    assert_eq!(fs::read(kept).unwrap(), conflicted);
    kioku.run(&["rm", &id]).ok();
    assert_eq!(texts(&kioku), BOTH[..2]);
}

#[test]
fn an_entry_swallowed_by_a_union_merge_is_told_and_comes_back() {
    let Some(kioku) = merged_by_git("*.md merge=union\n") else { return };
    assert_eq!(texts(&kioku).len(), 2, "one entry is read as the text of another");
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("without its first `---`"), "{doctor:?}");
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku), BOTH);
}

#[test]
fn an_entry_is_added_to_a_file_with_conflict_markers() {
    let Some(kioku) = merged_by_git("") else { return };
    kioku.add(&["--at", "2026-08-14 12:00", "Zinnias in bloom."]);
    assert_eq!(texts(&kioku).len(), 4);
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku).len(), 4);
}

#[test]
fn what_only_a_conflict_copy_holds_is_taken_over() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "Both devices have this."]);
    let copy = fs::read_to_string(day(&kioku)).unwrap();
    let shared = kioku.add(&["--at", "2026-08-14 09:00", "As the laptop has it."]);
    let edited = format!(
        "{copy}\n---\ntime: \"2026-08-14T09:00:00+02:00\"\nid: \"{shared}\"\n---\nAs the phone has it.\n\n\
         ---\ntime: \"2026-08-14T10:00:00+02:00\"\nid: \"phonephone\"\n---\nOnly on the phone.\n"
    );
    let name = "2026-08-14.sync-conflict-20260814-101010-ABCDEFG.md";
    fs::write(memory(&kioku).join(name), &edited).unwrap();
    let before = fs::read_to_string(day(&kioku)).unwrap();
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains(name) && doctor.out.contains("not read yet"), "{doctor:?}");

    kioku.run(&["doctor", "--repair"]);
    let expected = ["As the laptop has it.", "As the phone has it.", "Both devices have this.", "Only on the phone."];
    assert_eq!(texts(&kioku), expected);
    assert!(fs::read_to_string(day(&kioku)).unwrap().starts_with(&before), "what stood there is untouched");
    assert!(!memory(&kioku).join(name).exists());
    let kept = kioku.home.path().join("home/journals/personal/trash/replaced").join(name);
    assert_eq!(fs::read_to_string(kept).unwrap(), edited);

    // Replaced versions are deleted with the trash, the entries stay.
    kioku.run(&["trash", "--empty", "--yes"]).ok();
    assert!(!kioku.home.path().join("home/journals/personal/trash/replaced").join(name).exists());
    assert_eq!(texts(&kioku), expected);

    // The same copy appears again, as with sync programs.
    fs::write(memory(&kioku).join(name), &edited).unwrap();
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku), expected);
}

#[test]
fn numbered_copies_of_a_day_are_told_and_titles_are_days() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "Breakfast."]);
    fs::copy(day(&kioku), memory(&kioku).join("2026-08-14 2.md")).unwrap();
    fs::write(memory(&kioku).join("2026-08-13 The fair.md"), "Candy floss.\n").unwrap();
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("2026-08-14 2.md") && !doctor.out.contains("The fair"), "{doctor:?}");
    assert_eq!(texts(&kioku), ["Breakfast.", "Candy floss."]);
}

#[test]
fn a_repair_brings_nothing_back_that_was_forgotten() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "Breakfast."]);
    let id = kioku.add(&["--at", "2026-08-14 09:00", "Zanzibarwort."]);
    let copy = fs::read_to_string(day(&kioku)).unwrap();
    kioku.run(&["forget", &id, "--yes"]).ok();
    fs::write(memory(&kioku).join("2026-08-14 (conflicted copy).md"), copy).unwrap();
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku), ["Breakfast."]);
    assert!(!kioku.home.path().join("home/journals/personal/trash/replaced").exists());
}

#[test]
fn markers_that_belong_to_a_text_are_told_as_such() {
    let kioku = Kioku::new();
    kioku.add(&["Git said:\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> phone\nand I laughed."]);
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("contains git conflict markers") && !doctor.err.contains("--repair"), "{doctor:?}");
    assert_eq!(texts(&kioku).len(), 1);
}

#[test]
fn a_repaired_file_has_lost_nothing() {
    let Some(kioku) = merged_by_git("*.md merge=union\n") else { return };
    kioku.run(&["index"]).ok();
    kioku.run(&["doctor", "--repair"]);
    kioku.run(&["index"]).ok();
    let trash = kioku.run(&["trash", "--json"]);
    assert!(!trash.out.contains("vanished"), "{trash:?}");
}

/// Two clones of a journal that each add this text in the same second, merged by git's union.
fn added_in_one_second() -> Option<Kioku> {
    if Command::new("git").arg("--version").output().is_err() {
        skipped();
        return None;
    }
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "Breakfast by the river."]);
    let folder = memory(&kioku);
    fs::write(folder.join(".gitattributes"), "*.md merge=union\n").unwrap();
    for arguments in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-qm", "a"], &["branch", "phone"]]
    {
        assert!(git(&folder, arguments), "{arguments:?}");
    }
    kioku.add(&["--at", "2026-08-14 10:00", BOTH[1]]);
    assert!(git(&folder, &["commit", "-qam", "laptop"]) && git(&folder, &["checkout", "-q", "phone"]));
    kioku.add(&["--at", "2026-08-14 10:00", BOTH[2]]);
    assert!(git(&folder, &["commit", "-qam", "phone"]));
    git(&folder, &["merge", "-q", "main"]);
    Some(kioku)
}

#[test]
fn entries_of_one_second_that_a_union_merge_joined_come_apart_again() {
    let Some(kioku) = added_in_one_second() else { return };
    assert_eq!(texts(&kioku).len(), 2, "one entry is read as the text of another");
    let doctor = kioku.run(&["doctor"]);
    assert!(doctor.out.contains("without its `---` and `time:`"), "{doctor:?}");
    kioku.run(&["doctor", "--repair"]);
    assert_eq!(texts(&kioku), BOTH);
    assert_eq!(kioku.run(&["show", "2026-08-14", "--json"]).ok().matches("T10:00:00").count(), 2);
}

#[test]
fn a_text_with_keys_and_fences_is_no_torn_head() {
    let kioku = Kioku::new();
    for text in ["A note:\nid: \"7\"\n---\nmore", "---\nmood: x\nid: \"abcdefghij\"\n---\nmore", "id: x\n---\nmore"] {
        kioku.add(&["--", text]);
    }
    let doctor = kioku.run(&["doctor"]);
    assert!(!doctor.out.contains("an entry begins here"), "{doctor:?}");
}

#[test]
fn a_text_that_kioku_wrote_is_never_torn_by_a_repair() {
    let kioku = Kioku::new();
    let text = "Format:\ntime: \"2026-02-22T15:30:00+00:00\"\nmood: sad\n---\nbody";
    let id = kioku.add(&["--", text]);
    kioku.add(&["--", "Format:\n\nmood: sad\nid: \"abcdefghij\"\n---\nbody"]);
    assert!(!kioku.run(&["doctor"]).ok().contains("an entry begins here"));
    kioku.run(&["doctor", "--repair", "--yes"]);
    assert_eq!(
        (kioku.run(&["show", &id, "--json"]).json()["entries"][0]["text"].as_str(), texts(&kioku).len()),
        (Some(text), 2)
    );
    kioku.run(&["edit", &id, "--text", "Plain."]).ok();
    assert!(
        !fs::read_to_string(
            memory(&kioku).join(format!(
                "{}.md",
                kioku.run(&["show", &id, "--json"]).json()["entries"][0]["day"].as_str().unwrap()
            ))
        )
        .unwrap()
        .contains("Format:\ntime")
    );
}

const CONFLICT: &str = "# Kioku \u{2014} 2026-08-14

---
time: \"2026-08-14T08:00:00+02:00\"
id: \"aaaaaaaaaa\"
---
common

<<<<<<< HEAD
---
time: \"2026-08-14T09:00:00+02:00\"
id: \"bbbbbbbbbb\"
---
on the laptop

=======
---
time: \"2026-08-14T09:00:00+02:00\"
id: \"bbbbbbbbbb\"
---
on the phone

>>>>>>> other
---
time: \"2026-08-14T10:00:00+02:00\"
id: \"cccccccccc\"
---
How git marks a conflict:
<<<<<<< HEAD
line a
=======
line b
>>>>>>> x
after
";

#[test]
fn markers_around_one_edited_entry_are_repaired_and_quoted_ones_stay() {
    let kioku = Kioku::new();
    fs::create_dir_all(memory(&kioku)).unwrap();
    fs::write(day(&kioku), CONFLICT).unwrap();
    let quoted = "How git marks a conflict:\n<<<<<<< HEAD\nline a\n=======\nline b\n>>>>>>> x\nafter";
    let all = [quoted, "common", "on the laptop", "on the phone"];
    assert_eq!(texts(&kioku), all);
    let doctor = kioku.run(&["doctor"]).out;
    assert!(doctor.contains("2026-08-14.md:9: git left conflict markers"), "{doctor}");
    assert!(doctor.contains("2026-08-14.md:29: this text contains git conflict markers"), "{doctor}");
    let repaired = kioku.run(&["doctor", "--repair", "--yes"]);
    assert!(repaired.out.contains("repaired 2026-08-14.md"), "{repaired:?}");
    assert_eq!(texts(&kioku), all);
    let text = fs::read_to_string(day(&kioku)).unwrap();
    assert!(text.contains(quoted) && !text.contains(">>>>>>> other"), "{text}");
}

/// Repairs the first problem of the day file, as `r` in the list of problems does.
fn repair_by_key(kioku: &Kioku) -> Result<Option<Repaired>, VaultError> {
    let clock = Clock::fixed("2026-08-14T12:00:00+02:00[+02:00]".parse().unwrap());
    let vault = Vault::open(VaultOptions::new(kioku.journal(), clock)).unwrap();
    let notices = vault.read("2026-08-14.md").unwrap().notices;
    assert!(notices[0].kind.is_repairable(), "{notices:?}");
    vault.repair(&notices[0])
}

#[test]
fn markers_within_one_text_are_removed_by_key_and_both_versions_stay() {
    let kioku = Kioku::new();
    let id = kioku.add(&["--at", "2026-08-14 08:00", "First.\nSecond.\nThird."]);
    let marked = "First.\n<<<<<<< HEAD\nSecond, on the laptop.\n=======\nSecond, on the phone.\n>>>>>>> phone\nThird.";
    let text = fs::read_to_string(day(&kioku)).unwrap().replace("First.\nSecond.\nThird.", marked);
    fs::write(day(&kioku), &text).unwrap();
    assert_eq!(
        kioku.run(&["doctor", "--repair"]).out.lines().next(),
        Some("nothing to repair"),
        "it may be a quotation"
    );
    assert!(repair_by_key(&kioku).unwrap().is_some());
    assert_eq!(texts(&kioku), ["First.\nSecond, on the laptop.\nSecond, on the phone.\nThird."]);
    assert_eq!(kioku.run(&["timeline", "--json"]).json()["entries"][0]["id"], id);
    let kept = kioku.home.path().join("home/journals/personal/trash/replaced/2026-08-14.md");
    assert_eq!(fs::read_to_string(kept).unwrap(), text);
    kioku.run(&["doctor"]).ok();
}

#[test]
fn markers_that_do_not_pair_up_are_left_for_the_user() {
    let kioku = Kioku::new();
    kioku.add(&["--at", "2026-08-14 08:00", "<<<<<<< HEAD\nHalf of it.\n>>>>>>> phone"]);
    let before = fs::read(day(&kioku)).unwrap();
    let refused = repair_by_key(&kioku).unwrap_err().to_string();
    assert!(refused.contains("repair it in an editor"), "{refused}");
    assert_eq!(fs::read(day(&kioku)).unwrap(), before);
}

#[test]
fn a_file_that_a_cloud_has_not_downloaded_is_not_deleted() {
    for placeholder in [".2026-08-14.md.icloud", "2026-08-14.md.nextcloud"] {
        let kioku = Kioku::new();
        kioku.add(&["--at", "2026-08-14 08:00", "Breakfast by the river."]);
        kioku.add(&["--at", "2026-08-13 08:00", "The day before."]);
        kioku.run(&["index"]).ok();
        fs::rename(day(&kioku), kioku.home.path().join("cloud")).unwrap();
        fs::write(memory(&kioku).join(placeholder), "bplist00").unwrap();
        let all = ["Breakfast by the river.", "The day before.", "Written meanwhile.", "Imported meanwhile."];
        assert_eq!(texts(&kioku), all[..2], "{placeholder}");
        kioku.add(&["--at", "2026-08-14 09:00", all[2]]);
        let line = format!("{{\"time\":\"2026-08-14T10:00:00Z\",\"text\":\"{}\"}}", all[3]);
        kioku.piped(&["import", "jsonl", "-"], line.as_bytes()).ok();
        assert_eq!(texts(&kioku).into_iter().collect::<BTreeSet<_>>(), all.map(str::to_owned).into());
        let doctor = kioku.run(&["doctor"]);
        assert!(doctor.out.contains("2026-08-14.md is not downloaded yet"), "{doctor:?}");
        assert_eq!(kioku.run(&["trash", "--json"]).json()["trash"], serde_json::json!([]));
        fs::remove_file(memory(&kioku).join(placeholder)).unwrap();
        fs::rename(kioku.home.path().join("cloud"), day(&kioku)).unwrap();
        assert_eq!(texts(&kioku).into_iter().collect::<BTreeSet<_>>(), all.map(str::to_owned).into());
        kioku.run(&["doctor"]).ok();
    }
}
