//! One binary for all integration tests: candle and tantivy are linked once.
#![allow(clippy::unwrap_used)]

mod cli;
mod extraction;
mod layers;
mod meaning;
mod pty;
mod readme;
mod screens;
mod search;
mod sync;
mod vault;
