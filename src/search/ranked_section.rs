//! A ranked section of an answer, and its hits.

use std::ops::Range;

use super::{
    alike::Likeness,
    answer::Hit,
    confidence::{Evidence, Spread},
    fuse::Fused,
    leg_id::LegId,
    leg_result::{self, LegResult},
    question_features, reason, snippet,
    term_weights::TermWeights,
};
use crate::index::{
    CatalogEntry, EntryKey,
    catalog::KeyMap,
    keyword::{
        KeywordQuery, Matcher,
        analyzer::{fold, stem},
        is_stop_word,
    },
};

/// Number of words up to which a query asks for the entries that contain them.
const FEW_WORDS: usize = 2;

/// A section of the answer: the entries of the days that the query names, or the rest.
pub struct RankedSection {
    pub order: Vec<Fused>,
    pub ran: Vec<LegResult>,
    pub keyword: KeywordQuery,
    pub matcher: Matcher,
    pub weights: TermWeights,
    /// The best entries with their texts.
    pub read: KeyMap<Read>,
    /// Contextual similarity of the best entries; `None` if it was not computed.
    pub in_sentence: Option<KeyMap<f32>>,
    /// The query asks for several things.
    pub asks_several: bool,
}

impl RankedSection {
    /// The score of an entry for a question for several things; 0 for other queries.
    pub fn for_several(&self, key: EntryKey, likeness: Option<f32>) -> f32 {
        if !self.asks_several {
            return 0.0;
        }
        let legs = leg_result::shares(&self.ran, key);
        question_features::for_several(legs[LegId::Graph].map(|share| share.score), likeness)
    }
}

/// The body of an entry and its similarity to the query.
#[derive(Default)]
pub struct Read {
    pub text: String,
    pub likeness: Option<Likeness>,
    /// It states a time, and the query asks for one.
    pub tells_when: bool,
}

/// The data for weighing the hits of one section.
pub struct Weigher<'a> {
    pub part: &'a RankedSection,
    /// Indices of the words that name an entity.
    naming: Vec<usize>,
    /// How well an entry matches the words.
    said: Box<dyn Fn(EntryKey) -> f32 + 'a>,
    sure_cosine: f32,
    cosines: Spread,
    likenesses: Spread,
    in_sentence: Spread,
}

impl<'a> Weigher<'a> {
    /// `read`: the texts of the section, before they are moved into the hits.
    pub fn new(part: &'a RankedSection, read: &KeyMap<Read>, naming: Vec<usize>, sure_cosine: f32) -> Self {
        let scores = |leg| {
            let ran = part.ran.iter().find(move |ran| ran.leg.id() == leg);
            ran.into_iter().flat_map(|ran| ran.answer.candidates.iter().map(|one| one.score))
        };
        // Sorted, because a float sum in the order of a map would vary.
        let mut likenesses: Vec<f32> = read.values().filter_map(|read| Some(read.likeness.as_ref()?.score)).collect();
        let mut in_sentence: Vec<f32> = part.in_sentence.iter().flat_map(|found| found.values().copied()).collect();
        likenesses.sort_by(f32::total_cmp);
        in_sentence.sort_by(f32::total_cmp);
        Self {
            part,
            naming,
            said: Box::new(leg_result::said(&part.ran)),
            sure_cosine,
            cosines: Spread::of(scores(LegId::Vector)),
            likenesses: Spread::of(likenesses.iter().copied()),
            in_sentence: Spread::of(in_sentence.iter().copied()),
        }
    }

    /// The features of an entry; `words`: the query words that it contains.
    fn evidence(&self, hit: &Hit, words: &[usize], phrase: bool, likeness: Option<&Likeness>) -> Evidence {
        let weights = &self.part.weights;
        let score = |leg: LegId| hit.legs[leg].map(|share| share.score);
        let near = likeness.map_or(&[][..], |likeness| &likeness.near);
        let alike: Vec<(usize, f32)> = near.iter().map(|near| (near.word, near.alike)).collect();
        let alike_score = likeness.map(|likeness| likeness.score);
        let in_sentence = hit.reason.in_sentence;
        let coverage = weights.coverage(words);
        Evidence {
            one: 1.0,
            coverage,
            missing: weights.missing(words, &alike),
            nowhere: weights.nowhere(),
            words: (1.0 + weights.count() as f32).ln() / 3.0,
            by_word: (self.said)(hit.key),
            name: score(LegId::Graph).unwrap_or(0.0),
            phrase: f32::from(u8::from(phrase)),
            day: 0.0,
            cosine: score(LegId::Vector).map_or(0.0, |cosine| cosine / self.sure_cosine),
            cosine_above: score(LegId::Vector).map_or(0.0, |cosine| self.cosines.above(cosine)),
            likeness: alike_score.unwrap_or(0.0),
            likeness_above: alike_score.map_or(0.0, |score| self.likenesses.above(score)),
            in_sentence: in_sentence.unwrap_or(0.0),
            in_sentence_above: in_sentence.map_or(0.0, |score| self.in_sentence.above(score)),
            both: coverage * alike_score.unwrap_or(0.0),
        }
    }

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
            // It mentions the entity that these words name, in any spelling.
            words.extend(&self.naming);
        }
        // Until the model decides: mood and tags hold the whole query, such as `tired`, or the text holds the one or two
        // words of it.
        let wanted = 0..self.part.keyword.words.len();
        let words_of = &self.part.keyword.words;
        let few = wanted.len() <= FEW_WORDS && words_of.iter().any(|word| !is_stop_word(&word.to_lowercase()));
        // Not the beginning of a word that is still typed, nor a correction of it.
        let is_form = |span: &Range<usize>, word: usize| {
            hit.text.get(span.clone()).is_some_and(|text| stem(&fold(text)) == stem(&fold(&words_of[word])))
        };
        let holds = |word: usize| {
            places.head.iter().any(|(_, of)| *of == word)
                || few && places.body.iter().any(|place| place.word == Some(word) && is_form(&place.span, word))
        };
        hit.weak = wanted.is_empty() || !wanted.clone().all(holds);
        let holds_phrase = places.body.iter().any(|place| place.word.is_none());
        // A phrase counts like a word.
        let phrase = self.part.keyword.words.len();
        let spans: Vec<_> = places.body.iter().map(|one| (one.span.clone(), one.word.unwrap_or(phrase))).collect();
        hit.snippet = snippet::snippet(&hit.text, &spans, passage.clone(), snippet::LENGTH);
        hit.matches = Matcher::joined(&places.body);
        hit.reason = reason::reason(&places, &hit.text, passage, path);
        hit.reason.beside = fused.beside;
        hit.reason.asks = fused.asks;
        hit.reason.tells_when = if tells_when { question_features::TELLS_WHEN } else { 0.0 };
        let likeness_score = likeness.as_ref().map(|likeness| likeness.score);
        hit.reason.several = self.part.for_several(fused.key, likeness_score);
        hit.reason.in_sentence = self.part.in_sentence.as_ref().and_then(|found| found.get(&fused.key).copied());
        hit.evidence = self.evidence(&hit, &words, holds_phrase, likeness.as_ref());
        if let Some(likeness) = likeness {
            hit.reason.likeness = Some(likeness.score);
            hit.reason.alike = reason::alike(&likeness.near, &self.part.keyword.words, &hit.text);
        }
        hit
    }
}
