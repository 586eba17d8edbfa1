//! Background extraction with a language model: sends the entries, one at a time.
//!
//! Owns the queue of entries without an answer, the retry times, and the worker thread. `extract::llm` defines the
//! request and validates the answer; the graph reads new answers at the next sync, like changed files. During an outage
//! everything else works; only the refinement is missing.

mod queue;
#[cfg(feature = "network")]
#[cfg(test)]
mod tests;
mod worker;

pub(super) use queue::pause;
pub use queue::{LlmOptions, Queue, Step, preview};
pub(super) use worker::ModelWorker;

pub use crate::extract::llm::service::{self, Secret, ServiceKind, ServiceOptions};
