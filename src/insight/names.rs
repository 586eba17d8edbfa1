//! Entities of the journal, and related ones.

use std::collections::BTreeMap;

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Basis, Evidence, Inputs, Result, connect, quotes::Quotes};
use crate::{
    index::{
        Snapshot,
        graph::{Entity, EntityRef},
    },
    journal::EntityKind,
};

/// One entity of the list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Known {
    pub name: String,
    pub kind: EntityKind,
    pub aliases: Vec<String>,
    pub mentions: u32,
    pub days: u32,
    pub first_seen: civil::Date,
    pub last_seen: civil::Date,
}

impl From<&Entity> for Known {
    fn from(entity: &Entity) -> Self {
        Self {
            name: entity.name.clone(),
            kind: entity.kind,
            aliases: entity.aliases.clone(),
            mentions: entity.mentions,
            days: entity.days,
            first_seen: entity.first_seen,
            last_seen: entity.last_seen,
        }
    }
}

/// Every entity, or those of one kind, most mentioned first.
pub fn entities(snapshot: &Snapshot, kind: Option<EntityKind>) -> Vec<Known> {
    let all = snapshot.graph.named_entities();
    all.filter(|entity| kind.is_none_or(|kind| entity.kind == kind)).map(Known::from).collect()
}

/// The names related to a name.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Related {
    pub entity: Option<Known>,
    /// Number of entities within the hops, shown or not.
    pub connected_count: usize,
    /// The closest first.
    pub related: Vec<Neighbour>,
}

/// One related name.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Neighbour {
    pub name: String,
    pub kind: EntityKind,
    pub hops: u8,
    /// From 0 to 1: the share of entries in common, more where a relation is stated, less at each hop.
    pub closeness: f32,
    /// The names in between, for two hops and more.
    pub via: Vec<String>,
    pub basis: Basis,
    /// Number of quotes that state the last link.
    pub stated: usize,
    /// Number of days with both ends of the last link.
    pub together: usize,
    pub evidence: Option<Evidence>,
}

/// Weight of a stated relation, relative to the maximal closeness.
const STATED: f32 = 0.5;
/// Factor on the closeness for each further hop.
const PER_HOP: f32 = 0.5;
/// Only so many of an entity's closest neighbours are followed.
const MOST_NEXT: usize = 60;

/// The best path to an entity so far.
struct Reached {
    closeness: f32,
    hops: u8,
    from: EntityRef,
}

/// The entities within `hops` of a name (all homonyms), the closest first. Closeness is a share, not a count, so that
/// a name that appears everywhere is close to nothing.
pub fn related(inputs: &Inputs<'_>, name: &str, hops: u8, limit: usize) -> Result<Related> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let named = connect::entities_called(graph, name);
    let Some(first) = named.first() else {
        return Ok(Related { entity: None, connected_count: 0, related: Vec::new() });
    };
    let mut reached: BTreeMap<EntityRef, Reached> = BTreeMap::new();
    let mut frontier: Vec<(EntityRef, f32)> = named.iter().map(|entity| (*entity, 1.0)).collect();
    for hop in 1..=hops {
        let mut next: BTreeMap<EntityRef, Reached> = BTreeMap::new();
        let many = frontier.len();
        for (nth, (from, so_far)) in frontier.into_iter().enumerate() {
            progress.at("finding related names", nth, many)?;
            for (other, closeness) in close(snapshot, from) {
                let worth = so_far * closeness * if hop > 1 { PER_HOP } else { 1.0 };
                let is_new = !graph.is_clause(other) && !named.contains(&other) && !reached.contains_key(&other);
                if is_new && next.get(&other).is_none_or(|known| known.closeness < worth) {
                    next.insert(other, Reached { closeness: worth, hops: hop, from });
                }
            }
        }
        frontier = next.iter().map(|(entity, reached)| (*entity, reached.closeness)).collect();
        frontier.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        frontier.truncate(MOST_NEXT);
        reached.append(&mut next);
    }
    let mut order: Vec<EntityRef> = reached.keys().copied().collect();
    order.sort_by(|a, b| reached[b].closeness.total_cmp(&reached[a].closeness).then(a.cmp(b)));
    let connected_count = order.len();
    order.truncate(limit);
    let quotes = Quotes::of(snapshot);
    let neighbour = |entity: EntityRef| {
        progress.goes_on()?;
        let Reached { closeness, hops, from } = reached[&entity];
        let hop = connect::hop(snapshot, &quotes, from, entity)?;
        let mut via = Vec::new();
        let mut at = from;
        while let Some(before) = reached.get(&at) {
            via.insert(0, graph.entity(at).name.clone());
            at = before.from;
        }
        let known = graph.entity(entity);
        Ok(Neighbour {
            name: known.name.clone(),
            kind: known.kind,
            hops,
            closeness: (closeness * 1e3).round() / 1e3,
            via,
            basis: hop.basis,
            stated: if hop.basis == Basis::Stated { hop.n } else { 0 },
            together: hop.together,
            evidence: hop.evidence,
        })
    };
    let related = order.into_iter().map(neighbour).collect::<Result<Vec<_>>>()?;
    Ok(Related { entity: Some(graph.entity(*first).into()), connected_count, related })
}

/// The neighbours of an entity with their closeness, from 0 to 1.
fn close(snapshot: &Snapshot, entity: EntityRef) -> Vec<(EntityRef, f32)> {
    let graph = &snapshot.graph;
    let own = graph.entry_count_of(entity);
    let mut close: BTreeMap<EntityRef, f32> = BTreeMap::new();
    for (other, together) in graph.neighbours(entity) {
        let size = (own * graph.entry_count_of(other)).max(1) as f32;
        close.insert(other, (1.0 - STATED) * together as f32 / size.sqrt());
    }
    for edge in graph.edges(entity) {
        let other = if edge.source == entity { edge.target } else { edge.source };
        // One quote counts half of many.
        let said = edge.evidence.len() as f32;
        let known = close.entry(other).or_default();
        *known = (*known + STATED * said / (said + 1.0)).min(1.0);
    }
    close.into_iter().collect()
}
