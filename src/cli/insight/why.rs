//! `why`: causes with their quotes and counts.

use clap::Args;

use super::{Context, Done, Failure, Outcome, Output, Run, arguments, heading, json, plain, quote, read};
use crate::{
    cli::output::{self, Set},
    insight::why::{Cause, Question, Why},
};

/// Show what led to a feeling, a name or an entry
#[derive(Debug, Args)]
#[command(
    after_help = "Stated: the text says so. Together: on the same days, or up to three days before, more often than
chance gives; a correlation, not a proof. `~` marks a quote that states no cause.

Examples:
  kioku why stressed
  kioku why 'stressed about work' --from 'last spring'
  kioku why was I sad in March"
)]
pub struct WhyVerb {
    /// A feeling, a name, an entry's id, or a question; several words need no quotes
    #[arg(required = true)]
    query: Vec<String>,
    /// The first day
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

const QUOTES: usize = 2;
/// Causes told in full; the others by name.
const TOLD: usize = 6;

impl Run for WhyVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let (from, to) = arguments::period(self.from.as_deref(), self.to.as_deref(), &context.now)?;
        let question = Question { text: self.query.join(" "), from, to, now: context.now.clone() };
        let mut session = context.reading_session()?;
        let answer = session.why(&question)?;
        read::tell(&mut session);
        answer.notes.iter().for_each(output::note);
        let out = &mut context.out;
        if self.json {
            json(out, &answer)?;
        } else {
            print(out, &answer)?;
        }
        Ok(if answer.days.with_target == 0 { Done::NothingMatched } else { Done::Done })
    }
}

fn print(out: &mut Output, answer: &Why) -> Result<(), Failure> {
    let Some(period) = answer.period else { return out.line("No entries yet.") };
    let target = plain(out, &answer.target);
    let target = out.set(Set::Bold, &target).into_owned();
    let (with, total) = (answer.days.with_target, answer.days.total);
    out.line(format_args!("{target}: on {with} of {total} days with entries, {} to {}", period.from, period.to))?;
    if with == 0 {
        return Ok(());
    }
    let (claimed, hints): (Vec<&Cause>, Vec<&Cause>) = answer.causes.iter().partition(|cause| cause.is_claimed());
    if claimed.is_empty() {
        out.line("No clear cause found: too few to say.")?;
    }
    for (place, cause) in claimed.iter().take(TOLD).enumerate() {
        out.line("")?;
        let name = plain(out, &cause.name);
        let name = out.set(Set::Bold, &name).into_owned();
        out.line(format_args!("{:>2}  {name}  {}  {}", place + 1, cause.kind.word(), cause.strength.word()))?;
        out.line(format_args!("    {}", cause.counts()))?;
        for evidence in cause.evidence.iter().take(QUOTES) {
            quote(out, 4, evidence)?;
        }
        for step in &cause.back {
            let line = plain(out, &format!("{} <- {}", step.target, step.source));
            out.line(format_args!("    further back: {line}"))?;
            if let Some(evidence) = step.evidence.first() {
                quote(out, 6, evidence)?;
            }
        }
    }
    if claimed.len() > TOLD {
        heading(out, "Also")?;
        for cause in &claimed[TOLD..] {
            let name = plain(out, &cause.name);
            out.line(format_args!("  {name}: {}", cause.on_days()))?;
        }
    }
    if !hints.is_empty() {
        heading(out, "Weak links: too few to say")?;
        for cause in hints {
            let name = plain(out, &cause.name);
            out.line(format_args!("  {name}: {}", cause.counts()))?;
        }
    }
    if !answer.eased_by.is_empty() {
        heading(out, "What eased it")?;
        for relief in &answer.eased_by {
            let name = plain(out, &relief.name);
            out.line(format_args!("  {name}: {}", relief.eased_on()))?;
            if let Some(evidence) = relief.evidence.first() {
                quote(out, 4, evidence)?;
            }
        }
    }
    if !answer.before.is_empty() {
        heading(out, "Related entries from the days before")?;
        for evidence in &answer.before {
            quote(out, 2, evidence)?;
        }
    }
    Ok(())
}
