//! Identifiers of the legs, sets of them, and tables with one value per leg.

use std::{
    borrow::Cow,
    ops::{Index, IndexMut},
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A leg, in the order of all tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegId {
    Keyword,
    Vector,
    Graph,
}

/// The texts for a leg.
struct Names {
    key: &'static str,
    letter: char,
    name: &'static str,
    title: &'static str,
    method: &'static str,
    label: &'static str,
}

const COUNT: usize = LegId::ALL.len();

const NAMES: [Names; COUNT] = [
    Names { key: "keyword", letter: 'k', name: "words", title: "Words", method: "word", label: "words" },
    Names { key: "vector", letter: 'm', name: "meaning", title: "Meaning", method: "meaning", label: "meaning" },
    Names {
        key: "graph",
        letter: 'c',
        name: "connections",
        title: "Connections",
        method: "connection",
        label: "connection",
    },
];

impl LegId {
    pub const ALL: [Self; 3] = [Self::Keyword, Self::Vector, Self::Graph];

    /// The key in JSON, and the value on the command line.
    pub fn key(self) -> &'static str {
        NAMES[self as usize].key
    }

    /// Prefix of a rank: `k1`.
    pub fn letter(self) -> char {
        NAMES[self as usize].letter
    }

    /// What it searches: `words`, `connections`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].name
    }

    /// The same at the start of a line.
    pub fn title(self) -> &'static str {
        NAMES[self as usize].title
    }

    /// The method: `search by word`.
    pub fn method(self) -> &'static str {
        NAMES[self as usize].method
    }

    /// Label of its reason for a hit, and its other value on the command line.
    pub fn label(self) -> &'static str {
        NAMES[self as usize].label
    }
}

/// One value per leg. In JSON an object with the keys of [`LegId::key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerLeg<T>([T; COUNT]);

impl<T> PerLeg<T> {
    /// In the order of [`LegId::ALL`].
    pub const fn new(values: [T; COUNT]) -> Self {
        Self(values)
    }

    pub fn of(value: impl FnMut(LegId) -> T) -> Self {
        Self(LegId::ALL.map(value))
    }

    #[cfg(test)]
    pub fn with(mut self, leg: LegId, value: T) -> Self {
        self[leg] = value;
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = (LegId, &T)> {
        LegId::ALL.into_iter().zip(&self.0)
    }

    pub fn map<'t, U>(&'t self, mut change: impl FnMut(&'t T) -> U) -> PerLeg<U> {
        PerLeg::of(|leg| change(&self[leg]))
    }
}

impl<T> Index<LegId> for PerLeg<T> {
    type Output = T;

    fn index(&self, leg: LegId) -> &T {
        &self.0[leg as usize]
    }
}

impl<T> IndexMut<LegId> for PerLeg<T> {
    fn index_mut(&mut self, leg: LegId) -> &mut T {
        &mut self.0[leg as usize]
    }
}

impl<T: Serialize> Serialize for PerLeg<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(leg, value)| (leg.key(), value)))
    }
}

impl<T: JsonSchema> JsonSchema for PerLeg<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("PerLeg_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        let properties: serde_json::Map<_, _> =
            LegId::ALL.iter().map(|leg| (leg.key().to_owned(), value.clone().into())).collect();
        json_schema!({ "type": "object", "properties": properties })
    }
}

/// The set of legs that a search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legs(PerLeg<bool>);

impl Legs {
    pub const ALL: Self = Self(PerLeg([true; COUNT]));
    pub const NONE: Self = Self(PerLeg([false; COUNT]));
    /// Those that need no model.
    pub const WITHOUT_MODEL: Self = Self::ALL.set(LegId::Vector, false);

    pub const fn only(leg: LegId) -> Self {
        Self::NONE.set(leg, true)
    }

    pub const fn set(mut self, leg: LegId, on: bool) -> Self {
        self.0.0[leg as usize] = on;
        self
    }

    pub fn has(self, leg: LegId) -> bool {
        self.0[leg]
    }

    /// Whether the search may find entries that neither contain the words nor are connected with the names. A search
    /// narrowed to one of these legs must list nothing else. Depends on the requested legs, not on the available ones:
    /// without a model the others still find entries.
    pub fn reaches(self) -> bool {
        self.has(LegId::Vector) || (self.has(LegId::Keyword) && self.has(LegId::Graph))
    }

    /// In the order of all legs.
    pub fn iter(self) -> impl Iterator<Item = LegId> {
        LegId::ALL.into_iter().filter(move |leg| self.has(*leg))
    }
}

/// A leg's rank and score for one hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegShare {
    /// From 1.
    pub rank: usize,
    pub score: f32,
}
