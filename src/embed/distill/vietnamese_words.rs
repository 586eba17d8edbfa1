//! The Vietnamese words of a table: syllables, then words of two syllables, each by how often they occur.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::embed::{
    vietnamese::{JOINT, one_spelling, spelled_out, unaccented},
    wordpiece::{self, WordKind},
};

/// What occurs less often is not learned.
const FEWEST: u64 = 2;
/// Two syllables are a word where they stand together so much more often than by chance: ln of the ratio.
const TOGETHER: f64 = 2.0;
/// And so often at least.
const FEWEST_PAIRS: u64 = 3;

const ONSETS: [&str; 28] = [
    "ngh", "ch", "gh", "gi", "kh", "ng", "nh", "ph", "qu", "th", "tr", "b", "c", "d", "g", "h", "k", "l", "m", "n",
    "p", "r", "s", "t", "v", "x", "đ", "",
];
const RHYMES: [&str; 42] = [
    "a", "ai", "ao", "au", "ay", "e", "eo", "eu", "i", "ia", "ie", "ieu", "iu", "o", "oa", "oai", "oao", "oay", "oe",
    "oeo", "oi", "oo", "u", "ua", "uay", "ue", "ui", "uo", "uoi", "uou", "uu", "uy", "uya", "uye", "uyu", "y", "ye",
    "yeu", "uau", "ueu", "uan", "",
];
const CODAS: [&str; 9] = ["ch", "ng", "nh", "c", "m", "n", "p", "t", ""];

/// Whether letters without accents can be a Vietnamese syllable.
pub fn is_syllable(plain: &str) -> bool {
    ONSETS.iter().filter_map(|onset| plain.strip_prefix(onset)).any(|rest| {
        let rhymes = CODAS.iter().filter_map(|coda| rest.strip_suffix(coda));
        rhymes.into_iter().any(|rhyme| RHYMES.contains(&rhyme) && !(rhyme.is_empty() && rest.len() == plain.len()))
            && rest.chars().any(|c| "aeiouy".contains(c))
    }) || matches!(plain, "gi" | "gin" | "ging")
}

/// Syllables of the texts, text by text, in runs that no mark or number cuts; `accents` or as typed without.
fn runs(text: &str, accents: bool, mut each: impl FnMut(&[String])) {
    let mut run: Vec<String> = Vec::new();
    wordpiece::words(text, |word| {
        let plain = word.text.replace('đ', "d");
        let syllable = match spelled_out(word.text) {
            _ if word.kind != WordKind::Letters => None,
            Some(whole) => Some(whole.to_owned()),
            None => is_syllable(&plain).then(|| one_spelling(word.accented).into_owned()),
        };
        match syllable {
            Some(syllable) => run.push(if accents { syllable } else { unaccented(&syllable) }),
            None => {
                each(&run);
                run.clear();
            }
        }
    });
    each(&run);
}

/// At most `syllables` syllables and `words` in all.
pub fn learn<'t>(texts: impl Iterator<Item = &'t str>, accents: bool, syllables: usize, words: usize) -> Vec<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut pairs: BTreeMap<(String, String), u64> = BTreeMap::new();
    for text in texts {
        runs(text, accents, |run| {
            run.iter().for_each(|syllable| *counts.entry(syllable.clone()).or_default() += 1);
            for two in run.windows(2) {
                *pairs.entry((two[0].clone(), two[1].clone())).or_default() += 1;
            }
        });
    }
    let total = counts.values().sum::<u64>().max(1) as f64;
    let together = |(first, second): &(String, String), count: u64| {
        let by_chance = counts[first] as f64 / total * counts[second] as f64;
        (count as f64 / by_chance).ln() > TOGETHER
    };
    let mut pairs: Vec<(String, u64)> = pairs
        .iter()
        .filter(|(pair, count)| **count >= FEWEST_PAIRS && together(pair, **count))
        .map(|((first, second), count)| (format!("{first}{JOINT}{second}"), *count))
        .collect();
    let mut single: Vec<(String, u64)> = counts.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
    single.sort_by_key(|(_, count)| Reverse(*count));
    single.truncate(syllables);
    pairs.sort_by_key(|(_, count)| Reverse(*count));
    let mut learned: Vec<String> = single.into_iter().map(|(word, _)| word).collect();
    learned.extend(pairs.into_iter().map(|(word, _)| word).take(words.saturating_sub(learned.len())));
    learned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vietnamese_syllables_are_told_from_other_words() {
        for syllable in ["toi", "nghieng", "khuya", "quyet", "gi", "an", "to", "me", "xoong", "uong", "yeu", "giuong"] {
            assert!(is_syllable(syllable), "{syllable}");
        }
        for other in ["the", "football", "street", "was", "ck", "b", "ng", "zoo", "make", "house"] {
            assert_eq!(is_syllable(other), other == "the", "{other}");
        }
    }

    #[test]
    fn syllables_come_first_and_words_of_two_are_found() {
        let texts = ["hạnh phúc, tôi uống trà", "hạnh phúc và tôi", "tôi hạnh phúc", "và trà, và tôi uống"];
        let learned = learn(texts.iter().copied().cycle().take(400), true, 10, 20);
        assert_eq!(learned[0], "tôi");
        assert!(learned[..6].contains(&"trà".to_owned()));
        let folded = learn(texts.iter().copied(), false, 10, 20);
        assert!(folded.contains(&"hanh".to_owned()) && !folded.contains(&"hạnh".to_owned()));
    }
}
