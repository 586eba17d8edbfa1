//! Passages: an entry's body split into units of one to a few sentences, for embedding and quoting.
//!
//! Lengths are counted in points, so that scripts without spaces and long runs without spaces are treated alike: see
//! `Length`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Half of the SHA-256 of a passage's text: with the model's checksum, the key of the vector cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassageHash(pub [u8; 16]);

impl PassageHash {
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        Self(half)
    }
}

/// Position of a passage in its entry's body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Bytes of the body, on character boundaries.
    pub span: Range<u32>,
    pub hash: PassageHash,
}

/// A word of a spaced script, in points.
const WORD: u32 = 12;
/// A passage this long ends with its paragraph or list item.
const SHORT: u32 = 15 * WORD;
/// A passage grows by whole sentences up to this length; a body this short is one passage.
const USUAL: u32 = 40 * WORD;
/// Maximum length of a passage, so that an encoder with a limit of 256 tokens reads all of it.
const LONGEST: u32 = 60 * WORD;

/// The sentences of a body, in order, in bytes of the body.
pub fn sentences(body: &str) -> impl Iterator<Item = Range<usize>> {
    let body = &body[..body.floor_char_boundary(u32::MAX as usize)];
    Cutter::default().sentences(body).into_iter().map(|unit| unit.span)
}

/// Maximum number of bytes of one entry from which names, causes and passages are extracted: a novel of 300,000
/// words. Time and memory grow with the length, and a pasted log of 50 MB has no names worth minutes. Words are
/// indexed from all of it.
pub const MOST_READ: usize = 2_000_000;

/// The part of a body for the extraction of names, causes and passages: all of it, or up to [`MOST_READ`] bytes,
/// ending at a line end.
pub fn part_read(body: &str) -> &str {
    if body.len() <= MOST_READ {
        return body;
    }
    let part = &body[..body.floor_char_boundary(MOST_READ)];
    &part[..part.rfind('\n').map_or(part.len(), |end| end + 1)]
}

/// Splits a body ([`part_read`] of it) into passages: in order, without overlap, trimmed of white space, together
/// covering every character that is not white space. Linear in the length of the body.
pub fn passages(body: &str) -> Vec<Passage> {
    let body = part_read(body);
    let mut units = Vec::new();
    for unit in Cutter::default().sentences(body) {
        cut_long(body, unit, &mut units);
    }
    let whole = units.iter().fold(0u32, |sum, unit| sum.saturating_add(unit.length));
    let mut found: Vec<Unit> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let ends_block = units.get(at + 1).is_none_or(|next| next.before >= Boundary::Block);
        match found.last_mut() {
            Some(open) if open.takes(unit, ends_block, whole) => {
                open.length += unit.length + gap(open, unit);
                open.span.end = unit.span.end;
            }
            _ => found.push(unit.clone()),
        }
    }
    let passage = |Unit { span, .. }: Unit| Passage {
        hash: PassageHash::of(&body[span.clone()]),
        span: span.start as u32..span.end as u32,
    };
    found.into_iter().map(passage).collect()
}

/// Boundary between a unit and the one before it, from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Boundary {
    /// Inside a sentence that was too long.
    Forced,
    #[default]
    Sentence,
    /// A paragraph or a list item.
    Block,
    /// Before a heading: the text above belongs to another subject.
    Heading,
}

/// A unit of text that is not split: a sentence, or a part of one that is too long.
#[derive(Debug, Clone)]
struct Unit {
    span: Range<usize>,
    length: u32,
    before: Boundary,
}

impl Unit {
    /// Whether `next` is added to the passage `self`. `ends_block`: `next` is the last unit of its paragraph.
    fn takes(&self, next: &Self, ends_block: bool, whole: u32) -> bool {
        let together = self.length.saturating_add(next.length).saturating_add(gap(self, next));
        if together > LONGEST {
            return false;
        }
        // A few words at the end of a paragraph would mean little alone.
        let remnant = ends_block && next.length < SHORT;
        match next.before {
            Boundary::Forced | Boundary::Sentence => together <= USUAL || self.length < SHORT || remnant,
            Boundary::Block => self.length < SHORT || (whole <= USUAL && together <= USUAL),
            Boundary::Heading => whole <= USUAL && together <= USUAL,
        }
    }
}

/// White space between two units beyond the usual amount.
fn gap(first: &Unit, second: &Unit) -> u32 {
    u32::try_from((second.span.start - first.span.end).saturating_sub(2)).unwrap_or(u32::MAX / 4).min(u32::MAX / 4)
}

/// Length of a text: [`WORD`] points per word, one more for each character beyond twelve in it; half a word for each
/// character of a script written without spaces; one point for each space after the first.
#[derive(Debug, Clone, Copy, Default)]
struct Length {
    points: u32,
    /// Number of characters of the current word.
    run: u32,
}

impl Length {
    fn of(text: &str) -> u32 {
        let mut length = Self::default();
        text.chars().for_each(|c| length.push(c));
        length.points
    }

    fn push(&mut self, c: char) {
        let cost = if c.is_whitespace() {
            let cost = u32::from(self.run == 0);
            self.run = 0;
            cost
        } else if is_dense(c) {
            self.run = 1;
            WORD / 2
        } else {
            self.run += 1;
            match self.run {
                1 => WORD,
                run => u32::from(run > WORD),
            }
        };
        self.points = self.points.saturating_add(cost);
    }
}

/// Scripts that put no spaces between words: Thai to Myanmar, Khmer, kana, Han.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{323AF}')
}

/// Finds the sentences of a body, line by line.
#[derive(Default)]
struct Cutter {
    units: Vec<Unit>,
    /// A sentence that may continue in the next line.
    open: Option<Unit>,
    /// The boundary before the next sentence.
    before: Boundary,
}

impl Cutter {
    fn sentences(mut self, body: &str) -> Vec<Unit> {
        let mut start = 0;
        let mut after_heading = false;
        for line in body.split_inclusive('\n') {
            let text = line.trim();
            let kind = LineKind::of(text);
            match kind {
                LineKind::Blank | LineKind::Item => self.end(Boundary::Block),
                LineKind::Heading => self.end(Boundary::Heading),
                LineKind::Text if after_heading => self.end(Boundary::Sentence),
                LineKind::Text => {}
            }
            self.line(body, start + (line.len() - line.trim_start().len()), text);
            if !is_wrapped(text) {
                self.end(Boundary::Sentence);
            }
            after_heading = kind == LineKind::Heading;
            start += line.len();
        }
        self.end(Boundary::Block);
        self.units
    }

    fn line(&mut self, body: &str, start: usize, text: &str) {
        let mut from = 0;
        let mut skip = 0;
        for (at, c) in text.char_indices() {
            if at < skip {
                continue;
            }
            let Some((end, ends)) = sentence_end(text, at, c) else { continue };
            skip = end;
            if ends {
                self.add(body, start + from..start + end);
                self.end(Boundary::Sentence);
                from = end;
            }
        }
        self.add(body, start + from..start + text.len());
    }

    fn add(&mut self, body: &str, span: Range<usize>) {
        let text = &body[span.clone()];
        let trimmed = text.trim_start();
        if trimmed.is_empty() {
            return;
        }
        let start = span.end - trimmed.len();
        let part = Unit { span: start..span.end, length: Length::of(trimmed), before: self.before };
        if let Some(open) = &mut self.open {
            open.length = open.length.saturating_add(part.length).saturating_add(gap(open, &part));
            open.span.end = part.span.end;
        } else {
            self.open = Some(part);
            self.before = Boundary::Sentence;
        }
    }

    fn end(&mut self, boundary: Boundary) {
        self.units.extend(self.open.take());
        self.before = self.before.max(boundary);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Blank,
    Heading,
    /// A list item, a quote, a rule, a table row, a `verb:: [[Name]]` line.
    Item,
    Text,
}

impl LineKind {
    fn of(text: &str) -> Self {
        let Some(first) = text.chars().next() else { return Self::Blank };
        let marks = text.len() - text.trim_start_matches(first).len();
        let followed = |at: usize| text[at..].chars().next().is_none_or(char::is_whitespace);
        match first {
            '#' if marks <= 6 && followed(marks) => Self::Heading,
            '-' | '*' | '+' | '_' | '=' if marks == text.len() || followed(1) => Self::Item,
            '•' | '–' | '—' | '・' | '◦' if followed(first.len_utf8()) => Self::Item,
            '>' | '|' => Self::Item,
            '0'..='9' if numbers_item(text) => Self::Item,
            _ if is_field(text) => Self::Item,
            _ => Self::Text,
        }
    }
}

/// `12. ` or `12) `.
fn numbers_item(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.len() - rest.len() <= 3
        && rest.strip_prefix(['.', ')']).is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace))
}

/// `verb:: value`.
fn is_field(text: &str) -> bool {
    let name = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    name.starts_with("::") && name.len() < text.len()
}

/// Whether a line looks hard-wrapped by an editor, so that its sentence continues in the next line. People who write
/// one thought per line, without a full stop, break much earlier; lines of a soft-wrapping editor are much longer.
fn is_wrapped(line: &str) -> bool {
    (50..=110).contains(&line.chars().take(111).map(|c| if is_dense(c) { 2 } else { 1 }).sum::<usize>())
}

/// If `c` at `at` can end a sentence: where it ends, including further marks, closing quotes and brackets, and
/// whether it does end there.
fn sentence_end(text: &str, at: usize, c: char) -> Option<(usize, bool)> {
    let wide = matches!(c, '。' | '！' | '？' | '｡' | '।' | '॥' | '۔' | '؟' | '።' | '។' | '။');
    if !wide && !is_mark(c) {
        return None;
    }
    let after = &text[at + c.len_utf8()..];
    let rest = after.trim_start_matches(|c| is_closer(c) || is_mark(c));
    let end = text.len() - rest.len();
    let lone = c == '.' && rest.len() == after.len();
    let spaced = rest.chars().next().is_none_or(char::is_whitespace);
    Some((end, wide || (spaced && !(lone && is_abbreviation(&text[..at], rest)))))
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '*' | '_' | '’' | '”' | '»' | '›' | '」' | '』' | '）' | '】' | '》')
}

/// Whether the word before a full stop is an abbreviation, so that no sentence ends there. `after`: the text after
/// the space.
fn is_abbreviation(before: &str, after: &str) -> bool {
    /// Always followed by a name or a number.
    const TITLES: [&str; 22] = [
        "mr", "mrs", "ms", "mx", "dr", "prof", "st", "mt", "sr", "sra", "vs", "cf", "e.g", "i.e", "eg", "ie", "z.b",
        "bzw", "approx", "ca", "no", "nr",
    ];
    /// May also end a sentence.
    const OTHERS: [&str; 16] =
        ["a.m", "p.m", "etc", "jr", "al", "inc", "ltd", "co", "usw", "ave", "tel", "vol", "pp", "min", "hr", "hrs"];
    const LONGEST_WORD: usize = 8;
    let from = before.ceil_char_boundary(before.len().saturating_sub(LONGEST_WORD));
    let tail = &before[from..];
    let word = tail.rsplit(|c: char| c.is_whitespace() || "([\"'“‘".contains(c)).next().unwrap_or_default();
    let next = after.chars().find(|c| !c.is_whitespace());
    let goes_on = next.is_some_and(|c| c.is_lowercase() || c.is_numeric());
    let word = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word != "i";
    let starts_line = from == 0 && word.len() == before.len();
    let item = starts_line && word.chars().all(|c| c.is_ascii_digit());
    // "no." is far more often an answer than "number", unless a number follows.
    let number = matches!(word.as_str(), "no" | "nr") && !next.is_some_and(char::is_numeric);
    (TITLES.contains(&word.as_str()) && !number)
        || (initial && next.is_some_and(char::is_uppercase))
        || item
        || (goes_on && OTHERS.contains(&word.as_str()))
}

/// Splits a sentence longer than [`LONGEST`]: after a comma or similar in its second half, else between words, else
/// anywhere.
fn cut_long(body: &str, unit: Unit, units: &mut Vec<Unit>) {
    if unit.length <= LONGEST {
        units.push(unit);
        return;
    }
    let mut start = unit.span.start;
    let mut before = unit.before;
    while start < unit.span.end {
        let text = &body[start..unit.span.end];
        let (cut, length) = longest_part(text);
        let part = text[..cut].trim_end();
        if !part.is_empty() {
            units.push(Unit { span: start..start + part.len(), length, before });
            before = Boundary::Forced;
        }
        start += cut + (text[cut..].len() - text[cut..].trim_start().len());
    }
}

/// The first part of `text`, not longer than [`LONGEST`]: its number of bytes (at least one character) and its
/// length.
fn longest_part(text: &str) -> (usize, u32) {
    let mut length = Length::default();
    let (mut clause, mut space) = (None, None);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let so_far = length;
        length.push(c);
        if length.points > LONGEST && at > 0 {
            return clause.or(space).unwrap_or((at, so_far.points));
        }
        if c.is_whitespace() && so_far.points >= LONGEST / 4 {
            space = Some((at, so_far.points));
            if matches!(last, ',' | ';' | ':' | '–' | '—') && so_far.points >= LONGEST / 2 {
                clause = space;
            }
        }
        if matches!(c, '、' | '，' | '；' | '：') && so_far.points >= LONGEST / 2 {
            clause = Some((at + c.len_utf8(), length.points));
        }
        last = c;
    }
    (text.len(), length.points)
}

#[cfg(test)]
#[path = "passage_tests.rs"]
mod tests;
