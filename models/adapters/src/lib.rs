//! The adapters of kioku-reader as bytes; `README.md` says how they were made. kioku's `embed::adapted_reader` reads them.

/// Changes of low rank to the weights of kioku-reader that read a question and a text together, as GGUF.
pub static ANSWERS: &[u8] = include_bytes!("../answers.gguf");

/// Changes of low rank to the weights of kioku-reader that read what a text tells of feelings and causes, as GGUF.
pub static CLAIMS: &[u8] = include_bytes!("../claims.gguf");
