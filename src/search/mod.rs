//! One fused search: query syntax, three legs inside the filters, fusion by entry, snippets, reasons.
//!
//! | file | holds |
//! |---|---|
//! | [`query`] | what a typed query means |
//! | [`days`] | the days named in its words |
//! | `frame` | the words of it that only ask |
//! | `filter` | its filters as a [`crate::index::Scope`]; the legs look only inside |
//! | [`mod@legs`] | by word, by meaning, by connection; one file each |
//! | [`fuse`] | several ranked lists made one |
//! | `alike` | how well the words of a query have their like in an entry |
//! | `in_sentence` | the same, for a model that reads words in their sentence |
//! | `beside` | a lift for what stands beside a good hit on the same day |
//! | `asking` | what a question takes off an entry that asks, and gives the one after it |
//! | `confidence` | whether a hit is surely meant |
//! | `run`, `ran`, `part` | one search under way, what its legs came to, a ranked part of its answer |
//! | `snippet`, `reason` | what to show of a hit, and why it is one |
//! | [`sort`], [`facets`], [`narrow`] | an answer in another order, what its entries share, a query narrowed to it |

mod action_terms;
mod alike;
mod confidence;
mod contextual_similarity;
pub mod days;
pub mod facets;
mod filter;
pub mod fuse;
pub mod json;
mod leg_result;
pub mod legs;
pub mod narrow;
pub mod query;
mod query_prefix;
mod question_features;
mod ranked_section;
mod reason;
mod run;
mod snippet;
pub mod sort;
mod temporal_neighbors;

use std::{collections::BTreeMap, ops::Range, time::Instant};

use jiff::civil;

pub use fuse::Fusion;
pub use query::Query;

use self::{legs::LEGS, run::Run};
use crate::{
    embed::{EmbedError, Encoder},
    index::{CatalogEntry, EntryKey, IndexError, Scope, Snapshot, keyword::KeywordQuery, vector::Scan},
    journal::EntryId,
};

/// Which legs a search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legs {
    pub keyword: bool,
    pub vector: bool,
    pub graph: bool,
}

impl Legs {
    pub const ALL: Self = Self { keyword: true, vector: true, graph: true };

    /// Whether more is asked for than what holds the words, or is connected with the names: who narrows a search to one of these
    /// wants nothing else listed. What is asked for counts, not what can be had: without a model the rest finds what it can.
    fn reaches(self) -> bool {
        self.vector || (self.keyword && self.graph)
    }
}

/// One search as asked.
#[derive(Debug, Clone)]
pub struct Search {
    /// The text as typed, with its filters in it.
    pub text: String,
    /// Filters given beside the text (flags), in the same syntax: `from:2026-01`, `tag:work`.
    pub filters: Vec<String>,
    pub legs: Legs,
    pub limit: usize,
    /// Still being typed: the last word is a prefix.
    pub typing: bool,
    /// How the legs' lists are made one.
    pub fusion: Fusion,
    pub now: jiff::Zoned,
}

/// A leg's part in one hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegShare {
    /// From 1.
    pub rank: usize,
    pub score: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HitLegs {
    pub keyword: Option<LegShare>,
    pub vector: Option<LegShare>,
    pub graph: Option<LegShare>,
}

/// Why a hit is a hit: exactly what the score was made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reason {
    /// Words of the query found in the entry, as they stand there.
    pub words: Vec<String>,
    /// The passage closest in meaning (bytes of the body).
    pub passage: Option<Range<usize>>,
    /// How alike its words are to the query's, from 0 to 1; `None` where that was not looked at.
    pub likeness: Option<f32>,
    /// How close its words come to the query's, both as the model reads them in their sentence, from 0 to 1; `None` where
    /// that was not looked at.
    pub in_sentence: Option<f32>,
    /// Words of the query with the entry's word that is alike: `pup`, `dog`.
    pub alike: Vec<(String, String)>,
    /// What of the score is for the better hits beside it on the same day; 0 for nothing.
    pub beside: f32,
    /// What was taken off its score because it asks, as the query does; 0 for nothing.
    pub asks: f32,
    /// What of the score is for saying when something was, where the query asks that; 0 for nothing.
    pub tells_when: f32,
    /// What of the score is for being about a name of the query in words like its own, where it asks for several things; 0 for
    /// nothing.
    pub several: f32,
    /// Names, from what the query named to what the entry names.
    pub path: Vec<String>,
}

/// One entry found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub key: EntryKey,
    pub id: EntryId,
    /// As the file has it.
    pub time: String,
    pub score: f32,
    pub legs: HitLegs,
    pub text: String,
    /// The part of `text` to show (bytes).
    pub snippet: Range<usize>,
    /// What to highlight in `text` (bytes, in order, without overlap).
    pub matches: Vec<Range<usize>>,
    pub reason: Reason,
    /// Below the line: nothing says surely that this is meant.
    pub weak: bool,
}

/// The answer to one search.
#[derive(Debug, Clone)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// How many entries passed the filters and matched some leg.
    pub total: usize,
    /// A query of filters alone: every day with an entry that passes and how many, the newest day first. Empty where words
    /// were looked for: then the hits say it.
    pub days: Vec<(civil::Date, usize)>,
    pub confident: bool,
    /// Parts of the query that were understood as filters (bytes of `text`).
    pub understood: Vec<Range<usize>>,
    /// What was not understood, in a sentence; the text was then searched as plain words.
    pub notice: Option<String>,
    /// Candidates of each leg: keyword, vector, graph; `None` where the leg did not run.
    pub counts: [Option<usize>; 3],
    pub scan: Option<Scan>,
    pub took: std::time::Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// Runs a search over one snapshot. `encoder` embeds the query; without it the meaning leg does not run.
/// `cancelled` is asked between legs; `None` where it said yes.
pub fn search(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Search,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Found>, SearchError> {
    let asked = Asked::new(snapshot, ask)?;
    if cancelled() { Ok(None) } else { asked.by_all_legs(encoder, cancelled) }
}

/// A search before any leg has run: what its text means, and which entries are inside its filters. Going through the entries for
/// a filter can take longer than the words, so what is painted at once and what follows share it.
pub struct Asked<'a> {
    snapshot: &'a Snapshot,
    ask: &'a Search,
    query: Query,
    keyword: KeywordQuery,
    scope: Scope,
    started: Instant,
}

impl<'a> Asked<'a> {
    pub fn new(snapshot: &'a Snapshot, ask: &'a Search) -> Result<Self, SearchError> {
        let started = Instant::now();
        let mut query = Query::parse(&ask.text, &ask.now);
        ask.filters.iter().for_each(|filter| query.add_filter(filter, &ask.now));
        if !query.words.is_empty() && !query.phrases.is_empty() {
            let nowhere = phrases_nowhere(&query, snapshot, ask)?;
            query.loosen_phrases(&nowhere);
        }
        filter::resolve_names(&mut query, &snapshot.graph);
        let (keyword, scope) = bounds(&query, snapshot, ask)?;
        Ok(Self { snapshot, ask, query, keyword, scope, started })
    }

    /// The keyword leg alone: what is painted while the others still run.
    pub fn by_words(&self) -> Result<Found, SearchError> {
        let ask = Search { legs: Legs { keyword: true, vector: false, graph: false }, ..self.ask.clone() };
        match self.found(&ask, None, &|| false)? {
            Some(found) => Ok(found),
            None => Err(IndexError::Keyword("a search nobody cancelled gave no answer".into()).into()),
        }
    }

    /// As [`search`].
    pub fn by_all_legs(
        &self,
        encoder: Option<&dyn Encoder>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, SearchError> {
        self.found(self.ask, encoder, cancelled)
    }

    fn found(
        &self,
        ask: &Search,
        encoder: Option<&dyn Encoder>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, SearchError> {
        let Self { snapshot, query, keyword, scope, .. } = self;
        let mut found = if query.words.is_empty() && query.phrases.is_empty() {
            newest(snapshot, scope, ask.limit)?
        } else {
            // Alike words are a matter of meaning: they stay out with it.
            let meaning = encoder.filter(|_| ask.legs.vector);
            let sure_cosine = meaning.map_or(f32::INFINITY, Encoder::sure_cosine);
            let words = meaning.and_then(Encoder::word_vectors);
            let run = Run { snapshot, scope, query, keyword, ask, sure_cosine, words };
            let Some(found) = run.fused(ask.fusion, encoder, cancelled)? else { return Ok(None) };
            found
        };
        found.understood = query.understood();
        let notices: Vec<_> = query.notices.iter().cloned().chain(found.notice).collect();
        found.notice = (!notices.is_empty()).then(|| notices.join("; "));
        found.took = self.started.elapsed();
        Ok(Some(found))
    }
}

/// Whether each phrase of the query stands in no entry at all.
fn phrases_nowhere(query: &Query, snapshot: &Snapshot, ask: &Search) -> Result<Vec<bool>, IndexError> {
    let KeywordQuery { phrases, phrase_is_prefix, .. } = query.keyword(ask.typing);
    let last = phrases.len().saturating_sub(1);
    let nowhere = |(place, phrase)| {
        let phrase_is_prefix = phrase_is_prefix && place == last;
        let alone = KeywordQuery { phrases: vec![phrase], phrase_is_prefix, ..KeywordQuery::default() };
        Ok(snapshot.keyword.restriction(&alone, snapshot.fresh.as_ref())?.allows_none())
    };
    phrases.into_iter().enumerate().map(nowhere).collect()
}

/// The query's part for the word index, and the entries inside all filters, phrases and exclusions.
fn bounds(query: &Query, snapshot: &Snapshot, ask: &Search) -> Result<(KeywordQuery, Scope), IndexError> {
    let keyword = query.keyword(ask.typing);
    let restriction = match keyword.phrases.is_empty() && keyword.excluded.is_empty() {
        true => None,
        false => Some(snapshot.keyword.restriction(&keyword, snapshot.fresh.as_ref())?),
    };
    let scope = filter::scope(query, snapshot, restriction.as_ref());
    Ok((keyword, scope))
}

/// Every entry inside, the latest first: the answer to a query of filters alone.
fn newest(snapshot: &Snapshot, scope: &Scope, limit: usize) -> Result<Found, IndexError> {
    let mut inside: Vec<_> = scope.entries().collect();
    inside.reverse();
    let mut days: BTreeMap<civil::Date, usize> = BTreeMap::new();
    for entry in &inside {
        *days.entry(entry.day).or_default() += 1;
    }
    let days = days.into_iter().rev().collect();
    inside.truncate(limit);
    let keys: Vec<_> = inside.iter().map(|entry| entry.key).collect();
    let texts = texts(snapshot, &keys)?;
    let hits = inside.iter().zip(texts).map(|(entry, text)| {
        let snippet = snippet::snippet(&text, &[], None, snippet::LENGTH);
        Hit { snippet, ..bare_hit(entry, text, 0.0) }
    });
    let hits: Vec<_> = hits.collect();
    Ok(Found { confident: !hits.is_empty(), total: scope.len(), days, ..nothing(hits) })
}

/// The bodies of some entries: what was saved a moment ago wins over what the index has. Empty where neither has it.
pub fn texts(snapshot: &Snapshot, keys: &[EntryKey]) -> Result<Vec<String>, IndexError> {
    let mut texts = snapshot.keyword.texts(keys)?;
    if let Some(fresh) = &snapshot.fresh {
        for (text, newer) in texts.iter_mut().zip(fresh.texts(keys)?) {
            if newer.is_some() {
                *text = newer;
            }
        }
    }
    Ok(texts.into_iter().map(Option::unwrap_or_default).collect())
}

fn nothing(hits: Vec<Hit>) -> Found {
    Found {
        hits,
        total: 0,
        days: Vec::new(),
        confident: false,
        understood: Vec::new(),
        notice: None,
        counts: [None; LEGS.len()],
        scan: None,
        took: std::time::Duration::ZERO,
    }
}

fn bare_hit(entry: &CatalogEntry, text: String, score: f32) -> Hit {
    Hit {
        key: entry.key,
        id: entry.id.clone(),
        time: entry.time.written.clone(),
        score,
        legs: HitLegs::default(),
        text,
        snippet: 0..0,
        matches: Vec::new(),
        reason: Reason::default(),
        weak: false,
    }
}
