//! `kioku export` and other files written on request, and `kioku restore` of several entries: the real binary.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;

use crate::cli::Kioku;

fn journal_of(days: usize) -> Kioku {
    let kioku = Kioku::new();
    for day in 1..=days {
        kioku.add(&["--at", &format!("2026-08-{day:02} 09:00"), &format!("Entry {day}.")]);
    }
    kioku
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn export_never_writes_into_a_journal() {
    let kioku = journal_of(3);
    let root = kioku.home.path();
    let memory = kioku.journal().join("memory");
    let before: Vec<Vec<u8>> = names(&memory).iter().map(|name| fs::read(memory.join(name)).unwrap()).collect();
    let foreign = root.join("notes");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("2026-08-01.md"), "---\ntime: \"2026-08-01T09:00:00Z\"\n---\nForeign.\n").unwrap();
    let mut folders: Vec<PathBuf> = vec![
        memory.clone(),
        kioku.journal(),
        kioku.journal().join("new"),
        root.join("home/journals/../journals/personal/memory"),
        root.join("home/journals/work"),
        foreign.clone(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&memory, root.join("link")).unwrap();
        folders.push(root.join("link"));
    }
    for folder in &folders {
        let out = format!("{}/", folder.display());
        for arguments in [&["export", "md", "--out", &out][..], &["export", "md", "--force", "--out", &out]] {
            let told = kioku.run(arguments).fails(1);
            assert!(told.contains("is inside the journal") && told.contains("outside every journal"), "{out}: {told}");
        }
        let file = path(folder, "x.jsonl");
        assert!(kioku.run(&["export", "jsonl", "--out", &file, "--force"]).fails(1).contains("inside the journal"));
    }
    let foreign = foreign.to_str().unwrap();
    let told = kioku.run(&["export", "md", "--vault", foreign, "--out", &format!("{foreign}/sub/")]).fails(1);
    assert!(told.contains("inside the journal"), "{told}");
    let after: Vec<Vec<u8>> = names(&memory).iter().map(|name| fs::read(memory.join(name)).unwrap()).collect();
    assert_eq!(after, before);
    // Reading a folder creates its index.
    let others: Vec<String> = names(&root.join("notes")).into_iter().filter(|name| name != ".index").collect();
    assert_eq!(others, ["2026-08-01.md"]);
    assert!(!root.join("home/journals/work").exists());
}

#[test]
fn export_refuses_to_overwrite_unless_forced() {
    let kioku = journal_of(3);
    let folder = kioku.home.path().join("out");
    let out = format!("{}/", folder.display());
    kioku.run(&["export", "md", "--out", &out]).ok();
    fs::write(folder.join("2026-08-02.md"), "mine").unwrap();
    fs::remove_file(folder.join("2026-08-01.md")).unwrap();
    let told = kioku.run(&["export", "md", "--out", &out]).fails(1);
    assert!(told.contains("2 of the files already exist") && told.contains("--force"), "{told}");
    assert_eq!(names(&folder), ["2026-08-02.md", "2026-08-03.md"], "nothing at all was written");
    assert_eq!(fs::read_to_string(folder.join("2026-08-02.md")).unwrap(), "mine");
    kioku.run(&["export", "md", "--force", "--out", &out]).ok();
    assert!(fs::read_to_string(folder.join("2026-08-02.md")).unwrap().contains("Entry 2."));

    let file = path(kioku.home.path(), "all.jsonl");
    fs::write(&file, "mine").unwrap();
    assert!(kioku.run(&["export", "jsonl", "--out", &file]).fails(1).contains("already exists"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    kioku.run(&["export", "jsonl", "--force", "--out", &file]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
}

#[test]
fn export_to_a_new_folder_writes_one_file_a_day() {
    let kioku = journal_of(2);
    let folder = kioku.home.path().join("out");
    kioku.run(&["export", "md", "--out", folder.to_str().unwrap()]).ok();
    assert_eq!(names(&folder), ["2026-08-01.md", "2026-08-02.md"]);
    let file = path(kioku.home.path(), "all.md");
    kioku.run(&["export", "md", "--out", &file]).ok();
    assert!(fs::read_to_string(&file).unwrap().contains("Entry 2."));
}

#[test]
fn a_text_that_quotes_a_head_is_exported_like_any_other() {
    let kioku = journal_of(2);
    let quoting = "How it is stored:\n---\ntime: \"2020-01-01T00:00:00Z\"\n---\ntext";
    kioku.add(&["--at", "2026-08-01 09:00", quoting]);
    let undated = path(kioku.home.path(), "a.jsonl");
    fs::write(&undated, "{\"time\":\"2026-08-03\",\"text\":\"Some time.\"}").unwrap();
    kioku.run(&["import", "jsonl", &undated]).ok();
    let folder = kioku.home.path().join("out");
    for more in [&[][..], &["--force"]] {
        kioku.run(&[&["export", "md", "--out", folder.to_str().unwrap()], more].concat()).ok();
    }
    assert_eq!(names(&folder), ["2026-08-01.md", "2026-08-02.md", "2026-08-03.md"]);
    let page = |day: &str| fs::read_to_string(folder.join(format!("{day}.md"))).unwrap();
    assert!(page("2026-08-01").contains("stored:\n\\---\ntime: "), "{}", page("2026-08-01"));
    assert!(page("2026-08-03").contains("\n## no time\n\nSome time."), "{}", page("2026-08-03"));
}

#[cfg(unix)]
#[test]
fn a_forced_export_follows_no_link_into_a_journal_and_replaces_no_device() {
    let kioku = journal_of(1);
    let folder = kioku.home.path().join("out");
    fs::create_dir(&folder).unwrap();
    let day = kioku.journal().join("memory/2026-08-01.md");
    std::os::unix::fs::symlink(&day, folder.join("2026-08-01.md")).unwrap();
    let before = fs::read(&day).unwrap();
    let told = kioku.run(&["export", "md", "--force", "--out", folder.to_str().unwrap()]).fails(1);
    assert!(told.contains("inside the journal"), "{told}");
    assert_eq!(fs::read(&day).unwrap(), before);
    let device = path(kioku.home.path(), "null");
    std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    assert!(kioku.run(&["export", "jsonl", "--force", "--out", &device]).fails(1).contains("not a regular file"));
}

#[test]
fn restore_puts_back_all_that_was_lost_or_that_of_some_days() {
    let kioku = journal_of(4);
    let ids: Vec<String> = kioku.run(&["timeline", "--json"]).json()["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["id"].as_str().unwrap().to_owned())
        .collect();
    kioku.run(&["edit", &ids[0], "--text", "Entry 1, changed."]).ok();
    for id in &ids[1..] {
        kioku.run(&["rm", id]).ok();
    }
    let later = kioku.add(&["--at", "2026-08-03 21:00", "Written since."]);
    let dry = kioku.run(&["restore", "--all", "--dry-run"]);
    assert!(dry.err.contains("3 entries would be restored") && dry.out.contains("Entry 4."), "{dry:?}");
    assert_eq!(kioku.run(&["dates"]).ok(), "2026-08-01  1\n2026-08-03  1\n");

    let day = kioku.run(&["restore", "--day", "2026-08-03"]);
    assert!(day.err.contains("1 entry restored"), "{day:?}");
    assert_eq!(day.ok().trim(), ids[2]);
    let all = kioku.run(&["restore", "--all"]);
    assert!(all.err.contains("2 entries restored") && all.err.contains("1 older version"), "{all:?}");
    assert_eq!(all.ok().lines().collect::<Vec<_>>(), [&ids[1], &ids[3]]);
    let shown = kioku.run(&["timeline", "--json"]).json();
    let texts: Vec<&str> =
        shown["entries"].as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Entry 1, changed.", "Entry 2.", "Entry 3.", "Written since.", "Entry 4."]);
    let trash = kioku.run(&["trash", "--json"]).json();
    assert_eq!(trash["trash"].as_array().unwrap().len(), 1);
    assert_eq!(trash["trash"][0]["why"], json!("edited"));
    assert_eq!(kioku.run(&["restore", "--all"]).code, 3, "nothing more to restore");
    kioku.run(&["show", &later]).ok();
    kioku.run(&["restore"]).fails(2);
}

#[test]
fn export_of_an_empty_period_matches_nothing_and_writes_nothing() {
    let kioku = journal_of(2);
    let file = path(kioku.home.path(), "none.html");
    for arguments in
        [&["export", "jsonl", "--from", "2027-01-01"][..], &["export", "html", "--out", &file, "--to", "1999"]]
    {
        let ran = kioku.run(arguments);
        assert!(ran.code == 3 && ran.out.is_empty() && ran.err.contains("no entries in this period"), "{ran:?}");
    }
    assert!(!Path::new(&file).exists());
    assert!(Kioku::new().run(&["export", "csv"]).fails(3).contains("no entries yet"));
}

/// Whether every element of a page is closed in order, and every `&` begins a reference that XML knows.
fn is_well_formed(page: &str) -> bool {
    let mut open = Vec::new();
    for tag in page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default()) {
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            None if !tag.ends_with(['/', '?']) && !tag.starts_with('!') => {
                open.push(tag.split_whitespace().next().unwrap_or_default());
            }
            _ => {}
        }
    }
    let known = ["amp;", "lt;", "gt;", "quot;", "#"];
    open.is_empty() && page.split('&').skip(1).all(|rest| known.iter().any(|name| rest.starts_with(name)))
}

#[test]
fn an_epub_opens_again_with_every_entry_and_image() {
    let kioku = Kioku::new();
    let gif = path(kioku.home.path(), "lake.gif");
    fs::write(&gif, b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0;").unwrap();
    kioku.add(&["--at", "2025-12-31 23:00", "With @Hùng. <b>bold</b> & \u{8} a\nsecond line, * * *"]);
    kioku.add(&["--at", "2026-01-01 09:00", "--attach", &gif, "By the lake.\n\n- [ ] open\n\n|a|b|\n|-|-|\n|1|2|"]);
    let file = path(kioku.home.path(), "book.epub");
    kioku.run(&["export", "epub", "--out", &file]).ok();
    assert!(kioku.run(&["export", "epub", "--out", &file]).fails(1).contains("already exists"));
    let mut book = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let first = book.by_index(0).unwrap();
    assert!(first.name().unwrap() == "mimetype" && first.compression() == zip::CompressionMethod::Stored);
    drop(first);
    let mut read = |name: &str| std::io::read_to_string(book.by_name(name).unwrap()).unwrap();
    assert_eq!(read("mimetype"), "application/epub+zip");
    let package = read("book.opf");
    for page in ["nav.xhtml", "y2025.xhtml", "y2026.xhtml", "names.xhtml"] {
        assert!(package.contains(&format!("href=\"{page}\"")), "{package}");
        let text = read(page);
        assert!(is_well_formed(&text) && !text.contains('\u{8}'), "{page}: {text}");
    }
    assert!(is_well_formed(&package) && is_well_formed(&read("META-INF/container.xml")));
    assert!(read("y2025.xhtml").contains("&lt;b&gt;bold&lt;/b&gt; &amp;"));
    assert!(read("y2026.xhtml").contains("<img src=\"data:image/gif;base64,"));
    assert!(read("names.xhtml").contains("Hùng: <a href=\"y2025.xhtml#e0\">2025-12-31</a>"));
}
