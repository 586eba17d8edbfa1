//! Tokenizer for dates: folded words, numbers and signs.

use unicode_normalization::UnicodeNormalization;

use crate::extract::fold;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    /// No white space before it.
    pub glued: bool,
}

impl Token {
    /// The word; nothing for a number or sign.
    pub fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            Kind::Number(..) | Kind::Sign(_) => "",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Lower case, without the accents that words of dates have.
    Word(String),
    /// Value and number of digits (`03` has two).
    Number(u32, usize),
    Sign(char),
}

/// Maximum length of a text, which bounds the cost of the grammar.
const MOST_TOKENS: usize = 24;
const MOST_BYTES: usize = 200;

/// `None` if the text is too long for a date, or has a number of more than nine digits.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    let mut glued = false;
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            glued = false;
            continue;
        }
        let kind = if c.is_ascii_digit() {
            let mut digits = String::from(c);
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            Kind::Number(digits.parse().ok().filter(|_| digits.len() <= 9)?, digits.len())
        } else if c.is_alphabetic() {
            let mut word = String::from(c);
            while let Some(letter) = chars.next_if(|c| is_word(*c)) {
                word.push(letter);
            }
            Kind::Word(date_word(&word))
        } else {
            Kind::Sign(c)
        };
        tokens.push(Token { kind, glued });
        glued = true;
        if tokens.len() > MOST_TOKENS {
            return None;
        }
    }
    Some(tokens)
}

/// The compared form of a word: folded, unless it has accents that no word of a date has: `Đồng` is not `đông`.
fn date_word(word: &str) -> String {
    let folded = fold::fold(word);
    if word.is_ascii() {
        return folded;
    }
    let written: String = word.to_lowercase().nfc().collect();
    let plain = written == folded || ACCENTED.contains(&written.as_str());
    if plain { folded } else { written }
}

/// The accented words of dates and clock times. Not `sáu`: `tháng sáu` is June, `tháng sau` the next month.
const ACCENTED: [&str; 74] = [
    "hôm", "ngày", "tuần", "tháng", "năm", "trước", "tới", "này", "ngoái", "rồi", "vừa", "gần", "đây", "chủ", "nhật",
    "thứ", "một", "bốn", "tư", "mươi", "bảy", "bẩy", "tám", "chín", "mười", "mùa", "xuân", "hè", "hạ", "đông", "cuối",
    "đầu", "giữa", "sáng", "trưa", "chiều", "tối", "đêm", "hồi", "vào", "lúc", "quý", "giờ", "tiếng", "phút", "nữa",
    "cách", "từ", "đến", "nửa", "buổi", "rằm", "mùng", "mồng", "tết", "giêng", "chạp", "thừa", "nguyên", "đán",
    "dương", "lịch", "đoan", "ngọ", "lễ", "giáng", "bây", "rưỡi", "âm", "giỗ", "tổ", "hùng", "vương", "dịp",
];

fn is_word(c: char) -> bool {
    c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c) || c == '\'' || c == '’'
}

/// A cursor over tokens; a failed parse restores the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    rest: &'a [Token],
}

impl<'a> Reader<'a> {
    pub fn new(tokens: &'a [Token]) -> Self {
        Self { rest: tokens }
    }

    pub fn done(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn peek(&self) -> Option<&'a Token> {
        self.rest.first()
    }

    pub fn step(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Runs a parser, and restores the position if it fails.
    pub fn attempt<T>(&mut self, reading: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = *self;
        let result = reading(self);
        if result.is_none() {
            *self = before;
        }
        result
    }

    pub fn word(&mut self) -> Option<&'a str> {
        self.attempt(|r| r.step().map(Token::word).filter(|word| !word.is_empty()))
    }

    /// Accepts one of these words.
    pub fn one_of(&mut self, words: &[&str]) -> Option<&'a str> {
        self.attempt(|r| r.word().filter(|word| words.contains(word)))
    }

    /// Accepts these words in sequence.
    pub fn phrase(&mut self, phrase: &str) -> Option<()> {
        self.attempt(|r| phrase.split(' ').try_for_each(|expected| (r.word()? == expected).then_some(())))
    }

    /// Accepts one of these phrases (longer ones must precede their prefixes).
    pub fn any_phrase(&mut self, phrases: &[&str]) -> Option<()> {
        phrases.iter().find_map(|phrase| self.phrase(phrase))
    }

    pub fn sign(&mut self, sign: char) -> Option<()> {
        self.attempt(|r| (r.step()?.kind == Kind::Sign(sign)).then_some(()))
    }

    /// Accepts a sign without space before and after it.
    pub fn tight(&mut self, signs: &[char]) -> Option<char> {
        self.attempt(|r| {
            let token = r.step()?;
            let follows = r.peek()?.glued;
            match token.kind {
                Kind::Sign(sign) if signs.contains(&sign) && token.glued && follows => Some(sign),
                _ => None,
            }
        })
    }

    /// Accepts a number of `digits` digits.
    pub fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
        self.attempt(|r| match r.step()?.kind {
            Kind::Number(value, written) if digits.contains(&written) => Some(value),
            _ => None,
        })
    }
}
