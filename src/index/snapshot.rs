//! A snapshot: one immutable view over all indices, kept by a search while it runs.

use std::sync::Arc;

use super::{Catalog, EntryKey, Result, graph::GraphView, keyword::KeywordView, vector::VectorView};

/// Whether a leg can answer; shown to the user.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase", tag = "state")]
pub enum LegHealth {
    Ready,
    Building { done: usize, of: usize },
    Off { why: String },
}

/// Catalog and the three indices of one checkpoint.
#[derive(Clone)]
pub struct Snapshot {
    pub checkpoint: u64,
    pub catalog: Arc<Catalog>,
    pub keyword: KeywordView,
    /// Entries saved but not yet in `keyword`: searched by word in memory. `None` when there are none.
    pub fresh: Option<KeywordView>,
    /// `None` without a model.
    pub vectors: Option<Arc<VectorView>>,
    pub graph: Arc<GraphView>,
    /// The word index and the graph can always answer.
    pub vector_health: LegHealth,
    /// Whether the word codes of every passage are stored; `None` for a model without contextual words.
    pub word_health: Option<LegHealth>,
}

impl Snapshot {
    /// The snapshot without records, for answers about the diary alone: it shares all stores with this one.
    pub fn without_records(&self) -> Self {
        Self { catalog: self.catalog.without_records(), ..self.clone() }
    }

    /// The bodies of some entries: newly saved ones take precedence over indexed ones. Empty where an entry is in
    /// neither.
    pub fn texts(&self, keys: &[EntryKey]) -> Result<Vec<String>> {
        let texts = self.keyword.texts(keys, self.fresh.as_ref())?;
        Ok(texts.into_iter().map(Option::unwrap_or_default).collect())
    }
}
