//! `kioku lexicon`: the word lists by which entries are read, and where a journal's own stand.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{
    Context, Done, Failure, Outcome, Run,
    json::VERSION,
    output::{self, Set},
};
use crate::{
    extract::language::List,
    journal::{WordListFile, word_list_path, word_lists},
    report::Report,
};

/// List the word lists for names, feelings and causes, or print one
#[derive(Debug, Args)]
#[command(
    after_help = "A journal can have lists of its own: a file lexicon/NAME.txt in its folder, written as the list of
that name is. Its words come in beside those of kioku; `- word, word` takes words out. In lists of
lines `name: word, word` a word goes by your line alone. The next start reads every entry by them.

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
struct Lists {
    v: u32,
    lists: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    what: &'static str,
    words: usize,
    /// Whether a journal can have its own.
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
    v: u32,
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
        let lists = List::ALL.iter().map(|list| row(*list, own)).collect();
        let lists = Lists { v: VERSION, lists };
        if self.json {
            context.out.json(&lists)?;
            return Ok(Done::Done);
        }
        for list in &lists.lists {
            print_row(context, list)?;
        }
        output::note(format_args!(
            "your own lists: {} (see `kioku lexicon --help`)",
            word_list_path(root, "NAME").display()
        ));
        Ok(Done::Done)
    }

    fn whole(&self, context: &mut Context, root: &Path, list: List, own: Vec<WordListFile>) -> Outcome {
        let own = own.into_iter().find(|own| own.name == list.name());
        if self.json {
            context.out.json(&Whole { v: VERSION, name: list.name(), text: list.built_in(), own })?;
            return Ok(Done::Done);
        }
        context.out.bytes(list.built_in().as_bytes())?;
        match own {
            _ if !list.is_open() => output::note("this list cannot be extended"),
            Some(own) => output::note(format_args!("your own list: {}", own.path.display())),
            None => output::note(format_args!(
                "to add words or take some out, write {}",
                word_list_path(root, list.name()).display()
            )),
        }
        Ok(Done::Done)
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

fn print_row(context: &mut Context, row: &Row) -> Result<(), Failure> {
    let out = &mut context.out;
    let name = out.set(Set::Bold, &format!("{:<16}", row.name)).into_owned();
    let own = match &row.own {
        Some(own) => format!("and {} of yours", own.words),
        None => String::new(),
    };
    let what = row.what.split_once(". ").map_or(row.what, |(first, _)| first).trim_end_matches('.');
    out.line(format_args!("{name} {:>6}  {own:<16} {what}", row.words).to_string().trim_end())
}
