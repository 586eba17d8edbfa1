//! Causes of a cause, followed back through stated relations.

use std::{cmp::Reverse, collections::BTreeSet};

use jiff::civil;

use super::{answer::Step, scene::Scene, target::earlier};
use crate::{
    index::graph::{Edge, EntityRef, Evidence as Said},
    insight::{Basis, Result, quotes},
    journal::{EntityKind, RelationKind},
};

/// Maximum number of steps back.
const MOST_STEPS: usize = 4;
const MOST_QUOTES: usize = 3;
/// A cause must be written at most this many days before its effect.
const REACH: i32 = 60;

/// Steps from a cause to its cause, nearest first: each time the most frequent statement, written on the days of the
/// previous step or up to two months earlier, without cycles. Persons and places are not followed: nothing causes
/// them.
pub(super) fn steps(scene: &Scene<'_>, from: EntityRef, days: BTreeSet<civil::Date>) -> Result<Vec<Step>> {
    let graph = &scene.snapshot.graph;
    let mut seen: BTreeSet<EntityRef> = scene.target.entities.iter().copied().chain([from]).collect();
    let mut steps = Vec::new();
    let (mut at, mut days) = (from, days);
    while steps.len() < MOST_STEPS && !matches!(graph.entity(at).kind, EntityKind::Person | EntityKind::Place) {
        let edges = graph.edges_into(at, RelationKind::Causal).into_iter();
        let open = edges.filter(|edge| !seen.contains(&edge.source)).map(|edge| (in_time(scene, &edge, &days), edge));
        let told = open.filter(|(said, _)| !said.is_empty());
        let Some((said, edge)) = told.max_by_key(|(said, edge)| (said.len(), Reverse(edge.source))) else { break };
        let mut evidence = Vec::new();
        for (_, said) in said.iter().rev().take(MOST_QUOTES) {
            let span = quotes::bytes(&said.span);
            evidence.extend(scene.quotes.stating(said.entry, span, edge.source, &[edge.target])?);
        }
        if evidence.is_empty() {
            break;
        }
        let name = |entity| graph.entity(entity).name.clone();
        let (source, target) = (name(edge.source), name(edge.target));
        steps.push(Step { source, target, kind: edge.kind, basis: Basis::Stated, evidence });
        seen.insert(edge.source);
        days = said.iter().map(|(day, _)| *day).collect();
        at = edge.source;
    }
    Ok(steps)
}

/// The evidence of an edge that comes before some of these days, with its days.
fn in_time(scene: &Scene<'_>, edge: &Edge, days: &BTreeSet<civil::Date>) -> Vec<(civil::Date, Said)> {
    let dated = edge.evidence.iter().filter_map(|said| {
        let day = scene.snapshot.catalog.by_key(said.entry)?.day;
        Some((day, said.clone()))
    });
    dated.filter(|(day, _)| days.iter().any(|later| (earlier(*later, REACH)..=*later).contains(day))).collect()
}
