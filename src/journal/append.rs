//! Durable append of entries to their day files: one at a time, or all entries of an import. Writes second copies to
//! `recent/`.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
};

use jiff::civil;

use super::{
    Attachment, BodyHash, Entry, EntryId, EntryTime, NewEntry, Vault, VaultError, day_file,
    day_names::{self, day_of, day_text, has_placeholder},
    files, recent, sections, write,
};
use crate::fault::lock;

/// Maximum number of attempts when other programs keep changing the file.
const APPEND_TRIES: usize = 20;

/// Result of an import.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Appended {
    /// New entries, in the order given.
    pub added: Vec<EntryId>,
    /// Number of entries skipped because the vault has the same text.
    pub known: usize,
    /// Ids that the vault has with another text. Those entries are not changed.
    pub differing: Vec<EntryId>,
    /// Entries that an interrupted import had written only in part, at the end of a file. The rest was appended.
    pub completed: Vec<EntryId>,
}

/// Index of the vault's entries, to detect entries that were imported before.
#[derive(Default)]
struct Known {
    ids: HashMap<String, BodyHash>,
    texts: HashSet<(String, BodyHash)>,
    /// The last entry of each file, keyed by its id.
    last: HashMap<String, Last>,
}

/// The last entry of a file, from its head to the end of the file.
struct Last {
    bytes: Vec<u8>,
    ending: write::Ending,
}

struct Addition {
    time: EntryTime,
    id: String,
    entry: NewEntry,
    /// The file ends with an incomplete copy of this entry.
    is_torn: bool,
}

/// Minimum length of an incomplete head: fence, key and date. Anything shorter may be ordinary text.
const SURELY_TORN: usize = "---\ntime: \"2026-02-22".len();

impl Vault {
    /// Writes a new entry. It is durable (file, folder, second copy in `recent/`) when this returns. Reads only that
    /// day's file, so the cost does not grow with the journal.
    pub fn append(&self, new: NewEntry) -> Result<Entry, VaultError> {
        self.append_with(new, Vec::new())
    }

    /// Like [`Vault::append`], with the attachments that its text links. They are durable before the entry is.
    pub fn append_with(&self, new: NewEntry, attachments: Vec<Attachment>) -> Result<Entry, VaultError> {
        let _lock = self.lock()?;
        self.keep_attachments(attachments)?;
        self.append_locked(&new)
    }

    /// Like [`Vault::append`], unless the day has an entry with this text: then that entry, and false.
    pub fn append_new_text(&self, new: &NewEntry) -> Result<(Entry, bool), VaultError> {
        let _lock = self.lock()?;
        let file = self.file_for(self.time_of(new)?.day(self.options().day_start));
        let hash = BodyHash::of(new.body.as_bytes());
        let written = self.read_if_there(&file)?.map_or_else(Vec::new, |day| day.entries);
        match written.into_iter().find(|written| written.entry.hash == hash) {
            Some(same) => Ok((same.entry, false)),
            None => Ok((self.append_locked(new)?, true)),
        }
    }

    /// Takes the warnings of the last writes, which are durable: no second copy, or a copy in another file.
    pub fn write_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.write_warnings))
    }

    pub(super) fn report_second_copy(&self, kept: Result<(), VaultError>) {
        let warning = kept.err().map(|error| format!("saved, but without a second copy: {error}"));
        lock(&self.write_warnings).extend(warning);
    }

    pub(super) fn append_locked(&self, new: &NewEntry) -> Result<Entry, VaultError> {
        let time = self.time_of(new)?;
        let file = self.file_for(time.day(self.options().day_start));
        if let Some(entry) = self.append_section(&file, new, &time)? {
            return Ok(entry);
        }
        let id = new.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(write::random_id);
        self.append_block(&file, |ending| write::block(new, &time, &id, ending))
    }

    /// The file for a new entry of this day: the [usual one](Self::usual_file) if it exists, or one of sections.
    pub(super) fn file_for(&self, day: civil::Date) -> String {
        let files = self.files_of_user();
        let usual = self.usual_file(day, day_names::layout(&files).as_deref());
        if self.entries_folder().join(&usual).is_file() {
            return usual;
        }
        self.file_in_sections(day, files).unwrap_or(usual)
    }

    /// An existing file of this day under any of the usual names, or else one in the layout of the others. A name whose
    /// file is not downloaded yet is not used, because a new file would take its place, nor a file in UTF-16.
    fn usual_file(&self, day: civil::Date, layout: Option<&str>) -> String {
        let names = layout.into_iter().chain(["%Y-%m-%d.md", "%Y_%m_%d.md", "%Y%m%d.md"]);
        let names: Vec<String> = names.map(|format| day.strftime(format).to_string()).collect();
        let path = |file: &&String| self.entries_folder().join(file);
        let is_utf16 =
            |path: &Path| files::read(path).is_ok_and(|bytes| bytes.is_some_and(|bytes| day_file::is_utf16(&bytes)));
        let (present, absent): (Vec<_>, Vec<_>) = names.iter().partition(|file| path(file).is_file());
        let present = present.into_iter().find(|file| !is_utf16(&path(file)));
        let usable = present.or_else(|| absent.into_iter().find(|file| !has_placeholder(&path(file))));
        usable.unwrap_or(&names[0]).clone()
    }

    /// The day files of a folder of the user, whose names and sub-folders are not kioku's. Lists the folder.
    fn files_of_user(&self) -> Vec<String> {
        let is_flat = self.entries_folder() == self.options().root;
        is_flat.then(|| self.listing().ok()).flatten().map_or_else(Vec::new, |listing| listing.day_files)
    }

    /// The only file of a day in a folder of the user, wherever it is, if it consists of sections.
    fn file_in_sections(&self, day: civil::Date, files: Vec<String>) -> Option<String> {
        let mut of_day = files.into_iter().filter(|file| day_of(file) == Some(day));
        let (Some(file), None) = (of_day.next(), of_day.next()) else { return None };
        let bytes = files::read(&self.day_path(&file).ok()?).ok()??;
        day_file::scan(&bytes).blocks.last()?.part.section().is_some().then_some(file)
    }

    /// Appends an entry of time and text as a section, if the file of its day consists of sections. `None` if it does
    /// not, or if the entry would be read differently.
    fn append_section(&self, file: &str, new: &NewEntry, time: &EntryTime) -> Result<Option<Entry>, VaultError> {
        let NewEntry { id: None, mood: None, event_time: None, tags, extra, body, .. } = new else { return Ok(None) };
        let path = self.day_path(file)?;
        let Some(present) = files::read(&path)?.filter(|_| tags.is_empty() && extra.is_empty()) else {
            return Ok(None);
        };
        let scan = day_file::scan(&present);
        let Some(last) = scan.blocks.last().filter(|last| last.part.section().is_some()) else { return Ok(None) };
        let ending = write::Ending::of(&present);
        let heading = sections::heading_like(&present[last.head.opening.start..], time, ending.bytes());
        let added = [
            write::separator(&present, ending),
            heading,
            body.as_bytes().to_vec(),
            ending.after(body.as_bytes()).to_vec(),
        ];
        let added = added.concat();
        let bytes = [&present[..], &added].concat();
        let (scan, position, before) = (day_file::scan(&bytes), scan.blocks.len(), scan);
        let unchanged = |at: usize| bytes[scan.blocks[at].range()] == present[before.blocks[at].range()];
        if scan.blocks.len() != position + 1 || !(0..position).all(unchanged) {
            return Ok(None);
        }
        let entry = scan.blocks[position].entry(&bytes, &file.into(), position, &self.reading()).entry;
        let is_same = entry.body == *body
            && entry.time.offset_seconds == time.offset_seconds
            && entry.time.clock() == time.clock()
            && entry.time.local().date() == time.local().date()
            && entry.mood.is_none();
        if !is_same || !files::append_if(&path, Some(&present), &added)? {
            return Ok(None);
        }
        self.report_second_copy(self.keep_second_copy(&bytes, &scan.blocks[position], &entry));
        Ok(Some(entry))
    }

    /// Appends the block that `print` produces for the file's line ending. Returns the entry as written.
    pub(super) fn append_block(
        &self,
        file: &str,
        print: impl Fn(write::Ending) -> Result<Vec<u8>, VaultError>,
    ) -> Result<Entry, VaultError> {
        Ok(self.append_blocks(file, |ending| Ok(vec![print(ending)?]))?.remove(0))
    }

    /// Like [`Vault::append_block`], for several blocks with one durable write.
    pub(super) fn append_blocks(
        &self,
        file: &str,
        print: impl Fn(write::Ending) -> Result<Vec<Vec<u8>>, VaultError>,
    ) -> Result<Vec<Entry>, VaultError> {
        self.make_folder_of(file)?;
        for _ in 0..APPEND_TRIES {
            if let Some(entries) = self.append_blocks_once(file, &print)? {
                return Ok(entries);
            }
        }
        Err(VaultError::Busy { path: self.day_path(file)? })
    }

    /// `None` if another program changed the file between reading and writing.
    fn append_blocks_once(
        &self,
        file: &str,
        print: &impl Fn(write::Ending) -> Result<Vec<Vec<u8>>, VaultError>,
    ) -> Result<Option<Vec<Entry>>, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let mut bytes = present.clone().unwrap_or_default();
        let ending = write::Ending::of(&bytes);
        if day_file::is_utf16(&bytes) {
            let reason = "it is in UTF-16; save it as UTF-8 in an editor".to_owned();
            return Err(VaultError::Refused { path, line: 1, reason });
        }
        let blocks = print(ending)?;
        let before = bytes.len();
        if present.is_none() {
            if has_placeholder(&path) {
                return Err(VaultError::NotDownloaded { path });
            }
            // Only a new file gets a header: an editor may have truncated an empty file and be about to write it.
            bytes.extend_from_slice(&write::header(&day_text(file)));
        }
        let mut starts = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let separator = write::separator(&bytes, ending);
            bytes.extend_from_slice(&separator);
            starts.push(bytes.len());
            bytes.extend_from_slice(block);
        }
        // Parse the new bytes before writing: if each block is not exactly one entry, nothing is written.
        let scan = day_file::scan(&bytes);
        let first = scan.blocks.len().saturating_sub(blocks.len());
        if !scan.blocks[first..].iter().map(|block| block.head.opening.start).eq(starts) {
            return Err(VaultError::Unwritable("its text would be read as more than one entry".to_owned()));
        }
        if !files::append_if(&path, present.as_deref(), &bytes[before..])? {
            return Ok(None);
        }
        let (file, reading) = (file.into(), self.reading());
        let entry = |at: usize| scan.blocks[at].entry(&bytes, &file, at, &reading).entry;
        let entries: Vec<Entry> = (first..scan.blocks.len()).map(entry).collect();
        // The entries are durable: an error would be taken for one that is not written.
        let kept = recent::keep(self, &blocks.join(&b'\n'));
        self.report_second_copy(kept.and(self.remember_again(entries.iter().map(|entry| (&entry.id, &entry.hash)))));
        Ok(Some(entries))
    }

    /// Creates the folder of a day file. If entries were written before, a missing folder of day files means that a disk
    /// or sync folder is not mounted; a new folder would hide them, so this is an error.
    pub(super) fn make_folder_of(&self, file: &str) -> Result<(), VaultError> {
        if !self.entries_folder().is_dir() && self.has_written()? {
            return Err(VaultError::FolderGone { path: self.entries_folder().to_path_buf() });
        }
        files::create_dir(self.day_path(file)?.parent().unwrap_or(self.entries_folder()))
    }

    /// The time to write for an entry: the given string unchanged if it can be parsed, or else respelled.
    pub(super) fn time_of(&self, new: &NewEntry) -> Result<EntryTime, VaultError> {
        let Some(time) = &new.time else { return Ok(EntryTime::of(&self.options().clock.now())) };
        self.spelled(time)
    }

    pub(super) fn spelled(&self, time: &EntryTime) -> Result<EntryTime, VaultError> {
        let zone = self.options().clock.zone();
        EntryTime::parse(&time.written, zone)
            .or_else(|| EntryTime::parse(&time.respelled(), zone))
            .ok_or_else(|| VaultError::Unwritable(format!("{:?} is not a date-time", time.written)))
    }

    /// Appends many entries (import) with one durable write per file. Idempotent: the same id and body, or without an
    /// id the same time and body, is skipped; a known id with another body is reported and nothing is overwritten.
    ///
    /// Reads the whole vault once. Within a day file the new entries follow the existing ones, in time order.
    pub fn append_all(&self, new: Vec<NewEntry>) -> Result<Appended, VaultError> {
        let _lock = self.lock()?;
        let (done, by_file) = self.sorted_additions(new)?;
        self.append_files(by_file)?;
        Ok(done)
    }

    /// What [`Vault::append_all`] would do. Writes nothing.
    pub fn would_append(&self, new: Vec<NewEntry>) -> Result<Appended, VaultError> {
        Ok(self.sorted_additions(new)?.0)
    }

    fn sorted_additions(&self, new: Vec<NewEntry>) -> Result<(Appended, BTreeMap<String, Vec<Addition>>), VaultError> {
        let mut known = self.known()?;
        let mut done = Appended::default();
        let mut by_file: BTreeMap<String, Vec<Addition>> = BTreeMap::new();
        let layout = day_names::layout(&self.files_of_user());
        for entry in new {
            let time = self.time_of(&entry)?;
            let hash = BodyHash::of(entry.body.as_bytes());
            let former = entry.former_id.as_deref().filter(|id| known.ids.contains_key(*id));
            let given = former.or(entry.id.as_deref()).filter(|id| !id.is_empty());
            let id = match given {
                None if known.texts.contains(&(time.written.clone(), hash)) => {
                    done.known += 1;
                    continue;
                }
                Some(id) => id.to_owned(),
                None => write::derived_id(&time.written, entry.body.as_bytes()),
            };
            let present = known.ids.get(&id);
            if known.last.get(&id).is_some_and(|last| last.is_before_half_head(&entry, &time, &id)) {
                done.known += 1;
                continue;
            }
            let is_torn = present.is_some_and(|present| *present != hash)
                && known.last.get(&id).is_some_and(|last| last.begins(&entry, &time, &id))
                && !self.was_written(&id)?;
            let id = match (present, given) {
                _ if is_torn => id,
                (None, _) => id,
                (Some(present), Some(_)) if *present == hash => {
                    done.known += 1;
                    continue;
                }
                (Some(_), Some(_)) => {
                    done.differing.push(id.as_str().into());
                    continue;
                }
                (Some(_), None) => write::random_id(),
            };
            known.texts.insert((time.written.clone(), hash));
            known.ids.insert(id.clone(), hash);
            if is_torn { &mut done.completed } else { &mut done.added }.push(id.as_str().into());
            let file = self.usual_file(time.day(self.options().day_start), layout.as_deref());
            by_file.entry(file).or_default().push(Addition { time, id, entry, is_torn });
        }
        Ok((done, by_file))
    }

    fn append_files(&self, by_file: BTreeMap<String, Vec<Addition>>) -> Result<(), VaultError> {
        if by_file.is_empty() {
            return Ok(());
        }
        let (mut second_copies, mut texts) = (Vec::new(), Vec::new());
        let mut additions = Vec::with_capacity(by_file.len());
        for (file, mut entries) in by_file {
            texts.extend(
                entries.iter().map(|new| (EntryId::from(new.id.as_str()), BodyHash::of(new.entry.body.as_bytes()))),
            );
            // The rest of an incomplete entry must directly follow its beginning.
            entries.sort_by_key(|entry| (!entry.is_torn, entry.time.at));
            self.make_folder_of(&file)?;
            let path = self.day_path(&file)?;
            let read = files::read(&path)?;
            if read.is_none() && has_placeholder(&path) {
                return Err(VaultError::NotDownloaded { path });
            }
            let present = read.as_deref().unwrap_or_default();
            let ending = write::Ending::of(present);
            let mut added = if read.is_none() { write::header(&day_text(&file)) } else { Vec::new() };
            let mut completes = false;
            for (at, entry) in entries.iter().enumerate() {
                let block = write::block(&entry.entry, &entry.time, &entry.id, ending)?;
                let torn = if at == 0 { torn_part(present, &block) } else { 0 };
                completes |= torn > 0;
                if at > 0 {
                    added.extend_from_slice(ending.bytes());
                } else if torn == 0 {
                    added.extend(write::separator(if read.is_none() { &added } else { present }, ending));
                }
                if !second_copies.is_empty() {
                    second_copies.push(b'\n');
                }
                added.extend_from_slice(&block[torn..]);
                second_copies.extend_from_slice(&block);
            }
            if completes {
                // The incomplete head was read as the end of the entry above, whose text now becomes shorter.
                self.mark_texts_forgotten(&file, present, &[present, &added].concat())?;
            }
            additions.push(files::Addition { path, present: read, bytes: added });
        }
        files::append_many(&additions)?;
        let kept = recent::keep(self, &second_copies);
        self.report_second_copy(kept.and(self.remember_again(texts.iter().map(|(id, hash)| (id, hash)))));
        Ok(())
    }

    fn known(&self) -> Result<Known, VaultError> {
        let mut known = Known::default();
        for stamp in self.safe_files()? {
            let Some(bytes) = files::read(&self.day_path(&stamp.file)?)? else { continue };
            let scan = day_file::scan(&bytes);
            let entries = day_file::entries(&bytes, &scan, &stamp.file, &self.reading());
            if let (Some(last), Some(block)) = (entries.last(), scan.blocks.last()) {
                let from_head =
                    Last { bytes: bytes[block.range().start..].to_vec(), ending: write::Ending::of(&bytes) };
                known.last.insert(last.entry.id.to_string(), from_head);
            }
            for entry in entries.into_iter().map(|written| written.entry) {
                // An entry without an id is named by its time, and an import may contain it under that name.
                known.ids.entry(entry.id.to_string()).or_insert(entry.hash);
                known.texts.insert((entry.time.written, entry.hash));
            }
        }
        Ok(known)
    }

    /// Whether kioku finished writing this entry, or a version of it: second copies are written last. If so, a shorter text
    /// is the user's, not incomplete.
    fn was_written(&self, id: &str) -> Result<bool, VaultError> {
        let is = |entry: &Entry| entry.id.as_str() == id;
        let copied = self.recent()?.iter().any(|copy| is(&copy.entry));
        Ok(copied || self.trash()?.iter().any(|piece| is(&piece.entry)))
    }
}

impl Last {
    /// Whether this is a proper prefix of that entry's block. One that ends with a line is a text that was shortened.
    fn begins(&self, entry: &NewEntry, time: &EntryTime, id: &str) -> bool {
        !self.bytes.ends_with(b"\n")
            && write::block(entry, time, id, self.ending)
                .is_ok_and(|block| torn_part(&self.bytes, &block) == self.bytes.len())
    }

    /// Whether this is that whole entry followed by an incomplete head, which the parser reads as part of the text.
    fn is_before_half_head(&self, entry: &NewEntry, time: &EntryTime, id: &str) -> bool {
        let Ok(block) = write::block(entry, time, id, self.ending) else { return false };
        let behind = self.bytes.strip_prefix(&*block).map(<[u8]>::trim_ascii_start);
        behind.is_some_and(|half| half.starts_with(b"---") && half.len() >= SURELY_TORN && !half.ends_with(b"\n"))
    }
}

/// Length of the longest end of the file that is a prefix of the block: the part that an interrupted import wrote.
fn torn_part(present: &[u8], block: &[u8]) -> usize {
    let lengths = SURELY_TORN..block.len().min(present.len() + 1);
    let tails = lengths.map(|length| (present.len() - length, &present[present.len() - length..]));
    let mut on_lines = tails.filter(|(at, tail)| tail.starts_with(b"---") && (*at == 0 || present[at - 1] == b'\n'));
    let torn = on_lines.find(|(_, tail)| block.starts_with(tail)).map(|(_, tail)| tail);
    torn.map_or(0, <[u8]>::len)
}

#[cfg(test)]
#[path = "append_tests.rs"]
mod tests;
