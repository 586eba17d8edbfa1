//! `kioku index`: update or rebuild of the index.

use clap::Args;

use super::{Context, Done, Outcome, ProgressLine, Run, counted, output};
use crate::session::SyncReport;

/// Update the index, or rebuild it from the day files
#[derive(Debug, Args)]
pub struct IndexVerb {
    /// Delete the index first; vectors are reused
    #[arg(long)]
    rebuild: bool,
    /// Also build the approximate neighbour graph, for journals of 100,000 passages and more
    #[arg(long)]
    ann: bool,
}

impl Run for IndexVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let mut line = ProgressLine::stderr();
        let mut progress = |now| line.step(now);
        let report = if self.rebuild { session.rebuild(&mut progress) } else { session.refresh(&mut progress) }?;
        if self.ann {
            line.show("building the neighbour graph");
        }
        let unlinked = if self.ann { session.build_ann()? } else { None };
        drop(line);
        report.warnings.iter().chain(&session.warnings()).for_each(output::warn);
        if let Some(why) = unlinked {
            output::note(format_args!("no neighbour graph: {why}"));
        }
        if let Some(model) = &report.succeeded {
            output::note(format_args!("search by meaning now uses {model}"));
        }
        context.out.line(summary(&report));
        session.close()?;
        Ok(Done::Done)
    }
}

fn summary(report: &SyncReport) -> String {
    if report.read_only {
        return format!("{}; another kioku is updating the index", counted(report.entries, "entry", "entries"));
    }
    format!(
        "{}: {} new, {} changed, {} gone, {} passages embedded",
        counted(report.entries, "entry", "entries"),
        report.added,
        report.changed,
        report.removed,
        report.embedded
    )
}
