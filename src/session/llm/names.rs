//! The journal's own names that go along with a question.

use std::collections::HashSet;

use crate::{
    extract::{fold, llm::question::MOST_NAMES},
    index::{EntryKey, Snapshot},
    journal::EntityKind,
};

/// The most mentioned names, without feelings, and without those that stand only in entries that are kept back.
pub(super) fn names(snapshot: &Snapshot, kept_back: &[String]) -> Vec<String> {
    let graph = &snapshot.graph;
    let is_kept = |tag: &String| kept_back.iter().any(|kept| fold(kept) == fold(tag));
    let mut closed: HashSet<EntryKey> = HashSet::new();
    closed.extend(snapshot.catalog.entries().iter().filter(|entry| entry.tags.iter().any(is_kept)).map(|e| e.key));
    // Tags inside the text; words that are the same are counted with them, to be on the safe side.
    let tagged = kept_back.iter().flat_map(|tag| graph.by_name(tag)).flat_map(|entity| graph.entries(entity));
    closed.extend(tagged);
    let open = graph.entity_refs().filter(|entity| {
        let is_tag = is_kept(&graph.entity(*entity).name);
        let feels = graph.entity(*entity).kind == EntityKind::Emotion;
        !is_tag && !feels && graph.entries(*entity).iter().any(|entry| !closed.contains(entry))
    });
    open.take(MOST_NAMES).map(|entity| graph.entity(entity).name.clone()).collect()
}
