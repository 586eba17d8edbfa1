use super::leg::{Answer, Candidate, Context, Leg, LegEvidence};
use crate::{
    index::{IndexError, LegHealth, Snapshot},
    search::{answer::Hit, leg_id::LegId},
};

/// The keyword leg: search by word.
pub struct Keyword;

impl Leg for Keyword {
    fn id(&self) -> LegId {
        LegId::Keyword
    }

    fn health<'s>(&self, snapshot: &'s Snapshot) -> &'s LegHealth {
        &snapshot.keyword_health
    }

    /// The reference for the weights of the other legs.
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

    fn evidence<'h>(&self, hit: &'h Hit) -> LegEvidence<'h> {
        LegEvidence::Words(&hit.reason.words)
    }
}
