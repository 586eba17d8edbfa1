//! Content of a file of the user's choice: a text, entries, or search hits.

use std::{fmt::Write, path::Path, sync::Arc};

use super::SessionError;
use crate::{
    index::Catalog,
    journal::{Entry, VaultError, exchange::as_markdown},
    sanitize,
    search::{
        Found, Hit,
        json::{FoundJson, Versioned},
        legs::{self, LegEvidence},
        sort::Sort,
    },
};

/// Content of a file that does not exist yet.
#[derive(Debug, Clone)]
pub enum FileContent {
    Text(String),
    /// As readable markdown.
    Entries(Vec<Entry>),
    /// JSON as of `kioku search --json` if the path ends in `.json`, else readable markdown.
    Hits(Box<FoundHits>),
}

/// Hits of a search.
#[derive(Debug, Clone)]
pub struct FoundHits {
    pub query: String,
    pub found: Arc<Found>,
    pub sort: Sort,
    /// Indices of the hits, in the order shown.
    pub places: Vec<usize>,
}

impl FileContent {
    /// Number of entries in the file.
    pub(super) fn entries(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Entries(entries) => entries.len(),
            Self::Hits(hits) => hits.places.len(),
        }
    }

    pub(super) fn document(self, path: &Path, catalog: Option<&Catalog>) -> Result<String, SessionError> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Entries(entries) => Ok(as_markdown(&entries)),
            Self::Hits(hits) => {
                let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
                let found = hits.shown();
                if is_json { hits.json(&found) } else { Ok(hits.markdown(&found, catalog)) }
            }
        }
    }
}

impl FoundHits {
    fn shown(&self) -> Found {
        let hits = self.places.iter().filter_map(|nth| self.found.hits.get(*nth)).cloned().collect();
        Found { hits, ..self.found.as_ref().clone() }
    }

    fn json(&self, found: &Found) -> Result<String, SessionError> {
        let unwritable = |error: serde_json::Error| VaultError::Unwritable(error.to_string());
        let found = FoundJson::new(&self.query, found, true);
        Ok(sanitize::pretty_json(&Versioned::new(found)).map_err(unwritable)? + "\n")
    }

    fn markdown(&self, found: &Found, catalog: Option<&Catalog>) -> String {
        let mut page = format!("# {}\n\n", self.query);
        let (shown, of) = (found.hits.len(), found.total);
        let entries = if of == 1 { "entry" } else { "entries" };
        // Only the answer to mere filters counts days, and there is nothing to rank it by.
        let is_ranked = found.days.is_empty();
        let sort = if self.sort == Sort::Relevance && !is_ranked { Sort::Newest } else { self.sort };
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{shown} of {of} {entries}, {}", sort.words());
        for hit in &found.hits {
            let _ = write!(page, "\n## {}\n\n{}\n", title(hit, catalog), hit.text.trim_end());
            let why = reasons(hit);
            if !why.is_empty() {
                let _ = write!(page, "\n*{}*\n", why.join("; "));
            }
        }
        page
    }
}

/// The heading of a hit: `2026-09-14 15:30 · stressed · #work`.
fn title(hit: &Hit, catalog: Option<&Catalog>) -> String {
    let Some(entry) = catalog.and_then(|catalog| catalog.by_key(hit.key)) else { return hit.time.clone() };
    let mut parts = vec![entry.time.day_and_clock()];
    parts.extend(entry.mood.clone());
    parts.extend(entry.tags.iter().map(|tag| format!("#{tag}")));
    parts.join(" · ")
}

fn reasons(hit: &Hit) -> Vec<String> {
    let mut why = Vec::new();
    if hit.weak {
        why.push("a weak match".to_owned());
    }
    why.extend(legs::evidence(hit).filter_map(|(.., evidence)| match evidence {
        LegEvidence::Passage(_) => Some("close in meaning".to_owned()),
        LegEvidence::Words([]) | LegEvidence::Path([]) => None,
        LegEvidence::Words(words) => Some(format!("words: {}", words.join(", "))),
        LegEvidence::Path(names) => Some(names.join(" — ")),
    }));
    why
}
