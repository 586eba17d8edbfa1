//! Counts over all mentions, updated incrementally: a changed entry is subtracted and added again, and only entries
//! with a name whose votes changed are counted anew.
//!
//! The state is a pure function of the set of entries: [`MentionCounts::follow`] gives the same result as
//! [`MentionCounts::of`].

use std::{borrow::Cow, cmp::Reverse, collections::BTreeMap};

use jiff::civil;
use serde::{Deserialize, Serialize};

use super::{
    IdentityId, KINDS, Names, Slot,
    assign::{Assigned, assign},
    extracts::Extracts,
    interned::InternedExtract,
    rowed::{Rowed, Step},
    stated::{Statement, statements},
    votes::{Change, Tally, Unusual, Votes, tally, votes},
};
use crate::{
    extract::MentionSource,
    index::{EntryKey, catalog::KeyMap},
};

/// The sort key of rows: by day, then by descending key.
pub(super) type Place = (civil::Date, Reverse<EntryKey>);

/// Mention counts of a name of one kind.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Mentioned {
    pub all: u32,
    /// By `@`, `[[Name]]` or a field.
    pub marked: u32,
    /// By anything but a tag.
    pub untagged: u32,
    /// By more than an ordinary word.
    pub named: u32,
    /// By anything but a whole clause.
    pub unclaused: u32,
}

/// Counts of one spelling of a name of one kind.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Spelled {
    pub all: u32,
    /// Where the capital is not due to the start of a sentence.
    pub certain: u32,
    /// By more than an ordinary word.
    pub named: u32,
}

/// See the module header. Columns are ordered by row, counts are indexed by name id.
#[derive(Debug, Clone, Default)]
pub(super) struct MentionCounts {
    pub rows: Vec<Place>,
    /// The name of every mention, whether it counts or not.
    pub said: Rowed<IdentityId>,
    /// Slot, start and end of every mention that counts, in text order.
    pub mentions: Rowed<[u32; 3]>,
    pub statements: Rowed<Statement>,
    pub tallies: Vec<Tally>,
    pub unusual: Vec<Unusual>,
    pub votes: Vec<Votes>,
    /// By slot.
    pub mentioned: Vec<Mentioned>,
    /// By `spelling * KINDS + kind`.
    pub spelled: Vec<Spelled>,
}

/// New rows, and the steps that merge them with the old ones.
#[derive(Default)]
struct Patch {
    steps: Vec<Step>,
    rows: Vec<Place>,
    said: Rowed<IdentityId>,
    mentions: Rowed<[u32; 3]>,
    statements: Rowed<Statement>,
}

impl MentionCounts {
    /// Counts all entries: linear in the mentions.
    pub fn of(names: &Names, entries: &Extracts) -> Self {
        let mut mention_counts = Self::default();
        mention_counts.make_room(names);
        let dated = entries.dated().filter_map(|(day, key)| Some(((day, Reverse(key)), entries.get(key)?)));
        let mut rows: Vec<(Place, Cow<'_, InternedExtract>)> = dated.collect();
        // Their order in memory is mostly the same.
        rows.sort_unstable_by_key(|(place, _)| *place);
        for (_, held) in &rows {
            tally(&mut mention_counts.tallies, names, &held.mentions, Change::Comes);
        }
        mention_counts.votes = votes(&mention_counts.tallies, &mention_counts.unusual, names, entries.len());
        let mut all = Patch::default();
        rows.into_iter().for_each(|(place, held)| mention_counts.enter(names, place, &held, &mut all));
        let Patch { rows, said, mentions, statements, .. } = all;
        Self { rows, said, mentions, statements, ..mention_counts }
    }

    /// Whether saved counts are of these names.
    pub fn fits(&self, names: &Names) -> bool {
        self.tallies.len() == names.identities.len() && self.spelled.len() == names.spellings.len() * KINDS
    }

    /// Completes saved counts of this many entries.
    pub fn vote(&mut self, names: &Names, entries: usize) {
        self.make_room(names);
        self.votes = votes(&self.tallies, &self.unusual, names, entries);
    }

    /// Applies changes. `before`: the extract of each changed entry when this last matched `entries`, `None` for a
    /// new entry. Copies the columns, and counts entries again where the votes on one of their names changed.
    pub fn follow(&mut self, names: &Names, entries: &Extracts, before: &KeyMap<Option<InternedExtract>>) {
        self.make_room(names);
        let mut edits: BTreeMap<Place, Option<Cow<'_, InternedExtract>>> = BTreeMap::new();
        for (key, old) in before.iter().filter_map(|(key, old)| Some((*key, old.as_ref()?))) {
            tally(&mut self.tallies, names, &old.mentions, Change::Goes);
            self.leave(names, old);
            edits.insert(place(key, old), None);
        }
        for (key, new) in before.keys().filter_map(|key| Some((*key, entries.get(*key)?))) {
            tally(&mut self.tallies, names, &new.mentions, Change::Comes);
            edits.insert(place(key, &new), Some(new));
        }
        let votes = votes(&self.tallies, &self.unusual, names, entries.len());
        for row in self.rows_voted_otherwise(&votes) {
            let place = self.rows[row];
            if !edits.contains_key(&place)
                && let Some(held) = entries.get(place.1.0)
            {
                self.leave(names, &held);
                edits.insert(place, Some(held));
            }
        }
        self.votes = votes;
        let patch = self.patch(names, edits);
        self.rows = patched(&self.rows, &patch);
        self.said.patch(&patch.steps, &patch.said);
        self.mentions.patch(&patch.steps, &patch.mentions);
        self.statements.patch(&patch.steps, &patch.statements);
    }

    fn make_room(&mut self, names: &Names) {
        let known = self.unusual.len();
        self.unusual.extend(names.identities[known..].iter().map(|identity| Unusual::of(identity)));
        self.tallies.resize(names.identities.len(), Tally::default());
        self.mentioned.resize(names.identities.len() * KINDS, Mentioned::default());
        self.spelled.resize(names.spellings.len() * KINDS, Spelled::default());
    }

    /// The rows with a name whose votes changed. Names without old votes are in no row.
    fn rows_voted_otherwise(&self, votes: &[Votes]) -> Vec<usize> {
        let differs: Vec<bool> = votes.iter().zip(&self.votes).map(|(now, before)| now != before).collect();
        if !differs.contains(&true) {
            return Vec::new();
        }
        let rows = self.said.rows().enumerate();
        let touched = rows.filter(|(_, said)| said.iter().any(|identity| differs[*identity as usize]));
        touched.map(|(row, _)| row).collect()
    }

    fn patch(&mut self, names: &Names, edits: BTreeMap<Place, Option<Cow<'_, InternedExtract>>>) -> Patch {
        let mut patch = Patch::default();
        let mut next = 0;
        for (place, held) in edits {
            let row = self.rows.partition_point(|other| *other < place);
            patch.steps.push(Step::Keep(next..row));
            next = row + usize::from(self.rows.get(row) == Some(&place));
            if let Some(held) = held {
                patch.steps.push(Step::Put(patch.rows.len()));
                self.enter(names, place, &held, &mut patch);
            }
        }
        patch.steps.push(Step::Keep(next..self.rows.len()));
        patch
    }

    /// Counts an entry under the current votes, and adds its row.
    fn enter(&mut self, names: &Names, place: Place, held: &InternedExtract, to: &mut Patch) {
        let here = assign(names, &self.votes, held);
        self.count(&here, Change::Comes);
        to.rows.push(place);
        to.said.push_row(held.mentions.iter().map(|mention| names.identity_of(mention.name)));
        to.statements.push_row(statements(names, place.1.0, held, &here));
        to.mentions.push_row(here.iter().map(|mention| [mention.slot as u32, mention.span.start, mention.span.end]));
    }

    /// Subtracts an entry, under the votes it was counted with.
    fn leave(&mut self, names: &Names, held: &InternedExtract) {
        self.count(&assign(names, &self.votes, held), Change::Goes);
    }

    fn count(&mut self, here: &[Assigned], change: Change) {
        use MentionSource::{At, Clause, Field, Link, Tag};
        for Assigned { slot, spelling, source, .. } in here {
            let mentioned = &mut self.mentioned[*slot];
            let spelled = &mut self.spelled[*spelling as usize * KINDS + *slot % KINDS];
            let count = |number: &mut u32, if_so: bool| {
                if if_so {
                    change.count(number);
                }
            };
            count(&mut mentioned.all, true);
            count(&mut mentioned.marked, matches!(source, At | Link | Field));
            count(&mut mentioned.untagged, *source != Tag);
            count(&mut mentioned.named, !source.is_ordinary());
            count(&mut mentioned.unclaused, *source != Clause);
            count(&mut spelled.all, true);
            count(&mut spelled.certain, !source.is_candidate());
            count(&mut spelled.named, !source.is_ordinary());
        }
    }

    /// Every statement, row by row. Entries with a hidden slot are read again, because a hidden slot cannot be an end
    /// of a statement.
    pub fn statements<'a>(
        &'a self,
        names: &Names,
        entries: &Extracts,
        is_hidden: impl Fn(Slot) -> bool,
    ) -> Cow<'a, [Statement]> {
        let hides = self.mentioned.iter().enumerate().any(|(slot, mentioned)| mentioned.all > 0 && is_hidden(slot));
        if !hides {
            return Cow::Borrowed(self.statements.all());
        }
        let mut shown = Vec::with_capacity(self.statements.all().len());
        for ((place, said), known) in self.rows.iter().zip(self.mentions.rows()).zip(self.statements.rows()) {
            let key = place.1.0;
            match said.iter().any(|[slot, ..]| is_hidden(*slot as Slot)).then(|| entries.get(key)).flatten() {
                None => shown.extend_from_slice(known),
                Some(held) => {
                    let mut here = assign(names, &self.votes, &held);
                    here.retain(|mention| !is_hidden(mention.slot));
                    shown.extend(statements(names, key, &held, &here));
                }
            }
        }
        Cow::Owned(shown)
    }
}

fn place(key: EntryKey, held: &InternedExtract) -> Place {
    (held.day, Reverse(key))
}

fn patched(rows: &[Place], patch: &Patch) -> Vec<Place> {
    let mut all = Vec::with_capacity(rows.len() + patch.rows.len());
    for step in &patch.steps {
        match step {
            Step::Keep(kept) => all.extend_from_slice(&rows[kept.clone()]),
            Step::Put(row) => all.push(patch.rows[*row]),
        }
    }
    all
}
