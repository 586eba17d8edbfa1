//! Function words: left out of a search as long as another word remains.
//!
//! In an OR of all words they decide nothing by meaning and much by chance; on judged journals leaving them out is
//! worth more than any other single measure.

use std::{collections::HashSet, sync::LazyLock};

use super::analyzer;

static LISTS: [&str; 2] = [
    include_str!("../../../assets/lexicon/stopwords-en.txt"),
    include_str!("../../../assets/lexicon/stopwords-vi.txt"),
];

static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = LISTS.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('#'));
    lines.flat_map(analyzer::tokens).map(|token| token.exact).collect()
});

/// Whether a word (lower case, with its accents) is a function word of English or Vietnamese.
pub fn is_stop_word(exact: &str) -> bool {
    WORDS.contains(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_decide_in_vietnamese() {
        assert!(is_stop_word("the") && is_stop_word("dont") && is_stop_word("và"));
        assert!(!is_stop_word("va") && !is_stop_word("work"));
    }
}
