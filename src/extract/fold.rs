//! Two ways to make spellings comparable.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// For looking up: lower case, without accents (`Hùng` and `hung` are the same, `đ` is `d`).
pub fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(fold_char).collect() }
}

/// One character of [`fold`]: none for a combining mark, several where the lower case or decomposition needs them.
pub fn fold_char(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c)
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|c| !is_combining_mark(*c))
        .map(|c| if c == 'đ' { 'd' } else { c })
}

/// For identity: composed (NFC) and lower case, accents kept. `Hùng` and `Hưng` are two people.
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.nfc().flat_map(char::to_lowercase).nfc().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_forgets_case_and_accents() {
        assert_eq!(fold("Đặng Thùy Trâm"), "dang thuy tram");
        assert_eq!(fold("Hu\u{300}ng"), "hung", "a decomposed accent");
        assert_eq!(fold("ÉCOLE"), "ecole");
    }

    #[test]
    fn identity_keeps_accents() {
        assert_eq!(fold_case("HU\u{300}NG"), "hùng");
        assert_ne!(fold_case("Hùng"), fold_case("Hưng"));
    }
}
