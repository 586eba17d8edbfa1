//! `kioku-lab shrink`: makes a small reader of a large BERT model, and teaches it Vietnamese.

use std::path::PathBuf;

use clap::Args;
use kioku::{
    cli::lab::{Context, Done, Failure, Outcome, bytes, note},
    embed::{
        distill::{
            pairs::{Pair, write_pairs},
            reader_pairs::VietnameseRecipe,
            shrink::{Parts, ReaderRecipe, shrink},
        },
        reader::{CARD, VOCABULARY, WEIGHTS},
    },
};

use super::{
    distill::{NewModel, ProgressLines, read},
    distill_pairs::{HELD_OUT, TrainingPairs, losses},
};

/// Make a small reader of a large BERT model: the pieces that a corpus uses, four bits a weight
///
/// With translated sentences also Vietnamese words, whose rows are trained; all else stays as it is.
#[derive(Debug, Args)]
pub struct Shrink {
    /// The folder of the model: model.safetensors, tokenizer.json, config.json
    #[arg(long, value_name = "FOLDER")]
    teacher: PathBuf,
    /// English text that decides which pieces are kept; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    corpus: Vec<PathBuf>,
    #[command(flatten)]
    model: NewModel,
    /// English pieces
    #[arg(long, default_value_t = 14_000)]
    pieces: usize,
    #[command(flatten)]
    pairs: TrainingPairs,
    /// Rows of Vietnamese syllables, at most
    #[arg(long, default_value_t = 3_000)]
    syllables: usize,
    /// Rows of Vietnamese words, syllables included
    #[arg(long, default_value_t = 4_000)]
    words: usize,
    /// Rows of the same as typed without accents
    #[arg(long, default_value_t = 1_400)]
    unaccented: usize,
    #[arg(long, default_value_t = 4)]
    epochs: usize,
    /// The highest rate of the training
    #[arg(long, default_value_t = 3e-3)]
    rate: f64,
    /// The same seed and inputs give the same model
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Shrink {
    pub fn run(self, context: &mut Context) -> Outcome {
        self.model.check(context, [WEIGHTS, VOCABULARY, CARD, HELD_OUT])?;
        let mut lines = Vec::new();
        for file in &self.corpus {
            lines.extend(read(file)?.lines().map(str::to_owned));
        }
        let recipe = ReaderRecipe { name: self.model.name(), licence: self.model.licence.clone(), pieces: self.pieces };
        let mut progress = ProgressLines::default();
        let parts = shrink(&self.teacher, &lines, &recipe, &mut progress.report())?;
        let (pairs, held) = self.pairs.read(self.seed)?;
        let parts = if pairs.is_empty() { parts } else { self.vietnamese(parts, &pairs)? };
        let (card, size) = parts.write(&self.model.out)?;
        if !held.is_empty() {
            write_pairs(&self.model.out.join(HELD_OUT), &held)?;
        }
        note(format_args!("{} pieces, {} layers, {}", card.pieces, card.layers, bytes(size as u64)));
        context.out.line(self.model.out.display());
        Ok(Done::Done)
    }

    fn vietnamese(&self, parts: Parts, pairs: &[Pair]) -> Result<Parts, Failure> {
        let recipe = VietnameseRecipe {
            syllables: self.syllables,
            words: self.words,
            unaccented: self.unaccented,
            epochs: self.epochs,
            rate: self.rate,
            seed: self.seed,
        };
        let mut progress = ProgressLines::default();
        let (parts, by_epoch) = parts.with_vietnamese(pairs, &recipe, &mut progress.report())?;
        losses(&by_epoch);
        Ok(parts)
    }
}
