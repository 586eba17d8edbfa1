//! Reader of the claims of a text, in one pass: whether a feeling word is the writer's own, what brought about an effect, and
//! what the writer feels.
//!
//! The adapters of [`super::adapted_reader`] are fitted by `models/train/fine_tune_claims.py`. A row of tokens is `[CLS]`, the text,
//! `[SEP]`. A cause is pointed at from its effect: the logit that it begins (ends) at a token is the product of a projection of
//! that token and one of the effect's mean (biaffine attention, Dozat and Manning 2017, without its linear terms); `[CLS]` stands
//! for "not told". Feelings are a softmax over families and none, each with attention pooling of its own.

use std::{ops::Range, path::Path};

use candle_core::Tensor;

use super::{
    ClaimReader, EmbedError,
    adapted_reader::{AdaptedReader, row, shaped},
    reader::{ReaderCard, ReaderTokens},
};

/// For messages.
const MODEL: &str = "claims of kioku-reader";
/// Families of feelings, and none of them, in the order of the head.
pub const FEELINGS: [&str; 11] =
    ["joy", "love", "calm", "sadness", "anger", "fear", "shame", "tired", "surprise", "disgust", NO_FEELING];
pub const NO_FEELING: &str = "none";
/// Numbers of a projection: of the begin of a cause, and of its end.
const WIDTH: usize = 64;
/// Maximum number of tokens of a cause.
const LONGEST_CAUSE: usize = 30;

pub(super) struct BiaffineReader {
    reader: AdaptedReader,
    head: Head,
}

struct Head {
    /// The rows of [`PARTS`], one after another.
    rows: Tensor,
    /// Added to the logits of "not told".
    untold: Vec<f32>,
    own_bias: f32,
    /// Of each feeling.
    bias: Vec<f32>,
}

/// The projections of a token, with their lengths: of an effect and of a cause; whether a feeling word is the writer's own, as
/// the word and as `[CLS]`; attention and value of each feeling.
const PARTS: [(&str, usize); 5] =
    [("ask", 2 * WIDTH), ("key", 2 * WIDTH), ("own", 2), ("look", FEELINGS.len()), ("say", FEELINGS.len())];

/// The products of a token with the rows of a part.
fn part(token: &[f32], part: usize) -> &[f32] {
    let start: usize = PARTS[..part].iter().map(|(_, length)| length).sum();
    &token[start..start + PARTS[part].1]
}

/// One pass over a text. Byte ranges are of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimReading {
    /// Each piece that was read; a long text is cut.
    spans: Vec<Range<usize>>,
    /// Projections of `[CLS]`, then of each piece.
    asks: Vec<Vec<f32>>,
    keys: Vec<Vec<f32>>,
    untold: Vec<f32>,
    /// Of each piece, without what is the same for all.
    own: Vec<f32>,
    own_of_text: f32,
    /// Probabilities of [`FEELINGS`], which are one choice.
    pub feelings: [f32; FEELINGS.len()],
}

/// A cause that a reading points at.
#[derive(Debug, Clone, PartialEq)]
pub struct PointedCause {
    pub span: Range<usize>,
    /// Of begin and end.
    pub log_probability: f32,
}

impl BiaffineReader {
    /// Of the files of the encoder, and of the changes to it. `origin` is for messages.
    pub(super) fn of_bytes(
        card: &ReaderCard,
        weights: &[u8],
        changes: &[u8],
        tokens: ReaderTokens,
        origin: &Path,
    ) -> Result<Self, EmbedError> {
        let (reader, head) = AdaptedReader::of_bytes(MODEL, card, weights, changes, tokens, origin, |changes| {
            let rows: Vec<&Tensor> = PARTS
                .iter()
                .map(|(name, length)| shaped(changes, name, (*length, card.dimension)))
                .collect::<candle_core::Result<_>>()?;
            Ok(Head {
                rows: Tensor::cat(&rows, 0)?,
                untold: row(changes, "untold", 2)?,
                own_bias: row(changes, "own_bias", 1)?[0],
                bias: row(changes, "bias", FEELINGS.len())?,
            })
        })?;
        Ok(Self { reader, head })
    }

    fn read(&self, text: &str) -> Result<Option<ClaimReading>, EmbedError> {
        let Some(row) = self.reader.row(text)? else { return Ok(None) };
        let mut tokens = self.reader.project(&row.ids, &self.head.rows, |_, _| {})?;
        // `[SEP]` tells nothing.
        tokens.pop();
        let of = |which: usize| tokens.iter().map(|token| part(token, which).to_vec()).collect();
        Ok(Some(ClaimReading {
            spans: row.places.iter().flatten().cloned().collect(),
            asks: of(0),
            keys: of(1),
            untold: self.head.untold.clone(),
            own: tokens[1..].iter().map(|token| part(token, 2)[0]).collect(),
            own_of_text: part(&tokens[0], 2)[1] + self.head.own_bias,
            feelings: self.head.feelings(&tokens),
        }))
    }
}

impl Head {
    fn feelings(&self, tokens: &[Vec<f32>]) -> [f32; FEELINGS.len()] {
        let logit = |at: usize| {
            let mut attention: Vec<f32> = tokens.iter().map(|token| part(token, 3)[at]).collect();
            // `[SEP]` counts as a token of zeros.
            attention.push(0.0);
            softmax(&mut attention);
            let values = tokens.iter().map(|token| part(token, 4)[at]);
            self.bias[at] + attention.iter().zip(values).map(|(share, value)| share * value).sum::<f32>()
        };
        let mut logits: [f32; FEELINGS.len()] = std::array::from_fn(logit);
        softmax(&mut logits);
        logits
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

impl ClaimReading {
    /// The end of the last piece that was read.
    pub fn end(&self) -> usize {
        self.spans.last().map_or(0, |span| span.end)
    }

    /// The pieces that a byte range touches.
    fn pieces(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let first = self.spans.partition_point(|span| span.end <= bytes.start);
        let behind = self.spans.partition_point(|span| span.start < bytes.end);
        (first < behind).then_some(first..behind)
    }

    /// The logit that the writer feels what a word says.
    pub fn own(&self, word: &Range<usize>) -> Option<f32> {
        let pieces = self.pieces(word)?;
        let count = pieces.len() as f32;
        Some(self.own_of_text + self.own[pieces].iter().sum::<f32>() / count)
    }

    /// The logits that the cause of an effect begins and ends at each piece, behind those of "not told".
    fn point_from(&self, effect: &Range<usize>) -> Option<[Vec<f32>; 2]> {
        let pieces = self.pieces(effect)?;
        let count = pieces.len() as f32;
        let mut asked = vec![0f32; 2 * WIDTH];
        for ask in &self.asks[pieces.start + 1..=pieces.end] {
            asked.iter_mut().zip(ask).for_each(|(sum, x)| *sum += x / count);
        }
        Some([0, 1].map(|side| {
            let part = side * WIDTH..(side + 1) * WIDTH;
            let mut logits: Vec<f32> =
                self.keys.iter().map(|key| dot(&asked[part.clone()], &key[part.clone()])).collect();
            logits[0] += self.untold[side];
            logits
        }))
    }

    /// The logit that `cause` brought about `effect`, against that no cause is told.
    pub fn cause(&self, cause: &Range<usize>, effect: &Range<usize>) -> Option<f32> {
        let pieces = self.pieces(cause)?;
        let [begin, end] = self.point_from(effect)?;
        Some(begin[pieces.start + 1] + end[pieces.end] - begin[0] - end[0])
    }

    /// The likeliest cause of an effect.
    pub fn cause_of(&self, effect: &Range<usize>) -> Option<PointedCause> {
        let mut sides = self.point_from(effect)?;
        for side in &mut sides {
            // `[SEP]` counts as a token of zeros.
            let most = side.iter().copied().fold(0.0, f32::max);
            let all = ((-most).exp() + side.iter().map(|logit| (logit - most).exp()).sum::<f32>()).ln() + most;
            side.iter_mut().for_each(|logit| *logit -= all);
        }
        let [begin, end] = sides;
        let spans = (1..begin.len())
            .flat_map(|first| (first..end.len().min(first + LONGEST_CAUSE)).map(move |last| (first, last)));
        let (first, last) = spans.max_by(|a, b| (begin[a.0] + end[a.1]).total_cmp(&(begin[b.0] + end[b.1])))?;
        Some(PointedCause {
            span: self.spans[first - 1].start..self.spans[last - 1].end,
            log_probability: begin[first] + end[last],
        })
    }
}

impl ClaimReader for BiaffineReader {
    fn read_claims(&self, texts: &[&str]) -> Result<Vec<Option<ClaimReading>>, EmbedError> {
        self.reader.each(texts, |text| self.read(text))
    }
}

#[cfg(test)]
#[path = "claim_reader_tests.rs"]
mod tests;
