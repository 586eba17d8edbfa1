//! Context words that determine the sense of a connective: the lists of `assets/lexicon/senses.txt`, which explains
//! each.

use std::{collections::HashSet, sync::LazyLock};

use super::{language::List, listed_words};

type Words = HashSet<&'static str>;

/// One field per `[section]`, of the same name.
macro_rules! lists {
    ($($list:ident)*) => {
        pub(super) struct Senses {
            $(pub $list: Words,)*
        }

        pub(super) static SENSES: LazyLock<Senses> = LazyLock::new(|| {
            let mut sections = listed_words(List::Senses);
            Senses { $($list: sections.remove(stringify!($list)).unwrap_or_default(),)* }
        });

        #[cfg(test)]
        const LISTS: &[&str] = &[$(stringify!($list)),*];
    };
}

lists! {
    softening
    aims
    leading_in
    somebody
    debts
    thanks
    describing
    following
    not_followed
    held
    named
    telling
    lasting_verbs
    going
    ways
    much
    weak
    things
    degree
    finite
    lasting
    times
    measures
    beginnings
    subjects
    comparing
    telling_how
    still
    lacking
    talking
    occasions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_in_the_file_and_every_section_of_the_file_is_a_list() {
        let mut sections: Vec<&str> = listed_words(List::Senses).into_keys().collect();
        let mut lists = LISTS.to_vec();
        sections.sort_unstable();
        lists.sort_unstable();
        assert_eq!(sections, lists);
        assert!(SENSES.going.contains("climbed") && SENSES.not_followed.contains("up-to-date"));
    }
}
