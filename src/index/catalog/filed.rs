//! The catalog on disk. Texts are read where they lie in the file, and what follows one another in a file shares its name.

use std::{fmt, path::Path, sync::Arc};

use jiff::{Timestamp, civil};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};

use super::{Catalog, CatalogEntry, EntryKey};
use crate::{
    index::{IndexError, generation},
    journal::{BodyHash, EntryId, EntryTime, FileStamp, Notice, Place, compact},
};

/// Names the files; the format changes with the shape of [`Line`] and of what is filed after the entries.
const STORE: &str = "catalog";
const FORMAT: u32 = 5;

impl Catalog {
    /// Reads the file of `generation`.
    pub(in crate::index) fn read(dir: &Path, generation: u64) -> Result<Self, IndexError> {
        let payload = generation::payload(dir, STORE, FORMAT, generation)?;
        let ((entries, copies, files, notices), _) =
            generation::part::<(Lines, Lines, Vec<FileStamp>, Vec<Notice>)>(&payload)
                .map_err(|reason| IndexError::Damaged { path: generation::path(dir, STORE, generation), reason })?;
        Ok(Self::new(entries.0, files, notices).with_copies(copies.0))
    }

    /// Writes the file of `generation` durably.
    pub(in crate::index) fn write(&self, dir: &Path, generation: u64) -> Result<(), IndexError> {
        let filed = (LinesRef(&self.entries), LinesRef(&self.copies), &self.files, &self.notices);
        generation::write(dir, STORE, FORMAT, generation, &filed)
    }

    /// Deletes the files of other generations.
    pub(in crate::index) fn tidy(dir: &Path, generation: u64) {
        generation::tidy(dir, STORE, generation);
    }
}

/// One entry.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    key: EntryKey,
    id: &'a str,
    written_time: &'a str,
    #[serde(with = "compact::timestamp")]
    at: Timestamp,
    offset_seconds: i32,
    #[serde(with = "compact::date")]
    day: civil::Date,
    mood: Option<String>,
    tags: Vec<String>,
    event_time: Option<String>,
    starred: bool,
    words: u32,
    asking: u8,
    extra: Vec<(String, String)>,
    trackers: Vec<(String, f64)>,
    /// `None`: that of the entry before.
    file: Option<&'a str>,
    position: u32,
    bytes: (u64, u64),
    hash: &'a [u8],
    written: Option<&'a str>,
    has_id: bool,
    fingerprint: u64,
}

impl<'a> Line<'a> {
    fn of(entry: &'a CatalogEntry, file: Option<&'a str>) -> Self {
        Self {
            key: entry.key,
            id: entry.id.as_str(),
            written_time: &entry.time.written,
            at: entry.time.at,
            offset_seconds: entry.time.offset_seconds,
            day: entry.day,
            mood: entry.mood.clone(),
            tags: entry.tags.clone(),
            event_time: entry.event_time.clone(),
            starred: entry.starred,
            words: entry.words,
            asking: entry.asking,
            extra: entry.extra.clone(),
            trackers: entry.trackers.to_vec(),
            file,
            position: entry.place.position,
            bytes: (entry.place.bytes.start as u64, entry.place.bytes.end as u64),
            hash: &entry.hash.0,
            written: entry.written.as_deref(),
            has_id: entry.has_id,
            fingerprint: entry.fingerprint,
        }
    }

    /// `None` where its hash is none.
    fn entry(self, file: Arc<str>) -> Option<CatalogEntry> {
        let bytes = self.bytes.0 as usize..self.bytes.1 as usize;
        let time =
            EntryTime { written: self.written_time.to_owned(), at: self.at, offset_seconds: self.offset_seconds };
        Some(CatalogEntry {
            key: self.key,
            id: EntryId::from(self.id),
            time,
            day: self.day,
            mood: self.mood,
            tags: self.tags,
            event_time: self.event_time,
            starred: self.starred,
            words: self.words,
            asking: self.asking,
            extra: self.extra,
            trackers: self.trackers.into(),
            place: Place { file, position: self.position, bytes },
            hash: BodyHash(self.hash.try_into().ok()?),
            written: self.written.map(Into::into),
            has_id: self.has_id,
            fingerprint: self.fingerprint,
        })
    }
}

/// Entries to be written.
struct LinesRef<'a>(&'a [Arc<CatalogEntry>]);

impl Serialize for LinesRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut before: Option<&str> = None;
        to.collect_seq(self.0.iter().map(|entry| {
            let file = Some(entry.place.file.as_ref()).filter(|file| before != Some(*file));
            before = file.or(before);
            Line::of(entry, file)
        }))
    }
}

/// Entries as they are read.
struct Lines(Vec<Arc<CatalogEntry>>);

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(LinesVisitor).map(Self)
    }
}

struct LinesVisitor;

impl<'de> Visitor<'de> for LinesVisitor {
    type Value = Vec<Arc<CatalogEntry>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Self::Value, A::Error> {
        // What a file says of its length is not believed beyond this.
        const MOST_AT_ONCE: usize = 1 << 20;
        let mut entries = Vec::with_capacity(lines.size_hint().unwrap_or(0).min(MOST_AT_ONCE));
        let mut file: Arc<str> = "".into();
        while let Some(mut line) = lines.next_element::<Line<'de>>()? {
            if let Some(other) = line.file.take() {
                file = other.into();
            }
            let entry = line.entry(file.clone()).ok_or_else(|| A::Error::custom("a hash is cut short"))?;
            entries.push(Arc::new(entry));
        }
        Ok(entries)
    }
}
