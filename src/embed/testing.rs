//! For tests only: an encoder that needs no model files and gives the same vectors on every machine.

use sha2::{Digest, Sha256};

use super::{EmbedError, Encoder, ModelStamp};

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
        let dimension = dim.max(1);
        let checksum = super::hex(&Sha256::digest(format!("words counted into {dimension} buckets")));
        Self { stamp: ModelStamp { name: format!("hash-{dimension}"), checksum, dimension } }
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

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.one(text)).collect())
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
