//! Sentences that say why: where the link word is, which side of it is the cause, and what is left out because it claims nothing.
//!
//! Denied causes ("not because of"), conditions ("if … because") and questions state nothing and are passed over.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::{
    feelings::names_feeling as feels,
    fold_case,
    lexicon::lines,
    text::{Phrases, Text},
    words::{Gap, Shape},
};

/// One sentence that states a cause; ranges of words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Because {
    pub cause: Range<usize>,
    pub effect: Range<usize>,
    pub link: Range<usize>,
    /// The link word, as listed.
    pub verb: &'static str,
    pub weight: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    CauseFollows,
    EffectFollows,
    /// The cause follows, or a time.
    Since,
    /// The cause follows, or a place: only behind an ailment or a feeling.
    From,
}

struct Link {
    side: Side,
    weight: f32,
    verb: &'static str,
}

struct Links {
    links: Phrases<Link>,
    never: HashSet<String>,
    conditions: HashSet<String>,
    doubts: HashSet<String>,
    /// What `from` gives the cause of.
    ailments: HashSet<String>,
}

static LINKS: LazyLock<Links> = LazyLock::new(|| {
    let from = ["from", "comes from", "came from", "coming from", "come from"];
    let mut links: Vec<(String, Link)> =
        from.map(|verb| (verb.to_owned(), Link { side: Side::From, weight: 0.8, verb })).into();
    let [mut never, mut conditions, mut doubts, mut ailments] = [const { Vec::new() }; 4];
    let mut section = "";
    for line in lines(include_str!("../../assets/lexicon/causes.txt")) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let side = match section {
            "[cause follows]" => Side::CauseFollows,
            "[effect follows]" => Side::EffectFollows,
            "[cause precedes with time]" => Side::Since,
            _ => {
                let list = match section {
                    "[never]" => &mut never,
                    "[if]" => &mut conditions,
                    "[from]" => &mut ailments,
                    _ => &mut doubts,
                };
                list.extend(line.split(',').map(|word| fold_case(word.trim())));
                continue;
            }
        };
        let Some((weight, phrases)) = line.split_once(':') else { continue };
        let weight = weight.trim().parse().unwrap_or(1.0);
        links.extend(phrases.split(',').map(str::trim).map(|verb| (verb.to_owned(), Link { side, weight, verb })));
    }
    let set = |words: Vec<String>| words.into_iter().collect();
    Links {
        links: Phrases::new(links),
        never: set(never),
        conditions: set(conditions),
        doubts: set(doubts),
        ailments: set(ailments),
    }
});

/// Every statement of a cause, in text order. Linear in the words.
pub(super) fn causes(text: &Text<'_>) -> Vec<Because> {
    let mut found = Vec::new();
    for (nth, sentence) in text.sentences.iter().enumerate() {
        if text.ending(sentence).contains('?') {
            continue;
        }
        let before = nth.checked_sub(1).map(|before| text.sentences[before].clone());
        let mut at = sentence.start;
        while at < sentence.end {
            match LINKS.links.at(text, at) {
                Some((words, link)) if at + words <= sentence.end => {
                    let link_words = at..at + words;
                    if states(text, sentence, &link_words, link) {
                        found.extend(clauses(text, sentence, before.as_ref(), &link_words, link));
                    }
                    at += words;
                }
                _ => at += 1,
            }
        }
    }
    found
}

/// Whether the link word stands here as one, and something is claimed by it.
fn states(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>, said: &Link) -> bool {
    let before = |back: usize| {
        link.start.checked_sub(back).filter(|at| *at >= sentence.start).map_or("", |at| text.keys[at].as_str())
    };
    let denies = |word: &str| LINKS.never.contains(word) || word.ends_with("n't");
    let pair = format!("{} {}", before(2), before(1));
    if denies(before(1))
        || LINKS.never.contains(&pair)
        || (denies(before(2)) && matches!(before(1), "just" | "simply" | "really" | "been" | "be"))
    {
        return false;
    }
    if text.keys[sentence.start..link.start].iter().any(|word| LINKS.conditions.contains(word)) {
        return false;
    }
    match (said.side, said.verb) {
        (Side::From, _) => LINKS.ailments.contains(before(1)) || feels(before(1)),
        (Side::Since, "as") => is_reason(text, sentence, link) && as_reason(text, sentence, link),
        (Side::Since, _) => is_reason(text, sentence, link),
        (_, "do" | "nên" | "tại") => in_vietnamese(text, sentence),
        (_, "so") => text.words[link.start].gap == Gap::Break && !says_how_much(text, link.end, sentence.end),
        // "And so tired" says how much.
        (_, "and so") => text.keys.get(link.end).is_some_and(|next| is_subject(next) || is_name_at(text, link.end)),
        (_, "because" | "because of") => before(1) != "is" || before(2) != "why",
        (_, "cause" | "causes" | "trigger" | "triggers" | "produce" | "prompts" | "generate") => !matches!(
            before(1),
            "a" | "the" | "good" | "this" | "that" | "no" | "my" | "root" | "common" | "main" | "probable"
        ),
        (
            _,
            "produced" | "generated" | "created" | "creating" | "triggered" | "sparked" | "caused" | "prompted"
            | "forced",
        ) => text.follows(link.end) && text.keys.get(link.end).is_none_or(|next| next != "by" && next != "to"),
        _ => true,
    }
}

/// "So tired", "so far", "so that": no "so" that says what follows.
fn says_how_much(text: &Text<'_>, at: usize, end: usize) -> bool {
    let Some(next) = text.keys.get(at).filter(|_| at < end && text.follows(at)) else { return true };
    matches!(
        next.as_str(),
        "that"
            | "far"
            | "much"
            | "many"
            | "long"
            | "called"
            | "to"
            | "as"
            | "is"
            | "was"
            | "am"
            | "are"
            | "be"
            | "good"
            | "bad"
    ) || feels(next)
        || next.ends_with("ly")
}

fn is_subject(word: &str) -> bool {
    matches!(
        word,
        "i" | "we" | "he" | "she" | "it" | "they" | "you" | "the" | "my" | "our" | "now" | "nobody" | "there"
    )
}

fn is_name_at(text: &Text<'_>, at: usize) -> bool {
    text.words[at].shape == Shape::Capital
}

fn in_vietnamese(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    text.keys[sentence.clone()].iter().any(|word| !word.is_ascii())
}

/// "Since nobody had read it" is a reason, "since Monday" and "I have slept badly since we moved" are times.
fn is_reason(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let finite = |word: &str| {
        matches!(
            word,
            "was"
                | "were"
                | "is"
                | "are"
                | "had"
                | "has"
                | "have"
                | "did"
                | "do"
                | "does"
                | "could"
                | "can"
                | "will"
                | "would"
                | "am"
                | "must"
                | "should"
        ) || word.ends_with("n't")
            || word.ends_with("ed")
            || word.ends_with("'s")
            || word.ends_with("'m")
            || word.ends_with("'re")
    };
    let after = &text.keys[link.end..sentence.end.min(link.end + 8)];
    let main = text.keys[sentence.start..link.start].iter().chain(&text.keys[link.end + after.len()..sentence.end]);
    let lasting = main.clone().any(|word| {
        matches!(word.as_str(), "have" | "has" | "had" | "been" | "ever" | "long") || word.ends_with("'ve")
    });
    let time = after.first().is_none_or(|word| {
        matches!(
            word.as_str(),
            "then" | "last" | "that" | "this" | "yesterday" | "when" | "at" | "about" | "early" | "being"
        ) || word.starts_with(|c: char| c.is_ascii_digit())
    });
    !time && !lasting && after.iter().skip(1).any(|word| finite(word))
}

/// "As they were late" is a reason, "as she was leaving" a time, "as good as" neither.
fn as_reason(text: &Text<'_>, sentence: &Range<usize>, link: &Range<usize>) -> bool {
    let next = |ahead: usize| {
        text.keys.get(link.start + ahead).filter(|_| link.start + ahead < sentence.end).map_or("", String::as_str)
    };
    let subject = matches!(next(1), "i" | "he" | "she" | "it" | "we" | "they" | "there" | "nobody" | "my" | "the");
    let being =
        (2..4).find(|ahead| matches!(next(*ahead), "was" | "were" | "had" | "is" | "are" | "has" | "have" | "did"));
    subject && being.is_some_and(|ahead| !next(ahead + 1).ends_with("ing")) && link.start > sentence.start
}

/// The two sides of a link word.
fn clauses(
    text: &Text<'_>,
    sentence: &Range<usize>,
    before: Option<&Range<usize>>,
    link: &Range<usize>,
    said: &Link,
) -> Option<Because> {
    // "So I left": the pronoun of the listed phrase belongs to what follows.
    let (opens, verb) = match said.verb {
        verb if verb.starts_with("and so") => (2, "so"),
        verb if verb.starts_with("so ") => (1, "so"),
        "so" => (1, "so"),
        "cause i" => (1, "because"),
        verb => (link.len(), verb),
    };
    if (said.verb == "so" || said.verb.starts_with("so ")) && link.start == sentence.start {
        return None;
    }
    let right = link.start + opens..clause_end(text, link.start + opens, sentence.end);
    let left = clause_start(text, sentence.start, link.start)..link.start;
    let doubt = text.keys[link.start.saturating_sub(3).max(sentence.start)..link.start]
        .iter()
        .any(|word| LINKS.doubts.contains(word));
    let weight = if doubt { said.weight * 0.5 } else { said.weight };
    let because = |cause: Range<usize>, effect: Range<usize>| {
        (!cause.is_empty() && !effect.is_empty()).then_some(Because { cause, effect, link: link.clone(), verb, weight })
    };
    let nothing = |words: &Range<usize>| text.keys[words.clone()].iter().all(|word| is_pointer(word));
    match said.side {
        Side::EffectFollows if nothing(&left) => because(before?.clone(), right),
        Side::EffectFollows => because(left, right),
        Side::CauseFollows | Side::Since | Side::From if nothing(&left) => {
            match opening_clause(text, sentence, link.end) {
                Some(middle) => because(link.end..middle, middle..sentence.end),
                None => because(right, before?.clone()),
            }
        }
        Side::CauseFollows | Side::Since | Side::From => because(right, left),
    }
}

/// "It is", "that", "this": they only point at what was said before.
fn is_pointer(word: &str) -> bool {
    matches!(
        word,
        "it" | "it's"
            | "this"
            | "that"
            | "that's"
            | "is"
            | "was"
            | "all"
            | "and"
            | "which"
            | "but"
            | "just"
            | "mostly"
            | "maybe"
            | "perhaps"
            | "probably"
    )
}

/// Where the main clause begins in "Because of the rain we left" and "Vì mưa, mình ở nhà".
fn opening_clause(text: &Text<'_>, sentence: &Range<usize>, from: usize) -> Option<usize> {
    let inside = from + 1..sentence.end;
    let comma = inside.clone().find(|at| text.words[*at].gap == Gap::Break && !is_list(text, *at));
    comma.or_else(|| {
        inside.into_iter().find(|at| matches!(text.keys[*at].as_str(), "i" | "we" | "i'm" | "nên" | "mình" | "tôi"))
    })
}

/// A comma between two names or nouns of a list opens no clause.
fn is_list(text: &Text<'_>, at: usize) -> bool {
    text.words[at].shape == Shape::Capital && text.words.get(at - 1).is_some_and(|word| word.shape == Shape::Capital)
}

/// The end of the clause that begins at `from`: at a word that turns the sentence.
fn clause_end(text: &Text<'_>, from: usize, end: usize) -> usize {
    (from + 1..end)
        .find(|at| {
            matches!(text.keys[*at].as_str(), "but" | "although" | "though" | "nhưng")
                || (text.words[*at].gap >= Gap::Break
                    && matches!(text.keys[*at].as_str(), "so" | "and" | "nên" | "which"))
        })
        .unwrap_or(end)
}

fn clause_start(text: &Text<'_>, start: usize, end: usize) -> usize {
    (start..end)
        .rev()
        .find(|at| matches!(text.keys[*at].as_str(), "but" | "although" | "nhưng"))
        .map_or(start, |at| at + 1)
}
