//! Terms of a question: content words, and words that only ask.

use crate::{
    index::keyword::{
        analyzer::{fold, stem},
        is_stop_word,
    },
    search::{Query, query::Test},
};

/// Words of a question that are not about its subject, folded.
const ASKING: [&str; 47] = [
    "why", "what", "made", "make", "makes", "causes", "caused", "cause", "reason", "reasons", "led", "leads",
    "brought", "brings", "behind", "happen", "happened", "feel", "feeling", "feels", "felt", "feelings", "so", "such",
    "lately", "recently", "always", "often", "about", "am", "get", "getting", "keep", "vi", "sao", "tai", "lai", "toi",
    "minh", "cam", "thay", "the", "khi", "bi", "hay", "luon", "qua",
];
/// Maximum number of words in a name.
pub(super) const LONGEST_NAME: usize = 4;

/// The words of a question without those that name days, plus the names and moods of its filters.
pub(super) fn words(query: &Query) -> Vec<String> {
    let mut words = query.keyword_without_days(false).words;
    words.extend(query.phrases.iter().cloned());
    words.extend(query.filters.iter().filter(|filter| !filter.negated).filter_map(|filter| match &filter.test {
        Test::Mood(name) | Test::Tag(name) | Test::Named { name, .. } => Some(name.clone()),
        _ => None,
    }));
    words.into_iter().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned()).collect()
}

pub(super) fn stems(text: &str) -> String {
    let folded = fold(text);
    folded.split(' ').map(|word| stem(word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// Runs of up to four words, longest first at each place.
pub(super) fn runs(words: &[String]) -> impl Iterator<Item = String> {
    (0..words.len()).flat_map(move |start| {
        let longest = LONGEST_NAME.min(words.len() - start);
        (1..=longest).rev().map(move |count| words[start..start + count].join(" "))
    })
}

/// The text from its first content word: `the rash` of "why the rash".
pub(super) fn subject(text: &str) -> &str {
    let mut rest = text;
    while let Some((first, behind)) = rest.split_once(char::is_whitespace) {
        if tells(first.trim_matches(|c: char| !c.is_alphanumeric())) {
            return rest;
        }
        rest = behind.trim_start();
    }
    if tells(rest) { rest } else { text }
}

/// A question in its normal form: "how come" is "why".
pub(super) fn plainly(text: &str) -> String {
    let text = text.trim();
    let opens = text.get(..8).filter(|opening| opening.eq_ignore_ascii_case("how come"));
    opens.map_or_else(|| text.to_owned(), |_| format!("why{}", &text[8..]))
}

/// Whether a word is neither a function word nor a question word.
pub(super) fn tells(word: &str) -> bool {
    let lower = word.to_lowercase();
    !word.is_empty() && !is_stop_word(&lower) && !is_asking(word)
}

/// Whether a word only asks. "Minh" is a name, "mình" the writer.
pub(super) fn is_asking(word: &str) -> bool {
    word != "Minh" && ASKING.contains(&fold(&word.to_lowercase()).as_str())
}
