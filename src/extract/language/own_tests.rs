use std::{collections::HashSet, path::Path};

use proptest::prelude::*;

use super::{
    List, adopt,
    own::{join, sections_and_words},
};
use crate::journal::WordListFile;

fn open_lists() -> impl Iterator<Item = List> {
    List::ALL.iter().copied().filter(|list| list.is_open())
}

fn faults(list: List, own: &str) -> Vec<(usize, String)> {
    join(list, own).1
}

/// Whether a text has a line of just these words in a section.
fn has(text: &str, section: &str, word: &str) -> bool {
    sections_and_words(text).iter().any(|(of, known)| of == section && known == word)
}

#[test]
fn a_journal_without_words_of_its_own_has_those_of_the_program() {
    for list in open_lists() {
        let (joined, faults) = join(list, "# nothing yet\n\n");
        assert_eq!((sections_and_words(&joined), faults), (sections_and_words(list.built_in()), vec![]), "{list:?}");
    }
}

#[test]
fn words_come_in_in_every_section_of_every_list_and_go_out_again() {
    for list in open_lists() {
        let mut seen = Vec::new();
        for (section, first) in sections_and_words(list.built_in()) {
            if seen.contains(&section) || list == List::Verbs {
                continue;
            }
            let example =
                list.built_in().lines().skip_while(|line| !section.is_empty() && *line != format!("[{section}]"));
            let example =
                example.skip(usize::from(!section.is_empty())).find(|line| !line.is_empty() && !line.starts_with('#'));
            let name = example
                .and_then(|line| Some(line.split_once(':')?.0))
                .map_or(String::new(), |name| format!("{name}: "));
            let also = if list == List::SameFeeling { ", gladsome" } else { "" };
            let (joined, faults) = join(list, &format!("[{section}]\n{name}Zorblax{also}\n").replace("[]\n", ""));
            assert_eq!(faults, [], "{list:?} [{section}]");
            assert!(has(&joined.to_lowercase(), &section, "zorblax"), "{list:?} [{section}]");
            assert!(has(&joined, &section, &first), "{list:?} [{section}] lost {first}");
            let (joined, faults) = join(list, &format!("[{section}]\n- {first}\n").replace("[]\n", ""));
            assert_eq!(faults, [], "{list:?} [{section}]");
            assert!(!has(&joined, &section, &first), "{list:?} [{section}] kept {first}");
            seen.push(section);
        }
    }
}

#[test]
fn a_verb_of_the_users_takes_the_place_of_the_programs() {
    let (joined, faults) = join(List::Verbs, "joy topical mood\nsparks causal joy\n- vui\n");
    let lines = |verb: &str| joined.lines().filter(|line| line.split_whitespace().next() == Some(verb)).count();
    assert_eq!((lines("joy"), lines("sparks"), lines("vui"), faults), (1, 1, 0, vec![]));
    assert!(joined.contains("joy topical mood"));
}

#[test]
fn a_feeling_named_anew_goes_by_the_users_line_alone() {
    let (joined, faults) = join(List::Feelings, "[sadness]\nhomesick: homesick, thrilled, missing home\n");
    assert_eq!(faults, []);
    assert!(has(&joined, "sadness", "thrilled") && has(&joined, "sadness", "missing home"));
    assert!(!has(&joined, "joy", "thrilled") && has(&joined, "joy", "stoked"));
}

#[test]
fn words_of_two_kinds_of_writing_are_taken_as_meant() {
    let (joined, faults) = join(List::Places, "[names]\nOld Mill\n");
    assert!(joined.contains("old mill,\n") && faults.is_empty());
    let (joined, faults) = join(List::FirstNames, "Thuỷ, Jorun\n");
    assert!(has(&joined, "", "thuỷ") && has(&joined, "", "jorun") && faults.is_empty());
}

#[test]
fn what_cannot_be_used_is_told_with_its_line_and_the_rest_counts() {
    let own = "[sadness]\nhomesick homesick\nlonesome: lonesome\n[melancholy]\nx: y\n";
    let (joined, faults) = join(List::Feelings, own);
    assert!(has(&joined, "sadness", "lonesome"));
    let [first, second] = faults.as_slice() else { panic!("{faults:?}") };
    assert!(first.0 == 2 && first.1.contains("a name, a colon and words, as in `"), "{first:?}");
    assert!(second.0 == 5 && second.1.contains("no section has the name [melancholy]; there are [joy]"), "{second:?}");
    for (list, own, said) in [
        (List::Moods, "fine: well", "a number from -1 to 1"),
        (List::Moods, "7: well", "a number from -1 to 1"),
        (List::Events, "regatta", "a name, a colon and words"),
        (List::FirstNames, "name: Jorun", "without a colon"),
        (List::Verbs, "sparks causing joy", "no verb as in"),
        (List::SameFeeling, "homesick", "two or more words"),
        (List::NotNames, "blergh", "words of this list stand in a section; there are [breaks]"),
        (List::Titles, "[anywhere]\nblergh", "no section has the name [anywhere]"),
        (List::WordsVietnamese, ",[joy]", "in brackets alone on its line"),
    ] {
        let told = faults_of(list, own);
        assert!(told.len() == 1 && told[0].contains(said), "{list:?}: {told:?}");
    }
}

#[test]
fn a_line_that_cannot_be_used_takes_nothing_out() {
    for (list, own, section, word) in [
        (List::Moods, "7: happy\n", "", "happy"),
        (List::Feelings, "[sadnes]\nhomesick: stoked\n", "joy", "stoked"),
        (List::Feelings, "[sadness]\nhomesick stoked\n", "joy", "stoked"),
    ] {
        let (joined, faults) = join(list, own);
        assert!(faults.len() == 1 && has(&joined, section, word), "{own}");
    }
    let (joined, faults) = join(List::Verbs, "joy emotional\n");
    assert!(faults.len() == 1 && joined.lines().any(|line| line.starts_with("joy ")));
}

fn faults_of(list: List, own: &str) -> Vec<String> {
    faults(list, own).into_iter().map(|(_, message)| message).collect()
}

#[test]
fn a_file_of_no_list_is_told_and_a_second_journal_cannot_bring_its_own() {
    let own = |name: &str, text: &str| WordListFile {
        name: name.to_owned(),
        path: Path::new("lexicon").join(name).with_extension("txt"),
        text: text.to_owned(),
    };
    // Tests share a process: what none of them has changed may be taken up again, anything else not.
    assert_eq!(adopt(Vec::new()), Ok(vec![]));
    assert!(adopt(vec![own("feelings", "[joy]\nglee: glee\n")]).is_err());
    assert_eq!(adopt(Vec::new()), Ok(vec![]));
    let told = |name: &str| super::own::unknown(name);
    assert!(told("feeling").starts_with("no list has this name; there are around-feelings, "), "{}", told("feeling"));
    assert!(told("forms-en").contains("cannot be changed"));
}

proptest! {
    // The longest list has 11,000 words.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_of_a_users_breaks_a_list_or_takes_out_what_it_does_not_name(
        own in "(\\[(joy|sadness|any|names|)\\]\n|- |[a-zé~:,. ]{0,12}|\n|# ){0,12}",
        list in prop::sample::select(open_lists().collect::<Vec<_>>()),
    ) {
        let (joined, _) = join(list, &own);
        let kept: HashSet<_> = sections_and_words(&joined).into_iter().collect();
        for (section, word) in sections_and_words(list.built_in()) {
            let named = own.to_lowercase().contains(word.trim_matches(['~', '*']));
            prop_assert!(named || kept.contains(&(section.clone(), word.clone())), "{list:?} [{section}] lost {word}");
        }
    }
}
