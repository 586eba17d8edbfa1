//! Function words: left out of a search as long as another word remains.
//!
//! In an OR of all words they decide nothing by meaning and much by chance; on judged journals leaving them out is
//! worth more than any other single measure.

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

/// Whether a word (lower case, with its accents) is left out of a search by word: a function word of English or Vietnamese, or one
/// that says hardly more.
pub fn is_stop_word(exact: &str) -> bool {
    is_function_word(exact) || LIGHT.contains(exact)
}

/// Whether a word says nothing by itself, not even by what it is alike to.
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
        assert!(is_stop_word("went") && !is_function_word("went") && is_function_word("the"));
    }
}
