//! Values of a graph query, their comparison and order.

use std::cmp::Ordering;

use super::{
    plan::{NodeKey, RelationKey, Slot, Term, Test},
    syntax::{Literal, Operator},
};
use crate::index::graph::{EntityRef, GraphView, RelationRef};

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<String>),
    Node(EntityRef),
    Relation(RelationRef),
    /// The quotes that state a relation.
    Evidence(RelationRef),
}

/// The order and identity of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<String>),
    Node(EntityRef),
    Relation(RelationRef),
    Null,
}

/// What a slot is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    Unbound,
    Node(EntityRef),
    Relation(RelationRef),
}

impl From<&Literal> for Value {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Null => Self::Null,
            Literal::Bool(value) => Self::Bool(*value),
            Literal::Number(value) => Self::Number(*value),
            Literal::Text(value) => Self::Text(value.clone()),
        }
    }
}

impl Value {
    pub fn key(&self) -> Key {
        match self {
            Self::Null => Key::Null,
            Self::Bool(value) => Key::Bool(*value),
            Self::Number(value) => {
                // The bits of a float, in the order of its values.
                let bits = value.to_bits() as i64;
                Key::Number(bits ^ (((bits >> 63) as u64) >> 1) as i64)
            }
            Self::Text(text) => Key::Text(text.clone()),
            Self::List(list) => Key::List(list.clone()),
            Self::Node(node) => Key::Node(*node),
            Self::Relation(relation) | Self::Evidence(relation) => Key::Relation(*relation),
        }
    }

    /// `None` where they cannot be compared, as with null.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.partial_cmp(other),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Bool(one), Self::Bool(other)) => Some(one.cmp(other)),
            (Self::Node(one), Self::Node(other)) if one == other => Some(Ordering::Equal),
            (Self::Relation(one), Self::Relation(other)) if one == other => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// Reads terms and tests of one match.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub graph: &'a GraphView,
    pub bound: &'a [Binding],
}

impl Reader<'_> {
    pub fn value(&self, term: &Term) -> Value {
        match term {
            Term::Literal(literal) => literal.into(),
            Term::Node(slot) => self.node(*slot).map_or(Value::Null, Value::Node),
            Term::Relation(slot) => self.relation(*slot).map_or(Value::Null, Value::Relation),
            Term::OfNode(slot, key) => self.node(*slot).map_or(Value::Null, |node| of_node(self.graph, node, *key)),
            Term::OfRelation(slot, key) => {
                self.relation(*slot).map_or(Value::Null, |relation| of_relation(self.graph, relation, *key))
            }
            Term::ToLower(of) => match self.value(of) {
                Value::Text(text) => Value::Text(text.to_lowercase()),
                _ => Value::Null,
            },
        }
    }

    fn node(&self, slot: Slot) -> Option<EntityRef> {
        if let Binding::Node(node) = self.bound[slot] { Some(node) } else { None }
    }

    fn relation(&self, slot: Slot) -> Option<RelationRef> {
        if let Binding::Relation(relation) = self.bound[slot] { Some(relation) } else { None }
    }

    /// Three-valued: `None` is null, which no match passes.
    pub fn test(&self, test: &Test) -> Option<bool> {
        match test {
            Test::Any(any) => {
                let all: Vec<Option<bool>> = any.iter().map(|test| self.test(test)).collect();
                if all.contains(&Some(true)) {
                    Some(true)
                } else {
                    if all.contains(&None) { None } else { Some(false) }
                }
            }
            Test::All(of) => {
                let all: Vec<Option<bool>> = of.iter().map(|test| self.test(test)).collect();
                if all.contains(&Some(false)) {
                    Some(false)
                } else {
                    if all.contains(&None) { None } else { Some(true) }
                }
            }
            Test::Not(of) => self.test(of).map(|holds| !holds),
            Test::IsNull(of) => Some(self.value(of) == Value::Null),
            Test::In(of, list) => {
                let value = self.value(of);
                (value != Value::Null).then(|| list.iter().any(|one| is_equal(&value, &one.into())))
            }
            Test::Compare(left, operator, right) => compare(&self.value(left), *operator, &self.value(right)),
        }
    }
}

pub fn is_equal(one: &Value, other: &Value) -> bool {
    one.compare(other) == Some(Ordering::Equal)
}

fn compare(left: &Value, operator: Operator, right: &Value) -> Option<bool> {
    if *left == Value::Null || *right == Value::Null {
        return None;
    }
    let order = left.compare(right);
    let holds = |holds: fn(Ordering) -> bool| order.map(holds);
    match operator {
        Operator::Equal => Some(order == Some(Ordering::Equal)),
        Operator::Differs => Some(order != Some(Ordering::Equal)),
        Operator::Less => holds(Ordering::is_lt),
        Operator::AtMost => holds(Ordering::is_le),
        Operator::Greater => holds(Ordering::is_gt),
        Operator::AtLeast => holds(Ordering::is_ge),
        Operator::Contains | Operator::StartsWith | Operator::EndsWith => match (left, right) {
            (Value::Text(text), Value::Text(part)) => Some(match operator {
                Operator::StartsWith => text.starts_with(part),
                Operator::EndsWith => text.ends_with(part),
                _ => text.contains(part),
            }),
            (Value::List(list), Value::Text(item)) if operator == Operator::Contains => Some(list.contains(item)),
            _ => None,
        },
    }
}

pub fn of_node(graph: &GraphView, node: EntityRef, key: NodeKey) -> Value {
    let entity = graph.entity(node);
    match key {
        NodeKey::Name => Value::Text(entity.name.clone()),
        NodeKey::Kind => Value::Text(entity.kind.word().to_owned()),
        NodeKey::Aliases => Value::List(entity.aliases.clone()),
        NodeKey::Mentions => Value::Number(f64::from(entity.mentions)),
        NodeKey::Days => Value::Number(f64::from(entity.days)),
        NodeKey::FirstSeen => Value::Text(entity.first_seen.to_string()),
        NodeKey::LastSeen => Value::Text(entity.last_seen.to_string()),
    }
}

fn of_relation(graph: &GraphView, relation: RelationRef, key: RelationKey) -> Value {
    let Some(stated) = graph.relation(relation) else { return Value::Null };
    match key {
        RelationKey::Type => Value::Text(stated.kind.word().to_uppercase()),
        RelationKey::Verb if stated.verb.is_empty() => Value::Null,
        RelationKey::Verb => Value::Text(stated.verb.to_owned()),
        RelationKey::Weight => Value::Number(f64::from(stated.weight())),
        RelationKey::Stated => Value::Number(stated.evidence.len() as f64),
        RelationKey::Evidence => Value::Evidence(relation),
    }
}
