//! Answers of a language model and the version of the extraction rules, as inputs of the graph.
//!
//! An answer is an input like the entry itself: an entry whose answer differs from the one that the graph was built
//! with is ingested again, whichever program wrote or removed the answer. The index keeps only what was extracted
//! from an answer, not the answer itself. The same holds for the rules and their word lists: an entry that was
//! extracted by other rules is extracted again.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::{
    Catalog, CatalogEntry, EntryKey, Index, Result,
    catalog::first_eight,
    claims::READ,
    scan::{self, Difference},
};
use crate::{
    embed::bundled,
    extract::{llm::Answer, rules_version},
    journal::{BodyHash, FileStamp, Vault},
};

/// The answers in the vault, as of the last check.
#[derive(Debug)]
pub(super) struct Answers {
    /// File stamp and content hash of each answer, by the hash of the text.
    known: HashMap<BodyHash, (FileStamp, u64)>,
    /// Whether the vault was checked since the index was opened.
    looked: bool,
    /// Hash of the extraction rules of this program, and of its reader of claims.
    rules: u64,
}

impl Default for Answers {
    fn default() -> Self {
        Self { known: HashMap::new(), looked: false, rules: rules_version() ^ bundled::claims_version() }
    }
}

impl Answers {
    /// The graph's fingerprint of an entry that no model has read: its own state combined with its answer and the rules.
    pub(super) fn fingerprint(&self, entry: &CatalogEntry) -> u64 {
        self.known.get(&entry.hash).map_or(0, |(_, content)| *content) & !READ ^ self.by_rules(entry.fingerprint)
    }

    /// The same without an answer.
    fn by_rules(&self, own: u64) -> u64 {
        (own ^ self.rules) & !READ
    }

    /// Whether a text has an answer.
    pub(super) fn has(&self, hash: &BodyHash) -> bool {
        self.known.contains_key(hash)
    }

    /// The answer to a text; `None` where there is none or it cannot be read.
    pub(super) fn of(&self, vault: &Vault, hash: &BodyHash) -> Result<Option<Answer>> {
        if !self.known.contains_key(hash) {
            return Ok(None);
        }
        Ok(vault.answer(hash)?.and_then(|bytes| Answer::of_file(&bytes).ok()))
    }

    /// Checks the vault; true the first time, and where an answer was added, removed or changed since. Costs one `stat`
    /// per answer where none was.
    fn look(&mut self, vault: &Vault) -> Result<bool> {
        let present = vault.answers()?;
        let mut changed = present.len() != self.known.len();
        let mut known = HashMap::with_capacity(present.len());
        for (hash, stamp) in present {
            let before = self.known.get(&hash);
            let content = match before.filter(|(seen, _)| *seen == stamp) {
                Some((_, content)) => *content,
                // It was deleted between listing and reading.
                None => match vault.answer(&hash)? {
                    Some(bytes) => first_eight(&Sha256::digest(&bytes)),
                    None => continue,
                },
            };
            changed |= before.is_none_or(|(_, before)| *before != content);
            known.insert(hash, (scan::settled(stamp), content));
        }
        self.known = known;
        Ok(!std::mem::replace(&mut self.looked, true) || changed)
    }
}

/// Count and hash of a set of entries and their fingerprints, whatever their order.
fn state(entries: impl Iterator<Item = (EntryKey, u64)>) -> (u64, u64) {
    let of = |(key, fingerprint): (EntryKey, u64)| {
        // Keys and fingerprints are hashes already: mixing the pair once is enough.
        let pair = (key.0 ^ fingerprint.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (pair ^ (pair >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    entries.fold((0, 0), |(count, sum), entry| (count + 1, of(entry).wrapping_add(sum)))
}

impl Index {
    /// Checks the answers in the vault. True where the graph was built from other entries, answers or rules.
    pub(super) fn refine(&mut self, vault: &Vault) -> Result<bool> {
        if !self.answers.look(vault)? {
            return Ok(false);
        }
        // Answers may have changed while no kioku was running, and this may be another version of kioku.
        if self.answers.known.is_empty() {
            let read_by_these_rules = self.catalog.states().map(|(key, own)| (key, self.answers.by_rules(own)));
            let held = self.graph.states().map(|(key, held)| (key, held & !READ));
            return Ok(state(read_by_these_rules) != state(held));
        }
        let held = |key| self.graph.fingerprint(key).map(|held| held & !READ);
        Ok(self.catalog.entries().iter().any(|entry| held(entry.key) != Some(self.answers.fingerprint(entry))))
    }

    /// The entries that the graph must remove and ingest to match `wanted`.
    pub(super) fn graph_difference(&self, wanted: &Catalog) -> Difference {
        let held = self.graph.states().map(|(key, held)| (key, held & !READ)).collect();
        scan::difference(
            &held,
            wanted,
            wanted.entries().iter().map(|entry| (entry.key, self.answers.fingerprint(entry))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract::Extract, index::testing::open, journal::NewEntry};

    /// A graph that an older version extracted without people is used until the newer one has extracted again.
    #[test]
    fn entries_that_were_read_by_other_rules_are_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        vault.append(NewEntry { body: "Met @Hùng on the bridge.".to_owned(), ..NewEntry::default() }).unwrap();
        index.answers.rules ^= 2;
        index.sync(&vault, &mut |_| true).unwrap();
        let entry = index.catalog.entries()[0].clone();
        index.graph.set(entry.key, index.answers.fingerprint(&entry), entry.day, Extract::default());
        index.checkpoint().unwrap();
        index.close().unwrap();

        let (vault, mut index) = open(dir.path());
        let known = |index: &mut Index| (index.graph.view().entry_count(), index.graph.view().by_name("Hùng").len());
        assert_eq!(known(&mut index), (1, 0), "what was read serves");
        assert!(index.sync(&vault, &mut |_| false).unwrap().stopped);
        assert_eq!(known(&mut index), (1, 0), "until it is read again");
        let report = index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!((report.added, report.changed, report.removed), (0, 0, 0), "no entry is another");
        assert_eq!(known(&mut index), (1, 1));
        index.close().unwrap();

        let (vault, mut index) = open(dir.path());
        assert_eq!(known(&mut index), (1, 1), "it is filed");
        assert!(!index.refine(&vault).unwrap(), "nothing is read once more");
    }
}
