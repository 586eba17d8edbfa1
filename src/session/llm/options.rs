//! Options of the language model.

use crate::extract::llm::service::ServiceOptions;

/// The service, and the entries that are not sent to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmOptions {
    pub service: ServiceOptions,
    /// Entries with one of these tags are never sent.
    pub kept_back: Vec<String>,
}
