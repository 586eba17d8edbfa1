//! One binary for all integration tests: candle and tantivy are linked once.

mod exchange;
mod layers;
mod sync;
mod vault;
