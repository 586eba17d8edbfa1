//! What one pass over a text tells of claims about it: whether a feeling word is the writer's own, what brought about an
//! effect, and what the writer feels.
//!
//! The adapters of [`super::adapted_reader`] are fitted by `models/train/fine_tune_claims.py`. A row of tokens is `[CLS]`, the text,
//! `[SEP]`. A cause is pointed at from its effect: the logit that it begins (ends) at a token is the product of a projection of
//! that token and one of the effect's mean (biaffine attention, Dozat and Manning 2017, without its linear terms); `[CLS]` stands
//! for "not told". Feelings are a softmax over families and none, each with attention pooling of its own.

use std::{ops::Range, path::Path};

use super::{
    ClaimReader, EmbedError,
    adapted_reader::{AdaptedReader, dot, row_vectors},
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
    /// Of an effect.
    ask: Vec<Vec<f32>>,
    /// Of a token of the cause.
    key: Vec<Vec<f32>>,
    /// Added to the logits of "not told".
    untold: Vec<f32>,
    /// Of a feeling word and of `[CLS]`, and a bias.
    own: [Vec<f32>; 2],
    own_bias: f32,
    /// Attention and value of each feeling, and a bias.
    look: Vec<Vec<f32>>,
    say: Vec<Vec<f32>>,
    bias: Vec<f32>,
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
            let size = card.dimension;
            let own: Vec<f32> = row_vectors(changes, "own", size)?.concat();
            Ok(Head {
                ask: row_vectors(changes, "ask", size)?,
                key: row_vectors(changes, "key", size)?,
                untold: row_vectors(changes, "untold", 2)?.concat(),
                own: [own[..size].to_vec(), own[size..].to_vec()],
                own_bias: row_vectors(changes, "own_bias", 1)?[0][0],
                look: row_vectors(changes, "look", size)?,
                say: row_vectors(changes, "say", size)?,
                bias: row_vectors(changes, "bias", FEELINGS.len())?.concat(),
            })
        })?;
        Ok(Self { reader, head })
    }

    fn read(&self, text: &str) -> Result<Option<ClaimReading>, EmbedError> {
        let Some(row) = self.reader.row(text)? else { return Ok(None) };
        let hidden = self.reader.hidden(&row.ids, |_, _| {})?;
        // `[SEP]` tells nothing.
        let hidden: Vec<&[f32]> =
            hidden.chunks_exact(self.reader.dimension()).take(row.ids.len().saturating_sub(1)).collect();
        let project = |by: &[Vec<f32>]| -> Vec<Vec<f32>> {
            hidden.iter().map(|token| by.iter().map(|row| dot(row, token)).collect()).collect()
        };
        let head = &self.head;
        Ok(Some(ClaimReading {
            spans: row.places.iter().flatten().cloned().collect(),
            asks: project(&head.ask),
            keys: project(&head.key),
            untold: head.untold.clone(),
            own: hidden[1..].iter().map(|token| dot(&head.own[0], token)).collect(),
            own_of_text: dot(&head.own[1], hidden[0]) + head.own_bias,
            feelings: head.feelings(&hidden),
        }))
    }
}

impl Head {
    fn feelings(&self, hidden: &[&[f32]]) -> [f32; FEELINGS.len()] {
        let logit = |at: usize| {
            let mut attention: Vec<f32> = hidden.iter().map(|token| dot(&self.look[at], token)).collect();
            // `[SEP]` counts as a token of zeros.
            attention.push(0.0);
            softmax(&mut attention);
            let values = hidden.iter().map(|token| dot(&self.say[at], token));
            self.bias[at] + attention.iter().zip(values).map(|(share, value)| share * value).sum::<f32>()
        };
        let mut logits: [f32; FEELINGS.len()] = std::array::from_fn(logit);
        softmax(&mut logits);
        logits
    }
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
            let mut logits: Vec<f32> = self.keys.iter().map(|key| dot(&asked[part.clone()], &key[part.clone()])).collect();
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
        let spans = (1..begin.len()).flat_map(|first| {
            (first..end.len().min(first + LONGEST_CAUSE)).map(move |last| (first, last))
        });
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
