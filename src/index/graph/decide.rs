//! From all mentions to entities: a pure function of the set of entries, independent of their order.

use std::{ops::Range, sync::Arc, thread};

use jiff::civil;
use petgraph::graph::Graph;

use super::{
    Entity, EntityRef, KINDS, NO_ENTITY, Names, Slot, SpellingId,
    curate::{Curated, Curation, curated},
    extracts::Extracts,
    lookup::Lookup,
    mention_counts::MentionCounts,
    rowed::Rowed,
    same::joined,
    stated::stated,
    view::{GraphView, Row},
};
use crate::{index::end_of_thread, journal::EntityKind};

impl GraphView {
    /// Decides on the entities: linear in the mentions, with one or two steps for each. `mention_counts` must match
    /// `entries`.
    pub(super) fn decide(
        names: &Names,
        entries: &Extracts,
        mention_counts: &MentionCounts,
        curation: &Curation,
    ) -> Self {
        let (entities, entity_of) = entities(names, mention_counts);
        let (entities, entity_of) = joined(curation, names, mention_counts, entities, entity_of);
        let Curated { entities, entity_of, names: given, verdicts } =
            curated(curation, names, entities, entity_of, &mention_counts.mentioned);
        let count = entities.len();
        // Edges and names take as long as all the rest, so they are made on a second thread.
        let (stated, lookup, mut view) = thread::scope(|scope| {
            let beside = scope.spawn(|| {
                let statements = mention_counts.statements(names, entries, |slot| entity_of[slot] == NO_ENTITY);
                let lookup = lookup(names, mention_counts, &entity_of).with(&given);
                (stated(names, &statements, &entity_of, count), lookup)
            });
            let mentions = mentions(mention_counts, &entity_of);
            let postings = postings(count, &mentions);
            let (ordinary, clauses) = only(mention_counts, &entity_of, count);
            let view = Self {
                rows: mention_counts.rows.iter().map(|(day, key)| (*day, key.0)).collect(),
                row_of: mention_counts.rows.iter().enumerate().map(|(row, (_, key))| (key.0, row as Row)).collect(),
                stated: Graph::default(),
                lookup: Lookup::default(),
                ordinary,
                clauses,
                verdicts,
                entities,
                mentions,
                postings,
            };
            let (stated, lookup) = end_of_thread(beside);
            (stated, lookup, view)
        });
        (view.stated, view.lookup) = (stated, lookup);
        view.drop_rejected();
        view.date_entities();
        view
    }

    /// Sets first day, last day and number of days of each entity, now that its rows are known.
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

/// The entities in their final order, and the entity of each slot.
fn entities(names: &Names, mention_counts: &MentionCounts) -> (Vec<Entity>, Vec<u32>) {
    let met = mention_counts.spelled.iter().enumerate().filter(|(_, spelled)| spelled.all > 0);
    let mut spellings: Vec<(Slot, u32, &Arc<str>)> = met
        .map(|(at, spelled)| {
            let spelling = &names.spellings[at / KINDS];
            // A capital at the start of a sentence does not show how the name is written.
            (spelling.identity as usize * KINDS + at % KINDS, spelled.certain, &spelling.text)
        })
        .collect();
    spellings.sort_unstable_by(|a, b| (a.0, b.1, a.2).cmp(&(b.0, a.1, b.2)));

    let nobody_yet = mention_counts.rows.first().map_or(civil::Date::ZERO, |(day, _)| *day);
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
                mentions: mention_counts.mentioned[slot].all,
                days: 0,
            };
            (slot, entity)
        })
        .collect();
    entities.sort_unstable_by(|(_, a), (_, b)| a.by_rank(b));
    let mut entity_of = vec![NO_ENTITY; mention_counts.mentioned.len()];
    for (at, (slot, _)) in entities.iter().enumerate() {
        entity_of[*slot] = at as u32;
    }
    (entities.into_iter().map(|(_, entity)| entity).collect(), entity_of)
}

/// Entity and span of all mentions by row; hidden entities are left out.
fn mentions(mention_counts: &MentionCounts, entity_of: &[u32]) -> Rowed<(EntityRef, Range<u32>)> {
    let mut mentions = Rowed::with_capacity(mention_counts.rows.len(), mention_counts.mentions.all().len());
    for row in mention_counts.mentions.rows() {
        let here = row.iter().map(|[slot, start, end]| (EntityRef(entity_of[*slot as usize]), *start..*end));
        mentions.push_row(here.filter(|(entity, _)| entity.0 != NO_ENTITY));
    }
    mentions
}

/// For each entity its rows, each once, ascending.
fn postings(entities: usize, mentions: &Rowed<(EntityRef, Range<u32>)>) -> Rowed<Row> {
    Rowed::grouped(entities, |visit| {
        let mut last = vec![NO_ENTITY; entities];
        for (row, here) in (0..).zip(mentions.rows()) {
            for (entity, _) in here {
                if std::mem::replace(&mut last[entity.0 as usize], row) != row {
                    visit(entity.0 as usize, row);
                }
            }
        }
    })
}

/// For each entity, whether only ordinary words name it, and whether it is only mentioned as a clause.
fn only(mention_counts: &MentionCounts, entity_of: &[u32], entities: usize) -> (Vec<bool>, Vec<bool>) {
    let (mut ordinary, mut clauses) = (vec![true; entities], vec![true; entities]);
    for (mentioned, entity) in mention_counts.mentioned.iter().zip(entity_of) {
        let entity = *entity as usize;
        if let (Some(ordinary), Some(clause)) = (ordinary.get_mut(entity), clauses.get_mut(entity)) {
            *ordinary &= mentioned.named == 0;
            *clause &= mentioned.unclaused == 0;
        }
    }
    (ordinary, clauses)
}

fn lookup(names: &Names, mention_counts: &MentionCounts, entity_of: &[u32]) -> Lookup {
    let mut spelled: Vec<(u32, SpellingId, bool)> = Vec::new();
    for (at, met) in mention_counts.spelled.iter().enumerate().filter(|(_, met)| met.all > 0) {
        let spelling = (at / KINDS) as SpellingId;
        let entity = entity_of[names.identity_of(spelling) as usize * KINDS + at % KINDS];
        if entity != NO_ENTITY {
            spelled.push((entity, spelling, met.named == 0));
        }
    }
    spelled.sort_unstable_by_key(|(entity, spelling, _)| (*entity, names.text(*spelling)));
    let mut lookup = Lookup::default();
    for (entity, spelling, ordinary) in spelled {
        let spelling = &names.spellings[spelling as usize];
        lookup.add(EntityRef(entity), spelling, &names.identities[spelling.identity as usize], ordinary);
    }
    lookup
}
