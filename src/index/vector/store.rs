//! The writing side: keeps vector file, passage table and graph in step.

mod unread;

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
    held::{Entries, HeldEntry, HeldPassage, Owner, Owners},
    log::VectorLog,
    table::{self, Table, Told},
    word_log::WordLog,
    words,
};
use crate::{
    embed::{ModelStamp, Pieces, hex},
    index::{
        EntryKey, IndexError,
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
    /// Present where the model reads words in their sentence.
    words: Option<WordLog>,
    entries: Entries,
    owners: Owners,
    /// Passages without a vector, with the entries that hold them.
    wanted: HashMap<PassageHash, Vec<EntryKey>>,
    /// Entries with such passages, by when they were told.
    waiting: BTreeMap<u64, EntryKey>,
    last_told: u64,
    /// The whole table on disk, and the entries that changed since.
    base: Option<u64>,
    changed: HashSet<EntryKey>,
    ann: Ann,
    slot: Arc<AnnSlot>,
    loader: Option<JoinHandle<()>>,
}

impl VectorStore {
    /// Opens `dir/<first 16 digits of the model's checksum>/` and reads the table of `generation`, or the newest whole
    /// one if that is not known. Writes nothing, so a reader beside a writing process does no harm; the folder is made
    /// at the first write. Vectors whose checksum fails are dropped, others stay.
    ///
    /// A kept HNSW graph is verified and loaded on a thread of its own; views use it once it is there.
    pub fn open(
        dir: &Path,
        model: &ModelStamp,
        generation: Option<u64>,
        ann: Ann,
    ) -> Result<(Self, Opened), IndexError> {
        let dir = dir.join(folder_name(&model.checksum));
        let (log, mut complaint) = VectorLog::open(dir.join("vectors.bin"), model)?;
        let words = model.in_sentence.then(|| {
            let (words, lost) = WordLog::open(dir.join("words.bin"), model, |hash| log.row(hash));
            complaint = joined(complaint.take(), lost);
            words
        });
        let mut store = Self {
            dir,
            model: Arc::new(model.clone()),
            log,
            words,
            entries: Entries::default(),
            owners: Owners::default(),
            wanted: HashMap::new(),
            waiting: BTreeMap::new(),
            last_told: 0,
            base: None,
            changed: HashSet::new(),
            ann,
            slot: Arc::default(),
            loader: None,
        };
        let mut opened = None;
        for generation in generation.map_or_else(|| table::generations(&store.dir), |known| vec![known]) {
            match Table::read_whole(&store.dir, generation) {
                Ok(Some((table, base))) => {
                    store.take_table(table, base, generation);
                    opened = Some(generation);
                    break;
                }
                Ok(None) => {}
                Err(error) => {
                    complaint = joined(complaint, Some(error.to_string()));
                }
            }
        }
        store.load_ann();
        Ok((store, Opened { generation: opened, complaint }))
    }

    fn take_table(&mut self, table: Table, base: u64, generation: u64) {
        self.base = Some(base);
        for told in table.told {
            self.put(told.key, told.fingerprint, told.passages);
        }
        // What a table of changes lists has to be listed by the next one too.
        if base != generation
            && let Ok(Some(changes)) = Table::read(&self.dir, generation)
        {
            self.changed = changes.removed.into_iter().chain(changes.told.into_iter().map(|told| told.key)).collect();
        }
    }

    pub fn model(&self) -> &ModelStamp {
        &self.model
    }

    /// Whether its file has no vector at all.
    pub fn is_empty(&self) -> bool {
        self.log.rows.len() == 0
    }

    /// Deletes the folders of every other model beside this one's. They cost disk, not truth: failures are ignored.
    pub fn forget_other_models(&self) {
        let (Some(dir), Some(own)) = (self.dir.parent(), self.dir.file_name()) else { return };
        for folder in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let of_model = folder.file_name().to_str().is_some_and(|name| folder_name(name) == name);
            if of_model && folder.file_name() != own {
                let _ = std::fs::remove_dir_all(folder.path());
            }
        }
    }

    /// Which entries in which state the passage table holds.
    pub fn held(&self) -> KeyMap<u64> {
        self.entries.iter().map(|(key, entry)| (key, entry.fingerprint)).collect()
    }

    pub fn remove(&mut self, key: EntryKey) {
        if self.take(key) {
            self.changed.insert(key);
        }
    }

    /// Tells an entry's passages (replacing older ones). Known vectors serve at once. Tell entries oldest first: what
    /// was told last is embedded first.
    pub fn set(&mut self, key: EntryKey, fingerprint: u64, passages: Vec<Passage>) {
        self.take(key);
        self.put(key, fingerprint, passages.into_iter().map(|passage| (passage, None)));
        self.changed.insert(key);
    }

    /// Each passage with the row it had when last looked at.
    fn put(
        &mut self,
        key: EntryKey,
        fingerprint: u64,
        passages: impl IntoIterator<Item = (Passage, Option<u32>), IntoIter: ExactSizeIterator>,
    ) {
        self.last_told += 1;
        let held: Arc<[HeldPassage]> = passages
            .into_iter()
            .map(|(Passage { span, hash }, row)| HeldPassage { row: self.log.row_near(hash, row), span, hash })
            .collect();
        for passage in held.iter() {
            match passage.row {
                Some(row) => self.owners.add(row, Owner { key, span: passage.span.clone() }),
                None => {
                    let holders = self.wanted.entry(passage.hash).or_default();
                    if holders.last() != Some(&key) {
                        holders.push(key);
                    }
                    self.waiting.insert(self.last_told, key);
                }
            }
        }
        self.entries.put(key, HeldEntry { fingerprint, told: self.last_told, passages: held });
    }

    fn take(&mut self, key: EntryKey) -> bool {
        let Some(entry) = self.entries.take(key) else { return false };
        self.waiting.remove(&entry.told);
        for passage in entry.passages.iter() {
            if let Some(row) = passage.row {
                self.owners.remove(row, key);
            } else if let Some(holders) = self.wanted.get_mut(&passage.hash) {
                holders.retain(|holder| *holder != key);
                if holders.is_empty() {
                    self.wanted.remove(&passage.hash);
                }
            }
        }
        true
    }

    /// Adds vectors, durably. Wrong dimension, NaN or a wrong length is an error before anything is written.
    /// An all-zero vector means "nothing readable": kept, never a hit.
    pub fn insert(&mut self, vectors: &[(PassageHash, Vec<f32>)]) -> Result<(), IndexError> {
        for (_, vector) in vectors {
            check(vector, self.model.dimension)?;
        }
        for (hash, row) in self.log.append(vectors)? {
            for key in self.wanted.remove(&hash).unwrap_or_default() {
                self.attach(key, hash, row);
            }
        }
        Ok(())
    }

    /// Keeps the words of passages as the model read them, durably; passages without a vector are passed over. Nothing is done
    /// where the model knows words out of any text only.
    pub fn insert_words(&mut self, read: &[(PassageHash, &str, Pieces)]) -> Result<(), IndexError> {
        let Some(log) = &mut self.words else { return Ok(()) };
        let dimension = self.model.dimension;
        let with_row = read.iter().filter_map(|(hash, text, pieces)| {
            Some((self.log.row(*hash)?, *hash, words::coded(text, pieces, dimension)))
        });
        let rows: Vec<_> = with_row.collect();
        log.append(&rows, &self.log.hashes)
    }

    /// Lets a passage that waited for its vector have it.
    fn attach(&mut self, key: EntryKey, hash: PassageHash, row: u32) {
        let Some(mut entry) = self.entries.find(key).cloned() else { return };
        let with_row = |held: &HeldPassage| HeldPassage {
            row: if held.hash == hash { Some(row) } else { held.row },
            ..held.clone()
        };
        entry.passages = entry.passages.iter().map(with_row).collect();
        for held in entry.passages.iter().filter(|held| held.hash == hash) {
            self.owners.add(row, Owner { key, span: held.span.clone() });
        }
        if entry.passages.iter().all(|held| held.row.is_some()) {
            self.waiting.remove(&entry.told);
        }
        self.entries.put(key, entry);
    }

    /// Writes the passage table of `generation` durably, before the commit point names it: whole, or as the changes
    /// since the last whole one where these are few.
    pub fn save(&mut self, generation: u64) -> Result<(), IndexError> {
        let held = self.entries.iter().count();
        let base = self.base.filter(|base| *base != generation && self.changed.len() * 16 < held.max(64));
        let mut told: Vec<(EntryKey, &HeldEntry)> = match base {
            Some(_) => self.changed.iter().filter_map(|key| Some((*key, self.entries.find(*key)?))).collect(),
            None => self.entries.iter().collect(),
        };
        told.sort_unstable_by_key(|(_, entry)| entry.told);
        let told = told
            .into_iter()
            .map(|(key, entry)| Told { key, fingerprint: entry.fingerprint, passages: entry.passages() })
            .collect();
        let removed = match base {
            Some(_) => self.changed.iter().copied().filter(|key| self.entries.find(*key).is_none()).collect(),
            None => Vec::new(),
        };
        Table { generation, base, removed, told }.write(&self.dir)?;
        if base.is_none() {
            self.base = Some(generation);
            self.changed.clear();
        }
        Ok(())
    }

    /// Deletes tables of other generations, after the commit point. One that stays for now is deleted next time.
    pub fn tidy(&mut self, generation: u64) {
        let keep = [Some(generation), self.base];
        for other in table::generations(&self.dir).into_iter().filter(|other| !keep.contains(&Some(*other))) {
            let _ = files::remove(&table::path(&self.dir, other));
        }
    }

    /// Takes the vectors that no entry holds out of the vector file: after a `forget`, when even a vector would tell too
    /// much, or to win space. Views made before stay as they are; the HNSW graph has to be built again.
    pub fn forget_unheld(&mut self) -> Result<usize, IndexError> {
        let before = self.log.rows.len();
        // The next table is whole: one of changes would leave the older one, which still lists what is to be forgotten.
        self.base = None;
        if before == self.owners.live() && self.words.as_ref().is_none_or(WordLog::is_clean) {
            return Ok(0);
        }
        let owners = &self.owners;
        let hashes = self.log.hashes.clone();
        let kept = self.log.retain(|row| !owners.of(row).is_empty())?;
        // The rows have new numbers already: whatever comes of the words, entries must follow.
        let words_kept = self.words.as_mut().map_or(Ok(()), |words| words.retain(&kept, &hashes));
        self.drop_graph();
        self.owners = Owners::default();
        let mut entries: Vec<(EntryKey, HeldEntry)> =
            self.entries.iter().map(|(key, entry)| (key, entry.clone())).collect();
        entries.sort_unstable_by_key(|(_, entry)| entry.told);
        self.entries = Entries::default();
        self.wanted.clear();
        self.waiting.clear();
        for (key, entry) in entries {
            self.put(key, entry.fingerprint, entry.passages());
        }
        words_kept?;
        Ok(before - self.log.rows.len())
    }

    /// Whether nobody has written to the vectors since they were opened here.
    pub fn is_as_opened(&self) -> bool {
        self.log.is_as_opened()
    }

    /// Where this model's vectors lie.
    pub fn folder(&self) -> &Path {
        &self.dir
    }

    fn drop_graph(&mut self) {
        self.slot = Arc::default();
        self.loader = None;
        // The dump no longer fits and holds what was to be forgotten.
        let _ = std::fs::remove_dir_all(self.dir.join("ann"));
    }

    fn uses_graph(&self) -> bool {
        match self.ann {
            Ann::Off => false,
            Ann::On => true,
            Ann::Auto => self.owners.live() >= AUTO_FROM,
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

    /// Waits until a kept graph is loaded or refused.
    pub fn wait_for_ann(&mut self) {
        if let Some(loader) = self.loader.take() {
            // A panic in it is kept as a failed state.
            let _ = loader.join();
        }
    }

    pub fn ann_state(&self) -> AnnState {
        self.slot.state()
    }

    /// Whether the graph should be built now: it is in use by the configuration, and there is none, or more than a
    /// fifth of the vectors came or went since it was built.
    pub fn ann_due(&self) -> bool {
        if !self.uses_graph() || self.owners.live() == 0 {
            return false;
        }
        match self.slot.state() {
            AnnState::Loading | AnnState::Building => false,
            AnnState::Absent | AnnState::Failed(_) => true,
            AnnState::Ready { rows } => (self.log.rows.len() - rows.min(self.log.rows.len())) * 5 > rows,
        }
    }

    /// The building of the HNSW graph as a piece of work for another thread; the store stays free meanwhile.
    pub fn ann_work(&self) -> AnnWork {
        AnnWork {
            dir: self.dir.join("ann"),
            model: self.model.clone(),
            rows: self.log.rows.clone(),
            hashes: self.log.hashes.as_slice().into(),
            slot: self.slot.clone(),
        }
    }

    /// Builds the HNSW graph over all vectors and keeps a verified dump. Long; call on a worker, or send
    /// [`VectorStore::ann_work`] to one.
    pub fn build_ann(&mut self) -> Result<(), IndexError> {
        self.wait_for_ann();
        self.ann_work().build(&mut |_, _| true).map(drop)
    }

    /// The present state. Costs some thousand pointers, whatever the size of the journal.
    pub fn view(&self) -> Arc<VectorView> {
        Arc::new(VectorView {
            model: self.model.clone(),
            rows: self.log.rows.clone(),
            entries: self.entries.clone(),
            owners: self.owners.clone(),
            words: self.words.as_ref().filter(|words| words.fault().is_none()).map(|words| words.file().clone()),
            missing: self.wanted.len(),
            ann: self.uses_graph().then(|| self.slot.clone()),
        })
    }
}

/// Complaints in one line.
fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one}; {other}")),
        (one, other) => one.or(other),
    }
}

/// Refuses what no encoder should have given.
fn check(vector: &[f32], dimension: usize) -> Result<(), IndexError> {
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

/// The first 16 digits of a checksum in hex; of its hash where it is something else.
pub(super) fn folder_name(checksum: &str) -> String {
    match checksum.get(..16) {
        Some(start) if start.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) => start.to_owned(),
        _ => hex(&Sha256::digest(checksum)[..8]),
    }
}
