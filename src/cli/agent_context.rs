//! `kioku context`: what the journal knows, for the prompt of an agent.

use clap::Args;

use super::{Context, Outcome, Run, output};
use crate::{
    insight::{
        context::{ContextRequest, Focus},
        digest::{LEAST_BUDGET, MOST_BUDGET},
    },
    report::Report,
};

/// Print what the journal knows, as quotes in a block of bounded size, for an agent's prompt
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku context
  kioku context 'the move to Hanoi' --budget 800
  kioku context --for day
  kioku context --for project kioku")]
pub struct ContextVerb {
    /// What it should be about; several words need no quotes
    query: Vec<String>,
    /// Maximum size in tokens, estimated high
    #[arg(long, value_name = "TOKENS", default_value = "1500")]
    budget: usize,
    /// Today, or a project: `--for project NAME`
    #[arg(long = "for", value_name = "SUBJECT", num_args = 1..=2, value_names = ["day|project", "NAME"])]
    subject: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl ContextVerb {
    fn focus(&self) -> Result<Focus, Report> {
        let [first, rest @ ..] = self.subject.as_slice() else { return Ok(Focus::Journal) };
        match (first.to_lowercase().as_str(), rest) {
            ("day", []) => Ok(Focus::Day),
            ("project", [name]) if !name.trim().is_empty() => Ok(Focus::Project(name.trim().to_owned())),
            ("day", _) => Err(Report::usage("--for day takes no name").hint("put the query before --for")),
            ("project", _) => Err(Report::usage("--for project needs a name")),
            _ => Err(Report::usage(format!("unknown subject `{first}`")).hint("--for day, --for project NAME")),
        }
    }
}

impl Run for ContextVerb {
    fn run(self, context: &mut Context) -> Outcome {
        if !(LEAST_BUDGET..=MOST_BUDGET).contains(&self.budget) {
            return Err(Report::usage(format!("--budget is {LEAST_BUDGET} to {MOST_BUDGET}")).into());
        }
        let (query, now) = (Some(self.query.join(" ")), context.now.clone());
        let request = ContextRequest { query, focus: self.focus()?, budget: self.budget, now };
        let digest = context.ask(|session| session.context(&request))?;
        digest.notice.iter().for_each(output::note);
        context.answer_query(!digest.entries.is_empty() || digest.omitted > 0, &digest, self.json, |out, digest| {
            digest.text.lines().for_each(|line| out.line(line));
        })
    }
}
