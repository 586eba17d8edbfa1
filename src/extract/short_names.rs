//! Short forms of given names (`Doug` for `Douglas`), and titles before a name.

use std::{collections::HashMap, sync::LazyLock};

use super::{GAZETTEER, ORDINARY, TITLES, fold_case, items, language::List, lines};

/// Minimum number of letters of a short form that is in no list.
const SHORTEST: usize = 3;

static SHORT_NAMES: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let listed = lines(List::ShortNames).filter_map(|line| line.split_once(':'));
    listed.map(|(name, short)| (fold_case(name), items(short).collect())).collect()
});

/// The short forms of a given name, in lower case: the listed ones, and its first letters where these are no name or
/// word of their own.
pub fn short_names(name: &str) -> Vec<&str> {
    let mut short: Vec<&str> = SHORT_NAMES.get(name).into_iter().flatten().copied().collect();
    if GAZETTEER.first_names.contains(name) {
        let ends = name.char_indices().map(|(end, _)| end).skip(SHORTEST);
        let own = |word: &str| GAZETTEER.first_names.contains(word) || ORDINARY.has(word);
        let listed = short.clone();
        short.extend(ends.map(|end| &name[..end]).filter(|cut| !own(cut) && !listed.contains(cut)));
    }
    short
}

/// Whether a word in lower case, without a full stop, may come before the name of a person.
pub fn is_title(word: &str) -> bool {
    let others = [&TITLES.part, &TITLES.lower, &TITLES.before_a_name];
    TITLES.comes_before(word) || others.iter().any(|words| words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_letters_that_are_a_name_of_their_own_are_no_short_form() {
        assert!(short_names("stephanie").contains(&"steph") && short_names("bernadette").contains(&"bernie"));
        for (name, other) in [("paula", "paul"), ("caroline", "carol"), ("daniela", "daniel")] {
            assert!(!short_names(name).contains(&other), "{name}");
        }
        assert!(!short_names("barometer").contains(&"bar"), "no name");
    }
}
