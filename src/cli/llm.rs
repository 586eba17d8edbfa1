//! `kioku llm`: control of the optional language model: status, requests and answers.

mod run;
mod status;

use clap::Args;

use super::{Context, Done, Outcome, Run, command::verbs, counted, prompt};
use status::print_status;
pub use status::{LlmFindings, findings, row};

/// Control the optional language model; off by default
#[derive(Debug, Args)]
#[command(
    after_help = "Off until the configuration says `[llm] enabled = true`: from then on the text of each entry, its day and
up to 50 names of the journal are sent to that service. Of an answer only words that
occur in the text are used."
)]
pub struct Llm {
    #[command(subcommand)]
    verb: LlmVerb,
}

verbs! { LlmVerb: Status(Status), Run(RunNow), Show(Show), Clear(Clear) }

impl Run for Llm {
    fn run(self, context: &mut Context) -> Outcome {
        self.verb.run(context)
    }
}

/// Show state, service, what is sent, and progress
#[derive(Debug, Args)]
struct Status {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Process the entries without an answer, newest first
#[derive(Debug, Args)]
struct RunNow {
    /// Maximum number of entries to send
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Also retry entries that were given up
    #[arg(long)]
    again: bool,
}

/// Print the request for an entry without sending it
#[derive(Debug, Args)]
struct Show {
    /// The entry's id, or its time as written [default: the newest entry]
    id: Option<String>,
}

/// Delete all answers
#[derive(Debug, Args)]
struct Clear {
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

impl Run for Status {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let snapshot = session.snapshot()?;
        let found = findings(context, session.vault(), Some(&snapshot))?;
        context.answer(&found, self.json, print_status)
    }
}

impl Run for Clear {
    fn run(self, context: &mut Context) -> Outcome {
        let session = context.reading_session()?;
        let count = session.vault().answers()?.len();
        if count > 0 && !self.yes {
            let question = format_args!("Delete {count} answers? They would have to be requested again. [y/N] ");
            prompt::agree(question, "nothing deleted")?;
        }
        let removed = session.vault().drop_answers()?;
        context.out.line(format_args!("{} removed", counted(removed, "answer", "answers")));
        Ok(Done::Done)
    }
}
