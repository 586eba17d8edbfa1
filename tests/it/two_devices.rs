//! One journal on several devices: `kioku sync` through a git remote, and the merge driver that it installs.
#![allow(clippy::unwrap_used, reason = "a test that fails to set its stage has failed")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use kioku::{
    clock::Clock,
    journal::{Change, Entry, NewEntry, Vault, VaultOptions},
};
use serde_json::Value;
use tempfile::TempDir;

use super::cli::{Kioku, finish};

/// Two devices and the bare repository between them. `None` without git.
fn devices() -> Option<(Kioku, Kioku, TempDir, String)> {
    let hub = tempfile::tempdir().unwrap();
    let git = Command::new("git").args(["init", "-q", "--bare"]).arg(hub.path().join("hub.git")).status();
    if !git.is_ok_and(|status| status.success()) {
        skipped();
        return None;
    }
    let address = hub.path().join("hub.git").to_str().unwrap().to_owned();
    Some((Kioku::new(), Kioku::new(), hub, address))
}

#[expect(clippy::print_stderr, reason = "a skip is for whoever reads the output")]
fn skipped() {
    eprintln!("skipped: there is no git on this machine");
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn texts(kioku: &Kioku) -> Vec<String> {
    let timeline = kioku.run(&["timeline", "--json"]).json();
    let text = |entry: &Value| entry["text"].as_str().unwrap().to_owned();
    let mut texts: Vec<String> = timeline["entries"].as_array().unwrap().iter().map(text).collect();
    texts.sort();
    texts
}

fn sync(kioku: &Kioku) -> String {
    kioku.run(&["sync"]).ok()
}

#[test]
fn entries_written_on_two_devices_on_one_day_are_on_both() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    assert!(laptop.run(&["sync"]).fails(1).contains("run `kioku sync init` first"));
    laptop.add(&["--at", "2026-08-14 08:00", "Breakfast by the river."]);
    phone.add(&["--at", "2026-08-14 09:00", "Met Linh at the station."]);
    laptop.run(&["sync", "init", &address]).ok();
    assert_eq!(laptop.run(&["sync", "init", &address]).ok(), "already set up\n");
    phone.run(&["sync", "init", &address]).ok();
    assert!(phone.run(&["sync", "init", "elsewhere"]).fails(1).contains("the remote `origin` is"));
    for device in [&laptop, &phone, &laptop] {
        sync(device);
    }
    let both = ["Breakfast by the river.", "Met Linh at the station."];
    assert_eq!((texts(&laptop), texts(&phone)), (both.map(str::to_owned).to_vec(), both.map(str::to_owned).to_vec()));
    assert_eq!(sync(&phone), "committed 0 files, received 0 commits, sent 0 commits (origin)\n");
    // The remote has neither derived files nor deleted texts, and no message that tells of the journal.
    let clone = laptop.journal();
    let tracked = git(&clone, &["ls-files"]);
    assert_eq!(tracked, ".gitattributes\n.gitignore\nmemory/2026-08-14.md");
    let messages: BTreeSet<String> =
        git(&clone, &["log", "--format=%B"]).split_whitespace().map(str::to_owned).collect();
    assert_eq!(messages, ["Update", "Merge", "journal"].map(str::to_owned).into());
}

#[test]
fn a_forgotten_entry_that_another_device_changed_comes_back_and_sync_says_so() {
    for (merges_here, is_alone) in [(true, true), (true, false), (false, true), (false, false)] {
        let Some((laptop, phone, _hub, address)) = devices() else { return };
        let id = laptop.add(&["--at", "2026-08-14 12:00", "Lunch.\n\nThe report."]);
        laptop.add(&["--at", if is_alone { "2026-08-13" } else { "2026-08-14 13:00" }, "Rain."]);
        for device in [&laptop, &phone] {
            device.run(&["sync", "init", &address]).ok();
            sync(device);
        }
        laptop.run(&["forget", &id, "--yes"]).ok();
        phone.run(&["edit", &id, "--text", "Lunch with Linh."]).ok();
        let order = if merges_here { [&phone, &laptop, &phone] } else { [&laptop, &phone, &laptop] };
        let told = order.map(sync);
        let says = |told: &String| told.contains(&format!("and back: {id} in memory/2026-08-14.md"));
        assert_eq!(told.each_ref().map(says), [false, merges_here, !merges_here], "{told:?}");
        assert!(texts(&laptop).contains(&"Lunch with Linh.".to_owned()));
        laptop.run(&["forget", &id, "--yes"]).ok();
        sync(&laptop);
        assert!(!sync(&phone).contains("and back"));
        assert_eq!(texts(&phone), ["Rain."], "nothing changed it meanwhile");
    }
}

#[test]
fn a_missing_folder_of_day_files_is_no_deletion_and_the_last_deletion_leaves_the_folder() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    let id = laptop.add(&["Lunch."]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    let (memory, away) = (phone.journal().join("memory"), phone.journal().join("away"));
    fs::rename(&memory, &away).unwrap();
    assert!(phone.run(&["sync"]).fails(1).contains("the folder with the entries is gone"));
    fs::rename(&away, &memory).unwrap();
    laptop.run(&["rm", &id]).ok();
    sync(&laptop);
    assert_eq!(sync(&phone), "committed 0 files, received 2 commits, sent 0 commits (origin)\n");
    phone.add(&["Rain."]);
    assert_eq!(texts(&phone), ["Rain."]);
}

#[test]
fn doctor_finds_an_index_that_git_tracks_also_in_a_worktree() {
    let Some((laptop, _phone, hub, _address)) = devices() else { return };
    laptop.add(&["Fog."]);
    laptop.run(&["search", "fog"]).ok();
    let journal = laptop.journal();
    let tracked = |kioku: &Kioku| kioku.run(&["doctor"]).out.contains("git tracks the index");
    git(&journal, &["init", "-q"]);
    git(&journal, &["add", "-A"]);
    assert!(!tracked(&laptop), "ignored by its own .gitignore");
    git(&journal, &["add", "-Af", ".index"]);
    assert!(tracked(&laptop));
    git(&journal, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All"]);
    let tree = hub.path().join("tree");
    git(&journal, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    assert!(tree.join(".git").is_file());
    let doctor = laptop.run(&["--vault", tree.to_str().unwrap(), "doctor"]);
    assert!(doctor.out.contains("git tracks the index"), "{doctor:?}");
}

#[cfg(unix)]
#[test]
fn closing_the_screens_syncs_where_the_configuration_says_so() {
    use super::pty::{KIOKU, Pty, command};
    let Some((laptop, phone, hub, address)) = devices() else { return };
    let quit = || {
        let mut pty = Pty::spawn(command(laptop.home.path(), KIOKU));
        pty.wait_for("Bread and soup");
        pty.keys("q");
        assert_eq!(pty.ended(), 0);
        pty.screen()
    };
    laptop.add(&["--at", "2026-11-20 08:00", "Bread and soup."]);
    laptop.write("config.toml", "[sync]\nauto = \"on-exit\"\n");
    assert!(quit().contains("run `kioku sync init`"), "it is said that the journal is not set up");
    laptop.write("config.toml", "");
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
    }
    assert_eq!((quit().as_str(), git(&laptop.journal(), &["log"]).as_str()), ("", ""), "off by default");
    laptop.write("config.toml", "[sync]\nauto = \"on-exit\"\n");
    quit();
    sync(&phone);
    assert_eq!(texts(&phone), ["Bread and soup."]);
    fs::rename(hub.path().join("hub.git"), hub.path().join("away")).unwrap();
    laptop.add(&["--at", "2026-11-20 09:00", "Rain."]);
    assert!(quit().contains("not sent yet"));
    assert_eq!(git(&laptop.journal(), &["status", "--porcelain"]), "", "committed, for the next time");
}

#[test]
fn an_entry_edited_on_both_devices_keeps_both_versions_and_says_so() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    let id = laptop.add(&["--at", "2026-08-14 12:00", "--tag", "work", "Lunch.\n\nThe report."]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    laptop.run(&["edit", &id, "--text", "Lunch with Linh.\n\nThe report."]).ok();
    phone.run(&["edit", &id, "--text", "Lunch with Bob.\n\nThe report.\n\nHome.", "--mood", "calm"]).ok();
    sync(&laptop);
    let told = sync(&phone);
    assert!(
        told.contains(&format!("changed on two devices, both versions kept: {id} in memory/2026-08-14.md")),
        "{told}"
    );
    sync(&laptop);
    assert_eq!(texts(&laptop), ["Lunch with Bob.\nLunch with Linh.\n\nThe report.\n\nHome."]);
    assert_eq!(texts(&phone), texts(&laptop));
    let shown = laptop.run(&["show", &id, "--json"]).json();
    let shown = &shown["entries"][0];
    assert_eq!((shown["mood"].as_str(), shown["tags"][0].as_str()), (Some("calm"), Some("work")), "{shown}");
}

/// Two devices with one entry, and its id.
fn with_one_entry(text: &str) -> Option<(Kioku, Kioku, TempDir, String)> {
    let (laptop, phone, hub, address) = devices()?;
    let id = laptop.add(&["--at", "2026-08-14 12:00", "--mood", "calm", text]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    Some((laptop, phone, hub, id))
}

#[test]
fn an_entry_moved_on_one_device_and_edited_on_the_other_is_one_entry() {
    let Some((laptop, phone, _hub, id)) = with_one_entry("Lunch.") else { return };
    laptop.run(&["edit", &id, "--at", "2026-08-10 12:00", "--tag", "work"]).ok();
    phone.run(&["edit", &id, "--text", "Lunch with Bob.", "--mood", "glad"]).ok();
    sync(&laptop);
    // Both devices may merge before either sends.
    let told = sync(&phone);
    assert!(!told.contains("both versions kept"), "{told}");
    sync(&laptop);
    for device in [&laptop, &phone] {
        assert_eq!(texts(device), ["Lunch with Bob."]);
        let shown = &device.run(&["show", &id, "--json"]).json()["entries"][0];
        assert_eq!((&shown["day"], &shown["mood"]), (&"2026-08-10".into(), &"glad".into()), "{shown}");
        assert_eq!(shown["tags"][0], "work");
    }
    let trash = phone.run(&["trash", "--json"]).out;
    assert!(trash.contains("\"Lunch.\""), "the version of the other device is in the trash: {trash}");
    assert!(sync(&phone).contains("nothing") || texts(&phone).len() == 1);
}

#[test]
#[cfg(debug_assertions)]
fn an_entry_moved_on_one_device_is_joined_after_kills_of_the_other() {
    let Some((laptop, phone, _hub, id)) = with_one_entry("Lunch.") else { return };
    laptop.run(&["edit", &id, "--at", "2026-08-10 12:00"]).ok();
    phone.run(&["edit", &id, "--text", "Lunch with Bob."]).ok();
    sync(&laptop);
    let killed = |step: i32| {
        let mut command = phone.command(&["sync"]);
        command.env("KIOKU_FAULT", step.to_string());
        finish(command, b"").code != 0
    };
    assert!(killed(1));
    assert_eq!(texts(&phone), ["Lunch with Bob.", "Lunch."], "the merge is done, and nothing else");
    assert!((2..100).any(|step| !killed(step)), "each kill goes one step further");
    for device in [&laptop, &phone] {
        let told = sync(device);
        assert!(!told.contains("both versions kept"), "{told}");
        assert_eq!(texts(device), ["Lunch with Bob."]);
        assert_eq!(device.run(&["show", &id, "--json"]).json()["entries"][0]["day"], "2026-08-10");
    }
}

#[test]
fn an_entry_moved_on_one_device_whose_line_both_changed_is_named() {
    let Some((laptop, phone, _hub, id)) = with_one_entry("Lunch.") else { return };
    laptop.run(&["edit", &id, "--at", "2026-08-10 12:00", "--text", "Lunch with Ana."]).ok();
    phone.run(&["edit", &id, "--text", "Lunch with Bob."]).ok();
    sync(&laptop);
    let told = sync(&phone);
    assert!(told.contains(&format!("both versions kept: {id} in 2026-08-10.md and 2026-08-14.md")), "{told}");
    sync(&laptop);
    assert_eq!(texts(&laptop), ["Lunch with Ana.", "Lunch with Bob."]);
    assert_eq!(texts(&phone), texts(&laptop));
}

#[test]
fn an_entry_moved_to_two_days_is_shown_on_both_and_no_deleted_text_comes_back() {
    let Some((laptop, phone, _hub, id)) = with_one_entry("Lunch.") else { return };
    laptop.run(&["edit", &id, "--at", "2026-08-10 12:00"]).ok();
    phone.run(&["edit", &id, "--at", "2026-08-11 12:00"]).ok();
    for device in [&laptop, &phone, &laptop] {
        sync(device);
    }
    for device in [&laptop, &phone] {
        assert_eq!(texts(device), ["Lunch."; 2]);
        assert!(device.run(&["doctor"]).fails(1).contains("1 problem"));
        assert!(device.run(&["doctor"]).out.contains(&format!("two entries have the id {id}")));
    }
    laptop.run(&["rm", &id]).ok();
    assert_eq!(texts(&laptop), ["Lunch."]);
    laptop.run(&["rm", &id]).ok();
    assert!(laptop.run(&["timeline"]).out.is_empty());
}

#[test]
fn an_entry_deleted_on_one_device_and_edited_on_the_other_stays() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    let edited = laptop.add(&["--at", "2026-08-14 12:00", "Lunch."]);
    let deleted = laptop.add(&["--at", "2026-08-14 13:00", "Nothing of note."]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    laptop.run(&["rm", &edited]).ok();
    laptop.run(&["rm", &deleted]).ok();
    phone.run(&["edit", &edited, "--text", "Lunch with Bob."]).ok();
    for device in [&laptop, &phone, &laptop] {
        sync(device);
    }
    assert_eq!(
        (texts(&laptop), texts(&phone)),
        (vec!["Lunch with Bob.".to_owned()], vec!["Lunch with Bob.".to_owned()])
    );
    // The other device keeps a copy of what was deleted on this one.
    assert!(phone.run(&["trash"]).ok().contains("Nothing of note."));
}

#[test]
fn a_day_file_removed_on_one_device_and_changed_on_the_other_stays() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    laptop.add(&["--at", "2026-08-14 12:00", "Lunch."]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    fs::remove_file(laptop.journal().join("memory/2026-08-14.md")).unwrap();
    phone.add(&["--at", "2026-08-14 13:00", "Coffee."]);
    for device in [&phone, &laptop, &phone] {
        sync(device);
    }
    assert_eq!((texts(&laptop), texts(&phone)), (vec!["Coffee.".to_owned(), "Lunch.".to_owned()], texts(&laptop)));
}

#[test]
fn without_a_connection_changes_are_committed_and_sent_later() {
    let Some((laptop, _, hub, address)) = devices() else { return };
    let secret = format!("file://me:secret@{address}");
    laptop.add(&["Lunch."]);
    laptop.run(&["sync", "init", &secret]).ok();
    let away = hub.path().join("away.git");
    fs::rename(hub.path().join("hub.git"), &away).unwrap();
    let offline = laptop.run(&["sync"]);
    assert!(offline.out.contains("committed 3 files") && !offline.out.contains("secret"), "{offline:?}");
    let told = offline.fails(1);
    assert!(told.contains("the remote was not reached") && !told.contains("secret"), "{told}");
    assert_eq!(git(&laptop.journal(), &["status", "--porcelain"]), "", "all is committed");
    fs::rename(away, hub.path().join("hub.git")).unwrap();
    git(&laptop.journal(), &["remote", "set-url", "origin", &address]);
    assert_eq!(sync(&laptop), "committed 0 files, received 0 commits, sent 1 commit (origin)\n");
}

#[test]
fn a_remote_that_lost_its_branch_gets_it_again() {
    let Some((laptop, phone, hub, address)) = devices() else { return };
    laptop.add(&["Lunch."]);
    laptop.run(&["sync", "init", &address]).ok();
    sync(&laptop);
    let made_anew = hub.path().join("hub.git");
    fs::remove_dir_all(&made_anew).unwrap();
    fs::create_dir(&made_anew).unwrap();
    git(&made_anew, &["init", "-q", "--bare"]);
    assert_eq!(laptop.run(&["sync", "--dry-run", "--json"]).json()["sent"], 1);
    assert_eq!(sync(&laptop), "committed 0 files, received 0 commits, sent 1 commit (origin)\n");
    phone.run(&["sync", "init", &address]).ok();
    sync(&phone);
    assert_eq!(texts(&phone), ["Lunch."]);
}

#[test]
fn what_a_killed_git_leaves_is_named_and_never_committed() {
    let Some((laptop, _, _hub, address)) = devices() else { return };
    laptop.add(&["--at", "2026-08-14 12:00", "Lunch."]);
    laptop.run(&["sync", "init", &address]).ok();
    sync(&laptop);
    let (lock, left) = (laptop.journal().join(".git/index.lock"), laptop.journal().join(".merge_file_a1B2c3"));
    fs::write(&lock, "").unwrap();
    fs::write(&left, "Lunch.").unwrap();
    for verb in [&["sync"][..], &["sync", "--dry-run"], &["doctor"]] {
        let told = laptop.run(verb).err;
        assert!(told.contains("if no git runs, rm '") && told.contains("index.lock'"), "{verb:?} {told}");
    }
    fs::remove_file(&lock).unwrap();
    assert!(laptop.run(&["sync", "--dry-run"]).ok().starts_with("would commit 0 files"));
    assert!(sync(&laptop).starts_with("committed 0 files"));
    assert!(!left.exists());
}

#[test]
fn a_dry_run_changes_nothing() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    laptop.add(&["--at", "2026-08-14 12:00", "Lunch."]);
    phone.run(&["sync", "init", &address]).ok();
    sync(&phone);
    laptop.run(&["sync", "init", &address]).ok();
    let plan = laptop.run(&["sync", "--dry-run", "--json"]).json();
    assert_eq!(
        (&plan["committed"], &plan["dry_run"], &plan["received"]),
        (&3.into(), &true.into(), &1.into()),
        "{plan}"
    );
    let folder = laptop.journal();
    assert_eq!(git(&folder, &["rev-parse", "-q", "--verify", "HEAD"]), "", "nothing is committed");
    assert_eq!(git(&folder, &["for-each-ref"]), "", "nothing is fetched");
}

#[test]
fn a_dry_run_without_a_connection_says_that_the_remote_is_unknown() {
    let Some((laptop, _, hub, address)) = devices() else { return };
    laptop.add(&["Lunch."]);
    laptop.run(&["sync", "init", &address]).ok();
    fs::remove_dir_all(hub.path().join("hub.git")).unwrap();
    let plan = laptop.run(&["sync", "--dry-run"]);
    assert!(plan.out.contains("would commit 3 files") && plan.out.contains("not reached"), "{plan:?}");
    assert!(!plan.out.contains("nothing new"), "{plan:?}");
    let told = plan.fails(1);
    assert!(told.contains("the remote was not reached") && !told.contains("committed"), "{told}");
    let plan: Value = serde_json::from_str(&laptop.run(&["sync", "--dry-run", "--json"]).out).unwrap();
    assert!(plan["received"].is_null() && plan["offline"].is_string(), "{plan}");
}

#[test]
fn another_remote_is_refused_with_the_command_that_changes_it() {
    let Some((laptop, _, _hub, address)) = devices() else { return };
    laptop.run(&["sync", "init", &address]).ok();
    let told = laptop.run(&["sync", "init", "git@example.org:me/other.git"]).fails(1);
    assert!(told.contains(&address) && told.contains("remote set-url origin git@example.org:me/other.git"), "{told}");
}

#[test]
fn every_kind_of_day_file_is_merged_by_entry_also_in_a_journal_set_up_before() {
    let Some((laptop, _phone, _hub, _)) = devices() else { return };
    laptop.add(&["Breakfast by the river."]);
    laptop.run(&["sync", "init"]).ok();
    let attributes = laptop.journal().join(".gitattributes");
    fs::write(&attributes, "*.md -text merge=kioku\n*.txt -text merge=kioku\n").unwrap();
    sync(&laptop);
    for name in ["2026-08-14.md", "2026-08-14.txt", "2026-08-14.org", "2026-08-14.markdown"] {
        let merge = git(&laptop.journal(), &["check-attr", "merge", name]);
        assert_eq!(merge, format!("{name}: merge: kioku"));
    }
}

#[test]
fn a_repository_with_long_hashes_is_synced() {
    let Some((laptop, _phone, _hub, _)) = devices() else { return };
    laptop.add(&["Breakfast by the river."]);
    git(&laptop.journal(), &["init", "-q", "--object-format=sha256"]);
    laptop.run(&["sync", "init"]).ok();
    assert!(laptop.run(&["sync", "--dry-run"]).ok().starts_with("would commit "));
    assert!(sync(&laptop).starts_with("committed 3 files"));
    laptop.add(&["Lunch at the station."]);
    assert!(sync(&laptop).starts_with("committed 1 file"));
}

#[test]
fn a_journal_inside_another_repository_is_left_to_its_git() {
    let Some((laptop, _, _hub, _)) = devices() else { return };
    laptop.add(&["Lunch."]);
    git(laptop.home.path(), &["init", "-q"]);
    assert!(laptop.run(&["sync"]).fails(1).contains("part of the repository"));
    assert_eq!(git(laptop.home.path(), &["rev-parse", "-q", "--verify", "HEAD"]), "");
}

#[test]
fn a_merge_interrupted_by_hand_is_finished_with_both_sides() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        sync(device);
    }
    laptop.add(&["--at", "2026-08-14 08:00", "Breakfast."]);
    sync(&laptop);
    phone.add(&["--at", "2026-08-14 09:00", "Coffee."]);
    let folder = phone.journal();
    git(&folder, &["add", "-A"]);
    git(&folder, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "mine"]);
    // Git without the driver, as in another program.
    git(
        &folder,
        &["-c", "user.name=a", "-c", "user.email=a@b", "-c", "merge.kioku.driver=false", "pull", "-q", "--no-rebase"],
    );
    assert_ne!(git(&folder, &["rev-parse", "-q", "--verify", "MERGE_HEAD"]), "", "git stopped in the middle");
    phone.add(&["--at", "2026-08-14 10:00", "Written in the middle of it."]);
    for device in [&phone, &laptop] {
        sync(device);
    }
    phone.run(&["doctor", "--repair"]);
    assert!(texts(&phone).contains(&"Written in the middle of it.".to_owned()), "{:?}", texts(&phone));
    assert!(texts(&phone).contains(&"Coffee.".to_owned()), "{:?}", texts(&phone));
    assert!(texts(&laptop).contains(&"Breakfast.".to_owned()), "{:?}", texts(&laptop));
}

#[test]
fn the_driver_merges_files_and_refuses_wrong_paths() {
    let kioku = Kioku::new();
    let entry = |id: &str, text: &str| format!("---\ntime: \"2026-08-14T08:00:00+02:00\"\nid: \"{id}\"\n---\n{text}\n");
    let base = kioku.write("base", "");
    let ours = kioku.write("ours", &entry("a", "One."));
    let theirs = kioku.write("theirs", &entry("b", "Two."));
    kioku.run(&["merge-file", &base, &ours, &theirs]).ok();
    assert_eq!(fs::read_to_string(&ours).unwrap(), format!("{}\n{}", entry("a", "One."), entry("b", "Two.")));
    assert!(kioku.run(&["merge-file", &base, &ours, "nowhere"]).fails(1).contains("nowhere does not exist"));
    kioku.run(&["merge-file", &base, &ours]).fails(2);
}

/// A device of the random histories, with the words that it deleted itself.
struct Device {
    vault: Vault,
    dropped: BTreeSet<String>,
    made: usize,
    name: char,
}

impl Device {
    fn new(root: PathBuf, name: char) -> Self {
        let clock = Clock::fixed("2026-08-14T12:00:00+02:00[+02:00]".parse().unwrap());
        let vault = Vault::open(VaultOptions { machine: name.to_string(), ..VaultOptions::new(root, clock) }).unwrap();
        Self { vault, dropped: BTreeSet::new(), made: 0, name }
    }

    fn entries(&self) -> Vec<Entry> {
        let files = self.vault.files().unwrap();
        files
            .iter()
            .flat_map(|file| self.vault.read(&file.file).unwrap().entries)
            .map(|written| written.entry)
            .collect()
    }

    fn word(&mut self) -> String {
        self.made += 1;
        format!("{}{}", self.name, self.made)
    }

    /// Makes the change that a random number chooses.
    fn make(&mut self, random: u64) {
        let (word, entries) = (self.word(), self.entries());
        let chosen = entries.get((random / 8) as usize % entries.len().max(1)).cloned();
        match (random % 8, chosen) {
            (0..=2, _) | (_, None) => drop(self.vault.append(NewEntry { body: word, ..NewEntry::default() }).unwrap()),
            (3, Some(entry)) => {
                self.dropped.extend(entry.body.lines().map(str::to_owned));
                self.dropped.insert(word);
                self.vault.remove(&entry).unwrap();
            }
            (4 | 5, Some(entry)) => {
                let body = format!("{}\n{word}", entry.body);
                self.vault.edit(&entry, Change { body: Some(body), ..Change::default() }).unwrap();
            }
            (_, Some(entry)) => {
                let mut lines: Vec<&str> = entry.body.lines().collect();
                let at = (random / 64) as usize % lines.len();
                self.dropped.insert(lines[at].to_owned());
                lines[at] = &word;
                self.vault.edit(&entry, Change { body: Some(lines.join("\n")), ..Change::default() }).unwrap();
            }
        }
    }
}

#[test]
fn three_devices_that_sync_at_random_times_agree_and_lose_nothing() {
    let program = Path::new(env!("CARGO_BIN_EXE_kioku"));
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        // Knuth's generator; its high bits are random enough.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for _ in 0..4 {
        let Some((_, _, hub, address)) = devices() else { return };
        let root = |name: char| hub.path().join(name.to_string()).join("journals/personal");
        let mut devices: Vec<Device> = ('x'..='z').map(|name| Device::new(root(name), name)).collect();
        for device in &devices {
            device.vault.init_sync(program, Some(&address)).unwrap();
        }
        for _ in 0..12 {
            let at = random() as usize % 3;
            let number = random();
            devices[at].make(number);
            if random() % 2 == 0 {
                assert_eq!(devices[at].vault.sync(program, false).unwrap().offline, None);
            }
        }
        for at in [0, 1, 2, 0, 1] {
            assert_eq!(devices[at].vault.sync(program, false).unwrap().offline, None);
        }
        let content = |device: &Device| fs::read(device.vault.entries_folder().join("2026-08-14.md")).unwrap();
        let words: BTreeSet<String> = devices[0]
            .entries()
            .iter()
            .flat_map(|entry| entry.body.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let dropped: BTreeSet<&String> = devices.iter().flat_map(|device| &device.dropped).collect();
        for device in &devices {
            assert_eq!(String::from_utf8(content(device)).unwrap(), String::from_utf8(content(&devices[0])).unwrap());
            for word in (1..=device.made).map(|n| format!("{}{n}", device.name)) {
                assert!(words.contains(&word) || dropped.contains(&word), "{word} is lost");
            }
        }
    }
}

#[test]
fn attached_files_travel_and_the_same_file_on_two_devices_is_no_clash() {
    let Some((laptop, phone, _hub, address)) = devices() else { return };
    // Line endings and text merges would change a file whose name says what it holds.
    let (a, b) = (laptop.write("list.txt", "one\r\ntwo\r\n"), phone.write("list.txt", "one\r\ntwo\r\n"));
    laptop.add(&["--at", "2026-08-14 08:00", "--attach", &a, "On the laptop."]);
    phone.add(&["--at", "2026-08-14 09:00", "--attach", &b, "On the phone."]);
    for device in [&laptop, &phone] {
        device.run(&["sync", "init", &address]).ok();
        git(&device.journal(), &["config", "core.autocrlf", "true"]);
    }
    for device in [&laptop, &phone, &laptop] {
        assert!(!sync(device).contains("both versions"));
    }
    let names = |device: &Kioku| {
        let listing = fs::read_dir(device.journal().join("attachments")).unwrap();
        listing.map(|item| item.unwrap().path()).collect::<Vec<_>>()
    };
    for device in [&laptop, &phone] {
        assert_eq!((texts(device).len(), names(device).len()), (2, 1));
        assert_eq!(fs::read(&names(device)[0]).unwrap(), b"one\r\ntwo\r\n");
        assert_eq!(device.run(&["doctor", "--verify"]).code, 0);
    }

    // Another program changes the copies, on each device in its own way.
    fs::write(&names(&laptop)[0], "on the laptop").unwrap();
    fs::write(&names(&phone)[0], "on the phone").unwrap();
    for device in [&laptop, &phone, &laptop] {
        sync(device);
    }
    for device in [&laptop, &phone] {
        let contents: BTreeSet<Vec<u8>> = names(device).iter().map(|path| fs::read(path).unwrap()).collect();
        for kept in [&b"on the laptop"[..], b"on the phone"] {
            assert!(contents.contains(kept), "{contents:?}");
        }
    }
}
