//! A language model asked about the entries, one after the other, while everything else goes on.
//!
//! Owns which entries still await an answer, when the service may be asked next, and the thread that asks. What is asked and what
//! of an answer counts is `extract::llm`'s; the graph takes answers up at the next sync, as it takes up changed files. An outage
//! costs nothing but the refinement.

mod names;
mod queue;
#[cfg(feature = "network")]
#[cfg(test)]
mod tests;
mod worker;

pub use queue::{Queue, Step};
pub(super) use worker::ModelWorker;

pub use crate::extract::llm::{
    question::{self, Question},
    service::{self, Secret, ServiceKind, ServiceOptions},
};
use crate::{index::Snapshot, journal::Entry};

/// Who is asked, and about what not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmOptions {
    pub service: ServiceOptions,
    /// Entries with one of these tags are never sent.
    pub kept_back: Vec<String>,
}

/// Exactly what would be sent for an entry; `None` where it is not sent at all.
pub fn preview(options: &LlmOptions, snapshot: &Snapshot, entry: &Entry) -> Option<serde_json::Value> {
    let names = names::names(snapshot, &options.kept_back);
    let question = question::question(entry, &names, &options.kept_back)?;
    Some(service::body(&options.service, &question))
}
