//! The user's verdicts on relations, and entities to be kept apart.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::EntityRef;
use crate::{index::EntryKey, journal::RelationKind};

/// The user's decision on a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judgement {
    Accepted,
    /// The relation is no edge, and must not be inferred.
    Rejected,
}

/// Judgements by source, target and kind: on the relation as a whole, and on single entries' statements.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Verdicts {
    relations: HashMap<(EntityRef, EntityRef, RelationKind), Judged>,
    apart: HashSet<(EntityRef, EntityRef)>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Judged {
    whole: Option<Judgement>,
    of_entry: HashMap<EntryKey, Judgement>,
}

impl Verdicts {
    /// Of two judgements on the same relation (two machines may disagree) the rejection wins: showing nothing is
    /// better than showing something wrong.
    pub fn judge(
        &mut self,
        source: EntityRef,
        target: EntityRef,
        kind: RelationKind,
        entry: Option<EntryKey>,
        judgement: Judgement,
    ) {
        let judged = self.relations.entry((source, target, kind)).or_default();
        let place = match entry {
            None => judged.whole.get_or_insert(judgement),
            Some(entry) => judged.of_entry.entry(entry).or_insert(judgement),
        };
        if judgement == Judgement::Rejected {
            *place = judgement;
        }
    }

    pub fn keep_apart(&mut self, a: EntityRef, b: EntityRef) {
        if a != b {
            self.apart.insert((a.min(b), a.max(b)));
        }
    }

    /// The judgement on one entry's statement takes precedence over that on the relation.
    pub fn of(
        &self,
        source: EntityRef,
        target: EntityRef,
        kind: RelationKind,
        entry: Option<EntryKey>,
    ) -> Option<Judgement> {
        let judged = self.relations.get(&(source, target, kind))?;
        entry.and_then(|entry| judged.of_entry.get(&entry).copied()).or(judged.whole)
    }

    /// Whether there are no judgements on relations.
    pub fn judge_nothing(&self) -> bool {
        self.relations.is_empty()
    }

    pub fn are_apart(&self, a: EntityRef, b: EntityRef) -> bool {
        self.apart.contains(&(a.min(b), a.max(b)))
    }
}
