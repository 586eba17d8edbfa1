//! One fused search: query syntax, three legs inside the filters, fusion by entry, snippets, reasons.
//!
//! | file | holds |
//! |---|---|
//! | [`query`] | what a typed query means |
//! | [`days`] | the days named in its words |
//! | `filter` | its filters as a [`crate::index::Scope`]; the legs look only inside |
//! | [`mod@legs`] | by word, by meaning, by connection; one file each |
//! | [`fuse`] | several ranked lists made one |
//! | `alike` | how well the words of a query have their like in an entry |
//! | `beside` | a lift for what stands beside a good hit on the same day |
//! | `confidence` | whether a hit is surely meant |
//! | `snippet`, `reason` | what to show of a hit, and why it is one |
//! | [`sort`], [`facets`], [`narrow`] | an answer in another order, what its entries share, a query narrowed to it |

mod alike;
mod beside;
mod confidence;
pub mod days;
pub mod facets;
mod filter;
pub mod fuse;
pub mod json;
pub mod legs;
pub mod narrow;
pub mod query;
mod reason;
mod snippet;
pub mod sort;

use std::{cmp::Ordering, collections::BTreeMap, ops::Range, time::Instant};

use jiff::civil;

pub use fuse::Fusion;
pub use query::Query;

use self::{
    alike::{Alike, Likeness},
    confidence::{Evidence, Weights},
    fuse::{Fused, List},
    legs::{Answer, CANDIDATES, Candidate, Context, LEGS, Leg},
};
use crate::{
    embed::{EmbedError, Encoder, WordVectors},
    extract::dates::DayRange,
    index::{
        CatalogEntry, EntryKey, IndexError, Scope, Snapshot,
        catalog::KeyMap,
        graph::EntityRef,
        keyword::{KeywordQuery, Matcher, analyzer::fold},
        vector::Scan,
    },
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
    /// Words of the query with the entry's word that is alike: `pup`, `dog`.
    pub alike: Vec<(String, String)>,
    /// What of the score is for the better hits beside it on the same day; 0 for nothing.
    pub beside: f32,
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

/// How many of the best are weighed for the line between surely meant and weak, however few are asked for: so the
/// first ten are the same ten whether ten or thirty are shown.
const WEIGHED: usize = 30;

/// How many of the best are read for alike words. All of some 250 candidates would find half a point more, at four times the
/// cost; what is shown is read anyway.
const READ: usize = 80;

/// What alike words are worth beside the leg by word, which is 1. From 1 to 2 the judged journals change by half a point;
/// without it recall@10 of conversations falls from .80 to .77, nDCG@10 of a diary's remembered events from .45 to .38.
const ALIKE: f32 = 1.5;

/// Added to the score of what was written on the days that the query names: more than any fusion of the legs gives.
const ON_THE_DAY: f32 = 3.0;

/// Said where the meaning leg stays out because the query is in words (or a language) that the model does not know.
const UNREADABLE: &str = "the model cannot read this query, so search by meaning stays out of it";

/// Runs a search over one snapshot. `encoder` embeds the query; without it the meaning leg does not run.
/// `cancelled` is asked between legs; `None` where it said yes.
pub fn search(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Search,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Found>, SearchError> {
    let started = Instant::now();
    let mut query = Query::parse(&ask.text, &ask.now);
    ask.filters.iter().for_each(|filter| query.add_filter(filter, &ask.now));
    filter::resolve_names(&mut query, &snapshot.graph);
    let keyword = query.keyword(ask.typing);
    let restriction = match keyword.phrases.is_empty() && keyword.excluded.is_empty() {
        true => None,
        false => Some(snapshot.keyword.restriction(&keyword, snapshot.fresh.as_ref())?),
    };
    let scope = filter::scope(&query, snapshot, restriction.as_ref());
    if cancelled() {
        return Ok(None);
    }
    let mut found = if query.words.is_empty() && query.phrases.is_empty() {
        newest(snapshot, &scope, ask.limit)?
    } else {
        let sure_cosine = encoder.map_or(f32::INFINITY, Encoder::sure_cosine);
        // Alike words are a matter of meaning: they stay out with it.
        let words = encoder.filter(|_| ask.legs.vector).and_then(Encoder::word_vectors);
        let run = Run { snapshot, scope: &scope, query: &query, keyword: &keyword, ask, sure_cosine, words };
        let Some(found) = run.fused(ask.fusion, encoder, cancelled)? else { return Ok(None) };
        found
    };
    found.understood = query.understood();
    let notices: Vec<_> = query.notices.into_iter().chain(found.notice).collect();
    found.notice = (!notices.is_empty()).then(|| notices.join("; "));
    found.took = started.elapsed();
    Ok(Some(found))
}

/// The keyword leg alone: what is painted while the others still run.
pub fn search_words(snapshot: &Snapshot, ask: &Search) -> Result<Found, SearchError> {
    let ask = Search { legs: Legs { keyword: true, vector: false, graph: false }, ..ask.clone() };
    match search(snapshot, None, &ask, &|| false)? {
        Some(found) => Ok(found),
        None => Err(IndexError::Keyword("a search nobody cancelled gave no answer".into()).into()),
    }
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

/// One search of words under way.
struct Run<'a> {
    snapshot: &'a Snapshot,
    scope: &'a Scope,
    query: &'a Query,
    keyword: &'a KeywordQuery,
    ask: &'a Search,
    /// Of the model that embeds the query; above all cosines without one.
    sure_cosine: f32,
    /// `None` without a model.
    words: Option<&'a dyn WordVectors>,
}

/// What a leg came to.
struct Ran {
    leg: &'static dyn Leg,
    place: usize,
    weight: f32,
    answer: Answer,
    /// Where each entry stands in the answer.
    rows: KeyMap<usize>,
}

impl Ran {
    fn candidate(&self, key: EntryKey) -> Option<(usize, &Candidate)> {
        self.rows.get(&key).map(|row| (row + 1, &self.answer.candidates[*row]))
    }
}

impl Run<'_> {
    fn fused(
        &self,
        fusion: Fusion,
        encoder: Option<&dyn Encoder>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, SearchError> {
        let mut faults: Vec<(&'static str, SearchError)> = Vec::new();
        let mut said = Vec::new();
        let vector = match self.embedded(encoder) {
            Ok(vector) => vector,
            Err(error) => {
                faults.push(("meaning", error.into()));
                None
            }
        };
        let vector = vector.filter(|vector| {
            let readable = vector.iter().any(|component| *component != 0.0);
            if !readable && !self.query.plain.trim().is_empty() && !self.is_first_word() {
                said.push(UNREADABLE.to_owned());
            }
            readable
        });
        let named = if self.ask.legs.graph { self.snapshot.graph.named_in(&self.query.plain) } else { Vec::new() };
        let seeds: Vec<_> = named.iter().map(|(entity, _)| *entity).collect();
        let limit = self.ask.limit.max(CANDIDATES);
        let (snapshot, vector) = (self.snapshot, vector.as_deref());
        let whole = Context { snapshot, scope: self.scope, keyword: self.keyword, vector, seeds: &seeds, limit };
        let Some(ran) = legs(self.ask.legs, &whole, &mut faults, cancelled) else { return Ok(None) };
        // One leg's fault never stops the others; where none is left it is the answer.
        if ran.is_empty() && !faults.is_empty() {
            return Err(faults.swap_remove(0).1);
        }
        let mut outside = self.part(fusion, ran, self.keyword.clone())?;
        let mut inside = None;
        if let Some(days) = self.within_days() {
            let keyword = self.query.keyword_without_days(self.ask.typing);
            let context = Context { scope: &days, keyword: &keyword, ..whole };
            let Some(ran) = legs(self.ask.legs, &context, &mut Vec::new(), cancelled) else { return Ok(None) };
            let mut part = self.part(fusion, ran, keyword)?;
            add_rest(&days, &mut part.order);
            outside.order.retain(|fused| !days.allows(fused.key));
            inside = Some(part);
        }
        let mut found = self.found(inside, outside, &named)?;
        said.extend(faults.iter().map(|(leg, error)| format!("{leg} did not answer ({error})")));
        found.notice = (!said.is_empty()).then(|| said.join("; "));
        Ok(Some(found))
    }

    /// The entries of the days that the query names, where there are any.
    fn within_days(&self) -> Option<Scope> {
        let catalog = &self.snapshot.catalog;
        let last = catalog.entries().last().map(|entry| entry.time.at.to_zoned(self.ask.now.time_zone().clone()));
        let holds = |days: DayRange| self.scope.entries().any(|entry| (days.first..=days.last).contains(&entry.day));
        let named = self.query.days.iter();
        let ranges: Vec<_> = named.filter_map(|days| days.range(&self.ask.now, last.as_ref(), holds)).collect();
        if ranges.is_empty() {
            return None;
        }
        Some(Scope::filtered(catalog.clone(), |entry| {
            ranges.iter().any(|days| (days.first..=days.last).contains(&entry.day)) && self.scope.allows(entry.key)
        }))
    }

    /// The first word of a query is half typed: what it will be cannot be told yet.
    fn is_first_word(&self) -> bool {
        self.ask.typing && !self.ask.text.trim_start().contains(char::is_whitespace)
    }

    /// The query's words as a vector, all zeros where the model can read nothing of them; `None` without a model.
    fn embedded(&self, encoder: Option<&dyn Encoder>) -> Result<Option<Vec<f32>>, EmbedError> {
        let (Some(encoder), Some(vectors)) = (encoder, &self.snapshot.vectors) else { return Ok(None) };
        // Vectors of two models do not compare.
        if !self.ask.legs.vector || vectors.model().checksum != encoder.stamp().checksum {
            return Ok(None);
        }
        Ok(encoder.embed_queries(&[&self.query.plain])?.into_iter().next())
    }

    /// Ranks what the legs came to: fused, the best of it by how alike its words are, and lifted by what stands beside.
    fn part(&self, fusion: Fusion, ran: Vec<Ran>, keyword: KeywordQuery) -> Result<Part, IndexError> {
        let matcher = self.snapshot.keyword.matcher(&keyword);
        let weights = self.weights(&keyword, &matcher)?;
        let mut part = Part { order: Vec::new(), ran, keyword, matcher, weights, read: KeyMap::default() };
        let mut fused = self.fuse(fusion, &part.ran);
        if let (Fusion::Score, Some(words)) = (fusion, self.words) {
            part.read = self.likenesses(words, &part, &fused)?;
            add_likeness(&mut fused, &part.read);
        }
        self.lift(&mut fused);
        part.order = fused;
        Ok(part)
    }

    fn fuse(&self, fusion: Fusion, ran: &[Ran]) -> Vec<Fused> {
        let lists: Vec<Vec<_>> =
            ran.iter().map(|ran| ran.answer.candidates.iter().map(|one| (one.key, one.score)).collect()).collect();
        let lists: Vec<_> = ran
            .iter()
            .zip(&lists)
            .map(|(ran, ranked)| List { weight: ran.weight, scale: ran.leg.scale(), ranked })
            .collect();
        fuse::fuse(fusion, &lists, |a, b| self.tie(a, b))
    }

    /// The later entry first.
    fn tie(&self, a: EntryKey, b: EntryKey) -> Ordering {
        let of = |key| self.snapshot.catalog.by_key(key).map(|entry| (entry.time.at, &entry.id));
        match (of(a), of(b)) {
            (Some((at, id)), Some((other_at, other_id))) => other_at.cmp(&at).then_with(|| id.cmp(other_id)),
            _ => a.cmp(&b),
        }
    }

    fn lift(&self, fused: &mut [Fused]) {
        beside::lift(fused, &self.snapshot.catalog);
        fuse::sort(fused, |a, b| self.tie(a, b));
    }

    /// Reads the best as they stand so far, and how alike their words are to the query's.
    fn likenesses(&self, words: &dyn WordVectors, part: &Part, fused: &[Fused]) -> Result<KeyMap<Read>, IndexError> {
        let Some(mut alike) = Alike::new(words, &part.keyword.words, &part.matcher, &part.weights) else {
            return Ok(KeyMap::default());
        };
        let mut best = fused.to_vec();
        self.lift(&mut best);
        let keys: Vec<EntryKey> = best.iter().take(READ).map(|fused| fused.key).collect();
        let texts = texts(self.snapshot, &keys)?;
        let read = |(key, text): (EntryKey, String)| {
            let likeness = Some(alike.of(&text));
            (key, Read { text, likeness })
        };
        Ok(keys.into_iter().zip(texts).map(read).collect())
    }

    fn found(
        &self,
        mut inside: Option<Part>,
        mut outside: Part,
        named: &[(EntityRef, Range<usize>)],
    ) -> Result<Found, IndexError> {
        let mut keep = self.ask.limit.max(WEIGHED);
        let mut hits = Vec::new();
        if let Some(part) = &mut inside {
            hits = self.hits(part, keep, named)?;
            for hit in &mut hits {
                hit.score += ON_THE_DAY;
                // Where the days are the whole question, nothing written then stands below the line.
                hit.weak &= !part.keyword.words.is_empty();
            }
            keep -= hits.len();
        }
        let rest = self.hits(&mut outside, keep, named)?;
        hits.extend(rest.into_iter().map(|hit| Hit { weak: hit.weak || inside.is_some(), ..hit }));
        draw_line(&mut hits);
        let confident = hits.first().is_some_and(|hit| !hit.weak);
        hits.truncate(self.ask.limit);
        let mut counts = [None; LEGS.len()];
        for ran in &outside.ran {
            counts[ran.place] = Some(ran.answer.candidates.len());
        }
        let matched = outside.ran.iter().map(|ran| ran.answer.total).max().unwrap_or(0);
        let fused = outside.order.len() + inside.as_ref().map_or(0, |part| part.order.len());
        let scan = outside.ran.iter().find_map(|ran| ran.answer.scan);
        Ok(Found { total: matched.max(fused), confident, counts, scan, ..nothing(hits) })
    }

    /// The first `keep` of a part, with everything there is to show of them.
    fn hits(&self, part: &mut Part, keep: usize, named: &[(EntityRef, Range<usize>)]) -> Result<Vec<Hit>, IndexError> {
        let keys: Vec<_> = part.order.iter().take(keep).map(|fused| fused.key).collect();
        let unread: Vec<_> = keys.iter().copied().filter(|key| !part.read.contains_key(key)).collect();
        let texts = texts(self.snapshot, &unread)?;
        let mut read = std::mem::take(&mut part.read);
        read.extend(unread.into_iter().zip(texts).map(|(key, text)| (key, Read { text, ..Read::default() })));
        let naming = self.words_naming(&part.keyword, named);
        let weigher = Weigher { part, naming };
        let order = part.order.iter().take(keep);
        let hit = |fused: &Fused| {
            Some(weigher.hit(fused, self.snapshot.catalog.by_key(fused.key)?, read.remove(&fused.key)?))
        };
        Ok(order.filter_map(hit).collect())
    }

    fn weights(&self, keyword: &KeywordQuery, matcher: &Matcher) -> Result<Weights, IndexError> {
        let mut frequencies = self.snapshot.keyword.frequencies(keyword)?;
        if let Some(fresh) = &self.snapshot.fresh {
            for (word, more) in fresh.frequencies(keyword)? {
                *frequencies.entry(word).or_default() += more;
            }
        }
        let entries = self.snapshot.catalog.entries().len() as u64;
        Ok(Weights::new(&keyword.words, matcher.sought(), &frequencies, entries, self.sure_cosine))
    }

    /// The places of the words that stand inside what names an entity.
    fn words_naming(&self, keyword: &KeywordQuery, named: &[(EntityRef, Range<usize>)]) -> Vec<usize> {
        let plain = &self.query.plain;
        let names: Vec<_> = named.iter().filter_map(|(_, span)| plain.get(span.clone())).map(fold).collect();
        let inside = |word: &str| names.iter().any(|name| name.split(' ').any(|part| part == word));
        let words = keyword.words.iter().enumerate();
        words.filter(|(_, word)| inside(&fold(word))).map(|(place, _)| place).collect()
    }
}

/// Nothing that is surely meant stands below the line, and the order is the score's: what ranks above a sure hit is shown
/// with it. (Putting every sure hit first instead costs ten points of recall@10 where questions are long: half their words
/// stand in many an entry.)
fn draw_line(hits: &mut [Hit]) {
    let sure = hits.iter().rposition(|hit| !hit.weak).map_or(0, |last| last + 1);
    hits[..sure].iter_mut().for_each(|hit| hit.weak = false);
}

/// Runs the legs, each inside the context's scope; `None` where the search was cancelled.
fn legs(
    wanted: Legs,
    context: &Context<'_>,
    faults: &mut Vec<(&'static str, SearchError)>,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<Ran>> {
    let mut ran = Vec::new();
    for (place, leg) in LEGS.into_iter().enumerate().filter(|(_, leg)| leg.wanted(wanted)) {
        if cancelled() {
            return None;
        }
        match leg.run(context) {
            Ok(Some(answer)) => {
                let rows = answer.candidates.iter().enumerate().map(|(row, one)| (one.key, row)).collect();
                ran.push(Ran { leg, place, weight: leg.weight(context), answer, rows });
            }
            Ok(None) => {}
            Err(error) => faults.push((leg.name(), error.into())),
        }
    }
    ask_of_others(context, &mut ran);
    Some(ran)
}

/// Lets each leg say what it can of the entries that only others found: a leg offers so many candidates and no more.
fn ask_of_others(context: &Context<'_>, ran: &mut [Ran]) {
    let mut all: Vec<EntryKey> = ran.iter().flat_map(|ran| &ran.answer.candidates).map(|one| one.key).collect();
    all.sort_unstable();
    all.dedup();
    for ran in ran {
        let others: Vec<EntryKey> = all.iter().copied().filter(|key| !ran.rows.contains_key(key)).collect();
        let mut more: Vec<Candidate> = ran.leg.of_others(context, &others).into_iter().flatten().collect();
        more.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        for candidate in more {
            ran.rows.insert(candidate.key, ran.answer.candidates.len());
            ran.answer.candidates.push(candidate);
        }
    }
}

/// What else was written on the days named, where it is little enough to be read: the days are the question.
fn add_rest(days: &Scope, order: &mut Vec<Fused>) {
    if days.len() > CANDIDATES {
        return;
    }
    let mut rest: Vec<_> = days.entries().map(|entry| entry.key).collect();
    rest.retain(|key| order.iter().all(|fused| fused.key != *key));
    rest.reverse();
    order.extend(rest.into_iter().map(|key| Fused { key, score: 0.0, best_rank: usize::MAX, beside: 0.0 }));
}

/// Adds how alike the words are, stretched so that the best read is 1 and the worst 0: what all of them share says nothing.
fn add_likeness(fused: &mut [Fused], read: &KeyMap<Read>) {
    let scores = read.values().filter_map(|read| Some(read.likeness.as_ref()?.score));
    let (worst, best) = scores.fold((f32::MAX, f32::MIN), |(low, high), score| (low.min(score), high.max(score)));
    if best <= worst {
        return;
    }
    for fused in fused {
        if let Some(likeness) = read.get(&fused.key).and_then(|read| read.likeness.as_ref()) {
            fused.score += ALIKE * (likeness.score - worst) / (best - worst);
        }
    }
}

/// A part of the answer: what was written on the days that the query names, or the rest.
struct Part {
    order: Vec<Fused>,
    ran: Vec<Ran>,
    keyword: KeywordQuery,
    matcher: Matcher,
    weights: Weights,
    /// The best, read.
    read: KeyMap<Read>,
}

/// The body of an entry, and how alike it is to the query.
#[derive(Default)]
struct Read {
    text: String,
    likeness: Option<Likeness>,
}

/// What every hit of one part is weighed with.
struct Weigher<'a> {
    part: &'a Part,
    /// The words that name an entity.
    naming: Vec<usize>,
}

impl Weigher<'_> {
    fn hit(&self, fused: &Fused, entry: &CatalogEntry, Read { text, likeness }: Read) -> Hit {
        let matcher = &self.part.matcher;
        let mut hit = bare_hit(entry, text, fused.score);
        let (mut passage, mut path) = (None, Vec::new());
        for ran in &self.part.ran {
            if let Some((rank, candidate)) = ran.candidate(fused.key) {
                *ran.leg.slot(&mut hit.legs) = Some(LegShare { rank, score: candidate.score });
                passage = passage.or(candidate.passage.clone());
                if path.is_empty() {
                    path.clone_from(&candidate.path);
                }
            }
        }
        let places = reason::Found::new(matcher, &hit.text, entry.mood.iter().chain(&entry.tags));
        let mut words: Vec<_> = places.words().collect();
        if path.len() == 1 {
            // It mentions what these words name, by whatever spelling.
            words.extend(&self.naming);
        }
        hit.weak = self.part.weights.is_weak(&Evidence {
            words: &words,
            cosine: hit.legs.vector.map(|share| share.score),
            phrase: places.body.iter().any(|place| place.word.is_none()),
        });
        // A phrase is worth as much as any word.
        let phrase = self.part.keyword.words.len();
        let spans: Vec<_> = places.body.iter().map(|one| (one.span.clone(), one.word.unwrap_or(phrase))).collect();
        hit.snippet = snippet::snippet(&hit.text, &spans, passage.clone(), snippet::LENGTH);
        hit.matches = matcher.joined(&places.body);
        hit.reason = reason::reason(&places, &hit.text, passage, path);
        hit.reason.beside = fused.beside;
        if let Some(likeness) = likeness {
            hit.reason.likeness = Some(likeness.score);
            hit.reason.alike = reason::alike(&likeness.near, &self.part.keyword.words, &hit.text);
        }
        hit
    }
}
