//! Search: query syntax, three legs within the filters, fusion by entry, snippets, reasons.
//!
//! | file | content |
//! |---|---|
//! | `answer` | search request and answer |
//! | [`query`], [`days`], `query_prefix` | query parser, days named in the query, prefixes to ignore |
//! | `filter` | filters as a [`crate::index::Scope`], which bounds the legs |
//! | `leg_id`, [`mod@legs`] | names of the legs and tables of them; one file per leg |
//! | [`fuse`] | rank fusion |
//! | `alike`, `contextual_similarity` | word similarity, alone and in the sentence |
//! | `temporal_neighbors` | score from better hits near an entry on the same day |
//! | `question_features` | features of questions in queries and entries |
//! | `term_weights`, [`confidence`] | IDF weights of the query's words, probability that a hit answers |
//! | `run`, `leg_result`, `ranked_section` | execution of one search, results of its legs, a ranked part of the answer |
//! | `snippet`, `reason` | snippet of a hit, and the parts of its score |
//! | [`sort`], [`facets`], [`narrow`] | display order, facets, adding and removing filters |

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

pub use alike::nearest_word;
pub use answer::{Found, Hit, Reason, Search, SearchError};
pub use days::{NamedDays, two_readings};
pub use fuse::Fusion;
pub use leg_id::{LegId, LegShare, Legs, PerLeg};
pub use query::Query;

use self::run::Run;
use crate::{
    embed::Encoder,
    index::{IndexError, LegHealth, Scope, Snapshot, keyword::KeywordQuery},
    journal::further_keys,
};

/// Searches one snapshot. `encoder` embeds the query; without it the vector leg does not run. `cancelled` is checked
/// between legs; `None` if it returned true.
pub fn search(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Search,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Found>, SearchError> {
    let asked = PreparedSearch::new(snapshot, ask)?;
    if cancelled() { Ok(None) } else { asked.by_all_legs(encoder, cancelled) }
}

impl Found {
    /// Adds incomplete embedding to the notice, for programs that read nothing else.
    pub fn with_progress_of(mut self, snapshot: &Snapshot, legs: Legs) -> Self {
        if let (true, LegHealth::Building { done, of }) = (legs.has(LegId::Vector), &snapshot.vector_health) {
            let said = format!("meaning: {done} of {of} passages");
            self.notice = Some(self.notice.take().map_or_else(|| said.clone(), |notice| format!("{notice}; {said}")));
        }
        self
    }
}

/// A parsed search before any leg has run: query and filter scope. Shared by the keyword hits that are shown first and
/// the fused hits that follow, because evaluating a filter over all entries can take longer than the keyword search.
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
        filter::suggest_values(&mut query, &snapshot.catalog, &snapshot.graph);
        let (keyword, scope) = bounds(&query, snapshot, ask)?;
        Ok(Self { snapshot, ask, query, keyword, scope, started })
    }

    /// The keyword leg alone, for display while the other legs run.
    pub fn by_words(&self) -> Result<Found, SearchError> {
        let ask = Search { legs: Legs::only(LegId::Keyword), ..self.ask.clone() };
        let cancelled = || IndexError::Keyword("a search that was not cancelled gave no answer".into()).into();
        self.found(&ask, None, &|| false)?.ok_or_else(cancelled)
    }

    /// Like [`search`].
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
        let mut found = if query.is_wordless() || query.is_unread() && !ask.typing {
            Found::default()
        } else if query.words.is_empty() && query.phrases.is_empty() {
            newest(snapshot, scope, ask.limit)?
        } else {
            // Word similarity belongs to search by meaning and is switched off with it.
            let encoder = encoder.filter(|_| ask.legs.has(LegId::Vector));
            let run = Run { snapshot, scope, query, keyword, ask, encoder };
            let Some(found) = run.fused(cancelled)? else { return Ok(None) };
            found
        };
        for hit in &mut found.hits {
            let Some(entry) = snapshot.catalog.by_key(hit.key) else { continue };
            hit.record = entry.record().map(|head| snapshot.catalog.record_fields(&hit.id, &head));
            hit.extra = further_keys(&entry.extra);
        }
        found.understood = query.understood();
        let nothing = query.is_wordless() && query.notices.is_empty();
        let nothing = nothing.then(|| "no word or filter to search for".to_owned());
        let notices: Vec<_> = query.notices.iter().cloned().chain(nothing).chain(found.notice).collect();
        found.notice = (!notices.is_empty()).then(|| notices.join("; "));
        found.took = self.started.elapsed();
        Ok(Some(found))
    }
}

/// For each phrase of the query, whether no entry contains it.
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

/// The query for the keyword index, and the entries that pass all filters, phrases and exclusions.
fn bounds(query: &Query, snapshot: &Snapshot, ask: &Search) -> Result<(KeywordQuery, Scope), IndexError> {
    let keyword = query.keyword(ask.typing);
    let restriction = match keyword.phrases.is_empty() && keyword.excluded.is_empty() {
        true => None,
        false => Some(snapshot.keyword.restriction(&keyword, snapshot.fresh.as_ref())?),
    };
    let scope = filter::scope(query, snapshot, restriction.as_ref());
    Ok((keyword, scope))
}

/// All entries in the scope, newest first: the answer to a query of filters only.
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
    Ok(Found { confident: !hits.is_empty(), confidence, hits, total: scope.len(), days, ..Found::default() })
}
