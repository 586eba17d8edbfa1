//! The reading side of the graph: one immutable state.

use std::{collections::HashMap, ops::Range, sync::Arc};

use jiff::civil;
use petgraph::{Directed, graph::Graph};
use serde::{Deserialize, Serialize};

use super::{Entity, EntityRef, Evidence, Judgement, lookup::Lookup, rowed::Rowed, verdicts::Verdicts};
use crate::{
    extract::dates::DayRange,
    index::{EntryKey, catalog::KeyMap},
    journal::RelationKind,
};

/// A row of the view: one entry, in the order of days.
pub(super) type Row = u32;

/// Label of an edge between two entities.
#[derive(Debug)]
pub(super) struct StatedEdge {
    pub kind: RelationKind,
    pub verb: Arc<str>,
    pub evidence: Vec<Evidence>,
}

/// Entities, their mentions, and the stated relations between them. Immutable; nodes of the petgraph graph are
/// entities by their position, edges are the stated relations.
#[derive(Default, Serialize, Deserialize)]
pub struct GraphView {
    pub(super) entities: Vec<Entity>,
    /// Day and key of each entry: by day, then by descending key.
    #[serde(with = "super::persisted::rows")]
    pub(super) rows: Vec<(civil::Date, EntryKey)>,
    /// Not saved: made from `rows`.
    #[serde(skip)]
    pub(super) row_of: KeyMap<Row>,
    /// Entity and span of every mention by row, in text order.
    pub(super) mentions: Rowed<(EntityRef, Range<u32>)>,
    /// The rows of every entity, ascending.
    pub(super) postings: Rowed<Row>,
    #[serde(with = "super::persisted::stated")]
    pub(super) stated: Graph<(), StatedEdge, Directed, u32>,
    pub(super) lookup: Lookup,
    /// For each entity, whether only ordinary words name it (`tired`, `the interview`).
    pub(super) ordinary: Vec<bool>,
    /// For each entity, whether it is only ever a whole clause (`nobody had read my notes`).
    pub(super) clauses: Vec<bool>,
    pub(super) verdicts: Verdicts,
}

impl GraphView {
    /// Makes the parts that are not saved; false where the saved parts are inconsistent.
    pub(super) fn index_rows(&mut self) -> bool {
        let entities = self.entities.len();
        self.row_of = self.rows.iter().enumerate().map(|(row, (_, key))| (*key, row as Row)).collect();
        self.mentions.is_sound()
            && self.mentions.rows().len() == self.rows.len()
            && self.mentions.all().iter().all(|(entity, _)| (entity.0 as usize) < entities)
            && self.postings.is_sound()
            && self.postings.rows().len() == entities
            && self.postings.all().iter().all(|row| (*row as usize) < self.rows.len())
            && self.stated.node_count() == entities
            && [&self.ordinary, &self.clauses].iter().all(|flags| flags.len() == entities)
    }

    /// The position of an entry in [`GraphView::dated_entries`].
    pub(super) fn row(&self, key: EntryKey) -> Option<Row> {
        self.row_of.get(&key).copied()
    }

    /// Every entity, most mentioned first, then by name.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// A reference to each of [`GraphView::entities`], in their order.
    pub fn entity_refs(&self) -> impl Iterator<Item = EntityRef> + use<> {
        (0..self.entities.len() as u32).map(EntityRef)
    }

    /// Every entry of the view with its day, by day.
    pub fn dated_entries(&self) -> impl Iterator<Item = (civil::Date, EntryKey)> {
        self.rows.iter().copied()
    }

    /// Number of entries.
    pub fn entry_count(&self) -> usize {
        self.rows.len()
    }

    /// # Panics
    /// If the reference belongs to another view.
    pub fn entity(&self, entity: EntityRef) -> &Entity {
        &self.entities[entity.0 as usize]
    }

    /// Whether an entity is a whole clause at the end of a relation: it explains something, but is no subject of the
    /// journal.
    pub fn is_clause(&self, entity: EntityRef) -> bool {
        self.clauses.get(entity.0 as usize).copied().unwrap_or(false)
    }

    /// Every entity except clauses, in the order of [`GraphView::entities`].
    pub fn named_entities(&self) -> impl Iterator<Item = &Entity> {
        self.entities.iter().zip(&self.clauses).filter(|(_, clause)| !**clause).map(|(entity, _)| entity)
    }

    /// The entities that a text names, in text order, longest names first, with the bytes that name them. Matching
    /// ignores case and accents; where the text has accents, they must match. Several entities share a range where
    /// there are homonyms. A small word of the language (`will`, `may`) in lower case names nothing, nor does an
    /// ordinary word (`tired`, `interview`) that is never more than that.
    pub fn named_in(&self, text: &str) -> Vec<(EntityRef, Range<usize>)> {
        self.lookup.named_in(text)
    }

    /// An entity by its name or alias, folded; several where homonyms differ in kind.
    pub fn by_name(&self, name: &str) -> Vec<EntityRef> {
        self.lookup.by_name(name)
    }

    /// The entities of an entry, in text order (those of the head first), each once, with the spans of their
    /// mentions.
    pub fn of_entry(&self, key: EntryKey) -> Vec<(EntityRef, Vec<Range<u32>>)> {
        let mut found: Vec<(EntityRef, Vec<Range<u32>>)> = Vec::new();
        let Some(row) = self.row_of.get(&key) else { return found };
        for (entity, span) in self.row_mentions(*row) {
            match found.iter_mut().find(|(known, _)| known == entity) {
                Some((_, spans)) => spans.push(span.clone()),
                None => found.push((*entity, vec![span.clone()])),
            }
        }
        found
    }

    /// The same without clauses.
    pub fn names_of_entry(&self, key: EntryKey) -> impl Iterator<Item = (EntityRef, Vec<Range<u32>>)> {
        self.of_entry(key).into_iter().filter(|(entity, _)| !self.is_clause(*entity))
    }

    /// The entries that mention an entity, by day, oldest first (within a day in an arbitrary but fixed order).
    pub fn entries(&self, entity: EntityRef) -> Vec<EntryKey> {
        self.posting(entity).iter().map(|row| self.rows[*row as usize].1).collect()
    }

    /// Number of entries that mention it.
    pub fn entry_count_of(&self, entity: EntityRef) -> usize {
        self.posting(entity).len()
    }

    /// All evidence that refers to certain days.
    pub fn dated_evidence(&self) -> impl Iterator<Item = (&Evidence, DayRange)> {
        let all = self.stated.edge_weights().flat_map(|edge| &edge.evidence);
        all.filter_map(|evidence| Some((evidence, evidence.event_time?)))
    }

    pub(super) fn posting(&self, entity: EntityRef) -> &[Row] {
        let at = entity.0 as usize;
        if at < self.entities.len() { self.postings.row(at) } else { &[] }
    }

    pub(super) fn row_mentions(&self, row: Row) -> &[(EntityRef, Range<u32>)] {
        self.mentions.row(row as usize)
    }

    /// The entities in the same entries, with the number of these entries: most first, then by rank in
    /// [`GraphView::entities`]. Costs the entity's entries times their mentions.
    pub fn neighbours(&self, entity: EntityRef) -> Vec<(EntityRef, u32)> {
        let mut counts: Vec<(EntityRef, u32)> = self.together(entity, usize::MAX).into_iter().collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts
    }

    /// The same in no particular order, over this many of the latest entries.
    pub(super) fn together(&self, entity: EntityRef, latest: usize) -> HashMap<EntityRef, u32> {
        let mut counts: HashMap<EntityRef, u32> = HashMap::new();
        for row in self.posting(entity).iter().rev().take(latest) {
            let mentions = self.row_mentions(*row);
            for (at, (other, _)) in mentions.iter().enumerate() {
                let again = mentions[..at].iter().any(|(earlier, _)| earlier == other);
                if *other != entity && !again {
                    *counts.entry(*other).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Removes evidence that the user rejected, and edges without evidence.
    pub(super) fn drop_rejected(&mut self) {
        let verdicts = &self.verdicts;
        if verdicts.judge_nothing() {
            return;
        }
        self.stated.retain_edges(|mut graph, edge| {
            let Some((source, target)) = graph.edge_endpoints(edge) else { return true };
            let [source, target] = [source, target].map(|node| EntityRef(node.index() as u32));
            let stated = &mut graph[edge];
            let kind = stated.kind;
            let rejected = |entry| verdicts.of(source, target, kind, Some(entry)) == Some(Judgement::Rejected);
            stated.evidence.retain(|evidence| !rejected(evidence.entry));
            !stated.evidence.is_empty()
        });
    }

    /// The user's judgement on a relation: as one entry states it, or (without `entry`) as a whole. A rejected
    /// relation is no edge here, so code that infers relations has to check this first.
    pub fn verdict(
        &self,
        source: EntityRef,
        target: EntityRef,
        kind: RelationKind,
        entry: Option<EntryKey>,
    ) -> Option<Judgement> {
        self.verdicts.of(source, target, kind, entry)
    }

    /// Whether the user declared these two different.
    pub fn kept_apart(&self, a: EntityRef, b: EntityRef) -> bool {
        self.verdicts.are_apart(a, b)
    }
}
