//! Context words that determine the sense of a connective: the lists of `assets/lexicon/senses.txt`, which explains
//! each.

use super::sectioned;

sectioned! {
    Senses SENSES:
    softening aims leading_in somebody debts thanks describing following not_followed held named telling
    lasting_verbs going ways much weak things degree finite lasting times measures beginnings subjects comparing
    telling_how still lacking talking occasions pointers demonstratives beside premises negated_event having conceding
    before_should before_do before_kin behind_kin extent asking asking_at_the_end joining
    before_ambiguous_kin behind_ambiguous_kin hearsay turning going_on whereabouts so_far_that in_time main_subjects not_in_time before_a_link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_section_are_read() {
        assert!(SENSES.going.contains("climbed") && SENSES.not_followed.contains("up-to-date"));
    }
}
