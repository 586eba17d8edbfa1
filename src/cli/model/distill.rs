//! `kioku model distill`: makes a table model from a teacher, a corpus and, if wanted, the own journal.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use clap::Args;

use crate::{
    cli::{Context, Done, Outcome, Run, output},
    embed::{
        BertEncoder,
        distill::{Corpus, Progress, Recipe, distill},
    },
    report::Report,
};

/// Make a small, fast model from a large one and a heap of text
#[derive(Debug, Args)]
#[command(after_help = "\
The corpus is plain text, one sentence a line; `-` reads it from stdin:
  zcat everyday.txt.gz | kioku model distill --teacher DIR --corpus - --out DIR
A run that was stopped goes on where it was when the same command is given again. Nothing leaves this machine.")]
pub struct Distill {
    /// The folder of the model to learn from: model.safetensors, tokenizer.json, config.json
    #[arg(long, value_name = "FOLDER")]
    teacher: PathBuf,
    /// Text to learn from; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    corpus: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// What to call it; the name of the folder without this
    #[arg(long)]
    name: Option<String>,
    /// What its card shall say of its licence
    #[arg(long, value_name = "TEXT")]
    licence: Option<String>,
    /// Pieces of words it knows
    #[arg(long, default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    rows: u32,
    /// Numbers of a vector
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(8..=4096))]
    dimension: u32,
    /// Texts that the teacher reads
    #[arg(long, default_value_t = 150_000, value_parser = clap::value_parser!(u32).range(100..))]
    texts: u32,
    /// How often each is learned
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    epochs: u32,
    /// The same seed and inputs give the same model
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Run for Distill {
    fn run(self, context: &mut Context) -> Outcome {
        let mut corpus = Corpus::default();
        for file in &self.corpus {
            corpus.add(&read(file)?);
        }
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let teacher =
            BertEncoder::load(&self.teacher, "teacher").map_err(|error| Report::from(&error))?.with_workers(workers);
        let folder = self.out.file_name().and_then(|name| name.to_str());
        let recipe = Recipe {
            name: self.name.as_deref().or(folder).unwrap_or("table").to_owned(),
            licence: self.licence.clone(),
            rows: self.rows as usize,
            dimension: self.dimension as usize,
            texts: self.texts as usize,
            epochs: self.epochs as usize,
            seed: self.seed,
        };
        let mut told = Told::default();
        let made = distill(&teacher, &corpus, &recipe, &self.out, &mut |progress| {
            told.tell(progress);
            true
        })
        .map_err(|error| Report::from(&error))?;
        let losses: Vec<String> = made.losses.iter().map(|loss| format!("{loss:.4}")).collect();
        output::note(format_args!(
            "{} texts, {:.1} % of the teacher kept by the basis, loss by epoch {}",
            made.texts,
            made.kept * 100.0,
            losses.join(" ")
        ));
        let card = &made.card;
        output::note(format_args!(
            "{} rows of {} numbers, {}, {}",
            card.rows,
            card.dimension,
            output::bytes(made.size as u64),
            &card.checksum[..12]
        ));
        context.out.line(self.out.display())?;
        Ok(Done::Done)
    }
}

fn read(file: &Path) -> Result<String, Report> {
    let fault = |error: io::Error| Report::data(format!("reading {}: {error}", file.display()));
    if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(fault)?;
        return Ok(text);
    }
    fs::read_to_string(file).map_err(fault)
}

/// Progress on stderr: a line when a step begins or ends, and every ten seconds.
#[derive(Default)]
struct Told {
    last: Option<(Instant, &'static str)>,
}

impl Told {
    fn tell(&mut self, progress: Progress) {
        let Progress { what, done, of } = progress;
        let due = self.last.is_none_or(|(when, last)| last != what || when.elapsed() > Duration::from_secs(10));
        if due || done == of {
            self.last = Some((Instant::now(), what));
            output::note(format_args!("{what}: {done} of {of}"));
        }
    }
}
