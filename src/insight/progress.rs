//! Progress and cancellation of an insight query.

use super::{InsightError, Result};
use crate::index::Progress;

/// Callbacks during an insight query. Both are called often and must cost next to nothing.
#[derive(Clone, Copy)]
pub struct ProgressReporter<'a> {
    /// Whether the query is cancelled; it then ends with [`InsightError::Cancelled`].
    pub cancelled: &'a dyn Fn() -> bool,
    /// Receives the current step, and how much of it is done.
    pub report: &'a dyn Fn(Progress),
}

impl ProgressReporter<'_> {
    /// Neither progress nor cancellation, for a caller that just waits.
    pub const WAITED_FOR: ProgressReporter<'static> = ProgressReporter { cancelled: &|| false, report: &|_| {} };

    /// A cancellation point.
    pub(super) fn goes_on(&self) -> Result<()> {
        if (self.cancelled)() { Err(InsightError::Cancelled) } else { Ok(()) }
    }

    /// A cancellation point that also reports progress.
    pub(super) fn at(&self, what: &'static str, done: usize, of: usize) -> Result<()> {
        (self.report)(Progress { what, done, of });
        self.goes_on()
    }
}
