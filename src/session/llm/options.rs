//! Options of the language model reader.

use crate::extract::llm::service::ServiceOptions;

/// Who is asked, and about what not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmOptions {
    pub service: ServiceOptions,
    /// Entries with one of these tags are never sent.
    pub kept_back: Vec<String>,
}
