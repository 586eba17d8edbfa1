//! Attribution of a sentence: asserted by the writer, hedged, reported speech, or a dream.

use std::ops::Range;

use super::{
    Class, Gap, Shape, class,
    connective_sense::begins_clause,
    reported_speech::{LONGEST_SPEAKER, WORDS},
    text::Text,
};

/// Commitment of the writer to a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribution {
    Own,
    /// "Maybe", "I think": hedged, or said by another person.
    Unsure,
    /// "I dreamt that", "I doubt": not asserted.
    Unreal,
}

/// Maximum distance of a hedge after a connective: "because maybe".
const RIGHT_BEHIND: usize = 2;
/// Maximum distance of a hedge before it: "I think because".
const RIGHT_BEFORE: usize = 2;

/// The attribution of a connective. `ends_here`: the cause follows the connective, so everything before it may be
/// reported; in "Linh said she was ill, so I stayed" only the first half is.
pub(super) fn voice(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>, ends_here: bool) -> Attribution {
    if text.is_quoted(link.start) || is_according(text, sentence, link.start) || is_told_behind(text, sentence, link) {
        return Attribution::Unsure;
    }
    let mut voice = Attribution::Own;
    if ends_here {
        for at in sentence.start..link.start {
            voice = told_at(text, sentence, at, link.start).unwrap_or(voice);
            if voice == Attribution::Unreal {
                return voice;
            }
        }
    }
    let near = sentence.start..sentence.end.min(link.end + RIGHT_BEHIND);
    // "Tired, I think because of work".
    let guessed =
        (sentence.start..link.start).rev().take(RIGHT_BEFORE).any(|at| WORDS.guesses.contains(text.keys[at].as_str()));
    let doubts = |at: usize| {
        WORDS.perhaps.contains(text.keys[at].as_str())
            || text.keys[at] == "có" && matches!(text.key_in(sentence, at + 1), "lẽ" | "thể")
            || (text.keys[at] == "may" && text.words[at].shape == Shape::Lower && at < link.start)
    };
    if guessed || near.into_iter().any(doubts) { Attribution::Unsure } else { voice }
}

/// The attribution by a verb of saying, guessing or dreaming for the words up to `until`; `None` if there is no such
/// verb at `at`, or if the writer is the subject again.
fn told_at(text: &Text<'_>, sentence: &Range<usize>, at: usize, until: usize) -> Option<Attribution> {
    let key = text.keys[at].as_str();
    let (tells, guesses, imagines) =
        (WORDS.tells.contains(key), WORDS.guesses.contains(key), WORDS.imagines.contains(key));
    if !(tells || guesses || imagines) {
        return None;
    }
    let denied = (sentence.start..at).rev().take(3).any(|before| {
        let key = text.keys[before].as_str();
        matches!(key, "not" | "never" | "không" | "chẳng" | "đừng") || key.ends_with("n't")
    });
    let is_writer = is_writer(text, sentence, at)?;
    let from = clause_told(text, at + 1, until)?;
    if goes_on(text, from, until) {
        return None;
    }
    match (is_writer, imagines, guesses) {
        (true, true, _) => Some(Attribution::Unreal),
        (true, _, true) if denied => Some(Attribution::Unreal),
        (true, _, true) | (false, ..) => Some(Attribution::Unsure),
        // "I said that I was tired because of it" is asserted by the writer.
        (true, false, false) => None,
    }
}

/// Whether the subject is the writer: the word before the verb, skipping adverbs and auxiliaries; the writer where there
/// is none. `None` if that word is no subject, as after an article or "to".
fn is_writer(text: &Text<'_>, sentence: &Range<usize>, verb: usize) -> Option<bool> {
    let skipped = |at: &usize| {
        matches!(class(text, *at), Class::Adverb | Class::Auxiliary) || WORDS.between.contains(text.keys[*at].as_str())
    };
    let first = (sentence.start..verb).rev().take_while(skipped).last().unwrap_or(verb);
    // "Dreamt I was late": diaries leave out the writer.
    let Some(speaker) = first.checked_sub(1).filter(|at| *at >= sentence.start) else { return Some(true) };
    let is_somebody =
        !matches!(class(text, speaker), Class::Article | Class::Preposition | Class::Closer | Class::Determiner);
    let is_writer = WORDS.writer.contains(text.keys[speaker].as_str());
    (is_somebody && text.words[verb].gap <= Gap::Space).then_some(is_writer)
}

/// Start of a reporting verb's complement, skipping the addressee; after "that" anything is one.
fn clause_told(text: &Text<'_>, from: usize, end: usize) -> Option<usize> {
    for at in from..end {
        if matches!(text.keys[at].as_str(), "that" | "rằng" | "là" | "how") && at + 1 < end {
            return Some(at + 1);
        }
        if begins_clause(text, at, end) {
            return Some(at);
        }
        if !WORDS.told.contains(text.keys[at].as_str()) {
            return None;
        }
    }
    None
}

/// "Linh said it was off and I was glad because": the writer is the subject again before the connective.
fn goes_on(text: &Text<'_>, from: usize, until: usize) -> bool {
    (from + 1..until.saturating_sub(1)).any(|at| {
        matches!(text.keys[at].as_str(), "and" | "but" | "so" | "và" | "nhưng" | "nên")
            && WORDS.writer.contains(text.keys[at + 1].as_str())
    })
}

/// "According to Linh, …", "Theo Linh, …".
fn is_according(text: &Text<'_>, sentence: &Range<usize>, link: usize) -> bool {
    let comma = (sentence.start + 1..link).find(|at| text.breaks(*at));
    let names_somebody = comma.is_some_and(|comma| comma > sentence.start + 1 && comma <= sentence.start + 6);
    names_somebody && matches!(text.keys[sentence.start].as_str(), "according" | "theo")
}

/// "…, said Linh" and "…, Linh says" at the end of the sentence.
fn is_told_behind(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let Some(comma) = (link.end + 1..sentence.end).rev().find(|at| text.breaks(*at)) else {
        return false;
    };
    let behind = comma..sentence.end;
    let tells = |at: usize| WORDS.tells.contains(text.keys[at].as_str());
    let writer = behind.clone().any(|at| WORDS.writer.contains(text.keys[at].as_str()));
    behind.len() > 1
        && behind.len() <= LONGEST_SPEAKER
        && !writer
        && (tells(comma) && class(text, comma + 1) != Class::Article || tells(sentence.end - 1))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::{extract::extract_by_rule, journal::RelationKind};

    /// The weight of the one cause that a text states.
    fn weight(text: &str) -> Option<f32> {
        let relations = extract_by_rule(text, date(2026, 3, 2)).relations;
        relations.iter().find(|relation| relation.kind == RelationKind::Causal).map(|relation| relation.weight)
    }

    #[test]
    fn what_others_say_and_what_is_guessed_counts_half() {
        for text in [
            "Linh says the kiln cracked because of the damp.",
            "@Linh told me that the kiln cracked because of the damp.",
            "According to Linh, the kiln cracked because of the damp.",
            "The kiln cracked because of the damp, said Linh.",
            "“The kiln cracked because of the damp.” He shrugged.",
            "The kiln probably cracked because of the damp.",
            "I think the kiln cracked because of the damp.",
            "Linh bảo lò nứt vì mình mở sớm.",
        ] {
            assert_eq!(weight(text), Some(0.5), "{text}");
        }
    }

    #[test]
    fn the_writers_own_word_counts_whole() {
        for text in [
            "The kiln cracked because of the damp.",
            "Linh said hello and the kiln cracked because of the damp.",
            "Linh said it was off and I was glad because I had not slept.",
            "I said that the kiln cracked because of the damp.",
            "In May the kiln cracked because of the damp.",
            "The “new” kiln cracked because of the damp.",
            "Lò nứt vì mình mở sớm.",
        ] {
            assert_eq!(weight(text), Some(1.0), "{text}");
        }
        assert_eq!(weight("Linh said she was ill, so I stayed at home."), Some(0.9), "the writer says why they stayed");
    }

    #[test]
    fn a_dream_states_nothing() {
        for text in ["I dreamt that the kiln cracked because of the damp.", "I doubt it cracked because of the damp."] {
            assert_eq!(weight(text), None, "{text}");
        }
    }
}
