//! The embedding models of one journal, loaded lazily and shared by the workers: the chosen one and, during a switch,
//! the old one that still answers.

use std::sync::{Arc, Mutex, OnceLock};

use super::SessionOptions;
use crate::{
    embed::{ClaimReader, EmbedError, Encoder, ModelStamp, bundled::Bundled, registry},
    fault::lock,
    index::Snapshot,
    search::{Found, LegId, Search},
};

type Loaded = Arc<OnceLock<Result<Arc<dyn Encoder>, String>>>;

/// Loading takes up to a quarter of a second. Each model is loaded once, without blocking the use of another.
#[derive(Debug, Clone)]
pub(super) struct Models {
    options: SessionOptions,
    /// The name of the chosen model; it may change while the journal is open.
    name: Arc<Mutex<Option<String>>>,
    /// Keyed by checksum.
    loaded: Arc<Mutex<Vec<(String, Loaded)>>>,
}

impl Models {
    pub(super) fn new(options: &SessionOptions) -> Self {
        let name = Arc::new(Mutex::new(options.model.clone()));
        Self { options: options.clone(), name, loaded: Arc::default() }
    }

    /// The encoder for vectors with this stamp, or the reason why there is none.
    pub(super) fn encoder(&self, stamp: &ModelStamp) -> Result<Arc<dyn Encoder>, String> {
        if let Some(encoder) = self.given(stamp) {
            return Ok(encoder);
        }
        let mut loaded = lock(&self.loaded);
        let known = loaded.iter().find(|(checksum, _)| *checksum == stamp.checksum).map(|(_, slot)| slot.clone());
        let slot = known.unwrap_or_else(|| {
            let slot = Loaded::default();
            loaded.push((stamp.checksum.clone(), slot.clone()));
            slot
        });
        drop(loaded);
        let load = || match registry::load(&self.options.models, &stamp.name) {
            Ok(encoder) if encoder.stamp().checksum == stamp.checksum => Ok(encoder),
            Ok(_) => Err(format!("the model named {} is now a different one", stamp.name)),
            Err(error) => Err(error.to_string()),
        };
        slot.get_or_init(load).clone()
    }

    fn given(&self, stamp: &ModelStamp) -> Option<Arc<dyn Encoder>> {
        self.options.encoder.clone().filter(|encoder| encoder.stamp().checksum == stamp.checksum)
    }

    /// Whether this exact model is still installed, checked without loading it.
    pub(super) fn is_there(&self, stamp: &ModelStamp) -> bool {
        let installed = || registry::stamp(&self.options.models, &stamp.name);
        self.given(stamp).is_some() || installed().is_ok_and(|found| found.checksum == stamp.checksum)
    }

    /// The chosen model, from its card; `None` if there is none.
    pub(super) fn chosen(&self) -> Result<Option<ModelStamp>, EmbedError> {
        match (&self.options.encoder, self.name()) {
            (Some(encoder), _) => Ok(Some(encoder.stamp().clone())),
            (None, Some(name)) => registry::stamp(&self.options.models, &name).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Whether claims are read beside the chosen model. Loads nothing.
    pub(super) fn reads_claims(&self) -> bool {
        matches!(self.chosen(), Ok(Some(model)) if model.in_sentence)
    }

    /// The reader of claims beside the chosen model, if that reads texts.
    pub(super) fn claim_reader(&self) -> Option<&'static ClaimReader> {
        self.encoder(&self.chosen().ok()??).ok()?.claim_reader()
    }

    /// The fast model that answers where a slow one has much to embed.
    pub(super) fn stand_in(&self, chosen: &ModelStamp) -> Option<ModelStamp> {
        Bundled::Table.stamp().ok().filter(|_| chosen.in_sentence && self.options.encoder.is_none())
    }

    fn name(&self) -> Option<String> {
        lock(&self.name).clone()
    }

    /// Whether a model is chosen.
    pub(super) fn any(&self) -> bool {
        self.options.encoder.is_some() || self.name().is_some()
    }

    /// Chooses a model. Returns whether it differs from the one before. An encoder passed in the options takes
    /// precedence.
    pub(super) fn choose(&self, name: Option<String>) -> bool {
        let mut chosen = lock(&self.name);
        let differs = self.options.encoder.is_none() && *chosen != name;
        *chosen = name;
        differs
    }

    /// The encoder of a snapshot's vectors; `None` without vectors or if the model cannot be loaded.
    pub(super) fn of_vectors(&self, snapshot: &Snapshot) -> Option<Arc<dyn Encoder>> {
        self.encoder(snapshot.vectors.as_ref()?.model()).ok()
    }

    /// The encoder for a query over a snapshot: that of the model that made its vectors. If the vector leg is wanted
    /// and the model cannot be loaded, the second part is the reason.
    pub(super) fn for_search(&self, snapshot: &Snapshot, ask: &Search) -> (Option<Arc<dyn Encoder>>, Option<String>) {
        let Some(vectors) = snapshot.vectors.as_ref().filter(|_| ask.legs.has(LegId::Vector)) else {
            return (None, None);
        };
        match self.encoder(vectors.model()) {
            Ok(encoder) => (Some(encoder), None),
            Err(why) => (None, Some(why)),
        }
    }

    /// Unloads every model but this one.
    pub(super) fn keep_only(&self, stamp: &ModelStamp) {
        lock(&self.loaded).retain(|(checksum, _)| *checksum == stamp.checksum);
    }
}

/// Adds a notice that the vector leg did not run.
pub(super) fn say_left_out(found: &mut Found, why: &str) {
    let said = format!("search by meaning is off: {why}");
    found.notice = Some(found.notice.take().map_or_else(|| said.clone(), |notice| format!("{notice}; {said}")));
}
