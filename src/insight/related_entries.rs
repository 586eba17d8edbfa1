//! Entries related to a text: close in meaning, or with the same names.
//!
//! The text may be that of an entry, or one that is still being written. Nothing is claimed: every result is a quote.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use jiff::Zoned;

use super::{
    Basis, Evidence, Inputs, Result,
    quotes::Quotes,
    reflect::{is_by_meaning, passages, plain},
};
use crate::{
    index::{EntryKey, graph::EntityRef},
    journal::{EntityKind, EntryId},
    search::Search,
};

/// The longest passages of the text, which are searched for.
const MOST_PASSAGES: usize = 2;
/// Minimum number of words: a shorter passage is similar to too many others.
const FEWEST_WORDS: usize = 5;
const MOST_BY_MEANING: usize = 4;
const MOST_BY_NAMES: usize = 4;
/// Latest entries of each name that are considered.
const MOST_OF_NAME: usize = 200;

/// The related entries, each in one list only, the closest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RelatedEntries {
    pub by_meaning: Vec<Evidence>,
    pub by_names: Vec<SharedNames>,
}

/// An entry with names of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedNames {
    /// The rarest first.
    pub names: Vec<String>,
    pub said: Evidence,
}

/// Costs a search per passage, and the postings of the names. `own`: the entry of the text, which is not related to
/// itself. Without a model, only names are compared.
pub fn related_entries(inputs: &Inputs<'_>, text: &str, own: Option<&EntryId>, now: &Zoned) -> Result<RelatedEntries> {
    let snapshot = inputs.snapshot;
    inputs.progress.goes_on()?;
    let quotes = Quotes::of(snapshot);
    let own = own.and_then(|id| Some(snapshot.catalog.by_id(id)?.key));
    let mut seen: BTreeSet<EntryKey> = own.into_iter().collect();
    let mut by_meaning = Vec::new();
    for (key, span) in near(inputs, text, now)? {
        if by_meaning.len() < MOST_BY_MEANING && seen.insert(key) {
            by_meaning.extend(quotes.prose(key, span)?);
        }
    }
    let mut by_names = Vec::new();
    for (key, shared) in sharing(inputs, text)? {
        if by_names.len() < MOST_BY_NAMES && seen.insert(key) {
            let said = quotes.mention(key, shared[0], Basis::Inferred)?;
            let names = shared.iter().map(|entity| snapshot.graph.entity(*entity).name.clone()).collect();
            by_names.extend(said.map(|said| SharedNames { names, said }));
        }
    }
    Ok(RelatedEntries { by_meaning, by_names })
}

/// Entries close in meaning, with the passage that is, the closest first.
fn near(inputs: &Inputs<'_>, text: &str, now: &Zoned) -> Result<Vec<(EntryKey, std::ops::Range<usize>)>> {
    if inputs.encoder.is_none() {
        return Ok(Vec::new());
    }
    let mut asked = passages(text, FEWEST_WORDS);
    asked.sort_by_key(|(_, words)| Reverse(*words));
    let mut found = Vec::new();
    for (span, _) in asked.into_iter().take(MOST_PASSAGES) {
        let limit = MOST_BY_MEANING + 1;
        let search = Search::new(plain(&text[span]), limit, now.clone());
        let sure = inputs.hits(&search)?.into_iter().filter(|hit| !hit.weak && is_by_meaning(hit));
        found.extend(sure.map(|hit| (hit.score, hit.key, hit.place())));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(found.into_iter().map(|(_, key, span)| (key, span)).collect())
}

/// Entries that share names with the text: rare names weigh more, and of equal ones the latest comes first.
fn sharing(inputs: &Inputs<'_>, text: &str) -> Result<Vec<(EntryKey, Vec<EntityRef>)>> {
    let (graph, catalog) = (&inputs.snapshot.graph, &inputs.snapshot.catalog);
    let mut named: Vec<EntityRef> = graph.named_in(text).into_iter().map(|(entity, _)| entity).collect();
    named.retain(|entity| graph.entity(*entity).kind != EntityKind::Emotion);
    named.sort_unstable_by_key(|entity| (graph.entity(*entity).days, *entity));
    named.dedup();
    let mut shared: BTreeMap<EntryKey, Vec<EntityRef>> = BTreeMap::new();
    for entity in named {
        inputs.progress.goes_on()?;
        for key in graph.entries(entity).into_iter().rev().take(MOST_OF_NAME) {
            shared.entry(key).or_default().push(entity);
        }
    }
    let weight = |entities: &[EntityRef]| -> f32 {
        entities.iter().map(|entity| 1.0 / (2.0 + graph.entity(*entity).days as f32).ln()).sum()
    };
    let ranked = |(key, entities): (EntryKey, Vec<EntityRef>)| {
        (weight(&entities), catalog.by_key(key).map(|entry| entry.day), key, entities)
    };
    let mut found: Vec<_> = shared.into_iter().map(ranked).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    Ok(found.into_iter().map(|(_, _, key, entities)| (key, entities)).collect())
}
