//! Significance of co-occurrence (Fisher's exact test).
//!
//! For each candidate this counts the days with both, with the candidate only, with the target only and with neither,
//! for several lags: the same day, the day before, and so on. Three effects produce co-occurrence without meaning,
//! and each is handled:
//!
//! * On a day with a lot of writing everything is mentioned. So days are also compared only with days of a similar amount
//!   of writing: Fisher's exact test, one-sided (Fisher, "Statistical Methods for Research Workers", 1934), which is exact
//!   for small n, is computed over all days, and again within classes of days and summed over them (Mantel and Haenszel,
//!   1959, in its exact form).
//! * A journal has many names, and among many some look unusual by chance.
//! * Names and feelings occur in runs, so that days are not independent.
//!
//! The last two are handled by the single-step minP bound of Westfall and Young ("Resampling-Based Multiple Testing",
//! 1993): the target's days are shifted along the journal, forwards and mirrored, which keeps runs and counts and
//! breaks every true association. The chance of a candidate is the share of such shifts in which any candidate at any
//! lag looks at least as unusual. A shift of the whole journal keeps runs intact; a shift within the classes keeps
//! the count of each class. The larger chance of the two counts, so a result must hold against both.

use jiff::{ToSpan, civil};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ProgressReporter, Result};

/// A lag in days: the range of days before the target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lag(pub u8, pub u8);

/// The lags that are tested. A cause counts if it occurs up to three days before.
pub const LAGS: [Lag; 5] = [Lag(0, 0), Lag(1, 1), Lag(0, 1), Lag(0, 3), Lag(1, 3)];
pub const LONGEST_LAG: i32 = 3;
/// Minimum number of days of a candidate.
pub const FEWEST: u32 = 3;
/// Maximum number of shifts of the target: enough for a chance of one in a hundred.
const MOST_MOVES: usize = 200;
/// Shorter shifts still overlap the same runs.
const SHORTEST_MOVE: usize = 5;
/// Minimum number of days: a shorter journal cannot be shifted often enough.
const FEWEST_DAYS: usize = 24;
/// Number of days in a class of similar amounts of writing.
const CLASS: usize = 20;
const MOST_CLASSES: usize = 30;
/// Smaller probabilities are left out of a distribution.
const NEGLIGIBLE: f64 = 1e-13;

/// Contingency table: days by presence of candidate and target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Table {
    pub both: u32,
    pub cause_only: u32,
    pub target_only: u32,
    pub neither: u32,
}

/// The result of one candidate, at its most significant lag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cooccurrence {
    pub lag: Lag,
    pub table: Table,
    /// The probability of at least this many days with both by chance, for this table alone: the larger of the two
    /// tests.
    pub tail: f64,
    /// The probability that any candidate looks like this by chance; `None` where there are too few days to tell.
    pub chance: Option<f64>,
}

/// A set of days as bits, by their position among the days with entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Days(Vec<u64>);

impl Days {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// The set of those `days` (ascending) that are `marked`.
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

/// The set of those `days` (ascending) that have a day of `there` (ascending) within the lag before them.
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

/// One candidate at one lag, prepared for many shifts of the target.
struct Trial {
    candidate: usize,
    lag: Lag,
    there: Days,
    /// Against all days, and against days with a similar amount of writing.
    tails: [Tails; 2],
}

/// The days of a journal, in classes by the amount of writing.
pub struct Calendar {
    /// Ascending.
    pub days: Vec<civil::Date>,
    /// Positions of days, ascending within each class.
    classes: Vec<Vec<usize>>,
}

/// The best result of each candidate of one calendar, and the distribution under shifts.
pub struct Tried {
    best: Vec<Option<(Cooccurrence, [f64; 2])>>,
    /// For each shift of the target, the smallest tail of any candidate, for each test.
    least: Vec<[f64; 2]>,
}

/// Computes the chance of every candidate among all candidates, in their order. The shifts of a calendar with fewer
/// shifts than others are repeated; the candidates of a calendar without any shifts get no chance.
pub fn judged(families: Vec<Tried>) -> Vec<Vec<Option<Cooccurrence>>> {
    let moves = families.iter().map(|tried| tried.least.len()).max().unwrap_or_default();
    let movable = || families.iter().map(|tried| &tried.least).filter(|least| !least.is_empty());
    let least: Vec<[f64; 2]> = (0..moves)
        .map(|nth| {
            movable().map(|least| least[nth % least.len()]).fold([1.0_f64; 2], |a, b| [a[0].min(b[0]), a[1].min(b[1])])
        })
        .collect();
    let chance = |tails: [f64; 2]| {
        let share = |test: usize| {
            let as_unusual = least.iter().filter(|least| least[test] <= tails[test]).count();
            (1 + as_unusual) as f64 / (1 + moves) as f64
        };
        f64::max(share(0), share(1))
    };
    let of_family = |tried: Tried| {
        let movable = !tried.least.is_empty();
        let judged = |(company, tails)| Cooccurrence { chance: movable.then(|| chance(tails)), ..company };
        tried.best.into_iter().map(|found| found.map(judged)).collect()
    };
    families.into_iter().map(of_family).collect()
}

/// Number of shifts of a target in so many days.
pub fn moves(days: usize) -> usize {
    if days < FEWEST_DAYS { 0 } else { 2 * (days - 2 * SHORTEST_MOVE).min(MOST_MOVES / 2) }
}

impl Calendar {
    /// `written`: number of entries and words of each day.
    pub fn new(days: Vec<civil::Date>, written: impl Fn(civil::Date) -> (u32, u32)) -> Self {
        let mut order: Vec<usize> = (0..days.len()).collect();
        order.sort_by_key(|at| (written(days[*at]), *at));
        let count = (days.len() / CLASS).clamp(1, MOST_CLASSES);
        let mut classes: Vec<Vec<usize>> = Vec::with_capacity(count);
        for class in 0..count {
            let mut places = order[class * days.len() / count..(class + 1) * days.len() / count].to_vec();
            places.sort_unstable();
            classes.push(places);
        }
        Self { days, classes }
    }

    /// A calendar with a single class, for values that do not depend on the amount of writing.
    pub fn plain(days: Vec<civil::Date>) -> Self {
        let classes = vec![(0..days.len()).collect()];
        Self { days, classes }
    }

    pub fn table(&self, target: &Days, there: &Days) -> Table {
        let both = target.shared(there);
        let (cause_only, target_only) = (there.count() - both, target.count() - both);
        Table { both, cause_only, target_only, neither: self.days.len() as u32 - both - cause_only - target_only }
    }

    /// Tests each candidate's days against the target's. `None` for a candidate with too few days at every lag. Costs
    /// shifts times candidates times days, one bit each.
    pub fn companies(
        &self,
        target: &Days,
        candidates: &[Vec<civil::Date>],
        lags: &[Lag],
        progress: &ProgressReporter<'_>,
    ) -> Result<Vec<Option<Cooccurrence>>> {
        let tried = self.tried(target, candidates, lags, progress)?;
        Ok(judged(vec![tried]).pop().unwrap_or_default())
    }

    /// Like [`Calendar::companies`], without chances: where the candidates of several calendars are in one answer,
    /// [`judged`] computes the chances among all of them.
    pub fn tried(
        &self,
        target: &Days,
        candidates: &[Vec<civil::Date>],
        lags: &[Lag],
        progress: &ProgressReporter<'_>,
    ) -> Result<Tried> {
        let days = &self.days;
        let factorials = Factorials::up_to(days.len());
        let with_target: Vec<u32> = self.counts(target);
        let mut trials = Vec::new();
        for (candidate, there) in candidates.iter().enumerate() {
            progress.at("counting days", candidate, candidates.len())?;
            for lag in lags {
                let there = reached(days, there, *lag);
                let count = there.count();
                if count >= FEWEST && (count as usize) < days.len() {
                    let plain = factorials.spread(days.len() as u32, target.count(), count).tails();
                    let tails = [plain, self.tails(&factorials, &with_target, &there)];
                    trials.push(Trial { candidate, lag: *lag, there, tails });
                }
            }
        }
        let mut best: Vec<Option<(Cooccurrence, [f64; 2])>> = vec![None; candidates.len()];
        for trial in &trials {
            let table = self.table(target, &trial.there);
            let tails = trial.tails.each_ref().map(|tails| tails.of(table.both));
            let tail = f64::max(tails[0], tails[1]);
            let known = &mut best[trial.candidate];
            // A later lag must be clearly better: the first ones are the simpler explanation.
            if known.is_none_or(|(known, _)| tail < known.tail / 2.0) {
                *known = Some((Cooccurrence { lag: trial.lag, table, tail, chance: None }, tails));
            }
        }
        let least = self.least_tails(target, &trials, progress)?;
        Ok(Tried { best, least })
    }

    /// Number of shifts of the target, half of them mirrored; the smallest possible chance is one in this number plus
    /// one. 0 where there are too few days.
    pub fn moves(&self) -> usize {
        moves(self.days.len())
    }

    /// Number of further days from which on the smallest possible chance is at most `chance`.
    pub fn days_missing(&self, chance: f64) -> usize {
        let days = self.days.len();
        (days..days + MOST_MOVES)
            .find(|days| chance * (1 + moves(*days)) as f64 >= 1.0)
            .map_or(0, |enough| enough - days)
    }

    /// Number of marked days in each class.
    fn counts(&self, marked: &Days) -> Vec<u32> {
        self.classes.iter().map(|class| class.iter().filter(|at| marked.has(**at)).count() as u32).collect()
    }

    /// The distribution of the days with both, if the target's days were drawn at random within each class.
    fn tails(&self, factorials: &Factorials, with_target: &[u32], there: &Days) -> Tails {
        let mut whole = Spread { from: 0, shares: vec![1.0] };
        for ((class, target), there) in self.classes.iter().zip(with_target).zip(self.counts(there)) {
            if *target > 0 && there > 0 {
                whole = whole.plus(&factorials.spread(class.len() as u32, *target, there));
            }
        }
        whole.tails()
    }

    /// For each shift of the target, the smallest tail of any trial, for each test.
    fn least_tails(&self, target: &Days, trials: &[Trial], progress: &ProgressReporter<'_>) -> Result<Vec<[f64; 2]>> {
        let days = self.days.len();
        let each = self.moves() / 2;
        if each == 0 {
            return Ok(Vec::new());
        }
        let spread = days - 2 * SHORTEST_MOVE;
        // Shifts the target's days as a whole.
        let plain = Self::plain(self.days.clone());
        let forwards = (0..each).map(|at| (false, SHORTEST_MOVE + at * spread / each));
        let mirrored = (0..each).map(|at| (true, at * days / each));
        forwards
            .chain(mirrored)
            .enumerate()
            .map(|(nth, (mirror, by))| {
                progress.at("testing for coincidence", nth, 2 * each)?;
                let moved = [plain.moved(target, mirror, by), self.moved(target, mirror, by)];
                let least = |test: usize| {
                    let tails = trials.iter().map(|trial| trial.tails[test].of(moved[test].shared(&trial.there)));
                    tails.fold(1.0, f64::min)
                };
                Ok([least(0), least(1)])
            })
            .collect()
    }

    /// The target's days shifted by about `by` days within each class, which keeps the count of each class.
    fn moved(&self, target: &Days, mirror: bool, by: usize) -> Days {
        let mut bits = Days::none(self.days.len());
        for class in &self.classes {
            let count = class.len();
            let by = (by * count).div_ceil(self.days.len());
            for at in (0..count).filter(|at| target.has(class[*at])) {
                let at = if mirror { count - 1 - at } else { at };
                bits.set(class[(at + by) % count]);
            }
        }
        bits
    }
}

/// The probability of each number of days, starting with `from`.
struct Spread {
    from: u32,
    shares: Vec<f64>,
}

impl Spread {
    /// The distribution of the sum of two.
    fn plus(&self, other: &Self) -> Self {
        let mut shares = vec![0.0; self.shares.len() + other.shares.len() - 1];
        for (at, share) in self.shares.iter().enumerate() {
            for (by, more) in other.shares.iter().enumerate() {
                shares[at + by] += share * more;
            }
        }
        Self { from: self.from + other.from, shares }.trimmed()
    }

    fn trimmed(self) -> Self {
        let tells = |share: &f64| *share > NEGLIGIBLE;
        let first = self.shares.iter().position(tells).unwrap_or(0);
        let last = self.shares.iter().rposition(tells).unwrap_or(0);
        Self { from: self.from + first as u32, shares: self.shares[first..=last].to_vec() }
    }

    fn tails(self) -> Tails {
        let mut tails = self.shares;
        for at in (1..tails.len()).rev() {
            tails[at - 1] += tails[at];
        }
        tails.iter_mut().for_each(|tail| *tail = tail.min(1.0));
        Tails { from: self.from, tails }
    }
}

/// The probability of at least a given number of days with both.
struct Tails {
    from: u32,
    tails: Vec<f64>,
}

impl Tails {
    fn of(&self, both: u32) -> f64 {
        let tail = |at| self.tails.get(at as usize).copied().unwrap_or(NEGLIGIBLE);
        both.checked_sub(self.from).map_or(1.0, tail)
    }
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

    /// The hypergeometric distribution of the days with both.
    fn spread(&self, days: u32, with_target: u32, there: u32) -> Spread {
        let fewest = (with_target + there).saturating_sub(days);
        let most = with_target.min(there);
        let whole = self.choose(days, there);
        let ways = |both| self.choose(with_target, both) + self.choose(days - with_target, there - both);
        Spread { from: fewest, shares: (fewest..=most).map(|both| (ways(both) - whole).exp()).collect() }.trimmed()
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

    /// Days with equal amounts of writing.
    fn even(days: Vec<civil::Date>) -> Calendar {
        Calendar::new(days, |_| (1, 50))
    }

    fn company(calendar: &Calendar, target: &Days, there: &[civil::Date], lags: &[Lag]) -> Cooccurrence {
        calendar.companies(target, &[there.to_vec()], lags, &ProgressReporter::WAITED_FOR).unwrap()[0].unwrap()
    }

    #[test]
    fn what_is_only_mentioned_on_days_of_much_writing_is_no_company() {
        let days = days(200);
        let much = |day: civil::Date| day.day() % 4 == 0;
        let target = Days::marking(&days, |day| much(day) && day.day() % 8 == 0);
        let there: Vec<_> = days.iter().copied().filter(|day| much(*day) && day.day() % 3 == 0).collect();
        let blind = company(&even(days.clone()), &target, &there, &[Lag(0, 0)]);
        let fair = Calendar::new(days, |day| (if much(day) { 9 } else { 1 }, 0));
        let fair = company(&fair, &target, &there, &[Lag(0, 0)]);
        assert!(blind.tail < 0.01 && fair.tail > 0.3, "{blind:?} {fair:?}");
    }

    #[test]
    fn the_tail_is_that_of_fishers_tea() {
        // Fisher's lady tasting tea: the chance of four of four, and of three of four, cups right of eight.
        let tails = Factorials::up_to(8).spread(8, 4, 4).tails();
        let near = |both, p: f64| (tails.of(both) - p).abs() < 1e-12;
        assert!(near(4, 1.0 / 70.0) && near(3, 17.0 / 70.0) && near(0, 1.0));
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
        let found = company(&even(days), &target, &before, &LAGS);
        assert_eq!(found.lag, Lag(1, 1));
        assert_eq!(found.table.cause_only, 0);
    }

    #[test]
    fn too_few_days_give_no_chance() {
        let days = days(20);
        let target = Days::marking(&days, |day| day.day() <= 6);
        let there = days[..6].to_vec();
        let found = company(&even(days), &target, &there, &LAGS);
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
            let calendar = Calendar::new(days, |day| (day.day() as u32 % 5, 0));
            for lag in LAGS {
                let table = calendar.table(&target, &reached(&calendar.days, &there, lag));
                prop_assert_eq!((table.both + table.cause_only + table.target_only + table.neither) as usize, marks.len());
                prop_assert_eq!(table.both + table.target_only, target.count());
            }
            let plain = Calendar::plain(calendar.days.clone());
            for by in 0..marks.len() {
                let within = calendar.moved(&target, by % 2 == 0, by);
                prop_assert_eq!(calendar.counts(&within), calendar.counts(&target));
                prop_assert_eq!(plain.moved(&target, by % 2 == 0, by).count(), target.count());
            }
        }
    }
}
