//! Extractive question answering by cross-encoding of a question and a text: for each piece of the text the logits that the
//! cause or the effect asked about begins or ends there.
//!
//! The adapters of [`super::adapted_reader`] are fitted by `models/train/fine_tune_answers.py`. A row of tokens is `[CLS]`, the question, `[SEP]`, the text,
//! `[SEP]`; a vector marks those of the text. The first token stands for "no answer" (Devlin et al. 2019, SQuAD 2).

use std::path::Path;

use candle_core::Tensor;

use super::{
    AnswerReader, EmbedError, Pointers,
    adapted_reader::{AdaptedReader, row, shaped},
    bert::Row,
    reader::{ReaderCard, ReaderTokens},
};

/// For messages.
const MODEL: &str = "answers of kioku-reader";
/// Rows of the tensor `pointers`.
const POINTED: usize = 4;

pub(super) struct LowRankReader {
    reader: AdaptedReader,
    head: Head,
}

struct Head {
    /// Added to the tokens of the text.
    of_text: Vec<f32>,
    /// One row each for the first and the last piece of the cause and of the effect.
    pointers: Tensor,
    /// Added to the logits of "no answer".
    nowhere: Vec<f32>,
}

impl LowRankReader {
    /// Of the files of the encoder, and of the changes to it. `origin` is for messages.
    pub(super) fn of_bytes(
        card: &ReaderCard,
        weights: &[u8],
        changes: &[u8],
        tokens: ReaderTokens,
        origin: &Path,
    ) -> Result<Self, EmbedError> {
        let (reader, head) = AdaptedReader::of_bytes(MODEL, card, weights, changes, tokens, origin, |changes| {
            Ok(Head {
                of_text: row(changes, "of_text", card.dimension)?,
                pointers: shaped(changes, "pointers", (POINTED, card.dimension))?.clone(),
                nowhere: row(changes, "nowhere", POINTED)?,
            })
        })?;
        Ok(Self { reader, head })
    }

    /// The pieces of a text that is read behind the tokens of a question.
    fn point_at(&self, question: &Row, text: &Row) -> Result<Pointers, EmbedError> {
        let before = question.ids.len();
        let count = (text.ids.len() - 1).min(self.reader.longest().saturating_sub(before));
        let ids: Vec<u32> = question.ids.iter().chain(&text.ids[1..=count]).copied().collect();
        let logits = self.reader.project(&ids, &self.head.pointers, |at, vector| {
            if at >= before {
                vector.iter_mut().zip(&self.head.of_text).for_each(|(x, more)| *x += more);
            }
        })?;
        let logits = |at: usize| -> [f32; POINTED] { std::array::from_fn(|pointer| logits[at][pointer]) };
        let mut nowhere = logits(0);
        nowhere.iter_mut().zip(&self.head.nowhere).for_each(|(logit, more)| *logit += more);
        let mut found = Pointers::default();
        for (at, place) in (before..).zip(&text.places[1..=count]) {
            let Some(span) = place else { continue };
            let mut logits = logits(at);
            logits.iter_mut().zip(nowhere).for_each(|(logit, nowhere)| *logit -= nowhere);
            found.spans.push(span.clone());
            found.logits.push(logits);
        }
        Ok(found)
    }
}

impl AnswerReader for LowRankReader {
    fn point(&self, question: &str, texts: &[&str]) -> Result<Vec<Pointers>, EmbedError> {
        let Some(question) = self.reader.row(question)? else { return Ok(vec![Pointers::default(); texts.len()]) };
        self.reader.each(texts, |text| match self.reader.row(text)? {
            Some(text) => self.point_at(&question, &text),
            None => Ok(Pointers::default()),
        })
    }
}

#[cfg(test)]
#[path = "answer_reader_tests.rs"]
mod tests;
