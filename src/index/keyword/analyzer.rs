//! Tokenization: the one analyzer for entries and queries.
//!
//! | written | words |
//! |---|---|
//! | `Đà Nẵng` (composed or not) | `da`, `nang`; exact: `đà`, `nẵng` |
//! | `Straße`, `Łódź`, `İstanbul` | `strasse`, `lodz`, `istanbul` |
//! | `Linh's`, `we’ll`, `I'd've` | `linh`, `we`, `i`: what follows the apostrophe is a clitic |
//! | `don't`, `O'Brien`, `l'amour` | `dont`, `obrien` and `brien`, `lamour` and `amour` |
//! | `bought`, `children` | `bought`, `children`; as a stem `buy`, `child` |
//! | `5:30pm`, `2-3` | `5`, `30pm`; `2`, `3` |
//! | `co-worker` | `co`, `worker`; and `coworker` |
//! | `我怀孕了` | each character, and each pair of neighbours |
//! | `🎉` | itself |
//!
//! Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese), and Hangul, whose particles are
//! attached, are read in overlapping pairs: any part of two characters or more is found without a dictionary.
//!
//! Marks are stripped cluster by cluster, after lower-casing, so that a decomposed text (as some editors and file
//! systems write it) is cut at the same places as a composed one. Marks of scripts where they carry the vowel
//! (Indic, Thai) stay.

use std::ops::Range;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_segmentation::UnicodeSegmentation;

use crate::extract::sure_base_form;

/// Longer words are cut here, in text and query alike: nobody searches for the end of a pasted key.
const LONGEST: usize = 64;

/// What a token is in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word between spaces or punctuation.
    Word,
    /// The part of a word after an apostrophe, at the word's position (`brien` of `O'Brien`).
    Part,
    /// Two hyphenated words in their joined spelling (`coworker` of `co-worker`), at the position of the second.
    Joined,
    /// One character of a script without spaces.
    Gram,
    /// Two neighbouring characters of such a script, at the position of the first.
    Pair,
}

/// One token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    /// Lower case, without accents.
    pub folded: String,
    /// Lower case, with accents.
    pub exact: String,
    /// Bytes of the original text.
    pub span: Range<usize>,
    /// Counts words (and single characters of scripts without spaces) from 0.
    pub position: usize,
}

/// The English stem of a folded word of ASCII letters; any other word is its own stem.
pub fn stem(folded: &str) -> std::borrow::Cow<'_, str> {
    if folded.len() < 3 || !folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return folded.into();
    }
    Stemmer::new(Algorithm::English).stem(sure_base_form(folded)).into_owned().into()
}

/// All tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    analyze(text, &mut |token| all.push(token.clone()));
    all
}

/// Lower case without accents, for comparing names: words joined by one space.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    analyze(text, &mut |token| match token.kind {
        Kind::Word | Kind::Gram => {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(&token.folded);
        }
        Kind::Part | Kind::Joined | Kind::Pair => {}
    });
    folded
}

/// Passes each token to `sink` in order of position. Accepts any text; spans are on character boundaries.
pub fn analyze(text: &str, sink: &mut dyn FnMut(&Token)) {
    let mut analysis = Analysis::of(text);
    while analysis.advance(sink) {}
}

/// Incremental analysis, so that the tokens of a long text are never all in memory.
pub struct Analysis<'t> {
    text: &'t str,
    at: usize,
    reader: Reader,
}

impl<'t> Analysis<'t> {
    pub fn of(text: &'t str) -> Self {
        Self { text, at: 0, reader: Reader::new() }
    }

    /// Reads up to the next character that may end a word, and passes the few tokens that end there to `sink`; false
    /// at the end of the text.
    pub fn advance(&mut self, sink: &mut dyn FnMut(&Token)) -> bool {
        let bytes = self.text.as_bytes();
        // An ASCII byte followed by another is a grapheme cluster: the fast path for most text.
        let is_alone = |at: usize| bytes.get(at + 1).is_none_or(u8::is_ascii);
        while let Some(letter) = bytes.get(self.at).filter(|byte| byte.is_ascii_alphanumeric())
            && is_alone(self.at)
        {
            self.reader.letter(*letter, self.at);
            self.at += 1;
        }
        let Some(byte) = bytes.get(self.at) else {
            self.reader.end(sink);
            return false;
        };
        if byte.is_ascii() && is_alone(self.at) {
            self.reader.sign(*byte, self.at, sink);
            self.at += 1;
        } else {
            let cluster = self.text[self.at..].graphemes(true).next().unwrap_or_default();
            self.reader.cluster(cluster, self.at, sink);
            self.at += cluster.len().max(1);
        }
        true
    }
}

/// Position of an apostrophe inside the current word.
struct Apostrophe {
    folded: usize,
    exact: usize,
    bytes: Range<usize>,
}

type Sink<'s> = dyn FnMut(&Token) + 's;

struct Reader {
    word: Token,
    letters: usize,
    /// The last apostrophe inside the word.
    apostrophe: Option<Apostrophe>,
    /// The first of several apostrophes that are followed by clitics only (`I'd've`).
    clitics: Option<Apostrophe>,
    /// An apostrophe was read; it belongs to the word only if a letter follows.
    pending: Option<Range<usize>>,
    /// The word before the last hyphen, waiting for the word after it.
    hyphened: Option<Token>,
    /// The last character of an unspaced script, waiting for its neighbour.
    gram: Option<(String, Range<usize>)>,
    pair: Token,
    position: usize,
}

impl Reader {
    fn new() -> Self {
        let empty = |kind| Token { kind, folded: String::new(), exact: String::new(), span: 0..0, position: 0 };
        Self {
            word: empty(Kind::Word),
            letters: 0,
            apostrophe: None,
            clitics: None,
            pending: None,
            hyphened: None,
            gram: None,
            pair: empty(Kind::Pair),
            position: 0,
        }
    }

    fn letter(&mut self, byte: u8, at: usize) {
        self.begin_letter(at);
        if self.letters < LONGEST {
            let lower = byte.to_ascii_lowercase() as char;
            self.word.folded.push(lower);
            self.word.exact.push(lower);
        }
        self.letters += 1;
        self.word.span.end = at + 1;
    }

    /// An ASCII character that is neither a letter nor a digit.
    fn sign(&mut self, byte: u8, at: usize, sink: &mut Sink<'_>) {
        match byte {
            b'\'' => self.apostrophe_at(at..at + 1, sink),
            b'-' => self.hyphen_at(at..at + 1, sink),
            _ => self.end(sink),
        }
    }

    fn cluster(&mut self, cluster: &str, at: usize, sink: &mut Sink<'_>) {
        let span = at..at + cluster.len();
        let Some(first) = cluster.chars().next() else { return };
        match first {
            // Also as typed by hand: an opening quote, a spacing accent.
            '\u{2010}' | '\u{2011}' => return self.hyphen_at(span, sink),
            '\'' | '\u{2019}' | '\u{2bc}' | '\u{ff07}' | '\u{2018}' | '\u{b4}' => {
                return self.apostrophe_at(span, sink);
            }
            // Soft hyphens, joiners and direction marks do not end a word.
            '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => return,
            _ => {}
        }
        if is_emoji(first) {
            self.end(sink);
            let face: String = cluster
                .chars()
                .take(LONGEST)
                .filter(|c| !matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}'))
                .collect();
            return self.one(face, span, sink);
        }
        // A cluster may have any number of marks; only the first ones are used.
        let exact: String = cluster
            .chars()
            .take(LONGEST)
            .nfkc()
            .flat_map(char::to_lowercase)
            .filter(|c| c.is_alphanumeric() || is_combining_mark(*c))
            .collect();
        match exact.chars().find(|c| c.is_alphanumeric()) {
            None => self.end(sink),
            Some(c) if is_unspaced(c) => {
                self.end_word(sink);
                if is_clustered(c) {
                    self.one(exact, span, sink);
                } else {
                    exact.chars().filter(|c| c.is_alphanumeric()).for_each(|c| self.one(c.into(), span.clone(), sink));
                }
            }
            Some(_) => {
                self.begin_letter(at);
                if self.letters < LONGEST {
                    strip_marks(&exact, &mut self.word.folded);
                    self.word.exact.push_str(&exact);
                }
                self.letters += 1;
                self.word.span.end = span.end;
            }
        }
    }

    /// Starts or continues a word of a spaced script.
    fn begin_letter(&mut self, at: usize) {
        self.gram = None;
        if self.letters == 0 {
            self.word.span = at..at;
        } else if let Some(bytes) = self.pending.take() {
            let before = self.apostrophe.take().filter(|before| is_clitic(&self.word.folded[before.folded..]));
            self.clitics = before.map(|before| self.clitics.take().unwrap_or(before));
            self.apostrophe = Some(Apostrophe { folded: self.word.folded.len(), exact: self.word.exact.len(), bytes });
        }
    }

    fn apostrophe_at(&mut self, span: Range<usize>, sink: &mut Sink<'_>) {
        if self.letters > 0 && self.pending.is_none() {
            self.pending = Some(span);
        } else {
            self.end(sink);
        }
    }

    /// Keeps the word before the hyphen, unless it follows a hyphen itself: `well-to-do` has no joined spelling.
    fn hyphen_at(&mut self, span: Range<usize>, sink: &mut Sink<'_>) {
        let follows = self.hyphened.take().is_some_and(|first| first.span.end == self.word.span.start);
        let touches = self.letters > 0 && self.word.span.end == span.start && self.apostrophe.is_none();
        let first = (touches && !follows).then(|| Token {
            kind: Kind::Joined,
            span: self.word.span.start..span.end,
            ..self.word.clone()
        });
        self.end(sink);
        self.hyphened = first;
    }

    /// Both halves of `co-worker` in one token, if the current word is the second half.
    fn joined(&mut self) -> Option<Token> {
        let mut joined = self.hyphened.take().filter(|first| first.span.end == self.word.span.start)?;
        if !is_lettered(&joined) || !is_lettered(&self.word) {
            return None;
        }
        joined.folded.push_str(&self.word.folded);
        joined.exact.push_str(&self.word.exact);
        joined.span.end = self.word.span.end;
        joined.position = self.word.position;
        Some(joined)
    }

    /// One character of an unspaced script (or one emoji): the character itself, and its pair with the character
    /// before.
    fn one(&mut self, text: String, span: Range<usize>, sink: &mut Sink<'_>) {
        if let Some((before, before_span)) = self.gram.take() {
            let pair = &mut self.pair;
            pair.folded.clear();
            pair.folded.push_str(&before);
            pair.folded.push_str(&text);
            pair.exact.clone_from(&pair.folded);
            pair.span = before_span.start..span.end;
            pair.position = self.position - 1;
            sink(pair);
        }
        let gram = Token {
            kind: Kind::Gram,
            exact: text.clone(),
            folded: text.clone(),
            span: span.clone(),
            position: self.position,
        };
        sink(&gram);
        self.position += 1;
        self.gram = Some((text, span));
    }

    fn end(&mut self, sink: &mut Sink<'_>) {
        self.end_word(sink);
        self.gram = None;
    }

    fn end_word(&mut self, sink: &mut Sink<'_>) {
        self.pending = None;
        if self.letters == 0 {
            return;
        }
        self.letters = 0;
        self.word.position = self.position;
        let (apostrophe, clitics) = (self.apostrophe.take(), self.clitics.take());
        let part = apostrophe.and_then(|apostrophe| cut_clitics(&mut self.word, &apostrophe, clitics.as_ref()));
        // A cluster that consists of marks only may leave an empty word.
        if !self.word.folded.is_empty() {
            sink(&self.word);
            for more in part.into_iter().chain(self.joined()) {
                sink(&more);
            }
            self.position += 1;
        }
        self.word.folded.clear();
        self.word.exact.clear();
    }
}

/// Removes `'s`, `'ll` and other clitics from a word; returns the part after any other apostrophe. `before`: an
/// earlier apostrophe, if only clitics follow it.
fn cut_clitics(word: &mut Token, apostrophe: &Apostrophe, before: Option<&Apostrophe>) -> Option<Token> {
    let after = &word.folded[apostrophe.folded..];
    if is_clitic(after) {
        let first = before.unwrap_or(apostrophe);
        word.folded.truncate(first.folded);
        word.exact.truncate(first.exact);
        word.span.end = first.bytes.start;
        return None;
    }
    (after.chars().count() >= 3).then(|| Token {
        kind: Kind::Part,
        folded: after.to_owned(),
        exact: word.exact[apostrophe.exact..].to_owned(),
        span: apostrophe.bytes.end..word.span.end,
        position: word.position,
    })
}

fn is_lettered(word: &Token) -> bool {
    word.folded.chars().all(char::is_alphabetic)
}

fn is_clitic(after: &str) -> bool {
    matches!(after, "s" | "ll" | "re" | "ve" | "d" | "m")
}

/// Adds `exact` (lower case) to `folded` without diacritics, and with letters that have no decomposition in their
/// usual ASCII spelling.
fn strip_marks(exact: &str, folded: &mut String) {
    let mut before = ' ';
    let bare = exact.nfd().filter(|&c| {
        // й is a separate letter, not an accented и.
        let keep = !is_accent(c) || (c == '\u{306}' && before == 'и');
        before = c;
        keep
    });
    for c in bare.nfc() {
        match c {
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ø' => folded.push('o'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ı' => folded.push('i'),
            'þ' => folded.push_str("th"),
            'ħ' => folded.push('h'),
            'ŧ' => folded.push('t'),
            'ς' => folded.push('σ'),
            other => folded.push(other),
        }
    }
}

/// Diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic script.
fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Scripts tokenized by character and pair.
fn is_unspaced(c: char) -> bool {
    is_clustered(c)
        || matches!(c,
            '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30ff}' | '\u{3105}'..='\u{318f}'
            | '\u{31a0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}'
            | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3347f}')
}

/// Unspaced scripts whose vowels and tones are marks: Thai, Lao, Burmese, Khmer. A cluster is one character.
fn is_clustered(c: char) -> bool {
    matches!(c, '\u{e01}'..='\u{e4e}' | '\u{e81}'..='\u{ecd}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17dd}')
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

#[cfg(test)]
#[path = "analyzer_tests.rs"]
mod tests;
