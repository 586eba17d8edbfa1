//! Training the rows of a second language: the vector of a text (the sum of its rows, or what an encoder makes of them) shall
//! be closer to its translation than to any other of the batch, and the translation closer to it.
//!
//! Nine tenths are the contrast in both directions (InfoNCE, van den Oord et al. 2018), one tenth is 1 - cosine. The rows of
//! the first language stay as they are. One thread, one order: the same bytes every time.

use super::{
    Report,
    ridge::sum_of,
    training::{Adam, BATCH, PEAK_RATE, Schedule},
};
use crate::embed::normalise;

/// Cosines are divided by it.
const TEMPERATURE: f32 = 0.05;
const CONTRAST: f32 = 0.9;
/// Targets as alike as this are the same: neither is wrong for the other.
const SAME: f32 = 0.98;

/// Texts as rows of a table, with the vectors they should get.
#[derive(Debug, Default)]
pub struct Translations {
    pub texts: Vec<Vec<u32>>,
    /// Of length 1, one after the other.
    pub targets: Vec<f32>,
}

/// Trains the rows from `frozen` on in place. The mean loss of each epoch; `None` where `report` stopped it.
pub fn train(
    table: &mut [f32],
    frozen: u32,
    set: &Translations,
    epochs: usize,
    seed: u64,
    report: Report<'_>,
) -> Option<Vec<f64>> {
    let dimension = set.targets.len() / set.texts.len().max(1);
    let mut optimizer = Adam::new(table.len() / dimension.max(1), dimension);
    let texts = set.texts.len();
    let schedule =
        Schedule { what: "training, pairs", epochs, texts, batch: BATCH, peak: PEAK_RATE, report_every: 16, seed };
    schedule.run(report, |batch, rate| {
        let mut contrast = set.contrast(table, batch, dimension);
        let loss = contrast.learn();
        for (at, gradient) in batch.iter().zip(contrast.gradients.chunks_exact(dimension)) {
            let text = set.texts[*at as usize].iter().copied();
            optimizer.add(text.filter(|row| *row >= frozen), gradient);
        }
        optimizer.step(table, rate, batch.len());
        loss
    })
}

impl Translations {
    /// What some of the texts should be.
    pub fn targets_of(&self, batch: &[u32], dimension: usize) -> Vec<f32> {
        batch.iter().flat_map(|at| &self.targets[*at as usize * dimension..][..dimension]).copied().collect()
    }

    fn contrast(&self, table: &[f32], batch: &[u32], dimension: usize) -> Contrast {
        let vectors = batch.iter().flat_map(|at| sum_of(table, &self.texts[*at as usize], dimension)).collect();
        Contrast::new(vectors, self.targets_of(batch, dimension), dimension)
    }
}

/// The vectors of some texts and what they should be.
pub struct Contrast {
    dimension: usize,
    targets: Vec<f32>,
    /// The texts' vectors at length 1, and the lengths they had.
    vectors: Vec<f32>,
    lengths: Vec<f32>,
    /// Of each text's vector as it was given.
    pub gradients: Vec<f32>,
}

impl Contrast {
    /// Of vectors of any length and their targets, of length 1.
    pub fn new(mut vectors: Vec<f32>, targets: Vec<f32>, dimension: usize) -> Self {
        let lengths = vectors.chunks_exact_mut(dimension).map(|vector| {
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
            normalise(vector);
            length
        });
        let lengths = lengths.collect();
        let gradients = vec![0.0; vectors.len()];
        Self { dimension, targets, vectors, lengths, gradients }
    }

    /// Fills in the gradients; the loss of all texts together.
    pub fn learn(&mut self) -> f64 {
        let (n, d) = (self.lengths.len(), self.dimension);
        let mut scores = products(&self.vectors, &self.targets, d);
        let cosines: Vec<f32> = (0..n).map(|at| scores[at * n + at]).collect();
        let alike = products(&self.targets, &self.targets, d);
        for (at, (score, alike)) in scores.iter_mut().zip(&alike).enumerate() {
            let same = *alike > SAME && at / n != at % n;
            *score = if same { f32::NEG_INFINITY } else { *score / TEMPERATURE };
        }
        // The share of each target in each text, and of each text in each target, less the right one.
        let mut pulls = vec![0f32; n * n];
        let mut loss = 0.0;
        for (across, stride) in [(n, 1), (1, n)] {
            for line in 0..n {
                let place = |at: usize| line * across + at * stride;
                let largest = (0..n).map(|at| scores[place(at)]).fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = (0..n).map(|at| (scores[place(at)] - largest).exp()).sum();
                loss -= f64::from(CONTRAST / 2.0 * (scores[place(line)] - largest - sum.ln()));
                for at in 0..n {
                    pulls[place(at)] += (scores[place(at)] - largest).exp() / sum / 2.0;
                }
                pulls[place(line)] -= 0.5;
            }
        }
        for (at, cosine) in cosines.iter().enumerate() {
            let gradient = &mut self.gradients[at * d..][..d];
            for (other, pull) in pulls[at * n..][..n].iter().enumerate() {
                let pull = pull * CONTRAST / TEMPERATURE - if other == at { 1.0 - CONTRAST } else { 0.0 };
                if pull != 0.0 {
                    let target = &self.targets[other * d..][..d];
                    gradient.iter_mut().zip(target).for_each(|(sum, x)| *sum += pull * x);
                }
            }
            // From the vector of length 1 to the sum.
            let vector = &self.vectors[at * d..][..d];
            let along: f32 = gradient.iter().zip(vector).map(|(a, b)| a * b).sum();
            let length = self.lengths[at];
            gradient.iter_mut().zip(vector).for_each(|(g, x)| *g = (*g - along * x) / length);
            loss += f64::from((1.0 - CONTRAST) * (1.0 - cosine));
        }
        loss
    }
}

/// Each vector of `a` times each of `b`.
fn products(a: &[f32], b: &[f32], dimension: usize) -> Vec<f32> {
    let n = b.len() / dimension;
    // Column by column, so that the inner loop runs over many sums at once.
    let mut turned = vec![0f32; b.len()];
    for (at, vector) in b.chunks_exact(dimension).enumerate() {
        vector.iter().enumerate().for_each(|(column, x)| turned[column * n + at] = *x);
    }
    let mut products = vec![0f32; a.len() / dimension * n];
    for (vector, line) in a.chunks_exact(dimension).zip(products.chunks_exact_mut(n)) {
        for (x, column) in vector.iter().zip(turned.chunks_exact(n)) {
            line.iter_mut().zip(column).for_each(|(sum, y)| *sum += x * y);
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Translations {
        let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.8, 0.0]];
        let mut set = Translations::default();
        for (at, direction) in directions.iter().enumerate() {
            set.texts.push(vec![0, at as u32 + 1]);
            set.targets.extend(direction);
        }
        set
    }

    fn start() -> Vec<f32> {
        (0..15).map(|at| ((at * 7 % 11) as f32 - 5.0) / 10.0).collect()
    }

    #[test]
    fn training_brings_translations_together_and_leaves_frozen_rows() {
        let mut table = start();
        let losses = train(&mut table, 1, &set(), 200, 1, &mut |_| true).unwrap();
        assert!(losses[199] < losses[0] / 2.0, "{losses:?}");
        assert_eq!(table[..3], start()[..3]);
        let mut again = start();
        train(&mut again, 1, &set(), 200, 1, &mut |_| true);
        assert_eq!(again, table);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let set = set();
        let order = [0, 1, 2, 3];
        let loss = |table: &[f32]| set.contrast(table, &order, 3).learn();
        let table = start();
        let mut batch = set.contrast(&table, &order, 3);
        batch.learn();
        for at in 3..15 {
            let slope = |by: f32| {
                let mut table = table.clone();
                table[at] += by;
                loss(&table)
            };
            let slope = (slope(1e-3) - slope(-1e-3)) / 2e-3;
            let text = at / 3 - 1;
            let of_sum = f64::from(batch.gradients[text * 3 + at % 3]);
            assert!((slope - of_sum).abs() < 0.02 * slope.abs().max(1.0), "{at}: {slope} {of_sum}");
        }
    }
}
