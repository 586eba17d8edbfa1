//! The teacher's vectors of many texts, kept on disk as they come: a killed run goes on where it stopped.
//!
//! One file: a header that names what it was made from, then blocks of [`BLOCK`] vectors, each with its CRC-32.

use std::{
    fs::{File, OpenOptions},
    io::{BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{Progress, Report};
use crate::embed::{EmbedError, Encoder, Result};

/// Texts a block: some seconds of work, the most that a killed run loses.
const BLOCK: usize = 2048;
const MAGIC: &[u8; 8] = b"kiokuT1\n";

/// Vectors on disk, in the order of their texts.
#[derive(Debug)]
pub struct TeacherVectors {
    path: PathBuf,
    dimension: usize,
    count: usize,
}

impl TeacherVectors {
    /// Embeds `texts`, less what `path` holds of them already. `origin` names teacher and texts: a file made from
    /// another origin is made anew. More texts of the same origin continue a file.
    pub fn make(
        path: &Path,
        origin: &str,
        teacher: &dyn Encoder,
        texts: &[String],
        what: &'static str,
        report: Report<'_>,
    ) -> Result<Self> {
        let dimension = teacher.stamp().dimension;
        let vectors = Self { path: path.to_owned(), dimension, count: texts.len() };
        let mut header = MAGIC.to_vec();
        header.extend(Sha256::digest(format!("{origin}\n{}\n{dimension}", teacher.stamp().checksum)));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| vectors.io("create", error))?;
        let mut done = vectors.sound_blocks(&mut file, &header)? * BLOCK;
        while done < texts.len() {
            if !report(Progress { what, done, of: texts.len() }) {
                return Err(EmbedError::Model {
                    model: teacher.stamp().name.clone(),
                    reason: "stopped; the same command goes on from here".to_owned(),
                });
            }
            let block: Vec<&str> = texts[done..].iter().take(BLOCK).map(String::as_str).collect();
            let embedded = teacher.embed(&block)?;
            let bytes: Vec<u8> = embedded.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
            let sum = crc32fast::hash(&bytes).to_le_bytes();
            file.write_all(&[&sum[..], &bytes].concat())
                .and_then(|()| file.sync_data())
                .map_err(|error| vectors.io("write", error))?;
            done += block.len();
        }
        report(Progress { what, done: texts.len(), of: texts.len() });
        Ok(vectors)
    }

    /// How many whole blocks of these texts the file holds; what follows them is cut off.
    fn sound_blocks(&self, file: &mut File, header: &[u8]) -> Result<usize> {
        let io = |error| self.io("read", error);
        let mut found = vec![0; header.len()];
        let length = file.metadata().map_err(io)?.len();
        let same = length >= header.len() as u64 && file.read_exact(&mut found).is_ok() && found == header;
        if !same {
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(header)).map_err(io)?;
            return Ok(0);
        }
        let mut sound = 0;
        {
            let mut reader = BufReader::new(&mut *file);
            while (sound + 1) * BLOCK <= self.count && self.read_block(&mut reader, BLOCK).is_ok() {
                sound += 1;
            }
        }
        let end = header.len() + sound * (4 + BLOCK * self.dimension * 4);
        if (sound * BLOCK) < self.count {
            file.set_len(end as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(end as u64)).map_err(io)?;
        Ok(sound)
    }

    fn read_block(&self, reader: &mut impl Read, count: usize) -> Result<Vec<f32>> {
        let io = |error| self.io("read", error);
        let mut sum = [0; 4];
        let mut bytes = vec![0; count * self.dimension * 4];
        reader.read_exact(&mut sum).and_then(|()| reader.read_exact(&mut bytes)).map_err(io)?;
        if crc32fast::hash(&bytes).to_le_bytes() != sum {
            let reason = "a block of it is damaged".to_owned();
            return Err(EmbedError::Damaged { path: self.path.clone(), reason });
        }
        Ok(bytes.chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]])).collect())
    }

    /// Calls `each` with every vector, in order, reading block by block.
    pub fn each(&self, mut each: impl FnMut(&[f32])) -> Result<()> {
        let io = |error| self.io("read", error);
        let mut reader = BufReader::new(File::open(&self.path).map_err(io)?);
        reader.seek_relative((MAGIC.len() + 32) as i64).map_err(io)?;
        let mut left = self.count;
        while left > 0 {
            let count = left.min(BLOCK);
            let block = self.read_block(&mut reader, count)?;
            block.chunks_exact(self.dimension).for_each(&mut each);
            left -= count;
        }
        Ok(())
    }

    fn io(&self, operation: &'static str, source: std::io::Error) -> EmbedError {
        EmbedError::Io { operation, path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::embed::{ModelStamp, testing::HashEncoder};

    #[derive(Debug)]
    struct Counting(HashEncoder, AtomicUsize);

    impl Encoder for Counting {
        fn stamp(&self) -> &ModelStamp {
            self.0.stamp()
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            self.1.fetch_add(texts.len(), Ordering::Relaxed);
            self.0.embed(texts)
        }
    }

    fn texts(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("text number {at}")).collect()
    }

    fn make(path: &Path, origin: &str, count: usize, stop_after: usize) -> (Result<Vec<f32>>, usize) {
        let teacher = Counting(HashEncoder::new(8), AtomicUsize::new(0));
        let made = TeacherVectors::make(path, origin, &teacher, &texts(count), "x", &mut |p| p.done < stop_after);
        let all = made.and_then(|made| {
            let mut all = Vec::new();
            made.each(|vector| all.extend_from_slice(vector))?;
            Ok(all)
        });
        (all, teacher.1.into_inner())
    }

    #[test]
    fn a_stopped_run_goes_on_and_ends_with_the_same_vectors() {
        let dir = tempfile::tempdir().unwrap();
        let (whole, first) = make(&dir.path().join("whole"), "o", 3 * BLOCK + 5, usize::MAX);
        let whole = whole.unwrap();
        assert_eq!((first, whole.len()), (3 * BLOCK + 5, (3 * BLOCK + 5) * 8));
        let path = dir.path().join("parts");
        assert!(make(&path, "o", 3 * BLOCK + 5, BLOCK + 1).0.is_err());
        let (parts, again) = make(&path, "o", 3 * BLOCK + 5, usize::MAX);
        assert_eq!((parts.unwrap(), again), (whole.clone(), BLOCK + 5));
        // More texts of the same origin: only the new ones, and the last block, which was not whole.
        let (more, again) = make(&path, "o", 4 * BLOCK, usize::MAX);
        assert_eq!((&more.unwrap()[..whole.len()], again), (&whole[..], BLOCK));
    }

    #[test]
    fn a_damaged_block_and_another_origin_are_made_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("v");
        let whole = make(&path, "o", 2 * BLOCK, usize::MAX).0.unwrap();
        assert_eq!(make(&path, "o", 2 * BLOCK, usize::MAX).1, 0);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 7;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let (mended, again) = make(&path, "o", 2 * BLOCK, usize::MAX);
        assert_eq!((mended.unwrap(), again), (whole, BLOCK));
        assert_eq!(make(&path, "other", 2 * BLOCK, usize::MAX).1, 2 * BLOCK);
    }
}
