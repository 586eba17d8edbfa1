use super::{Answer, Candidate, Context, Leg};
use crate::{
    index::IndexError,
    search::{HitLegs, LegShare, Legs},
};

/// By word.
pub struct Keyword;

impl Leg for Keyword {
    fn name(&self) -> &'static str {
        "words"
    }

    fn wanted(&self, legs: Legs) -> bool {
        legs.keyword
    }

    /// The measure of the others.
    fn weight(&self, _: &Context<'_>) -> f32 {
        1.0
    }

    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>, IndexError> {
        let Context { snapshot, scope, keyword, limit, .. } = *context;
        let found = snapshot.keyword.find(keyword, scope, limit, snapshot.fresh.as_ref())?;
        let candidates = found
            .hits
            .into_iter()
            .map(|hit| Candidate { key: hit.key, score: hit.score, passage: None, path: Vec::new() })
            .collect();
        Ok(Some(Answer { candidates, total: found.total, scan: None }))
    }

    fn slot<'h>(&self, legs: &'h mut HitLegs) -> &'h mut Option<LegShare> {
        &mut legs.keyword
    }
}
