//! Execution of a text query: legs, fusion, similarity, temporal neighbours, days, hits.

use std::{cmp::Ordering, ops::Range};

use super::{
    alike::Alike,
    answer::{Found, Hit, Search, SearchError},
    confidence::{Kind, Models},
    contextual_similarity,
    fuse::{self, Fused, Fusion, List},
    leg_id::{LegId, PerLeg},
    leg_result::{self, LegResult},
    legs::{CANDIDATES, Context},
    query::Query,
    question_features,
    ranked_section::{RankedSection, Read, Weigher},
    temporal_neighbors,
    term_weights::TermWeights,
};
use crate::{
    embed::{EmbedError, Encoder, Pieces, Reading, WordVectors},
    extract::{self, dates::DayRange},
    index::{
        EntryKey, IndexError, LegHealth, Scope, Snapshot,
        catalog::{KeyMap, KeySet},
        graph::EntityRef,
        keyword::{KeywordQuery, Matcher, analyzer::fold},
    },
};

/// Minimum number of hits to weigh for the threshold between sure and weak, so that the first ten are the same whether
/// ten or thirty are shown.
const WEIGHED: usize = 30;

/// Number of best entries to read for word similarity. All of some 250 candidates would find half a point more, at six
/// times the cost.
const READ: usize = 40;

/// Weight of word similarity relative to the keyword leg, which is 1. From 1 to 2 the judged journals change by half a
/// point.
const ALIKE: f32 = 1.5;

/// The same next to contextual similarity: on conversations recall@10 is .802 and nDCG@10 .631 with both, .797 and .626
/// without word similarity, .788 and .618 without contextual similarity.
const ALIKE_BESIDE: f32 = 1.0;

/// The reduction of this weight for a query that [describes an event](Query::tells). Of retold events .861 are among
/// the first ten with it, .857 without (nDCG@10 .756 and .749).
const ALIKE_TOLD: f32 = 0.8;

/// Weight of the cosine, in units of the model's minimum of related texts, where scores are absolute. From .6 to 1 the
/// judged journals change by half a point. With absolute scores of words and cosines, instead of lists in which the best
/// is always 1, the reciprocal rank of two everyday journals is .374 and .479 instead of .347 and .466, and recall@10 of
/// questions that need several entries .566 instead of .538.
const COSINE: f32 = 0.8;

/// The score added for entries of the days that the query names: more than any fusion gives.
const ON_THE_DAY: f32 = 3.0;

/// Notice: the vector leg is skipped because the model knows no word of the query.
const UNREADABLE: &str = "the model cannot read this query, so search by meaning stays out of it";

/// Notice: only the upper half of some vectors was compared.
const DAMAGED: &str = "some vectors are damaged, the order by meaning is not exact; `kioku index` makes them again";

/// Executes one text query.
pub struct Run<'a> {
    pub snapshot: &'a Snapshot,
    pub scope: &'a Scope,
    pub query: &'a Query,
    pub keyword: &'a KeywordQuery,
    pub ask: &'a Search,
    /// `None` without a model, or if the search leaves meaning out.
    pub encoder: Option<&'a dyn Encoder>,
}

impl Run<'_> {
    /// `None` if it was cancelled.
    pub fn fused(&self, cancelled: &dyn Fn() -> bool) -> Result<Option<Found>, SearchError> {
        let mut faults: Vec<(LegId, SearchError)> = Vec::new();
        let mut said = Vec::new();
        let (vector, pieces) = match self.embedded() {
            Ok(Some(Reading { vector, pieces })) => (Some(vector), Some(pieces)),
            Ok(None) => (None, None),
            Err(error) => {
                faults.push((LegId::Vector, error.into()));
                (None, None)
            }
        };
        let pieces = pieces.filter(|pieces| !pieces.spans.is_empty());
        let vector = vector.filter(|vector| {
            let readable = vector.iter().any(|component| *component != 0.0);
            if !readable && !self.query.plain.trim().is_empty() && !self.is_first_word() {
                said.push(UNREADABLE.to_owned());
            }
            readable
        });
        let named =
            if self.ask.legs.has(LegId::Graph) { self.snapshot.graph.named_in(&self.query.plain) } else { Vec::new() };
        let seeds: Vec<_> = named.iter().map(|(entity, _)| *entity).collect();
        let limit = self.ask.limit.max(CANDIDATES);
        let (snapshot, vector) = (self.snapshot, vector.as_deref());
        let tells = if pieces.is_some() { self.query.tells } else { 0.0 };
        let (scope, keyword, seeds) = (self.scope, self.keyword, &seeds[..]);
        let whole = Context { snapshot, scope, keyword, vector, seeds, tells, absolute: false, limit };
        let Some(ran) = leg_result::run(self.ask.legs, &whole, &mut faults, cancelled) else { return Ok(None) };
        // The failure of one leg does not stop the others; if all failed, it is the answer.
        if ran.is_empty() && !faults.is_empty() {
            return Err(faults.swap_remove(0).1);
        }
        let mut outside = self.part(ran, &whole, pieces.as_ref())?;
        let mut inside = None;
        if let Some(days) = self.within_days() {
            let keyword = self.query.keyword_without_days(self.ask.typing);
            let context = Context { scope: &days, keyword: &keyword, ..whole };
            let Some(ran) = leg_result::run(self.ask.legs, &context, &mut Vec::new(), cancelled) else {
                return Ok(None);
            };
            let mut part = self.part(ran, &context, pieces.as_ref())?;
            add_rest(&days, &mut part.order);
            outside.order.retain(|fused| !days.allows(fused.key));
            inside = Some(part);
        }
        let compared = |part: &RankedSection| part.in_sentence.is_some();
        let all_compared = compared(&outside) && inside.as_ref().is_none_or(compared);
        if self.ask.fusion == Fusion::Score && pieces.is_some() && !all_compared {
            said.push(self.out_of_sentence());
        }
        let mut found = self.found(inside, outside, &named)?;
        said.extend(faults.iter().map(|(leg, error)| format!("{} did not answer ({error})", leg.name())));
        if vector.is_some() && self.snapshot.vectors.as_ref().is_some_and(|vectors| vectors.is_damaged()) {
            said.push(DAMAGED.to_owned());
        }
        found.notice = (!said.is_empty()).then(|| said.join("; "));
        Ok(Some(found))
    }

    /// The entries of the days that the query names, if there are any.
    fn within_days(&self) -> Option<Scope> {
        let catalog = &self.snapshot.catalog;
        let last = catalog.entries().last().map(|entry| entry.time.at.to_zoned(self.ask.now.time_zone().clone()));
        let holds = |days: DayRange| catalog.days(days.first, days.last).any(|entry| self.scope.allows(entry.key));
        let named = self.query.days.iter();
        let ranges = named.filter_map(|days| days.range(&self.ask.now, last.as_ref(), holds));
        let ranges: Vec<_> = ranges.map(|days| (days.first, days.last)).collect();
        if ranges.is_empty() {
            return None;
        }
        Some(Scope::of_days(catalog.clone(), &ranges, |entry| self.scope.allows(entry.key)))
    }

    /// Whether the first word is still being typed, so that its meaning is open.
    fn is_first_word(&self) -> bool {
        self.ask.typing && !self.ask.text.trim_start().contains(char::is_whitespace)
    }

    /// The model's minimum cosine of related texts; above all cosines without a model.
    fn sure_cosine(&self) -> f32 {
        self.encoder.map_or(f32::INFINITY, Encoder::sure_cosine)
    }

    fn words(&self) -> Option<&dyn WordVectors> {
        self.encoder.and_then(Encoder::word_vectors)
    }

    /// The query as a vector (all zeros if the model can read nothing of it), and as vectors of its tokens if the words
    /// of entries are stored that way; `None` without a model.
    fn embedded(&self) -> Result<Option<Reading>, EmbedError> {
        let (Some(encoder), Some(vectors)) = (self.encoder, &self.snapshot.vectors) else { return Ok(None) };
        // Vectors of different models are not comparable.
        if vectors.model().checksum != encoder.stamp().checksum {
            return Ok(None);
        }
        let query = [self.query.matter()];
        if let Some(tokens) = encoder.token_vectors().filter(|_| self.snapshot.word_health.is_some()) {
            return Ok(tokens.read_queries(&query)?.into_iter().next());
        }
        let vector = encoder.embed_queries(&query)?.into_iter().next();
        Ok(vector.map(|vector| Reading { vector, pieces: Pieces::default() }))
    }

    /// The reason why words were compared alone although their context could have been used.
    fn out_of_sentence(&self) -> String {
        let why = match &self.snapshot.word_health {
            Some(LegHealth::Building { done, of }) => format!("the model has read {done} of {of} passages so far"),
            Some(LegHealth::Off { why }) => why.clone(),
            _ if self.snapshot.fresh.is_some() => "what was saved a moment ago is not read yet".to_owned(),
            Some(LegHealth::Ready) | None => "what is kept of some is damaged; the next start mends it".to_owned(),
        };
        format!("words are compared out of their sentence: {why}")
    }

    /// Ranks the results of the legs: fuses them, reranks the best by word similarity (and contextual similarity, if
    /// its vectors are stored), and adds the temporal neighbour score.
    fn part(
        &self,
        mut ran: Vec<LegResult>,
        context: &Context<'_>,
        pieces: Option<&Pieces>,
    ) -> Result<RankedSection, IndexError> {
        let keyword = context.keyword.clone();
        let by_score = self.ask.fusion == Fusion::Score;
        let mut fused = self.fuse(&ran, context);
        if by_score && self.ask.legs.reaches() {
            fused = self.with_those_beside(fused, &mut ran, context);
        }
        let matcher = self.snapshot.keyword.matcher(&keyword);
        let weights = self.weights(&keyword, &matcher)?;
        let (order, read) = (Vec::new(), KeyMap::default());
        let asks_several = self.query.asks_several;
        let mut part = RankedSection { order, ran, keyword, matcher, weights, read, in_sentence: None, asks_several };
        if by_score {
            let mut best_first = fused.clone();
            // The selection of texts to read ignores how well an entry matches the words.
            self.lift(&mut best_first, |_| 0.0);
            part.in_sentence = pieces.and_then(|pieces| self.in_sentence(pieces, &part, &best_first));
            part.read = self.read(&part, &best_first)?;
            // Only now: which texts are read is better decided by relative scores, since each leg brings its best then
            // (recall@10 of conversations .823 instead of .814).
            if part.in_sentence.is_some() {
                self.rescore(&mut fused, &part.ran, context);
            }
            if self.words().is_some() {
                let worth = if part.in_sentence.is_some() { ALIKE_BESIDE - ALIKE_TOLD * context.tells } else { ALIKE };
                add_stretched(&mut fused, worth, |key| Some(part.read.get(&key)?.likeness.as_ref()?.score));
            }
            if let Some(found) = &part.in_sentence {
                add_stretched(&mut fused, contextual_similarity::WORTH, |key| found.get(&key).copied());
            }
        }
        self.lift(&mut fused, leg_result::said(&part.ran));
        if self.query.asks_when || asks_several {
            for fused in &mut fused {
                let Some(read) = part.read.get(&fused.key) else { continue };
                let likeness = read.likeness.as_ref().map(|likeness| likeness.score);
                fused.score += part.for_several(fused.key, likeness);
                fused.score += if read.tells_when { question_features::TELLS_WHEN } else { 0.0 };
            }
            fuse::sort(&mut fused, |a, b| self.tie(a, b));
        }
        part.order = fused;
        Ok(part)
    }

    /// Adds neighbours of the best entries that no leg found. Without a model only this can find an answer that shares
    /// no word with its question: on conversations recall@10 .748 with it, .726 without.
    fn with_those_beside(&self, fused: Vec<Fused>, ran: &mut [LegResult], context: &Context<'_>) -> Vec<Fused> {
        let beside = temporal_neighbors::missing(&fused, &self.snapshot.catalog, |key| context.scope.allows(key));
        if beside.is_empty() {
            return fused;
        }
        leg_result::ask_of(context, ran, &beside);
        let mut fused = self.fuse(ran, context);
        let found: KeySet = fused.iter().map(|fused| fused.key).collect();
        fused.extend(beside.into_iter().filter(|key| !found.contains(key)).map(Fused::unranked));
        fused
    }

    /// Gives the candidates absolute scores: those of the legs, and the cosine of each, whichever leg found it.
    fn rescore(&self, fused: &mut [Fused], ran: &[LegResult], context: &Context<'_>) {
        let (Some(vectors), Some(query)) = (&self.snapshot.vectors, context.vector) else { return };
        let absolute = Context { absolute: true, ..*context };
        let scores = self.fuse(ran, &absolute).into_iter().map(|fused| (fused.key, fused.score));
        let legs: KeyMap<f32> = scores.collect();
        let mut cosine = vectors.cosines(query);
        for fused in fused {
            let cosine = cosine(fused.key).unwrap_or(0.0) / self.sure_cosine();
            fused.score = legs.get(&fused.key).copied().unwrap_or(0.0) + COSINE * cosine;
        }
    }

    fn fuse(&self, ran: &[LegResult], context: &Context<'_>) -> Vec<Fused> {
        let lists: Vec<Vec<_>> =
            ran.iter().map(|ran| ran.answer.candidates.iter().map(|one| (one.key, one.score)).collect()).collect();
        let lists: Vec<_> = ran
            .iter()
            .zip(&lists)
            .map(|(ran, ranked)| List { weight: ran.leg.weight(context), scale: ran.leg.scale(context), ranked })
            .collect();
        fuse::fuse(self.ask.fusion, &lists, |a, b| self.tie(a, b))
    }

    /// The later entry first.
    fn tie(&self, a: EntryKey, b: EntryKey) -> Ordering {
        let row = |key| self.snapshot.catalog.row(key);
        match (row(a), row(b)) {
            (Some(row), Some(other)) => other.cmp(&row),
            _ => a.cmp(&b),
        }
    }

    fn lift(&self, fused: &mut [Fused], said: impl Fn(EntryKey) -> f32) {
        temporal_neighbors::lift(fused, &self.snapshot.catalog, self.query.asks, said);
        fuse::sort(fused, |a, b| self.tie(a, b));
    }

    /// Contextual similarity of the best entries of the current order.
    fn in_sentence(&self, pieces: &Pieces, part: &RankedSection, best_first: &[Fused]) -> Option<KeyMap<f32>> {
        let vectors = self.snapshot.vectors.as_ref()?;
        let query = (self.query.matter(), pieces);
        contextual_similarity::likenesses(query, vectors, &part.matcher, &part.weights, best_first)
    }

    /// Reads the texts of the best entries of the current order for their features: word similarity, and whether they
    /// state a time. Reads nothing if neither is needed.
    fn read(&self, part: &RankedSection, best_first: &[Fused]) -> Result<KeyMap<Read>, IndexError> {
        let mut alike =
            self.words().and_then(|words| Alike::new(words, &part.keyword.words, &part.matcher, &part.weights));
        if alike.is_none() && !self.query.asks_when {
            return Ok(KeyMap::default());
        }
        let keys: Vec<EntryKey> = best_first.iter().take(READ).map(|fused| fused.key).collect();
        let texts = self.snapshot.texts(&keys)?;
        let read = |(key, text): (EntryKey, String)| {
            let likeness = alike.as_mut().map(|alike| alike.of(&text));
            let tells_when = self.query.asks_when && self.tells_when(key, &text);
            (key, Read { text, likeness, tells_when })
        };
        Ok(keys.into_iter().zip(texts).map(read).collect())
    }

    fn tells_when(&self, key: EntryKey, text: &str) -> bool {
        let entry = self.snapshot.catalog.by_key(key);
        entry.is_some_and(|entry| entry.words > question_features::LONG || extract::tells_when(text, entry.day))
    }

    fn found(
        &self,
        mut inside: Option<RankedSection>,
        mut outside: RankedSection,
        named: &[(EntityRef, Range<usize>)],
    ) -> Result<Found, IndexError> {
        let mut keep = self.ask.limit.max(WEIGHED);
        let kind = self.kind(&outside);
        let mut hits = Vec::new();
        let mut days_alone = false;
        if let Some(part) = &mut inside {
            hits = self.hits(part, keep, named)?;
            days_alone = !hits.is_empty() && question_features::asks_of_days_alone(&part.keyword.words);
            for hit in &mut hits {
                hit.score += ON_THE_DAY;
                hit.evidence.day = 1.0;
            }
            keep -= hits.len();
        }
        let of_days = hits.len();
        hits.extend(self.hits(&mut outside, keep, named)?);
        let model = Models::shipped().of(kind);
        let beyond = |place: usize| inside.is_some() && place >= of_days;
        let in_head: Vec<bool> = hits.iter().enumerate().map(|(place, hit)| !hit.weak && !beyond(place)).collect();
        for (place, hit) in hits.iter_mut().enumerate() {
            hit.probability = model.hit(&hit.evidence);
            hit.weak = hit.probability < model.line || beyond(place);
            if days_alone && place < of_days {
                // If the query only asks for days, every entry of these days answers it.
                (hit.probability, hit.weak) = (1.0, false);
            }
        }
        let confidence = if days_alone { 1.0 } else { model.first(hits.iter().map(|hit| hit.evidence)) };
        let confident = confidence >= model.line && !hits.is_empty();
        draw_line(&mut hits, confident);
        hits.iter_mut().zip(&in_head).for_each(|(hit, in_head)| hit.weak &= !in_head);
        let confident = confident || in_head.contains(&true);
        if self.query.asks_last() {
            // Of those that surely match, the newest is the answer.
            let newest_first = |a: &Hit, b: &Hit| if a.weak { Ordering::Equal } else { self.tie(a.key, b.key) };
            hits.sort_by(|a, b| a.weak.cmp(&b.weak).then_with(|| newest_first(a, b)));
        }
        hits.truncate(self.ask.limit);
        let mut counts = PerLeg::default();
        for ran in &outside.ran {
            counts[ran.leg.id()] = Some(ran.answer.candidates.len());
        }
        let matched = outside.ran.iter().map(|ran| ran.answer.total).max().unwrap_or(0);
        let fused = outside.order.len() + inside.as_ref().map_or(0, |part| part.order.len());
        let scan = outside.ran.iter().find_map(|ran| ran.answer.scan);
        Ok(Found { total: matched.max(fused), confident, confidence, kind, hits, counts, scan, ..Found::default() })
    }

    /// The first `keep` hits of a section, complete for display.
    fn hits(
        &self,
        part: &mut RankedSection,
        keep: usize,
        named: &[(EntityRef, Range<usize>)],
    ) -> Result<Vec<Hit>, IndexError> {
        let keys: Vec<_> = part.order.iter().take(keep).map(|fused| fused.key).collect();
        let unread: Vec<_> = keys.iter().copied().filter(|key| !part.read.contains_key(key)).collect();
        let texts = self.snapshot.texts(&unread)?;
        let mut read = std::mem::take(&mut part.read);
        read.extend(unread.into_iter().zip(texts).map(|(key, text)| (key, Read { text, ..Read::default() })));
        let naming = self.words_naming(&part.keyword, named);
        let weigher = Weigher::new(part, &read, naming, self.sure_cosine());
        let order = part.order.iter().take(keep);
        let hit = |fused: &Fused| {
            Some(weigher.hit(fused, self.snapshot.catalog.by_key(fused.key)?, read.remove(&fused.key)?))
        };
        Ok(order.filter_map(hit).collect())
    }

    fn weights(&self, keyword: &KeywordQuery, matcher: &Matcher) -> Result<TermWeights, IndexError> {
        let mut frequencies = self.snapshot.keyword.frequencies(keyword)?;
        if let Some(fresh) = &self.snapshot.fresh {
            for (word, more) in fresh.frequencies(keyword)? {
                *frequencies.entry(word).or_default() += more;
            }
        }
        let entries = self.snapshot.catalog.entries().len() as u64;
        Ok(TermWeights::new(&keyword.words, matcher.sought(), &frequencies, entries))
    }

    /// The kind of comparison.
    fn kind(&self, part: &RankedSection) -> Kind {
        let by_vectors = part.ran.iter().any(|ran| ran.leg.id() == LegId::Vector);
        match (by_vectors, &part.in_sentence) {
            (false, _) => Kind::Words,
            (true, None) => Kind::Vectors,
            (true, Some(_)) => Kind::Sentences,
        }
    }

    /// Indices of the words that are part of an entity's name.
    fn words_naming(&self, keyword: &KeywordQuery, named: &[(EntityRef, Range<usize>)]) -> Vec<usize> {
        let plain = &self.query.plain;
        let names: Vec<_> = named.iter().filter_map(|(_, span)| plain.get(span.clone())).map(fold).collect();
        let inside = |word: &str| names.iter().any(|name| name.split(' ').any(|part| part == word));
        let words = keyword.words.iter().enumerate();
        words.filter(|(_, word)| inside(&fold(word))).map(|(place, _)| place).collect()
    }
}

/// If the answer is confident, all hits down to the last sure one are above the threshold, else none: the order is that
/// of the scores. (Moving every sure hit to the front costs ten points of recall@10 for long questions, because many
/// entries contain half of their words.)
fn draw_line(hits: &mut [Hit], confident: bool) {
    let last = hits.iter().rposition(|hit| !hit.weak).map_or(1, |last| last + 1);
    let above = if confident { last } else { 0 };
    for (place, hit) in hits.iter_mut().enumerate() {
        hit.weak = place >= above;
    }
}

/// Adds the other entries of the named days, if they are few enough to read: the days are the question.
fn add_rest(days: &Scope, order: &mut Vec<Fused>) {
    if days.len() > CANDIDATES {
        return;
    }
    let mut rest: Vec<_> = days.entries().map(|entry| entry.key).collect();
    rest.retain(|key| order.iter().all(|fused| fused.key != *key));
    rest.reverse();
    order.extend(rest.into_iter().map(Fused::unranked));
}

/// Adds a share of `worth` to entries with a score: 1 for the best, 0 for the worst, because a common offset carries no
/// information.
fn add_stretched(fused: &mut [Fused], worth: f32, score: impl Fn(EntryKey) -> Option<f32>) {
    let scores = fused.iter().filter_map(|fused| score(fused.key));
    let (worst, best) = scores.fold((f32::MAX, f32::MIN), |(low, high), score| (low.min(score), high.max(score)));
    if best <= worst {
        return;
    }
    for fused in fused {
        if let Some(score) = score(fused.key) {
            fused.score += worth * (score - worst) / (best - worst);
        }
    }
}
