//! `kioku mcp`: serves the journal to agents over stdin and stdout.

use std::io::{self, IsTerminal};

use clap::Args;

use super::{Context, Done, Outcome, Run, output};
use crate::{
    journal::Vault,
    mcp::{self, ServeOptions},
    report::{Kind, Report},
};

/// Serve the journal to agents: Model Context Protocol over stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = "The client starts it; `kioku help agents` shows the configuration of the common ones.")]
pub struct Mcp {
    /// Offer only the tools that change nothing
    #[arg(long)]
    read_only: bool,
}

impl Run for Mcp {
    fn run(self, context: &mut Context) -> Outcome {
        let session = context.session_options();
        context.expect_journal(&Vault::open(session.vault.clone())?, true)?;
        context.sweep_state();
        if io::stdin().is_terminal() {
            output::note("waiting for a client on stdin; ctrl-d ends · `kioku help agents`");
        }
        let options = ServeOptions {
            session,
            home: context.paths.home.clone(),
            state: context.state.clone(),
            read_only: self.read_only,
        };
        mcp::serve(options).map_err(|error| Report::of(Kind::Data, &error))?;
        Ok(Done::Done)
    }
}
