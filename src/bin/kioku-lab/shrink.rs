//! `kioku-lab shrink`: makes a small reader of a large BERT model.

use std::path::PathBuf;

use clap::Args;
use kioku::{
    cli::lab::{Context, Done, Outcome, bytes, note},
    embed::{
        distill::shrink::{ReaderRecipe, shrink},
        reader::{CARD, VOCABULARY, WEIGHTS},
    },
    report::Report,
};

use super::distill::{NewModel, ProgressLines, read};

/// Make a small reader of a large BERT model: the pieces that a corpus uses, four bits a weight
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
}

impl Shrink {
    pub fn run(self, context: &mut Context) -> Outcome {
        self.model.check(context, [WEIGHTS, VOCABULARY, CARD])?;
        let mut lines = Vec::new();
        for file in &self.corpus {
            lines.extend(read(file)?.lines().map(str::to_owned));
        }
        let recipe = ReaderRecipe { name: self.model.name(), licence: self.model.licence.clone(), pieces: self.pieces };
        let mut progress = ProgressLines::default();
        let parts =
            shrink(&self.teacher, &lines, &recipe, &mut progress.report()).map_err(|error| Report::from(&error))?;
        let (card, size) = parts.write(&self.model.out).map_err(|error| Report::from(&error))?;
        note(format_args!("{} pieces, {} layers, {}", card.pieces, card.layers, bytes(size as u64)));
        context.out.line(self.model.out.display());
        Ok(Done::Done)
    }
}
