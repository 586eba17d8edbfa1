//! The word file: the codes of the words of every passage, beside the vector file of a model with contextual words.
//! Derived from the text in the same pass as the vectors, and made again where it is damaged or missing.
//!
//! ```text
//! header   magic "KIOKUWRD", version u32, dimension u32, SHA-256 of the model's checksum, 12 zero bytes, CRC-32 of all that
//! record   passage hash 16, count of words u16, their codes, CRC-32 of the record started with the header's
//! ```
//!
//! Numbers are little-endian. Only the offset of each record is in memory; a search reads the records of its best
//! candidates, and verifies each. After damage, reading resumes at the next record that verifies.

use std::{
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    chunked::Chunked,
    header::{HEADER, header},
    log::vault,
    words::code_len,
};
use crate::{
    embed::ModelStamp,
    index::{IndexError, Result, passage::PassageHash},
    journal::files,
};

const MAGIC: &[u8; 8] = b"KIOKUWRD";
/// Raise it with a change of the layout or of the rules that turn words into codes.
const VERSION: u32 = 1;
/// Length of passage hash and count.
const HEAD: usize = 16 + 2;
/// Maximum number of words per passage: no model reads more tokens.
const MOST_WORDS: usize = 512;

/// The passage of each row; `None` beyond the last row.
type HashOf<'a> = &'a dyn Fn(u32) -> Option<PassageHash>;

/// Location of the codes of one passage in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    start: u64,
    words: u16,
}

/// The places of all passages, by row of the vector file.
type Places = Chunked<Option<Place>>;

/// The current file, for reading beside the writer; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct WordFile {
    header: Arc<[u8]>,
    code_len: usize,
    places: Places,
    /// If the file is rewritten, the old content stays readable here.
    file: Option<Arc<Mutex<File>>>,
}

impl WordFile {
    /// Whether a passage has word codes.
    pub fn has(&self, row: u32) -> bool {
        self.place(row).is_some()
    }

    fn place(&self, row: u32) -> Option<Place> {
        *self.places.get(row)?
    }

    /// The word codes of a passage; `None` where there are none, or where they do not verify.
    pub fn codes(&self, row: u32, hash: PassageHash) -> Option<Vec<u8>> {
        let place = self.place(row)?;
        let mut record = vec![0; HEAD + usize::from(place.words) * self.code_len + 4];
        {
            let mut file = self.file.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(place.start)).ok()?;
            file.read_exact(&mut record).ok()?;
        }
        self.parse(&record).filter(|(found, _)| *found == hash)?;
        record.truncate(record.len() - 4);
        record.drain(..HEAD);
        Some(record)
    }

    /// The passage and length of the record at the start of `bytes`, if it is complete and verifies.
    fn parse(&self, bytes: &[u8]) -> Option<(PassageHash, usize)> {
        let length = self.length(bytes)?;
        let (content, sum) = bytes.get(..length)?.split_last_chunk::<4>()?;
        let hash = PassageHash(*content.first_chunk()?);
        (self.checksum(content) == u32::from_le_bytes(*sum)).then_some((hash, length))
    }

    /// The length of the record at the start of `bytes`, by its header.
    fn length(&self, bytes: &[u8]) -> Option<usize> {
        let words = usize::from(u16::from_le_bytes(*bytes.get(16..HEAD)?.first_chunk()?));
        (words <= MOST_WORDS).then_some(HEAD + words * self.code_len + 4)
    }

    fn checksum(&self, content: &[u8]) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.header);
        crc.update(content);
        crc.finalize()
    }

    /// Adds a record; returns its number of words.
    fn encode(&self, hash: PassageHash, codes: &[u8], out: &mut Vec<u8>) -> u16 {
        let start = out.len();
        let words = (codes.len() / self.code_len).min(MOST_WORDS);
        out.extend(hash.0);
        out.extend((words as u16).to_le_bytes());
        out.extend(&codes[..words * self.code_len]);
        out.extend(self.checksum(&out[start..]).to_le_bytes());
        words as u16
    }
}

/// The writing side.
pub(super) struct WordLog {
    path: PathBuf,
    file: WordFile,
    /// The file's length where it has only intact records of known passages; `None` where it must be rewritten before
    /// the next append.
    sound: Option<u64>,
    /// Why it cannot be used at all.
    fault: Option<String>,
}

impl WordLog {
    /// Reads `path` and verifies every record. Writes nothing. `row_of` gives the row of a passage; records of
    /// unknown passages are skipped. The second part is a warning about lost records.
    pub fn open(
        path: PathBuf,
        model: &ModelStamp,
        row_of: impl Fn(PassageHash) -> Option<u32>,
    ) -> (Self, Option<String>) {
        let header = header(MAGIC, VERSION, model).as_slice().into();
        let file = WordFile { header, code_len: code_len(model.dimension), ..WordFile::default() };
        let mut log = Self { path, file, sound: None, fault: None };
        let complaint = match log.read(&row_of) {
            Ok(0) => None,
            Ok(_) => Some(format!(
                "{} was damaged in part: what it held of some passages is made again from the text",
                log.path.display()
            )),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                log.fault = Some(format!("reading {}: {error}", log.path.display()));
                log.fault.clone()
            }
        };
        (log, complaint)
    }

    /// Returns the number of damaged places.
    fn read(&mut self, row_of: &impl Fn(PassageHash) -> Option<u32>) -> std::io::Result<usize> {
        let mut file = File::open(&self.path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        self.file.file = Some(Arc::new(Mutex::new(file)));
        if bytes.get(..HEADER) != Some(&*self.file.header) {
            // Another version's file, or damage in the header that starts every checksum: nothing in it verifies.
            return Ok(usize::from(!bytes.is_empty()));
        }
        let longest = HEAD + MOST_WORDS * self.file.code_len;
        let (mut at, mut damaged, mut lost, mut clean) = (HEADER, false, 0, true);
        while at < bytes.len() {
            if let Some((hash, length)) = self.file.parse(&bytes[at..]) {
                match row_of(hash) {
                    Some(row) => {
                        let words = (length - HEAD - 4) / self.file.code_len;
                        *self.file.places.item_mut(row) = Some(Place { start: at as u64, words: words as u16 });
                    }
                    None => clean = false,
                }
                (at, damaged) = (at + length, false);
                continue;
            }
            // A record that exceeds the end of the file is a crashed append.
            let goes_on = |length| at + length > bytes.len();
            let torn = bytes.len() - at < longest && self.file.length(&bytes[at..]).is_none_or(goes_on);
            lost += usize::from(!damaged && !torn);
            (at, damaged, clean) = (at + 1, true, false);
        }
        self.sound = clean.then_some(bytes.len() as u64);
        Ok(lost)
    }

    pub fn file(&self) -> &WordFile {
        &self.file
    }

    /// Why no word codes are stored.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Appends the codes of passages durably. On an error none is added. Does nothing where the file cannot be used.
    pub fn append(&mut self, rows: &[(u32, PassageHash, Vec<u8>)], hash_of: HashOf<'_>) -> Result<()> {
        let new: Vec<_> = rows.iter().filter(|(row, ..)| !self.file.has(*row)).collect();
        if new.is_empty() || self.fault.is_some() {
            return Ok(());
        }
        let Some(length) = self.sound_length() else {
            self.rewrite(|_| true, hash_of)?;
            return self.append(rows, hash_of);
        };
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        for (row, hash, codes) in new {
            let start = length + bytes.len() as u64;
            places.push((*row, Place { start, words: self.file.encode(*hash, codes, &mut bytes) }));
        }
        // An error from here on may leave a partial record in the file.
        self.sound = None;
        files::append(&self.path, &bytes).map_err(vault)?;
        self.sound = Some(length + bytes.len() as u64);
        places.into_iter().for_each(|(row, place)| *self.file.places.item_mut(row) = Some(place));
        Ok(())
    }

    /// The length to append at, if the file is unchanged since this process last used it.
    fn sound_length(&self) -> Option<u64> {
        let length = self.sound?;
        (std::fs::metadata(&self.path).ok()?.len() == length).then_some(length)
    }

    /// Rewrites the file with the records that verify and whose rows `keep` accepts; rows do not change.
    fn rewrite(&mut self, keep: impl Fn(u32) -> bool, hash_of: HashOf<'_>) -> Result<()> {
        if let Some(dir) = self.path.parent() {
            files::create_dir(dir).map_err(vault)?;
        }
        let mut bytes = self.file.header.to_vec();
        let mut places = Places::default();
        for (row, hash) in (0u32..).map_while(|row| Some((row, hash_of(row)?))).filter(|(row, _)| keep(*row)) {
            let Some(codes) = self.file.codes(row, hash) else { continue };
            let start = bytes.len() as u64;
            *places.item_mut(row) = Some(Place { start, words: self.file.encode(hash, &codes, &mut bytes) });
        }
        self.sound = None;
        files::replace(&self.path, &bytes).map_err(vault)?;
        let file = File::open(&self.path).map_err(IndexError::io("read", &self.path))?;
        self.file.file = Some(Arc::new(Mutex::new(file)));
        self.file.places = places;
        self.sound = Some(bytes.len() as u64);
        self.fault = None;
        Ok(())
    }

    /// Whether the file has only intact records of known passages.
    pub fn is_clean(&self) -> bool {
        self.sound.is_some() || self.file.file.is_none() && self.fault.is_none()
    }

    /// Keeps only the passages of some rows, in memory and in the file. `kept`: those rows in their new order, as in
    /// the vector file now; `hash_of`: the passages before.
    pub fn retain(&mut self, kept: &[u32], hash_of: HashOf<'_>) -> Result<()> {
        if self.file.file.is_none() && self.fault.is_none() {
            return Ok(());
        }
        let held: std::collections::HashSet<u32> = kept.iter().copied().collect();
        self.rewrite(|row| held.contains(&row), hash_of)?;
        let mut places = Places::default();
        for (new, old) in (0u32..).zip(kept) {
            if let Some(place) = self.file.place(*old) {
                *places.item_mut(new) = Some(place);
            }
        }
        self.file.places = places;
        Ok(())
    }
}

#[cfg(test)]
#[path = "word_log_tests.rs"]
mod tests;
