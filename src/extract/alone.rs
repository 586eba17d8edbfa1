//! Who and what a text names when there is no journal to ask: the sure mentions, and those that well-known names speak for.

use super::{Extract, Mention, MentionSource};

impl Extract {
    /// The mentions that count without other entries, in text order, none inside another of a name. A journal may know more, and
    /// better: `index::graph` decides from all of its mentions.
    pub fn alone(&self) -> Vec<&Mention> {
        let mut found: Vec<&Mention> = Vec::new();
        for sure in [true, false] {
            for mention in self.mentions.iter().filter(|mention| is_sure(mention) == sure && counts(mention)) {
                let taken = |other: &&Mention| {
                    let empty = mention.span.is_empty() || other.span.is_empty();
                    !empty && other.span.start < mention.span.end && mention.span.start < other.span.end
                };
                if !found.iter().any(taken) {
                    found.push(mention);
                }
            }
        }
        found.sort_by_key(|mention| mention.span.start);
        found
    }
}

fn is_sure(mention: &Mention) -> bool {
    !matches!(mention.source, MentionSource::SentenceStart | MentionSource::Cause)
}

fn counts(mention: &Mention) -> bool {
    match mention.source {
        MentionSource::SentenceStart | MentionSource::LowerCase => mention.guess.is_some(),
        MentionSource::Phrase => false,
        _ => true,
    }
}
