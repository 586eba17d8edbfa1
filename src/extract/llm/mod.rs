//! The optional second reader: a language model that somebody else runs, asked about one entry at a time.
//!
//! Owns what it is asked, what of its answer counts, and how that refines what the rules read. Knows neither queue nor vault. The
//! connection is compiled with the feature `network` only; answers that are there count in every kioku, because what a vault
//! says must not hang on how the program was built.

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

use super::{Aliases, Extract, Extractor, extract_knowing};
use crate::journal::Entry;

impl Extractor for Answer {
    /// As the rules, refined by this answer to the entry's text.
    fn extract(&self, entry: &Entry, aliases: &Aliases) -> Extract {
        refine(extract_knowing(entry, aliases), entry, self)
    }
}

/// The JSON of an answer that may stand in a fence of code.
fn text_of_answer(sent: &str) -> &str {
    let sent = sent.trim();
    let Some(fenced) = sent.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else { return sent };
    fenced.strip_prefix("json").unwrap_or(fenced).trim()
}
