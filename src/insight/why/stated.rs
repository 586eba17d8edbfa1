//! Stated causes of the target: from the edges of the graph, and from sentences extracted on demand.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use jiff::civil;

use super::{
    reasons::{Reason, Said, restates, words_of},
    scene::Scene,
    target::earlier,
};
use crate::{
    index::{
        EntryKey,
        graph::{Edge, EntityRef, Evidence, statements},
    },
    insight::clause::clause,
};

/// Identity of a cause: an entity or a phrase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CauseKey {
    Named(EntityRef),
    /// In the words of a sentence without an entity.
    Phrase(String),
}

/// The sentences of each source in the period, oldest first.
#[derive(Debug, Default)]
pub(super) struct Stated(BTreeMap<CauseKey, Vec<Said>>);

impl Stated {
    /// From the edges into the subject; for entries found by a search, only their own statements.
    pub fn of_edges(
        scene: &Scene<'_>,
        wanted: impl Fn(&Edge) -> bool,
        is_within: impl Fn(civil::Date) -> bool,
        after: i32,
    ) -> Self {
        let (graph, catalog) = (&scene.snapshot.graph, &scene.snapshot.catalog);
        let mut stated = Self::default();
        let entries: BTreeSet<EntryKey> = scene.target.entries.iter().map(|(_, key)| *key).collect();
        let days = scene.target.days();
        let is_meant = |said: &Evidence, source: EntityRef, day: civil::Date| {
            if scene.target.stating.as_ref().is_some_and(|keys| !keys.contains(&said.entry)) {
                false
            } else if scene.target.is_found {
                entries.contains(&said.entry)
                    && scene.target.is_stated_in(said.entry, &said.span, || graph.spans(said.entry, source))
            } else {
                // A narrowed subject has fewer days; a relief is stated on them or soon after.
                days.range(earlier(day, after)..=day).next().is_some()
            }
        };
        for subject in subjects(scene, &entries) {
            for edge in graph.edges(subject).into_iter().filter(|edge| edge.target == subject && wanted(edge)) {
                for said in &edge.evidence {
                    let Some(known) = catalog.by_key(said.entry).filter(|known| is_within(known.day)) else {
                        continue;
                    };
                    if is_meant(said, edge.source, known.day) {
                        let entry = (known.day, known.key);
                        let said = Said::new(entry, &said.span, &said.cause, said.event_time, said.weight);
                        stated.0.entry(CauseKey::Named(edge.source)).or_default().push(said);
                    }
                }
            }
        }
        stated.in_order(scene)
    }

    /// Adds sentences that are not among the edges: under the entities in them, else in their own words.
    pub fn with(mut self, scene: &Scene<'_>, reasons: &[Reason]) -> Self {
        for reason in reasons {
            if self.0.values().flatten().any(|known| known.repeats(&reason.said)) {
                continue;
            }
            let named = reason.named.iter().filter(|entity| !scene.target.entities.contains(entity));
            let mut sources: Vec<CauseKey> = named.map(|entity| CauseKey::Named(*entity)).collect();
            if sources.is_empty() {
                sources.push(CauseKey::Phrase(reason.phrase.clone()));
            }
            for source in sources {
                self.0.entry(source).or_default().push(reason.said.clone());
            }
        }
        self.in_order(scene)
    }

    fn in_order(mut self, scene: &Scene<'_>) -> Self {
        for said in self.0.values_mut() {
            said.sort_unstable_by_key(|said| (said.day, said.key, said.span.start, said.span.end));
            said.dedup();
        }
        // "Angry with Ada" does not answer why the writer was angry with Ada; "because Ada was late" does.
        let asked = |entity: &EntityRef| scene.target.entities.contains(entity) || scene.target.about.contains(entity);
        let is_asked = |source: &CauseKey| matches!(source, CauseKey::Named(entity) if asked(entity));
        let asked: Vec<Said> = self.0.extract_if(.., |source, _| is_asked(source)).flat_map(|(_, said)| said).collect();
        let names = words_of(&scene.target.names(scene.snapshot).join(" "));
        for said in asked {
            let told = scene.quotes.body(said.key).ok().and_then(|body| clause(&body, &said.cause));
            if let Some(told) = told.filter(|told| !restates(&names, told)) {
                self.0.entry(CauseKey::Phrase(told)).or_default().push(said);
            }
        }
        self
    }

    pub fn of(&self, source: &CauseKey) -> &[Said] {
        self.0.get(source).map_or(&[], Vec::as_slice)
    }

    /// The words that tell a cause, where the only statements of it are in one entry and in the same words.
    pub fn told_once(&self, source: &CauseKey) -> Option<(EntryKey, &Range<u32>)> {
        let (first, others) = self.of(source).split_first()?;
        let is_same = |said: &Said| said.key == first.key && said.cause == first.cause;
        others.iter().all(is_same).then_some((first.key, &first.cause)).filter(|(_, cause)| !cause.is_empty())
    }

    /// How often a cause is written without a hedge.
    pub fn times(&self, source: &CauseKey) -> usize {
        let plain = self.of(source).iter().filter(|said| said.plain);
        statements(plain.map(|said| (said.key, &said.span, &said.cause, ()))).len()
    }

    pub fn sources(&self) -> impl Iterator<Item = &CauseKey> {
        self.0.keys()
    }
}

/// The entities whose edges are read.
fn subjects(scene: &Scene<'_>, entries: &BTreeSet<EntryKey>) -> Vec<EntityRef> {
    if !scene.target.is_found {
        return scene.target.entities.clone();
    }
    let graph = &scene.snapshot.graph;
    let named = entries.iter().flat_map(|key| graph.of_entry(*key)).map(|(entity, _)| entity);
    let is_asked = scene.target.asks_for(scene.snapshot);
    named.collect::<BTreeSet<EntityRef>>().into_iter().filter(|entity| is_asked(*entity)).collect()
}
