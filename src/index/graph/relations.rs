//! Stated relations of an entity, read in place: for queries that visit many.

use petgraph::{
    Direction,
    graph::{EdgeIndex, NodeIndex},
    visit::EdgeRef as _,
};

use super::{EntityRef, Evidence, view::GraphView};
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
        self.relations(entity, Direction::Outgoing)
    }

    /// The stated relations to an entity, with their sources.
    pub fn relations_to(&self, entity: EntityRef) -> impl Iterator<Item = (RelationRef, EntityRef)> {
        self.relations(entity, Direction::Incoming)
    }

    fn relations(&self, entity: EntityRef, direction: Direction) -> impl Iterator<Item = (RelationRef, EntityRef)> {
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
}
