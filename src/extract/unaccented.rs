//! Accent restoration for Vietnamese: a sentence that is certainly Vietnamese without accents is read with them, where
//! they are unambiguous.
//!
//! Other words stay unchanged and count as Vietnamese: none of them is a name in lower case.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::LazyLock,
};

use super::{Shape, Word, fold, fold::is_vietnamese, items, language::List, lines, sectioned_lines};

/// Unaccented words, and their accented form.
type Accented = (Vec<String>, Vec<String>);

#[derive(Default)]
pub(super) struct Unaccented {
    /// By the first word, longest first.
    phrases: HashMap<String, Vec<Accented>>,
    pub titles: HashMap<String, String>,
    pub syllables: HashSet<String>,
    /// Everyday syllables that are also given names.
    pub also_names: HashSet<&'static str>,
    pub before_names: HashSet<&'static str>,
    /// Given names that are spelled without accents.
    pub plain_names: HashSet<&'static str>,
    /// Words of two syllables that hold no name, as written and without accents.
    pub compounds: HashSet<String>,
    /// Words as they are spelled in the south and in messages, and their standard spelling.
    spellings: HashMap<&'static str, &'static str>,
}

pub(super) static BARE: LazyLock<Unaccented> = LazyLock::new(|| {
    let mut bare = Unaccented::default();
    for (section, line) in sectioned_lines(List::BareVietnamese) {
        match section {
            "syllables" => bare.syllables.extend(line.split_whitespace().map(str::to_owned)),
            "also names" => bare.also_names.extend(line.split_whitespace()),
            "plain names" => bare.plain_names.extend(line.split_whitespace()),
            "before a name" => bare.before_names.extend(line.split_whitespace()),
            "compounds" => bare.compounds.extend(items(line).flat_map(|word| [word.to_owned(), fold(word)])),
            "spellings" => {
                if let Some((standard, others)) = line.split_once(':') {
                    bare.spellings.extend(items(others).map(|other| (other, standard)));
                }
            }
            "titles" => bare.titles.extend(items(line).map(|word| (fold(word), word.to_owned()))),
            _ => {
                for phrase in items(line) {
                    let accented: Vec<String> = phrase.split_whitespace().map(str::to_owned).collect();
                    let plain: Vec<String> = accented.iter().map(|word| fold(word)).collect();
                    bare.phrases.entry(plain[0].clone()).or_default().push((plain, accented));
                }
            }
        }
    }
    for phrases in bare.phrases.values_mut() {
        phrases.sort_by_key(|(plain, _)| std::cmp::Reverse(plain.len()));
        bare.syllables.extend(phrases.iter().flat_map(|(plain, _)| plain.iter().cloned()));
    }
    bare.syllables.extend(lines(List::WordsVietnamese).flat_map(str::split_whitespace).map(fold));
    bare
});

/// Function words that nearly every English sentence contains.
const ENGLISH: [&str; 34] = [
    "the", "and", "of", "is", "was", "my", "with", "for", "it", "that", "this", "not", "but", "we", "he", "she",
    "they", "you", "at", "are", "i", "had", "have", "her", "his", "from", "because", "were", "been", "then", "there",
    "our", "by", "just",
];
/// Whether a word, in lower case, can only be English.
pub(super) fn is_english(word: &str) -> bool {
    ENGLISH.contains(&word)
}

/// Minimum number of Vietnamese syllables in ten words.
const SHARE: usize = 7;
const FEWEST: usize = 4;
/// Minimum number of words that can only be Vietnamese.
const FEWEST_SURE: usize = 2;

/// Adds the accents to the keys of unaccented sentences, and returns these sentences; in Vietnamese sentences gives words
/// their standard spelling. Linear; an English sentence is skipped at its first function word.
pub(super) fn accent(keys: &mut [String], words: &[Word], sentences: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut bare = Vec::new();
    for sentence in sentences {
        let is_bare = is_bare(&keys[sentence.clone()], &words[sentence.clone()]);
        if is_bare {
            accent_sentence(keys, words, sentence);
            bare.push(sentence.clone());
        }
        let keys = &mut keys[sentence.clone()];
        if is_bare || keys.iter().any(|key| is_vietnamese(key)) {
            for key in keys {
                if let Some(standard) = BARE.spellings.get(key.as_str()) {
                    *key = (*standard).to_owned();
                }
            }
        }
    }
    bare
}

fn is_bare(keys: &[String], words: &[Word]) -> bool {
    let plain = |(key, word): (&String, &Word)| word.name.is_some() || key.is_ascii() && !is_english(key);
    if keys.len() < FEWEST || !keys.iter().zip(words).all(plain) {
        return false;
    }
    let lower = keys.iter().zip(words).filter(|(_, word)| matches!(word.shape, Shape::Lower));
    let lower: Vec<&String> = lower.map(|(key, _)| key).collect();
    let known = lower.iter().filter(|key| BARE.syllables.contains(key.as_str())).count();
    let sure = lower.iter().filter(|key| BARE.phrases.contains_key(key.as_str())).count();
    lower.len() + 1 >= FEWEST && known * 10 >= lower.len() * SHARE && sure >= FEWEST_SURE
}

fn accent_sentence(keys: &mut [String], words: &[Word], sentence: &Range<usize>) {
    let mut at = sentence.start;
    while at < sentence.end {
        let next_capital = at + 1 < sentence.end && words[at + 1].shape == Shape::Capital;
        if next_capital && let Some(title) = BARE.titles.get(&keys[at]) {
            keys[at] = title.clone();
            at += 1;
            continue;
        }
        let plain = words[at].shape == Shape::Lower || at == sentence.start;
        let found = BARE
            .phrases
            .get(&keys[at])
            .filter(|_| plain)
            .and_then(|phrases| phrases.iter().find(|(plain, _)| keys[at..sentence.end].starts_with(plain)));
        match found {
            Some((plain, accented)) => {
                keys[at..at + plain.len()].clone_from_slice(accented);
                at += plain.len();
            }
            None => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::{
        extract::{MentionSource, extract_by_rule},
        journal::{EntityKind, RelationKind},
    };

    fn names(text: &str) -> Vec<(String, EntityKind)> {
        let extract = extract_by_rule(text, date(2026, 2, 22));
        let alone = extract.alone().into_iter();
        alone.map(|(mention, kind)| (mention.name.clone(), kind)).collect()
    }

    #[test]
    fn no_word_of_it_is_a_name_in_lower_case() {
        for text in [
            "minh so phong van ngay mai",
            "hom qua cai nhau voi vo, ca ngay kho chiu",
            "lam viec den 2 gio sang roi moi ngu",
        ] {
            let found = names(text);
            assert!(
                !found.iter().any(|(name, _)| ["minh", "phong", "vo"].contains(&name.as_str())),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn people_relatives_feelings_and_causes_are_read() {
        let found = names("sep Hung mang minh truoc mat moi nguoi");
        assert!(found.contains(&("Hung".to_owned(), EntityKind::Person)), "{found:?}");
        let found = names("ba ngoai bi om nen minh khong ngu duoc");
        assert!(found.contains(&("bà ngoại".to_owned(), EntityKind::Person)), "{found:?}");
        let extract = extract_by_rule("minh rat lo lang vi Hung khong tra loi", date(2026, 2, 22));
        let causes: Vec<_> =
            extract.relations.iter().filter(|relation| relation.kind == RelationKind::Causal).collect();
        assert_eq!((causes[0].source.as_str(), causes[0].target.as_str()), ("Hung", "lo lắng"));
        let times = extract_by_rule("hom qua minh gap Linh", date(2026, 2, 22)).times;
        assert_eq!(times[0].days.first, date(2026, 2, 21));
    }

    #[test]
    fn english_is_left_alone() {
        let text = "met an old friend, so we sang songs; me too, do come along";
        let extract = extract_by_rule(text, date(2026, 2, 22));
        assert!(
            !extract.mentions.iter().any(|mention| mention.source == MentionSource::Kin || !mention.name.is_ascii())
        );
    }
}
