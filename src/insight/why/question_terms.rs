//! Terms of a question: content words, and words that only ask.

use unicode_normalization::UnicodeNormalization;

use crate::{
    extract::is_denial,
    index::keyword::{
        analyzer::{fold, stem},
        is_stop_word,
    },
    search::{Query, query::Test},
};

/// Words of a question that are not about its subject, in lower case; Vietnamese with accents and without.
const ASKING: [&str; 62] = [
    "why", "what", "made", "make", "makes", "causes", "caused", "cause", "reason", "reasons", "led", "leads",
    "brought", "brings", "behind", "happen", "happened", "feel", "feeling", "feels", "felt", "feelings", "so", "such",
    "lately", "recently", "always", "often", "about", "am", "get", "getting", "keep", "vì", "vi", "sao", "tại", "tai",
    "lại", "lai", "tôi", "toi", "tui", "mình", "minh", "cảm", "cam", "thấy", "thay", "thế", "the", "khi", "bị", "bi",
    "hay", "luôn", "luon", "quá", "qua", "gì", "điều", "khiến",
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

/// Whether a word only asks. "Minh" is a name, "mình" the writer; "sợ" is a feeling, "so" only says how much.
pub(super) fn is_asking(word: &str) -> bool {
    word != "Minh" && ASKING.contains(&word.nfc().collect::<String>().to_lowercase().as_str())
}

const WRITER: [&str; 17] =
    ["toi", "tui", "i", "i'm", "i’m", "i'd", "i've", "me", "we", "us", "mình", "tôi", "tớ", "tao", "im", "ive", "em"];

/// The words of a question in lower case, without punctuation around them.
pub(super) fn spoken(text: &str) -> Vec<String> {
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    trimmed.filter(|word| !word.is_empty()).map(|word| word.nfc().collect::<String>().to_lowercase()).collect()
}

/// Whether words before a feeling say that it is the writer's: "why was I so", "sao mình lại".
pub(super) fn is_own_state(before: &[String]) -> bool {
    const BEING: [&str; 11] = ["am", "was", "is", "are", "were", "been", "be", "really", "very", "too", "that"];
    let is_writer = |word: &&String| WRITER.contains(&word.as_str());
    let is_between = |word: &&String| BEING.contains(&word.as_str()) || is_asking(word) && !is_writer(word);
    before.iter().rev().find(|word| !is_between(word)).is_some_and(|word| is_writer(&word))
}

/// Whether a question asks what the writer did or felt: "why was I late", "what made me late", "sao mình buồn".
pub(super) fn asks_about_writer(text: &str) -> bool {
    const DOING: [&str; 20] = [
        "was", "were", "is", "are", "did", "do", "does", "had", "have", "has", "would", "could", "should", "can",
        "didnt", "wasnt", "couldnt", "cái", "làm", "hồi",
    ];
    let is_writer = |word: &str| WRITER.contains(&word);
    let subject = spoken(text)
        .into_iter()
        .find(|word| is_writer(word) || !(is_asking(word) || is_denial(word) || DOING.contains(&word.as_str())));
    subject.is_some_and(|word| is_writer(&word))
}
