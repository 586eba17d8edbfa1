//! The writing side of the vector index: keeps vector file, passage table and graph consistent.

mod tabled;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
};

use sha2::{Digest, Sha256};

use super::{
    Ann, AnnState, AnnWork, Opened, VectorView,
    ann::AnnSlot,
    log::VectorLog,
    passage_table::{Holding, PassageTable, Place, TableEntry, TablePassage},
    table::{self, Table},
    word_log::WordLog,
    words,
};
use crate::{
    embed::{ModelStamp, Pieces, hex},
    index::{
        EntryKey, IndexError, Result,
        catalog::KeyMap,
        passage::{Passage, PassageHash},
    },
    journal::files,
};

/// `Ann::Auto` uses the graph from this many passages on: below, the scan is as fast.
const AUTO_FROM: usize = 100_000;

/// The writing side for one model.
pub struct VectorStore {
    dir: PathBuf,
    model: Arc<ModelStamp>,
    log: VectorLog,
    /// Only for a model with contextual words.
    words: Option<WordLog>,
    held: PassageTable,
    /// Passages without a vector, with their entries.
    wanted: HashMap<PassageHash, Vec<EntryKey>>,
    /// Entries with such passages, by their sequence number.
    waiting: BTreeMap<u64, EntryKey>,
    last_sequence: u64,
    /// The checkpoint of the complete table on disk, and the entries that changed since.
    base: Option<u64>,
    changed: HashSet<EntryKey>,
    ann: Ann,
    slot: Arc<AnnSlot>,
    loader: Option<JoinHandle<()>>,
}

impl VectorStore {
    /// Opens `dir/<first 16 digits of the model's checksum>/` and reads the table of `checkpoint`, or the newest
    /// intact one if that is not known. Writes nothing, so it is safe beside a writing process; the folder is created
    /// by the first write. Vectors whose checksum fails are dropped, others stay.
    ///
    /// A saved HNSW graph is verified and loaded on a thread of its own; views use it once it is loaded.
    pub fn open(dir: &Path, model: &ModelStamp, checkpoint: Option<u64>, ann: Ann) -> Result<(Self, Opened)> {
        let dir = dir.join(folder_name(&model.checksum));
        let (log, lost) = VectorLog::open(dir.join("vectors.bin"), model)?;
        let mut complaints = Vec::from_iter(lost);
        let words = model.in_sentence.then(|| {
            let (words, lost) = WordLog::open(dir.join("words.bin"), model, |hash| log.row(hash));
            complaints.extend(lost);
            words
        });
        let mut store = Self {
            dir,
            model: Arc::new(model.clone()),
            log,
            words,
            held: PassageTable::default(),
            wanted: HashMap::new(),
            waiting: BTreeMap::new(),
            last_sequence: 0,
            base: None,
            changed: HashSet::new(),
            ann,
            slot: Arc::default(),
            loader: None,
        };
        let mut opened = None;
        for checkpoint in checkpoint.map_or_else(|| table::checkpoints(&store.dir), |known| vec![known]) {
            match Table::read(&store.dir, checkpoint) {
                Ok(Some(table)) => {
                    store.take_table(table, checkpoint);
                    opened = Some(checkpoint);
                    break;
                }
                Ok(None) => {}
                Err(error) => complaints.push(error.to_string()),
            }
        }
        store.load_ann();
        let complaint = (!complaints.is_empty()).then(|| complaints.join("; "));
        Ok((store, Opened { checkpoint: opened, complaint }))
    }

    /// Removes folders in the places of a model's files.
    pub fn clear_the_way(dir: &Path) -> Result<()> {
        let listed = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in listed(dir).flat_map(|model| listed(&model).collect::<Vec<_>>()) {
            if path.is_dir() && path.extension().is_some_and(|extension| extension == "bin") {
                files::remove_dir(&path)?;
            }
        }
        Ok(())
    }

    pub fn model(&self) -> &ModelStamp {
        &self.model
    }

    /// Whether the vector file has no vectors.
    pub fn is_empty(&self) -> bool {
        self.log.rows.len() == 0
    }

    /// Deletes the folders of all other models but one. Errors are ignored: leftovers only take disk space.
    pub fn forget_other_models(&self, kept: Option<&ModelStamp>) {
        let (Some(dir), Some(own)) = (self.dir.parent(), self.dir.file_name()) else { return };
        let kept = kept.map(|model| folder_name(&model.checksum).to_owned());
        for folder in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let of_model = folder.file_name().to_str().is_some_and(|name| folder_name(name) == name);
            if of_model && folder.file_name() != own && kept.as_deref().is_none_or(|kept| folder.file_name() != kept) {
                let _ = std::fs::remove_dir_all(folder.path());
            }
        }
    }

    /// Key and fingerprint of every entry in the passage table.
    pub fn fingerprints(&self) -> KeyMap<u64> {
        self.held.iter().map(|(key, entry)| (key, entry.fingerprint)).collect()
    }

    pub fn remove(&mut self, key: EntryKey) {
        if self.take(key) {
            self.changed.insert(key);
        }
    }

    /// Registers an entry's passages (replacing older ones). Known vectors are used at once. Register entries oldest
    /// first: the last one is embedded first.
    pub fn set(&mut self, key: EntryKey, fingerprint: u64, passages: Vec<Passage>) {
        self.take(key);
        self.put(key, fingerprint, passages);
        self.changed.insert(key);
    }

    /// Adds an entry that is not in the table.
    pub(super) fn put(&mut self, key: EntryKey, fingerprint: u64, passages: Vec<Passage>) {
        self.last_sequence += 1;
        let place = |hash| self.log.row(hash).map_or(Place::Waits(hash), Place::Row);
        let passages: Arc<[TablePassage]> =
            passages.into_iter().map(|Passage { span, hash }| TablePassage { span, place: place(hash) }).collect();
        for passage in passages.iter() {
            if let Place::Waits(hash) = passage.place {
                let holders = self.wanted.entry(hash).or_default();
                if holders.last() != Some(&key) {
                    holders.push(key);
                }
                self.waiting.insert(self.last_sequence, key);
            }
        }
        self.held.put(key, TableEntry { fingerprint, sequence: self.last_sequence, passages });
    }

    pub(super) fn take(&mut self, key: EntryKey) -> bool {
        let Some(entry) = self.held.take(key) else { return false };
        self.waiting.remove(&entry.sequence);
        for passage in entry.passages.iter() {
            let Place::Waits(hash) = passage.place else { continue };
            if let Some(holders) = self.wanted.get_mut(&hash) {
                holders.retain(|holder| *holder != key);
                if holders.is_empty() {
                    self.wanted.remove(&hash);
                }
            }
        }
        true
    }

    /// Adds vectors durably. A wrong dimension, NaN or a wrong length is an error before anything is written. A zero
    /// vector means that the model could read nothing: it is stored, and never a hit.
    pub fn insert(&mut self, vectors: &[(PassageHash, Vec<f32>)]) -> Result<()> {
        for (_, vector) in vectors {
            check(vector, self.model.dimension)?;
        }
        let mut by_entry: KeyMap<HashMap<PassageHash, u32>> = KeyMap::default();
        for (hash, row) in self.log.append(vectors)? {
            for key in self.wanted.remove(&hash).unwrap_or_default() {
                by_entry.entry(key).or_default().insert(hash, row);
            }
        }
        // Once per entry, not per passage: a long entry has ten thousand of them.
        by_entry.into_iter().for_each(|(key, rows)| self.attach(key, &rows));
        Ok(())
    }

    /// Stores the word codes of passages durably; skips passages without a vector. Does nothing for a model without
    /// contextual words.
    pub fn insert_words(&mut self, read: &[(PassageHash, &str, Pieces)]) -> Result<()> {
        let Some(log) = &mut self.words else { return Ok(()) };
        let dimension = self.model.dimension;
        let with_row = read.iter().filter_map(|(hash, text, pieces)| {
            Some((self.log.row(*hash)?, *hash, words::coded(text, pieces, dimension)))
        });
        let rows: Vec<_> = with_row.collect();
        let hashes = &self.log.rows;
        log.append(&rows, &|row| ((row as usize) < hashes.len()).then(|| hashes.hash(row)))
    }

    /// Assigns new rows to the waiting passages of an entry.
    fn attach(&mut self, key: EntryKey, rows: &HashMap<PassageHash, u32>) {
        let Some(mut entry) = self.held.take(key) else { return };
        let with_row = |held: &TablePassage| match held.place {
            Place::Waits(hash) if rows.contains_key(&hash) => {
                TablePassage { place: Place::Row(rows[&hash]), ..held.clone() }
            }
            _ => held.clone(),
        };
        entry.passages = entry.passages.iter().map(with_row).collect();
        if entry.passages.iter().all(|held| held.place.row().is_some()) {
            self.waiting.remove(&entry.sequence);
        }
        // The table on disk does not have the row yet.
        self.changed.insert(key);
        self.held.put(key, entry);
    }

    /// The passages of an entry as they were registered.
    pub(super) fn passages_of(&self, entry: Holding<'_>) -> Vec<Passage> {
        entry.passages().map(|held| Passage { hash: self.hash(held.place), span: held.span }).collect()
    }

    /// The hash of a passage, with or without a vector.
    pub(super) fn hash(&self, place: Place) -> PassageHash {
        match place {
            Place::Row(row) => self.log.rows.hash(row),
            Place::Waits(hash) => hash,
        }
    }

    /// Deletes tables of other checkpoints, after the commit point. Errors are ignored: the next call tries again.
    pub fn tidy(&mut self, checkpoint: u64) {
        let keep = [Some(checkpoint), self.base];
        for other in table::checkpoints(&self.dir).into_iter().filter(|other| !keep.contains(&Some(*other))) {
            let _ = files::remove(&table::path(&self.dir, other));
        }
    }

    /// Removes vectors without an entry from the vector file: after a purge, when even a vector would reveal too
    /// much, or to save space. Older views stay valid; the HNSW graph has to be built again.
    pub fn forget_unheld(&mut self) -> Result<usize> {
        // The next table is complete: one of changes would leave the older table, which still lists the removed
        // entries.
        self.base = None;
        if self.log.rows.len() == self.held.live() && self.words.as_ref().is_none_or(WordLog::is_clean) {
            return Ok(0);
        }
        let held = self.held.clone();
        self.keep_rows(|row| held.owners(row).next().is_some())
    }

    /// Removes vectors whose lower planes are damaged: their passages are embedded again. Returns their number.
    pub fn drop_damaged(&mut self) -> Result<usize> {
        let rows = &self.log.rows;
        if (0..rows.len() as u32).all(|row| rows.is_sound(row)) {
            return Ok(0);
        }
        self.base = None;
        self.keep_rows(|_| true)
    }

    /// Removes all other rows, and damaged ones. Returns their number.
    fn keep_rows(&mut self, keep: impl Fn(u32) -> bool) -> Result<usize> {
        let before = self.log.rows.clone();
        let mut entries: Vec<_> = self.held.iter().collect();
        entries.sort_unstable_by_key(|(_, entry)| entry.sequence);
        let added = |(key, entry): (EntryKey, Holding<'_>)| (key, entry.fingerprint, self.passages_of(entry));
        let entries: Vec<_> = entries.into_iter().map(added).collect();
        let kept = self.log.retain(keep)?;
        // The rows are renumbered already, so entries must follow, even if the word file fails.
        let hash_of = |row: u32| ((row as usize) < before.len()).then(|| before.hash(row));
        let words_kept = self.words.as_mut().map_or(Ok(()), |words| words.retain(&kept, &hash_of));
        self.drop_graph();
        self.held = PassageTable::default();
        self.wanted.clear();
        self.waiting.clear();
        entries.into_iter().for_each(|(key, fingerprint, passages)| self.put(key, fingerprint, passages));
        words_kept?;
        Ok(before.len() - self.log.rows.len())
    }

    /// Up to `limit` passages to embed, each hash once: those without a vector, of the newest entry first, then those
    /// without word codes.
    pub fn missing(&self, limit: usize) -> Vec<(EntryKey, Passage)> {
        let mut missing = self.without_vector(limit);
        missing.extend(self.without_words().take(limit - missing.len()));
        missing
    }

    fn without_vector(&self, limit: usize) -> Vec<(EntryKey, Passage)> {
        let mut seen = HashSet::new();
        let newest = self.waiting.values().rev().filter_map(|key| Some((*key, self.held.find(*key)?)));
        newest
            .flat_map(|(key, entry)| entry.passages().map(move |passage| (key, passage)))
            .filter_map(|(key, held)| match held.place {
                Place::Waits(hash) => Some((key, Passage { span: held.span, hash })),
                Place::Row(_) => None,
            })
            .filter(|(_, passage)| seen.insert(passage.hash))
            .take(limit)
            .collect()
    }

    /// Passages with a vector and without word codes, the last row first: from a version before word codes, or after
    /// damage.
    fn without_words(&self) -> impl Iterator<Item = (EntryKey, Passage)> {
        let words = self.words.as_ref().filter(|words| words.fault().is_none());
        words.into_iter().flat_map(move |words| {
            let lacking = (0..self.log.rows.len() as u32).rev().filter(|row| !words.file().has(*row));
            lacking.filter_map(|row| {
                let owner = self.held.owners(row).next()?;
                Some((owner.key, Passage { span: owner.span, hash: self.log.rows.hash(row) }))
            })
        })
    }

    /// Number of distinct passages to embed: see [`VectorStore::missing`].
    pub fn lacking(&self) -> usize {
        self.wanted.len() + self.without_words().count()
    }

    /// Number of distinct passages with word codes, and of all; `None` for a model without contextual words. The
    /// error says why none can be stored.
    pub fn word_progress(&self) -> Option<Result<(usize, usize), &str>> {
        let words = self.words.as_ref()?;
        let of = self.progress().1;
        Some(words.fault().map_or_else(|| Ok((of - self.lacking(), of)), Err))
    }

    /// Number of distinct passages with a vector, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.held.live(), self.held.live() + self.wanted.len())
    }

    /// Whether no process has written vectors since they were opened here.
    pub fn is_as_opened(&self) -> bool {
        self.log.is_as_opened()
    }

    /// The folder of this model's vectors.
    pub fn folder(&self) -> &Path {
        &self.dir
    }

    fn drop_graph(&mut self) {
        self.slot = Arc::default();
        self.loader = None;
        // The dump no longer fits and has the removed vectors in it.
        let _ = std::fs::remove_dir_all(self.dir.join("ann"));
    }

    fn uses_graph(&self) -> bool {
        match self.ann {
            Ann::Off => false,
            Ann::On => true,
            Ann::Auto => self.held.live() >= AUTO_FROM,
        }
    }

    fn load_ann(&mut self) {
        let work = self.ann_work();
        if !self.uses_graph() || !work.has_dump() {
            return;
        }
        self.slot.set_state(AnnState::Loading);
        let loading = std::thread::Builder::new().name("vector graph".into()).spawn(move || work.load());
        match loading {
            Ok(loader) => self.loader = Some(loader),
            Err(error) => self.slot.set_state(AnnState::Failed(error.to_string())),
        }
    }

    /// Waits until a saved graph is loaded or rejected.
    pub fn wait_for_ann(&mut self) {
        if let Some(loader) = self.loader.take() {
            // A panic of the loader is stored as a failed state.
            let _ = loader.join();
        }
    }

    #[cfg(test)]
    pub fn ann_state(&self) -> AnnState {
        self.slot.state()
    }

    /// Whether the graph should be built now: the configuration uses it, and there is none, or more than a fifth of
    /// the vectors were added or removed since it was built.
    pub fn ann_due(&self) -> bool {
        if !self.uses_graph() || self.held.live() == 0 {
            return false;
        }
        match self.slot.state() {
            AnnState::Loading | AnnState::Building => false,
            AnnState::Absent | AnnState::Failed(_) => true,
            AnnState::Ready { rows } => (self.log.rows.len() - rows.min(self.log.rows.len())) * 5 > rows,
        }
    }

    /// The building of the HNSW graph as a task for another thread; the store can be used meanwhile.
    pub fn ann_work(&self) -> AnnWork {
        AnnWork {
            dir: self.dir.join("ann"),
            model: self.model.clone(),
            rows: self.log.rows.clone(),
            slot: self.slot.clone(),
        }
    }

    /// Builds the HNSW graph over all vectors and saves a verified dump. Slow; call it on a worker, or send
    /// [`VectorStore::ann_work`] to one.
    pub fn build_ann(&mut self) -> Result<()> {
        self.wait_for_ann();
        self.ann_work().build(&mut |_, _| true).map(drop)
    }

    /// A view of the current state. Copies some thousand pointers, whatever the size of the journal.
    pub fn view(&self) -> Arc<VectorView> {
        Arc::new(VectorView {
            model: self.model.clone(),
            rows: self.log.rows.clone(),
            held: self.held.clone(),
            words: self.words.as_ref().filter(|words| words.fault().is_none()).map(|words| words.file().clone()),
            missing: self.wanted.len(),
            ann: self.uses_graph().then(|| self.slot.clone()),
        })
    }
}

/// Rejects invalid output of an encoder.
fn check(vector: &[f32], dimension: usize) -> Result<()> {
    let fault = |reason: String| Err(IndexError::Vector(reason));
    if vector.len() != dimension {
        return fault(format!("a vector of {} components where the model has {dimension}", vector.len()));
    }
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    let sound = length == 0.0 || (length - 1.0).abs() < 1e-3;
    if !sound {
        return fault(format!("a vector of length {length} where 1 is needed"));
    }
    Ok(())
}

/// The first 16 hex digits of a checksum; of its hash where it is not hex.
pub(super) fn folder_name(checksum: &str) -> String {
    match checksum.get(..16) {
        Some(start) if start.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) => start.to_owned(),
        _ => hex(&Sha256::digest(checksum)[..8]),
    }
}
