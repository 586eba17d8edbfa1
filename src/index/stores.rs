//! The three stores and the catalog behind one commit point.
//!
//! tantivy's commit is the commit point; its payload names the checkpoint of the other stores' files, which are
//! written and fsynced before it. Between checkpoints the word index may run ahead of the files of its checkpoint
//! (a save commits words alone, in milliseconds): the payload then says so, and the next opening compares what
//! it holds with the vault instead of trusting the catalog.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use serde::{Deserialize, Serialize};

use super::{
    Catalog, EntryKey, IndexError, LegHealth, Snapshot,
    answers::Answers,
    catalog::KeyMap,
    end_of_thread,
    graph::GraphStore,
    keyword::{KeywordStore, KeywordView},
    model_switch::{self, OpenedVectors, Successor},
    sync::CHECKPOINT_FROM,
    vector::{Ann, AnnWork, VectorStore},
    words::{OpenedWords, WORDS, Words, open_words, words_to_read},
};
use crate::{
    embed::ModelStamp,
    journal::{FileStamp, VaultError},
};

/// What one index is made over.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// `.index/<machine>`.
    pub dir: PathBuf,
    /// `None` leaves the meaning leg out.
    pub model: Option<ModelStamp>,
    pub ann: Ann,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Payload {
    #[serde(rename = "generation")]
    checkpoint: u64,
    /// Words were committed after the other stores' files of this checkpoint.
    ahead: bool,
    /// The model whose vectors serve, or did last.
    #[serde(default)]
    serving: Option<ModelStamp>,
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
    /// The word index was given changes that it has not committed: until then it is not known to hold what the catalog describes.
    pub(super) uncommitted: bool,
    /// Entries that are not in the last commit of the word index, searched in memory beside it: what is uncommitted, or what the
    /// process that writes has not committed. `None` where there are none.
    pub(super) fresh: Option<KeywordView>,
    pub(super) graph: GraphStore,
    /// Those that answer searches.
    pub(super) vectors: Option<VectorStore>,
    /// Those of the model that was chosen meanwhile.
    pub(super) successor: Option<Successor>,
    /// The model that the last commit point names.
    pub(super) recorded: Option<ModelStamp>,
    /// A store that the catalog does not describe is compared with the vault entry by entry.
    pub(super) words_known: bool,
    pub(super) graph_known: bool,
    pub(super) vectors_known: bool,
    /// Changes since the last checkpoint.
    pub(super) unsaved: usize,
    /// Some of them were made by a program that has ended: every start does them again until they are in a checkpoint.
    pub(super) behind: bool,
    pub(super) vector_fault: Option<String>,
    /// Passages whose text could not be found again; not asked for twice.
    pub(super) unreadable: usize,
    /// See `bodies` in `meaning`.
    pub(super) long_body: Option<(EntryKey, Arc<str>)>,
    /// The notes on entities as they were when last read.
    pub(super) notes_read: Option<Vec<FileStamp>>,
    /// The files of second copies as they were when they were last compared with the day files: all that was open in them is in
    /// the catalog or the word index, or in the trash.
    pub(super) copies_seen: Vec<FileStamp>,
    /// What a language model answered.
    pub(super) answers: Answers,
    /// Why nothing can be written, where that is no other process.
    pub(super) unwritable: Option<String>,
}

impl Index {
    /// Opens what is there. The second value tells, in words, what was damaged and will be rebuilt at the next
    /// sync; never an error where a rebuild can help. Where nothing can be written, it is opened to be read.
    pub fn open(options: IndexOptions) -> Result<(Self, Vec<String>), IndexError> {
        match Self::open_to_write(options.clone(), None) {
            Err(error) => Self::open_to_read(options, &error),
            opened => opened,
        }
    }

    /// `serving` stands in where no commit point can say whose vectors serve.
    fn open_to_write(options: IndexOptions, serving: Option<ModelStamp>) -> Result<(Self, Vec<String>), IndexError> {
        crate::journal::files::create_dir(&options.dir)?;
        Self::open_with(options, serving, open_words)
    }

    /// What can be read of it, and nothing written: what is missing or newer is searched in memory. `why` it cannot be written.
    pub(super) fn open_to_read(options: IndexOptions, why: &IndexError) -> Result<(Self, Vec<String>), IndexError> {
        // What else is amiss is made again in memory: why nothing can be written says enough.
        let (mut index, _) = Self::open_with(options, None, words_to_read)?;
        index.unwritable = Some(format!("{why} · {}", advice(why)));
        let warnings =
            format!("the index cannot be written, new entries are searched in memory: {why} · {}", advice(why));
        Ok((index, vec![warnings]))
    }

    fn open_with(
        options: IndexOptions,
        serving: Option<ModelStamp>,
        open_words: impl Fn(&Path) -> Result<OpenedWords, IndexError> + Sync,
    ) -> Result<(Self, Vec<String>), IndexError> {
        let mut tries = OPEN_TRIES;
        loop {
            let (index, glance, warnings) = Self::open_once(options.clone(), serving.clone(), &open_words)?;
            tries -= 1;
            // The process that writes may have filed the next checkpoint, and deleted the files of the one that was being opened.
            // Without them everything would be read again, in memory.
            let is_overtaken = index.read_only()
                && !(index.graph_known && index.vectors_known)
                && KeywordView::payload(&index.options.dir.join(WORDS)) != glance;
            if tries == 0 || !is_overtaken {
                return Ok((index, warnings));
            }
        }
    }

    /// The second part is the payload of the last commit as the opening began.
    fn open_once(
        options: IndexOptions,
        serving: Option<ModelStamp>,
        open_words: &(impl Fn(&Path) -> Result<OpenedWords, IndexError> + Sync),
    ) -> Result<(Self, Option<String>, Vec<String>), IndexError> {
        let mut warnings = Vec::new();
        let words_dir = options.dir.join(WORDS);
        // Words take as long as any other: the rest is opened meanwhile, for the commit that is there now.
        let glance = KeywordView::payload(&words_dir);
        let (words, opened) = thread::scope(|scope| {
            let words = scope.spawn(|| open_words(&words_dir));
            let beside = Beside::open(&options, glance.as_deref(), serving.as_ref());
            (end_of_thread(words), beside)
        });
        let (words, committed, complaint) = words?;
        warnings.extend(complaint);
        // Damaged and made anew, or another process has committed or embedded meanwhile.
        let (found, _) = &opened.vectors;
        let stores = found.serving.iter().chain(found.successor.as_ref().map(|successor| &successor.store));
        let current = committed == glance && stores.into_iter().all(VectorStore::is_as_opened);
        let Beside { payload, catalog, graph, vectors: opened, complaints } = match current {
            true => opened,
            false => Beside::open(&options, committed.as_deref(), serving.as_ref()),
        };
        let [complaint, graph_complaint] = complaints;
        let checkpoint = payload.as_ref().map(|payload| payload.checkpoint);
        let recorded = payload.as_ref().and_then(|payload| payload.serving.clone()).or(serving);
        let copies_seen = payload.as_ref().map(|payload| payload.copies.clone()).unwrap_or_default();
        let (opened, vector_complaints) = opened;
        let graph_sound = graph_complaint.is_none();
        if matches!(words, Words::Writer(_)) {
            warnings.extend(complaint);
            warnings.extend(graph_complaint.filter(|_| checkpoint.is_some()));
            warnings.extend(vector_complaints);
        } else {
            // Whoever writes is making it anew just now, and says so itself.
            warnings.clear();
        }
        let catalog_known = catalog.is_some();
        let graph_known = catalog_known && graph_sound && checkpoint.is_some();
        let OpenedVectors { serving: vectors, known: vectors_known, fault: vector_fault, successor } = opened;
        // Who only reads embeds nothing.
        let mut successor = successor.filter(|_| matches!(words, Words::Writer(_)));
        if let Some(successor) = &mut successor {
            successor.known &= catalog_known;
        }
        let index = Self {
            options,
            checkpoint: checkpoint.unwrap_or(0),
            catalog: Arc::new(catalog.unwrap_or_default()),
            words,
            uncommitted: false,
            fresh: None,
            graph,
            vectors,
            successor,
            recorded,
            words_known: catalog_known && payload.is_some_and(|payload| !payload.ahead),
            graph_known,
            vectors_known: vectors_known && catalog_known,
            unsaved: 0,
            behind: false,
            vector_fault,
            unreadable: 0,
            long_body: None,
            notes_read: None,
            // Without a catalog nothing watches over what was compared.
            copies_seen: if catalog_known { copies_seen } else { Vec::new() },
            answers: Answers::default(),
            unwritable: None,
        };
        Ok((index, glance, warnings))
    }

    /// Looks again at what the writing process has committed, or becomes the writer if it has gone.
    pub(super) fn reopen(&mut self) -> Result<Vec<String>, IndexError> {
        let (index, mut warnings) = Self::open(self.options.clone())?;
        if index.unwritable == self.unwritable && index.unwritable.is_some() {
            warnings.clear();
        }
        *self = index;
        Ok(warnings)
    }

    /// Goes on as one that only reads: `why` nothing can be written.
    pub(super) fn read_from_here_on(&mut self, why: &IndexError) -> Result<Vec<String>, IndexError> {
        self.let_go()?;
        let (index, warnings) = Self::open_to_read(self.options.clone(), why)?;
        *self = index;
        Ok(warnings)
    }

    /// Throws the words away, whose files do not let a commit pass.
    pub(super) fn words_anew(&mut self) -> Result<(), IndexError> {
        self.let_go()?;
        KeywordStore::delete_all(&self.options.dir.join(WORDS))?;
        let serving = self.serving().cloned();
        let (index, _) = Self::open_to_write(self.options.clone(), serving)?;
        *self = index;
        Ok(())
    }

    /// Lets go of the writer and what it has not committed.
    fn let_go(&mut self) -> Result<(), IndexError> {
        self.words = Words::Reader(KeywordView::in_memory([])?);
        (self.uncommitted, self.fresh) = (false, None);
        Ok(())
    }

    /// Deletes every derived file but the vectors, which are keyed by their text and cost the most. The next sync
    /// makes the rest anew.
    pub fn rebuild(self) -> Result<(Self, Vec<String>), IndexError> {
        let options = self.options.clone();
        let serving = self.serving().cloned();
        // What it cannot write any more is what is made anew.
        drop(self.close());
        KeywordStore::delete_all_and(&options.dir.join(WORDS), || {
            remove_checkpoints(&options.dir)?;
            VectorStore::clear_the_way(&options.dir.join(model_switch::FOLDER))
        })?;
        let (mut index, mut warnings) = Self::open_to_write(options, serving)?;
        if index.read_only() {
            return Err(index.refusal());
        }
        warnings.extend(index.mend()?);
        Ok((index, warnings))
    }

    /// Takes damaged vectors out, so that their passages are read again. Reads them all. Says how many there were.
    pub fn mend(&mut self) -> Result<Option<String>, IndexError> {
        if self.read_only() {
            return Ok(None);
        }
        let mut mended = 0;
        for vectors in self.vector_stores() {
            mended += vectors.mend()?;
        }
        Ok((mended > 0).then(|| format!("{mended} damaged vectors are made again from the text")))
    }

    /// Ends the writer after its merges, and makes permanent what every start would do again.
    pub fn close(mut self) -> Result<(), IndexError> {
        self.catch_up()?;
        match self.words {
            Words::Writer(store) => store.close(),
            Words::Reader(_) => Ok(()),
        }
    }

    /// As [`Index::close`], for a program that ends: the memory of all else goes with it. To free it piece by piece takes a
    /// tenth of a second for 100,000 entries.
    pub fn leave(mut self) -> Result<(), IndexError> {
        self.catch_up()?;
        let Self { words, catalog, graph, vectors, successor, answers, .. } = self;
        std::mem::forget((catalog, graph, vectors, successor, answers));
        match words {
            Words::Writer(store) => store.close(),
            Words::Reader(_) => Ok(()),
        }
    }

    /// Whether every start would do some of its work again until it is filed, or the next one what is not committed.
    pub fn is_behind(&self) -> bool {
        self.behind || self.uncommitted
    }

    /// Words that do not let a commit pass are thrown away: the next start makes them anew.
    fn catch_up(&mut self) -> Result<(), IndexError> {
        let written = if self.behind { self.checkpoint() } else { self.commit() };
        if let Err(IndexError::Damaged { .. } | IndexError::Keyword(_)) = &written {
            self.let_go()?;
            KeywordStore::delete_all(&self.options.dir.join(WORDS))?;
        }
        written
    }

    /// Whether another process holds the writer, or nothing can be written: this one reads, and keeps what is new in memory.
    pub fn read_only(&self) -> bool {
        matches!(self.words, Words::Reader(_))
    }

    /// Why nothing can be written, where that is no other process.
    pub fn unwritable(&self) -> Option<&str> {
        self.unwritable.as_deref()
    }

    /// What to answer to who must write while this is [`Index::read_only`].
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

    /// An immutable view over all stores as they are now.
    pub fn snapshot(&mut self) -> Result<Snapshot, IndexError> {
        let keyword = match &self.words {
            Words::Writer(store) if self.words_known => store.view()?.listed_in(&self.catalog),
            Words::Writer(store) => store.view()?,
            Words::Reader(view) => view.clone(),
        };
        Ok(Snapshot {
            checkpoint: self.checkpoint,
            keyword,
            catalog: self.catalog.clone(),
            fresh: self.fresh.clone(),
            vectors: self.vectors.as_ref().filter(|_| self.vector_fault.is_none()).map(VectorStore::view),
            graph: self.graph.view(),
            keyword_health: LegHealth::Ready,
            vector_health: self.vector_health(),
            graph_health: LegHealth::Ready,
            word_health: self.word_health(),
        })
    }

    /// Builds the approximate neighbour graph over all vectors. Long; false without a model or without the writer.
    pub fn build_ann(&mut self) -> Result<bool, IndexError> {
        match &mut self.vectors {
            Some(vectors) if matches!(self.words, Words::Writer(_)) => vectors.build_ann().map(|()| true),
            _ => Ok(false),
        }
    }

    /// The building of the neighbour graph as work for another thread, where it is in use and there is none or an old one.
    pub fn ann_due(&self) -> Option<AnnWork> {
        let vectors = self.vectors.as_ref().filter(|_| !self.read_only() && self.successor.is_none())?;
        // While passages wait for vectors the graph would be old as soon as it is built.
        let (done, of) = vectors.progress();
        (done + self.unreadable >= of && vectors.ann_due()).then(|| vectors.ann_work())
    }

    /// Makes words durable and searchable. The other stores follow at the next checkpoint; until then the payload
    /// says that words run ahead.
    pub(super) fn commit_words(&mut self) -> Result<(), IndexError> {
        let payload = payload(self.checkpoint, true, self.serving(), &self.copies_seen);
        if let Words::Writer(store) = &mut self.words {
            store.commit(&payload)?;
        }
        Ok(())
    }

    /// Writes every store of a new checkpoint, then the commit point that names it, then deletes the old files.
    /// A crash at any step leaves the old checkpoint, or the new one, whole. Nothing where a sync was cut: what lies between two
    /// states is not called whole, the next sync makes it so.
    pub fn checkpoint(&mut self) -> Result<(), IndexError> {
        // What is still to be committed goes with the commit that names the checkpoint.
        let words_whole = self.words_known || self.uncommitted;
        if !(words_whole && self.graph_known && self.vectors_known) {
            return Ok(());
        }
        let serving = self.serving().cloned();
        self.checkpoint_for(serving.as_ref())?;
        self.forget_other_models();
        Ok(())
    }

    /// A checkpoint that names `serving` as the model whose vectors serve from now on.
    pub(super) fn checkpoint_for(&mut self, serving: Option<&ModelStamp>) -> Result<(), IndexError> {
        if self.read_only() {
            return Ok(());
        }
        let next = self.checkpoint + 1;
        self.catalog.write(&self.options.dir, next)?;
        self.graph.save(next)?;
        for vectors in self.vector_stores() {
            vectors.save(next)?;
        }
        if let Words::Writer(store) = &mut self.words {
            store.commit(&payload(next, false, serving, &self.copies_seen))?;
        }
        Catalog::tidy(&self.options.dir, next);
        self.graph.tidy(next);
        for vectors in self.vector_stores() {
            vectors.tidy(next);
        }
        self.checkpoint = next;
        self.recorded = serving.cloned();
        self.mark_known(true);
        (self.unsaved, self.behind) = (0, false);
        (self.uncommitted, self.fresh) = (false, None);
        Ok(())
    }

    /// A checkpoint where many passages have been embedded since the last one.
    pub fn checkpoint_many(&mut self) -> Result<(), IndexError> {
        if self.is_checkpoint_due() { self.checkpoint() } else { Ok(()) }
    }

    /// Whether so much has changed since the last checkpoint that the next one does not wait for a quiet moment.
    pub(super) fn is_checkpoint_due(&self) -> bool {
        self.unsaved >= CHECKPOINT_FROM
    }

    /// How many changed entries and embedded passages a checkpoint would make permanent.
    pub fn unsaved(&self) -> usize {
        self.unsaved
    }

    /// Which entries the word index holds, where the catalog does not describe it.
    pub(super) fn held_words(&self) -> Result<Option<KeyMap<u64>>, IndexError> {
        match &self.words {
            Words::Writer(store) if !self.words_known => store.held().map(Some),
            _ => Ok(None),
        }
    }
}

/// How often an index is opened that another process keeps changing meanwhile.
const OPEN_TRIES: usize = 8;

/// Removes the files of all checkpoints, and every other file beside the folders that are kept.
fn remove_checkpoints(dir: &Path) -> Result<(), IndexError> {
    let fault = |source| IndexError::Io { operation: "list", path: dir.to_path_buf(), source };
    for file in std::fs::read_dir(dir).map_err(fault)? {
        let path = file.map_err(fault)?.path();
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

/// What to do where nothing can be written.
fn advice(why: &IndexError) -> &'static str {
    if matches!(why, IndexError::Newer { .. }) {
        return super::NEWER_HINT;
    }
    let kind = match why {
        IndexError::Io { source, .. } | IndexError::Vault(VaultError::Io { source, .. }) => Some(source.kind()),
        _ => None,
    };
    match kind {
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => "the disk is full, make room on it",
        Some(io::ErrorKind::ReadOnlyFilesystem) => "the disk is read-only",
        Some(io::ErrorKind::PermissionDenied) => "check who may write there",
        Some(io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists) => {
            "a file stands where a folder belongs, move it away"
        }
        _ => "`kioku index --rebuild` makes it anew",
    }
}

/// Everything but the words, as one commit has it.
struct Beside {
    payload: Option<Payload>,
    catalog: Option<Catalog>,
    graph: GraphStore,
    vectors: (OpenedVectors, Vec<String>),
    /// Of catalog and graph.
    complaints: [Option<String>; 2],
}

impl Beside {
    /// The three know nothing of one another, and each takes some time for 100,000 entries.
    fn open(options: &IndexOptions, payload: Option<&str>, serving: Option<&ModelStamp>) -> Self {
        let payload = payload.and_then(|text| serde_json::from_str::<Payload>(text).ok());
        let checkpoint = payload.as_ref().map(|payload| payload.checkpoint);
        let recorded = payload.as_ref().and_then(|payload| payload.serving.as_ref()).or(serving);
        thread::scope(|scope| {
            let catalog = scope.spawn(|| load_catalog(&options.dir, checkpoint));
            let graph = scope.spawn(|| GraphStore::open(&options.dir, checkpoint));
            let mut warnings = Vec::new();
            let vectors = model_switch::open(options, checkpoint, recorded, &mut warnings);
            let ((catalog, complaint), (graph, graph_complaint)) = (end_of_thread(catalog), end_of_thread(graph));
            let complaints = [complaint, graph_complaint];
            Self { payload: payload.clone(), catalog, graph, vectors: (vectors, warnings), complaints }
        })
    }
}

fn payload(checkpoint: u64, ahead: bool, serving: Option<&ModelStamp>, copies: &[FileStamp]) -> String {
    // JSON has no wider numbers; the file of such a stamp is read at every start.
    let copies: Vec<_> = copies.iter().filter(|stamp| i64::try_from(stamp.modified).is_ok()).collect();
    serde_json::json!({ "generation": checkpoint, "ahead": ahead, "serving": serving, "copies": copies }).to_string()
}

/// The catalog of the last commit, where there is one that reads; nothing else is opened.
pub(super) fn filed_catalog(dir: &Path) -> Option<Catalog> {
    let payload = KeywordView::payload(&dir.join(WORDS))?;
    let payload: Payload = serde_json::from_str(&payload).ok()?;
    load_catalog(dir, Some(payload.checkpoint)).0
}

/// The second part is a complaint.
fn load_catalog(dir: &Path, checkpoint: Option<u64>) -> (Option<Catalog>, Option<String>) {
    let Some(checkpoint) = checkpoint else { return (None, None) };
    match Catalog::read(dir, checkpoint) {
        Ok(catalog) => (Some(catalog), None),
        Err(_) if Catalog::is_older(dir, checkpoint) => (None, None),
        Err(error) => (None, Some(format!("the list of entries is read anew from the journal: {error}"))),
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
        let options = writer.options.clone();
        let overtaking = Mutex::new(Some(writer));
        let open_words = |dir: &Path| {
            // Between the first look and the opening, and again between the opening of the words and of the rest.
            let mut writer = overtaking.lock().unwrap().take();
            writer.iter_mut().for_each(|writer| writer.checkpoint().unwrap());
            let opened = open_words(dir);
            writer.iter_mut().for_each(|writer| writer.checkpoint().unwrap());
            std::mem::forget(writer);
            opened
        };
        let (reader, _) = Index::open_with(options, None, open_words).unwrap();
        assert!(reader.read_only() && reader.words_known && reader.graph_known);
        assert_eq!((reader.catalog().entries().len(), reader.checkpoint), (1, 4));
    }
}
