//! Reader of the claims of a text, in one pass: whether a feeling word is the writer's own, what brought about an effect, and
//! what the writer feels.
//!
//! The adapters of [`super::adapted_reader`] are fitted by `models/train/fine_tune_claims.py`. A row of tokens is `[CLS]`, the text,
//! `[SEP]`. A cause is pointed at from its effect: the logit that it begins (ends) at a token is the product of a projection of
//! that token and one of the effect's mean (biaffine attention, Dozat and Manning 2017, without its linear terms); `[CLS]` stands
//! for "not told". Feelings are a softmax over families and none, each with attention pooling of its own.

use std::{collections::HashMap, ops::Range};

use candle_core::Tensor;

use super::{
    Result,
    adapted_reader::{AdaptedReader, Head, row, shaped},
};

/// Families of feelings, and none of them, in the order of the head.
pub const FEELINGS: [&str; 11] =
    ["joy", "love", "calm", "sadness", "anger", "fear", "shame", "tired", "surprise", "disgust", NO_FEELING];
pub const NO_FEELING: &str = "none";
/// Numbers of a projection: of the begin of a cause, and of its end.
const WIDTH: usize = 64;
/// Maximum number of tokens of a cause.
const LONGEST_CAUSE: usize = 30;

/// Reads what a text tells of claims about it.
pub type ClaimReader = AdaptedReader<ClaimHead>;

pub struct ClaimHead {
    /// The projections of a token: the rows of [`PARTS`], one after another.
    rows: Tensor,
    /// Added to the logits of "not told".
    untold: Vec<f32>,
    own_bias: f32,
    /// Of each feeling.
    bias: Vec<f32>,
}

/// Tensors of the projections, with their rows.
const PARTS: [(&str, Range<usize>); 5] = [("ask", ASK), ("key", KEY), ("own", OWN), ("look", LOOK), ("say", SAY)];
/// Of an effect, and of a token of its cause.
const ASK: Range<usize> = 0..2 * WIDTH;
const KEY: Range<usize> = ASK.end..ASK.end + 2 * WIDTH;
/// Whether a feeling is the writer's own: of the feeling word, and of `[CLS]`.
const OWN: Range<usize> = KEY.end..KEY.end + 2;
/// Attention and value of each feeling.
const LOOK: Range<usize> = OWN.end..OWN.end + FEELINGS.len();
const SAY: Range<usize> = LOOK.end..LOOK.end + FEELINGS.len();

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

impl Head for ClaimHead {
    const MODEL: &'static str = "claims of kioku-reader";

    fn of(changes: &HashMap<String, Tensor>, dimension: usize) -> candle_core::Result<Self> {
        let rows = PARTS.iter().map(|(name, rows)| shaped(changes, name, (rows.len(), dimension)));
        Ok(Self {
            rows: Tensor::cat(&rows.collect::<candle_core::Result<Vec<_>>>()?, 0)?,
            untold: row(changes, "untold", 2)?,
            own_bias: row(changes, "own_bias", 1)?[0],
            bias: row(changes, "bias", FEELINGS.len())?,
        })
    }
}

impl ClaimReader {
    /// One reading of each text, of its first pieces where it is long; `None` for a text without known words.
    pub fn read_claims(&self, texts: &[&str]) -> Result<Vec<Option<ClaimReading>>> {
        self.each(texts, |text| self.read(text))
    }

    fn read(&self, text: &str) -> Result<Option<ClaimReading>> {
        let Some(row) = self.row(text)? else { return Ok(None) };
        let mut tokens = self.project(&row.ids, &self.head.rows, |_, _| {})?;
        // `[SEP]` tells nothing.
        tokens.pop();
        let of = |part: Range<usize>| tokens.iter().map(|token| token[part.clone()].to_vec()).collect();
        Ok(Some(ClaimReading {
            spans: row.places.iter().flatten().cloned().collect(),
            asks: of(ASK),
            keys: of(KEY),
            untold: self.head.untold.clone(),
            own: tokens[1..].iter().map(|token| token[OWN.start]).collect(),
            own_of_text: tokens[0][OWN.end - 1] + self.head.own_bias,
            feelings: self.head.feelings(&tokens),
        }))
    }
}

impl ClaimHead {
    fn feelings(&self, tokens: &[Vec<f32>]) -> [f32; FEELINGS.len()] {
        let logit = |at: usize| {
            let mut attention: Vec<f32> = tokens.iter().map(|token| token[LOOK.start + at]).collect();
            // `[SEP]` counts as a token of zeros.
            attention.push(0.0);
            softmax(&mut attention);
            let values = tokens.iter().map(|token| token[SAY.start + at]);
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

#[cfg(test)]
#[path = "claim_reader_tests.rs"]
mod tests;
