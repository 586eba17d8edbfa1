//! Counts by day: presence of an entity, co-occurrence, and stated relations of each kind.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use jiff::civil;

use super::{
    Edge, EntityRef, Evidence,
    view::{GraphView, Row},
};
use crate::{index::EntryKey, journal::RelationKind};

impl Edge {
    /// Whether two edges differ only in their verb.
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.source, self.target, self.kind) == (other.source, other.target, other.kind)
    }
}

/// Statements without repetitions, from the entry, the span and the words of the cause of each: a mark and the
/// sentence below it are one statement, and so is a cause that is read twice.
pub fn statements<'a, T>(said: impl IntoIterator<Item = (EntryKey, &'a Range<u32>, &'a Range<u32>, T)>) -> Vec<T> {
    let mut told: BTreeMap<EntryKey, BTreeMap<(bool, u32), T>> = BTreeMap::new();
    for (entry, span, cause, said) in said {
        let is_mark = cause.is_empty();
        let start = if is_mark { span.start } else { cause.start };
        told.entry(entry).or_default().entry((is_mark, start)).or_insert(said);
    }
    for causes in told.values_mut() {
        if causes.keys().any(|(is_mark, _)| !is_mark) {
            causes.retain(|(is_mark, _), _| !*is_mark);
        }
    }
    told.into_values().flat_map(BTreeMap::into_values).collect()
}

/// See [`statements`].
pub fn distinct<'a>(evidence: impl IntoIterator<Item = &'a Evidence>) -> Vec<&'a Evidence> {
    statements(evidence.into_iter().map(|said| (said.entry, &said.span, &said.cause, said)))
}

impl GraphView {
    /// The days from `first` to `last` on which an entity is mentioned, ascending.
    pub fn days_with(&self, entity: EntityRef, first: civil::Date, last: civil::Date) -> Vec<civil::Date> {
        let mut days: Vec<civil::Date> =
            self.entries_with(entity, first, last).into_iter().map(|(day, _)| day).collect();
        days.dedup();
        days
    }

    /// Number of days on which both are mentioned, not necessarily in the same entry.
    pub fn days_with_both(&self, one: EntityRef, other: EntityRef) -> usize {
        let whole = |entity| self.days_with(entity, civil::Date::MIN, civil::Date::MAX);
        let (ours, theirs) = (whole(one), whole(other));
        ours.iter().filter(|day| theirs.binary_search(day).is_ok()).count()
    }

    /// The entries of a period that mention an entity, oldest first, each with its day.
    pub fn entries_with(
        &self,
        entity: EntityRef,
        first: civil::Date,
        last: civil::Date,
    ) -> Vec<(civil::Date, EntryKey)> {
        let rows = self.rows_of(first, last);
        let posting = self.posting(entity);
        let start = posting.partition_point(|row| (*row as usize) < rows.start);
        let end = posting.partition_point(|row| (*row as usize) < rows.end);
        posting[start..end].iter().map(|row| self.rows[*row as usize]).collect()
    }

    /// The entities of a period with the number of days on which each is mentioned: most first, then by rank.
    pub fn present(&self, first: civil::Date, last: civil::Date) -> Vec<(EntityRef, u32)> {
        let mut counts: HashMap<EntityRef, (civil::Date, u32)> = HashMap::new();
        for row in self.rows_of(first, last) {
            let day = self.rows[row].0;
            for (entity, _) in self.row_mentions(row as Row) {
                match counts.get_mut(entity) {
                    Some((last, _)) if *last == day => {}
                    Some(known) => *known = (day, known.1 + 1),
                    None => drop(counts.insert(*entity, (day, 1))),
                }
            }
        }
        let mut counts: Vec<(EntityRef, u32)> = counts.into_iter().map(|(entity, (_, days))| (entity, days)).collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts
    }

    /// Stated relations of one kind with an entity as their target.
    pub fn edges_into(&self, entity: EntityRef, kind: RelationKind) -> Vec<Edge> {
        self.edges(entity).into_iter().filter(|edge| edge.target == entity && edge.kind == kind).collect()
    }

    /// Stated relations between two entities, in either direction.
    pub fn edges_between(&self, one: EntityRef, other: EntityRef) -> Vec<Edge> {
        let touches = |edge: &Edge, entity| edge.source == entity || edge.target == entity;
        self.edges(one).into_iter().filter(|edge| touches(edge, other)).collect()
    }

    /// The spans where an entry mentions an entity, in text order; an empty span stands for its head.
    pub fn spans(&self, entry: EntryKey, entity: EntityRef) -> Vec<Range<u32>> {
        let Some(row) = self.row_of.get(&entry) else { return Vec::new() };
        let here = self.row_mentions(*row).iter();
        here.filter(|(other, _)| *other == entity).map(|(_, span)| span.clone()).collect()
    }

    /// The latest entry that mentions both.
    pub fn latest_with_both(&self, one: EntityRef, other: EntityRef) -> Option<EntryKey> {
        let theirs = self.posting(other);
        let both = self.posting(one).iter().rev().find(|row| theirs.binary_search(row).is_ok())?;
        Some(self.rows[*both as usize].1)
    }

    fn rows_of(&self, first: civil::Date, last: civil::Date) -> Range<usize> {
        let start = self.rows.partition_point(|(day, _)| *day < first);
        start..self.rows.partition_point(|(day, _)| *day <= last).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::EntryId;

    #[test]
    fn a_mark_and_the_sentence_below_it_are_one_statement() {
        let [one, other] = ["a", "b"].map(|id| EntryKey::of(&EntryId::from(id)));
        let said = [
            (one, 0..12, 0..0),
            (one, 14..60, 30..40),
            (one, 14..60, 30..45),
            (one, 70..90, 80..85),
            (other, 5..9, 0..0),
        ];
        assert_eq!(statements(said.iter().map(|(entry, span, cause)| (*entry, span, cause, ()))).len(), 3);
    }
}
