//! Logistic regression by Newton's method, with an L2 penalty. Deterministic.

/// One observation. Its first figure is the constant, which is not penalised.
#[derive(Debug, Clone)]
pub struct Case {
    pub figures: Vec<f64>,
    /// 1 for yes, 0 for no.
    pub truth: f64,
    pub weight: f64,
}

const ROUNDS: usize = 50;
const ENOUGH: f64 = 1e-9;

/// The weights of the figures; empty without cases. `penalty` is of a weight, divided by the weight of all cases.
pub fn fit(cases: &[Case], penalty: f64) -> Vec<f64> {
    let count = cases.first().map_or(0, |case| case.figures.len());
    let whole: f64 = cases.iter().map(|case| case.weight).sum();
    let mut weights = vec![0.0; count];
    for _ in 0..ROUNDS {
        let mut gradient = vec![0.0; count];
        let mut hessian = vec![vec![0.0; count]; count];
        for at in 0..count {
            let penalty = if at == 0 { ENOUGH } else { penalty * whole };
            gradient[at] = penalty * weights[at];
            hessian[at][at] = penalty;
        }
        for case in cases {
            let odds: f64 = case.figures.iter().zip(&weights).map(|(figure, weight)| figure * weight).sum();
            let probability = 1.0 / (1.0 + (-odds).exp());
            let error = case.weight * (probability - case.truth);
            let curvature = case.weight * probability * (1.0 - probability);
            for (row, figure) in case.figures.iter().enumerate() {
                gradient[row] += error * figure;
                for (column, other) in case.figures.iter().enumerate() {
                    hessian[row][column] += curvature * figure * other;
                }
            }
        }
        let step = solve(hessian, gradient);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight -= step);
        if step.iter().all(|step| step.abs() < ENOUGH) {
            break;
        }
    }
    weights
}

/// Solves a system of linear equations by elimination with pivots; the matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| matrix[*a][at].abs().total_cmp(&matrix[*b][at].abs())).unwrap_or(at);
        matrix.swap(at, pivot);
        right.swap(at, pivot);
        let pivot_row = matrix[at].clone();
        for row in at + 1..count {
            let factor = matrix[row][at] / pivot_row[at];
            for (cell, above) in matrix[row].iter_mut().zip(&pivot_row) {
                *cell -= factor * above;
            }
            right[row] -= factor * right[at];
        }
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|column| matrix[at][column] * solution[column]).sum();
        solution[at] = (right[at] - known) / matrix[at][at];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_yes_is_met_and_a_figure_that_tells_them_apart_is_weighed() {
        let case =
            |figure: f64, yes: bool| Case { figures: vec![1.0, figure], truth: f64::from(u8::from(yes)), weight: 1.0 };
        let fit = |cases: &[Case]| fit(cases, 0.003);
        let flat: Vec<Case> = (0..100).map(|at| case(0.0, at < 20)).collect();
        let [constant, _] = fit(&flat)[..] else { panic!("two weights") };
        assert!((1.0 / (1.0 + (-constant).exp()) - 0.2).abs() < 1e-6);
        let told: Vec<Case> = (0..100).map(|at| case(f64::from(at) / 100.0, at > 60)).collect();
        assert!(fit(&told)[1] > 1.0);
        assert_eq!(fit(&told), fit(&told));
        assert!(fit(&[]).is_empty());
    }
}
