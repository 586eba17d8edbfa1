//! Counts of a curation's effect on the graph.

use std::collections::{BTreeSet, HashSet};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    index::{EntryKey, graph::GraphView},
    journal::{EntityKind, RelationKind},
    spelling::counted,
};

/// What a curation changes. Each sentence that states a relation counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Moved {
    /// Number of entries whose names change.
    pub entries: usize,
    /// Number of days of these entries.
    pub days: usize,
    /// Number of statements of relations that change.
    pub relations: usize,
}

type Who<'a> = (&'a str, EntityKind);
type Statement<'a> = (Who<'a>, Who<'a>, RelationKind, EntryKey, u32, bool);

impl Moved {
    /// `12 entries on 9 days, 1 relation`
    pub fn words(self) -> String {
        let relations = match self.relations {
            0 => String::new(),
            n => format!(", {}", counted(n, "relation", "relations")),
        };
        format!("{} on {}{relations}", counted(self.entries, "entry", "entries"), counted(self.days, "day", "days"))
    }

    /// Compares two views over the same entries. Linear in the number of mentions.
    pub fn between(before: &GraphView, after: &GraphView) -> Self {
        let mut moved = Self::default();
        let mut days: BTreeSet<civil::Date> = BTreeSet::new();
        for (day, key) in before.dated_entries() {
            if people(before, key) != people(after, key) {
                moved.entries += 1;
                days.insert(day);
            }
        }
        moved.days = days.len();
        let (stated_before, stated_after) = (statements(before), statements(after));
        // A statement that moves from one pair of names to another is in both differences, but counts once.
        let gone = stated_before.difference(&stated_after).count();
        let new = stated_after.difference(&stated_before).count();
        moved.relations = gone.max(new);
        moved
    }
}

fn people(view: &GraphView, key: EntryKey) -> BTreeSet<Who<'_>> {
    let named = view.of_entry(key).into_iter().map(|(entity, _)| view.entity(entity));
    named.map(|entity| (entity.name.as_str(), entity.kind)).collect()
}

fn statements(view: &GraphView) -> HashSet<Statement<'_>> {
    let who = |entity| {
        let entity = view.entity(entity);
        (entity.name.as_str(), entity.kind)
    };
    let mut all = HashSet::new();
    for entity in view.entity_refs() {
        for edge in view.edges(entity).into_iter().filter(|edge| edge.source == entity) {
            let (source, target) = (who(edge.source), who(edge.target));
            all.extend(
                edge.evidence
                    .iter()
                    .map(|evidence| (source, target, edge.kind, evidence.entry, evidence.span.start, edge.accepted)),
            );
        }
    }
    all
}
