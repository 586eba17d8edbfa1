//! Suggestions for a misspelt name.

use super::{EntityRef, folded, view::GraphView};
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
