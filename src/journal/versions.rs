//! Versions of entries that are to be forgotten: matches blocks by id and text, for one pass over the vault.

use std::collections::{BTreeSet, HashMap};

use super::{BodyHash, Entry, EntryId, identity};

/// An entry that is to be forgotten, or the text it has.
pub(super) struct Going<'a> {
    pub base: &'a Entry,
    /// Only this text, not the other versions of the entry.
    pub only_text: bool,
    /// The text itself goes from the day files; else only its older versions go.
    pub text_goes: bool,
    /// Drafts that continue it go, too.
    pub with_drafts: bool,
}

/// Entries to forget, found by name and by text. A look-up costs the same however many there are.
pub(super) struct Versions<'a> {
    pub going: &'a [Going<'a>],
    by_id: HashMap<&'a EntryId, Vec<usize>>,
    by_hash: HashMap<BodyHash, Vec<usize>>,
}

impl<'a> Versions<'a> {
    pub fn of(going: &'a [Going<'a>]) -> Self {
        let mut by_id: HashMap<&EntryId, Vec<usize>> = HashMap::new();
        let mut by_hash: HashMap<BodyHash, Vec<usize>> = HashMap::new();
        for (at, Going { base, .. }) in going.iter().enumerate() {
            by_id.entry(&base.id).or_default().push(at);
            by_hash.entry(base.hash).or_default().push(at);
        }
        Self { going, by_id, by_hash }
    }

    /// Whether this is one of them, perhaps in an older state, or one of the texts.
    pub fn has(&self, entry: &Entry) -> bool {
        self.matching(entry).next().is_some()
    }

    /// Whether this is a standing copy of an entry whose text goes.
    pub fn has_same(&self, entry: &Entry) -> bool {
        let same = self.by_hash.get(&entry.hash).into_iter().flatten().map(|at| &self.going[*at]);
        same.filter(|going| going.text_goes).any(|going| is_same(entry, going.base))
    }

    /// The hashes of each one's own text and of its versions among `older`, in the order of [`Versions::going`].
    pub fn hashes(&self, older: impl Iterator<Item = Entry>) -> Vec<BTreeSet<BodyHash>> {
        let mut hashes: Vec<_> = self.going.iter().map(|going| BTreeSet::from([going.base.hash])).collect();
        for entry in older {
            for at in self.matching(&entry) {
                hashes[at].insert(entry.hash);
            }
        }
        hashes
    }

    fn matching(&self, entry: &Entry) -> impl Iterator<Item = usize> {
        let named = self.by_id.get(&entry.id).into_iter().flatten().copied();
        let alike = self.by_hash.get(&entry.hash).into_iter().flatten().copied();
        let is_alike = |at: &usize| self.going[*at].base.id != entry.id;
        named.chain(alike.filter(is_alike)).filter(|at| {
            let Going { base, only_text, .. } = &self.going[*at];
            is_version(entry, base, *only_text)
        })
    }
}

/// The same entry, perhaps in an older state; or the same text under another name, where it is long enough to be no coincidence.
pub(super) fn is_version(entry: &Entry, base: &Entry, only_text: bool) -> bool {
    const TELLING: usize = 24;
    let same_text = entry.hash == base.hash;
    let same_name = entry.id == base.id || identity::answers_to(base.id.as_str(), entry.id.as_str(), &entry.hash);
    match only_text {
        true => same_text && same_name,
        false => entry.id == base.id || same_text && (same_name || base.body.trim().len() >= TELLING),
    }
}

/// The very same text under the same name.
pub(super) fn is_same(entry: &Entry, base: &Entry) -> bool {
    entry.hash == base.hash && identity::answers_to(base.id.as_str(), entry.id.as_str(), &entry.hash)
}
