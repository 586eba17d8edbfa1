//! Search for a model's quotes in a text.
//!
//! A quote matches whole words. White space may differ, quotation marks and apostrophes may be straight or curved, and
//! letters may be composed or decomposed; nothing else may differ. Matches are byte ranges of the original text.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::extract::stands_alone;

/// A normalised text, with a mapping to the original bytes.
pub(super) struct Quotable {
    folded: String,
    /// For each normalised character its offset in `folded` and its byte range in the text, in order.
    places: Vec<(usize, Range<usize>)>,
}

impl Quotable {
    pub fn new(text: &str) -> Self {
        let mut quotable = Self { folded: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        for bytes in letters(text) {
            let letter = &text[bytes.clone()];
            let space = letter.starts_with(char::is_whitespace);
            if space && quotable.folded.ends_with(' ') {
                if let Some((_, last)) = quotable.places.last_mut() {
                    last.end = bytes.end;
                }
                continue;
            }
            quotable.places.push((quotable.folded.len(), bytes));
            push_folded(&mut quotable.folded, letter);
        }
        quotable
    }

    /// The byte ranges of all matches of the quote as whole words, in order, without overlap. Linear in the text.
    pub fn find(&self, quote: &str) -> impl Iterator<Item = Range<usize>> {
        let quote = Self::new(quote.trim()).folded;
        let mut from = 0;
        std::iter::from_fn(move || {
            while !quote.is_empty() {
                let start = from + self.folded.get(from..)?.find(&quote)?;
                let end = start + quote.len();
                if self.ends_word(start) && self.ends_word(end) {
                    from = end;
                    return self.bytes(start..end);
                }
                from = start + self.folded[start..].chars().next().map_or(1, char::len_utf8);
            }
            None
        })
    }

    /// Whether this offset is a word boundary. In scripts without spaces every offset is one.
    fn ends_word(&self, at: usize) -> bool {
        let before = self.folded[..at].chars().next_back();
        let behind = self.folded[at..].chars().next();
        match (before, behind) {
            (Some(before), Some(behind)) => {
                !(before.is_alphanumeric() && behind.is_alphanumeric()) || stands_alone(before) || stands_alone(behind)
            }
            _ => true,
        }
    }

    /// `None` if an end of the range is inside a letter.
    fn bytes(&self, folded: Range<usize>) -> Option<Range<usize>> {
        let first = self.places.binary_search_by_key(&folded.start, |(at, _)| *at).ok()?;
        let behind = self.places.partition_point(|(at, _)| *at < folded.end);
        Some(self.places[first].1.start..self.places.get(behind.checked_sub(1)?)?.1.end)
    }
}

/// The byte range of each letter with its combining marks.
fn letters(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let mut end = start + first.len_utf8();
        while let Some((at, mark)) = chars.next_if(|(_, c)| is_combining_mark(*c)) {
            end = at + mark.len_utf8();
        }
        Some(start..end)
    })
}

fn push_folded(folded: &mut String, letter: &str) {
    match letter {
        "’" | "‘" | "ʼ" | "`" => folded.push('\''),
        "“" | "”" | "„" | "«" | "»" => folded.push('"'),
        letter if letter.starts_with(char::is_whitespace) => folded.push(' '),
        letter if letter.is_ascii() => folded.push_str(letter),
        letter => folded.extend(letter.nfc()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'t>(text: &'t str, quote: &str) -> Vec<&'t str> {
        Quotable::new(text).find(quote).map(|bytes| &text[bytes]).collect()
    }

    #[test]
    fn a_quote_may_be_broken_and_spelled_as_a_model_does() {
        assert_eq!(found("I was\n  tired all\tday.", "was tired all day"), ["was\n  tired all\tday"]);
        assert_eq!(found("It’s “fine”, really", "It's \"fine\""), ["It’s “fine”"]);
        assert_eq!(found("Hu\u{300}ng called", "Hùng called"), ["Hu\u{300}ng called"], "decomposed in the text");
        assert_eq!(found("Hùng called", "Hu\u{300}ng"), ["Hùng"], "decomposed in the quote");
        assert_eq!(found("Linh and Linh", " Linh "), ["Linh", "Linh"]);
    }

    #[test]
    fn only_whole_words_that_stand_there_are_found() {
        assert!(found("I was unhappy because of Linh", "happy because of Linh").is_empty());
        assert!(found("Linhtinh", "Linh").is_empty());
        assert!(found("I was tired", "I was exhausted").is_empty());
        assert!(found("Hùng", "Hung").is_empty(), "another name");
        assert!(found("tired", "").is_empty() && found("", "tired").is_empty());
        assert_eq!(found("今日は東京に行った", "東京"), ["東京"], "no spaces between words");
    }

    proptest! {
        #[test]
        fn whatever_is_asked_the_bytes_are_letters_of_the_text(text in "[a-c ’“\n\u{300}ùđ東]{0,40}", quote in "[a-c '\"ùđ東]{0,4}") {
            for bytes in Quotable::new(&text).find(&quote) {
                prop_assert!(text.get(bytes.clone()).is_some_and(|there| !there.is_empty()), "{bytes:?}");
            }
        }

        #[test]
        fn words_of_a_text_are_always_found(words in proptest::collection::vec("[a-zùđ’]{1,6}", 1..8), from in 0usize..8, length in 1usize..8) {
            let text = words.join(" \n");
            let from = from % words.len();
            let quote = words[from..(from + length).min(words.len())].join(" ");
            prop_assert!(Quotable::new(&text).find(&quote).next().is_some(), "{quote:?} in {text:?}");
        }
    }
}
