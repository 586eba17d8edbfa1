//! Execution of a command: context, error report and exit code.

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

/// A command after its arguments are parsed.
pub trait Run {
    /// Whether the command uses the word lists of the user's journal. Commands that do not read the journal use only
    /// the built-in lists.
    const BY_OWN_LISTS: bool = true;

    fn goes_by_own_lists(&self) -> bool {
        Self::BY_OWN_LISTS
    }

    fn run(self, context: &mut Context) -> Outcome;
}

/// An enum of commands, each of which has its own arguments.
macro_rules! verbs {
    ($verb:ident: $($name:ident($arguments:ty)),* $(,)?) => {
        #[derive(Debug, clap::Subcommand)]
        enum $verb {
            $($name($arguments),)*
        }

        impl Run for $verb {
            fn goes_by_own_lists(&self) -> bool {
                match self {
                    $(Self::$name(arguments) => arguments.goes_by_own_lists(),)*
                }
            }

            fn run(self, context: &mut Context) -> Outcome {
                match self {
                    $(Self::$name(arguments) => arguments.run(context),)*
                }
            }
        }
    };
}

pub(super) use verbs;

/// Runs a command. Turns a panic into a report, and a report into an exit code.
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
