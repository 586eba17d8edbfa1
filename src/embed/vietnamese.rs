//! Vietnamese words of a table: syllables and words of two syllables, with accents, and the same as people type them without.
//!
//! Each vocabulary is ordered by frequency, syllables first: a syllable's number says how frequent it is.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::{Result, wordpiece::WordPiece};

/// What stands between the syllables of a word of two.
pub const JOINT: char = ' ';

/// Abbreviations of chats, and what they stand for.
const ABBREVIATIONS: [(&str, &str); 16] = [
    ("ck", "chồng"),
    ("cx", "cũng"),
    ("dc", "được"),
    ("hok", "không"),
    ("khum", "không"),
    ("ko", "không"),
    ("mik", "mình"),
    ("mk", "mình"),
    ("ms", "mới"),
    ("ng", "người"),
    ("ns", "nói"),
    ("nx", "nữa"),
    ("trc", "trước"),
    ("vk", "vợ"),
    ("vs", "với"),
    ("đc", "được"),
];

/// The tone marks: grave, acute, tilde, hook, dot.
const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'];

/// The two vocabularies.
#[derive(Debug, Clone)]
pub struct Vietnamese {
    pub accented: Words,
    pub unaccented: Words,
}

/// Words of one way of writing.
#[derive(Debug, Clone)]
pub struct Words {
    words: WordPiece,
}

impl Words {
    /// Reads a vocabulary: one word a line.
    pub fn new(text: Cow<'static, str>) -> Result<Self> {
        Ok(Self { words: WordPiece::new(text)? })
    }

    pub fn size(&self) -> usize {
        self.words.size()
    }

    pub fn number(&self, word: &str) -> Option<u32> {
        self.words.number(false, word)
    }

    /// The word that two syllables are together.
    pub fn pair(&self, first: &str, second: &str) -> Option<u32> {
        let mut joined = [0u8; LONGEST_PAIR];
        let length = first.len() + 1 + second.len();
        let room = joined.get_mut(..length)?;
        room[..first.len()].copy_from_slice(first.as_bytes());
        room[first.len()] = JOINT as u8;
        room[first.len() + 1..].copy_from_slice(second.as_bytes());
        self.number(std::str::from_utf8(room).ok()?)
    }
}

/// Bytes: two of the longest syllables, `nghiêng`, have 20.
const LONGEST_PAIR: usize = 32;

/// What a chat's abbreviation stands for.
pub fn spelled_out(word: &str) -> Option<&'static str> {
    let found = ABBREVIATIONS.binary_search_by(|(short, _)| short.as_bytes().cmp(word.as_bytes()));
    found.ok().map(|at| ABBREVIATIONS[at].1)
}

/// One spelling of a syllable's tone: on the first vowel of an open `oa`, `oe`, `uy` (`hoà` is `hòa`). Lower case, composed.
pub fn one_spelling(syllable: &str) -> Cow<'_, str> {
    let moved = match syllable.chars().next_back() {
        Some(last @ ('à' | 'á' | 'ã' | 'ả' | 'ạ' | 'è' | 'é' | 'ẽ' | 'ẻ' | 'ẹ')) => {
            syllable[..syllable.len() - last.len_utf8()].ends_with('o')
        }
        Some(last @ ('ỳ' | 'ý' | 'ỹ' | 'ỷ' | 'ỵ')) => {
            let before = &syllable[..syllable.len() - last.len_utf8()];
            before.ends_with('u') && !before.ends_with("qu")
        }
        _ => false,
    };
    if !moved {
        return Cow::Borrowed(syllable);
    }
    let mut marks: Vec<char> = syllable.nfd().collect();
    if let [.., _, tone] = marks[..]
        && TONES.contains(&tone)
    {
        let at = marks.len() - 2;
        marks.pop();
        marks.insert(at, tone);
    }
    Cow::Owned(marks.into_iter().nfc().collect())
}

/// As it is typed without accents: lower case ASCII.
pub fn unaccented(word: &str) -> String {
    without_marks(word).replace('đ', "d")
}

/// A word without its combining marks; `đ` has none.
pub fn without_marks(word: &str) -> String {
    word.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_places_of_a_tone_are_one_spelling() {
        for (written, one) in [
            ("hoà", "hòa"),
            ("khoẻ", "khỏe"),
            ("thuý", "thúy"),
            ("hòa", "hòa"),
            ("quý", "quý"),
            ("hoàn", "hoàn"),
            ("mẹ", "mẹ"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(one_spelling(written), one);
        }
    }

    #[test]
    fn abbreviations_are_sorted_and_spelled_out() {
        assert!(ABBREVIATIONS.windows(2).all(|two| two[0].0.as_bytes() < two[1].0.as_bytes()));
        assert_eq!(spelled_out("ko"), Some("không"));
        assert_eq!(spelled_out("tea"), None);
    }

    #[test]
    fn accents_can_be_left_out() {
        assert_eq!(unaccented("đi được"), "di duoc");
    }

    #[test]
    fn two_syllables_are_found_together() {
        let words = Words::new("hạnh\nphúc\nhạnh phúc\n".into()).unwrap();
        assert_eq!((words.pair("hạnh", "phúc"), words.pair("phúc", "hạnh")), (Some(2), None));
        assert_eq!(words.pair(&"a".repeat(40), "b"), None);
    }
}
