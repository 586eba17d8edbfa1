//! Cache of a language model's answers: one file per text, named by the hash of the entry's body.
//!
//! Owns the folder `answers/`: `HASH.json` is an answer, `HASH.tries` the retry state of its request, `service.json`
//! the last known state of the service. The contents are opaque here. Answers quote the journal, so forgetting an entry
//! deletes its answer.

use std::path::PathBuf;

use super::{
    BodyHash, Entry, FileStamp, Pass, Redaction, Vault, VaultError,
    day_names::day_of,
    files::{self, Lock},
    folders::ANSWERS as FOLDER,
};

const ANSWER: &str = ".json";
const TRIES: &str = ".tries";
const SERVICE: &str = "service.json";
const LOCK: &str = ".lock";

impl Vault {
    /// The folder of the answers, `root/answers`, which need not exist.
    pub fn answers_folder(&self) -> PathBuf {
        self.options().root.join(FOLDER)
    }

    /// The hashes of the texts that have an answer, with the file stamps, sorted by hash. Costs one `stat` per file;
    /// reads none.
    pub fn answers(&self) -> Result<Vec<(BodyHash, FileStamp)>, VaultError> {
        let folder = self.answers_folder();
        let mut found = Vec::new();
        for name in self.listed_in(FOLDER)? {
            if let Some(hash) = hash_of(&name, ANSWER)
                && let Some(stamp) = self.stamp_in(&folder, &name)?
            {
                found.push((hash, stamp));
            }
        }
        found.sort_unstable_by_key(|(hash, _)| *hash);
        Ok(found)
    }

    /// The stored answer to a text.
    pub fn answer(&self, hash: &BodyHash) -> Result<Option<Vec<u8>>, VaultError> {
        files::read(&self.answer_path(hash, ANSWER)?)
    }

    /// Stores the answer to an entry's text, replacing an earlier one. False, and nothing is stored, if the entry no
    /// longer exists with this text: it was changed or forgotten while the request was running.
    pub fn keep_answer(&self, entry: &Entry, answer: &[u8]) -> Result<bool, VaultError> {
        let kept = self.keep_beside(entry, ANSWER, answer)?;
        if kept {
            files::remove(&self.answer_path(&entry.hash, TRIES)?)?;
        }
        Ok(kept)
    }

    /// The stored retry states of the answers that are still missing.
    pub fn answer_tries(&self) -> Result<Vec<(BodyHash, Vec<u8>)>, VaultError> {
        let mut found = Vec::new();
        for name in self.listed_in(FOLDER)? {
            if let Some(hash) = hash_of(&name, TRIES)
                && let Some(tries) = files::read(&self.path_in(FOLDER, &name)?)?
            {
                found.push((hash, tries));
            }
        }
        Ok(found)
    }

    /// Stores the retry state of an entry's request. False if the entry no longer has this text.
    pub fn keep_answer_tries(&self, entry: &Entry, tries: &[u8]) -> Result<bool, VaultError> {
        self.keep_beside(entry, TRIES, tries)
    }

    /// The lock for requesting answers, shared by all kioku processes; `None` if another process holds it.
    pub fn try_lock_answers(&self) -> Result<Option<Lock>, VaultError> {
        Lock::try_take(&self.make_private(FOLDER)?.join(LOCK))
    }

    /// The stored state of the service.
    pub fn answering_service(&self) -> Result<Option<Vec<u8>>, VaultError> {
        files::read(&self.path_in(FOLDER, SERVICE)?)
    }

    /// Stores the state of the service.
    pub fn keep_answering_service(&self, state: &[u8]) -> Result<(), VaultError> {
        let _lock = self.lock()?;
        self.make_private(FOLDER)?;
        files::replace(&self.path_in(FOLDER, SERVICE)?, state)
    }

    /// Resets the retry state, so that every failed text is requested again.
    pub fn drop_answer_tries(&self) -> Result<(), VaultError> {
        let _lock = self.lock()?;
        for name in self.listed_in(FOLDER)?.iter().filter(|name| hash_of(name, TRIES).is_some() || *name == SERVICE) {
            files::remove(&self.path_in(FOLDER, name)?)?;
        }
        Ok(())
    }

    /// Removes every answer and retry state. Returns the number of answers removed.
    pub fn drop_answers(&self) -> Result<usize, VaultError> {
        let _lock = self.lock()?;
        self.remove_answers(Pass::Delete, |_| Ok(true))
    }

    /// Removes the answers to these texts, and orphans: answers to texts that are no longer in the vault (an older
    /// version whose trash was emptied by hand), because no command could name them. The caller holds the lock. Returns
    /// the number removed.
    pub(super) fn forget_answers(&self, hashes: &[BodyHash], pass: Pass) -> Result<usize, VaultError> {
        if self.listed_in(FOLDER)?.is_empty() {
            return Ok(0);
        }
        let mut standing = self.standing(&self.safe_files()?, |entry| entry.hash)?;
        standing.extend(self.trash()?.into_iter().map(|piece| piece.entry.hash));
        self.remove_answers(pass, |hash| Ok(hashes.contains(&hash) || !standing.contains(&hash)))
    }

    /// Removes the answers that contain a name, without those to texts that are `counted`. Entries that still need an
    /// answer are requested again. The caller holds the lock.
    pub(super) fn forget_answers_naming(
        &self,
        redaction: &Redaction,
        counted: &[BodyHash],
        pass: Pass,
    ) -> Result<usize, VaultError> {
        self.remove_answers(pass, |hash| Ok(!counted.contains(&hash) && self.answer_names(&hash, redaction)?))
    }

    fn remove_answers(
        &self,
        pass: Pass,
        goes: impl Fn(BodyHash) -> Result<bool, VaultError>,
    ) -> Result<usize, VaultError> {
        let mut count = 0;
        for name in self.listed_in(FOLDER)? {
            let answer = hash_of(&name, ANSWER);
            if let Some(hash) = answer.or_else(|| hash_of(&name, TRIES))
                && goes(hash)?
            {
                if pass == Pass::Delete {
                    files::remove(&self.path_in(FOLDER, &name)?)?;
                }
                count += usize::from(answer.is_some());
            }
        }
        Ok(count)
    }

    fn answer_names(&self, hash: &BodyHash, redaction: &Redaction) -> Result<bool, VaultError> {
        let Some(bytes) = self.answer(hash)? else { return Ok(false) };
        // An unreadable answer cannot be searched for the name, and nothing else can use it: treat it as a match.
        let Ok(answer) = serde_json::from_slice(&bytes) else { return Ok(true) };
        Ok(redaction.is_in_json(&answer))
    }

    fn keep_beside(&self, entry: &Entry, what: &str, bytes: &[u8]) -> Result<bool, VaultError> {
        let _lock = self.lock()?;
        if day_of(&entry.place.file).is_none() || self.locate(entry)?.is_none_or(|now| now.entry.hash != entry.hash) {
            return Ok(false);
        }
        self.make_private(FOLDER)?;
        files::replace(&self.answer_path(&entry.hash, what)?, bytes)?;
        Ok(true)
    }

    fn answer_path(&self, hash: &BodyHash, what: &str) -> Result<PathBuf, VaultError> {
        self.path_in(FOLDER, &format!("{hash}{what}"))
    }
}

fn hash_of(name: &str, what: &str) -> Option<BodyHash> {
    BodyHash::parse(name.strip_suffix(what)?)
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
