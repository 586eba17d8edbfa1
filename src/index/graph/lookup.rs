//! From words to entities: a hash of folded names, tried longest first at every word of a text.

use std::{collections::HashMap, ops::Range, sync::Arc};

use unicode_normalization::UnicodeNormalization;

use super::{
    EntityRef,
    names::{Spelling, folded_words, identity},
};
use crate::extract::is_little_word;

/// Finds the names of a view in a text.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    /// Folded name to those who go by it, with the accents they are written with.
    by_folded: HashMap<Arc<str>, Vec<(EntityRef, Arc<str>)>>,
    /// First folded word to the number of words of the longest name that begins with it.
    longest: HashMap<Arc<str>, usize>,
}

impl Lookup {
    /// Adds one spelling of an entity.
    pub fn add(&mut self, entity: EntityRef, spelling: &Spelling, identity: &Arc<str>) {
        if spelling.folded.is_empty() {
            return;
        }
        let words = spelling.folded.split(' ').count();
        let longest = self.longest.entry(spelling.first_word.clone()).or_default();
        *longest = (*longest).max(words);
        let known = self.by_folded.entry(spelling.folded.clone()).or_default();
        if !known.iter().any(|(other, name)| (*other, name) == (entity, identity)) {
            known.push((entity, identity.clone()));
        }
    }

    /// Adds the names that the user gave.
    pub fn with(mut self, given: &[(u32, String)]) -> Self {
        for (entity, name) in given {
            let name: Arc<str> = name.nfc().collect::<String>().into();
            let same: Arc<str> = identity(&name).into();
            self.add(EntityRef(*entity), &Spelling::of(name, 0), &same);
        }
        self
    }

    pub fn by_name(&self, name: &str) -> Vec<EntityRef> {
        // Composed, as names are kept: marks in another order make the same name.
        let name: String = name.nfc().collect();
        let words: Vec<String> = folded_words(&name).map(|(word, _)| word).collect();
        self.meant(&words.join(" "), &name)
    }

    pub fn named_in(&self, text: &str) -> Vec<(EntityRef, Range<usize>)> {
        let words: Vec<(String, Range<usize>)> = folded_words(text).collect();
        let mut found = Vec::new();
        let mut joined = String::new();
        let mut at = 0;
        while at < words.len() {
            let longest = self.longest.get(words[at].0.as_str()).copied().unwrap_or(0).min(words.len() - at);
            let named = (1..=longest).rev().find_map(|count| {
                joined.clear();
                for (place, (word, _)) in words[at..at + count].iter().enumerate() {
                    joined.push_str(if place > 0 { " " } else { "" });
                    joined.push_str(word);
                }
                let range = words[at].1.start..words[at + count - 1].1.end;
                let little = count == 1 && is_little_word(&text[range.clone()]);
                let meant = if little { Vec::new() } else { self.meant(&joined, &text[range.clone()]) };
                (!meant.is_empty()).then_some((count, range, meant))
            });
            match named {
                Some((count, range, meant)) => {
                    found.extend(meant.into_iter().map(|entity| (entity, range.clone())));
                    at += count;
                }
                None => at += 1,
            }
        }
        found
    }

    /// Those who go by a folded name. Where the text is written with the very accents of some, only those.
    fn meant(&self, folded: &str, written: &str) -> Vec<EntityRef> {
        let Some(known) = self.by_folded.get(folded) else { return Vec::new() };
        let written = identity(written);
        let exact = known.iter().any(|(_, name)| **name == *written);
        let unaccented = *written == *folded;
        let mut meant: Vec<EntityRef> = known
            .iter()
            .filter(|(_, name)| unaccented || !exact || **name == *written)
            .map(|(entity, _)| *entity)
            .collect();
        meant.sort_unstable();
        meant.dedup();
        meant
    }
}
