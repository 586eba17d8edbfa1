//! The passage table of one checkpoint on disk: the passages of each entry, with its fingerprint.
//!
//! A table is written complete, or as the changes since a complete one, so that a save in a large journal writes
//! little. `magic, version, CRC-32 of the rest, postcard`, followed in a complete one by the columns of
//! `passage_base`.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    log::vault,
    passage_base::{PassageBase, Sizes},
};
use crate::{
    index::{
        EntryKey, IndexError, Result, checkpoint,
        format::FORMAT,
        passage::{Passage, PassageHash},
    },
    journal::files,
};

const MAGIC: &[u8; 8] = b"KIOKUPAS";
/// Name of the store, the prefix of its files.
const STORE: &str = "passages";

/// An added or changed entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AddedEntry {
    pub key: EntryKey,
    pub fingerprint: u64,
    pub passages: Vec<Passage>,
}

/// The entries that were added, changed or removed since a complete table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Changes {
    /// The checkpoint of the complete table.
    pub base: u64,
    pub removed: Vec<EntryKey>,
    /// In the order they were added.
    pub added: Vec<AddedEntry>,
}

/// The start of a file.
#[derive(Serialize, Deserialize)]
enum Head {
    /// Columns follow.
    Whole(u64, Sizes),
    Changes(u64, Changes),
}

/// A table as read.
pub(super) struct Table {
    pub sizes: Sizes,
    pub base: PassageBase,
    /// Of all passages of `base`, in their order.
    pub hashes: Vec<u8>,
    pub changes: Option<Changes>,
}

impl Table {
    /// The hash of a passage by its number.
    pub fn hash(&self, passage: usize) -> Option<PassageHash> {
        Some(PassageHash(*self.hashes.get(passage * 16..)?.first_chunk()?))
    }

    /// `Ok(None)` where there is no such file; a table of changes is returned with the one that it changes.
    pub fn read(dir: &Path, checkpoint: u64) -> Result<Option<Self>> {
        let Some(content) = content(dir, checkpoint)? else { return Ok(None) };
        match head(dir, checkpoint, &content)? {
            (Head::Whole(_, sizes), columns) => whole(dir, checkpoint, sizes, columns).map(Some),
            (Head::Changes(_, changes), _) => {
                let base = changes.base;
                let missing = || IndexError::damaged(path(dir, base), "it is missing or incomplete");
                let content = self::content(dir, base)?.ok_or_else(missing)?;
                let (Head::Whole(_, sizes), columns) = head(dir, base, &content)? else { return Err(missing()) };
                Ok(Some(Self { changes: Some(changes), ..whole(dir, base, sizes, columns)? }))
            }
        }
    }
}

fn whole(dir: &Path, checkpoint: u64, sizes: Sizes, columns: &[u8]) -> Result<Table> {
    let (base, hashes) = PassageBase::of(columns, sizes)
        .ok_or_else(|| IndexError::damaged(path(dir, checkpoint), "its parts do not fit"))?;
    // In most journals every passage has its row, so the hashes are not needed.
    Ok(Table { sizes, base, hashes: hashes.to_vec(), changes: None })
}

pub(super) fn path(dir: &Path, checkpoint: u64) -> PathBuf {
    checkpoint::path(dir, STORE, checkpoint)
}

/// Writes a complete table durably.
pub(super) fn write_whole(dir: &Path, checkpoint: u64, sizes: Sizes, columns: &[u8]) -> Result<()> {
    write(dir, checkpoint, &Head::Whole(checkpoint, sizes), columns)
}

/// Writes the changes since a complete table durably.
pub(super) fn write_changes(dir: &Path, checkpoint: u64, changes: Changes) -> Result<()> {
    write(dir, checkpoint, &Head::Changes(checkpoint, changes), &[])
}

fn write(dir: &Path, checkpoint: u64, head: &Head, columns: &[u8]) -> Result<()> {
    let head = postcard::to_stdvec(head).map_err(|error| IndexError::Vector(error.to_string()))?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(&head);
    crc.update(columns);
    let mut bytes = Vec::with_capacity(head.len() + columns.len() + 16);
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(crc.finalize().to_le_bytes());
    bytes.extend(head);
    bytes.extend(columns);
    files::create_dir(dir).map_err(vault)?;
    files::replace(&path(dir, checkpoint), &bytes).map_err(vault)
}

/// The content of a file behind its header, verified.
fn content(dir: &Path, checkpoint: u64) -> Result<Option<Vec<u8>>> {
    const BEGIN: usize = 8 + 4 + 4;
    let path = path(dir, checkpoint);
    let bytes = files::if_there(std::fs::read(&path)).map_err(IndexError::io("read", &path))?;
    let Some(mut bytes) = bytes else { return Ok(None) };
    let damaged = |reason: &str| IndexError::damaged(&path, reason);
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("it does not begin as a passage table"))?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(|| damaged("it is cut off"))?;
    let (sum, content) = rest.split_first_chunk().ok_or_else(|| damaged("it is cut off"))?;
    match u32::from_le_bytes(*version) {
        FORMAT => {}
        // Rebuilt without a warning, as after an update of any other part.
        older if older < FORMAT => return Ok(None),
        _ => return Err(damaged("it is of another version")),
    }
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err(damaged("its checksum does not match"));
    }
    bytes.drain(..BEGIN);
    Ok(Some(bytes))
}

fn head<'a>(dir: &Path, checkpoint: u64, content: &'a [u8]) -> Result<(Head, &'a [u8])> {
    let damaged = |reason: &dyn Display| IndexError::damaged(path(dir, checkpoint), reason);
    let (head, columns) = postcard::take_from_bytes(content).map_err(|error| damaged(&error))?;
    match &head {
        Head::Whole(own, _) | Head::Changes(own, _) if *own == checkpoint => Ok((head, columns)),
        _ => Err(damaged(&"it is of another checkpoint")),
    }
}

/// The checkpoints that have a file, newest first.
pub(super) fn checkpoints(dir: &Path) -> Vec<u64> {
    let mut found = checkpoint::present(dir, STORE);
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}
