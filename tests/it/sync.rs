//! Sync of the index with the vault: any order of saves, foreign edits, damage and restarts gives the same result as
//! a rebuild.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use kioku::{
    clock::Clock,
    embed::testing::HashEncoder,
    index::vector::Ann,
    journal::{Change, Entry, EntryTime, NewEntry, NoteEdit, NoteList, VaultOptions},
    search::{Fusion, Hit, LegId, Legs, Search},
    session::{Curating, Located, Session, SessionOptions, SyncReport},
};
use proptest::prelude::*;

pub fn options(root: &Path) -> SessionOptions {
    let now = "2026-11-20T12:00:00+00:00[UTC]".parse().unwrap();
    SessionOptions {
        vault: VaultOptions::new(root, Clock::fixed(now)),
        models: root.join("models"),
        model: None,
        encoder: Some(Arc::new(HashEncoder::new(64))),
        ann: Ann::Auto,
        watch: false,
    }
}

pub fn at(written: &str) -> EntryTime {
    let stamp: jiff::Timestamp = written.parse().unwrap();
    EntryTime { written: written.to_owned(), at: stamp, offset_seconds: 0 }
}

fn new(time: &str, body: &str) -> NewEntry {
    NewEntry { time: Some(at(time)), body: body.to_owned(), ..NewEntry::default() }
}

pub fn ask(text: &str) -> Search {
    Search {
        text: text.to_owned(),
        filters: Vec::new(),
        legs: Legs::ALL,
        limit: 50,
        typing: false,
        fusion: Fusion::default(),
        now: "2026-11-20T12:00:00+00:00[UTC]".parse().unwrap(),
    }
}

fn sync(session: &mut Session) -> SyncReport {
    session.sync(true, &mut |_| true).unwrap()
}

fn found(session: &mut Session, text: &str) -> BTreeSet<String> {
    let ask = Search { legs: Legs::only(LegId::Keyword), ..ask(text) };
    session.search(&ask).unwrap().hits.into_iter().map(|hit| hit.id.to_string()).collect()
}

fn day_file(root: &Path, name: &str) -> std::path::PathBuf {
    root.join("memory").join(name)
}

#[test]
fn a_saved_entry_is_found_by_word_by_meaning_and_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let entry = session
        .vault()
        .append(NewEntry {
            tags: vec!["work".into()],
            ..new("2026-11-19T15:30:00+00:00", "Met @Hùng about the late demo.")
        })
        .unwrap();
    session.vault().append(new("2026-11-18T09:00:00+00:00", "A quiet walk along the river.")).unwrap();
    sync(&mut session);

    let found = session.search(&ask("Hùng demo")).unwrap();
    let hit = &found.hits[0];
    assert_eq!(hit.id, entry.id);
    assert!(hit.legs[LegId::Keyword].is_some(), "by word");
    assert!(hit.legs[LegId::Vector].is_some(), "by meaning");
    assert!(hit.legs[LegId::Graph].is_some(), "by name");
    assert_eq!(hit.reason.path, ["Hùng"]);
}

#[test]
fn what_another_program_deletes_can_be_put_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let entry = session.vault().append(new("2026-11-19T15:30:00+00:00", "The only copy of a thought.")).unwrap();
    sync(&mut session);
    fs::write(day_file(dir.path(), "2026-11-19.md"), "# Kioku — 2026-11-19\n").unwrap();

    let report = sync(&mut session);
    assert_eq!(report.removed, 1);
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    let trash = session.vault().trash().unwrap();
    assert_eq!(trash[0].entry.body, "The only copy of a thought.");
    session.vault().restore(&trash[0].handle).unwrap();
    sync(&mut session);
    assert_eq!(found(&mut session, "thought"), BTreeSet::from([entry.id.to_string()]));
}

#[test]
fn a_missing_day_folder_is_an_error_never_a_deletion() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-19T15:30:00+00:00", "Still here.")).unwrap();
    sync(&mut session);
    fs::rename(dir.path().join("memory"), dir.path().join("elsewhere")).unwrap();
    assert!(session.sync(true, &mut |_| true).is_err());
    fs::rename(dir.path().join("elsewhere"), dir.path().join("memory")).unwrap();
    sync(&mut session);
    assert!(session.vault().trash().unwrap().is_empty());
    assert_eq!(found(&mut session, "still").len(), 1);
}

#[test]
fn no_text_is_embedded_twice_not_even_by_a_rebuild() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    for minute in 10..40 {
        let text = format!("Entry number {minute} about bread and weather.");
        session.vault().append(new(&format!("2026-11-19T15:{minute}:00+00:00"), &text)).unwrap();
    }
    assert_eq!(sync(&mut session).embedded, 30);
    assert_eq!(session.rebuild(&mut |_| true).unwrap().embedded, 0);
    session.vault().append(new("2026-11-20T08:00:00+00:00", "Entry number 12 about bread and weather.")).unwrap();
    assert_eq!(sync(&mut session).embedded, 0, "the same words on another day");
}

#[test]
fn a_restart_indexes_nothing_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    session.vault().append(new("2026-11-19T15:30:00+00:00", "Once is enough.")).unwrap();
    let path = day_file(dir.path(), "2026-11-19.md");
    let old = fs::File::options().append(true).open(&path).unwrap();
    old.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000)).unwrap();
    sync(&mut session);
    session.close().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let mut steps = 0;
    session
        .sync(true, &mut |_| {
            steps += 1;
            true
        })
        .unwrap();
    assert_eq!(steps, 0, "nothing was read, indexed or embedded");
    assert_eq!(found(&mut session, "enough").len(), 1);
}

#[test]
fn a_shared_time_is_ambiguous_and_lists_the_full_names() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    fs::create_dir_all(dir.path().join("memory")).unwrap();
    let block = |text: &str| format!("\n---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\n{text}\n");
    fs::write(day_file(dir.path(), "2026-02-22.md"), block("first text") + &block("second text")).unwrap();
    sync(&mut session);
    let Located::Ambiguous(names) = session.locate("2026-02-22T15:30:00+07:00").unwrap() else {
        panic!("not ambiguous")
    };
    assert_eq!(names.len(), 2);
    let Located::One(entry) = session.locate(names[1].as_str()).unwrap() else { panic!("not found") };
    assert_eq!(entry.body, "second text");
}

#[test]
fn a_second_process_reads_and_finds_what_is_new_while_the_first_writes() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Session::open(options(dir.path())).unwrap();
    first.vault().append(new("2026-11-18T15:30:00+00:00", "An old entry about apples.")).unwrap();
    sync(&mut first);
    let mut second = Session::open(options(dir.path())).unwrap();
    second.vault().append(new("2026-11-19T15:30:00+00:00", "A new entry about pears.")).unwrap();
    let report = sync(&mut second);
    assert!(report.read_only);
    assert_eq!(found(&mut second, "apples").len(), 1);
    assert_eq!(found(&mut second, "pears").len(), 1, "not in the index, searched in memory");
    sync(&mut first);
    assert_eq!(found(&mut first, "pears").len(), 1);
    first.close().unwrap();
    assert!(!sync(&mut second).read_only, "the writer is gone: the second takes over");
    assert_eq!(found(&mut second, "pears").len(), 1);
}

/// A change of a journal.
#[derive(Debug, Clone)]
enum Step {
    Append {
        day: u8,
        minute: u8,
        word: u8,
    },
    Edit {
        pick: u8,
        word: u8,
    },
    Remove {
        pick: u8,
    },
    /// Another program appends a block, perhaps with a time that exists already.
    Foreign {
        day: u8,
        minute: u8,
        word: u8,
    },
    /// Another program deletes a whole day file.
    DeleteFile {
        pick: u8,
    },
    /// The user adds an alias, or removes it.
    Alias {
        word: u8,
        taken: bool,
    },
    Sync,
    /// A cancelled sync.
    CutSync,
    /// The process ends without a checkpoint.
    Crash,
    /// A byte of a derived file changes.
    Flip {
        pick: u16,
        at: u32,
    },
    /// A derived file is truncated.
    Cut {
        pick: u16,
    },
    DeleteIndex,
}

fn step() -> impl Strategy<Value = Step> {
    let small = || 0u8..6;
    prop_oneof![
        4 => (small(), 0u8..3, 0u8..8).prop_map(|(day, minute, word)| Step::Append { day, minute, word }),
        2 => (any::<u8>(), 0u8..8).prop_map(|(pick, word)| Step::Edit { pick, word }),
        2 => any::<u8>().prop_map(|pick| Step::Remove { pick }),
        3 => (small(), 0u8..3, 0u8..8).prop_map(|(day, minute, word)| Step::Foreign { day, minute, word }),
        1 => any::<u8>().prop_map(|pick| Step::DeleteFile { pick }),
        2 => (0u8..8, any::<bool>()).prop_map(|(word, taken)| Step::Alias { word, taken }),
        4 => Just(Step::Sync),
        1 => Just(Step::CutSync),
        2 => Just(Step::Crash),
        2 => (any::<u16>(), any::<u32>()).prop_map(|(pick, at)| Step::Flip { pick, at }),
        1 => any::<u16>().prop_map(|pick| Step::Cut { pick }),
        1 => Just(Step::DeleteIndex),
    ]
}

const WORDS: [&str; 8] = ["apple", "bridge", "candle", "dinner", "engine", "forest", "garden", "harbour"];

fn text(word: u8) -> String {
    format!("Today the {} mattered to @Mina.", WORDS[usize::from(word) % WORDS.len()])
}

fn time(day: u8, minute: u8) -> String {
    format!("2026-11-{:02}T10:{minute:02}:00+00:00", day + 1)
}

/// All files below the index folder, sorted.
fn derived(root: &Path) -> Vec<std::path::PathBuf> {
    fn walk(dir: &Path, into: &mut Vec<std::path::PathBuf>) {
        for file in fs::read_dir(dir).into_iter().flatten().flatten() {
            match file.path() {
                path if path.is_dir() => walk(&path, into),
                path => into.push(path),
            }
        }
    }
    let mut files = Vec::new();
    walk(&root.join(".index"), &mut files);
    files.sort();
    files
}

fn entries(session: &mut Session) -> Vec<Entry> {
    session.entries(None, None).unwrap()
}

/// The same journal, with a model that supports contextual words.
fn in_sentence(root: &Path) -> SessionOptions {
    SessionOptions { encoder: Some(Arc::new(HashEncoder::in_sentence(64))), ..options(root) }
}

/// Observable results of an index, in one comparable value.
fn observed(session: &mut Session) -> Vec<(String, String, Vec<String>)> {
    let mut seen = Vec::new();
    for entry in entries(session) {
        seen.push((entry.id.to_string(), entry.body, Vec::new()));
    }
    for word in WORDS {
        let found = session.search(&ask(word)).unwrap();
        let hit = |hit: Hit| format!("{} {:?}", hit.id, hit.reason.in_sentence);
        seen.push((word.to_owned(), found.notice.unwrap_or_default(), found.hits.into_iter().map(hit).collect()));
    }
    let snapshot = session.snapshot().unwrap();
    for entity in snapshot.graph.entities() {
        seen.push((entity.name.clone(), format!("{:?} {} {}", entity.kind, entity.mentions, entity.days), Vec::new()));
    }
    seen
}

fn apply(root: &Path, session: Session, step: &Step) -> Session {
    let mut session = session;
    match step {
        Step::Append { day, minute, word } => {
            session.vault().append(new(&time(*day, *minute), &text(*word))).unwrap();
        }
        Step::Edit { pick, word } => {
            let all = entries(&mut session);
            if let Some(entry) = all.get(usize::from(*pick) % all.len().max(1)) {
                let change = Change { body: Some(text(*word)), ..Change::default() };
                // The entry may have changed by now: an error or keeping both versions is correct, and covered by the
                // vault's own tests.
                let _ = session.vault().edit(entry, change);
            }
        }
        Step::Remove { pick } => {
            let all = entries(&mut session);
            if let Some(entry) = all.get(usize::from(*pick) % all.len().max(1)) {
                let _ = session.vault().remove(entry);
            }
        }
        Step::Foreign { day, minute, word } => {
            let path = day_file(root, &format!("2026-11-{:02}.md", day + 1));
            fs::create_dir_all(root.join("memory")).unwrap();
            let mut bytes = fs::read(&path).unwrap_or_default();
            let block = format!("\n---\ntime: \"{}\"\n---\n{}\n", time(*day, *minute), text(*word));
            bytes.extend_from_slice(block.as_bytes());
            fs::write(&path, bytes).unwrap();
        }
        Step::DeleteFile { pick } => {
            let files: Vec<_> = fs::read_dir(root.join("memory")).into_iter().flatten().flatten().collect();
            if let Some(file) = files.get(usize::from(*pick) % files.len().max(1)) {
                fs::remove_file(file.path()).unwrap();
            }
        }
        Step::Alias { word, taken } => {
            let alias = format!("the {}", WORDS[usize::from(*word) % WORDS.len()]);
            let edit = if *taken { NoteEdit::Take } else { NoteEdit::Add };
            session.vault().curate("Mina", None, &[edit(NoteList::Aliases, alias)]).unwrap();
        }
        Step::Sync => {
            sync(&mut session);
        }
        Step::CutSync => {
            let mut left = 1;
            session
                .sync(true, &mut |_| {
                    left -= 1;
                    left >= 0
                })
                .unwrap();
        }
        Step::Crash => {
            drop(session);
            session = Session::open(in_sentence(root)).unwrap();
        }
        Step::Flip { .. } | Step::Cut { .. } | Step::DeleteIndex => {
            drop(session);
            damage(root, step);
            session = Session::open(in_sentence(root)).unwrap();
        }
    }
    session
}

fn damage(root: &Path, step: &Step) {
    let files = derived(root);
    let pick = |pick: u16| files.get(usize::from(pick) % files.len().max(1));
    match step {
        Step::Flip { pick: which, at } => {
            if let Some(path) = pick(*which) {
                let mut bytes = fs::read(path).unwrap();
                if !bytes.is_empty() {
                    let at = *at as usize % bytes.len();
                    bytes[at] ^= 0x55;
                    fs::write(path, bytes).unwrap();
                }
            }
        }
        Step::Cut { pick: which } => {
            if let Some(path) = pick(*which) {
                let bytes = fs::read(path).unwrap();
                fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
            }
        }
        _ => {
            let _ = fs::remove_dir_all(root.join(".index"));
        }
    }
}

fn mentions(session: &mut Session, name: &str) -> usize {
    let graph = session.snapshot().unwrap().graph.clone();
    graph.by_name(name).into_iter().map(|entity| graph.entries(entity).len()).sum()
}

#[test]
fn the_words_of_an_alias_count_as_soon_as_it_is_given_and_no_longer_than_that() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    let texts = ["Met @Mina.", "The old captain laughed.", "No captain on deck.", "Asked the old captain again."];
    for (at, text) in texts.iter().enumerate() {
        session.vault().append(new(&time(at as u8, 0), text)).unwrap();
    }
    sync(&mut session);
    assert_eq!(mentions(&mut session, "Mina"), 1);
    let alias = |edit: fn(NoteList, String) -> NoteEdit| [edit(NoteList::Aliases, "old captain".to_owned())];
    let given = Curating::Alias { name: "Mina".to_owned(), alias: "old captain".to_owned(), remove: false };
    assert_eq!(session.curate(&given, None).unwrap().moved.entries, 2);
    session.vault().curate("Mina", None, &alias(NoteEdit::Add)).unwrap();
    sync(&mut session);
    assert_eq!(mentions(&mut session, "Mina"), 3);
    session.close().unwrap();
    let mut session = Session::open(options(dir.path())).unwrap();
    assert_eq!(mentions(&mut session, "Mina"), 3, "kept");
    session.vault().append(new(&time(5, 0), "The old captain sings.")).unwrap();
    sync(&mut session);
    assert_eq!(mentions(&mut session, "Mina"), 4);
    session.vault().curate("Mina", None, &alias(NoteEdit::Take)).unwrap();
    sync(&mut session);
    assert_eq!(mentions(&mut session, "Mina"), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// After any history, `kioku index` gives the same result as a new index.
    #[test]
    fn any_history_equals_a_rebuild(steps in prop::collection::vec(step(), 1..14)) {
        let dir = tempfile::tempdir().unwrap();
        let mut session = Session::open(in_sentence(dir.path())).unwrap();
        for step in &steps {
            session = apply(dir.path(), session, step);
        }
        // Like `kioku index`: this also repairs damage in files that only a search reads.
        session.refresh(&mut |_| true).unwrap();
        let incremental = observed(&mut session);
        drop(session);
        fs::remove_dir_all(dir.path().join(".index")).unwrap();
        let mut session = Session::open(in_sentence(dir.path())).unwrap();
        sync(&mut session);
        prop_assert_eq!(incremental, observed(&mut session));
    }
}

#[test]
fn who_comes_while_another_makes_the_index_anew_searches_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Session::open(options(dir.path())).unwrap();
    let entry = first.vault().append(new("2026-11-19T15:30:00+00:00", "A kite over the quay.")).unwrap();
    sync(&mut first);
    // The first session has the writer lock; its files do not exist yet, as during a rebuild.
    fs::remove_file(first.vault().index_folder().join("words/meta.json")).unwrap();
    let mut second = Session::open(options(dir.path())).unwrap();
    assert!(sync(&mut second).read_only);
    assert_eq!(found(&mut second, "kite"), BTreeSet::from([entry.id.to_string()]));
}
