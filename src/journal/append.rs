//! Appending a new entry to its day file: durable, with a second copy in `recent/`.

use std::sync::PoisonError;

use jiff::civil;

use super::{
    Entry, EntryTime, NewEntry, Vault, VaultError, day_file,
    day_names::{day_text, file_of},
    files, recent, write,
};

/// How often an append looks again when other programs keep changing the file.
const APPEND_TRIES: usize = 20;

impl Vault {
    /// Writes a new entry; durable (file, folder, second copy in `recent/`) when this returns.
    /// Costs one reading of that day's file, however long the journal.
    pub fn append(&self, new: NewEntry) -> Result<Entry, VaultError> {
        let _lock = self.lock()?;
        self.append_locked(&new)
    }

    /// What kept the second copy of the last append from being written, if anything did; the entry itself was safe by then.
    pub fn second_copy_fault(&self) -> Option<String> {
        self.second_copy_fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn tell_second_copy(&self, kept: Result<(), VaultError>) {
        let fault = kept.err().map(|error| error.to_string());
        *self.second_copy_fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    pub(super) fn append_locked(&self, new: &NewEntry) -> Result<Entry, VaultError> {
        let time = self.time_of(new)?;
        let file = self.file_for(time.day(self.options().day_start));
        self.append_to(&file, new, &time)
    }

    /// The file a new entry of this day goes to: the one that is there under another of the usual names, or kioku's own.
    fn file_for(&self, day: civil::Date) -> String {
        let own = file_of(day);
        let is_there = |file: &String| self.entries_folder().join(file).is_file();
        let others = ["%Y_%m_%d.md", "%Y%m%d.md"].map(|format| day.strftime(format).to_string());
        match is_there(&own) {
            true => own,
            false => others.into_iter().find(is_there).unwrap_or(own),
        }
    }

    /// Appends to a given day's file, whatever the time says.
    pub(super) fn append_to(&self, file: &str, new: &NewEntry, time: &EntryTime) -> Result<Entry, VaultError> {
        let id = new.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(write::random_id);
        self.append_block(file, |ending| write::block(new, time, &id, ending))
    }

    /// Appends the block that `print` returns for the file's line ending. Returns the entry as written.
    pub(super) fn append_block(
        &self,
        file: &str,
        print: impl Fn(write::Ending) -> Result<Vec<u8>, VaultError>,
    ) -> Result<Entry, VaultError> {
        self.make_entries_folder()?;
        for _ in 0..APPEND_TRIES {
            if let Some(entry) = self.append_block_once(file, &print)? {
                return Ok(entry);
            }
        }
        Err(VaultError::Busy { path: self.day_path(file)? })
    }

    /// `None` where another program changed the file between reading and writing.
    fn append_block_once(
        &self,
        file: &str,
        print: &impl Fn(write::Ending) -> Result<Vec<u8>, VaultError>,
    ) -> Result<Option<Entry>, VaultError> {
        let path = self.day_path(file)?;
        let present = files::read(&path)?;
        let mut bytes = present.clone().unwrap_or_default();
        let ending = write::Ending::of(&bytes);
        let block = print(ending)?;
        let before = bytes.len();
        if present.is_none() {
            // Only a new file gets one: an empty file may be one that an editor is just about to fill again.
            bytes.extend_from_slice(&write::header(&day_text(file)));
        }
        let separator = write::separator(&bytes, ending);
        bytes.extend_from_slice(&separator);
        bytes.extend_from_slice(&block);
        // The new bytes are parsed before they are written: if they are not exactly one entry, nothing is written.
        let scan = day_file::scan(&bytes);
        let start = bytes.len() - block.len();
        let position = scan.blocks.iter().position(|block| block.head.opening.start == start);
        let Some(position) = position.filter(|position| position + 1 == scan.blocks.len()) else {
            return Err(VaultError::Unwritable("its text would be read as more than one entry".to_owned()));
        };
        if !files::append_if(&path, present.as_deref(), &bytes[before..])? {
            return Ok(None);
        }
        let entry = scan.blocks[position].entry(&bytes, &file.into(), position, &self.reading()).entry;
        self.tell_second_copy(recent::keep(self, &block));
        self.remember_again(&entry.id, &entry.hash)?;
        Ok(Some(entry))
    }

    /// Makes the folder of the day files where there is none yet. Where entries were written before, it is gone (a disk or a
    /// synced folder that is not there): made anew it would hide them.
    pub(super) fn make_entries_folder(&self) -> Result<(), VaultError> {
        if !self.entries_folder().is_dir() && self.has_written()? {
            return Err(VaultError::FolderGone { path: self.entries_folder().to_path_buf() });
        }
        files::create_dir(self.entries_folder())
    }

    /// The time an entry is written with: its own string as it is, as long as a reader will understand it.
    pub(super) fn time_of(&self, new: &NewEntry) -> Result<EntryTime, VaultError> {
        let Some(time) = &new.time else { return Ok(EntryTime::of(&self.options().clock.now())) };
        self.spelled(time)
    }

    pub(super) fn spelled(&self, time: &EntryTime) -> Result<EntryTime, VaultError> {
        let zone = self.options().clock.zone();
        EntryTime::parse(&time.written, zone)
            .or_else(|| EntryTime::parse(&time.respelled(), zone))
            .ok_or_else(|| VaultError::Unwritable(format!("{:?} is no date-time", time.written)))
    }
}

#[cfg(test)]
#[path = "append_tests.rs"]
mod tests;
