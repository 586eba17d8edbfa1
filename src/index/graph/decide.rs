//! From all mentions to entities: a pure function of the set of entries, whatever order they came in.

use std::{cmp::Reverse, ops::Range, sync::Arc};

use jiff::civil;
use petgraph::graph::{Graph, NodeIndex};

use super::{
    Entity, EntityRef, Evidence,
    lookup::Lookup,
    names::{IdentityId, Names, SpellingId},
    store::{Held, Stated},
    view::{GraphView, Row, StatedEdge},
};
use crate::{
    extract::MentionSource,
    index::{EntryKey, catalog::KeyMap},
    journal::EntityKind,
};

const KINDS: usize = EntityKind::ALL.len();
const NOBODY: u32 = u32::MAX;

/// A name and a kind, before it is known who is an entity: `identity * KINDS + kind`.
type Slot = usize;

/// What all mentions together say of one name.
#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    /// One bit for each kind that some mention states.
    stated: u8,
    /// It stands inside a sentence, or is marked as a name (not as a tag or mood) somewhere.
    named: bool,
    /// A mark, a tag or a mood names it somewhere.
    marked: bool,
    /// Mentions by capitals, with a title before them and without.
    titled: u32,
    untitled: u32,
    /// How often each kind is suggested by the words around a bare name.
    guessed: [u32; KINDS],
    /// It comes back as a phrase often enough to be a topic.
    returns: bool,
}

impl Votes {
    fn has(self, kind: EntityKind) -> bool {
        self.stated & bit(kind) != 0
    }

    /// The kind of a mention without one: the one stated kind, else what most of the bare mentions suggest; a topic where
    /// there is none or more than one.
    fn unstated(self, source: MentionSource) -> EntityKind {
        let bare = matches!(source, MentionSource::Capitals | MentionSource::SentenceStart);
        let mut fitting = EntityKind::ALL
            .into_iter()
            .filter(|kind| *kind != EntityKind::Topic && self.has(*kind) && !(bare && *kind == EntityKind::Emotion));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            (None, _) => self.suggested().unwrap_or(EntityKind::Topic),
            _ => EntityKind::Topic,
        }
    }

    /// The kind that more than half of the suggestions name, if they are at least a quarter of the bare mentions.
    fn suggested(self) -> Option<EntityKind> {
        let all: u32 = self.guessed.iter().sum();
        let most =
            EntityKind::ALL.into_iter().max_by_key(|kind| (self.guessed[*kind as usize], Reverse(*kind as usize)))?;
        let votes = self.guessed[most as usize];
        (votes * 2 > all && votes.saturating_mul(4) >= self.untitled).then_some(most)
    }

    /// Whether a mention of this kind of source counts.
    fn counts(self, mention: &Said) -> bool {
        match mention.source {
            MentionSource::SentenceStart => self.named,
            MentionSource::LowerCase => self.named || mention.guess.is_some(),
            MentionSource::Phrase => self.returns || self.marked,
            _ => true,
        }
    }
}

fn bit(kind: EntityKind) -> u8 {
    1 << kind as u8
}

/// The entries in the order of rows.
type Rows<'a> = Vec<(EntryKey, &'a Held)>;

/// One mention, with all that is decided by.
struct Said {
    identity: IdentityId,
    spelling: SpellingId,
    kind: Option<EntityKind>,
    guess: Option<EntityKind>,
    source: MentionSource,
    span: Range<u32>,
}

/// Every mention that counts, row by row.
struct Assigned {
    row_starts: Vec<u32>,
    mentions: Vec<(Slot, SpellingId, MentionSource, Range<u32>)>,
}

impl GraphView {
    /// Decides everything anew: linear in the mentions.
    pub(super) fn decide(names: &Names, entries: &KeyMap<Held>) -> Self {
        let mut ordered: Vec<_> = entries.iter().map(|(key, held)| (held.day, Reverse(*key), held)).collect();
        ordered.sort_unstable_by_key(|(day, key, _)| (*day, *key));
        let rows: Rows<'_> = ordered.into_iter().map(|(_, key, held)| (key.0, held)).collect();
        let assigned = assign(names, &rows);
        let (entities, entity_of) = entities(names, &rows, &assigned);
        let mentions: Vec<(EntityRef, Range<u32>)> =
            assigned.mentions.iter().map(|(slot, _, _, span)| (EntityRef(entity_of[*slot]), span.clone())).collect();
        let (posting_starts, postings) = postings(entities.len(), &assigned.row_starts, &mentions);
        let mut view = Self {
            rows: rows.iter().map(|(key, held)| (held.day, *key)).collect(),
            row_of: rows.iter().enumerate().map(|(row, (key, _))| (*key, row as Row)).collect(),
            stated: stated(names, &rows, &assigned, &entity_of, entities.len()),
            lookup: lookup(names, &assigned, &entity_of),
            ordinary: ordinary(&assigned, &entity_of, entities.len()),
            row_starts: assigned.row_starts,
            entities,
            mentions,
            posting_starts,
            postings,
        };
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

fn votes(identities: usize, starts: &[u32], said: &[Said]) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); identities];
    for mention in said {
        let vote = &mut votes[mention.identity as usize];
        match (mention.source, mention.kind) {
            (MentionSource::Capitals, Some(_)) => vote.titled += 1,
            (MentionSource::Capitals | MentionSource::SentenceStart, None) => vote.untitled += 1,
            (MentionSource::Phrase | MentionSource::Cause, _) => {}
            (_, kind) => vote.stated |= kind.map_or(0, bit),
        }
        if let Some(guess) = mention.guess {
            vote.guessed[guess as usize] += 1;
        }
        vote.marked |= matches!(
            mention.source,
            MentionSource::Tag | MentionSource::Mood | MentionSource::At | MentionSource::Link | MentionSource::Field
        );
        vote.named |= matches!(
            mention.source,
            MentionSource::Capitals | MentionSource::At | MentionSource::Link | MentionSource::Field
        );
    }
    for vote in &mut votes {
        // One Mr. King makes no person of a king who is in the text a thousand times.
        if vote.titled > 0 && vote.titled.saturating_mul(3) >= vote.untitled {
            vote.stated |= bit(EntityKind::Person);
        }
    }
    for identity in returning(identities, starts, said) {
        votes[identity as usize].returns = true;
    }
    votes
}

/// A phrase is a topic from this many entries on.
const TOPIC_ENTRIES: u32 = 3;
/// A phrase in more than one of so many entries is a habit of the writer, no topic.
const TOPIC_SHARE: u32 = 5;
/// The most topics by phrase: so many, and one more for so many entries.
const MOST_TOPICS: usize = 20;
const ENTRIES_A_TOPIC: usize = 25;

/// The phrases that come back: in at least three entries and in at most a fifth of them, the most frequent ones. Few good ones
/// rather than all.
fn returning(identities: usize, starts: &[u32], said: &[Said]) -> Vec<IdentityId> {
    let rows = starts.len().saturating_sub(1);
    let mut counts = vec![0u32; identities];
    let mut last = vec![NOBODY; identities];
    for (row, bounds) in starts.windows(2).enumerate() {
        let here = &said[bounds[0] as usize..bounds[1] as usize];
        let phrases = here.iter().filter(|mention| mention.source == MentionSource::Phrase);
        for phrase in phrases {
            if std::mem::replace(&mut last[phrase.identity as usize], row as u32) != row as u32 {
                counts[phrase.identity as usize] += 1;
            }
        }
    }
    let often = (rows as u32 / TOPIC_SHARE).max(TOPIC_ENTRIES);
    let mut topics: Vec<(u32, IdentityId)> = (0..identities as IdentityId)
        .map(|identity| (counts[identity as usize], identity))
        .filter(|(count, _)| (TOPIC_ENTRIES..=often).contains(count))
        .collect();
    // Numbers of identities depend on the order of reading: at the edge all of one count stay, or none.
    topics.sort_unstable_by_key(|(count, _)| Reverse(*count));
    let most = MOST_TOPICS + rows / ENTRIES_A_TOPIC;
    if let Some((edge, _)) = topics.get(most).copied() {
        topics.retain(|(count, _)| *count > edge);
    }
    topics.into_iter().map(|(_, identity)| identity).collect()
}

/// Gives every mention its name and kind, and drops what only looked like a name.
fn assign(names: &Names, rows: &Rows<'_>) -> Assigned {
    let (starts, said) = said(names, rows);
    let votes = votes(names.identities.len(), &starts, &said);
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
            let phrase = matches!(mention.source, MentionSource::Phrase | MentionSource::Cause);
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

/// The stated relations as edges, each with all its evidence in the order of days.
fn stated(
    names: &Names,
    rows: &Rows<'_>,
    assigned: &Assigned,
    entity_of: &[u32],
    entities: usize,
) -> Graph<(), StatedEdge, petgraph::Directed, u32> {
    let mut found = Vec::new();
    for (row, (key, held)) in rows.iter().enumerate() {
        let bounds = assigned.row_starts[row] as usize..assigned.row_starts[row + 1] as usize;
        let here = &assigned.mentions[bounds];
        for relation in &held.relations {
            let end = |name| end_of(names, here, name).map(|slot| entity_of[slot]);
            let Stated { source, target, kind, verb, evidence, weight, event_time } = relation;
            if let (Some(source), Some(target)) = (end(*source), end(*target))
                && source != target
            {
                let verb_text = names.text(*verb);
                let verb = &names.identities[names.identity_of(*verb) as usize];
                let evidence =
                    Evidence { entry: *key, span: evidence.clone(), weight: *weight, event_time: *event_time };
                found.push(((source, target, *kind, verb), row, verb_text, evidence));
            }
        }
    }
    found.sort_unstable_by(|a, b| (&a.0, a.1, a.3.span.start, a.2).cmp(&(&b.0, b.1, b.3.span.start, b.2)));
    found.dedup_by(|a, b| a.0 == b.0 && a.3 == b.3);
    let mut graph = Graph::with_capacity(entities, found.len());
    for _ in 0..entities {
        graph.add_node(());
    }
    for same in found.chunk_by(|a, b| a.0 == b.0) {
        let (source, target, kind, _) = same[0].0;
        let verb = same.iter().map(|(_, _, text, _)| text).min().map_or(String::new(), ToString::to_string);
        let evidence = same.iter().map(|(_, _, _, evidence)| evidence.clone()).collect();
        graph.add_edge(
            NodeIndex::new(source as usize),
            NodeIndex::new(target as usize),
            StatedEdge { kind, verb, evidence },
        );
    }
    graph
}

/// Which of an entry's entities a relation in it means: by name, a field's or mood's mention before any other.
fn end_of(names: &Names, here: &[(Slot, SpellingId, MentionSource, Range<u32>)], name: SpellingId) -> Option<Slot> {
    let identity = names.identity_of(name);
    let same = || here.iter().filter(|(slot, ..)| (slot / KINDS) as IdentityId == identity);
    same()
        .find(|(_, _, source, _)| matches!(source, MentionSource::Field | MentionSource::Mood))
        .or_else(|| same().next())
        .map(|(slot, ..)| *slot)
}

/// Which entities only ordinary words of the language name.
fn ordinary(assigned: &Assigned, entity_of: &[u32], entities: usize) -> Vec<bool> {
    let mut ordinary = vec![true; entities];
    for (slot, _, source, _) in &assigned.mentions {
        ordinary[entity_of[*slot] as usize] &= source.is_ordinary();
    }
    ordinary
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
