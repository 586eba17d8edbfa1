//! A ranked part of an answer, and the hits made of it.

use super::{
    alike::Likeness,
    answer::Hit,
    confidence::{Evidence, Weights},
    fuse::Fused,
    leg_id::LegId,
    leg_result::{self, LegResult},
    question_features, reason, snippet,
};
use crate::index::{
    CatalogEntry, EntryKey,
    catalog::KeyMap,
    keyword::{KeywordQuery, Matcher},
};

/// A part of the answer: what was written on the days that the query names, or the rest.
pub struct RankedSection {
    pub order: Vec<Fused>,
    pub ran: Vec<LegResult>,
    pub keyword: KeywordQuery,
    pub matcher: Matcher,
    pub weights: Weights,
    /// The best, read.
    pub read: KeyMap<Read>,
    /// How close the words of the best come to the query's, in their sentence; `None` where that was not looked at.
    pub in_sentence: Option<KeyMap<f32>>,
    /// The query asks for several things.
    pub asks_several: bool,
}

impl RankedSection {
    /// What an entry so alike to the query gets for that; 0 where it is not asked.
    pub fn for_several(&self, key: EntryKey, likeness: Option<f32>) -> f32 {
        if !self.asks_several {
            return 0.0;
        }
        let legs = leg_result::shares(&self.ran, key);
        question_features::for_several(legs[LegId::Graph].map(|share| share.score), likeness)
    }
}

/// The body of an entry, and how alike it is to the query.
#[derive(Default)]
pub struct Read {
    pub text: String,
    pub likeness: Option<Likeness>,
    /// It says when something was, which is asked.
    pub tells_when: bool,
}

/// What every hit of one part is weighed with.
pub struct Weigher<'a> {
    pub part: &'a RankedSection,
    /// The words that name an entity.
    pub naming: Vec<usize>,
}

impl Weigher<'_> {
    pub fn hit(&self, fused: &Fused, entry: &CatalogEntry, Read { text, likeness, tells_when }: Read) -> Hit {
        let matcher = &self.part.matcher;
        let mut hit = Hit::of(entry, text, fused.score);
        let (mut passage, mut path) = (None, Vec::new());
        hit.legs = leg_result::shares(&self.part.ran, fused.key);
        for ran in &self.part.ran {
            if let Some((_, candidate)) = ran.candidate(fused.key) {
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
        let near = likeness.as_ref().map_or(&[][..], |likeness| &likeness.near);
        hit.weak = self.part.weights.is_weak(&Evidence {
            words: &words,
            cosine: hit.legs[LegId::Vector].map(|share| share.score),
            likeness: likeness.as_ref().map(|likeness| likeness.score),
            alike: &near.iter().map(|near| (near.word, near.alike)).collect::<Vec<_>>(),
            phrase: places.body.iter().any(|place| place.word.is_none()),
        });
        // A phrase is worth as much as any word.
        let phrase = self.part.keyword.words.len();
        let spans: Vec<_> = places.body.iter().map(|one| (one.span.clone(), one.word.unwrap_or(phrase))).collect();
        hit.snippet = snippet::snippet(&hit.text, &spans, passage.clone(), snippet::LENGTH);
        hit.matches = matcher.joined(&places.body);
        hit.reason = reason::reason(&places, &hit.text, passage, path);
        hit.reason.beside = fused.beside;
        hit.reason.asks = fused.asks;
        hit.reason.tells_when = if tells_when { question_features::TELLS_WHEN } else { 0.0 };
        let likeness_score = likeness.as_ref().map(|likeness| likeness.score);
        hit.reason.several = self.part.for_several(fused.key, likeness_score);
        hit.reason.in_sentence = self.part.in_sentence.as_ref().and_then(|found| found.get(&fused.key).copied());
        if let Some(likeness) = likeness {
            hit.reason.likeness = Some(likeness.score);
            hit.reason.alike = reason::alike(&likeness.near, &self.part.keyword.words, &hit.text);
        }
        hit
    }
}
