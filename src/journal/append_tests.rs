use std::{fs, path::Path};

use super::*;

/// Appends while another program does something to the file after it was read.
fn append_meanwhile(vault: &Vault, meanwhile: impl Fn(&Path)) -> String {
    let path = vault.day_path("2026-02-22.md").unwrap();
    let done = std::cell::Cell::new(false);
    let new = NewEntry { body: "Mine.".to_owned(), ..NewEntry::default() };
    let time = EntryTime::of(&vault.options().clock.now());
    let print = |ending| {
        if !done.replace(true) {
            meanwhile(&path);
        }
        write::block(&new, &time, "mine", ending)
    };
    vault.append_block("2026-02-22.md", print).unwrap();
    fs::read_to_string(&path).unwrap()
}

#[test]
fn an_append_never_puts_a_header_into_a_text_that_an_editor_is_writing() {
    let dir = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(dir.path().join("journals/personal"));
    vault.append(NewEntry { body: "Old.".to_owned(), ..NewEntry::default() }).unwrap();
    let path = vault.day_path("2026-02-22.md").unwrap();
    let old = fs::read_to_string(&path).unwrap();
    // The editor has truncated the file when it is read, and writes it before the append.
    fs::write(&path, "").unwrap();
    let after = append_meanwhile(&vault, |path| fs::write(path, &old).unwrap());
    assert!(after.starts_with(&old) && after.matches("# Kioku").count() == 1, "{after}");
    // The file is absent, and another program creates it.
    fs::remove_file(&path).unwrap();
    let after = append_meanwhile(&vault, |path| fs::write(path, &old).unwrap());
    assert!(after.starts_with(&old) && after.matches("# Kioku").count() == 1, "{after}");
    // The file exists, and another program removes or shortens it.
    let after = append_meanwhile(&vault, |path| fs::remove_file(path).unwrap());
    assert!(after.starts_with("# Kioku") && after.ends_with("Mine.\n") && !after.contains("Old."), "{after}");
    let after = append_meanwhile(&vault, |path| fs::write(path, "a word").unwrap());
    assert!(after.starts_with("a word\n\n---\ntime:"), "{after}");
    // If the file stays empty, the entry is written without a header.
    fs::write(&path, "").unwrap();
    let after = append_meanwhile(&vault, |_| ());
    assert!(after.starts_with("\n---\ntime:"), "{after}");
}

#[test]
fn a_day_of_which_no_file_is_downloaded_is_not_written_to() {
    let dir = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(dir.path().join("journals/personal"));
    let new = || NewEntry { body: "New.".to_owned(), ..NewEntry::default() };
    fs::create_dir_all(vault.entries_folder()).unwrap();
    let present = |name: &str| vault.entries_folder().join(name).exists();
    fs::write(vault.entries_folder().join(".2026-02-22.md.icloud"), "x").unwrap();
    vault.append(new()).unwrap();
    assert!(present("2026_02_22.md") && !present("2026-02-22.md"));
    fs::remove_file(vault.entries_folder().join("2026_02_22.md")).unwrap();
    for name in ["2026_02_22.md.nextcloud", "20260222.md.owncloud"] {
        fs::write(vault.entries_folder().join(name), "x").unwrap();
    }
    assert!(matches!(vault.append(new()), Err(VaultError::NotDownloaded { .. })));
    assert!(matches!(vault.append_all(vec![new()]), Err(VaultError::NotDownloaded { .. })));
    assert_eq!(fs::read_dir(vault.entries_folder()).unwrap().count(), 3);
}

#[test]
fn a_file_that_never_rests_is_an_error_and_not_written_to() {
    let dir = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(dir.path().join("journals/personal"));
    vault.append(NewEntry { body: "Old.".to_owned(), ..NewEntry::default() }).unwrap();
    let path = vault.day_path("2026-02-22.md").unwrap();
    let count = std::cell::Cell::new(0);
    let refused = vault.append_block("2026-02-22.md", |_| {
        count.set(count.get() + 1);
        fs::write(&path, format!("{}", count.get())).map_err(|error| VaultError::io("write", &path, error))?;
        Ok(b"---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\nx\n".to_vec())
    });
    assert!(matches!(refused, Err(VaultError::Busy { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), count.get().to_string());
}
