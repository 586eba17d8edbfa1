//! Answers of a language model: the graph is a function of entries and answers, whatever their order and whichever
//! process reads them.

use std::{collections::BTreeSet, fs, path::Path};

use kioku::{
    embed::testing::HashEncoder,
    extract::llm::Answer,
    journal::{Change, Entry, NewEntry},
    session::{Session, SessionOptions},
};
use proptest::prelude::*;

use crate::sync::{at, options as with_encoder};

fn options(root: &Path) -> SessionOptions {
    SessionOptions { encoder: None, ..with_encoder(root) }
}

/// The model's answer: names, and persons with a feeling.
fn answer(entry: &Entry) -> Vec<u8> {
    let names = ["Rose", "Hope", "Linh"].into_iter().filter(|name| entry.body.contains(*name));
    let entities: Vec<_> =
        names.map(|name| serde_json::json!({ "name": name, "text": name, "type": "person" })).collect();
    let unmoored = serde_json::json!({ "name": "unmoored", "text": "unmoored", "type": "emotion" });
    let relation = serde_json::json!({
        "source": "Rose", "target": "unmoored", "type": "causal", "weight": 0.7, "evidence": "Rose had me unmoored",
    });
    let said = serde_json::json!({
        "entities": entities.into_iter().chain([unmoored]).collect::<Vec<_>>(), "relationships": [relation],
    });
    Answer::of_model(&said.to_string(), "m", entry).unwrap().to_file()
}

const TEXTS: [&str; 5] = [
    "Rose had me unmoored at noon.",
    "Hope called, and Linh.",
    "Rose called.",
    "Nothing to tell.",
    "Linh and Rose at the lake.",
];

/// Everything in the graph.
fn graph(session: &mut Session) -> BTreeSet<String> {
    let snapshot = session.snapshot().unwrap();
    let graph = &snapshot.graph;
    let line = |of| {
        let name = |of| graph.entity(of).name.clone();
        let edges = graph
            .edges(of)
            .into_iter()
            .map(|edge| format!("{} -{}-> {} {:?}", name(edge.source), edge.verb, name(edge.target), edge.evidence));
        format!("{:?} {:?} {:?}", graph.entity(of), graph.entries(of), edges.collect::<Vec<_>>())
    };
    graph.entity_refs().map(line).collect()
}

/// Copies the files of a folder, if it exists.
fn copy(from: &Path, to: &Path) {
    let Ok(files) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for file in files.map(|file| file.unwrap()) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

#[derive(Debug, Clone)]
enum EntryOperation {
    Add(usize),
    Edit(usize, usize),
    Answer(usize),
    /// Another program deletes an answer.
    Unanswer(usize),
    Sync,
    Restart,
}

fn deeds() -> impl Strategy<Value = Vec<EntryOperation>> {
    let text = 0..TEXTS.len();
    let deed = prop_oneof![
        text.clone().prop_map(EntryOperation::Add),
        (0usize..6, text).prop_map(|(nth, text)| EntryOperation::Edit(nth, text)),
        (0usize..6).prop_map(EntryOperation::Answer),
        (0usize..6).prop_map(EntryOperation::Answer),
        (0usize..6).prop_map(EntryOperation::Unanswer),
        Just(EntryOperation::Sync),
        Just(EntryOperation::Restart),
    ];
    prop::collection::vec(deed, 1..16)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_saves_edits_and_answers_ends_where_reading_all_anew_ends(deeds in deeds()) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("vault");
        let mut session = Session::open(options(&root)).unwrap();
        for (minute, deed) in deeds.into_iter().enumerate() {
            let entries = |session: &mut Session| session.entries(None, None).unwrap();
            match deed {
                EntryOperation::Add(text) => {
                    let time = Some(at(&format!("2026-01-0{}T09:{minute:02}:00+00:00", 1 + text)));
                    session.vault().append(NewEntry { time, body: TEXTS[text].into(), ..NewEntry::default() }).unwrap();
                    session.sync(false, &mut |_| true).unwrap();
                }
                EntryOperation::Edit(nth, text) => {
                    if let Some(entry) = entries(&mut session).get(nth) {
                        let change = Change { body: Some(TEXTS[text].into()), ..Change::default() };
                        session.vault().edit(entry, change).unwrap();
                        session.sync(false, &mut |_| true).unwrap();
                    }
                }
                EntryOperation::Answer(nth) => {
                    if let Some(entry) = entries(&mut session).get(nth) {
                        prop_assert!(session.vault().keep_answer(entry, &answer(entry)).unwrap());
                    }
                }
                EntryOperation::Unanswer(nth) => {
                    if let Some(entry) = entries(&mut session).get(nth) {
                        let _ = fs::remove_file(root.join("answers").join(format!("{}.json", entry.hash)));
                    }
                }
                EntryOperation::Sync => drop(session.sync(false, &mut |_| true).unwrap()),
                EntryOperation::Restart => {
                    session.close().unwrap();
                    session = Session::open(options(&root)).unwrap();
                }
            }
        }
        session.sync(false, &mut |_| true).unwrap();
        let grown = graph(&mut session);
        let anew = folder.path().join("anew");
        for part in ["memory", "answers"] {
            copy(&root.join(part), &anew.join(part));
        }
        prop_assert_eq!(grown, graph(&mut Session::open(options(&anew)).unwrap()));
    }
}

fn journal(root: &Path) -> (Session, Vec<Entry>) {
    let mut session = Session::open(options(root)).unwrap();
    for (nth, text) in TEXTS.iter().enumerate() {
        let time = Some(at(&format!("2026-01-0{}T09:00:00+00:00", nth + 1)));
        session.vault().append(NewEntry { time, body: (*text).into(), ..NewEntry::default() }).unwrap();
    }
    let entries = session.entries(None, None).unwrap();
    (session, entries)
}

/// Makes the files of a folder an hour old.
fn age(folder: &Path) {
    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for file in std::fs::read_dir(folder).unwrap() {
        std::fs::File::options().write(true).open(file.unwrap().path()).unwrap().set_modified(then).unwrap();
    }
}

#[test]
fn a_kept_answer_counts_and_shows_who_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, entries) = journal(&folder.path().join("vault"));
    let before = graph(&mut session);
    assert!(!before.iter().any(|line| line.contains("unmoored")));
    session.vault().keep_answer(&entries[0], &answer(&entries[0])).unwrap();
    // A file written a moment ago is read again at the next sync, whatever its modification time.
    age(&folder.path().join("vault/memory"));
    age(&folder.path().join("vault/answers"));
    let report = session.sync(false, &mut |_| true).unwrap();
    assert!(!report.unchanged && report.warnings.is_empty(), "{report:?}");
    let with = graph(&mut session);
    assert!(with.iter().any(|line| line.contains("Rose -causal (llm)-> unmoored")), "{with:#?}");
    assert!(session.sync(false, &mut |_| true).unwrap().unchanged, "taken up once");
    // The same words in another entry are another text, without an answer.
    assert!(with.iter().any(|line| line.contains("name: \"Rose\", kind: Person")), "{with:#?}");
    session.vault().drop_answers().unwrap();
    session.sync(false, &mut |_| true).unwrap();
    assert_eq!(graph(&mut session), before);
}

#[test]
fn a_file_that_is_no_answer_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let (mut session, entries) = journal(&root);
    let before = graph(&mut session);
    session.vault().keep_answer(&entries[0], b"{\"entities\": [").unwrap();
    session.vault().keep_answer(&entries[1], b"[1, 2, 3]").unwrap();
    // An answer to another text, under the name of this one.
    session.vault().keep_answer(&entries[3], &answer(&entries[0])).unwrap();
    fs::write(root.join("answers/README.txt"), "x").unwrap();
    let report = session.sync(false, &mut |_| true).unwrap();
    assert!(report.warnings.is_empty(), "{report:?}");
    assert_eq!(graph(&mut session), before);
}

#[test]
fn answers_do_not_disturb_the_other_legs() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let (session, entries) = journal(&root);
    session.close().unwrap();
    let all = || SessionOptions { encoder: Some(std::sync::Arc::new(HashEncoder::new(64))), ..options(&root) };
    let mut session = Session::open(all()).unwrap();
    session.sync(true, &mut |_| true).unwrap();
    for entry in &entries {
        session.vault().keep_answer(entry, &answer(entry)).unwrap();
    }
    let report = session.sync(true, &mut |_| true).unwrap();
    assert_eq!((report.added, report.changed, report.removed, report.embedded), (0, 0, 0, 0), "{report:?}");
    let hits = session.search(&crate::sync::ask("unmoored")).unwrap().hits;
    assert_eq!(hits.first().map(|hit| hit.id.clone()), Some(entries[0].id.clone()));
}
