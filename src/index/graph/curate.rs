//! The user's decisions on names, applied to the entities of the mentions: which are merged, how they are called,
//! which are hidden.
//!
//! A pure function of the extracted entities and of the notes, whatever order either is read in.
//!
//! A note covers its own name and those that it lists (`aliases`, `merged`). `Name (kind)` means the homonym of that
//! kind and takes precedence over a plain name. A plain name means the homonym of the note's kind; if there is none,
//! the homonym of unknown kind (a topic); if there is none either, the only homonym, unless that is a feeling. So a
//! note's `type` overrides every vote, and still a homonym with a stated kind stays separate until the user names it.
//! A merged note (`merged-into`, or listed by another) brings all names that it covers; only the last note of such a
//! chain decides name, kind and visibility. Notes that are merged in a circle follow the first of them by file name.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use sha2::{Digest, Sha256};

use super::{
    Entity, EntityRef, IdentityId, Judgement, KINDS, NO_ENTITY, Names, identities_of, identity,
    mention_counts::Mentioned, verdicts::Verdicts,
};
use crate::{
    index::EntryKey,
    journal::{EntityKind, EntityNote, name_and_kind},
};

/// The user's decisions, as read from the notes of the vault.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curation {
    notes: Vec<EntityNote>,
}

impl Curation {
    /// Neither the order of the notes nor their text below the front matter matters.
    pub fn of(mut notes: Vec<EntityNote>) -> Self {
        notes.sort_by(|a, b| a.file.cmp(&b.file));
        notes.iter_mut().for_each(|note| note.notes = String::new());
        Self { notes }
    }

    /// The aliases in all notes and the names that notes declare, sorted, each once; without those that name one homonym only
    /// (`Washington (place)`), which the words in a text cannot tell apart.
    pub fn aliases(&self) -> Vec<String> {
        let listed = self.notes.iter().flat_map(|note| &note.aliases);
        let bare = listed.filter(|item| name_and_kind(item).1.is_none());
        let mut declared: BTreeMap<String, Vec<&EntityNote>> = BTreeMap::new();
        for note in self.notes.iter().filter(|note| is_declared(note)) {
            declared.entry(identity(&note.name)).or_default().push(note);
        }
        // The words in a text do not tell homonyms apart.
        let alone = declared.values().filter(|notes| notes.len() == 1).map(|notes| &notes[0].name);
        bare.chain(alone).cloned().collect::<BTreeSet<String>>().into_iter().collect()
    }
}

/// Whether a note says of a name written with a capital what it names: rules need not recognise it.
fn is_declared(note: &EntityNote) -> bool {
    let names = note.kind.is_some_and(|kind| !matches!(kind, EntityKind::Emotion | EntityKind::Topic));
    names && !note.hidden && note.merged_into.is_none() && note.name.chars().any(char::is_uppercase)
}

impl Curation {
    /// Hash of the curation. `None` where it cannot be serialized.
    pub(super) fn digest(&self) -> Option<[u8; 32]> {
        Some(Sha256::digest(postcard::to_stdvec(&self.notes).ok()?).into())
    }

    /// The identities of all names in the notes.
    pub(super) fn identities(&self) -> BTreeSet<String> {
        let listed =
            self.notes.iter().flat_map(|note| note.aliases.iter().chain(&note.merged).chain(&note.distinct_from));
        let own = self.notes.iter().map(|note| &note.name);
        listed.chain(own).map(|item| identity(name_and_kind(item).0)).collect()
    }
}

/// The entities after curation.
pub(super) struct Curated {
    pub entities: Vec<Entity>,
    /// The entity of each slot; `NO_ENTITY` where it is hidden.
    pub entity_of: Vec<u32>,
    /// Names from the notes, by ascending entity: looked up like the spellings of mentions.
    pub names: Vec<(u32, String)>,
    pub verdicts: Verdicts,
}

/// A name listed in a note.
struct Listed {
    text: String,
    identity: String,
    kind: Option<EntityKind>,
}

impl Listed {
    fn of(item: &str) -> Self {
        let (name, kind) = name_and_kind(item);
        Self { text: name.to_owned(), identity: identity(name), kind }
    }
}

/// A note, or the target of a `merged-into` that has no note.
struct NoteGroup<'a> {
    own: Listed,
    listed: Vec<Listed>,
    parent: Option<usize>,
    note: Option<&'a EntityNote>,
}

/// Intermediate state: "raw" entities are those before curation.
struct Deciding<'a> {
    note_groups: Vec<NoteGroup<'a>>,
    /// The last group in each group's chain of merges.
    roots: Vec<usize>,
    raw: &'a [Entity],
    raw_of: &'a [u32],
    identity_of: Vec<IdentityId>,
    names: &'a Names,
    /// The group that covers each raw entity.
    claims: Vec<Option<usize>>,
}

/// Applies the curation. `mentioned` has the mention counts of every slot. Linear in the slots, once there is any
/// note.
pub(super) fn curated(
    curation: &Curation,
    names: &Names,
    raw: Vec<Entity>,
    raw_of: Vec<u32>,
    mentioned: &[Mentioned],
) -> Curated {
    if curation.notes.is_empty() {
        return Curated { entities: raw, entity_of: raw_of, names: Vec::new(), verdicts: Verdicts::default() };
    }
    let mut uncertain = vec![false; raw.len()];
    for (slot, mentioned) in mentioned.iter().enumerate() {
        if slot % KINDS == EntityKind::Topic as usize
            && mentioned.untagged > 0
            && let Some(flag) = uncertain.get_mut(raw_of[slot] as usize)
        {
            *flag = true;
        }
    }
    let mut deciding = Deciding::of(curation, names, &raw, &raw_of);
    deciding.claim(&uncertain);
    deciding.decided()
}

impl<'a> Deciding<'a> {
    fn of(curation: &'a Curation, names: &'a Names, raw: &'a [Entity], raw_of: &'a [u32]) -> Self {
        let identity_of = identities_of(raw_of, raw.len());
        let mut note_groups: Vec<NoteGroup<'_>> = curation.notes.iter().map(NoteGroup::of).collect();
        join(&mut note_groups, &curation.notes);
        let roots = (0..note_groups.len()).map(|group| root(&note_groups, group)).collect();
        Self { roots, claims: vec![None; raw.len()], note_groups, raw, raw_of, identity_of, names }
    }

    /// The homonyms of a name, by kind.
    fn homonyms(&self, identity: &str) -> Vec<usize> {
        let Some(identity) = self.names.known(identity) else { return Vec::new() };
        let slots = identity as usize * KINDS..(identity as usize + 1) * KINDS;
        let known = self.raw_of.get(slots).unwrap_or_default();
        known.iter().filter(|entity| **entity != NO_ENTITY).map(|entity| *entity as usize).collect()
    }

    /// The homonym of the kind that a name states.
    fn exact(&self, name: &Listed) -> Option<usize> {
        self.homonyms(&name.identity).into_iter().find(|raw| Some(self.raw[*raw].kind) == name.kind)
    }

    fn claim(&mut self, uncertain: &[bool]) {
        let each = 0..self.note_groups.len();
        // The most certain match first; among equals the first by file name.
        for group in each.clone() {
            self.take(group, self.exact(&self.note_groups[group].own));
        }
        for group in each.clone() {
            for at in 0..self.note_groups[group].listed.len() {
                self.take(group, self.exact(&self.note_groups[group].listed[at]));
            }
        }
        for group in each.clone() {
            let own = &self.note_groups[group].own;
            self.take(group, self.meant(&own.identity, own.kind));
        }
        for group in each {
            let kind = self.kind_of(group);
            for at in 0..self.note_groups[group].listed.len() {
                let listed = &self.note_groups[group].listed[at];
                if listed.kind.is_none() {
                    self.take(group, self.meant(&listed.identity, kind));
                }
            }
        }
        self.claim_uncertain(uncertain);
    }

    fn take(&mut self, group: usize, raw: Option<usize>) {
        if let Some(raw) = raw {
            self.claims[raw].get_or_insert(group);
        }
    }

    /// The meaning of a plain name in a note.
    fn meant(&self, identity: &str, kind: Option<EntityKind>) -> Option<usize> {
        match kind {
            Some(kind) => self.nearest(identity, kind),
            None => self.foremost(identity),
        }
    }

    /// The meaning of a plain name in a note with a kind.
    fn nearest(&self, identity: &str, kind: EntityKind) -> Option<usize> {
        let homonyms = self.homonyms(identity);
        let of_kind = |wanted: EntityKind| homonyms.iter().copied().find(|raw| self.raw[*raw].kind == wanted);
        if let Some(exact) = of_kind(kind) {
            return Some(exact);
        }
        if let Some(topic) = of_kind(EntityKind::Topic) {
            return Some(topic);
        }
        let mut others = homonyms.iter().copied().filter(|raw| self.raw[*raw].kind != EntityKind::Emotion);
        match (others.next(), others.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// The meaning of a plain name in a note without a kind: a certain kind before a topic before a feeling, then the
    /// most mentioned.
    fn foremost(&self, identity: &str) -> Option<usize> {
        let rank = |raw: &usize| {
            let entity = &self.raw[*raw];
            let class = match entity.kind {
                EntityKind::Emotion => 2,
                EntityKind::Topic => 1,
                _ => 0,
            };
            (class, Reverse(entity.mentions), entity.kind)
        };
        self.homonyms(identity).into_iter().filter(|raw| self.claims[*raw].is_none()).min_by_key(rank)
    }

    /// The note's own `type`, or else the kind of the entity that its own name means.
    fn kind_of(&self, group: usize) -> Option<EntityKind> {
        let own = &self.note_groups[group].own;
        own.kind.or_else(|| {
            let claimed = self.homonyms(&own.identity).into_iter().find(|raw| self.claims[*raw] == Some(group));
            claimed.map(|raw| self.raw[raw].kind)
        })
    }

    /// Where several kinds of a name were stated, its plain mentions are of unknown kind. Where the user merged all
    /// these kinds, the plain mentions are merged with them.
    fn claim_uncertain(&mut self, uncertain: &[bool]) {
        let touched: BTreeSet<IdentityId> =
            self.claims.iter().zip(&self.identity_of).filter(|(claim, _)| claim.is_some()).map(|(_, of)| *of).collect();
        for identity in touched {
            let homonyms = self.homonyms(&self.names.identities[identity as usize].clone());
            let kind = |raw: &usize| self.raw[*raw].kind;
            let Some(topic) = homonyms.iter().copied().find(|raw| kind(raw) == EntityKind::Topic) else { continue };
            let others: Vec<usize> = homonyms
                .into_iter()
                .filter(|raw| !matches!(kind(raw), EntityKind::Topic | EntityKind::Emotion))
                .collect();
            let roots: BTreeSet<Option<usize>> =
                others.iter().map(|raw| self.claims[*raw].map(|group| self.roots[group])).collect();
            if uncertain[topic] && others.len() > 1 && roots.len() == 1 {
                let group = others.iter().filter_map(|raw| self.claims[*raw]).min();
                self.claims[topic] = self.claims[topic].or(group);
            }
        }
    }

    fn decided(self) -> Curated {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (raw, claim) in self.claims.iter().enumerate() {
            if let Some(group) = claim {
                groups.entry(self.roots[*group]).or_default().push(raw);
            }
        }
        // Each entity with the raw entities it is made of, and the group that covers it.
        let mut made: Vec<(Entity, Vec<usize>, Option<usize>)> = (0..self.raw.len())
            .filter(|raw| self.claims[*raw].is_none())
            .map(|raw| (self.raw[raw].clone(), vec![raw], None))
            .collect();
        for (group, raws) in &groups {
            if !self.note_groups[*group].note.is_some_and(|note| note.hidden) {
                made.push((self.joined(*group, raws), raws.clone(), Some(*group)));
            }
        }
        made.sort_by(|(a, of_a, _), (b, of_b, _)| a.by_rank(b).then_with(|| of_a.cmp(of_b)));

        let mut place = vec![NO_ENTITY; self.raw.len()];
        let mut entity_of_root: HashMap<usize, u32> = HashMap::new();
        for (at, (_, raws, group)) in made.iter().enumerate() {
            raws.iter().for_each(|raw| place[*raw] = at as u32);
            entity_of_root.extend(group.map(|group| (group, at as u32)));
        }
        let entity_of =
            self.raw_of.iter().map(|raw| if *raw == NO_ENTITY { NO_ENTITY } else { place[*raw as usize] }).collect();
        let mut names: Vec<(u32, String)> = Vec::new();
        for (group, root) in self.roots.iter().enumerate() {
            if let Some(entity) = entity_of_root.get(root) {
                names.extend(self.said_by(group).map(|name| (*entity, name.to_owned())));
            }
        }
        names.sort();
        names.dedup();
        let entities: Vec<Entity> = made.into_iter().map(|(entity, ..)| entity).collect();
        let verdicts = self.verdicts(&entities, &place, &names, &entity_of_root);
        Curated { entities, entity_of, names, verdicts }
    }

    /// The names in a note.
    fn said_by(&self, group: usize) -> impl Iterator<Item = &str> {
        let group = &self.note_groups[group];
        std::iter::once(&group.own).chain(&group.listed).map(|listed| listed.text.as_str())
    }

    /// Several raw entities merged into one, as the group says.
    fn joined(&self, group: usize, raws: &[usize]) -> Entity {
        let says = &self.note_groups[group];
        let own = raws
            .iter()
            .find(|raw| self.names.identities[self.identity_of[**raw] as usize].as_ref() == says.own.identity);
        let foremost = &self.raw[*own.unwrap_or(&raws[0])];
        let mut aliases: Vec<String> = Vec::new();
        let met = raws.iter().flat_map(|raw| std::iter::once(&self.raw[*raw].name).chain(&self.raw[*raw].aliases));
        let under = (0..self.note_groups.len()).filter(|other| self.roots[*other] == group);
        let given = under.flat_map(|other| self.said_by(other));
        for name in met.map(String::as_str).chain(given) {
            if name != says.own.text && !aliases.iter().any(|known| known == name) {
                aliases.push(name.to_owned());
            }
        }
        Entity {
            name: says.own.text.clone(),
            kind: says.own.kind.unwrap_or(foremost.kind),
            aliases,
            mentions: raws.iter().map(|raw| self.raw[*raw].mentions).sum(),
            ..foremost.clone()
        }
    }

    fn verdicts(
        &self,
        entities: &[Entity],
        place: &[u32],
        given: &[(u32, String)],
        entity_of_root: &HashMap<usize, u32>,
    ) -> Verdicts {
        let mut verdicts = Verdicts::default();
        if self.note_groups.iter().filter_map(|group| group.note).all(EntityNote::judges_nothing) {
            return verdicts;
        }
        let mut called: HashMap<String, BTreeSet<u32>> = HashMap::new();
        for (raw, entity) in place.iter().enumerate().filter(|(_, entity)| **entity != NO_ENTITY) {
            let name = self.names.identities[self.identity_of[raw] as usize].to_string();
            called.entry(name).or_default().insert(*entity);
        }
        for (entity, name) in given {
            called.entry(identity(name)).or_default().insert(*entity);
        }
        let meant = |item: &str| {
            let item = Listed::of(item);
            let known = called.get(&item.identity).into_iter().flatten().copied();
            let fits = move |entity: &u32| item.kind.is_none_or(|kind| entities[*entity as usize].kind == kind);
            known.filter(fits).map(EntityRef).collect::<Vec<_>>()
        };
        for (group, note) in self.note_groups.iter().enumerate().filter_map(|(at, group)| Some((at, group.note?))) {
            let Some(source) = entity_of_root.get(&self.roots[group]).copied().map(EntityRef) else { continue };
            for (list, judgement) in [(&note.accept, Judgement::Accepted), (&note.reject, Judgement::Rejected)] {
                for verdict in list {
                    let entry = verdict.entry.as_ref().map(EntryKey::of);
                    for target in meant(&verdict.target) {
                        verdicts.judge(source, target, verdict.kind, entry, judgement);
                    }
                }
            }
            for other in note.distinct_from.iter().flat_map(|item| meant(item)) {
                verdicts.keep_apart(source, other);
            }
        }
        verdicts
    }
}

impl<'a> NoteGroup<'a> {
    fn of(note: &'a EntityNote) -> Self {
        let own = Listed { text: note.name.clone(), identity: identity(&note.name), kind: note.kind };
        let listed = note.aliases.iter().chain(&note.merged).map(|item| Listed::of(item)).collect();
        Self { own, listed, parent: None, note: Some(note) }
    }

    fn is(&self, wanted: &Listed) -> bool {
        self.own.identity == wanted.identity && (wanted.kind.is_none() || self.own.kind == wanted.kind)
    }
}

/// Resolves `merged-into`; a target without a note becomes a group, too.
fn join(note_groups: &mut Vec<NoteGroup<'_>>, notes: &[EntityNote]) {
    for (at, note) in notes.iter().enumerate() {
        let Some(target) = note.merged_into.as_deref().map(Listed::of) else { continue };
        let found = (0..note_groups.len()).find(|other| *other != at && note_groups[*other].is(&target));
        let found = found.unwrap_or_else(|| {
            note_groups.push(NoteGroup { own: target, listed: Vec::new(), parent: None, note: None });
            note_groups.len() - 1
        });
        note_groups[at].parent = Some(found);
    }
    for (at, note) in notes.iter().enumerate() {
        for item in &note.merged {
            let item = Listed::of(item);
            let named = (0..note_groups.len()).filter(|other| *other != at && note_groups[*other].is(&item));
            // Of several notes with that name, the one of this note's kind.
            let found = named.min_by_key(|other| (note_groups[*other].own.kind != note.kind, *other));
            if let Some(found) = found {
                note_groups[found].parent.get_or_insert(at);
            }
        }
    }
}

/// The last group of a chain of merges; of a circle its first member.
fn root(note_groups: &[NoteGroup<'_>], group: usize) -> usize {
    let mut way = vec![group];
    let mut at = group;
    while let Some(next) = note_groups[at].parent {
        if let Some(met) = way.iter().position(|seen| *seen == next) {
            return way[met..].iter().copied().min().unwrap_or(group);
        }
        way.push(next);
        at = next;
    }
    at
}
