//! Mentions in a text without a journal: certain ones, and those in lists of well-known names.

use super::{Extract, Mention, MentionSource, ORDINARY, fold::is_vietnamese, fold_case};
use crate::journal::EntityKind;

impl Extract {
    /// The mentions that count without other entries, with the most likely kind of each, in text order, without
    /// nesting. A journal may decide better: `index::graph` uses all of its mentions.
    pub fn alone(&self) -> Vec<(&Mention, EntityKind)> {
        let mut found: Vec<&Mention> = Vec::new();
        for sure in [true, false] {
            for mention in self.mentions.iter().filter(|mention| is_sure(mention) == sure && counts(mention)) {
                let taken = |other: &&Mention| {
                    let empty = mention.span.is_empty() || other.span.is_empty();
                    !empty && super::overlap(&other.span, &mention.span)
                };
                if !found.iter().any(taken) {
                    found.push(mention);
                }
            }
        }
        found.sort_by_key(|mention| mention.span.start);
        found
            .into_iter()
            .map(|mention| (mention, mention.kind.or(mention.guess).unwrap_or_else(|| prior(mention))))
            .collect()
    }
}

fn is_sure(mention: &Mention) -> bool {
    !matches!(mention.source, MentionSource::SentenceStart | MentionSource::Cause | MentionSource::Clause)
}

fn counts(mention: &Mention) -> bool {
    match mention.source {
        MentionSource::SentenceStart | MentionSource::LowerCase => mention.guess.is_some(),
        MentionSource::Phrase | MentionSource::Clause | MentionSource::Unaccented => false,
        MentionSource::Capitals => mention.kind.is_some() || mention.guess.is_some() || !is_ordinary(&mention.name),
        _ => true,
    }
}

/// A single ordinary word with a capital and no evidence is emphasis in seven of eight cases.
fn is_ordinary(name: &str) -> bool {
    !name.contains(' ') && ORDINARY.names_nobody(&fold_case(name))
}

/// A capitalised name without evidence, none of whose words is ordinary, is more often a person than all other kinds
/// together; of several Vietnamese syllables it is more often a place.
fn prior(mention: &Mention) -> EntityKind {
    let bare = mention.source == MentionSource::Capitals;
    let strange = |word: &str| !ORDINARY.has(&fold_case(word)) && !word.chars().any(|c| c.is_ascii_digit());
    let shouted = mention.name.chars().all(|c| c.is_uppercase());
    let syllables = mention.name.contains(' ') && mention.name.split_whitespace().any(is_vietnamese);
    if bare && !shouted && !syllables && mention.name.split_whitespace().all(strange) {
        EntityKind::Person
    } else {
        EntityKind::Topic
    }
}
