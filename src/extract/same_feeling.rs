//! Feelings that are one to a reader: synonyms, for questions about a feeling that the journal names differently, and
//! families.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::{fold_case, items, language::List, lines};

/// The other words for the feeling of each word.
static KIN: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let mut kin: HashMap<_, HashSet<_>> = HashMap::new();
    for line in lines(List::SameFeeling) {
        items(line).for_each(|word| kin.entry(word).or_default().extend(items(line)));
    }
    kin
});

/// Families that a person would not tell apart in a diary.
const ALIKE: [&[&str]; 3] = [&["joy", "love", "calm"], &["sadness", "shame"], &["anger", "disgust"]];

/// Whether two families are one, or alike.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    one == other || ALIKE.iter().any(|alike| alike.contains(&one) && alike.contains(&other))
}

/// Whether two words denote the same feeling (`sad` and `unhappy`, `lo lắng` and `worried`). Case does not matter,
/// accents do; every word matches itself.
pub fn is_same_feeling(one: &str, other: &str) -> bool {
    let (one, other) = (fold_case(one), fold_case(other));
    one == other || KIN.get(one.as_str()).is_some_and(|kin| kin.contains(other.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_one_feeling_are_kin_and_others_are_not() {
        assert!(is_same_feeling("Sad", "unhappy") && is_same_feeling("worried", "lo lắng"));
        assert!(is_same_feeling("serendipitous", "serendipitous"));
        assert!(!is_same_feeling("sad", "happy") && !is_same_feeling("tired", "angry"));
    }
}
