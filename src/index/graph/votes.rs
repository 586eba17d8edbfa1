//! Votes over all mentions of a name: whether it is a name, its kind, and whether a phrase is a topic.

use std::{cmp::Reverse, collections::HashMap};

use serde::{Deserialize, Serialize};

use super::{IdentityId, KINDS, Names, interned::InternedMention};
use crate::{
    extract::{MentionSource, fold, untitled, unusualness},
    journal::EntityKind,
};

/// The result of the votes on one name. Small, because it is read for every mention.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Votes {
    /// One bit for each stated kind.
    stated: u8,
    /// It appears inside a sentence, or is marked as a name (not as a tag or mood), somewhere.
    pub named: bool,
    /// It is marked, a tag or a mood somewhere.
    pub marked: bool,
    /// It is frequent enough as a phrase to be a topic.
    returns: bool,
    /// A common word with a capital (`House`), without evidence that it is a name.
    plain: bool,
    /// The kind of an unmarked mention without a stated kind, and that of any other mention.
    bare: EntityKind,
    other: EntityKind,
    /// The one known name with accents that this name means, which is only written in text without accents.
    pub stands_for: Option<IdentityId>,
}

impl Votes {
    pub fn has(self, kind: EntityKind) -> bool {
        self.stated & bit(kind) != 0
    }

    /// The kind of a mention without one: the one stated kind, else the majority of the suggestions for unmarked
    /// mentions; a topic where there is none or more than one.
    pub fn unstated(self, source: MentionSource) -> EntityKind {
        match source {
            MentionSource::Capitals | MentionSource::SentenceStart => self.bare,
            _ => self.other,
        }
    }

    /// Whether a mention counts, by its source.
    pub fn counts(self, mention: &InternedMention) -> bool {
        match mention.source {
            MentionSource::Capitals if mention.kind.is_none() => !self.plain,
            MentionSource::Unaccented => self.named || self.stands_for.is_some(),
            MentionSource::SentenceStart => (self.named || self.stands_for.is_some()) && !self.plain,
            MentionSource::LowerCase => self.named || mention.guess.is_some(),
            MentionSource::Phrase => self.returns || self.marked,
            _ => true,
        }
    }
}

/// Whether an item is added to the counts or subtracted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    Comes,
    Goes,
}

impl Change {
    pub fn count(self, number: &mut u32) {
        match self {
            Self::Comes => *number += 1,
            Self::Goes => *number -= 1,
        }
    }
}

/// The vote counts of one name; what was counted can be subtracted again.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Number of mentions that state each kind.
    stated: [u32; KINDS],
    named: u32,
    marked: u32,
    /// Mentions in text without accents: in lower case, and capitalised (these are among `named`, too).
    unaccented: u32,
    unaccented_capitals: u32,
    /// Capitalised mentions, with a title before them and without.
    titled: u32,
    untitled: u32,
    /// Number of mentions as an ordinary phrase, and number of their entries.
    phrases: u32,
    entries: u32,
    /// Number of suggestions for each kind, by the words around unmarked mentions.
    guessed: [u32; KINDS],
}

/// See [`unusualness`]: of a name of one word (0 for any other), and of the whole phrase.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unusual {
    word: u32,
    phrase: u32,
}

impl Unusual {
    pub fn of(identity: &str) -> Self {
        let phrase = unusualness(identity);
        Self { word: if identity.contains(' ') { 0 } else { phrase }, phrase }
    }
}

impl Tally {
    fn count(&mut self, mention: &InternedMention, change: Change) {
        let count = |number| change.count(number);
        match (mention.source, mention.kind) {
            (MentionSource::Capitals, Some(_)) => count(&mut self.titled),
            (MentionSource::Capitals | MentionSource::SentenceStart, None) => count(&mut self.untitled),
            (MentionSource::Phrase, _) => count(&mut self.phrases),
            (MentionSource::Cause | MentionSource::Clause, _) | (_, None) => {}
            (_, Some(kind)) => count(&mut self.stated[kind as usize]),
        }
        if let Some(guess) = mention.guess {
            count(&mut self.guessed[guess as usize]);
        }
        match mention.source {
            MentionSource::Tag | MentionSource::Mood => count(&mut self.marked),
            MentionSource::At | MentionSource::Link | MentionSource::Field => {
                count(&mut self.marked);
                count(&mut self.named);
            }
            MentionSource::Capitals => count(&mut self.named),
            _ => {}
        }
    }

    fn votes(self, unusual: Unusual, returns: bool) -> Votes {
        let [named, marked] = [self.named > 0, self.marked > 0];
        let stated = self.stated();
        let suggested = self.suggested(unusual.word);
        // "The Inn", where the writer also goes to the inn: the capital makes no name.
        let common = unusual.word == 1 || unusual.word == 2 && self.phrases >= self.untitled;
        let plain = !marked && stated == 0 && common && suggested.is_none();
        let [bare, other] = [true, false].map(|bare| unstated(stated, bare, suggested));
        Votes { stated, named, marked, returns, plain, bare, other, stands_for: None }
    }

    fn stated(self) -> u8 {
        let kinds = EntityKind::ALL.into_iter().filter(|kind| self.stated[*kind as usize] > 0);
        let stated = kinds.fold(0, |stated, kind| stated | bit(kind));
        // A single "Mr. King" does not turn a frequent "king" into a person.
        let titled = self.titled > 0 && self.titled.saturating_mul(3) >= self.untitled;
        stated | if titled { bit(EntityKind::Person) } else { 0 }
    }

    /// The kind that more than half of the suggestions name, if they are at least a quarter of the unmarked mentions.
    /// A word that is in no word list is most often a person's name: for that a tenth of them is enough, if more than
    /// one.
    fn suggested(self, unusual: u32) -> Option<EntityKind> {
        let all: u32 = self.guessed.iter().sum();
        let most =
            EntityKind::ALL.into_iter().max_by_key(|kind| (self.guessed[*kind as usize], Reverse(*kind as usize)))?;
        let votes = self.guessed[most as usize];
        let enough = votes.saturating_mul(4) >= self.untitled
            || unusual == STRANGE
                && most == EntityKind::Person
                && votes > 1
                && votes.saturating_mul(10) >= self.untitled;
        (votes * 2 > all && enough).then_some(most)
    }
}

fn unstated(stated: u8, bare: bool, suggested: Option<EntityKind>) -> EntityKind {
    let mut fitting = EntityKind::ALL.into_iter().filter(|kind| {
        stated & bit(*kind) != 0 && *kind != EntityKind::Topic && !(bare && *kind == EntityKind::Emotion)
    });
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => only,
        (None, _) => suggested.unwrap_or(EntityKind::Topic),
        _ => EntityKind::Topic,
    }
}

fn bit(kind: EntityKind) -> u8 {
    1 << kind as u8
}

/// The [`unusualness`] of a word that is in no list.
const STRANGE: u32 = 3;

/// Adds the mentions of one entry to the counts, or subtracts them.
pub(super) fn tally(tallies: &mut [Tally], names: &Names, said: &[InternedMention], change: Change) {
    let mut phrases: Vec<IdentityId> = Vec::new();
    for mention in said {
        let identity = names.identity_of(mention.name);
        let tally = &mut tallies[identity as usize];
        tally.count(mention, change);
        if mention.source == MentionSource::Unaccented {
            let capital = names.text(mention.name).starts_with(|c: char| c.is_ascii_uppercase());
            change.count(if capital { &mut tally.unaccented_capitals } else { &mut tally.unaccented });
        }
        if mention.source == MentionSource::Phrase {
            phrases.push(identity);
        }
    }
    phrases.sort_unstable();
    phrases.dedup();
    phrases.into_iter().for_each(|identity| change.count(&mut tallies[identity as usize].entries));
}

/// The votes on all names, in a journal with this number of entries.
pub(super) fn votes(tallies: &[Tally], unusual: &[Unusual], names: &Names, entries: usize) -> Vec<Votes> {
    let returns = returning(tallies, unusual, entries);
    let counted = tallies.iter().zip(unusual).zip(returns);
    let mut votes: Vec<Votes> = counted.map(|((tally, unusual), returns)| tally.votes(*unusual, returns)).collect();
    for (plain, accented) in unaccented(tallies, names, &votes) {
        votes[plain as usize].stands_for = Some(accented);
    }
    votes
}

/// A topic is known well enough to be meant without accents after this many mentions.
const KNOWN_TOPIC: u32 = 4;
/// Minimum number of letters of a name of several syllables that is also written as one word.
const LEAST_LETTERS: usize = 5;

/// The names that are written only in text without accents, each with the one known name that it means. A pass over
/// the names with accents, where there is such text.
fn unaccented(tallies: &[Tally], names: &Names, votes: &[Votes]) -> Vec<(IdentityId, IdentityId)> {
    let mut plain: HashMap<&str, (Vec<IdentityId>, Vec<IdentityId>)> = HashMap::new();
    for (id, tally) in (0..).zip(tallies) {
        if tally.unaccented + tally.unaccented_capitals > 0 && tally.named <= tally.unaccented_capitals {
            plain.entry(untitled(&names.identities[id as usize])).or_default().0.push(id);
        }
    }
    if plain.is_empty() {
        return Vec::new();
    }
    for (id, name) in (0..).zip(&names.identities).filter(|(_, name)| !name.is_ascii()) {
        let (vote, tally) = (votes[id as usize], tallies[id as usize]);
        let known = match vote.bare {
            EntityKind::Emotion => false,
            EntityKind::Topic => tally.named >= KNOWN_TOPIC,
            _ => true,
        };
        if !(vote.named && known && !vote.plain) {
            continue;
        }
        let folded = fold(name);
        let joined = folded.replace(' ', "");
        let joined = Some(joined).filter(|joined| joined.len() >= LEAST_LETTERS && *joined != folded);
        for key in [Some(folded), joined].into_iter().flatten() {
            if let Some((_, accented)) = plain.get_mut(key.as_str()) {
                accented.push(id);
            }
        }
    }
    let only = plain.into_values().filter(|(_, accented)| accented.len() == 1);
    only.flat_map(|(plain, accented)| plain.into_iter().map(move |plain| (plain, accented[0]))).collect()
}

/// Minimum number of entries of a topic by phrase.
const TOPIC_ENTRIES: u32 = 3;
/// A phrase in more than one of this many entries is a habit of the writer, not a topic.
const TOPIC_SHARE: u32 = 5;
/// Maximum number of topics by phrase: a base, plus one for every so many entries.
const MOST_TOPICS: usize = 20;
const ENTRIES_A_TOPIC: usize = 25;

/// The frequent phrases: in at least three entries and in at most a fifth of them, the most frequent and unusual
/// ones. A few good ones rather than all.
fn returning(tallies: &[Tally], unusual: &[Unusual], entries: usize) -> Vec<bool> {
    let often = (entries as u32 / TOPIC_SHARE).max(TOPIC_ENTRIES);
    let names = tallies.iter().zip(unusual).enumerate();
    let returns = names.filter(|(_, (tally, _))| (TOPIC_ENTRIES..=often).contains(&tally.entries));
    let mut topics: Vec<(u32, usize)> =
        returns.map(|(identity, (tally, unusual))| (tally.entries * unusual.phrase, identity)).collect();
    // Identity numbers depend on the order of reading, so they must not break ties: at the limit, all phrases of
    // equal score stay, or none.
    topics.sort_unstable_by_key(|(worth, _)| Reverse(*worth));
    let most = MOST_TOPICS + entries / ENTRIES_A_TOPIC;
    if let Some((edge, _)) = topics.get(most).copied() {
        topics.retain(|(worth, _)| *worth > edge);
    }
    let mut found = vec![false; tallies.len()];
    topics.into_iter().for_each(|(_, identity)| found[identity] = true);
    found
}
