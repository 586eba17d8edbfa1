//! Parts shared by all commands: where a command works, how it ends, and the exit code.

use std::panic::{self, AssertUnwindSafe};

use super::{
    context::{Context, Place},
    outcome::{Done, Failure, Outcome},
    output,
};
use crate::{
    fault,
    report::{Kind, Report},
};

/// What a verb does once its arguments are parsed.
pub trait Run {
    /// Whether it goes by the word lists of the person's own journal. What opens other texts reads them as anybody's kioku does.
    const BY_OWN_LISTS: bool = true;

    fn run(self, context: &mut Context) -> Outcome;
}

/// Runs one of the `commands` where `place` says: a panic becomes a report, a report an exit code.
pub fn run(place: Place, commands: fn() -> clap::Command, command: impl FnOnce(&mut Context) -> Outcome) -> u8 {
    fault::record_panics();
    let perform = || {
        let mut context = Context::new(place, commands)?;
        let done = command(&mut context)?;
        context.out.flush().map(|()| done)
    };
    let outcome = panic::catch_unwind(AssertUnwindSafe(perform)).unwrap_or_else(|_| {
        let faults = fault::recorded().join("; ");
        Err(Report::new(Kind::Internal, faults)
            .hint("nothing written is lost: the day files are the journal; please report this")
            .into())
    });
    fault::recorded()
        .iter()
        .for_each(|fault| output::warn(format_args!("an internal fault: {fault}; please report it")));
    match outcome {
        Ok(Done::Done) | Err(Failure::PipeClosed) => 0,
        Ok(Done::NothingMatched) => 3,
        Err(Failure::Report(report)) => {
            output::complain(&report);
            report.exit_code()
        }
    }
}
