//! Labels, types and properties of a graph query, and references to nodes and relations.

use crate::{
    index::graph::{EntityRef, RelationRef},
    insight::record_graph::{LinkRef, RecordRef},
    journal::{ClaimLink, EntityKind, RelationKind},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeRef {
    Entity(EntityRef),
    Record(RecordRef),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeRef {
    Stated(RelationRef),
    Link(LinkRef),
}

/// The label of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    Entity(EntityKind),
    Record,
    /// What a record names that is no record.
    Source,
}

impl Label {
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "record" => Some(Self::Record),
            "source" => Some(Self::Source),
            word => EntityKind::parse(word).map(Self::Entity),
        }
    }

    pub fn words() -> impl Iterator<Item = &'static str> {
        EntityKind::ALL.map(EntityKind::word).into_iter().chain(["record", "source"])
    }

    pub fn is_of_records(self) -> bool {
        !matches!(self, Self::Entity(_))
    }
}

/// The type of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeType {
    Stated(RelationKind),
    Link(ClaimLink),
}

impl EdgeType {
    pub fn all() -> impl Iterator<Item = Self> {
        RelationKind::ALL.into_iter().map(Self::Stated).chain(ClaimLink::ALL.map(Self::Link))
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::all().find(|kind| kind.word().eq_ignore_ascii_case(word))
    }

    /// In capitals: `CAUSAL`, `CITED_IN`.
    pub fn word(self) -> String {
        match self {
            Self::Stated(kind) => kind.word().to_uppercase(),
            Self::Link(link) => link.word().to_uppercase(),
        }
    }
}

/// Defines the keys of nodes or relations with their names.
macro_rules! keys {
    ($(#[$about:meta])* $keys:ident: $($name:literal => $key:ident),*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $keys { $($key),* }

        impl $keys {
            pub const ALL: &[(&str, Self)] = &[$(($name, Self::$key)),*];
        }
    };
}

keys! {
    /// A property of a node.
    NodeKey: "name" => Name, "kind" => Kind, "aliases" => Aliases, "mentions" => Mentions, "days" => Days,
    "first_seen" => FirstSeen, "last_seen" => LastSeen, "id" => Id, "status" => Status
}
keys! {
    /// A property of a relation.
    RelationKey: "type" => Type, "verb" => Verb, "weight" => Weight, "stated" => Stated, "evidence" => Evidence
}
