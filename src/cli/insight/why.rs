//! `why`: causes with their quotes and counts.

use clap::Args;

use super::{Context, Outcome, Output, Run, arguments, names::hop_line, passages, plain, quotes, section};
use crate::{
    cli::{counted, output},
    insight::{
        connect::Hop,
        why::{Cause, Question, Why},
    },
    report::Report,
};

/// Show what led to a feeling, a name or an entry
#[derive(Debug, Args)]
#[command(
    after_help = "Stated: the text says so. Same day: on the same days, or up to three days before, more often than
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
/// Number of causes shown in full; others are listed by name.
const TOLD: usize = 6;

impl Run for WhyVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let (from, to) = arguments::period(self.from.as_deref(), self.to.as_deref(), &context.now)?;
        let text = self.query.join(" ");
        if Question::is_blank(&text) {
            return Err(Report::usage("empty query")
                .hint("pass a feeling, a name, an entry's id or a question")
                .into());
        }
        let question = Question { text, from, to, now: context.now.clone() };
        let answer = context.ask(|session| session.why(&question))?;
        answer.notes.iter().for_each(output::note);
        let is_found = answer.days.with_target > 0 || !answer.records.is_empty();
        context.answer_query(is_found, &answer, self.json, print_why)
    }
}

fn print_why(out: &mut Output, why: &Why) {
    let target = plain(out, &why.target);
    let target = out.bold(&target);
    let Some(period) = why.period else {
        match &why.record {
            Some(kind) => out.line(format_args!("{target}  {kind}: causes are read from diary entries only")),
            None => out.line("No diary entries yet."),
        }
        return records(out, &why.records);
    };
    if let Some(nearest) = &why.nearest {
        out.line(format_args!("{target}: {}{}", nearest.label(), plain(out, &nearest.words.join(", "))));
        passages(out, "Closest entries", &why.before);
        return records(out, &why.records);
    }
    let (with, total) = (why.days.with_target, why.days.total);
    let total = counted(total, "day", "days");
    let are = why.days_are();
    let days = format!("{} to {}", period.from, period.to);
    out.line(format_args!("{target}: {are}on {with} of {total} with entries, {days}"));
    if with == 0 {
        passages(out, "Closest entries", &why.before);
        return records(out, &why.records);
    }
    let (claimed, hints): (Vec<&Cause>, Vec<&Cause>) = why.causes.iter().partition(|cause| cause.is_claimed());
    if claimed.is_empty() {
        out.line("No clear cause found: too few to say.");
    }
    for (place, cause) in claimed.iter().take(TOLD).enumerate() {
        out.line("");
        let name = plain(out, &cause.name);
        let name = out.bold(&name);
        let kind = cause.kind_word().map_or_else(String::new, |kind| format!("  {kind}"));
        out.line(format_args!("{:>2}  {name}{kind}  {}", place + 1, cause.strength.word()));
        out.line(format_args!("    {}", why.sentence(cause)));
        quotes(out, 4, cause.evidence.iter().take(QUOTES));
        for step in &cause.back {
            let line = plain(out, &format!("{} <- {}", step.target, step.source));
            out.line(format_args!("    further back: {line}"));
            quotes(out, 6, step.evidence.first());
        }
    }
    let named = |out: &mut Output, cause: &Cause, counts: String| {
        let name = plain(out, &cause.name);
        out.line(format_args!("  {name}: {counts}"));
    };
    section(out, "Also", claimed.get(TOLD..).unwrap_or_default(), |out, cause| named(out, cause, cause.in_short()));
    section(out, "Weak links: too few to say", &hints, |out, cause| named(out, cause, why.sentence(cause)));
    section(out, "What eased it", &why.eased_by, |out, relief| {
        named(out, relief, relief.eased_on());
        quotes(out, 4, relief.evidence.first());
    });
    passages(out, "Related entries", &why.before);
    records(out, &why.records);
}

/// Prints what records support and contradict: no evidence of a cause.
fn records(out: &mut Output, links: &[Hop]) {
    section(out, "Records: no causes", links, |out, link| {
        let line = plain(out, &hop_line(link));
        out.line(format_args!("  {line}"));
        quotes(out, 4, &link.evidence);
    });
}
