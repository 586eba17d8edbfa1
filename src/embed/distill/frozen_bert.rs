//! A BERT encoder whose weights stay as they are, with gradients to the vectors of its tokens.
//!
//! candle's own model computes its layer norm in one fused step, which has no gradient, and its products compute the gradient
//! of the weights too, which nobody needs here.

use std::collections::HashMap;

use candle_core::{CpuStorage, CustomOp1, D, Device, Layout, Result, Shape, Tensor};

use crate::embed::reader::ReaderCard;

const NORM_EPSILON: f64 = 1e-12;
/// Added to the scores of padding.
const NEVER: f32 = -1e9;

/// All weights but the rows of the tokens.
pub struct FrozenBert {
    heads: usize,
    /// Of each place, with that of the first token type.
    positions: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Tensor,
    query_bias: Tensor,
    key: Tensor,
    key_bias: Tensor,
    value: Tensor,
    value_bias: Tensor,
    output: Tensor,
    output_bias: Tensor,
    output_norm: Norm,
    inner: Tensor,
    inner_bias: Tensor,
    outer: Tensor,
    outer_bias: Tensor,
    outer_norm: Norm,
}

struct Norm {
    scale: Tensor,
    shift: Tensor,
}

impl FrozenBert {
    /// Of weights by the names of their file.
    pub fn new(card: &ReaderCard, tensors: &HashMap<String, Tensor>) -> Result<Self> {
        let tensor = |name: &str| {
            tensors.get(name).cloned().ok_or_else(|| candle_core::Error::Msg(format!("the model has no {name}")))
        };
        let norm = |name: &str| -> Result<Norm> {
            Ok(Norm { scale: tensor(&format!("{name}.weight"))?, shift: tensor(&format!("{name}.bias"))? })
        };
        let layer = |at: usize| -> Result<Layer> {
            let of = |name: &str| tensor(&format!("encoder.layer.{at}.{name}"));
            Ok(Layer {
                query: of("attention.self.query.weight")?,
                query_bias: of("attention.self.query.bias")?,
                key: of("attention.self.key.weight")?,
                key_bias: of("attention.self.key.bias")?,
                value: of("attention.self.value.weight")?,
                value_bias: of("attention.self.value.bias")?,
                output: of("attention.output.dense.weight")?,
                output_bias: of("attention.output.dense.bias")?,
                output_norm: norm(&format!("encoder.layer.{at}.attention.output.LayerNorm"))?,
                inner: of("intermediate.dense.weight")?,
                inner_bias: of("intermediate.dense.bias")?,
                outer: of("output.dense.weight")?,
                outer_bias: of("output.dense.bias")?,
                outer_norm: norm(&format!("encoder.layer.{at}.output.LayerNorm"))?,
            })
        };
        let kind = tensor("embeddings.token_type_embeddings.weight")?.narrow(0, 0, 1)?;
        Ok(Self {
            heads: card.heads,
            positions: tensor("embeddings.position_embeddings.weight")?.broadcast_add(&kind)?,
            norm: norm("embeddings.LayerNorm")?,
            layers: (0..card.layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// The sum of the last layer's vectors of each text: texts x dimension. `rows` are the tokens' vectors, texts x longest x
    /// dimension, of which text `n` uses the first `lengths[n]`.
    pub fn sums(&self, rows: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        let (texts, longest, dimension) = rows.dims3()?;
        let of_each = |inside: f32, outside: f32| -> Vec<f32> {
            lengths.iter().flat_map(|n| (0..longest).map(move |at| if at < *n { inside } else { outside })).collect()
        };
        let mask = Tensor::from_vec(of_each(0.0, NEVER), (texts, 1, 1, longest), &Device::Cpu)?;
        let counted = Tensor::from_vec(of_each(1.0, 0.0), (texts, longest, 1), &Device::Cpu)?;
        let positions = self.positions.narrow(0, 0, longest)?;
        let mut hidden = self.norm.apply(&rows.broadcast_add(&positions)?)?;
        for layer in &self.layers {
            hidden = layer.apply(&hidden, &mask, (self.heads, dimension / self.heads))?;
        }
        hidden.broadcast_mul(&counted)?.sum(1)
    }
}

impl Layer {
    fn apply(&self, hidden: &Tensor, mask: &Tensor, (heads, size): (usize, usize)) -> Result<Tensor> {
        let (texts, longest, dimension) = hidden.dims3()?;
        let project = |weight: &Tensor, bias: &Tensor| {
            product(hidden, weight, bias)?.reshape((texts, longest, heads, size))?.transpose(1, 2)?.contiguous()
        };
        let query = (project(&self.query, &self.query_bias)? * (1.0 / (size as f64).sqrt()))?;
        let key = project(&self.key, &self.key_bias)?;
        let value = project(&self.value, &self.value_bias)?;
        let scores = query.matmul(&key.t()?)?.broadcast_add(mask)?;
        let seen = candle_nn::ops::softmax(&scores, D::Minus1)?.matmul(&value)?;
        let seen = seen.transpose(1, 2)?.contiguous()?.reshape((texts, longest, dimension))?;
        let hidden = self.output_norm.apply(&(product(&seen, &self.output, &self.output_bias)? + hidden)?)?;
        let inner = product(&hidden, &self.inner, &self.inner_bias)?.gelu_erf()?;
        self.outer_norm.apply(&(product(&inner, &self.outer, &self.outer_bias)? + &hidden)?)
    }
}

impl Norm {
    fn apply(&self, x: &Tensor) -> Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        centred
            .broadcast_div(&(variance + NORM_EPSILON)?.sqrt()?)?
            .broadcast_mul(&self.scale)?
            .broadcast_add(&self.shift)
    }
}

fn product(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    x.contiguous()?.apply_op1(Product { weight: weight.clone(), bias: bias.clone() })
}

/// x W^T + b with a gradient to x alone.
struct Product {
    weight: Tensor,
    bias: Tensor,
}

impl CustomOp1 for Product {
    fn name(&self) -> &'static str {
        "product with frozen weights"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (outer, inner) = self.weight.dims2()?;
        let (start, end) =
            layout.contiguous_offsets().ok_or_else(|| candle_core::Error::Msg("not contiguous".to_owned()))?;
        let values = storage.as_slice::<f32>()?.get(start..end).unwrap_or_default();
        let x = Tensor::from_slice(values, (values.len() / inner, inner), &Device::Cpu)?;
        let y = x.matmul(&self.weight.t()?)?.broadcast_add(&self.bias)?;
        let mut shape = layout.dims().to_vec();
        shape.pop();
        shape.push(outer);
        Ok((CpuStorage::F32(y.flatten_all()?.to_vec1()?), shape.into()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (outer, _) = self.weight.dims2()?;
        let rows = gradient.contiguous()?.reshape(((), outer))?;
        Ok(Some(rows.matmul(&self.weight)?.reshape(x.shape())?))
    }
}
