//! Statistics per day from the catalog: moods as numbers, words, first and last day.

use std::collections::BTreeMap;

use jiff::civil;

use super::{Period, cooccurrence::Calendar};
use crate::{
    extract::valence,
    index::{Catalog, CatalogEntry},
};

/// From the first day of a journal to the last; `None` for an empty one.
pub fn whole(catalog: &Catalog) -> Option<Period> {
    let days = || catalog.entries().iter().map(|entry| entry.day);
    Some(Period { from: days().min()?, to: days().max()? })
}

/// How pleasant an entry's mood is; `None` without one that the lists know.
pub fn valence_of(entry: &CatalogEntry) -> Option<f32> {
    valence(entry.mood.as_deref()?)
}

/// The mean of the known moods of each day, with how many there are.
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

/// The days of a period with entries, with how much was written on each.
pub fn calendar(catalog: &Catalog, period: Period) -> Calendar {
    let mut written: BTreeMap<civil::Date, (u32, u32)> = BTreeMap::new();
    for entry in catalog.days(period.from, period.to) {
        let (entries, words) = written.entry(entry.day).or_default();
        *entries += 1;
        *words += entry.words;
    }
    Calendar::new(written.keys().copied().collect(), |day| written[&day])
}

/// Some days of a calendar, with how much was written on each.
pub fn some_days(catalog: &Catalog, days: Vec<civil::Date>) -> Calendar {
    Calendar::new(days, |day| catalog.day(day).fold((0, 0), |(n, words), entry| (n + 1, words + entry.words)))
}
