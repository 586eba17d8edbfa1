//! Accent restoration for Vietnamese: a sentence that is certainly Vietnamese without accents is read with them, where
//! they are unambiguous.
//!
//! Other words stay unchanged and count as Vietnamese: none of them is a name in lower case.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::LazyLock,
};

use super::{
    Shape, Word, fold, fold::is_vietnamese, items, language::List, lines, listed_words, named_items, phrases::Phrases,
    sectioned_lines,
};

pub(super) struct Unaccented {
    /// The accented words of each unaccented phrase.
    phrases: Phrases<Vec<String>>,
    pub titles: HashMap<String, &'static str>,
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
    english: HashSet<&'static str>,
}

pub(super) static BARE: LazyLock<Unaccented> = LazyLock::new(|| {
    let mut sections = listed_words(List::BareVietnamese);
    let mut take = |section| sections.remove(section).unwrap_or_default();
    // In their order: of two phrases with the same letters the first counts.
    let accented = sectioned_lines(List::BareVietnamese).filter(|(section, _)| matches!(*section, "phrases" | "words"));
    let accented: Vec<&str> = accented.flat_map(|(_, line)| items(line)).collect();
    let syllables = accented.iter().copied().chain(lines(List::WordsVietnamese)).chain(take("syllables"));
    let words = |phrase: &&str| phrase.split_whitespace().map(str::to_owned).collect();
    Unaccented {
        syllables: syllables.flat_map(str::split_whitespace).map(fold).collect(),
        phrases: Phrases::new(accented.iter().map(|phrase| (fold(phrase), words(phrase)))),
        titles: take("titles").into_iter().map(|title| (fold(title), title)).collect(),
        also_names: take("also names"),
        plain_names: take("plain names"),
        before_names: take("before a name"),
        english: take("english"),
        compounds: take("compounds").into_iter().flat_map(|word| [word.to_owned(), fold(word)]).collect(),
        spellings: named_items(List::BareVietnamese).map(|(_, standard, other)| (other, standard)).collect(),
    }
});

/// Whether a word, in lower case, can only be English.
pub(super) fn is_english(word: &str) -> bool {
    BARE.english.contains(word)
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
    let sure = lower.iter().filter(|key| BARE.phrases.by_first.contains_key(key.as_str())).count();
    lower.len() + 1 >= FEWEST && known * 10 >= lower.len() * SHARE && sure >= FEWEST_SURE
}

fn accent_sentence(keys: &mut [String], words: &[Word], sentence: &Range<usize>) {
    let mut at = sentence.start;
    while at < sentence.end {
        let next_capital = at + 1 < sentence.end && words[at + 1].shape == Shape::Capital;
        if next_capital && let Some(title) = BARE.titles.get(&keys[at]) {
            keys[at] = (*title).to_owned();
            at += 1;
            continue;
        }
        let plain = words[at].shape == Shape::Lower || at == sentence.start;
        match BARE.phrases.beginning(&keys[at..sentence.end]).filter(|_| plain) {
            Some((count, accented)) => {
                keys[at..at + count].clone_from_slice(accented);
                at += count;
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
