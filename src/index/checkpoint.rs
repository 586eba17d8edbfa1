//! Files of one checkpoint: `<store>-<checkpoint>`, written atomically, verified before use.
//!
//! Layout: 8 bytes magic, u32 format, u64 length, u32 CRC-32 of the payload (all little-endian), then the payload
//! (postcard). A file that fails any check is damaged: its store is rebuilt from the vault.

use std::{
    fs::File,
    hash::{BuildHasher, RandomState},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{IndexError, Result, format::FORMAT};
use crate::journal::files;

const MAGIC: &[u8; 8] = b"kiokugen";
pub const HEADER: usize = 8 + 4 + 8 + 4;
/// The low bits of a checkpoint are random.
const RANDOM_BITS: u32 = 24;

/// The checkpoint after `previous`: higher, and with random low bits. Files of two machines, or of two histories after
/// a backup was restored, therefore have different names, and a sync tool that mixes them leaves files that are missing
/// instead of files that are taken for another's.
pub fn after(previous: u64) -> u64 {
    ((previous >> RANDOM_BITS) + 1) << RANDOM_BITS | random(previous) >> (u64::BITS - RANDOM_BITS)
}

/// A random number.
pub fn random(seed: u64) -> u64 {
    RandomState::new().hash_one(seed)
}

/// With at most this many entries, a checkpoint takes no longer than reading a few changes again.
const SMALL: usize = 20_000;
/// Changes of so many entries are saved at once: reading them again takes longer than the rest of a command.
const MANY: usize = 64;
/// In a large journal, a checkpoint takes as long as some ten commands that read the changes again.
const ONE_IN: u64 = 16;

/// Whether a process that exits saves changes that an earlier one committed: a large journal is saved by one command
/// in sixteen, chosen by `random`, since each of them would else wait for it. Until then every start reads the changed
/// entries again.
pub fn is_due_on_exit(entries: usize, unsaved: usize, random: u64) -> bool {
    entries <= SMALL || unsaved >= MANY || random.is_multiple_of(ONE_IN)
}

/// Path of the file of `store` for `checkpoint`.
pub fn path(dir: &Path, store: &str, checkpoint: u64) -> PathBuf {
    dir.join(format!("{store}-{checkpoint}"))
}

/// Writes a store's state durably. Raise [`FORMAT`] when the shape of `state` changes.
pub fn write<T: Serialize>(dir: &Path, store: &str, checkpoint: u64, state: &T) -> Result<()> {
    let damaged = |error| IndexError::damaged(path(dir, store, checkpoint), error);
    let bytes = postcard::to_extend(state, vec![0; HEADER]).map_err(damaged)?;
    write_bytes(dir, store, checkpoint, bytes)
}

/// Writes an unchanged state, as [`payload`] read it.
pub fn write_payload(dir: &Path, store: &str, checkpoint: u64, payload: &[u8]) -> Result<()> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend_from_slice(&[0; HEADER]);
    bytes.extend_from_slice(payload);
    write_bytes(dir, store, checkpoint, bytes)
}

/// Writes a payload that follows space for the header, [`HEADER`] bytes.
pub fn write_bytes(dir: &Path, store: &str, checkpoint: u64, mut bytes: Vec<u8>) -> Result<()> {
    let (header, payload) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    header[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header[20..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    Ok(files::replace(&path(dir, store, checkpoint), &bytes)?)
}

/// The verified bytes of a store's state, for [`part`]; `Damaged` where the file is missing, truncated, corrupt or of
/// another format.
pub fn payload(dir: &Path, store: &str, checkpoint: u64) -> Result<Vec<u8>> {
    let path = path(dir, store, checkpoint);
    let file = File::open(&path).map_err(|error| IndexError::damaged(&path, error))?;
    payload_of(&file, &path)
}

/// Like [`payload`], from an open file: its content is available even after the file was deleted.
pub fn payload_of(file: &File, path: &Path) -> Result<Vec<u8>> {
    let damaged = |reason: &str| IndexError::damaged(path, reason);
    let failed = |error: std::io::Error| IndexError::damaged(path, error);
    let mut file = file;
    let (mut header, mut payload) = (Vec::with_capacity(HEADER), Vec::new());
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(failed)?;
    if header.len() < HEADER {
        return Err(damaged("it is truncated"));
    }
    let Some((format, length, sum)) = fields(&header) else { return Err(damaged("it is not a file of this index")) };
    if format != FORMAT {
        return Err(damaged("it was written by another version"));
    }
    file.read_to_end(&mut payload).map_err(failed)?;
    if length != payload.len() as u64 || sum != crc32fast::hash(&payload) {
        return Err(damaged("its checksum does not match"));
    }
    Ok(payload)
}

/// The payload of an open file part by part, in the layout of memory: none of it is in memory twice.
pub struct Parts<'a> {
    file: &'a File,
    /// Number of bytes that were not read.
    left: usize,
    expected: u32,
    checksum: crc32fast::Hasher,
}

impl<'a> Parts<'a> {
    /// `None` where the file is not of this format, or not of this length.
    pub fn of(file: &'a File) -> Option<Self> {
        let (mut reader, mut header) = (file, [0; HEADER]);
        reader.seek(SeekFrom::Start(0)).and_then(|_| reader.read_exact(&mut header)).ok()?;
        let (format, length, expected) = fields(&header)?;
        let fits = file.metadata().ok()?.len() == length.checked_add(HEADER as u64)?;
        // The numbers are little-endian.
        let known = format == FORMAT && cfg!(target_endian = "little");
        let checksum = crc32fast::Hasher::new();
        (fits && known).then_some(Self { file, left: length as usize, expected, checksum })
    }

    /// The next `count` items; `None` where the file has fewer.
    pub fn next<T: bytemuck::Pod>(&mut self, count: usize) -> Option<Vec<T>> {
        self.left = self.left.checked_sub(count.checked_mul(size_of::<T>())?)?;
        let mut items = vec![T::zeroed(); count];
        let bytes = bytemuck::cast_slice_mut(&mut items);
        self.file.read_exact(bytes).ok()?;
        self.checksum.update(bytes);
        Some(items)
    }

    /// Whether everything was read, and the checksum matches. Until then the items may be damaged.
    pub fn is_sound(&self) -> bool {
        self.left == 0 && self.checksum.clone().finalize() == self.expected
    }
}

/// Whether the file of a store is intact and of an older format; such a store is rebuilt without a warning.
pub fn is_older(dir: &Path, store: &str, checkpoint: u64) -> bool {
    let mut header = [0; HEADER];
    let read = File::open(path(dir, store, checkpoint)).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && fields(&header).is_some_and(|(format, ..)| format < FORMAT)
}

/// Decodes the first part of a state that was written as a tuple; returns it with the remaining bytes. Parts may
/// borrow from the bytes.
pub fn part<'bytes, T: Deserialize<'bytes>>(bytes: &'bytes [u8]) -> Result<(T, &'bytes [u8]), String> {
    postcard::take_from_bytes(bytes).map_err(|error| error.to_string())
}

/// Deletes the files of all other checkpoints of `store`. Errors are ignored: a leftover file only takes disk space.
pub fn tidy(dir: &Path, store: &str, keep: u64) {
    for other in present(dir, store).into_iter().filter(|other| *other != keep) {
        let _ = files::remove(&path(dir, store, other));
    }
}

/// The checkpoints that have a file of `store`.
pub fn present(dir: &Path, store: &str) -> Vec<u64> {
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|file| file.file_name());
    let number = |name: &str| name.strip_prefix(store)?.strip_prefix('-')?.parse().ok();
    names.filter_map(|name| number(name.to_str()?)).collect()
}

/// Format, length and checksum in a header; `None` where it is not of a file of this index.
fn fields(header: &[u8]) -> Option<(u32, u64, u32)> {
    let (format, rest) = header.strip_prefix(MAGIC)?.split_first_chunk()?;
    let (length, sum) = rest.split_first_chunk()?;
    let sum = sum.first_chunk()?;
    Some((u32::from_le_bytes(*format), u64::from_le_bytes(*length), u32::from_le_bytes(*sum)))
}

/// Reads `count` numbers from the front of `rest`.
pub(super) fn column<const BYTES: usize, T>(
    rest: &mut &[u8],
    count: usize,
    number: impl Fn([u8; BYTES]) -> T,
) -> Option<Vec<T>> {
    let (bytes, more) = rest.split_at_checked(count.checked_mul(BYTES)?)?;
    *rest = more;
    Some(bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect())
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    fn read<T: DeserializeOwned>(dir: &Path, store: &str, checkpoint: u64) -> Result<T> {
        Ok(part(&payload(dir, store, checkpoint)?).unwrap().0)
    }

    /// Writes a file of another format.
    fn write_in(format: u32, dir: &Path, store: &str, checkpoint: u64) {
        write(dir, store, checkpoint, &1u32).unwrap();
        let path = path(dir, store, checkpoint);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8..12].copy_from_slice(&format.to_le_bytes());
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_flipped_or_missing_byte_is_damage_never_a_wrong_state() {
        let dir = tempfile::tempdir().unwrap();
        let state: Vec<u32> = (0..100).collect();
        write(dir.path(), "numbers", 7, &state).unwrap();
        assert_eq!(read::<Vec<u32>>(dir.path(), "numbers", 7).unwrap(), state);

        let file = path(dir.path(), "numbers", 7);
        let whole = std::fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            std::fs::write(&file, &flipped).unwrap();
            assert!(read::<Vec<u32>>(dir.path(), "numbers", 7).is_err(), "flip at {at}");
            std::fs::write(&file, &whole[..at]).unwrap();
            assert!(read::<Vec<u32>>(dir.path(), "numbers", 7).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn another_format_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        write_in(FORMAT, dir.path(), "numbers", 7);
        assert!(read::<u32>(dir.path(), "numbers", 7).is_ok());
        for format in [FORMAT - 1, FORMAT + 1] {
            write_in(format, dir.path(), "numbers", 7);
            assert!(read::<u32>(dir.path(), "numbers", 7).is_err());
        }
    }

    #[test]
    fn an_older_format_is_told_from_damage() {
        let dir = tempfile::tempdir().unwrap();
        let older = |format| {
            write_in(format, dir.path(), "numbers", 7);
            is_older(dir.path(), "numbers", 7)
        };
        assert!(older(FORMAT - 1) && !older(FORMAT) && !older(FORMAT + 1) && !is_older(dir.path(), "numbers", 8));
        std::fs::write(path(dir.path(), "numbers", 7), [0; 40]).unwrap();
        assert!(!is_older(dir.path(), "numbers", 7));
    }

    #[test]
    fn a_large_journal_with_few_changes_is_saved_by_one_command_in_many() {
        let saves = |entries, unsaved| (0..160).filter(|random| is_due_on_exit(entries, unsaved, *random)).count();
        assert_eq!((saves(1_000, 1), saves(20_000, 1)), (160, 160));
        assert_eq!((saves(100_000, 1), saves(1_000_000, 63)), (10, 10));
        assert_eq!(saves(100_000, 64), 160);
    }

    #[test]
    fn tidy_keeps_the_named_checkpoint_and_other_stores() {
        let dir = tempfile::tempdir().unwrap();
        for checkpoint in 1..4 {
            write(dir.path(), "numbers", checkpoint, &1u32).unwrap();
        }
        write(dir.path(), "letters", 1, &1u32).unwrap();
        tidy(dir.path(), "numbers", 3);
        assert!(!path(dir.path(), "numbers", 1).exists() && !path(dir.path(), "numbers", 2).exists());
        assert!(path(dir.path(), "numbers", 3).exists() && path(dir.path(), "letters", 1).exists());
    }
}
