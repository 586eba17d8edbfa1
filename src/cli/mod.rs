//! The command line: verbs and printing. Names, JSON keys and exit codes are a contract (design 7).
//!
//! A new verb is one file with a struct of clap arguments that implements `Run`, and one line in `verbs!`.
//!
//! Data goes to stdout and all else to stderr. Exit codes: 0 done, 1 error, 2 usage, 3 nothing matched.

mod arguments;
mod completions;
mod config;
mod context;
mod demo;
mod doctor;
mod editor;
mod entity;
mod eval;
mod exchange;
mod extract;
mod forget;
mod help;
mod import;
mod index;
mod insight;
mod json;
mod keys;
mod lexicon;
mod llm;
mod losses;
mod model;
mod output;
mod probe;
mod read;
mod repair;
mod screens;
mod search;
mod sheet;
mod user_files;
mod verify;
mod write;

use std::{
    ffi::OsString,
    io,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
};

use clap::{Parser, Subcommand};

use context::Context;

use crate::{
    journal::VaultError,
    report::{self, Kind, Report},
    session::SessionError,
};

/// A journal for the terminal, with search by word, meaning and connection. Without a command, opens the screens.
#[derive(Debug, Parser)]
#[command(name = "kioku", version, disable_help_subcommand = true, max_term_width = 100, after_help = help::topics())]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// Which journal, and how to print: understood before and after every command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Global options")]
struct Place {
    /// Folder of journals, models and state [env: KIOKU_HOME]
    #[arg(long, global = true, value_name = "FOLDER")]
    home: Option<PathBuf>,
    /// Journal to use, by name
    #[arg(long, global = true, value_name = "NAME")]
    journal: Option<String>,
    /// Folder of dated markdown to use as the journal
    #[arg(long, global = true, value_name = "FOLDER", conflicts_with = "journal")]
    vault: Option<PathBuf>,
    /// Configuration file [env: KIOKU_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Disable colours [env: NO_COLOR]
    #[arg(long, global = true)]
    no_color: bool,
}

/// What a verb does once its arguments are parsed.
trait Run {
    /// Whether it goes by the word own lists journal. What opens other texts reads them as anybody's kioku does.
    const BY_OWN_LISTS: bool = true;

    fn run(self, context: &mut Context) -> Outcome;
}

macro_rules! verbs {
    ($($name:ident($arguments:ty)),* $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Verb {
            $($name($arguments),)*
        }

        impl Verb {
            fn goes_by_own_lists(&self) -> bool {
                match self {
                    $(Self::$name(_) => <$arguments as Run>::BY_OWN_LISTS,)*
                }
            }
        }

        impl Run for Verb {
            fn run(self, context: &mut Context) -> Outcome {
                match self {
                    $(Self::$name(arguments) => arguments.run(context),)*
                }
            }
        }
    };
}

// In the order of `kioku --help`.
verbs! {
    Add(write::Add),
    Search(search::SearchVerb),
    Timeline(read::Timeline),
    Dates(read::Dates),
    Show(read::Show),
    Edit(write::Edit),
    Rm(write::Rm),
    Trash(write::Trash),
    Restore(write::Restore),
    Entities(insight::Entities),
    Related(insight::RelatedVerb),
    Explain(insight::Explain),
    Why(insight::WhyVerb),
    Reflect(insight::ReflectVerb),
    Review(insight::ReviewVerb),
    Stats(insight::StatsVerb),
    Themes(insight::ThemesVerb),
    Extract(extract::ExtractVerb),
    Forget(forget::Forget),
    Entity(entity::Entity),
    Import(import::Import),
    Export(exchange::Export),
    Index(index::IndexVerb),
    Doctor(doctor::Doctor),
    Model(model::Model),
    Lexicon(lexicon::Lexicon),
    Llm(llm::Llm),
    Eval(eval::Eval),
    Demo(demo::Demo),
    Keys(keys::Keys),
    Config(config::ConfigVerb),
    Completions(completions::Completions),
    Help(help::Help),
}

/// What became of a verb.
type Outcome = Result<Done, Failure>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Done,
    /// The question was understood; the answer is "nothing".
    NothingMatched,
}

#[derive(Debug)]
enum Failure {
    Report(Report),
    /// Whoever read the output has seen enough (`kioku timeline | head`).
    PipeClosed,
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::Report(report)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Report(Report::from(&error))
    }
}

impl From<VaultError> for Failure {
    fn from(error: VaultError) -> Self {
        Self::Report(Report::from(&error))
    }
}

/// What was typed is none of the known names.
fn one_of(what: &str, typed: &str, known: &[&str]) -> Report {
    let report = Report::usage(format!("unknown {what} `{typed}`"));
    match report::closest(typed, known.iter().copied()) {
        Some(near) => report.hint(format!("did you mean `{near}`?")),
        None => report.hint(format!("known: {}", known.join(", "))),
    }
}

impl Failure {
    /// Writing to stdout failed.
    fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Report(Report::new(Kind::Data, format!("writing the output: {error}"))),
        }
    }
}

/// Parses, runs, reports. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments::shield_exclusions(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come as "errors" with exit code 0. A closed pipe is no reason to complain.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    crate::fault::record_panics();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| perform(cli))).unwrap_or_else(|_| {
        let faults = crate::fault::recorded().join("; ");
        Err(Report::new(Kind::Internal, faults)
            .hint("saved entries are safe in the day files; please report this")
            .into())
    });
    crate::fault::recorded()
        .iter()
        .for_each(|fault| output::warn(format_args!("internal error: {fault}; please report it")));
    match outcome {
        Ok(Done::Done) | Err(Failure::PipeClosed) => 0,
        Ok(Done::NothingMatched) => 3,
        Err(Failure::Report(report)) => {
            output::complain(&report);
            report.exit_code()
        }
    }
}

fn perform(cli: Cli) -> Outcome {
    Context::new(cli.place).and_then(|mut context| {
        if cli.verb.as_ref().is_none_or(Verb::goes_by_own_lists) {
            context.adopt_word_lists();
        }
        let done = match cli.verb {
            Some(verb) => verb.run(&mut context),
            None => screens::open(&mut context),
        }?;
        context.out.flush().map(|()| done)
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_tree_is_sound_and_every_verb_has_help() {
        let mut command = Cli::command();
        command.build();
        command.clone().debug_assert();
        for verb in command.get_subcommands() {
            assert!(verb.get_about().is_some(), "{} has no help", verb.get_name());
        }
    }

    #[test]
    fn the_contract_holds_its_names() {
        let command = Cli::command();
        let names: Vec<_> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        for name in [
            "add",
            "search",
            "timeline",
            "dates",
            "show",
            "edit",
            "rm",
            "trash",
            "restore",
            "entities",
            "related",
            "explain",
            "why",
            "reflect",
            "review",
            "stats",
            "extract",
            "forget",
            "entity",
            "import",
            "export",
            "index",
            "doctor",
            "model",
            "lexicon",
            "llm",
            "eval",
            "demo",
            "keys",
            "config",
            "completions",
            "help",
        ] {
            assert!(names.iter().any(|known| known == name), "{name} is missing");
        }
    }
}
