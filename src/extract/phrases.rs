//! Phrase lookup in a word list.

use std::collections::HashMap;

use super::fold_case;

/// Phrases of one or more words, each with its value; the longest match wins.
#[derive(Debug)]
pub(super) struct Phrases<T> {
    /// By first word, longest first.
    pub by_first: HashMap<String, Vec<(Vec<String>, T)>>,
}

impl<T> Phrases<T> {
    pub fn new<P: AsRef<str>>(phrases: impl IntoIterator<Item = (P, T)>) -> Self {
        let mut by_first: HashMap<String, Vec<(Vec<String>, T)>> = HashMap::new();
        for (phrase, meaning) in phrases {
            let mut words = phrase.as_ref().split_whitespace().map(fold_case);
            if let Some(first) = words.next() {
                by_first.entry(first).or_default().push((words.collect(), meaning));
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// The value of a single word.
    pub fn word(&self, word: &str) -> Option<&T> {
        self.by_first.get(word)?.iter().find(|(rest, _)| rest.is_empty()).map(|(_, meaning)| meaning)
    }

    /// The longest phrase with which some words begin, and its number of words.
    pub fn beginning(&self, words: &[String]) -> Option<(usize, &T)> {
        let (first, rest) = words.split_first()?;
        let (known, meaning) = self.by_first.get(first)?.iter().find(|(known, _)| rest.starts_with(known))?;
        Some((1 + known.len(), meaning))
    }

    /// The value of exactly these words.
    pub fn phrase(&self, words: &[String]) -> Option<&T> {
        let (first, rest) = words.split_first()?;
        self.by_first.get(first)?.iter().find(|(known, _)| known == rest).map(|(_, meaning)| meaning)
    }
}
