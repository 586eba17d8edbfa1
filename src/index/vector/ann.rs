//! The HNSW graph (Malkov and Yashunin, arXiv:1603.09320) by hnsw_rs: built over all rows, saved as a dump that may
//! be deleted at any time.
//!
//! hnsw_rs ends the process on some damaged dumps and accepts others without an error, so a dump is loaded only after
//! the SHA-256 of both its files was verified against the manifest. The manifest is written last and names the folder
//! of a complete dump.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use hnsw_rs::prelude::{AnnT, Distance, Hnsw, HnswIo};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{kernel, log::vault, rows::Rows};
use crate::{
    embed::{ModelStamp, hex, sha256_of},
    fault,
    index::{IndexError, Result},
    journal::files,
};

/// Links per point (twice as many on the ground layer), and search breadth for finding them. With extended candidates
/// and kept pruned ones, every point of an ordinary journal can be reached.
const LINKS: usize = 32;
const BUILD_BREADTH: usize = 200;
/// hnsw_rs can only dump graphs with exactly this many layers.
const LAYERS: usize = 16;
/// The value of 1.0 in a component of the graph's vectors.
const ONE: f32 = 32_767.0;

const VERSION: u32 = 1;
const MANIFEST: &str = "manifest.json";
const BASENAME: &str = "graph";

/// 1 - cosine of unit vectors in 16 bits; never below 0, where hnsw_rs would panic.
#[derive(Debug, Clone, Copy, Default)]
struct UnitDot;

impl Distance<i16> for UnitDot {
    fn eval(&self, a: &[i16], b: &[i16]) -> f32 {
        (1.0 - kernel::dot_i16(a, b) as f32 / (ONE * ONE)).max(0.0)
    }
}

fn point(vector: &[f32]) -> Vec<i16> {
    vector.iter().map(|x| (x * ONE).round().clamp(-ONE, ONE) as i16).collect()
}

/// A graph over the first [`Graph::rows`] rows.
pub(super) struct Graph {
    hnsw: Hnsw<'static, i16, UnitDot>,
    rows: usize,
}

impl Graph {
    /// Number of rows in the graph; later rows are not in it.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Up to `breadth` rows near the query; empty where hnsw_rs fails.
    pub fn nearest(&self, query: &[f32], breadth: usize) -> Vec<u32> {
        let query = point(query);
        let found = fault::caught(|| self.hnsw.search(&query, breadth, breadth)).unwrap_or_default();
        found.into_iter().map(|neighbour| neighbour.d_id as u32).collect()
    }
}

/// State of the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AnnState {
    /// Neither built nor saved.
    #[default]
    Absent,
    Loading,
    Building,
    /// Covers this many rows; later ones are scanned.
    Ready {
        rows: usize,
    },
    /// With the reason; searches use the exact scan.
    Failed(String),
}

/// The slot for a loaded or built graph: shared by the store, its views and the worker.
#[derive(Default)]
pub(super) struct AnnSlot {
    place: Mutex<(AnnState, Option<Arc<Graph>>)>,
}

impl AnnSlot {
    fn lock(&self) -> MutexGuard<'_, (AnnState, Option<Arc<Graph>>)> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn graph(&self) -> Option<Arc<Graph>> {
        self.lock().1.clone()
    }

    pub fn state(&self) -> AnnState {
        self.lock().0.clone()
    }

    /// An older graph stays in use meanwhile.
    pub fn set_state(&self, state: AnnState) {
        self.lock().0 = state;
    }

    fn fill(&self, graph: Graph) {
        let graph = Arc::new(graph);
        let old = std::mem::replace(&mut *self.lock(), (AnnState::Ready { rows: graph.rows }, Some(graph)));
        // Freed outside the lock: freeing a large graph takes time.
        drop(old);
    }

    /// Ends loading or building without a new graph; an existing one stays in use.
    fn back(&self, without: AnnState) {
        let mut place = self.lock();
        place.0 = place.1.as_ref().map_or(without, |graph| AnnState::Ready { rows: graph.rows });
    }
}

/// Everything needed to build or load a graph without the store: may be sent to another thread.
pub struct AnnWork {
    pub(super) dir: PathBuf,
    pub(super) model: Arc<ModelStamp>,
    pub(super) rows: Rows,
    pub(super) slot: Arc<AnnSlot>,
}

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct Manifest {
    version: u32,
    model: String,
    dimension: usize,
    /// Number of rows at the start of the vector file, and SHA-256 over their passage hashes.
    rows: usize,
    passages: String,
    points: usize,
    folder: String,
    graph_sha256: String,
    data_sha256: String,
}

impl AnnWork {
    /// Builds the graph, saves a dump of it and publishes it to the views. About 1.5 ms of CPU per vector at 100,000
    /// vectors of 384 components, on half of the cores. `go_on` gets the number of vectors added and of all, and may
    /// stop the work by returning false: then nothing changes and the result is false.
    pub fn build(&self, go_on: &mut dyn FnMut(usize, usize) -> bool) -> Result<bool> {
        self.slot.set_state(AnnState::Building);
        let built = fault::caught(|| self.built(go_on)).unwrap_or_else(|why| Err(format!("hnsw_rs failed: {why}")));
        let graph = match built {
            Ok(Some(graph)) => graph,
            Ok(None) => {
                self.slot.back(AnnState::Absent);
                return Ok(false);
            }
            Err(reason) => {
                self.slot.back(AnnState::Failed(reason.clone()));
                return Err(IndexError::Vector(reason));
            }
        };
        let kept = self.dump(&graph);
        self.slot.fill(graph);
        kept.map(|()| true)
    }

    fn built(&self, go_on: &mut dyn FnMut(usize, usize) -> bool) -> Result<Option<Graph>, String> {
        const BATCH: usize = 1000;
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
        let len = self.rows.len();
        let mut hnsw = Hnsw::new(LINKS, len.max(1), LAYERS, BUILD_BREADTH, UnitDot);
        hnsw.set_extend_candidates(true);
        let readable: Vec<u32> = (0..len as u32).filter(|row| !self.rows.is_zero(*row)).collect();
        for (done, batch) in readable.chunks(BATCH).enumerate() {
            if !go_on(done * BATCH, readable.len()) {
                return Ok(None);
            }
            let points: Vec<(Vec<i16>, usize)> =
                batch.iter().map(|row| (point(&self.rows.vector(*row)), *row as usize)).collect();
            let points: Vec<(&Vec<i16>, usize)> = points.iter().map(|(point, row)| (point, *row)).collect();
            pool.install(|| hnsw.parallel_insert(&points));
        }
        hnsw.set_searching_mode(true);
        Ok(Some(Graph { hnsw, rows: len }))
    }

    fn passages(&self, rows: usize) -> String {
        let mut digest = Sha256::new();
        self.rows.hashes().take(rows).for_each(|hash| digest.update(hash.0));
        hex(&digest.finalize())
    }

    /// Writes a dump into a new folder, then the manifest that names it, then removes older folders.
    fn dump(&self, graph: &Graph) -> Result<()> {
        let points = graph.hnsw.get_nb_point();
        if points == 0 {
            return Ok(());
        }
        files::create_dir(&self.dir).map_err(vault)?;
        let folder = self.fresh_folder();
        let path = self.dir.join(&folder);
        let io = |operation| IndexError::io(operation, &path);
        files::create_dir(&path).map_err(vault)?;
        let dumped = fault::caught(|| graph.hnsw.file_dump(&path, BASENAME));
        match dumped {
            Ok(Ok(name)) if name == BASENAME => {}
            _ => return Err(IndexError::Vector(format!("the graph could not be written to {}", path.display()))),
        }
        files::make_private_below(&path).map_err(vault)?;
        // Windows cannot open a folder as a file.
        let folders = if cfg!(windows) { Vec::new() } else { vec![path.clone(), self.dir.clone()] };
        for file in [graph_file(&path), data_file(&path)].into_iter().chain(folders) {
            File::open(&file).and_then(|file| file.sync_all()).map_err(io("sync"))?;
        }
        let manifest = Manifest {
            version: VERSION,
            model: self.model.checksum.clone(),
            dimension: self.rows.dimension(),
            rows: graph.rows,
            passages: self.passages(graph.rows),
            points,
            folder: folder.clone(),
            graph_sha256: sha256_of(&graph_file(&path)).map_err(io("read"))?,
            data_sha256: sha256_of(&data_file(&path)).map_err(io("read"))?,
        };
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| IndexError::Vector(error.to_string()))?;
        files::replace(&self.dir.join(MANIFEST), &text).map_err(vault)?;
        self.folders().into_iter().filter(|name| *name != folder).for_each(|name| {
            // The next dump tries again to remove a folder that cannot be removed now.
            let _ = fs::remove_dir_all(self.dir.join(name));
        });
        Ok(())
    }

    /// Names of the dump folders: numbers.
    fn folders(&self) -> Vec<String> {
        let names = fs::read_dir(&self.dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.into_string().ok()).filter(|name| name.parse::<u64>().is_ok()).collect()
    }

    fn fresh_folder(&self) -> String {
        let last = self.folders().iter().filter_map(|name| name.parse::<u64>().ok()).max().unwrap_or(0);
        (last + 1).to_string()
    }

    /// Whether there is a dump, without reading it.
    pub(super) fn has_dump(&self) -> bool {
        self.dir.join(MANIFEST).is_file()
    }

    /// Loads the dump, if it is intact and of these vectors, and publishes it to the views.
    pub(super) fn load(&self) {
        let loaded =
            fault::caught(|| self.loaded()).unwrap_or_else(|why| Err(format!("hnsw_rs failed to read it: {why}")));
        match loaded {
            Ok(Some(graph)) => self.slot.fill(graph),
            Ok(None) => self.slot.back(AnnState::Absent),
            Err(reason) => self.slot.back(AnnState::Failed(format!("the saved graph is not used: {reason}"))),
        }
    }

    fn loaded(&self) -> Result<Option<Graph>, String> {
        let text = files::if_there(fs::read(self.dir.join(MANIFEST))).map_err(|error| error.to_string())?;
        let Some(text) = text else { return Ok(None) };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| "its manifest is damaged")?;
        if (manifest.version, manifest.dimension) != (VERSION, self.rows.dimension())
            || manifest.model != self.model.checksum
        {
            return Err("it is of another version or model".into());
        }
        if manifest.rows > self.rows.len() || manifest.passages != self.passages(manifest.rows) {
            return Err("the vectors have changed since".into());
        }
        if manifest.folder.parse::<u64>().is_err() {
            return Err("its manifest is damaged".into());
        }
        let path = self.dir.join(&manifest.folder);
        for (file, expected) in [(graph_file(&path), &manifest.graph_sha256), (data_file(&path), &manifest.data_sha256)]
        {
            let found = sha256_of(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            if found != *expected {
                return Err(format!("{} is damaged", file.display()));
            }
        }
        // hnsw_rs ties a graph to its reader because of memory maps, which are not in use: the reader's few bytes are
        // leaked.
        let reader = Box::leak(Box::new(HnswIo::new(&path, BASENAME)));
        let mut hnsw = reader.load_hnsw::<i16, UnitDot>().map_err(|error| error.to_string())?;
        if hnsw.get_nb_point() != manifest.points {
            return Err("its number of vectors differs from its manifest".into());
        }
        hnsw.set_searching_mode(true);
        Ok(Some(Graph { hnsw, rows: manifest.rows }))
    }
}

fn graph_file(folder: &Path) -> PathBuf {
    folder.join(format!("{BASENAME}.hnsw.graph"))
}

fn data_file(folder: &Path) -> PathBuf {
    folder.join(format!("{BASENAME}.hnsw.data"))
}
