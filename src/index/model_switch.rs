//! Model switch: the active model, and its successor.
//!
//! Embeds passages and changes the model. The vectors of the active model and those of a newly chosen one exist side
//! by side, each in its own folder and file. Searches use the active model until the successor has embedded every
//! passage; then one commit point names the successor, and the folder of the old model is deleted. Does not know
//! where models are installed: callers pass an encoder.
//!
//! A slow model has a stand-in: a fast one that becomes active where the slow one has much to embed, which is then the
//! successor. Its folder is kept for the next time.

use std::sync::Arc;

use super::{
    EntryKey, Index, IndexOptions, LegHealth, Result,
    catalog::KeyMap,
    passage::PassageHash,
    vector::{Opened, VectorStore},
};
use crate::embed::{EmbedError, Encoder, ModelStamp, Pieces, Reading};

/// The folder of all vectors.
pub(super) const FOLDER: &str = "vectors";

/// Passages per batch: enough to fill the encoder's batches, few enough to stop soon.
const EMBED_BATCH: usize = 256;

/// Bodies of at least this many bytes are cached between batches of their passages.
const LONG_BODY: usize = 64 * 1024;

/// While a successor embeds the journal, up to this many passages are embedded with the active model too: new entries
/// are found by meaning at once, and a longer backlog is not embedded twice.
const KEPT_UP: usize = 256;

/// With more passages to embed than this, the stand-in answers.
pub const BACKLOG: usize = 16;

/// The vectors of one model.
pub(super) struct ModelVectors {
    pub(super) store: VectorStore,
    /// Whether it has exactly the entries of the catalog.
    pub(super) known: bool,
    /// Number of passages whose text was not found; they are not tried again.
    unreadable: usize,
    /// Why they cannot be used or continued.
    pub(super) fault: Option<String>,
}

impl ModelVectors {
    fn new(store: VectorStore, known: bool) -> Self {
        Self { store, known, unreadable: 0, fault: None }
    }

    fn lacks(&self) -> usize {
        self.store.lacking().saturating_sub(self.unreadable)
    }

    /// The state of work that is `done` for some of the passages.
    fn health(&self, (done, of): (usize, usize)) -> LegHealth {
        if self.is_done((done, of)) { LegHealth::Ready } else { LegHealth::Building { done, of } }
    }

    pub(super) fn is_done(&self, (done, of): (usize, usize)) -> bool {
        done + self.unreadable >= of
    }
}

/// Passages that wait for vectors, and their model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub model: ModelStamp,
    /// Number of distinct passages embedded with this model, and of all.
    pub done: usize,
    pub of: usize,
    /// The model is not active yet.
    pub successor: bool,
}

/// A change of the model in progress.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelChange {
    /// The active model.
    pub from: ModelStamp,
    pub to: ModelStamp,
    /// Number of distinct passages embedded with the new model, and of all.
    pub done: usize,
    pub of: usize,
    /// Why it cannot continue; the old model stays active.
    pub fault: Option<String>,
}

/// Result of a batch of embedding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedded {
    /// Number of passages; 0 where none is left whose text can be found.
    Passages(usize),
    /// The model failed: see [`Index::give_up`].
    Fault(String),
}

/// The vector stores found on disk.
#[derive(Default)]
pub(super) struct OpenedVectors {
    pub active: Option<ModelVectors>,
    /// Why the active model has no vectors.
    pub fault: Option<String>,
    pub successor: Option<ModelVectors>,
}

/// Opens the vectors of the chosen model. Where the commit point names another model with vectors, that one stays
/// active and the chosen one is its successor.
pub(super) fn open(
    options: &IndexOptions,
    checkpoint: Option<u64>,
    recorded: Option<&ModelStamp>,
    warnings: &mut Vec<String>,
) -> OpenedVectors {
    let Some(chosen) = &options.model else { return OpenedVectors::default() };
    let dir = options.dir.join(FOLDER);
    let mut vectors_of = |model: &ModelStamp| -> Result<ModelVectors> {
        let (store, Opened { checkpoint: found, complaint }) = VectorStore::open(&dir, model, checkpoint, options.ann)?;
        warnings.extend(complaint);
        Ok(ModelVectors::new(store, found.is_some() && found == checkpoint))
    };
    let former = recorded.filter(|recorded| recorded.checksum != chosen.checksum);
    // Errors in the old vectors are ignored: the new ones are made in any case.
    let former = former.and_then(|former| vectors_of(former).ok()).filter(|former| !former.store.is_empty());
    let own = vectors_of(chosen);
    let is_new = former.is_none() && own.as_ref().is_ok_and(|own| own.store.is_empty());
    let stand_in = options.stand_in.as_ref().filter(|_| is_new);
    let former = former.or_else(|| vectors_of(stand_in?).ok());
    match (own, former) {
        (Ok(own), None) => OpenedVectors { active: Some(own), ..OpenedVectors::default() },
        (Ok(own), active) => OpenedVectors { active, fault: None, successor: Some(own) },
        (Err(error), active) => {
            warnings.push(format!("the vectors of {} cannot be used: {error}", chosen.name));
            let fault = active.is_none().then(|| error.to_string());
            OpenedVectors { active, fault, successor: None }
        }
    }
}

impl Index {
    /// The model whose vectors answer searches; without a model in use, the last one.
    pub(super) fn active(&self) -> Option<&ModelStamp> {
        self.vectors.as_ref().map(|vectors| vectors.store.model()).or(self.recorded.as_ref())
    }

    /// Whether the stand-in answers for the chosen model.
    pub fn is_standing_in(&self) -> bool {
        let stand_in = self.options.stand_in.as_ref().filter(|_| self.successor.is_some());
        stand_in.is_some_and(|model| self.vectors.as_ref().is_some_and(|vectors| vectors.store.model() == model))
    }

    /// Makes the stand-in active where the chosen model lacks more than `backlog` passages. Returns whether it does so
    /// now; the next update then registers the passages that are new to it.
    pub fn stand_in(&mut self, backlog: usize) -> Result<bool> {
        let Some(stand_in) = self.options.stand_in.clone().filter(|_| self.successor.is_none() && !self.read_only())
        else {
            return Ok(false);
        };
        if self.vectors.as_ref().is_none_or(|vectors| vectors.lacks() <= backlog) {
            return Ok(false);
        }
        // Whatever it has is compared with the catalog, so any of its tables will do.
        let (active, _) = VectorStore::open(&self.options.dir.join(FOLDER), &stand_in, None, self.options.ann)?;
        self.successor = self.vectors.replace(ModelVectors::new(active, false));
        Ok(true)
    }

    /// All vectors that are updated with the journal.
    pub(super) fn all_vectors(&mut self) -> impl Iterator<Item = &mut ModelVectors> {
        self.vectors.iter_mut().chain(&mut self.successor)
    }

    /// Their stores.
    pub(super) fn vector_stores(&mut self) -> impl Iterator<Item = &mut VectorStore> {
        self.all_vectors().map(|vectors| &mut vectors.store)
    }

    /// The vectors of a model.
    fn vectors_of(&mut self, model: &ModelStamp) -> Option<&mut ModelVectors> {
        self.all_vectors().find(|vectors| vectors.store.model().checksum == model.checksum)
    }

    /// What to embed next; `None` when nothing is left that can be embedded. Passages for the active model come
    /// first, unless they are a long backlog that its successor will embed anyway.
    pub fn waiting(&self) -> Option<Waiting> {
        if self.read_only() {
            return None;
        }
        let active = self.vectors.as_ref().filter(|active| active.fault.is_none())?;
        let waiting = |ModelVectors { store, .. }: &ModelVectors, successor| {
            let (_, of) = store.progress();
            Waiting { model: store.model().clone(), done: of - store.lacking(), of, successor }
        };
        let lacks = active.lacks();
        let Some(successor) = &self.successor else { return (lacks > 0).then(|| waiting(active, false)) };
        let comes_first = lacks <= KEPT_UP || successor.fault.is_some() || self.is_standing_in();
        if lacks > 0 && comes_first {
            return Some(waiting(active, false));
        }
        (successor.lacks() > 0 && successor.fault.is_none()).then(|| waiting(successor, true))
    }

    /// Where another process writes the vectors that passages lack here: whether it has written since they were opened.
    pub fn follows_writer(&self) -> Option<bool> {
        let store = &self.vectors.as_ref().filter(|_| self.read_only() && self.unwritable.is_none())?.store;
        let has_grown = !store.is_as_opened();
        (has_grown || store.lacking() > 0).then_some(has_grown)
    }

    /// Embeds up to `limit` of the waiting passages, newest entries first: their vectors, and in the same pass their
    /// word codes, where the model supports contextual words. Both are durable at once and keyed by the text, so that
    /// no text is embedded twice.
    ///
    /// # Errors
    /// Errors of the vector and word files. A failure of the model is not an error, but [`Embedded::Fault`].
    pub fn embed(&mut self, encoder: &dyn Encoder, limit: usize) -> Result<Embedded> {
        let asked = limit.min(EMBED_BATCH);
        let is_writer = !self.read_only();
        let Some(vectors) = self.vectors_of(encoder.stamp()).filter(|_| is_writer) else {
            return Ok(Embedded::Passages(0));
        };
        let missing = vectors.store.missing(asked + vectors.unreadable);
        let mut keys: Vec<EntryKey> = missing.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        let bodies = self.bodies(&keys)?;
        if missing.len() < asked {
            self.long_body = None;
        }
        let Some(ModelVectors { store, unreadable, .. }) = self.vectors_of(encoder.stamp()) else {
            return Ok(Embedded::Passages(0));
        };
        let mut hashes = Vec::new();
        let mut texts = Vec::new();
        for (key, passage) in &missing {
            let span = passage.span.start as usize..passage.span.end as usize;
            let text = bodies.get(key).and_then(|body| body.get(span));
            if let Some(text) = text.filter(|text| PassageHash::of(text) == passage.hash) {
                hashes.push(passage.hash);
                texts.push(text);
            }
        }
        *unreadable = missing.len() - texts.len();
        if texts.is_empty() {
            return Ok(Embedded::Passages(0));
        }
        let (vectors, pieces) = match read(encoder, &texts) {
            Ok(read) => read,
            Err(error) => return Ok(Embedded::Fault(error.to_string())),
        };
        let dimension = store.model().dimension;
        if let Some(odd) = vectors.iter().find(|vector| vector.len() != dimension) {
            return Ok(Embedded::Fault(format!("it gives {} components where {dimension} are needed", odd.len())));
        }
        let words: Vec<_> =
            hashes.iter().zip(&texts).zip(pieces).map(|((hash, text), pieces)| (*hash, *text, pieces)).collect();
        let rows: Vec<_> = hashes.iter().copied().zip(vectors).collect();
        store.insert(&rows)?;
        store.insert_words(&words)?;
        // Counts for the next checkpoint: rows in the saved table need not be looked up again at opening.
        self.unsaved += rows.len();
        Ok(Embedded::Passages(rows.len()))
    }

    /// The bodies of some entries, each once. A long last one is cached, since many batches ask for its passages.
    fn bodies(&mut self, keys: &[EntryKey]) -> Result<KeyMap<Arc<str>>> {
        if let ([key], Some((kept, body))) = (keys, &self.long_body)
            && kept == key
        {
            return Ok(KeyMap::from_iter([(*key, Arc::clone(body))]));
        }
        let texts = self.texts(keys)?;
        let bodies: KeyMap<Arc<str>> =
            keys.iter().zip(texts).filter_map(|(key, text)| Some((*key, Arc::from(text?)))).collect();
        self.long_body = match keys {
            [key] => bodies.get(key).filter(|body| body.len() >= LONG_BODY).map(|body| (*key, Arc::clone(body))),
            _ => None,
        };
        Ok(bodies)
    }

    /// Retries passages whose text was not found, because the journal has changed.
    pub(super) fn seek_texts_again(&mut self) {
        self.long_body = None;
        self.all_vectors().for_each(|vectors| vectors.unreadable = 0);
    }

    /// Reports that a model cannot be used (it does not load, or it failed). Its successor becomes active at once,
    /// complete or not; without one the vector leg is off. If the successor failed, the old model stays active.
    pub fn give_up(&mut self, model: &ModelStamp, why: String) {
        match &mut self.successor {
            Some(successor) if successor.store.model().checksum == model.checksum => successor.fault = Some(why),
            Some(successor) if successor.fault.is_none() => self.promote(),
            _ => self.vector_off(why),
        }
    }

    /// Makes the chosen model active once it has embedded everything: writes the commit point that names it, then
    /// deletes the vectors of the old one. After a crash before the commit point the old model is still active and
    /// the new one's vectors are complete. Returns the new active model; `None` where there is nothing to change yet.
    pub fn succeed(&mut self) -> Result<Option<ModelStamp>> {
        let ready = |successor: &&ModelVectors| successor.known && successor.fault.is_none() && successor.lacks() == 0;
        let Some(successor) = self.successor.as_ref().filter(ready) else { return Ok(None) };
        if self.read_only() {
            return Ok(None);
        }
        let model = successor.store.model().clone();
        self.commit()?;
        if !(self.words_known && self.graph_known) {
            return Ok(None);
        }
        self.checkpoint_for(Some(&model))?;
        self.promote();
        self.forget_other_models();
        Ok(Some(model))
    }

    fn promote(&mut self) {
        if let Some(successor) = self.successor.take() {
            self.vectors = Some(successor);
        }
    }

    /// Deletes the vectors of models that are neither active nor a successor. Folders that cannot be deleted now are
    /// tried again next time.
    pub(super) fn forget_other_models(&self) {
        if let (Some(active), None, false) = (&self.vectors, &self.successor, self.read_only()) {
            active.store.forget_other_models(self.options.stand_in.as_ref());
        }
    }

    /// The model change in progress.
    pub fn model_change(&self) -> Option<ModelChange> {
        let (active, successor) = (self.vectors.as_ref()?, self.successor.as_ref()?);
        let (done, of) = successor.store.progress();
        let (from, to) = (active.store.model().clone(), successor.store.model().clone());
        Some(ModelChange { from, to, done, of, fault: successor.fault.clone() })
    }

    /// Turns the vector leg off; the reason is shown.
    pub fn vector_off(&mut self, why: String) {
        match &mut self.vectors {
            Some(vectors) => vectors.fault = Some(why),
            None => self.vector_fault = Some(why),
        }
    }

    /// Whether the word codes of every passage are stored; `None` for a model without contextual words.
    pub(super) fn word_health(&self) -> Option<LegHealth> {
        let vectors = self.vectors.as_ref().filter(|vectors| vectors.fault.is_none())?;
        Some(match vectors.store.word_progress()? {
            Err(why) => LegHealth::Off { why: why.to_owned() },
            Ok(progress) => vectors.health(progress),
        })
    }

    pub(super) fn vector_health(&self) -> LegHealth {
        let fault = self.vectors.as_ref().map_or(&self.vector_fault, |vectors| &vectors.fault);
        match (fault, &self.vectors) {
            (Some(why), _) => LegHealth::Off { why: why.clone() },
            (None, None) => LegHealth::Off { why: "no model is in use".to_owned() },
            (None, Some(vectors)) => vectors.health(vectors.store.progress()),
        }
    }
}

/// The vectors of texts, and in the same pass their token vectors, if the model has them.
fn read(encoder: &dyn Encoder, texts: &[&str]) -> Result<(Vec<Vec<f32>>, Vec<Pieces>), EmbedError> {
    match encoder.token_vectors() {
        None => Ok((encoder.embed(texts)?, vec![Pieces::default(); texts.len()])),
        Some(tokens) => {
            let readings = tokens.read(texts)?;
            Ok(readings.into_iter().map(|Reading { vector, pieces }| (vector, pieces)).unzip())
        }
    }
}
