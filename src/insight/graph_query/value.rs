//! Values of a graph query, their comparison and order.

use std::cmp::Ordering;

use super::labels::{EdgeRef, NodeRef};

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<String>),
    Node(NodeRef),
    Relation(EdgeRef),
    /// The quotes that state a relation.
    Evidence(EdgeRef),
}

/// The order and identity of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<String>),
    Node(NodeRef),
    Relation(EdgeRef),
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Equal,
    Differs,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Contains,
    StartsWith,
    EndsWith,
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

pub fn is_equal(one: &Value, other: &Value) -> bool {
    one.compare(other) == Some(Ordering::Equal)
}

pub fn compare(left: &Value, operator: Operator, right: &Value) -> Option<bool> {
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
