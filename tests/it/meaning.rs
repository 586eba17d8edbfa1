//! The bundled model on the demo journal: paraphrased questions find their entries, from the first start.

use std::path::Path;

use kioku::{
    clock::Clock,
    embed::bundled::Bundled,
    index::vector::Ann,
    journal::{VaultOptions, demo},
    search::{LegId, Legs, Search},
    session::{Located, Session, SessionOptions},
};

/// Pairs of question and entry from `paraphrases.txt`.
pub fn pairs() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("paraphrases.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('\t').expect("a question, a tab, an entry")).collect()
}

pub fn session(home: &Path) -> Session {
    let root = home.join("demo");
    demo::write_demo(&root).unwrap();
    let vault = VaultOptions {
        root,
        day_start: jiff::civil::Time::midnight(),
        clock: Clock::fixed("2026-09-01T12:00:00+07:00[Asia/Ho_Chi_Minh]".parse().unwrap()),
        machine: "test".to_owned(),
        state: None,
    };
    let mut session = Session::open(SessionOptions {
        vault,
        models: home.join("models"),
        model: Some(Bundled::Table.name().to_owned()),
        encoder: None,
        ann: Ann::Auto,
        watch: false,
    })
    .unwrap();
    let report = session.sync(true, &mut |_| true).unwrap();
    assert_eq!(report.warnings, Vec::<String>::new());
    session
}

/// The rank of an entry among the hits, from 1.
fn rank(session: &mut Session, question: &str, entry: &str, legs: Legs) -> Option<usize> {
    let ask = Search {
        text: question.to_owned(),
        filters: Vec::new(),
        legs,
        fusion: Default::default(),
        limit: 100,
        typing: false,
        now: session.options().vault.clock.now(),
    };
    let found = session.search(&ask).unwrap();
    found.hits.iter().position(|hit| hit.id.as_str() == entry).map(|at| at + 1)
}

const WORDS: Legs = Legs::only(LegId::Keyword);

#[test]
fn questions_in_other_words_find_their_entries() {
    let home = tempfile::tempdir().unwrap();
    let mut session = session(home.path());
    let mut ranks = Vec::new();
    for (question, entry) in pairs() {
        assert!(matches!(session.locate(entry).unwrap(), Located::One(_)), "the demo has no entry {entry}");
        if rank(&mut session, question, entry, WORDS).is_some() {
            println!("   =  {question}: shares a word with its entry, does not count");
            continue;
        }
        let rank = rank(&mut session, question, entry, Legs::ALL);
        println!("{:>4}  {question}", rank.map_or("-".to_owned(), |rank| rank.to_string()));
        ranks.push(rank);
    }
    let within = |top: usize| ranks.iter().flatten().filter(|rank| **rank <= top).count();
    println!("of {}: first {}, in the first five {}, ten {}", ranks.len(), within(1), within(5), within(10));
    assert!(ranks.len() >= 25, "too many share a word");
    assert!(within(5) >= 10 && within(10) >= 12);
}

#[test]
fn a_question_that_the_model_cannot_read_is_told_and_left_to_words() {
    let home = tempfile::tempdir().unwrap();
    let mut session = session(home.path());
    let mut ask = |text: &str, typing: bool| {
        let now = session.options().vault.clock.now();
        let ask = Search {
            text: text.to_owned(),
            filters: Vec::new(),
            legs: Legs::ALL,
            fusion: Default::default(),
            limit: 10,
            typing,
            now,
        };
        let found = session.search(&ask).unwrap();
        (found.counts[LegId::Vector].is_some(), found.notice.unwrap_or_default())
    };
    let (ran, notice) = ask("раннее утро у реки", false);
    assert!(!ran && notice.contains("cannot read this query"), "{notice}");
    let (ran, notice) = ask("раннее утро", true);
    assert!(!ran && notice.contains("cannot read this query"), "{notice}");
    assert_eq!(ask("ранн", true), (false, String::new()), "half a word says nothing yet");
    assert_eq!(ask("buổi sáng ở bờ sông", false), (true, String::new()));
    assert_eq!(ask("buoi sang o bo song", false), (true, String::new()));
    assert_eq!(ask("a morning by the river", false), (true, String::new()));
    assert_eq!(ask("mood:calm", false).1, "", "filters alone are not read by a model");
}
