//! An entry's body cut into passages of one to a few sentences: what is embedded and what is quoted.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Half of the SHA-256 of a passage's text: with the model's checksum, the key of the vector cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassageHash(pub [u8; 16]);

impl PassageHash {
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        Self(half)
    }
}

/// Where a passage stands in its entry's body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Bytes of the body, on character boundaries.
    pub span: Range<u32>,
    pub hash: PassageHash,
}

/// Cuts a body into passages.
pub fn passages(body: &str) -> Vec<Passage> {
    let _ = body;
    todo!()
}
