//! The forward pass of a BERT encoder (Devlin et al. 2019) over vectors of tokens, in steps that can be replaced.
//!
//! candle multiplies, and the steps between two products run in place on the calling thread ([`kioku_reader::steps`]): candle's own
//! share one pool of threads for the whole process, where each step waits for the slowest thread, and some are scalar.

use std::collections::HashMap;

use candle_core::{CpuStorage, Device, InplaceOp1, InplaceOp2, Layout, Result, Tensor};
use kioku_reader::steps;

/// All weights but the rows of the tokens.
pub struct Bert {
    heads: usize,
    /// Of each place, with that of the first token type.
    positions: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value, side by side.
    attention: Product,
    output: Product,
    output_norm: Norm,
    inner: Product,
    outer: Product,
    outer_norm: Norm,
}

/// x W + b.
#[derive(Clone)]
pub struct Product {
    /// Inner x outer: the other way round each product would pack it anew.
    pub weight: Tensor,
    pub bias: Vec<f32>,
}

/// Layer norm (Ba et al. 2016).
pub struct Norm {
    pub scale: Vec<f32>,
    pub shift: Vec<f32>,
}

/// How the steps are computed.
pub trait Steps {
    fn product(x: &Tensor, product: &Product) -> Result<Tensor>;
    /// The GELU of a product.
    fn gelu(x: &Tensor, product: &Product) -> Result<Tensor>;
    fn norm(x: Tensor, norm: &Norm) -> Result<Tensor>;
    /// The norm of a product and `x0` together.
    fn norm_with(x: &Tensor, product: &Product, x0: &Tensor, norm: &Norm) -> Result<Tensor>;
    /// The softmax of scores, texts x heads x longest x longest, over the first `lengths[n]` of text `n`.
    fn softmax(scores: Tensor, lengths: &[usize]) -> Result<Tensor>;
}

/// As fast as can be, without gradients.
pub struct Inference;

impl Bert {
    /// Of weights by their names in the files of sentence-transformers.
    pub fn new(heads: usize, layers: usize, tensors: &HashMap<String, Tensor>) -> Result<Self> {
        let tensor = |name: &str| {
            tensors.get(name).cloned().ok_or_else(|| candle_core::Error::Msg(format!("the model has no {name}")))
        };
        let numbers = |name: &str| tensor(name)?.flatten_all()?.to_vec1::<f32>();
        let norm = |name: &str| -> Result<Norm> {
            Ok(Norm { scale: numbers(&format!("{name}.weight"))?, shift: numbers(&format!("{name}.bias"))? })
        };
        let product = |name: &str| -> Result<Product> {
            let (weight, bias) = (tensor(&format!("{name}.weight"))?, numbers(&format!("{name}.bias"))?);
            let (outer, inner) = weight.dims2()?;
            let columns = steps::transposed(&weight.flatten_all()?.to_vec1::<f32>()?, inner);
            Ok(Product { weight: Tensor::from_vec(columns, (inner, outer), &Device::Cpu)?, bias })
        };
        let layer = |at: usize| -> Result<Layer> {
            let name = |part: &str| format!("encoder.layer.{at}.{part}");
            let part = |part: &str| product(&name(&format!("attention.self.{part}")));
            let mut parts = [part("query")?, part("key")?, part("value")?];
            // The scale of the scores.
            let scale = 1.0 / (parts[0].bias.len() as f64 / heads as f64).sqrt();
            parts[0].weight = (&parts[0].weight * scale)?;
            parts[0].bias.iter_mut().for_each(|x| *x *= scale as f32);
            Ok(Layer {
                attention: Product {
                    weight: Tensor::cat(&parts.each_ref().map(|part| &part.weight), 1)?,
                    bias: parts.iter().flat_map(|part| part.bias.iter().copied()).collect(),
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
        if rows.elem_count() == 0 {
            return Ok(rows.clone());
        }
        let positions = self.positions.narrow(0, 0, rows.dims3()?.1)?;
        let mut hidden = S::norm(rows.broadcast_add(&positions)?, &self.norm)?;
        for layer in &self.layers {
            hidden = layer.apply::<S>(&hidden, lengths, self.heads)?;
        }
        Ok(hidden)
    }
}

impl Layer {
    fn apply<S: Steps>(&self, hidden: &Tensor, lengths: &[usize], heads: usize) -> Result<Tensor> {
        let (texts, longest, dimension) = hidden.dims3()?;
        let all = S::product(hidden, &self.attention)?.reshape((texts, longest, 3, heads, dimension / heads))?;
        let part = |at: usize| all.narrow(2, at, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let seen = S::softmax(part(0)?.matmul(&part(1)?.t()?)?, lengths)?.matmul(&part(2)?)?;
        let seen = seen.transpose(1, 2)?.contiguous()?.reshape((texts, longest, dimension))?;
        let hidden = S::norm_with(&seen, &self.output, hidden, &self.output_norm)?;
        S::norm_with(&S::gelu(&hidden, &self.inner)?, &self.outer, &hidden, &self.outer_norm)
    }
}

impl Product {
    /// x W for x of any shape.
    pub fn multiply(&self, x: &Tensor) -> Result<Tensor> {
        let (inner, outer) = self.weight.dims2()?;
        let mut shape = x.dims().to_vec();
        shape.pop();
        shape.push(outer);
        x.reshape(((), inner))?.matmul(&self.weight)?.reshape(shape)
    }
}

impl Steps for Inference {
    fn product(x: &Tensor, product: &Product) -> Result<Tensor> {
        in_place(product.multiply(x)?, |all| steps::add(all, &product.bias))
    }

    fn gelu(x: &Tensor, product: &Product) -> Result<Tensor> {
        in_place(product.multiply(x)?, |all| steps::gelu(all, &product.bias))
    }

    fn norm(x: Tensor, norm: &Norm) -> Result<Tensor> {
        in_place(x, |all| steps::norm(all, &norm.scale, &norm.shift))
    }

    fn norm_with(x: &Tensor, product: &Product, x0: &Tensor, norm: &Norm) -> Result<Tensor> {
        let x = product.multiply(x)?;
        let add = |all: &mut [f32], other: &[f32]| {
            steps::add(all, other);
            steps::add(all, &product.bias);
            steps::norm(all, &norm.scale, &norm.shift);
        };
        x.inplace_op2(x0, &InPlace(add))?;
        Ok(x)
    }

    fn softmax(scores: Tensor, lengths: &[usize]) -> Result<Tensor> {
        let longest = scores.dims4()?.3;
        in_place(scores, |all| {
            let of_text = all.len() / lengths.len();
            for (text, length) in all.chunks_exact_mut(of_text).zip(lengths) {
                text.chunks_exact_mut(longest).for_each(|row| {
                    let (seen, padding) = row.split_at_mut(*length);
                    steps::softmax(seen);
                    padding.fill(0.0);
                });
            }
        })
    }
}

/// A step over all numbers of a tensor that nothing else uses.
fn in_place(x: Tensor, step: impl Fn(&mut [f32])) -> Result<Tensor> {
    x.inplace_op1(&InPlace(step))?;
    Ok(x)
}

struct InPlace<F>(F);

impl<F: Fn(&mut [f32])> InplaceOp1 for InPlace<F> {
    fn name(&self) -> &'static str {
        "a step in place"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        (self.0)(values_mut(storage, layout)?);
        Ok(())
    }
}

impl<F: Fn(&mut [f32], &[f32])> InplaceOp2 for InPlace<F> {
    fn name(&self) -> &'static str {
        "a step in place with another tensor"
    }

    fn cpu_fwd(
        &self,
        storage: &mut CpuStorage,
        layout: &Layout,
        other: &CpuStorage,
        other_layout: &Layout,
    ) -> Result<()> {
        (self.0)(values_mut(storage, layout)?, values(other, other_layout)?);
        Ok(())
    }
}

/// The numbers of a contiguous tensor.
pub fn values<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let range = layout.contiguous_offsets();
    let values = range.and_then(|(start, end)| storage.as_slice::<f32>().ok()?.get(start..end));
    values.ok_or_else(|| candle_core::Error::Msg("the numbers of a tensor are not contiguous".to_owned()))
}

fn values_mut<'s>(storage: &'s mut CpuStorage, layout: &Layout) -> Result<&'s mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(all), Some((start, end))) => all.get_mut(start..end),
        _ => None,
    }
    .ok_or_else(|| candle_core::Error::Msg("the numbers of a tensor are not contiguous".to_owned()))
}
