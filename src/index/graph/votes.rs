//! What all mentions of a name say together: whether it is one, of which kind, and whether a phrase is a topic.

use std::cmp::Reverse;

use super::{
    decide::{KINDS, NOBODY, Said},
    names::{IdentityId, Names},
};
use crate::{
    extract::{MentionSource, unusualness},
    journal::EntityKind,
};

/// What all mentions together say of one name, in few bytes: every mention asks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Votes {
    /// One bit for each kind that some mention states.
    stated: u8,
    /// It stands inside a sentence, or is marked as a name (not as a tag or mood) somewhere.
    pub named: bool,
    /// A mark, a tag or a mood names it somewhere.
    pub marked: bool,
    /// It comes back as a phrase often enough to be a topic.
    returns: bool,
    /// One of the words that everybody uses every day, with a capital (`House`), of which nothing says that it is a name.
    plain: bool,
    /// The kind of a bare mention without one, and that of any other.
    bare: EntityKind,
    other: EntityKind,
}

impl Votes {
    pub fn has(self, kind: EntityKind) -> bool {
        self.stated & bit(kind) != 0
    }

    /// The kind of a mention without one: the one stated kind, else what most of the bare mentions suggest; a topic where
    /// there is none or more than one.
    pub fn unstated(self, source: MentionSource) -> EntityKind {
        match source {
            MentionSource::Capitals | MentionSource::SentenceStart => self.bare,
            _ => self.other,
        }
    }

    /// Whether a mention of this kind of source counts.
    pub fn counts(self, mention: &Said) -> bool {
        match mention.source {
            MentionSource::Capitals if mention.kind.is_none() => !self.plain,
            MentionSource::SentenceStart => self.named && !self.plain,
            MentionSource::LowerCase => self.named || mention.guess.is_some(),
            MentionSource::Phrase => self.returns || self.marked,
            _ => true,
        }
    }
}

/// The votes on one name while they are counted.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    stated: u8,
    named: bool,
    marked: bool,
    returns: bool,
    /// Mentions by capitals, with a title before them and without.
    titled: u32,
    untitled: u32,
    /// How often it stands as an ordinary phrase.
    phrases: u32,
    /// How often each kind is suggested by the words around a bare name.
    guessed: [u32; KINDS],
}

impl Tally {
    fn votes(self, identity: &str) -> Votes {
        let Self { stated, named, marked, returns, .. } = self;
        let unusual = if identity.contains(' ') { 0 } else { unusualness(identity) };
        let suggested = self.suggested(unusual);
        // "The Inn" of a writer who also goes to the inn: the capital makes no name.
        let common = unusual == 1 || unusual == 2 && self.phrases >= self.untitled;
        let plain = !marked && stated == 0 && common && suggested.is_none();
        let [bare, other] = [true, false].map(|bare| self.unstated(bare, suggested));
        Votes { stated, named, marked, returns, plain, bare, other }
    }

    fn unstated(self, bare: bool, suggested: Option<EntityKind>) -> EntityKind {
        let mut fitting = EntityKind::ALL.into_iter().filter(|kind| {
            self.stated & bit(*kind) != 0 && *kind != EntityKind::Topic && !(bare && *kind == EntityKind::Emotion)
        });
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            (None, _) => suggested.unwrap_or(EntityKind::Topic),
            _ => EntityKind::Topic,
        }
    }

    /// The kind that more than half of the suggestions name, if they are at least a quarter of the bare mentions. A word that no
    /// list knows is a person's name more often than all else together: for that a tenth of them is enough, if more than one.
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

fn bit(kind: EntityKind) -> u8 {
    1 << kind as u8
}

/// What [`unusualness`] gives a word that no list has.
const STRANGE: u32 = 3;

/// Counts every mention for its name; `starts`: where the mentions of each row begin.
pub(super) fn votes(names: &Names, starts: &[u32], said: &[Said]) -> Vec<Votes> {
    let mut votes = vec![Tally::default(); names.identities.len()];
    for mention in said {
        let vote = &mut votes[mention.identity as usize];
        match (mention.source, mention.kind) {
            (MentionSource::Capitals, Some(_)) => vote.titled += 1,
            (MentionSource::Capitals | MentionSource::SentenceStart, None) => vote.untitled += 1,
            (MentionSource::Phrase, _) => vote.phrases += 1,
            (MentionSource::Cause | MentionSource::Clause, _) => {}
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
    for identity in returning(names, starts, said) {
        votes[identity as usize].returns = true;
    }
    votes.into_iter().zip(&names.identities).map(|(tally, identity)| tally.votes(identity)).collect()
}

/// A phrase is a topic from this many entries on.
const TOPIC_ENTRIES: u32 = 3;
/// A phrase in more than one of so many entries is a habit of the writer, no topic.
const TOPIC_SHARE: u32 = 5;
/// The most topics by phrase: so many, and one more for so many entries.
const MOST_TOPICS: usize = 20;
const ENTRIES_A_TOPIC: usize = 25;

/// The phrases that come back: in at least three entries and in at most a fifth of them, the most frequent and unusual
/// ones. Few good ones rather than all.
fn returning(names: &Names, starts: &[u32], said: &[Said]) -> Vec<IdentityId> {
    let identities = names.identities.len();
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
    let returns = |identity: &IdentityId| (TOPIC_ENTRIES..=often).contains(&counts[*identity as usize]);
    let worth = |identity: IdentityId| counts[identity as usize] * unusualness(&names.identities[identity as usize]);
    let mut topics: Vec<(u32, IdentityId)> =
        (0..identities as IdentityId).filter(returns).map(|identity| (worth(identity), identity)).collect();
    // Numbers of identities depend on the order of reading: at the edge all of one worth stay, or none.
    topics.sort_unstable_by_key(|(worth, _)| Reverse(*worth));
    let most = MOST_TOPICS + rows / ENTRIES_A_TOPIC;
    if let Some((edge, _)) = topics.get(most).copied() {
        topics.retain(|(worth, _)| *worth > edge);
    }
    topics.into_iter().map(|(_, identity)| identity).collect()
}
