//! The files of the model `kioku-reader` as bytes; `README.md` says how they were made. kioku's `embed::reader` reads them.
//!
//! Also the one step of its arithmetic that candle does slowly: here, because a crate can be optimised where kioku is not.

/// All weights, as GGUF.
pub static WEIGHTS: &[u8] = include_bytes!("../reader.gguf");

/// One piece a line, most frequent first.
pub static VOCABULARY: &str = include_str!("../vocab.txt");

/// Name, sizes and checksum, as JSON.
pub static CARD: &str = include_str!("../kioku-reader.json");

/// x times the probability that a normal number is below x (Hendrycks, Gimpel 2016), for each. The error function is that of
/// Abramowitz and Stegun, 7.1.26, exact to 2e-7; written without branches, so that many numbers are computed at once.
pub fn gelu(values: &mut [f32]) {
    for value in values {
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
        let mut values = known.map(|(x, _)| x);
        gelu(&mut values);
        for ((x, right), value) in known.into_iter().zip(values) {
            assert!((value - right).abs() < 2e-6 * right.abs().max(1.0), "{x}: {value}, not {right}");
        }
    }
}
