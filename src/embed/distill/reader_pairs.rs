//! Gives a reader a second language: rows for Vietnamese words, learned from sentences and their translations.
//!
//! Everything else stays as it is, rounded as it will be read. The rows begin with a ridge regression on the rows of the English
//! sides. Then the encoder's vector of a Vietnamese text is trained by contrast towards its vector of the English side, and
//! likewise for the same texts typed without accents. All of it follows from the inputs and one seed.

use candle_core::{Device, Tensor, Var};
use rayon::prelude::*;

use super::{
    Progress, Report,
    contrast::{Contrast, Translations},
    fault, gradients,
    pairs::Pair,
    ridge::{Lessons, sum_of},
    shrink::Parts,
    training::{Adam, Schedule},
    vietnamese_words,
};
use crate::embed::{
    Encoder, Result, VietnameseRows,
    bert::forward::Bert,
    bilingual::{Language, Pieces, Scratch},
    reader::{self, EMBEDDINGS, MARKS, TokenRows},
    vietnamese::unaccented,
};

/// Texts of a batch: what a text is told apart from.
const BATCH: usize = 256;
/// Tokens that one thread reads at a time, padding included.
const TOKENS: usize = 768;
/// English texts read between two reports.
const ENGLISH: usize = 1024;

/// The row of a token, and a vector for it.
type OfToken = (u32, Vec<f32>);

/// What to make.
#[derive(Debug, Clone)]
pub struct VietnameseRecipe {
    /// Rows of syllables, and of all words, with accents and without.
    pub syllables: usize,
    pub words: usize,
    pub unaccented: usize,
    pub epochs: usize,
    /// The highest rate of Adam.
    pub rate: f64,
    pub seed: u64,
}

/// The texts of one way of writing, and what they should be.
#[derive(Default)]
struct Texts {
    /// Tokens and targets of each.
    set: Translations,
    /// The same for the regression.
    lessons: Lessons,
}

impl Parts {
    /// Adds Vietnamese rows to a reader of English. Also the mean loss of each epoch, with accents and without.
    pub fn with_vietnamese(
        mut self,
        pairs: &[Pair],
        recipe: &VietnameseRecipe,
        report: Report<'_>,
    ) -> Result<(Self, [Vec<f64>; 2])> {
        let name = self.card.name.clone();
        let failed = |error: candle_core::Error| fault(&name, error);
        let weights = self.rounded().map_err(failed)?;
        let targets = self.english_vectors(&weights, pairs, report)?;
        let tensors = reader::tensors(&weights).map_err(failed)?;
        let bert = Bert::new(self.card.heads, self.card.layers, &tensors).map_err(failed)?;
        let learned = |accents: bool, words: usize| {
            let texts = pairs.iter().map(|pair| pair.vietnamese.as_str());
            vietnamese_words::learn(texts, accents, recipe.syllables, words)
        };
        let (accented, bare) = (learned(true, recipe.words), learned(false, recipe.unaccented));
        let frozen = MARKS as usize + self.vocabulary.len();
        self.vocabulary.extend(accented.iter().chain(&bare).cloned());
        let pieces = Pieces::new(self.vocabulary.join("\n").into(), accented.len(), bare.len())?.with_marks_apart();
        let d = self.card.dimension;
        let mut table = vec![0f32; (frozen + accented.len() + bare.len()) * d];
        let rows = TokenRows::of(&weights, frozen, d).map_err(failed)?;
        table.chunks_exact_mut(d).take(frozen).enumerate().for_each(|(token, row)| rows.expand(token as u32, row));
        let mut losses = [Vec::new(), Vec::new()];
        let ways = [
            (Language::Vietnamese, frozen, accented.len()),
            (Language::Unaccented, frozen + accented.len(), bare.len()),
        ];
        for ((language, first, count), losses) in ways.into_iter().zip(&mut losses) {
            let texts = Texts::new(&self, &pieces, &table, pairs, &targets, (language, first as u32), frozen as u32);
            *losses = texts.learn(&bert, &mut table, (first, count), recipe, report).map_err(failed)?;
        }
        let shape = (table.len() / d, d);
        let rows = Tensor::from_vec(table, shape, &Device::Cpu).map_err(failed)?;
        self.tensors.insert(EMBEDDINGS.to_owned(), rows);
        self.card.pieces = self.vocabulary.len();
        self.card.vietnamese = Some(VietnameseRows { accented: accented.len(), unaccented: bare.len() });
        Ok((self, losses))
    }

    /// What the rounded reader makes of the English sides.
    fn english_vectors(&self, weights: &[u8], pairs: &[Pair], report: Report<'_>) -> Result<Vec<f32>> {
        let vocabulary = self.vocabulary.join("\n");
        let encoder = reader::of_verified(&self.card, weights, vocabulary.into(), "the English reader".as_ref())?;
        let mut vectors = Vec::with_capacity(pairs.len() * self.card.dimension);
        for (at, block) in pairs.chunks(ENGLISH).enumerate() {
            if !report(Progress { what: "English texts", done: at * ENGLISH, of: pairs.len() }) {
                return Err(fault(&self.card.name, "stopped"));
            }
            let texts: Vec<&str> = block.iter().map(|pair| pair.english.as_str()).collect();
            vectors.extend(encoder.embed(&texts)?.into_iter().flatten());
        }
        Ok(vectors)
    }
}

impl Texts {
    fn new(
        parts: &Parts,
        pieces: &Pieces,
        table: &[f32],
        pairs: &[Pair],
        targets: &[f32],
        (language, first): (Language, u32),
        frozen: u32,
    ) -> Self {
        let d = parts.card.dimension;
        let longest = parts.card.positions - MARKS as usize;
        let mut scratch = Scratch::default();
        let mut read = |language: Language, text: &str| -> Vec<u32> {
            pieces.read_as(language, text, &mut scratch);
            scratch.rows.iter().take(longest).map(|row| row + MARKS).collect()
        };
        let mut texts = Self::default();
        for (pair, target) in pairs.iter().zip(targets.chunks_exact(d)) {
            let english = sum_of(table, &read(Language::English, &pair.english), d);
            let rows = match language {
                Language::Unaccented => read(language, &unaccented(&pair.vietnamese)),
                _ => read(language, &pair.vietnamese),
            };
            let length = english.iter().map(|x| x * x).sum::<f32>();
            if rows.iter().all(|row| *row < frozen) || length <= 1e-6 || target.iter().all(|x| *x == 0.0) {
                continue;
            }
            texts.lessons.add(table, &rows, (frozen, first), &english, 1.0 / length);
            texts.set.texts.push(std::iter::once(0).chain(rows).chain([1]).collect());
            texts.set.targets.extend(target);
        }
        texts
    }

    /// Learns `count` rows of the table from `first` on. The mean loss of each epoch.
    fn learn(
        &self,
        bert: &Bert,
        table: &mut [f32],
        (first, count): (usize, usize),
        recipe: &VietnameseRecipe,
        report: Report<'_>,
    ) -> candle_core::Result<Vec<f64>> {
        let texts = self.set.texts.len();
        let d = self.set.targets.len() / texts.max(1);
        report(Progress { what: "regression", done: 0, of: texts });
        table[first * d..(first + count) * d].copy_from_slice(&self.lessons.solve(count, d));
        let mut optimizer = Adam::new(table.len() / d, d);
        let own = first as u32..(first + count) as u32;
        let VietnameseRecipe { epochs, rate: peak, seed, .. } = *recipe;
        let schedule = Schedule { what: "training, reader", epochs, texts, batch: BATCH, peak, report_every: 4, seed };
        let mut failure = None;
        let losses = schedule.run(report, |batch, rate| match self.gradients(bert, table, batch, d) {
            Ok((loss, gradients)) => {
                for (row, gradient) in gradients.iter().filter(|(row, _)| own.contains(row)) {
                    optimizer.add(std::iter::once(*row), gradient);
                }
                optimizer.step(table, rate, batch.len());
                loss
            }
            Err(error) => {
                failure.get_or_insert(error);
                f64::NAN
            }
        });
        match (failure, losses) {
            (Some(error), _) => Err(error),
            (None, losses) => losses.ok_or_else(|| candle_core::Error::Msg("stopped".to_owned())),
        }
    }

    /// The loss of a batch, and the gradient of each token: its row, and a vector.
    fn gradients(
        &self,
        bert: &Bert,
        table: &[f32],
        batch: &[u32],
        d: usize,
    ) -> candle_core::Result<(f64, Vec<OfToken>)> {
        // Texts of one length need no padding.
        let mut batch = batch.to_vec();
        batch.sort_by_key(|at| (self.set.texts[*at as usize].len(), *at));
        let texts: Vec<&[u32]> = batch.iter().map(|at| &self.set.texts[*at as usize][..]).collect();
        let parts: Vec<Part<'_>> = parts(&texts)
            .par_iter()
            .map(|texts| Part::new(bert, table, texts, d))
            .collect::<candle_core::Result<_>>()?;
        let vectors = parts.iter().map(|part| part.sums.flatten_all()?.to_vec1::<f32>());
        let vectors = vectors.collect::<candle_core::Result<Vec<_>>>()?.concat();
        let mut contrast = Contrast::new(vectors, self.set.targets_of(&batch, d), d);
        let loss = contrast.learn();
        let mut rest = &contrast.gradients[..];
        let with_gradients =
            parts.iter().map(|part| (part, rest.split_off(..part.texts.len() * d).unwrap_or_default()));
        let with_gradients: Vec<(&Part<'_>, &[f32])> = with_gradients.collect();
        let of_tokens = with_gradients.par_iter().map(|(part, of_sums)| part.of_tokens(of_sums));
        Ok((loss, of_tokens.collect::<candle_core::Result<Vec<_>>>()?.concat()))
    }
}

/// Cuts texts, sorted by length, into parts of at most [`TOKENS`] tokens.
fn parts<'t>(texts: &'t [&'t [u32]]) -> Vec<&'t [&'t [u32]]> {
    let mut parts = Vec::new();
    let mut rest = texts;
    while !rest.is_empty() {
        let fits = |count: &usize| rest[count - 1].len() * count <= TOKENS;
        let (part, after) = rest.split_at((1..=rest.len()).take_while(fits).last().unwrap_or(1));
        parts.push(part);
        rest = after;
    }
    parts
}

/// Some texts that were read together.
struct Part<'t> {
    texts: &'t [&'t [u32]],
    longest: usize,
    rows: Var,
    sums: Tensor,
}

impl<'t> Part<'t> {
    fn new(bert: &Bert, table: &[f32], texts: &'t [&'t [u32]], d: usize) -> candle_core::Result<Self> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut rows = vec![0f32; texts.len() * longest * d];
        for (text, rows) in texts.iter().zip(rows.chunks_exact_mut(longest * d)) {
            for (token, row) in text.iter().zip(rows.chunks_exact_mut(d)) {
                row.copy_from_slice(&table[*token as usize * d..][..d]);
            }
        }
        let rows = Var::from_vec(rows, (texts.len(), longest, d), &Device::Cpu)?;
        let sums = gradients::sums(bert, &rows, &lengths)?;
        Ok(Self { texts, longest, rows, sums })
    }

    /// The gradient of each token, from those of the sums.
    fn of_tokens(&self, of_sums: &[f32]) -> candle_core::Result<Vec<OfToken>> {
        let of_sums = Tensor::from_slice(of_sums, self.sums.shape(), &Device::Cpu)?;
        let gradients = (&self.sums * of_sums)?.sum_all()?.backward()?;
        let gradient = gradients.get(&self.rows).ok_or_else(|| candle_core::Error::Msg("no gradient".to_owned()))?;
        let d = gradient.dim(2)?;
        let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
        let of_text = |(text, gradient): (&&'t [u32], &[f32])| -> Vec<OfToken> {
            text.iter().copied().zip(gradient.chunks_exact(d).map(<[f32]>::to_vec)).collect()
        };
        Ok(self.texts.iter().zip(gradient.chunks_exact(self.longest * d)).flat_map(of_text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::{
        BertEncoder,
        bert::tests::write_tiny_model,
        distill::shrink::{ReaderRecipe, shrink},
    };

    fn english() -> Parts {
        let dir = tempfile::tempdir().unwrap();
        write_tiny_model(dir.path(), 32);
        let lines = ["rain by the river", "the river walk", "a tea", "walks"].map(str::to_owned);
        let recipe = ReaderRecipe { name: "small".to_owned(), licence: None, pieces: 100 };
        shrink(dir.path(), &lines, &recipe, &mut |_| true).unwrap()
    }

    fn pairs() -> Vec<Pair> {
        let texts =
            [("rain", "mưa"), ("the river", "dòng sông"), ("a tea", "trà"), ("rain by the river", "mưa bên sông")];
        let pair =
            |(english, vietnamese): (&str, &str)| Pair { english: english.into(), vietnamese: vietnamese.into() };
        texts.into_iter().cycle().take(400).map(pair).collect()
    }

    fn recipe(epochs: usize) -> VietnameseRecipe {
        VietnameseRecipe { syllables: 20, words: 20, unaccented: 20, epochs, rate: 0.05, seed: 1 }
    }

    fn cosine(reader: &BertEncoder, one: &str, other: &str) -> f32 {
        let vectors = reader.embed(&[one, other]).unwrap();
        vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn a_translation_comes_close_with_and_without_accents_and_english_stays() {
        let (parts, losses) = english().with_vietnamese(&pairs(), &recipe(12), &mut |_| true).unwrap();
        assert!(losses.iter().all(|losses| losses[11] < losses[0]), "{losses:?}");
        let out = tempfile::tempdir().unwrap();
        let (card, _) = parts.write(out.path()).unwrap();
        assert!(card.vietnamese.is_some_and(|rows| rows.accented >= 5 && rows.unaccented >= 5));
        let reader = reader::load(out.path()).unwrap();
        for (english, vietnamese) in [("rain", "mưa"), ("the river", "dòng sông"), ("the river", "dong song")] {
            let right = cosine(&reader, english, vietnamese);
            assert!(right > 0.9 && right > cosine(&reader, "a tea", vietnamese), "{english} {vietnamese}: {right}");
        }
        let before = tempfile::tempdir().unwrap();
        english().write(before.path()).unwrap();
        let before = reader::load(before.path()).unwrap();
        assert_eq!(reader.embed(&["the river walk"]).unwrap(), before.embed(&["the river walk"]).unwrap());
    }

    #[test]
    fn the_frozen_encoder_is_the_one_that_is_read_and_its_gradient_the_slope_of_its_sums() {
        let parts = english();
        let tensors = reader::tensors(&parts.rounded().unwrap()).unwrap();
        let bert = Bert::new(parts.card.heads, parts.card.layers, &tensors).unwrap();
        let count = parts.vocabulary.len() + MARKS as usize;
        let rows = TokenRows::of(&parts.rounded().unwrap(), count, 32).unwrap();
        let mut table = vec![0f32; count * 32];
        table.chunks_exact_mut(32).enumerate().for_each(|(token, row)| rows.expand(token as u32, row));
        let vocabulary = parts.vocabulary.join("\n");
        let pieces = Pieces::new(vocabulary.clone().into(), 0, 0).unwrap().with_marks_apart();
        let token = |word| pieces.row_of(word, false).unwrap() + MARKS;
        let texts: [&[u32]; 2] = [&[0, token("tea"), 1], &[0, token("rain"), token("river"), 1]];
        let part = Part::new(&bert, &table, &texts, 32).unwrap();
        let sums: Vec<f32> = part.sums.flatten_all().unwrap().to_vec1().unwrap();
        let weights = parts.rounded().unwrap();
        let reader = reader::of_verified(&parts.card, &weights, vocabulary.into(), "small".as_ref()).unwrap();
        for (text, sum) in ["tea", "rain river"].iter().zip(sums.chunks_exact(32)) {
            let mut sum = sum.to_vec();
            crate::embed::normalise(&mut sum);
            let own = &reader.embed(&[*text]).unwrap()[0];
            assert!(own.iter().zip(&sum).all(|(a, b)| (a - b).abs() < 1e-4), "{text}");
        }
        let pull: Vec<f32> = (0..64).map(|at| ((at * 7 % 11) as f32 - 5.0) / 10.0).collect();
        let along = |table: &[f32]| -> f32 {
            let part = Part::new(&bert, table, &texts, 32).unwrap();
            part.sums.flatten_all().unwrap().to_vec1::<f32>().unwrap().iter().zip(&pull).map(|(a, b)| a * b).sum()
        };
        let gradients = part.of_tokens(&pull).unwrap();
        for column in [0, 9, 31] {
            let at = token("river") as usize * 32 + column;
            let slope = |by: f32| {
                let mut table = table.clone();
                table[at] += by;
                along(&table)
            };
            let slope = (slope(1e-2) - slope(-1e-2)) / 2e-2;
            let own = gradients.iter().find(|(row, _)| *row == token("river")).unwrap().1[column];
            assert!((slope - own).abs() < 0.02 * slope.abs().max(0.5), "{column}: {slope} {own}");
        }
    }
}
