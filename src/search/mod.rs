//! One fused search: query syntax, three legs inside the filters, fusion by entry, snippets, reasons.
//!
//! | file | holds |
//! |---|---|
//! | `answer` | a search as asked, and its answer |
//! | [`query`], [`days`], `query_prefix` | what a typed query means, the days named in it, the words that only ask |
//! | `filter` | its filters as a [`crate::index::Scope`]; the legs look only inside |
//! | `leg_id`, [`mod@legs`] | the names of the legs and tables of them; one file for each leg |
//! | [`fuse`] | several ranked lists made one |
//! | `alike`, `contextual_similarity` | how close the words of an entry are to the query's, alone and in their sentence |
//! | `temporal_neighbors` | a lift for what stands beside a good hit on the same day |
//! | `question_features` | what a question takes off an entry that asks, and gives the one after it |
//! | `term_weights`, [`confidence`] | what each word of a query weighs, how likely a hit answers it |
//! | `run`, `leg_result`, `ranked_section` | one search under way, what its legs came to, a ranked part of its answer |
//! | `snippet`, `reason` | what to show of a hit, and why it is one |
//! | [`sort`], [`facets`], [`narrow`] | an answer in another order, what its entries share, a query narrowed to it |

mod alike;
mod answer;
pub mod confidence;
mod contextual_similarity;
pub mod days;
pub mod facets;
mod filter;
pub mod fuse;
pub mod json;
mod leg_id;
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
mod term_weights;

use std::{collections::BTreeMap, time::Instant};

use jiff::civil;

pub use answer::{Found, Hit, Reason, Search, SearchError};
pub use fuse::Fusion;
pub use leg_id::{LegId, LegShare, Legs, PerLeg};
pub use query::Query;

use self::run::Run;
use crate::{
    embed::Encoder,
    index::{IndexError, Scope, Snapshot, keyword::KeywordQuery},
};

/// Runs a search over one snapshot. `encoder` embeds the query; without it the meaning leg does not run.
/// `cancelled` is asked between legs; `None` where it said yes.
pub fn search(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Search,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Found>, SearchError> {
    let asked = PreparedSearch::new(snapshot, ask)?;
    if cancelled() { Ok(None) } else { asked.by_all_legs(encoder, cancelled) }
}

/// A search before any leg has run: what its text means, and which entries are inside its filters. Going through the entries for
/// a filter can take longer than the words, so what is painted at once and what follows share it.
pub struct PreparedSearch<'a> {
    snapshot: &'a Snapshot,
    ask: &'a Search,
    query: Query,
    keyword: KeywordQuery,
    scope: Scope,
    started: Instant,
}

impl<'a> PreparedSearch<'a> {
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
        let ask = Search { legs: Legs::only(LegId::Keyword), ..self.ask.clone() };
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
            let meaning = encoder.filter(|_| ask.legs.has(LegId::Vector));
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
    let texts = snapshot.texts(&keys)?;
    let hits = inside.iter().zip(texts).map(|(entry, text)| {
        let snippet = snippet::snippet(&text, &[], None, snippet::LENGTH);
        Hit { snippet, ..Hit::of(entry, text, 0.0) }
    });
    let hits: Vec<_> = hits.collect();
    let confidence = if hits.is_empty() { 0.0 } else { 1.0 };
    Ok(Found { confident: !hits.is_empty(), confidence, total: scope.len(), days, ..Found::of(hits) })
}
