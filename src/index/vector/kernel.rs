//! The inner loops of vector search, compiled for several instruction sets and chosen at run time by `pulp`.
//!
//! The arithmetic wraps where it cannot overflow anyway: a check in each step would prevent vectorisation. They are
//! plain loops inside `with_simd`: code called there through iterator adaptors is often compiled for the lowest
//! instruction set, three to four times slower.

use pulp::{Arch, Simd, WithSimd};

/// Number of row sequences read in parallel. A single one waits for memory, because the hardware prefetcher stops at
/// the end of every page; eight sequences in eight places have three times the throughput.
const STREAMS: usize = 8;

/// Rows of signed bytes inside records of equal length.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    pub bytes: &'a [u8],
    /// Length of a record, and offset of the row in it.
    pub length: usize,
    pub start: usize,
}

impl<'a> Records<'a> {
    #[inline(always)]
    fn row(&self, at: usize, dimension: usize) -> &'a [u8] {
        let start = at * self.length + self.start;
        &self.bytes[start..start + dimension]
    }
}

/// The dot products of `query` with the first of `rows`, as many as `products` has room for. 11 ns per row of 256 in
/// memory, 7 in the cache.
pub(super) fn dots(query: &[i16], rows: Records<'_>, products: &mut [i32]) {
    if query.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(DotsV3 { simd, query, rows, products });
    }
    Arch::new().dispatch(Dots { query, rows, products });
}

/// The portable version, vectorised by the compiler for any instruction set.
struct Dots<'a> {
    query: &'a [i16],
    rows: Records<'a>,
    products: &'a mut [i32],
}

impl WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let stream = self.products.len() / STREAMS;
        for at in 0..stream {
            for nth in 0..STREAMS {
                let row = nth * stream + at;
                self.products[row] = dot(self.query, self.rows.row(row, self.query.len()));
            }
        }
        for row in stream * STREAMS..self.products.len() {
            self.products[row] = dot(self.query, self.rows.row(row, self.query.len()));
        }
    }
}

#[inline(always)]
fn dot(query: &[i16], row: &[u8]) -> i32 {
    let mut sum = 0i32;
    for (a, b) in query.iter().zip(row) {
        sum = sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b as i8)));
    }
    sum
}

/// The same with the instruction that multiplies and adds pairs, which the compiler does not find for bytes.
#[cfg(target_arch = "x86_64")]
struct DotsV3<'a> {
    simd: pulp::x86::V3,
    query: &'a [i16],
    rows: Records<'a>,
    products: &'a mut [i32],
}

#[cfg(target_arch = "x86_64")]
impl pulp::NullaryFnOnce for DotsV3<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let stream = self.products.len() / STREAMS;
        let (queries, rest) = self.query.as_chunks::<16>();
        let whole = 16 * queries.len();
        for at in 0..stream {
            let mut rows: [&[[u8; 16]]; STREAMS] = [&[]; STREAMS];
            for (nth, row) in rows.iter_mut().enumerate() {
                *row = &self.rows.row(nth * stream + at, whole).as_chunks::<16>().0[..queries.len()];
            }
            let mut sums = [self.simd.avx._mm256_setzero_si256(); STREAMS];
            for (place, query) in queries.iter().enumerate() {
                let query = pulp::cast(*query);
                for nth in 0..STREAMS {
                    let row = self.simd.avx2._mm256_cvtepi8_epi16(pulp::cast(rows[nth][place]));
                    let product = self.simd.avx2._mm256_madd_epi16(query, row);
                    sums[nth] = self.simd.avx2._mm256_add_epi32(sums[nth], product);
                }
            }
            for (nth, sums) in sums.into_iter().enumerate() {
                let sums: [i32; 8] = pulp::cast(sums);
                let row = nth * stream + at;
                let mut sum = sums.iter().fold(0i32, |sum, part| sum.wrapping_add(*part));
                if !rest.is_empty() {
                    sum = sum.wrapping_add(dot(rest, &self.rows.row(row, self.query.len())[whole..]));
                }
                self.products[row] = sum;
            }
        }
        for row in stream * STREAMS..self.products.len() {
            self.products[row] = dot(self.query, self.rows.row(row, self.query.len()));
        }
    }
}

/// The dot product of `query` with `256 * upper + lower`. 30 ns for 384 components.
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
        // Separate partial sums: a single sum would have to be added in order, which no compiler vectorises.
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

/// Splits 16-bit numbers into their two planes; returns the sum of the squares of the lower one.
pub(super) fn split(values: &[i16], upper: &mut [i8], lower: &mut [i8]) -> i32 {
    let mut squares = 0i32;
    for ((value, upper), lower) in values.iter().zip(upper).zip(lower) {
        *lower = *value as i8;
        // The remainder is a multiple of 256 and, for values up to 32,512, at most 127 times 256.
        *upper = (value.wrapping_sub(i16::from(*lower)) >> 8) as i8;
        squares = squares.wrapping_add(i32::from(*lower).wrapping_mul(i32::from(*lower)));
    }
    squares
}

#[inline(always)]
fn joined(upper: i8, lower: i8) -> f32 {
    (i32::from(upper) << 8).wrapping_add(i32::from(lower)) as f32
}

/// The dot product of two rows of 16-bit numbers. For vectors whose length is at most 2^15 no partial sum exceeds 32
/// bits (Cauchy-Schwarz: the sum of magnitudes is at most 2^30). 13 ns for 384 components.
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
            assert_eq!(dot_i16(&wide(&a), &wide(&b)), expected);
            let query: Vec<f32> = a.iter().map(|x| f32::from(*x) / 127.0).collect();
            let expected: f32 =
                query.iter().zip(&b).zip(&a).map(|((q, u), l)| q * (f32::from(*u) * 256.0 + f32::from(*l))).sum();
            assert!((dot_planes(&query, &b, &a) - expected).abs() <= expected.abs() * 1e-4 + 1.0);
        }
    }

    #[test]
    fn rows_side_by_side_give_what_each_gives_alone() {
        for (length, count) in [(1usize, 3usize), (15, 8), (16, 9), (17, 40), (64, 7), (256, 33), (384, 16)] {
            let query: Vec<i16> = (0..length).map(|i| (i as i32 * 977 % 4095 - 2047) as i16).collect();
            let record = length + 5;
            let bytes: Vec<u8> = (0..record * count).map(|i| (i * 131 % 251) as u8).collect();
            let rows = Records { bytes: &bytes, length: record, start: 3 };
            let plain = |row: usize| {
                let products =
                    query.iter().zip(rows.row(row, length)).map(|(a, b)| i32::from(*a) * i32::from(*b as i8));
                products.sum::<i32>()
            };
            let expected: Vec<i32> = (0..count).map(plain).collect();
            let mut products = vec![0; count];
            dots(&query, rows, &mut products);
            assert_eq!(products, expected);
            products.fill(0);
            Arch::new().dispatch(Dots { query: &query, rows, products: &mut products });
            assert_eq!(products, expected, "without the instruction for pairs");
        }
        dots(&[], Records { bytes: &[], length: 4, start: 0 }, &mut []);
    }

    #[test]
    fn a_number_taken_apart_is_the_sum_of_its_planes() {
        let values: Vec<i16> = (-32_512..=32_512).collect();
        let (mut upper, mut lower) = (vec![0; values.len()], vec![0; values.len()]);
        // The sum of the squares would exceed 32 bits, and is only needed for single rows.
        split(&values, &mut upper, &mut lower);
        let joined = upper.iter().zip(&lower).map(|(upper, lower)| i16::from(*upper) * 256 + i16::from(*lower));
        assert!(joined.eq(values.iter().copied()));
        let (mut upper, mut lower) = ([0; 3], [0; 3]);
        assert_eq!(split(&[255, -2, 128], &mut upper, &mut lower), 1 + 4 + 128 * 128);
    }
}
