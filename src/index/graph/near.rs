//! Suggestions for a misspelt name.

use std::collections::HashMap;

use super::{EntityRef, folded_words, view::GraphView};
use crate::spelling::distance;

impl GraphView {
    /// The entities whose names are closest to the typed one: those that share a word with it, or differ in at most a
    /// third of its letters; closest first, then the most mentioned. Costs a pass over all names.
    pub fn near(&self, typed: &str, limit: usize) -> Vec<EntityRef> {
        let typed = folded(typed);
        let letters: Vec<char> = typed.chars().collect();
        let mut found: Vec<(usize, EntityRef)> = Vec::new();
        for (at, entity) in self.entities.iter().enumerate().filter(|(at, _)| !self.clauses[*at]) {
            let names = entity.names().map(|name| folded(name));
            let nearest = names.filter_map(|name| {
                let shares =
                    typed.split(' ').any(|word| word.chars().count() > 2 && name.split(' ').any(|own| own == word));
                let other: Vec<char> = name.chars().collect();
                let most = (letters.len().max(other.len()) / 3).max(1);
                let far = distance(&letters, &other, most);
                far.or(shares.then_some(most + 1))
            });
            found.extend(nearest.min().map(|far| (far, EntityRef(at as u32))));
        }
        found.sort_unstable();
        found.into_iter().take(limit).map(|(_, entity)| entity).collect()
    }
}

/// The words of a name without case and accents.
pub(super) fn folded(name: &str) -> String {
    folded_words(name).map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

/// The name, and every variant with one letter deleted: two names that share one of these differ in one letter.
pub(super) fn with_one_letter_less(name: &str) -> Vec<String> {
    let mut variants = vec![name.to_owned()];
    for (at, letter) in name.char_indices() {
        variants.push([&name[..at], &name[at + letter.len_utf8()..]].concat());
    }
    variants
}

/// Entities by their folded names.
pub(super) fn by_folded(view: &GraphView) -> HashMap<String, Vec<EntityRef>> {
    let mut known: HashMap<String, Vec<EntityRef>> = HashMap::new();
    for (at, entity) in view.entities.iter().enumerate().filter(|(at, _)| !view.clauses[*at]) {
        known.entry(folded(&entity.name)).or_default().push(EntityRef(at as u32));
    }
    known
}
