//! Contextual words: they rerank the hits, and a damaged or missing word file fails no search.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use kioku::{
    embed::testing::HashEncoder,
    index::LegHealth,
    journal::{Entry, NewEntry, Pass},
    search::Found,
    session::{Session, SessionOptions},
};

use super::sync::{ask, at, options};

fn open(root: &Path) -> Session {
    let encoder = Arc::new(HashEncoder::in_sentence(1024));
    Session::open(SessionOptions { encoder: Some(encoder), ..options(root) }).unwrap()
}

fn add(session: &Session, minute: usize, body: &str) -> Entry {
    let time = at(&format!("2026-11-19T15:{minute:02}:00+00:00"));
    session.vault().append(NewEntry { time: Some(time), body: body.to_owned(), ..NewEntry::default() }).unwrap()
}

/// A journal whose entries are embedded.
fn journal(root: &Path) -> Session {
    let mut session = open(root);
    for (minute, body) in
        ["Warm bread on the cold river.", "Cold bread on the warm river.", "A letter from the bank."].iter().enumerate()
    {
        add(&session, 20 * minute, body);
    }
    session.sync(true, &mut |_| true).unwrap();
    session
}

fn word_file(root: &Path) -> PathBuf {
    let indexes = fs::read_dir(root.join(".index")).unwrap().map(|folder| folder.unwrap().path());
    let folders = indexes.filter_map(|index| fs::read_dir(index.join("vectors")).ok()).flatten();
    let files: Vec<PathBuf> = folders.map(|folder| folder.unwrap().path().join("words.bin")).collect();
    assert_eq!(files.len(), 1);
    files.into_iter().next().unwrap()
}

fn asked(session: &mut Session, text: &str) -> Found {
    session.search(&ask(text)).unwrap()
}

/// Bodies with the similarity of their words.
fn closeness(found: &Found) -> Vec<(String, Option<f32>)> {
    found.hits.iter().map(|hit| (hit.text.clone(), hit.reason.in_sentence)).collect()
}

fn health(session: &mut Session) -> Option<LegHealth> {
    session.snapshot().unwrap().word_health.clone()
}

#[test]
fn the_same_words_in_the_sentence_that_was_asked_for_come_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = journal(dir.path());
    for (question, first, second) in [
        ("the warm river", "Cold bread on the warm river.", "Warm bread on the cold river."),
        ("the cold river", "Warm bread on the cold river.", "Cold bread on the warm river."),
    ] {
        let found = asked(&mut session, question);
        let [(one, close), (other, less), ..] = &closeness(&found)[..] else { panic!("{found:?}") };
        assert_eq!((one.as_str(), other.as_str()), (first, second));
        assert!(close > less && found.notice.is_none(), "{close:?} {less:?}");
    }
}

#[test]
fn without_their_file_words_and_meaning_serve_visibly_and_sync_makes_it_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = journal(dir.path());
    let before = closeness(&asked(&mut session, "warm river"));
    session.close().unwrap();
    let file = word_file(dir.path());
    let sound = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();

    let mut session = open(dir.path());
    assert_eq!(health(&mut session), Some(LegHealth::Building { done: 0, of: 3 }));
    let found = asked(&mut session, "warm river");
    assert!(found.hits.len() >= 2 && found.hits.iter().all(|hit| hit.reason.in_sentence.is_none()));
    assert!(found.hits[0].legs[kioku::search::LegId::Vector].is_some(), "meaning serves");
    assert!(found.notice.is_some_and(|notice| notice.contains("0 of 3 passages")));
    assert_eq!(session.sync(true, &mut |_| true).unwrap().embedded, 3, "read again");
    assert_eq!(health(&mut session), Some(LegHealth::Ready));
    assert_eq!(closeness(&asked(&mut session, "warm river")), before);
    assert_eq!(fs::read(&file).unwrap().len(), sound.len());
}

#[test]
fn a_flipped_byte_costs_one_passage_and_is_mended() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = journal(dir.path());
    let before = closeness(&asked(&mut session, "warm river"));
    session.close().unwrap();
    let file = word_file(dir.path());
    let sound = fs::read(&file).unwrap();
    for at in [3, 70, 81, 90, sound.len() / 2, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&file, &bytes).unwrap();
        let mut session = open(dir.path());
        let report = session.sync(true, &mut |_| true).unwrap();
        let again = if at < 64 { 3 } else { 1 };
        assert_eq!(report.embedded, again, "byte {at}: {:?}", report.warnings);
        assert_eq!(closeness(&asked(&mut session, "warm river")), before, "byte {at}");
        session.close().unwrap();
        let mut session = open(dir.path());
        let report = session.sync(true, &mut |_| true).unwrap();
        assert_eq!((report.embedded, report.warnings), (0, Vec::new()), "byte {at}");
        session.close().unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_turns_only_this_off() {
    let dir = tempfile::tempdir().unwrap();
    journal(dir.path()).close().unwrap();
    let file = word_file(dir.path());
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let mut session = open(dir.path());
    assert_eq!(session.sync(true, &mut |_| true).unwrap().embedded, 0);
    assert!(matches!(health(&mut session), Some(LegHealth::Off { .. })));
    assert_eq!(session.snapshot().unwrap().vector_health, LegHealth::Ready);
    let found = asked(&mut session, "warm river");
    assert!(
        found.hits[0].legs[kioku::search::LegId::Vector].is_some()
            && found.notice.is_some_and(|notice| notice.contains("words.bin"))
    );
}

#[test]
fn forgetting_an_entry_takes_its_words_along() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = journal(dir.path());
    let secret = add(&session, 50, "Nobody may know of the harbour.");
    session.sync(true, &mut |_| true).unwrap();
    let file = word_file(dir.path());
    let hash = kioku::index::passage::PassageHash::of(&secret.body).0;
    let holds = |file: &Path| fs::read(file).unwrap().windows(16).any(|bytes| bytes == hash);
    assert!(holds(&file));
    session.forget(&secret.clone().into(), false, &dir.path().join("state"), Pass::Delete).unwrap();
    assert!(!holds(&file));
    let found = asked(&mut session, "warm river");
    assert!(found.hits.iter().take(2).all(|hit| hit.reason.in_sentence.is_some()), "the others keep theirs");
}

#[test]
fn what_was_written_a_moment_ago_is_found_before_its_words_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = journal(dir.path());
    let new = add(&session, 55, "The warm river again.");
    session.sync(false, &mut |_| true).unwrap();
    let found = asked(&mut session, "warm river");
    assert!(found.hits.iter().any(|hit| hit.id == new.id));
    assert!(found.notice.is_some_and(|notice| notice.contains("3 of 4 passages")));
    session.sync(true, &mut |_| true).unwrap();
    assert_eq!(asked(&mut session, "warm river").notice, None);
}
