//! The decided view on disk, beside the extracts it was made from: opening a journal neither decodes the extracts nor
//! decides on entities again. Where it is missing, damaged, of another version or under another curation, it is made
//! again.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{Curation, GraphView};
use crate::index::{EntryKey, Result, checkpoint};

/// Name of the store of the view, the prefix of its files.
const STORE: &str = "connections";

/// Name of the store of the extracts.
pub(super) const ENTRIES_STORE: &str = "graph";

/// Name of the store of the mention counts.
pub(super) const COUNTS_STORE: &str = "counts";

/// The files of one checkpoint, as opened.
pub(super) struct Persisted {
    /// The file of the extracts, whose checksum was verified at opening. Kept open, because a checkpoint of this or
    /// another process deletes the files of the checkpoint before.
    file: File,
    path: PathBuf,
    pub view: Arc<GraphView>,
    /// The fingerprint of each of the view's rows.
    pub fingerprints: Arc<[u64]>,
    curation: Option<[u8; 32]>,
    /// The file of the mention counts, if there is one: kept open too, and verified when it is read.
    pub counts: Option<(File, PathBuf)>,
}

/// The header of the view's file; the view follows.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The version that made the view: another version may decide differently.
    program: String,
    curation: Option<[u8; 32]>,
    fingerprints: Vec<u64>,
}

impl Persisted {
    /// Reads the view; `None` where there is none that can be used.
    pub fn read(dir: &Path, checkpoint: u64) -> Option<Self> {
        let (Head { curation, fingerprints, .. }, view) = Self::read_view(dir, checkpoint)?;
        let path = checkpoint::path(dir, ENTRIES_STORE, checkpoint);
        let file = File::open(&path).ok()?;
        let counts = checkpoint::path(dir, COUNTS_STORE, checkpoint);
        let counts = File::open(&counts).ok().map(|file| (file, counts));
        Some(Self { file, path, view: Arc::new(view), fingerprints: fingerprints.into(), curation, counts })
    }

    /// Reads the extracts again.
    pub fn filed(&self) -> Result<Vec<u8>> {
        checkpoint::payload_of(&self.file, &self.path)
    }

    /// Reads the mention counts, encoded; `None` where there are none that can be used.
    pub fn filed_counts(&self) -> Option<Vec<u8>> {
        let (file, path) = self.counts.as_ref()?;
        checkpoint::payload_of(file, path).ok()
    }

    fn read_view(dir: &Path, checkpoint: u64) -> Option<(Head, GraphView)> {
        let payload = checkpoint::payload(dir, STORE, checkpoint).ok()?;
        let (head, view) = checkpoint::part::<Head>(&payload).ok()?;
        let (mut view, _) = checkpoint::part::<GraphView>(view).ok()?;
        let sound = head.program == PROGRAM && view.index_rows() && head.fingerprints.len() == view.entry_count();
        sound.then_some((head, view))
    }

    /// Writes the view durably.
    pub fn write(
        dir: &Path,
        checkpoint: u64,
        curation: &Curation,
        view: &GraphView,
        fingerprint: impl Fn(EntryKey) -> Option<u64>,
    ) -> Result<()> {
        let fingerprints = view.dated_entries().map(|(_, key)| fingerprint(key).unwrap_or_default()).collect();
        let head = Head { program: PROGRAM.to_owned(), curation: curation.digest(), fingerprints };
        checkpoint::write(dir, STORE, checkpoint, &(head, view))
    }

    pub fn tidy(dir: &Path, checkpoint: u64) {
        [STORE, COUNTS_STORE].iter().for_each(|store| checkpoint::tidy(dir, store, checkpoint));
    }

    /// The view, if it was made under this curation.
    pub fn view_under(&self, curation: &Curation) -> Option<Arc<GraphView>> {
        (self.curation.is_some() && self.curation == curation.digest()).then(|| self.view.clone())
    }

    pub fn fingerprints(&self) -> impl Iterator<Item = (EntryKey, u64)> {
        self.view.dated_entries().map(|(_, key)| key).zip(self.fingerprints.iter().copied())
    }

    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        self.fingerprints.get(self.view.row(key)? as usize).copied()
    }
}

pub(super) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Day and key of each row.
pub(super) mod rows {
    use jiff::civil::Date;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::EntryKey;

    pub fn serialize<S: Serializer>(rows: &[(Date, EntryKey)], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(rows.iter().map(|(day, key)| (day.year(), day.month(), day.day(), key)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(Date, EntryKey)>, D::Error> {
        let rows: Vec<(i16, i8, i8, EntryKey)> = Deserialize::deserialize(from)?;
        let row = |(year, month, day, key)| Ok((Date::new(year, month, day).map_err(D::Error::custom)?, key));
        rows.into_iter().map(row).collect()
    }
}

/// The stated relations: the verbs, each once, then every edge in order.
pub(super) mod stated {
    use std::{collections::HashMap, sync::Arc};

    use petgraph::{Directed, graph::Graph, visit::EdgeRef};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::{
        index::graph::{Evidence, view::StatedEdge},
        journal::RelationKind,
    };

    type StatedGraph = Graph<(), StatedEdge, Directed, u32>;
    type Edge<Evidences> = (u32, u32, RelationKind, u32, Evidences);

    pub fn serialize<S: Serializer>(graph: &StatedGraph, to: S) -> Result<S::Ok, S::Error> {
        let mut verbs: Vec<&str> = Vec::new();
        let mut places: HashMap<&str, u32> = HashMap::new();
        let mut edges: Vec<Edge<&[Evidence]>> = Vec::with_capacity(graph.edge_count());
        for edge in graph.edge_references() {
            let stated = edge.weight();
            let verb = *places.entry(&stated.verb).or_insert_with(|| {
                verbs.push(&stated.verb);
                verbs.len() as u32 - 1
            });
            let ends = [edge.source(), edge.target()].map(|node| node.index() as u32);
            edges.push((ends[0], ends[1], stated.kind, verb, &stated.evidence));
        }
        (graph.node_count() as u32, verbs, edges).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StatedGraph, D::Error> {
        type Filed = (u32, Vec<Arc<str>>, Vec<Edge<Vec<Evidence>>>);
        let (nodes, verbs, edges): Filed = Deserialize::deserialize(from)?;
        let mut graph = Graph::with_capacity(nodes as usize, edges.len());
        for _ in 0..nodes {
            graph.add_node(());
        }
        for (source, target, kind, verb, evidence) in edges {
            let verb = verbs.get(verb as usize).filter(|_| source < nodes && target < nodes);
            let verb = verb.ok_or_else(|| D::Error::custom("an edge refers to a missing entity or verb"))?.clone();
            graph.add_edge(source.into(), target.into(), StatedEdge { kind, verb, evidence });
        }
        Ok(graph)
    }
}
