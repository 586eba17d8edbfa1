//! The words of a text that tell a cause, as its label.

use std::ops::Range;

use crate::{
    extract::{balanced, common_share},
    insight::quotes,
    journal::prose,
};

/// Maximum length of a label in bytes; a longer clause ends with a mark.
const LONGEST: usize = 120;

/// The words of a byte range on one line, without marks and at most 120 bytes; `None` where there are none.
pub fn clause(body: &str, span: &Range<u32>) -> Option<String> {
    let mut span = quotes::bytes(span);
    // "£68 to be told".
    if body.get(span.clone())?.starts_with(|first: char| first.is_ascii_digit())
        && let Some(sign) = body.get(..span.start)?.chars().next_back().filter(|sign| "£$€".contains(*sign))
    {
        span.start -= sign.len_utf8();
    }
    let written = format!(" {}", prose(body.get(span.clone())?));
    // A span may begin or end within a mark.
    let written = written.replace("[[", "").replace("]]", "").replace(" @", " ").replace(" #", " ");
    let mut label = balanced(written.trim(), body.get(span.end..).unwrap_or_default());
    if label.is_empty() {
        return None;
    }
    if label.len() > LONGEST {
        let cut = label.floor_char_boundary(LONGEST);
        let cut = label[..cut].rfind(' ').unwrap_or(cut);
        label.truncate(label[..cut].trim_end_matches([',', ';']).len());
        label.push('…');
    }
    Some(label)
}

/// The share of two causes that they have in common from which on they are one.
const SAME_CAUSE: f32 = 0.4;

/// Whether two spans tell one cause.
pub fn is_same_cause(one: &Range<usize>, other: &Range<usize>) -> bool {
    common_share(one, other) > SAME_CAUSE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str, words: &str) -> Option<String> {
        let start = body.find(words).unwrap() as u32;
        clause(body, &(start..start + words.len() as u32))
    }

    #[test]
    fn a_clause_is_a_label_in_its_own_words() {
        assert_eq!(of("Furious.\nSandra put\nme down.", "Sandra put\nme down").unwrap(), "Sandra put me down");
        assert_eq!(of("He asked \"was it\", twice", "He asked \"was it").unwrap(), "He asked \"was it\"");
        assert_eq!(of("with [[Linh]] late", "[[Linh]] late").unwrap(), "Linh late");
        assert_eq!(of("because of @Linh", "@Linh").unwrap(), "Linh");
        assert_eq!(
            of("[[Linh|my friend]] and [[Mai]] quarrelled", "[[Linh|my friend]] and [[Mai]] quarrelled").unwrap(),
            "my friend and Mai quarrelled"
        );
        assert_eq!(clause("a word", &(3..3)), None);
        assert_eq!(clause("a word", &(3..30)), None);
    }

    #[test]
    fn a_long_one_is_cut_between_words() {
        let body = "and then the bus came ".repeat(9);
        let label = of(&body, body.trim()).unwrap();
        assert!(label.len() <= LONGEST + '…'.len_utf8() && label.ends_with('…'), "{label}");
        assert!(body.starts_with(label.trim_end_matches('…')), "{label}");
    }
}
