//! Tokenizer for names: the words of a body with their shapes and the gaps before them.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::lexicon::TITLES;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Lower,
    /// An upper-case letter and at least one lower-case one.
    Capital,
    /// Two or more letters, none of them lower case.
    AllCapitals,
    /// One upper-case letter.
    Initial,
    /// Starts with a digit, or a script without case.
    Other,
}

/// The gap between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    Space,
    /// ` & `
    Ampersand,
    /// A comma, a dash, a tag outside the sentence: it ends a name, but not the sentence.
    Break,
    /// The start of a sentence, line or quotation.
    Sentence,
}

#[derive(Debug, Clone)]
pub(super) struct Word {
    pub span: Range<usize>,
    pub shape: Shape,
    pub gap: Gap,
    /// Number of its line.
    pub line: u32,
    /// Byte range of the name, for a mark that is a word.
    pub name: Option<Range<usize>>,
}

/// A mark that is a word of its sentence: `@Linh`, `[[Project X|the project]]`.
#[derive(Debug, Clone)]
pub(super) struct Marked {
    /// Including its signs.
    pub span: Range<usize>,
    /// The name without signs.
    pub name: Range<usize>,
}

/// Capitalisation style of a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineStyle {
    words: u32,
    /// Number of words at the start of a sentence.
    sentences: u32,
    /// Number of capitalised words elsewhere.
    capitals: u32,
    all_capitals: u32,
    commas: u32,
}

impl LineStyle {
    /// ALL CAPITALS: capitals are no evidence.
    pub fn shouts(self) -> bool {
        self.all_capitals > 0 && self.all_capitals * 5 >= self.words * 3
    }

    /// Title Case, as in a Heading: capitals are weak evidence. A list of names has commas.
    pub fn is_title(self) -> bool {
        self.words >= 4 && self.commas == 0 && self.capitals * 5 >= self.words.saturating_sub(self.sentences) * 4
    }
}

pub(super) struct Words {
    pub words: Vec<Word>,
    pub lines: Vec<LineStyle>,
}

/// Splits a body into words: each of `marked` is one, the `closed` ranges are skipped (both sorted, all without
/// overlap).
pub(super) fn words(body: &str, closed: &[Range<usize>], marked: &[Marked]) -> Words {
    let mut words: Vec<Word> = Vec::with_capacity(body.len() / 5);
    let mut lines = vec![LineStyle::default()];
    let (mut closed, mut marked) = (closed.iter(), marked.iter());
    let (mut next_closed, mut next_marked) = (closed.next(), marked.next());
    let mut gap = Gap::Sentence;
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        if let Some(range) = next_closed.filter(|range| range.start <= at) {
            if body[range.clone()].contains('\n') {
                lines.push(LineStyle::default());
                gap = Gap::Sentence;
            } else {
                // Punctuation before a mark still ends the sentence: "the bus broke down. #linh helped".
                gap = gap.max(Gap::Break);
            }
            at = range.end.max(at);
            next_closed = closed.next();
            continue;
        }
        if let Some(mark) = next_marked.filter(|mark| mark.span.start <= at) {
            let span = mark.span.start..mark.span.end + ending(&body[mark.span.end..]);
            at = span.end;
            // A marked name counts as capitalised.
            let line = lines.len() as u32 - 1;
            words.push(Word { span, shape: Shape::Capital, gap, line, name: Some(mark.name.clone()) });
            gap = Gap::Space;
            next_marked = marked.next();
            continue;
        }
        if !c.is_alphanumeric() {
            gap = after_sign(c, gap, &body[at..], words.last().map(|word| &body[word.span.clone()]));
            match c {
                '\n' => lines.push(LineStyle::default()),
                ',' => count(&mut lines, |line| line.commas += 1),
                _ => {}
            }
            at += c.len_utf8();
            continue;
        }
        let limits = [next_closed.map(|range| range.start), next_marked.map(|mark| mark.span.start)];
        let limit = limits.into_iter().flatten().min().unwrap_or(body.len());
        let (end, shape) = word(&body[at..limit]);
        let span = at..at + end;
        count(&mut lines, |line| {
            line.words += u32::from(shape != Shape::Other);
            line.capitals += u32::from(gap != Gap::Sentence && matches!(shape, Shape::Capital | Shape::AllCapitals));
            line.sentences += u32::from(gap == Gap::Sentence);
            line.all_capitals += u32::from(shape == Shape::AllCapitals);
        });
        words.push(Word { span, shape, gap, line: lines.len() as u32 - 1, name: None });
        gap = Gap::Space;
        at += end;
    }
    Words { words, lines }
}

fn count(lines: &mut [LineStyle], change: impl FnOnce(&mut LineStyle)) {
    if let Some(line) = lines.last_mut() {
        change(line);
    }
}

/// The bytes after a mark that belong to its word: `@Linh's`, `[[dog]]s`.
fn ending(behind: &str) -> usize {
    let letters = behind.find(|c: char| !c.is_lowercase()).unwrap_or(behind.len());
    let possessive = ["'s", "’s", "'S", "’S"].iter().find(|ending| behind[letters..].starts_with(**ending));
    let possessive = possessive.map_or(0, |ending| ending.len());
    let goes_on = behind[letters + possessive..].starts_with(char::is_alphanumeric);
    letters + if goes_on { 0 } else { possessive }
}

/// Letters, digits and marks, with apostrophes and hyphens between them: length and shape.
fn word(text: &str) -> (usize, Shape) {
    let mut end = 0;
    let (mut letters, mut upper, mut lower) = (0u32, 0u32, 0u32);
    let mut first = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_alphanumeric() || is_combining_mark(c) {
            first.get_or_insert(c);
            letters += u32::from(c.is_alphabetic());
            upper += u32::from(c.is_uppercase());
            lower += u32::from(c.is_lowercase());
            end = at + c.len_utf8();
        } else if !(matches!(c, '\'' | '’' | '-') && chars.peek().is_some_and(|(_, next)| next.is_alphabetic())) {
            break;
        }
    }
    let shape = match first {
        Some(c) if c.is_uppercase() && letters == 1 => Shape::Initial,
        Some(c) if c.is_uppercase() && lower == 0 && upper >= 2 => Shape::AllCapitals,
        Some(c) if c.is_uppercase() => Shape::Capital,
        Some(c) if c.is_lowercase() => Shape::Lower,
        _ => Shape::Other,
    };
    (end, shape)
}

/// The gap after one more sign. `rest` starts with the sign.
fn after_sign(sign: char, gap: Gap, rest: &str, previous: Option<&str>) -> Gap {
    let next = rest[sign.len_utf8()..].chars().next();
    let here = match sign {
        '\n' => Gap::Sentence,
        _ if sign.is_whitespace() || is_combining_mark(sign) => Gap::Space,
        // Emphasis around words does not affect the sentence.
        '*' | '_' | '\\' => Gap::Space,
        '\'' | '’' | ')' | ']' | '}' => Gap::Break,
        '.' if gap == Gap::Space && previous.is_some_and(abbreviates) => Gap::Space,
        '.' if next.is_some_and(char::is_alphanumeric) => Gap::Break,
        ',' | ';' | '-' | '–' | '—' | '/' | '+' | '=' | '%' | '$' | '€' | '#' | '@' | '~' | '^' => Gap::Break,
        '&' if gap == Gap::Space => Gap::Ampersand,
        '&' => Gap::Break,
        _ => Gap::Sentence,
    };
    gap.max(here)
}

/// A title, an initial, "St." or "Mt.": its full stop ends no sentence.
fn abbreviates(word: &str) -> bool {
    let mut chars = word.chars();
    let initial = chars.next().is_some_and(|c| c.is_uppercase() && c != 'I') && chars.next().is_none();
    initial
        || matches!(word, "St" | "Mt" | "Ft")
        || (word.len() <= 6 && word.is_ascii() && TITLES.comes_before(&word.to_ascii_lowercase()))
}
