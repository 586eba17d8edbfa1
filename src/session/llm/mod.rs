//! A language model asked about the entries, one after the other, while everything else goes on.
//!
//! Owns which entries still await an answer, when the service may be asked next, and the thread that asks. What is asked and what
//! of an answer counts is `extract::llm`'s; the graph takes answers up at the next sync, as it takes up changed files. An outage
//! costs nothing but the refinement.

mod options;
mod queue;
#[cfg(feature = "network")]
#[cfg(test)]
mod tests;
mod worker;

pub use options::LlmOptions;
pub use queue::{Queue, Step, preview};
pub(super) use worker::ModelWorker;

pub use crate::extract::llm::{
    question::{self, Question},
    service::{self, Secret, ServiceKind, ServiceOptions},
};
