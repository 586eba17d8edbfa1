//! The legs of a search as values: their names, sets of them, and tables with one cell for each.

use std::ops::{Index, IndexMut};

use serde::{Serialize, Serializer};

/// One way to find entries, in the order in which all tables of legs have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegId {
    Keyword,
    Vector,
    Graph,
}

/// What a leg is called.
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

    /// Its key in JSON, and its value on the command line.
    pub fn key(self) -> &'static str {
        NAMES[self as usize].key
    }

    /// In front of a rank: `k1`.
    pub fn letter(self) -> char {
        NAMES[self as usize].letter
    }

    /// What it searches: `words`, `connections`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].name
    }

    /// The same in front of a line.
    pub fn title(self) -> &'static str {
        NAMES[self as usize].title
    }

    /// `search by word`.
    pub fn method(self) -> &'static str {
        NAMES[self as usize].method
    }

    /// In front of what it says of one hit, and its other value on the command line.
    pub fn label(self) -> &'static str {
        NAMES[self as usize].label
    }
}

/// A value for each leg. In JSON an object by [`LegId::key`].
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

/// Which legs a search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legs(PerLeg<bool>);

impl Legs {
    pub const ALL: Self = Self(PerLeg([true; COUNT]));
    pub const NONE: Self = Self(PerLeg([false; COUNT]));

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

    /// Whether more is asked for than what holds the words, or is connected with the names: a search narrowed to one of these
    /// lists nothing else. What is asked for counts, not what can be had: without a model the rest finds what it can.
    pub fn reaches(self) -> bool {
        self.has(LegId::Vector) || (self.has(LegId::Keyword) && self.has(LegId::Graph))
    }

    /// In the order of all legs.
    pub fn iter(self) -> impl Iterator<Item = LegId> {
        LegId::ALL.into_iter().filter(move |leg| self.has(*leg))
    }
}

/// A leg's part in one hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegShare {
    /// From 1.
    pub rank: usize,
    pub score: f32,
}
