//! Themes: clusters of names in a journal, and their trends.

use std::collections::BTreeSet;

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::Period;
use crate::{
    index::{Snapshot, graph::EntityRef},
    journal::EntityKind,
};

/// A cluster of names that are mentioned together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Theme {
    /// The names on most days, first; of a past theme, only names that are past too.
    pub names: Vec<Member>,
    /// Number of all names.
    pub size: usize,
    /// Days with at least two of them.
    pub days: usize,
    /// Of these, in the last 90 days.
    pub recent: usize,
    /// Of these, in the 90 days before.
    pub before: usize,
    pub trend: Trend,
    pub first: civil::Date,
    pub last: civil::Date,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Member {
    pub name: String,
    pub kind: EntityKind,
    pub days: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    Rising,
    Steady,
    Falling,
    /// On no day of the last 180.
    Past,
}

const SHOWN: usize = 6;
const SEASON: i32 = 90;
/// With fewer days in both periods there is no trend.
const FEWEST: usize = 4;

/// Communities of the graph on at least three days, the most active first, as of the last day of the journal.
pub fn themes(snapshot: &Snapshot, limit: usize) -> Vec<Theme> {
    let Some(last) = snapshot.catalog.entries().last().map(|entry| entry.day) else { return Vec::new() };
    let groups = snapshot.graph.communities();
    let mut themes: Vec<Theme> =
        groups.iter().filter_map(|group| theme(snapshot, group, last)).filter(|theme| theme.days >= 3).collect();
    themes.sort_by(|a, b| {
        (b.recent, b.days).cmp(&(a.recent, a.days)).then_with(|| a.names[0].name.cmp(&b.names[0].name))
    });
    themes.truncate(limit);
    themes
}

fn theme(snapshot: &Snapshot, group: &[EntityRef], today: civil::Date) -> Option<Theme> {
    let graph = &snapshot.graph;
    let (mut seen, mut days) = (BTreeSet::new(), BTreeSet::new());
    for entity in group {
        for day in graph.days_with(*entity, civil::Date::MIN, civil::Date::MAX) {
            if !seen.insert(day) {
                days.insert(day);
            }
        }
    }
    let season = Period::up_to(today, SEASON);
    let before_from = season.before().from;
    let recent = days.range(season.from..).count();
    let before = days.range(before_from..season.from).count();
    // A journal that only begins in the last days has no trend.
    let begins = snapshot.catalog.entries().iter().next().map_or(today, |entry| entry.day);
    let trend = if begins <= before_from { trend(recent, before) } else { Trend::Steady };
    let mut members: Vec<Member> = group
        .iter()
        .map(|entity| graph.entity(*entity))
        .filter(|known| trend != Trend::Past || known.last_seen < before_from)
        .map(|known| Member { name: known.name.clone(), kind: known.kind, days: known.days })
        .collect();
    members.sort_by(|a, b| b.days.cmp(&a.days).then_with(|| a.name.cmp(&b.name)));
    members.first()?;
    members.truncate(SHOWN);
    Some(Theme {
        names: members,
        size: group.len(),
        days: days.len(),
        recent,
        before,
        trend,
        first: *days.first()?,
        last: *days.last()?,
    })
}

/// A change counts if it is by half or more, and by more than two days.
fn trend(recent: usize, before: usize) -> Trend {
    match (recent, before) {
        (0, 0) => Trend::Past,
        (recent, before) if recent + before < FEWEST || recent.abs_diff(before) < 3 => Trend::Steady,
        (recent, before) if recent * 2 >= before * 3 => Trend::Rising,
        (recent, before) if before * 2 >= recent * 3 => Trend::Falling,
        _ => Trend::Steady,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_needs_days() {
        assert_eq!(trend(0, 0), Trend::Past);
        assert_eq!(trend(2, 0), Trend::Steady);
        assert_eq!(trend(9, 3), Trend::Rising);
        assert_eq!(trend(0, 5), Trend::Falling);
        assert_eq!(trend(10, 9), Trend::Steady);
    }
}
