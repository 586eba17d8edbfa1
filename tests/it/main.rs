//! One binary for all integration tests: candle and tantivy are linked once.

mod cli;
mod layers;
mod meaning;
mod search;
mod sync;
mod vault;
