//! From the statements of entries to edges: one for each source, target, kind and verb, with all its evidence.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use petgraph::graph::{Graph, NodeIndex};
use serde::{Deserialize, Serialize};

use super::{
    Evidence, IdentityId, KINDS, NO_ENTITY, Names, Slot, SpellingId,
    assign::Assigned,
    interned::{InternedExtract, InternedRelation},
    view::StatedEdge,
};
use crate::{extract::MentionSource, index::EntryKey, journal::RelationKind};

/// A statement of an entry about two of its mentions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Statement {
    /// Slots.
    pub source: u32,
    pub target: u32,
    kind: RelationKind,
    pub verb: SpellingId,
    evidence: Evidence,
}

/// The statements of an entry whose two ends are mentions that count, by position in the text.
pub(super) fn statements(names: &Names, key: EntryKey, held: &InternedExtract, here: &[Assigned]) -> Vec<Statement> {
    if held.relations.is_empty() {
        return Vec::new();
    }
    let ends = ends(here);
    let end = |name| ends.get(&names.identity_of(name)).copied();
    let clauses = here.iter().filter(|mention| mention.source == MentionSource::Clause);
    let clauses: HashSet<IdentityId> = clauses.map(|mention| (mention.slot / KINDS) as IdentityId).collect();
    // A clause as a source is dropped where a name states the same in the same words.
    let said_of = |relation: &InternedRelation| {
        let Range { start, end } = relation.evidence;
        (start, end, relation.target, relation.kind as u8)
    };
    let mut sources: HashMap<_, Vec<SpellingId>> = HashMap::new();
    if !clauses.is_empty() {
        for relation in held.relations.iter().filter(|relation| end(relation.source).is_some()) {
            sources.entry(said_of(relation)).or_default().push(relation.source);
        }
    }
    let is_spare = |relation: &InternedRelation| {
        clauses.contains(&names.identity_of(relation.source))
            && sources
                .get(&said_of(relation))
                .is_some_and(|sources| sources.iter().any(|other| *other != relation.source))
    };
    let mut found = Vec::with_capacity(held.relations.len());
    for relation in held.relations.iter().filter(|relation| clauses.is_empty() || !is_spare(relation)) {
        let &InternedRelation { source, target, kind, verb, weight, event_time, ref cause, .. } = relation;
        if let (Some(source), Some(target)) = (end(source), end(target)) {
            let span = relation.evidence.clone();
            let evidence = Evidence { entry: key, span, cause: cause.clone(), weight, event_time };
            found.push(Statement { source: source as u32, target: target as u32, kind, verb, evidence });
        }
    }
    let place = |said: &Statement| (said.evidence.span.start, names.text(said.verb));
    found.sort_by(|a, b| place(a).cmp(&place(b)));
    found
}

/// The rank of each statement's verb in alphabetical order: comparing numbers is cheaper than comparing words.
fn verb_ranks(names: &Names, found: &[Statement]) -> Vec<u32> {
    let mut ranks = vec![NO_ENTITY; names.identities.len()];
    let mut verbs: Vec<IdentityId> = Vec::new();
    for said in found {
        let verb = names.identity_of(said.verb);
        if std::mem::replace(&mut ranks[verb as usize], 0) == NO_ENTITY {
            verbs.push(verb);
        }
    }
    verbs.sort_unstable_by_key(|verb| &names.identities[*verb as usize]);
    for (rank, verb) in verbs.into_iter().enumerate() {
        ranks[verb as usize] = rank as u32;
    }
    ranks
}

/// The stated relations as edges between entities, each edge with all its evidence in the order of days. `found`:
/// every statement, row by row, between slots; `entity_of` maps a slot to its entity.
pub(super) fn stated(
    names: &Names,
    found: &[Statement],
    entity_of: &[u32],
    entities: usize,
) -> Graph<(), StatedEdge, petgraph::Directed, u32> {
    let ranks = verb_ranks(names, found);
    let ends = |said: &Statement| [said.source, said.target].map(|slot| entity_of[slot as usize]);
    // Source, target, kind and verb identify an edge; the number of the statement keeps the order of days.
    let mut order: Vec<(u64, u8, u32, u32)> = Vec::with_capacity(found.len());
    for (at, said) in found.iter().enumerate() {
        let [source, target] = ends(said);
        if source != target {
            let ends = u64::from(source) << 32 | u64::from(target);
            order.push((ends, said.kind as u8, ranks[names.identity_of(said.verb) as usize], at as u32));
        }
    }
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
        let first = &found[same[0].3 as usize];
        let [source, target] = ends(first);
        graph.add_edge(
            NodeIndex::new(source as usize),
            NodeIndex::new(target as usize),
            StatedEdge { kind: first.kind, verb: verb.clone(), evidence },
        );
    }
    graph
}

/// The mention that a relation of an entry means by a name: the first one of a field or mood, else the first of all.
fn ends(here: &[Assigned]) -> HashMap<IdentityId, Slot> {
    let (mut marked, mut all) = (HashMap::new(), HashMap::new());
    for mention in here {
        let identity = (mention.slot / KINDS) as IdentityId;
        if matches!(mention.source, MentionSource::Field | MentionSource::Mood) {
            marked.entry(identity).or_insert(mention.slot);
        }
        all.entry(identity).or_insert(mention.slot);
    }
    all.extend(marked);
    all
}
