//! Values of terms and tests in one match.

use super::{
    graph::LabelledGraph,
    labels::{EdgeRef, NodeRef},
    plan::{Slot, Term, Test},
    value::{Value, compare, is_equal},
};

/// What a slot is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    Unbound,
    Node(NodeRef),
    Relation(EdgeRef),
}

/// Reads terms and tests of one match.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub graph: LabelledGraph<'a>,
    pub bound: &'a [Binding],
}

impl Reader<'_> {
    pub fn value(&self, term: &Term) -> Value {
        match term {
            Term::Literal(literal) => literal.clone(),
            Term::Node(slot) => self.node(*slot).map_or(Value::Null, Value::Node),
            Term::Relation(slot) => self.relation(*slot).map_or(Value::Null, Value::Relation),
            Term::OfNode(slot, key) => self.node(*slot).map_or(Value::Null, |node| self.graph.of_node(node, *key)),
            Term::OfRelation(slot, key) => {
                self.relation(*slot).map_or(Value::Null, |relation| self.graph.of_edge(relation, *key))
            }
            Term::ToLower(of) => match self.value(of) {
                Value::Text(text) => Value::Text(text.to_lowercase()),
                _ => Value::Null,
            },
        }
    }

    fn node(&self, slot: Slot) -> Option<NodeRef> {
        if let Binding::Node(node) = self.bound[slot] { Some(node) } else { None }
    }

    fn relation(&self, slot: Slot) -> Option<EdgeRef> {
        if let Binding::Relation(relation) = self.bound[slot] { Some(relation) } else { None }
    }

    /// Three-valued: `None` is null, which no match passes.
    pub fn test(&self, test: &Test) -> Option<bool> {
        match test {
            Test::Any(any) => self.decided(any, true),
            Test::All(all) => self.decided(all, false),
            Test::Not(of) => self.test(of).map(|holds| !holds),
            Test::IsNull(of) => Some(self.value(of) == Value::Null),
            Test::In(of, list) => {
                let value = self.value(of);
                (value != Value::Null).then(|| list.iter().any(|one| is_equal(&value, one)))
            }
            Test::Compare(left, operator, right) => compare(&self.value(left), *operator, &self.value(right)),
        }
    }

    /// The outcome of several tests of which one that gives `by` decides.
    fn decided(&self, tests: &[Test], by: bool) -> Option<bool> {
        let all: Vec<Option<bool>> = tests.iter().map(|test| self.test(test)).collect();
        match () {
            () if all.contains(&Some(by)) => Some(by),
            () if all.contains(&None) => None,
            () => Some(!by),
        }
    }
}
