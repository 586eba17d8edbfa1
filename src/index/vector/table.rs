//! The passage table of one generation on disk: which entries in which state have which passages.
//!
//! A table is written whole, or as the changes since a whole one, so that a save in a large journal writes little.
//! `magic, version, CRC-32 of the rest, postcard`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::log::vault;
use crate::{
    index::{EntryKey, IndexError, passage::Passage},
    journal::files,
};

const MAGIC: &[u8; 8] = b"KIOKUPAS";
const VERSION: u32 = 2;
const PREFIX: &str = "passages-";

/// One entry's line in the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Told {
    pub key: EntryKey,
    pub fingerprint: u64,
    /// Each with its row in the vector file, which may have become another one since.
    pub passages: Vec<(Passage, Option<u32>)>,
}

/// What a table file holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Table {
    pub generation: u64,
    /// The whole table that this one changes; `None` where this is whole.
    pub base: Option<u64>,
    pub removed: Vec<EntryKey>,
    /// In the order they were told.
    pub told: Vec<Told>,
}

pub(super) fn path(dir: &Path, generation: u64) -> PathBuf {
    dir.join(format!("{PREFIX}{generation}"))
}

impl Table {
    pub fn write(&self, dir: &Path) -> Result<(), IndexError> {
        let content = postcard::to_stdvec(self).map_err(|error| IndexError::Vector(error.to_string()))?;
        let mut bytes = Vec::with_capacity(content.len() + 16);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&content).to_le_bytes());
        bytes.extend(content);
        files::create_dir(dir).map_err(vault)?;
        files::replace(&path(dir, self.generation), &bytes).map_err(vault)
    }

    /// `Ok(None)` where there is no such file.
    pub fn read(dir: &Path, generation: u64) -> Result<Option<Self>, IndexError> {
        let path = path(dir, generation);
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|source| IndexError::Io { operation: "read", path: path.clone(), source })?,
        };
        let damaged = |reason: &str| IndexError::Damaged { path: path.clone(), reason: reason.into() };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("it does not begin as a passage table"))?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(|| damaged("it is cut off"))?;
        let (sum, content) = rest.split_first_chunk().ok_or_else(|| damaged("it is cut off"))?;
        if u32::from_le_bytes(*version) != VERSION {
            return Err(damaged("it is of another version"));
        }
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(damaged("its checksum does not match"));
        }
        let table: Self = postcard::from_bytes(content).map_err(|error| damaged(&error.to_string()))?;
        if table.generation != generation {
            return Err(damaged("it is of another generation"));
        }
        Ok(Some(table))
    }

    /// Reads a table and the one it changes, as one whole table and the generation that holds the whole.
    pub fn read_whole(dir: &Path, generation: u64) -> Result<Option<(Self, u64)>, IndexError> {
        let Some(table) = Self::read(dir, generation)? else { return Ok(None) };
        let Some(base) = table.base else { return Ok(Some((table, generation))) };
        let missing =
            || IndexError::Damaged { path: path(dir, base), reason: "it is missing or incomplete".to_owned() };
        let mut whole = Self::read(dir, base)?.filter(|whole| whole.base.is_none()).ok_or_else(missing)?;
        let changed: std::collections::HashSet<EntryKey> =
            table.removed.iter().copied().chain(table.told.iter().map(|told| told.key)).collect();
        whole.told.retain(|told| !changed.contains(&told.key));
        whole.told.extend(table.told);
        Ok(Some((Self { generation, ..whole }, base)))
    }
}

/// The generations that have a file, newest first.
pub(super) fn generations(dir: &Path) -> Vec<u64> {
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|file| file.file_name());
    let mut found: Vec<u64> = names.filter_map(|name| name.to_str()?.strip_prefix(PREFIX)?.parse().ok()).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}
