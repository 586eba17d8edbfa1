//! Extraction by an optional language model of an external service, one entry per request.
//!
//! Owns the prompt, the validation of answers, and the refinement of the rules' extraction by them. Knows neither queue
//! nor vault. The connection is compiled only with the feature `network`; stored answers are used in every build,
//! because the results for a vault must not depend on build features.

mod answer;
#[cfg(feature = "network")]
mod connection;
pub mod question;
mod quote;
mod refine;
#[cfg(feature = "network")]
#[cfg(test)]
#[path = "../../../tests/it/llm/server.rs"]
pub(crate) mod server;
pub mod service;
#[cfg(test)]
mod tests;

pub use answer::{Answer, DatedByModel, Dropped, NamedByModel, PROMPT_VERSION, RelatedByModel, Unusable};
pub use refine::refine;

use super::{Aliases, Extract, Extractor, Rules};
use crate::journal::Entry;

impl Extractor for Answer {
    /// The extraction of the rules, refined by this answer.
    fn extract(&self, entry: &Entry, aliases: &Aliases) -> Extract {
        refine(Rules(None).extract(entry, aliases), entry, self)
    }
}

/// The JSON of an answer, without a code fence around it.
fn text_of_answer(sent: &str) -> &str {
    let sent = sent.trim();
    let Some(fenced) = sent.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else { return sent };
    fenced.strip_prefix("json").unwrap_or(fenced).trim()
}
