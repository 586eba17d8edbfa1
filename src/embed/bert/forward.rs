//! The forward pass of a BERT encoder (Devlin et al. 2019) over vectors of tokens, in steps that can be replaced.
//!
//! candle's own model spends a quarter of its time in a scalar error function; here that step is [`kioku_reader::gelu`], and the
//! three products of attention are one.

use std::collections::HashMap;

use candle_core::{CpuStorage, CustomOp1, D, Device, Layout, Result, Shape, Tensor};

pub const NORM_EPSILON: f32 = 1e-12;
/// Added to the scores of padding.
const NEVER: f32 = -1e9;

/// All weights but the rows of the tokens.
pub struct Bert {
    heads: usize,
    /// Of each place, with that of the first token type.
    positions: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value, one below the other.
    attention: Product,
    output: Product,
    output_norm: Norm,
    inner: Product,
    outer: Product,
    outer_norm: Norm,
}

/// x W^T + b.
#[derive(Clone)]
pub struct Product {
    pub weight: Tensor,
    pub bias: Tensor,
}

/// Layer norm (Ba et al. 2016).
pub struct Norm {
    pub scale: Tensor,
    pub shift: Tensor,
}

/// How the steps are computed.
pub trait Steps {
    fn product(x: &Tensor, product: &Product) -> Result<Tensor>;
    fn norm(x: &Tensor, norm: &Norm) -> Result<Tensor>;
    fn gelu(x: &Tensor) -> Result<Tensor>;
}

/// As fast as can be, without gradients.
pub struct Inference;

impl Bert {
    /// Of weights by their names in the files of sentence-transformers.
    pub fn new(heads: usize, layers: usize, tensors: &HashMap<String, Tensor>) -> Result<Self> {
        let tensor = |name: &str| {
            tensors.get(name).cloned().ok_or_else(|| candle_core::Error::Msg(format!("the model has no {name}")))
        };
        let norm = |name: &str| -> Result<Norm> {
            Ok(Norm { scale: tensor(&format!("{name}.weight"))?, shift: tensor(&format!("{name}.bias"))? })
        };
        let product = |name: &str| -> Result<Product> {
            Ok(Product { weight: tensor(&format!("{name}.weight"))?, bias: tensor(&format!("{name}.bias"))? })
        };
        let layer = |at: usize| -> Result<Layer> {
            let name = |part: &str| format!("encoder.layer.{at}.{part}");
            let part = |part: &str| product(&name(&format!("attention.self.{part}")));
            let parts = [part("query")?, part("key")?, part("value")?];
            Ok(Layer {
                attention: Product {
                    weight: Tensor::cat(&parts.each_ref().map(|part| &part.weight), 0)?,
                    bias: Tensor::cat(&parts.each_ref().map(|part| &part.bias), 0)?,
                },
                output: product(&name("attention.output.dense"))?,
                output_norm: norm(&name("attention.output.LayerNorm"))?,
                inner: product(&name("intermediate.dense"))?,
                outer: product(&name("output.dense"))?,
                outer_norm: norm(&name("output.LayerNorm"))?,
            })
        };
        let kind = tensor("embeddings.token_type_embeddings.weight")?.narrow(0, 0, 1)?;
        Ok(Self {
            heads,
            positions: tensor("embeddings.position_embeddings.weight")?.broadcast_add(&kind)?,
            norm: norm("embeddings.LayerNorm")?,
            layers: (0..layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// The last layer's vectors, texts x longest x dimension. `rows` are the tokens' vectors in the same shape, of which text `n`
    /// uses the first `lengths[n]`.
    pub fn hidden<S: Steps>(&self, rows: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        let (texts, longest, _) = rows.dims3()?;
        let of_each = |n: usize| (0..longest).map(move |at| if at < n { 0.0 } else { NEVER });
        let mask = match lengths.iter().all(|n| *n == longest) {
            true => None,
            false => {
                let mask: Vec<f32> = lengths.iter().flat_map(|n| of_each(*n)).collect();
                Some(Tensor::from_vec(mask, (texts, 1, 1, longest), &Device::Cpu)?)
            }
        };
        let positions = self.positions.narrow(0, 0, longest)?;
        let mut hidden = S::norm(&rows.broadcast_add(&positions)?, &self.norm)?;
        for layer in &self.layers {
            hidden = layer.apply::<S>(&hidden, mask.as_ref(), self.heads)?;
        }
        Ok(hidden)
    }
}

impl Layer {
    fn apply<S: Steps>(&self, hidden: &Tensor, mask: Option<&Tensor>, heads: usize) -> Result<Tensor> {
        let (texts, longest, dimension) = hidden.dims3()?;
        let size = dimension / heads;
        let all = S::product(hidden, &self.attention)?.reshape((texts, longest, 3, heads, size))?;
        let part = |at: usize| all.narrow(2, at, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let query = (part(0)? * (1.0 / (size as f64).sqrt()))?;
        let scores = query.matmul(&part(1)?.t()?)?;
        let scores = match mask {
            Some(mask) => scores.broadcast_add(mask)?,
            None => scores,
        };
        let seen = candle_nn::ops::softmax(&scores, D::Minus1)?.matmul(&part(2)?)?;
        let seen = seen.transpose(1, 2)?.contiguous()?.reshape((texts, longest, dimension))?;
        let hidden = S::norm(&(S::product(&seen, &self.output)? + hidden)?, &self.output_norm)?;
        let inner = S::gelu(&S::product(&hidden, &self.inner)?)?;
        S::norm(&(S::product(&inner, &self.outer)? + &hidden)?, &self.outer_norm)
    }
}

impl Product {
    /// x W^T + b for x of any shape.
    pub fn apply(&self, x: &Tensor) -> Result<Tensor> {
        let (outer, inner) = self.weight.dims2()?;
        let mut shape = x.dims().to_vec();
        shape.pop();
        shape.push(outer);
        x.reshape(((), inner))?.matmul(&self.weight.t()?)?.broadcast_add(&self.bias)?.reshape(shape)
    }
}

impl Steps for Inference {
    fn product(x: &Tensor, product: &Product) -> Result<Tensor> {
        product.apply(x)
    }

    fn norm(x: &Tensor, norm: &Norm) -> Result<Tensor> {
        candle_nn::ops::layer_norm(&x.contiguous()?, &norm.scale, &norm.shift, NORM_EPSILON)
    }

    fn gelu(x: &Tensor) -> Result<Tensor> {
        x.apply_op1_no_bwd(&Gelu)
    }
}

struct Gelu;

impl CustomOp1 for Gelu {
    fn name(&self) -> &'static str {
        "gelu"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut values = values(storage, layout)?.to_vec();
        kioku_reader::gelu(&mut values);
        Ok((CpuStorage::F32(values), layout.shape().clone()))
    }
}

/// The numbers of a contiguous tensor.
pub fn values<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let range = layout.contiguous_offsets();
    let values = range.and_then(|(start, end)| storage.as_slice::<f32>().ok()?.get(start..end));
    values.ok_or_else(|| candle_core::Error::Msg("the numbers of a tensor are not contiguous".to_owned()))
}
