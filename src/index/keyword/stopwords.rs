//! Function words: left out of a search as long as another word remains.
//!
//! In an OR of all words they match almost everything and rank by chance; on judged journals leaving them out
//! improves results more than any other single measure.

use std::{collections::HashSet, sync::LazyLock};

use super::analyzer;

static FUNCTION: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let (english, vietnamese) = (
        include_str!("../../../assets/lexicon/stopwords-en.txt"),
        include_str!("../../../assets/lexicon/stopwords-vi.txt"),
    );
    words(english).chain(words(vietnamese)).collect()
});
static LIGHT: LazyLock<HashSet<String>> =
    LazyLock::new(|| words(include_str!("../../../assets/lexicon/light-en.txt")).collect());

fn words(list: &'static str) -> impl Iterator<Item = String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(analyzer::tokens).map(|token| token.exact)
}

/// Whether a word (lower case, with its accents) is left out of keyword search: a function word of English or
/// Vietnamese, or a word that carries hardly more meaning.
pub fn is_stop_word(exact: &str) -> bool {
    is_function_word(exact) || LIGHT.contains(exact)
}

/// Whether the word before `next` is `I'll` or `I'd` typed without its apostrophe. Otherwise `ill` and `id` are
/// ordinary words.
pub fn is_joined(exact: &str, next: Option<&str>) -> bool {
    matches!(exact, "ill" | "id") && next.is_some_and(|next| VERBS.contains(&next))
}

/// Words that often follow `I'll` and `I'd`, and hardly ever `ill` and `id`.
const VERBS: [&str; 42] = [
    "be", "been", "have", "had", "go", "do", "get", "take", "make", "see", "try", "just", "never", "always",
    "probably", "not", "need", "tell", "call", "come", "give", "let", "keep", "start", "find", "know", "miss",
    "remember", "think", "love", "like", "want", "rather", "say", "ask", "hate", "wait", "bring", "write", "send",
    "meet", "stop",
];

/// Whether a word carries no meaning by itself, and is left out of comparisons by similarity too.
pub fn is_function_word(exact: &str) -> bool {
    FUNCTION.contains(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_decide_in_vietnamese() {
        assert!(is_stop_word("the") && is_stop_word("dont") && is_stop_word("và"));
        assert!(!is_stop_word("va") && !is_stop_word("work"));
        assert!(!is_stop_word("ill") && !is_stop_word("id"), "not only I'll and I'd without their apostrophe");
        assert!(is_joined("ill", Some("be")) && is_joined("id", Some("rather")));
        assert!(!is_joined("ill", Some("health")) && !is_joined("ill", None) && !is_joined("sick", Some("be")));
        assert!(is_stop_word("went") && !is_function_word("went") && is_function_word("the"));
    }
}
