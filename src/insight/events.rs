//! Events on other days than that of the entry: "sad because Linh left last Friday" is about that Friday.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Basis, Evidence, Period, Result, quotes, quotes::Quotes};
use crate::index::Snapshot;

/// A sentence, and the days that it refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Event {
    #[serde(flatten)]
    pub days: Period,
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// Every sentence that states a relation and refers to days of the period: by these days, then in the order of
/// writing. Left out where the day of the entry is one of these days, because the entry itself is already listed
/// there. Reads the bodies of these entries; else linear in the number of statements.
pub fn events(snapshot: &Snapshot, period: Period) -> Result<Vec<Event>> {
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
        // One sentence may contain several statements.
        let mut same_days = told.iter().rev().take_while(|known| known.days == days);
        if !same_days.any(|known| known.evidence.repeats(&evidence)) {
            told.push(Event { days, evidence });
        }
    }
    Ok(told)
}
