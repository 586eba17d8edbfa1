//! The writing side of the word index: one writer per process, kept open.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tantivy::{
    Directory, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, SegmentReader, TantivyError, Term,
    directory::{
        INDEX_WRITER_LOCK, MmapDirectory,
        error::{LockError, OpenDirectoryError},
    },
    indexer::{LogMergePolicy, NoMergePolicy},
};

use super::{
    directory::Folder,
    document::EntryDocument,
    guarded, leftovers,
    schema::{self, Fields},
    view::KeywordView,
};
use crate::{
    index::{EntryKey, IndexError, Result, listing},
    journal::{
        Entry,
        files::{self, Lock},
    },
};

/// Memory budget of the writer before it writes a segment.
const WRITER_BYTES: usize = 64_000_000;

/// Block size of stored texts. Reading a text decompresses its whole block, and a search reads some forty texts, each
/// in another block.
const BLOCK_BYTES: usize = 4_096;

/// Time for another process to clear the folder and create a new index.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reason to rebuild an index of another version.
const OTHER_VERSION: &str = "it was written by another version of kioku";

/// The writing side: one per process, kept open (a new writer for every save would cancel its own merges). Holds
/// tantivy's writer lock, which the system releases when the process dies.
pub struct KeywordStore {
    dir: PathBuf,
    fields: Fields,
    reader: IndexReader,
    /// `None` only during closing.
    writer: Option<IndexWriter<EntryDocument>>,
    payload: Option<String>,
}

/// `None` where another process holds the writer lock.
fn writer_of(index: &Index) -> tantivy::Result<Option<IndexWriter<EntryDocument>>> {
    match index.writer_with_num_threads(1, WRITER_BYTES) {
        Err(TantivyError::LockFailure(LockError::LockBusy, _)) => Ok(None),
        writer => writer.map(Some),
    }
}

/// Tries to get the writer's lock repeatedly, for half a second in all. A child process that is being started (an
/// editor) inherits all open files, locks included, until it executes its program; this waits for it. `None` where
/// another process has the lock.
fn patiently<T>(
    mut attempt: impl FnMut() -> tantivy::Result<Option<T>>,
    mut pause: impl FnMut(),
) -> tantivy::Result<Option<T>> {
    const TRIES: usize = 100;
    for _ in 1..TRIES {
        if let Some(had) = attempt()? {
            return Ok(Some(had));
        }
        pause();
    }
    attempt()
}

/// The warning about a damaged index. The second sentence of tantivy's cause says to install another tantivy.
pub fn made_anew(error: &IndexError) -> String {
    let cause = error.to_string();
    let cause = cause.split(". ").next().unwrap_or(&cause);
    format!("the word index was damaged and is made anew; your entries are not affected ({cause})")
}

/// The lock for creating the index. Its file is beside the folder, because the folder is cleared.
fn making(dir: &Path) -> Result<Lock> {
    let path = dir.with_extension("lock");
    if path.is_dir() {
        leftovers::remove(&path)?;
    }
    Ok(Lock::wait(&path, PATIENCE)?)
}

fn pause() {
    std::thread::sleep(std::time::Duration::from_millis(5));
}

impl KeywordStore {
    /// Opens or creates the index in `dir`. A damaged, foreign or outdated one is deleted and rebuilt; the second
    /// value is a warning, except where only the version differs. `Busy` where another process holds the writer lock.
    pub fn open(dir: &Path) -> Result<(Self, Option<String>)> {
        files::create_dir(dir.parent().unwrap_or(dir))?;
        match Self::open_present(dir) {
            Ok(Some(store)) => return Ok((store, None)),
            Err(error @ (IndexError::Busy { .. } | IndexError::Newer { .. })) => return Err(error),
            _ => {}
        }
        // One process at a time creates it; a process that waited for another may find it complete.
        let _making = making(dir)?;
        leftovers::clear_the_way(dir)?;
        files::create_dir(dir)?;
        let complaint = match Self::open_present(dir) {
            Ok(Some(store)) => return Ok((store, None)),
            Ok(None) => None,
            Err(error @ (IndexError::Busy { .. } | IndexError::Newer { .. })) => return Err(error),
            // An index of another version of kioku is intact, so its rebuild needs no warning.
            Err(IndexError::Damaged { reason, .. }) if reason == OTHER_VERSION => None,
            Err(error) => Some(made_anew(&error)),
        };
        clear(dir, pause)?;
        Ok((Self::create(dir)?, complaint))
    }

    /// Deletes the index in `dir`; `Busy` where another process holds the writer lock for longer than a moment. A
    /// missing index is no error.
    pub fn delete_all(dir: &Path) -> Result<()> {
        Self::delete_all_and(dir, || Ok(()))
    }

    /// Like [`KeywordStore::delete_all`]; runs `beside` before any other process can write.
    pub fn delete_all_and(dir: &Path, beside: impl FnOnce() -> Result<()>) -> Result<()> {
        files::create_dir(dir.parent().unwrap_or(dir))?;
        let _making = making(dir)?;
        if dir.exists() {
            clear(dir, pause)?;
        }
        beside()
    }

    /// `None` where there is no index yet.
    fn open_present(dir: &Path) -> Result<Option<Self>> {
        if !dir.join("meta.json").exists() {
            return Ok(None);
        }
        let (index, payload) = open_index(dir, Folder::open)?;
        let store = Self::over(dir, index, payload, writer_of)?;
        // Under the writer's lock: files of a killed commit would make the next commit fail. Windows keeps a file that
        // another process reads; only the lists of deleted entries would block commits.
        leftovers::sweep(dir, store.reader.searcher().index(), leftovers::is_deletions)?;
        // On damaged bytes tantivy panics or returns wrong results. Verified through a separate index, so that the
        // files read for it do not stay in memory.
        expect_sound(dir, &open_index(dir, Folder::open)?.0)?;
        Ok(Some(store))
    }

    fn create(dir: &Path) -> Result<Self> {
        let index = guarded("create", || {
            let settings = IndexSettings { docstore_blocksize: BLOCK_BYTES, ..IndexSettings::default() };
            let builder = Index::builder().settings(settings).schema(Fields::schema().0);
            builder.tokenizers(schema::tokenizers()).open_or_create(Folder::open(dir)?)
        })?;
        // The lock was released a moment ago, after clearing the folder.
        let mut store = Self::over(dir, index, None, |index| patiently(|| writer_of(index), pause))?;
        // The stamp is in the commit's payload, so a new index gets an empty commit.
        store.write(None)?;
        Ok(store)
    }

    fn over(
        dir: &Path,
        index: Index,
        payload: Option<String>,
        writer: impl FnOnce(&Index) -> tantivy::Result<Option<IndexWriter<EntryDocument>>>,
    ) -> Result<Self> {
        let opened = guarded("open", || {
            let reader = manual_reader(&index)?;
            Ok(writer(&index)?.map(|writer| (reader, writer)))
        })?;
        let (reader, writer) = opened.ok_or_else(|| IndexError::Busy { path: dir.to_owned() })?;
        Ok(Self { dir: dir.to_owned(), fields: Fields::schema().1, reader, writer: Some(writer), payload })
    }

    /// The payload of the commit that was opened; `None` in a new index.
    pub fn payload(&self) -> Option<String> {
        self.payload.clone()
    }

    /// Removes an entry, with the next commit.
    pub fn delete(&mut self, key: EntryKey) -> Result<()> {
        let term = Term::from_field_u64(self.fields.key, key.0);
        self.writer()?.delete_term(term);
        Ok(())
    }

    /// Adds an entry (delete its older state first); false where it has more than [`super::MOST_WORDS`] different
    /// words, so that the words at its end are not indexed.
    pub fn add(&mut self, key: EntryKey, fingerprint: u64, entry: &Entry) -> Result<bool> {
        let document = EntryDocument::new(self.fields, key, fingerprint, entry);
        let is_whole = document.is_whole();
        let writer = self.writer()?;
        guarded("add", || writer.add_document(document))?;
        Ok(is_whole)
    }

    /// The commit point of the whole index: `payload` names the checkpoint of the other stores' files.
    pub fn commit(&mut self, payload: &str) -> Result<()> {
        self.write(Some(payload))
    }

    fn write(&mut self, payload: Option<&str>) -> Result<()> {
        let stamped = stamped(payload);
        let writer = self.writer()?;
        guarded("commit", || {
            let mut prepared = writer.prepare_commit()?;
            prepared.set_payload(&stamped);
            prepared.commit()
        })?;
        guarded("reload", || self.reader.reload())
    }

    /// A view of the last commit.
    pub fn view(&self) -> KeywordView {
        KeywordView::over(self.reader.searcher(), self.fields)
    }

    /// Waits for merges in the background and releases the writer lock. Dropping a store does the same, but ignores
    /// the error.
    pub fn close(mut self) -> Result<()> {
        self.finish()
    }

    fn finish(&mut self) -> Result<()> {
        self.writer.take().map_or(Ok(()), |writer| guarded("close", || writer.wait_merging_threads()))
    }

    /// Rewrites the segments that have deleted entries, and deletes the old files: no byte of an entry deleted before
    /// the last commit remains in the index. Older views keep their files until they are dropped.
    pub fn purge(&mut self) -> Result<()> {
        let writer = self.writer.take().ok_or_else(closed)?;
        let index = self.reader.searcher().index().clone();
        // Merges in the background would lock some of the segments: they are finished first, and disabled until this
        // is done.
        let renewed = guarded("purge", || {
            writer.wait_merging_threads()?;
            patiently(|| writer_of(&index), pause)
        })?;
        let writer = self.writer.insert(renewed.ok_or_else(|| IndexError::Busy { path: self.dir.clone() })?);
        guarded("purge", || {
            writer.set_merge_policy(Box::new(NoMergePolicy));
            self.reader.reload()?;
            let searcher = self.reader.searcher();
            let partly = searcher.segment_readers().iter().filter(|segment| segment.has_deletes());
            let partly: Vec<_> = partly.map(SegmentReader::segment_id).collect();
            drop(searcher);
            for segment in partly {
                writer.merge(&[segment]).wait()?;
            }
            self.reader.reload()?;
            writer.garbage_collect_files().wait()?;
            writer.set_merge_policy(Box::<LogMergePolicy>::default());
            Ok(())
        })?;
        // A file that a killed process left may hold the text of a deleted entry.
        leftovers::sweep(&self.dir, &index, |_| true)
    }

    fn writer(&mut self) -> Result<&mut IndexWriter<EntryDocument>> {
        self.writer.as_mut().ok_or_else(closed)
    }
}

impl Drop for KeywordStore {
    fn drop(&mut self) {
        // A merge that was cut off would be started again by every later run.
        let _ = self.finish();
    }
}

/// An error where a file of the last commit is damaged.
pub(super) fn expect_sound(dir: &Path, index: &Index) -> Result<()> {
    match leftovers::damaged_files(dir, index)?.into_iter().next() {
        Some(path) => {
            let reason = if path.exists() { "its checksum does not match" } else { "it is missing" };
            Err(IndexError::damaged(path, reason))
        }
        None => Ok(()),
    }
}

fn closed() -> IndexError {
    IndexError::Keyword("the writer is closed".into())
}

/// The stamp, and below it the caller's payload.
fn stamped(payload: Option<&str>) -> String {
    payload.map_or_else(schema::stamp, |payload| format!("{}\n{payload}", schema::stamp()))
}

/// Opens an index that this version's schema and tantivy wrote, and reads its payload; anything else is `Damaged`.
/// `folder` opens the folder, to write or to read.
pub(super) fn open_index(
    dir: &Path,
    folder: fn(&Path) -> Result<Folder, OpenDirectoryError>,
) -> Result<(Index, Option<String>)> {
    let damaged = |reason: &str| IndexError::damaged(dir, reason);
    let (index, payload) = guarded("open", || {
        let mut index = Index::open(folder(dir)?)?;
        index.set_tokenizers(schema::tokenizers());
        let payload = index.load_metas()?.payload;
        Ok((index, payload))
    })
    .map_err(|error| IndexError::damaged(dir, error))?;
    let written = payload.as_deref().unwrap_or_default();
    let (stamp, payload) = match written.split_once('\n') {
        Some((stamp, payload)) => (stamp, Some(payload.to_owned())),
        None => (written, None),
    };
    if stamp != schema::stamp() {
        if schema::is_newer(stamp) {
            return Err(IndexError::Newer { path: dir.to_owned() });
        }
        let ours = stamp.starts_with(schema::STAMP);
        return Err(damaged(if ours { OTHER_VERSION } else { "it is not an index of kioku" }));
    }
    if index.schema() != Fields::schema().0 {
        return Err(damaged("its fields are not the ones expected"));
    }
    Ok((index, payload))
}

/// A reader that moves to a new commit only on request: the default watches the folder and lags behind.
pub(super) fn manual_reader(index: &Index) -> tantivy::Result<IndexReader> {
    index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()
}

/// Deletes an index's files while holding its writer lock; the lock files stay (another process may be waiting on
/// them). `pause` runs between two tries for that lock.
pub(super) fn clear(dir: &Path, pause: impl FnMut()) -> Result<()> {
    leftovers::clear_the_way(dir)?;
    let opened = guarded("lock", || {
        let folder = MmapDirectory::open(dir)?;
        let attempt = || match folder.acquire_lock(&INDEX_WRITER_LOCK) {
            Ok(lock) => Ok(Some(lock)),
            Err(LockError::LockBusy) => Ok(None),
            Err(error) => Err(error.into()),
        };
        patiently(attempt, pause)
    })?;
    let _lock = opened.ok_or_else(|| IndexError::Busy { path: dir.to_owned() })?;
    for path in listing(dir)? {
        if !leftovers::is_lock(&path) {
            leftovers::remove(&path)?;
        }
    }
    Ok(())
}
