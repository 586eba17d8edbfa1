//! The graph of connections: entities, who is mentioned where, stated relations with all their evidence.

use std::{ops::Range, path::Path, sync::Arc};

use jiff::civil;
use serde::{Deserialize, Serialize};

use super::{EntryKey, IndexError, Scope, catalog::KeyMap};
use crate::{
    extract::Extract,
    journal::{EntityKind, RelationKind},
};

/// Names an entity inside one [`GraphView`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityRef(pub u32);

/// Somebody or something the journal speaks of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub name: String,
    pub kind: EntityKind,
    /// Other spellings met.
    pub aliases: Vec<String>,
    pub first_seen: civil::Date,
    pub last_seen: civil::Date,
    pub mentions: u32,
    /// On how many different days.
    pub days: u32,
}

/// One sentence that states a relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub entry: EntryKey,
    pub span: Range<u32>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub source: EntityRef,
    pub target: EntityRef,
    pub kind: RelationKind,
    pub verb: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GraphHit {
    pub key: EntryKey,
    /// Higher is better.
    pub score: f32,
    /// Names from what the query named to what the entry names: `["Hùng", "Project X"]`.
    pub path: Vec<String>,
}

/// The writing side.
pub struct GraphStore;

/// The reading side: immutable.
pub struct GraphView;

impl GraphStore {
    /// Loads the graph file of `generation`; a missing or damaged one gives an empty store and says so.
    pub fn open(dir: &Path, generation: Option<u64>) -> (Self, Option<String>) {
        let _ = (dir, generation);
        todo!()
    }
    /// Which entries in which state it holds.
    pub fn held(&self) -> KeyMap<u64> {
        todo!()
    }
    pub fn remove(&mut self, key: EntryKey) {
        let _ = key;
        todo!()
    }
    pub fn set(&mut self, key: EntryKey, fingerprint: u64, day: civil::Date, extract: Extract) {
        let _ = (key, fingerprint, day, extract);
        todo!()
    }
    pub fn save(&mut self, generation: u64) -> Result<(), IndexError> {
        let _ = generation;
        todo!()
    }
    pub fn tidy(&mut self, generation: u64) {
        let _ = generation;
        todo!()
    }
    /// Decides entities from the set of all mentions (independent of the order they came in).
    pub fn view(&mut self) -> Arc<GraphView> {
        todo!()
    }
}

impl GraphView {
    /// Every entity, most mentioned first, then by name.
    pub fn entities(&self) -> &[Entity] {
        todo!()
    }
    pub fn entity(&self, entity: EntityRef) -> &Entity {
        let _ = entity;
        todo!()
    }
    /// The entities that a text names (folded, longest first), with the bytes that name them.
    pub fn named_in(&self, text: &str) -> Vec<(EntityRef, Range<usize>)> {
        let _ = text;
        todo!()
    }
    /// An entity by its name or alias, folded; several where homonyms differ in kind.
    pub fn by_name(&self, name: &str) -> Vec<EntityRef> {
        let _ = name;
        todo!()
    }
    /// The entities of an entry, in text order, each once, with the spans of their mentions.
    pub fn of_entry(&self, key: EntryKey) -> Vec<(EntityRef, Vec<Range<u32>>)> {
        let _ = key;
        todo!()
    }
    /// The entries that mention an entity, oldest first.
    pub fn entries(&self, entity: EntityRef) -> Vec<EntryKey> {
        let _ = entity;
        todo!()
    }
    /// Stated relations that touch an entity.
    pub fn edges(&self, entity: EntityRef) -> Vec<Edge> {
        let _ = entity;
        todo!()
    }
    /// The entries connected with the seeds, directly or over one more entity, inside `scope`.
    pub fn search(&self, seeds: &[EntityRef], scope: &Scope, limit: usize) -> Vec<GraphHit> {
        let _ = (seeds, scope, limit);
        todo!()
    }
}
