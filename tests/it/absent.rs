//! Questions about subjects that are not in the journal: the rate of strong matches for them, and the cost of the
//! threshold for questions that have an answer. On the demo journal, so that anybody can run it; `kioku-lab eval`
//! measures the same on judged journals.

use std::collections::BTreeMap;

use kioku::{
    index::keyword::analyzer,
    search::{Found, Fusion, Legs, Search},
    session::Session,
};

use super::meaning::{pairs, session};

/// Subjects that the journal does not mention by any of their words, each asked in five ways.
fn questions(subjects: &'static str, journal: &str) -> Vec<(&'static str, String)> {
    let stems = |text: &str| {
        let tokens = analyzer::tokens(text).into_iter();
        tokens.map(|token| analyzer::stem(&token.folded).into_owned()).collect::<Vec<_>>()
    };
    let written: std::collections::HashSet<String> = stems(journal).into_iter().collect();
    let lines = subjects.lines().filter(|line| !line.starts_with('#'));
    let absent = lines.filter_map(|line| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [subject, deed, words] = parts[..] else { panic!("three parts: {line}") };
        stems(words).iter().all(|word| !written.contains(word)).then_some((subject, deed, words))
    });
    let asked = |(subject, deed, words): (&str, &str, &str)| {
        let word = words.split(',').next().unwrap_or(words);
        [
            ("subject", subject.to_owned()),
            ("when", format!("When did I {deed}?")),
            ("named", format!("What did Khoa say about the {subject}?")),
            ("why", format!("why did Ngân {deed}")),
            ("word", word.to_owned()),
        ]
    };
    absent.flat_map(asked).collect()
}

/// The same in Vietnamese. A subject is absent where none of its words is written, with accents.
fn vietnamese_questions(journal: &str) -> Vec<(&'static str, String)> {
    let words = |text: &str| analyzer::tokens(text).into_iter().map(|token| token.exact).collect::<Vec<_>>();
    let written: std::collections::HashSet<String> = words(journal).into_iter().collect();
    let lines = include_str!("absent_vi.txt").lines().filter(|line| !line.starts_with('#'));
    let absent = lines.filter_map(|line| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [subject, deed, forms] = parts[..] else { panic!("three parts: {line}") };
        let is_written = |form: &str| words(form).iter().all(|word| written.contains(word));
        (!forms.split(',').any(is_written)).then_some((subject, deed, forms.split(',').next().unwrap_or(forms)))
    });
    let asked = |(subject, deed, word): (&str, &str, &str)| {
        [
            ("subject", subject.to_owned()),
            ("when", format!("Mình {deed} khi nào?")),
            ("named", format!("Khoa nói gì về {subject}?")),
            ("why", format!("vì sao Ngân {deed}")),
            ("word", word.to_owned()),
        ]
    };
    absent.flat_map(asked).collect()
}

/// A search of ten hits at the session's own time.
fn ask(session: &mut Session, text: &str, limit: usize) -> Found {
    let now = session.options().vault.clock.now();
    let text = text.to_owned();
    let ask =
        Search { text, filters: Vec::new(), legs: Legs::ALL, limit, typing: false, fusion: Fusion::default(), now };
    session.search(&ask).unwrap()
}

#[test]
fn what_was_never_written_is_seldom_answered_as_if_sure() {
    let home = tempfile::tempdir().unwrap();
    let mut session = session(home.path());
    let journal: String = ask(&mut session, "", 1_000).hits.iter().map(|hit| format!("{}\n", hit.text)).collect();
    // At most five strong matches in a hundred for rare subjects; seven for everyday subjects, which resemble many
    // entries; fifteen in Vietnamese, where most journals have the syllable with other accents.
    let english = [(include_str!("absent.txt"), 5), (include_str!("absent_everyday.txt"), 7)];
    let english = english.map(|(subjects, most)| (questions(subjects, &journal), most, 200));
    for (questions, most, least) in english.into_iter().chain([(vietnamese_questions(&journal), 15, 100)]) {
        assert!(questions.len() >= least, "only {} questions are about what is absent", questions.len());
        let mut ways: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (way, text) in &questions {
            let sure = ask(&mut session, text, 10).confident;
            if sure {
                println!("as if sure: {text}");
            }
            let (wrong, all) = ways.entry(way).or_default();
            (*wrong, *all) = (*wrong + usize::from(sure), *all + 1);
        }
        let wrong: usize = ways.values().map(|(wrong, _)| wrong).sum();
        println!("{wrong} of {} as if sure; by way of asking {ways:?}", questions.len());
        assert!(wrong * 100 <= questions.len() * most, "{wrong} of {} are answered as if sure", questions.len());
    }
}

#[test]
fn what_was_written_is_answered_as_sure() {
    let home = tempfile::tempdir().unwrap();
    let mut session = session(home.path());
    let entries = ask(&mut session, "", 1_000).hits;
    assert!(entries.len() > 50);
    // The opening words of each entry.
    let (mut found, mut sure) = (0, 0);
    for entry in &entries {
        let beginning = entry.text.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        let answer = ask(&mut session, &beginning.replace(['"', ':', '-'], " "), 10);
        let is_there = answer.hits.iter().any(|hit| hit.id == entry.id);
        found += usize::from(is_there);
        sure += usize::from(is_there && answer.confident);
    }
    println!("of {} beginnings {found} find their entry, {sure} as sure", entries.len());
    assert!(sure * 100 >= entries.len() * 95);
    // For a paraphrase without a word in common, few matches are strong.
    let (mut found, mut sure) = (0, 0);
    for (question, entry) in pairs() {
        let answer = ask(&mut session, question, 10);
        let is_there = answer.hits.iter().any(|hit| hit.id.as_str() == entry);
        found += usize::from(is_there);
        sure += usize::from(is_there && answer.confident);
    }
    println!("of {} questions in other words {found} find their entry, {sure} as sure", pairs().len());
    assert!(found >= 12);
}
