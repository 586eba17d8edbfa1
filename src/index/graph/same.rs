//! Names that are merged automatically: a first name with the only full name that contains it, and the words for one
//! parent.
//!
//! Decided from all mentions only, so their order does not matter. Doubtful pairs stay separate and are proposed (see
//! `proposals`). A name that a note of the user mentions is left to the user, and a first name that is marked
//! (`@Anna`) stays an entity of its own.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Entity, NO_ENTITY, Names,
    curate::Curation,
    identities_of, identity,
    mention_counts::MentionCounts,
    name_forms::{self, is_double_name, marked, met},
};
use crate::{
    extract::{is_little_word, is_same_relative, is_title},
    journal::EntityKind,
};

/// A full name mentioned once does not explain a first name mentioned more than this many times, unless one entry has
/// both.
const MOST_OFTEN: u32 = 3;
/// The same limit where one entry has both: the title of a book is not a friend.
const MOST_OFTEN_TOGETHER: u32 = 20;
/// Maximum number of words of a full name.
const LONGEST: usize = 4;

/// Merges the entities that are certainly one; returns them in their final order, and the new entity of each slot.
/// Linear in names.
pub(super) fn joined(
    curation: &Curation,
    names: &Names,
    mention_counts: &MentionCounts,
    entities: Vec<Entity>,
    entity_of: Vec<u32>,
) -> (Vec<Entity>, Vec<u32>) {
    let curated = curation.identities();
    let free = |at: u32| !curated.contains(&identity(&entities[at as usize].name));
    let mut pairs = first_names(&entities, names, mention_counts, &entity_of);
    pairs.extend(relatives(&entities));
    pairs.retain(|(_, long)| free(*long) || entities[*long as usize].name.contains(' '));
    let mut forms = name_forms::pairs(&entities, mention_counts, &entity_of);
    forms.retain(|(_, long)| free(*long));
    forms.sort_unstable();
    pairs.extend(forms);
    pairs.extend(name_forms::unaccented(&entities, mention_counts, &entity_of));
    pairs.retain(|(short, _)| free(*short));
    if pairs.is_empty() {
        return (entities, entity_of);
    }
    let mut into: BTreeMap<u32, u32> = BTreeMap::new();
    for (short, long) in pairs {
        let long = end_of(&into, long);
        if short != long {
            into.entry(short).or_insert(long);
        }
    }
    let end = |at: u32| end_of(&into, at);
    let count = entities.len();
    let mut made: Vec<Option<Entity>> = entities.into_iter().map(Some).collect();
    for short in into.keys() {
        let other = made[*short as usize].take();
        let known = made[end(*short) as usize].as_mut();
        if let (Some(other), Some(entity)) = (other, known) {
            if entity.kind == EntityKind::Topic {
                entity.kind = other.kind;
            }
            entity.mentions += other.mentions;
            entity.aliases.push(other.name);
            entity.aliases.extend(other.aliases);
        }
    }
    let made = made.into_iter().zip(0..);
    let mut ordered: Vec<(u32, Entity)> = made.filter_map(|(entity, before)| Some((before, entity?))).collect();
    ordered.sort_by(|(_, a), (_, b)| a.by_rank(b));
    let mut place = vec![NO_ENTITY; count];
    for (now, (before, _)) in ordered.iter().enumerate() {
        place[*before as usize] = now as u32;
    }
    let entity_of =
        entity_of.into_iter().map(|at| if at == NO_ENTITY { NO_ENTITY } else { place[end(at) as usize] }).collect();
    (ordered.into_iter().map(|(_, entity)| entity).collect(), entity_of)
}

/// The entity with which one is merged at last; no chain of pairs is a circle.
fn end_of(into: &BTreeMap<u32, u32>, mut at: u32) -> u32 {
    while let Some(long) = into.get(&at) {
        at = *long;
    }
    at
}

/// Each first name of a person with the only full name that contains it.
fn first_names(
    entities: &[Entity],
    names: &Names,
    mention_counts: &MentionCounts,
    entity_of: &[u32],
) -> Vec<(u32, u32)> {
    let identity_of = identities_of(entity_of, entities.len());
    let mut short: HashMap<&str, u32> = HashMap::new();
    // A name of several kinds is not one person's.
    let mut others: HashSet<&str> = HashSet::new();
    let mut long: HashMap<String, Vec<u32>> = HashMap::new();
    for (at, entity) in entities.iter().enumerate() {
        let name = &*names.identities[identity_of[at] as usize];
        match (entity.name.contains(' '), entity.kind) {
            (false, EntityKind::Person) => drop(short.insert(name, at as u32)),
            (false, _) => drop(others.insert(name)),
            (true, EntityKind::Person) => {
                let words: Vec<&str> = entity.name.split(' ').collect();
                let called = if is_full_name(&words) { callable(&words) } else { Vec::new() };
                // Its first word may be of several names: `Nam Định`, `Nam Giao`.
                if called.is_empty() && is_full_name(&words) {
                    long.entry(identity(words[0])).or_default().extend([NO_ENTITY; 2]);
                }
                for word in called {
                    long.entry(identity(word)).or_default().push(at as u32);
                }
            }
            (true, _) => {}
        }
    }
    let candidates: Vec<(u32, u32)> = short
        .into_iter()
        .filter(|(name, _)| !others.contains(name))
        .filter_map(|(name, short)| match long.get(name).map(Vec::as_slice) {
            Some([only]) => Some((short, *only)),
            _ => None,
        })
        .collect();
    if candidates.is_empty() {
        return candidates;
    }
    let marked = marked(mention_counts, entity_of);
    let at_most = |(short, long): &(u32, u32), most: u32| {
        entities[*short as usize].mentions <= entities[*long as usize].mentions.saturating_mul(most)
    };
    let (sure, rest): (Vec<_>, Vec<_>) =
        candidates.into_iter().filter(|(short, _)| !marked.contains(short)).partition(|pair| at_most(pair, MOST_OFTEN));
    let doubtful: Vec<_> = rest.into_iter().filter(|pair| at_most(pair, MOST_OFTEN_TOGETHER)).collect();
    let (_, together) = met(doubtful.iter(), mention_counts, entity_of);
    sure.into_iter().chain(together.into_keys()).collect()
}

/// `Anna Berg`, `Hùng Nguyễn`: two to four words, none of them an initial, a number or a small word.
fn is_full_name(words: &[&str]) -> bool {
    let part = |word: &&str| {
        word.chars().count() > 1
            && word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
            && !word.contains('.')
            && !is_little_word(word)
    };
    (2..=LONGEST).contains(&words.len()) && words.iter().all(part)
}

/// The word by which a person is called: the first one; in Vietnamese names, where the family name comes first, the
/// last.
fn callable<'a>(words: &[&'a str]) -> Vec<&'a str> {
    const FAMILIES: [&str; 14] =
        ["nguyễn", "trần", "lê", "phạm", "hoàng", "huỳnh", "phan", "vũ", "võ", "đặng", "bùi", "đỗ", "ngô", "dương"];
    let first = words.first().copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    match () {
        () if FAMILIES.contains(&identity(first).as_str()) => vec![last],
        // See `name_forms`: the first word of `Hà My` or `Út Mận` is no name of a person.
        () if is_title(&identity(first)) || is_double_name(&words.join(" ")) => Vec::new(),
        () => vec![first],
    }
}

/// The words for one parent (`Mom`, `my mother`), each with the most frequent of them.
fn relatives(entities: &[Entity]) -> Vec<(u32, u32)> {
    let people = || entities.iter().enumerate().filter(|(_, entity)| entity.kind == EntityKind::Person);
    let mut pairs = Vec::new();
    let mut heads: Vec<(u32, &str)> = Vec::new();
    // Most mentioned first: the first word found is the one that is kept.
    for (at, entity) in people() {
        if entity.name.contains(' ') || !is_same_relative(&entity.name, &entity.name) {
            continue;
        }
        match heads.iter().find(|(_, name)| is_same_relative(name, &entity.name)) {
            Some((head, _)) => pairs.push((at as u32, *head)),
            None => heads.push((at as u32, &entity.name)),
        }
    }
    pairs
}
