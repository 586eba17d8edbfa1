//! The vector file: every vector ever embedded with one model, appended and never changed. It is the cache by which
//! no text is embedded twice, and the source of the exact scan and the HNSW graph.
//!
//! ```text
//! header   magic "KIOKUVEC", version u32, dimension u32, SHA-256 of the model's checksum, number of the fine file u32,
//!          8 zero bytes, CRC-32 of all that
//! record   passage hash 16, scale f32, error f32, upper plane dimension x i8, CRC-32 of the record started with the header's
//! ```
//!
//! Numbers are little-endian. Records have one length, so damage to one leaves the others readable; each one's
//! checksum starts from the header's (with 0 for the fine file), so a record verifies only for its own model,
//! dimension and version.
//!
//! The lower planes are in the same order in `fine-N.bin` (see `fine`), which is written first: every record in this
//! file has both. When they are rewritten, both get a new number, and this file, replaced last, decides which one is
//! valid.

use std::{
    collections::HashMap,
    fs::File,
    hash::BuildHasherDefault,
    io::Read,
    path::{Path, PathBuf},
    sync::{OnceLock, atomic::AtomicBool},
};

use super::{
    fine::{self, FineFile},
    header::{HEADER, header},
    rows::{CHUNK, Quantised, Rows, SUM, hash_of},
};
use crate::{
    embed::ModelStamp,
    index::{IndexError, Result, catalog::KeyHasher, passage::PassageHash},
    journal::files,
};

const MAGIC: &[u8; 8] = b"KIOKUVEC";
const VERSION: u32 = 2;
/// The version before the planes were separate files: such a file is replaced by a new one, embedded from the text.
const OUTDATED: u32 = 1;

/// Hashes need no further hashing.
type ByHash = HashMap<PassageHash, u32, BuildHasherDefault<KeyHasher>>;

/// The file of one model, with its rows in memory.
pub(super) struct VectorLog {
    path: PathBuf,
    /// With 0 for the number of the fine file.
    header: [u8; HEADER],
    pub rows: Rows,
    /// Made at first use: a process that only searches knows the rows from the table.
    by_hash: OnceLock<ByHash>,
    /// The number of the fine file.
    fine: u32,
    /// The lengths of both files where they have exactly `rows`; `None` where they must be rewritten before the next
    /// append.
    sound: Option<Lengths>,
    /// The lengths when it was opened; `None` if there was no file.
    opened: Option<Lengths>,
    /// There is a file of another version or model under this name.
    foreign: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lengths {
    vectors: u64,
    fine: u64,
}

impl VectorLog {
    /// Reads `path` and verifies every record; of the fine file only its length. Writes nothing: another process may
    /// be appending. The second part is a warning about lost vectors.
    pub fn open(path: PathBuf, model: &ModelStamp) -> Result<(Self, Option<String>)> {
        let mut log = Self::empty(path, header(MAGIC, VERSION, model), model.dimension);
        let complaint = log.read()?;
        log.opened = log.lengths();
        Ok((log, complaint))
    }

    fn empty(path: PathBuf, header: [u8; HEADER], dimension: usize) -> Self {
        let (rows, by_hash) = (Rows::new(dimension), OnceLock::new());
        Self { path, header, rows, by_hash, fine: 0, sound: None, opened: None, foreign: false }
    }

    fn fine_len(&self) -> usize {
        self.rows.dimension() + SUM
    }

    fn read(&mut self) -> Result<Option<String>> {
        let fault = IndexError::io("read", &self.path);
        let Some(mut file) = files::if_there(File::open(&self.path)).map_err(&fault)? else { return Ok(None) };
        let mut header = Vec::with_capacity(HEADER);
        file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(&fault)?;
        let number = self.fine_number(&header);
        if number.is_none() && is_whole_header(&header) {
            if version_of(&header) == OUTDATED {
                return Ok(None);
            }
            self.foreign = true;
            return Ok(Some(format!(
                "{} was written by another version of kioku: it is renamed and replaced by a new one",
                self.path.display()
            )));
        }
        // A damaged header loses nothing: the records are verified on their own, and the newest fine file belongs to
        // them.
        self.fine = number.or_else(|| fine_numbers(&self.path).max()).unwrap_or(0);
        let (fine, in_fine) = self.open_fine().map_err(&fault)?;
        let (lost, length, places) = self.read_records(&mut file, in_fine)?;
        if let Some(file) = fine {
            let seed = self.seed();
            self.rows.fine.open(FineFile { file, seed, places, damaged: AtomicBool::new(false) }, self.rows.len());
        }
        let whole = Lengths {
            vectors: (HEADER + self.rows.len() * self.rows.record_len()) as u64,
            fine: (HEADER + self.rows.len() * self.fine_len()) as u64,
        };
        let found = Lengths { vectors: length, fine: in_fine };
        self.sound = (number.is_some() && found == whole && lost == 0).then_some(whole);
        Ok((lost > 0).then(|| {
            format!("{lost} of the vectors in {} were damaged and are made again from the text", self.path.display())
        }))
    }

    /// The number of the fine file in a header; `None` where it is not of this version and model.
    fn fine_number(&self, header: &[u8]) -> Option<u32> {
        let number = u32::from_le_bytes(*header.get(FINE_NUMBER)?.first_chunk()?);
        (*header == self.numbered(number)).then_some(number)
    }

    /// The header of a file with this fine file.
    fn numbered(&self, number: u32) -> [u8; HEADER] {
        let mut header = self.header;
        header[FINE_NUMBER].copy_from_slice(&number.to_le_bytes());
        let sum = crc32fast::hash(&header[..HEADER - 4]);
        header[HEADER - 4..].copy_from_slice(&sum.to_le_bytes());
        header
    }

    fn fine_path(&self, number: u32) -> PathBuf {
        self.path.with_file_name(format!("{FINE}{number}.bin"))
    }

    /// The fine file, if any, and its length.
    fn open_fine(&self) -> std::io::Result<(Option<File>, u64)> {
        let Some(file) = files::if_there(File::open(self.fine_path(self.fine)))? else { return Ok((None, 0)) };
        let length = file.metadata()?.len();
        Ok((Some(file), length))
    }

    /// The number of whole records that were damaged or have no lower plane, the length of the file, and the place of
    /// each row where the rows are not the first records.
    fn read_records(&mut self, file: &mut File, in_fine: u64) -> Result<(usize, u64, Option<Vec<u32>>)> {
        let fault = IndexError::io("read", &self.path);
        let size = self.rows.record_len();
        let fine = (in_fine.saturating_sub(HEADER as u64) / self.fine_len() as u64) as usize;
        let mut to_come = file.metadata().map_err(&fault)?.len().saturating_sub(HEADER as u64) as usize;
        let (mut lost, mut length, mut record) = (0, HEADER as u64, 0);
        let mut places: Option<Vec<u32>> = None;
        let seed = self.seed();
        loop {
            let wanted = CHUNK * size;
            let mut block = Vec::with_capacity(wanted.min(to_come));
            file.by_ref().take(wanted as u64).read_to_end(&mut block).map_err(&fault)?;
            let read = block.len();
            length += read as u64;
            to_come = to_come.saturating_sub(read).max(1);
            // A partial record at the end is a crashed append; its passages are without vectors.
            block.truncate(read / size * size);
            let sound = |(at, bytes): (usize, &[u8])| record + at < fine && is_sound(bytes, seed.clone());
            if places.is_none() && block.chunks_exact(size).enumerate().all(sound) {
                record += block.len() / size;
                if !block.is_empty() {
                    self.rows.take_all(block);
                }
            } else {
                let places = places.get_or_insert_with(|| (0..self.rows.len() as u32).collect());
                for bytes in block.chunks_exact(size) {
                    if record < fine && is_sound(bytes, seed.clone()) {
                        self.rows.take(bytes);
                        places.push(record as u32);
                    } else {
                        lost += 1;
                    }
                    record += 1;
                }
            }
            if read < wanted {
                return Ok((lost, length, places));
            }
        }
    }

    /// The record of a vector, and that of its lower plane.
    fn encode(&self, hash: PassageHash, row: &Quantised) -> Encoded {
        let (upper, lower, error) = row.planes();
        let mut record = Vec::with_capacity(self.rows.record_len());
        record.extend(hash.0);
        record.extend(row.scale.to_le_bytes());
        record.extend(error.to_le_bytes());
        record.extend::<&[u8]>(bytemuck::cast_slice(&upper));
        let mut crc = self.seed();
        crc.update(&record);
        record.extend(crc.finalize().to_le_bytes());
        Encoded { record, lower }
    }

    fn extend_fine(&self, out: &mut Vec<u8>, hash: PassageHash, lower: &[i8], sound: bool) {
        let lower: &[u8] = bytemuck::cast_slice(lower);
        // A damaged plane keeps a wrong checksum.
        let sum = fine::checksum(&self.seed(), hash, lower) ^ u32::from(!sound);
        out.extend(lower);
        out.extend(sum.to_le_bytes());
    }

    /// Initial state of every record's checksum.
    fn seed(&self) -> crc32fast::Hasher {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.header);
        crc
    }

    /// Checksum over the passages of the first `rows` rows in their order; `None` where there are fewer.
    pub fn digest(&self, rows: usize) -> Option<u32> {
        let mut crc = crc32fast::Hasher::new();
        self.rows.hashes().take(rows).for_each(|hash| crc.update(&hash.0));
        (rows <= self.rows.len()).then(|| crc.finalize())
    }

    /// The row of a passage.
    pub fn row(&self, hash: PassageHash) -> Option<u32> {
        self.by_hash().get(&hash).copied()
    }

    fn by_hash(&self) -> &ByHash {
        self.by_hash.get_or_init(|| {
            let mut rows = ByHash::with_capacity_and_hasher(self.rows.len(), BuildHasherDefault::default());
            // Should a text have two rows, the first one is used.
            for (row, hash) in (0u32..).zip(self.rows.hashes()) {
                rows.entry(hash).or_insert(row);
            }
            rows
        })
    }

    /// `None` where the passage has a row already.
    fn push(&mut self, Encoded { record, lower }: &Encoded) -> Option<(PassageHash, u32)> {
        let (at, hash) = (self.rows.len() as u32, hash_of(record));
        if self.by_hash().contains_key(&hash) {
            return None;
        }
        self.by_hash.get_mut()?.insert(hash, at);
        self.rows.push(record, lower);
        Some((hash, at))
    }

    /// Appends new vectors durably, and returns their rows. On an error nothing is added.
    pub fn append(&mut self, vectors: &[(PassageHash, Vec<f32>)]) -> Result<Vec<(PassageHash, u32)>> {
        let mut new: Vec<Encoded> = Vec::new();
        let mut batch = std::collections::HashSet::new();
        for (hash, vector) in vectors {
            if self.row(*hash).is_none() && batch.insert(*hash) {
                new.push(self.encode(*hash, &Quantised::of(vector)));
            }
        }
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let Some(lengths) = self.sound_lengths() else {
            return self.rewrite_with(&new);
        };
        let (mut records, mut fine) = (Vec::new(), Vec::new());
        for Encoded { record, lower } in &new {
            records.extend(record);
            self.extend_fine(&mut fine, hash_of(record), lower, true);
        }
        // An error from here on may leave a partial record in a file.
        self.sound = None;
        files::append(&self.fine_path(self.fine), &fine).map_err(vault)?;
        files::append(&self.path, &records).map_err(vault)?;
        let (vectors, fine) = (lengths.vectors + records.len() as u64, lengths.fine + fine.len() as u64);
        self.sound = Some(Lengths { vectors, fine });
        Ok(self.push_all(&new))
    }

    fn push_all(&mut self, new: &[Encoded]) -> Vec<(PassageHash, u32)> {
        new.iter().filter_map(|new| self.push(new)).collect()
    }

    /// Whether the files still have the lengths of the last read or write here.
    pub fn is_as_opened(&self) -> bool {
        self.lengths() == self.sound.or(self.opened)
    }

    /// The lengths to append at, if the files are unchanged since this process last used them.
    fn sound_lengths(&self) -> Option<Lengths> {
        let found = self.lengths()?;
        self.sound.filter(|sound| *sound == found)
    }

    fn lengths(&self) -> Option<Lengths> {
        let length = |path: &Path| Some(std::fs::metadata(path).ok()?.len());
        Some(Lengths { vectors: length(&self.path)?, fine: length(&self.fine_path(self.fine))? })
    }

    fn rewrite_with(&mut self, new: &[Encoded]) -> Result<Vec<(PassageHash, u32)>> {
        self.make_way()?;
        let number = fine_numbers(&self.path).max().unwrap_or(0).max(self.fine).wrapping_add(1);
        let count = self.rows.len() + new.len();
        let mut records = Vec::with_capacity(HEADER + count * self.rows.record_len());
        let mut fine = Vec::with_capacity(HEADER + count * self.fine_len());
        records.extend(self.numbered(number));
        fine.extend(self.numbered(number));
        let mut lower = Vec::new();
        for row in 0..self.rows.len() as u32 {
            let hash = self.rows.hash(row);
            let sound = self.rows.fine.read(row, hash, &mut lower);
            records.extend(self.rows.record(row));
            self.extend_fine(&mut fine, hash, &lower, sound);
        }
        for Encoded { record, lower } in new {
            records.extend(record);
            self.extend_fine(&mut fine, hash_of(record), lower, true);
        }
        self.sound = None;
        files::replace(&self.fine_path(number), &fine).map_err(vault)?;
        files::replace(&self.path, &records).map_err(vault)?;
        self.fine = number;
        self.sound = Some(Lengths { vectors: records.len() as u64, fine: fine.len() as u64 });
        for other in fine_numbers(&self.path).filter(|other| *other != number) {
            // The next rewrite tries again to remove a file that cannot be removed now.
            let _ = files::remove(&self.fine_path(other));
        }
        Ok(self.push_all(new))
    }

    /// Creates the folder; renames a foreign file.
    fn make_way(&mut self) -> Result<()> {
        if let Some(dir) = self.path.parent() {
            files::create_dir(dir).map_err(vault)?;
        }
        if self.foreign {
            let old = std::fs::read(&self.path).map_err(IndexError::io("read", &self.path))?;
            files::replace(&self.path.with_extension("other"), &old).map_err(vault)?;
            self.foreign = false;
        }
        Ok(())
    }

    /// Keeps only some rows, in memory and in the file, and returns them (old rows, in their new order). Damaged rows
    /// are removed too.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) -> Result<Vec<u32>> {
        let kept: Vec<u32> = (0..self.rows.len() as u32).filter(|row| keep(*row) && self.rows.is_sound(*row)).collect();
        let mut smaller = Self {
            foreign: self.foreign,
            fine: self.fine,
            ..Self::empty(self.path.clone(), self.header, self.rows.dimension())
        };
        let mut lower = Vec::new();
        for row in &kept {
            self.rows.fine.read(*row, self.rows.hash(*row), &mut lower);
            smaller.rows.push(self.rows.record(*row), &lower);
        }
        smaller.rewrite_with(&[])?;
        *self = smaller;
        Ok(kept)
    }
}

/// A vector encoded for memory and file.
struct Encoded {
    record: Vec<u8>,
    lower: Vec<i8>,
}

/// Position of the number of the fine file in the header.
const FINE_NUMBER: std::ops::Range<usize> = 48..52;
const FINE: &str = "fine-";

/// The numbers of the fine files beside a vector file.
fn fine_numbers(vectors: &Path) -> impl Iterator<Item = u32> {
    let listed = vectors.parent().and_then(|dir| std::fs::read_dir(dir).ok()).into_iter().flatten().flatten();
    listed.filter_map(|file| file.file_name().to_str()?.strip_prefix(FINE)?.strip_suffix(".bin")?.parse().ok())
}

/// Whether a record matches its checksum.
fn is_sound(record: &[u8], mut seed: crc32fast::Hasher) -> bool {
    let Some((content, sum)) = record.split_last_chunk::<SUM>() else { return false };
    seed.update(content);
    seed.finalize() == u32::from_le_bytes(*sum)
}

fn is_whole_header(header: &[u8]) -> bool {
    header.len() == HEADER
        && header.starts_with(MAGIC)
        && crc32fast::hash(&header[..HEADER - 4]).to_le_bytes() == header[HEADER - 4..]
}

fn version_of(header: &[u8]) -> u32 {
    header.get(8..12).and_then(<[u8]>::first_chunk).map_or(0, |version| u32::from_le_bytes(*version))
}

pub(super) fn vault(error: crate::journal::VaultError) -> IndexError {
    IndexError::Vector(error.to_string())
}
