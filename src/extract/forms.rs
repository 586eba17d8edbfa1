//! Irregular verb forms and negation: "why did it break" matches "it broke", "why didn't it rise" matches "it did not
//! rise".

use std::{collections::HashMap, sync::LazyLock};

use super::{fold_case, language::List, lines, sectioned};

/// Irregular form to base form, and base form to its forms.
struct Forms {
    /// With whether the form is rarely another word.
    base: HashMap<&'static str, (&'static str, bool)>,
    forms: HashMap<&'static str, Vec<&'static str>>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let (mut base_of, mut forms) = (HashMap::new(), HashMap::new());
    for (base, listed) in lines(List::Forms).filter_map(|line| line.split_once(':')) {
        let bare = |form: &'static str| form.trim_matches(['(', ')']);
        base_of.extend(listed.split_whitespace().map(|form| (bare(form), (base, !form.starts_with('(')))));
        forms.insert(base, listed.split_whitespace().map(bare).collect());
    }
    Forms { base: base_of, forms }
});

sectioned! { Denials DENIALS: denials undone without_apostrophe }

/// The base form of an irregular form (`break` of `broke`), else the word itself. In lower case.
pub fn base_form(word: &str) -> &str {
    FORMS.base.get(word).map_or(word, |(base, _)| base)
}

/// The same only for forms that are rarely another word: `broke`, but not `rose` or `left`.
pub fn sure_base_form(word: &str) -> &str {
    FORMS.base.get(word).filter(|(_, is_sure)| *is_sure).map_or(word, |(base, _)| base)
}

/// The irregular forms of a word in lower case: `broke`, `broken` of `break`.
pub fn irregular_forms(word: &str) -> &'static [&'static str] {
    FORMS.forms.get(base_form(word)).map_or(&[], Vec::as_slice)
}

/// Whether some words contain a negation: "did not rise", "couldn't sleep", "chưa xong".
pub fn denies(text: &str) -> bool {
    words(text).any(|word| is_denial(&word))
}

/// Whether one word is a negation.
pub fn is_denial(word: &str) -> bool {
    let word = contracted(fold_case(word).replace('’', "'"));
    word.ends_with("n't") || DENIALS.denials.contains(word.as_str())
}

/// A negated verb as it is spelt: `wasn't` of "wasnt". In lower case.
pub(super) fn contracted(mut word: String) -> String {
    if word.ends_with("nt") && DENIALS.without_apostrophe.contains(word.as_str()) {
        word.insert(word.len() - 1, '\'');
    }
    word
}

/// Whether these words say that the following action did not happen: `I skipped the` before `swim`.
pub fn leaves_undone(before: &str) -> bool {
    words(before).any(|word| DENIALS.undone.contains(base_form(&word)))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'));
    parts.filter(|part| !part.is_empty()).map(|part| fold_case(part).replace('’', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_its_word() {
        assert_eq!((base_form("broke"), base_form("broken"), base_form("crack")), ("break", "break", "crack"));
        assert_eq!(irregular_forms("broken"), ["broke", "broken"]);
        assert!(irregular_forms("crack").is_empty());
        assert_eq!((base_form("rose"), sure_base_form("rose"), sure_base_form("broke")), ("rise", "rose", "break"));
    }

    #[test]
    fn no_form_is_another_words_base() {
        let clash: Vec<_> = FORMS.base.keys().filter(|form| FORMS.forms.contains_key(*form)).collect();
        assert!(clash.is_empty(), "{clash:?}");
    }

    #[test]
    fn a_denial_is_heard() {
        assert!(denies("It didn’t rise") && denies("nothing worked") && denies("Mình chưa xong"));
        assert!(!denies("It rose") && !denies("the knot"));
        assert!(
            leaves_undone("I skipped the") && leaves_undone("We called off the") && !leaves_undone("I went to the")
        );
    }
}
