//! From words to entities: a hash map of folded names, tried longest first at every word of a text.

use std::{collections::HashMap, ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::{EntityRef, Spelling, folded, folded_words, identity};
use crate::extract::{is_little_word, is_title};

/// Finds the names of a view in a text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Lookup {
    /// Folded name to the entities with that name, and the accented spelling.
    by_folded: HashMap<Arc<str>, Vec<Known>>,
    /// First folded word to the number of words of the longest name that begins with it.
    longest: HashMap<Arc<str>, usize>,
}

/// An entity with a certain folded name.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    entity: EntityRef,
    /// The spelling with its accents.
    name: Arc<str>,
    /// An ordinary word, which a question may use without meaning an entity.
    ordinary: bool,
}

impl Lookup {
    /// Adds one spelling of an entity; `ordinary`: the spelling is an ordinary word of the language.
    pub fn add(&mut self, entity: EntityRef, spelling: &Spelling, identity: &Arc<str>, ordinary: bool) {
        if spelling.folded.is_empty() {
            return;
        }
        // "Mens Shed" is how people type "Men's Shed".
        if spelling.text.contains(['\'', '’']) {
            let plain: Arc<str> = spelling.text.replace(['\'', '’'], "").into();
            self.add(entity, &Spelling::of(plain, spelling.identity), identity, ordinary);
        }
        let words = spelling.folded.split(' ').count();
        let longest = self.longest.entry(spelling.first_word.clone()).or_default();
        *longest = (*longest).max(words);
        let known = self.by_folded.entry(spelling.folded.clone()).or_default();
        match known.iter_mut().find(|known| known.entity == entity && known.name == *identity) {
            Some(known) => known.ordinary &= ordinary,
            None => known.push(Known { entity, name: identity.clone(), ordinary }),
        }
    }

    /// Adds the names that the user gave.
    pub fn with(mut self, given: &[(u32, String)]) -> Self {
        for (entity, name) in given {
            let name: Arc<str> = name.nfc().collect::<String>().into();
            let same: Arc<str> = identity(&name).into();
            self.add(EntityRef(*entity), &Spelling::of(name, 0), &same, false);
        }
        self
    }

    pub fn by_name(&self, name: &str) -> Vec<EntityRef> {
        // NFC, as names are stored: combining marks in another order give the same name.
        let name: String = name.nfc().collect();
        self.meant(&folded(&name), &name, true)
    }

    /// Finds names, the longest first at every word; names that are ordinary words are left out.
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
                let written = &text[range.clone()];
                // "anh Khoa" is no person called Anh.
                let is_title = || {
                    words.get(at + 1).is_some_and(|(next, place)| {
                        text[place.clone()].starts_with(char::is_uppercase)
                            && self.longest.contains_key(next.as_str())
                            && is_title(&written.to_lowercase())
                    })
                };
                let little = count == 1 && (is_little_word(written) || is_title());
                let meant = if little { Vec::new() } else { self.meant(&joined, &text[range.clone()], false) };
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

    /// The entities with a folded name. Where some match the accents of the text exactly, only those.
    fn meant(&self, folded: &str, written: &str, ordinary: bool) -> Vec<EntityRef> {
        let Some(known) = self.by_folded.get(folded) else { return Vec::new() };
        let written = identity(written);
        let known = || known.iter().filter(|known| ordinary || !known.ordinary);
        let exact = known().any(|known| *known.name == *written);
        let unaccented = *written == *folded;
        let mut meant: Vec<EntityRef> =
            known().filter(|known| unaccented || !exact || *known.name == *written).map(|known| known.entity).collect();
        meant.sort_unstable();
        meant.dedup();
        meant
    }
}
