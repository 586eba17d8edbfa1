//! Graph of a query: entities with their stated relations, and records with their links where the query names them.

use serde_json::{Value as Json, json};

use super::{
    labels::{EdgeRef, EdgeType, Label, NodeKey, NodeRef, RelationKey},
    value::Value,
};
use crate::{
    index::graph::{EntityRef, GraphView, distinct},
    insight::record_graph::{RecordGraph, RecordRef},
};

/// The graph that a query is matched against.
#[derive(Clone, Copy)]
pub struct LabelledGraph<'a> {
    pub entities: &'a GraphView,
    /// Empty unless the query names records.
    pub records: &'a RecordGraph,
}

impl<'a> LabelledGraph<'a> {
    /// The nodes that a pattern may begin at; `name`: only those that may have it.
    pub fn candidates(self, name: Option<&str>) -> Vec<NodeRef> {
        let entities = match name {
            Some(name) => self.entities.by_name(name),
            None => self.entities.entity_refs().collect(),
        };
        let records = (0..self.records.nodes.len()).map(NodeRef::Record);
        entities.into_iter().map(NodeRef::Entity).chain(records).collect()
    }

    pub fn label(self, node: NodeRef) -> Label {
        match node {
            NodeRef::Entity(entity) => Label::Entity(self.entities.entity(entity).kind),
            NodeRef::Record(node) if self.records.nodes[node].record.is_some() => Label::Record,
            NodeRef::Record(_) => Label::Source,
        }
    }

    /// The relations from a node (`outgoing`) or to it, with their other ends.
    pub fn edges(self, node: NodeRef, outgoing: bool) -> impl Iterator<Item = (EdgeRef, NodeRef)> {
        let (entity, record) = match node {
            NodeRef::Entity(entity) => (Some(entity), None),
            NodeRef::Record(record) => (None, Some(record)),
        };
        let from = entity.filter(|_| outgoing).map(|entity| self.entities.relations_from(entity));
        let to = entity.filter(|_| !outgoing).map(|entity| self.entities.relations_to(entity));
        let stated = from.into_iter().flatten().chain(to.into_iter().flatten());
        let stated = stated.map(|(edge, other)| (EdgeRef::Stated(edge), NodeRef::Entity(other)));
        let links = record.into_iter().flat_map(move |record| self.records.links_of(record, outgoing));
        stated.chain(links.map(|(link, other)| (EdgeRef::Link(link), NodeRef::Record(other))))
    }

    pub fn edge_type(self, edge: EdgeRef) -> Option<EdgeType> {
        match edge {
            EdgeRef::Stated(relation) => self.entities.relation(relation).map(|stated| EdgeType::Stated(stated.kind)),
            EdgeRef::Link(link) => self.records.links.get(link).map(|link| EdgeType::Link(link.kind)),
        }
    }

    pub fn of_node(self, node: NodeRef, key: NodeKey) -> Value {
        match node {
            NodeRef::Entity(entity) => of_entity(self.entities, entity, key),
            NodeRef::Record(node) => of_record(self.records, node, key),
        }
    }

    pub fn of_edge(self, edge: EdgeRef, key: RelationKey) -> Value {
        if key == RelationKey::Evidence {
            return Value::Evidence(edge);
        }
        match edge {
            EdgeRef::Stated(relation) => {
                let Some(stated) = self.entities.relation(relation) else { return Value::Null };
                match key {
                    RelationKey::Verb if !stated.verb.is_empty() => Value::Text(stated.verb.to_owned()),
                    RelationKey::Weight => Value::Number(f64::from(stated.weight())),
                    RelationKey::Stated => Value::Number(distinct(stated.evidence).len() as f64),
                    RelationKey::Type => Value::Text(EdgeType::Stated(stated.kind).word()),
                    RelationKey::Verb | RelationKey::Evidence => Value::Null,
                }
            }
            EdgeRef::Link(link) => {
                let Some(link) = self.records.links.get(link) else { return Value::Null };
                match key {
                    RelationKey::Type => Value::Text(EdgeType::Link(link.kind).word()),
                    // The text says it in so many words, once.
                    RelationKey::Weight | RelationKey::Stated => Value::Number(1.0),
                    RelationKey::Verb | RelationKey::Evidence => Value::Null,
                }
            }
        }
    }

    /// A node as JSON: a record with its id.
    pub fn node_json(self, node: NodeRef) -> Json {
        match node {
            NodeRef::Entity(entity) => {
                let entity = self.entities.entity(entity);
                json!({ "name": entity.name, "kind": entity.kind })
            }
            NodeRef::Record(at) => {
                let node = &self.records.nodes[at];
                let kind = node.record.as_ref().map_or("source", |record| &record.kind);
                json!({ "name": node.name, "kind": kind, "id": node.id })
            }
        }
    }

    /// The nodes from and to which a relation runs.
    pub fn ends(self, edge: EdgeRef) -> Option<[NodeRef; 2]> {
        match edge {
            EdgeRef::Stated(relation) => {
                self.entities.relation(relation).map(|stated| [stated.source, stated.target].map(NodeRef::Entity))
            }
            EdgeRef::Link(link) => {
                self.records.links.get(link).map(|link| [link.source, link.target].map(NodeRef::Record))
            }
        }
    }
}

fn of_entity(graph: &GraphView, node: EntityRef, key: NodeKey) -> Value {
    let entity = graph.entity(node);
    match key {
        NodeKey::Name => Value::Text(entity.name.clone()),
        NodeKey::Kind => Value::Text(entity.kind.word().to_owned()),
        NodeKey::Aliases => Value::List(entity.aliases.clone()),
        NodeKey::Mentions => Value::Number(f64::from(entity.mentions)),
        NodeKey::Days => Value::Number(f64::from(entity.days)),
        NodeKey::FirstSeen => Value::Text(entity.first_seen.to_string()),
        NodeKey::LastSeen => Value::Text(entity.last_seen.to_string()),
        NodeKey::Id | NodeKey::Status => Value::Null,
    }
}

fn of_record(graph: &RecordGraph, node: RecordRef, key: NodeKey) -> Value {
    let node = &graph.nodes[node];
    let text = |text: Option<String>| text.map_or(Value::Null, Value::Text);
    match key {
        NodeKey::Name => Value::Text(node.name.clone()),
        NodeKey::Kind => Value::Text(node.record.as_ref().map_or("source", |record| &record.kind).to_owned()),
        NodeKey::Id => text(node.id.as_ref().map(ToString::to_string)),
        NodeKey::Status => text(node.record.as_ref().map(|record| record.status.word().to_owned())),
        NodeKey::FirstSeen | NodeKey::LastSeen => text(node.day.map(|day| day.to_string())),
        NodeKey::Aliases | NodeKey::Mentions | NodeKey::Days => Value::Null,
    }
}
