//! Ridge regression of vectors on counts of words, by conjugate gradients (Hestenes and Stiefel 1952).
//!
//! Every column of the answer has its own step: all are solved in one pass over the texts.

const ROUNDS: usize = 60;
/// The price of long rows when a second language is learned.
const LAMBDA: f32 = 0.3;

/// One text: its words as numbers below the size of the answer, how much it counts, and the vector that their sum should be.
#[derive(Debug)]
struct Sample<'a> {
    words: &'a [u32],
    weight: f32,
    target: &'a [f32],
}

/// Texts of a second language, and what their own words have to add to the words of the first.
#[derive(Debug, Default)]
pub struct Lessons {
    words: Vec<Vec<u32>>,
    rests: Vec<(f32, Vec<f32>)>,
}

impl Lessons {
    /// Adds a text by its rows of `table`: those below `frozen` are of the first language, the own words begin at `first`. Their
    /// sum should be `goal`.
    pub fn add(&mut self, table: &[f32], rows: &[u32], (frozen, first): (u32, u32), goal: &[f32], weight: f32) {
        let (own, others): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| **row >= frozen);
        let rest = goal.iter().zip(sum_of(table, &others, goal.len())).map(|(x, other)| x - other).collect();
        self.words.push(own.iter().map(|row| row - first).collect());
        self.rests.push((weight, rest));
    }

    /// The rows of `count` own words, by [`solve`].
    pub fn solve(&self, count: usize, dimension: usize) -> Vec<f32> {
        let samples = self.words.iter().zip(&self.rests);
        let samples: Vec<Sample<'_>> =
            samples.map(|(words, (weight, target))| Sample { words, weight: *weight, target }).collect();
        solve(&samples, count, dimension, LAMBDA)
    }
}

/// The sum of some rows of a table.
pub fn sum_of(table: &[f32], rows: &[u32], dimension: usize) -> Vec<f32> {
    let mut sum = vec![0f32; dimension];
    for row in rows {
        sum.iter_mut().zip(&table[*row as usize * dimension..][..dimension]).for_each(|(a, b)| *a += b);
    }
    sum
}

/// Rows whose sums come closest to the targets, with `lambda` times their squared length as the price.
fn solve(samples: &[Sample<'_>], rows: usize, dimension: usize, lambda: f32) -> Vec<f32> {
    let mut right = vec![0f32; rows * dimension];
    let mut diagonal = vec![lambda; rows];
    for sample in samples {
        for word in sample.words {
            diagonal[*word as usize] += sample.weight;
            add(&mut right[*word as usize * dimension..][..dimension], sample.target, sample.weight);
        }
    }
    let mut answer = vec![0f32; rows * dimension];
    let mut rest = right;
    let scaled = |rest: &[f32]| -> Vec<f32> {
        rest.chunks_exact(dimension).zip(&diagonal).flat_map(|(row, d)| row.iter().map(move |x| x / d)).collect()
    };
    let mut step = scaled(&rest);
    let mut length = columns(&rest, &step, dimension);
    for _ in 0..ROUNDS {
        let moved = apply(samples, &step, dimension, lambda);
        let along = columns(&step, &moved, dimension);
        let far: Vec<f32> =
            length.iter().zip(&along).map(|(a, b)| if *b > 0.0 { (a / b) as f32 } else { 0.0 }).collect();
        each_row(&mut answer, &step, &far, 1.0);
        each_row(&mut rest, &moved, &far, -1.0);
        let next = scaled(&rest);
        let now = columns(&rest, &next, dimension);
        let keep: Vec<f32> =
            now.iter().zip(&length).map(|(a, b)| if *b > 0.0 { (a / b) as f32 } else { 0.0 }).collect();
        let mut new = next;
        each_row(&mut new, &step, &keep, 1.0);
        step = new;
        length = now;
    }
    answer
}

/// The normal equations' matrix times a table.
fn apply(samples: &[Sample<'_>], table: &[f32], dimension: usize, lambda: f32) -> Vec<f32> {
    let mut out: Vec<f32> = table.iter().map(|x| lambda * x).collect();
    let mut sum = vec![0f32; dimension];
    for sample in samples {
        sum.fill(0.0);
        for word in sample.words {
            add(&mut sum, &table[*word as usize * dimension..][..dimension], 1.0);
        }
        for word in sample.words {
            add(&mut out[*word as usize * dimension..][..dimension], &sum, sample.weight);
        }
    }
    out
}

fn add(to: &mut [f32], from: &[f32], times: f32) {
    to.iter_mut().zip(from).for_each(|(a, b)| *a += times * b);
}

fn each_row(to: &mut [f32], from: &[f32], times: &[f32], sign: f32) {
    for (a, b) in to.chunks_exact_mut(times.len()).zip(from.chunks_exact(times.len())) {
        a.iter_mut().zip(b).zip(times).for_each(|((a, b), t)| *a += sign * t * b);
    }
}

/// The product of two tables, column by column.
fn columns(a: &[f32], b: &[f32], dimension: usize) -> Vec<f64> {
    let mut sums = vec![0f64; dimension];
    for (a, b) in a.chunks_exact(dimension).zip(b.chunks_exact(dimension)) {
        sums.iter_mut().zip(a).zip(b).for_each(|((sum, x), y)| *sum += f64::from(*x) * f64::from(*y));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_come_close_to_their_targets() {
        let texts: [(&[u32], [f32; 2]); 3] = [(&[0, 1], [1.0, 1.0]), (&[1], [0.0, 1.0]), (&[0, 0, 2], [2.0, 3.0])];
        let samples: Vec<Sample<'_>> =
            texts.iter().map(|(words, target)| Sample { words, weight: 1.0, target }).collect();
        let rows = solve(&samples, 3, 2, 1e-4);
        let wanted = [1.0, 0.0, 0.0, 1.0, 0.0, 3.0];
        assert!(rows.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-2), "{rows:?}");
    }
}
