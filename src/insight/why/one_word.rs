//! A question about one word that is no name of the journal.

use std::{collections::HashMap, ops::Range};

use jiff::{Zoned, civil};

use super::{
    answer::{Likeness, Nearest, Question},
    question_terms::{stems, tells},
    reasons::words_of,
    target::{self, MOST_NEAREST, Target, has_forms},
};
use crate::{
    extract::feeling_called,
    index::{EntryKey, Snapshot, keyword::analyzer::fold},
    insight::{Inputs, Period, Result},
    search::{self, Hit, LegId, Legs, Query, Search},
    spelling,
};

/// A word in this many entries has no particular subject.
const MOST_WITH_WORD: usize = 2_000;
/// Maximum number of entries that are searched for the words meant by a misspelt one.
const MOST_CORRECTED: usize = 50;
const MOST_TYPOS: usize = 2;
/// Number of letters below which a word with two typos could be any word.
const SHORT_WORD: usize = 5;

/// A question about one word that is no name: every entry with the word, in any of its forms.
pub(super) fn of_word(
    inputs: &Inputs<'_>,
    query: &Query,
    words: &[String],
    ask: &Question,
    period: Period,
) -> Result<Option<Target>> {
    let snapshot = inputs.snapshot;
    let telling: Vec<&String> = words.iter().filter(|word| tells(word)).collect();
    let [word] = telling[..] else { return Ok(None) };
    if !query.filters.is_empty() || !word.chars().all(char::is_alphabetic) {
        return Ok(None);
    }
    let hits = with_word(inputs, word, period.search(word, MOST_WITH_WORD, &ask.now))?;
    if hits.is_empty() {
        let everywhere = keyword_hits(inputs, Search::new(word.as_str(), MOST_CORRECTED, ask.now.clone()))?;
        let is_written = everywhere.iter().any(|hit| has_form(hit, &stems(word)));
        let hits = target::hits(inputs, ask, period)?;
        let spelled = corrected(snapshot, word, &everywhere);
        let nearest = match nearest_word(inputs, word, &hits) {
            Some(near) if spelled.is_empty() => Nearest { by: Likeness::Meaning, words: vec![near] },
            _ => Nearest { by: Likeness::Spelling, words: spelled },
        };
        let (name, nearest, hits) = (word.clone(), Some(nearest).filter(|_| !is_written), Some(hits));
        return Ok(Some(Target { name, is_found: true, nearest, hits, ..Target::default() }));
    }
    if hits.len() == MOST_WITH_WORD {
        return Ok(None);
    }
    let mut entries: Vec<(civil::Date, EntryKey)> =
        hits.iter().filter_map(|hit| Some((snapshot.catalog.by_key(hit.key)?.day, hit.key))).collect();
    entries.sort_unstable();
    let said = Some(hits.into_iter().map(|hit| (hit.key, hit.matches)).collect());
    Ok(Some(Target { name: word.clone(), entries, is_found: true, said, ..Target::default() }))
}

fn keyword_hits(inputs: &Inputs<'_>, search: Search) -> Result<Vec<Hit>> {
    inputs.hits(&Search { legs: Legs::only(LegId::Keyword), ..search })
}

/// Whether any entry has a word, in any of its forms, or a phrase.
pub(super) fn is_written(inputs: &Inputs<'_>, said: &str, now: &Zoned) -> Result<bool> {
    let hits = match said.contains(' ') {
        true => keyword_hits(inputs, Search::new(format!("\"{said}\""), 1, now.clone())),
        false => with_word(inputs, said, Search::new(said, MOST_WITH_WORD, now.clone())),
    };
    Ok(!hits?.is_empty())
}

/// Entries with a form of the word, and of one with accents with these. An unknown word is searched for with typo correction: those
/// hits are not forms of it.
fn with_word(inputs: &Inputs<'_>, word: &str, search: Search) -> Result<Vec<Hit>> {
    let mut hits = keyword_hits(inputs, search)?;
    let stem = stems(word);
    if word.is_ascii() {
        hits.retain(|hit| has_form(hit, &stem));
        // "Lo" is worry, and no "lố" without its accents.
        let is_exact = |hit: &Hit| hit.matches.iter().filter_map(|at| hit.text.get(at.clone())).any(str::is_ascii);
        if feeling_called(word).is_some() && hits.iter().any(is_exact) {
            hits.retain(is_exact);
        }
        return Ok(hits);
    }
    let meant = words_of(word);
    for hit in &mut hits {
        let said = |at: &Range<usize>| words_of(hit.text.get(at.clone()).unwrap_or_default());
        let is_meant =
            |at: &Range<usize>| said(at).iter().zip(&meant).all(|((said, _), (word, _))| word.is_meant_by(said));
        hit.matches = hit.matches.iter().filter(|at| is_meant(at)).cloned().collect();
    }
    hits.retain(|hit| has_form(hit, &stem));
    Ok(hits)
}

fn has_form(hit: &Hit, stem: &str) -> bool {
    hit.matches.iter().filter_map(|at| hit.text.get(at.clone())).any(|text| stems(text) == stem)
}

/// The names and words of the journal that a misspelt word is nearest to, most frequent first.
fn corrected(snapshot: &Snapshot, word: &str, hits: &[Hit]) -> Vec<String> {
    let typed: Vec<char> = fold(word).chars().collect();
    let most = if typed.len() < SHORT_WORD { 1 } else { MOST_TYPOS };
    let is_near = |text: &str| spelling::distance(&typed, &fold(text).chars().collect::<Vec<_>>(), most).is_some();
    let mut counts: HashMap<String, u32> = HashMap::new();
    for text in hits.iter().flat_map(|hit| hit.matches.iter().filter_map(|at| hit.text.get(at.clone()))) {
        *counts.entry(text.to_lowercase()).or_default() += 1;
    }
    for known in snapshot.graph.entities() {
        *counts.entry(known.name.to_lowercase()).or_default() += known.days;
    }
    let mut words: Vec<(String, u32)> = counts.into_iter().filter(|(text, _)| is_near(text)).collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    words.into_iter().take(MOST_NEAREST).map(|(word, _)| word).collect()
}

/// The word of the closest entries, or the topic or event, that is nearest in meaning to a word.
fn nearest_word(inputs: &Inputs<'_>, word: &str, hits: &[Hit]) -> Option<String> {
    let names = inputs.snapshot.graph.entities().iter().filter(|known| has_forms(known.kind));
    let texts = hits.iter().map(|hit| hit.text.as_str()).chain(names.map(|known| known.name.as_str()));
    search::nearest_word(inputs.encoder?.word_vectors()?, word, texts)
}
