//! One binary for all integration tests: candle and tantivy are linked once.
#![allow(clippy::unwrap_used)]

mod absent;
mod answers;
mod cli;
mod entity;
mod escapes;
mod exchange;
mod export;
mod extraction;
mod import;
mod in_sentence;
mod insight;
mod layers;
mod lexicon;
#[cfg(feature = "llm")]
mod llm;
mod meaning;
mod model_change;
mod pictures;
mod pty;
mod readme;
mod screens;
mod search;
mod sync;
mod vault;
