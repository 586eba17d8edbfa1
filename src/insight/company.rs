//! Whether two things share more days than accident gives.
//!
//! Of each candidate the days with both, with it only, with the target only and with neither are counted, for several lags: on
//! the same day, the day before, and so on. How unusual a table is, is Fisher's exact test, one-sided (Fisher, "Statistical
//! Methods for Research Workers", 1934): right for small n. A journal has many names, and among many some look unusual by
//! accident; and both names and feelings come in spells, so that days do not count as independent. Both are met by one rule, the
//! step-down-free minP bound of Westfall and Young ("Resampling-Based Multiple Testing", 1993): the target's days are moved
//! along the journal as a whole, forwards and mirrored, which keeps its spells and cuts its ties; the chance of a candidate is
//! the share of such moves in which any candidate at any lag looks at least as unusual.

use jiff::{ToSpan, civil};
use serde::Serialize;

/// A lag in days: from how many days before to how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Lag(pub u8, pub u8);

/// The lags that are tried. A cause counts when it is there up to three days before.
pub const LAGS: [Lag; 5] = [Lag(0, 0), Lag(1, 1), Lag(0, 1), Lag(0, 3), Lag(1, 3)];
pub const LONGEST_LAG: i32 = 3;
/// A thing of fewer days says nothing.
pub const FEWEST: u32 = 3;
/// How many moves of the target at most: enough to tell one in a hundred.
const MOST_MOVES: usize = 300;
/// Moves shorter than this still touch the same spells.
const SHORTEST_MOVE: usize = 5;
/// With fewer days a journal cannot be moved against itself often enough.
const FEWEST_DAYS: usize = 24;

/// Days counted by whether candidate and target are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Table {
    pub both: u32,
    pub cause_only: u32,
    pub target_only: u32,
    pub neither: u32,
}

/// What was found of one candidate, at the lag that speaks most for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Company {
    pub lag: Lag,
    pub table: Table,
    /// Fisher's one-sided probability of so many days with both or more, by accident, for this table alone.
    pub tail: f64,
    /// How often accident would make any candidate look like this; `None` where the days are too few to tell.
    pub chance: Option<f64>,
}

/// Days as bits, by their place among the days with entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Days(Vec<u64>);

impl Days {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Which of `days` (rising) are `marked`.
    pub fn marking(days: &[civil::Date], marked: impl Fn(civil::Date) -> bool) -> Self {
        let mut bits = Self::none(days.len());
        days.iter().enumerate().filter(|(_, day)| marked(**day)).for_each(|(at, _)| bits.set(at));
        bits
    }

    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn shared(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }
}

/// The days of `days` (rising) before which, within the lag, `there` (rising) has one.
pub fn reached(days: &[civil::Date], there: &[civil::Date], lag: Lag) -> Days {
    let mut bits = Days::none(days.len());
    for day in there {
        let first = day.saturating_add(i32::from(lag.0).days());
        let last = day.saturating_add(i32::from(lag.1).days());
        let start = days.partition_point(|day| *day < first);
        days[start..].iter().take_while(|day| **day <= last).enumerate().for_each(|(at, _)| bits.set(start + at));
    }
    bits
}

pub fn table(days: usize, target: &Days, there: &Days) -> Table {
    let both = target.shared(there);
    let (cause_only, target_only) = (there.count() - both, target.count() - both);
    Table { both, cause_only, target_only, neither: days as u32 - both - cause_only - target_only }
}

/// One candidate at one lag, ready to be counted against many moves of the target.
struct Trial {
    candidate: usize,
    lag: Lag,
    there: Days,
    /// By the number of days with both: Fisher's tail.
    tails: Vec<f64>,
}

/// Tests each candidate's days against the target's. `None` for a candidate on too few days for any lag. Costs the moves
/// times the candidates times the days, a bit each.
pub fn companies(
    days: &[civil::Date],
    target: &Days,
    candidates: &[Vec<civil::Date>],
    lags: &[Lag],
) -> Vec<Option<Company>> {
    let factorials = Factorials::up_to(days.len());
    let with_target = target.count();
    let mut trials = Vec::new();
    for (candidate, there) in candidates.iter().enumerate() {
        for lag in lags {
            let there = reached(days, there, *lag);
            let count = there.count();
            if count >= FEWEST && (count as usize) < days.len() {
                let tails = factorials.tails(days.len() as u32, with_target, count);
                trials.push(Trial { candidate, lag: *lag, there, tails });
            }
        }
    }
    let mut best: Vec<Option<Company>> = vec![None; candidates.len()];
    for trial in &trials {
        let table = table(days.len(), target, &trial.there);
        let tail = trial.tails[table.both as usize];
        let known = &mut best[trial.candidate];
        // A later lag must be clearly better: the first ones are the simpler reading.
        if known.is_none_or(|known| tail < known.tail / 2.0) {
            *known = Some(Company { lag: trial.lag, table, tail, chance: None });
        }
    }
    let least = least_tails(days.len(), target, &trials);
    for company in best.iter_mut().flatten().filter(|_| !least.is_empty()) {
        let as_unusual = least.iter().filter(|least| **least <= company.tail).count();
        company.chance = Some((1 + as_unusual) as f64 / (1 + least.len()) as f64);
    }
    best
}

/// For each move of the target, the least tail of any trial.
fn least_tails(days: usize, target: &Days, trials: &[Trial]) -> Vec<f64> {
    if days < FEWEST_DAYS {
        return Vec::new();
    }
    let spread = days - 2 * SHORTEST_MOVE;
    let each = spread.min(MOST_MOVES / 2);
    let forwards = (0..each).map(|at| (false, SHORTEST_MOVE + at * spread / each));
    let mirrored = (0..each).map(|at| (true, at * days / each));
    forwards
        .chain(mirrored)
        .map(|(mirror, by)| {
            let moved = moved(days, target, mirror, by);
            let tails = trials.iter().map(|trial| trial.tails[moved.shared(&trial.there) as usize]);
            tails.fold(1.0, f64::min)
        })
        .collect()
}

fn moved(days: usize, target: &Days, mirror: bool, by: usize) -> Days {
    let mut bits = Days::none(days);
    for at in (0..days).filter(|at| target.has(*at)) {
        let at = if mirror { days - 1 - at } else { at };
        bits.set((at + by) % days);
    }
    bits
}

/// Logarithms of factorials.
struct Factorials(Vec<f64>);

impl Factorials {
    fn up_to(n: usize) -> Self {
        let mut logs = vec![0.0; n + 1];
        for at in 1..=n {
            logs[at] = logs[at - 1] + (at as f64).ln();
        }
        Self(logs)
    }

    fn choose(&self, n: u32, k: u32) -> f64 {
        self.0[n as usize] - self.0[k as usize] - self.0[(n - k) as usize]
    }

    /// The hypergeometric probability of at least k days with both, for k from 0 to the most possible.
    fn tails(&self, days: u32, with_target: u32, there: u32) -> Vec<f64> {
        let most = with_target.min(there);
        let fewest = (with_target + there).saturating_sub(days);
        let whole = self.choose(days, there);
        let mut tails = vec![0.0; most as usize + 1];
        let mut sum = 0.0;
        for both in (0..=most).rev() {
            if both >= fewest {
                let ways = self.choose(with_target, both) + self.choose(days - with_target, there - both);
                sum += (ways - whole).exp();
            }
            tails[both as usize] = f64::min(sum, 1.0);
        }
        tails
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn days(count: i32) -> Vec<civil::Date> {
        (0..count).map(|at| date(2026, 1, 1).saturating_add(at.days())).collect()
    }

    #[test]
    fn the_tail_is_that_of_fishers_tea() {
        // A lady names four of four, and three of four, cups right of eight.
        let tails = Factorials::up_to(8).tails(8, 4, 4);
        assert!((tails[4] - 1.0 / 70.0).abs() < 1e-12 && (tails[3] - 17.0 / 70.0).abs() < 1e-12, "{tails:?}");
        assert!((tails[0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_lag_reaches_the_days_after() {
        let days = [date(2026, 1, 1), date(2026, 1, 2), date(2026, 1, 5), date(2026, 1, 6)];
        let there = [date(2026, 1, 1), date(2026, 1, 4)];
        let reached = |lag| (0..4).map(|at| u8::from(reached(&days, &there, lag).has(at))).collect::<Vec<_>>();
        assert_eq!(reached(Lag(0, 0)), [1, 0, 0, 0]);
        assert_eq!(reached(Lag(1, 1)), [0, 1, 1, 0]);
        assert_eq!(reached(Lag(0, 3)), [1, 1, 1, 1]);
    }

    #[test]
    fn the_lag_that_was_is_the_lag_that_is_found() {
        let days = days(80);
        let target = Days::marking(&days, |day| day.day() % 7 == 3);
        let before: Vec<_> = days.iter().copied().filter(|day| day.day() % 7 == 2 && day.day() < 29).collect();
        let found = companies(&days, &target, &[before], &LAGS)[0].unwrap();
        assert_eq!(found.lag, Lag(1, 1));
        assert_eq!(found.table.cause_only, 0);
    }

    #[test]
    fn too_few_days_give_no_chance() {
        let days = days(20);
        let target = Days::marking(&days, |day| day.day() <= 6);
        let found = companies(&days, &target, &[days[..6].to_vec()], &LAGS)[0].unwrap();
        assert!(found.tail < 1e-4 && found.chance.is_none(), "{found:?}");
    }

    proptest! {
        #[test]
        fn the_four_counts_are_all_days(marks in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..200)) {
            let days = days(marks.len() as i32);
            let there: Vec<_> = days.iter().zip(&marks).filter(|(_, mark)| mark.0).map(|(day, _)| *day).collect();
            let mut at = marks.iter().map(|mark| mark.1);
            let target = {
                let mut bits = Days::none(days.len());
                (0..days.len()).filter(|_| at.next() == Some(true)).for_each(|place| bits.set(place));
                bits
            };
            for lag in LAGS {
                let table = table(days.len(), &target, &reached(&days, &there, lag));
                prop_assert_eq!((table.both + table.cause_only + table.target_only + table.neither) as usize, days.len());
                prop_assert_eq!(table.both + table.target_only, target.count());
            }
            prop_assert_eq!(moved(days.len(), &target, true, 3).count(), target.count());
        }
    }
}
