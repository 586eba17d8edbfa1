//! Logistic regression over cues that hold or do not, with an L1 and an L2 penalty: most weights become zero.
//!
//! FISTA (Beck and Teboulle, SIAM J. Imaging Sciences 2009) on all cases at once, so it is deterministic.

/// One observation: the places of the cues that hold, and how far a reader accepts it, from 0 to 1.
#[derive(Debug)]
pub struct Case {
    pub cues: Vec<u32>,
    pub truth: f64,
    pub weight: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct Penalty {
    /// Of the sum of the weights, per case.
    pub sparse: f64,
    /// Of half the sum of their squares, per case.
    pub small: f64,
}

impl Penalty {
    /// The same, so many times as strong.
    pub fn times(self, factor: f64) -> Self {
        Self { sparse: self.sparse * factor, small: self.small * factor }
    }
}

const ROUNDS: usize = 600;
const POWER_ROUNDS: usize = 20;

/// The weight of each cue; `penalties` has one for each.
pub fn fit(cases: &[&Case], penalties: &[Penalty]) -> Vec<f64> {
    let count = penalties.len();
    let whole: f64 = cases.iter().map(|case| case.weight).sum::<f64>().max(1.0);
    let strongest = penalties.iter().map(|penalty| penalty.small).fold(0.0, f64::max);
    let step = 1.0 / (curvature(cases, count) / whole + strongest);
    let mut weights = vec![0.0; count];
    let mut ahead = weights.clone();
    let mut momentum = 1.0f64;
    for _ in 0..ROUNDS {
        let mut gradient: Vec<f64> =
            ahead.iter().zip(penalties).map(|(weight, penalty)| penalty.small * weight).collect();
        for case in cases {
            let error = case.weight / whole * (probability(&ahead, &case.cues) - case.truth);
            case.cues.iter().for_each(|cue| gradient[*cue as usize] += error);
        }
        let shrunk = |((weight, slope), penalty): ((&f64, &f64), &Penalty)| {
            let moved = weight - step * slope;
            moved.signum() * (moved.abs() - step * penalty.sparse).max(0.0)
        };
        let next: Vec<f64> = ahead.iter().zip(&gradient).zip(penalties).map(shrunk).collect();
        let faster = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
        let push = (momentum - 1.0) / faster;
        ahead = next.iter().zip(&weights).map(|(new, old)| new + push * (new - old)).collect();
        momentum = faster;
        weights = next;
    }
    weights
}

pub fn probability(weights: &[f64], cues: &[u32]) -> f64 {
    let sum: f64 = cues.iter().filter_map(|cue| weights.get(*cue as usize)).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The largest curvature of the loss: a quarter of the largest eigenvalue, by power iteration.
fn curvature(cases: &[&Case], count: usize) -> f64 {
    let mut direction = vec![1.0 / (count.max(1) as f64).sqrt(); count];
    let mut largest = 0.0;
    for _ in 0..POWER_ROUNDS {
        let mut next = vec![0.0; count];
        for case in cases {
            let along: f64 = case.cues.iter().map(|cue| direction[*cue as usize]).sum();
            case.cues.iter().for_each(|cue| next[*cue as usize] += case.weight * along);
        }
        largest = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        if largest == 0.0 {
            break;
        }
        direction = next.into_iter().map(|x| x / largest).collect();
    }
    largest / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cue_that_tells_is_weighed_and_one_that_does_not_is_dropped() {
        let case = |at: u32| Case {
            cues: if at.is_multiple_of(2) { vec![0, 1, 2 + at % 3] } else { vec![0, 2 + at % 3] },
            truth: f64::from(u8::from(at.is_multiple_of(2))),
            weight: 1.0,
        };
        let cases: Vec<Case> = (0..60).map(case).collect();
        let cases: Vec<&Case> = cases.iter().collect();
        let weights = fit(&cases, &[Penalty { sparse: 0.01, small: 0.001 }; 5]);
        assert!(weights[1] > 1.0 && weights[2..].iter().all(|weight| weight.abs() < 0.05), "{weights:?}");
        assert!(probability(&weights, &[0, 1]) > 0.8 && probability(&weights, &[0]) < 0.3);
        assert_eq!(weights, fit(&cases, &[Penalty { sparse: 0.01, small: 0.001 }; 5]));
    }
}
