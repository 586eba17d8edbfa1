//! Typed text is text: none of its keys runs a command, and little of it is lost.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use kioku::{
    clock::Clock,
    index::vector::Ann,
    journal::{Draft, DraftId, NewEntry, VaultOptions},
    session::{Reply, Request, Response, SessionOptions, SessionWorkers, Ticket},
};

use crate::screens::{ENTRIES, kioku};

/// Every file of a folder with its text.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_query_that_begins_with_a_digit_deletes_nothing() {
    let (folder, mut kioku) = kioku(ENTRIES);
    let before = files(&folder.path().join("memory"));
    kioku.keys("2").typed("1 day at the lake");
    assert_eq!((kioku.app.pane(), kioku.app.query().text()), ("search", "1 day at the lake"));
    assert_eq!(files(&folder.path().join("memory")), before);
    assert_eq!(files(&folder.path().join("trash")), []);
}

#[test]
fn esc_from_an_opened_hit_goes_back_to_the_search_as_it_was() {
    for width in [80, 120] {
        let (_folder, mut kioku) = kioku(ENTRIES);
        kioku.resize(width, 30).keys("/").typed("lake").keys("<esc> j");
        let search = kioku.screen();
        kioku.keys("<enter>");
        assert_eq!(kioku.app.pane(), "journal");
        kioku.keys("<esc>");
        assert_eq!((kioku.app.pane(), kioku.app.query().text()), ("search", "lake"), "{}", kioku.screen());
        assert_eq!(without_time(&kioku.screen()), without_time(&search), "at {width} columns");
        kioku.keys("<enter> j <esc>");
        assert_eq!((kioku.app.pane(), kioku.app.query().text()), ("search", "lake"), "{}", kioku.screen());
    }
}

/// The screen without the search time and without toasts, which come and go.
fn without_time(screen: &str) -> Vec<String> {
    let lines = screen.lines().filter(|line| !line.contains(" ms"));
    lines.map(|line| line.split("  ? help").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_draft_is_durable_while_a_save_waits_for_the_lock_of_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("journal");
    fs::create_dir_all(root.join("memory")).unwrap();
    let lock = fs::File::create(root.join(".lock")).unwrap();
    lock.lock().unwrap();
    let session = SessionWorkers::start(SessionOptions {
        vault: VaultOptions::new(root.clone(), Clock::fixed("2026-11-20T09:00+07:00[+07:00]".parse().unwrap())),
        models: root.join("models"),
        model: None,
        encoder: None,
        ann: Ann::Auto,
        watch: false,
    });
    let draft = |id: &str, body: &str| Draft {
        id: DraftId(id.to_owned()),
        editing: None,
        base: None,
        time: String::new(),
        mood: String::new(),
        tags: String::new(),
        body: body.to_owned(),
    };
    let first = draft("first", "Saved text.");
    session.send(Ticket(1), Request::KeepDraft(first.clone()));
    let new = NewEntry { body: "Saved text.".to_owned(), ..NewEntry::default() };
    session.send(Ticket(2), Request::Append { new, draft: Some(first.id) });
    session.send(Ticket(3), Request::KeepDraft(draft("second", "Typed meanwhile.")));
    let until = |what: &str, holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain for {what}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    };
    let kept = |name: &str, text: &str| {
        fs::read_to_string(root.join("drafts").join(name)).is_ok_and(|draft| draft.contains(text))
    };
    until("the draft typed meanwhile", &|| kept("second.md", "Typed meanwhile."));
    assert_eq!(files(&root.join("memory")), [], "the save still waits");
    assert!(kept("first.md", "Saved text."));
    lock.unlock().unwrap();
    until("the save", &|| matches!(session.try_recv(), Some(Reply::To(Ticket(2), Response::Written(_)))));
    assert!(files(&root.join("memory"))[0].1.contains("Saved text."));
    assert!(!kept("first.md", "Saved text."), "the draft of what is saved is gone");
    session.stop();
}
