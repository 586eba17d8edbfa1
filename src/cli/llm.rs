//! `kioku llm`: the language model that may read along: what it is sent, how far it is, asking it now, its answers.

mod run;
mod status;

use std::io::{self, BufRead, IsTerminal};

use clap::{Args, Subcommand};

use super::{Context, Done, Outcome, Run, output};
use crate::report::Report;
pub use status::{LlmFindings, findings, row};

/// The language model that may read along, off by default: its state, a run by hand, what it is sent
#[derive(Debug, Args)]
#[command(
    after_help = "Off until the configuration says `[llm] enabled = true`: from then on the text of each entry, its day and
up to 50 names of the journal are sent to the service that stands there. What comes back counts only where
its words stand in the text."
)]
pub struct Llm {
    #[command(subcommand)]
    verb: LlmVerb,
}

#[derive(Debug, Subcommand)]
enum LlmVerb {
    Status(Status),
    Run(RunNow),
    Show(Show),
    Clear(Clear),
}

impl Run for Llm {
    fn run(self, context: &mut Context) -> Outcome {
        match self.verb {
            LlmVerb::Status(arguments) => arguments.run(context),
            LlmVerb::Run(arguments) => arguments.run(context),
            LlmVerb::Show(arguments) => arguments.run(context),
            LlmVerb::Clear(arguments) => arguments.run(context),
        }
    }
}

/// Whether it is on, who is asked, what is sent, how far it is
#[derive(Debug, Args)]
struct Status {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Ask about the entries that have no answer yet, newest first, until all have one
#[derive(Debug, Args)]
struct RunNow {
    /// Ask about so many and no more
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Also about those that were given up
    #[arg(long)]
    again: bool,
}

/// Print exactly what would be sent for an entry; nothing is sent
#[derive(Debug, Args)]
struct Show {
    /// The entry's id, or its time as written; the newest entry without this
    id: Option<String>,
}

/// Remove every answer; the connections are again what kioku reads by itself
#[derive(Debug, Args)]
struct Clear {
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Run for Status {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let snapshot = session.snapshot()?;
        let found = findings(context, session.vault(), Some(&snapshot))?;
        if self.json {
            context.out.json(&found)?;
        } else {
            status::print(&mut context.out, &found)?;
        }
        Ok(Done::Done)
    }
}

impl Run for Clear {
    fn run(self, context: &mut Context) -> Outcome {
        let session = context.reading_session()?;
        let count = session.vault().answers()?.len();
        if count > 0 && !self.yes {
            if !io::stdin().is_terminal() {
                return Err(Report::usage("there is nobody to ask").hint("--yes says that it is meant").into());
            }
            output::ask(format_args!("Remove {count} answers? They would have to be asked for again. [y/N] "));
            let mut answer = String::new();
            let said = io::stdin().lock().read_line(&mut answer).is_ok();
            if !said || !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
                return Err(Report::data("nothing was removed").into());
            }
        }
        let removed = session.vault().drop_answers()?;
        let answers = if removed == 1 { "answer" } else { "answers" };
        context.out.line(format_args!("{removed} {answers} removed"))?;
        Ok(Done::Done)
    }
}
