use super::{Answer, Candidate, Context, Leg};
use crate::{
    index::{EntryKey, IndexError},
    search::{HitLegs, LegShare, Legs, fuse::Scale},
};

/// The leg that ranks by words outweighs this one: on dialogue, where every entry names the same few people, an equal
/// third leg pushes what answers the query out of sight. At 0.3 the entries that bear the one name asked for as a tag come before
/// those that only say it (recall@10 of questions with several answers .44 to .47).
const COMMON: f32 = 0.3;
/// A name that few entries bear says what the query is about.
const RARE: f32 = 0.6;
/// A name on at most this share of the entries is rare,
const RARE_SHARE: f32 = 0.02;
/// and one on so few entries always is.
const RARE_MENTIONS: f32 = 3.0;

/// By connection.
pub struct Graph;

impl Leg for Graph {
    fn name(&self) -> &'static str {
        "connections"
    }

    fn wanted(&self, legs: Legs) -> bool {
        legs.graph
    }

    fn weight(&self, context: &Context<'_>) -> f32 {
        let graph = &context.snapshot.graph;
        let entries = context.snapshot.catalog.entries().len() as f32;
        let rare = (entries * RARE_SHARE).max(RARE_MENTIONS);
        let is_rare = context.seeds.iter().any(|seed| graph.entity(*seed).mentions as f32 <= rare);
        if is_rare { RARE } else { COMMON }
    }

    fn run(&self, context: &Context<'_>) -> Result<Option<Answer>, IndexError> {
        if context.seeds.is_empty() {
            return Ok(None);
        }
        let hits = context.snapshot.graph.search(context.seeds, context.scope, context.limit);
        let candidates: Vec<_> = hits
            .into_iter()
            .map(|hit| Candidate { key: hit.key, score: hit.score, passage: None, path: hit.path })
            .collect();
        Ok(Some(Answer { total: candidates.len(), candidates, scan: None }))
    }

    fn scale(&self) -> Scale {
        Scale::Share
    }

    fn of_others(&self, context: &Context<'_>, keys: &[EntryKey]) -> Vec<Option<Candidate>> {
        let direct = context.snapshot.graph.direct(context.seeds, keys);
        let candidate = |(key, found): (&EntryKey, Option<(f32, String)>)| {
            let (score, name) = found?;
            Some(Candidate { key: *key, score, passage: None, path: vec![name] })
        };
        keys.iter().zip(direct).map(candidate).collect()
    }

    fn slot<'h>(&self, legs: &'h mut HitLegs) -> &'h mut Option<LegShare> {
        &mut legs.graph
    }
}
