//! `kioku` alone: the screens, where there is a terminal for them.

use std::io::{self, IsTerminal};

use super::{Context, Done, Outcome};
use crate::report::Report;

/// Opens the screens on the journal of the context.
pub fn open(context: &mut Context) -> Outcome {
    if !on_terminal() {
        return Err(Report::usage("the screens need a terminal, and this is none")
            .hint("in pipes and scripts: kioku add, kioku search, kioku timeline, kioku show")
            .hint("`kioku --help` lists every command")
            .into());
    }
    let _ = context;
    Ok(Done::Done)
}

/// Whether keys can be read and a screen drawn.
pub fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}
