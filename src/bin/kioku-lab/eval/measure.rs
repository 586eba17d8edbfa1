//! The measures of a ranked list, over the first ten: recall, reciprocal rank, discounted gain, precision.

use serde::Serialize;

/// The category that every answerable question is in.
pub const ALL: &str = "all";

/// The measures of one ranked list, or their means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scores {
    pub recall_5: f64,
    pub recall_10: f64,
    /// One through the place of the first answer, 0 where it is not in the first ten.
    pub mrr: f64,
    /// Gain 1 for an answer, divided by log2(place + 1), through the best that is possible (Järvelin and Kekäläinen 2002).
    pub ndcg: f64,
    pub precision: f64,
    /// 1 where the first hit was said to be surely meant.
    pub sure: f64,
    /// [`Self::recall_10`] where the first hit was said to be surely meant, else 0: what is left to who reads no other answer.
    pub recall_sure: f64,
}

impl Scores {
    /// Of the ids found, best first; one that comes twice counts once.
    pub fn of(found: &[&str], relevant: &[String], confident: bool) -> Self {
        let mut seen: Vec<&str> = Vec::new();
        for id in found {
            if !seen.contains(id) {
                seen.push(id);
            }
        }
        let answers: Vec<usize> = seen
            .iter()
            .take(10)
            .enumerate()
            .filter(|(_, id)| relevant.iter().any(|r| r == *id))
            .map(|(at, _)| at + 1)
            .collect();
        let all = relevant.len().max(1) as f64;
        let within = |places: usize| answers.iter().filter(|place| **place <= places).count() as f64;
        let gain = |place: usize| 1.0 / ((place + 1) as f64).log2();
        let best: f64 = (1..=relevant.len().min(10)).map(gain).sum();
        Self {
            recall_5: within(5) / all,
            recall_10: within(10) / all,
            mrr: answers.first().map_or(0.0, |place| 1.0 / *place as f64),
            ndcg: if best > 0.0 { answers.iter().map(|place| gain(*place)).sum::<f64>() / best } else { 0.0 },
            precision: within(10) / 10.0,
            sure: f64::from(u8::from(confident)),
            recall_sure: if confident { within(10) / all } else { 0.0 },
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            recall_5: self.recall_5 + other.recall_5,
            recall_10: self.recall_10 + other.recall_10,
            mrr: self.mrr + other.mrr,
            ndcg: self.ndcg + other.ndcg,
            precision: self.precision + other.precision,
            sure: self.sure + other.sure,
            recall_sure: self.recall_sure + other.recall_sure,
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            recall_5: self.recall_5 * factor,
            recall_10: self.recall_10 * factor,
            mrr: self.mrr * factor,
            ndcg: self.ndcg * factor,
            precision: self.precision * factor,
            sure: self.sure * factor,
            recall_sure: self.recall_sure * factor,
        }
    }
}

/// Scores gathered over several journals.
#[derive(Debug, Default)]
pub struct Means {
    /// By journal: the sum and how many.
    journals: std::collections::BTreeMap<usize, (Scores, usize)>,
    times: Vec<f64>,
}

impl Means {
    pub fn add(&mut self, journal: usize, scores: Scores, took_ms: f64) {
        let (sum, count) = self.journals.entry(journal).or_default();
        *sum = sum.plus(scores);
        *count += 1;
        self.times.push(took_ms);
    }

    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// The mean over the questions of each journal, then over the journals: a long journal weighs no more than a short one.
    pub fn macro_mean(&self) -> Scores {
        let means = self.journals.values().map(|(sum, count)| sum.times(1.0 / *count as f64));
        means.fold(Scores::default(), Scores::plus).times(1.0 / self.journals.len().max(1) as f64)
    }

    /// The time that this share of the questions did not exceed, in milliseconds.
    pub fn time(&self, share: f64) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        let at = (times.len() as f64 * share).ceil() as usize;
        times.get(at.saturating_sub(1)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relevant(ids: &[&str]) -> Vec<String> {
        ids.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_measures_are_those_of_the_books() {
        let scores = Scores::of(&["x", "a", "y", "a", "b"], &relevant(&["a", "b", "c", "d"]), true);
        assert_eq!((scores.recall_5, scores.recall_10, scores.mrr, scores.precision), (0.5, 0.5, 0.5, 0.2));
        // Places 2 and 4 (the second `a` does not count); the best would be places 1 to 4.
        let gain = |place: f64| 1.0 / (place + 1.0).log2();
        let expected = (gain(2.0) + gain(4.0)) / (gain(1.0) + gain(2.0) + gain(3.0) + gain(4.0));
        assert!((scores.ndcg - expected).abs() < 1e-12);
        assert_eq!(Scores::of(&[], &relevant(&["a"]), false), Scores::default());
        let left = |confident| Scores::of(&["a"], &relevant(&["a", "b"]), confident).recall_sure;
        assert_eq!((left(true), left(false)), (0.5, 0.0), "an answer that is not sure counts as none");
    }

    #[test]
    fn a_long_journal_weighs_no_more_than_a_short_one() {
        let mut means = Means::default();
        let hit = Scores::of(&["a"], &relevant(&["a"]), true);
        for took in 0..3 {
            means.add(0, hit, f64::from(took));
        }
        means.add(1, Scores::default(), 10.0);
        assert_eq!(means.macro_mean().recall_10, 0.5);
        assert_eq!((means.count(), means.time(0.5), means.time(0.99)), (4, 1.0, 10.0));
    }
}
