//! `kioku-lab distill`: makes a table model from a teacher, a corpus and, if wanted, the own journal.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args;
use flate2::read::MultiGzDecoder;
use kioku::{
    cli::lab::{Context, Done, Failure, Outcome, bytes, check_new_files, note},
    embed::{
        BertEncoder, TableCard,
        distill::{Corpus, MADE, Progress, Recipe, distill},
    },
    index::passage,
    report::Report,
};

/// Below so many sentences a table learns a few words and little else; the one inside kioku learned from 98,304 texts.
const FEWEST_SENTENCES: usize = 2_000;
/// What a compressed file begins with (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Make a small, fast model from a large one and a heap of text
#[derive(Debug, Args)]
#[command(after_help = "\
The corpus is plain text, one sentence a line, compressed (.gz) or not; `-` reads it from stdin. With
--from-journal the sentences of the journal (--journal NAME says which) are added, or are all of it:
  kioku-lab distill --teacher DIR --corpus everyday.txt.gz --from-journal --out DIR
A run that was stopped goes on where it was when the same command is given again. Nothing leaves this machine.")]
pub struct Distill {
    /// The folder of the model to learn from: model.safetensors, tokenizer.json, config.json
    #[arg(long, value_name = "FOLDER")]
    teacher: PathBuf,
    /// Text to learn from; may be given several times
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "from_journal")]
    corpus: Vec<PathBuf>,
    /// The lines are in no order: no passages are made of neighbouring lines
    #[arg(long)]
    shuffled: bool,
    /// Learn from what is written in the journal too: it knows its words then
    #[arg(long)]
    from_journal: bool,
    #[command(flatten)]
    model: NewModel,
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

/// The model that a verb makes.
#[derive(Debug, Args)]
pub struct NewModel {
    /// Where the model goes
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Replace a model that is there already
    #[arg(long)]
    pub force: bool,
    /// What to call it; the name of the folder without this
    #[arg(long)]
    name: Option<String>,
    /// What its card shall say of its licence
    #[arg(long, value_name = "TEXT")]
    pub licence: Option<String>,
}

impl NewModel {
    /// Hours of work must not end in a refusal: refused at once where one of the files is there already.
    pub fn check(&self, context: &Context, names: impl IntoIterator<Item = &'static str>) -> Result<(), Failure> {
        let made: Vec<PathBuf> = names.into_iter().map(|name| self.out.join(name)).collect();
        check_new_files(context, &self.out, made.iter().map(PathBuf::as_path), self.force)
    }

    pub fn name(&self) -> String {
        let folder = self.out.file_name().and_then(|name| name.to_str());
        self.name.as_deref().or(folder).unwrap_or("table").to_owned()
    }

    /// Says what was made, and prints where it is.
    pub fn made(&self, context: &mut Context, card: &TableCard, size: usize) {
        let TableCard { rows, dimension, checksum, .. } = card;
        note(format_args!("{rows} rows of {dimension} numbers, {}, {}", bytes(size as u64), &checksum[..12]));
        context.out.line(self.out.display());
    }
}

impl Distill {
    pub fn run(self, context: &mut Context) -> Outcome {
        self.model.check(context, MADE)?;
        let mut corpus = Corpus::default();
        for file in &self.corpus {
            corpus.add(&read(file)?);
        }
        if self.from_journal {
            add_journal(context, &mut corpus)?;
        }
        if self.shuffled {
            corpus = corpus.shuffled();
        }
        let teacher = BertEncoder::load(&self.teacher, "teacher")?;
        let recipe = Recipe {
            name: self.model.name(),
            licence: self.model.licence.clone(),
            rows: self.rows as usize,
            dimension: self.dimension as usize,
            texts: self.texts as usize,
            epochs: self.epochs as usize,
            seed: self.seed,
        };
        let mut progress = ProgressLines::default();
        let made = distill(&teacher, &corpus, &recipe, &self.model.out, &mut progress.report())?;
        let losses: Vec<String> = made.losses.iter().map(|loss| format!("{loss:.4}")).collect();
        note(format_args!(
            "{} texts, {:.1} % of the teacher kept by the basis, loss by epoch {}",
            made.texts,
            made.kept * 100.0,
            losses.join(" ")
        ));
        self.model.made(context, &made.card, made.size);
        Ok(Done::Done)
    }
}

/// Adds every sentence of the journal.
fn add_journal(context: &Context, corpus: &mut Corpus) -> Result<(), Failure> {
    let mut session = context.reading_session()?;
    for entry in session.entries(None, None)? {
        for span in passage::sentences(&entry.body) {
            // A sentence that runs over several lines is one.
            corpus.add(&entry.body[span].split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    session.close()?;
    let sentences = corpus.lines().len();
    if sentences < FEWEST_SENTENCES {
        return Err(Report::data(format!(
            "there are {sentences} sentences to learn from, and fewer than {FEWEST_SENTENCES} make no model of use"
        ))
        .hint("add everyday text with --corpus FILE, or stay with the model that comes with kioku")
        .into());
    }
    Ok(())
}

pub fn read(file: &Path) -> Result<String, Report> {
    let fault = |error: io::Error| Report::data(format!("reading {}: {error}", file.display()));
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map_err(fault)?;
        bytes
    } else {
        fs::read(file).map_err(fault)?
    };
    text_of(bytes).map_err(fault)
}

/// The text of a file, compressed or not.
fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    if bytes.starts_with(&GZIP) {
        let mut text = String::new();
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
        return Ok(text);
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Progress on stderr: a line when a step begins or ends, and every ten seconds.
#[derive(Default)]
pub struct ProgressLines {
    last: Option<(Instant, &'static str)>,
}

impl ProgressLines {
    /// For a step that goes on whatever is reported.
    pub fn report(&mut self) -> impl FnMut(Progress) -> bool {
        |progress| {
            self.tell(progress);
            true
        }
    }

    fn tell(&mut self, progress: Progress) {
        let Progress { what, done, of } = progress;
        let due = self.last.is_none_or(|(when, last)| last != what || when.elapsed() > Duration::from_secs(10));
        if due || done == of {
            self.last = Some((Instant::now(), what));
            note(format_args!("{what}: {done} of {of}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn a_compressed_corpus_reads_like_a_plain_one() {
        let pack = |text: &str| {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            packed.finish().unwrap()
        };
        // Files made by putting several together have several members.
        let packed = [pack("tea by the river\n"), pack("một buổi sáng\n")].concat();
        assert_eq!(text_of(packed.clone()).unwrap(), "tea by the river\nmột buổi sáng\n");
        assert_eq!(text_of(b"plain".to_vec()).unwrap(), "plain");
        assert!(text_of(packed[..packed.len() - 9].to_vec()).is_err(), "half a file is an error, not half a corpus");
        assert!(text_of(vec![0xff, 0xfe]).is_err());
    }
}
