//! Answer extraction: the span that tells the cause asked about, from the entries that a search finds.
//!
//! The gate of [`crate::extract`] judges a statement without knowing any question. Somebody who asks why something
//! happened says that it did, and in which words: here a candidate is judged by how well its effect fits the question
//! too, so that more can be accepted at the same precision. Below the threshold it stays a quote.
//!
//! A candidate is judged twice: by cues (words, cosines, the kind of connective), and by a reading of the question and the
//! entry together ([`crate::embed::AnswerReader`]), which also points at a span of its own. The weights
//! (`assets/why-answers.txt`) are fitted by `kioku-lab why` and `models/train/fit_answers.py` on `tests/gate`.

use std::{ops::Range, sync::LazyLock};

use super::{
    pointed::Pointed,
    question_terms::{runs, tells},
    reasons::{Reason, Said, Word, words_of},
};
use crate::{
    embed::{Encoder, TokenVectors},
    extract::{
        CauseCandidate, CueModel, Cues, POINTED_AT, cause_candidates, common_share, is_same_feeling, unusualness,
        valence,
    },
    index::EntryKey,
    insight::{
        Inputs, Result,
        clause::{clause, is_same_cause},
        quotes::Quotes,
    },
    search::{Hit, SearchError},
};

/// Of the hits, which are all read together with the question, number of those whose candidates are judged: which most likely
/// tell the cause, by that reading.
const MOST_JUDGED: usize = 3;
/// Bytes before and after the matching passage that are read: an encoder reads some 250 pieces.
const AROUND: usize = 500;
/// A question of fewer content words asks of no one event.
const FEWEST_WORDS: usize = 2;
/// The least score of the likeliest answer that is quoted first.
const WORTH_QUOTING: f32 = 0.2;
/// The logit of another cause where there is none.
const UNLIKELY: f32 = -6.0;
/// Hits from this rank on are alike.
const LAST_RANK: usize = 3;
/// The share that two spans have in common from which on they are one candidate.
const SAME_SPAN: f32 = 0.8;
/// Maximum number of effects with a rank of their own.
const MOST_RANKED: usize = 4;

/// Names of the parts of a candidate's logit in the file of the weights: a constant, the sum of its cues, and the log probabilities
/// that the cause and the effect that the reader of answers points at are within its spans.
pub const PARTS: [&str; 4] = ["(one)", "(cues)", "(cause)", "(effect)"];

static MODEL: LazyLock<CueModel> =
    LazyLock::new(|| CueModel::read(include_str!("../../../assets/why-answers.txt").lines()));

/// A question as candidates are compared with it.
struct Asked {
    /// The content words with their weights, the unusual ones more.
    words: Vec<(Word, f32)>,
    /// Runs of words, for names of feelings.
    runs: Vec<String>,
    valence: f32,
    vector: Vec<f32>,
}

/// A candidate of a hit.
pub struct Answer {
    pub key: EntryKey,
    /// Rank of its hit, from 0.
    pub rank: usize,
    pub is_strong: bool,
    /// The probability that its entry answers the question.
    pub probability: f32,
    /// Spans are in bytes of the body.
    pub candidate: CauseCandidate,
    fit: Fit,
}

/// How a candidate fits the question.
struct Fit {
    /// The share of the question's words in the effect, in the cause, in the rest of what is read, and nowhere in it.
    words: [f32; 4],
    /// The cosines of effect and cause with the question.
    cosines: [f32; 2],
    /// Rank of its effect and of its cause among those of the hit, the most similar first.
    ranks: [usize; 2],
    /// How much less similar the effect is than the most similar one of all hits.
    behind: f32,
    similarity: f32,
    /// Logarithms of probabilities by the reading of question and text together: [`Pointed::logs`].
    pointed: [f32; 2],
    /// Words of the cause and of the effect.
    lengths: [usize; 2],
    asks_feeling: bool,
    same_feeling: bool,
    same_sign: Option<bool>,
}

/// What the best hits tell of the cause asked about.
#[derive(Default)]
pub(super) struct BestAnswer {
    /// The cause, if one is likely enough.
    pub reason: Option<Reason>,
    /// Where an answer is likeliest: worth to be quoted first, whether or not it is one.
    pub place: Option<(EntryKey, Range<usize>)>,
}

/// What the best hits tell of the cause of the effect asked about.
pub(super) fn best(inputs: &Inputs<'_>, quotes: &Quotes<'_>, text: &str, hits: &[Hit]) -> Result<BestAnswer> {
    let answers = answers(inputs, quotes, text, hits)?;
    let judged = |answer: &Answer| (answer.logit(), answer.key, answer.candidate.cause.clone());
    let chosen = likeliest(&answers.iter().map(judged).collect::<Vec<_>>());
    let Some((answer, score)) = chosen.and_then(|(at, score)| Some((answers.into_iter().nth(at)?, score))) else {
        return Ok(BestAnswer::default());
    };
    let reason = if score >= MODEL.line { reason(inputs, quotes, &answer)? } else { None };
    let place = Some((answer.key, answer.span())).filter(|_| score >= WORTH_QUOTING);
    Ok(BestAnswer { reason, place })
}

fn reason(inputs: &Inputs<'_>, quotes: &Quotes<'_>, answer: &Answer) -> Result<Option<Reason>> {
    let key = answer.key;
    let Some(known) = inputs.snapshot.catalog.by_key(key) else { return Ok(None) };
    let stored = |span: &Range<usize>| span.start as u32..span.end as u32;
    let (span, cause) = (stored(&answer.span()), stored(&answer.candidate.cause));
    let Some(phrase) = clause(&quotes.body(key)?, &cause) else { return Ok(None) };
    let said = Said::new((known.day, key), &span, &cause, None, 1.0);
    Ok(Some(Reason { said, named: Vec::new(), phrase }))
}

/// The place of the likeliest candidate among logits, entries and causes, and a score from 0 to 1, higher the more likely it
/// is and the further ahead of every other cause: where two causes are about as likely, neither is stated.
pub fn likeliest<E: PartialEq>(judged: &[(f32, E, Range<usize>)]) -> Option<(usize, f32)> {
    let (place, (most, entry, cause)) = judged.iter().enumerate().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let others = judged.iter().filter(|(_, of, other)| of != entry || !is_same_cause(cause, other));
    let next = others.map(|(logit, ..)| *logit).fold(UNLIKELY, f32::max);
    Some((place, 1.0 / (1.0 + (next - 2.0 * most).exp())))
}

/// Every candidate of the best hits.
pub fn answers(inputs: &Inputs<'_>, quotes: &Quotes<'_>, text: &str, hits: &[Hit]) -> Result<Vec<Answer>> {
    let mut found = Vec::new();
    // The weights are for cosines of words in their sentence, by a model whose cosines are known.
    let known = inputs.encoder.filter(|encoder| encoder.sure_cosine().is_finite());
    let Some((encoder, tokens)) = known.and_then(|encoder| Some((encoder, encoder.token_vectors()?))) else {
        return Ok(found);
    };
    let asked = Asked::new(text, encoder)?;
    if asked.words.len() < FEWEST_WORDS || asked.vector.is_empty() {
        return Ok(found);
    }
    let mut parts = Vec::new();
    for (rank, hit) in hits.iter().enumerate() {
        inputs.progress.goes_on()?;
        let body = quotes.body(hit.key)?;
        let window = window(&body, &hit.place());
        let part = body[window.clone()].to_owned();
        parts.push((rank, hit, window.start, part));
    }
    // The reader is loaded only where there is something to read.
    let Some(reader) = Some(encoder).filter(|_| !parts.is_empty()).and_then(Encoder::answer_reader) else {
        return Ok(found);
    };
    let texts: Vec<&str> = parts.iter().map(|(.., part)| part.as_str()).collect();
    let pointed: Vec<Pointed> =
        reader.point(text, &texts).map_err(SearchError::from)?.into_iter().map(Pointed::of).collect();
    let mut read: Vec<_> = parts.into_iter().zip(pointed).collect();
    read.sort_by(|(_, a), (_, b)| b.likeliest_log().total_cmp(&a.likeliest_log()));
    for ((rank, hit, start, part), pointed) in read.into_iter().take(MOST_JUDGED) {
        inputs.progress.goes_on()?;
        let mut candidates = cause_candidates(&part);
        candidates.extend(pointed_at(&pointed, &part, &candidates));
        let fits = fits(&asked, &part, &candidates, tokens, &pointed)?;
        for (mut candidate, fit) in candidates.into_iter().zip(fits) {
            for span in [&mut candidate.cause, &mut candidate.effect] {
                *span = span.start + start..span.end + start;
            }
            found.push(Answer {
                key: hit.key,
                rank,
                is_strong: !hit.weak,
                probability: hit.probability,
                candidate,
                fit,
            });
        }
    }
    let most = found.iter().map(|answer| answer.fit.similarity).fold(0.0, f32::max);
    found.iter_mut().for_each(|answer| answer.fit.behind = most - answer.fit.similarity);
    Ok(found)
}

/// What the reader of answers points at, where no other candidate is that cause.
fn pointed_at(pointed: &Pointed, part: &str, known: &[CauseCandidate]) -> Option<CauseCandidate> {
    let (cause, effect) = pointed.likeliest()?;
    let (cause, effect) = (whole_words(part, &cause)?, whole_words(part, &effect)?);
    let is_new =
        common_share(&cause, &effect) == 0.0 && known.iter().all(|one| common_share(&one.cause, &cause) < SAME_SPAN);
    let candidate = CauseCandidate { cause, effect, verb: POINTED_AT, by_rule: false, probability: 0.0, feeling: None };
    is_new.then_some(candidate)
}

/// The words that a span of pieces begins and ends in; without the rest of a first word that a stroke divides ("b/c").
fn whole_words(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
    let before = text.get(..span.start)?;
    let mut start = before.trim_end_matches(in_word).len();
    if before[..start].ends_with('/') {
        start += text[start..span.end].find(char::is_whitespace)?;
    }
    let end = text.len() - text.get(span.end..)?.trim_start_matches(in_word).len();
    let words = text.get(start..end)?.trim_matches(|c: char| !c.is_alphanumeric());
    let start = start + text[start..end].find(words)?;
    (!words.is_empty()).then(|| start..start + words.len())
}

/// Whole lines around a passage, as far as they fit.
fn window(body: &str, place: &Range<usize>) -> Range<usize> {
    let from = body.floor_char_boundary(place.start.saturating_sub(AROUND));
    let to = body.ceil_char_boundary((place.end + AROUND).min(body.len()));
    let blank = |c: char| c.is_whitespace();
    let start = if from == 0 { 0 } else { body[from..place.start].find(blank).map_or(place.start, |at| from + at) };
    let end =
        if to == body.len() { to } else { body[place.end..to].rfind(blank).map_or(place.end, |at| place.end + at) };
    start..end
}

impl Asked {
    fn new(text: &str, encoder: &dyn Encoder) -> Result<Self> {
        let words: Vec<&str> =
            text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
        let telling: Vec<&str> = words.iter().copied().filter(|word| tells(word)).collect();
        let weighed = |word: &&str| {
            let weight = unusualness(&word.to_lowercase()) as f32;
            words_of(word).into_iter().map(move |(word, _)| (word, weight))
        };
        let lower: Vec<String> = telling.iter().map(|word| word.to_lowercase()).collect();
        let mut vector = encoder.embed_queries(&[text]).map_err(SearchError::from)?.pop().unwrap_or_default();
        if vector.iter().all(|x| *x == 0.0) {
            vector.clear();
        }
        Ok(Self {
            words: telling.iter().flat_map(weighed).collect(),
            valence: lower.iter().filter_map(|word| valence(word)).sum(),
            runs: runs(&lower).collect(),
            vector,
        })
    }

    /// The weighted share of the question's words in a text.
    fn share(&self, text: &str) -> f32 {
        let said = words_of(text);
        let whole: f32 = self.words.iter().map(|(_, weight)| weight).sum();
        let has = |word: &Word| said.iter().any(|(said, _)| word.is_meant_by(said));
        self.words.iter().filter(|(word, _)| has(word)).map(|(_, weight)| weight).sum::<f32>() / whole.max(1.0)
    }
}

/// How each candidate of a text fits the question.
fn fits(
    asked: &Asked,
    part: &str,
    candidates: &[CauseCandidate],
    tokens: &dyn TokenVectors,
    pointed: &Pointed,
) -> Result<Vec<Fit>, SearchError> {
    let mut spans: Vec<Range<usize>> =
        candidates.iter().flat_map(|one| [one.cause.clone(), one.effect.clone()]).collect();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans.dedup();
    let place = |span: &Range<usize>| spans.partition_point(|other| (other.start, other.end) < (span.start, span.end));
    let shares: Vec<f32> = spans.iter().map(|span| asked.share(&part[span.clone()])).collect();
    let whole = asked.share(part);
    let cosines = cosines(&asked.vector, part, &spans, tokens)?;
    let similarity = |at: usize| cosines[at] + shares[at] / 2.0;
    let ranked = |side: fn(&CauseCandidate) -> &Range<usize>| {
        let mut order: Vec<usize> = candidates.iter().map(|one| place(side(one))).collect();
        order.sort_unstable();
        order.dedup();
        order.sort_by(|a, b| similarity(*b).total_cmp(&similarity(*a)));
        order
    };
    let (effects, causes) = (ranked(|one| &one.effect), ranked(|one| &one.cause));
    let rank = |order: &[usize], at: usize| order.iter().position(|other| *other == at).unwrap_or(order.len());
    let fit = |one: &CauseCandidate| {
        let (cause, effect) = (place(&one.cause), place(&one.effect));
        let felt = one.feeling.as_ref();
        let sign = felt.and_then(|felt| valence(&felt.name)).unwrap_or_default();
        Fit {
            words: [shares[effect], shares[cause], (whole - shares[effect].max(shares[cause])).max(0.0), 1.0 - whole],
            cosines: [cosines[effect], cosines[cause]],
            ranks: [rank(&effects, effect), rank(&causes, cause)],
            behind: 0.0,
            similarity: similarity(effect),
            pointed: pointed.logs(&one.cause, &one.effect),
            lengths: [&one.cause, &one.effect].map(|span| part[span.clone()].split_whitespace().count()),
            asks_feeling: asked.valence != 0.0,
            same_feeling: felt.is_some_and(|felt| asked.runs.iter().any(|said| is_same_feeling(said, &felt.name))),
            same_sign: (asked.valence != 0.0 && sign != 0.0).then_some((asked.valence > 0.0) == (sign > 0.0)),
        }
    };
    Ok(candidates.iter().map(fit).collect())
}

/// The cosine of each span, read in its text, and the question.
fn cosines(
    asked: &[f32],
    part: &str,
    spans: &[Range<usize>],
    tokens: &dyn TokenVectors,
) -> Result<Vec<f32>, SearchError> {
    let pieces = tokens.read(&[part])?.pop().map(|reading| reading.pieces).unwrap_or_default();
    let vectors: Vec<&[f32]> = pieces.vectors.chunks_exact(asked.len()).collect();
    let of = |span: &Range<usize>| {
        let inside = pieces.spans.iter().zip(&vectors).filter(|(at, _)| span.start < at.end && at.start < span.end);
        let mut sum = vec![0.0; asked.len()];
        inside.for_each(|(_, vector)| sum.iter_mut().zip(*vector).for_each(|(sum, x)| *sum += x));
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        let along: f32 = sum.iter().zip(asked).map(|(a, b)| a * b).sum();
        if length > 0.0 { along / length } else { 0.0 }
    };
    Ok(spans.iter().map(of).collect())
}

impl Answer {
    /// Cause and effect with everything between them.
    fn span(&self) -> Range<usize> {
        let CauseCandidate { cause, effect, .. } = &self.candidate;
        cause.start.min(effect.start)..cause.end.max(effect.end)
    }

    /// The logit of being the answer: a weighted sum of [`PARTS`].
    fn logit(&self) -> f32 {
        let [cause, effect] = self.fit.pointed;
        let sum = MODEL.logit(&|to| self.cues(to));
        PARTS.iter().zip([1.0, sum, cause, effect]).map(|(part, value)| MODEL.weight(part) * value).sum()
    }

    /// Log probabilities that cause and effect are within its spans, by the reader of answers.
    #[cfg(feature = "lab")]
    pub fn pointed(&self) -> [f32; 2] {
        self.fit.pointed
    }

    /// What speaks for and against it.
    pub fn cues(&self, to: &mut Cues<'_>) {
        let Self { rank, is_strong, probability, candidate, fit, .. } = self;
        let verb: &str = candidate.verb;
        let kind = match verb {
            POINTED_AT => "pointed",
            _ if verb.starts_with('(') => "beside",
            _ => "linked",
        };
        let rank = (*rank).min(LAST_RANK);
        to.add(format_args!("one"));
        to.add(format_args!("hit:{rank}"));
        to.add_if(*is_strong, format_args!("strong"));
        to.add_if(*is_strong, format_args!("strong&hit:{rank}"));
        to.add(format_args!("hit-probability:{probability:.1}"));
        to.add(format_args!("behind:{:.1}", fit.behind));
        to.add(format_args!("behind:{:.1}&{kind}", fit.behind));
        to.add(format_args!("similarity:{:.1}&{kind}", fit.similarity));
        to.add(format_args!("verb:{verb}"));
        to.add(format_args!("kind:{kind}"));
        to.add_if(candidate.by_rule, format_args!("by-rule"));
        to.add(format_args!("gate:{kind}:{:.1}", candidate.probability));
        let [effect, cause, rest, missing] = fit.words;
        to.add(format_args!("effect-words:{kind}:{}", quarter(effect)));
        to.add(format_args!("cause-words:{}", quarter(cause)));
        to.add(format_args!("rest-words:{}", quarter(rest)));
        to.add(format_args!("missing-words:{}", quarter(missing)));
        to.add(format_args!("missing-words:{}&effect-words:{}", quarter(missing), quarter(effect)));
        to.add(format_args!("missing-words:{}&hit-probability:{probability:.1}", quarter(missing)));
        to.add_if(effect > cause, format_args!("more-in-effect:{kind}"));
        let [effect, cause] = fit.cosines;
        to.add(format_args!("effect-cosine:{effect:.1}"));
        to.add(format_args!("cause-cosine:{cause:.1}"));
        to.add(format_args!("closer:{:.1}", effect - cause));
        let [effect, cause] = fit.ranks.map(|rank| rank.min(MOST_RANKED));
        to.add(format_args!("effect-rank:{effect}"));
        to.add(format_args!("effect-rank:{effect}&{verb}"));
        to.add(format_args!("effect-rank:{effect}&hit:{rank}"));
        to.add(format_args!("cause-rank:{cause}"));
        let whose = match &candidate.feeling {
            Some(felt) if felt.own => "own",
            Some(_) => "another",
            None => "none",
        };
        let asks = if fit.asks_feeling { "feeling" } else { "fact" };
        to.add(format_args!("feels:{whose}&asks:{asks}"));
        to.add(format_args!("feels:{whose}&asks:{asks}&{kind}"));
        to.add_if(fit.same_feeling, format_args!("same-feeling:{whose}"));
        if let Some(same) = fit.same_sign {
            to.add(format_args!("same-sign:{same}"));
        }
        let [cause, effect] = fit.lengths.map(|words| words.min(32).next_power_of_two());
        to.add(format_args!("cause-length:{cause}"));
        to.add(format_args!("effect-length:{effect}"));
        to.add(format_args!("asks:{asks}&{verb}"));
    }
}

/// A share as a coarse step.
fn quarter(share: f32) -> u32 {
    (share * 4.0).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_pieces_becomes_whole_words() {
        let whole = |text: &str, words: &str| {
            let start = text.find(words).unwrap();
            whole_words(text, &(start..start + words.len())).map(|span| text[span].to_owned())
        };
        assert_eq!(whole("late, the unhappy driver slept", "happy driv").unwrap(), "unhappy driver");
        assert_eq!(whole("a new one b/c the cat was sick on it.", "c the cat was sick").unwrap(), "the cat was sick");
        assert_eq!(whole("she said \"no\" again", "\"no\"").unwrap(), "no");
        assert_eq!(whole("và mưa suốt đêm", "ưa suốt đ").unwrap(), "mưa suốt đêm");
        assert_eq!(whole("well ... yes", "..."), None);
    }
}
