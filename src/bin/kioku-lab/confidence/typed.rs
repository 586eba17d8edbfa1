//! Words typed into the search field: the rarest of an entry, alone or in pairs. Judged journals have questions only.

use std::collections::{BTreeMap, BTreeSet};

use kioku::index::keyword::{analyzer, is_stop_word};

use crate::eval::judged::{Question, Suite};

/// So many entries of each journal are looked for.
const ENTRIES: usize = 30;
/// A word of more entries than these says little alone.
const OF_ENTRIES: usize = 3;

/// Adds to each journal what is typed to find some of its entries again.
pub fn add(suites: &mut [Suite]) {
    for journal in suites.iter_mut().flat_map(|suite| &mut suite.journals) {
        let Some(now) = journal.questions.first().map(|question| question.now.clone()) else { continue };
        let words: Vec<BTreeMap<String, String>> = journal.entries.iter().map(|entry| words(&entry.body)).collect();
        let mut holders: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
        for (place, words) in words.iter().enumerate() {
            words.keys().for_each(|stem| holders.entry(stem).or_default().push(place));
        }
        let step = (words.len() / ENTRIES).max(1);
        let mut asked: BTreeSet<(String, Vec<usize>)> = BTreeSet::new();
        for (place, words) in words.iter().enumerate().step_by(step) {
            let mut rarest: Vec<(usize, &String, &String)> =
                words.iter().map(|(stem, word)| (holders[stem].len(), stem, word)).collect();
            rarest.sort();
            if let [(count, stem, word), ..] = rarest[..]
                && count <= OF_ENTRIES
            {
                asked.insert((word.clone(), holders[stem].clone()));
            }
            if let [_, (_, _, one), (_, _, other), ..] = rarest[..] {
                asked.insert((format!("{one} {other}"), vec![place]));
            }
        }
        let id = |place: &usize| journal.entries.get(*place).and_then(|entry| entry.id.clone());
        let questions: Vec<Question> = asked
            .into_iter()
            .map(|(text, places)| Question {
                text,
                relevant: places.iter().filter_map(id).collect(),
                category: "typed".to_owned(),
                unanswerable: false,
                false_premise: false,
                now: now.clone(),
            })
            .collect();
        journal.questions.extend(questions);
    }
}

/// The words of a text that are looked for, by stem.
fn words(text: &str) -> BTreeMap<String, String> {
    const SHORTEST: usize = 3;
    let tokens = analyzer::tokens(text).into_iter().filter(|token| {
        token.exact.chars().count() >= SHORTEST
            && token.exact.chars().all(char::is_alphabetic)
            && !is_stop_word(&token.exact)
    });
    tokens.map(|token| (analyzer::stem(&token.folded).into_owned(), token.exact)).collect()
}
