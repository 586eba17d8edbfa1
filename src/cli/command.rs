//! What every command shares: where it works, how it ends, and the exit code.

use std::{
    io,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
};

use super::{context::Context, output};
use crate::{
    fault,
    journal::VaultError,
    report::{Kind, Report},
    session::SessionError,
};

/// Which journal, and how to print: understood before and after every command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Place {
    /// Folder of journals, models and state [env: KIOKU_HOME]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub home: Option<PathBuf>,
    /// Journal to use, by name
    #[arg(long, global = true, value_name = "NAME")]
    pub journal: Option<String>,
    /// Folder of dated markdown to use as the journal
    #[arg(long, global = true, value_name = "FOLDER", conflicts_with = "journal")]
    pub vault: Option<PathBuf>,
    /// Configuration file [env: KIOKU_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Disable colours [env: NO_COLOR]
    #[arg(long, global = true)]
    pub no_color: bool,
}

/// What a verb does once its arguments are parsed.
pub trait Run {
    /// Whether it goes by the word lists of the person's own journal. What opens other texts reads them as anybody's kioku does.
    const BY_OWN_LISTS: bool = true;

    fn run(self, context: &mut Context) -> Outcome;
}

/// What became of a verb.
pub type Outcome = Result<Done, Failure>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Done,
    /// The question was understood; the answer is "nothing".
    NothingMatched,
}

#[derive(Debug)]
pub enum Failure {
    Report(Report),
    /// The reader closed the pipe (`kioku timeline | head`).
    PipeClosed,
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::Report(report)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Report(Report::from(&error))
    }
}

impl From<VaultError> for Failure {
    fn from(error: VaultError) -> Self {
        Self::Report(Report::from(&error))
    }
}

impl Failure {
    /// Writing to stdout failed.
    pub fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Report(Report::new(Kind::Data, format!("writing the output: {error}"))),
        }
    }
}

/// Runs one command where `place` says: a panic becomes a report, a report an exit code.
pub fn run(place: Place, command: impl FnOnce(&mut Context) -> Outcome) -> u8 {
    fault::record_panics();
    let perform = || {
        let mut context = Context::new(place)?;
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
