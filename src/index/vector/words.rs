//! Contextual word vectors of a passage, at one bit per dimension, and their similarity to a question's words.
//!
//! Late interaction (ColBERT: Khattab and Zaharia, SIGIR 2020): each word of the question is compared with the
//! closest word of a passage. A word is the mean of its tokens' vectors; function words are left out. Of each
//! component only the sign is stored; the question is not quantised, and its product with the signs is their cosine
//! up to a constant (as in sign projections: Charikar, STOC 2002). 384 dimensions are 48 bytes per word.
//!
//! On conversations one bit ranks as well as all 32 (recall@10 .796 for .796, nDCG@10 .630 for .632) and two bits are
//! no better; a random rotation before gains nothing, nor does a code for each token instead of each word.

use std::ops::Range;

use crate::{
    embed::{Pieces, normalise},
    index::keyword::{
        analyzer::{self, Kind},
        is_stop_word,
    },
};

/// The cosine of a vector with the signs of another is smaller than with the vector itself by this factor, the mean
/// of `|x|` over that of `x * x` for components with a Gaussian distribution: the square root of 2 / pi.
const OF_SIGNS: f32 = 0.797_884_6;
/// Number of values of a byte of signs.
const BYTE: usize = 256;

/// Length of the code of one word in bytes.
pub(super) fn code_len(dimension: usize) -> usize {
    dimension.div_ceil(8)
}

/// The codes of a passage's words, one after another, in text order.
pub(super) fn coded(text: &str, pieces: &Pieces, dimension: usize) -> Vec<u8> {
    let mut codes = Vec::new();
    for (_, vector) in content_words(text, pieces, dimension, &mut |token| !is_stop_word(&token.exact)) {
        codes.extend(
            vector
                .chunks(8)
                .map(|eight| eight.iter().enumerate().fold(0u8, |byte, (bit, x)| byte | u8::from(*x >= 0.0) << bit)),
        );
    }
    codes
}

/// The words of a text that have token vectors and that `wanted` accepts, with their spans, each as the mean of its
/// token vectors.
fn content_words(
    text: &str,
    pieces: &Pieces,
    dimension: usize,
    wanted: &mut dyn FnMut(&analyzer::Token) -> bool,
) -> Vec<(Range<usize>, Vec<f32>)> {
    let mut words = Vec::new();
    let mut from = 0;
    analyzer::analyze(text, &mut |token| {
        if !matches!(token.kind, Kind::Word | Kind::Gram) || !wanted(token) {
            return;
        }
        from += pieces.spans[from..].iter().take_while(|piece| piece.end <= token.span.start).count();
        let own = pieces.spans[from..].iter().take_while(|piece| piece.start < token.span.end).count();
        let rows = pieces.vectors[from * dimension..(from + own) * dimension].chunks_exact(dimension);
        if own > 0 {
            let mut mean = vec![0.0; dimension];
            rows.for_each(|row| mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x));
            normalise(&mut mean);
            words.push((token.span.clone(), mean));
        }
    });
    words
}

/// A word of a question, prepared for comparison with many codes.
struct QuestionWord {
    weight: f32,
    /// For each byte of a code and each of its values: the contribution of these eight components to the cosine.
    table: Vec<f32>,
}

/// The words of a question in text order, each with its weight.
pub struct WordProbe {
    words: Vec<QuestionWord>,
    code_len: usize,
}

impl WordProbe {
    /// `weigh` gives the weight of a word; words with weight 0 are left out. `None` where none is left.
    pub fn new(
        question: &str,
        pieces: &Pieces,
        dimension: usize,
        weigh: &mut dyn FnMut(&analyzer::Token) -> Option<f32>,
    ) -> Option<Self> {
        let mut weights = Vec::new();
        let mut wanted = |token: &analyzer::Token| {
            let weight = weigh(token).filter(|weight| *weight > 0.0);
            weights.extend(weight.map(|weight| (token.span.clone(), weight)));
            weight.is_some()
        };
        let vectors = content_words(question, pieces, dimension, &mut wanted);
        let weight_of = |span: &Range<usize>| weights.iter().find(|(own, _)| own == span).map(|(_, weight)| *weight);
        let words: Vec<(f32, Vec<f32>)> =
            vectors.into_iter().filter_map(|(span, vector)| Some((weight_of(&span)?, vector))).collect();
        let total: f32 = words.iter().map(|(weight, _)| weight).sum();
        let asked = |(weight, vector): (f32, Vec<f32>)| QuestionWord { weight: weight / total, table: table(&vector) };
        let words: Vec<QuestionWord> = words.into_iter().map(asked).collect();
        (!words.is_empty()).then_some(Self { words, code_len: code_len(dimension) })
    }

    /// Number of words in these codes.
    pub(super) fn words_of(&self, codes: &[u8]) -> usize {
        codes.len() / self.code_len
    }

    /// From 0 to 1: the mean over the question's words, by weight, of the cosine with the closest of these words.
    pub(super) fn likeness(&self, codes: &[u8]) -> f32 {
        let closest = |asked: &QuestionWord| {
            let cosines = codes.chunks_exact(self.code_len).map(|code| {
                code.iter().zip(asked.table.as_chunks::<BYTE>().0).map(|(byte, sums)| sums[usize::from(*byte)]).sum()
            });
            cosines.fold(0f32, f32::max).min(1.0)
        };
        self.words.iter().map(|asked| asked.weight * closest(asked)).sum()
    }
}

fn table(vector: &[f32]) -> Vec<f32> {
    let scale = ((vector.len() as f32).sqrt() * OF_SIGNS).recip();
    let mut table = Vec::with_capacity(code_len(vector.len()) * BYTE);
    for eight in vector.chunks(8) {
        let start = table.len();
        table.push(-eight.iter().sum::<f32>() * scale);
        for byte in 1..BYTE {
            let rest: f32 = table[start + (byte & (byte - 1))];
            let bit = eight.get(byte.trailing_zeros() as usize).copied().unwrap_or(0.0);
            table.push(rest + 2.0 * bit * scale);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A different direction for each number.
    fn direction(number: u32, dimension: usize) -> Vec<f32> {
        let mut state = number;
        let mut vector: Vec<f32> = (0..dimension)
            .map(|_| {
                state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                (state >> 16) as f32 / 32_768.0 - 1.0
            })
            .collect();
        normalise(&mut vector);
        vector
    }

    /// Each word of a text as one token, with the vector that `of` gives it.
    fn pieces(text: &str, of: &dyn Fn(&str) -> Vec<f32>) -> Pieces {
        let mut pieces = Pieces::default();
        analyzer::analyze(text, &mut |token| {
            pieces.spans.push(token.span.clone());
            pieces.vectors.extend(of(&token.exact));
        });
        pieces
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn one_bit_a_dimension_tells_how_close_two_words_are() {
        const DIMENSION: usize = 384;
        let dog = direction(1, DIMENSION);
        let puppy: Vec<f32> = {
            let mut near: Vec<f32> = dog.iter().zip(direction(2, DIMENSION)).map(|(a, b)| 0.8 * a + 0.6 * b).collect();
            normalise(&mut near);
            near
        };
        let of = |word: &str| match word {
            "dog" => dog.clone(),
            "puppy" => puppy.clone(),
            _ => direction(9, DIMENSION),
        };
        let question = "the dog";
        let mut weigh = |token: &analyzer::Token| (token.exact == "dog").then_some(3.0);
        let probe = WordProbe::new(question, &pieces(question, &of), DIMENSION, &mut weigh).unwrap();
        let likeness = |text: &str| probe.likeness(&coded(text, &pieces(text, &of), DIMENSION));
        assert!((likeness("a dog barked") - 1.0).abs() < 0.02, "{}", likeness("a dog barked"));
        assert!((likeness("the puppy") - cosine(&dog, &puppy)).abs() < 0.1, "{}", likeness("the puppy"));
        assert!(likeness("rain") < 0.2 && likeness("the") == 0.0 && likeness("") == 0.0);
    }

    #[test]
    fn function_words_are_not_kept_and_a_word_is_the_mean_of_its_pieces() {
        let text = "It was raining";
        let all = pieces(text, &|word| direction(word.len() as u32, 16));
        assert_eq!(coded(text, &all, 16).len(), code_len(16));
        let halves = Pieces {
            spans: vec![0..2, 3..6, 7..11, 11..14],
            vectors: [1, 2, 3, 4].into_iter().flat_map(|number| direction(number, 16)).collect(),
        };
        let mut mean: Vec<f32> = direction(3, 16).iter().zip(direction(4, 16)).map(|(a, b)| a + b).collect();
        normalise(&mut mean);
        let whole = Pieces { spans: std::iter::once(7..14).collect(), vectors: mean };
        assert_eq!(coded(text, &halves, 16), coded(text, &whole, 16));
        let cut = Pieces { spans: std::iter::once(0..2).collect(), vectors: direction(1, 16) };
        assert!(coded(text, &cut, 16).is_empty(), "what the model did not read any more has no code");
    }
}
