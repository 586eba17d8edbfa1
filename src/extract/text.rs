//! A tokenized body: its words in compared form, and its sentences.
//!
//! The basis of all extraction from prose. Knows words, not their meaning.

use std::{borrow::Cow, ops::Range};

use super::{
    Gap, LineStyle, Marked, NOT_NAMES, ORDINARY, Shape, Word, Words, fold_case, forms::contracted, phrases::Phrases,
    sure_base_form, unaccented, words,
};

const LONGEST_PART: usize = 40;

/// The first character of a mark's key, which no other key has.
const MARK: char = '@';

/// Words are referenced by their index in `words`.
pub(super) struct Text<'a> {
    pub body: &'a str,
    pub words: Vec<Word>,
    pub lines: Vec<LineStyle>,
    /// Each word in lower case, with a plain apostrophe. The key of a mark starts with its sign, so that no list
    /// contains it.
    pub keys: Vec<String>,
    /// Ranges of words, in order, covering all words.
    pub sentences: Vec<Range<usize>>,
    /// The Vietnamese sentences without accents.
    pub bare: Vec<Range<usize>>,
    /// Whether the text has a closing quotation mark anywhere.
    pub has_quotations: bool,
}

impl<'a> Text<'a> {
    /// Reads a body outside the `closed` ranges (sorted, without overlap), without marks as words. Linear.
    pub fn new(body: &'a str, closed: &[Range<usize>]) -> Self {
        Self::with_marks(body, closed, &[])
    }

    /// The same with each of `marked` as a word of its sentence.
    pub fn with_marks(body: &'a str, closed: &[Range<usize>], marked: &[Marked]) -> Self {
        let Words { mut words, lines } = words(body, closed, marked);
        let mut keys: Vec<String> = words.iter().map(|word| key(body, word)).collect();
        let mut sentences = Vec::new();
        let mut first = 0;
        for at in 1..words.len() {
            if ends_between(body, &words[at - 1], &words[at]) {
                sentences.push(first..at);
                words[at].gap = Gap::Sentence;
                first = at;
            }
        }
        if first < words.len() {
            sentences.push(first..words.len());
        }
        let bare = unaccented::accent(&mut keys, &words, &sentences);
        let has_quotations = body.contains(['"', '”', '»']);
        Self { body, words, lines, keys, sentences, bare, has_quotations }
    }

    /// Within a closed quotation: words of another person.
    pub fn is_quoted(&self, at: usize) -> bool {
        if !self.has_quotations {
            return false;
        }
        let place = self.words[at].span.start;
        let from = self.body[..place].rfind("\n\n").map_or(0, |end| end + 2);
        let to = self.body[place..].find("\n\n").map_or(self.body.len(), |end| place + end);
        let (before, behind) = (&self.body[from..place], &self.body[place..to]);
        let open = |opens: char, closes: char| {
            let depth = before.chars().fold(0_i32, |depth, c| match c {
                _ if c == opens => depth + 1,
                _ if c == closes => (depth - 1).max(0),
                _ => depth,
            });
            depth > 0 && behind.contains(closes)
        };
        before.matches('"').count() % 2 == 1 && behind.contains('"') || open('“', '”') || open('«', '»')
    }

    pub fn written(&self, at: usize) -> &'a str {
        &self.body[self.words[at].span.clone()]
    }

    /// The key of a word, if it is one of these words, else nothing.
    pub fn key_in(&self, words: &Range<usize>, at: usize) -> &str {
        self.keys.get(at).filter(|_| words.contains(&at)).map_or("", String::as_str)
    }

    /// The same of the word so many words before another.
    pub fn key_before(&self, words: &Range<usize>, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.key_in(words, at))
    }

    /// The index of the sentence of a word; `None` behind the last.
    pub fn sentence_at(&self, at: usize) -> Option<usize> {
        let nth = self.sentences.partition_point(|sentence| sentence.end <= at);
        (nth < self.sentences.len()).then_some(nth)
    }

    /// The sentence of a word; `None` behind the last.
    pub fn sentence_of(&self, at: usize) -> Option<&Range<usize>> {
        self.sentence_at(at).map(|nth| &self.sentences[nth])
    }

    /// Whether a word is a mark.
    pub fn is_marked(&self, at: usize) -> bool {
        self.words[at].name.is_some()
    }

    /// Without a possessive ending.
    pub fn bare_written(&self, at: usize) -> &'a str {
        without_possessive(self.written(at))
    }

    /// Without a possessive ending, for lookup in the lists.
    pub fn bare_key(&self, at: usize) -> &str {
        without_possessive(&self.keys[at])
    }

    /// Whether a word has a possessive ending.
    pub fn is_possessive(&self, at: usize) -> bool {
        self.bare_key(at).len() < self.keys[at].len()
    }

    /// The byte range of some words; empty for none.
    pub fn bytes(&self, words: &Range<usize>) -> Range<usize> {
        match (self.words.get(words.start), words.end.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) if words.start < words.end => first.span.start..last.span.end,
            _ => 0..0,
        }
    }

    /// The byte range of some words without a possessive ending.
    pub fn name_span(&self, words: &Range<usize>) -> Range<u32> {
        let last = words.end - 1;
        let end = self.words[last].span.start + self.bare_written(last).len();
        span(&(self.words[words.start].span.start..end))
    }

    /// The words that lie in a byte range.
    pub fn words_in(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.words.partition_point(|word| word.span.start < bytes.start);
        let behind = self.words.partition_point(|word| word.span.end <= bytes.end);
        first..behind.max(first)
    }

    /// The words of a mention or feeling.
    pub fn words_of(&self, span: &Range<u32>) -> Range<usize> {
        self.words_in(&(span.start as usize..span.end as usize))
    }

    /// The word at which a mention or feeling starts.
    pub fn word_at(&self, start: u32) -> usize {
        self.words.partition_point(|word| word.span.end <= start as usize)
    }

    /// The text of a byte range, with each mark replaced by its name.
    pub fn unmarked(&self, bytes: Range<usize>) -> Cow<'a, str> {
        let mut written = Cow::from(self.body.get(bytes.clone()).unwrap_or_default());
        let first = self.words.partition_point(|word| word.span.start < bytes.start);
        let end = self.words.partition_point(|word| word.span.start < bytes.end);
        for at in (first..end).rev() {
            let word = &self.words[at];
            let Some(name) = &word.name else { continue };
            let from = word.span.start - bytes.start;
            let to = (from + self.bare_written(at).len()).min(written.len());
            written.to_mut().replace_range(from..to, &self.body[name.clone()]);
        }
        written
    }

    /// Start of the part of the sentence around a word: after a comma, or after a word that `opens` one. At most
    /// [`LONGEST_PART`] words before it: a longer part lacks its commas.
    pub fn part_start(&self, sentence: &Range<usize>, at: usize, opens: impl Fn(&str) -> bool) -> usize {
        let from = sentence.start.max(at.saturating_sub(LONGEST_PART));
        let mut first = at;
        while first > from && !self.breaks(first) && !opens(&self.keys[first - 1]) {
            first -= 1;
        }
        first
    }

    /// Whether a comma, a dash or the end of a sentence is before a word.
    pub fn breaks(&self, at: usize) -> bool {
        self.words[at].gap >= Gap::Break
    }

    /// Whether only white space is between `at` and the previous word.
    pub fn follows(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.gap == Gap::Space)
    }

    /// The end of the sentence: the signs after its last word, up to the next word.
    pub fn ending(&self, sentence: &Range<usize>) -> &'a str {
        let from = self.words[sentence.end - 1].span.end;
        let to = self.words.get(sentence.end).map_or(self.body.len(), |next| next.span.start);
        self.body[from..to].split(char::is_whitespace).next().unwrap_or("")
    }

    /// Whether a sentence is a question.
    pub fn asks(&self, sentence: &Range<usize>) -> bool {
        self.ending(sentence).contains('?')
    }
}

fn key(body: &str, word: &Word) -> String {
    let written = &body[word.span.clone()];
    let folded = match &word.name {
        Some(name) => {
            let possessive = &written[without_possessive(written).len()..];
            fold_case(&format!("{MARK}{}{possessive}", &body[name.clone()]))
        }
        None => fold_case(written),
    };
    contracted(if folded.contains('’') { folded.replace('’', "'") } else { folded })
}

fn ends_between(body: &str, before: &Word, word: &Word) -> bool {
    let between = &body[before.span.end..word.span.start];
    if word.gap != Gap::Sentence {
        // "Project X. I left": no initial, because no name follows.
        return between.contains(". ") && before.shape == Shape::Initial && begins_no_name(&body[word.span.clone()]);
    }
    between.contains(['.', '!', '?', '…', '。', '#'])
        || between.contains("\n\n")
        || between.contains("\n-")
        || between.contains("\n*")
        || (between.contains('\n') && word.shape != Shape::Lower)
}

/// A byte range as mentions and relations keep it.
pub(super) fn span(range: &Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

fn begins_no_name(word: &str) -> bool {
    let key = fold_case(word);
    // "Met G. Knew her at once."
    let is_past = sure_base_form(&key) != key || key.ends_with("ed") && ORDINARY.has_past(&key);
    is_past || NOT_NAMES.breaks.contains(key.as_str())
}

/// `Linh's` and `James'` without the possessive ending.
pub(super) fn without_possessive(word: &str) -> &str {
    ["'s", "’s", "'S", "’S", "'", "’"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

impl<T> Phrases<T> {
    /// The longest phrase that starts at a word, and its number of words.
    pub fn at(&self, text: &Text<'_>, at: usize) -> Option<(usize, &T)> {
        let first = text.keys.get(at)?;
        let bare = text.bare_key(at);
        let candidates = match self.by_first.get(first.as_str()) {
            None if bare.len() < first.len() => self.by_first.get(bare)?,
            found => found?,
        };
        candidates.iter().find_map(|(rest, meaning)| {
            let end = at + 1 + rest.len();
            let known = end <= text.keys.len()
                && rest.iter().zip(at + 1..).all(|(word, next)| {
                    text.follows(next) && (text.keys[next] == *word || (next + 1 == end && text.bare_key(next) == word))
                });
            known.then_some((1 + rest.len(), meaning))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(body: &str) -> Vec<&str> {
        let text = Text::new(body, &[]);
        text.sentences.iter().map(|words| &body[text.bytes(words)]).collect()
    }

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            sentences("Saw Dr. Chen at 3.30, then left. Tired: very!\nNew line\nwrapped on."),
            ["Saw Dr. Chen at 3.30, then left", "Tired: very", "New line\nwrapped on"]
        );
        assert_eq!(sentences("- one\n- two\n\nthree"), ["one", "two", "three"]);
        assert_eq!(sentences(""), [] as [&str; 0]);
    }

    #[test]
    fn the_longest_phrase_wins_and_no_comma_is_crossed() {
        let phrases = Phrases::new([("because", 1), ("because of", 2)]);
        let found = |body: &str| phrases.at(&Text::new(body, &[]), 0).map(|(words, meaning)| (words, *meaning));
        assert_eq!(found("Because of rain"), Some((2, 2)));
        assert_eq!(found("because, of course"), Some((1, 1)));
        assert_eq!(found("be"), None);
    }
}
