//! Outcome of a command, and its exit code.

use std::io;

use crate::{
    journal::VaultError,
    report::{Kind, Report},
    session::SessionError,
};

/// Result of a command.
pub type Outcome = Result<Done, Failure>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Done,
    /// The query was valid but has no results.
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
    /// The failure of a write to stdout.
    pub fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Report(Report::new(Kind::Data, format!("writing the output: {error}"))),
        }
    }
}
