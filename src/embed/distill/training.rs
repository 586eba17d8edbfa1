//! Training a table towards the teacher: the mean of a text's rows shall point where the teacher's vector points.
//!
//! Loss 1 - cosine. Adam (Kingma, Ba 2015) on the rows a batch touches, with an own step count for each row. One
//! thread, one order: the same bytes every time.

use super::{Progress, Report, random::Random};

/// For a table.
pub const BATCH: usize = 512;
/// For a table.
pub const PEAK_RATE: f64 = 5e-3;
const WARM_UP: f64 = 0.05;
/// Of the peak rate, at the end.
const LAST_RATE: f64 = 0.03;
const BETA: (f32, f32) = (0.9, 0.99);
const EPSILON: f32 = 1e-8;
const UNTOUCHED: u32 = u32::MAX;

/// Texts as pieces, with the vectors they should get.
#[derive(Debug, Default)]
pub struct TrainingSet {
    pieces: Vec<u32>,
    /// Where each text's pieces end.
    ends: Vec<usize>,
    /// Of length 1, one after the other.
    targets: Vec<f32>,
}

impl TrainingSet {
    /// A text without pieces or without a vector teaches nothing.
    pub fn add(&mut self, pieces: &[u32], target: &[f32]) {
        if !pieces.is_empty() && target.iter().any(|x| *x != 0.0) {
            self.pieces.extend_from_slice(pieces);
            self.ends.push(self.pieces.len());
            self.targets.extend_from_slice(target);
        }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn text(&self, at: usize, dimension: usize) -> (&[u32], &[f32]) {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        (&self.pieces[start..self.ends[at]], &self.targets[at * dimension..(at + 1) * dimension])
    }
}

/// Trains `table` (rows of `dimension`) in place. The mean loss of each epoch; `None` where `report` stopped it.
pub fn train(
    table: &mut [f32],
    dimension: usize,
    set: &TrainingSet,
    epochs: usize,
    seed: u64,
    report: Report<'_>,
) -> Option<Vec<f64>> {
    let mut optimizer = Adam::new(table.len() / dimension.max(1), dimension);
    let schedule =
        Schedule { what: "training", epochs, texts: set.len(), batch: BATCH, peak: PEAK_RATE, report_every: 64, seed };
    schedule.run(report, |batch, rate| {
        let loss = batch.iter().map(|at| optimizer.learn(table, set.text(*at as usize, dimension))).sum::<f64>();
        optimizer.step(table, rate, batch.len());
        loss
    })
}

/// How often and in what batches the texts are learned.
pub struct Schedule {
    pub what: &'static str,
    pub epochs: usize,
    pub texts: usize,
    /// Texts of a batch.
    pub batch: usize,
    /// The highest rate.
    pub peak: f64,
    /// Batches between two reports.
    pub report_every: usize,
    pub seed: u64,
}

impl Schedule {
    /// Gives `learn` every batch of texts with the rate of its step; it returns their loss. The mean loss of each epoch; `None`
    /// where `report` stopped it.
    pub fn run(&self, report: Report<'_>, mut learn: impl FnMut(&[u32], f32) -> f64) -> Option<Vec<f64>> {
        let mut random = Random::new(self.seed);
        let mut order: Vec<u32> = (0..self.texts as u32).collect();
        let steps = self.epochs * order.len().div_ceil(self.batch);
        let mut losses = Vec::with_capacity(self.epochs);
        let mut step = 0;
        for _ in 0..self.epochs {
            random.shuffle(&mut order);
            let mut loss = 0.0;
            for batch in order.chunks(self.batch) {
                loss += learn(batch, (self.peak * rate(step, steps)) as f32);
                step += 1;
                let progress = Progress { what: self.what, done: step, of: steps };
                if step.is_multiple_of(self.report_every) && !report(progress) {
                    return None;
                }
            }
            losses.push(loss / order.len().max(1) as f64);
        }
        report(Progress { what: self.what, done: steps, of: steps });
        Some(losses)
    }
}

/// Share of the highest rate: up in a line, down in half a cosine.
fn rate(step: usize, steps: usize) -> f64 {
    let done = (step + 1) as f64 / steps as f64;
    if done < WARM_UP {
        return done / WARM_UP;
    }
    let down = (1.0 + (std::f64::consts::PI * (done - WARM_UP) / (1.0 - WARM_UP)).cos()) / 2.0;
    LAST_RATE + (1.0 - LAST_RATE) * down
}

/// Adam on the rows that a batch touches.
pub struct Adam {
    dimension: usize,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: Vec<i32>,
    /// Gradients of the rows that this batch touched, and which rows they are.
    gradients: Vec<f32>,
    touched: Vec<u32>,
    /// Where a row's gradient is.
    place: Vec<u32>,
    mean: Vec<f32>,
}

impl Adam {
    pub fn new(rows: usize, dimension: usize) -> Self {
        Self {
            dimension,
            first: vec![0.0; rows * dimension],
            second: vec![0.0; rows * dimension],
            steps: vec![0; rows],
            gradients: Vec::new(),
            touched: Vec::new(),
            place: vec![UNTOUCHED; rows],
            mean: vec![0.0; dimension],
        }
    }

    /// Adds one text's gradient; its loss.
    fn learn(&mut self, table: &[f32], (pieces, target): (&[u32], &[f32])) -> f64 {
        let d = self.dimension;
        self.mean.fill(0.0);
        for piece in pieces {
            let row = &table[*piece as usize * d..][..d];
            self.mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        let share = 1.0 / pieces.len() as f32;
        self.mean.iter_mut().for_each(|x| *x *= share);
        let length = self.mean.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length <= f32::MIN_POSITIVE {
            return 1.0;
        }
        let cosine = self.mean.iter().zip(target).map(|(x, y)| x * y).sum::<f32>() / length;
        // d(1 - s·y)/dm = -(y - (s·y) s) / |m| with s = m / |m|.
        let factor = share / length;
        self.mean.iter_mut().zip(target).for_each(|(x, y)| *x = (cosine * *x / length - y) * factor);
        let gradient = std::mem::take(&mut self.mean);
        self.add(pieces.iter().copied(), &gradient);
        self.mean = gradient;
        f64::from(1.0 - cosine)
    }

    /// Adds the gradient of a sum of rows to each of them.
    pub fn add(&mut self, pieces: impl Iterator<Item = u32>, of_sum: &[f32]) {
        let d = self.dimension;
        for piece in pieces {
            let place = &mut self.place[piece as usize];
            if *place == UNTOUCHED {
                *place = self.touched.len() as u32;
                self.touched.push(piece);
                self.gradients.resize(self.touched.len() * d, 0.0);
            }
            let gradient = &mut self.gradients[*place as usize * d..][..d];
            gradient.iter_mut().zip(of_sum).for_each(|(sum, x)| *sum += x);
        }
    }

    /// One step on every touched row.
    pub fn step(&mut self, table: &mut [f32], rate: f32, texts: usize) {
        let d = self.dimension;
        let of_one = 1.0 / texts as f32;
        for (piece, gradient) in self.touched.iter().zip(self.gradients.chunks_exact(d)) {
            let at = *piece as usize;
            self.place[at] = UNTOUCHED;
            self.steps[at] += 1;
            let unbiased = (1.0 - BETA.0.powi(self.steps[at]), 1.0 - BETA.1.powi(self.steps[at]));
            let row = &mut table[at * d..][..d];
            let first = &mut self.first[at * d..][..d];
            let second = &mut self.second[at * d..][..d];
            for (((x, g), m), v) in row.iter_mut().zip(gradient).zip(first).zip(second) {
                let g = g * of_one;
                *m = BETA.0 * *m + (1.0 - BETA.0) * g;
                *v = BETA.1 * *v + (1.0 - BETA.1) * g * g;
                *x -= rate * (*m / unbiased.0) / ((*v / unbiased.1).sqrt() + EPSILON);
            }
        }
        self.touched.clear();
        self.gradients.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> TrainingSet {
        let mut set = TrainingSet::default();
        for _ in 0..200 {
            set.add(&[0, 1], &[1.0, 0.0]);
            set.add(&[1, 2], &[0.0, 1.0]);
            set.add(&[], &[1.0, 0.0]);
            set.add(&[1], &[0.0, 0.0]);
        }
        set
    }

    const START: [f32; 8] = [0.5, 0.5, 0.3, 0.2, 0.6, 0.5, 0.1, 0.9];

    #[test]
    fn training_brings_the_texts_to_their_targets() {
        assert_eq!(set().len(), 400);
        let mut table = START;
        let losses = train(&mut table, 2, &set(), 300, 1, &mut |_| true).unwrap();
        assert!(losses[0] > 0.3 && losses[299] < 0.05, "{losses:?}");
        assert_eq!(table[6..], START[6..], "a row in no text stays as it was");
        let mut again = START;
        train(&mut again, 2, &set(), 300, 1, &mut |_| true);
        assert_eq!(again, table);
        assert!(train(&mut table, 2, &set(), 300, 1, &mut |_| false).is_none());
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let text = (&[0u32, 1, 1][..], &[0.6f32, 0.8][..]);
        let loss = |table: &[f32]| Adam::new(4, 2).learn(table, text);
        let mut optimizer = Adam::new(4, 2);
        optimizer.learn(&START, text);
        assert_eq!(optimizer.touched, [0, 1]);
        for at in 0..4 {
            let slope = |by: f32| {
                let mut table = START;
                table[at] += by;
                loss(&table)
            };
            let slope = (slope(1e-3) - slope(-1e-3)) / 2e-3;
            assert!((slope - f64::from(optimizer.gradients[at])).abs() < 1e-3, "{at}: {slope}");
        }
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let rates: Vec<f64> = (0..100).map(|step| rate(step, 100)).collect();
        assert!(rates[0] < rates[3] && rates[4] > 0.99 && rates.windows(2).skip(5).all(|r| r[1] < r[0]));
        assert!((rates[99] - LAST_RATE).abs() < 1e-9);
    }
}
