//! Results of the shared query within the statistics.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use crate::{
    extract::valence,
    index::graph::{EntityRef, GraphView},
    journal::EntityKind,
    session::View,
    tui::query::SharedQuery,
};

/// A name in the hits.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundName {
    pub name: String,
    pub kind: EntityKind,
    /// Number of hits that mention it.
    pub entries: usize,
    /// Number of all entries that mention it.
    pub all: usize,
}

const MOST_NAMES: usize = 8;

/// Statistics of the strong hits. The query returns its best hits only; `more` counts the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub query: String,
    pub entries: usize,
    pub days: usize,
    pub words: u64,
    pub weekdays: [u32; 7],
    pub hours: [u32; 24],
    /// By month: number of entries with a known mood, and their mean valence.
    pub months: BTreeMap<String, (u32, f32)>,
    pub moods: BTreeMap<String, usize>,
    /// Names in the hits without feelings, most entries first.
    pub names: Vec<FoundName>,
    /// Number of weak hits, which are not included.
    pub weak: usize,
    /// Number of matches that were not returned and so are not included.
    pub more: usize,
}

impl Found {
    /// `None` without a query or without a snapshot. One pass over the hits.
    pub fn of(query: &SharedQuery, view: &View) -> Option<Self> {
        let snapshot = view.snapshot.as_ref()?;
        let answer = query.found().filter(|_| query.is_on())?;
        let mut found = Self { query: query.text().trim().to_owned(), ..Self::default() };
        found.weak = answer.hits.iter().filter(|hit| hit.weak).count();
        found.more = answer.total.saturating_sub(answer.hits.len());
        let (mut days, mut names) = (BTreeSet::new(), HashMap::<EntityRef, usize>::new());
        let sure = answer.hits.iter().filter(|hit| !hit.weak);
        for entry in sure.filter_map(|hit| snapshot.catalog.by_key(hit.key)) {
            found.entries += 1;
            found.words += u64::from(entry.words);
            days.insert(entry.day);
            for (entity, _) in snapshot.graph.names_of_entry(entry.key) {
                *names.entry(entity).or_default() += 1;
            }
            found.weekdays[entry.day.weekday().to_monday_zero_offset().unsigned_abs() as usize % 7] += 1;
            if entry.has_clock() {
                found.hours[entry.time.local().hour().unsigned_abs() as usize % 24] += 1;
            }
            if let Some(mood) = &entry.mood {
                *found.moods.entry(mood.clone()).or_default() += 1;
                if let Some(valence) = valence(mood) {
                    let (n, sum) = found.months.entry(entry.day.strftime("%Y-%m").to_string()).or_default();
                    *n += 1;
                    *sum += valence;
                }
            }
        }
        found.months.values_mut().for_each(|(n, sum)| *sum /= *n as f32);
        found.days = days.len();
        found.names = most_found(&snapshot.graph, names);
        Some(found)
    }
}

fn most_found(graph: &GraphView, names: HashMap<EntityRef, usize>) -> Vec<FoundName> {
    let mut names: Vec<(EntityRef, usize)> =
        names.into_iter().filter(|(entity, _)| graph.entity(*entity).kind != EntityKind::Emotion).collect();
    names.sort_by_key(|(entity, entries)| (Reverse(*entries), *entity));
    names.truncate(MOST_NAMES);
    let named = |(entity, entries): (EntityRef, usize)| {
        let known = graph.entity(entity);
        FoundName { name: known.name.clone(), kind: known.kind, entries, all: graph.entries(entity).len() }
    };
    names.into_iter().map(named).collect()
}
