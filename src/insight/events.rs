//! Events told of other days than that of the writing: "sad because Linh left last Friday" speaks of that Friday.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Basis, Evidence, InsightError, Period, quotes, quotes::Quotes};
use crate::index::Snapshot;

/// A sentence, and the days that it speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    #[serde(flatten)]
    pub days: Period,
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// Every sentence that states a connection and speaks of days of which some lie in the period: by those days, then in the
/// order of writing. Where the day of the writing is one of the days spoken of, the entry itself already stands there and is
/// not given. Reads the bodies of these entries; else linear in what is stated.
pub fn events(snapshot: &Snapshot, period: Period) -> Result<Vec<Event>, InsightError> {
    let quotes = Quotes::of(snapshot);
    let mut places = BTreeSet::new();
    for (evidence, days) in snapshot.graph.dated_evidence() {
        let Some(entry) = snapshot.catalog.by_key(evidence.entry) else { continue };
        let is_asked = days.first <= period.to && period.from <= days.last;
        if is_asked && !(days.first..=days.last).contains(&entry.day) {
            let span = quotes::bytes(&evidence.span);
            places.insert((days.first, days.last, entry.day, evidence.entry, span.start, span.end));
        }
    }
    let mut told: Vec<Event> = Vec::new();
    for (from, to, _, key, start, end) in places {
        let Some(evidence) = quotes.around(key, start..end, Basis::Stated)? else { continue };
        let days = Period { from, to };
        // One sentence may state several things.
        let mut same_days = told.iter().rev().take_while(|known| known.days == days);
        if !same_days.any(|known| known.evidence.repeats(&evidence)) {
            told.push(Event { days, evidence });
        }
    }
    Ok(told)
}
