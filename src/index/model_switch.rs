//! Model switch: the model whose vectors serve, and its successor.
//!
//! Owns embedding and the change of the model: the vectors that serve and those of the model chosen meanwhile stand
//! side by side, each in its own folder with its own file. Searches go by the first until the second has read every
//! passage; then one commit point names the second, and the folder of the first is deleted. Knows nothing of where
//! models are installed: an encoder is handed in.

use std::sync::Arc;

use super::{
    EntryKey, Index, IndexError, IndexOptions, LegHealth,
    catalog::KeyMap,
    passage::PassageHash,
    vector::{Opened, VectorStore},
};
use crate::embed::{EmbedError, Encoder, ModelStamp, Pieces, Reading};

/// The folder of all vectors.
pub(super) const FOLDER: &str = "vectors";

/// Passages embedded at a time: enough to fill the encoder's batches, few enough to stop soon.
const EMBED_BATCH: usize = 256;

/// A body of this many bytes is kept from one batch of its passages to the next.
const LONG_BODY: usize = 64 * 1024;

/// While another model reads the journal, what the serving one lacks is embedded with it too as long as it is no more
/// than this: what is written meanwhile is found by meaning at once, and a longer backlog is not read twice.
const KEPT_UP: usize = 256;

/// The vectors of the model that is to serve once it has read everything.
pub(super) struct Successor {
    pub(super) store: VectorStore,
    /// Whether it holds exactly the entries that the catalog describes.
    pub(super) known: bool,
    unreadable: usize,
    /// Why it cannot go on.
    fault: Option<String>,
}

impl Successor {
    fn lacks(&self) -> usize {
        self.store.lacking().saturating_sub(self.unreadable)
    }
}

/// Passages that wait for vectors, and the model that is to make them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub model: ModelStamp,
    /// Distinct passages that this model has read, and of how many.
    pub done: usize,
    pub of: usize,
    /// The model does not serve yet.
    pub successor: bool,
}

impl Waiting {
    /// In a word, for a line of progress.
    pub fn what(&self) -> &'static str {
        if self.successor { "new model" } else { "meaning" }
    }
}

/// A change of the model under way.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelChange {
    /// The model that serves.
    pub from: ModelStamp,
    pub to: ModelStamp,
    /// Distinct passages that the new model has read, and of how many.
    pub done: usize,
    pub of: usize,
    /// Why it cannot go on; the old model serves on.
    pub fault: Option<String>,
}

/// What a batch of embedding came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedded {
    /// So many passages; 0 where none is left whose text can be found.
    Passages(usize),
    /// The model failed: see [`Index::give_up`].
    Fault(String),
}

/// The stores of vectors as they lie on disk.
#[derive(Default)]
pub(super) struct OpenedVectors {
    pub serving: Option<VectorStore>,
    pub known: bool,
    pub fault: Option<String>,
    pub successor: Option<Successor>,
}

/// Opens the vectors of the chosen model; where the commit point names another model that has vectors, that one serves
/// and the chosen one is its successor.
pub(super) fn open(
    options: &IndexOptions,
    checkpoint: Option<u64>,
    recorded: Option<&ModelStamp>,
    warnings: &mut Vec<String>,
) -> OpenedVectors {
    let Some(chosen) = &options.model else { return OpenedVectors { known: true, ..OpenedVectors::default() } };
    let dir = options.dir.join(FOLDER);
    let mut store_of = |model: &ModelStamp| -> Result<(VectorStore, bool), IndexError> {
        let (store, Opened { checkpoint: found, complaint }) = VectorStore::open(&dir, model, checkpoint, options.ann)?;
        warnings.extend(complaint);
        Ok((store, found.is_some() && found == checkpoint))
    };
    let former = recorded.filter(|recorded| recorded.checksum != chosen.checksum);
    // Whatever is wrong with the old vectors: the new ones are made anyway.
    let former = former.and_then(|former| store_of(former).ok()).filter(|(store, _)| !store.is_empty());
    match (store_of(chosen), former) {
        (Ok((store, known)), None) => OpenedVectors { serving: Some(store), known, ..OpenedVectors::default() },
        (Ok((store, known)), Some((former, former_known))) => {
            let successor = Successor { store, known, unreadable: 0, fault: None };
            OpenedVectors { serving: Some(former), known: former_known, fault: None, successor: Some(successor) }
        }
        (Err(error), former) => {
            warnings.push(format!("the vectors of {} cannot be used: {error}", chosen.name));
            let fault = former.is_none().then(|| error.to_string());
            let (serving, known) = former.map_or((None, true), |(store, known)| (Some(store), known));
            OpenedVectors { serving, known, fault, successor: None }
        }
    }
}

impl Index {
    /// The model whose vectors answer searches; while no model is in use, the one that did last.
    pub(super) fn serving(&self) -> Option<&ModelStamp> {
        self.vectors.as_ref().map(VectorStore::model).or(self.recorded.as_ref())
    }

    /// Every store of vectors that has to keep step with the journal.
    pub(super) fn vector_stores(&mut self) -> impl Iterator<Item = &mut VectorStore> {
        self.vectors.iter_mut().chain(self.successor.as_mut().map(|successor| &mut successor.store))
    }

    /// What is to be embedded next; `None` when nothing is left that can be. What the serving model lacks comes first
    /// unless it is a long backlog that its successor will read anyway.
    pub fn waiting(&self) -> Option<Waiting> {
        if self.read_only() {
            return None;
        }
        let serving = self.vectors.as_ref().filter(|_| self.vector_fault.is_none())?;
        let waiting = |store: &VectorStore, successor| {
            let (_, of) = store.progress();
            Waiting { model: store.model().clone(), done: of - store.lacking(), of, successor }
        };
        let lacks = serving.lacking().saturating_sub(self.unreadable);
        let Some(successor) = &self.successor else { return (lacks > 0).then(|| waiting(serving, false)) };
        if (1..=KEPT_UP).contains(&lacks) || lacks > 0 && successor.fault.is_some() {
            return Some(waiting(serving, false));
        }
        (successor.lacks() > 0 && successor.fault.is_none()).then(|| waiting(&successor.store, true))
    }

    /// Lets the encoder read up to `limit` of the passages that wait for its model, newest entries first: their vectors, and
    /// from the same reading their words where the model reads them in their sentence. Both are durable at once and keyed by
    /// the text: nothing is read twice.
    ///
    /// # Errors
    /// The stores of words and vectors; that the model failed is no error but an answer.
    pub fn embed(&mut self, encoder: &dyn Encoder, limit: usize) -> Result<Embedded, IndexError> {
        let is_of = |store: &VectorStore| store.model().checksum == encoder.stamp().checksum;
        let asked = limit.min(EMBED_BATCH);
        let missing = match (&self.vectors, &self.successor) {
            _ if self.read_only() => return Ok(Embedded::Passages(0)),
            (Some(store), _) if is_of(store) => store.missing(asked + self.unreadable),
            (_, Some(next)) if is_of(&next.store) => next.store.missing(asked + next.unreadable),
            _ => return Ok(Embedded::Passages(0)),
        };
        let mut keys: Vec<EntryKey> = missing.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        let bodies = self.bodies(&keys)?;
        if missing.len() < asked {
            self.long_body = None;
        }
        let (store, unreadable) = match (&mut self.vectors, &mut self.successor) {
            (Some(store), _) if is_of(store) => (store, &mut self.unreadable),
            (_, Some(Successor { store, unreadable, .. })) if is_of(store) => (store, unreadable),
            _ => return Ok(Embedded::Passages(0)),
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
        // Opening need not look for their rows again where the table knows them.
        self.unsaved += rows.len();
        Ok(Embedded::Passages(rows.len()))
    }

    /// The bodies of some entries, each once. The last one is kept where it is long: its passages are asked for in many batches.
    fn bodies(&mut self, keys: &[EntryKey]) -> Result<KeyMap<Arc<str>>, IndexError> {
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

    /// Passages whose text was not found are asked for again: the journal has changed.
    pub(super) fn seek_texts_again(&mut self) {
        self.long_body = None;
        self.unreadable = 0;
        if let Some(successor) = &mut self.successor {
            successor.unreadable = 0;
        }
    }

    /// A model cannot be used (it does not load, it failed). Its successor takes its place at once, ready or not;
    /// without one the meaning leg is off; a successor that fails leaves the old model serving.
    pub fn give_up(&mut self, model: &ModelStamp, why: String) {
        match &mut self.successor {
            Some(successor) if successor.store.model().checksum == model.checksum => successor.fault = Some(why),
            Some(successor) if successor.fault.is_none() => self.promote(),
            _ => self.vector_fault = Some(why),
        }
    }

    /// Lets the chosen model serve once it has read everything: writes the commit point that names it, then deletes
    /// the vectors of the old one. A crash before the commit point leaves the old model serving and the new one's
    /// vectors complete. The model that serves now; `None` where there is nothing to change yet.
    pub fn succeed(&mut self) -> Result<Option<ModelStamp>, IndexError> {
        let ready = |successor: &&Successor| successor.known && successor.fault.is_none() && successor.lacks() == 0;
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
        if let Some(Successor { store, known, unreadable, .. }) = self.successor.take() {
            self.vectors = Some(store);
            self.vectors_known = known;
            self.unreadable = unreadable;
            self.vector_fault = None;
        }
    }

    /// Deletes the vectors of models that neither serve nor are about to. What stays for now goes next time.
    pub(super) fn forget_other_models(&self) {
        if let (Some(serving), None, false) = (&self.vectors, &self.successor, self.read_only()) {
            serving.forget_other_models();
        }
    }

    /// The change of the model that is under way.
    pub fn model_change(&self) -> Option<ModelChange> {
        let (serving, successor) = (self.vectors.as_ref()?, self.successor.as_ref()?);
        let (done, of) = successor.store.progress();
        let (from, to) = (serving.model().clone(), successor.store.model().clone());
        Some(ModelChange { from, to, done, of, fault: successor.fault.clone() })
    }

    /// Turns the meaning leg off, visibly.
    pub fn vector_off(&mut self, why: String) {
        self.vector_fault = Some(why);
    }

    /// Whether the words of every passage are kept as the model reads them in their sentence; `None` for a model that does not.
    pub(super) fn word_health(&self) -> Option<LegHealth> {
        let store = self.vectors.as_ref().filter(|_| self.vector_fault.is_none())?;
        Some(match store.word_progress()? {
            Err(why) => LegHealth::Off { why: why.to_owned() },
            Ok((done, of)) if done + self.unreadable >= of => LegHealth::Ready,
            Ok((done, of)) => LegHealth::Building { done, of },
        })
    }

    pub(super) fn vector_health(&self) -> LegHealth {
        if let Some(why) = &self.vector_fault {
            return LegHealth::Off { why: why.clone() };
        }
        match &self.vectors {
            None => LegHealth::Off { why: "no model is in use".to_owned() },
            Some(store) => match store.progress() {
                (done, of) if done + self.unreadable >= of => LegHealth::Ready,
                (done, of) => LegHealth::Building { done, of },
            },
        }
    }
}

/// The vectors of texts, and their pieces where the model has any, from one reading.
fn read(encoder: &dyn Encoder, texts: &[&str]) -> Result<(Vec<Vec<f32>>, Vec<Pieces>), EmbedError> {
    match encoder.token_vectors() {
        None => Ok((encoder.embed(texts)?, vec![Pieces::default(); texts.len()])),
        Some(tokens) => {
            let readings = tokens.read(texts)?;
            Ok(readings.into_iter().map(|Reading { vector, pieces }| (vector, pieces)).unzip())
        }
    }
}
