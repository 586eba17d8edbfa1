//! Taking a text out of the vault for good: its file, the trash, the second copies, drafts and cached answers.
//!
//! What other layers derived from it (index, vectors, history) is theirs to forget.

use std::path::Path;

use super::{
    BodyHash, Entry, EntryId, Vault, VaultError, WrittenEntry, day_file,
    edit::Present,
    files, identity,
    splice::{self, Revision},
    vault::{day_of, names_in, stem},
    write,
};

/// What stands where a text was, when the entry itself is to stay.
pub const REDACTED: &str = "[redacted]";

/// What forgetting came to, for the report to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Blocks taken out of (or redacted in) day files: more than one where a sync had left copies.
    pub entries: usize,
    pub trashed: usize,
    pub second_copies: usize,
    pub drafts: usize,
    pub answers: usize,
    /// The bodies that were there, to be looked for in whatever was derived from them.
    pub hashes: Vec<BodyHash>,
}

impl Vault {
    /// Takes an entry and every older version of it out of the vault, for good. Refused if it changed since `base` was read.
    ///
    /// Free blocks of the disk and backups may still hold the bytes: no program can promise more.
    pub fn forget(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let _lock = self.lock()?;
        self.unchanged(base)?;
        let mut forgotten = self.forget_elsewhere(base)?;
        for stamp in self.files()? {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, stem(&stamp.file), |written, _| is_same(written, base))?;
        }
        Ok(forgotten)
    }

    /// Replaces an entry's text by [`REDACTED`]; time, mood and tags stay. The text itself is forgotten as by [`Vault::forget`].
    pub fn redact(&self, base: &Entry) -> Result<(Entry, Forgotten), VaultError> {
        self.rewrite_for_good(base, REDACTED)
    }

    /// Puts another text in an entry's place and forgets the present one: an edit that leaves nothing in the trash.
    pub fn rewrite_for_good(&self, base: &Entry, text: &str) -> Result<(Entry, Forgotten), VaultError> {
        let _lock = self.lock()?;
        let present = self.unchanged(base)?;
        let mut forgotten = self.forget_elsewhere(base)?;
        let revision = Revision {
            lines: vec![("id".to_owned(), Some(write::quoted_line("id", base.id.as_str())))],
            body: Some(text.as_bytes()),
        };
        let new = splice::rewritten(&present.bytes, present.block(), &revision);
        let new = new.map_err(|reason| self.refused(&present, reason))?;
        let entry = self.put(&present, &new)?;
        forgotten.entries = 1;
        for stamp in self.files()? {
            let path = self.day_path(&stamp.file)?;
            forgotten.entries += self.purge(&path, stem(&stamp.file), |written, _| is_same(written, base))?;
        }
        Ok((entry, forgotten))
    }

    fn unchanged(&self, base: &Entry) -> Result<Present, VaultError> {
        let path = self.day_path(&base.place.file)?;
        let present = self.locate(base)?;
        let present =
            present.ok_or_else(|| VaultError::Absent { what: "entry", id: base.id.to_string(), path: path.clone() })?;
        if present.entry.hash == base.hash {
            Ok(present)
        } else {
            Err(VaultError::Changed { id: base.id.clone(), path })
        }
    }

    /// Everything but the day files. First of all the name is noted: another kioku that sees the entry vanish must let it go.
    fn forget_elsewhere(&self, base: &Entry) -> Result<Forgotten, VaultError> {
        let root = &self.options().root;
        let mut forgotten = Forgotten { hashes: vec![base.hash], ..Forgotten::default() };
        let pieces =
            self.trash()?.into_iter().map(|piece| piece.entry).filter(|entry| is_version(&entry.id, &entry.hash, base));
        forgotten.hashes.extend(pieces.map(|entry| entry.hash));
        forgotten.hashes.sort_unstable();
        forgotten.hashes.dedup();
        for hash in &forgotten.hashes {
            self.note_forgotten(&base.id, hash)?;
        }
        let is_version =
            |written: &WrittenEntry, _: &Option<String>| is_version(&written.entry.id, &written.entry.hash, base);
        for name in day_files_in(&root.join("trash"))? {
            forgotten.trashed += self.purge(&root.join("trash").join(&name), stem(&name), is_version)?;
        }
        for name in day_files_in(&root.join("recent"))? {
            forgotten.second_copies += self.purge(&root.join("recent").join(&name), stem(&name), is_version)?;
        }
        for draft in self
            .drafts()?
            .into_iter()
            .filter(|draft| draft.editing.as_ref() == Some(&base.id) || draft.body == base.body)
        {
            self.drop_draft(&draft.id)?;
            forgotten.drafts += 1;
        }
        for name in names_in(&root.join("answers"))? {
            if forgotten.hashes.iter().any(|hash| name.starts_with(&hash.to_string())) {
                files::remove(&root.join("answers").join(&name))?;
                forgotten.answers += 1;
            }
        }
        self.sweep()?;
        Ok(forgotten)
    }

    /// Removes what a crash left of half-made replacements; under the lock nobody else is making one in these folders.
    fn sweep(&self) -> Result<(), VaultError> {
        let root = &self.options().root;
        for folder in
            [self.entries_folder().to_path_buf(), root.join("trash"), root.join("recent"), root.join("entities")]
        {
            for name in names_in(&folder)? {
                if name.starts_with(files::TEMPORARY_PREFIX) && name.ends_with(files::TEMPORARY_SUFFIX) {
                    files::remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    /// Cuts every wanted block out of a file (`is_wanted` is given the entry and its `trashed:`), and removes a file of which
    /// nothing but kioku's own header is left. Answers how many went.
    pub(super) fn purge(
        &self,
        path: &Path,
        day: &str,
        is_wanted: impl Fn(&WrittenEntry, &Option<String>) -> bool,
    ) -> Result<usize, VaultError> {
        let Some(mut bytes) = files::read(path)? else { return Ok(0) };
        let file = format!("{day}.md").as_str().into();
        let mut scan = day_file::scan(&bytes);
        let entries = day_file::entries(&bytes, &scan, &file, &self.reading());
        let wanted: Vec<usize> = (0..entries.len())
            .filter(|at| is_wanted(&entries[*at], &scan.blocks[*at].head.fields(&bytes).trashed))
            .collect();
        // From the last to the first, so that the positions before stay true.
        for at in wanted.iter().rev() {
            let line = scan.blocks[*at].line;
            bytes = splice::removed(&bytes, &scan, *at).map_err(|reason| VaultError::Refused {
                path: path.to_path_buf(),
                line,
                reason,
            })?;
            scan = day_file::scan(&bytes);
        }
        if wanted.is_empty() {
            return Ok(0);
        }
        if bytes.trim_ascii() == write::header(day).trim_ascii() {
            files::remove(path)?;
        } else {
            files::replace(path, &bytes)?;
        }
        Ok(wanted.len())
    }
}

/// The same entry, perhaps in an older state.
fn is_version(id: &EntryId, hash: &BodyHash, base: &Entry) -> bool {
    *id == base.id || (*hash == base.hash && identity::answers_to(base.id.as_str(), id.as_str(), hash))
}

/// The very same text under the same name.
fn is_same(written: &WrittenEntry, base: &Entry) -> bool {
    written.entry.hash == base.hash
        && identity::answers_to(base.id.as_str(), written.entry.id.as_str(), &written.entry.hash)
}

fn day_files_in(folder: &Path) -> Result<Vec<String>, VaultError> {
    let mut names = names_in(folder)?;
    names.retain(|name| day_of(name).is_some());
    Ok(names)
}
