use super::leg::{Answer, Candidate, Context, Leg, LegEvidence};
use crate::{
    index::Result,
    search::{answer::Hit, fuse::Scale, leg_id::LegId, term_weights},
};

/// The BM25 score that counts 1 where scores are absolute, in units of the largest IDF of the journal. A question about
/// everyday life often shares no rare word with its answer: in a relative list its best chance match counts 1. From 1.25
/// to 2.2 the judged journals change by half a point.
const FULL: f32 = 1.8;
/// The reduction for a query that describes an event, which the entry tells in other words.
const TOLD: f32 = 0.5;

/// The keyword leg: search by word.
pub struct Keyword;

impl Leg for Keyword {
    fn id(&self) -> LegId {
        LegId::Keyword
    }

    /// The reference for the weights of the other legs.
    fn weight(&self, context: &Context<'_>) -> f32 {
        match context.absolute {
            true => {
                let entries = context.snapshot.catalog.entries().len() as f32;
                (1.0 - TOLD * context.tells) / (FULL * term_weights::idf(0.0, entries))
            }
            false => 1.0,
        }
    }

    fn scale(&self, context: &Context<'_>) -> Scale {
        if context.absolute { Scale::Share } else { Scale::Stretched }
    }

    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>> {
        let Context { snapshot, scope, keyword, limit, .. } = *context;
        let found = snapshot.keyword.find(keyword, scope, limit, snapshot.fresh.as_ref())?;
        let candidates = found.hits.iter().map(|hit| Candidate::new(hit.key, hit.score)).collect();
        Ok(Some(Answer { candidates, total: found.total, scan: None }))
    }

    fn evidence<'h>(&self, hit: &'h Hit) -> LegEvidence<'h> {
        LegEvidence::Words(&hit.reason.words)
    }
}
