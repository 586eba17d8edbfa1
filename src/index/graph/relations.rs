//! Stated relations of an entity: read in place, for queries that visit many, or as edges of their own.

use petgraph::{
    Direction,
    graph::{EdgeIndex, NodeIndex},
    visit::EdgeRef as _,
};

use super::{Edge, EntityRef, Evidence, Judgement, view::GraphView};
use crate::journal::RelationKind;

/// Reference to a stated relation of one [`GraphView`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationRef(u32);

/// A stated relation, borrowed from its view.
#[derive(Debug, Clone, Copy)]
pub struct Relation<'a> {
    pub source: EntityRef,
    pub target: EntityRef,
    pub kind: RelationKind,
    pub verb: &'a str,
    pub evidence: &'a [Evidence],
}

impl Relation<'_> {
    /// How explicit its most explicit statement is, from 0 to 1.
    pub fn weight(&self) -> f32 {
        self.evidence.iter().map(|evidence| evidence.weight).fold(0.0, f32::max)
    }
}

impl GraphView {
    /// The stated relations from an entity, with their targets.
    pub fn relations_from(&self, entity: EntityRef) -> impl Iterator<Item = (RelationRef, EntityRef)> {
        self.directed(entity, Direction::Outgoing)
    }

    /// The stated relations to an entity, with their sources.
    pub fn relations_to(&self, entity: EntityRef) -> impl Iterator<Item = (RelationRef, EntityRef)> {
        self.directed(entity, Direction::Incoming)
    }

    /// The stated relations of an entity in either direction, with their other ends.
    pub(super) fn relations(&self, entity: EntityRef) -> impl Iterator<Item = (RelationRef, EntityRef)> {
        self.relations_from(entity).chain(self.relations_to(entity))
    }

    fn directed(&self, entity: EntityRef, direction: Direction) -> impl Iterator<Item = (RelationRef, EntityRef)> {
        let node = NodeIndex::new(entity.0 as usize);
        self.stated.edges_directed(node, direction).map(move |edge| {
            let other = if direction == Direction::Outgoing { edge.target() } else { edge.source() };
            (RelationRef(edge.id().index() as u32), EntityRef(other.index() as u32))
        })
    }

    /// A relation of this view; `None` for a reference of another.
    pub fn relation(&self, relation: RelationRef) -> Option<Relation<'_>> {
        let edge = EdgeIndex::new(relation.0 as usize);
        let (source, target) = self.stated.edge_endpoints(edge)?;
        let stated = &self.stated[edge];
        let [source, target] = [source, target].map(|node| EntityRef(node.index() as u32));
        Some(Relation { source, target, kind: stated.kind, verb: &stated.verb, evidence: &stated.evidence })
    }

    /// Stated relations of an entity: by source, target, kind and verb.
    pub fn edges(&self, entity: EntityRef) -> Vec<Edge> {
        let all = self.relations(entity).filter_map(|(relation, _)| self.relation(relation));
        let mut edges: Vec<Edge> = all
            .map(|stated| Edge {
                source: stated.source,
                target: stated.target,
                kind: stated.kind,
                verb: stated.verb.to_owned(),
                evidence: stated.evidence.to_vec(),
                accepted: self.is_accepted(&stated),
            })
            .collect();
        edges.sort_by(|a, b| {
            (a.source, a.target, a.kind as u8, &a.verb).cmp(&(b.source, b.target, b.kind as u8, &b.verb))
        });
        edges
    }

    fn is_accepted(&self, stated: &Relation<'_>) -> bool {
        let accepted =
            |entry| self.verdict(stated.source, stated.target, stated.kind, entry) == Some(Judgement::Accepted);
        accepted(None) || stated.evidence.iter().any(|evidence| accepted(Some(evidence.entry)))
    }

    /// The entities connected with this one by a stated relation, in either direction, each once.
    pub(super) fn stated_neighbours(&self, entity: EntityRef) -> Vec<EntityRef> {
        let mut found: Vec<EntityRef> = self.relations(entity).map(|(_, other)| other).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
