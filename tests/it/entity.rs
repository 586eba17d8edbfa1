//! Curation: the user's decisions on names, stored in the vault, applied to the graph, undone, deleted.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use kioku::{
    index::graph::{GraphView, Judgement},
    journal::{EntityKind, NewEntry, Pass, RelationKind},
    session::{Curating, CurationLog, QueryHistory, Request, Session, SessionWorkers, Ticket},
};
use serde_json::Value;

use super::{
    cli::Kioku,
    sync::{at, options},
};

/// A vault with these texts on the days from 1 November 2026, and the log of its changes.
fn journal(bodies: &[&str]) -> (tempfile::TempDir, Session, CurationLog) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("vault");
    fs::create_dir(&root).unwrap();
    let session = Session::open(options(&root)).unwrap();
    for (number, body) in bodies.iter().enumerate() {
        let time = at(&format!("2026-11-{:02}T09:00:00+00:00", number + 1));
        session.vault().append(NewEntry { time: Some(time), body: (*body).to_owned(), ..NewEntry::default() }).unwrap();
    }
    let log = CurationLog::of(&dir.path().join("state"), &root);
    (dir, session, log)
}

fn listed(graph: &GraphView) -> Vec<String> {
    let mut listed: Vec<String> = graph
        .entities()
        .iter()
        .map(|entity| format!("{} {} {}/{}", entity.name, entity.kind.word(), entity.mentions, entity.days))
        .collect();
    listed.sort();
    listed
}

fn present(session: &mut Session) -> Vec<String> {
    listed(&session.snapshot().unwrap().graph)
}

fn merge(from: &str, into: &str) -> Curating {
    Curating::Merge { from: from.to_owned(), into: into.to_owned() }
}

/// Every note with its bytes.
fn notes(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let Ok(listing) = fs::read_dir(root.join("vault/entities")) else { return BTreeMap::new() };
    listing.map(|file| file.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn a_merge_is_shown_beforehand_kept_over_a_rebuild_and_taken_back() {
    let (dir, mut session, log) = journal(&["lunch with @Hùng", "then Hung called", "a walk", "met Hung and @Mai"]);
    let before = present(&mut session);
    let error = session.curate(&merge("hung", "Hùng (person)"), None).unwrap_err();
    assert!(error.to_string().contains("`hung` names 2"), "without accents it may be either: {error}");

    let change = merge("Hung", "Hùng");
    let preview = session.curate(&change, None).unwrap();
    assert_eq!((preview.moved.entries, preview.moved.days, preview.moved.relations), (2, 2, 0));
    assert!(notes(dir.path()).is_empty(), "a preview writes nothing");
    assert_eq!(present(&mut session), before);

    let made = session.curate(&change, Some(&log)).unwrap();
    assert_eq!((made.said, made.moved, made.dry_run), (preview.said, preview.moved, false));
    let merged = present(&mut session);
    assert_eq!(merged, ["Hùng person 3/3", "Mai person 1/1"]);
    assert!(session.curate(&merge("Hung", "Hùng"), Some(&log)).is_err(), "it is that one already");

    session.rebuild(&mut |_| true).unwrap();
    assert_eq!(present(&mut session), merged);
    drop(session);
    let mut session = Session::open(options(&dir.path().join("vault"))).unwrap();
    assert_eq!(present(&mut session), merged, "another start");
    session.uncurate(&log).unwrap();
    assert_eq!(present(&mut session), before);
    assert!(notes(dir.path()).is_empty(), "the note was made by the merge alone");
    assert!(session.uncurate(&log).is_err(), "nothing is left to take back");
}

#[test]
fn every_change_is_taken_back_byte_for_byte_the_last_one_first() {
    let (dir, mut session, log) = journal(&[
        "lunch with @Hùng\ntrigger:: [[Coffee]]\nmood:: stressed",
        "then Hung called",
        "read about [[Hanoi (place)]]",
        "@Hanoi called",
    ]);
    fs::create_dir(dir.path().join("vault/entities")).unwrap();
    let hand_made = "---\r\naliases: [sếp, \"boss\"]\r\ncolour: red\r\n---\r\nTall.\r\n";
    fs::write(dir.path().join("vault/entities/Hùng.md"), hand_made).unwrap();
    let text = str::to_owned;
    let judge = |judgement, entry| Curating::Judge {
        source: text("Coffee"),
        kind: RelationKind::Causal,
        target: text("stressed"),
        entry,
        judgement,
    };
    let first = session.entries(None, None).unwrap()[0].id.to_string();
    let changes = [
        merge("Hung", "Hùng"),
        Curating::Rename { name: text("Hùng"), new: text("Hùng Nguyễn") },
        Curating::Alias { name: text("Hùng Nguyễn"), alias: text("H."), remove: false },
        Curating::Alias { name: text("Hùng Nguyễn"), alias: text("boss"), remove: true },
        judge(Judgement::Rejected, Some(first)),
        judge(Judgement::Accepted, None),
        judge(Judgement::Rejected, None),
        Curating::Kind { name: text("Hanoi (person)"), kind: EntityKind::Organization },
        Curating::Hide { name: text("place:Hanoi"), hidden: true },
        Curating::Distinct { name: text("Coffee"), other: text("Hùng Nguyễn") },
        Curating::Hide { name: text("Hùng Nguyễn"), hidden: true },
        Curating::Hide { name: text("Hùng Nguyễn"), hidden: false },
    ];
    let mut states = Vec::new();
    for change in &changes {
        states.push((notes(dir.path()), present(&mut session)));
        let done = session.curate(change, Some(&log)).unwrap();
        assert!(!done.unchanged, "{change:?}");
        assert!(session.curate(change, Some(&log)).map_or(true, |again| again.unchanged), "{change:?} a second time");
    }
    assert!(present(&mut session).contains(&"Hùng Nguyễn person 2/2".to_owned()), "{:?}", present(&mut session));
    for (change, (files, entities)) in changes.iter().zip(states).rev() {
        session.uncurate(&log).unwrap();
        assert_eq!(notes(dir.path()), files, "after {change:?} was taken back");
        assert_eq!(present(&mut session), entities, "after {change:?} was taken back");
    }
    assert_eq!(fs::read_to_string(dir.path().join("vault/entities/Hùng.md")).unwrap(), hand_made);
}

#[test]
fn taking_back_keeps_what_another_hand_wrote_since() {
    let (dir, mut session, log) = journal(&["with @Linh", "with @Lynn"]);
    session.curate(&merge("Lynn", "Linh"), Some(&log)).unwrap();
    let path = dir.path().join("vault/entities/Linh.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("merged:", "aliases:\n  - Lili\nmerged:") + "\nMy sister.\n").unwrap();
    session.uncurate(&log).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "---\ntype: person\naliases:\n  - Lili\n---\n\nMy sister.\n");
    assert_eq!(present(&mut session), ["Linh person 1/1", "Lynn person 1/1"]);
}

#[test]
fn a_note_changed_by_hand_is_noticed_like_a_day_file() {
    let (dir, session, _) = journal(&["with @Linh", "with @Lynn"]);
    session.close().unwrap();
    let root = dir.path().join("vault");
    let session = SessionWorkers::inline(options(&root));
    let shown = || listed(&session.view().snapshot.as_ref().unwrap().graph);
    assert_eq!(shown(), ["Linh person 1/1", "Lynn person 1/1"]);
    fs::create_dir(root.join("entities")).unwrap();
    for (text, expected) in [
        ("---\nmerged:\n  - Lynn\n---\n", vec!["Linh person 2/2"]),
        ("---\nmerged:\n  - Lynn\nhidden: true\n---\n", vec![]),
        ("---\ntype: place\n---\n", vec!["Linh place 1/1", "Lynn person 1/1"]),
    ] {
        fs::write(root.join("entities/Linh.md"), text).unwrap();
        session.send(Ticket(1), Request::Sync);
        assert_eq!(shown(), expected, "{text}");
    }
    fs::remove_file(root.join("entities/Linh.md")).unwrap();
    session.send(Ticket(2), Request::Sync);
    assert_eq!(shown().len(), 2);
    session.stop();
    let session = SessionWorkers::inline(options(&root));
    assert_eq!(listed(&session.view().snapshot.as_ref().unwrap().graph).len(), 2);
    session.stop();
}

#[test]
fn a_rejected_cause_is_gone_and_its_entry_keeps_its_name() {
    let body = "mood:: stressed\ntrigger:: [[Coffee]]";
    let (dir, mut session, log) = journal(&[]);
    fs::create_dir(dir.path().join("vault/memory")).unwrap();
    let file = dir.path().join("vault/memory/2026-11-01.md");
    let time = "2026-11-01T09:00:00+00:00";
    fs::write(&file, format!("# Kioku — 2026-11-01\n\n---\ntime: \"{time}\"\n---\n{body}\n")).unwrap();
    let edges = |session: &mut Session| {
        let graph = session.snapshot().unwrap().graph.clone();
        let coffee = graph.by_name("coffee")[0];
        graph.edges(coffee).iter().map(|edge| (edge.evidence.len(), edge.accepted)).collect::<Vec<_>>()
    };
    assert_eq!(edges(&mut session), [(1, false)]);
    let judge = |judgement| Curating::Judge {
        source: "coffee".to_owned(),
        kind: RelationKind::Causal,
        target: "stressed".to_owned(),
        entry: Some(time.to_owned()),
        judgement,
    };
    let curated = session.curate(&judge(Judgement::Accepted), Some(&log)).unwrap();
    assert_eq!((curated.moved.entries, curated.moved.relations), (0, 1));
    assert_eq!(edges(&mut session), [(1, true)]);
    assert!(fs::read_to_string(&file).unwrap().contains(&format!("id: \"{time}\"")), "it is found after any edit");
    session.curate(&judge(Judgement::Rejected), Some(&log)).unwrap();
    assert_eq!(edges(&mut session), []);
    let note = fs::read_to_string(dir.path().join("vault/entities/Coffee.md")).unwrap();
    assert!(
        note.contains(&format!("reject:\n  - causal -> stressed @ {time}\n")) && !note.contains("accept"),
        "{note}"
    );
}

/// The files in a folder that contain these bytes.
pub fn holding(folder: &Path, needle: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.is_file() {
        return if fs::read(folder).unwrap().windows(needle.len()).any(|bytes| bytes == needle.as_bytes()) {
            vec![folder.to_owned()]
        } else {
            found
        };
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, needle));
        } else if fs::read(&path).unwrap().windows(needle.len()).any(|bytes| bytes == needle.as_bytes()) {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_forgotten_text_is_in_no_file_of_the_home() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    let json = |arguments: &[&str]| kioku.run(arguments).json();
    kioku.add(&["--at", "2026-08-01 09:00", "Kept before."]);
    let id =
        kioku.add(&["--at", "2026-08-02 09:00", "--tag", "garden", "The zanzibarwort is in bloom, said Quillonda."]);
    kioku.run(&["index"]).ok();
    kioku.run(&["edit", &id, "--text", "The zanzibarwort is over, said Quillonda."]).ok();
    kioku.run(&["index"]).ok();
    kioku.add(&["--at", "2026-08-03 09:00", "Kept after."]);
    kioku.run(&["index"]).ok();
    fs::create_dir_all(home.join("home/journals/personal/.index/elsewhere")).unwrap();
    fs::write(home.join("home/journals/personal/.index/elsewhere/x"), "zanzibarwort").unwrap();
    fs::create_dir_all(home.join("home/state")).unwrap();
    fs::write(home.join(format!("home/state/{id}-77.md")), "an editor's zanzibarwort").unwrap();
    fs::write(home.join("home/state/other-78.md"), "somebody else's").unwrap();
    let index = |needle| holding(&kioku.journal().join(".index"), needle);
    assert!(!index("zanzibarwort").is_empty() && !index("Quillonda").is_empty(), "the test would see it");

    assert!(kioku.run(&["forget", &id]).fails(2).contains("--yes"), "needs a terminal to confirm");
    let would = json(&["forget", &id, "--dry-run", "--json"]);
    assert_eq!((&would["entries"], &would["trashed"], &would["dry_run"]), (&1.into(), &1.into(), &true.into()));
    assert!(!holding(&home, "zanzibarwort").is_empty(), "a dry run takes nothing");

    let done = json(&["forget", &id, "--yes", "--json"]);
    assert_eq!((&done["v"], &done["entries"], &done["trashed"]), (&1.into(), &1.into(), &1.into()), "{done}");
    for needle in ["zanzibarwort", "Quillonda", "quillonda", "garden"] {
        assert_eq!(holding(&home, needle), [] as [PathBuf; 0], "{needle}");
    }
    assert!(home.join("home/state/other-78.md").exists());
    assert_eq!(json(&["timeline", "--json"])["entries"].as_array().unwrap().len(), 2);
    assert_eq!(json(&["search", "kept", "--json"])["hits"].as_array().unwrap().len(), 2, "the rest is found still");
    assert!(kioku.run(&["doctor", "--verify"]).code == 0);
    assert!(kioku.run(&["forget", &id, "--yes"]).fails(3).contains("no entry"));
    assert_eq!(json(&["trash", "--json"])["trash"], Value::Array(Vec::new()));
}

#[test]
fn queries_that_hold_words_of_a_forgotten_text_are_forgotten_with_it() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    let id = kioku.add(&["--tag", "garden", "The zanzibarwort is in bloom, said Quillonda."]);
    kioku.run(&["edit", &id, "--text", "The meadowqueen is over, said @Quillonda."]).ok();
    let history = QueryHistory::of(&home.join("home/state"), &kioku.journal());
    for query in ["zanzibarwort", "the meadowqueen of June", "tag:garden", "a walk by the lake"] {
        history.keep(query).unwrap();
    }
    fs::write(kioku.journal().join("searches.md"), "- flowers: meadowqueen\n- walks: walk\n").unwrap();
    let forgotten = kioku.run(&["forget", &id, "--yes"]);
    assert!(forgotten.out.contains("3 queries of the history"), "{}", forgotten.out);
    assert!(forgotten.err.contains("the saved search `flowers` shares words with it"), "{}", forgotten.err);
    assert!(!forgotten.err.contains("`walks`"), "{}", forgotten.err);
    assert_eq!(history.queries().unwrap(), ["a walk by the lake"]);
    assert_eq!(holding(&home.join("home/state"), "zanzibarwort"), [] as [PathBuf; 0]);
}

#[test]
fn a_forgotten_name_is_taken_out_of_queries_and_saved_searches() {
    let kioku = Kioku::new();
    let home = kioku.home.path().to_path_buf();
    kioku.add(&["Rain all day. Then @Quillonda came."]);
    let history = QueryHistory::of(&home.join("home/state"), &kioku.journal());
    history.keep("person:quillonda rain").unwrap();
    history.keep("rain").unwrap();
    fs::write(kioku.journal().join("searches.md"), "- her: person:Quillonda\n- wet days: rain\n").unwrap();
    let done = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--yes", "--json"]).json();
    assert_eq!((&done["queries"], &done["searches"]), (&1.into(), &1.into()), "{done}");
    assert_eq!(holding(&home, "uillonda"), [] as [PathBuf; 0]);
    assert_eq!(fs::read_to_string(kioku.journal().join("searches.md")).unwrap(), "- wet days: rain\n");
}

#[test]
fn a_short_forgotten_name_takes_no_words_that_contain_it() {
    let kioku = Kioku::new();
    kioku.add(&["Tea with @An."]);
    let history = QueryHistory::of(&kioku.home.path().join("home/state"), &kioku.journal());
    for query in ["plan and landing", "dinner with an"] {
        history.keep(query).unwrap();
    }
    let searches = kioku.journal().join("searches.md");
    fs::write(&searches, "- plans: plan and landing\n- her: person:An\n- fruit: an apple\n").unwrap();
    kioku.run(&["forget", "--entity", "person:An", "--redact", "--yes"]).ok();
    assert_eq!(history.queries().unwrap(), ["plan and landing"]);
    assert_eq!(fs::read_to_string(&searches).unwrap(), "- plans: plan and landing\n- fruit: an apple\n");
}

#[test]
fn nothing_is_forgotten_while_another_kioku_would_keep_it() {
    let (dir, mut session, _) = journal(&["with @Linh", "with @Lynn"]);
    let state = dir.path().join("state");
    let entry = session.entries(None, None).unwrap().remove(0).into();
    let mut second = Session::open(options(&dir.path().join("vault"))).unwrap();
    let error = second.forget(&entry, false, &state, Pass::Delete).unwrap_err();
    assert!(error.to_string().contains("another kioku holds"), "{error}");
    assert_eq!(second.entries(None, None).unwrap().len(), 2);
    drop(second);
    let forgetting = session.forget(&entry, false, &state, Pass::Delete).unwrap();
    assert_eq!((forgetting.forgotten.entries, session.entries(None, None).unwrap().len()), (1, 1));
    assert_eq!(present(&mut session), ["Lynn person 1/1"]);
}

#[test]
fn vectors_of_a_forgotten_text_go_and_those_of_others_stay() {
    let (dir, mut session, _) = journal(&["A boat on the lake.", "A boat on the lake.", "Rain all day."]);
    let state = dir.path().join("state");
    session.sync(true, &mut |_| true).unwrap();
    let mut entries = session.entries(None, None).unwrap();
    let (last, first) = (entries.remove(2).into(), entries.remove(0).into());
    assert_eq!(
        session.forget(&first, false, &state, Pass::Delete).unwrap().vectors,
        0,
        "the same text stands elsewhere"
    );
    assert_eq!(session.forget(&last, true, &state, Pass::Delete).unwrap().vectors, 1);
    let report = session.sync(true, &mut |_| true).unwrap();
    assert_eq!(report.embedded, 1, "what stands in its place");
}

#[test]
fn a_redacted_entry_keeps_its_place_and_loses_its_text() {
    let kioku = Kioku::new();
    let id = kioku.add(&["--mood", "calm", "A zanzibarwort of one's own."]);
    kioku.run(&["index"]).ok();
    kioku.run(&["forget", &id, "--redact", "--yes"]).ok();
    let shown = kioku.run(&["show", &id, "--json"]).json();
    assert_eq!((&shown["entries"][0]["text"], &shown["entries"][0]["mood"]), (&"[redacted]".into(), &"calm".into()));
    assert_eq!(holding(kioku.home.path(), "zanzibarwort"), [] as [PathBuf; 0]);
}

#[test]
fn a_forgotten_name_leaves_the_entries_and_takes_its_traces_along() {
    let kioku = Kioku::new();
    kioku.add(&["--tag", "Quillonda", "Tea with @Quillonda and @Mai."]);
    kioku.add(&["[[Quillonda]] wrote; Auntie Q. is what we say. Quillonda Ross is another."]);
    kioku.add(&["Quillonda Ross, again Quillonda Ross."]);
    let tagged = kioku.add(&["--tag", "Quillonda", "--tag", "tea", "Her name is in the head alone."]);
    let gone = kioku.add(&["Deleted, about Quillonda."]);
    kioku.run(&["rm", &gone]).ok();
    kioku.run(&["entity", "alias", "person:Quillonda", "Auntie Q."]).ok();
    kioku.run(&["entity", "distinct", "Mai", "person:Quillonda"]).ok();
    let named = kioku.run(&["forget", "--entity", "person:Quillonda", "--json"]).json();
    assert_eq!(named["entries"].as_array().unwrap().len(), 3, "{named}");
    assert_eq!(named["names"], serde_json::json!(["Auntie Q.", "Quillonda"]));

    let would = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--dry-run"]);
    assert!(would.err.contains("1 older version in the trash") && would.err.contains("2 notes"), "{would:?}");

    let done = kioku.run(&["forget", "--entity", "person:Quillonda", "--redact", "--yes", "--json"]).json();
    assert_eq!((&done["entries"], &done["trashed"], &done["notes"]), (&3.into(), &1.into(), &2.into()), "{done}");
    let texts = kioku.run(&["timeline", "--json"]).json();
    let texts: Vec<&str> =
        texts["entries"].as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect();
    assert_eq!(
        texts,
        [
            "Tea with [redacted] and @Mai.",
            "[redacted] wrote; [redacted] is what we say. Quillonda Ross is another.",
            "Quillonda Ross, again Quillonda Ross.",
            "Her name is in the head alone.",
        ]
    );
    assert_eq!(kioku.run(&["show", &tagged, "--json"]).json()["entries"][0]["tags"], serde_json::json!(["tea"]));
    assert_eq!(holding(kioku.home.path(), "Auntie"), [] as [PathBuf; 0]);
    for path in holding(kioku.home.path(), "Quillonda") {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).replace("Quillonda Ross", "");
        assert!(!text.contains("Quillonda") || path.to_string_lossy().contains(".index"), "{}: {text}", path.display());
    }
    assert!(kioku.run(&["entity", "notes", "Quillonda"]).fails(3).contains("near: Quillonda Ross"));
}

#[test]
fn forgetting_a_name_keeps_the_undo_steps_of_longer_names() {
    let (dir, mut session, log) = journal(&["Tea with @Quill.", "Tea with @Quillonda.", "Tea with @Mai."]);
    for name in ["Quill", "Quillonda"] {
        session.curate(&Curating::Hide { name: name.to_owned(), hidden: true }, Some(&log)).unwrap();
    }
    let text = "A friend of\nQUILL, since school.".to_owned();
    session.curate(&Curating::Note { name: "Mai".to_owned(), base: String::new(), text }, Some(&log)).unwrap();
    let subject = session.entity_called("Quill").unwrap();
    let naming = session.naming(&subject, false).unwrap();
    assert_eq!(session.forget_names(&naming, &dir.path().join("state"), Pass::Delete).unwrap().logged, 2);
    assert_eq!(session.uncurate(&log).unwrap(), "Quillonda (person) is hidden");
    assert!(session.uncurate(&log).is_err());
}

#[test]
fn who_was_taken_for_one_is_two_when_the_user_says_so() {
    let kioku = Kioku::new();
    kioku.add(&["I met Marta Quill at the pier."]);
    kioku.add(&["Dinner with Marta, and Marta laughed."]);
    let people = || {
        let listed = kioku.run(&["entities", "--kind", "person", "--json"]).json();
        let names = listed["entities"].as_array().unwrap().iter();
        names.map(|known| known["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(people(), ["Marta Quill"]);
    kioku.run(&["entity", "distinct", "Marta Quill", "Marta"]).ok();
    assert_eq!(people(), ["Marta", "Marta Quill"]);
    kioku.run(&["entity", "undo"]).ok();
    assert_eq!(people(), ["Marta Quill"]);
}

#[test]
fn the_command_line_says_what_changes_and_what_is_wrong() {
    let kioku = Kioku::new();
    kioku.add(&["Lunch with @Hùng."]);
    kioku.add(&["Flew to [[Hanoi (place)]] with @Hanoi."]);
    kioku.add(&["mood:: stressed\ntrigger:: [[Coffee]]"]);
    let run = |arguments: &[&str]| kioku.run(&[&["entity"], arguments].concat());

    let error = run(&["hide", "Hugn"]).fails(3);
    assert!(error.contains("no name `Hugn` in this journal") && error.contains("near: Hùng (person)"), "{error}");
    let error = run(&["hide", "Hanoi"]).fails(1);
    assert!(error.contains("Hanoi (person)") && error.contains("Hanoi (place)"), "{error}");
    assert!(run(&["kind", "Hùng", "dog"]).fails(2).contains("person, place"));
    assert_eq!(run(&["reject", "Coffee", "because", "stressed"]).code, 2);
    assert!(run(&["reject", "Coffee", "causal", "stressed", "--entry", "nowhere"]).fails(3).contains("no entry"));
    assert!(run(&["merge", "Hùng", "Hùng"]).fails(2).contains("itself"));
    assert!(run(&["rename", "Hanoi (person)", " "]).fails(2).contains("one line"));
    assert!(run(&["alias", "Hùng", "X", "--remove"]).fails(2).contains("no alias"));
    assert!(run(&["undo"]).fails(1).contains("no name change"));
    assert!(!kioku.journal().join("entities").exists(), "nothing of this wrote anything");

    let list = kioku.run(&["entities"]).ok();
    assert!(list.contains("1 day ") && !list.contains("1 days"), "{list}");
    let would = run(&["reject", "Coffee", "causal", "stressed", "--dry-run", "--json"]).json();
    let expected = serde_json::json!({
        "v": 1, "change": "Coffee → stressed rejected", "unchanged": false, "dry_run": true,
        "entries": 0, "days": 0, "relations": 1
    });
    assert_eq!(would, expected);
    let told = run(&["hide", "place:Hanoi"]).ok();
    assert_eq!(told, "Hanoi (place) is hidden: 1 entry on 1 day\n");
    assert!(run(&["hide", "Hanoi (place)"]).err.contains("already"));
    let note = run(&["notes", "Hanoi (place)", "--json"]).json();
    assert_eq!((&note["v"], &note["kind"], &note["hidden"]), (&1.into(), &"place".into(), &true.into()));
    assert_eq!(run(&["notes", "Hùng"]).code, 3, "no notes");
    assert_eq!(run(&["undo", "--json"]).json()["undone"], "Hanoi (place) is hidden");
    assert_eq!(run(&["notes", "Hanoi (place)"]).code, 3);
}

#[test]
fn notes_are_written_in_the_editor_below_the_decisions() {
    let kioku = Kioku::new();
    kioku.add(&["Lunch with @Hùng."]);
    kioku.run(&["entity", "alias", "Hùng", "the boss"]).ok();
    let mut command = kioku.command(&["entity", "notes", "Hùng", "--edit"]);
    command.env("EDITOR", "printf 'Likes tea.\\n' >>");
    assert!(command.status().unwrap().success());
    let note = fs::read_to_string(kioku.journal().join("entities/Hùng.md")).unwrap();
    assert_eq!(note, "---\ntype: person\naliases:\n  - the boss\n---\nLikes tea.\n");
    assert!(kioku.run(&["entity", "notes", "the boss"]).ok().ends_with("also called: the boss\n\nLikes tea.\n"));
}

#[test]
fn another_name_that_is_a_small_word_changes_what_it_was_said_to_change() {
    let kioku = Kioku::new();
    for body in
        ["Lunch with @Hùng.", "A walk with May, who may move.", "It may rain.", "May it rain. Then May's sister came."]
    {
        kioku.add(&[body]);
    }
    kioku.run(&["index"]).ok();
    let run = |arguments: &[&str]| kioku.run(&[&["entity", "alias", "Hùng", "May"], arguments].concat()).ok();
    let would = run(&["--dry-run"]);
    assert!(would.contains("would change 2 entries on 1 day"), "{would}");
    let done = run(&[]);
    assert!(done.contains("2 entries on 1 day"), "{done}");
    let would = run(&["--remove", "--dry-run"]);
    assert!(would.contains("would change 2 entries on 1 day"), "{would}");
    let found = kioku.run(&["search", "person:Hùng", "--json"]).json();
    assert_eq!(found["hits"].as_array().map(Vec::len), Some(3));
}

#[test]
fn likely_pairs_are_proposed_until_they_are_said_to_be_two() {
    let kioku = Kioku::new();
    for body in ["@Linh_Nguyễn at [[Lake]]", "with @Linh", "with @Lena", "with @Lina"] {
        kioku.add(&[body]);
    }
    let proposals = kioku.run(&["entity", "proposals", "--json"]).json();
    let pairs = proposals["proposals"].as_array().unwrap();
    assert_eq!(
        (pairs.len(), &pairs[0]["other"]["name"], &pairs[0]["keep"]["kind"]),
        (1, &"Linh".into(), &"person".into())
    );
    assert!(pairs[0]["reasons"][0].as_str().unwrap().contains("only longer name"));
    kioku.run(&["entity", "distinct", "Linh", pairs[0]["keep"]["name"].as_str().unwrap()]).ok();
    assert!(kioku.run(&["entity", "proposals"]).fails(3).contains("no possible duplicates"));
}
