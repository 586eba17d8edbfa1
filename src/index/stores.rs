//! The three stores and the catalog behind one commit point.
//!
//! tantivy's commit is the commit point; its payload names the checkpoint of the other stores' files, which are
//! written and fsynced before it. Between checkpoints the word index may be ahead of the files of its checkpoint (a
//! save commits only words, in milliseconds): the payload then says so, and the next opening compares the contents of
//! the word index with the vault instead of trusting the catalog.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use serde::{Deserialize, Serialize};

use super::{
    Catalog, EntryKey, IndexError, Result, Snapshot,
    answers::Answers,
    catalog::KeyMap,
    checkpoint,
    claims::ToRead,
    end_of_thread,
    graph::GraphStore,
    keyword::{KeywordStore, KeywordView},
    model_switch::{self, ModelVectors, OpenedVectors},
    sync::CHECKPOINT_FROM,
    vector::{Ann, AnnWork, VectorStore},
    words::{OpenedWords, WORDS, Words, open_words, words_to_read},
};
use crate::{
    embed::ModelStamp,
    journal::{FileStamp, VaultError},
};

/// Options of an index.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// `.index/<machine id>`.
    pub dir: PathBuf,
    /// `None` turns the vector leg off.
    pub model: Option<ModelStamp>,
    /// A fast model that answers where `model` has much to embed.
    pub stand_in: Option<ModelStamp>,
    pub ann: Ann,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Payload {
    #[serde(rename = "generation")]
    checkpoint: u64,
    /// Words were committed after the other stores' files of this checkpoint.
    ahead: bool,
    /// The active model, or the last one.
    #[serde(default, rename = "serving")]
    active: Option<ModelStamp>,
    /// See [`Index::copies_seen`].
    #[serde(default)]
    copies: Vec<FileStamp>,
}

/// Everything derived from one vault.
pub struct Index {
    pub(super) options: IndexOptions,
    pub(super) checkpoint: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) words: Words,
    /// The word index has uncommitted changes: until the commit it may differ from the catalog.
    pub(super) uncommitted: bool,
    /// Entries that are not in the last commit of the word index, searched in memory: this process's uncommitted
    /// entries, or those that a writing process has not committed. `None` where there are none.
    pub(super) fresh: Option<KeywordView>,
    pub(super) graph: GraphStore,
    /// Vectors of the active model.
    pub(super) vectors: Option<ModelVectors>,
    /// Vectors of a newly chosen model, which becomes active once it has embedded everything.
    pub(super) successor: Option<ModelVectors>,
    /// Why the active model has no vectors.
    pub(super) vector_fault: Option<String>,
    /// The model that the last commit point names.
    pub(super) recorded: Option<ModelStamp>,
    /// A store that may differ from the catalog is compared with the vault entry by entry.
    pub(super) words_known: bool,
    pub(super) graph_known: bool,
    /// Number of changed entries and embedded passages since the last checkpoint.
    pub(super) unsaved: usize,
    /// Some of them were made by an earlier run, and are repeated at every start until a checkpoint saves them.
    pub(super) behind: bool,
    /// See `bodies` in `model_switch`.
    pub(super) long_body: Option<(EntryKey, Arc<str>)>,
    /// The stamps of the entity notes at the last read.
    pub(super) notes_read: Option<Vec<FileStamp>>,
    /// The stamps of the second copies when they were last compared with the day files: every entry in them is in the
    /// catalog, the word index or the trash.
    pub(super) copies_seen: Vec<FileStamp>,
    /// The answers of a language model.
    pub(super) answers: Answers,
    pub(super) to_read: ToRead,
    /// Why nothing can be written, if the cause is not another process.
    pub(super) unwritable: Option<String>,
}

impl Index {
    /// Opens the index. The second value has warnings about damaged parts, which are rebuilt at the next sync; there
    /// is no error where a rebuild helps. Where nothing can be written, the index is opened read-only.
    pub fn open(options: IndexOptions) -> Result<(Self, Vec<String>)> {
        match Self::open_to_write(options.clone(), None) {
            Err(error) => Self::open_to_read(options, &error),
            opened => opened,
        }
    }

    /// `active`: the active model where no commit point names it.
    fn open_to_write(options: IndexOptions, active: Option<ModelStamp>) -> Result<(Self, Vec<String>)> {
        crate::journal::files::create_dir(&options.dir)?;
        Self::open_with(options, active, open_words)
    }

    /// Opens the index read-only: missing or newer entries are searched in memory. `why`: the error that prevents
    /// writing.
    pub(super) fn open_to_read(options: IndexOptions, why: &IndexError) -> Result<(Self, Vec<String>)> {
        // Warnings about damaged parts are dropped: they are rebuilt in memory, and the reason why nothing can be
        // written is enough.
        let (mut index, _) = Self::open_with(options, None, words_to_read)?;
        index.unwritable = Some(format!("{why} · {}", advice(why)));
        let warnings =
            format!("the index cannot be written, new entries are searched in memory: {why} · {}", advice(why));
        Ok((index, vec![warnings]))
    }

    fn open_with(
        options: IndexOptions,
        active: Option<ModelStamp>,
        open_words: impl Fn(&Path) -> Result<OpenedWords> + Sync,
    ) -> Result<(Self, Vec<String>)> {
        let mut tries = OPEN_TRIES;
        loop {
            let (index, first_payload, warnings) = Self::open_once(options.clone(), active.clone(), &open_words)?;
            tries -= 1;
            // The writing process may have made the next checkpoint, and deleted the files of the one that was being
            // opened. Without them everything would have to be read again, in memory.
            let is_overtaken = index.read_only()
                && !(index.graph_known && index.vectors_known())
                && KeywordView::payload(&index.options.dir.join(WORDS)) != first_payload;
            if tries == 0 || !is_overtaken {
                return Ok((index, warnings));
            }
        }
    }

    /// The second part is the payload of the last commit at the start of opening.
    fn open_once(
        options: IndexOptions,
        active: Option<ModelStamp>,
        open_words: &(impl Fn(&Path) -> Result<OpenedWords> + Sync),
    ) -> Result<(Self, Option<String>, Vec<String>)> {
        let words_dir = options.dir.join(WORDS);
        // Opening the word index takes as long as the rest, which is opened in parallel, for the payload read here.
        let first_payload = KeywordView::payload(&words_dir);
        let (words, others) = thread::scope(|scope| {
            let words = scope.spawn(|| open_words(&words_dir));
            let others = OtherStores::open(&options, first_payload.as_deref(), active.as_ref());
            (end_of_thread(words), others)
        });
        let (words, committed, complaint) = words?;
        // The word index was damaged and rebuilt, or another process has committed or embedded since.
        let mut found = others.vectors.active.iter().chain(&others.vectors.successor);
        let current = committed == first_payload && found.all(|vectors| vectors.store.is_as_opened());
        let OtherStores { payload, catalog, graph, graph_known, vectors, warnings } = match current {
            true => others,
            false => OtherStores::open(&options, committed.as_deref(), active.as_ref()),
        };
        let is_writer = matches!(words, Words::Writer(_));
        let warnings = match is_writer {
            true => complaint.into_iter().chain(warnings).collect(),
            // The writing process is rebuilding it, and reports that itself.
            false => Vec::new(),
        };
        let catalog_known = catalog.is_some();
        let mut index = Self {
            options,
            checkpoint: payload.checkpoint,
            catalog: Arc::new(catalog.unwrap_or_default()),
            words,
            uncommitted: false,
            fresh: None,
            graph,
            vectors: vectors.active,
            // A read-only process embeds nothing.
            successor: vectors.successor.filter(|_| is_writer),
            vector_fault: vectors.fault,
            recorded: payload.active.or(active),
            words_known: catalog_known && !payload.ahead,
            graph_known,
            unsaved: 0,
            behind: false,
            long_body: None,
            notes_read: None,
            // Without a catalog it is unknown what was compared.
            copies_seen: if catalog_known { payload.copies } else { Vec::new() },
            answers: Answers::default(),
            to_read: ToRead::default(),
            unwritable: None,
        };
        index.all_vectors().for_each(|vectors| vectors.known &= catalog_known);
        Ok((index, first_payload, warnings))
    }

    /// Opens the index again, at the writing process's last commit; becomes the writer if that process has ended.
    pub(super) fn reopen(&mut self) -> Result<Vec<String>> {
        let (index, mut warnings) = Self::open(self.options.clone())?;
        if index.unwritable == self.unwritable && index.unwritable.is_some() {
            warnings.clear();
        }
        *self = index;
        Ok(warnings)
    }

    /// Switches to read-only. `why`: the error that prevents writing.
    pub(super) fn switch_to_read_only(&mut self, why: &IndexError) -> Result<Vec<String>> {
        self.release_writer()?;
        let (index, warnings) = Self::open_to_read(self.options.clone(), why)?;
        *self = index;
        Ok(warnings)
    }

    /// Deletes a word index that can no longer be committed, and opens a new one.
    pub(super) fn rebuild_words(&mut self) -> Result<()> {
        self.release_writer()?;
        KeywordStore::delete_all(&self.options.dir.join(WORDS))?;
        let active = self.active().cloned();
        let (index, _) = Self::open_to_write(self.options.clone(), active)?;
        *self = index;
        Ok(())
    }

    /// Releases the writer lock and discards uncommitted changes.
    fn release_writer(&mut self) -> Result<()> {
        self.words = Words::Reader(KeywordView::in_memory([])?);
        (self.uncommitted, self.fresh) = (false, None);
        Ok(())
    }

    /// Deletes every derived file except the vectors, which are keyed by their text and are the most expensive. The
    /// next sync rebuilds the rest.
    pub fn rebuild(self) -> Result<(Self, Vec<String>)> {
        let options = self.options.clone();
        let active = self.active().cloned();
        // Errors are ignored: everything that could not be written is rebuilt.
        drop(self.close());
        KeywordStore::delete_all_and(&options.dir.join(WORDS), || {
            remove_checkpoints(&options.dir)?;
            VectorStore::clear_the_way(&options.dir.join(model_switch::FOLDER))
        })?;
        let (mut index, mut warnings) = Self::open_to_write(options, active)?;
        if index.read_only() {
            return Err(index.refusal());
        }
        warnings.extend(index.drop_damaged()?);
        Ok((index, warnings))
    }

    /// Removes damaged vectors, so that their passages are embedded again. Reads all vectors. Returns a warning with
    /// their number.
    pub fn drop_damaged(&mut self) -> Result<Option<String>> {
        if self.read_only() {
            return Ok(None);
        }
        let mut dropped = 0;
        for vectors in self.vector_stores() {
            dropped += vectors.drop_damaged()?;
        }
        Ok((dropped > 0).then(|| format!("{dropped} damaged vectors are made again from the text")))
    }

    /// Closes the index after its merges, and saves the work that every start would repeat, where that is due.
    pub fn close(mut self) -> Result<()> {
        self.catch_up()?;
        self.words.close()
    }

    /// Like [`Index::close`], for a process that exits: its memory is leaked, because freeing it takes a tenth of a
    /// second for 100,000 entries.
    pub fn leave(mut self) -> Result<()> {
        self.catch_up()?;
        let Self { words, catalog, graph, vectors, successor, answers, .. } = self;
        std::mem::forget((catalog, graph, vectors, successor, answers));
        words.close()
    }

    /// Whether there is work that the next start would repeat, or changes that are not committed.
    pub fn is_behind(&self) -> bool {
        self.behind || self.uncommitted
    }

    /// Commits the changes, and saves the work that every start would repeat, where that is due. Deletes a word index
    /// that cannot be committed: the next start rebuilds it.
    fn catch_up(&mut self) -> Result<()> {
        let entries = self.catalog.entries().len();
        let is_due =
            self.behind && checkpoint::is_due_on_exit(entries, self.unsaved, checkpoint::random(entries as u64));
        let written = if is_due { self.checkpoint() } else { self.commit() };
        if let Err(IndexError::Damaged { .. } | IndexError::Keyword(_)) = &written {
            self.release_writer()?;
            KeywordStore::delete_all(&self.options.dir.join(WORDS))?;
        }
        written
    }

    /// Whether another process holds the writer lock, or nothing can be written: this process only reads, and keeps
    /// new entries in memory.
    pub fn read_only(&self) -> bool {
        matches!(self.words, Words::Reader(_))
    }

    /// Why nothing can be written, if the cause is not another process.
    pub fn unwritable(&self) -> Option<&str> {
        self.unwritable.as_deref()
    }

    /// The error for an operation that must write while the index is [`Index::read_only`].
    pub fn refusal(&self) -> IndexError {
        let path = self.options.dir.clone();
        match &self.unwritable {
            Some(reason) => IndexError::Unwritable { path, reason: reason.clone() },
            None => IndexError::Busy { path },
        }
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// An immutable view of the current state of all stores.
    pub fn snapshot(&mut self) -> Snapshot {
        let keyword = self.words.view();
        let is_listed = self.words_known && !self.read_only();
        Snapshot {
            checkpoint: self.checkpoint,
            keyword: if is_listed { keyword.listed_in(&self.catalog) } else { keyword },
            catalog: self.catalog.clone(),
            fresh: self.fresh.clone(),
            vectors: self.vectors.as_ref().filter(|own| own.fault.is_none()).map(|own| own.store.view()),
            graph: self.graph.view(),
            vector_health: self.vector_health(),
            word_health: self.word_health(),
        }
    }

    /// Builds the approximate nearest-neighbour graph over all vectors. Slow; false without a model or without the
    /// writer lock.
    pub fn build_ann(&mut self) -> Result<bool> {
        let is_read_only = self.read_only();
        match &mut self.vectors {
            Some(vectors) if !is_read_only => vectors.store.build_ann().map(|()| true),
            _ => Ok(false),
        }
    }

    /// The building of the nearest-neighbour graph as a task for another thread, where the graph is in use and is
    /// missing or outdated.
    pub fn ann_due(&self) -> Option<AnnWork> {
        let vectors = self.vectors.as_ref().filter(|_| !self.read_only() && self.successor.is_none())?;
        // While passages wait for vectors, a new graph would be outdated at once.
        let store = &vectors.store;
        (vectors.is_done(store.progress()) && store.ann_due()).then(|| store.ann_work())
    }

    /// Makes words durable and searchable. The other stores follow at the next checkpoint; until then the payload
    /// marks the word index as ahead.
    pub(super) fn commit_words(&mut self) -> Result<()> {
        let payload = payload(self.checkpoint, true, self.active(), &self.copies_seen);
        if let Words::Writer(store) = &mut self.words {
            store.commit(&payload)?;
        }
        Ok(())
    }

    /// Writes every store of a new checkpoint, then the commit point that names it, then deletes the old files. After
    /// a crash at any step either the old or the new checkpoint is intact. Does nothing after an interrupted sync,
    /// whose state is incomplete; the next sync completes it.
    pub fn checkpoint(&mut self) -> Result<()> {
        // Uncommitted words go with the commit that names the checkpoint.
        let words_whole = self.words_known || self.uncommitted;
        if !(words_whole && self.graph_known && self.vectors_known()) {
            return Ok(());
        }
        let active = self.active().cloned();
        self.checkpoint_for(active.as_ref())?;
        self.forget_other_models();
        Ok(())
    }

    /// Whether the active vectors have exactly the entries of the catalog.
    fn vectors_known(&self) -> bool {
        self.vectors.as_ref().is_none_or(|vectors| vectors.known)
    }

    /// A checkpoint that names this active model.
    pub(super) fn checkpoint_for(&mut self, active: Option<&ModelStamp>) -> Result<()> {
        if self.read_only() {
            return Ok(());
        }
        let next = checkpoint::after(self.checkpoint);
        self.catalog.write(&self.options.dir, next)?;
        self.graph.save(next)?;
        for vectors in self.vector_stores() {
            vectors.save(next)?;
        }
        if let Words::Writer(store) = &mut self.words {
            store.commit(&payload(next, false, active, &self.copies_seen))?;
        }
        Catalog::tidy(&self.options.dir, next);
        self.graph.tidy(next);
        for vectors in self.vector_stores() {
            vectors.tidy(next);
        }
        self.checkpoint = next;
        self.recorded = active.cloned();
        self.mark_known(true);
        (self.unsaved, self.behind) = (0, false);
        (self.uncommitted, self.fresh) = (false, None);
        Ok(())
    }

    /// A checkpoint, if there are changes since the last one.
    pub fn save(&mut self) -> Result<()> {
        if self.unsaved > 0 { self.checkpoint() } else { Ok(()) }
    }

    /// A checkpoint, if many passages have been embedded since the last one.
    pub fn checkpoint_many(&mut self) -> Result<()> {
        if self.is_checkpoint_due() { self.checkpoint() } else { Ok(()) }
    }

    /// Whether so much has changed since the last checkpoint that the next one must not wait until kioku is idle.
    pub(super) fn is_checkpoint_due(&self) -> bool {
        self.unsaved >= CHECKPOINT_FROM
    }

    /// Key and fingerprint of each entry in the word index, where it may differ from the catalog.
    pub(super) fn word_fingerprints(&self) -> Result<Option<KeyMap<u64>>> {
        if self.words_known { Ok(None) } else { self.words.view().fingerprints().map(Some) }
    }
}

/// Number of tries to open an index that another process keeps changing.
const OPEN_TRIES: usize = 8;

/// Removes the files of all checkpoints, and every other file outside the folders that are kept.
fn remove_checkpoints(dir: &Path) -> Result<()> {
    for path in super::listing(dir)? {
        let is_lock = path.extension().is_some_and(|extension| extension == "lock");
        let stays = is_lock && path.is_file()
            || path.is_dir() && (path.ends_with(WORDS) || path.ends_with(model_switch::FOLDER));
        match path.is_dir() {
            _ if stays => {}
            true => crate::journal::files::remove_dir(&path)?,
            false => crate::journal::files::remove(&path)?,
        }
    }
    Ok(())
}

/// The hint where nothing can be written.
fn advice(why: &IndexError) -> &'static str {
    if matches!(why, IndexError::Newer { .. }) {
        return super::NEWER_HINT;
    }
    let kind = match why {
        IndexError::Io { source, .. } | IndexError::Vault(VaultError::Io { source, .. }) => Some(source.kind()),
        IndexError::Vault(VaultError::UnsafeFile { .. }) => return "allow that link, or move it away",
        _ => None,
    };
    match kind {
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => "the disk is full, make room on it",
        Some(io::ErrorKind::ReadOnlyFilesystem) => "the disk is read-only",
        Some(io::ErrorKind::PermissionDenied) => "check who may write there",
        Some(io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists) => {
            "a file is in the place of a folder, move it away"
        }
        _ => "run `kioku index --rebuild` to rebuild it",
    }
}

/// Everything but the words, as of one commit.
struct OtherStores {
    /// The default where there was no commit.
    payload: Payload,
    catalog: Option<Catalog>,
    graph: GraphStore,
    /// Catalog and graph are intact.
    graph_known: bool,
    vectors: OpenedVectors,
    warnings: Vec<String>,
}

impl OtherStores {
    /// The three are independent, and each takes some time for 100,000 entries.
    fn open(options: &IndexOptions, payload: Option<&str>, active: Option<&ModelStamp>) -> Self {
        let payload = payload.and_then(|text| serde_json::from_str::<Payload>(text).ok());
        let checkpoint = payload.as_ref().map(|payload| payload.checkpoint);
        let payload = payload.unwrap_or_default();
        let recorded = payload.active.as_ref().or(active);
        let mut vector_warnings = Vec::new();
        let ((catalog, complaint), (graph, graph_complaint), vectors) = thread::scope(|scope| {
            let catalog = scope.spawn(|| load_catalog(&options.dir, checkpoint));
            let graph = scope.spawn(|| GraphStore::open(&options.dir, checkpoint));
            let vectors = model_switch::open(options, checkpoint, recorded, &mut vector_warnings);
            (end_of_thread(catalog), end_of_thread(graph), vectors)
        });
        let graph_known = catalog.is_some() && graph_complaint.is_none();
        let warnings = complaint.into_iter().chain(graph_complaint).chain(vector_warnings).collect();
        Self { payload, catalog, graph, graph_known, vectors, warnings }
    }
}

fn payload(checkpoint: u64, ahead: bool, active: Option<&ModelStamp>, copies: &[FileStamp]) -> String {
    // JSON has no wider numbers; the file of such a stamp is read at every start.
    let copies = copies.iter().filter(|stamp| i64::try_from(stamp.modified).is_ok()).cloned().collect();
    serde_json::json!(Payload { checkpoint, ahead, active: active.cloned(), copies }).to_string()
}

/// The catalog of the last commit, if it can be read; opens nothing else.
pub(super) fn filed_catalog(dir: &Path) -> Option<Catalog> {
    let payload = KeywordView::payload(&dir.join(WORDS))?;
    let payload: Payload = serde_json::from_str(&payload).ok()?;
    load_catalog(dir, Some(payload.checkpoint)).0
}

/// The second part is a warning.
fn load_catalog(dir: &Path, checkpoint: Option<u64>) -> (Option<Catalog>, Option<String>) {
    let Some(checkpoint) = checkpoint else { return (None, None) };
    match Catalog::read(dir, checkpoint) {
        Ok(catalog) => (Some(catalog), None),
        Err(_) if Catalog::is_older(dir, checkpoint) => (None, None),
        Err(error) => (None, Some(format!("the list of entries is rebuilt from the journal: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{index::testing, journal::NewEntry};

    #[test]
    fn who_reads_while_another_process_files_checkpoints_opens_the_one_that_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut writer) = testing::open(dir.path());
        vault.append(NewEntry { body: "Fog.".to_owned(), ..NewEntry::default() }).unwrap();
        writer.sync(&vault, &mut |_| true).unwrap();
        writer.checkpoint().unwrap();
        let first = writer.checkpoint;
        let options = writer.options.clone();
        let overtaking = Mutex::new(Some(writer));
        let open_words = |dir: &Path| {
            // Between reading the payload and opening, and again between opening the words and the rest.
            let mut writer = overtaking.lock().unwrap().take();
            writer.iter_mut().for_each(|writer| writer.checkpoint().unwrap());
            let opened = open_words(dir);
            writer.iter_mut().for_each(|writer| writer.checkpoint().unwrap());
            std::mem::forget(writer);
            opened
        };
        let (reader, _) = Index::open_with(options, None, open_words).unwrap();
        assert!(reader.read_only() && reader.words_known && reader.graph_known);
        assert!(reader.checkpoint > first);
        assert_eq!(reader.catalog().entries().len(), 1);
    }
}
