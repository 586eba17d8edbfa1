//! Header of the append-only files of the vector leg: kind, version, model.

use sha2::{Digest, Sha256};

use crate::embed::ModelStamp;

/// Length of the header in bytes.
pub const HEADER: usize = 64;

/// Magic, version u32, dimension u32, SHA-256 of the model's checksum, 12 zero bytes, CRC-32 of all that
/// (little-endian).
pub fn header(magic: &[u8; 8], version: u32, model: &ModelStamp) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(magic);
    header[8..12].copy_from_slice(&version.to_le_bytes());
    header[12..16].copy_from_slice(&(model.dimension as u32).to_le_bytes());
    header[16..48].copy_from_slice(&Sha256::digest(&model.checksum));
    let sum = crc32fast::hash(&header[..HEADER - 4]);
    header[HEADER - 4..].copy_from_slice(&sum.to_le_bytes());
    header
}
