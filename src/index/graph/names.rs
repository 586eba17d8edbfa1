//! Interned spellings, and the rule by which two spellings are the same name.

use std::{collections::HashMap, sync::Arc};

use unicode_normalization::UnicodeNormalization;

use crate::{
    extract::{fold_case, fold_char, stands_alone},
    journal::EntityKind,
};

/// Ids of a spelling and of an identity: valid in one [`Names`] only, never written to disk.
pub(super) type SpellingId = u32;
pub(super) type IdentityId = u32;

/// Slots for kinds per name: a power of two, so that a slot is decoded without a division.
pub(super) const KINDS: usize = EntityKind::ALL.len().next_power_of_two();
pub(super) const NO_ENTITY: u32 = u32::MAX;

/// A name with a kind, before entities are decided: `identity * KINDS + kind`.
pub(super) type Slot = usize;

#[derive(Debug, Clone)]
pub(super) struct Spelling {
    /// As written, in NFC.
    pub text: Arc<str>,
    pub identity: IdentityId,
    /// Words without case and accents, joined by spaces: compared with the words of a query.
    pub folded: Arc<str>,
    /// The first of those words.
    pub first_word: Arc<str>,
}

impl Spelling {
    /// From a name in NFC.
    pub fn of(text: Arc<str>, identity: IdentityId) -> Self {
        let mut folded = String::with_capacity(text.len());
        let mut first = None;
        for (word, _) in folded_words(&text) {
            if first.is_some() {
                folded.push(' ');
            }
            folded.push_str(&word);
            first.get_or_insert(folded.len());
        }
        let first = first.unwrap_or_default();
        let folded: Arc<str> = folded.into();
        let first_word = if first == folded.len() { folded.clone() } else { folded[..first].into() };
        Self { identity, folded, first_word, text }
    }
}

/// Every spelling seen since the store was opened; unused ones take memory and have no other effect.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub spellings: Vec<Spelling>,
    /// [`identity`] of each name.
    pub identities: Vec<Arc<str>>,
    /// The identity of each spelling in a compact column: it is read for every mention.
    identity_of: Vec<IdentityId>,
    by_text: HashMap<Arc<str>, SpellingId>,
    by_identity: HashMap<Arc<str>, IdentityId>,
}

impl Names {
    /// The names of a file, each by its place; an error where a name is repeated.
    pub fn filed(texts: &[&str]) -> Result<Self, String> {
        let mut names = Self::default();
        names.spellings.reserve(texts.len());
        names.identity_of.reserve(texts.len());
        names.by_text.reserve(texts.len());
        names.by_identity.reserve(texts.len());
        for (place, text) in texts.iter().enumerate() {
            if names.intern(text) as usize != place {
                return Err(format!("it lists `{text}` twice"));
            }
        }
        Ok(names)
    }

    pub fn intern(&mut self, text: &str) -> SpellingId {
        if let Some(id) = self.by_text.get(text) {
            return *id;
        }
        let composed: Arc<str> =
            if unicode_normalization::is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
        if let Some(id) = self.by_text.get(&composed) {
            return *id;
        }
        let identity: Arc<str> = identity(&composed).into();
        let identity = self.by_identity.get(&identity).copied().unwrap_or_else(|| {
            let id = self.identities.len() as IdentityId;
            self.identities.push(identity.clone());
            self.by_identity.insert(identity, id);
            id
        });
        let id = self.spellings.len() as SpellingId;
        self.spellings.push(Spelling::of(composed.clone(), identity));
        self.identity_of.push(identity);
        self.by_text.insert(composed, id);
        id
    }

    /// The id of an [`identity`], if some mention has it.
    pub fn known(&self, identity: &str) -> Option<IdentityId> {
        self.by_identity.get(identity).copied()
    }

    pub fn text(&self, id: SpellingId) -> &Arc<str> {
        &self.spellings[id as usize].text
    }

    pub fn identity_of(&self, id: SpellingId) -> IdentityId {
        self.identity_of[id as usize]
    }
}

/// The identity of each entity, by the entity of each slot; of a merged entity one of several.
pub(super) fn identities_of(entity_of: &[u32], entities: usize) -> Vec<IdentityId> {
    let mut identities = vec![0; entities];
    for (slot, entity) in entity_of.iter().enumerate().filter(|(_, entity)| **entity != NO_ENTITY) {
        identities[*entity as usize] = (slot / KINDS) as IdentityId;
    }
    identities
}

/// Two spellings are the same name if their identities are equal: NFC, lower case, accents kept (`Hùng` is not
/// `Hưng`), `_` as a space (`@Hùng_Nguyễn` is `[[Hùng Nguyễn]]`), every apostrophe straight.
pub(super) fn identity(text: &str) -> String {
    let mut folded = fold_case(text);
    if folded.contains('’') {
        folded = folded.replace('’', "'");
    }
    let mut words = folded.split(|c: char| c == '_' || c.is_whitespace()).filter(|word| !word.is_empty());
    let mut identity = words.next().unwrap_or("").to_owned();
    for word in words {
        identity.push(' ');
        identity.push_str(word);
    }
    identity
}

/// The folded words of a text, with their byte ranges. In scripts without spaces between words, each character is one
/// word.
pub(super) fn folded_words(text: &str) -> impl Iterator<Item = (String, std::ops::Range<usize>)> {
    let mut chars = text.char_indices().peekable();
    let words = std::iter::from_fn(move || {
        let (start, first) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut word = String::new();
        push_folded(&mut word, first);
        let mut end = start + first.len_utf8();
        while let Some((at, c)) =
            chars.next_if(|(_, c)| belongs(*c) && (is_mark(*c) || !(stands_alone(first) || stands_alone(*c))))
        {
            push_folded(&mut word, c);
            end = at + c.len_utf8();
        }
        Some((word, start..end))
    });
    words.filter(|(word, _)| !word.is_empty())
}

/// The words of a name without case and accents, joined by spaces.
pub(super) fn folded(name: &str) -> String {
    folded_words(name).map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

/// Decomposing a character takes much longer than anything else here, and most need it not.
fn push_folded(word: &mut String, c: char) {
    match c.is_ascii() {
        true => word.push(c.to_ascii_lowercase()),
        false => word.extend(fold_char(c)),
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn belongs(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_several_spellings_and_two_names_that_differ_by_an_accent() {
        let mut names = Names::default();
        let [a, b, c, d] =
            ["Hùng Nguyễn", "Hu\u{300}ng_Nguye\u{302}\u{303}n", "HÙNG  nguyễn", "Hưng Nguyễn"].map(|n| names.intern(n));
        assert_eq!(names.identity_of(a), names.identity_of(b));
        assert_eq!(names.identity_of(a), names.identity_of(c));
        assert_ne!(names.identity_of(a), names.identity_of(d));
        assert_eq!(names.spellings[a as usize].folded, names.spellings[d as usize].folded);
        assert_eq!(names.intern("Hu\u{300}ng Nguyễn"), a);
    }

    #[test]
    fn words_are_cut_as_they_are_read() {
        let words: Vec<_> = folded_words("Đi với O'Brien, 日記 e\u{301}").map(|(word, _)| word).collect();
        assert_eq!(words, ["di", "voi", "o", "brien", "日", "記", "e"]);
    }
}
