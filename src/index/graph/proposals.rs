//! Merge proposals: pairs of entities that may be one, with reasons. Nothing is merged automatically.
//!
//! Similar spelling alone is no reason: Hoa and Hòa, Jon and John are as often two people. For a name that differs by
//! accents or one letter, a second reason is needed: similar co-occurrence (mostly the same names beside both, rare
//! ones counting more), or periods that do not overlap (one name ends before the other begins). Two names in one
//! entry are two entities. A name inside a longer one (`Chen` in `Dr Chen`, `Linh` in `Linh Nguyễn`) is proposed
//! where only one longer name contains it, because that is how people shorten names, as is a given name with its short
//! form (`Dot`, `Dorothy`). Where the short name is far more
//! frequent than the longer one, or is of unknown kind, similar co-occurrence is needed as well.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{EntityRef, folded, identity, view::GraphView};
use crate::{
    extract::{is_little_word, short_names},
    journal::EntityKind,
};

/// Two entities that may be one.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The longer name, or else the more mentioned one.
    pub keep: EntityRef,
    pub other: EntityRef,
    /// The reasons, as texts to show.
    pub reasons: Vec<String>,
}

/// Shorter names are not compared by one letter: one letter makes a different name.
const LEAST_LETTERS: usize = 5;
/// Minimum number of shared names, and minimum cosine of the weighted counts, for similar co-occurrence.
const LEAST_SHARED: usize = 2;
const LEAST_ALIKE: f32 = 0.4;
/// A full name mentioned once does not explain a short one mentioned more than this many times.
const MOST_OFTEN: u32 = 20;
/// Minimum number of days of each name before one can be said to follow the other.
const LEAST_DAYS: u32 = 3;
/// Latest entries that are searched for co-occurrence.
const MOST_ROWS: usize = 300;

/// Entities by their folded names.
type ByFolded = HashMap<String, Vec<EntityRef>>;

/// How two spellings are similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// The second is a part of the first.
    Contained,
    /// The second is a short form of the first.
    ShortForm,
    Accents,
    OneLetter,
}

impl GraphView {
    /// Pairs that may be one, those with the most mentions first, without pairs that the user declared different.
    /// Some 100 ms for 50,000 names.
    pub fn proposals(&self) -> Vec<Proposal> {
        self.proposals_while(&|| true)
    }

    /// Like [`GraphView::proposals`]; returns early once `goes_on` returns false.
    pub fn proposals_while(&self, goes_on: &dyn Fn() -> bool) -> Vec<Proposal> {
        let mut pairs: BTreeMap<(EntityRef, EntityRef), Likeness> = BTreeMap::new();
        let mut known = ByFolded::new();
        for entity in self.entity_refs().filter(|entity| !self.is_clause(*entity)) {
            known.entry(folded(&self.entity(entity).name)).or_default().push(entity);
        }
        let alike = self.contained(&known, goes_on).into_iter().chain(self.short_forms(&known, goes_on));
        let alike = alike.chain(self.spelled_alike(&known, goes_on));
        for (keep, other, likeness) in alike.take_while(|_| goes_on()) {
            if !self.kept_apart(keep, other) && self.may_be_one(keep, other) && !pairs.contains_key(&(other, keep)) {
                pairs.entry((keep, other)).or_insert(likeness);
            }
        }
        let mut proposals: Vec<Proposal> = pairs
            .into_iter()
            .take_while(|_| goes_on())
            .filter_map(|((keep, other), likeness)| {
                let reasons = self.reasons(keep, other, likeness)?;
                Some(Proposal { keep, other, reasons })
            })
            .collect();
        let mentions = |entity: EntityRef| self.entity(entity).mentions;
        proposals.sort_by_key(|pair| {
            (std::cmp::Reverse(mentions(pair.keep).saturating_add(mentions(pair.other))), pair.keep, pair.other)
        });
        proposals
    }

    /// Whether the kinds match: equal, or one of them unknown. Feelings never match.
    fn may_be_one(&self, a: EntityRef, b: EntityRef) -> bool {
        let (a, b) = (self.entity(a).kind, self.entity(b).kind);
        a == b
            || (a == EntityKind::Topic && b != EntityKind::Emotion)
            || (b == EntityKind::Topic && a != EntityKind::Emotion)
    }

    /// Names that are the beginning or the end of exactly one longer name of a person.
    fn contained(&self, known: &ByFolded, goes_on: &dyn Fn() -> bool) -> Vec<(EntityRef, EntityRef, Likeness)> {
        let mut longer: HashMap<EntityRef, BTreeSet<EntityRef>> = HashMap::new();
        let people = self.entities.iter().enumerate().filter(|(_, entity)| entity.kind == EntityKind::Person);
        for (at, entity) in people.take_while(|_| goes_on()) {
            let name = folded(&entity.name);
            let words: Vec<&str> = name.split(' ').collect();
            // `Tomkins of the House` is not a longer form of `House`.
            if entity.name.split(' ').any(is_little_word) {
                continue;
            }
            for count in 1..words.len() {
                for part in [words[..count].join(" "), words[words.len() - count..].join(" ")] {
                    for short in known.get(&part).into_iter().flatten().filter(|short| short.0 != at as u32) {
                        longer.entry(*short).or_default().insert(EntityRef(at as u32));
                    }
                }
            }
        }
        let alone = longer.into_iter().filter(|(_, longer)| longer.len() == 1);
        alone
            .flat_map(|(short, longer)| longer.into_iter().map(move |long| (long, short, Likeness::Contained)))
            .collect()
    }

    /// Persons called by a short form of exactly one known given name.
    fn short_forms(&self, known: &ByFolded, goes_on: &dyn Fn() -> bool) -> Vec<(EntityRef, EntityRef, Likeness)> {
        let mut longer: BTreeMap<EntityRef, Vec<EntityRef>> = BTreeMap::new();
        let is_person = |entity: &EntityRef| self.entity(*entity).kind == EntityKind::Person;
        let people = self.entity_refs().filter(is_person);
        for long in people.take_while(|_| goes_on()) {
            let name = identity(&self.entity(long).name);
            for short in short_names(name.split(' ').next().unwrap_or_default()) {
                for short in known.get(short).into_iter().flatten().filter(|short| is_person(short)) {
                    longer.entry(*short).or_default().push(long);
                }
            }
        }
        let only = longer.into_iter().filter(|(_, longer)| longer.len() == 1);
        only.flat_map(|(short, longer)| longer.into_iter().map(move |long| (long, short, Likeness::ShortForm)))
            .collect()
    }

    /// Names that are the same but for accents, one of them without any; or that differ by one letter.
    fn spelled_alike(&self, known: &ByFolded, goes_on: &dyn Fn() -> bool) -> Vec<(EntityRef, EntityRef, Likeness)> {
        let plain = |entity: EntityRef| identity(&self.entity(entity).name) == folded(&self.entity(entity).name);
        let mut found = Vec::new();
        for same in known.values().take_while(|_| goes_on()) {
            for accented in same.iter().filter(|entity| !plain(**entity)) {
                for bare in same.iter().filter(|entity| plain(**entity)) {
                    found.push((*accented, *bare, Likeness::Accents));
                }
            }
        }
        let mut variants: HashMap<String, Vec<(&str, EntityRef)>> = HashMap::new();
        for (name, entities) in known.iter().filter(|(name, _)| may_be_misspelled(name)).take_while(|_| goes_on()) {
            for variant in with_one_letter_less(name) {
                variants.entry(variant).or_default().extend(entities.iter().map(|entity| (name.as_str(), *entity)));
            }
        }
        for alike in variants.values().filter(|alike| alike.len() > 1).take_while(|_| goes_on()) {
            for (place, (name, a)) in alike.iter().enumerate() {
                let others = alike[place + 1..]
                    .iter()
                    .filter(|(other, b)| self.entity(*a).kind == self.entity(*b).kind && is_misspelling(name, other));
                found.extend(others.map(|(_, b)| (*a.min(b), *a.max(b), Likeness::OneLetter)));
            }
        }
        found
    }

    /// The reasons to merge two similar names; `None` where there is only the similarity.
    fn reasons(&self, keep: EntityRef, other: EntityRef, likeness: Likeness) -> Option<Vec<String>> {
        let (a, b) = (self.entity(keep), self.entity(other));
        let mut reasons = vec![match likeness {
            Likeness::Contained => format!("{} is the only longer name with {} in it", a.name, b.name),
            Likeness::ShortForm => format!("{} is a short form of {}, the only such name", b.name, a.name),
            Likeness::Accents => "the same letters, once with accents and once without".to_owned(),
            Likeness::OneLetter => "the names differ in one letter".to_owned(),
        }];
        let together = self.posting(keep).iter().any(|row| self.posting(other).binary_search(row).is_ok());
        let sure = match likeness {
            Likeness::Contained => b.kind == EntityKind::Person && b.mentions <= a.mentions.saturating_mul(MOST_OFTEN),
            Likeness::ShortForm => !together,
            Likeness::Accents | Likeness::OneLetter => false,
        };
        if together && !sure {
            return None;
        }
        let shared = self.shared_company(keep, other);
        if shared.len() >= LEAST_SHARED {
            let named: Vec<&str> = shared.iter().take(3).map(|of| self.entity(*of).name.as_str()).collect();
            reasons.push(format!("both appear with {}", named.join(", ")));
        }
        let (first, then) = if a.first_seen <= b.first_seen { (a, b) } else { (b, a) };
        if first.last_seen < then.first_seen && first.days >= LEAST_DAYS && then.days >= LEAST_DAYS {
            let (ended, begun) = (first.last_seen, then.first_seen);
            reasons.push(format!("{} was last mentioned on {ended}, {} first on {begun}", first.name, then.name));
        }
        (sure || reasons.len() > 1).then_some(reasons)
    }

    /// The names that co-occur with both, the rarest first; empty where the co-occurrence of the two is not similar.
    fn shared_company(&self, a: EntityRef, b: EntityRef) -> Vec<EntityRef> {
        let (of_a, of_b) = (self.company(a), self.company(b));
        let length =
            |company: &BTreeMap<EntityRef, f32>| company.values().map(|weight| weight * weight).sum::<f32>().sqrt();
        let mut shared: Vec<(EntityRef, f32)> =
            of_a.iter().filter_map(|(entity, weight)| Some((*entity, weight * of_b.get(entity)?))).collect();
        let alike =
            shared.iter().map(|(_, weight)| weight).sum::<f32>() / (length(&of_a) * length(&of_b)).max(f32::EPSILON);
        if alike < LEAST_ALIKE {
            return Vec::new();
        }
        shared.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        shared.into_iter().map(|(entity, _)| entity).collect()
    }

    /// Names in the same entries, weighted: logarithm of the count, times inverse document frequency.
    fn company(&self, entity: EntityRef) -> BTreeMap<EntityRef, f32> {
        let rows = self.rows.len() as f32;
        let rarity = |other: EntityRef| (rows / self.posting(other).len().max(1) as f32).ln();
        let counts = self.together(entity, MOST_ROWS).into_iter();
        counts.map(|(other, count)| (other, (1.0 + count as f32).ln() * rarity(other))).collect()
    }
}

/// A typo can be recognised only in a name with enough letters; `Q1` and `Q2` are two names.
fn may_be_misspelled(name: &str) -> bool {
    name.chars().count() >= LEAST_LETTERS && !name.contains(|c: char| c.is_ascii_digit())
}

/// A different first letter or an `s` at the end makes another word more often than a typo.
fn is_misspelling(a: &str, b: &str) -> bool {
    let plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    a != b && a.chars().next() == b.chars().next() && !plural(a, b) && !plural(b, a)
}

/// The name, and every variant with one letter deleted: two names that share one of these differ in one letter.
fn with_one_letter_less(name: &str) -> Vec<String> {
    let mut variants = vec![name.to_owned()];
    for (at, letter) in name.char_indices() {
        variants.push([&name[..at], &name[at + letter.len_utf8()..]].concat());
    }
    variants
}
