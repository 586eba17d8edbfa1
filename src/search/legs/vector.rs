use super::leg::{Answer, Candidate, Context, Leg, LegEvidence};
use crate::{
    index::{LegHealth, Result, Snapshot},
    search::{answer::Hit, leg_id::LegId},
};

const WEIGHT: f32 = 0.75;
/// The increase for a query that describes an event.
const TOLD: f32 = 1.75;

/// The vector leg: search by meaning.
pub struct Vector;

impl Leg for Vector {
    fn id(&self) -> LegId {
        LegId::Vector
    }

    fn health<'s>(&self, snapshot: &'s Snapshot) -> &'s LegHealth {
        &snapshot.vector_health
    }

    /// Less than words: it finds what they miss (the same event in other words), but represents names and numbers
    /// badly, and its best score is always scaled to 1, however far it is from the query. At .75 instead of .5
    /// recall@10 of a diary of the 1660s is .736 instead of .722, of conversations .815 instead of .812, of retold
    /// events .797 instead of .792; above .8 conversations get worse.
    ///
    /// A sentence model compares best if the query describes an event as an entry would: of retold events .861 are
    /// among the first ten with [`TOLD`], .844 without (nDCG@10 .756 and .723), of other sentences .943 and .931. From
    /// 1.5 to 2.5 it changes little. A table of word vectors gains nothing, because it reads no sentence.
    ///
    /// Where scores are absolute, only the second part is left: `run` adds the cosine of every candidate.
    fn weight(&self, context: &Context<'_>) -> f32 {
        if context.absolute { TOLD * context.tells } else { WEIGHT + TOLD * context.tells }
    }

    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>> {
        let (Some(vectors), Some(query)) = (&context.snapshot.vectors, context.vector) else { return Ok(None) };
        let (hits, scan) = vectors.search(query, context.scope, context.limit);
        let candidates = hits.into_iter().map(|hit| {
            let passage = Some(hit.span.start as usize..hit.span.end as usize);
            Candidate { passage, ..Candidate::new(hit.key, hit.score) }
        });
        let candidates: Vec<_> = candidates.collect();
        Ok(Some(Answer { total: candidates.len(), candidates, scan: Some(scan) }))
    }

    fn evidence<'h>(&self, hit: &'h Hit) -> LegEvidence<'h> {
        LegEvidence::Passage(hit.passage())
    }
}
