//! Gives a table a second language: Vietnamese rows learned from sentences and their translations.
//!
//! The English rows are turned to their strongest directions and then stay as they are. The Vietnamese rows begin with a ridge
//! regression on the vectors of the English sides and are trained by contrast; those for typing without accents likewise, on
//! the same texts without accents. All of it follows from the inputs and one seed.

use std::{collections::HashSet, path::Path};

use super::{
    BASIS, Corpus, Moments, Progress, Report, WORK,
    basis::Basis,
    contrast::{self, Translations},
    fault,
    random::Random,
    ridge::{Lessons, sum_of},
    teacher::TeacherVectors,
    vietnamese_words,
};
use crate::embed::{
    Encoder, Result, TableCard, TableEncoder,
    bilingual::{Language, Pieces, Scratch},
    io, normalise, read_text,
    table::{self, TableFiles, VietnameseRows},
    vietnamese::unaccented,
};

/// Epochs of training.
const EPOCHS: usize = 8;

/// What to make.
#[derive(Debug, Clone)]
pub struct PairRecipe {
    pub name: String,
    pub licence: Option<String>,
    /// Numbers of a vector, at most the table's.
    pub dimension: usize,
    /// Rows of syllables, and of all words, with accents and without.
    pub syllables: usize,
    pub words: usize,
    pub unaccented: usize,
    /// Share of the teacher's own vector in what a text should be; the rest is the table's.
    pub of_teacher: f32,
    pub seed: u64,
}

/// An English text and what it is in Vietnamese.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pair {
    pub english: String,
    pub vietnamese: String,
}

impl Pair {
    /// Reads lines of `english<TAB>vietnamese`; what follows a second tab is left out.
    pub fn read_lines(text: &str) -> Vec<Self> {
        let pair = |line: &str| {
            let mut parts = line.split('\t').map(str::trim);
            let (english, vietnamese) = (parts.next()?.to_owned(), parts.next()?.to_owned());
            (!english.is_empty() && !vietnamese.is_empty()).then_some(Self { english, vietnamese })
        };
        text.lines().filter(|line| !line.starts_with('#')).filter_map(pair).collect()
    }
}

/// Takes `count` pairs out, and every pair with one of their texts: what remains has not seen them.
pub fn hold_out(pairs: Vec<Pair>, count: usize, seed: u64) -> (Vec<Pair>, Vec<Pair>) {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    Random::new(seed).shuffle(&mut order);
    let held: Vec<Pair> = order.into_iter().take(count).map(|at| pairs[at].clone()).collect();
    let texts: HashSet<String> =
        held.iter().flat_map(|pair| [pair.english.to_lowercase(), pair.vietnamese.to_lowercase()]).collect();
    let is_new =
        |pair: &Pair| !texts.contains(&pair.english.to_lowercase()) && !texts.contains(&pair.vietnamese.to_lowercase());
    (pairs.into_iter().filter(is_new).collect(), held)
}

/// Writes lines that [`Pair::read_lines`] reads.
pub fn write_pairs(path: &Path, pairs: &[Pair]) -> Result<()> {
    let lines: String = pairs.iter().map(|pair| format!("{}\t{}\n", pair.english, pair.vietnamese)).collect();
    std::fs::write(path, lines).map_err(io("write", path))
}

/// What was made, and how it went.
#[derive(Debug, Clone)]
pub struct Paired {
    pub card: TableCard,
    pub pairs: usize,
    /// Share of the English sentences' vectors that the directions keep.
    pub kept: f64,
    /// Mean loss of each epoch, with accents and without.
    pub losses: [Vec<f64>; 2],
    pub size: usize,
}

/// Adds Vietnamese rows to the English table in the folder `base`, which [`super::distill`] made, and writes the result into
/// `out`. `sentences` decide the directions that are kept.
pub fn distill_pairs(
    base: &Path,
    teacher: &dyn Encoder,
    pairs: &[Pair],
    sentences: &Corpus,
    recipe: &PairRecipe,
    out: &Path,
    report: Report<'_>,
) -> Result<Paired> {
    let english = TableEncoder::load(base)?;
    let vocabulary = read_text(&base.join(table::VOCABULARY))?;
    report(Progress { what: "directions", done: 0, of: 1 });
    let directions = directions(&english, sentences, recipe.dimension)?;
    let d = directions.dimension();
    let rows: Vec<f32> =
        english.values().chunks_exact(english.stamp().dimension).flat_map(|row| directions.project(row)).collect();
    let frozen = rows.len() / d;
    report(Progress { what: "directions", done: 1, of: 1 });

    let learned = |accents: bool, words: usize| {
        let texts = pairs.iter().map(|pair| pair.vietnamese.as_str());
        vietnamese_words::learn(texts, accents, recipe.syllables, words)
    };
    let (accented, bare) = (learned(true, recipe.words), learned(false, recipe.unaccented));
    let mut lines: Vec<String> = vocabulary.lines().map(str::to_owned).collect();
    lines.extend(accented.iter().chain(&bare).cloned());
    let pieces = Pieces::new(lines.join("\n").into(), accented.len(), bare.len())?;

    let work = out.join(WORK);
    std::fs::create_dir_all(&work).map_err(io("create folder", &work))?;
    let targets = Targets::new(base, teacher, pairs, &work, recipe, report)?.project(&directions);
    let mut table = rows;
    table.resize((frozen + accented.len() + bare.len()) * d, 0.0);
    let mut losses = [Vec::new(), Vec::new()];
    let ways =
        [(Language::Vietnamese, frozen, accented.len()), (Language::Unaccented, frozen + accented.len(), bare.len())];
    for ((language, first, rows), losses) in ways.into_iter().zip(&mut losses) {
        *losses = learn(&mut table, &pieces, pairs, &targets, (language, first, rows), frozen, recipe, report)
            .ok_or_else(|| fault(&recipe.name, "stopped"))?;
    }
    let vietnamese = VietnameseRows { accented: accented.len(), unaccented: bare.len() };
    let files = TableFiles::new(&recipe.name, recipe.licence.as_deref(), &lines, &table, false, Some(vietnamese));
    let size = files.write(out)?;
    Ok(Paired { card: files.card, pairs: pairs.len(), kept: directions.share, losses, size })
}

/// The strongest directions of English sentences, as the table sees them.
fn directions(table: &TableEncoder, sentences: &Corpus, dimension: usize) -> Result<Basis> {
    let mut moments = Moments::new(table.stamp().dimension);
    for block in sentences.lines().chunks(1024) {
        let texts: Vec<&str> = block.iter().map(String::as_str).collect();
        table.embed(&texts)?.iter().for_each(|vector| moments.add(vector));
    }
    Ok(moments.basis(dimension))
}

/// What the Vietnamese texts should be: a vector of length 1 each, and the English text's own sum of rows.
struct Targets {
    dimension: usize,
    /// The teacher's vectors in the directions of the table; all zeros where it has no share.
    taught: Vec<f32>,
    share: f32,
}

impl Targets {
    fn new(
        base: &Path,
        teacher: &dyn Encoder,
        pairs: &[Pair],
        work: &Path,
        recipe: &PairRecipe,
        report: Report<'_>,
    ) -> Result<Self> {
        if recipe.of_teacher == 0.0 {
            let dimension = table::read_card(base)?.dimension;
            return Ok(Self { dimension, taught: vec![0.0; dimension * pairs.len()], share: 0.0 });
        }
        let path = base.join(WORK).join(BASIS);
        let basis = Basis::read(&path, teacher.stamp().dimension).map_err(io("read", &path))?;
        let dimension = basis.dimension();
        let mut sum = Corpus::default();
        pairs.iter().for_each(|pair| sum.add(&pair.english));
        let texts: Vec<String> = pairs.iter().map(|pair| pair.english.clone()).collect();
        let origin = format!("pairs {}", sum.checksum());
        let path = work.join("pairs.f32");
        let vectors = TeacherVectors::make(&path, &origin, teacher, &texts, "teacher, pairs", report)?;
        let mut taught = Vec::with_capacity(dimension * pairs.len());
        vectors.each(|vector| taught.extend(basis.project(vector)))?;
        Ok(Self { dimension, taught, share: recipe.of_teacher })
    }

    /// In the directions of the new table.
    fn project(self, directions: &Basis) -> Self {
        let taught = self.taught.chunks_exact(self.dimension).flat_map(|vector| directions.project(vector)).collect();
        Self { dimension: directions.dimension(), taught, share: self.share }
    }

    /// Of length 1.
    fn of(&self, at: usize, own: &[f32]) -> Vec<f32> {
        let mut own = own.to_vec();
        normalise(&mut own);
        let mut taught = self.taught[at * self.dimension..][..self.dimension].to_vec();
        normalise(&mut taught);
        own.iter_mut().zip(&taught).for_each(|(x, y)| *x = (1.0 - self.share) * *x + self.share * y);
        normalise(&mut own);
        own
    }
}

/// Learns the rows of one way of writing. The loss by epoch; `None` where it was stopped.
#[expect(clippy::too_many_arguments, reason = "one step of one recipe")]
fn learn(
    table: &mut [f32],
    pieces: &Pieces,
    pairs: &[Pair],
    targets: &Targets,
    (language, first, rows): (Language, usize, usize),
    frozen: usize,
    recipe: &PairRecipe,
    report: Report<'_>,
) -> Option<Vec<f64>> {
    let d = targets.dimension;
    let mut scratch = Scratch::default();
    let mut set = Translations::default();
    let mut lessons = Lessons::default();
    for (at, pair) in pairs.iter().enumerate() {
        pieces.read_as(Language::English, &pair.english, &mut scratch);
        let own = sum_of(table, &scratch.rows, d);
        let target = targets.of(at, &own);
        let text =
            if language == Language::Unaccented { unaccented(&pair.vietnamese) } else { pair.vietnamese.clone() };
        pieces.read_as(language, &text, &mut scratch);
        let length = own.iter().map(|x| x * x).sum::<f32>().sqrt();
        if scratch.rows.iter().all(|row| (*row as usize) < frozen) || length <= 1e-6 {
            continue;
        }
        let goal: Vec<f32> = target.iter().map(|x| length * x).collect();
        lessons.add(table, &scratch.rows, (frozen as u32, first as u32), &goal, 1.0 / (length * length));
        set.texts.push(scratch.rows.clone());
        set.targets.extend(target);
    }
    report(Progress { what: "regression", done: 0, of: set.texts.len() });
    table[first * d..(first + rows) * d].copy_from_slice(&lessons.solve(rows, d));
    contrast::train(table, frozen as u32, &set, EPOCHS, recipe.seed, report)
}
