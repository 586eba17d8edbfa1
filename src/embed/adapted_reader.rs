//! The bundled encoder with LoRA adapters (Hu et al. 2021, <https://arxiv.org/abs/2106.09685>) in every product.

use std::{collections::HashMap, path::Path};

use candle_core::{Device, Tensor};

use super::{
    EmbedError, Result,
    bert::{
        Row, Tokens, Wanted, Workers,
        forward::{Bert, Inference},
    },
    loaded,
    reader::{ReaderCard, ReaderTokens, TokenRows, tensors},
};

/// Products of a layer, each with an adapter.
const PRODUCTS: usize = 6;

/// What reads the last layer: further tensors among the changes.
pub trait Head: Sized {
    /// Name of the model, for messages.
    const MODEL: &'static str;

    /// `dimension`: numbers of a token's vector.
    fn of(changes: &HashMap<String, Tensor>, dimension: usize) -> candle_core::Result<Self>;
}

/// Weights, expanded to f32: 42 MB.
pub struct AdaptedReader<H> {
    pub(super) head: H,
    rows: TokenRows,
    bert: Bert,
    tokens: ReaderTokens,
    workers: Workers,
}

impl<H: Head> AdaptedReader<H> {
    /// Of the files of the encoder, and of the changes to it. `origin` is for messages.
    pub(super) fn of_bytes(
        card: &ReaderCard,
        weights: &[u8],
        changes: &[u8],
        tokens: ReaderTokens,
        origin: &Path,
    ) -> Result<Self> {
        let load = || -> candle_core::Result<Self> {
            let (rows, mut tensors, changes) =
                (TokenRows::of_card(card, weights)?, tensors(weights)?, tensors(changes)?);
            let mut count = 0;
            for (name, weight) in &mut tensors {
                let Some(part) = name.strip_suffix(".weight") else { continue };
                let [down, up] = ["down", "up"].map(|half| changes.get(&format!("{part}.{half}")));
                if let (Some(down), Some(up)) = (down, up) {
                    // A rank that is no multiple of a group of four-bit numbers is stored the other way round.
                    let up = if up.dims()[0] == down.dims()[0] { up.t()? } else { up.clone() };
                    *weight = (&*weight + up.matmul(down)?)?;
                    count += 1;
                }
            }
            if count != PRODUCTS * card.layers {
                return Err(candle_core::Error::Msg(format!("{count} products have an adapter")));
            }
            let bert = Bert::new(card.heads, card.layers, &tensors)?;
            let head = H::of(&changes, card.dimension)?;
            Ok(Self { head, rows, bert, tokens, workers: Workers::default() })
        };
        loaded(origin, "the encoder", load)
    }

    /// The result of `work` for each text, on all cores.
    pub(super) fn each<T: Send>(&self, texts: &[&str], work: impl Fn(&str) -> Result<T> + Sync) -> Result<Vec<T>> {
        self.workers.each(H::MODEL, texts, |text| work(text))
    }

    /// The tokens of a text; `None` where it has no known word.
    pub(super) fn row(&self, text: &str) -> Result<Option<Row>> {
        self.tokens.row("", text, Wanted::Pieces).map_err(|why| EmbedError::model(H::MODEL, why))
    }

    /// Tokens of the longest row.
    pub(super) fn longest(&self) -> usize {
        self.tokens.longest
    }

    /// The last layer's vectors in rows of the products with each row of `by` (products x dimension). `change` may change the
    /// vector of a token, named by its place, before the first layer.
    pub(super) fn project(
        &self,
        ids: &[u32],
        by: &Tensor,
        change: impl Fn(usize, &mut [f32]),
    ) -> Result<Vec<Vec<f32>>> {
        let dimension = self.rows.dimension;
        let mut vectors = vec![0f32; ids.len() * dimension];
        for (at, (id, vector)) in ids.iter().zip(vectors.chunks_exact_mut(dimension)).enumerate() {
            self.rows.expand(*id, vector);
            change(at, vector);
        }
        let run = || {
            let vectors = Tensor::from_vec(vectors, (1, ids.len(), dimension), &Device::Cpu)?;
            self.bert.hidden::<Inference>(&vectors, &[ids.len()])?.squeeze(0)?.matmul(&by.t()?)?.to_vec2()
        };
        run().map_err(|error: candle_core::Error| EmbedError::model(H::MODEL, error))
    }
}

/// The tensor of this name and shape.
pub(super) fn shaped<'t>(
    tensors: &'t HashMap<String, Tensor>,
    name: &str,
    shape: (usize, usize),
) -> candle_core::Result<&'t Tensor> {
    let tensor = tensors.get(name).filter(|tensor| tensor.dims() == [shape.0, shape.1]);
    tensor.ok_or_else(|| candle_core::Error::Msg(format!("there is no {name} of {shape:?} numbers")))
}

/// The numbers of the only row of a tensor.
pub(super) fn row(tensors: &HashMap<String, Tensor>, name: &str, size: usize) -> candle_core::Result<Vec<f32>> {
    shaped(tensors, name, (1, size))?.flatten_all()?.to_vec1()
}
