//! Feelings stated in a text: which, how strong, whose; and negated ones.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::{
    Class, Family, Feeling, Gap, Shape,
    causal_links::{LINKS, Side},
    class,
    experiencer::{clause_before, is_spoken_of, own},
    feeling_modifiers::AROUND,
    fold_case,
    gate::{Claim, Gate, feeling_cues, feeling_cues::Signs},
    is_denial,
    language::List,
    moods::valence,
    named_items,
    phrases::Phrases,
    psych_verb::{comes_about_so, is_brought_about},
    reported_speech::is_quoted_from_another,
    text::{self, Text},
};

struct Entry {
    name: &'static str,
    family: Option<Family>,
    /// Counts only with an experiencer.
    ambiguous: bool,
    /// Counts only after a verb of feeling.
    only_felt: bool,
}

static FEELINGS: LazyLock<Phrases<Entry>> = LazyLock::new(|| {
    Phrases::new(named_items(List::Feelings).map(|(section, name, form)| {
        let (family, word) = (Family::parse(section), form.trim_start_matches('~'));
        let entry = Entry { name, family, ambiguous: form.starts_with('~'), only_felt: form.starts_with("~~") };
        (word, entry)
    }))
});

/// Whether a single word, in lower case, always denotes a feeling.
pub(super) fn names_feeling(word: &str) -> bool {
    FEELINGS.word(word).is_some_and(|entry| !entry.ambiguous)
}

/// Whether a single word, in lower case, denotes a feeling if it has an experiencer.
pub(super) fn may_name_feeling(word: &str) -> bool {
    FEELINGS.word(word).is_some()
}

/// The name of the feeling that a word or phrase denotes.
pub fn feeling_called(said: &str) -> Option<&'static str> {
    entry_of(said).map(|entry| entry.name)
}

/// The family of a feeling by any word or phrase for it.
pub(super) fn family_called(said: &str) -> Option<Family> {
    entry_of(said)?.family
}

/// Whether a word or phrase has other senses than a feeling: "cross", "flat".
pub fn may_be_no_feeling(said: &str) -> bool {
    entry_of(said).is_some_and(|entry| entry.ambiguous)
}

fn entry_of(said: &str) -> Option<&'static Entry> {
    FEELINGS.phrase(&said.split_whitespace().map(fold_case).collect::<Vec<_>>())
}

/// Whether two words for one feeling are of two languages: `sad` and `buồn`.
pub fn is_feeling_of_other_language(one: &str, other: &str) -> bool {
    static VIETNAMESE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        named_items(List::Feelings).filter(|(_, _, form)| !form.is_ascii()).map(|(_, name, _)| name).collect()
    });
    let is_vietnamese = |said: &str| VIETNAMESE.contains(feeling_called(said).unwrap_or(said)) || !said.is_ascii();
    is_vietnamese(one) != is_vietnamese(other)
}

/// Maximum number of words of a text that is read for another mention of a name.
const MOST_WORDS_READ: usize = 2_000;

/// Number of words before the feeling to read for experiencer and negation.
const LOOKS_BACK: usize = 4;

/// All feelings of the text, in order. The writer's own are those that the gate accepts.
pub(super) fn feelings(text: &Text<'_>, gate: &dyn Gate) -> Vec<Feeling> {
    let mut found = Vec::new();
    for sentence in &text.sentences {
        let mut at = sentence.start;
        while at < sentence.end {
            let Some((words, entry)) = FEELINGS.at(text, at) else {
                at += 1;
                continue;
            };
            let span = at..(at + words).min(sentence.end);
            at = span.end;
            if let Some(feeling) = feeling(text, sentence, &span, entry, gate) {
                found.push(feeling);
            }
        }
    }
    found
}

fn feeling(
    text: &Text<'_>,
    sentence: &Range<usize>,
    span: &Range<usize>,
    entry: &Entry,
    gate: &dyn Gate,
) -> Option<Feeling> {
    // "Joy" within a sentence, or next to another capital, is a name.
    let opens_sentence = text.words[span.start].gap == Gap::Sentence;
    if text.words[span.start].shape == Shape::Capital && (!opens_sentence || is_given_name(text, span)) {
        return None;
    }
    let before = clause_before(text, sentence, span.start);
    let near = || before.iter().rev().take(LOOKS_BACK).copied();
    let felt = near().take(3).any(|word| AROUND.feeling.contains(word));
    let is_utmost = is_utmost(&before, &text.keys[span.start]);
    let comes_about = is_brought_about(text.keys[span.clone()].iter().map(String::as_str));
    let denied = !comes_about && denies(text, sentence, span.start) && !is_utmost;
    let signs = Signs {
        name: entry.name,
        family: entry.family.map_or("none", Family::word),
        ambiguous: entry.ambiguous,
        only_felt: entry.only_felt && !near().take(3).any(is_felt),
        said: felt || near().take(3).any(|word| AROUND.being.contains(word) || AROUND.much.contains(word)),
        felt,
        state: is_state(text, sentence, span, felt),
        opens: before.is_empty() && (span.end == sentence.end || ends_or_gives_cause(text, span.end)),
        denied,
        comes_about: comes_about && comes_about_so(text, sentence, span),
        brings_about: comes_about,
        own: own(text, span, &before),
        spoken_of: is_spoken_of(text, span, &before),
        unreal: !is_utmost && is_unreal(&before),
    };
    let bytes = text.bytes(span);
    let name = if denied { format!("not {}", entry.name) } else { entry.name.to_owned() };
    let claim = Claim::Feeling { name: &name, family: entry.family, word: bytes.clone() };
    let own = gate.judge(&claim, &|to| feeling_cues::cues(text, sentence, span, &signs, to)).accepted
        && !is_quoted_from_another(text, span.start)
        && !is_of_another_behind(text, sentence, span.end);
    // A word with other senses is a feeling only where somebody feels it.
    if !own && signs.is_doubtful() {
        return None;
    }
    let polarity = valence(entry.name).unwrap_or_else(|| entry.family.map_or(-0.2, Family::polarity));
    let strength = match () {
        () if near().take(2).any(|word| AROUND.little.contains(word)) => 0.3,
        () if near().take(2).any(|word| AROUND.much.contains(word)) => 0.9,
        () => 0.6,
    };
    Some(Feeling {
        name,
        family: entry.family.filter(|_| !denied),
        polarity: if denied { -0.5 * polarity } else { polarity },
        strength,
        span: text::span(&bytes),
        denied,
        own,
    })
}

/// "Livid.", "knackered cos Jake was up".
fn ends_or_gives_cause(text: &Text<'_>, at: usize) -> bool {
    let gives_cause = || LINKS.links.at(text, at).is_some_and(|(_, link)| link.side == Side::CauseFollows);
    text.breaks(at) || gives_cause()
}

/// "Joy said", "Hope is coming on Friday": a given name that opens a sentence.
fn is_given_name(text: &Text<'_>, span: &Range<usize>) -> bool {
    let key = text.bare_key(span.start);
    if span.len() > 1 || !AROUND.given_names.contains(key) {
        return false;
    }
    let acts = |at: usize| {
        matches!(class(text, at), Class::Auxiliary | Class::Verb | Class::Either) || is_denial(&text.keys[at])
    };
    let is_named = |at: usize| {
        let word = &text.words[at];
        word.shape == Shape::Capital && word.gap != Gap::Sentence && text.bare_key(at) == key
    };
    // Each such word reads the text.
    let is_short = text.words.len() <= MOST_WORDS_READ;
    text.follows(span.end) && acts(span.end) || is_short && (0..text.words.len()).any(is_named)
}

/// Whether the words before this one negate it: "not", "hardly", "không".
pub(super) fn denies(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> bool {
    let before = clause_before(text, sentence, at);
    let near = || before.iter().rev().take(3);
    // "Bún chả" is a dish.
    let is_dish = |at: usize| before[at] == "chả" && at > 0 && matches!(before[at - 1], "bún" | "giò" | "nem");
    let ever = |words: &[&str]| matches!(words, ["chưa" | "chẳng" | "không", "bao", "giờ"]);
    if before.windows(3).any(ever) || is_scoffed_at(text, at) {
        return true;
    }
    let from = before.len().saturating_sub(3);
    let is_denial = |at: usize| AROUND.denial.contains(before[at]) && !is_dish(at) || before[at].ends_with("n't");
    // "Chưa nguôi giận", "haven't stopped worrying": it is still felt.
    let lasts = |at: usize| is_denial(at) && before[at + 1..].iter().any(|word| AROUND.ending.contains(*word));
    (from..before.len()).any(is_denial)
        && !(from..before.len()).any(lasts)
        && !near().any(|word| matches!(*word, "only" | "just" | "if"))
}

/// "Có gì đâu mà buồn", "vui sao nổi", "giận không nổi": there is nothing to feel so about; "có buồn đâu": not at all.
fn is_scoffed_at(text: &Text<'_>, at: usize) -> bool {
    let ends = |at: usize| !text.follows(at + 1);
    let not_at_all = |at: usize| text.keys.get(at).is_some_and(|word| word == "đâu") && text.follows(at) && ends(at);
    if at > 0 && text.keys[at - 1] == "có" && (at + 1..at + 4).any(not_at_all) {
        return true;
    }
    let behind = text.keys.get(at + 1..at + 3).filter(|_| text.follows(at + 1));
    AROUND.pointless.contains(text.keys[at.saturating_sub(3)..at].join(" ").as_str())
        || behind.is_some_and(|behind| AROUND.impossible.contains(behind.join(" ").as_str()))
}

/// "Could not be happier", "never been so happy".
fn is_utmost(before: &[&str], word: &str) -> bool {
    let ends_in = |phrases: &HashSet<&str>| {
        (2..=3)
            .any(|count| before.len() >= count && phrases.contains(before[before.len() - count..].join(" ").as_str()))
    };
    ends_in(&AROUND.utmost) || word.ends_with("ier") && ends_in(&AROUND.more_than)
}

/// "Furious, he was", "delighted, bless her", "happy man": whose feeling it is stands behind it.
fn is_of_another_behind(text: &Text<'_>, sentence: &Range<usize>, end: usize) -> bool {
    let [first, second] = [0, 1].map(|ahead| text.key_in(sentence, end + ahead));
    let ends = end + 2 >= sentence.end || text.breaks(end + 2);
    let is_apart = text.words.get(end).is_some_and(|word| word.gap >= Gap::Break);
    let is_he = AROUND.others.contains(first) && !AROUND.own.contains(first) && AROUND.being.contains(second);
    let opens = end == sentence.start + 1 && text.follows(end);
    is_apart && ends && (is_he || AROUND.blessing.contains(first) && AROUND.others.contains(second))
        || opens && AROUND.described.contains(first)
}

/// "I would be glad", "trying to feel calm", "if I am sad": desired, hypothetical or future.
fn is_unreal(before: &[&str]) -> bool {
    let becomes = |at: usize| before.get(at).is_some_and(|word| AROUND.becoming.contains(word));
    // "I could feel the anger".
    let senses = |at: usize| matches!(before[at], "could" | "can") && before.get(at + 1) == Some(&"feel");
    let wished = |at: usize| {
        let word = before[at];
        AROUND.supposing.contains(word)
            || AROUND.unreal.contains(word) && (becomes(at + 1) || becomes(at + 2)) && !senses(at)
            || AROUND.wishing.contains(word) && before.get(at + 1) == Some(&"to") && becomes(at + 2)
            // "I wish I were": not "I wish I could, I was sad".
            || matches!(word, "wish" | "wished") && before.get(at + 2).is_some_and(|is| AROUND.being.contains(*is))
            || AROUND.wished.contains(word) && before.len() - at <= LOOKS_BACK
    };
    (0..before.len()).any(wished)
}

/// A verb of feeling without other senses: not `is` and not `got`.
fn is_felt(word: &str) -> bool {
    matches!(word, "feel" | "feels" | "feeling" | "felt" | "thấy" | "cảm")
}

/// `felt down` and `so light`, but not `down the road`, `a good book`, `well done`.
fn is_state(text: &Text<'_>, sentence: &Range<usize>, span: &Range<usize>, felt: bool) -> bool {
    let goes_on = span.end < sentence.end && text.follows(span.end) && !text.is_marked(span.end);
    let next = goes_on.then(|| text.keys[span.end].as_str());
    let ends = next.is_none_or(|next| AROUND.after_a_state.contains(next));
    // "It was turned down", "I was put down".
    let moved = matches!(text.keys[span.start].as_str(), "down" | "low" | "up")
        && span.start > sentence.start
        && !is_state_word(&text.keys[span.start - 1]);
    if moved {
        return false;
    }
    // "it was good" judges a thing; "I was good" usually does, too: only a feeling counts there.
    let judged =
        AROUND.being.contains(text.key_before(sentence, span.start, 1)) && !felt && third(text, sentence, span);
    ends && !judged
}

/// A word directly before a state: "felt down", "so low".
fn is_state_word(word: &str) -> bool {
    [&AROUND.feeling, &AROUND.being, &AROUND.much, &AROUND.little].iter().any(|words| words.contains(word))
        || matches!(word, "and" | "or" | "but")
}

/// Whether the subject two words before is a thing or another person.
fn third(text: &Text<'_>, sentence: &Range<usize>, span: &Range<usize>) -> bool {
    let own = |at: usize| AROUND.own.contains(text.keys[at].as_str());
    let from = span.start.saturating_sub(LOOKS_BACK).max(sentence.start);
    !(from..span.start).any(own)
}
