//! Trackers (`sleep: 4`, `#run: 5km`) as possible causes: days with a low or high value compared with the writer's
//! own median.
//!
//! Such a cause is never stated: it is inferred, with its counts. A day without a value is not counted, so that the
//! result does not depend on when the writer measures. The chance of each is computed among all measures, separately
//! from the names: with [`super::CLAIM`] for either, at most one answer in twenty-five claims a coincidence.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{ToSpan, civil};

use super::{
    answer::{MOST_QUOTES, Measure, Side, number},
    question_terms::stems,
    scene::Scene,
    target::earlier,
};
use crate::{
    extract::is_same_feeling,
    insight::{
        Evidence, ProgressReporter, Result,
        cooccurrence::{Calendar, Cooccurrence, Days, FEWEST, Lag, Tried},
    },
};

/// Maximum number of measures, those on the most days first.
const MOST_TRACKERS: usize = 12;
/// A measured cause has its effect on the same day or the next.
const LAGS: [Lag; 2] = [Lag(0, 0), Lag(1, 1)];

/// Days with low or high values of a measure.
#[derive(Debug, Clone, PartialEq)]
struct Cut {
    side: Side,
    /// As a text: `up to 5`, `above 7`.
    words: String,
    days: Vec<civil::Date>,
}

/// One measure at one lag: the days with a value, and the cuts to test.
pub(super) struct Measured {
    name: String,
    lag: Lag,
    middle: f64,
    cuts: Vec<Cut>,
    calendar: Calendar,
    target: Days,
}

/// Every measure recorded in the period, at each lag; without those that are the subject itself, such as `stress: 7`
/// of `stressed`.
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
        let mut sorted: Vec<f64> = values.values().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let Some(middle) = quantile(&sorted, 0.5) else { continue };
        let first = earlier(scene.period.from, i32::from(LAGS[1].1));
        let there: BTreeMap<civil::Date, f64> =
            values.range(first..=scene.period.to).map(|(day, v)| (*day, *v)).collect();
        let cuts = cuts(&there, &sorted, middle);
        for lag in LAGS.into_iter().filter(|lag| !cuts.is_empty() && lags.contains(lag)) {
            let before = |day: civil::Date| day.saturating_sub(i32::from(lag.0).days());
            let days = scene.calendar.days.iter().copied().filter(|day| there.contains_key(&before(*day))).collect();
            // A value in the head does not depend on the amount of writing.
            let calendar = Calendar::plain(days);
            let target = Days::marking(&calendar.days, |day| with_target.contains(&day));
            found.push(Measured { name: name.clone(), lag, middle, cuts: cuts.clone(), calendar, target });
        }
    }
    found
}

/// A measure and one of its cuts, by their positions.
pub(super) type CutOf = (usize, usize);

/// The best cut and lag of each measure and side, from the judged results of `measured`.
pub(super) fn best(
    measured: &[Measured],
    judged: impl Iterator<Item = Vec<Option<Cooccurrence>>>,
) -> impl Iterator<Item = (Cooccurrence, CutOf)> {
    let mut best: BTreeMap<(&str, Side), (Cooccurrence, CutOf)> = BTreeMap::new();
    for (place, (measure, companies)) in measured.iter().zip(judged).enumerate() {
        for (nth, (cut, company)) in measure.cuts.iter().zip(companies).enumerate() {
            let Some(company) = company else { continue };
            let known = best.entry((&measure.name, cut.side)).or_insert((company, (place, nth)));
            if company.tail < known.0.tail {
                *known = (company, (place, nth));
            }
        }
    }
    best.into_values()
}

impl Measured {
    pub fn tried(&self, progress: &ProgressReporter<'_>) -> Result<Tried> {
        let candidates: Vec<Vec<civil::Date>> = self.cuts.iter().map(|cut| cut.days.clone()).collect();
        self.calendar.tried(&self.target, &candidates, &[self.lag], progress)
    }

    /// The name of a cut, its measure, and the entries with both, latest first.
    pub fn measure_of(&self, scene: &Scene<'_>, cut: usize) -> Result<(String, Measure, Vec<Evidence>)> {
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
                evidence.extend(scene.quotes.quote_word(entry.key, &self.name, &scene.target.entities)?);
            }
        }
        Ok((format!("{} {}", self.name, cut.words), measure, evidence))
    }
}

/// The mean of each measure on each day of the whole journal.
fn values(scene: &Scene<'_>) -> BTreeMap<String, BTreeMap<civil::Date, f64>> {
    let mut sums: BTreeMap<&str, BTreeMap<civil::Date, (f64, u32)>> = BTreeMap::new();
    for entry in scene.snapshot.catalog.entries().iter() {
        for (name, value) in &entry.trackers {
            let (sum, n) = sums.entry(name).or_default().entry(entry.day).or_default();
            *sum += value;
            *n += 1;
        }
    }
    let mean = |(day, (sum, n)): (civil::Date, (f64, u32))| (day, sum / f64::from(n));
    sums.into_iter().map(|(name, days)| (name.to_owned(), days.into_iter().map(mean).collect())).collect()
}

/// Whether a measure is the subject under another name.
fn is_subject(scene: &Scene<'_>, name: &str) -> bool {
    let entities = || scene.target.entities.iter().chain(&scene.target.about);
    entities().any(|entity| {
        let own = &scene.snapshot.graph.entity(*entity).name;
        stems(own) == stems(name) || is_same_feeling(own, name)
    })
}

/// The days of the period with values below and above the median of the whole journal, and those of the lowest and
/// highest tenth, fifth and so on: the test decides which threshold fits best.
fn cuts(there: &BTreeMap<civil::Date, f64>, sorted: &[f64], middle: f64) -> Vec<Cut> {
    let cut = |side, words: String, is: &dyn Fn(f64) -> bool| Cut {
        side,
        words,
        days: there.iter().filter(|(_, value)| is(**value)).map(|(day, _)| *day).collect(),
    };
    let mut cuts = vec![
        cut(Side::Low, format!("below {}", number(middle)), &|value| value < middle),
        cut(Side::High, format!("above {}", number(middle)), &|value| value > middle),
    ];
    for share in [0.4, 0.3, 0.2, 0.1] {
        // Where a quantile reaches the median, the values hardly differ.
        if let Some(low) = quantile(sorted, share).filter(|low| *low < middle) {
            cuts.push(cut(Side::Low, format!("up to {}", number(low)), &|value| value <= low));
        }
        if let Some(high) = quantile(sorted, 1.0 - share).filter(|high| *high > middle) {
            cuts.push(cut(Side::High, format!("from {}", number(high)), &|value| value >= high));
        }
    }
    cuts.retain(|cut| cut.days.len() >= FEWEST as usize);
    // Of several cuts with the same days the first.
    let mut seen = BTreeSet::new();
    cuts.retain(|cut| seen.insert(cut.days.clone()));
    cuts
}

/// A quantile of the sorted `values`, interpolated.
fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let place = share * values.len().checked_sub(1)? as f64;
    let (before, after) = (values[place.floor() as usize], values[place.ceil() as usize]);
    Some(match share {
        0.5 => f64::midpoint(before, after),
        share if share < 0.5 => before,
        _ => after,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_ends() {
        let of = |share| quantile(&[4.0, 6.0, 7.0, 8.0], share);
        assert_eq!((of(0.5), of(0.25), of(0.75), of(0.1)), (Some(6.5), Some(4.0), Some(8.0), Some(4.0)));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn low_and_high_are_told_by_the_own_values() {
        let day = |at: i64| civil::date(2026, 1, 1).saturating_add(at.days());
        let days: BTreeMap<civil::Date, f64> = (0..20).map(|at| (day(at), if at < 4 { 4.0 } else { 7.0 })).collect();
        let sorted: Vec<f64> = [vec![4.0; 4], vec![7.0; 16]].concat();
        let cuts = cuts(&days, &sorted, 7.0);
        assert_eq!(cuts.len(), 1);
        assert_eq!((cuts[0].side, cuts[0].days.len()), (Side::Low, 4));
    }
}
