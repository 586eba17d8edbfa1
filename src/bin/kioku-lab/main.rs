//! `kioku-lab`: measures the search of kioku on judged journals, fits its confidence, and makes, scores and compares embedding
//! models.

mod bench;
mod confidence;
mod distill;
mod distill_pairs;
mod eval;
mod gate;
mod score;
mod shrink;
mod why;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use kioku::cli::lab::{self, Place};

/// Measure the search of kioku; make, score and compare its embedding models.
#[derive(Debug, Parser)]
#[command(name = "kioku-lab", version, disable_help_subcommand = true, max_term_width = 100)]
struct Lab {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Eval(eval::Eval),
    Confidence(confidence::Confidence),
    Distill(distill::Distill),
    DistillPairs(distill_pairs::DistillPairs),
    Gate(gate::Gate),
    Score(score::Score),
    Shrink(shrink::Shrink),
    Why(why::Why),
    Bench(bench::Bench),
}

fn main() -> ExitCode {
    let Lab { place, verb } = Lab::parse();
    ExitCode::from(lab::run(place, Lab::command, |context| {
        // Judged journals are read as anybody's kioku reads them.
        if !matches!(verb, Verb::Eval(_) | Verb::Confidence(_) | Verb::Why(_)) {
            context.adopt_word_lists();
        }
        match verb {
            Verb::Eval(arguments) => arguments.run(context),
            Verb::Confidence(arguments) => arguments.run(context),
            Verb::Distill(arguments) => arguments.run(context),
            Verb::DistillPairs(arguments) => arguments.run(context),
            Verb::Gate(arguments) => arguments.run(context),
            Verb::Score(arguments) => arguments.run(context),
            Verb::Shrink(arguments) => arguments.run(context),
            Verb::Why(arguments) => arguments.run(context),
            Verb::Bench(arguments) => arguments.run(context),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_tree_is_sound() {
        Lab::command().debug_assert();
    }
}
