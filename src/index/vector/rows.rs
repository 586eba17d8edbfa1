//! Vectors as rows of 16-bit numbers in two planes of bytes: the upper plane alone is the int8 mirror that a scan
//! reads and is in memory, inside the records of the vector file; both planes together are the vector. The lower
//! plane of a row read from the file stays there (see `fine`).
//!
//! Records are in chunks behind `Arc`s: publishing a view copies pointers, and adding a row copies at most one chunk.

use std::sync::Arc;

use super::{
    fine::Fine,
    kernel::{self, Records},
};
use crate::index::passage::PassageHash;

/// Rows per chunk.
pub(super) const CHUNK: usize = 1024;

/// From this many bytes on, reading half of them justifies starting a thread: 50 µs of reading against 20.
const WORTH_A_THREAD: usize = 1 << 20;

/// The largest 16-bit value: its upper byte still rounds to 127.
const FULL: f32 = 32_512.0;

/// Length of a record before the upper plane: passage hash 16, scale f32, error f32.
pub(super) const LEAD: usize = 16 + 4 + 4;
/// Length after the upper plane: the checksum.
pub(super) const SUM: usize = 4;

/// A quantised vector: component `i` is `values[i] * scale`. A zero vector has scale 0.
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

    /// Upper and lower plane, and the error of the upper plane alone: the length of the lower plane's vector.
    pub fn planes(&self) -> (Vec<i8>, Vec<i8>, f32) {
        let (mut upper, mut lower) = (vec![0; self.values.len()], vec![0; self.values.len()]);
        let squares = kernel::split(&self.values, &mut upper, &mut lower);
        (upper, lower, self.scale * (squares as f32).sqrt())
    }
}

/// A query, prepared for comparison with many rows.
pub(super) struct Probe {
    pub vector: Vec<f32>,
    /// Components in twelve bits: finer than the rows' eight, so that only the rows' rounding matters, and coarse
    /// enough that no dot product of up to 4,096 components exceeds 32 bits.
    coarse: Vec<i16>,
    /// The value of one step of `coarse`.
    step: f32,
    /// Length of the vector in `coarse`.
    length: f32,
    /// Maximum shortfall of the int8 product due to the query's own rounding.
    slack: f32,
}

/// The largest value of a component of `coarse`.
const COARSE: f32 = 2_047.0;

impl Probe {
    /// `None` where the query is a zero vector.
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
        // Rows have length 1 up to rounding; the last term covers that and the error of the arithmetic.
        Some(Self { vector, coarse, step, length, slack: lost * 1.001 + 1e-4 })
    }

    /// Upper bound of the cosine with a row, from its int8 product.
    #[inline(always)]
    fn bound(&self, dot: i32, record: &[u8]) -> f32 {
        dot as f32 * (self.step * scale_of(record) * 256.0) + error_of(record) * self.length + self.slack
    }
}

/// All vectors of one model, by row.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    dimension: usize,
    /// Whole records of the vector file, [`CHUNK`] each.
    chunks: Vec<Arc<Vec<u8>>>,
    len: usize,
    pub fine: Fine,
}

impl Rows {
    pub fn new(dimension: usize) -> Self {
        Self { dimension, chunks: Vec::new(), len: 0, fine: Fine::new(dimension) }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Length of a record of the vector file in bytes.
    pub fn record_len(&self) -> usize {
        LEAD + self.dimension + SUM
    }

    /// Adds a row by its record and its lower plane, which stays in memory.
    pub fn push(&mut self, record: &[u8], lower: &[i8]) {
        self.fine.push(self.len, lower);
        self.take(record);
    }

    /// Adds a row by its record; its lower plane is in the file.
    pub fn take(&mut self, record: &[u8]) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::default());
        }
        let Some(last) = self.chunks.last_mut() else { return };
        Arc::make_mut(last).extend_from_slice(&record[..LEAD + self.dimension + SUM]);
        self.len += 1;
    }

    /// Adds records read from the file; their lower planes are in the file. At most one chunk.
    pub fn take_all(&mut self, records: Vec<u8>) {
        if self.len.is_multiple_of(CHUNK) {
            self.len += records.len() / self.record_len();
            self.chunks.push(Arc::new(records));
        } else {
            records.chunks_exact(self.record_len()).for_each(|record| self.take(record));
        }
    }

    /// The record of a row, as in the vector file.
    pub fn record(&self, row: u32) -> &[u8] {
        let (chunk, at) = (&self.chunks[row as usize / CHUNK], row as usize % CHUNK);
        &chunk[at * self.record_len()..(at + 1) * self.record_len()]
    }

    /// The passage of a row.
    pub fn hash(&self, row: u32) -> PassageHash {
        hash_of(self.record(row))
    }

    /// The passages of all rows, in their order.
    pub fn hashes(&self) -> impl Iterator<Item = PassageHash> {
        (0..self.len as u32).map(|row| self.hash(row))
    }

    fn upper(&self, row: u32) -> &[i8] {
        bytemuck::cast_slice(&self.record(row)[LEAD..LEAD + self.dimension])
    }

    pub fn vector(&self, row: u32) -> Vec<f32> {
        let scale = scale_of(self.record(row));
        let mut lower = Vec::new();
        self.fine.read(row, self.hash(row), &mut lower);
        let value = |(upper, lower): (&i8, &i8)| (i16::from(*upper) * 256 + i16::from(*lower)).into();
        self.upper(row).iter().zip(&lower).map(value).map(|value: f32| value * scale).collect()
    }

    pub fn is_zero(&self, row: u32) -> bool {
        scale_of(self.record(row)) == 0.0
    }

    /// Whether the lower plane of a row can be verified.
    pub fn is_sound(&self, row: u32) -> bool {
        self.fine.read(row, self.hash(row), &mut Vec::new())
    }

    /// The cosine with the query. `lower`: a buffer for the lower plane, reused from row to row.
    pub fn score(&self, row: u32, probe: &Probe, lower: &mut Vec<i8>) -> f32 {
        self.fine.read(row, self.hash(row), lower);
        kernel::dot_planes(&probe.vector, self.upper(row), lower) * scale_of(self.record(row))
    }

    /// For every row from `first` on, an upper bound of its cosine, from the int8 mirror alone.
    ///
    /// A single thread mostly waits for memory, so many rows are read by two.
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

    /// The same for the given rows.
    pub fn bounds_of(&self, rows: &[u32], probe: &Probe) -> Vec<f32> {
        let bound = |row: &u32| {
            let record = self.record(*row);
            let mut dot = [0];
            kernel::dots(&probe.coarse, Records { bytes: record, length: record.len(), start: LEAD }, &mut dot);
            probe.bound(dot[0], record)
        };
        rows.iter().map(bound).collect()
    }

    fn bounds_into(&self, first: usize, probe: &Probe, mut bounds: &mut [f32]) {
        let mut dots = [0; CHUNK];
        let length = self.record_len();
        let mut row = first;
        while !bounds.is_empty() {
            let (chunk, skip) = (&self.chunks[row / CHUNK], row % CHUNK);
            let records = &chunk[skip * length..];
            let count = (records.len() / length).min(bounds.len());
            let (now, later) = bounds.split_at_mut(count);
            kernel::dots(&probe.coarse, Records { bytes: records, length, start: LEAD }, &mut dots[..count]);
            for ((bound, dot), record) in now.iter_mut().zip(&dots).zip(records.chunks_exact(length)) {
                *bound = probe.bound(*dot, record);
            }
            (bounds, row) = (later, row + count);
        }
    }
}

pub(super) fn hash_of(record: &[u8]) -> PassageHash {
    PassageHash(*record.first_chunk().expect("a record is longer than its hash"))
}

fn scale_of(record: &[u8]) -> f32 {
    f32::from_le_bytes([record[16], record[17], record[18], record[19]])
}

/// The distance of the upper plane from the vector.
fn error_of(record: &[u8]) -> f32 {
    f32::from_le_bytes([record[20], record[21], record[22], record[23]])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn push(rows: &mut Rows, vector: &[f32]) {
        let row = Quantised::of(vector);
        let (upper, lower, error) = row.planes();
        let mut record = vec![0; 16];
        record.extend(row.scale.to_le_bytes());
        record.extend(error.to_le_bytes());
        record.extend(upper.iter().map(|x| *x as u8));
        record.extend([0; SUM]);
        rows.push(&record, &lower);
    }

    #[test]
    fn a_row_comes_back_nearly_as_it_was() {
        let vector = [0.6f32, -0.8, 0.0, 1e-6];
        let mut rows = Rows::new(4);
        push(&mut rows, &vector);
        push(&mut rows, &[0.0; 4]);
        assert!(rows.vector(0).iter().zip(&vector).all(|(a, b)| (a - b).abs() < 2e-5));
        assert!(rows.is_zero(1) && !rows.is_zero(0));
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
            push(&mut rows, &vector);
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
                push(&mut rows, vector);
            }
            for query in &vectors {
                let Some(probe) = Probe::new(query) else { continue };
                let bounds = rows.bounds(0, &probe);
                for (row, (bound, vector)) in bounds.iter().zip(&vectors).enumerate() {
                    let score = rows.score(row as u32, &probe, &mut Vec::new());
                    prop_assert!(*bound >= score, "{bound} < {score}");
                    let exact: f32 = query.iter().zip(vector).map(|(a, b)| a * b).sum();
                    prop_assert!((score - exact).abs() < 2e-4, "{score} is not {exact}");
                }
                prop_assert_eq!(&rows.bounds(2, &probe)[..], &bounds[2..]);
                prop_assert_eq!(rows.bounds_of(&[0, 3, 5], &probe), [bounds[0], bounds[3], bounds[5]]);
            }
        }
    }
}
