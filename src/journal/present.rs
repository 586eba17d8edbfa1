//! Lookup of an entry in the current files, which another program may have changed since the entry was read.

use std::sync::Arc;

use super::{
    Entry, EntryId, Vault, VaultError, WrittenEntry, conflict,
    day_file::{self, Block, Scan},
    files, front_matter, identity,
    note::NoteText,
    sections::{self, TextPart},
    splice::{self, Revision, Rewritten},
    write::{self, HeadLine, head_line},
};

/// An entry with the current content of its file, read while holding the lock.
pub(super) struct Present {
    pub file: Arc<str>,
    pub bytes: Vec<u8>,
    pub scan: Scan,
    pub at: usize,
    /// The entry, under the id that the caller knows.
    pub entry: Entry,
    /// The `id:` in the file.
    pub written_id: Option<EntryId>,
    /// Whether the file contains a duplicate: same id and text.
    pub has_copies: bool,
}

impl Present {
    pub fn block(&self) -> &Block {
        &self.scan.blocks[self.at]
    }

    /// The bytes before a text without a head, with other lines in its front matter. `None` if it has none, or if that is
    /// of several entries.
    pub fn front_matter_with(&self, lines: &[HeadLine]) -> Option<Vec<u8>> {
        let block = self.block();
        // A version in the trash has no others, so it could not be told from this one.
        let of_head = lines.iter().any(|(key, _)| !matches!(key.as_str(), "mood" | "tags" | "event_time"));
        if lines.is_empty() || of_head || block.part != TextPart::Whole {
            return None;
        }
        let above = std::str::from_utf8(&self.bytes[..block.head.opening.start]).ok()?;
        let (old, mut new) = (NoteText::of(above), NoteText::of(above));
        lines.iter().for_each(|(key, line)| new.set_line(key, line.as_deref()));
        let is_changed = |key: &str| lines.iter().any(|(changed, _)| key.eq_ignore_ascii_case(changed));
        let others = |text: &NoteText| -> Option<Vec<_>> {
            let keys = front_matter::yaml(&text.front_lines())?.into_iter();
            Some(keys.filter(|(key, _)| !key.as_str().is_some_and(is_changed)).collect())
        };
        let comments = |text: &NoteText| text.front_lines().replace('\t', " ").matches(" #").count();
        let is_cut = front_matter::yaml(&old.front_lines())?.iter().any(|(key, value)| {
            let key = key.as_str().unwrap_or_default().to_lowercase();
            // Both keys count.
            is_changed(&key) && !front_matter::is_read_whole(&key, value) || key == "tag" && is_changed("tags")
        });
        let is_same = !is_cut && others(&old)? == others(&new)? && comments(&old) == comments(&new);
        is_same.then(|| new.text().into_bytes())
    }

    /// The id of the last section with the same time and text, if this section comes before it. When one of them goes, the
    /// others take over the ids up to that.
    pub fn last_twin(&self) -> Option<EntryId> {
        let this = self.block().part.section()?;
        let mut later = self.scan.blocks[self.at + 1..].iter().rev().filter_map(|block| block.part.section());
        later.find(|other| other.is_twin_of(this)).map(|last| EntryId::from(last.id(&self.file).as_str()))
    }

    /// Whether the file has this id for the entry. That of a section may have been longer while its minute had others.
    pub fn goes_by(&self, id: &EntryId) -> bool {
        self.written_id.as_ref().is_some_and(|written| {
            written == id
                || self.block().part.section().is_some()
                    && identity::is_id_of(id.as_str(), written.as_str(), &self.entry.hash)
        })
    }
}

impl Vault {
    /// Finds the current block of `base`: in its file, or (if it has a written id) in the file to which it was moved.
    pub(super) fn locate(&self, base: &Entry) -> Result<Option<Present>, VaultError> {
        if let Some(present) = self.locate_in(&base.place.file, |entries| position_of(entries, base))? {
            return Ok(Some(Present { entry: Entry { id: base.id.clone(), ..present.entry }, ..present }));
        }
        self.elsewhere(&base.place.file, &base.id)
    }

    /// Like [`Vault::locate`], but an absent entry is an error.
    pub(super) fn expect(&self, base: &Entry) -> Result<Present, VaultError> {
        let path = self.day_path(&base.place.file)?;
        self.locate(base)?.ok_or_else(|| VaultError::Absent { what: "entry", id: base.id.to_string(), path })
    }

    /// Finds the block with this id in any file; `file` is searched first.
    pub(super) fn present(&self, file: &str, id: &EntryId) -> Result<Option<Present>, VaultError> {
        self.present_in(file, id)?.map_or_else(|| self.elsewhere(file, id), |present| Ok(Some(present)))
    }

    /// Like [`Vault::present`], but searches only `file`.
    pub(super) fn present_in(&self, file: &str, id: &EntryId) -> Result<Option<Present>, VaultError> {
        self.locate_in(file, |entries| position_by_id(entries, id))
    }

    /// Reads every other file. Slow but rare; the vault does not depend on the index.
    fn elsewhere(&self, not: &str, id: &EntryId) -> Result<Option<Present>, VaultError> {
        for stamp in self.safe_files()?.into_iter().filter(|stamp| *stamp.file != *not) {
            if let Some(present) = self.present_in(&stamp.file, id)? {
                return Ok(Some(present));
            }
        }
        Ok(None)
    }

    /// Refuses an entry of a file with git conflict markers, which must not be rewritten. They must be resolved first, by
    /// [`Vault::repair`] or by hand.
    pub(super) fn locate_in(
        &self,
        file: &str,
        pick: impl Fn(&[WrittenEntry]) -> Option<usize>,
    ) -> Result<Option<Present>, VaultError> {
        let path = self.day_path(file)?;
        let Some(bytes) = files::read(&path)? else { return Ok(None) };
        let file: Arc<str> = file.into();
        let (bytes, conflict) = match conflict::merged(&bytes) {
            Some(merged) => (merged.bytes, merged.lines.first().copied()),
            None => (bytes, None),
        };
        let scan = day_file::scan(&bytes);
        let mut entries = day_file::entries(&bytes, &scan, &file, &self.reading());
        let Some(at) = pick(&entries) else { return Ok(None) };
        if let Some(line) = conflict {
            let reason = "git left conflict markers there; `kioku doctor --repair` keeps both versions".to_owned();
            return Err(VaultError::Refused { path, line, reason });
        }
        let written = entries.swap_remove(at);
        let written_id = written.written_id().cloned();
        let has_copies = entries.iter().any(|other| is_copy(other, &written.entry, written_id.as_ref()));
        Ok(Some(Present { file, bytes, scan, at, entry: written.entry, written_id, has_copies }))
    }

    /// The entry's new bytes. A text without a head stays without one, unless a field is set that its front matter cannot
    /// take.
    pub(super) fn rewritten(
        &self,
        present: &Present,
        mut lines: Vec<HeadLine>,
        body: Option<&[u8]>,
    ) -> Result<Rewritten, VaultError> {
        if present.block().head.is_absent() {
            // The empty lines below the heading of a section are no part of its text.
            let is_section = present.block().part.section().is_some();
            let above = present.front_matter_with(&lines);
            let plain = || {
                let body = body.map(|body| if is_section { sections::below_empty_lines(body) } else { body });
                let mut new =
                    splice::rewritten(&present.bytes, present.block(), &Revision { lines: Vec::new(), body }).ok()?;
                new.above = above.clone();
                splice::replaced(&present.bytes, &present.scan, present.at, &new).ok().map(|_| new)
            };
            if let Some(new) = (lines.is_empty() || above.is_some()).then(plain).flatten() {
                return Ok(new);
            }
            // The changed fields come last, so that they override those of the front matter.
            lines = [head_lines(&present.entry), lines].concat();
        }
        self.revised(present, &Revision { lines, body })
    }

    pub(super) fn revised(&self, present: &Present, revision: &Revision<'_>) -> Result<Rewritten, VaultError> {
        let path = self.entries_folder().join(&*present.file);
        splice::rewritten_in(&path, &present.bytes, present.block(), revision)
    }

    pub(super) fn refused(&self, present: &Present, reason: String) -> VaultError {
        VaultError::Refused { path: self.entries_folder().join(&*present.file), line: present.block().line, reason }
    }
}

/// The lines of a new head for a text without one.
pub(super) fn head_lines(entry: &Entry) -> Vec<HeadLine> {
    let optional = |key: &str, value: &Option<String>| value.as_ref().map(|value| head_line(key, value));
    let mut lines = vec![head_line("time", &entry.time.respelled())];
    lines.extend(optional("mood", &entry.mood));
    lines.extend((!entry.tags.is_empty()).then(|| ("tags".to_owned(), Some(write::tags_line(&entry.tags)))));
    lines.extend(optional("event_time", &entry.event_time));
    // A head needs a time, also for a text of which only the day is known.
    lines.extend((!entry.time.has_clock()).then(|| ("undated".to_owned(), Some("undated: true".to_owned()))));
    lines.push(head_line("id", entry.id.as_str()));
    lines
}

/// Finds the entry that the user saw among a file's entries: first by text, then by id.
fn position_of(entries: &[WrittenEntry], base: &Entry) -> Option<usize> {
    // One text may be there at two times under one id.
    let distance = |at: usize| (entries[at].entry.time.at != base.time.at, at.abs_diff(base.place.position as usize));
    let nearest = |is: &dyn Fn(&WrittenEntry) -> bool| {
        let candidates = entries.iter().enumerate().filter(|(_, written)| is(written));
        candidates.map(|(at, _)| at).min_by_key(|at| distance(*at))
    };
    let same_text = |written: &WrittenEntry| written.entry.goes_by(&base.id) && written.entry.hash == base.hash;
    let same_id = |written: &WrittenEntry| written.written_id() == Some(&base.id);
    // If another program changed the text of an entry without an id, identify it by its time, if that is unique.
    let same_time = |written: &WrittenEntry| !written.has_id && written.entry.time.written == base.time.written;
    let alone = entries.iter().filter(|written| same_time(written)).count() == 1;
    let knew_time = base.id.as_str().starts_with(&base.time.written);
    nearest(&same_text)
        .or_else(|| nearest(&same_id))
        .or_else(|| if alone && knew_time { nearest(&same_time) } else { None })
}

fn position_by_id(entries: &[WrittenEntry], id: &EntryId) -> Option<usize> {
    let by_written = entries.iter().position(|written| written.written_id() == Some(id));
    by_written.or_else(|| entries.iter().position(|written| written.entry.goes_by(id)))
}

/// Whether a block of a file is a duplicate of another: same id and text.
pub(super) fn is_copy(written: &WrittenEntry, of: &Entry, written_id: Option<&EntryId>) -> bool {
    written.entry.hash == of.hash && written.entry.time.written == of.time.written && written.written_id() == written_id
}
