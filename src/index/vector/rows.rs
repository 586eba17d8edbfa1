//! Vectors as rows of 16-bit numbers, kept as two planes of bytes: the upper plane alone is the int8 mirror that a
//! scan reads, both together are the vector. A row takes two bytes a component and eight bytes more.
//!
//! Rows lie in chunks behind `Arc`s: publishing a view copies pointers, and adding a row copies at most one chunk.

use std::sync::Arc;

use super::kernel;

/// Rows a chunk.
pub(super) const CHUNK: usize = 1024;

/// The largest 16-bit value: its upper byte still rounds to 127.
const FULL: f32 = 32_512.0;

/// One vector as it is kept: component `i` is `values[i] * scale`. All zeros has scale 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantised {
    pub scale: f32,
    pub values: Vec<i16>,
}

impl Quantised {
    /// The error of a component is at most 1/65,000 of the largest component.
    pub fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return Self { scale: 0.0, values: vec![0; vector.len()] };
        }
        let scale = largest / FULL;
        let value = |x: &f32| (x / scale).round().clamp(-FULL, FULL) as i16;
        Self { scale, values: vector.iter().map(value).collect() }
    }

    /// Upper and lower bytes: `value = 256 * upper + lower`.
    fn planes(&self) -> impl Iterator<Item = (i8, i8)> {
        self.values.iter().map(|value| {
            let upper = (i32::from(*value) + 128) >> 8;
            (upper as i8, (i32::from(*value) - 256 * upper) as i8)
        })
    }
}

/// A query, made ready to be compared with many rows.
pub(super) struct Probe {
    pub vector: Vec<f32>,
    /// The upper plane, in the width that the scan multiplies in.
    upper: Vec<i16>,
    /// What one step of `upper` stands for.
    step: f32,
    /// Length of what `upper` stands for.
    length: f32,
    /// By how much the int8 product may fall short because of the query's own rounding.
    slack: f32,
}

impl Probe {
    /// `None` where the query has no direction.
    pub fn new(query: &[f32]) -> Option<Self> {
        let mut vector = query.to_vec();
        crate::embed::normalise(&mut vector);
        let kept = Quantised::of(&vector);
        if kept.scale == 0.0 {
            return None;
        }
        let (upper, lower): (Vec<i8>, Vec<i8>) = kept.planes().unzip();
        let step = kept.scale * 256.0;
        // Rows have length 1 up to rounding; the last term covers that and the arithmetic itself.
        let slack = kept.scale * root_of_squares(&lower) * 1.001 + 1e-4;
        let length = step * root_of_squares(&upper);
        Some(Self { vector, upper: upper.into_iter().map(i16::from).collect(), step, length, slack })
    }
}

fn root_of_squares(values: &[i8]) -> f32 {
    (values.iter().map(|value| i64::from(*value) * i64::from(*value)).sum::<i64>() as f32).sqrt()
}

#[derive(Debug, Clone, Default)]
struct Chunk {
    upper: Vec<i8>,
    lower: Vec<i8>,
    scales: Vec<f32>,
    /// Length of what the lower plane stands for: how far the int8 mirror is from the vector.
    errors: Vec<f32>,
}

/// All vectors of one model, by row.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    dimension: usize,
    chunks: Vec<Arc<Chunk>>,
    len: usize,
}

impl Rows {
    pub fn new(dimension: usize) -> Self {
        Self { dimension, chunks: Vec::new(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Adds a row of `dimension` components.
    pub fn push(&mut self, row: &Quantised) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::default());
        }
        let Some(last) = self.chunks.last_mut() else { return };
        let chunk = Arc::make_mut(last);
        for (upper, lower) in row.planes() {
            chunk.upper.push(upper);
            chunk.lower.push(lower);
        }
        let lower = &chunk.lower[chunk.lower.len() - self.dimension..];
        chunk.errors.push(row.scale * root_of_squares(lower));
        chunk.scales.push(row.scale);
        self.len += 1;
    }

    fn planes(&self, row: u32) -> (&[i8], &[i8], f32) {
        let (chunk, at) = (&self.chunks[row as usize / CHUNK], row as usize % CHUNK);
        let bytes = at * self.dimension..(at + 1) * self.dimension;
        (&chunk.upper[bytes.clone()], &chunk.lower[bytes], chunk.scales[at])
    }

    /// The row as it is kept.
    pub fn quantised(&self, row: u32) -> Quantised {
        let (upper, lower, scale) = self.planes(row);
        let values =
            upper.iter().zip(lower).map(|(upper, lower)| i16::from(*upper) * 256 + i16::from(*lower)).collect();
        Quantised { scale, values }
    }

    pub fn vector(&self, row: u32) -> Vec<f32> {
        let Quantised { scale, values } = self.quantised(row);
        values.into_iter().map(|value| f32::from(value) * scale).collect()
    }

    pub fn is_zero(&self, row: u32) -> bool {
        self.planes(row).2 == 0.0
    }

    /// The cosine with the query.
    pub fn score(&self, row: u32, probe: &Probe) -> f32 {
        let (upper, lower, scale) = self.planes(row);
        kernel::dot_planes(&probe.vector, upper, lower) * scale
    }

    /// For every row from `first` on, a number that its cosine does not exceed, from the int8 mirror alone.
    pub fn bounds(&self, first: usize, probe: &Probe) -> Vec<f32> {
        let mut bounds = Vec::with_capacity(self.len.saturating_sub(first));
        for (at, chunk) in self.chunks.iter().enumerate().skip(first / CHUNK) {
            let skip = first.saturating_sub(at * CHUNK).min(chunk.scales.len());
            let dots = kernel::dots(&probe.upper, &chunk.upper[skip * self.dimension..]);
            let rows = dots.into_iter().zip(&chunk.scales[skip..]).zip(&chunk.errors[skip..]);
            bounds.extend(rows.map(|((dot, scale), error)| {
                dot as f32 * (probe.step * scale * 256.0) + error * probe.length + probe.slack
            }));
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_row_comes_back_nearly_as_it_was() {
        let vector = [0.6f32, -0.8, 0.0, 1e-6];
        let mut rows = Rows::new(4);
        rows.push(&Quantised::of(&vector));
        rows.push(&Quantised::of(&[0.0; 4]));
        assert!(rows.vector(0).iter().zip(&vector).all(|(a, b)| (a - b).abs() < 2e-5));
        assert!(rows.is_zero(1) && !rows.is_zero(0));
        assert_eq!(rows.quantised(0), Quantised::of(&vector));
    }

    proptest! {
        #[test]
        fn a_bound_is_never_below_the_cosine(
            dimension in 1usize..80,
            seed in prop::collection::vec(-1f32..1.0, 80 * 6),
            spikes in prop::collection::vec(prop::bool::ANY, 6),
        ) {
            let mut rows = Rows::new(dimension);
            let mut vectors: Vec<Vec<f32>> = seed.chunks(80).map(|values| values[..dimension].to_vec()).collect();
            for (vector, spike) in vectors.iter_mut().zip(spikes) {
                if spike {
                    vector[0] *= 50.0;
                }
                crate::embed::normalise(vector);
                rows.push(&Quantised::of(vector));
            }
            for query in &vectors {
                let Some(probe) = Probe::new(query) else { continue };
                let bounds = rows.bounds(0, &probe);
                for (row, (bound, vector)) in bounds.iter().zip(&vectors).enumerate() {
                    let score = rows.score(row as u32, &probe);
                    prop_assert!(*bound >= score, "{bound} < {score}");
                    let exact: f32 = query.iter().zip(vector).map(|(a, b)| a * b).sum();
                    prop_assert!((score - exact).abs() < 2e-4, "{score} is not {exact}");
                }
                prop_assert_eq!(&rows.bounds(2, &probe)[..], &bounds[2..]);
            }
        }
    }
}
