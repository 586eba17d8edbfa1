//! Extractive question answering by cross-encoding of a question and a text: for each piece of the text the logits that the
//! cause or the effect asked about begins or ends there.
//!
//! The weights are those of [`super::reader`] with LoRA adapters (Hu et al. 2021, <https://arxiv.org/abs/2106.09685>) in every
//! product, fitted by `models/train/fine_tune_answers.py`. A row of tokens is `[CLS]`, the question, `[SEP]`, the text,
//! `[SEP]`; a vector marks those of the text. The first token stands for "no answer" (Devlin et al. 2019, SQuAD 2).

use std::{collections::HashMap, path::Path};

use candle_core::{Device, Tensor};

use super::{
    AnswerReader, EmbedError, Pointers,
    bert::{
        Row, Tokens, Wanted, Workers,
        forward::{Bert, Inference},
    },
    loaded,
    reader::{ReaderCard, ReaderTokens, TokenRows, tensors},
};

/// For messages.
const MODEL: &str = "answers of kioku-reader";
/// Rows of the tensor `pointers`.
const POINTED: usize = 4;
/// Products of a layer, each with an adapter.
const PRODUCTS: usize = 6;

/// Weights, expanded to f32.
pub(super) struct LowRankReader {
    rows: TokenRows,
    bert: Bert,
    /// Added to the tokens of the text.
    of_text: Vec<f32>,
    /// One vector each for the first and the last piece of the cause and of the effect.
    pointers: [Vec<f32>; POINTED],
    /// Added to the logits of "no answer".
    nowhere: Vec<f32>,
    tokens: ReaderTokens,
    workers: Workers,
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
        let load = || -> candle_core::Result<Self> {
            let (rows, mut tensors, changes) =
                (TokenRows::of_card(card, weights)?, tensors(weights)?, tensors(changes)?);
            let mut count = 0;
            for (name, weight) in &mut tensors {
                let Some(part) = name.strip_suffix(".weight") else { continue };
                let [down, up] = ["down", "up"].map(|half| changes.get(&format!("{part}.{half}")));
                if let (Some(down), Some(up)) = (down, up) {
                    *weight = (&*weight + up.matmul(down)?)?;
                    count += 1;
                }
            }
            if count != PRODUCTS * card.layers {
                return Err(candle_core::Error::Msg(format!("{count} products have an adapter")));
            }
            let pointers = row_vectors(&changes, "pointers", card.dimension)?;
            Ok(Self {
                rows,
                bert: Bert::new(card.heads, card.layers, &tensors)?,
                of_text: row_vectors(&changes, "of_text", card.dimension)?.concat(),
                pointers: pointers.try_into().map_err(|_| candle_core::Error::Msg("not four pointers".to_owned()))?,
                nowhere: row_vectors(&changes, "nowhere", POINTED)?.concat(),
                tokens,
                workers: Workers::default(),
            })
        };
        loaded(origin, "the encoder", load)
    }

    fn row(&self, text: &str) -> Result<Option<Row>, EmbedError> {
        self.tokens.row("", text, Wanted::Pieces).map_err(failed)
    }

    /// The pieces of a text that is read behind the tokens of a question.
    fn point_at(&self, question: &Row, text: &Row) -> candle_core::Result<Pointers> {
        let (before, dimension) = (question.ids.len(), self.rows.dimension());
        let count = (text.ids.len() - 1).min(self.tokens.longest().saturating_sub(before));
        let of_text = &text.ids[1..=count];
        let ids: Vec<u32> = question.ids.iter().chain(of_text).copied().collect();
        let mut vectors = vec![0f32; ids.len() * dimension];
        for (at, (id, vector)) in ids.iter().zip(vectors.chunks_exact_mut(dimension)).enumerate() {
            self.rows.expand(*id, vector);
            if at >= before {
                vector.iter_mut().zip(&self.of_text).for_each(|(x, more)| *x += more);
            }
        }
        let vectors = Tensor::from_vec(vectors, (1, ids.len(), dimension), &Device::Cpu)?;
        let hidden: Vec<f32> = self.bert.hidden::<Inference>(&vectors, &[ids.len()])?.flatten_all()?.to_vec1()?;
        let logits = |at: usize| {
            let vector = &hidden[at * dimension..][..dimension];
            self.pointers.each_ref().map(|pointer| pointer.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>())
        };
        let mut nowhere = logits(0);
        nowhere.iter_mut().zip(&self.nowhere).for_each(|(logit, more)| *logit += more);
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
        let Some(question) = self.row(question)? else { return Ok(vec![Pointers::default(); texts.len()]) };
        self.workers.each(MODEL, texts, |text| match self.row(text)? {
            Some(text) => self.point_at(&question, &text).map_err(failed),
            None => Ok(Pointers::default()),
        })
    }
}

fn failed(reason: impl std::fmt::Display) -> EmbedError {
    EmbedError::Model { model: MODEL.to_owned(), reason: reason.to_string() }
}

/// The rows of a tensor, each of `size` numbers.
fn row_vectors(tensors: &HashMap<String, Tensor>, name: &str, size: usize) -> candle_core::Result<Vec<Vec<f32>>> {
    let tensor = tensors.get(name).filter(|tensor| tensor.dims().last() == Some(&size));
    tensor.ok_or_else(|| candle_core::Error::Msg(format!("there is no {name} of {size} numbers")))?.to_vec2()
}

#[cfg(test)]
#[path = "answer_reader_tests.rs"]
mod tests;
