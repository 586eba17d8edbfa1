//! Test searches for `doctor`, one on each leg, because an index that opens may still fail on a query.

use crate::{
    index::{LegHealth, Snapshot, keyword::is_stop_word},
    report::Report,
    search::{Found, LegId, Legs, PerLeg, Search, legs},
    session::{Session, SessionError},
};

/// Maximum number of hits.
const LIMIT: usize = 10;
/// Number of newest entries from which a search word is taken.
const NEWEST: usize = 20;
/// Minimum length of the search word in letters.
const LONG: usize = 5;

/// Searches for a word, a sentence and a name from the journal. Returns the number of hits of each leg that is on and
/// has something to search for. Adds failures to `errors`.
pub fn probe(
    session: &mut Session,
    snapshot: &Snapshot,
    now: &jiff::Zoned,
    errors: &mut Vec<String>,
) -> PerLeg<Option<usize>> {
    let Some((word, text)) = sample(snapshot, errors) else { return PerLeg::default() };
    let name = snapshot.graph.entities().first().map(|entity| entity.name.clone());
    let found = PerLeg::of(|leg| {
        let is_off = matches!(legs::leg(leg).health(snapshot), LegHealth::Off { .. });
        let text = match leg {
            _ if is_off => None,
            LegId::Keyword => Some(word.clone()),
            LegId::Graph => name.clone(),
            _ => Some(text.clone()),
        };
        let search = Search { legs: Legs::only(leg), ..Search::new(text?, LIMIT, now.clone()) };
        match session.search_in(snapshot, &search) {
            Ok(Found { hits, .. }) => Some(hits.len()),
            Err(error) => {
                errors.push(failed(leg, &error));
                None
            }
        }
    });
    if found[LegId::Keyword] == Some(0) {
        errors.push(format!("search by word does not find `{word}`, which is in the newest entries"));
    }
    if snapshot.vectors.as_ref().is_some_and(|vectors| vectors.is_damaged()) {
        errors.push("some vectors are damaged; `kioku index` recomputes them".to_owned());
    }
    found
}

fn failed(leg: LegId, error: &SessionError) -> String {
    format!("search by {} does not work: {}", leg.method(), Report::from(error).chain.join(": "))
}

/// A long word from one of the newest entries, and the first line of that entry.
fn sample(snapshot: &Snapshot, errors: &mut Vec<String>) -> Option<(String, String)> {
    let keys: Vec<_> = snapshot.catalog.entries().iter().rev().take(NEWEST).map(|entry| entry.key).collect();
    let texts = match snapshot.texts(&keys) {
        Ok(texts) => texts,
        Err(error) => {
            errors.push(failed(LegId::Keyword, &error.into()));
            return None;
        }
    };
    texts.iter().find_map(|text| {
        // Only words without digits, because the tokenizer splits at digits differently.
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().count() >= LONG && word.chars().all(char::is_alphabetic));
        let word = words.map(str::to_lowercase).find(|word| !is_stop_word(word))?;
        Some((word, text.lines().find(|line| !line.trim().is_empty())?.trim().to_owned()))
    })
}
