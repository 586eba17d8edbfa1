use super::{Answer, Candidate, Context, Leg};
use crate::{
    index::IndexError,
    search::{HitLegs, LegShare, Legs},
};

/// By meaning.
pub struct Vector;

impl Leg for Vector {
    fn name(&self) -> &'static str {
        "meaning"
    }

    fn wanted(&self, legs: Legs) -> bool {
        legs.vector
    }

    /// Half of words: it finds what they miss (the same event in other words), but blurs names and numbers, and the best of
    /// its scores is stretched to 1 however far it is from the query. From 0.3 to 0.7 the judged journals change by a point;
    /// at 1 the footnotes of a diary, all names, lose nine.
    fn weight(&self, _: &Context<'_>) -> f32 {
        0.5
    }

    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>, IndexError> {
        let (Some(vectors), Some(query)) = (&context.snapshot.vectors, context.vector) else { return Ok(None) };
        let (hits, scan) = vectors.search(query, context.scope, context.limit);
        let candidates: Vec<_> = hits
            .into_iter()
            .map(|hit| Candidate {
                key: hit.key,
                score: hit.score,
                passage: Some(hit.span.start as usize..hit.span.end as usize),
                path: Vec::new(),
            })
            .collect();
        Ok(Some(Answer { total: candidates.len(), candidates, scan: Some(scan) }))
    }

    fn slot<'h>(&self, legs: &'h mut HitLegs) -> &'h mut Option<LegShare> {
        &mut legs.vector
    }
}
