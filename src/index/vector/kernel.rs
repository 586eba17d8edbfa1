//! The three loops that everything waits for, compiled for several instruction sets and chosen at run time by `pulp`.

use pulp::Arch;

/// The products of `query` with each row of `rows` (whole rows, one after the other).
pub(super) fn dots(query: &[i8], rows: &[i8]) -> Vec<i32> {
    if query.is_empty() {
        return Vec::new();
    }
    Arch::new().dispatch(|| rows.chunks_exact(query.len()).map(|row| dot_i8(query, row)).collect())
}

#[inline(always)]
fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    let mut sum = 0;
    for (a, b) in a.iter().zip(b) {
        sum += i32::from(*a) * i32::from(*b);
    }
    sum
}

/// Partial sums side by side: a single one would have to be added in order, which no compiler vectorises.
const LANES: usize = 16;

/// The product of `query` with `256 * upper + lower`.
pub(super) fn dot_planes(query: &[f32], upper: &[i8], lower: &[i8]) -> f32 {
    Arch::new().dispatch(|| {
        let mut sums = [0f32; LANES];
        let mut add = |query: &[f32], upper: &[i8], lower: &[i8]| {
            for (((sum, query), upper), lower) in sums.iter_mut().zip(query).zip(upper).zip(lower) {
                *sum += query * (i32::from(*upper) * 256 + i32::from(*lower)) as f32;
            }
        };
        let (queries, query) = query.as_chunks::<LANES>();
        let (uppers, upper) = upper.as_chunks::<LANES>();
        let (lowers, lower) = lower.as_chunks::<LANES>();
        for ((query, upper), lower) in queries.iter().zip(uppers).zip(lowers) {
            add(query, upper, lower);
        }
        add(query, upper, lower);
        sums.iter().sum()
    })
}

/// The product of two rows of 16-bit numbers. For vectors whose length is at most 2^15 no partial sum leaves 32 bits
/// (Cauchy-Schwarz: the sum of magnitudes is at most 2^30).
pub(super) fn dot_i16(a: &[i16], b: &[i16]) -> i32 {
    Arch::new().dispatch(|| {
        let mut sum = 0i32;
        for (a, b) in a.iter().zip(b) {
            sum = sum.wrapping_add(i32::from(*a) * i32::from(*b));
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_gives_the_plain_sum() {
        for length in [1usize, 2, 15, 16, 17, 64, 384] {
            let a: Vec<i8> = (0..length).map(|i| (i as i32 * 37 % 255 - 127) as i8).collect();
            let b: Vec<i8> = (0..length).map(|i| (i as i32 * 91 % 255 - 127) as i8).collect();
            let expected: i32 = a.iter().zip(&b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
            assert_eq!(dots(&a, &[b.clone(), a.clone()].concat())[0], expected);
            let wide = |v: &[i8]| v.iter().map(|x| i16::from(*x)).collect::<Vec<_>>();
            assert_eq!(dot_i16(&wide(&a), &wide(&b)), expected);
            let query: Vec<f32> = a.iter().map(|x| f32::from(*x) / 127.0).collect();
            let expected: f32 =
                query.iter().zip(&b).zip(&a).map(|((q, u), l)| q * (f32::from(*u) * 256.0 + f32::from(*l))).sum();
            assert!((dot_planes(&query, &b, &a) - expected).abs() <= expected.abs() * 1e-4 + 1.0);
        }
        assert!(dots(&[], &[]).is_empty());
    }
}
