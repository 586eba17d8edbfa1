use super::*;
use crate::journal::NewEntry;

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

fn names(vault: &Vault) -> Vec<String> {
    let mut names: Vec<String> = super::super::day_names::names_in(&vault.options().root.join(ATTACHMENTS)).unwrap();
    names.sort();
    names
}

fn attach(vault: &Vault, path: &Path) -> String {
    let received = vault.receive(&[path.to_path_buf()], LARGEST_ATTACHMENT).unwrap();
    let link = received[0].link();
    vault.append_with(NewEntry { body: with_links("Text.", &received), ..NewEntry::default() }, received).unwrap();
    link
}

#[test]
fn names_are_portable_and_keep_what_can_be_read() {
    for (file, tail_of) in [
        ("Tickets.PDF", "tickets.pdf"),
        ("Vé máy bay — Đà Nẵng (2).jpeg", "ve-may-bay-da-nang-2.jpeg"),
        ("..", "file"),
        (".bashrc", "file.bashrc"),
        ("日本.png", "file.png"),
        ("a/../b c", "a.b-c"),
        ("archive.tar.gz", "archive.tar.gz"),
        ("con", "con"),
        ("no extension at all. Really", "no-extension-at-all.really"),
    ] {
        assert_eq!(tail(file), tail_of, "{file}");
    }
    let long = tail(&format!("{}.jpeg", "x".repeat(300)));
    assert!(long.len() == LONGEST_TAIL && long.ends_with("x.jpeg"), "{long}");
    assert_eq!(name_of(&[0xab; 32], "a.png"), "abababababababab-a.png");
}

#[test]
fn a_label_never_ends_its_link() {
    assert_eq!(link("a [b](c).png", "0-a.png"), "![a \\[b\\](c).png](attachments/0-a.png)");
    assert_eq!(link("x.pdf", "0-x.pdf"), "[x.pdf](attachments/0-x.pdf)");
    let path = super::super::attachments_in(&link("a [b](c) `d` <e> *f*.png", "0-a.png"));
    assert_eq!(path, ["attachments/0-a.png"]);
}

#[test]
fn equal_files_are_stored_once_and_a_changed_copy_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(folder.path().join("journal"));
    let (a, b) = (put(folder.path(), "a.png", b"same"), put(folder.path(), "other/b.png", b"same"));
    let first = attach(&vault, &a);
    let second = attach(&vault, &b);
    assert_eq!(names(&vault).len(), 1);
    let path = format!("{ATTACHMENTS}/{}", names(&vault)[0]);
    assert!(first == format!("![a.png]({path})") && second == format!("![b.png]({path})"), "{first} {second}");
    fs::write(vault.options().root.join(&path), b"SAME").unwrap();
    attach(&vault, &a);
    let now = names(&vault);
    assert_eq!(now.len(), 2, "{now:?}");
    assert!(now[0].ends_with("-a-2.png") && now[1].ends_with("-a.png"), "{now:?}");
    attach(&vault, &a);
    assert_eq!(names(&vault), now);
}

#[test]
fn a_file_that_cannot_be_attached_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(folder.path().join("journal"));
    let fine = put(folder.path(), "a.png", b"1234");
    let absent = folder.path().join("absent.png");
    let refuse = |path: &Path, most| vault.receive(&[fine.clone(), path.to_path_buf()], most).unwrap_err().to_string();
    let large = put(folder.path(), "b.png", b"12345");
    for (path, most, why) in [
        (absent.as_path(), 9, "attach"),
        (folder.path(), 9, "it is a folder"),
        (large.as_path(), 4, "is larger than"),
        #[cfg(unix)]
        (Path::new("/dev/null"), 9, "it is a device"),
    ] {
        let refused = refuse(path, most);
        assert!(refused.contains(why) && refused.contains(path.to_str().unwrap()), "{refused}");
    }
    #[cfg(unix)]
    {
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink(&circle, &circle).unwrap();
        assert!(refuse(&circle, 9).contains("symbolic links"));
    }
    assert!(!vault.options().root.exists());
    vault.receive(std::slice::from_ref(&fine), 9).unwrap();
    assert!(names(&vault).is_empty(), "a copy that no entry took is gone");
}
