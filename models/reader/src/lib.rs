//! The files of the model `kioku-reader` as bytes; `README.md` says how they were made. kioku's `embed::reader` reads them.
//!
//! Also the steps of its arithmetic between two products: here, because a crate can be optimised where kioku is not.

/// All weights, as GGUF.
pub static WEIGHTS: &[u8] = include_bytes!("../reader.gguf");

/// One piece a line, most frequent first.
pub static VOCABULARY: &str = include_str!("../vocab.txt");

/// Name, sizes and checksum, as JSON.
pub static CARD: &str = include_str!("../kioku-reader.json");

pub mod steps;
