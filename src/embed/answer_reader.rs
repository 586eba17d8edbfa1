//! Extractive question answering by cross-encoding of a question and a text: for each piece of the text the logits that the
//! cause or the effect asked about begins or ends there.
//!
//! The adapters of [`super::adapted_reader`] are fitted by `models/train/fine_tune_answers.py`. A row of tokens is `[CLS]`,
//! the question, `[SEP]`, the text, `[SEP]`. A learned vector is added to the tokens of the text. The first token stands for
//! "no answer", as for SQuAD 2 (Devlin et al. 2019).

use std::collections::HashMap;

use candle_core::Tensor;

use super::{
    Pointers, Result,
    adapted_reader::{AdaptedReader, Head, row, shaped},
    bert::Row,
};

/// Rows of the tensor `pointers`.
const POINTED: usize = 4;

/// Reads a question together with texts.
pub type AnswerReader = AdaptedReader<AnswerHead>;

pub struct AnswerHead {
    /// Added to the tokens of the text.
    of_text: Vec<f32>,
    /// One row each for the first and the last piece of the cause and of the effect.
    pointers: Tensor,
    /// Added to the logits of "no answer".
    nowhere: Vec<f32>,
}

impl Head for AnswerHead {
    const MODEL: &'static str = "answers of kioku-reader";

    fn of(changes: &HashMap<String, Tensor>, dimension: usize) -> candle_core::Result<Self> {
        Ok(Self {
            of_text: row(changes, "of_text", dimension)?,
            pointers: shaped(changes, "pointers", (POINTED, dimension))?.clone(),
            nowhere: row(changes, "nowhere", POINTED)?,
        })
    }
}

impl AnswerReader {
    /// Span logits of each text for a why question; empty for a text without known words.
    pub fn point(&self, question: &str, texts: &[&str]) -> Result<Vec<Pointers>> {
        let Some(question) = self.row(question)? else { return Ok(vec![Pointers::default(); texts.len()]) };
        self.each(texts, |text| match self.row(text)? {
            Some(text) => self.point_at(&question, &text),
            None => Ok(Pointers::default()),
        })
    }

    /// The pieces of a text that is read behind the tokens of a question.
    fn point_at(&self, question: &Row, text: &Row) -> Result<Pointers> {
        let before = question.ids.len();
        let count = (text.ids.len() - 1).min(self.longest().saturating_sub(before));
        let ids: Vec<u32> = question.ids.iter().chain(&text.ids[1..=count]).copied().collect();
        let logits = self.project(&ids, &self.head.pointers, |at, vector| {
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

#[cfg(test)]
#[path = "answer_reader_tests.rs"]
mod tests;
