//! One real search on each leg, for `doctor`: an index that opens may still fail when it is asked.

use serde::Serialize;

use crate::{
    index::{LegHealth, Snapshot, keyword::is_stop_word},
    report::Report,
    search::{self, Found, Fusion, Legs, Search},
    session::{Session, SessionError},
};

/// How many entries are asked for.
const LIMIT: usize = 10;
/// How many of the newest entries are looked through for a word to search.
const NEWEST: usize = 20;
/// Letters of a word that some entry must be found by.
const LONG: usize = 5;

/// How many entries each leg found; absent where the leg is off or nothing could be asked.
#[derive(Debug, Default, Serialize)]
pub struct Probed {
    pub keyword: Option<usize>,
    pub vector: Option<usize>,
    pub graph: Option<usize>,
}

/// Searches for a word, a sentence and a name that the journal holds. What failed goes to `errors`.
pub fn probe(session: &mut Session, snapshot: &Snapshot, now: &jiff::Zoned, errors: &mut Vec<String>) -> Probed {
    let Some((word, text)) = sample(snapshot, errors) else { return Probed::default() };
    let none = Legs { keyword: false, vector: false, graph: false };
    let mut ask = |name: &str, text: &str, legs: Legs| -> Option<usize> {
        let search = Search {
            text: text.to_owned(),
            filters: Vec::new(),
            legs,
            limit: LIMIT,
            typing: false,
            fusion: Fusion::default(),
            now: now.clone(),
        };
        match session.search_in(snapshot, &search) {
            Ok(Found { hits, .. }) => Some(hits.len()),
            Err(error) => {
                errors.push(failed(name, &error));
                None
            }
        }
    };
    let keyword = ask("word", &word, Legs { keyword: true, ..none });
    let ready = !matches!(snapshot.vector_health, LegHealth::Off { .. });
    let vector = ready.then(|| ask("meaning", &text, Legs { vector: true, ..none })).flatten();
    let name = snapshot.graph.entities().first().map(|entity| entity.name.clone());
    let graph = name.and_then(|name| ask("connection", &name, Legs { graph: true, ..none }));
    if keyword == Some(0) {
        errors.push(format!("search by word does not find `{word}`, which the newest entries hold"));
    }
    if snapshot.vectors.as_ref().is_some_and(|vectors| vectors.is_damaged()) {
        errors.push("some vectors are damaged; `kioku index` makes them again".to_owned());
    }
    Probed { keyword, vector, graph }
}

fn failed(leg: &str, error: &SessionError) -> String {
    format!("search by {leg} does not work: {}", Report::from(error).chain.join(": "))
}

/// A long word of one of the newest entries, and the first line of that entry.
fn sample(snapshot: &Snapshot, errors: &mut Vec<String>) -> Option<(String, String)> {
    let keys: Vec<_> = snapshot.catalog.entries().iter().rev().take(NEWEST).map(|entry| entry.key).collect();
    let texts = match search::texts(snapshot, &keys) {
        Ok(texts) => texts,
        Err(error) => {
            errors.push(failed("word", &error.into()));
            return None;
        }
    };
    texts.iter().find_map(|text| {
        // Between blanks and marks: the tokenizer cuts text next to a digit differently.
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().count() >= LONG && word.chars().all(char::is_alphabetic));
        let word = words.map(str::to_lowercase).find(|word| !is_stop_word(word))?;
        Some((word, text.lines().find(|line| !line.trim().is_empty())?.trim().to_owned()))
    })
}
