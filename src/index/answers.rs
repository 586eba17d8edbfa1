//! What a language model answered, brought from the vault to the graph.
//!
//! An answer is an input like the entry itself: an entry with another answer than the graph has read is learned again, whoever
//! wrote or removed the answer. Nothing of it is kept in the index but what it led to.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::{
    Catalog, CatalogEntry, EntryKey, Index, IndexError,
    survey::{self, Difference},
};
use crate::{
    extract::llm::Answer,
    journal::{BodyHash, FileStamp, Vault},
};

/// Which answers there are, as last looked at.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The file of each, and what stands for its content.
    known: HashMap<BodyHash, (FileStamp, u64)>,
    /// Whether they were looked at since the index was opened.
    looked: bool,
}

impl Answers {
    /// What stands for the state of an entry with its answer, where the graph is concerned.
    pub(super) fn fingerprint(&self, entry: &CatalogEntry) -> u64 {
        entry.fingerprint ^ self.known.get(&entry.hash).map_or(0, |(_, content)| *content)
    }

    /// Whether there is one to a text.
    pub(super) fn has(&self, hash: &BodyHash) -> bool {
        self.known.contains_key(hash)
    }

    /// The answer to a text; `None` where there is none, or none that can be read.
    pub(super) fn of(&self, vault: &Vault, hash: &BodyHash) -> Result<Option<Answer>, IndexError> {
        if !self.known.contains_key(hash) {
            return Ok(None);
        }
        Ok(vault.answer(hash)?.and_then(|bytes| Answer::of_file(&bytes).ok()))
    }

    /// Looks again; true where one came, went or changed. One `stat` an answer where none did.
    fn look(&mut self, vault: &Vault) -> Result<bool, IndexError> {
        let present = vault.answers()?;
        let mut changed = present.len() != self.known.len();
        let mut known = HashMap::with_capacity(present.len());
        for (hash, stamp) in present {
            let before = self.known.get(&hash);
            let content = match before.filter(|(seen, _)| *seen == stamp) {
                Some((_, content)) => *content,
                // Gone between listing and reading.
                None => match vault.answer(&hash)? {
                    Some(bytes) => digest(&bytes),
                    None => continue,
                },
            };
            changed |= before.is_none_or(|(_, before)| *before != content);
            known.insert(hash, (survey::settled(stamp), content));
        }
        self.known = known;
        Ok(changed)
    }
}

/// Stands for which entries there are in which state, in whatever order they come.
fn state(entries: impl Iterator<Item = (EntryKey, u64)>) -> (u64, u64) {
    let of = |(key, fingerprint): (EntryKey, u64)| {
        // Keys and fingerprints are hashes: once more is enough for their pair.
        let pair = (key.0 ^ fingerprint.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (pair ^ (pair >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    entries.fold((0, 0), |(count, sum), entry| (count + 1, of(entry).wrapping_add(sum)))
}

impl Index {
    /// Looks which answers there are. True where the graph does not say what entries and answers say.
    pub(super) fn refine(&mut self, vault: &Vault) -> Result<bool, IndexError> {
        let first = !self.answers.looked;
        let changed = self.answers.look(vault)?;
        self.answers.looked = true;
        let differs = |entry: &CatalogEntry| self.graph.fingerprint(entry.key) != Some(self.answers.fingerprint(entry));
        if !(first || changed) {
            return Ok(false);
        }
        if self.answers.known.is_empty() {
            return Ok(state(self.catalog.states()) != state(self.graph.states()));
        }
        // Answers may have come and gone while nobody looked.
        Ok(self.catalog.entries().iter().any(|entry| differs(entry)))
    }

    /// What the graph must forget and learn, asked of itself.
    pub(super) fn graph_difference(&self, wanted: &Catalog) -> Difference {
        survey::difference_by(&self.graph.held(), wanted, |entry| self.answers.fingerprint(entry))
    }
}

fn digest(bytes: &[u8]) -> u64 {
    Sha256::digest(bytes).iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}
