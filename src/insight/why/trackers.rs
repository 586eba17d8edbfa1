//! What the writer measures (`sleep: 4`, `#run: 5km`) as what may have led to the subject: the days on which it was low or high
//! against the writer's own middle.
//!
//! Nobody states such a cause: it is inferred, with its counts. A day without a value says nothing: each measure is counted among
//! the days that have one only, so that it makes no difference when the writer cares to measure.

use std::collections::BTreeMap;

use jiff::{ToSpan, civil};

use super::{
    MOST_QUOTES, Measure, Scene, Side,
    target::{earlier, stems},
    words::number,
};
use crate::{
    extract::is_same_feeling,
    insight::{
        Course, Evidence, InsightError,
        company::{Calendar, Company, Days, FEWEST, Lag, Tried},
        daily,
    },
};

/// The most measures that are looked at, those of most days first.
const MOST_TRACKERS: usize = 12;
/// A cause that is measured works on the same day or the next.
const LAGS: [Lag; 2] = [Lag(0, 0), Lag(1, 1)];

/// Some days of a measure.
#[derive(Debug, Clone, PartialEq)]
struct Cut {
    side: Side,
    /// In words: `up to 5`, `above 7`.
    words: String,
    days: Vec<civil::Date>,
}

/// One measure at one lag: the days that have a value, and the cuts that are tried.
pub(super) struct Measured {
    name: String,
    lag: Lag,
    middle: f64,
    cuts: Vec<Cut>,
    calendar: Calendar,
    target: Days,
}

/// Every measure kept in the period, at each lag; none that is the subject itself, such as `stress: 7` of `stressed`.
pub(super) fn measured(scene: &Scene<'_>, lags: &[Lag]) -> Vec<Measured> {
    if scene.target.is_found {
        return Vec::new();
    }
    let mut values: Vec<(String, BTreeMap<civil::Date, f64>)> = values(scene).into_iter().collect();
    values.retain(|(name, _)| !is_subject(scene, name));
    values.sort_by(|(a, days_of_a), (b, days_of_b)| (days_of_b.len(), a).cmp(&(days_of_a.len(), b)));
    values.truncate(MOST_TRACKERS);
    let with_target = scene.target.days();
    let mut found = Vec::new();
    for (name, values) in &values {
        let Some(middle) = quantile(values.values().copied(), 0.5) else { continue };
        let first = earlier(scene.period.from, i32::from(LAGS[1].1));
        let there: BTreeMap<civil::Date, f64> =
            values.range(first..=scene.period.to).map(|(day, v)| (*day, *v)).collect();
        let cuts = cuts(&there, values);
        for lag in LAGS.into_iter().filter(|lag| !cuts.is_empty() && lags.contains(lag)) {
            let before = |day: civil::Date| day.saturating_sub(i32::from(lag.0).days());
            let days = scene.calendar.days.iter().copied().filter(|day| there.contains_key(&before(*day))).collect();
            let calendar = daily::some_days(&scene.snapshot.catalog, days);
            let target = Days::marking(&calendar.days, |day| with_target.contains(&day));
            found.push(Measured { name: name.clone(), lag, middle, cuts: cuts.clone(), calendar, target });
        }
    }
    found
}

/// A cut of one of the measures, by their places.
pub(super) type CutOf = (usize, usize);

/// The best cut and lag of each measure and side, out of what was judged of `measured`.
pub(super) fn best(
    measured: &[Measured],
    judged: impl Iterator<Item = Vec<Option<Company>>>,
) -> impl Iterator<Item = (Company, CutOf)> {
    let mut best: BTreeMap<(&str, Side), (Company, CutOf)> = BTreeMap::new();
    for (place, (measure, companies)) in measured.iter().zip(judged).enumerate() {
        for (nth, (cut, company)) in measure.cuts.iter().zip(companies).enumerate() {
            let Some(company) = company else { continue };
            let known = best.entry((&measure.name, cut.side)).or_insert((company, (place, nth)));
            if company.tail < known.0.tail {
                *known = (company, (place, nth));
            }
        }
    }
    best.into_values().collect::<Vec<_>>().into_iter()
}

impl Measured {
    pub fn tried(&self, course: &Course<'_>) -> Result<Tried, InsightError> {
        let candidates: Vec<Vec<civil::Date>> = self.cuts.iter().map(|cut| cut.days.clone()).collect();
        self.calendar.tried(&self.target, &candidates, &[self.lag], course)
    }

    /// How a cut is called, what it is of, and the entries with both, latest first.
    pub fn told(&self, scene: &Scene<'_>, cut: usize) -> Result<(String, Measure, Vec<Evidence>), InsightError> {
        let cut = &self.cuts[cut];
        let measure = Measure { tracker: self.name.clone(), side: cut.side, middle: self.middle };
        let with_target = scene.target.days();
        let mut evidence = Vec::new();
        for day in cut.days.iter().rev() {
            if evidence.len() >= MOST_QUOTES {
                break;
            }
            let after = day.saturating_add(i32::from(self.lag.0).days());
            let mut entries = scene.snapshot.catalog.day(*day);
            let kept = entries.find(|entry| entry.trackers.iter().any(|(name, _)| *name == self.name));
            if let Some(entry) = kept.filter(|_| with_target.contains(&after)) {
                evidence.extend(scene.quotes.beside_word(entry.key, &self.name, &scene.target.entities)?);
            }
        }
        Ok((format!("{} {}", self.name, cut.words), measure, evidence))
    }
}

/// Of each measure its mean on each day of the whole journal.
fn values(scene: &Scene<'_>) -> BTreeMap<String, BTreeMap<civil::Date, f64>> {
    let mut sums: BTreeMap<&str, BTreeMap<civil::Date, (f64, u32)>> = BTreeMap::new();
    for entry in scene.snapshot.catalog.entries() {
        for (name, value) in &entry.trackers {
            let (sum, n) = sums.entry(name).or_default().entry(entry.day).or_default();
            *sum += value;
            *n += 1;
        }
    }
    let mean = |(day, (sum, n)): (civil::Date, (f64, u32))| (day, sum / f64::from(n));
    sums.into_iter().map(|(name, days)| (name.to_owned(), days.into_iter().map(mean).collect())).collect()
}

/// Whether a measure is the subject by another name.
fn is_subject(scene: &Scene<'_>, name: &str) -> bool {
    let entities = || scene.target.entities.iter().chain(&scene.target.about);
    entities().any(|entity| {
        let own = &scene.snapshot.graph.entity(*entity).name;
        stems(own) == stems(name) || is_same_feeling(own, name)
    })
}

/// The days of the period below and above the middle of the whole journal, and those of its lowest and highest quarter.
fn cuts(there: &BTreeMap<civil::Date, f64>, whole: &BTreeMap<civil::Date, f64>) -> Vec<Cut> {
    let at = |share: f64| quantile(whole.values().copied(), share);
    let (Some(low), Some(middle), Some(high)) = (at(0.25), at(0.5), at(0.75)) else { return Vec::new() };
    let cut = |side, words: String, is: &dyn Fn(f64) -> bool| Cut {
        side,
        words,
        days: there.iter().filter(|(_, value)| is(**value)).map(|(day, _)| *day).collect(),
    };
    let mut cuts = vec![
        cut(Side::Low, format!("below {}", number(middle)), &|value| value < middle),
        cut(Side::High, format!("above {}", number(middle)), &|value| value > middle),
    ];
    // Where a quarter reaches the middle, the values hardly differ.
    if low < middle {
        cuts.push(cut(Side::Low, format!("up to {}", number(low)), &|value| value <= low));
    }
    if high > middle {
        cuts.push(cut(Side::High, format!("from {}", number(high)), &|value| value >= high));
    }
    cuts.retain(|cut| cut.days.len() >= FEWEST as usize);
    cuts
}

/// The value below which a share of them lies; of two in the middle the mean.
fn quantile(values: impl Iterator<Item = f64>, share: f64) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let place = share * values.len().checked_sub(1)? as f64;
    let (before, after) = (values[place.floor() as usize], values[place.ceil() as usize]);
    Some(if share == 0.5 { f64::midpoint(before, after) } else { before })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_quarters() {
        let of = |share| quantile([7.0, 4.0, 8.0, 6.0].into_iter(), share);
        assert_eq!((of(0.5), of(0.25), of(0.75)), (Some(6.5), Some(4.0), Some(7.0)));
        assert_eq!(quantile([].into_iter(), 0.5), None);
    }
}
