//! The vector file: every vector ever embedded with one model, appended and never changed. It is the cache that makes
//! sure no text is embedded twice, and the truth that scan and HNSW graph are made from.
//!
//! ```text
//! header   magic "KIOKUVEC", version u32, dimension u32, SHA-256 of the model's checksum, 12 zero bytes, CRC-32 of all that
//! record   passage hash 16, scale f32, dimension x i16, CRC-32 of the record started with the header's
//! ```
//!
//! Numbers are little-endian. Records have one length, so damage to one leaves the others readable; each one's checksum
//! starts from the header's, so a record verifies only for its own model, dimension and version.

use std::{
    collections::HashMap,
    fs::File,
    hash::BuildHasherDefault,
    io::{ErrorKind, Read},
    path::PathBuf,
    sync::OnceLock,
};

use super::{
    header::{HEADER, header},
    rows::{Quantised, Rows},
};
use crate::{
    embed::ModelStamp,
    index::{IndexError, catalog::KeyHasher, passage::PassageHash},
    journal::files,
};

const MAGIC: &[u8; 8] = b"KIOKUVEC";
const VERSION: u32 = 1;
const HASH: usize = 16;

/// Hashes need no further hashing.
type ByHash = HashMap<PassageHash, u32, BuildHasherDefault<KeyHasher>>;

/// The file of one model, with the rows it holds in memory.
pub(super) struct VectorLog {
    path: PathBuf,
    header: [u8; HEADER],
    pub rows: Rows,
    /// The passage of each row.
    pub hashes: Vec<PassageHash>,
    /// Made when it is first asked for: who only searches knows the rows from the table.
    by_hash: OnceLock<ByHash>,
    /// The file's length where it holds exactly `rows`; `None` where it must be written anew before the next append.
    sound: Option<u64>,
    /// A file of another version or model that stands in the way.
    foreign: bool,
}

impl VectorLog {
    /// Reads `path` and verifies every record. Writes nothing: another process may be appending. The second part says
    /// in words what was lost.
    pub fn open(path: PathBuf, model: &ModelStamp) -> Result<(Self, Option<String>), IndexError> {
        let header = header(MAGIC, VERSION, model);
        let mut log = Self {
            path,
            header,
            rows: Rows::new(model.dimension),
            hashes: Vec::new(),
            by_hash: OnceLock::new(),
            sound: None,
            foreign: false,
        };
        let complaint = log.read()?;
        Ok((log, complaint))
    }

    fn fault(&self, operation: &'static str) -> impl Fn(std::io::Error) -> IndexError + use<> {
        let path = self.path.clone();
        move |source| IndexError::Io { operation, path: path.clone(), source }
    }

    fn record_len(&self) -> usize {
        HASH + 4 + 2 * self.rows.dimension() + 4
    }

    fn read(&mut self) -> Result<Option<String>, IndexError> {
        let fault = self.fault("read");
        let mut file = match File::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(&fault)?,
        };
        let mut header = Vec::with_capacity(HEADER);
        file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(&fault)?;
        if header != self.header && is_whole_header(&header) {
            self.foreign = true;
            return Ok(Some(format!(
                "{} was written by another version of kioku: it is set aside and made anew",
                self.path.display()
            )));
        }
        // A damaged header is no loss: the records verify by themselves.
        let (lost, length) = self.read_records(&mut file)?;
        let whole = (HEADER + self.rows.len() * self.record_len()) as u64;
        self.sound = (header == self.header && length == whole && lost == 0).then_some(length);
        Ok((lost > 0).then(|| {
            format!("{lost} of the vectors in {} were damaged and are made again from the text", self.path.display())
        }))
    }

    /// How many whole records were damaged, and the length of the file.
    fn read_records(&mut self, file: &mut File) -> Result<(usize, u64), IndexError> {
        let fault = self.fault("read");
        let size = self.record_len();
        let whole = (1usize << 20).next_multiple_of(size);
        let mut block = Vec::with_capacity(whole);
        let (mut lost, mut length) = (0, HEADER as u64);
        let mut to_come = file.metadata().map_err(&fault)?.len().saturating_sub(length) as usize / size;
        self.hashes.reserve(to_come);
        let seed = self.seed();
        loop {
            block.clear();
            file.by_ref().take(whole as u64).read_to_end(&mut block).map_err(&fault)?;
            length += block.len() as u64;
            for record in block.chunks_exact(size) {
                match parse(record, seed.clone()) {
                    Some((hash, scale, values)) => {
                        self.rows.push_bytes(scale, values, to_come);
                        self.hashes.push(hash);
                    }
                    None => lost += 1,
                }
                to_come = to_come.saturating_sub(1).max(1);
            }
            // Less than a record at the end is what a crash leaves of an append; its passages are simply without vectors.
            if block.len() < whole {
                return Ok((lost, length));
            }
        }
    }

    fn encode(&self, hash: PassageHash, row: &Quantised, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend(hash.0);
        out.extend(row.scale.to_le_bytes());
        row.values.iter().for_each(|value| out.extend(value.to_le_bytes()));
        out.extend(self.checksum(&out[start..]).to_le_bytes());
    }

    fn checksum(&self, content: &[u8]) -> u32 {
        let mut crc = self.seed();
        crc.update(content);
        crc.finalize()
    }

    /// Where the checksum of every record begins.
    fn seed(&self) -> crc32fast::Hasher {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.header);
        crc
    }

    /// The row of a passage.
    pub fn row(&self, hash: PassageHash) -> Option<u32> {
        self.by_hash().get(&hash).copied()
    }

    /// The same, by where it was when last looked at.
    pub fn row_near(&self, hash: PassageHash, known: Option<u32>) -> Option<u32> {
        let holds = |row: &u32| self.hashes.get(*row as usize) == Some(&hash);
        known.filter(holds).or_else(|| self.row(hash))
    }

    fn by_hash(&self) -> &ByHash {
        self.by_hash.get_or_init(|| {
            let mut rows = ByHash::with_capacity_and_hasher(self.hashes.len(), BuildHasherDefault::default());
            // Should a text have two rows, the first stands for it.
            for (row, hash) in self.hashes.iter().enumerate() {
                rows.entry(*hash).or_insert(row as u32);
            }
            rows
        })
    }

    /// `None` where the passage has a row already.
    fn push(&mut self, hash: PassageHash, row: &Quantised) -> Option<u32> {
        let at = self.rows.len() as u32;
        if self.by_hash().contains_key(&hash) {
            return None;
        }
        self.by_hash.get_mut()?.insert(hash, at);
        self.rows.push(row);
        self.hashes.push(hash);
        Some(at)
    }

    /// Adds vectors that the file does not hold yet, durably, and gives their rows. On an error nothing is added.
    pub fn append(&mut self, vectors: &[(PassageHash, Vec<f32>)]) -> Result<Vec<(PassageHash, u32)>, IndexError> {
        let mut new: Vec<(PassageHash, Quantised)> = Vec::new();
        let mut bytes = Vec::new();
        let mut batch = std::collections::HashSet::new();
        for (hash, vector) in vectors {
            if self.row(*hash).is_none() && batch.insert(*hash) {
                let row = Quantised::of(vector);
                self.encode(*hash, &row, &mut bytes);
                new.push((*hash, row));
            }
        }
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let Some(length) = self.sound_length() else {
            return self.rewrite_with(&new);
        };
        // Whatever fails from here on may leave a part of a record behind.
        self.sound = None;
        files::append(&self.path, &bytes).map_err(vault)?;
        self.sound = Some(length + bytes.len() as u64);
        Ok(self.push_all(&new))
    }

    fn push_all(&mut self, new: &[(PassageHash, Quantised)]) -> Vec<(PassageHash, u32)> {
        new.iter().filter_map(|(hash, row)| Some((*hash, self.push(*hash, row)?))).collect()
    }

    /// Whether the file is as long as when it was read or last written here.
    pub fn is_as_opened(&self) -> bool {
        self.sound.is_none() || self.sound_length().is_some()
    }

    /// The length to append at, if the file is as this process left it.
    fn sound_length(&self) -> Option<u64> {
        let length = self.sound?;
        (std::fs::metadata(&self.path).ok()?.len() == length).then_some(length)
    }

    fn rewrite_with(&mut self, new: &[(PassageHash, Quantised)]) -> Result<Vec<(PassageHash, u32)>, IndexError> {
        self.make_way()?;
        let mut bytes = Vec::with_capacity(HEADER + (self.rows.len() + new.len()) * self.record_len());
        bytes.extend(self.header);
        for (row, hash) in self.hashes.iter().enumerate() {
            self.encode(*hash, &self.rows.quantised(row as u32), &mut bytes);
        }
        new.iter().for_each(|(hash, row)| self.encode(*hash, row, &mut bytes));
        files::replace(&self.path, &bytes).map_err(vault)?;
        self.sound = Some(bytes.len() as u64);
        Ok(self.push_all(new))
    }

    /// Creates the folder; keeps a file that is not ours under another name.
    fn make_way(&mut self) -> Result<(), IndexError> {
        if let Some(dir) = self.path.parent() {
            files::create_dir(dir).map_err(vault)?;
        }
        if self.foreign {
            let old = std::fs::read(&self.path).map_err(self.fault("read"))?;
            files::replace(&self.path.with_extension("other"), &old).map_err(vault)?;
            self.foreign = false;
        }
        Ok(())
    }

    /// Keeps only some rows, in memory and in the file, and says which (old rows, in their new order).
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) -> Result<Vec<u32>, IndexError> {
        let kept: Vec<u32> = (0..self.rows.len() as u32).filter(|row| keep(*row)).collect();
        let mut smaller = Self {
            path: self.path.clone(),
            header: self.header,
            rows: Rows::new(self.rows.dimension()),
            hashes: Vec::new(),
            by_hash: OnceLock::new(),
            sound: None,
            foreign: self.foreign,
        };
        for row in &kept {
            smaller.push(self.hashes[*row as usize], &self.rows.quantised(*row));
        }
        smaller.rewrite_with(&[])?;
        *self = smaller;
        Ok(kept)
    }
}

/// The passage, the scale and the numbers of a record that is sound.
fn parse(record: &[u8], mut seed: crc32fast::Hasher) -> Option<(PassageHash, f32, &[u8])> {
    let (content, sum) = record.split_last_chunk::<4>()?;
    seed.update(content);
    if seed.finalize() != u32::from_le_bytes(*sum) {
        return None;
    }
    let (hash, rest) = content.split_first_chunk::<HASH>()?;
    let (scale, values) = rest.split_first_chunk::<4>()?;
    Some((PassageHash(*hash), f32::from_le_bytes(*scale), values))
}

fn is_whole_header(header: &[u8]) -> bool {
    header.len() == HEADER
        && header.starts_with(MAGIC)
        && crc32fast::hash(&header[..HEADER - 4]).to_le_bytes() == header[HEADER - 4..]
}

pub(super) fn vault(error: crate::journal::VaultError) -> IndexError {
    IndexError::Vector(error.to_string())
}
