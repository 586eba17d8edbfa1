//! Repair of day files damaged by other programs: torn heads, git conflict markers, conflict copies.
//!
//! Every version of a text is kept as an entry. The replaced file is kept in the trash.

use std::{collections::HashSet, path::PathBuf};

use super::{
    BodyHash, Entry, Notice, NoticeKind, Pass, Vault, VaultError, WrittenEntry, conflict, day_file,
    day_names::{day_text, original_of},
    files,
    folders::{REPLACED, TRASH},
    merge::merge,
    present,
    splice::{self, Revision},
    trash::file_in_trash,
    write::{self, Ending, head_line},
};

/// Result of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The day file that changed.
    pub file: String,
    /// Number of entries that became readable.
    pub entries: usize,
    /// Path of the copy of the old file, if the file was replaced.
    pub kept: Option<PathBuf>,
}

impl Vault {
    /// Repairs the problem of a notice; `None` if there is nothing (left) to repair.
    ///
    /// - A torn head gets its opening fence, and the time of the head above if its own is missing, so that its text is
    ///   an entry again.
    /// - Conflict markers that split heads are removed; the entries of both sides stay, and two versions of one entry
    ///   become two entries. Markers within the text of one entry are removed too, and both texts stay in it.
    /// - The entries that only a conflict copy has are appended to its day; the copy goes to the trash.
    pub fn repair(&self, notice: &Notice) -> Result<Option<Repaired>, VaultError> {
        let _lock = self.lock()?;
        match notice.kind {
            NoticeKind::TornHead => self.mend_heads(&notice.file),
            NoticeKind::SyncConflict | NoticeKind::MarkersInText => self.settle_markers(&notice.file),
            NoticeKind::ConflictCopy => self.merge_conflict_copy(&notice.file),
            _ => Ok(None),
        }
    }

    fn mend_heads(&self, file: &str) -> Result<Option<Repaired>, VaultError> {
        let path = self.day_path(file)?;
        let Some(before) = files::read(&path)? else { return Ok(None) };
        let mut bytes = before.clone();
        let mut entries = 0;
        // One at a time, because each repaired head changes how the rest is parsed.
        while let Some(torn) = day_file::scan(&bytes).torn.first().copied() {
            let scan = day_file::scan(&bytes);
            let blocks = scan.blocks.len();
            let ending = Ending::of(&bytes);
            let mut fence = [b"---", ending.bytes()].concat();
            if !torn.has_time {
                // Git's union merge keeps a common line once, so the missing time equals that of the head above.
                let above = scan.blocks.iter().rfind(|block| block.head.opening.start < torn.at);
                let time = above.and_then(|block| block.head.lines.get(block.head.time));
                let time = time.ok_or_else(|| self.not_mended(file, torn.line))?;
                fence.extend_from_slice(time.text(&bytes));
                fence.extend_from_slice(ending.bytes());
            }
            if !ends_with_empty_line(&bytes[..torn.at]) {
                fence.splice(0..0, ending.bytes().iter().copied());
            }
            bytes.splice(torn.at..torn.at, fence);
            if day_file::scan(&bytes).blocks.len() <= blocks {
                return Err(self.not_mended(file, torn.line));
            }
            entries += 1;
        }
        if entries == 0 {
            return Ok(None);
        }
        let kept = self.keep_file(file, &before)?;
        self.mark_texts_forgotten(file, &before, &bytes)?;
        self.exchange_file(file, &before, &bytes)?;
        self.drop_standing_trash(file, &bytes)?;
        Ok(Some(Repaired { file: file.to_owned(), entries, kept: Some(kept) }))
    }

    fn settle_markers(&self, file: &str) -> Result<Option<Repaired>, VaultError> {
        let Some(before) = files::read(&self.day_path(file)?)? else { return Ok(None) };
        let split_heads = conflict::merged(&before).map(|merged| merged.bytes);
        let is_in_text = split_heads.is_none();
        let in_text =
            || conflict::sides(&before, |_| true).map(|sides| merge(&sides.base, &sides.ours, &sides.theirs).bytes);
        let Some(after) = split_heads.or_else(in_text) else {
            return match day_file::scan(&before).conflicts.first() {
                Some(line) => Err(self.not_mended(file, *line)),
                None => Ok(None),
            };
        };
        let kept = self.keep_file(file, &before)?;
        let entries = day_file::scan(&after).blocks.len().saturating_sub(day_file::scan(&before).blocks.len());
        if is_in_text {
            self.mark_texts_forgotten(file, &before, &after)?;
        }
        self.exchange_file(file, &before, &after)?;
        self.drop_standing_trash(file, &after)?;
        Ok(Some(Repaired { file: file.to_owned(), entries, kept: Some(kept) }))
    }

    /// Appends the entries that only the conflict copy has to its day. If an id exists with another text, the copy's
    /// entry gets the id that the index gives such a duplicate (`id~` and digits of its hash), which is the same on
    /// every device.
    fn merge_conflict_copy(&self, copy: &str) -> Result<Option<Repaired>, VaultError> {
        let Some(file) = original_of(copy) else { return Ok(None) };
        let path = self.day_path(&file)?;
        let copy_path = self.day_path(copy)?;
        let Some(theirs) = files::read(&copy_path)? else { return Ok(None) };
        let ours = files::read(&path)?;
        let before = ours.clone().unwrap_or_default();
        let mut bytes = before.clone();
        if bytes.is_empty() {
            bytes.extend(write::header(&day_text(&file)));
        }
        let mut entries = 0;
        for block in self.only_in(&file, &theirs, &before)? {
            let separator = write::separator(&bytes, Ending::of(&bytes));
            bytes.extend(separator);
            bytes.extend(block);
            entries += 1;
        }
        if entries > 0 {
            let blocks = day_file::scan(&before).blocks.len();
            if day_file::scan(&bytes).blocks.len() != blocks + entries {
                return Err(self.not_mended(copy, 1));
            }
            match ours {
                Some(_) => self.exchange_file(&file, &before, &bytes)?,
                None => files::create_new(&path, &bytes)?,
            }
        }
        let kept = self.keep_unless_forgotten(copy, &theirs)?;
        files::remove(&copy_path)?;
        Ok(Some(Repaired { file, entries, kept }))
    }

    /// The blocks of `theirs`, ready to be appended, that `ours` does not have with the same id and text.
    fn only_in(&self, file: &str, theirs: &[u8], ours: &[u8]) -> Result<Vec<Vec<u8>>, VaultError> {
        let theirs = conflict::merged(theirs).map_or_else(|| theirs.to_vec(), |merged| merged.bytes);
        let scan = day_file::scan(&theirs);
        let present: Vec<Entry> = self.entries_in(ours, file).into_iter().map(|written| written.entry).collect();
        let ending = Ending::of(ours);
        let mut blocks = Vec::new();
        let entries = day_file::entries(&theirs, &scan, &file.into(), &self.reading());
        for (WrittenEntry { entry, .. }, block) in entries.iter().zip(&scan.blocks) {
            if self.is_forgotten(&entry.id, &entry.hash)? {
                continue;
            }
            let is_same =
                |other: &Entry| other.hash == entry.hash && (entry.goes_by(&other.id) || other.goes_by(&entry.id));
            if present.iter().any(is_same) {
                continue;
            }
            let taken = present.iter().any(|other| other.id == entry.id);
            let name = taken.then(|| format!("{}~{}", entry.id, entry.hash.short()));
            if name.as_deref().is_some_and(|name| present.iter().any(|other| other.id.as_str() == name)) {
                continue;
            }
            let mut lines = if block.head.is_absent() { present::head_lines(entry) } else { Vec::new() };
            lines.extend(name.map(|name| head_line("id", &name)));
            // A text without a head needs one to follow another entry. Passing the body explicitly keeps its line endings.
            let body = block.head.is_absent().then(|| &theirs[block.body.clone()]);
            let path = self.entries_folder().join(file);
            let new = splice::rewritten_in(&path, &theirs, block, &Revision { lines, body })?;
            blocks.push(new.block(ending));
        }
        Ok(blocks)
    }

    /// Like [`Vault::keep_file`], except for a file that contains forgotten texts. Its other entries are in their day
    /// file, so nothing is lost.
    fn keep_unless_forgotten(&self, file: &str, bytes: &[u8]) -> Result<Option<PathBuf>, VaultError> {
        for written in self.entries_in(bytes, file) {
            if self.is_forgotten(&written.entry.id, &written.entry.hash)? {
                return Ok(None);
            }
        }
        self.keep_file(file, bytes).map(Some)
    }

    /// Removes the entries that are readable again from the trash, where they were saved as vanished.
    fn drop_standing_trash(&self, file: &str, now: &[u8]) -> Result<(), VaultError> {
        let entries = self.entries_in(now, file);
        let name = file_in_trash(file);
        let stands = |piece: &Entry| entries.iter().any(|now| now.entry.id == piece.id && now.entry.hash == piece.hash);
        self.purge(&self.path_in(TRASH, &name)?, &name, Pass::Delete, |written, _| stands(&written.entry)).map(drop)
    }

    /// Records texts that exist only because of the damage as forgotten, so that their disappearance after the repair
    /// does not count as a loss.
    pub(super) fn mark_texts_forgotten(&self, file: &str, before: &[u8], after: &[u8]) -> Result<(), VaultError> {
        let now: HashSet<BodyHash> =
            self.entries_in(after, file).into_iter().map(|written| written.entry.hash).collect();
        let gone = self.entries_in(before, file).into_iter().map(|written| (written.entry.id, written.entry.hash));
        self.note_all_forgotten(&gone.filter(|(_, hash)| !now.contains(hash)).collect())
    }

    /// Saves a file's bytes in the trash, under its name or a numbered name.
    fn keep_file(&self, file: &str, bytes: &[u8]) -> Result<PathBuf, VaultError> {
        self.make_private(TRASH)?;
        let folder = self.checked(&self.options().root.join(REPLACED))?;
        files::create_dir(&folder)?;
        let name = file.rsplit('/').next().unwrap_or(file);
        let name = name.strip_suffix(".md").unwrap_or(name);
        let numbered = |n: usize| folder.join(if n == 1 { format!("{name}.md") } else { format!("{name}.{n}.md") });
        for path in (1..).map(numbered) {
            if files::create(&path, bytes)? || files::read(&path)?.as_deref() == Some(bytes) {
                return Ok(path);
            }
        }
        unreachable!("some number is free")
    }

    fn exchange_file(&self, file: &str, before: &[u8], after: &[u8]) -> Result<(), VaultError> {
        files::replace_if(&self.day_path(file)?, file, before, after)
    }

    fn not_mended(&self, file: &str, line: usize) -> VaultError {
        let reason = "the repaired file would not be parsed as expected; repair it in an editor".to_owned();
        VaultError::Refused { path: self.entries_folder().join(file), line, reason }
    }
}

fn ends_with_empty_line(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")
}
