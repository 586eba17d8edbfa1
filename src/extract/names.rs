//! Names by their capitals: what is certain inside a sentence, and what only may be one at its beginning.
//!
//! The rules are for scripts with upper and lower case. A run of capitalised words is a name where the sentence did not
//! call for the capital; where it did, the run is a candidate that other entries decide about.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::{
    Mention, MentionSource, fold_case,
    lexicon::{CONNECTORS, NOT_NAMES, TITLES},
    marks::without_possessive,
    words::{Gap, LineStyle, Shape, Word, Words, words},
};
use crate::journal::EntityKind;

/// More capitalised words in a row are a heading or a list.
const MOST_WORDS: usize = 6;
/// Longer words in capitals are emphasis, not short forms.
const LONGEST_SHORT_FORM: usize = 5;

/// Every name and candidate outside the `closed` ranges (sorted, without overlap), in order. A candidate of several words
/// is followed by the same without its first word, which may be no part of the name (`Thanked Linh`).
pub(super) fn names(body: &str, closed: &[Range<usize>]) -> Vec<Mention> {
    let Words { words, lines } = words(body, closed);
    let reader = Reader { body, words: &words, lines: &lines };
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        at = match reader.run(at) {
            Some(run) => {
                reader.mentions(&run, &mut found);
                run.end
            }
            None => at + 1,
        };
    }
    found
}

struct Reader<'a> {
    body: &'a str,
    words: &'a [Word],
    lines: &'a [LineStyle],
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        &self.body[self.words[at].span.clone()]
    }

    /// Without a possessive ending, for the lists.
    fn key(&self, at: usize) -> String {
        fold_case(without_possessive(self.text(at)))
    }

    fn style(&self, at: usize) -> LineStyle {
        self.lines.get(self.words[at].line as usize).copied().unwrap_or_default()
    }

    /// The longest run of words that begins at `first`.
    fn run(&self, first: usize) -> Option<Range<usize>> {
        if !self.may_begin(first) {
            return None;
        }
        let mut end = first + 1;
        while end - first < MOST_WORDS && !self.is_possessive(end - 1) {
            match self.next_part(end) {
                Some(next) => end = next,
                None => break,
            }
        }
        let only_initial = end == first + 1 && self.words[first].shape == Shape::Initial;
        (!only_initial).then_some(first..end)
    }

    fn may_begin(&self, at: usize) -> bool {
        let word = &self.words[at];
        let capital = match word.shape {
            Shape::Capital => true,
            Shape::AllCapitals => self.is_short_form(at),
            Shape::Initial => self.words.get(at + 1).is_some_and(|next| next.gap == Gap::Space),
            Shape::Lower | Shape::Other => false,
        };
        if !capital || self.style(at).shouts() {
            return false;
        }
        let key = self.key(at);
        let title = TITLES.any_case.contains(&key) && self.words.get(at + 1).is_some_and(|next| next.gap == Gap::Space);
        let at_start = word.gap == Gap::Sentence;
        let starter = at_start
            && (NOT_NAMES.starters.contains(&key) || NOT_NAMES.alone.contains(&key) || self.is_lower_title(at, &key));
        !(title || starter || is_break(&key))
    }

    /// `Anh Hùng` at the beginning of a sentence: the first word only says who follows.
    fn is_lower_title(&self, at: usize, key: &str) -> bool {
        TITLES.lower_case.contains(key)
            && self.words.get(at + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital)
    }

    /// The end of what follows in the same name: one more capitalised word, with up to two connecting words before it.
    fn next_part(&self, at: usize) -> Option<usize> {
        let word = self.words.get(at)?;
        match word.gap {
            Gap::Space => {}
            Gap::Ampersand => return self.continues(at).then_some(at + 1),
            Gap::Break | Gap::Sentence => return None,
        }
        if self.continues(at) {
            return Some(at + 1);
        }
        let mut next = at;
        while next < at + 2 && self.words.get(next)?.shape == Shape::Lower && self.connects(next, next > at) {
            next += 1;
        }
        let joined = next > at && self.words.get(next)?.gap == Gap::Space && self.continues(next);
        joined.then_some(next + 1)
    }

    fn connects(&self, at: usize, second: bool) -> bool {
        let word = self.text(at);
        self.words[at].gap == Gap::Space && (CONNECTORS.contains(word) || (second && word == "the"))
    }

    fn continues(&self, at: usize) -> bool {
        let word = &self.words[at];
        let capital = match word.shape {
            Shape::Capital => true,
            Shape::Initial => self.text(at) != "I",
            Shape::AllCapitals => self.is_short_form(at),
            Shape::Lower | Shape::Other => false,
        };
        capital && !is_break(&self.key(at))
    }

    /// A few capitals between words that are not all in capitals.
    fn is_short_form(&self, at: usize) -> bool {
        let shouted = |word: Option<&Word>| word.is_some_and(|word| word.shape == Shape::AllCapitals);
        let before = at.checked_sub(1).and_then(|before| self.words.get(before));
        let text = without_possessive(self.text(at));
        text.chars().count() <= LONGEST_SHORT_FORM
            && !shouted(before.filter(|_| self.words[at].gap < Gap::Break))
            && !shouted(self.words.get(at + 1).filter(|next| next.gap < Gap::Break))
            && !NOT_NAMES.starters.contains(&fold_case(text))
    }

    fn is_possessive(&self, at: usize) -> bool {
        let text = self.text(at);
        without_possessive(text).len() < text.len()
    }

    fn mentions(&self, run: &Range<usize>, found: &mut Vec<Mention>) {
        let certain = self.words[run.start].gap != Gap::Sentence && !self.style(run.start).is_title();
        let kind = self.titled(run.start).then_some(EntityKind::Person);
        if certain || kind.is_some() {
            self.mention(run.clone(), kind, MentionSource::Capitals, found);
            return;
        }
        self.mention(run.clone(), None, MentionSource::SentenceStart, found);
        let second = run.start + 1;
        if second < run.end && self.words[second].gap == Gap::Space && self.words[second].shape == Shape::Capital {
            self.mention(second..run.end, None, MentionSource::SentenceStart, found);
        }
    }

    /// `Dr. Chen`, `aunt May`, `anh Hùng`: the word before says that this is a person.
    fn titled(&self, first: usize) -> bool {
        let Some(before) = first.checked_sub(1).filter(|_| self.words[first].gap == Gap::Space) else { return false };
        let key = self.key(before);
        let word = &self.words[before];
        let lower = word.shape == Shape::Lower || word.gap == Gap::Sentence;
        TITLES.any_case.contains(&key) || (lower && TITLES.lower_case.contains(&key))
    }

    fn mention(&self, run: Range<usize>, kind: Option<EntityKind>, source: MentionSource, found: &mut Vec<Mention>) {
        let start = self.words[run.start].span.start;
        let last = &self.words[run.end - 1].span;
        let end = last.start + without_possessive(&self.body[last.clone()]).len();
        let single = run.len() == 1;
        let nameless = run.clone().all(|at| NOT_NAMES.alone.contains(&self.key(at)));
        if end <= start || (nameless && kind.is_none()) {
            return;
        }
        let text = &self.body[start..end];
        if single && source == MentionSource::SentenceStart && self.also_lower_case(run.start) {
            return;
        }
        found.push(Mention { name: spelled(text), kind, span: start as u32..end as u32, source });
    }

    /// Whether the same entry has the word in lower case: then its capital comes from the sentence.
    fn also_lower_case(&self, at: usize) -> bool {
        let key = self.key(at);
        self.words
            .iter()
            .enumerate()
            .any(|(other, word)| word.shape == Shape::Lower && word.span.len() == key.len() && self.text(other) == key)
    }
}

fn is_break(key: &str) -> bool {
    NOT_NAMES.breaks.contains(key) || key.split_once('-').is_some_and(|(first, _)| NOT_NAMES.breaks.contains(first))
}

/// The name as text: composed, one space between words, without emphasis.
fn spelled(text: &str) -> String {
    let plain = !text.contains(['*', '_', '\\', '\t']) && !text.contains("  ");
    if plain && (text.is_ascii() || unicode_normalization::is_nfc(text)) {
        return text.to_owned();
    }
    let composed: String = text.nfc().filter(|c| !matches!(c, '*' | '_' | '\\')).collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}
