//! Merge candidates: pairs of names that may be one, with quotes of each, so that the user can decide.

use super::{Basis, Evidence, Inputs, Result, names::Known, quotes::Quotes};
use crate::index::graph::EntityRef;

/// Maximum number of pairs in one answer; the next ones follow once these are decided.
const MOST: usize = 40;
/// Sentences for each name of a pair.
const MOST_SENTENCES: usize = 2;

/// Two names that may be one.
#[derive(Debug, Clone, PartialEq)]
pub struct MergeCandidate {
    /// The longer name, or else the more mentioned one.
    pub keep: Known,
    pub other: Known,
    /// The reasons, as texts to show.
    pub reasons: Vec<String>,
    /// The latest sentences that mention each.
    pub keep_said: Vec<Evidence>,
    pub other_said: Vec<Evidence>,
}

/// The pairs with the most mentions, and the number of further pairs. Costs the proposals of the graph (some 100 ms
/// for 50,000 names) and four texts per pair.
pub fn merge_candidates(inputs: &Inputs<'_>) -> Result<(Vec<MergeCandidate>, usize)> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let quotes = Quotes::of(snapshot);
    let latest = |entity: EntityRef| -> Result<Vec<Evidence>> {
        let entries = graph.entries(entity);
        let latest = entries.iter().rev().take(MOST_SENTENCES);
        latest.filter_map(|key| quotes.mention(*key, entity, Basis::Stated).transpose()).collect()
    };
    let mut proposals = graph.proposals_while(&|| progress.goes_on().is_ok());
    // A cancelled search returns no partial answer.
    progress.goes_on()?;
    let more = proposals.len().saturating_sub(MOST);
    proposals.truncate(MOST);
    let mut merge_candidates = Vec::with_capacity(proposals.len());
    for pair in proposals {
        progress.goes_on()?;
        merge_candidates.push(MergeCandidate {
            keep: graph.entity(pair.keep).into(),
            other: graph.entity(pair.other).into(),
            reasons: pair.reasons,
            keep_said: latest(pair.keep)?,
            other_said: latest(pair.other)?,
        });
    }
    Ok((merge_candidates, more))
}
