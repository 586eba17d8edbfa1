//! The lower planes of the vectors: the precision that the int8 mirror leaves out. A search needs those of some
//! hundred rows, so they stay in a file of their own; only those added since it was opened are also in memory.
//!
//! ```text
//! header   as that of its vector file
//! record   dimension x i8, CRC-32 of header, passage hash and these
//! ```

use std::{
    fs::File,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    header::HEADER,
    rows::{CHUNK, SUM},
};
use crate::index::passage::PassageHash;

/// The opened file. If it is replaced, the old content stays readable here.
#[derive(Debug)]
pub(super) struct FineFile {
    pub file: File,
    /// Initial state of every record's checksum.
    pub seed: crc32fast::Hasher,
    /// The place of each row's record; `None` where row and record have the same number.
    pub places: Option<Vec<u32>>,
    /// Whether a record failed verification.
    pub damaged: AtomicBool,
}

/// The lower planes by row; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Fine {
    dimension: usize,
    file: Option<Arc<FineFile>>,
    /// Rows from here on are in `held`.
    in_file: usize,
    held: Vec<Arc<Vec<i8>>>,
}

impl Fine {
    pub fn new(dimension: usize) -> Self {
        Self { dimension, file: None, in_file: 0, held: Vec::new() }
    }

    /// Sets the file that has the first `rows` rows.
    pub fn open(&mut self, file: FineFile, rows: usize) {
        (self.file, self.in_file) = (Some(Arc::new(file)), rows);
    }

    /// Adds the lower plane of the next row.
    pub fn push(&mut self, row: usize, lower: &[i8]) {
        if (row - self.in_file).is_multiple_of(CHUNK) {
            self.held.push(Arc::default());
        }
        if let Some(last) = self.held.last_mut() {
            Arc::make_mut(last).extend_from_slice(lower);
        }
    }

    /// Reads the lower plane of a row, verified with its passage hash. False where it cannot be read or verified:
    /// then it is all zeros, and the row has only the precision of its upper plane.
    pub fn read(&self, row: u32, hash: PassageHash, lower: &mut Vec<i8>) -> bool {
        lower.clear();
        lower.resize(self.dimension, 0);
        if let Some(held) = (row as usize).checked_sub(self.in_file) {
            let start = held % CHUNK * self.dimension;
            let held = self.held.get(held / CHUNK).and_then(|chunk| chunk.get(start..start + self.dimension));
            held.iter().for_each(|held| lower.copy_from_slice(held));
            return held.is_some();
        }
        let Some(file) = &self.file else { return false };
        let sound = file.read(row, hash, lower);
        if !sound {
            file.damaged.store(true, Ordering::Relaxed);
            lower.fill(0);
        }
        sound
    }

    /// Whether a damaged record was read so far.
    pub fn is_damaged(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.damaged.load(Ordering::Relaxed))
    }
}

impl FineFile {
    fn read(&self, row: u32, hash: PassageHash, lower: &mut [i8]) -> bool {
        let place = self.places.as_ref().map_or(Some(&row), |places| places.get(row as usize));
        let Some(place) = place else { return false };
        let start = HEADER as u64 + u64::from(*place) * (lower.len() + SUM) as u64;
        let mut sum = [0; SUM];
        let bytes = bytemuck::cast_slice_mut(lower);
        if read_at(&self.file, bytes, start, &mut sum).is_err() {
            return false;
        }
        checksum(&self.seed, hash, bytes) == u32::from_le_bytes(sum)
    }
}

/// The checksum of a record.
pub(super) fn checksum(seed: &crc32fast::Hasher, hash: PassageHash, lower: &[u8]) -> u32 {
    let mut crc = seed.clone();
    crc.update(&hash.0);
    crc.update(lower);
    crc.finalize()
}

/// Reads one record: its plane and its checksum.
#[cfg(unix)]
fn read_at(file: &File, plane: &mut [u8], start: u64, sum: &mut [u8; SUM]) -> std::io::Result<()> {
    use std::os::unix::fs::FileExt;
    const SHORT: usize = 1024;
    let whole = plane.len() + SUM;
    if whole > SHORT {
        file.read_exact_at(plane, start)?;
        return file.read_exact_at(sum, start + plane.len() as u64);
    }
    let mut record = [0; SHORT];
    file.read_exact_at(&mut record[..whole], start)?;
    plane.copy_from_slice(&record[..plane.len()]);
    sum.copy_from_slice(&record[plane.len()..whole]);
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, plane: &mut [u8], start: u64, sum: &mut [u8; SUM]) -> std::io::Result<()> {
    use std::os::windows::fs::FileExt;
    let fill = |mut bytes: &mut [u8], mut start: u64| {
        while !bytes.is_empty() {
            let read = file.seek_read(bytes, start)?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            (bytes, start) = (&mut bytes[read..], start + read as u64);
        }
        Ok(())
    };
    fill(plane, start)?;
    fill(sum, start + plane.len() as u64)
}
