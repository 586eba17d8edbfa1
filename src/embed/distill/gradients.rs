//! The steps of an encoder with gradients to the vectors of its tokens; its weights stay as they are.
//!
//! candle's fused layer norm has no gradient, and its products also compute the gradient of the weights, which is not used here.

use candle_core::{CpuStorage, CustomOp1, D, Device, Layout, Result, Shape, Tensor};

use crate::embed::bert::forward::{Bert, Inference, Norm, Product, Steps, values};

/// Added to the scores of padding.
const NEVER: f32 = -1e9;

/// Slower than inference.
pub struct WithGradients;

/// The sum of the last layer's vectors of each text, texts x dimension; see [`Bert::hidden`].
pub fn sums(bert: &Bert, rows: &Tensor, lengths: &[usize]) -> Result<Tensor> {
    let (texts, longest, _) = rows.dims3()?;
    let of_each = |n: usize| (0..longest).map(move |at| if at < n { 1.0 } else { 0.0 });
    let counted: Vec<f32> = lengths.iter().flat_map(|n| of_each(*n)).collect();
    let counted = Tensor::from_vec(counted, (texts, longest, 1), &Device::Cpu)?;
    bert.hidden::<WithGradients>(rows, lengths)?.broadcast_mul(&counted)?.sum(1)
}

impl Steps for WithGradients {
    fn product(x: &Tensor, product: &Product) -> Result<Tensor> {
        x.contiguous()?.apply_op1(Frozen(product.clone()))
    }

    fn gelu(x: &Tensor, product: &Product) -> Result<Tensor> {
        Self::product(x, product)?.gelu_erf()
    }

    fn norm(x: Tensor, norm: &Norm) -> Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let even = centred.broadcast_div(&(variance + 1e-12)?.sqrt()?)?;
        let [scale, shift] = [&norm.scale, &norm.shift].map(|row| Tensor::new(row.as_slice(), &Device::Cpu));
        even.broadcast_mul(&scale?)?.broadcast_add(&shift?)
    }

    fn norm_with(x: &Tensor, product: &Product, x0: &Tensor, norm: &Norm) -> Result<Tensor> {
        Self::norm((Self::product(x, product)? + x0)?, norm)
    }

    fn softmax(scores: Tensor, lengths: &[usize]) -> Result<Tensor> {
        let (texts, _, _, longest) = scores.dims4()?;
        let of_each = |n: usize| (0..longest).map(move |at| if at < n { 0.0 } else { NEVER });
        let mask: Vec<f32> = lengths.iter().flat_map(|n| of_each(*n)).collect();
        let mask = Tensor::from_vec(mask, (texts, 1, 1, longest), &Device::Cpu)?;
        candle_nn::ops::softmax(&scores.broadcast_add(&mask)?, D::Minus1)
    }
}

/// A product with a gradient to x alone.
struct Frozen(Product);

impl CustomOp1 for Frozen {
    fn name(&self) -> &'static str {
        "product with frozen weights"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = Tensor::from_slice(values(storage, layout)?, layout.shape(), &Device::Cpu)?;
        let y = Inference::product(&x, &self.0)?;
        Ok((CpuStorage::F32(y.flatten_all()?.to_vec1()?), y.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let rows = gradient.contiguous()?.reshape(((), self.0.bias.len()))?;
        Ok(Some(rows.matmul(&self.0.weight.t()?)?.reshape(x.shape())?))
    }
}
