//! `kioku lexicon`: the word lists of extraction, built in and of the journal.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Context, Outcome, Output, Run, output};
use crate::{
    extract::language::List,
    journal::{WordListFile, word_list_path, word_lists},
    report::Report,
};

/// List the word lists for names, feelings and causes, or print one
#[derive(Debug, Args)]
#[command(
    after_help = "A file lexicon/NAME.txt in the folder of the journal extends the list NAME, in the same format. It adds
words; `- word, word` removes words. In lists with lines `name: word, word`, each of your words
belongs to your line only, not to a built-in one. The next start reads every entry again.

Example: lexicon/feelings.txt
  [sadness]
  homesick: homesick, missing home
  - blue

  kioku lexicon feelings"
)]
pub struct Lexicon {
    name: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    what: &'static str,
    words: usize,
    /// Whether a journal can extend the list.
    open: bool,
    own: Option<Own>,
}

#[derive(Debug, Serialize)]
struct Own {
    path: PathBuf,
    words: usize,
}

#[derive(Debug, Serialize)]
struct Whole {
    name: &'static str,
    text: &'static str,
    own: Option<WordListFile>,
}

impl Run for Lexicon {
    fn run(self, context: &mut Context) -> Outcome {
        let root = context.journal.root(&context.paths);
        let own = word_lists(&root)?;
        match &self.name {
            Some(name) => self.whole(context, &root, named(name)?, own),
            None => self.all(context, &root, &own),
        }
    }
}

fn named(name: &str) -> Result<List, Report> {
    List::named(name.trim_end_matches(".txt")).ok_or_else(|| {
        let names: Vec<&str> = List::ALL.iter().map(|list| list.name()).collect();
        Report::usage(format!("unknown word list `{name}`")).hint(format!("lists: {}", names.join(", ")))
    })
}

impl Lexicon {
    fn all(&self, context: &mut Context, root: &Path, own: &[WordListFile]) -> Outcome {
        let lists: Vec<Row> = List::ALL.iter().map(|list| row(*list, own)).collect();
        context.answer_list("lists", &lists, self.json, |out, lists| {
            lists.iter().for_each(|row| print_row(out, row));
            let path = word_list_path(root, "NAME");
            output::note(format_args!("your own lists: {} (see `kioku lexicon --help`)", path.display()));
        })
    }

    fn whole(&self, context: &mut Context, root: &Path, list: List, own: Vec<WordListFile>) -> Outcome {
        let own = own.into_iter().find(|own| own.name == list.name());
        let note = match &own {
            _ if !list.is_open() => "this list cannot be extended".to_owned(),
            Some(own) => format!("your own list: {}", own.path.display()),
            None => {
                format!("to add words or take some out, write {}", word_list_path(root, list.name()).display())
            }
        };
        context.answer(&Whole { name: list.name(), text: list.built_in(), own }, self.json, |out, whole| {
            out.bytes(whole.text.as_bytes());
            output::note(note);
        })
    }
}

fn row(list: List, own: &[WordListFile]) -> Row {
    let own = own.iter().find(|own| own.name == list.name());
    Row {
        name: list.name(),
        what: list.summary(),
        words: list.count(list.built_in()),
        open: list.is_open(),
        own: own.map(|own| Own { path: own.path.clone(), words: list.count(&own.text) }),
    }
}

fn print_row(out: &mut Output, row: &Row) {
    let name = format!("{:<16}", row.name);
    let name = out.bold(&name);
    let own = row.own.as_ref().map_or_else(String::new, |own| format!("and {} of yours", own.words));
    let what = row.what.split_once(". ").map_or(row.what, |(first, _)| first).trim_end_matches('.');
    out.line(format!("{name} {:>6}  {own:<16} {what}", row.words).trim_end());
}
