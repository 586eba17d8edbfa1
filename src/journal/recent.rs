//! Second copies (`recent/`): a log of all blocks that kioku wrote in the last thirty days.
//!
//! The last block of an id is the newest text that kioku wrote for it. A block with `trashed:` and an empty body closes
//! the id: kioku itself removed that entry from its day file, or saved its text to the trash. An id that is open here
//! and in no day file was lost to another program (see `vanished`).
//!
//! In a synced vault each machine writes its own files (`2026-02-22.<machine id>.md`). A machine expects only its own
//! entries in the day files, because synced day files may arrive after the second copies. Of other machines' files only
//! the closed ids count. Files without a machine id were written by older versions of kioku.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use jiff::{Span, civil};

use super::{
    Entry, EntryId, EntryTime, FileStamp, Vault, VaultError, WrittenEntry, day_file,
    day_names::{self, day_of, file_of, names_in},
    files,
    folders::{RECENT as FOLDER, TRASH},
    machine, sections, write,
};

/// Days for which a second copy is kept.
const DAYS: i64 = 30;

/// Appends blocks to today's file, and removes files older than thirty days.
pub(super) fn keep(vault: &Vault, blocks: &[u8]) -> Result<(), VaultError> {
    let folder = vault.make_private(FOLDER)?;
    let today = vault.options().clock.now().date();
    let path = vault.path_in(FOLDER, &log_of(today, &vault.writing_id()))?;
    let mut bytes = match files::last_byte(&path)? {
        Some(last) => write::separator(&[last], write::Ending::Lf),
        None => [write::header(&today.to_string()), b"\n".to_vec()].concat(),
    };
    bytes.extend_from_slice(blocks);
    files::append(&path, &bytes)?;
    let oldest = today.checked_sub(Span::new().days(DAYS)).unwrap_or(civil::Date::MIN);
    for name in names_in(&folder)?.iter().filter(|name| day_of(name).is_some_and(|day| day < oldest)) {
        files::remove(&folder.join(name))?;
    }
    Ok(())
}

/// Closes ids: these entries are no longer expected in the day files.
pub(super) fn close<'a>(vault: &Vault, ids: impl IntoIterator<Item = &'a EntryId>) -> Result<(), VaultError> {
    let now = EntryTime::precise(&vault.options().clock.now());
    let (time, trashed) = (write::quoted_line("time", &now), write::quoted_line("trashed", &now));
    let closing = |id: &EntryId| format!("---\n{time}\n{trashed}\n{}\n---\n\n", write::quoted_line("id", id.as_str()));
    let blocks: Vec<String> = ids.into_iter().map(closing).collect();
    if blocks.is_empty() { Ok(()) } else { keep(vault, blocks.join("\n").as_bytes()) }
}

/// The name of a machine's file for one day.
fn log_of(day: civil::Date, machine: &str) -> String {
    format!("{day}.{machine}.md")
}

/// The machine id in a file name: `Some(None)` for a file of an older version, `None` if it is not a file of second
/// copies.
fn machine_of(name: &str) -> Option<Option<&str>> {
    if day_names::is_own(name) {
        return Some(None);
    }
    let (day, machine) = name.strip_suffix(".md")?.split_once('.')?;
    (machine::is_id(machine) && day.parse::<civil::Date>().is_ok()).then_some(Some(machine))
}

/// Whether a file name is one that kioku writes, and not a conflict copy of a sync program.
pub(super) fn is_log(name: &str) -> bool {
    machine_of(name).is_some()
}

impl Vault {
    /// Every second copy, in the order of writing.
    pub fn recent(&self) -> Result<Vec<WrittenEntry>, VaultError> {
        let mut copies = Vec::new();
        for name in self.recent_names()? {
            let blocks = self.copies_in(&name)?.into_iter();
            copies.extend(blocks.filter(|(_, is_closed)| !is_closed).map(|(written, _)| written));
        }
        Ok(copies)
    }

    /// The stamps of this machine's files, sorted by name. A change shows in the stamps without reading the files.
    /// `None` if the machine id is not known.
    pub fn recent_files(&self) -> Result<Option<Vec<FileStamp>>, VaultError> {
        let folder = self.options().root.join(FOLDER);
        self.own_names()?.map(|names| self.stamps_in(&folder, &names)).transpose()
    }

    /// Migrates files of an older version to this machine's id, but only if this machine has already compared one of
    /// them (`compared`) with the day files: otherwise they may have come from another machine.
    pub fn take_over_recent(&self, compared: &[FileStamp]) -> Result<(), VaultError> {
        let is_old = |name: &str| machine_of(name) == Some(None);
        if !compared.iter().any(|stamp| is_old(&stamp.file)) {
            return Ok(());
        }
        let _lock = self.lock()?;
        let machine = self.make_machine_id()?;
        for name in self.recent_names()?.iter().filter(|name| is_old(name)) {
            let (old, Some(day)) = (self.path_in(FOLDER, name)?, day_of(name)) else { continue };
            let Some(mut bytes) = files::read(&old)? else { continue };
            let new = self.path_in(FOLDER, &log_of(day, &machine))?;
            // The older blocks come first, because the last block of an id counts.
            if let Some(own) = files::read(&new)? {
                bytes.extend(write::separator(&bytes, write::Ending::Lf));
                bytes.extend(own);
            }
            files::replace(&new, &bytes)?;
            files::remove(&old)?;
        }
        Ok(())
    }

    /// The newest text of each open id in these files (sorted by name), as an entry of its day file.
    pub fn open_copies<'a>(&self, files: impl IntoIterator<Item = &'a str>) -> Result<Vec<Entry>, VaultError> {
        let closed = self.closed_by_others()?;
        let mut copies: Vec<Option<Entry>> = Vec::new();
        let mut last: HashMap<EntryId, usize> = HashMap::new();
        for name in files {
            for (WrittenEntry { mut entry, .. }, is_closed) in self.copies_in(name)? {
                if let Some(before) = last.insert(entry.id.clone(), copies.len()) {
                    copies[before] = None;
                }
                // The id of a text without a head names its file.
                let file = sections::file_of_id(entry.id.as_str()).map(Arc::from);
                entry.place.file = file.unwrap_or_else(|| file_of(entry.day).as_str().into());
                let is_closed = is_closed || closed.contains(&entry.id);
                copies.push((!is_closed).then_some(entry));
            }
        }
        Ok(copies.into_iter().flatten().collect())
    }

    /// [`Vault::open_copies`] for all files of this machine.
    pub(super) fn all_open_copies(&self) -> Result<Vec<Entry>, VaultError> {
        let names = self.own_names()?.unwrap_or_default();
        self.open_copies(names.iter().map(String::as_str))
    }

    /// Whether kioku ever wrote an entry here, judged by second copies and trash.
    pub(super) fn has_written(&self) -> Result<bool, VaultError> {
        Ok(!self.days_in(TRASH)?.is_empty() || !self.recent_names()?.is_empty())
    }

    /// The blocks of one file, each with whether it closes its id.
    fn copies_in(&self, name: &str) -> Result<Vec<(WrittenEntry, bool)>, VaultError> {
        let Some(bytes) = files::read(&self.path_in(FOLDER, name)?)? else { return Ok(Vec::new()) };
        let scan = day_file::scan(&bytes);
        let (file, reading) = (name.into(), self.reading());
        let blocks = scan.blocks.iter().enumerate().filter(|(_, block)| !block.head.is_absent());
        let read = blocks.map(|(position, block)| {
            let written = block.entry(&bytes, &file, position, &reading);
            let is_closed = written.entry.body.is_empty() && block.fields(&bytes).trashed.is_some();
            (written, is_closed)
        });
        Ok(read.collect())
    }

    /// The ids that another machine has closed.
    fn closed_by_others(&self) -> Result<HashSet<EntryId>, VaultError> {
        let own = self.machine_id();
        let mut closed = HashSet::new();
        for name in self.recent_names()? {
            if machine_of(&name).flatten().is_none_or(|machine| Some(machine) == own.as_deref()) {
                continue;
            }
            for (written, is_closed) in self.copies_in(&name)? {
                match is_closed {
                    true => closed.insert(written.entry.id),
                    false => closed.remove(&written.entry.id),
                };
            }
        }
        Ok(closed)
    }

    fn own_names(&self) -> Result<Option<Vec<String>>, VaultError> {
        let Some(own) = self.machine_id() else { return Ok(None) };
        let mut names = self.recent_names()?;
        names.retain(|name| machine_of(name).flatten() == Some(own.as_str()));
        Ok(Some(names))
    }

    /// The files of second copies of all machines, sorted.
    pub(super) fn recent_names(&self) -> Result<Vec<String>, VaultError> {
        self.named_in(FOLDER, is_log)
    }
}
