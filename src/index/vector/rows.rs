//! Vectors as rows of 16-bit numbers, kept as two planes of bytes: the upper plane alone is the int8 mirror that a
//! scan reads, both together are the vector. A row takes two bytes a component and eight bytes more.
//!
//! Rows lie in chunks behind `Arc`s: publishing a view copies pointers, and adding a row copies at most one chunk.

use std::sync::Arc;

use super::kernel;

/// Rows a chunk.
pub(super) const CHUNK: usize = 1024;

/// Bytes of which half is worth starting a thread for: 100 µs of reading against 20.
const WORTH_A_THREAD: usize = 1 << 20;

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
}

/// A query, made ready to be compared with many rows.
pub(super) struct Probe {
    pub vector: Vec<f32>,
    /// Components in twelve bits: finer than the rows' eight, so that only the rows' rounding counts, and coarse enough
    /// that no product of up to 4,096 components leaves 32 bits.
    coarse: Vec<i16>,
    /// What one step of `coarse` stands for.
    step: f32,
    /// Length of what `coarse` stands for.
    length: f32,
    /// By how much the int8 product may fall short because of the query's own rounding.
    slack: f32,
}

/// The largest value of a query's coarse component.
const COARSE: f32 = 2_047.0;

impl Probe {
    /// `None` where the query has no direction.
    pub fn new(query: &[f32]) -> Option<Self> {
        let mut vector = query.to_vec();
        crate::embed::normalise(&mut vector);
        let largest = vector.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return None;
        }
        let step = largest / COARSE;
        let coarse: Vec<i16> = vector.iter().map(|x| (x / step).round() as i16).collect();
        let kept = coarse.iter().map(|value| f32::from(*value) * step);
        let length = kept.clone().map(|x| x * x).sum::<f32>().sqrt();
        let lost = vector.iter().zip(kept).map(|(x, kept)| (x - kept) * (x - kept)).sum::<f32>().sqrt();
        // Rows have length 1 up to rounding; the last term covers that and the arithmetic itself.
        Some(Self { vector, coarse, step, length, slack: lost * 1.001 + 1e-4 })
    }
}

#[derive(Debug, Clone, Default)]
struct Chunk {
    upper: Vec<i8>,
    lower: Vec<i8>,
    scales: Vec<f32>,
    /// Length of what the lower plane stands for: how far the int8 mirror is from the vector.
    errors: Vec<f32>,
}

impl Chunk {
    fn with_room(rows: usize, dimension: usize) -> Self {
        Self {
            upper: Vec::with_capacity(rows * dimension),
            lower: Vec::with_capacity(rows * dimension),
            scales: Vec::with_capacity(rows),
            errors: Vec::with_capacity(rows),
        }
    }

    fn push(&mut self, scale: f32, values: &[u8]) {
        let (start, end) = (self.upper.len(), self.upper.len() + values.len() / 2);
        self.upper.resize(end, 0);
        self.lower.resize(end, 0);
        let squares = kernel::split(values, &mut self.upper[start..], &mut self.lower[start..]);
        self.errors.push(scale * (squares as f32).sqrt());
        self.scales.push(scale);
    }
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
        let values: Vec<u8> = row.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.push_bytes(row.scale, &values, 1);
    }

    /// The same from little-endian bytes; so many rows are still to come, this one among them.
    pub fn push_bytes(&mut self, scale: f32, values: &[u8], to_come: usize) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Chunk::with_room(to_come.min(CHUNK), self.dimension)));
        }
        let Some(last) = self.chunks.last_mut() else { return };
        Arc::make_mut(last).push(scale, &values[..2 * self.dimension]);
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
    ///
    /// One thread waits for memory most of the time, so many rows are read by two.
    pub fn bounds(&self, first: usize, probe: &Probe) -> Vec<f32> {
        let mut bounds = vec![0.0; self.len.saturating_sub(first)];
        let half = bounds.len() / 2;
        if half * self.dimension < WORTH_A_THREAD {
            self.bounds_into(first, probe, &mut bounds);
            return bounds;
        }
        let (left, right) = bounds.split_at_mut(half);
        std::thread::scope(|scope| {
            scope.spawn(|| self.bounds_into(first + half, probe, right));
            self.bounds_into(first, probe, left);
        });
        bounds
    }

    fn bounds_into(&self, first: usize, probe: &Probe, mut bounds: &mut [f32]) {
        let mut dots = [0; CHUNK];
        let mut row = first;
        while !bounds.is_empty() {
            let (chunk, skip) = (&self.chunks[row / CHUNK], row % CHUNK);
            let count = (chunk.scales.len() - skip).min(bounds.len());
            let (now, later) = bounds.split_at_mut(count);
            kernel::dots(&probe.coarse, &chunk.upper[skip * self.dimension..], &mut dots[..count]);
            let rows = dots.iter().zip(&chunk.scales[skip..]).zip(&chunk.errors[skip..]);
            for (bound, ((dot, scale), error)) in now.iter_mut().zip(rows) {
                *bound = *dot as f32 * (probe.step * scale * 256.0) + error * probe.length + probe.slack;
            }
            (bounds, row) = (later, row + count);
        }
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

    #[test]
    fn two_threads_find_what_one_finds() {
        let dimension = 256;
        let mut rows = Rows::new(dimension);
        let mut state = 7u32;
        for _ in 0..2 * WORTH_A_THREAD / dimension + 3 {
            let mut vector: Vec<f32> = (0..dimension)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 16) as f32 / 32_768.0 - 1.0
                })
                .collect();
            crate::embed::normalise(&mut vector);
            rows.push(&Quantised::of(&vector));
        }
        let probe = Probe::new(&rows.vector(5)).unwrap();
        let mut alone = vec![0.0; rows.len() - 1];
        rows.bounds_into(1, &probe, &mut alone);
        assert_eq!(rows.bounds(1, &probe), alone);
        assert!(alone[4] > 0.999 && alone.iter().enumerate().all(|(at, bound)| at == 4 || *bound < 0.9));
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
