//! Graph neighbours of an entity: entities mentioned in the same entries.

use std::collections::HashMap;

use super::{EntityRef, view::GraphView};

impl GraphView {
    /// The entities that stand in the same entries, with how many, most first, then by rank in [`GraphView::entities`].
    /// Costs the entity's entries times their mentions.
    pub fn neighbours(&self, entity: EntityRef) -> Vec<(EntityRef, u32)> {
        let mut counts: HashMap<EntityRef, u32> = HashMap::new();
        for row in self.posting(entity) {
            let mentions = self.row_mentions(*row);
            for (at, (other, _)) in mentions.iter().enumerate() {
                let again = mentions[..at].iter().any(|(earlier, _)| earlier == other);
                if *other != entity && !again {
                    *counts.entry(*other).or_default() += 1;
                }
            }
        }
        let mut counts: Vec<(EntityRef, u32)> = counts.into_iter().collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts
    }
}
