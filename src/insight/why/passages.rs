//! Passages quoted with an answer: what the entries say around the subject. Something to read, never a claim.

use std::ops::Range;

use super::scene::Scene;
use crate::{
    index::EntryKey,
    insight::{Basis, Evidence, Result},
    search::Hit,
};

/// Passages of the entries that name the subject.
const MOST_OWN: usize = 4;
/// Passages in all, without those of the days before.
const MOST: usize = 6;

/// The passages of an answer, one of each entry: the `likeliest` to answer; those that name the subject, the newest first; then what
/// a search for the question finds (`hits`), the best first; then what was written `before`.
pub(super) fn passages(
    scene: &Scene<'_>,
    likeliest: Option<(EntryKey, Range<usize>)>,
    hits: &[Hit],
    before: Vec<Evidence>,
) -> Result<Vec<Evidence>> {
    let mut passages: Vec<Evidence> = Vec::new();
    if let Some((key, place)) = likeliest {
        add(&mut passages, scene.quotes.passage(key, place)?);
    }
    for key in newest(scene) {
        if passages.len() == MOST_OWN {
            break;
        }
        add(&mut passages, own(scene, key)?);
    }
    for hit in hits {
        if passages.len() == MOST {
            break;
        }
        let place = hit.matches.iter().find(|at| hit.snippet.start <= at.start && at.end <= hit.snippet.end);
        let place = place.cloned().unwrap_or_else(|| hit.place());
        add(&mut passages, scene.quotes.passage(hit.key, place)?);
    }
    before.into_iter().for_each(|said| add(&mut passages, Some(said)));
    Ok(passages)
}

/// The entries that name the subject, or of the days asked about; none where a search found it or the question says
/// more, whose best hits come first.
fn newest(scene: &Scene<'_>) -> impl Iterator<Item = EntryKey> {
    let target = scene.target;
    let is_searched = target.is_found && !target.is_days || target.is_unmet;
    let entries = if is_searched { &[] } else { target.entries.as_slice() };
    entries.iter().rev().map(|(_, key)| *key)
}

/// What an entry says where it names the subject, if possible beside what the question names too; its opening where
/// the question is about its day.
fn own(scene: &Scene<'_>, key: EntryKey) -> Result<Option<Evidence>> {
    let graph = &scene.snapshot.graph;
    let named = scene.target.entities.iter().find(|entity| !graph.spans(key, **entity).is_empty());
    match named {
        Some(entity) => scene.quotes.passage_naming(key, *entity, &scene.target.about),
        None if scene.target.is_days => scene.quotes.opening(key, Basis::Inferred),
        None => Ok(None),
    }
}

fn add(passages: &mut Vec<Evidence>, said: Option<Evidence>) {
    passages.extend(said.filter(|said| !passages.iter().any(|known| known.id == said.id)));
}
