//! Export of search hits to a file of the user's choice: JSON as of `kioku search --json`, or readable markdown.

use std::{fmt::Write, path::PathBuf, sync::Arc};

use super::SessionError;
use crate::{
    index::Catalog,
    journal::{Vault, VaultError, user_file::Existing},
    paths, sanitize,
    search::{
        Found, Hit,
        json::{FoundJson, Versioned},
        legs::{self, LegEvidence},
        sort::Sort,
    },
};

/// An export of hits.
#[derive(Debug, Clone)]
pub struct HitsFile {
    /// The path as typed: `~` is the home folder; `.json` selects JSON, anything else markdown.
    pub path: String,
    pub query: String,
    pub found: Arc<Found>,
    pub sort: Sort,
    /// Indices of the hits, in the order shown.
    pub places: Vec<usize>,
}

/// The absolute path of a typed one.
pub(super) fn typed(path: &str) -> Result<PathBuf, VaultError> {
    paths::typed(path).map_err(|source| VaultError::Io { operation: "find", path: PathBuf::from(path), source })
}

impl HitsFile {
    /// Writes the file and returns its path. Refuses existing files and paths inside a journal.
    pub(super) fn write(&self, catalog: Option<&Catalog>, vault: &Vault) -> Result<PathBuf, SessionError> {
        let path = typed(&self.path)?;
        let hits: Vec<Hit> = self.places.iter().filter_map(|nth| self.found.hits.get(*nth)).cloned().collect();
        let found = Found { hits, ..self.found.as_ref().clone() };
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let text = if is_json { self.json(&found)? } else { self.markdown(&found, catalog) };
        vault.write_user_file(&path, text.as_bytes(), Existing::Refuse)?;
        Ok(path)
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
