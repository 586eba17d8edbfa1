//! The loops that everything waits for, compiled for several instruction sets and chosen at run time by `pulp`.
//!
//! The arithmetic wraps where it cannot overflow anyway: a check in each step would keep the loops from being vectorised.
//! They are plain loops inside `with_simd`: what is called through iterator adaptors there is often compiled for the
//! lowest instruction set, three to four times slower.

use pulp::{Arch, Simd, WithSimd};

/// The products of `query` with the first of `rows` (whole rows, one after the other), as many as `products` holds. 15 ns a
/// row of 384.
pub(super) fn dots(query: &[i16], rows: &[i8], products: &mut [i32]) {
    if !query.is_empty() {
        Arch::new().dispatch(Dots { query, rows, products });
    }
}

struct Dots<'a> {
    query: &'a [i16],
    rows: &'a [i8],
    products: &'a mut [i32],
}

impl WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (product, row) in self.products.iter_mut().zip(self.rows.chunks_exact(self.query.len())) {
            let mut sum = 0i32;
            for (a, b) in self.query.iter().zip(row) {
                sum = sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b)));
            }
            *product = sum;
        }
    }
}

/// The product of `query` with `256 * upper + lower`. 30 ns for 384 components.
pub(super) fn dot_planes(query: &[f32], upper: &[i8], lower: &[i8]) -> f32 {
    Arch::new().dispatch(DotPlanes { query, upper, lower })
}

struct DotPlanes<'a> {
    query: &'a [f32],
    upper: &'a [i8],
    lower: &'a [i8],
}

impl WithSimd for DotPlanes<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> f32 {
        // Partial sums side by side: a single one would have to be added in order, which no compiler vectorises.
        const LANES: usize = 16;
        let (queries, query) = self.query.as_chunks::<LANES>();
        let (uppers, upper) = self.upper.as_chunks::<LANES>();
        let (lowers, lower) = self.lower.as_chunks::<LANES>();
        let mut sums = [0f32; LANES];
        for ((query, upper), lower) in queries.iter().zip(uppers).zip(lowers) {
            for lane in 0..LANES {
                sums[lane] += query[lane] * joined(upper[lane], lower[lane]);
            }
        }
        let mut sum = sums.iter().sum();
        for ((query, upper), lower) in query.iter().zip(upper).zip(lower) {
            sum += query * joined(*upper, *lower);
        }
        sum
    }
}

/// Takes little-endian 16-bit numbers apart into their two planes; the sum of the squares of the lower one.
pub(super) fn split(values: &[u8], upper: &mut [i8], lower: &mut [i8]) -> i32 {
    Arch::new().dispatch(Split { values: values.as_chunks().0, upper, lower })
}

struct Split<'a> {
    values: &'a [[u8; 2]],
    upper: &'a mut [i8],
    lower: &'a mut [i8],
}

impl WithSimd for Split<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> i32 {
        let mut squares = 0i32;
        for ((value, upper), lower) in self.values.iter().zip(self.upper).zip(self.lower) {
            let value = i16::from_le_bytes(*value);
            *lower = value as i8;
            // What remains is a multiple of 256 and, for values up to 32,512, no more than 127 of them.
            *upper = (value.wrapping_sub(i16::from(*lower)) >> 8) as i8;
            squares = squares.wrapping_add(i32::from(*lower).wrapping_mul(i32::from(*lower)));
        }
        squares
    }
}

#[inline(always)]
fn joined(upper: i8, lower: i8) -> f32 {
    (i32::from(upper) << 8).wrapping_add(i32::from(lower)) as f32
}

/// The product of two rows of 16-bit numbers. For vectors whose length is at most 2^15 no partial sum leaves 32 bits
/// (Cauchy-Schwarz: the sum of magnitudes is at most 2^30). 13 ns for 384 components.
pub(super) fn dot_i16(a: &[i16], b: &[i16]) -> i32 {
    Arch::new().dispatch(DotI16 { a, b })
}

struct DotI16<'a> {
    a: &'a [i16],
    b: &'a [i16],
}

impl WithSimd for DotI16<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> i32 {
        let mut sum = 0i32;
        for (a, b) in self.a.iter().zip(self.b) {
            sum = sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b)));
        }
        sum
    }
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
            let wide = |v: &[i8]| v.iter().map(|x| i16::from(*x)).collect::<Vec<_>>();
            let mut products = [0; 2];
            dots(&wide(&a), &[a.clone(), b.clone()].concat(), &mut products);
            assert_eq!(products[1], expected);
            assert_eq!(dot_i16(&wide(&a), &wide(&b)), expected);
            let query: Vec<f32> = a.iter().map(|x| f32::from(*x) / 127.0).collect();
            let expected: f32 =
                query.iter().zip(&b).zip(&a).map(|((q, u), l)| q * (f32::from(*u) * 256.0 + f32::from(*l))).sum();
            assert!((dot_planes(&query, &b, &a) - expected).abs() <= expected.abs() * 1e-4 + 1.0);
        }
        dots(&[], &[], &mut []);
    }

    #[test]
    fn a_number_taken_apart_is_the_sum_of_its_planes() {
        let values: Vec<i16> = (-32_512..=32_512).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let (mut upper, mut lower) = (vec![0; values.len()], vec![0; values.len()]);
        // The squares of so many leave 32 bits: those of a row are asked for.
        split(&bytes, &mut upper, &mut lower);
        let joined = upper.iter().zip(&lower).map(|(upper, lower)| i16::from(*upper) * 256 + i16::from(*lower));
        assert!(joined.eq(values.iter().copied()));
        let (mut upper, mut lower) = ([0; 3], [0; 3]);
        let row: Vec<u8> = [255i16, -2, 128].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(split(&row, &mut upper, &mut lower), 1 + 4 + 128 * 128);
    }
}
