//! Steps over the rows of a tensor, in place, in loops of [`LANES`] numbers that a compiler turns into vector instructions.

/// Numbers that are read, summed or written side by side.
const LANES: usize = 16;

/// The columns of rows, one after another.
pub fn transposed(rows: &[f32], width: usize) -> Vec<f32> {
    let height = rows.len() / width;
    let mut columns = vec![0f32; height * width];
    for (first, rows) in rows.chunks(width * LANES).enumerate() {
        for column in 0..width {
            let out = &mut columns[column * height + first * LANES..];
            out.iter_mut().zip(rows.chunks_exact(width)).for_each(|(out, row)| *out = row[column]);
        }
    }
    columns
}

/// Adds a row to each row, or as many numbers one by one.
pub fn add(rows: &mut [f32], other: &[f32]) {
    for row in rows.chunks_exact_mut(other.len()) {
        row.iter_mut().zip(other).for_each(|(x, y)| *x += y);
    }
}

/// Layer norm (Ba et al. 2016) of each row, with the epsilon of BERT, 1e-12.
pub fn norm(rows: &mut [f32], scale: &[f32], shift: &[f32]) {
    let count = scale.len() as f32;
    for row in rows.chunks_exact_mut(scale.len()) {
        let mean = sum(row, |x| x) / count;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
        let by = 1.0 / (variance + 1e-12).sqrt();
        for ((x, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
            *x = (*x - mean) * by * scale + shift;
        }
    }
}

/// The shares of one choice by its logits.
pub fn softmax(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::MIN, f32::max);
    row.iter_mut().for_each(|x| *x = exp(*x - most));
    let by = 1.0 / sum(row, |x| x);
    row.iter_mut().for_each(|x| *x *= by);
}

fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|x| of(*x)).sum();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane += of(*x));
    }
    rest + lanes.iter().sum::<f32>()
}

/// x times the probability that a normal number is below x (Hendrycks, Gimpel 2016), of each number and its bias. The error
/// function is that of Abramowitz and Stegun, 7.1.26, exact to 2e-7; written without branches, so that many numbers are computed at
/// once.
pub fn gelu(rows: &mut [f32], bias: &[f32]) {
    add(rows, bias);
    for value in rows {
        let x = *value * std::f32::consts::FRAC_1_SQRT_2;
        let far = x.abs();
        let t = 1.0 / (1.0 + 0.327_591_1 * far);
        let series = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
        let above = 1.0 - series * exp(-far * far);
        *value *= 0.5 + 0.5 * above.copysign(x);
    }
}

/// e to the power of a number that is not positive; 0 far below.
fn exp(x: f32) -> f32 {
    /// Adding it leaves no bits for the fraction.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let whole = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    // ln 2 in two parts, of which the first has no rounding error.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let power =
        ((((0.008_333_334 * rest + 0.041_666_67) * rest + 0.166_666_67) * rest + 0.5) * rest + 1.0) * rest + 1.0;
    f32::from_bits(((whole as i32 + 127) << 23) as u32) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gelu_has_the_values_of_its_definition() {
        // x Φ(x), to seven digits.
        let known = [
            (0.0, 0.0),
            (0.5, 0.345_731_2),
            (-0.5, -0.154_268_8),
            (1.0, 0.841_344_7),
            (-1.0, -0.158_655_3),
            (2.0, 1.954_5),
            (-2.0, -0.045_500_26),
            (3.0, 2.995_95),
            (-3.0, -0.004_049_694),
            (6.0, 6.0),
            (-20.0, 0.0),
            (1e4, 1e4),
            (-1e4, 0.0),
        ];
        let mut values = known.map(|(x, _)| x - 0.25);
        gelu(&mut values, &[0.25]);
        for ((x, right), value) in known.into_iter().zip(values) {
            assert!((value - right).abs() < 2e-6 * right.abs().max(1.0), "{x}: {value}, not {right}");
        }
    }

    #[test]
    fn columns_are_those_of_the_rows() {
        let (height, width) = (37, 5);
        let rows: Vec<f32> = (0..height * width).map(|n| n as f32).collect();
        let columns = transposed(&rows, width);
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            assert_eq!(columns[column * height + row], rows[row * width + column]);
        }
        assert_eq!(transposed(&columns, height), rows);
    }

    #[test]
    fn a_norm_has_mean_zero_and_variance_one() {
        let mut rows: Vec<f32> = (0..80).map(|n| (n * n % 37) as f32).collect();
        norm(&mut rows, &[2.0; 40], &[3.0; 40]);
        for row in rows.chunks(40) {
            let mean = row.iter().sum::<f32>() / 40.0;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 40.0;
            assert!((mean - 3.0).abs() < 1e-5 && (variance - 4.0).abs() < 1e-4, "{mean} {variance}");
        }
    }

    #[test]
    fn a_softmax_has_the_shares_of_its_exponentials() {
        let logits: Vec<f32> = (0..37).map(|n| (n % 11) as f32 - 5.0).collect();
        let mut shares = logits.clone();
        softmax(&mut shares);
        let all: f32 = logits.iter().map(|x| x.exp()).sum();
        for (logit, share) in logits.iter().zip(&shares) {
            assert!((share - logit.exp() / all).abs() < 1e-6);
        }
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
