//! Statistics: counts, rhythm and moods over time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Inputs, Period, Result, daily};
use crate::{
    index::{Snapshot, graph::EntityRef},
    journal::EntityKind,
};

/// Statistics of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Stats {
    pub period: Option<Period>,
    pub entries: usize,
    /// Days with entries.
    pub days: usize,
    pub words: u64,
    pub run: Run,
    /// Month by month, from the first with a mood to the last.
    pub moods: Vec<MoodMonth>,
    /// The most frequent moods, with their counts.
    pub mood_counts: Vec<Counted>,
    /// Entries by weekday, from Monday to Sunday.
    pub weekdays: [u32; 7],
    /// Entries by hour, from midnight.
    pub hours: [u32; 24],
    /// Entries by weekday and hour, seven rows.
    pub week: Vec<[u32; 24]>,
    /// Names of the last 30 days, most days first, compared with the 30 days before.
    pub names: Vec<Change>,
}

/// Streaks: days in a row with entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Run {
    /// Up to today, or up to yesterday if today has no entry yet.
    pub current: u32,
    pub longest: u32,
}

/// One month of moods.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MoodMonth {
    pub month: String,
    /// Number of entries with a mood from the word lists.
    pub n: u32,
    /// From -1 to 1.
    pub valence: f32,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Counted {
    pub name: String,
    pub n: usize,
}

/// One name in a period and in the one before.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    pub name: String,
    pub kind: EntityKind,
    /// Number of days in the period.
    pub days: u32,
    /// Number of days in the one before.
    pub before: u32,
}

const MOST_NAMES: usize = 12;
const RECENT: i32 = 30;

/// Number of entries between two checks for cancellation.
const BETWEEN_LOOKS: usize = 1 << 10;

/// Costs one pass over the catalog, and one over the mentions of the last sixty days.
pub fn stats(inputs: &Inputs<'_>, today: civil::Date) -> Result<Stats> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let catalog = &snapshot.catalog;
    let entries = catalog.entries();
    let days: BTreeSet<civil::Date> = entries.iter().map(|entry| entry.day).collect();
    let mut months: BTreeMap<String, (u32, f32)> = BTreeMap::new();
    let mut moods: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut weekdays, mut hours, mut week) = ([0; 7], [0; 24], vec![[0; 24]; 7]);
    for (nth, entry) in entries.iter().enumerate() {
        if nth % BETWEEN_LOOKS == 0 {
            progress.at("entries", nth, entries.len())?;
        }
        let weekday = entry.day.weekday().to_monday_zero_offset() as usize;
        weekdays[weekday] += 1;
        if entry.has_clock() {
            let hour = entry.time.local().hour() as usize % 24;
            hours[hour] += 1;
            week[weekday][hour] += 1;
        }
        if let Some(valence) = daily::valence_of(entry) {
            let (n, sum) = months.entry(entry.day.strftime("%Y-%m").to_string()).or_default();
            *n += 1;
            *sum += valence;
        }
        if let Some(mood) = &entry.mood {
            *moods.entry(mood).or_default() += 1;
        }
    }
    let mut mood_counts: Vec<Counted> =
        moods.into_iter().map(|(name, n)| Counted { name: name.to_owned(), n }).collect();
    mood_counts.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.name.cmp(&b.name)));
    let recent = Period::up_to(today, RECENT);
    let names = changes(snapshot, recent, recent.before(), MOST_NAMES).into_iter().map(|(_, change)| change);
    progress.goes_on()?;
    Ok(Stats {
        period: daily::whole(catalog),
        entries: entries.len(),
        days: days.len(),
        words: entries.iter().map(|entry| u64::from(entry.words)).sum(),
        run: run(&days, today),
        moods: months
            .into_iter()
            .map(|(month, (n, sum))| MoodMonth { month, n, valence: hundredths(sum / n as f32) })
            .collect(),
        mood_counts,
        weekdays,
        hours,
        week,
        names: names.collect(),
    })
}

fn run(days: &BTreeSet<civil::Date>, today: civil::Date) -> Run {
    let mut run = Run::default();
    let (mut length, mut last) = (0, None::<civil::Date>);
    for day in days.iter().filter(|day| **day <= today) {
        let follows = last.is_some_and(|last| last.tomorrow().is_ok_and(|next| next == *day));
        length = if follows { length + 1 } else { 1 };
        run.longest = run.longest.max(length);
        last = Some(*day);
    }
    let alive = last.is_some_and(|last| last == today || last.tomorrow().is_ok_and(|next| next == today));
    Run { current: if alive { length } else { 0 }, ..run }
}

/// The names of a period without feelings, most days first, with their days in another period.
pub(super) fn changes(snapshot: &Snapshot, period: Period, other: Period, most: usize) -> Vec<(EntityRef, Change)> {
    let graph = &snapshot.graph;
    let earlier: BTreeMap<_, u32> = graph.present(other.from, other.to).into_iter().collect();
    let present = graph.present(period.from, period.to).into_iter();
    present
        .filter(|(entity, _)| graph.entity(*entity).kind != EntityKind::Emotion && !graph.is_clause(*entity))
        .take(most)
        .map(|(entity, days)| {
            let known = graph.entity(entity);
            let before = earlier.get(&entity).copied().unwrap_or(0);
            (entity, Change { name: known.name.clone(), kind: known.kind, days, before })
        })
        .collect()
}

pub(super) fn hundredths(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_run_goes_on_until_a_whole_day_is_missed() {
        let days: BTreeSet<_> = [1, 2, 3, 7, 8].map(|day| date(2026, 3, day)).into();
        assert_eq!(run(&days, date(2026, 3, 8)), Run { current: 2, longest: 3 });
        assert_eq!(run(&days, date(2026, 3, 9)), Run { current: 2, longest: 3 });
        assert_eq!(run(&days, date(2026, 3, 10)), Run { current: 0, longest: 3 });
        assert_eq!(run(&BTreeSet::new(), date(2026, 3, 8)), Run::default());
    }
}
