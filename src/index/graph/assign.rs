//! Assignment of an entry's mentions to names and kinds, by the votes on each name; other entries have no other
//! influence.

use std::ops::Range;

use super::{KINDS, Names, Slot, SpellingId, interned::InternedExtract, votes::Votes};
use crate::extract::MentionSource;

/// A mention that counts, with its name and kind.
#[derive(Debug, Clone)]
pub(super) struct Assigned {
    pub slot: Slot,
    pub spelling: SpellingId,
    pub source: MentionSource,
    pub span: Range<u32>,
}

/// Assigns a name and a kind to every mention of an entry, and drops mentions that turn out to be no name.
pub(super) fn assign(names: &Names, votes: &[Votes], held: &InternedExtract) -> Vec<Assigned> {
    let mut assigned = Vec::new();
    let (mut taken, mut named) = (0, 0);
    for mention in &held.mentions {
        let identity = names.identity_of(mention.name);
        let vote = votes[identity as usize];
        // The longer of two readings comes first; if it is a name, the shorter reading inside it is dropped.
        let within = !mention.span.is_empty() && mention.span.start < taken && is_reading(mention.source);
        let beside = mention.source == MentionSource::Unaccented && mention.span.start < named;
        if within || beside || !vote.counts(mention) {
            continue;
        }
        if matches!(mention.source, MentionSource::SentenceStart | MentionSource::LowerCase) {
            taken = mention.span.end;
        }
        if !mention.source.is_ordinary() && mention.source != MentionSource::Tag {
            named = named.max(mention.span.end);
        }
        // A tag tells the subject of an entry, not the kind of that subject.
        let phrase = matches!(mention.source, MentionSource::Phrase | MentionSource::Cause | MentionSource::Clause);
        let tag = mention.source == MentionSource::Tag || (phrase && vote.marked);
        let kind = mention.kind.filter(|kind| !tag && (phrase || vote.has(*kind)));
        let kind = kind.unwrap_or_else(|| vote.unstated(mention.source));
        let slot = identity as Slot * KINDS + kind as Slot;
        assigned.push(Assigned { slot, spelling: mention.name, source: mention.source, span: mention.span.clone() });
    }
    assigned
}

/// Whether the mention may overlap another reading of the same words.
fn is_reading(source: MentionSource) -> bool {
    use MentionSource::{Capitals, LowerCase, Phrase, SentenceStart};
    matches!(source, SentenceStart | Capitals | LowerCase | Phrase)
}
