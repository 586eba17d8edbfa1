//! From what entries state to edges: one for each source, target, kind and verb, with every place that says so.

use std::ops::Range;

use petgraph::graph::{Graph, NodeIndex};

use super::{
    Evidence,
    decide::{Assigned, KINDS, NOBODY, Rows, Slot},
    names::{IdentityId, Names, SpellingId},
    store::Stated,
    view::StatedEdge,
};
use crate::{extract::MentionSource, journal::RelationKind};

/// One statement of an entry, its ends known.
struct Statement {
    source: u32,
    target: u32,
    kind: RelationKind,
    verb: SpellingId,
    evidence: Evidence,
}

/// Every statement whose ends count: row by row, within a row by its place in the text.
fn statements(names: &Names, rows: &Rows<'_>, assigned: &Assigned, entity_of: &[u32]) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::with_capacity(rows.iter().map(|(_, held)| held.relations.len()).sum());
    for (row, (key, held)) in rows.iter().enumerate() {
        let bounds = assigned.row_starts[row] as usize..assigned.row_starts[row + 1] as usize;
        let here = &assigned.mentions[bounds];
        let end = |name| end_of(names, here, name).map(|slot| entity_of[slot]);
        let clauses: Vec<IdentityId> = here
            .iter()
            .filter(|(_, _, source, _)| *source == MentionSource::Clause)
            .map(|(slot, ..)| (slot / KINDS) as IdentityId)
            .collect();
        // What a clause says is said by the name in it where the journal knows that.
        let is_spare = |relation: &Stated| {
            clauses.contains(&names.identity_of(relation.source))
                && held.relations.iter().any(|other| {
                    let same = (&other.evidence, other.target, other.kind);
                    other.source != relation.source
                        && same == (&relation.evidence, relation.target, relation.kind)
                        && end(other.source).is_some()
                })
        };
        let first = found.len();
        for relation in held.relations.iter().filter(|relation| clauses.is_empty() || !is_spare(relation)) {
            let &Stated { source, target, kind, verb, weight, event_time, .. } = relation;
            if let (Some(source), Some(target)) = (end(source), end(target))
                && source != target
            {
                let evidence = Evidence { entry: *key, span: relation.evidence.clone(), weight, event_time };
                found.push(Statement { source, target, kind, verb, evidence });
            }
        }
        let place = |said: &Statement| (said.evidence.span.start, names.text(said.verb));
        found[first..].sort_by(|a, b| place(a).cmp(&place(b)));
    }
    found
}

/// Where the verb of each statement stands among all verbs, by name: comparing numbers is cheaper than comparing words.
fn verb_ranks(names: &Names, found: &[Statement]) -> Vec<u32> {
    let mut ranks = vec![NOBODY; names.identities.len()];
    let mut verbs: Vec<IdentityId> = Vec::new();
    for said in found {
        let verb = names.identity_of(said.verb);
        if std::mem::replace(&mut ranks[verb as usize], 0) == NOBODY {
            verbs.push(verb);
        }
    }
    verbs.sort_unstable_by_key(|verb| &names.identities[*verb as usize]);
    for (rank, verb) in verbs.into_iter().enumerate() {
        ranks[verb as usize] = rank as u32;
    }
    ranks
}

/// The stated relations as edges between nodes that are entities by their place, each edge with all its evidence in the
/// order of days.
pub(super) fn stated(
    names: &Names,
    rows: &Rows<'_>,
    assigned: &Assigned,
    entity_of: &[u32],
    entities: usize,
) -> Graph<(), StatedEdge, petgraph::Directed, u32> {
    let found = statements(names, rows, assigned, entity_of);
    let ranks = verb_ranks(names, &found);
    // Source, target, kind and verb make an edge; the number of the statement keeps the order of days.
    let mut order: Vec<(u64, u8, u32, u32)> = found
        .iter()
        .enumerate()
        .map(|(at, said)| {
            let ends = u64::from(said.source) << 32 | u64::from(said.target);
            (ends, said.kind as u8, ranks[names.identity_of(said.verb) as usize], at as u32)
        })
        .collect();
    order.sort_unstable();
    let mut graph = Graph::with_capacity(entities, found.len());
    for _ in 0..entities {
        graph.add_node(());
    }
    for same in order.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
        let said = same.iter().map(|(.., at)| &found[*at as usize]);
        let Some(verb) = said.clone().map(|said| names.text(said.verb)).min() else { continue };
        let mut evidence: Vec<Evidence> = said.map(|said| said.evidence.clone()).collect();
        evidence.dedup();
        let Statement { source, target, kind, .. } = found[same[0].3 as usize];
        graph.add_edge(
            NodeIndex::new(source as usize),
            NodeIndex::new(target as usize),
            StatedEdge { kind, verb: verb.clone(), evidence },
        );
    }
    graph
}

/// Which of an entry's entities a relation in it means: by name, a field's or mood's mention before any other.
fn end_of(names: &Names, here: &[(Slot, SpellingId, MentionSource, Range<u32>)], name: SpellingId) -> Option<Slot> {
    let first = names.identity_of(name) as usize * KINDS;
    let mut named = None;
    for (slot, _, source, _) in here.iter().filter(|(slot, ..)| (first..first + KINDS).contains(slot)) {
        if matches!(source, MentionSource::Field | MentionSource::Mood) {
            return Some(*slot);
        }
        named.get_or_insert(*slot);
    }
    named
}
