//! `kioku demo`: a temporary copy of a small demo journal.

use clap::Args;

use super::{Context, Done, Outcome, Run, output, screens};
use crate::{config::Journal, journal::demo, report::Report};

/// Open a small temporary demo journal
#[derive(Debug, Args)]
#[command(after_help = "Without a terminal it prints the folder it made: kioku --vault \"$(kioku demo)\" search river")]
pub struct Demo {}

impl Run for Demo {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let folder = tempfile::Builder::new()
            .prefix("kioku-demo-")
            .tempdir()
            .map_err(|error| Report::data(format!("making a folder for the demo: {error}")))?;
        let vault = folder.path().join("demo");
        demo::write_demo_until(&vault, &context.now)?;
        if !screens::on_terminal() {
            let _ = folder.keep();
            context.out.line(vault.display());
            return Ok(Done::Done);
        }
        output::note("this is a temporary copy; changes are discarded on exit");
        context.journal = Journal::Folder(vault);
        // Do not pay for sending demo entries to a service.
        context.config.llm = None;
        // Keep the state of the demo, such as the history, out of the user's home folder. Installed models are still
        // used.
        context.state = folder.path().join("state");
        screens::open(context)
    }
}
