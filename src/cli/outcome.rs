//! Outcome of a command, and its exit code.

use std::io;

use crate::report::{Kind, Report};

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

impl<E: Into<Report>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Report(error.into())
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
