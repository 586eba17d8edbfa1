//! WordPiece: text to words, words to the pieces of a vocabulary.
//!
//! Lower case, NFD, accents stripped; runs of letters, of digits and of everything else; each run is cut into the
//! longest known pieces from its start (`##` marks a piece inside a word, as in BERT). Knows nothing of vectors.

use std::{borrow::Cow, ops::Range};

use unicode_normalization::{
    UnicodeNormalization,
    char::{decompose_canonical, is_combining_mark},
};

use super::{EmbedError, Result};

/// What marks a piece that continues a word.
pub const CONTINUES: &str = "##";
/// Longer runs are no words: dropped, so that odd texts cost linear time.
const LONGEST_WORD: usize = 64;

/// A run of a text, normalised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'t> {
    /// Bytes of the original text.
    pub span: Range<usize>,
    pub text: &'t str,
    /// With its accents, composed (NFC); the same as `text` where it has none.
    pub accented: &'t str,
    pub kind: WordKind,
    /// Written with an accent that is not in `text`.
    pub stripped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    Letters,
    Digits,
    /// Punctuation, symbols.
    Other,
}

impl WordKind {
    fn of(c: char) -> Option<Self> {
        match c {
            _ if c.is_whitespace() || c.is_control() => None,
            _ if c.is_alphabetic() => Some(Self::Letters),
            _ if c.is_numeric() => Some(Self::Digits),
            _ => Some(Self::Other),
        }
    }
}

/// Calls `each` with the words of a text, in order.
pub fn words(text: &str, mut each: impl FnMut(Word<'_>)) {
    let mut run = String::new();
    // The run with its marks, and the same composed: filled only where there are marks.
    let (mut marked, mut composed) = (String::new(), String::new());
    let mut kind = None;
    let mut stripped = false;
    let mut span = 0..0;
    // `at`: the bytes of the original character.
    let mut push = |c: char, at: Range<usize>| {
        if is_combining_mark(c) {
            // A mark without a letter before it says nothing.
            if kind == Some(WordKind::Letters) {
                if !stripped {
                    marked.clone_from(&run);
                    stripped = true;
                }
                marked.push(c);
                span.end = at.end;
            }
            return;
        }
        let next = WordKind::of(c);
        if next != kind {
            if let Some(kind) = kind {
                if stripped {
                    composed.clear();
                    composed.extend(marked.nfc());
                }
                let accented = if stripped { &composed } else { &run };
                each(Word { span: span.clone(), text: &run, accented, kind, stripped });
            }
            run.clear();
            kind = next;
            stripped = false;
            span.start = at.start;
        }
        if kind.is_some() {
            run.push(c);
            if stripped {
                marked.push(c);
            }
            span.end = at.end;
        }
    };
    if text.is_ascii() {
        text.bytes().enumerate().for_each(|(at, byte)| push(char::from(byte.to_ascii_lowercase()), at..at + 1));
    } else {
        for (at, c) in text.char_indices() {
            let bytes = at..at + c.len_utf8();
            // The marks of a letter may be in another order than in NFD of the text; composing sorts them.
            c.to_lowercase().for_each(|lower| decompose_canonical(lower, |part| push(part, bytes.clone())));
        }
    }
    push(' ', text.len()..text.len());
}

/// A vocabulary and the cutting by it.
///
/// Open addressing over the bytes of `vocab.txt`: 30,000 pieces are ready in less than a millisecond, with no string
/// allocated.
#[derive(Debug, Clone)]
pub struct WordPiece {
    text: Cow<'static, str>,
    /// Where each piece lies in `text`.
    spans: Vec<(u32, u32)>,
    /// Piece numbers by hash, [`EMPTY`] where none is; with the other half of the hash, so that a piece that only fell on the
    /// same place is told apart without a look at its text.
    slots: Vec<(u32, u32)>,
    /// Bytes of the longest piece.
    longest: usize,
}

const EMPTY: u32 = u32::MAX;

impl WordPiece {
    /// Reads a vocabulary: one piece a line, its number is its line from 0.
    ///
    /// # Errors
    /// An empty line, or a piece that stands there twice.
    pub fn new(text: Cow<'static, str>) -> Result<Self> {
        let mut spans = Vec::with_capacity(text.len() / 7);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let piece = line.trim_end_matches(['\n', '\r']);
            if piece.is_empty() {
                let reason = format!("line {} of the vocabulary is empty", spans.len() + 1);
                return Err(EmbedError::model("table", reason));
            }
            spans.push((start as u32, (start + piece.len()) as u32));
            start += line.len();
        }
        let slots = vec![(EMPTY, 0); (spans.len() * 2).next_power_of_two().max(2)];
        let longest = spans.iter().map(|(start, end)| (end - start) as usize).max().unwrap_or(0);
        let mut vocabulary = Self { text, spans, slots, longest };
        for number in 0..vocabulary.spans.len() as u32 {
            let (continues, piece) = split(vocabulary.piece(number));
            match vocabulary.slot(continues, piece) {
                Ok(_) => {
                    let reason = format!("`{}` is in the vocabulary twice", vocabulary.piece(number));
                    return Err(EmbedError::model("table", reason));
                }
                Err(free) => vocabulary.slots[free] = (number, tag(hash(continues, piece))),
            }
        }
        Ok(vocabulary)
    }

    /// Pieces.
    pub fn size(&self) -> usize {
        self.spans.len()
    }

    /// A piece as the vocabulary has it, with its `##`.
    pub fn piece(&self, number: u32) -> &str {
        let (start, end) = self.spans[number as usize];
        &self.text[start as usize..end as usize]
    }

    /// The number of a piece written without `##`.
    pub fn number(&self, continues: bool, piece: &str) -> Option<u32> {
        self.slot(continues, piece).ok().map(|slot| self.slots[slot].0)
    }

    /// The slot that holds a piece, or the free one where it would go. Half of all slots are free, so it ends.
    fn slot(&self, continues: bool, piece: &str) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let hash = hash(continues, piece);
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (EMPTY, _) => return Err(at),
                (number, known) if known == tag(hash) && split(self.piece(number)) == (continues, piece) => {
                    return Ok(at);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Cuts one word into pieces. `false`, and nothing kept, where a part of it is unknown.
    pub fn cut(&self, word: &str, pieces: &mut Vec<u32>) -> bool {
        if word.len() > LONGEST_WORD {
            return false;
        }
        let before = pieces.len();
        let mut rest = word;
        while !rest.is_empty() {
            let longest = rest.floor_char_boundary(self.longest);
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            let found = ends
                .skip_while(|end| *end > longest)
                .find_map(|end| Some((end, self.number(pieces.len() > before, &rest[..end])?)));
            let Some((end, number)) = found else {
                pieces.truncate(before);
                return false;
            };
            pieces.push(number);
            rest = &rest[end..];
        }
        true
    }

    /// The pieces of a text; words with an unknown part are left out. `pieces` is emptied first. With `accents`, a word
    /// that lost one may still count as known.
    #[cfg(any(test, feature = "lab"))]
    pub fn encode(&self, text: &str, accents: bool, pieces: &mut Vec<u32>) -> Coverage {
        pieces.clear();
        let mut coverage = Coverage::default();
        words(text, |word| {
            let before = pieces.len();
            let known = self.cut(word.text, pieces);
            if word.kind == WordKind::Letters {
                coverage.add(word.text, known && pieces.len() == before + 1 && (accents || !word.stripped));
            }
        });
        coverage
    }
}

/// How much of a text a vocabulary knows: words that are one piece (and, where accents matter, written without one).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    pub words: usize,
    /// In all words.
    pub letters: usize,
    pub known_words: usize,
    pub known_letters: usize,
}

impl Coverage {
    /// Counts a word of letters.
    pub fn add(&mut self, word: &str, known: bool) {
        let letters = word.chars().count();
        self.words += 1;
        self.letters += letters;
        if known {
            self.known_words += 1;
            self.known_letters += letters;
        }
    }

    /// Mean of the share of words and the share of letters; 0 for a text without words. Short words are often words of
    /// several languages, long ones are often rare: either share alone errs more.
    pub fn share(self) -> f64 {
        if self.words == 0 {
            return 0.0;
        }
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        (share(self.known_words, self.words) + share(self.known_letters, self.letters)) / 2.0
    }
}

fn split(piece: &str) -> (bool, &str) {
    match piece.strip_prefix(CONTINUES) {
        Some(rest) if !rest.is_empty() => (true, rest),
        _ => (false, piece),
    }
}

/// FNV-1a with a last mix: short keys, no attacker.
fn hash(continues: bool, piece: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ u64::from(continues);
    let sum = piece.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    sum ^ (sum >> 29)
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut read = Vec::new();
        words(text, |word| read.push(word.text.to_owned()));
        read
    }

    fn vocabulary(pieces: &[&str]) -> WordPiece {
        WordPiece::new(pieces.join("\n").into()).unwrap()
    }

    fn pieces(vocabulary: &WordPiece, text: &str) -> Vec<String> {
        let mut numbers = Vec::new();
        vocabulary.encode(text, false, &mut numbers);
        numbers.into_iter().map(|number| vocabulary.piece(number).to_owned()).collect()
    }

    #[test]
    fn words_are_runs_of_letters_digits_and_the_rest_without_case_and_accents() {
        assert_eq!(read("Café at 10:30... DON'T!"), ["cafe", "at", "10", ":", "30", "...", "don", "'", "t", "!"]);
        assert_eq!(read("Hùng uống cà phê"), ["hung", "uong", "ca", "phe"]);
        assert_eq!(read(" \n\t\u{301} "), Vec::<String>::new());
        assert_eq!(read("a\u{301}b"), ["ab"], "an accent does not end a word");
    }

    #[test]
    fn a_word_knows_its_place_in_the_text() {
        for text in ["Café at 10:30 — DON'T!", "Mẹ đi Cho\u{31b}\u{323} \n tea", ""] {
            let mut places = Vec::new();
            words(text, |word| places.push((text[word.span.clone()].to_owned(), word.accented.to_owned())));
            for (place, accented) in places {
                assert_eq!(place.to_lowercase().nfc().collect::<String>(), accented);
            }
        }
    }

    #[test]
    fn the_accented_form_is_composed() {
        let mut read = Vec::new();
        words("Mẹ đi Cho\u{31b}\u{323} tea", |word| read.push((word.accented.to_owned(), word.stripped)));
        let [mother, go, market, tea] = [("mẹ", true), ("đi", false), ("chợ", true), ("tea", false)];
        assert_eq!(read, [mother, go, market, tea].map(|(word, stripped)| (word.to_owned(), stripped)));
    }

    #[test]
    fn the_longest_known_piece_is_taken_from_the_left() {
        let vocabulary = vocabulary(&["uk", "u", "##ule", "##le", "##l", "##u", "tea", "a"]);
        assert_eq!(pieces(&vocabulary, "ukulele tea"), ["uk", "##ule", "##le", "tea"]);
        assert_eq!(pieces(&vocabulary, "TEA teas a"), ["tea", "a"], "a word with an unknown part says nothing");
        assert_eq!(pieces(&vocabulary, "le"), Vec::<String>::new(), "a piece from inside words does not begin one");
    }

    #[test]
    fn coverage_counts_whole_words_as_they_are_written() {
        let vocabulary = vocabulary(&["tea", "with", "t", "##o", "##i", "ca"]);
        let mut numbers = Vec::new();
        let all = Coverage { words: 2, letters: 7, known_words: 2, known_letters: 7 };
        assert_eq!(vocabulary.encode("tea with 12 ...", false, &mut numbers), all);
        assert_eq!(all.share(), 1.0);
        // `toi` is pieces, `cà` lost its accent.
        let some = vocabulary.encode("tôi toi cà ca", false, &mut numbers);
        assert_eq!(some, Coverage { words: 4, letters: 10, known_words: 1, known_letters: 2 });
        assert!((some.share() - (0.25 + 0.2) / 2.0).abs() < 1e-12);
        assert_eq!(vocabulary.encode("tôi toi cà ca", true, &mut numbers).known_words, 2);
        assert_eq!(vocabulary.encode("🙂 12", false, &mut numbers).share(), 0.0);
    }

    #[test]
    fn a_vocabulary_with_an_empty_line_or_a_double_is_refused() {
        assert!(WordPiece::new("a\n\nb\n".into()).is_err());
        assert!(WordPiece::new("a\nb\na\n".into()).unwrap_err().to_string().contains("`a`"));
        let both = WordPiece::new("##\n###\nab\r\n".into()).unwrap();
        assert_eq!((both.size(), both.number(false, "##"), both.number(true, "#")), (3, Some(0), Some(1)));
        assert_eq!(both.number(false, "ab"), Some(2));
    }

    #[test]
    fn a_word_without_end_costs_little_and_says_nothing() {
        let vocabulary = vocabulary(&["a", "##a"]);
        assert_eq!(pieces(&vocabulary, &"a".repeat(1 << 20)), Vec::<String>::new());
        assert_eq!(pieces(&vocabulary, "aaa"), ["a", "##a", "##a"]);
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_word_spell_it(text in "[abc ]{0,40}") {
            let vocabulary = vocabulary(&["a", "b", "c", "##a", "##b", "##c", "ab", "##bc", "##cab", "abc"]);
            let spelled: String = pieces(&vocabulary, &text).iter().map(|piece| split(piece).1).collect();
            prop_assert_eq!(spelled, text.replace(' ', ""));
        }

        #[test]
        fn any_text_is_read_without_case_space_or_panic(text in any::<String>()) {
            let again: Vec<String> = read(&read(&text).join(" "));
            for word in &again {
                prop_assert!(!word.contains(char::is_whitespace) && !word.is_empty());
            }
            let vocabulary = vocabulary(&["a", "b", "##a", "the"]);
            let coverage = vocabulary.encode(&text, false, &mut Vec::new());
            prop_assert!((0.0..=1.0).contains(&coverage.share()));
        }
    }
}
