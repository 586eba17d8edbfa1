//! The strongest directions of a set of vectors: eigenvectors of their second-moment matrix.
//!
//! Not centred: the mean direction of everyday sentences is left in, which search likes better.

use std::{fs, path::Path};

/// The sum of x xᵀ over vectors.
#[derive(Debug, Clone)]
pub struct Moments {
    size: usize,
    /// Row by row; only the upper triangle is summed.
    sums: Vec<f64>,
}

impl Moments {
    pub fn new(size: usize) -> Self {
        Self { size, sums: vec![0.0; size * size] }
    }

    pub fn add(&mut self, vector: &[f32]) {
        for (at, x) in vector.iter().enumerate() {
            let x = f64::from(*x);
            let row = &mut self.sums[at * self.size + at..(at + 1) * self.size];
            row.iter_mut().zip(&vector[at..]).for_each(|(sum, y)| *sum += x * f64::from(*y));
        }
    }

    /// The first `dimension` directions.
    pub fn basis(mut self, dimension: usize) -> Basis {
        let size = self.size;
        for row in 0..size {
            for column in 0..row {
                self.sums[row * size + column] = self.sums[column * size + row];
            }
        }
        let (values, vectors) = eigen(self.sums, size);
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
        let kept = &order[..dimension.min(size)];
        let directions = kept.iter().flat_map(|at| signed(&vectors[at * size..(at + 1) * size])).collect();
        let share = kept.iter().map(|at| values[*at]).sum::<f64>() / values.iter().sum::<f64>();
        Basis { size, directions, share }
    }
}

/// An eigenvector is as good as its negative: the largest component decides.
fn signed(vector: &[f64]) -> Vec<f32> {
    let largest = vector.iter().fold(0.0f64, |largest, x| if x.abs() > largest.abs() { *x } else { largest });
    vector.iter().map(|x| (x * largest.signum()) as f32).collect()
}

/// Directions of length 1, at right angles, the strongest first.
#[derive(Debug, Clone)]
pub struct Basis {
    size: usize,
    directions: Vec<f32>,
    /// How much of the vectors' squared length lies in these directions.
    pub share: f64,
}

impl Basis {
    pub fn dimension(&self) -> usize {
        self.directions.len() / self.size
    }

    /// Little-endian numbers, direction by direction.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        fs::write(path, self.directions.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// What [`Basis::write`] wrote, of vectors of `size` numbers; its share is not kept.
    pub fn read(path: &Path, size: usize) -> std::io::Result<Self> {
        let bytes = fs::read(path)?;
        let directions: Vec<f32> =
            bytes.chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]])).collect();
        match size > 0 && directions.len().is_multiple_of(size) && !directions.is_empty() {
            true => Ok(Self { size, directions, share: 1.0 }),
            false => Err(std::io::ErrorKind::InvalidData.into()),
        }
    }

    pub fn project(&self, vector: &[f32]) -> Vec<f32> {
        let dot = |direction: &[f32]| -> f32 { direction.iter().zip(vector).map(|(a, b)| a * b).sum() };
        self.directions.chunks_exact(self.size).map(dot).collect()
    }
}

/// Eigenvalues and eigenvectors (rows) of a symmetric matrix: Jacobi's rotations, row by row, until nothing is left
/// beside the diagonal (Golub and Van Loan, Matrix Computations, 8.5). Some seconds for 384 rows.
fn eigen(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|at| vectors[at * n + at] = 1.0);
    let scale: f64 = (0..n).map(|at| a[at * n + at].abs()).sum();
    // Ten rounds are usual; the bound is for numbers that are none.
    for _ in 0..64 {
        let mut rest = 0.0;
        for p in 0..n {
            for q in p + 1..n {
                rest += a[p * n + q] * a[p * n + q];
                rotate(&mut a, &mut vectors, n, (p, q), scale);
            }
        }
        if rest.sqrt() <= 1e-13 * scale {
            break;
        }
    }
    ((0..n).map(|at| a[at * n + at]).collect(), vectors)
}

/// Turns the plane of `p` and `q` so that their common element becomes 0.
fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, (p, q): (usize, usize), scale: f64) {
    let (app, aqq, apq) = (a[p * n + p], a[q * n + q], a[p * n + q]);
    if apq.abs() <= 1e-17 * scale {
        return;
    }
    let theta = (aqq - app) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let (before, after) = a.split_at_mut(q * n);
    turn(&mut before[p * n..(p + 1) * n], &mut after[..n], c, s);
    a[p * n + p] = app - t * apq;
    a[q * n + q] = aqq + t * apq;
    a[p * n + q] = 0.0;
    a[q * n + p] = 0.0;
    for k in (0..n).filter(|k| *k != p && *k != q) {
        a[k * n + p] = a[p * n + k];
        a[k * n + q] = a[q * n + k];
    }
    let (before, after) = vectors.split_at_mut(q * n);
    turn(&mut before[p * n..(p + 1) * n], &mut after[..n], c, s);
}

fn turn(p: &mut [f64], q: &mut [f64], c: f64, s: f64) {
    for (x, y) in p.iter_mut().zip(q) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::distill::random::Random;

    #[test]
    fn eigenvectors_are_at_right_angles_and_give_the_matrix_back() {
        let n = 24;
        let mut random = Random::new(3);
        let mut a = vec![0.0; n * n];
        for p in 0..n {
            for q in p..n {
                let x = random.below(1000) as f64 / 500.0 - 1.0;
                (a[p * n + q], a[q * n + p]) = (x, x);
            }
        }
        let (values, vectors) = eigen(a.clone(), n);
        for i in 0..n {
            for j in 0..n {
                let dot: f64 = (0..n).map(|k| vectors[i * n + k] * vectors[j * n + k]).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
                let again: f64 = (0..n).map(|k| values[k] * vectors[k * n + i] * vectors[k * n + j]).sum();
                assert!((again - a[i * n + j]).abs() < 1e-10, "{i} {j}: {again} for {}", a[i * n + j]);
            }
        }
    }

    #[test]
    fn the_strongest_direction_comes_first() {
        let mut moments = Moments::new(3);
        for vector in [[0.0f32, 3.0, 0.1], [0.0, -3.0, 0.1], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]] {
            moments.add(&vector);
        }
        let basis = moments.basis(2);
        assert_eq!(basis.dimension(), 2);
        let along = basis.project(&[0.0, 1.0, 0.0]);
        assert!((along[0] - 1.0).abs() < 1e-6 && along[1].abs() < 1e-6, "{along:?}");
        assert!((basis.project(&[1.0, 0.0, 0.0])[1] - 1.0).abs() < 1e-6);
        assert!(basis.share > 0.99 && basis.share < 1.0);
    }
}
