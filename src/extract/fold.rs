//! Normalisation of spellings for comparison.

use unicode_normalization::UnicodeNormalization;

/// For lookup: lower case, without accents (`Hùng` and `hung` are the same, `đ` is `d`).
pub fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(fold_char).collect() }
}

/// Folds one character: to none for a combining mark, to several if lower case or decomposition needs them.
pub fn fold_char(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c)
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|c| !is_accent(*c))
        .map(|c| if c == 'đ' { 'd' } else { c })
}

/// Whether a word has letters that only Vietnamese has, of the languages of diaries.
pub(super) fn is_vietnamese(word: &str) -> bool {
    word.chars()
        .any(|c| matches!(c, 'ă' | 'đ' | 'ơ' | 'ư' | 'ạ'..='ỹ') || matches!(c, 'à' | 'ả' | 'ã') && word.len() < 6)
}

/// Accents that people omit when typing; not the vowel signs of Indic scripts, which are letters.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{652}')
}

/// For identity: composed (NFC) and lower case, with accents. `Hùng` and `Hưng` are different.
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.nfc().flat_map(char::to_lowercase).nfc().collect() }
}

/// Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
pub fn stands_alone(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_forgets_case_and_accents() {
        assert_eq!(fold("Đặng Thùy Trâm"), "dang thuy tram");
        assert_eq!(fold("Hu\u{300}ng"), "hung", "a decomposed accent");
        assert_eq!(fold("ÉCOLE"), "ecole");
        assert_ne!(fold("कि"), fold("कु"), "vowel signs are no accents");
    }

    #[test]
    fn identity_keeps_accents() {
        assert_eq!(fold_case("HU\u{300}NG"), "hùng");
        assert_ne!(fold_case("Hùng"), fold_case("Hưng"));
    }
}
