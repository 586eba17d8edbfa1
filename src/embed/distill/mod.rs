//! Makes a table model from a teacher and a corpus: kioku's own embedding model comes from here.
//!
//! Vocabulary learned from the corpus; the teacher's vector of every piece; the teacher's vectors of training texts;
//! a basis of their strongest directions; the plain table (SIF weights, Arora et al. 2017); training of the table
//! towards the teacher's vectors; the average of both, in eight bits a number. All of it follows from the inputs and
//! one seed: the same inputs give the same bytes on the same machine.

mod basis;
mod contrast;
mod corpus;
mod gradients;
pub mod pairs;
mod random;
pub mod reader_pairs;
mod ridge;
pub mod shrink;
mod teacher;
mod training;
mod vietnamese_words;
mod vocabulary;

use std::{fs, path::Path};

use basis::{Basis, Moments};
pub use corpus::Corpus;
use teacher::TeacherVectors;
use training::TrainingSet;

use serde::Serialize;

use super::{
    EmbedError, Encoder, Result, io,
    table::{self, TableCard, TableFiles},
    wordpiece::{self, CONTINUES, WordKind, WordPiece},
};

/// What to make.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// What the model will call itself.
    pub name: String,
    /// Whatever its maker says.
    pub licence: Option<String>,
    /// Pieces of the vocabulary, at most.
    pub rows: usize,
    /// Components of a vector, at most the teacher's.
    pub dimension: usize,
    /// Training texts, at most as many as the corpus has lines.
    pub texts: usize,
    pub epochs: usize,
    pub seed: u64,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub what: &'static str,
    pub done: usize,
    pub of: usize,
}

/// Called several times a minute; `false` stops the work.
pub type Report<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// Where the teacher's vectors are kept, under the folder of the result: may be deleted afterwards.
const WORK: &str = "teacher-vectors";
/// The basis, in that folder: what is learned later has to use the same.
const BASIS: &str = "basis.f32";
/// Texts that decide the basis.
const BASIS_TEXTS: usize = 100_000;
/// Weight of a piece of frequency p: a / (a + p).
const SIF: f64 = 1e-3;
/// Share of a corpus' words written with accents from which on such words are its own.
const ACCENTED: f64 = 0.02;

/// The files that a distilled model is made of.
pub const MADE: [&str; 3] = [table::WEIGHTS, table::VOCABULARY, table::CARD];

/// What was made, and how it went.
#[derive(Debug, Clone)]
pub struct Distilled {
    pub card: TableCard,
    /// Texts that taught.
    pub texts: usize,
    /// Share of the teacher's vectors that the basis keeps.
    pub kept: f64,
    /// Mean loss (1 - cosine) of each epoch.
    pub losses: Vec<f64>,
    /// Bytes of the files together.
    pub size: usize,
}

/// Distils `teacher` over `corpus` into the folder `out`. Steps that take long can be stopped by
/// `report`, or by killing the program: the teacher's vectors made so far are there the next time.
pub fn distill(
    teacher: &dyn Encoder,
    corpus: &Corpus,
    recipe: &Recipe,
    out: &Path,
    report: Report<'_>,
) -> Result<Distilled> {
    let name = &recipe.name;
    let work = out.join(WORK);
    fs::create_dir_all(&work).map_err(io("create folder", &work))?;
    report(Progress { what: "vocabulary", done: 0, of: recipe.rows });
    let pieces = vocabulary::learn(corpus.lines(), recipe.rows);
    if pieces.is_empty() {
        return Err(fault(name, "the corpus has no words that occur twice"));
    }
    report(Progress { what: "vocabulary", done: pieces.len(), of: pieces.len() });
    let origin = corpus.checksum();
    let alone: Vec<String> =
        pieces.iter().map(|piece| piece.strip_prefix(CONTINUES).unwrap_or(piece).to_owned()).collect();
    let of_pieces = format!("pieces {origin} {}", pieces.len());
    let of_pieces =
        TeacherVectors::make(&work.join("pieces.f32"), &of_pieces, teacher, &alone, "teacher, pieces", report)?;
    let texts = corpus.texts(recipe.texts, recipe.seed);
    let of_texts = format!("texts {origin} {}", recipe.seed);
    let of_texts = TeacherVectors::make(&work.join("texts.f32"), &of_texts, teacher, &texts, "teacher, texts", report)?;

    report(Progress { what: "basis", done: 0, of: 1 });
    let basis = basis(&of_texts, teacher.stamp().dimension, recipe.dimension)?;
    basis.write(&work.join(BASIS)).map_err(io("write", &work.join(BASIS)))?;
    let encoded = Encoded::new(&pieces, &texts)?;
    let plain = plain_table(&of_pieces, &basis, &encoded.counts)?;
    report(Progress { what: "basis", done: 1, of: 1 });
    let set = training_set(&encoded, &of_texts, &basis)?;
    let mut trained = plain.clone();
    let losses = training::train(&mut trained, basis.dimension(), &set, recipe.epochs, recipe.seed, report)
        .ok_or_else(|| fault(name, "stopped"))?;
    // Training takes over the teacher's weights for names and small talk, where the plain table searches better; the
    // average keeps both strengths.
    let average: Vec<f32> = trained.iter().zip(&plain).map(|(a, b)| (a + b) / 2.0).collect();
    let files = TableFiles::new(name, recipe.licence.as_deref(), &pieces, &average, encoded.accented > ACCENTED, None);
    let size = files.write(out)?;
    Ok(Distilled { card: files.card, texts: set.len(), kept: basis.share, losses, size })
}

/// The training texts as pieces.
struct Encoded {
    pieces: Vec<u32>,
    ends: Vec<usize>,
    /// How often each piece occurs.
    counts: Vec<u64>,
    /// Share of the words that are written with accents.
    accented: f64,
}

impl Encoded {
    fn new(vocabulary: &[String], texts: &[String]) -> Result<Self> {
        let vocabulary = WordPiece::new(vocabulary.join("\n").into())?;
        let mut encoded =
            Self { pieces: Vec::new(), ends: Vec::new(), counts: vec![0; vocabulary.size()], accented: 0.0 };
        let mut of_text = Vec::new();
        let (mut words, mut accented) = (0u64, 0u64);
        for text in texts {
            vocabulary.encode(text, true, &mut of_text);
            of_text.iter().for_each(|piece| encoded.counts[*piece as usize] += 1);
            encoded.pieces.extend_from_slice(&of_text);
            encoded.ends.push(encoded.pieces.len());
            wordpiece::words(text, |word| {
                words += u64::from(word.kind == WordKind::Letters);
                accented += u64::from(word.stripped);
            });
        }
        encoded.accented = accented as f64 / words.max(1) as f64;
        Ok(encoded)
    }

    fn text(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.pieces[start..self.ends[at]]
    }
}

fn basis(texts: &TeacherVectors, size: usize, dimension: usize) -> Result<Basis> {
    let mut moments = Moments::new(size);
    let mut left = BASIS_TEXTS;
    texts.each(|vector| {
        if left > 0 {
            moments.add(vector);
            left -= 1;
        }
    })?;
    Ok(moments.basis(dimension))
}

/// Each piece by itself, as the teacher sees it, weighted down where it is frequent.
fn plain_table(pieces: &TeacherVectors, basis: &Basis, counts: &[u64]) -> Result<Vec<f32>> {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let mut table = Vec::with_capacity(counts.len() * basis.dimension());
    let mut count = counts.iter();
    pieces.each(|vector| {
        let frequency = (count.next().copied().unwrap_or(0) + 1) as f64 / total;
        let weight = (SIF / (SIF + frequency)) as f32;
        table.extend(basis.project(vector).iter().map(|x| weight * x));
    })?;
    Ok(table)
}

fn training_set(encoded: &Encoded, texts: &TeacherVectors, basis: &Basis) -> Result<TrainingSet> {
    let mut set = TrainingSet::default();
    let mut at = 0;
    texts.each(|vector| {
        let mut target = basis.project(vector);
        super::normalise(&mut target);
        set.add(encoded.text(at), &target);
        at += 1;
    })?;
    Ok(set)
}

impl TableFiles {
    /// Writes the files; the card last, since it vouches for the others. Bytes written.
    fn write(&self, folder: &Path) -> Result<usize> {
        let card = card_text(&self.card.name, &self.card)?;
        let files = [
            (table::WEIGHTS, &self.weights[..]),
            (table::VOCABULARY, self.vocabulary.as_bytes()),
            (table::CARD, &card),
        ];
        write_files(folder, files)
    }
}

/// A model's card as JSON, with a line end.
fn card_text(model: &str, card: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(card).map_err(|error| fault(model, error))?;
    text.push(b'\n');
    Ok(text)
}

/// Writes the files of a model in their order. Bytes written.
fn write_files(folder: &Path, files: [(&str, &[u8]); 3]) -> Result<usize> {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(io("write", &path))?;
    }
    Ok(files.iter().map(|(_, bytes)| bytes.len()).sum())
}

fn fault(name: &str, reason: impl std::fmt::Display) -> EmbedError {
    EmbedError::Model { model: name.to_owned(), reason: reason.to_string() }
}

#[cfg(test)]
#[path = "distill_tests.rs"]
mod tests;
