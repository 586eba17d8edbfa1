//! From all mentions to entities: a pure function of the set of entries, whatever order they came in.

use std::{cmp::Reverse, ops::Range, sync::Arc, thread};

use jiff::civil;
use petgraph::graph::Graph;

use super::{
    Entity, EntityRef,
    curate::{Curated, Curation, curated},
    lookup::Lookup,
    names::{IdentityId, Names, SpellingId},
    same::joined,
    stated::stated,
    store::Held,
    view::{GraphView, Row},
    votes::votes,
};
use crate::{
    extract::MentionSource,
    index::{EntryKey, catalog::KeyMap, end_of_thread},
    journal::EntityKind,
};

/// Places for kinds beside each name: a power of two, so that a slot is taken apart without a division.
pub(super) const KINDS: usize = EntityKind::ALL.len().next_power_of_two();
pub(super) const NOBODY: u32 = u32::MAX;

/// A name and a kind, before it is known who is an entity: `identity * KINDS + kind`.
pub(super) type Slot = usize;

/// The entries in the order of rows.
pub(super) type Rows<'a> = Vec<(EntryKey, &'a Held)>;

/// One mention, with all that is decided by.
pub(super) struct Said {
    pub identity: IdentityId,
    pub spelling: SpellingId,
    pub kind: Option<EntityKind>,
    pub guess: Option<EntityKind>,
    pub source: MentionSource,
    pub span: Range<u32>,
}

/// Every mention that counts, row by row.
pub(super) struct Assigned {
    pub row_starts: Vec<u32>,
    pub mentions: Vec<(Slot, SpellingId, MentionSource, Range<u32>)>,
}

impl Assigned {
    /// Keeps the mentions of some slots only.
    fn retain(&mut self, is_kept: impl Fn(Slot) -> bool) {
        let mut kept = 0;
        let mut row = 0;
        for at in 0..self.mentions.len() {
            while row < self.row_starts.len() && self.row_starts[row] as usize == at {
                self.row_starts[row] = kept as u32;
                row += 1;
            }
            if is_kept(self.mentions[at].0) {
                self.mentions.swap(kept, at);
                kept += 1;
            }
        }
        self.row_starts[row..].fill(kept as u32);
        self.mentions.truncate(kept);
    }
}

impl GraphView {
    /// Decides everything anew: linear in the mentions.
    pub(super) fn decide(names: &Names, entries: &KeyMap<Held>, curation: &Curation) -> Self {
        let mut ordered: Vec<_> = entries.iter().map(|(key, held)| (held.day, Reverse(*key), held)).collect();
        ordered.sort_unstable_by_key(|(day, key, _)| (*day, *key));
        let rows: Rows<'_> = ordered.into_iter().map(|(_, key, held)| (key.0, held)).collect();
        let mut assigned = assign(names, &rows);
        let (entities, entity_of) = entities(names, &rows, &assigned);
        let (entities, entity_of) = joined(curation, &assigned, entities, entity_of);
        let said = assigned.mentions.iter().map(|(slot, _, source, _)| (*slot, *source));
        let curated = curated(curation, names, entities, entity_of, said);
        let Curated { entities, entity_of, names: given, verdicts } = curated;
        assigned.retain(|slot| entity_of[slot] != NOBODY);
        let mentions: Vec<(EntityRef, Range<u32>)> =
            assigned.mentions.iter().map(|(slot, _, _, span)| (EntityRef(entity_of[*slot]), span.clone())).collect();
        let count = entities.len();
        // The edges take as long as all the rest.
        let (stated, mut view) = thread::scope(|scope| {
            let stated = scope.spawn(|| stated(names, &rows, &assigned, &entity_of, count));
            let (posting_starts, postings) = postings(count, &assigned.row_starts, &mentions);
            let (ordinary, clauses) = only(&assigned, &entity_of, count);
            let view = Self {
                rows: rows.iter().map(|(key, held)| (held.day, *key)).collect(),
                row_of: rows.iter().enumerate().map(|(row, (key, _))| (*key, row as Row)).collect(),
                stated: Graph::default(),
                lookup: lookup(names, &assigned, &entity_of).with(&given),
                ordinary,
                clauses,
                verdicts,
                row_starts: assigned.row_starts.clone(),
                entities,
                mentions,
                posting_starts,
                postings,
            };
            (end_of_thread(stated), view)
        });
        view.stated = stated;
        view.drop_rejected();
        view.date_entities();
        view
    }

    /// First, last and number of days, now that the rows of each entity are known.
    fn date_entities(&mut self) {
        for at in 0..self.entities.len() {
            let days = self.posting(EntityRef(at as u32)).iter().map(|row| self.rows[*row as usize].0);
            let (mut first, mut last, mut count) = (None, civil::Date::ZERO, 0);
            for day in days {
                count += u32::from(first.is_none() || day != last);
                first.get_or_insert(day);
                last = day;
            }
            let entity = &mut self.entities[at];
            (entity.first_seen, entity.last_seen, entity.days) = (first.unwrap_or(last), last, count);
        }
    }
}

/// All mentions, row by row, and where each row's begin.
fn said(names: &Names, rows: &Rows<'_>) -> (Vec<u32>, Vec<Said>) {
    let mut starts = Vec::with_capacity(rows.len() + 1);
    let mut all = Vec::with_capacity(rows.len() * 3);
    for (_, held) in rows {
        starts.push(all.len() as u32);
        all.extend(held.mentions.iter().map(|mention| Said {
            identity: names.identity_of(mention.name),
            spelling: mention.name,
            kind: mention.kind,
            guess: mention.guess,
            source: mention.source,
            span: mention.span.clone(),
        }));
    }
    starts.push(all.len() as u32);
    (starts, all)
}

/// Gives every mention its name and kind, and drops what only looked like a name.
fn assign(names: &Names, rows: &Rows<'_>) -> Assigned {
    let (starts, said) = said(names, rows);
    let votes = votes(names, &starts, &said);
    let mut row_starts = Vec::with_capacity(starts.len());
    let mut mentions = Vec::with_capacity(said.len());
    for bounds in starts.windows(2) {
        row_starts.push(mentions.len() as u32);
        let mut taken = 0;
        for mention in &said[bounds[0] as usize..bounds[1] as usize] {
            let vote = votes[mention.identity as usize];
            // The longer of two readings comes first; where it is a name, the shorter one is not meant.
            let within = !mention.span.is_empty() && mention.span.start < taken && is_reading(mention.source);
            if within || !vote.counts(mention) {
                continue;
            }
            if matches!(mention.source, MentionSource::SentenceStart | MentionSource::LowerCase) {
                taken = mention.span.end;
            }
            // A tag says what an entry is about, not of which kind that is.
            let phrase = matches!(mention.source, MentionSource::Phrase | MentionSource::Cause | MentionSource::Clause);
            let tag = mention.source == MentionSource::Tag || (phrase && vote.marked);
            let kind = mention.kind.filter(|kind| !tag && (phrase || vote.has(*kind)));
            let kind = kind.unwrap_or_else(|| vote.unstated(mention.source));
            mentions.push((slot(mention.identity, kind), mention.spelling, mention.source, mention.span.clone()));
        }
    }
    row_starts.push(mentions.len() as u32);
    Assigned { row_starts, mentions }
}

/// Whether a mention is one of several readings of the same words.
fn is_reading(source: MentionSource) -> bool {
    use MentionSource::{Capitals, LowerCase, Phrase, SentenceStart};
    matches!(source, SentenceStart | Capitals | LowerCase | Phrase)
}

fn slot(identity: IdentityId, kind: EntityKind) -> Slot {
    identity as usize * KINDS + kind as usize
}

/// The entities in their final order, and which slot became which.
fn entities(names: &Names, rows: &Rows<'_>, assigned: &Assigned) -> (Vec<Entity>, Vec<u32>) {
    let mut mentions = vec![0u32; names.identities.len() * KINDS];
    let mut spelled: Vec<Option<u32>> = vec![None; names.spellings.len() * KINDS];
    for (slot, spelling, source, _) in &assigned.mentions {
        mentions[*slot] += 1;
        // A capital that the sentence asks for says nothing about how the name is written.
        let certain = u32::from(!matches!(source, MentionSource::SentenceStart | MentionSource::LowerCase));
        *spelled[*spelling as usize * KINDS + slot % KINDS].get_or_insert(0) += certain;
    }
    let mut spellings: Vec<(Slot, u32, &Arc<str>)> = spelled
        .iter()
        .enumerate()
        .filter_map(|(at, count)| {
            let spelling = &names.spellings[at / KINDS];
            Some((spelling.identity as usize * KINDS + at % KINDS, (*count)?, &spelling.text))
        })
        .collect();
    spellings.sort_unstable_by(|a, b| (a.0, b.1, a.2).cmp(&(b.0, a.1, b.2)));

    let nobody_yet = rows.first().map_or(civil::Date::ZERO, |(_, held)| held.day);
    let mut entities: Vec<(Slot, Entity)> = spellings
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let slot = same[0].0;
            let entity = Entity {
                name: same[0].2.to_string(),
                kind: EntityKind::ALL[slot % KINDS],
                aliases: same[1..].iter().map(|(_, _, text)| text.to_string()).collect(),
                first_seen: nobody_yet,
                last_seen: nobody_yet,
                mentions: mentions[slot],
                days: 0,
            };
            (slot, entity)
        })
        .collect();
    entities.sort_unstable_by(|(_, a), (_, b)| (b.mentions, &a.name, a.kind).cmp(&(a.mentions, &b.name, b.kind)));
    let mut entity_of = vec![NOBODY; mentions.len()];
    for (at, (slot, _)) in entities.iter().enumerate() {
        entity_of[*slot] = at as u32;
    }
    (entities.into_iter().map(|(_, entity)| entity).collect(), entity_of)
}

/// For each entity its rows, each once, rising.
fn postings(entities: usize, row_starts: &[u32], mentions: &[(EntityRef, Range<u32>)]) -> (Vec<u32>, Vec<Row>) {
    let each = |visit: &mut dyn FnMut(usize, Row)| {
        let mut last = vec![NOBODY; entities];
        for (row, bounds) in row_starts.windows(2).enumerate() {
            for (entity, _) in &mentions[bounds[0] as usize..bounds[1] as usize] {
                let entity = entity.0 as usize;
                if last[entity] != row as Row {
                    last[entity] = row as Row;
                    visit(entity, row as Row);
                }
            }
        }
    };
    let mut starts = vec![0u32; entities + 1];
    each(&mut |entity, _| starts[entity + 1] += 1);
    for at in 0..entities {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut postings = vec![0; starts[entities] as usize];
    each(&mut |entity, row| {
        postings[next[entity] as usize] = row;
        next[entity] += 1;
    });
    (starts, postings)
}

/// For each entity whether only ordinary words name it, and whether it is only ever a clause.
fn only(assigned: &Assigned, entity_of: &[u32], entities: usize) -> (Vec<bool>, Vec<bool>) {
    let (mut ordinary, mut clauses) = (vec![true; entities], vec![true; entities]);
    for (slot, _, source, _) in &assigned.mentions {
        let entity = entity_of[*slot] as usize;
        if let (Some(ordinary), Some(clause)) = (ordinary.get_mut(entity), clauses.get_mut(entity)) {
            *ordinary &= source.is_ordinary();
            *clause &= *source == MentionSource::Clause;
        }
    }
    (ordinary, clauses)
}

fn lookup(names: &Names, assigned: &Assigned, entity_of: &[u32]) -> Lookup {
    let mut spelled: Vec<(u32, u8, SpellingId)> = Vec::new();
    let mut seen = vec![0u8; names.spellings.len()];
    let mut marked = vec![0u8; names.spellings.len()];
    for (slot, spelling, source, _) in &assigned.mentions {
        let kind = 1 << (slot % KINDS);
        if !source.is_ordinary() {
            marked[*spelling as usize] |= kind;
        }
        if seen[*spelling as usize] & kind == 0 {
            seen[*spelling as usize] |= kind;
            spelled.push((entity_of[*slot], kind, *spelling));
        }
    }
    spelled.sort_unstable_by_key(|(entity, _, spelling)| (*entity, names.text(*spelling)));
    let mut lookup = Lookup::default();
    for (entity, kind, spelling) in spelled {
        let ordinary = marked[spelling as usize] & kind == 0;
        let spelling = &names.spellings[spelling as usize];
        lookup.add(EntityRef(entity), spelling, &names.identities[spelling.identity as usize], ordinary);
    }
    lookup
}
