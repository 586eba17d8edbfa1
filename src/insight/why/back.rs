//! A cause followed further back: what the text says led to it, and to that.

use std::collections::BTreeSet;

use super::{Scene, Step};
use crate::{
    index::graph::{Edge, EntityRef, Evidence as Said},
    insight::{Basis, InsightError, quotes},
    journal::RelationKind,
};

/// How far back a cause is followed.
const MOST_STEPS: usize = 4;
const MOST_QUOTES: usize = 3;

/// Steps from a cause to its cause, nearest first: each time what is stated most often, never in a circle, never by words
/// written after the end of the period.
pub(super) fn steps(scene: &Scene<'_>, from: EntityRef) -> Result<Vec<Step>, InsightError> {
    let graph = &scene.snapshot.graph;
    let mut seen: BTreeSet<EntityRef> = scene.target.entities.iter().copied().chain([from]).collect();
    let mut steps = Vec::new();
    let mut at = from;
    while steps.len() < MOST_STEPS {
        let edges = graph.edges_into(at, RelationKind::Causal).into_iter();
        let open = edges.filter(|edge| !seen.contains(&edge.source)).map(|edge| (in_time(scene, &edge), edge));
        let Some((said, edge)) = open.filter(|(said, _)| !said.is_empty()).max_by_key(|(said, edge)| {
            (said.len(), std::cmp::Reverse(edge.source))
        }) else {
            break;
        };
        let mut evidence = Vec::new();
        for said in said.iter().rev().take(MOST_QUOTES) {
            evidence.extend(scene.quotes.around(said.entry, quotes::bytes(&said.span), Basis::Stated)?);
        }
        if evidence.is_empty() {
            break;
        }
        let name = |entity| graph.entity(entity).name.clone();
        steps.push(Step {
            source: name(edge.source),
            target: name(edge.target),
            kind: edge.kind,
            basis: Basis::Stated,
            evidence,
        });
        seen.insert(edge.source);
        at = edge.source;
    }
    Ok(steps)
}

fn in_time(scene: &Scene<'_>, edge: &Edge) -> Vec<Said> {
    let day = |said: &Said| scene.snapshot.catalog.by_key(said.entry).map(|known| known.day);
    edge.evidence.iter().filter(|said| day(said).is_some_and(|day| day <= scene.period.to)).cloned().collect()
}
