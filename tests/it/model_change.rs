//! Model switch: the old vectors are used until the new ones are complete, whatever happens in between.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use kioku::{
    embed::{EmbedError, Encoder, ModelStamp, registry, testing::HashEncoder},
    index::{Embedded, Index, IndexOptions, LegHealth, Scope, vector::Ann},
    journal::{NewEntry, Vault},
    search::{LegId, Legs},
    session::{Reply, Request, Session, SessionOptions, SessionWorkers, SyncReport, Ticket},
};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::sync::{ask, at, options};

/// An encoder that counts its calls.
#[derive(Debug)]
struct Counting(HashEncoder, AtomicUsize);

impl Counting {
    fn new(dimension: usize) -> Self {
        Self(HashEncoder::new(dimension), AtomicUsize::new(0))
    }

    fn count(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

impl Encoder for Counting {
    fn stamp(&self) -> &ModelStamp {
        self.0.stamp()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.1.fetch_add(texts.len(), Ordering::SeqCst);
        self.0.embed(texts)
    }
}

const ENTRIES: usize = 30;
/// Fewer than the number of entries, so that a switch takes several steps.
const STEP: usize = 7;

fn journal(root: &Path) -> Vault {
    let vault = Vault::open(options(root).vault).unwrap();
    for minute in 10..10 + ENTRIES {
        let body = format!("Baked loaf number {minute} and watched the weather turn.");
        add(&vault, &format!("2026-11-19T15:{minute}:00+00:00"), &body);
    }
    vault
}

fn add(vault: &Vault, time: &str, body: &str) {
    vault.append(NewEntry { time: Some(at(time)), body: body.to_owned(), ..NewEntry::default() }).unwrap();
}

fn open(dir: &Path, encoder: &dyn Encoder) -> Index {
    let options =
        IndexOptions { dir: dir.to_path_buf(), model: Some(encoder.stamp().clone()), stand_in: None, ann: Ann::Off };
    Index::open(options).unwrap().0
}

fn sync(index: &mut Index, vault: &Vault) {
    let report = index.sync(vault, &mut |_| true).unwrap();
    assert!(!report.stopped && !report.read_only);
}

fn embed(index: &mut Index, encoder: &dyn Encoder, limit: usize) -> usize {
    match index.embed(encoder, limit).unwrap() {
        Embedded::Passages(count) => count,
        Embedded::Fault(why) => panic!("{why}"),
    }
}

/// The active vectors: their model, and whether they are complete.
fn active(index: &mut Index) -> (ModelStamp, LegHealth) {
    let snapshot = index.snapshot();
    (snapshot.vectors.expect("a model is in use").model().clone(), snapshot.vector_health)
}

/// Number of entries that a text finds by meaning with the active vectors.
fn near(index: &mut Index, encoder: &dyn Encoder, text: &str) -> usize {
    let snapshot = index.snapshot();
    let query = encoder.embed(&[text]).unwrap().remove(0);
    let (hits, _) = snapshot.vectors.unwrap().search(&query, &Scope::all(snapshot.catalog.clone()), 100);
    hits.iter().filter(|hit| hit.score > 0.5).count()
}

/// A journal embedded by the old model.
fn read_by(dir: &Path, vault: &Vault, encoder: &dyn Encoder) {
    let mut index = open(dir, encoder);
    sync(&mut index, vault);
    while embed(&mut index, encoder, 100) > 0 {}
    index.checkpoint().unwrap();
    assert_eq!(active(&mut index), (encoder.stamp().clone(), LegHealth::Ready));
    index.close().unwrap();
}

fn folders(dir: &Path) -> BTreeSet<String> {
    let folders = fs::read_dir(dir.join("vectors")).unwrap();
    folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            copy(&item.path(), &target);
        } else if !target.exists() {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

#[test]
fn the_old_vectors_answer_until_the_new_ones_are_complete() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), HashEncoder::new(96));
    read_by(&dir, &vault, &old);

    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    let mut steps = 0;
    while let Some(waiting) = index.waiting() {
        assert_eq!((&waiting.model, waiting.done), (new.stamp(), steps * STEP));
        assert_eq!(active(&mut index), (old.stamp().clone(), LegHealth::Ready));
        assert_eq!(near(&mut index, &old, "Baked loaf and watched the weather turn"), ENTRIES);
        assert_eq!(index.succeed().unwrap(), None, "it has not read everything");
        embed(&mut index, &new, STEP);
        steps += 1;
    }
    assert_eq!(steps, ENTRIES.div_ceil(STEP));
    assert_eq!(folders(&dir).len(), 2);
    assert_eq!(index.succeed().unwrap().as_ref(), Some(new.stamp()));
    assert_eq!(active(&mut index), (new.stamp().clone(), LegHealth::Ready));
    assert_eq!(near(&mut index, &new, "Baked loaf and watched the weather turn"), ENTRIES);
    assert_eq!(folders(&dir).len(), 1, "the old vectors are gone");
    assert_eq!(index.model_change(), None);
    index.close().unwrap();
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    assert_eq!((index.waiting(), active(&mut index)), (None, (new.stamp().clone(), LegHealth::Ready)));
}

#[test]
fn what_is_written_during_a_change_is_found_by_meaning_at_once_and_after_it() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), HashEncoder::new(96));
    read_by(&dir, &vault, &old);
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    embed(&mut index, &new, STEP);

    add(&vault, "2026-11-19T18:00:00+00:00", "Grandmother taught me how to mend a violin.");
    sync(&mut index, &vault);
    let waiting = index.waiting().unwrap();
    assert_eq!((&waiting.model, waiting.successor), (old.stamp(), false), "the serving model comes first");
    assert_eq!(embed(&mut index, &old, STEP), 1);
    assert_eq!(near(&mut index, &old, "mend a violin, grandmother taught how"), 1);
    while index.waiting().is_some() {
        embed(&mut index, &new, STEP);
    }
    index.succeed().unwrap().unwrap();
    assert_eq!(near(&mut index, &new, "mend a violin, grandmother taught how"), 1);
}

/// A slow model with a fast one that stands in for it.
fn open_slow(dir: &Path, slow: &dyn Encoder, fast: &dyn Encoder) -> Index {
    let (model, stand_in) = (Some(slow.stamp().clone()), Some(fast.stamp().clone()));
    Index::open(IndexOptions { dir: dir.to_path_buf(), model, stand_in, ann: Ann::Off }).unwrap().0
}

/// Embeds all that waits, with the model that it waits for. Number of passages for each.
fn embed_all(index: &mut Index, slow: &dyn Encoder, fast: &dyn Encoder) -> [usize; 2] {
    let mut counts = [0, 0];
    while let Some(waiting) = index.waiting() {
        let is_fast = waiting.model == *fast.stamp();
        counts[usize::from(is_fast)] += embed(index, if is_fast { fast } else { slow }, STEP);
    }
    counts
}

fn add_many(vault: &Vault, hour: usize, count: usize) {
    for minute in 10..10 + count {
        let body = format!("Hour {hour}: mended violin number {minute}.");
        add(vault, &format!("2026-11-20T{hour}:{minute}:00+00:00"), &body);
    }
}

#[test]
fn a_fast_model_answers_while_a_slow_one_has_much_to_read() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (slow, fast) = (HashEncoder::new(96), HashEncoder::new(64));
    let mut index = open_slow(&dir, &slow, &fast);
    sync(&mut index, &vault);
    assert_eq!(index.waiting().unwrap().model, *fast.stamp(), "a new journal is read by the fast one first");
    while index.waiting().is_some_and(|waiting| !waiting.successor) {
        embed(&mut index, &fast, STEP);
    }
    assert_eq!(active(&mut index), (fast.stamp().clone(), LegHealth::Ready));
    assert_eq!(near(&mut index, &fast, "Baked loaf and watched the weather turn"), ENTRIES);
    assert!(index.is_standing_in());
    assert_eq!(embed_all(&mut index, &slow, &fast), [ENTRIES, 0]);
    assert_eq!(index.succeed().unwrap().as_ref(), Some(slow.stamp()));
    assert_eq!((active(&mut index), index.is_standing_in()), ((slow.stamp().clone(), LegHealth::Ready), false));

    // A few new entries: the slow model goes on.
    add_many(&vault, 10, 3);
    sync(&mut index, &vault);
    assert_eq!((active(&mut index).0, embed_all(&mut index, &slow, &fast)), (slow.stamp().clone(), [3, 0]));
    index.close().unwrap();

    // Many: the fast one answers again, and reads only what it has not read before.
    add_many(&vault, 11, 20);
    let mut index = open_slow(&dir, &slow, &fast);
    sync(&mut index, &vault);
    assert!(index.is_standing_in());
    assert_eq!(embed(&mut index, &fast, 100), 23);
    assert_eq!(active(&mut index), (fast.stamp().clone(), LegHealth::Ready));
    assert_eq!(near(&mut index, &fast, "Baked loaf and watched the weather turn"), ENTRIES);
    index.close().unwrap();

    // Also after a restart in between.
    let mut index = open_slow(&dir, &slow, &fast);
    sync(&mut index, &vault);
    assert_eq!((active(&mut index), index.is_standing_in()), ((fast.stamp().clone(), LegHealth::Ready), true));
    assert_eq!(embed_all(&mut index, &slow, &fast), [20, 0]);
    assert_eq!(index.succeed().unwrap().as_ref(), Some(slow.stamp()));
    assert_eq!(near(&mut index, &slow, "Baked loaf and watched the weather turn"), ENTRIES);
}

#[test]
fn a_fast_model_answers_at_once_where_there_is_no_time_for_the_slow_one() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (slow, fast) = (HashEncoder::new(96), HashEncoder::new(64));
    let mut index = open_slow(&dir, &slow, &fast);
    sync(&mut index, &vault);
    embed_all(&mut index, &slow, &fast);
    index.succeed().unwrap().unwrap();
    add_many(&vault, 10, 1);
    sync(&mut index, &vault);
    assert!(!index.is_standing_in() && index.stand_in(0).unwrap() && !index.stand_in(0).unwrap());
    sync(&mut index, &vault);
    assert_eq!((embed(&mut index, &fast, 100), near(&mut index, &fast, "mended violin number")), (1, 1));
    assert_eq!((embed_all(&mut index, &slow, &fast), near(&mut index, &fast, "mended violin number")), ([1, 0], 1));
    assert_eq!(index.succeed().unwrap().as_ref(), Some(slow.stamp()));
    assert_eq!(near(&mut index, &slow, "mended violin number"), 1);
}

#[test]
fn what_is_changed_and_deleted_during_a_change_ends_where_a_fresh_start_ends() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), HashEncoder::new(96));
    read_by(&dir, &vault, &old);
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    embed(&mut index, &new, STEP);
    let file = home.path().join("memory/2026-11-19.md");
    let text = fs::read_to_string(&file).unwrap();
    // One entry is edited, the last one is deleted.
    let text = text.replace("Baked loaf number 20 and watched", "Burnt loaf number 20 and cursed");
    fs::write(&file, &text[..text.rfind("\n---\ntime:").unwrap()]).unwrap();
    sync(&mut index, &vault);
    for (encoder, model) in [(&old, old.stamp()), (&new, new.stamp())] {
        while index.waiting().is_some_and(|waiting| waiting.model == *model) {
            embed(&mut index, encoder, STEP);
        }
    }
    index.succeed().unwrap().unwrap();

    let mut fresh = open(&home.path().join("fresh"), &new);
    sync(&mut fresh, &vault);
    while embed(&mut fresh, &new, 100) > 0 {}
    for question in ["Baked loaf and watched the weather turn", "burnt and cursed", "loaf number 39", "loaf number 20"]
    {
        let of = |index: &mut Index| {
            let snapshot = index.snapshot();
            let query = new.embed(&[question]).unwrap().remove(0);
            snapshot.vectors.unwrap().search(&query, &Scope::all(snapshot.catalog.clone()), 100).0
        };
        let found = of(&mut index);
        assert_eq!(found, of(&mut fresh), "{question}");
        assert_eq!(found.len(), ENTRIES - 1);
    }
}

#[test]
fn who_only_reads_goes_by_the_model_that_serves() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), HashEncoder::new(96));
    read_by(&dir, &vault, &old);
    let mut writer = open(&dir, &new);
    sync(&mut writer, &vault);
    embed(&mut writer, &new, STEP);
    let mut reader = open(&dir, &new);
    assert!(reader.read_only());
    assert_eq!((active(&mut reader), reader.waiting()), ((old.stamp().clone(), LegHealth::Ready), None));
    while writer.waiting().is_some() {
        embed(&mut writer, &new, STEP);
    }
    writer.succeed().unwrap().unwrap();
    assert_eq!(near(&mut reader, &old, "Baked loaf and watched the weather turn"), ENTRIES, "its view stands");
    reader.sync(&vault, &mut |_| true).unwrap();
    assert_eq!(active(&mut reader), (new.stamp().clone(), LegHealth::Ready));
}

#[test]
fn a_stop_between_any_two_steps_costs_no_answer_and_no_text_is_read_twice() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), Counting::new(96));
    read_by(&dir, &vault, &old);
    for step in 0.. {
        // Dropped without a close, like a killed process.
        let mut index = open(&dir, &new);
        let (model, health) = active(&mut index);
        assert_eq!(health, LegHealth::Ready, "step {step}");
        if model == *new.stamp() {
            assert_eq!(new.count(), ENTRIES);
            break;
        }
        sync(&mut index, &vault);
        if index.waiting().is_some() {
            embed(&mut index, &new, STEP);
        } else {
            index.succeed().unwrap().unwrap();
        }
        assert!(step < 10, "it never ends");
    }
    assert_eq!(folders(&dir).len(), 1);
}

#[test]
fn a_stop_before_the_commit_point_leaves_the_old_model_serving() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), Counting::new(96));
    read_by(&dir, &vault, &old);
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    while index.waiting().is_some() {
        embed(&mut index, &new, STEP);
    }
    index.checkpoint().unwrap();
    let (before, after): (PathBuf, PathBuf) = (home.path().join("before"), home.path().join("after"));
    copy(&dir, &before);
    index.succeed().unwrap().unwrap();
    index.close().unwrap();

    // Every file of the new checkpoint is written; only the commit is missing.
    copy(&before, &after);
    for part in fs::read_dir(&dir).unwrap().map(|part| part.unwrap()).filter(|part| part.file_name() != "words") {
        if part.path().is_dir() {
            copy(&part.path(), &after.join(part.file_name()));
        } else {
            fs::copy(part.path(), after.join(part.file_name())).unwrap();
        }
    }
    let mut index = open(&after, &new);
    assert_eq!(active(&mut index), (old.stamp().clone(), LegHealth::Ready));
    sync(&mut index, &vault);
    assert_eq!(index.waiting(), None, "nothing is read twice");
    assert_eq!(index.succeed().unwrap().as_ref(), Some(new.stamp()));
    drop(index);

    // The commit is made; only the old vectors still exist.
    copy(&before.join("vectors"), &dir.join("vectors"));
    let mut index = open(&dir, &new);
    assert_eq!(active(&mut index), (new.stamp().clone(), LegHealth::Ready));
    index.checkpoint().unwrap();
    assert_eq!(folders(&dir).len(), 1);
    assert_eq!(new.count(), ENTRIES);
}

#[test]
fn a_rebuild_in_the_middle_of_a_change_keeps_the_old_model_serving() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (HashEncoder::new(64), Counting::new(96));
    read_by(&dir, &vault, &old);
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    embed(&mut index, &new, STEP);
    let (mut index, _) = index.rebuild().unwrap();
    sync(&mut index, &vault);
    assert_eq!(active(&mut index), (old.stamp().clone(), LegHealth::Ready));
    while index.waiting().is_some() {
        embed(&mut index, &new, STEP);
    }
    assert_eq!(index.succeed().unwrap().as_ref(), Some(new.stamp()));
    assert_eq!(new.count(), ENTRIES);
}

#[test]
fn choosing_the_old_model_again_needs_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (vault, dir) = (journal(home.path()), home.path().join("index"));
    let (old, new) = (Counting::new(64), HashEncoder::new(96));
    read_by(&dir, &vault, &old);
    let mut index = open(&dir, &new);
    sync(&mut index, &vault);
    embed(&mut index, &new, STEP);
    index.checkpoint().unwrap();
    index.close().unwrap();
    let mut index = open(&dir, &old);
    sync(&mut index, &vault);
    assert_eq!((index.waiting(), index.model_change()), (None, None));
    assert_eq!(active(&mut index), (old.stamp().clone(), LegHealth::Ready));
    assert_eq!(old.count(), ENTRIES);
}

/// Installs a table of its own size under `name`: some words, every letter, and meaningless numbers.
pub fn install_table(models: &Path, name: &str, dimension: usize) {
    const WORDS: &str = "baked loaf of bread watched the weather turn tea by river letter to bank";
    let letters = ('a'..='z').flat_map(|letter| [letter.to_string(), format!("##{letter}")]);
    let pieces: Vec<String> = WORDS.split(' ').map(str::to_owned).chain(letters).collect();
    let number = |piece: &String, at: usize| Sha256::digest(format!("{piece} {at}"))[0];
    let rows: Vec<u8> = pieces.iter().flat_map(|piece| (0..dimension).map(move |at| number(piece, at))).collect();
    // 1 as a 16-bit float.
    let scales = [0x00, 0x3c].repeat(pieces.len());
    let header = json!({
        "rows": { "dtype": "I8", "shape": [pieces.len(), dimension], "data_offsets": [0, rows.len()] },
        "scales": { "dtype": "F16", "shape": [pieces.len()], "data_offsets": [rows.len(), rows.len() + scales.len()] },
    });
    let header = header.to_string().into_bytes();
    let weights = [&(header.len() as u64).to_le_bytes()[..], &header, &rows, &scales].concat();
    let vocabulary = pieces.join("\n") + "\n";
    let mut sum = Sha256::new();
    sum.update(format!("kioku table 1\n{} {dimension} false\n", pieces.len()));
    for part in [&weights[..], vocabulary.as_bytes()] {
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    let checksum: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let card = json!({
        "version": 1, "name": name, "rows": pieces.len(), "dimension": dimension, "accents": false, "checksum": checksum,
    });
    let made = tempfile::tempdir().unwrap();
    fs::write(made.path().join("table.safetensors"), weights).unwrap();
    fs::write(made.path().join("vocab.txt"), vocabulary).unwrap();
    fs::write(made.path().join("kioku-table.json"), card.to_string()).unwrap();
    registry::install(made.path(), models, name).unwrap();
}

fn with_model(root: &Path, name: &str) -> SessionOptions {
    SessionOptions { encoder: None, model: Some(name.to_owned()), ..options(root) }
}

fn full_sync(session: &mut Session) -> SyncReport {
    session.sync(true, &mut |_| true).unwrap()
}

/// Whether the vector leg answers, and the notice of the search.
fn by_meaning(session: &mut Session) -> (bool, Option<String>) {
    let ask = kioku::search::Search { legs: Legs::ALL.set(LegId::Graph, false), ..ask("bread and weather") };
    let found = session.search(&ask).unwrap();
    (found.counts[LegId::Vector].is_some_and(|count| count > 0), found.notice)
}

#[test]
fn installed_models_change_while_searches_go_on() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let models = home.path().join("models");
    install_table(&models, "old", 8);
    install_table(&models, "new", 16);
    let mut session = Session::open(with_model(home.path(), "old")).unwrap();
    full_sync(&mut session);
    session.close().unwrap();

    let mut session = Session::open(with_model(home.path(), "new")).unwrap();
    assert_eq!(by_meaning(&mut session), (true, None));
    let change = session.model_change().unwrap().unwrap();
    assert_eq!((change.from.name.as_str(), change.to.name.as_str(), change.done), ("old", "new", 0));
    let report = full_sync(&mut session);
    assert_eq!((report.embedded, report.succeeded.as_deref()), (ENTRIES, Some("new")));
    assert_eq!(report.warnings, Vec::<String>::new());
    assert_eq!(by_meaning(&mut session), (true, None));
    assert_eq!(session.snapshot().unwrap().vectors.as_ref().unwrap().model().dimension, 16);
}

#[test]
fn the_screens_hear_of_the_change() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let models = home.path().join("models");
    install_table(&models, "old", 8);
    install_table(&models, "new", 16);
    SessionWorkers::inline(with_model(home.path(), "old")).stop();
    let session = SessionWorkers::inline(with_model(home.path(), "new"));
    assert_eq!(notifications(&session), ["search by meaning now uses new"]);
    assert_eq!(shown(&session).as_deref(), Some("new"));
    assert_eq!(session.view().progress, None);
    session.stop();
}

fn notifications(session: &SessionWorkers) -> Vec<String> {
    let replies = std::iter::from_fn(|| session.try_recv());
    replies.filter_map(|reply| if let Reply::Notification(text) = reply { Some(text) } else { None }).collect()
}

fn shown(session: &SessionWorkers) -> Option<String> {
    Some(session.view().snapshot.as_ref()?.vectors.as_ref()?.model().name.clone())
}

#[test]
fn open_screens_follow_a_choice_made_elsewhere() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let models = home.path().join("models");
    install_table(&models, "old", 8);
    install_table(&models, "new", 16);
    let session = SessionWorkers::inline(with_model(home.path(), "old"));
    let choose = session.model_choice();
    let look = || session.send(Ticket(1), Request::Sync);
    notifications(&session);
    for (choice, said, serves) in [
        (Some("old"), vec![], Some("old")),
        (Some("new"), vec!["search by meaning now uses new"], Some("new")),
        (None, vec![], None),
        (Some("new"), vec![], Some("new")),
    ] {
        choose(choice.map(str::to_owned));
        look();
        assert_eq!(
            (notifications(&session), shown(&session).as_deref()),
            (said.into_iter().map(str::to_owned).collect(), serves)
        );
    }
    // If the model is not installed, words and graph still answer, and a notice says so.
    choose(Some("absent".to_owned()));
    look();
    assert!(notifications(&session).iter().any(|text| text.contains("search by meaning is off")));
    assert_eq!(session.view().snapshot.as_ref().unwrap().catalog.entries().len(), ENTRIES);
    session.stop();
}

#[test]
fn an_old_model_that_is_gone_serves_no_more() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let models = home.path().join("models");
    install_table(&models, "old", 8);
    install_table(&models, "new", 16);
    let mut session = Session::open(with_model(home.path(), "old")).unwrap();
    full_sync(&mut session);
    session.close().unwrap();
    registry::remove(&models, "old").unwrap();

    let mut session = Session::open(with_model(home.path(), "new")).unwrap();
    let snapshot = session.snapshot().unwrap();
    assert_eq!(snapshot.vectors.as_ref().unwrap().model().name, "new");
    assert!(matches!(snapshot.vector_health, LegHealth::Building { done: 0, .. }));
    full_sync(&mut session);
    assert_eq!(by_meaning(&mut session), (true, None));
}

#[test]
fn a_new_model_that_is_damaged_leaves_the_old_one_serving() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let models = home.path().join("models");
    install_table(&models, "old", 8);
    install_table(&models, "new", 16);
    let mut session = Session::open(with_model(home.path(), "old")).unwrap();
    full_sync(&mut session);
    session.close().unwrap();
    fs::write(models.join("new/vocab.txt"), "bread\n").unwrap();

    let mut session = Session::open(with_model(home.path(), "new")).unwrap();
    let report = full_sync(&mut session);
    assert!(report.warnings.iter().any(|text| text.contains("`kioku model remove new`")), "{:?}", report.warnings);
    assert_eq!(report.succeeded, None);
    assert_eq!(by_meaning(&mut session), (true, None));
    assert!(session.model_change().unwrap().unwrap().fault.is_some());
    // New entries are embedded by the old model.
    add(session.vault(), "2026-11-19T19:00:00+00:00", "Bread again.");
    assert_eq!(full_sync(&mut session).embedded, 1);
    assert_eq!(session.snapshot().unwrap().vector_health, LegHealth::Ready);
}

/// Its stamp does not match its vectors.
#[derive(Debug)]
struct Lying(HashEncoder);

impl Encoder for Lying {
    fn stamp(&self) -> &ModelStamp {
        self.0.stamp()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(vec![vec![1.0, 0.0, 0.0]; texts.len()])
    }
}

#[test]
fn a_model_of_another_dimension_than_it_says_is_off_and_words_go_on() {
    let home = tempfile::tempdir().unwrap();
    journal(home.path());
    let encoder = Some(std::sync::Arc::new(Lying(HashEncoder::new(64))) as std::sync::Arc<dyn Encoder>);
    let mut session = Session::open(SessionOptions { encoder, ..options(home.path()) }).unwrap();
    let report = full_sync(&mut session);
    assert!(report.warnings.iter().any(|text| text.contains("3 components where 64")), "{:?}", report.warnings);
    let snapshot = session.snapshot().unwrap();
    assert!(matches!(&snapshot.vector_health, LegHealth::Off { why } if why.contains("3 components")));
    let found = session.search(&ask("weather")).unwrap();
    assert_eq!((found.hits.len(), found.counts[LegId::Vector]), (ENTRIES, None));
}
