//! Text to vector: the encoder trait, static tables (one comes with kioku), BERT-family models by candle, the folder of
//! installed models, and the distiller that makes tables.
//!
//! The only layer that names candle. Knows nothing of entries.

mod adapted_reader;
mod answer_reader;
mod bert;
mod bilingual;
pub mod bundled;
pub mod catalogue;
mod claim_reader;
#[cfg(feature = "lab")]
pub mod distill;
#[cfg(feature = "network")]
pub mod download;
pub mod reader;
pub mod registry;
mod table;
#[cfg(any(test, feature = "lab"))]
pub mod testing;
mod usage;
mod vietnamese;
mod wordpiece;

use std::{
    fmt,
    fs::File,
    io::Read,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{fault, journal::VaultError};

pub use answer_reader::AnswerReader;
pub use bert::BertEncoder;
pub use claim_reader::{ClaimReader, ClaimReading, FEELINGS, NO_FEELING, PointedCause};
pub use table::{TableCard, TableEncoder, VietnameseRows};
pub use usage::{Pooling, Prefixes, Usage};

/// SHA-256 over a model's weights, tokenizer and settings: vectors of two different stamps never mix.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelStamp {
    pub name: String,
    /// Lower-case hex.
    pub checksum: String,
    pub dimension: usize,
    /// It reads a word in its sentence: see [`Encoder::token_vectors`].
    #[serde(default)]
    pub in_sentence: bool,
}

/// Vectors of single words, out of any text.
pub trait WordVectors: Send + Sync + fmt::Debug {
    /// Of length 1, into a list that is used for many words; false, and nothing promised of the list, for a word it does not know.
    fn read_word(&self, word: &str, vector: &mut Vec<f32>) -> bool;

    /// The same as a list of its own.
    fn word_vector(&self, word: &str) -> Option<Vec<f32>> {
        let mut vector = Vec::new();
        self.read_word(word, &mut vector).then_some(vector)
    }

    /// Whether a word may be one with its neighbour: only then is a pair looked up.
    fn may_join(&self, word: &str) -> bool;

    /// The vector of the one word that two neighbours are together, as in Vietnamese `hạnh phúc`; false where they are two.
    fn read_pair(&self, first: &str, second: &str, vector: &mut Vec<f32>) -> bool;
}

/// What the last layer of a model knows of each piece of a text: the word in its sentence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pieces {
    /// Bytes of the text, in its order. A piece is a word or a part of one; the model's own marks are none.
    pub spans: Vec<Range<usize>>,
    /// One after another, each as long as the model's dimension, of length 1.
    pub vectors: Vec<f32>,
}

/// A text as one vector and as those of its pieces, from one reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub vector: Vec<f32>,
    pub pieces: Pieces,
}

/// Vectors of words as they stand in a text.
pub trait TokenVectors: Send + Sync {
    /// What [`Encoder::embed`] says of each text, and the pieces; none where the model can read nothing of it.
    fn read(&self, texts: &[&str]) -> Result<Vec<Reading>>;

    /// The same for questions.
    fn read_queries(&self, queries: &[&str]) -> Result<Vec<Reading>>;
}

/// Span logits of a text for a why question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pointers {
    /// The pieces of the text, in bytes and in its order.
    pub spans: Vec<Range<usize>>,
    /// Logits of each piece: start of the cause, its end, start of the effect, its end; less the logit of "no answer".
    pub logits: Vec<[f32; 4]>,
}

/// Turns texts into vectors of unit length: passages of the journal, and questions about them.
pub trait Encoder: Send + Sync + fmt::Debug {
    fn stamp(&self) -> &ModelStamp;

    /// One vector a text, in order, each of `stamp().dimension` components and length 1
    /// (all zeros where the model can read nothing of the text).
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// The cosine from which on two texts surely speak of the same, their words apart. Models differ: half of what separates a query from
    /// texts about other things is the model's own.
    fn sure_cosine(&self) -> f32 {
        0.5
    }

    /// What tells alike words from others where this model reads texts.
    fn word_vectors(&self) -> Option<&dyn WordVectors> {
        None
    }

    /// `None` for a model that knows words out of any text only.
    fn token_vectors(&self) -> Option<&dyn TokenVectors> {
        None
    }

    /// `None` for a model beside which no question is read.
    fn answer_reader(&self) -> Option<&AnswerReader> {
        None
    }

    /// `None` for a model beside which no claims are read.
    fn claim_reader(&self) -> Option<&'static ClaimReader> {
        None
    }

    /// The same for questions: some models want them marked as such.
    fn embed_queries(&self, queries: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.embed(queries)
    }
}

/// The outcome of work with a model.
pub type Result<T, E = EmbedError> = std::result::Result<T, E>;

/// What went wrong with a model, and where.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("model {model}: {reason}")]
    Model { model: String, reason: String },
    #[error("{operation} {path}: {source}")]
    Io { operation: &'static str, path: PathBuf, source: std::io::Error },
    /// A file that is not what a model needs, or not what was installed.
    #[error("{path}: {reason}")]
    Damaged { path: PathBuf, reason: String },
    #[error("{address}: {reason}")]
    Download { address: String, reason: String },
    #[error(transparent)]
    Files(#[from] VaultError),
    #[error("model {name} is not installed in {models}{}; install it with `kioku model install`", listed(.known))]
    NotInstalled { name: String, models: PathBuf, known: Vec<String> },
}

impl EmbedError {
    fn model(name: &str, reason: impl fmt::Display) -> Self {
        Self::Model { model: name.to_owned(), reason: reason.to_string() }
    }
}

fn io(operation: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> EmbedError + use<> {
    let path = path.to_path_buf();
    move |source| EmbedError::Io { operation, path, source }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(io("read", path))
}

fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|_| damaged(path, "it is not UTF-8"))
}

/// Adds a part with its length, so that bytes cannot move from one part to the next without a change.
pub fn add_part(sum: &mut Sha256, part: &[u8]) {
    sum.update((part.len() as u64).to_le_bytes());
    sum.update(part);
}

fn damaged(path: &Path, reason: impl std::fmt::Display) -> EmbedError {
    EmbedError::Damaged { path: path.to_path_buf(), reason: reason.to_string() }
}

/// Runs the part of a loader that a damaged file makes fail or panic. `card` is what the file has to fit.
fn loaded<T, E: fmt::Display>(path: &Path, card: &str, load: impl FnOnce() -> Result<T, E>) -> Result<T> {
    fault::caught(load)
        .map_err(|why| damaged(path, format!("it is damaged: {why}")))?
        .map_err(|error| damaged(path, format!("it is damaged or does not fit {card}: {error}")))
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" (there: {})", names.join(", ")) }
}

/// Scales to length 1; a vector without a length (all zeros, or with NaN or infinity in it) becomes all zeros.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if length.is_finite() && length > 0.0 {
        vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    } else {
        vector.fill(0.0);
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of a file, in hex.
pub(crate) fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let (mut digest, mut block) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(&digest.finalize())),
            length => digest.update(&block[..length]),
        }
    }
}
