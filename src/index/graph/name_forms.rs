//! Two forms of one name: without accents (`thao`), as one word (`Saigon`), short (`Doug`), with a title
//! (`Dona Lurdes`), a Vietnamese double name by its last word (`My` for `Hà My`).
//!
//! Each rule needs exactly one candidate, and both names the same kind or one of unknown kind. Names with only an "and"
//! or a comma between them somewhere are two. Whatever is less certain is a proposal.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Entity, KINDS, NO_ENTITY, folded, identity, mention_counts::MentionCounts};
use crate::{
    extract::{is_spelt_right, is_syllable, is_title, short_names},
    journal::EntityKind,
};

/// Of a name and its short form, people use one daily and the other seldom: this many times as often. Where both are
/// frequent, there may be two persons.
const MUCH_OFTENER: u32 = 4;
/// Minimum number of letters of a name that is written in two ways.
const LEAST_LETTERS: usize = 5;
/// Minimum number of entries with both a double name and its last word.
const LEAST_TOGETHER: u32 = 2;
/// A name with a title explains the name alone up to this many times its own mentions.
const MOST_OFTEN: u32 = 3;
/// Bytes of the longest text between two names that only joins them: ` with `.
const LONGEST_JOIN: u32 = 6;

/// The entity that is merged, and the one that it is merged with.
type Pair = (u32, u32);

/// The names written without accents, each with the entity that it means.
pub(super) fn unaccented(entities: &[Entity], counts: &MentionCounts, entity_of: &[u32]) -> Vec<Pair> {
    let homonyms = |identity: usize| {
        let of = entity_of.get(identity * KINDS..(identity + 1) * KINDS).unwrap_or_default();
        of.iter().copied().filter(|entity| *entity != NO_ENTITY)
    };
    let stands = counts.votes.iter().enumerate().filter_map(|(plain, vote)| Some((plain, vote.stands_for?)));
    let pairs = stands.flat_map(|(plain, accented)| {
        let known = homonyms(accented as usize).filter(|at| entities[*at as usize].kind != EntityKind::Emotion);
        // The most mentioned comes first.
        let meant = known.min();
        homonyms(plain).filter_map(move |plain| Some((plain, meant?)))
    });
    let kind = |at: u32| entities[at as usize].kind;
    let is_alike = |(plain, accented): &Pair| {
        kind(*plain) == kind(*accented) || [kind(*plain), kind(*accented)].contains(&EntityKind::Topic)
    };
    let mut pairs: Vec<Pair> = pairs.filter(|pair| kind(pair.0) != EntityKind::Emotion && is_alike(pair)).collect();
    let (beside, _) = met(pairs.iter(), counts, entity_of);
    pairs.retain(|pair| !beside.contains(pair));
    pairs
}

/// All other pairs.
pub(super) fn pairs(entities: &[Entity], counts: &MentionCounts, entity_of: &[u32]) -> Vec<Pair> {
    let mut found = spelled_together(entities);
    let people = People::of(entities);
    found.extend(people.short_forms());
    found.extend(people.titled());
    let doubles = people.double_names();
    let marked = marked(counts, entity_of);
    found.retain(|(a, b)| !marked.contains(a) && !marked.contains(b));
    let (beside, together) = met(found.iter().chain(&doubles), counts, entity_of);
    found.retain(|pair| !beside.contains(pair));
    found.extend(doubles.into_iter().filter(|pair| {
        together.get(pair).is_some_and(|entries| *entries >= LEAST_TOGETHER) && !marked.contains(&pair.0)
    }));
    found
}

/// The entities that markup (`@Anna`, `[[Anna]]`) names exactly so.
pub(super) fn marked(counts: &MentionCounts, entity_of: &[u32]) -> HashSet<u32> {
    let slots = counts.mentioned.iter().zip(entity_of);
    slots.filter(|(mentioned, _)| mentioned.marked > 0).map(|(_, entity)| *entity).collect()
}

/// `Sài Gòn` and `Saigon`: the same letters, one of the two without accents. `Thành` and `Thanh` are two names.
fn spelled_together(entities: &[Entity]) -> Vec<Pair> {
    let mut same: HashMap<String, Vec<u32>> = HashMap::new();
    let is_name = |entity: &Entity| {
        entity.kind != EntityKind::Emotion && entity.name.chars().next().is_some_and(char::is_uppercase)
    };
    let accented = entities.iter().any(|entity| !entity.name.is_ascii() && is_name(entity));
    for (at, entity) in entities.iter().enumerate().filter(|(_, entity)| accented && is_name(entity)) {
        let letters = folded(&entity.name).replace(' ', "");
        if letters.chars().count() >= LEAST_LETTERS {
            same.entry(letters).or_default().push(at as u32);
        }
    }
    let pairs = same.into_iter().filter_map(|(letters, found)| match found[..] {
        [a, b] => Some((letters, a, b)),
        _ => None,
    });
    let of = |at: u32| &entities[at as usize];
    let pairs = pairs.filter(|(letters, a, b)| {
        let (a, b) = (of(*a), of(*b));
        let kinds = a.kind == b.kind || a.kind == EntityKind::Topic || b.kind == EntityKind::Topic;
        kinds && a.name.is_ascii() != b.name.is_ascii() && !is_syllable(letters)
    });
    pairs.map(|(_, a, b)| (a.max(b), a.min(b))).collect()
}

/// The persons of a journal by name.
struct People<'a> {
    entities: &'a [Entity],
    /// Persons with a name of one word that is a name of nothing else, and names of unknown kind that are no English word.
    single: HashMap<String, u32>,
    /// Persons with a name of several words.
    several: Vec<(u32, Vec<String>)>,
}

impl<'a> People<'a> {
    fn of(entities: &'a [Entity]) -> Self {
        let (mut single, mut several, mut others) = (HashMap::new(), Vec::new(), HashSet::new());
        for (at, entity) in entities.iter().enumerate() {
            let name = identity(&entity.name);
            match (entity.kind, name.contains(' ')) {
                (kind, false) if kind == EntityKind::Person || kind == EntityKind::Topic && !is_spelt_right(&name) => {
                    if single.insert(name.clone(), at as u32).is_some() {
                        others.insert(name);
                    }
                }
                (EntityKind::Person, true) => {
                    several
                        .push((at as u32, name.split(' ').map(|word| word.trim_end_matches('.').to_owned()).collect()));
                }
                (_, false) => drop(others.insert(name)),
                (_, true) => {}
            }
        }
        single.retain(|name, _| !others.contains(name));
        Self { entities, single, several }
    }

    fn mentions(&self, at: u32) -> u32 {
        self.entities[at as usize].mentions
    }

    /// The less frequent of a given name and its short form, with the other.
    fn short_forms(&self) -> Vec<Pair> {
        let first = self.several.iter().filter_map(|(at, words)| Some((words.first()?, *at)));
        let mut longer: HashMap<u32, Vec<(u32, bool)>> = HashMap::new();
        let full = self.single.iter().map(|(name, at)| (name, *at));
        for (alone, (name, at)) in full.map(|name| (true, name)).chain(first.map(|name| (false, name))) {
            for short in short_names(name).into_iter().filter_map(|short| self.single.get(short)) {
                longer.entry(*short).or_default().push((at, alone));
            }
        }
        only(longer)
            .map(|(short, long)| (short.max(long), short.min(long)))
            .filter(|(seldom, often)| self.mentions(*often) >= self.mentions(*seldom).saturating_mul(MUCH_OFTENER))
            .collect()
    }

    /// A name, with the only one that is the same behind a title.
    fn titled(&self) -> Vec<Pair> {
        let often = |short, long| self.mentions(short) > self.mentions(long).saturating_mul(MOST_OFTEN);
        self.only_longer(|_, words| words.len() == 2 && is_title(&words[0]))
            .filter(|(short, long)| !often(*short, *long))
            .map(|(a, b)| if self.mentions(a) >= self.mentions(b) { (b, a) } else { (a, b) })
            .collect()
    }

    /// The last word of a Vietnamese double name, where no other name ends so.
    fn double_names(&self) -> Vec<Pair> {
        self.only_longer(|name, words| words.len() == 2 && is_double_name(name)).collect()
    }

    /// Each name of one word with the only name that ends with it, if that is of this form.
    fn only_longer(&self, is_form: fn(&str, &[String]) -> bool) -> impl Iterator<Item = Pair> {
        let mut longer: HashMap<u32, Vec<(u32, bool)>> = HashMap::new();
        for (at, words) in &self.several {
            if let Some(short) = words.last().and_then(|last| self.single.get(last)) {
                let form = is_form(&self.entities[*at as usize].name, words);
                longer.entry(*short).or_default().push((*at, form));
            }
        }
        only(longer)
    }
}

/// The names with one longer name, if that has the wanted form.
fn only(longer: HashMap<u32, Vec<(u32, bool)>>) -> impl Iterator<Item = Pair> {
    longer.into_iter().filter_map(|(short, longer)| match longer[..] {
        [(long, true)] => Some((short, long)),
        _ => None,
    })
}

/// `Hà My`, `Đức Anh`: Vietnamese syllables, at least one of them with an accent.
pub(super) fn is_double_name(name: &str) -> bool {
    let folded = folded(name);
    !name.is_ascii() && folded.split(' ').all(is_syllable) && folded.split(' ').all(|word| !is_title(word))
}

/// Of some pairs, those of which two mentions are somewhere joined by little more than an "and", and the number of
/// entries with both. A pass over all mentions, unless there are no pairs.
pub(super) fn met<'a>(
    pairs: impl Iterator<Item = &'a Pair>,
    counts: &MentionCounts,
    entity_of: &[u32],
) -> (HashSet<Pair>, BTreeMap<Pair, u32>) {
    let mut partners: HashMap<u32, Vec<Pair>> = HashMap::new();
    for pair in pairs {
        partners.entry(pair.0).or_default().push(*pair);
    }
    let (mut beside, mut together) = (HashSet::new(), BTreeMap::new());
    if partners.is_empty() {
        return (beside, together);
    }
    // By slot: it is read for every mention.
    let wanted: Vec<bool> = entity_of.iter().map(|entity| partners.contains_key(entity)).collect();
    for here in counts.mentions.rows() {
        let mut both: HashSet<Pair> = HashSet::new();
        for [slot, start, end] in here.iter().filter(|[slot, ..]| wanted[*slot as usize]) {
            for pair in &partners[&entity_of[*slot as usize]] {
                for [_, from, to] in here.iter().filter(|[other, ..]| entity_of[*other as usize] == pair.1) {
                    both.insert(*pair);
                    let gap = from.checked_sub(*end).or(start.checked_sub(*to));
                    if gap.is_some_and(|gap| gap <= LONGEST_JOIN) {
                        beside.insert(*pair);
                    }
                }
            }
        }
        both.into_iter().for_each(|pair| *together.entry(pair).or_default() += 1);
    }
    (beside, together)
}
