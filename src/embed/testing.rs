//! For tests only: an encoder that needs no model files and gives the same vectors on every machine.

use sha2::{Digest, Sha256};

use super::{Encoder, ModelStamp, Pieces, Reading, Result, TokenVectors};

/// Counts the words of a text into `dim` buckets and scales to length 1: texts that share words are close,
/// texts that share none have cosine 0 (unless two words fall into one bucket: take more buckets).
///
/// For tests and benches; it knows nothing of meaning.
#[derive(Debug, Clone)]
pub struct HashEncoder {
    stamp: ModelStamp,
}

impl HashEncoder {
    /// `dim` buckets; 64 will do for a handful of texts, 256 for hundreds.
    pub fn new(dim: usize) -> Self {
        Self::of_kind(dim, false)
    }

    /// One that also says what each word is in its sentence: itself, and a little of the word before it.
    pub fn in_sentence(dim: usize) -> Self {
        Self::of_kind(dim, true)
    }

    fn of_kind(dim: usize, in_sentence: bool) -> Self {
        let dimension = dim.max(1);
        let kind = if in_sentence { "words in their sentence, counted" } else { "words counted" };
        let checksum = super::hex(&Sha256::digest(format!("{kind} into {dimension} buckets")));
        Self { stamp: ModelStamp { name: format!("hash-{dimension}"), checksum, dimension, in_sentence } }
    }

    fn pieces(&self, text: &str) -> Pieces {
        let mut pieces = Pieces::default();
        let mut before: Option<Vec<f32>> = None;
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words {
            let start = word.as_ptr().addr() - text.as_ptr().addr();
            pieces.spans.push(start..start + word.len());
            let own = self.direction(word);
            let mut vector = own.clone();
            if let Some(before) = before {
                vector.iter_mut().zip(before).for_each(|(x, other)| *x += 0.3 * other);
            }
            super::normalise(&mut vector);
            pieces.vectors.extend(vector);
            before = Some(own);
        }
        pieces
    }

    /// A direction of a word's own, by its digest; its components are spread as those of real models are.
    fn direction(&self, word: &str) -> Vec<f32> {
        let digest = Sha256::digest(word.to_lowercase());
        let mut state = digest.iter().take(8).fold(1u64, |sum, byte| sum << 8 | u64::from(*byte)) | 1;
        let mut component = || {
            // xorshift64*; the sum of four is round enough.
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let drawn = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
            (0..4).map(|part| (drawn >> (16 * part) & 0xffff) as f32 / 32_768.0 - 1.0).sum::<f32>()
        };
        let mut vector: Vec<f32> = (0..self.stamp.dimension).map(|_| component()).collect();
        super::normalise(&mut vector);
        vector
    }

    fn one(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0f32; self.stamp.dimension];
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            vector[bucket(&word.to_lowercase(), self.stamp.dimension)] += 1.0;
        }
        super::normalise(&mut vector);
        vector
    }
}

impl Encoder for HashEncoder {
    fn stamp(&self) -> &ModelStamp {
        &self.stamp
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.one(text)).collect())
    }

    fn token_vectors(&self) -> Option<&dyn TokenVectors> {
        self.stamp.in_sentence.then_some(self as _)
    }
}

impl TokenVectors for HashEncoder {
    fn read(&self, texts: &[&str]) -> Result<Vec<Reading>> {
        Ok(texts.iter().map(|text| Reading { vector: self.one(text), pieces: self.pieces(text) }).collect())
    }

    fn read_queries(&self, queries: &[&str]) -> Result<Vec<Reading>> {
        self.read(queries)
    }
}

fn bucket(word: &str, dimension: usize) -> usize {
    let digest = Sha256::digest(word);
    let number = digest.iter().take(8).fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    (number % dimension as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn shared_words_bring_texts_together() {
        let encoder = HashEncoder::new(256);
        let texts = ["Tea with Linh by the river", "the river, with tea!", "A tired morning at work"];
        let vectors = encoder.embed(&texts).unwrap();
        assert!(cosine(&vectors[0], &vectors[1]) > 0.7);
        assert!(cosine(&vectors[0], &vectors[2]) < 0.3);
        assert!(vectors.iter().all(|v| (cosine(v, v) - 1.0).abs() < 1e-5));
        assert_eq!(encoder.embed(&texts[..1]).unwrap()[0], vectors[0]);
    }

    #[test]
    fn a_text_without_words_is_all_zeros() {
        assert_eq!(HashEncoder::new(8).embed(&["", " — 🙂"]).unwrap(), vec![vec![0.0; 8]; 2]);
    }
}
