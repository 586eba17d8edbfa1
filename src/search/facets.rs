//! Facets of an answer: people, tags, moods and months that its entries have in common. Each is a filter that narrows the
//! query.

use std::collections::BTreeMap;

use jiff::{Zoned, civil};

use super::{answer::Hit, narrow, query::Filter};
use crate::{index::Snapshot, journal::EntityKind};

/// Maximum number of people, of tags and of moods; months are complete.
const TOLD: usize = 20;

/// A value that some of the entries share.
#[derive(Debug, Clone, PartialEq)]
pub struct Facet {
    pub label: String,
    /// The filter as typed: `person:Linh`, `on:2026-09`.
    pub filter: String,
    /// The parsed filter.
    pub says: Filter,
    /// Number of entries with this value.
    pub count: usize,
}

/// Counted over the sure hits, or over all hits if none is sure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facets {
    /// Number of entries counted.
    pub of: usize,
    /// Most frequent first.
    pub people: Vec<Facet>,
    /// Most frequent first.
    pub tags: Vec<Facet>,
    /// Most frequent first.
    pub moods: Vec<Facet>,
    /// Newest first.
    pub months: Vec<Facet>,
}

/// Counts the values of the hits. Reads the names of each hit's entry.
pub fn facets(snapshot: &Snapshot, hits: &[Hit], now: &Zoned) -> Facets {
    let any_sure = hits.iter().any(|hit| !hit.weak);
    let counted = hits.iter().filter(|hit| !any_sure || !hit.weak);
    let mut of = 0;
    let mut people: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
    let mut moods: BTreeMap<&str, usize> = BTreeMap::new();
    let mut months: BTreeMap<civil::Date, usize> = BTreeMap::new();
    for entry in counted.filter_map(|hit| snapshot.catalog.by_key(hit.key)) {
        of += 1;
        *months.entry(entry.day.first_of_month()).or_default() += 1;
        for tag in &entry.tags {
            *tags.entry(tag).or_default() += 1;
        }
        if let Some(mood) = &entry.mood {
            *moods.entry(mood).or_default() += 1;
        }
        for entity in snapshot.graph.of_entry(entry.key).into_iter().map(|(entity, _)| snapshot.graph.entity(entity)) {
            if entity.kind == EntityKind::Person {
                *people.entry(&entity.name).or_default() += 1;
            }
        }
    }
    let months = months.into_iter().rev().filter_map(|(month, count)| {
        let filter = narrow::filter("on", &month.strftime("%Y-%m").to_string());
        facet(month.strftime("%B %Y").to_string(), filter, count, now)
    });
    let [people, tags, moods] =
        [(people, "person"), (tags, "tag"), (moods, "mood")].map(|(counts, key)| most(counts, key, now));
    Facets { of, people, tags, moods, months: months.collect() }
}

/// Most frequent first, then by name.
fn most(counts: BTreeMap<&str, usize>, key: &str, now: &Zoned) -> Vec<Facet> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let facets =
        counts.into_iter().filter_map(|(label, count)| facet(label.to_owned(), narrow::filter(key, label), count, now));
    facets.take(TOLD).collect()
}

/// `None` if it cannot be written as a filter.
fn facet(label: String, filter: String, count: usize, now: &Zoned) -> Option<Facet> {
    let says = narrow::read(&filter, now)?;
    Some(Facet { label, filter, says, count })
}
