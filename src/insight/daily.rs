//! Statistics per day from the catalog: mood values, words, first and last day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil;

use super::{Period, cooccurrence::Calendar};
use crate::{
    extract::valence,
    index::{Catalog, CatalogEntry},
};

/// The period from the first to the last day of a journal; `None` for an empty one.
pub fn whole(catalog: &Catalog) -> Option<Period> {
    let days = || catalog.entries().iter().map(|entry| entry.day);
    Some(Period { from: days().min()?, to: days().max()? })
}

/// Valence of an entry's mood; `None` without a mood from the word lists.
pub fn valence_of(entry: &CatalogEntry) -> Option<f32> {
    valence(entry.mood.as_deref()?)
}

/// The mean valence of each day, with the number of moods.
pub fn valences(catalog: &Catalog, period: Period) -> BTreeMap<civil::Date, (f32, u32)> {
    let mut days: BTreeMap<civil::Date, (f32, u32)> = BTreeMap::new();
    for entry in catalog.days(period.from, period.to) {
        if let Some(valence) = valence_of(entry) {
            let (sum, n) = days.entry(entry.day).or_default();
            *sum += valence;
            *n += 1;
        }
    }
    days.values_mut().for_each(|(sum, n)| *sum /= *n as f32);
    days
}

/// The days with entries in a period.
pub fn days(catalog: &Catalog, period: Period) -> BTreeSet<civil::Date> {
    catalog.days(period.from, period.to).map(|entry| entry.day).collect()
}

/// The calendar of the days with entries in a period that are `meant`.
pub fn calendar(catalog: &Catalog, period: Period, meant: impl Fn(civil::Date) -> bool) -> Calendar {
    let mut written: BTreeMap<civil::Date, (u32, u32)> = BTreeMap::new();
    for entry in catalog.days(period.from, period.to).filter(|entry| meant(entry.day)) {
        let (entries, words) = written.entry(entry.day).or_default();
        *entries += 1;
        *words += entry.words;
    }
    Calendar::new(written.keys().copied().collect(), |day| written[&day])
}
