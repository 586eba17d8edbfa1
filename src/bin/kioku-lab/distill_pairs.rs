//! `kioku-lab distill-pairs`: gives an English table Vietnamese rows, learned from translated sentences.

use std::path::PathBuf;

use clap::Args;
use kioku::{
    cli::lab::{Context, Done, Failure, Outcome, note},
    embed::{
        BertEncoder,
        distill::{
            Corpus, MADE,
            pairs::{Pair, PairRecipe, distill_pairs, hold_out, write_pairs},
        },
    },
};

use super::distill::{NewModel, ProgressLines, read};

/// Lines of the corpus that decide which directions are kept.
const SENTENCES: usize = 100_000;
/// How often a pair of `--own` counts.
const OWN: usize = 3;
/// The pairs that were held out, beside the model.
pub const HELD_OUT: &str = "held-out.tsv";

/// What Vietnamese is learned from.
#[derive(Debug, Args)]
pub struct TrainingPairs {
    /// Translated sentences; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pairs: Vec<PathBuf>,
    /// Translated sentences that count three times and are never held out
    #[arg(long, value_name = "FILE", num_args = 1..)]
    own: Vec<PathBuf>,
    /// Pairs to measure with, which are not learned
    #[arg(long, default_value_t = 2_000)]
    hold_out: usize,
}

impl TrainingPairs {
    /// The pairs to learn, and those held out.
    pub fn read(&self, seed: u64) -> Result<(Vec<Pair>, Vec<Pair>), Failure> {
        let mut pairs = Vec::new();
        for file in &self.pairs {
            pairs.extend(Pair::read_lines(&read(file)?));
        }
        let (mut pairs, held) = hold_out(pairs, self.hold_out, seed);
        for file in &self.own {
            let own = Pair::read_lines(&read(file)?);
            (0..OWN).for_each(|_| pairs.extend_from_slice(&own));
        }
        Ok((pairs, held))
    }
}

/// Add Vietnamese rows to an English table, from translated sentences
#[derive(Debug, Args)]
#[command(after_help = "\
FILE has lines of ENGLISH<TAB>VIETNAMESE, compressed (.gz) or not; what follows a second tab is left out. The base is a
model that `kioku-lab distill` made with the same teacher, with its folder `teacher-vectors`:
  kioku-lab distill-pairs --base everyday-en --teacher DIR --pairs en-vi/*.tsv.gz --corpus prose.txt --out everyday-en-vi
The pairs held out are written to held-out.tsv; `kioku-lab score` measures them.")]
#[command(group(clap::ArgGroup::new("translations").args(["pairs"]).required(true)))]
pub struct DistillPairs {
    /// The folder of the English table
    #[arg(long, value_name = "FOLDER")]
    base: PathBuf,
    /// The folder of the model that the table learned from
    #[arg(long, value_name = "FOLDER")]
    teacher: PathBuf,
    #[command(flatten)]
    pairs: TrainingPairs,
    /// English sentences; the first 100,000 decide which directions are kept
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    corpus: Vec<PathBuf>,
    #[command(flatten)]
    model: NewModel,
    /// Numbers of a vector
    #[arg(long, default_value_t = 176, value_parser = clap::value_parser!(u32).range(8..=4096))]
    dimension: u32,
    /// Rows of Vietnamese syllables, at most
    #[arg(long, default_value_t = 6_000)]
    syllables: usize,
    /// Rows of Vietnamese words, syllables included
    #[arg(long, default_value_t = 10_000)]
    words: usize,
    /// Rows of the same as typed without accents
    #[arg(long, default_value_t = 8_000)]
    unaccented: usize,
    /// Share of the teacher's own vectors in what a Vietnamese text should be; the rest is the table's
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    of_teacher: f32,
    /// The same seed and inputs give the same model
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl DistillPairs {
    pub fn run(self, context: &mut Context) -> Outcome {
        self.model.check(context, MADE.into_iter().chain([HELD_OUT]))?;
        let (pairs, held) = self.pairs.read(self.seed)?;
        let mut sentences = Corpus::default();
        for file in &self.corpus {
            let left = SENTENCES.saturating_sub(sentences.lines().len());
            read(file)?.lines().take(left).for_each(|line| sentences.add(line));
        }
        let teacher = BertEncoder::load(&self.teacher, "teacher")?;
        let recipe = PairRecipe {
            name: self.model.name(),
            licence: self.model.licence.clone(),
            dimension: self.dimension as usize,
            syllables: self.syllables,
            words: self.words,
            unaccented: self.unaccented,
            of_teacher: self.of_teacher,
            seed: self.seed,
        };
        let mut progress = ProgressLines::default();
        let made =
            distill_pairs(&self.base, &teacher, &pairs, &sentences, &recipe, &self.model.out, &mut progress.report())?;
        write_pairs(&self.model.out.join(HELD_OUT), &held)?;
        losses(&made.losses);
        note(format_args!("{} pairs, {:.1} % of the table kept", made.pairs, made.kept * 100.0));
        self.model.made(context, &made.card, made.size);
        Ok(Done::Done)
    }
}

/// Prints the losses of both ways of writing.
pub fn losses(by_epoch: &[Vec<f64>; 2]) {
    for (way, losses) in ["accented", "unaccented"].into_iter().zip(by_epoch) {
        let losses: Vec<String> = losses.iter().map(|loss| format!("{loss:.3}")).collect();
        note(format_args!("{way}: loss by epoch {}", losses.join(" ")));
    }
}
