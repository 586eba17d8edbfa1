//! Execution of the legs of one search, and their results.

use super::{
    answer::SearchError,
    leg_id::{LegId, LegShare, Legs, PerLeg},
    legs::{self, Answer, Candidate, Context, Leg},
};
use crate::index::{EntryKey, catalog::KeyMap};

/// The result of a leg.
pub struct LegResult {
    pub leg: &'static dyn Leg,
    pub answer: Answer,
    /// The rank of each entry in the answer.
    rows: KeyMap<usize>,
}

impl LegResult {
    /// With its rank, from 1.
    pub fn candidate(&self, key: EntryKey) -> Option<(usize, &Candidate)> {
        self.rows.get(&key).map(|row| (row + 1, &self.answer.candidates[*row]))
    }
}

/// Runs the legs within the context's scope; `None` if the search was cancelled.
pub fn run(
    wanted: Legs,
    context: &Context<'_>,
    faults: &mut Vec<(LegId, SearchError)>,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<LegResult>> {
    let mut ran = Vec::new();
    for leg in wanted.iter().map(legs::leg) {
        if cancelled() {
            return None;
        }
        match leg.run(context) {
            Ok(Some(answer)) => {
                let rows = answer.candidates.iter().enumerate().map(|(row, one)| (one.key, row)).collect();
                ran.push(LegResult { leg, answer, rows });
            }
            Ok(None) => {}
            Err(error) => faults.push((leg.id(), error.into())),
        }
    }
    // The next step reads texts, which is wasted if the search was cancelled meanwhile.
    if cancelled() {
        return None;
    }
    ask_of_others(context, &mut ran);
    Some(ran)
}

/// Lets each leg score the entries that only other legs found, because each leg returns a limited number of candidates.
fn ask_of_others(context: &Context<'_>, ran: &mut [LegResult]) {
    let mut all: Vec<EntryKey> = ran.iter().flat_map(|ran| &ran.answer.candidates).map(|one| one.key).collect();
    all.sort_unstable();
    all.dedup();
    ask_of(context, ran, &all);
}

/// Lets each leg score these entries, each given once.
pub fn ask_of(context: &Context<'_>, ran: &mut [LegResult], keys: &[EntryKey]) {
    for ran in ran {
        let others: Vec<EntryKey> = keys.iter().copied().filter(|key| !ran.rows.contains_key(key)).collect();
        let mut more: Vec<Candidate> = ran.leg.of_others(context, &others).into_iter().flatten().collect();
        more.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        for candidate in more {
            ran.rows.insert(candidate.key, ran.answer.candidates.len());
            ran.answer.candidates.push(candidate);
        }
    }
}

/// The result of each leg for an entry.
pub fn shares(ran: &[LegResult], key: EntryKey) -> PerLeg<Option<LegShare>> {
    let mut shares = PerLeg::default();
    for ran in ran {
        shares[ran.leg.id()] = ran.candidate(key).map(|(rank, one)| LegShare { rank, score: one.score });
    }
    shares
}

/// How well an entry matches the words of the query: 1 for the best keyword hit, 0 for no match.
pub fn said(ran: &[LegResult]) -> impl Fn(EntryKey) -> f32 + '_ {
    let by_word = |key| shares(ran, key)[LegId::Keyword].map_or(0.0, |share| share.score);
    let firsts = ran.iter().filter_map(|ran| ran.answer.candidates.first());
    let best = firsts.map(|first| by_word(first.key)).fold(0.0, f32::max);
    move |key| if best > 0.0 { (by_word(key) / best).clamp(0.0, 1.0) } else { 0.0 }
}
