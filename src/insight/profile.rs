//! Entity profiles: every entity with its rhythm, and one in detail.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Basis, Evidence, Inputs, Period, Result,
    connect::{self, Hop},
    daily,
    names::{self, Known, Neighbour},
    quotes::{self, Quotes},
};
use crate::{
    extract::fold,
    index::{
        Catalog,
        graph::{Edge, EntityRef, distinct},
    },
    journal::{EntityKind, RelationKind},
};

/// Number of months in a rhythm, the current one last.
pub const MONTHS: usize = 12;
/// Length in days of the two periods that are compared for a trend.
const SEASON: i32 = 90;
/// With fewer days in both periods there is no trend.
const FEWEST: u32 = 4;
/// With fewer days with entries in one of the periods there is no trend either.
const FEWEST_WRITTEN: u32 = 10;
const MOST_MOODS: usize = 4;
const MOST_RELATIONS: usize = 12;
/// Quotes per relation.
const MOST_QUOTES: usize = 3;
const MOST_MENTIONS: usize = 5;
/// Number of names within one and two hops.
const MOST_NEIGHBOURS: usize = 24;

/// One entity of the list with its rhythm.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Listed {
    pub known: Known,
    pub rhythm: Rhythm,
}

/// Frequency of a name over time, seen from a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rhythm {
    /// Days with the name in each of the last [`MONTHS`] months, the oldest first.
    pub months: Vec<u32>,
    /// Days with the name in the last 90 days.
    pub recent: u32,
    /// Days with the name in the 90 days before those.
    pub before: u32,
    /// Days with any entry in the same two periods: no name rises because more is written.
    #[serde(skip)]
    pub written: (u32, u32),
}

/// The trend of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Up,
    Down,
    /// No change, or too few days with the name or with any entry to tell.
    Steady,
}

impl Rhythm {
    fn of(days: &[civil::Date], written: (u32, u32), today: civil::Date) -> Self {
        let mut months = vec![0; MONTHS];
        let index = |day: civil::Date| i32::from(day.year()) * 12 + i32::from(day.month());
        for day in days.iter().rev().filter(|day| **day <= today) {
            let ago = index(today) - index(*day);
            if ago >= MONTHS as i32 {
                break;
            }
            months[MONTHS - 1 - ago as usize] += 1;
        }
        let (recent, before) = by_season(days, today);
        Self { months, recent, before, written }
    }

    /// A change counts if it is by half or more, and by more than two days, of what the share of the earlier days with
    /// entries lets expect.
    pub fn change(&self) -> Change {
        let (written, written_before) = self.written;
        // Both times the earlier days with entries, so that they stay whole.
        let (recent, expected) = (self.recent * written_before, self.before * written);
        match () {
            () if written.min(written_before) < FEWEST_WRITTEN || self.recent + self.before < FEWEST => Change::Steady,
            () if recent.abs_diff(expected) < 3 * written_before => Change::Steady,
            () if recent * 2 >= expected * 3 => Change::Up,
            () if expected * 2 >= recent * 3 => Change::Down,
            () => Change::Steady,
        }
    }
}

/// Number of these days in the last 90, and in the 90 before those.
fn by_season(days: &[civil::Date], today: civil::Date) -> (u32, u32) {
    let count = |season: Period| days.iter().filter(|day| season.holds(**day)).count() as u32;
    let recent = Period::up_to(today, SEASON);
    (count(recent), count(recent.before()))
}

/// Days with entries in the last 90 days, and in the 90 before those.
fn written(catalog: &Catalog, today: civil::Date) -> (u32, u32) {
    by_season(&Vec::from_iter(daily::days(catalog, Period::up_to(today, 2 * SEASON))), today)
}

/// Every entity with its rhythm, most mentioned first. Linear in the mentions.
pub fn listed(inputs: &Inputs<'_>, today: civil::Date) -> Result<Vec<Listed>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let written = written(&snapshot.catalog, today);
    let of = |entity: EntityRef| {
        progress.goes_on()?;
        let known = graph.entity(entity).into();
        let rhythm = Rhythm::of(&graph.days_with(entity, civil::Date::MIN, civil::Date::MAX), written, today);
        Ok(Listed { known, rhythm })
    };
    graph.entity_refs().filter(|entity| !graph.is_clause(*entity)).map(of).collect()
}

/// One entity in detail.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Profile {
    pub known: Known,
    pub rhythm: Rhythm,
    /// Days with entries in the journal, for comparison with the moods.
    pub days: u32,
    /// The one with the most shared days first.
    pub moods: Vec<MoodShare>,
    /// Stated relations: by kind, then the most frequent first.
    pub relations: Vec<Relation>,
    /// Related names within one and two hops, the closest first.
    pub neighbours: Vec<Neighbour>,
    /// The latest sentences that mention it, the newest first.
    pub mentions: Vec<Evidence>,
    /// What records about it support and contradict, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Hop>,
}

/// A mood on the days of a name, compared with all days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoodShare {
    pub mood: String,
    /// Days with both.
    pub both: u32,
    /// Days of the journal with the mood.
    pub overall: u32,
}

/// A stated relation between the entity and another.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Relation {
    pub kind: RelationKind,
    /// Whether it runs from the entity to the other, or the other way.
    pub is_outgoing: bool,
    pub other: String,
    pub other_kind: EntityKind,
    /// The other is a clause of the text, and no name.
    #[serde(skip)]
    pub is_clause: bool,
    /// Number of quotes that state it.
    pub stated: usize,
    /// Number of days with both.
    pub together: usize,
    pub accepted: bool,
    /// The newest first.
    pub evidence: Vec<Evidence>,
}

/// The profile of this name and kind; `None` where the journal does not have it (any more). Reads a few dozen texts.
pub fn profile(inputs: &Inputs<'_>, name: &str, kind: EntityKind, today: civil::Date) -> Result<Option<Profile>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let named = graph.by_name(name);
    let Some(entity) = named
        .iter()
        .copied()
        .filter(|entity| graph.entity(*entity).kind == kind)
        .max_by_key(|entity| graph.entity(*entity).name == name)
    else {
        return Ok(None);
    };
    let known = graph.entity(entity);
    let names: Vec<String> = known.names().cloned().collect();
    let quotes = Quotes::of(snapshot);
    let days = graph.days_with(entity, civil::Date::MIN, civil::Date::MAX);
    let (total, moods) = moods(inputs, entity, &days)?;
    let mut mentions = Vec::new();
    for key in graph.entries(entity).into_iter().rev().take(MOST_MENTIONS) {
        progress.goes_on()?;
        mentions.extend(quotes.mention(key, entity, Basis::Inferred)?);
    }
    Ok(Some(Profile {
        known: known.into(),
        rhythm: Rhythm::of(&days, written(&snapshot.catalog, today), today),
        days: total,
        moods,
        relations: relations(inputs, &quotes, entity)?,
        neighbours: names::related(inputs, name, 2, MOST_NEIGHBOURS)?.related,
        mentions,
        records: connect::record_links(inputs.with_records, None, &names)?,
    }))
}

/// The number of days of the journal, and the moods on the days of the entity.
fn moods(inputs: &Inputs<'_>, entity: EntityRef, days: &[civil::Date]) -> Result<(u32, Vec<MoodShare>)> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let own = fold(&snapshot.graph.entity(entity).name);
    let mut total = BTreeSet::new();
    let mut moods: BTreeMap<&str, BTreeSet<civil::Date>> = BTreeMap::new();
    for entry in snapshot.catalog.entries().iter() {
        progress.goes_on()?;
        total.insert(entry.day);
        if let Some(mood) = &entry.mood {
            moods.entry(mood).or_default().insert(entry.day);
        }
    }
    let share = |(mood, on): (&str, BTreeSet<civil::Date>)| {
        let both = days.iter().filter(|day| on.contains(day)).count() as u32;
        let is_told = both > 0 && fold(mood) != own;
        is_told.then(|| MoodShare { mood: mood.to_owned(), both, overall: on.len() as u32 })
    };
    let mut shares: Vec<MoodShare> = moods.into_iter().filter_map(share).collect();
    shares.sort_by(|a, b| b.both.cmp(&a.both).then(a.overall.cmp(&b.overall)).then_with(|| a.mood.cmp(&b.mood)));
    shares.truncate(MOST_MOODS);
    Ok((total.len() as u32, shares))
}

/// Edges that differ only in their verb are one relation.
fn relations(inputs: &Inputs<'_>, quotes: &Quotes<'_>, entity: EntityRef) -> Result<Vec<Relation>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let mut groups: BTreeMap<(u8, bool, EntityRef), Vec<Edge>> = BTreeMap::new();
    for edge in graph.edges(entity) {
        let is_outgoing = edge.source == entity;
        let other = if is_outgoing { edge.target } else { edge.source };
        groups.entry((edge.kind as u8, !is_outgoing, other)).or_default().push(edge);
    }
    let stated = |edges: &[Edge]| distinct(edges.iter().flat_map(|edge| &edge.evidence)).len();
    let mut order: Vec<_> = groups.into_iter().collect();
    order.sort_by(|(a, ours), (b, theirs)| {
        (a.0, a.1).cmp(&(b.0, b.1)).then(stated(theirs).cmp(&stated(ours))).then(a.2.cmp(&b.2))
    });
    let mut relations = Vec::new();
    for ((_, is_incoming, other), edges) in order.into_iter().take(MOST_RELATIONS) {
        progress.goes_on()?;
        let Some(first) = edges.first() else { continue };
        let mut said = distinct(edges.iter().flat_map(|edge| &edge.evidence));
        said.sort_by_key(|said| (snapshot.catalog.row(said.entry), said.span.start));
        let mut evidence: Vec<Evidence> = Vec::new();
        for said in said.into_iter().rev() {
            if evidence.len() == MOST_QUOTES {
                break;
            }
            let quote = quotes.stating(said.entry, quotes::bytes(&said.span), first.source, &[first.target])?;
            evidence.extend(quote.filter(|quote| !evidence.iter().any(|known| known.repeats(quote))));
        }
        let known = graph.entity(other);
        relations.push(Relation {
            kind: first.kind,
            is_outgoing: !is_incoming,
            other: known.name.clone(),
            other_kind: known.kind,
            is_clause: graph.is_clause(other),
            stated: stated(&edges),
            together: graph.days_with_both(entity, other),
            accepted: edges.iter().any(|edge| edge.accepted),
            evidence,
        });
    }
    Ok(relations)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_rhythm_counts_days_by_month_up_to_today() {
        let today = date(2026, 11, 20);
        let days = [date(2025, 11, 30), date(2025, 12, 1), date(2026, 11, 1), date(2026, 11, 20), date(2026, 11, 21)];
        let rhythm = Rhythm::of(&days, (4, 4), today);
        assert_eq!(
            rhythm.months,
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
            "a year ago is another year, tomorrow is not yet"
        );
        assert_eq!((rhythm.recent, rhythm.before), (2, 0));
    }

    #[test]
    fn a_change_needs_days() {
        let rhythm = |recent, before, written| Rhythm { months: Vec::new(), recent, before, written }.change();
        let change = |recent, before| rhythm(recent, before, (60, 60));
        assert_eq!(change(2, 0), Change::Steady);
        assert_eq!(change(9, 3), Change::Up);
        assert_eq!(change(0, 5), Change::Down);
        assert_eq!(change(10, 9), Change::Steady);
        assert_eq!(rhythm(12, 4, (60, 20)), Change::Steady, "three times as much was written");
        assert_eq!(rhythm(12, 0, (60, 4)), Change::Steady, "hardly anything was written before");
        assert_eq!(rhythm(4, 4, (20, 60)), Change::Steady);
        assert_eq!(rhythm(7, 4, (20, 60)), Change::Up);
    }
}
