//! The command line: commands and their output. Names, JSON keys and exit codes are stable (design 7).
//!
//! A new command is one file with a struct of clap arguments that implements `Run`, its `mod` line, and one line in
//! `verbs!`. It parses its arguments, queries the session, and passes the result to `Context::answer`, with a
//! function that prints it for people.
//!
//! Data goes to stdout, everything else to stderr. Exit codes: 0 success, 1 error, 2 usage, 3 nothing matched.

mod agent_context;
mod arguments;
mod attach;
mod batch;
mod command;
mod complete;
mod completions;
mod config;
mod context;
mod demo;
mod doctor;
mod editor;
mod entity;
mod exchange;
mod extract;
mod forget;
mod graph;
mod help;
mod hook;
mod import;
mod index;
mod insight;
mod keys;
#[cfg(feature = "lab")]
pub mod lab;
mod lexicon;
mod llm;
mod losses;
mod man;
mod mcp;
mod merge_file;
mod model;
mod outcome;
mod output;
mod path;
mod probe;
mod prompt;
mod quick;
mod read;
mod record;
mod repair;
mod screens;
mod search;
mod sheet;
mod sync;
mod user_files;
mod verify;
mod write;

use std::ffi::OsString;

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue},
};

use command::Run;
use context::{Context, Place};
use outcome::{Done, Failure, Outcome};
use output::{Output, ProgressLine, counted};

use crate::report::Report;

/// A journal for the terminal, with search by word, meaning and connection. Without a command, opens the screens.
#[derive(Debug, Parser)]
#[command(name = "kioku", version, disable_help_subcommand = true, max_term_width = 100, after_help = help::topics())]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    verb: Option<Verb>,
}

// In the order of `kioku --help`.
command::verbs! {
    Verb:
    Add(write::Add),
    Search(search::SearchVerb),
    Timeline(read::Timeline),
    Dates(read::Dates),
    Show(read::Show),
    Path(path::PathVerb),
    Edit(write::Edit),
    Attach(attach::Attach),
    Rm(write::Rm),
    Record(record::RecordVerb),
    Hook(hook::HookVerb),
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
    Sync(sync::SyncVerb),
    MergeFile(merge_file::MergeFile),
    Index(index::IndexVerb),
    Doctor(doctor::Doctor),
    Model(model::Model),
    Lexicon(lexicon::Lexicon),
    Llm(llm::Llm),
    Mcp(mcp::Mcp),
    Context(agent_context::ContextVerb),
    Graph(graph::Graph),
    Demo(demo::Demo),
    Keys(keys::Keys),
    Config(config::ConfigVerb),
    Completions(completions::Completions),
    Man(man::ManVerb),
    Help(help::Help),
}

/// Parses the arguments and runs the command. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = arguments::shield_dashes(arguments);
    if let Some(words) = complete::words(&arguments) {
        complete::answer(&words, Cli::command);
        return 0;
    }
    let Cli { place, verb } = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => match refuse(&error, &arguments) {
            Ok((place, add)) => Cli { place, verb: Some(Verb::Add(add)) },
            Err(code) => return code,
        },
    };
    if let Some(Verb::Hook(hook)) = &verb
        && let Some(event) = hook.event()
    {
        return hook::take(place, event, Cli::command);
    }
    command::run(place, Cli::command, |context| {
        if verb.as_ref().is_none_or(Run::goes_by_own_lists) {
            context.adopt_word_lists();
        }
        match verb {
            Some(verb) => verb.run(context),
            None => screens::open(context),
        }
    })
}

/// Commands that moved to `kioku-lab`: new and old name.
const MOVED: [(&str, &str); 4] =
    [("eval", "eval"), ("distill", "model distill"), ("score", "model score"), ("bench", "model bench")];

/// Handles arguments that clap does not take: as an entry, or with an error or a help text and the exit code.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Result<(Place, quick::Entry), u8> {
    let typed = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(typed)) => typed.as_str(),
        _ => "",
    };
    if let Some((new, old)) = MOVED.iter().find(|(name, _)| *name == typed) {
        let report = Report::usage(format!("`kioku {old}` is now `kioku-lab {new}` (cargo build --features lab)"));
        output::complain(&report);
        return Err(report.exit_code());
    }
    if !typed.is_empty() {
        let tree = Cli::command();
        let commands: Vec<&str> = tree.get_subcommands().map(clap::Command::get_name).collect();
        if let Some(quick) = quick::add(arguments, &commands) {
            return quick.map_err(|report| {
                output::complain(&report);
                report.exit_code()
            });
        }
    }
    // Clap returns help and version as "errors" with exit code 0. A closed pipe is ignored.
    let _ = error.print();
    Err(u8::try_from(error.exit_code()).unwrap_or(2))
}

#[cfg(test)]
mod tests {
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
    fn another_process_gets_the_options_that_this_one_got() {
        let root = std::env::temp_dir();
        let root = root.to_str().unwrap();
        let given = ["kioku", "--home", root, "--journal", "work", "--config", root, "--plain", "--no-color"];
        let place = Cli::try_parse_from(given).unwrap().place;
        assert_eq!(place.flags(), given[1..]);
        let relative = Cli::try_parse_from(["kioku", "--vault", "notes"]).unwrap().place.flags();
        assert!(std::path::Path::new(&relative[1]).is_absolute(), "{relative:?}");
    }

    #[test]
    fn the_contract_holds_its_names() {
        let command = Cli::command();
        let names: Vec<_> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        let contract = "add search timeline dates show path edit attach rm trash restore entities related explain why reflect review stats \
                        extract forget record hook entity import export sync merge-file index doctor model lexicon llm mcp context \
                        graph demo keys config completions man help";
        for name in contract.split(' ') {
            assert!(names.iter().any(|known| known == name), "{name} is missing");
        }
    }
}
