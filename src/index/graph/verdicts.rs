//! The user's verdicts on relations, and entities to be kept apart.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::EntityRef;
use crate::{index::EntryKey, journal::RelationKind};

/// The user's word on a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judgement {
    Accepted,
    /// It is no edge, and nothing may infer it.
    Rejected,
}

/// Judgements by source, target and kind; those on one entry's statement beside that on the relation as a whole.
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
    /// Of two words on the same thing (two machines may disagree) the rejection holds: better silent than wrong.
    pub fn judge(
        &mut self,
        source: EntityRef,
        target: EntityRef,
        kind: RelationKind,
        entry: Option<EntryKey>,
        accepted: bool,
    ) {
        let judged = self.relations.entry((source, target, kind)).or_default();
        let judgement = if accepted { Judgement::Accepted } else { Judgement::Rejected };
        let place = match entry {
            None => judged.whole.get_or_insert(judgement),
            Some(entry) => judged.of_entry.entry(entry).or_insert(judgement),
        };
        if !accepted {
            *place = judgement;
        }
    }

    pub fn keep_apart(&mut self, a: EntityRef, b: EntityRef) {
        if a != b {
            self.apart.insert((a.min(b), a.max(b)));
        }
    }

    /// A word on one entry's statement beats that on the whole.
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

    /// Whether nothing is said of any relation.
    pub fn judge_nothing(&self) -> bool {
        self.relations.is_empty()
    }

    pub fn are_apart(&self, a: EntityRef, b: EntityRef) -> bool {
        self.apart.contains(&(a.min(b), a.max(b)))
    }
}
